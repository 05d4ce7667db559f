#include "measure/report/report.hpp"

#include <algorithm>
#include <cmath>

#include "core/one_line.hpp"
#include "measure/record/number_text.hpp"
#include "measure/report/export_files.hpp"

namespace spellpool::measure {
namespace {

void add(Report& report, const char* name, const std::string& value) {
  report.system.emplace_back(name, value.empty() ? "NA" : value);
}

/// Where a comparison's spike lies, and what it was busy with.
std::string told_of(const frame::FrameRecord& r, const BlockResult& block) {
  return "block " + std::to_string(block.place.block) + ", step " + std::to_string(r.step) + ": " + busy_text(r);
}

ReportSpike spike_of(std::size_t place, double us, const frame::FrameRecord& record) {
  ReportSpike spike{place, us, {}, {}, {}, kUnknown};
  for (const float phase : record.phase_us) spike.phase_us.push_back(static_cast<double>(phase));
  return spike;
}

void keep_longest(std::vector<ReportSpike>& spikes) {
  // Of equally long ones the first, as in the trace.
  std::stable_sort(spikes.begin(), spikes.end(),
                   [](const ReportSpike& a, const ReportSpike& b) { return a.us > b.us; });
  if (spikes.size() > kMostReportSpikes) spikes.resize(kMostReportSpikes);
  std::sort(spikes.begin(), spikes.end(), [](const ReportSpike& a, const ReportSpike& b) { return a.place < b.place; });
}

ReportArm arm_of(const Comparison& c, std::size_t which) {
  ReportArm arm;
  arm.letter = "AB"[which];
  arm.name = arm_name(c.plan, which);
  arm.title = arm_title(c.plan, which);
  arm.figures = c.arms[which].figures;
  arm.has_phases = arm.has_counters = true;
  std::vector<double> rss, cost, cycles, misses;
  double steal = 0;
  i64 now_ns = 0;  // on the trace's clock
  for (const BlockResult& block : c.blocks) {
    if (block.partial || block.arm != arm.letter) continue;
    std::vector<double> times;
    for (const frame::FrameRecord& record : block.frames) times.push_back(static_cast<double>(record.frame_us));
    std::vector<i64> begins_ns;
    for (const frame::FrameRecord& record : block.frames) {
      begins_ns.push_back(now_ns);
      now_ns += trace_ns(record);
    }
    for (const std::size_t place : spikes_of(times)) {
      ReportSpike spike = spike_of(arm.frame_us.size() + place, times[place], block.frames[place]);
      spike.told = told_of(block.frames[place], block);
      spike.trace_name = trace_name_of(arm.letter, spike.place);
      spike.trace_us = static_cast<double>(begins_ns[place]) / 1000.0;
      arm.spikes.push_back(std::move(spike));
    }
    arm.frame_us.insert(arm.frame_us.end(), times.begin(), times.end());
    const auto note = [](std::vector<double>& list, double value) {
      if (std::isfinite(value)) list.push_back(value);
    };
    const auto n = static_cast<double>(std::max<std::size_t>(block.frames.size(), 1));
    note(rss, block.report.rss_kib);
    note(cost, block.report.recorder_ns_per_frame);
    note(cycles, block.report.counters.cycles / n);
    note(misses, block.report.counters.cache_misses / n);
    steal += block.report.counters.use.steal_ms;
  }
  keep_longest(arm.spikes);
  arm.rss_kib = median_in_place(rss);
  arm.recorder_ns_per_frame = median_in_place(cost);
  arm.cycles_per_frame = median_in_place(cycles);
  arm.cache_misses_per_frame = median_in_place(misses);
  arm.steal_ms = steal;
  arm.source = std::to_string(c.arms[which].blocks) + (c.arms[which].blocks == 1 ? " block of " : " blocks of ") +
               std::to_string(c.plan.steps) + " frames";
  return arm;
}

std::string less_time_text(const std::string& a, const std::string& b, double b_over_a) {
  if (!(b_over_a > 0) || !std::isfinite(b_over_a)) return a + " and " + b;
  const bool b_wins = b_over_a < 1;
  const double share = b_wins ? 1 - b_over_a : 1 - 1 / b_over_a;
  return (b_wins ? b : a) + " took " + fixed_text(100 * share, 1) + " % less time per frame than " + (b_wins ? a : b);
}

/// What a comparison found, for a reader who knows neither arms nor intervals.
std::string headline_of(const Comparison& c) {
  const std::string a = arm_title(c.plan, 0), b = arm_title(c.plan, 1), both = a + " and " + b;
  if (c.state == ComparisonState::UnequalWork) return both + " did not do the same work: not compared";
  if (c.plan.different_work) return both + " do different work: no winner";
  switch (outcome_of(c, TimedPart::WholeFrame)) {
    case Outcome::TooNoisy: return noise_warning(c.noise);
    case Outcome::Unknown: return both + ": measured too little to tell them apart";
    default: break;
  }
  if (a == b) return a + " against itself: what this machine calls a difference";
  if (shown_parts(c).size() > 1) return plain_headline(c);
  if (outcome_of(c, TimedPart::WholeFrame) == Outcome::None) return "No difference found between " + both;
  return less_time_text(a, b, std::exp(c.whole.effect.point));
}

std::string first_upper(std::string text) {
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text;
}

}  // namespace

std::string busy_text(const frame::FrameRecord& r) {
  std::string text;
  for (std::size_t p = 0; p < frame::kPhaseCount; ++p) {
    if (!(r.phase_us[p] > 0)) continue;
    text += (text.empty() ? "" : ", ") + std::string(frame::kPhaseNames[p]) + " " +
            us_text(static_cast<double>(r.phase_us[p]));
  }
  for (const frame::RecordColumn& column : frame::kRecordColumns) {
    if (column.before == nullptr || !column.is_known(r)) continue;
    text += (text.empty() ? "" : column.before) + std::to_string(column.whole(r)) + column.after;
  }
  if (!r.has_usage) text += "; faults and switches NA";
  return text;
}

std::string trace_name_of(char arm, std::size_t place) {
  return std::string("spike ") + arm + "-" + std::to_string(place);
}

Badge badge_of(const Comparison& c) {
  if (c.state == ComparisonState::UnequalWork) return {"refused", c.message};
  std::string unfinished;
  if (c.state != ComparisonState::Done)
    unfinished = c.message.empty() ? "Not all blocks were measured." : first_upper(c.message) + ".";
  const std::string also_unfinished = unfinished.empty() ? "" : " Unfinished: " + unfinished;
  if (!c.environment.comparable()) {
    const std::string why = first_upper(c.environment.why_not_comparable());
    return {"not comparable", why + ": the times say nothing about a pool." + also_unfinished};
  }
  if (c.plan.different_work)
    return {"different work",
            "The arms do different things by design, so there is no verdict on speed; cost and loss stand side by "
            "side." +
                also_unfinished};
  if (!unfinished.empty()) return {"unfinished", unfinished};
  if (c.noise.too_noisy())
    return {"too noisy", "A verdict needs a quiet machine. The figures are shown as they were measured."};
  if (c.plan.method == Method::InPlace)
    return {"indication", "Both worlds shared one process, one heap and the window: a first look."};
  if (c.whole.quad_effects.size() >= kLeastQuadsForVerdict && std::isfinite(c.whole.control.low)) {
    return {"verdict",
            "Equal work proven at every step, a fresh process for each block, an A/A control beside it, the number of "
            "quads fixed in advance."};
  }
  return {"indication", "A verdict needs 20 quads and an A/A control."};
}

ForestRow forest_row_of(const Comparison& c, std::string label, TimedPart part) {
  const TimeEffect& found = c.of(part);
  ForestRow row;
  row.label = std::move(label);
  row.point = std::exp(found.effect.point);
  row.low = std::exp(found.effect.low);
  row.high = std::exp(found.effect.high);
  row.control_low = std::exp(found.control.low);
  row.control_high = std::exp(found.control.high);
  switch (outcome_of(c, part)) {
    case Outcome::Unknown: row.outcome = c.plan.different_work ? "different work" : "no interval"; break;
    case Outcome::TooNoisy: row.outcome = "too noisy"; break;
    case Outcome::None: row.outcome = "no difference detected"; break;
    case Outcome::Faster: row.outcome = arm_name(c.plan, 1) + " faster"; break;
    case Outcome::Slower: row.outcome = arm_name(c.plan, 0) + " faster"; break;
  }
  return row;
}

Report report_of(const Comparison& c) {
  Report report;
  const std::string a = arm_name(c.plan, 0), b = arm_name(c.plan, 1);
  report.title = a + " and " + b + ", scene " + c.plan.scene;
  report.headline = first_upper(headline_of(c));
  report.verdict = first_upper(c.last_line());
  const Badge badge = badge_of(c);
  report.badge = badge.name;
  report.badge_told = badge.told;
  if (c.hashed_steps > 0 && !c.plan.different_work && c.state != ComparisonState::UnequalWork) {
    report.replay_hash = hash_text(c.final_hash);
    report.caveats.push_back("Both arms did the same work: the hashes of " + std::to_string(c.hashed_steps) +
                             " steps are equal, and so is that of each block's last step.");
  }
  report.caveats.push_back("It holds for this scene, this build and this machine.");
  report.caveats.push_back(c.plan.sim_only ? "Simulation only: nothing was drawn."
                                           : "What a graphics card takes by itself is not measured: its time is NA.");
  for (std::size_t arm = 0; arm < 2; ++arm) {
    if (c.arms[arm].figures.rejected > 0) {
      report.caveats.push_back(arm_name(c.plan, arm) + ": " +
                               grouped_text(static_cast<double>(c.arms[arm].figures.rejected), 0) +
                               " objects found the pool full.");
    }
  }
  if (c.state != ComparisonState::UnequalWork) {
    report.arms = {arm_of(c, 0), arm_of(c, 1)};
    std::string label = c.plan.scene;
    if (c.plan.preset != "NA" && c.plan.preset != "default") label += ", " + c.plan.preset;
    for (const auto& [name, value] : c.plan.factors) label += ", " + name + " " + value;
    if (!c.whole.quad_effects.empty()) {
      const std::vector<TimedPart> parts = shown_parts(c);
      for (const TimedPart part : parts) {
        const std::string title(part_title(c, part));
        report.forest.push_back(forest_row_of(c, parts.size() > 1 ? title + ": " + label : label, part));
      }
    }
    if (!report.arms.empty() && !std::isfinite(report.arms[0].cycles_per_frame)) {
      report.caveats.push_back(
          "Cycles and cache misses are NA: this machine gives no hardware counters (perf events).");
    }
  }
  const Environment& e = c.environment;
  add(report, "Program", "spellpool " + e.version + ", " + e.build_type);
  add(report, "Compiler", e.compiler + " " + (e.flags == "NA" ? "" : e.flags));
  add(report, "C library, allocator", e.libc + ", " + e.allocator);
  add(report, "System", e.os + ", " + e.kernel);
  add(report, "Processor",
      e.cpu + ", " + std::to_string(e.cpus) + " CPUs, affinity " + e.affinity + ", governor " + e.governor);
  add(report, "Memory",
      e.memory_kib > 0 ? fixed_text(static_cast<double>(e.memory_kib) / 1048576.0, 1) + " GiB" : "NA");
  if (e.coarse_clock())
    add(report, "Clock",
        "steps of " + fixed_text(e.clock_step_us, 0) + " µs: whole blocks are timed, single frames are not known");
  add(report, "Renderer, vsync", e.renderer + ", " + e.vsync);
  add(report, "Plan",
      std::to_string(c.plan.quads) + " quads (ABBA, BAAB)" + (c.plan.control ? " and as many of A against A" : "") +
          "; " + std::to_string(c.plan.warmup_steps) + " steps of warm-up, " + std::to_string(c.plan.steps) +
          " measured in each block; seed " + std::to_string(c.plan.seed));
  for (const auto& [name, value] : c.plan.factors) report.system.emplace_back(name, value);
  report.command = e.command_line;
  report.date = e.date;
  if (!report.replay_hash.empty()) {
    report.reproduce = "The same command with Spellpool " + e.version + " gives the replay hash " + report.replay_hash +
                       " on any machine; the times are this machine's.";
  }
  return report;
}

Report report_of(const std::vector<ImportedRecording>& recordings) {
  Report report;
  report.badge = "not proven equal";
  report.badge_told =
      "Recordings of other programs: it is not proven that both did the same work, and one run of each is no "
      "experiment.";
  for (const ImportedRecording& recording : recordings) {
    ReportArm arm;
    arm.letter = static_cast<char>('A' + static_cast<int>(report.arms.size() % 26));
    const std::string program = clipped(recording.program, kMostNameCharacters);
    const std::string file = clipped(recording.path.substr(recording.path.find_last_of('/') + 1), kMostNameCharacters);
    arm.name = recordings.size() > 1 && recording.program == recordings[0].program && !report.arms.empty()
                   ? program + " (" + file + ")"
                   : program;
    arm.title = arm.name;
    arm.source = recording.tool + ", " + file;
    arm.frame_us = recording.frame_us;
    std::vector<frame::FrameRecord> records = recording.records;
    arm.has_phases = arm.has_counters = !records.empty();
    if (records.empty()) {
      records.resize(recording.frame_us.size());
      for (std::size_t i = 0; i < records.size(); ++i) records[i].frame_us = static_cast<float>(recording.frame_us[i]);
    }
    arm.figures = detailed_figures_of(records);
    if (!arm.has_counters) arm.figures.frame.allocations_per_frame = arm.figures.bytes_per_frame = kUnknown;
    for (const std::size_t spike : spikes_of(arm.frame_us)) {
      arm.spikes.push_back({spike, arm.frame_us[spike], {}, {}, {}, kUnknown});
      if (!arm.has_phases) continue;
      arm.spikes.back() = spike_of(spike, arm.frame_us[spike], records[spike]);
      arm.spikes.back().told = "step " + std::to_string(records[spike].step) + ": " + busy_text(records[spike]);
    }
    keep_longest(arm.spikes);
    for (const auto& [name, value] : recording.system)
      report.system.emplace_back(std::string(1, arm.letter) + " · " + name, value);
    if (recording.left_out > 0)
      report.caveats.push_back(arm.name + ": " + std::to_string(recording.left_out) +
                               " rows have no time (NA) and are left out.");
    if (recording.dropped > 0)
      report.caveats.push_back(arm.name + ": " + std::to_string(recording.dropped) +
                               " frames were presented and never shown.");
    for (const std::string& note : recording.notes) report.caveats.push_back(arm.name + ": " + note + ".");
    report.arms.push_back(std::move(arm));
  }
  if (report.arms.size() >= 2) {
    const double a = report.arms[0].figures.frame.median_us, b = report.arms[1].figures.frame.median_us;
    report.title = report.arms[0].name + " and " + report.arms[1].name;
    report.headline = less_time_text(report.arms[0].name, report.arms[1].name, b / a) + ", in one recording of each";
    report.verdict = "Median frame time of " + report.arms[1].name + " / " + report.arms[0].name + " = " +
                     fixed_text(b / a, 3) +
                     ": two recordings side by side, no verdict, for their work was not proven equal";
    report.forest.push_back({"median frame time", b / a, kUnknown, kUnknown, kUnknown, kUnknown, "no interval"});
  } else if (!report.arms.empty()) {
    report.title = report.arms[0].name;
    report.headline =
        report.arms[0].name + ": " + us_text(report.arms[0].figures.frame.median_us) + " per frame (median)";
    report.verdict = report.arms[0].name + ": " + us_text(report.arms[0].figures.frame.median_us) +
                     " a frame in the middle, " + us_text(report.arms[0].figures.frame.p99_us) + " at p99, over " +
                     grouped_text(static_cast<double>(report.arms[0].frame_us.size()), 0) + " frames";
    report.badge_told = "A recording by itself, of unknown work.";
  }
  report.caveats.push_back(
      "Times are those that the other tool took between presents: waiting for the screen is in them.");
  return report;
}

}  // namespace spellpool::measure
