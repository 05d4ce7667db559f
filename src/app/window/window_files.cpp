#include <ctime>
#include <filesystem>

#include "app/cli/layout_json.hpp"
#include "app/window/window_game.hpp"
#include "content/png.hpp"
#include "content/scores_file.hpp"
#include "content/settings_file.hpp"
#include "content/spell_file.hpp"
#include "content/text_file.hpp"
#include "core/log.hpp"
#include "core/state_hash.hpp"
#include "platform/paths.hpp"

namespace spellpool::app {

using frame::SimCommand;
using frame::SimCommandKind;

std::string time_stamp() {
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  localtime_r(&now, &local);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%d_%H-%M-%S", &local);
  return text;
}

TaskOutcome save_picture(const std::string& prefix, const std::string& stamp, platform::Size size, const std::vector<u8>& rgb) {
  const platform::PathResult folder = platform::recordings_folder();
  std::string wrong = folder.error.empty() ? platform::make_folder(folder.path) : folder.error;
  if (!wrong.empty()) return {true, "no picture: " + wrong};
  const std::string path = platform::free_name(folder.path, prefix + "_" + stamp, ".png").string();
  wrong = content::write_png(path, static_cast<u32>(size.width), static_cast<u32>(size.height), rgb, "Spellpool");
  if (!wrong.empty()) return {true, std::move(wrong)};
  return {false, "Saved " + path};
}

void WindowGame::reload_changed_files() {
  bool shaders = false, stage = false;
  while (const std::unique_ptr<platform::FileChange> change = watch_->poll()) {
    if (note_stage_text(*change)) {
      stage = true;
      continue;
    }
    if (change->file >= frame::kSpellCount) {
      shaders = true;
      continue;
    }
    const u8 spell = static_cast<u8>(change->file);
    std::string error = change->error;
    if (error.empty() && spell_errors_[spell].empty()) {
      // Nothing new: it is what is played, or it is our own writing, and the editor has gone on since.
      if (change->text == library_.texts()[spell] || (!change->text.empty() && change->text == spell_written_[spell])) continue;
    }
    spell_written_[spell].clear();
    if (error.empty()) error = library_.update(spell, change->text);
    if (!error.empty()) {
      log(LogLevel::Warning, error);
    } else {
      hud_.state.filed[spell] = library_.spells()[spell];
      play_spell(spell);
      notice("Read " + std::string(frame::kSpellFiles[spell]) + ".toml again");
    }
    spell_errors_[spell] = error;
  }
  if (shaders) {
    renderer_->reload_shaders();
    shader_error_ = renderer_->warning();
    if (!shader_error_.empty()) log(LogLevel::Warning, shader_error_);
    notice(shader_error_.empty() ? "Shaders read again" : "A shader is broken");
  }
  if (stage) reload_stage();
  const std::string sound_error = sounds_.errors().empty() ? std::string{} : sounds_.errors().front();
  if (sound_error != sound_error_ && !sound_error.empty()) log(LogLevel::Warning, sound_error);
  sound_error_ = sound_error;
  std::string& error = hud_.state.error;
  error = shader_error_;
  if (!sound_error_.empty()) error = sound_error_;
  if (!stage_error_.empty()) error = stage_error_;
  for (const std::string& spell_error : spell_errors_) {
    if (!spell_error.empty()) error = spell_error;
  }
  if (!edit_error_.empty() && hud_.state.editor_open) error = edit_error_;
}

/// False: it is none of the patterns, nor the stage.
bool WindowGame::note_stage_text(const platform::FileChange& change) {
  const std::string folder = change.path.parent_path().filename().string();
  if (folder != "patterns" && folder != "stages") return false;
  if (!shooter()) return true;  // new_session() reads them
  const std::string name = "assets/" + folder + "/" + change.path.filename().string();
  if (change.missing) library_.stages().note(name, std::nullopt);
  else library_.stages().note(name, change.text, change.error);
  return true;
}

/// What fits goes into the world, with its texts, so that a replay holds what was played. A replay that is played brings its own.
void WindowGame::reload_stage() {
  if (!game_.options().input.empty()) return;
  SimCommand command;
  command.kind = SimCommandKind::SetStage;
  command.patterns = library_.stages().patterns();
  const StageLibrary::Taken taken = library_.stages().take_changes([&](const frame::StageDef& stage) {
    command.stage = std::make_shared<const frame::StageDef>(stage);
    return world().refusal(command);
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
void WindowGame::play_spell(u8 spell) {
  SimCommand command;
  command.kind = SimCommandKind::SetSpell;
  command.spell = spell;
  command.definition = library_.spells()[spell];
  game_.queue(command, library_.texts()[spell]);
}

/// The editor's spell is played as if its file had been saved. False, with an error that stays until it is mended, if a file may not say that.
bool WindowGame::edit_spell(u8 spell, const frame::SpellDef& edited) {
  const std::string text = content::format_spell(edited, library_.texts()[spell]);
  edit_error_ = library_.update(spell, text);
  if (!edit_error_.empty()) {
    edit_error_.insert(0, "not played, not saved: ");
    return false;
  }
  play_spell(spell);
  return true;
}

void WindowGame::save_spell(u8 spell) {
  if (spell_task_.busy()) {
    notice("The last spell is still being written: save again in a moment");
    return;
  }
  const std::string path = library_.path(spell);
  spell_saving_ = spell;
  spell_saving_def_ = library_.spells()[spell];
  spell_written_[spell] = library_.texts()[spell];
  const std::string error = spell_task_.start([path, text = library_.texts()[spell], broken = !spell_errors_[spell].empty()]() -> TaskOutcome {
    std::error_code ignored;
    if (broken && std::filesystem::exists(path, ignored)) {  // an unfinished edit by hand must not be lost
      return {true, "Not saved: " + path + " was changed by hand and is broken; mend it or delete it first"};
    }
    std::string wrong = content::keep_text(path, text);
    if (!wrong.empty()) return {true, std::move(wrong)};
    return {false, "Saved " + path};
  });
  if (!error.empty()) notice(error);
}

void WindowGame::save_settings() {
  if (remembered_.settings_path.empty() || game_.options().ignores_remembered()) {
    settings_dirty_ = false;
    return;
  }
  if (settings_task_.busy()) return;
  settings_dirty_ = false;
  frame::Settings keep = to_remember(hud_.state.settings, settings_at_start_, remembered_.settings);
  const std::string error = settings_task_.start([path = remembered_.settings_path, keep = std::move(keep)]() -> TaskOutcome {
    std::string wrong = content::save_settings(path, keep);
    return {!wrong.empty(), std::move(wrong)};
  });
  if (!error.empty()) notice(error);
}

void WindowGame::save_scores() {
  if (remembered_.scores_path.empty()) scores_dirty_ = false;
  if (!scores_dirty_ || scores_task_.busy()) return;
  scores_dirty_ = false;
  const std::string error = scores_task_.start([path = remembered_.scores_path, scores = hud_.state.high_scores]() mutable -> TaskOutcome {
    std::string wrong = content::save_scores(path, scores);
    return {!wrong.empty(), std::move(wrong)};
  });
  if (!error.empty()) notice(error);
}

/// At the end, when no task runs: what changed since the last write, and what could not be written then.
void WindowGame::save_what_is_dirty() {
  if (settings_dirty_ || settings_failed_) save_settings();
  scores_dirty_ = scores_dirty_ || scores_failed_;
  save_scores();
  settings_task_.wait();
  scores_task_.wait();
  collect_outcomes();
}

/// What was started in the background and is done now.
void WindowGame::collect_outcomes() {
  TaskOutcome outcome;
  for (BackgroundTask* task : tasks()) {
    if (!task->poll(outcome)) continue;
    if (task == &settings_task_) settings_failed_ = outcome.failed;
    if (task == &scores_task_) scores_failed_ = outcome.failed;
    if (task == &spell_task_) {
      if (outcome.failed) spell_written_[spell_saving_].clear();
      else hud_.state.filed[spell_saving_] = spell_saving_def_;
    }
    if (task == &ab_task_ && outcome.failed && ab_texts_) {
      ab_texts_->folder = "not written: " + outcome.line;  // in the card, too
      hud_.state.ab.folder = ab_texts_->folder;
    }
    if (outcome.line.empty()) continue;
    log(outcome.failed ? LogLevel::Warning : LogLevel::Info, outcome.line);
    notice(outcome.line);
  }
}

/// Every other frame, for scripts that asked for it: where things lie, and how many frames and steps there were.
void WindowGame::write_layout() {
  constexpr u64 kFramesBetweenLayouts = 2;
  if (++frames_ % kFramesBetweenLayouts != 0 || game_.options().layout_out.empty() || layout_task_.busy()) return;
  const std::string error = layout_task_.start([path = game_.options().layout_out, text = layout_json(imgui_->state(), frames_, world().steps(), imgui_->painted() ? "processor" : "OpenGL")]() -> TaskOutcome {
    std::string wrong = content::write_text(path, text, content::Overwrite::Yes);
    return {!wrong.empty(), std::move(wrong)};
  });
  if (!error.empty()) notice(error);
}

void WindowGame::toggle_recording() {
  measure::CsvRecording& csv = game_.csv();
  if (csv.recording()) {
    const std::string outcome = game_.stop_recording();
    notice(outcome);
    log(LogLevel::Info, outcome);
    return;
  }
  prewarmed_ = prewarmed_ || world().prewarm(1e9);  // what is measured has everything ready
  const platform::PathResult folder = platform::recordings_folder();
  std::string error = folder.error;
  std::string path;
  if (error.empty()) {
    path = platform::free_name(folder.path, "spellpool_" + time_stamp(), ".csv").string();
    error = csv.start(path);
  }
  notice(error.empty() ? "Recording to " + path : error);
  log(error.empty() ? LogLevel::Info : LogLevel::Warning, error.empty() ? "recording to " + path : error);
}

void WindowGame::take_screenshot() {
  if (picture_task_.busy()) return;  // the next frame asks again
  want_screenshot_ = false;
  std::vector<u8> rgb;
  const platform::Size size = window_->drawable_px();
  if (!renderer_->read_rgb(rgb)) {
    notice("no picture: it could not be read back");
    return;
  }
  const std::string error = picture_task_.start([size, rgb = std::move(rgb), stamp = time_stamp()] { return save_picture("spellpool", stamp, size, rgb); });
  if (!error.empty()) notice("no picture: " + error);
}

}  // namespace spellpool::app
