#include "app/cli/options.hpp"

#include <gtest/gtest.h>

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
  EXPECT_FALSE(play_options({}).draw);
  EXPECT_EQ(play_options({"--draw", "gpu"}).draw, frame::DrawPath::Gpu);
  EXPECT_EQ(play_options({"--draw=cpu"}).draw, frame::DrawPath::Cpu);
  EXPECT_EQ(play_options({"--draw", "cpu", "--draw", "auto"}).draw, frame::DrawPath::Auto);
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
