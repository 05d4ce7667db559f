// Sparse: 500,000 lived, 25,000 of them, anywhere, still do. One pass over them, in which none dies; us a pass.
#include "pools_measure.hpp"
#include "pools_sides.hpp"

namespace spellpool::bench {
namespace {

constexpr u32 kLived = 500'000;

/// One in twenty lives on, the others die in the first frame.
Particle make_mixed(u32 serial) {
  Particle p = make_particle(serial);
  p.life = mix64(serial) % 20 == 0 ? kForever : 0.5f * kDt;
  return p;
}

template <class Store>
class SparseSide : public Side {
 public:
  template <class... Args>
  SparseSide(const char* its_name, Kind its_kind, const Args&... args) : Side(its_name, its_kind), store_(kLived, args...) {
    if constexpr (requires { store_.fill(0u, make_mixed); }) {
      store_.fill(kLived, make_mixed);
    } else {
      store_.spawn(kLived, make_mixed);
    }
    store_.update();
    store_.settle();
  }
  void work(u32 passes) override {
    if (use_fast()) {
      fast(passes);
    } else {
      plain(passes);
    }
  }
  u64 checksum() override {
    u64 sum = 0;
    store_.each([&](const Particle& p) { sum += checksum_of(p); });
    return sum;
  }

 private:
  SPELLPOOL_FAST void fast(u32 passes) { run(passes); }
  SPELLPOOL_PLAIN void plain(u32 passes) { run(passes); }
  void run(u32 passes) {
    for (u32 i = 0; i < passes; ++i) store_.update();
  }
  Store store_;
};

void table(Report& report) {
  Sides sides;
  auto add = [&]<class Store>(std::type_identity<Store>, const char* name, Kind kind, const auto&... args) {
    sides.push_back(std::make_unique<SparseSide<Store>>(name, kind, args...));
  };
  add(std::type_identity<DenseStore>{}, "RawDense", Kind::Raw);
  add(std::type_identity<StableStore>{}, "RawStable", Kind::Raw);
  add(std::type_identity<FreeListStore>{}, "RawFreeList", Kind::Raw);
  for_each_safe_pool([&]<class Pool>(std::type_identity<Pool>, const char* name) { add(std::type_identity<SafeStore<Pool>>{}, name, Kind::Safe); });
  add(std::type_identity<SwapRemoveStore<std::vector<Particle>>>{}, "std::vector, swap-remove", Kind::Peer);
  add(std::type_identity<ColonyStore>{}, "plf::colony", Kind::Peer);
  add(std::type_identity<PointerStore<HeapMemory>>{}, "pointers + glibc", Kind::Peer, heaps()[0]);
  add(std::type_identity<BookStore>{}, "the book's free list, all slots visited", Kind::Peer);
  add(std::type_identity<FlagStore>{}, "active flag", Kind::Peer);
  Shape shape;
  shape.warm = 3;
  shape.lead_in = 1;
  shape.timed = 2;
  shape.rounds = pools_options.rounds;
  measure(sides, shape);
  const std::string title = "Sparse: 25,000 of 500,000 live. us a pass";
  check_equal(title, sides);
  report.add(title, "5 % live", sides, 1000);
  for (const Kind kind : {Kind::Raw, Kind::Safe}) {
    const std::string id = kind == Kind::Safe ? "G12s" : "G12";
    const Side* const ours = fastest(sides, kind);
    ratio_goal(report, id, "vector", 2, ours, find(sides, "std::vector"), 1000, "us");
    ratio_goal(report, id, "colony", 12, ours, find(sides, "plf::colony"), 1000, "us");
    ratio_goal(report, id, "flags", 60, ours, find(sides, "active flag"), 1000, "us");
  }
}

}  // namespace

void sparse_tables(Report& report) {
  in_child(report, [](Report& r) { table(r); });
}

}  // namespace spellpool::bench
