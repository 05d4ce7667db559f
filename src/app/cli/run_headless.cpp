#include "app/cli/run_headless.hpp"

#include <cstdio>

#include "app/cli/picture.hpp"
#include "app/fail.hpp"
#include "app/library/sound_library.hpp"
#include "app/play/clip.hpp"
#include "app/play/crash_note.hpp"
#include "app/play/game.hpp"
#include "app/play/pool_sizes.hpp"
#include "app/play/stress_run.hpp"
#include "app/scene_hooks.hpp"
#include "core/log.hpp"
#include "core/one_line.hpp"
#include "platform/paths.hpp"
#include "platform/stop_signals.hpp"

namespace spellpool::app {
namespace {

constexpr u64 kDefaultSteps = 3'600;
constexpr u64 kGraphFrames = 240;  ///< Drawn and timed, for a picture that shows the frame-time graph.

constexpr double kBudget_ms = 1000.0 / 60.0;

/// "How many bullets?" without a window: the result is a line on standard output, or in the JSON. "" or an error line.
std::string run_stress(Game& game, Picture* picture, std::optional<StressRun>& run) {
  run.emplace(game, game.options().budget_ms.value_or(kBudget_ms),
              picture ? StressRun::What::Drawn : StressRun::What::SimOnly);
  while (!run->done() && !platform::stop_requested()) {
    game.begin_frame();
    game.step({}, picture ? std::optional(picture->density()) : std::nullopt);
    if (picture) picture->draw(game);
    run->frame_end(game.end_frame());
  }
  game.stress = &*run;
  if (game.options().json == "-") return {};  // it says so itself
  const std::string line = one_line(run->text()) + "\n";
  const bool written = std::fwrite(line.data(), 1, line.size(), stdout) == line.size();
  return std::fflush(stdout) == 0 && written
             ? std::string{}
             : "cannot write the result to standard output: it is closed, or its disk is full";
}

/// The game as a clip films it.
class FilmedGame final : public ClipSource {
 public:
  FilmedGame(Game& game, Picture& picture) : game_(game), picture_(picture) {}
  bool step() override {
    if (game_.finished() || platform::stop_requested()) return false;
    game_.begin_frame();
    game_.step({});
    game_.end_frame();
    return true;
  }
  u64 steps() const override { return game_.world().steps(); }
  bool in_finale() const override {
    return scene_hooks(game_.world()).in_finale(game_.world());
  }
  bool picture(std::vector<u8>& rgb) override { return picture_.read(game_, rgb); }

 private:
  Game& game_;
  Picture& picture_;
};

std::string film(Game& game, Picture& picture) {
  const PlayOptions& options = game.options();
  ClipPlan plan;
  plan.path = options.clip;
  plan.seconds = options.clip_seconds;
  plan.from_step = options.clip_from;
  if (!plan.from_step && !scene_hooks(game.world().scene()).has_spells()) plan.from_step = 0;  // no finale to wait for
  FilmedGame source(game, picture);
  return run_clip(plan, source, static_cast<u32>(picture.width_px()), static_cast<u32>(picture.height_px()));
}

}  // namespace

int run_headless(const PlayOptions& given) {
  PlayOptions options = given;
  const bool endless = !options.steps && options.input.empty() && options.clip.empty() && !options.stress;
  if (endless) options.steps = kDefaultSteps;
  const platform::PathResult data = platform::find_data_folder(options.world.data_dir);
  if (!data.error.empty()) return fail(data.error);
  SpellLibrary library;
  if (std::string error = load_texts(data.path.string(), library, options.world); !error.empty()) return fail(error);
  options.take_scene_voices();

  SoundLibrary sounds(sound_folders(data.path.string(), Own::No));  // the same everywhere
  Game game(options, library);
  if (!game.error().empty()) return fail(game.error());
  const CrashNote note(game);
  game.sounds = &sounds;
  Picture picture;
  bool draws_none = options.sim_only;
  if (!options.sim_only) {
    const std::string error = picture.open(game.options(), data.path.string());
    if (error.empty()) {
      game.renderer = picture.renderer_name();
    } else if (!options.screenshot.empty() || !options.clip.empty()) {
      return fail((options.clip.empty() ? "--screenshot: " : "--clip: ") + error);
    } else {
      log(LogLevel::Info, "no OpenGL (" + error + "): simulation only");
      draws_none = true;
    }
  }

  if (std::string error = game.start(); !error.empty()) return fail(error);
  const bool draws_panels = !options.screenshot.empty() && !options.no_ui, draws_graph = draws_panels && options.graph;
  if (endless)
    log(LogLevel::Info, "no --steps: playing " + std::to_string(kDefaultSteps) + " of them, a minute of the game");
  std::string error;
  if (!options.clip.empty()) {
    error = film(game, picture);
    if (platform::stop_requested() && !error.empty()) error.clear();  // stopped before the clip began: 130 says it
  }
  std::optional<StressRun> stress;
  if (options.stress) error = run_stress(game, draws_none ? nullptr : &picture, stress);
  while (!options.stress && (options.clip.empty() || options.steps) && error.empty() && !game.finished() &&
         !platform::stop_requested()) {
    game.begin_frame();
    const bool draws = draws_graph && game.steps_left() <= kGraphFrames;
    game.step({}, draws ? std::optional(picture.density()) : std::nullopt);
    if (draws) picture.draw(game);
    game.end_frame();
    if (draws_panels) picture.follow(game);  // after the frame: its time is not the game's
  }
  if (!options.screenshot.empty() && error.empty()) error = picture.save(game, options.screenshot);
  const std::string save_error = game.save();
  if (error.empty()) error = save_error;
  if (!error.empty()) return fail(error);
  return platform::stop_requested() ? 130 : 0;
}

}  // namespace spellpool::app
