#pragma once
// Sound recipes: a sound is a list of numbers (frame/defs/sound_def.hpp, assets/sounds/*.toml), and a synth turns it into
// samples.
//
// A recipe is a sum of layers:
//   tone   sine, triangle (three partials), saw and square (up to 24, none that would fold back) or FM pair; raised-cosine attack, hold,
//          exponential decay; may glide in pitch toward its note and tremble in level.
//   noise  our own RNG, white or sparse crackles, through a state-variable band filter whose centre sweeps.
// Each layer is scaled to a peak of its `amplitude`, so the numbers are a balance, and laid aside by pan · width at
// constant power. The sum is freed of DC (20 Hz one-pole), faded over its last 20 ms and scaled to the recipe's
// `peak`. Width 0, or no layer aside: mono.
//
// Taste   warm, short, musical. Big things are low and long, small ones high and short. Notes stand a fifth or
// octaves above the recipe's degree, because only those stay in the scale when a play varies by ± 1 step; what the
// game moves further has octaves only, and chords of other notes have a fixed pitch (recipes_test.cpp proves it for all
// that are shipped). No effect starts with silence: a consonant falls in the first ms.
//
// Cost   about 4 ms for a second of sound at 48 kHz. A RecipeRenderer keeps the memory that the longest sound took.
// Same   recipe, id and rate → same samples, bit for bit, on every compiler (core/det_math.hpp, scale.hpp). The id is
//        the key of its noises, so that two sounds with the same noise layer do not hiss alike.
// Source Chowning 1973 (FM); Simper 2013 (trapezoidal state-variable filter).
#include <memory>

#include "audio/sound_bank.hpp"
#include "frame/defs/sound_def.hpp"
#include "frame/defs/sound_id.hpp"

namespace spellpool::audio {

/// Renders one sound after another in the same memory.
class RecipeRenderer {
 public:
  /// Samples of a recipe whose numbers are in the ranges of frame/defs/sound_keys.hpp; good until the next call.
  /// `sample_rate_hz` is 8,000 … 192,000.
  const Samples& render(const frame::SoundDef& def, frame::SoundId id, u32 sample_rate_hz);

  /// The same with what the mixer needs of it.
  std::shared_ptr<const Sound> make_sound(const frame::SoundDef& def, frame::SoundId id, u32 sample_rate_hz);

 private:
  Samples sum_;
  std::vector<float> part_;
};

}  // namespace spellpool::audio
