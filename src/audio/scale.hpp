#pragma once
// The one scale that everything pitched is tuned to: A minor pentatonic (A C D E G), equal temperament, A = 440 Hz.
// Any two of its notes go together, so two hundred effects at once are a chord.
//
// A *degree* counts notes of the scale, five an octave, from A2 = 110 Hz. A recipe names the degree of its lowest
// note; an event moves it by `pitch_steps` degrees. The ratio depends on where it starts: one step up from A is a
// minor third, one step up from D a whole tone. A fixed ratio per step would leave the scale.
// Exactness: IEEE double + − × ÷ only, so a sound's pitch is the same bit pattern with every compiler.
#include <array>

#include "core/types.hpp"

namespace spellpool::audio {

inline constexpr u32 kDegreesPerOctave = 5;
inline constexpr std::array<double, kDegreesPerOctave> kScaleSemitones = {0.0, 3.0, 5.0, 7.0, 10.0};
inline constexpr double kDegreeZero_hz = 110.0;
/// Events move a sound by at most this, a good two octaves: a step for each of the twelve runes. Further, linear
/// interpolation is no longer pleasant.
inline constexpr float kMaxPitchSteps = 12.0f;

/// 2^x for |x| ≤ 1000, relative error below 1e-13. Taylor series of e^(f·ln 2) on |f| ≤ 1/2, then doublings.
constexpr double power_of_two(double x) {
  x = x > 1000.0 ? 1000.0 : (x < -1000.0 ? -1000.0 : x);
  i32 whole = static_cast<i32>(x + (x < 0.0 ? -0.5 : 0.5));
  const double t = (x - static_cast<double>(whole)) * 0.693147180559945309;
  double sum = 1.0;
  for (int n = 12; n >= 1; --n) sum = 1.0 + sum * t / n;
  for (; whole > 0; --whole) sum *= 2.0;
  for (; whole < 0; ++whole) sum *= 0.5;
  return sum;
}

/// Semitones above degree 0; any degree.
constexpr double degree_semitones(i32 degree) {
  constexpr i32 kCount = static_cast<i32>(kDegreesPerOctave);
  const i32 octave = degree >= 0 ? degree / kCount : -((kCount - 1 - degree) / kCount);
  return 12.0 * octave + kScaleSemitones[static_cast<std::size_t>(degree - octave * kCount)];
}

constexpr double degree_hz(i32 degree) { return kDegreeZero_hz * power_of_two(degree_semitones(degree) / 12.0); }

/// Playback ratio that moves a sound from `degree` by `steps` degrees; whole steps land in the scale, fractions detune.
/// Steps beyond ± kMaxPitchSteps count as that; NaN counts as 0.
constexpr double pitch_ratio(i32 degree, float steps) {
  if (!(steps == steps) || steps == 0.0f) return 1.0;
  const float bounded = steps > kMaxPitchSteps ? kMaxPitchSteps : (steps < -kMaxPitchSteps ? -kMaxPitchSteps : steps);
  i32 below = static_cast<i32>(bounded);
  if (static_cast<float>(below) > bounded) --below;
  const double low = degree_semitones(degree + below);
  const double high = degree_semitones(degree + below + 1);
  const double semitones = low + (high - low) * static_cast<double>(bounded - static_cast<float>(below));
  return power_of_two((semitones - degree_semitones(degree)) / 12.0);
}

/// The nearest whole number of steps, and a tenth of the rest: what varies at random stays in tune and yet no two plays
/// are quite the same. NaN stays NaN.
constexpr float in_tune(float steps) {
  const float bounded = steps > kMaxPitchSteps ? kMaxPitchSteps : (steps < -kMaxPitchSteps ? -kMaxPitchSteps : steps);
  if (!(bounded == bounded)) return bounded;
  const float whole = static_cast<float>(static_cast<i32>(bounded + (bounded < 0.0f ? -0.5f : 0.5f)));
  return whole + 0.1f * (bounded - whole);
}

}  // namespace spellpool::audio
