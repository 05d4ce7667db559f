// Work beside the frames: on a thread, and at once where no thread can be made.
#include "app/background_task.hpp"

#include <gtest/gtest.h>
#include <pthread.h>

#include <functional>
#include <memory>
#include <stdexcept>
#include <thread>
#include <utility>

namespace spellpool::app {
namespace {

/// While it lives no thread can be made: the stack that each asks for is larger than the address space.
class NoThreads {
 public:
  NoThreads() {
    pthread_getattr_default_np(&before_);
    pthread_attr_t huge;
    pthread_attr_init(&huge);
    pthread_attr_setstacksize(&huge, std::size_t{1} << 60);
    pthread_setattr_default_np(&huge);
    pthread_attr_destroy(&huge);
  }
  ~NoThreads() {
    pthread_setattr_default_np(&before_);
    pthread_attr_destroy(&before_);
  }
  NoThreads(const NoThreads&) = delete;
  NoThreads& operator=(const NoThreads&) = delete;

 private:
  pthread_attr_t before_;
};

/// Counts its copies.
struct Counted {
  explicit Counted(int& count) : copies(&count) {}
  Counted(const Counted& other) : copies(other.copies) { ++*copies; }
  Counted(Counted&&) = default;
  int* copies;
};

TEST(BackgroundTask, WorksOnAThreadOfItsOwn) {
  BackgroundTask task;
  std::thread::id worker;
  task.start([&worker]() -> TaskOutcome {
    worker = std::this_thread::get_id();
    return {false, "done"};
  });
  EXPECT_TRUE(task.busy());
  task.wait();
  TaskOutcome outcome;
  ASSERT_TRUE(task.poll(outcome));
  EXPECT_NE(worker, std::this_thread::get_id());
  EXPECT_EQ(outcome.line, "done");
  EXPECT_FALSE(task.busy());
  EXPECT_FALSE(task.poll(outcome)) << "once";
}

TEST(BackgroundTask, WithoutThreadsStartDoesTheWorkAtOnce) {
  const NoThreads none;
  BackgroundTask task;
  std::thread::id worker;
  task.start([&worker]() -> TaskOutcome {
    worker = std::this_thread::get_id();
    throw std::runtime_error("the disk is full");
  });
  EXPECT_EQ(worker, std::this_thread::get_id());
  EXPECT_TRUE(task.busy()) << "its outcome was not polled yet";
  task.wait();
  TaskOutcome outcome;
  ASSERT_TRUE(task.poll(outcome));
  EXPECT_TRUE(outcome.failed);
  EXPECT_EQ(outcome.line, "the disk is full");
  EXPECT_FALSE(task.busy());
}

TEST(BackgroundTask, WithoutThreadsTryStartSaysWhyAndDoesNothing) {
  const NoThreads none;
  BackgroundTask task;
  bool worked = false;
  EXPECT_NE(task.try_start([&worked]() -> TaskOutcome {
    worked = true;
    return {};
  }), "");
  EXPECT_FALSE(worked);
  EXPECT_FALSE(task.busy());
}

TEST(BackgroundTask, MovesItsWorkAndDropsItWhenItIsDone) {
  int copies = 0;
  auto data = std::make_shared<int>(1);
  std::function<TaskOutcome()> work = [counted = Counted(copies), data]() -> TaskOutcome { return {}; };
  copies = 0;
  BackgroundTask task;
  task.start(std::move(work));
  task.wait();
  EXPECT_EQ(copies, 0);
  EXPECT_EQ(data.use_count(), 1) << "what the work held is freed";
}

}  // namespace
}  // namespace spellpool::app
