#include <algorithm>
#include <cmath>

#include "ui/editor/editor_parts.hpp"
#include "ui/kit/sheet.hpp"

namespace spellpool::ui {
namespace {

using frame::Action;
using frame::EmitterDef;

constexpr std::array<std::string_view, 4> kPages = {"Emit", "Move", "Look", "Chain"};

bool button(const Pen& pen, ControlKind kind, std::size_t index, const Rect& box, std::string_view words, bool able,
            bool on = false) {
  if (able) return labelled_button(pen, kind, index, box, words, "", on);
  pen.frame(box, faded(kControlEdge, 0.6f), pen.px(6));
  pen.text_centred(Cut::Small, box, faded(kMuted, 0.5f), words);
  return false;
}

void select(Editor& editor, int emitter) {
  if (editor.emitter == emitter) return;
  editor.emitter = emitter;
  editor.point = -1;
  editor.stop = 0;
}

// A role that no emitter of the spell has yet, beginning with `wanted`; "" if all are taken.
std::string_view free_role(const frame::SpellDef& spell, std::string_view wanted) {
  const auto taken = [&spell](std::string_view name) {
    return std::any_of(spell.emitters.begin(), spell.emitters.end(),
                       [name](const EmitterDef& each) { return each.name == name; });
  };
  if (!wanted.empty() && !taken(wanted)) return wanted;
  for (std::string_view name : frame::kEmitterRoleNames) {
    if (!taken(name)) return name;
  }
  return {};
}

class EditorPanel {
 public:
  EditorPanel(const Pen& pen, const frame::PanelModel& model, UiState& state, frame::PanelRequests& requests,
              const Rect& column)
      : pen_(pen),
        model_(model),
        state_(state),
        editor_(state.editor),
        requests_(requests),
        x0_(column.x0),
        x1_(column.x1) {}

  float title(float y) {
    if (panel_header(pen_, {x0_, y, x1_, y + pen_.px(24)}, "Spell editor", key_label(model_, Action::Editor),
                     ClosePanel::Editor)) {
      requests_.ask(Action::Editor);
    }
    return y + pen_.px(24) + pen_.px(8);
  }

  /// Which spell and which of its emitters, and the steps. Returns where it ends.
  float head(float y) {
    y = spell_row(y) + pen_.px(6);
    y = step_row(y) + pen_.px(8);
    y = emitters(y) + pen_.px(8);
    return editor_.current_emitter() == nullptr ? y : pages(y) + pen_.px(8);
  }

  /// The numbers. Returns where they end.
  float body(float y) {
    const EditorController controller{pen_, editor_, state_.fields, model_, x0_, x1_};
    EmitterDef* emitter = editor_.current_emitter();
    if (emitter == nullptr) return draw_spell_fields(controller, y);
    y = draw_emitter_fields(controller, *emitter, editor_.page, y);
    if (editor_.page != EditorPage::Look) return y;
    y = draw_curve(controller, emitter->size_curve, 0, "size over life", y) + pen_.px(4);
    y = draw_curve(controller, emitter->speed_curve, 1, "speed over life", y) + pen_.px(4);
    return draw_gradient(controller, emitter->colour_curve, y);
  }

 private:
  float spell_row(float y) {
    const float high = pen_.px(28);
    std::array<std::string_view, frame::kSpellCount> titles;
    for (std::size_t i = 0; i < titles.size(); ++i)
      titles[i] = editor_.working[i].title.empty() ? frame::kSpellFiles[i] : std::string_view(editor_.working[i].title);
    const Rect box{x0_ + pen_.px(34), y, x1_, y + high};
    draw_spell_icon(pen_, editor_.spell, ImVec2(x0_ + pen_.px(14), box.middle_y()), pen_.px(10),
                    spell_colour(model_, editor_.spell));
    const bool dirty = editor_.dirty(editor_.spell);
    const Line<96> shown(dirty ? "%.*s  •" : "%.*s",
                         static_cast<int>(std::min<std::size_t>(80, titles[editor_.spell].size())),
                         titles[editor_.spell].data());
    const int picked = drop_down(pen_, state_.fields, ControlKind::EditorSpell, 0, box, shown, titles);
    if (picked >= 0 && picked != editor_.spell) {
      editor_.spell = static_cast<u8>(picked);
      select(editor_, std::min(editor_.emitter, static_cast<int>(editor_.current().emitters.size()) - 1));
      // The player's hand follows, so that a cast shows it.
      requests_.ask(frame::spell_action(static_cast<std::size_t>(picked)));
    }
    return box.y1;
  }

  float step_row(float y) {
    const float high = pen_.px(26), gap = pen_.px(6), third = std::floor((x1_ - x0_ - gap * 2) / 3);
    const bool dirty = editor_.dirty(editor_.spell);
    const Rect undo{x0_, y, x0_ + third, y + high}, redo{undo.x1 + gap, y, undo.x1 + gap + third, y + high},
        save{redo.x1 + gap, y, x1_, y + high};
    const bool undoes = button(pen_, ControlKind::EditorUndo, 0, undo, "Undo  Ctrl+Z", !editor_.past.empty());
    const bool redoes = button(pen_, ControlKind::EditorRedo, 0, redo, "Redo  Ctrl+Y", !editor_.future.empty());
    editor_.save = button(pen_, ControlKind::EditorSave, 0, save, "Save  Ctrl+S", true, dirty);
    const bool hears = !pen_.dry() && !ImGui::GetIO().WantTextInput;
    for (std::size_t i = 0; i < editor_.shortcut_count && hears; ++i) {
      switch (editor_.shortcuts[i]) {
        case Shortcut::Save: editor_.save = true; break;
        case Shortcut::Undo: editor_.undo(); break;
        case Shortcut::Redo: editor_.redo(); break;
      }
    }
    if (undoes) editor_.undo();
    if (redoes) editor_.redo();
    y += high + pen_.px(5);
    const Line<96> hint("Hold %.*s: it casts again and again, with every change.",
                        static_cast<int>(std::min<std::size_t>(20, key_label(model_, Action::RapidCast).size())),
                        key_label(model_, Action::RapidCast).data());
    pen_.text_wrapped(Cut::Small, x0_, y, x1_ - x0_, kMuted, hint);
    return y + pen_.wrapped_height(Cut::Small, hint, x1_ - x0_);
  }

  // The spell itself and its emitters as pills, as many lines as they need; then what can be done with them.
  float emitters(float y) {
    const float high = pen_.px(24), gap = pen_.px(4);
    float x = x0_;
    frame::SpellDef& spell = editor_.current();
    if (editor_.emitter >= static_cast<int>(spell.emitters.size()))
      select(editor_, static_cast<int>(spell.emitters.size()) - 1);
    for (int i = -1; i < static_cast<int>(spell.emitters.size()); ++i) {
      const std::string_view name =
          i < 0 ? std::string_view("Spell") : std::string_view(spell.emitters[static_cast<std::size_t>(i)].name);
      const float wide = std::min(x1_ - x0_, pen_.width(Cut::Small, name) + pen_.px(16));
      if (x > x0_ && x + wide > x1_) {
        x = x0_;
        y += high + gap;
      }
      if (labelled_button(pen_, ControlKind::EditorPart, static_cast<std::size_t>(i + 1), {x, y, x + wide, y + high},
                          name, "", i == editor_.emitter, i < 0 ? kAccent : kBlue)) {
        select(editor_, i);
      }
      x += wide + gap;
    }
    y += high + pen_.px(6);
    const float third = std::floor((x1_ - x0_ - gap * 2) / 3);
    const bool room = spell.emitters.size() < frame::kMaxEmitters;
    // Added by its role.
    std::array<std::string_view, frame::kEmitterRoleNames.size()> roles;
    std::size_t count = 0;
    for (std::string_view name : frame::kEmitterRoleNames) {
      if (free_role(spell, name) == name) roles[count++] = name;
    }
    const Rect add{x0_, y, x0_ + third, y + high}, copy{add.x1 + gap, y, add.x1 + gap + third, y + high},
        remove{copy.x1 + gap, y, x1_, y + high};
    const int picked =
        drop_down(pen_, state_.fields, ControlKind::EditorAdd, 0, add, "Add", {roles.data(), room ? count : 0});
    if (picked >= 0 && room) {
      editor_.begin_step(false);
      EmitterDef fresh;
      fresh.name = std::string(roles[static_cast<std::size_t>(picked)]);
      fresh.burst = 20;
      fresh.speed = {20, 120};
      spell.emitters.push_back(fresh);
      select(editor_, static_cast<int>(spell.emitters.size()) - 1);
    }
    const bool chosen = editor_.current_emitter() != nullptr;
    if (button(pen_, ControlKind::EditorCopy, 0, copy, "Copy", chosen && room && count > 0)) {
      editor_.begin_step(false);
      EmitterDef twin = *editor_.current_emitter();
      twin.name = std::string(free_role(spell, {}));
      spell.emitters.push_back(twin);
      select(editor_, static_cast<int>(spell.emitters.size()) - 1);
    }
    if (button(pen_, ControlKind::EditorRemove, 0, remove, "Delete", chosen && spell.emitters.size() > 1)) {
      editor_.begin_step(false);
      const std::string gone = editor_.current_emitter()->name;
      spell.emitters.erase(spell.emitters.begin() + editor_.emitter);
      for (EmitterDef& each : spell.emitters) {
        for (std::string* link : {&each.on_birth, &each.on_death, &each.on_hit, &each.trail}) {
          if (*link == gone) link->clear();
        }
      }
      select(editor_, editor_.emitter - 1);
    }
    return y + high;
  }

  float pages(float y) {
    const Rect row{x0_, y, x1_, y + pen_.px(26)};
    const int picked = segments(pen_, ControlKind::EditorPage, 0, row, kPages, static_cast<std::size_t>(editor_.page));
    if (picked >= 0) editor_.page = static_cast<EditorPage>(picked);
    return row.y1;
  }

  const Pen& pen_;
  const frame::PanelModel& model_;
  UiState& state_;
  Editor& editor_;
  frame::PanelRequests& requests_;
  float x0_, x1_;
};

}  // namespace

void draw_editor(const Rect& box, const frame::PanelModel& model, UiState& state, const Pen& outer,
                 frame::PanelRequests& requests) {
  Editor& editor = state.editor;
  editor.changed = editor.save = false;
  draw_headed_panel(
      "##editor", box, outer, outer.scale(),
      [&](const Pen& pen, const Rect& column) {
        return EditorPanel(pen, model, state, requests, column).title(column.y0);
      },
      [&](const Pen& pen, const Rect& column) {
        return EditorPanel(pen, model, state, requests, column).head(column.y0);
      },
      [&](const Pen& pen, const Rect& column) {
        return EditorPanel(pen, model, state, requests, column).body(column.y0);
      });
  if (!state.fields.any_held) editor.gesture = false;
  if (!editor.changed && !editor.save) return;
  requests.edited = &editor.current();
  requests.edited_spell = editor.spell;
  const u64 content = content_hash(editor.current());
  editor.sent[editor.next_sent] = content;
  editor.next_sent = (editor.next_sent + 1) % editor.sent.size();
  requests.save_spell = editor.save;
}

}  // namespace spellpool::ui
