#pragma once
#include <array>
#include <string_view>

#include "core/enum_table.hpp"

namespace spellpool::frame {

/// What a key, a gamepad button or a panel control can ask of the program.
enum class Action : u8 {
  NextStrategy, NextPolicy, CapacityDown, CapacityUp, Record,
  Pause, SingleStep, SlowMotion,
  Help, PoolPanel, Graph, HideUi, GraphScale,
  Spell1, Spell2, Spell3, NextSpell,
  Mute, Fullscreen, Screenshot, ReloadSpells, Quit,
};

/// One row per action: the source of key dispatch, the help overlay and `--list hotkeys`.
struct Hotkey {
  Action id;
  std::string_view name;         ///< As `--list hotkeys --json` gives it.
  std::string_view key;          ///< SDL's key name; X's keysym has the same name.
  std::string_view pad;          ///< Gamepad button as SDL names it, "" if none.
  std::string_view group;
  std::string_view description;
};

inline constexpr std::array kHotkeys = {
    Hotkey{Action::NextStrategy, "toggle_strategy", "Tab", "y", "Pool", "switch the pool: new/delete, free list, round again"},
    Hotkey{Action::NextPolicy, "next_policy", "O", "x", "Pool", "next answer to a full pool: reject, steal the oldest"},
    Hotkey{Action::CapacityDown, "capacity_down", "K", "dpdown", "Pool", "halve the capacity"},
    Hotkey{Action::CapacityUp, "capacity_up", "L", "dpup", "Pool", "double the capacity"},
    Hotkey{Action::Record, "record", "R", "back", "Measure", "start or stop recording every frame to CSV"},
    Hotkey{Action::Pause, "pause", "P", "start", "Time", "pause"},
    Hotkey{Action::SingleStep, "single_step", "N", "leftstick", "Time", "one step, while paused"},
    Hotkey{Action::SlowMotion, "slow_motion", "M", "leftshoulder", "Time", "slow motion, a quarter of the speed"},
    Hotkey{Action::Help, "help", "F1", "guide", "Panels", "this help"},
    Hotkey{Action::PoolPanel, "pool_panel", "F2", "dpleft", "Panels", "pool panel"},
    Hotkey{Action::Graph, "graph", "F3", "dpright", "Panels", "frame-time graph"},
    Hotkey{Action::HideUi, "hide_ui", "F4", "rightstick", "Panels", "hide or show everything but the game"},
    Hotkey{Action::GraphScale, "graph_scale", "G", "", "Panels", "graph's scale: automatic, square root"},
    Hotkey{Action::Spell1, "spell_1", "1", "", "Play", "firebolt"},
    Hotkey{Action::Spell2, "spell_2", "2", "", "Play", "frost nova"},
    Hotkey{Action::Spell3, "spell_3", "3", "", "Play", "arcane vortex"},
    Hotkey{Action::NextSpell, "next_spell", "E", "rightshoulder", "Play", "next spell (the mouse wheel too)"},
    Hotkey{Action::Mute, "mute", "U", "", "Sound", "sound off or on"},
    Hotkey{Action::Fullscreen, "fullscreen", "F11", "", "Window", "fullscreen or window"},
    Hotkey{Action::Screenshot, "screenshot", "F12", "", "Window", "save a picture"},
    Hotkey{Action::ReloadSpells, "reload_spells", "F5", "", "Window", "read spells and shaders again"},
    Hotkey{Action::Quit, "quit", "Escape", "", "Window", "close the help or a panel; with none open, quit"},
};
inline constexpr std::size_t kActionCount = kHotkeys.size();
static_assert(rows_in_order(kHotkeys));

}  // namespace spellpool::frame
