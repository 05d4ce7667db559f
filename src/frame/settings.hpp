#pragma once
// What the player chose, kept in $XDG_CONFIG_HOME/spellpool/settings.toml. Looks and comfort only: nothing here changes
// what the simulation does, so that a replay or a hash never depends on it.
#include <array>
#include <string>

#include "frame/action.hpp"
#include "frame/voice_choice.hpp"

namespace spellpool::frame {

enum class Amount : u8 { Off, Reduced, Full };
/// How the picture's colours are shifted so that hues stay apart for eyes that mix some of them up.
enum class ColourVision : u8 { Common, Protan, Deutan, Tritan };
/// Auto: the highest of the others that keeps the frame rate.
enum class Quality : u8 { Low, Medium, High, Auto };
/// Who paints the particles and the finished picture. Auto: the processor where OpenGL itself runs on the processor.
enum class DrawPath : u8 { Auto, Gpu, Cpu };
enum class HudLevel : u8 { Off, Fps, Graph, Full };

template <class Enum>
struct SettingName {
  Enum id;
  std::string_view name;         ///< In the file and in options.
  std::string_view title;        ///< In the panel.
};
inline constexpr std::array kAmounts = {SettingName<Amount>{Amount::Off, "off", "Off"},
                                        SettingName<Amount>{Amount::Reduced, "reduced", "Reduced"},
                                        SettingName<Amount>{Amount::Full, "full", "Full"}};
inline constexpr std::array kColourVisions = {SettingName<ColourVision>{ColourVision::Common, "common", "As painted"},
                                              SettingName<ColourVision>{ColourVision::Protan, "protan", "Red-weak"},
                                              SettingName<ColourVision>{ColourVision::Deutan, "deutan", "Green-weak"},
                                              SettingName<ColourVision>{ColourVision::Tritan, "tritan", "Blue-weak"}};
inline constexpr std::array kQualities = {SettingName<Quality>{Quality::Low, "low", "Low"},
                                          SettingName<Quality>{Quality::Medium, "medium", "Medium"},
                                          SettingName<Quality>{Quality::High, "high", "High"},
                                          SettingName<Quality>{Quality::Auto, "auto", "Auto"}};
inline constexpr std::array kDrawPaths = {SettingName<DrawPath>{DrawPath::Auto, "auto", "Auto"},
                                          SettingName<DrawPath>{DrawPath::Gpu, "gpu", "OpenGL"},
                                          SettingName<DrawPath>{DrawPath::Cpu, "cpu", "Processor"}};
inline constexpr std::array kHudLevels = {SettingName<HudLevel>{HudLevel::Off, "off", "Nothing"},
                                          SettingName<HudLevel>{HudLevel::Fps, "fps", "FPS"},
                                          SettingName<HudLevel>{HudLevel::Graph, "graph", "Graph"},
                                          SettingName<HudLevel>{HudLevel::Full, "full", "Full"}};
static_assert(rows_in_order(kAmounts) && rows_in_order(kColourVisions) && rows_in_order(kQualities) && rows_in_order(kDrawPaths) &&
              rows_in_order(kHudLevels));

/// How the world is shown. Read when a snapshot is built and drawn, never by a step.
struct LookSettings {
  Amount motion = Amount::Full;   ///< Camera shake and lead. Reduced: a third of both; Off: neither.
  Amount flash = Amount::Full;    ///< Lights of casts and hits. Reduced: a third, slower; Off: none above a steady glow.
  Amount density = Amount::Full;  ///< Particles drawn, of those alive. Reduced: half; Off: one in eight.
  ColourVision colour_vision = ColourVision::Common;
  Quality quality = Quality::Auto;  ///< Bloom and light maps. Low: no bloom; Medium: coarse; High and Auto: as painted.
  DrawPath draw = DrawPath::Auto;
  friend bool operator==(const LookSettings&, const LookSettings&) = default;
};

struct KeyBinding {
  std::string key;  ///< As Hotkey::key; "" none.
  std::string pad;  ///< As Hotkey::pad.
  friend bool operator==(const KeyBinding&, const KeyBinding&) = default;
};

struct Settings {
  LookSettings looks;
  HudLevel hud = HudLevel::Fps;
  float text_scale = 1.0f;          ///< 0.75 … 2.
  float volume = 0.8f;              ///< Of all together, 0 … 1.
  bool muted = false;
  float effects_volume = 1.0f, music_volume = 1.0f, interface_volume = 1.0f;  ///< Of each group, on top of that.
  bool effects_muted = false, music_muted = false, interface_muted = false;
  bool fullscreen = false;
  bool vsync = true;
  u32 frame_cap = 0;                ///< Frames per second at most, 30 … 480; 0: none.
  u32 window_width = 1280, window_height = 720;
  bool newcomer = true;             ///< The first hints are still shown.
  std::array<KeyBinding, kActionCount> bindings = default_bindings();

  static std::array<KeyBinding, kActionCount> default_bindings() {
    std::array<KeyBinding, kActionCount> bindings;
    for (const Hotkey& row : kHotkeys) bindings[static_cast<std::size_t>(row.id)] = {std::string(row.key), std::string(row.pad)};
    return bindings;
  }
  friend bool operator==(const Settings&, const Settings&) = default;
};

/// What a group has of its own in the settings, in the order of kSoundGroups.
struct GroupSetting {
  SoundGroup id;
  float Settings::*volume;
  bool Settings::*muted;
};
inline constexpr std::array kGroupSettings = {
    GroupSetting{SoundGroup::Effects, &Settings::effects_volume, &Settings::effects_muted},
    GroupSetting{SoundGroup::Music, &Settings::music_volume, &Settings::music_muted},
    GroupSetting{SoundGroup::Interface, &Settings::interface_volume, &Settings::interface_muted},
};
static_assert(rows_in_order(kGroupSettings) && kGroupSettings.size() == kSoundGroupCount);
/// What its fader stands at.
inline float group_volume(const Settings& settings, SoundGroup group) {
  const GroupSetting& row = kGroupSettings[static_cast<std::size_t>(group)];
  return settings.*row.muted ? 0.0f : settings.*row.volume;
}

inline constexpr float kLeastTextScale = 0.75f, kMostTextScale = 2.0f;
inline constexpr u32 kLeastWindowWidth = 480, kLeastWindowHeight = 270;  ///< In the desktop's units.
inline constexpr u32 kLeastFrameCap = 30, kMostFrameCap = 480;

}  // namespace spellpool::frame
