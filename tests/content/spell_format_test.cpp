#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "content/game/spell_file.hpp"
#include "content/text_file.hpp"
#include "random_spell.hpp"

namespace spellpool::content {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

const std::string kSpells = SPELLPOOL_SOURCE_DIR "/assets/spells/";

TEST(SpellFormat, WhatIsWrittenReadsBackTheSame) {
  for (u64 seed = 0; seed < 150; ++seed) {
    const SpellDef spell = RandomSpell(seed).make();
    const SpellFileResult again = parse_spell(format_spell(spell), "random.toml");
    ASSERT_EQ(again.error, "") << "seed " << seed;
    expect_same(spell, *again.spell);
    if (HasFailure()) FAIL() << "seed " << seed;
  }
}

TEST(SpellFormat, ShippedSpellsSurviveWritingAndReading) {
  for (const std::string_view name : kSpellFiles) {
    const SpellFileResult first = read_spell_file(kSpells + std::string(name) + ".toml");
    ASSERT_EQ(first.error, "");
    const SpellFileResult again = parse_spell(format_spell(*first.spell), std::string(name) + ".toml");
    ASSERT_EQ(again.error, "");
    expect_same(*first.spell, *again.spell);
  }
}

// As a person writes: comments everywhere, keys in any order, lists over several lines.
constexpr std::string_view kByHand =
    "# My spell: warm.\n"
    "#   And its second line.\n"
    "\n"
    "title   = \"Tést 🔥\"   # the bar shows it\n"
    "emitters = [\"burst\", # first\n"
    "            \"puff\"]\n"
    "behaviour = 'bolt'\n"
    "colour = \"#ff8a30\"\n"
    "radius = 10\n"
    "cooldown_s = 5e-1\n"
    "\n"
    "duration_s = 1.0\n"
    "# The bang.\n"
    "[emitter.burst]\n"
    "burst = 20        # not too many\n"
    "life_s = [\n"
    "  0.2,  # shortest\n"
    "  0.4 ]\n"
    "on_death = \"puff\"\n"
    "colour = \"#ffffff\"\n"
    "\n"
    "# What stays of it,\n"
    "# for a while.\n"
    "[emitter.puff]\n"
    "life_s = 1\n"
    "size_curve = [[0.0, 0.4], [0.2, 1.0], [1.0, 0.0]]\n"
    "burst = 2\n"
    "colour_curve = [[0.0, \"#fff3c0\"], [1.0, \"#30040000\"]]\n";

SpellDef by_hand() { return *parse_spell(kByHand, "hand.toml").spell; }

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  const auto at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}
void expect_reads_back(const SpellDef& spell, const std::string& text) {
  const SpellFileResult again = parse_spell(text, "hand.toml");
  ASSERT_EQ(again.error, "") << text;
  expect_same(spell, *again.spell);
}

TEST(SpellFormat, AnUnchangedSpellIsTheFileAsItWas) {
  EXPECT_EQ(format_spell(by_hand(), kByHand), kByHand);
  for (const std::string_view name : kSpellFiles) {
    const std::string path = kSpells + std::string(name) + ".toml";
    const std::string text = *read_text(path, kMaxSpellFile_bytes).text;
    EXPECT_EQ(format_spell(*parse_spell(text, path).spell, text), text);
  }
}

TEST(SpellFormat, AChangedValueChangesNothingElseInTheFile) {
  const auto expect_change = [](std::string_view from, std::string_view to, auto change) {
    SpellDef spell = by_hand();
    change(spell);
    const std::string text = format_spell(spell, kByHand);
    EXPECT_EQ(text, replaced(std::string(kByHand), from, to));
    expect_reads_back(spell, text);
  };
  expect_change("\"Tést 🔥\"", "\"Fête\"", [](SpellDef& s) { s.title = "Fête"; });
  expect_change("5e-1", "0.75", [](SpellDef& s) { s.cooldown_s = 0.75f; });
  expect_change("'bolt'", "\"nova\"", [](SpellDef& s) { s.behaviour = SpellBehaviour::Nova; });
  expect_change("#ff8a30", "#00ff00", [](SpellDef& s) { s.colour_r = s.colour_b = 0, s.colour_g = 1; });
  expect_change("burst = 20 ", "burst = 0 ", [](SpellDef& s) { s.emitters[0].burst = 0; });
  expect_change("[\n  0.2,  # shortest\n  0.4 ]", "[0.25, 0.5]", [](SpellDef& s) {
    s.emitters[0].life_s = {0.25f, 0.5f};
  });
  expect_change("on_death = \"puff\"\n", "", [](SpellDef& s) { s.emitters[0].on_death.clear(); });
  expect_change("[0.2, 1.0], ", "[0.25, 1.5], ", [](SpellDef& s) { s.emitters[1].size_curve[1] = {0.25f, 1.5f}; });
  expect_change("life_s = 1\n", "life_s = [1.0, 2.0]\n", [](SpellDef& s) { s.emitters[1].life_s = {1, 2}; });
  expect_change("colour = \"#ffffff\"\n", "colour = \"#ffffff\"\ndrag_per_s = 2.5\n",
                [](SpellDef& s) { s.emitters[0].drag_per_s = 2.5f; });
  expect_change("duration_s = 1.0\n", "duration_s = 1.0\npower = 3.0\ncount = 7\n",
                [](SpellDef& s) { s.power = 3, s.count = 7; });
  expect_change("\"#30040000\"]]\n", "\"#30040000\"]]\nbounce_on = \"both\"\n",
                [](SpellDef& s) { s.emitters[1].bounce_on = BounceOn::Both; });
  expect_change("colour = \"#ffffff\"\n", "colour_curve = [[0.0, \"#ffffff\"], [1.0, \"#00000000\"]]\n",
                [](SpellDef& s) {
                  s.emitters[0].colour_curve = {{0, 1, 1, 1, 1}, {1, 0, 0, 0, 0}};
                });
  expect_change("colour_curve = [[0.0, \"#fff3c0\"], [1.0, \"#30040000\"]]\n", "colour = \"#ffffff\"\n",
                [](SpellDef& s) { s.emitters[1].colour_curve = {{}}; });
}

TEST(SpellFormat, EmittersComeAndGoWithTheirComments) {
  SpellDef spell = by_hand();
  spell.emitters[0].on_death.clear();
  spell.emitters.pop_back();
  EmitterDef added;
  added.name = "glow";
  added.rate_per_s = 7;
  spell.emitters.push_back(added);
  const std::string text = format_spell(spell, kByHand);
  expect_reads_back(spell, text);
  EXPECT_THAT(text, HasSubstr("# The bang.\n[emitter.burst]\nburst = 20        # not too many\n"));
  EXPECT_THAT(text, HasSubstr("\n[emitter.glow]\nrate_per_s = 7.0\nlife_s = [0.5, 1.0]\ncolour = \"#ffffff\"\n"));
  EXPECT_THAT(text, Not(HasSubstr("for a while")));
}

TEST(SpellFormat, AByteOrderMarkStays) {
  const std::string marked = std::string("\xef\xbb\xbf").append(kByHand.substr(kByHand.find("title")));
  SpellDef spell = by_hand();
  spell.title = "T";
  EXPECT_EQ(format_spell(spell, marked), replaced(marked, "\"Tést 🔥\"", "\"T\""));
}

TEST(SpellFormat, AFileWithoutALastLineEndIsPatchedToo) {
  const std::string open_end(kByHand.substr(0, kByHand.size() - 1));
  SpellDef spell = by_hand();
  EXPECT_EQ(format_spell(spell, open_end), open_end);
  spell.emitters[1].curl = 5;
  EXPECT_EQ(format_spell(spell, open_end), open_end + "\ncurl = 5.0\n");
}

TEST(SpellFormat, WindowsLineEndsStay) {
  std::string windows;
  for (const char c : kByHand) windows += c == '\n' ? "\r\n" : std::string(1, c);
  SpellDef spell = by_hand();
  spell.emitters[0].burst = 21;
  EXPECT_EQ(format_spell(spell, windows), replaced(windows, "burst = 20 ", "burst = 21 "));
}

TEST(SpellFormat, WhatCannotBePatchedKeepsItsComments) {
  const SpellDef spell = by_hand();
  // Broken while the game played on with the last good spell; and a layout that has no lines of its own.
  const std::string broken = replaced(std::string(kByHand), "burst = 20", "burst = many");
  const std::string text = format_spell(spell, broken);
  EXPECT_THAT(text, StartsWith("# My spell: warm.\n#   And its second line.\n\ntitle = "));
  EXPECT_THAT(text, HasSubstr("\n\n# The bang.\n[emitter.burst]\n"));
  EXPECT_THAT(text, HasSubstr("\n\n# What stays of it,\n# for a while.\n[emitter.puff]\n"));
  expect_reads_back(spell, text);

  const std::string inline_tables =
      "# Short.\ntitle = \"T\"\nbehaviour = \"bolt\"\ncolour = \"#ffffff\"\ncooldown_s = 1\nradius = 9\nduration_s = "
      "1\n"
      "emitters = [\"a\"]\nemitter.a = {life_s = 1, colour = \"#ffffff\"}";
  SpellDef small = *parse_spell(inline_tables, "hand.toml").spell;
  small.emitters[0].drag_per_s = 3;
  const std::string rewritten = format_spell(small, inline_tables);
  EXPECT_THAT(rewritten, StartsWith("# Short.\n"));
  expect_reads_back(small, rewritten);
}

TEST(SpellFormat, NewFilesBeginWithTheHelp) {
  EXPECT_THAT(format_spell(by_hand()), StartsWith(spell_file_help()));
  EXPECT_THAT(format_spell(by_hand(), "title = 1\n"), StartsWith("title = "));
}

TEST(SpellFormat, AnySpellCanBeSavedOverAnyOther) {
  for (u64 seed = 0; seed < 60; ++seed) {
    const std::string old_text = format_spell(RandomSpell(seed + 1000).make());
    SpellDef spell = *parse_spell(old_text, "random.toml").spell;
    const SpellDef other = RandomSpell(seed).make();
    switch (seed % 3) {
      case 0:
        spell = other;
        break;
      case 1:
        spell.emitters.pop_back();
        if (spell.emitters.empty()) spell.emitters = other.emitters;
        break;
      default:
        spell.title = other.title;
        spell.emitters.front().size_curve = other.emitters.front().size_curve;
        spell.emitters.back().colour_curve = other.emitters.back().colour_curve;
    }
    for (EmitterDef& e : spell.emitters) {
      for (std::string EmitterDef::*link :
           {&EmitterDef::on_birth, &EmitterDef::on_death, &EmitterDef::on_hit, &EmitterDef::trail}) {
        bool there = false;
        for (const EmitterDef& o : spell.emitters) there = there || o.name == e.*link;
        if (!there) (e.*link).clear();
      }
    }
    const SpellFileResult again = parse_spell(format_spell(spell, old_text), "random.toml");
    ASSERT_EQ(again.error, "") << "seed " << seed;
    expect_same(spell, *again.spell);
    if (HasFailure()) FAIL() << "seed " << seed;
  }
}

}  // namespace
}  // namespace spellpool::content
