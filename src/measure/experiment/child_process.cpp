#include "measure/experiment/child_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#if defined(__linux__)
#include <sys/prctl.h>
#endif

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <thread>

namespace spellpool::measure {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

/// Makes `from` the descriptor `to` of the program that is started; where they are one, dup2 would leave it to be
/// closed.
bool hand_over(int from, int to) { return from == to ? fcntl(from, F_SETFD, 0) == 0 : dup2(from, to) >= 0; }

/// Between fork and exec: only calls that are safe after a fork in a program with threads. Never returns.
[[noreturn]] void become(char* const* argv, int log_fd, int input_fd, int failure_fd, pid_t parent) {
  setpgid(0, 0);
#if defined(__linux__)
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(127);
#else
  (void)parent;
#endif
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  signal(SIGPIPE, SIG_DFL);
  signal(SIGINT, SIG_DFL);
  if (hand_over(input_fd, 0) && hand_over(log_fd, 1) && hand_over(log_fd, 2)) execvp(argv[0], argv);
  const int reason = errno;
  [[maybe_unused]] const ssize_t told = write(failure_fd, &reason, sizeof reason);
  _exit(127);
}

/// errno of a failed exec, or 0 once the pipe closed by a good one.
int exec_failure(int fd) {
  int reason = 0;
  ssize_t got = 0;
  do {
    got = read(fd, &reason, sizeof reason);
  } while (got < 0 && errno == EINTR);
  return got == static_cast<ssize_t>(sizeof reason) ? reason : 0;
}

ChildResult from_status(int status) {
  if (WIFEXITED(status)) return {ChildEnd::Exited, WEXITSTATUS(status)};
  return {ChildEnd::Signalled, WIFSIGNALED(status) ? WTERMSIG(status) : 0};
}

bool reaped(pid_t child, int& status) {
  const pid_t got = waitpid(child, &status, WNOHANG);
  return got == child || (got < 0 && errno == ECHILD);
}

void end_group(pid_t child) {
  int status = 0;
  kill(-child, SIGTERM);
  const auto deadline = Clock::now() + std::chrono::seconds(2);
  while (Clock::now() < deadline) {
    if (reaped(child, status)) {
      kill(-child, SIGKILL);  // Grandchildren that are still about.
      return;
    }
    std::this_thread::sleep_for(milliseconds(10));
  }
  kill(-child, SIGKILL);
  waitpid(child, &status, 0);
}

int open_log(const std::string& path) { return open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644); }

struct Started {
  pid_t child = -1;
  int error = 0;
};
/// Forks and starts a command that reads from input_fd and writes into output_fd, whose copy here is closed. The
/// child's id; or -1, and its errno.
Started start_child(const std::vector<std::string>& argv, int input_fd, int output_fd) {
  if (argv.empty()) {
    if (output_fd >= 0) close(output_fd);
    return {-1, EINVAL};
  }
  std::vector<char*> arguments;
  for (const std::string& argument : argv) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);

  int failure[2] = {-1, -1};
  const int open_error = input_fd < 0 || output_fd < 0 || pipe2(failure, O_CLOEXEC) != 0 ? errno : 0;
  const pid_t parent = getpid();
  const pid_t child = open_error == 0 ? fork() : -1;
  if (child == 0) become(arguments.data(), output_fd, input_fd, failure[1], parent);
  const int start_error = open_error != 0 ? open_error : (child < 0 ? errno : 0);
  for (const int fd : {output_fd, failure[1]}) {
    if (fd >= 0) close(fd);
  }
  if (child > 0) setpgid(child, child);
  const int reason = start_error != 0 ? start_error : exec_failure(failure[0]);
  if (failure[0] >= 0) close(failure[0]);
  if (reason == 0) return {child, 0};
  int status = 0;
  if (child > 0) waitpid(child, &status, 0);
  return {-1, reason};
}

}  // namespace

ChildResult run_child(const std::vector<std::string>& argv, const std::string& log_path, const std::atomic<bool>& stop,
                      const std::function<void()>& tick) {
  const int null_fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
  const auto [child, error] = start_child(argv, null_fd, open_log(log_path));
  if (null_fd >= 0) close(null_fd);
  if (child < 0) return {ChildEnd::NotStarted, error};
  int status = 0;
  // Short sleeps at first, so that short children cost little; long ones are hardly disturbed by 20 looks a second.
  milliseconds pause{1};
  while (!reaped(child, status)) {
    if (stop.load(std::memory_order_relaxed)) {
      end_group(child);
      return {ChildEnd::Stopped, 0};
    }
    std::this_thread::sleep_for(pause);
    if (pause < milliseconds(50)) {
      pause += pause;
    } else if (tick) {
      tick();
    }
  }
  return from_status(status);
}

namespace {

/// Splits bytes into whole lines. A carriage return also ends a line.
class LineCutter {
 public:
  explicit LineCutter(const std::function<void(std::string_view)>& line) : line_(line) {}
  ~LineCutter() { end_line(); }
  void take(std::string_view bytes) {
    for (const char c : bytes) {
      if (c == '\n' || c == '\r') end_line();
      else if (text_.size() < kMostBytes) text_ += c;
    }
  }

 private:
  static constexpr std::size_t kMostBytes = 2'000;
  void end_line() {
    if (!text_.empty() && line_) line_(text_);
    text_.clear();
  }
  const std::function<void(std::string_view)>& line_;
  std::string text_;
};

}  // namespace

bool children_run_later() { return false; }
void expect_child(const std::vector<std::string>&) {}

ChildResult run_child_lines(const std::vector<std::string>& argv, const std::atomic<bool>& stop, double patience_s,
                            const std::function<void(std::string_view)>& line) {
  int ends[2] = {-1, -1};
  if (pipe2(ends, O_CLOEXEC) != 0) return {ChildEnd::NotStarted, errno};
  fcntl(ends[0], F_SETFL, O_NONBLOCK);
  const int null_fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
  const auto [child, error] = start_child(argv, null_fd, ends[1]);
  if (null_fd >= 0) close(null_fd);
  LineCutter lines(line);
  const auto read_all = [&] {
    char bytes[4096];
    for (ssize_t got = 0; (got = read(ends[0], bytes, sizeof bytes)) > 0;)
      lines.take({bytes, static_cast<std::size_t>(got)});
  };
  ChildResult result{ChildEnd::NotStarted, error};
  bool asked = false;
  Clock::time_point deadline{};
  for (int status = 0; child > 0;) {
    if (reaped(child, status)) {
      result = from_status(status);
      if (asked) result.end = ChildEnd::Stopped;
      break;
    }
    if (stop.load(std::memory_order_relaxed) && !asked) {
      kill(child, SIGINT);  // itself alone: it ends its own children, and says what is left
      asked = true;
      deadline = Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(patience_s));
    }
    if (asked && Clock::now() > deadline) {
      end_group(child);
      result = {ChildEnd::Stopped, SIGKILL};
      break;
    }
    pollfd ready{ends[0], POLLIN, 0};
    // One that closed its output and lives on is looked at as often.
    if (poll(&ready, 1, 30) > 0 && (ready.revents & POLLIN) == 0) std::this_thread::sleep_for(milliseconds(30));
    read_all();
  }
  read_all();
  close(ends[0]);
  return result;
}

int FedChild::start(const std::vector<std::string>& argv, const std::string& log_path) {
  // A socket instead of a pipe: with MSG_NOSIGNAL, a write without a reader fails and raises no signal.
  int ends[2] = {-1, -1};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return errno;
  const Started started = start_child(argv, ends[0], open_log(log_path));
  close(ends[0]);
  if (started.child < 0) {
    close(ends[1]);
    return started.error;
  }
  child_ = started.child;
  input_ = ends[1];
  return 0;
}

bool FedChild::write(std::string_view bytes) {
  while (!bytes.empty() && input_ >= 0) {
    const ssize_t sent = send(input_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
  return bytes.empty();
}

ChildResult FedChild::finish() {
  if (input_ >= 0) close(input_);
  input_ = -1;
  if (child_ <= 0) return {};
  int status = 0;
  while (waitpid(child_, &status, 0) < 0 && errno == EINTR) {
  }
  child_ = -1;
  return from_status(status);
}

void FedChild::stop() {
  if (child_ > 0) end_group(child_);
  if (input_ >= 0) close(input_);
  child_ = input_ = -1;
}

bool program_exists(const std::string& name) {
  const char* const path = std::getenv("PATH");
  std::string_view folders = path != nullptr ? path : "/usr/local/bin:/usr/bin:/bin";
  while (!folders.empty()) {
    const std::size_t end = folders.find(':');
    const std::string file = std::string(folders.substr(0, end)) + "/" + name;
    if (access(file.c_str(), X_OK) == 0) return true;
    folders = end == std::string_view::npos ? std::string_view{} : folders.substr(end + 1);
  }
  return false;
}

}  // namespace spellpool::measure
