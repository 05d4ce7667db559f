#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <functional>
#include <set>
#include <sstream>

#include "lesson_results.hpp"
#include "pool/memory/console_heap.hpp"
#include "pool/policy.hpp"
#include "sim/lessons/lesson_course.hpp"

namespace spellpool::sim {
namespace {

using frame::LessonFigure;
using frame::LessonId;
using frame::LessonTarget;
using Kind = LessonCommand::Kind;

std::size_t words_in(std::string_view text) {
  std::istringstream words{std::string(text)};
  std::size_t count = 0;
  for (std::string word; words >> word;) ++count;
  return count;
}

template <class F>
void for_each_step(F&& f) {
  for (const frame::LessonRow& row : frame::kLessons) {
    for (const LessonStep& step : lesson_script(row.id).steps) f(row.id, step);
  }
}

std::vector<LessonFigure> figures_of(const LessonModel& model, u8 shows) {
  std::vector<LessonFigure> figures;
  model.show(shows, figures);
  return figures;
}

TEST(LessonScripts, EveryTextHasAtMostFortyWords) {
  for_each_step([](LessonId, const LessonStep& step) {
    EXPECT_LE(words_in(step.text), 40u) << step.text;
    EXPECT_LE(words_in(step.question.words), 40u) << step.question.words;
    EXPECT_LE(words_in(step.question.explanation), 40u) << step.question.explanation;
  });
}

TEST(LessonScripts, TheEightLessonsAskTwentyFourQuestions) {
  u32 questions = 0;
  for (const frame::LessonRow& row : frame::kLessons) {
    EXPECT_GE(question_count(row.id), 2u) << row.title;
    if (row.id != LessonId::EightBit) questions += question_count(row.id);
  }
  EXPECT_GE(questions, 24u);
  EXPECT_LE(questions, 30u);
}

/// A person reads 180 words a minute and takes eight seconds to answer.
double pass_s(LessonId id) {
  std::size_t words = 0;
  for (const LessonStep& step : lesson_script(id).steps) {
    words += words_in(step.text) + words_in(step.question.words) + words_in(step.question.explanation);
    for (const std::string_view answer : step.question.answers) words += words_in(answer);
  }
  return static_cast<double>(words) / 3.0 + 8.0 * question_count(id);
}

TEST(LessonScripts, APassOfTheEightLessonsTakesTwelveMinutes) {
  double all_s = 0;
  for (const frame::LessonRow& row : frame::kLessons) {
    EXPECT_LE(pass_s(row.id), 75) << row.title << ": cut words or a question";
    if (row.id != LessonId::EightBit) all_s += pass_s(row.id);
  }
  EXPECT_LE(all_s, 12 * 60) << "cut words or a question";
}

TEST(LessonScripts, TheirModelKnowsEveryOperationAndEveryQuestion) {
  for_each_step([](LessonId id, const LessonStep& step) {
    const std::unique_ptr<LessonModel> model = make_lesson_model(lesson_script(id).model);
    model->know(example_results(), step.question.measure);
    const auto known = [&](LessonOp op) {
      if (op.a == kPickedCell) op.a = 0;
      return op.kind == LessonOpKind::None || model->apply(op);
    };
    for (const LessonOp& op : step.begin) EXPECT_TRUE(known(op)) << step.text;
    for (const LessonOp& op : step.reveal) EXPECT_TRUE(known(op)) << step.text;
    for (const LessonChoice& choice : step.choices) {
      for (const LessonOp& op : choice.ops) EXPECT_TRUE(known(op)) << step.text;
    }
    EXPECT_TRUE(known(step.touch)) << step.text;
    const QuestionKind kind = step.question.kind;
    if (kind != QuestionKind::None && kind != QuestionKind::Cells) {
      EXPECT_TRUE(model->value(step.question.ask)) << step.text;
    }
  });
}

TEST(LessonScripts, EveryQuestionHasOneRightAnswerAndAWrongOne) {
  for (const frame::LessonRow& row : frame::kLessons) {
    Lesson lesson(row.id, example_results());
    for (;;) {
      if (lesson.asks()) {
        frame::LessonView view;
        lesson.show(view);
        u32 right = 0;
        const u32 answers = static_cast<u32>(view.answers.size());
        for (u32 answer = 0; answer < answers; ++answer) {
          ASSERT_TRUE(lesson.apply({Kind::Answer, answer})) << view.question;
          right += lesson.was_right() ? 1 : 0;
          ASSERT_TRUE(lesson.back());
        }
        if (answers > 0) {
          EXPECT_EQ(right, 1u) << view.question;
          EXPECT_GE(answers, 3u) << view.question;
        }
        for (const LessonCommand& command : lesson.right_commands())
          ASSERT_TRUE(lesson.apply(command)) << view.question;
        EXPECT_TRUE(lesson.answered() && lesson.was_right()) << view.question;
      }
      if (!lesson.can_advance()) break;
      ASSERT_TRUE(lesson.apply({Kind::Advance}));
    }
    EXPECT_TRUE(lesson.at_end()) << row.title;
  }
}

/// A pool's free slots as a plain list, in the order in which they will be used.
struct Reference {
  pool::StrategyId strategy;
  std::deque<u32> free;
  std::set<u32> live;

  Reference(pool::StrategyId s, u32 capacity) : strategy(s) {
    for (u32 slot = 0; slot < capacity; ++slot) free.push_back(slot);
  }
  void acquire() {
    if (free.empty()) return;
    live.insert(free.front());
    free.pop_front();
  }
  void release(u32 slot) {
    if (live.erase(slot) == 0) return;
    if (strategy == pool::StrategyId::FreeList)
      free.push_front(slot);
    else
      free.push_back(slot);
    if (strategy == pool::StrategyId::Bitmap) std::sort(free.begin(), free.end());
  }
};

TEST(LessonPool, DrawnCellsAndChainEqualAPlainListAfterEveryOperation) {
  for (const pool::StrategyId strategy :
       {pool::StrategyId::FreeList, pool::StrategyId::Bitmap, pool::StrategyId::Queue}) {
    const std::unique_ptr<LessonModel> model = make_pool_model();
    ASSERT_TRUE(model->apply({LessonOpKind::Begin, static_cast<i32>(strategy), 10}));
    Reference reference(strategy, 10);
    Rng rng(3);
    for (int i = 0; i < 500; ++i) {
      const u32 slot = rng.below(10);
      if (rng.below(2) == 0) {
        const std::vector<LessonFigure> before = figures_of(*model, kShowChain);
        model->apply({LessonOpKind::Acquire, 1});
        if (reference.free.empty()) {
          EXPECT_TRUE(model->took().empty());
        } else {
          ASSERT_EQ(model->took().size(), 1u);
          EXPECT_EQ(before[0].chain.front(), model->took()[0]) << "the chain predicts the next acquire";
          EXPECT_EQ(reference.free.front(), model->took()[0]);
        }
        reference.acquire();
      } else {
        model->apply({LessonOpKind::Release, static_cast<i32>(slot)});
        reference.release(slot);
      }
      const std::vector<LessonFigure> figures = figures_of(*model, kShowChain);
      ASSERT_EQ(figures[0].cells.size(), 10u);
      for (const frame::LessonCell& cell : figures[0].cells) {
        EXPECT_EQ(cell.cell >= kSlotLive, reference.live.count(cell.slot) == 1) << cell.slot;
        EXPECT_EQ(cell.generation % 2 == 1, reference.live.count(cell.slot) == 1) << cell.slot;
      }
      ASSERT_EQ(figures[0].chain, std::vector<u32>(reference.free.begin(), reference.free.end()));
    }
  }
}

TEST(LessonPool, TheLinksReadFromFreeSlotsAreTheChain) {
  const std::unique_ptr<LessonModel> model = make_pool_model();
  for (const LessonOp op : {LessonOp{LessonOpKind::Acquire, 8},
                            {LessonOpKind::Release, 6},
                            {LessonOpKind::Release, 1},
                            {LessonOpKind::Release, 4},
                            {LessonOpKind::Focus, 4}}) {
    model->apply(op);
  }
  const std::vector<LessonFigure> figures = figures_of(*model, kShowChain | kShowBytes);
  const std::vector<u32>& chain = figures[0].chain;
  ASSERT_EQ(chain, (std::vector<u32>{4, 1, 6}));
  for (std::size_t i = 0; i + 1 < chain.size(); ++i) EXPECT_EQ(figures[0].cells[chain[i]].link, chain[i + 1]);
  EXPECT_EQ(figures[0].cells[chain.back()].link, frame::kNoCell);
  EXPECT_EQ(figures[1].bytes.size(), 24u);
  EXPECT_EQ(figures[1].bytes[0], 1u) << "slot 4 names slot 1 in its first byte";
}

TEST(LessonFull, EverySparkIsSomewhereAndTheTableIsTheSum) {
  const std::unique_ptr<LessonModel> model = make_full_model();
  u32 made = 0;
  for (const i32 flood : {12, 6, 1, 12, 3}) {
    model->apply({LessonOpKind::Flood, flood});
    made += static_cast<u32>(flood);
    const std::vector<LessonFigure> figures = figures_of(*model, kShowTable);
    ASSERT_EQ(figures.size(), 6u);
    for (std::size_t pool = 0; pool < 5; ++pool) {
      u32 live = 0;
      for (const frame::LessonCell& cell : figures[pool].cells)
        live += (cell.cell & 0x7f) >= kSlotLive ? 1 : 0;
      EXPECT_EQ(live + static_cast<u32>(std::stoul(figures[5].rows[pool].values[0])), made)
          << figures[pool].title;
      EXPECT_EQ(figures[5].rows[pool].values[2], std::to_string(figures[pool].cells.size()));
    }
  }
}

TEST(LessonFull, TheOldestSparkIsTheOneThatIsStolen) {
  const std::unique_ptr<LessonModel> model = make_full_model();
  model->apply({LessonOpKind::Flood, 30});
  const std::vector<LessonFigure> before = figures_of(*model, kShowAge);
  const auto oldest = std::min_element(before[1].cells.begin(), before[1].cells.end(),
                                       [](const auto& a, const auto& b) { return a.serial < b.serial; });
  model->apply({LessonOpKind::Flood, 1});
  EXPECT_EQ(figures_of(*model, kShowAge)[1].cells[oldest->slot].serial, 31u);
}

TEST(LessonFull, TheDimmestSparkIsTheOneThatStealLeastTakes) {
  const std::unique_ptr<LessonModel> model = make_full_model();
  for (int i = 12; i < 40; ++i) {
    model->apply({LessonOpKind::Flood, 1});
    const std::vector<LessonFigure> before = figures_of(*model, kShowThree | kShowLight);
    ASSERT_EQ(before.size(), 3u);
    if (before[2].cells.back().cell == kSlotFree) continue;  // not full yet
    const auto dimmest = std::min_element(before[2].cells.begin(), before[2].cells.end(),
                                          [](const auto& a, const auto& b) { return a.light < b.light; });
    model->apply({LessonOpKind::Flood, 1});
    ASSERT_EQ(model->took().size(), 1u);
    EXPECT_EQ(before[2].cells[model->took()[0]].light, dimmest->light);
  }
}

TEST(LessonFull, MarksOfStolenSlotsFadeAsStepsPass) {
  const std::unique_ptr<LessonModel> model = make_full_model();
  const auto marked = [&] {
    u32 count = 0;
    const std::vector<LessonFigure> figures = figures_of(*model, kShowTwo);
    for (const frame::LessonCell& cell : figures[1].cells) count += (cell.cell & kSlotStolen) != 0 ? 1 : 0;
    return count;
  };
  model->apply({LessonOpKind::Flood, 12});
  model->apply({LessonOpKind::Flood, 3});
  EXPECT_EQ(marked(), 3u);
  EXPECT_NE(figures_of(*model, kShowTwo)[1].title.find("stolen: 3 slots (red)"), std::string::npos);
  model->apply({LessonOpKind::Steps, 10});
  EXPECT_EQ(marked(), 0u);
  EXPECT_EQ(figures_of(*model, kShowTwo)[1].title.find("stolen"), std::string::npos);
}

TEST(LessonFull, ASlotThatIsStolenTwiceSaysSo) {
  const std::unique_ptr<LessonModel> model = make_full_model();
  model->apply({LessonOpKind::Flood, 12});
  model->apply({LessonOpKind::Flood, 14});
  const std::vector<LessonFigure> figures = figures_of(*model, kShowTwo);
  u32 steals = 0;
  for (const frame::LessonCell& cell : figures[1].cells) steals += cell.times_stolen;
  EXPECT_EQ(steals, 14u);
  EXPECT_EQ(figures[1].cells[0].times_stolen, 2u);
  EXPECT_NE(figures[1].title.find("stolen: 12 slots (red), 14 times in all"), std::string::npos)
      << figures[1].title;
}

TEST(LessonHandles, AForgottenResetLeavesTheOldHue) {
  const std::unique_ptr<LessonModel> model = make_handle_model();
  for (const LessonOp op : {LessonOp{LessonOpKind::Spawn, 4, 1},
                            {LessonOpKind::Keep, 0, 1},
                            {LessonOpKind::ReleaseKept, 0, 1},
                            {LessonOpKind::NoReset},
                            {LessonOpKind::Spawn, 1, 1}})
    model->apply(op);
  const std::vector<LessonFigure> figures = figures_of(*model, kShowArray);
  EXPECT_EQ(figures[1].cells[0].hue, 4) << "not 1, which it was given";
  EXPECT_EQ(figures.back().rows.back().values[0], "slot 0, still green");
  EXPECT_NE(figures.back().rows.back().values[1], figures.back().rows.front().values[1]) << "another line";
}

TEST(LessonHandles, AnOldHandleIsFoundOutAndAnOldIndexIsNot) {
  const std::unique_ptr<LessonModel> model = make_handle_model();
  for (const i32 array : {0, 1}) {
    const auto hue = [&] {
      return figures_of(*model, kShowArray)[static_cast<std::size_t>(array)].cells[0].hue;
    };
    model->apply({LessonOpKind::Spawn, 0, array});
    model->apply({LessonOpKind::Keep, 0, array});
    model->apply({LessonOpKind::PaintKept, 2, array});
    EXPECT_EQ(hue(), 2) << "it lives";
    model->apply({LessonOpKind::ReleaseKept, 0, array});
    model->apply({LessonOpKind::Spawn, 1, array});
    model->apply({LessonOpKind::PaintKept, 2, array});
    EXPECT_EQ(hue(), array == 1 ? 2 : 1);
  }
}

TEST(LessonHandles, EveryWrongReleaseHasItsName) {
  const std::unique_ptr<LessonModel> model = make_handle_model();
  const auto result = [&](LessonOp op) {
    model->apply(op);
    return figures_of(*model, 0).back().rows.back().values[0];
  };
  model->apply({LessonOpKind::Spawn, 0});
  model->apply({LessonOpKind::Keep, 0});
  EXPECT_EQ(result({LessonOpKind::ReleaseKept}), "Released");
  EXPECT_EQ(result({LessonOpKind::ReleaseKept}), "DoubleRelease");
  model->apply({LessonOpKind::Spawn, 0});
  EXPECT_EQ(result({LessonOpKind::ReleaseKept}), "StaleHandle");
  model->apply({LessonOpKind::Spawn, 0});
  for (int i = 0; i < 4; ++i) model->apply({LessonOpKind::Spawn, 0});
  model->apply({LessonOpKind::Keep, 4});  // a slot that the other pool does not have
  EXPECT_EQ(result({LessonOpKind::ForeignKept}), "ForeignHandle");
}

TEST(LessonHandles, AWornSlotIsRetiredAfterAllItsGenerations) {
  const std::unique_ptr<LessonModel> model = make_handle_model();
  model->apply({LessonOpKind::Wear});
  const std::vector<LessonFigure> figures = figures_of(*model, 0);
  EXPECT_EQ(std::count_if(figures[0].cells.begin(), figures[0].cells.end(),
                          [](const frame::LessonCell& cell) { return cell.cell == kSlotRetired; }),
            1);
}

TEST(LessonHeap, TheMapIsTheAddressesThatTheHeapHandedOut) {
  const std::unique_ptr<LessonModel> model = make_heap_model();
  model->apply({LessonOpKind::HeapOf, 64});
  pool::ConsoleHeap heap(64 * 16);
  std::vector<void*> blocks;
  Rng rng(9);
  for (int i = 0; i < 300; ++i) {
    if (rng.below(3) != 0) {
      const u32 bytes = 1 + rng.below(200);
      void* const block = heap.allocate(bytes);
      model->apply({LessonOpKind::Allocate, static_cast<i32>(bytes), 1});
      EXPECT_EQ(model->value(LessonAsk::Fitted), block != nullptr ? 1 : 0);
      if (block != nullptr) blocks.push_back(block);
    } else if (!blocks.empty()) {
      const std::size_t chosen = rng.below(static_cast<u32>(blocks.size()));
      const std::vector<LessonFigure> figures = figures_of(*model, 0);
      i32 number = -1;
      for (std::size_t k = 0; k < figures[0].blocks.size(); ++k) {
        if (figures[0].blocks[k].offset + 16 == heap.offset_of(blocks[chosen])) number = static_cast<i32>(k);
      }
      ASSERT_GE(number, 0) << "a live block that is not drawn";
      model->apply({LessonOpKind::FreeBlock, number});
      heap.deallocate(blocks[chosen]);
      blocks.erase(blocks.begin() + static_cast<std::ptrdiff_t>(chosen));
    }
    const std::vector<LessonFigure> figures = figures_of(*model, 0);
    std::set<u64> drawn, handed_out;
    u64 next = 0;
    for (const frame::LessonBlock& block : figures[0].blocks) {
      EXPECT_EQ(block.offset, next) << "blocks touch";
      next = block.offset + block.bytes;
      if (!block.free) drawn.insert(block.offset + 16);
    }
    EXPECT_EQ(next + 16, figures[0].total_bytes);
    for (void* block : blocks) handed_out.insert(heap.offset_of(block));
    ASSERT_EQ(drawn, handed_out);
    EXPECT_EQ(model->value(LessonAsk::LargestHole), static_cast<i64>(heap.stats().largest_free));
  }
}

TEST(LessonHeap, TheHeapRefusesWithEnoughBytesFreeAndThePoolsNever) {
  const std::unique_ptr<LessonModel> model = make_heap_model();
  model->apply({LessonOpKind::HeapOf, 128});
  model->apply({LessonOpKind::Play, 2'000});
  EXPECT_EQ(model->value(LessonAsk::Fitted), 0);
  const std::vector<LessonFigure> figures = figures_of(*model, kShowTable);
  EXPECT_GE(std::stoul(figures.back().rows[0].values[1]), 32u) << "bytes free";
  for (int i = 0; i < 20; ++i) model->apply({LessonOpKind::Play, 2'000});
  EXPECT_EQ(figures_of(*model, kShowTable).back().rows[1].values[0], "0") << "refused by the pools";
}

/// The lines that reading `bytes` bytes from `address` on brings into a cache, one byte after the other.
std::set<u64> lines_read(u64 address, u64 bytes) {
  std::set<u64> lines;
  for (u64 i = 0; i < bytes; ++i) lines.insert((address + i) / 64);
  return lines;
}

TEST(LessonMemory, DrawnLinesOfThePoolEqualACounterOfItsOwn) {
  const std::unique_ptr<LessonModel> model = make_memory_model();
  for (const LessonOp op : {LessonOp{LessonOpKind::New, 32}, {LessonOpKind::Age, 200}, {LessonOpKind::Touch}})
    model->apply(op);
  const std::vector<LessonFigure> figures = figures_of(*model, kShowArray | kShowTable);
  ASSERT_EQ(figures.size(), 3u);
  // 32 objects side by side from the start of a line: the pool packs them and begins on one.
  EXPECT_EQ(model->value(LessonAsk::PoolLines), static_cast<i64>(lines_read(1'024 * 64, 32 * 24).size()));
  for (std::size_t map = 0; map < 2; ++map) {
    std::set<u64> drawn;
    for (const MemoryPage& page : figures[map].pages) {
      EXPECT_EQ(page.touched & ~page.held, 0u) << "only what holds a spark is read";
      for (u64 line = 0; line < 64; ++line) {
        if ((page.touched >> line & 1) != 0) drawn.insert(page.number * 64 + line);
      }
    }
    EXPECT_EQ(std::to_string(drawn.size()), figures[2].rows[map].values[0]);
    if (map == 1) {
      EXPECT_EQ(*drawn.rbegin() - *drawn.begin() + 1, drawn.size()) << "without a gap";
    } else {
      EXPECT_GE(drawn.size(), 32u * 24 / 64);
    }
  }
}

/// Everything that can be done in a lesson now.
std::vector<LessonCommand> possible(const Lesson& lesson) {
  std::vector<LessonCommand> commands;
  if (lesson.can_advance()) commands.push_back({Kind::Advance});
  frame::LessonView view;
  lesson.show(view);
  for (u32 i = 0; i < view.choices.size(); ++i) commands.push_back({Kind::Choose, i});
  for (u32 i = 0; !lesson.answered() && i < view.answers.size(); ++i) commands.push_back({Kind::Answer, i});
  for (const LessonFigure& figure : view.figures) {
    if (!figure.picks) continue;
    for (u32 i = 0; i < std::max(figure.cells.size(), figure.blocks.size()); ++i)
      commands.push_back({Kind::Pick, i});
  }
  return commands;
}

TEST(Lessons, AHundredStepsBackAndForthGiveEqualHashes) {
  for (const frame::LessonRow& row : frame::kLessons) {
    Lesson lesson(row.id, example_results());
    Rng rng(17);
    std::vector<u64> hashes{lesson.hash()};
    std::vector<LessonCommand> done;
    for (int turn = 0; turn < 100; ++turn) {
      if (rng.below(3) == 0 && !done.empty()) {
        ASSERT_TRUE(lesson.back());
        done.pop_back();
        hashes.pop_back();
        ASSERT_EQ(lesson.hash(), hashes.back()) << row.title;
        continue;
      }
      const std::vector<LessonCommand> all = possible(lesson);
      if (all.empty()) continue;
      const LessonCommand command = all[rng.below(static_cast<u32>(all.size()))];
      if (!lesson.apply(command)) continue;  // a cell that was picked already
      done.push_back(command);
      hashes.push_back(lesson.hash());
      ASSERT_TRUE(lesson.back());
      ASSERT_EQ(lesson.hash(), hashes[hashes.size() - 2]) << row.title;
      ASSERT_TRUE(lesson.apply(command));
      ASSERT_EQ(lesson.hash(), hashes.back()) << row.title;
    }
    while (lesson.back()) hashes.pop_back();
    EXPECT_EQ(hashes.size(), 1u);
    EXPECT_EQ(lesson.hash(), hashes.front()) << row.title;
  }
}

TEST(Lessons, AViewChangesNothing) {
  for (const frame::LessonRow& row : frame::kLessons) {
    Lesson lesson(row.id);
    const u64 hash = lesson.hash();
    frame::LessonView view;
    for (int i = 0; i < 3; ++i) lesson.show(view);
    (void)lesson.right_commands();
    EXPECT_EQ(lesson.hash(), hash) << row.title;
  }
}

/// The target that brings the lesson on: the right answer, or Next.
LessonTarget wanted(const LessonCourse& course) {
  const Lesson& lesson = *course.lesson();
  if (lesson.asks() && !lesson.answered()) {
    // Of several cells the next one that is not picked yet.
    const std::vector<LessonCommand> commands = lesson.right_commands();
    const LessonCommand& next = commands[course.view().picks_made];
    return {next.kind == Kind::Answer ? LessonTarget::Kind::Answer : LessonTarget::Kind::Cell,
            static_cast<u16>(next.index)};
  }
  return {LessonTarget::Kind::Next, 0};
}

void take_all(LessonCourse& course, const std::function<void(const LessonTarget&)>& choose) {
  for (const frame::LessonMeasureRow& row : frame::kLessonMeasures)
    course.know(row.id, example_results()[static_cast<std::size_t>(row.id)]);
  for (const frame::LessonRow& row : frame::kLessons) {
    choose({LessonTarget::Kind::Lesson, static_cast<u16>(row.id)});
    for (int i = 0; i < 200 && course.lesson() != nullptr; ++i) choose(wanted(course));
    ASSERT_EQ(course.lesson(), nullptr) << row.title << " does not end";
    const frame::LessonProgress& progress = course.progress()[static_cast<std::size_t>(row.id)];
    EXPECT_TRUE(progress.done) << row.title;
    EXPECT_EQ(progress.right, (u32{1} << question_count(row.id)) - 1) << row.title;
  }
  choose({LessonTarget::Kind::Leave, 0});
  EXPECT_TRUE(course.left());
}

TEST(LessonCourse, AllLessonsEndByTheDirectionAndAcceptKeysAlone) {
  LessonCourse course;
  take_all(course, [&](const LessonTarget& target) {
    const std::size_t targets = course.view().targets.size();
    for (std::size_t i = 0; i < targets && course.view().targets[course.view().focus] != target; ++i)
      course.move(1);
    ASSERT_EQ(course.view().targets[course.view().focus], target) << "the focus does not come there";
    course.accept();
  });
}

TEST(LessonCourse, AllLessonsEndByClicksAlone) {
  LessonCourse course;
  take_all(course, [&](const LessonTarget& target) { course.activate(target); });
}

TEST(LessonCourse, TheFirstAnswerCounts) {
  LessonCourse course;
  ASSERT_EQ(course.run("open slot"), "");
  const u32 right = course.lesson()->right_commands().front().index;
  course.answer(right == 0 ? 1 : 0);
  ASSERT_TRUE(course.view().answered);
  EXPECT_FALSE(course.view().was_right);
  ASSERT_EQ(course.run("back"), "");
  ASSERT_EQ(course.run("solve"), "");
  EXPECT_TRUE(course.view().was_right);
  const frame::LessonProgress& progress = course.progress()[static_cast<std::size_t>(LessonId::Union)];
  EXPECT_EQ(progress.answered, 1u);
  EXPECT_EQ(progress.right, 0u);
}

TEST(LessonCourse, NextWaitsForTheAnswer) {
  LessonCourse course;
  ASSERT_EQ(course.run("open acquire"), "");
  EXPECT_EQ(course.run("next"), "next: not possible now");
  ASSERT_EQ(course.run("pick 2"), "");
  EXPECT_TRUE(course.view().was_right) << "the linked list: last in, first out";
  EXPECT_EQ(course.run("next"), "");
  EXPECT_EQ(course.view().step, 1u);
}

TEST(LessonCourse, WhatAScriptCannotDoIsSaid) {
  LessonCourse course;
  EXPECT_NE(course.run("open nothing"), "");
  EXPECT_NE(course.run("answer 1"), "");
  EXPECT_NE(course.run("dance"), "");
  EXPECT_EQ(course.run("open full"), "");
  EXPECT_NE(course.run("answer 9"), "");
}

}  // namespace
}  // namespace spellpool::sim
