#include "staged_shooter.hpp"

#include <algorithm>
#include <array>

#include "frame/defs/enemy_kinds.hpp"

namespace spellpool::render::test {

using frame::SpriteInstance;
using frame::SpriteKind;

namespace {

/// Of those that are no kind of enemy.
struct Dress {
  SpriteKind kind;
  float size;
  float r, g, b;
};
constexpr std::array kDresses = {
    Dress{SpriteKind::Ship, 34, 0.35f, 0.75f, 1.0f},      Dress{SpriteKind::Hitbox, 28, 1.0f, 0.30f, 0.45f},
    Dress{SpriteKind::MothWing, 124, 1.0f, 0.42f, 0.16f}, Dress{SpriteKind::Pickup, 22, 1.0f, 1.0f, 1.0f},
    Dress{SpriteKind::Beam, 16, 1.0f, 0.10f, 0.42f},      Dress{SpriteKind::Boulder, 56, 1.0f, 1.0f, 1.0f},
};

Dress dress_of(SpriteKind kind) {
  for (const frame::EnemyKindRow& row : frame::kEnemyKinds) {
    if (figure_of(row.id) == kind) return {kind, row.size, row.r, row.g, row.b};
  }
  return kDresses[static_cast<std::size_t>(kind) - static_cast<std::size_t>(SpriteKind::Ship)];
}

bool flies(SpriteKind kind) {
  return std::ranges::any_of(frame::kEnemyKinds,
                             [&](const frame::EnemyKindRow& row) { return figure_of(row.id) == kind && row.shape == frame::EnemyShape::Flying; });
}

}  // namespace

SpriteInstance shooter_figure(SpriteKind kind, float x, float y, float times) {
  const Dress dress = dress_of(kind);
  SpriteInstance s;
  s.kind = static_cast<u32>(kind);
  s.x = s.previous_x = x;
  s.y = s.previous_y = y;
  s.size = dress.size * times;
  s.r = dress.r;
  s.g = dress.g;
  s.b = dress.b;
  if (kind != SpriteKind::Ship) s.p1 = 1.0f;
  s.p2 = kind == SpriteKind::Ship ? 0.0f : 0.15f;
  if (kind == SpriteKind::Hitbox) s.p0 = 1.0f;
  if (kind == SpriteKind::Pickup) s.p0 = 1.0f;
  if (kind == SpriteKind::Beam) {
    s.p0 = x + 180.0f;
    s.p1 = y;
    s.p2 = 1.5f;
  }
  if (flies(kind)) s.angle_turns = 0.25f;
  return s;
}

void add_moth(StagedScene& scene, float x, float y, float beat, float there, float hit) {
  for (const float side : {1.0f, -1.0f}) {
    SpriteInstance wing = shooter_figure(SpriteKind::MothWing, x, y);
    wing.x = wing.previous_x = x + side * 0.54f * wing.size;
    wing.angle_turns = side > 0.0f ? 0.0f : 0.5f;
    wing.p0 = hit;
    wing.p1 = there;
    wing.p2 = beat;
    scene.sprites.push_back(wing);
  }
  SpriteInstance heart = shooter_figure(figure_of(frame::EnemyKind::Moth), x, y);
  heart.p0 = hit;
  heart.p1 = there;
  heart.p2 = beat;
  scene.sprites.push_back(heart);
}

void add_beam(StagedScene& scene, float x, float y, float to_x, float to_y, float width, float stage) {
  SpriteInstance beam = shooter_figure(SpriteKind::Beam, x, y);
  beam.p0 = to_x;
  beam.p1 = to_y;
  beam.p2 = stage;
  beam.size = width;
  scene.sprites.push_back(beam);
}

}  // namespace spellpool::render::test
