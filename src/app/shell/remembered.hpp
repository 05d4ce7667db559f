#pragma once
#include <string>
#include <vector>

#include "frame/high_scores.hpp"
#include "frame/settings.hpp"
#include "frame/views/lesson_view.hpp"

namespace spellpool::app {

/// What outlives a run: settings, high scores and what was done of the lessons, with the files that keep them.
struct Remembered {
  frame::Settings settings;
  frame::HighScores scores;
  frame::LessonProgresses lessons{};
  std::string settings_path, scores_path, lessons_path;  ///< "" where they are not kept: no home folder.
  std::string settings_unkept;             ///< The reason, where the settings are not.
  std::vector<std::string> messages;       ///< What the player should know: a damaged file was set aside.
};

/// Reads all of it. A damaged file is set aside, and the game starts with what it would have without.
Remembered read_remembered();

}  // namespace spellpool::app
