#pragma once
#include <cstddef>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "sim/core/game_world.hpp"

namespace spellpool::app {

/// The recent past of a world: keyframes every so many steps, and what was pressed and commanded in each. Any step
/// between is shown by restoring the keyframe before it and playing on from there. No hash, score or sound comes of
/// that.
///
///   keyframe            keyframe            keyframe      now
///      |  inputs, commands |                   |           |
///      0 ……………………… 29     30 ……………………… 59     60 ……………  71
///
/// Memory   At most `Limits::bytes` of keyframes; with larger worlds they reach less far back. Of a world of more
///          than kMostState_bytes only one is kept, for last_steps(): there is no way back. When there are enough,
///          the oldest one's memory takes the next.
/// Cost     A copy of the world every `every` steps, between two frames: no frame's time or allocations have it. The
///          first step backward plays the steps since the keyframe and keeps each; the next ones restore those.
class History {
 public:
  struct Limits {
    std::size_t bytes = std::size_t{64} << 20;
    u64 steps = 60 * 60;      ///< This far back.
    u32 every = 30;           ///< Steps from keyframe to keyframe.
  };
  static constexpr std::size_t kMostState_bytes = std::size_t{4} << 20;
  static constexpr u32 kLargeEvery_steps = 120;

  explicit History(const Limits& limits);

  /// Between two steps: takes a keyframe if one is due.
  void keep_if_due(const sim::GameWorld& world);
  /// Before each step of the world: what it is given. A step that was turned back to goes on from there, and what
  /// came after is forgotten.
  void note(const sim::GameWorld& world, const frame::InputFrame& input, std::span<const frame::SimCommand> commands);
  /// The world was made anew, or is another.
  void forget();

  /// The earliest step that it can return to; none if it holds nothing.
  std::optional<u64> first() const;
  /// The step of the latest keyframe; none if it holds nothing.
  std::optional<u64> last_keyframe() const {
    return keyframes_.empty() ? std::nullopt : std::optional(keyframes_.back()->steps());
  }
  /// Steps that are known: where a game that was turned back came from.
  u64 last() const { return end_; }
  /// Brings the world, which has been noted, to after `step` steps: first() … last(). The strategies stay as they are.
  void turn_back(sim::GameWorld& world, u64 step);

  /// What was played since a keyframe at least `least` steps ago, and that one. No steps: there is none.
  struct LastSteps {
    const sim::WorldState* from = nullptr;
    std::vector<frame::InputFrame> inputs;
    std::vector<std::vector<frame::SimCommand>> commands;  ///< Of each step, those that change what is computed.
  };
  LastSteps last_steps(u64 now, u64 least) const;

  std::size_t keyframes() const { return keyframes_.size(); }
  /// Of all keyframes.
  std::size_t bytes() const { return bytes_; }
  /// Of the last one.
  std::size_t state_bytes() const { return keyframes_.empty() ? 0 : keyframes_.back()->bytes(); }
  /// What the last keyframe took.
  double save_us() const { return save_us_; }
  /// The world is too large to be kept.
  bool too_large() const { return too_large_; }

 private:
  using State = std::unique_ptr<sim::WorldState>;
  struct Command {
    u64 step;
    frame::SimCommand command;
  };

  void keep(const sim::GameWorld& world);
  void drop_oldest();
  void put_aside(State state);
  State take_spare(const sim::GameWorld& world);
  void play(sim::GameWorld& world);
  const frame::InputFrame& input(u64 step) const { return inputs_[step % inputs_.size()]; }
  frame::InputFrame& input(u64 step) { return inputs_[step % inputs_.size()]; }

  Limits limits_;
  std::deque<State> keyframes_;         // by rising step
  std::vector<State> spare_;            // a few, for the next ones
  std::vector<State> near_;             // of the steps after one keyframe, by step % every; those of other steps are stale
  std::vector<frame::InputFrame> inputs_;  // a ring
  std::deque<Command> commands_;        // by rising step
  std::vector<frame::SimCommand> due_;
  u64 end_ = 0;
  std::size_t bytes_ = 0;
  bool too_large_ = false;
  u64 next_try_ = 0;                    // of a world too large for even one
  double save_us_ = 0;
};

}  // namespace spellpool::app
