#pragma once
// The load of `compare --scene storage`: one pool of plain objects and nothing else, so that its size, churn and
// order can be chosen. No game, no picture. A step: all objects move, those whose time is up go, as many come. With a
// rollback, as a game over a network that learns late what was pressed.
#include <array>
#include <memory>
#include <string>
#include <string_view>

#include "core/enum_table.hpp"
#include "frame/frame_record.hpp"
#include "pool/strategy.hpp"

namespace spellpool::app {

enum class Churn : u8 { Light, Heavy };
struct ChurnRow {
  Churn id;
  std::string_view name, description;
  u32 life_steps;
};
inline constexpr std::array kChurns = {
    ChurnRow{Churn::Light, "light", "objects live 64 steps: 1.6 % of them come and go in each", 64},
    ChurnRow{Churn::Heavy, "heavy", "objects live 4 steps: a quarter of them come and go in each", 4},
};
static_assert(rows_in_order(kChurns));

enum class DeathOrder : u8 { Fifo, Random };
struct DeathOrderRow {
  DeathOrder id;
  std::string_view name, description;
};
inline constexpr std::array kDeathOrders = {
    DeathOrderRow{DeathOrder::Fifo, "fifo", "first born, first gone"},
    DeathOrderRow{DeathOrder::Random, "random", "in no order: lives from one step to twice the mean"},
};
static_assert(rows_in_order(kDeathOrders));

inline constexpr std::array<u32, 3> kObjectSizes = {32, 64, 256};
inline constexpr u32 kMostStorageObjects = 1'000'000;
inline constexpr u32 kMostRollback_steps = 60;

struct StorageLoad {
  u32 objects = 10'000;
  u32 size_bytes = 64;      ///< One of kObjectSizes.
  Churn churn = Churn::Light;
  DeathOrder order = DeathOrder::Random;
  bool full = false;        ///< The pool holds nine tenths of what wants to live; the rest is refused in every step.
  u32 rollback_steps = 0;   ///< Each step first restores the state of so many steps ago and plays them again; the state is saved after each.
  u64 seed = 1;
};
/// Strategies that this load has: those that do not take objects apart.
bool storage_load_has(pool::StrategyId strategy);

class StorageWorld {
 public:
  virtual ~StorageWorld() = default;
  virtual void step(frame::PhaseSink* phases) = 0;
  /// Of all objects, whatever order they lie in.
  virtual u64 hash() const = 0;
  virtual u64 steps() const = 0;
  /// Takes one object out: for --plant-difference.
  virtual bool drop_one() = 0;
  /// live … stolen of the last step, strategy and seed.
  virtual void describe(frame::FrameRecord& record) const = 0;
};
std::unique_ptr<StorageWorld> make_storage_world(const StorageLoad& load, pool::StrategyId strategy,
                                                 pool::PolicyId policy);

}  // namespace spellpool::app
