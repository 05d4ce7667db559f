#pragma once
// A picture of few pixels, shown with many: what the CPU renderer does below 100 % resolution.
#include <vector>

#include "core/types.hpp"
#include "render/cpu/thread_pool.hpp"

namespace spellpool::render {

/// Pixels of 32 bits, a byte a channel; the stride in pixels.
struct PixelPlane {
  u32* pixels = nullptr;
  int stride = 0, width = 0, height = 0;
};

/// Filters linearly between the middles of pixels; what lies beyond the edges is their colour.
class Enlarger {
 public:
  /// `to` is at least as large as `from`, both ways. Allocates when a size changes only.
  void enlarge(const PixelPlane& from, const PixelPlane& to, ThreadPool& threads);

 private:
  struct Column {
    u32 left = 0, right_part = 0;  ///< Pixel, and 256ths of the one after it.
  };
  void widen(const u32* row, u32* out) const;
  void widen_twice(const u32* row, u32* out) const;
  static void widen_thirds(const u32* row, u32* out);

  std::vector<Column> columns_;
  std::vector<u32> rows_;  // Two for each band of rows.
  int from_width_ = 0, to_width_ = 0;
};

}  // namespace spellpool::render
