#include "measure/experiment/recording_index.hpp"

#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <fcntl.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "measure/experiment/block_store.hpp"
#include "measure/experiment/comparison_files.hpp"
#include "measure/experiment/run_json.hpp"
#include "measure/record/frames_csv.hpp"
#include "measure/report/report_files.hpp"
#include "synthetic.hpp"

namespace spellpool::measure {
namespace {

namespace fs = std::filesystem;
using Kind = RecordingEntry::Kind;
using State = RecordingEntry::State;

const std::atomic<bool> kGoOn{false};

class RecordingIndex : public testing::Test {
 protected:
  /// A finished comparison in its folder.
  Comparison keep(const std::string& name, u32 quads = 6, const char* date = "2026-11-21T03:42:21Z") {
    Comparison c = synthetic_comparison(quads, 100, {50, 0.8, 9'000, false});
    c.environment.date = date;
    write_comparison(c, folder_.file(name));
    return c;
  }
  void write(const std::string& name, const std::string& text) const {
    fs::create_directories(fs::path(folder_.file(name)).parent_path());
    std::ofstream(folder_.file(name), std::ios::binary) << text;
  }
  std::vector<RecordingEntry> read() const { return read_index(folder_.path(), kGoOn); }
  RecordingEntry only() const {
    std::vector<RecordingEntry> entries = read();
    EXPECT_EQ(entries.size(), 1u);
    return entries.empty() ? RecordingEntry{} : entries[0];
  }
  /// A folder as `compare` leaves it when it is killed: a plan, so many finished blocks, perhaps a run.json that says "running".
  void begin(const std::string& name, bool with_run) {
    BlockStore store;
    ASSERT_EQ(store.create(folder_.file(name)), "");
    ASSERT_EQ(store.keep("plan.json", nlohmann::json{{"format", "spellpool-blocks-1"}, {"plan", "{\"a\":\"heap\",\"b\":\"queue\",\"scene\":\"spells\"}"}, {"note", nullptr}}.dump()), "");
    if (!with_run) return;
    Comparison c = synthetic_comparison(6, 100, {50, 0.8, 9'000, false});
    c.state = ComparisonState::Running;
    c.message = "begun and not finished";
    ASSERT_EQ(replace_file(folder_.file(name + "/run.json"), run_json(c, {})), "");
    for (const BlockResult& block : c.blocks) {
      if (block.place.block >= 4) break;
      std::string table(frames_csv_header());
      for (const frame::FrameRecord& record : block.frames) {
        char row[kMaxCsvRowBytes];
        table.append(row, format_csv_row(record, block.place, row));
      }
      char number[16];
      std::snprintf(number, sizeof number, "%04d", block.place.block);
      ASSERT_EQ(store.keep(std::string(number) + ".csv", table), "");
      ASSERT_EQ(store.keep(std::string(number) + ".json", "{}"), "");
    }
  }
  ScratchFolder folder_;
};

TEST_F(RecordingIndex, AFinishedComparisonTellsWhatWasComparedAndWhatCameOfIt) {
  const Comparison c = keep("one");
  const RecordingEntry entry = only();
  EXPECT_EQ(entry.kind, Kind::Comparison);
  EXPECT_EQ(entry.state, State::Done);
  EXPECT_EQ(entry.what, "heap : free_list");
  EXPECT_NE(entry.where.find("spells, simulation only, 6 quads"), std::string::npos) << entry.where;
  EXPECT_EQ(entry.sentence, c.last_line());
  EXPECT_EQ(entry.badge.name, "indication");
  EXPECT_EQ(entry.date_s, 1'795'232'541) << "its own date, not that of its file";
  EXPECT_FALSE(entry.can_resume);
  const Comparison& read = entry.run.comparison;
  EXPECT_TRUE(read.blocks.empty()) << "most of the file is not read";
  EXPECT_NEAR(read.whole.effect.point, c.whole.effect.point, 1e-9);
  EXPECT_NEAR(read.whole.effect.low, c.whole.effect.low, 1e-9);
  EXPECT_NEAR(read.arms[1].figures.frame.median_us, c.arms[1].figures.frame.median_us, 1e-9);
  EXPECT_NEAR(read.arms[0].figures.frame.low_1_percent_fps, c.arms[0].figures.frame.low_1_percent_fps, 1e-6);
  EXPECT_NEAR(read.arms[0].figures.frame.allocations_per_frame, c.arms[0].figures.frame.allocations_per_frame, 1e-9);
  EXPECT_EQ(fs::path(entry.card).filename(), "card.png");
  EXPECT_EQ(entry.report, "");
}

TEST_F(RecordingIndex, TheNewestComesFirstWhateverItIsCalled) {
  keep("b", 6, "2026-11-21T03:42:21Z");
  keep("a", 6, "2026-11-22T03:42:21Z");
  keep("c", 6, "2026-11-20T03:42:21Z");
  std::string order;
  for (const RecordingEntry& entry : read()) order += entry.name;
  EXPECT_EQ(order, "abc");
}

TEST_F(RecordingIndex, OneThatWasKilledCanGoOnAndOneThatRunsCannot) {
  begin("k", true);
  RecordingEntry entry = only();
  EXPECT_EQ(entry.state, State::Killed);
  EXPECT_TRUE(entry.can_resume);
  EXPECT_EQ(entry.badge.name, "unfinished");
  const int lock = ::open(folder_.file("k/blocks").c_str(), O_RDONLY | O_DIRECTORY);
  ASSERT_EQ(::flock(lock, LOCK_EX | LOCK_NB), 0) << "looking at it left it locked";
  entry = only();
  EXPECT_EQ(entry.state, State::Running);
  EXPECT_FALSE(entry.can_resume);
  ::close(lock);
}

TEST_F(RecordingIndex, OneThatWasKilledBeforeItsFirstBlockIsThereToo) {
  begin("k", false);
  const RecordingEntry entry = only();
  EXPECT_EQ(entry.state, State::Killed);
  EXPECT_TRUE(entry.can_resume);
  EXPECT_EQ(entry.what, "heap : queue");
}

TEST_F(RecordingIndex, UnequalInterruptedAndFailedOnesSaySo) {
  for (const auto& [state, name] : {std::pair{ComparisonState::UnequalWork, "u"}, {ComparisonState::Interrupted, "i"}, {ComparisonState::Failed, "f"}}) {
    Comparison c = synthetic_comparison(6, 100, {50, 0.8, 0, false});
    c.state = state;
    c.message = "first difference at step 17";
    c.environment.date = std::string("2026-11-2") + (name[0] == 'u' ? "3" : name[0] == 'i' ? "2" : "1") + "T03:42:21Z";
    fs::create_directories(folder_.file(name));
    ASSERT_EQ(replace_file(folder_.file(std::string(name) + "/run.json"), run_json(c, {})), "");
  }
  const std::vector<RecordingEntry> entries = read();
  ASSERT_EQ(entries.size(), 3u);
  EXPECT_EQ(entries[0].state, State::Unequal);
  EXPECT_EQ(entries[0].badge.name, "refused");
  EXPECT_EQ(entries[0].sentence, "first difference at step 17");
  EXPECT_EQ(entries[1].state, State::Interrupted);
  EXPECT_FALSE(entries[1].can_resume) << "it has no blocks";
  EXPECT_EQ(entries[2].state, State::Failed);
  EXPECT_EQ(entries[2].sentence, "first difference at step 17");
}

TEST_F(RecordingIndex, WhatIsDamagedOrForeignIsALineThatSaysWhy) {
  const std::string whole = text_of((keep("whole"), folder_.file("whole/run.json")));
  fs::remove_all(folder_.file("whole"));
  write("cut/run.json", whole.substr(0, whole.size() / 2));
  write("empty/run.json", "");
  write("list/run.json", "[[[[");
  write("other/run.json", "{\"format\":\"spellpool-run-1\",\"plan\":7,\"ratio\":[1],\"arms\":\"x\",\"blocks\":{}}");
  write("names/run.json", "{\"format\":\"spellpool-run-1\",\"plan\":{\"a\":\"warp\",\"b\":\"heap\"}}");
  write("nothing/readme.txt", "hello");
  write("several/all.json", "{\"format\":\"x\"}");
  write("table.csv", "time;value\n1;2\n");
  write("torn.csv", "frame_us,step\n100,1\n");  // few columns are fine
  write("number.csv", "frame_us,step\nabc,1\n");
  fs::create_directories(folder_.file("hollow/run.json"));
  ::mkfifo(folder_.file("pipe.csv").c_str(), 0600);
  fs::create_directories(folder_.file("piped"));
  ::mkfifo(folder_.file("piped/run.json").c_str(), 0600);
  write("picture.png", "PNG");
  write("sound.wav", "RIFF");
  const std::vector<RecordingEntry> entries = read();
  EXPECT_EQ(entries.size(), 12u);
  for (const RecordingEntry& entry : entries) {
    EXPECT_FALSE(entry.sentence.empty()) << entry.name;
    EXPECT_EQ(entry.sentence.find('\n'), std::string::npos) << entry.name;
    EXPECT_EQ(entry.state, entry.name == "torn.csv" ? State::Done : State::Damaged) << entry.name << ": " << entry.sentence;
    EXPECT_FALSE(entry.can_resume) << entry.name;
    (void)read_recording_details(entry, kGoOn);
  }
}

TEST_F(RecordingIndex, AFolderThatIsNotThereIsAnEmptyList) { EXPECT_TRUE(read_index(folder_.file("none"), kGoOn).empty()); }

TEST_F(RecordingIndex, ReadingEndsWhenItIsTold) {
  for (int i = 0; i < 5; ++i) write(std::to_string(i) + ".csv", "frame_us\n1\n");
  const std::atomic<bool> stop{true};
  EXPECT_TRUE(read_index(folder_.path(), stop).empty());
}

TEST_F(RecordingIndex, AThousandAreRead) {
  keep("first");
  const std::string text = text_of(folder_.file("first/run.json"));
  for (int i = 0; i < 1'000; ++i) write("run_" + std::to_string(i) + "/run.json", text);
  EXPECT_EQ(read().size(), 1'001u);
}

TEST_F(RecordingIndex, ManyAtOnceTellHowManyDiffer) {
  write("m/all.json", "{\"format\":\"spellpool-all-1\",\"state\":\"interrupted\",\"note\":{},\"cells\":[{\"outcome\":\"queue faster\"},{\"outcome\":\"no difference detected\"}]}");
  const RecordingEntry entry = only();
  EXPECT_EQ(entry.kind, Kind::Several);
  EXPECT_EQ(entry.state, State::Interrupted);
  EXPECT_TRUE(entry.can_resume);
  EXPECT_EQ(entry.sentence, "A difference in 1 of 2.");
}

TEST_F(RecordingIndex, TheLongestSpikesOfBothArmsWithTheirPhasesAndTheTracesNames) {
  Comparison c = keep("one");
  std::vector<std::string> errors;
  write_report(report_of(c), &c, folder_.file("one"), errors);
  ASSERT_TRUE(errors.empty());
  const RecordingEntry entry = only();
  EXPECT_EQ(fs::path(entry.report).filename(), "report.html");
  const RecordingDetails details = read_recording_details(entry, kGoOn);
  EXPECT_EQ(details.error, "");
  ASSERT_FALSE(details.spikes.empty());
  EXPECT_LE(details.spikes.size(), kRecordingSpikes);
  const RecordingSpike& worst = details.spikes[0];
  EXPECT_EQ(worst.arm, 0u);
  EXPECT_EQ(worst.block, 0);
  EXPECT_FLOAT_EQ(worst.record.frame_us, 9'000);
  EXPECT_EQ(worst.record.step, 240u + 33 + 1);
  EXPECT_GT(worst.record.phase_us[1], 1'000);
  EXPECT_NEAR(worst.usual_us, 50, 25);
  for (std::size_t i = 1; i < details.spikes.size(); ++i) EXPECT_GE(details.spikes[i - 1].record.frame_us, details.spikes[i].record.frame_us);
  // As many as the arms' own figures have, which count each block by itself.
  u64 all = 0;
  for (const BlockResult& block : c.blocks) all += block.figures.frame.spikes;
  EXPECT_EQ(details.spike_count, all);
  const std::string trace = text_of(folder_.file("one/trace.json"));
  for (const RecordingSpike& spike : details.spikes) EXPECT_NE(trace.find("\"" + spike.trace_name + "\""), std::string::npos) << spike.trace_name;
}

TEST_F(RecordingIndex, OfOneThatWasKilledTheFinishedBlocksCount) {
  begin("k", true);
  const RecordingDetails details = read_recording_details(only(), kGoOn);
  EXPECT_EQ(details.error, "");
  ASSERT_FALSE(details.spikes.empty());
  EXPECT_FLOAT_EQ(details.spikes[0].record.frame_us, 9'000);
}

TEST_F(RecordingIndex, ARecordingByItselfHasFiguresAndSpikes) {
  std::string table(frames_csv_header());
  for (u64 i = 0; i < 400; ++i) {
    frame::FrameRecord record = frame_of(i == 300 ? 50'000 : 8'000, i + 1);
    record.strategy = i < 200 ? 0 : 1;
    record.new_calls = 3;
    char row[kMaxCsvRowBytes];
    table.append(row, format_csv_row(record, {}, row));
  }
  write("spellpool_2026-11-21_03-42-21.csv", table);
  const RecordingEntry entry = only();
  EXPECT_EQ(entry.kind, Kind::Recording);
  EXPECT_EQ(entry.badge.name, "");
  std::tm date{};
  date.tm_year = 126, date.tm_mon = 10, date.tm_mday = 21, date.tm_hour = 3, date.tm_min = 42, date.tm_sec = 21, date.tm_isdst = -1;
  EXPECT_EQ(entry.date_s, static_cast<i64>(std::mktime(&date)));
  const RecordingDetails details = read_recording_details(entry, kGoOn);
  EXPECT_EQ(details.strategies, "heap, free_list");
  EXPECT_EQ(details.figures.frame.frames, 400u);
  EXPECT_NEAR(details.figures.frame.median_us, 8'000, 1e-6);
  EXPECT_NEAR(details.figures.frame.allocations_per_frame, 3, 1e-9);
  ASSERT_EQ(details.spikes.size(), 1u);
  EXPECT_EQ(details.spikes[0].record.step, 301u);
  EXPECT_EQ(details.spikes[0].trace_name, "");
}

TEST(BadgeOf, AQuickAbIsNeverAVerdict) {
  Comparison c = synthetic_comparison(20, 60, {50, 0.8, 0, false});
  c.plan.control = true;
  c.whole.control = {0, -0.001, 0.001, 20};
  EXPECT_EQ(badge_of(c).name, "verdict");
  c.plan.method = Method::InPlace;
  EXPECT_EQ(badge_of(c).name, "indication");
}

}  // namespace
}  // namespace spellpool::measure
