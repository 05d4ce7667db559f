#include "content/game/sound_file.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "core/rng.hpp"
#include "frame/defs/sound_keys.hpp"

namespace spellpool::content {
namespace {

using namespace frame;

std::string read_whole(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::string error_of(const std::string& text) {
  const SoundFileResult result = parse_sound(text, "assets/sounds/x.toml");
  EXPECT_FALSE(result.sound.has_value()) << text;
  return result.error;
}

/// Numbers of all kinds within the ranges, ends among them.
template <class Owner, class Keys>
void randomise(Owner& owner, const Keys& keys, Rng& rng) {
  for (const auto& key : keys) {
    std::visit(
        [&](auto member) {
          auto& value = owner.*member;
          using Value = std::decay_t<decltype(value)>;
          const u32 how = rng.below(8);
          const float share = rng.unit();
          if constexpr (std::is_same_v<Value, float>) {
            if (how > 4) return;  // stays at its default
            value = how == 0 ? static_cast<float>(key.low) : how == 1 ? static_cast<float>(key.high) : static_cast<float>(key.low + (key.high - key.low) * static_cast<double>(share));
          } else if constexpr (std::is_same_v<Value, bool>) {
            value = how % 2 == 0;
          } else if constexpr (std::is_same_v<Value, Wave>) {
            value = static_cast<Wave>(how % kWaves.size());
          } else if constexpr (std::is_same_v<Value, SoundGroup>) {
            value = static_cast<SoundGroup>(how % kSoundGroupCount);
          } else {
            value = static_cast<Value>(key.low + (key.high - key.low) * static_cast<double>(share));
          }
        },
        key.member);
  }
}

SoundDef random_sound(u64 seed) {
  Rng rng(seed);
  SoundDef sound;
  randomise(sound, kSoundKeys, rng);
  randomise(sound.traits, kVoiceKeys, rng);
  sound.tones.resize(1 + rng.below(kMostTones));
  sound.noises.resize(rng.below(kMostNoises + 1));
  for (ToneDef& tone : sound.tones) randomise(tone, kToneKeys, rng);
  for (NoiseDef& noise : sound.noises) randomise(noise, kNoiseKeys, rng);
  return sound;
}

TEST(SoundFile, WhatIsWrittenReadsBackBitForBit) {
  for (u64 seed = 0; seed < 400; ++seed) {
    const SoundDef sound = random_sound(seed);
    const std::string text = format_sound(sound);
    const SoundFileResult again = parse_sound(text, "again.toml");
    ASSERT_TRUE(again.sound.has_value()) << again.error << text;
    ASSERT_EQ(*again.sound, sound) << text;
    EXPECT_EQ(format_sound(*again.sound, text), text) << "and is written the same again";
  }
}

TEST(SoundFile, DefaultsAreLeftOutAndTheHeadCommentStays) {
  SoundDef sound;
  sound.tones.resize(1);
  EXPECT_EQ(format_sound(sound, "# A ping.\n# Two lines.\nlength_s = 3.0 # lost\n"), "# A ping.\n# Two lines.\nlength_s = 0.5\n\n[[tone]]\n");
  EXPECT_EQ(format_sound(sound, "# no line end"), "# no line end\nlength_s = 0.5\n\n[[tone]]\n");
  EXPECT_EQ(format_sound(sound).rfind("# docs/sounds.md", 0), 0u);
}

TEST(SoundFile, EveryKeyIsRead) {
  const std::string text = read_whole(SPELLPOOL_SOURCE_DIR "/tests/fuzz/corpus/sound/every_key");
  const SoundFileResult result = parse_sound(text, "every_key.toml");
  ASSERT_TRUE(result.sound.has_value()) << result.error;
  for (const auto* rows : {&result.sound->tones}) ASSERT_EQ(rows->size(), 1u);
  // Every value differs from its default, so a key that went astray is missing in what is written.
  const std::string written = format_sound(*result.sound);
  const auto all_in = [&](const auto& keys) {
    for (const auto& key : keys) EXPECT_NE(written.find("\n" + std::string(key.name) + " = "), std::string::npos) << key.name;
  };
  all_in(kSoundKeys);
  all_in(kVoiceKeys);
  all_in(kToneKeys);
  all_in(kNoiseKeys);
  EXPECT_EQ(result.sound->traits.group, SoundGroup::Interface);
  EXPECT_EQ(result.sound->tones[0].wave, Wave::Fm);
  EXPECT_EQ(result.sound->noises[0].crackles_per_s, 60.0f);
  EXPECT_EQ(result.sound->degree, -3);
}

TEST(SoundFile, ErrorsNameFileLineKeyAndMend) {
  EXPECT_EQ(error_of("length_s = 9.0\n[[tone]]\n"), "assets/sounds/x.toml:1: length_s: 9 is out of range (0.05 … 8)");
  EXPECT_EQ(error_of("[[tone]]\n"), "assets/sounds/x.toml:1: the key 'length_s' is missing");
  EXPECT_EQ(error_of("length_s = 1\nlenght_s = 2\n[[tone]]\n"), "assets/sounds/x.toml:2: unknown key 'lenght_s'; did you mean 'length_s'?");
  EXPECT_EQ(error_of("length_s = 1\n[[nois]]\n"), "assets/sounds/x.toml:2: unknown key 'nois'; did you mean 'noise'?");
  EXPECT_EQ(error_of("length_s = 1\n[[tone]]\nwave = \"triangel\"\n"), "assets/sounds/x.toml:3: tone.wave: 'triangel' is unknown; did you mean 'triangle'?");
  EXPECT_EQ(error_of("length_s = 1\n[[tone]]\ndecay_s = 'long'\n"), "assets/sounds/x.toml:3: tone.decay_s: 'long' is not a number");
  EXPECT_EQ(error_of("length_s = 1\n[[tone]]\n[voice]\npriority = 1.5\n"), "assets/sounds/x.toml:4: voice.priority: 1.5 is not a whole number");
  EXPECT_EQ(error_of("length_s = 1\n[[tone]]\n[voice]\nkept = 1\n"), "assets/sounds/x.toml:4: voice.kept: 1 is neither true nor false");
  EXPECT_EQ(error_of("length_s = 1\n[[noise]]\nfrom_hz = nan\n"), "assets/sounds/x.toml:3: noise.from_hz: nan is not a finite number");
  EXPECT_EQ(error_of("length_s = 1\ntone = 3\n"), "assets/sounds/x.toml:2: tone: 3 is not a list of tables [[tone]]");
  EXPECT_EQ(error_of("length_s = 1\nvoice = 3\n[[tone]]\n"), "assets/sounds/x.toml:2: voice: 3 is not a table [voice]");
  EXPECT_NE(error_of("length_s = 1\n").find("neither a [[tone]] nor a [[noise]]"), std::string::npos);
  std::string crowd = "length_s = 1\n";
  for (std::size_t i = 0; i <= kMostTones; ++i) crowd += "[[tone]]\n";
  EXPECT_EQ(error_of(crowd), "assets/sounds/x.toml:18: tone: 17 layers; 16 is the most");
}

TEST(SoundFile, EverySoundIsShippedReadableAndBuiltIn) {
  for (const SoundName& row : kSounds) {
    const std::string path = SPELLPOOL_SOURCE_DIR "/assets/sounds/" + std::string(row.name) + ".toml";
    const std::string text = read_whole(path);
    ASSERT_FALSE(text.empty()) << path;
    EXPECT_EQ(text[0], '#') << path << " says first what it sounds like";
    const SoundFileResult result = parse_sound(text, path);
    ASSERT_TRUE(result.sound.has_value()) << result.error;
    EXPECT_EQ(*result.sound, builtin_sound(row.id)) << "the program was built with another " << path;
  }
  for (const auto& entry : std::filesystem::directory_iterator(SPELLPOOL_SOURCE_DIR "/assets/sounds")) {
    EXPECT_TRUE(find_by_name<SoundId>(kSounds, entry.path().stem().string()).has_value()) << entry.path() << " is no sound's";
  }
  EXPECT_GE(kSoundCount, 40u);
}

TEST(SoundFile, TheDocsHaveTheTableOfAllKeys) {
  const std::string docs = read_whole(SPELLPOOL_SOURCE_DIR "/docs/sounds.md");
  EXPECT_NE(docs.find(sound_keys_tables()), std::string::npos) << "put this into docs/sounds.md:\n" << sound_keys_tables();
}

}  // namespace
}  // namespace spellpool::content
