#include "measure/experiment/in_place.hpp"

#include <algorithm>
#include <cmath>

#include "measure/record/allocation_counter.hpp"
#include "measure/record/number_text.hpp"

namespace spellpool::measure {
namespace {

/// Of such blocks one frame in thirteen is dropped: only with more time than six quads of them take are there more
/// quads.
constexpr double kGoodBlockFrames = kDroppedFrames + 24;
constexpr double kMostBlockFrames = 600;
/// When frames turn out far slower than the calibration said: the quads done by then stand.
constexpr double kGiveUp_us = 1.5 * kLongestInPlace_us;

}  // namespace

InPlaceShape in_place_shape(double frame_us, double budget_us) {
  const double t = std::max(frame_us, 1.0);
  const double least_block_us = kLeastBlockFrames * t;
  const auto least_quads = static_cast<double>(kLeastQuadsForInterval);
  if (4 * least_quads * least_block_us > kLongestInPlace_us) {
    return {static_cast<u32>(std::clamp(kLongestInPlace_us / (4 * least_block_us), 1.0, least_quads)),
            kLeastBlockFrames};
  }
  const double quads =
      std::floor(std::clamp(budget_us / (4 * kGoodBlockFrames * t), least_quads, double{kMostQuadsInPlace}) / 2) * 2;
  const double frames = std::clamp(budget_us / (4 * quads * t), double{kLeastBlockFrames}, kMostBlockFrames);
  return {static_cast<u32>(quads), static_cast<u32>(frames)};
}

InPlaceAb::InPlaceAb(ComparisonPlan plan, Environment environment, double budget_us) : budget_us_(budget_us) {
  found_.plan = std::move(plan);
  found_.plan.method = Method::InPlace;
  found_.plan.quads = 0;
  found_.plan.steps = 0;
  found_.plan.dropped_frames = kDroppedFrames;
  found_.environment = std::move(environment);
  found_.state = ComparisonState::Interrupted;
}

void InPlaceAb::begin() {
  if (stage_ == Stage::LeadIn) stage_ = Stage::Calibration;
}

/// Between calibration and the first block: the number of blocks and their length, and room for all of their frames.
void InPlaceAb::fix_plan() {
  frame_us_ = 0;
  for (std::array<double, kTrialFrames>& trial : trial_us_)
    frame_us_ += 0.5 * median_in_place(std::span(trial).subspan(kDroppedFrames));
  ComparisonPlan& plan = found_.plan;
  plan.warmup_steps += block_frames_;
  const InPlaceShape shape = in_place_shape(frame_us_, budget_us_);
  block_frames_ = shape.block_frames;
  plan.quads = shape.quads;
  plan.steps = shape.block_frames - kDroppedFrames;
  schedule_ = schedule_blocks(shape.quads);
  found_.blocks.resize(schedule_.size());
  for (std::size_t i = 0; i < schedule_.size(); ++i) {
    BlockResult& block = found_.blocks[i];
    block.place = schedule_[i].place;
    block.arm = schedule_[i].arm;
    block.report.renderer = found_.environment.renderer;
    block.report.vsync = found_.environment.vsync;
    block.frames.resize(static_cast<std::size_t>(plan.steps));
  }
  stage_ = Stage::Measuring;
  frame_ = 0;
  arm_ = 0;
}

bool InPlaceAb::end_frame(const frame::FrameRecord& record) {
  const auto us = static_cast<double>(record.frame_us);
  if (stage_ == Stage::Calibration) {
    trial_us_[arm_][frame_] = us;
    if (++frame_ < block_frames_) return false;
    frame_ = 0;
    if (arm_ == 1) {
      fix_plan();
    } else {
      arm_ = 1;
    }
    return false;
  }
  if (stage_ != Stage::Measuring) return false;
  const u64 before = thread_allocations().new_calls;
  BlockResult& block = found_.blocks[block_];
  if (frame_ >= kDroppedFrames) block.frames[frame_ - kDroppedFrames] = record;
  block.wall_s += us * 1e-6;
  spent_us_ += us;
  block.report.recorder_allocations += thread_allocations().new_calls - before;
  return ++frame_ == block_frames_;
}

void InPlaceAb::end_block(u64 hash) {
  if (stage_ != Stage::Measuring || frame_ != block_frames_) return;
  found_.blocks[block_].report.final_hash = hash;
  frame_ = 0;
  const bool second = found_.blocks[block_].place.pos % 2 == 1;
  ++block_;
  if (!second) {
    first_hash_ = hash;
  } else {
    const u64 step = found_.plan.warmup_steps + (segments_ + 1) * block_frames_;
    if (hash != first_hash_) {
      const bool a_was_second = schedule_[block_ - 1].arm == 'A';
      const auto& names = found_.plan.strategies;
      end(ComparisonState::UnequalWork,
          "refused, the work was not equal: at step " + std::to_string(step) + ", " +
              std::string(pool::row(names[0]).name) + " " + hash_text(a_was_second ? hash : first_hash_) + ", " +
              std::string(pool::row(names[1]).name) + " " + hash_text(a_was_second ? first_hash_ : hash));
      return;
    }
    ++segments_;
    found_.hashed_steps = step;
    found_.final_hash = hash;
  }
  if (block_ == blocks()) return end(ComparisonState::Done);
  arm_ = schedule_[block_].arm == 'A' ? 0 : 1;
  if (block_ % 4 == 0 && spent_us_ > kGiveUp_us) {
    end(ComparisonState::Interrupted,
        "ended after " + std::to_string(block_ / 4) + " of " + std::to_string(found_.plan.quads) +
            " quads: frames became far slower than the first ones of " + fixed_text(frame_us_ * 1e-3, 1) + " ms");
  }
}

void InPlaceAb::cancel() {
  if (stage_ != Stage::Over) end(ComparisonState::Interrupted, "ended before its time");
}

/// Cuts what was not played; a block in the middle is kept as a partial one.
void InPlaceAb::end(ComparisonState state, std::string message) {
  stage_ = Stage::Over;
  found_.state = state;
  found_.message = std::move(message);
  const u32 kept = frame_ > kDroppedFrames ? frame_ - kDroppedFrames : 0;
  if (block_ < found_.blocks.size()) {
    BlockResult& last = found_.blocks[block_];
    last.partial = true;
    last.frames.resize(kept);
    found_.blocks.resize(block_ + (kept > 0 ? 1 : 0));
  }
}

float InPlaceAb::progress() const {
  constexpr float kCalibrationShare = 0.03f;
  switch (stage_) {
    case Stage::LeadIn:
      return 0.0f;
    case Stage::Calibration:
      return kCalibrationShare * static_cast<float>(arm_ * block_frames_ + frame_) /
             static_cast<float>(2 * block_frames_);
    case Stage::Measuring: {
      const auto all = static_cast<float>(blocks()) * static_cast<float>(block_frames_);
      const float played = static_cast<float>(block_) * static_cast<float>(block_frames_) + static_cast<float>(frame_);
      return kCalibrationShare + (1 - kCalibrationShare) * played / all;
    }
    case Stage::Over:
      break;
  }
  return 1.0f;
}

double InPlaceAb::left_s() const {
  if (stage_ != Stage::Measuring) return stage_ == Stage::Over ? 0 : budget_us_ * 1e-6;
  const double frames = static_cast<double>(blocks() - block_) * block_frames_ - frame_;
  const double played = static_cast<double>(block_) * block_frames_ + frame_;
  const double each_us = played > 0 ? spent_us_ / played : frame_us_;
  return frames * each_us * 1e-6;
}

Comparison InPlaceAb::take() {
  for (BlockResult& block : found_.blocks) block.figures = detailed_figures_of(block.frames);
  return std::move(found_);
}

}  // namespace spellpool::measure
