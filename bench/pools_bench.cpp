// The pools of src/pool beside their peers: ./bench/run pools, or
//
//   bench_pools [--rounds N] [--goals FILE] [--rows FILE] [--only TABLE] [--quick] [--plain]
//
// Tables: frame least strategies kills lookups churn burst sparse arena. --quick leaves the largest size and the aged heap out; --plain uses no
// AVX2. --goals and --rows add a line of JSON for each goal and for each figure of the tables.
// All sides use the same 48-byte particle and the same arithmetic. Each table and size runs in a process of
// its own, so each heap starts fresh. In it the slices of all sides alternate, and the minimum of the rounds
// counts. All sides of a table must agree on a checksum of the objects that live at the end.
// raw: the pools without handles (src/pool/raw_*.hpp). safe: Pool<…> as the game uses it; ids with an s.
// Exit codes: 0 done, 2 bad usage or something is missing, 3 the sides did not do equal work.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "pools_heaps.hpp"
#include "pools_measure.hpp"

namespace spellpool::bench {
namespace {

struct Table {
  const char* name;
  void (*run)(Report&);
};
constexpr Table kTables[] = {
    {"frame", frame_tables},
    {"least", least_tables},
#if defined(SPELLPOOL_STRATEGY_ROWS)
    {"strategies", strategy_tables},
#endif
    {"kills", kill_tables},
    {"lookups", lookup_tables},
    {"churn", churn_tables},
    {"burst", burst_tables},
    {"sparse", sparse_tables},
    {"arena", arena_tables},
};

void read_options(int argc, char** argv) {
  const char* usage = "bench_pools [--rounds N] [--goals FILE] [--rows FILE] [--only TABLE] [--quick] [--plain]";
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word == "--quick") {
      pools_options.quick = true;
      pools_options.rounds = 15;
    } else if (word == "--plain") {
      pools_options.plain = true;
    } else if (i + 1 < argc && word == "--goals") {
      pools_options.goals_path = argv[++i];
    } else if (i + 1 < argc && word == "--rows") {
      pools_options.rows_path = argv[++i];
    } else if (i + 1 < argc && word == "--only") {
      pools_options.only = argv[++i];
      bool known = false;
      std::string names;
      for (const Table& table : kTables) {
        known = known || pools_options.only == table.name;
        names.append(" ").append(table.name);
      }
      if (!known) stop(2, "no table '" + pools_options.only + "'; there are:" + names);
    } else if (i + 1 < argc && word == "--rounds") {
      const int rounds = std::atoi(argv[++i]);
      if (rounds < 1 || rounds > 100'000) stop(2, "--rounds wants 1 … 100000, not '" + std::string(argv[i]) + "'");
      pools_options.rounds = static_cast<u32>(rounds);
    } else {
      stop(2, "cannot use '" + std::string(word) + "': " + usage);
    }
  }
}

/// jemalloc's thread-local data is larger than what the loader keeps for libraries that come late.
void make_room_for_jemalloc(char** argv) {
  constexpr const char* kRoom = "glibc.rtld.optional_static_tls=16384";
  const char* const now = std::getenv("GLIBC_TUNABLES");
  if (now && std::strstr(now, "optional_static_tls")) return;
  setenv("GLIBC_TUNABLES", now ? (std::string(now) + ":" + kRoom).c_str() : kRoom, 1);
  execv("/proc/self/exe", argv);
}

void print_goals(const std::vector<Goal>& goals) {
  std::printf("\nGoals\n");
  int reached = 0;
  for (const Goal& g : goals) {
    const char* sign = g.better == Goal::Better::Higher ? ">=" : "<=";
    std::printf("  %-26s %s %-6.4g %9.3g %-8s %s   %s\n", g.id.c_str(), sign, g.goal, g.value, g.ok() ? "reached" : "MISSED",
                g.unit.c_str(), g.what.c_str());
    reached += g.ok();
  }
  std::printf("  %d of %zu reached\n", reached, goals.size());
}

int run() {
  heaps();
  Report report;
  for (const Table& table : kTables) {
    if (!pools_options.only.empty() && pools_options.only != table.name) continue;
    std::fprintf(stderr, "%s …\n", table.name);
    table.run(report);
  }
  print_tables(report);
  print_goals(report.goals);
  if (!pools_options.goals_path.empty() && !append_goals(pools_options.goals_path, report.goals)) {
    stop(2, "cannot write " + pools_options.goals_path);
  }
  if (!pools_options.rows_path.empty() && !append_rows(pools_options.rows_path, report)) {
    stop(2, "cannot write " + pools_options.rows_path);
  }
  return 0;
}

}  // namespace
}  // namespace spellpool::bench

int main(int argc, char** argv) {
  spellpool::bench::read_options(argc, argv);
  spellpool::bench::make_room_for_jemalloc(argv);
  return spellpool::bench::run();
}
