#pragma once
#include <atomic>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace spellpool::measure {

enum class ChildEnd : unsigned char {
  Exited,      ///< code is its exit code.
  Signalled,   ///< code is the signal that ended it.
  NotStarted,  ///< code is errno.
  Stopped,     ///< The stop flag was raised, and the child ended; so did its own children.
};

struct ChildResult {
  ChildEnd end = ChildEnd::NotStarted;
  int code = 0;
  bool succeeded() const { return end == ChildEnd::Exited && code == 0; }
  /// "ended with exit code 7", "was killed by signal 11 (Segmentation fault)", …
  std::string text() const;
};

/// Runs a command and waits for it. argv[0] is looked up in PATH if it has no slash; no shell is involved.
/// The child reads from /dev/null, writes both outputs into log_path, is the head of a process group of its own, and
/// dies with this process. Raising `stop` ends the group: SIGTERM, and SIGKILL two seconds later.
/// tick() is called about every 50 ms.   Threads  any one that lives as long as the child.
ChildResult run_child(const std::vector<std::string>& argv, const std::string& log_path, const std::atomic<bool>& stop,
                      const std::function<void()>& tick);

/// The same for a child whose words are wanted as they come: each line that it writes, of either output, is handed to
/// line() on this thread. Raising `stop` sends it SIGINT, as Ctrl+C does, so that it keeps what it has; its group is
/// ended patience_s later. Stopped then has the exit code that it ended with, or the signal.
ChildResult run_child_lines(const std::vector<std::string>& argv, const std::atomic<bool>& stop, double patience_s,
                            const std::function<void(std::string_view)>& line);

/// True in a page: run_child() cannot run anything before this program has ended. expect_child() then announces what it
/// will be asked for, so that all of it is run before this program is started again.
bool children_run_later();
void expect_child(const std::vector<std::string>& argv);

/// A child that is fed through its standard input, such as a video encoder. Started as by run_child; both its outputs
/// go into log_path. Not in the parent's signals' way: Ctrl+C reaches only the parent, which then finishes it.
/// Threads  one: the child dies with the thread that started it.
class FedChild {
 public:
  FedChild() = default;
  ~FedChild() { stop(); }
  FedChild(const FedChild&) = delete;
  FedChild& operator=(const FedChild&) = delete;

  /// 0, or errno: ENOENT if there is no such program.
  int start(const std::vector<std::string>& argv, const std::string& log_path);
  /// Blocks until the child has taken all of it or ended. False: it has ended, or closed its input; finish() tells how.
  bool write(std::string_view bytes);
  /// Ends its input and waits for it: it may still have work to do.
  ChildResult finish();
  /// Ends it at once, if it still runs.
  void stop();
  bool running() const { return child_ > 0; }

 private:
  int child_ = -1;
  int input_ = -1;
};

/// True if PATH has a program of this name.
bool program_exists(const std::string& name);
/// The command as one would type it: quoted where the shell needs it.
std::string command_text(const std::vector<std::string>& argv);
/// Last line of a log that is not blank, at most 300 bytes of it; "" if there is none.
std::string last_line_of(const std::string& log_path);

}  // namespace spellpool::measure
