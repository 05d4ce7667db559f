#pragma once
#include <array>
#include <memory>
#include <string_view>

#include "core/enum_table.hpp"
#include "frame/defs/arena_emitters.hpp"
#include "frame/defs/pattern_def.hpp"
#include "frame/defs/stage_def.hpp"
#include "frame/scene.hpp"

namespace spellpool::frame {

/// The pools that can be switched, in the order in which panels, JSON and --list show them.
enum class PoolId : u8 { Particles, Seekers, Wisps, Bullets, Shots, Enemies, Pickups, Texts, Chunks, Decals };
struct PoolName {
  PoolId id;
  std::string_view name;
  std::string_view description;
  std::array<u32, kSceneCount> capacities;  ///< To begin with, by scene; 0: that scene has no such pool.

  constexpr u32 default_capacity(SceneId scene) const { return capacities[static_cast<std::size_t>(scene)]; }
  constexpr bool in(SceneId scene) const { return default_capacity(scene) > 0; }
};
inline constexpr std::array kPools = {
    PoolName{PoolId::Particles, "particles", "sparks, embers, shards and smoke of every spell", {24'000, 5'000}},
    PoolName{PoolId::Seekers, "seekers", "homing sparks of the healing motes", {64, 0}},
    PoolName{PoolId::Wisps, "wisps", "drifting lights that spells scatter", {16, 0}},
    PoolName{PoolId::Bullets, "bullets", "what enemies fire", {0, 1'000}},
    PoolName{PoolId::Shots, "shots", "what the ship fires", {0, 256}},
    PoolName{PoolId::Enemies, "enemies", "who comes in waves, boss parts included", {0, 200}},
    PoolName{PoolId::Pickups, "pickups", "what they leave behind", {0, 50}},
    PoolName{PoolId::Texts, "texts", "points that float up", {0, 64}},
    PoolName{PoolId::Chunks, "chunks", "pieces of the garden that scrolls past", {0, 16}},
    PoolName{PoolId::Decals, "decals", "scorch marks and cracks on the arena's floor", {64, 0}},
};
inline constexpr std::size_t kPoolCount = kPools.size();
static_assert(rows_in_order(kPools));
constexpr const PoolName& row(PoolId id) { return kPools[static_cast<std::size_t>(id)]; }

/// The pools that a scene has, in order: `for (const PoolName& pool : pools_of(scene))`.
class PoolsOf {
 public:
  constexpr explicit PoolsOf(SceneId scene) {
    for (const PoolName& pool : kPools) {
      if (pool.in(scene)) rows_[count_++] = pool;
    }
  }
  constexpr const PoolName* begin() const { return rows_.data(); }
  constexpr const PoolName* end() const { return rows_.data() + count_; }
  constexpr std::size_t size() const { return count_; }

 private:
  std::array<PoolName, kPoolCount> rows_{};
  std::size_t count_ = 0;
};
constexpr PoolsOf pools_of(SceneId scene) { return PoolsOf(scene); }

/// Capacities that a pool accepts, everywhere: options, panels, replays.
inline constexpr u32 kMinCapacity = 1;
inline constexpr u32 kMaxCapacity = 1u << 21;

enum class SimCommandKind : u8 {
  SetStrategy,
  SetPolicy,
  SetCapacity,
  Trim,
  SetFill,
  SetSpell,
  SetMemory,
  SetStage,
  SetStress,
  SetLoad,
  SetChurn,
  SetHeapAge,
  SetConsole,
  SetSharing,
  SetCranes,
  SetForgetful,
  SetArena
};

/// A change from outside that the next step applies before anything else, and that a replay records.
struct SimCommand {
  SimCommandKind kind{};
  PoolId pool{};          ///< SetStrategy, SetPolicy, SetCapacity, Trim and SetFill.
  u8 choice = 0;          ///< pool::StrategyId or pool::PolicyId; SetFill, SetHeapAge: 1 on, 0 off. SetMemory: pool::MemorySource.
                          ///< SetConsole: ConsoleMode. SetSharing: SlotSharing. SetCranes: CraneSearch. SetForgetful: 1 on, 0 off.
  u32 capacity = 0;       ///< SetCapacity: kMinCapacity … kMaxCapacity. Trim: free slots to keep, 0 … kMaxCapacity.
                          ///< SetStress: so many bullets, 1 … kMaxCapacity; 0 ends it. SetLoad, SetChurn: as in Load.
  u8 spell = 0;           ///< SetSpell: which of the spells.
  std::shared_ptr<const SpellDef> definition;  ///< SetSpell: its new definition.
  std::shared_ptr<const ArenaDef> arena;       ///< SetArena: the arena's emitters.
  std::shared_ptr<const PatternBook> patterns; ///< SetStage: what the shooter is played by from now on, …
  std::shared_ptr<const StageDef> stage;       ///< … which names rows of them.
};

}  // namespace spellpool::frame
