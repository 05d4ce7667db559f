#include "app/run_window.hpp"

#include <filesystem>
#include <system_error>

#include "app/window_game.hpp"
#include "app/pool_sizes.hpp"
#include "core/log.hpp"
#include "platform/paths.hpp"
#include "platform/stop_signals.hpp"

namespace spellpool::app {
namespace {

int fail(const std::string& error) {
  log(LogLevel::Error, error);
  return 2;
}

/// Spells first, in the order of the bar, then all shaders.
std::unique_ptr<platform::FileWatch> watch_files(const std::string& data_dir) {
  std::vector<std::filesystem::path> files;
  for (u32 i = 0; i < frame::kSpellCount; ++i) files.emplace_back(SpellLibrary::path(data_dir, i));
  std::error_code ec;
  for (const auto& entry : std::filesystem::directory_iterator(data_dir + "/shaders", ec)) files.push_back(entry.path());
  return std::make_unique<platform::FileWatch>(std::move(files), std::size_t{1} << 20);
}

}  // namespace

int run_window(const PlayOptions& given) {
  PlayOptions options = given;
  options.world.gradual = options.record_csv.empty() && options.record_input.empty();  // what is measured has everything ready
  const platform::PathResult data = platform::find_data_folder(options.world.data_dir);
  if (!data.error.empty()) return fail(data.error);
  SpellLibrary library;
  auto watch = watch_files(data.path.string());
  if (std::string error = library.load(data.path.string()); !error.empty()) return fail(error);
  if (std::string error = load_pool_sizes(data.path.string(), options.world); !error.empty()) return fail(error);
  Remembered remembered;
  if (!options.ignores_remembered()) remembered = read_remembered();
  WindowGame game(options, library, data.path.string(), std::move(watch), std::move(remembered));
  if (std::string error = game.open(); !error.empty()) return fail(error);
  try {
    while (game.frame()) {
    }
  } catch (...) {
    game.close();  // whatever it was, what was recorded is saved first
    throw;
  }
  if (std::string error = game.close(); !error.empty()) return fail(error);
  return platform::stop_requested() ? 130 : 0;
}

}  // namespace spellpool::app
