#include "measure/comparison.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "measure/number_text.hpp"

namespace spellpool::measure {
namespace {

std::size_t arm_index(char arm) { return arm == 'A' ? 0 : 1; }

std::string_view strategy_name(const Comparison& comparison, std::size_t arm) {
  return pool::row(comparison.plan.strategies[arm]).name;
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
  const std::string a(strategy_name(comparison, 0)), b(strategy_name(comparison, 1));
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

/// One sentence for people who see nothing else. "No difference" needs no more than that the interval has room for it.
std::string verdict_of(const Comparison& comparison) {
  const std::string a(pool::row(comparison.plan.strategies[0]).title), b(pool::row(comparison.plan.strategies[1]).title);
  const BootstrapInterval& r = comparison.effect;
  std::string text;
  if (comparison.state == ComparisonState::UnequalWork) return "Refused: the work of the two worlds was not equal.";
  if (comparison.quad_effects.empty()) {
    text = "No result: not one whole quad of blocks was measured.";
  } else if (!std::isfinite(r.low)) {
    text = "No verdict: " + std::to_string(r.quads) + (r.quads == 1 ? " quad is" : " quads are") + " too few for an interval.";
  } else if (r.low <= 0 && r.high >= 0) {
    text = "No difference found: the interval of the ratio has room for 1.";
  } else if (!stands_out(r, noise_floor(comparison.control))) {
    text = "No difference found: " + fixed_text(100 * std::abs(std::exp(r.point) - 1), 1) +
           " % is no more than the order of the blocks alone may have made.";
  } else {
    text = b + " took " + fixed_text(100 * std::abs(std::exp(r.point) - 1), 1) + " % " + (r.point < 0 ? "less" : "more") +
           " time a frame than " + a + " here: an indication.";
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
  u64 bytes = 0, faults = 0;
  bool faults_known = true;
  for (const frame::FrameRecord& record : records) {
    times.push_back(static_cast<double>(record.frame_us));
    bytes += record.new_bytes;
    faults += record.minflt + record.majflt;
    faults_known = faults_known && record.has_usage;
    result.rejected += record.rejected;
  }
  const auto n = static_cast<double>(records.size());
  result.bytes_per_frame = static_cast<double>(bytes) / n;
  if (faults_known) result.faults_per_frame = static_cast<double>(faults) / n;
  result.stutter_percent = stutter_percent(times);
  result.over_16_67_ms = over_limit(times, 1e6 / 60.0);
  result.over_33_3_ms = over_limit(times, 1e6 / 30.0);
  result.over_2_medians = over_limit(times, 2.0 * result.frame.median_us);
  std::sort(times.begin(), times.end());
  result.low_1_percent_percentile_fps = low_fps(times, 0.01, LowKind::Percentile);
  result.low_1_percent_integral_fps = low_fps(times, 0.01, LowKind::Integral);
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

std::vector<ScheduledBlock> schedule_blocks(u32 quads) {
  std::vector<ScheduledBlock> blocks;
  for (u32 quad = 0; quad < quads; ++quad) {
    const std::string_view order = quad % 2 == 0 ? "ABBA" : "BAAB";
    for (u32 pos = 0; pos < 4; ++pos) {
      const BlockPlace place{static_cast<i32>(quad * 4 + pos), static_cast<i32>(quad), static_cast<i32>(pos)};
      blocks.push_back({place, order[pos]});
    }
  }
  return blocks;
}

void summarise(Comparison& comparison) {
  summarise_arm(comparison, 0);
  summarise_arm(comparison, 1);
  comparison.quad_effects.clear();
  std::vector<double> order_effects;
  for (u32 quad = 0; quad < comparison.plan.quads; ++quad) {
    std::array<std::vector<double>, 2> y;  // ln of each block's median, by arm.
    double order = 0;                      // Second at a segment against first.
    for (const BlockResult& block : comparison.blocks) {
      if (block.partial || block.place.quad != static_cast<i32>(quad)) continue;
      y[arm_index(block.arm)].push_back(std::log(block.figures.frame.median_us));
      order += (block.place.pos % 2 == 1 ? 0.5 : -0.5) * y[arm_index(block.arm)].back();
    }
    if (y[0].size() != 2 || y[1].size() != 2) continue;
    comparison.quad_effects.push_back(quad_effect(y[0], y[1]));
    order_effects.push_back(order);
  }
  comparison.effect = bootstrap_median(comparison.quad_effects);
  comparison.indication = indication_of(comparison);
  if (comparison.plan.method != Method::InPlace) return;
  comparison.control = bootstrap_median(order_effects);
  comparison.verdict = verdict_of(comparison);
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
  const std::string_view hex = line.substr(space + 1);
  u64 hash = 0;
  const auto parsed = std::from_chars(hex.data(), hex.data() + hex.size(), hash, 16);
  if (hex.size() != 16 || parsed.ec != std::errc{} || parsed.ptr != hex.data() + hex.size()) return std::nullopt;
  return hash;
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
