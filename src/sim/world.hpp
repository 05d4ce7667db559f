#pragma once
#include <optional>
#include <span>

#include "frame/phase.hpp"
#include "frame/sim_command.hpp"
#include "frame/slot_map_view.hpp"
#include "pool/slot_map.hpp"
#include "sim/mage.hpp"
#include "sim/preset.hpp"
#include "sim/spell_book.hpp"

namespace spellpool::sim {

struct WorldConfig {
  u64 seed = 1;
  PresetId preset = PresetId::Default;
  PoolChoices pools = pool_choices(pool::StrategyId::FreeList);
  SpellSet spells;  ///< All set.
};

/// The deterministic game: the night arena. It reads input and commands and nothing else: no clock, no file, no screen.
/// The same seed, commands and inputs give the same hash() after every step, with every pool strategy, compiler and
/// optimisation level, whatever the settings.
///
/// One step, by its phases:
///   update   commands → targets recover and drift → mage (walk, aim, gather, cast) → spells and homing sparks move
///            → challenge's clock → dust and the preset's motes → particles move and age (and are drawn, where somebody looks)
///   collide  spells and homing sparks strike targets; hits feed the challenge
///   despawn  dead particles and homing sparks go back to their pools
///   spawn    new homing sparks; deaths' bursts, then what the step asked for, are emitted
class World {
 public:
  explicit World(const WorldConfig& config);
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  /// Advances by 1/60 s. Allocates only for commands (and for new objects of pools in `heap`). Whoever will draw this step says
  /// with which density: then the particles' update writes their picture as it goes, and build_snapshot() need not read them
  /// again. Without it, or with another density, build_snapshot() gives the same and takes longer.
  void step(const frame::InputFrame& input, std::span<const frame::SimCommand> commands,
            frame::PhaseSink* phases = nullptr, std::optional<frame::Amount> shown = {});

  /// What the renderer draws, valid until the next step or build_snapshot() begins. Settings change looks alone: no step reads
  /// anything that is done here.
  const frame::RenderSnapshot& build_snapshot(const frame::LookSettings& looks = {});
  /// Sounds of the last step.
  std::span<const frame::AudioEvent> audio_events() const { return effects_.sounds(); }

  /// Of all that later steps read: mage, spells, homing sparks, targets, challenge, particles. Not of what is set from
  /// outside (spell definitions, strategies, policies, capacities), nor of looks (camera, lights, sounds).
  u64 hash() const;

  u64 steps() const { return step_; }
  const WorldConfig& config() const { return config_; }
  const SpellSet& spells() const { return config_.spells; }

  pool::PoolStats pool_stats(frame::PoolId id) const;
  pool::StrategyId strategy(frame::PoolId id) const;
  pool::PolicyId policy(frame::PoolId id) const;

  // For pictures of a pool; nothing of it touches the game.
  void map_slots(frame::PoolId id, u32 most_next, pool::SlotMap& map) const;
  pool::SlotDetail look_at_place(frame::PoolId id, u32 place) const;
  static std::span<const frame::SlotField> slot_fields(frame::PoolId id);
  /// That pool remembers for a tenth of a second where its policy ended somebody; none: no pool does.
  void watch_slots(std::optional<frame::PoolId> id);
  std::optional<frame::PoolId> watched() const { return watched_; }
  bool fills(frame::PoolId id) const;
  /// Makes slots that the capacities will need ready, for about budget_us. True when all are. No step is different for it.
  bool prewarm(double budget_us);
  const FrameMemory& frame_memory() const { return memory_; }
  /// Of the particles' console heap, if that is their strategy.
  std::optional<pool::ConsoleHeapStats> console_heap() const;

  ParticleSystem& particles() { return particles_; }
  const ParticleSystem& particles() const { return particles_; }
  Targets& targets() { return targets_; }
  const Targets& targets() const { return targets_; }
  Seekers& seekers() { return seekers_; }
  const Challenge& challenge() const { return challenge_; }

  u8 selected_spell() const { return mage_.spell(); }
  /// 0 ready … 1 just cast.
  float cooldown(u8 spell) const { return mage_.cooldown(spell, config_.spells); }
  /// 0 … 1 of the charge that is being held.
  float charge() const { return mage_.charge(); }
  Mage::CastCount casts(u8 spell) const { return mage_.casts(spell); }
  float mage_x() const { return mage_.x(); }
  float mage_y() const { return mage_.y(); }
  /// Of the last snapshot; 0 before the first.
  float camera_x() const { return snapshot_.camera_x; }
  float camera_y() const { return snapshot_.camera_y; }

 private:
  /// Two eased vectors: it follows the mage a little, and leads toward the aim.
  struct Camera {
    float follow_x = 0, follow_y = 0, lead_x = 0, lead_y = 0;
    float previous_follow_x = 0, previous_follow_y = 0, previous_lead_x = 0, previous_lead_y = 0;
    float shake_x = 0, shake_y = 0;
  };

  void apply(const frame::SimCommand& command);
  void bake_spell(u32 spell);
  SpellScope scope();
  void look_after();
  void draw_standing();
  void draw_flashes();
  void draw_pillars();
  void fade_steals();

  WorldConfig config_;
  u64 step_ = 0;
  FrameMemory memory_;  // before those that take from it
  ParticleSystem particles_;
  Effects effects_;
  Targets targets_;
  Challenge challenge_;
  Mage mage_;
  SpellBook spells_;
  Seekers seekers_;
  u8 last_buttons_ = 0;
  float dust_carry_ = 0, ambient_carry_ = 0;
  std::optional<frame::PoolId> watched_;

  // Looks.
  Camera camera_;
  Canvas canvas_;
  frame::RenderSnapshot snapshot_;
};

}  // namespace spellpool::sim
