#include "app/window/window_game.hpp"
#include "core/log.hpp"
#include "platform/clock.hpp"

namespace spellpool::app {
namespace {

/// What a frame may spend on steps, so that with its picture it stays below a twentieth of a second: of a seek, and of a speed that is
/// more than the machine can do.
constexpr i64 kSteps_ns = 25'000'000;

}  // namespace

/// A replay's own play_steps(): at the speed that was chosen, or on the way to the step that was.
void WindowGame::play_replay(double passed_s) {
  ReplayTransport& transport = *transport_;
  HudState& hud = hud_.state;
  const i64 begin_ns = platform::now_ns();
  u32 steps = transport.advance(static_cast<i64>(passed_s * 1e9));
  alpha_ = transport.alpha();
  if (hud.paused || timeline_held_) {
    steps = single_step_ ? 1 : 0;
    alpha_ = 1.0f;
  }
  single_step_ = false;
  if (transport.seeking()) {
    seek_on(begin_ns);
  } else {
    const bool audible = transport.audible() && device_.is_open();
    for (u32 i = 0; i < steps && !game_.finished() && (i == 0 || platform::now_ns() - begin_ns < kSteps_ns); ++i) {
      const bool drawn = i + 1 == steps && visible();
      game_.step({}, drawn ? std::optional(hud.settings.looks.density) : std::nullopt);
      controller_->hear(game_.step_sounds(), audible);
      note_marks();
    }
    snapshot_stale_ = snapshot_stale_ || steps > 0;
  }
  if (!transport.seeking() && game_.finished()) hud.paused = true;
  hud.slow_motion = transport.speed_place() == ReplayTransport::kQuarter;
}

/// One frame's part of a seek. Its steps are neither drawn nor played; the frame shows the progress.
void WindowGame::seek_on(i64 begin_ns) {
  ReplayTransport& transport = *transport_;
  if (transport.begins(world().steps())) {
    const bool jumped = game_.jump(transport.target());
    if (!jumped && transport.target() < world().steps()) {
      game_.rewind();
      prewarmed_ = false;
    }
    if (jumped) hud_.begin_world(world());
    transport.begin_at(world().steps());
  } else if (game_.session().indexer() && game_.jump(transport.target())) {  // a nearer keyframe has been made meanwhile
    hud_.begin_world(world());
  }
  while (world().steps() < transport.target() && platform::now_ns() - begin_ns < kSteps_ns) {
    game_.step({});
    note_marks();
  }
  transport.arrive(world().steps());
  alpha_ = 1.0f;
  snapshot_stale_ = true;
}

void WindowGame::note_marks() {
  if (const frame::ShooterView* view = shooter()) transport_->note(world().steps(), *view);
}

void WindowGame::seek(u64 step) {
  if (step == world().steps() && !transport_->seeking()) return;
  if (game_.csv().recording()) {
    toggle_recording();
    notice("The recording ended where the replay jumps: " + hud_.state.notice);
  }
  transport_->seek(step, world().steps());
}

/// True if the action was the replay's to answer.
bool WindowGame::perform_replay(frame::Action action) {
  using frame::Action;
  HudState& hud = hud_.state;
  ReplayTransport& transport = *transport_;
  const u64 now = world().steps();
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
      transport.set_speed(transport.speed_place() == ReplayTransport::kQuarter ? ReplayTransport::kPlain : ReplayTransport::kQuarter);
      return true;
    case Action::SingleStep:
      if (!transport.seeking()) return false;
      hud.paused = true;
      seek(transport.moved_by(1, now));
      return true;
    case Action::Pause:
      if (!hud.paused || transport.seeking() || !game_.finished()) return false;
      hud.paused = false;  // play again from the start
      seek(0);
      return true;
    case Action::Record:
      if (!transport.seeking()) return false;
      notice("Not recorded while the replay seeks: press it again where it has come to");
      return true;
    default: return false;
  }
}

frame::ReplayView WindowGame::replay_view() {
  frame::ReplayView view;
  if (!transport_) return view;
  const ReplayTransport& transport = *transport_;
  view.shown = true;
  view.step = world().steps();
  view.steps = transport.steps();
  view.seeking = transport.seeking();
  view.target = view.seeking ? transport.target() : view.step;
  view.progress = transport.progress(view.step);
  view.speed = transport.speed().name;
  view.slowest = transport.slowest();
  view.fastest = transport.fastest();
  if (const auto step = game_.session().first_difference()) view.differs_at = *step + 1;
  view.marks = transport.marks();
  if (const ReplayIndexer* const indexer = game_.session().indexer()) {
    indexer->copy_marks(index_marks_);
    view.marks = index_marks_;
    view.indexing = !indexer->done();
    view.indexed = indexer->reached();
  }
  return view;
}

}  // namespace spellpool::app
