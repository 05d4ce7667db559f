#pragma once
#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "app/replay/replay_marks.hpp"
#include "core/fixed_step.hpp"
#include "frame/views/panel_model.hpp"

namespace spellpool::app {

/// How a replay is watched: its speed, and the step that it seeks. Knows neither world nor clock: who plays asks how
/// many steps a frame gets, and whether the way to the target begins with a world made anew.
class ReplayTransport {
 public:
  struct Speed {
    std::string_view name;
    double factor;                          ///< Steps a step's time; 0: as many as a frame has room for.
  };
  static constexpr std::array<Speed, 9> kSpeeds = {{{"1/8×", 0.125},
                                                    {"1/4×", 0.25},
                                                    {"1/2×", 0.5},
                                                    {"1×", 1},
                                                    {"2×", 2},
                                                    {"4×", 4},
                                                    {"8×", 8},
                                                    {"16×", 16},
                                                    {"max", 0}}};
  static constexpr std::size_t kQuarter = 1, kPlain = 3;
  static constexpr i64 kJump_steps = 5 * kStepsPerSecond;

  explicit ReplayTransport(u64 steps) : steps_(steps) {}

  // --- speed
  std::size_t speed_place() const { return speed_; }
  const Speed& speed() const { return kSpeeds[speed_]; }
  bool slowest() const { return speed_ == 0; }
  bool fastest() const { return speed_ + 1 == kSpeeds.size(); }
  void slower() { speed_ -= slowest() ? 0 : 1; }
  void faster() { speed_ += fastest() ? 0 : 1; }
  void set_speed(std::size_t place) { speed_ = std::min(place, kSpeeds.size() - 1); }
  /// Faster than that sounds are a noise.
  bool audible() const { return speed().factor > 0 && speed().factor <= 2; }

  /// How many steps are due after elapsed_ns. A frame that took longer than four of its steps' times slows the replay
  /// down, as it does a game; "max": more than any frame can play.
  u32 advance(i64 elapsed_ns) {
    if (speed().factor == 0) return kNoLimit;
    return clock_.advance(std::min<i64>(elapsed_ns, kMostSteps * FixedStep::kStep_ns), speed().factor);
  }
  /// Where the picture lies between the last two steps.
  float alpha() const { return speed().factor == 0 ? 1.0f : clock_.alpha(); }

  // --- seeking
  /// To the state after `step` steps, or the end. While it seeks already, it goes there instead.
  void seek(u64 step, u64 now) {
    target_ = std::min(step, steps_);
    from_ = now;
    seeking_ = begins_ = target_ != now;
  }
  /// So many steps from where it is, or, while it seeks, from where it will be; never past the ends.
  u64 moved_by(i64 steps, u64 now) const {
    const i64 place = static_cast<i64>(seeking_ ? target_ : now) + steps;
    return static_cast<u64>(std::clamp<i64>(place, 0, static_cast<i64>(steps_)));
  }
  bool seeking() const { return seeking_; }
  u64 target() const { return target_; }
  /// A seek begins, or the world has gone past the target: look for a keyframe, and tell with begin_at() where the
  /// way begins.
  bool begins(u64 now) const { return seeking_ && (begins_ || target_ < now); }
  void begin_at(u64 now) {
    from_ = now;
    begins_ = false;
  }
  /// The world has played `now` steps: there, if that is the target.
  void arrive(u64 now) { seeking_ = seeking_ && now != target_; }
  /// Of the way, 0 … 1.
  float progress(u64 now) const {
    if (!seeking_ || target_ <= from_) return seeking_ ? 0.0f : 1.0f;
    return std::min(1.0f, static_cast<float>(now - std::min(now, from_)) / static_cast<float>(target_ - from_));
  }

  // --- marks
  /// Looks at what the shooter shows after `step` steps and remembers what one would look for.
  void note(u64 step, const frame::ShooterView& view) { marks_.note(step, view); }
  ReplayMarks& noted() { return marks_; }
  const std::vector<frame::ReplayMark>& marks() const { return marks_.all(); }
  u64 steps() const { return steps_; }

 private:
  static constexpr i64 kMostSteps = 4;      // as FixedStep has it for a game, at the speed that is played
  static constexpr u32 kNoLimit = 1u << 20;

  u64 steps_;
  std::size_t speed_ = kPlain;
  FixedStep clock_{kMostSteps * 16 + 1};
  bool seeking_ = false, begins_ = false;
  u64 target_ = 0, from_ = 0;
  ReplayMarks marks_;
};

}  // namespace spellpool::app
