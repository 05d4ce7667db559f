#include "audio/sound_bank.hpp"

#include <algorithm>
#include <atomic>
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
  const float share =
      static_cast<float>(1.0 - power_of_two(-9.0647202836543876 * kDull_hz / static_cast<double>(sample_rate_hz)));
  std::vector<float> dull(bright.size());
  float state = 0.0f;
  for (std::size_t i = 0; i < bright.size(); ++i) {
    state += share * (bright[i] - state);
    dull[i] = state;
  }
  return dull;
}

}  // namespace

KeptSamples::KeptSamples(std::span<const float> samples) {
  constexpr std::size_t kLine = 16, kPage = 1'024;  // floats
  static std::atomic<std::size_t> made{0};
  const std::size_t size = samples.size() + kPadFrames, room_for = size + kPage + kLine;
  const auto room = std::make_shared<float[]>(room_for);
  void* line = room.get();
  std::size_t bytes = room_for * sizeof(float);
  float* const first = static_cast<float*>(std::align(kLine * sizeof(float), size * sizeof(float), line, bytes)) +
                       made.fetch_add(11, std::memory_order_relaxed) * kLine % kPage;
  std::copy(samples.begin(), samples.end(), first);
  first_ = first;
  room_ = room;
}

Sound::Sound(Samples samples, u32 sample_rate_hz, i32 degree, bool fixed_pitch, const frame::SoundTraits& traits)
    : frames_(static_cast<u32>(samples.left.size())),
      degree_(degree),
      fixed_pitch_(fixed_pitch),
      traits_(traits) {
  SPELLPOOL_ASSERT(samples.right.empty() || samples.right.size() == samples.left.size());
  const FloatControlScope scope(FloatControlScope::Denormals::FlushToZero);
  const std::size_t rows = (std::size_t{frames_} + kTableStepFrames - 1) / kTableStepFrames;
  loudness_to_come_.assign(rows, 0.0f);
  level_.assign(rows, 0.0f);
  const std::vector<float>& right = samples.right.empty() ? samples.left : samples.right;
  double to_come = 0.0;
  for (std::size_t row = rows; row-- > 0;) {
    const std::size_t end = std::min<std::size_t>((row + 1) * kTableStepFrames, frames_);
    double energy = 0.0;  // Mean of both sides.
    for (std::size_t i = row * kTableStepFrames; i < end; ++i) {
      const double l = static_cast<double>(samples.left[i]), r = static_cast<double>(right[i]);
      energy += 0.5 * (l * l + r * r);
    }
    to_come += energy;
    loudness_to_come_[row] = static_cast<float>(std::sqrt(to_come));
    level_[row] = static_cast<float>(std::sqrt(energy / kTableStepFrames));
  }
  bright_left_ = KeptSamples(samples.left);
  dull_left_ = KeptSamples(dulled(samples.left, sample_rate_hz));
  if (samples.right.empty()) return;
  bright_right_ = KeptSamples(samples.right);
  dull_right_ = KeptSamples(dulled(samples.right, sample_rate_hz));
}

SoundBank::SoundBank(u32 sample_rate_hz, Sounds sounds) : sounds_(std::move(sounds)), sample_rate_hz_(sample_rate_hz) {
  for ([[maybe_unused]] const auto& sound : sounds_) SPELLPOOL_ASSERT(sound != nullptr);
}

}  // namespace spellpool::audio
