#include <gtest/gtest.h>

#include <algorithm>

#include "sim/lessons/lesson_course.hpp"

namespace spellpool::sim {
namespace {

using frame::EightBitPattern;
using frame::EightBitView;
using frame::kEightBitSlots;

EightBitView console_of(const LessonModel& model) {
  std::vector<frame::LessonFigure> figures;
  model.show(0, figures);
  return figures.front().console;
}

u32 in_use(const EightBitView& view) {
  return static_cast<u32>(std::count(view.active.begin(), view.active.end(), true));
}
u32 first_free(const EightBitView& view) {
  return static_cast<u32>(std::find(view.active.begin(), view.active.end(), false) - view.active.begin());
}
u32 flying_sprites(const EightBitView& view) {
  return static_cast<u32>(std::count_if(
      view.sprites.begin(), view.sprites.end(),
      [](const frame::EightBitSprite& sprite) { return sprite.tile >= frame::EightBitTile::Shot; }));
}

TEST(LessonEightBit, DrawnSlotsAndSpritesAreTheSameObjects) {
  for (const frame::EightBitPatternRow& row : frame::kEightBitPatterns) {
    const std::unique_ptr<LessonModel> model = make_eight_bit_model();
    model->apply({LessonOpKind::Console, static_cast<i32>(row.id)});
    Rng rng(4);
    for (int i = 0; i < 2'000; ++i) {
      model->apply({LessonOpKind::Frames, 1, static_cast<i32>(rng.below(8))});
      const EightBitView view = console_of(*model);
      ASSERT_EQ(in_use(view), view.live) << row.title;
      ASSERT_EQ(flying_sprites(view), view.live) << row.title;
      ASSERT_LE(view.sprites.size(), frame::kEightBitSprites);
      for (const frame::EightBitSprite& sprite : view.sprites) {
        ASSERT_LE(sprite.x + 8, 256);
        ASSERT_LE(sprite.y + 8, 240);
      }
      if (row.id == EightBitPattern::Compaction) {
        ASSERT_EQ(first_free(view), view.live) << "no gaps";
      }
      if (row.id == EightBitPattern::IndexStack) {
        std::array<bool, kEightBitSlots> free{};
        for (const u8 slot : view.free_stack) free[slot] = true;
        for (u32 slot = 0; slot < kEightBitSlots; ++slot) ASSERT_NE(free[slot], view.active[slot]);
        ASSERT_EQ(view.free_stack.size() + view.live, kEightBitSlots);
      }
    }
  }
}

TEST(LessonEightBit, VisitsAreThoseOfEachPattern) {
  for (const frame::EightBitPatternRow& row : frame::kEightBitPatterns) {
    const std::unique_ptr<LessonModel> model = make_eight_bit_model();
    model->apply({LessonOpKind::Console, static_cast<i32>(row.id)});
    const auto pattern = static_cast<std::size_t>(row.id);
    for (int i = 0; i < 25; ++i) {  // no bomb falls, no lantern is hit: a spawn is the ship's
      const EightBitView before = console_of(*model);
      model->apply({LessonOpKind::Frames, 1, frame::kKeyFire});
      const EightBitView after = console_of(*model);
      const bool fired = after.live > before.live;
      const u32 searched = row.id == EightBitPattern::Flag ? first_free(before) + 1 : 1;
      EXPECT_EQ(after.last[pattern].spawn, fired ? searched : 0u) << row.title;
      EXPECT_EQ(after.last[pattern].update,
                row.id == EightBitPattern::Compaction ? after.live : kEightBitSlots);
      for (std::size_t other = 0; other < after.last.size(); ++other) {
        if (other == pattern) continue;
        EXPECT_EQ(after.last[other].spawn + after.last[other].update, 0u);
      }
    }
  }
}

TEST(LessonEightBit, ASwitchKeepsWhatFlies) {
  const std::unique_ptr<LessonModel> model = make_eight_bit_model();
  Rng rng(9);
  for (int i = 0; i < 600; ++i) {
    model->apply({LessonOpKind::Frames, 3, static_cast<i32>(rng.below(8))});
    EightBitView before = console_of(*model);
    model->apply({LessonOpKind::Pattern, static_cast<i32>(rng.below(3))});
    const EightBitView after = console_of(*model);
    EXPECT_EQ(after.live, before.live);
    EXPECT_EQ(in_use(after), in_use(before));
    EXPECT_EQ(after.score, before.score);
    ASSERT_EQ(after.sprites.size(), before.sprites.size());
  }
  EXPECT_GT(console_of(*model).score, 0u) << "lanterns were hit";
}

TEST(LessonEightBit, ARunOfPlayIsTakenBackAsOne) {
  LessonCourse course;
  ASSERT_EQ(course.run("open 8bit"), "");
  EXPECT_NE(course.run("play 4"), "") << "the questions come first";
  while (!course.plays()) {
    ASSERT_EQ(course.run("solve"), "");
    ASSERT_EQ(course.run("next"), "");
  }
  const u64 hash = course.lesson()->hash();
  for (int i = 0; i < 200; ++i)
    course.play(frame::kKeyFire | (i % 40 < 20 ? frame::kKeyLeft : frame::kKeyRight));
  EXPECT_NE(course.lesson()->hash(), hash);
  ASSERT_EQ(course.run("back"), "");
  EXPECT_EQ(course.lesson()->hash(), hash);
  EXPECT_TRUE(course.plays());
}

}  // namespace
}  // namespace spellpool::sim
