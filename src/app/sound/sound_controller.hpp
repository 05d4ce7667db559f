#pragma once
#include <optional>
#include <string>

#include "app/library/sound_library.hpp"
#include "frame/audio_event.hpp"
#include "frame/views/panel_model.hpp"

namespace spellpool::app {

/// What a click in a panel sounds like; in the middle, so that neither side is louder.
frame::AudioEvent panel_sound(frame::PanelSound sound);

/// The sound editor's other side, on the game's thread: what it asks for goes to the library and the mixer, what it
/// shows comes from there.
class SoundController {
 public:
  /// The library outlives the controller.
  explicit SoundController(SoundLibrary& library) : library_(library) {}

  /// What the panels asked for. A sound that was changed is played as soon as it has been rendered. True if a sound was
  /// selected: the editor is to open.
  bool take(const frame::SoundEditorRequests& requests);
  /// Once a frame, after SoundLibrary::update() and Mixer::set_bank(). The sound to start now, if any.
  std::optional<frame::AudioEvent> update();
  /// Good until the next call of any of these, or of the library's.
  frame::SoundEditorView view(bool open, const audio::SoundBank& bank) const;

 private:
  SoundLibrary& library_;
  frame::SoundId sound_{};
  bool to_play_ = false;
  std::string message_;  ///< Why the last change is not played.
};

}  // namespace spellpool::app
