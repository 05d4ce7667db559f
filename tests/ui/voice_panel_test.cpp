#include "ui/panels/voice_panel.hpp"

#include "panel_fixture.hpp"
#include "ui/kit/controls.hpp"

namespace spellpool::ui {
namespace {

using frame::VoicePolicy;
using frame::VoiceRow;
using frame::VoiceStorage;

class VoicePanel : public Panels {
 protected:
  VoicePanel() {
    voices.mixer.voices = voices.mixer.active = 32;
    voices.device_open = true;
    voices.device = "48,000 Hz, 512 frames";
    scene.model.voices_open = true;
    fill(32, 4);
  }

  /// All slots taken, and so many voices that are virtual.
  void fill(u32 slots, u32 virtual_voices) {
    rows.assign(slots + virtual_voices, {});
    for (std::size_t i = 0; i < rows.size(); ++i) {
      VoiceRow& row = rows[i];
      row.state = i < slots ? VoiceRow::State::Playing : VoiceRow::State::Virtual;
      row.sound = static_cast<frame::SoundId>(i % frame::kSoundCount);
      row.priority = static_cast<u8>(i % 4);
      row.kept = i == 0;
      row.level = 0.5f / static_cast<float>(i + 1);
      row.score = row.level * 2;
      row.age_s = 1.0f + static_cast<float>(i) * 0.3f;
      row.serial = i + 1;
    }
    voices.mixer.voices = slots;
    voices.mixer.active = slots;
    voices.mixer.virtual_voices = virtual_voices;
    voices.rows = rows;
    tell();
  }
  void steal(std::size_t slot, frame::SoundId stealing_voice) {
    VoiceRow& row = rows[slot];
    row.stole_from = row.serial;
    row.victim = row.sound;
    row.sound = stealing_voice;
    row.serial += 10'000;
    row.age_s = 0.01f;
    tell();
  }
  void tell() { scene.model.voices = voices; }

  /// One frame: what voices and the editor were asked for adds up in `asked`.
  frame::PanelRequests frame(float dt_s = 1.0f / 60.0f) {
    tell();
    const frame::PanelRequests some = draw(scene.model, dt_s);
    const frame::VoiceRequests& v = some.voices;
    if (v.set_policy) asked.set_policy = true, asked.policy = v.policy;
    if (v.set_storage) asked.set_storage = true, asked.storage = v.storage;
    if (v.set_slots) asked.set_slots = true, asked.slots = v.slots;
    if (v.burst) asked.burst = true, ++bursts;
    if (v.record) asked.record = true, asked.other_policy = v.other_policy;
    if (some.sound_editor.select) selected = some.sound_editor.sound;
    if (some.sound != frame::PanelSound::None) heard = some.sound;
    return some;
  }
  void press(ControlKind kind, std::size_t index = 0) {
    asked = {};
    selected.reset();
    heard = frame::PanelSound::None;
    for (int i = 0; i < 2; ++i) frame();
    click_with(kind, index, [&] { frame(); });
    mouse(-1, -1, false);
  }
  /// A text that was drawn anywhere in this frame would be too hard to find; the layout and what flashes are not.
  const VoiceSlotMemory& slot(std::size_t i) const { return state_.voices.slots[i]; }

  Scene scene;
  frame::VoicesView voices;
  std::vector<VoiceRow> rows;
  frame::VoiceRequests asked;
  std::optional<frame::SoundId> selected;
  frame::PanelSound heard{};
  int bursts = 0;
};

TEST_F(VoicePanel, APolicyThatIsClickedIsAskedFor) {
  for (const frame::VoicePolicyRow& row : frame::kVoicePolicies) {
    voices.policy = row.id == VoicePolicy::Reject ? VoicePolicy::Virtual : VoicePolicy::Reject;
    press(ControlKind::VoicePolicy, static_cast<std::size_t>(row.id));
    EXPECT_TRUE(asked.set_policy) << row.name;
    EXPECT_EQ(asked.policy, row.id);
    EXPECT_FALSE(asked.set_storage || asked.set_slots || asked.burst || asked.record);
    EXPECT_EQ(heard, frame::PanelSound::Toggle);
    voices.policy = row.id;
    press(ControlKind::VoicePolicy, static_cast<std::size_t>(row.id));
    EXPECT_FALSE(asked.set_policy) << "it is that already";
  }
}

TEST_F(VoicePanel, AStorageThatIsClickedIsAskedFor) {
  voices.storage = VoiceStorage::Pool;
  press(ControlKind::VoiceStorage, static_cast<std::size_t>(VoiceStorage::Heap));
  EXPECT_TRUE(asked.set_storage);
  EXPECT_EQ(asked.storage, VoiceStorage::Heap);
  voices.storage = VoiceStorage::Heap;
  press(ControlKind::VoiceStorage, static_cast<std::size_t>(VoiceStorage::Pool));
  EXPECT_EQ(asked.storage, VoiceStorage::Pool);
}

TEST_F(VoicePanel, SlotsAreHalvedAndDoubledWithinTheirLimits) {
  press(ControlKind::VoiceDouble);
  EXPECT_TRUE(asked.set_slots);
  EXPECT_EQ(asked.slots, 64u);
  press(ControlKind::VoiceHalve);
  EXPECT_EQ(asked.slots, 16u);
  press(ControlKind::VoiceFew);
  EXPECT_EQ(asked.slots, 12u);
  fill(frame::kMostVoiceSlots, 0);
  press(ControlKind::VoiceDouble);
  EXPECT_FALSE(asked.set_slots) << "there are no more";
  fill(1, 0);
  press(ControlKind::VoiceHalve);
  EXPECT_FALSE(asked.set_slots) << "one is the least";
}

TEST_F(VoicePanel, TheSlidersEndsAreOneAndAllAndItAsksOnceWhenItIsLetGo) {
  for (const bool upper : {false, true}) {
    frame();
    const Control* slider = state_.layout.find(ControlKind::VoiceSlider);
    ASSERT_NE(slider, nullptr);
    const float x = upper ? slider->rect.x1 - 1 : slider->rect.x0 + 1, y = slider->rect.middle_y();
    int times = 0;
    u32 slots = 0;
    for (const bool down : {false, true, true, true, false, false}) {
      mouse(x, y, down);
      const frame::PanelRequests some = frame();
      if (!some.voices.set_slots) continue;
      ++times;
      slots = some.voices.slots;
      EXPECT_FALSE(down);
    }
    EXPECT_EQ(times, 1);
    EXPECT_EQ(slots, upper ? frame::kMostVoiceSlots : frame::kLeastVoiceSlots);
  }
}

TEST_F(VoicePanel, ABurstIsAskedForOnceAClick) {
  press(ControlKind::VoiceBurst);
  EXPECT_TRUE(asked.burst);
  EXPECT_EQ(bursts, 1);
}

TEST_F(VoicePanel, RecordingSetsAnotherPolicyBesideThisOne) {
  for (const VoicePolicy now : {VoicePolicy::StealQuietest, VoicePolicy::StealOldest, VoicePolicy::Virtual}) {
    voices.policy = now;
    press(ControlKind::VoiceRecord);
    EXPECT_TRUE(asked.record);
    EXPECT_NE(asked.other_policy, now) << "a policy beside itself says nothing";
  }
  // Another is chosen from the list, which has all but the one that plays.
  voices.policy = VoicePolicy::StealQuietest;
  press(ControlKind::VoiceOther);
  frame();
  EXPECT_NE(state_.layout.find(ControlKind::DropItem, frame::kVoicePolicies.size() - 2), nullptr);
  EXPECT_EQ(state_.layout.find(ControlKind::DropItem, frame::kVoicePolicies.size() - 1), nullptr);
  press(ControlKind::DropItem, 0);
  press(ControlKind::VoiceRecord);
  EXPECT_EQ(asked.other_policy, VoicePolicy::Reject);
}

TEST_F(VoicePanel, ARowOpensItsSoundInTheEditor) {
  press(ControlKind::VoiceRow, 5);
  ASSERT_TRUE(selected);
  EXPECT_EQ(*selected, rows[5].sound);
  press(ControlKind::VoiceRow, 33);  // a virtual one
  ASSERT_TRUE(selected);
  EXPECT_EQ(*selected, rows[33].sound);
  rows[5].state = VoiceRow::State::Free;
  frame();
  EXPECT_EQ(state_.layout.find(ControlKind::VoiceRow, 5), nullptr) << "nothing sounds there";
}

TEST_F(VoicePanel, AStolenSlotTellsThiefAndVictimForAWhile) {
  frame();
  for (std::size_t i = 0; i < 32; ++i) EXPECT_GE(slot(i).steal_s, kStealShown_s) << "what is seen first is no steal";
  const frame::SoundId victim = rows[7].sound;
  steal(7, frame::SoundId::Bomb);
  frame();
  EXPECT_FLOAT_EQ(slot(7).steal_s, rows[7].age_s);
  EXPECT_EQ(slot(7).stealing_voice, frame::SoundId::Bomb);
  EXPECT_EQ(slot(7).victim, victim);
  EXPECT_EQ(state_.voices.steals[0], 7u);
  EXPECT_GE(slot(8).steal_s, kStealShown_s);
  // The stealing_voice may end at once: that it came can still be read.
  rows[7].state = VoiceRow::State::Free;
  for (int i = 0; i < 30; ++i) frame(kStealShown_s / 60);
  EXPECT_LT(slot(7).steal_s, kStealShown_s);
  for (int i = 0; i < 40; ++i) frame(kStealShown_s / 60);
  EXPECT_GE(slot(7).steal_s, kStealShown_s);
  // A start in a free slot is no steal; one that happened while nobody looked is none either.
  rows[3].serial = 77'777;
  rows[3].stole_from = 0;
  rows[3].age_s = 0.01f;
  steal(4, frame::SoundId::Shot);
  rows[4].age_s = 5;
  frame();
  EXPECT_GE(slot(3).steal_s, kStealShown_s);
  EXPECT_GE(slot(4).steal_s, kStealShown_s);
}

/// Vertices of this colour family: a flash is a fill in the warning's yellow with some opacity.
std::size_t bright_vertices(ImU32 colour, u32 least_alpha) {
  std::size_t count = 0;
  const ImDrawData& data = *ImGui::GetDrawData();
  for (int i = 0; i < data.CmdListsCount; ++i) {
    for (const ImDrawVert& v : data.CmdLists[i]->VtxBuffer) {
      if ((v.col & ~IM_COL32_A_MASK) == (colour & ~IM_COL32_A_MASK) && (v.col >> IM_COL32_A_SHIFT) >= least_alpha &&
          (v.col >> IM_COL32_A_SHIFT) < 190) {
        ++count;
      }
    }
  }
  return count;
}

TEST_F(VoicePanel, ATheftsLightFollowsTheSettingForFlashes) {
  for (VoiceRow& row : rows) row.level = 0.001f;  // no meter in that colour
  scene.pool.rejected_this_second = 0;            // nor a badge
  const auto light = [&](frame::Amount amount, u32 least_alpha) {
    scene.settings.looks.flash = amount;
    for (int i = 0; i < 3; ++i) frame(1.0f);
    steal(9, frame::SoundId::Bomb);
    frame();
    return bright_vertices(kYellow, least_alpha);
  };
  EXPECT_GT(light(frame::Amount::Full, 120), 0u);
  EXPECT_EQ(light(frame::Amount::Reduced, 120), 0u);
  EXPECT_GT(light(frame::Amount::Reduced, 30), 0u);
  EXPECT_EQ(light(frame::Amount::Off, 10), 0u) << "the words and their edge tell it";
}

TEST_F(VoicePanel, ManySlotsAreCellsThatCanBePointedAt) {
  fill(1'024, 40);
  frame();
  frame();
  EXPECT_EQ(state_.layout.find(ControlKind::VoiceRow, 0), nullptr);
  const Control* grid = state_.layout.find(ControlKind::VoiceGrid);
  ASSERT_NE(grid, nullptr);
  press(ControlKind::VoiceGrid);
  ASSERT_TRUE(selected) << "all slots are taken, so one lies in the middle";
  steal(1'000, frame::SoundId::Bomb);
  frame();
  EXPECT_EQ(state_.voices.steals[0], 1'000u);
}

TEST_F(VoicePanel, LeavesTheGamesMiddleFreeBesideThePanels) {
  frame();
  const Rect left = state_.layout.of(Part::Voices), right = state_.layout.of(Part::VoiceRows);
  ASSERT_FALSE(left.empty());
  ASSERT_FALSE(right.empty());
  EXPECT_LT(left.x1, 640.0f - 270);
  EXPECT_GT(right.x0, 640.0f + 270);
  scene.model.sound_editor.open = true;
  frame();
  EXPECT_TRUE(state_.layout.of(Part::VoiceRows).empty());
  EXPECT_FALSE(state_.layout.of(Part::Voices).empty());
  EXPECT_FALSE(state_.layout.of(Part::SoundEditor).empty());
  scene.model.sound_editor.open = false;
  scene.model.hidden = true;
  frame();
  EXPECT_TRUE(state_.layout.of(Part::Voices).empty());
}

TEST_F(VoicePanel, TheDefaultSlotsAreAllInSightAtTheUsualSizes) {
  for (const auto& [width, height, scale] : {std::tuple{1280.0f, 720.0f, 1.0f}, {1920.0f, 1080.0f, 1.5f}, {1920.0f, 1080.0f, 1.0f}}) {
    show(width, height);
    scene.model.text_scale = scale;
    fill(32, 0);
    frame();
    frame();
    for (std::size_t i = 0; i < 32; ++i) EXPECT_NE(state_.layout.find(ControlKind::VoiceRow, i), nullptr) << i << " at " << width;
    for (const ControlKind kind : {ControlKind::VoicePolicy, ControlKind::VoiceStorage, ControlKind::VoiceSlider, ControlKind::VoiceBurst, ControlKind::VoiceRecord}) {
      EXPECT_NE(state_.layout.find(kind), nullptr) << static_cast<int>(kind);
    }
  }
}

TEST_F(VoicePanel, RowsKeepTheirSizeWhenVirtualVoicesComeAndGo) {
  const auto height = [&](u32 virtual_voices) {
    fill(32, virtual_voices);
    frame();
    frame();
    const Control* row = state_.layout.find(ControlKind::VoiceRow, 3);
    return row == nullptr ? 0.0f : row->rect.height();
  };
  const float alone = height(0);
  EXPECT_GT(alone, 10.0f);
  EXPECT_EQ(height(30), alone);
  EXPECT_EQ(height(5), alone);
}

TEST_F(VoicePanel, LiesInsideWithWholeTextsAtAnySizeAndOverlapsNothing) {
  using State = frame::VoiceRecordView::State;
  scene.model.sound_editor.open = false;
  scene.model.notice = "Saved recordings/spellpool_2026-11-21_03-42-21.csv (1,234 frames)";
  voices.mixer.started = 12'345'678'901;
  voices.mixer.limited_frames = 9'876'543'210;
  voices.record.text = "Written: /home/player/.local/share/spellpool/recordings/voices_2026-11-22_12-00-00_steal_quietest.wav and …_steal_oldest.wav";
  for (const bool inter : {true, false}) {
    use_fonts(inter);
    for (const auto& [width, height] : {std::pair{640.0f, 360.0f}, {1280.0f, 720.0f}, {1920.0f, 1080.0f}, {800.0f, 1200.0f}, {2560.0f, 1080.0f}}) {
      show(width, height);
      for (const float scale : {0.75f, 1.0f, 1.5f, 2.0f, 3.0f}) {
        scene.model.text_scale = scale;
        for (const u32 slots : {1u, 32u, 64u, 65u, 4'096u}) {
          for (unsigned bits = 0; bits < 16; ++bits) {
            fill(slots, slots / 8);
            steal(0, frame::SoundId::ChallengeStart);
            rows[0].victim = frame::SoundId::CrystalShatter;
            scene.model.graph = bits & 1u;
            scene.model.pool_panel = bits & 2u;
            scene.model.shooter = bits & 4u ? &scene.view : nullptr;
            voices.record.state = bits & 8u ? State::Recording : State::Done;
            voices.record.progress = 0.4f;
            voices.device_open = !(bits & 8u);
            voices.device = voices.device_open ? "48,000 Hz, 512 frames" : "no sound: the device is gone; it comes back by itself";
            frame();
            frame();
            const std::string what = std::to_string(static_cast<int>(width)) + "x" + std::to_string(static_cast<int>(height)) + " scale " + std::to_string(scale) + " slots " +
                                     std::to_string(slots) + " bits " + std::to_string(bits) + (inter ? " Inter" : " own font");
            expect_in_order(state_.layout, what);
            const bool voices_shown = !state_.layout.of(Part::Voices).empty(),
                       pool_shown = !state_.layout.of(Part::PoolPanel).empty();
            EXPECT_TRUE(voices_shown || pool_shown) << what;
            if (!voices_shown || pool_shown != scene.model.pool_panel) {
              EXPECT_FALSE(state_.layout.of(Part::Waiting).empty()) << what;
            }
            EXPECT_EQ(state_.layout.shortened_texts, 0u) << what;
            EXPECT_LT(state_.layout.control_count, state_.layout.controls.size()) << what;
            if (HasFailure()) return;
          }
        }
      }
    }
  }
}

TEST_F(VoicePanel, SurvivesAViewOfNonsense) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  for (VoiceRow& row : rows) {
    row.level = row.score = row.age_s = nan;
    row.sound = static_cast<frame::SoundId>(250);
    row.victim = static_cast<frame::SoundId>(251);
    row.priority = 200;
  }
  voices.load = voices.peak_load = voices.record.progress = nan;
  voices.mixer.left_peak = voices.mixer.right_peak = nan;
  voices.policy = static_cast<VoicePolicy>(77);
  voices.storage = static_cast<VoiceStorage>(77);
  for (int i = 0; i < 3; ++i) frame();
  voices.mixer.voices = 4'000'000;  // more than rows
  frame();
  voices.rows = {};
  frame();
  EXPECT_FALSE(state_.layout.of(Part::Voices).empty());
}

}  // namespace
}  // namespace spellpool::ui
