#include "app/paired/run_duet.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <optional>

#include "app/fail.hpp"
#include "app/paired/duet_film.hpp"
#include "app/paired/duet_json.hpp"
#include "app/paired/duet_window.hpp"
#include "app/play/game.hpp"
#include "app/play/pool_sizes.hpp"
#include "app/play/progress_bar.hpp"
#include "app/shell/layout_json.hpp"
#include "app/shell/remembered.hpp"
#include "content/media/png.hpp"
#include "content/text_file.hpp"
#include "core/log.hpp"
#include "core/one_line.hpp"
#include "platform/display_loss.hpp"
#include "platform/events.hpp"
#include "platform/paths.hpp"
#include "platform/stop_signals.hpp"

namespace spellpool::app {
namespace {

/// Steps of a headless duet without --steps: ten seconds.
constexpr u64 kDefaultDuetSteps = 600;

std::array<pool::StrategyId, 2> strategies_of(const DuetOptions& duet) { return {duet.a, duet.b}; }

/// What window, headless and export runs share: the worlds, the HUD and the final report.
class Run {
 public:
  Run(const PlayOptions& options, const sim::WorldConfig& config, const frame::Settings& settings)
      : options_(options),
        duet(config, plan_of(options)),
        hud(strategies_of(*options.duet), settings),
        config_(config) {}

  const PlayOptions& options() const { return options_; }

  static DuetPlan plan_of(const PlayOptions& options) {
    DuetPlan plan;
    plan.strategies = strategies_of(*options.duet);
    plan.showcase = options.showcase;
    plan.plant_difference = options.duet->plant_difference;
    if (options.steps) plan.expected_steps = *options.steps;
    return plan;
  }

  /// Step for step, as fast as it goes, drawn where there is a stage.
  void measure() {
    ProgressBar bar;
    const u64 steps = *options_.steps;
    while (duet.steps() < steps && !platform::stop_requested()) {
      duet.step(nullptr, stage ? std::optional(hud.settings.looks.density) : std::nullopt);
      for (const std::size_t side : duet.order()) {
        if (!stage) break;
        const u64 begin_ns = measure::steady_now_ns();
        stage->draw(side, duet.world(side).build_snapshot(hud.settings.looks), 1.0f);
        duet.drew(side, static_cast<float>(static_cast<double>(measure::steady_now_ns() - begin_ns) * 1e-3));
      }
      if (!duet.end_step()) return;
      if (duet.steps() == 1) hud.count_calls(duet);
      if (duet.steps() % 30 != 0) continue;
      bar.show(static_cast<double>(duet.steps()) / static_cast<double>(steps),
               fmt::format("measuring, step {} of {}", duet.steps(), steps));
    }
    duet.check();
  }

  /// "" or an error line.
  std::string save_json() {
    if (options_.json.empty()) return {};
    const std::string json =
        duet_json(duet, options_.world,
                  stage ? DuetShown{std::string(stage->renderer().name()), stage->renderer().path(), frames_us,
                                    stage->renderer().figure_pool()}
                        : DuetShown{});
    if (options_.json != "-") return content::write_text(options_.json, json, content::Overwrite::Yes);
    const bool written = std::fwrite(json.data(), 1, json.size(), stdout) == json.size();
    if (std::fflush(stdout) == 0 && written) return {};
    return "cannot write the summary to standard output: it is closed, or its disk is full; try --json FILE";
  }

  /// The last step with its panels. "" or an error line.
  std::string save_picture() {
    if (options_.screenshot.empty()) return {};
    if (platform::window_lost()) return "--screenshot: the window was gone before the last picture";
    // Dear ImGui lays a new window out in its first frame and shows it in the next.
    for (int pass = 0; pass < 2; ++pass) {
      stage->fit(hud.strip && !hud.hidden);
      for (std::size_t side = 0; side < 2; ++side)
        stage->draw(side, duet.world(side).build_snapshot(hud.settings.looks), 1.0f);
      frame::PanelRequests unheard;
      stage->finish(hud.model(duet, duet.record(), stage->text_scale()), unheard);
    }
    if (!options_.layout_out.empty()) {
      const std::string error = content::write_text(
          options_.layout_out, layout_json(stage->panels().state(), 1, duet.steps()), content::Overwrite::Yes);
      if (!error.empty()) return error;
    }
    std::vector<u8> rgb;
    const platform::Size size = stage->size_px();
    if (!stage->read(rgb)) return "--screenshot: the picture could not be read back from OpenGL";
    return content::write_png(options_.screenshot, static_cast<u32>(size.width), static_cast<u32>(size.height), rgb,
                              "Spellpool", content::Overwrite::Yes);
  }

  /// The film, after the measured pass. "" or an error line.
  std::string film() {
    const std::string& wanted = options_.duet->film;
    const auto seconds = [](u64 steps) { return fmt::format("{:.1f} s", static_cast<double>(steps) / 60.0); };
    if (platform::stop_requested()) {
      log(LogLevel::Warning,
          one_line(fmt::format("--export {}: stopped after {} of {} while it was measured; there is no film", wanted,
                               seconds(duet.steps()), seconds(*options_.steps))));
      return {};
    }
    Duet again(config_, plan_of(options_));
    const FilmResult made = film_duet(wanted, again, duet, *stage, hud);
    if (!made.error.empty()) return made.error;
    if (made.path.empty())
      log(LogLevel::Warning, one_line("--export " + wanted + ": stopped before its first picture; there is no film"));
    else if (platform::stop_requested()) {
      log(LogLevel::Warning, one_line(fmt::format("--export: stopped; {} has the first {} of {}", made.path,
                                                  seconds(made.steps), seconds(duet.steps()))));
    } else {
      log(LogLevel::Info, one_line(fmt::format("{}: {} of film", made.path, seconds(duet.steps()))));
    }
    return {};
  }

  int end(std::string error) {
    const auto note = [&](const std::string& wrong) {
      if (error.empty()) error = wrong;
    };
    note(save_picture());
    note(save_json());
    if (duet.differs_at() > 0) {
      log(LogLevel::Error,
          fmt::format("the two worlds differ after step {}: {} and {} did not do the same work, so nothing is compared",
                      duet.differs_at(), pool::row(duet.strategy(0)).name, pool::row(duet.strategy(1)).name));
      return 3;
    }
    if (options_.json != "-" && error.empty()) {
      print_line(duet_line(duet));
      if (std::fflush(stdout) != 0) error = "cannot write to standard output: it is closed, or its disk is full";
    }
    if (!options_.duet->film.empty() && error.empty()) note(film());
    if (!error.empty()) return fail(error);
    return platform::stop_requested() ? 130 : 0;
  }

 private:
  const PlayOptions& options_;

 public:
  Duet duet;
  DuetHud hud;
  std::optional<DuetStage> stage;
  std::vector<double> frames_us;  // of a window

 private:
  sim::WorldConfig config_;
};

std::string probe_outputs(const PlayOptions& options) {
  std::string error = output_clash(options);
  for (const std::string* path : {&options.json, &options.screenshot, &options.layout_out}) {
    if (error.empty()) error = probe_output(*path);
  }
  if (error.empty() && !options.duet->film.empty()) error = probe_film(options.duet->film);
  return error;
}

struct ShownDuet {
  Run& run;
  DuetWindow& window;

  /// The window closes later, and its display may be lost then.
  ~ShownDuet() { platform::forget_save(this); }
};

/// Saves what must not be lost with the display. Returns where it is, "", or nothing if it could not be saved.
std::optional<std::string> on_display_lost(void* context) {
  ShownDuet& shown = *static_cast<ShownDuet*>(context);
  shown.window.close();
  shown.run.duet.check();
  const std::string error = shown.run.save_json();
  if (!error.empty()) {
    log(LogLevel::Error, error);
    return std::nullopt;
  }
  const std::string& json = shown.run.options().json;
  return json == "-" ? std::string{} : json;
}

int play_in_window(Run& run, const PlayOptions& options) {
  {
    platform::Events events;
    DuetWindow window(options, run.duet, *run.stage, run.hud, events);
    for (const std::string* warning : {&events.warning(), &events.binding_warning()}) {
      if (!warning->empty()) log(LogLevel::Warning, *warning);
    }
    ShownDuet shown{run, window};
    platform::watch_display(run.stage->window(), on_display_lost, &shown);
    constexpr std::size_t kMostFrames = 131'072;
    run.frames_us.reserve(kMostFrames);
    for (u64 begun = measure::steady_now_ns(); window.frame();) {
      const u64 ended = measure::steady_now_ns();
      if (run.frames_us.size() < kMostFrames) run.frames_us.push_back(static_cast<double>(ended - begun) * 1e-3);
      begun = ended;
    }
    window.close();
  }
  run.duet.check();
  const int code = run.end({});
  if (platform::window_lost()) platform::end_after_loss(code);
  return code;
}

}  // namespace

int run_duet(const PlayOptions& given) {
  PlayOptions options = given;
  const platform::PathResult data = platform::find_data_folder(options.world.data_dir);
  if (!data.error.empty()) return fail(data.error);
  SpellLibrary library;
  if (std::string error = load_texts(data.path.string(), library, options.world); !error.empty()) return fail(error);
  if (std::string error = options.world.wrong_enemies(library.stages().stage().get()); !error.empty())
    return fail(error);
  if (std::string error = probe_outputs(options); !error.empty()) return fail(error);
  if (options.headless && !options.steps) {
    options.steps = kDefaultDuetSteps;
    log(LogLevel::Info, fmt::format("no --steps: playing {} of them, ten seconds of the game", kDefaultDuetSteps));
  }
  frame::Settings settings;
  if (!options.headless) {
    Remembered remembered = read_remembered();
    for (const std::string& message : remembered.messages) log(LogLevel::Warning, message);
    settings = std::move(remembered.settings);
  }
  settings = with_options(std::move(settings), options);
  measure::AgedHeap heap;
  if (!heap.age(options.duet->heap)) return fail("--heap: not enough memory; aged_heavy takes 1.4 GB");

  Run run(options, world_config(options.world, library), settings);
  run.hud.hidden = options.no_ui;
  run.hud.help = options.help;
  if (!options.sim_only) {
    run.stage.emplace();
    const std::string error = run.stage->open(options, settings, data.path.string());
    if (!error.empty()) {
      run.stage.reset();
      if (!options.headless) return fail(error);
      if (!options.screenshot.empty() || !options.duet->film.empty())
        return fail((options.screenshot.empty() ? "--export: " : "--screenshot: ") + error);
      log(LogLevel::Info, "no OpenGL (" + error + "): simulation only");
    }
  }
  if (!options.headless) return play_in_window(run, options);
  if (run.stage) run.stage->fit(run.hud.strip && !run.hud.hidden);
  run.measure();
  return run.end({});
}

}  // namespace spellpool::app
