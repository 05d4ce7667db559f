#include "pools_measure.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>

namespace spellpool::bench {

PoolsOptions pools_options;

bool use_fast() {
#if defined(__x86_64__)
  static const bool has = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2");
  return has && !pools_options.plain;
#else
  return false;
#endif
}

void stop(int code, const std::string& line) {
  std::fflush(stdout);
  std::fprintf(stderr, "bench_pools: %s\n", line.c_str());
  std::_Exit(code);
}

double now_ns() { return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

void measure(Sides& sides, const Shape& shape) {
  for (auto& side : sides) side->work(shape.warm);
  for (u32 round = 0; round < shape.rounds; ++round) {
    for (auto& side : sides) {
      side->work(shape.lead_in);
      const double from = now_ns();
      side->work(shape.timed);
      side->least_ns = std::min(side->least_ns, (now_ns() - from) / shape.timed);
    }
  }
}

void check_equal(const std::string& table, const Sides& sides) {
  const u64 first = sides.front()->checksum();
  for (const auto& side : sides) {
    const u64 sum = side->checksum();
    if (sum != first) {
      stop(3, text("%s: %s computed %016llx, %s %016llx: the work was not equal", table.c_str(), sides.front()->name.c_str(),
                   static_cast<unsigned long long>(first), side->name.c_str(), static_cast<unsigned long long>(sum)));
    }
  }
}

void Report::add(const std::string& table, const std::string& column, const Side& side, double value) {
  cells.push_back({table, side.name, column, side.kind, value});
}
void Report::add(const std::string& table, const std::string& column, const Sides& sides, double units_per_work) {
  for (const auto& side : sides) add(table, column, *side, side->least_ns / units_per_work);
  add_checksum(table, column, sides);
}
void Report::add_checksum(const std::string& table, const std::string& column, const Sides& sides) {
  cells.push_back({table, "(checksum of all)", column, Kind::Peer, static_cast<double>(sides.front()->checksum() >> 32)});
}

const Side* find(const Sides& sides, const std::string& name) {
  for (const auto& side : sides) {
    if (side->name.rfind(name, 0) == 0) return side.get();
  }
  return nullptr;
}

const Side* fastest(const Sides& sides, Kind kind) {
  const Side* best = nullptr;
  for (const auto& side : sides) {
    if (side->kind == kind && (!best || side->least_ns < best->least_ns)) best = side.get();
  }
  return best;
}

void ratio_goal(Report& report, const std::string& id, const std::string& suffix, double goal, const Side* ours,
                const Side* other, double units_per_work, const char* unit) {
  if (!ours || !other) return;
  report.goals.push_back({"pools." + id + (suffix.empty() ? "" : "." + suffix),
                          text("%s %.4g %s, %s %.4g", ours->name.c_str(), ours->least_ns / units_per_work, unit,
                               other->name.c_str(), other->least_ns / units_per_work),
                          goal, other->least_ns / ours->least_ns, "x"});
}

void in_child(Report& report, const std::function<void(Report&)>& f) {
  std::fflush(stdout);
  int ends[2];
  if (pipe(ends) != 0) stop(2, "no pipe");
  const pid_t child = fork();
  if (child < 0) stop(2, "no fork");
  if (child == 0) {
    close(ends[0]);
    Report mine;
    f(mine);
    std::FILE* out = fdopen(ends[1], "w");
    for (const Report::Cell& c : mine.cells) {
      std::fprintf(out, "C\t%s\t%s\t%s\t%d\t%.17g\n", c.table.c_str(), c.row.c_str(), c.column.c_str(), static_cast<int>(c.kind), c.value);
    }
    for (const Goal& g : mine.goals) {
      std::fprintf(out, "G\t%s\t%s\t%.17g\t%.17g\t%s\t%d\n", g.id.c_str(), g.what.c_str(), g.goal, g.value, g.unit.c_str(),
                   static_cast<int>(g.better));
    }
    std::fclose(out);
    std::_Exit(0);
  }
  close(ends[1]);
  std::FILE* in = fdopen(ends[0], "r");
  char line[2048];
  while (std::fgets(line, sizeof line, in)) {
    std::vector<std::string> words(1);
    for (const char* c = line; *c && *c != '\n'; ++c) {
      if (*c == '\t') {
        words.emplace_back();
      } else {
        words.back() += *c;
      }
    }
    if (words[0] == "C" && words.size() == 6) {
      report.cells.push_back({words[1], words[2], words[3], static_cast<Kind>(std::atoi(words[4].c_str())), std::atof(words[5].c_str())});
    }
    if (words[0] == "G" && words.size() == 7) {
      report.goals.push_back({words[1], words[2], std::atof(words[3].c_str()), std::atof(words[4].c_str()), words[5],
                              static_cast<Goal::Better>(std::atoi(words[6].c_str()))});
    }
  }
  std::fclose(in);
  int status = 0;
  waitpid(child, &status, 0);
  if (!WIFEXITED(status)) stop(2, text("a table ended by signal %d", WTERMSIG(status)));
  if (WEXITSTATUS(status) != 0) std::_Exit(WEXITSTATUS(status));
}

void print_tables(const Report& report) {
  std::vector<std::string> tables;
  for (const Report::Cell& c : report.cells) {
    if (std::find(tables.begin(), tables.end(), c.table) == tables.end()) tables.push_back(c.table);
  }
  for (const std::string& table : tables) {
    std::vector<std::string> rows, columns;
    for (const Report::Cell& c : report.cells) {
      if (c.table != table) continue;
      if (std::find(rows.begin(), rows.end(), c.row) == rows.end()) rows.push_back(c.row);
      if (std::find(columns.begin(), columns.end(), c.column) == columns.end()) columns.push_back(c.column);
    }
    std::stable_partition(rows.begin(), rows.end(), [](const std::string& row) { return row[0] != '('; });
    std::printf("\n%s\n  %-52s", table.c_str(), "");
    for (const std::string& column : columns) std::printf(" %11s", column.c_str());
    std::printf("\n");
    for (const std::string& row : rows) {
      std::printf("  %-52s", row.c_str());
      for (const std::string& column : columns) {
        const auto cell = std::find_if(report.cells.begin(), report.cells.end(), [&](const Report::Cell& c) {
          return c.table == table && c.row == row && c.column == column;
        });
        if (cell == report.cells.end()) {
          std::printf(" %11s", "-");
        } else if (is_checksum(*cell)) {
          std::printf("    %08llx", static_cast<unsigned long long>(cell->value));
        } else {
          std::printf(cell->value < 100 ? " %11.2f" : " %11.0f", cell->value);
        }
      }
      std::printf("\n");
    }
  }
}

}  // namespace spellpool::bench
