// The score reader under any bytes: no crash, errors of one line, ten sorted rows at most in each table, and what is read is written
// and read again the same.
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "content/player/scores_file.hpp"

namespace {

using namespace spellpool;

void expect(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "scores_fuzz: %s\n", what);
  std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const content::ScoresResult result = content::parse_scores(text, "fuzz.toml");
  if (!result.scores) {
    expect(!result.error.empty() && result.error.size() < 1500, "the error is no short line");
    expect(result.error.find_first_of("\n\r\x1b") == std::string::npos, "the error is no line");
    return 0;
  }
  expect(result.error.empty(), "scores and an error");
  const auto& rows = result.scores->rows;
  expect(rows.size() <= frame::kMostHighScores, "more than ten rows");
  for (std::size_t i = 0; i < rows.size(); ++i) {
    expect(rows[i].result.score >= 1 && rows[i].result.score <= content::kMostScore, "a score out of bounds");
    expect(i == 0 || rows[i - 1].result.score >= rows[i].result.score, "the rows are not sorted");
  }
  for (const auto& table : result.scores->shooter) {
    expect(table.size() <= frame::kMostHighScores, "more than ten runs");
    for (std::size_t i = 0; i < table.size(); ++i) {
      expect(table[i].score >= 1 && table[i].score <= content::kMostScore, "a run's score out of bounds");
      expect(i == 0 || table[i - 1].score >= table[i].score, "the runs are not sorted");
    }
  }
  const std::string written = content::format_scores(*result.scores);
  const content::ScoresResult again = content::parse_scores(written, "again.toml");
  expect(again.scores.has_value(), "what was written is not read");
  expect(content::format_scores(*again.scores) == written, "what was written is read as something else");
  return 0;
}
