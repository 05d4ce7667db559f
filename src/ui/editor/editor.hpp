#pragma once
// The spell editor's memory: a working copy of every spell, and the steps that undo and redo. The panel changes the
// copy and the app plays it at once; what the app then shows in PanelModel::spells comes back here and is known again
// by its content. Anything else there (a file that changed on disk) is taken over as a step that can be undone.
//
// Cost    a step keeps a whole spell, about 10 KB; kMostSteps of them at most.
// Memory  allocates while edited; nothing while it is closed, apart from the first look at each new spell.
#include <array>
#include <vector>

#include "frame/defs/spell_def.hpp"
#include "frame/views/panel_model.hpp"
#include "ui/kit/srgb.hpp"

namespace spellpool::ui {

/// A number that tells two spells apart by what a file would say: colours by their bytes, other numbers to five digits.
u64 content_hash(const frame::SpellDef& spell);

struct EditStep {
  u8 spell = 0;
  frame::SpellDef before;
};

enum class EditorPage : u8 { Emit, Move, Look, Chain };

/// The action of Ctrl with a letter. The app passes it from its key events: Dear ImGui samples keys once a
/// frame and misses a press that is shorter.
enum class Shortcut : u8 { Save, Undo, Redo };

struct Editor {
  static constexpr std::size_t kMostSteps = 200;

  std::array<frame::SpellDef, frame::kSpellCount> working;
  std::array<const frame::SpellDef*, frame::kSpellCount> known{};  ///< Seen last in the model, by address only.
  std::array<const frame::SpellDef*, frame::kSpellCount> known_filed{};
  std::array<bool, frame::kSpellCount> loaded{};                   ///< `working` and `saved` are filled.
  std::array<u64, frame::kSpellCount> saved{};                     ///< Content that the file has.
  std::array<u64, 64> sent{};                                      ///< Contents that the app was given last.
  std::size_t next_sent = 0;
  std::vector<EditStep> past, future;
  std::array<Shortcut, 8> shortcuts{};  ///< Of this frame, in order.
  std::size_t shortcut_count = 0;

  u8 spell = 0;
  u8 seen_selected = 255;
  int emitter = -1;  ///< −1: the spell's own numbers.
  EditorPage page = EditorPage::Emit;
  bool was_open = false;
  bool gesture = false;  ///< A drag has its step already.
  bool changed = false;  ///< In this frame.
  bool save = false;     ///< In this frame.
  int curve = 0;         ///< Whose point is chosen: 0 size, 1 speed.
  int point = -1;
  int stop = 0;  ///< Of the colours.
  Hsv picked;    ///< Keeps the hue while a colour is grey.

  frame::SpellDef& current() { return working[spell]; }
  const frame::SpellDef& current() const { return working[spell]; }
  /// Null on the spell's own page.
  frame::EmitterDef* current_emitter();
  bool dirty(std::size_t which) const { return content_hash(working[which]) != saved[which]; }

  /// Before the first change of a step. `drag`: the mouse is held, and all until it is let go is one step.
  void begin_step(bool drag);
  bool undo();
  bool redo();
  void keep(std::vector<EditStep>& steps, EditStep step);
};

/// The player pressed it. The next frame applies it if the editor is open and no text field has the
/// keyboard.
void press_shortcut(Editor& editor, Shortcut shortcut);

/// True if particles of `from` lead to the emitter `to` by birth, death, bounce or trail; then `to` may not lead to
/// `from`.
bool leads_to(const frame::SpellDef& spell, std::string_view from, std::string_view to);

/// Takes over what the model shows now.
void follow_spells(const frame::PanelModel& model, Editor& editor);

}  // namespace spellpool::ui
