#pragma once
#include <array>
#include <string_view>

#include "core/enum_table.hpp"

namespace spellpool::sim {

/// Starting loads. A preset adds an even rain of motes over the arena, so that a known number is alive.
enum class PresetId : u8 { Default, Stress, Stress250k, Stress500k, Stress1m, HeavyChurn };
struct PresetRow {
  PresetId id;
  std::string_view name, description;
  u32 capacity;          ///< Of the particles, unless an option says otherwise.
  u32 ambient;           ///< Motes alive on top of the spells; 0 none.
  float life_s;          ///< Of each mote: short lives mean many spawns and deaths.
};
inline constexpr std::array kPresets = {
    PresetRow{PresetId::Default, "default", "the game as it is played", 24'000, 0, 1.0f},
    PresetRow{PresetId::Stress, "stress", "100,000 motes of 12 px beside the spells", 124'000, 100'000, 2.0f},
    PresetRow{PresetId::Stress250k, "stress_250k", "250,000 of these motes", 274'000, 250'000, 2.0f},
    PresetRow{PresetId::Stress500k, "stress_500k", "500,000 of these motes", 524'000, 500'000, 2.0f},
    PresetRow{PresetId::Stress1m, "stress_1m", "1,000,000 of these motes", 1'024'000, 1'000'000, 2.0f},
    PresetRow{PresetId::HeavyChurn, "heavy_churn", "40,000 motes that live a fifth of a second", 64'000, 40'000, 0.2f},
};
static_assert(rows_in_order(kPresets));

}  // namespace spellpool::sim
