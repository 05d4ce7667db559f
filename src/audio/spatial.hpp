#pragma once
// From a place in the world to what the ear gets: level, side and dullness. Pure functions, once per started sound.
#include <cmath>

#include "audio/scale.hpp"
#include "core/det_math.hpp"

namespace spellpool::audio {

/// Up to here (world units from the listener) a sound is at full level and full brightness.
inline constexpr float kNear_units = 240.0f;
/// Beyond: level = near / (near + rolloff · (d − near)); 0.46 (−6.8 dB) at 640, the edge of a 16:9 view.
inline constexpr float kRolloff = 0.7f;
/// The edge of the view is this far to one side; nothing is ever wholly in one ear.
inline constexpr float kFullPan_units = 640.0f;
inline constexpr float kMaxPan = 0.8f;
/// Distance dulls: from bright samples to dull ones (sound_bank.hpp) over so many units beyond kNear_units.
inline constexpr float kDulling_units = 900.0f;

struct Placement {
  float attenuation = 1.0f;  ///< 0 … 1 by distance.
  float left = 0.0f;         ///< Pan gains without attenuation: left² + right² = 1, both −3 dB in the centre.
  float right = 0.0f;
  float dullness = 0.0f;  ///< 0 bright … 1 dull.
};

/// Constant-power pan gains for pan −1 (left) … 1 (right).
inline void pan_gains(float pan, float& left, float& right) {
  const float turns = (pan + 1.0f) * 0.125f;
  left = sin_quarter(0.25f - turns);
  right = sin_quarter(turns);
}

/// x, y finite, world units from the listener. No branches: places are random.
inline Placement place(float x, float y) {
  constexpr float kFar = 1.0e6f;
  x = x > kFar ? kFar : (x < -kFar ? -kFar : x);
  y = y > kFar ? kFar : (y < -kFar ? -kFar : y);
  Placement placement;
  const float pan = x * (1.0f / kFullPan_units);
  pan_gains(pan > kMaxPan ? kMaxPan : (pan < -kMaxPan ? -kMaxPan : pan), placement.left, placement.right);
  const float distance = length(x, y);
  const float beyond = distance > kNear_units ? distance - kNear_units : 0.0f;
  placement.attenuation = kNear_units / (kNear_units + kRolloff * beyond);
  placement.dullness = clamp01(beyond * (1.0f / kDulling_units));
  return placement;
}

}  // namespace spellpool::audio
