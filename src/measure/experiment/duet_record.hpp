#pragma once
// Times of a duet, step by step: two worlds in one process that play the same steps in turns.
//
//   order   A B · B A · B A · A B · …   ABBA, then BAAB
//   pair    two steps, one in each order. The world that goes second finds the code and the clock warm,
//           which saves up to half of a short step's time; over a pair both worlds gain the same. A pair's
//           time is the mean of its two steps
//   ratio   B over A of a pair: the geometric mean of its two steps' ratios. For many pairs: the median,
//           with the quartiles as its spread
//
// The result is an indication: both worlds share one process, one heap and the machine's state.
// experiment.hpp is the careful method.
// Cost     add() sorts up to 240 values fifteen times, about 50 µs: do not call it inside a timed section.
// Memory   104 bytes a step; reserve() allocates it in advance.
// Threads  one.
#include <vector>

#include "frame/views/duet_view.hpp"

namespace spellpool::measure {

/// The first steps of a run, which no figure of the whole run counts: first touches and cold caches.
inline constexpr std::size_t kDuetWarmUp_steps = 60;

/// Fewer pairs than this give no figure.
inline constexpr std::size_t kLeastDuetPairs = 10;

/// The world that is stepped and drawn first in this step: 0 is A, 1 is B. Steps count from 0.
constexpr std::size_t duet_first(u64 step) { return step % 4 == 1 || step % 4 == 2 ? 1 : 0; }

class DuetRecord {
 public:
  void reserve(std::size_t steps) { steps_.reserve(steps); }
  /// The next step's times; `running` is worked out here.
  void add(frame::DuetStep step);
  /// All steps, oldest first. Good until the next add().
  std::span<const frame::DuetStep> steps() const { return steps_; }
  /// Of all steps but the warm-up. Unknown while there are no more than that.  Allocates.
  frame::DuetFigures whole(frame::DuetClock clock) const;
  /// How many steps whole() counts.
  std::size_t counted() const { return steps_.size() > kDuetWarmUp_steps ? steps_.size() - kDuetWarmUp_steps : 0; }

 private:
  std::vector<frame::DuetStep> steps_;
};

}  // namespace spellpool::measure
