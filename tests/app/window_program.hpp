#pragma once
// The program in a real window under Xvfb, with real keys and a real mouse by xdotool.
#include "program.hpp"

namespace spellpool::app {

class WindowProgram : public ProgramTest {
 protected:
  void SetUp() override {
    ProgramTest::SetUp();
    for (const char* tool : {"Xvfb", "xdotool"}) {
      if (!have_command(tool)) GTEST_SKIP() << "skipped: no " << tool;
    }
  }
  /// 30 frames a second leave the processor to the tests beside it.
  static constexpr const char* kSharedPace = "--frame-cap 30";
  /// Starts the program in a window of 640×360 with these arguments, waits for it, runs `actions` as a bash script, and returns
  /// the program's exit code. $W is the window, $PID the process. The functions of tests/support/window.bash wait: `shown PART`
  /// and `gone PART` for a part of the screen, `drawn` until input is handled, `steps N` for game time, `wrote FILE TEXT`,
  /// `await COMMAND`; `press CONTROL INDEX` clicks.
  /// `size` and `pace` are options of the window.
  Outcome play(const std::string& arguments, const std::string& actions, const std::string& size = "--width 640 --height 360",
               const std::string& pace = kSharedPace) {
    const bool watched = !actions.empty();
    write("play.sh", "source '" SPELLPOOL_SOURCE_DIR "/tests/support/wait.bash'\n"
                     "source '" SPELLPOOL_SOURCE_DIR "/tests/support/window.bash'\n"
                     "$P " + size + " " + pace + " " + json_ + (watched ? "--layout-out ready.json " : "") + arguments + " & PID=$!\n"
                     + (watched ? "take_window\n" : "find_window\n") + actions + "\nwait $PID\n");
    // Xvfb picks a free display itself: tests that run side by side cannot take each other's.
    // Two that start at once may want the same one: then it is tried again.
    // What an earlier game of the same test left would be taken for this one's.
    return shell("for try in 1 2 3 4; do\n"
                 "  rm -f display ready.json\n"
                 "  Xvfb -screen 0 1400x900x24 -nolisten tcp -ac -noreset -displayfd 1 >display 2>/dev/null & X=$!\n"
                 "  for ((i = 0; i < 1500; i++)); do [ -s display ] && break 2; kill -0 $X 2>/dev/null || break; nap; done\n"
                 "  kill $X 2>/dev/null; wait $X\n"
                 "done\n"
                 "DISPLAY=:$(cat display) LIBGL_ALWAYS_SOFTWARE=1 bash play.sh; CODE=$?\n"
                 "kill $X; wait $X; exit $CODE");
  }
  std::string json_ = "--json a.json ";  ///< Without it the program begins with its title screen.
};

}  // namespace spellpool::app
