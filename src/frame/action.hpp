#pragma once
#include <array>
#include <optional>
#include <string_view>

#include "core/enum_table.hpp"
#include "frame/defs/spell_list.hpp"

namespace spellpool::frame {

/// What a key, a gamepad button or a panel control can ask of the program.
enum class Action : u8 {
  ToggleStrategy,
  NextStrategy,
  NextPolicy,
  CapacityDown,
  CapacityUp,
  Trim,
  FillBytes,
  FrameMemory,
  LoadDown,
  LoadUp,
  Churn,
  HeapAge,
  Console,
  FewSlots,
  Forgetful,
  Cranes,
  Record,
  QuickAb,
  SideBySide,
  Pause,
  SingleStep,
  SlowMotion,
  Rewind,
  Help,
  HudLevel,
  PoolPanel,
  Graph,
  GraphScale,
  FrameTimeline,
  SlotMap,
  FollowSlot,
  Memory,
  Voices,
  SoundEditor,
  Lab,
  Editor,
  Settings,
  Challenge,
  Cast,
  RapidCast,
  Focus,
  Bomb,
  Stress,
  MoveUp,
  MoveLeft,
  MoveDown,
  MoveRight,
  Spell1,
  NextSpell = Spell1 + kSpellCount,
  PreviousSpell,  // from Spell1 on one for each row of kSpells
  ReplayBack,
  ReplayForward,
  ReplayStepBack,
  ReplayStart,
  ReplayEnd,
  ReplaySlower,
  ReplayFaster,
  Mute,
  Fullscreen,
  DrawPath,
  Screenshot,
  ReloadSpells,
  Quit,
};

constexpr Action spell_action(std::size_t spell) {
  return static_cast<Action>(static_cast<std::size_t>(Action::Spell1) + spell);
}
/// Which spell the action selects.
constexpr std::optional<std::size_t> spell_of(Action action) {
  if (action < Action::Spell1 || action >= Action::NextSpell) return {};
  return static_cast<std::size_t>(action) - static_cast<std::size_t>(Action::Spell1);
}

/// The scene in which a row is active. Rows of different scenes may share a key or a button. Replay rows are
/// active only while a replay is watched; the rows of both scenes are inactive then.
enum class Scenes : u8 { All, Play, Spells, Shooter, Replay };  // Play: both scenes
constexpr bool meet(Scenes a, Scenes b) {
  if (a == b || a == Scenes::All || b == Scenes::All) return true;
  return (a == Scenes::Play && b != Scenes::Replay) || (b == Scenes::Play && a != Scenes::Replay);
}

/// One row per action: the source of key dispatch, the help overlay, the settings' key table and `--list hotkeys`.
struct Hotkey {
  Action id;
  std::string_view name;         ///< As `--list hotkeys --json` and the settings file give it.
  std::string_view key;          ///< SDL's key name; X's keysym has the same name (BackSpace apart). The player can choose another.
  std::string_view pad;          ///< Gamepad button as SDL names it; "lt+" before it: with the left trigger held. "" if none.
  std::string_view group;
  std::string_view description;
  bool held = false;             ///< Counts for as long as it is down, rather than once when pressed.
  Scenes scenes = Scenes::All;
};

inline constexpr std::array kFixedHotkeys = {
    Hotkey{Action::ToggleStrategy, "toggle_strategy", "Tab", "y", "Pool",
           "switch the pools: new/delete, and back to the strategy before it"},
    Hotkey{Action::NextStrategy, "next_strategy", "T", "paddle3", "Pool",
           "next strategy for all pools, round all of them"},
    Hotkey{Action::NextPolicy, "next_policy", "O", "x", "Pool",
           "next answer to a full pool: reject, steal, grow, pressure, assert"},
    Hotkey{Action::CapacityDown, "capacity_down", "K", "", "Pool", "halve the particles' capacity"},
    Hotkey{Action::CapacityUp, "capacity_up", "L", "", "Pool", "double the particles' capacity"},
    Hotkey{Action::Trim, "trim", "J", "lt+paddle1", "Pool", "release the memory that a grown pool no longer needs"},
    Hotkey{Action::FillBytes, "fill_bytes", "B", "lt+misc1", "Pool",
           "fill acquired slots with 0xCD and released slots with 0xDD"},
    Hotkey{Action::FrameMemory, "frame_memory", "H", "lt+paddle2", "Pool",
           "what lives for a frame: from an arena, or new and delete"},
    Hotkey{Action::LoadDown, "load_down", ",", "dpdown", "Pool", "less load: fewer sparks"},
    Hotkey{Action::LoadUp, "load_up", ".", "dpup", "Pool",
           "more load: sparks × 1, 2, 5, 10, 20, 50; they neither hit nor score"},
    Hotkey{Action::Churn, "churn", "-", "", "Pool", "churn: motes that live a fifth of a second; × 0, 10, 20, 50"},
    Hotkey{Action::HeapAge, "heap_age", "=", "", "Pool", "an aged heap for new and delete, or a fresh one"},
    Hotkey{Action::Console, "console", "Insert", "", "Pool",
           "small console: all spells live in 12 KiB, of one heap or (Tab) of pools; and off", false, Scenes::Spells},
    Hotkey{Action::FewSlots, "few_slots", "Insert", "", "Pool",
           "shooter: 1,000 slots for all that flies: one shared pool, separate pools, or as usual", false,
           Scenes::Shooter},
    Hotkey{Action::Forgetful, "forgetful", "Delete", "", "Pool",
           "a planted mistake: sparks of bursts keep the colour and speed of their slot's last object; and mended",
           false, Scenes::Spells},
    Hotkey{Action::Cranes, "cranes", "Delete", "", "Pool",
           "stones: cranes search a way round them in an arena of their own; a full one: heap, nullptr; and off", false,
           Scenes::Shooter},
    Hotkey{Action::Record, "record", "R", "paddle2", "Measure", "start or stop recording every frame to CSV"},
    Hotkey{Action::QuickAb, "quick_ab", "F8", "lt+guide", "Measure",
           "quick A/B: ten seconds under both strategies, then a card"},
    Hotkey{Action::SideBySide, "side_by_side", "Z", "", "Measure",
           "side by side: the same game in new/delete and in the pool, and back"},
    Hotkey{Action::Pause, "pause", "P", "start", "Time", "pause"},
    Hotkey{Action::SingleStep, "single_step", "N", "leftstick", "Time", "one step, while paused"},
    Hotkey{Action::SlowMotion, "slow_motion", "M", "", "Time",
           "slow motion: a quarter of the speed, a sixteenth while the slot map is open"},
    Hotkey{Action::Rewind, "rewind", "Backspace", "lt+leftshoulder", "Time",
           "hold: time runs backward, up to a minute; while paused: a step back", true, Scenes::Play},
    Hotkey{Action::Help, "help", "F1", "guide", "Panels", "this help"},
    Hotkey{Action::HudLevel, "hud_level", "F4", "rightstick", "Panels",
           "next level of detail: FPS, graph, full, nothing"},
    Hotkey{Action::PoolPanel, "pool_panel", "F2", "dpleft", "Panels", "pool panel"},
    Hotkey{Action::Graph, "graph", "F3", "dpright", "Panels", "frame-time graph"},
    Hotkey{Action::GraphScale, "graph_scale", "G", "lt+rightshoulder", "Panels",
           "graph's scale: automatic, square root"},
    Hotkey{Action::FrameTimeline, "frame_timeline", "End", "", "Panels",
           "timeline of one frame: each new and delete, each slot acquired and released", false, Scenes::Play},
    Hotkey{Action::SlotMap, "slot_map", "F9", "paddle4", "Panels",
           "slot map: every slot of the pool, and what is in it"},
    Hotkey{Action::FollowSlot, "follow_slot", "X", "", "Panels",
           "follow the slot of the spark under the pointer, or the next free one; and let go", false, Scenes::Spells},
    Hotkey{Action::Memory, "memory", "F10", "lt+paddle4", "Panels",
           "memory: arenas, a heap that fragments, pools by size"},
    Hotkey{Action::Voices, "voices", "I", "lt+paddle3", "Panels",
           "voices: what sounds, what is stolen, policies side by side"},
    Hotkey{Action::SoundEditor, "sound_editor", "0", "", "Panels", "sound editor"},
    Hotkey{Action::Lab, "lab", "9", "", "Panels", "lab: compare two arms with care, and look at what was recorded"},
    Hotkey{Action::Editor, "editor", "F6", "lt+leftstick", "Panels", "spell editor"},
    Hotkey{Action::Settings, "settings", "F7", "lt+back", "Panels", "settings and keys"},
    Hotkey{Action::Challenge, "challenge", "C", "lt+start", "Play",
           "start the 60-second challenge, or end it; shooter: back to its title"},
    Hotkey{Action::Cast, "cast", "Space", "a", "Play",
           "cast; hold to charge (the left mouse button too); shooter: fire", true},
    Hotkey{Action::RapidCast, "rapid_cast", "F", "b", "Play",
           "cast again and again, without charge (the right mouse button too)", true, Scenes::Spells},
    Hotkey{Action::Focus, "focus", "Left Shift", "leftshoulder", "Play",
           "shooter: fly slowly and show the hitbox (the right mouse button too)", true, Scenes::Shooter},
    Hotkey{Action::Bomb, "bomb", "X", "b", "Play", "shooter: bomb (the middle mouse button too)", false,
           Scenes::Shooter},
    Hotkey{Action::Stress, "stress", "Y", "lt+x", "Measure",
           "shooter: how many bullets? Measures it, and back to the title", false, Scenes::Shooter},
    Hotkey{Action::MoveUp, "move_up", "W", "", "Play", "walk or fly up (arrow keys and the left stick too)", true},
    Hotkey{Action::MoveLeft, "move_left", "A", "", "Play", "walk or fly left", true},
    Hotkey{Action::MoveDown, "move_down", "S", "", "Play", "walk or fly down", true},
    Hotkey{Action::MoveRight, "move_right", "D", "", "Play", "walk or fly right", true},
    Hotkey{Action::NextSpell, "next_spell", "E", "rightshoulder", "Play", "next spell (the mouse wheel too)", false,
           Scenes::Spells},
    Hotkey{Action::PreviousSpell, "previous_spell", "Q", "leftshoulder", "Play", "previous spell", false,
           Scenes::Spells},
    Hotkey{Action::ReplayBack, "replay_back", "Left", "leftshoulder", "Replay", "replay: five seconds back", false,
           Scenes::Replay},
    Hotkey{Action::ReplayForward, "replay_forward", "Right", "rightshoulder", "Replay", "replay: five seconds on",
           false, Scenes::Replay},
    Hotkey{Action::ReplayStepBack, "replay_step_back", "Backspace", "lt+x", "Replay",
           "replay: one step back, and pause", false, Scenes::Replay},
    Hotkey{Action::ReplayStart, "replay_start", "Home", "lt+dpleft", "Replay", "replay: to its start", false,
           Scenes::Replay},
    Hotkey{Action::ReplayEnd, "replay_end", "End", "lt+dpright", "Replay", "replay: to its end", false, Scenes::Replay},
    Hotkey{Action::ReplaySlower, "replay_slower", "Down", "lt+dpdown", "Replay", "replay: slower, down to an eighth",
           false, Scenes::Replay},
    Hotkey{Action::ReplayFaster, "replay_faster", "Up", "lt+dpup", "Replay", "replay: faster, up to 16 times and more",
           false, Scenes::Replay},
    Hotkey{Action::Mute, "mute", "U", "lt+rightstick", "Sound", "sound off or on"},
    Hotkey{Action::Fullscreen, "fullscreen", "F11", "touchpad", "Window", "fullscreen or window"},
    Hotkey{Action::DrawPath, "draw_path", "V", "lt+touchpad", "Window", "drawn by OpenGL or on the CPU"},
    Hotkey{Action::Screenshot, "screenshot", "F12", "misc1", "Window", "save a picture"},
    Hotkey{Action::ReloadSpells, "reload_spells", "F5", "paddle1", "Window",
           "read spells, patterns, stages and shaders again"},
    Hotkey{Action::Quit, "quit", "Escape", "back", "Window",
           "close what is open; with nothing open, the title (a stage of the shooter is paused first)"},
};
/// With the rows of kSpells.
inline constexpr auto kHotkeys = [] {
  std::array<Hotkey, kFixedHotkeys.size() + kSpellCount> rows{};
  std::size_t next = 0;
  for (const Hotkey& row : kFixedHotkeys) {
    if (row.id == Action::NextSpell) {
      for (const SpellRow& spell : kSpells) {
        rows[next] = {static_cast<Action>(next), spell.action, spell.key,     spell.pad, "Play",
                      spell.description,         false,        Scenes::Spells};
        ++next;
      }
    }
    rows[next++] = row;
  }
  return rows;
}();
inline constexpr std::size_t kActionCount = kHotkeys.size();
static_assert(rows_in_order(kHotkeys));
static_assert([] {
  for (std::size_t i = 0; i < kActionCount; ++i) {
    for (std::size_t j = i + 1; j < kActionCount; ++j) {
      const Hotkey &a = kHotkeys[i], &b = kHotkeys[j];
      if (meet(a.scenes, b.scenes) && (a.key == b.key || (a.pad == b.pad && !a.pad.empty()))) return false;
    }
  }
  return true;
}(), "two rows of one scene share a key or a button");

}  // namespace spellpool::frame
