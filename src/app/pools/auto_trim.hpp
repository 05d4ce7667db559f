#pragma once
#include <algorithm>
#include <array>
#include <span>

#include "core/fixed_step.hpp"
#include "frame/pool_sizes.hpp"
#include "sim/core/game_world.hpp"

namespace spellpool::app {

/// Trims pools that stay emptier than they are large: one whose capacity was more than its peak and the free slots to
/// keep for PoolSize::trim_after_s seconds gets what it needed, and no less. By a command as the key's, so that
/// replays have it; the pool counts it (PoolStats::trimmed). Looks at counters alone: the same steps and slots under
/// every strategy.
class AutoTrim {
 public:
  /// Before a step: f(command) for each pool that is due.
  template <class F>
  void look(const sim::GameWorld& world, const frame::PoolSizes& sizes, F&& f) {
    const u64 now = world.steps();
    if (now < next_) quiet_ = {};  // time was turned back
    next_ = now + 1;
    for (const auto& pool : world.pools()) {
      const frame::PoolSize& size = sizes[static_cast<std::size_t>(pool->id())];
      if (size.trim_after_s == 0) continue;
      const pool::PoolStats stats = pool->stats();
      Quiet& quiet = quiet_[static_cast<std::size_t>(pool->id())];
      if (quiet.peak == 0) quiet.since = now;
      quiet.peak = std::max({quiet.peak, stats.live, 1u});
      if (now - quiet.since < size.trim_after_s * kStepsPerSecond) continue;
      const u32 wanted = quiet.peak + size.keep_free;
      quiet = {};
      if (stats.capacity <= wanted) continue;
      frame::SimCommand trim;
      trim.kind = frame::SimCommandKind::Trim;
      trim.pool = pool->id();
      trim.capacity = wanted - stats.live;
      if (world.refusal(trim).empty()) f(trim);
    }
  }

 private:
  struct Quiet {
    u64 since = 0;  ///< A step.
    u32 peak = 0;   ///< Most that lived since; 0: none was looked at.
  };
  std::array<Quiet, frame::kPoolCount> quiet_{};
  u64 next_ = 0;  ///< The step that is looked at next, if time is not turned back.
};

}  // namespace spellpool::app
