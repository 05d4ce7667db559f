#pragma once
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "app/background_task.hpp"
#include "app/options.hpp"
#include "audio/mixer.hpp"
#include "frame/views/voices_view.hpp"

namespace spellpool::app {

/// The mixer options for these choices.
audio::MixerOptions mixer_options(const VoiceChoice& voices);
/// The mixer options for these choices where steps are rendered one by one. The queue holds all sounds of a
/// step.
audio::MixerOptions offline_options(const VoiceChoice& voices);
/// Of --audio-out and of what headless panels show.
inline constexpr u32 kWav_hz = 48'000;

/// The voice panel's other side, on the game's thread: what it asks for goes to the mixer, what it shows comes from
/// there. Keeps the sounds of ten seconds and renders them under two policies, so that they can be set side by side
/// by ear.
class VoiceController {
 public:
  static constexpr float kRecord_s = 10.0f;
  static constexpr u32 kBurstSounds = 200;

  /// The mixer outlives the controller.
  explicit VoiceController(audio::Mixer& mixer, const VoiceChoice& voices) : mixer_(mixer), voices_(voices) {
    log_.reserve(1u << 14);
  }

  /// What the panel asked for. `folder`: where recordings go, or why there is none.
  void take(const frame::VoiceRequests& requests, const std::string& folder, const std::string& folder_error);
  /// Every step's sounds, in order. Plays them if `audible`, and keeps them while a recording runs.
  void hear(std::span<const frame::AudioEvent> events, bool audible);
  /// Once a frame: takes back voices that are over, and what a finished recording came to. A line for the player, or
  /// "".
  std::string update();
  /// Waits for a recording that is being written.
  void finish();

  /// Time that one call took to fill so many frames: from the audio thread.
  void report_load(i64 spent_ns, u32 frames);
  /// Good until the next call.
  frame::VoicesView view(bool device_open, std::string_view device);

  const VoiceChoice& choice() const { return voices_; }

 private:
  struct Kept {
    u64 step = 0;  ///< From the recording's start.
    frame::AudioEvent event;
  };

  void burst();
  void end_recording();

  audio::Mixer& mixer_;
  VoiceChoice voices_;
  u64 bursts_ = 0;
  // The recording of two policies.
  frame::VoiceRecordView::State state_ = frame::VoiceRecordView::State::None;
  std::string text_, folder_;
  std::vector<Kept> log_;
  u64 steps_ = 0;
  frame::VoicePolicy other_{};
  BackgroundTask writing_;
  // From the audio thread.
  std::atomic<float> load_{0}, peak_load_{0};
};

}  // namespace spellpool::app
