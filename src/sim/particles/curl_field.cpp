#include "sim/particles/curl_field.hpp"

#include "core/det_math.hpp"
#include "core/rng.hpp"

namespace spellpool::sim {

CurlField::CurlField() {
  // Potential: two octaves of value noise on lattices that divide kSize, so that it tiles.
  static constexpr u32 kLattices[2] = {8, 16};
  static constexpr float kWeights[2] = {1.0f, 0.45f};
  std::array<float, kSize * kSize> potential{};
  for (u32 octave = 0; octave < 2; ++octave) {
    const u32 lattice = kLattices[octave];
    const u32 cell = kSize / lattice;
    auto corner = [&](u32 cx, u32 cy) {
      Rng rng(mix64((octave + 1) * 7919u + (cy % lattice) * 131u + (cx % lattice)));
      return rng.signed_unit();
    };
    for (u32 y = 0; y < kSize; ++y) {
      for (u32 x = 0; x < kSize; ++x) {
        const u32 cx = x / cell, cy = y / cell;
        const float fx = smooth(static_cast<float>(x % cell) / static_cast<float>(cell));
        const float fy = smooth(static_cast<float>(y % cell) / static_cast<float>(cell));
        const float top = lerp(corner(cx, cy), corner(cx + 1, cy), fx);
        const float bottom = lerp(corner(cx, cy + 1), corner(cx + 1, cy + 1), fx);
        potential[y * kSize + x] += kWeights[octave] * lerp(top, bottom, fy);
      }
    }
  }
  auto at = [&](u32 x, u32 y) { return potential[(y & (kSize - 1)) * kSize + (x & (kSize - 1))]; };
  for (u32 y = 0; y < kSize; ++y) {
    for (u32 x = 0; x < kSize; ++x) {
      const float scale = 4.0f;
      winds_[y * kSize + x] = {(at(x, y + 1) - at(x, y - 1)) * scale, (at(x - 1, y) - at(x + 1, y)) * scale};
    }
  }
}

}  // namespace spellpool::sim
