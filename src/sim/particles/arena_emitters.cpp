#include "sim/particles/arena_emitters.hpp"

#include <algorithm>
#include <cmath>

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
    case ArenaEmitter::Ambient: {
      // Ten times as many would hide the arena behind their light: three times as bright is enough.
      const float light = std::sqrt(std::min(1.0f, 100'000.0f / static_cast<float>(std::max(preset.ambient, 1u))));
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
      def.colour_curve = {{0.0f, 0.25f, 0.35f, 0.9f, 0.0f}, {0.3f, 0.3f, 0.4f, 1.0f, 0.10f * light}, {0.7f, 0.6f, 0.25f, 0.8f, 0.08f * light}, {1.0f, 0.5f, 0.1f, 0.5f, 0.0f}};
      break;
    }
    case ArenaEmitter::CrystalMend:
      def.name = "crystal_mend";
      def.burst = 40;
      def.shape = EmitShape::Ring;
      def.radius = 46.0f;
      def.life_s = {0.35f, 0.7f};
      def.speed = {-110.0f, -50.0f};
      def.swirl = {30.0f, 90.0f};
      def.drag_per_s = 0.8f;
      def.size = {6.0f, 12.0f};
      def.size_curve = {{0.0f, 0.0f}, {0.3f, 1.0f}, {1.0f, 0.2f}};
      def.colour_curve = {{0.0f, 1.0f, 0.75f, 0.3f, 0.0f}, {0.3f, 1.0f, 0.85f, 0.5f, 0.9f}, {1.0f, 0.5f, 0.75f, 1.0f, 0.0f}};
      def.glow = 1.75f;
      def.particle = ParticleShape::Star;
      break;
    case ArenaEmitter::WispTail:
      def.name = "wisp_tail";
      def.rate_per_s = 16.0f;
      def.per_unit = 0.12f;
      def.shape = EmitShape::Disc;
      def.radius = 4.0f;
      def.life_s = {0.7f, 1.5f};
      def.speed = {2.0f, 12.0f};
      def.inherit = 0.25f;
      def.gravity_y = -9.0f;
      def.drag_per_s = 1.2f;
      def.curl = 26.0f;
      def.size = {5.0f, 10.0f};
      def.size_curve = {{0.0f, 0.3f}, {0.2f, 1.0f}, {1.0f, 0.0f}};
      def.colour_curve = {{0.0f, 0.75f, 1.0f, 0.9f, 0.0f}, {0.15f, 0.6f, 1.0f, 0.82f, 0.7f}, {0.6f, 0.2f, 0.65f, 0.75f, 0.35f}, {1.0f, 0.08f, 0.2f, 0.5f, 0.0f}};
      def.glow = 1.25f;
      break;
    case ArenaEmitter::WispScatter:
      def.name = "wisp_scatter";
      def.burst = 90;
      def.shape = EmitShape::Disc;
      def.radius = 8.0f;
      def.life_s = {0.6f, 1.7f};
      def.speed = {30.0f, 260.0f};
      def.swirl = {-60.0f, 60.0f};
      def.inherit = 0.3f;
      def.gravity_y = -18.0f;
      def.drag_per_s = 2.8f;
      def.curl = 120.0f;
      def.size = {5.0f, 12.0f};
      def.size_curve = {{0.0f, 0.7f}, {0.15f, 1.0f}, {1.0f, 0.0f}};
      def.colour_curve = {{0.0f, 1.0f, 1.0f, 0.95f, 1.0f}, {0.25f, 0.65f, 1.0f, 0.8f, 0.9f}, {0.65f, 0.15f, 0.6f, 0.75f, 0.5f}, {1.0f, 0.05f, 0.12f, 0.45f, 0.0f}};
      def.glow = 2.0f;
      def.particle = ParticleShape::Star;
      break;
    case ArenaEmitter::WispGather:
      def.name = "wisp_gather";
      def.burst = 34;
      def.shape = EmitShape::Ring;
      def.radius = 62.0f;
      def.life_s = {0.6f, 0.95f};
      def.speed = {-95.0f, -60.0f};
      def.swirl = {25.0f, 70.0f};
      def.drag_per_s = 0.5f;
      def.size = {5.0f, 10.0f};
      def.size_curve = {{0.0f, 0.0f}, {0.5f, 1.0f}, {1.0f, 0.3f}};
      def.colour_curve = {{0.0f, 0.1f, 0.3f, 0.6f, 0.0f}, {0.5f, 0.3f, 0.85f, 0.8f, 0.7f}, {1.0f, 0.8f, 1.0f, 0.9f, 0.0f}};
      def.glow = 1.25f;
      break;
    case ArenaEmitter::RuneLight:
      def.name = "rune_light";
      def.burst = 46;
      def.shape = EmitShape::Disc;
      def.radius = 13.0f;
      def.life_s = {0.5f, 1.3f};
      def.speed = {10.0f, 80.0f};
      def.lift = {30.0f, 150.0f};
      def.gravity_y = -20.0f;
      def.drag_per_s = 2.0f;
      def.curl = 40.0f;
      def.size = {5.0f, 12.0f};
      def.size_curve = {{0.0f, 0.4f}, {0.15f, 1.0f}, {1.0f, 0.0f}};
      def.colour_curve = {{0.0f, 1.0f, 0.92f, 0.7f, 0.0f}, {0.1f, 1.0f, 0.85f, 0.5f, 1.0f}, {0.5f, 1.0f, 0.5f, 0.12f, 0.7f}, {1.0f, 0.5f, 0.08f, 0.03f, 0.0f}};
      def.glow = 2.25f;
      def.particle = ParticleShape::Spark;
      break;
    case ArenaEmitter::RuneEmber:
      def.name = "rune_ember";
      def.rate_per_s = 5.0f;
      def.shape = EmitShape::Disc;
      def.radius = 14.0f;
      def.life_s = {0.8f, 1.8f};
      def.speed = {1.0f, 8.0f};
      def.gravity_y = -24.0f;
      def.drag_per_s = 0.7f;
      def.curl = 30.0f;
      def.size = {4.0f, 8.0f};
      def.size_curve = {{0.0f, 0.2f}, {0.25f, 1.0f}, {1.0f, 0.0f}};
      def.colour_curve = {{0.0f, 1.0f, 0.7f, 0.3f, 0.0f}, {0.2f, 1.0f, 0.6f, 0.18f, 0.9f}, {1.0f, 0.5f, 0.1f, 0.03f, 0.0f}};
      def.glow = 1.5f;
      break;
    case ArenaEmitter::RuneFade:
      def.name = "rune_fade";
      def.burst = 9;
      def.shape = EmitShape::Disc;
      def.radius = 12.0f;
      def.life_s = {0.9f, 1.7f};
      def.speed = {2.0f, 14.0f};
      def.gravity_y = -16.0f;
      def.drag_per_s = 0.8f;
      def.curl = 26.0f;
      def.size = {14.0f, 26.0f};
      def.size_curve = {{0.0f, 0.3f}, {1.0f, 1.4f}};
      def.colour_curve = {{0.0f, 0.18f, 0.16f, 0.2f, 0.0f}, {0.2f, 0.16f, 0.14f, 0.18f, 0.26f}, {1.0f, 0.05f, 0.05f, 0.08f, 0.0f}};
      def.particle = ParticleShape::Smoke;
      def.layer = ParticleLayer::Alpha;
      break;

    case ArenaEmitter::FinaleFountainGold:
    case ArenaEmitter::FinaleFountainBlue: {
      const bool gold = which == ArenaEmitter::FinaleFountainGold;
      def.name = gold ? "finale_fountain_gold" : "finale_fountain_blue";
      def.rate_per_s = 375.0f;
      def.shape = EmitShape::Disc;
      def.radius = 7.0f;
      def.life_s = {0.9f, 1.7f};
      def.speed = {6.0f, 80.0f};
      def.lift = {120.0f, 330.0f};
      def.gravity_y = 360.0f;
      def.drag_per_s = 0.35f;
      def.bounce_on = BounceOn::Floor;
      def.bounce = 0.38f;
      def.friction = 0.25f;
      def.size = {7.0f, 13.0f};
      def.size_curve = {{0.0f, 0.3f}, {0.12f, 1.0f}, {0.6f, 0.8f}, {1.0f, 0.0f}};
      if (gold) {
        def.colour_curve = {{0.0f, 1.0f, 0.95f, 0.8f, 0.0f}, {0.08f, 1.0f, 0.9f, 0.62f, 1.0f}, {0.35f, 1.0f, 0.62f, 0.16f, 0.9f},
                            {0.75f, 0.9f, 0.26f, 0.05f, 0.6f}, {1.0f, 0.4f, 0.05f, 0.05f, 0.0f}};
      } else {
        def.colour_curve = {{0.0f, 0.85f, 0.95f, 1.0f, 0.0f}, {0.08f, 0.75f, 0.9f, 1.0f, 1.0f}, {0.35f, 0.25f, 0.55f, 1.0f, 0.9f},
                            {0.75f, 0.16f, 0.2f, 0.95f, 0.6f}, {1.0f, 0.15f, 0.04f, 0.5f, 0.0f}};
      }
      def.glow = 3.25f;
      def.particle = ParticleShape::Spark;
      break;
    }
    case ArenaEmitter::FinaleSpiralBlue:
    case ArenaEmitter::FinaleSpiralMagenta: {
      const bool blue = which == ArenaEmitter::FinaleSpiralBlue;
      def.name = blue ? "finale_spiral_blue" : "finale_spiral_magenta";
      def.per_unit = 1.08f;
      def.shape = EmitShape::Disc;
      def.radius = 8.0f;
      def.life_s = {0.9f, 1.7f};
      def.speed = {1.0f, 17.0f};
      def.inherit = 0.14f;
      def.drag_per_s = 0.7f;
      def.curl = 34.0f;
      def.size = {3.5f, 8.0f};
      def.size_curve = {{0.0f, 0.4f}, {0.1f, 1.0f}, {0.5f, 0.8f}, {1.0f, 0.0f}};
      if (blue) {
        def.colour_curve = {{0.0f, 0.9f, 0.97f, 1.0f, 0.0f}, {0.06f, 0.85f, 0.95f, 1.0f, 1.0f}, {0.3f, 0.3f, 0.62f, 1.0f, 0.9f},
                            {0.7f, 0.12f, 0.25f, 1.0f, 0.6f}, {1.0f, 0.1f, 0.05f, 0.6f, 0.0f}};
      } else {
        def.colour_curve = {{0.0f, 1.0f, 0.92f, 1.0f, 0.0f}, {0.06f, 1.0f, 0.85f, 0.97f, 1.0f}, {0.3f, 1.0f, 0.28f, 0.72f, 0.9f},
                            {0.7f, 0.75f, 0.1f, 0.62f, 0.6f}, {1.0f, 0.3f, 0.02f, 0.45f, 0.0f}};
      }
      def.glow = 1.75f;
      break;
    }
    case ArenaEmitter::FinaleBurstGold:
    case ArenaEmitter::FinaleBurstMagenta:
    case ArenaEmitter::FinaleBurstBlue: {
      def.name = which == ArenaEmitter::FinaleBurstGold      ? "finale_burst_gold"
                 : which == ArenaEmitter::FinaleBurstMagenta ? "finale_burst_magenta"
                                                             : "finale_burst_blue";
      def.burst = 640;
      def.rays = 32;
      def.spread_turns = 0.55f;
      def.life_s = {0.8f, 1.6f};
      def.speed = {60.0f, 620.0f};
      def.gravity_y = 34.0f;
      def.drag_per_s = 2.6f;
      def.size = {6.0f, 11.0f};
      def.size_curve = {{0.0f, 0.5f}, {0.08f, 1.0f}, {0.6f, 0.75f}, {1.0f, 0.0f}};
      if (which == ArenaEmitter::FinaleBurstGold) {
        def.colour_curve = {{0.0f, 1.0f, 1.0f, 0.92f, 1.0f}, {0.2f, 1.0f, 0.84f, 0.45f, 1.0f}, {0.6f, 1.0f, 0.5f, 0.1f, 0.8f}, {1.0f, 0.5f, 0.1f, 0.03f, 0.0f}};
      } else if (which == ArenaEmitter::FinaleBurstMagenta) {
        def.colour_curve = {{0.0f, 1.0f, 0.95f, 1.0f, 1.0f}, {0.2f, 1.0f, 0.5f, 0.85f, 1.0f}, {0.6f, 0.9f, 0.12f, 0.6f, 0.8f}, {1.0f, 0.35f, 0.02f, 0.5f, 0.0f}};
      } else {
        def.colour_curve = {{0.0f, 0.95f, 1.0f, 1.0f, 1.0f}, {0.2f, 0.5f, 0.8f, 1.0f, 1.0f}, {0.6f, 0.15f, 0.4f, 1.0f, 0.8f}, {1.0f, 0.06f, 0.05f, 0.6f, 0.0f}};
      }
      def.glow = 2.75f;
      def.particle = ParticleShape::Spark;
      break;
    }
    case ArenaEmitter::FinaleStar:
      def.name = "finale_star";
      def.burst = 70;
      def.life_s = {1.0f, 2.2f};
      def.speed = {30.0f, 330.0f};
      def.gravity_y = 26.0f;
      def.drag_per_s = 2.2f;
      def.curl = 22.0f;
      def.size = {9.0f, 22.0f};
      def.size_curve = {{0.0f, 0.2f}, {0.2f, 1.0f}, {0.4f, 0.45f}, {0.55f, 1.0f}, {0.75f, 0.4f}, {0.85f, 0.7f}, {1.0f, 0.0f}};
      def.colour_curve = {{0.0f, 1.0f, 1.0f, 1.0f, 1.0f}, {0.5f, 1.0f, 0.92f, 0.75f, 0.9f}, {1.0f, 0.9f, 0.6f, 0.4f, 0.0f}};
      def.glow = 2.0f;
      def.particle = ParticleShape::Star;
      break;
    case ArenaEmitter::FinaleRain:
      def.name = "finale_rain";
      def.rate_per_s = 750.0f;
      def.shape = EmitShape::Box;
      def.width = 1320.0f;
      def.height = 560.0f;
      def.life_s = {1.6f, 2.8f};
      def.speed = {0.0f, 10.0f};
      def.gravity_y = 30.0f;
      def.drag_per_s = 0.4f;
      def.curl = 20.0f;
      def.size = {3.5f, 8.5f};
      def.size_curve = {{0.0f, 0.0f}, {0.2f, 1.0f}, {0.45f, 0.5f}, {0.6f, 1.0f}, {0.8f, 0.5f}, {1.0f, 0.0f}};
      def.colour_curve = {{0.0f, 1.0f, 0.9f, 0.6f, 0.0f}, {0.25f, 1.0f, 0.82f, 0.45f, 0.65f}, {0.65f, 0.95f, 0.6f, 0.3f, 0.5f}, {1.0f, 0.5f, 0.2f, 0.3f, 0.0f}};
      def.glow = 1.25f;
      def.particle = ParticleShape::Star;
      break;
    case ArenaEmitter::FinaleRing:
      def.name = "finale_ring";
      def.rate_per_s = 2300.0f;
      def.shape = EmitShape::Ring;
      def.radius = 300.0f;
      def.life_s = {0.6f, 1.1f};
      def.speed = {-10.0f, 14.0f};
      def.swirl = {30.0f, 90.0f};
      def.lift = {14.0f, 84.0f};
      def.drag_per_s = 0.8f;
      def.curl = 36.0f;
      def.size = {6.0f, 13.0f};
      def.size_curve = {{0.0f, 0.2f}, {0.3f, 1.0f}, {1.0f, 0.0f}};
      def.colour_curve = {{0.0f, 1.0f, 0.8f, 0.6f, 0.0f}, {0.2f, 1.0f, 0.5f, 0.4f, 0.7f}, {0.6f, 0.85f, 0.12f, 0.45f, 0.5f}, {1.0f, 0.3f, 0.03f, 0.4f, 0.0f}};
      def.glow = 2.25f;
      break;
  }
  return def;
}

}  // namespace spellpool::sim
