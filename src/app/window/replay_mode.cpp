#include "app/window/replay_mode.hpp"

#include "app/window/window_parts.hpp"
#include "platform/clock.hpp"

namespace spellpool::app {
namespace {

/// Of a seek, and of a speed beyond what the machine can do: with its drawing a frame stays below a twentieth
/// of a second.
constexpr i64 kSteps_ns = 25'000'000;

}  // namespace

ReplayMode::ReplayMode(WindowParts& parts)
    : GameMode(parts), transport_(parts.game.session().replay_steps()) {
  index_marks_.reserve(ReplayMarks::kMost);
}

void ReplayMode::play_steps(const platform::FrameEvents&, double passed_s) {
  ReplayTransport& transport = transport_;
  HudState& hud = w_.hud.state;
  Playback& playback = w_.playback;
  const i64 begin_ns = platform::now_ns();
  u32 steps = transport.advance(static_cast<i64>(passed_s * 1e9));
  w_.playback.alpha = transport.alpha();
  if (hud.paused || timeline_held_) {
    steps = playback.single_step ? 1 : 0;
    w_.playback.alpha = 1.0f;
  }
  playback.single_step = false;
  if (transport.seeking()) {
    seek_on(begin_ns);
  } else {
    const bool audible = transport.audible();
    for (u32 i = 0; i < steps && !w_.game.finished() && (i == 0 || platform::now_ns() - begin_ns < kSteps_ns);
         ++i) {
      const bool drawn = i + 1 == steps && w_.shell.visible();
      w_.game.step({}, drawn ? std::optional(hud.settings.looks.density) : std::nullopt);
      w_.audio.hear(w_.game.step_sounds(), audible);
      note_marks();
    }
    w_.playback.stale = w_.playback.stale || steps > 0;
  }
  if (!transport.seeking() && w_.game.finished()) hud.paused = true;
  hud.slow_motion = transport.speed_place() == ReplayTransport::kQuarter;
}

/// One frame's part of a seek. Its steps are neither drawn nor played; the frame shows the progress.
void ReplayMode::seek_on(i64 begin_ns) {
  ReplayTransport& transport = transport_;
  if (transport.begins(w_.world().steps())) {
    const bool jumped = w_.game.jump(transport.target());
    if (!jumped && transport.target() < w_.world().steps()) {
      w_.game.rewind();
      w_.playback.prewarmed = false;
    }
    if (jumped) w_.hud.begin_world(w_.world());
    transport.begin_at(w_.world().steps());
  } else if (w_.game.session().indexer() &&
             w_.game.jump(transport.target())) {  // a nearer keyframe was made meanwhile
    w_.hud.begin_world(w_.world());
  }
  while (w_.world().steps() < transport.target() && platform::now_ns() - begin_ns < kSteps_ns) {
    w_.game.step({});
    note_marks();
  }
  transport.arrive(w_.world().steps());
  w_.playback.alpha = 1.0f;
  w_.playback.stale = true;
}

void ReplayMode::note_marks() {
  w_.hooks().note_marks(w_.world(), transport_.noted());
}

void ReplayMode::seek(u64 step) {
  if (step == w_.world().steps() && !transport_.seeking()) return;
  if (w_.game.csv().recording()) {
    w_.actions.toggle_recording();
    w_.notice("The recording ended where the replay jumps: " + w_.hud.state.notice);
  }
  transport_.seek(step, w_.world().steps());
}

void ReplayMode::take(const frame::PanelRequests& requests) {
  timeline_held_ = requests.hold_replay;
  if (timeline_held_) seek(requests.replay_step);
}

bool ReplayMode::runs_plainly() const {
  return !transport_.seeking() && transport_.speed_place() <= ReplayTransport::kPlain;
}

void ReplayMode::perform(frame::Action action) {
  if (!perform_on_replay(action)) w_.actions.perform(action);
}

/// False: it is not an action of a replay.
bool ReplayMode::perform_on_replay(frame::Action action) {
  using frame::Action;
  HudState& hud = w_.hud.state;
  ReplayTransport& transport = transport_;
  const u64 now = w_.world().steps();
  const bool is_slow = transport.speed_place() == ReplayTransport::kQuarter;
  switch (action) {
    case Action::ReplayBack: seek(transport.moved_by(-ReplayTransport::kJump_steps, now)); return true;
    case Action::ReplayForward: seek(transport.moved_by(ReplayTransport::kJump_steps, now)); return true;
    case Action::ReplayStepBack:
      hud.paused = true;
      seek(transport.moved_by(-1, now));
      return true;
    case Action::ReplayStart: seek(0); return true;
    case Action::ReplayEnd: seek(transport.steps()); return true;
    case Action::ReplaySlower: transport.slower(); return true;
    case Action::ReplayFaster: transport.faster(); return true;
    case Action::SlowMotion:
      transport.set_speed(is_slow ? ReplayTransport::kPlain : ReplayTransport::kQuarter);
      return true;
    case Action::SingleStep:
      if (!transport.seeking()) return false;
      hud.paused = true;
      seek(transport.moved_by(1, now));
      return true;
    case Action::Pause:
      if (!hud.paused || transport.seeking() || !w_.game.finished()) return false;
      hud.paused = false;  // play again from the start
      seek(0);
      return true;
    case Action::Record:
      if (!transport.seeking()) return false;
      w_.notice("Not recorded while the replay seeks: press it again where it has come to");
      return true;
    default: return false;
  }
}

frame::ReplayView ReplayMode::replay_view() {
  frame::ReplayView view;
  const ReplayTransport& transport = transport_;
  view.shown = true;
  view.step = w_.world().steps();
  view.steps = transport.steps();
  view.seeking = transport.seeking();
  view.target = view.seeking ? transport.target() : view.step;
  view.progress = transport.progress(view.step);
  view.speed = transport.speed().name;
  view.slowest = transport.slowest();
  view.fastest = transport.fastest();
  if (const auto step = w_.game.session().first_difference()) view.differs_at = *step + 1;
  view.marks = transport.marks();
  if (const ReplayIndexer* const indexer = w_.game.session().indexer()) {
    indexer->copy_marks(index_marks_);
    view.marks = index_marks_;
    view.indexing = !indexer->done();
    view.indexed = indexer->reached();
  }
  return view;
}

}  // namespace spellpool::app
