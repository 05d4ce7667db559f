#include "render/crew.hpp"

#include <algorithm>
#include <system_error>

namespace spellpool::render {

Crew::Crew(int hands) {
  if (hands <= 0) hands = std::min(8, static_cast<int>(std::max(1u, std::thread::hardware_concurrency())));
  hands = std::min(hands, kMost);
  try {
    for (int i = 1; i < hands; ++i) workers_.emplace_back([this] { serve(); });
  } catch (const std::system_error&) {
    // No more threads to be had: fewer hands do it too.
  }
}

Crew::~Crew() {
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
  }
  wake_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

void Crew::run_all(int pieces, Call call, void* self) {
  if (pieces <= 0) return;
  if (workers_.empty() || pieces == 1) {
    for (int piece = 0; piece < pieces; ++piece) call(self, piece);
    return;
  }
  {
    const std::lock_guard lock(mutex_);
    call_ = call;
    self_ = self;
    pieces_ = pieces;
    next_.store(0, std::memory_order_relaxed);
    open_ = true;
    ++job_;
  }
  wake_.notify_all();
  help();
  std::unique_lock lock(mutex_);
  open_ = false;
  done_.wait(lock, [this] { return helping_ == 0; });
}

void Crew::help() {
  for (int piece; (piece = next_.fetch_add(1, std::memory_order_relaxed)) < pieces_;) call_(self_, piece);
}

void Crew::serve() {
  u64 seen = 0;
  std::unique_lock lock(mutex_);
  for (;;) {
    wake_.wait(lock, [&] { return ends_ || (open_ && job_ != seen); });
    if (ends_) return;
    seen = job_;
    ++helping_;
    lock.unlock();
    help();
    lock.lock();
    if (--helping_ == 0 && !open_) done_.notify_one();
  }
}

}  // namespace spellpool::render
