#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>

#include "ui/panels/settings_parts.hpp"

namespace spellpool::ui {
namespace {

using frame::Action;
using frame::Hotkey;
using frame::kActionCount;
using frame::kHotkeys;
using Bindings = std::array<frame::KeyBinding, kActionCount>;

std::string& part_of(frame::KeyBinding& binding, bool pad) { return pad ? binding.pad : binding.key; }
const std::string& part_of(const frame::KeyBinding& binding, bool pad) { return pad ? binding.pad : binding.key; }

// Another action of the same scene that has the same key or button; kActionCount if none.
std::size_t clash(const Bindings& bindings, std::size_t row, bool pad) {
  const std::string& mine = part_of(bindings[row], pad);
  for (std::size_t i = 0; i < kActionCount && !mine.empty(); ++i) {
    if (i != row && part_of(bindings[i], pad) == mine && meet(kHotkeys[i].scenes, kHotkeys[row].scenes)) return i;
  }
  return kActionCount;
}

Line<64> title_of(std::size_t row) {
  Line<64> words("%.*s", static_cast<int>(std::min<std::size_t>(60, kHotkeys[row].name.size())),
                 kHotkeys[row].name.data());
  std::array<char, 64> shown{};
  std::snprintf(shown.data(), shown.size(), "%s", words.c_str());
  for (char& letter : shown) letter = letter == '_' ? ' ' : letter;
  if (shown[0] >= 'a' && shown[0] <= 'z') shown[0] = static_cast<char>(shown[0] - 'a' + 'A');
  return Line<64>("%s", shown.data());
}

// Binds `value` to the row. In each scene, a row that had `value` gets the row's old binding. Returns the
// first such row, or kActionCount.
std::size_t give(Bindings& bindings, std::size_t row, bool pad, std::string_view value) {
  std::string& mine = part_of(bindings[row], pad);
  if (mine == value) return kActionCount;
  const std::string before = mine;
  mine = std::string(value);
  const std::size_t first = clash(bindings, row, pad);
  for (std::size_t other = first; other < kActionCount; other = clash(bindings, row, pad)) {
    part_of(bindings[other], pad) = before;
  }
  return first;
}

void tell(SettingsState& state, std::size_t row, bool pad, std::size_t other) {
  const auto words = [&](std::size_t which) {
    const std::string& name = part_of(state.copy.bindings[which], pad);
    return pad ? pad_words(name) : Line<32>("%.*s", static_cast<int>(key_words(name).size()), key_words(name).data());
  };
  if (other < kActionCount) {
    const Line<32> left = words(other);
    std::snprintf(state.note.data(), state.note.size(), "%s: %s. It was taken: %s now has %s.", title_of(row).c_str(),
                  words(row).c_str(), title_of(other).c_str(), left.c_str()[0] != 0 ? left.c_str() : "none");
  } else {
    std::snprintf(state.note.data(), state.note.size(), "%s: %s.", title_of(row).c_str(), words(row).c_str());
  }
}

// The button that shows a binding and waits for another.
void binding_button(const SettingsController& controller, std::size_t row, bool pad, const Rect& box) {
  const Pen& pen = controller.pen;
  SettingsState& state = controller.state;
  const bool waits = state.listening && static_cast<std::size_t>(state.row) == row && state.for_pad == pad;
  const std::string& name = part_of(state.copy.bindings[row], pad);
  const Press press = press_area(pen, pad ? ControlKind::BindPad : ControlKind::BindKey, row, box);
  const bool clashes = clash(state.copy.bindings, row, pad) < kActionCount;
  pen.fill(box, waits ? faded(kAccent, 0.3f) : press.hovered ? kControlHot : kControl, pen.px(6));
  pen.frame(box, waits ? kAccent : clashes ? kYellow : kControlEdge, pen.px(6));
  const Line<32> words = waits          ? Line<32>("press…")
                         : name.empty() ? Line<32>("–")
                         : pad          ? pad_words(name)
                               : Line<32>("%.*s", static_cast<int>(std::min<std::size_t>(28, key_words(name).size())),
                                          key_words(name).data());
  pen.text_centred(Cut::Small, {box.x0 + pen.px(3), box.y0, box.x1 - pen.px(3), box.y1},
                   waits || !name.empty() ? kText : kMuted, words);
  if (!press.pressed) return;
  state.listening = !waits;
  state.for_pad = pad;
  state.row = static_cast<Action>(row);
  state.note[0] = 0;
}

}  // namespace

Line<64> action_title(const frame::PanelModel& model, Action action) {
  const auto row = static_cast<std::size_t>(action);
  const auto spell = row - static_cast<std::size_t>(Action::Spell1);
  if (spell < frame::kSpellCount && !model.spell_titles[spell].empty()) {
    return Line<64>("%.*s", static_cast<int>(std::min<std::size_t>(60, model.spell_titles[spell].size())),
                    model.spell_titles[spell].data());
  }
  switch (action) {
    case Action::ToggleStrategy:
      return Line<64>("Switch the pools");
    case Action::NextStrategy:
      return Line<64>("Next strategy");
    case Action::NextPolicy:
      return Line<64>("When full");
    case Action::LoadDown:
      return Line<64>("Fewer sparks");
    case Action::LoadUp:
      return Line<64>("More sparks");
    case Action::Churn:
      return Line<64>("Churn");
    case Action::HeapAge:
      return Line<64>("Aged heap");
    case Action::CapacityDown:
      return Line<64>("Half the capacity");
    case Action::CapacityUp:
      return Line<64>("Twice the capacity");
    case Action::Record:
      return Line<64>(model.recording ? "Stop recording" : "Record");
    case Action::QuickAb:
      return Line<64>("Quick A/B");
    case Action::SideBySide:
      return Line<64>("Side by side");
    case Action::Lab:
      return Line<64>("Comparison lab");
    case Action::Stress:
      return Line<64>("How many bullets?");
    case Action::Pause:
      return Line<64>(model.paused ? "Go on" : "Pause");
    case Action::SingleStep:
      return Line<64>("One step");
    case Action::HudLevel:
      return Line<64>("Next HUD level");
    case Action::Editor:
      return Line<64>("Spell editor");
    case Action::Challenge:
      return Line<64>("Challenge, 60 s");
    case Action::Mute:
      return Line<64>(model.muted ? "Sound on" : "Sound off");
    case Action::DrawPath:
      return Line<64>("Change who draws");
    case Action::Screenshot:
      return Line<64>("Save a picture");
    case Action::ReloadSpells:
      return Line<64>("Reload the files");
    case Action::Quit:
      return Line<64>("Close or quit");
    default:
      return title_of(row);
  }
}

bool action_is_on(const frame::PanelModel& model, Action action) {
  switch (action) {
    case Action::Record:
      return model.recording;
    case Action::Pause:
      return model.paused;
    case Action::SlowMotion:
      return model.slow_motion;
    case Action::PoolPanel:
      return model.pool_panel;
    case Action::Graph:
      return model.graph;
    case Action::Voices:
      return model.voices_open;
    case Action::Lab:
      return model.lab.open;
    case Action::SoundEditor:
      return model.sound_editor.open;
    case Action::Editor:
      return model.editor_open;
    case Action::Settings:
      return model.settings_open;
    case Action::Mute:
      return model.muted;
    case Action::Fullscreen:
      return model.fullscreen;
    case Action::Challenge:
      return model.challenge.phase != frame::ChallengeView::Phase::Free;
    default: {
      const auto spell = static_cast<std::size_t>(action) - static_cast<std::size_t>(Action::Spell1);
      return spell < frame::kSpellCount && spell == model.selected_spell;
    }
  }
}

float draw_key_table(const SettingsController& controller, float y) {
  const Pen& pen = controller.pen;
  SettingsState& state = controller.state;
  const float high = pen.px(28), gap = pen.px(6);
  const float reset = pen.px(72), pad = pen.px(132), key = pen.px(96);
  const Rect all{controller.x1 - reset - gap - pad, y, controller.x1, y + high};
  if (labelled_button(pen, ControlKind::BindDefault, kActionCount, all, "Default for all", "", false)) {
    state.copy.bindings = frame::Settings::default_bindings();
    state.listening = false;
    controller.changed = true;
    std::snprintf(state.note.data(), state.note.size(), "All keys and buttons are as they were at first.");
  }
  const Line<200> words =
      state.listening
          ? Line<200>("%s: press a %s… Esc keeps it.", title_of(static_cast<std::size_t>(state.row)).c_str(),
                      state.for_pad ? "gamepad button, with the left trigger held for a second set" : "key")
      : state.note[0] != 0
          ? Line<200>("%s", state.note.data())
          : Line<200>("Click a key or a button, then press the new one. If it is taken, the two change places.");
  const float note_room = all.x0 - gap * 2 - controller.x0;
  const float note_high = pen.wrapped_height(Cut::Small, words, note_room);
  pen.text_wrapped(Cut::Small, controller.x0, y + std::max(0.0f, std::floor((high - note_high) * 0.5f)), note_room,
                   state.listening || state.note[0] != 0 ? kText : kMuted, words);
  y += std::max(high, note_high) + gap;

  const Rect reset_at{controller.x1 - reset, 0, controller.x1, 0},
      pad_at{reset_at.x0 - gap - pad, 0, reset_at.x0 - gap, 0};
  const Rect key_at{pad_at.x0 - gap - key, 0, pad_at.x0 - gap, 0};
  const float text_room = key_at.x0 - gap * 2 - controller.x0;
  std::string_view group;
  for (const Hotkey& hotkey : kHotkeys) {
    const auto row = static_cast<std::size_t>(hotkey.id);
    if (hotkey.group != group) {
      group = hotkey.group;
      y += pen.px(4);
      pen.text(Cut::Strong, controller.x0, y, kAccent, group);
      if (row == 0) {
        pen.text(Cut::Small, key_at.x0, y + pen.px(2), kMuted, "key");
        pen.text(Cut::Small, pad_at.x0, y + pen.px(2), kMuted, "gamepad");
      }
      y += pen.line_px(Cut::Strong) + pen.px(4);
    }
    const float text_high = pen.wrapped_height(Cut::Small, hotkey.description, text_room);
    const float tall = std::max(pen.px(26), text_high);
    pen.text_wrapped(Cut::Small, controller.x0, y + std::floor((tall - text_high) * 0.5f), text_room, kText,
                     hotkey.description);
    const float top = y + std::floor((tall - pen.px(26)) * 0.5f), bottom = top + pen.px(26);
    binding_button(controller, row, false, {key_at.x0, top, key_at.x1, bottom});
    binding_button(controller, row, true, {pad_at.x0, top, pad_at.x1, bottom});
    frame::KeyBinding& mine = state.copy.bindings[row];
    const Rect back{reset_at.x0, top, reset_at.x1, bottom};
    if (mine.key == hotkey.key && mine.pad == hotkey.pad) {
      pen.text_centred(Cut::Small, back, faded(kMuted, 0.45f), "default");
    } else if (labelled_button(pen, ControlKind::BindDefault, row, back, "Default", "", false)) {
      std::size_t other = give(state.copy.bindings, row, false, hotkey.key);
      const std::size_t other_pad = give(state.copy.bindings, row, true, hotkey.pad);
      tell(state, row, other == kActionCount && other_pad < kActionCount, other < kActionCount ? other : other_pad);
      state.listening = false;
      controller.changed = true;
    }
    y += tall + pen.px(4);
  }
  return y;
}

void bind_heard(UiState& all, std::string_view key, std::string_view pad) {
  SettingsState& state = all.settings;
  if (!state.listening) return;
  const bool keeps = key == "Escape";
  const std::string_view heard = state.for_pad ? pad : key;
  if (!keeps && heard.empty()) return;  // The wrong kind of device: keep waiting.
  state.listening = false;
  if (keeps) return;
  const auto row = static_cast<std::size_t>(state.row);
  const std::size_t other = give(state.copy.bindings, row, state.for_pad, heard);
  tell(state, row, state.for_pad, other);
  state.changed = true;
}

}  // namespace spellpool::ui
