#include "measure/experiment/noise.hpp"

#include <cmath>

#include "measure/record/number_text.hpp"

namespace spellpool::measure {

NoiseReadings readings_of(const MachineUse& use) {
  NoiseReadings readings;
  // The kernel counts in ticks and a process's own time exactly: their difference may fall below 0.
  readings.others = use.cpu_ms > 0 ? use.others_ms / use.cpu_ms : kNotKnown;
  if (readings.others < 0) readings.others = 0;
  readings.stolen = use.cpu_ms > 0 ? use.steal_ms / use.cpu_ms : kNotKnown;
  readings.waited = use.measured_ms > 0 ? use.waited_ms / use.measured_ms : kNotKnown;
  readings.load = use.load;
  return readings;
}

Noise judge_noise(const NoiseReadings& readings) {
  Noise noise{readings, ""};
  for (const NoiseLimit& limit : kNoiseLimits) {
    const double value = readings.*limit.reading;
    const bool stands_in = limit.reading == &NoiseReadings::load;
    if (!(value > limit.most) || (stands_in && std::isfinite(readings.others))) continue;
    const std::string text = limit.percent ? fixed_text(100 * value, 0) + " %" : fixed_text(value, 1);
    noise.evidence = limit.before + text + limit.after;
    break;
  }
  return noise;
}

std::string noise_warning(const Noise& noise) {
  return noise.too_noisy() ? "Too noisy to decide: " + noise.evidence + "." : "";
}

}  // namespace spellpool::measure
