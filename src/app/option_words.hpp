#pragma once
// Shared by options.cpp and play_options.cpp: the command line as words, and what checks them.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <array>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "app/options.hpp"
#include "sim/core/command_text.hpp"

namespace spellpool::app {

/// All values as text, as they stood on the command line; checked one by one afterwards so that every error names its
/// option and what would be right.
struct OptionWords {
  std::string scene = "spells", preset = "default", difficulty = "normal", seed = "1", steps, width, height;
  std::array<std::string, frame::kSettings.size()> settings;  // by row
  std::string switch_every, showcase, distance, clip_from, clip_seconds, budget;
  std::string voices, voice_policy, voice_storage;
  std::vector<std::string> strategies, overflows, capacities;
  std::vector<std::string> panels;
  std::string a = "heap", b = "free_list", quads, warmup = "240";
  std::vector<std::string> duet;
  std::string film;
  std::string learn, screenshot_dir, learn_script;
  std::string plan, heap = "fresh", objects, size, churn, order, rollback, plant, memory;
  bool full = false;
};

/// The first problem found, "" while all is well.
class OptionChecker {
 public:
  std::string problem;

  void fail(std::string text) {
    if (problem.empty()) problem = std::move(text);
  }
  void fail_if(std::string text) {
    if (!text.empty()) fail(std::move(text));
  }
  /// The place in the table.
  template <class Table>
  std::size_t place(const std::string& option, const Table& table, const std::string& word) {
    for (std::size_t i = 0; i < table.size(); ++i) {
      if (table[i].name == word) return i;
    }
    fail(option + ": there is no '" + word.substr(0, 60) + "'; there are: " + sim::names_of(table));
    return 0;
  }
  template <class Enum, class Table>
  Enum choice(const std::string& option, const Table& table, const std::string& word) {
    return static_cast<Enum>(place(option, table, word));
  }
  u64 number(const std::string& option, const std::string& word, u64 low, u64 high) {
    u64 value = low;
    if (!sim::parse_number(word, low, high, value)) {
      fail(option + ": '" + word.substr(0, 60) + "' is not a whole number from " + std::to_string(low) + " to " +
           std::to_string(high));
    }
    return value;
  }
  /// "POOL=VALUE", or "VALUE" for all pools: f(choice of the pool, VALUE) for each that is meant.
  template <class F>
  void for_pools(std::string_view option, const std::string& word, WorldOptions& world, F&& f) {
    const auto equals = word.find('=');
    if (equals == std::string::npos) {
      for (sim::PoolChoice& pool : world.pools) f(pool, word);
      return;
    }
    const std::string name = word.substr(0, equals);
    const auto id = find_by_name<frame::PoolId>(frame::kPools, name);
    if (!id)
      return fail(std::string(option) + ": there is no '" + name.substr(0, 60) +
                  "'; there are: " + sim::names_of(frame::pools_of(world.scene)));
    world.named_by[static_cast<std::size_t>(*id)] = option;
    f(world.pools[static_cast<std::size_t>(*id)], word.substr(equals + 1));
  }
  /// The value of a setting, of which its option is `word`.
  double setting(const frame::SettingRow& row, const std::string& word) {
    const frame::SettingValue& value = row.value;
    const std::string option(row.option.name), said = option + ": '" + word.substr(0, 60) + "' is ";
    const bool own_range = row.option.high > 0;
    const double low = own_range ? row.option.low : value.low;
    const double high = own_range ? row.option.high : value.high;
    switch (value.kind) {
      case frame::SettingKind::Choice:
        return static_cast<double>(place(option, value.names, word));
      case frame::SettingKind::Flag:
        if (word != "on" && word != "off") fail(said + "neither on nor off");
        return word == "on" ? 1 : 0;
      case frame::SettingKind::Whole: {
        const u64 least = value.zero_too ? 0 : static_cast<u64>(low);
        const double given = static_cast<double>(number(option, word, least, static_cast<u64>(high)));
        if (given != 0 && given < low) fail(said + fmt::format("neither 0 nor from {} to {}", low, high));
        return given;
      }
      case frame::SettingKind::Real: {
        char* end = nullptr;
        const double given = static_cast<double>(std::strtof(word.c_str(), &end));
        if (*end != '\0' || !(given >= low && given <= high)) {
          fail(said + fmt::format("not a number from {} to {}", low, high));
        }
        return given;
      }
    }
    return 0;
  }
};

void add_world(CLI::App& app, OptionWords& words, WorldOptions& world);
void check_world(OptionChecker& check, const OptionWords& words, WorldOptions& world);

// Of the game, and of the blocks that a comparison plays.
void add_play(CLI::App& app, OptionWords& words, PlayOptions& play);
void check_play(OptionChecker& check, const OptionWords& words, PlayOptions& play);

// Of the game alone.
void add_duet(CLI::App& app, OptionWords& words);
void check_duet(OptionChecker& check, const OptionWords& words, PlayOptions& play);
void add_learn(CLI::App& app, OptionWords& words);
void check_learn(OptionChecker& check, const OptionWords& words, PlayOptions& play);

}  // namespace spellpool::app
