#include "content/spell_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstring>
#include <fstream>
#include <string>

#include "content/colour_text.hpp"
#include "content/spell_keys.hpp"
#include "content/text_file.hpp"
#include "core/rng.hpp"
#include "scratch_folder.hpp"

namespace spellpool::content {
namespace {

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

bool same(float a, float b) { return std::memcmp(&a, &b, sizeof a) == 0; }
bool same(const Range& a, const Range& b) { return same(a.low, b.low) && same(a.high, b.high); }
bool same(const SizeKey& a, const SizeKey& b) { return same(a.t, b.t) && same(a.value, b.value); }
bool same(const ColourKey& a, const ColourKey& b) {
  return same(a.t, b.t) && same(a.r, b.r) && same(a.g, b.g) && same(a.b, b.b) && same(a.a, b.a);
}
template <class T>
bool same(const std::vector<T>& a, const std::vector<T>& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!same(a[i], b[i])) return false;
  }
  return true;
}
template <class T>
bool same(const T& a,
          const T& b) requires std::is_enum_v<T> || std::is_same_v<T, u32> || std::is_same_v<T, std::string> {
  return a == b;
}
template <class Keys, class Owner>
std::string difference(const Keys& keys, const Owner& a, const Owner& b) {
  for (const auto& key : keys) {
    const bool equal = std::visit(
        [&](auto member) {
          if constexpr (std::is_member_object_pointer_v<decltype(member)>) {
            return same(a.*member, b.*member);
          } else {
            return true;
          }
        },
        key.member);
    if (!equal) return std::string(key.name);
  }
  return "";
}
void expect_same(const SpellDef& a, const SpellDef& b) {
  EXPECT_EQ(a.id, b.id);
  EXPECT_EQ(difference(kSpellKeys, a, b), "");
  EXPECT_TRUE(same(a.colour_r, b.colour_r) && same(a.colour_g, b.colour_g) && same(a.colour_b, b.colour_b));
  ASSERT_EQ(a.emitters.size(), b.emitters.size());
  for (std::size_t i = 0; i < a.emitters.size(); ++i) {
    EXPECT_EQ(a.emitters[i].name, b.emitters[i].name);
    EXPECT_EQ(difference(kEmitterKeys, a.emitters[i], b.emitters[i]), "") << a.emitters[i].name;
  }
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
      {"title = \"Test\"", "title = \"\"", "spells/test.toml:1: title: 0 bytes of text; 1 … 64 fit"},
      {"\"bolt\"", "\"bolz\"", "spells/test.toml:2: behaviour: 'bolz' is unknown; did you mean 'bolt'?"},
      {"\"bolt\"", "\"teapot\"", "spells/test.toml:2: behaviour: 'teapot' is unknown; known are bolt, nova, vortex"},
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
       "spells/test.toml:11: burst.on_death: goes round in a circle: burst → burst"},
      {"life_s = 1\n", "life_s = 1\non_death = \"burst\"\n",
       "spells/test.toml:11: burst.on_death: goes round in a circle: burst → puff → burst"},
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
  EXPECT_NE(error_of("a = " + std::string(4000, '[')), "");
  EXPECT_NE(error_of("a = [" + std::string(4000, '{')), "");
  std::string dotted = "a";
  for (int i = 0; i < 2000; ++i) dotted += ".a";
  EXPECT_NE(error_of("[" + dotted + "]\n" + dotted + " = 1\n"), "");
  EXPECT_EQ(error_of("\na = " + std::string(100000, '[')), "spells/test.toml:2: the line is longer than 4096 bytes");
  EXPECT_EQ(error_of(std::string((std::size_t{1} << 20) + 1, '#')),
            "spells/test.toml:1: the file is larger than 1048576 bytes");
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

/// A random value of each kind that a key can have, inside its range.
class RandomSpell {
 public:
  explicit RandomSpell(u64 seed) : rng_(seed) {}

  SpellDef make() {
    SpellDef spell;
    spell.id = "random";
    fill(kSpellKeys, spell);
    const LinearColour hue = colour(255);
    spell.colour_r = hue.r;
    spell.colour_g = hue.g;
    spell.colour_b = hue.b;
    const u32 count = 1 + rng_.below(kMaxEmitters);
    for (u32 i = 0; i < count; ++i) {
      EmitterDef emitter;
      fill(kEmitterKeys, emitter);
      emitter.name = "e" + std::to_string(i * 7919 % 100) + "_" + std::to_string(i);
      // Towards earlier emitters only, so that no chain is a circle.
      emitter.on_death = i > 0 && rng_.below(3) == 0 ? spell.emitters[rng_.below(i)].name : "";
      spell.emitters.push_back(std::move(emitter));
    }
    return spell;
  }

 private:
  template <class Keys, class Owner>
  void fill(const Keys& keys, Owner& owner) {
    for (const auto& key : keys) {
      std::visit(
          [&](auto member) {
            if constexpr (std::is_member_object_pointer_v<decltype(member)>) value(owner.*member, key.low, key.high);
          },
          key.member);
    }
  }
  float number(double low, double high) {
    switch (rng_.below(4)) {
      case 0:
        return static_cast<float>(low);
      case 1:
        return static_cast<float>(high);
      case 2:
        return static_cast<float>(low + (high - low) * 1e-6 * rng_.unit());
      default:
        return static_cast<float>(low + (high - low) * rng_.unit());
    }
  }
  LinearColour colour(u32 alpha) {
    LinearColour out;
    out.r = linear_from_srgb(static_cast<u8>(rng_.below(256)));
    out.g = linear_from_srgb(static_cast<u8>(rng_.below(256)));
    out.b = linear_from_srgb(static_cast<u8>(rng_.below(256)));
    out.a = static_cast<float>(alpha) / 255.0f;
    return out;
  }
  void value(float& out, double low, double high) { out = number(low, high); }
  void value(u32& out, double low, double high) {
    out = static_cast<u32>(low) + rng_.below(static_cast<u32>(high - low) + 1);
  }
  void value(Range& out, double low, double high) {
    out.low = number(low, high);
    out.high = number(low, high);
    if (out.low > out.high) std::swap(out.low, out.high);
  }
  void value(std::string& out, double, double) {
    static constexpr std::string_view kLetters[] = {"a", "Z", "\"", "\\", "#", "'", "é", "火", " ", "=", "]", "\\n"};
    out.assign(1, 't');
    for (u32 i = rng_.below(12); i > 0; --i) out += kLetters[rng_.below(std::size(kLetters))];
  }
  void value(SpellBehaviour& out, double, double) {
    out = static_cast<SpellBehaviour>(rng_.below(kSpellBehaviours.size()));
  }
  void value(SoundId& out, double, double) { out = static_cast<SoundId>(rng_.below(kSoundCount)); }
  void value(EmitShape& out, double, double) { out = static_cast<EmitShape>(rng_.below(kEmitShapes.size())); }
  void value(ParticleShape& out, double, double) {
    out = static_cast<ParticleShape>(rng_.below(kParticleShapes.size()));
  }
  void value(ParticleLayer& out, double, double) {
    out = static_cast<ParticleLayer>(rng_.below(kParticleLayers.size()));
  }
  float rising(u32 i, u32 count) { return (static_cast<float>(i) + 0.9f * rng_.unit()) / static_cast<float>(count); }
  void value(std::vector<SizeKey>& out, double, double) {
    out.clear();
    const u32 count = 1 + rng_.below(kMaxCurveKeys);
    for (u32 i = 0; i < count; ++i) {
      const float t = rising(i, count);
      out.push_back({t, number(0, kMaxSizeFactor)});
    }
  }
  void value(std::vector<ColourKey>& out, double, double) {
    out.clear();
    const u32 count = 1 + rng_.below(kMaxCurveKeys);
    for (u32 i = 0; i < count; ++i) {
      const float t = rising(i, count);
      const LinearColour c = colour(rng_.below(256));
      out.push_back({t, c.r, c.g, c.b, c.a});
    }
  }

  Rng rng_;
};

TEST(SpellFile, WhatIsWrittenReadsBackTheSame) {
  for (u64 seed = 0; seed < 150; ++seed) {
    const SpellDef spell = RandomSpell(seed).make();
    const SpellFileResult again = parse_spell(format_spell(spell), "random.toml");
    ASSERT_EQ(again.error, "") << "seed " << seed;
    expect_same(spell, *again.spell);
    if (HasFailure()) FAIL() << "seed " << seed;
  }
}

TEST(SpellFile, ShippedSpellsSurviveWritingAndReading) {
  for (const std::string_view name : kSpellFiles) {
    const SpellFileResult first = read_spell_file(kSpells + std::string(name) + ".toml");
    ASSERT_EQ(first.error, "");
    const SpellFileResult again = parse_spell(format_spell(*first.spell), std::string(name) + ".toml");
    ASSERT_EQ(again.error, "");
    expect_same(*first.spell, *again.spell);
  }
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
