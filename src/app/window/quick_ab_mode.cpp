#include "app/window/quick_ab_mode.hpp"

#include <chrono>
#include <thread>
#include <utility>

#include "app/window/window_parts.hpp"
#include "measure/record/phase_clock.hpp"
#include "platform/clock.hpp"
#include "platform/paths.hpp"

namespace spellpool::app {
namespace {

constexpr std::chrono::milliseconds kWaitingFrame{30};

}  // namespace

Mode::Begin QuickAbMode::may_begin() {
  if (w_.lab.busy()) {
    w_.hud.state.lab_open = false;  // its child ends first
    return Begin::Later;
  }
  if (!w_.files.busy(Persistence::Job::QuickAb)) return Begin::Yes;
  w_.notice("Not begun: the files of the last quick A/B are being written");
  return Begin::No;
}

void QuickAbMode::begin() {
  const sim::WorldConfig like = config_as_chosen(w_.game.session());
  const pool::StrategyId now = w_.game.session().coming(frame::PoolId::Particles).strategy;
  const pool::StrategyId b = now == pool::StrategyId::Heap ? pool::StrategyId::FreeList : now;
  const platform::Size size = w_.shell.drawable_px();
  QuickAbConditions conditions;
  conditions.renderer = w_.game.renderer;
  conditions.width_px = size.width;
  conditions.height_px = size.height;
  ab_.emplace(like, pool::StrategyId::Heap, b, conditions, state_of(w_.world()).get());
  recorder_ = std::make_unique<measure::FrameRecorder>(measure::steady_now_ns,
                                                       measure::FrameRecorder::kHistoryFrames);
  HudState& hud = w_.hud.state;
  hud.ab_card_open = hud.scores_open = hud.lab_open = false;
  w_.lab.show(false);
  w_.shell.window().set_vsync(false);
}

void QuickAbMode::perform(frame::Action action) {
  if (action == frame::Action::Quit) ab_->cancel();
  if (action == frame::Action::QuickAb) ab_->start_anyway();
}

void QuickAbMode::frame() {
  recorder_->begin_frame();
  const platform::FrameEvents& events = w_.shell.poll();
  for (std::size_t i = 0; i < events.action_count; ++i) perform(events.actions[i]);
  w_.audio.follow_device(events, platform::now_ns());
  w_.follow_focus(events);  // for the game that goes on afterwards
  resized_ = resized_ || events.resized;
  const frame::LookSettings& looks = w_.hud.state.settings.looks;
  ab_->step(recorder_->phases(), w_.shell.visible() ? std::optional(looks.density) : std::nullopt);
  w_.hud.state.ab = ab_->view();
  if (w_.shell.window().minimised()) {
    ab_->cancel();  // a minimised window draws no frames to measure
    w_.notice("The quick A/B ended: the window was minimised");
  } else if (w_.shell.visible()) {
    recorder_->phases().enter(frame::Phase::Render);
    w_.drawing.draw(ab_->world().build_snapshot(looks), 1.0f, recorder_->phases());
  }
  ab_->frame_end(recorder_->end_frame(ab_->record()));
  if (ab_->waiting()) std::this_thread::sleep_for(kWaitingFrame);
}

void QuickAbMode::end() {
  HudState& hud = w_.hud.state;
  const platform::PathResult recordings = platform::recordings_folder();
  std::function<TaskOutcome()> work;
  if (recordings.error.empty()) {
    work = ab_->saver(platform::free_name(recordings.path, "quick_ab_" + time_stamp(), "").string());
  }
  hud.ab = ab_->view();  // before the work starts
  const auto written = [this](const TaskOutcome& outcome) {
    if (!outcome.failed || !texts_) return;
    texts_->folder = "not written: " + outcome.line;  // in the card, too
    w_.hud.state.ab.folder = texts_->folder;
  };
  if (work) w_.files.start(Persistence::Job::QuickAb, std::move(work), written);
  else if (!recordings.error.empty()) w_.notice(recordings.error);
  texts_ = std::move(*ab_).take_texts();
  ab_.reset();
  hud.ab_card_open = hud.ab.state == frame::QuickAbView::State::Done;
  w_.shell.window().set_vsync(hud.settings.vsync);
  if (std::exchange(resized_, false)) w_.remember_size();
  w_.playback.skip_to(platform::now_ns());
  w_.playback.stale = true;
}

}  // namespace spellpool::app
