// How loud a minute of each scene is, as the program writes it: by EBU R 128 (libebur128).
#include <ebur128.h>
#include <sndfile.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "audio/music.hpp"
#include "program.hpp"

namespace spellpool::app {
namespace {

class Loudness : public ProgramTest {
 protected:
  struct Heard {
    double lufs = 0.0;
    double peak = 0.0;
    double longest_silence_s = 0.0;
    double seconds = 0.0;
  };

  /// A minute of autoplay.
  Heard hear(const std::string& scene, const std::string& arguments = "") {
    const Outcome outcome = run("--sim-only --autoplay --scene " + scene + " --steps 3600 --audio-out heard.wav " + arguments);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    SF_INFO info{};
    SNDFILE* file = sf_open(path("heard.wav").c_str(), SFM_READ, &info);
    if (file == nullptr) {
      ADD_FAILURE() << "no heard.wav: " << sf_strerror(nullptr);
      return {};
    }
    std::vector<float> samples(static_cast<std::size_t>(info.frames) * 2);
    EXPECT_EQ(sf_readf_float(file, samples.data(), info.frames), info.frames);
    sf_close(file);
    EXPECT_EQ(info.channels, 2);

    Heard heard;
    heard.seconds = static_cast<double>(info.frames) / info.samplerate;
    ebur128_state* meter = ebur128_init(2, static_cast<unsigned long>(info.samplerate), EBUR128_MODE_I);
    ebur128_add_frames_float(meter, samples.data(), static_cast<std::size_t>(info.frames));
    EXPECT_EQ(ebur128_loudness_global(meter, &heard.lufs), EBUR128_SUCCESS);
    ebur128_destroy(&meter);
    double silent_s = 0.0;
    for (std::size_t i = 0; i < samples.size(); i += 2) {
      const double level = std::max(std::abs(samples[i]), std::abs(samples[i + 1]));
      heard.peak = std::max(heard.peak, level);
      silent_s = level < 0.001 ? silent_s + 1.0 / info.samplerate : 0.0;  // −60 dBFS
      heard.longest_silence_s = std::max(heard.longest_silence_s, silent_s);
    }
    RecordProperty(scene + "_lufs", std::to_string(heard.lufs));
    return heard;
  }
};

TEST_F(Loudness, AMinuteOfEachSceneIsNeitherFaintNorHardNorSilent) {
  for (const std::string scene : {"spells", "shooter"}) {
    for (const std::string seed : {"", "--seed 77"}) {
      SCOPED_TRACE(scene + " " + seed);
      const Heard heard = hear(scene, seed);
      EXPECT_NEAR(heard.seconds, 60.0, 1e-6);
      EXPECT_GT(heard.lufs, -24.0);
      EXPECT_LT(heard.lufs, -12.0);
      EXPECT_LE(heard.peak, 1.0);
      EXPECT_GT(heard.peak, 0.1);
      EXPECT_LE(heard.longest_silence_s, static_cast<double>(audio::kLongestRest_s));
    }
  }
}

}  // namespace
}  // namespace spellpool::app
