#pragma once
#include "core/types.hpp"

namespace spellpool {

/// What a place of a pool holds, as one byte of a slot map: kSlotFree, kSlotFilled, kSlotRetired, or kSlotLive + n for an object that
/// has had n of kSlotAges parts of its life. kSlotStolen besides: the policy has just ended somebody here.
inline constexpr u8 kSlotFree = 0;
inline constexpr u8 kSlotFilled = 1;   ///< Free, and its bytes read 0xDD.
inline constexpr u8 kSlotRetired = 2;  ///< Worn out: nobody will be put here again.
inline constexpr u8 kSlotLive = 16;
inline constexpr u8 kSlotAges = 16;
inline constexpr u8 kSlotStolen = 0x80;

/// What the places of a storage are: cells that keep their objects, rows between which objects move, or pointers to the heap.
enum class PlaceKind : u8 { Cells, Rows, Pointers };

}  // namespace spellpool
