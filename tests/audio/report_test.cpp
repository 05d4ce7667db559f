// Figures to judge the sounds by; off unless asked for:
//   SPELLPOOL_SOUND_DIR=/tmp/sounds test_audio --gtest_also_run_disabled_tests --gtest_filter='SoundReport.*'
#include <gtest/gtest.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "audio/offline_audio.hpp"
#include "fight.hpp"
#include "signal.hpp"

namespace spellpool::audio {
namespace {

void write_wav(const std::string& path, std::span<const float> samples, u16 channels, u32 rate_hz) {
  std::FILE* file = std::fopen(path.c_str(), "wb");
  if (file == nullptr) return;
  const u32 bytes = static_cast<u32>(samples.size() * sizeof(float));
  const auto put = [&](auto value) { std::fwrite(&value, sizeof value, 1, file); };
  std::fputs("RIFF", file);
  put(36 + bytes);
  std::fputs("WAVEfmt ", file);
  put(u32{16});
  put(u16{3});  // float
  put(channels);
  put(rate_hz);
  put(u32{rate_hz * channels * 4u});
  put(static_cast<u16>(channels * 4));
  put(u16{32});
  std::fputs("data", file);
  put(bytes);
  std::fwrite(samples.data(), sizeof(float), samples.size(), file);
  std::fclose(file);
}

TEST(SoundReport, DISABLED_PrintsFiguresOfEverySoundAndOfAFight) {
  const char* folder = std::getenv("SPELLPOOL_SOUND_DIR");
  const SoundBank bank(48'000);
  std::printf("%-16s %7s %7s %7s %9s %9s\n", "sound", "ms", "peak", "rms dB", "centroid", "LUFS max");
  for (const frame::SoundName& row : frame::kSounds) {
    const std::vector<float>& samples = bank[row.id].samples;
    std::vector<float> stereo(2 * (samples.size() + 48'000), 0.0f);
    for (std::size_t i = 0; i < samples.size(); ++i) stereo[2 * i] = stereo[2 * i + 1] = samples[i] * 0.70710678f;
    std::printf("%-16s %7.0f %7.2f %7.1f %9.0f %9.1f\n", std::string(row.name).c_str(),
                static_cast<double>(samples.size()) / 48.0, signal::peak(samples), signal::db(signal::rms(samples)),
                signal::centroid_hz(samples, 48'000), signal::lufs(stereo, 48'000));
    if (folder != nullptr) write_wav(std::string(folder) + "/" + std::string(row.name) + ".wav", samples, 1, 48'000);
  }
  OfflineAudio audio;
  Rng looks(1);
  std::vector<float> heard;
  const auto begin = std::chrono::steady_clock::now();
  for (u64 step = 0; step < 30 * 60; ++step) {
    const std::span<const float> part = audio.advance_step(fight_step(step, looks));
    heard.insert(heard.end(), part.begin(), part.end());
  }
  const double spent_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  const std::span<const float> last = audio.finish();
  heard.insert(heard.end(), last.begin(), last.end());
  if (folder != nullptr) write_wav(std::string(folder) + "/fight.wav", heard, 2, 48'000);
  const MixerStats stats = audio.stats();
  std::printf(
      "fight: peak %.2f dBFS, rms %.1f dB, %.1f LUFS, %llu started, %llu stolen, %llu rejected; %.4f of real time\n",
      signal::db(signal::peak(heard)), signal::db(signal::rms(heard)), signal::lufs(heard, 48'000),
      static_cast<unsigned long long>(stats.started), static_cast<unsigned long long>(stats.stolen),
      static_cast<unsigned long long>(stats.rejected), spent_s / 30.0);
}

TEST(SoundReport, DISABLED_PrintsCostOfAVoice) {
  for (const u32 voices : {1u, 8u, 64u}) {
    MixerOptions options;
    options.voices = voices;
    SoundBank bank(48'000);
    std::vector<float> tone(48'000 * 20);
    for (std::size_t i = 0; i < tone.size(); ++i) tone[i] = 0.1f * std::sin(0.03f * static_cast<float>(i % 2000));
    bank[frame::SoundId::FireCast].assign(tone, 0);
    Mixer mixer(options, bank);
    frame::AudioEvent event;
    event.pitch_steps = -1;
    for (u32 i = 0; i < voices; ++i) mixer.post(event);
    std::vector<float> block(2 * 512);
    double best_ns = 1e18;
    for (int round = 0; round < 300; ++round) {
      const auto begin = std::chrono::steady_clock::now();
      mixer.render(block);
      const double ns = std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - begin).count();
      best_ns = ns < best_ns ? ns : best_ns;
    }
    std::printf("%2u voices: %.1f ns a frame, %.2f us a block of 512\n", voices, best_ns / 512, best_ns / 1000);
  }
}

}  // namespace
}  // namespace spellpool::audio
