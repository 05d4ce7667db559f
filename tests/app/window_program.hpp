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
  /// Starts the program in a window of 640×360 with these arguments, waits for it, then runs `actions` ($W the window,
  /// $PID the process; `shown PART` and `gone PART` wait for a part of the screen, `press CONTROL INDEX` clicks on a control) and
  /// gives the program's exit code. A game that draws slowly runs slowly: wait for what is shown, not for a time. `sleep` itself
  /// lasts until the game has drawn anew twice, so that no key is lost on a machine that is busy. `until_gone PART COMMAND` does
  /// something again and again until it has worked.
  Outcome play(const std::string& arguments, const std::string& actions, const std::string& size = "--width 640 --height 360") {
    write("play.sh",
          "drawn() { sed -n 's/.*\"frame\":\\([0-9]*\\).*/\\1/p' ready.json; }\n"
          "drawn_anew() { local was=$(drawn); for i in $(seq 200); do [ \"$(drawn)\" != \"$was\" ] && return; kill -0 $PID 2>/dev/null || return; command sleep 0.03; done; }\n"
          "sleep() { command sleep $1; drawn_anew; drawn_anew; }\n"
          "shown() { for i in $(seq 900); do grep -q '\"'$1'\":' ready.json && return; kill -0 $PID || return; command sleep 0.1; done; }\n"
          "gone() { for i in $(seq 900); do grep -q '\"'$1'\":' ready.json || return; kill -0 $PID || return; command sleep 0.1; done; }\n"
          "until_gone() { for i in $(seq 200); do grep -q '\"'$1'\":' ready.json || return; kill -0 $PID || return; eval \"$2\"; sleep 0.1; done; }\n"
          "where() { sed -nE 's/.*\"kind\":\"'$1'\",\"index\":'$2',\"rect\":\\[([0-9]+),([0-9]+),([0-9]+),([0-9]+).*/\\1 \\2 \\3 \\4/p' ready.json | head -1; }\n"
          "point() { for i in $(seq 300); do set -- $1 $2 $(where $1 $2); [ $# = 6 ] && break; command sleep 0.1; done; xdotool mousemove --window $W $((($3+$5)/2)) $((($4+$6)/2)); sleep 0.3; }\n"
          "press() { point $1 $2; xdotool click 1; sleep 0.5; }\n"
          "$P " + size + " " + json_ + (actions.empty() ? "" : "--layout-out ready.json ") + arguments + " & PID=$!\n" +
              "for i in $(seq 600); do W=$(xdotool search --pid $PID --name Spellpool 2>/dev/null | head -1); [ -n \"$W\" ] && break; kill -0 $PID 2>/dev/null || break; command sleep 0.1; done\n"
              "[ -n \"$W\" ] || { echo 'no window' >&2; kill $PID; exit 99; }\n"
              "for i in $(seq 300); do [ -s ready.json ] && break; kill -0 $PID 2>/dev/null || break; " +
              std::string(actions.empty() ? "break" : "command sleep 0.1") + "; done\n"  // it has drawn its first frames
              "xdotool windowfocus $W; " + (actions.empty() ? "command " : "") + "sleep 0.5\n" +
              actions + "\nwait $PID\n");
    // Xvfb picks a free display itself: tests that run side by side cannot take each other's.
    // Two that start at once may want the same one: then it is tried again.
    // What an earlier game of the same test left would be taken for this one's.
    return shell("for try in 1 2 3 4; do\n"
                 "  rm -f display ready.json\n"
                 "  Xvfb -screen 0 1400x900x24 -nolisten tcp -ac -displayfd 1 >display 2>/dev/null & X=$!\n"
                 "  for i in $(seq 300); do [ -s display ] && break 2; kill -0 $X 2>/dev/null || break; sleep 0.1; done\n"
                 "  kill $X 2>/dev/null; wait $X\n"
                 "done\n"
                 "DISPLAY=:$(cat display) LIBGL_ALWAYS_SOFTWARE=1 bash play.sh; CODE=$?\n"
                 "kill $X; wait $X; exit $CODE");
  }
  std::string json_ = "--json a.json ";  ///< Without it the program begins with its title screen.
};

}  // namespace spellpool::app
