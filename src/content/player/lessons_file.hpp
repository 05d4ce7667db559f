#pragma once
// What was done of the lessons, as a TOML file: a [[lesson]] for each one that was begun.
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "frame/views/lesson_view.hpp"

namespace spellpool::content {

struct LessonsResult {
  std::optional<frame::LessonProgresses> progress;
  std::string error;  ///< "" or one line: "lessons.toml:3: lesson.name: 'slots' is no lesson; did you mean
                      ///< 'slot'?".
};
/// Never throws, whatever the text is.
LessonsResult parse_lessons(std::string_view text, std::string_view file_name);
std::string format_lessons(const frame::LessonProgresses& progress);

struct LoadedLessons {
  frame::LessonProgresses progress{};
  std::string message;  ///< "" or one line for the player.
};
/// Nothing done, without a message, if there is no file. A damaged file is set aside.
LoadedLessons load_lessons(const std::filesystem::path& path);
/// Writes the file whole or not at all, and makes its folder. "" or one line for the player. A damaged file
/// that is there is set aside.
std::string save_lessons(const std::filesystem::path& path, const frame::LessonProgresses& progress);

}  // namespace spellpool::content
