// From std::list to a pool: the same program twice. What one takes a list for stays true with FreeListPool:
// addresses are stable, and erasing while walking is fine. What it adds: no allocation for each object,
// handles that know when their object is gone, and erasing by handle or by address in O(1). What is gone:
// the order of insertion, and splicing.
#include <cstdio>
#include <list>

#include "pool/pool.hpp"

struct Enemy {
  int number, health;
};

static void with_list() {
  std::list<Enemy> enemies;
  for (int i = 1; i <= 6; ++i) enemies.push_back({i, 10 * i});
  Enemy* const boss = &enemies.back();  // stays good while others come and go

  // Everyone takes damage; erase while walking.
  for (auto it = enemies.begin(); it != enemies.end();) {
    it->health -= 25;
    it = it->health <= 0 ? enemies.erase(it) : std::next(it);
  }
  enemies.push_back({7, 5});

  int sum = 0;
  for (const Enemy& enemy : enemies) sum += enemy.health;
  std::printf("list: %zu left, boss %d has %d, sum %d\n", enemies.size(), boss->number, boss->health, sum);
}

static void with_pool() {
  spellpool::pool::FreeListPool<Enemy> enemies(8);
  spellpool::Handle<Enemy> first;
  Enemy* boss = nullptr;
  for (int i = 1; i <= 6; ++i) {
    const auto handle = enemies.emplace(i, 10 * i);
    if (i == 1) first = handle;
    boss = enemies.get(handle);
  }

  erase_if(enemies, [](Enemy& enemy) { return (enemy.health -= 25) <= 0; });
  enemies.emplace(7, 5);

  int sum = 0;
  for (const Enemy& enemy : enemies) sum += enemy.health;
  std::printf("pool: %u left, boss %d has %d, sum %d\n", enemies.size(), boss->number, boss->health, sum);

  // A list cannot answer these.
  std::printf("enemy 1 is %s\n", enemies.contains(first) ? "alive" : "gone");
  const auto of_boss = enemies.handle_of(boss);
  enemies.erase(of_boss);
  std::printf("the boss is %s\n", enemies.contains(of_boss) ? "alive" : "gone");

  // Range-for may release as it walks, too.
  for (auto [handle, enemy] : enemies.items()) {
    if (enemy.number % 2 != 0) enemies.erase(handle);
  }
  for (const Enemy& enemy : enemies) std::printf("enemy %d is left\n", enemy.number);
}

int main() {
  with_list();
  with_pool();
}
