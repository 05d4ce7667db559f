#include "audio/recipes.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "audio/scale.hpp"
#include "core/det_math.hpp"
#include "core/rng.hpp"

namespace spellpool::audio {
namespace {

using frame::NoiseDef;
using frame::ToneDef;
using frame::Wave;

constexpr double kTailFade_s = 0.02;
constexpr double kStartFade_s = 0.00025;
constexpr double kDcBlock_hz = 20.0;
constexpr double kSilent = 3e-6;  ///< A part that has fallen to this, −110 dB, is over.
constexpr std::size_t kGlideFrames = 16;
constexpr i32 kMostPartials = 24;  ///< Of saw and square: bright, but no longer sharp.
constexpr auto kPartialWeights = [] {
  std::array<double, kMostPartials + 1> weights{};
  for (i32 k = 1; k <= kMostPartials; ++k)
    weights[static_cast<std::size_t>(k)] = (1.0 - static_cast<double>(k) / (kMostPartials + 1)) / k;
  return weights;
}();

/// sin over turns for a phase already in [0, 1).
float sine(double phase_turns) { return sin_turns(static_cast<float>(phase_turns)); }
double fraction(double turns) { return turns - static_cast<double>(static_cast<i64>(turns)); }

/// Raised-cosine rise, hold, exponential fall; 0 before start.
class Envelope {
 public:
  Envelope(float start_s, float attack_s, float hold_s, float decay_s, double rate_hz)
      : start_(frames(start_s, rate_hz)),
        attack_(frames(attack_s, rate_hz)),
        hold_(frames(hold_s, rate_hz)),
        fall_(power_of_two(-9.965784284662087 / (static_cast<double>(decay_s) * rate_hz))) {}

  std::size_t start() const { return start_; }
  bool over() const { return level_ < kSilent; }
  /// Called for frame = 0, 1, 2 … in turn.
  double next(std::size_t frame) {
    if (frame < start_) return 0.0;
    const std::size_t t = frame - start_;
    if (t < attack_) {
      return 0.5 - 0.5 * static_cast<double>(cos_turns(0.5f * static_cast<float>(t) / static_cast<float>(attack_)));
    }
    if (t >= attack_ + hold_) level_ *= fall_;
    return level_;
  }

 private:
  static std::size_t frames(float seconds, double rate_hz) {
    return static_cast<std::size_t>(static_cast<double>(seconds) * rate_hz + 0.5);
  }
  std::size_t start_, attack_, hold_;
  double fall_;
  double level_ = 1.0;
};

double eased(double x) { return x >= 1.0 ? 0.0 : (1.0 - x) * (1.0 - x) * (1.0 + 2.0 * x); }  // 1 → 0, flat ends

/// sin over turns in [-0.25, 0.25], error below 1e-13: good enough that its multiples may be built up from it.
double exact_sine(double turns) {
  const double x = 6.283185307179586477 * turns, x2 = x * x;
  double sum = 1.0;
  for (int n = 17; n >= 3; n -= 2) sum = 1.0 - sum * x2 / (n * (n - 1));
  return x * sum;
}

/// Saw (every partial) or square (each other one) as a sum of sines: nothing beyond kSilentFrom of the rate, so
/// nothing folds back. The weights fall evenly to nought at the last partial, which keeps the wave free of ringing,
/// and near the rate's end, so that a glide loses its partials without a step.
float partials(double phase, double turns_a_frame, i32 stride) {
  constexpr double kFallsFrom = 0.38, kSilentFrom = 0.45;
  const double at = phase < 0.5 ? phase : phase - 1.0;  // [-0.5, 0.5)
  const double folded = at > 0.25 ? 0.5 - at : at < -0.25 ? -0.5 - at : at;
  const double sine_1 = exact_sine(folded);
  const double half = exact_sine(0.5 * folded);
  const double cosine_1 = (folded == at ? 1.0 : -1.0) * (1.0 - 2.0 * half * half);
  // sin((k + 1) t) = 2 cos t · sin(k t) − sin((k − 1) t)
  double before = 0.0, now = sine_1, sum = 0.0;
  for (i32 k = 1; k <= kMostPartials; ++k) {
    const double share = turns_a_frame * k;
    if (share >= kSilentFrom) break;
    if (stride == 1 || k % 2 == 1) {
      const double edge = share > kFallsFrom ? (kSilentFrom - share) / (kSilentFrom - kFallsFrom) : 1.0;
      sum += edge * kPartialWeights[static_cast<std::size_t>(k)] * now;
    }
    const double next = 2.0 * cosine_1 * now - before;
    before = now;
    now = next;
  }
  return static_cast<float>(sum);
}

void render_tone(const ToneDef& tone, i32 degree, double rate_hz, std::vector<float>& out) {
  const double note_hz =
      degree_hz(degree) * power_of_two(static_cast<double>(tone.semitones) / 12.0) * static_cast<double>(tone.partial);
  if (note_hz > 0.45 * rate_hz) {  // would alias at this rate
    out.assign(out.size(), 0.0f);
    return;
  }
  Envelope envelope(tone.start_s, tone.attack_s, tone.hold_s, tone.decay_s, rate_hz);
  const auto gliding_hz = [&](std::size_t frame) {
    const double x = static_cast<double>(frame) / (static_cast<double>(tone.glide_s) * rate_hz);
    return note_hz * power_of_two(static_cast<double>(tone.glide_semitones) * eased(x) / 12.0);
  };
  const double inverse_rate = 1.0 / rate_hz;
  double phase = 0.0, modulator = 0.0;
  double hz = note_hz, hz_slope = 0.0;
  for (std::size_t i = 0; i < out.size(); ++i) {
    const double level = envelope.next(i);
    if (i < envelope.start() || envelope.over()) {
      out[i] = 0.0f;
      continue;
    }
    const std::size_t t = i - envelope.start();
    if (tone.glide_s > 0.0f && t % kGlideFrames == 0) {  // in between along a line
      hz = gliding_hz(t);
      hz_slope = (gliding_hz(t + kGlideFrames) - hz) / static_cast<double>(kGlideFrames);
    }
    float value = 0.0f;
    switch (tone.wave) {
      case Wave::Sine:
        value = sine(phase);
        break;
      case Wave::Triangle:
        value = sine(phase) - sine(fraction(3.0 * phase)) / 9.0f + sine(fraction(5.0 * phase)) / 25.0f;
        break;
      case Wave::Saw:
        value = partials(phase, hz * inverse_rate, 1);
        break;
      case Wave::Square:
        value = partials(phase, hz * inverse_rate, 2);
        break;
      case Wave::Fm:
        value = sine(phase + static_cast<double>(tone.fm_index) / 6.283185307179586 * level *
                                 static_cast<double>(sine(modulator)));
        break;
    }
    double tremolo = 1.0;
    if (tone.tremolo_depth > 0.0f) {
      const double turns = static_cast<double>(t) * inverse_rate * static_cast<double>(tone.tremolo_hz);
      const double swing = 0.5 - 0.5 * static_cast<double>(sine(fraction(turns + 0.25)));
      tremolo = 1.0 - static_cast<double>(tone.tremolo_depth) * swing;
    }
    out[i] = static_cast<float>(level * tremolo) * value;
    const double turn = hz * inverse_rate;
    phase = fraction(phase + turn);
    modulator = fraction(modulator + turn * static_cast<double>(tone.fm_ratio));
    hz += hz_slope;
  }
}

void render_noise(const NoiseDef& noise, Rng rng, double rate_hz, std::vector<float>& out) {
  Envelope envelope(noise.start_s, noise.attack_s, noise.hold_s, noise.decay_s, rate_hz);
  const double sweep_s = static_cast<double>(noise.attack_s) + static_cast<double>(noise.hold_s) +
                         static_cast<double>(noise.decay_s) / 3.0;
  const double nyquist_hz = 0.45 * rate_hz;
  const float chance = static_cast<float>(static_cast<double>(noise.crackles_per_s) / rate_hz);
  // log2 of the sweep's width, by bisection: no libm.
  double octaves = 0.0;
  for (double step = 8.0; step > 1e-6; step *= 0.5) {
    const double ratio = static_cast<double>(noise.to_hz) / static_cast<double>(noise.from_hz);
    octaves += power_of_two(octaves) < ratio ? step : -step;
  }
  double band = 0.0, low = 0.0, g = 0.0;
  const double k = 1.0 / static_cast<double>(noise.resonance);
  for (std::size_t i = 0; i < out.size(); ++i) {
    const double level = envelope.next(i);
    if (i < envelope.start() || envelope.over()) {
      out[i] = 0.0f;
      continue;
    }
    const std::size_t t = i - envelope.start();
    if (t % 16 == 0) {
      const double x = static_cast<double>(t) / (sweep_s * rate_hz);
      double hz = static_cast<double>(noise.from_hz) * power_of_two(octaves * (x < 1.0 ? x : 1.0));
      hz = hz < nyquist_hz ? hz : nyquist_hz;
      const float half_turns = static_cast<float>(0.5 * hz / rate_hz);
      g = static_cast<double>(sin_turns(half_turns)) / static_cast<double>(cos_turns(half_turns));
    }
    double in = 0.0;
    if (noise.crackles_per_s > 0.0f) {
      const float draw = rng.unit();
      const float size = rng.signed_unit();
      if (draw < chance) in = static_cast<double>(size) * 8.0;
    } else {
      in = static_cast<double>(rng.signed_unit());
    }
    const double high = (in - low - (g + k) * band) / (1.0 + g * (g + k));
    const double band_out = g * high + band;
    const double low_out = g * band_out + low;
    band = g * high + band_out;
    low = g * band_out + low_out;
    out[i] = static_cast<float>(level * band_out);
  }
}

float peak_of(const std::vector<float>& samples) {
  float peak = 0.0f;
  for (const float sample : samples) peak = std::fabs(sample) > peak ? std::fabs(sample) : peak;
  return peak;
}

/// The layer's side of the finished sound: constant power, 1 in the middle.
struct Sides {
  float left = 1.0f, right = 1.0f;
};
Sides sides_of(float pan, float width) {
  const float side = pan * width;
  if (side == 0.0f) return {};
  const float turns = (side + 1.0f) * 0.125f;
  constexpr float kRootOfTwo = 1.41421356f;
  return {kRootOfTwo * cos_turns(turns), kRootOfTwo * sin_turns(turns)};
}

void add_scaled(const std::vector<float>& part, float scale, std::vector<float>& sum) {
  for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += part[i] * scale;
}

void remove_dc(std::vector<float>& samples, double rate_hz) {
  const double keep = power_of_two(-kDcBlock_hz * 6.283185307179586 / (0.693147180559945309 * rate_hz));
  double before = 0.0, out = 0.0;
  for (float& sample : samples) {
    out = static_cast<double>(sample) - before + keep * out;
    before = static_cast<double>(sample);
    sample = static_cast<float>(out);
  }
}

void fade_ends(std::vector<float>& samples, double rate_hz) {
  const auto fade = [&](double seconds, auto&& sample_at) {
    std::size_t count = static_cast<std::size_t>(seconds * rate_hz + 0.5);
    count = count < samples.size() ? count : samples.size();
    for (std::size_t i = 0; i < count; ++i) {
      sample_at(i) *= 0.5f - 0.5f * cos_turns(0.5f * static_cast<float>(i) / static_cast<float>(count));
    }
  };
  fade(kStartFade_s, [&](std::size_t i) -> float& { return samples[i]; });
  fade(kTailFade_s, [&](std::size_t i) -> float& { return samples[samples.size() - 1 - i]; });
}

}  // namespace

bool is_stereo(const frame::SoundDef& def) {
  const auto aside = [](const auto& layer) { return layer.pan != 0.0f; };
  return def.width > 0.0f && (std::any_of(def.tones.begin(), def.tones.end(), aside) ||
                              std::any_of(def.noises.begin(), def.noises.end(), aside));
}

Samples render_recipe(const frame::SoundDef& def, frame::SoundId id, u32 sample_rate_hz) {
  const FloatControlScope scope(FloatControlScope::Denormals::FlushToZero);
  const double rate_hz = static_cast<double>(sample_rate_hz);
  const std::size_t frames = static_cast<std::size_t>(static_cast<double>(def.length_s) * rate_hz + 0.5);
  Samples sum;
  sum.left.assign(frames, 0.0f);
  if (is_stereo(def)) sum.right.assign(frames, 0.0f);
  std::vector<float> part(frames, 0.0f);
  const auto add = [&](float amplitude, float pan) {
    const float peak = peak_of(part);
    if (!(peak > 0.0f)) return;
    const Sides sides = sum.right.empty() ? Sides{} : sides_of(pan, def.width);
    add_scaled(part, sides.left * (amplitude / peak), sum.left);
    if (!sum.right.empty()) add_scaled(part, sides.right * (amplitude / peak), sum.right);
  };
  for (const ToneDef& tone : def.tones) {
    render_tone(tone, def.degree, rate_hz, part);
    add(tone.amplitude, tone.pan);
  }
  u64 key = 0x5350454c4cull + static_cast<u64>(id) * 16;
  for (const NoiseDef& noise : def.noises) {
    render_noise(noise, Rng(mix64(++key)), rate_hz, part);
    add(noise.amplitude, noise.pan);
  }
  float peak = 0.0f;
  for (std::vector<float>* side : {&sum.left, &sum.right}) {
    if (side->empty()) continue;
    remove_dc(*side, rate_hz);
    fade_ends(*side, rate_hz);
    const float side_peak = peak_of(*side);
    peak = side_peak > peak ? side_peak : peak;
  }
  const float scale = peak > 0.0f ? def.peak / peak : 0.0f;
  for (std::vector<float>* side : {&sum.left, &sum.right}) {
    for (float& sample : *side) sample *= scale;
  }
  return sum;
}

std::shared_ptr<const Sound> make_sound(const frame::SoundDef& def, frame::SoundId id, u32 sample_rate_hz) {
  return std::make_shared<const Sound>(render_recipe(def, id, sample_rate_hz), sample_rate_hz, def.degree,
                                       def.fixed_pitch, def.traits);
}

}  // namespace spellpool::audio
