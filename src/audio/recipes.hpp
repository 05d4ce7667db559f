#pragma once
// Sound recipes: every effect is a row of numbers, and a synth turns a row into samples at start-up. There are no sound
// files.
//
// A recipe is a sum of tones and noises:
//   tone   sine, triangle (three partials) or FM pair; raised-cosine attack, hold, exponential decay; may glide in
//          pitch toward its note and tremble in level.
//   noise  our own RNG, white or sparse crackles, through a state-variable band filter whose centre sweeps.
// Each part is scaled to a peak of its `amplitude`, so the numbers of a row are a balance. The sum is freed of DC
// (20 Hz one-pole), faded over its last 20 ms and scaled to the row's `peak`.
//
// Taste   warm, short, musical. Big things are low and long, small ones high and short. Notes stand a fifth or
// octaves above the recipe's degree, because only those stay in the scale when a play varies by ± 1 step; what the
// game moves further has octaves only, and chords of other notes have a fixed pitch (recipes_test.cpp proves it for the
// whole table). Nothing starts with silence: a
// consonant falls in the first ms.
//
// Cost   about 5 ms for a second of sound at 48 kHz, once; allocates the result.
// Same   row and rate → same samples, bit for bit, on every compiler (core/det_math.hpp, scale.hpp).
// Source Chowning 1973 (FM); Simper 2013 (trapezoidal state-variable filter).
#include <array>
#include <vector>

#include "core/enum_table.hpp"
#include "frame/sound_id.hpp"

namespace spellpool::audio {

enum class Wave : u8 { Sine, Triangle, Fm };

struct Tone {
  float amplitude = 0.0f;  ///< Peak of this part before the row is scaled; 0 ends the list.
  float semitones = 0.0f;  ///< Above the recipe's degree: 0, 7, 12, 19, 24 …
  float partial = 1.0f;    ///< Factor on that frequency: overtones of the same note.
  float start_s = 0.0f;
  float attack_s = 0.001f;
  float hold_s = 0.0f;
  float decay_s = 0.5f;  ///< Time to fall by 60 dB.
  Wave wave = Wave::Sine;
  float glide_semitones = 0.0f;  ///< Offset at the start, eased to the note over glide_s.
  float glide_s = 0.0f;
  float fm_ratio = 2.0f;  ///< Fm: modulator's frequency over the carrier's.
  float fm_index = 0.0f;  ///< Fm: radians at the start; falls with the level, so a bell mellows as it rings.
  float tremolo_hz = 0.0f;
  float tremolo_depth = 0.0f;  ///< 0 … 1 of the level.
};

struct Noise {
  float amplitude = 0.0f;  ///< As above; 0 ends the list.
  float start_s = 0.0f;
  float attack_s = 0.001f;
  float hold_s = 0.0f;
  float decay_s = 0.2f;
  float from_hz = 1000.0f;      ///< Centre of the band, sweeping evenly in octaves …
  float to_hz = 1000.0f;        ///< … over attack, hold and a third of the decay.
  float resonance = 0.7f;       ///< Q: 0.5 broad … 8 whistling.
  float crackles_per_s = 0.0f;  ///< 0: white noise; else sparse impulses.
};

struct Recipe {
  frame::SoundId id;
  float length_s;  ///< 0.05 … 3.5.
  i32 degree;      ///< Note of the scale that its tones stand on; see scale.hpp.
  float peak;      ///< Of the finished sound, linear.
  /// An event's pitch steps do not move it: its notes may be any of the scale.
  bool fixed_pitch = false;
  std::array<Tone, 8> tones;
  std::array<Noise, 3> noises;
};

/// One row per frame::SoundId, in its order (recipe_table.cpp).
extern const std::array<Recipe, frame::kSoundCount> kRecipes;

/// The mono samples of a row. `sample_rate_hz` is 8,000 … 192,000.
std::vector<float> render_recipe(const Recipe& recipe, u32 sample_rate_hz);

}  // namespace spellpool::audio
