#pragma once
#include <string>

#include "app/play/game.hpp"

namespace spellpool::app {

/// Interactive games of a build with assertions keep their inputs from the start, so that a note can be left.
#if !defined(NDEBUG) || defined(SPELLPOOL_ASSERTS)
inline constexpr bool kKeepsInputs = true;
#else
inline constexpr bool kKeepsInputs = false;
#endif

/// While it lives, a game that ends by a failed assertion leaves what was pressed, from its start to the step that
/// failed: recordings/crash.replay, and crash.txt with the step, the last keyframe's and the command that plays it.
/// Without a recorded replay there is nothing to leave.
class CrashNote {
 public:
  /// The game outlives the note. One at a time.
  explicit CrashNote(const Game& game);
  ~CrashNote();
  CrashNote(const CrashNote&) = delete;
  CrashNote& operator=(const CrashNote&) = delete;

 private:
  static void write(void* self);

  const Game& game_;
  std::string recordings_;  // "" if there is no such folder
};

}  // namespace spellpool::app
