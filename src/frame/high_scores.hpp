#pragma once
#include <array>
#include <string>
#include <vector>

#include "core/types.hpp"
#include "frame/defs/pattern_def.hpp"

namespace spellpool::frame {

/// What one round of the 60-second challenge came to.
struct ChallengeResult {
  u64 score = 0;
  u32 hits = 0;
  u32 best_combo = 0;
  u32 finales = 0;               ///< How often all runes burned.
};

/// A line of the table, kept in $XDG_DATA_HOME/spellpool/scores.toml.
struct HighScore {
  ChallengeResult result;
  std::string date;              ///< "2026-11-21"
  u64 seed = 0;
};

inline constexpr std::size_t kMostHighScores = 10;

/// One run through the shooter's stage.
struct ShooterScore {
  u64 score = 0;
  u32 graze = 0;
  u32 time_s = 0;                ///< Of the stage's play, in whole seconds.
  u32 continues = 0;             ///< Used.
  std::string date;
  friend bool operator==(const ShooterScore&, const ShooterScore&) = default;
};

/// Best first; equal scores keep the older one above.
struct HighScores {
  std::vector<HighScore> rows;   ///< Of the challenge.
  std::array<std::vector<ShooterScore>, kDifficultyCount> shooter;
};

/// Puts the score at its place; the place, 0-based, or kMostHighScores if it is too small for the table or 0.
inline std::size_t insert_score(HighScores& scores, HighScore score) {
  std::size_t place = 0;
  while (place < scores.rows.size() && scores.rows[place].result.score >= score.result.score) ++place;
  if (place >= kMostHighScores || score.result.score == 0) return kMostHighScores;
  scores.rows.insert(scores.rows.begin() + static_cast<std::ptrdiff_t>(place), std::move(score));
  if (scores.rows.size() > kMostHighScores) scores.rows.resize(kMostHighScores);
  return place;
}

/// The same for a table of the shooter's.
inline std::size_t insert_score(std::vector<ShooterScore>& table, ShooterScore score) {
  std::size_t place = 0;
  while (place < table.size() && table[place].score >= score.score) ++place;
  if (place >= kMostHighScores || score.score == 0) return kMostHighScores;
  table.insert(table.begin() + static_cast<std::ptrdiff_t>(place), std::move(score));
  if (table.size() > kMostHighScores) table.resize(kMostHighScores);
  return place;
}

}  // namespace spellpool::frame
