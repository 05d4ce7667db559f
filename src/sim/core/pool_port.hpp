#pragma once
#include <cstddef>
#include <functional>
#include <optional>
#include <span>

#include "frame/sim_command.hpp"
#include "frame/views/slot_map_view.hpp"
#include "pool/inspect/line_map.hpp"
#include "pool/inspect/slot_map.hpp"
#include "pool/memory/console_heap.hpp"
#include "pool/policy.hpp"

namespace spellpool::sim {

/// One pool of a scene as the rest of the program sees it: counters, choices, and what a slot map shows. A call is
/// virtual once for the pool, never for an object. Nothing here changes what a step computes.
/// sim/core/pool_port_of.hpp implements it for a pool.
class PoolPort {
 public:
  explicit PoolPort(frame::PoolId id) : id_(id) {}
  PoolPort(const PoolPort&) = delete;
  PoolPort& operator=(const PoolPort&) = delete;
  virtual ~PoolPort() = default;

  frame::PoolId id() const { return id_; }

  virtual pool::PoolStats stats() const = 0;
  virtual pool::StrategyId strategy() const = 0;
  virtual pool::PolicyId policy() const = 0;
  /// Free slots are filled with 0xDD, new ones with 0xCD.
  virtual bool fills() const = 0;
  /// Of the pool's console heap, if that is its strategy.
  virtual std::optional<pool::ConsoleHeapStats> console_heap() const = 0;

  /// The state of every slot, and the next slots that the pool will give out, at most `next_limit`. O(slots).
  virtual void map_slots(u32 next_limit, pool::SlotMap& map) const = 0;
  virtual pool::SlotDetail look_at_place(u32 place) const = 0;
  /// Where the objects lie and which cache lines a walk touches, from true addresses. O(live · log pages).
  virtual void map_lines(pool::LineMap& map) const = 0;
  virtual u32 object_bytes() const = 0;
  /// The place of the living object that is nearest to this point of the world, at most `within` units away. O(live).
  /// None also where objects have no x and y.
  virtual std::optional<u32> place_near(float x, float y, float within) const = 0;
  /// The members of the pooled type, by name and offset.
  virtual std::span<const frame::SlotField> fields() const = 0;
  /// While on, the pool remembers for a tenth of a second where its policy stole a slot.
  virtual void watch_steals(bool on) = 0;
  /// Once a step, while it watches.
  virtual void fade_steals() = 0;

  /// f(slot, the object's bytes) for each living object, in the storage's order; where it returns true the bytes are
  /// the object from now on. For finding differences: it copies each object.
  virtual void for_each_object(const std::function<bool(u32 slot, std::byte* object)>& f) = 0;

  /// Makes slots ready that the capacity will need, for about budget_us. True when all are.
  virtual bool prewarm(double budget_us) = 0;

 private:
  frame::PoolId id_;
};

}  // namespace spellpool::sim
