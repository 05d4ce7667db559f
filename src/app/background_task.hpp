#pragma once
#include <atomic>
#include <chrono>
#include <exception>
#include <functional>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

namespace spellpool::app {

/// What came of it: a line for the player, "" if there is nothing to say.
struct TaskOutcome {
  bool failed = false;
  std::string line;
};

/// One piece of work at a time on a thread of its own, so that no frame waits on the disk. The destructor waits for it.
class BackgroundTask {
 public:
  BackgroundTask() = default;
  ~BackgroundTask() {
    if (thread_.joinable()) thread_.join();
  }
  BackgroundTask(const BackgroundTask&) = delete;
  BackgroundTask& operator=(const BackgroundTask&) = delete;

  bool busy() const { return thread_.joinable() || ready_; }
  /// Not while busy(). Where no thread can be made, as in a browser, the work is done before this returns.
  void start(std::function<TaskOutcome()> work) {
    if (try_start(std::move(work)).empty()) return;
    run();
    ready_ = true;
  }
  /// Not while busy(). "", or why there is no thread; then the work is not done.
  std::string try_start(std::function<TaskOutcome()> work) {
    done_ = false;
    outcome_ = {};
    work_ = std::move(work);
    try {
      thread_ = std::thread([this] { run(); });
    } catch (const std::system_error& e) {
      return e.what();
    }
    return {};
  }
  /// Waits for what runs, if anything; its outcome then comes by poll().
  void wait() {
    while (thread_.joinable() && !done_.load(std::memory_order_acquire))
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  /// True once when the work is done; its outcome is then in `outcome`.
  bool poll(TaskOutcome& outcome) {
    if (!busy() || !done_.load(std::memory_order_acquire)) return false;
    if (thread_.joinable()) thread_.join();
    ready_ = false;
    outcome = std::move(outcome_);
    return true;
  }

 private:
  void run() {
    try {
      outcome_ = std::exchange(work_, nullptr)();
    } catch (const std::exception& e) {
      outcome_ = {true, e.what()};
    }
    done_.store(true, std::memory_order_release);
  }

  std::function<TaskOutcome()> work_;
  std::thread thread_;
  std::atomic<bool> done_{false};
  bool ready_ = false;  ///< Done without a thread, and not polled yet.
  TaskOutcome outcome_;
};

}  // namespace spellpool::app
