// One picture of everything, for Renderer::warm_up.
#include <span>

#include "render/renderer_impl.hpp"

namespace spellpool::render {

using frame::LightInstance;
using frame::ParticleInstance;
using frame::SpriteInstance;

namespace {

frame::LookSettings look(frame::DrawPath path, frame::Quality quality, frame::ColourVision vision) {
  frame::LookSettings made;
  made.draw = path;
  made.quality = quality;
  made.colour_vision = vision;
  return made;
}

}  // namespace

void Renderer::Impl::warm_up(GLuint target) {
  output = {};
  std::vector<ParticleInstance> every_kind;
  for (u32 shape = 0; shape < frame::kParticleShapes.size(); ++shape) {
    for (const float size : {0.3f, 20.0f}) {           // Below a pixel, and usual: large ones are only slower.
      for (const float x : {0.0f, 635.0f, -900.0f}) {  // Inside, over the edge, outside.
        for (const float way : {0.0f, 12.0f}) {        // Still, and with a streak.
          ParticleInstance p{};
          p.x = static_cast<i16>(x * frame::kPositionScale);
          p.dx = static_cast<i16>(way * frame::kPositionScale);
          p.r = p.g = p.b = p.a = 128;
          p.size = static_cast<u16>(size * frame::kSizeScale);
          p.glow_shape = static_cast<u8>(shape | (8u << 3));
          every_kind.push_back(p);
        }
      }
    }
  }
  shaders.ready({MadeFor::Spells});
  for (const MadeFor group : {MadeFor::Arena, MadeFor::Shooter}) {
    if (shaders.is_begun(group)) shaders.ready({group});  // else only queued where programs may be late
  }
  std::array<SpriteInstance, kFigures.size()> one_of_each{};
  std::size_t figures = 0;
  for (const FigureRow& row : kFigures) {
    if (!shaders.has(row.program)) continue;
    SpriteInstance& sprite = one_of_each[figures++];
    sprite.kind = static_cast<u32>(row.id);
    sprite.size = sprite.p0 = 60.0f;
    sprite.p1 = sprite.p2 = 0.5f;
  }
  const std::span<const SpriteInstance> sprites = std::span(one_of_each).first(figures);
  const std::array two_lights = {LightInstance{0, 0, 0, 0, 200, 1, 1, 1}, LightInstance{600, 0, 600, 0, 200, 1, 1, 1}};
  const std::array one_mark = {frame::DecalInstance{0, 0, 40, 1, 1, 1, 1, 0, 0}};
  frame::RenderSnapshot all;
  all.sprites = sprites;
  all.lights = two_lights;
  all.decals = one_mark;
  all.additive_layer = all.alpha_layer = all.bullet_layer = every_kind;
  all.runes_lit = 12.0f;
  all.finale = all.vortex_strength = 1.0f;
  frame::RenderSnapshot some = all;
  some.alpha_layer = some.bullet_layer = {};
  some.finale = some.vortex_strength = 0.0f;  // runes burn otherwise outside the finale
  some.runes_lit = 12.0f;

  const auto show = [&](const frame::RenderSnapshot& snapshot) {
    draw(snapshot, 0.5f, target);
    present();
  };
  const frame::LookSettings chosen = looks;
  looks = look(chosen.draw, frame::Quality::High, frame::ColourVision::Common);
  for (const frame::RenderSnapshot* snapshot : {&all, &some, &all}) {
    // A picture makes few images of figures, and reads them in the next one; but all of its first ones, at once.
    forget_figures();
    show(*snapshot);
  }
  for (SpriteInstance& sprite : one_of_each) sprite.angle_turns = 0.25f;  // another image of each is read
  for (const frame::RenderSnapshot* snapshot : {&some, &all}) show(*snapshot);
  // Lower qualities and shifted colours (one set of programs for all) change the last passes only: little must be seen.
  all.sprites = some.sprites = {};
  all.alpha_layer = all.bullet_layer = {};
  all.additive_layer = some.additive_layer = std::span(every_kind).first(1);
  for (const frame::LookSettings& other : {look(chosen.draw, frame::Quality::High, frame::ColourVision::Deutan),
                                           look(chosen.draw, frame::Quality::Medium, frame::ColourVision::Common),
                                           look(chosen.draw, frame::Quality::Low, frame::ColourVision::Common)}) {
    looks = other;
    for (const frame::RenderSnapshot* snapshot : {&all, &some}) show(*snapshot);
  }
  looks = chosen;
  show({});
  glFinish();
  pass_clock.reset();
  for (FigureImages& images : figure_images) images.reset_counts();
}

void Renderer::Impl::prepare_garden(GLuint target) {
  output = {};
  for (u8 variant = 0; variant < frame::kGardenVariants; ++variant) {
    const std::array only = {frame::GardenChunk{-0.5f * frame::kGardenChunk, variant}};
    frame::RenderSnapshot snapshot;
    snapshot.garden = only;
    draw(snapshot, 1.0f, target);
    present();
  }
  glFinish();
}

}  // namespace spellpool::render
