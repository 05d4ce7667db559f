#pragma once
#include <algorithm>
#include <memory>
#include <vector>

#include "sim/core/game_world.hpp"

namespace spellpool::app {

/// Keyframes of a replay that is watched: a jump restores the one before its target and plays from there. With more than kMost_bytes every
/// other one goes, and from then on there are half as many.
class ReplayIndex {
 public:
  static constexpr std::size_t kMost_bytes = std::size_t{96} << 20;

  /// Before each step of the world.
  void note(const sim::GameWorld& world) {
    const u64 now = world.steps();
    if (now % every_ != 0 || (!states_.empty() && states_.back()->steps() >= now)) return;
    std::unique_ptr<sim::WorldState> state = world.new_state();
    world.save(*state);
    bytes_ += state->bytes();
    states_.push_back(std::move(state));
    while (bytes_ > kMost_bytes && states_.size() > 1) thin();
  }
  /// The last keyframe that is not after `step`; null if there is none.
  const sim::WorldState* before(u64 step) const {
    const auto after = std::ranges::find_if(states_, [step](const auto& state) { return state->steps() > step; });
    return after == states_.begin() ? nullptr : std::prev(after)->get();
  }
  std::size_t bytes() const { return bytes_; }

 private:
  void thin() {
    every_ *= 2;
    std::erase_if(states_, [this](const auto& state) { return state->steps() % every_ != 0; });
    bytes_ = 0;
    for (const auto& state : states_) bytes_ += state->bytes();
  }

  std::vector<std::unique_ptr<sim::WorldState>> states_;  // by rising step
  u64 every_ = 150;
  std::size_t bytes_ = 0;
};

}  // namespace spellpool::app
