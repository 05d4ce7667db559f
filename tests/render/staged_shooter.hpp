#pragma once
// The shooter's figures in staged scenes.
#include "staged_scene.hpp"

namespace spellpool::render::test {

/// A figure as the shooter shows it: its own size and hue, in the middle of its life.
frame::SpriteInstance shooter_figure(frame::SpriteKind kind, float x, float y, float times = 1.0f);

/// The moth at its middle: two wings and the heart.
void add_moth(StagedScene& scene, float x, float y, float beat, float there = 1.0f, float hit = 0.0f);

/// From (x, y) to the other place, at this stage of its life (SpriteKind::Beam, p2).
void add_beam(StagedScene& scene, float x, float y, float to_x, float to_y, float width, float stage);

}  // namespace spellpool::render::test
