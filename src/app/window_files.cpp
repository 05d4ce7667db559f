#include <ctime>

#include "app/layout_json.hpp"
#include "app/window_game.hpp"
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

void WindowGame::reload_changed_files() {
  bool shaders = false;
  while (const std::unique_ptr<platform::FileChange> change = watch_->poll()) {
    if (change->file >= frame::kSpellCount) {
      shaders = true;
      continue;
    }
    const u32 spell = static_cast<u32>(change->file);
    std::string error = change->error;
    if (error.empty() && change->text == library_.texts()[spell] && spell_errors_[spell].empty()) continue;
    if (error.empty()) error = library_.update(spell, change->text);
    if (!error.empty()) {
      log(LogLevel::Warning, error);
    } else {
      SimCommand command;
      command.kind = SimCommandKind::SetSpell;
      command.spell = static_cast<u8>(spell);
      command.definition = library_.spells()[spell];
      game_.queue(command, change->text);
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
  std::string& error = hud_.state.error;
  error = shader_error_;
  for (const std::string& spell_error : spell_errors_) {
    if (!spell_error.empty()) error = spell_error;
  }
}

/// The editor's spell is played as if its file had been saved: from its text, so that a replay holds what was played.
void WindowGame::edit_spell(u8 spell, const frame::SpellDef& edited) {
  const std::string text = content::format_spell(edited, library_.texts()[spell]);
  if (const std::string error = library_.update(spell, text); !error.empty()) {
    notice(error);
    return;
  }
  SimCommand command;
  command.kind = SimCommandKind::SetSpell;
  command.spell = spell;
  command.definition = library_.spells()[spell];
  game_.queue(command, text);
}

void WindowGame::save_spell(u8 spell) {
  if (spell_task_.busy()) {
    notice("The last spell is still being written: save again in a moment");
    return;
  }
  const std::string error = spell_task_.start([path = library_.path(spell), text = library_.texts()[spell]] {
    const std::string wrong = content::write_text(path, text, content::Overwrite::Yes);
    return wrong.empty() ? "Saved " + path : wrong;
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
  const std::string error = settings_task_.start([path = remembered_.settings_path, keep = std::move(keep)] {
    return content::save_settings(path, keep);
  });
  if (!error.empty()) notice(error);
}

/// What was started in the background and is done now.
void WindowGame::collect_outcomes() {
  std::string outcome;
  for (BackgroundTask* task : {&picture_task_, &settings_task_, &scores_task_, &spell_task_, &ab_task_, &layout_task_}) {
    if (task->poll(outcome) && !outcome.empty()) {
      log(LogLevel::Info, outcome);
      notice(outcome);
    }
  }
}

/// When something moved, for scripts that asked for it.
void WindowGame::write_layout() {
  if (game_.options().layout_out.empty() || layout_task_.busy() || ++frames_ % 15 != 0) return;
  const ui::Layout& layout = imgui_->state().layout;
  StateHash hash;
  const auto add = [&hash](const ui::Rect& r) { hash.add(r.x0).add(r.y0).add(r.x1).add(r.y1); };
  for (const ui::Rect& part : layout.parts) add(part);
  for (std::size_t i = 0; i < layout.control_count; ++i) {
    hash.add(static_cast<u32>(layout.controls[i].kind)).add(u32{layout.controls[i].index});
    add(layout.controls[i].rect);
  }
  if (hash.value() == layout_hash_) return;
  layout_hash_ = hash.value();
  const std::string error = layout_task_.start([path = game_.options().layout_out, text = layout_json(layout)] {
    return content::write_text(path, text, content::Overwrite::Yes);
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
  const platform::PathResult folder = platform::recordings_folder();
  std::string error = folder.error.empty() ? platform::make_folder(folder.path) : folder.error;
  std::vector<u8> rgb;
  const platform::Size size = window_->drawable_px();
  if (error.empty() && !render::read_rgb(size.width, size.height, rgb)) error = "the picture could not be read back";
  if (!error.empty()) {
    notice(error);
    return;
  }
  error = picture_task_.start([path = platform::free_name(folder.path, "spellpool_" + time_stamp(), ".png").string(), size, rgb = std::move(rgb)] {
    const std::string wrong = content::write_png(path, static_cast<u32>(size.width), static_cast<u32>(size.height), rgb, "Spellpool");
    return wrong.empty() ? "Saved " + path : wrong;
  });
  if (!error.empty()) notice("no picture: " + error);
}

}  // namespace spellpool::app
