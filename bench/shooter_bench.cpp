// What a step of the shooter costs with many bullets: 200 enemies and 20,000 sparks beside 1,000 to 100,000 bullets, with every pool in
// one strategy and in another, step by step in turns. Goal S1 is the free list at 10,000; S2 its growth to 100,000.
//   bench_shooter [--rounds N] [--goals FILE]
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "crowded_stage.hpp"
#include "goals.hpp"

namespace spellpool::bench {
namespace {

constexpr u32 kSparks = 20'000;
constexpr u32 kBullets[] = {1'000, 10'000, 100'000};
constexpr u32 kGoalBullets = 10'000;
constexpr u32 kSettle_steps = 30, kStepsARound = 20;
constexpr pool::StrategyId kStrategies[] = {pool::StrategyId::FreeList, pool::StrategyId::Packed, pool::StrategyId::Heap};

struct Side {
  std::unique_ptr<sim::ShooterWorld> world;
  double least_us = 1e18;
};

Side ready(u32 bullets, pool::StrategyId strategy) {
  Side side{std::make_unique<sim::ShooterWorld>(crowded(bullets, strategy, kSparks))};
  fill_with_sparks(*side.world, kSparks);
  frame::InputFrame start;
  start.buttons = frame::kButtonStart;
  side.world->step(start, {});
  for (u32 i = 0; i < kSettle_steps; ++i) side.world->step({}, {});
  return side;
}

int run(int argc, char** argv) {
  u32 rounds = 30;
  std::string goals_path;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--rounds") == 0 && i + 1 < argc) rounds = static_cast<u32>(std::max(1, std::atoi(argv[++i])));
    else if (std::strcmp(argv[i], "--goals") == 0 && i + 1 < argc) goals_path = argv[++i];
    else return std::fprintf(stderr, "bench_shooter: cannot use '%s': bench_shooter [--rounds N] [--goals FILE]\n", argv[i]), 2;
  }
  std::printf("a step of the shooter, %u enemies, %u sparks, least of %u rounds of %u steps, µs\n%10s", kEnemies, kSparks, rounds, kStepsARound, "bullets");
  for (const pool::StrategyId strategy : kStrategies) std::printf("%14s", std::string(pool::row(strategy).name).c_str());
  std::printf("\n");
  double at_goal_us = 0, first_us = 0, last_us = 0;
  for (const u32 bullets : kBullets) {
    std::vector<Side> sides;
    for (const pool::StrategyId strategy : kStrategies) sides.push_back(ready(bullets, strategy));
    for (const Side& side : sides) {
      const u32 live = side.world->pool(frame::PoolId::Bullets).stats().live;
      if (live < bullets * 9 / 10 || side.world->pool(frame::PoolId::Enemies).stats().live != kEnemies || side.world->hash() != sides[0].world->hash()) {
        return std::fprintf(stderr, "bench_shooter: the sides do not do the same work: %u bullets of %u\n", live, bullets), 3;
      }
    }
    for (u32 round = 0; round < rounds; ++round) {
      for (Side& side : sides) {
        const auto from = std::chrono::steady_clock::now();
        for (u32 i = 0; i < kStepsARound; ++i) side.world->step({}, {});
        const double us = std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - from).count() / kStepsARound;
        side.least_us = std::min(side.least_us, us);
      }
    }
    std::printf("%10u", bullets);
    for (const Side& side : sides) std::printf("%14.1f", side.least_us);
    std::printf("\n");
    if (bullets == kGoalBullets) at_goal_us = sides[0].least_us;
    if (bullets == kBullets[0]) first_us = sides[0].least_us;
    last_us = sides[0].least_us;
  }
  const double per_early = (at_goal_us - first_us) / (kGoalBullets - kBullets[0]), per_late = (last_us - at_goal_us) / (kBullets[2] - kGoalBullets);
  const std::vector<Goal> goals = {
      {"shooter.S1", text("10,000 bullets, %u enemies, %u sparks, union free lists: a step", kEnemies, kSparks), 2.0, at_goal_us * 1e-3, "ms", Goal::Better::Lower},
      {"shooter.S2", text("a bullet more: %.1f ns up to 10,000, %.1f from there to 100,000", per_early * 1e3, per_late * 1e3), 1.5, per_late / per_early, "x",
       Goal::Better::Lower}};
  for (const Goal& goal : goals) {
    std::printf("  %-11s goal ≤ %4.1f %-2s  measured %6.2f %-2s  %s  %s\n", goal.id.c_str(), goal.goal, goal.unit.c_str(), goal.value, goal.unit.c_str(),
                goal.ok() ? "reached" : "MISSED ", goal.what.c_str());
  }
  if (!goals_path.empty() && !append_goals(goals_path, goals)) return std::fprintf(stderr, "bench_shooter: cannot write %s\n", goals_path.c_str()), 2;
  return 0;
}

}  // namespace
}  // namespace spellpool::bench

int main(int argc, char** argv) { return spellpool::bench::run(argc, argv); }
