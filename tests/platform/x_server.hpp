#pragma once
// A private X server for one test, and a copy of this test program as a client of it.
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace spellpool::platform {

inline bool on_path(const std::string& program) {
  std::string path = std::getenv("PATH") != nullptr ? std::getenv("PATH") : "";
  path += ':';
  for (std::size_t begin = 0, end = 0; (end = path.find(':', begin)) != std::string::npos; begin = end + 1) {
    if (::access((path.substr(begin, end - begin) + "/" + program).c_str(), X_OK) == 0) return true;
  }
  return false;
}

/// A process that is killed at the end of the test.
class Process {
 public:
  Process() = default;
  Process(const std::vector<std::string>& arguments, const std::vector<std::string>& variables,
          const std::filesystem::path& output, int inherited = -1) {
    pid_ = ::fork();
    if (pid_ != 0) return;
    for (const std::string& variable : variables) ::putenv(::strdup(variable.c_str()));
    const int file = ::open(output.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
    ::dup2(file, 1);
    ::dup2(file, 2);
    if (inherited >= 0) ::fcntl(inherited, F_SETFD, 0);
    std::vector<char*> argv;
    for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
    argv.push_back(nullptr);
    ::execvp(argv[0], argv.data());
    ::_exit(127);
  }
  ~Process() {
    if (pid_ > 0 && !ended_) {
      ::kill(pid_, SIGKILL);
      wait();
    }
  }
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  void send(int signal) { ::kill(pid_, signal); }
  /// Exit code, or −signal.
  int wait() {
    int status = 0;
    ::waitpid(pid_, &status, 0);
    ended_ = true;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }

 private:
  pid_t pid_ = -1;
  bool ended_ = false;
};

class XServer {
 public:
  explicit XServer(const std::filesystem::path& log) {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) return;
    process_ =
        std::make_unique<Process>(std::vector<std::string>{"Xvfb", "-displayfd", std::to_string(ends[1]), "-screen",
                                                           "0", "640x480x24", "-nolisten", "tcp", "-noreset"},
                                  std::vector<std::string>{}, log, ends[1]);
    ::close(ends[1]);
    // "0\n", in one write or two: closing before the end of the line would kill the server.
    std::string text;
    char byte = 0;
    pollfd ready{ends[0], POLLIN, 0};
    while (::poll(&ready, 1, 20000) == 1 && ::read(ends[0], &byte, 1) == 1 && byte != '\n') text += byte;
    if (byte == '\n') display_ = ":" + text;
    ::close(ends[0]);
  }
  /// ":99", or "" if it did not start.
  const std::string& display() const { return display_; }
  Process& process() { return *process_; }
  int shell(const std::string& command) const {
    return std::system(("DISPLAY=" + display_ + " timeout 20 " + command + " >/dev/null 2>&1").c_str());
  }

 private:
  std::unique_ptr<Process> process_;
  std::string display_;
};

}  // namespace spellpool::platform
