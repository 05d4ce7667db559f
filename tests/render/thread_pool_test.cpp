#include "render/cpu/thread_pool.hpp"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include "counted_news.hpp"

namespace spellpool::render::test {
namespace {

TEST(ThreadPool, EachPieceIsDoneOnceByAnyNumberOfHands) {
  for (int hands = 1; hands <= ThreadPool::kMost; ++hands) {
    ThreadPool thread_pool(hands);
    EXPECT_EQ(thread_pool.hands(), hands);
    for (const int pieces : {0, 1, 2, 3, 16, 17, 500}) {
      std::vector<std::atomic<int>> done(static_cast<std::size_t>(pieces) + 1);
      thread_pool.run(pieces, [&](int piece) { ++done[static_cast<std::size_t>(piece)]; });
      for (int piece = 0; piece < pieces; ++piece) ASSERT_EQ(done[static_cast<std::size_t>(piece)], 1) << hands << " " << piece << "/" << pieces;
      EXPECT_EQ(done.back(), 0);
    }
    thread_pool.run(-3, [](int) { FAIL(); });
  }
}

TEST(ThreadPool, HasAtLeastOneHandAndNotTooMany) {
  EXPECT_EQ(ThreadPool(1000).hands(), ThreadPool::kMost);
  EXPECT_GE(ThreadPool(0).hands(), 1);
  EXPECT_LE(ThreadPool(0).hands(), 8);
  EXPECT_EQ(ThreadPool(-1).hands(), ThreadPool(0).hands());
}

// Plain numbers, written by all hands and read by the caller after each job: what ThreadSanitizer watches.
TEST(ThreadPool, JobsInARowDoNotMix) {
  ThreadPool thread_pool(4);
  for (int job = 0; job < 4000; ++job) {
    std::vector<int> made(static_cast<std::size_t>(job % 23), -1);
    thread_pool.run(static_cast<int>(made.size()), [&made, job](int piece) { made[static_cast<std::size_t>(piece)] = job + piece; });
    for (std::size_t i = 0; i < made.size(); ++i) ASSERT_EQ(made[i], job + static_cast<int>(i));
  }
}

TEST(ThreadPool, AJobSeesWhatTheOneBeforeHasMade) {
  ThreadPool thread_pool(3);
  std::vector<int> numbers(64, 0);
  for (int job = 0; job < 2000; ++job) {
    std::vector<int> next(numbers.size());
    thread_pool.run(64, [&](int i) { next[static_cast<std::size_t>(i)] = numbers[static_cast<std::size_t>((i + 7) % 64)] + 1; });
    numbers = std::move(next);
  }
  for (const int number : numbers) ASSERT_EQ(number, 2000);
}

TEST(ThreadPool, OthersHelpWithALongJob) {
  ThreadPool thread_pool(2);
  std::atomic<int> inside{0};
  // Each of two pieces waits until both are begun: with one hand this would never end.
  thread_pool.run(2, [&](int) {
    ++inside;
    while (inside < 2) std::this_thread::yield();
  });
  EXPECT_EQ(inside, 2);
}

// Workers watch for a while before they sleep: jobs come while they watch, just as they fall asleep, and while they sleep.
constexpr std::array kPauses_us = {0, 5, 20, 40, 60, 80, 100, 150, 300, 2000};
void pause(int us) {
  if (us >= 2000) return std::this_thread::sleep_for(std::chrono::microseconds(us));
  const auto end = std::chrono::steady_clock::now() + std::chrono::microseconds(us);
  while (std::chrono::steady_clock::now() < end) continue;
}

TEST(ThreadPool, EachPieceIsDoneOnceWhateverThePauseBefore) {
  ThreadPool thread_pool(4);
  std::vector<std::atomic<int>> done(40);
  int jobs = 0;
  for (int round = 0; round < 200; ++round) {
    for (const int us : kPauses_us) {
      pause(us);
      const int pieces = jobs++ % 39 + 1;
      for (auto& one : done) one.store(0, std::memory_order_relaxed);
      thread_pool.run(pieces, [&](int piece) {
        // So that the caller must wait for the last: watching, or asleep.
        if (piece % 7 == 3) pause(5);
        if (piece == pieces - 1 && jobs % 8 == 0) pause(400);
        done[static_cast<std::size_t>(piece)].fetch_add(1, std::memory_order_relaxed);
      });
      for (int piece = 0; piece < 40; ++piece) {
        ASSERT_EQ(done[static_cast<std::size_t>(piece)].load(std::memory_order_relaxed), piece < pieces ? 1 : 0) << "job " << jobs << ", piece " << piece;
      }
    }
  }
}

TEST(ThreadPool, OthersHelpWhateverThePauseBefore) {
  ThreadPool thread_pool(2);
  for (int round = 0; round < 50; ++round) {
    for (const int us : kPauses_us) {
      pause(us);
      std::atomic<int> inside{0};
      const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds(30);  // Lest a fault hang here for ever.
      thread_pool.run(2, [&](int) {
        ++inside;
        while (inside < 2 && std::chrono::steady_clock::now() < give_up) std::this_thread::yield();
      });
      ASSERT_LT(std::chrono::steady_clock::now(), give_up) << "nobody came to help after " << us << " us";
    }
  }
}

TEST(ThreadPool, WhatWasStartedIsDoneOnceByTheNextCall) {
  for (const int hands : {1, 2, 4}) {
    ThreadPool thread_pool(hands);
    for (int round = 0; round < 200; ++round) {
      std::array<std::atomic<int>, 40> done{};
      auto work = [&](int piece) { ++done[static_cast<std::size_t>(piece)]; };
      thread_pool.start(40, work);
      if (round % 3 == 0) pause(50);
      std::atomic<int> others{0};
      if (round % 2 == 0) thread_pool.finish();
      else thread_pool.run(7, [&](int) { ++others; });  // finishes the first
      for (const std::atomic<int>& one : done) ASSERT_EQ(one.load(), 1) << "round " << round << ", " << hands << " threads";
      ASSERT_EQ(others.load(), round % 2 == 0 ? 0 : 7);
    }
    auto last = [](int) {};
    thread_pool.start(3, last);  // its destructor finishes it
  }
}

TEST(ThreadPool, RunAllocatesNothing) {
  if (!kNewsAreCounted) GTEST_SKIP() << "skipped: a sanitizer owns operator new";
  ThreadPool thread_pool(4);
  std::atomic<int> sum{0};
  const std::array<char, 200> much{};  // More than a std::function would hold.
  thread_pool.run(50, [&](int piece) { sum += piece; });
  const unsigned long before = counted_news();
  for (int job = 0; job < 500; ++job) thread_pool.run(50, [&sum, much](int piece) { sum += piece + much[0]; });
  EXPECT_EQ(counted_news() - before, 0u);
  EXPECT_EQ(sum, 501 * 49 * 25);
}

}  // namespace
}  // namespace spellpool::render::test
