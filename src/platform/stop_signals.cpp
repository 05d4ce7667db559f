#include "platform/stop_signals.hpp"

#include <SDL.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <ctime>

namespace spellpool::platform {
namespace {

// A signal handler reaches nothing but statics.
std::atomic<bool> g_stop{false};
std::atomic<i64> g_first_interrupt_ms{0};
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<i64>::is_always_lock_free);

constexpr i64 kSameRequest_ms = 500;

i64 monotonic_ms() {  // clock_gettime may be called in a handler; 1 is added so that 0 means "never".
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<i64>(now.tv_sec) * 1000 + now.tv_nsec / 1'000'000 + 1;
}

void on_signal(int signal) {
  if (signal == SIGINT) {
    const i64 now_ms = monotonic_ms();
    i64 first_ms = 0;
    if (!g_first_interrupt_ms.compare_exchange_strong(first_ms, now_ms) && now_ms - first_ms >= kSameRequest_ms) {
      ::_exit(130);
    }
  }
  g_stop.store(true, std::memory_order_relaxed);
}

}  // namespace

void install_stop_signals() {
  SDL_SetHint(SDL_HINT_NO_SIGNAL_HANDLERS, "1");
  struct sigaction action {};
  action.sa_handler = on_signal;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;
  ::sigaction(SIGINT, &action, nullptr);
  ::sigaction(SIGTERM, &action, nullptr);
  struct sigaction before {};
  ::sigaction(SIGHUP, nullptr, &before);
  if (before.sa_handler != SIG_IGN) ::sigaction(SIGHUP, &action, nullptr);
  std::signal(SIGPIPE, SIG_IGN);
}

bool stop_requested() { return g_stop.load(std::memory_order_relaxed); }

}  // namespace spellpool::platform
