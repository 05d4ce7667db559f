#include "render/renderer.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "render/figures.hpp"
#include "render/gl.hpp"
#include "render/ground.hpp"
#include "render/particle_router.hpp"
#include "render/picture_cells.hpp"
#include "render/render_target.hpp"
#include "render/shader_library.hpp"
#include "render/smoke_noise.hpp"
#include "render/view.hpp"

namespace spellpool::render {
namespace {

using frame::LightInstance;
using frame::ParticleInstance;
using frame::ParticleShape;
using frame::SpriteInstance;
using frame::SpriteKind;

constexpr std::size_t kMostLights = 512;
constexpr std::size_t kMostSprites = 4096;
constexpr std::size_t kFirstParticles = 32'768;
constexpr int kRunes = 12;
constexpr int kDustMotes = 520;
constexpr int kMostBloomLevels = 7;

// The Frame block of shaders/frame.glsl, std140.
struct FrameBlock {
  float camera[4];
  float view[4];
  float clock[4];
  float vortex[4];
  float ground[4];
};

constexpr ProgramId point_program(std::size_t shape) {
  return static_cast<ProgramId>(static_cast<std::size_t>(ProgramId::GlowPoint) + shape);
}
constexpr ProgramId quad_program(std::size_t shape) {
  return static_cast<ProgramId>(static_cast<std::size_t>(ProgramId::GlowQuad) + shape);
}
static_assert(point_program(static_cast<std::size_t>(ParticleShape::Smoke)) == ProgramId::SmokePoint);
static_assert(quad_program(static_cast<std::size_t>(ParticleShape::Smoke)) == ProgramId::SmokeQuad);

void bind(TextureUnit unit, const Texture& texture) {
  glActiveTexture(GL_TEXTURE0 + static_cast<GLenum>(unit));
  glBindTexture(GL_TEXTURE_2D, texture.get());
}

// How the texture bound last is read. Filtering a half-float texture costs a software renderer twice the read.
void read_with(GLint mode) {
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, mode);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, mode);
}

void fill_screen() { glDrawArrays(GL_TRIANGLE_STRIP, 0, 4); }

const void* offset(std::size_t bytes) { return reinterpret_cast<const void*>(bytes); }

void float_attribute(GLuint place, GLint numbers, std::size_t stride, std::size_t at) {
  glEnableVertexAttribArray(place);
  glVertexAttribPointer(place, numbers, GL_FLOAT, GL_FALSE, static_cast<GLsizei>(stride), offset(at));
}

// A particle's attributes, read from `first` on in the bound buffer.
void particle_attributes(std::size_t first) {
  constexpr GLsizei kStride = sizeof(ParticleInstance);
  const std::size_t base = first * sizeof(ParticleInstance);
  glVertexAttribIPointer(0, 4, GL_SHORT, kStride, offset(base + offsetof(ParticleInstance, x)));
  glVertexAttribPointer(1, 4, GL_UNSIGNED_BYTE, GL_TRUE, kStride, offset(base + offsetof(ParticleInstance, r)));
  glVertexAttribIPointer(2, 1, GL_UNSIGNED_SHORT, kStride, offset(base + offsetof(ParticleInstance, size)));
  glVertexAttribIPointer(3, 2, GL_UNSIGNED_BYTE, kStride, offset(base + offsetof(ParticleInstance, glow_shape)));
}

bool told_software(std::string_view name) {
  for (const std::string_view word : {"llvmpipe", "softpipe", "swrast", "SwiftShader", "Software"}) {
    if (name.find(word) != std::string_view::npos) return true;
  }
  return false;
}

float finite_or(float value, float fallback) { return std::isfinite(value) ? value : fallback; }

}  // namespace

struct Renderer::Impl {
  explicit Impl(const RendererOptions& options) : shaders(options.shader_dir), bloom_strength(options.bloom_strength) {}

  ShaderLibrary shaders;
  float bloom_strength = 1.0f;
  std::string name;
  bool software = false;
  bool half_floats = true;
  int largest_px = 4096;
  int width_px = 0, height_px = 0;

  VertexArray empty_array, point_array, quad_array, light_array, sprite_array, cell_array;
  Buffer particle_buffer, light_buffer, sprite_buffer, cell_buffer, frame_buffer;
  Texture smoke_noise;
  GroundArea area;
  GroundTextures ground;
  RenderTarget scene, light, direction;
  Framebuffer light_pair;
  std::array<RenderTarget, kMostBloomLevels> bloom;
  int bloom_levels = 0;

  std::vector<ParticleInstance> sorted;
  std::vector<u8> classes;
  std::size_t particle_room = 0;
  std::vector<LightInstance> lights;
  PictureCells cells;
  FrameBlock block{};

  void make_arrays();
  bool probe_half_floats();
  void set_size(int width, int height);
  void make_targets();
  void bake();
  void upload_block();
  void draw(const frame::RenderSnapshot& snapshot, float alpha, GLuint target);
  void mark_figures(const frame::RenderSnapshot& snapshot);
  void light_pass(const frame::RenderSnapshot& snapshot);
  void scene_pass(const frame::RenderSnapshot& snapshot, const ParticleBatches& matter,
                  const ParticleBatches& light_particles);
  void draw_particles(const ParticleBatches& batches, bool alpha_layer);
  void draw_sprites(const frame::RenderSnapshot& snapshot);
  void warm_up(unsigned target_framebuffer);
  void upload_cells();
  void draw_cells(CellKind kind, ProgramId program, float step_x = 0.0f, float step_y = 0.0f);
  void bloom_pass();
  void composite_pass(GLuint target);
};

void Renderer::Impl::make_arrays() {
  empty_array = make_vertex_array();
  particle_buffer = make_buffer();
  light_buffer = make_buffer();
  sprite_buffer = make_buffer();
  frame_buffer = make_buffer();

  glBindBuffer(GL_UNIFORM_BUFFER, frame_buffer.get());
  glBufferData(GL_UNIFORM_BUFFER, sizeof(FrameBlock), nullptr, GL_DYNAMIC_DRAW);

  point_array = make_vertex_array();
  quad_array = make_vertex_array();
  for (const VertexArray* array : {&point_array, &quad_array}) {
    glBindVertexArray(array->get());
    glBindBuffer(GL_ARRAY_BUFFER, particle_buffer.get());
    for (GLuint i = 0; i < 4; ++i) {
      glEnableVertexAttribArray(i);
      glVertexAttribDivisor(i, array == &quad_array ? 1 : 0);
    }
    particle_attributes(0);
  }

  light_array = make_vertex_array();
  glBindVertexArray(light_array.get());
  glBindBuffer(GL_ARRAY_BUFFER, light_buffer.get());
  glBufferData(GL_ARRAY_BUFFER, kMostLights * sizeof(LightInstance), nullptr, GL_STREAM_DRAW);
  static_assert(sizeof(LightInstance) == 8 * sizeof(float));
  float_attribute(0, 4, sizeof(LightInstance), 0);
  float_attribute(1, 4, sizeof(LightInstance), offsetof(LightInstance, radius));
  glVertexAttribDivisor(0, 1);
  glVertexAttribDivisor(1, 1);

  sprite_array = make_vertex_array();
  glBindVertexArray(sprite_array.get());
  glBindBuffer(GL_ARRAY_BUFFER, sprite_buffer.get());
  glBufferData(GL_ARRAY_BUFFER, kMostSprites * sizeof(SpriteInstance), nullptr, GL_STREAM_DRAW);
  for (GLuint i = 0; i < 4; ++i) {
    glEnableVertexAttribArray(i);
    glVertexAttribDivisor(i, 1);
  }

  cell_buffer = make_buffer();
  cell_array = make_vertex_array();
  glBindVertexArray(cell_array.get());
  glBindBuffer(GL_ARRAY_BUFFER, cell_buffer.get());
  glEnableVertexAttribArray(0);
  glVertexAttribDivisor(0, 1);
  glBindVertexArray(0);

  smoke_noise = make_smoke_noise();
  lights.reserve(kMostLights);
  sorted.resize(kFirstParticles);
  classes.resize(kFirstParticles);
}

bool Renderer::Impl::probe_half_floats() {
  bool complete = true;
  const RenderTarget first = make_target(PixelFormat::Rgba16f, 4, 4, Filter::Linear, complete);
  const RenderTarget second = make_target(PixelFormat::Rgba16f, 4, 4, Filter::Linear, complete);
  const Framebuffer pair = make_pair(first, second, complete);
  while (glGetError() != GL_NO_ERROR) {
  }
  return complete;
}

void Renderer::Impl::set_size(int width, int height) {
  if (width <= 0 || height <= 0) return;
  width = std::min(width, kLargestWidth_px);
  height = std::min(height, kLargestHeight_px);
  if (width == width_px && height == height_px) return;
  width_px = width;
  height_px = height;
  make_targets();
  bake();
}

void Renderer::Impl::make_targets() {
  const PixelFormat format = half_floats ? PixelFormat::Rgba16f : PixelFormat::Rgba8;
  const int divisor = software ? 4 : 2;
  bool complete = true;
  // The old ones go first, so that a large window does not need both.
  scene = {};
  light = {};
  direction = {};
  light_pair = {};
  for (RenderTarget& level : bloom) level = {};
  scene = make_target(format, width_px, height_px, Filter::Linear, complete);
  const int small_width = std::max(1, width_px / divisor);
  const int small_height = std::max(1, height_px / divisor);
  light = make_target(format, small_width, small_height, Filter::Linear, complete);
  direction = make_target(format, small_width, small_height, Filter::Linear, complete);
  light_pair = make_pair(light, direction, complete);
  bloom_levels = 0;
  int level_width = small_width;
  int level_height = small_height;
  const int levels = software ? 5 : 6;
  while (bloom_levels < levels) {
    bloom[static_cast<std::size_t>(bloom_levels++)] =
        make_target(format, level_width, level_height, Filter::Linear, complete);
    if (level_width <= 2 && level_height <= 2 && bloom_levels >= 2) break;
    level_width = std::max(1, level_width / 2);
    level_height = std::max(1, level_height / 2);
  }
}

void Renderer::Impl::bake() {
  area = ground_area(width_px, height_px, largest_px);
  block = {};
  block.camera[2] = static_cast<float>(area.width_px) / area.width;
  block.ground[0] = area.left;
  block.ground[1] = area.top;
  block.ground[2] = 1.0f / area.width;
  block.ground[3] = 1.0f / area.height;
  upload_block();
  glBindVertexArray(empty_array.get());
  glDisable(GL_DEPTH_TEST);
  glDisable(GL_SCISSOR_TEST);
  glDisable(GL_CULL_FACE);
  ground = {};
  ground = bake_ground(area, shaders, half_floats);
}

void Renderer::Impl::upload_block() {
  glBindBuffer(GL_UNIFORM_BUFFER, frame_buffer.get());
  glBufferSubData(GL_UNIFORM_BUFFER, 0, sizeof(FrameBlock), &block);
  glBindBufferBase(GL_UNIFORM_BUFFER, kFrameBlockBinding, frame_buffer.get());
}

void Renderer::Impl::draw(const frame::RenderSnapshot& snapshot, float alpha, GLuint target) {
  alpha = std::clamp(finite_or(alpha, 1.0f), 0.0f, 1.0f);
  View view = view_of(snapshot, alpha, width_px, height_px);
  view.centre_x = std::clamp(finite_or(view.centre_x + snapshot.shake_x, 0.0f), -2048.0f, 2048.0f);
  view.centre_y = std::clamp(finite_or(view.centre_y + snapshot.shake_y, 0.0f), -2048.0f, 2048.0f);
  view = snapped_to_pixels(view);

  const float strength = std::clamp(finite_or(snapshot.vortex_strength, 0.0f), 0.0f, 1.0f);
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
  block.clock[3] = half_floats ? 1.0f : 0.0f;
  block.vortex[0] = finite_or(snapshot.vortex_x, 0.0f);
  block.vortex[1] = finite_or(snapshot.vortex_y, 0.0f);
  block.vortex[2] = strength;
  block.ground[0] = area.left;
  block.ground[1] = area.top;
  block.ground[2] = 1.0f / area.width;
  block.ground[3] = 1.0f / area.height;
  upload_block();

  // The vortex bends the floor between the corners of cells: then they must be small. Else larger ones cost less.
  const bool bent = strength > 0.0f;
  cells.begin(view, bent ? 64 : 20, bent ? 36 : 11);
  const ParticleBatches matter = route_particles(snapshot.alpha_layer, view, alpha, sorted, 0, classes, cells);
  const ParticleBatches sparks =
      route_particles(snapshot.additive_layer, view, alpha, sorted, matter.total, classes, cells);
  mark_figures(snapshot);
  cells.sort({block.vortex[0], block.vortex[1]}, bent ? 300.0f : 0.0f);
  const std::size_t total = matter.total + sparks.total;
  if (total > 0) {
    glBindBuffer(GL_ARRAY_BUFFER, particle_buffer.get());
    if (total > particle_room) particle_room = std::max(total + total / 2, kFirstParticles);
    // Orphan the old storage, so that the driver never waits for the frame before.
    glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(particle_room * sizeof(ParticleInstance)), nullptr,
                 GL_STREAM_DRAW);
    glBufferSubData(GL_ARRAY_BUFFER, 0, static_cast<GLsizeiptr>(total * sizeof(ParticleInstance)), sorted.data());
  }

  glDisable(GL_DEPTH_TEST);
  glDisable(GL_SCISSOR_TEST);
  glDisable(GL_CULL_FACE);
  glDisable(GL_STENCIL_TEST);
  glClearColor(0, 0, 0, 0);
  glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
  if (epoxy_is_desktop_gl()) glEnable(GL_PROGRAM_POINT_SIZE);
  glBlendEquation(GL_FUNC_ADD);

  upload_cells();
  light_pass(snapshot);
  scene_pass(snapshot, matter, sparks);
  bloom_pass();
  composite_pass(target);

  glBindVertexArray(0);
  glUseProgram(0);
  glActiveTexture(GL_TEXTURE0);
}

void Renderer::Impl::mark_figures(const frame::RenderSnapshot& snapshot) {
  const float alpha = block.camera[3];
  for (const SpriteInstance& sprite : snapshot.sprites) {
    const float x = sprite.previous_x + (sprite.x - sprite.previous_x) * alpha;
    const float y = sprite.previous_y + (sprite.y - sprite.previous_y) * alpha;
    cells.mark(x, y, figure_reach(sprite));
  }
  for (int i = 0; static_cast<float>(i) < block.clock[1]; ++i) {
    const float turn = static_cast<float>(i) * (6.2831853f / kRunes);
    cells.mark(300.0f * std::sin(turn), -300.0f * std::cos(turn), 50.0f);
  }
}

void Renderer::Impl::light_pass(const frame::RenderSnapshot& snapshot) {
  lights.clear();
  for (const LightInstance& one : snapshot.lights) {
    const float sum = one.x + one.y + one.previous_x + one.previous_y + one.radius + one.r + one.g + one.b;
    if (lights.size() < kMostLights && std::isfinite(sum) && one.radius > 0.0f) lights.push_back(one);
  }
  for (int i = 0; i < kRunes; ++i) {
    const float lit = std::clamp(block.clock[1] - static_cast<float>(i), 0.0f, 1.0f);
    if (lit <= 0.0f || lights.size() >= kMostLights) break;
    const float turn = static_cast<float>(i) * (6.2831853f / kRunes);
    LightInstance rune;
    rune.x = rune.previous_x = 300.0f * std::sin(turn);
    rune.y = rune.previous_y = -300.0f * std::cos(turn);
    rune.radius = 105.0f;
    rune.r = 0.32f * lit;
    rune.g = 0.145f * lit;
    rune.b = 0.04f * lit;
    lights.push_back(rune);
  }

  glBindFramebuffer(GL_FRAMEBUFFER, light_pair.get());
  glViewport(0, 0, light.width_px, light.height_px);
  glDisable(GL_BLEND);
  glBindVertexArray(empty_array.get());
  bind(TextureUnit::Sky, ground.sky);
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

void Renderer::Impl::scene_pass(const frame::RenderSnapshot& snapshot, const ParticleBatches& matter,
                                const ParticleBatches& light_particles) {
  scene.begin();
  glClear(GL_COLOR_BUFFER_BIT);
  glEnable(GL_BLEND);
  glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
  bind(TextureUnit::Light, light.colour);
  bind(TextureUnit::Bloom, direction.colour);
  bind(TextureUnit::Stone, ground.stone);
  bind(TextureUnit::Noise, smoke_noise);

  glBindVertexArray(empty_array.get());
  if (block.clock[1] > 0.0f) {
    shaders.use(ProgramId::RuneLit);
    glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, static_cast<GLsizei>(std::ceil(block.clock[1])));
  }
  draw_particles(matter, true);
  draw_sprites(snapshot);
  draw_particles(light_particles, false);
}

void Renderer::Impl::draw_particles(const ParticleBatches& batches, bool alpha_layer) {
  if (batches.total == 0) return;
  // Smoke lies under everything of its layer, so shapes go in reverse order.
  for (std::size_t s = kShapeCount; s-- > 0;) {
    if (const ParticleBatch& batch = batches.points[s]; batch.count > 0) {
      glBindVertexArray(point_array.get());
      shaders.use(point_program(s));
      shaders.set_step(point_program(s), alpha_layer ? 1.0f : 0.0f);
      glDrawArrays(GL_POINTS, static_cast<GLint>(batch.first), static_cast<GLsizei>(batch.count));
    }
    if (const ParticleBatch& batch = batches.quads[s]; batch.count > 0) {
      glBindVertexArray(quad_array.get());
      glBindBuffer(GL_ARRAY_BUFFER, particle_buffer.get());
      particle_attributes(batch.first);
      shaders.use(quad_program(s));
      shaders.set_step(quad_program(s), alpha_layer ? 1.0f : 0.0f);
      glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, static_cast<GLsizei>(batch.count));
    }
  }
}

void Renderer::Impl::draw_sprites(const frame::RenderSnapshot& snapshot) {
  const std::size_t count = std::min(snapshot.sprites.size(), kMostSprites);
  if (count == 0) return;
  glBindVertexArray(sprite_array.get());
  glBindBuffer(GL_ARRAY_BUFFER, sprite_buffer.get());
  glBufferData(GL_ARRAY_BUFFER, kMostSprites * sizeof(SpriteInstance), nullptr, GL_STREAM_DRAW);
  glBufferSubData(GL_ARRAY_BUFFER, 0, static_cast<GLsizeiptr>(count * sizeof(SpriteInstance)), snapshot.sprites.data());
  for (std::size_t first = 0; first < count;) {
    const u32 kind = snapshot.sprites[first].kind;
    std::size_t end = first + 1;
    while (end < count && snapshot.sprites[end].kind == kind) ++end;
    if (kind < kFigures.size()) {
      const FigureRow& row = kFigures[kind];
      const std::size_t base = first * sizeof(SpriteInstance);
      float_attribute(0, 4, sizeof(SpriteInstance), base + offsetof(SpriteInstance, x));
      float_attribute(1, 2, sizeof(SpriteInstance), base + offsetof(SpriteInstance, size));
      float_attribute(2, 3, sizeof(SpriteInstance), base + offsetof(SpriteInstance, p0));
      float_attribute(3, 3, sizeof(SpriteInstance), base + offsetof(SpriteInstance, r));
      shaders.use(row.program);
      shaders.set_step(row.program, row.half_width, row.half_height, row.middle, row.rise);
      glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, row.vertices, static_cast<GLsizei>(end - first));
    }
    first = end;
  }
}

void Renderer::Impl::warm_up(unsigned target_framebuffer) {
  std::vector<ParticleInstance> particles;
  for (u32 shape = 0; shape < kShapeCount; ++shape) {
    for (const float size : {0.3f, 3.0f, 20.0f, 150.0f, 600.0f}) {  // Below a pixel, points, quads.
      for (const float x : {0.0f, 635.0f, -900.0f}) {               // Inside, over the edge, outside.
        for (const float way : {0.0f, 12.0f}) {                     // Still, and with a streak.
          ParticleInstance p{};
          p.x = static_cast<i16>(x * frame::kPositionScale);
          p.dx = static_cast<i16>(way * frame::kPositionScale);
          p.r = p.g = p.b = p.a = 128;
          p.size = static_cast<u16>(size * frame::kSizeScale);
          p.glow_shape = static_cast<u8>(shape | (8u << 3));
          particles.push_back(p);
        }
      }
    }
  }
  std::array<SpriteInstance, kFigures.size()> sprites{};
  for (std::size_t i = 0; i < sprites.size(); ++i) {
    sprites[i].kind = static_cast<u32>(i);
    sprites[i].size = sprites[i].p0 = 60.0f;
    sprites[i].p1 = sprites[i].p2 = 0.5f;
  }
  const std::array two_lights = {LightInstance{0, 0, 0, 0, 200, 1, 1, 1}, LightInstance{600, 0, 600, 0, 200, 1, 1, 1}};
  for (const bool all : {true, false, true}) {
    frame::RenderSnapshot snapshot;
    snapshot.sprites = sprites;
    snapshot.lights = two_lights;
    snapshot.additive_layer = particles;
    if (all) snapshot.alpha_layer = particles;
    snapshot.runes_lit = all ? 12.0f : 0.0f;
    snapshot.vortex_strength = all ? 1.0f : 0.0f;
    draw(snapshot, 0.5f, target_framebuffer);
  }
  draw(frame::RenderSnapshot{}, 1.0f, target_framebuffer);
  glFinish();
}

void Renderer::Impl::upload_cells() {
  const std::span<const CellPlace> places = cells.all();
  glBindBuffer(GL_ARRAY_BUFFER, cell_buffer.get());
  glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(places.size_bytes()), places.data(), GL_STREAM_DRAW);
}

void Renderer::Impl::draw_cells(CellKind kind, ProgramId program, float step_x, float step_y) {
  const std::span<const CellPlace> part = cells.of(kind);
  if (part.empty()) return;
  const std::size_t first = static_cast<std::size_t>(part.data() - cells.all().data());
  glBindVertexArray(cell_array.get());
  glBindBuffer(GL_ARRAY_BUFFER, cell_buffer.get());
  glVertexAttribIPointer(0, 2, GL_UNSIGNED_BYTE, sizeof(CellPlace), offset(first * sizeof(CellPlace)));
  shaders.use(program);
  shaders.set_step(program, step_x, step_y, static_cast<float>(cells.columns()), static_cast<float>(cells.rows()));
  glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, static_cast<GLsizei>(part.size()));
}

void Renderer::Impl::bloom_pass() {
  glDisable(GL_BLEND);
  const auto level = [&](int i) -> RenderTarget& { return bloom[static_cast<std::size_t>(i)]; };
  level(0).begin();
  glClear(GL_COLOR_BUFFER_BIT);
  bind(TextureUnit::Source, scene.colour);
  read_with(GL_LINEAR);  // Between pixels here, exactly one in the composite.
  const float reach = software ? 1.0f : 0.5f;
  draw_cells(CellKind::Scene, ProgramId::BloomGather, reach / static_cast<float>(width_px),
             reach / static_cast<float>(height_px));

  glBindVertexArray(empty_array.get());
  shaders.use(ProgramId::BloomShrink);
  for (int i = 1; i < bloom_levels; ++i) {
    const RenderTarget& from = level(i - 1);
    level(i).begin();
    bind(TextureUnit::Source, from.colour);
    shaders.set_step(ProgramId::BloomShrink, 1.0f / static_cast<float>(from.width_px),
                     1.0f / static_cast<float>(from.height_px));
    fill_screen();
  }

  glEnable(GL_BLEND);
  glBlendFunc(GL_ONE, GL_ONE);
  shaders.use(ProgramId::BloomSpread);
  for (int i = bloom_levels - 1; i > 1; --i) {
    const RenderTarget& from = level(i);
    level(i - 1).begin();
    bind(TextureUnit::Source, from.colour);
    shaders.set_step(ProgramId::BloomSpread, 1.0f / static_cast<float>(from.width_px),
                     1.0f / static_cast<float>(from.height_px), 0.85f);
    fill_screen();
  }

  direction.begin();
  const RenderTarget& wide = level(std::min(1, bloom_levels - 1));
  bind(TextureUnit::Source, wide.colour);
  bind(TextureUnit::Bloom, level(0).colour);
  bind(TextureUnit::Light, light.colour);
  shaders.use(ProgramId::BloomJoin);
  shaders.set_step(ProgramId::BloomJoin, 1.0f / static_cast<float>(wide.width_px),
                   1.0f / static_cast<float>(wide.height_px), 0.16f * bloom_strength, 0.16f * bloom_strength);
  fill_screen();
}

void Renderer::Impl::composite_pass(GLuint target) {
  glDisable(GL_BLEND);
  glBindFramebuffer(GL_FRAMEBUFFER, target);
  glViewport(0, 0, width_px, height_px);
  bind(TextureUnit::Source, scene.colour);
  read_with(GL_NEAREST);
  bind(TextureUnit::Light, light.colour);
  bind(TextureUnit::Bloom, direction.colour);
  bind(TextureUnit::Stone, ground.stone);
  const bool bent = block.vortex[2] > 0.0f;
  read_with(bent || !area.pixel_exact ? GL_LINEAR : GL_NEAREST);

  draw_cells(CellKind::Night, ProgramId::CompositeNight);
  draw_cells(CellKind::Floor, ProgramId::CompositeFloor);
  draw_cells(CellKind::Scene, ProgramId::CompositeScene);

  // Stars and motes are specks on the finished picture, so that the night needs no scene behind them.
  glBindVertexArray(empty_array.get());
  glEnable(GL_BLEND);
  glBlendFunc(GL_ONE, GL_ONE);
  shaders.use(ProgramId::Dust);
  shaders.set_step(ProgramId::Dust, kDustMotes);
  glDrawArrays(GL_POINTS, 0, kDustMotes);
  glDisable(GL_BLEND);
}

Renderer::Renderer(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Renderer::~Renderer() = default;

std::unique_ptr<Renderer> Renderer::create(const RendererOptions& options, std::string& error) {
  const char* name = reinterpret_cast<const char*>(glGetString(GL_RENDERER));
  if (name == nullptr) {
    error = "no OpenGL context is current";
    return nullptr;
  }
  const int needed = epoxy_is_desktop_gl() ? 33 : 30;
  if (epoxy_gl_version() < needed) {
    error = "OpenGL " + std::to_string(epoxy_gl_version() / 10) + "." + std::to_string(epoxy_gl_version() % 10) +
            " is too old: 3.3 is needed (" + name + ")";
    return nullptr;
  }
  auto impl = std::make_unique<Impl>(options);
  impl->name = name;
  impl->software = options.software.value_or(told_software(name));
  GLint largest = 4096;
  glGetIntegerv(GL_MAX_TEXTURE_SIZE, &largest);
  impl->largest_px = largest;
  impl->half_floats = impl->probe_half_floats();
  if (!impl->shaders.start()) {
    error = "the built-in shaders do not compile here: " + std::string(impl->shaders.warning());
    return nullptr;
  }
  impl->make_arrays();
  impl->set_size(1280, 720);
  return std::unique_ptr<Renderer>(new Renderer(std::move(impl)));
}

void Renderer::resize(int width_px, int height_px) { impl_->set_size(width_px, height_px); }

void Renderer::warm_up(unsigned target_framebuffer) { impl_->warm_up(target_framebuffer); }

void Renderer::reserve(u32 particles) {
  if (impl_->sorted.size() < particles) impl_->sorted.resize(particles);
  if (impl_->classes.size() < particles) impl_->classes.resize(particles);
}

void Renderer::draw(const frame::RenderSnapshot& snapshot, float alpha, unsigned target_framebuffer) {
  impl_->draw(snapshot, alpha, target_framebuffer);
}

bool Renderer::reload_shaders() {
  const bool good = impl_->shaders.reload();
  impl_->bake();
  return good;
}

std::string_view Renderer::warning() const { return impl_->shaders.warning(); }
std::string_view Renderer::name() const { return impl_->name; }
bool Renderer::software() const { return impl_->software; }
int Renderer::width_px() const { return impl_->width_px; }
int Renderer::height_px() const { return impl_->height_px; }

}  // namespace spellpool::render
