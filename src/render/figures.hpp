#pragma once
// The table of figures (frame::SpriteKind): which program draws each and how much room it needs. Those of the shooter's
// enemies come from frame::kEnemyKinds.
#include <algorithm>
#include <array>
#include <cmath>

#include "frame/defs/enemy_kinds.hpp"
#include "frame/render_snapshot.hpp"
#include "render/gl/shader_library.hpp"
#include "render/view.hpp"

namespace spellpool::render {

// How each figure is drawn. `step` is the input of its vertex shader that describes the figure's shape:
//   sprite.vert  half width and half height of the quad, height of its middle, and how far the figure's middle stands
//                above its place, all in figure heights. The quad reaches beyond the figure for its glow and shadow.
//   flying.vert  half length and half width of a quad that is turned along the flight, its middle along the flight, 0
//   disc.vert    half side of the quad, in radii
//   band.vert    inner and outer edge of the band, in radii
//   beam.vert    half width of the quad in widths
struct FigureRow {
  frame::SpriteKind id;
  ProgramId program;
  std::array<float, 4> step;
  GLsizei vertices;
};
inline constexpr GLsizei kBandVertices = 122;  // 60 pieces; as in shaders/band.vert.
inline constexpr GLsizei kArcVertices = 312;   // 6 strips of 25 points and two that join; as in shaders/arc.vert.
inline constexpr std::array kFixedFigures = {
    FigureRow{frame::SpriteKind::Mage, ProgramId::Mage, {0.98f, 0.98f, 0.05f, 0.18f}, 4},
    FigureRow{frame::SpriteKind::Dummy, ProgramId::Dummy, {0.46f, 0.60f, -0.03f, 0.18f}, 4},
    FigureRow{frame::SpriteKind::Crystal, ProgramId::Crystal, {0.64f, 0.66f, -0.07f, 0.18f}, 4},
    FigureRow{frame::SpriteKind::Bolt, ProgramId::Bolt, {1.30f, 1.30f, 0.0f, 0.0f}, 4},
    FigureRow{frame::SpriteKind::NovaRing, ProgramId::NovaRing, {0.34f, 1.20f, 0.0f, 0.0f}, kBandVertices},
    FigureRow{frame::SpriteKind::VortexCore, ProgramId::VortexCore, {0.0f, 0.0f, 0.0f, 0.0f}, 4},
    FigureRow{frame::SpriteKind::Reticle, ProgramId::Reticle, {0.80f, 0.80f, 0.0f, 0.0f}, 4},
    FigureRow{frame::SpriteKind::Wisp, ProgramId::Wisp, {1.00f, 1.10f, -0.10f, 0.0f}, 4},
    FigureRow{frame::SpriteKind::Arc, ProgramId::Arc, {0.0f, 0.0f, 0.0f, 0.0f}, kArcVertices},
    FigureRow{frame::SpriteKind::Mark, ProgramId::Mark, {1.16f, 0.0f, 0.0f, 0.0f}, 4},
    FigureRow{frame::SpriteKind::Meteor, ProgramId::Meteor, {2.05f, 1.00f, -1.05f, 0.0f}, 4},
    FigureRow{frame::SpriteKind::ShockRing, ProgramId::ShockRing, {0.55f, 1.22f, 0.0f, 0.0f}, kBandVertices},
    FigureRow{frame::SpriteKind::Aura, ProgramId::Aura, {1.06f, 0.0f, 0.0f, 0.0f}, 4},
    FigureRow{frame::SpriteKind::Star, ProgramId::Star, {2.40f, 1.20f, -1.10f, 0.0f}, 4},
    FigureRow{frame::SpriteKind::Seeker, ProgramId::Seeker, {1.60f, 0.80f, -0.75f, 0.0f}, 4},
    FigureRow{frame::SpriteKind::Pillar, ProgramId::Pillar, {1.90f, 0.0f, 0.0f, 0.0f}, 4},
    FigureRow{frame::SpriteKind::Ship, ProgramId::Ship, {0.72f, 0.72f, 0.0f, 0.0f}, 4},
    FigureRow{frame::SpriteKind::Hitbox, ProgramId::Hitbox, {0.54f, 0.54f, 0.0f, 0.0f}, 4},
    FigureRow{frame::SpriteKind::MothWing, ProgramId::MothWing, {0.58f, 0.72f, 0.0f, 0.0f}, 4},
    FigureRow{frame::SpriteKind::Pickup, ProgramId::Pickup, {0.70f, 0.70f, 0.0f, 0.0f}, 4},
    FigureRow{frame::SpriteKind::Beam, ProgramId::Beam, {1.20f, 0.0f, 0.0f, 0.0f}, 4},
    FigureRow{frame::SpriteKind::Boulder, ProgramId::Boulder, {0.76f, 0.76f, 0.0f, 0.0f}, 4},
};
static_assert(kFixedFigures.size() == static_cast<std::size_t>(frame::SpriteKind::FirstEnemy));
inline constexpr auto kFigures = [] {
  std::array<FigureRow, frame::kSpriteKindCount> rows{};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (i < kFixedFigures.size()) {
      rows[i] = kFixedFigures[i];
    } else {
      const std::size_t enemy = i - kFixedFigures.size();
      rows[i] = {static_cast<frame::SpriteKind>(i),
                 static_cast<ProgramId>(static_cast<std::size_t>(ProgramId::FirstEnemy) + enemy),
                 frame::kEnemyKinds[enemy].quad, 4};
    }
  }
  return rows;
}();
static_assert(rows_in_order(kFigures));
static_assert(std::ranges::none_of(kFigures, [](const FigureRow& row) { return is_ground(made_for(row.program)); }),
              "a figure's program names the group it is made for");

/// How far from its place, or from the line to its far end, anything of a figure is drawn, in units.
inline float figure_reach(const frame::SpriteInstance& sprite) {
  if (sprite.kind >= kFigures.size()) return 0.0f;
  const std::array<float, 4>& step = kFigures[sprite.kind].step;
  switch (static_cast<frame::SpriteKind>(sprite.kind)) {
    case frame::SpriteKind::NovaRing:
    case frame::SpriteKind::ShockRing:
      return 1.05f * step[1] * std::max(sprite.p0, 0.5f);
    case frame::SpriteKind::VortexCore:
      return 0.45f * std::max(sprite.p0, 2.5f);
    case frame::SpriteKind::Mark:
    case frame::SpriteKind::Aura:
      return step[0] * std::max(sprite.p0, 0.5f);
    case frame::SpriteKind::Arc:
      return 8.0f * sprite.size + 70.0f;  // It sways by at most 40 units, and its forks leave it by 58.
    case frame::SpriteKind::Pillar:
      return step[0] * sprite.size;
    case frame::SpriteKind::Beam:
      return step[0] * std::max(sprite.size, 0.0f) + 4.0f;  // As in shaders/beam.vert.
    default:
      return sprite.size * (std::max(step[0], step[1]) + std::fabs(step[2]) + step[3]);
  }
}

/// Upright: its quad is that of sprite.vert.
inline constexpr auto kUprightFigures = [] {
  std::array<bool, kFigures.size()> upright{};
  for (std::size_t i = 0; i < kFigures.size(); ++i) {
    upright[i] = kPrograms[static_cast<std::size_t>(kFigures[i].program)].vertex == "sprite.vert";
  }
  return upright;
}();

/// What is drawn of a figure lies in this box around its place; of a long one, around each point of its line.
inline Box figure_box(const frame::SpriteInstance& sprite) {
  const float reach = figure_reach(sprite);
  if (sprite.kind >= kFigures.size() || !kUprightFigures[sprite.kind]) return {-reach, -reach, reach, reach};
  const std::array<float, 4>& step = kFigures[sprite.kind].step;  // as shaders/sprite.vert has it
  const float half_width = step[0] * sprite.size, half_height = step[1] * sprite.size,
              middle = -(step[2] + step[3]) * sprite.size;
  return {-half_width, middle - half_height, half_width, middle + half_height};
}

/// Where a figure that is long ends: from `place` (its own) to there it is drawn. For all others `place` again.
inline Point figure_far_end(const frame::SpriteInstance& sprite, Point place) {
  switch (static_cast<frame::SpriteKind>(sprite.kind)) {
    case frame::SpriteKind::Arc:
    case frame::SpriteKind::Beam:
      return {sprite.p0, sprite.p1};
    case frame::SpriteKind::Pillar:
      return {place.x, place.y - std::max(sprite.p0, 0.0f)};
    default:
      return place;
  }
}

}  // namespace spellpool::render
