#include "app/paired/duet_stage.hpp"

#include <algorithm>

#include "app/play/hud.hpp"
#include "app/play/quality_governor.hpp"
#include "app/scene_hooks.hpp"
#include "core/log.hpp"

namespace spellpool::app {

std::string DuetStage::open(const PlayOptions& options, const frame::Settings& settings, const std::string& data_dir) {
  platform::WindowOptions wanted;
  wanted.title = "Spellpool duet";
  wanted.headless = options.headless;
  wanted.width = static_cast<int>(options.headless ? options.width : settings.window_width);
  wanted.height = static_cast<int>(options.headless ? options.height : settings.window_height);
  wanted.fullscreen = settings.fullscreen && !options.headless;
  wanted.vsync = settings.vsync && !options.headless;
  platform::WindowResult opened = platform::Window::open(wanted);
  if (!opened.window) return opened.error;
  if (!opened.warning.empty()) log(LogLevel::Warning, opened.warning);
  own_window_ = std::move(opened.window);
  own_window_->set_vsync(wanted.vsync);
  std::string error;
  render::RendererOptions drawn{data_dir + "/shaders", 1.0f, {}};
  drawn.figures_may_be_late = !options.headless;
  own_renderer_ = render::Renderer::create(drawn, error);
  if (!own_renderer_) return error;
  if (!own_renderer_->warning().empty()) log(LogLevel::Warning, own_renderer_->warning());
  own_renderer_->reserve(options.world.particle_capacity(), options.world.bullet_capacity());
  own_panels_ = std::make_unique<ImGuiHost>(*own_window_, !options.headless);
  borrow(*own_window_, *own_renderer_, *own_panels_, settings);
  const SceneHooks& scene = scene_hooks(options.world.scene);
  scene.make_figures(*renderer_);
  renderer_->warm_up(pictures_->target(0));
  scene.bake(*renderer_, pictures_->target(0));
  return {};
}

void DuetStage::borrow(platform::Window& window, render::Renderer& renderer, ImGuiHost& panels,
                       const frame::Settings& settings) {
  window_ = &window;
  renderer_ = &renderer;
  panels_ = &panels;
  set_looks(settings.looks);
  pictures_ = std::make_unique<render::PicturePair>();
  wanted_text_scale_ = settings.text_scale;
  fit(true);
}

float DuetStage::text_scale() const {
  return app::text_scale(wanted_text_scale_, window_->drawable_px().height, desktop_scale_);
}

void DuetStage::fit(bool strip) {
  desktop_scale_ = window_->headless() ? 1.0f : window_->dpi_scale();
  const platform::Size px = window_->drawable_px(), units = window_->size();
  if (px.width <= 0 || px.height <= 0 || units.width <= 0) return;
  // The panels count in the desktop's units, the halves in pixels.
  const float width = static_cast<float>(units.width), height = static_cast<float>(units.height);
  places_ = ui::duet_places(width, height, ui::design_scale(width, height, text_scale()), strip);
  const float dense = static_cast<float>(px.width) / width;
  for (ui::Rect& world : places_.worlds)
    world = {world.x0 * dense, world.y0 * dense, world.x1 * dense, world.y1 * dense};
  const ui::Rect& one = places_.worlds[0];
  pictures_->resize(static_cast<int>(one.width()), static_cast<int>(one.height()));
  renderer_->resize(pictures_->width_px(), pictures_->height_px(),
                    window_->headless() ? render::Settle::Now : render::Settle::Later);
  const bool paints = renderer_->software() && renderer_->paints_panels() && !panels_need_gl_;
  frame_ = paints ? window_->pixels() : frame::PixelFrame{};
}

void DuetStage::set_looks(const frame::LookSettings& looks) {
  renderer_->set_looks(with_quality(looks, frame::Quality::High));
}

void DuetStage::draw(std::size_t side, const frame::RenderSnapshot& snapshot, float alpha) {
  frame::PixelFrame half;
  if (in_pixels()) {
    const std::ptrdiff_t x = static_cast<int>(places_.worlds[side].x0), y = static_cast<int>(places_.worlds[side].y0);
    half = {frame_.pixels + y * frame_.stride + x, frame_.stride, pictures_->width_px(), pictures_->height_px()};
  }
  renderer_->paint_into(half);
  renderer_->show_view(side);
  renderer_->draw(snapshot, alpha, pictures_->target(side));
}

namespace {

/// Fills what lies around the two worlds, which are of one height and side by side.
void fill_around(const frame::PixelFrame& frame, const ui::DuetPlaces& places, int width, int height) {
  constexpr u32 kBackground = 0xFF07080Fu;
  const int top = static_cast<int>(places.worlds[0].y0), bottom = top + height;
  const int ends[] = {0,
                      static_cast<int>(places.worlds[0].x0),
                      static_cast<int>(places.worlds[0].x0) + width,
                      static_cast<int>(places.worlds[1].x0),
                      static_cast<int>(places.worlds[1].x0) + width,
                      frame.width};
  for (int y = 0; y < frame.height; ++y) {
    u32* const row = frame.pixels + static_cast<std::ptrdiff_t>(y) * frame.stride;
    if (y < top || y >= bottom) {
      std::fill_n(row, frame.width, kBackground);
      continue;
    }
    for (int gap = 0; gap < 3; ++gap)
      std::fill(row + ends[2 * gap], row + std::max(ends[2 * gap], ends[2 * gap + 1]), kBackground);
  }
}

}  // namespace

void DuetStage::show() {
  if (in_pixels()) window_->show_pixels();
  else window_->swap();
}

void DuetStage::finish(const frame::PanelModel& model, frame::PanelRequests& requests) {
  if (in_pixels()) {
    fill_around(frame_, places_, pictures_->width_px(), pictures_->height_px());
    panels_need_gl_ = !panels_->paint_onto(*renderer_, model, requests, frame_);  // from the next frame on
    return;
  }
  const platform::Size px = window_->drawable_px();
  pictures_->clear(px.width, px.height);
  for (std::size_t side = 0; side < 2; ++side) {
    pictures_->show(side, static_cast<int>(places_.worlds[side].x0), static_cast<int>(places_.worlds[side].y0),
                    px.height);
  }
  panels_->draw(model, requests, px.width, px.height);
}

bool DuetStage::read(std::vector<u8>& rgb) const {
  if (in_pixels()) {
    render::read_rgb(frame_, rgb);
    return true;
  }
  const platform::Size px = window_->drawable_px();
  return render::read_rgb(px.width, px.height, rgb);
}

}  // namespace spellpool::app
