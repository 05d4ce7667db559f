#pragma once
#include "app/window/mode.hpp"

namespace spellpool::app {

/// While the lab's comparison runs in a child process, the game stands still and draws seldom: whatever it
/// did would be measured too.
class LabMode final : public Interruption {
 public:
  using Interruption::Interruption;

  ModeId id() const override { return ModeId::Lab; }
  void frame() override;
  void perform(frame::Action action) override;
  bool goes_on() const override;
  void end() override {}

 private:
  i64 drawn_ns_ = 0;  // when the last frame was drawn
};

}  // namespace spellpool::app
