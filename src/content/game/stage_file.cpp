#include "content/game/stage_file.hpp"

#include <algorithm>
#include <filesystem>

#include "content/game/pattern_file.hpp"
#include "content/game/stage_keys.hpp"
#include "content/toml_reading.hpp"
#include "frame/defs/stage_needs.hpp"

namespace spellpool::content {
namespace {

using namespace frame;

/// The names of the kinds for which it holds, each between two marks: "a, b or c".
std::string names_of_kinds(bool (*holds)(const EnemyKindRow&), std::string_view mark, std::string_view before_last) {
  std::vector<std::string_view> names;
  for (const EnemyKindRow& row : kEnemyKinds) {
    if (holds(row)) names.push_back(row.name);
  }
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += i + 1 < names.size() ? ", " : before_last;
    text.append(mark).append(names[i]).append(mark);
  }
  return text;
}

i32 read_pattern(const toml::node& node, std::string_view path, const PatternBook& book) {
  const auto* text = node.as_string();
  if (text == nullptr) refuse(node, path, fmt::format("{} is not a pattern's name in quotes", shown(node)));
  const i32 row = find_pattern(book, text->get());
  if (row < 0) {
    refuse(node, path,
           fmt::format("no pattern is named {}; {}", shown(node),
                       suggestion(text->get(), book,
                                  [](const PatternDef& pattern) { return std::string_view(pattern.name); })));
  }
  return row;
}

std::vector<PathPoint> read_path(const toml::node& node, std::string_view path, std::size_t fewest) {
  const toml::array& list = read_list(node, path, "[[x, y], [x, y, s], …]");
  if (list.size() < fewest || list.size() > kMostPathPoints) {
    refuse(node, path, fmt::format("{} places; a path has {} … {}", list.size(), fewest, kMostPathPoints));
  }
  std::vector<PathPoint> points;
  for (const toml::node& item : list) {
    const auto* place = item.as_array();
    const bool first = points.empty();
    if (place == nullptr || place->size() != (first ? 2 : 3)) {
      refuse(item, path,
             fmt::format("{} is not {}", shown(item),
                         first ? "[x, y]: where it appears" : "[x, y, s]: a place, and the seconds to it"));
    }
    PathPoint& point = points.emplace_back();
    point.x = static_cast<float>(read_number(*place->get(0), path, -kMostPathPlace, kMostPathPlace));
    point.y = static_cast<float>(read_number(*place->get(1), path, -kMostPathPlace, kMostPathPlace));
    if (!first) point.time_s = static_cast<float>(read_number(*place->get(2), path, kLeastPathTime_s, kMostPathTime_s));
  }
  return points;
}

template <class Owner>
constexpr std::size_t kFewestPlaces = std::is_same_v<Owner, WaveDef> ? 2 : 1;

/// Reads every key of `table` by its row of `keys` into `owner`, all but the lists of tables below it.
template <class Owner, class Keys>
void read_table(const toml::table& table, std::string_view prefix, const Keys& keys, Owner& owner,
                const PatternBook& book) {
  const u32 line = prefix.empty() ? 1 : line_of(table);
  read_rows(table, prefix, keys, line, {}, [&](const auto& key, const toml::node& node, std::string_view path) {
    std::visit(
        [&](auto member) {
          using Member = decltype(member);
          if constexpr (std::is_same_v<Member, float Owner::*>) {
            owner.*member = static_cast<float>(read_number(node, path, key.low, key.high));
          } else if constexpr (std::is_same_v<Member, u32 Owner::*>) {
            owner.*member = read_whole(node, path, key.low, key.high);
          } else if constexpr (std::is_same_v<Member, bool Owner::*>) {
            owner.*member = read_flag(node, path);
          } else if constexpr (std::is_same_v<Member, std::string Owner::*>) {
            owner.*member = read_title(node, path, kMaxStageTitle_bytes);
          } else if constexpr (std::is_same_v<Member, EnemyKind Owner::*>) {
            owner.*member = static_cast<EnemyKind>(read_name(node, path, kEnemyKinds));
          } else if constexpr (std::is_same_v<Member, PickupKind Owner::*>) {
            owner.*member = static_cast<PickupKind>(read_name(node, path, kPickupKinds));
          } else if constexpr (std::is_same_v<Member, std::vector<PathPoint> Owner::*>) {
            owner.*member = read_path(node, path, kFewestPlaces<Owner>);
          } else if constexpr (std::is_same_v<Member, PatternKey>) {
            owner.*(member.row) = read_pattern(node, path, book);
          } else if constexpr (std::is_same_v<Member, PatternListKey>) {
            const toml::array& list = read_list(node, path, "a list of patterns' names");
            if (list.empty() || list.size() > kMostPhasePatterns) {
              refuse(node, path, fmt::format("{} patterns; a phase plays 1 … {}", list.size(), kMostPhasePatterns));
            }
            for (const toml::node& item : list) (owner.*(member.rows)).push_back(read_pattern(item, path, book));
          }
        },
        key.member);
  });
}

/// Each table of a list [[NAME]], at most `most`.
template <class ReadOne>
void read_tables(const toml::table& owner, std::string_view key, std::string_view name, std::size_t most,
                 ReadOne read_one) {
  const toml::node* node = owner.get(key);
  if (node == nullptr) return;
  const toml::array& list = read_list(*node, name, fmt::format("a list of tables [[{}]]", name));
  if (list.size() > most) refuse(*list.get(most), name, fmt::format("{} of them; {} is the most", list.size(), most));
  for (const toml::node& item : list) {
    if (!item.is_table()) refuse(item, name, fmt::format("{} is not a table", shown(item)));
    read_one(*item.as_table());
  }
}

/// What was read, and the line that says it.
template <class Def>
struct Lined {
  Def def;
  u32 line;
};
template <class Def>
void sort_by_time(std::vector<Lined<Def>>& all) {
  std::stable_sort(all.begin(), all.end(),
                   [](const Lined<Def>& a, const Lined<Def>& b) { return a.def.at_s < b.def.at_s; });
}

Lined<WaveDef> read_wave(const toml::table& table, const PatternBook& book) {
  Lined<WaveDef> wave{{}, line_of(table)};
  read_table(table, "wave.", kWaveKeys, wave.def, book);
  if (is_boss(row(wave.def.kind)))
    refuse(*table.get("kind"), "wave.kind", fmt::format("{} is a boss; write [[boss]]", shown(*table.get("kind"))));
  return wave;
}

Lined<BossDef> read_boss(const toml::table& table, const PatternBook& book) {
  Lined<BossDef> boss{{}, line_of(table)};
  read_table(table, "boss.", kBossKeys, boss.def, book);
  if (!is_boss(row(boss.def.kind))) {
    refuse(*table.get("kind"), "boss.kind",
           fmt::format("{} is no boss; {}", shown(*table.get("kind")), names_of_kinds(is_boss, "", " and ") + " are"));
  }
  read_tables(table, "phase", "boss.phase", kMostPhases, [&](const toml::table& phase) {
    read_table(phase, "boss.phase.", kPhaseKeys, boss.def.phases.emplace_back(), book);
  });
  if (boss.def.phases.empty()) refuse(table, "boss.phase", "there is none");
  return boss;
}

StageDef read_whole_stage(const toml::table& root, const PatternBook& book) {
  StageDef stage;
  read_table(root, "", kStageKeys, stage, book);
  std::vector<Lined<WaveDef>> waves;
  std::vector<Lined<BossDef>> bosses;
  read_tables(root, "wave", "wave", kMostWaves,
              [&](const toml::table& table) { waves.push_back(read_wave(table, book)); });
  read_tables(root, "boss", "boss", kMostBosses,
              [&](const toml::table& table) { bosses.push_back(read_boss(table, book)); });
  if (waves.empty()) refuse(1, "wave", "there is none");
  sort_by_time(waves);
  sort_by_time(bosses);
  for (std::size_t i = 1; i < bosses.size(); ++i) {
    if (bosses[i].def.at_s == bosses[i - 1].def.at_s)
      refuse(std::max(bosses[i].line, bosses[i - 1].line), "boss.at_s", "two bosses cannot come at the same time");
  }
  for (Lined<WaveDef>& wave : waves) stage.waves.push_back(std::move(wave.def));
  for (Lined<BossDef>& boss : bosses) stage.bosses.push_back(std::move(boss.def));

  const StageNeeds needs = stage_needs(stage);
  if (needs.crowded_wave >= 0) {
    const auto index = static_cast<std::size_t>(needs.crowded_wave);
    const WaveDef& wave = stage.waves[index];
    refuse(waves[index].line, "wave",
           fmt::format("with the {} of at_s = {} up to {} enemies would live at once; {} is the most",
                       kEnemyKinds[static_cast<std::size_t>(wave.kind)].name, wave.at_s, needs.enemies, kMostEnemies));
  }
  return stage;
}

template <class Owner, class Keys>
std::string keys_table(const Keys& keys) {
  std::string text = "| key | range | default | meaning |\n|---|---|---|---|\n";
  const Owner def;
  for (const auto& key : keys) {
    const std::string range = key.low == key.high ? "–" : fmt::format("{} … {}", key.low, key.high);
    std::string by_default = "none";
    std::visit(
        [&](auto member) {
          using Member = decltype(member);
          if constexpr (std::is_same_v<Member, float Owner::*> || std::is_same_v<Member, u32 Owner::*> ||
                        std::is_same_v<Member, bool Owner::*>) {
            by_default = fmt::format("{}", def.*member);
          }
        },
        key.member);
    text +=
        fmt::format("| `{}` | {} | {} | {} |\n", key.name, range, key.required ? "required" : by_default,
                    fmt::format(fmt::runtime(key.help), fmt::arg("waves", names_of_kinds(comes_in_waves, "`", " or ")),
                                fmt::arg("bosses", names_of_kinds(is_boss, "`", " or "))));
  }
  return text;
}

}  // namespace

StageFileResult read_stage(std::string_view text, std::string_view path, const PatternBook& book) {
  StageFileResult result;
  result.stage = read_or_explain(path, result.error, [&] {
    StageDef stage = read_whole_stage(parse_toml(text, path, kMaxStageFile_bytes), book);
    stage.name = std::filesystem::path(path).stem().string();
    return stage;
  });
  return result;
}

std::string stage_keys_table() { return keys_table<StageDef>(kStageKeys); }
std::string wave_keys_table() { return keys_table<WaveDef>(kWaveKeys); }
std::string boss_keys_table() { return keys_table<BossDef>(kBossKeys); }
std::string phase_keys_table() { return keys_table<BossPhase>(kPhaseKeys); }

}  // namespace spellpool::content
