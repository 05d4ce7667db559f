#pragma once
// The shooter's ground: kGardenVariants images of a garden at night. They are baked once per window size and
// lie one beneath the other in one texture. It has the stone's format (render/ground.hpp), except that w is
// a tint: 0.5 is none, less is moss, more is petals. The snapshot says in which order they follow each
// other. The lower edge of each fits the upper edge of every other.
//
// Cost   all of them take 0.3 to 0.9 s at 1280×720 on a software renderer. The first frame with a garden waits for
//        the images that it shows, three at the start of a game; each later one bakes a strip, until all are there.
// Memory 4 bytes a texel: 11 MB at 1280×720, 25 MB at 1920×1080, at most 134 MB. The CPU renderer holds a
//        second copy.
#include <array>
#include <span>

#include "frame/render_snapshot.hpp"
#include "render/gl/render_target.hpp"
#include "render/ground.hpp"

namespace spellpool::render {

/// How the pictures lie in their texture, and the texture in the world.
struct GardenPlace {
  GroundArea area;             ///< Of the stone that it was baked beside: it is as wide.
  int width_px = 0, rows = 0;  ///< Texels of one picture.
  float texels_per_unit = 1;
  bool pixel_exact = true;  ///< A texel is a pixel, as GroundArea's.
  friend bool operator==(const GardenPlace&, const GardenPlace&) = default;
};
/// For the ground that is there now.
GardenPlace garden_place(const GroundArea& area, int largest_px);

struct RowRange {
  int first = 0, end = 0;
};
/// Resamples images of the garden from one place to another, for a picture with fewer pixels than the window.
class GardenFit {
 public:
  GardenFit() = default;
  GardenFit(const GardenPlace& from, const GardenPlace& to);
  /// How many rows of an image, from the first, the first `rows` of the source are enough for.
  int rows_of(int rows) const;
  /// The rows of the source that these rows are made from.
  RowRange source_of(RowRange rows) const;
  /// `source` begins with the first row of source_of(rows).
  void fit(const u32* source, RowRange rows, u32* fitted) const;

 private:
  LinearSample source_of(int row) const;

  int source_width_px_ = 0, source_rows_ = 0, width_px_ = 0, rows_ = 0;
  float source_texels_ = 1;  // Of the source, in a texel.
  RowFit across_;
};

using GardenRows = std::array<int, frame::kGardenVariants>;
struct GardenTextures {
  Texture stone;
  Texture sky;          ///< Moonlight, over `area`; it does not scroll.
  GardenRows baked{};   ///< Of each image, from its first row; the rest is undefined.
  RenderTarget height;  ///< Of the image that is being baked.
  Framebuffer stone_target;
};
struct FrameBlock;
/// Makes the textures and draws the sky. Leaves its own numbers in the Frame block and its buffer. `half_floats` as
/// bake_ground().
GardenTextures begin_garden(const GardenPlace& place, ShaderLibrary& shaders, bool half_floats, FrameBlock& block,
                            unsigned frame_buffer);
/// Draws the next rows of an image, at most `rows`. Leaves numbers as begin_garden() does.
void bake_garden(GardenTextures& garden, int variant, int rows, const GardenPlace& place, ShaderLibrary& shaders,
                 FrameBlock& block, unsigned frame_buffer);

/// Rows of the picture, from the top, that show one of the pictures, whose first row lies at top_px.
struct GardenBand {
  int from_px = 0, to_px = 0, top_px = 0;
  u8 variant = 0;
};
inline constexpr std::size_t kMostGardenBands = 16;
using GardenBands = std::array<GardenBand, kMostGardenBands>;
/// The bands of a picture, without gaps from its first row to its last; chunks begin on whole pixels, so that they
/// scroll without a shimmer. `view` is snapped to pixels.
std::span<const GardenBand> garden_bands(const frame::RenderSnapshot& snapshot, const View& view, float alpha,
                                         GardenBands& bands);

}  // namespace spellpool::render
