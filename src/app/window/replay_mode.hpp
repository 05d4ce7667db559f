#pragma once
#include "app/window/mode.hpp"
#include "app/window/replay_transport.hpp"

namespace spellpool::app {

/// A replay is watched: at a speed that is chosen, or on the way to a step that is sought.
class ReplayMode final : public GameMode {
 public:
  explicit ReplayMode(WindowParts& parts);

  ModeId id() const override { return ModeId::Replay; }
  void perform(frame::Action action) override;
  void play_steps(const platform::FrameEvents& events, double passed_s) override;
  void take(const frame::PanelRequests& requests) override;
  bool runs_plainly() const override;
  /// It stays at its end.
  bool ends_with_game() const override { return false; }
  frame::ReplayView replay_view() override;

 private:
  bool perform_on_replay(frame::Action action);
  void seek(u64 step);
  void seek_on(i64 begin_ns);
  void note_marks();

  ReplayTransport transport_;
  std::vector<frame::ReplayMark> index_marks_;  // what was found in the background
  bool timeline_held_ = false;
};

}  // namespace spellpool::app
