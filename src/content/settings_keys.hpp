#pragma once
// The keys of the settings file, by table, in the order in which they are written. [keys] and [pad] have a key for each
// row of frame::kHotkeys.
#include <array>
#include <string_view>
#include <variant>

#include "frame/settings.hpp"

namespace spellpool::content {

struct SettingKey {
  using Member = std::variant<frame::Amount frame::LookSettings::*, frame::ColourVision frame::LookSettings::*,
                              frame::Quality frame::LookSettings::*, frame::DrawPath frame::LookSettings::*, frame::HudLevel frame::Settings::*,
                              float frame::Settings::*, bool frame::Settings::*, u32 frame::Settings::*>;
  std::string_view table, name;
  Member member;
  double low = 0, high = 0;  ///< Of numbers.
  bool zero_too = false;     ///< 0 stands for "none".
  std::string_view help;
};

inline constexpr std::array kSettingKeys = {
    SettingKey{"looks", "motion", &frame::LookSettings::motion, 0, 0, false, "camera shake and lead"},
    SettingKey{"looks", "flash", &frame::LookSettings::flash, 0, 0, false, "lights of casts and hits"},
    SettingKey{"looks", "density", &frame::LookSettings::density, 0, 0, false, "how many of the particles are drawn"},
    SettingKey{"looks", "colour_vision", &frame::LookSettings::colour_vision, 0, 0, false, "palette for your eyes"},
    SettingKey{"looks", "quality", &frame::LookSettings::quality, 0, 0, false, "bloom and light maps"},
    SettingKey{"looks", "draw", &frame::LookSettings::draw, 0, 0, false, "who paints the picture"},
    SettingKey{"panels", "hud", &frame::Settings::hud, 0, 0, false, "how much is told over the picture"},
    SettingKey{"panels", "text_scale", &frame::Settings::text_scale, frame::kLeastTextScale, frame::kMostTextScale,
               false, "size of all text"},
    SettingKey{"panels", "newcomer", &frame::Settings::newcomer, 0, 0, false, "the first hints are shown"},
    SettingKey{"sound", "volume", &frame::Settings::volume, 0, 1, false, "loudness"},
    SettingKey{"sound", "muted", &frame::Settings::muted, 0, 0, false, "no sound at all"},
    SettingKey{"sound", "effects_volume", &frame::Settings::effects_volume, 0, 1, false, "spells, shots, hits"},
    SettingKey{"sound", "effects_muted", &frame::Settings::effects_muted, 0, 0, false, "none of them"},
    SettingKey{"sound", "music_volume", &frame::Settings::music_volume, 0, 1, false, "the background"},
    SettingKey{"sound", "music_muted", &frame::Settings::music_muted, 0, 0, false, "no background"},
    SettingKey{"sound", "interface_volume", &frame::Settings::interface_volume, 0, 1, false, "menus and panels"},
    SettingKey{"sound", "interface_muted", &frame::Settings::interface_muted, 0, 0, false, "menus and panels are silent"},
    SettingKey{"window", "fullscreen", &frame::Settings::fullscreen, 0, 0, false, "the whole screen"},
    SettingKey{"window", "vsync", &frame::Settings::vsync, 0, 0, false, "wait for the display"},
    SettingKey{"window", "frame_cap", &frame::Settings::frame_cap, frame::kLeastFrameCap, frame::kMostFrameCap, true,
               "frames a second at most, 0 for no cap"},
    SettingKey{"window", "width", &frame::Settings::window_width, frame::kLeastWindowWidth, 16384, false, "of the window, in the desktop's units"},
    SettingKey{"window", "height", &frame::Settings::window_height, frame::kLeastWindowHeight, 16384, false, "of the window, in the desktop's units"},
};

struct BindingTable {
  std::string_view table;
  std::string frame::KeyBinding::*member;
  std::string_view help;
};
inline constexpr std::array kBindingTables = {
    BindingTable{"keys", &frame::KeyBinding::key, "Keyboard, by SDL's names; \"\" for none."},
    BindingTable{"pad", &frame::KeyBinding::pad,
                 "Gamepad, by SDL's button names; \"lt+\" before it: with the left trigger held; \"\" for none."},
};
inline constexpr std::size_t kMaxBinding_bytes = 32;

}  // namespace spellpool::content
