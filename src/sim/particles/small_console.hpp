#pragma once
#include <array>
#include <span>
#include <string_view>

#include "core/state_hash.hpp"
#include "frame/views/console_load.hpp"
#include "pool/memory/console_heap.hpp"

namespace spellpool::sim {

/// What of a spell takes memory on the small console.
enum class ConsolePart : u8 { Bolt, Ring, Sparks, Mark };
struct ConsolePartRow {
  ConsolePart id;
  std::string_view name;
  u32 bytes;  ///< Sparks: of the largest burst.
};
inline constexpr std::array kConsoleParts = {
    ConsolePartRow{ConsolePart::Bolt, "bolt", 320},      // a spell under way
    ConsolePartRow{ConsolePart::Ring, "ring", 176},      // its light on the ground
    ConsolePartRow{ConsolePart::Sparks, "sparks", 272},  // of one burst
    ConsolePartRow{ConsolePart::Mark, "mark", 32},       // what stays on the floor
};
static_assert(rows_in_order(kConsoleParts));

/// One allocation that got no memory.
struct ConsoleRefusal {
  u64 step = 0;
  ConsolePart part{};
  u32 wanted_bytes = 0, free_bytes = 0, largest_bytes = 0;
};

/// The load "small console": bolts, rings, bursts of sparks and marks of different sizes live in kBytes, for as long as
/// the spells need them. In one ConsoleHeap they leave holes of all sizes, and after a while a spell fizzles although
/// enough is free: no hole is large enough. In pools, one for each size, with the same bytes, each finds its slot.
///
/// Rules  Part of a step's rules: what finds no memory does not happen. Which addresses the heap has does not matter,
/// only
///        the offsets in it, so the same commands and inputs give the same game everywhere. Off, it costs and changes
///        nothing.
/// Memory kBytes while it is Heap, taken in choose(); otherwise none. Nothing is allocated in a step.
class SmallConsole {
 public:
  static constexpr u32 kBytes = 12 * 1024;
  static constexpr u32 kMarks = 64, kMostBlocks = kBytes / 48;

  /// One pool of the other form of this memory: slots of one size.
  struct Tray {
    u32 bytes = 0, slots = 0;
  };
  static constexpr std::array kTrays = {Tray{32, 64},  Tray{64, 14},  Tray{128, 10},
                                        Tray{176, 15}, Tray{272, 14}, Tray{320, 5}};

  /// Begins anew, empty. The same mode again changes nothing.
  void choose(frame::ConsoleMode mode);
  frame::ConsoleMode mode() const { return mode_; }
  bool on() const { return mode_ != frame::ConsoleMode::Off; }

  /// What has had its time is given back.
  void begin_step(u64 step);
  /// Memory for a part; for sparks so many. False: there is none. Always true while off.
  bool take(ConsolePart part, u32 sparks = 0);

  /// Of spells alone, since it was chosen.
  u64 fizzled() const { return fizzled_; }
  u64 refused(ConsolePart part) const { return refused_[static_cast<std::size_t>(part)]; }
  /// The last spell that got no memory. Of step 0: none yet.
  const ConsoleRefusal& last_fizzle() const { return last_; }
  u32 blocks() const { return count_; }
  u32 free_bytes() const;
  /// The most that one allocation can get.
  u32 largest_bytes() const;
  u32 holes() const { return mode_ == frame::ConsoleMode::Heap ? heap_.stats().holes : 0; }
  /// f(offset, bytes, is_free) from left to right. A block of the heap has its tags with it.
  template <class F>
  void for_each_block(F&& f) const {
    if (mode_ == frame::ConsoleMode::Heap) return heap_.for_each_block(f);
    if (mode_ == frame::ConsoleMode::Off) return;
    std::size_t offset = 0;
    for (std::size_t tray = 0; tray < kTrays.size(); ++tray) {
      for (u32 slot = 0; slot < kTrays[tray].slots; ++slot, offset += kTrays[tray].bytes) {
        f(offset, std::size_t{kTrays[tray].bytes}, (used_[tray] >> slot & 1u) == 0);
      }
    }
  }

  /// Becomes a copy. Allocates where the other is Heap and this one is not.
  void copy(const SmallConsole& other);
  /// Nothing while off.
  void add_to(StateHash& hash) const;

 private:
  struct Block {
    u64 until = 0;  ///< Step in which it is given back; of a mark: after so many later marks.
    u32 place = 0;  ///< Offset in the heap, or tray << 8 | slot.
    ConsolePart part{};
  };

  bool find_room(u32 bytes, u32& place);
  void give_back(const Block& block);
  u32 bytes_of(ConsolePart part, u32 sparks) const;

  frame::ConsoleMode mode_ = frame::ConsoleMode::Off;
  pool::ConsoleHeap heap_;
  std::array<u64, kTrays.size()> used_{};  // a bit for each slot
  std::array<Block, kMostBlocks> blocks_{};
  u32 count_ = 0;
  u64 step_ = 0, taken_ = 0, marks_ = 0, fizzled_ = 0;
  std::array<u64, kConsoleParts.size()> refused_{};
  ConsoleRefusal last_;
};

}  // namespace spellpool::sim
