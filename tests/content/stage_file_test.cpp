#include "content/game/stage_file.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "content/game/stage_keys.hpp"
#include "core/rng.hpp"
#include "frame/defs/stage_needs.hpp"


namespace spellpool::content {
namespace {

using namespace frame;
using ::testing::HasSubstr;
using ::testing::StartsWith;

PatternBook small_book() {
  PatternBook book(3);
  book[0].name = "fans";
  book[1].name = "rings";
  book[2].name = "rings.petals";
  return book;
}

constexpr std::string_view kSmall =
    "title = \"Garden\"\n"
    "[[wave]]\n"  // line 2
    "at_s = 1.5\n"
    "kind = \"crane\"\n"
    "path = [[-200, -400], [0, 10.5, 2.5], [300, 400, 3]]\n"
    "[[boss]]\n"  // line 6
    "at_s = 60\n"
    "kind = \"moth\"\n"
    "title = \"Moth\"\n"
    "[[boss.phase]]\n"  // line 10
    "title = \"Dusk\"\n"
    "patterns = [\"rings\"]\n"
    "path = [[0, -200]]\n";

std::string changed(std::string_view from, std::string_view to) {
  std::string text(kSmall);
  const auto at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

StageFileResult read(std::string_view text) {
  StageFileResult result = read_stage(text, "s/test.toml", small_book());
  EXPECT_EQ(result.stage.has_value(), result.error.empty());
  EXPECT_EQ(result.error.find('\n'), std::string::npos) << result.error;
  return result;
}
std::string error_of(std::string_view text) { return read(text).error; }

TEST(StageFile, ReadsEveryValueWhereItBelongs) {
  const auto result = read(changed("[[boss]]",
                                   "count = 5\nevery_s = 0.75\nstep_x = -12.5\nstep_y = 13.5\nmirror = true\npattern = \"rings.petals\"\n"
                                   "fire_s = 2.25\nhealth = 1.5\ndrops = \"shield\"\ndrop_every = 3\n[[boss]]") +
                           "health = 900\ntime_s = 45\n[[boss.phase]]\ntitle = \"Night\"\npatterns = [\"fans\", \"rings\"]\n"
                           "path = [[0, -200], [50, -180, 2]]\n");
  ASSERT_EQ(result.error, "");
  const StageDef& stage = *result.stage;
  EXPECT_EQ(stage.name, "test");
  EXPECT_EQ(stage.title, "Garden");
  ASSERT_EQ(stage.waves.size(), 1u);
  const WaveDef& wave = stage.waves[0];
  EXPECT_EQ(wave.at_s, 1.5f);
  EXPECT_EQ(wave.kind, EnemyKind::Crane);
  EXPECT_EQ(wave.count, 5u);
  EXPECT_EQ(wave.every_s, 0.75f);
  EXPECT_EQ(wave.step_x, -12.5f);
  EXPECT_EQ(wave.step_y, 13.5f);
  EXPECT_TRUE(wave.mirror);
  EXPECT_EQ(wave.pattern, 2);
  EXPECT_EQ(wave.fire_s, 2.25f);
  EXPECT_EQ(wave.health, 1.5f);
  EXPECT_EQ(wave.drops, PickupKind::Shield);
  EXPECT_EQ(wave.drop_every, 3u);
  ASSERT_EQ(wave.path.size(), 3u);
  EXPECT_EQ(wave.path[0].x, -200.0f);
  EXPECT_EQ(wave.path[0].y, -400.0f);
  EXPECT_EQ(wave.path[1].y, 10.5f);
  EXPECT_EQ(wave.path[1].time_s, 2.5f);
  ASSERT_EQ(stage.bosses.size(), 1u);
  const BossDef& boss = stage.bosses[0];
  EXPECT_EQ(boss.at_s, 60.0f);
  EXPECT_EQ(boss.kind, EnemyKind::Moth);
  EXPECT_EQ(boss.title, "Moth");
  ASSERT_EQ(boss.phases.size(), 2u);
  EXPECT_EQ(boss.phases[0].title, "Dusk");
  EXPECT_EQ(boss.phases[0].health, 900.0f);
  EXPECT_EQ(boss.phases[0].time_s, 45.0f);
  EXPECT_EQ(boss.phases[1].patterns, (std::vector<i32>{0, 1}));
  EXPECT_EQ(boss.phases[1].path.size(), 2u);
}

TEST(StageFile, WavesAndBossesComeOutByTime) {
  const auto result = read(std::string(kSmall) + "[[wave]]\nat_s = 0.5\nkind = \"drum\"\npath = [[0, -400], [0, 400, 9]]\n"
                                                 "[[boss]]\nat_s = 30\nkind = \"carp\"\ntitle = \"Carp\"\n"
                                                 "[[boss.phase]]\ntitle = \"A\"\npatterns = [\"fans\"]\npath = [[0, 0]]\n");
  ASSERT_EQ(result.error, "");
  EXPECT_EQ(result.stage->waves[0].kind, EnemyKind::Drum);
  EXPECT_EQ(result.stage->bosses[0].kind, EnemyKind::Carp);
}

struct BadFile {
  std::string_view from, to, error;
};

TEST(StageFile, EveryErrorNamesFileLineAndReason) {
  const BadFile cases[] = {
      {"title = \"Garden\"\n", "", "1: the key 'title' is missing"},
      {"\"Garden\"", "\"\"", "1: title: 0 bytes of text; 1 … 60 fit"},
      {"\"Garden\"", "7", "1: title: 7 is not text in quotes"},
      {"[[wave]]", "[[waves]]", "2: unknown key 'waves'; did you mean 'wave'?"},
      {"[[wave]]", "[wave]", "2: wave: a table is not a list of tables [[wave]]"},
      {"at_s = 1.5", "at_s = -1", "3: wave.at_s: -1 is out of range (0 … 3600)"},
      {"at_s = 1.5\n", "", "2: the key 'wave.at_s' is missing"},
      {"at_s = 1.5", "at_s = 1.5\ncount = 101", "4: wave.count: 101 is out of range (1 … 100)"},
      {"at_s = 1.5", "at_s = 1.5\ncont = 1", "4: unknown key 'wave.cont'; did you mean 'count'?"},
      {"at_s = 1.5", "at_s = 1.5\nmirror = 1", "4: wave.mirror: 1 is neither true nor false"},
      {"at_s = 1.5", "at_s = 1.5\ndrops = \"powr\"", "4: wave.drops: 'powr' is unknown; did you mean 'power'?"},
      {"at_s = 1.5", "at_s = 1.5\npattern = \"ring\"", "4: wave.pattern: no pattern is named 'ring'; did you mean 'rings'?"},
      {"at_s = 1.5", "at_s = 1.5\npattern = \"spirals.two\"",
       "4: wave.pattern: no pattern is named 'spirals.two'; known are fans, rings, rings.petals"},
      {"at_s = 1.5", "at_s = 1.5\npattern = 1", "4: wave.pattern: 1 is not a pattern's name in quotes"},
      {"\"crane\"", "\"crain\"", "4: wave.kind: 'crain' is unknown; did you mean 'crane'?"},
      {"\"crane\"", "\"moth\"", "4: wave.kind: 'moth' is a boss; write [[boss]]"},
      {"[[-200, -400], [0, 10.5, 2.5], [300, 400, 3]]", "[[0, 0]]", "5: wave.path: 1 places; a path has 2 … 16"},
      {"[[-200, -400], [0, 10.5, 2.5], [300, 400, 3]]", "7", "5: wave.path: 7 is not [[x, y], [x, y, s], …]"},
      {"[-200, -400]", "[-200, -400, 1]", "5: wave.path: a list is not [x, y]: where it appears"},
      {"[0, 10.5, 2.5]", "[0, 10.5]", "5: wave.path: a list is not [x, y, s]: a place, and the seconds to it"},
      {"[0, 10.5, 2.5]", "[0, 601, 2.5]", "5: wave.path: 601 is out of range (-600 … 600)"},
      {"[0, 10.5, 2.5]", "[0, 10.5, 0]", "5: wave.path: 0 is out of range (0.1 … 60)"},
      {"\"moth\"", "\"drum\"", "8: boss.kind: 'drum' is no boss; carp and moth are"},
      {"title = \"Moth\"\n", "", "6: the key 'boss.title' is missing"},
      {"\"Moth\"", "\"012345678901234567890123456789012345678901234567890123456789X\"", "9: boss.title: 61 bytes of text; 1 … 60 fit"},
      {"[\"rings\"]", "[]", "12: boss.phase.patterns: 0 patterns; a phase plays 1 … 4"},
      {"[\"rings\"]", "[\"rings\", \"ringss\"]", "12: boss.phase.patterns: no pattern is named 'ringss'; did you mean 'rings'?"},
      {"[\"rings\"]", "\"rings\"", "12: boss.phase.patterns: 'rings' is not a list of patterns' names"},
      {"path = [[0, -200]]\n", "", "10: the key 'boss.phase.path' is missing"},
      {"path = [[0, -200]]", "path = []", "13: boss.phase.path: 0 places; a path has 1 … 16"},
      {"[[boss.phase]]", "[[boss.phases]]", "10: unknown key 'boss.phases'; did you mean 'phase'?"},
      {"[[boss]]", "[[boss]]\nphase = []\n[[boss]]", "6: the key 'boss.at_s' is missing"},
      {"title = \"Dusk\"", "title = \"Dusk\"\ntime_s = 4", "12: boss.phase.time_s: 4 is out of range (5 … 300)"},
      {"title = \"Dusk\"", "title = \"Dusk\"\nhealth = 0", "12: boss.phase.health: 0 is out of range (1 … 100000)"},
  };
  for (const BadFile& bad : cases) EXPECT_EQ(error_of(changed(bad.from, bad.to)), "s/test.toml:" + std::string(bad.error)) << bad.to;
  EXPECT_EQ(error_of("title = \"T\"\nwave = []\n"), "s/test.toml:1: wave: there is none");
  EXPECT_EQ(error_of(std::string(kSmall.substr(0, kSmall.find("[[boss.phase]]"))) + "phase = []\n"), "s/test.toml:6: boss.phase: there is none");
  const std::string boss(kSmall.substr(kSmall.find("[[boss]]")));
  EXPECT_EQ(error_of(std::string(kSmall) + boss), "s/test.toml:14: boss.at_s: two bosses cannot come at the same time");
  EXPECT_EQ(error_of(std::string(kSmall) + boss + boss + boss + boss), "s/test.toml:38: boss: 5 of them; 4 is the most");
}

WaveDef wave(float at_s, u32 count, float every_s, float life_s) {
  WaveDef wave;
  wave.at_s = at_s;
  wave.count = count;
  wave.every_s = every_s;
  wave.path = {{0, 0, 99}, {0, 0, life_s / 2}, {0, 0, life_s / 2}};
  return wave;
}

TEST(StageNeeds, CountsWhoLivesAtOnceIfNobodyIsKilled) {
  StageDef stage;
  EXPECT_EQ(stage_needs(stage).enemies, 0u);
  stage.waves = {wave(0, 10, 1, 4.5f)};
  EXPECT_EQ(stage_needs(stage).enemies, 5u) << "one leaves as the sixth comes";
  stage.waves.push_back(wave(20, 7, 0, 1));
  EXPECT_EQ(stage_needs(stage).enemies, 7u);
  stage.waves.push_back(wave(20.5f, 3, 0, 1));
  EXPECT_EQ(stage_needs(stage).enemies, 10u);
  stage.bosses.resize(1);
  stage.bosses[0].at_s = 20.6f;
  stage.bosses[0].kind = EnemyKind::Moth;
  EXPECT_EQ(stage_needs(stage).enemies, 13u);
  stage.bosses[0].kind = EnemyKind::Carp;
  EXPECT_EQ(stage_needs(stage).enemies, 11u);
  stage.bosses[0].at_s = 21.8f;
  EXPECT_EQ(stage_needs(stage).enemies, 10u) << "all are gone before it comes";
  EXPECT_EQ(stage_needs(stage).crowded_wave, -1);
}

TEST(StageNeeds, ExactlyFullIsFineAndOneMoreNamesItsWave) {
  StageDef stage;
  stage.waves = {wave(0, 100, 0, 10), wave(2, 100, 0, 10), wave(13, 1, 0, 1)};
  EXPECT_EQ(stage_needs(stage).enemies, kMostEnemies);
  EXPECT_EQ(stage_needs(stage).crowded_wave, -1);
  stage.waves[2].at_s = 9;
  EXPECT_EQ(stage_needs(stage).enemies, kMostEnemies + 1);
  EXPECT_EQ(stage_needs(stage).crowded_wave, 2);
}

TEST(StageFile, StageThatCouldCrowdItsEnemiesOutIsRefused) {
  const std::string hundred = "[[wave]]\nat_s = 5\nkind = \"firefly\"\ncount = 100\nevery_s = 0\npath = [[0, -400], [0, 400, 8]]\n";
  std::string early = "[[wave]]\nat_s = 0\nkind = \"lantern\"\ncount = 100\nevery_s = 0\npath = [[0, -400], [0, 400, 4.8]]\n";
  const std::string calm = std::string(kSmall) + hundred + hundred;
  EXPECT_EQ(error_of(calm + early), "s/test.toml:20: wave: with the firefly of at_s = 5 up to 201 enemies would live at once; 200 is the most");
  EXPECT_EQ(error_of(std::string(kSmall) + hundred + early), "");
}

TEST(StageFile, ChangedBytesNeverDoMoreThanFail) {
  Rng rng(11);
  for (int round = 0; round < 500; ++round) {
    std::string text(kSmall);
    for (u32 i = 1 + rng.below(4); i > 0; --i) {
      const u32 at = rng.below(static_cast<u32>(text.size()));
      text[at] = static_cast<char>(rng.below(3) == 0 ? rng.below(256) : 32 + rng.below(95));
    }
    error_of(text);
  }
}

}  // namespace
}  // namespace spellpool::content
