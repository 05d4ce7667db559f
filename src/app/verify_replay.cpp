#include "app/verify_replay.hpp"

#include <fmt/format.h>

#include "app/session.hpp"
#include "core/log.hpp"
#include "platform/stop_signals.hpp"

namespace spellpool::app {

int verify_replay(const std::string& path) {
  int exit_code = 0;
  for (const pool::StrategyRow& strategy : pool::kStrategies) {
    SpellLibrary library;  // a replay may change spells: each strategy starts from the replay's own
    SessionPlan plan;
    sim::Replay replay;
    if (std::string error = read_replay(path, replay, library, plan.script); !error.empty()) {
      log(LogLevel::Error, error);
      return 2;
    }
    // The strategy under test holds for the whole game: switches inside the replay would make every pass alike.
    std::erase_if(plan.script, [](const sim::ReplayCommand& c) { return c.command.kind == frame::SimCommandKind::SetStrategy; });
    plan.world.scene = replay.scene;
    plan.world.sizes = frame::default_sizes(replay.scene);
    plan.world.preset = replay.preset;
    plan.world.seed = replay.seed;
    plan.world.pools = replay.pools;
    for (sim::PoolChoice& pool : plan.world.pools) pool.strategy = strategy.id;
    plan.replay = std::move(replay);
    Session session(std::move(plan), library);
    while (!session.finished()) {
      if (platform::stop_requested()) return 130;
      session.step({});
    }
    session.settle();
    if (const auto step = session.first_difference()) {
      fmt::print("{}: differs at step {}\n", strategy.name, *step + 1);
      exit_code = 1;
    } else {
      fmt::print("{}: {} steps equal, hash {:016x}\n", strategy.name, session.world().steps(), session.hash());
    }
  }
  fmt::print("{}\n", exit_code == 0 ? "equal under every strategy" : "NOT equal");
  return exit_code;
}

}  // namespace spellpool::app
