#pragma once
// What the shooter's HUD and screens show. sim/ fills it once a frame, ui/ draws it.
#include <span>
#include <string_view>

#include "frame/defs/pattern_def.hpp"
#include "frame/defs/stage_def.hpp"
#include "frame/render_snapshot.hpp"

namespace spellpool::frame {

/// Title     waits for the start button; the ship flies, and no enemies come.
/// Continue  all lives are gone; the player has `continue_s` left to decide.
/// Stress    no waves; as many bullets as a command requests; the ship takes no damage.
enum class ShooterState : u8 { Title, Playing, Continue, Won, Lost, Stress };

/// A number that floats up where points were won: several within a moment and a place are one.
struct ScoreText {
  float x = 0, y = 0;           ///< World units.
  u32 points = 0;
  float age = 0;                ///< 0 … 1.
};

/// A crane that got no memory to search its way.
struct LostCrane {
  float x = 0, y = 0;  ///< World units.
};

struct ShooterView {
  ShooterState state = ShooterState::Title;
  Difficulty difficulty = Difficulty::Normal;
  std::string_view stage_title;
  float stage_s = 0;            ///< Played so far, slow motion and pauses not counted.
  u64 score = 0;
  u32 lives = 0, bombs = 0, continues = 0;  ///< Left; continues: used.
  u32 graze = 0;                ///< Times that a bullet was grazed.
  u32 chain = 0;                ///< Enemies in a row; the multiplier is 1 + chain / 10, at most 16.
  float chain_left = 0;         ///< 1 … 0 of the time until it breaks.
  u8 power = 0;                 ///< Shot level, 0 … kMostPower.
  float magnet_left = 0;        ///< 1 … 0.
  bool shield = false, focus = false;
  u32 bullets = 0;              ///< In flight.
  // Of a boss that is here; "" none.
  std::string_view boss_title, phase_title;
  float boss_health = 0;        ///< 1 … 0 of this phase.
  u32 phases_left = 0;          ///< After this one.
  float phase_left_s = 0;
  float continue_s = 0;
  std::span<const ScoreText> texts;
  std::span<const LostCrane> lost_cranes;
  std::span<const GardenChunk> garden;  ///< Where it looks like its slots; otherwise empty.
};
inline constexpr u8 kMostPower = 4;

}  // namespace spellpool::frame
