#include "platform/audio_device.hpp"

#include <SDL.h>
#include <dlfcn.h>

#include <algorithm>

#include "platform/events.hpp"

namespace spellpool::platform {
namespace {

constexpr i64 kSecond_ns = 1'000'000'000;
constexpr i64 kLongestPause_ns = 30 * kSecond_ns;
/// A device that asks for nothing for so long is taken for lost; blocks are a hundredth of it.
constexpr i64 kStuck_ns = 3 * kSecond_ns;

/// "" if this SDL cannot tell.
std::string default_output() {
  std::string name;
#if SDL_VERSION_ATLEAST(2, 24, 0)
  char* text = nullptr;
  SDL_AudioSpec spec{};
  if (SDL_GetDefaultAudioInfo(&text, &spec, 0) == 0 && text != nullptr) name = text;
  SDL_free(text);
#endif
  return name;
}

}  // namespace

AudioDevice::AudioDevice(AudioFunction fill, void* context) : fill_(fill), context_(context) {}

AudioDevice::~AudioDevice() {
  close();
  if (subsystem_started_) SDL_QuitSubSystem(SDL_INIT_AUDIO);
}

void AudioDevice::on_audio(void* self, u8* bytes, int byte_count) {
  auto* device = static_cast<AudioDevice*>(self);
  device->calls_.fetch_add(1, std::memory_order_relaxed);
  constexpr int kFrame_bytes = 2 * static_cast<int>(sizeof(float));
  device->fill_(device->context_, reinterpret_cast<float*>(bytes), byte_count / kFrame_bytes);
}

namespace {

void say_nothing(const char*, int, const char*, int, const char*, ...) {}

/// ALSA's library writes a page to stderr when there is no sound card. Our own warning says it in a line. SDL has
/// loaded the library by now, if it uses it at all.
void silence_alsa() {
  if (void* alsa = dlopen("libasound.so.2", RTLD_NOW | RTLD_NOLOAD)) {
    using Handler = void (*)(const char*, int, const char*, int, const char*, ...);
    using SetHandler = int (*)(Handler);
    if (const auto set = reinterpret_cast<SetHandler>(dlsym(alsa, "snd_lib_error_set_handler"))) set(say_nothing);
    dlclose(alsa);
  }
}

}  // namespace

bool AudioDevice::open() {
  if (device_ != 0) return true;
  if (!subsystem_started_) {
    subsystem_started_ = SDL_InitSubSystem(SDL_INIT_AUDIO) == 0;
    if (!subsystem_started_) {
      warning_ = std::string("no sound: ") + SDL_GetError();
      return false;
    }
  }
  silence_alsa();
  SDL_AudioSpec wanted{};
  wanted.freq = static_cast<int>(rate_hz_);
  wanted.format = AUDIO_F32SYS;
  wanted.channels = 2;
  wanted.samples = 512;
  wanted.callback = on_audio;
  wanted.userdata = this;
  SDL_AudioSpec got{};
  // The mixer is made for one rate: only the first device may choose it.
  const int may_change = SDL_AUDIO_ALLOW_SAMPLES_CHANGE | (rate_known_ ? 0 : SDL_AUDIO_ALLOW_FREQUENCY_CHANGE);
  device_ = SDL_OpenAudioDevice(nullptr, 0, &wanted, &got, may_change);
  if (device_ == 0) {
    warning_ = std::string("no sound: ") + SDL_GetError();
    return false;
  }
  rate_hz_ = static_cast<u32>(got.freq);
  block_frames_ = got.samples;
  rate_known_ = true;
  warning_.clear();
  default_name_ = default_output();
  calls_seen_ns_ = 0;
  if (started_) SDL_PauseAudioDevice(device_, 0);
  return true;
}

void AudioDevice::start() {
  started_ = true;
  rate_known_ = true;  // the mixer is made by now, if only for the rate we guessed
  if (device_ != 0) SDL_PauseAudioDevice(device_, 0);
}

void AudioDevice::close() {
  if (device_ != 0) SDL_CloseAudioDevice(device_);
  device_ = 0;
}

/// To be opened anew at once, then more and more slowly.
void AudioDevice::lose(i64 now_ns) {
  close();
  lost_ = true;
  retry_at_ns_ = now_ns;
  retry_pause_ns_ = kSecond_ns;
}

bool AudioDevice::default_changed() const {
  const std::string now = default_output();
  return !now.empty() && !default_name_.empty() && now != default_name_;
}

void AudioDevice::describe(std::string& text) const {
  if (device_ == 0) {
    text.assign(warning_.empty() ? std::string_view("no sound device") : std::string_view(warning_));
    return;
  }
  text = std::to_string(rate_hz_) + " Hz, " + std::to_string(block_frames_) + " frames";
}

void AudioDevice::update(const FrameEvents& events, i64 now_ns) {
  for (std::size_t i = 0; i < events.audio_removed_count; ++i) {
    if (device_ != 0 && events.audio_removed[i] == device_) lose(now_ns);
  }
  if (device_ != 0 && started_) {
    const u32 calls = calls_.load(std::memory_order_relaxed);
    if (calls != calls_seen_ || calls_seen_ns_ == 0) {
      calls_seen_ = calls;
      calls_seen_ns_ = now_ns;
    }
    const bool stuck = now_ns - calls_seen_ns_ > kStuck_ns;
    const bool other = (events.audio_added || events.audio_removed_count > 0) && default_changed();
    if (stuck || other) lose(now_ns);
  }
  if (device_ != 0 || !started_) return;
  const bool due = lost_ && now_ns >= retry_at_ns_;
  if (!due && !events.audio_added) return;
  if (open()) {
    lost_ = false;
    return;
  }
  if (!lost_) {  // it was plugged in just now, and is not ready yet
    lost_ = true;
    retry_pause_ns_ = kSecond_ns;
  }
  retry_at_ns_ = now_ns + retry_pause_ns_;
  retry_pause_ns_ = std::min(retry_pause_ns_ * 2, kLongestPause_ns);
}

}  // namespace spellpool::platform
