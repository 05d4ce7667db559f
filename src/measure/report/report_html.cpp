#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/one_line.hpp"
#include "measure/record/json_text.hpp"
#include "measure/record/number_text.hpp"
#include "measure/report/escape.hpp"
#include "measure/report/report.hpp"
#include "measure/report/report_page.hpp"

namespace spellpool::measure {
namespace {

using Json = nlohmann::ordered_json;

std::string fine_us_text(double us) {
  if (!std::isfinite(us)) return "NA";
  return us < 1000 ? fixed_text(us, us < 100 ? 2 : 1) + " µs" : fixed_text(us / 1000, us < 10'000 ? 3 : 2) + " ms";
}
std::string na(std::string text) { return text == "n/a" ? "NA" : text; }
std::string fps_text(double fps) { return na(grouped_text(fps, fps < 1000 ? 1 : 0)); }
std::string count_text(double value, int decimals = 0) { return na(grouped_text(value, decimals)); }
std::string range(double low, double high) {
  return std::isfinite(low) ? fixed_text(low, 3) + " to " + fixed_text(high, 3) : "NA";
}

/// Frames as hundredths of a microsecond, little endian, base64: what a page decodes in a blink.
std::string base64_frames(const std::vector<double>& frame_us) {
  static constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  bytes.reserve(frame_us.size() * 4);
  for (const double us : frame_us) {
    const auto value = static_cast<u32>(std::llround(std::clamp(us * 100.0, 0.0, 4294967295.0)));
    for (int shift = 0; shift < 32; shift += 8) bytes += static_cast<char>((value >> shift) & 255);
  }
  std::string text;
  text.reserve(bytes.size() / 3 * 4 + 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    u32 three = 0;
    const std::size_t have = std::min<std::size_t>(3, bytes.size() - i);
    for (std::size_t k = 0; k < 3; ++k) three = three << 8 | (k < have ? static_cast<unsigned char>(bytes[i + k]) : 0u);
    for (std::size_t k = 0; k < 4; ++k) text += k <= have ? kDigits[(three >> (18 - 6 * k)) & 63] : '=';
  }
  return text;
}

std::string chip(const ReportArm& arm) {
  const char* kind = arm.letter == 'A' ? "a" : arm.letter == 'B' ? "b" : "c";
  return std::string("<span class=\"chip ") + kind + "\">" + arm.letter + "</span>";
}

/// The text in lines of at most `most` characters, broken at blanks; a longer word is cut.
std::vector<std::string> lines_of(const std::string& text, std::size_t most) {
  std::vector<std::string> lines;
  std::string word;
  const auto length = [](std::string_view s) {
    return static_cast<std::size_t>(
        std::count_if(s.begin(), s.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
  };
  for (const char c : text + " ") {
    if (c != ' ') {
      word += c;
      continue;
    }
    word = clipped(word, most);
    if (lines.empty() || length(lines.back()) + 1 + length(word) > most) lines.push_back(word);
    else lines.back() += " " + word;
    word.clear();
  }
  return lines;
}

class Page {
 public:
  explicit Page(const Report& report) : r_(report) {}

  std::string make() {
    head();
    forest();
    heat();
    if (!r_.arms.empty()) {
      frames();
      figures();
      phases();
      counters();
    }
    system();
    if (!r_.arms.empty()) definitions();
    tail();
    return std::move(html_);
  }

 private:
  void put(std::string_view text) { html_ += text; }
  void text(std::string_view plain) { html_ += html_text(plain); }

  void head() {
    put("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
        "script-src 'unsafe-inline'; img-src data: blob:\">\n"
        "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n<link rel=\"icon\" "
        "href=\"data:,\">\n<title>");
    text("Spellpool: " + r_.title);
    put("</title>\n<style>");
    put(kReportStyle);
    put("</style></head>\n<body>\n<a class=\"skip\" href=\"#main\">To the results</a>\n<header>\n<h1>");
    text(r_.title);
    put("</h1>\n<p class=\"verdict\">");
    text(r_.verdict);
    put("</p>\n<p><span class=\"badge");
    if (r_.badge == "verdict") put(" verdict-badge");
    put("\">");
    text(r_.badge);
    put("</span><span class=\"told\">");
    text(r_.badge_told);
    put("</span></p>\n<ul class=\"told\">");
    for (const std::string& caveat : r_.caveats) {
      put("<li>");
      text(caveat);
      put("</li>");
    }
    put("</ul>\n<div class=\"bar noprint\"><button id=\"theme\" type=\"button\">Theme: auto</button><button "
        "id=\"print\" type=\"button\">Print</button></div>\n"
        "</header>\n<main id=\"main\">\n");
  }

  void forest() {
    if (r_.forest.empty()) return;
    put("<section aria-labelledby=\"h-ratio\"><h2 id=\"h-ratio\">Time of B over time of A</h2>\n<figure "
        "style=\"margin:0\" class=\"scroll\">");
    put(forest_svg(r_.forest, 1000));
    put("<figcaption>Left of 1, B takes less time. The bar is the 95 % interval; the grey band is what A against A "
        "gave on this machine.</figcaption></figure>\n"
        "<div class=\"scroll\"><table><thead><tr><th scope=\"col\">scene and conditions</th><th "
        "scope=\"col\">ratio</th><th scope=\"col\">95 % interval</th><th scope=\"col\">A/A control</th>"
        "<th scope=\"col\">outcome</th></tr></thead><tbody>");
    for (const ForestRow& row : r_.forest) {
      put("<tr><th scope=\"row\">");
      text(row.label);
      put("</th><td>" + na(fixed_text(row.point, 3)) + "</td><td>" + range(row.low, row.high) + "</td><td>" +
          range(row.control_low, row.control_high) + "</td><td>");
      text(row.outcome);
      put("</td></tr>");
    }
    put("</tbody></table></div></section>\n");
  }

  void heat() {
    if (r_.heat.empty()) return;
    put("<section aria-labelledby=\"h-heat\"><h2 id=\"h-heat\">Where B wins and where it loses</h2><p "
        "class=\"told\">Time of B over time of A. Blue with ▼: B took less. "
        "Orange with ▲: B took more. Grey with =: no difference detected.</p>\n");
    for (const HeatTable& table : r_.heat) {
      put("<h3>");
      text(table.title);
      put("</h3><div class=\"scroll\"><table class=\"heat\"><thead><tr><td></td>");
      for (const std::string& column : table.columns)
        put("<th scope=\"col\" style=\"text-align:center\">" + html_text(column) + "</th>");
      put("</tr></thead><tbody>");
      for (std::size_t row = 0; row < table.rows.size(); ++row) {
        put("<tr><th scope=\"row\">" + html_text(table.rows[row]) + "</th>");
        for (std::size_t column = 0; column < table.columns.size(); ++column) {
          const ForestRow& cell = table.cells[row * table.columns.size() + column];
          if (!std::isfinite(cell.point)) {
            put("<td>NA</td>");
            continue;
          }
          const bool differs = cell.outcome.find("faster") != std::string::npos, less = cell.point < 1;
          // Strength by the logarithm: half and double are equally far from 1.
          const int strength =
              static_cast<int>(std::lround(std::min(1.0, std::abs(std::log2(cell.point)) / 3.0) * 60 + 25));
          std::string ground = "var(--band)";
          if (differs) {  // append(): g++ 12 warns of its own operator+ here
            ground = less ? "color-mix(in srgb, var(--b-fill) " : "color-mix(in srgb, var(--a-fill) ";
            ground.append(std::to_string(strength)).append("%, var(--panel))");
          }
          put("<td style=\"background:" + ground + "\">" + (differs ? (less ? "▼ " : "▲ ") : "= ") +
              fixed_text(cell.point, 2) + "<small>" + range(cell.low, cell.high) + "</small></td>");
        }
        put("</tr>");
      }
      put("</tbody></table></div>\n");
    }
    put("</section>\n");
  }

  void frames() {
    put("<section aria-labelledby=\"h-frames\"><h2 id=\"h-frames\">Frame times</h2>\n<div class=\"bar noprint\" "
        "role=\"toolbar\" aria-label=\"Frame times\">");
    for (std::size_t i = 0; i < r_.arms.size(); ++i) {
      put("<button type=\"button\" aria-pressed=\"true\" data-arm=\"" + std::to_string(i) + "\">" + chip(r_.arms[i]) +
          html_text(r_.arms[i].name) + "</button>");
    }
    put("<button id=\"left\" type=\"button\" aria-label=\"earlier frames\">◀</button><button id=\"right\" "
        "type=\"button\" aria-label=\"later frames\">▶</button>"
        "<button id=\"in\" type=\"button\" aria-label=\"zoom in\">＋</button><button id=\"out\" type=\"button\" "
        "aria-label=\"zoom out\">−</button><button id=\"whole\" type=\"button\">All</button>"
        "<button id=\"previous\" type=\"button\">Previous spike</button><button id=\"next\" type=\"button\">Next "
        "spike</button>"
        "<label>Scale <select id=\"scale\"><option value=\"linear\">linear</option><option value=\"sqrt\">square "
        "root</option><option value=\"usual\">without the longest</option></select></label>"
        "<button id=\"png\" type=\"button\">PNG</button><button id=\"csv\" type=\"button\">CSV</button><button "
        "id=\"json\" type=\"button\">JSON</button></div>\n"
        "<canvas id=\"overlay\" tabindex=\"0\" role=\"img\" aria-label=\"");
    std::string label = "Frame times";
    for (const ReportArm& arm : r_.arms) {
      label += "; " + std::string(1, arm.letter) + ", " + arm.name + ": " +
               count_text(static_cast<double>(arm.frame_us.size())) + " frames, median " +
               fine_us_text(arm.figures.frame.median_us) + ", p99 " + fine_us_text(arm.figures.frame.p99_us) + ", " +
               std::to_string(arm.figures.frame.spikes) + " spikes";
    }
    text(label + ".");
    put("\" aria-describedby=\"keys\">The figures below say the same.</canvas>\n<p class=\"readout\" id=\"range\" "
        "aria-live=\"polite\"></p>\n<p class=\"readout\" id=\"spike\" aria-live=\"polite\"></p>\n<div "
        "id=\"spikephases\"></div>\n"
        "<p class=\"note noprint\" id=\"keys\">A is dashed, its spikes are ▼; B is solid, its spikes are ●. Keys: ← → "
        "move, + − zoom, 0 all, n and p next and previous spike. Drag moves, Ctrl and the wheel zoom, a click on a "
        "spike opens it.</p>\n"
        "<h3>The tail</h3><canvas id=\"tail\" role=\"img\" aria-label=\"Share of frames below a time, with the rare "
        "long frames drawn out; the percentiles stand in the table below.\"></canvas>\n"
        "<p class=\"note\">Across: the share of frames that are shorter. Up: how long.</p>\n");
    for (std::size_t k = 0; k < r_.arms.size(); ++k) {
      const ReportArm& arm = r_.arms[k];
      if (arm.spikes.empty()) continue;
      put("<details><summary>" + chip(arm) + html_text(arm.name) + ": " + std::to_string(arm.figures.frame.spikes) +
          " spikes" +
          (arm.figures.frame.spikes > arm.spikes.size() ? ", the longest " + std::to_string(arm.spikes.size()) : "") +
          "</summary>");
      const bool traced = !arm.spikes[0].trace_name.empty();
      if (traced) {
        put("<p class=\"note\">Open trace.json at ui.perfetto.dev, or with another reader of traces, and search there "
            "for the name: the three frames before and after each are in it, with their phases.</p>");
      }
      put("<div class=\"spikes\" tabindex=\"0\" role=\"region\" aria-label=\"Spikes of " + html_text(arm.name) +
          "\"><table><thead><tr><th scope=\"col\">frame</th><th scope=\"col\">time</th>" +
          std::string(traced ? "<th scope=\"col\">in trace.json</th>" : "") +
          "<th scope=\"col\" style=\"text-align:left\">what it was busy with</th></tr></thead><tbody>");
      for (std::size_t i = 0; i < arm.spikes.size(); ++i) {
        const ReportSpike& spike = arm.spikes[i];
        put("<tr><td><button type=\"button\" data-spike=\"" + std::to_string(k) + ":" + std::to_string(i) + "\">" +
            count_text(static_cast<double>(spike.place)) + "</button></td><td>" + fine_us_text(spike.us) + "</td>" +
            (traced ? "<td class=\"trace\"><code>" + html_text(spike.trace_name) + "</code><small>at " +
                          fixed_text(spike.trace_us / 1e6, 6) + " s</small></td>"
                    : std::string()) +
            "<td style=\"text-align:left\">" + html_text(spike.told.empty() ? "NA" : spike.told) + "</td></tr>");
      }
      put("</tbody></table></div></details>\n");
    }
    put("</section>\n");
  }

  /// A row of one figure of all arms.
  template <class F>
  void row(std::string_view name, F&& value) {
    put("<tr><th scope=\"row\">");
    text(name);
    put("</th>");
    for (const ReportArm& arm : r_.arms) put("<td>" + html_text(value(arm)) + "</td>");
    put("</tr>");
  }
  void columns(std::string_view first) {
    put("<div class=\"scroll\"><table><thead><tr><th scope=\"col\">" + html_text(first) + "</th>");
    for (const ReportArm& arm : r_.arms) put("<th scope=\"col\">" + chip(arm) + html_text(arm.name) + "</th>");
    put("</tr></thead><tbody>");
  }

  void figures() {
    put("<section aria-labelledby=\"h-figures\"><h2 id=\"h-figures\">Figures</h2>\n");
    columns("");
    row("from", [](const ReportArm& a) { return a.source; });
    row("frames", [](const ReportArm& a) { return count_text(static_cast<double>(a.frame_us.size())); });
    row("median", [](const ReportArm& a) { return fine_us_text(a.figures.frame.median_us); });
    row("median of the simulation", [](const ReportArm& a) { return fine_us_text(a.figures.simulation.median_us); });
    row("p95", [](const ReportArm& a) { return fine_us_text(a.figures.frame.p95_us); });
    row("p99", [](const ReportArm& a) { return fine_us_text(a.figures.frame.p99_us); });
    row("p99.9, from 10,000 frames on", [](const ReportArm& a) { return fine_us_text(a.figures.frame.p999_us); });
    row("average FPS, n / Σt", [](const ReportArm& a) { return fps_text(a.figures.frame.average_fps); });
    row("1 % low, percentile: 1 / t at p99",
        [](const ReportArm& a) { return fps_text(a.figures.low_1_percent_percentile_fps); });
    row("1 % low, average: 1 / mean of t ≥ p99 (CapFrameX)",
        [](const ReportArm& a) { return fps_text(a.figures.frame.low_1_percent_fps); });
    row("1 % low, integral: the longest until 1 % of Σt (MSI Afterburner)",
        [](const ReportArm& a) { return fps_text(a.figures.low_1_percent_integral_fps); });
    row("0.1 % low, percentile", [](const ReportArm& a) { return fps_text(a.figures.low_01_percent_percentile_fps); });
    row("0.1 % low, average", [](const ReportArm& a) { return fps_text(a.figures.low_01_percent_average_fps); });
    row("0.1 % low, integral", [](const ReportArm& a) { return fps_text(a.figures.low_01_percent_integral_fps); });
    row("stutter: share of time in t > 2.5 × mean of the 60 before",
        [](const ReportArm& a) { return na(fixed_text(a.figures.stutter_percent, 2)) + " %"; });
    row("spikes: t > max(2 × rolling median, median + 6 MAD)",
        [](const ReportArm& a) { return std::to_string(a.figures.frame.spikes); });
    const auto over = [](const OverLimit& o) {
      return std::to_string(o.frames) + " (" + fine_us_text(o.time_us) + ")";
    };
    row("longer than 16.67 ms", [&](const ReportArm& a) { return over(a.figures.over_16_67_ms); });
    row("longer than 33.3 ms", [&](const ReportArm& a) { return over(a.figures.over_33_3_ms); });
    row("longer than 2 × median", [&](const ReportArm& a) { return over(a.figures.over_2_medians); });
    put("</tbody></table></div></section>\n");
  }

  void phases() {
    double longest = 0;
    for (const ReportArm& arm : r_.arms) {
      double total = 0;
      if (!arm.has_phases) return;
      for (const PhaseFigures& phase : arm.figures.phases)
        total += std::isfinite(phase.median_us) ? phase.median_us : 0;
      longest = std::max(longest, total);
    }
    if (!(longest > 0)) return;
    put("<section aria-labelledby=\"h-phases\"><h2 id=\"h-phases\">Where the time goes</h2><p class=\"told\">Median of "
        "each phase. Times add up; frames per second do not.</p>\n");
    for (const ReportArm& arm : r_.arms) {
      put("<div>" + chip(arm) + html_text(arm.name) + "</div><div class=\"phases\" aria-hidden=\"true\">");
      for (std::size_t p = 0; p < frame::kPhaseCount; ++p) {
        const double us = arm.figures.phases[p].median_us;
        if (!(us > 0)) continue;
        put("<span style=\"width:" + fixed_text(100 * us / longest, 2) + "%;background:var(--p" + std::to_string(p) +
            ")\" title=\"" + std::string(frame::kPhaseNames[p]) + " " + fine_us_text(us) + "\">" +
            (us / longest > 0.07 ? std::string(frame::kPhaseNames[p]) : "") + "</span>");
      }
      put("</div>");
    }
    columns("phase: median, p99");
    for (std::size_t p = 0; p < frame::kPhaseCount; ++p) {
      row(frame::kPhaseNames[p], [p](const ReportArm& a) {
        return fine_us_text(a.figures.phases[p].median_us) + ", " + fine_us_text(a.figures.phases[p].p99_us);
      });
    }
    put("</tbody></table></div></section>\n");
  }

  void counters() {
    bool any = false;
    for (const ReportArm& arm : r_.arms) any = any || arm.has_counters;
    if (!any) return;
    put("<section aria-labelledby=\"h-counters\"><h2 id=\"h-counters\">Memory and machine</h2>\n");
    columns("a frame, on average");
    const auto counted = [](const ReportArm& a, double value, int decimals) {
      return a.has_counters ? count_text(value, decimals) : std::string("NA");
    };
    row("operator new calls", [&](const ReportArm& a) { return counted(a, a.figures.frame.allocations_per_frame, 2); });
    row("bytes asked for", [&](const ReportArm& a) { return counted(a, a.figures.bytes_per_frame, 0); });
    row("page faults",
        [&](const ReportArm& a) { return counted(a, a.figures.faults_per_frame.value_or(kUnknown), 3); });
    row("context switches",
        [&](const ReportArm& a) { return counted(a, a.figures.switches_per_frame.value_or(kUnknown), 4); });
    row("cycles", [&](const ReportArm& a) { return counted(a, a.cycles_per_frame, 0); });
    row("cache misses", [&](const ReportArm& a) { return counted(a, a.cache_misses_per_frame, 1); });
    row("refused, in all", [&](const ReportArm& a) { return counted(a, static_cast<double>(a.figures.rejected), 0); });
    row("stolen, in all", [&](const ReportArm& a) { return counted(a, static_cast<double>(a.figures.stolen), 0); });
    row("resident memory, KiB", [&](const ReportArm& a) { return counted(a, a.rss_kib, 0); });
    row("time stolen by the host, in all, ms", [&](const ReportArm& a) { return counted(a, a.steal_ms, 0); });
    row("cost of recording a frame, ns", [&](const ReportArm& a) { return counted(a, a.recorder_ns_per_frame, 0); });
    put("</tbody></table></div></section>\n");
  }

  void system() {
    put("<section aria-labelledby=\"h-system\"><h2 id=\"h-system\">System and command</h2>\n<div "
        "class=\"scroll\"><table><tbody>");
    for (const auto& [name, value] : r_.system)
      put("<tr><th scope=\"row\">" + html_text(name) + "</th><td style=\"text-align:left\">" + html_text(value) +
          "</td></tr>");
    const auto line = [&](const char* name, const std::string& value) {
      if (!value.empty())
        put(std::string("<tr><th scope=\"row\">") + name + "</th><td style=\"text-align:left\"><code>" +
            html_text(value) + "</code></td></tr>");
    };
    line("Command", r_.command);
    line("Replay hash", r_.replay_hash);
    line("Date", r_.date);
    put("</tbody></table></div>");
    if (!r_.reproduce.empty()) put("<p class=\"note\">" + html_text(r_.reproduce) + "</p>");
    put("</section>\n");
  }

  void definitions() {
    put("<section aria-labelledby=\"h-words\"><h2 id=\"h-words\">Definitions</h2><ul class=\"told\">"
        "<li>Percentiles by nearest rank: the value at place ⌈p·n⌉ of the sorted ones.</li>"
        "<li>Quad: four blocks ABBA or BAAB, each a process of its own. y = ln(median frame time of a block); its "
        "effect is mean(y of B) − mean(y of A).</li>"
        "<li>Ratio: e to the median of the effects. Interval: 95 % percentile bootstrap over quads, 10,000 resamples, "
        "fixed seed.</li>"
        "<li>Control: quads of A against A between the others. “Faster” only if the interval leaves 1 and the effect "
        "is larger than the control's reach; else no difference was detected.</li>"
        "<li>MAD: median of |t − median|. NA: not known; it never stands for 0.</li></ul></section>\n");
  }

  void tail() {
    put("</main>\n<footer><p class=\"note\">Made by Spellpool. This page needs no network and loads "
        "nothing.</p></footer>\n");
    if (!r_.arms.empty()) {
      Json arms = Json::array();
      for (std::size_t k = 0; k < r_.arms.size(); ++k) {
        const ReportArm& arm = r_.arms[k];
        Json spikes = Json::array();
        for (const ReportSpike& spike : arm.spikes) {
          Json told = {{"i", spike.place}, {"us", spike.us}, {"told", spike.told}, {"phases", spike.phase_us}};
          if (!spike.trace_name.empty()) told.update({{"trace", spike.trace_name}, {"trace_us", spike.trace_us}});
          spikes.push_back(std::move(told));
        }
        Json usual = Json::array();
        for (const PhaseFigures& phase : arm.figures.phases)
          usual.push_back(arm.has_phases && std::isfinite(phase.median_us) ? Json(phase.median_us) : Json(nullptr));
        arms.push_back({{"letter", std::string(1, arm.letter)},
                        {"name", arm.name},
                        {"source", arm.source},
                        {"usual", std::move(usual)},
                        {"spikes", std::move(spikes)}});
        put("<script type=\"application/octet-stream\" id=\"data" + std::to_string(k) + "\">");
        put(base64_frames(arm.frame_us));
        put("</script>\n");
      }
      std::string meta = json_text(Json{{"title", r_.title},
                                        {"verdict", r_.verdict},
                                        {"badge", r_.badge},
                                        {"command", r_.command},
                                        {"replay_hash", r_.replay_hash},
                                        {"phases", frame::kPhaseNames},
                                        {"arms", std::move(arms)}},
                                   -1);
      // No text may end the element or begin one.
      for (std::size_t at = 0; (at = meta.find('<', at)) != std::string::npos;) meta.replace(at, 1, "\\u003c");
      put("<script type=\"application/json\" id=\"meta\">" + meta + "</script>\n<script>");
      put(kReportScript);
      put("</script>\n");
    } else {
      put("<script>document.getElementById('print').addEventListener('click',()=>print());const "
          "b=document.getElementById('theme'),t=['auto','light','dark'];"
          "b.addEventListener('click',()=>{const "
          "r=document.documentElement,n=t[(t.indexOf(r.dataset.theme||'auto')+1)%3];if(n==='auto')delete "
          "r.dataset.theme;else r.dataset.theme=n;b.textContent='Theme: '+n});"
          "document.documentElement.dataset.ready='1';document.documentElement.dataset.openMs=Math.round(performance."
          "now())</script>\n");
    }
    put("</body></html>\n");
  }

  const Report& r_;
  std::string html_;
};

}  // namespace

std::string report_html(const Report& report) { return Page(report).make(); }

std::string forest_svg(const std::vector<ForestRow>& rows, double width) {
  double reach = 0.01;
  for (const ForestRow& row : rows) {
    for (const double value : {row.point, row.low, row.high, row.control_low, row.control_high}) {
      if (std::isfinite(value) && value > 0) reach = std::max(reach, std::abs(std::log(value)));
    }
  }
  reach *= 1.1;
  const double label = 330, right = 16, plot = width - label - right, row_h = 34, top = 26;
  const double height = top + row_h * static_cast<double>(rows.size()) + 26;
  const auto x = [&](double ratio) { return label + plot * (0.5 + 0.5 * std::log(ratio) / reach); };
  const auto n = [](double value) { return fixed_text(value, 1); };
  std::string told = "Ratios of frame time, B over A.";
  for (const ForestRow& row : rows)
    told += " " + row.label + ": " + fixed_text(row.point, 3) + ", " + row.outcome + ".";
  std::string svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + n(width) + " " + n(height) + "\" width=\"100%\" style=\"max-width:" + n(width) +
                    "px;min-width:640px\" role=\"img\" aria-label=\"" + html_text(told) + "\" font-size=\"13\">\n";
  svg += "<line class=\"one\" x1=\"" + n(x(1)) + "\" x2=\"" + n(x(1)) + "\" y1=\"" + n(top - 6) + "\" y2=\"" +
         n(height - 22) + "\"/>\n";
  svg += "<text x=\"" + n(x(1)) + "\" y=\"" + n(height - 6) + "\" text-anchor=\"middle\">1, the same</text>\n";
  svg += "<text class=\"muted\" x=\"" + n(label) + "\" y=\"" + n(height - 6) + "\">" + fixed_text(std::exp(-reach), 2) +
         " ← B takes less</text>\n";
  svg += "<text class=\"muted\" x=\"" + n(width - right) + "\" y=\"" + n(height - 6) +
         "\" text-anchor=\"end\">A takes less → " + fixed_text(std::exp(reach), 2) + "</text>\n";
  double y = top + row_h / 2;
  for (const ForestRow& row : rows) {
    svg += "<text x=\"0\" y=\"" + n(y + 4) + "\">" + html_text(clipped(row.label, 52)) + "</text>\n";
    if (std::isfinite(row.control_low)) {
      svg += "<rect class=\"band\" x=\"" + n(x(row.control_low)) + "\" y=\"" + n(y - 13) + "\" width=\"" +
             n(std::max(1.5, x(row.control_high) - x(row.control_low))) + "\" height=\"26\"/>\n";
    }
    if (std::isfinite(row.low)) {
      svg += "<line class=\"ci\" x1=\"" + n(x(row.low)) + "\" x2=\"" + n(x(row.high)) + "\" y1=\"" + n(y) + "\" y2=\"" +
             n(y) + "\"/>\n";
    }
    if (std::isfinite(row.point)) {
      const double px = x(row.point);
      svg += "<path class=\"point\" d=\"M" + n(px) + " " + n(y - 7) + "l6 7-6 7-6-7z\"/>\n";
    }
    y += row_h;
  }
  return svg + "</svg>\n";
}

std::string report_markdown(const Report& r, const std::string& svg_name) {
  std::string text =
      "**" + markdown_text(r.verdict) + "**\n\n*" + r.badge + "*: " + markdown_text(r.badge_told) + "\n\n";
  if (!svg_name.empty()) text += "![" + markdown_text(r.title) + "](" + svg_name + ")\n\n";
  if (!r.forest.empty()) {
    text += "| scene and conditions | time of B / A | 95 % interval | A/A control | outcome |\n|---|---|---|---|---|\n";
    for (const ForestRow& row : r.forest) {
      text += "| " + markdown_text(row.label) + " | " + na(fixed_text(row.point, 3)) + " | " +
              range(row.low, row.high) + " | " + range(row.control_low, row.control_high) + " | " +
              markdown_text(row.outcome) + " |\n";
    }
    text += "\n";
  }
  if (!r.arms.empty()) {
    text += "| |";
    for (const ReportArm& arm : r.arms)
      text += " " + std::string(1, arm.letter) + ", " + markdown_text(arm.name) + " |";
    text += "\n|---|";
    for (std::size_t i = 0; i < r.arms.size(); ++i) text += "---|";
    text += "\n";
    const auto row = [&](const char* name, auto&& value) {
      text += std::string("| ") + name + " |";
      for (const ReportArm& arm : r.arms) text += " " + value(arm) + " |";
      text += "\n";
    };
    row("frames", [](const ReportArm& a) { return count_text(static_cast<double>(a.frame_us.size())); });
    row("median", [](const ReportArm& a) { return fine_us_text(a.figures.frame.median_us); });
    row("median of the simulation", [](const ReportArm& a) { return fine_us_text(a.figures.simulation.median_us); });
    row("p99", [](const ReportArm& a) { return fine_us_text(a.figures.frame.p99_us); });
    row("p99.9", [](const ReportArm& a) { return fine_us_text(a.figures.frame.p999_us); });
    row("average FPS", [](const ReportArm& a) { return fps_text(a.figures.frame.average_fps); });
    row("1 % low, average", [](const ReportArm& a) { return fps_text(a.figures.frame.low_1_percent_fps); });
    row("spikes", [](const ReportArm& a) { return std::to_string(a.figures.frame.spikes); });
    row("new calls a frame", [](const ReportArm& a) {
      return a.has_counters ? count_text(a.figures.frame.allocations_per_frame, 1) : std::string("NA");
    });
    text += "\n";
  }
  for (const std::string& caveat : r.caveats) text += "- " + markdown_text(caveat) + "\n";
  for (const auto& [name, value] : r.system) text += "- " + markdown_text(name) + ": " + markdown_text(value) + "\n";
  if (!r.command.empty()) text += "- Command: " + markdown_code(r.command) + "\n";
  if (!r.replay_hash.empty()) text += "- Replay hash: " + markdown_code(r.replay_hash) + "\n";
  return text;
}

std::string report_svg(const Report& r) {
  // Colours that stand on white and on black.
  std::string svg =
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 860 HEIGHT\" width=\"860\" role=\"img\" "
      "font-family=\"Inter,system-ui,sans-serif\" font-size=\"14\">\n<title>" +
      html_text(r.title) + "</title>\n<desc>" + html_text(r.verdict) +
      "</"
      "desc>\n<style>text{fill:#1b1f2a}.muted{fill:#5a6272}.g{fill:#fff;stroke:#d5d8e0}.band{fill:#0002}.one{stroke:#"
      "333}.ci{stroke:#0072b2;stroke-width:3}.point{fill:#0072b2}.a{fill:#e69f00}.b{fill:#0072b2}"
      "@media(prefers-color-scheme:dark){text{fill:#eceef5}.muted{fill:#a5acbf}.g{fill:#181b24;stroke:#333948}.band{"
      "fill:#fff3}.one{stroke:#ddd}.ci{stroke:#3a9bdc}.point,.b{fill:#3a9bdc}}</style>\n"
      "<rect class=\"g\" x=\"0.5\" y=\"0.5\" width=\"859\" height=\"INNER\" rx=\"10\"/>\n";
  double y = 34;
  const auto paragraph = [&](const std::string& text, std::size_t most, double step, const char* look) {
    for (const std::string& line : lines_of(text, most)) {
      svg += "<text x=\"24\" y=\"" + fixed_text(y, 0) + "\" " + look + ">" + html_text(line) + "</text>\n";
      y += step;
    }
  };
  paragraph(r.verdict, 84, 24, "font-size=\"17\" font-weight=\"650\"");
  paragraph(r.badge + ": " + r.badge_told, 108, 20, "class=\"muted\"");
  y += 10;
  double longest = 0;
  for (std::size_t i = 0; i < std::min<std::size_t>(r.arms.size(), 2); ++i)
    longest = std::max(longest, r.arms[i].figures.frame.p99_us);
  for (std::size_t i = 0; i < std::min<std::size_t>(r.arms.size(), 2); ++i) {
    const ReportArm& arm = r.arms[i];
    const double median = arm.figures.frame.median_us, p99 = arm.figures.frame.p99_us,
                 scale = longest > 0 ? 400 / longest : 0;
    const std::string kind = i == 0 ? "a" : "b";
    svg += "<text x=\"24\" y=\"" + fixed_text(y + 15, 0) + "\">" + arm.letter + " · " +
           html_text(clipped(arm.name, 26)) + "</text>";
    svg += "<rect class=\"" + kind + "\" opacity=\"0.35\" x=\"240\" y=\"" + fixed_text(y, 0) + "\" width=\"" +
           fixed_text(p99 * scale, 1) + "\" height=\"20\"/>";
    svg += "<rect class=\"" + kind + "\" x=\"240\" y=\"" + fixed_text(y, 0) + "\" width=\"" +
           fixed_text(median * scale, 1) + "\" height=\"20\"/>";
    svg += "<text x=\"650\" y=\"" + fixed_text(y + 15, 0) + "\">" + fine_us_text(median) + ", p99 " +
           fine_us_text(p99) + "</text>\n";
    y += 30;
  }
  if (!r.arms.empty()) {
    svg += "<text class=\"muted\" x=\"240\" y=\"" + fixed_text(y + 8, 0) +
           "\" font-size=\"12\">frame time: solid to the median, pale to p99</text>\n";
    y += 24;
  }
  if (!r.forest.empty()) {
    std::string forest = forest_svg(
        std::vector<ForestRow>(r.forest.begin(), r.forest.begin() + static_cast<std::ptrdiff_t>(
                                                                        std::min<std::size_t>(r.forest.size(), 12))),
        812);
    const double forest_h = 26 + 34 * static_cast<double>(std::min<std::size_t>(r.forest.size(), 12)) + 26;
    const std::string head = "width=\"100%\" style=\"max-width:812.0px;min-width:640px\"";
    const std::size_t at = forest.find(head);
    if (at != std::string::npos)
      forest.replace(
          at, head.size(),
          "x=\"24\" y=\"" + fixed_text(y, 0) + "\" width=\"812\" height=\"" + fixed_text(forest_h, 0) + "\"");
    svg += forest;
    y += forest_h + 4;
  }
  std::string foot = r.date.empty() ? "" : r.date.substr(0, 10) + " · ";
  foot += "Spellpool" + (r.replay_hash.empty() ? std::string() : " · replay hash " + r.replay_hash);
  svg += "<text class=\"muted\" x=\"24\" y=\"" + fixed_text(y + 14, 0) + "\" font-size=\"12\">" + html_text(foot) +
         "</text>\n</svg>\n";
  const auto set = [&](const char* what, double value) {
    const std::size_t at = svg.find(what);
    svg.replace(at, std::string_view(what).size(), fixed_text(value, 0));
  };
  set("HEIGHT", y + 32);
  set("INNER", y + 31);
  return svg;
}

}  // namespace spellpool::measure
