#pragma once
#include <array>
#include <memory>
#include <string_view>

#include "core/enum_table.hpp"
#include "frame/spell_def.hpp"

namespace spellpool::frame {

/// The pools that can be switched, in the order in which panels, JSON and --list show them.
enum class PoolId : u8 { Particles, Seekers, Wisps };
struct PoolName {
  PoolId id;
  std::string_view name;
  std::string_view description;
  u32 default_capacity;
};
inline constexpr std::array kPools = {
    PoolName{PoolId::Particles, "particles", "sparks, embers, shards and smoke of every spell", 24'000},
    PoolName{PoolId::Seekers, "seekers", "homing sparks of the healing motes", 64},
    PoolName{PoolId::Wisps, "wisps", "drifting lights that spells scatter", 16},
};
inline constexpr std::size_t kPoolCount = kPools.size();
static_assert(rows_in_order(kPools));

/// Capacities that a pool accepts, everywhere: options, panels, replays.
inline constexpr u32 kMinCapacity = 1;
inline constexpr u32 kMaxCapacity = 1u << 21;

enum class SimCommandKind : u8 { SetStrategy, SetPolicy, SetCapacity, Trim, SetFill, SetSpell, SetMemory };

/// A change from outside that the next step applies before anything else, and that a replay records.
struct SimCommand {
  SimCommandKind kind{};
  PoolId pool{};          ///< All but SetSpell and SetMemory.
  u8 choice = 0;          ///< pool::StrategyId or pool::PolicyId; SetFill: 1 on, 0 off. SetMemory: pool::MemorySource.
  u32 capacity = 0;       ///< SetCapacity: kMinCapacity … kMaxCapacity. Trim: free slots to keep, 0 … kMaxCapacity.
  u8 spell = 0;           ///< SetSpell: which of the spells.
  std::shared_ptr<const SpellDef> definition;  ///< SetSpell: its new definition.
};

}  // namespace spellpool::frame
