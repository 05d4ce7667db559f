#pragma once
// What the window writes while the game runs, each file by a task of its own, so that no frame waits for a
// disk: settings, scores and lessons when they changed, screenshots, spells, a quick A/B's files, the layout for
// scripts.
#include <array>
#include <functional>
#include <string>
#include <vector>

#include "app/background_task.hpp"
#include "app/play/hud.hpp"
#include "app/shell/remembered.hpp"
#include "platform/window.hpp"

namespace spellpool::render {
class Renderer;
}

namespace spellpool::app {

class ImGuiHost;

class Persistence {
 public:
  enum class Job : u8 { Screenshot, Settings, Scores, Lessons, Spell, QuickAb, Layout };
  using Done = std::function<void(const TaskOutcome&)>;

  /// `hud` outlives it: its settings, scores and lessons are written, and outcomes become its notice.
  Persistence(const PlayOptions& options, Remembered remembered, HudState& hud);

  /// The window opened with another size than it was asked for: that is not the player's choice.
  void set_size_at_start(platform::Size size);

  void settings_changed() { settings_dirty_ = true; }
  void scores_changed();
  void lessons_changed();
  /// With each frame: writes settings that rested long enough, scores and lessons.
  void follow(double passed_s);
  /// Where frames are rare: settings at once.
  void save_settings_if_dirty();
  void want_screenshot() { want_screenshot_ = true; }
  bool wants_screenshot() const { return want_screenshot_; }
  /// Reads the window's pixels, unless a screenshot is still being written: then the next frame asks again.
  void take_screenshot(const render::Renderer& renderer);
  /// The same of pixels that were read already; `rgb` is empty where that failed.
  void take_screenshot(platform::Size size, std::vector<u8> rgb);
  /// Every other frame, where --layout asks for it.
  void write_layout(ImGuiHost& panels, u64 steps);

  bool busy(Job job) const { return slot(job).task.busy(); }
  /// Not while busy(job). `done` is called by collect().
  void start(Job job, std::function<TaskOutcome()> work, Done done = {});
  /// Outcomes of what ended since the last call become notices.
  void collect();
  void wait();
  /// At the end, when no task runs: what changed since the last write, and what could not be written then.
  void save_what_is_left();

 private:
  struct Slot {
    BackgroundTask task;
    Done done;
  };
  static constexpr std::size_t kJobs = static_cast<std::size_t>(Job::Layout) + 1;
  Slot& slot(Job job) { return slots_[static_cast<std::size_t>(job)]; }
  const Slot& slot(Job job) const { return slots_[static_cast<std::size_t>(job)]; }
  void save_settings();
  void save_scores();
  void save_lessons();

  HudState& hud_;
  Remembered remembered_;
  frame::Settings settings_at_start_;  ///< With what the options changed for this run.
  /// Read by the task while busy(Job::Settings). It stays, so that a write copies into strings that have their room.
  frame::Settings settings_to_write_;
  std::string layout_path_;
  bool keeps_settings_;
  std::array<Slot, kJobs> slots_;
  bool settings_dirty_ = false, scores_dirty_ = false,
       lessons_dirty_ = false;  // differ from what a task is writing or wrote
  bool settings_failed_ = false, scores_failed_ = false,
       lessons_failed_ = false;  // the last write: tried again with the next one, and at the end
  double settings_wait_s_ = 0;
  bool want_screenshot_ = false;
  u64 frames_ = 0;
};

/// "2026-11-21_10-36-00", for the names of recordings.
std::string time_stamp();
/// Writes a window's pixels into the recordings as "PREFIX_STAMP.png": for a background task. The outcome is
/// its path, or why there is none.
TaskOutcome save_picture(const std::string& prefix, const std::string& stamp, platform::Size size,
                         const std::vector<u8>& rgb);

}  // namespace spellpool::app
