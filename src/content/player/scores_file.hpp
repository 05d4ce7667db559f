#pragma once
// The tables of high scores as a TOML file: a [[score]] per round of the challenge, a [[shooter]] per run of the
// shooter.
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "frame/high_scores.hpp"

namespace spellpool::content {

/// The largest score that a file holds: every double up to it is a whole number, so any reader gets it right.
inline constexpr u64 kMostScore = u64{1} << 53;

struct ScoresResult {
  std::optional<frame::HighScores> scores;  ///< Each table best first, at most frame::kMostHighScores.
  std::string error;  ///< "" or one line: "scores.toml:9: score.hits: -1 is out of range (0 … 4294967295)".
};

/// Never throws, whatever the text is. Of rows with equal scores the earlier in the file stands above.
ScoresResult parse_scores(std::string_view text, std::string_view file_name);

/// parse_scores(format_scores(x)) gives x again if its tables are sorted, have ten rows or fewer and scores of 1 …
/// kMostScore; a larger score is written as kMostScore, a row of 0 not at all.
std::string format_scores(const frame::HighScores& scores);

struct LoadedScores {
  frame::HighScores scores;
  std::string message;  ///< "" or one line for the player.
};
/// The scores in the file; none, without a message, if there is no file. A damaged file is set aside.
LoadedScores load_scores(const std::filesystem::path& path);

/// Writes the table whole or not at all, and makes its folder. Rows that another game put into the file since it was
/// loaded are taken into `scores` first. "" or one line for the player. What is there and cannot be read is left alone,
/// what is there and damaged is set aside.
std::string save_scores(const std::filesystem::path& path, frame::HighScores& scores);

}  // namespace spellpool::content
