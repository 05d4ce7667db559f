// A stranger's program: a pool of its own objects, with the installed headers alone.
#include <cstdio>
#include <pool/pools.hpp>

struct Leaf {
  float x, y;
};

int main() {
  spellpool::pool::SwitchablePool<Leaf> leaves(spellpool::pool::StrategyId::FreeList, 2);
  const auto first = leaves.acquire(Leaf{1.0f, 2.0f});
  leaves.acquire(Leaf{3.0f, 4.0f});
  const bool full = !leaves.acquire(Leaf{5.0f, 6.0f});
  leaves.set_strategy(spellpool::pool::StrategyId::Heap);
  const bool kept = leaves.get(first) != nullptr && leaves.get(first)->y == 2.0f;
  leaves.release(first);
  const bool stale = leaves.get(first) == nullptr;
  std::printf("full %d, kept %d, stale %d, live %u\n", full, kept, stale, static_cast<unsigned>(leaves.live()));
  return full && kept && stale && leaves.live() == 1 ? 0 : 1;
}
