#pragma once
#include <concepts>
#include <cstddef>
#include <type_traits>
#include <utility>

#include "core/handle.hpp"
#include "core/slot_cell.hpp"
#include "pool/generation_table.hpp"
#include "pool/strategy.hpp"

namespace spellpool::pool {

/// Where objects live and how slots are found: the part in which strategies differ. A storage knows slots, tenants and
/// generations; capacity, policy and counters are Pool's. Every storage
///   - names objects by the same handles {slot, generation}, so that objects can move to another storage and keep theirs;
///   - allocates its tables when it is made and when it is enlarged, never else (heap: one new per object besides).
/// Stable ones (kStable) never move an object; those that can be enlarged in place have add_slots and drop_slots.
/// Pointer is T*, or FieldRef<T> where no whole T lies in memory (fields.hpp).
template <class S>
concept Storage = requires(S s, const S cs, typename S::Value value, typename S::HandleType handle, u32 slot) {
  { S::kStrategy } -> std::convertible_to<StrategyId>;
  { S::kStable } -> std::convertible_to<bool>;
  { cs.slots() } -> std::same_as<u32>;             // slots that can hold objects, worn out ones included
  { cs.live() } -> std::same_as<u32>;
  { cs.has_free() } -> std::same_as<bool>;
  { cs.retired() } -> std::same_as<u32>;
  { cs.bytes() } -> std::same_as<u64>;
  { cs.generations() } -> std::same_as<const GenerationTable<typename S::GenerationType>&>;
  { s.insert(std::move(value)) } -> std::same_as<typename S::HandleType>;  // needs has_free()
  { s.find(handle) } -> std::same_as<typename S::Pointer>;
  { cs.find(handle) } -> std::same_as<typename S::ConstPointer>;
  { s.erase_slot(slot) } -> std::same_as<bool>;    // needs a live slot; false: it is worn out
  { s.set_fill(true) };
  { cs.new_calls() } -> std::same_as<u64>;
};

/// Asks a predicate about an object; one that takes T& rather than const T& may change it.
template <class Dead, class T>
bool ask_dead(Dead& dead, T& value) {
  if constexpr (std::is_invocable_v<Dead&, const T&>) {
    return dead(std::as_const(value));
  } else {
    return dead(value);
  }
}

/// A storage that takes more slots, and gives blocks of them back, with no object moving.
template <class S>
concept Extendable = requires(S s, u32 slots) {
  s.add_slots(slots);
  s.drop_slots(slots);
};

/// Moves every object of `from` into a new storage of kind To with at least `slots` slots. Handles stay valid: each
/// object keeps its slot number and generation. O(live + slots). `from` keeps moved-from objects: destroy it next.
template <class To, class From>
To migrate(From& from, u32 slots) {
  static_assert(std::is_nothrow_move_constructible_v<typename From::Value>, "a move that throws half-way would lose objects");
  To to(typename To::Adopt{}, slots, from.generations());
  from.for_each_slot([&](u32 slot, typename From::Value& value) { to.adopt(slot, std::move(value)); });
  to.finish_adoption();
  return to;
}

/// A storage whose kind is no longer known, to be emptied into one of another kind: lets every kind become every other with one
/// piece of code for each, not for each pair.
template <class T, std::unsigned_integral Generation>
struct Departure {
  using AdoptObject = void (*)(void* to, u32 slot, T&& value);

  void* from;
  u32 slots;
  const GenerationTable<Generation>* generations;
  void (*move_all)(void* from, void* to, AdoptObject adopt);

  template <class S>
  static Departure of(S& storage) {
    return {&storage, storage.slots(), &storage.generations(), [](void* self, void* to, AdoptObject adopt) {
              static_cast<S*>(self)->for_each_slot([&](u32 slot, T& value) { adopt(to, slot, std::move(value)); });
            }};
  }
  /// As migrate(): `from` keeps moved-from objects.
  template <class To>
  To into() const {
    To to(typename To::Adopt{}, slots, *generations);
    move_all(from, &to, [](void* self, u32 slot, T&& value) { static_cast<To*>(self)->adopt(slot, std::move(value)); });
    to.finish_adoption();
    return to;
  }
};

/// Slots needed so that `capacity` objects fit beside what lives now: retired slots come on top, and no live slot may
/// fall off the end.
template <class S>
u32 slots_for(const S& storage, u32 capacity) {
  using Rule = GenerationRule<typename S::GenerationType>;
  u32 slots = 0;
  const auto& generations = storage.generations();
  if (storage.retired() == 0 && generations.known() == storage.slots()) slots = capacity;  // none that is worn out is known
  for (u32 usable = slots; usable < capacity; ++slots) {
    if (slots >= generations.known() || generations[slots] != Rule::kRetired) ++usable;
  }
  for (u32 slot = generations.known(); slot > slots; --slot) {
    if (generations.is_live(slot - 1)) return slot;
  }
  return slots;
}

}  // namespace spellpool::pool
