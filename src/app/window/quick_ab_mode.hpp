#pragma once
#include <memory>
#include <optional>

#include "app/paired/quick_ab.hpp"
#include "app/window/mode.hpp"
#include "measure/record/frame_recorder.hpp"

namespace spellpool::app {

/// The quick A/B: two copies of the player's world take turns, with vsync off, until its blocks are done or
/// it is cancelled. The player's world is never touched.
class QuickAbMode final : public Interruption {
 public:
  using Interruption::Interruption;

  ModeId id() const override { return ModeId::QuickAb; }
  Begin may_begin() override;
  void begin() override;
  void frame() override;
  void perform(frame::Action action) override;
  bool is_timed() const override { return true; }
  bool goes_on() const override { return !ab_->done(); }
  void end() override;

 private:
  std::optional<QuickAb> ab_;
  std::unique_ptr<measure::FrameRecorder> recorder_;
  bool resized_ = false;                 // while it measured
  std::unique_ptr<QuickAbTexts> texts_;  // what the HUD's card points to, once it is over
};

}  // namespace spellpool::app
