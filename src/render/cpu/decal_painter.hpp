#pragma once
// Marks on the floor for the CPU renderer, as shaders/decal.frag draws them: beneath all else in a tile. The pictures
// are those of render/decal_sheet.hpp, turned and filtered for each pixel.
//
// Cost   about 4 ns for each pixel that a mark's circle covers.
#include <span>
#include <vector>

#include "render/cpu/cpu_kernels.hpp"
#include "render/decal_sheet.hpp"
#include "render/view.hpp"

namespace spellpool::render {

class DecalPainter {
 public:
  bool has_sheet() const { return !texels_.empty(); }
  void set_sheet(std::vector<u16> texels);
  const std::vector<u16>& sheet() const { return texels_; }

  /// The marks of a picture, all of them good (is_seen()). Allocates when there are more than ever before.
  void begin_picture(const View& view, std::span<const frame::DecalInstance> decals);
  /// Pixels that a mark may touch, the last ones outside.
  struct Box {
    int left = 0, top = 0, right = 0, bottom = 0;
  };
  std::size_t count() const { return placed_.size(); }
  Box box(std::size_t decal) const { return placed_[decal].box; }
  /// Lays what of a mark lies in the tile over it.
  void lay(std::size_t decal, const TileCanvas& tile) const;

 private:
  struct Placed {
    Box box;
    float x = 0, y = 0, radius = 0;        // Pixels.
    i32 right_s = 0, right_t = 0;          // From a pixel to its right neighbour, in 65536ths of a texel …
    float cos_texels = 0, sin_texels = 0;  // … and in texels, of the turn.
    u32 cover = 0;                         // Of a texel of 255: in 65536ths.
    u32 glow[3] = {};                      // Of a texel of 255: in 256ths of a tile's units of light.
    const u16* cell = nullptr;
  };

  std::vector<u16> texels_;
  std::vector<Placed> placed_;
};

}  // namespace spellpool::render
