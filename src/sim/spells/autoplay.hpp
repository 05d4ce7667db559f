#pragma once
#include "sim/spells/world.hpp"

namespace spellpool::sim {

/// The scripted player of --autoplay, comparisons and attract mode. Reads only what the world shows to everybody, so
/// the same seed plays the same game; may take over a world that is already running.
///
/// Plays like an experienced player: walks, goes for wisps and groups, takes the spell that has waited
/// longest, charges some, fires a volley when nothing else is ready. Starts a challenge half a second after
/// it begins and again ten seconds after each; for the finale it goes to the middle.
class Autoplayer {
 public:
  explicit Autoplayer(u64 seed);
  /// Input for the next step of `world`: to be called once a step.
  frame::InputFrame next(const World& world);

 private:
  enum class Act : u8 { Rest, Aim, Hold, Volley };
  static constexpr u32 kFirstChallenge_steps = 30, kNextChallenge_steps = 600;

  void plan(const World& world);
  void aim_at_one(const World& world);
  void aim_at_group(const World& world, float radius);
  void follow_target(const World& world);
  void walk(const World& world, frame::InputFrame& input);
  void choose_walk(const World& world);
  bool challenge_due(const World& world);
  const frame::SpellDef& chosen(const World& world) const { return *world.spells()[spell_]; }

  Rng rng_;
  // Challenge.
  u32 free_steps_ = 0;             // since the last one, or the beginning
  bool played_ = false;            // one has been seen
  // The plan: which spell, where, how.
  Act act_ = Act::Rest;
  u32 act_steps_ = 0;
  u32 rest_steps_ = 12;
  u8 spell_ = 0;
  float charge_ = 0;               // to let go at
  u32 volley_steps_ = 0;
  TargetRef target_{};
  bool has_target_ = false;
  float goal_x_ = 200, goal_y_ = 0;
  std::array<float, frame::kSpellCount> waited_s_{};  // since each spell's last turn
  // Hand and feet.
  float aim_x_ = 200, aim_y_ = 0;
  float walk_x_ = 0, walk_y_ = 60;
  u32 walk_steps_ = 0;
  float move_x_ = 0, move_y_ = 0;
};

}  // namespace spellpool::sim
