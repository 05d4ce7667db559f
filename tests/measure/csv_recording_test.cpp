#include "measure/record/csv_recording.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <clocale>
#include <cstdlib>
#include <limits>
#include <locale>

#include "measure/record/allocation_counter.hpp"
#include "synthetic.hpp"

namespace spellpool::measure {
namespace {

frame::FrameRecord full_record() {
  frame::FrameRecord r;
  r.frame = 1, r.step = 2, r.t_ns = 3'000'000'007, r.hash = 0x00ff00000000abcd, r.new_bytes = 4096;
  r.frame_us = 1234.5625f;
  r.phase_us = {1.5f, 2.25f, 3, 4, 5, 6, 7};
  r.live = 10, r.spawned = 11, r.despawned = 12, r.rejected = 13, r.stolen = 14;
  r.new_calls = 15, r.delete_calls = 16, r.minflt = 17, r.majflt = 18, r.nvcsw = 19, r.nivcsw = 20;
  r.seed = 42, r.strategy = 1, r.has_hash = true, r.has_usage = true;
  return r;
}

std::string row_of(const frame::FrameRecord& record, const BlockPlace& place = {}) {
  char row[kMaxCsvRowBytes];
  return std::string(row, format_csv_row(record, place, row));
}

constexpr const char* kHeader =
    "block,quad,pos,strategy,seed,frame,step,t_ns,frame_us,spawn_us,update_us,collide_us,despawn_us,render_us,"
    "ui_us,swap_us,live,spawned,despawned,rejected,stolen,new_calls,delete_calls,new_bytes,minflt,majflt,nvcsw,nivcsw,"
    "hash\n";
constexpr const char* kFullRow =
    "5,1,2,free_list,42,1,2,3000000007,1234.562,1.500,2.250,3.000,4.000,5.000,6.000,7.000,10,11,12,13,14,15,16,4096,"
    "17,18,19,20,00ff00000000abcd\n";

TEST(FramesCsv, HeaderIsTheContract) { EXPECT_EQ(frames_csv_header(), kHeader); }

TEST(FramesCsv, RowHasEveryColumnInItsUnit) { EXPECT_EQ(row_of(full_record(), {5, 1, 2}), kFullRow); }

TEST(FramesCsv, WhatIsNotKnownIsNaAndNeverZero) {
  frame::FrameRecord r = full_record();
  r.has_hash = r.has_usage = false;
  r.strategy = 200;
  r.phase_us[0] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(row_of(r),
            "NA,NA,NA,NA,42,1,2,3000000007,1234.562,NA,2.250,3.000,4.000,5.000,6.000,7.000,10,11,12,13,14,15,16,4096,"
            "NA,NA,NA,NA,NA\n");
}

TEST(FramesCsv, TheLongestRowFits) {
  frame::FrameRecord r;
  for (const frame::RecordColumn& column : frame::kRecordColumns) {
    if (column.total != nullptr) r.*column.total = ~u64{0};
    else if (column.count != nullptr) r.*column.count = ~u32{0};
    else column.us(r) = -std::numeric_limits<float>::max();
    if (column.known != nullptr) r.*column.known = true;
  }
  EXPECT_LT(row_of(r, {2'000'000'000, 2'000'000'000, 2'000'000'000}).size(), kMaxCsvRowBytes);
}

struct CommaNumbers : std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
};

TEST(FramesCsv, AStreamLocaleWithCommasChangesNothing) {
  const std::locale before = std::locale::global(std::locale(std::locale::classic(), new CommaNumbers));
  EXPECT_EQ(row_of(full_record(), {5, 1, 2}), kFullRow);
  std::locale::global(before);
}

TEST(FramesCsv, ACLocaleWithCommasChangesNothing) {
  ScratchFolder folder;
  const std::string built = "localedef -i de_DE -f UTF-8 " + folder.file("de_DE.UTF-8") + " >/dev/null 2>&1";
  [[maybe_unused]] const int status = std::system(built.c_str());
  setenv("LOCPATH", folder.path().c_str(), 1);
  const char* set = std::setlocale(LC_ALL, "de_DE.UTF-8");
  unsetenv("LOCPATH");
  if (!set) GTEST_SKIP() << "no locale with a decimal comma here";
  ASSERT_STREQ(std::localeconv()->decimal_point, ",");
  const std::string row = row_of(full_record(), {5, 1, 2});
  std::ofstream(folder.file("a.csv")) << kHeader << kFullRow;
  const FramesCsv read = read_frames_csv(folder.file("a.csv"));
  std::setlocale(LC_ALL, "C");
  EXPECT_EQ(row, kFullRow);
  ASSERT_EQ(read.frames.size(), 1u) << read.error;
  EXPECT_FLOAT_EQ(read.frames[0].frame_us, 1234.562f);
}

TEST(FramesCsvReader, ReadsBackWhatWasWritten) {
  ScratchFolder folder;
  frame::FrameRecord bare = full_record();
  bare.has_hash = bare.has_usage = false;
  bare.strategy = 0;
  std::ofstream(folder.file("a.csv")) << kHeader << row_of(full_record(), {5, 1, 2}) << row_of(bare);
  const FramesCsv read = read_frames_csv(folder.file("a.csv"));
  ASSERT_EQ(read.error, "");
  ASSERT_EQ(read.frames.size(), 2u);
  EXPECT_EQ(row_of(read.frames[0], read.places[0]), row_of(full_record(), {5, 1, 2}));
  EXPECT_EQ(row_of(read.frames[1], read.places[1]), row_of(bare));
  EXPECT_EQ(read.places[1], BlockPlace{});
  EXPECT_EQ(read.unknown_columns,
            (std::vector<std::string>{"block", "quad", "pos", "minflt", "majflt", "nvcsw", "nivcsw", "hash"}));
}

TEST(FramesCsvReader, FindsColumnsByNameWhateverTheirOrder) {
  ScratchFolder folder;
  std::ofstream(folder.file("a.csv")) << "\xEF\xBB\xBFnote,live,frame_us\r\nx,7,16.5\r\ny,NA,17\r\n";
  const FramesCsv read = read_frames_csv(folder.file("a.csv"));
  ASSERT_EQ(read.error, "");
  ASSERT_EQ(read.frames.size(), 2u);
  EXPECT_EQ(read.frames[0].live, 7u);
  EXPECT_FLOAT_EQ(read.frames[1].frame_us, 17.0f);
  EXPECT_EQ(read.frames[0].strategy, kUnknownStrategy);
  EXPECT_NE(std::find(read.unknown_columns.begin(), read.unknown_columns.end(), "live"), read.unknown_columns.end());
}

TEST(FramesCsvReader, BadFilesGiveOneLineThatNamesThePlace) {
  ScratchFolder folder;
  const auto error_of = [&](const std::string& text) {
    std::ofstream(folder.file("a.csv"), std::ios::binary) << text;
    const std::string error = read_frames_csv(folder.file("a.csv")).error;
    EXPECT_EQ(error.find('\n'), std::string::npos);
    return error;
  };
  EXPECT_NE(error_of("frame_us,live\n16.5,1\nx,2\n").find("a.csv: line 3: has 'x' in column frame_us"),
            std::string::npos);
  EXPECT_NE(error_of("frame_us,live\n16.5,1\n16.5\n").find("line 3: has 1 fields where the header has 2"),
            std::string::npos);
  EXPECT_NE(error_of("frame_us\nNA\n").find("line 2: has no frame_us"), std::string::npos);
  EXPECT_NE(error_of("frame_us\n-1\n").find("line 2"), std::string::npos);
  EXPECT_NE(error_of("frame_us\nnan\n").find("line 2"), std::string::npos);
  EXPECT_NE(error_of("frame_us,live\n1,99999999999\n").find("column live"), std::string::npos);
  EXPECT_NE(error_of("frame,step\n1,2\n").find("no column frame_us"), std::string::npos);
  EXPECT_NE(error_of("").find("no column frame_us"), std::string::npos);
  EXPECT_NE(error_of(std::string("\0\x01\xff\n\n,,", 7)).find("no column frame_us"), std::string::npos);
  EXPECT_NE(read_frames_csv(folder.file("none.csv")).error.find("none.csv: No such file"), std::string::npos);
  EXPECT_NE(read_frames_csv(folder.path()).error.find("directory"), std::string::npos);
}

TEST(CsvRecording, WritesEveryFrameOnce) {
  ScratchFolder folder;
  CsvRecording recording;
  const std::string path = folder.file("made/for/it/frames.csv");
  ASSERT_EQ(recording.start(path), "");
  EXPECT_TRUE(recording.recording());
  for (u64 i = 0; i < 5000; ++i) recording.push(frame_of(100, i));
  const RecordingResult result = recording.stop();
  EXPECT_EQ(result.error, "");
  EXPECT_EQ(result.path, path);
  EXPECT_EQ(result.frames, 5000u);
  EXPECT_EQ(result.dropped, 0u);
  const FramesCsv read = read_frames_csv(path);
  ASSERT_EQ(read.frames.size(), 5000u) << read.error;
  for (u64 i = 0; i < 5000; ++i) ASSERT_EQ(read.frames[i].step, i);
}

TEST(CsvRecording, GoesOnAfterTheWriterHadNothingToDo) {
  ScratchFolder folder;
  CsvRecording recording;
  ASSERT_EQ(recording.start(folder.file("a.csv")), "");
  recording.push(frame_of(100, 1));
  for (int i = 0; i < 5000 && read_frames_csv(folder.file("a.csv")).frames.empty(); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(50));  // Time to find the ring empty.
  recording.push(frame_of(100, 2));
  EXPECT_EQ(recording.stop().frames, 2u);
}

TEST(CsvRecording, PushAllocatesNothing) {
  ScratchFolder folder;
  CsvRecording recording(4096);
  recording.push(frame_of(1));  // Not recording: nothing.
  ASSERT_EQ(recording.start(folder.file("a.csv")), "");
  const u64 before = thread_allocations().new_calls;
  for (u64 i = 0; i < 2000; ++i) recording.push(frame_of(100, i));
  EXPECT_EQ(thread_allocations().new_calls, before);
  EXPECT_EQ(recording.stop().frames, 2000u);
  EXPECT_EQ(recording.stop().frames, 2000u) << "told again";
}

TEST(CsvRecording, NeverWritesOverAFile) {
  ScratchFolder folder;
  std::ofstream(folder.file("frames.csv")) << "precious";
  CsvRecording recording;
  const std::string error = recording.start(folder.file("frames.csv"));
  EXPECT_NE(error.find("frames.csv: File exists"), std::string::npos) << error;
  EXPECT_FALSE(recording.recording());
  EXPECT_EQ(text_of(folder.file("frames.csv")), "precious");
  EXPECT_EQ(unique_path(folder.path(), "frames", ".csv"), folder.file("frames-2.csv"));
  std::ofstream(folder.file("frames-2.csv")) << "too";
  EXPECT_EQ(unique_path(folder.path(), "frames", ".csv"), folder.file("frames-3.csv"));
  EXPECT_EQ(unique_path(folder.path(), "other", ".csv"), folder.file("other.csv"));
}

TEST(CsvRecording, AFullDiskIsAnErrorValueAndTheGameGoesOn) {
  CsvRecording recording;
  const std::string error = recording.start("/dev/full");
  EXPECT_NE(error.find("cannot write /dev/full: No space left on device"), std::string::npos) << error;
  recording.push(frame_of(1));
  EXPECT_EQ(recording.stop().frames, 0u);
}

TEST(CsvRecording, AFolderThatCannotBeWrittenIsAnErrorValue) {
  CsvRecording recording;
  const std::string error = recording.start("/dev/null/recordings/a.csv");
  EXPECT_NE(error.find("cannot write /dev/null/recordings/a.csv"), std::string::npos) << error;
  EXPECT_EQ(error.find('\n'), std::string::npos);
}

/// Files of this process may not grow beyond `bytes` while it lives: a disk that fills up.
class FileLimit {
 public:
  explicit FileLimit(rlim_t bytes) {
    handler_ = signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before_);
    rlimit limit = before_;
    limit.rlim_cur = bytes;
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FileLimit() {
    setrlimit(RLIMIT_FSIZE, &before_);
    signal(SIGXFSZ, handler_);
  }

 private:
  rlimit before_{};
  sighandler_t handler_;
};

TEST(CsvRecording, ADiskThatFillsUpLeavesWholeLinesOnly) {
  ScratchFolder folder;
  CsvRecording recording;
  RecordingResult result;
  {
    const FileLimit limit(20'000);
    ASSERT_EQ(recording.start(folder.file("a.csv")), "");
    for (u64 i = 0; i < 8000 && !recording.failed(); ++i) recording.push(frame_of(100, i));
    result = recording.stop();
  }
  EXPECT_NE(result.error.find("a.csv: File too large"), std::string::npos) << result.error;
  const std::string text = text_of(folder.file("a.csv"));
  EXPECT_GT(text.size(), 19'000u);
  EXPECT_LE(text.size(), 20'000u);
  EXPECT_EQ(text.back(), '\n');
  const FramesCsv read = read_frames_csv(folder.file("a.csv"));
  EXPECT_EQ(read.error, "");
  EXPECT_EQ(read.frames.size(), result.frames);
  ASSERT_EQ(recording.start(folder.file("b.csv")), "") << "the next recording starts clean";
  recording.push(frame_of(5, 77));
  EXPECT_EQ(recording.stop().frames, 1u);
}

TEST(CsvRecording, DropsAreCountedAndSaid) {
  ScratchFolder folder;
  CsvRecording recording(4);
  ASSERT_EQ(recording.start(folder.file("a.csv")), "");
  for (u64 i = 0; i < 100'000; ++i) recording.push(frame_of(100, i));
  const RecordingResult result = recording.stop();
  EXPECT_GT(result.dropped, 0u);
  EXPECT_EQ(result.frames + result.dropped, 100'000u);
}

TEST(CsvRecording, EndsWholeWhenTheProgramForgetsToStop) {
  ScratchFolder folder;
  {
    CsvRecording recording;
    ASSERT_EQ(recording.start(folder.file("a.csv")), "");
    for (u64 i = 0; i < 100; ++i) recording.push(frame_of(100, i));
  }
  EXPECT_EQ(read_frames_csv(folder.file("a.csv")).frames.size(), 100u);
}

TEST(OutputFile, AWholeDocumentThatDoesNotFitLeavesNothing) {
  ScratchFolder folder;
  std::string error;
  {
    const FileLimit limit(100);
    error = write_new_file(folder.file("a.json"), std::string(50, 'x').append("\n").append(100, 'y'));
  }
  EXPECT_NE(error.find("a.json"), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(folder.file("a.json")));
}

}  // namespace
}  // namespace spellpool::measure
