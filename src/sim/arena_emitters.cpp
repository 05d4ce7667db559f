#include "sim/arena_emitters.hpp"

namespace spellpool::sim {

frame::EmitterDef arena_emitter(ArenaEmitter which, const PresetRow& preset) {
  using namespace frame;
  EmitterDef def;
  switch (which) {
    case ArenaEmitter::Straw:
      def.name = "straw";
      def.burst = 14;
      def.shape = EmitShape::Disc;
      def.radius = 10.0f;
      def.life_s = {0.35f, 0.8f};
      def.speed = {60.0f, 240.0f};
      def.spread_turns = 0.35f;
      def.gravity_y = 260.0f;
      def.drag_per_s = 2.5f;
      def.size = {5.0f, 9.0f};
      def.size_curve = {{0.0f, 1.0f}, {1.0f, 0.6f}};
      def.colour_curve = {{0.0f, 0.55f, 0.38f, 0.14f, 0.9f}, {0.7f, 0.32f, 0.21f, 0.08f, 0.8f}, {1.0f, 0.1f, 0.06f, 0.02f, 0.0f}};
      def.particle = ParticleShape::Shard;
      def.layer = ParticleLayer::Alpha;
      break;
    case ArenaEmitter::Chaff:
      def.name = "chaff";
      def.burst = 5;
      def.life_s = {0.5f, 1.1f};
      def.speed = {10.0f, 60.0f};
      def.spread_turns = 1.0f;
      def.gravity_y = -20.0f;
      def.drag_per_s = 3.0f;
      def.curl = 60.0f;
      def.size = {18.0f, 34.0f};
      def.size_curve = {{0.0f, 0.4f}, {1.0f, 1.3f}};
      def.colour_curve = {{0.0f, 0.16f, 0.12f, 0.07f, 0.0f}, {0.15f, 0.16f, 0.12f, 0.07f, 0.28f}, {1.0f, 0.06f, 0.05f, 0.04f, 0.0f}};
      def.particle = ParticleShape::Smoke;
      def.layer = ParticleLayer::Alpha;
      break;
    case ArenaEmitter::CrystalSpark:
      def.name = "crystal_spark";
      def.burst = 26;
      def.life_s = {0.3f, 0.9f};
      def.speed = {60.0f, 320.0f};
      def.drag_per_s = 4.0f;
      def.size = {5.0f, 12.0f};
      def.colour_curve = {{0.0f, 0.9f, 0.97f, 1.0f, 1.0f}, {0.3f, 0.45f, 0.75f, 1.0f, 0.9f}, {1.0f, 0.25f, 0.15f, 0.7f, 0.0f}};
      def.glow = 2.0f;
      def.particle = ParticleShape::Spark;
      break;
    case ArenaEmitter::CrystalShard:
      def.name = "crystal_shard";
      def.burst = 70;
      def.shape = EmitShape::Disc;
      def.radius = 14.0f;
      def.life_s = {0.7f, 1.6f};
      def.speed = {80.0f, 380.0f};
      def.drag_per_s = 3.0f;
      def.gravity_y = 90.0f;
      def.size = {8.0f, 20.0f};
      def.size_curve = {{0.0f, 1.0f}, {0.6f, 0.8f}, {1.0f, 0.0f}};
      def.colour_curve = {{0.0f, 0.95f, 0.98f, 1.0f, 1.0f}, {0.4f, 0.5f, 0.7f, 1.0f, 0.8f}, {1.0f, 0.2f, 0.2f, 0.8f, 0.0f}};
      def.glow = 1.5f;
      def.particle = ParticleShape::Shard;
      break;
    case ArenaEmitter::Twinkle:
      def.name = "twinkle";
      def.rate_per_s = 2.2f;
      def.shape = EmitShape::Disc;
      def.radius = 26.0f;
      def.life_s = {0.7f, 1.5f};
      def.speed = {1.0f, 8.0f};
      def.gravity_y = -8.0f;
      def.size = {8.0f, 15.0f};
      def.size_curve = {{0.0f, 0.0f}, {0.3f, 1.0f}, {1.0f, 0.0f}};
      def.colour_curve = {{0.0f, 0.5f, 0.7f, 1.0f, 0.0f}, {0.3f, 0.7f, 0.85f, 1.0f, 0.8f}, {1.0f, 0.3f, 0.3f, 0.9f, 0.0f}};
      def.particle = ParticleShape::Star;
      break;
    case ArenaEmitter::Dust:
      def.name = "dust";
      def.rate_per_s = 14.0f;
      def.shape = EmitShape::Disc;
      def.radius = 430.0f;
      def.life_s = {4.0f, 8.0f};
      def.speed = {2.0f, 9.0f};
      def.curl = 9.0f;
      def.drag_per_s = 0.6f;
      def.size = {3.0f, 6.0f};
      def.size_curve = {{0.0f, 0.6f}, {0.5f, 1.0f}, {1.0f, 0.6f}};
      def.colour_curve = {{0.0f, 0.5f, 0.55f, 0.9f, 0.0f}, {0.3f, 0.5f, 0.55f, 0.9f, 0.22f}, {0.7f, 0.5f, 0.5f, 0.8f, 0.18f}, {1.0f, 0.4f, 0.4f, 0.8f, 0.0f}};
      break;
    case ArenaEmitter::Ambient:
      def.name = "ambient";
      def.rate_per_s = static_cast<float>(preset.ambient) / preset.life_s;
      def.shape = EmitShape::Disc;
      def.radius = 340.0f;
      def.life_s = {preset.life_s * 0.98f, preset.life_s * 1.02f};
      def.speed = {4.0f, 40.0f};
      def.gravity_y = -12.0f;
      def.drag_per_s = 0.5f;
      def.size = {12.0f, 12.0f};
      def.size_curve = {{0.0f, 1.0f}, {1.0f, 1.0f}};
      def.colour_curve = {{0.0f, 0.25f, 0.35f, 0.9f, 0.0f}, {0.3f, 0.3f, 0.4f, 1.0f, 0.10f}, {0.7f, 0.6f, 0.25f, 0.8f, 0.08f}, {1.0f, 0.5f, 0.1f, 0.5f, 0.0f}};
      break;
  }
  return def;
}

}  // namespace spellpool::sim
