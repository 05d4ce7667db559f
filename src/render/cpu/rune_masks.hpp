#pragma once
// The ring's burning runes for the CPU renderer, as shaders/rune.frag draws them, and the light between them in
// the finale (shaders/ring_glow.frag). A rune is a core and a halo, whose shapes stay the same while their colours
// breathe. The shapes are worked out when the picture's size changes; a picture multiplies and adds them. So it
// is with the ring's glow: what changes there depends on the angle alone.
//
// Cost   3 ms at 1280×720 when the size changes, 20 ms more at the first finale; a picture some multiplications
//        for each of 5,000 pixels a rune, in the finale for each of 170,000 of the ring.
// Memory 4 bytes for each pixel of a rune, 8 for each of the ring.
#include <array>
#include <span>
#include <vector>

#include "core/types.hpp"
#include "render/cpu/cpu_kernels.hpp"
#include "render/rune_strip.hpp"
#include "render/view.hpp"

namespace spellpool::render {

class RuneMasks {
 public:
  /// The runes, and the ring's glow.
  static constexpr int kRing = kRunes, kPartCount = kRunes + 1;

  /// What rune_distances() gives.
  void set_distances(std::vector<float> strip);
  /// How the runes burn in a picture: `lit` of 0 … 12 burn.
  void begin_picture(const View& view, float lit, float finale, float time_s);
  /// Pixels that a part covers, the last ones outside; nothing for one that does not burn.
  struct Box {
    int left = 0, top = 0, right = 0, bottom = 0;
  };
  Box box(int part) const;
  /// Whether a part may have light in a square of 64 pixels.
  bool touches(int part, int left_px, int top_px) const;
  /// Adds what of a part lies in the tile.
  void add(int part, const TileCanvas& tile) const;

 private:
  /// Parts of 65535.
  struct Texel {
    u16 core = 0, halo = 0;
  };
  struct Mask {
    int left = 0, top = 0, width = 0, height = 0;  // Pixels from the arena's middle.
    std::vector<Texel> texels;
  };
  void make_one(int rune, float px_per_unit, Point middle);
  void add_rune(int rune, const TileCanvas& tile) const;
  void make_ring();
  void light_ring(float finale, float time_s);
  void add_ring(const TileCanvas& tile) const;
  float distance(int rune, float x, float y) const;

  std::vector<float> strip_;
  // Of the masks: what they were made for.
  float px_per_unit_ = 0;
  Point part_{};  // Of a pixel, at the arena's middle.
  std::array<Mask, kRunes> masks_;
  // The ring, row by row: the pixels between its inner and its outer edge, first those on the left.
  struct Glow {
    i16 gold = 0;             // Of the lines, what is golden, in 1/16384: below 0 where lines cross …
    u16 white = 0, soft = 0;  // … and what is white; and around them.
    u16 angle = 0;
  };
  struct RingRow {
    int inner = 0, outer = 0;  // Pixels on each side of the middle: from, to.
    std::size_t first = 0;
  };
  std::vector<Glow> ring_;
  std::vector<RingRow> ring_rows_;
  int ring_top_ = 0;  // Of the first row, from the middle.
  // Of the picture.
  int middle_x_ = 0, middle_y_ = 0;
  struct Fire {
    u32 core[3] = {}, halo[3] = {};  // In a tile's units of light.
  };
  std::array<Fire, kRunes> fires_;
  int burning_ = 0;
  static constexpr int kAngles = 2048;
  struct AngleLight {
    float line = 0, soft = 0;  // In a tile's units of light.
  };
  std::array<AngleLight, kAngles> angle_light_{};
  bool glows_ = false;
};

}  // namespace spellpool::render
