// One subject of bench/instructions, to be run under callgrind, which counts inside measured_spawn and measured_kill alone:
//   bench_pools_instructions SUBJECT BATCHES       BATCHES × 750 objects of 48 bytes, written, among 50,000 live
//   bench_pools_instructions --list
// A batch is what a frame does: the dead go, wherever they are, then the new ones come. glibc needs that to show what it
// costs: a block that is taken right after it was given back comes from a cache of seven.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <plf_colony.h>
#include <string>

#include "pools_heaps.hpp"
#include "pools_sides.hpp"

namespace spellpool::bench {
namespace {

constexpr u32 kLive = 50'000;
constexpr u32 kBatch = 750;

// Each: Token spawn(const Particle&), void kill(Token).

template <class Memory>
struct Blocks {
  using Token = Particle*;
  Memory memory;
  explicit Blocks(const Heap& heap) : memory(heap, kLive) {}
  Token spawn(const Particle& p) { return ::new (memory.allocate()) Particle(p); }
  void kill(Token p) { memory.release(p); }
};
template <bool Walkable>
struct Raw {
  using Token = Particle*;
  pool::RawFreeList<Particle, Walkable> pool{kLive};
  Token spawn(const Particle& p) { return pool.acquire(p); }
  void kill(Token p) { pool.release(p); }
};
template <class Pool>
struct Safe {
  using Token = typename Pool::HandleType;
  Pool pool{kLive};
  Token spawn(const Particle& p) { return pool.acquire(p); }
  void kill(Token handle) { pool.release(handle); }
};
struct Colony {
  using Token = plf::colony<Particle>::iterator;
  plf::colony<Particle> items;
  Token spawn(const Particle& p) { return items.insert(p); }
  void kill(Token p) { items.erase(p); }
};

template <class Subject>
__attribute__((noinline)) void measured_spawn(Subject& subject, typename Subject::Token* tokens, const Particle& p) {
  for (u32 i = 0; i < kBatch; ++i) tokens[i] = subject.spawn(p);
}
template <class Subject>
__attribute__((noinline)) void measured_kill(Subject& subject, const typename Subject::Token* tokens) {
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
  const char* name;
  void (*run)(u32 batches);
};
constexpr Row kRows[] = {
    {"raw", [](u32 n) { run<Raw<false>>(n); }},
    {"raw-walkable", [](u32 n) { run<Raw<true>>(n); }},
    {"safe", [](u32 n) { run<Safe<pool::FreeListPool<Particle>>>(n); }},
    {"boost::pool", [](u32 n) { run<Blocks<BoostPoolMemory>>(n, heaps()[0]); }},
    {"foonathan", [](u32 n) { run<Blocks<FoonathanMemory>>(n, heaps()[0]); }},
    {"plf::colony", [](u32 n) { run<Colony>(n); }},
};

}  // namespace
}  // namespace spellpool::bench

int main(int argc, char** argv) {
  using namespace spellpool::bench;
  if (argc == 2 && std::strcmp(argv[1], "--list") == 0) {
    for (const Row& row : kRows) std::puts(row.name);
    for (const Heap& heap : heaps()) std::puts(heap.name);
    return 0;
  }
  if (argc == 3) {
    const auto batches = static_cast<spellpool::u32>(std::atoi(argv[2]));
    for (const Row& row : kRows) {
      if (std::strcmp(row.name, argv[1]) == 0) return row.run(batches), 0;
    }
    for (const Heap& heap : heaps()) {
      if (std::strcmp(heap.name, argv[1]) == 0) return run<Blocks<HeapMemory>>(batches, heap), 0;
    }
  }
  std::fprintf(stderr, "bench_pools_instructions SUBJECT BATCHES, or --list\n");
  return 2;
}
