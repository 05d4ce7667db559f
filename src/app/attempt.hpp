#pragma once
#include <optional>

#include "core/types.hpp"

namespace spellpool::app {

/// A challenge or a stage that the player began: whether its result counts, and from where it can be tried again.
struct Attempt {
  bool by_hand = false;         ///< The player began it; neither demo mode nor a replay has played in it.
  bool rewound = false;         ///< It would be by_hand, but time was turned back in it.
  u64 begun_at = 0;             ///< A step.
  std::optional<u64> lost_at;   ///< The step in which the last one ended.

  bool played() const { return by_hand || rewound; }
  void begin(u64 step) {
    by_hand = true;
    rewound = false;
    begun_at = step;
    lost_at.reset();
  }
  /// A script plays.
  void hand_over() { by_hand = rewound = false; }
  void turn_back() {
    rewound = rewound || by_hand;
    by_hand = false;
  }
};

}  // namespace spellpool::app
