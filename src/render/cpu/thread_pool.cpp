#include "render/cpu/thread_pool.hpp"

#include <algorithm>
#include <system_error>

namespace spellpool::render {
namespace {

constexpr int kLooks = 3000;  // Some tens of µs: what waking a thread takes.
void rest() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

}  // namespace

ThreadPool::ThreadPool(int hands) {
  if (hands <= 0) hands = std::min(8, static_cast<int>(std::max(1u, std::thread::hardware_concurrency())));
  hands = std::min(hands, kMost);
  try {
    for (int i = 1; i < hands; ++i) workers_.emplace_back([this] { serve(); });
  } catch (const std::system_error&) {
    // The system refuses another thread: the pool works with those it has.
  }
}

ThreadPool::~ThreadPool() {
  finish();
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
  }
  wake_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

void ThreadPool::run_all(int pieces, Call call, void* self) {
  finish();
  if (pieces <= 0) return;
  if (workers_.empty() || pieces == 1) {
    for (int piece = 0; piece < pieces; ++piece) call(self, piece);
    return;
  }
  open(pieces, call, self);
  help();
  close();
}

void ThreadPool::start_all(int pieces, Call call, void* self) {
  finish();
  if (pieces <= 0) return;
  open(pieces, call, self);
  started_ = true;
}

void ThreadPool::finish() {
  if (!started_) return;
  started_ = false;
  help();
  close();
}

/// From now on every worker takes pieces.
void ThreadPool::open(int pieces, Call call, void* self) {
  bool asleep;
  {
    const std::lock_guard lock(mutex_);
    call_ = call;
    self_ = self;
    pieces_ = pieces;
    next_.store(0, std::memory_order_relaxed);
    open_ = true;
    job_.store(job_.load(std::memory_order_relaxed) + 1, std::memory_order_release);
    asleep = sleeping_ > 0;
  }
  if (asleep) wake_.notify_all();
}

/// All pieces are taken: waits for the workers that are still at theirs.
void ThreadPool::close() {
  std::unique_lock lock(mutex_);
  open_ = false;
  if (helping_.load(std::memory_order_relaxed) == 0) return;
  lock.unlock();
  if (watch([this] { return helping_.load(std::memory_order_acquire) == 0; })) return;
  lock.lock();
  done_.wait(lock, [this] { return helping_.load(std::memory_order_relaxed) == 0; });
}

/// Looks again and again for the time that waking a thread takes. False: not yet.
template <class F>
bool ThreadPool::watch(F&& seen) {
  for (int i = 0; i < kLooks; ++i) {
    if (seen()) return true;
    rest();
  }
  return false;
}

void ThreadPool::help() {
  for (int piece; (piece = next_.fetch_add(1, std::memory_order_relaxed)) < pieces_;) call_(self_, piece);
}

void ThreadPool::serve() {
  u64 seen = 0;
  for (;;) {
    watch([&] { return job_.load(std::memory_order_acquire) != seen; });
    std::unique_lock lock(mutex_);
    ++sleeping_;
    wake_.wait(lock, [&] { return ends_ || (open_ && job_.load(std::memory_order_relaxed) != seen); });
    --sleeping_;
    if (ends_) return;
    seen = job_.load(std::memory_order_relaxed);
    helping_.fetch_add(1, std::memory_order_relaxed);
    lock.unlock();
    help();
    lock.lock();
    if (helping_.fetch_sub(1, std::memory_order_release) == 1 && !open_) done_.notify_one();
  }
}

}  // namespace spellpool::render
