#include "app/cli/verify_replay.hpp"

#include <fmt/format.h>

#include "app/play/session.hpp"
#include "core/log.hpp"
#include "platform/paths.hpp"
#include "platform/stop_signals.hpp"

namespace spellpool::app {

int verify_replay(const std::string& path, const std::string& data_dir) {
  const platform::PathResult data = platform::find_data_folder(data_dir);
  const std::string folder = data.error.empty() ? data.path.string() : std::string{};
  int exit_code = 0;
  std::vector<u64> first;  // the first strategy's hashes
  for (const pool::StrategyRow& strategy : pool::kStrategies) {
    SpellLibrary library;  // a replay may change spells: each strategy starts from the replay's own
    SessionPlan plan;
    sim::Replay replay;
    if (std::string error = read_replay(path, folder, replay, library, plan.script); !error.empty()) {
      log(LogLevel::Error, error);
      return 2;
    }
    // The strategy under test holds for the whole game: switches inside the replay would make every pass alike.
    std::erase_if(plan.script,
                  [](const sim::ReplayCommand& c) { return c.command.kind == frame::SimCommandKind::SetStrategy; });
    plan.world.scene = replay.scene;
    plan.world.sizes = frame::default_sizes(replay.scene);
    plan.world.difficulty = replay.difficulty;
    plan.world.preset = replay.preset;
    plan.world.seed = replay.seed;
    plan.world.pools = replay.pools;
    for (sim::PoolChoice& pool : plan.world.pools) pool.strategy = strategy.id;
    plan.replay = std::move(replay);
    Session session(std::move(plan), library);
    const bool is_first = strategy.id == pool::kStrategies.front().id;
    std::optional<u64> apart;  // from the first strategy
    while (!session.finished()) {
      if (platform::stop_requested()) return 130;
      const u64 step = session.world().steps();
      session.step({});
      session.settle();
      if (is_first) first.push_back(session.settled_hash());
      else if (!apart && session.settled_hash() != first[step]) apart = step;
    }
    const auto differs = session.first_difference();
    if (differs || apart) {
      const bool from_file = differs && (!apart || *differs <= *apart);
      fmt::print("{}: differs {}at step {}\n", strategy.name,
                 from_file ? "" : fmt::format("from {} ", pool::kStrategies.front().name),
                 (from_file ? *differs : *apart) + 1);
      exit_code = 1;
    } else {
      fmt::print("{}: {} steps equal, hash {:016x}\n", strategy.name, session.world().steps(), session.hash());
    }
  }
  fmt::print("{}\n", exit_code == 0 ? "equal under every strategy" : "NOT equal");
  return exit_code;
}

}  // namespace spellpool::app
