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
  if (comparison.quad_effects.empty()) return "no whole quad of blocks was measured: no ratio";
  const BootstrapInterval& r = comparison.effect;
  const std::string a = arm_name(comparison.plan, 0), b = arm_name(comparison.plan, 1);
  if (comparison.plan.different_work) {
    const auto half = [&](std::size_t arm) {
      const DetailedFigures& f = comparison.arms[arm].figures;
      return arm_name(comparison.plan, arm) + " " + time_text(f.frame.median_us) + " a frame, " + grouped_text(static_cast<double>(f.rejected), 0) +
             " refused, " + grouped_text(static_cast<double>(f.stolen), 0) + " stolen";
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
  if (comparison.plan.method == Method::InPlace) text += "; for a careful comparison run spellpool compare";
  if (!comparison.environment.comparable()) text += "; not comparable: " + comparison.environment.why_not_comparable();
  return text;
}

std::string percent_text(double ln_effect) { return fixed_text(100 * std::abs(std::exp(ln_effect) - 1), 1) + " %"; }
std::string range_text(const BootstrapInterval& r) { return fixed_text(std::exp(r.low), 3) + " to " + fixed_text(std::exp(r.high), 3); }

/// Of a comparison with a control: "B is faster …", or that no difference was found, and what it rests on.
std::string verdict_over_control(const Comparison& comparison) {
  const BootstrapInterval& r = comparison.effect;
  const std::string a = arm_name(comparison.plan, 0), b = arm_name(comparison.plan, 1);
  std::string text = r.quads < kLeastQuadsForVerdict ? "A first look, " + std::to_string(r.quads) + " quads of the 20 that a verdict needs: " : "";
  const bool control_known = std::isfinite(comparison.control.low);
  if (control_known && stands_out(r, noise_floor(comparison.control))) {
    text += b + " is " + (r.point < 0 ? "faster" : "slower") + " than " + a + " here: " + percent_text(r.point) +
            (r.point < 0 ? " less" : " more") + " time a frame";
  } else {
    text += "no difference detected between " + a + " and " + b + " here";
  }
  text += " (time ratio " + fixed_text(std::exp(r.point), 3) + ", 95 % interval " + range_text(r) + ", " + std::to_string(r.quads) + " quads; A/A control " +
          (control_known ? range_text(comparison.control) : std::string("unknown")) + ")";
  return text;
}

/// One sentence for people who see nothing else. "No difference" needs no more than that the interval has room for it.
std::string verdict_of(const Comparison& comparison) {
  const std::string a = arm_title(comparison.plan, 0), b = arm_title(comparison.plan, 1);
  const BootstrapInterval& r = comparison.effect;
  std::string text;
  if (comparison.state == ComparisonState::UnequalWork) {
    return comparison.plan.method == Method::InPlace ? "Refused: the work of the two worlds was not equal." : "Refused: the work was not equal.";
  }
  if (comparison.quad_effects.empty()) {
    text = "No result: not one whole quad of blocks was measured.";
  } else if (!std::isfinite(r.low)) {
    text = "No verdict: " + std::to_string(r.quads) + (r.quads == 1 ? " quad is" : " quads are") + " too few for an interval.";
  } else if (comparison.plan.method == Method::FreshProcesses) {
    text = verdict_over_control(comparison) + ".";
  } else if (r.low <= 0 && r.high >= 0) {
    text = "No difference found: the interval of the ratio has room for 1.";
  } else if (!stands_out(r, noise_floor(comparison.control))) {
    text = "No difference found: " + percent_text(r.point) + " is no more than the order of the blocks alone may have made.";
  } else {
    text = b + " took " + percent_text(r.point) + " " + (r.point < 0 ? "less" : "more") + " time a frame than " + a + " here: an indication.";
  }
  if (!comparison.environment.comparable()) text += " Not comparable: " + comparison.environment.why_not_comparable() + ".";
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
  result.low_1_percent_percentile_fps = low_fps(times, 0.01, LowKind::Percentile);
  result.low_1_percent_integral_fps = low_fps(times, 0.01, LowKind::Integral);
  result.low_01_percent_average_fps = low_fps(times, 0.001, LowKind::Average);
  result.low_01_percent_percentile_fps = low_fps(times, 0.001, LowKind::Percentile);
  result.low_01_percent_integral_fps = low_fps(times, 0.001, LowKind::Integral);
  return result;
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
  comparison.quad_effects.clear();
  comparison.control_effects.clear();
  std::vector<double> order_effects;
  const u32 quads = comparison.plan.quads * (comparison.plan.control ? 2 : 1);
  std::vector<std::array<std::vector<double>, 4>> y(quads);  // ln of each block's median, by quad and arm.
  std::vector<double> order(quads, 0.0);                     // Second at a segment against first.
  for (const BlockResult& block : comparison.blocks) {
    if (block.partial || block.place.quad < 0 || block.place.quad >= static_cast<i32>(quads)) continue;
    const auto quad = static_cast<std::size_t>(block.place.quad);
    const double ln = std::log(block.figures.frame.median_us);
    y[quad][arm_index(block.arm)].push_back(ln);
    order[quad] += (block.place.pos % 2 == 1 ? 0.5 : -0.5) * ln;
  }
  for (std::size_t quad = 0; quad < quads; ++quad) {
    if (y[quad][0].size() == 2 && y[quad][1].size() == 2) {
      comparison.quad_effects.push_back(quad_effect(y[quad][0], y[quad][1]));
      order_effects.push_back(order[quad]);
    } else if (y[quad][2].size() == 2 && y[quad][3].size() == 2) {
      comparison.control_effects.push_back(quad_effect(y[quad][2], y[quad][3]));
    }
  }
  comparison.effect = bootstrap_median(comparison.quad_effects);
  comparison.control = bootstrap_median(comparison.plan.method == Method::InPlace ? order_effects : comparison.control_effects);
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
