// The spells of the spells scene and its finale, at their best moment.
#include <algorithm>
#include <array>
#include <cmath>

#include "staged_scene.hpp"

namespace spellpool::render::test {
namespace {

using frame::ParticleShape;
using frame::SpriteKind;

constexpr float kTurn = 6.2831853f;

frame::SpriteInstance& tinted(frame::SpriteInstance& s, float r, float g, float b) {
  s.r = r;
  s.g = g;
  s.b = b;
  return s;
}

}  // namespace

frame::SpriteInstance& StagedScene::wisp(float x, float y, float r, float g, float b, float there, float hit,
                                         float phase) {
  light(x, y, 80.0f, 0.22f * r * there, 0.22f * g * there, 0.22f * b * there);
  frame::SpriteInstance& s = tinted(sprite(SpriteKind::Wisp, x, y, 34.0f), r, g, b);
  s.p0 = hit;
  s.p1 = there;
  s.p2 = phase;
  return s;
}

frame::SpriteInstance& StagedScene::arc(float x, float y, float to_x, float to_y, float age, float seed) {
  const float strength = (1.0f - age) * (1.0f - age);
  for (int i = 0; i <= 2; ++i) {
    const float t = 0.5f * static_cast<float>(i);
    light(x + (to_x - x) * t, y + (to_y - y) * t, 150.0f, 0.42f * strength, 0.34f * strength, 1.0f * strength);
  }
  frame::SpriteInstance& s = tinted(sprite(SpriteKind::Arc, x, y, 6.0f), 0.62f, 0.50f, 1.0f);
  s.p0 = to_x;
  s.p1 = to_y;
  s.p2 = age;
  s.angle_turns = seed;
  return s;
}

void StagedScene::chain(std::span<const std::array<float, 2>> places, float age) {
  for (std::size_t i = 0; i + 1 < places.size(); ++i) {
    arc(places[i][0], places[i][1], places[i + 1][0], places[i + 1][1],
        std::max(0.0f, age - 0.10f * static_cast<float>(i)), 0.13f + 0.27f * static_cast<float>(i));
    for (int k = 0; k < 90; ++k) {
      const float turn = chance(0, kTurn);
      const float speed = chance(0.5f, 5.0f);
      const float reach = speed * chance(1, 7);
      additive(places[i + 1][0] + std::cos(turn) * reach, places[i + 1][1] + std::sin(turn) * reach,
               std::cos(turn) * speed, std::sin(turn) * speed,
               {0.62f, 0.50f, 1.0f, chance(0.4f, 1.0f), chance(3, 7), 2.0f, ParticleShape::Spark, 0});
    }
  }
}

void StagedScene::meteor(float x, float y, float radius, float time) {
  frame::SpriteInstance& mark = tinted(sprite(SpriteKind::Mark, x, y, 2.0f * radius), 1.0f, 0.28f, 0.07f);
  mark.p0 = radius;
  mark.p1 = time;
  mark.p2 = std::min(1.0f, 8.0f * time);
  const float far = 330.0f * (1.0f - time);
  const float angle = 0.18f;
  const float ux = std::cos(angle * kTurn);
  const float uy = std::sin(angle * kTurn);
  const float at_x = x - ux * far;
  const float at_y = y - uy * far;
  for (int i = 0; i < 500; ++i) {
    const float age = chance(0, 1);
    const float side = chance(-1, 1) * (8.0f + 26.0f * age);
    additive(at_x - ux * 170.0f * age - uy * side, at_y - uy * 170.0f * age + ux * side, ux * 2.0f, uy * 2.0f - 0.6f,
             {1.0f, 0.42f - 0.34f * age, 0.10f * (1.0f - age), 1.0f - 0.8f * age, chance(4, 11), 1.6f,
              i % 3 == 0 ? ParticleShape::Spark : ParticleShape::Glow, 0});
    if (i % 14 == 0)
      matter(at_x - ux * 210.0f * age - uy * side, at_y - uy * 210.0f * age + ux * side, 0, 0,
             {0.25f, 0.21f, 0.22f, 0.24f * age, chance(30, 70), 1.0f, ParticleShape::Smoke, chance(0, 1)});
  }
  frame::SpriteInstance& rock = tinted(sprite(SpriteKind::Meteor, at_x, at_y, 46.0f), 1.0f, 0.36f, 0.08f);
  rock.angle_turns = angle;
  rock.p0 = 1.0f;
  light(at_x, at_y + 40.0f, 190.0f, 0.9f, 0.36f, 0.10f);
  light(x, y, radius * 1.3f, 0.25f * time, 0.08f * time, 0.02f * time);
}

void StagedScene::impact(float x, float y, float radius, float fade) {
  frame::SpriteInstance& ring = tinted(sprite(SpriteKind::ShockRing, x, y, 2.0f * radius), 1.0f, 0.62f, 0.34f);
  ring.p0 = radius;
  ring.p1 = fade;
  for (int i = 0; i < 1500; ++i) {
    const float turn = chance(0, kTurn);
    const float reach = radius * (0.15f + 0.85f * std::sqrt(chance(0, 1)));
    const float far = reach / radius;
    additive(x + std::cos(turn) * reach, y + std::sin(turn) * reach - 20.0f * chance(0, 1), std::cos(turn) * 5.0f,
             std::sin(turn) * 5.0f,
             {1.0f, 0.55f - 0.42f * far, 0.20f - 0.18f * far, 1.0f - 0.6f * far, chance(4, 10), 1.8f,
              i % 2 == 0 ? ParticleShape::Spark : ParticleShape::Glow, 0});
    if (i % 30 == 0)
      matter(x + std::cos(turn) * reach * 0.7f, y + std::sin(turn) * reach * 0.7f - 14.0f, 0, 0,
             {0.28f, 0.23f, 0.22f, 0.30f, chance(40, 90), 1.0f, ParticleShape::Smoke, chance(0, 1)});
    if (i % 40 == 0)
      matter(x + std::cos(turn) * reach * 1.1f, y + std::sin(turn) * reach * 1.1f - chance(0, 40), 3, -2,
             {0.20f, 0.17f, 0.18f, 1.0f, chance(6, 13), 1.0f, ParticleShape::Shard, chance(0, 1)});
  }
  light(x, y, radius * 1.9f, 1.3f, 0.52f, 0.16f);
}

void StagedScene::healing(float x, float y, float radius) {
  frame::SpriteInstance& aura = tinted(sprite(SpriteKind::Aura, x, y, 2.0f * radius), 1.0f, 0.58f, 0.14f);
  aura.p0 = radius;
  aura.p1 = 1.0f;
  aura.p2 = 0.03f;
  for (int i = 0; i < 240; ++i) {
    const float turn = chance(0, kTurn);
    const float reach = radius * std::sqrt(chance(0, 1));
    const float up = chance(0, 1);
    additive(x + std::cos(turn) * reach, y + std::sin(turn) * reach - 90.0f * up, 0, -0.7f,
             {1.0f, 0.58f, 0.16f, (1.0f - up) * 0.9f, chance(4, 10), 1.5f,
              i % 6 == 0 ? ParticleShape::Star : ParticleShape::Glow, chance(0, 1)});
  }
  for (int i = 0; i < 5; ++i) {
    const float turn = 0.9f + 1.2f * static_cast<float>(i);
    const float px = x + std::cos(turn) * radius * 1.35f;
    const float py = y + std::sin(turn) * radius * 1.1f;
    for (int k = 0; k < 26; ++k) {
      const float back = static_cast<float>(k) / 26.0f;
      additive(px + std::sin(turn - 0.5f * back) * 0.0f - std::cos(turn + 1.57f) * 60.0f * back + chance(-2, 2),
               py - std::sin(turn + 1.57f) * 60.0f * back + chance(-2, 2), 0, 0,
               {1.0f, 0.58f, 0.16f, 0.8f * (1.0f - back), chance(3, 6), 1.5f, ParticleShape::Glow, 0});
    }
    tinted(sprite(SpriteKind::Seeker, px, py, 18.0f), 1.0f, 0.62f, 0.18f).angle_turns = (turn + 1.57f) / kTurn;
    light(px, py, 60.0f, 0.25f, 0.18f, 0.06f);
  }
  light(x, y, radius * 1.7f, 0.50f, 0.29f, 0.07f);
}

void StagedScene::starfall(float x, float y, float radius) {
  const float ux = -0.35f;
  const float uy = 0.94f;
  for (int i = 0; i < 12; ++i) {
    const float turn = chance(0, kTurn);
    const float reach = radius * std::sqrt(chance(0, 1));
    const float left = chance(0, 190);
    const float px = x + std::cos(turn) * reach - ux * left;
    const float py = y + std::sin(turn) * reach - uy * left;
    const float cold = chance(0, 1);
    for (int k = 0; k < 30; ++k) {
      const float back = static_cast<float>(k) / 30.0f;
      additive(px - ux * 150.0f * back + chance(-3, 3) * back, py - uy * 150.0f * back + chance(-3, 3) * back, ux * 2,
               uy * 2,
               {0.55f + 0.4f * cold, 0.70f, 1.0f - 0.3f * cold, 0.7f * (1.0f - back), chance(2, 6), 1.6f,
                k % 5 == 0 ? ParticleShape::Star : ParticleShape::Glow, chance(0, 1)});
    }
    frame::SpriteInstance& star =
        tinted(sprite(SpriteKind::Star, px, py, 30.0f), 0.60f + 0.4f * cold, 0.74f, 1.0f - 0.35f * cold);
    star.angle_turns = std::atan2(uy, ux) / kTurn;
    star.p0 = chance(0, 1);
    light(px, py, 80.0f, 0.28f, 0.32f, 0.42f);
  }
}

void StagedScene::fog(float x, float y, float radius, int count) {
  for (int i = 0; i < count; ++i) {
    const float turn = chance(0, kTurn);
    const float reach = radius * std::sqrt(chance(0, 1));
    const float px = x + std::cos(turn) * reach;
    const float py = y + std::sin(turn) * reach * 0.8f;
    matter(px, py, 0.3f, 0, {0.16f, 0.42f, 0.10f, 0.20f, chance(50, 110), 1.4f, ParticleShape::Smoke, chance(0, 1)});
    additive(px, py, 0, -0.4f, {0.30f, 1.0f, 0.14f, chance(0.1f, 0.5f), chance(3, 9), 1.2f, ParticleShape::Glow, 0});
  }
  light(x, y, radius * 1.5f, 0.16f, 0.55f, 0.08f);
}

void StagedScene::finale(int count, float how_far) {
  base.finale = how_far;
  base.runes_lit = 12.0f;
  for (int i = 0; i < 12; ++i) {
    const float turn = static_cast<float>(i) * kTurn / 12.0f;
    frame::SpriteInstance& s = tinted(
        sprite(SpriteKind::Pillar, 300.0f * std::sin(turn), -300.0f * std::cos(turn), 26.0f), 1.0f, 0.52f, 0.14f);
    s.p0 = 190.0f;
    s.p1 = how_far;
  }
  // A wheel of sparks in the colours of the spells, dense along its arms, with the middle left dark.
  constexpr std::array<std::array<float, 3>, 6> kHues = {{{1.0f, 0.24f, 0.04f},
                                                          {1.0f, 0.56f, 0.12f},
                                                          {0.14f, 0.62f, 1.0f},
                                                          {0.40f, 0.26f, 1.0f},
                                                          {1.0f, 0.06f, 0.50f},
                                                          {0.18f, 1.0f, 0.16f}}};
  for (int i = 0; i < count; ++i) {
    const float arm = std::floor(chance(0, 6));
    const float t = std::pow(chance(0, 1), 0.7f);
    const float scatter = chance(-1, 1) * chance(0, 1);
    const float turn = (arm / 6.0f) * kTurn + 2.4f * t + scatter * (0.30f + 0.25f * t);
    const float reach = 78.0f + 205.0f * t + chance(-9, 9);
    const auto& hue = kHues[static_cast<std::size_t>(arm) % kHues.size()];
    const float pale = chance(0, 1) < 0.08f ? 0.6f : 0.0f;
    const float px = reach * std::cos(turn);
    const float py = reach * std::sin(turn);
    const float speed = chance(1.5f, 5.0f);
    const float kind = chance(0, 1);
    additive(px, py, -std::sin(turn) * speed + std::cos(turn), std::cos(turn) * speed + std::sin(turn),
             {hue[0] + (1 - hue[0]) * pale, hue[1] + (1 - hue[1]) * pale, hue[2] + (1 - hue[2]) * pale,
              chance(0.35f, 1.0f), chance(3, 9), 3.0f,
              kind < 0.5f ? ParticleShape::Spark : (kind < 0.53f ? ParticleShape::Star : ParticleShape::Glow),
              chance(0, 1)});
  }
  for (int arm = 0; arm < 6; ++arm) {
    const float turn = static_cast<float>(arm) / 6.0f * kTurn + 1.1f;
    const auto& hue = kHues[static_cast<std::size_t>(arm)];
    light(180.0f * std::cos(turn), 180.0f * std::sin(turn), 150.0f, 0.5f * hue[0], 0.5f * hue[1], 0.5f * hue[2]);
  }
}

}  // namespace spellpool::render::test
