#pragma once
#include <array>
#include <string_view>

#include "core/enum_table.hpp"

namespace spellpool::pool {

/// How a pool stores its objects. One row each in kStrategies; the row drives dispatch, options, --list and panels.
enum class StrategyId : u8 { Heap, FreeList };

struct StrategyRow {
  StrategyId id;
  std::string_view name;         ///< In options, files and JSON.
  std::string_view title;        ///< In panels and on the card.
  std::string_view description;  ///< One line.
  char letter;                   ///< Beside the colour, which never means anything alone.
  u8 r, g, b;                    ///< sRGB on dark ground.
};

inline constexpr std::array kStrategies = {
    StrategyRow{StrategyId::Heap, "heap", "new/delete", "every object its own new and delete, found through a vector of pointers", 'N',
                0xE6, 0x9F, 0x00},
    StrategyRow{StrategyId::FreeList, "free_list", "Union free list",
                "one allocation at start; a free slot holds the link to the next free slot", 'F', 0x4D, 0xB3, 0xFF},
};
inline constexpr std::size_t kStrategyCount = kStrategies.size();
static_assert(rows_in_order(kStrategies));

/// What acquire() does when live == capacity.
enum class PolicyId : u8 { Reject, StealOldest };

struct PolicyRow {
  PolicyId id;
  std::string_view name;
  std::string_view title;
  std::string_view description;
};

inline constexpr std::array kPolicies = {
    PolicyRow{PolicyId::Reject, "reject", "Reject", "a full pool makes no new object and counts the refusal"},
    PolicyRow{PolicyId::StealOldest, "steal_oldest", "Steal the oldest", "a full pool gives the slot of its oldest object to the new one"},
};
inline constexpr std::size_t kPolicyCount = kPolicies.size();
static_assert(rows_in_order(kPolicies));

constexpr const StrategyRow& row(StrategyId id) { return kStrategies[static_cast<std::size_t>(id)]; }
constexpr const PolicyRow& row(PolicyId id) { return kPolicies[static_cast<std::size_t>(id)]; }

}  // namespace spellpool::pool
