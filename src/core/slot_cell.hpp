#pragma once
#include "core/types.hpp"

namespace spellpool {

/// The state of one pool slot, as a byte of a slot map: kSlotFree, kSlotFilled, kSlotRetired, or
/// kSlotLive + n for an object that is n / kSlotAges through its life. kSlotStolen is added if the policy
/// has just stolen an object from the slot.
inline constexpr u8 kSlotFree = 0;
inline constexpr u8 kSlotFilled = 1;   ///< Free, and its bytes are 0xDD.
inline constexpr u8 kSlotRetired = 2;  ///< Worn out: the slot is never used again.
inline constexpr u8 kSlotLive = 16;
inline constexpr u8 kSlotAges = 16;
inline constexpr u8 kSlotStolen = 0x80;

/// What the places of a storage are: cells that keep their objects, rows between which objects move, or pointers to
/// the heap.
enum class PlaceKind : u8 { Cells, Rows, Pointers };

}  // namespace spellpool
