#include "audio/music.hpp"

#include "core/det_math.hpp"
#include "core/rng.hpp"

namespace spellpool::audio {
namespace {

using frame::SoundId;

/// Parts of the music. Each has its own random stream per bar, so one more note here changes no other part.
enum class Part : u64 { Chord = 1, Bells, Reed, Plucks, Drum, Air };

Rng stream(u64 seed, u64 bar, Part part) {
  return Rng(mix64(mix64(seed ^ 0x6d75736963ull) ^ (bar * 16 + static_cast<u64>(part))));
}

/// Steps from A to the root of a bar's chord: home, then a neighbour, one further or back, and a way home.
i32 root_of(u64 seed, u64 bar) {
  static constexpr std::array<std::array<i32, 4>, 6> kWalks = {
      {{0, 1, 2, -1}, {0, -1, 1, 2}, {0, 2, 1, -1}, {0, -2, -1, 1}, {0, 1, -1, -2}, {0, 2, -1, 1}}};
  Rng rng = stream(seed, bar / 4, Part::Chord);
  return kWalks[rng.below(static_cast<u32>(kWalks.size()))][bar % 4];
}

/// A step of the melody near the chord: its root, fifth or octave, else a neighbour of them.
i32 near_chord(i32 root, Rng& rng) {
  static constexpr std::array<i32, 8> kAbove = {0, 3, 5, 3, 5, 2, 4, 1};
  return root + kAbove[rng.below(static_cast<u32>(kAbove.size()))];
}

/// Whether something happens, by a chance of 0 … 1. Always one draw.
bool by_chance(Rng& rng, float chance) { return rng.unit() < chance; }

void spells_step(u64 seed, u64 step, float intensity, MusicStep& out) {
  constexpr u64 kBeat_steps = 45, kBeats = 8, kBar_steps = kBeat_steps * kBeats;
  const u64 bar = step / kBar_steps, in_bar = step % kBar_steps;
  if (in_bar % kBeat_steps != 0) return;
  const u64 beat = in_bar / kBeat_steps;
  const i32 root = root_of(seed, bar);
  const float swell = 1.0f + 0.35f * intensity;
  if (beat == 0) {
    out.add(step, SoundId::MusicPad, 0.62f * swell, root, -60.0f);
    out.add(step, SoundId::MusicPad, 0.5f * swell, root + 3, 60.0f);
    out.add(step, SoundId::MusicLow, 0.55f * swell, root, 0.0f);
    Rng air = stream(seed, bar, Part::Air);
    const float gust = air.range(0.3f, 0.7f);
    if (by_chance(air, 0.45f)) out.add(step, SoundId::MusicAir, gust, 0, 0.0f);
  }
  // Bells: a few notes a bar, by themselves or two beats apart.
  Rng bells = stream(seed, bar, Part::Bells);
  for (u64 b = 0; b <= beat; ++b) {
    const bool rings = by_chance(bells, b % 2 == 1 ? 0.36f : 0.14f);
    const i32 note = near_chord(root, bells) - 3;
    const float gain = bells.range(0.3f, 0.55f), side = 260.0f * bells.signed_unit();
    if (b == beat && rings) out.add(step, SoundId::MusicBell, gain, note, side);
  }
  // A reed's long note in every other bar, more of them when it matters.
  Rng reed = stream(seed, bar, Part::Reed);
  const u64 enters = 2 + reed.below(3);
  const i32 held = near_chord(root, reed) - 2;
  const bool sings = by_chance(reed, bar % 2 == 1 ? 0.5f : 0.4f * intensity);
  if (sings && beat == enters) out.add(step, SoundId::MusicReed, 0.34f * swell, held, 120.0f);
  // The challenge is counted in plucked strings.
  Rng plucks = stream(seed, bar, Part::Plucks);
  for (u64 b = 0; b <= beat; ++b) {
    const bool plays = by_chance(plucks, 0.12f + 0.7f * intensity);
    const i32 note = near_chord(root, plucks) - 2;
    const float gain = plucks.range(0.32f, 0.5f);
    if (b == beat && plays && (b > 0 || intensity > 0.0f)) out.add(step, SoundId::MusicPluck, gain, note, -150.0f);
  }
}

void shooter_step(u64 seed, u64 step, float intensity, MusicStep& out) {
  constexpr u64 kBeat_steps = 15, kBeats = 16, kBar_steps = kBeat_steps * kBeats;  // quavers at 120 a minute
  const u64 bar = step / kBar_steps, in_bar = step % kBar_steps;
  if (in_bar % kBeat_steps != 0) return;
  const u64 beat = in_bar / kBeat_steps;
  const i32 root = root_of(seed, bar);
  const float swell = 1.0f + 0.4f * intensity;
  if (beat == 0) {
    out.add(step, SoundId::MusicLow, 0.8f * swell, root, 0.0f);
    if (bar % 2 == 0) {
      out.add(step, SoundId::MusicPad, 0.65f * swell, root, -80.0f);
      out.add(step, SoundId::MusicPad, 0.55f * swell, root + 5, 80.0f);
    }
  }
  // The drum walks: one, and the and of two; under a boss on every beat.
  const bool step_of_the_walk = beat == 0 || beat == 6 || beat == 8 || beat == 14;
  Rng drum = stream(seed, bar * kBeats + beat, Part::Drum);
  const bool filled = by_chance(drum, intensity) && beat % 2 == 0;
  if (step_of_the_walk || filled) out.add(step, SoundId::MusicPulse, (beat % 8 == 0 ? 1.0f : 0.7f) * swell, 0, 0.0f);
  // A plucked figure of a bar: drawn once in two bars and played twice, so that it is a figure and no rain.
  Rng plucks = stream(seed, bar / 2, Part::Plucks);
  for (u64 b = 0; b <= beat; ++b) {
    const float chance = b % 4 == 2 ? 0.55f : b % 2 == 0 ? 0.35f : 0.1f;
    const float drawn = plucks.unit();
    const i32 note = near_chord(root, plucks) - 2;
    const float gain = plucks.range(0.5f, 0.75f);
    if (b == beat && drawn < chance + 0.35f * intensity)
      out.add(step, SoundId::MusicPluck, gain, note, b % 4 < 2 ? -140.0f : 140.0f);
  }
  Rng bells = stream(seed, bar, Part::Bells);
  const u64 rings = 4 * bells.below(4) + 3;
  const i32 note = near_chord(root, bells) - 3;
  const bool heard = by_chance(bells, 0.5f);
  if (heard && beat == rings) out.add(step, SoundId::MusicBell, 0.38f, note, 220.0f);
  Rng reed = stream(seed, bar, Part::Reed);
  const i32 held = near_chord(root, reed) - 2;
  const bool sings = by_chance(reed, 0.15f + 0.6f * intensity);
  if (sings && beat == 4) out.add(step, SoundId::MusicReed, 0.32f * swell, held, -100.0f);
}

}  // namespace

MusicStep music_step(frame::SceneId scene, u64 seed, u64 step, float intensity) {
  MusicStep out;
  const float bounded = intensity == intensity ? clamp01(intensity) : 0.0f;
  if (scene == frame::SceneId::Shooter) shooter_step(seed, step, bounded, out);
  else spells_step(seed, step, bounded, out);
  return out;
}

}  // namespace spellpool::audio
