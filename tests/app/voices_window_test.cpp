// The voice panel in a real window, by its key and by clicks.
#include "frame/action.hpp"
#include "window_program.hpp"

namespace spellpool::app {
namespace {

class VoicesWindow : public WindowProgram {
 protected:
  static constexpr const char* kSize = "--width 1280 --height 720";
  static constexpr int kBurst = 200, kSlots = 32;
};

TEST_F(VoicesWindow, ItsKeyOpensItAndAnotherPolicyLetsOthersGiveWay) {
  const std::string burst_under = "xdotool key i; shown voice_rows; press voice_policy ";
  const auto audio_after = [&](const std::string& policy) {
    const Outcome outcome = play("", burst_under + policy + "; press voice_burst 0; press voice_burst 0; xdotool key i; gone voice_rows; kill -INT $PID", kSize);
    EXPECT_EQ(outcome.exit_code, 130) << outcome.err;
    return read_json("a.json")["audio"];
  };
  // What the music sounds meanwhile depends on how long it takes, so only what two bursts come to at least.
  const auto rejects = audio_after("0"), oldest = audio_after("1"), goes_on = audio_after("4");
  EXPECT_GE(rejects["rejected"], 2 * (kBurst - kSlots) - kSlots);
  EXPECT_EQ(rejects["stolen"], 0);
  EXPECT_GE(oldest["stolen"], 2 * (kBurst - kSlots) - kSlots);
  EXPECT_EQ(oldest["rejected"], 0);
  EXPECT_GE(goes_on["made_virtual"], kBurst - kSlots);
  EXPECT_EQ(goes_on["rejected"], 0);
  for (const auto& audio : {rejects, oldest, goes_on}) {
    EXPECT_EQ(audio["peak"], kSlots);
    EXPECT_EQ(audio["dropped"], 0);
  }
}

TEST_F(VoicesWindow, SlotsAreHalvedAndTheEditorOpensFromThePanel) {
  const Outcome outcome = play("--panels voices",
                               "shown voice_rows; press voice_halve 0; press voice_halve 0; press voice_burst 0\n"
                               "press ask " + std::to_string(static_cast<int>(frame::Action::SoundEditor)) + "; shown sound_editor; press sound_button 0\n"
                               "xdotool key 0; gone sound_editor; kill -INT $PID", kSize);
  EXPECT_EQ(outcome.exit_code, 130) << outcome.err;
  EXPECT_EQ(read_json("a.json")["audio"]["voices"], 8);
}

class HeadlessVoices : public ProgramTest {};

TEST_F(HeadlessVoices, APictureShowsTheMixThatWouldBeWritten) {
  const std::string play = "--headless --autoplay --steps 300 --voices 12 --width 1280 --height 720 --screenshot a.png --layout-out l.json --panels ";
  const Outcome voices = run(play + "voices");
  if (voices.exit_code == 2 && voices.err.find("OpenGL") != std::string::npos) GTEST_SKIP() << "skipped: no GL";
  ASSERT_EQ(voices.exit_code, 0) << voices.err;
  const auto count = [&](const char* kind) {
    std::size_t found = 0;
    const auto layout = read_json("l.json");
    for (const auto& control : layout["controls"]) found += control["kind"] == kind;
    return found;
  };
  EXPECT_GE(count("voice_row"), 3u) << "a row that plays can be clicked, a free one not";
  EXPECT_LE(count("voice_row"), 12u);
  ASSERT_EQ(run(play + "sounds").exit_code, 0);
  EXPECT_GE(count("sound_part"), 2u) << "the sound's own, and a layer at least";
}

}  // namespace
}  // namespace spellpool::app
