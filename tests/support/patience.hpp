#pragma once
#include <chrono>

namespace spellpool::test {

/// How long a loop waits for what must come: by the clock, since a fast machine draws thousands of frames in a second of the game.
class Patience {
 public:
  bool left() const { return std::chrono::steady_clock::now() < end_; }

 private:
  std::chrono::steady_clock::time_point end_ = std::chrono::steady_clock::now() + std::chrono::minutes(2);
};

}  // namespace spellpool::test
