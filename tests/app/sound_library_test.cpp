#include "app/library/sound_library.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>

#include "../support/until.hpp"
#include "content/game/sound_file.hpp"
#include "content/media/wav.hpp"

namespace spellpool::app {
namespace {

namespace fs = std::filesystem;
using frame::SoundId;

/// Low, so that all sounds are rendered in no time.
constexpr u32 kRate_hz = 8'000;

class SoundLibraryTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("spellpool_sounds_" + std::to_string(::getpid()));
    fs::create_directories(shipped());
    for (const auto& entry : fs::directory_iterator(SPELLPOOL_SOURCE_DIR "/assets/sounds")) fs::copy(entry.path(), shipped() / entry.path().filename());
  }
  void TearDown() override {
    fs::permissions(shipped(), fs::perms::owner_all);
    fs::remove_all(folder_);
  }

  fs::path shipped() const { return folder_ / "sounds"; }
  fs::path own() const { return folder_ / "own"; }
  SoundLibrary::Folders folders() const { return {shipped().string(), own().string()}; }
  void write(const fs::path& path, const std::string& text) const { std::ofstream(path, std::ios::binary) << text; }
  std::string read(const fs::path& path) const {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  }
  void write_wav(const fs::path& path, float level) const {
    const std::vector<float> samples(2 * 12'000, level);
    ASSERT_EQ(content::write_wav(path, 24'000, samples, content::WavFormat::Float32, content::Overwrite::Yes), "");
  }
  static std::string bomb(float length_s) {
    frame::SoundDef def = content::builtin_sound(SoundId::Bomb);
    def.length_s = length_s;
    return content::format_sound(def);
  }

  /// Polls as frames do until it holds.
  static bool comes(SoundLibrary& library, const std::function<bool()>& holds) {
    return test::until([&] {
      library.update();
      return holds();
    });
  }
  static bool told(SoundLibrary& library, const std::string& part) {
    std::string all;
    return comes(library, [&] {
      for (const std::string& line : library.take_notices()) all += line + "\n";
      return all.find(part) != std::string::npos;
    });
  }

  fs::path folder_;
};

u32 frames(SoundLibrary& library, SoundId id) { return (*library.bank(kRate_hz))[id].frames(); }

TEST_F(SoundLibraryTest, HasEverySoundOfTheFiles) {
  write(shipped() / "bomb.toml", bomb(1.5f));
  SoundLibrary library(folders());
  const auto bank = library.bank(kRate_hz);
  EXPECT_EQ(bank->sample_rate_hz(), kRate_hz);
  EXPECT_EQ((*bank)[SoundId::Bomb].frames(), 12'000u);
  EXPECT_EQ(library.bank(kRate_hz), bank) << "rendered once";
  EXPECT_TRUE(library.errors().empty()) << library.errors().front();
  EXPECT_EQ(library.def(SoundId::Shot), content::builtin_sound(SoundId::Shot));
  EXPECT_EQ(library.bank(2 * kRate_hz)->sample_rate_hz(), 2 * kRate_hz);
}

TEST_F(SoundLibraryTest, WithoutFilesTheBuiltInSoundsAreHeard) {
  SoundLibrary library({(folder_ / "nowhere").string(), ""});
  for (const frame::SoundName& row : frame::kSounds) {
    EXPECT_EQ(library.def(row.id), content::builtin_sound(row.id));
    EXPECT_GT(frames(library, row.id), 0u);
  }
  EXPECT_TRUE(library.errors().empty());
}

TEST_F(SoundLibraryTest, ABrokenFileAtTheStartIsToldAndTheBuiltInSoundHeard) {
  write(shipped() / "bomb.toml", "length_s = 'long'\n");
  SoundLibrary library(folders());
  EXPECT_EQ(frames(library, SoundId::Bomb), static_cast<u32>(content::builtin_sound(SoundId::Bomb).length_s * kRate_hz + 0.5f));
  ASSERT_EQ(library.errors().size(), 1u);
  EXPECT_NE(library.errors()[0].find("bomb.toml:1: length_s: 'long' is not a number"), std::string::npos) << library.errors()[0];
}

TEST_F(SoundLibraryTest, AChangedFileIsHeardAndTheOthersAreTheSameSounds) {
  SoundLibrary library(folders());
  const auto before = library.bank(kRate_hz);
  library.watch();
  write(shipped() / "bomb.toml", bomb(1.0f));
  ASSERT_TRUE(comes(library, [&] { return frames(library, SoundId::Bomb) == kRate_hz; }));
  EXPECT_TRUE(told(library, "Read bomb.toml again"));
  const auto after = library.bank(kRate_hz);
  for (std::size_t i = 0; i < frame::kSoundCount; ++i) {
    EXPECT_EQ(after->sounds()[i] == before->sounds()[i], static_cast<SoundId>(i) != SoundId::Bomb) << frame::kSounds[i].name;
  }
  EXPECT_EQ(library.filed(SoundId::Bomb).length_s, 1.0f);
}

TEST_F(SoundLibraryTest, ABrokenFileLeavesTheLastGoodSound) {
  SoundLibrary library(folders());
  library.bank(kRate_hz);
  library.watch();
  write(shipped() / "bomb.toml", bomb(1.0f));
  ASSERT_TRUE(comes(library, [&] { return frames(library, SoundId::Bomb) == kRate_hz; }));
  write(shipped() / "bomb.toml", "length_s = \n");
  ASSERT_TRUE(comes(library, [&] { return !library.errors().empty(); }));
  EXPECT_NE(library.errors()[0].find("bomb.toml:1: "), std::string::npos) << library.errors()[0];
  EXPECT_EQ(frames(library, SoundId::Bomb), kRate_hz);
  write(shipped() / "bomb.toml", bomb(2.0f));
  ASSERT_TRUE(comes(library, [&] { return library.errors().empty(); })) << "mended";
  EXPECT_TRUE(comes(library, [&] { return frames(library, SoundId::Bomb) == 2 * kRate_hz; }));
  fs::remove(shipped() / "bomb.toml");
  EXPECT_TRUE(comes(library, [&] { return library.def(SoundId::Bomb) == content::builtin_sound(SoundId::Bomb); })) << "gone: the built-in one";
}

TEST_F(SoundLibraryTest, ARecordingReplacesTheRecipeAndKeepsItsTraits) {
  write_wav(shipped() / "finale.wav", 0.25f);
  SoundLibrary library(folders());
  const auto bank = library.bank(kRate_hz);
  const audio::Sound& sound = (*bank)[SoundId::Finale];
  EXPECT_EQ(sound.frames(), 4'000u) << "half a second at the mixer's rate";
  EXPECT_TRUE(sound.is_stereo());
  EXPECT_NEAR(sound.bright_left()[2'000], 0.25f, 1e-4f);
  EXPECT_NEAR(sound.bright_left()[3'999], 0.0f, 1e-3f) << "it ends without a click";
  const frame::SoundDef& recipe = content::builtin_sound(SoundId::Finale);
  EXPECT_EQ(sound.traits(), recipe.traits);
  EXPECT_EQ(sound.fixed_pitch(), recipe.fixed_pitch);
  EXPECT_EQ(library.recording(SoundId::Finale), (shipped() / "finale.wav").string());
  EXPECT_EQ(library.recording(SoundId::Bomb), "");
}

TEST_F(SoundLibraryTest, RecordingsComeBreakAndGo) {
  SoundLibrary library(folders());
  library.bank(kRate_hz);
  const u32 recipe_frames = frames(library, SoundId::Shot);
  library.watch();
  write_wav(shipped() / "shot.wav", 0.5f);
  ASSERT_TRUE(comes(library, [&] { return frames(library, SoundId::Shot) == 4'000u; }));
  write(shipped() / "shot.wav", "garbage");
  ASSERT_TRUE(comes(library, [&] { return !library.errors().empty(); }));
  EXPECT_NE(library.errors()[0].find("shot.wav: is no sound"), std::string::npos) << library.errors()[0];
  EXPECT_EQ(frames(library, SoundId::Shot), 4'000u) << "the last good one";
  fs::remove(shipped() / "shot.wav");
  EXPECT_TRUE(comes(library, [&] { return frames(library, SoundId::Shot) == recipe_frames; })) << "the recipe again";
  EXPECT_TRUE(comes(library, [&] { return library.errors().empty(); }));
}

TEST_F(SoundLibraryTest, ThePlayersOwnFolderComesFirstAndMayAppearLater) {
  SoundLibrary library(folders());
  library.bank(kRate_hz);
  library.watch();
  fs::create_directories(own());
  write(own() / "bomb.toml", bomb(1.25f));
  EXPECT_TRUE(comes(library, [&] { return frames(library, SoundId::Bomb) == 10'000u; }));
}

TEST_F(SoundLibraryTest, AnEditIsHeardBeforeItIsSavedAndThenSaved) {
  const std::string head = read(shipped() / "bomb.toml").substr(0, read(shipped() / "bomb.toml").find('\n'));
  SoundLibrary library(folders());
  library.bank(kRate_hz);
  library.watch();
  frame::SoundDef def = library.def(SoundId::Bomb);
  for (const float length_s : {0.5f, 0.75f, 1.0f}) {
    def.length_s = length_s;
    EXPECT_EQ(library.set_def(SoundId::Bomb, def), "");
  }
  EXPECT_EQ(library.def(SoundId::Bomb), def) << "at once";
  EXPECT_EQ(library.filed(SoundId::Bomb), content::builtin_sound(SoundId::Bomb)) << "not yet in its file";
  EXPECT_TRUE(comes(library, [&] { return frames(library, SoundId::Bomb) == kRate_hz; }));
  library.save(SoundId::Bomb);
  EXPECT_TRUE(told(library, "Saved " + (shipped() / "bomb.toml").string()));
  EXPECT_EQ(library.filed(SoundId::Bomb), def);
  const std::string text = read(shipped() / "bomb.toml");
  EXPECT_EQ(text.rfind(head, 0), 0u) << "the comment at its head stays";
  EXPECT_EQ(*content::parse_sound(text, "bomb.toml").sound, def);
}

TEST_F(SoundLibraryTest, AnEditThatNoFileMaySayIsRefused) {
  SoundLibrary library(folders());
  library.bank(kRate_hz);
  library.watch();
  frame::SoundDef def = library.def(SoundId::Bomb);
  def.peak = 3.0f;
  EXPECT_NE(library.set_def(SoundId::Bomb, def).find("peak: 3"), std::string::npos);
  EXPECT_EQ(library.def(SoundId::Bomb), content::builtin_sound(SoundId::Bomb));
}

TEST_F(SoundLibraryTest, AFileThatIsBrokenByHandIsNotWrittenOver) {
  SoundLibrary library(folders());
  library.bank(kRate_hz);
  library.watch();
  write(shipped() / "bomb.toml", "half-way through");
  ASSERT_TRUE(comes(library, [&] { return !library.errors().empty(); }));
  library.save(SoundId::Bomb);
  EXPECT_TRUE(told(library, "is broken; mend it or delete it first"));
  EXPECT_EQ(read(shipped() / "bomb.toml"), "half-way through");
}

TEST_F(SoundLibraryTest, WhatIsSavedWhereThePlayerMayNotWriteGoesIntoHisOwnFolder) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may write everywhere";
  SoundLibrary library(folders());
  library.bank(kRate_hz);
  library.watch();
  fs::permissions(shipped(), fs::perms::owner_read | fs::perms::owner_exec);
  library.save(SoundId::Bomb);
  EXPECT_TRUE(told(library, "Saved " + (own() / "bomb.toml").string()));
}

TEST_F(SoundLibraryTest, AnotherRateComesWithoutWaiting) {
  SoundLibrary library(folders());
  library.bank(kRate_hz);
  library.watch();
  library.want_rate(11'025);
  EXPECT_TRUE(test::until([&] { return library.update() && library.bank(11'025)->sample_rate_hz() == 11'025; }));
  EXPECT_EQ(library.bank(12'000)->sample_rate_hz(), 12'000u) << "and with waiting";
}

TEST_F(SoundLibraryTest, WatchedBeforeItIsAskedItHasTheFilesAllTheSame) {
  write(shipped() / "bomb.toml", bomb(1.5f));
  SoundLibrary library(folders());
  library.watch();
  EXPECT_EQ(frames(library, SoundId::Bomb), 12'000u);
  EXPECT_EQ(frames(library, SoundId::Shot), static_cast<u32>(content::builtin_sound(SoundId::Shot).length_s * kRate_hz + 0.5f));
}

TEST_F(SoundLibraryTest, ALastSaveIsWrittenBeforeTheEnd) {
  frame::SoundDef def = content::builtin_sound(SoundId::Bomb);
  def.length_s = 1.75f;
  {
    SoundLibrary library(folders());
    library.bank(kRate_hz);
    library.watch();
    EXPECT_EQ(library.set_def(SoundId::Bomb, def), "");
    library.save(SoundId::Bomb);
  }
  EXPECT_EQ(*content::parse_sound(read(shipped() / "bomb.toml"), "bomb.toml").sound, def);
}

}  // namespace
}  // namespace spellpool::app
