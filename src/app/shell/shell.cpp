#include "app/shell/shell.hpp"

#include "core/log.hpp"
#include "platform/display_loss.hpp"
#include "ui/kit/layout.hpp"

namespace spellpool::app {

std::string Shell::open_window(const frame::Settings& settings) {
  platform::WindowOptions wanted;
  wanted.width = static_cast<int>(settings.window_width);
  wanted.height = static_cast<int>(settings.window_height);
  wanted.fullscreen = settings.fullscreen;
  wanted.vsync = settings.vsync;
  // Fonts for the window as it is asked for; the rare other one bakes its own. A page's window has the page's size.
  const auto begin_fonts = [&](int width, int height, int height_px, float desktop_scale) {
    const float scale = text_scale(settings.text_scale, height_px, desktop_scale);
    fonts_.emplace(ui::design_scale(static_cast<float>(width), static_cast<float>(height), scale));
  };
  if (!wanted.fullscreen && !platform::kInBrowser) begin_fonts(wanted.width, wanted.height, wanted.height, 1);
  platform::WindowResult opened = platform::Window::open(wanted);
  if (!opened.window) return opened.error;
  if (!opened.warning.empty()) log(LogLevel::Warning, opened.warning);
  window_ = std::move(opened.window);
  const platform::Size size = window_->size();
  if (platform::kInBrowser) begin_fonts(size.width, size.height, window_->drawable_px().height, window_->dpi_scale());
  return {};
}

void Shell::open_panels() {
  panels_ = std::make_unique<ImGuiHost>(*window_, true, fonts_ ? &*fonts_ : nullptr);
  fonts_.reset();
}

std::string Shell::open_renderer(const std::string& shader_dir) {
  std::string error;
  render::RendererOptions options{shader_dir, 1.0f, {}};
  options.figures_may_be_late = true;
  std::unique_ptr<render::Renderer> made = render::Renderer::create(options, error);
  if (made) renderer_ = std::move(made);
  return error;
}

void Shell::open_events(frame::Scenes scene, const frame::Settings& settings) {
  events_ = std::make_unique<platform::Events>();
  if (!events_->warning().empty()) log(LogLevel::Warning, events_->warning());
  events_->set_scene(scene);
  events_->set_bindings(settings.bindings);
  if (!events_->binding_warning().empty()) log(LogLevel::Warning, events_->binding_warning());
  window_->show_cursor(true);
  display_hz_ = window_->display_hz();
}

bool Shell::visible() const {
  const platform::Size size = window_->drawable_px();
  return !window_->minimised() && size.width > 0 && size.height > 0 && !quit_;
}

const platform::FrameEvents& Shell::poll() {
  const platform::FrameEvents& events = events_->poll(*window_, ImGuiHost::on_raw_event, panels_.get());
  if (events.quit || platform::window_lost()) quit_ = true;
  return events;
}

void Shell::set_vsync(bool on) { vsync_works_ = window_->set_vsync(on) || !on; }

void Shell::resized(HudState& hud) {
  hud.desktop_scale = window_->dpi_scale();
  display_hz_ = window_->display_hz();
  governor_.interrupt();  // a border that is being dragged
}

frame::Quality Shell::show_looks(const frame::LookSettings& wanted, bool governed) {
  const frame::LookSettings looks = with_quality(wanted, governed ? governor_.level() : frame::Quality::High);
  if (looks == looks_shown_) return looks.quality;
  looks_shown_ = looks;
  renderer_->set_looks(looks);
  return looks.quality;
}

void Shell::govern(const frame::FrameRecord& record, double passed_s, const frame::Settings& settings) {
  const bool waits = settings.vsync && vsync_works_;
  governor_.aim(rate_to_hold(settings.frame_cap, settings.vsync, waits ? display_hz_ : 0));
  const double swap_us = static_cast<double>(record.phase_us[static_cast<std::size_t>(frame::Phase::Swap)]);
  const FrameTimes times{static_cast<double>(record.frame_us) * 1e-3, swap_us * 1e-3, passed_s * 1e3, waits};
  governor_.note(work_ms(times, governor_.budget_ms()), times.passed_ms);
}

}  // namespace spellpool::app
