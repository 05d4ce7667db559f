#include "content/player/lessons_file.hpp"

#include <gtest/gtest.h>

namespace spellpool::content {
namespace {

frame::LessonProgresses some_progress() {
  frame::LessonProgresses progress{};
  progress[0] = {5, 0b1111, 0b1011, true};
  progress[2] = {2, 0b1, 0, false};
  return progress;
}

TEST(LessonsFile, WhatIsWrittenIsReadAgain) {
  const LessonsResult result = parse_lessons(format_lessons(some_progress()), "lessons.toml");
  ASSERT_TRUE(result.progress) << result.error;
  EXPECT_EQ(*result.progress, some_progress());
}

TEST(LessonsFile, AWrongFileIsNamedWithItsLineAndReason) {
  for (const char* text :
       {"[[lesson]]\nname = \"nothing\"\nfurthest = 1\nanswered = 0\nright = 0\ndone = false\n",
        "[[lesson]]\nname = \"slot\"\n", "lesson = 3\n",
        "[[lesson]]\nname = \"slot\"\nfurthest = 1000\nanswered = 0\nright = 0\ndone = false\n"}) {
    const LessonsResult result = parse_lessons(text, "lessons.toml");
    EXPECT_FALSE(result.progress) << text;
    EXPECT_EQ(result.error.rfind("lessons.toml:", 0), 0u) << result.error;
  }
}

TEST(LessonsFile, NoAnswerIsRightThatWasNotGiven) {
  const LessonsResult result = parse_lessons(
      "[[lesson]]\nname = \"slot\"\nfurthest = 1\nanswered = 1\nright = 7\ndone = false\n", "lessons.toml");
  ASSERT_TRUE(result.progress) << result.error;
  EXPECT_EQ((*result.progress)[static_cast<std::size_t>(frame::LessonId::Union)].right, 1u);
}

}  // namespace
}  // namespace spellpool::content
