#include "measure/experiment/comparison_files.hpp"

#include <filesystem>

#include "measure/experiment/run_json.hpp"
#include "measure/report/card.hpp"

namespace spellpool::measure {
namespace {

namespace fs = std::filesystem;

/// "" if none of the three names is taken, else the first of "-2", "-3" … that frees all three.
std::string free_suffix(const std::string& out_dir) {
  std::error_code ignored;
  for (u32 number = 1;; ++number) {
    std::string suffix;
    if (number > 1) suffix.append("-").append(std::to_string(number));
    const auto taken = [&](const std::string& name) {
      return fs::exists(fs::symlink_status(fs::path(out_dir) / name, ignored));
    };
    if (!taken("run" + suffix + ".json") && !taken("frames" + suffix + ".csv") && !taken("card" + suffix + ".png")) {
      return suffix;
    }
  }
}

}  // namespace

ComparisonFiles write_comparison(Comparison& c, const std::string& out_dir) {
  return write_comparison(c, out_dir, free_suffix(out_dir));
}

ComparisonFiles write_comparison(Comparison& c, const std::string& out_dir, const std::string& suffix) {
  ComparisonFiles written;
  if (c.state == ComparisonState::UnequalWork) c.blocks.clear();
  summarise(c);
  const auto path = [&](const std::string& stem, const char* ext) {
    return (fs::path(out_dir) / (stem + suffix + ext)).string();
  };
  // Each file is written under a working name and then renamed: a reader never sees half a file.
  const auto working = [](const std::string& name) {
    std::error_code ignored;
    fs::remove(name + ".new", ignored);
    return name + ".new";
  };
  std::string error;
  if (!c.blocks.empty()) {
    OutputFile file;
    const std::string frames = path("frames", ".csv"), beside = working(frames);
    bool good = file.create(beside) && file.write(frames_csv_header());
    for (const BlockResult& block : c.blocks) good = good && write_rows(file, block.frames, block.place);
    if (good) file.close();
    error = file.error();
    if (file.lines() > 0) {
      const std::string moved = move_into_place(beside, frames);
      if (moved.empty()) written.frames = frames;
      if (error.empty()) error = moved;
    }
  }
  if (kDrawsCards && error.empty() && c.arms[0].blocks > 0 && c.arms[1].blocks > 0) {
    const std::string card = path("card", ".png"), beside = working(card);
    error = draw_card(c, beside);
    if (error.empty()) error = move_into_place(beside, card);
    if (error.empty()) written.card = card;
  }
  const auto fail = [&](const std::string& message) {
    c.state = ComparisonState::Failed;
    c.message = message;
  };
  if (!error.empty()) fail(error);
  const auto name_of = [](const std::string& file) { return fs::path(file).filename().string(); };
  const std::string run_path = path("run", ".json");
  const std::string run_error = replace_file(run_path, run_json(c, {name_of(written.frames), name_of(written.card)}));
  if (run_error.empty()) written.run = run_path;
  if (error.empty() && !run_error.empty()) fail(run_error);
  return written;
}

}  // namespace spellpool::measure
