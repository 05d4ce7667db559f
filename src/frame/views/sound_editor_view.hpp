#pragma once
// What the sound editor shows, and what it asks for.
#include <span>
#include <string_view>

#include "frame/defs/sound_def.hpp"
#include "frame/defs/sound_id.hpp"

namespace spellpool::frame {

struct SoundEditorView {
  bool open = false;
  SoundId sound{};
  const SoundDef* def = nullptr;      ///< As it is played now. What was asked for in one frame is here in the next.
  const SoundDef* filed = nullptr;    ///< As its file has it; null: not known.
  bool dirty = false;                 ///< The two differ.
  bool recorded = false;              ///< It comes from a file of samples: nothing of its sound can be edited.
  std::span<const float> left, right; ///< The rendered samples.
  u32 sample_rate_hz = 0;
  std::string_view message;           ///< One line: why it is not played or not saved; "".
};

/// What the sound editor, or a row of the voice panel, asks for in a frame.
struct SoundEditorRequests {
  bool select = false;                ///< Show `sound`; opens the editor.
  SoundId sound{};                    ///< What all of this is about.
  const SoundDef* changed = nullptr;  ///< Play it like this from now on. It stays the panel's until the next frame.
  bool play = false, revert = false, save = false;
  bool any() const { return select || changed != nullptr || play || revert || save; }
};

}  // namespace spellpool::frame
