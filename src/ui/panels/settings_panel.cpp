#include <algorithm>
#include <cmath>

#include "ui/panels/settings_parts.hpp"

namespace spellpool::ui {
namespace {

using frame::Action;
using frame::Settings;

constexpr std::array<std::string_view, 5> kPages = {"Comfort", "Picture", "Sound", "Keys", "All controls"};
constexpr float kWidthUnits = 780, kHeightUnits = 856;

using frame::SettingKind;
using frame::SettingRow;

// A row's note with the {} in it filled in.
Line<256> filled(std::string_view note, std::string_view word) {
  const std::size_t mark = std::min(note.find("{}"), note.size());
  const std::string_view rest = note.substr(std::min(mark + 2, note.size()));
  if (mark == note.size()) word = {};
  return Line<256>("%.*s%.*s%.*s", static_cast<int>(mark), note.data(), static_cast<int>(word.size()),
                   word.data(), static_cast<int>(rest.size()), rest.data());
}

Line<32> word_of(const SettingsController& controller, frame::SettingNow now) {
  const frame::PanelModel& model = controller.model;
  switch (now) {
    case frame::SettingNow::None: break;
    case frame::SettingNow::HudKey: {
      const std::string_view key = key_label(model, Action::HudLevel);
      return Line<32>("%.*s", static_cast<int>(std::min<std::size_t>(20, key.size())), key.data());
    }
    case frame::SettingNow::Quality: {
      if (controller.state.copy.looks.quality != frame::Quality::Auto) break;
      const std::string_view level = frame::kQualities[static_cast<std::size_t>(model.quality_now)].title;
      return Line<32>(" (now %.*s)", static_cast<int>(level.size()), level.data());
    }
    case frame::SettingNow::DrawnBy: {
      const std::string_view by = model.drawn_by;
      if (by.empty()) break;
      return Line<32>(", now %.*s", static_cast<int>(std::min<std::size_t>(20, by.size())), by.data());
    }
  }
  return Line<32>("%s", "");
}

frame::SettingNames stops_of(const SettingRow& row) {
  return row.control.stops.empty() ? row.value.names : row.control.stops;
}
// The stop at which the setting is, or stops.size().
std::size_t stop_of(const SettingRow& row, const Settings& settings) {
  const frame::SettingNames stops = stops_of(row);
  std::size_t i = 0;
  while (i < stops.size() && stops[i].id != row.value.get(settings)) ++i;
  return i;
}

void draw_stops(const SettingsController& controller, const SettingRow& row, const Rect& box) {
  const frame::SettingNames stops = stops_of(row);
  std::array<std::string_view, 16> titles;
  for (std::size_t i = 0; i < stops.size(); ++i) titles[i] = stops[i].title;
  Settings& settings = controller.state.copy;
  const int picked = segments(controller.pen, ControlKind::Choice, row.control.index * std::size_t{16}, box,
                              std::span(titles).first(stops.size()), stop_of(row, settings));
  if (picked < 0) return;
  row.value.set(settings, stops[static_cast<std::size_t>(picked)].id);
  controller.changed = true;
}

// A label, one of several choices, and a line that explains them.
float choice(const SettingsController& controller, const SettingRow& row, float y) {
  const std::size_t stops = stops_of(row).size();
  const Settings& settings = controller.state.copy;
  const Line<256> note = stop_of(row, settings) < stops
                             ? filled(row.control.note, word_of(controller, row.control.now))
                             : filled(row.control.other_note, Line<16>("%.0f", row.value.get(settings)));
  const Pen& pen = controller.pen;
  const float high = pen.px(28), left = setting_label(controller, row.control.label, y, high);
  const float wide = std::min(controller.x1 - left, pen.px(96) * static_cast<float>(stops));
  draw_stops(controller, row, {left, y, left + wide, y + high});
  return setting_note(controller, left, y + high + pen.px(2), note) + pen.px(9);
}

float text_size(const SettingsController& controller, const SettingRow& row, float y) {
  Settings& settings = controller.state.copy;
  const Pen& pen = controller.pen;
  const float high = pen.px(28), left = setting_label(controller, row.control.label, y, high);
  const float shown = controller.state.text_scale > 0 ? controller.state.text_scale : settings.text_scale;
  float wanted = shown;
  const float right = std::min(controller.x1 - pen.px(60), left + pen.px(384));
  // The panel itself grows only when the slider is let go: it would run away from the mouse.
  if (slider(pen, controller.fields, ControlKind::SettingSlider, row.control.index,
             {left, y, right, y + high}, {frame::kLeastTextScale, frame::kMostTextScale, 1}, wanted)) {
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
  const float growth = std::max(1.0f, shown / std::max(0.1f, settings.text_scale));
  return y + pen.px(8) + std::ceil(pen.font_px(Cut::Body) * growth) + pen.px(6);
}

// A slider in percent, or in whole numbers; `beside`: a row whose choices are at its right, or null.
float slider_of(const SettingsController& controller, const SettingRow& row, const SettingRow* beside,
                float y) {
  const Pen& pen = controller.pen;
  Settings& settings = controller.state.copy;
  const float high = pen.px(28), left = setting_label(controller, row.control.label, y, high);
  const float wide = beside != nullptr ? pen.px(120) : 0, gap = beside != nullptr ? pen.px(12) : 0;
  const float end = std::min(controller.x1 - wide - gap, left + pen.px(384)) - pen.px(60);
  const bool whole = row.value.kind == SettingKind::Whole;
  const float value = static_cast<float>(row.value.get(settings)), steps = whole ? 1.0f : 100.0f;
  const bool off = (row.control.page == frame::SettingsPage::Sound && settings.muted) ||
                   (beside != nullptr && beside->value.get(settings) != 0);
  float wanted = value;
  if (slider(pen, controller.fields, ControlKind::SettingSlider, row.control.index, {left, y, end, y + high},
             {static_cast<float>(row.value.low), static_cast<float>(row.value.high), 1}, wanted)) {
    wanted = std::floor(wanted * steps + 0.5f) / steps;
    controller.changed = controller.changed || wanted != value;
    row.value.set(settings, static_cast<double>(wanted));
  }
  pen.text(Cut::Strong, end + pen.px(8), pen.centre_y(Cut::Strong, y, y + high), off ? kMuted : kText,
           Line<16>(whole ? "%.0f" : "%.0f %%", static_cast<double>(wanted * steps)));
  if (beside == nullptr) return y + high + pen.px(12);
  draw_stops(controller, *beside, {controller.x1 - wide, y, controller.x1, y + high});
  return setting_note(controller, left, y + high + pen.px(2), beside->control.note) + pen.px(9);
}

// The controls of a page, by the rows of frame::kSettings.
float draw_page(const SettingsController& controller, frame::SettingsPage page, float y) {
  for (const bool last : {false, true}) {
    for (std::size_t i = 0; i < frame::kSettings.size(); ++i) {
      const SettingRow& row = frame::kSettings[i];
      if (row.control.label == nullptr || row.control.page != page || row.control.last != last) continue;
      const SettingRow* next = i + 1 < frame::kSettings.size() ? &frame::kSettings[i + 1] : nullptr;
      if (row.control.scales_text) {
        y = text_size(controller, row, y);
      } else if (stops_of(row).empty()) {
        y = slider_of(controller, row, next != nullptr && next->control.beside ? next : nullptr, y);
      } else {
        y = choice(controller, row, y);
      }
    }
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
      case SettingsPage::Picture:
      case SettingsPage::Sound:
        end = draw_page(controller, settings.page, end);
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
