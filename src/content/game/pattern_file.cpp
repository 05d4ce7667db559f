#include "content/game/pattern_file.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "content/colour_text.hpp"
#include "content/game/pattern_keys.hpp"
#include "content/text_file.hpp"
#include "content/toml_reading.hpp"

namespace spellpool::content {
namespace {

using namespace frame;

constexpr std::string_view kFourNumbers = "write one, or four: easy, normal, hard, lunatic";

/// A pattern's name where it is used, looked for when all files are read.
struct Use {
  std::string name, path;
  u32 line = 0;
};

struct ReadShot {
  std::array<ShotDef, kDifficultyCount> by_difficulty;
  std::size_t from = 0, to = kDifficultyCount - 1;
  std::optional<Use> split;
};

struct ReadPattern {
  std::string name;
  std::size_t file = 0;
  u32 line = 1;
  std::vector<Use> includes;
  std::vector<ReadShot> shots;
};

/// One value for all difficulties, or a list of four.
template <class ReadOne>
void read_four(const toml::node& node, std::string_view path, ReadOne read_one) {
  const auto* list = node.as_array();
  if (list != nullptr && list->size() != kDifficultyCount)
    refuse(node, path, fmt::format("{} numbers; {}", list->size(), kFourNumbers));
  for (std::size_t i = 0; i < kDifficultyCount; ++i) read_one(i, list != nullptr ? *list->get(i) : node);
}

double read_whole_float(const toml::node& node, std::string_view path, double low, double high) {
  if (node.as_integer() == nullptr) refuse(node, path, fmt::format("{} is not a whole number", shown(node)));
  return read_number(node, path, low, high);
}

const std::string& read_pattern_name(const toml::node& node, std::string_view path) {
  const auto* text = node.as_string();
  if (text == nullptr) refuse(node, path, fmt::format("{} is not a pattern's name in quotes", shown(node)));
  return text->get();
}

void read_colour(const toml::node& node, std::string_view path, ReadShot& shot) {
  const auto* text = node.as_string();
  const auto colour = text != nullptr ? parse_colour(text->get()) : std::nullopt;
  if (!colour || colour->a != 1.0f)
    refuse(node, path, fmt::format("{} is not a colour; write \"#rrggbb\"", shown(node)));
  for (ShotDef& def : shot.by_difficulty) {
    def.r = colour->r;
    def.g = colour->g;
    def.b = colour->b;
  }
}

std::string forms_of(u8 mask) {
  std::string names;
  for (const ShotFormName& form : kShotForms) {
    if ((mask >> static_cast<unsigned>(form.id) & 1u) == 0) continue;
    if (!names.empty()) names += ", ";
    names += form.name;
  }
  return names;
}

/// What a range cannot say: numbers that do not fit each other, and bullets that would stay for ever.
class ShotCheck {
 public:
  ShotCheck(const toml::table& table, const std::string& prefix) : table_(table), prefix_(prefix) {}

  void check(const ReadShot& shot) {
    if (shot.from > shot.to) {
      tell("to",
           fmt::format("'{}' is easier than from = '{}'", kDifficulties[shot.to].name, kDifficulties[shot.from].name));
    }
    for (std::size_t i = shot.from; i <= shot.to; ++i) {
      on_ = kDifficulties[i].name;
      check_one(shot.by_difficulty[i], shot.split.has_value());
    }
  }

 private:
  void check_one(const ShotDef& def, bool splits) {
    if (def.hit_size > def.size) tell_on("hit_size", fmt::format("{} is above size = {}", def.hit_size, def.size));
    if (def.rest_s > 0 && def.volleys == 0) tell("rest_s", "needs 'volleys' above 0 beside it");
    if (def.form == ShotForm::Laser) return;
    if (def.form == ShotForm::Wall) {
      if (def.gap >= static_cast<float>(def.count))
        tell_on("gap", fmt::format("{} empty places in a wall of count = {}", def.gap, def.count));
      if (def.gap_from >= static_cast<float>(def.count))
        tell_on("gap_from", fmt::format("{} is behind the wall's count = {}", def.gap_from, def.count));
    }
    if (def.least_speed > def.most_speed)
      tell_on("least_speed", fmt::format("{} is above most_speed = {}", def.least_speed, def.most_speed));
    if (def.homing_turns_s > 0 && def.homing_s == 0) tell("homing_turns_s", "needs 'homing_s' above 0 beside it");
    if (splits && def.split_s == 0) tell("split_into", "needs 'split_s' above 0 beside it");
    if (!splits && def.split_s > 0) tell("split_s", "needs 'split_into' beside it");
    const float slowest =
        def.speed - def.speed_spread / 2 + std::min(0.0f, static_cast<float>(def.layers - 1) * def.layer_speed);
    if (slowest < 0)
      tell_on("speed", fmt::format("the slowest bullet of a volley would fly backwards, at {}", slowest));
    if (!splits) check_that_it_leaves(def, slowest);
  }

  void check_that_it_leaves(const ShotDef& def, float slowest) {
    constexpr float kSlowest = 10;   // units/s; so the field is crossed within about a minute and a half.
    constexpr float kWidest = 480;   // A circle of this radius through any place of the field leaves it: its diagonal is 937.
    const float lasting = def.accelerate > 0 ? def.most_speed : def.accelerate < 0 ? def.least_speed : slowest;
    if (lasting < kSlowest) {
      const std::string_view key = def.accelerate > 0 ? "most_speed" : def.accelerate < 0 ? "least_speed" : "speed";
      tell_on(key, fmt::format("its bullets would hang in the air at {} units/s; {} is the least", lasting, kSlowest));
    }
    const float circle = lasting / (2 * std::numbers::pi_v<float> * std::abs(def.curve_turns_s));
    if (def.curve_turns_s != 0 && def.curve_s == 0 && circle < kWidest) {
      tell_on("curve_turns_s",
              fmt::format("its bullets would fly in circles of radius {:.0f} for ever; give 'curve_s'", circle));
    }
  }

  [[noreturn]] void tell_on(std::string_view key, std::string_view reason) {
    tell(key, fmt::format("{} ({})", reason, on_));
  }
  [[noreturn]] void tell(std::string_view key, std::string_view reason) {
    const toml::node* node = table_.get(key);
    refuse(node != nullptr ? line_of(*node) : line_of(table_), fmt::format("{}{}", prefix_, key), reason);
  }

  const toml::table& table_;
  const std::string& prefix_;
  std::string_view on_;
};

ReadShot read_shot(const toml::table& table, const std::string& prefix) {
  ReadShot shot;
  if (const toml::node* node = table.get("form")) {
    const auto form = static_cast<ShotForm>(read_name(*node, prefix + "form", kShotForms));
    for (ShotDef& def : shot.by_difficulty) {
      def.form = form;
      if (form == ShotForm::Fan || form == ShotForm::Laser) def.arc_turns = 0.125f;
      if (form == ShotForm::Rain) def.arc_turns = 0;
    }
  }
  if (const toml::node* node = table.get("aimed"); node != nullptr && read_flag(*node, prefix + "aimed")) {
    for (ShotDef& def : shot.by_difficulty) def.angle_turns = 0;
  }
  read_rows(table, prefix, kShotKeys, line_of(table), {},
            [&](const ShotKey& key, const toml::node& node, const std::string& path) {
              const ShotForm form = shot.by_difficulty[0].form;
              if (table.contains("form") && (key.forms >> static_cast<unsigned>(form) & 1u) == 0) {
                refuse(node, path,
                       fmt::format("a {} has none; it is for {}", kShotForms[static_cast<std::size_t>(form)].name,
                                   forms_of(key.forms)));
              }
              std::visit(
                  [&](auto member) {
                    using Member = decltype(member);
                    if constexpr (std::is_same_v<Member, float ShotDef::*>) {
                      read_four(node, path, [&](std::size_t i, const toml::node& one) {
                        shot.by_difficulty[i].*member = static_cast<float>(read_number(one, path, key.low, key.high));
                      });
                    } else if constexpr (std::is_same_v<Member, u32 ShotDef::*>) {
                      read_four(node, path, [&](std::size_t i, const toml::node& one) {
                        shot.by_difficulty[i].*member = read_whole(one, path, key.low, key.high);
                      });
                    } else if constexpr (std::is_same_v<Member, WholeFloat>) {
                      read_four(node, path, [&](std::size_t i, const toml::node& one) {
                        shot.by_difficulty[i].*(member.member) =
                            static_cast<float>(read_whole_float(one, path, key.low, key.high));
                      });
                    } else if constexpr (std::is_same_v<Member, bool ShotDef::*>) {
                      for (ShotDef& def : shot.by_difficulty) def.*member = read_flag(node, path);
                    } else if constexpr (std::is_same_v<Member, BulletShape ShotDef::*>) {
                      for (ShotDef& def : shot.by_difficulty)
                        def.*member = static_cast<BulletShape>(read_name(node, path, kBulletShapes));
                    } else if constexpr (std::is_same_v<Member, ShotColourKey>) {
                      read_colour(node, path, shot);
                    } else if constexpr (std::is_same_v<Member, SplitIntoKey>) {
                      shot.split = Use{read_pattern_name(node, path), path, line_of(node)};
                    } else if constexpr (std::is_same_v<Member, FromKey>) {
                      shot.from = read_name(node, path, kDifficulties);
                    } else if constexpr (std::is_same_v<Member, ToKey>) {
                      shot.to = read_name(node, path, kDifficulties);
                    }  // The form is read above: the others' defaults hang on it.
                  },
                  key.member);
            });
  if (!table.contains("hit_size")) {
    for (ShotDef& def : shot.by_difficulty) def.hit_size = std::min(def.hit_size, def.size);
  }
  ShotCheck(table, prefix).check(shot);
  return shot;
}

/// The keys `include` and `shot` of a file's top or of a [part.NAME].
void read_pattern(const toml::table& table, const std::string& prefix, ReadPattern& pattern) {
  if (const toml::node* node = table.get("include")) {
    const std::string path = prefix + "include";
    for (const toml::node& item : read_list(*node, path, "a list of patterns' names")) {
      pattern.includes.push_back({read_pattern_name(item, path), path, line_of(item)});
    }
    if (pattern.includes.size() > kMostShotsAPattern) {
      refuse(*node, path, fmt::format("{} names; {} is the most", pattern.includes.size(), kMostShotsAPattern));
    }
  }
  if (const toml::node* node = table.get("shot")) {
    const std::string path = prefix + "shot";
    for (const toml::node& item : read_list(
             *node, path, fmt::format("a list of tables [[{}{}]]", prefix.empty() ? "" : "part." + prefix, "shot"))) {
      if (!item.is_table()) refuse(item, path, fmt::format("{} is not a table", shown(item)));
      pattern.shots.push_back(read_shot(*item.as_table(), path + "."));
    }
  }
  if (pattern.includes.empty() && pattern.shots.empty()) {
    refuse(pattern.line, "",
           prefix.empty() ? "there is no [[shot]], no [part.NAME] and no 'include'"
                          : fmt::format("[part.{}] has no [[part.{}shot]] and no 'include'",
                                        prefix.substr(0, prefix.size() - 1), prefix));
  }
}

struct TopKey {
  std::string_view name;
  bool required = false;
};
constexpr std::array kFileKeys = {TopKey{"include"}, TopKey{"shot"}, TopKey{"part"}};
constexpr std::array kPartKeys = {TopKey{"include"}, TopKey{"shot"}};
constexpr auto kReadElsewhere = [](const TopKey&, const toml::node&, const std::string&) {};

void read_file(const toml::table& root, std::string_view stem, std::size_t file, std::vector<ReadPattern>& out) {
  read_rows(root, "", kFileKeys, 1, {}, kReadElsewhere);
  const toml::node* parts = root.get("part");
  if (parts == nullptr || root.contains("shot") || root.contains("include")) {
    read_pattern(root, "", out.emplace_back(ReadPattern{std::string(stem), file, 1, {}, {}}));
  }
  if (parts == nullptr) return;
  if (!parts->is_table()) refuse(*parts, "part", fmt::format("{} is not a set of tables [part.NAME]", shown(*parts)));
  for (const auto& [key, node] : *parts->as_table()) {
    const std::string name(key.str());
    const auto line = static_cast<u32>(key.source().begin.line);
    if (!is_plain_name(name))
      refuse(line, "part", fmt::format("{} is no part's name (a … z, 0 … 9 and _)", in_marks(name)));
    if (!node.is_table()) refuse(node, "part." + name, fmt::format("{} is not a table", shown(node)));
    const std::string prefix = name + ".";
    read_rows(*node.as_table(), prefix, kPartKeys, line, {}, kReadElsewhere);
    ReadPattern& pattern = out.emplace_back(ReadPattern{fmt::format("{}.{}", stem, name), file, line, {}, {}});
    read_pattern(*node.as_table(), prefix, pattern);
  }
}

/// Makes the book of what all files say.
class Linker {
 public:
  Linker(std::vector<ReadPattern>& patterns, std::size_t& file) : patterns_(patterns), file_(file) {
    std::sort(patterns_.begin(), patterns_.end(),
              [](const ReadPattern& a, const ReadPattern& b) { return a.name < b.name; });
  }

  PatternBook run() {
    state_.assign(patterns_.size(), State::New);
    book_.resize(patterns_.size());
    for (std::size_t row = 0; row < patterns_.size(); ++row) {
      book_[row].name = patterns_[row].name;
      if (row > 0 && patterns_[row].name == patterns_[row - 1].name) {
        file_ = std::max(patterns_[row].file, patterns_[row - 1].file);
        refuse(patterns_[row].line, "", fmt::format("there are two patterns {}", in_marks(patterns_[row].name)));
      }
    }
    for (std::size_t row = 0; row < patterns_.size(); ++row) visit(row);
    return std::move(book_);
  }

 private:
  enum class State : u8 { New, OnTheWay, Done };

  std::size_t find(const Use& use) const {
    const auto at = std::lower_bound(patterns_.begin(), patterns_.end(), use.name,
                                     [](const ReadPattern& p, const std::string& name) { return p.name < name; });
    if (at == patterns_.end() || at->name != use.name) {
      refuse(
          use.line, use.path,
          fmt::format("no pattern is named {}; {}", in_marks(use.name),
                      suggestion(use.name, patterns_, [](const ReadPattern& p) { return std::string_view(p.name); })));
    }
    return static_cast<std::size_t>(at - patterns_.begin());
  }

  /// The row of `use`, whole: its own includes are in it. A circle of includes would have no end, one of splits no
  /// last bullet.
  std::size_t follow(const ReadPattern& from, const Use& use) {
    file_ = from.file;
    const std::size_t row = find(use);
    if (state_[row] == State::OnTheWay) {
      std::string circle;
      for (auto at = std::find(way_.begin(), way_.end(), row); at != way_.end(); ++at)
        circle += patterns_[*at].name + " → ";
      refuse(use.line, use.path,
             fmt::format("goes round in a circle: {}{}; leave this key out", circle, patterns_[row].name));
    }
    visit(row);
    file_ = from.file;
    return row;
  }

  void visit(std::size_t row) {
    if (state_[row] != State::New) return;
    state_[row] = State::OnTheWay;
    way_.push_back(row);
    const ReadPattern& pattern = patterns_[row];
    for (const Use& use : pattern.includes) {
      const std::size_t other = follow(pattern, use);
      for (std::size_t i = 0; i < kDifficultyCount; ++i) {
        book_[row].shots[i].insert(book_[row].shots[i].end(), book_[other].shots[i].begin(),
                                   book_[other].shots[i].end());
        check_count(pattern, book_[row].shots[i].size());
      }
    }
    for (const ReadShot& shot : pattern.shots) {
      const i32 split_into = shot.split ? static_cast<i32>(follow(pattern, *shot.split)) : -1;
      for (std::size_t i = shot.from; i <= shot.to; ++i) {
        book_[row].shots[i].push_back(shot.by_difficulty[i]);
        book_[row].shots[i].back().split_into = split_into;
        check_count(pattern, book_[row].shots[i].size());
      }
    }
    way_.pop_back();
    state_[row] = State::Done;
  }

  void check_count(const ReadPattern& pattern, std::size_t shots) {
    file_ = pattern.file;
    if (shots > kMostShotsAPattern) {
      refuse(pattern.line, "",
             fmt::format("the pattern {} has more than {} shots, those that it includes counted in",
                         in_marks(pattern.name), kMostShotsAPattern));
    }
  }

  std::vector<ReadPattern>& patterns_;
  std::size_t& file_;  // Of whatever is read now: an error names it.
  PatternBook book_;
  std::vector<State> state_;
  std::vector<std::size_t> way_;
};

std::string default_text(const ShotKey& key) {
  if (!key.by_default.empty()) return std::string(key.by_default);
  const ShotDef def;
  return std::visit(
      [&](auto member) -> std::string {
        using Member = decltype(member);
        if constexpr (std::is_same_v<Member, WholeFloat>) {
          return fmt::format("{}", def.*(member.member));
        } else if constexpr (std::is_same_v<Member, float ShotDef::*> || std::is_same_v<Member, u32 ShotDef::*> ||
                             std::is_same_v<Member, bool ShotDef::*>) {
          return fmt::format("{}", def.*member);
        } else {
          return {};
        }
      },
      key.member);
}

}  // namespace

PatternBookResult read_patterns(std::span<const NamedText> files) {
  PatternBookResult result;
  std::vector<ReadPattern> patterns;
  for (std::size_t i = 0; i < files.size(); ++i) {
    const bool good = read_or_explain(files[i].path, result.error, [&] {
      const std::string stem = std::filesystem::path(files[i].path).stem().string();
      if (!is_plain_name(stem))
        refuse(1, "", fmt::format("{} is no pattern's name (a … z, 0 … 9 and _): name the file anew", in_marks(stem)));
      read_file(parse_toml(files[i].text, files[i].path, kMaxPatternFile_bytes), stem, i, patterns);
      if (patterns.size() > kMostPatterns)
        refuse(1, "",
               fmt::format("with this file there are {} patterns; {} is the most", patterns.size(), kMostPatterns));
      return true;
    }).has_value();
    if (!good) return result;
  }
  std::size_t file = 0;
  try {
    result.book = Linker(patterns, file).run();
  } catch (const FileError& e) {
    result.error = error_line(files[file].path, e.line, e.text);
  }
  return result;
}

PatternTexts read_pattern_texts(const std::filesystem::path& folder) {
  PatternTexts result;
  std::error_code error;
  std::vector<std::string> paths;
  for (std::filesystem::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    if (at->path().extension() == ".toml") paths.push_back(at->path().string());
  }
  if (error) {
    result.error = one_line(fmt::format("{}: cannot be read: {}", folder.string(), error.message()));
  } else if (paths.empty()) {
    result.error = one_line(fmt::format("{}: holds no pattern files (*.toml)", folder.string()));
  } else if (paths.size() > kMaxPatternFiles) {
    result.error = one_line(
        fmt::format("{}: holds {} pattern files; {} is the most", folder.string(), paths.size(), kMaxPatternFiles));
  }
  std::sort(paths.begin(), paths.end());
  for (std::size_t i = 0; i < paths.size() && result.error.empty(); ++i) {
    TextResult file = read_text(paths[i], kMaxPatternFile_bytes);
    result.error = file.error;
    if (file.text) result.files.push_back({paths[i], std::move(*file.text)});
  }
  if (!result.error.empty()) result.files.clear();
  return result;
}

i32 find_pattern(const PatternBook& book, std::string_view name) {
  const auto at =
      std::find_if(book.begin(), book.end(), [&](const PatternDef& pattern) { return pattern.name == name; });
  return at != book.end() ? static_cast<i32>(at - book.begin()) : -1;
}

std::string shot_keys_table() {
  std::string text = "| key | forms | unit | range | default | meaning |\n|---|---|---|---|---|---|\n";
  for (const ShotKey& key : kShotKeys) {
    const std::string range = key.low == key.high ? "–" : fmt::format("{} … {}", key.low, key.high);
    text += fmt::format("| `{}` | {} | {} | {} | {} | {} |\n", key.name,
                        key.forms == kAnyForm  ? "all"
                        : key.forms == kFlying ? "all but laser"
                                               : forms_of(key.forms),
                        key.unit, range, default_text(key), key.help);
  }
  return text;
}

}  // namespace spellpool::content
