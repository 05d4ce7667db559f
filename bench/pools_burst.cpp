// Bursts: 20,000 live in steady state; then 80,000 are born in one frame, and die over the next 132. Two figures: what a birth
// costs in the burst, and the worst frame of such a cycle, births and moves and deaths.
#include <sys/resource.h>

#include "pools_measure.hpp"
#include "pools_sides.hpp"

namespace spellpool::bench {
namespace {

constexpr u32 kResidents = 20'000;
constexpr u32 kBurst = 80'000;
constexpr u32 kFrames = kLongestLife + 2;  ///< Of a cycle: by then the burst is gone.

u64 page_faults() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<u64>(usage.ru_minflt + usage.ru_majflt);
}

/// What births cost at least: one array and a count. kGenerations: and a generation counted for each.
template <bool kGenerations>
class ArrayStore {
 public:
  explicit ArrayStore(u32 capacity) : items_(capacity), generations_(capacity) {}
  u32 update() {
    u32 died = 0;
    for (u32 i = 0; i < count_;) {
      if (step(items_[i])) {
        items_[i] = items_[--count_];
        ++died;
      } else {
        ++i;
      }
    }
    return died;
  }
  template <class Make>
  void spawn(u32 n, Make make) {
    Particle* const to = items_.data() + count_;
    u32* const generations = generations_.data() + count_;
    for (u32 i = 0; i < n; ++i) {
      to[i] = make(i);
      if constexpr (kGenerations) ++generations[i];
    }
    count_ += n;
  }
  void settle() {}
  template <class F>
  void each(F f) {
    for (u32 i = 0; i < count_; ++i) f(items_[i]);
  }

 private:
  std::vector<Particle> items_;
  std::vector<u32> generations_;
  u32 count_ = 0;
};

/// least_ns is that of the burst's births; the worst frame stands beside it.
class BurstSideBase : public Side {
 public:
  using Side::Side;
  double least_worst_ns = 1e300;
  u64 heap_calls = 0, faults = 0;  ///< In all cycles but the first.

 protected:
  double births_ns_ = 0, worst_ns_ = 0;
  friend void cycles(Sides& sides, u32 rounds);
};

template <class Store>
class BurstSide : public BurstSideBase {
 public:
  template <class... Args>
  BurstSide(const char* its_name, Kind its_kind, const Args&... args)
      : BurstSideBase(its_name, its_kind), store_(kResidents + kBurst, args...), serial_(kResidents), live_(kResidents) {
    store_.spawn(kResidents, make_resident);
    store_.settle();
  }
  void work(u32) override {
    if (use_fast()) {
      fast();
    } else {
      plain();
    }
  }
  u64 checksum() override {
    u64 sum = 0;
    store_.each([&](const Particle& p) { sum += checksum_of(p); });
    return sum;
  }

 private:
  SPELLPOOL_FAST void fast() { run(); }
  SPELLPOOL_PLAIN void plain() { run(); }
  void run() {
    worst_ns_ = 0;
    for (u32 f = 0; f < kFrames; ++f) {
      const double from = now_ns();
      live_ -= store_.update();
      const u32 births = f == 0 ? kBurst : live_ < kResidents ? kResidents - live_ : 0;
      const double before = now_ns();
      const u32 serial = serial_;
      store_.spawn(births, [serial](u32 k) { return make_particle(serial + k); });
      const double after = now_ns();
      if (f == 0) births_ns_ = after - before;
      store_.settle();
      serial_ += births;
      live_ += births;
      worst_ns_ = std::max(worst_ns_, now_ns() - from);
    }
  }

  Store store_;
  u32 serial_, live_;
};

void cycles(Sides& sides, u32 rounds) {
  for (auto& side : sides) side->work(1);
  for (u32 round = 0; round < rounds; ++round) {
    for (auto& some : sides) {
      auto& side = static_cast<BurstSideBase&>(*some);
      const u64 calls = new_calls(), faults = page_faults();
      side.work(1);
      side.heap_calls += new_calls() - calls;
      side.faults += page_faults() - faults;
      side.least_ns = std::min(side.least_ns, side.births_ns_);
      side.least_worst_ns = std::min(side.least_worst_ns, side.worst_ns_);
    }
  }
}

void table(Report& report, bool aged) {
  Sides sides;
  auto add = [&]<class Store>(std::type_identity<Store>, const char* name, Kind kind, const auto&... args) {
    sides.push_back(std::make_unique<BurstSide<Store>>(name, kind, args...));
  };
  add(std::type_identity<DenseStore>{}, "RawDense", Kind::Raw);
  add(std::type_identity<StableStore>{}, "RawStable", Kind::Raw);
  add(std::type_identity<FreeListStore>{}, "RawFreeList", Kind::Raw);
  for_each_safe_pool([&]<class Pool>(std::type_identity<Pool>, const char* name) { add(std::type_identity<SafeStore<Pool>>{}, name, Kind::Safe); });
  add(std::type_identity<SwapRemoveStore<std::vector<Particle>>>{}, "std::vector, push_back", Kind::Peer);
  add(std::type_identity<ArrayStore<false>>{}, "plain array", Kind::Peer);
  add(std::type_identity<ArrayStore<true>>{}, "plain array, and generations", Kind::Peer);
  if (!aged) add(std::type_identity<ColonyStore>{}, "plf::colony", Kind::Peer);
  for (const Heap& heap : heaps()) {
    const std::string name = std::string("pointers + ") + heap.name;
    add(std::type_identity<PointerStore<HeapMemory>>{}, name.c_str(), Kind::Peer, heap);
    if (aged) break;
  }
  if (!aged) add(std::type_identity<PointerStore<BoostPoolMemory>>{}, "pointers + boost::pool", Kind::Peer);

  cycles(sides, std::max(15u, pools_options.rounds / 2));
  const std::string heap = aged ? ", aged heap" : "";
  check_equal("Bursts" + heap, sides);
  const std::string births = "Bursts: 80,000 births in one frame. ns each", frames = "Bursts: worst frame of a cycle, us",
                    calls = "Bursts: in all cycles but the first";
  const std::string column = aged ? "aged heap" : "fresh heap";
  for (const auto& some : sides) {
    const auto& side = static_cast<const BurstSideBase&>(*some);
    report.add(births, column, side, side.least_ns / kBurst);
    report.add(frames, column, side, side.least_worst_ns / 1000);
    if (!aged) {
      report.add(calls, "operator new", side, static_cast<double>(side.heap_calls));
      report.add(calls, "page faults", side, static_cast<double>(side.faults));
    }
  }
  report.add_checksum(births, column, sides);

  const Side* const glibc = find(sides, "pointers + glibc");
  const std::string suffix = aged ? "aged" : "fresh";
  for (const Kind kind : {Kind::Raw, Kind::Safe}) {
    const std::string s = kind == Kind::Safe ? "s" : "";
    const Side* const births_best = fastest(sides, kind);
    const BurstSideBase* frame_best = nullptr;
    for (const auto& some : sides) {
      const auto* side = static_cast<const BurstSideBase*>(some.get());
      if (side->kind == kind && (!frame_best || side->least_worst_ns < frame_best->least_worst_ns)) frame_best = side;
    }
    if (!aged) ratio_goal(report, "G9" + s, "vector", 1.4, births_best, find(sides, "std::vector"), kBurst, "ns");
    ratio_goal(report, "G9" + s, "glibc." + suffix, aged ? 20 : 8, births_best, glibc, kBurst, "ns");
    if (frame_best) {
      const double theirs = static_cast<const BurstSideBase*>(glibc)->least_worst_ns;
      report.goals.push_back({"pools.G10" + s + ".worst." + suffix,
                              text("worst frame: %s %.0f us, glibc %.0f", frame_best->name.c_str(),
                                   frame_best->least_worst_ns / 1000, theirs / 1000),
                              aged ? 15.0 : 5.0, theirs / frame_best->least_worst_ns, "x"});
    }
    if (!aged) {
      u64 heap_calls = 0, faults = 0;
      for (const auto& some : sides) {
        const auto& side = static_cast<const BurstSideBase&>(*some);
        if (side.kind != kind) continue;
        heap_calls += side.heap_calls;
        faults += side.faults;
      }
      report.goals.push_back({"pools.G10" + s + ".heap_calls", "operator new after start, all our pools of this kind", 0,
                              static_cast<double>(heap_calls), "calls", Goal::Better::Lower});
      report.goals.push_back({"pools.G10" + s + ".page_faults", "page faults after start, all our pools of this kind", 0,
                              static_cast<double>(faults), "faults", Goal::Better::Lower});
    }
  }
}

}  // namespace

void burst_tables(Report& report) {
  in_child(report, [](Report& r) { table(r, false); });
  if (pools_options.quick) return;
  in_child(report, [](Report& r) {
    age_heap();
    table(r, true);
  });
}

}  // namespace spellpool::bench
