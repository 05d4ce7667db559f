// A frame of a mode that plays: events, input, parts, steps, drawing. Earlier parts may make another mode the
// current one; the rest of the frame is then that mode's.
#include <chrono>
#include <thread>

#include "app/window/window_parts.hpp"
#include "platform/clock.hpp"

namespace spellpool::app {
namespace {

constexpr double kPrewarm_us = 500.0;    ///< Of a frame, until all slots are ready.
constexpr double kSlowMotion = 0.25;     ///< Of the speed,
constexpr double kSlotMotion = 0.0625;   ///< and while single slots are watched.
constexpr std::chrono::milliseconds kHiddenFrame{30};

}  // namespace

void GameMode::frame() {
  Playback& playback = w_.playback;
  if (!playback.prewarmed) playback.prewarmed = w_.world().prewarm(kPrewarm_us);
  w_.audio.forget_clicks();
  w_.shell.events().point_with_pad(w_.actions.anything_open());
  w_.game.begin_frame();
  const platform::FrameEvents& events = w_.shell.poll();
  const i64 now_ns = platform::now_ns();
  const double passed_s = static_cast<double>(now_ns - playback.last_ns) * 1e-9;
  playback.last_ns = now_ns;

  w_.actions.listen(events);
  watch(events, passed_s);
  take_frame_input(events);
  update_parts(events, now_ns, passed_s);
  w_.modes.playing().play_steps(events, passed_s);
  w_.rewind.follow(now_ns, passed_s);
  watch_world();

  const bool drawn = draw_frame();
  const frame::FrameRecord& record = w_.game.end_frame();
  if (drawn) govern_quality(record, passed_s);
  w_.modes.playing().end_frame(record, drawn);
  if (w_.game.csv().failed()) w_.actions.toggle_recording();
  if (!drawn) std::this_thread::sleep_for(kHiddenFrame);
  else if (!w_.modes.playing().is_timed()) w_.shell.pace(w_.hud.state.settings);
}

void GameMode::take_frame_input(const platform::FrameEvents& events) {
  HudState& hud = w_.hud.state;
  Playback& playback = w_.playback;
  const bool rests = hud.paused || playback.idle;
  w_.latch.hold(events, rests);
  w_.modes.playing().take_input(events);
  if (hud.has_cast && hud.has_compared) hud.hint = false;
  if (w_.latch.pressed.cast && !rests && hud.hint && !hud.has_cast) {
    hud.has_cast = true;
    hud.settings.newcomer = false;
    w_.files.settings_changed();
  }
  w_.follow_focus(events);
}

void GameMode::take_input(const platform::FrameEvents& events) {
  if (w_.latch.muted()) return;
  SceneContext context = w_.scene_context();
  const bool begins = w_.scene().takes_start(events, context);
  for (std::size_t i = 0; i < events.action_count; ++i) {
    if (begins && events.actions[i] == frame::Action::Pause) continue;
    const bool open = w_.actions.anything_open();
    w_.modes.playing().perform(events.actions[i]);
    w_.actions.answer_key(events.actions[i], open);
  }
  w_.latch.turn_wheel(events.wheel);
  if (events.cast_pressed) w_.modes.playing().press_cast();
  w_.latch.press(events);
}

void GameMode::press_cast() { w_.latch.pressed.cast = true; }

void GameMode::perform(frame::Action action) { w_.actions.perform(action); }

void GameMode::go_back() { w_.actions.ask_to_quit(); }

void GameMode::update_parts(const platform::FrameEvents& events, i64 now_ns, double passed_s) {
  w_.audio.follow_device(events, now_ns);
  w_.audio.update(w_.hud.state);
  w_.follow_lab();
  w_.content.reload_changed(w_.shell.renderer());
  w_.files.collect();
  w_.files.follow(passed_s);
  if (events.resized) w_.remember_size();
}

void GameMode::play_steps(const platform::FrameEvents& events, double passed_s) {
  Playback& playback = w_.playback;
  HudState& hud = w_.hud.state;
  const double slow = hud.slot_map_open ? kSlotMotion : kSlowMotion;
  u32 steps = playback.clock.advance(static_cast<i64>(passed_s * 1e9), hud.slow_motion ? slow : 1.0);
  playback.alpha = playback.clock.alpha();
  if (w_.game.options().steps || is_timed()) {
    steps = 1;
    playback.alpha = 1.0f;
  }
  w_.game.session().keep_history(keeps_history() && !w_.game.csv().recording());
  const bool single_step = playback.single_step;
  playback.single_step = false;
  if (w_.rewind.turns_back(events, steps)) return;
  const History* const history = w_.game.session().history();
  if (single_step && history && w_.world().steps() < history->last()) {  // on through what was played
    w_.rewind.turn_back(w_.world().steps() + 1);
    return;
  }
  if (hud.paused || playback.idle) {
    steps = single_step ? 1 : 0;
    playback.alpha = 1.0f;
  }
  playback.stepped = steps == 1;
  for (u32 i = 0; i < steps && !w_.game.finished(); ++i) play_step(events, i + 1 == steps);
  // A step while minimised makes the snapshot stale too: its spans end with the step.
  playback.stale = playback.stale || steps > 0;
}

/// A frame shows only its last step.
void GameMode::play_step(const platform::FrameEvents& events, bool last) {
  const InputLatch::ShownFrame shown{*w_.playback.snapshot, w_.playback.clock.alpha(), w_.shell.drawable_px()};
  frame::InputFrame input = w_.latch.read(events, shown, w_.hooks().stick_origin(w_.world()));
  w_.scene().map_input(events, w_.scene_context(), input);
  const bool drawn = last && w_.shell.visible();
  w_.game.step(input, drawn ? std::optional(w_.hud.state.settings.looks.density) : std::nullopt);
  w_.audio.hear(w_.game.step_sounds());
  w_.latch.step_done();
  w_.scene().step_done(w_.world(), w_.latch);
}

void GameMode::watch_world() {
  SceneContext context = w_.scene_context();
  w_.scene().watch(context);
  const bool paused = w_.hud.state.paused;
  if (w_.playback.was_paused != paused)
    w_.audio.click(paused ? frame::PanelSound::Pause : frame::PanelSound::Resume);
  w_.playback.was_paused = paused;
  w_.settle(context);
}

/// False: the window shows nothing, but its steps go on.
bool GameMode::draw_frame() {
  Playback& playback = w_.playback;
  if (!w_.shell.visible()) {
    w_.files.write_layout(w_.shell.panels(), w_.world().steps());
    return false;
  }
  w_.game.phases().enter(frame::Phase::Render);
  if (playback.stale) playback.snapshot = &w_.world().build_snapshot(w_.hud.state.settings.looks);
  playback.stale = false;
  w_.drawing.draw(*playback.snapshot, playback.alpha, w_.game.phases());
  return true;
}

void GameMode::govern_quality(const frame::FrameRecord& record, double passed_s) {
  if (!w_.drawing.governs_quality()) return;
  if (w_.hud.state.paused || w_.playback.idle || !w_.modes.playing().runs_plainly()) {
    w_.shell.governor()
        .interrupt();  // a world that stands still is little work, one that runs ahead too much
    return;
  }
  w_.shell.govern(record, passed_s, w_.hud.state.settings);
}

}  // namespace spellpool::app
