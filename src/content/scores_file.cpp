#include "content/scores_file.hpp"

#include <algorithm>
#include <charconv>

#include "content/kept_file.hpp"
#include "content/text_file.hpp"
#include "content/toml_reading.hpp"
#include "content/toml_writing.hpp"

namespace spellpool::content {
namespace {

using namespace frame;

constexpr std::string_view kThings = "scores";
constexpr std::size_t kMaxDate_bytes = 32;

u64 read_count(const toml::table& row, std::string_view key, u64 low, u64 high) {
  const std::string path = fmt::format("score.{}", key);
  const toml::node* node = row.get(key);
  if (node == nullptr) refuse(row, "", fmt::format("the key '{}' is missing", path));
  const auto* whole = node->as_integer();
  if (whole == nullptr) refuse(*node, path, fmt::format("{} is not a whole number", shown(*node)));
  const i64 value = whole->get();
  if (value < static_cast<i64>(low) || value > static_cast<i64>(high)) {
    refuse(*node, path, fmt::format("{} is out of range ({} … {})", value, low, high));
  }
  return static_cast<u64>(value);
}

const std::string& read_text_of(const toml::table& row, std::string_view key) {
  const std::string path = fmt::format("score.{}", key);
  const toml::node* node = row.get(key);
  if (node == nullptr) refuse(row, "", fmt::format("the key '{}' is missing", path));
  const auto* text = node->as_string();
  if (text == nullptr) refuse(*node, path, fmt::format("{} is not text in quotes", shown(*node)));
  if (text->get().size() > kMaxDate_bytes || one_line(text->get()) != text->get()) {
    refuse(*node, path, fmt::format("{} is not what the game writes", shown(*node)));
  }
  return text->get();
}

HighScore read_row(const toml::table& row) {
  HighScore score;
  constexpr u64 kMost = 0xffffffffu;
  score.result.score = read_count(row, "score", 1, kMostScore);
  score.result.hits = static_cast<u32>(read_count(row, "hits", 0, kMost));
  score.result.best_combo = static_cast<u32>(read_count(row, "best_combo", 0, kMost));
  score.result.finales = static_cast<u32>(read_count(row, "finales", 0, kMost));
  score.date = read_text_of(row, "date");
  const std::string& seed = read_text_of(row, "seed");
  const auto [end, error] = std::from_chars(seed.data(), seed.data() + seed.size(), score.seed);
  if (error != std::errc{} || end != seed.data() + seed.size()) {
    refuse(*row.get("seed"), "score.seed", fmt::format("{} is not a whole number from 0 to 2^64 - 1", in_marks(seed)));
  }
  return score;
}

HighScores read_scores(const toml::table& root) {
  HighScores scores;
  const toml::node* list = root.get("score");
  if (list == nullptr) return scores;
  for (const toml::node& node : read_list(*list, "score", "a list of tables [[score]]")) {
    if (!node.is_table()) refuse(node, "score", fmt::format("{} is not a table", shown(node)));
    insert_score(scores, read_row(*node.as_table()));
  }
  return scores;
}

bool same(const HighScore& a, const HighScore& b) {
  return a.result.score == b.result.score && a.result.hits == b.result.hits &&
         a.result.best_combo == b.result.best_combo && a.result.finales == b.result.finales && a.date == b.date &&
         a.seed == b.seed;
}

}  // namespace

ScoresResult parse_scores(std::string_view text, std::string_view file_name) {
  ScoresResult result;
  result.scores = read_or_explain(file_name, result.error,
                                  [&] { return read_scores(parse_toml(text, file_name, kMaxKeptFile_bytes)); });
  return result;
}

std::string format_scores(const HighScores& scores) {
  std::string out = "# Spellpool's best rounds of the 60-second challenge, best first.\n";
  for (const HighScore& row : scores.rows) {
    if (row.result.score == 0) continue;
    const std::string date = row.date.size() <= kMaxDate_bytes ? one_line(row.date) : "";
    out += fmt::format("\n[[score]]\nscore = {}\nhits = {}\nbest_combo = {}\nfinales = {}\ndate = {}\nseed = \"{}\"\n",
                       std::min(row.result.score, kMostScore), row.result.hits, row.result.best_combo,
                       row.result.finales, in_quotes(date), row.seed);
  }
  return out;
}

LoadedScores load_scores(const std::filesystem::path& path) {
  LoadedScores loaded;
  loaded.message = load_kept(path, kThings, [&](std::string_view text) {
    ScoresResult result = parse_scores(text, path.string());
    if (result.scores) loaded.scores = std::move(*result.scores);
    return result.error;
  });
  return loaded;
}

std::string save_scores(const std::filesystem::path& path, HighScores& scores) {
  const auto take_in = [&](std::string_view text) {
    ScoresResult there = parse_scores(text, path.string());
    if (!there.scores) return there.error;
    for (HighScore& row : there.scores->rows) {
      const bool known =
          std::any_of(scores.rows.begin(), scores.rows.end(), [&](const HighScore& r) { return same(r, row); });
      if (!known) insert_score(scores, std::move(row));
    }
    return std::string();
  };
  return save_kept(path, kThings, take_in, [&] { return format_scores(scores); });
}

}  // namespace spellpool::content
