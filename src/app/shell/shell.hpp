#pragma once
// The window and what draws into it: events, renderer, panels; the pace of its frames and the quality that
// holds that pace. It knows no game.
#include <memory>
#include <optional>
#include <string>

#include "app/play/hud.hpp"
#include "app/play/quality_governor.hpp"
#include "app/shell/frame_pacer.hpp"
#include "app/shell/imgui_host.hpp"
#include "frame/frame_record.hpp"
#include "platform/events.hpp"
#include "platform/window.hpp"
#include "render/renderer.hpp"

namespace spellpool::app {

class Shell {
 public:
  /// "" or an error line.
  std::string open_window(const frame::Settings& settings);
  /// After open_window(). In a browser it takes a fifth of a second.
  void open_panels();
  std::string open_renderer(const std::string& shader_dir);
  void open_events(frame::Scenes scene, const frame::Settings& settings);

  platform::Window& window() { return *window_; }
  platform::Events& events() { return *events_; }
  render::Renderer& renderer() { return *renderer_; }
  ImGuiHost& panels() { return *panels_; }
  platform::Size drawable_px() const { return window_->drawable_px(); }
  /// The frame is visible: the window is neither minimised nor hidden.
  bool visible() const;

  /// The frame's events. A window that was closed quits.
  const platform::FrameEvents& poll();
  void quit() { quit_ = true; }
  bool quits() const { return quit_; }

  /// The player's choice of vsync and fullscreen, after it changed.
  void set_vsync(bool on);
  void set_fullscreen(bool on) { window_->set_fullscreen(on); }
  int display_hz() const { return display_hz_; }
  /// The window has another size, or is on another display.
  void resized(HudState& hud);
  /// Sleeps until the next frame's time, where a cap or a vsync that does not work asks for it.
  void pace(const frame::Settings& settings) { pacer_.wait(settings, vsync_works_); }

  /// The renderer draws with these looks; where their quality is Auto, with what holds the frame rate, or
  /// with High while `governed` is false. Returns the quality.
  frame::Quality show_looks(const frame::LookSettings& wanted, bool governed);
  /// Draws with the looks that were last shown, after something else drew.
  void restore_looks() { renderer_->set_looks(looks_shown_); }
  /// A frame's times, for the quality; `passed_s` since the frame before.
  void govern(const frame::FrameRecord& record, double passed_s, const frame::Settings& settings);
  QualityGovernor& governor() { return governor_; }

 private:
  std::unique_ptr<platform::Window> window_;
  std::unique_ptr<platform::Events> events_;
  std::unique_ptr<render::Renderer> renderer_;
  std::optional<EarlyFonts> fonts_;  // between open_window() and open_panels()
  std::unique_ptr<ImGuiHost> panels_;
  bool quit_ = false;
  bool vsync_works_ = true;
  int display_hz_ = 0;     // 0: not known
  FramePacer pacer_;
  QualityGovernor governor_;
  frame::LookSettings looks_shown_;  // with what Auto came to
};

}  // namespace spellpool::app
