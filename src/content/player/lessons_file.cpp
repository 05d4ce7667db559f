#include "content/player/lessons_file.hpp"

#include "content/player/kept_file.hpp"
#include "content/toml_reading.hpp"

namespace spellpool::content {
namespace {

using namespace frame;

constexpr std::string_view kLessonProgress = "progress of the lessons";
constexpr double kMostSteps = 64, kMostBits = 4'294'967'295.0;

const toml::node& at(const toml::table& keys, std::string_view key) {
  const toml::node* node = keys.get(key);
  if (node == nullptr) refuse(keys, "", fmt::format("the key 'lesson.{}' is missing", key));
  return *node;
}

void read_lesson(const toml::table& keys, LessonProgresses& progress) {
  const u8 id = read_name(at(keys, "name"), "lesson.name", kLessons);
  LessonProgress& lesson = progress[id];
  lesson.furthest = read_whole(at(keys, "furthest"), "lesson.furthest", 0, kMostSteps);
  lesson.answered = read_whole(at(keys, "answered"), "lesson.answered", 0, kMostBits);
  lesson.right = read_whole(at(keys, "right"), "lesson.right", 0, kMostBits) & lesson.answered;
  lesson.done = read_flag(at(keys, "done"), "lesson.done");
}

LessonProgresses read_lessons(const toml::table& root) {
  LessonProgresses progress{};
  const toml::node* list = root.get("lesson");
  if (list == nullptr) return progress;
  for (const toml::node& node : read_list(*list, "lesson", "a list of tables [[lesson]]")) {
    if (!node.is_table()) refuse(node, "lesson", fmt::format("{} is not a table", shown(node)));
    read_lesson(*node.as_table(), progress);
  }
  return progress;
}

}  // namespace

LessonsResult parse_lessons(std::string_view text, std::string_view file_name) {
  LessonsResult result;
  result.progress = read_or_explain(file_name, result.error, [&] {
    return read_lessons(parse_toml(text, file_name, kMaxKeptFile_bytes));
  });
  return result;
}

std::string format_lessons(const LessonProgresses& progress) {
  std::string out =
      "# What was done of Spellpool's lessons. `answered` and `right` have a bit for each question, the "
      "first the lowest.\n";
  for (const LessonRow& row : kLessons) {
    const LessonProgress& lesson = progress[static_cast<std::size_t>(row.id)];
    if (lesson.furthest == 0) continue;
    out += fmt::format("\n[[lesson]]\nname = \"{}\"\nfurthest = {}\nanswered = {}\nright = {}\ndone = {}\n",
                       row.name, lesson.furthest, lesson.answered, lesson.right, lesson.done);
  }
  return out;
}

LoadedLessons load_lessons(const std::filesystem::path& path) {
  LoadedLessons loaded;
  loaded.message = load_kept(path, kLessonProgress, [&](std::string_view text) {
    LessonsResult result = parse_lessons(text, path.string());
    if (result.progress) loaded.progress = *result.progress;
    return result.error;
  });
  return loaded;
}

std::string save_lessons(const std::filesystem::path& path, const LessonProgresses& progress) {
  const auto check = [&](std::string_view text) { return parse_lessons(text, path.string()).error; };
  return save_kept(path, kLessonProgress, check, [&] { return format_lessons(progress); });
}

}  // namespace spellpool::content
