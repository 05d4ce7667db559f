#include "app/window/run_window.hpp"

#include <filesystem>
#include <system_error>

#include "app/fail.hpp"
#include "app/library/sound_library.hpp"
#include "app/play/crash_note.hpp"
#include "app/play/pool_sizes.hpp"
#include "app/scene_hooks.hpp"
#include "app/shell/shell.hpp"
#include "app/window/window_game.hpp"
#include "platform/display_loss.hpp"
#include "platform/paths.hpp"
#include "platform/stop_signals.hpp"

namespace spellpool::app {
namespace {

constexpr std::size_t kMostText_bytes = std::size_t{1} << 20;

/// Spells first, in the order of the bar, then the arena's emitters, then all shaders; if the shooter may be
/// played, its stage and its patterns, too.
std::unique_ptr<platform::FileWatch> watch_files(const std::string& data_dir, bool shooter) {
  std::vector<std::filesystem::path> files;
  for (u32 i = 0; i < frame::kSpellCount; ++i) files.emplace_back(SpellLibrary::path(data_dir, i));
  files.emplace_back(SpellLibrary::arena_path(data_dir));
  std::error_code ec;
  for (const auto& entry : std::filesystem::directory_iterator(data_dir + "/shaders", ec))
    files.push_back(entry.path());
  if (!shooter) return std::make_unique<platform::FileWatch>(std::move(files), kMostText_bytes);
  files.emplace_back(StageLibrary::stage_path(data_dir));
  return std::make_unique<platform::FileWatch>(std::move(files), kMostText_bytes,
                                               StageLibrary::pattern_folder(data_dir));
}

}  // namespace

int run_window(const PlayOptions& given) {
  PlayOptions options = given;
  options.world.gradual = options.record_csv.empty() && options.record_input.empty();  // what is measured has everything ready
  const platform::PathResult data = platform::find_data_folder(options.world.data_dir);
  if (!data.error.empty()) return fail(data.error);
  SpellLibrary library;
  auto watch = watch_files(data.path.string(), options.allows_title() || scene_hooks(options.world.scene).has_stages());
  if (std::string error = load_texts(data.path.string(), library, options.world); !error.empty()) return fail(error);
  options.take_scene_voices();
  Remembered remembered;
  if (!options.ignores_remembered()) remembered = read_remembered();
  SoundLibrary sounds(sound_folders(data.path.string(), options.ignores_remembered() ? Own::No : Own::Yes));
  Shell shell;
  WindowGame game(options, library, sounds, data.path.string(), shell, std::move(watch), std::move(remembered));
  if (std::string error = game.open(); !error.empty()) return fail(error);
  const CrashNote note(game.game());
  try {
    while (game.frame()) {
    }
  } catch (...) {
    game.close();  // whatever it was, what was recorded is saved first
    throw;
  }
  const std::string error = game.close();
  const int code = !error.empty() ? fail(error) : platform::stop_requested() ? 130 : 0;
  if (platform::window_lost()) platform::end_after_loss(code);
  return code;
}

}  // namespace spellpool::app
