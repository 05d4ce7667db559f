#pragma once
// The sound of a game in a window: the device, the mixer that fills it, the voices, the sound editor's
// sounds, and the clicks of the interface.
#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "app/library/sound_library.hpp"
#include "app/play/hud.hpp"
#include "app/shell/async_result.hpp"
#include "app/sound/sound_controller.hpp"
#include "app/sound/voice_controller.hpp"
#include "audio/mixer.hpp"
#include "platform/audio_device.hpp"
#include "platform/events.hpp"

namespace spellpool::app {

class GameAudio {
 public:
  /// The library outlives it.
  explicit GameAudio(SoundLibrary& sounds) : sounds_(sounds), editor_(sounds), device_(fill, this) {}

  /// Opens the device, and begins to render the sounds on a thread of their own: a third of a second.
  void open(const VoiceChoice& voices);
  /// Until they are rendered: then there is a mixer.
  void wait(const frame::Settings& settings);
  /// After wait(): sounds are heard from now on, by the device once start_device() was called.
  void start(const VoiceChoice& voices);
  void start_device();
  void set_volumes(const frame::Settings& settings);
  void mute() { mixer_->set_muted(true); }
  /// Silent from now on.
  void close() { device_.close(); }
  void finish() {
    if (voices_) voices_->finish();
  }

  /// With each frame: devices that came and went.
  void follow_device(const platform::FrameEvents& events, i64 now_ns) { device_.update(events, now_ns); }
  /// Between frames, since it allocates: gives the mixer the sounds that have changed; in a browser reads their files, the
  /// first time, and then renders one.
  void update_sounds();
  /// With each frame of the game: the editor's sound, recordings.
  void update(HudState& hud);
  /// Lines of the library become notices.
  void take_notices(HudState& hud);
  /// The sounds of a step.
  void hear(std::span<const frame::AudioEvent> sounds, bool audible = true) {
    voices_->hear(sounds, audible && device_.is_open());
  }
  /// Fills what the voice panel and the sound editor show; good for this frame.
  void show(HudState& hud);
  void take(const frame::PanelRequests& requests, HudState& hud);
  /// The scene's own number of voices, where the command line gave none.
  void use_slots(u32 slots);

  /// A soft sound of the interface.
  void click(frame::PanelSound sound);
  /// Since the last forget_clicks(), with or without a device; at most 16 are listed, but all are played.
  std::span<const frame::PanelSound> clicks() const { return {clicks_.data(), click_count_}; }
  void forget_clicks() { click_count_ = 0; }

  audio::Mixer& mixer() { return *mixer_; }
  /// What the player chose for the game's voices.
  const VoiceChoice& choice() const { return voices_->choice(); }
  bool is_open() const { return device_.is_open(); }

 private:
  static void fill(void* self, float* samples, int frames);

  SoundLibrary& sounds_;
  std::optional<AsyncResult<std::unique_ptr<audio::Mixer>>> rendering_;
  std::unique_ptr<audio::Mixer> mixer_;
  std::unique_ptr<VoiceController> voices_;
  SoundController editor_;
  std::string device_text_;
  std::array<u32, 2> described_{};  // rate and block of the open device that device_text_ describes
  std::array<frame::PanelSound, 16> clicks_{};
  std::size_t click_count_ = 0;
  platform::AudioDevice device_;  // last: closed before what it calls goes
};

}  // namespace spellpool::app
