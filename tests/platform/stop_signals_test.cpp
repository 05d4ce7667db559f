#include "platform/stop_signals.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

namespace spellpool::platform {
namespace {

/// Runs the function in a process of its own and gives its exit code, -signal if a signal ended it.
template <class Function>
int exit_code_of(Function function) {
  const pid_t child = ::fork();
  if (child == 0) {
    ::alarm(20);
    ::_exit(function());
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

TEST(StopSignals, EachAsksToStopOnce) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    EXPECT_EQ(exit_code_of([signal] {
                std::signal(SIGHUP, SIG_DFL);
                install_stop_signals();
                if (stop_requested()) return 1;
                std::raise(signal);
                return stop_requested() ? 0 : 2;
              }),
              0)
        << signal;
  }
}

TEST(StopSignals, InterruptSentTwiceAtOnceIsOneRequestALaterOneEndsAtOnce) {
  EXPECT_EQ(exit_code_of([] {
              install_stop_signals();
              std::raise(SIGINT);
              std::raise(SIGINT);
              return stop_requested() ? 7 : 2;
            }),
            7);
  EXPECT_EQ(exit_code_of([] {
              install_stop_signals();
              std::raise(SIGINT);
              ::usleep(600'000);
              std::raise(SIGINT);
              return 7;
            }),
            130);
}

TEST(StopSignals, InterruptIsTakenWhereTheShellIgnoredIt) {
  EXPECT_EQ(exit_code_of([] {
              std::signal(SIGINT, SIG_IGN);
              install_stop_signals();
              std::raise(SIGINT);
              return stop_requested() ? 0 : 2;
            }),
            0);
}

TEST(StopSignals, HangUpStaysIgnoredUnderNohup) {
  EXPECT_EQ(exit_code_of([] {
              std::signal(SIGHUP, SIG_IGN);
              install_stop_signals();
              std::raise(SIGHUP);
              return stop_requested() ? 2 : 0;
            }),
            0);
}

TEST(StopSignals, ClosedPipeIsAWriteError) {
  EXPECT_EQ(exit_code_of([] {
              install_stop_signals();
              int ends[2];
              if (::pipe(ends) != 0) return 2;
              ::close(ends[0]);
              return ::write(ends[1], "x", 1) == -1 ? 0 : 3;
            }),
            0);
}

}  // namespace
}  // namespace spellpool::platform
