#pragma once
// The flood of sounds of the lesson about full pools: the same sounds into a real voice pool under each
// policy. Everything is counted from the pool's answers; there is no clock in it, so it is the same on every
// machine.
#include <array>

#include "audio/sound_bank.hpp"
#include "frame/defs/sound_id.hpp"
#include "frame/views/lesson_measurement.hpp"

namespace spellpool::app {

struct FloodSound {
  u32 at_ms;
  frame::SoundId sound;
  float gain;
};
inline constexpr u32 kFloodVoices = 6;
/// By rising time. The loudest is one of them.
inline constexpr std::array kVoiceFlood = {
    FloodSound{0, frame::SoundId::CrystalShatter, 0.8f},
    FloodSound{60, frame::SoundId::MeteorCall, 0.2f},
    FloodSound{110, frame::SoundId::MeteorCall, 0.2f},
    FloodSound{160, frame::SoundId::MeteorCall, 0.2f},
    FloodSound{210, frame::SoundId::MeteorCall, 0.2f},
    FloodSound{260, frame::SoundId::MotesHeal, 0.3f},
    FloodSound{350, frame::SoundId::StarLand, 1.0f},
    FloodSound{375, frame::SoundId::StarLand, 1.0f},
    FloodSound{400, frame::SoundId::StarLand, 1.0f},
    FloodSound{425, frame::SoundId::StarLand, 1.0f},
    FloodSound{450, frame::SoundId::StarLand, 1.0f},
    FloodSound{475, frame::SoundId::StarLand, 1.0f},
    FloodSound{500, frame::SoundId::StarLand, 1.0f},
    FloodSound{540, frame::SoundId::MeteorImpact, 0.8f},
};

/// What became of it under each policy.
frame::LessonMeasurement flood_voices(const audio::SoundBank& bank);

}  // namespace spellpool::app
