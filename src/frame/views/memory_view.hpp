#pragma once
#include <array>
#include <span>
#include <string_view>

#include "core/memory_page.hpp"
#include "core/types.hpp"
#include "frame/views/console_load.hpp"
#include "frame/views/crane_search.hpp"
#include "frame/views/slot_sharing.hpp"

namespace spellpool::frame {

/// The arena of a step or of a picture, and what the last of these took.
struct FrameMemoryRow {
  std::string_view name;
  u64 capacity_bytes = 0;
  u64 last_bytes = 0;        ///< As asked for, from whatever source.
  u64 peak_bytes = 0;        ///< Of the arena, ever.
  u64 allocations = 0;       ///< In the last one …
  u64 new_calls = 0;         ///< … and how many of them operator new had to serve.
  u64 overflows = 0;         ///< Ever: the arena had no room.
};

/// A console heap: which part has which bytes, in units of 16 bytes from its start.
struct HeapBlockView {
  u32 first = 0, units = 0;
  bool live = false;
};
struct ConsoleHeapView {
  u64 total_bytes = 0, free_bytes = 0, largest_bytes = 0, longest_search = 0;
  u32 holes = 0, live = 0;
  u64 refused = 0;           ///< allocate() that failed while the holes together would have had room.
};

/// The load "small console": its memory, in whatever form.
struct SmallConsoleView {
  ConsoleMode mode = ConsoleMode::Off;
  u64 total_bytes = 0, free_bytes = 0, largest_bytes = 0;
  u32 holes = 0, units = 0;
  std::span<const HeapBlockView> blocks;
  u64 fizzled = 0;           ///< Spells that got no memory.
  u64 last_wanted_bytes = 0, last_free_bytes = 0, last_largest_bytes = 0;  ///< Of the last one.
};

/// The load "stones": the arena in which cranes search their way.
struct CraneSearchView {
  CraneSearch mode = CraneSearch::Off;
  FrameMemoryRow arena;      ///< Of the searches of a step.
  u64 searches = 0, overflowed = 0, ended = 0;
  u64 last_wanted_bytes = 0, last_free_bytes = 0;  ///< Of the last search that had no room; 0: none.
};

/// The load "few slots": how many each kind has.
struct SlotShareRow {
  std::string_view name;    ///< Of the pool.
  u32 live = 0, slots = 0;  ///< slots: of a separate pool; of a shared one all that there are.
  u64 refused = 0;          ///< That got none.
};
struct SlotSharingView {
  SlotSharing mode = SlotSharing::Off;
  u32 taken = 0;  ///< Of kSharedSlots.
  std::array<SlotShareRow, 6> rows{};
  std::size_t enemies = 0;  ///< Which of the rows.
};

/// A heap of a few units on which a text shows fragmentation: three blocks come, the outer two go, and 12 units are
/// wanted.
struct HeapStoryView {
  std::string_view source;   ///< Whose numbers they are.
  std::string_view words;    ///< What has just happened.
  u32 units = 0, free = 0, largest = 0, wanted = 0;
  bool refused = false;      ///< The wanted ones were asked for.
  std::span<const HeapBlockView> blocks;
};

/// One tray of cells of one size.
struct TrayRow {
  std::string_view name;
  u32 cell_bytes = 0, slots = 0, live = 0;
  u64 bytes = 0;             ///< Held, cells and tags.
  u64 wasted_bytes = 0;      ///< In live cells, behind their objects.
};

/// Where the objects of a pool lie, whatever its strategy: from their true addresses, about twice a second.
struct ObjectLinesView {
  std::string_view strategy;
  u64 objects = 0, object_bytes = 0;
  u64 touched_lines = 0;  ///< That an update of all of them reads.
  u64 least_lines = 0;    ///< That they would fill side by side.
  u64 held_lines = 0, page_count = 0;
  u64 hole_lines = 0;     ///< Of these pages, without a part of an object.
  std::span<const MemoryPage> pages;  ///< The first of them, by address.
};
inline constexpr std::size_t kMostShownPages = 32;

/// What the memory panel shows: the game's frame memory, a console heap and trays at work, and the particles' heap
/// where their strategy is that.
struct MemoryView {
  u8 source = 0;             ///< pool::MemorySource of step and picture.
  std::array<FrameMemoryRow, 2> rows{};
  ObjectLinesView particles;
  bool particles_on_heap = false;
  ConsoleHeapView particles_heap;
  ConsoleHeapView lab;
  u32 lab_units = 0;
  u32 lab_asks_bytes = 0;    ///< What is asked for, and given back at once, in every round.
  std::span<const HeapBlockView> lab_blocks;
  SmallConsoleView console;
  CraneSearchView cranes;
  SlotSharingView sharing;
  std::array<HeapStoryView, 2> stories{};
  std::array<TrayRow, 3> trays{};
  TrayRow one_size;          ///< The same objects in slots as large as the largest.
};

}  // namespace spellpool::frame
