#include "measure/experiment/comparison.hpp"

#include <algorithm>
#include <cmath>

#include "measure/record/number_text.hpp"

namespace spellpool::measure {
namespace {

/// 0 A, 1 B, 2 and 3 the control's.
std::size_t arm_index(char arm) { return static_cast<std::size_t>(arm - 'A') & 3; }

/// "38.2 µs", "1.25 ms".
std::string time_text(double us) {
  return us < 1000 ? fixed_text(us, us < 100 ? 1 : 0) + " µs" : fixed_text(us / 1000, us < 10'000 ? 2 : 1) + " ms";
}

void summarise_arm(Comparison& comparison, std::size_t which) {
  ArmResult& arm = comparison.arms[which];
  arm = {};
  arm.strategy = comparison.plan.strategies[which];
  std::vector<frame::FrameRecord> all;
  u64 spikes = 0;
  double stuttered = 0, total = 0;
  std::vector<const BlockResult*> blocks;
  for (const BlockResult& block : comparison.blocks) {
    if (block.partial || arm_index(block.arm) != which) continue;
    blocks.push_back(&block);
    all.insert(all.end(), block.frames.begin(), block.frames.end());
    const double block_us = 1e6 * static_cast<double>(block.figures.frame.frames) / block.figures.frame.average_fps;
    spikes += block.figures.frame.spikes;
    stuttered += block.figures.stutter_percent * block_us;
    total += block_us;
  }
  arm.blocks = static_cast<u32>(blocks.size());
  arm.figures = detailed_figures_of(all);
  arm.figures.frame.spikes = spikes;
  arm.figures.stutter_percent = total > 0 ? stuttered / total : kUnknown;
  if (blocks.empty()) return;
  if (comparison.plan.method == Method::InPlace) {
    for (const frame::FrameRecord& record : all) arm.step_median_us.push_back(static_cast<double>(record.frame_us));
    arm.step_max_us = arm.step_median_us;
    return;
  }
  std::vector<double> at_step(blocks.size());
  for (std::size_t step = 0; step < blocks[0]->frames.size(); ++step) {
    for (std::size_t b = 0; b < blocks.size(); ++b) at_step[b] = static_cast<double>(blocks[b]->frames[step].frame_us);
    arm.step_max_us.push_back(*std::max_element(at_step.begin(), at_step.end()));
    arm.step_median_us.push_back(median_in_place(at_step));
  }
}

std::string indication_of(const Comparison& comparison) {
  if (comparison.state == ComparisonState::UnequalWork) return "no comparison: the work was not equal";
  if (comparison.whole.quad_effects.empty()) return "no whole quad of blocks was measured: no ratio";
  const BootstrapInterval& r = comparison.whole.effect;
  const std::string a = arm_name(comparison.plan, 0), b = arm_name(comparison.plan, 1);
  if (comparison.plan.different_work) {
    const auto half = [&](std::size_t arm) {
      const DetailedFigures& f = comparison.arms[arm].figures;
      return arm_name(comparison.plan, arm) + " " + time_text(f.frame.median_us) + " a frame, " +
             grouped_text(static_cast<double>(f.rejected), 0) + " refused, " +
             grouped_text(static_cast<double>(f.stolen), 0) + " stolen";
    };
    return "different work, so no verdict on speed: " + half(0) + "; " + half(1);
  }
  std::string text = "frame time of " + b + " / " + a + " = " + fixed_text(std::exp(r.point), 3);
  if (std::isfinite(r.low)) {
    text += " (95 % interval " + fixed_text(std::exp(r.low), 3) + " to " + fixed_text(std::exp(r.high), 3) + ", " +
            std::to_string(r.quads) + " quads)";
  } else {
    text += r.quads == 1 ? " (1 quad" : " (" + std::to_string(r.quads) + " quads";
    text += ", too few for an interval)";
  }
  text += ": an indication, not a verdict";
  if (comparison.noise.too_noisy()) text += "; too noisy: " + comparison.noise.evidence;
  if (comparison.plan.method == Method::InPlace) text += "; for a careful comparison run spellpool compare";
  if (!comparison.environment.comparable()) text += "; not comparable: " + comparison.environment.why_not_comparable();
  return text;
}

std::string percent_text(double ln_effect) { return fixed_text(100 * std::abs(std::exp(ln_effect) - 1), 1) + " %"; }
std::string range_text(const BootstrapInterval& r) {
  return fixed_text(std::exp(r.low), 3) + " to " + fixed_text(std::exp(r.high), 3);
}

/// Of a comparison with a control: "B is faster …", or that no difference was found, and what it rests on.
std::string verdict_over_control(const Comparison& comparison) {
  const BootstrapInterval &r = comparison.whole.effect, &control = comparison.whole.control;
  const std::string a = arm_name(comparison.plan, 0), b = arm_name(comparison.plan, 1);
  const std::string basis = "time ratio " + fixed_text(std::exp(r.point), 3) + ", 95 % interval " + range_text(r) +
                            ", " + std::to_string(r.quads) + " quads; A/A control " +
                            (std::isfinite(control.low) ? range_text(control) : std::string("unknown"));
  const Outcome outcome = outcome_of(comparison, TimedPart::WholeFrame);
  if (outcome == Outcome::TooNoisy) {
    return noise_warning(comparison.noise) + " " + kNoiseAdvice + " Measured: " + basis + ".";
  }
  std::string text = r.quads < kLeastQuadsForVerdict
                         ? "A first look, " + std::to_string(r.quads) + " quads of the 20 that a verdict needs: "
                         : "";
  if (outcome == Outcome::Faster || outcome == Outcome::Slower) {
    text += b + " is " + (outcome == Outcome::Faster ? "faster" : "slower") + " than " + a +
            " here: " + percent_text(r.point) + (outcome == Outcome::Faster ? " less" : " more") + " time a frame";
  } else {
    text += "no difference detected between " + a + " and " + b + " here";
  }
  text += " (" + basis + ").";
  if (shown_parts(comparison).size() > 1)
    text += " Simulation alone: " + part_sentence(comparison, TimedPart::Simulation) + ".";
  return text;
}

/// One sentence for people who see nothing else.
std::string verdict_of(const Comparison& comparison) {
  const BootstrapInterval& r = comparison.whole.effect;
  std::string text;
  if (comparison.state == ComparisonState::UnequalWork) {
    return comparison.plan.method == Method::InPlace ? "Refused: the work of the two worlds was not equal."
                                                     : "Refused: the work was not equal.";
  }
  if (comparison.whole.quad_effects.empty()) {
    text = "No result: not one whole quad of blocks was measured.";
  } else if (comparison.plan.method == Method::InPlace && comparison.noise.too_noisy()) {
    text = plain_headline(comparison);
  } else if (!std::isfinite(r.low)) {
    text = "No verdict: " + std::to_string(r.quads) + (r.quads == 1 ? " quad is" : " quads are") +
           " too few for an interval.";
  } else {
    text = comparison.plan.method == Method::FreshProcesses ? verdict_over_control(comparison)
                                                            : plain_headline(comparison);
  }
  if (comparison.environment.coarse_clock() && !comparison.whole.quad_effects.empty()) {
    text += " The clock has steps of " + fixed_text(comparison.environment.clock_step_us, 0) +
            " µs, so whole blocks were timed.";
  }
  if (!comparison.environment.comparable())
    text += " Not comparable: " + comparison.environment.why_not_comparable() + ".";
  return text;
}

/// Quad effects, control and intervals of one of the timed parts.
TimeEffect effect_of(const Comparison& comparison, TimedPart part) {
  TimeEffect found;
  std::vector<double> order_effects;
  const u32 quads = comparison.plan.quads * (comparison.plan.control ? 2 : 1);
  // ln of each block's median, or mean where the clock is coarse, by quad and arm.
  std::vector<std::array<std::vector<double>, 4>> y(quads);
  std::vector<double> order(quads, 0.0);  // Second at a segment against first.
  for (const BlockResult& block : comparison.blocks) {
    if (block.partial || block.place.quad < 0 || block.place.quad >= static_cast<i32>(quads)) continue;
    const auto quad = static_cast<std::size_t>(block.place.quad);
    const double us =
        comparison.environment.coarse_clock() ? mean_us(block.figures, part) : median_us(block.figures, part);
    if (!(us > 0)) continue;
    const double ln = std::log(us);
    y[quad][arm_index(block.arm)].push_back(ln);
    order[quad] += (block.place.pos % 2 == 1 ? 0.5 : -0.5) * ln;
  }
  for (std::size_t quad = 0; quad < quads; ++quad) {
    if (y[quad][0].size() == 2 && y[quad][1].size() == 2) {
      found.quad_effects.push_back(quad_effect(y[quad][0], y[quad][1]));
      order_effects.push_back(order[quad]);
    } else if (y[quad][2].size() == 2 && y[quad][3].size() == 2) {
      found.control_effects.push_back(quad_effect(y[quad][2], y[quad][3]));
    }
  }
  found.effect = bootstrap_median(found.quad_effects);
  found.control = bootstrap_median(comparison.plan.method == Method::InPlace ? order_effects : found.control_effects);
  return found;
}

/// Of the whole run. The arm in which the tail is shorter: what an arm does by itself now and then is no noise.
NoiseReadings noise_readings(const Comparison& comparison) {
  NoiseReadings readings = readings_of(comparison.machine);
  // The few frames of a quick A/B leave the simulation's control wide on an idle machine, too; its own verdict heeds
  // it.
  readings.control = std::expm1(noise_floor(comparison.whole.control));
  for (const ArmResult& arm : comparison.arms) {
    const frame::FrameFigures& f = arm.figures.frame;
    if (f.median_us > 0) readings.tail = std::fmin(readings.tail, f.p99_us / f.median_us);
  }
  return readings;
}

/// The part of a frame that is drawing, panels and buffer swap, 0 … 1, of both arms together.
double drawing_share(const Comparison& comparison) {
  double drawing = 0, all = 0;
  for (const ArmResult& arm : comparison.arms) {
    all += arm.figures.frame.median_us;
    for (const frame::Phase phase : {frame::Phase::Render, frame::Phase::Ui, frame::Phase::Swap}) {
      drawing += arm.figures.phases[static_cast<std::size_t>(phase)].median_us;
    }
  }
  return all > 0 ? drawing / all : kUnknown;
}

/// "0.41× the time of new/delete (0.38 to 0.45)"; `of` may be "".
std::string ratio_text(const BootstrapInterval& r, const std::string& of) {
  const int decimals = std::abs(r.point) < 0.1 ? 3 : 2;
  std::string text = fixed_text(std::exp(r.point), decimals) + "×" + of;
  if (std::isfinite(r.low))
    text += " (" + fixed_text(std::exp(r.low), decimals) + " to " + fixed_text(std::exp(r.high), decimals) + ")";
  return text;
}

}  // namespace

DetailedFigures detailed_figures_of(std::span<const frame::FrameRecord> records) {
  DetailedFigures result;
  result.frame = figures_of(records);
  result.phases = phase_figures_of(records);
  if (records.empty()) return result;
  std::vector<double> times;
  times.reserve(records.size());
  u64 bytes = 0, faults = 0, switches = 0;
  bool faults_known = true;
  for (const frame::FrameRecord& record : records) {
    times.push_back(static_cast<double>(record.frame_us));
    bytes += record.new_bytes;
    faults += record.minflt + record.majflt;
    faults_known = faults_known && record.has_usage;
    result.rejected += record.rejected;
    result.stolen += record.stolen;
    switches += record.nvcsw + record.nivcsw;
  }
  const auto n = static_cast<double>(records.size());
  result.bytes_per_frame = static_cast<double>(bytes) / n;
  if (faults_known) {
    result.faults_per_frame = static_cast<double>(faults) / n;
    result.switches_per_frame = static_cast<double>(switches) / n;
  }
  result.stutter_percent = stutter_percent(times);
  result.over_16_67_ms = over_limit(times, 1e6 / 60.0);
  result.over_33_3_ms = over_limit(times, 1e6 / 30.0);
  result.over_2_medians = over_limit(times, 2.0 * result.frame.median_us);
  std::sort(times.begin(), times.end());
  std::vector<double> simulation;
  simulation.reserve(records.size());
  double simulated_us = 0;
  for (const frame::FrameRecord& record : records)
    simulated_us += simulation.emplace_back(frame::simulation_us(record));
  std::sort(simulation.begin(), simulation.end());
  if (simulation.back() > 0) {
    result.simulation = {percentile(simulation, 0.50), percentile(simulation, 0.99)};
    result.simulation_mean_us = simulated_us / n;
  }
  result.low_1_percent_percentile_fps = low_fps(times, 0.01, LowKind::Percentile);
  result.low_1_percent_integral_fps = low_fps(times, 0.01, LowKind::Integral);
  result.low_01_percent_average_fps = low_fps(times, 0.001, LowKind::Average);
  result.low_01_percent_percentile_fps = low_fps(times, 0.001, LowKind::Percentile);
  result.low_01_percent_integral_fps = low_fps(times, 0.001, LowKind::Integral);
  return result;
}

double median_us(const DetailedFigures& figures, TimedPart part) {
  return part == TimedPart::Simulation ? figures.simulation.median_us : figures.frame.median_us;
}

double mean_us(const DetailedFigures& figures, TimedPart part) {
  return part == TimedPart::Simulation ? figures.simulation_mean_us : 1e6 / figures.frame.average_fps;
}

std::string_view outcome_name(Outcome outcome) {
  constexpr std::array<std::string_view, 5> kNames = {"unknown", "too_noisy", "none", "faster", "slower"};
  return kNames[static_cast<std::size_t>(outcome)];
}

Outcome outcome_of(const Comparison& comparison, TimedPart part) {
  const TimeEffect& found = comparison.of(part);
  if (comparison.plan.different_work || found.quad_effects.empty()) return Outcome::Unknown;
  if (comparison.noise.too_noisy()) return Outcome::TooNoisy;
  if (!std::isfinite(found.effect.low) || !std::isfinite(found.control.low)) return Outcome::Unknown;
  if (!stands_out(found.effect, noise_floor(found.control))) return Outcome::None;
  return found.effect.point < 0 ? Outcome::Faster : Outcome::Slower;
}

std::vector<TimedPart> shown_parts(const Comparison& comparison) {
  std::vector<TimedPart> parts;
  if (!comparison.plan.sim_only && !comparison.simulation.quad_effects.empty()) parts.push_back(TimedPart::Simulation);
  parts.push_back(TimedPart::WholeFrame);
  return parts;
}

std::string_view part_title(const Comparison& comparison, TimedPart part) {
  if (part == TimedPart::Simulation) return "Simulation";
  return comparison.plan.sim_only ? "Frame without drawing" : "Whole frame";
}

std::string part_sentence(const Comparison& comparison, TimedPart part) {
  constexpr double kMostlyDrawing = 0.5;
  const BootstrapInterval& r = comparison.of(part).effect;
  const ComparisonPlan& plan = comparison.plan;
  const std::string of_a = " the time of " + arm_title(plan, 0);
  switch (outcome_of(comparison, part)) {
    case Outcome::Faster:
    case Outcome::Slower: {
      const bool pool_against_heap = plan.strategies[0] == pool::StrategyId::Heap &&
                                     plan.strategies[1] != pool::StrategyId::Heap && plan.labels[0].empty() &&
                                     plan.labels[1].empty();
      return (pool_against_heap ? std::string("the pool") : arm_title(plan, 1)) + " takes " + ratio_text(r, of_a);
    }
    case Outcome::None: {
      std::string text = "no difference found: " + ratio_text(r, "");
      const double share = part == TimedPart::WholeFrame ? drawing_share(comparison) : kUnknown;
      if (share > kMostlyDrawing) text += "; drawing takes " + fixed_text(100 * share, 0) + " % of it";
      return text;
    }
    case Outcome::TooNoisy:
      return "not judged: measured " + ratio_text(r, "");
    case Outcome::Unknown:
      break;
  }
  if (r.quads == 0) return "not measured";
  return "measured " + ratio_text(r, of_a) + ", without a verdict";
}

std::string plain_headline(const Comparison& comparison) {
  if (outcome_of(comparison, TimedPart::WholeFrame) == Outcome::TooNoisy) return noise_warning(comparison.noise);
  std::string text;
  bool differs = false;
  for (const TimedPart part : shown_parts(comparison)) {
    differs = differs || outcome_of(comparison, part) != Outcome::None;
    text.append(text.empty() ? "" : " ")
        .append(part_title(comparison, part))
        .append(": ")
        .append(part_sentence(comparison, part)) += '.';
  }
  return differs ? text
                 : "No difference found between " + arm_title(comparison.plan, 0) + " and " +
                       arm_title(comparison.plan, 1) + ".";
}

std::string plan_error(const ComparisonPlan& plan) {
  if (plan.quads < 1) return "--quads 0: at least 1 quad (4 blocks) is needed";
  if (plan.steps < 1) return "--steps 0: at least 1 measured step is needed";
  if (plan.steps > kMaxComparisonFrames / 4 / plan.quads) {
    return "--quads " + std::to_string(plan.quads) + " --steps " + std::to_string(plan.steps) +
           ": 4 × quads × steps may be at most " + std::to_string(kMaxComparisonFrames) + " frames";
  }
  return "";
}

std::string arm_name(const ComparisonPlan& plan, std::size_t arm) {
  return plan.labels[arm].empty() ? std::string(pool::row(plan.strategies[arm]).name) : plan.labels[arm];
}

std::string arm_title(const ComparisonPlan& plan, std::size_t arm) {
  return plan.labels[arm].empty() ? std::string(pool::row(plan.strategies[arm]).title) : plan.labels[arm];
}

std::vector<ScheduledBlock> schedule_blocks(u32 quads, bool control) {
  std::vector<ScheduledBlock> blocks;
  const u32 each = control ? 2 : 1;
  for (u32 quad = 0; quad < quads * each; ++quad) {
    const bool of_control = quad % each == 1, first = quad / each % 2 == 0;
    const std::string_view order = of_control ? (first ? "CDDC" : "DCCD") : (first ? "ABBA" : "BAAB");
    for (u32 pos = 0; pos < 4; ++pos) {
      const BlockPlace place{static_cast<i32>(quad * 4 + pos), static_cast<i32>(quad), static_cast<i32>(pos)};
      blocks.push_back({place, order[pos]});
    }
  }
  return blocks;
}

void summarise_effects(Comparison& comparison) {
  comparison.simulation = effect_of(comparison, TimedPart::Simulation);
  comparison.whole = effect_of(comparison, TimedPart::WholeFrame);
  if (comparison.plan.method == Method::FreshProcesses) {
    comparison.machine = {};
    for (const BlockResult& block : comparison.blocks) {
      if (!block.partial) comparison.machine = comparison.machine + block.report.counters.use;
    }
  }
  comparison.noise = judge_noise(noise_readings(comparison));
  comparison.indication = indication_of(comparison);
  const bool has_verdict = comparison.plan.method == Method::InPlace || comparison.plan.control;
  comparison.verdict = has_verdict && !comparison.plan.different_work ? verdict_of(comparison) : "";
}

void summarise(Comparison& comparison) {
  summarise_arm(comparison, 0);
  summarise_arm(comparison, 1);
  summarise_effects(comparison);
}

namespace {

std::string_view next_line(std::string_view& rest) {
  const std::size_t end = rest.find('\n');
  const std::string_view line = rest.substr(0, end);
  rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  return line;
}

/// The hash of a line "STEP HASH16", or nothing.
std::optional<u64> hash_of(std::string_view line) {
  const std::size_t space = line.find(' ');
  if (space == std::string_view::npos) return std::nullopt;
  return hash_of_text(line.substr(space + 1));
}

}  // namespace

HashCheck compare_hash_files(const std::string& path_a, const std::string& path_b, std::string_view name_a,
                             std::string_view name_b) {
  HashCheck check;
  std::string text_a, text_b;
  check.error = read_whole_file(path_a, text_a);
  if (check.error.empty()) check.error = read_whole_file(path_b, text_b);
  if (!check.error.empty()) return check;
  std::string_view rest_a = text_a, rest_b = text_b;
  while (!rest_a.empty() || !rest_b.empty()) {
    const std::string_view a = next_line(rest_a), b = next_line(rest_b);
    if (a != b) {
      const std::string step(a.empty() ? b.substr(0, b.find(' ')) : a.substr(0, a.find(' ')));
      const auto shown = [](std::string_view line) {
        if (line.empty()) return std::string("nothing");
        const std::size_t space = line.find(' ');
        return std::string(space == std::string_view::npos ? line : line.substr(space + 1)).substr(0, 40);
      };
      check.difference = "step " + step.substr(0, 20) + ": " + std::string(name_a) + " " + shown(a) + ", " +
                         std::string(name_b) + " " + shown(b);
      return check;
    }
    const std::optional<u64> hash = hash_of(a);
    if (!hash) {
      check.error = path_a + ": line " + std::to_string(check.steps + 1) + " is not \"STEP HASH16\"";
      return check;
    }
    check.final_hash = *hash;
    ++check.steps;
  }
  if (check.steps == 0) {
    check.error = path_a + ": holds no hash";
    return check;
  }
  check.equal = true;
  return check;
}

}  // namespace spellpool::measure
