#include "audio/sound_bank.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "audio/scale.hpp"
#include "core/assert.hpp"
#include "core/det_math.hpp"

namespace spellpool::audio {
namespace {

/// What is left of a sound far away: the mixer goes over from the bright samples to these with distance.
constexpr double kDull_hz = 900.0;

std::vector<float> dulled(const std::vector<float>& bright, u32 sample_rate_hz) {
  // 1 − e^(−2π f / rate)
  const float share = static_cast<float>(1.0 - power_of_two(-9.0647202836543876 * kDull_hz / static_cast<double>(sample_rate_hz)));
  std::vector<float> dull(bright.size());
  float state = 0.0f;
  for (std::size_t i = 0; i < bright.size(); ++i) {
    state += share * (bright[i] - state);
    dull[i] = state;
  }
  return dull;
}

}  // namespace

Sound::Sound(Samples samples, u32 sample_rate_hz, i32 degree, bool fixed_pitch, const frame::SoundTraits& traits)
    : bright_(std::move(samples)),
      frames_(static_cast<u32>(bright_.left.size())),
      degree_(degree),
      fixed_pitch_(fixed_pitch),
      traits_(traits) {
  SPELLPOOL_ASSERT(bright_.right.empty() || bright_.right.size() == bright_.left.size());
  const FloatControlScope scope(FloatControlScope::Denormals::FlushToZero);
  const std::size_t rows = (std::size_t{frames_} + kTableStepFrames - 1) / kTableStepFrames;
  loudness_to_come_.assign(rows, 0.0f);
  level_.assign(rows, 0.0f);
  const std::vector<float>& right = is_stereo() ? bright_.right : bright_.left;
  double to_come = 0.0;
  for (std::size_t row = rows; row-- > 0;) {
    const std::size_t end = std::min<std::size_t>((row + 1) * kTableStepFrames, frames_);
    double energy = 0.0;  // Mean of both sides.
    for (std::size_t i = row * kTableStepFrames; i < end; ++i) {
      const double l = static_cast<double>(bright_.left[i]), r = static_cast<double>(right[i]);
      energy += 0.5 * (l * l + r * r);
    }
    to_come += energy;
    loudness_to_come_[row] = static_cast<float>(std::sqrt(to_come));
    level_[row] = static_cast<float>(std::sqrt(energy / kTableStepFrames));
  }
  const std::size_t padded = std::size_t{frames_} + kPadFrames;
  bright_.left.resize(padded, 0.0f);
  if (!bright_.right.empty()) bright_.right.resize(padded, 0.0f);
  dull_.left = dulled(bright_.left, sample_rate_hz);
  if (!bright_.right.empty()) dull_.right = dulled(bright_.right, sample_rate_hz);
  // Its own tail: the last frames of the dull samples ring into the pad. There they must be zeros, as behind the bright ones.
  for (std::vector<float>* side : {&dull_.left, &dull_.right}) {
    if (!side->empty()) std::fill(side->begin() + frames_, side->end(), 0.0f);
  }
}

SoundBank::SoundBank(u32 sample_rate_hz, Sounds sounds) : sounds_(std::move(sounds)), sample_rate_hz_(sample_rate_hz) {
  for ([[maybe_unused]] const auto& sound : sounds_) SPELLPOOL_ASSERT(sound != nullptr);
}

}  // namespace spellpool::audio
