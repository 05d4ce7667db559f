#pragma once
#include <array>

#include "core/state_hash.hpp"
#include "frame/defs/stage_def.hpp"
#include "sim/particles/effects.hpp"
#include "sim/shooter/crane_guide.hpp"
#include "sim/shooter/shooter_bullets.hpp"

namespace spellpool::sim {

/// What an enemy is of: itself, or a part of a boss. A moth's wings live in the pool beside its heart and hold it by
/// handle.
enum class EnemyPart : u8 { Whole, Heart, LeftWing, RightWing };

struct Enemy {
  float x = 0, y = 0, previous_x = 0, previous_y = 0;
  float health = 1;
  float flash = 0;              ///< 1 when hit, decays.
  float there = 0;              ///< 0 … 1: unfolds.
  u32 age = 0;                  ///< Steps.
  u16 wave = 0;                 ///< Of the stage's waves, or of its bosses.
  u16 ordinal = 0;              ///< In its wave.
  frame::EnemyKind kind{};
  EnemyPart part{};
  bool gone = false;            ///< Released in this step's despawn phase.
  CraneWay way{};               ///< Of a crane among stones.
  Handle<Enemy> heart{};        ///< Of a wing.
  u64 spawn_id = 0;

  float importance() const { return there; }
};

}  // namespace spellpool::sim

template <>
struct spellpool::pool::FieldsOf<spellpool::sim::Enemy> {
  using E = spellpool::sim::Enemy;
  using Hot =
      FieldList<&E::x, &E::y, &E::previous_x, &E::previous_y, &E::health, &E::flash, &E::there, &E::age, &E::gone>;
  using Cold = FieldList<&E::wave, &E::ordinal, &E::kind, &E::part, &E::way, &E::heart, &E::spawn_id>;
};

namespace spellpool::sim {

extern template class PooledObjects<Enemy>;  // enemy_pool.cpp

/// Place on a path `time_s` after its first point. False: past its end (or before its beginning).
bool place_on(std::span<const frame::PathPoint> path, float time_s, float& x, float& y);
/// The same for a boss: round and round through all points but the first.
void place_round(std::span<const frame::PathPoint> path, float time_s, float& x, float& y);

/// A boss that is here.
struct BossFight {
  bool there = false;
  u16 boss = 0;                 ///< Of the stage's bosses.
  u16 phase = 0;
  float health = 0, full = 1;   ///< Of the phase.
  u32 phase_steps = 0;          ///< Since it began; below kBossRest_steps the boss cannot fire or be hit.
  float from_x = 0, from_y = 0; ///< Where the phase began: from there it glides to its path.
  Handle<Enemy> heart{};
};

/// All enemies: a pool. Waves and bosses are a function of the stage's clock; an enemy's place is one of its
/// age. Walks go by spawn id.
class Enemies {
 public:
  static constexpr u32 kBossRest_steps = 60;
  static constexpr u32 kMostBirthsPerStep = 256;  ///< More than a stage may show at once.

  explicit Enemies(const PoolChoice& choice) : objects_(choice) {}
  void use(const frame::StageDef& stage) { stage_ = &stage; }

  /// Spawns the enemies that the stage's clock sends in this step; `clock` in steps of the stage.
  void arrive(u64 clock);
  bool boss_due(u64 clock) const;
  /// `runs` false: time stands still. `guide`: leads cranes round stones while `rules` are on.
  void move(Bullets& bullets, bool runs, CraneGuide& guide, CraneRules& rules);
  /// All leave; the stage can begin again.
  void leave();
  /// A blow: true if it ended the enemy (or the boss's phase).
  bool hurt(Handle<Enemy> handle, float damage);
  /// Time is up, or its health is: the next phase begins, or the boss falls. True if it fell.
  bool end_phase(Effects& effects);
  void despawn();
  void spawn();

  const BossFight& boss() const { return boss_; }
  bool phase_over() const;
  float phase_left_s() const;
  const frame::StageDef& stage() const { return *stage_; }
  /// No enemy is here, and none will come.
  bool done(u64 clock) const;
  void add_to(StateHash& hash) const;
  struct State {
    PooledObjects<Enemy>::State enemies;
    u32 next_boss = 0;
    BossFight boss;
  };
  void save(State& state) const;
  /// Then use() the stage of that moment.
  void restore(const State& state);
  PooledObjects<Enemy>& objects() { return objects_; }
  const PooledObjects<Enemy>& objects() const { return objects_; }

 private:
  void ask(const Enemy& enemy) {
    if (birth_count_ < kMostBirthsPerStep) births_[birth_count_++] = enemy;
  }
  void move_boss(Enemy& enemy, Bullets& bullets);
  void begin_boss();
  /// Where the wave's path has an enemy. False: its path is over, and it has nothing left to do.
  bool place(Enemy& enemy, CraneGuide& guide, CraneRules& rules) const;
  /// Releases the oldest crane that is still on its way after its path's time. The pool has a slot for every enemy
  /// within its path's time, not for those.
  void end_late_crane();

  const frame::StageDef* stage_ = nullptr;
  PooledObjects<Enemy> objects_;
  std::array<Enemy, kMostBirthsPerStep> births_{};
  u32 birth_count_ = 0;
  u32 next_boss_ = 0;
  BossFight boss_;
};

}  // namespace spellpool::sim
