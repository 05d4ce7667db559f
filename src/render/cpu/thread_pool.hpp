#pragma once
// A few threads that share the pieces of one job, for drawing on the processor.
//
// A job is a number of pieces: everybody, the caller included, takes the next one until none is left. After it the workers
// watch for the next job for as long as waking them would take, then they sleep; likewise the caller for the last to finish.
// Cost: some tens of µs to wake a worker that sleeps; one that watches is there at once, but keeps a core busy meanwhile. A
// piece is one atomic addition. Nothing is allocated by run().
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

  /// `hands` with the caller's own; 0: as many as the machine has, 8 at most.
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

 private:
  using Call = void (*)(void*, int);
  void run_all(int pieces, Call call, void* self);
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
  bool open_ = false;  // A worker that wakes too late finds the job closed and sleeps on: nobody waits for it.
  bool ends_ = false;
  // Written before a job begins, under the mutex.
  Call call_ = nullptr;
  void* self_ = nullptr;
  int pieces_ = 0;
  std::atomic<int> next_{0};
};

}  // namespace spellpool::render
