#include "audio/resample.hpp"

#include <array>
#include <cmath>

#include "core/det_math.hpp"

namespace spellpool::audio {
namespace {

constexpr i32 kCrossings = 40;        ///< Of the sinc, on each side.
constexpr i32 kPhases = 512;          ///< Between two crossings; a line between two leaves an error of −106 dB.
constexpr double kCutoff = 0.46;      ///< Of the lower rate: half-way down from flat to silent.
constexpr double kKaiser = 9.0;       ///< Side lobes near −90 dB.

/// The modified Bessel function of order 0, by its series.
double bessel(double x) {
  double sum = 1.0, term = 1.0;
  for (int n = 1; n < 60; ++n) {
    term *= (0.5 * x / n) * (0.5 * x / n);
    sum += term;
  }
  return sum;
}

/// Half of the kernel: [i] at i / kPhases crossings from its middle.
using Kernel = std::array<double, static_cast<std::size_t>(kCrossings * kPhases + 2)>;

const Kernel& kernel() {
  static const Kernel kTable = [] {
    Kernel table{};
    const double whole = bessel(kKaiser);
    for (i32 i = 0; i < kCrossings * kPhases; ++i) {
      const double x = static_cast<double>(i) / kPhases;
      // sin(π x): reduced to half a turn first, where sin_turns is exact to 3e-7.
      const double beyond = x - 2.0 * static_cast<double>(static_cast<i64>(0.5 * x));
      const double sinc =
          i == 0 ? 1.0 : static_cast<double>(sin_turns(static_cast<float>(0.5 * beyond))) / (3.14159265358979 * x);
      const double t = x / kCrossings;
      table[static_cast<std::size_t>(i)] = sinc * bessel(kKaiser * std::sqrt(1.0 - t * t)) / whole;
    }
    return table;  // The last two stay 0.
  }();
  return kTable;
}

}  // namespace

std::vector<float> resample(std::span<const float> samples, u32 from_hz, u32 to_hz) {
  if (from_hz == to_hz || samples.empty()) return {samples.begin(), samples.end()};
  const Kernel& table = kernel();
  const std::size_t frames = static_cast<std::size_t>((u64{samples.size()} * to_hz + from_hz - 1) / from_hz);
  // Crossings of the kernel per old sample: 2 · cutoff, lower when the rate falls.
  const double lower = from_hz < to_hz ? 1.0 : static_cast<double>(to_hz) / from_hz;
  const double crossings_a_sample = 2.0 * kCutoff * lower;
  const double reach = kCrossings / crossings_a_sample;
  std::vector<float> out(frames);
  for (std::size_t n = 0; n < frames; ++n) {
    const u64 scaled = u64{n} * from_hz;  // The place among the old samples, exactly: whole and rest / to_hz.
    const double whole = static_cast<double>(scaled / to_hz), rest = static_cast<double>(scaled % to_hz) / to_hz;
    const i64 first = static_cast<i64>(std::ceil(rest - reach)), last = static_cast<i64>(std::floor(rest + reach));
    double sum = 0.0, weights = 0.0;
    for (i64 k = first; k <= last; ++k) {
      const double away = std::abs(static_cast<double>(k) - rest) * crossings_a_sample * kPhases;
      const std::size_t row = static_cast<std::size_t>(away);
      if (row + 1 >= table.size()) continue;
      const double weight = table[row] + (table[row + 1] - table[row]) * (away - static_cast<double>(row));
      weights += weight;
      const i64 at = static_cast<i64>(whole) + k;
      if (at >= 0 && at < static_cast<i64>(samples.size()))
        sum += weight * static_cast<double>(samples[static_cast<std::size_t>(at)]);
    }
    out[n] = static_cast<float>(sum / weights);
  }
  return out;
}

}  // namespace spellpool::audio
