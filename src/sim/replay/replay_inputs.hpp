#pragma once
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "frame/input_frame.hpp"

namespace spellpool::sim {

/// The inputs of a game as runs of bytes: a hand changes little from step to step, and often nothing.
///
///   run      KIND, then what KIND says: what differs from the run before, and for how many steps it holds
///   KIND     bits 0 … 4: aim x, aim y, move, buttons and spell differ; bits 5 … 7: 1 … 7 steps, 0: 8 or more
///   aim      a difference, each axis in 1 to 3 bytes (zigzag, then 7 bits a byte, low ones first, the top bit says that more follow)
///   move     1 byte, a place in the list of all moves so far; the place behind its end: move x and y follow, and join the list
///            unless 255 are in it
///   buttons  1 byte; spell 1 byte
///   steps    less 8, 7 bits a byte as above
class InputRuns {
 public:
  /// One step. Appends to `bytes` when a run is over: 12 bytes at most, and a few for a long one.
  void add(const frame::InputFrame& input, std::string& bytes);
  /// Appends the run that is not over. Nothing may be added afterwards: work on a copy to go on.
  void end(std::string& bytes);

 private:
  friend bool read_input_runs(std::string_view, u64, std::vector<frame::InputFrame>&);
  struct Move {
    i8 x, y;
    friend bool operator==(const Move&, const Move&) = default;
  };
  static constexpr u8 kAimX = 1, kAimY = 2, kMove = 4, kButtons = 8, kSpell = 16;
  static constexpr u32 kMostMoves = 255;

  void join(Move move) {
    if (move_count_ < kMostMoves) moves_[move_count_++] = move;
  }
  void write_move(Move move, std::string& bytes);

  frame::InputFrame before_{}, now_{};
  u64 steps_ = 0;  // of now_
  std::array<Move, kMostMoves> moves_{};
  u32 move_count_ = 0;
};

/// The inverse: exactly `steps` inputs from all of the bytes, or false. Takes memory for `steps`, whatever the bytes
/// are.
bool read_input_runs(std::string_view bytes, u64 steps, std::vector<frame::InputFrame>& inputs);

}  // namespace spellpool::sim
