#pragma once
#include <array>
#include <string>

#include "app/game.hpp"
#include "frame/panel_model.hpp"

namespace spellpool::app {

/// What is open and what has to be said: the part of the panels' model that is not the game's.
struct HudState {
  bool help = false, pool_panel = false, graph = false, hidden = false, hint = true;
  bool paused = false, slow_motion = false, muted = false, fullscreen = false;
  /// Frames whose times are shown, at most: a headless run knows only those that it drew.
  std::size_t shown_frames = ~std::size_t{0};
  frame::GraphScale graph_scale = frame::GraphScale::Automatic;
  float user_text_scale = 1.0f;
  std::string notice, error, build_note;
};

/// Gathers a PanelModel each frame, without allocating.
class Hud {
 public:
  explicit Hud(const PlayOptions& options);
  HudState state;

  /// The model's spans and strings point into the hud, the game and constant tables: use it before either changes.
  const frame::PanelModel& model(Game& game, int height_px);

 private:
  std::array<frame::ChoiceRow, pool::kStrategyCount> strategies_{};
  std::array<frame::ChoiceRow, pool::kPolicyCount> policies_{};
  std::array<frame::PoolRow, frame::kPoolCount> pools_{};
  std::array<u64, 60> rejected_{};   // totals at the last 60 model() calls
  std::size_t next_rejected_ = 0;
  u64 last_new_calls_ = 0;
  frame::PanelModel model_;
};

}  // namespace spellpool::app
