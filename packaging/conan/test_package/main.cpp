#include <cstdio>

#include "pool/pool.hpp"

struct Bullet {
  float x, y;
};

int main() {
  spellpool::pool::FreeListPool<Bullet> bullets(1);
  const auto bullet = bullets.acquire(1.0f, 2.0f);
  std::printf("spellpool-pool %d.%d.%d\n", SPELLPOOL_VERSION_MAJOR, SPELLPOOL_VERSION_MINOR,
              SPELLPOOL_VERSION_PATCH);
  return bullets.get(bullet)->y == 2.0f && !bullets.acquire(3.0f, 4.0f) ? 0 : 1;
}
