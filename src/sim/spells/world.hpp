#pragma once
#include "sim/core/game_world.hpp"
#include "sim/core/world_config.hpp"
#include "sim/spells/decals.hpp"
#include "sim/spells/mage.hpp"
#include "sim/spells/spell_book.hpp"

namespace spellpool::sim {

/// The spells' scene: the night arena.
///
/// One step, by its phases:
///   update   commands → targets recover and drift → mage (walk, aim, gather, cast) → spells and homing sparks move
///            → challenge's clock → dust and the preset's motes → particles move and age
///              (and are drawn, if a frame is due); marks on the floor cool and fade
///            While a hit-stop lasts, only challenge, dust and particles go on.
///   collide  spells and homing sparks strike targets; hits feed the challenge
///   despawn  dead particles, homing sparks and faded marks go back to their pools
///   spawn    new homing sparks and marks; deaths' bursts, then what the step asked for, are emitted
class World final : public GameWorld {
 public:
  explicit World(const WorldConfig& config);
  ~World() override;

  frame::SceneId scene() const override { return frame::SceneId::Spells; }
  void step(const frame::InputFrame& input, std::span<const frame::SimCommand> commands,
            frame::PhaseSink* phases = nullptr, std::optional<frame::Amount> shown = {}) override;
  const frame::RenderSnapshot& build_snapshot(const frame::LookSettings& looks = {}) override;
  std::span<const frame::AudioEvent> audio_events() const override { return effects_.sounds(); }
  /// Of mage, spells, homing sparks, targets, challenge, particles. Not of camera, lights, sounds
  /// and marks on the floor, which no rule reads.
  u64 hash() const override;
  std::string_view part_that_differs(const GameWorld& other) const override;
  u64 steps() const override { return play_.step; }
  std::unique_ptr<ScriptedPlayer> scripted_player(u64 seed) const override;

  std::unique_ptr<WorldState> new_state() const override;
  void save(WorldState& state) const override;
  void restore(const WorldState& state) override { restore_without(state, {}); }
  std::span<const std::string_view> parts() const override;
  void restore_without(const WorldState& state, std::string_view part) override;

  const frame::Load& load() const override { return config_.load; }
  const FrameMemory& frame_memory() const override { return memory_; }
  World* spells_world() override { return this; }

  const WorldConfig& config() const { return config_; }
  const SpellSet& spells() const { return config_.spells; }
  ParticleSystem& particles() { return particles_; }
  const ParticleSystem& particles() const { return particles_; }
  Targets& targets() { return targets_; }
  const Targets& targets() const { return targets_; }
  Seekers& seekers() { return seekers_; }
  const Decals& decals() const { return decals_; }
  const SmallConsole& console() const { return console_; }
  const Challenge& challenge() const { return play_.challenge; }

  u8 selected_spell() const { return play_.mage.spell(); }
  /// 0 ready … 1 just cast.
  float cooldown(u8 spell) const { return play_.mage.cooldown(spell, config_.spells); }
  /// 0 … 1 of the charge that is being held.
  float charge() const { return play_.mage.charge(); }
  Mage::CastCount casts(u8 spell) const { return play_.mage.casts(spell); }
  float mage_x() const { return play_.mage.x(); }
  float mage_y() const { return play_.mage.y(); }
  /// Of the last snapshot; 0 before the first.
  float camera_x() const { return snapshot_.camera_x; }
  float camera_y() const { return snapshot_.camera_y; }
  /// Damage numbers, relative to the camera of the last snapshot; valid until the next call.
  std::span<const frame::HitNumber> hit_numbers() const;

 private:
  /// Two eased vectors: it follows the mage a little, and leads toward the aim.
  struct Camera {
    float follow_x = 0, follow_y = 0, lead_x = 0, lead_y = 0;
    float previous_follow_x = 0, previous_follow_y = 0, previous_lead_x = 0, previous_lead_y = 0;
    float shake_x = 0, shake_y = 0;
  };

  /// What lives in no pool: saved and restored as it is.
  struct Play {
    u64 step = 0;
    u8 last_buttons = 0;
    HitStop hit_stop;
    u8 missed_buttons = 0;  ///< Pressed while the world stood still.
    u8 missed_spell = frame::InputFrame::kKeepSpell;
    float dust_carry = 0, ambient_carry = 0;
    Challenge challenge;
    Mage mage;
    SpellBook spells;
    Camera camera;  // looks
  };
  struct State;
  struct Part;

  static std::span<const Part> all_parts();
  static std::string_view rules_differ(const Play& a, const Play& b);
  void apply(const frame::SimCommand& command);
  SpellScope scope();
  /// What stands still in a hit-stop.
  void play(frame::InputFrame input, SpellScope& around);
  /// A spell for which there is no memory.
  void fizzle(const Cast& cast);
  void look_after();
  void draw_standing();
  void draw_pillars();

  WorldConfig config_;
  FrameMemory memory_;  // before those that take from it
  SmallConsole console_;
  ParticleSystem particles_;
  Effects effects_;
  Targets targets_;
  Seekers seekers_;
  Decals decals_;
  Play play_;

  // Looks.
  bool stands_ = false;         // the last step stood still
  Canvas canvas_;
  frame::RenderSnapshot snapshot_;
  mutable std::array<frame::HitNumber, Effects::kMostNumbers> numbers_{};
};

}  // namespace spellpool::sim
