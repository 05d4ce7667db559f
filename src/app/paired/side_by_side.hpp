#pragma once
// Side by side in the game's own window: the player's moment twice, in new/delete and in a pooled strategy, under a
// heavy load, until the player leaves. The game itself is not touched: both worlds are copies.
#include "app/paired/duet.hpp"
#include "app/paired/duet_hud.hpp"
#include "app/paired/duet_stage.hpp"
#include "app/paired/duet_window.hpp"

namespace spellpool::app {

class SideBySide {
 public:
  /// What shows the game before and after. All outlive it.
  struct Screen {
    platform::Window& window;
    platform::Events& events;
    render::Renderer& renderer;
    ImGuiHost& panels;
  };

  /// Two worlds like `like`, in new/delete and in `pooled`, that begin with `from`, and a picture of them. Some 100 ms.
  SideBySide(const Screen& screen, const PlayOptions& options, const sim::WorldConfig& like, pool::StrategyId pooled,
             const frame::Settings& settings, const sim::WorldState& from);

  /// One frame. False: the player left, or the window was closed.
  bool frame() { return window_.frame(); }
  bool closed() const { return window_.closed(); }
  /// Waits for pictures that are being written, and compares the hashes once more.
  void close();
  /// As the player left them: fullscreen and draw path may have changed.
  const frame::Settings& settings() const { return hud_.settings; }

 private:
  PlayOptions options_;
  Duet duet_;
  DuetHud hud_;
  DuetStage stage_;
  DuetWindow window_;
};

/// `like` with a load under which the strategies differ: the player's own, with a churn of 20 at least.
sim::WorldConfig heavy_load(sim::WorldConfig like);

}  // namespace spellpool::app
