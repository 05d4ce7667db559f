// run_window() in a browser, which calls the frame function: run_window() returns at once, and what the game needs
// lives on the heap until the page is closed.
#include <emscripten.h>
#include <emscripten/html5.h>

#include <new>

#include "app/fail.hpp"
#include "app/library/sound_library.hpp"
#include "app/play/pool_sizes.hpp"
#include "app/scene_hooks.hpp"
#include "app/shell/shell.hpp"
#include "app/window/run_window.hpp"
#include "app/window/window_game.hpp"
#include "core/log.hpp"
#include "platform/paths.hpp"

namespace spellpool::app {
namespace {

/// What run_window() of the other systems has on its stack.
struct PageGame {
  PageGame(const PlayOptions& options, const std::string& data_dir, std::unique_ptr<Shell> opened, SpellLibrary&& read, Remembered remembered)
      : shell(std::move(opened)), library(std::move(read)),
        sounds(sound_folders(data_dir, options.ignores_remembered() ? Own::No : Own::Yes)),
        game(options, library, sounds, data_dir, *shell, std::make_unique<platform::FileWatch>(std::vector<std::filesystem::path>{}, 0),
             std::move(remembered)) {
    sounds.render_gradually();  // a second or two, in the first frames
  }

  std::unique_ptr<Shell> shell;
  SpellLibrary library;
  SoundLibrary sounds;
  WindowGame game;
  bool graphics_lost = false;
};

// A restored context has lost its WebGL extensions: enables them again, as emscripten does for a new one.
EM_JS(void, page_ask_for_extensions, (), {
  GL.currentContext.initExtensionsDone = false;
  GL.initExtensions(GL.currentContext);
});

// Deleting objects of the lost context is an error to WebGL, and the only one to expect.
EM_JS(void, page_forget_errors, (), { while (GL.currentContext.GLctx.getError()); });

/// Ends the frames; the page shows `error`, or that the game is over.
void end_game(PageGame* page, const std::string& error) {
  emscripten_cancel_main_loop();
  emscripten_set_webglcontextlost_callback("#canvas", nullptr, false, nullptr);
  emscripten_set_webglcontextrestored_callback("#canvas", nullptr, false, nullptr);
  delete page;
  if (!error.empty()) log(LogLevel::Error, error);
  EM_ASM({ if (Module.onGameOver) Module.onGameOver(UTF8ToString($0)); }, error.c_str());
}

/// As end_game(), after an exception: what can still be saved is saved.
void end_broken_game(PageGame* page, const std::exception& e) {
  const bool memory = dynamic_cast<const std::bad_alloc*>(&e) != nullptr;
  const std::string error = memory ? "out of memory; reload the page, and play with a lower load or capacity" : e.what();
  try {
    (void)page->game.close();
  } catch (const std::exception&) {
    // What could not be saved is lost; `error` is shown all the same.
  }
  end_game(page, error);
}

void play_frame(void* self) {
  auto* const page = static_cast<PageGame*>(self);
  if (page->graphics_lost) return;
  try {
    if (page->game.frame()) return;
    const std::string error = page->game.close();
    end_game(page, error);
  } catch (const std::exception& e) {
    end_broken_game(page, e);
  }
}

/// The browser lost the WebGL context, for example because the driver was reset, and may restore it. The game waits.
bool on_graphics_lost(int, const void*, void* self) {
  static_cast<PageGame*>(self)->graphics_lost = true;
  return true;  // asks the browser to restore it
}

bool on_graphics_restored(int, const void*, void* self) {
  auto* const page = static_cast<PageGame*>(self);
  try {
    page_ask_for_extensions();
    const std::string error = page->game.restore_graphics();
    page_forget_errors();
    if (error.empty()) {
      page->graphics_lost = false;
    } else {
      page->game.close();  // what was recorded is saved first
      end_game(page, error);
    }
  } catch (const std::exception& e) {
    end_broken_game(page, e);
  }
  return true;
}

/// Before texts are read and worlds are made: the browser draws the ground meanwhile. "" or an error line.
std::string open_shell(Shell& shell, const PlayOptions& options, const frame::Settings& settings, const std::string& data_dir) {
  if (std::string error = shell.open_window(settings); !error.empty()) return error;
  if (std::string error = shell.open_renderer(data_dir + "/shaders"); !error.empty()) return error;
  shell.show_looks(settings.looks, settings.looks.quality == frame::Quality::Auto && !options.is_measured());
  const platform::Size size = shell.drawable_px();
  shell.renderer().resize(size.width, size.height);
  if (options.input.empty()) {  // a replay has its own scene
    const SceneHooks& scene = scene_hooks(options.world.scene);
    scene.make_figures(shell.renderer());
    scene.begin_ground(shell.renderer());
  }
  return {};
}

}  // namespace

int run_window(const PlayOptions& given) {
  PlayOptions options = given;
  options.world.gradual = options.record_csv.empty() && options.record_input.empty();
  const platform::PathResult data = platform::find_data_folder(options.world.data_dir);
  if (!data.error.empty()) return fail(data.error);
  Remembered remembered;
  if (!options.ignores_remembered()) remembered = read_remembered();
  auto shell = std::make_unique<Shell>();
  if (std::string error = open_shell(*shell, options, with_options(remembered.settings, options), data.path.string()); !error.empty())
    return fail(error);
  SpellLibrary library;
  if (std::string error = load_texts(data.path.string(), library, options.world); !error.empty()) return fail(error);
  options.take_scene_voices();
  auto page = std::make_unique<PageGame>(options, data.path.string(), std::move(shell), std::move(library), std::move(remembered));
  if (std::string error = page->game.open(); !error.empty()) return fail(error);
  emscripten_set_webglcontextlost_callback("#canvas", page.get(), false, on_graphics_lost);
  emscripten_set_webglcontextrestored_callback("#canvas", page.get(), false, on_graphics_restored);
  emscripten_set_main_loop_arg(play_frame, page.release(), 0, 0);
  return 0;
}

}  // namespace spellpool::app
