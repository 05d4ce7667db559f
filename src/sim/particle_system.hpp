#pragma once
#include <array>
#include <span>
#include <vector>

#include "core/rng.hpp"
#include "frame/render_snapshot.hpp"
#include "pool/pools.hpp"
#include "sim/curl_field.hpp"
#include "sim/lanes.hpp"
#include "sim/particle.hpp"
#include "sim/particle_style.hpp"

namespace spellpool::sim {

/// Particles to be born in this step's spawn phase, along the way that an emitter went.
struct EmitRequest {
  u32 style = 0;
  u32 count = 0;
  float from_x = 0, from_y = 0;      ///< Where the emitter was when the step began …
  float to_x = 0, to_y = 0;          ///< … and when it ended. Sub-frame: particle k starts (k+½)/count of the way.
  float direction_turns = 0;
  float vx = 0, vy = 0;              ///< The emitter's velocity, shared by `inherit`.
  bool spread_in_time = false;       ///< True: born evenly through the step (rate, distance); false: all at its end (burst).
};

/// Something that pulls particles to itself and round itself.
struct Attractor {
  float x = 0, y = 0;
  float radius = 0;
  float pull = 0;   ///< Inward acceleration, units/s², at full strength.
  float turn = 0;   ///< Acceleration across, likewise.
};

/// All particles of the world: their pool, their styles, the three hot loops.
/// A step calls, in this order: update (moves, ages, lists who died), despawn (releases them), spawn (deaths' bursts in
/// spawn-id order, then the requests in order). Nothing allocates after construction except set_capacity, set_strategy
/// and set_policy.
class ParticleSystem {
 public:
  ParticleSystem(u64 seed, pool::StrategyId strategy, pool::PolicyId policy, u32 capacity);

  void set_strategy(pool::StrategyId strategy);
  void set_policy(pool::PolicyId policy);
  void set_capacity(u32 capacity);

  /// Rows below kStyleRows; a particle whose row changes looks and moves by the new one from then on.
  static constexpr u32 kStyleRows = 64;
  /// A spell file can ask for any number of births; a step makes no more than these and counts the rest as rejected.
  static constexpr u32 kMostBirthsPerStep = 1u << 20;
  void set_style(u32 row, const ParticleStyle& style);
  const ParticleStyle& style(u32 row) const { return styles_[row]; }

  void update(u64 step, std::span<const Attractor> attractors);
  void despawn();
  void spawn(std::span<const EmitRequest> requests);

  /// Fills the snapshot's particle spans from buffers kept here. One pass over the live particles, and a sort of the
  /// alpha layer by spawn id, since blending depends on order and slots do not tell age.
  void build_snapshot(frame::RenderSnapshot& snapshot);

  /// Hash of the set of particles and the spawn counter; independent of strategy, policy, capacity and order.
  u64 hash() const;

  pool::PoolStats stats() const { return particles_.stats(); }
  pool::StrategyId strategy() const { return particles_.strategy(); }
  pool::PolicyId policy() const { return particles_.policy(); }
  const Particle* get(ParticleHandle handle) { return particles_.get(handle); }
  /// f(ParticleHandle, const Particle&), in the storage's order.
  template <class F>
  void for_each(F&& f) {
    particles_.visit([&](auto& pool) { pool.for_each_handle([&](auto handle, const Particle& p) { f(handle, p); }); });
  }

 private:
  struct Death {
    u64 spawn_id;
    u32 style;
    float x, y, vx, vy;
  };
  struct AlphaEntry {
    u64 spawn_id;
    frame::ParticleInstance instance;
  };

  /// What the hot loops read of a style, apart from its looks: one cache line, so that all rows stay near.
  struct alignas(64) Row {
    Lanes push{};            // 0, 0, gravity · step
    Lanes keep{1, 1, 1, 1};  // 1, 1, what drag leaves
    float curl = 0;
    bool forces = false;     // curl, or attractors about in this step
    bool alpha_layer = false;
    u8 glow_shape = 0;
  };

  void reserve_buffers();
  template <class P>
  void emit(P& pool, const EmitRequest& request);

  u64 seed_;
  u64 next_spawn_id_ = 1;
  u32 births_left_ = 0;                   // of this step
  pool::SwitchablePool<Particle> particles_;
  std::vector<ParticleStyle> styles_;
  std::array<Row, kStyleRows> rows_;
  std::vector<ParticleStyle::Look> looks_;  // kSamples a row
  CurlField curl_;
  std::vector<u32> dead_;                   // slots
  u32 dead_count_ = 0;
  std::vector<Death> deaths_;
  std::vector<frame::ParticleInstance> additive_;
  std::vector<frame::ParticleInstance> alpha_;
  std::vector<AlphaEntry> alpha_order_;
};

}  // namespace spellpool::sim
