#include "audio/mixer.hpp"

#include <cmath>
#include <utility>

#include "audio/scale.hpp"
#include "audio/spatial.hpp"
#include "core/det_math.hpp"

namespace spellpool::audio {
namespace {

static_assert(std::atomic<u64>::is_always_lock_free && std::atomic<float>::is_always_lock_free);

template <class T>
T bounded(T value, T low, T high) {
  return value > high ? high : (value >= low ? value : low);  // NaN → low
}

constexpr float kMaxMasterGain = 4.0f;
constexpr float kFade_s = 0.01f;
constexpr float kFractionScale = 1.0f / 16'777'216.0f;

MixerOptions with_bounds(MixerOptions options) {
  options.sample_rate_hz = bounded(options.sample_rate_hz, 8'000u, 192'000u);
  options.voices = bounded(options.voices, 1u, 4'096u);
  options.master_gain = bounded(options.master_gain, 0.0f, kMaxMasterGain);
  options.tail_frames = bounded(options.tail_frames, 1u, 8'192u);
  options.event_ring = bounded(options.event_ring, 2u, 1u << 20);
  options.retrigger_ms = bounded(options.retrigger_ms, 0u, 1'000u);
  return options;
}

/// Adds the voice's next frames to left and right (equal sizes) and moves it on; sets finished at the sound's end.
void mix_voice(Voice& voice, std::span<float> left, std::span<float> right) {
  const std::vector<float>& samples = voice.sound->samples;
  const u64 end = samples.empty() ? 0 : static_cast<u64>(samples.size() - 1) << 32;
  const u64 remaining = voice.position < end ? (end - voice.position + voice.step - 1) / voice.step : 0;
  const std::size_t count = remaining < left.size() ? static_cast<std::size_t>(remaining) : left.size();
  const float* const source = samples.data();
  const u64 step = voice.step;
  const float gain_left = voice.gain_left, gain_right = voice.gain_right, low_pass = voice.low_pass;
  u64 position = voice.position;
  float state = voice.low_pass_state;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t at = static_cast<std::size_t>(position >> 32);
    const float fraction = static_cast<float>(static_cast<u32>(position) >> 8) * kFractionScale;
    const float sample = source[at] + (source[at + 1] - source[at]) * fraction;
    state += low_pass * (sample - state);
    left[i] += state * gain_left;
    right[i] += state * gain_right;
    position += step;
  }
  voice.position = position;
  voice.low_pass_state = state;
  voice.finished = position >= end;
}

}  // namespace

Mixer::Mixer(const MixerOptions& options) : Mixer(options, SoundBank(with_bounds(options).sample_rate_hz)) {}

Mixer::Mixer(const MixerOptions& options, SoundBank bank)
    : options_(with_bounds(options)),
      bank_(std::move(bank)),
      ring_(options_.event_ring),
      pool_(options_.voices),
      tails_(options_.tail_frames),
      limiter_(options_.sample_rate_hz),
      left_(kSegmentFrames, 0.0f),
      right_(kSegmentFrames, 0.0f),
      tail_left_(options_.tail_frames, 0.0f),
      tail_right_(options_.tail_frames, 0.0f),
      retrigger_frames_(u64{options_.retrigger_ms} * options_.sample_rate_hz / 1'000),
      gain_(options_.master_gain),
      gain_slope_(1.0f / (kFade_s * static_cast<float>(options_.sample_rate_hz))),
      master_gain_(options_.master_gain) {
  SPELLPOOL_ASSERT(bank_.sample_rate_hz() == options_.sample_rate_hz);
}

bool Mixer::post_at(const frame::AudioEvent& event, u64 frame) {
  if (ring_.push(TimedEvent{event, frame})) return true;
  dropped_.store(dropped_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  return false;
}

void Mixer::set_master_gain(float gain) {
  master_gain_.store(bounded(gain, 0.0f, kMaxMasterGain), std::memory_order_relaxed);
}

void Mixer::set_volume(float volume) { volume_.store(bounded(volume, 0.0f, 1.0f), std::memory_order_relaxed); }

void Mixer::render(std::span<float> interleaved_stereo) {
  const FloatControlScope scope(FloatControlScope::Denormals::FlushToZero);
  std::size_t budget = ring_.size();
  std::size_t left_to_do = interleaved_stereo.size() / 2;
  std::size_t done = 0;
  while (left_to_do > 0) {
    start_due_events(budget);
    std::size_t count = left_to_do < kSegmentFrames ? left_to_do : kSegmentFrames;
    if (has_next_event_ && next_event_.frame - position_ < count) {
      count = static_cast<std::size_t>(next_event_.frame - position_);
    }
    mix_segment(interleaved_stereo.subspan(2 * done, 2 * count));
    done += count;
    left_to_do -= count;
    position_ += count;
  }
  if (interleaved_stereo.size() % 2 != 0) interleaved_stereo.back() = 0.0f;
  publish_stats();
}

void Mixer::start_due_events(std::size_t& budget) {
  for (;;) {
    if (!has_next_event_) {
      if (budget == 0 || !ring_.pop(next_event_)) return;
      --budget;
      has_next_event_ = true;
    }
    if (next_event_.frame > position_) return;
    start(next_event_.event);
    has_next_event_ = false;
  }
}

void Mixer::start(const frame::AudioEvent& event) {
  if (static_cast<std::size_t>(event.sound) >= frame::kSoundCount || !std::isfinite(event.gain) ||
      !std::isfinite(event.x) || !std::isfinite(event.y) || !std::isfinite(event.pitch_steps)) {
    ++invalid_;
    return;
  }
  const Placement placement = place(event.x, event.y, options_.sample_rate_hz);
  Voice voice;
  voice.sound = &bank_[event.sound];
  const float steps = voice.sound->fixed_pitch ? 0.0f : in_tune(event.pitch_steps);
  voice.step = static_cast<u64>(pitch_ratio(voice.sound->degree, steps) * 4'294'967'296.0 + 0.5);
  voice.loudness = bounded(event.gain, 0.0f, 1.0f) * placement.attenuation;
  voice.gain_left = voice.loudness * placement.left;
  voice.gain_right = voice.loudness * placement.right;
  voice.low_pass = placement.low_pass;
  LastStart& last = last_starts_[static_cast<std::size_t>(event.sound)];
  if (last.loudness >= 0.0f && position_ - last.frame < retrigger_frames_) {
    if (voice.loudness <= last.loudness) {
      ++merged_;
      return;
    }
    if (const Voice* before = pool_.find(last.voice)) {
      leave_tail(*before);
      pool_.stop(last.voice);
    }
  }
  const StartResult result = pool_.start(voice);
  if (result.outcome == StartOutcome::Rejected) return;
  last = {result.handle, position_, voice.loudness};
  if (result.outcome == StartOutcome::StoleQuietest) leave_tail(result.victim);
}

void Mixer::leave_tail(Voice victim) {
  // At position 0 it has not been heard yet: cutting it is no click, and its tail would be one.
  if (victim.position == 0) return;
  for (float& sample : tail_left_) sample = 0.0f;
  for (float& sample : tail_right_) sample = 0.0f;
  mix_voice(victim, tail_left_, tail_right_);
  tails_.add_faded(tail_left_, tail_right_);
}

void Mixer::mix_segment(std::span<float> interleaved_stereo) {
  const std::size_t count = interleaved_stereo.size() / 2;
  const std::span<float> left(left_.data(), count), right(right_.data(), count);
  for (std::size_t i = 0; i < count; ++i) left[i] = right[i] = 0.0f;
  pool_.for_each([&](Voice& voice) { mix_voice(voice, left, right); });
  pool_.release_finished();
  tails_.mix_into(left, right);

  constexpr auto kRelaxed = std::memory_order_relaxed;
  const float wanted = muted_.load(kRelaxed) ? 0.0f : master_gain_.load(kRelaxed) * volume_.load(kRelaxed);
  for (std::size_t i = 0; i < count; ++i) {
    const float change = wanted - gain_;
    gain_ = change > gain_slope_ ? gain_ + gain_slope_ : (change < -gain_slope_ ? gain_ - gain_slope_ : wanted);
    float out_left = left[i] * gain_;
    float out_right = right[i] * gain_;
    if (!std::isfinite(out_left)) out_left = 0.0f;
    if (!std::isfinite(out_right)) out_right = 0.0f;
    limiter_.process(out_left, out_right);
    interleaved_stereo[2 * i] = out_left;
    interleaved_stereo[2 * i + 1] = out_right;
  }
}

void Mixer::publish_stats() {
  const VoicePoolStats& pool = pool_.stats();
  constexpr auto kRelaxed = std::memory_order_relaxed;
  published_.active.store(pool.active, kRelaxed);
  published_.peak.store(pool.peak, kRelaxed);
  published_.started.store(pool.started, kRelaxed);
  published_.ended.store(pool.ended, kRelaxed);
  published_.stolen.store(pool.stolen, kRelaxed);
  published_.rejected.store(pool.rejected, kRelaxed);
  published_.merged.store(merged_, kRelaxed);
  published_.invalid.store(invalid_, kRelaxed);
  published_.frames.store(position_, kRelaxed);
}

MixerStats Mixer::stats() const {
  constexpr auto kRelaxed = std::memory_order_relaxed;
  MixerStats stats;
  stats.voices = options_.voices;
  stats.active = published_.active.load(kRelaxed);
  stats.peak = published_.peak.load(kRelaxed);
  stats.started = published_.started.load(kRelaxed);
  stats.ended = published_.ended.load(kRelaxed);
  stats.stolen = published_.stolen.load(kRelaxed);
  stats.rejected = published_.rejected.load(kRelaxed);
  stats.merged = published_.merged.load(kRelaxed);
  stats.invalid_events = published_.invalid.load(kRelaxed);
  stats.dropped_events = dropped_.load(kRelaxed);
  stats.frames = published_.frames.load(kRelaxed);
  return stats;
}

}  // namespace spellpool::audio
