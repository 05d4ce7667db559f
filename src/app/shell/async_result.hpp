#pragma once
#include <future>
#include <system_error>
#include <thread>
#include <utility>

namespace spellpool::app {

/// What std::async gives, with a thread of its own; where no thread can be made, as in a browser, get() does the work.
/// (libc++'s std::async waits forever there.) The destructor waits for the thread.
template <class T>
class AsyncResult {
 public:
  template <class Work>
  explicit AsyncResult(Work work) : task_(std::move(work)), result_(task_.get_future()) {
    try {
      thread_ = std::thread([this] { task_(); });
    } catch (const std::system_error&) {
    }
  }
  ~AsyncResult() {
    if (thread_.joinable()) thread_.join();
  }
  AsyncResult(const AsyncResult&) = delete;
  AsyncResult& operator=(const AsyncResult&) = delete;

  /// Waits for it, and throws what it threw. Once.
  T get() {
    if (!thread_.joinable()) task_();
    return result_.get();
  }

 private:
  std::packaged_task<T()> task_;
  std::future<T> result_;
  std::thread thread_;
};

}  // namespace spellpool::app
