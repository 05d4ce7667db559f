#pragma once
// What the player chose, kept in $XDG_CONFIG_HOME/spellpool/settings.toml. Looks and comfort only: nothing here changes
// what the simulation does, so that a replay or a hash never depends on it.
//
// kSettings has a row for each setting. The file, the options with their --help, the settings panel and what
// is remembered after a run are made from the rows.
#include <array>
#include <string>
#include <type_traits>

#include "frame/action.hpp"
#include "frame/views/figure_pool_view.hpp"
#include "frame/voice_choice.hpp"

namespace spellpool::frame {

enum class Amount : u8 { Off, Reduced, Full };
/// How the picture's colours are shifted so that hues stay apart for eyes that mix some of them up.
enum class ColourVision : u8 { Common, Protan, Deutan, Tritan };
/// Auto: the highest of the others that keeps the frame rate.
enum class Quality : u8 { Low, Medium, High, Auto };
/// Pixels that the CPU renderer draws, of the window's, each way. Auto: by quality (resolution_of()).
enum class Resolution : u8 { Half, ThreeQuarters, Full, Auto };
/// Who paints the particles and the finished picture. Auto: the processor where OpenGL itself runs on the processor.
enum class DrawPath : u8 { Auto, Gpu, Cpu };
/// What decides which picture a piece of the shooter's garden has: chance, or the slot of the pool that it lives in.
enum class Scenery : u8 { Chance, Slot };
enum class HudLevel : u8 { Off, Fps, Graph, Full };

/// A value that has a name.
struct SettingName {
  u32 id;
  std::string_view name;         ///< In the file and in options.
  std::string_view title;        ///< In the panel.
  template <class Value>
  constexpr SettingName(Value value, std::string_view name_in_files, std::string_view title_in_panel)
      : id(static_cast<u32>(value)), name(name_in_files), title(title_in_panel) {}
};
/// A view of a table below. (std::span's constraints cost every file that includes this 0.05 s to compile.)
class SettingNames {
 public:
  constexpr SettingNames() = default;
  template <std::size_t N>
  constexpr SettingNames(const std::array<SettingName, N>& table) : first_(table.data()), size_(N) {}
  constexpr const SettingName* begin() const { return first_; }
  constexpr const SettingName* end() const { return first_ + size_; }
  constexpr std::size_t size() const { return size_; }
  constexpr bool empty() const { return size_ == 0; }
  constexpr const SettingName& operator[](std::size_t i) const { return first_[i]; }

 private:
  const SettingName* first_ = nullptr;
  std::size_t size_ = 0;
};
inline constexpr std::array kAmounts = {SettingName{Amount::Off, "off", "Off"},
                                        SettingName{Amount::Reduced, "reduced", "Reduced"},
                                        SettingName{Amount::Full, "full", "Full"}};
inline constexpr std::array kColourVisions = {SettingName{ColourVision::Common, "common", "As painted"},
                                              SettingName{ColourVision::Protan, "protan", "Red-weak"},
                                              SettingName{ColourVision::Deutan, "deutan", "Green-weak"},
                                              SettingName{ColourVision::Tritan, "tritan", "Blue-weak"}};
inline constexpr std::array kQualities = {
    SettingName{Quality::Low, "low", "Low"}, SettingName{Quality::Medium, "medium", "Medium"},
    SettingName{Quality::High, "high", "High"}, SettingName{Quality::Auto, "auto", "Auto"}};
inline constexpr std::array kResolutions = {
    SettingName{Resolution::Half, "50", "50 %"}, SettingName{Resolution::ThreeQuarters, "75", "75 %"},
    SettingName{Resolution::Full, "100", "100 %"}, SettingName{Resolution::Auto, "auto", "By quality"}};
inline constexpr std::array kDrawPaths = {SettingName{DrawPath::Auto, "auto", "Auto"},
                                          SettingName{DrawPath::Gpu, "gpu", "OpenGL"},
                                          SettingName{DrawPath::Cpu, "cpu", "Processor"}};
inline constexpr std::array kSceneries = {SettingName{Scenery::Chance, "chance", "By chance"},
                                          SettingName{Scenery::Slot, "slot", "By slot"}};
inline constexpr std::array kFigureStores = {SettingName{FigureStore::Pool, "pool", "Pool"},
                                             SettingName{FigureStore::MakeDestroy, "make_destroy", "Make and destroy"}};
inline constexpr std::array kFigurePolicies = {SettingName{FigurePolicy::Reject, "reject", "Reject"},
                                               SettingName{FigurePolicy::StealOldest, "steal_oldest", "Steal oldest"},
                                               SettingName{FigurePolicy::StealLeast, "steal_least", "Steal least"}};
inline constexpr std::array kFigureRooms = {SettingName{FigureRoom::Half, "50", "50 %"},
                                            SettingName{FigureRoom::ThreeQuarters, "75", "75 %"},
                                            SettingName{FigureRoom::Whole, "100", "100 %"},
                                            SettingName{FigureRoom::FiveQuarters, "125", "125 %"}};
inline constexpr std::array kHudLevels = {
    SettingName{HudLevel::Off, "off", "Nothing"}, SettingName{HudLevel::Fps, "fps", "FPS"},
    SettingName{HudLevel::Graph, "graph", "Graph"}, SettingName{HudLevel::Full, "full", "Full"}};
inline constexpr std::array kOffOn = {SettingName{false, "off", "Off"}, SettingName{true, "on", "On"}};
static_assert(rows_in_order(kAmounts) && rows_in_order(kColourVisions) && rows_in_order(kQualities) &&
              rows_in_order(kResolutions) && rows_in_order(kDrawPaths) && rows_in_order(kSceneries) &&
              rows_in_order(kFigureStores) && rows_in_order(kFigurePolicies) && rows_in_order(kFigureRooms) &&
              rows_in_order(kHudLevels) && rows_in_order(kOffOn));

/// How the world is shown. Read when a snapshot is built and drawn, never by a step.
struct LookSettings {
  Amount motion = Amount::Full;   ///< Camera shake and lead. Reduced: a third of both; Off: neither.
  Amount flash = Amount::Full;    ///< Lights of casts and hits. Reduced: a third, slower; Off: none above a steady glow.
  Amount density = Amount::Full;  ///< Particles drawn, of those alive. Reduced: half; Off: one in eight.
  ColourVision colour_vision = ColourVision::Common;
  Quality quality = Quality::Auto;  ///< Bloom and light maps. Low: no bloom; Medium: coarse; High and Auto: as painted.
  DrawPath draw = DrawPath::Auto;
  Resolution resolution = Resolution::Auto;  ///< Of the world only: panels always have the window's pixels.
  Scenery scenery = Scenery::Chance;
  FigureStore figure_store = FigureStore::Pool;               ///< Of the CPU renderer's images of figures.
  FigurePolicy figure_policy = FigurePolicy::StealLeast;
  FigureRoom figure_room = FigureRoom::FiveQuarters;
  friend bool operator==(const LookSettings&, const LookSettings&) = default;
};

/// What Resolution::Auto comes to.
constexpr Resolution resolution_of(Quality quality) {
  return quality == Quality::Low      ? Resolution::Half
         : quality == Quality::Medium ? Resolution::ThreeQuarters
                                      : Resolution::Full;
}

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
    for (const Hotkey& row : kHotkeys)
      bindings[static_cast<std::size_t>(row.id)] = {std::string(row.key), std::string(row.pad)};
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

enum class SettingKind : u8 { Choice, Flag, Whole, Real };

/// How a member is read and set, as a number: a choice as the place in its table, a flag as 0 or 1.
struct SettingValue {
  SettingKind kind{};
  double (*get)(const Settings&) = nullptr;
  void (*set)(Settings&, double) = nullptr;
  SettingNames names{};  ///< Of a choice and a flag, in order.
  double low = 0, high = 0;              ///< Of a number.
  bool zero_too = false;                 ///< 0 stands for "none".
};

/// The option that sets it for one run.
struct SettingOption {
  const char* name = nullptr;  ///< "--quality"; null: there is none.
  const char* type_name = "";
  const char* help = "";       ///< The names of a choice follow.
  u8 place = 255;              ///< In --help, among the options of settings.
  double low = 0, high = 0;    ///< Of a number whose option takes another range than the file.
};

enum class SettingsPage : u8 { Comfort, Picture, Sound, Keys, Controls };
/// What replaces the {} in a note.
enum class SettingNow : u8 { None, HudKey, Quality, DrawnBy };

/// Its control in the settings panel: a slider for a number without stops, otherwise one button per stop.
struct SettingControl {
  SettingsPage page{};
  u16 index = 0;                          ///< Of ControlKind::SettingSlider, or Choice / 16.
  const char* label = nullptr;            ///< Null: no row of its own.
  const char* note = "";                  ///< Below the control.
  SettingNames stops{};   ///< Instead of all values, or under other titles.
  SettingNow now = SettingNow::None;
  const char* other_note = "";            ///< The note for a value that is no stop; {} is the value.
  bool last = false;                      ///< At the end of its page.
  bool beside = false;                    ///< At the right of the slider of the row before.
  bool scales_text = false;               ///< Takes effect when the slider is released: the panel grows, too.
};

struct SettingRow {
  SettingValue value;
  std::string_view table, name;  ///< In the file,
  const char* help;              ///< and the comment there.
  SettingOption option{};
  SettingControl control{};
};

template <auto Member>
constexpr auto& member_of(auto& settings) {
  if constexpr (requires { settings.*Member; }) {
    return settings.*Member;
  } else {
    return settings.looks.*Member;
  }
}
template <auto Member>
double get_setting(const Settings& settings) {
  return static_cast<double>(member_of<Member>(settings));
}
template <auto Member>
void set_setting(Settings& settings, double value) {
  auto& member = member_of<Member>(settings);
  member = static_cast<std::remove_reference_t<decltype(member)>>(value);
}
template <auto Member>
constexpr SettingValue setting_value(SettingKind kind) {
  return {kind, get_setting<Member>, set_setting<Member>};
}
template <auto Member>
constexpr SettingValue choice_of(SettingNames names) {
  SettingValue value = setting_value<Member>(SettingKind::Choice);
  value.names = names;
  return value;
}
template <auto Member>
constexpr SettingValue flag_of() {
  SettingValue value = setting_value<Member>(SettingKind::Flag);
  value.names = kOffOn;
  return value;
}
template <auto Member>
constexpr SettingValue number_of(double low, double high, bool zero_too = false) {
  constexpr bool kReal = std::is_same_v<decltype(Member), float Settings::*> ||
                         std::is_same_v<decltype(Member), float LookSettings::*>;
  SettingValue value = setting_value<Member>(kReal ? SettingKind::Real : SettingKind::Whole);
  value.low = low, value.high = high, value.zero_too = zero_too;
  return value;
}

inline constexpr std::array kDensityTitles = {SettingName{Amount::Off, "", "An eighth"},
                                              SettingName{Amount::Reduced, "", "Half"},
                                              SettingName{Amount::Full, "", "All"}};
inline constexpr std::array kWindowTitles = {SettingName{false, "", "Window"},
                                             SettingName{true, "", "Fullscreen"}};
inline constexpr std::array kMutedTitles = {SettingName{true, "", "Off"}, SettingName{false, "", "On"}};
inline constexpr std::array kFrameCaps = {SettingName{0, "", "None"},  SettingName{30, "", "30"},
                                          SettingName{60, "", "60"},   SettingName{120, "", "120"},
                                          SettingName{144, "", "144"}, SettingName{240, "", "240"}};

/// In the order of the file. A new control takes the next free index.
inline constexpr std::array kSettings = {
    SettingRow{choice_of<&LookSettings::motion>(kAmounts),
               "looks",
               "motion",
               "camera shake and lead",
               {"--motion", "AMOUNT", "shake and lead of the camera: ", 4},
               {SettingsPage::Comfort, 0, "Motion", "Shake of the camera, and its lead toward the aim."}},
    SettingRow{choice_of<&LookSettings::flash>(kAmounts),
               "looks",
               "flash",
               "lights of casts and hits",
               {"--flash", "AMOUNT", "flashes of light: ", 5},
               {SettingsPage::Comfort, 1, "Flashes", "Light of casts and hits. Off leaves a steady glow."}},
    SettingRow{choice_of<&LookSettings::density>(kAmounts),
               "looks",
               "density",
               "how many of the particles are drawn",
               {"--density", "AMOUNT", "particles drawn, of those alive: ", 6},
               {SettingsPage::Comfort, 2, "Sparks", "How many of them are drawn. The game itself has them all.",
                kDensityTitles}},
    SettingRow{choice_of<&LookSettings::colour_vision>(kColourVisions),
               "looks",
               "colour_vision",
               "palette for your eyes",
               {"--colour-vision", "NAME", "colours shifted for: ", 7},
               {SettingsPage::Comfort, 3, "Colours", "Shifts hues so that they stay apart for your eyes."}},
    SettingRow{choice_of<&LookSettings::quality>(kQualities),
               "looks",
               "quality",
               "bloom and light maps",
               {"--quality", "NAME", "picture: ", 2},
               {.page = SettingsPage::Picture,
                .index = 5,
                .label = "Quality",
                .note = "Bloom, and light on the ground; Low has no bloom. Auto{} keeps the frame rate.",
                .now = SettingNow::Quality}},
    SettingRow{choice_of<&LookSettings::resolution>(kResolutions),
               "looks",
               "resolution",
               "pixels that the processor draws, each way",
               {"--resolution", "PERCENT", "pixels drawn, of the window's: ", 10},
               {SettingsPage::Picture, 14, "Resolution",
                "Of the world, where the processor draws it. Panels stay sharp. By quality: Low 50 %, Medium 75 %."}},
    SettingRow{choice_of<&LookSettings::draw>(kDrawPaths),
               "looks",
               "draw",
               "who paints the picture",
               {"--draw", "NAME", "who paints the picture: ", 3},
               {.page = SettingsPage::Picture,
                .index = 10,
                .label = "Drawn by",
                .note = "Who paints the sparks and the finished picture{}. Auto: the processor where OpenGL "
                        "itself runs on it, as in most virtual machines. Try the other one if the picture is "
                        "slow or wrong.",
                .now = SettingNow::DrawnBy}},
    SettingRow{choice_of<&LookSettings::scenery>(kSceneries),
               "looks",
               "scenery",
               "what decides the shooter's garden",
               {"--scenery", "NAME", "pieces of the shooter's garden: ", 11},
               {.page = SettingsPage::Picture,
                .index = 15,
                .label = "Garden",
                .note = "Of the shooter. By slot: a piece looks like the slot of the pool that it lives in, so the "
                        "order in which a "
                        "strategy reuses slots is seen.",
                .last = true}},
    SettingRow{choice_of<&LookSettings::figure_store>(kFigureStores),
               "looks",
               "figure_images",
               "where images of figures come from, with the CPU renderer",
               {"--figure-images", "NAME", "images of figures (CPU renderer): ", 12}},
    SettingRow{choice_of<&LookSettings::figure_policy>(kFigurePolicies),
               "looks",
               "figure_policy",
               "what happens if an image of a figure finds no room",
               {"--figure-policy", "NAME", "if they find no room: ", 13}},
    SettingRow{choice_of<&LookSettings::figure_room>(kFigureRooms),
               "looks",
               "figure_room",
               "pixels of all images of figures, of the window's",
               {"--figure-room", "PERCENT", "pixels of all images of figures, of the window's: ", 14}},
    SettingRow{choice_of<&Settings::hud>(kHudLevels),
               "panels",
               "hud",
               "how much is told over the picture",
               {"--hud", "LEVEL", "what is shown over the game: ", 8},
               {.page = SettingsPage::Comfort,
                .index = 4,
                .label = "Over the game",
                .note = "What is shown while you play. {} steps through them.",
                .now = SettingNow::HudKey,
                .last = true}},
    SettingRow{number_of<&Settings::text_scale>(kLeastTextScale, kMostTextScale),
               "panels",
               "text_scale",
               "size of all text",
               {"--text-scale", "X", "size of panel text, 0.5 … 3", 9, 0.5, 3},
               {.page = SettingsPage::Comfort, .index = 0, .label = "Text size", .scales_text = true}},
    SettingRow{flag_of<&Settings::newcomer>(), "panels", "newcomer", "the first hints are shown"},
    SettingRow{
        number_of<&Settings::volume>(0, 1), "sound", "volume", "loudness", {}, {SettingsPage::Sound, 1, "Volume"}},
    SettingRow{flag_of<&Settings::muted>(),
               "sound",
               "muted",
               "no sound at all",
               {},
               {SettingsPage::Sound, 9, "Sound", "All of it, on or off.", kMutedTitles}},
    SettingRow{number_of<&Settings::effects_volume>(0, 1),
               "sound",
               "effects_volume",
               "spells, shots, hits",
               {},
               {SettingsPage::Sound, 2, "Effects"}},
    SettingRow{flag_of<&Settings::effects_muted>(),
               "sound",
               "effects_muted",
               "none of them",
               {},
               {.page = SettingsPage::Sound,
                .index = 11,
                .note = "Spells, shots, hits: what happens in the game.",
                .stops = kMutedTitles,
                .beside = true}},
    SettingRow{number_of<&Settings::music_volume>(0, 1),
               "sound",
               "music_volume",
               "the background",
               {},
               {SettingsPage::Sound, 3, "Music"}},
    SettingRow{flag_of<&Settings::music_muted>(),
               "sound",
               "music_muted",
               "no background",
               {},
               {.page = SettingsPage::Sound,
                .index = 12,
                .note = "The background of the scene.",
                .stops = kMutedTitles,
                .beside = true}},
    SettingRow{number_of<&Settings::interface_volume>(0, 1),
               "sound",
               "interface_volume",
               "menus and panels",
               {},
               {SettingsPage::Sound, 4, "Interface"}},
    SettingRow{flag_of<&Settings::interface_muted>(),
               "sound",
               "interface_muted",
               "menus and panels are silent",
               {},
               {.page = SettingsPage::Sound,
                .index = 13,
                .note = "Menus, panels, the clicks of controls.",
                .stops = kMutedTitles,
                .beside = true}},
    SettingRow{flag_of<&Settings::fullscreen>(),
               "window",
               "fullscreen",
               "the whole screen",
               {},
               {SettingsPage::Picture, 6, "Window", "Fullscreen takes the whole display at its own resolution.",
                kWindowTitles}},
    SettingRow{flag_of<&Settings::vsync>(),
               "window",
               "vsync",
               "wait for the display",
               {"--vsync", "on|off", "on or off", 0},
               {SettingsPage::Picture, 7, "Vertical sync",
                "On: no torn pictures, and frame times in steps of the display's."}},
    SettingRow{number_of<&Settings::frame_cap>(kLeastFrameCap, kMostFrameCap, true),
               "window",
               "frame_cap",
               "frames a second at most, 0 for no cap",
               {"--frame-cap", "N", "most frames a second, 30 … 480; 0 for none", 1},
               {.page = SettingsPage::Picture,
                .index = 8,
                .label = "Frames a second",
                .note = "At most so many. The steps of the game stay 60 a second.",
                .stops = kFrameCaps,
                .other_note = "At most {}, from the settings file."}},
    SettingRow{number_of<&Settings::window_width>(kLeastWindowWidth, 16384), "window", "width",
               "of the window, in the desktop's units"},
    SettingRow{number_of<&Settings::window_height>(kLeastWindowHeight, 16384), "window", "height",
               "of the window, in the desktop's units"},
};

}  // namespace spellpool::frame
