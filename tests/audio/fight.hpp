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

/// A minute of everything: all eight spells in turn at their pace, combos that light runes, a finale of eight seconds,
/// and the challenge around it. As busy as a fast player can be; gains and pitches as the simulation asks for them.
inline std::vector<frame::AudioEvent> scene_step(u64 step, Rng& looks) {
  using frame::SoundId;
  std::vector<frame::AudioEvent> events;
  const auto add = [&](SoundId sound, float gain, float reach, float pitch = 0.0f, float vary = 0.0f) {
    frame::AudioEvent event;
    event.step = step;
    event.sound = sound;
    event.gain = gain * looks.range(0.71f, 1.0f);
    event.x = reach * looks.signed_unit();
    event.y = reach * looks.signed_unit();
    event.pitch_steps = pitch + vary * looks.signed_unit();
    events.push_back(event);
  };
  const auto every = [&](u64 period, u64 phase) { return step % period == phase; };
  const auto within = [&](u64 period, u64 from, u64 to) { return step % period >= from && step % period < to; };
  constexpr float kNear = 80.0f, kFar = 450.0f;
  // Two spells at a time, another pair every four seconds.
  const u64 pair = step / 240 % 4;
  if (every(60, 10)) add(SoundId::ChargeFull, 0.6f, kNear);
  if (every(60, 20)) add(SoundId::SpellSelect, 0.4f, kNear);
  if (pair == 0) {
    if (every(20, 0)) add(SoundId::FireCast, 0.8f, kNear, 0.0f, 0.5f);
    if (every(20, 12)) add(SoundId::FireHit, 0.9f, kFar, 0.0f, 1.0f);
    if (every(20, 12)) add(SoundId::DummyHit, 0.6f, kFar, 0.0f, 0.5f);
    if (every(80, 30)) add(SoundId::FrostCast, 0.9f, kNear, -1.0f, 0.5f);
    if (within(80, 36, 56)) {
      add(SoundId::FrostHit, 0.5f, kFar, 0.0f, 2.0f);
      add(SoundId::FrostHit, 0.5f, kFar, 0.0f, 2.0f);
    }
  } else if (pair == 1) {
    if (every(40, 0)) add(SoundId::ChainCast, 0.85f, kNear, 0.0f, 0.5f);
    if (within(40, 2, 16) && step % 4 == 2)
      add(SoundId::ChainHit, 0.55f, kFar, static_cast<float>(step % 40 / 4), 1.0f);
    if (every(240, 60)) add(SoundId::VortexOpen, 0.9f, 200.0f, 0.0f, 0.5f);
    if (every(240, 200)) add(SoundId::VortexClose, 0.9f, 200.0f);
  } else if (pair == 2) {
    if (every(90, 0)) add(SoundId::MeteorCall, 0.9f, kFar, -1.0f, 0.5f);
    if (every(90, 66)) add(SoundId::MeteorImpact, 1.0f, kFar);
    if (every(90, 66)) add(SoundId::DummyHit, 0.6f, kFar, 0.0f, 0.5f);
    if (within(90, 70, 88) && step % 2 == 0) add(SoundId::StoneBounce, 0.4f, kFar, 0.0f, 2.0f);
    if (every(120, 30)) add(SoundId::FogCast, 0.8f, kNear, 0.0f, 0.5f);
    if (step % 5 == 0) add(SoundId::FogBubble, 0.35f, kFar, 0.0f, 2.0f);
  } else {
    if (every(80, 0)) add(SoundId::MotesCast, 0.8f, kNear, 0.0f, 0.5f);
    if (every(80, 40)) add(SoundId::MotesHeal, 0.8f, kNear, 0.0f, 0.5f);
    if (every(60, 10)) add(SoundId::StarCast, 0.9f, kNear, -1.0f, 0.5f);
    if (within(60, 20, 50) && step % 2 == 0) add(SoundId::StarLand, 0.5f, kFar, 0.0f, 3.0f);
  }
  if (looks.below(25) == 0) add(SoundId::CrystalChime, 0.7f, kFar, static_cast<float>(looks.below(5)));
  if (every(200, 150)) add(SoundId::CrystalShatter, 1.0f, kFar, 0.0f, 0.5f);
  if (every(70, 33)) add(SoundId::WispScatter, 0.7f, kFar, 0.0f, 1.0f);
  if (every(70, 60)) add(SoundId::WispReturn, 0.35f, kFar, 0.0f, 1.0f);
  // The challenge: three ticks, a start, runes, a finale near the end, ten ticks, the end.
  if (step < 180 && step % 60 == 0) add(SoundId::ChallengeTick, 0.8f, 1.0f);
  if (step == 180) add(SoundId::ChallengeStart, 0.9f, 1.0f);
  if (step > 180 && step < 2'400 && every(180, 100)) {
    add(SoundId::RuneLight, 0.8f, kFar, static_cast<float>(step / 180 % 12));
  }
  if (step > 180 && step < 2'400 && every(500, 300)) add(SoundId::RuneFade, 0.8f, kFar);
  if (step == 2'400) add(SoundId::Finale, 1.0f, 1.0f);
  if (step >= 2'460 && step < 2'880 && step % 12 == 0) add(SoundId::FinaleBurst, 0.8f, kFar, 0.0f, 1.0f);
  if (step >= 2'400 && step < 2'880) {
    for (u32 i = 0; i < 6; ++i) add(static_cast<SoundId>(looks.below(static_cast<u32>(SoundId::ChallengeTick))), 0.5f, kFar, 0.0f, 2.0f);
  }
  if (step >= 3'000 && step % 60 == 0 && step < 3'600) add(SoundId::ChallengeTick, 0.8f, 1.0f);
  if (step == 3'599) add(SoundId::ChallengeEnd, 1.0f, 1.0f);
  return events;
}

/// The shooter at its busiest, four bosses' worth in a minute: the gains are those that its sounds are made for.
inline std::vector<frame::AudioEvent> shooter_step(u64 step, Rng& looks) {
  using frame::SoundId;
  std::vector<frame::AudioEvent> events;
  const auto add = [&](SoundId sound, float gain, float pitch = 0.0f) {
    frame::AudioEvent event;
    event.step = step;
    event.sound = sound;
    event.gain = gain * looks.range(0.71f, 1.0f);
    event.x = 300.0f * looks.signed_unit();
    event.y = 360.0f * looks.signed_unit();
    event.pitch_steps = pitch;
    events.push_back(event);
  };
  const auto every = [&](u64 period, u64 phase) { return step % period == phase; };
  const auto unit = [&] { return static_cast<float>(static_cast<i32>(looks.below(3)) - 1); };
  if (every(5, 0)) add(SoundId::Shot, 0.5f, unit());
  if (step % 3 == 0) add(SoundId::EnemyHit, 0.6f, unit());
  if (looks.below(10) == 0) add(SoundId::EnemyPop, 1.0f, static_cast<float>(step / 60 % 10));
  if (looks.below(6) == 0) add(SoundId::Graze, 0.8f, unit());
  if (looks.below(12) == 0) add(SoundId::Pickup, 0.9f, unit());
  if (every(600, 200)) add(SoundId::PowerUp, 1.0f);
  if (every(900, 400)) add(SoundId::Bomb, 1.0f);
  if (every(900, 700)) add(SoundId::ShipLost, 1.0f);
  if (every(900, 640)) add(SoundId::ShieldBreak, 1.0f);
  if (every(240, 20)) add(SoundId::LaserWarn, 1.0f);
  if (every(240, 80)) add(SoundId::LaserBurn, 1.0f);
  if (every(900, 0)) add(SoundId::BossAppear, 1.0f);
  if (every(900, 300)) add(SoundId::PhaseClear, 1.0f);
  if (step == 3'500) add(SoundId::StageClear, 1.0f);
  return events;
}

}  // namespace spellpool::audio
