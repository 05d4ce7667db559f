#pragma once
#include <array>

#include "core/types.hpp"

namespace spellpool::sim {

/// A wind without sources: 64 × 64 vectors that tile, the curl of smooth value noise, each about 1 long. Looked up at a
/// point that drifts with time, it makes smoke and fire curl instead of spreading. Built once from a fixed seed.
/// 32 KiB. Source  Bridson, Hourihan, Nordenstam: "Curl-Noise for Procedural Fluid Flow", SIGGRAPH 2007.
class CurlField {
 public:
  static constexpr u32 kSize = 64;
  static constexpr float kCell = 12.0f;  ///< World units per cell.
  struct Wind {
    float x, y;
  };

  CurlField();

  /// Nearest cell's wind at (x, y), the field shifted by `drift` cells.
  const Wind& at(float x, float y, u32 drift) const {
    const u32 ix = static_cast<u32>(static_cast<i32>(x * (1.0f / kCell) + 4096.0f)) + drift / 2;
    const u32 iy = static_cast<u32>(static_cast<i32>(y * (1.0f / kCell) + 4096.0f)) + drift;
    return winds_[(iy & (kSize - 1)) * kSize + (ix & (kSize - 1))];
  }

 private:
  std::array<Wind, kSize * kSize> winds_;
};

}  // namespace spellpool::sim
