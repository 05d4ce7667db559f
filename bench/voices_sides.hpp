#pragma once
// A set of voices, and the sides that mix it: our whole mixer, SDL2_mixer, OpenAL Soft. All play the same
// mono sounds at the same pitches and gains and at about the same places, 48 kHz, stereo, float.
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "audio/mix_kernels.hpp"
#include "core/types.hpp"

namespace spellpool::bench {

inline constexpr u32 kRate_hz = 48'000;
/// Voices start every so many frames. The block size of a side with its own block size is a multiple of
/// this.
inline constexpr u32 kCellFrames = 256;

/// One voice: which sound, how loud, where, how fast.
struct CrowdVoice {
  u32 sound = 0;
  float gain = 0.0f;
  float pan = 0.0f;         ///< −1 … 1.
  float pitch_steps = 0.0f;
  double pitch = 1.0;       ///< The same as a ratio.
};

struct Crowd {
  std::vector<std::vector<float>> sounds;  ///< Mono.
  std::vector<CrowdVoice> voices;
  u32 starts_a_cell = 0;    ///< They begin one after another, so that no two are at the same place of a sound.
};

/// Sounds that fade, and so many voices of them.
Crowd make_crowd(u32 voices, bool pitched, u32 seconds = 1);

class MixSide {
 public:
  virtual ~MixSide() = default;
  virtual std::string name() const = 0;
  /// Starts all voices. They play for a while. Not timed.
  virtual void begin() = 0;
  /// So many frames more; they lie in out() until the next call.
  virtual void mix(u32 frames) = 0;
  /// Voices that are playing now.
  virtual u32 playing() const = 0;
  /// The last frames of mix(), interleaved.
  virtual std::span<const float> out() const = 0;
};

/// Every voice's gain moves in every frame.
std::unique_ptr<MixSide> make_ours(const Crowd& crowd, audio::MixLevel level);
/// Null, and why, if it cannot play.
std::unique_ptr<MixSide> make_openal(const Crowd& crowd, std::string& error);
std::unique_ptr<MixSide> make_sdl_mixer(const Crowd& crowd, std::string& error);

/// ns for a start in a full pool, by SDL2_mixer's words: Mix_GroupOldest, then Mix_PlayChannel; placed: then Mix_Volume and
/// Mix_SetPanning too, without which the sound has the volume of the one before it and no place. side is SDL2_mixer's.
double sdl_mixer_steal_ns(MixSide& side, u32 steals, bool placed);

/// Our mixer, full, for timing what starts cost in it.
class StealSide {
 public:
  virtual ~StealSide() = default;
  /// ns that a cell takes in which so many sounds start; all of them steal.
  virtual double cell_ns(u32 starts) = 0;
  virtual u64 stolen() const = 0;
};
std::unique_ptr<StealSide> make_steals(u32 slots, audio::MixLevel level);

}  // namespace spellpool::bench
