#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "lesson_results.hpp"
#include "sim/lessons/lesson_course.hpp"

namespace spellpool::sim {
namespace {

using frame::LessonFigure;
using frame::LessonId;
using frame::LessonMeasure;
using frame::LessonMeasurement;
using Kind = LessonCommand::Kind;

std::shared_ptr<const LessonMeasurement> shared(LessonMeasurement found) {
  return std::make_shared<const LessonMeasurement>(std::move(found));
}

TEST(LessonRanges, AValueFallsIntoARangeOnlyWithItsWholeSpread) {
  constexpr std::array kLimits = {0.8, 1.2};
  EXPECT_EQ(frame::range_of(0.5, 0.6, kLimits), 0u);
  EXPECT_EQ(frame::range_of(0.8, 1.05, kLimits), 1u);
  EXPECT_EQ(frame::range_of(1.2, 9.0, kLimits), 2u);
  EXPECT_EQ(frame::range_of(0.75, 0.95, kLimits), frame::kNoRange);
  EXPECT_EQ(frame::range_of(0.5, 2.0, kLimits), frame::kNoRange);
}

TEST(LessonMeasured, AnAnswerWaitsForItsMeasurement) {
  Lesson lesson(LessonId::Pays);
  EXPECT_EQ(lesson.wants(), std::nullopt) << "the bet comes first";
  ASSERT_TRUE(lesson.apply({Kind::Answer, 0}));
  EXPECT_TRUE(lesson.waits());
  EXPECT_EQ(lesson.wants(), LessonMeasure::PoolWins);
  EXPECT_FALSE(lesson.can_advance());
  EXPECT_FALSE(lesson.apply({Kind::Answer, 1})) << "a bet stands";
  lesson.know(LessonMeasure::PoolLoses, shared(example_bet(LessonMeasure::PoolLoses, 1.4, 1.6)));
  EXPECT_TRUE(lesson.waits()) << "another measurement decides nothing here";
  lesson.know(LessonMeasure::PoolWins, shared(example_bet(LessonMeasure::PoolWins, 0.1, 0.2)));
  EXPECT_TRUE(lesson.answered() && lesson.was_right());
  EXPECT_TRUE(lesson.can_advance());
  ASSERT_TRUE(lesson.back());
  EXPECT_FALSE(lesson.answered());
  ASSERT_TRUE(lesson.apply({Kind::Answer, 2}));
  EXPECT_TRUE(lesson.answered()) << "it is known by now";
  EXPECT_FALSE(lesson.was_right());
}

TEST(LessonMeasured, ABetThatWaitsCanBeTakenBack) {
  Lesson lesson(LessonId::Pays);
  const u64 hash = lesson.hash();
  ASSERT_TRUE(lesson.apply({Kind::Answer, 1}));
  ASSERT_TRUE(lesson.back());
  EXPECT_FALSE(lesson.waits());
  EXPECT_EQ(lesson.hash(), hash);
}

/// What the first question of a lesson says of this measurement after an answer.
frame::LessonView told_of(LessonMeasurement found) {
  frame::LessonResults results{};
  results[static_cast<std::size_t>(found.id)] = shared(found);
  Lesson lesson(LessonId::Pays, results);
  EXPECT_TRUE(lesson.apply({Kind::Answer, 0}));
  EXPECT_TRUE(lesson.answered());
  EXPECT_FALSE(lesson.was_right());
  EXPECT_TRUE(lesson.can_advance()) << "an undecided bet stops nobody";
  frame::LessonView view;
  lesson.show(view);
  return view;
}

TEST(LessonMeasured, WhatDecidesNothingIsSaid) {
  LessonMeasurement found = example_bet(LessonMeasure::PoolWins, 0.7, 1.0);
  EXPECT_EQ(told_of(found).undecided, "The spread of the measurement reaches into two of the answers.");
  EXPECT_EQ(told_of(found).right, frame::LessonView::kNone);
  found = example_bet(LessonMeasure::PoolWins, 0.7, 0.79);
  found.noise = "other programs took 48 % of the processor time";
  EXPECT_EQ(told_of(found).undecided, "Too noisy to decide: other programs took 48 % of the processor time.");
  found = {};
  found.id = LessonMeasure::PoolWins;
  found.error = "no spells";
  EXPECT_EQ(told_of(found).undecided, "There is no measurement: no spells.");
}

TEST(LessonMeasured, NoiseDecidesNothingAgainstAClearInterval) {
  LessonMeasurement found = example_bet(LessonMeasure::PoolWins, 0.7, 0.79);
  EXPECT_EQ(frame::bet_range(found), 2u);
  found.noise = "other programs took 48 % of the processor time";
  EXPECT_EQ(frame::bet_range(found), frame::kNoRange) << "identical work differed by 2 %";
  found = example_bet(LessonMeasure::PoolWins, 0.7, 0.78);
  found.noise = "other programs took 48 % of the processor time";
  EXPECT_EQ(frame::bet_range(found), 2u);
  found.control = 0.1;
  EXPECT_EQ(frame::bet_range(found), frame::kNoRange);
  LessonMeasurement walks = example_walks();
  const frame::LessonSpread three{3, 2.9, 3.1}, one{1, 1, 1};
  EXPECT_EQ(frame::walk_range(walks, three, one), 0u);
  walks.noise = "other programs took 48 % of the processor time";
  EXPECT_EQ(frame::walk_range(walks, three, one), 0u);
  EXPECT_EQ(frame::walk_range(walks, {3.4, 3.3, 3.5}, one), frame::kNoRange);
  const frame::LessonSpread slow{98, 60, 400}, fast{1, 0.8, 40};
  EXPECT_EQ(frame::walk_range(walks, slow, fast), 3u) << "98 times as long is clear whatever else ran";
}

TEST(LessonMeasured, AVerdictAgreesWithTheBandThatIsDrawn) {
  using frame::BetVerdict;
  LessonMeasurement found = example_bet(LessonMeasure::NoDifference, 0.85, 0.92);  // the control: 2 %
  EXPECT_EQ(frame::bet_verdict(found), BetVerdict::Faster) << "outside the band";
  found.control = 0.1;
  EXPECT_EQ(frame::bet_verdict(found), BetVerdict::NoDifference) << "it reaches into the band";
  EXPECT_EQ(frame::bet_verdict(example_bet(LessonMeasure::PoolLoses, 1.4, 1.6)), BetVerdict::Slower);
  EXPECT_EQ(frame::bet_verdict({}), BetVerdict::NotMeasured);
}

TEST(LessonMeasured, EachBetHasItsOwnScaleAndSaysItInItsAnswers) {
  const auto number = [](double limit) {
    std::string words = std::to_string(limit);
    words.erase(words.find_last_not_of('0') + 1);
    return words + "×";
  };
  for (const LessonStep& step : lesson_script(LessonId::Pays).steps) {
    if (!step.question.measure) continue;
    const auto& limits = frame::kLessonMeasures[static_cast<std::size_t>(*step.question.measure)].limits;
    const auto& answers = step.question.answers;
    EXPECT_EQ(answers[0], "Under " + number(limits[0]));
    EXPECT_EQ(answers[1], number(limits[0]) + " to " + number(limits[1]));
    EXPECT_EQ(answers[2], number(limits[1]) + " to " + number(limits[2]));
    EXPECT_EQ(answers[3], "Over " + number(limits[2]));
  }
}

TEST(LessonMeasured, TheWalksAreMeasuredFromTheLessonsBeginning) {
  LessonCourse course;
  EXPECT_EQ(course.wants(), std::nullopt);
  course.open(LessonId::Lives);
  EXPECT_EQ(course.wants(), LessonMeasure::Walks);
  course.know(LessonMeasure::Walks, shared(example_walks()));
  EXPECT_EQ(course.wants(), std::nullopt);
  course.leave();
  course.open(LessonId::Lives);
  EXPECT_EQ(course.wants(), std::nullopt) << "results are kept";
}

TEST(LessonMeasured, EveryAnswerAboutWalksComesFromThePoints) {
  Lesson lesson(LessonId::Lives, example_results());
  std::vector<u32> truths;
  for (;;) {
    for (const LessonCommand& command : lesson.right_commands()) ASSERT_TRUE(lesson.apply(command));
    frame::LessonView view;
    lesson.show(view);
    EXPECT_TRUE(lesson.was_right()) << view.question;
    truths.push_back(view.right);
    if (!lesson.can_advance()) break;
    ASSERT_TRUE(lesson.apply({Kind::Advance}));
  }
  ASSERT_EQ(truths.size(), 2u);
  EXPECT_EQ(truths[1], 2u) << "20 over 1 ns";
}

TEST(LessonMeasured, LinesAppearNoSoonerThanTheirAnswer) {
  Lesson lesson(LessonId::Lives, example_results());
  std::vector<std::array<std::size_t, 3>> before, after;
  const auto reach = [&] {
    frame::LessonView view;
    lesson.show(view);
    return view.figures.front().reach;
  };
  for (;;) {
    before.push_back(reach());
    for (const LessonCommand& command : lesson.right_commands()) ASSERT_TRUE(lesson.apply(command));
    after.push_back(reach());
    if (!lesson.can_advance()) break;
    ASSERT_TRUE(lesson.apply({Kind::Advance}));
  }
  using Reach = std::array<std::size_t, 3>;
  EXPECT_EQ(before[1], (Reach{0, 0, 0}));
  EXPECT_EQ(after[1], (Reach{4, 4, 4}));
}

TEST(LessonMeasured, HashesDoNotDependOnMeasurements) {
  for (const LessonId id : {LessonId::Lives, LessonId::Pays}) {
    frame::LessonResults others = example_results();
    for (auto& found : others) {
      LessonMeasurement changed = *found;
      changed.noise = "noise";
      found = shared(changed);
    }
    Lesson a(id, example_results()), b(id, others);
    for (const LessonCommand command :
         {LessonCommand{Kind::Answer, 0}, {Kind::Advance}, {Kind::Answer, 1}, {Kind::Advance}}) {
      EXPECT_EQ(a.apply(command), b.apply(command));
      EXPECT_EQ(a.hash(), b.hash());
    }
    EXPECT_EQ(a.step(), std::min(2u, a.steps() - 1));
  }
}

TEST(LessonMeasured, TheCardIsAskedForOnceAndIsNoCommand) {
  LessonCourse course;
  for (const frame::LessonMeasureRow& row : frame::kLessonMeasures)
    course.know(row.id, example_results()[static_cast<std::size_t>(row.id)]);
  course.open(LessonId::Pays);
  while (!course.lesson()->at_end()) {
    ASSERT_EQ(course.run("solve"), "");
    ASSERT_EQ(course.run("next"), "");
  }
  ASSERT_EQ(course.view().figures.front().kind, LessonFigure::Kind::Card);
  for (std::size_t i = 0; i < frame::kLessonMeasureCount; ++i)
    EXPECT_EQ(course.view().figures.front().measured[i], course.results()[i]);
  const u64 hash = course.lesson()->hash();
  ASSERT_EQ(course.run("choose 1"), "");
  const std::optional<LessonOp> asked = course.take_outside();
  ASSERT_TRUE(asked);
  EXPECT_EQ(asked->kind, LessonOpKind::SaveCard);
  EXPECT_EQ(course.take_outside(), std::nullopt);
  EXPECT_EQ(course.lesson()->hash(), hash);
}

TEST(LessonVoices, CellsAndTableAreWhatTheVoicePoolSaid) {
  const std::unique_ptr<LessonModel> model = make_full_model();
  std::vector<LessonFigure> figures;
  model->show(kShowVoices | kShowTable, figures);
  EXPECT_EQ(model->value(LessonAsk::FirstRefused), std::nullopt) << "nothing is known yet";
  model->know(example_results(), std::nullopt);
  figures.clear();
  model->show(kShowVoices | kShowTable, figures);
  EXPECT_EQ(model->value(LessonAsk::FirstRefused), 1) << "sound 7 is the second that is asked about";
  const frame::LessonMeasurement said = example_voices();
  ASSERT_EQ(figures.size(), said.voices.size() + 1);
  for (std::size_t i = 0; i < said.voices.size(); ++i) {
    const frame::LessonVoiceRow& row = said.voices[i];
    ASSERT_EQ(figures[i].cells.size(), row.slots.size());
    for (std::size_t slot = 0; slot < row.slots.size(); ++slot) {
      EXPECT_EQ(figures[i].cells[slot].serial, row.slots[slot].sound);
      EXPECT_GE(figures[i].cells[slot].cell, kSlotLive);
    }
    EXPECT_EQ(figures.back().rows[i].values[0], std::to_string(row.rejected));
    EXPECT_EQ(figures.back().rows[i].values[1], std::to_string(row.stolen));
    EXPECT_EQ(figures.back().rows[i].values[2], std::to_string(row.silenced));
    EXPECT_EQ(figures.back().rows[i].values[3], std::to_string(row.resumed));
  }
  figures.clear();
  model->show(kShowVoices, figures);
  for (const LessonFigure& figure : figures) {
    for (const frame::LessonCell& cell : figure.cells)
      EXPECT_EQ(cell.cell, kSlotFree) << "not before the answer";
  }
}

TEST(LessonWalk, DrawnLinesEqualACounterOfItsOwn) {
  const std::unique_ptr<LessonModel> model = make_walk_model();
  for (const i32 count : {1, 15, 16, 17, 32, 64}) {
    model->apply({LessonOpKind::Lay, count});
    std::vector<LessonFigure> figures;
    model->show(kShowArray, figures);
    ASSERT_EQ(figures.size(), 3u);
    for (const LessonFigure& figure : figures) {
      for (const MemoryPage& page : figure.pages) EXPECT_EQ(page.touched, 0u) << "not before the update";
    }
    model->apply({LessonOpKind::Touch});
    figures.clear();
    model->show(kShowArray, figures);
    std::array<u64, 3> lines{};
    u64 scattered_held = 0;
    for (const MemoryPage& page : figures[0].pages) scattered_held += std::popcount(page.held);
    for (std::size_t i = 0; i < 3; ++i) {
      for (const MemoryPage& page : figures[i].pages) {
        EXPECT_EQ(page.touched & ~page.held, 0u);
        for (u64 line = 0; line < 64; ++line) lines[i] += page.touched >> line & 1;
      }
      EXPECT_NE(figures[i].title.find("touches " + std::to_string(lines[i]) + " lines"), std::string::npos);
    }
    // Five columns from the start of a line each; packed sparks fill a line each; a scattered one has 20
    // bytes in one line or two.
    std::set<u64> column;
    for (u64 byte = 0; byte < static_cast<u64>(count) * 4; ++byte) column.insert(byte / 64);
    EXPECT_EQ(lines[2], 5 * column.size());
    EXPECT_EQ(model->value(LessonAsk::ColumnLines), static_cast<i64>(lines[2]));
    EXPECT_EQ(lines[1], static_cast<u64>(count));
    EXPECT_GE(lines[0], static_cast<u64>(count) / 2);
    EXPECT_LE(lines[0], static_cast<u64>(count) * 2);
    // The blocks lie 80 bytes apart: of every four one is on a line's last 16 bytes and reads two lines, one
    // begins a line, and two leave their second line alone, but where the next spark begins in it.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // whose malloc places blocks otherwise
    if (count == 64) {
      EXPECT_LT(lines[0] + 10, scattered_held) << "only the 20 bytes that move are read";
    }
#endif
  }
}

}  // namespace
}  // namespace spellpool::sim
