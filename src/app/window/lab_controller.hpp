#pragma once
// The comparison lab's other side, on the game's thread: `spellpool compare` and `spellpool report` as a child, and
// what lies among the recordings. Child and disk are waited for by threads of its own; each call here takes
// microseconds.
//
// A child    lives as long as its thread (measure/experiment/child_process.hpp). stop() is Ctrl+C for it: it keeps
//            the blocks that it has.
// Estimate   once the choices have rested for a while a child tells how long they would take.
// Files      read anew when the panel opens, when a child ends, and when the player asks.
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "app/background_task.hpp"
#include "frame/views/lab_view.hpp"
#include "measure/experiment/child_process.hpp"
#include "measure/experiment/recording_index.hpp"

namespace spellpool::app {

/// The words of `spellpool compare` for these choices; `out` is its folder, `data_dir` that of --data-dir; "" leaves
/// it out.
std::vector<std::string> lab_words(const frame::LabChoices& choices, const std::string& out,
                                   const std::string& data_dir = "");

class LabController {
 public:
  static constexpr double kSettle_s = 0.7;      ///< Unchanged choices for this long start an estimate.
  static constexpr double kPatience_s = 30.0;   ///< For a child to stop: it may have a large table to write.
  static constexpr std::size_t kMostRows = 2'000;

  /// `folder`: of the recordings. `data_dir`: as the game was given it. `program`: how spellpool is started.
  explicit LabController(std::string folder, std::string data_dir = "",
                         std::vector<std::string> program = {"/proc/self/exe"});
  ~LabController();
  LabController(const LabController&) = delete;
  LabController& operator=(const LabController&) = delete;

  /// What is to be done outside of it with a path.
  struct Request {
    enum class What : u8 { None, Open, Copy } what = What::None;
    std::string path;
  };

  /// The panel is shown, or no longer.
  void show(bool open);
  Request take(const frame::LabRequests& requests);
  /// Once a frame. `calm`: the game measures nothing, so an estimate may run. A line for the player, or "".
  std::string update(double now_s, bool calm);
  /// A comparison runs: the game has to stand still, or it would be measured too.
  bool measures() const { return job_kind_ == frame::LabView::Job::Comparing && job_.busy(); }
  /// A child runs, if only for a moment: nothing else is to be measured.
  bool busy() const { return job_.busy(); }
  void stop();
  /// A line for the panel, until something else is asked for.
  void say(std::string line) { said_ = std::move(line); }
  /// Stops what runs, and waits for it. A line about what is left, or "".
  std::string finish();
  /// Waits until the files have been read; for a picture without a window.
  void wait_for_files();
  /// Good until the next call of anything else.
  frame::LabView view();

 private:
  struct Heard;      // shared with the job's thread
  struct RecordingIndex;      // what was read, with the rows that show it
  struct Details;

  void start_job(frame::LabView::Job kind, std::vector<std::string> words, std::string folder);
  void start_comparison();
  void start_again();
  void end_estimate();
  std::string end_job();
  void read_files();
  void read_details();
  void choose(std::size_t row);
  const measure::RecordingEntry* chosen() const;
  void tell_result(const measure::RecordingEntry& entry);

  std::string folder_, data_dir_;
  std::vector<std::string> program_;
  bool open_ = false;
  frame::LabChoices choices_;
  double now_s_ = 0, changed_s_ = 0;
  // The child.
  BackgroundTask job_;
  frame::LabView::Job job_kind_ = frame::LabView::Job::None;
  std::shared_ptr<Heard> heard_;
  std::string job_folder_, text_;
  float progress_ = 0;
  frame::LabChoices estimated_for_;
  bool estimate_known_ = false, want_start_ = false;
  std::string want_resume_, want_report_;  // paths
  std::string estimate_, wrong_, said_;
  std::string result_, result_badge_, result_folder_;
  bool result_can_resume_ = false;
  // The files.
  BackgroundTask files_task_, details_task_;
  std::shared_ptr<std::atomic<bool>> files_stop_, details_stop_;
  std::shared_ptr<RecordingIndex> reading_, index_;
  std::shared_ptr<Details> reading_details_, details_;
  bool want_files_ = false, want_details_ = false;
  std::string chosen_path_, told_path_;
};

}  // namespace spellpool::app
