#include "audio/resample.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/rng.hpp"
#include "signal.hpp"

namespace spellpool::audio {
namespace {

std::vector<float> sine_at(double hz, u32 rate_hz, double seconds) {
  std::vector<float> samples(static_cast<std::size_t>(seconds * rate_hz));
  for (std::size_t i = 0; i < samples.size(); ++i) {
    samples[i] = static_cast<float>(0.5 * std::sin(signal::kTauExact * hz * static_cast<double>(i) / rate_hz));
  }
  return samples;
}

std::span<const float> inner(const std::vector<float>& samples) { return std::span(samples).subspan(samples.size() / 4, samples.size() / 2); }

struct Fit {
  double power = 0.0;   ///< Of the sine of this frequency that fits best.
  double beside = 0.0;  ///< Of what it leaves.
};

Fit fit_sine(std::span<const float> samples, double hz, double rate_hz) {
  double cc = 0.0, cs = 0.0, ss = 0.0, xc = 0.0, xs = 0.0, xx = 0.0;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const double turn = signal::kTauExact * hz * static_cast<double>(i) / rate_hz;
    const double c = std::cos(turn), s = std::sin(turn), x = static_cast<double>(samples[i]);
    cc += c * c, cs += c * s, ss += s * s, xc += x * c, xs += x * s, xx += x * x;
  }
  const double det = cc * ss - cs * cs;
  const double a = (xc * ss - xs * cs) / det, b = (xs * cc - xc * cs) / det;
  return {0.5 * (a * a + b * b), std::max(0.0, xx - a * xc - b * xs) / static_cast<double>(samples.size())};
}

constexpr std::pair<u32, u32> kRates[] = {{44'100, 48'000}, {48'000, 44'100}, {22'050, 48'000}, {96'000, 48'000}, {44'101, 48'000}, {8'000, 44'100}, {192'000, 44'100}};

TEST(Resample, PassesWhatBothRatesHold) {
  for (const auto& [from_hz, to_hz] : kRates) {
    const double lower_hz = std::min(from_hz, to_hz);
    for (const double share : {0.01, 0.1, 0.25, 0.35, 0.42}) {
      const double hz = share * lower_hz;
      const std::vector<float> out = resample(sine_at(hz, from_hz, 0.5), from_hz, to_hz);
      const Fit fit = fit_sine(inner(out), hz, to_hz);
      EXPECT_NEAR(10.0 * std::log10(fit.power / 0.125), 0.0, 0.1) << from_hz << " to " << to_hz << " at " << hz;
      EXPECT_LT(10.0 * std::log10(fit.beside / fit.power + 1e-16), -80.0) << from_hz << " to " << to_hz << " at " << hz;
    }
  }
}

TEST(Resample, NothingFoldsBack) {
  for (const auto& [from_hz, to_hz] : kRates) {
    if (to_hz >= from_hz) continue;
    for (double hz = 0.53 * to_hz; hz < 0.49 * from_hz; hz += 0.037 * to_hz) {
      const std::vector<float> out = resample(sine_at(hz, from_hz, 0.3), from_hz, to_hz);
      EXPECT_LT(signal::db(signal::rms(inner(out)) / (0.5 * std::sqrt(0.5))), -80.0) << from_hz << " to " << to_hz << ": " << hz << " Hz came through";
    }
  }
}

TEST(Resample, NoImagesAreLeftAbove) {
  for (const auto& [from_hz, to_hz] : kRates) {
    if (to_hz <= from_hz) continue;
    const std::vector<float> out = resample(sine_at(0.4 * from_hz, from_hz, 2.0), from_hz, to_hz);
    const double above_db = signal::energy_above_db(std::span(out).subspan(2'000, 8'192), 0.5 * from_hz, to_hz);
    EXPECT_LT(above_db, -78.0) << from_hz << " to " << to_hz;
  }
}

TEST(Resample, KeepsLevelLengthAndPlace) {
  for (const auto& [from_hz, to_hz] : kRates) {
    const std::vector<float> ones(from_hz, 0.25f);
    const std::vector<float> out = resample(ones, from_hz, to_hz);
    EXPECT_EQ(out.size(), to_hz) << "a second stays a second";
    for (const float sample : inner(out)) ASSERT_NEAR(sample, 0.25f, 1e-5f);

    std::vector<float> click(from_hz, 0.0f);
    click[from_hz / 2] = 1.0f;
    const std::vector<float> moved = resample(click, from_hz, to_hz);
    std::size_t most = 0;
    for (std::size_t i = 0; i < moved.size(); ++i) {
      if (std::fabs(moved[i]) > std::fabs(moved[most])) most = i;
    }
    EXPECT_NEAR(static_cast<double>(most) / to_hz, 0.5, 1.0 / std::min(from_hz, to_hz));
  }
}

TEST(Resample, EqualRatesCopyAndNothingStaysNothing) {
  const std::vector<float> samples = sine_at(440.0, 48'000, 0.01);
  EXPECT_EQ(resample(samples, 48'000, 48'000), samples);
  EXPECT_TRUE(resample({}, 44'100, 48'000).empty());
  EXPECT_EQ(resample(std::vector<float>{1.0f}, 44'100, 48'000).size(), 2u);
}

TEST(Resample, SameBitsWithEveryCompiler) {
  Rng rng(5);
  std::vector<float> noise(4'410);
  for (float& sample : noise) sample = rng.signed_unit();
  const u64 hash = signal::hash(resample(noise, 44'100, 48'000));
  EXPECT_EQ(hash, 0xb13a9b1f310765c7ull) << std::hex << "now 0x" << hash;
}

}  // namespace
}  // namespace spellpool::audio
