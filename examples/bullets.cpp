// Bullets: the smallest use of a pool. acquire() makes one, for_each() moves all, release_if() ends those
// that left the screen. A full pool refuses (the null handle), and the ship simply does not fire in that
// frame.
#include <cstdio>

#include "pool/pool.hpp"

using spellpool::pool::FreeListPool;

struct Bullet {
  float x, y;
  float speed_y;
};

int main() {
  constexpr float kTop = 0.0f, kShipY = 100.0f;
  FreeListPool<Bullet> bullets(16);

  unsigned fired = 0, not_fired = 0;
  for (unsigned frame = 0; frame < 60; ++frame) {
    // Two bullets a frame for half a second, then the player lets go.
    if (frame < 30) {
      for (const float x : {10.0f, 20.0f}) {
        if (bullets.acquire(x, kShipY, -8.0f)) {
          ++fired;
        } else {
          ++not_fired;
        }
      }
    }
    bullets.for_each([](Bullet& bullet) { bullet.y += bullet.speed_y; });
    bullets.release_if([](const Bullet& bullet) { return bullet.y < kTop; });
    if (frame % 15 == 14) std::printf("frame %2u: %2u bullets\n", frame + 1, bullets.size());
  }

  const auto stats = bullets.stats();
  std::printf("fired %u, refused %u, peak %u of %u\n", fired, not_fired, stats.peak, stats.capacity);

  // A handle says whether its bullet still flies; a pointer could not.
  const auto last = bullets.acquire(15.0f, kShipY, -8.0f);
  std::printf("the last one is %s", bullets.contains(last) ? "here" : "gone");
  bullets.clear();
  std::printf(", then %s\n", bullets.get(last) ? "here" : "gone");
}
