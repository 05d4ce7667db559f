#pragma once
#include <string>

#include "frame/panel_model.hpp"
#include "ui/panels.hpp"

union SDL_Event;

namespace spellpool::platform {
class Window;
}

namespace spellpool::app {

/// Dear ImGui with its SDL and OpenGL backends around our panels. Its allocations are counted with ours.
/// Without input (headless) the panels are laid out for the picture's size and time goes by 1/60 s a frame.
class ImGuiHost {
 public:
  ImGuiHost(const platform::Window& window, bool input);
  ~ImGuiHost();
  ImGuiHost(const ImGuiHost&) = delete;
  ImGuiHost& operator=(const ImGuiHost&) = delete;

  void process(const SDL_Event& event);
  /// One frame of panels into the bound framebuffer of width × height pixels.
  void draw(const frame::PanelModel& model, frame::PanelRequests& requests, int width_px, int height_px);
  ui::UiState& state() { return state_; }

 private:
  void fit(float text_scale);

  const platform::Window& window_;
  bool input_;
  float scale_ = 0;
  ui::UiState state_;
};

}  // namespace spellpool::app
