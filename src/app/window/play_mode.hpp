#pragma once
#include "app/window/mode.hpp"

namespace spellpool::app {

class TitleMode;

/// The player's game, or demo mode.
class PlayMode final : public GameMode {
 public:
  PlayMode(WindowParts& parts, TitleMode& title) : GameMode(parts), title_(title) {}

  ModeId id() const override { return ModeId::Play; }
  void begin() override { quiet_s_ = 0; }
  /// After a while without input the title comes back; the game waits behind it, and any input brings it
  /// back.
  void watch(const platform::FrameEvents& events, double passed_s) override;
  void go_back() override;
  /// Only for a game that a player can turn back: none of known length, and none that is recorded to CSV.
  bool keeps_history() const override;

 private:
  TitleMode& title_;
  double quiet_s_ = 0;  // since the last sign of a player
};

}  // namespace spellpool::app
