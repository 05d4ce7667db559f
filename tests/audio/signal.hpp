#pragma once
// Measures of a signal, for the tests of this room only.
#include <bit>
#include <cmath>
#include <complex>
#include <span>
#include <vector>

#include "core/rng.hpp"
#include "core/types.hpp"

namespace spellpool::audio::signal {

inline constexpr double kTauExact = 6.283185307179586;

inline double peak(std::span<const float> samples) {
  double most = 0.0;
  for (const float x : samples) most = std::fabs(x) > most ? static_cast<double>(std::fabs(x)) : most;
  return most;
}
inline double mean(std::span<const float> samples) {
  double sum = 0.0;
  for (const float x : samples) sum += static_cast<double>(x);
  return samples.empty() ? 0.0 : sum / static_cast<double>(samples.size());
}
inline double rms(std::span<const float> samples) {
  double sum = 0.0;
  for (const float x : samples) sum += static_cast<double>(x) * static_cast<double>(x);
  return samples.empty() ? 0.0 : std::sqrt(sum / static_cast<double>(samples.size()));
}
inline double db(double ratio) { return 20.0 * std::log10(ratio > 1e-12 ? ratio : 1e-12); }
inline bool all_finite(std::span<const float> samples) {
  for (const float x : samples) {
    if (!std::isfinite(x)) return false;
  }
  return true;
}
inline u64 hash(std::span<const float> samples) {
  u64 h = samples.size();
  for (const float x : samples) h = mix64(h ^ std::bit_cast<u32>(x)) + 0x9e3779b97f4a7c15ull;
  return h;
}
/// One channel of interleaved stereo.
inline std::vector<float> channel(std::span<const float> stereo, std::size_t which) {
  std::vector<float> out;
  for (std::size_t i = which; i < stereo.size(); i += 2) out.push_back(stereo[i]);
  return out;
}

/// Power of each bin 0 … n/2 under a four-term Blackman–Harris window (side lobes −92 dB). size() is a power of two.
inline std::vector<double> power_spectrum(std::span<const float> samples) {
  const std::size_t n = samples.size();
  std::vector<std::complex<double>> x(n);
  for (std::size_t i = 0; i < n; ++i) {
    const double t = kTauExact * static_cast<double>(i) / static_cast<double>(n);
    const double window = 0.35875 - 0.48829 * std::cos(t) + 0.14128 * std::cos(2 * t) - 0.01168 * std::cos(3 * t);
    x[i] = static_cast<double>(samples[i]) * window;
  }
  for (std::size_t i = 1, j = 0; i < n; ++i) {
    std::size_t bit = n >> 1;
    for (; (j & bit) != 0; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) std::swap(x[i], x[j]);
  }
  for (std::size_t size = 2; size <= n; size *= 2) {
    const std::complex<double> root = std::polar(1.0, -kTauExact / static_cast<double>(size));
    for (std::size_t start = 0; start < n; start += size) {
      std::complex<double> w = 1.0;
      for (std::size_t k = 0; k < size / 2; ++k, w *= root) {
        const std::complex<double> a = x[start + k], b = x[start + k + size / 2] * w;
        x[start + k] = a + b;
        x[start + k + size / 2] = a - b;
      }
    }
  }
  std::vector<double> power(n / 2 + 1);
  for (std::size_t i = 0; i < power.size(); ++i) power[i] = std::norm(x[i]);
  return power;
}

/// Energy above a frequency over all energy, in dB.
inline double energy_above_db(std::span<const float> samples, double hz, double rate_hz) {
  const std::vector<double> power = power_spectrum(samples);
  double above = 0.0, all = 0.0;
  for (std::size_t i = 0; i < power.size(); ++i) {
    all += power[i];
    if (static_cast<double>(i) * rate_hz / static_cast<double>(samples.size()) > hz) above += power[i];
  }
  return 10.0 * std::log10(above > 0.0 ? above / all : 1e-30);
}

/// Centre of gravity of the power spectrum.
inline double centroid_hz(std::span<const float> samples, double rate_hz) {
  std::vector<float> padded(samples.begin(), samples.end());
  padded.resize(std::bit_ceil(padded.size()), 0.0f);
  const std::vector<double> power = power_spectrum(padded);
  double weighted = 0.0, all = 0.0;
  for (std::size_t i = 0; i < power.size(); ++i) {
    weighted += power[i] * static_cast<double>(i) * rate_hz / static_cast<double>(padded.size());
    all += power[i];
  }
  return all > 0.0 ? weighted / all : 0.0;
}

inline double lufs_of(double power) { return -0.691 + 10 * std::log10(power > 0 ? power : 1e-20); }

/// K-weighted power of each 100 ms (ITU-R BS.1770-4), both channels together.
inline std::vector<double> k_weighted_hops(std::span<const float> stereo, double rate_hz) {
  struct Biquad {
    double b0, b1, b2, a1, a2, z1 = 0.0, z2 = 0.0;
    double operator()(double x) {
      const double y = b0 * x + z1;
      z1 = b1 * x - a1 * y + z2;
      z2 = b2 * x - a2 * y;
      return y;
    }
  };
  const auto index = [&] {
    const double k = std::tan(kTauExact / 2 * 1681.974450955533 / rate_hz), q = 0.7071752369554196;
    const double vh = std::pow(10.0, 3.999843853973347 / 20), vb = std::pow(vh, 0.4996667741545416);
    const double a0 = 1 + k / q + k * k;
    return Biquad{(vh + vb * k / q + k * k) / a0, 2 * (k * k - vh) / a0, (vh - vb * k / q + k * k) / a0,
                  2 * (k * k - 1) / a0, (1 - k / q + k * k) / a0};
  };
  const auto high_pass = [&] {
    const double k = std::tan(kTauExact / 2 * 38.13547087602444 / rate_hz), q = 0.5003270373238773;
    const double a0 = 1 + k / q + k * k;
    return Biquad{1.0, -2.0, 1.0, 2 * (k * k - 1) / a0, (1 - k / q + k * k) / a0};
  };
  const std::size_t hop = static_cast<std::size_t>(rate_hz / 10);
  std::vector<double> hops(stereo.size() / 2 / hop, 0.0);
  for (std::size_t c = 0; c < 2; ++c) {
    Biquad first = index(), second = high_pass();
    for (std::size_t i = 0; i < hops.size() * hop; ++i) {
      const double y = second(first(static_cast<double>(stereo[2 * i + c])));
      hops[i / hop] += y * y / static_cast<double>(hop);
    }
  }
  return hops;
}

/// Loudest 400 ms.
inline double loudest_lufs(std::span<const float> stereo, double rate_hz) {
  const std::vector<double> hops = k_weighted_hops(stereo, rate_hz);
  double most = 0.0;
  for (std::size_t i = 0; i + 4 <= hops.size(); ++i) {
    const double power = (hops[i] + hops[i + 1] + hops[i + 2] + hops[i + 3]) / 4;
    most = power > most ? power : most;
  }
  return lufs_of(most);
}

/// Integrated loudness: 400 ms blocks with 75 % overlap, gates at −70 LUFS and −10 LU.
inline double lufs(std::span<const float> stereo, double rate_hz) {
  const std::vector<double> hops = k_weighted_hops(stereo, rate_hz);
  const auto gated_mean = [&](double gate) {
    double sum = 0.0;
    std::size_t count = 0;
    for (std::size_t i = 0; i + 4 <= hops.size(); ++i) {
      const double power = (hops[i] + hops[i + 1] + hops[i + 2] + hops[i + 3]) / 4;
      if (lufs_of(power) <= gate) continue;
      sum += power;
      ++count;
    }
    return count > 0 ? sum / static_cast<double>(count) : 0.0;
  };
  return lufs_of(gated_mean(lufs_of(gated_mean(-70.0)) - 10.0));
}

}  // namespace spellpool::audio::signal
