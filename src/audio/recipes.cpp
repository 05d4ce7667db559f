#include "audio/recipes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

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

/// Frames that are computed together. What depends on no other frame (sines, partials, tremolo) has loops of its own,
/// which compilers vectorise; phases, envelopes and filters go frame by frame.
constexpr std::size_t kBlock = 256;
using Doubles = std::array<double, kBlock>;
using Floats = std::array<float, kBlock>;

/// sin over turns for a phase already in [0, 1).
float sine(double phase_turns) { return sin_turns(static_cast<float>(phase_turns)); }
double fraction(double turns) { return turns - static_cast<double>(static_cast<i32>(turns)); }

std::size_t frames_in(float seconds, double rate_hz) {
  return static_cast<std::size_t>(static_cast<double>(seconds) * rate_hz + 0.5);
}

/// Raised-cosine rise, hold, exponential fall.
class Envelope {
 public:
  Envelope(float attack_s, float hold_s, float decay_s, double rate_hz)
      : attack_(frames_in(attack_s, rate_hz)),
        hold_(frames_in(hold_s, rate_hz)),
        fall_(power_of_two(-9.965784284662087 / (static_cast<double>(decay_s) * rate_hz))) {}

  /// Writes the levels of the next `count` frames and returns how many of them are not silent yet. Behind those,
  /// `levels` is undefined.
  std::size_t next(std::size_t count, Doubles& levels) {
    const std::size_t rising = std::clamp(attack_, next_, next_ + count) - next_;
    for (std::size_t i = 0; i < rising; ++i) {
      const float part = static_cast<float>(static_cast<i32>(next_ + i)) / static_cast<float>(attack_);
      levels[i] = 0.5 - 0.5 * static_cast<double>(cos_turns(0.5f * part));
    }
    const std::size_t falls_from = std::clamp(attack_ + hold_, next_, next_ + count) - next_;
    std::fill(levels.begin() + static_cast<std::ptrdiff_t>(rising),
              levels.begin() + static_cast<std::ptrdiff_t>(falls_from), 1.0);
    std::size_t i = falls_from;
    for (; i < count; ++i) {
      const double level = level_ * fall_;
      if (level < kSilent) break;
      levels[i] = level_ = level;
    }
    next_ += count;
    return i;
  }

 private:
  std::size_t attack_, hold_;
  double fall_;
  double level_ = 1.0;
  std::size_t next_ = 0;
};

double eased(double x) { return x >= 1.0 ? 0.0 : (1.0 - x) * (1.0 - x) * (1.0 + 2.0 * x); }  // 1 → 0, flat ends

/// sin over turns in [-0.25, 0.25], error below 1e-13: good enough that its multiples may be built up from it.
double exact_sine(double turns) {
  const double x = 6.283185307179586477 * turns, x2 = x * x;
  double sum = 1.0;
  for (int n = 17; n >= 3; n -= 2) sum = 1.0 - sum * x2 / (n * (n - 1));
  return x * sum;
}

/// Partials from this part of the rate on are silent, so that nothing folds back.
constexpr double kSilentFrom = 0.45;
/// Weight of partial k; `turns_a_frame` is the frequency of the first one. Weights fall evenly to nought at the last
/// partial, which keeps the wave free of ringing, and near kSilentFrom, so that a glide loses its partials without a
/// step.
double partial_weight(i32 k, double turns_a_frame) {
  constexpr double kFallsFrom = 0.38;
  const double share = turns_a_frame * k;
  if (share >= kSilentFrom) return 0.0;
  const double edge = share > kFallsFrom ? (kSilentFrom - share) / (kSilentFrom - kFallsFrom) : 1.0;
  return edge * kPartialWeights[static_cast<std::size_t>(k)];
}

/// Saw (every partial, stride 1) or square (each other one, stride 2) as a sum of sines.
void sum_partials(const Doubles& phases, const Doubles& turns_a_frame, i32 stride, std::size_t count, Floats& values) {
  Doubles twice_cosine_1, before, now, sum;
  for (std::size_t i = 0; i < count; ++i) {
    const double at = phases[i] < 0.5 ? phases[i] : phases[i] - 1.0;  // [-0.5, 0.5)
    const double folded = at > 0.25 ? 0.5 - at : at < -0.25 ? -0.5 - at : at;
    const double half = exact_sine(0.5 * folded);
    twice_cosine_1[i] = 2.0 * ((folded == at ? 1.0 : -1.0) * (1.0 - 2.0 * half * half));
    before[i] = sum[i] = 0.0;
    now[i] = exact_sine(folded);
  }
  const double lowest = std::min(turns_a_frame[0], turns_a_frame[count - 1]);  // a glide goes one way
  const bool steady = turns_a_frame[0] == turns_a_frame[count - 1];
  for (i32 k = 1; k <= kMostPartials && lowest * k < kSilentFrom; ++k) {
    if (stride == 1 || k % 2 == 1) {
      if (steady) {
        const double weight = partial_weight(k, lowest);
        for (std::size_t i = 0; i < count; ++i) sum[i] += weight * now[i];
      } else {
        for (std::size_t i = 0; i < count; ++i) sum[i] += partial_weight(k, turns_a_frame[i]) * now[i];
      }
    }
    // sin((k + 1) t) = 2 cos t · sin(k t) − sin((k − 1) t)
    for (std::size_t i = 0; i < count; ++i) {
      const double next = twice_cosine_1[i] * now[i] - before[i];
      before[i] = now[i];
      now[i] = next;
    }
  }
  for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<float>(sum[i]);
}

/// The phase of a tone, frame by frame.
class Oscillator {
 public:
  Oscillator(const ToneDef& tone, double note_hz, double rate_hz)
      : tone_(tone), note_hz_(note_hz), rate_hz_(rate_hz), hz_(note_hz) {}

  /// Phases of the tone and, for FM, of its modulator in the next `count` frames, and how far the tone turns in each.
  void next(std::size_t count, Doubles& phases, Doubles& modulators, Doubles& turns_a_frame) {
    const double inverse_rate = 1.0 / rate_hz_, ratio = static_cast<double>(tone_.fm_ratio);
    for (std::size_t i = 0; i < count; ++i, ++next_) {
      if (tone_.glide_s > 0.0f && next_ % kGlideFrames == 0) {  // in between along a line
        hz_ = gliding_hz(next_);
        hz_slope_ = (gliding_hz(next_ + kGlideFrames) - hz_) / static_cast<double>(kGlideFrames);
      }
      turns_a_frame[i] = hz_ * inverse_rate;
      hz_ += hz_slope_;
    }
    for (std::size_t i = 0; i < count; ++i) {
      phases[i] = phase_;
      const double turned = phase_ + turns_a_frame[i], back = turned - 1.0;
      phase_ = back >= 0.0 ? back : turned;
      if (phase_ >= 1.0) [[unlikely]]
        phase_ = fraction(phase_);  // in a glide from far above the note
    }
    if (tone_.wave != Wave::Fm) return;
    for (std::size_t i = 0; i < count; ++i) {
      modulators[i] = modulator_;
      modulator_ = fraction(modulator_ + turns_a_frame[i] * ratio);
    }
  }

 private:
  double gliding_hz(std::size_t frame) const {
    const double x = static_cast<double>(frame) / (static_cast<double>(tone_.glide_s) * rate_hz_);
    return note_hz_ * power_of_two(static_cast<double>(tone_.glide_semitones) * eased(x) / 12.0);
  }

  const ToneDef& tone_;
  double note_hz_, rate_hz_, hz_;
  double hz_slope_ = 0.0, phase_ = 0.0, modulator_ = 0.0;
  std::size_t next_ = 0;
};

void shape_wave(const ToneDef& tone, const Doubles& phases, const Doubles& modulators, const Doubles& turns_a_frame,
                const Doubles& levels, std::size_t count, Floats& values) {
  switch (tone.wave) {
    case Wave::Sine:
      for (std::size_t i = 0; i < count; ++i) values[i] = sine(phases[i]);
      break;
    case Wave::Triangle:
      for (std::size_t i = 0; i < count; ++i) {
        values[i] = sine(phases[i]) - sine(fraction(3.0 * phases[i])) / 9.0f + sine(fraction(5.0 * phases[i])) / 25.0f;
      }
      break;
    case Wave::Saw:
      sum_partials(phases, turns_a_frame, 1, count, values);
      break;
    case Wave::Square:
      sum_partials(phases, turns_a_frame, 2, count, values);
      break;
    case Wave::Fm: {
      const double depth_turns = static_cast<double>(tone.fm_index) / 6.283185307179586;
      for (std::size_t i = 0; i < count; ++i)
        values[i] = sine(phases[i] + depth_turns * levels[i] * static_cast<double>(sine(modulators[i])));
      break;
    }
  }
}

/// Multiplies levels by the tone's tremolo. `first` is the frame of levels[0], counted from the tone's start.
void apply_tremolo(const ToneDef& tone, std::size_t first, double rate_hz, std::size_t count, Doubles& levels) {
  const double inverse_rate = 1.0 / rate_hz;
  for (std::size_t i = 0; i < count; ++i) {
    const double turns =
        static_cast<double>(static_cast<i32>(first + i)) * inverse_rate * static_cast<double>(tone.tremolo_hz);
    const double swing = 0.5 - 0.5 * static_cast<double>(sine(fraction(turns + 0.25)));
    levels[i] *= 1.0 - static_cast<double>(tone.tremolo_depth) * swing;
  }
}

/// The frames of a sound in which one of its parts is heard.
struct FrameRange {
  std::size_t first = 0, end = 0;
};

/// Calls f(frame, levels, count, to) for each block of a part, a ToneDef or a NoiseDef, until it is over: `frame`
/// counts from the part's start, and the `count` samples go to `to`, within `out`. Returns which frames of `out` were
/// written; the others are undefined.
template <class Part, class F>
FrameRange each_block(const Part& part, double rate_hz, std::vector<float>& out, const F& f) {
  Envelope envelope(part.attack_s, part.hold_s, part.decay_s, rate_hz);
  FrameRange heard;
  heard.first = heard.end = std::min(frames_in(part.start_s, rate_hz), out.size());
  Doubles levels;
  while (heard.end < out.size()) {
    const std::size_t wanted = std::min(kBlock, out.size() - heard.end);
    const std::size_t count = envelope.next(wanted, levels);
    if (count > 0) f(heard.end - heard.first, levels, count, out.data() + heard.end);
    heard.end += count;
    if (count < wanted) break;
  }
  return heard;
}

/// As each_block().
FrameRange render_tone(const ToneDef& tone, i32 degree, double rate_hz, std::vector<float>& out) {
  const double note_hz =
      degree_hz(degree) * power_of_two(static_cast<double>(tone.semitones) / 12.0) * static_cast<double>(tone.partial);
  if (note_hz > 0.45 * rate_hz) return {};  // would alias at this rate
  Oscillator oscillator(tone, note_hz, rate_hz);
  Doubles phases, modulators, turns_a_frame;  // phases are in turns
  Floats values;
  const auto render = [&](std::size_t first, Doubles& levels, std::size_t count, float* to) {
    oscillator.next(count, phases, modulators, turns_a_frame);
    shape_wave(tone, phases, modulators, turns_a_frame, levels, count, values);
    if (tone.tremolo_depth > 0.0f) apply_tremolo(tone, first, rate_hz, count, levels);
    for (std::size_t i = 0; i < count; ++i) to[i] = static_cast<float>(levels[i]) * values[i];
  };
  return each_block(tone, rate_hz, out, render);
}

/// As each_block().
FrameRange render_noise(const NoiseDef& noise, Rng rng, double rate_hz, std::vector<float>& out) {
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
  const auto render = [&](std::size_t first, const Doubles& levels, std::size_t count, float* to) {
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t t = first + i;
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
      to[i] = static_cast<float>(levels[i] * band_out);
    }
  };
  return each_block(noise, rate_hz, out, render);
}

float peak_of(std::span<const float> samples) {
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

void add_scaled(std::span<const float> part, float scale, float* sum) {
  for (std::size_t i = 0; i < part.size(); ++i) sum[i] += part[i] * scale;
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

bool is_stereo(const frame::SoundDef& def) {
  const auto aside = [](const auto& layer) { return layer.pan != 0.0f; };
  return def.width > 0.0f && (std::any_of(def.tones.begin(), def.tones.end(), aside) ||
                              std::any_of(def.noises.begin(), def.noises.end(), aside));
}

}  // namespace

const Samples& RecipeRenderer::render(const frame::SoundDef& def, frame::SoundId id, u32 sample_rate_hz) {
  const FloatControlScope scope(FloatControlScope::Denormals::FlushToZero);
  const double rate_hz = static_cast<double>(sample_rate_hz);
  const std::size_t frames = static_cast<std::size_t>(static_cast<double>(def.length_s) * rate_hz + 0.5);
  sum_.left.assign(frames, 0.0f);
  sum_.right.assign(is_stereo(def) ? frames : 0, 0.0f);
  part_.resize(frames);
  const auto add = [&](FrameRange heard, float amplitude, float pan) {
    const std::span<const float> samples(part_.data() + heard.first, heard.end - heard.first);
    const float peak = peak_of(samples);
    if (!(peak > 0.0f)) return;
    const Sides sides = sum_.right.empty() ? Sides{} : sides_of(pan, def.width);
    add_scaled(samples, sides.left * (amplitude / peak), sum_.left.data() + heard.first);
    if (!sum_.right.empty()) add_scaled(samples, sides.right * (amplitude / peak), sum_.right.data() + heard.first);
  };
  for (const ToneDef& tone : def.tones) add(render_tone(tone, def.degree, rate_hz, part_), tone.amplitude, tone.pan);
  u64 key = 0x5350454c4cull + static_cast<u64>(id) * 16;
  for (const NoiseDef& noise : def.noises) {
    add(render_noise(noise, Rng(mix64(++key)), rate_hz, part_), noise.amplitude, noise.pan);
  }
  float peak = 0.0f;
  for (std::vector<float>* side : {&sum_.left, &sum_.right}) {
    if (side->empty()) continue;
    remove_dc(*side, rate_hz);
    fade_ends(*side, rate_hz);
    const float side_peak = peak_of(*side);
    peak = side_peak > peak ? side_peak : peak;
  }
  const float scale = peak > 0.0f ? def.peak / peak : 0.0f;
  for (std::vector<float>* side : {&sum_.left, &sum_.right}) {
    for (float& sample : *side) sample *= scale;
  }
  return sum_;
}

std::shared_ptr<const Sound> RecipeRenderer::make_sound(const frame::SoundDef& def, frame::SoundId id,
                                                        u32 sample_rate_hz) {
  return std::make_shared<const Sound>(render(def, id, sample_rate_hz), sample_rate_hz, def.degree, def.fixed_pitch,
                                       def.traits);
}

}  // namespace spellpool::audio
