#pragma once
#include <memory>
#include <vector>

#include "pool/exhibits.hpp"
#include "sim/core/pool_choice.hpp"
#include "sim/core/pool_port.hpp"
#include "sim/spells/spell_canvas.hpp"
#include "sim/spells/spell_cast.hpp"

namespace spellpool::sim {

/// A homing spark. It holds its target by handle, so it keeps it through every switch of either pool.
struct Seeker {
  float x = 0, y = 0, previous_x = 0, previous_y = 0, vx = 0, vy = 0;
  float age_s = 0;
  float speed = 300;  ///< Units/s, at full pace.
  float power = 1;
  float factor = 1;  ///< Of the cast's charge.
  float carry = kStarting;
  WispHandle target{};
  u64 target_id = 0;  ///< The target's spawn id: what the hash takes, since slots differ between strategies.
  u64 spawn_id = 0;
  u8 spell = 0;
  bool done = false;  ///< Has arrived: released in this step's despawn phase.

  float importance() const { return -age_s; }  ///< The oldest burns out next.
};
using SeekerHandle = Handle<Seeker>;

}  // namespace spellpool::sim

template <>
struct spellpool::pool::FieldsOf<spellpool::sim::Seeker> {
  using S = spellpool::sim::Seeker;
  using Hot = FieldList<&S::x, &S::y, &S::previous_x, &S::previous_y, &S::vx, &S::vy, &S::age_s, &S::carry, &S::target,
                        &S::target_id, &S::done>;
  using Cold = FieldList<&S::speed, &S::power, &S::factor, &S::spawn_id, &S::spell>;
};

namespace spellpool::sim {

/// All homing sparks: a pool of their own, the second of the game. They fly to a wisp and strike it softly; when their
/// own is gone they turn to the nearest; after kLife_s they go out. Walks go by spawn id, since each emits particles
/// and strikes. Cost  a step: one walk to list them, a sort, a few dozen operations each. Allocates only in set_….
class Seekers {
 public:
  static constexpr float kLife_s = 4.0f;
  static constexpr u32 kMostBirthsPerStep = 64;

  explicit Seekers(const PoolChoice& choice);
  Seekers(Seekers&&) noexcept;
  ~Seekers();

  void set_strategy(pool::StrategyId strategy);
  void set_policy(pool::PolicyId policy);
  void set_capacity(u32 capacity);
  void trim(u32 keep_free);
  void set_fill(bool on);

  /// To be born in this step's spawn phase; spawn_id is given then. More than kMostBirthsPerStep in a step are not
  /// born.
  void ask(const Seeker& newborn);

  void move(SpellScope& scope);
  void collide(SpellScope& scope);
  void despawn();
  void spawn();
  void draw_air(Canvas& canvas);
  void add_to(StateHash& hash) const;

  struct State {
    pool::ExhibitPool<Seeker>::Snapshot seekers;
    u64 next_spawn_id = 1;
  };
  /// Between two steps: no birth is asked for.
  void save(State& state) const;
  void restore(const State& state);

  pool::ExhibitPool<Seeker>& pool() { return pool_; }
  const pool::ExhibitPool<Seeker>& pool() const { return pool_; }
  pool::ConstFieldRef<Seeker> get(SeekerHandle handle) const;
  /// f(SeekerHandle, const Seeker&), by spawn id.
  template <class F>
  void for_each(F&& f) {
    list();
    for (const Entry& entry : order_) f(entry.handle, *get(entry.handle));
  }

 private:
  struct Entry {
    u64 spawn_id;
    SeekerHandle handle;
  };
  void list();
  void reserve();
  static void steer(Seeker& seeker, SpellScope& scope);

  pool::ExhibitPool<Seeker> pool_;
  std::vector<Entry> order_;
  std::array<Seeker, kMostBirthsPerStep> births_{};
  u32 birth_count_ = 0;
  u64 next_spawn_id_ = 1;
};

/// The port of that pool. `seekers` outlives it and does not move.
std::unique_ptr<PoolPort> seeker_port(Seekers& seekers);

}  // namespace spellpool::sim
