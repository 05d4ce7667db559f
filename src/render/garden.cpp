#include "render/garden.hpp"

#include <algorithm>
#include <cmath>

#include "render/renderer_impl.hpp"

namespace spellpool::render {
namespace {

constexpr double kMostTexels = 1 << 25;

struct GroundRect {
  float left, top, width, height;
};
/// What the next draws cover, for the shaders.
void set_ground_rect(const GroundRect& rect, const GardenPlace& place, FrameBlock& block, unsigned frame_buffer) {
  block = {};
  block.camera[2] = place.texels_per_unit;
  block.ground[0] = rect.left;
  block.ground[1] = rect.top;
  block.ground[2] = 1.0f / rect.width;
  block.ground[3] = 1.0f / rect.height;
  glBindBuffer(GL_UNIFORM_BUFFER, frame_buffer);
  glBufferSubData(GL_UNIFORM_BUFFER, 0, sizeof(FrameBlock), &block);
  glBindBufferBase(GL_UNIFORM_BUFFER, kFrameBlockBinding, frame_buffer);
}

}  // namespace

GardenPlace garden_place(const GroundArea& area, int largest_px) {
  GardenPlace place;
  place.area = area;
  const double scale = static_cast<double>(area.width_px) / static_cast<double>(area.width);
  const double height = frame::kGardenChunk * scale * frame::kGardenVariants;
  const double shrink = std::max({1.0, std::sqrt(area.width_px * height / kMostTexels),
                                  (height + frame::kGardenVariants) / std::max(1, largest_px)});
  place.pixel_exact = area.pixel_exact && shrink <= 1.0;
  place.width_px = std::max(1, static_cast<int>(area.width_px / shrink));
  place.texels_per_unit = static_cast<float>(place.width_px) / area.width;
  place.rows = std::max(1, static_cast<int>(std::ceil(frame::kGardenChunk * place.texels_per_unit - 0.001f)));
  return place;
}

GardenFit::GardenFit(const GardenPlace& from, const GardenPlace& to)
    : source_width_px_(from.width_px),
      source_rows_(from.rows),
      width_px_(to.width_px),
      rows_(to.rows),
      source_texels_(from.texels_per_unit / to.texels_per_unit),
      across_({from.area.left, from.area.width, from.width_px}, {to.area.left, to.area.width, to.width_px}) {}

LinearSample GardenFit::source_of(int row) const {
  return linear_sample((static_cast<float>(row) + 0.5f) * source_texels_ - 0.5f, source_rows_);
}

int GardenFit::rows_of(int rows) const {
  if (rows >= source_rows_) return rows_;
  int fitted = 0;
  while (fitted < rows_ && source_of(fitted).next < rows) ++fitted;
  return fitted;
}

RowRange GardenFit::source_of(RowRange rows) const {
  if (rows.first >= rows.end) return {};
  return {source_of(rows.first).first, source_of(rows.end - 1).next + 1};
}

void GardenFit::fit(const u32* source, RowRange rows, u32* fitted) const {
  const int first = source_of(rows).first;
  const auto line = [&](int row) { return source + static_cast<std::ptrdiff_t>(row - first) * source_width_px_; };
  for (int row = rows.first; row < rows.end; ++row) {
    const LinearSample sample = source_of(row);
    across_.row(line(sample.first), line(sample.next), sample.part, fitted);
    fitted += width_px_;
  }
}

GardenTextures begin_garden(const GardenPlace& place, ShaderLibrary& shaders, bool half_floats, FrameBlock& block,
                            unsigned frame_buffer) {
  const PixelFormat fine = half_floats ? PixelFormat::Rgba16f : PixelFormat::Rgba8;
  const GroundArea& area = place.area;
  GardenTextures made;
  // A row more above and below, for the slopes.
  made.height = make_baked_target(fine, place.width_px, place.rows + 2, Filter::Nearest);
  RenderTarget stone =
      make_baked_target(PixelFormat::Rgba8, place.width_px, place.rows * frame::kGardenVariants, Filter::Nearest);
  RenderTarget sky =
      make_baked_target(fine, std::max(1, area.width_px / 4), std::max(1, area.height_px / 4), Filter::Linear);
  set_ground_rect({area.left, area.top, area.width, area.height}, place, block, frame_buffer);
  begin_baking();
  sky.begin();
  shaders.use(ProgramId::GardenSky);
  glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
  end_baking();
  made.stone = std::move(stone.colour);
  made.stone_target = std::move(stone.framebuffer);
  made.sky = std::move(sky.colour);
  return made;
}

void bake_garden(GardenTextures& garden, int variant, int rows, const GardenPlace& place, ShaderLibrary& shaders,
                 FrameBlock& block, unsigned frame_buffer) {
  int& baked = garden.baked[static_cast<std::size_t>(variant)];
  const int first = baked;
  baked = std::min(place.rows, first + rows);
  const float texel = 1.0f / place.texels_per_unit;
  set_ground_rect({place.area.left, -texel, place.area.width, static_cast<float>(place.rows + 2) * texel}, place, block,
                  frame_buffer);
  begin_baking();
  glEnable(GL_SCISSOR_TEST);
  garden.height.begin();
  glScissor(0, first, place.width_px, baked - first + 2);
  shaders.use(ProgramId::GardenHeight);
  shaders.set_step(ProgramId::GardenHeight, static_cast<float>(variant));
  glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
  glBindFramebuffer(GL_FRAMEBUFFER, garden.stone_target.get());
  glViewport(0, variant * place.rows, place.width_px, place.rows);
  glScissor(0, variant * place.rows + first, place.width_px, baked - first);
  shaders.use(ProgramId::GardenStone);
  shaders.set_step(ProgramId::GardenStone, static_cast<float>(variant * place.rows));
  bind(TextureUnit::Source, garden.height.colour);
  glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
  glDisable(GL_SCISSOR_TEST);
  end_baking();
}

std::span<const GardenBand> garden_bands(const frame::RenderSnapshot& snapshot, const View& view, float alpha,
                                         GardenBands& bands) {
  const int height = static_cast<int>(view.height_px);
  const float step = std::isfinite(snapshot.garden_step) ? snapshot.garden_step : 0.0f;
  std::size_t count = 0;
  for (const frame::GardenChunk& chunk : snapshot.garden) {
    const float top = world_to_screen(view, {0.0f, chunk.y - (1.0f - alpha) * step}).y;
    if (!(std::abs(top) < 1e6f)) continue;
    const int top_px = static_cast<int>(std::floor(top + 0.5f));
    if (top_px >= height && count > 0) break;
    if (count > 0) {
      bands[count - 1].to_px = std::clamp(top_px, bands[count - 1].from_px, height);
      if (bands[count - 1].to_px <= 0) --count;  // It ended above the picture.
    }
    if (count == kMostGardenBands) break;
    const int from_px = count == 0 ? 0 : bands[count - 1].to_px;
    bands[count++] = {from_px, height, top_px, static_cast<u8>(chunk.variant % frame::kGardenVariants)};
  }
  if (count == 0) bands[count++] = {0, height, 0, 0};
  bands[count - 1].to_px = height;
  return {bands.data(), count};
}

}  // namespace spellpool::render
