// The right answer of every question, found in another way than the lessons find it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <iterator>
#include <map>
#include <memory>
#include <sstream>

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
  EXPECT_EQ(asked[1].after.right, times < 1.2 ? 0u : times < 3 ? 1u : 2u);
  EXPECT_EQ(asked[2].right(), std::to_string(32 * 24 / 64));
  // The numbers of the explanation are those of the picture.
  const std::string& title = asked[0].after.figures.front().title;
  const std::string lines = title.substr(title.find(": ") + 2, title.find(" lines") - title.find(": ") - 2);
  const std::string sum = lines + " lines × 64 bytes ÷ 32 sparks: about " + asked[0].right();
  EXPECT_EQ(asked[0].after.explanation.find(sum), 0u)
      << asked[0].after.explanation;
}

TEST(LessonQuestions, LinksInFreeSlots) {
  const std::vector<Asked> asked = questions_of(LessonId::Union);
  ASSERT_EQ(asked.size(), 3u);
  // By the bytes below the cells alone, from slot 5 on; the wrong answers are the other free slots.
  const LessonFigure& cells = asked[0].before.figures.front();
  ASSERT_TRUE(cells.first_bytes);
  EXPECT_TRUE(cells.chain.empty());
  EXPECT_EQ(cells.title.find("released"), std::string::npos) << "their order would be the answer";
  const u32 second = cells.cells[5].first_bytes[0], third = cells.cells[second].first_bytes[0];
  EXPECT_EQ(asked[0].right(), std::to_string(third));
  std::vector<std::string> free;
  for (const frame::LessonCell& cell : cells.cells) {
    if (cell.cell == kSlotFree) free.push_back(std::to_string(cell.slot));
  }
  EXPECT_EQ(asked[0].before.answers, free);
  EXPECT_EQ(asked[0].after.figures.front().chain, (std::vector<u32>{5, 1, 6, 3}));
  EXPECT_EQ(asked[1].right(), "5") << "the first free slot until then";
  EXPECT_EQ(asked[2].right(), "7, 0, 5") << "2 was acquired again";
}

/// "…; released 7, 2; acquired 2": which kinds of pool explain it, and the slot that each would take next.
std::map<std::string, u32> next_by_kind(const std::string& title) {
  std::map<std::string, u32> next;
  for (const std::string kind : {"last", "first", "lowest"}) {
    std::deque<u32> free;
    bool explains = true;
    const auto take = [&] {
      const auto at = kind == "last"    ? free.end() - 1
                      : kind == "first" ? free.begin()
                                        : std::min_element(free.begin(), free.end());
      const u32 slot = *at;
      free.erase(at);
      return slot;
    };
    std::istringstream words(title.substr(title.find(';') + 1));
    bool acquired = false;
    for (std::string word; words >> word;) {
      if (word == "released" || word == "acquired")
        acquired = word == "acquired";
      else if (const u32 slot = static_cast<u32>(std::stoul(word)); !acquired)
        free.push_back(slot);
      else
        explains = take() == slot && explains;
    }
    if (explains) next[kind] = take();
  }
  return next;
}

TEST(LessonQuestions, OrdersOfFreeSlots) {
  const std::vector<Asked> asked = questions_of(LessonId::AcquireRelease);
  ASSERT_EQ(asked.size(), 4u);
  // The same past and future; each kind of pool ends in another slot.
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NE(asked[i].before.figures.front().title.find("released 7, 2, 5, 9"), std::string::npos);
    const std::string& title = asked[i].after.figures.front().title;
    EXPECT_EQ(asked[i].right(), title.substr(title.rfind(' ') + 1)) << title;
  }
  EXPECT_EQ(asked[0].right(), "2") << "5, 4 and 2 were released last";
  EXPECT_EQ(asked[1].right(), "7") << "2, 4 and 5 are lower";
  EXPECT_EQ(asked[2].right(), "9") << "7, 2 and 5 were released before";
  // The past of the last pool is that of one kind alone.
  const std::string& title = asked[3].before.figures.front().title;
  EXPECT_EQ(title.find("ueue"), std::string::npos) << title;
  const std::map<std::string, u32> next = next_by_kind(title);
  ASSERT_EQ(next.size(), 1u) << title;
  EXPECT_EQ(asked[3].right(), std::to_string(next.begin()->second)) << title;
  EXPECT_FALSE(asked[0].after.figures.front().bits);
  EXPECT_TRUE(asked[1].after.figures.front().bits);
}

TEST(LessonQuestions, PoliciesOfAFullPool) {
  const std::vector<Asked> asked = questions_of(LessonId::Full);
  ASSERT_EQ(asked.size(), 3u);
  // The numbers that both pools show afterwards.
  std::vector<u64> reject, oldest, both;
  for (const frame::LessonCell& cell : asked[0].after.figures[0].cells) reject.push_back(cell.serial);
  for (const frame::LessonCell& cell : asked[0].after.figures[1].cells) oldest.push_back(cell.serial);
  std::sort(reject.begin(), reject.end());
  std::sort(oldest.begin(), oldest.end());
  std::set_intersection(reject.begin(), reject.end(), oldest.begin(), oldest.end(), std::back_inserter(both));
  EXPECT_EQ(asked[0].right(), std::to_string(both.size()));
  EXPECT_EQ(asked[0].after.explanation,
            "Reject keeps #1 to #12, Steal oldest #" + std::to_string(oldest.front()) + " to #" +
                std::to_string(oldest.back()) + ".");
  // The first takes the dimmest cell; the second, the one that is the dimmest then: the same.
  std::vector<frame::LessonCell> cells = asked[1].before.figures[2].cells;
  const std::vector<frame::LessonCell>& coming = asked[1].before.figures[3].cells;
  const auto dimmest = [&] {
    return std::min_element(cells.begin(), cells.end(),
                            [](const auto& a, const auto& b) { return a.light < b.light; });
  };
  const u32 first = dimmest()->slot;
  dimmest()->light = coming[0].light;
  EXPECT_EQ(asked[1].right(), std::to_string(dimmest()->slot));
  EXPECT_EQ(dimmest()->slot, first) << "as the explanation says";
  EXPECT_EQ(asked[1].after.figures[2].cells[first].light, coming[1].light);
  EXPECT_EQ(asked[1].after.figures[2].cells[first].times_stolen, 2u);
  EXPECT_EQ(asked[2].right(), "The first bell");
}

TEST(LessonQuestions, HandlesAndIndices) {
  const std::vector<Asked> asked = questions_of(LessonId::Handles);
  ASSERT_EQ(asked.size(), 3u);
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
  const auto live = [](const LessonFigure& figure) {
    return std::count_if(figure.cells.begin(), figure.cells.end(),
                         [](const frame::LessonCell& cell) { return cell.cell >= kSlotLive; });
  };
  EXPECT_EQ(asked[1].right(), std::to_string(live(asked[1].after.figures[1]))) << "of the array";
  EXPECT_EQ(live(asked[1].after.figures[0]), 5) << "the pool, as the explanation says";
  EXPECT_TRUE(says(asked[1].before, "DoubleRelease"));
  // The same slot and generation live in both pools.
  const std::vector<LessonFigure>& pools = asked[2].before.figures;
  std::vector<std::string> same;
  for (const frame::LessonCell& other : pools[1].cells) {
    const frame::LessonCell& mine = pools[0].cells[other.slot];
    if (mine.generation == other.generation && mine.cell >= kSlotLive && other.cell >= kSlotLive)
      same.push_back(std::to_string(mine.slot));
  }
  EXPECT_EQ(same, std::vector<std::string>{asked[2].right()});
  const std::vector<frame::LessonTableRow>& calls = asked[2].after.figures.back().rows;
  ASSERT_GE(calls.size(), 2u);
  EXPECT_NE(calls[calls.size() - 2].label.find("slot " + same[0]), std::string::npos) << "what is released";
  EXPECT_EQ(calls.back().label, "other.release(handle)");
}

TEST(LessonQuestions, AWrongHandleSaysWhichIsRight) {
  Lesson lesson(LessonId::Handles);
  while (lesson.step() < 2) {
    for (const LessonCommand& command : lesson.right_commands()) lesson.apply(command);
    ASSERT_TRUE(lesson.apply({Kind::Advance}));
  }
  ASSERT_TRUE(lesson.apply({Kind::Pick, 7}));  // an empty slot: no handle at all
  EXPECT_FALSE(lesson.was_right());
  LessonView view;
  lesson.show(view);
  EXPECT_EQ(view.truth, "3");
  EXPECT_EQ(view.figures.front().cells[3].mark, frame::LessonMark::Right);
  EXPECT_EQ(view.figures.front().cells[7].mark, frame::LessonMark::Wrong);
}

TEST(LessonQuestions, LinesOfColumns) {
  const std::vector<Asked> asked = questions_of(LessonId::Lives);
  ASSERT_EQ(asked.size(), 2u);
  EXPECT_EQ(asked[0].before.figures.size(), 2u) << "the map of the columns would be the answer";
  EXPECT_EQ(asked[0].right(), std::to_string(5 * 32 * 4 / 64));
  EXPECT_EQ(asked[1].after.right, 2u) << "20 over 1 ns";
}

TEST(LessonQuestions, HolesOfAHeap) {
  const std::vector<Asked> asked = questions_of(LessonId::Fragmentation);
  ASSERT_EQ(asked.size(), 3u);
  // One hole: everything but the first and the last tag. The wrong answers: a hole, both, all without tags.
  const LessonFigure& heap = asked[0].before.figures.front();
  EXPECT_EQ(asked[0].right(), std::to_string(heap.total_bytes - 2 * 16));
  EXPECT_NE(heap.title.find("refused: 192 bytes"), std::string::npos) << heap.title;
  const u64 one = heap.blocks[0].bytes - 16, small = heap.blocks[1].bytes - 16;
  EXPECT_EQ(asked[0].before.answers,
            (std::vector<std::string>{std::to_string(one), std::to_string(2 * one),
                                      std::to_string(2 * one + small), asked[0].right()}));
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
  EXPECT_EQ(rights_of(LessonId::Pays),
            (std::vector<std::string>{"0.25× to 0.5×", "0.8× to 1.1×", "Over 1.25×"}));
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
