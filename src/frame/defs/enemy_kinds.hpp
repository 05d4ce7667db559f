#pragma once
// The shooter's enemies, one row each: how it plays and how it is drawn. A new row needs a shader of its own, or that
// of another row.
#include <array>
#include <string_view>

#include "core/enum_table.hpp"
#include "frame/render_snapshot.hpp"

namespace spellpool::frame {

enum class EnemyKind : u8 { Lantern, Firefly, Umbrella, Crane, Drum, Carp, Moth };

/// How an enemy's shader is placed.
enum class EnemyShape : u8 {
  Upright,  ///< shaders/sprite.vert.
  Flying,   ///< shaders/flying.vert: turned the way it flies.
};

struct EnemyKindRow {
  EnemyKind id;
  std::string_view name, description;
  u32 parts;                    ///< 0: it comes in waves. A boss: how many enemies it consists of; 3 are a heart and two wings.
  // In the game.
  float health;                 ///< A shot of level 0 takes 1. A boss has that of its phases.
  float radius;                 ///< Of what shots hit and the ship must not touch.
  float size;                   ///< As drawn.
  u32 points;
  u8 spell;                     ///< Whose burst it goes in.
  // As drawn: its figure gets p0 hit flash, p1 there, p2 idle motion (SpriteKind).
  std::string_view shader;      ///< Of shaders/.
  EnemyShape shape;
  std::array<float, 4> quad;    ///< As FigureRow::step (render/figures.hpp).
  float r, g, b;                ///< Tint.
  float phase_steps;            ///< Of its idle motion.
  float light;                  ///< Radius of what it throws on the ground.
  float struck;                 ///< Share of a hit's flash: what is struck ten times a second must not lose its face.
};
inline constexpr std::array kEnemyKinds = {
    EnemyKindRow{EnemyKind::Lantern,
                 "lantern",
                 "a paper lantern that drifts",
                 0,
                 12.0f,
                 19.0f,
                 54.0f,
                 300,
                 0,
                 "lantern.frag",
                 EnemyShape::Upright,
                 {0.62f, 0.62f, 0.0f, 0.0f},
                 1.00f,
                 0.34f,
                 0.08f,
                 150.0f,
                 130.0f,
                 0.30f},
    EnemyKindRow{EnemyKind::Firefly,
                 "firefly",
                 "small, fast, in swarms",
                 0,
                 3.0f,
                 12.0f,
                 34.0f,
                 100,
                 6,
                 "firefly.frag",
                 EnemyShape::Flying,
                 {0.64f, 0.64f, 0.0f, 0.0f},
                 0.62f,
                 1.00f,
                 0.16f,
                 14.0f,
                 80.0f,
                 0.30f},
    EnemyKindRow{EnemyKind::Umbrella,
                 "umbrella",
                 "spins, and throws rings",
                 0,
                 30.0f,
                 24.0f,
                 64.0f,
                 800,
                 3,
                 "umbrella.frag",
                 EnemyShape::Upright,
                 {0.60f, 0.60f, 0.0f, 0.0f},
                 0.92f,
                 0.13f,
                 0.12f,
                 180.0f,
                 130.0f,
                 0.30f},
    EnemyKindRow{EnemyKind::Crane,
                 "crane",
                 "a folded crane that swoops and aims",
                 0,
                 10.0f,
                 18.0f,
                 54.0f,
                 400,
                 1,
                 "crane.frag",
                 EnemyShape::Flying,
                 {0.60f, 0.60f, 0.0f, 0.0f},
                 1.00f,
                 0.44f,
                 0.28f,
                 46.0f,
                 110.0f,
                 0.30f},
    EnemyKindRow{EnemyKind::Drum,
                 "drum",
                 "slow and hard, beats walls",
                 0,
                 70.0f,
                 28.0f,
                 68.0f,
                 1500,
                 4,
                 "drum.frag",
                 EnemyShape::Upright,
                 {0.60f, 0.60f, 0.0f, 0.0f},
                 1.00f,
                 0.30f,
                 0.16f,
                 60.0f,
                 150.0f,
                 0.30f},
    EnemyKindRow{EnemyKind::Carp,
                 "carp",
                 "mid-boss: a streamer carp",
                 1,
                 0.0f,
                 44.0f,
                 150.0f,
                 20'000,
                 7,
                 "carp.frag",
                 EnemyShape::Flying,
                 {0.56f, 0.36f, 0.0f, 0.0f},
                 1.00f,
                 0.20f,
                 0.07f,
                 80.0f,
                 260.0f,
                 0.22f},
    // Its figure is the heart; the wings are SpriteKind::MothWing.
    EnemyKindRow{EnemyKind::Moth,
                 "moth",
                 "boss: a moth of light, two wings and a heart",
                 3,
                 0.0f,
                 36.0f,
                 140.0f,
                 50'000,
                 2,
                 "moth_heart.frag",
                 EnemyShape::Upright,
                 {0.40f, 0.58f, 0.0f, 0.0f},
                 1.00f,
                 0.52f,
                 0.22f,
                 70.0f,
                 330.0f,
                 0.22f},
};
inline constexpr std::size_t kEnemyKindCount = kEnemyKinds.size();
static_assert(rows_in_order(kEnemyKinds));

constexpr const EnemyKindRow& row(EnemyKind kind) { return kEnemyKinds[static_cast<std::size_t>(kind)]; }
constexpr bool is_boss(const EnemyKindRow& row) { return row.parts > 0; }
constexpr bool comes_in_waves(const EnemyKindRow& row) { return row.parts == 0; }

inline constexpr std::size_t kSpriteKindCount = static_cast<std::size_t>(SpriteKind::FirstEnemy) + kEnemyKindCount;
/// Its figure: the kinds follow SpriteKind::FirstEnemy in their order.
constexpr SpriteKind figure_of(EnemyKind kind) {
  return static_cast<SpriteKind>(static_cast<std::size_t>(SpriteKind::FirstEnemy) + static_cast<std::size_t>(kind));
}

}  // namespace spellpool::frame
