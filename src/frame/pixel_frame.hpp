#pragma once
#include "core/types.hpp"

namespace spellpool::frame {

/// Memory for a frame: 32 bits a pixel (blue, green, red, unused; a byte each), top row first. Without pixels: none.
struct PixelFrame {
  u32* pixels = nullptr;
  int stride = 0, width = 0, height = 0;  ///< Stride in pixels.
};

}  // namespace spellpool::frame
