// --duet as its users start it: headless, as a film, in a window.
#include <sys/stat.h>

#include <fstream>

#include "window_program.hpp"

namespace spellpool::app {
namespace {

namespace fs = std::filesystem;

class DuetProgram : public ProgramTest {
 protected:
  /// Another ffmpeg, found first on PATH; $last is the file it is to write.
  void put_ffmpeg(const std::string& script) {
    write("bin/ffmpeg", "#!/bin/sh\nfor last; do :; done\nlast=${last#file:}\n" + script + "\n");
    fs::permissions(path("bin/ffmpeg"), fs::perms::owner_all);
  }
  /// With that ffmpeg, or none, but all that a shell script needs.
  std::string with_path() const { return "PATH='" + path("bin") + "':/usr/bin:/bin"; }
  static bool no_drawing(const Outcome& outcome) { return outcome.err.find("no OpenGL") != std::string::npos || outcome.err.find("no display") != std::string::npos; }
  std::vector<std::string> files(const std::string& beginning) const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder_)) {
      if (entry.path().filename().string().starts_with(beginning)) names.push_back(entry.path().filename().string());
    }
    std::sort(names.begin(), names.end());
    return names;
  }
};

constexpr const char* kSmall = "--duet heap free_list --width 320 --height 240 ";

TEST_F(DuetProgram, TellsBothSidesAndThatTheWorkWasEqual) {
  for (const std::string scene : {"spells", "shooter"}) {
    const Outcome outcome = run("--duet heap soa --sim-only --steps 200 --seed 5 --scene " + scene + " --json a.json");
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_EQ(outcome.out.find("step time of soa / heap = "), 0u) << outcome.out;
    EXPECT_NE(outcome.out.find("an indication, both share one process"), std::string::npos);
    const auto json = read_json("a.json");
    EXPECT_EQ(json["format"], "spellpool-duet-1");
    EXPECT_EQ(json["scene"], scene);
    EXPECT_EQ(json["seed"], 5);
    EXPECT_EQ(json["equal_work"]["equal"], true);
    EXPECT_EQ(json["equal_work"]["hashed_steps"], 200);
    EXPECT_EQ(json["a"]["strategy"], "heap");
    EXPECT_EQ(json["b"]["strategy"], "soa");
    EXPECT_EQ(json["counted_steps"], 140);
    EXPECT_TRUE(json["frame"].is_null()) << "no window, no frames";
    EXPECT_GT(json["a"]["step"]["median_us"], 0);
    EXPECT_GT(json["ratio"]["step"]["b_over_a"], 0);
    EXPECT_TRUE(json["ratio"]["drawing"]["b_over_a"].is_null());
    const Outcome alone = run("--sim-only --autoplay --steps 200 --seed 5 --scene " + scene + " --json b.json");
    ASSERT_EQ(alone.exit_code, 0) << alone.err;
    EXPECT_EQ(json["hash"], read_json("b.json")["hash"]) << "the same game as without a duet";
  }
}

TEST_F(DuetProgram, RefusesUnequalWorkWithExitCode3) {
  const Outcome outcome = run("--duet heap free_list --sim-only --steps 400 --plant-difference 100 --json a.json");
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_NE(outcome.err.find("the two worlds differ after step 120: heap and free_list did not do the same work"), std::string::npos) << outcome.err;
  EXPECT_EQ(outcome.out, "");
  const auto json = read_json("a.json");
  EXPECT_EQ(json["steps"], 120) << "it stopped there";
  EXPECT_EQ(json["equal_work"]["equal"], false);
  EXPECT_EQ(json["equal_work"]["differs_at"], 120);
  EXPECT_FALSE(json.contains("ratio") || json.contains("a"));
}

TEST_F(DuetProgram, AnUnknownStrategyIsOneLine) {
  const Outcome outcome = run("--duet heap nothing --sim-only --steps 10");
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_EQ(outcome.error_lines(), 1u) << outcome.err;
  EXPECT_NE(outcome.err.find("--duet: there is no 'nothing'; there are: heap, "), std::string::npos) << outcome.err;
}

TEST_F(DuetProgram, DrawsBothWorldsAndTimesThat) {
  const Outcome outcome = run(std::string(kSmall) + "--headless --steps 90 --screenshot a.png --json a.json --layout-out l.json");
  if (no_drawing(outcome)) GTEST_SKIP() << "skipped: " << outcome.err;
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const auto json = read_json("a.json");
  for (const char* arm : {"a", "b"}) {
    EXPECT_GT(json[arm]["drawing"]["median_us"], 0) << arm;
    EXPECT_GT(json[arm]["step_and_drawing"]["median_us"], json[arm]["step"]["median_us"]) << arm;
  }
  EXPECT_EQ(read("a.png").substr(1, 3), "PNG");
}

TEST_F(DuetProgram, AFilmHasAPictureForEachOfItsSteps) {
  put_ffmpeg("cat > \"$last\"; echo \"$@\" > arguments");
  write("a.gif", "older");
  const Outcome outcome = run(std::string(kSmall) + "--steps 63 --export a.gif", with_path());
  if (no_drawing(outcome)) GTEST_SKIP() << "skipped: " << outcome.err;
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(read("a.gif"), "older") << "never written over";
  EXPECT_EQ(files("a"), (std::vector<std::string>{"a-2.gif", "a.gif", "arguments"}));
  EXPECT_EQ(read("a-2.gif").size(), 21u * 320 * 240 * 3) << "every third step of 63";
  EXPECT_NE(read("arguments").find("-video_size 320x240 -framerate 20"), std::string::npos);
  EXPECT_NE(outcome.err.find("a-2.gif"), std::string::npos) << outcome.err;
  const std::string film = read("a-2.gif");
  EXPECT_NE(film.substr(0, 320 * 240 * 3), film.substr(film.size() - 320 * 240 * 3)) << "something moves";
}

TEST_F(DuetProgram, WithoutFfmpegNothingIsPlayedAndOneLineNamesThePackage) {
  fs::create_directories(path("bin"));
  const Outcome outcome = run(std::string(kSmall) + "--steps 60 --export a.mp4 --json a.json", "PATH='" + path("bin") + "'");
  // The shell that starts it needs env, which is not on that PATH either.
  const Outcome found = shell("PATH='" + path("bin") + "' $P " + std::string(kSmall) + "--steps 60 --export a.mp4 --json a.json");
  EXPECT_NE(outcome.exit_code, 0);
  EXPECT_EQ(found.exit_code, 2);
  EXPECT_EQ(found.error_lines(), 1u) << found.err;
  EXPECT_NE(found.err.find("--export a.mp4: ffmpeg is not installed; install ffmpeg: sudo apt-get install ffmpeg"), std::string::npos) << found.err;
  EXPECT_EQ(found.out, "");
  EXPECT_TRUE(files("a").empty());
}

TEST_F(DuetProgram, AFilmThatCannotBeWrittenIsOneLineAndLeavesNothing) {
  put_ffmpeg("cat > /dev/null; echo 'No space left on device' >&2; exit 1");
  const Outcome nowhere = run(std::string(kSmall) + "--steps 60 --export no/such/a.mp4", with_path());
  EXPECT_EQ(nowhere.exit_code, 2);
  EXPECT_EQ(nowhere.error_lines(), 1u) << nowhere.err;
  EXPECT_NE(nowhere.err.find("no/such/a.mp4"), std::string::npos) << nowhere.err;
  const Outcome full = run(std::string(kSmall) + "--steps 60 --export a.webp", with_path());
  if (no_drawing(full)) GTEST_SKIP() << "skipped: " << full.err;
  EXPECT_EQ(full.exit_code, 2);
  EXPECT_NE(full.err.find("--export a.webp: ffmpeg ended with exit code 1 (its last line: No space left on device)"), std::string::npos) << full.err;
  EXPECT_TRUE(files("a").empty());
}

TEST_F(DuetProgram, AnEncoderThatDiesIsOneLineAndNoSignal) {
  put_ffmpeg("head -c 1000 > /dev/null; echo 'broken' >&2; exit 7");
  const Outcome outcome = run(std::string(kSmall) + "--steps 60 --export a.webp", with_path());
  if (no_drawing(outcome)) GTEST_SKIP() << "skipped: " << outcome.err;
  EXPECT_EQ(outcome.exit_code, 2) << outcome.err;
  EXPECT_NE(outcome.err.find("ffmpeg ended with exit code 7 (its last line: broken)"), std::string::npos) << outcome.err;
  EXPECT_TRUE(files("a").empty());
}

TEST_F(DuetProgram, StoppedWhileItFilmsItSaysWhatIsLeft) {
  // The encoder itself asks for the stop, once it has five pictures.
  put_ffmpeg("head -c 1152000 > \"$last\"; kill -INT $(cat pid); cat >> \"$last\"");
  const Outcome outcome = shell("env -u DISPLAY -u WAYLAND_DISPLAY $P " + std::string(kSmall) + "--steps 600 --export a.mp4 & echo $! > pid; wait $!", with_path());
  if (no_drawing(outcome)) GTEST_SKIP() << "skipped: " << outcome.err;
  EXPECT_EQ(outcome.exit_code, 130) << outcome.err;
  const std::size_t pictures = read("a.mp4").size() / (320 * 240 * 3);
  EXPECT_GE(pictures, 5u);
  EXPECT_LT(pictures, 600u);
  EXPECT_NE(outcome.err.find("--export: stopped; a.mp4 has the first "), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find(" of 10.0 s"), std::string::npos) << outcome.err;
  EXPECT_EQ(files("a"), std::vector<std::string>{"a.mp4"});
}

class DuetInAWindow : public WindowProgram {};

TEST_F(DuetInAWindow, ObeysItsKeysAndAHandPlaysInBoth) {
  const Outcome outcome = play("--duet heap free_list",
                               "shown duet_strip\n"
                               "xdotool key F1; shown help; xdotool key F1; gone help\n"
                               "gone notice; xdotool key Tab; shown notice\n"  // it says that Tab has no effect here
                               "xdotool key F3; gone duet_strip; xdotool key F3; shown duet_strip\n"
                               "xdotool key g; drawn; xdotool key p; drawn; xdotool key n; drawn; xdotool key p; drawn\n"
                               "xdotool mousemove --window $W 450 120 mousedown 1; steps 30; xdotool mouseup 1; drawn\n"
                               "xdotool keydown d; steps 10; xdotool keyup d; xdotool key 2\n"
                               "xdotool key F12; shown notice\n"
                               "xdotool windowsize $W 1000 700; drawn; xdotool windowsize $W 300 200; drawn; xdotool windowsize $W 640 480; drawn\n"
                               "xdotool key Escape; drawn; kill -0 $PID || exit 98; xdotool key Escape");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const auto json = read_json("a.json");
  EXPECT_EQ(json["equal_work"]["equal"], true);
  EXPECT_GT(json["steps"], 20);
  EXPECT_EQ(json["equal_work"]["hashed_steps"], json["steps"]);
  EXPECT_NE(shell("ls data/spellpool/recordings").out.find("duet_"), std::string::npos);
  EXPECT_FALSE(fs::exists(path("config/spellpool/settings.toml"))) << "a duet remembers nothing";
}

TEST_F(DuetInAWindow, PlaysItsStepsAndEnds) {
  const Outcome outcome = play("--duet packed packed --scene shooter --steps 90 --vsync off --screenshot a.png --json a.json", "");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const auto json = read_json("a.json");
  EXPECT_EQ(json["steps"], 90);
  EXPECT_GT(json["a"]["drawing"]["median_us"], 0);
  EXPECT_EQ(read("a.png").substr(1, 3), "PNG");
}

TEST_F(DuetInAWindow, ADifferenceStopsItAndIsSaid) {
  const Outcome outcome = play("--duet heap free_list --steps 400 --plant-difference 60", "");
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_NE(outcome.err.find("the two worlds differ after step "), std::string::npos) << outcome.err;
  EXPECT_LT(read_json("a.json")["steps"], 400);
}

TEST_F(DuetInAWindow, AStopSignalOrALostDisplayLosesNothing) {
  const Outcome stopped = play("--duet heap free_list", "steps 10; kill -INT $PID");
  EXPECT_EQ(stopped.exit_code, 130) << stopped.err;
  EXPECT_GT(read_json("a.json")["steps"], 5);
  fs::remove(path("a.json"));
  const Outcome destroyed = play("--duet heap free_list", "steps 10; xdotool windowclose $W");
  EXPECT_EQ(destroyed.exit_code, 0) << destroyed.err;
  EXPECT_GT(read_json("a.json")["steps"], 5);
  fs::remove(path("a.json"));
  const Outcome lost = play("--duet heap free_list", "steps 10; xdotool windowkill $W");
  EXPECT_EQ(lost.exit_code, 2) << lost.err;
  EXPECT_NE(lost.err.find("display was lost"), std::string::npos) << lost.err;
  EXPECT_GT(read_json("a.json")["steps"], 5);
}

}  // namespace
}  // namespace spellpool::app
