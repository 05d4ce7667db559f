// assets/arena.toml: every emitter of the arena, and what is said where one lacks or is wrong.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "content/game/spell_file.hpp"
#include "content/text_file.hpp"

namespace spellpool::content {
namespace {

using namespace frame;
using ::testing::HasSubstr;

std::string shipped() {
  return *read_text(SPELLPOOL_SOURCE_DIR "/assets/arena.toml", kMaxSpellFile_bytes).text;
}
/// The shipped text with one piece replaced.
std::string changed(std::string_view from, std::string_view to) {
  std::string text = shipped();
  const auto at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}
/// Without its line.
std::string error_of(std::string_view text) {
  const ArenaFileResult result = parse_arena(text, "arena.toml");
  EXPECT_EQ(result.arena.has_value(), result.error.empty());
  EXPECT_EQ(result.error.find('\n'), std::string::npos) << result.error;
  if (result.error.empty()) return {};
  EXPECT_TRUE(result.error.starts_with("arena.toml:")) << result.error;
  return result.error.substr(result.error.find(": ") + 2);
}
const EmitterDef& of(const ArenaDef& arena, ArenaEmitter which) {
  return arena[static_cast<std::size_t>(which)];
}

TEST(ArenaFile, TheShippedFileGivesEveryEmitterInItsPlace) {
  const ArenaFileResult result = parse_arena(shipped(), "arena.toml");
  ASSERT_EQ(result.error, "");
  ASSERT_EQ(result.arena->size(), kArenaEmitterCount);
  for (std::size_t i = 0; i < kArenaEmitterCount; ++i)
    EXPECT_EQ((*result.arena)[i].name, kArenaEmitterNames[i]);
  const EmitterDef& straw = of(*result.arena, ArenaEmitter::Straw);
  EXPECT_EQ(straw.burst, 14u);
  EXPECT_EQ(straw.spread_turns, 0.35f);
  EXPECT_EQ(straw.layer, ParticleLayer::Alpha);
  ASSERT_EQ(straw.colour_curve.size(), 3u);
  EXPECT_EQ(straw.colour_curve[1].t, 0.7f);
  EXPECT_EQ(straw.colour_curve[1].r, 0.32f) << "linear light, to the last bit";
  EXPECT_EQ(straw.colour_curve[1].a, 0.8f);
  EXPECT_EQ(of(*result.arena, ArenaEmitter::WispScatter).swirl.low, -60.0f);
  EXPECT_EQ(of(*result.arena, ArenaEmitter::FinaleFountainGold).bounce_on, BounceOn::Floor);
  EXPECT_EQ(of(*result.arena, ArenaEmitter::FinaleRain).width, 1320.0f);
  EXPECT_EQ(of(*result.arena, ArenaEmitter::FinaleRing).rate_per_s, 2300.0f);
}

TEST(ArenaFile, TheProgramHasTheShippedText) { EXPECT_TRUE(builtin_arena() == shipped()); }

TEST(ArenaFile, EveryErrorNamesTheMend) {
  EXPECT_EQ(error_of(changed("[emitter.straw]", "[emitter.strow]")),
            "the arena has no emitter 'strow'; did you mean 'straw'?");
  std::string less = shipped();
  const auto at = less.find("[emitter.twinkle]");
  EXPECT_EQ(error_of(less.erase(at, less.find("\n\n", at) - at)),
            "there is no table [emitter.twinkle]; is the file half-written?");
  EXPECT_EQ(error_of(changed("burst = 14", "brst = 14")), "unknown key 'straw.brst'; did you mean 'burst'?");
  EXPECT_EQ(error_of(changed("burst = 14", "burst = -1")), "straw.burst: -1 is out of range (0 … 100000)");
  EXPECT_EQ(error_of(changed("burst = 14", "on_death = \"chaf\"")),
            "straw.on_death: no emitter is named 'chaf'; did you mean 'chaff'?");
  EXPECT_EQ(error_of(changed("burst = 14", "on_death = \"straw\"")),
            "straw.on_death: goes round in a circle: straw → straw; leave this key out");
  EXPECT_EQ(error_of("title = \"Arena\"\n" + shipped()),
            "unknown key 'title'; the arena has tables [emitter.NAME] only");
  EXPECT_EQ(error_of(""), "the file is empty");
  EXPECT_EQ(error_of("# only a comment\n"), "there is no table [emitter.straw]; is the file half-written?");
  EXPECT_EQ(error_of("emitter = 3\n"), "emitter: 3 is not a set of tables [emitter.NAME]");
  EXPECT_EQ(error_of(changed("burst = 14", "on_death = \"chaff\"")), "") << "emitters may name each other";
  EXPECT_THAT(parse_arena(changed("burst = 14", "brst = 14"), "arena.toml").error,
              HasSubstr("arena.toml:6: unknown"));
}

TEST(ArenaFile, EveryHalfWrittenOneIsRefused) {
  const std::string text = shipped();
  const std::size_t whole = text.find_last_not_of(" \n") + 1;
  for (std::size_t length = 0; length < whole; length += length + 40 < whole ? 17 : 1) {
    ASSERT_NE(error_of(text.substr(0, length)), "") << "cut at byte " << length;
  }
}

/// A spell whose emitter has these colours.
SpellFileResult spell_with(const std::string& colours, const std::string& hue = "\"#ffffff\"") {
  return parse_spell(
      "title = \"T\"\nbehaviour = \"bolt\"\ncolour = " + hue +
          "\ncooldown_s = 1\nradius = 9\nduration_s = 1\nemitters = [\"a\"]\n[emitter.a]\nlife_s = 1\n" +
          colours,
      "t.toml");
}

TEST(LinearColour, StandsInSpellsTooAndIsNotRounded) {
  const SpellFileResult one = spell_with("colour = [0.123456, 0.1, 1, 0.25]\n", "[0.3, 0.2, 0.1]");
  ASSERT_EQ(one.error, "");
  EXPECT_EQ(one.spell->colour_g, 0.2f);
  const ColourKey& key = one.spell->emitters[0].colour_curve[0];
  EXPECT_EQ(key.r, 0.123456f);
  EXPECT_EQ(key.b, 1.0f);
  EXPECT_EQ(key.a, 0.25f);
  const SpellFileResult two = spell_with("colour_curve = [[0.0, [0.1, 0.2, 0.3]], [1.0, \"#00000000\"]]\n");
  ASSERT_EQ(two.error, "");
  EXPECT_EQ(two.spell->emitters[0].colour_curve[0].r, 0.1f);
  EXPECT_EQ(two.spell->emitters[0].colour_curve[0].a, 1.0f);
  EXPECT_EQ(two.spell->emitters[0].colour_curve[1].a, 0.0f);
}

TEST(LinearColour, AWrongOneIsOneLine) {
  EXPECT_EQ(spell_with("colour = [0.1, 0.2]\n").error,
            "t.toml:10: a.colour: 2 numbers; a linear colour is [r, g, b] or [r, g, b, a]");
  EXPECT_EQ(spell_with("colour_curve = [[0.0, [0.1, 0.2, 1.5]]]\n").error,
            "t.toml:10: a.colour_curve: 1.5 is out of range (0 … 1)");
  EXPECT_EQ(spell_with("colour = [\"r\", 0.2, 0.3]\n").error, "t.toml:10: a.colour: 'r' is not a number");
  EXPECT_EQ(spell_with("colour = \"#fff\"\n").error,
            "t.toml:10: a.colour: '#fff' is not a colour; write \"#rrggbb\" or \"#rrggbbaa\"");
  EXPECT_EQ(spell_with("colour = \"#ffffff\"\n", "[1, 1, 1, 0.5]").error,
            "t.toml:3: colour: a spell's hue has no alpha; write \"#rrggbb\"");
}

TEST(LinearColour, StaysAsItIsWhenAnotherValueIsEdited) {
  const std::string colours = "colour_curve = [[0.0, [0.123456, 0.2, 0.3]], [1.0, \"#00000000\"]]\n";
  const SpellFileResult before = spell_with("burst = 3\n" + colours);
  ASSERT_EQ(before.error, "");
  const std::string text =
      "title = \"T\"\nbehaviour = \"bolt\"\ncolour = \"#ffffff\"\ncooldown_s = 1\nradius = 9\nduration_s = "
      "1\n"
      "emitters = [\"a\"]\n[emitter.a]\nlife_s = 1\nburst = 3\n" +
      colours;
  SpellDef edited = *before.spell;
  edited.emitters[0].burst = 4;
  EXPECT_THAT(format_spell(edited, text), HasSubstr("burst = 4\n" + colours));
}

}  // namespace
}  // namespace spellpool::content
