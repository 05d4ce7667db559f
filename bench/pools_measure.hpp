#pragma once
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/types.hpp"
#include "goals.hpp"

// All sides get the compiler's whole bag: SPELLPOOL_FAST compiles a function and all that it calls for AVX2. It is taken only
// on processors that have it; without it (or with --plain) the same code runs as every x86-64 can.
#if defined(__x86_64__)
#define SPELLPOOL_FAST __attribute__((noinline, flatten, target("avx2,bmi,bmi2,popcnt,lzcnt")))
#define SPELLPOOL_PLAIN __attribute__((noinline, flatten))
#else
#define SPELLPOOL_FAST
#define SPELLPOOL_PLAIN
#endif

namespace spellpool::bench {

struct PoolsOptions {
  u32 rounds = 40;
  bool quick = false;
  bool plain = false;
  std::string only;
  std::string goals_path;
  std::string rows_path;
};
extern PoolsOptions pools_options;
/// The processor has AVX2, and --plain was not given.
bool use_fast();

enum class Kind { Raw, Safe, Peer, Strategy };

/// One side of a comparison, at one size. work(n) does n frames (or pairs, or passes).
class Side {
 public:
  Side(std::string its_name, Kind its_kind) : name(std::move(its_name)), kind(its_kind) {}
  virtual ~Side() = default;
  virtual void work(u32 n) = 0;
  virtual u64 checksum() = 0;

  std::string name;
  Kind kind;
  double least_ns = 1e300;  ///< For one unit of work(), set by measure().
};
using Sides = std::vector<std::unique_ptr<Side>>;

struct Shape {
  u32 warm = 0;     ///< Units at the start, untimed.
  u32 lead_in = 1;  ///< Units before each timed slice: the side's own memory comes back into the caches.
  u32 timed = 1;    ///< Units in a slice.
  u32 rounds = 40;
};
/// The slices of all sides alternate. The minimum of each side counts.
void measure(Sides& sides, const Shape& shape);
/// Ends the program with code 3 unless all checksums are the same.
void check_equal(const std::string& table, const Sides& sides);

double now_ns();

/// The results of a table, kept for the end of the program.
struct Report {
  struct Cell {
    std::string table, row, column;
    Kind kind = Kind::Peer;
    double value = 0;
  };
  std::vector<Cell> cells;
  std::vector<Goal> goals;

  void add(const std::string& table, const std::string& column, const Side& side, double value);
  void add(const std::string& table, const std::string& column, const Sides& sides, double units_per_work);
  void add_checksum(const std::string& table, const std::string& column, const Sides& sides);
};
/// The row of checksums, which is printed in hexadecimal.
inline bool is_checksum(const Report::Cell& cell) { return cell.row[0] == '('; }

/// Looks for a side by the start of its name; nullptr if it does not take part.
const Side* find(const Sides& sides, const std::string& name);
/// The fastest of a kind, or nullptr.
const Side* fastest(const Sides& sides, Kind kind);

/// Adds goal `pools.ID.suffix`: other ÷ ours. Nothing happens where one of them is missing.
void ratio_goal(Report& report, const std::string& id, const std::string& suffix, double goal, const Side* ours,
                const Side* other, double units_per_work, const char* unit);

/// Runs f in a child process, whose heap is fresh, and brings back its report. If the child's exit code is
/// not 0, this program ends with it.
void in_child(Report& report, const std::function<void(Report&)>& f);
void print_tables(const Report& report);
/// Adds one JSON object a line to the file: what all was measured on, then the cells. False: could not write.
bool append_rows(const std::string& path, const Report& report);

[[noreturn]] void stop(int code, const std::string& line);

// The tables. Each takes care of its own sizes and children.
void frame_tables(Report& report);   ///< G1 G2 G3 G4 G6 G13 G14 G15 G16 G17
void least_tables(Report& report);   ///< what bounds G1 G2 G4 G6
void kill_tables(Report& report);    ///< G5
void lookup_tables(Report& report);  ///< G18
void churn_tables(Report& report);   ///< G8
void burst_tables(Report& report);   ///< G9 G10
void sparse_tables(Report& report);  ///< G12
void arena_tables(Report& report);   ///< G11
/// Where the game is built too: SPELLPOOL_STRATEGY_ROWS.
void strategy_tables(Report& report);

}  // namespace spellpool::bench
