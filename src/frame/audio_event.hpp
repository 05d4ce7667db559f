#pragma once
#include "frame/defs/sound_id.hpp"

namespace spellpool::frame {

/// One sound that the simulation starts. Trivially copyable: it travels through an SpscRing to the audio
/// thread.
struct AudioEvent {
  u64 step = 0;               ///< Step that asked for it; the deterministic WAV places it at step · rate / 60.
  SoundId sound{};
  float gain = 1.0f;          ///< Linear, 0 … 1, before distance.
  float x = 0.0f;             ///< World units from the listener (the arena's centre); pan and distance come from it.
  float y = 0.0f;
  float pitch_steps = 0.0f;   ///< Steps of the pentatonic scale, up or down; fractions detune.
  bool unmerged = false;      ///< Never merged with events of the same sound that start at the same time.
};

}  // namespace spellpool::frame
