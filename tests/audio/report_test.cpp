// Figures to judge the sounds by; off unless asked for:
//   SPELLPOOL_SOUND_DIR=/tmp/sounds test_audio --gtest_also_run_disabled_tests --gtest_filter='SoundReport.*'
#include <gtest/gtest.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "audio/offline_audio.hpp"
#include "fight.hpp"
#include "played.hpp"
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

/// Both channels, once with the master gain of the game and once so low that the limiter never acts.
struct Heard {
  std::vector<float> normal, unlimited;
  MixerStats stats;
  double spent_s = 0;
};

Heard hear(u64 seconds, std::vector<frame::AudioEvent> (*events_of)(u64, Rng&)) {
  Heard heard;
  for (const bool normal : {true, false}) {
    MixerOptions options;
    if (!normal) options.master_gain *= 0.01f;
    OfflineAudio audio(options, game_sounds());
    std::vector<float>& out = normal ? heard.normal : heard.unlimited;
    Rng looks(1);
    const auto begin = std::chrono::steady_clock::now();
    for (u64 step = 0; step < seconds * 60; ++step) {
      const std::span<const float> part = audio.advance_step(events_of(step, looks));
      out.insert(out.end(), part.begin(), part.end());
    }
    if (normal) {
      heard.spent_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
      heard.stats = audio.stats();
    }
    const std::span<const float> last = audio.finish();
    out.insert(out.end(), last.begin(), last.end());
  }
  for (float& sample : heard.unlimited) sample *= 100.0f;
  return heard;
}

void report(const char* name, u64 seconds, std::vector<frame::AudioEvent> (*events_of)(u64, Rng&), const char* folder) {
  const Heard heard = hear(seconds, events_of);
  if (folder != nullptr) write_wav(std::string(folder) + "/" + name + ".wav", heard.normal, 2, 48'000);
  double most_db = 0.0;
  std::size_t limited = 0, clipped = 0;
  for (std::size_t i = 0; i < heard.normal.size(); ++i) {
    const double size = std::fabs(static_cast<double>(heard.normal[i]));
    const double wanted = std::fabs(static_cast<double>(heard.unlimited[i]));
    clipped += size >= 0.999 ? 1 : 0;
    if (wanted < 0.05) continue;
    const double reduction = signal::db(wanted / size);
    most_db = reduction > most_db ? reduction : most_db;
    limited += reduction > 1.0 ? 1 : 0;
  }
  std::printf(
      "%s: peak %.2f dBFS (unlimited %.2f), rms %.1f dB, %.1f LUFS, loudest 400 ms %.1f; limiter at most %.1f dB, "
      "above 1 dB in %.2f %% of samples; %zu clipped\n",
      name, signal::db(signal::peak(heard.normal)), signal::db(signal::peak(heard.unlimited)),
      signal::db(signal::rms(heard.normal)), signal::lufs(heard.normal, 48'000),
      signal::loudest_lufs(heard.normal, 48'000), most_db,
      100.0 * static_cast<double>(limited) / static_cast<double>(heard.normal.size()), clipped);
  const auto number = [](u64 count) { return static_cast<unsigned long long>(count); };
  std::printf("    %llu started, peak %u of %u voices, %llu merged, %llu stolen, %llu rejected; %.4f of real time\n",
              number(heard.stats.started), heard.stats.peak, heard.stats.voices, number(heard.stats.merged),
              number(heard.stats.stolen), number(heard.stats.rejected), heard.spent_s / static_cast<double>(seconds));
}

TEST(SoundReport, DISABLED_PrintsFiguresOfEverySoundAndOfTwoScenes) {
  const char* folder = std::getenv("SPELLPOOL_SOUND_DIR");
  const TestBank bank;
  std::printf("%-16s %7s %6s %7s %9s %9s %8s %8s %8s\n", "sound", "ms", "peak", "rms dB", "centroid", "LUFS max",
              "DC dB", "first", "last");
  for (const frame::SoundName& row : frame::kSounds) {
    const std::vector<float> samples = samples_of(bank[row.id]);
    std::vector<float> stereo(2 * (samples.size() + 48'000), 0.0f);
    for (std::size_t i = 0; i < samples.size(); ++i) stereo[2 * i] = stereo[2 * i + 1] = samples[i] * 0.70710678f;
    std::printf("%-16s %7.0f %6.2f %7.1f %9.0f %9.1f %8.1f %8.5f %8.5f\n", std::string(row.name).c_str(),
                static_cast<double>(samples.size()) / 48.0, signal::peak(samples), signal::db(signal::rms(samples)),
                signal::centroid_hz(samples, 48'000), signal::loudest_lufs(stereo, 48'000),
                signal::db(std::fabs(signal::mean(samples)) / signal::peak(samples)),
                static_cast<double>(samples.front()), static_cast<double>(samples.back()));
    if (folder != nullptr) write_wav(std::string(folder) + "/" + std::string(row.name) + ".wav", samples, 1, 48'000);
  }
  report("fight", 30, fight_step, folder);
  report("scene", 63, scene_step, folder);
}

TEST(SoundReport, DISABLED_PrintsCostOfAVoice) {
  for (const u32 voices : {1u, 8u, 24u, 64u}) {
    MixerOptions options;
    options.voices = voices;
    options.merge = false;
    TestBank bank;
    std::vector<float> tone(48'000 * 20);
    for (std::size_t i = 0; i < tone.size(); ++i) tone[i] = 0.1f * std::sin(0.03f * static_cast<float>(i % 2000));
    bank.set(frame::SoundId::FireCast, tone);
    Mixer mixer(options, bank);
    frame::AudioEvent event;
    event.pitch_steps = -1;
    for (u32 i = 0; i < voices; ++i) mixer.play(event);
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
