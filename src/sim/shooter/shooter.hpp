#pragma once
#include "frame/views/shooter_view.hpp"
#include "sim/core/game_world.hpp"
#include "sim/core/world_config.hpp"
#include "sim/shooter/shooter_flower.hpp"
#include "sim/shooter/shooter_things.hpp"
#include "sim/spells/spell_canvas.hpp"

namespace spellpool::sim {

/// The second scene: a small ship against a stage of waves and bosses. Bullets, shots, enemies, pickups, score texts,
/// the garden's chunks and the particles live in a pool each.
///
/// One step, by its phases:
///   update   commands → start, continue, results → garden → ship (moves, bombs, fires) → the stage's clock sends waves and bosses →
///            enemies move and fire → bullets move, and meet the ship → shots, pickups, texts → particles
///   collide  the bomb clears, bullets strike or are grazed, shots strike enemies (by a grid), bodies touch; a boss's phases end
///   despawn  objects that are gone return to their pools
///   spawn    enemies, bullets (by the order in which they were fired), shots, pickups, chunks; bursts
/// Where one object changes another, the order is by spawn id. A hit that kills a large enemy stops time for
/// three steps (hit-stop); a boss's end slows time to a third. In a stopped step only the particles move.
/// "How many bullets?" is a mode of its own: a command sets the number of bullets (shooter_flower.hpp), and
/// no enemies come.
class ShooterWorld final : public GameWorld {
 public:
  static constexpr u32 kChain_steps = 150, kContinue_steps = 600, kHitStop_steps = 3, kSlow_steps = 90;
  static constexpr u32 kMostMultiplier = 16;

  explicit ShooterWorld(const WorldConfig& config);
  ~ShooterWorld() override;

  frame::SceneId scene() const override { return frame::SceneId::Shooter; }
  void step(const frame::InputFrame& input, std::span<const frame::SimCommand> commands,
            frame::PhaseSink* phases = nullptr, std::optional<frame::Amount> shown = {}) override;
  const frame::RenderSnapshot& build_snapshot(const frame::LookSettings& looks = {}) override;
  std::span<const frame::AudioEvent> audio_events() const override { return effects_.sounds(); }
  u64 hash() const override;
  std::string_view part_that_differs(const GameWorld& other) const override;
  u64 steps() const override { return play_.step; }
  std::unique_ptr<ScriptedPlayer> scripted_player(u64 seed) const override;

  std::unique_ptr<WorldState> new_state() const override;
  void save(WorldState& state) const override;
  void restore(const WorldState& state) override { restore_without(state, {}); }
  std::span<const std::string_view> parts() const override;
  void restore_without(const WorldState& state, std::string_view part) override;

  /// The pool of enemies must hold all whom the stage sends.
  std::string refusal(const frame::SimCommand& command) const override;

  const frame::Load& load() const override { return config_.load; }
  const FrameMemory& frame_memory() const override { return memory_; }
  const frame::ShooterView* shooter_view() const override;
  const SlotBudget* slot_budget() const override { return &play_.budget; }
  const CraneRules* crane_rules() const override { return &play_.cranes; }
  const CraneGuide* crane_guide() const override { return &cranes_; }

  // For the scripted player and tests.
  const Ship& ship() const { return play_.ship; }
  const Bullets& bullets() const { return bullets_; }
  const Enemies& enemies() const { return enemies_; }
  const Shots& shots() const { return shots_; }
  const Pickups& pickups() const { return pickups_; }
  ParticleSystem& particles() { return particles_; }
  frame::ShooterState state() const { return play_.state; }
  u64 score() const { return play_.score; }
  const SlotBudget& budget() const { return play_.budget; }
  u32 graze() const { return play_.graze; }
  frame::Difficulty difficulty() const { return play_.difficulty; }
  /// Steps of the stage's clock.
  u64 clock() const { return play_.clock; }
  u32 stage_steps() const { return play_.stage_steps; }

 private:
  /// What lives in no pool: saved and restored as it is.
  struct Play {
    u64 step = 0;
    frame::ShooterState state = frame::ShooterState::Title;
    frame::Difficulty difficulty{};
    u8 last_buttons = 0;
    i8 aside = 0;                ///< On the title: which way is held.
    u64 clock = 0;
    u64 score = 0;
    u32 stage_steps = 0, graze = 0, chain = 0, chain_steps = 0, continues = 0, continue_steps = 0, rest_steps = 0;
    u32 stop_steps = 0, slow_steps = 0, cleared = 0, hits = 0;
    float dust_carry = 0, churn_carry = 0;
    Ship ship;
    SlotBudget budget;
    CraneRules cranes;
    Shake shake;                 // looks
  };
  struct State;
  struct Part;

  static std::span<const Part> all_parts();
  static std::string_view rules_differ(const Play& a, const Play& b);
  void apply(const frame::SimCommand& command);
  /// What lives now, before anything asks for a slot.
  void count_slots();
  void make_layer();
  void take_stage(const frame::SimCommand& command);
  void open_stage();
  void rule(const frame::InputFrame& input, u8 pressed);
  void to_title();
  void begin_stage();
  void want_bullets(u32 count);
  void clear_field();
  void win(u32 points, float x, float y);
  void bomb_clears();
  void meet_bullets();
  void meet_flower();
  void meet_enemies();
  void strike_enemy(const Shot& shot, Handle<Enemy> handle);
  void enemy_falls(const Enemy& enemy);
  void phase_ends();
  void turn_bullets_into_stars(float x, float y, float radius);
  u32 multiplier() const { return std::min(kMostMultiplier, 1 + play_.chain / 10); }
  float left_of_play() const;
  void draw_enemies(float left);
  void draw_hung_lanterns();
  void draw_stones(float left);
  void draw_water(std::span<const frame::GardenChunk> chunks);

  WorldConfig config_;
  FrameMemory memory_;
  ParticleSystem particles_;
  Effects effects_;
  std::shared_ptr<const frame::StageDef> next_stage_;  ///< What begin_stage() begins.
  u32 needs_, next_needs_;                             ///< Enemies at once, of the stage that is played and of that one.
  std::array<std::shared_ptr<const FlightTable>, frame::kDifficultyCount> flights_;
  BulletFlower flower_;
  Bullets bullets_;
  Shots shots_;
  Enemies enemies_;
  Pickups pickups_;
  Texts texts_;
  Garden garden_;
  CraneGuide cranes_;
  Play play_;
  // Looks.
  Canvas canvas_;
  frame::RenderSnapshot snapshot_;
  bool garden_by_slot_ = false;                 // in the snapshot
  std::vector<frame::ParticleInstance> layer_;  // shots, then bullets
  mutable frame::ShooterView view_;
  mutable std::array<frame::ScoreText, 64> shown_texts_{};
  mutable std::array<frame::LostCrane, 16> lost_cranes_{};
};

}  // namespace spellpool::sim
