#pragma once
// Files of the data folder that are read again while the game runs: spells, the arena, patterns, the stage,
// shaders. What is broken keeps its last good version, and its error stays in the HUD until the file is
// mended. The spell editor's changes come through here too, since the game plays them as if their file had
// been saved.
#include <array>
#include <memory>
#include <string>
#include <string_view>

#include "app/library/sound_library.hpp"
#include "app/play/game.hpp"
#include "app/play/hud.hpp"
#include "app/shell/persistence.hpp"
#include "platform/file_watch.hpp"
#include "render/renderer.hpp"

namespace spellpool::app {

class ContentFiles {
 public:
  /// All outlive it. The watch was made before the library read its files, so that no change in between is
  /// lost.
  ContentFiles(SpellLibrary& library, SoundLibrary& sounds, Game& game, HudState& hud, Persistence& files,
               std::unique_ptr<platform::FileWatch> watch);

  /// Errors of the start.
  void note_shader_errors(const render::Renderer& renderer);
  void note_sound_errors();
  /// With each frame: reads what changed, plays it and reports it.
  void reload_changed(render::Renderer& renderer);
  /// After the title's demo: what was read meanwhile goes into the game that was kept. A new one has spells and arena
  /// already.
  void catch_up(bool is_new);
  /// As if every file had changed.
  void reread() { watch_->reread(); }

  /// The editor's spell is played at once. False, with an error that stays until it is mended: no file may
  /// say that.
  bool edit_spell(u8 spell, const frame::SpellDef& edited);
  void save_spell(u8 spell);

 private:
  bool note_stage_text(const platform::FileChange& change);
  void reload_spell(u8 spell, const platform::FileChange& change);
  void reload_arena(const platform::FileChange& change);
  void reload_shaders(render::Renderer& renderer);
  void reload_stage();
  void play_spell(u8 spell);
  void play_arena();
  void show_error();
  void notice(std::string_view text) { hud_.notice.assign(text); }

  SpellLibrary& library_;
  SoundLibrary& sounds_;
  Game& game_;
  HudState& hud_;
  Persistence& files_;
  std::unique_ptr<platform::FileWatch> watch_;
  std::array<std::string, frame::kSpellCount> spell_errors_;   // of the files as they are now
  std::array<std::string, frame::kSpellCount>
      spell_written_;  // by save_spell(), until the file has another text
  std::array<bool, frame::kSpellCount> spell_missed_{};        // by the game that the title keeps
  bool arena_missed_ = false;
  std::string shader_error_, arena_error_, stage_error_, sound_error_;
  std::string edit_error_;                                     // why the editor's spell cannot be played
};

}  // namespace spellpool::app
