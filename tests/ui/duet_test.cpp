#include "ui/hud/duet.hpp"

#include "panel_fixture.hpp"

namespace spellpool::ui {
namespace {

using frame::DuetClock;

struct DuetScene {
  Scene scene;
  std::vector<frame::DuetStep> played;
  frame::DuetView view;

  explicit DuetScene(std::size_t steps = 900) : played(steps) {
    for (std::size_t i = 0; i < steps; ++i) {
      frame::DuetStep& step = played[i];
      step.step_us = {1'240.0f + static_cast<float>(i % 37) * 9, 610.0f + static_cast<float>(i % 23) * 8};
      step.draw_us = {9'800.0f, 9'900.0f + static_cast<float>(i % 11) * 20};
      for (frame::DuetFigures& figures : step.running) {
        figures.median_us = {12'345.0f, 10'610.0f};
        figures.p95_us = {21'240.0f, 18'400.0f};
        figures.ratio = 0.514f;
        figures.low = 0.482f;
        figures.high = 0.553f;
      }
    }
    view.sides[0] = {"std::pmr pool", 'M', 154, 168, 192, "a pool of memory blocks"};
    view.sides[1] = {"Union free list", 'F', 77, 179, 255, "an object pool"};
    view.played = played;
    view.steps = view.equal_steps = 1'234'560;
    view.live = 123'456;
    view.may_play = true;
    scene.model.duet = &view;
    scene.model.hint = false;
    scene.model.notice = "Saved /home/player/.local/share/spellpool/recordings/duet_2026-11-21_11-42-10.png";
  }
};

TEST_F(Panels, ADuetsWordsAreWholeAndItsPartsInOrderInEveryWindow) {
  DuetScene duet;
  for (const bool inter : {true, false}) {
    use_fonts(inter);
    for (const auto& [width, height] :
         {std::pair{1280.0f, 720.0f}, {960.0f, 540.0f}, {1920.0f, 1080.0f}, {640.0f, 360.0f}, {480.0f, 270.0f}, {800.0f, 1200.0f}, {2560.0f, 1080.0f}}) {
      show(width, height);
      for (const float scale : {0.75f, 1.0f, 1.6f, 2.0f}) {
        for (unsigned bits = 0; bits < 64; ++bits) {
          duet.scene.model.text_scale = scale * std::max(0.75f, height / 720.0f);
          duet.scene.model.paused = bits & 1u;
          duet.view.by_hand = bits & 2u;
          duet.view.differs_at = bits & 4u ? 1'234'567 : 0;
          duet.view.film = bits & 8u;
          duet.view.clock = bits & 16u ? DuetClock::Both : DuetClock::Step;
          duet.view.played = bits & 32u ? std::span<const frame::DuetStep>(duet.played) : std::span<const frame::DuetStep>();
          draw(duet.scene.model, 0.3f);
          const std::string what = std::to_string(static_cast<int>(width)) + "x" + std::to_string(static_cast<int>(height)) + " scale " +
                                   std::to_string(scale) + " bits " + std::to_string(bits) + (inter ? " Inter" : " own font");
          const Rect &a = state_.layout.of(Part::DuetA), &b = state_.layout.of(Part::DuetB), &strip = state_.layout.of(Part::DuetStrip);
          ASSERT_FALSE(a.empty() || b.empty() || strip.empty()) << what;
          EXPECT_FALSE(a.overlaps(b) || a.overlaps(strip) || b.overlaps(strip)) << what;
          EXPECT_EQ(a.width(), b.width()) << what;
          EXPECT_EQ(a.height(), b.height()) << what;
          EXPECT_GE(a.height(), height * 0.45f) << what;
          EXPECT_EQ(state_.layout.shortened_texts, 0u) << what;
          for (const ImDrawVert& vertex : ImGui::GetBackgroundDrawList()->VtxBuffer) {
            if (vertex.pos.x <= -1'000) continue;  // what reserve_geometry() puts out of sight
            ASSERT_TRUE(vertex.pos.x >= -2 && vertex.pos.y >= -2 && vertex.pos.x <= width + 2 && vertex.pos.y <= height + 2)
                << what << ": something is drawn at " << vertex.pos.x << ", " << vertex.pos.y;
          }
          if (HasFailure()) return;
        }
      }
    }
  }
}

TEST_F(Panels, ADuetWithoutItsStripGivesTheWorldsTheWindow) {
  DuetScene duet;
  duet.view.strip = false;
  draw(duet.scene.model);
  EXPECT_TRUE(state_.layout.of(Part::DuetStrip).empty());
  EXPECT_EQ(state_.layout.of(Part::DuetA).y1, ImGui::GetIO().DisplaySize.y);
  duet.scene.model.hidden = true;
  duet.scene.model.notice = "";
  for (int i = 0; i < 60; ++i) draw(duet.scene.model, 0.3f);
  EXPECT_EQ(ImGui::GetDrawData()->TotalVtxCount, 0);
}

TEST_F(Panels, ADuetSaysHowToLeaveAndAClickOnItDoes) {
  for (const bool in_game : {true, false}) {
    DuetScene duet;
    duet.view.in_game = in_game;
    draw(duet.scene.model);
    std::string words = drawn_words(*ImGui::GetDrawData());
    EXPECT_EQ(words.find("\nleave\n") != std::string::npos, in_game) << words;
    EXPECT_EQ(words.find("\nquit\n") != std::string::npos, !in_game) << words;
    using frame::Action;
    for (const Action action : {Action::Quit, Action::Help, Action::GraphScale, Action::Churn, Action::LoadDown, Action::LoadUp}) {
      const frame::PanelRequests asked = click(duet.scene.model, ControlKind::Ask, static_cast<std::size_t>(action));
      ASSERT_EQ(asked.action_count, 1u);
      EXPECT_EQ(asked.actions[0], action);
    }
    duet.view.may_play = false;  // the script keeps its load
    draw(duet.scene.model);
    words = drawn_words(*ImGui::GetDrawData());
    EXPECT_EQ(words.find("\nmore sparks\n"), std::string::npos) << words;
    EXPECT_NE(words.find("\ngraphs\n"), std::string::npos) << words;
  }
}

TEST_F(Panels, ADuetSaysWhatTheDifferenceIsOfAFrameAndWhenItIsTooLittle) {
  DuetScene duet;
  const auto words = [&] {
    draw(duet.scene.model);
    return drawn_words(*ImGui::GetDrawData());
  };
  const std::string kPlain = "An indication: both share one process.";
  frame::DuetFigures& both = duet.played.back().running[static_cast<std::size_t>(DuetClock::Both)];
  frame::DuetFigures& step = duet.played.back().running[static_cast<std::size_t>(DuetClock::Step)];
  step.median_us = {2'000.0f, 1'000.0f};
  both.median_us = {8'000.0f, 7'000.0f};
  EXPECT_NE(words().find("1.00 of 8.0 ms with drawing: 12 % less. An indication."), std::string::npos) << words();
  both.median_us = {40'000.0f, 39'000.0f};
  EXPECT_NE(words().find("1.00 of 40.0 ms with drawing: too little to notice. An indication."), std::string::npos) << words();
  step.median_us = {1'000.0f, 2'000.0f};
  step.ratio = 2, step.low = 1.8f, step.high = 2.2f;
  both.median_us = {8'000.0f, 9'000.0f};
  EXPECT_NE(words().find("1.00 of 8.0 ms with drawing: 12 % more"), std::string::npos) << words();
  step.low = 0.9f;  // no clear difference
  EXPECT_NE(words().find(kPlain), std::string::npos) << words();
  step.low = 1.8f;
  both.median_us[0] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_NE(words().find(kPlain), std::string::npos) << words();
  both.median_us[0] = 8'000.0f;
  duet.view.clock = DuetClock::Both;
  EXPECT_NE(words().find(kPlain), std::string::npos) << words();
}

TEST_F(Panels, ADuetNamesWhatItsPresetAddsToTheLoad) {
  DuetScene duet;
  duet.view.load.churn = 0;
  const auto words = [&] {
    draw(duet.scene.model);
    return drawn_words(*ImGui::GetDrawData());
  };
  EXPECT_NE(words().find("load: no motes ("), std::string::npos) << words();
  duet.view.preset = "40,000 motes that live a fifth of a second";
  EXPECT_EQ(words().find("no motes"), std::string::npos) << words();
  EXPECT_NE(words().find("load: 40,000 motes that live a fifth of a second · no others ("), std::string::npos) << words();
  duet.view.load.churn = 10;
  EXPECT_NE(words().find("fifth of a second · 20,000 motes that live 0.2 s ("), std::string::npos) << words();
  duet.view.may_play = false;  // no key changes it
  EXPECT_NE(words().find("20,000 motes that live 0.2 s · sparks ×1\n"), std::string::npos) << words();
}

TEST_F(Panels, ADuetsHelpLiesInsideTheWindowAndNothingOfTheGameIsShown) {
  DuetScene duet;
  duet.scene.model.help = duet.scene.model.pool_panel = duet.scene.model.graph = true;
  for (const float scale : {0.75f, 1.0f, 1.6f}) {
    duet.scene.model.text_scale = scale;
    for (int i = 0; i < 2; ++i) draw(duet.scene.model);
    const Rect& help = state_.layout.of(Part::Help);
    EXPECT_FALSE(help.empty());
    EXPECT_TRUE(help.x0 >= 0 && help.y0 >= 0 && help.x1 <= ImGui::GetIO().DisplaySize.x && help.y1 <= ImGui::GetIO().DisplaySize.y);
    for (const Part part : {Part::PoolPanel, Part::Graph, Part::SpellBar, Part::Chip}) EXPECT_TRUE(state_.layout.of(part).empty());
  }
}

TEST(DuetPlaces, AreWholePixelsAndEqualHalves) {
  for (const float width : {480.0f, 1279.0f, 1280.0f, 1921.0f}) {
    const DuetPlaces places = duet_places(width, 721.0f, 1.0f, true);
    for (const Rect& world : places.worlds) {
      for (const float edge : {world.x0, world.y0, world.x1, world.y1}) EXPECT_EQ(edge, std::floor(edge)) << width;
    }
    EXPECT_EQ(places.worlds[0].x0, 0);
    EXPECT_EQ(places.worlds[1].x1, width);
    EXPECT_EQ(places.worlds[0].width(), places.worlds[1].width());
    EXPECT_LT(places.worlds[0].x1, places.worlds[1].x0);
    EXPECT_EQ(places.strip.y0, places.worlds[0].y1);
  }
}

TEST(DuetAxis, EndsAtARoundFigureThatHardlyAnyStepPasses) {
  std::vector<frame::DuetStep> steps(200);
  for (std::size_t i = 0; i < steps.size(); ++i) steps[i].step_us = {i == 7 ? 90'000.0f : 1'300.0f, 900.0f};
  EXPECT_EQ(duet_axis_top_us(steps, DuetClock::Step), 1'500.0f) << "one hitch does not flatten the rest";
  EXPECT_GT(duet_axis_top_us({}, DuetClock::Step), 0.0f);
  for (frame::DuetStep& step : steps) step.draw_us.fill(std::nanf(""));
  EXPECT_GT(duet_axis_top_us(steps, DuetClock::Both), 0.0f);
}

TEST(DuetTimes, AreToldInTheUnitOfTheLongest) {
  EXPECT_EQ(std::string_view(duet_time_text(47.2f, 240.0f)), "47 µs");
  EXPECT_EQ(std::string_view(duet_time_text(1'240.4f, 1'240.4f)), "1,240 µs");
  EXPECT_EQ(std::string_view(duet_time_text(470.0f, 12'400.0f)), "0.47 ms");
  EXPECT_EQ(std::string_view(duet_time_text(std::nanf(""), 10.0f)), "-");
}

}  // namespace
}  // namespace spellpool::ui
