#pragma once
#include <array>
#include <memory>
#include <vector>

#include "app/replay/history.hpp"
#include "frame/views/panel_model.hpp"
#include "measure/record/phase_clock.hpp"
#include "sim/core/world_config.hpp"

namespace spellpool::app {

/// The last second or so of the player's game, played again with two strategies: the same steps from the same
/// keyframe in two worlds of their own, in turns step by step, kRounds times. The only times that a switch of
/// strategy may be judged by, since what is played before and after it differs. The player's world is not touched.
///
/// States   Each round begins with a restoration of both worlds and ends with a save of both; these are timed too.
/// Turns    In each round the arm that begins changes from step to step, and the first arm of a round from round to
///          round.
/// Effect   ln of the ratio of both arms' times in a round; median and bootstrap interval over the rounds
///          (statistics.hpp).
/// Control  the same of each arm against itself in the round before: an effect within it is no difference.
class FairPair {
 public:
  static constexpr u32 kRounds = 12, kLeast_steps = 30;

  /// Copies what it needs of the past; world of `like` twice, with strategy a and b in every pool. Some 10 ms.
  FairPair(const sim::WorldConfig& like, const History::LastSteps& past, std::array<pool::StrategyId, 2> strategies,
           measure::ClockNs now = measure::steady_now_ns);

  /// Plays for about so long. True when it is done.
  bool go_on(double budget_us);
  bool done() const { return round_ >= kRounds || unequal_; }
  frame::FairPairView view() const { return view_; }

 private:
  struct Arm {
    std::unique_ptr<sim::GameWorld> world;
    std::unique_ptr<sim::WorldState> state;  // of the end of a round
    std::array<double, kRounds> update_us{}, spawn_us{}, step_us{};  // of a step, on average
    std::array<double, kRounds> save_us{}, restore_us{};
  };

  double us_since(u64 begin_ns) const { return static_cast<double>(now_() - begin_ns) * 1e-3; }
  std::array<std::size_t, 2> order() const;
  void begin_round();
  void end_round();
  void judge();

  measure::ClockNs now_;
  measure::PhaseClock phases_;
  std::array<Arm, 2> arms_;
  std::unique_ptr<sim::WorldState> from_;
  std::vector<frame::InputFrame> inputs_;
  std::vector<std::vector<frame::SimCommand>> commands_;
  u32 round_ = 0, step_ = 0;
  bool unequal_ = false;
  frame::FairPairView view_;
};

}  // namespace spellpool::app
