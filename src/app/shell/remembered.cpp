#include "app/shell/remembered.hpp"

#include "content/player/lessons_file.hpp"
#include "content/player/scores_file.hpp"
#include "content/player/settings_file.hpp"
#include "platform/paths.hpp"

namespace spellpool::app {

Remembered read_remembered() {
  Remembered remembered;
  const platform::PathResult settings = platform::settings_file(), scores = platform::scores_file();
  for (const std::string& error : {settings.error, scores.error}) {
    if (!error.empty()) remembered.messages.push_back(error);
  }
  remembered.settings_unkept = settings.error;
  if (settings.error.empty()) {
    content::LoadedSettings loaded = content::load_settings(settings.path);
    remembered.settings = std::move(loaded.settings);
    remembered.settings_path = settings.path.string();
    for (std::string& message : loaded.messages) remembered.messages.push_back(std::move(message));
  }
  if (scores.error.empty()) {
    content::LoadedScores loaded = content::load_scores(scores.path);
    remembered.scores = std::move(loaded.scores);
    remembered.scores_path = scores.path.string();
    if (!loaded.message.empty()) remembered.messages.push_back(std::move(loaded.message));
    remembered.lessons_path = scores.path.parent_path() / "lessons.toml";
    content::LoadedLessons lessons = content::load_lessons(remembered.lessons_path);
    remembered.lessons = lessons.progress;
    if (!lessons.message.empty()) remembered.messages.push_back(std::move(lessons.message));
  }
  return remembered;
}

}  // namespace spellpool::app
