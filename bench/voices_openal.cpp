// OpenAL Soft without a device: its loopback gives samples when asked for them.
#define AL_ALEXT_PROTOTYPES
#include <AL/al.h>
#include <AL/alc.h>
#include <AL/alext.h>

#include <cmath>
#include <cstdlib>

#include "voices_sides.hpp"

namespace spellpool::bench {
namespace {

constexpr u32 kBlockFrames = 1'024;  ///< What it does best with.

class OpenAl final : public MixSide {
 public:
  OpenAl(const Crowd& crowd, std::string& error) : crowd_(crowd), out_(2 * kBlockFrames) {
    if (alcIsExtensionPresent(nullptr, "ALC_SOFT_loopback") == ALC_FALSE) {
      error = "this OpenAL has no loopback";
      return;
    }
    device_ = alcLoopbackOpenDeviceSOFT(nullptr);
    if (device_ == nullptr) {
      error = "its loopback does not open";
      return;
    }
    const ALCint wanted[] = {ALC_FORMAT_CHANNELS_SOFT, ALC_STEREO_SOFT, ALC_FORMAT_TYPE_SOFT, ALC_FLOAT_SOFT, ALC_FREQUENCY, kRate_hz,
                             ALC_MONO_SOURCES, static_cast<ALCint>(crowd.voices.size()), ALC_HRTF_SOFT, ALC_FALSE, 0};
    context_ = alcCreateContext(device_, wanted);
    if (context_ == nullptr || alcMakeContextCurrent(context_) == ALC_FALSE) {
      error = "it does not mix stereo floats";
      return;
    }
    version_ = alGetString(AL_VERSION);
    alDistanceModel(AL_NONE);
    buffers_.resize(crowd.sounds.size());
    alGenBuffers(static_cast<ALsizei>(buffers_.size()), buffers_.data());
    for (std::size_t i = 0; i < buffers_.size(); ++i) {
      const std::vector<float>& samples = crowd.sounds[i];
      alBufferData(buffers_[i], AL_FORMAT_MONO_FLOAT32, samples.data(), static_cast<ALsizei>(samples.size() * sizeof(float)), kRate_hz);
    }
    sources_.resize(crowd.voices.size());
    alGenSources(static_cast<ALsizei>(sources_.size()), sources_.data());
    for (std::size_t i = 0; i < sources_.size(); ++i) {
      const CrowdVoice& voice = crowd.voices[i];
      alSourcei(sources_[i], AL_SOURCE_RELATIVE, AL_TRUE);
      alSource3f(sources_[i], AL_POSITION, voice.pan, 0.0f, -std::sqrt(1.0f - voice.pan * voice.pan));
      alSourcef(sources_[i], AL_GAIN, voice.gain);
      alSourcef(sources_[i], AL_PITCH, static_cast<float>(voice.pitch));
      alSourcei(sources_[i], AL_BUFFER, static_cast<ALint>(buffers_[voice.sound]));
      if (alIsExtensionPresent("AL_SOFT_source_resampler")) alSourcei(sources_[i], AL_SOURCE_RESAMPLER_SOFT, linear());
    }
    if (alGetError() != AL_NO_ERROR) error = "it did not take the sources";
  }
  ~OpenAl() override {
    if (context_ != nullptr) {
      alDeleteSources(static_cast<ALsizei>(sources_.size()), sources_.data());
      alDeleteBuffers(static_cast<ALsizei>(buffers_.size()), buffers_.data());
      alcMakeContextCurrent(nullptr);
      alcDestroyContext(context_);
    }
    if (device_ != nullptr) alcCloseDevice(device_);
  }

  std::string name() const override { return "OpenAL Soft (" + version_ + ")"; }
  void begin() override {
    alcMakeContextCurrent(context_);
    alSourceStopv(static_cast<ALsizei>(sources_.size()), sources_.data());
    alSourceRewindv(static_cast<ALsizei>(sources_.size()), sources_.data());
    for (std::size_t i = 0; i < sources_.size();) {
      for (u32 k = 0; k < crowd_.starts_a_cell && i < sources_.size(); ++k) alSourcePlay(sources_[i++]);
      alcRenderSamplesSOFT(device_, out_.data(), kCellFrames);
    }
  }
  void mix(u32 frames) override {
    for (u32 done = 0; done < frames; done += kBlockFrames) alcRenderSamplesSOFT(device_, out_.data(), kBlockFrames);
  }
  u32 playing() const override {
    u32 count = 0;
    for (const ALuint source : sources_) {
      ALint state = 0;
      alGetSourcei(source, AL_SOURCE_STATE, &state);
      count += state == AL_PLAYING ? 1 : 0;
    }
    return count;
  }
  std::span<const float> out() const override { return out_; }

 private:
  /// Which of its resamplers is the linear one.
  static ALint linear() {
    const auto name_of = reinterpret_cast<LPALGETSTRINGISOFT>(alGetProcAddress("alGetStringiSOFT"));
    const ALint count = alGetInteger(AL_NUM_RESAMPLERS_SOFT);
    for (ALint i = 0; name_of != nullptr && i < count; ++i) {
      if (std::string(name_of(AL_RESAMPLER_NAME_SOFT, i)) == "Linear") return i;
    }
    return alGetInteger(AL_DEFAULT_RESAMPLER_SOFT);
  }

  Crowd crowd_;
  std::vector<float> out_;
  ALCdevice* device_ = nullptr;
  ALCcontext* context_ = nullptr;
  std::string version_;
  std::vector<ALuint> buffers_, sources_;
};

}  // namespace

std::unique_ptr<MixSide> make_openal(const Crowd& crowd, std::string& error) {
  auto side = std::make_unique<OpenAl>(crowd, error);
  if (!error.empty()) side.reset();
  return side;
}

}  // namespace spellpool::bench
