#include "ui/editor/sound_editor.hpp"

#include <cmath>
#include <type_traits>

#include "frame/defs/sound_keys.hpp"
#include "panel_fixture.hpp"
#include "ui/kit/controls.hpp"

namespace spellpool::ui {
namespace {

using frame::SoundDef;
using frame::SoundId;

/// The app's part too: what was asked for is what the view shows in the next frame.
class SoundEditing : public Panels {
 protected:
  void SetUp() override {
    Panels::SetUp();
    show(1280, 1000);  // every field in sight
    for (SoundDef& def : filed) {
      def.tones.resize(2);
      def.noises.resize(1);
    }
    played = filed;
    for (std::size_t i = 0; i < left.size(); ++i) left[i] = right[i] = std::sin(static_cast<float>(i) * 0.05f) * 0.5f;
    scene.model.sound_editor.open = true;
    scene.model.sound_editor.left = left;
    scene.model.sound_editor.right = right;
    scene.model.sound_editor.sample_rate_hz = 48'000;
  }
  static std::size_t place(SoundId sound) { return static_cast<std::size_t>(sound); }
  SoundDef& now() { return played[place(scene.model.sound_editor.sound)]; }

  frame::PanelRequests frame() {
    frame::SoundEditorView& view = scene.model.sound_editor;
    view.def = &now();
    view.filed = &filed[place(view.sound)];
    view.dirty = !(*view.def == *view.filed);
    const frame::PanelRequests requests = draw(scene.model);
    const frame::SoundEditorRequests& asked = requests.sound_editor;
    if (asked.changed != nullptr) {
      played[place(asked.sound)] = *asked.changed;
      ++changes;
    }
    if (asked.play) heard.push_back(asked.sound);
    if (asked.save) filed[place(asked.sound)] = played[place(asked.sound)], ++saves;
    if (asked.select) view.sound = asked.sound;
    return requests;
  }
  void press(ControlKind kind, std::size_t index = 0) {
    for (int i = 0; i < 2; ++i) frame();
    click_with(kind, index, [&] { frame(); });
    leave();
  }
  void leave() {
    mouse(-1, -1, false);
    frame();
  }
  void drag(std::size_t row, float from, float to) {
    frame();
    frame();
    const Control* control = state_.layout.find(ControlKind::FieldSlider, row);
    ASSERT_NE(control, nullptr) << row;
    const Rect box = control->rect;
    mouse(box.x0 + box.width() * from, box.middle_y(), false);
    frame();
    for (int i = 0; i <= 5; ++i) {
      mouse(box.x0 + box.width() * (from + (to - from) * static_cast<float>(i) / 5), box.middle_y(), true);
      frame();
    }
    mouse(box.x0 + box.width() * to, box.middle_y(), false);
    frame();
    frame();
  }

  Scene scene;
  std::array<SoundDef, frame::kSoundCount> played, filed;
  std::array<float, 24'000> left{}, right{};
  std::vector<SoundId> heard;
  int changes = 0, saves = 0;
};

TEST_F(SoundEditing, ADragIsPlayedAllAlongHeardOnceAndIsOneStep) {
  const SoundDef before = now();
  drag(1, 0.1f, 0.9f);  // peak
  EXPECT_NEAR(now().peak, 0.9f, 0.06f);
  EXPECT_GT(changes, 2);
  EXPECT_EQ(heard.size(), 1u) << "when the mouse lets go";
  EXPECT_EQ(state_.sound.past.size(), 1u);
  press(ControlKind::SoundButton, 1);
  EXPECT_EQ(now(), before);
  press(ControlKind::SoundButton, 2);
  EXPECT_NEAR(now().peak, 0.9f, 0.06f);
  press(ControlKind::SoundAloud);
  heard.clear();
  drag(1, 0.9f, 0.2f);
  EXPECT_TRUE(heard.empty());
  EXPECT_NEAR(now().peak, 0.2f, 0.06f);
}

TEST_F(SoundEditing, LayersAreAddedCopiedAndRemoved) {
  press(ControlKind::SoundAdd, 0);
  EXPECT_EQ(now().tones.size(), 3u);
  press(ControlKind::SoundAdd, 1);
  EXPECT_EQ(now().noises.size(), 2u);
  press(ControlKind::SoundPart, 1);
  drag(0, 0.2f, 0.75f);
  const float amplitude = now().tones[0].amplitude;
  EXPECT_NEAR(amplitude, 0.75f, 0.06f);
  press(ControlKind::SoundCopy);
  ASSERT_EQ(now().tones.size(), 4u);
  EXPECT_EQ(now().tones[3], now().tones[0]);
  EXPECT_EQ(state_.sound.part, 4u) << "the copy is chosen";
  press(ControlKind::SoundRemove);
  EXPECT_EQ(now().tones.size(), 3u);
  press(ControlKind::SoundPart, 5);  // the second noise
  press(ControlKind::SoundRemove);
  EXPECT_EQ(now().noises.size(), 1u);
  for (int i = 0; i < 6; ++i) press(ControlKind::SoundButton, 1);
  EXPECT_EQ(now(), filed[0]) << "every step undone";
  for (int i = 0; i < 6; ++i) press(ControlKind::SoundButton, 2);
  EXPECT_EQ(now().tones.size(), 3u);
  EXPECT_FLOAT_EQ(now().tones[0].amplitude, amplitude);
}

TEST_F(SoundEditing, NeverRemovesTheLastLayerNorAddsTooMany) {
  now().tones.resize(1);
  now().noises.clear();
  press(ControlKind::SoundPart, 1);
  EXPECT_EQ(state_.layout.find(ControlKind::SoundRemove), nullptr);
  now().tones.resize(frame::kMostTones);
  now().noises.resize(frame::kMostNoises);
  for (const std::size_t part : {std::size_t{1}, frame::kMostTones + 1}) {
    state_.sound.part = part;
    frame();
    frame();
    EXPECT_EQ(state_.layout.find(ControlKind::SoundAdd, 0), nullptr);
    EXPECT_EQ(state_.layout.find(ControlKind::SoundAdd, 1), nullptr);
    EXPECT_EQ(state_.layout.find(ControlKind::SoundCopy), nullptr);
  }
}

TEST_F(SoundEditing, EveryFieldHasAControl) {
  frame();
  frame();
  for (const std::size_t row : {0u, 1u, 2u, 20u, 21u, 22u}) EXPECT_NE(state_.layout.find(ControlKind::FieldSlider, row), nullptr) << row;
  for (std::size_t drop = 40; drop < 45; ++drop) EXPECT_EQ(state_.layout.find(ControlKind::FieldDrop, drop) != nullptr, drop != 42) << drop;
  press(ControlKind::SoundPart, 1);
  for (std::size_t row = 0; row < 14; ++row) EXPECT_NE(state_.layout.find(ControlKind::FieldSlider, row), nullptr) << row;
  EXPECT_NE(state_.layout.find(ControlKind::FieldDrop, 42), nullptr);
  press(ControlKind::SoundPart, 3);
  for (std::size_t row = 0; row < 10; ++row) EXPECT_NE(state_.layout.find(ControlKind::FieldSlider, row), nullptr) << row;
  EXPECT_EQ(state_.layout.find(ControlKind::FieldDrop, 42), nullptr) << "noise has no wave";
}

/// All numbers among these keys, as the owner has them.
template <class Keys, class Owner, class F>
void for_each_number(const Keys& keys, const Owner& owner, const F& f) {
  for (const auto& key : keys) {
    std::visit(
        [&](auto member) {
          using Value = std::remove_cvref_t<decltype(owner.*member)>;
          if constexpr (std::is_arithmetic_v<Value> && !std::is_same_v<Value, bool>) f(key, static_cast<double>(owner.*member));
        },
        key.member);
  }
}

TEST_F(SoundEditing, WhatIsTypedEndsWhereAFileWouldBeRefused) {
  const auto type_all = [&](std::initializer_list<std::size_t> rows, const char* text) {
    for (const std::size_t row : rows) {
      press(ControlKind::FieldText, row * 2);
      ImGui::GetIO().AddInputCharactersUTF8(text);
      click_at(20, 20, [&] { frame(); });
      leave();
    }
  };
  constexpr std::array kTexts = {"1e30", "-1e30"};
  for (std::size_t end = 0; end < 2; ++end) {
    const auto expect_at_end = [&](const auto& key, double value) {
      if (key.name == "priority") return;  // a list, not a field
      EXPECT_EQ(value, static_cast<double>(static_cast<float>(end == 0 ? key.high : key.low))) << key.name;
    };
    state_.sound.part = 0;
    type_all({0, 1, 2, 20, 21, 22}, kTexts[end]);
    for_each_number(frame::kSoundKeys, now(), expect_at_end);
    for_each_number(frame::kVoiceKeys, now().traits, expect_at_end);
    state_.sound.part = 1;
    type_all({0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13}, kTexts[end]);
    for_each_number(frame::kToneKeys, now().tones[0], expect_at_end);
    state_.sound.part = 3;
    type_all({0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, kTexts[end]);
    for_each_number(frame::kNoiseKeys, now().noises[0], expect_at_end);
    if (HasFailure()) return;
  }
}

TEST_F(SoundEditing, AListsChoiceIsAStep) {
  press(ControlKind::FieldDrop, 40);
  press(ControlKind::DropItem, static_cast<std::size_t>(frame::SoundGroup::Interface));
  EXPECT_EQ(now().traits.group, frame::SoundGroup::Interface);
  press(ControlKind::FieldDrop, 43);
  press(ControlKind::DropItem, 1);
  EXPECT_TRUE(now().traits.kept);
  press(ControlKind::FieldDrop, 45);
  press(ControlKind::DropItem, 1);
  EXPECT_TRUE(now().traits.own);
  press(ControlKind::SoundPart, 1);
  press(ControlKind::FieldDrop, 42);
  press(ControlKind::DropItem, static_cast<std::size_t>(frame::Wave::Fm));
  EXPECT_EQ(now().tones[0].wave, frame::Wave::Fm);
  EXPECT_EQ(state_.sound.past.size(), 4u);
}

TEST_F(SoundEditing, PlaysSavesAndRevertsTheSoundThatIsShown) {
  scene.model.sound_editor.sound = SoundId::Bomb;
  press(ControlKind::SoundButton, 0);
  ASSERT_EQ(heard.size(), 1u);
  EXPECT_EQ(heard[0], SoundId::Bomb);
  EXPECT_EQ(state_.layout.find(ControlKind::SoundButton, 3), nullptr) << "nothing to revert";
  drag(0, 0.1f, 0.8f);
  const SoundDef edited = now();
  EXPECT_NE(edited, filed[place(SoundId::Bomb)]);
  press(ControlKind::SoundButton, 3);
  EXPECT_EQ(now(), filed[place(SoundId::Bomb)]);
  press(ControlKind::SoundButton, 1);
  EXPECT_EQ(now(), edited) << "a revert can be undone";
  press(ControlKind::SoundButton, 4);
  EXPECT_EQ(saves, 1);
  EXPECT_EQ(filed[place(SoundId::Bomb)], edited);
  EXPECT_EQ(filed[0], SoundDef(played[0])) << "no other sound was touched";
}

TEST_F(SoundEditing, UndoGoesBackToTheSoundThatTheStepWasAbout) {
  drag(1, 0.1f, 0.9f);
  press(ControlKind::SoundChoice);
  press(ControlKind::DropItem, 3);
  EXPECT_EQ(scene.model.sound_editor.sound, static_cast<SoundId>(3));
  drag(1, 0.9f, 0.1f);
  EXPECT_NEAR(played[3].peak, 0.1f, 0.06f);
  press(ControlKind::SoundButton, 1);
  EXPECT_EQ(played[3], filed[3]);
  press(ControlKind::SoundButton, 1);
  EXPECT_EQ(scene.model.sound_editor.sound, static_cast<SoundId>(0));
  EXPECT_EQ(played[0], filed[0]);
  press(ControlKind::SoundButton, 2);
  EXPECT_NEAR(played[0].peak, 0.9f, 0.06f);
  press(ControlKind::SoundButton, 2);
  EXPECT_EQ(scene.model.sound_editor.sound, static_cast<SoundId>(3));
  EXPECT_NEAR(played[3].peak, 0.1f, 0.06f);
}

TEST_F(SoundEditing, AFileThatChangesOnDiskIsAStepThatCanBeUndone) {
  drag(1, 0.1f, 0.9f);
  const SoundDef edited = now();
  now().length_s = 3;  // the library read it again
  frame();
  EXPECT_FLOAT_EQ(state_.sound.working.length_s, 3.0f);
  EXPECT_EQ(state_.sound.past.size(), 2u);
  press(ControlKind::SoundButton, 1);
  EXPECT_EQ(now(), edited);
}

TEST_F(SoundEditing, ARecordingHasNoFields) {
  scene.model.sound_editor.recorded = true;
  frame();
  frame();
  EXPECT_EQ(state_.layout.find(ControlKind::SoundPart, 0), nullptr);
  EXPECT_EQ(state_.layout.find(ControlKind::SoundButton, 4), nullptr);
  press(ControlKind::SoundButton, 0);
  EXPECT_EQ(heard.size(), 1u);
}

TEST_F(SoundEditing, TheWaveformReachesAsFarAsTheSamples) {
  const auto columns = [&] {  // vertices of the left channel's colour
    frame();
    frame();
    float highest = 1e9f, lowest = -1e9f;
    const ImDrawData& data = *ImGui::GetDrawData();
    for (int i = 0; i < data.CmdListsCount; ++i) {
      for (const ImDrawVert& v : data.CmdLists[i]->VtxBuffer) {
        if (v.col != kBlue) continue;
        highest = std::min(highest, v.pos.y);
        lowest = std::max(lowest, v.pos.y);
      }
    }
    return lowest - highest;
  };
  left.fill(0);
  const float flat = columns();
  left[12'345] = 0.9f;  // a single sample is seen
  left[20'000] = -0.9f;
  const float high = columns();
  EXPECT_LE(flat, 2.0f);
  EXPECT_GT(high, 30.0f);
  left.fill(std::numeric_limits<float>::quiet_NaN());
  columns();
}

TEST_F(SoundEditing, LiesInsideWithWholeTextsAtAnySize) {
  scene.model.sound_editor.message = "assets/sounds/bomb.toml:12: 'decay_s' must be 0.005 … 16, got -1; the last good version stays";
  for (const bool inter : {true, false}) {
    use_fonts(inter);
    for (const auto& [width, height] : {std::pair{640.0f, 360.0f}, {1280.0f, 720.0f}, {1920.0f, 1080.0f}, {800.0f, 1200.0f}}) {
      show(width, height);
      for (const float scale : {0.75f, 1.0f, 2.0f}) {
        scene.model.text_scale = scale * height / 720.0f;
        for (const std::size_t part : {0u, 1u, 3u}) {
          for (const bool voices : {false, true}) {
            scene.model.voices_open = voices;
            state_.sound.part = part;
            frame();
            frame();
            const std::string what = std::to_string(static_cast<int>(width)) + " scale " + std::to_string(scale) + " part " + std::to_string(part) +
                                     (voices ? " with voices" : "") + (inter ? " Inter" : " own font");
            expect_in_order(state_.layout, what);
            EXPECT_EQ(state_.layout.shortened_texts, 0u) << what;
            const bool told = !state_.layout.of(Part::Waiting).empty();
            EXPECT_TRUE(told || !state_.layout.of(Part::SoundEditor).empty()) << what;
            EXPECT_TRUE(told || !voices || !state_.layout.of(Part::Voices).empty()) << what;
            if (HasFailure()) return;
          }
        }
      }
    }
  }
}

TEST_F(SoundEditing, SurvivesASoundThatIsNotThere) {
  frame();
  scene.model.sound_editor.def = scene.model.sound_editor.filed = nullptr;
  scene.model.sound_editor.left = scene.model.sound_editor.right = {};
  draw(scene.model);
  draw(scene.model);
  EXPECT_FALSE(state_.layout.of(Part::SoundEditor).empty());
  scene.model.editor_open = true;  // the spell editor comes first
  draw(scene.model);
  EXPECT_TRUE(state_.layout.of(Part::SoundEditor).empty());
}

}  // namespace
}  // namespace spellpool::ui
