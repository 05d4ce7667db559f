#include "app/paired/duet_stage.hpp"

#include <algorithm>

#include "app/play/quality_governor.hpp"
#include "app/play/scene_hooks.hpp"
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
  own_renderer_ = render::Renderer::create({data_dir + "/shaders", 1.0f, {}}, error);
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

void DuetStage::borrow(platform::Window& window, render::Renderer& renderer, ImGuiHost& panels, const frame::Settings& settings) {
  window_ = &window;
  renderer_ = &renderer;
  panels_ = &panels;
  set_looks(settings.looks);
  pictures_ = std::make_unique<render::PicturePair>();
  wanted_text_scale_ = settings.text_scale;
  fit(true);
}

float DuetStage::text_scale() const {
  // As Hud has it: text grows with the window, but on a dense display a small one must be readable too.
  constexpr float kLeast = 0.75f;
  const platform::Size size = window_->drawable_px();
  return wanted_text_scale_ * std::max(static_cast<float>(size.height) / frame::kViewHeight, kLeast * desktop_scale_);
}

void DuetStage::fit(bool strip) {
  desktop_scale_ = window_->headless() ? 1.0f : window_->dpi_scale();
  const platform::Size px = window_->drawable_px(), units = window_->size();
  if (px.width <= 0 || px.height <= 0 || units.width <= 0) return;
  // The panels count in the desktop's units, the halves in pixels.
  const float width = static_cast<float>(units.width), height = static_cast<float>(units.height);
  places_ = ui::duet_places(width, height, ui::design_scale(width, height, text_scale()), strip);
  const float dense = static_cast<float>(px.width) / width;
  for (ui::Rect& world : places_.worlds) world = {world.x0 * dense, world.y0 * dense, world.x1 * dense, world.y1 * dense};
  const ui::Rect& one = places_.worlds[0];
  pictures_->resize(static_cast<int>(one.width()), static_cast<int>(one.height()));
  renderer_->resize(pictures_->width_px(), pictures_->height_px(), window_->headless() ? render::Settle::Now : render::Settle::Later);
}

void DuetStage::set_looks(const frame::LookSettings& looks) { renderer_->set_looks(with_quality(looks, frame::Quality::High)); }

void DuetStage::draw(std::size_t side, const frame::RenderSnapshot& snapshot, float alpha) {
  renderer_->draw(snapshot, alpha, pictures_->target(side));
}

void DuetStage::finish(const frame::PanelModel& model, frame::PanelRequests& requests) {
  const platform::Size px = window_->drawable_px();
  pictures_->clear(px.width, px.height);
  for (std::size_t side = 0; side < 2; ++side) {
    pictures_->show(side, static_cast<int>(places_.worlds[side].x0), static_cast<int>(places_.worlds[side].y0), px.height);
  }
  panels_->draw(model, requests, px.width, px.height);
}

bool DuetStage::read(std::vector<u8>& rgb) const {
  const platform::Size px = window_->drawable_px();
  return render::read_rgb(px.width, px.height, rgb);
}

}  // namespace spellpool::app
