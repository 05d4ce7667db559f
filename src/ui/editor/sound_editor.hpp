#pragma once
// The sound editor: a working copy of one sound, its waveform, and the steps that undo and redo. The panel changes the
// copy and the app plays it at once; what the app then shows comes back in the next frame and is known again by its
// content. Anything else there (a file that changed on disk) is taken over as a step that can be undone.
//
// Memory  allocates while edited; nothing while it is closed.
#include <vector>

#include "frame/views/panel_model.hpp"

namespace spellpool::ui {

class Pen;
struct Rect;
struct UiState;

struct SoundStep {
  frame::SoundId sound{};
  frame::SoundDef before, after;
};

struct SoundEditor {
  static constexpr std::size_t kMostSteps = 200;

  frame::SoundDef working, known;  ///< What is edited; what the app showed last.
  frame::SoundId sound{};
  bool loaded = false;             ///< Both are filled.
  std::vector<SoundStep> past, future;
  std::size_t part = 0;            ///< 0: the sound itself; then its tones, then its noises.
  bool aloud = true;               ///< Each change is played when the mouse lets go.
  bool unheard = false;            ///< A change waits for that.
  bool gesture = false;            ///< A drag has its step already.
  bool changed = false;            ///< In this frame.

  /// Before the first change of a step. `drag`: the mouse is held, and all until it is let go is one step.
  void begin_step(bool drag);
  bool undo();
  bool redo();
};

/// Takes over what the model shows now.
void follow_sound(const frame::SoundEditorView& view, SoundEditor& editor);
void draw_sound_editor(const Rect& box, const frame::PanelModel& model, UiState& state, const Pen& pen,
                       frame::PanelRequests& requests);

}  // namespace spellpool::ui
