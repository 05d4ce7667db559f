#pragma once
#include <algorithm>
#include <vector>

#include "frame/views/panel_model.hpp"
#include "frame/views/shooter_view.hpp"

namespace spellpool::app {

/// What one would look for in a replay of the shooter: bosses, bombs, losses. A step counts once, however often it is
/// played; beyond kMost marks nothing is noted.
class ReplayMarks {
 public:
  static constexpr std::size_t kMost = 256;

  ReplayMarks() { marks_.reserve(kMost); }

  /// Looks at what the shooter shows after `step` steps.
  void note(u64 step, const frame::ShooterView& view) {
    const bool playing = view.state == frame::ShooterState::Playing;
    const bool went_on = playing && playing_ && step > noted_;
    const bool boss = playing && !view.boss_title.empty();
    if (went_on && boss && !boss_) mark(step, frame::ReplayMark::Kind::Boss);
    if (went_on && view.bombs < bombs_) mark(step, frame::ReplayMark::Kind::Bomb);
    if (step > noted_ && playing_ && view.state != frame::ShooterState::Title && view.lives < lives_)
      mark(step, frame::ReplayMark::Kind::Loss);
    playing_ = playing;
    boss_ = boss;
    bombs_ = view.bombs;
    lives_ = view.lives;
    noted_ = std::max(noted_, step);
  }
  /// By rising step.
  const std::vector<frame::ReplayMark>& all() const { return marks_; }

 private:
  void mark(u64 step, frame::ReplayMark::Kind kind) {
    if (marks_.size() < kMost) marks_.push_back({step, kind});
  }

  std::vector<frame::ReplayMark> marks_;
  u64 noted_ = 0;
  bool playing_ = false, boss_ = false;
  u32 bombs_ = 0, lives_ = 0;
};

}  // namespace spellpool::app
