#pragma once
#include <array>
#include <string_view>

#include "core/enum_table.hpp"
#include "pool/policy.hpp"

namespace spellpool::pool {

/// The description of a strategy, for dispatch, options, --list and panels.
struct StrategyRow {
  StrategyId id;
  std::string_view name;         ///< Identifier in options, files and JSON.
  std::string_view title;        ///< Title in panels and on the card.
  std::string_view description;  ///< One line.
  std::string_view layout;       ///< Memory of one slot.
  std::string_view spawn, release, walk;  ///< Cost.
  std::string_view order;        ///< Order of walks and of slot reuse.
  bool stable;                   ///< Objects keep their address while others are acquired and released.
  bool slow;                     ///< Some operation is O(slots) or O(live) per object; panels warn.
  char letter;                   ///< Shown beside the colour, which is never the only cue.
  u8 r, g, b;                    ///< sRGB, for a dark background.
  std::string_view kind = "an object pool";  ///< For readers who do not know its name.
};

inline constexpr std::array kStrategies = {
    StrategyRow{StrategyId::Heap, "heap", "new/delete",
                "one new and one delete per object; a vector of pointers finds them",
                "a heap block per object; a pointer, two indices and the generation", "O(1), one new",
                "O(1), one delete", "O(live), through pointers",
                "walk shuffled by releases; the allocator chooses the place", true, false, 'N', 0xE6, 0x9F, 0x00,
                "no pool"},
    StrategyRow{StrategyId::FreeList, "free_list", "Union free list",
                "all memory taken at the start; a free slot holds the link to the next free slot",
                "union{object, index}; one bit and the generation", "O(1)", "O(1)", "O(live + slots/64)",
                "walk by slot; last freed, first reused", true, false, 'F', 0x4D, 0xB3, 0xFF},
    StrategyRow{StrategyId::ActiveFlag, "active_flag", "Active flag",
                "an array with a flag in each element; a spawn searches from the front",
                "{object, flag}; the generation", "O(slots)", "O(1)", "O(slots)",
                "walk by slot; lowest free slot first", true, true, 'A', 0xD9, 0x6C, 0x6C},
    StrategyRow{StrategyId::IndexStack, "index_stack", "Index stack",
                "a stack of free slot numbers beside the objects; free slots are not touched",
                "object; an index, one bit and the generation", "O(1)", "O(1)", "O(live + slots/64)",
                "walk by slot; last freed, first reused", true, false, 'I', 0x5C, 0xD6, 0xC8},
    StrategyRow{StrategyId::Packed, "packed", "Packed array",
                "objects without gaps; the last one moves into the place of one that dies",
                "object; two indices and the generation", "O(1)", "O(1), moves one object", "O(live), plain memory",
                "walk shuffled by releases", false, false, 'P', 0xB5, 0xD3, 0x4A},
    StrategyRow{StrategyId::Queue, "queue", "Queue of slots", "the slot that has been free longest is reused first",
                "object; an index, one bit and the generation", "O(1), a cold slot", "O(1)", "O(live + slots/64)",
                "walk by slot; first freed, first reused", true, false, 'Q', 0xC4, 0x9B, 0xF2},
    StrategyRow{StrategyId::Random, "random", "Random slot",
                "any free slot, by a seeded draw: a pool after long, uneven use",
                "object; an index, one bit and the generation", "O(1), a cold slot", "O(1)", "O(live + slots/64)",
                "walk by slot; reuse at random", true, false, 'R', 0xF2, 0x8F, 0xC4},
    StrategyRow{StrategyId::Soa, "soa", "Parallel arrays",
                "each field in an array of its own; the last row moves into the place of one that dies",
                "the fields, each in its array; two indices and the generation", "O(fields)", "O(fields), moves a row",
                "O(live), only the fields that are used", "walk shuffled by releases", false, false, 'S', 0x8F, 0xE3,
                0x88},
    StrategyRow{StrategyId::Book, "book", "As in the book",
                "a frame counter above 0 marks a slot in use, a pointer in a union links free slots; a walk visits all",
                "{frames left, union{object, pointer}}; the generation", "O(1)", "O(1)", "O(slots)",
                "walk by slot; last freed, first reused", true, false, 'K', 0xD8, 0xB4, 0x84},
    StrategyRow{StrategyId::StdFind, "std_find", "std::find",
                "two vectors of pointers; a release searches the used ones for its object",
                "object; two pointers and the generation", "O(1)", "O(live)", "O(live), through pointers",
                "walk by age; last freed, first reused", true, true, 'V', 0xFF, 0x7A, 0x45},
    StrategyRow{StrategyId::Dense, "dense", "Dense columns",
                "hot fields apart from cold ones; releases leave holes, acquires fill them",
                "the fields, each in its array; three indices and the generation", "O(fields)", "O(1)",
                "O(live), only the fields that are used", "walk shuffled by releases; holes first", false, false, 'D',
                0x6F, 0xF2, 0xB0},
    StrategyRow{StrategyId::Bitmap, "bitmap", "Bitmap",
                "a bit for each free slot; the lowest is always reused first, so objects stay close together",
                "object; two bits and the generation", "O(1)", "O(1)", "O(live + slots/64)",
                "walk by slot; lowest free slot first", true, false, 'B', 0xF5, 0xE0, 0x6B},
    StrategyRow{StrategyId::Pmr, "pmr", "std::pmr pool", "the standard pool resource, one call per object",
                "a pool block per object; a pointer, two indices and the generation", "O(1)", "O(1)",
                "O(live), through pointers", "walk shuffled by releases; last freed, first reused", true, false, 'M',
                0x9A, 0xA8, 0xC0, "a pool of memory blocks"},
    StrategyRow{StrategyId::ConsoleHeap, "console_heap", "Console heap",
                "a first-fit heap of fixed size with boundary tags, as on an old console; it can fragment",
                "a tagged block per object; a pointer, two indices and the generation", "O(holes)", "O(1)",
                "O(live), through pointers", "walk shuffled by releases; the hole freed last is tried first", true,
                false, 'C', 0xE8, 0xE8, 0xF4, "a heap of its own"},
};
inline constexpr std::size_t kStrategyCount = kStrategies.size();
static_assert(rows_in_order(kStrategies));

struct PolicyRow {
  PolicyId id;
  std::string_view name;
  std::string_view title;
  std::string_view description;
};

inline constexpr std::array kPolicies = {
    PolicyRow{PolicyId::Reject, "reject", "Reject", "a full pool makes no new object and counts the refusal"},
    PolicyRow{PolicyId::StealOldest, "steal_oldest", "Steal oldest", "a full pool gives the slot of its oldest object to the new one"},
    PolicyRow{PolicyId::StealLeast, "steal_least", "Steal least", "a full pool ends its least important object: faint, or nearly over"},
    PolicyRow{PolicyId::Grow, "grow", "Grow", "a full pool adds a block of slots; no object moves where the strategy is stable"},
    PolicyRow{PolicyId::Pressure, "pressure", "Pressure", "above three quarters everything ages faster; a full pool refuses"},
    PolicyRow{PolicyId::Assert, "assert", "Assert", "a full pool is a mistake: debug builds stop, others refuse and count"},
};
inline constexpr std::size_t kPolicyCount = kPolicies.size();
static_assert(rows_in_order(kPolicies));

constexpr const StrategyRow& row(StrategyId id) { return kStrategies[static_cast<std::size_t>(id)]; }
constexpr const PolicyRow& row(PolicyId id) { return kPolicies[static_cast<std::size_t>(id)]; }

}  // namespace spellpool::pool
