#pragma once
// A picture as read back, its figures, and a small PNG writer for looking at it.
#include <string>
#include <vector>

#include "core/types.hpp"

namespace spellpool::render::test {

struct Picture {
  int width = 0, height = 0;
  std::vector<u8> rgb;  ///< Top row first.

  /// Rec. 709 luma of one pixel, 0 … 1 as displayed.
  float luma(int x, int y) const;
  /// Mean luma of the square of `radius` pixels around a pixel, cut at the edges.
  float mean_luma(int x, int y, int radius) const;
  float mean_luma() const;
  friend bool operator==(const Picture&, const Picture&) = default;
};

/// Pixels of two pictures of one size that differ by more than `levels` in any colour.
int differing(const Picture& a, const Picture& b, int levels = 0);

/// Uncompressed 8-bit RGB PNG. False if the file cannot be written.
bool write_png(const std::string& path, const Picture& picture);

}  // namespace spellpool::render::test
