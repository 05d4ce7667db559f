#include "app/cli/report_command.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "app/fail.hpp"
#include "core/log.hpp"
#include "core/one_line.hpp"
#include "measure/experiment/stored_comparison.hpp"
#include "measure/report/report_files.hpp"
#include "platform/paths.hpp"

namespace spellpool::app {
namespace {

namespace fs = std::filesystem;

}  // namespace

int report_command(const ReportOptions& options) {
  std::error_code ignored;
  const std::string& first = options.files[0];
  const bool of_comparison = fs::is_directory(first, ignored) || fs::path(first).extension() == ".json";
  measure::Report report;
  measure::Comparison comparison;
  std::string out = options.out;
  if (of_comparison) {
    if (!options.process.empty()) return fail("--process: " + first + " is a comparison; leave it out");
    if (options.files.size() > 1)
      return fail("report: one folder of spellpool compare at a time; give CSV files to set recordings side by side");
    if (std::string error = measure::read_comparison(first, comparison); !error.empty()) return fail(error);
    report = measure::report_of(comparison);
    if (out.empty()) out = fs::is_directory(first, ignored) ? first : fs::path(first).parent_path().string();
  } else {
    std::vector<measure::ImportedRecording> recordings;
    for (const std::string& file : options.files) {
      measure::ImportedRecording recording = measure::import_recording(file, options.process);
      if (!recording.error.empty()) return fail(recording.error);
      recordings.push_back(std::move(recording));
    }
    const auto names_processes = [](const measure::ImportedRecording& r) { return r.names_processes; };
    if (!options.process.empty() && std::none_of(recordings.begin(), recordings.end(), names_processes)) {
      return fail("--process: " + first + " names no process; leave it out");
    }
    for (const measure::ImportedRecording& r : recordings) {
      if (r.others.empty()) continue;
      log(LogLevel::Info,
          r.path + ": reads " +
              measure::processes_text({{clipped(r.program, measure::kMostNameCharacters), r.frame_us.size()}}) +
              "; the file also has " + measure::processes_text(r.others) + "; --process NAME chooses");
    }
    report = measure::report_of(recordings);
    if (out.empty()) {
      const platform::PathResult folder = platform::recordings_folder();
      if (!folder.error.empty()) return fail(folder.error);
      out = platform::free_name(folder.path, "report", "").string();
    }
  }
  std::vector<std::string> errors;
  for (const std::string& path : measure::write_report(report, of_comparison ? &comparison : nullptr, out, errors))
    print_line(path);
  for (const std::string& error : errors) log(LogLevel::Error, error);
  print_line(report.verdict);
  std::fflush(stdout);
  return errors.empty() ? 0 : 2;
}

}  // namespace spellpool::app
