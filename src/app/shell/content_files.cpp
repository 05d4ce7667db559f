#include "app/shell/content_files.hpp"

#include <filesystem>
#include <utility>

#include "app/scene_hooks.hpp"
#include "content/game/spell_file.hpp"
#include "content/text_file.hpp"
#include "core/log.hpp"

namespace spellpool::app {

using frame::SimCommand;
using frame::SimCommandKind;

ContentFiles::ContentFiles(SpellLibrary& library, SoundLibrary& sounds, Game& game, HudState& hud,
                           Persistence& files, std::unique_ptr<platform::FileWatch> watch)
    : library_(library), sounds_(sounds), game_(game), hud_(hud), files_(files), watch_(std::move(watch)) {
  hud.filed = library.spells();
}

void ContentFiles::note_shader_errors(const render::Renderer& renderer) {
  shader_error_ = renderer.warning();
  if (!shader_error_.empty()) log(LogLevel::Warning, shader_error_);
}

void ContentFiles::note_sound_errors() {
  for (const std::string& line : sounds_.errors()) log(LogLevel::Warning, line);
  if (!sounds_.errors().empty()) sound_error_ = sounds_.errors().front();
}

void ContentFiles::reload_changed(render::Renderer& renderer) {
  bool shaders = false, stage = false;
  // A replay that is played brings its own spells, arena and stage.
  const bool replayed = !game_.options().input.empty();
  while (const std::unique_ptr<platform::FileChange> change = watch_->poll()) {
    if (note_stage_text(*change)) stage = !replayed;
    else if (change->file > frame::kSpellCount) shaders = true;
    else if (replayed) continue;
    else if (change->file == frame::kSpellCount) reload_arena(*change);
    else reload_spell(static_cast<u8>(change->file), *change);
  }
  if (shaders) reload_shaders(renderer);
  if (stage && scene_hooks(game_.world().scene()).has_stages()) reload_stage();
  const std::string sound_error = sounds_.errors().empty() ? std::string{} : sounds_.errors().front();
  if (sound_error != sound_error_ && !sound_error.empty()) log(LogLevel::Warning, sound_error);
  sound_error_ = sound_error;
  show_error();
}

void ContentFiles::reload_spell(u8 spell, const platform::FileChange& change) {
  std::string error = change.error;
  if (error.empty() && spell_errors_[spell].empty()) {
    // Nothing new: it is what is played, or it is our own writing, and the editor has gone on since.
    const bool ours = !change.text.empty() && change.text == spell_written_[spell];
    if (change.text == library_.texts()[spell] || ours) return;
  }
  spell_written_[spell].clear();
  if (error.empty()) error = library_.update(spell, change.text);
  if (!error.empty()) {
    log(LogLevel::Warning, error);
  } else {
    hud_.filed[spell] = library_.spells()[spell];
    play_spell(spell);
    spell_missed_[spell] = hud_.title.shown;
    notice("Read " + std::string(frame::kSpellFiles[spell]) + ".toml again");
  }
  spell_errors_[spell] = error;
}

void ContentFiles::reload_arena(const platform::FileChange& change) {
  if (change.error.empty() && arena_error_.empty() && change.text == library_.arena_text()) return;
  arena_error_ = change.error.empty() ? library_.update_arena(change.text) : change.error;
  if (!arena_error_.empty()) return log(LogLevel::Warning, arena_error_);
  play_arena();
  arena_missed_ = hud_.title.shown;
  notice("Read arena.toml again");
}

void ContentFiles::reload_shaders(render::Renderer& renderer) {
  renderer.reload_shaders();
  note_shader_errors(renderer);
  notice(shader_error_.empty() ? "Shaders read again" : "A shader is broken");
}

/// One line for all: of several errors the last one here.
void ContentFiles::show_error() {
  std::string& error = hud_.error;
  error = shader_error_;
  if (!sound_error_.empty()) error = sound_error_;
  if (!stage_error_.empty()) error = stage_error_;
  if (!arena_error_.empty()) error = arena_error_;
  for (const std::string& spell_error : spell_errors_) {
    if (!spell_error.empty()) error = spell_error;
  }
  if (!edit_error_.empty() && hud_.editor_open) error = edit_error_;
}

/// False: it is neither a pattern nor the stage.
bool ContentFiles::note_stage_text(const platform::FileChange& change) {
  const std::string folder = change.path.parent_path().filename().string();
  if (folder != "patterns" && folder != "stages") return false;
  const std::string name = "assets/" + folder + "/" + change.path.filename().string();
  if (change.missing) library_.stages().note(name, std::nullopt);
  else library_.stages().note(name, change.text, change.error);
  return true;
}

/// What fits goes into the world, with its texts, so that a replay holds what was played.
void ContentFiles::reload_stage() {
  SimCommand command;
  command.kind = SimCommandKind::SetStage;
  command.patterns = library_.stages().patterns();
  const StageLibrary::Taken taken = library_.stages().take_changes([&](const frame::StageDef& stage) {
    command.stage = std::make_shared<const frame::StageDef>(stage);
    return game_.world().refusal(command);
  });
  if (taken.error != stage_error_ && !taken.error.empty()) log(LogLevel::Warning, taken.error);
  stage_error_ = taken.error;
  if (taken.texts.empty()) return;
  command.patterns = library_.stages().patterns();
  command.stage = library_.stages().stage();
  game_.queue(command, sim::format_texts(taken.texts));
  const std::string first = std::filesystem::path(taken.texts.front().name).filename().string();
  notice("Read " + first + (taken.texts.size() > 1 ? " and others" : "") + " again");
}

/// The library's spell goes into the world, with its text, so that a replay holds what was played.
void ContentFiles::play_spell(u8 spell) {
  SimCommand command;
  command.kind = SimCommandKind::SetSpell;
  command.spell = spell;
  command.definition = library_.spells()[spell];
  game_.queue(command, library_.texts()[spell]);
}

void ContentFiles::play_arena() {
  SimCommand command;
  command.kind = SimCommandKind::SetArena;
  command.arena = library_.arena();
  game_.queue(command, library_.arena_text());
}

void ContentFiles::catch_up(bool is_new) {
  for (u8 spell = 0; spell < frame::kSpellCount; ++spell) {
    if (std::exchange(spell_missed_[spell], false) && !is_new) play_spell(spell);
  }
  if (std::exchange(arena_missed_, false) && !is_new) play_arena();
  if (scene_hooks(game_.world().scene()).has_stages()) reload_stage();
}

bool ContentFiles::edit_spell(u8 spell, const frame::SpellDef& edited) {
  const std::string text = content::format_spell(edited, library_.texts()[spell]);
  edit_error_ = library_.update(spell, text);
  if (!edit_error_.empty()) {
    edit_error_.insert(0, "not played, not saved: ");
    return false;
  }
  play_spell(spell);
  return true;
}

void ContentFiles::save_spell(u8 spell) {
  if (files_.busy(Persistence::Job::Spell))
    return notice("The last spell is still being written: save again in a moment");
  const std::string path = library_.path(spell);
  const std::string text = library_.texts()[spell];
  spell_written_[spell] = text;
  auto write = [path, text, broken = !spell_errors_[spell].empty()]() -> TaskOutcome {
    std::error_code ignored;
    if (broken && std::filesystem::exists(path, ignored)) {  // an unfinished edit by hand must not be lost
      return {true, "Not saved: " + path + " was changed by hand and is broken; mend it or delete it first"};
    }
    std::string wrong = content::keep_text(path, text);
    if (!wrong.empty()) return {true, std::move(wrong)};
    return {false, "Saved " + path};
  };
  const auto done = [this, spell, saved = library_.spells()[spell]](const TaskOutcome& outcome) {
    if (outcome.failed) spell_written_[spell].clear();
    else hud_.filed[spell] = saved;
  };
  files_.start(Persistence::Job::Spell, std::move(write), done);
}

}  // namespace spellpool::app
