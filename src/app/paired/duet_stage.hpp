#pragma once
// Where a duet is seen: a window, or an offscreen picture of the same size, with one renderer for both worlds and the
// panels.
//
//   stage.draw(side, snapshot, alpha);      // each world into its own half: this is what is timed as drawing
//   stage.finish(model, requests);          // both halves and the panels into the window
//   stage.read(rgb) or stage.show()
#include <memory>
#include <string>
#include <vector>

#include "app/options.hpp"
#include "app/shell/imgui_host.hpp"
#include "platform/window.hpp"
#include "render/gl/picture_pair.hpp"
#include "render/renderer.hpp"
#include "ui/hud/duet.hpp"

namespace spellpool::app {

class DuetStage {
 public:
  /// A window of its own. "" or why there is nothing to draw on. `settings`: with the options in place already.
  std::string open(const PlayOptions& options, const frame::Settings& settings, const std::string& data_dir);
  /// On a window that shows something else before and after. All three outlive the stage.
  void borrow(platform::Window& window, render::Renderer& renderer, ImGuiHost& panels, const frame::Settings& settings);

  /// Takes the window's present size, with or without room for the strip. Before the first draw() of a picture.
  void fit(bool strip);
  /// Quality::Auto is High: what is timed must not change on the way.
  void set_looks(const frame::LookSettings& looks);
  void draw(std::size_t side, const frame::RenderSnapshot& snapshot, float alpha);
  void finish(const frame::PanelModel& model, frame::PanelRequests& requests);
  /// The finished picture, top row first, 3 bytes a pixel. False if OpenGL refuses.
  bool read(std::vector<u8>& rgb) const;

  /// Shows what finish() finished.
  void show();
  /// The present frame is painted into memory, and OpenGL has no part in showing it.
  bool in_pixels() const { return frame_.pixels != nullptr; }

  platform::Window& window() { return *window_; }
  render::Renderer& renderer() { return *renderer_; }
  ImGuiHost& panels() { return *panels_; }
  platform::Size size_px() const { return window_->drawable_px(); }
  /// Text scale for the panels at the present size.
  float text_scale() const;
  /// A world's half, in px of the framebuffer.
  const ui::Rect& half(std::size_t side) const { return places_.worlds[side]; }

 private:
  std::unique_ptr<platform::Window> own_window_;
  std::unique_ptr<render::Renderer> own_renderer_;
  std::unique_ptr<ImGuiHost> own_panels_;
  platform::Window* window_ = nullptr;
  render::Renderer* renderer_ = nullptr;
  ImGuiHost* panels_ = nullptr;
  std::unique_ptr<render::PicturePair> pictures_;  // released before its context
  float wanted_text_scale_ = 1, desktop_scale_ = 1;
  ui::DuetPlaces places_;
  frame::PixelFrame frame_;          // Without pixels: OpenGL shows the frame.
  bool panels_need_gl_ = false;
};

}  // namespace spellpool::app
