#include "app/options.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "app/play/hud.hpp"

namespace spellpool::app {
namespace {

PlayOptions play_options(std::vector<const char*> words) {
  words.insert(words.begin(), "spellpool");
  const ParseResult result = parse_options(static_cast<int>(words.size()), words.data());
  EXPECT_TRUE(result.options) << result.text;
  return result.options ? result.options->play : PlayOptions{};
}

TEST(Options, WhoDrawsIsNamedOrLeftToTheSettings) {
  frame::Settings remembered;
  remembered.looks.draw = frame::DrawPath::Gpu;
  const auto drawn_by = [&](std::vector<const char*> words) {
    return with_options(remembered, play_options(std::move(words))).looks.draw;
  };
  EXPECT_EQ(drawn_by({}), frame::DrawPath::Gpu);
  EXPECT_EQ(drawn_by({"--draw=cpu"}), frame::DrawPath::Cpu);
  EXPECT_EQ(drawn_by({"--draw", "cpu", "--draw", "auto"}), frame::DrawPath::Auto);
}

/// Values of the setting as its option takes them, and as numbers.
std::vector<std::pair<std::string, double>> values_of(const frame::SettingRow& row) {
  std::vector<std::pair<std::string, double>> values;
  for (const frame::SettingName& name : row.value.names) values.emplace_back(name.name, name.id);
  if (values.empty()) values = {{std::to_string(row.value.low), row.value.low}, {std::to_string(row.value.high), row.value.high}};
  if (row.value.kind == frame::SettingKind::Whole) {
    for (auto& [word, value] : values) word = std::to_string(static_cast<u32>(value));
  }
  return values;
}

TEST(Options, EachOptionOfASettingSetsItsOwnMemberForThisRunOnly) {
  for (const frame::SettingRow& row : frame::kSettings) {
    if (row.option.name == nullptr) continue;
    for (const auto& [word, value] : values_of(row)) {
      const frame::Settings remembered;
      const frame::Settings now = with_options(remembered, play_options({row.option.name, word.c_str()}));
      frame::Settings wanted = remembered;
      row.value.set(wanted, value);
      EXPECT_EQ(now, wanted) << row.option.name << " " << word;
      EXPECT_EQ(row.value.get(now), value) << row.option.name;
      EXPECT_EQ(to_remember(now, now, remembered), remembered) << row.option.name;
    }
  }
}

TEST(Options, AValueThatASettingCannotHaveIsNamedWithTheOption) {
  const auto error_of = [](const char* option, const char* word) {
    const char* const words[] = {"spellpool", option, word};
    return parse_options(3, words).text;
  };
  for (const frame::SettingRow& row : frame::kSettings) {
    if (row.option.name == nullptr) continue;
    for (const char* word : {"nonsense", "-1", "1e9"}) {
      EXPECT_EQ(error_of(row.option.name, word).rfind("spellpool: error: " + std::string(row.option.name) + ": ", 0), 0u)
          << error_of(row.option.name, word);
    }
  }
  EXPECT_EQ(error_of("--vsync", "maybe"), "spellpool: error: --vsync: 'maybe' is neither on nor off (see spellpool --help)\n");
  EXPECT_EQ(error_of("--frame-cap", "20"), "spellpool: error: --frame-cap: '20' is neither 0 nor from 30 to 480 (see spellpool --help)\n");
  EXPECT_EQ(error_of("--frame-cap", "500"), "spellpool: error: --frame-cap: '500' is not a whole number from 0 to 480 (see spellpool --help)\n");
  EXPECT_EQ(error_of("--text-scale", "4"), "spellpool: error: --text-scale: '4' is not a number from 0.5 to 3 (see spellpool --help)\n");
  EXPECT_EQ(error_of("--draw", "laser"), "spellpool: error: --draw: there is no 'laser'; there are: auto, gpu, cpu (see spellpool --help)\n");
}

TEST(Options, ARunThatIsMeasuredSaysSo) {
  EXPECT_FALSE(play_options({}).is_measured());
  EXPECT_FALSE(play_options({"--autoplay", "--record-input", "a.replay", "--quality", "auto"}).is_measured());
  for (const std::vector<const char*>& words : std::vector<std::vector<const char*>>{{"--headless"}, {"--sim-only"}, {"--steps", "60"},
                                                                                      {"--record", "a.csv"}, {"--json", "a.json"},
                                                                                      {"--screenshot", "a.png"},
                                                                                      {"--headless", "--autoplay", "--clip", "a.gif"}}) {
    EXPECT_TRUE(play_options(words).is_measured()) << words[0];
  }
}

TEST(Options, ThatIgnoreTheSettingsFileAreNamedInTheSettings) {
  const auto unkept = [](const std::vector<const char*>& words) {
    return Hud(play_options(words), frame::Settings{}).state.settings_unkept;
  };
  EXPECT_EQ(unkept({}), "");
  EXPECT_EQ(unkept({"--autoplay"}), "--autoplay neither reads nor writes the settings file");
  EXPECT_EQ(unkept({"--input", "a.replay"}), "--input neither reads nor writes the settings file");
  EXPECT_EQ(unkept({"--headless", "--autoplay"}), "--headless neither reads nor writes the settings file");
}

TEST(Options, HoldForTheRunAndAreNotRemembered) {
  frame::Settings remembered;
  remembered.looks.draw = frame::DrawPath::Gpu;
  remembered.looks.quality = frame::Quality::Medium;
  const frame::Settings at_start = with_options(remembered, play_options({"--draw", "cpu", "--quality", "low"}));
  EXPECT_EQ(at_start.looks.draw, frame::DrawPath::Cpu);
  EXPECT_EQ(at_start.looks.quality, frame::Quality::Low);
  EXPECT_EQ(to_remember(at_start, at_start, remembered), remembered);
  frame::Settings chosen = at_start;  // in the panel, later
  chosen.looks.draw = frame::DrawPath::Auto;
  EXPECT_EQ(to_remember(chosen, at_start, remembered).looks.draw, frame::DrawPath::Auto);
  EXPECT_EQ(to_remember(chosen, at_start, remembered).looks.quality, frame::Quality::Medium);
}

}  // namespace
}  // namespace spellpool::app
