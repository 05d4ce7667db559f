// The sound reader under any bytes: no crash, errors of one line, numbers within their ranges, and what was read is written so that it reads
// back the same.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "content/game/sound_file.hpp"
#include "frame/defs/sound_keys.hpp"

namespace {

using namespace spellpool;

void expect(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "sound_fuzz: %s\n", what);
  std::abort();
}

template <class Owner, class Keys>
void check_numbers(const Owner& owner, const Keys& keys) {
  for (const auto& key : keys) {
    std::visit(
        [&](auto member) {
          const auto& value = owner.*member;
          using Value = std::decay_t<decltype(value)>;
          if constexpr (std::is_same_v<Value, float>) {
            expect(value >= static_cast<float>(key.low) && value <= static_cast<float>(key.high), "a number is out of its range");
          } else if constexpr (std::is_integral_v<Value> && !std::is_same_v<Value, bool>) {
            expect(static_cast<double>(value) >= key.low && static_cast<double>(value) <= key.high, "a whole number is out of its range");
          }
        },
        key.member);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const content::SoundFileResult result = content::parse_sound(text, "fuzz.toml");
  if (!result.sound) {
    expect(result.error.rfind("fuzz.toml:", 0) == 0, "the error does not name the file");
    expect(result.error.size() < 1500 && result.error.find_first_of("\n\r\x1b") == std::string::npos, "the error is no line");
    return 0;
  }
  expect(result.error.empty(), "a sound and an error");
  const frame::SoundDef& sound = *result.sound;
  check_numbers(sound, frame::kSoundKeys);
  check_numbers(sound.traits, frame::kVoiceKeys);
  expect(!sound.tones.empty() || !sound.noises.empty(), "no layer");
  expect(sound.tones.size() <= frame::kMostTones && sound.noises.size() <= frame::kMostNoises, "too many layers");
  expect(static_cast<std::size_t>(sound.traits.group) < frame::kSoundGroupCount, "no group");
  for (const frame::ToneDef& tone : sound.tones) {
    check_numbers(tone, frame::kToneKeys);
    expect(static_cast<std::size_t>(tone.wave) < frame::kWaves.size(), "no wave");
  }
  for (const frame::NoiseDef& noise : sound.noises) check_numbers(noise, frame::kNoiseKeys);
  for (const std::string_view old : {std::string_view{}, text}) {
    const content::SoundFileResult again = content::parse_sound(content::format_sound(sound, old), "again.toml");
    expect(again.sound.has_value(), "what was written is refused");
    expect(*again.sound == sound, "what was written is another sound");
  }
  return 0;
}
