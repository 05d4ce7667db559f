#pragma once
// Marks on the floor for the CPU renderer, as shaders/decal.frag draws them: beneath all else in a tile. The pictures
// are those of render/decal_sheet.hpp, turned and filtered for each pixel.
//
// A mark lies where it is for many seconds; only its cover and its embers fade. In a game's window its turned picture
// is therefore kept as a mask of bytes, which moves with the camera by whole pixels.
//
// Cost   about 4 ns for each pixel of a mark's circle without a mask, 0.3 ns with one. A frame makes masks of 30,000
//        pixels at most.
// Memory 2.5 bytes a pixel of the frame, a ring: the oldest masks go first.
#include <span>
#include <vector>

#include "render/cpu/cpu_kernels.hpp"
#include "render/cpu/raw_buffer.hpp"
#include "render/decal_sheet.hpp"
#include "render/view.hpp"

namespace spellpool::render {

class DecalPainter {
 public:
  bool has_sheet() const { return !texels_.empty(); }
  void set_sheet(std::vector<u16> texels);
  const std::vector<u16>& sheet() const { return texels_; }

  /// The marks of a picture, all of them good (is_seen()). `keeps`: with masks, which may differ from the picture
  /// itself by half a level. Allocates when there are more marks than ever before, and masks when the size changes.
  void begin_picture(const View& view, std::span<const frame::DecalInstance> decals, bool keeps = false);
  /// Pixels that a mark may touch, the last ones outside.
  struct Box {
    int left = 0, top = 0, right = 0, bottom = 0;
  };
  std::size_t count() const { return placed_.size(); }
  Box box(std::size_t decal) const { return placed_[decal].box; }
  /// Lays what of a mark lies in the tile over it.
  void lay(std::size_t decal, const TileCanvas& tile, const CpuKernels& kernels) const;
  std::size_t masks() const { return masks_.size(); }

 private:
  struct Placed {
    Box box;
    float x = 0, y = 0, radius = 0;        // Pixels.
    i32 right_s = 0, right_t = 0;          // From a pixel to its right neighbour, in 65536ths of a texel …
    float cos_texels = 0, sin_texels = 0;  // … and in texels, of the turn.
    u32 cover = 0;                         // Of a texel of 255: in 65536ths.
    u32 glow[3] = {};                      // Of a texel of 255: in 256ths of a tile's units of light.
    const u16* cell = nullptr;
    int mask = -1;
    int mask_x = 0, mask_y = 0;            // Of the mask's first pixel.
    float shown = 0, light[3] = {};
  };
  struct Mask {
    frame::DecalInstance of;
    float x = 0, y = 0;                    // Of its middle, when it was made.
    Box box;                               // Of the mark, then.
    std::size_t first = 0, bytes = 0;      // Of the cover; as many follow for what is hot.
    int stride = 0;
    bool hot = false;
    u64 used = 0;                          // Picture.
  };

  void find_masks(const View& view, std::span<const frame::DecalInstance> decals);
  int find(const frame::DecalInstance& decal, const Placed& placed, std::size_t from) const;
  bool make_mask(const frame::DecalInstance& decal, const Placed& placed);
  template <class Use>
  static void sample_row(const Placed& placed, int row, int from, int to, Use&& use);

  std::vector<u16> texels_;
  std::vector<Placed> placed_;
  std::vector<Mask> masks_;
  RawBuffer<u8> bytes_;
  std::size_t next_ = 0;                   // Of bytes_.
  float px_per_unit_ = 0;
  u64 picture_ = 0;
};

}  // namespace spellpool::render
