#pragma once
#include <array>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/radix_sort.hpp"
#include "core/rng.hpp"
#include "frame/phase.hpp"
#include "frame/render_snapshot.hpp"
#include "frame/settings.hpp"
#include "frame/sim_command.hpp"
#include "pool/exhibits.hpp"
#include "sim/core/frame_memory.hpp"
#include "sim/core/pool_choice.hpp"
#include "sim/particles/birth_block.hpp"
#include "sim/particles/curl_field.hpp"
#include "sim/particles/emit_request.hpp"
#include "sim/particles/particle.hpp"
#include "sim/particles/particle_motion.hpp"
#include "sim/particles/particle_style.hpp"

namespace spellpool::sim {

/// All particles of the world: their pool, their styles, the three hot loops.
///
/// A step calls, in this order:
///   update    moves and ages all (particle_motion.hpp), records which died, bounced or left a trail
///   despawn   releases the dead, keeping the data that their bursts need
///   spawn     1. what update recorded, by spawn id; of one particle its hits (floor, wall), then its trail
///                or its death
///             2. the requests, in order
///             3. on_birth of all particles of this step, by spawn id, then of their children … four
///                generations deep
/// So the order never depends on how the particles are stored, even if a step reaches kMostBirthsPerStep or
/// the pool is full. A particle that is stolen before its turn sets off nothing.
///
/// Drawing costs a second walk over all particles, unless update() gets the density (`shown`) in advance.
/// Then update() writes the instances of the survivors as it visits them, spawn() adds the new particles,
/// and build_snapshot() only sorts. build_snapshot() still walks
///   - if it is asked for another density, or a style, the capacity or the pool's size changed since that
///     update;
///   - if the policy stole particles in that step (their instances are already written), or the pool grew in
///     it. After a step with steals the next update() writes no instances, because a pool that steals
///     usually goes on stealing;
///   - while it keeps the looks of slots (set_forgetful);
///   - before that step's spawn() has finished, and after another spawn().
/// Drawing never changes the simulation.
///
/// Random numbers are keyed by spawn id, or by the style's seed and the place in the burst. Continuous
/// emitters (spread_in_time) are always keyed by spawn id, or each of their steps would look the same.
/// Memory   16 bytes per particle of capacity besides the pool. Step memory: 36 bytes per particle. Frame
///          memory: 72.
/// Nothing allocates after construction except set_capacity, set_strategy, set_policy, set_style, set_forgetful,
/// save and restore, and frame memory if the player chose the heap for it.
class ParticleSystem {
 public:
  /// Without `memory` it owns one, and each update() begins a step of it. Otherwise the owner of `memory`
  /// begins steps.
  ParticleSystem(u64 seed, pool::StrategyId strategy, pool::PolicyId policy, u32 capacity)
      : ParticleSystem(seed, PoolChoice{.strategy = strategy, .policy = policy, .capacity = capacity}) {}
  ParticleSystem(u64 seed, const PoolChoice& choice, FrameMemory* memory = nullptr);
  ParticleSystem(ParticleSystem&&) noexcept;
  ~ParticleSystem();

  void set_strategy(pool::StrategyId strategy);
  void set_policy(pool::PolicyId policy);
  void set_capacity(u32 capacity);
  void trim(u32 keep_free);
  void set_fill(bool on);
  /// A planted mistake, of looks alone: while it is on, the constructor of sparks that come in bursts does not set
  /// their SlotLook. They then have the colour and the speed that the last object of their slot left there, or what
  /// set_fill() put there. Not in a State: restore() keeps the mistake as it is now, and all particles that it brings
  /// back have their own looks.
  void set_forgetful(bool on);
  bool forgetful() const { return forgetful_; }
  /// The sink gets a call for each slot that is acquired (a stolen one too) or released, until the next call of this;
  /// null: none.
  void report_slots_to(frame::PhaseSink* sink) { slot_sink_ = sink; }

  /// Rows below kStyleRows; a particle whose row changes looks and moves by the new one from then on.
  static constexpr u32 kStyleRows = 192;
  /// A spell file can ask for any number of particles; a step spawns at most this many and counts the rest
  /// as rejected.
  static constexpr u32 kMostBirthsPerStep = 1u << 20;
  /// Generations of on_birth within a step.
  static constexpr u32 kMostGenerations = 4;
  static constexpr u32 kMostPrewarmed = 4096;  ///< Of a step.
  static constexpr float kMostPrewarm_s = 10.0f;
  static constexpr float kMaxAcceleration = 4.0f;    ///< How much faster things age in a full pool under PolicyId::Pressure.
  void set_style(u32 row, const ParticleStyle& style);
  const ParticleStyle& style(u32 row) const { return styles_[row]; }

  /// `shown`: the density of the frame that will be drawn after this step; none: no frame will be drawn.
  void update(u64 step, std::span<const Attractor> attractors, std::optional<frame::Amount> shown = {});
  void despawn();
  /// At most `most` are born; the others count as rejected.
  void spawn(std::span<const EmitRequest> requests, u32 most = kMostBirthsPerStep);

  /// Fills the snapshot's particle spans from the picture's memory; they are good until the next call, or the next
  /// update with a picture. The alpha layer is sorted by spawn id, since blending depends on order and slots do not
  /// tell age; the additive one comes as it was walked. Density below Full leaves particles out, always the same
  /// ones: Reduced shows a half, Off an eighth, a part of that half. True if the picture is new, false if it is the
  /// one of the last call, with what the caller made of its additive().
  bool build_snapshot(frame::RenderSnapshot& snapshot, frame::Amount density = frame::Amount::Full);
  /// The last picture's additive layer, for callers that change it before it is shown.
  std::span<frame::ParticleInstance> additive() { return {additive_.data(), additive_count_}; }
  /// Pictures so far that needed a walk of their own.
  u64 pictures_walked() const { return pictures_walked_; }

  /// What update() and spawn() read that no style says.
  struct State {
    pool::ExhibitPool<Particle>::Snapshot particles;
    u64 step = 0, next_spawn_id = 1;
    std::array<Origin, kStyleRows> origins{};
  };
  /// Between two steps.
  void save(State& state) const;
  /// Set the styles of that moment first.
  void restore(const State& state);

  /// Hash of the set of particles, the spawn counter and the origins that particles are pulled to; independent of
  /// strategy, policy, capacity and order.
  u64 hash() const;

  pool::PoolStats stats() const;
  pool::StrategyId strategy() const;
  pool::PolicyId policy() const;
  pool::ConstFieldRef<Particle> get(ParticleHandle handle) const;
  pool::ExhibitPool<Particle>& pool() { return particles_; }
  const pool::ExhibitPool<Particle>& pool() const { return particles_; }
  /// f(ParticleHandle, const Particle&), in the storage's order. For walks that are not measured: f is compiled once,
  /// not for every strategy, and is called through a pointer.
  template <class F>
  void look_at_each(F&& f) const {
    call_for_each(&f, [](void* its, ParticleHandle handle, const Particle& p) {
      (*static_cast<std::remove_reference_t<F>*>(its))(handle, p);
    });
  }

 private:
  void call_for_each(void* its, void (*f)(void* its, ParticleHandle, const Particle&)) const;

  /// What update noted of one particle: 16 bytes. The particle is read when its turn comes; of a dead one there is a
  /// copy.
  struct Event {
    u64 spawn_id;
    u32 place;             ///< Slot; of a dead particle the index of its copy.
    u32 happened;          ///< Bits of Happened. Above them: the trail's count, or a dead particle's style.
  };
  struct Departed {
    float x, y, vx, vy;
  };
  /// How a spark looks, as its slot remembers it: colour, and the speed with which it is drawn.
  struct SlotLook {
    u8 hue = 0, saturation = 0;  ///< Of a turn; of the strongest.
    i8 dx = 0, dy = 0;           ///< 1/16 unit a step.
    bool stale = false;          ///< The constructor of the spark in this slot forgot it: this is what is drawn.
  };
  struct Newborn {
    u64 spawn_id;
    u32 slot;
    u32 generation;        ///< 0: by an event or a request.
  };
  struct AlphaEntry {
    u64 spawn_id;
    frame::ParticleInstance instance;
  };
  /// What the snapshot reads of a style, apart from its looks.
  struct DrawRow {
    static constexpr u32 kAlpha = 1, kPaced = 2;
    u32 bits = 0;
    u32 glow_shape = 0;    ///< As ParticleInstance::glow_shape.
  };
  struct Brush;
  /// How far this step's picture is, as the update writes it.
  enum class Drawn : u8 { Nothing, TheLiving, All, Sorted };
  /// A request as emit() wants it.
  struct Emission {
    EmitRequest request;
    u32 generation = 0;
    float steps_apart = 0;  ///< > 0: a prewarm. Steps between two spawns, up to now.
  };

  void reserve_buffers();
  void make_row(u32 row);
  void attractors_came_or_went();
  void follow_growth();
  void accelerate(float pressure);
  pool::ConstFieldRef<Particle> particle_in(u32 slot, u64 spawn_id) const;
  void react(const Event& event);
  void burst_at(i32 style, const Departed& at, u32 generation = 0);
  void request(const EmitRequest& request);
  void emit(const Emission& emission);
  BirthPlan plan_of(const Emission& emission) const;
  u32 advance_prewarmed(Particle* born, const u32* steps, u32 count) const;
  void await_on_birth(u64 spawn_id, u32 slot, u32 generation);
  Motion motion(u64 step, std::span<const Attractor> attractors) const;
  // Each on a cache line of its own: the same instructions elsewhere took up to 12 % longer (bench particles, g++ 12).
  template <bool kDraws, bool kThinned>
  [[gnu::aligned(64)]] void advance(std::span<const Attractor> attractors);
  template <bool kThinned>
  [[gnu::aligned(64)]] void draw_all();
  void draw_births(std::span<const Particle> born);
  SlotLook look_of(const Particle& p) const;
  /// Fills slot_looks_ from the live particles; none of them is stale.
  void remember_looks();
  void construct_look(u32 slot, const Particle& p, bool forgets);
  /// All particles, those with a stale look as that has them.
  void draw_with_slot_looks();
  void sort_alpha();
  void begin_picture(frame::Amount density);
  void drop_picture();
  Brush brush() const;
  void put_down(const Brush& brush);

  u64 seed_;
  u64 step_ = 0;                          // of the last update
  u64 next_spawn_id_ = 1;
  u32 births_left_ = 0;                   // of this step
  u32 prewarms_left_ = 0;
  bool attractors_about_ = false;         // the rows say so
  pool::ExhibitPool<Particle> particles_;
  std::vector<ParticleStyle> styles_;
  std::array<MotionRow, kStyleRows> rows_{};
  std::array<DrawRow, kStyleRows> draw_rows_{};
  std::array<Origin, kStyleRows> origins_{};
  std::vector<ParticleStyle::Look> looks_;  // kSamples a row
  std::vector<float> paces_;                // kSamples a row
  CurlField curl_;
  std::unique_ptr<FrameMemory> own_memory_;
  FrameMemory* memory_;
  // Of a step, one entry a particle at most.
  pool::FrameArray<u32> dead_;              // slots; kHits in the two highest bits
  pool::FrameArray<Event> events_;
  pool::FrameArray<Departed> departed_;
  std::vector<Newborn> newborn_;            // a ring; what it overwrites was stolen
  u32 dead_count_ = 0, event_count_ = 0, departed_count_ = 0, newborn_first_ = 0, newborn_count_ = 0;
  // Of a picture.
  pool::FrameArray<frame::ParticleInstance> additive_;
  pool::FrameArray<frame::ParticleInstance> alpha_;
  pool::FrameArray<AlphaEntry> alpha_drawn_;  // not sorted
  std::size_t additive_count_ = 0, alpha_count_ = 0;
  u64 pictures_walked_ = 0;
  frame::Amount density_ = frame::Amount::Full;
  Drawn drawn_ = Drawn::Nothing;
  bool stole_ = false;                      // in the last step
  // Looks by slot, kept while a constructor forgets them, then until a frame is drawn without a stale one; else empty.
  std::vector<SlotLook> slot_looks_;
  bool forgetful_ = false;
  frame::PhaseSink* slot_sink_ = nullptr;
  u32 expected_live_ = 0;                   // without steals: live after the step's deaths and spawns so far
};

/// Of a full pool of particles, measured by making one.
double particle_bytes_per_slot(pool::StrategyId strategy);

}  // namespace spellpool::sim
