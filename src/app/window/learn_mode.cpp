#include "app/window/learn_mode.hpp"

#include <chrono>
#include <thread>

#include "app/learn/learn_card.hpp"
#include "app/window/window_parts.hpp"
#include "platform/clock.hpp"
#include "platform/display_loss.hpp"

namespace spellpool::app {
namespace {

constexpr std::chrono::milliseconds kUnseenFrame{30};

}  // namespace

void LearnMode::prepare(std::optional<frame::LessonId> lesson) {
  stage_ = std::make_unique<LearnStage>(w_.hud.state.lessons, w_.game.session().options().data_dir);
  if (lesson) stage_->course().open(*lesson);
  show();
}

void LearnMode::begin() {
  if (!stage_) prepare(std::nullopt);
  stage_->course().play_in_parts();
  w_.notice("");  // it was about the game
  w_.audio.mute();
  w_.shell.events().set_scene(frame::Scenes::Spells);
  last_ns_ = platform::now_ns();
  idle_ = false;
}

/// The panels show the lessons instead of a game.
void LearnMode::show() {
  w_.hud.state.learn = &stage_->view();
  w_.hud.state.learn_shown = stage_->shown();
}

void LearnMode::perform(frame::Action action) {
  using frame::Action;
  if (action == Action::Fullscreen || action == Action::Screenshot || action == Action::DrawPath)
    w_.actions.perform(action);
}

void LearnMode::frame() {
  w_.audio.forget_clicks();
  w_.shell.events().point_with_pad(true);
  const platform::FrameEvents& events = w_.shell.poll();
  const i64 now_ns = platform::now_ns();
  const double passed_s = static_cast<double>(now_ns - last_ns_) * 1e-9;
  last_ns_ = now_ns;
  if (events.focus_lost) idle_ = true;
  if (events.focus_gained || events.any_input) idle_ = false;
  for (std::size_t i = 0; i < events.action_count; ++i) perform(events.actions[i]);
  w_.audio.click(stage_->listen(events));
  if (!idle_) stage_->pass(passed_s);
  do_outside();
  listening_.go_on(w_.audio, now_ns);
  w_.audio.follow_device(events, now_ns);
  w_.audio.take_notices(w_.hud.state);
  w_.files.collect();
  w_.files.follow(passed_s);
  if (events.resized) w_.remember_size();
  const bool drawn = draw();
  keep_progress();
  if (drawn)
    w_.shell.pace(w_.hud.state.settings);
  else
    std::this_thread::sleep_for(kUnseenFrame);
}

/// False: the window shows nothing.
bool LearnMode::draw() {
  if (!w_.shell.visible() || platform::window_lost()) return false;
  show();
  frame::PanelRequests requests;
  w_.drawing.draw_panels_alone(requests);
  stage_->take(requests.learn);
  return true;
}

/// What the lessons ask of the program: a picture of the card, or sounds.
void LearnMode::do_outside() {
  const std::optional<sim::LessonOp> asked = stage_->course().take_outside();
  if (!asked) return;
  if (asked->kind == sim::LessonOpKind::SaveCard) {
    stage_->course().note(save_learn_card(stage_->course().results()));
  } else if (!w_.audio.is_open() || w_.hud.state.settings.muted) {
    stage_->course().note(w_.audio.is_open() ? "Sound is off." : "There is no sound device.");
  } else {
    listening_.start(w_.audio, static_cast<frame::VoicePolicy>(asked->a), platform::now_ns());
  }
}

void LearnMode::keep_progress() {
  if (w_.hud.state.lessons == stage_->course().progress()) return;
  w_.hud.state.lessons = stage_->course().progress();
  w_.files.lessons_changed();
}

void LearnMode::end() {
  keep_progress();
  listening_.end(w_.audio);
  w_.hud.state.learn = nullptr;
  stage_.reset();
  w_.shell.events().set_scene(w_.keys());
  w_.audio.set_volumes(w_.hud.state.settings);
  w_.playback.skip_to(platform::now_ns());
  w_.playback.stale = true;
}

}  // namespace spellpool::app
