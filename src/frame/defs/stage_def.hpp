#pragma once
// A stage of the shooter as plain data: what content/ reads from assets/stages/*.toml and sim/ plays.
#include <array>
#include <string>
#include <vector>

#include "core/enum_table.hpp"
#include "frame/defs/enemy_kinds.hpp"

namespace spellpool::frame {

/// The shooter's field, world units: its middle is (0, 0), y points down.
inline constexpr float kFieldHalfWidth = 300.0f, kFieldHalfHeight = 360.0f;

/// What an enemy leaves behind.
enum class PickupKind : u8 { None, Power, Magnet, Shield, Bomb, Star };
struct PickupKindName {
  PickupKind id;
  std::string_view name, description;
};
inline constexpr std::array kPickupKinds = {
    PickupKindName{PickupKind::None, "none", "nothing"},
    PickupKindName{PickupKind::Power, "power", "a step of shot level"},
    PickupKindName{PickupKind::Magnet, "magnet", "draws pickups for eight seconds"},
    PickupKindName{PickupKind::Shield, "shield", "takes one hit"},
    PickupKindName{PickupKind::Bomb, "bomb", "one more bomb"},
    PickupKindName{PickupKind::Star, "star", "score; also what cleared bullets become"},
};
static_assert(rows_in_order(kPickupKinds));

/// A place on the way: reached `time_s` after the one before it, eased in and out. Absolute, in the field.
struct PathPoint {
  float x = 0, y = 0;           ///< −600 … 600 each.
  float time_s = 1;             ///< 0.1 … 60; of the first point not used: there it appears.
};
inline constexpr std::size_t kMostPathPoints = 16;

/// Some of a kind, one after the other on the same way.
struct WaveDef {
  float at_s = 0;               ///< Of the stage's clock, which stands still while a boss lives. 0 … 3,600.
  EnemyKind kind{};
  u32 count = 1;                ///< 1 … 100.
  float every_s = 0.5f;         ///< 0 … 60.
  std::vector<PathPoint> path;  ///< 2 … kMostPathPoints; past the last one it is gone.
  float step_x = 0, step_y = 0; ///< Each next one flies so much beside the one before. −600 … 600.
  bool mirror = false;          ///< Every other one flies the way mirrored (x → −x).
  i32 pattern = -1;             ///< Row of the pattern book, or −1: it does not fire.
  float fire_s = 0.5f;          ///< It begins to fire so long after it appears. 0 … 60.
  float health = 1;             ///< Times the kind's. 0.1 … 100.
  PickupKind drops = PickupKind::None;  ///< Of each `drop_every`-th one.
  u32 drop_every = 1;           ///< 1 … 100.
};

struct BossPhase {
  std::string title;            ///< Shown as it begins; up to 60 bytes.
  float health = 500;           ///< 1 … 100,000.
  float time_s = 40;            ///< 5 … 300. Then the phase is over, without its bonus.
  std::vector<i32> patterns;    ///< 1 … 4 rows of the book, played together from 1 s on.
  std::vector<PathPoint> path;  ///< Begins at the first point, then round and round through the others. 1 … kMostPathPoints.
};
struct BossDef {
  float at_s = 0;               ///< Of the stage's clock.
  EnemyKind kind{};             ///< One that is_boss().
  std::string title;            ///< Up to 60 bytes.
  std::vector<BossPhase> phases;  ///< 1 … 8.
};

struct StageDef {
  std::string name;             ///< The file's stem.
  std::string title;            ///< Up to 60 bytes.
  std::vector<WaveDef> waves;   ///< By rising at_s. 1 … kMostWaves.
  std::vector<BossDef> bosses;  ///< By rising at_s. 0 … 4; the stage is won when all waves are through and the last boss fell.
};
inline constexpr std::size_t kMostWaves = 512, kMostBosses = 4;

}  // namespace spellpool::frame
