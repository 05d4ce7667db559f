#pragma once
// Is a machine quiet enough for a verdict? Judged from what the run shows anyway. The window, the cards, the report and
// `spellpool compare` all ask judge_noise() and show noise_warning().
#include <array>
#include <string>

#include "measure/record/machine_counters.hpp"

namespace spellpool::measure {

/// What may have disturbed a measurement. NaN where it is not known, which is never held against it.
struct NoiseReadings {
  double others = kNotKnown;   ///< Share of the time of all processors that other programs used, 0 … 1.
  double stolen = kNotKnown;   ///< Share of it that a hypervisor took away.
  double waited = kNotKnown;   ///< Share of the measured time in which the measured thread waited for a processor.
  double load = kNotKnown;     ///< Load average of the last minute, per processor.
  double control = kNotKnown;  ///< A/A: by which part identical work differed, 0 … .
  double tail = kNotKnown;     ///< p99 / median of the frame time, of the arm in which it is smaller.
};
/// others … load of a stretch of time.
NoiseReadings readings_of(const MachineUse& use);

/// One limit. All are far above what a quiet machine shows and far below a spinning process on each processor;
/// docs/recording.md has the measured values.
struct NoiseLimit {
  const char* name;  ///< In run.json.
  double NoiseReadings::*reading;
  double most;       ///< More is too noisy.
  bool percent;      ///< Shown in percent, or else as a plain number.
  const char *before, *after;  ///< Words around the value.
};
inline constexpr std::array<NoiseLimit, 6> kNoiseLimits = {{
    // A game with a software renderer keeps one to two processors busy. On two, a fifth is what a display server needs.
    {"others", &NoiseReadings::others, 0.20, true, "other programs took ", " of the processor time"},
    {"stolen", &NoiseReadings::stolen, 0.10, true, "the host took away ", " of the processor time"},
    // The renderer's own threads make the game's thread wait, too: hence not less.
    {"waited", &NoiseReadings::waited, 0.25, true, "the measured thread waited for a processor ", " of the time"},
    // Looks back a minute, so it stands in only where `others` is not known.
    {"load_per_cpu", &NoiseReadings::load, 2.0, false, "the load average was ", " for each processor"},
    // Of the whole frame: 5 to 13 % on an idle machine with two processors, 17 to 50 % under load.
    {"control", &NoiseReadings::control, 0.20, true, "identical work differed by up to ", ""},
    // The work itself varies from step to step, by a factor of three and more.
    {"p99_over_median", &NoiseReadings::tail, 10.0, false, "one frame in a hundred took ", " times the median"},
}};

struct Noise {
  NoiseReadings readings;
  std::string evidence;  ///< "other programs took 48 % of the processor time": the first limit exceeded; "" if none.
  bool too_noisy() const { return !evidence.empty(); }
};
Noise judge_noise(const NoiseReadings& readings);
/// "Too noisy to decide: other programs took 48 % of the processor time." "" if it is not.
std::string noise_warning(const Noise& noise);
/// What to do about it.
inline constexpr const char* kNoiseAdvice = "Close other programs or wait, then measure again.";

}  // namespace spellpool::measure
