#include "staged_shooter.hpp"

namespace spellpool::render::test {

using frame::SpriteInstance;
using frame::SpriteKind;

namespace {

struct Dress {
  SpriteKind kind;
  float size;
  float r, g, b;
};
constexpr std::array kDresses = {
    Dress{SpriteKind::Ship, 34, 0.35f, 0.75f, 1.0f},        Dress{SpriteKind::Hitbox, 28, 1.0f, 0.30f, 0.45f},
    Dress{SpriteKind::Lantern, 52, 1.0f, 0.34f, 0.08f},     Dress{SpriteKind::Firefly, 34, 0.62f, 1.0f, 0.16f},
    Dress{SpriteKind::Umbrella, 60, 0.92f, 0.13f, 0.12f},   Dress{SpriteKind::Crane, 58, 1.0f, 0.44f, 0.28f},
    Dress{SpriteKind::Drum, 62, 1.0f, 0.30f, 0.16f},        Dress{SpriteKind::Carp, 150, 1.0f, 0.20f, 0.07f},
    Dress{SpriteKind::MothHeart, 130, 1.0f, 0.52f, 0.22f},  Dress{SpriteKind::MothWing, 124, 1.0f, 0.42f, 0.16f},
    Dress{SpriteKind::Pickup, 22, 1.0f, 1.0f, 1.0f},        Dress{SpriteKind::Beam, 16, 1.0f, 0.10f, 0.42f},
};

}  // namespace

SpriteInstance shooter_figure(SpriteKind kind, float x, float y, float times) {
  const Dress& dress = kDresses[static_cast<std::size_t>(kind) - static_cast<std::size_t>(SpriteKind::Ship)];
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
  if (kind == SpriteKind::Firefly || kind == SpriteKind::Crane || kind == SpriteKind::Carp) s.angle_turns = 0.25f;
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
  SpriteInstance heart = shooter_figure(SpriteKind::MothHeart, x, y);
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
