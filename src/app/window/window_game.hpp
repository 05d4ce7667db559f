#pragma once
// The game in a window. frame() does one round of the current mode (mode.hpp); what modes share is in
// window_parts.hpp.
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/window/window_parts.hpp"

namespace spellpool::app {

class LearnMode;
class StressMode;
class TitleMode;

class WindowGame {
 public:
  /// The watch was made before the library read its files, so that no change in between is lost. In a browser the shell
  /// has a window and a renderer already; elsewhere open() opens both. `program`: how the comparison lab starts spellpool.
  WindowGame(const PlayOptions& options, SpellLibrary& library, SoundLibrary& sounds, std::string data_dir,
             Shell& shell, std::unique_ptr<platform::FileWatch> watch, Remembered remembered,
             std::vector<std::string> program = {"/proc/self/exe"});
  ~WindowGame();

  /// "" or an error line.
  std::string open();
  /// False when the game is over.
  bool frame();
  /// Recreates every OpenGL object after the context was lost, as in browsers. The game continues where it was. "" or
  /// an error line.
  std::string restore_graphics();
  /// Saves what there is to save. "" or an error line.
  std::string close();
  const Game& game() const { return parts_.game; }
  /// The current mode: what the next frame() does, unless a request is waiting.
  ModeId mode() const { return parts_.modes.id(); }
  /// Does what panels ask for, as if one had asked.
  void apply(const frame::PanelRequests& requests) { parts_.actions.apply(requests); }
  /// Clicks of the interface since the last frame() began, with or without a sound device.
  std::span<const frame::PanelSound> clicks() const { return parts_.audio.clicks(); }
  /// The lessons that are shown, and how; null while there are none.
  const frame::LessonView* lessons() const { return parts_.hud.state.learn; }
  const frame::LessonShown& lessons_shown() const { return parts_.hud.state.learn_shown; }
  /// What the last frame showed, and where.
  const ui::UiState& panels() { return parts_.shell.panels().state(); }

 private:
  static std::optional<std::string> on_display_lost(void* self);
  void add_modes(SpellLibrary& library);
  std::string open_on_desktop();
  void open_in_page();
  void prepare_window();
  void prepare_renderer();
  void begin_drawing();
  void begin_first_frame();
  void draw_first_frame();
  void draw_due_frame();
  void present_first_frame();
  bool make_next();

  std::string data_dir_;
  WindowParts parts_;
  TitleMode* title_ = nullptr;    // of parts_.modes
  StressMode* stress_ = nullptr;
  LearnMode* learn_ = nullptr;

  /// A page shows nothing until open() and its first frame are done. What only later frames need is made after that, one
  /// thing before each frame.
  enum class Later : u8 { FirstFrame, Panels, Spells, Sounds, SoundDevice, Nothing };
  Later later_ = platform::kInBrowser ? Later::FirstFrame : Later::Nothing;
};

}  // namespace spellpool::app
