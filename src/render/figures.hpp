#pragma once
// The table of figures (frame::SpriteKind): which program draws each and how much room it needs.
#include <algorithm>
#include <array>
#include <cmath>

#include "frame/render_snapshot.hpp"
#include "render/shader_library.hpp"

namespace spellpool::render {

// How each figure is drawn. The quad reaches beyond the figure for its glow and shadow; `rise` is how far the figure's
// middle stands above its place. All in figure heights.
struct FigureRow {
  frame::SpriteKind id;
  ProgramId program;
  float half_width, half_height, middle, rise;
  GLsizei vertices;
};
inline constexpr std::array kFigures = {
    FigureRow{frame::SpriteKind::Mage, ProgramId::Mage, 0.98f, 0.98f, 0.05f, 0.18f, 4},
    FigureRow{frame::SpriteKind::Dummy, ProgramId::Dummy, 0.46f, 0.60f, -0.03f, 0.18f, 4},
    FigureRow{frame::SpriteKind::Crystal, ProgramId::Crystal, 0.64f, 0.66f, -0.07f, 0.18f, 4},
    FigureRow{frame::SpriteKind::Bolt, ProgramId::Bolt, 1.30f, 1.30f, 0.0f, 0.0f, 4},
    FigureRow{frame::SpriteKind::NovaRing, ProgramId::NovaRing, 0, 0, 0, 0, 122},
    FigureRow{frame::SpriteKind::VortexCore, ProgramId::VortexCore, 0, 0, 0, 0, 4},
    FigureRow{frame::SpriteKind::Reticle, ProgramId::Reticle, 0.56f, 0.56f, 0.0f, 0.0f, 4},
};
static_assert(rows_in_order(kFigures));

// How far from its place anything of a figure is drawn, in units.
inline float figure_reach(const frame::SpriteInstance& sprite) {
  switch (static_cast<frame::SpriteKind>(sprite.kind)) {
    case frame::SpriteKind::NovaRing:
      return 1.25f * std::max(sprite.p0, 0.5f);
    case frame::SpriteKind::VortexCore:
      return 0.45f * std::max(sprite.p0, 2.5f);
    default:
      break;
  }
  if (sprite.kind >= kFigures.size()) return 0.0f;
  const FigureRow& row = kFigures[sprite.kind];
  return sprite.size * (std::max(row.half_width, row.half_height) + std::fabs(row.middle) + row.rise);
}

}  // namespace spellpool::render
