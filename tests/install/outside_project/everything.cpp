// Everything that the library offers, once, by what it promises. Built with and without exceptions and type information, from
// many headers and from the single one.
#include "everything.hpp"

#include <algorithm>
#include <cstdio>
#include <memory_resource>
#include <string>
#include <vector>

using namespace spellpool::pool;

namespace {

int failures = 0;
void check(bool holds, const char* what, const char* where, int line) {
  if (holds) return;
  ++failures;
  std::printf("line %d: %s (%s)\n", line, what, where);
}
const char* where = "";
#define CHECK(...) check(static_cast<bool>(__VA_ARGS__), #__VA_ARGS__, where, __LINE__)

/// Counts what its hooks are told.
struct Voice {
  float loudness;
};
struct Told {
  u32 created, acquired, released, discarded, destroyed;
} told;

}  // namespace

template <>
struct spellpool::pool::OrderOf<Voice> {
  static u64 serial(const Voice& voice) { return static_cast<u64>(voice.loudness * 1000.0f); }
  static float score(const Voice& voice) { return voice.loudness; }
};
template <>
struct spellpool::pool::HooksOf<Voice> {
  static void created(u32 slots) { told.created += slots; }
  static void acquired(Voice&) { ++told.acquired; }
  static void released(Voice&) { ++told.released; }
  static void discarded(Voice&) { ++told.discarded; }
  static void destroyed(u32 slots) { told.destroyed += slots; }
};

namespace {

Spark spark(u64 serial) { return {static_cast<float>(serial), 0.0f, static_cast<float>(100 - serial), serial}; }

/// Range-for gives a Spark& where objects lie in one piece, and what works like a pointer where fields have arrays of their own.
template <class Reference>
u64 spawn_id_of(const Reference& each) {
  if constexpr (requires { each->spawn_id; }) {
    return each->spawn_id;
  } else {
    return each.spawn_id;
  }
}

/// What every pool does, whatever its strategy.
template <class P>
void one_pool(StrategyId strategy) {
  where = row(strategy).name.data();
  static_assert(std::is_nothrow_move_constructible_v<P>);
  CHECK(P::kStrategy == strategy);
  P pool(4);
  const auto a = pool.acquire(spark(1)), b = pool.acquire(2.0f, 0.0f, 98.0f, u64{2});
  CHECK(a && b && a != b && pool.live() == 2 && pool.capacity() == 4);
  CHECK(pool.get(b)->x == 2.0f && pool.peek(a)->spawn_id == 1);
  if (auto found = pool.get(a)) found->y = 5.0f;
  CHECK(pool.peek(a)->y == 5.0f);
  pool.for_each([](Spark& each) { each.y += each.x; });
  CHECK(pool.peek(a)->y == 6.0f && pool.peek(b)->y == 2.0f);
  u32 handles = 0;
  pool.for_each_handle([&](auto handle, Spark& each) { handles += handle == (each.spawn_id == 1 ? a : b); });
  CHECK(handles == 2);

  CHECK(pool.release(a) == ReleaseResult::Released && pool.release(a) == ReleaseResult::DoubleRelease);
  CHECK(pool.release({}) == ReleaseResult::NullHandle && pool.release({77, 3}) == ReleaseResult::ForeignHandle);
  CHECK(pool.get(a) == nullptr);
  for (u64 serial = 3; serial < 6; ++serial) CHECK(pool.acquire(spark(serial)));
  CHECK(pool.refuses() && !pool.acquire(spark(6)));
  CHECK(pool.release_if([](const Spark& each) { return each.spawn_id > 3; }) == 2);
  const PoolStats stats = pool.stats();
  CHECK(stats.spawned == 5 && stats.released == 3 && stats.rejected == 1 && stats.live == 2 && stats.peak == 4);
  CHECK(stats.double_releases == 1 && stats.foreign_handles == 1 && stats.stale_handles == 1);
  CHECK(stats.live + stats.free_slots + stats.retired_slots == stats.slots && stats.bytes > 0 && stats.new_calls > 0);

  PoolSnapshot<Spark, u32> before;
  pool.save(before);
  pool.clear();
  CHECK(pool.live() == 0 && pool.get(b) == nullptr);
  pool.restore(before);
  CHECK(pool.live() == 2 && pool.get(b)->x == 2.0f && pool.stats().spawned == 5);

  CHECK(pool.set_capacity(100));
  CHECK(pool.capacity() == 100 && pool.get(b)->x == 2.0f);
  pool.set_fill(true);
  CHECK(pool.get(pool.acquire(spark(9)))->spawn_id == 9);
  CHECK(pool.trim(1) > 0 || P::StorageType::kStable);
  P moved(std::move(pool));
  CHECK(moved.live() == 3 && moved.get(b)->x == 2.0f);
  CHECK(pool.capacity() == 0 && !pool.acquire(spark(1)));

  // The names that users of the standard library look for.
  const auto tenth = moved.emplace(spark(10));
  CHECK(moved.size() == 4 && !moved.empty() && moved.full() && moved.contains(tenth));
  CHECK(moved.find_if([](const Spark& each) { return each.spawn_id == 10; }) == tenth);
  u64 sum = 0;
  for (auto&& each : moved) sum += spawn_id_of(each);
  for (auto&& [handle, each] : moved.items()) sum += handle == tenth ? 1000u + spawn_id_of(each) : 0u;
  CHECK(sum == 2 + 3 + 9 + 10 + 1010);
  CHECK(moved.erase(tenth) && !moved.erase(tenth) && !moved.contains(tenth));
  if constexpr (!P::StorageType::kStable) {
    moved.sort([](const Spark& first, const Spark& second) { return first.spawn_id > second.spawn_id; });
    CHECK(moved.peek(moved.find_if([](const Spark&) { return true; }))->spawn_id == 9);
  }
  {
    auto walk = moved.split(2);
    u32 visited = 0;
    for (u32 part = 0; part < walk.parts(); ++part) walk.for_each(part, [&](Spark&) { ++visited; });
    CHECK(visited == 3);
  }
  swap(pool, moved);
  CHECK(pool.live() == 3 && moved.live() == 0);
  CHECK(erase_if(pool, [](const Spark& each) { return each.spawn_id < 9; }) == 2 && pool.live() == 1);
}

void strategies() {
  one_pool<HeapPool<Spark>>(StrategyId::Heap);
  one_pool<FreeListPool<Spark>>(StrategyId::FreeList);
  one_pool<ActiveFlagPool<Spark>>(StrategyId::ActiveFlag);
  one_pool<IndexStackPool<Spark>>(StrategyId::IndexStack);
  one_pool<PackedPool<Spark>>(StrategyId::Packed);
  one_pool<QueuePool<Spark>>(StrategyId::Queue);
  one_pool<RandomPool<Spark>>(StrategyId::Random);
  one_pool<SoaPool<Spark>>(StrategyId::Soa);
  one_pool<BookPool<Spark>>(StrategyId::Book);
  one_pool<StdFindPool<Spark>>(StrategyId::StdFind);
  one_pool<DensePool<Spark>>(StrategyId::Dense);
  one_pool<BitmapPool<Spark>>(StrategyId::Bitmap);
  one_pool<PmrPool<Spark>>(StrategyId::Pmr);
  one_pool<ConsoleHeapPool<Spark>>(StrategyId::ConsoleHeap);
  where = "";
  static_assert(kStrategyCount == 14, "a new strategy belongs into the list above");
  FreeListPool<Spark, u8> worn(1);
  for (int use = 0; use < 127; ++use) CHECK(worn.release(worn.acquire(spark(1))) == ReleaseResult::Released);
  CHECK(worn.stats().retired_slots == 1 && worn.acquire(spark(1)));
}

void switching() {
  where = "ExhibitPool";
  ExhibitPool<Spark> sparks(StrategyId::FreeList, 8);
  const auto a = sparks.acquire(spark(1));
  sparks.acquire(spark(2));
  for (const StrategyRow& strategy : kStrategies) {
    where = strategy.name.data();
    CHECK(spellpool::find_by_name<StrategyId>(kStrategies, strategy.name) == strategy.id);
    CHECK(sparks.set_strategy(strategy.id) && sparks.strategy() == strategy.id);
    if (auto found = sparks.get(a)) found->y += 1.0f;
    CHECK(sparks.live() == 2 && sum_elsewhere(sparks) == 3.0f);
  }
  where = "ExhibitPool";
  CHECK(sparks.peek(a)->y == static_cast<float>(kStrategyCount));
  CHECK(sparks.release(a) == ReleaseResult::Released && !sparks.get(a));
  (void)sparks.set_capacity(1);
  CHECK(sparks.capacity() == 1 && !sparks.acquire(spark(3)) && sparks.stats().rejected == 1);

  // A type without FieldsOf has no field-wise storage: soa and dense are not offered.
  ExhibitPool<Label> labels(StrategyId::Packed, 8);
  const auto label = labels.acquire("a text that is too long for the small buffer");
  for (const StrategyRow& strategy : kStrategies) {
    CHECK(labels.offers(strategy.id) == (strategy.id != StrategyId::Soa && strategy.id != StrategyId::Dense));
    if (labels.offers(strategy.id)) CHECK(labels.set_strategy(strategy.id));
    CHECK(labels.get(label)->text.size() == 44);
  }

#ifdef NDEBUG  // a debug build reports both
  ExhibitPool<Label> replaced(StrategyId::Dense, 8);
  CHECK(replaced.strategy() == StrategyId::Packed && !replaced.set_strategy(StrategyId::Soa) && replaced.strategy() == StrategyId::Packed);
#endif

  where = "SwitchablePool";
  SwitchablePool<Spark> core(StrategyId::Packed, 8);
  const auto kept = core.acquire(spark(1));
  u32 offered = 0;
  for (const StrategyRow& strategy : kStrategies) offered += core.offers(strategy.id) && core.set_strategy(strategy.id) ? 1u : 0u;
  CHECK(offered == 5 && core.contains(kept));
}

void policies() {
  for (const PolicyRow& policy : kPolicies) {
    where = policy.name.data();
    CHECK(spellpool::find_by_name<PolicyId>(kPolicies, policy.name) == policy.id);
    SwitchablePool<Spark> pool(StrategyId::Bitmap, 4);
    pool.set_growth(2, 6);
    CHECK(pool.set_policy(policy.id) && pool.policy() == policy.id);
    const auto oldest = pool.acquire(spark(1));
    pool.acquire(spark(2));
    const auto faintest = pool.acquire(0.0f, 0.0f, 0.5f, u64{3});
    CHECK(pool.pressure() == 0.0f);
    pool.acquire(spark(4));
    CHECK(pool.pressure() == (policy.id == PolicyId::Pressure ? 1.0f : 0.0f));
#if !defined(NDEBUG)
    if (policy.id == PolicyId::Assert) continue;  // would stop here
#endif
    const auto fifth = pool.acquire(spark(5));
    const PoolStats stats = pool.stats();
    const bool steals = policy.id == PolicyId::StealOldest || policy.id == PolicyId::StealLeast;
    CHECK(!pool.peek(oldest) == (policy.id == PolicyId::StealOldest));
    CHECK(!pool.peek(faintest) == (policy.id == PolicyId::StealLeast));
    CHECK(stats.stolen == (steals ? 1u : 0u) && stats.grown == (policy.id == PolicyId::Grow ? 1u : 0u));
    CHECK(stats.capacity == (policy.id == PolicyId::Grow ? 6u : 4u));
    CHECK(static_cast<bool>(fifth) == (steals || policy.id == PolicyId::Grow) && stats.rejected == (fifth ? 0u : 1u));
  }
  where = "";
  FreeListPool<Label> labels(1);
  CHECK(!labels.set_policy(PolicyId::StealOldest) && labels.policy() == PolicyId::Reject);

  CapacityAdviser adviser;
  for (u32 step = 0; step < 600; ++step) adviser.note(step == 300 ? 80 : 10);
  CHECK(adviser.knows() && adviser.peak() == 80 && adviser.proposal() == 91 && adviser.average() < 12.0f);
}

void hooks_handles_and_leaks() {
  where = "hooks";
  {
    FreeListPool<Voice> voices(2);
    (void)voices.set_policy(PolicyId::StealLeast);
    voices.acquire(0.5f);
    voices.begin_batch();
    voices.acquire(0.25f);
    const auto loud = voices.acquire(0.75f);
    voices.end_batch();
    CHECK(told.created == 2 && told.acquired == 3 && told.discarded == 1 && told.released == 0);
    voices.release(loud);
    CHECK(told.released == 1 && told.destroyed == 0);
  }
  CHECK(told.destroyed == told.created);

  where = "ScopeHandle";
  PackedPool<Label> labels(3);
  {
    ScopeHandle scoped(labels, labels.acquire("short"));
    CHECK(scoped && scoped.get()->text == "short" && labels.live() == 1);
    ScopeHandle moved(std::move(scoped));
    CHECK(moved && !scoped);
    ScopeHandle kept(labels, labels.acquire("kept"));
    CHECK(labels.get(kept.detach())->text == "kept");
  }
  CHECK(labels.live() == 1);

  where = "leak report";
  track_sites(labels, true);
  acquire_at(labels, {"level.cpp", 12}, "forgotten");
  CHECK(leaks(labels).text() == "2 objects are alive:\n  1 from level.cpp:12\n  1 from an unknown place\n");
  acquire_at(labels, Site::here(), "here");
  CHECK(leaks(labels).text().find("everything.cpp:") != std::string::npos);
  labels.clear();
  CHECK(leaks(labels).text().empty());
}

void instruments() {
  where = "instruments";
  FreeListPool<Spark> sparks(PoolSize{.capacity = 4, .prewarm = 1});
  while (!prewarm_within(sparks, 100.0)) {}
  CHECK(sparks.set_policy(PolicyId::StealOldest) && sparks.stats().slots >= 4);
  watch_steals(sparks, true);
  for (u64 serial = 1; serial < 6; ++serial) sparks.acquire(spark(serial));
  SlotMap map;
  map_slots(sparks, map, 8, [](const Spark&) { return 0.5f; });
  CHECK(map.live == 4 && map.stolen == 1 && watches_steals(sparks));

  where = "PmrSource";
  std::pmr::monotonic_buffer_resource level(1 << 16);
  PmrSource source(&level);
  PackedPool<Label> labels(PoolSize{.capacity = 2, .memory = &source});
  CHECK(labels.acquire("a text that is too long for the small buffer"));

  where = "misuse";
  static int refusals = 0;
  set_misuse_handler([](const char*) { ++refusals; });
  sparks.for_each([&](Spark&) { CHECK(!sparks.acquire(spark(9))); });
  set_misuse_handler(nullptr);
  CHECK(refusals == 4 && sparks.live() == 4);
}

void memory() {
  where = "Arena";
  Arena arena(1024);
  {
    ArenaScope scope(arena);
    CHECK(arena.make<Spark>(1.0f, 2.0f, 3.0f, u64{4})->spawn_id == 4);
    const std::span<int> numbers = arena.make_array<int>(10);
    CHECK(numbers.size() == 10 && numbers[9] == 0);
    const Arena::Marker marker = arena.mark();
    CHECK(arena.allocate(4000) != nullptr && arena.overflow_calls() == 1);
    arena.rewind(marker);
    CHECK(arena.stats().overflow_bytes == 0 && arena.stats().peak_bytes >= 4000);
  }
  CHECK(arena.used_bytes() == 0);

  where = "FrameArena";
  FrameArena frames(256);
  CHECK(frames.allocate(100) != nullptr);
  frames.begin_frame();
  CHECK(frames.last_frame().peak_bytes >= 100 && frames.used_bytes() == 0);
  DoubleFrameArena two(256);
  int* const kept = two.current().make<int>(5);
  two.begin_frame();
  CHECK(*kept == 5 && two.previous().used_bytes() > 0 && two.current().used_bytes() == 0);

  where = "ArenaResource";
  {
    ArenaResource resource(arena);
    std::pmr::vector<int> numbers({1, 2, 3}, &resource);
    std::vector<int, ArenaAllocator<int>> more(ArenaAllocator<int>{arena});
    more.assign(numbers.begin(), numbers.end());
    CHECK(more.size() == 3 && more[2] == 3 && arena.used_bytes() >= 6 * sizeof(int));
    CHECK(ArenaAllocator<int>(arena) == ArenaAllocator<long>(arena));
  }
  arena.reset();

  where = "SwitchableMemory";
  SwitchableMemory memory(1024);
  for (const MemorySource source : {MemorySource::Heap, MemorySource::Arena}) {
    memory.choose(source);
    CHECK(memory.begin_frame() && memory.source() == source);
    {
      const std::pmr::vector<int> numbers(20, 3, &memory);
      CHECK(numbers[19] == 3 && memory.blocks_out() == 1 && !memory.begin_frame());
    }
    CHECK(memory.blocks_out() == 0 && memory.total(source).allocations == 1);
    CHECK(memory.total(source).new_calls == (source == MemorySource::Heap ? 1u : 0u));
  }

  where = "ConsoleHeap";
  ConsoleHeap heap(20 * 16);
  void* const left = heap.allocate(7 * 16);
  void* const middle = heap.allocate(2 * 16);
  void* const right = heap.allocate(7 * 16);
  CHECK(left && middle && right && heap.stats().holes == 0);
  CHECK(heap.deallocate(left) == FreeResult::Freed && heap.deallocate(left) == FreeResult::DoubleFree);
  CHECK(heap.deallocate(right) == FreeResult::Freed && heap.deallocate(nullptr) == FreeResult::NullPointer);
  CHECK(heap.allocate(12 * 16) == nullptr && heap.stats().failures_while_enough_free == 1);
  CHECK(heap.deallocate(middle) == FreeResult::Freed && heap.stats().holes == 1 && heap.validate().empty());
}

void many_types() {
  where = "SizeClassPool";
  SizeClassPool sizes({{128, 1}, {sizeof(Spark), 1}});
  const CellHandle<Spark> small = sizes.make<Spark>(1.0f, 2.0f, 3.0f, u64{4}), spilled = make_elsewhere(sizes);
  CHECK(small.tray == 0 && spilled.tray == 1 && sizes.stats().spilled == 1);
  CHECK(sizes.get(spilled)->y == 8.0f && sizes.get<Boss>(spilled.any()) == nullptr);
  CHECK(!sizes.make<Boss>() && sizes.release(spilled.any()) == CellRelease::Released && sizes.make<Boss>());
  u32 sparks = 0;
  sizes.for_each<Spark>([&](Spark&) { ++sparks; });
  CHECK(sparks == 1 && sizes.release_if<Boss>([](const Boss& boss) { return boss.health[0] == 0.0; }) == 1);

  where = "VariantPool";
  VariantPool<Spark, Label, Boss> things(3);
  const auto label = things.make<Label>("a text that is too long for the small buffer");
  const auto boss = things.make<Boss>();
  CHECK(things.make<Spark>() && !things.make<Spark>() && things.stats().rejected == 1);
  CHECK(things.get(label)->text.size() == 44 && things.get<Spark>(boss.any()) == nullptr);
  u64 bytes = 0;
  things.for_each_any([&](auto& thing) { bytes += sizeof thing; });
  CHECK(bytes == sizeof(Spark) + sizeof(Label) + sizeof(Boss) && things.waste() == 3 * sizeof(Boss) - bytes);
  CHECK(things.release(label) == CellRelease::Released && things.release(label) == CellRelease::DoubleRelease);
  // Pools have numbers of their own, whichever file made them.
  CHECK(number_elsewhere() != boss.pool && sizes.release(CellHandle<Boss>{0, 3, 0, boss.pool}) == CellRelease::ForeignHandle);
}

// Pools without handles.
void raw_pools() {
  auto cool = [](float* heat) {
    return [=](u32 first, u32 count) {
      for (u32 row = first; row < first + count; ++row) heat[row] -= 10.0f;
      return lane_mask(count, [&](u32 lane) { return heat[first + lane] < 0.0f; });
    };
  };
  where = "RawDense";
  RawDense<Spark> dense(100);
  CHECK(dense.spawn_n(200, [](u32 i) { return Spark{0.0f, 0.0f, static_cast<float>(i % 20), i}; }) == 100 && dense.live() == 100);
  CHECK(dense.update(cool(dense.column<&Spark::heat>())) == 50 && dense.live() == 50);
  CHECK(dense.spawn(spark(1)) && dense.live() == 51);
  dense.settle();
  float least = 1000.0f;
  for (u32 row = 0; row < dense.live(); ++row) least = std::min(least, dense.column<&Spark::heat>()[row]);
  CHECK(least == 0.0f);

  where = "RawStable";
  RawStable<Spark> stable(100);
  CHECK(stable.spawn(spark(95)) == 0 && stable.spawn(spark(20)) == 1 && stable.spawn(spark(96)) == 2);
  CHECK(stable.update(cool(stable.column<&Spark::heat>())) == 2 && stable.live() == 1 && stable.is_live(1));
  CHECK(stable.column<&Spark::spawn_id>()[1] == 20 && stable.spawn(spark(97)) == 0);

  where = "RawFreeList";
  RawFreeList<Label> labels(2);
  Label* const first = labels.acquire("a text that is too long for the small buffer");
  Label* const second = labels.acquire("second");
  CHECK(first && second && !labels.acquire("third"));
  labels.release(first);
  CHECK(labels.acquire("fourth") == first);
  CHECK(labels.update([](Label& label) { return label.text == "second"; }) == 1);
  std::string left;
  labels.for_each([&](Label& label) { left += label.text; });
  CHECK(left == "fourth");
}

}  // namespace

int main() {
  strategies();
  switching();
  policies();
  hooks_handles_and_leaks();
  instruments();
  memory();
  many_types();
  raw_pools();
  if (failures == 0) std::printf("everything holds\n");
  return failures == 0 ? 0 : 1;
}
