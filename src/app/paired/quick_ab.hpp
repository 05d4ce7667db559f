#pragma once
// The quick A/B in the running window: ten seconds of the scripted player under two strategies, frame by frame in
// turns, then a card. Two fresh worlds, one per arm, alike but for the strategy of all their pools; the player's own
// is not touched.
//
//   while (!ab.done()) {                        // one round of the window's loop, with vsync off and no cap
//     recorder.begin_frame();
//     ab.step(recorder.phases());               // one step of the world whose turn it is
//     draw(ab.world()), panels of ab.view(), swap
//     ab.frame_end(recorder.end_frame(ab.record()));
//   }
//   auto work = ab.saver(folder);               // will write run.json, frames.csv and card.png
//   shown = ab.view();                          // before the work starts: it reads what the work goes over again
//   task.start(work);                           // on a thread of its own
//   texts = std::move(ab).take_texts();         // what the last view() points to
//
// First both worlds are played four seconds ahead in small slices, so that spells fill the air. Other programs that
// are busy meanwhile make it wait for them, kLongestWait_ms at most. A few frames tell how long one takes; then come
// the blocks. Method, drops, control: measure/experiment/in_place.hpp; what is too noisy for a verdict:
// measure/experiment/noise.hpp.
// Memory  both worlds and room for all frames: taken in the constructor and between calibration and the first block.
//         A measured frame allocates nothing here (objects of pools in `heap` do: that is what is measured).
// Threads one; the saver's function may run on another, after this object is gone too.
#include <functional>
#include <memory>
#include <string>

#include "app/background_task.hpp"
#include "frame/views/panel_model.hpp"
#include "measure/experiment/in_place.hpp"
#include "sim/core/game_world.hpp"
#include "sim/core/world_config.hpp"

namespace spellpool::app {

/// The least time over which it is judged whether the machine is quiet: 50 ticks of the kernel's counters on each CPU.
inline constexpr double kLook_ms = 500;
/// Then it measures all the same, and the card says that it was too noisy.
inline constexpr double kLongestWait_ms = 10'000;

struct QuickAbConditions {
  std::string renderer = "NA";
  int width_px = 0, height_px = 0;
  std::function<measure::MachineReading()> read_machine = measure::read_machine;
  bool draws = true;                         ///< False: frames are steps alone.
  double budget_us = measure::kInPlace_us;   ///< Of the measured blocks.
  double longest_wait_ms = kLongestWait_ms;  ///< For a quiet machine.
};

/// Storage of a view's texts; the view stays good for as long as this lives.
struct QuickAbTexts {
  std::array<char, 160> progress{};
  std::string verdict, advice, conditions, folder;
  std::array<std::string, measure::kTimedParts.size()> sentences;
};

class QuickAb {
 public:
  /// Worlds like `like`, but with strategy a or b in every pool; from its first step, or from a state of a world with
  /// the same scene and seed. Some 10 ms.
  QuickAb(const sim::WorldConfig& like, pool::StrategyId a, pool::StrategyId b, const QuickAbConditions& conditions,
          const sim::WorldState* from = nullptr);

  /// The world whose turn it is: to be drawn in this frame.
  sim::GameWorld& world() { return *arms_[arm_].world; }
  /// Plays one step of it; in the lead-in a slice of both. `shown`: as GameWorld::step has it; of a lead-in few are
  /// seen.
  void step(frame::PhaseSink& phases, std::optional<frame::Amount> shown = {});
  /// What is known of this frame's world, for the recorder to complete.
  frame::FrameRecord record();
  /// After the frame, with the recorder's whole record. Hashes, when a block is over, are taken here, outside the
  /// frame.
  void frame_end(const frame::FrameRecord& record);
  /// It waits for a quiet machine: nothing is measured, and its frames are best drawn seldom.
  bool waiting() const { return !disturbance_.empty(); }
  /// It does not wait any longer.
  void start_anyway() { anyway_ = true; }
  /// Ends it with what was recorded so far.
  void cancel();

  bool done() const { return found_ != nullptr; }
  /// Done: with figures, unless it was cancelled before anything was measured; then the state is None.
  frame::QuickAbView view() const;
  /// Null until done. Without blocks if it was cancelled before anything was measured.
  const measure::Comparison* comparison() const { return found_.get(); }

  /// Once done (else it is cancelled): the work of writing the files into `folder`, which is made. No line if there
  /// is nothing to write. No view() from when it starts.
  std::function<TaskOutcome()> saver(const std::string& folder);
  std::unique_ptr<QuickAbTexts> take_texts() && { return std::move(texts_); }

 private:
  struct Arm {
    std::unique_ptr<sim::GameWorld> world;
    std::unique_ptr<sim::ScriptedPlayer> player;
    std::vector<frame::SimCommand> first;  // of its first step
    pool::PoolStats last;   // of the particles, before this frame
  };
  static Arm make_arm(sim::WorldConfig config, pool::StrategyId strategy, const sim::WorldState* from);
  /// After the lead-in: the machine is quiet, or it has been waited for long enough.
  bool may_begin();
  frame::QuickAbView::Line line(measure::TimedPart part) const;
  void play(Arm& arm, frame::PhaseSink* phases, std::optional<frame::Amount> shown = {});
  void finish();

  std::array<pool::StrategyId, 2> strategies_;
  std::array<Arm, 2> arms_;
  std::size_t arm_ = 0;
  u64 ahead_ = 0;                                   // steps at which the lead-in is over
  measure::InPlaceAb ab_;
  u64 seed_;
  double longest_wait_ms_;
  std::function<measure::MachineReading()> read_machine_;
  measure::MachineReading asked_, looked_, begun_;  // when it was asked for, looked at last, and when measuring began
  std::string disturbance_;                         // while it waits: why
  bool anyway_ = false;
  std::shared_ptr<measure::Comparison> found_;  // once done
  std::unique_ptr<QuickAbTexts> texts_;
};

}  // namespace spellpool::app
