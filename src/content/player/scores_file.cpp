#include "content/player/scores_file.hpp"

#include <algorithm>
#include <charconv>

#include "content/player/kept_file.hpp"
#include "content/text_file.hpp"
#include "content/toml_reading.hpp"
#include "content/toml_writing.hpp"

namespace spellpool::content {
namespace {

using namespace frame;

constexpr std::string_view kScoreTables = "scores";
constexpr std::size_t kMaxDate_bytes = 32;

// One [[score]] or [[shooter]].
class Row {
 public:
  Row(std::string_view table, const toml::table& keys) : table_(table), keys_(keys) {}

  u64 count(std::string_view key, u64 low, u64 high) const {
    const toml::node& node = at(key);
    const auto* whole = node.as_integer();
    if (whole == nullptr) refuse(node, path(key), fmt::format("{} is not a whole number", shown(node)));
    const i64 value = whole->get();
    if (value < static_cast<i64>(low) || value > static_cast<i64>(high)) {
      refuse(node, path(key), fmt::format("{} is out of range ({} … {})", value, low, high));
    }
    return static_cast<u64>(value);
  }
  u32 count(std::string_view key) const { return static_cast<u32>(count(key, 0, 0xffffffffu)); }

  const std::string& text(std::string_view key) const {
    const toml::node& node = at(key);
    const auto* text = node.as_string();
    if (text == nullptr) refuse(node, path(key), fmt::format("{} is not text in quotes", shown(node)));
    if (text->get().size() > kMaxDate_bytes || has_control_byte(text->get())) {
      refuse(node, path(key), fmt::format("{} is not what the game writes", shown(node)));
    }
    return text->get();
  }

  const toml::node& at(std::string_view key) const {
    const toml::node* node = keys_.get(key);
    if (node == nullptr) refuse(keys_, "", fmt::format("the key '{}' is missing", path(key)));
    return *node;
  }
  std::string path(std::string_view key) const { return fmt::format("{}.{}", table_, key); }

 private:
  std::string_view table_;
  const toml::table& keys_;
};

HighScore read_score(const Row& row) {
  HighScore score;
  score.result.score = row.count("score", 1, kMostScore);
  score.result.hits = row.count("hits");
  score.result.best_combo = row.count("best_combo");
  score.result.finales = row.count("finales");
  score.date = row.text("date");
  const std::string& seed = row.text("seed");
  const auto [end, error] = std::from_chars(seed.data(), seed.data() + seed.size(), score.seed);
  if (error != std::errc{} || end != seed.data() + seed.size()) {
    refuse(row.at("seed"), row.path("seed"),
           fmt::format("{} is not a whole number from 0 to 2^64 - 1", in_marks(seed)));
  }
  return score;
}

void read_shooter(const Row& row, HighScores& scores) {
  const u8 difficulty = read_name(row.at("difficulty"), row.path("difficulty"), kDifficulties);
  ShooterScore score;
  score.score = row.count("score", 1, kMostScore);
  score.graze = row.count("graze");
  score.time_s = row.count("time_s");
  score.continues = row.count("continues");
  score.date = row.text("date");
  insert_score(scores.shooter[difficulty], std::move(score));
}

template <class Read>
void read_tables_of(const toml::table& root, std::string_view table, const Read& read) {
  const toml::node* list = root.get(table);
  if (list == nullptr) return;
  for (const toml::node& node : read_list(*list, table, fmt::format("a list of tables [[{}]]", table))) {
    if (!node.is_table()) refuse(node, table, fmt::format("{} is not a table", shown(node)));
    read(Row(table, *node.as_table()));
  }
}

HighScores read_scores(const toml::table& root) {
  HighScores scores;
  read_tables_of(root, "score", [&](const Row& row) { insert_score(scores, read_score(row)); });
  read_tables_of(root, "shooter", [&](const Row& row) { read_shooter(row, scores); });
  return scores;
}

bool same(const HighScore& a, const HighScore& b) {
  return a.result.score == b.result.score && a.result.hits == b.result.hits &&
         a.result.best_combo == b.result.best_combo && a.result.finales == b.result.finales && a.date == b.date &&
         a.seed == b.seed;
}

std::string date_text(const std::string& date) {
  return in_quotes(date.size() <= kMaxDate_bytes ? one_line(date) : "");
}

}  // namespace

ScoresResult parse_scores(std::string_view text, std::string_view file_name) {
  ScoresResult result;
  result.scores = read_or_explain(file_name, result.error,
                                  [&] { return read_scores(parse_toml(text, file_name, kMaxKeptFile_bytes)); });
  return result;
}

std::string format_scores(const HighScores& scores) {
  std::string out = "# Spellpool's best rounds of the 60-second challenge and runs of the shooter, best first.\n";
  for (const HighScore& row : scores.rows) {
    if (row.result.score == 0) continue;
    out += fmt::format("\n[[score]]\nscore = {}\nhits = {}\nbest_combo = {}\nfinales = {}\ndate = {}\nseed = \"{}\"\n",
                       std::min(row.result.score, kMostScore), row.result.hits, row.result.best_combo,
                       row.result.finales, date_text(row.date), row.seed);
  }
  for (const DifficultyRow& difficulty : kDifficulties) {
    for (const ShooterScore& row : scores.shooter[static_cast<std::size_t>(difficulty.id)]) {
      if (row.score == 0) continue;
      out += fmt::format(
          "\n[[shooter]]\ndifficulty = \"{}\"\nscore = {}\ngraze = {}\ntime_s = {}\ncontinues = {}\ndate = {}\n",
          difficulty.name, std::min(row.score, kMostScore), row.graze, row.time_s, row.continues, date_text(row.date));
    }
  }
  return out;
}

LoadedScores load_scores(const std::filesystem::path& path) {
  LoadedScores loaded;
  loaded.message = load_kept(path, kScoreTables, [&](std::string_view text) {
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
    for (std::size_t i = 0; i < kDifficultyCount; ++i) {
      std::vector<ShooterScore>& table = scores.shooter[i];
      for (ShooterScore& row : there.scores->shooter[i]) {
        if (std::find(table.begin(), table.end(), row) == table.end()) insert_score(table, std::move(row));
      }
    }
    return std::string();
  };
  return save_kept(path, kScoreTables, take_in, [&] { return format_scores(scores); });
}

}  // namespace spellpool::content
