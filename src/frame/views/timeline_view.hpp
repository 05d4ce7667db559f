#pragma once
#include <array>
#include <span>
#include <string_view>

#include "core/types.hpp"
#include "frame/phase.hpp"

namespace spellpool::frame {

/// A block of memory, or a slot of a pool, in one frame: from when it was acquired to when it was released.
struct TimelineBlock {
  u32 from_ns = 0, to_ns = 0;  ///< Since the frame began.
  u32 row = 0;                 ///< The place of its slot's number, or of its address, among all of this frame.
  u32 size_bytes = 0;          ///< 0: not known, it was acquired before.
  bool born = false;           ///< Acquired in this frame; otherwise it was live when the frame began.
  bool ended = false;          ///< Released or stolen in this frame; otherwise it is live at its end.
};
struct TimelineMark {
  u32 at_ns = 0;
  Phase phase{};
};

/// What happened to memory in one frame, or one step of one world.
struct TimelineRow {
  std::string_view title;      ///< The strategy.
  char letter = '?';
  u8 r = 255, g = 255, b = 255;
  std::span<const TimelineBlock> memory, slots;
  u32 memory_rows = 0, slot_rows = 0;
  u64 new_calls = 0, delete_calls = 0, acquired = 0, released = 0;
  u64 left_out = 0;            ///< Events for which there was no room.
  std::span<const TimelineMark> phases;
  u32 length_ns = 0;
  u32 events = 0;
  u32 recorder_ns = 0;         ///< What recording them took, of length_ns: events times the cost of one, as measured.
};

struct TimelineView {
  bool open = false;
  bool waits = false;          ///< For a frame with a step.
  std::array<TimelineRow, 2> rows{};
  std::size_t count = 0;       ///< Of rows: two while two worlds are shown.
};

}  // namespace spellpool::frame
