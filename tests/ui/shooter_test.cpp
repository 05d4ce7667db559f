// The shooter's HUD and screens.
#include <algorithm>
#include <limits>

#include "panel_fixture.hpp"
#include "ui/kit/parts.hpp"

namespace spellpool::ui {
namespace {

using frame::Action;
using frame::Difficulty;
using frame::ShooterState;

constexpr std::array kStates = {ShooterState::Title, ShooterState::Playing, ShooterState::Continue, ShooterState::Won, ShooterState::Lost, ShooterState::Stress};

class ShooterHud : public Panels {
 protected:
  void SetUp() override {
    Panels::SetUp();
    scene_.model.shooter = &scene_.view;
    scene_.model.hint = false;
    scene_.pool.rejected_this_second = 0;
    frame::StressView& stress = scene_.model.stress;
    stress.state = frame::StressView::State::Running;
    stress.bullets = stress.wanted = 23'500;
    stress.level = 9;
    stress.held = 22'000;
    stress.broke = 32'000;
    stress.budget_ms = 16.67f;
    stress.work_ms = 15.2f;
    stress.sim_ms = 0.4f;
  }
  void boss() {
    scene_.view.boss_title = "Moth of light";
    scene_.view.phase_title = "Wings of ash";
    scene_.view.boss_health = 0.6f;
    scene_.view.phases_left = 2;
    scene_.view.phase_left_s = 38;
  }
  Part main_part() const {
    switch (scene_.view.state) {
      case ShooterState::Title: return Part::ShooterTitle;
      case ShooterState::Continue: return Part::ShooterContinue;
      case ShooterState::Won:
      case ShooterState::Lost: return Part::ShooterResult;
      case ShooterState::Stress: return Part::Stress;
      case ShooterState::Playing: break;
    }
    return shown(Part::ShooterScore) ? Part::ShooterScore : Part::ShooterLine;
  }
  bool shown(Part part) const { return !state_.layout.of(part).empty(); }
  /// Few slots or cranes, the board of each, and an alert.
  void show_loads(bool on, bool cranes) {
    scene_.model.memory.sharing = {};
    scene_.model.memory.cranes = {};
    if (!on) return;
    if (cranes) {
      scene_.model.memory.cranes.mode = frame::CraneSearch::Null;
      scene_.model.memory.cranes.arena = {"searches", 8'192, 9'000, 8'192, 0, 0, 0};
      scene_.model.memory.cranes.searches = scene_.model.memory.cranes.ended = 123'456;
    } else {
      scene_.model.memory.sharing.mode = frame::SlotSharing::Shared;
      scene_.model.memory.sharing.taken = 1'000;
      scene_.model.memory.sharing.rows = {{{"particles", 900, 1'000, 5},
                                           {"bullets", 60, 1'000, 0},
                                           {"shots", 20, 1'000, 0},
                                           {"enemies", 20, 1'000, 7},
                                           {"pickups", 0, 1'000, 0},
                                           {"texts", 0, 1'000, 0}}};
      scene_.model.memory.sharing.enemies = 3;
    }
    scene_.model.alert = {state_.alert.serial + 1, frame::AlertView::Tone::Bad, "No slot for an enemy",
                          "1,000 slots are taken, 967 by particles. Enemies missing so far: 12"};
  }
  // Corners of what is drawn within `box`.
  static int vertices_in(const Rect& box) {
    int count = 0;
    const ImDrawData* data = ImGui::GetDrawData();
    for (int i = 0; i < data->CmdListsCount; ++i) {
      for (const ImDrawVert& vertex : data->CmdLists[i]->VtxBuffer) count += box.contains(vertex.pos.x, vertex.pos.y);
    }
    return count;
  }

  Scene scene_;
};

TEST_F(ShooterHud, EveryScreenLiesInsideTheWindowWithWholeTextsAndNothingOverlaps) {
  for (const bool inter : {true, false}) {
    use_fonts(inter);
    for (const auto& [width, height] : {std::pair{1280.0f, 720.0f}, {1920.0f, 1080.0f}, {960.0f, 540.0f}, {640.0f, 360.0f},
                                        {800.0f, 600.0f}, {800.0f, 1200.0f}, {2560.0f, 1080.0f}}) {
      show(width, height);
      for (const float request : {0.75f, 1.0f, 1.5f, 2.0f}) {
        for (const ShooterState shooter : kStates) {
          for (unsigned bits = 0; bits < 32; ++bits) {
            scene_.model.text_scale = request * std::max(height / 720.0f, 0.75f);
            scene_.model.key_row = true;
            scene_.view.state = shooter;
            scene_.view.difficulty = bits & 1u ? Difficulty::Lunatic : Difficulty::Normal;
            scene_.view.boss_title = "";
            if (bits & 1u) boss();
            scene_.view.score = bits & 1u ? 98'765'432'109 : 0;
            scene_.view.lives = bits & 1u ? 12 : 3;
            scene_.model.new_score = bits & 1u ? 7 : frame::kMostHighScores;
            scene_.model.pool_panel = bits & 2u;
            scene_.model.graph = bits & 4u;
            scene_.model.notice = bits & 8u ? "Saved recordings/spellpool_2026-11-21_03-42-21.csv (1,234 frames)" : "";
            scene_.model.recording = scene_.model.paused = scene_.model.slow_motion = bits & 8u;
            show_loads((bits & 16u) != 0, (bits & 1u) != 0);
            state_.shooter.phase_size = 0;  // The phase begins again.
            for (int i = 0; i < 2; ++i) draw(scene_.model, 0.3f);
            const std::string what = "state " + std::to_string(static_cast<int>(shooter)) + " " + std::to_string(static_cast<int>(width)) + "x" +
                                     std::to_string(static_cast<int>(height)) + " scale " + std::to_string(request) + " bits " +
                                     std::to_string(bits) + (inter ? " Inter" : " own font");
            expect_in_order(state_.layout, what);
            EXPECT_EQ(state_.layout.shortened_texts, 0u) << what;
            if ((bits & 6u) == 0) {
              EXPECT_TRUE(shown(main_part())) << what;
            }
            if (HasFailure()) return;
          }
        }
      }
    }
  }
}

TEST_F(ShooterHud, WhilePlayingTheKeysOfThePoolsStandBesideTheField) {
  scene_.model.key_row = true;
  for (const ShooterState shooter : kStates) {
    for (const auto& [width, height] : {std::pair{1280.0f, 720.0f}, {960.0f, 540.0f}, {2560.0f, 1440.0f}}) {
      show(width, height);
      scene_.view.state = shooter;
      draw(scene_.model);
      const Rect& keys = state_.layout.of(Part::KeyRow);
      ASSERT_EQ(keys.empty(), shooter != ShooterState::Playing) << width;
      if (keys.empty()) continue;
      EXPECT_GT(keys.x0, shooter_field().x1) << width;
      EXPECT_GE(keys.y0, state_.layout.of(Part::ShooterSupplies).y1) << width;
      EXPECT_GT(vertices_in(keys), 100) << width;
    }
  }
  scene_.model.key_row = false;
  scene_.view.state = ShooterState::Playing;
  show(1280, 720);
  draw(scene_.model);
  EXPECT_TRUE(state_.layout.of(Part::KeyRow).empty());
}

TEST_F(ShooterHud, TheBannerOfASwitchLeavesTheTitlesWordsInSight) {
  scene_.view.state = ShooterState::Title;
  for (const auto& [width, height] : {std::pair{1280.0f, 720.0f}, {1920.0f, 1080.0f}, {1280.0f, 800.0f}, {2560.0f, 1440.0f}}) {
    show(width, height);
    state_.switched = {};
    state_.switched.known = true;
    state_.switched.strategy = static_cast<u8>(scene_.pool.strategy == 0);
    draw(scene_.model);
    const Rect &banner = state_.layout.of(Part::SwitchBanner), &title = state_.layout.of(Part::ShooterTitle);
    ASSERT_FALSE(banner.empty() || title.empty()) << width;
    EXPECT_FALSE(banner.overlaps(title) || banner.overlaps(state_.layout.of(Part::ShooterKeys))) << width << " x " << height;
  }
}

TEST_F(ShooterHud, StandsBesideTheFieldAtTheUsualSizes) {
  scene_.view.state = ShooterState::Playing;
  for (const auto& [width, height, scale] : {std::tuple{1280.0f, 720.0f, 1.0f}, {1920.0f, 1080.0f, 1.5f}, {960.0f, 540.0f, 1.125f}, {1280.0f, 720.0f, 1.5f}}) {
    show(width, height);
    scene_.model.text_scale = scale;
    draw(scene_.model);
    EXPECT_TRUE(shown(Part::ShooterScore) && shown(Part::ShooterSupplies));
    EXPECT_LE(state_.layout.of(Part::ShooterScore).x1, shooter_field().x0);
    EXPECT_GE(state_.layout.of(Part::ShooterSupplies).x0, shooter_field().x1);
    EXPECT_FALSE(shown(Part::ShooterLine));
    EXPECT_FALSE(shown(Part::SpellBar) || shown(Part::ChallengeStart));
  }
}

TEST_F(ShooterHud, LeavesTheBossItsPlaceAndTheShipItsOwn) {
  for (const auto& [width, height] : {std::pair{1280.0f, 720.0f}, {1920.0f, 1080.0f}, {2560.0f, 1080.0f}}) {
    show(width, height);
    for (const float request : {1.0f, 1.5f, 2.0f}) {
      scene_.model.text_scale = request * height / 720.0f;
      scene_.view.state = ShooterState::Playing;
      boss();
      draw(scene_.model);
      const Rect &bar = state_.layout.of(Part::ShooterBoss), field = shooter_field();
      EXPECT_TRUE(shown(Part::ShooterBoss));
      EXPECT_TRUE(bar.y1 <= 0.13f * height || bar.x1 <= field.x0 || bar.x0 >= field.x1) << width << " x " << request << ": " << bar.y1;
      EXPECT_EQ(state_.layout.shortened_texts, 0u);
      expect_in_order(state_.layout, "boss");
    }
    scene_.model.text_scale = height / 720.0f;
    scene_.view.state = ShooterState::Title;
    draw(scene_.model);
    EXPECT_TRUE(shown(Part::ShooterKeys));
    EXPECT_GE(state_.layout.of(Part::ShooterKeys).y0, (360.0f + 260.0f + 18.0f) / 720.0f * height) << "where the ship waits";
  }
}

TEST_F(ShooterHud, IsOneLineWhereThereIsNoRoomBesideTheField) {
  scene_.view.state = ShooterState::Playing;
  show(800, 1200);
  draw(scene_.model);
  EXPECT_TRUE(shown(Part::ShooterLine));
  EXPECT_FALSE(shown(Part::ShooterScore) || shown(Part::ShooterSupplies));
}

TEST_F(ShooterHud, ADifficultyThatIsClickedIsAskedFor) {
  scene_.view.state = ShooterState::Title;
  draw(scene_.model);
  for (const frame::DifficultyRow& row : frame::kDifficulties) {
    draw(scene_.model);
    int asked = 0;
    click_with(ControlKind::Difficulty, static_cast<std::size_t>(row.id), [&] {
      const frame::PanelRequests requests = draw(scene_.model);
      asked += requests.choose_difficulty;
      if (requests.choose_difficulty) {
        EXPECT_EQ(requests.difficulty, row.id);
      }
    });
    EXPECT_EQ(asked, 1) << row.name;
  }
  EXPECT_TRUE(wants_mouse()) << "the click fires no shot";
  scene_.view.state = ShooterState::Playing;
  draw(scene_.model);
  EXPECT_EQ(state_.layout.find(ControlKind::Difficulty), nullptr);
}

TEST_F(ShooterHud, APauseSaysHowItEnds) {
  scene_.view.state = ShooterState::Playing;
  for (const auto& [width, height] : {std::pair{1280.0f, 720.0f}, {640.0f, 360.0f}, {700.0f, 880.0f}}) {
    show(width, height);
    scene_.model.text_scale = std::max(height / 720.0f, 0.75f);
    scene_.model.paused = false;
    draw(scene_.model);
    EXPECT_FALSE(shown(Part::Hint));
    scene_.model.paused = true;
    draw(scene_.model);
    EXPECT_TRUE(shown(Part::Hint)) << width;
  }
}

TEST_F(ShooterHud, APhasesTitleComesOnceAndGoes) {
  scene_.view.state = ShooterState::Playing;
  boss();
  draw(scene_.model, 0.1f);
  EXPECT_TRUE(shown(Part::ShooterPhase) && shown(Part::ShooterBoss));
  for (int i = 0; i < 40; ++i) draw(scene_.model, 0.1f);
  EXPECT_FALSE(shown(Part::ShooterPhase));
  EXPECT_TRUE(shown(Part::ShooterBoss));
  scene_.view.phase_title = "The heart";
  draw(scene_.model, 0.1f);
  EXPECT_TRUE(shown(Part::ShooterPhase));
  scene_.view.phase_title = scene_.view.boss_title = "";
  draw(scene_.model, 0.1f);
  EXPECT_FALSE(shown(Part::ShooterPhase) || shown(Part::ShooterBoss));
}

TEST_F(ShooterHud, PointsRiseFromWhereTheyWereWon) {
  scene_.view.state = ShooterState::Playing;
  show(1920, 1080);
  std::array<frame::ScoreText, 1> texts = {{{-100, 200, 750, 0.2f}}};
  scene_.view.texts = texts;
  const auto place = [](float y) { return Rect{960 - 150 - 40, 540 + y * 1.5f - 24, 960 - 150 + 40, 540 + y * 1.5f + 24}; };
  draw(scene_.model);
  EXPECT_GE(vertices_in(place(185)), 24);
  texts[0].y = 500;  // Below the field.
  draw(scene_.model);
  EXPECT_EQ(vertices_in(place(185)), 0);
  texts[0] = {-100, 200, 750, std::numeric_limits<float>::quiet_NaN()};
  draw(scene_.model);
  texts[0].x = std::numeric_limits<float>::quiet_NaN();
  draw(scene_.model);
  EXPECT_EQ(vertices_in(place(185)), 0);
}

TEST_F(ShooterHud, SurvivesAViewOfNonsense) {
  const float nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();
  const std::string words(5'000, 'w');
  boss();
  frame::ShooterView& view = scene_.view;
  view.stage_s = inf;
  view.score = ~u64{0};
  view.lives = view.bombs = view.continues = view.graze = view.chain = view.bullets = view.phases_left = 0xFFFFFFFFu;
  view.chain_left = view.magnet_left = view.boss_health = view.phase_left_s = view.continue_s = nan;
  view.power = 200;
  frame::StressView& stress = scene_.model.stress;
  stress.state = frame::StressView::State::Done;
  stress.strategy = 200;
  stress.bullets = stress.wanted = stress.level = stress.held = stress.broke = 0xFFFFFFFFu;
  stress.budget_ms = stress.work_ms = stress.sim_ms = nan;
  stress.row_count = stress.latest = ~std::size_t{0};
  stress.rows.fill({200, 0xFFFFFFFFu, true, inf, nan, -inf});
  view.difficulty = static_cast<Difficulty>(77);
  for (const std::string_view text : {std::string_view(words), std::string_view()}) {
    view.stage_title = view.boss_title = view.phase_title = text;
    for (const frame::HighScores* scores : {scene_.model.high_scores, static_cast<const frame::HighScores*>(nullptr)}) {
      scene_.model.high_scores = scores;
      for (const ShooterState state : kStates) {
        view.state = state;
        for (const std::size_t place : {std::size_t{0}, std::size_t{9}, std::size_t{500}}) {
          scene_.model.new_score = place;
          draw(scene_.model, inf);
          draw(scene_.model, 0.2f);
          expect_in_order(state_.layout, "nonsense");
        }
      }
    }
  }
}

TEST_F(ShooterHud, TheCardOfHowManyBulletsStaysInsideAndAsksForTheNextStrategyOrTheTitle) {
  frame::StressView& stress = scene_.model.stress;
  scene_.view.state = ShooterState::Stress;
  stress.state = frame::StressView::State::Done;
  for (const bool inter : {true, false}) {
    use_fonts(inter);
    for (const auto& [width, height] : {std::pair{1280.0f, 720.0f}, {1920.0f, 1080.0f}, {960.0f, 540.0f}, {640.0f, 360.0f}, {800.0f, 1200.0f}}) {
      show(width, height);
      for (const std::size_t rows : {std::size_t{0}, std::size_t{1}, std::size_t{2}, frame::StressView::kMostRows}) {
        stress.row_count = rows;
        for (std::size_t i = 0; i < rows; ++i) {
          stress.rows[i] = {static_cast<u8>(i), rows == 1 ? 0u : i == 0 ? 100'000u : 23'500u, i == 0 && rows > 1, 16.2f, 0.4f, 15.8f};
        }
        stress.latest = rows > 0 ? rows - 1 : 0;
        scene_.model.text_scale = std::max(height / 720.0f, 0.75f);
        for (int i = 0; i < 2; ++i) draw(scene_.model, 0.3f);
        const std::string what = std::to_string(rows) + " rows, " + std::to_string(static_cast<int>(width));
        EXPECT_TRUE(shown(Part::StressCard)) << what;
        expect_in_order(state_.layout, what);
        EXPECT_EQ(state_.layout.shortened_texts, 0u) << what;
        // 16:9 windows have room beside the field, 600 × 720 units in the middle.
        const Rect field{width / 2 - height * 600 / 1440, 0, width / 2 + height * 600 / 1440, height};
        const bool is_wide = width * 9 >= height * 16 && width >= 960;
        EXPECT_EQ(state_.layout.of(Part::StressCard).overlaps(field), !is_wide) << what;
      }
    }
  }
  show(1280, 720);
  scene_.model.text_scale = 1;
  stress.row_count = 2;
  frame::PanelRequests asked = click(scene_.model, ControlKind::Ask, static_cast<std::size_t>(Action::ToggleStrategy));
  ASSERT_EQ(asked.action_count, 1u);
  EXPECT_EQ(asked.actions[0], Action::ToggleStrategy);
  asked = click(scene_.model, ControlKind::Ask, static_cast<std::size_t>(Action::Stress));
  ASSERT_EQ(asked.action_count, 1u);
  EXPECT_EQ(asked.actions[0], Action::Stress);
  scene_.view.state = ShooterState::Title;
  stress.state = frame::StressView::State::None;
  asked = click(scene_.model, ControlKind::Ask, static_cast<std::size_t>(Action::Stress));
  ASSERT_EQ(asked.action_count, 1u) << "the title offers it";
  EXPECT_EQ(asked.actions[0], Action::Stress);
}

TEST_F(ShooterHud, WhatIsOpenedStandsAloneOverIt) {
  scene_.model.help = true;
  draw(scene_.model);
  EXPECT_TRUE(shown(Part::Help));
  EXPECT_FALSE(shown(Part::ShooterTitle));
  scene_.model.help = false;
  scene_.model.hidden = true;
  draw(scene_.model);
  EXPECT_FALSE(shown(Part::ShooterTitle));
  scene_.model.hidden = false;
  draw(scene_.model);
  EXPECT_TRUE(shown(Part::ShooterTitle) && shown(Part::ShooterKeys));
}

}  // namespace
}  // namespace spellpool::ui
