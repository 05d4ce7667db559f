#pragma once
// The shapes of the ring's twelve runes, for both drawing paths: the distance to each rune's strokes, worked out once.
// OpenGL reads them as a texture (shaders/runes.glsl), the CPU renderer as they are.
//
// Layout  kRunes squares of kRuneSide² distances side by side, lowest row first, in heights of a rune. A square covers
//         -1 to 1 in both directions, y up; the rune itself -0.5 to 0.5.
// Cost    about 10 ms, once.
#include <vector>

#include "render/gl/render_target.hpp"

namespace spellpool::render {

inline constexpr int kRunes = 12;
inline constexpr int kRuneSide = 128;
inline constexpr int kRuneStripWidth = kRunes * kRuneSide;

std::vector<float> rune_distances();
Texture make_rune_strip(const std::vector<float>& distances);

}  // namespace spellpool::render
