#include "render/crew.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "counted_news.hpp"

namespace spellpool::render::test {
namespace {

TEST(Crew, EachPieceIsDoneOnceByAnyNumberOfHands) {
  for (int hands = 1; hands <= Crew::kMost; ++hands) {
    Crew crew(hands);
    EXPECT_EQ(crew.hands(), hands);
    for (const int pieces : {0, 1, 2, 3, 16, 17, 500}) {
      std::vector<std::atomic<int>> done(static_cast<std::size_t>(pieces) + 1);
      crew.run(pieces, [&](int piece) { ++done[static_cast<std::size_t>(piece)]; });
      for (int piece = 0; piece < pieces; ++piece) ASSERT_EQ(done[static_cast<std::size_t>(piece)], 1) << hands << " " << piece << "/" << pieces;
      EXPECT_EQ(done.back(), 0);
    }
    crew.run(-3, [](int) { FAIL(); });
  }
}

TEST(Crew, HasAtLeastOneHandAndNotTooMany) {
  EXPECT_EQ(Crew(1000).hands(), Crew::kMost);
  EXPECT_GE(Crew(0).hands(), 1);
  EXPECT_LE(Crew(0).hands(), 8);
  EXPECT_EQ(Crew(-1).hands(), Crew(0).hands());
}

// Plain numbers, written by all hands and read by the caller after each job: what ThreadSanitizer watches.
TEST(Crew, JobsInARowDoNotMix) {
  Crew crew(4);
  for (int job = 0; job < 4000; ++job) {
    std::vector<int> made(static_cast<std::size_t>(job % 23), -1);
    crew.run(static_cast<int>(made.size()), [&made, job](int piece) { made[static_cast<std::size_t>(piece)] = job + piece; });
    for (std::size_t i = 0; i < made.size(); ++i) ASSERT_EQ(made[i], job + static_cast<int>(i));
  }
}

TEST(Crew, AJobSeesWhatTheOneBeforeHasMade) {
  Crew crew(3);
  std::vector<int> numbers(64, 0);
  for (int job = 0; job < 2000; ++job) {
    std::vector<int> next(numbers.size());
    crew.run(64, [&](int i) { next[static_cast<std::size_t>(i)] = numbers[static_cast<std::size_t>((i + 7) % 64)] + 1; });
    numbers = std::move(next);
  }
  for (const int number : numbers) ASSERT_EQ(number, 2000);
}

TEST(Crew, OthersHelpWithALongJob) {
  Crew crew(2);
  std::atomic<int> inside{0};
  // Each of two pieces waits until both are begun: with one hand this would never end.
  crew.run(2, [&](int) {
    ++inside;
    while (inside < 2) std::this_thread::yield();
  });
  EXPECT_EQ(inside, 2);
}

TEST(Crew, RunAllocatesNothing) {
  if (!kNewsAreCounted) GTEST_SKIP() << "skipped: a sanitizer owns operator new";
  Crew crew(4);
  std::atomic<int> sum{0};
  const std::array<char, 200> much{};  // More than a std::function would hold.
  crew.run(50, [&](int piece) { sum += piece; });
  const unsigned long before = counted_news();
  for (int job = 0; job < 500; ++job) crew.run(50, [&sum, much](int piece) { sum += piece + much[0]; });
  EXPECT_EQ(counted_news() - before, 0u);
  EXPECT_EQ(sum, 501 * 49 * 25);
}

}  // namespace
}  // namespace spellpool::render::test
