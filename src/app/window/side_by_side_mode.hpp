#pragma once
#include <memory>

#include "app/paired/side_by_side.hpp"
#include "app/window/mode.hpp"

namespace spellpool::app {

/// Side by side: two copies of the player's world under a heavy load, until the player leaves. The player's
/// world is never touched.
class SideBySideMode final : public Interruption {
 public:
  using Interruption::Interruption;

  ModeId id() const override { return ModeId::SideBySide; }
  void begin() override;
  void frame() override;
  void perform(frame::Action) override {}  // its window reads them
  bool goes_on() const override { return goes_on_; }
  void end() override;

 private:
  std::unique_ptr<SideBySide> shown_;
  bool goes_on_ = true;
};

}  // namespace spellpool::app
