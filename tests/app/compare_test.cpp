#include "program.hpp"

namespace spellpool::app {
namespace {

using CompareProgram = ProgramTest;

TEST_F(CompareProgram, WritesItsFilesAndSaysNoMoreThanAnIndication) {
  const Outcome outcome = run("compare --scene spells --a heap --b free_list --quads 2 --steps 60 --sim-only --out r");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const auto json = read_json("r/run.json");
  ASSERT_TRUE(json.is_object());
  EXPECT_GT(read("r/frames.csv").size(), 8u * 60 * 50);
  EXPECT_EQ(read("r/card.png").substr(1, 3), "PNG");
  EXPECT_NE(outcome.out.find("an indication, not a verdict"), std::string::npos) << outcome.out;
  // Again: nothing is overwritten.
  const std::string first = read("r/run.json");
  ASSERT_EQ(run("compare --quads 1 --steps 60 --sim-only --out r").exit_code, 0);
  EXPECT_EQ(read("r/run.json"), first);
  EXPECT_TRUE(std::filesystem::exists(folder_ / "r/run-2.json"));
}

TEST_F(CompareProgram, RefusesUnequalWorkWithoutAnyFigure) {
  write("b.txt", "100 capacity particles 50\n");
  const Outcome outcome = run("compare --quads 1 --steps 200 --sim-only --commands-b b.txt --out r");
  EXPECT_EQ(outcome.exit_code, 3) << outcome.err;
  EXPECT_EQ(outcome.out.find("FPS"), std::string::npos);
  EXPECT_NE(outcome.err.find("step"), std::string::npos) << outcome.err;
}

TEST_F(CompareProgram, InterruptedItKeepsWhatIsDone) {
  const Outcome outcome = shell("$P compare --quads 200 --steps 600 --sim-only --out r & sleep 5; kill -INT $!; wait $!");
  EXPECT_EQ(outcome.exit_code, 130) << outcome.err;
  EXPECT_TRUE(read_json("r/run.json").is_object());
}

TEST_F(CompareProgram, DrawsWhenAsked) {
  const Outcome outcome = run("compare --quads 1 --steps 60 --width 320 --height 180 --out r");
  if (outcome.err.find("no OpenGL") != std::string::npos) GTEST_SKIP() << "skipped: no GL";
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_NE(read("r/run.json").find("320x180"), std::string::npos);
}

}  // namespace
}  // namespace spellpool::app
