#include "content/game/spell_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <string>

#include "../support/scratch_folder.hpp"
#include "content/colour_text.hpp"
#include "content/game/spell_roles.hpp"
#include "content/text_file.hpp"
#include "core/rng.hpp"

namespace spellpool::content {
namespace {

using test::ScratchFolder;

using namespace frame;
using ::testing::HasSubstr;
using ::testing::StartsWith;

const std::string kSpells = SPELLPOOL_SOURCE_DIR "/assets/spells/";

constexpr std::string_view kSmall =
    "title = \"Test\"\n"
    "behaviour = \"bolt\"\n"
    "colour = \"#ff8a30\"\n"
    "cooldown_s = 0.5\n"
    "radius = 10.0\n"
    "duration_s = 1.0\n"
    "emitters = [\"burst\", \"puff\"]\n"
    "[emitter.burst]\n"  // line 8
    "burst = 20\n"
    "life_s = [0.2, 0.4]\n"
    "on_death = \"puff\"\n"
    "colour = \"#ffffff\"\n"
    "[emitter.puff]\n"  // line 13
    "life_s = 1\n"
    "size_curve = [[0.0, 0.4], [0.2, 1.0], [1.0, 0.0]]\n"
    "colour_curve = [[0.0, \"#fff3c0\"], [1.0, \"#30040000\"]]\n";

/// kSmall with one piece replaced.
std::string changed(std::string_view from, std::string_view to) {
  std::string text(kSmall);
  const auto at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

std::string error_of(std::string_view text) {
  const SpellFileResult result = parse_spell(text, "spells/test.toml");
  EXPECT_EQ(result.spell.has_value(), result.error.empty());
  EXPECT_EQ(result.error.find('\n'), std::string::npos) << result.error;
  return result.error;
}

TEST(SpellFile, ReadsEveryValueWhereItBelongs) {
  const SpellFileResult result = parse_spell(kSmall, "spells/test.toml");
  ASSERT_EQ(result.error, "");
  const SpellDef& spell = *result.spell;
  EXPECT_EQ(spell.id, "test");
  EXPECT_EQ(spell.title, "Test");
  EXPECT_EQ(spell.cooldown_s, 0.5f);
  EXPECT_EQ(spell.colour_r, 1.0f);
  EXPECT_NEAR(spell.colour_g, 0.2541f, 1e-4f);
  ASSERT_EQ(spell.emitters.size(), 2u);
  EXPECT_EQ(spell.emitters[0].name, "burst");
  EXPECT_EQ(spell.emitters[0].burst, 20u);
  EXPECT_EQ(spell.emitters[0].life_s.low, 0.2f);
  EXPECT_EQ(spell.emitters[0].life_s.high, 0.4f);
  EXPECT_EQ(spell.emitters[0].on_death, "puff");
  EXPECT_EQ(spell.emitters[1].life_s.low, 1.0f);
  EXPECT_EQ(spell.emitters[1].life_s.high, 1.0f);
  ASSERT_EQ(spell.emitters[1].size_curve.size(), 3u);
  EXPECT_EQ(spell.emitters[1].size_curve[1].value, 1.0f);
  ASSERT_EQ(spell.emitters[1].colour_curve.size(), 2u);
  EXPECT_EQ(spell.emitters[1].colour_curve[1].a, 0.0f);
}

TEST(SpellFile, EmittersComeInTheOrderOfTheList) {
  const auto result = parse_spell(changed("[\"burst\", \"puff\"]", "[\"puff\", \"burst\"]"), "x.toml");
  ASSERT_EQ(result.error, "");
  EXPECT_EQ(result.spell->emitters[0].name, "puff");
}

struct BadFile {
  std::string_view from, to;
  std::string_view error;
};

TEST(SpellFile, EveryErrorNamesFileLineAndReason) {
  const BadFile cases[] = {
      {"burst = 20", "rate_per_s = \"fast\"", "spells/test.toml:9: burst.rate_per_s: 'fast' is not a number"},
      {"title = \"Test\"", "", "spells/test.toml:1: the key 'title' is missing"},
      {"title = \"Test\"", "title = 7", "spells/test.toml:1: title: 7 is not text in quotes"},
      {"burst = 20", "prewarm_s = 11", "spells/test.toml:9: burst.prewarm_s: 11 is out of range (0 … 10)"},
      {"burst = 20", "lift = -1", "spells/test.toml:9: burst.lift: -1 is out of range (0 … 5000)"},
      {"burst = 20", "seed = -1", "spells/test.toml:9: burst.seed: -1 is out of range (0 … 999999999)"},
      {"burst = 20", "bounce_on = \"flor\"",
       "spells/test.toml:9: burst.bounce_on: 'flor' is unknown; did you mean 'floor'?"},
      {"burst = 20", "bounce = 1.5", "spells/test.toml:9: burst.bounce: 1.5 is out of range (0 … 1)"},
      {"burst = 20", "speed_curve = [[0, -1]]", "spells/test.toml:9: burst.speed_curve: -1 is out of range (0 … 10)"},
      {"burst = 20", "trail = \"puf\"",
       "spells/test.toml:9: burst.trail: no emitter is named 'puf'; did you mean 'puff'?"},
      {"burst = 20", "on_birth = \"nobody\"",
       "spells/test.toml:9: burst.on_birth: no emitter is named 'nobody'; known are burst, puff"},
      {"burst = 20", "on_hit = 3", "spells/test.toml:9: burst.on_hit: 3 is not text in quotes"},
      {"burst = 20", "on_birth = \"burst\"",
       "spells/test.toml:9: burst.on_birth: goes round in a circle: burst → burst; leave this key out"},
      {"life_s = 1\n", "life_s = 1\ntrail = \"burst\"\n",
       "spells/test.toml:15: puff.trail: goes round in a circle: burst → puff → burst; leave this key out"},
      {"radius = 10.0", "radius = 10.0\ncount = 0", "spells/test.toml:6: count: 0 is out of range (1 … 64)"},
      {"radius = 10.0", "radius = 10.0\ncount = 2.5", "spells/test.toml:6: count: 2.5 is not a whole number"},
      {"radius = 10.0", "radius = 10.0\ncharged = 0.5", "spells/test.toml:6: charged: 0.5 is out of range (1 … 10)"},
      {"title = \"Test\"", "title = \"\"", "spells/test.toml:1: title: 0 bytes of text; 1 … 64 fit"},
      {"\"bolt\"", "\"bolz\"", "spells/test.toml:2: behaviour: 'bolz' is unknown; did you mean 'bolt'?"},
      {"\"bolt\"", "\"teapot\"",
       "spells/test.toml:2: behaviour: 'teapot' is unknown; known are bolt, nova, chain, "
       "vortex, meteor, fog, motes, starfall"},
      {"\"bolt\"", "3", "spells/test.toml:2: behaviour: 3 is not a name in quotes"},
      {"#ff8a30", "#ff8a3", "spells/test.toml:3: colour: '#ff8a3' is not a colour; write \"#rrggbb\" or \"#rrggbbaa\""},
      {"#ff8a30", "#ff8a3g",
       "spells/test.toml:3: colour: '#ff8a3g' is not a colour; write \"#rrggbb\" or \"#rrggbbaa\""},
      {"#ff8a30", "#ff8a3080", "spells/test.toml:3: colour: a spell's hue has no alpha; write \"#rrggbb\""},
      {"cooldown_s = 0.5", "cooldown_s = nan", "spells/test.toml:4: cooldown_s: nan is not a finite number"},
      {"cooldown_s = 0.5", "cooldown_s = inf", "spells/test.toml:4: cooldown_s: inf is not a finite number"},
      {"cooldown_s = 0.5", "cooldown_s = -1", "spells/test.toml:4: cooldown_s: -1 is out of range (0 … 60)"},
      {"cooldown_s = 0.5", "cooldown_s = true", "spells/test.toml:4: cooldown_s: true is not a number"},
      {"cooldown_s = 0.5", "cooldown_s = 1e300", "spells/test.toml:4: cooldown_s: 1e+300 is out of range (0 … 60)"},
      {"cooldown_s = 0.5", "cooldwn_s = 0.5",
       "spells/test.toml:4: unknown key 'cooldwn_s'; did you mean 'cooldown_s'?"},
      {"burst = 20", "brst = 20", "spells/test.toml:9: unknown key 'burst.brst'; did you mean 'burst'?"},
      {"burst = 20", "burst = 1e3", "spells/test.toml:9: burst.burst: 1000 is not a whole number"},
      {"burst = 20", "burst = 100001", "spells/test.toml:9: burst.burst: 100001 is out of range (0 … 100000)"},
      {"burst = 20", "rate_per_s = 1000001",
       "spells/test.toml:9: burst.rate_per_s: 1000001 is out of range (0 … 1000000)"},
      {"burst = 20", "size = [1, 1001]", "spells/test.toml:9: burst.size: 1001 is out of range (0 … 1000)"},
      {"burst = 20", "colour_curve = [[0.0, \"#ffffff\"]]",
       "spells/test.toml:12: burst.colour: stands beside colour_curve; keep one of them"},
      {"[0.2, 0.4]", "[0.4, 0.2]", "spells/test.toml:10: burst.life_s: the low end 0.4 is above the high end 0.2"},
      {"[0.2, 0.4]", "[0.4]", "spells/test.toml:10: burst.life_s: 1 numbers; a range is [low, high] or one number"},
      {"[0.2, 0.4]", "[0.0, 0.4]", "spells/test.toml:10: burst.life_s: 0 is out of range (0.01 … 30)"},
      {"[0.2, 0.4]", "[0.1, 31]", "spells/test.toml:10: burst.life_s: 31 is out of range (0.01 … 30)"},
      {"[0.2, 0.4]", "[0.1, \"x\"]", "spells/test.toml:10: burst.life_s: 'x' is not a number"},
      {"life_s = [0.2, 0.4]\n", "", "spells/test.toml:8: the key 'burst.life_s' is missing"},
      {"colour = \"#ffffff\"\n", "", "spells/test.toml:8: the key 'burst.colour' or 'burst.colour_curve' is missing"},
      {"on_death = \"puff\"", "on_death = \"pufff\"",
       "spells/test.toml:11: burst.on_death: no emitter is named 'pufff'; did you mean 'puff'?"},
      {"on_death = \"puff\"", "on_death = \"burst\"",
       "spells/test.toml:11: burst.on_death: goes round in a circle: burst → burst; leave this key out"},
      {"life_s = 1\n", "life_s = 1\non_death = \"burst\"\n",
       "spells/test.toml:15: puff.on_death: goes round in a circle: burst → puff → burst; leave this key out"},
      {"[0.2, 1.0], [1.0, 0.0]", "[0.2, 1.0], [0.2, 0.0]",
       "spells/test.toml:15: puff.size_curve: t = 0.2 does not rise above 0.2; the keys go from 0 to 1"},
      {"[0.2, 1.0]", "[1.2, 1.0]", "spells/test.toml:15: puff.size_curve: 1.2 is out of range (0 … 1)"},
      {"[0.2, 1.0]", "[0.2]",
       "spells/test.toml:15: puff.size_curve: a list is not a pair; a curve is [[t, factor], …]"},
      {"[[0.0, 0.4], [0.2, 1.0], [1.0, 0.0]]", "[]", "spells/test.toml:15: puff.size_curve: 0 keys; a curve has 1 … 8"},
      {"[[0.0, 0.4], [0.2, 1.0], [1.0, 0.0]]",
       "[[0,1],[0.1,1],[0.2,1],[0.3,1],[0.4,1],[0.5,1],[0.6,1],[0.7,1],[0.8,1]]",
       "spells/test.toml:15: puff.size_curve: 9 keys; a curve has 1 … 8"},
      {"\"#fff3c0\"", "1",
       "spells/test.toml:16: puff.colour_curve: 1 is not a colour; write \"#rrggbb\" or \"#rrggbbaa\""},
      {"[\"burst\", \"puff\"]", "[\"burst\"]",
       "spells/test.toml:13: [emitter.puff] is not in the list 'emitters' at the top; add it there"},
      {"[\"burst\", \"puff\"]", "[\"burst\", \"puff\", \"mist\"]",
       "spells/test.toml:7: emitters: there is no table [emitter.mist]; is the file half-written?"},
      {"[\"burst\", \"puff\"]", "[\"burst\", \"puff\", \"puff\"]",
       "spells/test.toml:7: emitters: 'puff' is named twice"},
      {"[\"burst\", \"puff\"]", "[\"burst\", \"Püff\"]",
       "spells/test.toml:7: emitters: 'Püff' is no emitter's name (a … z, 0 … 9 and _)"},
      {"[\"burst\", \"puff\"]", "[]", "spells/test.toml:7: emitters: 0 emitters; a spell has 1 … 16"},
      {"[\"burst\", \"puff\"]", "\"burst\"", "spells/test.toml:7: emitters: 'burst' is not a list of names"},
  };
  for (const BadFile& bad : cases) EXPECT_EQ(error_of(changed(bad.from, bad.to)), bad.error) << bad.to;
}

TEST(SpellFile, EmittersMayNameEachOtherInLinesButNotInCircles) {
  std::string text =
      "title = \"T\"\nbehaviour = \"bolt\"\ncolour = \"#ffffff\"\ncooldown_s = 1\nradius = 9\nduration_s = 1\n"
      "emitters = [\"a\", \"b\", \"c\", \"d\"]\n";
  for (const std::string name : {"a", "b", "c", "d"}) {
    text += "[emitter." + name + "]\nlife_s = 1\ncolour = \"#ffffff\"\n";
    for (const std::string later : {"b", "c", "d"}) {
      if (later > name)
        text += (later == "b" ? "on_birth = '" : later == "c" ? "on_hit = '" : "trail = '") + later + "'\n";
    }
  }
  EXPECT_EQ(error_of(text), "");
  EXPECT_EQ(error_of(text + "on_death = \"b\"\n"),
            "spells/test.toml:26: d.on_death: goes round in a circle: b → c → d → b; leave this key out")
      << "the circle is told without what leads to it";
}

TEST(SpellFile, TextInsideAReplayNamesTheReplay) {
  EXPECT_EQ(parse_spell("title = 1", "games/evening.replay: spell firebolt", "firebolt").error,
            "games/evening.replay: spell firebolt:1: title: 1 is not text in quotes");
  EXPECT_EQ(parse_spell(kSmall, "games/evening.replay", "firebolt").spell->id, "firebolt");
}

TEST(SpellFile, DuplicateKeysAndEmittersAreRefusedWithTheirLine) {
  EXPECT_THAT(error_of(changed("[emitter.puff]", "[emitter.burst]")), StartsWith("spells/test.toml:13: "));
  EXPECT_THAT(error_of(changed("burst = 20", "burst = 20\nburst = 21")), StartsWith("spells/test.toml:10: "));
}

TEST(SpellFile, EmitterThatIsNoTableIsRefused) {
  std::string text(kSmall.substr(0, kSmall.find("[emitter")));
  EXPECT_EQ(error_of(text + "emitter = 3\n"), "spells/test.toml:8: emitter: 3 is not a set of tables [emitter.NAME]");
  EXPECT_EQ(error_of(text + "emitter.burst = 3\nemitter.puff = 4\n"), "spells/test.toml:8: burst: 3 is not a table");
  EXPECT_THAT(error_of(text), HasSubstr("half-written"));
}

TEST(SpellFile, EmptyBinaryAndHostileTextIsOneLine) {
  EXPECT_EQ(error_of(""), "spells/test.toml:1: the file is empty");
  EXPECT_EQ(error_of(" \n\t\r\n"), "spells/test.toml:1: the file is empty");
  EXPECT_EQ(error_of("# only a comment\n"), "spells/test.toml:1: the key 'title' is missing");
  EXPECT_EQ(error_of(std::string_view("a = 1\n\0x", 8)), "spells/test.toml:2: not a text file: it holds a zero byte");
  EXPECT_NE(error_of("\x7f\x45\x4c\x46\xff\xfe\x80\x81"), "");
  EXPECT_NE(error_of("title = \"\x1b[31mred\""), "");
  EXPECT_EQ(error_of("title = \"\\u001b[31m\"\n").find('\x1b'), std::string::npos);
  EXPECT_EQ(error_of("a = " + std::string(4000, '[')), "spells/test.toml:1: more than 16 brackets inside each other");
  EXPECT_NE(error_of("a = [" + std::string(4000, '{')), "");
  std::string dotted = "a";
  for (int i = 0; i < 2000; ++i) dotted += ".a";
  EXPECT_NE(error_of("[" + dotted + "]\n" + dotted + " = 1\n"), "");
  std::string deep = "x = [\n";  // as deep as it lets through
  for (int i = 0; i < 7; ++i) deep.append("{").append(dotted, 0, 129).append(" = [\n");
  for (int i = 0; i < 7; ++i) deep += "]}\n";
  EXPECT_THAT(error_of(deep + "]\n"), StartsWith("spells/test.toml:1: unknown key 'x'"));
  EXPECT_EQ(error_of("a = " + dotted), "spells/test.toml:1: the line has more than 64 dots; break it up");
  EXPECT_EQ(error_of("\na = " + std::string(100000, 'x')),
            "spells/test.toml:2: the line is longer than 4096 bytes; break it up");
  EXPECT_EQ(error_of(std::string((std::size_t{1} << 20) + 1, '#')),
            "spells/test.toml:1: the file is larger than 1048576 bytes");
}

TEST(SpellFile, LettersOutsideOfQuotesAreRefusedBeforeTheyReachTheParser) {
  const std::string refused = ": a letter that is not ASCII stands outside of quotes";
  EXPECT_EQ(error_of("tïtle = 1\n"), "spells/test.toml:1" + refused);
  EXPECT_EQ(error_of("a = \"\\\"é\" # é\nb = 'e\\' é"), "spells/test.toml:2" + refused);
  EXPECT_EQ(error_of("a = \"\"\"é\n\"\"é\\\"\"\"é\"\"\"\"\"\nb = '''e\n''e''' é"), "spells/test.toml:4" + refused);
  EXPECT_EQ(error_of("a = 1\u00a0\n"), "spells/test.toml:1" + refused) << "a space that came with a copied line";
  EXPECT_EQ(error_of("a = 'é'"),
            "spells/test.toml:1: a letter that is not ASCII stands in single quotes; write double ones");
  EXPECT_EQ(error_of("a = \"\\é\""),
            "spells/test.toml:1: a backslash stands before a letter that is not ASCII; write two for one");
  for (const char* broken :
       {"\xc3\"", "\xc0\xaf", "\xe0\x80\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\x80", "\xf0\x9f\x94\""}) {
    EXPECT_EQ(error_of(std::string("a = \"").append(broken)), "spells/test.toml:1: not a text file: it is not UTF-8");
  }
}

TEST(SpellFile, LettersOfAllLanguagesStandInTitlesAndComments) {
  const SpellFileResult result = parse_spell(changed("\"Test\"", "\"Tést 火 🔥\" # é 🔥"), "t.toml");
  EXPECT_EQ(result.error, "");
  EXPECT_EQ(result.spell->title, "Tést 火 🔥");
  EXPECT_EQ(error_of(changed("\"Test\"", "\"\"\"Test é\"\"\"\"\"")), "");
}

TEST(SpellFile, RandomBytesNeverDoMoreThanFail) {
  Rng rng(7);
  for (int round = 0; round < 300; ++round) {
    std::string text(rng.below(400), ' ');
    for (char& c : text) c = static_cast<char>(rng.below(256));
    error_of(text);
  }
}

TEST(SpellFile, ChangedBytesOfARealFileNeverDoMoreThanFail) {
  const std::string good = *read_text(kSpells + "firebolt.toml", kMaxSpellFile_bytes).text;
  const std::size_t head = good.find("title = ");
  Rng rng(11);
  for (int round = 0; round < 400; ++round) {
    std::string text = good.substr(head);
    for (u32 i = 1 + rng.below(4); i > 0; --i) {
      const u32 at = rng.below(static_cast<u32>(text.size()));
      text[at] = static_cast<char>(rng.below(3) == 0 ? rng.below(256) : 32 + rng.below(95));
    }
    error_of(text);
  }
}

TEST(SpellFile, ShippedSpellsAreCompleteAndExplainTheirKeys) {
  for (const std::string_view name : kSpellFiles) {
    const std::string path = kSpells + std::string(name) + ".toml";
    const SpellFileResult result = read_spell_file(path);
    ASSERT_EQ(result.error, "");
    EXPECT_EQ(result.spell->id, name);
    EXPECT_NE(result.spell->title, "");
    EXPECT_GE(result.spell->emitters.size(), 4u);
    EXPECT_THAT(*read_text(path, kMaxSpellFile_bytes).text, HasSubstr(spell_file_help()))
        << "the head of the file differs from spell_file_help(): copy the text that format_spell() writes";
  }
}

// It is the first spell that anybody casts: three taps or two full casts shatter a crystal of 5 health.
TEST(SpellFile, TheShippedFireboltHitsHard) {
  const SpellDef bolt = *read_spell_file(kSpells + "firebolt.toml").spell;
  EXPECT_GE(3 * bolt.power, 5.0f);
  EXPECT_LT(2 * bolt.power, 5.0f);
  EXPECT_GE(2 * bolt.power * bolt.charged, 5.0f);
  EXPECT_LT(bolt.power * bolt.charged, 5.0f);
}

// Held until it is full, a spell must look different, not only larger.
TEST(SpellFile, ShippedSpellsThatWereNearlyAlikeTappedAndChargedHaveTheirOwnFullLooks) {
  for (const std::string_view name : {"meteor", "starfall", "healing_motes", "poison_fog"}) {
    const SpellDef spell = *read_spell_file(kSpells + std::string(name) + ".toml").spell;
    for (const std::string_view part : {"full", "halo"}) {
      EXPECT_TRUE(std::any_of(spell.emitters.begin(), spell.emitters.end(),
                              [&](const EmitterDef& e) { return e.name == part; }))
          << name << ": " << part;
    }
  }
}

// A name that is neither a role nor anybody's sub-emitter would stay silent without a word.
TEST(SpellFile, EveryEmitterOfAShippedSpellFires) {
  for (const std::string_view name : kSpellFiles) {
    const SpellDef spell = *read_spell_file(kSpells + std::string(name) + ".toml").spell;
    const std::string_view behaviour = kSpellBehaviours[static_cast<std::size_t>(spell.behaviour)].name;
    for (const EmitterDef& emitter : spell.emitters) {
      const RoleUse* role = nullptr;
      for (const RoleUse& use : kRoleUses) {
        const bool mine = use.behaviour == "all" || use.behaviour == behaviour;
        if (mine && kEmitterRoleNames[static_cast<std::size_t>(use.role)] == emitter.name) role = &use;
      }
      const bool named = std::any_of(spell.emitters.begin(), spell.emitters.end(), [&](const EmitterDef& e) {
        return e.on_birth == emitter.name || e.on_death == emitter.name || e.on_hit == emitter.name;
      });
      const bool trail = std::any_of(spell.emitters.begin(), spell.emitters.end(),
                                     [&](const EmitterDef& e) { return e.trail == emitter.name; });
      EXPECT_TRUE(role != nullptr || named || trail) << name << ": " << emitter.name << " never fires";
      const bool bursts = named || (role != nullptr && role->counts.find("burst") != std::string_view::npos);
      const bool runs = trail || (role != nullptr && role->counts.find("rate") != std::string_view::npos);
      const bool travels = trail || (role != nullptr && role->counts.find("per_unit") != std::string_view::npos);
      EXPECT_TRUE((bursts && emitter.burst > 0) || (runs && emitter.rate_per_s > 0) ||
                  (travels && emitter.per_unit > 0))
          << name << ": " << emitter.name << " says no number that counts for it";
    }
    for (const std::string_view wanted : {"gather", "charge", "ready", "cast", "follow"}) {
      EXPECT_TRUE(std::any_of(spell.emitters.begin(), spell.emitters.end(),
                              [&](const EmitterDef& e) { return e.name == wanted; }))
          << name << " has no " << wanted;
    }
  }
}

// Nothing pops: what fades in starts at nothing, what is born hot may start bright, all end at nothing.
TEST(SpellFile, ParticlesOfShippedSpellsFadeOut) {
  for (const std::string_view name : kSpellFiles) {
    const SpellDef spell = *read_spell_file(kSpells + std::string(name) + ".toml").spell;
    for (const EmitterDef& emitter : spell.emitters) {
      const bool vanishes = emitter.colour_curve.back().a == 0.0f || emitter.size_curve.back().value == 0.0f;
      const bool gathered = emitter.name == "gather";  // These end in the flash of the cast.
      EXPECT_TRUE(vanishes || gathered) << name << ": " << emitter.name;
    }
  }
}

TEST(SpellFile, EveryRoleAndBehaviourIsExplained) {
  for (const auto& behaviour : kSpellBehaviours) {
    EXPECT_TRUE(std::any_of(kRoleUses.begin(), kRoleUses.end(), [&](const RoleUse& use) {
      return use.behaviour == behaviour.name;
    })) << behaviour.name;
    EXPECT_THAT(spell_file_help(), HasSubstr("#   " + std::string(behaviour.name)));
  }
  for (std::size_t i = 0; i < kEmitterRoleNames.size(); ++i) {
    EXPECT_TRUE(std::any_of(kRoleUses.begin(), kRoleUses.end(), [&](const RoleUse& use) {
      return static_cast<std::size_t>(use.role) == i;
    })) << kEmitterRoleNames[i];
  }
}

// An editor that dies while saving leaves the beginning of a file: no beginning may pass for a whole spell.
TEST(SpellFile, EveryHalfWrittenShippedSpellIsRefused) {
  for (const std::string_view name : kSpellFiles) {
    const std::string text = *read_text(kSpells + std::string(name) + ".toml", kMaxSpellFile_bytes).text;
    const std::size_t whole = text.find_last_not_of(" \n") + 1;
    for (std::size_t length = text.find("title = "); length < whole; length += length + 40 < whole ? 7 : 1) {
      ASSERT_NE(error_of(text.substr(0, length)), "") << name << " cut at byte " << length;
    }
  }
}

TEST(SpellFile, MissingFolderDeviceAndLargeFilesAreOneLine) {
  const ScratchFolder scratch;
  EXPECT_EQ(read_spell_file(scratch / "none.toml").error, (scratch / "none.toml").string() + ": no such file");
  EXPECT_EQ(read_spell_file(scratch.path()).error, scratch.path().string() + ": is a folder, not a file");
  EXPECT_EQ(read_spell_file("/dev/zero").error, "/dev/zero: is not a regular file");
  std::ofstream(scratch / "large.toml") << std::string((std::size_t{1} << 20) + 1, '#');
  EXPECT_EQ(read_spell_file(scratch / "large.toml").error,
            (scratch / "large.toml").string() + ": is larger than 1048576 bytes");
  ASSERT_EQ(::mkfifo((scratch / "pipe.toml").c_str(), 0600), 0);
  EXPECT_EQ(read_spell_file(scratch / "pipe.toml").error, (scratch / "pipe.toml").string() + ": is not a regular file");
}

TEST(SpellFile, WindowsLineEndsAndAByteOrderMarkAreFine) {
  std::string text = "\xef\xbb\xbf";
  for (const char c : kSmall) text += c == '\n' ? "\r\n" : std::string(1, c);
  EXPECT_EQ(error_of(text), "");
}

TEST(ColourText, TableFollowsTheStandardCurve) {
  EXPECT_EQ(linear_from_srgb(0), 0.0f);
  EXPECT_EQ(linear_from_srgb(255), 1.0f);
  for (int i = 0; i < 256; ++i) {
    const double c = i / 255.0;
    const double wanted = c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
    EXPECT_NEAR(linear_from_srgb(static_cast<u8>(i)), wanted, 1e-7) << i;
    EXPECT_EQ(srgb_from_linear(linear_from_srgb(static_cast<u8>(i))), i);
  }
}

}  // namespace
}  // namespace spellpool::content
