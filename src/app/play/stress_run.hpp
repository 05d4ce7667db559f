#pragma once
// "How many bullets?" in a game: commands for the world out of what its frames took, and a result in words, figures
// and JSON.
//
//   StressRun run(game, budget_ms, StressRun::What::Drawn);
//   while (!run.done()) { game.begin_frame(); game.step({}); draw; run.frame_end(game.end_frame()); }
#include <nlohmann/json_fwd.hpp>

#include <string>

#include "app/play/game.hpp"
#include "app/play/stress_ramp.hpp"
#include "frame/views/stress_view.hpp"

namespace spellpool::app {

class StressRun {
 public:
  /// Drawn: a frame is a step and its picture. SimOnly: the step alone, and the result says so.
  enum class What : u8 { Drawn, SimOnly };

  /// Asks the game for the first level, and for a bullets' pool that has room for the last, unless the command line
  /// sized it. The game outlives the run.
  StressRun(Game& game, double budget_ms, What what);

  /// After a frame of one step that nothing waited in.
  void frame_end(const frame::FrameRecord& record);
  bool done() const { return ramp_.done(); }
  /// The bullets' pool has another strategy, policy or capacity than what is measured.
  bool outdated() const;
  /// Back to the title, with the pool of its usual size.
  void leave();

  const StressRamp& ramp() const { return ramp_; }
  frame::StressRow row() const;
  /// For the panels; the rows are the caller's.
  void show(frame::StressView& view) const;
  /// One line for the terminal.
  std::string text() const;
  nlohmann::ordered_json json() const;

 private:
  bool sized_by_player() const;
  void want(u32 bullets);
  void size_pool(u32 capacity);

  Game& game_;
  What what_;
  sim::PoolChoice pool_;        ///< The bullets' as it is measured.
  StressRamp ramp_;
  float work_ms_ = 0, sim_ms_ = 0;  ///< Of late frames, smoothed: to be looked at.
};

}  // namespace spellpool::app
