// The steady frame: all particles move, 1.5 % die, as many are born. ns per live particle.
#include "pools_measure.hpp"
#include "pools_sides.hpp"

namespace spellpool::bench {
namespace {

u64 ticks() {
#if defined(__x86_64__)
  return __builtin_ia32_rdtsc();
#else
  return static_cast<u64>(now_ns());
#endif
}

template <class Store>
class FrameSide : public Side {
 public:
  template <class... Args>
  FrameSide(const char* its_name, Kind its_kind, u32 live, const Args&... args)
      : Side(its_name, its_kind), store_(capacity_for(live), args...) {
    if constexpr (requires { store_.fill(0u, make_resident); }) {
      store_.fill(live, make_resident);
    } else {
      store_.spawn(live, make_resident);
    }
    store_.settle();
    serial_ = live;
  }
  void work(u32 frames) override {
    if (use_fast()) {
      fast(frames);
    } else {
      plain(frames);
    }
  }
  u64 checksum() override {
    u64 sum = 0;
    store_.each([&](const Particle& p) { sum += checksum_of(p); });
    return sum;
  }

 private:
  static u32 capacity_for(u32 live) { return live + live / 8; }
  SPELLPOOL_FAST void fast(u32 frames) { run(frames); }
  SPELLPOOL_PLAIN void plain(u32 frames) { run(frames); }
  void run(u32 frames) {
    for (u32 i = 0; i < frames; ++i) {
      const u32 died = store_.update();
      const u32 serial = serial_;
      store_.spawn(died, [serial](u32 k) { return make_particle(serial + k); });
      store_.settle();
      serial_ += died;
    }
  }

  Store store_;
  u32 serial_ = 0;
};

/// The update of a dense pool alone, deaths included; births happen between, untimed.
template <class Store>
class UpdateSide : public Side {
 public:
  UpdateSide(const char* its_name, Kind its_kind, u32 live)
      : Side(its_name, its_kind), store_(live + live / 8), serial_(live) {
    store_.spawn(live, make_resident);
  }
  void work(u32 frames) override {
    if (use_fast()) {
      fast(frames);
    } else {
      plain(frames);
    }
  }
  u64 checksum() override { return 0; }
  u64 spent() const { return spent_; }

 private:
  SPELLPOOL_FAST void fast(u32 frames) { run(frames); }
  SPELLPOOL_PLAIN void plain(u32 frames) { run(frames); }
  void run(u32 frames) {
    spent_ = 0;
    for (u32 i = 0; i < frames; ++i) {
      const u64 from = ticks();
      const u32 died = store_.update();
      spent_ += ticks() - from;
      const u32 serial = serial_;
      store_.spawn(died, [serial](u32 k) { return make_particle(serial + k); });
      store_.settle();
      serial_ += died;
    }
  }
  Store store_;
  u32 serial_;
  u64 spent_ = 0;
};

/// Reads, changes and writes the same five columns with the same arithmetic, and decides nothing: what the memory allows. Right
/// through, or by 64 rows at a time; the faster of the two counts.
class BandwidthSide : public Side {
 public:
  explicit BandwidthSide(u32 live) : Side("read, change, write the five columns", Kind::Peer), columns_(live), live_(live) {
    for (u32 row = 0; row < live; ++row) columns_.store(row, make_particle(row));
  }
  void work(u32 frames) override {
    const u64 from = ticks();
    if (use_fast()) {
      fast(frames);
    } else {
      plain(frames);
    }
    spent_ = ticks() - from;
  }
  u64 checksum() override { return 0; }
  u64 spent() const { return spent_; }
  bool in_groups = false;

 private:
  SPELLPOOL_FAST void fast(u32 frames) { run(frames); }
  SPELLPOOL_PLAIN void plain(u32 frames) { run(frames); }
  void run(u32 frames) {
    const HotColumns c(columns_);
    for (u32 f = 0; f < frames; ++f) {
      if (in_groups) {
        for (u32 i = 0; i + 64 <= live_; i += 64) change(64, c.x + i, c.y + i, c.vx + i, c.vy + i, c.life + i);
      } else {
        change(live_, c.x, c.y, c.vx, c.vy, c.life);
      }
    }
  }
  static void change(u32 n, float* __restrict x, float* __restrict y, float* __restrict vx, float* __restrict vy,
                     float* __restrict life) {
    for (u32 i = 0; i < n; ++i) {
      vx[i] *= 0.99f;
      vy[i] = vy[i] * 0.99f + 1.0f;
      x[i] += vx[i] * kDt;
      y[i] += vy[i] * kDt;
      life[i] -= kDt;
    }
  }
  pool::Columns<Particle> columns_;
  u32 live_;
  u64 spent_ = 0;
};

/// What a frame costs at least: the same columns, arithmetic and births, without any bookkeeping. It knows in advance which
/// rows die, one in each 67, and prefetches them.
enum class Least {
  Update,   ///< no deaths
  Births,   ///< each dead row gets a new particle
  Handles,  ///< besides, the slot of each dead row is looked up, its generation counted, and a handle written
};
class LeastSide : public Side {
 public:
  LeastSide(const char* its_name, Least what, u32 live)
      : Side(its_name, Kind::Peer),
        columns_((live + 63) / 64 * 64),
        slots_(live),
        generations_(live),
        handles_(live / kOneIn),
        live_(live),
        what_(what) {
    Rng rng(7);
    for (u32 row = 0; row < (live + 63) / 64 * 64; ++row) columns_.store(row, make_particle(row));
    for (u32 row = 0; row < live; ++row) slots_[row] = row;
    for (u32 i = live - 1; i > 0; --i) std::swap(slots_[i], slots_[rng.below(i + 1)]);
  }
  void work(u32 frames) override {
    if (use_fast()) {
      fast(frames);
    } else {
      plain(frames);
    }
  }
  u64 checksum() override { return dead_; }

 private:
  static constexpr u32 kOneIn = 67;
  SPELLPOOL_FAST void fast(u32 frames) { run(frames); }
  SPELLPOOL_PLAIN void plain(u32 frames) { run(frames); }
  void run(u32 frames) {
    const HotColumns c(columns_);
    const u32 births = live_ / kOneIn, last = live_ - 1;
    for (u32 f = 0; f < frames; ++f, ++frame_) {
      for (u32 i = 0; i < live_; i += 64) dead_ += c.step<64>(i) != 0;
      if (what_ == Least::Update) continue;
      const u32 frame = frame_, serial = frame_ * births;
      const auto row_at = [=](u32 i) { return std::min(i * kOneIn + ((i + frame) * 0x9e3779b1u >> 16) % kOneIn, last); };
      pool::scatter(columns_, births, row_at, [serial](u32 i) { return make_particle(serial + i); });
      if (what_ == Least::Births) continue;
      for (u32 i = 0; i < births; ++i) {
        const u32 slot = slots_[row_at(i)];
        handles_[i] = {slot, generations_[slot] += 2};
      }
    }
  }
  pool::Columns<Particle> columns_;
  std::vector<u32> slots_, generations_;
  std::vector<std::pair<u32, u32>> handles_;
  u32 live_, frame_ = 0;
  Least what_;
  u64 dead_ = 0;
};
/// The same for whole objects, in one array.
class LeastObjectsSide : public Side {
 public:
  LeastObjectsSide(const char* its_name, u32 live) : Side(its_name, Kind::Peer), objects_(live) {
    for (u32 i = 0; i < live; ++i) objects_[i] = make_particle(i);
  }
  void work(u32 frames) override {
    if (use_fast()) {
      fast(frames);
    } else {
      plain(frames);
    }
  }
  u64 checksum() override { return dead_; }

 private:
  SPELLPOOL_FAST void fast(u32 frames) { run(frames); }
  SPELLPOOL_PLAIN void plain(u32 frames) { run(frames); }
  void run(u32 frames) {
    for (u32 f = 0; f < frames; ++f) {
      for (Particle& p : objects_) dead_ += step(p);
    }
  }
  std::vector<Particle> objects_;
  u64 dead_ = 0;
};

template <class Store, class... Args>
void add(Sides& sides, const char* name, Kind kind, u32 live, const Args&... args) {
  sides.push_back(std::make_unique<FrameSide<Store>>(name, kind, live, args...));
}

void add_ours(Sides& sides, u32 live) {
  add<DenseStore>(sides, "RawDense", Kind::Raw, live);
  add<StableStore>(sides, "RawStable", Kind::Raw, live);
  add<FreeListStore>(sides, "RawFreeList", Kind::Raw, live);
  for_each_safe_pool([&]<class Pool>(std::type_identity<Pool>, const char* name) { add<SafeStore<Pool>>(sides, name, Kind::Safe, live); });
}

/// The run before each slice is long enough to bring the caches into their steady state: a row is written at
/// birth, and its mean life is 66 frames. (With 500,000 rows that would take minutes; the shorter run there
/// is a compromise.)
Shape shape_for(u32 live) {
  Shape shape;
  shape.warm = 150;
  shape.lead_in = live <= 100'000 ? kLongestLife / 2 : 8;
  shape.timed = live <= 20'000 ? 60'000 / live : live <= 100'000 ? 4 : 2;
  shape.rounds = live <= 20'000 ? pools_options.rounds : std::max(15u, pools_options.rounds / 2);
  return shape;
}

void table(Report& report, u32 live) {
  Sides sides;
  add_ours(sides, live);
  using Dense = pool::DensePool<Particle>;
  using Bitmap = pool::BitmapPool<Particle>;
  using FreeList = pool::FreeListPool<Particle>;
  add<TwoPassStore<Dense>>(sides, "DensePool, for_each and release_if", Kind::Safe, live);
  add<OnePassStore<Dense>>(sides, "DensePool, one release_if", Kind::Safe, live);
  add<TunedOneByOneStore>(sides, "DensePool, tuned, acquire() for each birth", Kind::Safe, live);
  add<TwoPassStore<Bitmap>>(sides, "BitmapPool, for_each and release_if", Kind::Safe, live);
  add<TwoPassStore<FreeList>>(sides, "FreeListPool, for_each and release_if", Kind::Safe, live);
  add<SwapRemoveStore<std::vector<Particle>>>(sides, "std::vector, swap-remove", Kind::Peer, live);
  add<SwapRemoveStore<std::deque<Particle>>>(sides, "std::deque, swap-remove", Kind::Peer, live);
  add<ColonyStore>(sides, "plf::colony", Kind::Peer, live);
  add<EraseStore<std::list<Particle>>>(sides, "std::list", Kind::Peer, live);
  for (const Heap& heap : heaps()) {
    const std::string name = std::string("pointers + ") + heap.name;
    add<PointerStore<HeapMemory>>(sides, name.c_str(), Kind::Peer, live, heap);
  }
  add<PointerStore<BoostPoolMemory>>(sides, "pointers + boost::pool", Kind::Peer, live);
  if (live <= 5'000) add<PointerStore<BoostObjectPoolMemory>>(sides, "pointers + boost::object_pool", Kind::Peer, live);
  add<PointerStore<PmrMemory>>(sides, "pointers + pmr::unsynchronized_pool", Kind::Peer, live);
  add<PointerStore<FoonathanMemory>>(sides, "pointers + foonathan memory_pool", Kind::Peer, live);
  add<BookStore>(sides, "the book's free list, all slots visited", Kind::Peer, live);
  if (live <= 5'000) {
    add<FlagStore>(sides, "active flag, spawn looks from the front", Kind::Peer, live);
    add<FindStore>(sides, "std::find in release", Kind::Peer, live);
  }

  measure(sides, shape_for(live));
  const std::string title = "Steady frame: all move, 1.5 % die, as many are born. ns per live particle";
  check_equal(title, sides);
  const std::string size = text("%u", live);
  report.add(title, size, sides, live);

  auto goal = [&](const std::string& id, double value, const Side* ours, const char* other) {
    ratio_goal(report, id, size, value, ours, find(sides, other), live, "ns");
  };
  const Side* const raw = fastest(sides, Kind::Raw);
  const Side* const safe = fastest(sides, Kind::Safe);
  goal("G1", live == 50'000 ? 2.6 : 3.0, raw, "std::vector");
  goal("G1s", 1.5, safe, "std::vector");
  goal("G2", live == 1'000 ? 8 : 6, raw, "plf::colony");
  goal("G2s", live == 1'000 ? 8 : 6, safe, "plf::colony");
  goal("G3", live <= 50'000 ? 4 : 15, raw, "pointers + glibc");
  goal("G3s", 3, safe, "pointers + glibc");
  goal("G4.address", live <= 50'000 ? 2.5 : 1.4, find(sides, "RawFreeList"), "plf::colony");
  goal("G4s.address", live <= 50'000 ? 2.5 : 1.4, find(sides, "FreeListPool"), "plf::colony");
  goal("G4.row", 4, find(sides, "RawStable"), "plf::colony");
  goal("G4s.row", 4, find(sides, "BitmapPool"), "plf::colony");
  const Side* const tuned = find(sides, "DensePool");
  const Side* const two_passes = find(sides, "DensePool, for_each");
  const Side* const one_pass = find(sides, "DensePool, one");
  if (live == 50'000) {
    goal("G14s.two_passes", 2, two_passes, "std::vector");
    goal("G14s.one_pass", 2, one_pass, "std::vector");
  }
  if (live >= 50'000) {
    goal("G15s.two_passes", 0.9, two_passes, "DensePool");
    goal("G15s.one_pass", 0.9, one_pass, "DensePool");
  }
  if (live == 500'000) goal("G16s", 2.2, tuned, "std::vector");
  goal("G17s", 1.3, find(sides, "BitmapPool"), "plf::colony");
}

void aged_table(Report& report, u32 live) {
  Sides sides;
  add_ours(sides, live);
  const Heap& glibc = heaps().front();
  add<PointerStore<HeapMemory>>(sides, "pointers + glibc, aged heap", Kind::Peer, live, glibc);
  add<EraseStore<std::list<Particle>>>(sides, "std::list, aged heap", Kind::Peer, live);
  measure(sides, shape_for(live));
  const std::string title = "Steady frame in an aged heap. ns per live particle";
  check_equal(title, sides);
  const std::string size = text("%u", live);
  report.add(title, size, sides, live);
  ratio_goal(report, "G3", size + ".aged", 15, fastest(sides, Kind::Raw), find(sides, "pointers + glibc"), live, "ns");
  ratio_goal(report, "G3s", size + ".aged", 3, fastest(sides, Kind::Safe), find(sides, "pointers + glibc"), live, "ns");
}

void bandwidth_table(Report& report, u32 live) {
  const Shape shape = shape_for(live);
  UpdateSide<DenseStore> raw("update of RawDense", Kind::Raw, live);
  UpdateSide<SafeStore<pool::DensePool<Particle>>> safe("update of DensePool", Kind::Safe, live);
  BandwidthSide bandwidth(live);
  auto turn = [&](auto& side) {
    side.work(shape.lead_in);
    side.work(shape.timed);
    side.least_ns = std::min(side.least_ns, static_cast<double>(side.spent()) / shape.timed);
  };
  raw.work(shape.warm);
  safe.work(shape.warm);
  for (u32 round = 0; round < shape.rounds; ++round) {
    turn(raw);
    turn(safe);
    for (const bool in_groups : {false, true}) {
      bandwidth.in_groups = in_groups;
      turn(bandwidth);
    }
  }
  // Ticks to nanoseconds.
  const double ns_from = now_ns();
  const u64 ticks_from = ticks();
  while (now_ns() - ns_from < 5e6) {
  }
  const double ns_per_tick = (now_ns() - ns_from) / static_cast<double>(ticks() - ticks_from);
  const std::string title = "The dense pools' update against the bandwidth. ns per particle";
  const std::string size = text("%u", live);
  for (const Side* side : std::initializer_list<const Side*>{&raw, &safe, &bandwidth}) {
    report.add(title, size, *side, side->least_ns * ns_per_tick / live);
  }
  for (const Side* side : std::initializer_list<const Side*>{&raw, &safe}) {
    report.goals.push_back({(side->kind == Kind::Raw ? "pools.G6." : "pools.G6s.") + size,
                            text("%s %.3f ns, read-modify-write of the same columns %.3f", side->name.c_str(),
                                 side->least_ns * ns_per_tick / live, bandwidth.least_ns * ns_per_tick / live),
                            0.6, bandwidth.least_ns / side->least_ns, "of the bandwidth"});
  }
}

/// These sides do less than a pool must, so no checksum is compared.
void least_table(Report& report, u32 live) {
  Sides sides;
  sides.push_back(std::make_unique<LeastSide>("columns: update, no deaths", Least::Update, live));
  sides.push_back(std::make_unique<LeastSide>("columns: update and births", Least::Births, live));
  sides.push_back(std::make_unique<LeastSide>("columns: update, births and handles", Least::Handles, live));
  sides.push_back(std::make_unique<LeastObjectsSide>("whole objects: update, no deaths", live));
  add<SwapRemoveStore<std::vector<Particle>>>(sides, "std::vector, swap-remove", Kind::Peer, live);
  add<ColonyStore>(sides, "plf::colony", Kind::Peer, live);
  measure(sides, shape_for(live));
  for (const auto& side : sides) report.add("What a frame costs at least. ns per live particle", text("%u", live), *side, side->least_ns / live);
}

}  // namespace

void least_tables(Report& report) {
  for (const u32 live : {1'000u, 5'000u, 50'000u, 500'000u}) {
    if (live <= 50'000 || !pools_options.quick) in_child(report, [live](Report& r) { least_table(r, live); });
  }
}

void frame_tables(Report& report) {
  std::vector<u32> sizes = {1'000, 5'000, 50'000};
  if (!pools_options.quick) sizes.push_back(500'000);
  for (const u32 live : sizes) in_child(report, [live](Report& r) { table(r, live); });
  for (const u32 live : sizes) in_child(report, [live](Report& r) { bandwidth_table(r, live); });
  if (pools_options.quick) return;
  in_child(report, [&](Report& r) {
    age_heap();
    for (const u32 live : sizes) {
      if (live > 1'000) aged_table(r, live);  // a thousand blocks are cached wherever they lie
    }
  });
}

}  // namespace spellpool::bench
