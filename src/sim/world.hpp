#pragma once
#include <array>
#include <memory>
#include <span>
#include <vector>

#include "frame/audio_event.hpp"
#include "frame/input_frame.hpp"
#include "frame/phase.hpp"
#include "frame/render_snapshot.hpp"
#include "frame/sim_command.hpp"
#include "sim/arena_emitters.hpp"
#include "sim/particle_system.hpp"
#include "sim/preset.hpp"

namespace spellpool::sim {

using SpellSet = std::array<std::shared_ptr<const frame::SpellDef>, frame::kSpellCount>;

struct WorldConfig {
  u64 seed = 1;
  PresetId preset = PresetId::Default;
  pool::StrategyId strategy = pool::StrategyId::FreeList;
  pool::PolicyId policy = pool::PolicyId::Reject;
  u32 capacity = 20'000;
  SpellSet spells;                ///< All three set.
};

/// What a spell's emitters are for; see frame::SpellDef.
enum class EmitterRole : u8 { Gather, Cast, Trail, Burst, Embers, Smoke, Mist, Shards, Spiral, Core, Close };
inline constexpr std::array<std::string_view, 11> kEmitterRoleNames = {"gather", "cast",   "trail",  "burst", "embers", "smoke",
                                                                       "mist",   "shards", "spiral", "core",  "close"};

/// A straw dummy or a crystal: what spells hit.
struct Target {
  enum class Kind : u8 { Dummy, Crystal };
  Kind kind{};
  float x = 0, y = 0;
  float flash = 0;              ///< 1 when hit, decays.
  float sway = 0, sway_speed = 0;  ///< Dummy: leans −1 … 1, a damped spring.
  float frost = 0;              ///< Dummy: 1 when frozen, decays.
  float health = 5;             ///< Crystal.
  float growth = 1;             ///< Crystal: 0 when shattered, grows back to 1.
};

/// The deterministic game: the night arena. It reads input and commands and nothing else: no clock, no file, no screen.
/// The same seed, commands and inputs give the same hash() after every step, with every pool strategy, compiler and
/// optimisation level.
///
/// One step:
///   commands → player (walk, aim, cast) → bolts, novas, vortices move     phase update
///   particles move and age                                                phase update
///   spells against targets                                                phase collide
///   dead particles go back to the pool                                    phase despawn
///   deaths' bursts, then what the step asked for, are emitted             phase spawn
class World {
 public:
  explicit World(const WorldConfig& config);

  /// Advances by 1/60 s. Allocates only for commands (and for new/delete particles in `heap`).
  void step(const frame::InputFrame& input, std::span<const frame::SimCommand> commands, frame::PhaseSink* phases = nullptr);

  /// What the renderer draws; valid until the next step or build_snapshot().
  const frame::RenderSnapshot& build_snapshot();
  /// Sounds of the last step.
  std::span<const frame::AudioEvent> audio_events() const { return audio_events_; }

  /// Of everything that moves: player, spells' effects, targets, particles. Not of what is set from outside (spell
  /// definitions, strategy, policy, capacity), nor of looks (camera, lights, sounds).
  u64 hash() const;

  u64 steps() const { return step_; }
  const WorldConfig& config() const { return config_; }
  ParticleSystem& particles() { return particles_; }
  const ParticleSystem& particles() const { return particles_; }
  const SpellSet& spells() const { return config_.spells; }
  std::span<const Target> targets() const { return targets_; }
  float mage_x() const { return mage_.x; }
  float mage_y() const { return mage_.y; }
  float camera_x() const { return camera_.x; }
  float camera_y() const { return camera_.y; }
  u8 selected_spell() const { return mage_.spell; }
  /// 0 ready … 1 just cast.
  float cooldown() const;
  u32 combo() const { return combo_; }

 private:
  struct Mage {
    float x = 0, y = 60, previous_x = 0, previous_y = 60;
    float aim_x = 200, aim_y = 60;
    float facing = 0;            ///< Turns.
    float walk = 0;              ///< Turns of the walk cycle.
    float windup_s = -1;         ///< Time left of the anticipation; < 0: none.
    float cooldown_s = 0;
    float follow = 0;            ///< Staff flare after a cast, 1 → 0.
    float gather_carry = 0;
    u8 spell = 0;
    u8 casting = 0;              ///< The spell of the running wind-up.
  };
  struct Bolt {
    bool alive = false;
    u8 spell = 0;
    float x = 0, y = 0, previous_x = 0, previous_y = 0, vx = 0, vy = 0, age_s = 0, carry = 0, smoke_carry = 0;
  };
  struct Nova {
    bool alive = false;
    u8 spell = 0;
    float x = 0, y = 0, age_s = 0;
    u32 hit_mask = 0;            ///< Targets that the ring has passed.
  };
  struct Vortex {
    bool alive = false;
    u8 spell = 0;
    float x = 0, y = 0, age_s = 0, spin = 0, carry = 0, core_carry = 0, next_hit_s = 0;
  };
  struct Flash {
    float x = 0, y = 0, radius = 0, r = 0, g = 0, b = 0, life_s = 0, age_s = 0;
  };
  struct Camera {
    float x = 0, y = 0, previous_x = 0, previous_y = 0, trauma = 0, shake_x = 0, shake_y = 0;
  };

  void apply(const frame::SimCommand& command);
  void bake_spell(u32 spell);
  void move_mage(const frame::InputFrame& input);
  void release_spell();
  void move_spells();
  void collide();
  void burst_bolt(Bolt& bolt);
  void hit(u32 target, const frame::SpellDef& spell, float from_x, float from_y, float power);
  void settle_targets();
  void look_after();

  const frame::SpellDef& spell(u8 index) const { return *config_.spells[index]; }
  /// Burst of one emitter of a spell, if the spell has it.
  void burst(u8 spell, EmitterRole role, float x, float y, float direction, float vx = 0, float vy = 0);
  /// This step's share of a running emitter, along its way.
  void run(u8 spell, EmitterRole role, float& carry, float from_x, float from_y, float to_x, float to_y, float direction,
           float vx = 0, float vy = 0);
  void run_row(u32 row, float& carry, float from_x, float from_y, float to_x, float to_y, float direction, float vx, float vy);
  void burst_row(u32 row, float x, float y, float direction, float vx, float vy);
  void sound(frame::SoundId id, float gain, float x, float y, float pitch_steps);
  void flash(float x, float y, float radius, const frame::SpellDef& spell, float intensity, float life_s);
  void staff_tip(float& x, float& y) const;

  static constexpr u32 kStylesPerSpell = static_cast<u32>(frame::kMaxEmitters);
  static constexpr u32 kArenaStyles = kStylesPerSpell * frame::kSpellCount;
  static_assert(kArenaStyles + kArenaEmitterCount <= ParticleSystem::kStyleRows);
  static u32 arena_row(ArenaEmitter which) { return kArenaStyles + static_cast<u32>(which); }

  WorldConfig config_;
  u64 step_ = 0;
  Rng looks_;                    ///< Pitch and level of sounds: never read by the simulation.
  ParticleSystem particles_;
  std::array<std::array<i32, kEmitterRoleNames.size()>, frame::kSpellCount> roles_{};

  Mage mage_;
  std::array<Bolt, 64> bolts_{};
  std::array<Nova, 8> novas_{};
  std::array<Vortex, 4> vortices_{};
  std::vector<Target> targets_;
  std::vector<float> twinkle_carry_;
  float dust_carry_ = 0, ambient_carry_ = 0;
  u32 combo_ = 0;
  float combo_left_s_ = 0;

  // Looks.
  float runes_lit_ = 0;
  Camera camera_;
  std::array<Flash, 16> flashes_{};
  u32 next_flash_ = 0;

  // Filled anew each step; reserved once.
  std::vector<EmitRequest> requests_;
  std::vector<Attractor> attractors_;
  std::vector<frame::AudioEvent> audio_events_;
  std::vector<frame::SpriteInstance> sprites_;
  std::vector<frame::LightInstance> lights_;
  frame::RenderSnapshot snapshot_;
};

}  // namespace spellpool::sim
