#pragma once
// One block of a comparison: a fresh process plays the same steps with one strategy and writes down each frame.
// The parent plans it (BlockPlan) and the child records it (BlockRecorder); two files carry the result between them.
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "measure/record/frames_csv.hpp"
#include "measure/record/machine_counters.hpp"
#include "measure/record/output_file.hpp"
#include "pool/strategy.hpp"

namespace spellpool::measure {

/// What a child process has to do; the caller turns it into a command line.
struct BlockPlan {
  /// True: no measuring. Play warmup_steps + steps and write the hash of every step to hash_path ("STEP HASH16" lines).
  /// False: measure. One step a frame, no cap, vsync off; write frames_path and report_path with BlockRecorder.
  bool check_pass = false;
  char arm = 'A';    ///< 'B' is arm B; 'A', 'C' and 'D' (the control's two) all do what A does.
  std::size_t arm_index() const { return arm == 'B' ? 1 : 0; }
  BlockPlace place;  ///< Hand it to BlockRecorder::write; −1 in a check pass and in the trial that only tells how long blocks take.
  pool::StrategyId strategy{};
  std::string scene;
  u64 seed = 0;
  u64 warmup_steps = 0;  ///< Played first, not kept.
  u64 steps = 0;         ///< Kept: one frame each.
  bool sim_only = false;
  std::string hash_path;
  std::string frames_path;
  std::string report_path;
};

/// What a measured block says of itself beside its frames.
struct BlockReport {
  u64 final_hash = 0;            ///< World hash after the last step, taken outside the clock.
  std::string renderer = "NA";   ///< GL renderer, or "none (simulation only)".
  std::string vsync = "NA";      ///< "off", "on".
  u64 recorder_allocations = 0;  ///< FrameRecorder::own_allocations() + BlockRecorder::own_allocations(): 0.
  double recorder_ns_per_frame = kNotKnown;  ///< What recording a frame costs, measured after the last one.
  MachineCounters counters;      ///< Of the measured frames together.
  double rss_kib = kNotKnown;    ///< After the last frame.
};

/// Keeps the measured frames of one block in memory that is taken and touched before the first step. The child's side.
class BlockRecorder {
 public:
  BlockRecorder(u64 warmup_frames, u64 frames);

  /// After every frame, the warm-up included. Copies 160 bytes; no allocation, no disk.
  void push(const frame::FrameRecord& record);
  bool complete() const { return kept_ == frames_.size(); }
  u64 own_allocations() const { return own_allocations_; }

  /// After the last frame (or on interruption, with what there is): writes both files. Returns "" or the error.
  std::string write(const BlockPlace& place, const BlockReport& report, const std::string& frames_path,
                    const std::string& report_path) const;

 private:
  std::vector<frame::FrameRecord> frames_;
  std::size_t kept_ = 0;
  u64 warmup_left_ = 0;
  u64 own_allocations_ = 0;
};

/// What a frame costs to record here and now: begin_frame(), end_frame() and push() of 2,000 empty frames, in ns
/// each. Two milliseconds.
double recorder_cost_ns();

/// Reads a block's report. Returns "" or the error.
std::string read_block_report(const std::string& path, BlockReport& report);

/// The same as a text, and back: keys as in run.json.
std::string block_report_text(const BlockReport& report, std::size_t frames);

/// Appends rows to a frame table in batches. False: see file.error().
bool write_rows(OutputFile& file, std::span<const frame::FrameRecord> frames, const BlockPlace& place);

/// 16 lower-case hex digits, and back.
std::string hash_text(u64 hash);
std::optional<u64> hash_of_text(std::string_view text);

}  // namespace spellpool::measure
