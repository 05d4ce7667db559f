#include "app/learn/lesson_bench.hpp"

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <thread>

#include "app/learn/lesson_voices.hpp"

namespace spellpool::app {
namespace {

using frame::LessonId;
using frame::LessonMeasure;

// No test here looks at how long anything took: machines differ.

TEST(LessonBench, MeasuresBesideTheLessonAndHandsItIn) {
  LessonBench bench(SPELLPOOL_SOURCE_DIR);
  sim::LessonCourse course;
  bench.frame(course);
  EXPECT_EQ(course.results()[0], nullptr) << "nothing is wanted in the list";
  course.open(LessonId::Lives);
  for (int i = 0; i < 60'000 && course.results()[0] == nullptr; ++i) {
    bench.frame(course);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  ASSERT_NE(course.results()[0], nullptr);
  const frame::LessonMeasurement& found = *course.results()[0];
  EXPECT_EQ(found.error, "");
  ASSERT_TRUE(found.has_walks());
  for (const frame::LessonWalkPoint& point : found.points) {
    for (const frame::LessonSpread& spread : point.ns) {
      EXPECT_GT(spread.low, 0);
      EXPECT_LE(spread.low, spread.median);
      EXPECT_LE(spread.median, spread.high);
    }
  }
  EXPECT_NE(found.build, "");
  EXPECT_NE(found.machine, "");
  EXPECT_NE(found.method, "");
}

TEST(LessonBench, EndsSoonWhenItIsLeft) {
  sim::LessonCourse course;
  course.open(LessonId::Lives);
  LessonBench bench(SPELLPOOL_SOURCE_DIR);
  bench.frame(course);  // and now its destructor
}

TEST(LessonBench, ABetIsAComparisonOfEqualWork) {
  const LessonBench bench(SPELLPOOL_SOURCE_DIR);
  const auto found = bench.measure(LessonMeasure::PoolLoses);
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->error, "");
  ASSERT_TRUE(found->has_ratio());
  EXPECT_LE(found->low, found->ratio);
  EXPECT_LE(found->ratio, found->high);
  EXPECT_NE(found->method.find(std::to_string(found->quads) + " times four runs"), std::string::npos);
}

TEST(LessonBench, TheFloodOfSoundsIsARealVoicePoolsAnswer) {
  const LessonBench bench(SPELLPOOL_SOURCE_DIR);
  const auto found = bench.measure(LessonMeasure::Voices), again = bench.measure(LessonMeasure::Voices);
  ASSERT_EQ(found->voices.size(), frame::kVoicePolicies.size());
  EXPECT_EQ(kVoiceFlood[found->loudest - 1].sound, frame::SoundId::MeteorImpact);
  for (std::size_t i = 0; i < found->voices.size(); ++i) {
    const frame::LessonVoiceRow &row = found->voices[i], &same = again->voices[i];
    EXPECT_EQ(row.lost, same.lost) << "no clock is in it";
    EXPECT_EQ(row.stolen, same.stolen);
    ASSERT_EQ(row.slots.size(), kFloodVoices);
    u32 with_meteor = 0;
    for (const frame::LessonVoiceSlot& slot : row.slots) with_meteor += slot.sound == found->loudest ? 1 : 0;
    EXPECT_EQ(with_meteor, row.loudest_heard ? 1u : 0u);
    EXPECT_GT(row.lost, 0);
    EXPECT_LT(row.lost, 1);
  }
  const auto of = [&](frame::VoicePolicy policy) { return found->voices[static_cast<std::size_t>(policy)]; };
  const frame::LessonVoiceRow reject = of(frame::VoicePolicy::Reject),
                              oldest = of(frame::VoicePolicy::StealOldest),
                              quietest = of(frame::VoicePolicy::StealQuietest),
                              silent = of(frame::VoicePolicy::Virtual);
  EXPECT_FALSE(reject.loudest_heard);
  EXPECT_EQ(reject.stolen, 0u);
  EXPECT_EQ(reject.rejected, kVoiceFlood.size() - kFloodVoices);
  EXPECT_EQ(reject.first_refused, kFloodVoices + 1) << "as many sounds as voices have begun";
  EXPECT_EQ(silent.first_refused, 0u);
  constexpr std::array kNamed = {frame::SoundId::MotesHeal, frame::SoundId::StarLand,
                                 frame::SoundId::StarLand, frame::SoundId::MeteorImpact};
  for (std::size_t i = 0; i < kNamed.size(); ++i)
    EXPECT_EQ(kVoiceFlood[frame::kAskedSounds[i] - 1].sound, kNamed[i]) << "answer " << i;
  EXPECT_NE(kVoiceFlood[frame::kAskedSounds[1] - 2].sound, frame::SoundId::StarLand) << "the first bell";
  EXPECT_NE(kVoiceFlood[frame::kAskedSounds[2]].sound, frame::SoundId::StarLand) << "the last bell";
  EXPECT_TRUE(oldest.loudest_heard);
  EXPECT_EQ(oldest.stolen, kVoiceFlood.size() - kFloodVoices);
  EXPECT_TRUE(quietest.loudest_heard);
  EXPECT_LT(quietest.lost, oldest.lost);
  EXPECT_LT(quietest.lost, reject.lost);
  EXPECT_LT(silent.lost, quietest.lost) << "what comes back is heard again";
  EXPECT_GT(silent.resumed, 0u);
}

TEST(LessonBench, WithoutSpellsThereIsAnErrorAndNoFigure) {
  const LessonBench bench("/nowhere/at/all");
  const auto found = bench.measure(LessonMeasure::PoolWins);
  ASSERT_NE(found, nullptr);
  EXPECT_FALSE(found->has_ratio());
  EXPECT_NE(found->error, "");
}

}  // namespace
}  // namespace spellpool::app
