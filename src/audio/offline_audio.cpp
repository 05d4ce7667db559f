#include "audio/offline_audio.hpp"

#include <utility>

#include "core/fixed_step.hpp"

namespace spellpool::audio {
namespace {

u64 frames_of(u64 steps, u32 rate_hz) {
  // Split so that steps · rate cannot overflow.
  return steps / kStepsPerSecond * rate_hz + steps % kStepsPerSecond * rate_hz / kStepsPerSecond;
}

}  // namespace

OfflineAudio::OfflineAudio(const MixerOptions& options, std::shared_ptr<const SoundBank> bank)
    : mixer_(options, std::move(bank)),
      step_(2 * std::size_t{mixer_.sample_rate_hz() / kStepsPerSecond + 1 + Mixer::latency_frames()}) {}

u64 OfflineAudio::frames() const { return frames_of(steps_, mixer_.sample_rate_hz()); }

std::span<const float> OfflineAudio::advance_step(std::span<const frame::AudioEvent> events) {
  mixer_.update();
  for (const frame::AudioEvent& event : events) mixer_.play(event);
  const u64 first = frames();
  ++steps_;
  const std::size_t count = static_cast<std::size_t>(frames() - first);
  const std::span<float> rendered(step_.data(), 2 * count);
  mixer_.render(rendered);
  const std::size_t skipped = delay_left_ < count ? delay_left_ : count;
  delay_left_ -= static_cast<u32>(skipped);
  return rendered.subspan(2 * skipped);
}

std::span<const float> OfflineAudio::finish() {
  if (finished_ || steps_ == 0) return {};
  finished_ = true;
  const std::span<float> rendered(step_.data(), 2 * std::size_t{Mixer::latency_frames()});
  mixer_.render(rendered);
  return rendered.subspan(2 * std::size_t{delay_left_});
}

}  // namespace spellpool::audio
