// SDL2_mixer without an audio device. The device that it opens is ours: it only keeps the callback and holds
// a lock, for which no thread ever waits.
#include <SDL.h>
#include <SDL_mixer.h>

#include <chrono>
#include <mutex>

#include "voices_sides.hpp"

namespace {
SDL_AudioSpec device;  // What SDL2_mixer opened.
std::recursive_mutex device_lock;  // SDL's own is recursive too.
}

// Found before SDL's own by libSDL2_mixer.
extern "C" {
SDL_AudioDeviceID SDLCALL SDL_OpenAudioDevice(const char*, int, const SDL_AudioSpec* desired, SDL_AudioSpec* obtained, int) {
  device = *desired;
  device.size = static_cast<Uint32>(device.samples * device.channels * (SDL_AUDIO_BITSIZE(device.format) / 8));
  if (obtained != nullptr) *obtained = device;
  return 2;
}
void SDLCALL SDL_PauseAudioDevice(SDL_AudioDeviceID, int) {}
void SDLCALL SDL_LockAudioDevice(SDL_AudioDeviceID) { device_lock.lock(); }
void SDLCALL SDL_UnlockAudioDevice(SDL_AudioDeviceID) { device_lock.unlock(); }
void SDLCALL SDL_CloseAudioDevice(SDL_AudioDeviceID) {}
}

namespace spellpool::bench {
namespace {

constexpr u32 kBlockFrames = 1'024;

class SdlMixer final : public MixSide {
 public:
  SdlMixer(const Crowd& crowd, std::string& error) : crowd_(crowd), out_(2 * kBlockFrames) {
    SDL_SetHint(SDL_HINT_AUDIODRIVER, "dummy");
    SDL_SetHint(SDL_HINT_NO_SIGNAL_HANDLERS, "1");
    if (Mix_OpenAudioDevice(kRate_hz, AUDIO_F32SYS, 2, kBlockFrames, nullptr, 0) != 0) {
      error = Mix_GetError();
      return;
    }
    if (device.callback == nullptr) {
      error = "it opened a device of its own";
      return;
    }
    Mix_AllocateChannels(static_cast<int>(crowd.voices.size()));
    // As Mix_LoadWAV would keep them: in the device's format, which is stereo.
    for (const std::vector<float>& mono : crowd.sounds) {
      std::vector<float>& stereo = stereo_.emplace_back();
      for (const float x : mono) stereo.insert(stereo.end(), {x, x});
      chunks_.push_back(Mix_QuickLoad_RAW(reinterpret_cast<Uint8*>(stereo.data()), static_cast<Uint32>(stereo.size() * sizeof(float))));
    }
  }
  ~SdlMixer() override {
    Mix_HaltChannel(-1);
    for (Mix_Chunk* chunk : chunks_) Mix_FreeChunk(chunk);
    Mix_CloseAudio();
    SDL_Quit();
  }

  std::string name() const override {
    const SDL_version* version = Mix_Linked_Version();
    return "SDL2_mixer " + std::to_string(version->major) + "." + std::to_string(version->minor) + "." + std::to_string(version->patch);
  }
  void begin() override {
    Mix_HaltChannel(-1);
    for (std::size_t i = 0; i < crowd_.voices.size();) {
      for (u32 k = 0; k < crowd_.starts_a_cell && i < crowd_.voices.size(); ++k, ++i) {
        const CrowdVoice& voice = crowd_.voices[i];
        const int channel = static_cast<int>(i);
        Mix_PlayChannel(channel, chunks_[voice.sound], 0);
        place(channel, voice);
      }
      call(kCellFrames);
    }
  }
  void mix(u32 frames) override {
    for (u32 done = 0; done < frames; done += kBlockFrames) call(kBlockFrames);
  }
  u32 playing() const override { return static_cast<u32>(Mix_Playing(-1)); }
  std::span<const float> out() const override { return out_; }

  double steal_ns(u32 steals, bool placed) {
    const auto from = std::chrono::steady_clock::now();
    for (u32 i = 0; i < steals; ++i) {
      const int oldest = Mix_GroupOldest(-1);
      Mix_PlayChannel(oldest, chunks_[i % chunks_.size()], 0);
      if (placed) place(oldest, crowd_.voices[i % crowd_.voices.size()]);
    }
    return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - from).count() / steals;
  }

 private:
  static void place(int channel, const CrowdVoice& voice) {
    Mix_Volume(channel, 1 + static_cast<int>(voice.gain * MIX_MAX_VOLUME));
    const int right = static_cast<int>(127.0f + 127.0f * voice.pan);
    Mix_SetPanning(channel, static_cast<Uint8>(254 - right), static_cast<Uint8>(right));
  }
  void call(u32 frames) { device.callback(device.userdata, reinterpret_cast<Uint8*>(out_.data()), static_cast<int>(frames * 2 * sizeof(float))); }

  Crowd crowd_;
  std::vector<float> out_;
  std::vector<std::vector<float>> stereo_;
  std::vector<Mix_Chunk*> chunks_;
};

}  // namespace

std::unique_ptr<MixSide> make_sdl_mixer(const Crowd& crowd, std::string& error) {
  auto side = std::make_unique<SdlMixer>(crowd, error);
  if (!error.empty()) side.reset();
  return side;
}

double sdl_mixer_steal_ns(MixSide& side, u32 steals, bool placed) { return static_cast<SdlMixer&>(side).steal_ns(steals, placed); }

}  // namespace spellpool::bench
