#pragma once
#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "app/shell/async_result.hpp"
#include "frame/panel_mesh.hpp"
#include "frame/phase.hpp"
#include "frame/pixel_frame.hpp"
#include "frame/views/panel_model.hpp"
#include "platform/events.hpp"
#include "ui/panels.hpp"

union SDL_Event;
struct ImFontAtlas;

namespace spellpool::platform {
class Window;
}

namespace spellpool::render {
class Renderer;
}

namespace spellpool::app {

/// The panels' fonts, baked on a thread of their own while a window is opened: 50 ms of a start. Made before
/// the first ImGuiHost.
class EarlyFonts {
 public:
  struct Free {
    void operator()(ImFontAtlas* atlas) const;
  };
  using Atlas = std::unique_ptr<ImFontAtlas, Free>;

  explicit EarlyFonts(float scale);
  float scale() const { return scale_; }
  /// Waits for them. Once.
  Atlas take() { return atlas_->get(); }

 private:
  float scale_;
  std::optional<AsyncResult<Atlas>> atlas_;
};

/// Dear ImGui with its SDL and OpenGL backends around our panels. Its allocations are counted with ours.
/// Without input (headless) the panels are laid out for the picture's size and time goes by 1/60 s a frame.
class ImGuiHost {
 public:
  /// Without `fonts`, or where they do not fit, the first frame bakes them.
  ImGuiHost(const platform::Window& window, bool input, EarlyFonts* fonts = nullptr);
  ~ImGuiHost();
  ImGuiHost(const ImGuiHost&) = delete;
  ImGuiHost& operator=(const ImGuiHost&) = delete;

  /// What the panels want from this event on; of a press, whether they want that one.
  platform::UiWants process(const SDL_Event& event);
  /// For Events::poll(), whose context is the host.
  static platform::UiWants on_raw_event(void* host, const SDL_Event& event) {
    return static_cast<ImGuiHost*>(host)->process(event);
  }
  /// Recreates the panels' OpenGL objects after the context was lost.
  void restore_graphics();
  /// One frame of panels by OpenGL into the bound framebuffer of width × height pixels.
  void draw(const frame::PanelModel& model, frame::PanelRequests& requests, int width_px, int height_px);
  /// One frame of panels on nothing, into the window, before anything else is drawn: painted on the CPU,
  /// since OpenGL would compile a shader first. False: it must be drawn by draw().
  bool draw_alone(const frame::PanelModel& model, int width_px, int height_px);
  /// A frame of panels that is not shown, so that the memory they need is there. By OpenGL only where
  /// draw_over() would draw them so.
  void warm_up(const render::Renderer& renderer, const frame::PanelModel& model);
  /// One frame of panels over what Renderer::draw_held() drew, which is presented: painted on the CPU where
  /// that painted the picture too. Phases Ui, and Render for what presenting takes.
  void draw_over(render::Renderer& renderer, const frame::PanelModel& model, frame::PanelRequests& requests,
                 frame::PhaseSink* phases = nullptr);
  ui::UiState& state() { return state_; }
  /// Panels that show the texture of this OpenGL name can be painted on the CPU, from this image; not where
  /// it has no texels. One texture only.
  void know_image(u64 texture, const frame::PanelImage& image);
  /// The last frame of panels was painted on the CPU.
  bool painted() const { return painted_; }
  /// It left the frame in the renderer's pixels: Window::show_pixels() shows it, and not swap().
  bool in_pixels() const { return in_pixels_; }
  /// One frame of panels over a frame in memory. False: they need OpenGL, and nothing was painted.
  bool paint_onto(render::Renderer& renderer, const frame::PanelModel& model, frame::PanelRequests& requests,
                  const frame::PixelFrame& frame);

 private:
  void forward(const SDL_Event& event);
  /// Fonts and sizes for this many pixels a design unit; 0: nothing will be drawn.
  void fit(float scale);
  void lay_out(const frame::PanelModel& model, frame::PanelRequests& requests, int width_px, int height_px);
  /// True: the key was pressed since the last frame of panels, which must see it held once; its release comes
  /// after that.
  bool comes_later(const SDL_Event& released);
  void release_late_keys();
  /// Collects the frame's mesh for the renderer. False: the frame needs OpenGL, for an image that is not
  /// known or a draw callback.
  bool gather_mesh();

  EarlyFonts::Atlas atlas_;          // Outlives the context. Null: the context has its own.
  const platform::Window& window_;
  bool input_;
  bool mouse_inside_ = false;
  float mouse_x_ = 0, mouse_y_ = 0;  // in the window's own units
  u32 held_buttons_ = 0;             // a bit each
  float scale_ = 0;
  std::array<i32, 8> pressed_keys_{}, late_keys_{};  // scancodes: pressed since the last frame; let go since, too
  std::size_t pressed_count_ = 0, late_count_ = 0;
  ui::UiState state_;
  std::vector<frame::PanelVertex> vertices_;
  std::vector<u32> indices_;
  std::vector<frame::PanelCommand> commands_;
  u64 image_texture_ = 0;
  frame::PanelImage image_;
  bool painted_ = false, in_pixels_ = false;
  frame::PanelMesh mesh_;
};

}  // namespace spellpool::app
