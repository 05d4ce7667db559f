#pragma once
#include <optional>

#include "app/play/stress_run.hpp"
#include "app/window/mode.hpp"

namespace spellpool::app {

/// "How many bullets?" While it measures, vsync is off and each frame is one step; then its result stands
/// until it is left.
class StressMode final : public GameMode {
 public:
  using GameMode::GameMode;

  ModeId id() const override { return ModeId::Stress; }
  Begin may_begin() override;
  void begin() override;
  void perform(frame::Action action) override;
  /// At the result it leaves.
  void press_cast() override;
  void end_frame(const frame::FrameRecord& record, bool drawn) override;
  bool leave() override;
  bool is_timed() const override { return run_ && !run_->done(); }
  /// Null unless it measures or shows its result. --json contains a run that the program ends in.
  const StressRun* run() const { return run_ ? &*run_ : nullptr; }

 private:
  void show() { run_->show(view()); }
  frame::StressView& view();
  void keep_result();

  std::optional<StressRun> run_;  // measures, or shows what it found
  bool begun_ = false;            // the world shows its bullets
};

}  // namespace spellpool::app
