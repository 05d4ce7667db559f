#include "measure/report/export_files.hpp"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "measure/record/json_text.hpp"
#include "measure/record/number_text.hpp"
#include "measure/report/escape.hpp"
#include "measure/report/report.hpp"

namespace spellpool::measure {
namespace {

using Json = nlohmann::ordered_json;
using frame::FrameRecord;

/// f(block, record) for each frame of the arm's whole blocks.
template <class F>
void for_each_frame(const Comparison& c, std::size_t arm, F&& f) {
  for (const BlockResult& block : c.blocks) {
    if (block.partial || block.arm != "AB"[arm]) continue;
    for (const FrameRecord& record : block.frames) f(block, record);
  }
}

/// "2026-11-21" and "03:42:21".
std::string day_of(const Environment& e) { return e.date.size() >= 19 ? e.date.substr(0, 10) : "NA"; }
std::string time_of(const Environment& e) { return e.date.size() >= 19 ? e.date.substr(11, 8) : "NA"; }

}  // namespace

std::string mangohud_csv(const Comparison& c, std::size_t arm) {
  const Environment& e = c.environment;
  std::string text = "os,cpu,gpu,ram,kernel,driver,cpuscheduler\n";
  text += csv_field(e.os) + "," + csv_field(e.cpu) + "," + csv_field(e.renderer) + "," + std::to_string(e.memory_kib) +
          "," + csv_field(e.kernel) + ",NA," + csv_field(e.governor) + "\n";
  text +=
      "fps,frametime,cpu_load,cpu_power,gpu_load,cpu_temp,gpu_temp,gpu_core_clock,gpu_mem_clock,gpu_vram_used,gpu_"
      "power,ram_used,"
      "swap_used,process_rss,cpu_mhz,elapsed\n";
  double elapsed_ns = 0;
  for_each_frame(c, arm, [&](const BlockResult& block, const FrameRecord& record) {
    const double ms = std::max(static_cast<double>(record.frame_us), 0.001) * 1e-3;
    elapsed_ns += ms * 1e6;
    const double rss_gib = std::isfinite(block.report.rss_kib) ? block.report.rss_kib / (1024.0 * 1024.0) : 0.0;
    // What MangoHud's readers want as a number and is not known here is 0, as MangoHud itself writes it.
    text += fixed_text(1000.0 / ms, 3) + "," + fixed_text(ms, 6) + ",0,0,0,0,0,0,0,0,0,0,0," + fixed_text(rss_gib, 4) +
            ",0," + fixed_text(elapsed_ns, 0) + "\n";
  });
  return text;
}

std::string capframex_csv(const Comparison& c, std::size_t arm) {
  const Environment& e = c.environment;
  const std::string name = arm_name(c.plan, arm);
  std::string text;
  const auto key = [&](const char* word, const std::string& value) { text += std::string("//") + word + "=" + csv_field(value) + "\n"; };
  key("GameName", "Spellpool");
  key("ProcessName", "spellpool");
  key("CreationDate", day_of(e));
  key("CreationTime", time_of(e));
  key("OS", e.os);
  key("Processor", e.cpu);
  key("System RAM",
      e.memory_kib > 0 ? fixed_text(static_cast<double>(e.memory_kib) / (1024.0 * 1024.0), 0) + " GB" : "NA");
  key("GPU", e.renderer);
  key("Comment", "strategy " + name + " seed " + std::to_string(c.plan.seed) + " scene " + c.plan.scene);
  text +=
      "Application,ProcessID,SwapChainAddress,Runtime,SyncInterval,PresentFlags,AllowsTearing,PresentMode,WasBatched,"
      "DwmNotified,Dropped,"
      "TimeInSeconds,MsBetweenPresents,MsBetweenDisplayChange,MsInPresentAPI,MsUntilRenderComplete,MsUntilDisplayed\n";
  double seconds = 0;
  for_each_frame(c, arm, [&](const BlockResult& block, const FrameRecord& record) {
    const double ms = std::max(static_cast<double>(record.frame_us), 0.001) * 1e-3;
    seconds += ms * 1e-3;
    const auto phase_ms = [&](frame::Phase phase) {
      return static_cast<double>(record.phase_us[static_cast<std::size_t>(phase)]) * 1e-3;
    };
    const double swap = phase_ms(frame::Phase::Swap), render = phase_ms(frame::Phase::Render);
    text += "spellpool," + std::to_string(1000 + block.place.block) + ",0x1,Other,0,0,0,Other,0,0,0," +
            fixed_text(seconds, 9) + "," + fixed_text(ms, 6) + "," + fixed_text(ms, 6) + "," + fixed_text(swap, 6) +
            "," + fixed_text(render, 6) + ",0\n";
  });
  return text;
}

namespace {

struct TraceSpike {
  std::size_t block = 0, place = 0;  ///< Among the comparison's blocks, and among its frames.
  double us = 0;
};

/// Frames of one arm that go into the trace: its longest spikes, those that the report lists, with what lies about
/// them; the start of its first block; and then as many of the other spikes as there is room for.
std::vector<std::vector<bool>> chosen_frames(const Comparison& c, char arm, std::size_t most) {
  constexpr std::size_t kNeighbours = 3;
  std::vector<std::vector<bool>> chosen;
  std::vector<TraceSpike> spikes;
  std::size_t left = most, first = c.blocks.size();
  const auto take = [&](std::size_t b, std::size_t i) {
    if (i >= chosen[b].size() || chosen[b][i] || left == 0) return;
    chosen[b][i] = true;
    --left;
  };
  for (std::size_t b = 0; b < c.blocks.size(); ++b) {
    const BlockResult& block = c.blocks[b];
    chosen.emplace_back(block.frames.size(), false);
    if (block.arm != arm || block.partial) continue;
    first = std::min(first, b);
    std::vector<double> times;
    for (const FrameRecord& record : block.frames) times.push_back(static_cast<double>(record.frame_us));
    for (const std::size_t spike : spikes_of(times)) spikes.push_back({b, spike, times[spike]});
  }
  const auto take_start = [&] {
    for (std::size_t i = 0; first < c.blocks.size() && i < most / 2; ++i) take(first, i);
  };
  std::stable_sort(spikes.begin(), spikes.end(), [](const TraceSpike& x, const TraceSpike& y) { return x.us > y.us; });
  for (std::size_t s = 0; s < spikes.size(); ++s) {
    if (s == kMostReportSpikes) take_start();
    const std::size_t begin = spikes[s].place < kNeighbours ? 0 : spikes[s].place - kNeighbours;
    for (std::size_t i = begin; i <= spikes[s].place + kNeighbours; ++i) take(spikes[s].block, i);
  }
  take_start();
  return chosen;
}

}  // namespace

i64 trace_ns(const FrameRecord& record) { return std::llround(static_cast<double>(record.frame_us) * 1000.0); }

std::string trace_json(const Comparison& c) {
  Json events = Json::array();
  const auto name_event = [&](const char* what, int pid, int tid, const std::string& name) {
    events.push_back({{"name", what}, {"ph", "M"}, {"pid", pid}, {"tid", tid}, {"ts", 0}, {"args", {{"name", name}}}});
  };
  // In the order in which a step and a frame run through them.
  constexpr std::array kOrder = {frame::Phase::Update, frame::Phase::Collide, frame::Phase::Despawn,
                                 frame::Phase::Spawn,  frame::Phase::Render,  frame::Phase::Ui,
                                 frame::Phase::Swap};
  // Microseconds with three decimals, as integers of ns first: what is nested stays nested.
  const auto us = [](i64 ns) { return static_cast<double>(ns) / 1000.0; };
  for (int arm = 0; arm < 2; ++arm) {
    const int pid = arm + 1, tid = 1;
    name_event("process_name", pid, tid,
               std::string(1, "AB"[arm]) + " · " + arm_name(c.plan, static_cast<std::size_t>(arm)));
    name_event("thread_name", pid, tid, "frames");
    const auto chosen = chosen_frames(c, "AB"[arm], kTraceFrames / 2);
    i64 now_ns = 0;
    std::size_t before = 0;  // frames of the arm before this block
    for (std::size_t b = 0; b < c.blocks.size(); ++b) {
      const BlockResult& block = c.blocks[b];
      if (block.arm != "AB"[arm] || block.partial) continue;
      std::vector<double> times;
      for (const FrameRecord& record : block.frames) times.push_back(static_cast<double>(record.frame_us));
      const std::vector<std::size_t> spikes = spikes_of(times);
      for (std::size_t i = 0; i < block.frames.size(); ++i) {
        const FrameRecord& r = block.frames[i];
        const i64 frame_ns = trace_ns(r), start_ns = now_ns;
        now_ns += frame_ns;
        if (!chosen[b][i]) continue;
        const bool spike = std::binary_search(spikes.begin(), spikes.end(), i);
        Json args = {{"block", block.place.block}, {"quad", block.place.quad}};
        for (const frame::RecordColumn& column : frame::kRecordColumns) {
          if (column.traced) args[std::string(column.name)] = column.is_known(r) ? Json(column.whole(r)) : Json("NA");
        }
        events.push_back({{"name", spike ? trace_name_of("AB"[arm], before + i) : std::string("frame")},
                          {"cat", "frame"},
                          {"ph", "X"},
                          {"pid", pid},
                          {"tid", tid},
                          {"ts", us(start_ns)},
                          {"dur", us(frame_ns)},
                          {"args", std::move(args)}});
        i64 at_ns = start_ns;
        for (const frame::Phase phase : kOrder) {
          const auto p = static_cast<std::size_t>(phase);
          const i64 phase_ns = std::min(static_cast<i64>(std::llround(static_cast<double>(r.phase_us[p]) * 1000.0)),
                                        start_ns + frame_ns - at_ns);
          if (phase_ns <= 0) continue;
          events.push_back({{"name", frame::kPhaseNames[p]},
                            {"cat", "phase"},
                            {"ph", "X"},
                            {"pid", pid},
                            {"tid", tid},
                            {"ts", us(at_ns)},
                            {"dur", us(phase_ns)}});
          at_ns += phase_ns;
        }
        if (spike)
          events.push_back({{"name", "spike"},
                            {"cat", "spike"},
                            {"ph", "i"},
                            {"s", "t"},
                            {"pid", pid},
                            {"tid", tid},
                            {"ts", us(start_ns)}});
        events.push_back({{"name", "new calls"},
                          {"ph", "C"},
                          {"pid", pid},
                          {"tid", tid},
                          {"ts", us(start_ns)},
                          {"args", {{"calls", r.new_calls}}}});
        events.push_back({{"name", "live"},
                          {"ph", "C"},
                          {"pid", pid},
                          {"tid", tid},
                          {"ts", us(start_ns)},
                          {"args", {{"objects", r.live}}}});
      }
      before += block.frames.size();
    }
  }
  const Json json = {{"traceEvents", std::move(events)}, {"displayTimeUnit", "ms"},
                     {"otherData", {{"program", "spellpool " + c.environment.version}, {"command", c.environment.command_line}}}};
  return json_text(json, -1) + "\n";
}

std::string gbench_json(const Comparison& c, std::size_t arm) {
  const Environment& e = c.environment;
  char host[256] = "NA";
  if (::gethostname(host, sizeof host - 1) != 0) host[0] = 'N', host[1] = 'A', host[2] = '\0';
  Json list = Json::array();
  std::array<int, 2> index{};
  std::array<int, 2> count{static_cast<int>(c.arms[0].blocks), static_cast<int>(c.arms[1].blocks)};
  for (const BlockResult& block : c.blocks) {
    if (block.partial || block.arm > 'B') continue;
    const std::size_t which = block.arm == 'B' ? 1 : 0;
    if (arm < 2 && which != arm) continue;
    const std::string name = arm < 2 ? c.plan.scene : c.plan.scene + "/" + file_word(arm_name(c.plan, which));
    list.push_back({{"name", name},
                    {"run_name", name},
                    {"run_type", "iteration"},
                    {"repetitions", count[which]},
                    {"repetition_index", index[which]++},
                    {"threads", 1},
                    {"iterations", block.frames.size()},
                    {"real_time", block.figures.frame.median_us},
                    {"cpu_time", block.figures.frame.median_us},
                    {"time_unit", "us"}});
  }
  const Json json = {{"context",
                      {{"date", e.date},
                       {"host_name", host},
                       {"executable", "spellpool"},
                       {"num_cpus", e.cpus},
                       {"mhz_per_cpu", 0},
                       {"cpu_scaling_enabled", e.governor != "NA" && e.governor != "performance"},
                       {"caches", Json::array()},
                       {"load_avg", Json::array()},
                       {"library_build_type", e.build_type == "NA" ? "release" : e.build_type}}},
                     {"benchmarks", std::move(list)}};
  return json_text(json, 1) + "\n";
}

}  // namespace spellpool::measure
