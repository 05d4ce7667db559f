#include <spellpool_pool.hpp>

struct Leaf {
  float x, y;
};

int main() {
  spellpool::pool::FreeListPool<Leaf> leaves(1);
  const auto leaf = leaves.acquire(1.0f, 2.0f);
  return leaves.get(leaf)->y == 2.0f && !leaves.acquire(3.0f, 4.0f) ? 0 : 1;
}
