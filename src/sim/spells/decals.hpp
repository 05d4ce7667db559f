#pragma once
#include <array>
#include <memory>
#include <span>

#include "core/state_hash.hpp"
#include "frame/render_snapshot.hpp"
#include "pool/exhibits.hpp"
#include "sim/core/pool_choice.hpp"
#include "sim/core/pool_port.hpp"
#include "sim/core/world_config.hpp"
#include "sim/particles/small_console.hpp"

namespace spellpool::sim {

/// A mark that a spell left on the floor.
struct Decal {
  float x = 0, y = 0;
  float radius = 0;
  float shown = 0;  ///< 0 … 1: how much of it is seen.
  float heat = 0;   ///< 1 when fresh: its embers glow.
  u64 spawn_id = 0;
  u8 kind = 0;   ///< frame::DecalKind.
  u8 spell = 0;  ///< Gives the embers their hue.

  float importance() const { return radius * shown; }
};

}  // namespace spellpool::sim

template <>
struct spellpool::pool::FieldsOf<spellpool::sim::Decal> {
  using D = spellpool::sim::Decal;
  using Hot = FieldList<&D::shown, &D::heat, &D::spawn_id>;
  using Cold = FieldList<&D::x, &D::y, &D::radius, &D::kind, &D::spell>;
};

namespace spellpool::sim {

/// Scorch marks and cracks on the arena's floor, in a pool of their own whose policy is StealOldest: no mark ends
/// by itself, and the 65th takes the slot of the first. The last quarter of the pool before that fades, so the mark
/// whose slot is stolen is hardly seen any more.
///
/// Rules  Nothing but the marks themselves reads them: they are not in the world's hash, as lights and sounds are not.
///        They are saved with the world, and the same with every strategy: add_to().
/// Cost   a step: one walk over the marks. Allocates in set_… and, in `heap`, for each mark.
class Decals {
 public:
  static constexpr u32 kMostBirthsPerStep = 32;
  static constexpr float kCool_s = 2.5f;       ///< From fresh to cold.
  static constexpr float kFadingPart = 0.25f;  ///< Of the pool: the oldest ones fade.

  Decals(u64 seed, const PoolChoice& choice);
  Decals(Decals&&) noexcept;
  ~Decals();

  void set_strategy(pool::StrategyId strategy);
  void set_policy(pool::PolicyId policy);
  void set_capacity(u32 capacity);
  void trim(u32 keep_free);
  void set_fill(bool on);

  /// Marks take memory there, if it is on; it outlives this.
  void live_on(SmallConsole& console) { console_ = &console; }

  /// A mark is made in this step's spawn phase; beyond the floor there is none. More than kMostBirthsPerStep in a step
  /// are not made.
  void leave(frame::DecalKind kind, u8 spell, float x, float y, float radius);

  /// Marks cool, appear and fade.
  void step();
  /// Those that have faded away go: where the capacity was lowered.
  void despawn();
  void spawn();
  /// By spawn id; valid until the next call.
  std::span<const frame::DecalInstance> show(const SpellSet& spells);
  void add_to(StateHash& hash) const;

  struct State {
    pool::ExhibitPool<Decal>::Snapshot decals;
    u64 next_spawn_id = 1;
  };
  /// Between two steps: no mark is asked for.
  void save(State& state) const;
  void restore(const State& state);

  pool::ExhibitPool<Decal>& pool() { return pool_; }
  const pool::ExhibitPool<Decal>& pool() const { return pool_; }

 private:
  struct Entry {
    u64 spawn_id;
    frame::DecalInstance instance;
  };
  /// How much of a mark is to be seen, by the number of marks that came after it.
  float target_of(u64 spawn_id) const;

  u64 seed_;
  pool::ExhibitPool<Decal> pool_;
  SmallConsole* console_ = nullptr;
  std::array<Decal, kMostBirthsPerStep> births_{};
  u32 birth_count_ = 0;
  u64 next_spawn_id_ = 1;  // of those that the pool took
  // Looks.
  std::array<Entry, frame::kMostDecals> order_{};
  std::array<frame::DecalInstance, frame::kMostDecals> instances_{};
};

/// The port of that pool. `decals` outlives it and does not move.
std::unique_ptr<PoolPort> decal_port(Decals& decals);

}  // namespace spellpool::sim
