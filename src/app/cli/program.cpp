#include "app/cli/program.hpp"

#include <cstdio>
#include <exception>

#include "app/cli/catalog.hpp"
#include "app/cli/compare_command.hpp"
#include "app/cli/report_command.hpp"
#include "app/cli/run_headless.hpp"
#include "app/cli/synctest.hpp"
#include "app/cli/verify_replay.hpp"
#include "app/fail.hpp"
#include "app/learn/run_learn.hpp"
#include "app/options.hpp"
#include "app/paired/run_duet.hpp"
#include "app/window/run_window.hpp"
#include "core/log.hpp"
#include "platform/clock.hpp"
#include "platform/stop_signals.hpp"
#include "platform/window.hpp"

namespace spellpool::app {
namespace {

/// All of it, or a line that says so. Exit code 0 or 2.
int print(const std::string& text) {
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  if (std::fflush(stdout) == 0 && written) return 0;
  log(LogLevel::Error, "cannot write to standard output: it is closed, or its disk is full");
  return 2;
}

}  // namespace

int run_program(int argc, const char* const* argv) {
  const i64 started_ns = platform::now_ns();
  try {
    ParseResult parsed = parse_options(argc, argv);
    if (!parsed.options) {
      if (parsed.exit_code == 0) return print(parsed.text);
      std::fputs(parsed.text.c_str(), stderr);
      return parsed.exit_code;
    }
    Options& options = *parsed.options;
    options.play.started_ns = started_ns;
    platform::install_stop_signals();
    switch (options.command) {
      case CommandId::List: return print(list_text(options.list_topic, options.play.world.scene, options.list_json));
      case CommandId::VerifyReplay: return verify_replay(options.replay, options.replay_data_dir);
      case CommandId::SyncTest: return synctest(options.synctest);
      case CommandId::Compare: return compare_command(options.compare);
      case CommandId::Report: return report_command(options.report);
      case CommandId::Block: return run_block(options.block);
      case CommandId::Play:
        if (platform::kInBrowser && options.play.duet && !options.play.headless) {
          return fail("--duet has a loop of its own and does not run in a page; press Z in the game for side by side");
        }
        if (options.play.duet) return run_duet(options.play);
        if (options.play.learn && options.play.headless) return run_learn(options.play);
        return options.play.headless ? run_headless(options.play) : run_window(options.play);
    }
  } catch (const std::bad_alloc&) {
    log(LogLevel::Error, "out of memory; try a smaller --capacity");
  } catch (const std::exception& e) {
    log(LogLevel::Error, e.what());
  }
  return 2;
}

}  // namespace spellpool::app
