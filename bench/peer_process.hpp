#pragma once
#include <sys/types.h>

#include <cstdio>
#include <optional>
#include <string>
#include <vector>

namespace spellpool::bench {

/// A peer's program that runs through a whole benchmark and does rounds on request, so its rounds and ours
/// can alternate. It reads one line a request and answers each with one line. It ends when its input ends.
class PeerProcess {
 public:
  /// argv[0] is looked up in PATH. Whether it started is seen at the first answer.
  explicit PeerProcess(const std::vector<std::string>& argv);
  /// Closes its input and waits for it.
  ~PeerProcess();
  PeerProcess(const PeerProcess&) = delete;
  PeerProcess& operator=(const PeerProcess&) = delete;

  /// The next line it says, without its end; nothing when it has ended.
  std::optional<std::string> read_line();
  /// Sends a line and waits for the answer.
  std::optional<std::string> ask(const std::string& line);

 private:
  pid_t pid_ = -1;
  std::FILE* to_ = nullptr;
  std::FILE* from_ = nullptr;
};

}  // namespace spellpool::bench
