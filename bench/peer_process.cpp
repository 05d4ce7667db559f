#include "peer_process.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

namespace spellpool::bench {

PeerProcess::PeerProcess(const std::vector<std::string>& argv) {
  int input[2];
  int output[2];
  if (argv.empty() || pipe2(input, O_CLOEXEC) != 0) return;
  if (pipe2(output, O_CLOEXEC) != 0) {
    close(input[0]);
    close(input[1]);
    return;
  }
  signal(SIGPIPE, SIG_IGN);  // a peer that died is seen in its missing answer
  std::vector<char*> words;
  for (const std::string& word : argv) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  pid_ = fork();
  if (pid_ == 0) {
    dup2(input[0], STDIN_FILENO);
    dup2(output[1], STDOUT_FILENO);
    signal(SIGPIPE, SIG_DFL);
    execvp(words[0], words.data());
    _exit(127);
  }
  close(input[0]);
  close(output[1]);
  if (pid_ < 0) {
    close(input[1]);
    close(output[0]);
    return;
  }
  to_ = fdopen(input[1], "w");
  from_ = fdopen(output[0], "r");
}

PeerProcess::~PeerProcess() {
  if (to_) std::fclose(to_);
  if (from_) std::fclose(from_);
  if (pid_ > 0) waitpid(pid_, nullptr, 0);
}

std::optional<std::string> PeerProcess::read_line() {
  if (!from_) return std::nullopt;
  std::string line;
  for (int c = std::fgetc(from_); c != EOF; c = std::fgetc(from_)) {
    if (c == '\n') return line;
    line += static_cast<char>(c);
  }
  return std::nullopt;
}

std::optional<std::string> PeerProcess::ask(const std::string& line) {
  if (!to_ || std::fprintf(to_, "%s\n", line.c_str()) < 0 || std::fflush(to_) != 0) return std::nullopt;
  return read_line();
}

}  // namespace spellpool::bench
