// Bullets in a game of one's own, which includes the four pools alone.
#include <cstdio>
#include <pool/pool.hpp>

struct Bullet {
  float x, y, speed;
  unsigned long long spawn_id;  // rises with each birth: says who is oldest
};

int main() {
  using namespace spellpool::pool;
  FreeListPool<Bullet> bullets(8);
  (void)bullets.set_policy(PolicyId::StealOldest);  // a full pool gives the place of its oldest object to the new one
  FreeListPool<Bullet>::HandleType first, last;
  for (unsigned frame = 0; frame < 17; ++frame) {
    if (frame < 12) last = bullets.acquire(160.0f, 100.0f, 10.0f, frame);
    if (frame == 0) first = last;
    bullets.for_each([](Bullet& bullet) { bullet.y -= bullet.speed; });
    bullets.release_if([](const Bullet& bullet) { return bullet.y < 0.0f; });
  }
  const float y = bullets.get(last) ? bullets.get(last)->y : -1.0f;
  const bool gone = !bullets.contains(first);  // stolen: its handle leads nowhere, whoever has its slot now
  const PoolStats now = bullets.stats();
  std::printf("%u of %u live, %u stolen; the last is at %g, the first is %s\n", now.live, now.capacity,
              static_cast<unsigned>(now.stolen), static_cast<double>(y), gone ? "gone" : "here");
  return now.live == 5 && now.released == 3 && now.stolen == 4 && y == 40.0f && gone ? 0 : 1;
}
