// The passes of one picture, in their order.
#include <algorithm>
#include <cmath>

#include "render/renderer_impl.hpp"

namespace spellpool::render {
namespace {

using frame::LightInstance;

// The composite's grid. The vortex bends the floor between the corners of cells: then they must be small.
constexpr int kCellColumns = 20, kCellRows = 11;

// How the texture bound last is read. Filtering a half-float texture costs a software renderer twice the read.
void read_with(GLint mode) {
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, mode);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, mode);
}

void fill_screen() { glDrawArrays(GL_TRIANGLE_STRIP, 0, 4); }

float finite_or(float value, float fallback) { return std::isfinite(value) ? value : fallback; }

/// How far a level of the bloom reaches below the next larger one, in rows of that.
float rows_below(const RenderTarget& half, const RenderTarget& whole) {
  return static_cast<float>(2 * half.height_px - whole.height_px);
}

float eased(float t) { return t * t * (3.0f - 2.0f * t); }

}  // namespace

void Renderer::Impl::upload_block() {
  glBindBuffer(GL_UNIFORM_BUFFER, frame_buffer.get());
  glBufferSubData(GL_UNIFORM_BUFFER, 0, sizeof(FrameBlock), &block);
  glBindBufferBase(GL_UNIFORM_BUFFER, kFrameBlockBinding, frame_buffer.get());
}

View Renderer::Impl::snapped_view(const frame::RenderSnapshot& snapshot, float alpha) const {
  View view = view_of(snapshot, alpha, width_px, height_px);
  view.centre_x = std::clamp(finite_or(view.centre_x + snapshot.shake_x, 0.0f), -2048.0f, 2048.0f);
  view.centre_y = std::clamp(finite_or(view.centre_y + snapshot.shake_y, 0.0f), -2048.0f, 2048.0f);
  return snapped_to_pixels(view);
}

void Renderer::Impl::fill_block(const frame::RenderSnapshot& snapshot, const View& view, float alpha) {
  block = {};
  block.camera[0] = view.centre_x;
  block.camera[1] = view.centre_y;
  block.camera[2] = view.px_per_unit();
  block.camera[3] = alpha;
  block.view[0] = view.half_width();
  block.view[1] = view.half_height();
  block.view[2] = view.width_px;
  block.view[3] = view.height_px;
  block.clock[0] = finite_or(snapshot.time_s, 0.0f) + (alpha - 1.0f) / 60.0f;
  block.clock[1] = std::clamp(finite_or(snapshot.runes_lit, 0.0f), 0.0f, static_cast<float>(kRunes));
  block.clock[2] = std::clamp(finite_or(snapshot.finale, 0.0f), 0.0f, 1.0f);
  block.clock[3] = half_floats ? 1.0f : 0.0f;
  block.vortex[0] = finite_or(snapshot.vortex_x, 0.0f);
  block.vortex[1] = finite_or(snapshot.vortex_y, 0.0f);
  block.vortex[2] = std::clamp(finite_or(snapshot.vortex_strength, 0.0f), 0.0f, 1.0f);
  block.ground[0] = area.left;
  block.ground[1] = area.top;
  block.ground[2] = 1.0f / area.width;
  block.ground[3] = 1.0f / area.height;
  block.small[0] = view.width_px / static_cast<float>(small().light.width_px * small().divisor);
  block.small[1] = view.height_px / static_cast<float>(small().light.height_px * small().divisor);
  if (!garden_now.empty()) {
    // No ring there, so nothing burns in it and nothing bends.
    block.clock[1] = block.clock[2] = block.vortex[2] = 0.0f;
    block.garden[0] = 1.0f;
    block.garden[1] = static_cast<float>(garden_at.rows);
    block.garden[2] = garden_at.texels_per_unit / view.px_per_unit();
  }
  const VisionMatrix& vision = vision_matrix(looks.colour_vision);
  for (std::size_t row = 0; row < 3; ++row) {
    for (std::size_t column = 0; column < 3; ++column) block.vision[row][column] = vision[row][column];
  }
}

// What a caller may have left switched on, off again.
void Renderer::Impl::plain_state() {
  glDisable(GL_DEPTH_TEST);
  glDisable(GL_SCISSOR_TEST);
  glDisable(GL_CULL_FACE);
  glDisable(GL_STENCIL_TEST);
  glClearColor(0, 0, 0, 0);
  glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
  if (epoxy_is_desktop_gl()) glEnable(GL_PROGRAM_POINT_SIZE);
  glBlendEquation(GL_FUNC_ADD);
}

View Renderer::Impl::begin_picture(const frame::RenderSnapshot& snapshot, float alpha) {
  complete();
  fit_picture();
  const View view = snapped_view(snapshot, alpha);
  garden_now = {};
  if (!snapshot.garden.empty()) garden_now = garden_bands(snapshot, view, alpha, garden_room);
  place_ground();
  if (garden_now.empty()) ready_ground();
  else ready_garden(snapshot.garden);
  return view;
}

void Renderer::Impl::draw(const frame::RenderSnapshot& snapshot, float alpha, GLuint target) {
  alpha = std::clamp(finite_or(alpha, 1.0f), 0.0f, 1.0f);
  const View view = begin_picture(snapshot, alpha);
  passes = 0;
  fill_block(snapshot, view, alpha);
  upload_block();
  plain_state();
  place_dust(view, block.clock[0], block.clock[2], !garden_now.empty(), dust);

  gather_decals(snapshot);
  has_trail = has_trail && trails > 0.0f && drew_on_processor == on_processor();
  drew_on_processor = held = on_processor();
  panels_painted = false;
  held_for = target;
  if (drew_on_processor) draw_cpu(snapshot, view, alpha);
  else draw_gpu(snapshot, target);
  release_state();
}

/// What others draw next finds nothing of the renderer's bound.
void Renderer::Impl::release_state() {
  glBindVertexArray(0);
  glUseProgram(0);
  glActiveTexture(GL_TEXTURE0);
}

void Renderer::Impl::draw_gpu(const frame::RenderSnapshot& snapshot, GLuint target) {
  shaders.ready({MadeFor::OpenGl});
  particles.upload(snapshot.alpha_layer, snapshot.additive_layer, snapshot.bullet_layer);
  gather_lights(snapshot);
  light_pass();
  scene_pass(snapshot);
  if (blooms()) bloom_pass();
  join_pass(blooms());
  composite_pass(target);
  draw_dust();
  glEnable(GL_BLEND);
  glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
  particles.draw(shaders, ParticleLayers::Layer::Bullets);
  glDisable(GL_BLEND);
  blacken_beyond_field();
  if (trails > 0.0f) lay_trails(target);
  // At the very end, so that the fence splits no pass.
  particles.end();
}

void Renderer::Impl::lay_trails(GLuint target) {
  if (trail.width_px != width_px || trail.height_px != height_px) {
    bool complete = true;
    trail = make_target(PixelFormat::Rgba8, width_px, height_px, Filter::Nearest, complete);
    has_trail = false;
  }
  if (has_trail) {
    glBindFramebuffer(GL_FRAMEBUFFER, target);
    glViewport(0, 0, width_px, height_px);
    glEnable(GL_BLEND);
    glBlendEquation(GL_MAX);
    glBindVertexArray(empty_array.get());
    bind(TextureUnit::Source, trail.colour);
    shaders.use(ProgramId::Trail);
    shaders.set_step(ProgramId::Trail, trails);
    fill_screen();
    glBlendEquation(GL_FUNC_ADD);
    glDisable(GL_BLEND);
    ++passes;
  }
  glBindFramebuffer(GL_READ_FRAMEBUFFER, target);
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, trail.framebuffer.get());
  glBlitFramebuffer(0, 0, width_px, height_px, 0, 0, width_px, height_px, GL_COLOR_BUFFER_BIT, GL_NEAREST);
  glBindFramebuffer(GL_FRAMEBUFFER, target);
  has_trail = true;
}

int Renderer::Impl::beyond_field_px() const {
  return garden_now.empty() ? 0 : std::max(0, height_px - width_px) / 2;
}

void Renderer::Impl::blacken_beyond_field() {
  const int rows = beyond_field_px();
  if (rows == 0) return;
  glEnable(GL_SCISSOR_TEST);
  glClearColor(0, 0, 0, 1);
  for (const int bottom : {0, height_px - rows}) {
    glScissor(0, bottom, width_px, rows);
    glClear(GL_COLOR_BUFFER_BIT);
  }
  glClearColor(0, 0, 0, 0);
  glDisable(GL_SCISSOR_TEST);
}

void Renderer::Impl::begin(const RenderTarget& target) {
  target.begin();
  ++passes;
}

void Renderer::Impl::add_light(float x, float y, float radius, float r, float g, float b) {
  if (lights.size() < kMostLights) lights.push_back({x, y, x, y, radius, r, g, b});
}

void Renderer::Impl::gather_lights(const frame::RenderSnapshot& snapshot) {
  lights.clear();
  for (const LightInstance& one : snapshot.lights) {
    const float sum = one.x + one.y + one.previous_x + one.previous_y + one.radius + one.r + one.g + one.b;
    if (lights.size() < kMostLights && std::isfinite(sum) && one.radius > 0.0f) lights.push_back(one);
  }
  // Burning runes light their stones; in the finale whiter, and the narrow stones between them glow too.
  const float finale = eased(block.clock[2]);
  for (int i = 0; i < kRunes; ++i) {
    const float lit = std::clamp(block.clock[1] - static_cast<float>(i), 0.0f, 1.0f);
    const float turn = static_cast<float>(i) * (6.2831853f / kRunes);
    const float r = 0.32f * lit + 0.34f * finale;
    const float g = 0.145f * lit + 0.17f * finale;
    const float b = 0.04f * lit + 0.055f * finale;
    if (r > 0.0f) add_light(300.0f * std::sin(turn), -300.0f * std::cos(turn), 105.0f + 15.0f * finale, r, g, b);
    if (finale <= 0.0f) continue;
    const float between = turn + 3.14159265f / kRunes;
    add_light(303.0f * std::sin(between), -303.0f * std::cos(between), 90.0f, 0.40f * finale, 0.19f * finale,
              0.05f * finale);
  }
}

void Renderer::Impl::light_pass() {
  glBindFramebuffer(GL_FRAMEBUFFER, small().light_pair.get());
  glViewport(0, 0, small().light.width_px, small().light.height_px);
  ++passes;
  glDisable(GL_BLEND);
  glBindVertexArray(empty_array.get());
  bind(TextureUnit::Sky, garden_now.empty() ? ground.sky : garden.sky);
  shaders.use(ProgramId::Surround);
  fill_screen();
  if (lights.empty()) return;
  glBindVertexArray(light_array.get());
  glBindBuffer(GL_ARRAY_BUFFER, light_buffer.get());
  glBufferData(GL_ARRAY_BUFFER, kMostLights * sizeof(LightInstance), nullptr, GL_STREAM_DRAW);
  glBufferSubData(GL_ARRAY_BUFFER, 0, static_cast<GLsizeiptr>(lights.size() * sizeof(LightInstance)), lights.data());
  glEnable(GL_BLEND);
  glBlendFunc(GL_ONE, GL_ONE);
  shaders.use(ProgramId::Light);
  glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, static_cast<GLsizei>(lights.size()));
}

// An empty scene, and all that is drawn into it reads.
void Renderer::Impl::begin_scene(const RenderTarget& target) {
  begin(target);
  glClear(GL_COLOR_BUFFER_BIT);
  ready_scene();
}

void Renderer::Impl::ready_scene() {
  glEnable(GL_BLEND);
  glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
  bind(TextureUnit::Light, small().light.colour);
  bind(TextureUnit::Bloom, small().direction.colour);
  bind(TextureUnit::Stone, garden_now.empty() ? ground.stone : garden.stone);
  read_with(GL_LINEAR);  // Crystals bend it; the last composite left its own way of reading.
  bind(TextureUnit::Noise, smoke_noise);
}

void Renderer::Impl::scene_pass(const frame::RenderSnapshot& snapshot) {
  if (finishes_light) glFinish();
  begin_scene(scene);
  draw_decals();
  draw_runes();
  particles.draw(shaders, ParticleLayers::Layer::Alpha);
  draw_sprites(snapshot.sprites);
  particles.draw(shaders, ParticleLayers::Layer::Additive);
}

void Renderer::Impl::bloom_pass() {
  glDisable(GL_BLEND);
  const SmallTargets& s = small();
  const auto level = [&](int i) -> const RenderTarget& { return s.bloom[static_cast<std::size_t>(i)]; };
  glBindVertexArray(empty_array.get());
  begin(level(0));
  bind(TextureUnit::Source, scene.colour);
  read_with(GL_LINEAR);  // Between pixels here, exactly one in the composite.
  shaders.use(ProgramId::BloomGather);
  shaders.set_step(ProgramId::BloomGather, 1.0f / static_cast<float>(width_px), 1.0f / static_cast<float>(height_px),
                   static_cast<float>(s.divisor), static_cast<float>(s.divisor * level(0).height_px - height_px));
  fill_screen();

  shaders.use(ProgramId::BloomShrink);
  for (int i = 1; i < s.bloom_levels; ++i) {
    const RenderTarget& from = level(i - 1);
    begin(level(i));
    bind(TextureUnit::Source, from.colour);
    shaders.set_step(ProgramId::BloomShrink, 1.0f / static_cast<float>(from.width_px),
                     1.0f / static_cast<float>(from.height_px), 0, rows_below(level(i), from));
    fill_screen();
  }

  glEnable(GL_BLEND);
  glBlendFunc(GL_ONE, GL_ONE);
  shaders.use(ProgramId::BloomSpread);
  for (int i = s.bloom_levels - 1; i > 1; --i) {
    const RenderTarget& from = level(i);
    begin(level(i - 1));
    bind(TextureUnit::Source, from.colour);
    shaders.set_step(ProgramId::BloomSpread, 1.0f / static_cast<float>(from.width_px),
                     1.0f / static_cast<float>(from.height_px), 0.85f, rows_below(from, level(i - 1)));
    fill_screen();
  }
}

void Renderer::Impl::join_pass(bool with_bloom) {
  const SmallTargets& s = small();
  const bool finale = block.clock[2] > 0.0f;
  const ProgramId program = with_bloom ? (finale ? ProgramId::BloomJoinFinale : ProgramId::BloomJoin)
                                       : (finale ? ProgramId::NightFinale : ProgramId::Night);
  const RenderTarget& wide = s.bloom[static_cast<std::size_t>(std::min(1, s.bloom_levels - 1))];
  begin(s.direction);
  glEnable(GL_BLEND);  // The direction is already there.
  glBlendFunc(GL_ONE, GL_ONE);
  glBindVertexArray(empty_array.get());
  bind(TextureUnit::Source, wide.colour);
  bind(TextureUnit::Bloom, s.bloom[0].colour);
  bind(TextureUnit::Light, s.light.colour);
  shaders.use(program);
  shaders.set_step(program, 1.0f / static_cast<float>(wide.width_px), 1.0f / static_cast<float>(wide.height_px),
                   0.16f * bloom_strength, rows_below(wide, s.bloom[0]));
  fill_screen();
}

void Renderer::Impl::composite_pass(GLuint target) {
  glDisable(GL_BLEND);
  glBindFramebuffer(GL_FRAMEBUFFER, target);
  glViewport(0, 0, width_px, height_px);
  ++passes;
  bind(TextureUnit::Source, scene.colour);
  read_with(GL_NEAREST);
  bind(TextureUnit::Light, small().light.colour);
  bind(TextureUnit::Bloom, small().direction.colour);
  const bool in_garden = !garden_now.empty();
  bind(TextureUnit::Stone, in_garden ? garden.stone : ground.stone);
  // A ground that waits to be baked anew was made for another size.
  const bool bent = block.vortex[2] > 0.0f;
  const bool copied = (in_garden ? garden_at.pixel_exact : area.pixel_exact) && draws_until_bake == 0 && !bent;
  read_with(copied ? GL_NEAREST : GL_LINEAR);

  const bool shifted = looks.colour_vision != frame::ColourVision::Common;
  const ProgramId program = bent ? (shifted ? ProgramId::CompositeBentShifted : ProgramId::CompositeBent)
                                 : (shifted ? ProgramId::CompositeShifted : ProgramId::Composite);
  glBindVertexArray(empty_array.get());
  if (in_garden) return composite_garden(shifted ? ProgramId::CompositeGardenShifted : ProgramId::CompositeGarden);
  shaders.use(program);
  shaders.set_step(program, kCellColumns, kCellRows);
  glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, kCellColumns * kCellRows);
}

// A band at a time: each shows another part of the texture.
void Renderer::Impl::composite_garden(ProgramId program) {
  shaders.use(program);
  glEnable(GL_SCISSOR_TEST);
  for (const GardenBand& band : garden_now) {
    if (band.to_px <= band.from_px) continue;
    glScissor(0, height_px - band.to_px, width_px, band.to_px - band.from_px);
    shaders.set_step(program, kCellColumns, kCellRows, static_cast<float>(band.top_px),
                     static_cast<float>(band.variant));
    glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, kCellColumns * kCellRows);
  }
  glDisable(GL_SCISSOR_TEST);
}

// Stars and motes are specks on the finished picture, so that the night needs no scene behind them.
void Renderer::Impl::draw_dust() {
  glBindVertexArray(dust_array.get());
  glBindBuffer(GL_ARRAY_BUFFER, dust_buffer.get());
  glBufferData(GL_ARRAY_BUFFER, sizeof dust, dust.data(), GL_STREAM_DRAW);
  glEnable(GL_BLEND);
  glBlendFunc(GL_ONE, GL_ONE);
  shaders.use(ProgramId::Dust);
  glDrawArrays(GL_POINTS, 0, static_cast<GLsizei>(kDustDots));
}

}  // namespace spellpool::render
