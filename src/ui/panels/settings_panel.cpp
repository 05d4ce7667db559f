#include <algorithm>
#include <cmath>

#include "ui/panels/settings_parts.hpp"

namespace spellpool::ui {
namespace {

using frame::Action;
using frame::Settings;

constexpr std::array<std::string_view, 5> kPages = {"Comfort", "Picture", "Sound", "Keys", "All controls"};
constexpr float kWidthUnits = 780, kHeightUnits = 780;

template <class Enum, std::size_t N>
std::array<std::string_view, N> titles_of(const std::array<frame::SettingName<Enum>, N>& table) {
  std::array<std::string_view, N> titles;
  for (std::size_t i = 0; i < N; ++i) titles[i] = table[i].title;
  return titles;
}

// A label, one of several choices, and a line that explains them.
template <std::size_t N>
int choice(const SettingsController& controller, std::size_t row, std::string_view label,
           const std::array<std::string_view, N>& titles, std::size_t chosen, std::string_view words, float& y) {
  const Pen& pen = controller.pen;
  const float high = pen.px(28), left = setting_label(controller, label, y, high);
  const float wide = std::min(controller.x1 - left, pen.px(96) * static_cast<float>(N));
  const int picked = segments(pen, ControlKind::Choice, row * 16, {left, y, left + wide, y + high}, titles, chosen);
  y += high + pen.px(2);
  y = setting_note(controller, left, y, words) + pen.px(9);
  return picked;
}

template <class Enum, std::size_t N>
void choice_of(const SettingsController& controller, std::size_t row, std::string_view label,
               const std::array<frame::SettingName<Enum>, N>& table, Enum& value, std::string_view words, float& y) {
  const int picked = choice(controller, row, label, titles_of(table), static_cast<std::size_t>(value), words, y);
  if (picked < 0) return;
  value = static_cast<Enum>(picked);
  controller.changed = true;
}

constexpr std::array<std::string_view, 2> kOffOn = {"Off", "On"};

void toggle(const SettingsController& controller, std::size_t row, std::string_view label,
            const std::array<std::string_view, 2>& titles, bool& value, std::string_view words, float& y) {
  const int picked = choice(controller, row, label, titles, value ? 1 : 0, words, y);
  if (picked < 0) return;
  value = picked == 1;
  controller.changed = true;
}

float comfort(const SettingsController& controller, float y) {
  Settings& settings = controller.state.copy;
  choice_of(controller, 0, "Motion", frame::kAmounts, settings.looks.motion,
            "Shake of the camera, and its lead toward the aim.", y);
  choice_of(controller, 1, "Flashes", frame::kAmounts, settings.looks.flash,
            "Light of casts and hits. Off leaves a steady glow.", y);
  constexpr std::array<std::string_view, frame::kAmounts.size()> kDensities = {"An eighth", "Half", "All"};
  const int density = choice(controller, 2, "Sparks", kDensities, static_cast<std::size_t>(settings.looks.density),
                             "How many of them are drawn. The game itself has them all.", y);
  if (density >= 0) {
    settings.looks.density = static_cast<frame::Amount>(density);
    controller.changed = true;
  }
  choice_of(controller, 3, "Colours", frame::kColourVisions, settings.looks.colour_vision,
            "Shifts hues so that they stay apart for your eyes.", y);

  const Pen& pen = controller.pen;
  const float high = pen.px(28), left = setting_label(controller, "Text size", y, high);
  const float shown = controller.state.text_scale > 0 ? controller.state.text_scale : settings.text_scale;
  float wanted = shown;
  const float right = std::min(controller.x1 - pen.px(60), left + pen.px(384));
  // The panel itself grows only when the slider is let go: it would run away from the mouse.
  if (slider(pen, controller.fields, ControlKind::SettingSlider, 0, {left, y, right, y + high},
             {frame::kLeastTextScale, frame::kMostTextScale, 1}, wanted)) {
    controller.state.text_scale = std::floor(wanted * 20.0f + 0.5f) / 20.0f;
  } else if (controller.state.text_scale > 0 && !pen.dry()) {
    controller.changed = controller.changed || settings.text_scale != controller.state.text_scale;
    settings.text_scale = controller.state.text_scale;
    controller.state.text_scale = 0;
  }
  pen.text(Cut::Strong, right + pen.px(8), pen.centre_y(Cut::Strong, y, y + high), kText,
           Line<16>("%.0f %%", static_cast<double>(shown * 100.0f)));
  y += high;
  if (!pen.dry() && settings.text_scale > 0) {
    // Letters as they would be.
    constexpr std::string_view kSample = "Union free list, 16.67 ms";
    const float size = pen.font_px(Cut::Body) * shown / settings.text_scale;
    pen.list()->AddText(pen.font(Cut::Body), size, ImVec2(left, y + pen.px(2)), kMuted, kSample.data(),
                        kSample.data() + kSample.size());
  }
  y += pen.px(8) + std::ceil(pen.font_px(Cut::Body) * std::max(1.0f, shown / std::max(0.1f, settings.text_scale))) +
       pen.px(6);

  const std::string_view key = key_label(controller.model, Action::HudLevel);
  choice_of(controller, 4, "Over the game", frame::kHudLevels, settings.hud,
            Line<96>("What is shown while you play. %.*s steps through them.",
                     static_cast<int>(std::min<std::size_t>(20, key.size())), key.data()),
            y);
  return y;
}

float picture(const SettingsController& controller, float y) {
  Settings& settings = controller.state.copy;
  const std::string_view level = frame::kQualities[static_cast<std::size_t>(controller.model.quality_now)].title;
  const bool automatic = settings.looks.quality == frame::Quality::Auto;
  const Line<32> now("%s%.*s%s", automatic ? " (now " : "", automatic ? static_cast<int>(level.size()) : 0, level.data(),
                     automatic ? ")" : "");
  choice_of(controller, 5, "Quality", frame::kQualities, settings.looks.quality,
            Line<160>("Bloom, and light on the ground; Low has no bloom. Auto%s keeps the frame rate.", now.c_str()), y);
  const std::string_view by = controller.model.drawn_by;
  choice_of(controller, 10, "Drawn by", frame::kDrawPaths, settings.looks.draw,
            Line<256>("Who paints the sparks and the finished picture%s%.*s. Auto: the processor where OpenGL itself runs on "
                      "it, as in most virtual machines. Try the other one if the picture is slow or wrong.",
                      by.empty() ? "" : ", now ", static_cast<int>(std::min<std::size_t>(20, by.size())), by.data()),
            y);
  constexpr std::array<std::string_view, 2> kWindow = {"Window", "Fullscreen"};
  toggle(controller, 6, "Window", kWindow, settings.fullscreen, "Fullscreen takes the whole display at its own resolution.",
         y);
  toggle(controller, 7, "Vertical sync", kOffOn, settings.vsync,
         "On: no torn pictures, and frame times in steps of the display's.", y);
  constexpr std::array<u32, 6> kCaps = {0, 30, 60, 120, 144, 240};
  constexpr std::array<std::string_view, 6> kCapTitles = {"None", "30", "60", "120", "144", "240"};
  std::size_t chosen = kCaps.size();
  for (std::size_t i = 0; i < kCaps.size(); ++i) {
    if (kCaps[i] == settings.frame_cap) chosen = i;
  }
  const int picked = choice(controller, 8, "Frames a second", kCapTitles, chosen,
                            chosen < kCaps.size()
                                ? std::string_view("At most so many. The steps of the game stay 60 a second.")
                                : std::string_view(Line<64>("At most %u, from the settings file.", settings.frame_cap)),
                            y);
  if (picked >= 0) {
    settings.frame_cap = kCaps[static_cast<std::size_t>(picked)];
    controller.changed = true;
  }
  return y;
}

// A slider for a volume; `off`: it has no effect.
float volume(const SettingsController& controller, std::size_t index, std::string_view label, float& value, bool off, float right, float y) {
  const Pen& pen = controller.pen;
  const float high = pen.px(28), left = setting_label(controller, label, y, high);
  const float number = pen.px(60), end = std::min(right, left + pen.px(384)) - number;
  float wanted = value;
  if (slider(pen, controller.fields, ControlKind::SettingSlider, index, {left, y, end, y + high}, {0, 1, 1}, wanted)) {
    wanted = std::floor(wanted * 100.0f + 0.5f) / 100.0f;
    controller.changed = controller.changed || wanted != value;
    value = wanted;
  }
  pen.text(Cut::Strong, end + pen.px(8), pen.centre_y(Cut::Strong, y, y + high), off ? kMuted : kText,
           Line<16>("%.0f %%", static_cast<double>(value * 100.0f)));
  return y + high;
}

float sound(const SettingsController& controller, float y) {
  Settings& settings = controller.state.copy;
  const Pen& pen = controller.pen;
  y = volume(controller, 1, "Volume", settings.volume, settings.muted, controller.x1, y) + pen.px(12);
  bool on = !settings.muted;
  toggle(controller, 9, "Sound", kOffOn, on, "All of it, on or off.", y);
  settings.muted = !on;
  constexpr std::array<std::string_view, frame::kSoundGroupCount> kWords = {
      "Spells, shots, hits: what happens in the game.", "The background of the scene.", "Menus, panels, the clicks of controls."};
  for (const frame::GroupSetting& group : frame::kGroupSettings) {
    const auto row = static_cast<std::size_t>(group.id);
    bool& muted = settings.*group.muted;
    const float wide = pen.px(120), gap = pen.px(12), top = y;
    y = volume(controller, 2 + row, frame::kSoundGroups[row].title, settings.*group.volume, muted || settings.muted, controller.x1 - wide - gap, y);
    const int picked = segments(pen, ControlKind::Choice, (11 + row) * 16, {controller.x1 - wide, top, controller.x1, y}, kOffOn, muted ? 0 : 1);
    if (picked >= 0) {
      muted = picked == 0;
      controller.changed = true;
    }
    y += pen.px(2);
    y = setting_note(controller, controller.x0 + pen.px(140), y, kWords[row]) + pen.px(9);
  }
  return y;
}

// Every action that is no key to hold, as a button.
float all_controls(const SettingsController& controller, float y, frame::PanelRequests& requests) {
  const Pen& pen = controller.pen;
  const float room = controller.x1 - controller.x0;
  const std::size_t columns = room >= pen.px(720) ? 4 : room >= pen.px(540) ? 3 : 2;
  const float gap = pen.px(8), high = pen.px(28);
  const float wide = std::floor((room - gap * static_cast<float>(columns - 1)) / static_cast<float>(columns));
  std::string_view group;
  std::size_t column = 0;
  for (const frame::Hotkey& hotkey : frame::kHotkeys) {
    if (hotkey.held || (hotkey.scenes == frame::Scenes::Replay && !controller.model.replay.shown)) continue;
    if (hotkey.group != group) {
      if (column > 0) y += high + gap * 0.6f;
      column = 0;
      group = hotkey.group;
      pen.text(Cut::Small, controller.x0, y, kAccent, group);
      y += pen.line_px(Cut::Small) + pen.px(3);
    }
    const float left = controller.x0 + static_cast<float>(column) * (wide + gap);
    const Line<64> label = action_title(controller.model, hotkey.id);
    if (labelled_button(pen, ControlKind::Ask, static_cast<std::size_t>(hotkey.id), {left, y, left + wide, y + high},
                        label, key_label(controller.model, hotkey.id), action_is_on(controller.model, hotkey.id))) {
      requests.ask(hotkey.id);
    }
    if (++column == columns) {
      column = 0;
      y += high + gap * 0.6f;
    }
  }
  return column > 0 ? y + high : y;
}

}  // namespace

float setting_label(const SettingsController& controller, std::string_view words, float y, float high) {
  const Pen& pen = controller.pen;
  const float wide = pen.px(140);
  pen.text_within(Cut::Body, controller.x0, pen.centre_y(Cut::Body, y, y + high), wide - pen.px(6), kText, words);
  return controller.x0 + wide;
}

float setting_note(const SettingsController& controller, float x, float y, std::string_view words) {
  controller.pen.text_wrapped(Cut::Small, x, y, controller.x1 - x, kMuted, words);
  return y + controller.pen.wrapped_height(Cut::Small, words, controller.x1 - x);
}

Rect draw_settings(const Rect& free, const frame::PanelModel& model, UiState& state, const Pen& outer,
                   frame::PanelRequests& requests) {
  SettingsState& settings = state.settings;
  if (!settings.changed) settings.copy = *model.settings;
  bool changed = settings.changed;
  settings.changed = false;
  const float wide = std::min(free.width(), outer.px(kWidthUnits)),
              high = std::min(free.height(), outer.px(kHeightUnits));
  const float x0 = std::floor(free.middle_x() - wide * 0.5f), y0 = std::floor(free.middle_y() - high * 0.5f);
  const Rect box{x0, y0, x0 + wide, y0 + high};
  outer.fill(box, kPanelFill, outer.px(8));
  outer.panel(box);
  begin_window("##settings", box);
  const Pen pen = Pen(ImGui::GetWindowDrawList(), outer.scale(), outer.layout()).within(box);
  const float pad = pen.px(18), left = box.x0 + pad, right = box.x1 - pad;
  float y = box.y0 + pen.px(12);
  if (panel_header(pen, {left, y, right, y + pen.px(24)}, "Settings", key_label(model, Action::Settings),
                   ClosePanel::Settings)) {
    requests.ask(Action::Settings);
  }
  y += pen.px(24) + pen.px(8);
  const int page = segments(pen, ControlKind::SettingsTab, 0, {left, y, right, y + pen.px(30)}, kPages,
                            static_cast<std::size_t>(settings.page));
  if (page >= 0) {
    settings.page = static_cast<SettingsPage>(page);
    settings.listening = false;
  }
  y += pen.px(30) + pen.px(12);

  // The foot: where all this is kept.
  const bool kept = !model.settings_path.empty();
  const std::string_view where = kept ? model.settings_path : model.settings_unkept;
  const Line<400> path(kept ? "Kept in %.*s" : where.empty() ? "Kept until you quit%.*s" : "Kept until you quit: %.*s",
                       static_cast<int>(std::min<std::size_t>(where.size(), 360)), where.data());
  const float foot_high = pen.wrapped_height(Cut::Small, path, right - left);
  const float foot = box.y1 - pen.px(10) - foot_high;
  pen.fill({left, foot - pen.px(7), right, foot - pen.px(7) + 1}, kRule);
  pen.text_wrapped(Cut::Small, left, foot, right - left, kMuted, path);

  const Rect room{box.x0, y, box.x1, foot - pen.px(8)};
  if (room.height() >= pen.px(20)) {
    // Each page keeps its own place.
    constexpr std::array<const char*, 5> kNames = {"##comfort", "##picture", "##sound", "##keys", "##controls"};
    const auto which = static_cast<std::size_t>(settings.page);
    const float scrolled = begin_scroll(kNames[which], room);
    const Pen inner = Pen(ImGui::GetWindowDrawList(), outer.scale(), outer.layout()).within(room);
    const SettingsController controller{inner, model, settings, state.fields, changed, left, right};
    float end = room.y0 - scrolled;
    switch (settings.page) {
      case SettingsPage::Comfort:
        end = comfort(controller, end);
        break;
      case SettingsPage::Picture:
        end = picture(controller, end);
        break;
      case SettingsPage::Sound:
        end = sound(controller, end);
        break;
      case SettingsPage::Keys:
        end = draw_key_table(controller, end);
        break;
      case SettingsPage::Controls:
        end = all_controls(controller, end, requests);
        break;
    }
    end_scroll(room, end + pen.px(4));
  }
  end_window();
  if (settings.page != SettingsPage::Keys) settings.listening = false;
  if (changed) requests.settings = &settings.copy;
  requests.listening = settings.listening;
  return box;
}

}  // namespace spellpool::ui
