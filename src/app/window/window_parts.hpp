#pragma once
// What the modes of the window share. Each part has one job; a mode connects them.
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "app/attempt.hpp"
#include "app/play/game.hpp"
#include "app/play/hud.hpp"
#include "app/pools/memory_lab.hpp"
#include "app/scene_hooks.hpp"
#include "app/shell/content_files.hpp"
#include "app/shell/game_audio.hpp"
#include "app/shell/input_latch.hpp"
#include "app/shell/persistence.hpp"
#include "app/shell/shell.hpp"
#include "app/window/frame_drawing.hpp"
#include "app/window/game_actions.hpp"
#include "app/window/lab_controller.hpp"
#include "app/window/mode.hpp"
#include "app/window/rewind.hpp"
#include "core/fixed_step.hpp"

namespace spellpool::app {

/// How far the game's own world is, and what is shown of it.
struct Playback {
  FixedStep clock;
  i64 last_ns = 0;           ///< When the last frame began.
  float alpha = 1;           ///< Between the last two steps.
  const frame::RenderSnapshot* snapshot = nullptr;
  bool stale = false;        ///< A step, or other looks, made the snapshot invalid.
  bool stepped = false;      ///< The frame had exactly one step.
  bool single_step = false;  ///< One step was asked for.
  bool idle = false;         ///< It waits because the window lost the focus.
  bool was_paused = false;   ///< In the frame before.
  bool prewarmed = false;    ///< All slots of its pools are ready.

  /// Time between the last frame and `now_ns` is not the game's.
  void skip_to(i64 now_ns) { last_ns = now_ns; }
};

struct WindowParts {
  /// Library, sounds and shell outlive it.
  WindowParts(const PlayOptions& options, SpellLibrary& library, SoundLibrary& sounds, Shell& its_shell,
              std::unique_ptr<platform::FileWatch> watch, Remembered remembered,
              std::vector<std::string> program);

  Game game;
  Hud hud;
  Persistence files;
  Shell& shell;
  GameAudio audio;
  ContentFiles content;
  LabController lab;
  MemoryLab memory;
  InputLatch latch;
  Attempt attempt;
  Playback playback;
  Modes modes;
  Rewind rewind;            // it owns textures
  FrameDrawing drawing;
  GameActions actions;

  sim::GameWorld& world() { return game.world(); }
  const SceneHooks& hooks() { return scene_hooks(game.world()); }
  ScenePlay& scene() { return *scenes_[static_cast<std::size_t>(game.world().scene())]; }
  SceneContext scene_context();
  /// Does what the scene asked for.
  void settle(const SceneContext& context);
  void notice(std::string_view text) { hud.state.notice.assign(text); }

  /// The rows of frame::kHotkeys that count.
  frame::Scenes keys();
  void remember_size();
  /// Without the focus the game waits, unless it plays or measures by itself. Any sign of the player wakes it.
  void follow_focus(const platform::FrameEvents& events);
  /// With each frame: the lab's panel and its child.
  void follow_lab();

 private:
  std::array<std::unique_ptr<ScenePlay>, frame::kSceneCount> scenes_;
};

}  // namespace spellpool::app
