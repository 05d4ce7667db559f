#include "app/run_headless.hpp"

#include "app/game.hpp"
#include "app/picture.hpp"
#include "core/log.hpp"
#include "platform/paths.hpp"
#include "platform/stop_signals.hpp"

namespace spellpool::app {
namespace {

constexpr u64 kDefaultSteps = 3'600;
constexpr u64 kGraphFrames = 240;  ///< Drawn and timed, for a picture that shows the frame-time graph.

int fail(const std::string& error) {
  log(LogLevel::Error, error);
  return 2;
}

}  // namespace

int run_headless(const PlayOptions& given) {
  PlayOptions options = given;
  const bool endless = !options.steps && options.input.empty();
  if (endless) options.steps = kDefaultSteps;
  const platform::PathResult data = platform::find_data_folder(options.world.data_dir);
  if (!data.error.empty()) return fail(data.error);
  SpellLibrary library;
  if (std::string error = library.load(data.path.string()); !error.empty()) return fail(error);

  Game game(options, library);
  if (!game.error().empty()) return fail(game.error());
  Picture picture;
  if (!options.sim_only) {
    const std::string error = picture.open(game.options(), data.path.string());
    if (error.empty()) {
      game.renderer = picture.renderer_name();
    } else if (!options.screenshot.empty()) {
      return fail("--screenshot: " + error);
    } else {
      log(LogLevel::Info, "no OpenGL (" + error + "): simulation only");
    }
  }

  if (std::string error = game.start(); !error.empty()) return fail(error);
  const bool draws_graph = !options.screenshot.empty() && options.graph && !options.no_ui;
  if (endless) log(LogLevel::Info, "no --steps: playing " + std::to_string(kDefaultSteps) + " of them, a minute of the game");
  while (!game.finished() && !platform::stop_requested()) {
    game.begin_frame();
    game.step({});
    if (draws_graph && game.steps_left() < kGraphFrames) picture.draw(game);
    game.end_frame();
  }
  std::string error;
  if (!options.screenshot.empty()) error = picture.save(game, options.screenshot);
  const std::string save_error = game.save();
  if (error.empty()) error = save_error;
  if (!error.empty()) return fail(error);
  return platform::stop_requested() ? 130 : 0;
}

}  // namespace spellpool::app
