// What the renderer owns: buffers made once, and targets and the ground that depend on the picture's size.
#include <algorithm>

#include "render/cpu/smoke_noise.hpp"
#include "render/renderer_impl.hpp"

namespace spellpool::render {

using frame::DecalInstance;
using frame::LightInstance;
using frame::SpriteInstance;

void Renderer::Impl::make_arrays() {
  if (reads_may_be_late)
    for (LateReads& late : late_reads) late.reads.reserve(FigureImages::kMostImages);
  empty_array = make_vertex_array();
  light_buffer = make_buffer();
  sprite_buffer = make_buffer();
  frame_buffer = make_buffer();

  glBindBuffer(GL_UNIFORM_BUFFER, frame_buffer.get());
  glBufferData(GL_UNIFORM_BUFFER, sizeof(FrameBlock), nullptr, GL_DYNAMIC_DRAW);

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
  glBufferData(GL_ARRAY_BUFFER, kSpriteBufferBytes, nullptr, GL_STREAM_DRAW);
  light_attributes(0);
  for (GLuint i = 0; i < 6; ++i) {
    glEnableVertexAttribArray(i);
    glVertexAttribDivisor(i, 1);
  }

  glBindVertexArray(0);

  dust_buffer = make_buffer();
  dust_array = make_vertex_array();
  glBindVertexArray(dust_array.get());
  glBindBuffer(GL_ARRAY_BUFFER, dust_buffer.get());
  static_assert(sizeof(DustDot) == 7 * sizeof(float));
  float_attribute(0, 3, sizeof(DustDot), offsetof(DustDot, x));
  float_attribute(1, 4, sizeof(DustDot), offsetof(DustDot, r));

  decal_buffer = make_buffer();
  decal_array = make_vertex_array();
  glBindVertexArray(decal_array.get());
  glBindBuffer(GL_ARRAY_BUFFER, decal_buffer.get());
  glBufferData(GL_ARRAY_BUFFER, frame::kMostDecals * sizeof(DecalInstance), nullptr, GL_STREAM_DRAW);
  static_assert(sizeof(DecalInstance) == 9 * sizeof(float));
  float_attribute(0, 4, sizeof(DecalInstance), offsetof(DecalInstance, x));
  float_attribute(1, 3, sizeof(DecalInstance), offsetof(DecalInstance, glow_r));
  float_attribute(2, 2, sizeof(DecalInstance), offsetof(DecalInstance, look));
  for (GLuint i = 0; i < 3; ++i) glVertexAttribDivisor(i, 1);

  smoke_noise = make_smoke_noise();
  lights.reserve(kMostLights);
  decals.reserve(frame::kMostDecals);
  seen_figures.reserve(kMostSprites);
  direct_figures.reserve(kMostSprites);
  figure_lights.reserve(kMostSprites);
  dots.reserve(kDustDots);
}

bool Renderer::Impl::probe_half_floats() {
  bool complete = true;
  const RenderTarget first = make_target(PixelFormat::Rgba16f, 4, 4, Filter::Linear, complete);
  const RenderTarget second = make_target(PixelFormat::Rgba16f, 4, 4, Filter::Linear, complete);
  const Framebuffer pair = make_pair(first, second, complete);
  if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE) complete = false;
  while (glGetError() != GL_NO_ERROR) {
  }
  return complete;
}

bool Renderer::Impl::ready_programs(std::initializer_list<MadeFor> groups) {
  const bool there = std::ranges::all_of(groups, [this](MadeFor group) { return shaders.is_begun(group); });
  if (!programs_may_be_late()) {
    shaders.ready(groups);
  } else {
    for (const MadeFor group : groups) ask_for_programs(group);
  }
  return !there;
}

void Renderer::Impl::ask_for_programs(MadeFor group) {
  if (programs_may_be_late() && !is_ground(group)) shaders.queue(group);
  else shaders.begin(group);
}

void Renderer::Impl::wait_for_programs(std::initializer_list<ProgramId> programs) {
  for (const ProgramId program : programs) shaders.use(program);
}

void Renderer::Impl::set_size(int width, int height, Settle settle) {
  if (width <= 0 || height <= 0) return;
  width = std::min(width, kLargestWidth_px);
  height = std::min(height, kLargestHeight_px);
  if (width != window_width_px || height != window_height_px) {
    window_width_px = width;
    window_height_px = height;
    fit_picture();
    draws_until_bake = kSettlingDraws;
  }
  const bool waiting = draws_until_bake > 0;
  if (waiting && area == ground_area(width, height, largest_px)) {
    draws_until_bake = 0;  // Back where it was.
  } else if (waiting && settle == Settle::Now) {
    place_ground_for_size();
  }
}

void Renderer::Impl::fit_picture() {
  const int quarters = !on_processor()                                       ? 4
                       : looks.resolution == frame::Resolution::Half          ? 2
                       : looks.resolution == frame::Resolution::ThreeQuarters ? 3
                                                                              : 4;
  // A window that is small already keeps its pixels.
  constexpr int kLeast_px = 240;
  const auto part = [&](int px) { return (px * quarters + 3) / 4; };
  const bool whole = part(std::min(window_width_px, window_height_px)) < kLeast_px;
  const int width = whole ? window_width_px : part(window_width_px),
            height = whole ? window_height_px : part(window_height_px);
  if (width == width_px && height == height_px) return;
  width_px = width;
  height_px = height;
  held = has_trail = false;
  ground_is_read = false;
  make_targets();
}

SmallTargets Renderer::Impl::make_small(int divisor, int levels) const {
  const PixelFormat format = half_floats ? PixelFormat::Rgba16f : PixelFormat::Rgba8;
  bool complete = true;
  int width = (width_px + divisor - 1) / divisor, height = (height_px + divisor - 1) / divisor;
  SmallTargets made;
  made.divisor = divisor;
  made.light = make_target(format, width, height, Filter::Linear, complete);
  made.direction = make_target(format, width, height, Filter::Linear, complete);
  made.light_pair = make_pair(made.light, made.direction, complete);
  while (made.bloom_levels < levels) {
    made.bloom[static_cast<std::size_t>(made.bloom_levels++)] =
        make_target(format, width, height, Filter::Linear, complete);
    if (width <= 2 && height <= 2 && made.bloom_levels >= 2) break;
    width = (width + 1) / 2;
    height = (height + 1) / 2;
  }
  return made;
}

void Renderer::Impl::make_targets() {
  const PixelFormat format = half_floats ? PixelFormat::Rgba16f : PixelFormat::Rgba8;
  bool complete = true;
  // The old ones go first, so that a large window does not need both.
  scene = {};
  fine = {};
  coarse = {};
  scene = make_target(format, width_px, height_px, Filter::Linear, complete);
  fine = software ? make_small(4, 5) : make_small(2, 6);
  coarse = software ? make_small(8, 4) : make_small(4, 5);
}

void Renderer::Impl::place_ground_at(const GroundArea& wanted) {
  area = wanted;
  ground = {};
  forget_figures();
}

/// Neither images nor tiles of figures that OpenGL has drawn so far are shown again.
void Renderer::Impl::forget_figures() {
  for (FigureImages& images : figure_images) images.forget();
  for (LateTiles& late : late_tiles) late.queue.drop();
}

void Renderer::Impl::place_ground_for_size() {
  draws_until_bake = 0;
  place_ground_at(ground_area(window_width_px, window_height_px, largest_px));
}

void Renderer::Impl::place_ground() {
  if (area.width == 0 || (draws_until_bake > 0 && --draws_until_bake == 0)) return place_ground_for_size();
  if (draws_until_bake > 0 && !covers(area, window_width_px, window_height_px))
    place_ground_at(coarse_ground_area(window_width_px, window_height_px, largest_px));
}

void Renderer::Impl::ready_ground() {
  if (ground.stone) return;
  block = {};
  block.camera[2] = static_cast<float>(area.width_px) / area.width;
  block.ground[0] = area.left;
  block.ground[1] = area.top;
  block.ground[2] = 1.0f / area.width;
  block.ground[3] = 1.0f / area.height;
  upload_block();
  plain_state();
  glBindVertexArray(empty_array.get());
  if (!rune_strip) {
    std::vector<float> distances = rune_distances();
    rune_strip = make_rune_strip(distances);
    rune_masks.set_distances(std::move(distances));
  }
  using enum ProgramId;
  wait_for_programs({GroundHeight, GroundStone, GroundSky});
  bind(TextureUnit::Runes, rune_strip);
  glActiveTexture(GL_TEXTURE0);  // Where the ground's own textures may be made.
  ground = bake_ground(area, shaders, half_floats);
  ground_is_read = false;
  stone_copy = StoneCopy::None;
}

void Renderer::Impl::ready_garden(std::span<const frame::GardenChunk> next) {
  const bool begins = !garden.stone || !(garden_at.area == area);
  if (!begins && !garden.height.colour) return;  // all is there
  plain_state();
  glBindVertexArray(empty_array.get());
  glActiveTexture(GL_TEXTURE0);
  if (begins) {
    garden_at = garden_place(area, largest_px);
    garden = {};
    ready_programs({MadeFor::Garden});
    using enum ProgramId;
    wait_for_programs({GardenSky, GardenHeight, GardenStone});
    garden = begin_garden(garden_at, shaders, half_floats, block, frame_buffer.get());
    garden_is_read = garden_sky_is_read = false;
  }
  const auto bake_rows = [&](int variant, int rows) {
    if (garden.baked[static_cast<std::size_t>(variant)] == garden_at.rows) return false;
    bake_garden(garden, variant, rows, garden_at, shaders, block, frame_buffer.get());
    return true;
  };
  bool baked = false;
  for (const GardenBand& band : garden_now) baked |= bake_rows(band.variant, garden_at.rows);
  const int strip_rows = (garden_at.rows + kGardenStrips - 1) / kGardenStrips;
  for (const frame::GardenChunk& chunk : next)
    if (!baked) baked = bake_rows(chunk.variant % frame::kGardenVariants, strip_rows);
  for (int variant = 0; variant < frame::kGardenVariants && !baked; ++variant) baked = bake_rows(variant, strip_rows);
  if (std::ranges::all_of(garden.baked, [this](int rows) { return rows == garden_at.rows; })) {
    garden.height = {};
    garden.stone_target = {};
  }
}

}  // namespace spellpool::render
