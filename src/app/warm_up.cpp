#include "app/warm_up.hpp"

#include <array>
#include <vector>

#include "render/renderer.hpp"

namespace spellpool::app {

void warm_up(render::Renderer& renderer) {
  using namespace frame;
  std::vector<ParticleInstance> particles;
  for (const auto& shape : kParticleShapes) {
    for (const float size : {0.3f, 3.0f, 20.0f, 150.0f, 600.0f}) {     // below a pixel, points, quads
      for (const float x : {0.0f, -900.0f, 635.0f}) {                  // inside, outside, over the edge
        for (const float way : {0.0f, 12.0f}) {                        // still, and with a streak
          ParticleInstance p{};
          p.x = static_cast<i16>(x * kPositionScale);
          p.dx = static_cast<i16>(way * kPositionScale);
          p.r = p.g = p.b = p.a = 128;
          p.size = static_cast<u16>(size * kSizeScale);
          p.glow_shape = static_cast<u8>(static_cast<u32>(shape.id) | (8u << 3));
          particles.push_back(p);
        }
      }
    }
  }
  std::vector<SpriteInstance> sprites;
  for (u32 kind = 0; kind <= static_cast<u32>(SpriteKind::Reticle); ++kind) {
    SpriteInstance s;
    s.kind = kind;
    s.size = 64.0f;
    s.p0 = s.p1 = s.p2 = 0.5f;
    if (kind == static_cast<u32>(SpriteKind::NovaRing) || kind == static_cast<u32>(SpriteKind::VortexCore)) {
      s.size = 400.0f;
      s.p0 = 200.0f;
    }
    sprites.push_back(s);
  }
  const std::array lights = {LightInstance{0, 0, 0, 0, 200, 1, 1, 1}, LightInstance{600, 0, 600, 0, 200, 1, 1, 1}};
  RenderSnapshot snapshot;
  for (const bool all : {true, false, true}) {
    snapshot.sprites = sprites;
    snapshot.lights = lights;
    snapshot.runes_lit = all ? 12.0f : 0.0f;
    snapshot.vortex_strength = all ? 1.0f : 0.0f;
    snapshot.alpha_layer = all ? std::span<const ParticleInstance>(particles) : std::span<const ParticleInstance>{};
    snapshot.additive_layer = particles;
    renderer.draw(snapshot, 0.5f);
  }
  snapshot = {};
  renderer.draw(snapshot, 1.0f);
}

}  // namespace spellpool::app
