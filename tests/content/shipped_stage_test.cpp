// The patterns and the stage that we ship: all read, all used, readable on normal, and never more bullets than their pool holds.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "../support/rehearsal.hpp"
#include "content/game/pattern_file.hpp"
#include "content/game/stage_file.hpp"
#include "content/text_file.hpp"
#include "frame/defs/stage_needs.hpp"

namespace spellpool::content {
namespace {

using namespace frame;
using test::Rehearsal;

const std::string kAssets = SPELLPOOL_SOURCE_DIR "/assets/";

struct ShippedStage : ::testing::Test {
  void SetUp() override {
    texts = read_pattern_texts(kAssets + "patterns");
    ASSERT_EQ(texts.error, "");
    PatternBookResult patterns = read_patterns(texts.files);
    ASSERT_EQ(patterns.error, "");
    book = std::move(*patterns.book);
    const std::string path = kAssets + "stages/night_garden.toml";
    const TextResult text = read_text(path, kMaxStageFile_bytes);
    ASSERT_TRUE(text.text) << text.error;
    StageFileResult result = read_stage(*text.text, path, book);
    ASSERT_EQ(result.error, "");
    stage = std::move(*result.stage);
  }
  PatternTexts texts;
  PatternBook book;
  StageDef stage;
};

TEST_F(ShippedStage, EveryPatternHasShotsOnEveryDifficultyAndHarderIsNeverSparser) {
  for (const PatternDef& pattern : book) {
    double last = 0;
    for (std::size_t i = 0; i < kDifficultyCount; ++i) {
      EXPECT_FALSE(pattern.shots[i].empty()) << pattern.name << " on " << kDifficulties[i].name;
      double rate = 0;  // Bullets a second.
      for (const ShotDef& shot : pattern.shots[i]) rate += shot.count * shot.layers / static_cast<double>(shot.every_s);
      EXPECT_GT(rate, last) << pattern.name << " on " << kDifficulties[i].name << " is no denser than before";
      last = rate;
    }
  }
}

// What flies on normal can be read: 90 to 200 units/s in its first second or two, unless it is a big one or speeds up under way.
TEST_F(ShippedStage, SpeedsOnNormalAreReadable) {
  for (const PatternDef& pattern : book) {
    for (const ShotDef& shot : pattern.shots[static_cast<std::size_t>(Difficulty::Normal)]) {
      if (shot.form == ShotForm::Laser) continue;
      const float fastest = std::max(shot.speed + static_cast<float>(shot.layers - 1) * std::max(0.0f, shot.layer_speed) + shot.speed_spread / 2,
                                     shot.accelerate > 0 ? shot.most_speed : 0);
      EXPECT_LE(fastest, 220) << pattern.name;
      EXPECT_GE(shot.accelerate > 0 ? shot.most_speed : shot.speed, 75) << pattern.name;
    }
  }
}

TEST_F(ShippedStage, RimsAreSaturatedAndNeverNearWhite) {
  for (const PatternDef& pattern : book) {
    for (const auto& shots : pattern.shots) {
      for (const ShotDef& shot : shots) {
        const auto [low, high] = std::minmax({shot.r, shot.g, shot.b});
        EXPECT_GT(high, 0.55f) << pattern.name;
        EXPECT_LT(low, 0.4f * high) << pattern.name;
      }
    }
  }
}

TEST_F(ShippedStage, EveryFamilyIsThereAndEveryKindComes) {
  std::set<std::string> files;
  for (const NamedText& file : texts.files) files.insert(std::filesystem::path(file.path).stem().string());
  for (const char* family : {"rings", "fans", "spirals", "walls", "needles", "bubbles", "motes", "rain", "lasers", "carp", "moth"}) {
    EXPECT_TRUE(files.contains(family)) << family;
  }
  std::set<EnemyKind> kinds;
  std::set<PickupKind> drops;
  for (const WaveDef& wave : stage.waves) {
    kinds.insert(wave.kind);
    drops.insert(wave.drops);
  }
  for (const EnemyKindRow& row : kEnemyKinds) {
    EXPECT_EQ(kinds.contains(row.id), comes_in_waves(row)) << row.name;
  }
  EXPECT_TRUE(drops.contains(PickupKind::Shield) && drops.contains(PickupKind::Magnet));
  ASSERT_EQ(stage.bosses.size(), 2u);
  EXPECT_EQ(stage.bosses[0].kind, EnemyKind::Carp);
  EXPECT_EQ(stage.bosses[0].phases.size(), 2u);
  EXPECT_EQ(stage.bosses[1].kind, EnemyKind::Moth);
  EXPECT_EQ(stage.bosses[1].phases.size(), 3u);
}

TEST_F(ShippedStage, LastsAboutFiveMinutes) {
  constexpr float kDamageASecond = 90;  // The ship's shots, 60 to 140 by power and aim.
  float seconds = stage.bosses.back().at_s;
  for (const BossDef& boss : stage.bosses) {
    EXPECT_TRUE(boss.kind == EnemyKind::Moth || (boss.at_s > 100 && boss.at_s < 120));
    for (const BossPhase& phase : boss.phases) {
      seconds += phase.health / kDamageASecond + 2;
      EXPECT_LT(phase.health / 60, phase.time_s) << phase.title << ": too short for a ship of little power";
    }
  }
  EXPECT_GT(seconds, 250);
  EXPECT_LT(seconds, 330);
}

TEST_F(ShippedStage, PowerGrowsToItsMostInTheFirstThirdAndBombsComeNowAndThen) {
  std::map<PickupKind, u32> early, all;
  for (const WaveDef& wave : stage.waves) {
    const u32 dropped = wave.count / wave.drop_every;
    EXPECT_TRUE(wave.drops == PickupKind::None || dropped > 0) << "the wave of at_s = " << wave.at_s << " is too few to leave anything";
    all[wave.drops] += dropped;
    if (wave.at_s < 100) early[wave.drops] += dropped;
  }
  EXPECT_GE(early[PickupKind::Power], 4u + 3u) << "three may be missed";
  EXPECT_LE(early[PickupKind::Power], 12u);
  EXPECT_GE(all[PickupKind::Bomb], 3u);
  EXPECT_LE(all[PickupKind::Bomb], 6u);
}

TEST_F(ShippedStage, EnemiesLeaveRoomInTheirPool) {
  const StageNeeds needs = stage_needs(stage);
  EXPECT_GT(needs.enemies, 15u);
  EXPECT_LE(needs.enemies, 60u);
}

// With nobody killed and nothing cleared: in the game there are fewer.
TEST_F(ShippedStage, BulletsStayUnderTheirMostOnEveryDifficulty) {
  const std::size_t most_in_waves[] = {180, 350, 500, 950}, most_of_boss[] = {250, 500, 700, 950};
  for (std::size_t i = 0; i < kDifficultyCount; ++i) {
    Rehearsal flight(book, static_cast<Difficulty>(i));
    std::size_t most = 0;
    rehearse_waves(stage, flight, [&](float, const Rehearsal& at) { most = std::max(most, at.bullets().size()); });
    EXPECT_LE(most, most_in_waves[i]) << kDifficulties[i].name;
    EXPECT_GE(most, most_in_waves[i] / 3) << kDifficulties[i].name << ": an empty sky";
    for (const BossDef& boss : stage.bosses) {
      for (const BossPhase& phase : boss.phases) {
        most = 0;
        rehearse_phase(phase, flight, [&](float, const Rehearsal& at) { most = std::max(most, at.bullets().size()); });
        EXPECT_LE(most, most_of_boss[i]) << phase.title << " on " << kDifficulties[i].name;
        EXPECT_GE(most, most_of_boss[i] / 5) << phase.title << " on " << kDifficulties[i].name;
      }
    }
  }
}

TEST_F(ShippedStage, BossPatternsMirrorLeftAndRight) {
  // Patterns without chance and without aim: where a bullet flies, one flies mirrored.
  for (const char* name : {"moth.thousand_petals", "moth.lamplight"}) {
    Rehearsal flight(book, Difficulty::Normal);
    flight.enter(find_pattern(book, name), 0, {{0, -180}}, true);
    for (int step = 0; step < 180; ++step) flight.step();
    ASSERT_GT(flight.bullets().size(), 50u);
    for (const Rehearsal::Bullet& a : flight.bullets()) {
      EXPECT_TRUE(std::any_of(flight.bullets().begin(), flight.bullets().end(), [&](const Rehearsal::Bullet& b) {
        return std::abs(a.x + b.x) < 6 && std::abs(a.y - b.y) < 6;
      })) << name << ": " << a.x << ", " << a.y;
    }
  }
}

// docs/shooter.md has the tables as they are made from the rows, and examples that read.
TEST_F(ShippedStage, ItsDocumentIsTrue) {
  const std::string document = *read_text(SPELLPOOL_SOURCE_DIR "/docs/shooter.md", 1 << 20).text;
  for (const std::string& table : {shot_keys_table(), stage_keys_table(), wave_keys_table(), boss_keys_table(), phase_keys_table()}) {
    EXPECT_THAT(document, ::testing::HasSubstr(table)) << "copy the table into docs/shooter.md";
  }
  std::vector<NamedText> files = texts.files;
  std::string waves = "title = \"T\"\n";
  const std::string fence = "```toml\n";
  for (auto at = document.find(fence); at != std::string::npos; at = document.find(fence, at)) {
    at += fence.size();
    const std::string example = document.substr(at, document.find("```", at) - at);
    const std::string path = "# assets/patterns/";
    if (example.starts_with(path)) {
      files.push_back({example.substr(path.size(), example.find(':') - path.size()), example});
    } else {
      waves += example;
    }
  }
  ASSERT_EQ(files.size(), texts.files.size() + 2);
  const PatternBookResult patterns = read_patterns(files);
  ASSERT_EQ(patterns.error, "");
  EXPECT_EQ(read_stage(waves, "example.toml", *patterns.book).error, "");
}

}  // namespace
}  // namespace spellpool::content
