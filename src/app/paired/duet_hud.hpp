#pragma once
#include <string>

#include "app/paired/duet.hpp"
#include "frame/views/duet_view.hpp"
#include "frame/views/panel_model.hpp"

namespace spellpool::app {

/// What a duet's panels show: states, and the figures of a record at the step where the worlds stand.
class DuetHud {
 public:
  DuetHud(const std::array<pool::StrategyId, 2>& strategies, const frame::Settings& chosen);

  frame::Settings settings;
  frame::DuetClock clock = frame::DuetClock::Step;
  bool strip = true, hidden = false, help = false, paused = false, slow_motion = false;
  bool timeline_open = false;
  bool by_hand = false, may_play = false, film = false, in_game = false;
  std::string notice;

  /// Allocations a step from here on: the load has changed.
  void count_anew() { steps_before_ = ~u64{0}; }
  /// What the pools have allocated so far, without what they took before the first call. model() does it too.
  void count_calls(Duet& duet);
  /// Good until this or the record changes. `record`: the duet's own, or that of the pass that was measured.
  const frame::PanelModel& model(Duet& duet, const measure::DuetRecord& record, float text_scale);

 private:
  std::array<u64, 2> calls_before_{};  // of new, by the pools of each world before
  u64 steps_before_ = ~u64{0};         // this step
  frame::DuetView view_;
  frame::PanelModel model_;
  std::string build_note_;
};

/// The two sides as they are shown: by title, letter and colour of their strategies; A and B where these are the same.
std::array<frame::DuetSide, 2> duet_sides(const std::array<pool::StrategyId, 2>& strategies);

}  // namespace spellpool::app
