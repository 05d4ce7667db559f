#include "staged_scene.hpp"

#include <algorithm>
#include <cmath>

namespace spellpool::render::test {
namespace {

using frame::ParticleShape;
using frame::SpriteKind;

i16 place(float value, float scale) {
  return static_cast<i16>(std::clamp(std::lround(value * scale), -32767L, 32767L));
}

u8 byte(float value) { return static_cast<u8>(std::clamp(value, 0.0f, 1.0f) * 255.0f + 0.5f); }

struct Rgb {
  float r, g, b;
};

Rgb mixed(Rgb a, Rgb b, float t) { return {a.r + (b.r - a.r) * t, a.g + (b.g - a.g) * t, a.b + (b.b - a.b) * t}; }

frame::ParticleInstance instance(float x, float y, float dx, float dy, const StagedScene::Look& look,
                                 bool premultiply) {
  const float factor = premultiply ? look.a : 1.0f;
  frame::ParticleInstance p{};
  p.x = place(x, frame::kPositionScale);
  p.y = place(y, frame::kPositionScale);
  p.dx = place(dx, frame::kPositionScale);
  p.dy = place(dy, frame::kPositionScale);
  p.r = byte(look.r * factor);
  p.g = byte(look.g * factor);
  p.b = byte(look.b * factor);
  p.a = byte(look.a);
  p.size = static_cast<u16>(std::clamp(look.size * frame::kSizeScale, 0.0f, 65535.0f));
  const u32 glow = static_cast<u32>(std::clamp(look.glow * 4.0f, 0.0f, 31.0f));
  p.glow_shape = static_cast<u8>(static_cast<u32>(look.shape) | (glow << 3));
  p.angle = static_cast<u8>(static_cast<u32>(std::lround(look.angle_turns * 256.0f)) & 255u);
  return p;
}

}  // namespace

StagedScene::StagedScene(u64 seed) : state_(seed) {}

float StagedScene::chance(float low, float high) {
  Rng rng(state_);
  const float value = rng.range(low, high);
  state_ = rng.state();
  return value;
}

frame::RenderSnapshot StagedScene::snapshot() const {
  frame::RenderSnapshot s = base;
  s.additive_layer = additive_particles;
  s.alpha_layer = matter_particles;
  s.bullet_layer = bullets;
  s.garden = chunks;
  s.sprites = sprites;
  s.lights = lights;
  s.decals = decals;
  return s;
}

void StagedScene::additive(float x, float y, float dx, float dy, const Look& look) {
  additive_particles.push_back(instance(x, y, dx, dy, look, true));
}

void StagedScene::matter(float x, float y, float dx, float dy, const Look& look) {
  matter_particles.push_back(instance(x, y, dx, dy, look, false));
}

frame::SpriteInstance& StagedScene::sprite(SpriteKind kind, float x, float y, float size) {
  frame::SpriteInstance s;
  s.x = s.previous_x = x;
  s.y = s.previous_y = y;
  s.size = size;
  s.kind = static_cast<u32>(kind);
  sprites.push_back(s);
  return sprites.back();
}

void StagedScene::light(float x, float y, float radius, float r, float g, float b) {
  lights.push_back({x, y, x, y, radius, r, g, b});
}

void StagedScene::mage(float x, float y, float angle_turns, float r, float g, float b, float cast) {
  frame::SpriteInstance& s = sprite(SpriteKind::Mage, x, y, 76.0f);
  s.angle_turns = angle_turns;
  s.p0 = cast;
  s.p1 = 0.1f;
  s.r = r;
  s.g = g;
  s.b = b;
  const float glow = 0.22f + 0.5f * cast;
  const float turn = angle_turns * 6.2831853f;
  light(x + 20.0f * std::cos(turn), y + 12.0f * std::sin(turn) - 26.0f, 120.0f + 60.0f * cast, r * glow, g * glow,
        b * glow);
}

void StagedScene::dummy(float x, float y, float hit, float sway, float frost) {
  frame::SpriteInstance& s = sprite(SpriteKind::Dummy, x, y, 64.0f);
  s.p0 = hit;
  s.p1 = sway;
  s.p2 = frost;
}

void StagedScene::crystal(float x, float y, float r, float g, float b, float growth, float cracks, float hit) {
  frame::SpriteInstance& s = sprite(SpriteKind::Crystal, x, y, 56.0f);
  s.p0 = hit;
  s.p1 = growth;
  s.p2 = cracks;
  s.r = r;
  s.g = g;
  s.b = b;
  const float glow = (0.10f + 0.5f * hit) * growth;
  light(x, y, 95.0f, r * glow, g * glow, b * glow);
}

void StagedScene::reticle(float x, float y, float cooldown, float r, float g, float b) {
  frame::SpriteInstance& s = sprite(SpriteKind::Reticle, x, y, 30.0f);
  s.p0 = cooldown;
  s.r = r;
  s.g = g;
  s.b = b;
}

void StagedScene::fire_flight(float from_x, float from_y, float to_x, float to_y, int count) {
  const float length = std::hypot(to_x - from_x, to_y - from_y);
  const float ux = (to_x - from_x) / length;
  const float uy = (to_y - from_y) / length;
  for (int i = 0; i < count; ++i) {
    const float t = chance(0, 1);  // 1 at the bolt
    const float age = 1.0f - t;
    const float side = chance(-1, 1) * (3.0f + 24.0f * age);
    const float x = from_x + (to_x - from_x) * t - uy * side;
    const float y = from_y + (to_y - from_y) * t + ux * side - 26.0f * age * age * chance(0.2f, 1.2f);
    const Rgb colour = age < 0.35f ? mixed({1.0f, 0.62f, 0.22f}, {1.0f, 0.27f, 0.04f}, age / 0.35f)
                                   : mixed({1.0f, 0.27f, 0.04f}, {0.45f, 0.03f, 0.02f}, (age - 0.35f) / 0.65f);
    const bool spark = chance(0, 1) < 0.3f;
    additive(x, y, -ux * chance(0.5f, 3.0f), -uy * chance(0.5f, 3.0f) - chance(0, 1.2f),
             {colour.r, colour.g, colour.b, 1.0f - age * 0.9f, chance(5, 12) * (1.0f - 0.5f * age), 1.75f,
              spark ? ParticleShape::Spark : ParticleShape::Glow, 0});
    if (i % 12 == 0) {
      matter(x, y - 12.0f * age, 0, -0.4f,
             {0.30f, 0.24f, 0.26f, 0.16f * t * age * 4.0f, chance(22, 46), 1.0f, ParticleShape::Smoke, chance(0, 1)});
    }
  }
  frame::SpriteInstance& bolt = sprite(SpriteKind::Bolt, to_x, to_y, 30.0f);
  bolt.angle_turns = std::atan2(uy, ux) / 6.2831853f;
  bolt.p0 = 0.4f;
  bolt.r = 1.0f;
  bolt.g = 0.36f;
  bolt.b = 0.08f;
  light(to_x, to_y + 24.0f, 170.0f, 0.75f, 0.28f, 0.07f);
}

void StagedScene::fire_burst(float x, float y, int count) {
  for (int i = 0; i < count; ++i) {
    const float turn = chance(0, 6.2831853f);
    const float age = chance(0, 1);
    const float reach = std::sqrt(chance(0, 1)) * (30.0f + 100.0f * age);
    const float px = x + std::cos(turn) * reach;
    const float py = y + std::sin(turn) * reach * 0.9f - 34.0f * age;
    const Rgb colour = age < 0.3f ? mixed({1.0f, 0.80f, 0.45f}, {1.0f, 0.38f, 0.06f}, age / 0.3f)
                                  : mixed({1.0f, 0.38f, 0.06f}, {0.42f, 0.02f, 0.03f}, (age - 0.3f) / 0.7f);
    const bool spark = chance(0, 1) < 0.45f;
    additive(px, py, std::cos(turn) * chance(1, 6), std::sin(turn) * chance(1, 6) - 0.6f,
             {colour.r, colour.g, colour.b, 1.0f - age * 0.8f, chance(5, 13), 2.0f,
              spark ? ParticleShape::Spark : ParticleShape::Glow, 0});
    if (i % 24 == 0) {
      matter(px, py - 20.0f, 0, -0.5f,
             {0.26f, 0.21f, 0.24f, 0.22f, chance(34, 74), 1.0f, ParticleShape::Smoke, chance(0, 1)});
    }
  }
  light(x, y, 260.0f, 1.5f, 0.62f, 0.18f);
}

void StagedScene::frost_nova(float x, float y, float radius, int count) {
  frame::SpriteInstance& ring = sprite(SpriteKind::NovaRing, x, y, radius * 2.0f);
  ring.p0 = radius;
  ring.p1 = 0.8f;
  ring.r = 0.45f;
  ring.g = 0.82f;
  ring.b = 1.0f;
  for (int i = 0; i < count; ++i) {
    const float ray = std::floor(chance(0, 6)) / 6.0f;
    const float turn = (ray + chance(-1, 1) * chance(0, 1) * 0.045f) * 6.2831853f;
    const float reach = radius * (1.0f - chance(0, 1) * chance(0, 1) * 0.75f);
    const float px = x + std::cos(turn) * reach;
    const float py = y + std::sin(turn) * reach;
    const float kind = chance(0, 1);
    const float cold = chance(0, 1);
    const Rgb colour = mixed({0.85f, 0.97f, 1.0f}, {0.18f, 0.55f, 1.0f}, cold);
    additive(px, py, std::cos(turn) * 1.5f, std::sin(turn) * 1.5f,
             {colour.r, colour.g, colour.b, chance(0.3f, 1.0f), kind < 0.5f ? chance(8, 18) : chance(5, 11), 1.6f,
              kind < 0.5f ? ParticleShape::Shard : (kind < 0.6f ? ParticleShape::Star : ParticleShape::Glow),
              turn / 6.2831853f});
  }
  for (int i = 0; i < count / 20; ++i) {
    const float turn = chance(0, 6.2831853f);
    const float reach = radius * std::sqrt(chance(0.1f, 1.0f));
    matter(x + std::cos(turn) * reach, y + std::sin(turn) * reach, 0, 0,
           {0.55f, 0.72f, 0.90f, 0.10f, chance(40, 80), 1.0f, ParticleShape::Smoke, chance(0, 1)});
  }
  light(x, y, radius * 1.5f, 0.42f, 0.80f, 1.0f);
}

void StagedScene::vortex(float x, float y, float radius, int count) {
  frame::SpriteInstance& core = sprite(SpriteKind::VortexCore, x, y, radius * 2.0f);
  core.p0 = radius;
  core.p1 = 0.2f;
  core.p2 = 1.0f;
  core.r = 0.69f;
  core.g = 0.09f;
  core.b = 1.0f;
  for (int i = 0; i < count; ++i) {
    const float t = chance(0.16f, 1.0f);
    const float arm = std::floor(chance(0, 3)) / 3.0f;
    const float turn = arm * 6.2831853f + 2.6f * std::log(t) + chance(-1, 1) * chance(0, 1) * 0.8f;
    const float reach = radius * t;
    const Rgb colour = mixed({0.20f, 0.30f, 1.0f}, {1.0f, 0.12f, 0.66f}, t);
    additive(x + std::cos(turn) * reach, y + std::sin(turn) * reach, -std::sin(turn) * 4.0f - std::cos(turn) * 1.6f,
             std::cos(turn) * 4.0f - std::sin(turn) * 1.6f,
             {colour.r, colour.g, colour.b, chance(0.35f, 1.0f), chance(4, 11), 1.8f,
              chance(0, 1) < 0.75f ? ParticleShape::Spark : ParticleShape::Glow, 0});
  }
  light(x, y, radius * 1.6f, 0.60f, 0.22f, 1.0f);
  base.vortex_x = x;
  base.vortex_y = y;
  base.vortex_strength = 1.0f;
}

void StagedScene::scattered(int count, float size, ParticleShape shape) {
  for (int i = 0; i < count; ++i) {
    const float turn = chance(0, 6.2831853f);
    const float reach = 320.0f * std::sqrt(chance(0, 1));
    const float hue = chance(0, 1);
    additive(reach * std::cos(turn), reach * std::sin(turn), chance(-1, 1), chance(-1, 1),
             {1.0f - hue * 0.7f, 0.35f + 0.2f * hue, 0.1f + 0.8f * hue, 0.5f, size, 1.0f, shape, 0});
  }
}

void StagedScene::bullet(frame::BulletShape shape, float x, float y, float size, float angle_turns, std::array<float, 3> rim, float there) {
  const float turn = angle_turns * 6.2831853f;
  frame::ParticleInstance p =
      instance(x, y, 2.2f * std::cos(turn), 2.2f * std::sin(turn), {rim[0], rim[1], rim[2], there, size, 0.0f, {}, angle_turns}, false);
  p.glow_shape = static_cast<u8>(shape);
  bullets.push_back(p);
}

void StagedScene::garden(float scrolled, u8 first) {
  chunks.clear();
  const float from = std::fmod(scrolled, frame::kGardenChunk) - 2.5f * frame::kGardenChunk;
  for (u8 i = 0; i < 6; ++i) {
    chunks.push_back({from + frame::kGardenChunk * static_cast<float>(i), static_cast<u8>((first + 3 * i) % frame::kGardenVariants)});
  }
}

void StagedScene::bullet_ring(frame::BulletShape shape, float x, float y, float radius, int count, float size, std::array<float, 3> rim,
                              float turn) {
  for (int i = 0; i < count; ++i) {
    const float angle = turn + static_cast<float>(i) / static_cast<float>(count), radians = angle * 6.2831853f;
    bullet(shape, x + radius * std::cos(radians), y + radius * std::sin(radians), size, angle, rim);
  }
}

void StagedScene::curtain() {
  using frame::BulletShape;
  constexpr std::array<float, 3> kRose = {1.0f, 0.16f, 0.36f}, kBlue = {0.12f, 0.42f, 1.0f}, kViolet = {0.62f, 0.20f, 1.0f},
                                 kGreen = {0.16f, 0.95f, 0.38f}, kGold = {1.0f, 0.62f, 0.10f};
  // What burns around a boss, and trails of it.
  for (int i = 0; i < 2000; ++i) {
    const float turn = chance(0, 6.2831853f), far = chance(0, 1), reach = 20.0f + 300.0f * far * far;
    const Rgb colour = mixed({1.0f, 0.85f, 0.55f}, {0.9f, 0.2f, 0.5f}, far);
    additive(reach * std::cos(turn), -190.0f + reach * std::sin(turn), 5.0f * std::cos(turn), 5.0f * std::sin(turn),
             {colour.r, colour.g, colour.b, 1.0f - 0.7f * far, chance(4, 11), 2.0f, i % 3 == 0 ? ParticleShape::Glow : ParticleShape::Spark, 0});
  }
  light(0.0f, -190.0f, 330.0f, 1.1f, 0.6f, 0.5f);
  light(60.0f, 250.0f, 190.0f, 0.3f, 0.45f, 0.8f);
  // Large ones first.
  bullet_ring(BulletShape::Bubble, 0.0f, -190.0f, 150.0f, 14, 48.0f, kViolet, 0.03f);
  for (int ring = 0; ring < 4; ++ring) {
    bullet_ring(ring % 2 == 0 ? BulletShape::Orb : BulletShape::Needle, 0.0f, -190.0f, 85.0f + 62.0f * static_cast<float>(ring), 32 + 6 * ring,
                ring % 2 == 0 ? 18.0f : 15.0f, ring < 2 ? kRose : kBlue, 0.011f * static_cast<float>(ring));
  }
  for (int side = -1; side <= 1; side += 2) {
    for (int k = 0; k < 9; ++k) {
      for (int step = 0; step < 5; ++step) {
        const float turn = 0.25f + static_cast<float>(side) * (0.02f + 0.018f * static_cast<float>(k)), radians = turn * 6.2831853f;
        const float far = 70.0f + 42.0f * static_cast<float>(step);
        bullet(step % 2 == 0 ? BulletShape::Needle : BulletShape::Orb, static_cast<float>(side) * 210.0f - far * std::cos(radians),
               -60.0f + far * std::sin(radians), 13.0f, 0.5f - turn, side < 0 ? kGreen : kGold);
      }
    }
  }
  // A volley that is just being fired.
  for (int i = 0; i < 30; ++i) {
    const float angle = static_cast<float>(i) / 30.0f, radians = angle * 6.2831853f;
    bullet(BulletShape::Orb, 46.0f * std::cos(radians), -190.0f + 46.0f * std::sin(radians), 16.0f, angle, kRose, 0.15f + 0.028f * static_cast<float>(i));
  }
}

}  // namespace spellpool::render::test
