#pragma once
#include <array>
#include <string_view>

#include "core/enum_table.hpp"

namespace spellpool::frame {

/// The load "few slots" of the shooter: all that flies has kSharedSlots slots together. One pool gives them to whatever
/// asks first; separate pools have a fixed part of them for each kind.
enum class SlotSharing : u8 { Off, Shared, Separate };
struct SlotSharingRow {
  SlotSharing id;
  std::string_view name, title;
};
inline constexpr std::array kSlotSharings = {
    SlotSharingRow{SlotSharing::Off, "off", "Off"},
    SlotSharingRow{SlotSharing::Shared, "shared", "One shared pool"},
    SlotSharingRow{SlotSharing::Separate, "separate", "Separate pools"},
};
static_assert(rows_in_order(kSlotSharings));
inline constexpr u32 kSharedSlots = 1'000;

}  // namespace spellpool::frame
