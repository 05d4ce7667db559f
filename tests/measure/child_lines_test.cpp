// A child whose words are read as they come.
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <functional>
#include <thread>

#include "measure/experiment/child_process.hpp"
#include "synthetic.hpp"

namespace spellpool::measure {
namespace {

struct Heard {
  std::vector<std::string> lines;
  std::function<void(std::string_view)> line = [this](std::string_view text) { lines.emplace_back(text); };
};

TEST(ChildLines, ComeWholeAndInOrderFromBothOutputs) {
  const std::atomic<bool> stop{false};
  Heard heard;
  const ChildResult result = run_child_lines({"sh", "-c", "printf 'one\\ntw'; sleep 0.1; printf 'o\\rthree\\n\\n' >&2; printf 'last, without an end'; exit 4"}, stop, 5, heard.line);
  EXPECT_EQ(result.end, ChildEnd::Exited);
  EXPECT_EQ(result.code, 4);
  EXPECT_EQ(heard.lines, (std::vector<std::string>{"one", "two", "three", "last, without an end"}));
}

TEST(ChildLines, AStopIsCtrlCToTheChildWhichSaysWhatItKept) {
  std::atomic<bool> stop{false};
  std::vector<std::string> lines;
  const ChildResult result = run_child_lines({"sh", "-c", "trap 'echo kept; exit 130' INT; echo ready; while :; do sleep 0.05; done"}, stop, 30, [&](std::string_view text) {
    lines.emplace_back(text);
    stop = true;
  });
  EXPECT_EQ(result.end, ChildEnd::Stopped);
  EXPECT_EQ(result.code, 130);
  EXPECT_EQ(lines, (std::vector<std::string>{"ready", "kept"}));
}

TEST(ChildLines, OneThatDoesNotStopIsEndedWithItsOwnChildren) {
  ScratchFolder folder;
  std::atomic<bool> stop{false};
  const ChildResult result = run_child_lines({"sh", "-c", "trap '' INT; sleep 300 & echo $! >" + folder.file("pid") + "; echo ready; while :; do sleep 0.05; done"}, stop, 0.2,
                                             [&](std::string_view) { stop = true; });
  EXPECT_EQ(result.end, ChildEnd::Stopped);
  const int grandchild = std::stoi(text_of(folder.file("pid")));
  for (int look = 0; look < 200 && ::kill(grandchild, 0) == 0; ++look) std::this_thread::sleep_for(std::chrono::milliseconds(20));
  // A zombie that nobody reaps still answers: its state tells.
  const std::string stat = text_of("/proc/" + std::to_string(grandchild) + "/stat");
  EXPECT_TRUE(stat.empty() || stat.find(") Z ") != std::string::npos) << stat;
}

TEST(ChildLines, OneThatWasKilledAndOneThatIsNotThereAreTold) {
  const std::atomic<bool> stop{false};
  Heard heard;
  EXPECT_EQ(run_child_lines({"sh", "-c", "echo one; kill -KILL $$"}, stop, 5, heard.line).text().substr(0, 22), "was killed by signal 9");
  EXPECT_EQ(heard.lines.size(), 1u);
  EXPECT_EQ(run_child_lines({"/no/such/program"}, stop, 5, heard.line).end, ChildEnd::NotStarted);
  EXPECT_EQ(run_child_lines({}, stop, 5, heard.line).end, ChildEnd::NotStarted);
}

TEST(ChildLines, MoreThanAPipeHoldsIsNoReasonToHang) {
  const std::atomic<bool> stop{false};
  std::size_t bytes = 0;
  EXPECT_TRUE(run_child_lines({"sh", "-c", "for i in 1 2 3 4 5 6 7 8; do head -c 40000 /dev/zero | tr '\\0' x; echo; done"}, stop, 5, [&](std::string_view text) { bytes += text.size(); }).succeeded());
  EXPECT_EQ(bytes, 8u * 2'000) << "of a line that never ends its start is enough";
}

}  // namespace
}  // namespace spellpool::measure
