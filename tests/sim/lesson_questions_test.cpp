// The right answer of every question, found in another way than the lessons find it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>

#include "lesson_results.hpp"
#include "sim/lessons/lesson_course.hpp"

namespace spellpool::sim {
namespace {

using frame::LessonFigure;
using frame::LessonId;
using frame::LessonView;
using Kind = LessonCommand::Kind;

/// A question as a person sees it, and once it was answered rightly.
struct Asked {
  LessonView before, after;

  /// The words of the right answer, or the right cells.
  std::string right() const {
    return after.right < after.answers.size() ? after.answers[after.right] : after.truth;
  }
};

/// All questions of a lesson, in order.
std::vector<Asked> questions_of(LessonId id) {
  std::vector<Asked> all;
  Lesson lesson(id, example_results());
  for (;;) {
    if (lesson.asks()) {
      Asked asked;
      lesson.show(asked.before);
      for (const LessonCommand& command : lesson.right_commands()) EXPECT_TRUE(lesson.apply(command));
      lesson.show(asked.after);
      EXPECT_TRUE(asked.after.was_right) << asked.before.question;
      all.push_back(std::move(asked));
    }
    if (!lesson.can_advance()) return all;
    EXPECT_TRUE(lesson.apply({Kind::Advance}));
  }
}

std::vector<std::string> rights_of(LessonId id) {
  std::vector<std::string> rights;
  for (const Asked& asked : questions_of(id)) rights.push_back(asked.right());
  return rights;
}

/// The least distance of two blocks of 24 bytes among many.
std::uintptr_t distance_of_blocks() {
  std::vector<std::unique_ptr<std::array<std::byte, 24>>> blocks(4'000);
  std::vector<std::uintptr_t> places;
  for (auto& block : blocks) {
    block = std::make_unique<std::array<std::byte, 24>>();
    places.push_back(reinterpret_cast<std::uintptr_t>(block.get()));
  }
  std::sort(places.begin(), places.end());
  std::uintptr_t least = ~std::uintptr_t{0};
  for (std::size_t i = 1; i < places.size(); ++i) least = std::min(least, places[i] - places[i - 1]);
  return least;
}

TEST(LessonQuestions, TheHeapAndItsLines) {
  const std::vector<Asked> asked = questions_of(LessonId::Heap);
  ASSERT_EQ(asked.size(), 3u);
  EXPECT_EQ(asked[0].right(), std::to_string(distance_of_blocks()));
  // The table says both numbers of lines.
  const LessonFigure& table = asked[1].after.figures.back();
  ASSERT_EQ(table.rows.size(), 2u);
  const double at_first = std::stod(table.rows[0].values[0]), now = std::stod(table.rows[1].values[0]);
  const double times = now / at_first;
  EXPECT_EQ(asked[1].after.right, times < 1.4 ? 0u : times < 3 ? 1u : 2u);
  EXPECT_EQ(asked[2].right(), std::to_string(32 * 24 / 64));
}

TEST(LessonQuestions, LinksInFreeSlots) {
  const std::vector<Asked> asked = questions_of(LessonId::Union);
  ASSERT_EQ(asked.size(), 3u);
  const LessonFigure& bytes = asked[0].before.figures.back();
  ASSERT_EQ(bytes.kind, LessonFigure::Kind::Bytes);
  EXPECT_EQ(bytes.bytes[0], 6u);
  EXPECT_TRUE(bytes.fields.empty()) << "its name would be the answer";
  EXPECT_TRUE(asked[0].before.figures.front().chain.empty());
  EXPECT_EQ(asked[0].after.figures.front().chain, (std::vector<u32>{3, 6}));
  EXPECT_EQ(asked[0].right(), "The next free slot is 6");
  EXPECT_EQ(asked[1].right(), "3");
  EXPECT_EQ(asked[2].right(), "5, 0, 2");
}

TEST(LessonQuestions, OrdersOfFreeSlots) {
  const std::vector<Asked> asked = questions_of(LessonId::AcquireRelease);
  ASSERT_EQ(asked.size(), 4u);
  EXPECT_EQ(asked[0].right(), "5") << "released last";
  EXPECT_EQ(asked[1].right(), "2") << "lowest";
  EXPECT_EQ(asked[2].right(), "7") << "released first";
  const std::string& title = asked[3].before.figures.front().title;
  const std::string order = "in this order: ";
  const std::string slots = title.substr(title.find(order) + order.size());
  EXPECT_EQ(asked[3].right(), slots.substr(0, slots.find(','))) << title;
  EXPECT_FALSE(asked[0].after.figures.front().bits);
  EXPECT_TRUE(asked[1].after.figures.front().bits);
}

TEST(LessonQuestions, PoliciesOfAFullPool) {
  const std::vector<Asked> asked = questions_of(LessonId::Full);
  ASSERT_EQ(asked.size(), 4u);
  EXPECT_EQ(asked[0].right(), "6");
  // The dimmest cell, and no other is as dim.
  std::vector<frame::LessonCell> cells = asked[1].before.figures[2].cells;
  std::sort(cells.begin(), cells.end(), [](const auto& a, const auto& b) { return a.light < b.light; });
  EXPECT_LT(cells[0].light, cells[1].light);
  EXPECT_EQ(asked[1].right(), std::to_string(cells[0].slot));
  // From twelve slots to as many as there are now, by six.
  const LessonFigure& grow = asked[2].after.figures[3];
  EXPECT_EQ(asked[2].right(), std::to_string((grow.cells.size() - 12) / 6));
  EXPECT_NE(grow.title.find("31 of 36"), std::string::npos) << grow.title;
  EXPECT_EQ(asked[3].right(), "The first bell");
}

TEST(LessonQuestions, HandlesAndIndices) {
  const std::vector<Asked> asked = questions_of(LessonId::Handles);
  ASSERT_EQ(asked.size(), 5u);
  EXPECT_FALSE(asked[0].before.figures.front().generations) << "they would be the answer";
  EXPECT_EQ(asked[0].right(), "5") << "3, one release, one acquire";
  const auto says = [](const LessonView& view, std::string_view words) {
    const auto& rows = view.figures.back().rows;
    return std::any_of(rows.begin(), rows.end(), [&](const frame::LessonTableRow& row) {
      return row.values[0].find(words) != std::string::npos;
    });
  };
  EXPECT_TRUE(says(asked[0].after, "null"));
  EXPECT_TRUE(says(asked[0].after, "painted the cyan spark"));
  EXPECT_EQ(asked[1].right(), "1 and 1");
  EXPECT_TRUE(says(asked[1].after, "DoubleRelease"));
  EXPECT_EQ(asked[2].right(), "Green");
  EXPECT_EQ(asked[2].after.figures[1].cells[3].hue, 4u);
  EXPECT_EQ(frame::kLessonHues[4].name, "green");
  EXPECT_EQ(asked[3].right(), std::to_string((255 - 3) / 2 + 1));
  // The same slot and generation live in both pools.
  const std::vector<LessonFigure>& pools = asked[4].before.figures;
  std::vector<std::string> same;
  for (const frame::LessonCell& other : pools[1].cells) {
    const frame::LessonCell& mine = pools[0].cells[other.slot];
    if (mine.generation == other.generation && mine.cell >= kSlotLive && other.cell >= kSlotLive)
      same.push_back("Slot " + std::to_string(mine.slot) + ", generation " + std::to_string(mine.generation));
  }
  EXPECT_EQ(same, std::vector<std::string>{asked[4].right()});
  EXPECT_TRUE(says(asked[4].after, "ForeignHandle"))
      << "of slot 1: a generation that the other has not reached";
  for (const std::string& answer : asked[4].before.answers) {
    const auto slot = static_cast<std::size_t>(answer[5] - '0');
    EXPECT_EQ(answer, "Slot " + std::to_string(slot) + ", generation " +
                          std::to_string(pools[0].cells[slot].generation));
    EXPECT_GE(pools[0].cells[slot].cell, kSlotLive);
  }
}

TEST(LessonQuestions, LinesOfColumns) {
  const std::vector<Asked> asked = questions_of(LessonId::Lives);
  ASSERT_EQ(asked.size(), 2u);
  EXPECT_EQ(asked[0].before.figures.size(), 2u) << "the map of the columns would be the answer";
  EXPECT_EQ(asked[0].right(), std::to_string(5 * 32 * 4 / 64));
  EXPECT_EQ(asked[1].after.right, 3u) << "20 over 1 ns";
}

TEST(LessonQuestions, HolesOfAHeap) {
  const std::vector<Asked> asked = questions_of(LessonId::Fragmentation);
  ASSERT_EQ(asked.size(), 3u);
  EXPECT_EQ(asked[0].right(), "112");
  // Of all blocks only one makes room for 192 bytes: both holes beside it, itself, and two tags.
  const std::vector<frame::LessonBlock>& blocks = asked[1].before.figures.front().blocks;
  std::vector<u32> fits;
  for (u32 i = 0; i < blocks.size(); ++i) {
    if (blocks[i].free) continue;
    u64 bytes = blocks[i].bytes;
    if (i > 0 && blocks[i - 1].free) bytes += blocks[i - 1].bytes;
    if (i + 1 < blocks.size() && blocks[i + 1].free) bytes += blocks[i + 1].bytes;
    if (bytes - 16 >= 192) fits.push_back(i);
  }
  ASSERT_EQ(fits.size(), 1u);
  for (u32 i = 0; i < blocks.size(); ++i) {
    Lesson lesson(LessonId::Fragmentation);
    for (const LessonCommand& command : lesson.right_commands()) lesson.apply(command);
    ASSERT_TRUE(lesson.apply({Kind::Advance}));
    ASSERT_TRUE(lesson.apply({Kind::Pick, i}));
    EXPECT_EQ(lesson.was_right(), i == fits[0]) << i;
  }
  // The same heap is filled with sparks.
  EXPECT_NE(asked[2].before.figures.front().title.find("refused: 192 bytes"), std::string::npos);
  const std::unique_ptr<LessonModel> model = make_heap_model();
  for (const LessonStep& step : lesson_script(LessonId::Fragmentation).steps) {
    for (const LessonOp& op : step.begin) {
      if (op.kind != LessonOpKind::None) model->apply(op);
    }
    if (step.question.ask == LessonAsk::SparksThatFit) break;
  }
  int count = -1;
  do {
    model->apply({LessonOpKind::Allocate, 32});
    ++count;
  } while (model->value(LessonAsk::Fitted) == 1);
  EXPECT_EQ(asked[2].right(), std::to_string(count));
}

TEST(LessonQuestions, BetsAreDecidedByTheirIntervals) {
  EXPECT_EQ(rights_of(LessonId::Pays), (std::vector<std::string>{"Less than 0.8 times as long",
                                                                 "0.8 to 1.2 times", "More than 1.2 times"}));
}

TEST(LessonQuestions, SlotsThatAnEightBitGameLooksAt) {
  const std::vector<Asked> asked = questions_of(LessonId::EightBit);
  ASSERT_EQ(asked.size(), 4u);
  EXPECT_EQ(asked[0].right(), "4") << "three are in use";
  EXPECT_FALSE(asked[1].before.figures.front().console.shows_move) << "that would be the answer";
  EXPECT_EQ(asked[1].right(), "16");
  EXPECT_EQ(asked[2].right(), "1");
  EXPECT_EQ(asked[3].before.figures.front().console.live, 5u);
  EXPECT_EQ(asked[3].right(), "4") << "the last of five";
}

}  // namespace
}  // namespace spellpool::sim
