#pragma once
// Which way the hand moves, as a step asks for it. Pictures come more often than steps on a fast display: a
// key that went down and up between two steps is still one step's move, as short as it was. What a step has
// seen is not made longer.
#include <algorithm>

#include "frame/input_frame.hpp"

namespace spellpool::app {

class MoveInputLatch {
 public:
  struct Move {
    float x = 0, y = 0;
    bool any() const { return x != 0 || y != 0; }
  };

  /// With each picture. While the world rests, what is held no longer when it goes on is forgotten.
  void hold(Move move, bool world_rests = false) {
    held_ = move;
    if (world_rests) tapped_ = {};
    else if (at_rest_ && move.any()) tapped_ = move;
  }
  /// With each step, whose move it is.
  void give(frame::InputFrame& input) {
    const Move move = take();
    input.move_x = static_cast<i8>(std::clamp(move.x, -1.0f, 1.0f) * 127.0f);
    input.move_y = static_cast<i8>(std::clamp(move.y, -1.0f, 1.0f) * 127.0f);
  }
  /// The same move for one step, not yet quantized: what is held, or else a tap since the last step.
  Move take() {
    const Move move = held_.any() ? held_ : tapped_;
    tapped_ = {};
    at_rest_ = !move.any();
    return move;
  }

 private:
  Move held_, tapped_;
  bool at_rest_ = true;  ///< The last step saw no move.
};

}  // namespace spellpool::app
