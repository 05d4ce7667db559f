#pragma once
#include <memory>

#include "app/pools/slot_map_feed.hpp"
#include "frame/phase.hpp"
#include "frame/views/panel_model.hpp"

namespace spellpool::app {

struct WindowParts;

/// One visible frame: the world, the panels over it, what the panels ask for, the swap.
class FrameDrawing {
 public:
  explicit FrameDrawing(WindowParts& parts) : w_(parts) {}
  void open() { slots_ = std::make_unique<SlotMapFeed>(); }

  void draw(const frame::RenderSnapshot& snapshot, float alpha, frame::PhaseSink& phases);
  /// Panels without a game behind them, which fill the window; applies what they ask for.
  void draw_panels_alone(frame::PanelRequests& requests);
  /// The title by Dear ImGui alone, before any of the game's shaders is compiled.
  void draw_title_at_once();
  /// Draws one of everything, unseen; see Renderer::warm_up().
  void warm_up();
  /// Draws once, unseen, what a game shows sooner or later: Dear ImGui allocates a window's memory when it
  /// first opens, and no measured frame should do that.
  void warm_up_panels();
  /// Draws the last frame again for --screenshot, and writes it. "" or an error line.
  std::string save_last_frame(const std::string& path);
  /// The slots of this pool are shown from the next frame on.
  void watch_slots(const frame::SlotMapRequest& request) { slot_request_ = request; }
  /// Auto quality follows frame times: nothing that is measured runs.
  bool governs_quality() const;
  void show_looks();

 private:
  void fill_views(const frame::RenderSnapshot& snapshot, float alpha, int width_px, int height_px);

  WindowParts& w_;
  std::unique_ptr<SlotMapFeed> slots_;
  frame::SlotMapRequest slot_request_;
};

}  // namespace spellpool::app
