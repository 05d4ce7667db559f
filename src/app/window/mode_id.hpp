#pragma once
#include <array>
#include <string_view>

#include "core/enum_table.hpp"

namespace spellpool::app {

/// What the window does with a frame.
enum class ModeId : u8 { Play, Title, Replay, Stress, QuickAb, SideBySide, Lab };
struct ModeRow {
  ModeId id;
  std::string_view name, description;
};
inline constexpr std::array kModes = {
    ModeRow{ModeId::Play, "play", "the player's game, or demo mode"},
    ModeRow{ModeId::Title, "title", "the menu over a demo; the player's game is kept"},
    ModeRow{ModeId::Replay, "replay", "a replay is watched: speed, seeking"},
    ModeRow{ModeId::Stress, "stress", "how many bullets fit into a frame, and the result"},
    ModeRow{ModeId::QuickAb, "quick_ab", "two copies of the game's world are measured in turn"},
    ModeRow{ModeId::SideBySide, "side_by_side", "two copies of the game's world are shown beside each other"},
    ModeRow{ModeId::Lab, "lab", "a comparison runs in a child process; the game stands still"},
};
static_assert(rows_in_order(kModes));
inline constexpr std::size_t kModeCount = kModes.size();

constexpr const ModeRow& row(ModeId id) { return kModes[static_cast<std::size_t>(id)]; }

}  // namespace spellpool::app
