#include "app/window/frame_drawing.hpp"

#include "app/window/window_parts.hpp"
#include "content/media/png.hpp"
#include "platform/clock.hpp"
#include "platform/display_loss.hpp"

namespace spellpool::app {

bool FrameDrawing::governs_quality() const {
  const bool measured =
      w_.game.options().is_measured() || w_.game.csv().recording() || w_.modes.current().is_timed();
  return w_.hud.state.settings.looks.quality == frame::Quality::Auto && !measured;
}

void FrameDrawing::show_looks() {
  HudState& hud = w_.hud.state;
  hud.quality_now = w_.shell.show_looks(hud.settings.looks, governs_quality());
}

void FrameDrawing::draw(const frame::RenderSnapshot& snapshot, float alpha, frame::PhaseSink& phases) {
  const platform::Size size = w_.shell.drawable_px();
  const bool copies_play = w_.modes.is(ModeId::QuickAb);
  render::Renderer& renderer = w_.shell.renderer();
  show_looks();
  renderer.resize(size.width, size.height, render::Settle::Later);
  w_.rewind.show_trails(copies_play);
  const bool in_memory = renderer.software() && renderer.paints_panels();
  renderer.paint_into(in_memory ? w_.shell.window().pixels() : frame::PixelFrame{});
  renderer.draw_held(snapshot, alpha);
  w_.rewind.keep_thumbnail(copies_play);
  phases.enter(frame::Phase::Ui);
  HudState& hud = w_.hud.state;
  const bool paused = hud.paused;
  hud.paused = paused || w_.playback.idle;
  fill_views(snapshot, alpha, size.width, size.height);
  w_.audio.show(hud);
  if (hud.memory_open) {
    if (!paused) w_.memory.tick();
    hud.memory = w_.memory.view(w_.world());
  } else {
    w_.memory.fill_loads(w_.world(), hud.memory);
  }
  hud.drawn_by = renderer.path();
  hud.figure_pool = renderer.figure_pool();
  hud.replay = w_.modes.playing().replay_view();
  hud.rewind = w_.rewind.view();
  const frame::PanelModel& model = w_.hud.model(w_.game, size.height);
  hud.paused = paused;
  frame::PanelRequests requests;
  const render::Film& film = w_.rewind.film();
  w_.shell.panels().know_image(film.texture(), film.image());
  w_.shell.panels().draw_over(renderer, model, requests, &phases);
  if (platform::window_lost()) return;
  w_.actions.apply(requests);
  w_.files.write_layout(w_.shell.panels(), w_.world().steps());
  if (w_.files.wants_screenshot()) w_.files.take_screenshot(renderer);
  phases.enter(frame::Phase::Swap);
  if (w_.shell.panels().in_pixels()) w_.shell.window().show_pixels();
  else w_.shell.window().swap();
}

void FrameDrawing::draw_panels_alone(frame::PanelRequests& requests) {
  const platform::Size size = w_.shell.drawable_px();
  const render::Renderer& renderer = w_.shell.renderer();
  ImGuiHost& panels = w_.shell.panels();
  platform::Window& window = w_.shell.window();
  const frame::PanelModel& model = w_.hud.model(w_.game, size.height);
  const bool in_memory = renderer.software() && renderer.paints_panels();
  const frame::PixelFrame pixels = in_memory ? window.pixels() : frame::PixelFrame{};
  const bool painted =
      pixels.pixels != nullptr && panels.paint_onto(w_.shell.renderer(), model, requests, pixels);
  if (!painted && platform::window_lost_now()) return;
  if (!painted) panels.draw(model, requests, size.width, size.height);
  if (platform::window_lost()) return;
  w_.actions.apply(requests);
  w_.files.write_layout(panels, w_.world().steps());
  if (w_.files.wants_screenshot()) {
    std::vector<u8> rgb;
    if (painted) render::read_rgb(pixels, rgb);
    else if (!render::read_rgb(size.width, size.height, rgb)) rgb.clear();
    w_.files.take_screenshot(painted ? platform::Size{pixels.width, pixels.height} : size, std::move(rgb));
  }
  if (painted) window.show_pixels();
  else window.swap();
}

void FrameDrawing::fill_views(const frame::RenderSnapshot& snapshot, float alpha, int width_px,
                              int height_px) {
  HudState& hud = w_.hud.state;
  const render::View view = render::view_of(snapshot, alpha, width_px, height_px);
  hud.slot_map = slots_->view(w_.world(), slot_request_, {view, alpha});
  if (hud.lab_open) hud.lab = w_.lab.view();
}

void FrameDrawing::draw_title_at_once() {
  const platform::Size size = w_.shell.drawable_px();
  ImGuiHost& panels = w_.shell.panels();
  w_.hud.state.title.starting = true;
  const frame::PanelModel& model = w_.hud.model(w_.game, size.height);
  if (!panels.draw_alone(model, size.width, size.height)) {
    frame::PanelRequests ignored;
    panels.draw(model, ignored, size.width, size.height);
  }
  w_.shell.window().swap();
  w_.hud.state.title.starting = false;
  w_.game.note_first_frame(platform::now_ns());
}

void FrameDrawing::warm_up() {
  render::Renderer& renderer = w_.shell.renderer();
  // Software WebGL takes several seconds for it. Spells are not seen until their programs are there.
  if (platform::kInBrowser && renderer.software()) return renderer.begin_spells();
  renderer.warm_up();
}

void FrameDrawing::warm_up_panels() {
  using Phase = frame::ChallengeView::Phase;
  const platform::Size size = w_.shell.drawable_px();
  frame::PanelModel plain = w_.hud.model(w_.game, size.height);
  plain.learn = nullptr;  // the program may start with the lessons
  plain.lab = {};         // what closed panels showed last may be gone
  plain.voices = {};
  const auto draw = [&](const std::function<void(frame::PanelModel&)>& change) {
    frame::PanelModel model = plain;
    change(model);
    for (int pass = 0; pass < 2; ++pass) w_.shell.panels().warm_up(w_.shell.renderer(), model);
  };
  draw([](frame::PanelModel& m) { m.pool_panel = m.graph = m.hint = true; });
  for (const Phase phase : {Phase::Countdown, Phase::Running, Phase::Over}) {
    draw([phase](frame::PanelModel& m) {
      m.challenge.phase = phase;
      m.challenge.left_s = 2.0f;
      m.challenge.finale = 1.0f;
      m.combo = m.challenge.result.best_combo = 99;
    });
  }
  draw([](frame::PanelModel& m) { m.scores_open = true; });
  if (const frame::ReplayView replay = w_.modes.playing().replay_view(); replay.shown) {
    draw([&replay](frame::PanelModel& m) { m.replay = replay; });
  }
  draw([](frame::PanelModel& m) { m.voices_open = true; });
  draw([](frame::PanelModel& m) { m.help = true; });
  draw([](frame::PanelModel& m) { m.lab.open = true; });
  draw([](frame::PanelModel& m) { m.title.shown = m.title.can_continue = true; });
  draw([](frame::PanelModel& m) { m.ab.state = frame::QuickAbView::State::Running; });
  w_.hooks().warm_up_panels(w_.world(), draw);
  draw([](frame::PanelModel&) {});
}

std::string FrameDrawing::save_last_frame(const std::string& path) {
  if (platform::window_lost()) return "--screenshot: the window was gone before the last picture";
  const frame::RenderSnapshot& last = w_.world().build_snapshot(w_.hud.state.settings.looks);
  render::Renderer& renderer = w_.shell.renderer();
  renderer.paint_into({});
  renderer.draw_held(last, 1.0f);
  const int width = renderer.width_px(), height = renderer.height_px();
  frame::PanelRequests requests;
  fill_views(last, 1.0f, width, height);
  if (!w_.hud.state.hidden) w_.shell.panels().draw_over(renderer, w_.hud.model(w_.game, height), requests);
  renderer.present();
  std::vector<u8> rgb;
  if (!render::read_rgb(width, height, rgb))
    return "--screenshot: the picture could not be read back from OpenGL";
  const u32 w = static_cast<u32>(width), h = static_cast<u32>(height);
  return content::write_png(path, w, h, rgb, "Spellpool", content::Overwrite::Yes);
}

}  // namespace spellpool::app
