#pragma once
// Bullet patterns as plain data: what content/ reads from assets/patterns/*.toml and sim/ plays.
#include <array>
#include <string>
#include <vector>

#include "core/enum_table.hpp"

namespace spellpool::frame {

enum class Difficulty : u8 { Easy, Normal, Hard, Lunatic };
struct DifficultyRow {
  Difficulty id;
  std::string_view name, title, description;
};
inline constexpr std::array kDifficulties = {
    DifficultyRow{Difficulty::Easy, "easy", "Easy", "few and slow bullets"},
    DifficultyRow{Difficulty::Normal, "normal", "Normal", "as the stage was made"},
    DifficultyRow{Difficulty::Hard, "hard", "Hard", "dense, and faster"},
    DifficultyRow{Difficulty::Lunatic, "lunatic", "Lunatic", "a wall of light with a door in it"},
};
inline constexpr std::size_t kDifficultyCount = kDifficulties.size();
static_assert(rows_in_order(kDifficulties));
constexpr const DifficultyRow& row(Difficulty id) { return kDifficulties[static_cast<std::size_t>(id)]; }

/// How the bullets of one volley lie.
enum class ShotForm : u8 {
  Ring,    ///< `count` evenly round `arc_turns` (1 by default) from the angle on.
  Fan,     ///< `count` over `arc_turns`, the angle in the middle.
  Wall,    ///< `count` side by side, `spacing` apart, across the angle; the places `gap_from` … + `gap` stay empty.
  Rain,    ///< `count` from random places along the field's upper edge, `arc_turns` of random spread about the angle.
  Laser,   ///< `count` beams over `arc_turns` as a fan: warn_s thin and harmless, then on_s of `size` width.
};
struct ShotFormName {
  ShotForm id;
  std::string_view name;
};
inline constexpr std::array kShotForms = {ShotFormName{ShotForm::Ring, "ring"}, ShotFormName{ShotForm::Fan, "fan"},
                                          ShotFormName{ShotForm::Wall, "wall"}, ShotFormName{ShotForm::Rain, "rain"},
                                          ShotFormName{ShotForm::Laser, "laser"}};
static_assert(rows_in_order(kShotForms));

/// How a bullet looks: the renderer draws one distance field for each.
enum class BulletShape : u8 { Orb, Needle, Bubble };
struct BulletShapeName {
  BulletShape id;
  std::string_view name;
};
inline constexpr std::array kBulletShapes = {BulletShapeName{BulletShape::Orb, "orb"},
                                             BulletShapeName{BulletShape::Needle, "needle"},
                                             BulletShapeName{BulletShape::Bubble, "bubble"}};
static_assert(rows_in_order(kBulletShapes));

/// One line of fire: volleys of bullets from one source, such as an enemy. Units: world units (1 = a pixel
/// at 720 lines), seconds, turns; angle 0 points right, 0.25 down. The reader accepts values in the given
/// ranges.
struct ShotDef {
  ShotForm form = ShotForm::Ring;
  // When.
  float start_s = 0;            ///< 0 … 600. After the pattern begins.
  float every_s = 1;            ///< 0.0166 … 600. Between volleys.
  u32 volleys = 0;              ///< 0 … 100,000. 0: until the pattern ends.
  float rest_s = 0;             ///< 0 … 600. After each `volleys` a pause, then again from the first; 0: once.
  // Where to.
  u32 count = 1;                ///< 1 … 512 bullets a volley.
  u32 layers = 1;               ///< 1 … 16 copies of the volley, each layer_speed faster.
  float layer_speed = 20;       ///< −1,000 … 1,000 units/s.
  bool aimed = false;           ///< The angle is counted from the direction to the ship.
  float angle_turns = 0.25f;    ///< −4 … 4. Aimed: 0 by default.
  float angle_spread_turns = 0; ///< 0 … 1. Each volley turned at random by ± half of it.
  float turn_turns = 0;         ///< −1 … 1. Each volley is turned by so much more: a spiral.
  float arc_turns = 1;          ///< 0 … 1. Fan and laser: 0.125 by default; rain: 0.
  float radius = 0;             ///< 0 … 300. Bullets begin so far out, along their way.
  float offset_x = 0, offset_y = 0;  ///< −400 … 400. From the centre of the source.
  float spacing = 24;           ///< 4 … 400. Wall.
  float gap_from = -1, gap = 0; ///< Wall: first empty place (−1: at random each volley), number of empty places; 0 … 512.
  // How it flies.
  float speed = 120;            ///< 0 … 2,000 units/s.
  float speed_spread = 0;       ///< 0 … 1,000. ± half of it, at random.
  float accelerate = 0;         ///< −2,000 … 2,000 units/s², along its way, until least_speed or most_speed.
  float least_speed = 20, most_speed = 600;  ///< 0 … 2,000.
  float curve_turns_s = 0;      ///< −4 … 4. Its way turns by so much a second …
  float curve_s = 0;            ///< 0 … 60 … for so long; 0: always.
  float homing_turns_s = 0;     ///< 0 … 4. It turns toward the ship by so much a second at most …
  float homing_s = 0;           ///< 0 … 60 … for so long.
  float split_s = 0;            ///< 0 … 60. After so long it ends and plays each shot of `split_into` once, from its place.
  i32 split_into = -1;          ///< Row of the pattern book, or −1.
  // What it is.
  BulletShape shape = BulletShape::Orb;
  float size = 14;              ///< 4 … 96. Diameter of the outline as drawn; what hits is `hit_size`.
  float hit_size = 5;           ///< 1 … 96. Diameter.
  float r = 1.0f, g = 0.3f, b = 0.45f;  ///< Rim, linear.
  // Laser.
  float warn_s = 0.8f, on_s = 1.2f;     ///< 0.1 … 60.
  float sweep_turns_s = 0;      ///< −1 … 1. It turns while it burns.
};

/// Shots that are played together, one list for each difficulty.
struct PatternDef {
  std::string name;             ///< Unique in the book: the file's stem, or "stem.part".
  std::array<std::vector<ShotDef>, kDifficultyCount> shots;
};
/// All patterns of the game; split_into and stages name rows of it.
using PatternBook = std::vector<PatternDef>;

inline constexpr std::size_t kMostPatterns = 256, kMostShotsAPattern = 16;

}  // namespace spellpool::frame
