#pragma once
#include <array>
#include <cstddef>
#include <vector>

#include "core/slot_cell.hpp"
#include "pool/inspect/steal_marks.hpp"
#include "pool/storage.hpp"

namespace spellpool::pool {

/// A pool as a picture: what lies at every place where an object can lie. A place is a cell of the pool, a row of the
/// storages that pack, or an entry of the heap's pointer array.
struct SlotMap {
  std::vector<u8> cells;  ///< By place: see core/slot_cell.hpp.
  /// The places of the next spawns, in order; empty where they cannot be predicted (random, heaps).
  std::vector<u32> next;
  PlaceKind places = PlaceKind::Cells;
  bool chained = false;   ///< Each free cell names the next one.
  u32 live = 0, free = 0, filled = 0, retired = 0, stolen = 0;  ///< Filled ones are free ones too; stolen ones are any.

  /// All places are free ones.
  SPELLPOOL_APART void begin(u32 slots, u32 its_live, u32 its_retired) {
    cells.assign(slots, kSlotFree);
    live = its_live;
    retired = its_retired;
    free = slots - live - retired;
    filled = stolen = 0;
    next.clear();
  }
};

/// One place of it in full.
struct SlotDetail {
  u32 place = kNoSlot;
  u32 slot = kNoSlot;               ///< The index in handles to it.
  u64 generation = 0;
  u8 cell = kSlotFree;
  u32 byte_count = 0;               ///< 0: nothing is there that could be read.
  std::array<std::byte, 128> bytes{};
  u32 object_at = 0;                ///< Where in the bytes an object begins.
  u32 link_at = 0, link_bytes = 0;  ///< Which of the bytes say, while it is free, what is free next. 0 bytes: none.
};

namespace detail {
/// The last eight bytes where an object would be are 0xDD: the first may hold the link to the next free one.
template <class P>
bool reads_filled(const P& pool, u32 place) {
  constexpr std::size_t kEnd = sizeof(typename P::Value);
  if constexpr (kEnd < 8) return false;
  std::byte bytes[8];
  if (pool.storage().copy_place(place, bytes, sizeof bytes, pool.storage().object_at() + kEnd - 8) < sizeof bytes)
    return false;
  for (const std::byte byte : bytes) {
    if (byte != std::byte{0xDD}) return false;
  }
  return true;
}
}  // namespace detail

/// What is at one place. age(const Value&) → 0 … 1 of its life.
template <class P, class Age>
SlotDetail look_at_place(const P& pool, u32 place, Age&& age) {
  const auto& storage = pool.storage();
  SlotDetail detail;
  if (place >= storage.slots()) return detail;
  detail.place = place;
  detail.slot = storage.slot_at(place);
  detail.generation = storage.generations()[detail.slot];
  detail.byte_count = static_cast<u32>(storage.copy_place(place, detail.bytes.data(), detail.bytes.size()));
  detail.object_at = storage.object_at();
  if constexpr (requires { storage.free_link(); }) {
    detail.link_at = storage.free_link().at;
    detail.link_bytes = storage.free_link().bytes;
  }
  if (storage.generations().is_live(detail.slot)) {
    detail.cell = static_cast<u8>(kSlotLive + age(*pool.peek(pool.handle_at(detail.slot))) * kSlotAges * 0.9999f);
  } else if (!storage.generations().is_usable(detail.slot)) {
    detail.cell = kSlotRetired;
  } else if (detail::reads_filled(pool, place)) {
    detail.cell = kSlotFilled;
  }
  if (stolen_lately(pool, place)) detail.cell |= kSlotStolen;
  return detail;
}

/// Makes the map of a pool. O(live + slots); allocates only when the pool has more slots than at the last call.
template <class P, class Age>
void map_slots(const P& pool, SlotMap& map, u32 next_limit, Age&& age) {
  const auto& storage = pool.storage();
  using Storage = typename P::StorageType;
  map.begin(storage.slots(), storage.live(), storage.retired());
  map.places = Storage::kPlaces == Places::Cells  ? PlaceKind::Cells
               : Storage::kPlaces == Places::Rows ? PlaceKind::Rows
                                                  : PlaceKind::Pointers;
  map.chained = requires { storage.free_link(); };
  storage.for_each_slot([&](u32 slot, const typename P::Value& value) {
    map.cells[storage.place_of(slot)] = static_cast<u8>(kSlotLive + age(value) * kSlotAges * 0.9999f);
  });
  if (const bool fill = pool.fill(); fill || map.retired > 0) {
    for (u32 place = 0; place < storage.slots(); ++place) {
      const u32 slot = storage.slot_at(place);
      if (storage.generations().is_live(slot)) continue;
      if (!storage.generations().is_usable(slot)) {
        map.cells[place] = kSlotRetired;
      } else if (fill && detail::reads_filled(pool, place)) {
        map.cells[place] = kSlotFilled;
        ++map.filled;
      }
    }
  }
  if (const StealMarks* marks = pool.template listener<StealMarks>()) {
    map.stolen = marks->mark(map.cells.data(), storage.slots(), kSlotStolen);
  }
  if constexpr (requires { storage.for_each_next(next_limit, [](u32) {}); }) {
    storage.for_each_next(next_limit, [&](u32 place) { map.next.push_back(place); });
  }
}

}  // namespace spellpool::pool
