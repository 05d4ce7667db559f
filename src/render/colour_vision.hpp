#pragma once
// Colours moved so that hues stay apart for eyes that mix some of them up: what such an eye does not see of a colour is
// added, by parts, to the channels that it does see. One 3×3 matrix on linear RGB; white stays white. It takes hues
// apart at the cost of their being as painted, so it is a choice and not the default. Source of what such an eye sees:
// Machado, Oliveira and Fernandes, "A Physiologically-based Model for Simulation of Color Vision Deficiency", 2009,
// severity 1.
#include <array>

#include "frame/settings.hpp"

namespace spellpool::render {

/// Rows: red, green and blue out; columns: red, green and blue in.
using VisionMatrix = std::array<std::array<float, 3>, 3>;

namespace vision {

inline constexpr VisionMatrix kSame = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
/// What each eye sees, by frame::ColourVision.
inline constexpr std::array<VisionMatrix, 4> kSeen = {
    kSame,
    VisionMatrix{
        {{0.152286f, 1.052583f, -0.204868f}, {0.114503f, 0.786281f, 0.099216f}, {-0.003882f, -0.048116f, 1.051998f}}},
    VisionMatrix{
        {{0.367322f, 0.860646f, -0.227968f}, {0.280085f, 0.672501f, 0.047413f}, {-0.011820f, 0.042940f, 0.968881f}}},
    VisionMatrix{
        {{1.255528f, -0.076749f, -0.178779f}, {-0.078411f, 0.930809f, 0.147602f}, {0.004733f, 0.691367f, 0.303900f}}},
};
/// Where the unseen part goes: from red to green and blue, or from blue to red and green.
inline constexpr VisionMatrix kFromRed = {{{0, 0, 0}, {0.7f, 1, 0}, {0.7f, 0, 1}}};
inline constexpr VisionMatrix kFromBlue = {{{1, 0, 0.7f}, {0, 1, 0.7f}, {0, 0, 0}}};

constexpr VisionMatrix mended(const VisionMatrix& seen, const VisionMatrix& moved) {
  VisionMatrix out = kSame;
  for (std::size_t row = 0; row < 3; ++row) {
    for (std::size_t column = 0; column < 3; ++column) {
      for (std::size_t k = 0; k < 3; ++k) out[row][column] += moved[row][k] * (kSame[k][column] - seen[k][column]);
    }
  }
  return out;
}

inline constexpr std::array<VisionMatrix, 4> kMended = {kSame, mended(kSeen[1], kFromRed), mended(kSeen[2], kFromRed),
                                                        mended(kSeen[3], kFromBlue)};

}  // namespace vision

/// What the picture's linear colours are multiplied with; the unit matrix for Common.
constexpr const VisionMatrix& vision_matrix(frame::ColourVision choice) {
  const std::size_t i = static_cast<std::size_t>(choice);
  return vision::kMended[i < vision::kMended.size() ? i : 0];
}

}  // namespace spellpool::render
