#pragma once
// The quick A/B's plan and record: who plays the next frame, what of it counts, and whether both did the same work.
//
// Two worlds, one per arm, start alike and play the same steps, one step a frame. The steps are cut into segments, and
// each arm plays each segment once:
//
//   quad 0   A plays segment 0, B plays 0 and 1, A plays 1          ABBA
//   quad 1   B plays segment 2, A plays 2 and 3, B plays 3          BAAB …
//
// So no block needs a warm-up of its own, and a drift of the machine hits both arms alike. After every segment the two
// hashes must be equal; they are taken between frames, outside the clock.
//
// Length   10 s or so in all: a few frames of each arm are timed first, and the plan is fixed from them. From 6 quads
//          of 26 frames a block on, up to 20 quads; on a slower machine shorter blocks, down to 6 frames, of which 4
//          count; on one that would need more than 30 s for that, fewer quads, and then no interval.
// Dropped  the first two frames of each block: the other arm's world was in the caches.
// Effect   r of each quad as everywhere (statistics.hpp), its median and bootstrap interval.
// Control  order effect of a quad: mean over its two segments of y(second to play it) − y(first). Same blocks, same
//          noise, and no strategy in it: an effect within the reach of its interval is called no difference.
// Limits   both arms share one process, heap and caches: an indication. The careful way is experiment.hpp.
// Cost     a copy of 160 bytes a frame. Memory is taken between calibration and the first block, never in a measured
//          frame.
// Threads  one.
#include "measure/experiment/comparison.hpp"

namespace spellpool::measure {

inline constexpr u32 kDroppedFrames = 2;
inline constexpr u32 kLeastBlockFrames = kDroppedFrames + 4;
inline constexpr u32 kMostQuadsInPlace = 20;
/// For all blocks together.
inline constexpr double kInPlace_us = 9e6;
/// Fewer than six quads rather than longer than this.
inline constexpr double kLongestInPlace_us = 30e6;

/// Quads, and frames of a block with the dropped ones, for frames that take so long.
struct InPlaceShape {
  u32 quads = 0, block_frames = 0;
};
InPlaceShape in_place_shape(double frame_us, double budget_us = kInPlace_us);

class InPlaceAb {
 public:
  enum class Stage : u8 {
    LeadIn,       ///< Both worlds are played ahead, unmeasured and as the caller likes, to the same step.
    Calibration,  ///< A few frames of each arm tell how long they take.
    Measuring,
    Over,
  };

  /// The plan's warmup_steps: of the lead-in. Its quads and steps are decided here.
  /// `budget_us`: for all blocks together, where six quads of the shortest blocks take less.
  InPlaceAb(ComparisonPlan plan, Environment environment, double budget_us = kInPlace_us);

  Stage stage() const { return stage_; }
  /// The lead-in is over: both worlds stand at the same step.
  void begin();
  /// Arm of the next frame: 0 A, 1 B.
  std::size_t arm() const { return arm_; }
  /// After each frame of Calibration and Measuring. True: the arm's block is over; hand the hash of its world to
  /// end_block() before anything else.
  bool end_frame(const frame::FrameRecord& record);
  void end_block(u64 hash);
  /// Ends it with what there is.
  void cancel();

  /// 0 … 1 of calibration and blocks.
  float progress() const;
  u32 block() const { return block_; }
  u32 blocks() const { return static_cast<u32>(schedule_.size()); }
  double left_s() const;

  /// Returns all that was recorded, with each block's figures, not yet summarised. Call it once, in stage
  /// Over. Without blocks: it ended before anything was measured. Takes some milliseconds. Any thread may
  /// call it while no other thread uses this object.
  Comparison take();

 private:
  void fix_plan();
  void end(ComparisonState state, std::string message = {});

  Comparison found_;
  Stage stage_ = Stage::LeadIn;
  std::size_t arm_ = 0;
  std::vector<ScheduledBlock> schedule_;
  static constexpr u32 kTrialFrames = 8;
  std::array<std::array<double, kTrialFrames>, 2> trial_us_{};  // calibration frames of each arm
  u32 block_frames_ = kTrialFrames;
  u32 frame_ = 0;       // within the block
  u32 block_ = 0;
  u64 segments_ = 0;    // played by both with equal hashes
  u64 first_hash_ = 0;  // of the segment's first player
  double frame_us_ = 0;
  double spent_us_ = 0, budget_us_;
};

}  // namespace spellpool::measure
