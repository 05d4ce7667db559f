// One subject of bench/instructions, to be run under callgrind, which counts inside measured_spawn and measured_kill alone:
//   bench_pools_instructions SUBJECT BATCHES       BATCHES × 750 objects of 48 bytes, written, among 50,000 live
//   bench_pools_instructions --list                kind, tab, subject
//   bench_pools_instructions --built               the compiler and its flags
// A batch is what a frame does: the dead go, wherever they are, then the new ones come. glibc needs that to show what it
// costs: a block that is taken right after it was given back comes from a cache of seven.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "built.hpp"
#include "pool/pools.hpp"
#include "pool/raw/raw_free_list.hpp"
#include "pool/raw/raw_stable.hpp"
#include "pools_heaps.hpp"
#include "pools_particle.hpp"
#if defined(SPELLPOOL_PEERS)
#include "pools_sides.hpp"
#endif

namespace spellpool::bench {
namespace {

constexpr u32 kLive = 50'000;
constexpr u32 kBatch = 750;

// Each: Token spawn(const Particle&), void kill(Token).

struct OnHeap {
  using Token = Particle*;
  const Heap& heap;
  explicit OnHeap(const Heap& h) : heap(h) {}
  Token spawn(const Particle& p) { return ::new (heap.allocate(sizeof(Particle))) Particle(p); }
  void kill(Token p) { heap.release(p); }
};
template <bool Walkable>
struct Raw {
  using Token = Particle*;
  pool::RawFreeList<Particle, Walkable> pool{kLive};
  Token spawn(const Particle& p) { return pool.acquire(p); }
  void kill(Token p) { pool.release(p); }
};
struct RawRows {
  using Token = u32;
  pool::RawStable<Particle> pool{kLive};
  Token spawn(const Particle& p) { return pool.spawn(p); }
  void kill(Token row) { pool.kill(row); }
};
template <class Pool>
struct Safe {
  using Token = typename Pool::HandleType;
  Pool pool{kLive};
  Token spawn(const Particle& p) { return pool.acquire(p); }
  void kill(Token handle) { pool.release(handle); }
};
#if defined(SPELLPOOL_PEERS)
template <class Memory>
struct Blocks {
  using Token = Particle*;
  Memory memory{heaps()[0], kLive};
  Token spawn(const Particle& p) { return ::new (memory.allocate()) Particle(p); }
  void kill(Token p) { memory.release(p); }
};
struct Colony {
  using Token = plf::colony<Particle>::iterator;
  plf::colony<Particle> items;
  Token spawn(const Particle& p) { return items.insert(p); }
  void kill(Token p) { items.erase(p); }
};
#endif

/// 48 bytes with a constructor and a destructor that might use the pool: each acquire and release guards against it.
struct Careful : Particle {
  static inline u64 ended = 0;
  explicit Careful(const Particle& p) : Particle(p) {}
  Careful(Careful&& other) noexcept : Particle(other) {}
  Careful& operator=(Careful&&) = default;
  ~Careful() { ++ended; }
};

template <class Subject>
__attribute__((noinline, flatten)) void measured_spawn(Subject& subject, typename Subject::Token* tokens, const Particle& p) {
  for (u32 i = 0; i < kBatch; ++i) tokens[i] = subject.spawn(p);
}
template <class Subject>
__attribute__((noinline, flatten)) void measured_kill(Subject& subject, const typename Subject::Token* tokens) {
  for (u32 i = 0; i < kBatch; ++i) subject.kill(tokens[i]);
}

template <class Subject, class... Args>
void run(u32 batches, const Args&... args) {
  Subject subject(args...);
  const Particle p = make_particle(1);
  std::vector<typename Subject::Token> tokens;
  for (u32 i = 0; i < kLive; ++i) tokens.push_back(subject.spawn(p));
  Rng rng(3);
  for (u32 b = 0; b < batches; ++b) {
    for (u32 i = 0; i < kBatch; ++i) std::swap(tokens[i], tokens[i + rng.below(kLive - i)]);
    measured_kill(subject, tokens.data());
    measured_spawn(subject, tokens.data(), p);
  }
  for (auto& token : tokens) subject.kill(token);
}

struct Row {
  const char* kind;
  const char* name;
  void (*run)(u32 batches);
};
/// Without active_flag and std_find, whose searches would take minutes among 50,000.
constexpr Row kRows[] = {
    {"raw", "RawFreeList without walks", run<Raw<false>>},
    {"raw", "RawFreeList", run<Raw<true>>},
    {"raw", "RawStable", run<RawRows>},
    {"safe", "FreeListPool", run<Safe<pool::FreeListPool<Particle>>>},
    {"safe", "BitmapPool", run<Safe<pool::BitmapPool<Particle>>>},
    {"safe", "IndexStackPool", run<Safe<pool::IndexStackPool<Particle>>>},
    {"safe", "QueuePool", run<Safe<pool::QueuePool<Particle>>>},
    {"safe", "RandomPool", run<Safe<pool::RandomPool<Particle>>>},
    {"safe", "PackedPool", run<Safe<pool::PackedPool<Particle>>>},
    {"safe", "DensePool", run<Safe<pool::DensePool<Particle>>>},
    {"safe", "SoaPool", run<Safe<pool::SoaPool<Particle>>>},
    {"safe", "FreeListPool, own constructor and destructor", run<Safe<pool::FreeListPool<Careful>>>},
    {"safe", "BitmapPool, own constructor and destructor", run<Safe<pool::BitmapPool<Careful>>>},
    {"safe", "PackedPool, own constructor and destructor", run<Safe<pool::PackedPool<Careful>>>},
    {"safe", "BookPool", run<Safe<pool::BookPool<Particle>>>},
    {"safe", "HeapPool", run<Safe<pool::HeapPool<Particle>>>},
    {"safe", "PmrPool", run<Safe<pool::PmrPool<Particle>>>},
    {"safe", "ConsoleHeapPool", run<Safe<pool::ConsoleHeapPool<Particle>>>},
#if defined(SPELLPOOL_PEERS)
    {"peer", "boost::pool", run<Blocks<BoostPoolMemory>>},
    {"peer", "foonathan memory_pool", run<Blocks<FoonathanMemory>>},
    {"peer", "pmr::unsynchronized_pool", run<Blocks<PmrMemory>>},
    {"peer", "plf::colony", run<Colony>},
#endif
};

int main_of(int argc, char** argv) {
  if (argc == 2 && std::strcmp(argv[1], "--built") == 0) return std::puts(built_by().c_str()), 0;
  if (argc == 2 && std::strcmp(argv[1], "--list") == 0) {
    for (const Row& row : kRows) std::printf("%s\t%s\n", row.kind, row.name);
    for (const Heap& heap : heaps()) std::printf("peer\t%s\n", heap.name);
    return 0;
  }
  if (argc == 3) {
    const auto batches = static_cast<u32>(std::atoi(argv[2]));
    for (const Row& row : kRows) {
      if (std::strcmp(row.name, argv[1]) == 0) return row.run(batches), 0;
    }
    for (const Heap& heap : heaps()) {
      if (std::strcmp(heap.name, argv[1]) == 0) return run<OnHeap>(batches, heap), 0;
    }
  }
  std::fprintf(stderr, "bench_pools_instructions SUBJECT BATCHES, --list, or --built\n");
  return 2;
}

}  // namespace
}  // namespace spellpool::bench

int main(int argc, char** argv) { return spellpool::bench::main_of(argc, argv); }
