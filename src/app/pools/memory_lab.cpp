#include "app/pools/memory_lab.hpp"

#include <array>

#include "app/scene_hooks.hpp"
#include "sim/particles/small_console.hpp"
#include "sim/shooter/crane_guide.hpp"
#include "sim/shooter/slot_budget.hpp"

namespace spellpool::app {
namespace {

frame::ConsoleHeapView figures_of(const pool::ConsoleHeapStats& stats) {
  frame::ConsoleHeapView view;
  view.total_bytes = stats.total_bytes;
  view.free_bytes = stats.free_bytes;
  view.largest_bytes = stats.largest_free;
  view.longest_search = stats.longest_search;
  view.holes = stats.holes;
  view.live = stats.live_blocks;
  view.refused = stats.failures_while_enough_free;
  return view;
}

frame::TrayRow row_of(std::string_view name, const pool::TrayStats& stats) {
  return {name, static_cast<u32>(stats.cell_bytes), stats.slots, stats.live, stats.bytes, stats.wasted_bytes};
}

frame::FrameMemoryRow row_of(std::string_view name, const pool::SwitchableMemory& memory) {
  const pool::ArenaStats arena = memory.arena().stats();
  const pool::MemoryCalls& last = memory.this_frame();
  return {name,           arena.capacity_bytes, last.bytes, arena.peak_bytes, last.allocations,
          last.new_calls, arena.overflow_calls};
}

frame::HeapBlockView block_of(std::size_t at, std::size_t bytes, bool free) {
  constexpr std::size_t kUnit = pool::ConsoleHeap::kAlign;
  return {static_cast<u32>(at / kUnit), static_cast<u32>(bytes / kUnit), !free};
}

constexpr std::array<std::string_view, 7> kStoryWords = {
    "All is free.",         "A first object comes …",    "… a small one beside it …", "… and a third: nothing is left.",
    "The first one goes …", "… and the third one, too.", "12 are wanted: refused."};

}  // namespace

MemoryLab::Story::Story(std::string_view from, std::array<u32, 3> three)
    : source(from), sizes(three), heap((three[0] + three[1] + three[2] + 4) * pool::ConsoleHeap::kAlign) {
  shown.reserve(8);
  begin();
  while (stage + 1 < kStages) {
    ++stage;
    act();
  }
}

void MemoryLab::Story::begin() {
  for (void*& block : held) {
    if (block != nullptr) heap.deallocate(std::exchange(block, nullptr));
  }
  stage = ticks = 0;
  refused = false;
}

/// What happens as the stage begins.
void MemoryLab::Story::act() {
  if (stage >= 1 && stage <= 3) held[stage - 1] = heap.allocate(sizes[stage - 1] * pool::ConsoleHeap::kAlign);
  if (stage == 4) heap.deallocate(std::exchange(held[0], nullptr));
  if (stage == 5) heap.deallocate(std::exchange(held[2], nullptr));
  if (stage == 6) {
    void* const got = heap.allocate(kWanted * pool::ConsoleHeap::kAlign);
    refused = got == nullptr;
    if (got != nullptr) heap.deallocate(got);
  }
}

void MemoryLab::Story::tick() {
  if (stage + 1 >= kStages || ++ticks < kStage_ticks) return;
  ticks = 0;
  ++stage;
  act();
}

frame::HeapStoryView MemoryLab::Story::view() {
  constexpr u64 kUnit = pool::ConsoleHeap::kAlign;
  const pool::ConsoleHeapStats stats = heap.stats();
  shown.clear();
  heap.for_each_block(
      [&](std::size_t at, std::size_t bytes, bool free) { shown.push_back(block_of(at, bytes, free)); });
  frame::HeapStoryView view;
  view.source = source;
  view.words = kStoryWords[stage];
  view.units = static_cast<u32>(stats.total_bytes / kUnit) - 1;
  view.free = static_cast<u32>(stats.free_bytes / kUnit);
  view.largest = static_cast<u32>(stats.largest_free / kUnit);
  view.wanted = kWanted;
  view.refused = refused;
  view.blocks = shown;
  return view;
}

void MemoryLab::replay_stories() {
  for (Story& story : stories_) story.begin();
}

MemoryLab::MemoryLab() : heap_(kHeapBytes), trays_({{32, 240}, {128, 72}, {512, 24}}), one_size_(336),
      stories_{Story("book", {7, 2, 7}), Story("notes", {8, 2, 6})} {
  constexpr std::size_t kPagesReserved = 4'096;  // 16 MiB of objects
  line_map_.reserve(kPagesReserved);
  blocks_.reserve(kMostBlocks);
  shown_.reserve(kHeapBytes / pool::ConsoleHeap::kAlign);
  objects_.reserve(336);
  console_shown_.reserve(sim::SmallConsole::kBytes / 32);
  for (int round = 0; round < 200; ++round) tick();
}

template <class T>
void MemoryLab::make_both() {
  const auto tray = trays_.make<T>();
  if (tray.is_null()) return;
  const auto variant = one_size_.make<T>();
  objects_.push_back({tray.any(), variant.any()});
}

void MemoryLab::tick() {
  for (Story& story : stories_) story.tick();
  // The heap: what comes is a little more than what goes, until something is refused.
  for (int i = 0; i < 3; ++i) {
    const u64 bits = rng_.next_u64();
    const u32 chance = static_cast<u32>(bits % 100), bytes = 16 + static_cast<u32>(bits >> 32) % 320;
    const bool goes = blocks_.size() >= kMostBlocks || (!blocks_.empty() && chance < 48);
    if (!goes) {
      if (void* at = heap_.allocate(bytes)) {
        blocks_.push_back(at);
        continue;
      }
    }
    for (int gone = goes ? 1 : 3; gone > 0 && !blocks_.empty(); --gone) {  // refused: the game lets something else go
      void*& block = blocks_[rng_.below(static_cast<u32>(blocks_.size()))];
      heap_.deallocate(block);
      block = blocks_.back();
      blocks_.pop_back();
    }
  }
  if (void* asked = heap_.allocate(kAsked)) heap_.deallocate(asked);

  // Trays: many small ones, some larger ones, few large ones.
  const u32 chance = rng_.below(100);
  if (!objects_.empty() && (objects_.size() >= 300 || rng_.below(100) < 48)) {
    Pair& pair = objects_[rng_.below(static_cast<u32>(objects_.size()))];
    trays_.release(pair.tray);
    one_size_.release(pair.variant);
    pair = objects_.back();
    objects_.pop_back();
  } else if (chance < 75) {
    make_both<Spark>();
  } else if (chance < 95) {
    make_both<Bolt>();
  } else {
    make_both<Boss>();
  }
}

const frame::ObjectLinesView& MemoryLab::lines_of(const sim::PoolPort& pool) {
  constexpr u32 kEvery_calls = 30;
  const std::string_view strategy = pool::row(pool.strategy()).title;
  if (lines_age_++ % kEvery_calls != 0 && lines_.strategy == strategy) return lines_;
  line_map_.clear();
  pool.map_lines(line_map_);
  const std::vector<MemoryPage>& pages = line_map_.pages();
  lines_.strategy = strategy;
  lines_.objects = pool.stats().live;
  lines_.object_bytes = pool.object_bytes();
  lines_.touched_lines = line_map_.touched();
  lines_.least_lines = (lines_.objects * lines_.object_bytes + kCacheLineBytes - 1) / kCacheLineBytes;
  lines_.held_lines = line_map_.held();
  lines_.page_count = pages.size();
  lines_.hole_lines = lines_.page_count * (kMemoryPageBytes / kCacheLineBytes) - lines_.held_lines;
  lines_.pages = std::span(pages).first(std::min(pages.size(), frame::kMostShownPages));
  return lines_;
}

void MemoryLab::fill_loads(const sim::GameWorld& world, frame::MemoryView& view) {
  view.console = {};
  view.cranes = {};
  view.sharing = {};
  if (const sim::SmallConsole* const small = scene_hooks(world).console(world); small != nullptr && small->on()) {
    const sim::SmallConsole& console = *small;
    const sim::ConsoleRefusal& last = console.last_fizzle();
    console_shown_.clear();
    console.for_each_block(
        [&](std::size_t at, std::size_t bytes, bool free) { console_shown_.push_back(block_of(at, bytes, free)); });
    view.console = {.mode = console.mode(),
                    .total_bytes = sim::SmallConsole::kBytes,
                    .free_bytes = console.free_bytes(),
                    .largest_bytes = console.largest_bytes(),
                    .holes = console.holes(),
                    .units = sim::SmallConsole::kBytes / static_cast<u32>(pool::ConsoleHeap::kAlign),
                    .blocks = console_shown_,
                    .fizzled = console.fizzled(),
                    .last_wanted_bytes = last.wanted_bytes,
                    .last_free_bytes = last.free_bytes,
                    .last_largest_bytes = last.largest_bytes};
  }
  if (const sim::CraneRules* rules = world.crane_rules(); rules != nullptr && rules->on()) {
    view.cranes = {.mode = rules->mode,
                   .arena = {},
                   .searches = rules->searches,
                   .overflowed = rules->overflowed,
                   .ended = rules->ended,
                   .last_wanted_bytes = rules->last_wanted_bytes,
                   .last_free_bytes = rules->last_free_bytes};
    if (const pool::FrameArena* arena = world.crane_guide()->arena()) {
      const pool::ArenaStats stats = arena->stats();
      view.cranes.arena = {.name = "searches",
                           .capacity_bytes = stats.capacity_bytes,
                           .last_bytes = stats.used_bytes + stats.overflow_bytes,
                           .peak_bytes = stats.peak_bytes,
                           .allocations = 0,
                           .new_calls = 0,
                           .overflows = stats.overflow_calls};
    }
  }
  if (const sim::SlotBudget* const budget = world.slot_budget(); budget != nullptr && budget->on()) {
    frame::SlotSharingView& sharing = view.sharing;
    sharing.mode = budget->sharing();
    for (std::size_t i = 0; i < sharing.rows.size(); ++i) {
      const sim::SlotBudget::Share& share = sim::SlotBudget::kShares[i];
      const u32 slots = sharing.mode == frame::SlotSharing::Shared ? frame::kSharedSlots : share.slots;
      const u32 live = world.pool(share.pool).stats().live;
      sharing.rows[i] = {frame::row(share.pool).name, live, slots, budget->refused(share.pool)};
      sharing.taken += live;
      if (share.pool == frame::PoolId::Enemies) sharing.enemies = i;
    }
  }
}

frame::MemoryView MemoryLab::view(const sim::GameWorld& world) {
  frame::MemoryView view;
  view.particles = lines_of(world.pool(frame::PoolId::Particles));
  const sim::FrameMemory& memory = world.frame_memory();
  view.source = static_cast<u8>(memory.step.source());
  view.rows = {row_of("step", memory.step), row_of("frame", memory.picture)};
  if (const auto stats = world.pool(frame::PoolId::Particles).console_heap()) {
    view.particles_on_heap = true;
    view.particles_heap = figures_of(*stats);
  }
  view.lab = figures_of(heap_.stats());
  view.lab_units = static_cast<u32>(view.lab.total_bytes / pool::ConsoleHeap::kAlign);
  view.lab_asks_bytes = kAsked;
  shown_.clear();
  heap_.for_each_block(
      [&](std::size_t at, std::size_t bytes, bool free) { shown_.push_back(block_of(at, bytes, free)); });
  view.lab_blocks = shown_;
  for (std::size_t i = 0; i < stories_.size(); ++i) view.stories[i] = stories_[i].view();
  fill_loads(world, view);
  constexpr std::array<std::string_view, 3> kNames = {"small", "medium", "large"};
  for (std::size_t i = 0; i < view.trays.size(); ++i) view.trays[i] = row_of(kNames[i], trays_.tray_stats(i));
  view.one_size = row_of("one size", one_size_.tray_stats());
  return view;
}

}  // namespace spellpool::app
