#pragma once
// The arena's floor, ring and night sky, painted once per window size into two textures that lie in the world:
//   stone  a texel a pixel: x sqrt(reflectance), yz slope 0.5 + 0.5·s (points downhill), w mottling
//   sky    a sixteenth of that: the linear light that is there without any spell (moonlight, mist)
// Cost: one bake, about 0.25 s for 1280×720 on a software renderer, nothing per frame.
#include <algorithm>
#include <cmath>
#include <vector>

#include "render/gl/render_target.hpp"
#include "render/gl/shader_library.hpp"
#include "render/view.hpp"

namespace spellpool::render {

/// World units baked beyond each side of the view, for the camera's lead and shake. Past it the last texel goes on.
inline constexpr float kGroundMargin = 72.0f;

struct GroundArea {
  float left = 0, top = 0, width = 0, height = 0;  ///< Units.
  int width_px = 1, height_px = 1;                 ///< Of the stone texture.
  bool pixel_exact = true;                         ///< A texel is a pixel: with a snapped camera no filter is needed.
  friend bool operator==(const GroundArea&, const GroundArea&) = default;
};

/// What must be baked for a picture of this size. At most `largest_px` texels an axis and 2^25 in all:
/// beyond, the ground is a little softer than the picture.
GroundArea ground_area(int width_px, int height_px, int largest_px);
/// For the frames in which a window changes its size: half as wide and high again, so that it serves several
/// sizes, and of a seventh of the texels.
GroundArea coarse_ground_area(int width_px, int height_px, int largest_px);
/// A picture of this size shows nothing beyond the area. There the last texel would go on, as bands.
bool covers(const GroundArea& area, int width_px, int height_px);

struct GroundTextures {
  Texture stone;
  Texture sky;
};

/// A target for begin_baking(): each texel is finite.
RenderTarget make_baked_target(PixelFormat format, int width_px, int height_px, Filter filter);
/// Until end_baking(), draws replace what is in the target, by blending that keeps nothing of it. Drawn without
/// blending, a fragment shader is compiled twice by llvmpipe (once more for tiles that it fills), and a compile of the
/// ground's shaders takes 30 to 180 ms.
void begin_baking();
void end_baking();

/// Draws both. The Frame block must be bound with the area's place (u_ground) and its texels per unit (u_camera.z).
/// `linear_targets` false: RGBA8 where half floats cannot be drawn into.
GroundTextures bake_ground(const GroundArea& area, ShaderLibrary& shaders, bool half_floats);

/// Two RGBA8, `part` 256ths of the second.
inline u32 mix_texels(u32 p, u32 q, u32 part) {
  const u32 even = ((p & 0xFF00FFu) * (256u - part) + (q & 0xFF00FFu) * part) >> 8 & 0xFF00FFu;
  const u32 odd = ((p >> 8 & 0xFF00FFu) * (256u - part) + (q >> 8 & 0xFF00FFu) * part) & 0xFF00FF00u;
  return even | odd;
}
/// A linear sample of a line of texels: two neighbours, and how much of the second one.
struct LinearSample {
  int first = 0, next = 0;
  u32 part = 0;  ///< 256ths of the next.
};
/// At `texel`, counted from the middle of the first of `count` texels. Beyond the ends the last one goes on.
inline LinearSample linear_sample(float texel, int count) {
  const float first = std::clamp(std::floor(texel), 0.0f, static_cast<float>(count - 1));
  const int begin = static_cast<int>(first);
  return {begin, std::min(begin + 1, count - 1), static_cast<u32>(std::clamp(texel - first, 0.0f, 1.0f) * 256.0f)};
}
/// A part of a line in the world, in units, and its texels.
struct TexelSpan {
  float start = 0, size = 0;
  int texels = 1;
};
/// Resamples rows of RGBA8 from one span to another.
class RowFit {
 public:
  RowFit() = default;
  RowFit(const TexelSpan& from, const TexelSpan& to);
  /// A row that lies between two: `part` 256ths of the lower one.
  void row(const u32* upper, const u32* lower, u32 part, u32* fitted) const;

 private:
  std::vector<LinearSample> columns_;
};
/// The stone of `from`, RGBA8 with the top row first, filtered for the texels of `to`, which is as large or larger
/// ones.
void fit_stone(const GroundArea& from, const u32* stone, const GroundArea& to, u32* fitted);

}  // namespace spellpool::render
