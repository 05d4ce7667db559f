#pragma once
// What else has a pool of its own in the shooter: pickups, score texts, the garden's chunks.
#include "core/state_hash.hpp"
#include "frame/views/shooter_view.hpp"
#include "sim/shooter/pooled_objects.hpp"
#include "sim/shooter/shooter_ship.hpp"

namespace spellpool::sim {

struct Pickup {
  float x = 0, y = 0, previous_x = 0, previous_y = 0, vy = 0;
  u32 age = 0;
  frame::PickupKind kind{};
  bool drawn_in = false;        ///< It flies to the ship.
  bool gone = false;
  u64 spawn_id = 0;
  float importance() const { return kind == frame::PickupKind::Star ? 0.0f : 1.0f; }
};

struct Text {
  float x = 0, y = 0;
  u32 points = 0, age = 0;
  bool gone = false;
  u64 spawn_id = 0;
  float importance() const { return -static_cast<float>(age); }
};

/// A piece of the garden. The pool only keeps it: which one comes next is drawn by the game's own random numbers.
struct Chunk {
  float y = 0;                  ///< Its upper edge.
  u8 variant = 0;
  bool gone = false;
  u64 spawn_id = 0;
  float importance() const { return y; }
};

}  // namespace spellpool::sim

template <>
struct spellpool::pool::FieldsOf<spellpool::sim::Pickup> {
  using P = spellpool::sim::Pickup;
  using Hot = FieldList<&P::x, &P::y, &P::previous_x, &P::previous_y, &P::vy, &P::age, &P::drawn_in, &P::gone>;
  using Cold = FieldList<&P::kind, &P::spawn_id>;
};
template <>
struct spellpool::pool::FieldsOf<spellpool::sim::Text> {
  using T = spellpool::sim::Text;
  using Hot = FieldList<&T::x, &T::y, &T::points, &T::age, &T::gone>;
  using Cold = FieldList<&T::spawn_id>;
};
template <>
struct spellpool::pool::FieldsOf<spellpool::sim::Chunk> {
  using C = spellpool::sim::Chunk;
  using Hot = FieldList<&C::y, &C::gone>;
  using Cold = FieldList<&C::variant, &C::spawn_id>;
};

namespace spellpool::sim {

extern template class PooledObjects<Pickup>;  // pickup_pool.cpp
extern template class PooledObjects<Text>;  // text_pool.cpp
extern template class PooledObjects<Chunk>;  // chunk_pool.cpp

/// Pickups fall slowly; near the ship, or with the magnet, they fly to it.
class Pickups {
 public:
  static constexpr u32 kMostBirthsPerStep = 64;
  static constexpr float kReach = 22.0f, kDraw = 70.0f;

  explicit Pickups(const PoolChoice& choice) : objects_(choice) {}
  void ask(frame::PickupKind kind, float x, float y, bool drawn_in = false);
  /// taken(kind, x, y), by spawn id.
  template <class F>
  void step(const Ship& ship, bool runs, F&& taken);
  void despawn() {
    objects_.release_if([](const Pickup& p) { return p.gone; });
  }
  void spawn();
  void add_to(StateHash& hash) const;
  PooledObjects<Pickup>& objects() { return objects_; }
  const PooledObjects<Pickup>& objects() const { return objects_; }

 private:
  void move(Pickup& pickup, const Ship& ship) const;
  PooledObjects<Pickup> objects_;
  std::array<Pickup, kMostBirthsPerStep> births_{};
  u32 birth_count_ = 0;
};

template <class F>
void Pickups::step(const Ship& ship, bool runs, F&& taken) {
  for (const auto& entry : objects_.list()) {
    const auto held = objects_.get(entry.handle);
    Pickup& pickup = *held;
    pickup.previous_x = pickup.x;
    pickup.previous_y = pickup.y;
    if (!runs) continue;
    move(pickup, ship);
    const float dx = pickup.x - ship.x(), dy = pickup.y - ship.y();
    if (ship.there() && dx * dx + dy * dy < kReach * kReach) {
      pickup.gone = true;
      taken(pickup.kind, pickup.x, pickup.y);
    } else if (pickup.y > frame::kFieldHalfHeight + 24.0f) {
      pickup.gone = true;
    }
  }
}

/// Points that float up. What is won within kMerge_steps and kMerge units of one another is one text.
class Texts {
 public:
  static constexpr u32 kLife_steps = 54, kMerge_steps = 18;
  static constexpr float kMerge = 46.0f;

  explicit Texts(const PoolChoice& choice) : objects_(choice) {}
  void add(u32 points, float x, float y);
  void step();
  void despawn() {
    objects_.release_if([](const Text& t) { return t.gone; });
  }
  /// By spawn id, as many as fit.
  u32 show(std::span<frame::ScoreText> into) const;
  void add_to(StateHash& hash) const;
  PooledObjects<Text>& objects() { return objects_; }
  const PooledObjects<Text>& objects() const { return objects_; }

 private:
  PooledObjects<Text> objects_;
};

/// A pond in one of the garden's pictures: where shaders/garden.vert has one.
struct Pond {
  u8 variant = 0;
  float x = 0, y = 0, radius = 0;  ///< `y` below the chunk's upper edge.
};
inline constexpr std::array kPonds = {Pond{2, -96.0f, 118.0f, 80.0f}, Pond{5, 150.0f, 124.0f, 74.0f}};

/// The corridor of chunks that scrolls past: as many as cover the view, in a pool. No chunk follows one of its kind.
class Garden {
  /// What is in no pool.
  struct Scroll {
    Rng rng{0};
    u8 last = 255;
    float top = 0;              ///< Upper edge of the uppermost chunk.
    float moved = 0;
  };

 public:
  static constexpr float kSpeed = 0.75f;       ///< Units a step.

  Garden(u64 seed, const PoolChoice& choice);
  void step(bool runs);
  void despawn() {
    objects_.release_if([](const Chunk& c) { return c.gone; });
  }
  void spawn();
  /// From top to bottom. By slot: a chunk has the picture of its slot, so that the order of reuse is seen.
  std::span<const frame::GardenChunk> show(bool by_slot);
  float moved() const { return scroll_.moved; }
  void add_to(StateHash& hash) const;
  struct State {
    PooledObjects<Chunk>::State chunks;
    Scroll scroll;
  };
  void save(State& state) const;
  void restore(const State& state);
  PooledObjects<Chunk>& objects() { return objects_; }
  const PooledObjects<Chunk>& objects() const { return objects_; }

 private:
  PooledObjects<Chunk> objects_;
  Scroll scroll_;
  std::array<frame::GardenChunk, 16> shown_{};
};

}  // namespace spellpool::sim
