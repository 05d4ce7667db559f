// What it costs to save a world and to return to it: 24,000 sparks, 1,000 bullets and 200 enemies, with every strategy, beside a memcpy of the
// same live bytes and beside what a game without pools would copy: a vector of structs, objects of their own (made anew, and used again), a
// plf::colony. In turns, one of each a round; least and 99th percentile over the rounds.
// Then the game's own minute: scripted play in both scenes, and jumps to any of its steps by the keyframes of app/replay/history.hpp.
// Then a long replay: indexed on a thread of its own, and jumps to any of its steps.
//   bench_rewind [--rounds N] [--replay-minutes N] [--goals FILE]
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "app/play/session.hpp"
#include "core/rng.hpp"
#include "crowded_stage.hpp"
#include "goals.hpp"
#if defined(SPELLPOOL_PEERS)
#include <plf_colony.h>
#endif

namespace spellpool::bench {
namespace {

constexpr u32 kSparks = 24'000, kBullets = 1'000, kAhead_steps = 8;

double us_of(const std::function<void()>& work) {
  const auto from = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - from).count();
}

struct Times {
  std::vector<double> us;
  double least() const { return us.empty() ? 0 : *std::min_element(us.begin(), us.end()); }
  double p99() const {
    std::vector<double> sorted = us;
    std::sort(sorted.begin(), sorted.end());
    return sorted.empty() ? 0 : sorted[std::min(sorted.size() - 1, sorted.size() * 99 / 100)];
  }
};

/// Jumps to random steps of the last minute.
struct Minute {
  const char* when;
  bool goal;            ///< The promise of docs/REWIND.md is about these.
  Times jumps;
  double reaches_s = 0, mib = 0;
};

/// Empty: the game's files cannot be read.
std::vector<Minute> minute_of(frame::SceneId scene) {
  constexpr u64 kMinute_steps = 3'600;
  constexpr u32 kJumps = 600;
  app::SpellLibrary library;
  if (!library.load(SPELLPOOL_SOURCE_DIR).empty() || !library.stages().load(SPELLPOOL_SOURCE_DIR).empty()) return {};
  app::SessionPlan plan;
  plan.world.scene = scene;
  plan.world.sizes = frame::default_sizes(scene);
  plan.autoplay = true;
  app::Session session(plan, library);
  session.keep_history(true);
  std::vector<bool> burns(1, false);
  while (session.world().steps() < kMinute_steps) {
    session.keep_keyframe();
    session.step({});
    burns.push_back(session.world().build_snapshot().finale > 0.0f);
  }
  const app::History& history = *session.history();
  std::vector<Minute> parts = {{"", true, {}}, {", in the finale", false, {}}};
  Rng rng(5);
  for (u32 i = 0; i < kJumps; ++i) {
    const u64 step = *history.first() + rng.below(static_cast<u32>(history.last() - *history.first()) + 1);
    parts[burns[step] ? 1 : 0].jumps.us.push_back(us_of([&] { session.turn_back(step); }));
  }
  for (Minute& part : parts) {
    part.reaches_s = static_cast<double>(history.last() - *history.first()) / 60.0;
    part.mib = static_cast<double>(history.bytes()) / (1 << 20);
  }
  return parts;
}

/// Of a replay that is indexed: jumps to random steps, each until the step itself is reached.
struct LongReplay {
  double indexed_s = 0, mib = 0;
  u64 every_steps = 0;
  Times jumps;
};

/// None: the game's files cannot be read.
std::optional<LongReplay> replay_of(frame::SceneId scene, u32 minutes) {
  constexpr u32 kJumps = 100;
  app::SpellLibrary library;
  if (!library.load(SPELLPOOL_SOURCE_DIR).empty() || !library.stages().load(SPELLPOOL_SOURCE_DIR).empty()) return {};
  app::SessionPlan plan;
  plan.world.scene = scene;
  plan.world.sizes = frame::default_sizes(scene);
  plan.autoplay = plan.record_replay = true;
  const u64 steps = u64{minutes} * 3'600;
  {
    app::Session recorded(plan, library);
    while (recorded.world().steps() < steps) recorded.step({});
    recorded.settle();
    sim::ReplayResult parsed = sim::parse_replay(recorded.replay_writer()->text());
    if (!parsed.replay) return {};
    plan.autoplay = plan.record_replay = false;
    plan.script = parsed.replay->commands;
    plan.replay = std::move(parsed.replay);
  }
  app::Session session(std::move(plan), library);
  LongReplay result;
  result.indexed_s = 1e-6 * us_of([&] {
    session.index_replay(true);
    while (!session.indexer()->done()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  });
  result.mib = static_cast<double>(session.replay_index().bytes()) / (1 << 20);
  result.every_steps = session.replay_index().every_steps();
  Rng rng(5);
  for (u32 i = 0; i < kJumps; ++i) {
    const u64 step = rng.below(static_cast<u32>(steps));
    result.jumps.us.push_back(us_of([&] {
      session.jump(step);
      while (session.world().steps() < step) session.step({});
    }));
  }
  return result;
}

/// Prints a row for each scene. False: no replay could be made.
bool measure_replays(u32 minutes, std::vector<Goal>& goals) {
  std::printf("\nany step of a replay of %u minutes, indexed in the background: 100 jumps, ms\n%24s%10s%10s%10s%14s%10s%15s\n", minutes, "", "median", "p99", "worst", "indexed in s", "MiB",
              "every n steps");
  for (const frame::SceneRow& scene : frame::kScenes) {
    std::optional<LongReplay> replay = replay_of(scene.id, minutes);
    if (!replay) return false;
    const std::string name(scene.name);
    std::vector<double>& us = replay->jumps.us;
    std::ranges::sort(us);
    std::printf("%24s%10.2f%10.2f%10.2f%14.1f%10.1f%15llu\n", name.c_str(), us[us.size() / 2] * 1e-3, replay->jumps.p99() * 1e-3, us.back() * 1e-3, replay->indexed_s, replay->mib,
                static_cast<unsigned long long>(replay->every_steps));
    goals.push_back({"rewind.replay." + name, "any step of a long replay, once indexed: the slowest of its jumps", 1.0, us.back() * 1e-6, "s", Goal::Better::Lower});
  }
  return true;
}

/// One way to save and to restore.
struct Row {
  std::string name;
  std::function<void()> save, restore, ahead;  // ahead: restore, 8 steps, 8 saves; empty of a peer
  Times saved, restored, rolled;
};

struct World {
  std::unique_ptr<sim::ShooterWorld> world;
  std::unique_ptr<sim::WorldState> state, later;
};

World ready(pool::StrategyId strategy) {
  World made{std::make_unique<sim::ShooterWorld>(crowded(kBullets, strategy, kSparks)), {}, {}};
  fill_with_sparks(*made.world, kSparks);
  frame::InputFrame start;
  start.buttons = frame::kButtonStart;
  made.world->step(start, {});
  for (int i = 0; i < 30; ++i) made.world->step({}, {});
  made.state = made.world->new_state();
  made.later = made.world->new_state();
  made.world->save(*made.state);
  made.world->save(*made.later);
  return made;
}

int run(int argc, char** argv) {
  u32 rounds = 200, minutes = 30;
  std::string goals_path;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--rounds") == 0 && i + 1 < argc) rounds = static_cast<u32>(std::max(1, std::atoi(argv[++i])));
    else if (std::strcmp(argv[i], "--replay-minutes") == 0 && i + 1 < argc) minutes = static_cast<u32>(std::max(0, std::atoi(argv[++i])));
    else if (std::strcmp(argv[i], "--goals") == 0 && i + 1 < argc) goals_path = argv[++i];
    else return std::fprintf(stderr, "bench_rewind: cannot use '%s': bench_rewind [--rounds N] [--replay-minutes N] [--goals FILE]\n", argv[i]), 2;
  }
  std::vector<World> worlds;
  std::vector<Row> rows;
  worlds.reserve(pool::kStrategyCount);
  for (const pool::StrategyRow& strategy : pool::kStrategies) {
    if (strategy.slow) continue;  // those that search take minutes to fill
    World& w = worlds.emplace_back(ready(strategy.id));
    if (w.world->hash() != worlds[0].world->hash()) return std::fprintf(stderr, "bench_rewind: the sides do not hold the same world\n"), 3;
    rows.push_back({std::string(strategy.name), [&w] { w.world->save(*w.state); }, [&w] { w.world->restore(*w.state); },
                    [&w] {
                      w.world->restore(*w.state);
                      for (u32 i = 0; i < kAhead_steps; ++i) {
                        w.world->step({}, {});
                        w.world->save(*w.later);
                      }
                    },
                    {}, {}, {}});
  }
  // The peers hold what lives in the largest pool.
  const std::size_t live = worlds[0].state->bytes();
  std::vector<std::byte> bytes(live, std::byte{1}), copy(live);
  rows.push_back({"memcpy", [&] { std::memcpy(copy.data(), bytes.data(), live); }, [&] { std::memcpy(bytes.data(), copy.data(), live); }, {}, {}, {}, {}});
  const std::size_t objects = live / sizeof(sim::Particle);
  std::vector<sim::Particle> plain(objects), plain_copy;
  rows.push_back({"std::vector", [&] { plain_copy = plain; }, [&] { plain = plain_copy; }, {}, {}, {}, {}});
  // Objects of their own lie where other allocations between them have left them.
  std::vector<std::unique_ptr<sim::Particle>> owned(objects), spare(objects);
  std::vector<sim::Particle> owned_copy(objects);
  for (std::size_t i = 0; i < objects; ++i) {
    owned[i] = std::make_unique<sim::Particle>();
    spare[i] = std::make_unique<sim::Particle>();
  }
  Rng rng(3);
  for (std::size_t i = objects; i > 1; --i) std::swap(owned[i - 1], owned[rng.below(static_cast<u32>(i))]);
  spare.clear();
  const auto save_owned = [&] {
    for (std::size_t i = 0; i < objects; ++i) owned_copy[i] = *owned[i];
  };
  rows.push_back({"unique_ptr, made anew", save_owned,
                  [&] {
                    for (auto& object : owned) object.reset();
                    for (std::size_t i = 0; i < objects; ++i) owned[i] = std::make_unique<sim::Particle>(owned_copy[i]);
                  },
                  {}, {}, {}, {}});
  rows.push_back({"unique_ptr, used again", save_owned,
                  [&] {
                    for (std::size_t i = 0; i < objects; ++i) *owned[i] = owned_copy[i];
                  },
                  {}, {}, {}, {}});
#if defined(SPELLPOOL_PEERS)
  plf::colony<sim::Particle> colony, colony_copy;
  for (std::size_t i = 0; i < objects; ++i) colony.insert(sim::Particle{});
  rows.push_back({"plf::colony", [&] { colony_copy = colony; }, [&] { colony = colony_copy; }, {}, {}, {}, {}});
#endif
  for (u32 round = 0; round < rounds; ++round) {
    // All save, then all restore: each finds its bytes as cold as a game does that saved half a second ago.
    for (Row& row : rows) row.saved.us.push_back(us_of(row.save));
    for (Row& row : rows) row.restored.us.push_back(us_of(row.restore));
    for (Row& row : rows) {
      if (row.ahead) row.rolled.us.push_back(us_of(row.ahead));
    }
  }
  std::printf("%u sparks, %u bullets, %u enemies: a state of %zu bytes; %u rounds, µs\n%24s%10s%10s%12s%10s%10s%16s\n", kSparks, kBullets, kEnemies, live, rounds, "",
              "save", "p99", "restore", "p99", "of memcpy", "8 steps, p99");
  const auto memcpy_row = std::find_if(rows.begin(), rows.end(), [](const Row& row) { return row.name == "memcpy"; });
  const double copied = memcpy_row->saved.least(), copied_back = memcpy_row->restored.least();
  for (const Row& row : rows) {
    std::printf("%24s%10.1f%10.1f%12.1f%10.1f%6.2f %4.2f", row.name.c_str(), row.saved.least(), row.saved.p99(), row.restored.least(), row.restored.p99(),
                row.saved.least() / copied, row.restored.least() / copied_back);
    if (!row.rolled.us.empty()) std::printf("%15.1f", row.rolled.p99());
    std::printf("\n");
  }
  std::vector<Goal> goals;
  for (const Row& row : rows) {
    const auto strategy = std::find_if(pool::kStrategies.begin(), pool::kStrategies.end(), [&](const pool::StrategyRow& s) { return s.name == row.name; });
    if (strategy == pool::kStrategies.end() || strategy->id == pool::StrategyId::Heap || strategy->id == pool::StrategyId::Pmr) continue;
    goals.push_back({"rewind.save." + row.name, text("save %.1f µs, memcpy of the same bytes %.1f", row.saved.least(), copied), 1.5, row.saved.least() / copied, "x", Goal::Better::Lower});
    goals.push_back({"rewind.restore." + row.name, text("restore %.1f µs, memcpy of the same bytes %.1f", row.restored.least(), copied_back), 1.5, row.restored.least() / copied_back, "x",
                     Goal::Better::Lower});
    goals.push_back({"rewind.ahead." + row.name, "restore, 8 steps and 8 saves: 99th percentile", 4.0, row.rolled.p99() * 1e-3, "ms", Goal::Better::Lower});
  }
  std::printf("\nany step of the last minute, load 1, 600 jumps: ms\n%24s%10s%10s%10s%12s%12s\n", "", "median", "p99", "worst", "reaches, s", "MiB");
  for (const frame::SceneRow& scene : frame::kScenes) {
    std::vector<Minute> parts = minute_of(scene.id);
    if (parts.empty()) return std::fprintf(stderr, "bench_rewind: the spells and stages of " SPELLPOOL_SOURCE_DIR " cannot be read\n"), 2;
    for (Minute& part : parts) {
      if (part.jumps.us.empty()) continue;
      std::ranges::sort(part.jumps.us);
      const std::string name = std::string(scene.name) + part.when;
      std::printf("%24s%10.2f%10.2f%10.2f%12.1f%12.1f\n", name.c_str(), part.jumps.us[part.jumps.us.size() / 2] * 1e-3, part.jumps.p99() * 1e-3, part.jumps.us.back() * 1e-3,
                  part.reaches_s, part.mib);
      if (part.goal) goals.push_back({"rewind.minute." + std::string(scene.name), "any step of the last minute: 99th percentile of its jumps", 16.7, part.jumps.p99() * 1e-3, "ms", Goal::Better::Lower});
      if (part.goal) goals.push_back({"rewind.memory." + std::string(scene.name), "keyframes of the last minute", 64, part.mib, "MiB", Goal::Better::Lower});
    }
  }
  if (minutes > 0 && !measure_replays(minutes, goals)) return std::fprintf(stderr, "bench_rewind: no replay could be made\n"), 2;
  for (const Goal& goal : goals) {
    std::printf("  %-27s goal ≤ %4.1f %-3s measured %6.2f %-3s %s  %s\n", goal.id.c_str(), goal.goal, goal.unit.c_str(), goal.value, goal.unit.c_str(),
                goal.ok() ? "reached" : "MISSED ", goal.what.c_str());
  }
  if (!goals_path.empty() && !append_goals(goals_path, goals)) return std::fprintf(stderr, "bench_rewind: cannot write %s\n", goals_path.c_str()), 2;
  return 0;
}

}  // namespace
}  // namespace spellpool::bench

int main(int argc, char** argv) { return spellpool::bench::run(argc, argv); }
