// Random churn: 256k blocks of 48 bytes. 4,096 of them, chosen at random, are released; then as many are
// acquired and written. No side iterates over its blocks. Unit: ns a pair.
#include "pools_measure.hpp"
#include "pools_sides.hpp"

namespace spellpool::bench {
namespace {

constexpr u32 kLive = 256 * 1024;
constexpr u32 kBatch = 4096;

// Each: Token spawn(Particle), void kill(Token), at(Token) to read.

template <class Memory>
class Blocks {
 public:
  using Token = Particle*;
  explicit Blocks(u32 capacity, const Heap& heap = heaps()[0]) : memory_(heap, capacity) {}
  Token spawn(const Particle& p) { return ::new (memory_.allocate()) Particle(p); }
  void kill(Token p) { memory_.release(p); }
  const Particle& at(Token p) { return *p; }

 private:
  Memory memory_;
};
template <bool Walkable>
class RawBlocks {
 public:
  using Token = Particle*;
  explicit RawBlocks(u32 capacity) : pool_(capacity) {}
  Token spawn(const Particle& p) { return pool_.acquire(p); }
  void kill(Token p) { pool_.release(p); }
  const Particle& at(Token p) { return *p; }

 private:
  pool::RawFreeList<Particle, Walkable> pool_;
};
/// What handles need at least: a generation for each block, counted at its birth and at its death.
class RawBlocksAndGenerations {
 public:
  using Token = u32;
  explicit RawBlocksAndGenerations(u32 capacity) : generations_(capacity), pool_(capacity), first_(pool_.acquire(Particle{})) { pool_.release(first_); }
  Token spawn(const Particle& p) {
    const u32 slot = static_cast<u32>(pool_.acquire(p) - first_);
    ++generations_[slot];
    return slot;
  }
  void kill(Token slot) {
    ++generations_[slot];
    pool_.release(first_ + slot);
  }
  const Particle& at(Token slot) { return first_[slot]; }

 private:
  std::vector<u32> generations_;
  pool::RawFreeList<Particle, false> pool_;
  Particle* first_;
};
class ColonyBlocks {
 public:
  using Token = plf::colony<Particle>::iterator;
  explicit ColonyBlocks(u32 capacity) { items_.reserve(capacity); }
  Token spawn(const Particle& p) { return items_.insert(p); }
  void kill(Token p) { items_.erase(p); }
  const Particle& at(Token p) { return *p; }

 private:
  plf::colony<Particle> items_;
};
template <class Pool>
class SafeBlocks {
 public:
  using Token = typename Pool::HandleType;
  explicit SafeBlocks(u32 capacity) : pool_(capacity) {}
  Token spawn(const Particle& p) { return pool_.acquire(p); }
  void kill(Token handle) { pool_.release(handle); }
  Particle at(Token handle) {
    const auto held = pool_.get(handle);
    return *held;
  }

 private:
  Pool pool_;
};

template <class Store>
class ChurnSide : public Side {
 public:
  template <class... Args>
  ChurnSide(const char* its_name, Kind its_kind, const Args&... args)
      : Side(its_name, its_kind), store_(kLive, args...), order_(kLive) {
    Rng rng(9);
    for (u32 i = 0; i < kLive; ++i) {
      tokens_.push_back(store_.spawn(make_particle(i)));
      order_[i] = i;
    }
    for (u32 i = kLive - 1; i > 0; --i) std::swap(order_[i], order_[rng.below(i + 1)]);
    serial_ = kLive;
  }
  ~ChurnSide() override {
    for (auto& token : tokens_) store_.kill(token);
  }
  void work(u32 batches) override {
    if (use_fast()) {
      fast(batches);
    } else {
      plain(batches);
    }
  }
  u64 checksum() override {
    u64 sum = 0;
    for (auto& token : tokens_) sum += checksum_of(store_.at(token));
    return sum;
  }

 private:
  SPELLPOOL_FAST void fast(u32 batches) { run(batches); }
  SPELLPOOL_PLAIN void plain(u32 batches) { run(batches); }
  void run(u32 batches) {
    for (u32 b = 0; b < batches; ++b) {
      const u32* const victims = order_.data() + next_;
      for (u32 i = 0; i < kBatch; ++i) store_.kill(tokens_[victims[i]]);
      for (u32 i = 0; i < kBatch; ++i) tokens_[victims[i]] = store_.spawn(make_particle(serial_++));
      next_ = (next_ + kBatch) % kLive;
    }
  }

  Store store_;
  std::vector<typename Store::Token> tokens_;
  std::vector<u32> order_;
  u32 serial_ = 0, next_ = 0;
};

void table(Report& report) {
  Sides sides;
  auto add = [&]<class Store>(std::type_identity<Store>, const char* name, Kind kind, const auto&... args) {
    sides.push_back(std::make_unique<ChurnSide<Store>>(name, kind, args...));
  };
  add(std::type_identity<RawBlocks<false>>{}, "RawFreeList without walks", Kind::Raw);
  add(std::type_identity<RawBlocks<true>>{}, "RawFreeList", Kind::Raw);
  add(std::type_identity<RawBlocksAndGenerations>{}, "RawFreeList without walks, and generations", Kind::Peer);
  for_each_safe_pool([&]<class Pool>(std::type_identity<Pool>, const char* name) { add(std::type_identity<SafeBlocks<Pool>>{}, name, Kind::Safe); });
  add(std::type_identity<ColonyBlocks>{}, "plf::colony", Kind::Peer);
  for (const Heap& heap : heaps()) add(std::type_identity<Blocks<HeapMemory>>{}, heap.name, Kind::Peer, heap);
  add(std::type_identity<Blocks<BoostPoolMemory>>{}, "boost::pool", Kind::Peer);
  add(std::type_identity<Blocks<PmrMemory>>{}, "pmr::unsynchronized_pool", Kind::Peer);
  add(std::type_identity<Blocks<FoonathanMemory>>{}, "foonathan memory_pool", Kind::Peer);

  Shape shape;
  shape.warm = 2 * kLive / kBatch;
  shape.lead_in = 2;
  shape.timed = 2;
  shape.rounds = pools_options.rounds;
  measure(sides, shape);
  const std::string title = "Random churn among 256k blocks of 48 bytes. ns a pair";
  check_equal(title, sides);
  report.add(title, "262144", sides, kBatch);
  const Side* const raw = fastest(sides, Kind::Raw);
  const Side* const safe = fastest(sides, Kind::Safe);
  ratio_goal(report, "G8", "glibc", 3.5, raw, find(sides, "glibc"), kBatch, "ns");
  ratio_goal(report, "G8", "mimalloc", 1.5, raw, find(sides, "mimalloc"), kBatch, "ns");
  ratio_goal(report, "G8", "boost", 1.1, raw, find(sides, "boost::pool"), kBatch, "ns");
  ratio_goal(report, "G8s", "glibc", 3, safe, find(sides, "glibc"), kBatch, "ns");
  ratio_goal(report, "G8s", "mimalloc", 1.2, safe, find(sides, "mimalloc"), kBatch, "ns");
}

}  // namespace

void churn_tables(Report& report) {
  in_child(report, [](Report& r) { table(r); });
}

}  // namespace spellpool::bench
