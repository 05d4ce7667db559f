// Names out of files reach every output of a report. None of them may be obeyed there: not by a terminal, a
// browser, a Markdown renderer or a table's reader.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "../support/hostile_names.hpp"
#include "core/log.hpp"
#include "measure/experiment/recording_index.hpp"
#include "measure/experiment/run_json.hpp"
#include "measure/report/card.hpp"
#include "measure/report/escape.hpp"
#include "measure/report/export_files.hpp"
#include "measure/report/report_card.hpp"
#include "measure/report/report_files.hpp"
#include "synthetic.hpp"

namespace spellpool::measure {
namespace {

using Lines = std::vector<std::string>;

Lines lines_of(const std::string& text) {
  Lines lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

/// How often `mark` stands in `line` without a backslash before it.
std::size_t unescaped(std::string_view line, char mark) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '\\')
      ++i;
    else
      count += line[i] == mark;
  }
  return count;
}

std::string wrong_json(const std::string& text) {
  return nlohmann::json::accept(text) ? "" : "it is no JSON";
}

std::string wrong_table(const std::string& text, std::size_t heads) {
  const Lines lines = lines_of(text);
  std::size_t fields = 0;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].rfind("//", 0) == 0) continue;
    const auto commas = static_cast<std::size_t>(std::count(lines[i].begin(), lines[i].end(), ','));
    if (i < heads) continue;
    if (fields == 0) fields = commas;
    if (commas != fields)
      return "line " + std::to_string(i + 1) + " has another number of fields: " + lines[i];
    if (lines[i].find('"') != std::string::npos) return "line " + std::to_string(i + 1) + " has a quote";
  }
  return "";
}
/// The first two lines are the machine, the rest are frames.
std::string wrong_mangohud(const std::string& text) {
  const Lines lines = lines_of(text);
  if (lines.size() < 3) return "it has no frames";
  const std::string machine = wrong_table(lines[0] + "\n" + lines[1] + "\n", 0);
  return machine.empty() ? wrong_table(text, 2) : machine;
}
std::string wrong_capframex(const std::string& text) {
  const Lines lines = lines_of(text);
  if (lines.size() < 10 || lines[9].rfind("Application,", 0) != 0)
    return "the header is not where it belongs";
  return wrong_table(text, 9);
}

/// Elements of a page: none that a report does not have, and no attribute that runs a script.
std::string wrong_markup(const std::string& text) {
  for (const char* no : {"<img", "<script>alert", "<http", "<b>"}) {
    if (text.find(no) != std::string::npos) return std::string("it contains ") + no;
  }
  const auto count = [&](const std::string& what) {
    std::size_t n = 0;
    for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += what.size()) ++n;
    return n;
  };
  return count("<script") == count("</script>") ? "" : "a script element is open";
}

std::string wrong_markdown(const std::string& text) {
  std::size_t pipes = 0, images = 0;
  for (const std::string& line : lines_of(text)) {
    // A code span shows what it contains as it is, if it ends where it should.
    const std::size_t code = line.find(": `");
    const std::string prose = code == std::string::npos ? line : line.substr(0, code);
    if (code != std::string::npos) {
      const std::size_t fence = std::min(line.find_first_not_of('`', code + 2), line.size()) - (code + 2);
      const std::string marks(fence, '`');
      std::size_t longest = 0, run = 0;
      for (std::size_t i = code + 2 + fence; i + fence < line.size(); ++i) {
        run = line[i] == '`' ? run + 1 : 0;
        longest = std::max(longest, run);
      }
      if (longest >= fence || line.compare(line.size() - fence, fence, marks) != 0)
        return "a code span breaks: " + line;
    }
    for (const char mark : {'<', '`'}) {
      if (unescaped(prose, mark) > 0)
        return std::string("an unescaped ") + mark + " in: " + prose.substr(0, 200);
    }
    if (unescaped(prose, '[') != (prose.rfind("![", 0) == 0 ? 1u : 0u)) return "an unescaped [ in: " + prose;
    images += prose.rfind("![", 0) == 0;
    if (prose.find("http://") != std::string::npos) return "an address that becomes a link in: " + prose;
    if (!prose.empty() && prose[0] == '|') {
      if (pipes == 0) pipes = unescaped(prose, '|');
      if (unescaped(prose, '|') != pipes) return "another number of columns in: " + prose;
    } else {
      if (unescaped(prose, '|') > 0) return "an unescaped | in: " + prose;
      pipes = 0;
    }
    const bool known = prose.empty() || prose[0] == '|' || prose.rfind("- ", 0) == 0 ||
                       prose.rfind("![", 0) == 0 || prose.rfind("**", 0) == 0 || prose.rfind("*", 0) == 0;
    if (!known) return "a line that no report has: " + prose;
  }
  return images == 1 ? "" : "another number of images";
}

std::string wrong_nothing(const std::string&) { return ""; }

/// A comparison whose every text is `name`.
Comparison comparison_named(const std::string& name) {
  Comparison c = synthetic_comparison(6, 60, {50, 0.9, 900, false});
  c.plan.labels[0] = c.plan.labels[1] = c.plan.scene = c.plan.preset = c.plan.policy = c.plan.draw = name;
  c.plan.factors = {{name, name}};
  Environment& e = c.environment;
  for (std::string* text :
       {&e.version, &e.build_type, &e.flags, &e.command_line, &e.compiler, &e.libc, &e.allocator, &e.os,
        &e.kernel, &e.cpu, &e.governor, &e.affinity, &e.renderer, &e.vsync}) {
    *text = name;
  }
  c.message = name;
  return c;
}

ImportedRecording recording_named(const std::string& name) {
  ImportedRecording recording;
  recording.path = "/somewhere/" + name + ".csv";
  recording.tool = "PresentMon 1";
  recording.program = name;
  recording.frame_us.assign(300, 10'000.0);
  recording.frame_us[200] = 90'000.0;
  recording.system = {{name, name}, {"cpu", name}};
  recording.notes = {name};
  recording.left_out = recording.dropped = 1;
  return recording;
}

struct Output {
  const char* name;
  std::string (*of_report)(const Report&);
  std::string (*of_comparison)(const Comparison&);
  std::string (*wrong)(const std::string&);
};

std::string logged(const std::string& text) {
  testing::internal::CaptureStderr();
  log(LogLevel::Error, text);
  return testing::internal::GetCapturedStderr();
}
std::string printed(const std::string& text) {
  testing::internal::CaptureStdout();
  print_line(text);
  return testing::internal::GetCapturedStdout();
}
std::string not_one_line(const std::string& text) {
  return std::count(text.begin(), text.end(), '\n') == 1 ? "" : "it is not one line";
}

const Output kOutputs[] = {
    {"report.md", [](const Report& r) { return report_markdown(r, "summary.svg"); }, nullptr, wrong_markdown},
    {"report.html", [](const Report& r) { return report_html(r); }, nullptr, wrong_markup},
    {"summary.svg", [](const Report& r) { return report_svg(r); }, nullptr, wrong_markup},
    {"log line", [](const Report& r) { return logged(r.verdict); }, nullptr, not_one_line},
    {"result line", [](const Report& r) { return printed(r.verdict); }, nullptr, not_one_line},
    {"trace.json", nullptr, [](const Comparison& c) { return trace_json(c); }, wrong_json},
    {"gbench.json", nullptr, [](const Comparison& c) { return gbench_json(c, 2); }, wrong_json},
    {"mangohud.csv", nullptr, [](const Comparison& c) { return mangohud_csv(c, 0); }, wrong_mangohud},
    {"capframex.csv", nullptr, [](const Comparison& c) { return capframex_csv(c, 1); }, wrong_capframex},
    {"run.json", nullptr,
     [](const Comparison& c) {
       return run_json(c, {"frames.csv", "card.png"});
     },
     wrong_json},
    {"word in a file's name", nullptr, [](const Comparison& c) { return file_word(arm_name(c.plan, 0)); },
     wrong_nothing},
};

TEST(HostileNames, AreObeyedByNoOutput) {
  for (const test::HostileName& name : test::hostile_names()) {
    const Comparison comparison = comparison_named(name.text);
    const Report of_comparison = report_of(comparison);
    const Report of_recordings =
        report_of(std::vector{recording_named(name.text), recording_named(name.text)});
    for (const Output& output : kOutputs) {
      Lines texts;
      if (output.of_report != nullptr)
        texts = {output.of_report(of_comparison), output.of_report(of_recordings)};
      else
        texts = {output.of_comparison(comparison)};
      for (std::size_t i = 0; i < texts.size(); ++i) {
        const std::string where =
            std::string(output.name) + (i == 0 ? "" : " of recordings") + ", " + name.what;
        EXPECT_EQ(test::unsafe_in(texts[i]), "") << where;
        EXPECT_EQ(output.wrong(texts[i]), "") << where;
      }
    }
  }
}

TEST(HostileNames, LeaveCardsAndFileNamesWhole) {
  for (const test::HostileName& name : test::hostile_names()) {
    ScratchFolder folder;
    const Comparison comparison = comparison_named(name.text);
    std::vector<std::string> errors;
    const std::vector<std::string> written =
        write_report(report_of(comparison), &comparison, folder.path(), errors);
    EXPECT_EQ(written.size(), 12u) << name.what;
    EXPECT_TRUE(errors.empty()) << name.what << ": " << errors[0];
    for (const std::string& path : written) {
      EXPECT_EQ(test::unsafe_in(path), "") << name.what;
      EXPECT_TRUE(std::filesystem::path(path).parent_path() == folder.path()) << name.what << ": " << path;
    }
    EXPECT_EQ(draw_card(comparison, folder.file("card.png")), "") << name.what;
  }
}

}  // namespace
}  // namespace spellpool::measure
