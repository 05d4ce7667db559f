// Entities that name each other by handle. A tank owns a turret and ends it in its destructor; missiles aim
// at tanks that may be gone when they arrive. No pointer dangles, for a handle of something that ended is
// refused, also when its slot has a new object.
#include <cstdio>

#include "pool/pool.hpp"

struct Entity;
using EntityHandle = spellpool::Handle<Entity>;

enum class Kind { Tank, Turret, Missile };

struct Entity {
  Kind kind;
  int number;
  EntityHandle parent = {}, child = {}, target = {};

  Entity(Kind its_kind, int its_number) : kind(its_kind), number(its_number) {}
  Entity(const Entity&) = delete;  // It owns its child. FreeListPool never moves an object.
  Entity& operator=(const Entity&) = delete;
  ~Entity();
};

namespace {
spellpool::pool::FreeListPool<Entity> entities(8);

EntityHandle make_tank(int number) {
  const EntityHandle tank = entities.acquire(Kind::Tank, number);
  const EntityHandle turret = entities.acquire(Kind::Turret, number);
  if (Entity* const it = entities.get(tank)) it->child = turret;
  if (Entity* const it = entities.get(turret)) it->parent = tank;
  return tank;
}

EntityHandle make_missile(int number, EntityHandle target) {
  const EntityHandle missile = entities.acquire(Kind::Missile, number);
  if (Entity* const it = entities.get(missile)) it->target = target;
  return missile;
}

void arrive(EntityHandle missile) {
  const Entity* const it = entities.peek(missile);
  if (!it) return;
  const EntityHandle target = it->target;
  std::printf("missile %d ", it->number);
  entities.release(missile);
  if (const Entity* const hit = entities.peek(target)) {
    std::printf("hits tank %d\n", hit->number);
    entities.release(target);
  } else {
    std::printf("finds nothing to hit\n");
  }
}
}  // namespace

// A destructor may release other objects of the same pool. A null or stale handle changes nothing.
Entity::~Entity() {
  if (kind == Kind::Turret) std::printf("turret %d ends with its tank\n", number);
  entities.release(child);
}

int main() {
  const EntityHandle first = make_tank(1), second = make_tank(2);
  const EntityHandle a = make_missile(1, first), b = make_missile(2, first), c = make_missile(3, second);

  arrive(a);
  const EntityHandle third = make_tank(3);  // takes the slot that tank 1 left
  std::printf("tank 3 is in slot %u, tank 1 was in slot %u\n", third.index, first.index);
  arrive(b);  // its target's handle is stale: tank 3 is not hit in place of tank 1
  arrive(c);

  std::printf("%u entities are left:\n", entities.size());
  entities.for_each([](const Entity& it) {
    if (it.kind == Kind::Tank) std::printf("  tank %d\n", it.number);
    if (const Entity* const parent = entities.peek(it.parent)) {
      std::printf("  turret %d of tank %d\n", it.number, parent->number);
    }
  });
  entities.clear();
}
