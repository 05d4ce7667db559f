#include "app/play/crash_note.hpp"

#include "content/text_file.hpp"
#include "core/log.hpp"
#include "platform/abort_watch.hpp"
#include "platform/paths.hpp"

namespace spellpool::app {

CrashNote::CrashNote(const Game& game) : game_(game) {
  recordings_ = platform::recordings_folder().path.string();
  if (!recordings_.empty()) platform::watch_abort(write, this);
}

CrashNote::~CrashNote() { platform::watch_abort(nullptr, nullptr); }

void CrashNote::write(void* self) {
  const CrashNote& note = *static_cast<const CrashNote*>(self);
  const Session& session = note.game_.session();
  const std::string inputs = session.inputs_so_far();
  if (inputs.empty()) return;
  std::string error = platform::make_folder(note.recordings_);
  const std::string path = platform::free_name(note.recordings_, "crash", ".replay").string();
  if (error.empty()) error = content::write_text(path, inputs);
  if (!error.empty()) return log(LogLevel::Error, "the game's inputs could not be saved: " + error);
  std::string text = "the game ended by an error in or after step " + std::to_string(session.world().steps());
  const History* const history = session.history();
  if (const std::optional<u64> keyframe = history ? history->last_keyframe() : std::nullopt)
    text += ", the last keyframe is of step " + std::to_string(*keyframe);
  text += "; to play it from its start: spellpool --input " + path;
  (void)content::write_text(platform::free_name(note.recordings_, "crash", ".txt"), text + "\n");
  log(LogLevel::Error, text);
}

}  // namespace spellpool::app
