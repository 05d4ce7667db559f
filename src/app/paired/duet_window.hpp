#pragma once
// A duet in a window: at most one step of both worlds a frame, sixty a second where the machine keeps up, and without
// sound: nothing but the two worlds shall run.
#include <optional>

#include "app/background_task.hpp"
#include "app/paired/duet.hpp"
#include "app/paired/duet_hud.hpp"
#include "app/paired/duet_input.hpp"
#include "app/paired/duet_stage.hpp"
#include "app/shell/frame_pacer.hpp"
#include "app/shell/quit_question.hpp"
#include "core/fixed_step.hpp"
#include "platform/events.hpp"

namespace spellpool::app {

class DuetWindow {
 public:
  /// All outlive it. Takes over the events' scene and bindings.
  DuetWindow(const PlayOptions& options, Duet& duet, DuetStage& stage, DuetHud& hud, platform::Events& events);

  /// One frame. False ends the loop: the player left, the window was closed, all steps were played, or the
  /// worlds differ in an unattended run.
  bool frame();
  /// The program is to end: the window was closed or destroyed, or a signal asked for it.
  bool closed() const { return closed_; }
  /// Waits for pictures that are still being written.
  void close();

 private:
  void perform(frame::Action action);
  void set_load(const frame::Load& load);
  void explain(frame::Action action);
  bool step_due(double passed_s);
  void play(bool visible);
  void show();
  void take_screenshot();
  void write_layout();
  void pace(bool visible);

  const PlayOptions& options_;
  Duet& duet_;
  DuetStage& stage_;
  DuetHud& hud_;
  platform::Events& events_;
  DuetInput hand_;
  FixedStep clock_{1};
  BackgroundTask picture_task_, layout_task_;
  std::array<const frame::RenderSnapshot*, 2> snapshots_{};
  bool alone_;                      // unattended: takes no input from a player and waits for none
  bool vsync_works_ = true;
  bool single_step_ = false, idle_ = false, quit_ = false, closed_ = false, want_screenshot_ = false, told_ = false;
  float alpha_ = 1;
  i64 last_ns_ = 0;
  FramePacer pacer_;
  QuitQuestion question_;
  u64 frames_ = 0;
};

}  // namespace spellpool::app
