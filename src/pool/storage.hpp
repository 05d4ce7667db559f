#pragma once
#include <concepts>
#include <utility>

#include "pool/generation.hpp"
#include "pool/strategy.hpp"

namespace spellpool::pool {

/// Where objects live and how slots are found: the part in which strategies differ. A storage knows slots, tenants and
/// generations; capacity, policy and counters are Pool's. Every storage
///   - names objects by the same handles {slot, generation}, so that objects can move to another storage and keep theirs;
///   - gives and takes a slot in O(1), and walks its live objects without visiting each free one;
///   - allocates its tables when it is made and never again (heap: one new per object besides).
template <class S>
concept Storage = requires(S s, const S cs, typename S::Value value, typename S::HandleType handle, u32 slot) {
  { S::kStrategy } -> std::convertible_to<StrategyId>;
  { cs.slots() } -> std::same_as<u32>;         // slots that can hold objects
  { cs.live() } -> std::same_as<u32>;
  { cs.has_free() } -> std::same_as<bool>;
  { cs.retired() } -> std::same_as<u32>;
  { cs.bytes() } -> std::same_as<u64>;
  { cs.generation_count() } -> std::same_as<u32>;  // ≥ slots(): generations of slots dropped by a smaller capacity stay known
  { cs.generation(slot) } -> std::same_as<typename S::GenerationType>;
  { s.insert(std::move(value)) } -> std::same_as<typename S::HandleType>;  // needs has_free()
  { s.find(handle) } -> std::same_as<typename S::Value*>;
  { s.erase_slot(slot) };                      // needs a live slot
  { s.new_calls() } -> std::same_as<u64>;
};

/// Moves every object of `from` into a new storage of kind To with at least `slots` slots. Handles stay valid: each
/// object keeps its slot number and generation. O(live + slots). `from` keeps moved-from objects: destroy it next.
template <class To, class From>
To migrate(From& from, u32 slots) {
  static_assert(std::is_nothrow_move_constructible_v<typename From::Value>, "a move that throws half-way would lose objects");
  To to(typename To::Adopt{}, slots, from.generation_count(), [&](u32 slot) { return from.generation(slot); });
  from.for_each_slot([&](u32 slot, typename From::Value& value) { to.adopt(slot, std::move(value)); });
  to.finish_adoption();
  return to;
}

/// Slots needed so that `capacity` objects fit beside what lives now: retired slots come on top, and no live slot may
/// fall off the end.
template <class S>
u32 slots_for(const S& storage, u32 capacity) {
  using Rule = GenerationRule<typename S::GenerationType>;
  u32 slots = 0;
  for (u32 usable = 0; usable < capacity; ++slots) {
    if (slots >= storage.generation_count() || storage.generation(slots) != Rule::kRetired) ++usable;
  }
  for (u32 slot = storage.generation_count(); slot > slots; --slot) {
    if (Rule::is_live(storage.generation(slot - 1))) return slot;
  }
  return slots;
}

}  // namespace spellpool::pool
