#pragma once
// A sound as numbers: what assets/sounds/*.toml says and audio/ renders to samples.
#include <string>
#include <vector>

#include "core/enum_table.hpp"
#include "frame/voice_choice.hpp"

namespace spellpool::frame {

enum class Wave : u8 { Sine, Triangle, Saw, Square, Fm };

struct WaveRow {
  Wave id;
  std::string_view name;
};
inline constexpr std::array kWaves = {WaveRow{Wave::Sine, "sine"}, WaveRow{Wave::Triangle, "triangle"},
                                      WaveRow{Wave::Saw, "saw"}, WaveRow{Wave::Square, "square"}, WaveRow{Wave::Fm, "fm"}};
static_assert(rows_in_order(kWaves));

/// A layer with a note.
struct ToneDef {
  float amplitude = 0.5f;  ///< Peak of this layer before the whole is scaled.
  float pan = 0.0f;        ///< −1 left … 1 right, times the sound's width.
  float semitones = 0.0f;  ///< Above the sound's degree: 0, 7, 12, 19, 24 …
  float partial = 1.0f;    ///< Factor on that frequency: overtones of the same note.
  float start_s = 0.0f;
  float attack_s = 0.001f;
  float hold_s = 0.0f;
  float decay_s = 0.5f;    ///< Time to fall by 60 dB.
  Wave wave = Wave::Sine;
  float glide_semitones = 0.0f;  ///< Offset at the start, eased to the note over glide_s.
  float glide_s = 0.0f;
  float fm_ratio = 2.0f;   ///< Fm: modulator's frequency over the carrier's.
  float fm_index = 0.0f;   ///< Fm: radians at the start; falls with the level, so a bell mellows as it rings.
  float tremolo_hz = 0.0f;
  float tremolo_depth = 0.0f;    ///< 0 … 1 of the level.
  friend bool operator==(const ToneDef&, const ToneDef&) = default;
};

/// A layer of filtered noise.
struct NoiseDef {
  float amplitude = 0.5f;
  float pan = 0.0f;
  float start_s = 0.0f;
  float attack_s = 0.001f;
  float hold_s = 0.0f;
  float decay_s = 0.2f;
  float from_hz = 1000.0f;      ///< Centre of the band, sweeping evenly in octaves …
  float to_hz = 1000.0f;        ///< … over attack, hold and a third of the decay.
  float resonance = 0.7f;       ///< Q: 0.5 broad … 8 whistling.
  float crackles_per_s = 0.0f;  ///< 0: white noise; else sparse impulses.
  friend bool operator==(const NoiseDef&, const NoiseDef&) = default;
};

inline constexpr std::size_t kMostTones = 16, kMostNoises = 8;

struct SoundDef {
  float length_s = 0.5f;     ///< 0.05 … 8.
  i32 degree = 0;            ///< Note of the scale that its tones stand on.
  float peak = 0.5f;         ///< Of the finished sound, linear.
  float width = 0.0f;        ///< 0: mono; 1: layers as wide as their pan says.
  bool fixed_pitch = false;  ///< An event's pitch steps do not move it: its notes may be any of the scale.
  SoundTraits traits;
  std::vector<ToneDef> tones;
  std::vector<NoiseDef> noises;
  friend bool operator==(const SoundDef&, const SoundDef&) = default;
};

}  // namespace spellpool::frame
