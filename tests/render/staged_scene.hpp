#pragma once
// Snapshots made by hand, as the simulation would fill them: what the gallery draws.
#include <array>
#include <span>
#include <vector>

#include "core/rng.hpp"
#include "frame/defs/pattern_def.hpp"
#include "frame/render_snapshot.hpp"

namespace spellpool::render::test {

/// Owns what a RenderSnapshot points to.
class StagedScene {
 public:
  explicit StagedScene(u64 seed = 1);

  frame::RenderSnapshot snapshot() const;

  // The figures.
  void mage(float x, float y, float angle_turns, float r, float g, float b, float cast = 0.0f);
  void dummy(float x, float y, float hit = 0.0f, float sway = 0.0f, float frost = 0.0f);
  void crystal(float x, float y, float r, float g, float b, float growth = 1.0f, float cracks = 0.0f, float hit = 0.0f);
  void reticle(float x, float y, float cooldown, float r, float g, float b);
  frame::SpriteInstance& sprite(frame::SpriteKind kind, float x, float y, float size);
  void light(float x, float y, float radius, float r, float g, float b);

  // The spells, `count` particles each.
  void fire_flight(float from_x, float from_y, float to_x, float to_y, int count);
  void fire_burst(float x, float y, int count);
  void frost_nova(float x, float y, float radius, int count);
  void vortex(float x, float y, float radius, int count);
  frame::SpriteInstance& wisp(float x, float y, float r, float g, float b, float there = 1.0f, float hit = 0.0f,
                              float phase = 0.2f);
  frame::SpriteInstance& arc(float x, float y, float to_x, float to_y, float age, float seed);
  void chain(std::span<const std::array<float, 2>> places, float age);
  void meteor(float x, float y, float radius, float time);  ///< Falling, `time` 0 … 1 of the way.
  void impact(float x, float y, float radius, float fade);
  void healing(float x, float y, float radius);
  void starfall(float x, float y, float radius);
  void fog(float x, float y, float radius, int count);
  void finale(int count, float how_far = 1.0f);
  void scattered(int count, float size, frame::ParticleShape shape);

  struct Look {
    float r, g, b, a;
    float size;
    float glow;
    frame::ParticleShape shape;
    float angle_turns;
  };
  void additive(float x, float y, float dx, float dy, const Look& look);
  void matter(float x, float y, float dx, float dy, const Look& look);
  /// A bullet that flies along its angle; `there` 0 … 1 of its fading in.
  void bullet(frame::BulletShape shape, float x, float y, float size, float angle_turns, std::array<float, 3> rim, float there = 1.0f);
  void bullet_ring(frame::BulletShape shape, float x, float y, float radius, int count, float size, std::array<float, 3> rim, float turn = 0.0f);
  /// 300 bullets of all shapes in rings and fans, over 2,000 sparks.
  void curtain();
  /// The shooter's garden, scrolled by so many units: variants from `first` on, each other than the last.
  void garden(float scrolled, u8 first = 0);

  frame::RenderSnapshot base;
  std::vector<frame::DecalInstance> decals;
  std::vector<frame::ParticleInstance> additive_particles, matter_particles, bullets;
  std::vector<frame::GardenChunk> chunks;
  std::vector<frame::SpriteInstance> sprites;
  std::vector<frame::LightInstance> lights;

 private:
  float chance(float low, float high);
  u64 state_;
};

}  // namespace spellpool::render::test
