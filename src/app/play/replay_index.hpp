#pragma once
#include <algorithm>
#include <memory>
#include <vector>

#include "sim/core/game_world.hpp"

namespace spellpool::app {

/// Keyframes of a replay that is watched: a jump restores the one before its target and plays from there. With more than kMost_bytes every
/// other one goes, and from then on they are twice as far apart.
class ReplayIndex {
 public:
  static constexpr std::size_t kMost_bytes = std::size_t{96} << 20;

  /// Between two steps: takes a keyframe if one is due.
  void keep_if_due(const sim::GameWorld& world) {
    if (!states_.empty() && world.steps() < states_.back()->steps() + every_) return;
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
    bool odd = true;
    std::erase_if(states_, [&odd](const auto&) { return odd = !odd; });
    bytes_ = 0;
    for (const auto& state : states_) bytes_ += state->bytes();
  }

  std::vector<std::unique_ptr<sim::WorldState>> states_;  // by rising step
  u64 every_ = 150;
  std::size_t bytes_ = 0;
};

}  // namespace spellpool::app
