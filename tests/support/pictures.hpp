#pragma once
#include <chrono>

namespace spellpool::test {

/// So many pictures of a game's own loop, and on a machine that shows them faster than the game steps as many as come in so
/// many steps' time: then what is held has been seen by a step.
///   for (Pictures pictures(3); pictures.more();) game.frame();
class Pictures {
 public:
  explicit Pictures(int count) : left_(count), end_(std::chrono::steady_clock::now() + count * std::chrono::microseconds(16'667)) {}
  bool more() { return left_-- > 0 || std::chrono::steady_clock::now() < end_; }

 private:
  int left_;
  std::chrono::steady_clock::time_point end_;
};

}  // namespace spellpool::test
