#pragma once
#include <atomic>
#include <string>

#include "core/types.hpp"

namespace spellpool::platform {

struct FrameEvents;

/// Fills `frames` stereo frames, left and right interleaved; runs on SDL's audio thread.
using AudioFunction = void (*)(void* context, float* interleaved, int frames);

/// The default sound output: float stereo, at the device's own rate and block size; in a browser 48000 Hz.
/// A missing device is no error: the game is silent, and tries again when one appears. A device that goes away is
/// closed and the default opened anew, at the same rate (SDL converts): at once, then after 1, 2, 4 … 30 s. So is one
/// that has stopped asking for sound (a machine that slept, a stuck driver), and one that is no longer the default
/// when devices come or go (headphones are plugged in).
/// Never locks SDL's device; the callback itself is the only thing that both threads share.
/// Threads all calls from one thread; the function on the audio thread, never after close() has returned.
class AudioDevice {
 public:
  AudioDevice(AudioFunction fill, void* context);
  ~AudioDevice();
  AudioDevice(const AudioDevice&) = delete;
  AudioDevice& operator=(const AudioDevice&) = delete;

  /// Opens the default output, stopped. True if there is sound; else warning() says why there is none.
  bool open();
  /// Begins to call the function. Between open() and start() the mixer can be made for rate_hz().
  void start();
  void close();
  /// Once a frame: sees to devices that came and went.
  void update(const FrameEvents& events, i64 now_ns);

  bool is_open() const { return device_ != 0; }
  /// Of the first successful open() before start(), else 48000; it never changes after start().
  u32 rate_hz() const { return rate_hz_; }
  u32 block_frames() const { return block_frames_; }
  const std::string& warning() const { return warning_; }
  /// SDL's id, as audio events give it; 0 while closed.
  u32 id() const { return device_; }
  /// Sets `text` to "48000 Hz, 512 frames", or to why there is no sound; the latter allocates only where `text` is
  /// too short for it.
  void describe(std::string& text) const;

 private:
  static void on_audio(void* self, u8* bytes, int byte_count);
  void lose(i64 now_ns);
  bool default_changed() const;

  AudioFunction fill_;
  void* context_;
  u32 device_ = 0;
  u32 rate_hz_ = 48000;
  u32 block_frames_ = 512;
  bool rate_known_ = false;
  bool subsystem_started_ = false;
  bool started_ = false;
  bool lost_ = false;
  std::string default_name_;          ///< Of the default output when it was opened; "": SDL cannot tell.
  std::atomic<u32> calls_{0};         ///< Of the function, from the audio thread.
  u32 calls_seen_ = 0;
  i64 calls_seen_ns_ = 0;             ///< When they were last seen to grow; 0: not yet.
  i64 retry_at_ns_ = 0;
  i64 retry_pause_ns_ = 0;
  std::string warning_;
};

}  // namespace spellpool::platform
