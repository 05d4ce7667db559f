#pragma once
// Faint motes over the arena and stars beyond it: a few hundred soft dots on the finished picture, which drift with the
// camera, each at its own depth. Worked out here for both drawing paths, so that they agree on every star.
#include <array>

#include "render/view.hpp"

namespace spellpool::render {

inline constexpr std::size_t kDustDots = 520;

/// A soft dot, as shaders/dust.vert reads it.
struct DustDot {
  float x = 0, y = 0;         ///< Units of the world.
  float size = 0;             ///< Diameter, units.
  float r = 0, g = 0, b = 0;  ///< Its own display colour …
  float lit = 0;              ///< … to which this part of the ground's light is added: motes are seen by light alone.
};

/// All dots at a time. finale 0 … 1 makes the stars wheel a little and burn brighter.
void place_dust(const View& view, float time_s, float finale, bool garden, std::array<DustDot, kDustDots>& dots);

}  // namespace spellpool::render
