// One figure of bench/small_pools, to be run under callgrind, which counts inside one measured function:
//   bench_small_pools STRATEGY SLOTS USED TIMES    a pool of SLOTS slots, USED of them used: TIMES walks,
//                                                  and as many times one object goes and one comes
//   bench_small_pools --list                       the strategies
//   bench_small_pools --built                      the compiler and its flags
// The object is the 8-bit text's bullet with floats for bytes: a place and a step for x and y.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "built.hpp"
#include "core/rng.hpp"
#include "pool/exhibits.hpp"

namespace spellpool::bench {

struct Bullet {
  float x = 0, y = 0, vx = 1, vy = 1;
};

}  // namespace spellpool::bench

template <>
struct spellpool::pool::FieldsOf<spellpool::bench::Bullet> {
  using B = spellpool::bench::Bullet;
  using Hot = FieldList<&B::x, &B::y>;
  using Cold = FieldList<&B::vx, &B::vy>;
};

namespace spellpool::bench {
namespace {

template <class Pool>
__attribute__((noinline, flatten)) void measured_walk(Pool& pool) {
  pool.for_each([](auto&& bullet) {
    bullet.x += bullet.vx;
    bullet.y += bullet.vy;
  });
}
template <class Pool>
__attribute__((noinline, flatten)) auto measured_spawn(Pool& pool) {
  return pool.acquire(1.0f, 2.0f, 3.0f, 4.0f);
}
template <class Pool, class HandleType>
__attribute__((noinline, flatten)) void measured_release(Pool& pool, HandleType handle) {
  pool.release(handle);
}

void run(pool::StrategyId strategy, u32 slots, u32 used, u32 times) {
  pool::ExhibitPool<Bullet> bullets(strategy, slots);
  bullets.visit([&](auto& pool) {
    using HandleType = decltype(pool.acquire(1.0f, 2.0f, 3.0f, 4.0f));
    std::vector<HandleType> handles;
    Rng rng(3);
    // Every slot has been used, and the free ones lie in no order.
    for (u32 i = 0; i < slots; ++i) handles.push_back(pool.acquire(1.0f, 2.0f, 3.0f, 4.0f));
    while (handles.size() > used) {
      std::swap(handles[rng.below(static_cast<u32>(handles.size()))], handles.back());
      pool.release(handles.back());
      handles.pop_back();
    }
    for (u32 i = 0; i < times; ++i) {
      measured_walk(pool);
      if (used == 0) continue;
      HandleType& one = handles[rng.below(used)];
      measured_release(pool, one);
      one = measured_spawn(pool);
    }
  });
}

std::optional<pool::StrategyId> strategy_of(std::string_view name) {
  for (const pool::StrategyRow& row : pool::kStrategies) {
    if (row.name == name) return row.id;
  }
  return std::nullopt;
}

int main_of(int argc, char** argv) {
  if (argc == 2 && std::strcmp(argv[1], "--built") == 0) return std::puts(built_by().c_str()), 0;
  if (argc == 2 && std::strcmp(argv[1], "--list") == 0) {
    for (const pool::StrategyRow& row : pool::kStrategies) std::puts(std::string(row.name).c_str());
    return 0;
  }
  if (argc == 5) {
    const auto number = [&](int at) { return static_cast<u32>(std::atoi(argv[at])); };
    const std::optional<pool::StrategyId> strategy = strategy_of(argv[1]);
    const u32 slots = number(2), used = number(3);
    if (strategy && slots > 0 && used <= slots) return run(*strategy, slots, used, number(4)), 0;
  }
  std::fprintf(stderr, "bench_small_pools STRATEGY SLOTS USED TIMES, --list, or --built\n");
  return 2;
}

}  // namespace
}  // namespace spellpool::bench

int main(int argc, char** argv) { return spellpool::bench::main_of(argc, argv); }
