#include "panel_fixture.hpp"
#include "ui/kit/controls.hpp"

#include <cmath>
#include <limits>
#include <optional>

namespace spellpool::ui {
namespace {

using frame::Action;
using frame::LabAct;
using frame::LabOption;
using frame::LabTone;
using frame::LabView;

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

class LabPanel : public Panels {
 protected:
  LabPanel() {
    lab.open = true;
    lab.scenes = scenes;
    lab.presets = presets;
    lab.plans = plans;
    lab.heaps = heaps;
    lab.policies = policies;
    lab.allocators = allocators;
    lab.memories = memories;
    lab.voices = voices;
    lab.rollbacks = rollbacks;
    lab.storage_scene = 2;
    lab.plan_told = "a minute, simulation only, 20 quads";
    lab.estimate = "160 blocks of 240 + 300 steps: about 55 s";
    lab.folder = "/home/player/.local/share/spellpool/recordings";
    fill(7);
  }
  void fill(std::size_t count) {
    rows.resize(count);
    constexpr std::array kTones = {LabTone::Verdict, LabTone::Indication, LabTone::Running, LabTone::Unfinished, LabTone::Refused, LabTone::Recording, LabTone::Damaged};
    for (std::size_t i = 0; i < count; ++i) {
      frame::LabRow& row = rows[i];
      row.tone = kTones[i % kTones.size()];
      row.what = "heap : free_list";
      row.where = "spells, heavy_churn, simulation only, 20 quads";
      row.date = "2026-11-22 18:10";
      row.state = "verdict";
      row.sentence = "Union free list took 18.2 % less time a frame than new/delete on this machine.";
      row.name = "compare_2026-11-22_18-10-00";
      row.ratio = i % 3 == 2 ? kNone : 0.7 + 0.1 * static_cast<double>(i);
      row.low = row.ratio - 0.05;
      row.high = row.ratio + 0.05;
      row.comparable = i != 1;
    }
    lab.rows = rows;
    if (count == 0) {
      lab.details = {};
      return;
    }
    lab.details.shown = true;
    lab.details.row = 0;
    lab.details.badge = "verdict";
    lab.details.badge_told = "Equal work proven at every step, a fresh process for each block, an A/A control beside it, the number of quads fixed in advance.";
    lab.details.path = "/home/player/.local/share/spellpool/recordings/compare_2026-11-22_18-10-00";
    lab.details.can_resume = lab.details.has_report = lab.details.can_report = true;
    figures = {{{'A', "heap", 48'000, 31, 104.2, 260.9, 3'120, 312.4}, {'B', "free_list", 48'000, 12, 85.3, 171.0, 5'020, 0}}};
    lab.details.figures = figures;
    spikes.assign(5, {});
    for (frame::LabSpike& spike : spikes) {
      spike.us = 9'012;
      spike.usual_us = 104;
      spike.phase_us = {1'800, 5'200, 600, 1'400, 0, 0, 0};
      spike.place = "block 12, step 345";
      spike.told = "312 new, 301 delete; 2 minor and 0 major faults; switched out 0 times by itself, 1 by others";
      spike.trace_name = "spike A-12345";
    }
    lab.details.spikes = spikes;
  }
  frame::PanelRequests frame(float dt_s = 1.0f / 60.0f) {
    scene.model.lab = lab;
    const frame::PanelRequests some = draw(scene.model, dt_s);
    const frame::LabRequests& r = some.lab;
    if (r.change) changed = r.choices;
    asked.start |= r.start, asked.stop |= r.stop, asked.read_again |= r.read_again, asked.resume_result |= r.resume_result;
    if (r.select) asked.select = true, asked.row = r.row;
    if (r.act != LabAct::None) asked.act = r.act;
    for (std::size_t i = 0; i < some.action_count; ++i) action = some.actions[i];
    return some;
  }
  void press(ControlKind kind, std::size_t index = 0) {
    asked = {};
    changed.reset();
    action.reset();
    for (int i = 0; i < 3; ++i) frame();
    click_with(kind, index, [&] { frame(); });
    mouse(-1, -1, false);
  }
  void press(LabKey key) { press(ControlKind::LabButton, static_cast<std::size_t>(key)); }
  bool shows(ControlKind kind, std::size_t index = 0) {
    for (int i = 0; i < 3; ++i) frame();
    return state_.layout.find(kind, index) != nullptr;
  }
  bool shows(LabKey key) { return shows(ControlKind::LabButton, static_cast<std::size_t>(key)); }

  std::vector<LabOption> scenes = {{"spells", "Spells"}, {"shooter", "Shooter"}, {"storage", "Storage: one pool, nothing else"}};
  std::vector<LabOption> presets = {{"default", "default"}, {"stress", "stress"}};
  std::vector<LabOption> plans = {{"quick", "quick"}, {"standard", "standard"}, {"", "your own"}};
  std::vector<LabOption> heaps = {{"fresh", "fresh"}, {"aged_heavy", "aged_heavy"}};
  std::vector<LabOption> policies = {{"", "policy as usual"}, {"reject", "Reject"}};
  std::vector<LabOption> allocators = {{"glibc", "malloc as usual"}, {"jemalloc", "jemalloc", false}, {"mimalloc", "mimalloc"}};
  std::vector<LabOption> voices = {{"", "sound as usual: not mixed"}, {"voices_heap", "voices: new/delete"}, {"voices_virtual", "voices: Virtual voices"}};
  std::vector<LabOption> rollbacks = {{"", "none"}, {"8", "8 steps"}};
  std::vector<LabOption> memories = {{"", "frame memory as usual"}, {"frame_heap", "frame memory: new and delete"}};
  Scene scene;
  LabView lab;
  std::vector<frame::LabRow> rows;
  std::array<frame::LabFigures, 2> figures{};
  std::vector<frame::LabSpike> spikes;
  frame::LabRequests asked;
  std::optional<frame::LabChoices> changed;
  std::optional<Action> action;
};

TEST_F(LabPanel, EachListAsksForWhatIsPickedAndNothingElse) {
  struct Pick {
    std::size_t drop, item;
    u8 (*value)(const frame::LabChoices&);
    u8 wanted;
  };
  const std::array<Pick, 14> picks = {{{0, 1, [](const frame::LabChoices& c) { return c.arms[0].strategy; }, 1},
                                       {1, 1, [](const frame::LabChoices& c) { return c.arms[0].policy; }, 1},
                                       {2, 1, [](const frame::LabChoices& c) { return c.arms[0].allocator; }, 2},  // what is not installed is left out
                                       {3, 1, [](const frame::LabChoices& c) { return c.arms[0].memory; }, 1},
                                       {4, 0, [](const frame::LabChoices& c) { return c.arms[1].strategy; }, 0},
                                       {5, 1, [](const frame::LabChoices& c) { return c.arms[1].policy; }, 1},
                                       {6, 1, [](const frame::LabChoices& c) { return c.arms[1].allocator; }, 2},
                                       {7, 1, [](const frame::LabChoices& c) { return c.arms[1].memory; }, 1},
                                       {8, 1, [](const frame::LabChoices& c) { return c.scene; }, 1},
                                       {9, 1, [](const frame::LabChoices& c) { return c.preset; }, 1},
                                       {10, 1, [](const frame::LabChoices& c) { return c.heap; }, 1},
                                       {11, 1, [](const frame::LabChoices& c) { return c.plan; }, 1},
                                       {12, 1, [](const frame::LabChoices& c) { return c.arms[0].voices; }, 1},
                                       {13, 2, [](const frame::LabChoices& c) { return c.arms[1].voices; }, 2}}};
  for (const Pick& pick : picks) {
    press(ControlKind::LabDrop, pick.drop);
    EXPECT_FALSE(changed) << "opening a list chooses nothing";
    press(ControlKind::DropItem, pick.item);
    ASSERT_TRUE(changed) << pick.drop;
    EXPECT_EQ(pick.value(*changed), pick.wanted) << pick.drop;
    EXPECT_FALSE(asked.start);
  }
}

TEST_F(LabPanel, TheLoadsAreTheSpellsAlone) {
  EXPECT_TRUE(shows(ControlKind::LabDrop, 9));
  lab.choices.scene = 1;
  EXPECT_FALSE(shows(ControlKind::LabDrop, 9));
}

TEST_F(LabPanel, TheRollbackIsOfTheSceneWithoutAGameAlone) {
  EXPECT_FALSE(shows(ControlKind::LabDrop, 14));
  lab.choices.scene = 2;
  press(ControlKind::LabDrop, 14);
  press(ControlKind::DropItem, 1);
  ASSERT_TRUE(changed);
  EXPECT_EQ(changed->rollback, 1);
  EXPECT_EQ(changed->scene, 2);
}

TEST_F(LabPanel, AnOwnPlanHasQuadsStepsAndDrawing) {
  EXPECT_FALSE(shows(ControlKind::LabNumber, 0));
  lab.choices.plan = 2;
  EXPECT_TRUE(shows(ControlKind::LabNumber, 0));
  EXPECT_TRUE(shows(ControlKind::LabNumber, 1));
  press(ControlKind::LabDrawn, 1);
  ASSERT_TRUE(changed);
  EXPECT_TRUE(changed->drawn);
}

TEST_F(LabPanel, StartIsOfferedUnlessTheChoiceIsRefused) {
  press(LabKey::Start);
  EXPECT_TRUE(asked.start);
  lab.wrong = "--scene storage: columns takes objects apart";
  press(LabKey::Start);
  EXPECT_FALSE(asked.start);
}

TEST_F(LabPanel, WhileItRunsThereIsStopAndNoChoice) {
  lab.job = LabView::Job::Comparing;
  lab.progress = 0.4f;
  lab.text = "block 64 of 160 · free_list · about 33 s left";
  EXPECT_FALSE(shows(LabKey::Start));
  press(LabKey::Stop);
  EXPECT_TRUE(asked.stop);
  press(ControlKind::LabDrop, 8);
  press(ControlKind::DropItem, 1);
  EXPECT_FALSE(changed);
  lab.stopping = true;
  press(LabKey::Stop);
  EXPECT_FALSE(asked.stop) << "it has been asked already";
}

TEST_F(LabPanel, WhatEndedShowsItsVerdictAndCanGoOn) {
  lab.result = "Union free list took 18.2 % less time a frame than new/delete.";
  lab.result_badge = "verdict";
  lab.result_folder = "/home/player/compare";
  EXPECT_FALSE(shows(LabKey::ResumeResult));
  lab.result_can_resume = true;
  press(LabKey::ResumeResult);
  EXPECT_TRUE(asked.resume_result);
  press(LabKey::ShowResult);
  EXPECT_TRUE(shows(ControlKind::LabRow, 0)) << "the other page";
}

TEST_F(LabPanel, ALineIsChosenAndItsButtonsAsk) {
  press(ControlKind::LabTab, 1);
  press(ControlKind::LabRow, 2);
  EXPECT_TRUE(asked.select);
  EXPECT_EQ(asked.row, 2u);
  for (const auto& [key, act] : {std::pair{LabKey::Report, LabAct::Report}, {LabKey::OpenReport, LabAct::OpenReport}, {LabKey::OpenFolder, LabAct::OpenFolder},
                                 {LabKey::CopyPath, LabAct::CopyPath}, {LabKey::Resume, LabAct::Resume}}) {
    press(key);
    EXPECT_EQ(asked.act, act);
  }
  press(LabKey::ReadAgain);
  EXPECT_TRUE(asked.read_again);
  lab.details.can_resume = lab.details.has_report = lab.details.can_report = false;
  for (const LabKey key : {LabKey::Report, LabKey::OpenReport, LabKey::Resume}) EXPECT_FALSE(shows(key));
  lab.details.can_resume = lab.details.can_report = true;
  lab.job = LabView::Job::Comparing;
  EXPECT_FALSE(shows(LabKey::Resume)) << "one at a time";
  EXPECT_FALSE(shows(LabKey::Report));
}

TEST_F(LabPanel, TwoThousandLinesDrawOnlyWhatIsSeen) {
  state_.lab.results = true;
  fill(2'000);
  lab.left_out = 12;
  for (int i = 0; i < 3; ++i) frame();
  std::size_t drawn = 0;
  for (std::size_t i = 0; i < state_.layout.control_count; ++i) drawn += state_.layout.controls[i].kind == ControlKind::LabRow;
  EXPECT_GT(drawn, 5u);
  EXPECT_LT(drawn, 40u);
}

TEST_F(LabPanel, ItsKeyAndItsSignCloseIt) {
  press(ControlKind::Close, static_cast<std::size_t>(ClosePanel::Lab));
  ASSERT_TRUE(action);
  EXPECT_EQ(*action, Action::Lab);
}

TEST_F(LabPanel, LiesInsideTheWindowAtEverySizeWithItsControlsApart) {
  for (const auto& [width, height] : {std::pair{1280.0f, 720.0f}, {960.0f, 540.0f}, {640.0f, 360.0f}, {1920.0f, 1080.0f}, {800.0f, 1200.0f}}) {
    show(width, height);
    for (const float scale : {0.75f, 1.0f, 1.6f, 2.0f}) {
      scene.model.text_scale = scale;
      for (unsigned bits = 0; bits < 16; ++bits) {
        state_.lab.results = bits & 1u;
        lab.job = bits & 2u ? LabView::Job::Comparing : LabView::Job::None;
        lab.text = "block 64 of 160 · free_list (control) · about 1 h 33 min left";
        lab.result = bits & 4u ? "Union free list took 18.2 % less time a frame than new/delete on this machine: faster." : "";
        lab.result_badge = bits & 4u ? "not comparable" : "";
        lab.result_can_resume = bits & 4u;
        lab.choices.plan = bits & 8u ? 2 : 0;
        fill(bits & 8u ? 40 : 3);
        for (int i = 0; i < 3; ++i) frame();
        const std::string what = std::to_string(static_cast<int>(width)) + "x" + std::to_string(static_cast<int>(height)) + " scale " + std::to_string(scale) + " bits " + std::to_string(bits);
        expect_in_order(state_.layout, what);
        EXPECT_FALSE(state_.layout.of(Part::Lab).empty()) << what;
        EXPECT_TRUE(state_.layout.of(Part::Chip).empty()) << what << ": it stands alone";
        EXPECT_TRUE((bits & 1u) != 0 || state_.layout.shortened_texts == 0) << what;
        if (HasFailure()) return;
      }
    }
  }
}

TEST_F(LabPanel, StandsBelowHelpAndSettings) {
  scene.model.help = true;
  EXPECT_FALSE(shows(ControlKind::LabTab, 0));
  scene.model.help = false;
  scene.model.settings_open = true;
  EXPECT_FALSE(shows(ControlKind::LabTab, 0));
  scene.model.settings_open = false;
  EXPECT_TRUE(shows(ControlKind::LabTab, 0));
}

TEST_F(LabPanel, SurvivesOddFigures) {
  state_.lab.results = true;
  for (const double odd : {kNone, 0.0, -1.0, 1e300, std::numeric_limits<double>::infinity()}) {
    for (frame::LabRow& row : rows) row.ratio = row.low = row.high = odd;
    figures[0].median_us = figures[0].p99_us = figures[0].low_1_percent_fps = figures[0].allocations_per_frame = odd;
    for (frame::LabSpike& spike : spikes) {
      spike.us = spike.usual_us = odd;
      spike.phase_us.fill(static_cast<float>(odd));
    }
    lab.progress = static_cast<float>(odd);
    for (const bool results : {true, false}) {
      state_.lab.results = results;
      frame();
      expect_in_order(state_.layout, std::to_string(odd));
    }
  }
  lab.details.row = 999;
  frame();
  lab.choices.arms[0] = {255, 255, 255, 255};
  lab.choices.scene = lab.choices.plan = lab.choices.heap = lab.choices.preset = 255;
  state_.lab.results = false;
  frame();
  fill(0);
  lab.reading = true;
  state_.lab.results = true;
  frame();
}

}  // namespace
}  // namespace spellpool::ui
