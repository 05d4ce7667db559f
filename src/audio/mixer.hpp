#pragma once
// The mixer: sound events in on the game thread, stereo samples out on the audio thread.
//
//   post() ─ SpscRing ─► render(): start voices (free slot, steal the quietest, or reject)
//     → voices at their pitch, linear interpolation, distance low-pass, constant-power pan, summed in slot order
//     → tails of the stolen → master gain → NaN guard → look-ahead limiter → clamp
//
// Real time  render allocates nothing, locks nothing, logs nothing and reads no clock. It takes at most as many
//            events as were in the ring when it began, so a busy producer cannot hold it.
// Same PCM   events with a frame (post_at) start at exactly that frame, nothing is tied to block edges, voices are
//            added in slot order and the limiter counts in integers: the same events give the same samples for every
//            block size and every compiler, as long as volume and mute rest.
// Full       ring: post returns false and counts a dropped event. Pool: see voice_pool.hpp.
// Merge      a sound that starts again within retrigger_ms is heard once, the louder of the two: a nova that hits five
//            targets in a step is one sound at its level and not a buzz at five times that. The softer newcomer is
//            dropped; before a louder one the playing voice fades as if stolen.
// Bad event  non-finite gain, place or pitch, or an unknown sound: counted as invalid, never played. Gain is clamped
//            to 0 … 1, pitch to ± kMaxPitchSteps and drawn to the notes of the scale (in_tune).
// Tail       tail_frames of a stolen voice fade (tail_ring.hpp). One stolen before its first frame was heard leaves
//            none: 300 starts in one frame are 8 voices and not 300 clicks.
// Delay      latency_frames(): the limiter looks 127 frames ahead.
// Cost       2.5 ns a voice and frame and 6 ns a frame on a 2-core Zen 3: 34 µs for 24 voices and 512 frames, 0.3 % of
//            their time (SoundReport in tests/audio prints it).
// Threads    post, post_at, set_*: one game thread. render: one audio thread. stats: any. Construct and destroy
//            while no other thread uses it (close the device first).
#include <array>
#include <atomic>
#include <span>
#include <vector>

#include "audio/limiter.hpp"
#include "audio/sound_bank.hpp"
#include "audio/tail_ring.hpp"
#include "audio/voice_pool.hpp"
#include "core/spsc_ring.hpp"
#include "frame/audio_event.hpp"

namespace spellpool::audio {

/// Values out of range are moved to the nearest good one.
struct MixerOptions {
  u32 sample_rate_hz = 48'000;  ///< The device's own; 8,000 … 192,000.
  u32 voices = 24;              ///< Slots of the pool; 1 … 4,096.
  float master_gain = 0.9f;     ///< Linear, 0 … 4. With 0.9 a busy fight is near −18 LUFS.
  u32 tail_frames = 128;        ///< Fade of a stolen voice; 1 … 8,192.
  u32 event_ring = 1'024;       ///< Events between two renders; rounded up to a power of two, at most 2^20.
  u32 retrigger_ms = 50;        ///< The same sound is not started twice within it; 0 … 1,000, 0: no limit.
};

/// Counts since construction. posted = dropped + waiting in the ring + started + merged + rejected + invalid;
/// started = ended + stolen + active. Read from another thread while sound plays, the fields may be of two moments.
struct MixerStats {
  u32 voices = 0;  ///< Slots.
  u32 active = 0;
  u32 peak = 0;
  u64 started = 0;
  u64 ended = 0;
  u64 stolen = 0;
  u64 rejected = 0;
  u64 merged = 0;  ///< Too soon after a louder start of the same sound.
  u64 invalid_events = 0;
  u64 dropped_events = 0;  ///< The ring was full.
  u64 frames = 0;          ///< Rendered so far.
};

class Mixer {
 public:
  /// Renders the sound bank and reserves everything: about 140 ms, 6 MB.
  explicit Mixer(const MixerOptions& options);
  /// With sounds of one's own, rendered for options.sample_rate_hz.
  Mixer(const MixerOptions& options, SoundBank bank);
  Mixer(const Mixer&) = delete;
  Mixer& operator=(const Mixer&) = delete;

  /// Game thread: the event starts with the next render. False if the ring is full (counted).
  bool post(const frame::AudioEvent& event) { return post_at(event, 0); }
  /// The event starts at this frame of the stream, or at once if that has passed. Frames may not fall from one call to
  /// the next: events are taken in order.
  bool post_at(const frame::AudioEvent& event, u64 frame);

  /// Fades to silence or back in 10 ms. Sounds go on, unheard.
  void set_muted(bool muted) { muted_.store(muted, std::memory_order_relaxed); }
  bool muted() const { return muted_.load(std::memory_order_relaxed); }
  /// The player's volume, 0 … 1, linear in amplitude; on top of the master gain. Reached by a ramp of 10 ms per unit of
  /// gain. 1 until set, and then the samples are the same as without it. NaN counts as 0.
  void set_volume(float volume);
  float volume() const { return volume_.load(std::memory_order_relaxed); }
  /// Likewise; 0 … 4.
  void set_master_gain(float gain);

  /// Audio thread: fills interleaved stereo, left first. An odd last sample is zeroed.
  void render(std::span<float> interleaved_stereo);

  MixerStats stats() const;
  u32 sample_rate_hz() const { return options_.sample_rate_hz; }
  static constexpr u32 latency_frames() { return Limiter::kDelay_frames; }

 private:
  struct TimedEvent {
    frame::AudioEvent event;
    u64 frame = 0;
  };
  static constexpr std::size_t kSegmentFrames = 256;

  void start_due_events(std::size_t& budget);
  /// What a sound's last start left, for merging.
  struct LastStart {
    VoiceHandle voice;
    u64 frame = 0;
    float loudness = -1.0f;  ///< Below 0: never started.
  };

  void start(const frame::AudioEvent& event);
  void leave_tail(Voice victim);
  void mix_segment(std::span<float> interleaved_stereo);
  void publish_stats();

  MixerOptions options_;
  SoundBank bank_;
  SpscRing<TimedEvent> ring_;
  // Audio thread.
  VoicePool pool_;
  TailRing tails_;
  Limiter limiter_;
  std::vector<float> left_, right_;            ///< One segment.
  std::vector<float> tail_left_, tail_right_;  ///< A victim's last frames.
  TimedEvent next_event_;
  bool has_next_event_ = false;
  u64 position_ = 0;  ///< Frames rendered.
  u64 invalid_ = 0;
  u64 merged_ = 0;
  u64 retrigger_frames_;
  std::array<LastStart, frame::kSoundCount> last_starts_{};
  float gain_ = 0.0f;        ///< Master gain as ramped so far.
  float gain_slope_ = 0.0f;  ///< Largest change a frame.
  // Game thread → audio thread.
  std::atomic<bool> muted_{false};
  std::atomic<float> master_gain_;
  std::atomic<float> volume_{1.0f};
  // Audio thread → anyone.
  struct PublishedStats {
    std::atomic<u32> active{0}, peak{0};
    std::atomic<u64> started{0}, ended{0}, stolen{0}, rejected{0}, merged{0}, invalid{0}, frames{0};
  };
  alignas(64) PublishedStats published_;
  alignas(64) std::atomic<u64> dropped_{0};  ///< Written by the game thread.
};

}  // namespace spellpool::audio
