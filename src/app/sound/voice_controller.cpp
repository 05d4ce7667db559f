#include "app/sound/voice_controller.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "audio/offline_audio.hpp"
#include "content/media/wav.hpp"
#include "core/fixed_step.hpp"
#include "core/rng.hpp"
#include "platform/paths.hpp"

namespace spellpool::app {
namespace {

using State = frame::VoiceRecordView::State;

const frame::VoicePolicyRow& row_of(frame::VoicePolicy policy) {
  return frame::kVoicePolicies[static_cast<std::size_t>(policy)];
}

constexpr u64 kRecordSteps = static_cast<u64>(VoiceController::kRecord_s * static_cast<float>(kStepsPerSecond));
/// After the last sound, so that it can ring out.
constexpr u64 kRingOutSteps = 2 * kStepsPerSecond;

}  // namespace

audio::MixerOptions mixer_options(const VoiceChoice& voices) {
  audio::MixerOptions options;
  options.voices = voices.slots;
  options.policy = voices.policy;
  options.storage = voices.storage;
  return options;
}

audio::MixerOptions offline_options(const VoiceChoice& voices) {
  audio::MixerOptions options = mixer_options(voices);
  options.command_ring = 4'096;
  return options;
}

void VoiceController::take(const frame::VoiceRequests& requests, const std::string& folder,
                           const std::string& folder_error) {
  if (requests.set_policy) {
    voices_.policy = requests.policy;
    mixer_.set_policy(requests.policy);
  }
  if (requests.set_storage) {
    voices_.storage = requests.storage;
    mixer_.set_storage(requests.storage);
  }
  if (requests.set_slots) {
    voices_.slots = std::clamp(requests.slots, 1u, audio::kMostSlots);
    mixer_.set_slots(voices_.slots);
  }
  if (requests.burst) burst();
  if (!requests.record || state_ == State::Writing) return;
  if (state_ == State::Recording) return end_recording();
  if (!folder_error.empty()) {
    state_ = State::Failed;
    text_ = folder_error;
    return;
  }
  folder_ = folder;
  other_ = requests.other_policy;
  log_.clear();
  steps_ = 0;
  state_ = State::Recording;
}

/// Sounds of all kinds and levels from all sides, in one moment: more than any pool of a usual size holds.
void VoiceController::burst() {
  Rng rng(mix64(++bursts_));
  std::vector<frame::SoundId> sounds;
  for (const frame::SoundName& row : frame::kSounds) {
    const frame::SoundTraits& traits = mixer_.bank()[row.id].traits();
    // Kept ones would hold the slots, whatever the policy.
    if (traits.group == frame::SoundGroup::Effects && !traits.kept) sounds.push_back(row.id);
  }
  std::vector<frame::AudioEvent> events(kBurstSounds);
  for (frame::AudioEvent& event : events) {
    event.sound = sounds[rng.below(static_cast<u32>(sounds.size()))];
    event.gain = 0.05f + 0.45f * rng.unit() * rng.unit();
    event.x = 600.0f * rng.signed_unit();
    event.y = 300.0f * rng.signed_unit();
    event.pitch_steps = static_cast<float>(static_cast<i32>(rng.below(7)) - 3);
    event.unmerged = true;
  }
  hear(events, true);
  if (state_ == State::Recording) --steps_;  // within the step that is on its way
}

void VoiceController::hear(std::span<const frame::AudioEvent> events, bool audible) {
  if (audible) {
    for (const frame::AudioEvent& event : events) mixer_.play(event);
  }
  if (state_ != State::Recording) return;
  for (const frame::AudioEvent& event : events) log_.push_back({steps_, event});
  if (++steps_ == kRecordSteps) end_recording();
}

/// Both files from the same sounds; only the policy differs.
void VoiceController::end_recording() {
  if (log_.empty()) {
    state_ = State::Failed;
    text_ = "Nothing was heard while it recorded: cast or shoot, or press the burst";
    return;
  }
  struct Side {
    frame::VoicePolicy policy;
    std::string path;
  };
  std::vector<Side> sides;
  for (const frame::VoicePolicy policy : {voices_.policy, other_}) {
    const std::string stem = fmt::format("voices_{}_{}", voices_.slots, row_of(policy).name);
    sides.push_back({policy, platform::free_name(folder_, stem, ".wav").string()});
    if (voices_.policy == other_) break;
  }
  const std::shared_ptr<const audio::SoundBank> bank = mixer_.shared_bank();
  state_ = State::Writing;
  text_ = "Rendering both …";
  writing_.start([log = std::move(log_), steps = steps_, sides, bank, voices = voices_]() -> TaskOutcome {
    std::string line = "Recorded";
    for (const Side& side : sides) {
      VoiceChoice choice = voices;
      choice.policy = side.policy;
      audio::OfflineAudio offline(offline_options(choice), bank);
      content::WavWriter wav(side.path, bank->sample_rate_hz(), content::WavFormat::Pcm16);
      std::vector<frame::AudioEvent> events;
      std::size_t next = 0;
      for (u64 step = 0; step < steps + kRingOutSteps; ++step) {
        events.clear();
        while (next < log.size() && log[next].step <= step) events.push_back(log[next++].event);
        wav.append(offline.advance_step(events));
      }
      wav.append(offline.finish());
      if (const std::string& problem = wav.finish(); !problem.empty()) return {true, problem};
      const audio::MixerStats stats = offline.stats();
      line += fmt::format("{} {} ({} played, {} stolen, {} rejected)", line == "Recorded" ? "" : " and", side.path,
                          stats.started, stats.stolen, stats.rejected);
    }
    return {false, line};
  });
  log_ = {};
  log_.reserve(1u << 14);
}

std::string VoiceController::update() {
  mixer_.update();
  TaskOutcome outcome;
  if (!writing_.poll(outcome)) return {};
  state_ = outcome.failed ? State::Failed : State::Done;
  text_ = outcome.line;
  return outcome.line;
}

void VoiceController::finish() {
  if (state_ == State::Recording) end_recording();
  writing_.wait();
}

void VoiceController::report_load(i64 spent_ns, u32 frames) {
  if (frames == 0) return;
  const float load =
      static_cast<float>(spent_ns) * 1e-9f * static_cast<float>(mixer_.sample_rate_hz()) / static_cast<float>(frames);
  const float before = load_.load(std::memory_order_relaxed), peak = peak_load_.load(std::memory_order_relaxed);
  load_.store(before + 0.1f * (load - before), std::memory_order_relaxed);
  if (load > peak) peak_load_.store(load, std::memory_order_relaxed);
}

frame::VoicesView VoiceController::view(bool device_open, std::string_view device) {
  frame::VoicesView view;
  view.rows = mixer_.board();
  view.mixer = mixer_.stats();
  view.policy = voices_.policy;
  view.storage = voices_.storage;
  view.load = load_.load(std::memory_order_relaxed);
  view.peak_load = peak_load_.load(std::memory_order_relaxed);
  view.device_open = device_open;
  view.device = device;
  view.record.state = state_;
  view.record.progress = static_cast<float>(steps_) / static_cast<float>(kRecordSteps);
  view.record.text = text_;
  return view;
}

}  // namespace spellpool::app
