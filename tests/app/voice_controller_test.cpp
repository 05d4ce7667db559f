#include "app/sound/voice_controller.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "../support/scratch_folder.hpp"
#include "../support/until.hpp"
#include "app/library/sound_library.hpp"
#include "platform/audio_device.hpp"
#include "platform/events.hpp"
#include "program.hpp"

namespace spellpool::app {
namespace {

namespace fs = std::filesystem;
using frame::VoicePolicy;
using test::ScopedVariable;
using test::ScratchFolder;

/// The built-in sounds, rendered once.
std::shared_ptr<const audio::SoundBank> sounds() {
  static const std::shared_ptr<const audio::SoundBank> kBank = SoundLibrary({"", ""}).bank(48'000);
  return kBank;
}

class VoiceControllerTest : public testing::Test {
 protected:
  void SetUp() override { open({}); }
  void open(VoiceChoice choice) {
    controller_.reset();
    mixer_ = std::make_unique<audio::Mixer>(mixer_options(choice), sounds());
    controller_ = std::make_unique<VoiceController>(*mixer_, choice);
  }
  void render(u32 frames) {
    std::vector<float> block(2 * std::size_t{frames});
    mixer_->render(block);
  }
  std::string folder() const { return scratch_.path().string(); }

  ScratchFolder scratch_;
  std::unique_ptr<audio::Mixer> mixer_;
  std::unique_ptr<VoiceController> controller_;
};

TEST_F(VoiceControllerTest, BurstIsTwoHundredSoundsOfWhichEachPolicyKeepsAsManyAsThereAreSlots) {
  for (const frame::VoicePolicyRow& row : frame::kVoicePolicies) {
    VoiceChoice choice;
    choice.policy = row.id;
    open(choice);
    frame::VoiceRequests requests;
    requests.burst = true;
    controller_->take(requests, folder(), "");
    render(512);
    controller_->update();
    const frame::VoicesView view = controller_->view(true, "");
    EXPECT_EQ(view.mixer.started + view.mixer.rejected, VoiceController::kBurstSounds)
        << row.name << ": none is merged, none dropped";
    EXPECT_EQ(view.mixer.active, 32u) << row.name;
    EXPECT_EQ(view.mixer.virtual_voices, row.id == VoicePolicy::Virtual ? 168u : 0u) << row.name;
  }
}

TEST_F(VoiceControllerTest, WhatThePanelAsksForIsDone) {
  frame::VoiceRequests requests;
  requests.set_policy = requests.set_slots = requests.set_storage = true;
  requests.policy = VoicePolicy::Virtual;
  requests.slots = 5;
  requests.storage = frame::VoiceStorage::Heap;
  controller_->take(requests, folder(), "");
  render(512);
  frame::VoicesView view = controller_->view(true, "a device");
  EXPECT_EQ(view.policy, VoicePolicy::Virtual);
  EXPECT_EQ(view.storage, frame::VoiceStorage::Heap);
  EXPECT_EQ(view.mixer.voices, 5u);
  EXPECT_EQ(view.device, "a device");
  requests.slots = 1'000'000;
  controller_->take(requests, folder(), "");
  render(512);
  EXPECT_EQ(controller_->view(true, "").mixer.voices, audio::kMostSlots);
}

TEST_F(VoiceControllerTest, TheSameSoundsAreRecordedUnderTwoPolicies) {
  VoiceChoice choice;
  choice.slots = 4;
  open(choice);
  frame::VoiceRequests requests;
  requests.record = true;
  requests.other_policy = VoicePolicy::StealOldest;
  controller_->take(requests, folder(), "");
  EXPECT_EQ(controller_->view(true, "").record.state, frame::VoiceRecordView::State::Recording);
  std::vector<frame::AudioEvent> events(1);
  for (u64 step = 0; step < 300; ++step) {
    events[0].sound = static_cast<frame::SoundId>(step % 20);
    events[0].gain = step % 3 == 0 ? 0.9f : 0.1f;
    events[0].unmerged = true;
    controller_->hear(events, true);
    render(800);
    EXPECT_EQ(controller_->update(), "");
  }
  EXPECT_NEAR(controller_->view(true, "").record.progress, 0.5f, 0.01f);
  controller_->take(requests, folder(), "");  // ends it early
  controller_->finish();
  const std::string line = controller_->update();
  EXPECT_THAT(line, testing::HasSubstr("steal_quietest"));
  EXPECT_THAT(line, testing::HasSubstr("steal_oldest"));
  EXPECT_EQ(controller_->view(true, "").record.state, frame::VoiceRecordView::State::Done);
  const fs::path quietest = scratch_ / "voices_4_steal_quietest.wav", oldest = scratch_ / "voices_4_steal_oldest.wav";
  ASSERT_TRUE(fs::exists(quietest));
  ASSERT_TRUE(fs::exists(oldest));
  EXPECT_EQ(fs::file_size(quietest), 44u + (300 + 120) * 800 * 4);
  EXPECT_EQ(fs::file_size(oldest), fs::file_size(quietest));
  const auto bytes = [](const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(file), {});
  };
  EXPECT_NE(bytes(quietest), bytes(oldest)) << "other voices gave way";
}

TEST_F(VoiceControllerTest, RecordingNothingOrNowhereIsToldInALine) {
  frame::VoiceRequests requests;
  requests.record = true;
  controller_->take(requests, "", "no folder for recordings");
  EXPECT_EQ(controller_->view(true, "").record.text, "no folder for recordings");
  controller_->take(requests, folder(), "");
  controller_->take(requests, folder(), "");
  EXPECT_EQ(controller_->view(true, "").record.state, frame::VoiceRecordView::State::Failed);
  EXPECT_THAT(std::string(controller_->view(true, "").record.text), testing::HasSubstr("Nothing was heard"));
  controller_->take(requests, "/nonexistent/folder", "");
  controller_->hear(std::vector<frame::AudioEvent>(3), true);
  controller_->take(requests, "/nonexistent/folder", "");
  controller_->finish();
  controller_->update();
  EXPECT_EQ(controller_->view(true, "").record.state, frame::VoiceRecordView::State::Failed);
}

// A real callback on SDL's own thread, which is closed and opened again in the middle of it.
TEST_F(VoiceControllerTest, PlaysThroughARealDeviceThatComesAndGoes) {
  const ScopedVariable driver("SDL_AUDIODRIVER", "dummy");
  struct Both {
    audio::Mixer& mixer;
    VoiceController& controller;
    std::atomic<u32> calls{0};
  } both{*mixer_, *controller_};
  platform::AudioDevice device(
      [](void* self, float* samples, int frames) {
        auto& b = *static_cast<Both*>(self);
        b.mixer.render({samples, static_cast<std::size_t>(frames) * 2});
        b.controller.report_load(1'000, static_cast<u32>(frames));
        b.calls.fetch_add(1);
      },
      &both);
  ASSERT_TRUE(device.open());
  device.start();
  mixer_->show_board(true);
  frame::VoiceRequests requests;
  requests.burst = true;
  for (int round = 0; round < 6; ++round) {
    requests.set_policy = requests.set_storage = requests.set_slots = true;
    requests.policy = static_cast<VoicePolicy>(round % 5);
    requests.storage = static_cast<frame::VoiceStorage>(round % 2);
    requests.slots = static_cast<u32>(8 + 20 * round);
    controller_->take(requests, folder(), "");
    both.calls = 0;
    ASSERT_TRUE(test::until([&] {
      controller_->update();
      controller_->view(true, "");
      return both.calls.load() >= 6;
    }));
    platform::FrameEvents gone;
    gone.audio_removed[0] = device.id();
    gone.audio_removed_count = 1;
    device.update(gone, i64{round} * 100'000'000'000);
    EXPECT_TRUE(device.is_open());
  }
  device.close();
  controller_->update();
  const frame::VoicesView view = controller_->view(false, "");
  EXPECT_EQ(view.mixer.started + view.mixer.rejected, 6u * VoiceController::kBurstSounds);
  EXPECT_GT(view.peak_load, 0.0f);
}

class VoiceOptions : public ProgramTest {};

TEST_F(VoiceOptions, PolicyAndSlotsAreHeardAndTheStorageIsNot) {
  const std::string play = "--sim-only --autoplay --steps 900 --voices 6 ";
  ASSERT_EQ(run(play + "--audio-out a.wav --json a.json").exit_code, 0);
  ASSERT_EQ(run(play + "--voice-storage heap --audio-out b.wav").exit_code, 0);
  ASSERT_EQ(run(play + "--voice-policy steal_oldest --audio-out c.wav").exit_code, 0);
  EXPECT_EQ(read("a.wav"), read("b.wav"));
  EXPECT_NE(read("a.wav"), read("c.wav"));
  const auto audio = read_json("a.json")["audio"];
  EXPECT_EQ(audio["voices"], 6);
  EXPECT_EQ(audio["peak"], 6);
  EXPECT_GT(audio["stolen"], 10);
  for (const std::string bad : {"--voices 0", "--voices 4097", "--voices many", "--voice-policy loudest", "--voice-storage disk"}) {
    const Outcome outcome = run("--sim-only --steps 1 " + bad);
    EXPECT_EQ(outcome.exit_code, 2) << bad;
    EXPECT_THAT(outcome.err, testing::HasSubstr(bad.substr(0, bad.find(' '))));
  }
}

}  // namespace
}  // namespace spellpool::app
