#include "content/player/settings_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>

#include "../support/scratch_folder.hpp"
#include "content/text_file.hpp"
#include "core/rng.hpp"

namespace spellpool::content {
namespace {

using test::ScratchFolder;

using namespace frame;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

void put(const std::filesystem::path& path, std::string_view text) { std::ofstream(path) << text; }
std::string text_of(const std::filesystem::path& path) {
  return read_text(path, std::size_t{1} << 21).text.value_or("none");
}

Settings random_settings(u64 seed) {
  Rng rng(seed);
  Settings s;
  for (const SettingRow& row : kSettings) {
    const SettingValue& value = row.value;
    if (!value.names.empty()) {
      row.value.set(s, rng.below(static_cast<u32>(value.names.size())));
    } else if (value.kind == SettingKind::Whole) {
      const bool zero = value.zero_too && rng.below(2) == 1;
      row.value.set(s, zero ? 0 : value.low + rng.below(static_cast<u32>(value.high - value.low) + 1));
    } else {
      row.value.set(s, rng.range(static_cast<float>(value.low), static_cast<float>(value.high)));
    }
  }
  static constexpr std::string_view kNames[] = {"", "\\", "\"", "'", "Left Shift", "Ö", "#", "=", "lt+x", "Keypad 5"};
  for (KeyBinding& binding : s.bindings) {
    binding.key = kNames[rng.below(std::size(kNames))];
    binding.pad = kNames[rng.below(std::size(kNames))];
  }
  return s;
}

TEST(SettingsFile, WhatIsWrittenReadsBackTheSame) {
  EXPECT_EQ(parse_settings(format_settings(Settings{}), "s.toml").settings, Settings{});
  for (u64 seed = 0; seed < 200; ++seed) {
    const Settings settings = random_settings(seed);
    const SettingsResult again = parse_settings(format_settings(settings), "s.toml");
    ASSERT_EQ(again.error, "");
    EXPECT_THAT(again.warnings, IsEmpty());
    ASSERT_EQ(again.settings, settings) << seed;
  }
}

TEST(SettingsFile, TheFileSaysEveryKeyAndItsRange) {
  const std::string text = format_settings(Settings{});
  for (const SettingRow& row : kSettings)
    EXPECT_THAT(text, HasSubstr(std::string("\n").append(row.name).append(" = ")));
  EXPECT_THAT(text, HasSubstr("motion = \"full\"                 # camera shake and lead (off, reduced, full)\n"));
  EXPECT_THAT(text, HasSubstr("volume = 0.8                    # loudness (0 … 1)\n"));
  EXPECT_THAT(text, HasSubstr("toggle_strategy = \"Tab\"         # switch the pools"));
  for (const Hotkey& row : kHotkeys)
    EXPECT_THAT(text, HasSubstr(std::string("\n").append(row.name).append(" = \"").append(row.pad)));
}

TEST(SettingsFile, MissingKeysHaveTheirDefaults) {
  const SettingsResult result = parse_settings("[sound]\nvolume = 1\n[keys]\npause = \"X\"\n", "s.toml");
  Settings wanted;
  wanted.volume = 1.0f;
  wanted.bindings[static_cast<std::size_t>(Action::Pause)].key = std::string("X");
  EXPECT_EQ(result.settings, wanted);
  EXPECT_EQ(parse_settings("# nothing yet\n", "s.toml").settings, Settings{});
}

TEST(SettingsFile, WhoDrawsIsReadByName) {
  for (const auto& row : kDrawPaths) {
    const SettingsResult result = parse_settings("[looks]\ndraw = \"" + std::string(row.name) + "\"\n", "s.toml");
    EXPECT_THAT(result.warnings, IsEmpty());
    EXPECT_EQ(result.settings->looks.draw, static_cast<DrawPath>(row.id));
  }
  const SettingsResult unknown = parse_settings("[looks]\nquality = \"low\"\ndraw = \"gpus\"\n", "s.toml");
  EXPECT_EQ(unknown.settings->looks.draw, DrawPath::Auto);
  EXPECT_EQ(unknown.settings->looks.quality, Quality::Low);
  EXPECT_THAT(unknown.warnings, ElementsAre("s.toml:3: looks.draw: 'gpus' is unknown, so the default is used; did you mean 'gpu'?"));
}

// As it was written before there was a choice of who draws.
TEST(SettingsFile, AnOlderFileStillReads) {
  std::ifstream file(std::string(SPELLPOOL_SOURCE_DIR) + "/tests/fuzz/corpus/settings/defaults");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  ASSERT_THAT(text, HasSubstr("quality = \"high\""));
  const SettingsResult result = parse_settings(text, "s.toml");
  EXPECT_EQ(result.error, "");
  EXPECT_THAT(result.warnings, IsEmpty());
  Settings wanted;
  wanted.looks.quality = Quality::High;
  EXPECT_EQ(result.settings->looks, wanted.looks);
  // It was written when these had other buttons, and keeps them.
  const auto pad = [&](Action action) -> std::string& { return wanted.bindings[static_cast<std::size_t>(action)].pad; };
  pad(Action::CapacityDown) = "dpdown";
  pad(Action::CapacityUp) = "dpup";
  pad(Action::Record) = "back";
  pad(Action::Quit) = "paddle2";
  pad(Action::SlowMotion) = "lt+leftshoulder";
  EXPECT_EQ(result.settings->bindings, wanted.bindings);
}

TEST(SettingsFile, UnknownKeysAndUnfitValuesCostOnlyThemselves) {
  const SettingsResult result = parse_settings(
      "[looks]\nmotion = \"reducd\"\nflash = \"off\"\nglitter = 3\n"
      "[panels]\ntext_scale = nan\nhud = \"full\"\n"
      "[sound]\nvolume = 1.5\n"
      "[window]\nframe_cap = 20\nwidth = -1\nheight = 99999999999\n[mouse]\nspeed = 1\n[keys]\npaus = \"X\"\n",
      "s.toml");
  Settings wanted;
  wanted.looks.flash = Amount::Off;
  wanted.hud = HudLevel::Full;
  EXPECT_EQ(result.settings, wanted);
  EXPECT_EQ(result.error, "");
  // Tables and keys come in the alphabet's order.
  EXPECT_THAT(
      result.warnings,
      ElementsAre(
          "s.toml:17: unknown key 'keys.paus' is ignored; did you mean 'pause'?",
          "s.toml:4: unknown key 'looks.glitter' is ignored; known are motion, flash, density, colour_vision, quality, resolution, draw, scenery, figure_images, figure_policy, figure_room",
          "s.toml:2: looks.motion: 'reducd' is unknown, so the default is used; did you mean 'reduced'?",
          "s.toml:14: unknown 'mouse' is ignored; known are looks, panels, sound, window, keys, pad",
          "s.toml:6: panels.text_scale: nan is out of range (0.75 … 2), so the default is used",
          "s.toml:9: sound.volume: 1.5 is out of range (0 … 1), so the default is used",
          "s.toml:11: window.frame_cap: 20 is out of range (30 … 480, or 0), so the default is used",
          "s.toml:13: window.height: 99999999999 is out of range (270 … 16384), so the default is used",
          "s.toml: and 1 more of the kind"));
}

TEST(SettingsFile, WrongTypesAndBrokenTextAreDamage) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"[sound]\nvolume = \"loud\"\n", "s.toml:2: sound.volume: 'loud' is not a number"},
      {"[sound]\nmuted = 1\n", "s.toml:2: sound.muted: 1 is neither true nor false"},
      {"[looks]\nmotion = 1\n", "s.toml:2: looks.motion: 1 is not a name in quotes"},
      {"[window]\nwidth = 800.5\n", "s.toml:2: window.width: 800.5 is not a whole number"},
      {"keys = 3\n", "s.toml:1: keys: 3 is not a table [keys]"},
      {"[keys]\npause = 3\n", "s.toml:2: keys.pause: 3 is not a name in quotes"},
      {"", "s.toml:1: the file is empty"},
  };
  for (const auto& [text, error] : cases) {
    const SettingsResult result = parse_settings(text, "s.toml");
    EXPECT_FALSE(result.settings);
    EXPECT_EQ(result.error, error);
    EXPECT_THAT(result.warnings, IsEmpty());
  }
  EXPECT_FALSE(parse_settings("[sound\n", "s.toml").settings);
  EXPECT_FALSE(parse_settings(std::string("a\0b", 3), "s.toml").settings);
  const std::string half = format_settings(Settings{});
  EXPECT_FALSE(parse_settings(half.substr(0, half.find("Tab") + 1), "s.toml").settings);
}

TEST(SettingsFile, NoFileIsTheDefaultsWithoutAWord) {
  const ScratchFolder scratch;
  const LoadedSettings loaded = load_settings(scratch / "none.toml");
  EXPECT_EQ(loaded.settings, Settings{});
  EXPECT_THAT(loaded.messages, IsEmpty());
  EXPECT_EQ(scratch.file_count(), 0u);
}

TEST(SettingsFile, SavingMakesTheFolderAndLoadingGivesTheSame) {
  const ScratchFolder scratch;
  const auto path = scratch / "config/deeper/settings.toml";
  const Settings settings = random_settings(5);
  EXPECT_EQ(save_settings(path, settings), "");
  EXPECT_EQ(load_settings(path).settings, settings);
  EXPECT_EQ(save_settings(path, Settings{}), "");
  EXPECT_EQ(load_settings(path).settings, Settings{});
}

TEST(SettingsFile, ADamagedFileIsSetAsideAndNeverLost) {
  const ScratchFolder scratch;
  const auto path = scratch / "settings.toml";
  for (const std::string_view damaged :
       {"settings.toml.damaged", "settings.toml.damaged-2", "settings.toml.damaged-3"}) {
    put(path, std::string("broken ").append(damaged));
    const LoadedSettings loaded = load_settings(path);
    EXPECT_EQ(loaded.settings, Settings{});
    ASSERT_THAT(loaded.messages, SizeIs(1));
    EXPECT_THAT(loaded.messages[0], HasSubstr(path.string() + ":1: "));
    EXPECT_THAT(loaded.messages[0], HasSubstr("it is set aside as " + (scratch / std::string(damaged)).string() +
                                              ", and the settings begin anew"));
    EXPECT_FALSE(std::filesystem::exists(path));
    EXPECT_EQ(text_of(scratch / std::string(damaged)), std::string("broken ").append(damaged));
  }
}

TEST(SettingsFile, SavingNeverOverwritesWhatItCannotUnderstand) {
  const ScratchFolder scratch;
  const auto path = scratch / "settings.toml";
  put(path, "the player is just editing this");
  EXPECT_THAT(save_settings(path, Settings{}), HasSubstr("it is set aside as " + path.string() + ".damaged"));
  EXPECT_EQ(text_of(scratch / "settings.toml.damaged"), "the player is just editing this");
  EXPECT_EQ(load_settings(path).settings, Settings{});
}

TEST(SettingsFile, WhatCannotBeReadIsLeftAlone) {
  const ScratchFolder scratch;
  const auto path = scratch / "settings.toml";
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  const LoadedSettings loaded = load_settings(path);
  EXPECT_EQ(loaded.settings, Settings{});
  EXPECT_THAT(loaded.messages,
              ElementsAre(path.string() + ": is not a regular file; it stays as it is, and the settings begin anew"));
  EXPECT_EQ(save_settings(path, Settings{}), path.string() + ": is not a regular file; the settings are not saved");
  EXPECT_TRUE(std::filesystem::is_fifo(path));
  EXPECT_EQ(scratch.file_count(), 1u);
}

TEST(SettingsFile, AFolderThatCannotBeMadeIsOneLine) {
  const ScratchFolder scratch;
  put(scratch / "config", "a file");
  const auto path = scratch / "config/settings.toml";
  EXPECT_EQ(save_settings(path, Settings{}),
            path.string() + ": its folder cannot be made: Not a directory; the settings are not saved");
  EXPECT_EQ(text_of(scratch / "config"), "a file");
  EXPECT_EQ(load_settings(path).settings, Settings{});
}

TEST(SettingsFile, AFileOfAMegabyteIsSetAside) {
  const ScratchFolder scratch;
  put(scratch / "settings.toml", std::string((std::size_t{1} << 20) + 1, '#'));
  const LoadedSettings loaded = load_settings(scratch / "settings.toml");
  ASSERT_THAT(loaded.messages, SizeIs(1));
  EXPECT_THAT(loaded.messages[0], HasSubstr("is larger than 1048576 bytes; it is set aside as "));
  EXPECT_TRUE(std::filesystem::exists(scratch / "settings.toml.damaged"));
}

TEST(SettingsFile, ALinkIsFollowedWhenSaving) {
  const ScratchFolder scratch;
  put(scratch / "real.toml", format_settings(Settings{}));
  std::filesystem::create_symlink("real.toml", scratch / "settings.toml");
  Settings settings;
  settings.muted = true;
  EXPECT_EQ(save_settings(scratch / "settings.toml", settings), "");
  EXPECT_EQ(load_settings(scratch / "real.toml").settings, settings);
  EXPECT_TRUE(std::filesystem::is_symlink(scratch / "settings.toml"));
  std::filesystem::remove(scratch / "real.toml");
  EXPECT_THAT(load_settings(scratch / "settings.toml").messages, IsEmpty());
}

}  // namespace
}  // namespace spellpool::content
