#pragma once
// The sounds of an invented busy fight, step by step: for loudness, determinism and the report.
#include <vector>

#include "core/rng.hpp"
#include "frame/audio_event.hpp"

namespace spellpool::audio {

inline std::vector<frame::AudioEvent> fight_step(u64 step, Rng& looks) {
  using frame::SoundId;
  std::vector<frame::AudioEvent> events;
  const auto add = [&](SoundId sound, float gain, float reach) {
    frame::AudioEvent event;
    event.step = step;
    event.sound = sound;
    event.gain = gain * looks.range(0.71f, 1.0f);
    event.x = reach * looks.signed_unit();
    event.y = reach * looks.signed_unit();
    event.pitch_steps = static_cast<float>(static_cast<i32>(looks.below(3)) - 1);
    events.push_back(event);
  };
  if (step % 18 == 0) add(SoundId::FireCast, 0.8f, 60.0f);
  if (step % 18 == 12) add(SoundId::FireHit, 0.9f, 400.0f);
  if (step % 18 == 12) add(SoundId::DummyHit, 0.9f, 400.0f);
  if (step % 120 == 40) add(SoundId::FrostCast, 0.8f, 60.0f);
  if (step % 120 >= 50 && step % 120 < 62 && step % 2 == 0) add(SoundId::FrostHit, 0.8f, 300.0f);
  if (step % 240 == 90) add(SoundId::VortexOpen, 0.9f, 200.0f);
  if (step % 240 == 180) add(SoundId::VortexClose, 0.9f, 200.0f);
  if (looks.below(30) == 0) add(SoundId::CrystalChime, 0.8f, 350.0f);
  if (step % 180 == 130) add(SoundId::CrystalShatter, 0.9f, 350.0f);
  if (step % 100 == 0) add(SoundId::SpellSelect, 1.0f, 1.0f);
  return events;
}

}  // namespace spellpool::audio
