#pragma once
// A thread pool for drawing on the CPU. All its threads work on one job at a time.
//
// A job is a number of pieces. Every thread, the caller's included, takes the next piece until none is left.
// A worker then watches for the next job for about as long as waking it would take; after that it sleeps.
// The caller waits for the last worker to finish in the same way.
// Cost    waking a worker that sleeps takes some tens of µs. A worker that watches starts at once, but keeps
//         its core busy. Taking a piece is one atomic addition. run() allocates nothing.
// Threads one caller at a time.
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

#include "core/types.hpp"

namespace spellpool::render {

class ThreadPool {
 public:
  static constexpr int kMost = 16;

  /// The number of threads, including the caller's; at most kMost. 0: one per core, at most 8.
  explicit ThreadPool(int hands = 0);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  int hands() const { return static_cast<int>(workers_.size()) + 1; }

  /// Calls work(piece) for each piece of 0 … pieces − 1, on any thread, in any order; returns when all are done.
  /// `work` must not throw.
  template <class F>
  void run(int pieces, F&& work) {
    run_all(pieces, [](void* self, int piece) { (*static_cast<F*>(self))(piece); }, &work);
  }

  /// Lets the workers begin with the pieces, and returns; finish() does what is left with the caller's thread too,
  /// and returns when all are done. `work` must live until then. run() and start() finish first what was started.
  template <class F>
  void start(int pieces, F& work) {
    start_all(pieces, [](void* self, int piece) { (*static_cast<F*>(self))(piece); }, &work);
  }
  void finish();

 private:
  using Call = void (*)(void*, int);
  void run_all(int pieces, Call call, void* self);
  void start_all(int pieces, Call call, void* self);
  void open(int pieces, Call call, void* self);
  void close();
  template <class F>
  static bool watch(F&& seen);
  void help();
  void serve();

  std::vector<std::thread> workers_;
  std::mutex mutex_;
  std::condition_variable wake_, done_;
  // Written under the mutex; the first two are watched without it.
  std::atomic<u64> job_{0};
  std::atomic<int> helping_{0};
  int sleeping_ = 0;
  bool open_ = false;  // A worker that wakes too late finds the job closed and sleeps again.
  bool ends_ = false;
  // Written before a job begins, under the mutex.
  Call call_ = nullptr;
  void* self_ = nullptr;
  int pieces_ = 0;
  bool started_ = false;  // By start(), and not finished. The caller's.
  std::atomic<int> next_{0};
};

}  // namespace spellpool::render
