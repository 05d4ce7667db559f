#include "app/window/play_mode.hpp"

#include <algorithm>

#include "app/window/title_mode.hpp"
#include "app/window/window_parts.hpp"

namespace spellpool::app {
namespace {

constexpr double kTitleAfter_s = 30.0;
constexpr double kMostQuiet_s = 0.25;  ///< Of one frame: the time in which a page was hidden is no rest.

}  // namespace

void PlayMode::watch(const platform::FrameEvents& events, double passed_s) {
  if (!w_.game.options().allows_title()) return;
  const bool rests = w_.hud.state.paused || w_.playback.idle;
  const bool busy = rests || w_.actions.anything_open() || w_.game.csv().recording();
  if (events.any_input || w_.hooks().in_progress(w_.world()) || busy) {
    quiet_s_ = 0;
    return;
  }
  quiet_s_ += std::min(passed_s, kMostQuiet_s);
  if (quiet_s_ < kTitleAfter_s) return;
  quiet_s_ = 0;  // a title that cannot begin is tried again as late
  if (w_.modes.play(ModeId::Title)) title_.end_with_any_input();
}

void PlayMode::go_back() {
  HudState& hud = w_.hud.state;
  const bool pauses = !w_.game.options().is_scripted() && w_.hooks().pauses_first(w_.world());
  if (pauses && !hud.paused) hud.paused = true;  // a player who only wants to rest loses no game
  else if (!w_.game.options().allows_title() || !w_.modes.play(ModeId::Title)) w_.actions.ask_to_quit();
}

bool PlayMode::keeps_history() const {
  const PlayOptions& options = w_.game.options();
  return !options.steps && options.record_csv.empty();
}

}  // namespace spellpool::app
