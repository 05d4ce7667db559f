#include "app/sound/sound_controller.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <thread>

namespace spellpool::app {
namespace {

namespace fs = std::filesystem;
using frame::SoundId;

class SoundControllerTest : public testing::Test {
 protected:
  static constexpr u32 kRate_hz = 8'000;
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("spellpool_sound_controller_" + std::string(testing::UnitTest::GetInstance()->current_test_info()->name()) + std::to_string(::getpid()));
    fs::create_directories(folder_);
    library_ = std::make_unique<SoundLibrary>(SoundLibrary::Folders{folder_.string(), {}});
    bank_ = library_->bank(kRate_hz);
    library_->watch();
    controller_ = std::make_unique<SoundController>(*library_);
  }
  void TearDown() override {
    controller_.reset();
    library_.reset();
    fs::remove_all(folder_);
  }
  frame::SoundEditorView view() {
    bank_ = library_->bank(kRate_hz);
    return controller_->view(true, *bank_);
  }
  /// Frames until the controller wants something heard; ends by the test's own time limit otherwise.
  frame::AudioEvent heard() {
    for (;;) {
      library_->update();
      if (const std::optional<frame::AudioEvent> event = controller_->update()) return *event;
      std::this_thread::yield();
    }
  }
  static frame::SoundEditorRequests about(SoundId sound) {
    frame::SoundEditorRequests requests;
    requests.sound = sound;
    return requests;
  }

  fs::path folder_;
  std::unique_ptr<SoundLibrary> library_;
  std::shared_ptr<const audio::SoundBank> bank_;
  std::unique_ptr<SoundController> controller_;
};

TEST_F(SoundControllerTest, ShowsTheSoundThatWasSelectedAndOpensForIt) {
  EXPECT_FALSE(controller_->take({}));
  frame::SoundEditorRequests requests = about(SoundId::Bomb);
  requests.select = true;
  EXPECT_TRUE(controller_->take(requests));
  const frame::SoundEditorView shown = view();
  EXPECT_EQ(shown.sound, SoundId::Bomb);
  EXPECT_EQ(*shown.def, library_->def(SoundId::Bomb));
  EXPECT_FALSE(shown.dirty);
  EXPECT_EQ(shown.left.size(), (*bank_)[SoundId::Bomb].frames());
  EXPECT_FALSE(controller_->view(false, *bank_).open);
}

TEST_F(SoundControllerTest, AChangedSoundIsHeardOnlyOnceItIsRendered) {
  frame::SoundEditorRequests requests = about(SoundId::Graze);
  requests.select = requests.play = true;
  frame::SoundDef changed = library_->def(SoundId::Graze);
  changed.length_s = 1.25f;
  requests.changed = &changed;
  controller_->take(requests);
  EXPECT_FALSE(controller_->update().has_value()) << "the bank still has the old one";
  EXPECT_EQ(*view().def, changed) << "what was asked for is shown at once";
  EXPECT_TRUE(view().dirty);
  EXPECT_EQ(heard().sound, SoundId::Graze);
  EXPECT_EQ(view().left.size(), static_cast<std::size_t>(1.25f * kRate_hz));
  EXPECT_FALSE(controller_->update().has_value()) << "once";
  // Back to what it was before it could be rendered: nothing to render, and yet it is heard.
  frame::SoundDef other = changed;
  other.length_s = 2;
  requests.changed = &other;
  controller_->take(requests);
  requests.changed = &changed;
  controller_->take(requests);
  EXPECT_EQ(heard().sound, SoundId::Graze);
  EXPECT_EQ(view().left.size(), static_cast<std::size_t>(1.25f * kRate_hz));
}

TEST_F(SoundControllerTest, SavesAndGoesBackToTheFile) {
  const frame::SoundDef before = library_->def(SoundId::Graze);
  frame::SoundDef changed = before;
  changed.peak = 0.125f;
  frame::SoundEditorRequests requests = about(SoundId::Graze);
  requests.select = true;
  requests.changed = &changed;
  controller_->take(requests);
  frame::SoundEditorRequests revert = about(SoundId::Graze);
  revert.revert = true;
  controller_->take(revert);
  EXPECT_EQ(*view().def, before);
  requests.save = true;
  controller_->take(requests);
  while (view().dirty) {
    library_->update();
    std::this_thread::yield();
  }
  std::ifstream file(folder_ / "graze.toml");
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  EXPECT_NE(text.find("0.125"), std::string::npos);
}

TEST_F(SoundControllerTest, WhatAFileMayNotSayIsToldAndNeitherPlayedNorSaved) {
  frame::SoundDef wrong = library_->def(SoundId::Graze);
  wrong.length_s = 90;
  frame::SoundEditorRequests requests = about(SoundId::Graze);
  requests.select = requests.save = true;
  requests.changed = &wrong;
  controller_->take(requests);
  EXPECT_NE(view().message.find("length_s"), std::string_view::npos) << view().message;
  EXPECT_NE(*view().def, wrong);
  EXPECT_FALSE(fs::exists(folder_ / "graze.toml"));
  requests = about(SoundId::Bomb);
  requests.select = true;
  controller_->take(requests);
  EXPECT_TRUE(view().message.empty()) << "it was about another sound";
}

TEST(PanelSounds, AreTheInterfacesOwn) {
  std::set<SoundId> all;
  SoundLibrary library({SPELLPOOL_SOURCE_DIR "/assets/sounds", {}});
  library.bank(8'000);
  for (const frame::PanelSound sound : {frame::PanelSound::Move, frame::PanelSound::Accept, frame::PanelSound::Back, frame::PanelSound::Toggle,
                                        frame::PanelSound::Refuse, frame::PanelSound::Pause, frame::PanelSound::Resume}) {
    all.insert(panel_sound(sound).sound);
    EXPECT_EQ(library.def(panel_sound(sound).sound).traits.group, frame::SoundGroup::Interface) << static_cast<int>(sound);
  }
  EXPECT_EQ(all.size(), 7u);
}

}  // namespace
}  // namespace spellpool::app
