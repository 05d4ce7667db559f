// Replays carry every switch of the demonstrations, and give the same game with every strategy; with none of them on
// does a pooled strategy allocate in a step.
#include <fmt/format.h>

#include "pool/strategy.hpp"
#include "program.hpp"

namespace spellpool::app {
namespace {

using DemonstrationReplays = ProgramTest;

// Each switch, on and off, and turned while another one is on.
constexpr const char* kArena =
    "30 console heap\n60 load 5\n60 heap aged\n90 forgetful on\n90 fill particles on\n120 memory heap\n"
    "200 strategy decals random\n210 capacity decals 16\n220 overflow particles grow\n240 capacity particles 30000\n"
    "260 strategy wisps active_flag\n280 overflow decals reject\n300 console pools\n"
    "330 trim particles 100\n360 memory arena\n400 forgetful off\n420 fill particles off\n440 heap fresh\n"
    "460 churn 10\n480 churn 0\n500 console off\n520 load 1\n";
constexpr const char* kShooter =
    "30 slots shared\n30 cranes heap\n60 load 20\n90 fill bullets on\n150 strategy chunks queue\n"
    "200 strategy chunks random\n2500 cranes null\n2900 slots separate\n"
    "3000 memory heap\n3060 memory arena\n3100 cranes off\n3120 slots off\n3150 load 1\n";

TEST_F(DemonstrationReplays, CarryEverySwitchAndAreEqualUnderEveryStrategy) {
  const std::pair<const char*, const char*> games[] = {{"--steps 600", kArena},
                                                       {"--scene shooter --steps 3200", kShooter}};
  for (const auto& [game, commands] : games) {
    write("c.txt", commands);
    const Outcome recorded =
        run(fmt::format("--sim-only --autoplay --seed 4 {} --commands c.txt --record-input r.replay "
                        "--hash-out r.txt",
                        game));
    ASSERT_EQ(recorded.exit_code, 0) << recorded.err;
    const std::string replay = read("r.replay");
    const std::string_view all = commands;
    for (std::size_t at = 0; at < all.size(); at = all.find('\n', at) + 1) {
      const std::string line(all.substr(at, all.find('\n', at) - at));
      EXPECT_NE(replay.find("! " + line + "\n"), std::string::npos) << line;
    }
    const Outcome verified = run("verify-replay r.replay");
    EXPECT_EQ(verified.exit_code, 0) << verified.out << verified.err;
    for (const pool::StrategyRow& row : pool::kStrategies) {
      EXPECT_NE(verified.out.find(std::string(row.name) + ": "), std::string::npos) << row.name;
    }
    // Played from the file it is the same, step by step.
    ASSERT_EQ(run("--sim-only --input r.replay --strategy soa --hash-out again.txt").exit_code, 0);
    EXPECT_EQ(read("r.txt"), read("again.txt")) << game;
  }
}

TEST_F(DemonstrationReplays, WithADemonstrationOnNoStepOfAPooledStrategyAllocates) {
  const std::pair<const char*, const char*> demonstrations[] = {
      {"--steps 900", "1 console heap"},
      {"--steps 900", "1 console pools"},
      {"--steps 900", "1 forgetful on"},
      {"--steps 900", "1 forgetful on\n1 fill particles on"},
      {"--scene shooter --steps 2700", "1 slots shared\n1 load 20"},
      {"--scene shooter --steps 2700", "1 slots separate\n1 load 20"},
      {"--scene shooter --steps 2700", "1 cranes null"},
  };
  for (const auto& [game, commands] : demonstrations) {
    write("c.txt", std::string(commands) + "\n");
    for (const pool::StrategyRow& row : pool::kStrategies) {
      if (row.id == pool::StrategyId::Heap || row.id == pool::StrategyId::Pmr) continue;
      const Outcome outcome = run(fmt::format(
          "--sim-only --autoplay --seed 4 {} --commands c.txt --strategy {} --json a.json", game, row.name));
      ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
      EXPECT_EQ(read_json("a.json")["allocations_since_step_60"], 0) << commands << " with " << row.name;
    }
  }
}

}  // namespace
}  // namespace spellpool::app
