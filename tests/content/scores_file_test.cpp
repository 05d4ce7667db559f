#include "content/player/scores_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <limits>

#include "../support/scratch_folder.hpp"
#include "content/player/kept_file.hpp"
#include "content/text_file.hpp"
#include "core/rng.hpp"

namespace spellpool::content {
namespace {

using test::ScratchFolder;

using namespace frame;
using ::testing::HasSubstr;

HighScore row(u64 score, u32 hits = 1, std::string date = "2026-11-21") {
  HighScore out;
  out.result = {score, hits, 7, 2};
  out.date = std::move(date);
  out.seed = std::numeric_limits<u64>::max() - score;
  return out;
}

std::string short_text(const HighScores& scores) {
  std::string out;
  for (const HighScore& r : scores.rows) {
    out += std::to_string(r.result.score) + "/" + std::to_string(r.result.hits) + "/" +
           std::to_string(r.result.best_combo) + "/" + std::to_string(r.result.finales) + "/" + r.date + "/" +
           std::to_string(r.seed) + " ";
  }
  return out;
}
std::string scores_in(const HighScores& scores) {
  std::string out;
  for (const HighScore& r : scores.rows) out += std::to_string(r.result.score) + " ";
  return out;
}

void put(const std::filesystem::path& path, std::string_view text) { std::ofstream(path) << text; }
std::string text_of(const std::filesystem::path& path) { return read_text(path, 1 << 20).text.value_or("none"); }
std::string error_of(std::string_view text) { return parse_scores(text, "scores.toml").error; }

constexpr std::string_view kRow =
    "[[score]]\nscore = 5\nhits = 1\nbest_combo = 1\nfinales = 0\ndate = \"d\"\nseed = \"1\"\n";
std::string changed(std::string_view from, std::string_view to) {
  std::string text(kRow);
  const auto at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(ScoresFile, WhatIsWrittenReadsBackTheSame) {
  HighScores scores;
  EXPECT_EQ(short_text(*parse_scores(format_scores(scores), "s").scores), "");
  Rng rng(3);
  for (u32 i = 0; i < 40; ++i) {
    insert_score(scores, row(i % 7 == 0 ? kMostScore : 1 + rng.below(1000), rng.next_u32(),
                             i % 5 == 0 ? "\"\\é" : "2026-11-21"));
    EXPECT_EQ(short_text(*parse_scores(format_scores(scores), "s").scores), short_text(scores));
  }
  EXPECT_EQ(scores.rows.size(), kMostHighScores);
}

TEST(ScoresFile, RowsAreSortedOnReadAndTenAtMost) {
  std::string text;
  for (const char* score : {"3", "9", "5", "5", "1", "2", "4", "8", "7", "6", "10", "11"}) {
    text += changed("score = 5", std::string("score = ").append(score));
  }
  EXPECT_EQ(scores_in(*parse_scores(text, "s").scores), "11 10 9 8 7 6 5 5 4 3 ");
}

TEST(ScoresFile, EveryErrorNamesFileLineAndReason) {
  EXPECT_EQ(error_of(kRow), "");
  EXPECT_EQ(error_of(changed("score = 5", "score = 0")),
            "scores.toml:2: score.score: 0 is out of range (1 … 9007199254740992)");
  EXPECT_EQ(error_of(changed("score = 5", "score = 9007199254740993")),
            "scores.toml:2: score.score: 9007199254740993 is out of range (1 … 9007199254740992)");
  EXPECT_EQ(error_of(changed("score = 5", "score = 5.0")), "scores.toml:2: score.score: 5 is not a whole number");
  EXPECT_EQ(error_of(changed("hits = 1", "hits = -1")),
            "scores.toml:3: score.hits: -1 is out of range (0 … 4294967295)");
  EXPECT_EQ(error_of(changed("hits = 1\n", "")), "scores.toml:1: the key 'score.hits' is missing");
  EXPECT_EQ(error_of(changed("\"d\"", "2026-11-21")),
            "scores.toml:6: score.date: a date or time is not text in quotes");
  EXPECT_EQ(error_of(changed("\"d\"", "\"\\u001b\"")), "scores.toml:6: score.date: '?' is not what the game writes");
  EXPECT_EQ(error_of(changed("\"1\"", "\"-1\"")),
            "scores.toml:7: score.seed: '-1' is not a whole number from 0 to 2^64 - 1");
  EXPECT_EQ(error_of(changed("\"1\"", "\"18446744073709551616\"")),
            "scores.toml:7: score.seed: '18446744073709551616' is not a whole number from 0 to 2^64 - 1");
  EXPECT_EQ(error_of(changed("\"1\"", "\"1 \"")),
            "scores.toml:7: score.seed: '1 ' is not a whole number from 0 to 2^64 - 1");
  EXPECT_EQ(error_of("score = 3\n"), "scores.toml:1: score: 3 is not a list of tables [[score]]");
  EXPECT_EQ(error_of("score = [3]\n"), "scores.toml:1: score: 3 is not a table");
  EXPECT_EQ(error_of("a.b = 1\n"), "") << "unknown keys belong to a later version";
}

// The one who cut it short lost its end, not the player his table: half a file is damaged, not a shorter table.
TEST(ScoresFile, AHalfWrittenRowIsDamage) {
  const std::string text = std::string(kRow) + std::string(kRow);
  for (std::size_t length = kRow.size() + 10; length + 2 < text.size(); ++length) {
    EXPECT_NE(error_of(text.substr(0, length)), "") << length;
  }
}

TEST(ScoresFile, NothingOnDiskIsAnEmptyTableWithoutAWord) {
  const ScratchFolder scratch;
  const LoadedScores loaded = load_scores(scratch / "scores.toml");
  EXPECT_TRUE(loaded.scores.rows.empty());
  EXPECT_EQ(loaded.message, "");
}

TEST(ScoresFile, ADamagedFileIsSetAsideWithALineThatNamesBoth) {
  const ScratchFolder scratch;
  const auto path = scratch / "scores.toml";
  put(path, "score = 3\n");
  const LoadedScores loaded = load_scores(path);
  EXPECT_TRUE(loaded.scores.rows.empty());
  EXPECT_EQ(loaded.message, path.string() + ":1: score: 3 is not a list of tables [[score]]; it is set aside as " +
                                path.string() + ".damaged, and the scores begin anew");
  EXPECT_EQ(text_of(scratch / "scores.toml.damaged"), "score = 3\n");
}

TEST(ScoresFile, SavingKeepsWhatAnotherGameWroteMeanwhile) {
  const ScratchFolder scratch;
  const auto path = scratch / "data/scores.toml";
  HighScores first, second;
  insert_score(first, row(10));
  EXPECT_EQ(save_scores(path, first), "");
  second = load_scores(path).scores;
  insert_score(first, row(30));
  insert_score(second, row(20));
  EXPECT_EQ(save_scores(path, first), "");
  EXPECT_EQ(save_scores(path, second), "");
  EXPECT_EQ(scores_in(load_scores(path).scores), "30 20 10 ");
  EXPECT_EQ(scores_in(second), "30 20 10 ");
  EXPECT_EQ(save_scores(path, second), "") << "again, and nothing is there twice";
  EXPECT_EQ(scores_in(load_scores(path).scores), "30 20 10 ");
}

TEST(ScoresFile, ADamagedFileMeanwhileIsSetAsideBeforeSaving) {
  const ScratchFolder scratch;
  const auto path = scratch / "scores.toml";
  HighScores scores;
  insert_score(scores, row(10));
  put(path, "oh no");
  EXPECT_THAT(save_scores(path, scores), HasSubstr("it is set aside as " + path.string() + ".damaged"));
  EXPECT_EQ(text_of(scratch / "scores.toml.damaged"), "oh no");
  EXPECT_EQ(scores_in(load_scores(path).scores), "10 ");
}

TEST(ScoresFile, AFolderInItsPlaceIsLeftAlone) {
  const ScratchFolder scratch;
  const auto path = scratch / "scores.toml";
  std::filesystem::create_directory(path);
  HighScores scores;
  EXPECT_EQ(load_scores(path).message,
            path.string() + ": is a folder, not a file; it stays as it is, and the scores begin anew");
  EXPECT_EQ(save_scores(path, scores), path.string() + ": is a folder, not a file; the scores are not saved");
  EXPECT_TRUE(std::filesystem::is_directory(path));
}

ShooterScore run_of(u64 score, u32 graze = 7) { return {score, graze, 291, 1, "2026-11-22"}; }

std::string runs_in(const HighScores& scores) {
  std::string out;
  for (const auto& table : scores.shooter) {
    for (const ShooterScore& row : table) out += std::to_string(row.score) + " ";
    out += "| ";
  }
  return out;
}

constexpr std::string_view kRun =
    "[[shooter]]\ndifficulty = \"hard\"\nscore = 5\ngraze = 1\ntime_s = 290\ncontinues = 0\ndate = \"d\"\n";
std::string changed_run(std::string_view from, std::string_view to) {
  std::string text(kRun);
  const auto at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(ShooterScores, WhatIsWrittenReadsBackTheSameBesideTheChallenges) {
  HighScores scores;
  insert_score(scores, row(10));
  Rng rng(9);
  for (u32 i = 0; i < 100; ++i) {
    ShooterScore run{i % 11 == 0 ? kMostScore : 1 + rng.below(1'000), rng.next_u32(), rng.next_u32(), rng.below(9), "\"\\é"};
    insert_score(scores.shooter[rng.below(kDifficultyCount)], run);
    const auto read = parse_scores(format_scores(scores), "s").scores;
    ASSERT_TRUE(read);
    EXPECT_EQ(read->shooter, scores.shooter);
    EXPECT_EQ(short_text(*read), short_text(scores));
  }
  for (const auto& table : scores.shooter) EXPECT_EQ(table.size(), kMostHighScores);
}

TEST(ShooterScores, EachDifficultyHasItsOwnTenBest) {
  HighScores scores;
  for (u64 i = 1; i <= 12; ++i) EXPECT_EQ(insert_score(scores.shooter[1], run_of(i)), 0u);
  EXPECT_EQ(runs_in(scores), "| 12 11 10 9 8 7 6 5 4 3 | | | ");
  EXPECT_EQ(insert_score(scores.shooter[1], run_of(3)), kMostHighScores) << "the older of equals stays";
  EXPECT_EQ(insert_score(scores.shooter[1], run_of(4, 1)), 9u);
  EXPECT_EQ(scores.shooter[1][9].graze, 1u);
  EXPECT_EQ(insert_score(scores.shooter[3], run_of(0)), kMostHighScores);
  EXPECT_EQ(insert_score(scores.shooter[3], run_of(1)), 0u);
}

TEST(ShooterScores, RowsAreSortedOnReadAndTenAtMostADifficulty) {
  std::string text;
  for (int i = 1; i <= 12; ++i) text += changed_run("score = 5", "score = " + std::to_string(i));
  text += changed_run("\"hard\"", "\"easy\"");
  EXPECT_EQ(runs_in(*parse_scores(text, "s").scores), "5 | | 12 11 10 9 8 7 6 5 4 3 | | ");
}

TEST(ShooterScores, AFileOfBeforeTheShooterReads) {
  const ScoresResult result = parse_scores(kRow, "s");
  EXPECT_EQ(scores_in(*result.scores), "5 ");
  EXPECT_EQ(runs_in(*result.scores), "| | | | ");
}

TEST(ShooterScores, EveryErrorNamesFileLineAndReason) {
  EXPECT_EQ(error_of(kRun), "");
  EXPECT_EQ(error_of(changed_run("\"hard\"", "\"hart\"")), "scores.toml:2: shooter.difficulty: 'hart' is unknown; did you mean 'hard'?");
  EXPECT_EQ(error_of(changed_run("\"hard\"", "2")), "scores.toml:2: shooter.difficulty: 2 is not a name in quotes");
  EXPECT_EQ(error_of(changed_run("difficulty = \"hard\"\n", "")), "scores.toml:1: the key 'shooter.difficulty' is missing");
  EXPECT_EQ(error_of(changed_run("score = 5", "score = 0")), "scores.toml:3: shooter.score: 0 is out of range (1 … 9007199254740992)");
  EXPECT_EQ(error_of(changed_run("time_s = 290", "time_s = -1")), "scores.toml:5: shooter.time_s: -1 is out of range (0 … 4294967295)");
  EXPECT_EQ(error_of(changed_run("time_s = 290", "time_s = 4.5")), "scores.toml:5: shooter.time_s: 4.5 is not a whole number");
  EXPECT_EQ(error_of("shooter = 3\n"), "scores.toml:1: shooter: 3 is not a list of tables [[shooter]]");
}

TEST(ShooterScores, SavingKeepsWhatAnotherGameWroteMeanwhile) {
  const ScratchFolder scratch;
  const auto path = scratch / "scores.toml";
  HighScores first, second;
  insert_score(first.shooter[1], run_of(10));
  EXPECT_EQ(save_scores(path, first), "");
  second = load_scores(path).scores;
  insert_score(first.shooter[1], run_of(30));
  insert_score(second.shooter[1], run_of(20));
  insert_score(second.shooter[2], run_of(5));
  EXPECT_EQ(save_scores(path, first), "");
  EXPECT_EQ(save_scores(path, second), "");
  EXPECT_EQ(runs_in(load_scores(path).scores), "| 30 20 10 | 5 | | ");
  EXPECT_EQ(save_scores(path, second), "") << "again, and nothing is there twice";
  EXPECT_EQ(runs_in(load_scores(path).scores), "| 30 20 10 | 5 | | ");
}

TEST(ShooterScores, ADamagedRunSetsTheFileAsideAndPlayGoesOn) {
  const ScratchFolder scratch;
  const auto path = scratch / "scores.toml";
  const std::string text = std::string(kRow) + changed_run("graze = 1", "graze = many");
  put(path, text);
  const LoadedScores loaded = load_scores(path);
  EXPECT_EQ(runs_in(loaded.scores), "| | | | ");
  EXPECT_TRUE(loaded.scores.rows.empty());
  EXPECT_THAT(loaded.message, HasSubstr("it is set aside as " + path.string() + ".damaged, and the scores begin anew"));
  EXPECT_EQ(text_of(scratch / "scores.toml.damaged"), text);
  HighScores scores;
  insert_score(scores.shooter[0], run_of(9));
  EXPECT_EQ(save_scores(path, scores), "");
  EXPECT_EQ(runs_in(load_scores(path).scores), "9 | | | | ");
}

TEST(KeptFile, SettingAsideNeverOverwrites) {
  const ScratchFolder scratch;
  put(scratch / "a", "new");
  put(scratch / "a.damaged", "old");
  std::filesystem::create_symlink("nowhere", scratch / "a.damaged-2");
  const SetAside aside = set_aside(scratch / "a");
  EXPECT_EQ(aside.error, "");
  EXPECT_EQ(aside.path, scratch / "a.damaged-3");
  EXPECT_EQ(text_of(scratch / "a.damaged"), "old");
  EXPECT_EQ(text_of(scratch / "a.damaged-3"), "new");
  EXPECT_EQ(set_aside(scratch / "a").error,
            (scratch / "a").string() + ": cannot be set aside: No such file or directory");
}

}  // namespace
}  // namespace spellpool::content
