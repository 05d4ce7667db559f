// What a command does on many objects, one object after the other, forward and back.
#include <gtest/gtest.h>

#include <algorithm>

#include "lesson_results.hpp"
#include "sim/lessons/lesson_course.hpp"

namespace spellpool::sim {
namespace {

using frame::LessonTarget;
using Kind = LessonCommand::Kind;

/// A lesson walked through with right answers; `begun` is called after each command, whose parts wait.
template <class Begun>
void walk_in_parts(Lesson& lesson, const Begun& begun) {
  for (;;) {
    for (const LessonCommand& command : lesson.right_commands()) {
      ASSERT_TRUE(lesson.begin(command));
      begun();
    }
    if (!lesson.can_advance()) return;
    ASSERT_TRUE(lesson.begin({Kind::Advance}));
    begun();
  }
}

TEST(LessonParts, OneByOneTheyComeToTheSameStateAsAtOnce) {
  u32 most = 0;
  for (const frame::LessonRow& row : frame::kLessons) {
    Lesson at_once(row.id, example_results());
    std::vector<u64> hashes;
    walk_in_parts(at_once, [&] {
      at_once.settle();
      hashes.push_back(at_once.hash());
    });
    ASSERT_TRUE(at_once.at_end()) << row.title;
    Lesson lesson(row.id, example_results());
    std::size_t next = 0;
    walk_in_parts(lesson, [&] {
      most = std::max(most, lesson.parts());
      for (u32 part = lesson.part(); lesson.runs(); ++part) {
        EXPECT_EQ(lesson.part(), part);
        EXPECT_FALSE(lesson.figure_to_pick()) << row.title;
        ASSERT_TRUE(lesson.next_part());
      }
      EXPECT_FALSE(lesson.next_part());
      ASSERT_LT(next, hashes.size());
      EXPECT_EQ(lesson.hash(), hashes[next++]) << row.title;
    });
    EXPECT_EQ(next, hashes.size());
  }
  EXPECT_GT(most, 10u);
}

TEST(LessonParts, AHundredTimesBackAndForwardGiveEqualHashes) {
  for (const frame::LessonRow& row : frame::kLessons) {
    Lesson lesson(row.id, example_results());
    Rng rng(9);
    u32 turns = 0;
    walk_in_parts(lesson, [&] {
      if (lesson.parts() < 2 || lesson.parts() > 40) return lesson.settle();
      std::vector<u64> hashes = {lesson.hash()};
      while (lesson.next_part()) hashes.push_back(lesson.hash());
      for (; turns < 100; ++turns) {
        const u32 part = rng.below(static_cast<u32>(hashes.size()));
        ASSERT_TRUE(lesson.go_to_part(part));
        ASSERT_EQ(lesson.part(), part);
        ASSERT_EQ(lesson.hash(), hashes[part]) << row.title << ", part " << part;
      }
      lesson.settle();
      ASSERT_EQ(lesson.hash(), hashes.back());
    });
  }
}

TEST(LessonParts, AnAnswerCountsThoughItsPartsAreTakenBack) {
  for (const frame::LessonRow& row : frame::kLessons) {
    LessonCourse course;
    course.play_in_parts();
    course.open(row.id);
    const auto is_answer = [](const LessonTarget& target) {
      return target.kind == LessonTarget::Kind::Answer;
    };
    const auto& targets = course.view().targets;
    const auto found = std::find_if(targets.begin(), targets.end(), is_answer);
    if (found == targets.end()) continue;
    course.activate(LessonTarget(*found));
    if (!course.view().runs) continue;
    course.next_part();
    course.back_part();
    EXPECT_TRUE(course.view().runs);
    EXPECT_EQ(course.progress()[static_cast<std::size_t>(row.id)].answered, 1u) << row.title;
    course.activate({LessonTarget::Kind::Back, 0});
    EXPECT_FALSE(course.view().answered);
    EXPECT_EQ(course.progress()[static_cast<std::size_t>(row.id)].answered, 1u) << row.title;
  }
}

}  // namespace
}  // namespace spellpool::sim
