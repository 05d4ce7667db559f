#include "audio/recipes.hpp"

#include <cmath>

#include "audio/scale.hpp"
#include "core/det_math.hpp"
#include "core/rng.hpp"

namespace spellpool::audio {
namespace {

using frame::SoundId;

// One part a line or two; kept by hand.
// clang-format off
constexpr std::array<Recipe, frame::kSoundCount> kTable = {
    // A3
    Recipe{.id = SoundId::FireCast, .length_s = 0.55f, .degree = 5, .peak = 0.50f,
           .tones = {Tone{.amplitude = 0.34f, .attack_s = 0.03f, .hold_s = 0.03f, .decay_s = 0.42f,
                          .wave = Wave::Triangle, .glide_semitones = -7.0f, .glide_s = 0.14f},
                     Tone{.amplitude = 0.14f, .semitones = 7.0f, .attack_s = 0.05f, .decay_s = 0.36f,
                          .glide_semitones = -7.0f, .glide_s = 0.14f}},
           .noises = {Noise{.amplitude = 0.50f, .attack_s = 0.045f, .hold_s = 0.02f, .decay_s = 0.42f,
                            .from_hz = 240.0f, .to_hz = 950.0f, .resonance = 1.1f},
                      Noise{.amplitude = 0.32f, .attack_s = 0.002f, .hold_s = 0.22f, .decay_s = 0.25f,
                            .from_hz = 1300.0f, .to_hz = 2000.0f, .resonance = 2.0f, .crackles_per_s = 85.0f},
                      Noise{.amplitude = 0.12f, .attack_s = 0.001f, .decay_s = 0.03f, .from_hz = 900.0f,
                            .to_hz = 500.0f}}},
    // A2, with its octave below
    Recipe{.id = SoundId::FireHit, .length_s = 0.85f, .degree = 0, .peak = 0.72f,
           .tones = {Tone{.amplitude = 0.55f, .semitones = -12.0f, .attack_s = 0.002f, .hold_s = 0.03f,
                          .decay_s = 0.75f, .glide_semitones = 19.0f, .glide_s = 0.07f},
                     Tone{.amplitude = 0.58f, .attack_s = 0.003f, .decay_s = 0.70f, .wave = Wave::Triangle,
                          .glide_semitones = 7.0f, .glide_s = 0.05f},
                     Tone{.amplitude = 0.22f, .semitones = 7.0f, .attack_s = 0.004f, .decay_s = 0.55f},
                     Tone{.amplitude = 0.14f, .semitones = 12.0f, .attack_s = 0.004f, .decay_s = 0.45f}},
           .noises = {Noise{.amplitude = 0.50f, .attack_s = 0.0015f, .decay_s = 0.45f, .from_hz = 900.0f,
                            .to_hz = 190.0f, .resonance = 0.7f},
                      Noise{.amplitude = 0.20f, .start_s = 0.03f, .attack_s = 0.01f, .hold_s = 0.12f, .decay_s = 0.45f,
                            .from_hz = 1400.0f, .to_hz = 800.0f, .resonance = 2.0f, .crackles_per_s = 60.0f}}},
    // A5
    Recipe{.id = SoundId::FrostCast, .length_s = 0.75f, .degree = 15, .peak = 0.34f,
           .tones = {Tone{.amplitude = 0.40f, .attack_s = 0.10f, .hold_s = 0.05f, .decay_s = 0.62f, .tremolo_hz = 9.0f,
                          .tremolo_depth = 0.25f},
                     Tone{.amplitude = 0.26f, .semitones = 7.0f, .attack_s = 0.14f, .decay_s = 0.60f,
                          .tremolo_hz = 11.0f, .tremolo_depth = 0.35f},
                     Tone{.amplitude = 0.22f, .semitones = -12.0f, .attack_s = 0.06f, .hold_s = 0.06f,
                          .decay_s = 0.60f},
                     Tone{.amplitude = 0.12f, .semitones = 12.0f, .attack_s = 0.17f, .decay_s = 0.50f,
                          .tremolo_hz = 13.0f, .tremolo_depth = 0.5f},
                     Tone{.amplitude = 0.08f, .attack_s = 0.001f, .decay_s = 0.08f}},
           .noises = {Noise{.amplitude = 0.16f, .attack_s = 0.12f, .decay_s = 0.45f, .from_hz = 2200.0f,
                            .to_hz = 5200.0f, .resonance = 1.2f},
                      Noise{.amplitude = 0.05f, .attack_s = 0.001f, .decay_s = 0.05f, .from_hz = 3000.0f,
                            .to_hz = 3000.0f}}},
    // A6
    Recipe{.id = SoundId::FrostHit, .length_s = 0.32f, .degree = 20, .peak = 0.34f,
           .tones = {Tone{.amplitude = 0.55f, .attack_s = 0.0007f, .decay_s = 0.28f, .wave = Wave::Fm, .fm_ratio = 2.0f,
                          .fm_index = 0.7f},
                     Tone{.amplitude = 0.26f, .semitones = 7.0f, .start_s = 0.012f, .attack_s = 0.0007f,
                          .decay_s = 0.20f},
                     Tone{.amplitude = 0.22f, .semitones = -12.0f, .attack_s = 0.001f, .decay_s = 0.22f}},
           .noises = {Noise{.amplitude = 0.22f, .attack_s = 0.0004f, .decay_s = 0.025f, .from_hz = 6000.0f,
                            .to_hz = 4200.0f, .resonance = 1.0f}}},
    // A2
    Recipe{.id = SoundId::VortexOpen, .length_s = 1.45f, .degree = 0, .peak = 0.44f,
           .tones = {Tone{.amplitude = 0.60f, .attack_s = 0.12f, .hold_s = 0.45f, .decay_s = 0.95f,
                          .wave = Wave::Triangle, .glide_semitones = -12.0f, .glide_s = 0.8f, .tremolo_hz = 5.5f,
                          .tremolo_depth = 0.22f},
                     Tone{.amplitude = 0.40f, .partial = 1.006f, .attack_s = 0.18f, .hold_s = 0.40f, .decay_s = 0.95f,
                          .wave = Wave::Fm, .glide_semitones = -12.0f, .glide_s = 0.8f, .fm_ratio = 2.0f,
                          .fm_index = 1.1f},
                     Tone{.amplitude = 0.22f, .semitones = 7.0f, .attack_s = 0.40f, .hold_s = 0.25f, .decay_s = 0.85f,
                          .glide_semitones = -12.0f, .glide_s = 0.8f, .tremolo_hz = 7.0f, .tremolo_depth = 0.3f},
                     Tone{.amplitude = 0.10f, .semitones = 24.0f, .attack_s = 0.55f, .hold_s = 0.1f, .decay_s = 0.75f,
                          .glide_semitones = -12.0f, .glide_s = 0.8f, .tremolo_hz = 9.0f, .tremolo_depth = 0.5f}},
           .noises = {Noise{.amplitude = 0.16f, .attack_s = 0.30f, .hold_s = 0.30f, .decay_s = 0.80f, .from_hz = 220.0f,
                            .to_hz = 1300.0f, .resonance = 2.5f},
                      Noise{.amplitude = 0.12f, .attack_s = 0.001f, .decay_s = 0.10f, .from_hz = 300.0f,
                            .to_hz = 200.0f}}},
    // A2, falling in from the octave above
    Recipe{.id = SoundId::VortexClose, .length_s = 1.05f, .degree = 0, .peak = 0.56f,
           .tones = {Tone{.amplitude = 0.58f, .attack_s = 0.02f, .hold_s = 0.25f, .decay_s = 0.72f,
                          .wave = Wave::Triangle, .glide_semitones = 12.0f, .glide_s = 0.5f, .tremolo_hz = 8.0f,
                          .tremolo_depth = 0.3f},
                     Tone{.amplitude = 0.34f, .partial = 0.994f, .attack_s = 0.03f, .hold_s = 0.20f, .decay_s = 0.70f,
                          .wave = Wave::Fm, .glide_semitones = 12.0f, .glide_s = 0.5f, .fm_ratio = 2.0f,
                          .fm_index = 1.3f},
                     Tone{.amplitude = 0.20f, .semitones = 7.0f, .attack_s = 0.03f, .hold_s = 0.10f, .decay_s = 0.55f,
                          .glide_semitones = 12.0f, .glide_s = 0.5f},
                     Tone{.amplitude = 0.24f, .semitones = -12.0f, .start_s = 0.34f, .attack_s = 0.05f,
                          .decay_s = 0.65f},
                     Tone{.amplitude = 0.14f, .semitones = 12.0f, .attack_s = 0.04f, .hold_s = 0.1f, .decay_s = 0.60f,
                          .glide_semitones = 12.0f, .glide_s = 0.5f, .tremolo_hz = 12.0f, .tremolo_depth = 0.5f}},
           .noises = {Noise{.amplitude = 0.26f, .attack_s = 0.04f, .hold_s = 0.15f, .decay_s = 0.60f,
                            .from_hz = 1500.0f, .to_hz = 200.0f, .resonance = 2.2f},
                      Noise{.amplitude = 0.12f, .attack_s = 0.001f, .decay_s = 0.05f, .from_hz = 700.0f,
                            .to_hz = 400.0f}}},
    // E5
    Recipe{.id = SoundId::CrystalChime, .length_s = 1.3f, .degree = 13, .peak = 0.36f,
           .tones = {Tone{.amplitude = 0.60f, .attack_s = 0.001f, .decay_s = 1.25f, .wave = Wave::Fm, .fm_ratio = 2.0f,
                          .fm_index = 0.5f},
                     Tone{.amplitude = 0.22f, .partial = 2.0f, .attack_s = 0.001f, .decay_s = 0.85f, .tremolo_hz = 4.5f,
                          .tremolo_depth = 0.2f},
                     Tone{.amplitude = 0.12f, .partial = 3.0f, .attack_s = 0.001f, .decay_s = 0.50f},
                     Tone{.amplitude = 0.10f, .partial = 5.4f, .attack_s = 0.0005f, .decay_s = 0.07f},
                     Tone{.amplitude = 0.14f, .semitones = -12.0f, .attack_s = 0.01f, .decay_s = 0.9f}},
           .noises = {Noise{.amplitude = 0.07f, .attack_s = 0.0005f, .decay_s = 0.02f, .from_hz = 4000.0f,
                            .to_hz = 3500.0f}}},
    // A4; the handful falls to it from two octaves above
    Recipe{.id = SoundId::CrystalShatter, .length_s = 1.4f, .degree = 10, .peak = 0.40f,
           .tones = {Tone{.amplitude = 0.26f, .semitones = 24.0f, .attack_s = 0.0007f, .decay_s = 0.45f,
                          .wave = Wave::Fm, .fm_ratio = 3.0f, .fm_index = 0.5f},
                     Tone{.amplitude = 0.28f, .semitones = 19.0f, .start_s = 0.055f, .attack_s = 0.0007f,
                          .decay_s = 0.55f, .wave = Wave::Fm, .fm_ratio = 2.0f, .fm_index = 0.5f},
                     Tone{.amplitude = 0.24f, .semitones = 31.0f, .start_s = 0.085f, .attack_s = 0.0007f,
                          .decay_s = 0.30f},
                     Tone{.amplitude = 0.32f, .semitones = 12.0f, .start_s = 0.130f, .attack_s = 0.0007f,
                          .decay_s = 0.75f, .wave = Wave::Fm, .fm_ratio = 2.0f, .fm_index = 0.5f},
                     Tone{.amplitude = 0.22f, .semitones = 24.0f, .start_s = 0.200f, .attack_s = 0.0007f,
                          .decay_s = 0.40f},
                     Tone{.amplitude = 0.34f, .semitones = 7.0f, .start_s = 0.250f, .attack_s = 0.0007f,
                          .decay_s = 0.90f, .wave = Wave::Fm, .fm_ratio = 2.0f, .fm_index = 0.4f},
                     Tone{.amplitude = 0.40f, .start_s = 0.385f, .attack_s = 0.001f, .decay_s = 1.05f, .wave = Wave::Fm,
                          .fm_ratio = 2.0f, .fm_index = 0.4f},
                     Tone{.amplitude = 0.16f, .semitones = -12.0f, .start_s = 0.385f, .attack_s = 0.004f,
                          .decay_s = 0.9f}},
           .noises = {Noise{.amplitude = 0.22f, .attack_s = 0.0006f, .decay_s = 0.11f, .from_hz = 5200.0f,
                            .to_hz = 2600.0f, .resonance = 1.2f},
                      Noise{.amplitude = 0.14f, .start_s = 0.02f, .attack_s = 0.002f, .hold_s = 0.15f, .decay_s = 0.35f,
                            .from_hz = 5000.0f, .to_hz = 3000.0f, .resonance = 4.0f, .crackles_per_s = 90.0f}}},
    // A2
    Recipe{.id = SoundId::DummyHit, .length_s = 0.24f, .degree = 0, .peak = 0.62f,
           .tones = {Tone{.amplitude = 0.60f, .attack_s = 0.001f, .decay_s = 0.20f, .glide_semitones = 7.0f,
                          .glide_s = 0.03f},
                     Tone{.amplitude = 0.16f, .semitones = 12.0f, .attack_s = 0.001f, .decay_s = 0.12f}},
           .noises = {Noise{.amplitude = 0.48f, .attack_s = 0.0008f, .decay_s = 0.12f, .from_hz = 900.0f,
                            .to_hz = 420.0f, .resonance = 0.8f},
                      Noise{.amplitude = 0.20f, .start_s = 0.004f, .attack_s = 0.002f, .hold_s = 0.05f,
                            .decay_s = 0.12f, .from_hz = 2200.0f, .to_hz = 1600.0f, .resonance = 1.5f,
                            .crackles_per_s = 320.0f}}},
    // A5
    Recipe{.id = SoundId::SpellSelect, .length_s = 0.11f, .degree = 15, .peak = 0.20f,
           .tones = {Tone{.amplitude = 0.55f, .attack_s = 0.0008f, .decay_s = 0.10f},
                     Tone{.amplitude = 0.20f, .semitones = 7.0f, .start_s = 0.02f, .attack_s = 0.001f,
                          .decay_s = 0.08f}},
           .noises = {Noise{.amplitude = 0.12f, .attack_s = 0.0004f, .decay_s = 0.012f, .from_hz = 2600.0f,
                            .to_hz = 2600.0f}}},
};
// clang-format on
static_assert(rows_in_order(kTable));

constexpr double kTailFade_s = 0.02;
constexpr double kStartFade_s = 0.00025;
constexpr double kDcBlock_hz = 20.0;

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

void render_tone(const Tone& tone, i32 degree, double rate_hz, std::vector<float>& out) {
  const double note_hz =
      degree_hz(degree) * power_of_two(static_cast<double>(tone.semitones) / 12.0) * static_cast<double>(tone.partial);
  if (note_hz > 0.45 * rate_hz) {  // would alias at this rate
    out.assign(out.size(), 0.0f);
    return;
  }
  Envelope envelope(tone.start_s, tone.attack_s, tone.hold_s, tone.decay_s, rate_hz);
  double phase = 0.0, modulator = 0.0;
  for (std::size_t i = 0; i < out.size(); ++i) {
    const double level = envelope.next(i);
    if (i < envelope.start()) {
      out[i] = 0.0f;
      continue;
    }
    const double t_s = static_cast<double>(i - envelope.start()) / rate_hz;
    double hz = note_hz;
    if (tone.glide_s > 0.0f && t_s < static_cast<double>(tone.glide_s)) {
      const double offset = static_cast<double>(tone.glide_semitones) * eased(t_s / static_cast<double>(tone.glide_s));
      hz *= power_of_two(offset / 12.0);
    }
    float value = 0.0f;
    switch (tone.wave) {
      case Wave::Sine:
        value = sine(phase);
        break;
      case Wave::Triangle:
        value = sine(phase) - sine(fraction(3.0 * phase)) / 9.0f + sine(fraction(5.0 * phase)) / 25.0f;
        break;
      case Wave::Fm:
        value = sine(phase + static_cast<double>(tone.fm_index) / 6.283185307179586 * level *
                                 static_cast<double>(sine(modulator)));
        break;
    }
    double tremolo = 1.0;
    if (tone.tremolo_depth > 0.0f) {
      const double swing =
          0.5 - 0.5 * static_cast<double>(sine(fraction(t_s * static_cast<double>(tone.tremolo_hz) + 0.25)));
      tremolo = 1.0 - static_cast<double>(tone.tremolo_depth) * swing;
    }
    out[i] = static_cast<float>(level * tremolo) * value;
    phase = fraction(phase + hz / rate_hz);
    modulator = fraction(modulator + hz * static_cast<double>(tone.fm_ratio) / rate_hz);
  }
}

void render_noise(const Noise& noise, Rng rng, double rate_hz, std::vector<float>& out) {
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
    if (i < envelope.start()) {
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

void add_scaled(const std::vector<float>& part, float amplitude, std::vector<float>& sum) {
  const float peak = peak_of(part);
  if (!(peak > 0.0f)) return;
  for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += part[i] * (amplitude / peak);
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

constinit const std::array<Recipe, frame::kSoundCount> kRecipes = kTable;

std::vector<float> render_recipe(const Recipe& recipe, u32 sample_rate_hz) {
  const FloatControlScope scope(FloatControlScope::Denormals::FlushToZero);
  const double rate_hz = static_cast<double>(sample_rate_hz);
  const std::size_t frames = static_cast<std::size_t>(static_cast<double>(recipe.length_s) * rate_hz + 0.5);
  std::vector<float> sum(frames, 0.0f);
  std::vector<float> part(frames, 0.0f);
  for (const Tone& tone : recipe.tones) {
    if (!(tone.amplitude > 0.0f)) break;
    render_tone(tone, recipe.degree, rate_hz, part);
    add_scaled(part, tone.amplitude, sum);
  }
  u64 key = 0x5350454c4cull + static_cast<u64>(recipe.id) * 16;
  for (const Noise& noise : recipe.noises) {
    if (!(noise.amplitude > 0.0f)) break;
    render_noise(noise, Rng(mix64(++key)), rate_hz, part);
    add_scaled(part, noise.amplitude, sum);
  }
  remove_dc(sum, rate_hz);
  fade_ends(sum, rate_hz);
  const float peak = peak_of(sum);
  const float scale = peak > 0.0f ? recipe.peak / peak : 0.0f;
  for (float& sample : sum) sample *= scale;
  return sum;
}

}  // namespace spellpool::audio
