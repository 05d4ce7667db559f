#include "measure/report/report_files.hpp"

#include <filesystem>

#include "measure/record/output_file.hpp"
#include "measure/report/escape.hpp"
#include "measure/report/export_files.hpp"
#include "measure/report/report_card.hpp"

namespace spellpool::measure {

std::vector<std::string> write_report(const Report& report, const Comparison* c, const std::string& folder,
                                      std::vector<std::string>& errors) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  fs::create_directories(folder, ignored);
  // Stem and ending of each file, and what makes its text.
  struct File {
    std::string stem, ext;
    std::string (*make)(const Report&, const Comparison*, const std::string& svg_name);
  };
  std::vector<File> files = {
      {"report", ".html", [](const Report& r, const Comparison*, const std::string&) { return report_html(r); }},
      {"report", ".md", [](const Report& r, const Comparison*, const std::string& svg) { return report_markdown(r, svg); }},
      {"summary", ".svg", [](const Report& r, const Comparison*, const std::string&) { return report_svg(r); }},
  };
  if (c != nullptr && c->arms[0].blocks > 0 && c->arms[1].blocks > 0) {
    files.push_back({"a_" + file_word(arm_name(c->plan, 0)) + "_mangohud", ".csv",
                     [](const Report&, const Comparison* k, const std::string&) { return mangohud_csv(*k, 0); }});
    files.push_back({"b_" + file_word(arm_name(c->plan, 1)) + "_mangohud", ".csv",
                     [](const Report&, const Comparison* k, const std::string&) { return mangohud_csv(*k, 1); }});
    files.push_back({"a_" + file_word(arm_name(c->plan, 0)) + "_capframex", ".csv",
                     [](const Report&, const Comparison* k, const std::string&) { return capframex_csv(*k, 0); }});
    files.push_back({"b_" + file_word(arm_name(c->plan, 1)) + "_capframex", ".csv",
                     [](const Report&, const Comparison* k, const std::string&) { return capframex_csv(*k, 1); }});
    files.push_back(
        {"trace", ".json", [](const Report&, const Comparison* k, const std::string&) { return trace_json(*k); }});
    files.push_back(
        {"gbench", ".json", [](const Report&, const Comparison* k, const std::string&) { return gbench_json(*k, 2); }});
    files.push_back({"gbench_a", ".json",
                     [](const Report&, const Comparison* k, const std::string&) { return gbench_json(*k, 0); }});
    files.push_back({"gbench_b", ".json",
                     [](const Report&, const Comparison* k, const std::string&) { return gbench_json(*k, 1); }});
  }
  std::string suffix;
  const auto path = [&](const std::string& stem, const std::string& ext) {
    return (fs::path(folder) / (stem + suffix + ext)).string();
  };
  for (u32 number = 2;; ++number) {
    bool taken = fs::exists(fs::symlink_status(path("share", ".png"), ignored));
    for (const File& file : files) taken = taken || fs::exists(fs::symlink_status(path(file.stem, file.ext), ignored));
    if (!taken) break;
    suffix = "-";
    suffix += std::to_string(number);
  }
  std::vector<std::string> written;
  const auto note = [&](const std::string& file, const std::string& error) {
    if (error.empty()) written.push_back(file);
    else errors.push_back(error);
  };
  for (const File& file : files)
    note(path(file.stem, file.ext),
         write_new_file(path(file.stem, file.ext), file.make(report, c, "summary" + suffix + ".svg")));
  note(path("share", ".png"), draw_share_card(report, path("share", ".png")));
  return written;
}

}  // namespace spellpool::measure
