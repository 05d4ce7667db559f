#pragma once
#include <array>
#include <string_view>

#include "core/enum_table.hpp"

namespace spellpool::app {

/// What the window does with a frame.
enum class ModeId : u8 { Play, Title, Replay, Stress, QuickAb, SideBySide, Lab, Learn };
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
    ModeRow{ModeId::Learn, "learn", "the lessons; neither a game nor a demo goes on"},
};
static_assert(rows_in_order(kModes));
inline constexpr std::size_t kModeCount = kModes.size();

constexpr const ModeRow& row(ModeId id) { return kModes[static_cast<std::size_t>(id)]; }

/// Quick A/B, side by side, lab and lessons interrupt a mode that plays, and return to it.
constexpr bool interrupts(ModeId id) { return id >= ModeId::QuickAb; }

/// All that a mode leads to. What is not here is refused.
struct ModeTransition {
  ModeId from, to;
  std::string_view by;
};
inline constexpr std::array kModeTransitions = {
    ModeTransition{ModeId::Play, ModeId::Title, "Escape, or 30 s without input"},
    ModeTransition{ModeId::Play, ModeId::Stress, "Action::Stress in a scene that counts bullets"},
    ModeTransition{ModeId::Play, ModeId::QuickAb, "Action::QuickAb"},
    ModeTransition{ModeId::Play, ModeId::SideBySide, "Action::SideBySide"},
    ModeTransition{ModeId::Play, ModeId::Lab, "the lab starts a comparison"},
    ModeTransition{ModeId::Title, ModeId::Play, "an item of the menu"},
    ModeTransition{ModeId::Title, ModeId::SideBySide, "an item of the menu, Action::SideBySide"},
    ModeTransition{ModeId::Title, ModeId::Learn, "an item of the menu, --learn"},
    ModeTransition{ModeId::Replay, ModeId::QuickAb, "Action::QuickAb"},
    ModeTransition{ModeId::Replay, ModeId::Lab, "the lab starts a comparison"},
    ModeTransition{ModeId::Stress, ModeId::Play,
                   "Action::Stress, Escape, Cast at the result, the scene's own title"},
    ModeTransition{ModeId::Stress, ModeId::Stress, "another strategy: it measures anew"},
    ModeTransition{ModeId::Stress, ModeId::SideBySide, "Action::SideBySide at the result"},
    ModeTransition{ModeId::Stress, ModeId::Lab, "the lab starts a comparison at the result"},
};
constexpr bool leads_to(ModeId from, ModeId to) {
  for (const ModeTransition& row : kModeTransitions) {
    if (row.from == from && row.to == to) return true;
  }
  return false;
}

}  // namespace spellpool::app
