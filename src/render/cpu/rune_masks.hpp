#pragma once
// The ring's burning runes for the CPU renderer, as shaders/rune.frag draws them: each is a core and a halo,
// whose shapes stay the same while their colours breathe. The shapes are worked out when the picture's size
// changes; a picture multiplies and adds them.
//
// Cost   3 ms at 1280×720 when the size changes; a picture some multiplications for each of 5,000 pixels a
// rune. Memory 4 bytes for each of these pixels.
#include <array>
#include <span>
#include <vector>

#include "core/types.hpp"
#include "render/cpu/cpu_kernels.hpp"
#include "render/view.hpp"

namespace spellpool::render {

class RuneMasks {
 public:
  static constexpr int kRuneCount = 12;

  /// The strip of all runes' distances, as shaders/rune_strip.frag makes it: RGBA floats, lowest row first.
  void set_strip(int width, int height, std::span<const float> rgba);
  /// How the runes burn in a picture: `lit` of 0 … 12 burn.
  void begin_picture(const View& view, float lit, float time_s);
  /// Pixels that a rune covers, the last ones outside; nothing for one that does not burn.
  struct Box {
    int left = 0, top = 0, right = 0, bottom = 0;
  };
  Box box(int rune) const;
  /// Adds the part of a rune that lies in the tile.
  void add(int rune, const TileCanvas& tile) const;

 private:
  /// Parts of 65535.
  struct Texel {
    u16 core = 0, halo = 0;
  };
  struct Mask {
    int left = 0, top = 0, width = 0, height = 0;  // Pixels from the arena's middle.
    std::vector<Texel> texels;
  };
  Mask make_one(int rune, float px_per_unit, Point middle) const;
  float distance(int rune, float x, float y) const;

  int strip_width_ = 0, strip_height_ = 0;
  std::vector<float> strip_;
  // Of the masks: what they were made for.
  float px_per_unit_ = 0;
  Point part_{};  // Of a pixel, at the arena's middle.
  std::array<Mask, kRuneCount> masks_;
  // Of the picture.
  int middle_x_ = 0, middle_y_ = 0;
  struct Fire {
    u32 core[3] = {}, halo[3] = {};  // In a tile's units of light.
  };
  std::array<Fire, kRuneCount> fires_;
  int burning_ = 0;
};

}  // namespace spellpool::render
