#include "audio/sound_bank.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <span>
#include <utility>

#include "audio/scale.hpp"
#include "core/assert.hpp"
#include "core/det_math.hpp"

namespace spellpool::audio {
namespace {

/// What is left of a sound far away: the mixer goes over from the bright samples to these with distance.
constexpr double kDull_hz = 900.0;

void write_dulled(std::span<const float> bright, u32 sample_rate_hz, float* dull) {
  // 1 − e^(−2π f / rate)
  const float share =
      static_cast<float>(1.0 - power_of_two(-9.0647202836543876 * kDull_hz / static_cast<double>(sample_rate_hz)));
  float state = 0.0f;
  for (std::size_t i = 0; i < bright.size(); ++i) {
    state += share * (bright[i] - state);
    dull[i] = state;
  }
}

/// Memory for samples that are read many at a time: each part begins at a cache line and at another place of its page.
/// Voices that start together read at equal distances from their begins; from equal places of their pages they would
/// all want the same few lines of the nearest cache. kPadFrames zeros follow each part.
class SampleMemory {
 public:
  SampleMemory(std::size_t parts, std::size_t frames)
      : frames_(frames),
        room_((frames + kPadFrames + 2 * kPage - 1) / kPage * kPage),
        floats_(std::make_shared_for_overwrite<float[]>(parts * room_ + kLine)) {
    void* line = floats_.get();
    std::size_t bytes = (parts * room_ + kLine) * sizeof(float);
    next_ = static_cast<float*>(std::align(kLine * sizeof(float), parts * room_ * sizeof(float), line, bytes));
  }
  float* next_part() {
    static std::atomic<std::size_t> made{0};
    float* const first = next_ + made.fetch_add(11, std::memory_order_relaxed) * kLine % kPage;
    std::fill_n(first + frames_, kPadFrames, 0.0f);
    next_ += room_;
    return first;
  }
  std::shared_ptr<const float[]> floats() const { return floats_; }

 private:
  static constexpr std::size_t kLine = 16, kPage = 1'024;  // floats
  std::size_t frames_, room_;
  std::shared_ptr<float[]> floats_;
  float* next_;
};

}  // namespace

Sound::Sound(const Samples& samples, u32 sample_rate_hz, i32 degree, bool fixed_pitch, const frame::SoundTraits& traits)
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
  SampleMemory memory(samples.right.empty() ? 2 : 4, frames_);
  const auto keep = [&](const std::vector<float>& side, const float*& bright, const float*& dull) {
    float* const copy = memory.next_part();
    std::copy(side.begin(), side.end(), copy);
    float* const made_dull = memory.next_part();
    write_dulled(side, sample_rate_hz, made_dull);
    bright = copy;
    dull = made_dull;
  };
  keep(samples.left, bright_.left, dull_.left);
  bright_.right = bright_.left;
  dull_.right = dull_.left;
  if (!samples.right.empty()) keep(samples.right, bright_.right, dull_.right);
  samples_ = memory.floats();
}

SoundBank::SoundBank(u32 sample_rate_hz, Sounds sounds) : sounds_(std::move(sounds)), sample_rate_hz_(sample_rate_hz) {
  for ([[maybe_unused]] const auto& sound : sounds_) SPELLPOOL_ASSERT(sound != nullptr);
}

}  // namespace spellpool::audio
