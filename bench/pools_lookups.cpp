// Look-ups by handle in random order, one field read each, beside the same through raw pointers. ns a look-up.
#include "pools_measure.hpp"
#include "pools_sides.hpp"

namespace spellpool::bench {
namespace {

// Each: Token spawn(Particle), float x_of(Token).

/// Objects in one array, known by their address. kGeneration: and by a generation in a table of its own, which is
/// compared before: what a checked handle reads at least.
template <bool kGeneration>
class Pointers {
 public:
  struct Token {
    u32 slot, generation;
  };
  explicit Pointers(u32 live) : objects_(live), generations_(live, 1) {}
  Token spawn(const Particle& p) {
    objects_[count_] = p;
    return {count_++, 1};
  }
  float x_of(Token token) {
    if (kGeneration && generations_[token.slot] != token.generation) return 0;
    return objects_[token.slot].x;
  }

 private:
  std::vector<Particle> objects_;
  std::vector<u32> generations_;
  u32 count_ = 0;
};
template <class Pool>
class Handles {
 public:
  using Token = typename Pool::HandleType;
  explicit Handles(u32 live) : pool_(live) {}
  Token spawn(const Particle& p) { return pool_.acquire(p); }
  float x_of(Token token) {
    const auto held = std::as_const(pool_).get(token);
    return held ? held->x : 0.0f;
  }

 private:
  Pool pool_;
};

template <class Store>
class LookupSide : public Side {
 public:
  LookupSide(const char* its_name, Kind its_kind, u32 live) : Side(its_name, its_kind), store_(live) {
    for (u32 i = 0; i < live; ++i) tokens_.push_back(store_.spawn(make_particle(i)));
    Rng rng(11);
    for (u32 i = live - 1; i > 0; --i) std::swap(tokens_[i], tokens_[rng.below(i + 1)]);
  }
  void work(u32 passes) override {
    if (use_fast()) {
      fast(passes);
    } else {
      plain(passes);
    }
  }
  u64 checksum() override {
    sum_ = 0;
    plain(1);
    return static_cast<u64>(sum_);
  }

 private:
  SPELLPOOL_FAST void fast(u32 passes) { run(passes); }
  SPELLPOOL_PLAIN void plain(u32 passes) { run(passes); }
  void run(u32 passes) {
    for (u32 pass = 0; pass < passes; ++pass) {
      i64 sum = 0;  // whole numbers: no chain of additions of floats
      for (const auto& token : tokens_) sum += static_cast<i64>(store_.x_of(token));
      sum_ += sum;
    }
  }
  Store store_;
  std::vector<typename Store::Token> tokens_;
  i64 sum_ = 0;
};

void table(Report& report, u32 live) {
  Sides sides;
  auto add = [&]<class Store>(std::type_identity<Store>, const char* name, Kind kind) {
    sides.push_back(std::make_unique<LookupSide<Store>>(name, kind, live));
  };
  add(std::type_identity<Pointers<false>>{}, "raw pointer", Kind::Peer);
  add(std::type_identity<Pointers<true>>{}, "raw pointer, and a generation compared", Kind::Peer);
  for_each_safe_pool([&]<class Pool>(std::type_identity<Pool>, const char* name) { add(std::type_identity<Handles<Pool>>{}, name, Kind::Safe); });
  Shape shape;
  shape.warm = 2;
  shape.timed = live <= 100'000 ? 10 : 2;
  shape.rounds = pools_options.rounds;
  measure(sides, shape);
  const std::string title = "Look-ups by handle in random order, one field read. ns each";
  check_equal(title, sides);
  report.add(title, text("%u", live), sides, live);
  ratio_goal(report, "G18s", text("%u", live), 0.4, find(sides, "FreeListPool"), find(sides, "raw pointer"), live, "ns");
}

}  // namespace

void lookup_tables(Report& report) {
  for (const u32 live : {5'000u, 50'000u, 500'000u}) {
    if (live <= 50'000 || !pools_options.quick) in_child(report, [live](Report& r) { table(r, live); });
  }
}

}  // namespace spellpool::bench
