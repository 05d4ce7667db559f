#include "render/ground.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace spellpool::render {
namespace {

constexpr double kMostTexels = 1 << 25;
// A coarse ground reaches so much further than the picture, and has so many pixels in one texel.
constexpr float kCoarseReach = 1.5f, kCoarsePixels = 4.0f;

View view_of_size(int width_px, int height_px) {
  View view;
  view.width_px = static_cast<float>(std::max(1, width_px));
  view.height_px = static_cast<float>(std::max(1, height_px));
  return view;
}

}  // namespace

GroundArea ground_area(int width_px, int height_px, int largest_px) {
  const View view = view_of_size(width_px, height_px);
  GroundArea area;
  const float half_width = view.half_width() + kGroundMargin;
  const float half_height = view.half_height() + kGroundMargin;
  const float scale = view.px_per_unit();
  // Whole pixels, with the arena's centre on the corner of four texels.
  const double half_x = std::ceil(static_cast<double>(half_width) * scale);
  const double half_y = std::ceil(static_cast<double>(half_height) * scale);
  area.width = static_cast<float>(2.0 * half_x / scale);
  area.height = static_cast<float>(2.0 * half_y / scale);
  area.left = -0.5f * area.width;
  area.top = -0.5f * area.height;
  double shrink = std::max(1.0, std::max(half_x, half_y) * 2.0 / std::max(1, largest_px));
  shrink = std::max(shrink, std::sqrt(4.0 * half_x * half_y / kMostTexels));
  area.pixel_exact = shrink <= 1.0;
  area.width_px = std::max(1, static_cast<int>(2.0 * half_x / shrink));
  area.height_px = std::max(1, static_cast<int>(2.0 * half_y / shrink));
  return area;
}

GroundArea coarse_ground_area(int width_px, int height_px, int largest_px) {
  GroundArea area = ground_area(width_px, height_px, largest_px);
  for (float* size : {&area.left, &area.top, &area.width, &area.height}) *size *= kCoarseReach;
  for (int* side : {&area.width_px, &area.height_px}) {
    *side = std::max(1, static_cast<int>(static_cast<float>(*side) * (kCoarseReach / kCoarsePixels)));
  }
  area.pixel_exact = false;
  return area;
}

bool covers(const GroundArea& area, int width_px, int height_px) {
  const View view = view_of_size(width_px, height_px);
  return 2.0f * view.half_width() <= area.width && 2.0f * view.half_height() <= area.height;
}

RenderTarget make_baked_target(PixelFormat format, int width_px, int height_px, Filter filter) {
  bool complete = true;
  RenderTarget target = make_target(format, width_px, height_px, filter, complete);
  if (format == PixelFormat::Rgba16f) glClear(GL_COLOR_BUFFER_BIT);
  return target;
}

void begin_baking() {
  glEnable(GL_BLEND);
  glBlendFunc(GL_ONE, GL_ZERO);
}

void end_baking() { glDisable(GL_BLEND); }

GroundTextures bake_ground(const GroundArea& area, ShaderLibrary& shaders, bool half_floats) {
  const PixelFormat fine = half_floats ? PixelFormat::Rgba16f : PixelFormat::Rgba8;
  RenderTarget height = make_baked_target(fine, area.width_px, area.height_px, Filter::Nearest);
  RenderTarget stone = make_baked_target(PixelFormat::Rgba8, area.width_px, area.height_px, Filter::Nearest);
  RenderTarget sky =
      make_baked_target(fine, std::max(1, area.width_px / 4), std::max(1, area.height_px / 4), Filter::Linear);

  begin_baking();
  height.begin();
  shaders.use(ProgramId::GroundHeight);
  glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);

  stone.begin();
  shaders.use(ProgramId::GroundStone);
  glActiveTexture(GL_TEXTURE0 + static_cast<GLenum>(TextureUnit::Source));
  glBindTexture(GL_TEXTURE_2D, height.colour.get());
  glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);

  sky.begin();
  shaders.use(ProgramId::GroundSky);
  glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
  end_baking();

  GroundTextures made;
  made.stone = std::move(stone.colour);
  made.sky = std::move(sky.colour);
  return made;
}

namespace {
/// The sample of `from` for the middle of a texel of `to`.
LinearSample sample_between(const TexelSpan& from, const TexelSpan& to, int texel) {
  const float world = to.start + (static_cast<float>(texel) + 0.5f) * to.size / static_cast<float>(to.texels);
  return linear_sample((world - from.start) / from.size * static_cast<float>(from.texels) - 0.5f, from.texels);
}
}  // namespace

RowFit::RowFit(const TexelSpan& from, const TexelSpan& to) {
  columns_.reserve(static_cast<std::size_t>(to.texels));
  for (int x = 0; x < to.texels; ++x) columns_.push_back(sample_between(from, to, x));
}

void RowFit::row(const u32* upper, const u32* lower, u32 part, u32* fitted) const {
  for (const LinearSample& column : columns_) {
    *fitted++ = mix_texels(mix_texels(upper[column.first], upper[column.next], column.part),
                           mix_texels(lower[column.first], lower[column.next], column.part), part);
  }
}

void fit_stone(const GroundArea& from, const u32* stone, const GroundArea& to, u32* fitted) {
  const RowFit fit({from.left, from.width, from.width_px}, {to.left, to.width, to.width_px});
  const auto line = [&](int row) { return stone + static_cast<std::ptrdiff_t>(row) * from.width_px; };
  for (int y = 0; y < to.height_px; ++y) {
    const LinearSample row =
        sample_between({from.top, from.height, from.height_px}, {to.top, to.height, to.height_px}, y);
    fit.row(line(row.first), line(row.next), row.part, fitted + static_cast<std::ptrdiff_t>(y) * to.width_px);
  }
}

}  // namespace spellpool::render
