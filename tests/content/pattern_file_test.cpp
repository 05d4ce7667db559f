#include "content/game/pattern_file.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "../support/scratch_folder.hpp"
#include "content/colour_text.hpp"
#include "content/game/pattern_keys.hpp"
#include "core/rng.hpp"

namespace spellpool::content {
namespace {

using namespace frame;
using ::testing::HasSubstr;
using ::testing::StartsWith;

PatternBookResult read(std::vector<NamedText> files) {
  PatternBookResult result = read_patterns(files);
  EXPECT_EQ(result.book.has_value(), result.error.empty());
  EXPECT_EQ(result.error.find('\n'), std::string::npos) << result.error;
  return result;
}
PatternBookResult read(std::string text) { return read({{"p/test.toml", std::move(text)}}); }
std::string error_of(std::string text) { return read(std::move(text)).error; }

const std::vector<ShotDef>& shots(const PatternBookResult& result, std::string_view name, Difficulty on = Difficulty::Normal) {
  const i32 row = find_pattern(*result.book, name);
  EXPECT_GE(row, 0) << name;
  return result.book->at(static_cast<std::size_t>(row)).shots[static_cast<std::size_t>(on)];
}

TEST(PatternFile, ReadsEveryValueWhereItBelongs) {
  // Every key of the table, with a value that no other key has: a row that points to its neighbour's member is seen.
  const auto result = read(
      "[[shot]]\nform = \"wall\"\nstart_s = 1.5\nevery_s = 2.5\nvolleys = 3\nrest_s = 4.5\ncount = 5\nlayers = 6\nlayer_speed = 7.5\naimed = true\n"
      "angle_turns = 0.5\nangle_spread_turns = 0.25\nturn_turns = -0.125\nradius = 8.5\noffset_x = -9.5\noffset_y = 10.5\nspacing = 11.5\n"
      "gap_from = 1\ngap = 2\nspeed = 120.5\nspeed_spread = 13.5\naccelerate = -14.5\nleast_speed = 15.5\nmost_speed = 160.5\n"
      "curve_turns_s = 0.75\ncurve_s = 1.75\nhoming_turns_s = 0.875\nhoming_s = 1.875\nsplit_s = 2.125\nsplit_into = \"test.bits\"\n"
      "shape = \"bubble\"\nsize = 17.5\nhit_size = 6.5\ncolour = \"#ff8000\"\n"
      "[[shot]]\nform = \"laser\"\nwarn_s = 0.625\non_s = 1.625\nsweep_turns_s = 0.0625\narc_turns = 0.375\nfrom = \"hard\"\n"
      "[[shot]]\nform = \"ring\"\nto = \"easy\"\n"
      "[part.bits]\n[[part.bits.shot]]\nform = \"ring\"\n");
  ASSERT_EQ(result.error, "");
  ASSERT_EQ(shots(result, "test").size(), 1u);
  const ShotDef& a = shots(result, "test")[0];
  EXPECT_EQ(a.form, ShotForm::Wall);
  EXPECT_EQ(a.start_s, 1.5f);
  EXPECT_EQ(a.every_s, 2.5f);
  EXPECT_EQ(a.volleys, 3u);
  EXPECT_EQ(a.rest_s, 4.5f);
  EXPECT_EQ(a.count, 5u);
  EXPECT_EQ(a.layers, 6u);
  EXPECT_EQ(a.layer_speed, 7.5f);
  EXPECT_TRUE(a.aimed);
  EXPECT_EQ(a.angle_turns, 0.5f);
  EXPECT_EQ(a.angle_spread_turns, 0.25f);
  EXPECT_EQ(a.turn_turns, -0.125f);
  EXPECT_EQ(a.radius, 8.5f);
  EXPECT_EQ(a.offset_x, -9.5f);
  EXPECT_EQ(a.offset_y, 10.5f);
  EXPECT_EQ(a.spacing, 11.5f);
  EXPECT_EQ(a.gap_from, 1.0f);
  EXPECT_EQ(a.gap, 2.0f);
  EXPECT_EQ(a.speed, 120.5f);
  EXPECT_EQ(a.speed_spread, 13.5f);
  EXPECT_EQ(a.accelerate, -14.5f);
  EXPECT_EQ(a.least_speed, 15.5f);
  EXPECT_EQ(a.most_speed, 160.5f);
  EXPECT_EQ(a.curve_turns_s, 0.75f);
  EXPECT_EQ(a.curve_s, 1.75f);
  EXPECT_EQ(a.homing_turns_s, 0.875f);
  EXPECT_EQ(a.homing_s, 1.875f);
  EXPECT_EQ(a.split_s, 2.125f);
  EXPECT_EQ(a.split_into, find_pattern(*result.book, "test.bits"));
  EXPECT_EQ(a.shape, BulletShape::Bubble);
  EXPECT_EQ(a.size, 17.5f);
  EXPECT_EQ(a.hit_size, 6.5f);
  EXPECT_EQ(a.r, 1.0f);
  EXPECT_EQ(a.g, linear_from_srgb(128));
  EXPECT_EQ(a.b, 0.0f);

  ASSERT_EQ(shots(result, "test", Difficulty::Hard).size(), 2u);
  const ShotDef& laser = shots(result, "test", Difficulty::Hard)[1];
  EXPECT_EQ(laser.warn_s, 0.625f);
  EXPECT_EQ(laser.on_s, 1.625f);
  EXPECT_EQ(laser.sweep_turns_s, 0.0625f);
  EXPECT_EQ(laser.arc_turns, 0.375f);
  EXPECT_EQ(shots(result, "test", Difficulty::Lunatic).size(), 2u);
  ASSERT_EQ(shots(result, "test", Difficulty::Easy).size(), 2u);
  EXPECT_EQ(shots(result, "test", Difficulty::Easy)[1].form, ShotForm::Ring);
}

TEST(PatternFile, DefaultsHangOnTheForm) {
  const auto result = read(
      "shot = [{form = \"ring\"}, {form = \"fan\"}, {form = \"laser\"}, {form = \"rain\"}, {form = \"fan\", aimed = true},"
      " {form = \"ring\", aimed = false, size = 4}]");
  ASSERT_EQ(result.error, "");
  const auto& all = shots(result, "test");
  EXPECT_EQ(all[0].arc_turns, 1.0f);
  EXPECT_EQ(all[1].arc_turns, 0.125f);
  EXPECT_EQ(all[2].arc_turns, 0.125f);
  EXPECT_EQ(all[3].arc_turns, 0.0f);
  EXPECT_EQ(all[3].angle_turns, 0.25f);
  EXPECT_EQ(all[4].angle_turns, 0.0f);
  EXPECT_EQ(all[5].angle_turns, 0.25f);
  EXPECT_EQ(all[5].hit_size, 4.0f) << "no more than its size";
}

TEST(PatternFile, NumbersMayDifferByDifficulty) {
  const auto result = read("[[shot]]\nform = \"wall\"\ncount = [8, 12, 18, 26]\nspeed = [90, 110.5, 130, 150]\ngap = [3, 3, 2, 2]\nevery_s = 0.5\n");
  ASSERT_EQ(result.error, "");
  const u32 counts[] = {8, 12, 18, 26};
  const float speeds[] = {90, 110.5f, 130, 150}, gaps[] = {3, 3, 2, 2};
  for (std::size_t i = 0; i < kDifficultyCount; ++i) {
    const ShotDef& shot = shots(result, "test", static_cast<Difficulty>(i))[0];
    EXPECT_EQ(shot.count, counts[i]);
    EXPECT_EQ(shot.speed, speeds[i]);
    EXPECT_EQ(shot.gap, gaps[i]);
    EXPECT_EQ(shot.every_s, 0.5f);
  }
}

TEST(PatternFile, BothEndsOfEveryRangeAreInIt) {
  for (const ShotKey& key : kShotKeys) {
    if (key.low == key.high) continue;
    const std::string form = (key.forms & kRing) != 0 ? "ring" : (key.forms & kWall) != 0 ? "wall" : "laser";
    const auto text = [&](double value) { return fmt::format("[[shot]]\nform = \"{}\"\n{} = {}\n", form, key.name, value); };
    // Ends may be refused for another reason (a bullet that hangs in the air), but never for their range.
    EXPECT_THAT(error_of(text(key.low)), ::testing::Not(HasSubstr("out of range"))) << key.name;
    EXPECT_THAT(error_of(text(key.high)), ::testing::Not(HasSubstr("out of range"))) << key.name;
    const std::string told = fmt::format("is out of range ({} … {})", key.low, key.high);
    EXPECT_THAT(error_of(text(key.low - 1)), StartsWith(fmt::format("p/test.toml:3: shot.{}: ", key.name)));
    EXPECT_THAT(error_of(text(key.low - 1)), HasSubstr(told));
    EXPECT_THAT(error_of(text(key.high + 1)), HasSubstr(told));
  }
}

TEST(PatternFile, PartsAndIncludesMakeNewPatterns) {
  const auto result = read({{"p/rings.toml",
                             "[[shot]]\nform = \"ring\"\ncount = 7\n"
                             "[part.both]\ninclude = [\"rings\", \"fans.fast\"]\n[[part.both.shot]]\nform = \"rain\"\nfrom = \"normal\"\n"},
                            {"p/fans.toml", "[part.fast]\n[[part.fast.shot]]\nform = \"fan\"\nto = \"hard\"\n"}});
  ASSERT_EQ(result.error, "");
  ASSERT_EQ(result.book->size(), 3u);
  EXPECT_EQ((*result.book)[0].name, "fans.fast") << "by name, whatever order the files have";
  ASSERT_EQ(shots(result, "rings.both").size(), 3u);
  EXPECT_EQ(shots(result, "rings.both")[0].count, 7u);
  EXPECT_EQ(shots(result, "rings.both")[1].form, ShotForm::Fan);
  EXPECT_EQ(shots(result, "rings.both")[2].form, ShotForm::Rain);
  EXPECT_EQ(shots(result, "rings.both", Difficulty::Easy).size(), 2u);
  EXPECT_EQ(shots(result, "rings.both", Difficulty::Lunatic).size(), 2u);
  EXPECT_EQ(find_pattern(*result.book, "fans"), -1) << "a file of parts alone is no pattern itself";
}

struct BadFile {
  std::string_view text, error;
};

TEST(PatternFile, EveryErrorNamesFileLineAndReason) {
  const std::string ring = "[[shot]]\nform = \"ring\"\n";
  const BadFile after_ring[] = {  // Line 3 on.
      {"count = 600", "3: shot.count: 600 is out of range (1 … 512)"},
      {"count = 2.5", "3: shot.count: 2.5 is not a whole number"},
      {"count = [1, 2, 3]", "3: shot.count: 3 numbers; write one, or four: easy, normal, hard, lunatic"},
      {"count = [1, 2, 3, \"x\"]", "3: shot.count: 'x' is not a whole number"},
      {"speed = [1, 2, 3, 2001]", "3: shot.speed: 2001 is out of range (0 … 2000)"},
      {"speed = \"fast\"", "3: shot.speed: 'fast' is not a number"},
      {"speed = nan", "3: shot.speed: nan is not a finite number"},
      {"sped = 1", "3: unknown key 'shot.sped'; did you mean 'speed'?"},
      {"aimed = 1", "3: shot.aimed: 1 is neither true nor false"},
      {"shape = \"orbb\"", "3: shot.shape: 'orbb' is unknown; did you mean 'orb'?"},
      {"from = \"hardest\"", "3: shot.from: 'hardest' is unknown; known are easy, normal, hard, lunatic"},
      {"from = \"hard\"\nto = \"easy\"", "4: shot.to: 'easy' is easier than from = 'hard'"},
      {"colour = \"red\"", "3: shot.colour: 'red' is not a colour; write \"#rrggbb\""},
      {"colour = \"#ff000080\"", "3: shot.colour: '#ff000080' is not a colour; write \"#rrggbb\""},
      {"spacing = 20", "3: shot.spacing: a ring has none; it is for wall"},
      {"warn_s = 1", "3: shot.warn_s: a ring has none; it is for laser"},
      {"hit_size = 15", "3: shot.hit_size: 15 is above size = 14 (easy)"},
      {"hit_size = [5, 5, 5, 15]", "3: shot.hit_size: 15 is above size = 14 (lunatic)"},
      {"rest_s = 1", "3: shot.rest_s: needs 'volleys' above 0 beside it"},
      {"least_speed = 300\nmost_speed = 200", "3: shot.least_speed: 300 is above most_speed = 200 (easy)"},
      {"homing_turns_s = 1", "3: shot.homing_turns_s: needs 'homing_s' above 0 beside it"},
      {"split_s = 1", "3: shot.split_s: needs 'split_into' beside it"},
      {"split_into = \"test\"", "3: shot.split_into: needs 'split_s' above 0 beside it"},
      {"split_into = 3", "3: shot.split_into: 3 is not a pattern's name in quotes"},
      {"split_into = \"tset\"\nsplit_s = 1", "3: shot.split_into: no pattern is named 'tset'; did you mean 'test'?"},
      {"split_into = \"somebody\"\nsplit_s = 1", "3: shot.split_into: no pattern is named 'somebody'; known are test"},
      {"split_into = \"test\"\nsplit_s = 1", "3: shot.split_into: goes round in a circle: test → test; leave this key out"},
      {"speed = 0", "3: shot.speed: its bullets would hang in the air at 0 units/s; 10 is the least (easy)"},
      {"accelerate = -50\nleast_speed = 0", "4: shot.least_speed: its bullets would hang in the air at 0 units/s; 10 is the least (easy)"},
      {"accelerate = 50\nmost_speed = 5\nleast_speed = 0", "4: shot.most_speed: its bullets would hang in the air at 5 units/s; 10 is the least (easy)"},
      {"layers = 8", ""},
      {"layers = 8\nlayer_speed = -20", "1: shot.speed: the slowest bullet of a volley would fly backwards, at -20 (easy)"},
      {"curve_turns_s = 0.1", "3: shot.curve_turns_s: its bullets would fly in circles of radius 191 for ever; give 'curve_s' (easy)"},
      {"curve_turns_s = 0.1\ncurve_s = 2", ""},
      {"curve_turns_s = -0.02", ""},
      {"[[shots]]\nform = \"ring\"", "3: unknown key 'shots'; did you mean 'shot'?"},
      {"[part]\nx = 3", "4: part.x: 3 is not a table"},
      {"[part.Big]\n[[part.Big.shot]]\nform = \"ring\"", "3: part: 'Big' is no part's name (a … z, 0 … 9 and _)"},
      {"[part.x]", "3: [part.x] has no [[part.x.shot]] and no 'include'"},
      {"[part.x]\nfrom = \"easy\"", "4: unknown key 'x.from'; known are include, shot"},
      {"[part.x]\ninclude = \"test\"", "4: x.include: 'test' is not a list of patterns' names"},
      {"[part.x]\ninclude = [7]", "4: x.include: 7 is not a pattern's name in quotes"},
      {"[part.x]\ninclude = [\"tests\"]", "4: x.include: no pattern is named 'tests'; did you mean 'test'?"},
      {"[part.x]\ninclude = [\"test.x\"]", "4: x.include: goes round in a circle: test.x → test.x; leave this key out"},
      {"[part.x]\ninclude = [\"test.y\"]\n[part.y]\ninclude = [\"test\",\n\"test.x\"]",
       "7: y.include: goes round in a circle: test.x → test.y → test.x; leave this key out"},
      // x's shot splits into y, which has x's shot.
      {"[[part.x.shot]]\nform = \"ring\"\nsplit_s = 1\nsplit_into = \"test.y\"\n[part.y]\ninclude = [\"test.x\"]",
       "8: y.include: goes round in a circle: test.x → test.y → test.x; leave this key out"},
      {"[[part.x.shot]]\nform = \"ring\"\ncount = 0", "5: x.shot.count: 0 is out of range (1 … 512)"},
  };
  for (const BadFile& bad : after_ring) {
    EXPECT_EQ(error_of(ring + std::string(bad.text) + "\n"), bad.error.empty() ? "" : "p/test.toml:" + std::string(bad.error)) << bad.text;
  }
  const BadFile alone[] = {
      {"", "1: the file is empty"},
      {"# nothing", "1: there is no [[shot]], no [part.NAME] and no 'include'"},
      {"[[shot]]\nspeed = 9\n", "1: the key 'shot.form' is missing"},
      {"[[shot]]\nform = \"rings\"\n", "2: shot.form: 'rings' is unknown; did you mean 'ring'?"},
      {"[shot]\nform = \"ring\"\n", "1: shot: a table is not a list of tables [[shot]]"},
      {"shot = [3]\n", "1: shot: 3 is not a table"},
      {"part = 3\n", "1: part: 3 is not a set of tables [part.NAME]"},
      {"[part.x]\nshot = 1", "2: x.shot: 1 is not a list of tables [[part.x.shot]]"},
      {"[[shot]]\nform = \"wall\"\ncount = 5\ngap = 5", "4: shot.gap: 5 empty places in a wall of count = 5 (easy)"},
      {"[[shot]]\nform = \"wall\"\ncount = 5\ngap_from = 5", "4: shot.gap_from: 5 is behind the wall's count = 5 (easy)"},
      {"[[shot]]\nform = \"wall\"\ncount = 5\ngap = 0.5", "4: shot.gap: 0.5 is not a whole number"},
      {"[[shot]]\nform = \"wall\"\narc_turns = 0.5", "3: shot.arc_turns: a wall has none; it is for ring, fan, rain, laser"},
      {"[[shot]]\nform = \"laser\"\nspeed = 5", "3: shot.speed: a laser has none; it is for ring, fan, wall, rain"},
      {"[[shot]\nform = 1", "1: "},
  };
  for (const BadFile& bad : alone) EXPECT_THAT(error_of(std::string(bad.text)), StartsWith("p/test.toml:" + std::string(bad.error))) << bad.text;
}

TEST(PatternFile, ErrorsOfLinksNameTheFileThatSaysThem) {
  const std::string ring = "[[shot]]\nform = \"ring\"\n";
  EXPECT_EQ(read({{"p/a.toml", ring}, {"p/b.toml", "\ninclude = [\"c\"]\n"}, {"p/d.toml", ring}}).error,
            "p/b.toml:2: include: no pattern is named 'c'; did you mean 'a'?");
  EXPECT_EQ(read({{"p/a.toml", ring + "split_s = 1\nsplit_into = \"b\"\n"}, {"p/b.toml", ring + "split_s = 1\nsplit_into = \"a\"\n"}}).error,
            "p/b.toml:4: shot.split_into: goes round in a circle: a → b → a; leave this key out");
  EXPECT_EQ(read({{"p/a.toml", ring}, {"q/a.toml", ring}}).error, "q/a.toml:1: there are two patterns 'a'");
  EXPECT_THAT(read({{"p/Big ring.toml", ring}}).error, StartsWith("p/Big ring.toml:1: 'Big ring' is no pattern's name"));
}

TEST(PatternFile, ShotsAndPatternsHaveAMost) {
  std::string many, most;
  for (std::size_t i = 0; i <= kMostShotsAPattern; ++i) {
    if (i < kMostShotsAPattern) most += "[[shot]]\nform = \"ring\"\n";
    many += "[[shot]]\nform = \"ring\"\n";
  }
  EXPECT_EQ(error_of(most), "");
  EXPECT_EQ(error_of(many), "p/test.toml:1: the pattern 'test' has more than 16 shots, those that it includes counted in");
  EXPECT_EQ(error_of(most + "[part.x]\ninclude = [\"test\"]\n[[part.x.shot]]\nform = \"ring\"\n"),
            "p/test.toml:33: the pattern 'test.x' has more than 16 shots, those that it includes counted in");
  std::string parts;
  for (std::size_t i = 0; i < kMostPatterns; ++i) parts += fmt::format("[part.p{}]\n[[part.p{}.shot]]\nform = \"ring\"\n", i, i);
  EXPECT_EQ(error_of(parts), "");
  EXPECT_EQ(read({{"p/a.toml", parts}, {"p/b.toml", most}}).error, "p/b.toml:1: with this file there are 257 patterns; 256 is the most");
}

TEST(PatternFile, ChangedBytesNeverDoMoreThanFail) {
  const std::string good =
      "include = [\"test.a\"]\n[[shot]]\nform = \"wall\"\ncount = [8, 9, 10, 11]\ngap = 2\ncolour = \"#ff3060\"\n"
      "[part.a]\n[[part.a.shot]]\nform = \"ring\"\nsplit_s = 1.5\nsplit_into = \"test.b\"\n[part.b]\n[[part.b.shot]]\nform = \"fan\"\n";
  ASSERT_EQ(error_of(good), "");
  Rng rng(11);
  for (int round = 0; round < 500; ++round) {
    std::string text = good;
    for (u32 i = 1 + rng.below(4); i > 0; --i) {
      const u32 at = rng.below(static_cast<u32>(text.size()));
      text[at] = static_cast<char>(rng.below(3) == 0 ? rng.below(256) : 32 + rng.below(95));
    }
    error_of(text);
  }
}

TEST(PatternFile, FoldersAreReadByNameAndTheirErrorsAreOneLine) {
  const test::ScratchFolder scratch;
  EXPECT_THAT(read_pattern_texts(scratch / "none").error, StartsWith((scratch / "none").string() + ": cannot be read: "));
  EXPECT_EQ(read_pattern_texts(scratch.path()).error, scratch.path().string() + ": holds no pattern files (*.toml)");
  test::write_file(scratch / "b.toml", "b");
  test::write_file(scratch / "a.toml", "a");
  test::write_file(scratch / "a.toml~", "old");
  const PatternTexts texts = read_pattern_texts(scratch.path());
  ASSERT_EQ(texts.error, "");
  ASSERT_EQ(texts.files.size(), 2u);
  EXPECT_EQ(texts.files[0].path, (scratch / "a.toml").string());
  EXPECT_EQ(texts.files[0].text, "a");
  test::write_file(scratch / "c.toml", std::string(kMaxPatternFile_bytes + 1, '#'));
  EXPECT_EQ(read_pattern_texts(scratch.path()).error, (scratch / "c.toml").string() + ": is larger than 262144 bytes");
}

}  // namespace
}  // namespace spellpool::content
