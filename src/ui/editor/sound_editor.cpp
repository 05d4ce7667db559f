#include "ui/editor/sound_editor.hpp"

#include <algorithm>
#include <cmath>

#include "frame/defs/sound_keys.hpp"
#include "ui/kit/fields.hpp"
#include "ui/kit/parts.hpp"
#include "ui/kit/sheet.hpp"

namespace spellpool::ui {
namespace {

using frame::Action;
using frame::NoiseDef;
using frame::PanelRequests;
using frame::SoundDef;
using frame::ToneDef;

// What a slider spans; what may be typed beside it is what a file may say.
template <class Owner>
struct SoundNumberRow {
  std::string_view label;
  float Owner::*member;
  Scale slider;
};
constexpr std::array kSoundRows = {
    SoundNumberRow<SoundDef>{"length, s", &SoundDef::length_s, {0.05f, 4, 2}},
    SoundNumberRow<SoundDef>{"peak", &SoundDef::peak, {0.001f, 1, 1}},
    SoundNumberRow<SoundDef>{"width", &SoundDef::width, {0, 1, 1}},
};
constexpr std::array kToneRows = {
    SoundNumberRow<ToneDef>{"amplitude", &ToneDef::amplitude, {0, 1, 1}},
    SoundNumberRow<ToneDef>{"pan", &ToneDef::pan, {-1, 1, 1}},
    SoundNumberRow<ToneDef>{"semitones", &ToneDef::semitones, {-36, 36, 1}},
    SoundNumberRow<ToneDef>{"partial", &ToneDef::partial, {0.25f, 8, 1.6f}},
    SoundNumberRow<ToneDef>{"start, s", &ToneDef::start_s, {0, 2, 2}},
    SoundNumberRow<ToneDef>{"attack, s", &ToneDef::attack_s, {0, 2, 2.5f}},
    SoundNumberRow<ToneDef>{"hold, s", &ToneDef::hold_s, {0, 2, 2}},
    SoundNumberRow<ToneDef>{"decay, s", &ToneDef::decay_s, {0.005f, 4, 2}},
    SoundNumberRow<ToneDef>{"glide", &ToneDef::glide_semitones, {-24, 24, 1.5f}},
    SoundNumberRow<ToneDef>{"glide, s", &ToneDef::glide_s, {0, 2, 2}},
    SoundNumberRow<ToneDef>{"FM ratio", &ToneDef::fm_ratio, {0.25f, 12, 1.6f}},
    SoundNumberRow<ToneDef>{"FM index", &ToneDef::fm_index, {0, 12, 1.8f}},
    SoundNumberRow<ToneDef>{"tremolo, Hz", &ToneDef::tremolo_hz, {0, 20, 1.5f}},
    SoundNumberRow<ToneDef>{"tremolo", &ToneDef::tremolo_depth, {0, 1, 1}},
};
constexpr std::array kNoiseRows = {
    SoundNumberRow<NoiseDef>{"amplitude", &NoiseDef::amplitude, {0, 1, 1}},
    SoundNumberRow<NoiseDef>{"pan", &NoiseDef::pan, {-1, 1, 1}},
    SoundNumberRow<NoiseDef>{"start, s", &NoiseDef::start_s, {0, 2, 2}},
    SoundNumberRow<NoiseDef>{"attack, s", &NoiseDef::attack_s, {0, 2, 2.5f}},
    SoundNumberRow<NoiseDef>{"hold, s", &NoiseDef::hold_s, {0, 2, 2}},
    SoundNumberRow<NoiseDef>{"decay, s", &NoiseDef::decay_s, {0.005f, 4, 2}},
    SoundNumberRow<NoiseDef>{"from, Hz", &NoiseDef::from_hz, {40, 12'000, 3}},
    SoundNumberRow<NoiseDef>{"to, Hz", &NoiseDef::to_hz, {40, 12'000, 3}},
    SoundNumberRow<NoiseDef>{"resonance", &NoiseDef::resonance, {0.5f, 8, 1.5f}},
    SoundNumberRow<NoiseDef>{"crackles/s", &NoiseDef::crackles_per_s, {0, 400, 2}},
};

/// Does not compile for a member without a key.
template <class Keys, class Owner, class Number>
constexpr NumberSpan span_of(const Keys& keys, Number Owner::*member, const Scale& slider) {
  for (const auto& key : keys) {
    // Not by get_if(): a test of an address for null is no constant expression where UBSan checks for null.
    using Member = Number Owner::*;
    if (std::holds_alternative<Member>(key.member) && std::get<Member>(key.member) == member)
      return {slider, static_cast<float>(key.low), static_cast<float>(key.high), std::is_integral_v<Number>};
  }
  throw "a number of the sound editor has no key in frame/defs/sound_keys.hpp";
}
template <class Owner, std::size_t N, class Keys>
consteval std::array<NumberSpan, N> spans_of(const std::array<SoundNumberRow<Owner>, N>& rows, const Keys& keys) {
  std::array<NumberSpan, N> spans{};
  for (std::size_t i = 0; i < N; ++i) spans[i] = span_of(keys, rows[i].member, rows[i].slider);
  return spans;
}
constexpr auto kSoundSpans = spans_of(kSoundRows, frame::kSoundKeys);
constexpr auto kToneSpans = spans_of(kToneRows, frame::kToneKeys);
constexpr auto kNoiseSpans = spans_of(kNoiseRows, frame::kNoiseKeys);
constexpr NumberSpan kDegreeSpan = span_of(frame::kSoundKeys, &SoundDef::degree, {-10, 24, 1});
constexpr NumberSpan kMostAtOnceSpan = span_of(frame::kVoiceKeys, &frame::SoundTraits::most_at_once, {0, 32, 1.5f});
constexpr NumberSpan kRetriggerSpan = span_of(frame::kVoiceKeys, &frame::SoundTraits::retrigger_ms, {0, 500, 1.5f});
// Rows beyond the tables, and lists: their indexes differ from all of those.
constexpr std::size_t kDegreeRow = 20, kMostAtOnceRow = 21, kRetriggerRow = 22;
constexpr std::size_t kGroupDrop = 40, kPriorityDrop = 41, kWaveDrop = 42, kKeptDrop = 43, kPitchDrop = 44,
                      kOwnDrop = 45;

bool sound_button(const Pen& pen, ControlKind kind, std::size_t index, const Rect& box, std::string_view words,
                  bool able, bool on = false) {
  if (able) return labelled_button(pen, kind, index, box, words, "", on);
  pen.frame(box, faded(kControlEdge, 0.6f), pen.px(6));
  pen.text_centred(Cut::Small, box, faded(kMuted, 0.5f), words);
  return false;
}

class SoundEditorPanel {
 public:
  SoundEditorPanel(const Pen& pen, const frame::PanelModel& model, UiState& state, PanelRequests& requests,
                   float panel_high, const Rect& column)
      : pen_(pen),
        model_(model),
        view_(model.sound_editor),
        state_(state),
        editor_(state.sound),
        requests_(requests),
        panel_high_(panel_high),
        x0_(column.x0),
        x1_(column.x1) {}

  float title(float y) {
    if (panel_header(pen_, {x0_, y, x1_, y + pen_.px(24)}, "Sound editor", key_label(model_, Action::SoundEditor),
                     ClosePanel::SoundEditor)) {
      requests_.ask(Action::SoundEditor);
    }
    return y + pen_.px(24) + pen_.px(6);
  }

  /// Which sound and which of its layers, the steps and the waveform. Returns where it ends.
  float head(float y) {
    y = choice(y) + pen_.px(5);
    y = steps(y) + pen_.px(6);
    y = waveform(y) + pen_.px(6);
    if (!view_.message.empty()) {
      pen_.text_wrapped(Cut::Small, x0_, y, x1_ - x0_, kYellow, view_.message);
      y += pen_.wrapped_height(Cut::Small, view_.message, x1_ - x0_) + pen_.px(5);
    }
    return can_edit() ? parts(y) + pen_.px(7) : y;
  }

  /// The numbers. Returns where they end.
  float body(float y) {
    if (!editor_.loaded) return y;
    if (view_.recorded) {
      constexpr std::string_view kWords =
          "A recording: put another file, or a recipe of this name, into assets/sounds to change it.";
      pen_.text_wrapped(Cut::Small, x0_, y, x1_ - x0_, kMuted, kWords);
      return y + pen_.wrapped_height(Cut::Small, kWords, x1_ - x0_);
    }
    const std::size_t part = std::min(editor_.part, tones() + noises());
    if (part == 0) return sound_fields(pen_, y);
    if (part <= tones()) return tone_fields(pen_, sound().tones[part - 1], y);
    return numbers(pen_, kNoiseRows, kNoiseSpans, sound().noises[part - 1 - tones()], y);
  }

 private:
  SoundDef& sound() { return editor_.working; }
  bool can_edit() const { return editor_.loaded && !view_.recorded; }
  std::size_t tones() const { return editor_.working.tones.size(); }
  std::size_t noises() const { return editor_.working.noises.size(); }

  float choice(float y) {
    const float high = pen_.px(27);
    std::array<std::string_view, frame::kSoundCount> names;
    for (std::size_t i = 0; i < names.size(); ++i) names[i] = frame::kSounds[i].name;
    const std::size_t now = std::min(static_cast<std::size_t>(view_.sound), names.size() - 1);
    const Line<48> shown(view_.dirty ? "%.*s  •" : "%.*s", static_cast<int>(names[now].size()), names[now].data());
    const int picked =
        drop_down(pen_, state_.fields, ControlKind::SoundChoice, 0, {x0_, y, x1_, y + high}, shown, names);
    if (picked >= 0 && static_cast<std::size_t>(picked) != now) {
      requests_.sound_editor.select = true;
      requests_.sound_editor.sound = static_cast<frame::SoundId>(picked);
    }
    y += high + pen_.px(3);
    const std::string_view words = frame::kSounds[now].description;
    pen_.text_wrapped(Cut::Small, x0_, y, x1_ - x0_, kMuted, words);
    return y + pen_.wrapped_height(Cut::Small, words, x1_ - x0_);
  }

  float steps(float y) {
    const float high = pen_.px(26), gap = pen_.px(5), wide = std::floor((x1_ - x0_ - gap * 4) / 5);
    const bool edits = can_edit();
    const auto box = [&](int place) {
      const float left = x0_ + static_cast<float>(place) * (wide + gap);
      return Rect{left, y, place == 4 ? x1_ : left + wide, y + high};
    };
    frame::SoundEditorRequests& asked = requests_.sound_editor;
    if (sound_button(pen_, ControlKind::SoundButton, 0, box(0), "Play", true)) asked.play = true;
    bool undoes = sound_button(pen_, ControlKind::SoundButton, 1, box(1), "Undo", edits && !editor_.past.empty());
    bool redoes = sound_button(pen_, ControlKind::SoundButton, 2, box(2), "Redo", edits && !editor_.future.empty());
    const bool reverts = sound_button(pen_, ControlKind::SoundButton, 3, box(3), "Revert",
                                      edits && view_.dirty && view_.filed != nullptr);
    bool saves = sound_button(pen_, ControlKind::SoundButton, 4, box(4), "Save", edits, view_.dirty);
    if (edits && !pen_.dry() && !model_.editor_open && !ImGui::GetIO().WantTextInput) {
      for (std::size_t i = 0; i < state_.editor.shortcut_count; ++i) {
        switch (state_.editor.shortcuts[i]) {
          case Shortcut::Save: saves = true; break;
          case Shortcut::Undo: undoes = true; break;
          case Shortcut::Redo: redoes = true; break;
        }
      }
    }
    if (undoes && editor_.undo()) show_step();
    if (redoes && editor_.redo()) show_step();
    if (reverts) {
      editor_.begin_step(false);
      editor_.working = *view_.filed;
      asked.revert = true;
    }
    asked.save = asked.save || saves;
    return y + high;
  }

  /// The step may be another sound's.
  void show_step() {
    editor_.part = std::min(editor_.part, tones() + noises());
    if (editor_.sound == view_.sound) return;
    requests_.sound_editor.select = true;
    requests_.sound_editor.sound = editor_.sound;
  }

  /// Both channels: for each pixel column, a line from the minimum sample to the maximum.
  float waveform(float y) {
    const float line = pen_.line_px(Cut::Small),
                whole = std::clamp(panel_high_ * 0.15f, pen_.px(44), pen_.px(104)), space = pen_.px(2);
    const float high = std::floor((whole - space) * 0.5f);
    std::array<std::span<const float>, 2> sides = {view_.left, view_.right};
    float peak = 0;
    for (std::size_t side = 0; side < 2; ++side) {
      const float top = y + static_cast<float>(side) * (high + space);
      const Rect box{x0_, top, x1_, top + high};
      pen_.fill(box, IM_COL32(20, 24, 40, 255), pen_.px(3));
      const float middle = std::floor(box.middle_y());
      pen_.fill({box.x0, middle, box.x1, middle + 1}, kRule);
      const std::span<const float> samples = sides[side];
      const auto columns = static_cast<std::size_t>(std::max(1.0f, box.width()));
      for (std::size_t column = 0; column < columns && !samples.empty() && !pen_.dry(); ++column) {
        const std::size_t first = samples.size() * column / columns,
                          last = std::max(first + 1, samples.size() * (column + 1) / columns);
        float low = 0, top_level = 0;
        bool any = false;
        for (std::size_t i = first; i < last && i < samples.size(); ++i) {
          const float sample = std::isfinite(samples[i]) ? samples[i] : 0.0f;
          low = any ? std::min(low, sample) : sample;
          top_level = any ? std::max(top_level, sample) : sample;
          any = true;
        }
        if (!any) continue;
        peak = std::max({peak, top_level, -low});
        const float half = box.height() * 0.5f;
        const float y0 = middle - std::clamp(top_level, -1.0f, 1.0f) * half,
                    y1 = middle - std::clamp(low, -1.0f, 1.0f) * half;
        const float x = box.x0 + static_cast<float>(column);
        pen_.fill({x, std::floor(std::min(y0, y1)), x + 1,
                   std::max(std::ceil(std::max(y0, y1)), std::floor(std::min(y0, y1)) + 1)},
                  peak >= 1.0f ? kRed
                  : side == 0  ? kBlue
                               : kAccent);
      }
    }
    y += high * 2 + space + pen_.px(2);
    const std::size_t frames = std::max(view_.left.size(), view_.right.size());
    if (frames > 0 && view_.sample_rate_hz > 0) {
      pen_.text(
          Cut::Small, x0_, y, kMuted,
          Line<48>("%.2f s, peak %.2f", static_cast<double>(frames) / view_.sample_rate_hz, static_cast<double>(peak)));
    } else {
      pen_.text(Cut::Small, x0_, y, kMuted, "not rendered");
    }
    const float wide = pen_.width(Cut::Small, "Play each change") + pen_.px(16);
    if (labelled_button(pen_, ControlKind::SoundAloud, 0, {x1_ - wide, y, x1_, y + line + pen_.px(5)},
                        "Play each change", "", editor_.aloud))
      editor_.aloud = !editor_.aloud;
    return y + line + pen_.px(5);
  }

  // The sound itself and its layers as pills, then what can be done with them.
  float parts(float y) {
    const float high = pen_.px(23), gap = pen_.px(4);
    float x = x0_;
    editor_.part = std::min(editor_.part, tones() + noises());
    for (std::size_t i = 0; i <= tones() + noises(); ++i) {
      const Line<24> name = i == 0         ? Line<24>("Sound")
                            : i <= tones() ? Line<24>("tone %zu", i)
                                           : Line<24>("noise %zu", i - tones());
      const float wide = pen_.width(Cut::Small, name) + pen_.px(14);
      if (x > x0_ && x + wide > x1_) {
        x = x0_;
        y += high + gap;
      }
      if (labelled_button(pen_, ControlKind::SoundPart, i, {x, y, x + wide, y + high}, name, "", i == editor_.part,
                          i == 0         ? kAccent
                          : i <= tones() ? kBlue
                                         : kGreen)) {
        editor_.part = i;
      }
      x += wide + gap;
    }
    y += high + pen_.px(5);
    const float quarter = std::floor((x1_ - x0_ - gap * 3) / 4);
    const auto box = [&](int place) {
      const float left = x0_ + static_cast<float>(place) * (quarter + gap);
      return Rect{left, y, place == 3 ? x1_ : left + quarter, y + high};
    };
    const bool more_tones =
        tones()<frame::kMostTones, more_noises = noises() < frame::kMostNoises, chosen = editor_.part> 0;
    if (sound_button(pen_, ControlKind::SoundAdd, 0, box(0), "+ tone", more_tones)) {
      editor_.begin_step(false);
      sound().tones.emplace_back();
      editor_.part = tones();
    }
    if (sound_button(pen_, ControlKind::SoundAdd, 1, box(1), "+ noise", more_noises)) {
      editor_.begin_step(false);
      sound().noises.emplace_back();
      editor_.part = tones() + noises();
    }
    if (sound_button(pen_, ControlKind::SoundCopy, 0, box(2), "Copy",
                     chosen && (editor_.part <= tones() ? more_tones : more_noises))) {
      editor_.begin_step(false);
      if (editor_.part <= tones()) {
        const ToneDef twin = sound().tones[editor_.part - 1];
        sound().tones.push_back(twin);
        editor_.part = tones();
      } else {
        const NoiseDef twin = sound().noises[editor_.part - 1 - tones()];
        sound().noises.push_back(twin);
        editor_.part = tones() + noises();
      }
    }
    if (sound_button(pen_, ControlKind::SoundRemove, 0, box(3), "Delete", chosen && tones() + noises() > 1)) {
      editor_.begin_step(false);
      if (editor_.part <= tones())
        sound().tones.erase(sound().tones.begin() + static_cast<std::ptrdiff_t>(editor_.part - 1));
      else sound().noises.erase(sound().noises.begin() + static_cast<std::ptrdiff_t>(editor_.part - 1 - tones()));
      editor_.part = std::min(editor_.part, tones() + noises());
    }
    return y + high;
  }

  // ------------------------------------------------------------------------------------------------ the fields
  float row_px(const Pen& pen) const { return pen.px(25); }
  Rect row_box(const Pen& pen, float y, std::string_view label) const {
    const float wide = pen.px(94);
    pen.text_within(Cut::Small, x0_, pen.centre_y(Cut::Small, y, y + row_px(pen)), wide - pen.px(4), kMuted, label);
    return {x0_ + wide, y, x1_, y + row_px(pen)};
  }

  template <class Set>
  float number(const Pen& pen, std::size_t index, std::string_view label, const NumberSpan& span, float value, float y,
               const Set& set) {
    const Edited edited = number_row(pen, state_.fields, index, row_box(pen, y, label), span, value);
    if (edited != Edited::No) {
      editor_.begin_step(edited == Edited::Held);
      set(value);
    }
    return y + row_px(pen) + pen.px(3);
  }
  template <class Owner, std::size_t N>
  float numbers(const Pen& pen, const std::array<SoundNumberRow<Owner>, N>& rows,
                const std::array<NumberSpan, N>& spans, Owner& owner, float y) {
    for (std::size_t i = 0; i < N; ++i) {
      y = number(pen, i, rows[i].label, spans[i], owner.*rows[i].member, y,
                 [&](float value) { owner.*rows[i].member = value; });
    }
    return y;
  }
  template <std::size_t N, class Set>
  float choose(const Pen& pen, std::size_t index, std::string_view label, const std::array<std::string_view, N>& names,
               std::size_t now, float y, const Set& set) {
    const Rect box = row_box(pen, y, label);
    const int picked =
        drop_down(pen, state_.fields, ControlKind::FieldDrop, index, box, names[std::min(now, N - 1)], names);
    if (picked >= 0 && static_cast<std::size_t>(picked) != now) {
      editor_.begin_step(false);
      set(static_cast<std::size_t>(picked));
    }
    return y + row_px(pen) + pen.px(3);
  }

  float sound_fields(const Pen& pen, float y) {
    SoundDef& def = sound();
    frame::SoundTraits& traits = def.traits;
    y = numbers(pen, kSoundRows, kSoundSpans, def, y);
    y = number(pen, kDegreeRow, "degree", kDegreeSpan, static_cast<float>(def.degree), y,
               [&](float value) { def.degree = static_cast<i32>(value); });
    y = choose(pen, kPitchDrop, "pitch", std::array<std::string_view, 2>{"an event may move it", "fixed"},
               def.fixed_pitch ? 1 : 0, y, [&](std::size_t picked) { def.fixed_pitch = picked == 1; });
    std::array<std::string_view, frame::kSoundGroupCount> groups;
    for (std::size_t i = 0; i < groups.size(); ++i) groups[i] = frame::kSoundGroups[i].title;
    y = choose(pen, kGroupDrop, "group", groups, static_cast<std::size_t>(traits.group), y,
               [&](std::size_t picked) { traits.group = static_cast<frame::SoundGroup>(picked); });
    y = choose(pen, kPriorityDrop, "priority",
               std::array<std::string_view, 4>{"0, stolen first", "1", "2", "3, stolen last"}, traits.priority, y,
               [&](std::size_t picked) { traits.priority = static_cast<u8>(picked); });
    y = choose(pen, kKeptDrop, "kept", std::array<std::string_view, 2>{"no", "yes: never stolen"}, traits.kept ? 1 : 0,
               y, [&](std::size_t picked) { traits.kept = picked == 1; });
    y = choose(pen, kOwnDrop, "own", std::array<std::string_view, 2>{"no", "yes: never rejected"}, traits.own ? 1 : 0,
               y, [&](std::size_t picked) { traits.own = picked == 1; });
    y = number(pen, kMostAtOnceRow, "at once", kMostAtOnceSpan, traits.most_at_once, y,
               [&](float value) { traits.most_at_once = static_cast<u16>(value); });
    return number(pen, kRetriggerRow, "merge, ms", kRetriggerSpan, traits.retrigger_ms, y,
                  [&](float value) { traits.retrigger_ms = static_cast<u16>(value); });
  }

  float tone_fields(const Pen& pen, ToneDef& tone, float y) {
    std::array<std::string_view, frame::kWaves.size()> waves;
    for (std::size_t i = 0; i < waves.size(); ++i) waves[i] = frame::kWaves[i].name;
    y = choose(pen, kWaveDrop, "wave", waves, static_cast<std::size_t>(tone.wave), y,
               [&](std::size_t picked) { tone.wave = static_cast<frame::Wave>(picked); });
    return numbers(pen, kToneRows, kToneSpans, tone, y);
  }

  const Pen& pen_;
  const frame::PanelModel& model_;
  const frame::SoundEditorView& view_;
  UiState& state_;
  SoundEditor& editor_;
  PanelRequests& requests_;
  float panel_high_;  // px
  float x0_, x1_;
};

void keep(std::vector<SoundStep>& steps, SoundStep step) {
  if (steps.size() >= SoundEditor::kMostSteps) steps.erase(steps.begin());
  steps.push_back(std::move(step));
}

}  // namespace

void SoundEditor::begin_step(bool drag) {
  changed = true;
  if (drag && gesture) return;
  gesture = drag;
  keep(past, {sound, working, working});
  future.clear();
}

bool SoundEditor::undo() {
  if (past.empty()) return false;
  future.push_back(std::move(past.back()));
  past.pop_back();
  sound = future.back().sound;
  working = future.back().before;
  changed = true;
  gesture = false;
  return true;
}

bool SoundEditor::redo() {
  if (future.empty()) return false;
  past.push_back(std::move(future.back()));
  future.pop_back();
  sound = past.back().sound;
  working = past.back().after;
  changed = true;
  gesture = false;
  return true;
}

void follow_sound(const frame::SoundEditorView& view, SoundEditor& editor) {
  if (!view.open || view.def == nullptr) {
    editor.loaded = editor.gesture = editor.unheard = false;
    return;
  }
  if (!editor.loaded || editor.sound != view.sound) {
    if (editor.sound != view.sound) editor.part = 0;
    editor.loaded = true;
    editor.gesture = editor.unheard = false;
    editor.sound = view.sound;
    editor.working = editor.known = *view.def;
    return;
  }
  if (*view.def == editor.known) return;
  editor.known = *view.def;
  if (editor.known == editor.working) return;
  // Not ours: the file says something new.
  keep(editor.past, {editor.sound, editor.working, editor.known});
  editor.future.clear();
  editor.working = editor.known;
}

void draw_sound_editor(const Rect& box, const frame::PanelModel& model, UiState& state, const Pen& outer,
                       PanelRequests& requests) {
  SoundEditor& editor = state.sound;
  editor.changed = false;
  draw_headed_panel(
      "##sound_editor", box, outer, outer.scale(),
      [&](const Pen& pen, const Rect& column) {
        return SoundEditorPanel(pen, model, state, requests, box.height(), column).title(column.y0);
      },
      [&](const Pen& pen, const Rect& column) {
        return SoundEditorPanel(pen, model, state, requests, box.height(), column).head(column.y0);
      },
      [&](const Pen& pen, const Rect& column) {
        return SoundEditorPanel(pen, model, state, requests, box.height(), column).body(column.y0);
      });
  frame::SoundEditorRequests& asked = requests.sound_editor;
  if (!asked.select) asked.sound = editor.sound;
  if (editor.changed) {
    asked.select = asked.select && asked.sound == editor.sound;  // a row that was clicked waits for the next click
    asked.sound = editor.sound;
    if (!editor.past.empty() && editor.past.back().sound == editor.sound && editor.future.empty())
      editor.past.back().after = editor.working;
    asked.changed = &editor.working;
    editor.unheard = true;
  }
  if (state.fields.any_held) return;
  editor.gesture = false;
  if (!editor.unheard) return;
  editor.unheard = false;
  asked.play = asked.play || editor.aloud;
}

}  // namespace spellpool::ui
