#include "app/shell/persistence.hpp"

#include <ctime>
#include <utility>

#include "app/shell/imgui_host.hpp"
#include "app/shell/layout_json.hpp"
#include "content/media/png.hpp"
#include "content/player/lessons_file.hpp"
#include "content/player/scores_file.hpp"
#include "content/player/settings_file.hpp"
#include "content/text_file.hpp"
#include "core/log.hpp"
#include "platform/paths.hpp"
#include "render/renderer.hpp"

namespace spellpool::app {
namespace {

constexpr double kSettingsSettle_s = 0.7;  ///< A slider that is being dragged is not a file write each frame.
constexpr u64 kFramesBetweenLayouts = 2;

}  // namespace

std::string time_stamp() {
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  localtime_r(&now, &local);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%d_%H-%M-%S", &local);
  return text;
}

TaskOutcome save_picture(const std::string& prefix, const std::string& stamp, platform::Size size,
                         const std::vector<u8>& rgb) {
  const platform::PathResult folder = platform::recordings_folder();
  std::string wrong = folder.error.empty() ? platform::make_folder(folder.path) : folder.error;
  if (!wrong.empty()) return {true, "no screenshot: " + wrong};
  const std::string path = platform::free_name(folder.path, prefix + "_" + stamp, ".png").string();
  const u32 width = static_cast<u32>(size.width), height = static_cast<u32>(size.height);
  wrong = content::write_png(path, width, height, rgb, "Spellpool");
  if (!wrong.empty()) return {true, std::move(wrong)};
  return {false, "Saved " + path};
}

Persistence::Persistence(const PlayOptions& options, Remembered remembered, HudState& hud)
    : hud_(hud),
      remembered_(std::move(remembered)),
      settings_at_start_(with_options(remembered_.settings, options)),
      settings_to_write_(settings_at_start_),
      layout_path_(options.layout_out),
      keeps_settings_(!remembered_.settings_path.empty() && !options.ignores_remembered()) {
  hud.high_scores = remembered_.scores;
  hud.lessons = remembered_.lessons;
  hud.settings_path = remembered_.settings_path;
  if (!remembered_.settings_unkept.empty()) hud.settings_unkept = remembered_.settings_unkept;
  for (const std::string& message : remembered_.messages) {
    log(LogLevel::Warning, message);
    hud.notice = message;
  }
}

void Persistence::set_size_at_start(platform::Size size) {
  settings_at_start_.window_width = hud_.settings.window_width = static_cast<u32>(size.width);
  settings_at_start_.window_height = hud_.settings.window_height = static_cast<u32>(size.height);
}

void Persistence::scores_changed() {
  scores_dirty_ = true;
  save_scores();
}

void Persistence::lessons_changed() {
  lessons_dirty_ = true;
  save_lessons();
}

void Persistence::follow(double passed_s) {
  if (settings_dirty_ && (settings_wait_s_ += passed_s) >= kSettingsSettle_s) {
    settings_wait_s_ = 0;
    save_settings();
  }
  if (scores_dirty_) save_scores();
  if (lessons_dirty_) save_lessons();
}

void Persistence::save_settings_if_dirty() {
  if (settings_dirty_) save_settings();
}

void Persistence::start(Job job, std::function<TaskOutcome()> work, Done done) {
  slot(job).done = std::move(done);
  slot(job).task.start(std::move(work));
}

void Persistence::save_settings() {
  if (!keeps_settings_) {
    settings_dirty_ = false;
    return;
  }
  if (busy(Job::Settings)) return;
  settings_dirty_ = false;
  settings_to_write_ = hud_.settings;
  auto write = [this]() -> TaskOutcome {
    const frame::Settings keep = to_remember(settings_to_write_, settings_at_start_, remembered_.settings);
    std::string wrong = content::save_settings(remembered_.settings_path, keep);
    return {!wrong.empty(), std::move(wrong)};
  };
  const auto done = [this](const TaskOutcome& outcome) { settings_failed_ = outcome.failed; };
  start(Job::Settings, std::move(write), done);
}

void Persistence::save_scores() {
  if (remembered_.scores_path.empty()) scores_dirty_ = false;
  if (!scores_dirty_ || busy(Job::Scores)) return;
  scores_dirty_ = false;
  auto write = [path = remembered_.scores_path, scores = hud_.high_scores]() mutable -> TaskOutcome {
    std::string wrong = content::save_scores(path, scores);
    return {!wrong.empty(), std::move(wrong)};
  };
  const auto done = [this](const TaskOutcome& outcome) { scores_failed_ = outcome.failed; };
  start(Job::Scores, std::move(write), done);
}

void Persistence::save_lessons() {
  if (remembered_.lessons_path.empty()) lessons_dirty_ = false;
  if (!lessons_dirty_ || busy(Job::Lessons)) return;
  lessons_dirty_ = false;
  auto write = [path = remembered_.lessons_path, lessons = hud_.lessons]() -> TaskOutcome {
    std::string wrong = content::save_lessons(path, lessons);
    return {!wrong.empty(), std::move(wrong)};
  };
  const auto done = [this](const TaskOutcome& outcome) { lessons_failed_ = outcome.failed; };
  start(Job::Lessons, std::move(write), done);
}

void Persistence::wait() {
  for (Slot& slot : slots_) slot.task.wait();
}

void Persistence::save_what_is_left() {
  if (settings_dirty_ || settings_failed_) save_settings();
  scores_dirty_ = scores_dirty_ || scores_failed_;
  save_scores();
  lessons_dirty_ = lessons_dirty_ || lessons_failed_;
  save_lessons();
  for (const Job job : {Job::Settings, Job::Scores, Job::Lessons}) slot(job).task.wait();
  collect();
}

void Persistence::collect() {
  TaskOutcome outcome;
  for (Slot& slot : slots_) {
    if (!slot.task.poll(outcome)) continue;
    if (slot.done) slot.done(outcome);
    if (outcome.line.empty()) continue;
    log(outcome.failed ? LogLevel::Warning : LogLevel::Info, outcome.line);
    hud_.notice = outcome.line;
  }
}

void Persistence::write_layout(ImGuiHost& panels, u64 steps) {
  if (++frames_ % kFramesBetweenLayouts != 0 || layout_path_.empty() || busy(Job::Layout)) return;
  const measure::UncountedAllocations uncounted;
  std::string text = layout_json(panels.state(), frames_, steps, panels.painted() ? "processor" : "OpenGL");
  start(Job::Layout, [path = layout_path_, text = std::move(text)]() -> TaskOutcome {
    std::string wrong = content::write_text(path, text, content::Overwrite::Yes);
    return {!wrong.empty(), std::move(wrong)};
  });
}

void Persistence::take_screenshot(const render::Renderer& renderer) {
  if (busy(Job::Screenshot)) return;
  std::vector<u8> rgb;
  if (!renderer.read_rgb(rgb)) rgb.clear();
  take_screenshot({renderer.width_px(), renderer.height_px()}, std::move(rgb));
}

void Persistence::take_screenshot(platform::Size size, std::vector<u8> rgb) {
  if (busy(Job::Screenshot)) return;
  want_screenshot_ = false;
  if (rgb.empty()) {
    hud_.notice = "no screenshot: the frame could not be read back";
    return;
  }
  start(Job::Screenshot, [size, rgb = std::move(rgb), stamp = time_stamp()] {
    return save_picture("spellpool", stamp, size, rgb);
  });
}

}  // namespace spellpool::app
