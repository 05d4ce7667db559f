#include "app/paired/duet_window.hpp"

#include <chrono>
#include <thread>
#include <utility>

#include "app/scene_hooks.hpp"
#include "app/shell/layout_json.hpp"
#include "app/shell/persistence.hpp"
#include "content/text_file.hpp"
#include "core/log.hpp"
#include "measure/record/phase_clock.hpp"
#include "platform/clock.hpp"
#include "platform/display_loss.hpp"
#include "platform/window.hpp"

namespace spellpool::app {
namespace {

/// Runs `draw` and tells how long it took, µs.
template <class Draw>
float timed_us(Draw&& draw) {
  const u64 begin_ns = measure::steady_now_ns();
  draw();
  return static_cast<float>(static_cast<double>(measure::steady_now_ns() - begin_ns) * 1e-3);
}

}  // namespace

DuetWindow::DuetWindow(const PlayOptions& options, Duet& duet, DuetStage& stage, DuetHud& hud, platform::Events& events)
    : options_(options), duet_(duet), stage_(stage), hud_(hud), events_(events),
      alone_(options.autoplay || options.steps), last_ns_(platform::now_ns()) {
  events_.set_scene(scene_hooks(options.world.scene).keys());
  events_.set_bindings(hud.settings.bindings);
  vsync_works_ = !hud.settings.vsync || stage.window().set_vsync(true);
  hud_.may_play = !alone_;
  stage_.fit(hud_.strip);
  for (std::size_t side = 0; side < 2; ++side) {
    snapshots_[side] = &duet_.world(side).build_snapshot(hud_.settings.looks);
    stage_.draw(side, *snapshots_[side], 1.0f);
  }
}

void DuetWindow::perform(frame::Action action) {
  using frame::Action;
  switch (action) {
    case Action::Pause:
      hud_.paused = !(hud_.paused || idle_);
      idle_ = false;
      break;
    case Action::SingleStep:
      hud_.paused = true;
      single_step_ = true;
      break;
    case Action::SlowMotion: hud_.slow_motion = !hud_.slow_motion; break;
    case Action::Help: hud_.help = !hud_.help; break;
    case Action::Graph: hud_.strip = !hud_.strip; break;
    case Action::HudLevel:  // all, titles alone, nothing
      if (hud_.hidden) hud_.hidden = false, hud_.strip = true;
      else if (hud_.strip) hud_.strip = false;
      else hud_.hidden = true;
      break;
    case Action::FrameTimeline:
      hud_.timeline_open = !hud_.timeline_open;
      if (hud_.timeline_open) duet_.record_timelines();
      break;
    case Action::GraphScale:
      hud_.clock =
          static_cast<frame::DuetClock>((static_cast<std::size_t>(hud_.clock) + 1) % frame::kDuetClocks.size());
      break;
    case Action::LoadDown: set_load(fewer_sparks(duet_.load())); break;
    case Action::LoadUp: set_load(more_sparks(duet_.load())); break;
    case Action::Churn: set_load(next_churn(duet_.load())); break;
    case Action::Screenshot: want_screenshot_ = true; break;
    case Action::Fullscreen:
      hud_.settings.fullscreen = !stage_.window().fullscreen();
      stage_.window().set_fullscreen(hud_.settings.fullscreen);
      break;
    case Action::DrawPath:
      hud_.settings.looks.draw = stage_.renderer().path() == "processor" ? frame::DrawPath::Gpu : frame::DrawPath::Cpu;
      stage_.set_looks(hud_.settings.looks);
      hud_.notice = stage_.renderer().path() == "processor" ? "Drawn on the CPU" : "Drawn by OpenGL";
      break;
    case Action::SideBySide: quit_ = quit_ || hud_.in_game; break;
    case Action::Quit:
      if (hud_.help) hud_.help = false;
      else if (hud_.timeline_open) hud_.timeline_open = false;
      else if (hud_.in_game || question_.press()) quit_ = true;
      else hud_.notice = QuitQuestion::words(hud_.settings);
      break;
    default: explain(action);
  }
}

/// Not where the steps are counted or filmed: what such a run reports is of one load.
void DuetWindow::set_load(const frame::Load& load) {
  if (alone_ || load == duet_.load()) return;
  duet_.set_load(load);
  stage_.renderer().reserve(duet_.particle_capacity());
  hud_.count_anew();
}

/// A key of the game that has no effect here. Those that play it are left to hand_.
void DuetWindow::explain(frame::Action action) {
  const frame::Hotkey& row = frame::kHotkeys[static_cast<std::size_t>(action)];
  if (row.group == "Play") return;
  const auto key = [&](frame::Action one) { return hud_.settings.bindings[static_cast<std::size_t>(one)].key; };
  if (action == frame::Action::ToggleStrategy || action == frame::Action::NextStrategy)
    hud_.notice = "Both pools play here at once; " + key(frame::Action::Quit) + " leaves";
  else
    hud_.notice = key(action) + " has no effect side by side; " + key(frame::Action::Help) + " lists the keys";
}

bool DuetWindow::step_due(double passed_s) {
  const bool due = clock_.advance(static_cast<i64>(passed_s * 1e9), hud_.slow_motion ? 0.25 : 1.0) > 0;
  alpha_ = clock_.alpha();
  if (options_.steps || hud_.paused || idle_) alpha_ = 1.0f;
  const bool single = std::exchange(single_step_, false);
  if (duet_.differs_at() > 0) return false;
  if (hud_.paused || idle_) return single;
  return due || options_.steps.has_value();
}

/// One step of both worlds. If `visible`, both frames, too.
void DuetWindow::play(bool visible) {
  const bool by_hand = !alone_ && hand_.plays();
  frame::InputFrame input = hand_.take();
  if (hud_.settings.looks.motion != frame::Amount::Full) input.buttons |= frame::kButtonNoHitStop;
  hud_.by_hand = by_hand;
  duet_.step(by_hand ? &input : nullptr, visible ? std::optional(hud_.settings.looks.density) : std::nullopt);
  for (const std::size_t side : duet_.order()) {
    if (!visible) break;
    duet_.drew(side, timed_us([&] {
                 snapshots_[side] = &duet_.world(side).build_snapshot(hud_.settings.looks);
                 stage_.draw(side, *snapshots_[side], alpha_);
               }));
  }
  if (!visible) snapshots_ = {};
  duet_.end_step();
  if (options_.steps && duet_.steps() >= *options_.steps) duet_.check();
}

/// Both worlds as they stand, in a frame without a step.
void DuetWindow::show() {
  for (std::size_t side = 0; side < 2; ++side) {
    if (snapshots_[side] == nullptr) snapshots_[side] = &duet_.world(side).build_snapshot(hud_.settings.looks);
    stage_.draw(side, *snapshots_[side], alpha_);
  }
}

bool DuetWindow::frame() {
  platform::Window& window = stage_.window();
  const platform::FrameEvents& events = events_.poll(window, ImGuiHost::on_raw_event, &stage_.panels());
  if (events.quit || platform::window_lost()) quit_ = closed_ = true;
  const i64 now = platform::now_ns();
  const double passed_s = static_cast<double>(now - last_ns_) * 1e-9;
  last_ns_ = now;
  for (std::size_t i = 0; i < events.action_count; ++i) perform(events.actions[i]);
  if (events.focus_lost && !alone_) idle_ = true;
  if (events.focus_gained || events.any_input) idle_ = false;
  const platform::Size size = window.drawable_px();
  const bool visible = !window.minimised() && size.width > 0 && size.height > 0 && !quit_;
  if (visible) stage_.fit(hud_.strip && !hud_.hidden);
  if (snapshots_[0] != nullptr && visible)
    hand_.listen(events, duet_.world(0), *snapshots_[0], alpha_, stage_, hud_.paused || idle_);
  if (!hud_.paused && !idle_) hand_.pass(passed_s);

  const bool plays = !quit_ && step_due(passed_s);
  if (plays) play(visible);
  else if (visible) show();
  if (duet_.differs_at() > 0 && !std::exchange(told_, true) && alone_) quit_ = true;
  if (visible && !(stage_.in_pixels() ? platform::window_lost() : platform::window_lost_now())) {
    const bool paused = std::exchange(hud_.paused, hud_.paused || idle_);
    frame::PanelRequests requests;
    stage_.finish(hud_.model(duet_, duet_.record(), stage_.text_scale()), requests);
    hud_.paused = paused;
    for (std::size_t i = 0; i < requests.action_count; ++i) perform(requests.actions[i]);
    if (want_screenshot_) take_screenshot();
    if (!platform::window_lost()) stage_.show();
  }
  write_layout();
  TaskOutcome outcome;
  for (BackgroundTask* task : {&picture_task_, &layout_task_}) {
    if (!task->poll(outcome) || outcome.line.empty()) continue;
    hud_.notice = outcome.line;
    if (outcome.failed) log(LogLevel::Warning, outcome.line);
  }
  const bool over = options_.steps && duet_.steps() >= *options_.steps;
  if (!over && !quit_) pace(visible);
  return !quit_ && !over;
}

void DuetWindow::pace(bool visible) {
  if (platform::kInBrowser) return;  // sleeping would block the page
  if (!visible) return std::this_thread::sleep_for(std::chrono::milliseconds(15));
  pacer_.wait(hud_.settings, vsync_works_);
}

void DuetWindow::take_screenshot() {
  if (picture_task_.busy()) return;  // the next frame asks again
  want_screenshot_ = false;
  std::vector<u8> rgb;
  if (!stage_.read(rgb)) {
    hud_.notice = "no screenshot: the frame could not be read back";
    return;
  }
  const platform::Size size = stage_.size_px();
  picture_task_.start(
      [size, rgb = std::move(rgb), stamp = time_stamp()] { return save_picture("duet", stamp, size, rgb); });
}

void DuetWindow::write_layout() {
  constexpr u64 kFramesBetweenLayouts = 2;
  if (++frames_ % kFramesBetweenLayouts != 0 || options_.layout_out.empty() || layout_task_.busy()) return;
  layout_task_.start([path = options_.layout_out,
                      text = layout_json(stage_.panels().state(), frames_, duet_.steps())]() -> TaskOutcome {
    std::string wrong = content::write_text(path, text, content::Overwrite::Yes);
    return {!wrong.empty(), std::move(wrong)};
  });
}

void DuetWindow::close() {
  picture_task_.wait();
  layout_task_.wait();
}

}  // namespace spellpool::app
