#include "ui/panels.hpp"

#include <gmock/gmock.h>

#include <functional>
#include <limits>

#include "counted_allocations.hpp"
#include "drawn_text.hpp"
#include "panel_fixture.hpp"
#include "ui/kit/controls.hpp"

namespace spellpool::ui {
namespace {

using frame::Action;
using frame::PanelModel;
using frame::PanelRequests;
using frame::SimCommandKind;

TEST_F(Panels, LieInsideTheWindowApartFromEachOtherWithWholeTexts) {
  Scene scene;
  PanelModel& model = scene.model;
  for (const bool inter : {true, false}) {
    use_fonts(inter);
    for (const auto& [width, height] :
         {std::pair{1280.0f, 720.0f}, {2560.0f, 1440.0f}, {640.0f, 360.0f}, {1920.0f, 800.0f}, {800.0f, 1200.0f}}) {
      show(width, height);
      for (const float scale : {0.75f, 1.0f, 1.5f, 2.0f}) {
        for (unsigned bits = 0; bits < 128; ++bits) {
          model.text_scale = scale;
          model.pool_panel = bits & 1u;
          model.graph = bits & 2u;
          model.help = (bits & 4u) && !(bits & 3u);
          model.error = bits & 8u ? "assets/spells/firebolt.toml:12: 'life_s' must be a range [low, high], got [1.5, "
                                    "0.5]; the last good version stays"
                                  : "";
          model.recording = model.paused = model.slow_motion = bits & 16u;
          model.notice = bits & 32u ? "Saved recordings/spellpool_2026-11-21_03-42-21.csv (1,234 frames)" : "";
          model.build_note = bits & 32u ? "debug build: times are not comparable" : "";
          model.hint = bits & 64u;
          draw(model, 0.3f);
          const std::string what = std::to_string(static_cast<int>(width)) + "x" +
                                   std::to_string(static_cast<int>(height)) + " scale " + std::to_string(scale) +
                                   " bits " + std::to_string(bits) + (inter ? " Inter" : " own font");
          expect_in_order(state_.layout, what);
          EXPECT_EQ(state_.layout.shortened_texts, 0u) << what;
          EXPECT_EQ(state_.layout.of(Part::PoolPanel).empty(), !model.pool_panel) << what;
          EXPECT_EQ(state_.layout.of(Part::Graph).empty(), !model.graph) << what;
          EXPECT_EQ(state_.layout.of(Part::Help).empty(), !model.help) << what;
          EXPECT_EQ(state_.layout.of(Part::Error).empty(), model.error.empty()) << what;
          EXPECT_EQ(state_.layout.of(Part::Chip).empty(), model.help) << what;
          if (HasFailure()) return;
        }
      }
    }
  }
}

// Everything that can stand on the screen, each at its fullest.
struct Situation {
  std::string name;
  Part part;
  std::function<void(Scene&, UiState&)> set;
};
/// The card of a machine that was too noisy, or of strategies that do not differ.
void show_ab_without_difference(Scene& scene, bool noisy) {
  using Verdict = frame::QuickAbView::Verdict;
  frame::QuickAbView& ab = scene.model.ab;
  scene.model.ab_card_open = true;
  ab.state = frame::QuickAbView::State::Done;
  ab.simulation.verdict = ab.whole_frame.verdict = noisy ? Verdict::TooNoisy : Verdict::None;
  ab.verdict = noisy ? "Too noisy to decide: other programs took 48 % of the processor time."
                     : "No difference found between new/delete and Union free list.";
  ab.advice = noisy ? "Close other programs or wait, then measure again." : "Side by side shows both under a heavier load.";
  ab.simulation.sentence = noisy ? "Simulation: not judged: measured 0.98× (0.93 to 1.02)."
                                 : "Simulation: no difference found: 0.980× (0.932 to 1.021).";
}
/// As many pictures as there may be.
const std::array<frame::FilmPicture, 64> kFilm = [] {
  std::array<frame::FilmPicture, 64> film{};
  for (std::size_t i = 0; i < film.size(); ++i) film[i] = {1'200 + i * 56, 0.25f, 0.25f, 0.5f, 0.5f};
  return film;
}();
/// A paused game whose last steps were played again.
void show_past(Scene& scene, bool possible) {
  using State = frame::FairPairView::State;
  frame::RewindView& past = scene.model.rewind;
  scene.model.paused = past.shown = true;
  past.possible = possible;
  past.first = possible ? 1'200 : 4'712;
  past.step = 4'712;
  past.last = possible ? 4'800 : 4'712;
  past.bytes = 63'900'000;
  past.state_bytes = 5'820'000;
  past.save_us = 1'234;
  if (possible) {
    past.film = kFilm;
    past.film_texture = 7;
    past.rewound = true;
    past.retry_s = 10;
  }
  past.pair = {State::Done, 1, {"new/delete", "Union free list"}, 89, 12, {12'345, 11'234}, {9'999, 8'888}, {1'111, 1'000}, {11'111, 10'101}, {23'456, 22'222},
               {3'456, 2'345}, {4'567, 3'456}, 0.91, 0.885, 0.934, true};
}
/// The load "small console", with a spell that has fizzled.
void show_console(Scene& s, frame::ConsoleMode mode) {
  static constexpr std::array kBlocks = {frame::HeapBlockView{0, 20, true}, frame::HeapBlockView{20, 5, false},
                                         frame::HeapBlockView{25, 300, true}, frame::HeapBlockView{325, 443, false}};
  frame::SmallConsoleView& console = s.model.memory.console;
  console = {};
  console.mode = mode;
  console.total_bytes = 12'288;
  console.free_bytes = 7'168;
  console.largest_bytes = 304;
  console.holes = 51;
  console.units = 768;
  console.blocks = kBlocks;
  console.fizzled = 1'234;
}
std::vector<Situation> situations() {
  using Phase = frame::ChallengeView::Phase;
  std::vector<Situation> all = {
      {"hud", Part::SpellBar, [](Scene& s, UiState&) { s.model.charge = 0.7f; }},
      {"challenge", Part::Challenge,
       [](Scene& s, UiState&) {
         s.model.challenge = {Phase::Running, 7.4f, {98'765'432, 310, 88, 2}, 12, false, 128, 0.7f, 1.0f, 0};
         s.model.recording = true;
         s.model.notice = "Saved recordings/spellpool_2026-11-21_03-42-21.csv (1,234 frames)";
       }},
      {"countdown", Part::Challenge,
       [](Scene& s, UiState&) { s.model.challenge = {Phase::Countdown, 2.4f, {}, 0, false, 1, 0, 0, 0}; }},
      {"over", Part::Challenge,
       [](Scene& s, UiState&) {
         s.model.challenge = {Phase::Over, 1.4f, {1'200, 3, 2, 0}, 3, false, 1, 0, 0, 0};
       }},
      {"challenge with panels", Part::PoolPanel,
       [](Scene& s, UiState&) {
         s.model.pool_panel = s.model.graph = true;
         s.model.challenge = {Phase::Running, 40.0f, {48'200, 310, 88, 2}, 12, false, 8, 0.7f, 1.0f, 0};
       }},
      {"result", Part::Scores,
       [](Scene& s, UiState&) {
         s.model.scores_open = true;
         s.model.challenge.finished = 1;
         s.model.challenge.result = {43'030, 289, 81, 2};
         s.model.new_score = 1;
         while (s.scores.rows.size() < frame::kMostHighScores) s.scores.rows.push_back(s.scores.rows.back());
       }},
      {"no scores", Part::Scores,
       [](Scene& s, UiState&) {
         s.model.scores_open = true;
         s.scores.rows.clear();
       }},
      {"quick A/B runs", Part::AbProgress,
       [](Scene& s, UiState&) { s.model.ab.state = frame::QuickAbView::State::Running; }},
      {"quick A/B card", Part::AbCard,
       [](Scene& s, UiState&) {
         s.model.ab.state = frame::QuickAbView::State::Done;
         s.model.ab_card_open = true;
       }},
      {"quick A/B waits", Part::AbProgress,
       [](Scene& s, UiState&) {
         s.model.ab.state = frame::QuickAbView::State::Running;
         s.model.ab.waiting = true;
         s.model.ab.text = "waiting for a quiet machine, 9 s at most: other programs took 48 % of the processor time";
       }},
      {"quick A/B card of a noisy machine", Part::AbCard,
       [](Scene& s, UiState&) { show_ab_without_difference(s, true); }},
      {"quick A/B card without a difference", Part::AbCard,
       [](Scene& s, UiState&) { show_ab_without_difference(s, false); }},
      {"the shooter's pools", Part::PoolPanel,
       [](Scene& s, UiState& state) {
         s.show_pools(frame::SceneId::Shooter);
         s.model.pool_panel = s.model.graph = true;
         state.pool = 6;
       }},
      {"a replay", Part::Replay, [](Scene& s, UiState&) { s.show_replay(); }},
      {"a replay that differs, with panels", Part::Replay,
       [](Scene& s, UiState&) {
         s.show_replay();
         s.model.pool_panel = s.model.graph = s.model.paused = true;
         s.model.replay.differs_at = 123'456;
       }},
      {"a replay that seeks", Part::Replay,
       [](Scene& s, UiState&) {
         s.show_replay();
         s.model.replay.seeking = true;
         s.model.replay.progress = 1;
       }},
      {"a replay that is being indexed", Part::Replay,
       [](Scene& s, UiState&) {
         s.show_replay();
         s.model.replay.indexing = true;
         s.model.replay.indexed = s.model.replay.steps;
       }},
      {"a replay of no steps", Part::Replay,
       [](Scene& s, UiState&) {
         s.show_replay();
         s.model.replay.step = s.model.replay.steps = 0;
       }},
      {"a paused game's past", Part::Replay, [](Scene& s, UiState&) { show_past(s, true); }},
      {"a past with panels, no difference", Part::Replay,
       [](Scene& s, UiState&) {
         show_past(s, true);
         s.model.pool_panel = s.model.graph = true;
         s.model.rewind.pair.differs = false;
       }},
      {"a past that is being compared", Part::Replay,
       [](Scene& s, UiState&) {
         show_past(s, true);
         s.model.rewind.pair.state = frame::FairPairView::State::Running;
         s.model.rewind.running = true;
       }},
      {"no way back", Part::Replay, [](Scene& s, UiState&) { show_past(s, false); }},
      {"switch banner", Part::SwitchBanner,
       [](Scene&, UiState& u) {
         u.switched.known = true;
         u.switched.strategy = 0;
       }},
      {"a quiet switch", Part::SwitchBanner,
       [](Scene&, UiState& u) {
         u.switched.known = u.switched.quiet = true;
         u.switched.strategy = 0;
       }},
      {"small console, a heap", Part::LoadBoard, [](Scene& s, UiState&) { show_console(s, frame::ConsoleMode::Heap); }},
      {"small console, pools", Part::LoadBoard, [](Scene& s, UiState&) { show_console(s, frame::ConsoleMode::Pools); }},
      {"an alert", Part::Alert,
       [](Scene& s, UiState& u) {
         s.model.alert.serial = u.alert.serial + 1;
         s.model.alert.title = "The spell fizzled";
         s.model.alert.text = "3.9 KiB free, largest hole 272 B, 320 B wanted. Tab: to the pools";
       }},
      {"an alert beside a board", Part::Chip,
       [](Scene& s, UiState& u) {
         show_console(s, frame::ConsoleMode::Heap);
         s.model.forgetful = s.pool.fills = true;
         s.model.notice = "Small console: all spells live in one heap of 12 KiB";
         s.model.alert = {u.alert.serial + 1, frame::AlertView::Tone::Good, "Pools: one for each size",
                          "The same 12 KiB. A slot that is free fits, so no spell fizzles"};
       }},
      {"title", Part::Title, [](Scene& s, UiState&) { s.model.title.shown = true; }},
      {"title over a game", Part::Title,
       [](Scene& s, UiState&) {
         s.model.title.shown = s.model.title.can_continue = s.model.title.asks_to_quit = true;
       }},
      {"title before anything is drawn", Part::Title,
       [](Scene& s, UiState&) { s.model.title.shown = s.model.title.starting = true; }},
      {"help", Part::Help, [](Scene& s, UiState&) { s.model.help = true; }},
      {"editor and graph", Part::Editor, [](Scene& s, UiState&) { s.model.editor_open = s.model.graph = true; }},
  };
  for (std::size_t page = 0; page < 5; ++page) {
    all.push_back({"settings " + std::to_string(page), Part::Settings, [page](Scene& s, UiState& state) {
                     s.model.settings_open = true;
                     state.settings.page = static_cast<SettingsPage>(page);
                   }});
  }
  for (std::size_t page = 0; page < 5; ++page) {
    all.push_back({"editor " + std::to_string(page), Part::Editor, [page](Scene& s, UiState& state) {
                     s.model.editor_open = true;
                     state.editor.emitter = page == 4 ? -1 : 3;
                     state.editor.page = static_cast<EditorPage>(page % 4);
                     state.editor.point = 1;
                   }});
  }
  return all;
}

TEST_F(Panels, EverythingThatCanOpenLiesInsideTheWindowWithWholeTexts) {
  for (const bool inter : {true, false}) {
    use_fonts(inter);
    for (const auto& [width, height] :
         {std::pair{640.0f, 360.0f}, {1280.0f, 720.0f}, {2560.0f, 1440.0f}, {800.0f, 600.0f}}) {
      show(width, height);
      for (const float scale : {0.75f, 1.0f, 2.0f}) {
        for (const Situation& situation : situations()) {
          Scene scene;
          state_ = UiState();
          scene.model.text_scale = scale * height / 720.0f;
          scene.model.hint = false;
          situation.set(scene, state_);
          for (int i = 0; i < 2; ++i) draw(scene.model, 0.3f);
          const std::string what = situation.name + " " + std::to_string(static_cast<int>(width)) + "x" +
                                   std::to_string(static_cast<int>(height)) + " scale " + std::to_string(scale) +
                                   (inter ? " Inter" : " own font");
          expect_in_order(state_.layout, what);
          EXPECT_EQ(state_.layout.shortened_texts, 0u) << what;
          EXPECT_FALSE(state_.layout.of(situation.part).empty()) << what;
          EXPECT_LT(state_.layout.control_count, state_.layout.controls.size()) << what;
          if (HasFailure()) return;
        }
      }
    }
  }
}

TEST_F(Panels, TheQuickAbCardHasALineForTheSimulationAndOneForTheWholeFrame) {
  show(1280, 720);
  const auto card = [&](Scene& scene) {
    for (int i = 0; i < 2; ++i) draw(scene.model, 0.3f);
    return drawn_words(*ImGui::GetDrawData());
  };
  const auto has_side_by_side = [&] {
    return state_.layout.find(ControlKind::Ask, static_cast<std::size_t>(Action::SideBySide)) != nullptr;
  };
  Scene differs;
  differs.model.ab_card_open = true;
  differs.model.ab.state = frame::QuickAbView::State::Done;
  std::string text = card(differs);
  EXPECT_NE(text.find("Simulation:"), std::string::npos) << text;
  EXPECT_NE(text.find("Whole"), std::string::npos) << text;
  EXPECT_NE(text.find("2.42"), std::string::npos) << "medians of the simulation: " << text;
  EXPECT_NE(text.find("16.3"), std::string::npos) << "medians of the whole frame: " << text;
  EXPECT_EQ(text.find("sentences"), std::string::npos) << "said once: " << text;
  EXPECT_FALSE(has_side_by_side());

  Scene noisy;
  show_ab_without_difference(noisy, true);
  text = card(noisy);
  EXPECT_LT(text.find("noisy"), text.find("Simulation:")) << "the warning comes first: " << text;
  EXPECT_LT(text.find("Close other"), text.find("Simulation:")) << "and what to do: " << text;
  EXPECT_FALSE(has_side_by_side());

  Scene same;
  show_ab_without_difference(same, false);
  text = card(same);
  EXPECT_LT(text.find("difference"), text.find("Simulation:")) << text;
  EXPECT_TRUE(has_side_by_side()) << "a heavier load";
}

TEST_F(Panels, TheStatusShowsTheSimulationLargeBesideTheFrameRateAndWhatItTakes) {
  show(1280, 720);
  Scene scene;
  const auto line_with = [](std::string_view words) {
    for (const DrawnLine& line : drawn_lines(*ImGui::GetDrawData())) {
      if (line.text.find(words) != std::string::npos) return line;
    }
    return DrawnLine{};
  };
  const auto is_shown = [&](std::string_view words) { return !line_with(words).text.empty(); };
  // What the recorder has of the last 30 frames, all of one strategy.
  double simulation_us = 0, frame_us = 0, calls = 0;
  for (std::size_t i = 0; i < 30; ++i) {
    frame::FrameRecord& record = scene.frames[970 + i];
    record.strategy = 1;
    record.step = 971 + i;
    record.phase_us = {300.0f + 10.0f * static_cast<float>(i), 500, 300, 100.0f + 55.0f * static_cast<float>(i), 3'000, 500, 600};
    record.new_calls = static_cast<u32>(i + 1);
    for (std::size_t phase = 0; phase < 4; ++phase) simulation_us += static_cast<double>(record.phase_us[phase]);
    frame_us += static_cast<double>(record.frame_us);
    calls += record.new_calls;
  }
  draw(scene.model);
  const Line<48> time("%.2f", simulation_us / 30'000.0), percent("%.0f %% of %.1f ms of work", simulation_us / frame_us * 100, frame_us / 30'000);
  const DrawnLine fps = line_with("144"), simulation = line_with(time.c_str()), unit = line_with("ms simulation");
  EXPECT_TRUE(is_shown("144") && is_shown("fps"));
  EXPECT_TRUE(is_shown(time.c_str()) && is_shown("ms simulation")) << time.c_str();
  EXPECT_EQ(simulation.y, fps.y) << "beside it";
  EXPECT_EQ(simulation.size, fps.size);
  EXPECT_GT(simulation.size, unit.size * 1.3f) << "large";
  EXPECT_TRUE(is_shown(percent.c_str())) << percent.c_str();
  EXPECT_TRUE(is_shown(Line<32>("%.0f allocations a frame", std::floor(calls / 30 + 0.5)).c_str()));
  EXPECT_FALSE(is_shown("raise the load")) << "a third of the frame can be noticed";

  // The frame of a switch moved all objects: what it allocated counts for neither strategy.
  const std::vector<frame::FrameRecord> of_one_strategy = scene.frames;
  for (std::size_t i = 970; i < 997; ++i) scene.frames[i].strategy = 0;
  scene.frames[997].new_calls = 40'000;
  scene.frames[998].new_calls = scene.frames[999].new_calls = 12;
  draw(scene.model);
  EXPECT_TRUE(is_shown("12 allocations a frame"));
  std::copy(of_one_strategy.begin(), of_one_strategy.end(), scene.frames.begin());
  // Nor does that of a start, which loads the scene.
  for (u32 i = 0; i < 3; ++i) scene.frames[997 + i].step = 1 + i;
  scene.frames[997].new_calls = 40'000;
  scene.frames[998].new_calls = scene.frames[999].new_calls = 12;
  draw(scene.model);
  EXPECT_TRUE(is_shown("12 allocations a frame"));
  std::copy(of_one_strategy.begin(), of_one_strategy.end(), scene.frames.begin());

  // Drawing hides what the simulation takes: that is said, with the key that raises the load.
  for (frame::FrameRecord& record : scene.frames) record.frame_us = 40'000;
  draw(scene.model);
  EXPECT_TRUE(is_shown("too little to notice: raise the load (.)"));
  scene.model.load.sparks = frame::kMostSparks;
  draw(scene.model);
  EXPECT_FALSE(is_shown("raise the load")) << "there is no more";
  EXPECT_TRUE(is_shown("drawing takes the time here: side by side (Z)"));
  scene.model.load.sparks = 10;
  scene.pool.live = 30;
  draw(scene.model);
  EXPECT_TRUE(is_shown("few sparks: the next spell gives 10 times as many")) << "and not: raise it once more";

  // In a low window it is one line, and the simulation still stands beside the frame rate.
  show(640, 360);
  scene.model.text_scale = 1;
  draw(scene.model);
  EXPECT_FALSE(is_shown("ms of work"));
  EXPECT_TRUE(is_shown("ms sim") && is_shown("fps"));
}

TEST_F(Panels, TheBannerOfASwitchSaysWhichOfTheTwoIsAPool) {
  for (const u8 strategy : {u8{0}, u8{1}}) {
    Scene scene;
    scene.pool.strategy = strategy;
    state_.switched.known = true;
    state_.switched.strategy = static_cast<u8>(1 - strategy);
    draw(scene.model);
    std::vector<std::string> words;
    for (const DrawnLine& line : drawn_lines(*ImGui::GetDrawData())) words.push_back(line.text);
    const auto shows = [&](const char* text) { return std::find(words.begin(), words.end(), text) != words.end(); };
    EXPECT_EQ(shows("no pool"), strategy == 0);
    EXPECT_EQ(shows("an object pool"), strategy == 1);
  }
}

TEST_F(Panels, ATrimThatLeavesSlotsInMemorySaysWhy) {
  const auto is_shown = [](std::string_view words) {
    const std::vector<DrawnLine> lines = drawn_lines(*ImGui::GetDrawData());
    return std::any_of(lines.begin(), lines.end(),
                       [&](const DrawnLine& line) { return line.text.find(words) != std::string::npos; });
  };
  Scene scene;
  scene.model.pool_panel = true;
  scene.pool.capacity = scene.pool.peak = 2'228;
  scene.pool.live = 226;
  scene.pool.slots = 9'000;
  draw(scene.model);
  EXPECT_FALSE(is_shown("stay in memory")) << "it was not trimmed";
  scene.pool.trimmed = 1;
  draw(scene.model);
  EXPECT_TRUE(is_shown("9,000 slots stay in memory"));
  scene.pool.slots = 2'229;
  draw(scene.model);
  EXPECT_FALSE(is_shown("stay in memory")) << "one to spare";
}

constexpr std::array kHintActions = {frame::Action::ToggleStrategy, frame::Action::LoadUp, frame::Action::SideBySide,
                                     frame::Action::Challenge, frame::Action::Help};

TEST_F(Panels, ShowOnlyChipSpellsAndHintAtFirst) {
  Scene scene;
  scene.pool.rejected_this_second = 0;
  scene.model.combo = 0;
  draw(scene.model);
  for (std::size_t i = 0; i < kPartCount; ++i) {
    const auto part = static_cast<Part>(i);
    const bool expected = part == Part::Chip || part == Part::SpellBar || part == Part::Hint;
    EXPECT_EQ(!state_.layout.of(part).empty(), expected) << i;
  }
  EXPECT_EQ(state_.layout.control_count, frame::kSpellCount + kHintActions.size());
}

TEST_F(Panels, AClickOnTheHintDoesWhatItsKeyDoes) {
  Scene scene;
  for (const frame::Action action : kHintActions) {
    const PanelRequests requests = click(scene.model, ControlKind::Ask, static_cast<std::size_t>(action));
    ASSERT_EQ(requests.action_count, 1u);
    EXPECT_EQ(requests.actions[0], action);
  }
}

TEST_F(Panels, ShowDamageWhereItWasTakenAndWhatTheNextRuneAsksFor) {
  Scene scene;
  const float none = std::numeric_limits<float>::quiet_NaN();
  const std::array<frame::HitNumber, 4> numbers = {{{0, 100, 17, 0.2f, 1, 0.4f, 0.1f},
                                                    {-100, 0, 37, 0.6f, 0.2f, 0.6f, 1},
                                                    {5'000, 0, 99, 0.1f, 1, 1, 1},
                                                    {none, 0, 98, none, 1, 1, 1}}};
  const auto shown = [&](std::string_view words) {
    std::vector<DrawnLine> found;
    for (const DrawnLine& line : drawn_lines(*ImGui::GetDrawData())) {
      if (line.text.find(words) != std::string::npos) found.push_back(line);
    }
    return found;
  };
  show(1280, 720);
  scene.model.hit_numbers = numbers;
  draw(scene.model);
  const std::vector<DrawnLine> first = shown("17"), second = shown("37");
  ASSERT_EQ(first.size(), 2u) << "itself and its shadow";
  ASSERT_EQ(second.size(), 2u);
  EXPECT_NEAR(0.5f * (first[1].x0 + first[1].x1), 640, 4);
  EXPECT_NEAR(0.5f * (second[1].x0 + second[1].x1), 540, 4);
  EXPECT_LT(second[1].y, first[1].y);
  EXPECT_GT(second[1].size, first[1].size) << "a heavy blow";
  EXPECT_TRUE(shown("98").empty());
  EXPECT_TRUE(shown("99").empty());
  EXPECT_TRUE(shown("another spell").empty());
  scene.model.challenge.wants_spell = true;
  draw(scene.model);
  EXPECT_EQ(shown("another spell").size(), 1u);
}

TEST_F(Panels, DrawNothingWhenHiddenButWhatAKeyHasOpened) {
  Scene scene;
  scene.model.pool_panel = scene.model.graph = scene.model.scores_open = scene.model.hidden = true;
  scene.model.error = "broken";
  draw(scene.model);
  draw(scene.model);
  EXPECT_EQ(ImGui::GetDrawData()->TotalVtxCount, 0);
  EXPECT_EQ(state_.layout.control_count, 0u);
  scene.model.settings_open = true;
  draw(scene.model);
  EXPECT_FALSE(state_.layout.of(Part::Settings).empty());
  EXPECT_TRUE(state_.layout.of(Part::Chip).empty());
}

TEST_F(Panels, SurviveWindowsOfNoSize) {
  Scene scene;
  scene.model.pool_panel = scene.model.graph = true;
  scene.model.error = "broken";
  for (const auto& [width, height] : {std::pair{0.0f, 0.0f},
                                      {1.0f, 1.0f},
                                      {0.0f, 720.0f},
                                      {200.0f, 112.0f},
                                      {320.0f, 2'000.0f},
                                      {4'000.0f, 150.0f}}) {
    show(width, height);
    for (const bool help : {false, true}) {
      scene.model.help = help;
      draw(scene.model);
      expect_in_order(state_.layout, std::to_string(width) + "x" + std::to_string(height));
    }
  }
}

TEST_F(Panels, SurviveEmptyOddAndBrokenModels) {
  const float nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();
  PanelModel empty;
  empty.pool_panel = empty.graph = true;
  draw(empty);
  expect_in_order(state_.layout, "an empty model");

  Scene one(1);
  one.model.pool_panel = one.model.graph = true;
  draw(one.model);
  EXPECT_EQ(state_.graph.column_count, 1u);

  Scene odd(500);
  for (std::size_t i = 0; i < 500; ++i) {
    odd.frames[i].frame_us = i % 3 == 0 ? nan : i % 3 == 1 ? inf : -1.0f;
    odd.frames[i].phase_us.fill(i % 2 == 0 ? nan : inf);
    odd.frames[i].strategy = static_cast<u8>(i);
    odd.frames[i].new_calls = 0xFFFFFFFFu;
  }
  odd.pool.strategy = odd.pool.policy = 200;
  odd.pool.pool = static_cast<frame::PoolId>(77);
  odd.pool.capacity = 0;
  odd.pool.live = 5;
  odd.pool.spawned = odd.pool.bytes = ~u64{0};
  odd.model.fps = nan;
  odd.model.figures = {~u64{0}, nan, inf, -inf, nan, nan, inf, nan, ~u64{0}};
  odd.model.selected_spell = 99;
  odd.model.cooldown = nan;
  odd.model.combo = 0xFFFFFFFFu;
  odd.model.spell_colours.fill({nan, inf, -1.0f});
  odd.model.text_scale = nan;
  odd.model.pool_panel = odd.model.graph = odd.model.recording = true;
  for (const float dt_s : {0.016f, 1e9f}) {
    draw(odd.model, dt_s);
    expect_in_order(state_.layout, "odd figures");
  }
}

TEST_F(Panels, KeepTextsOfAnyLengthInsideTheWindow) {
  Scene scene;
  const std::string words(5'000, 'w');
  std::string umlauts;
  for (int i = 0; i < 2'000; ++i) umlauts += "ü ";
  scene.strategies[0].title = scene.strategies[1].title = words;
  scene.strategies[0].description = umlauts;
  scene.policies[0].title = words;
  scene.point();
  for (const std::string& text : {words, umlauts}) {
    scene.model.error = scene.model.notice = scene.model.build_note = text;
    scene.model.spell_titles.fill(text);
    for (const bool panels : {false, true}) {
      scene.model.pool_panel = scene.model.graph = panels;
      draw(scene.model, 0.3f);
      expect_in_order(state_.layout, "long texts");
      EXPECT_LT(state_.layout.of(Part::Error).height(), 720 * 0.5f);
      EXPECT_GT(state_.layout.shortened_texts, 0u);
    }
  }
}

TEST_F(Panels, AskForTheStrategyThatIsClicked) {
  Scene scene;
  scene.model.pool_panel = true;
  for (const bool graph : {false, true}) {  // With descriptions and compact.
    scene.model.graph = graph;
    const PanelRequests requests = click(scene.model, ControlKind::Strategy, 0);
    ASSERT_EQ(requests.command_count, 1u);
    EXPECT_EQ(requests.commands[0].kind, SimCommandKind::SetStrategy);
    EXPECT_EQ(requests.commands[0].pool, frame::PoolId::Particles);
    EXPECT_EQ(requests.commands[0].choice, 0);
    EXPECT_EQ(requests.action_count, 0u);
  }
  EXPECT_EQ(click(scene.model, ControlKind::Strategy, 1).command_count, 0u) << "the one that is chosen already";
}

TEST_F(Panels, AskForThePolicyThatIsClicked) {
  Scene scene;
  scene.model.pool_panel = true;
  const PanelRequests requests = click(scene.model, ControlKind::Policy, 1);
  ASSERT_EQ(requests.command_count, 1u);
  EXPECT_EQ(requests.commands[0].kind, SimCommandKind::SetPolicy);
  EXPECT_EQ(requests.commands[0].choice, 1);
}

TEST_F(Panels, ShowTheImagesOfFiguresAsAPoolAndAskForTheirSettings) {
  Scene scene;
  scene.model.pool_panel = true;
  const std::size_t images = scene.model.pools.size();
  click(scene.model, ControlKind::Pool, images);
  draw(scene.model);
  EXPECT_EQ(state_.layout.find(ControlKind::FigureStore), nullptr) << "OpenGL draws the frame: there are none";
  scene.model.figure_pool.capacity_px = 691'200;
  scene.model.figure_pool.live_px = 200'000;
  scene.model.figure_pool.policy = frame::FigurePolicy::StealLeast;
  PanelRequests requests = click(scene.model, ControlKind::FigureStore, 1);
  ASSERT_NE(requests.settings, nullptr);
  EXPECT_EQ(requests.settings->looks.figure_store, frame::FigureStore::MakeDestroy);
  scene.settings = *requests.settings;
  requests = click(scene.model, ControlKind::FigurePolicy, 1);
  ASSERT_NE(requests.settings, nullptr);
  EXPECT_EQ(requests.settings->looks.figure_policy, frame::FigurePolicy::StealOldest);
  EXPECT_EQ(requests.settings->looks.figure_store, frame::FigureStore::MakeDestroy) << "the other one stays";
  requests = click(scene.model, ControlKind::FigureRoom, 0);
  ASSERT_NE(requests.settings, nullptr);
  EXPECT_EQ(requests.settings->looks.figure_room, frame::FigureRoom::Half);
  EXPECT_EQ(click(scene.model, ControlKind::FigurePolicy, 2).settings, nullptr) << "the one that is chosen already";
  EXPECT_EQ(state_.layout.find(ControlKind::Strategy), nullptr);
  click(scene.model, ControlKind::Pool, 0);
  draw(scene.model);
  EXPECT_NE(state_.layout.find(ControlKind::Strategy), nullptr);
}

TEST_F(Panels, HalveAndDoubleTheCapacityWithinItsLimits) {
  Scene scene;
  scene.model.pool_panel = true;
  PanelRequests requests = click(scene.model, ControlKind::CapacityHalve);
  ASSERT_EQ(requests.command_count, 1u);
  EXPECT_EQ(requests.commands[0].kind, SimCommandKind::SetCapacity);
  EXPECT_EQ(requests.commands[0].capacity, 10'000u);
  EXPECT_EQ(click(scene.model, ControlKind::CapacityDouble).commands[0].capacity, 40'000u);
  scene.pool.capacity = 1;
  EXPECT_EQ(click(scene.model, ControlKind::CapacityHalve).command_count, 0u);
  scene.pool.capacity = frame::kMaxCapacity;
  EXPECT_EQ(click(scene.model, ControlKind::CapacityDouble).command_count, 0u);
}

TEST_F(Panels, ButtonsAskForTheActionsOfTheirKeys) {
  Scene scene;
  scene.model.pool_panel = scene.model.graph = true;
  struct Case {
    ControlKind kind;
    std::size_t index;
    Action action;
  };
  for (const Case& expected : {Case{ControlKind::Pause, 0, Action::Pause},
                               {ControlKind::SingleStep, 0, Action::SingleStep},
                               {ControlKind::SlowMotion, 0, Action::SlowMotion},
                               {ControlKind::Record, 0, Action::Record},
                               {ControlKind::GraphScale, 0, Action::GraphScale},
                               {ControlKind::Close, 0, Action::PoolPanel},
                               {ControlKind::Close, 1, Action::Graph}}) {
    const PanelRequests requests = click(scene.model, expected.kind, expected.index);
    ASSERT_EQ(requests.action_count, 1u);
    EXPECT_EQ(requests.actions[0], expected.action);
    EXPECT_EQ(requests.command_count, 0u);
  }
  scene.model.help = true;
  EXPECT_EQ(click(scene.model, ControlKind::Close, 2).actions[0], Action::Help);
}

TEST_F(Panels, APictureOfThePastAsksForItsMoment) {
  Scene scene;
  show_past(scene, true);
  for (const auto& [width, height, scale] : {std::tuple{1280.0f, 720.0f, 1.0f}, {2560.0f, 1440.0f, 4.0f}, {1280.0f, 720.0f, 2.0f}}) {
    show(width, height);
    scene.model.text_scale = scale;
    for (int i = 0; i < 2; ++i) draw(scene.model);
    std::size_t shown = 0;
    while (state_.layout.find(ControlKind::FilmPicture, shown) != nullptr) ++shown;
    ASSERT_GE(shown, 4u) << width << " " << scale;
    u64 before = 0;
    for (const std::size_t which : {std::size_t{0}, shown / 2, shown - 1}) {
      u64 asked = 0;
      click_with(ControlKind::FilmPicture, which, [&] {
        const PanelRequests requests = draw(scene.model);
        if (requests.hold_rewind) asked = requests.rewind_step;
      });
      if (which == 0) EXPECT_EQ(asked, kFilm.front().step);
      else EXPECT_GT(asked, before);
      before = asked;
    }
    EXPECT_EQ(before, kFilm.back().step) << "from the first to the last, whatever has room";
  }
  scene.model.rewind.film_texture = 0;
  for (int i = 0; i < 2; ++i) draw(scene.model);
  EXPECT_EQ(state_.layout.find(ControlKind::FilmPicture, 0), nullptr);
}

/// The timeline gives room to the line that says how far back it reaches and what a state costs.
TEST_F(Panels, ThePastSaysWhatAStateCostsInBothStrategies) {
  using State = frame::FairPairView::State;
  Scene scene;
  show_past(scene, true);
  show(1280, 720);
  const auto timeline_width = [&](State state, float text_scale) {
    scene.model.rewind.pair.state = state;
    scene.model.text_scale = text_scale;
    for (int i = 0; i < 2; ++i) draw(scene.model);
    const Control* const timeline = state_.layout.find(ControlKind::Timeline, 0);
    return timeline ? timeline->rect.width() : 0.0f;
  };
  const float both = timeline_width(State::Done, 1), one = timeline_width(State::Running, 1);
  EXPECT_LT(both + 150, one) << "two strategies instead of one";
  EXPECT_GT(both, 160.0f);
  const float large = timeline_width(State::Done, 2);
  EXPECT_GT(large, 300.0f);
  EXPECT_LT(large, 700.0f) << "how far back it reaches is said in large text too";
}

TEST_F(Panels, ALostGameOffersToTryItAgain) {
  Scene scene;
  show(1280, 720);
  scene.model.challenge.finished = 1;
  scene.model.scores_open = true;
  for (int i = 0; i < 2; ++i) draw(scene.model);
  EXPECT_EQ(state_.layout.find(ControlKind::Ask, static_cast<std::size_t>(Action::Rewind)), nullptr);
  scene.model.rewind.retry_s = 10;
  const PanelRequests requests = click(scene.model, ControlKind::Ask, static_cast<std::size_t>(Action::Rewind));
  ASSERT_EQ(requests.action_count, 1u);
  EXPECT_EQ(requests.actions[0], Action::Rewind);
  Scene lost;
  lost.model.shooter = &lost.view;
  for (const frame::ShooterState state : {frame::ShooterState::Lost, frame::ShooterState::Continue}) {
    lost.view.state = state;
    lost.view.continue_s = 7;
    lost.model.rewind.retry_s = 0;
    state_ = UiState();
    for (int i = 0; i < 2; ++i) draw(lost.model, 0.3f);
    EXPECT_EQ(state_.layout.find(ControlKind::Ask, static_cast<std::size_t>(Action::Rewind)), nullptr);
    lost.model.rewind.retry_s = 5;
    const PanelRequests asked = click(lost.model, ControlKind::Ask, static_cast<std::size_t>(Action::Rewind));
    ASSERT_EQ(asked.action_count, 1u);
    EXPECT_EQ(asked.actions[0], Action::Rewind);
  }
}

TEST_F(Panels, AReplaysTimelineIsHeldWhereTheMouseIs) {
  Scene scene;
  scene.show_replay();
  show(1280, 720);
  draw(scene.model);
  const Rect line = state_.layout.find(ControlKind::Timeline)->rect;
  const auto at = [&](float x, bool down) {
    mouse(x, line.middle_y(), down);
    return draw(scene.model);
  };
  at(line.middle_x(), false);
  EXPECT_FALSE(at(line.middle_x(), false).hold_replay);
  at(line.middle_x(), true);
  const PanelRequests middle = at(line.middle_x(), true);
  EXPECT_TRUE(middle.hold_replay);
  EXPECT_NEAR(static_cast<double>(middle.replay_step), 61'728.0, 200.0);
  EXPECT_EQ(at(line.x0 - 300, true).replay_step, 0u);
  EXPECT_EQ(at(line.x1 + 300, true).replay_step, 123'456u);
  at(line.x1 + 300, false);
  EXPECT_FALSE(at(line.x1 + 300, false).hold_replay);
}

TEST_F(Panels, AReplaysButtonsAskForTheActionsOfTheirKeys) {
  Scene scene;
  scene.show_replay();
  show(1280, 720);
  for (const Action action : {Action::ReplayStart, Action::ReplayBack, Action::ReplayStepBack, Action::Pause, Action::SingleStep, Action::ReplayForward,
                              Action::ReplayEnd, Action::ReplaySlower, Action::ReplayFaster}) {
    const PanelRequests requests = click(scene.model, ControlKind::ReplayButton, static_cast<std::size_t>(action));
    ASSERT_EQ(requests.action_count, 1u);
    EXPECT_EQ(requests.actions[0], action);
    EXPECT_FALSE(requests.hold_replay);
  }
  scene.model.hidden = true;
  draw(scene.model);
  EXPECT_TRUE(state_.layout.of(Part::Replay).empty());
}

TEST_F(Panels, TakeACapacityThatIsTyped) {
  Scene scene;
  scene.model.pool_panel = true;
  const auto typed = [&](const char* text) {
    click(scene.model, ControlKind::CapacityText);
    EXPECT_TRUE(wants_text());
    ImGui::GetIO().AddInputCharactersUTF8(text);
    PanelRequests all = draw(scene.model);
    for (const bool down : {false, true, false, false}) {  // A click beside the panel ends the typing.
      mouse(300, 300, down);
      const PanelRequests some = draw(scene.model);
      for (std::size_t i = 0; i < some.command_count; ++i) all.ask(some.commands[i]);
    }
    EXPECT_FALSE(wants_text());
    return all;
  };
  PanelRequests requests = typed("12345");
  ASSERT_EQ(requests.command_count, 1u);
  EXPECT_EQ(requests.commands[0].kind, SimCommandKind::SetCapacity);
  EXPECT_EQ(requests.commands[0].capacity, 12'345u);
  EXPECT_EQ(typed("0").commands[0].capacity, frame::kMinCapacity);
  EXPECT_EQ(typed("99999999999").commands[0].capacity, frame::kMaxCapacity);
  EXPECT_EQ(typed("20000").command_count, 0u) << "what it is already";
  EXPECT_EQ(typed("-5").command_count, 0u);
  EXPECT_EQ(typed("1.5").command_count, 0u);
  EXPECT_EQ(typed("99999999999999999999999999").commands[0].capacity, frame::kMaxCapacity);
}

TEST_F(Panels, ASliderAsksOnceWhenItIsLetGo) {
  Scene scene;
  scene.model.pool_panel = true;
  draw(scene.model);
  const Rect slider = state_.layout.find(ControlKind::CapacitySlider)->rect;
  PanelRequests all;
  const auto step = [&](float share, bool down) {
    mouse(slider.x0 + slider.width() * share, slider.middle_y(), down);
    const PanelRequests some = draw(scene.model);
    for (std::size_t i = 0; i < some.command_count; ++i) all.ask(some.commands[i]);
    return some.command_count;
  };
  step(0.5f, false);
  step(0.5f, false);
  for (const float share : {0.5f, 0.3f, 0.9f, 0.99f}) EXPECT_EQ(step(share, true), 0u) << "still held";
  step(2.0f, true);
  step(2.0f, false);
  step(2.0f, false);
  ASSERT_EQ(all.command_count, 1u);
  EXPECT_EQ(all.commands[0].kind, SimCommandKind::SetCapacity);
  EXPECT_EQ(all.commands[0].capacity, 500'000u);
}

TEST_F(Panels, LeaveKeysAndMouseToTheGame) {
  Scene scene;
  scene.model.pool_panel = scene.model.graph = true;
  click(scene.model, ControlKind::Strategy, 0);
  EXPECT_FALSE(wants_text());
  EXPECT_FALSE(ImGui::GetIO().WantCaptureKeyboard);
  EXPECT_TRUE(wants_mouse());
  const Rect bar = state_.layout.of(Part::SpellBar);
  mouse(bar.middle_x(), bar.middle_y(), false);
  draw(scene.model);
  draw(scene.model);
  EXPECT_TRUE(wants_mouse()) << "the spell bar is clicked";
  mouse(640, 200, false);
  draw(scene.model);
  draw(scene.model);
  EXPECT_FALSE(wants_mouse()) << "one casts past the panels";
}

// A finger touches without having moved there: where the mouse was in the last frame says nothing.
TEST_F(Panels, TakeThePressOfAFingerWhereItIs) {
  Scene scene;
  mouse(640, 200, false);
  draw(scene.model);
  draw(scene.model);
  const Rect bar = state_.layout.of(Part::SpellBar);
  EXPECT_FALSE(wants_mouse());
  EXPECT_TRUE(wants_press(bar.middle_x(), bar.middle_y(), false)) << "from the world to a panel";
  mouse(bar.middle_x(), bar.middle_y(), false);
  draw(scene.model);
  draw(scene.model);
  EXPECT_TRUE(wants_mouse());
  EXPECT_FALSE(wants_press(640, 200, false)) << "from a panel to the world";
  EXPECT_TRUE(wants_press(bar.middle_x(), bar.middle_y(), false));

  mouse(bar.middle_x(), bar.middle_y(), true);
  draw(scene.model);
  EXPECT_TRUE(wants_press(640, 200, true)) << "another button, while a control is held";
  mouse(bar.middle_x(), bar.middle_y(), false);
  draw(scene.model);
  draw(scene.model);
  scene.model.hidden = true;
  draw(scene.model);
  EXPECT_FALSE(wants_press(bar.middle_x(), bar.middle_y(), false)) << "no panel is shown";
}

TEST_F(Panels, AClickFreezesTheGraphUntilTheNext) {
  Scene scene;
  scene.model.graph = true;
  click(scene.model, ControlKind::GraphPlot);
  ASSERT_TRUE(state_.graph.frozen);
  const std::size_t pinned = state_.graph.pinned;
  const u64 frame = state_.graph.kept[pinned].frame;
  scene.frames.assign(scene.frames.size(), {});  // The ring runs on.
  draw(scene.model);
  EXPECT_TRUE(state_.graph.frozen);
  EXPECT_EQ(state_.graph.kept[pinned].frame, frame);
  EXPECT_NE(frame, 0u);
  click(scene.model, ControlKind::GraphPlot);
  EXPECT_FALSE(state_.graph.frozen);
}

TEST_F(Panels, EscapeReleasesAFrozenGraphFirst) {
  Scene scene;
  scene.model.graph = true;
  EXPECT_FALSE(release_frozen_graph(state_));
  click(scene.model, ControlKind::GraphPlot);
  EXPECT_TRUE(release_frozen_graph(state_));
  EXPECT_FALSE(release_frozen_graph(state_));
}

TEST_F(Panels, SurviveAFrozenGraphWhoseHistoryIsGone) {
  Scene scene;
  scene.model.graph = true;
  click(scene.model, ControlKind::GraphPlot);
  ASSERT_TRUE(state_.graph.frozen);
  scene.model.history = {};
  show(640, 360);
  draw(scene.model);
  click(scene.model, ControlKind::GraphPlot);
  state_.graph.frozen = false;
  draw(scene.model);
  EXPECT_EQ(state_.graph.column_count, 0u);
}

TEST_F(Panels, ANoticeFadesAndTheSameWordsComeAgain) {
  Scene scene;
  scene.model.notice = "Saved a.csv";
  draw(scene.model, 0.1f);
  EXPECT_FALSE(state_.layout.of(Part::Notice).empty());
  for (int i = 0; i < 60; ++i) draw(scene.model, 0.1f);
  EXPECT_TRUE(state_.layout.of(Part::Notice).empty());
  scene.model.notice = "";
  draw(scene.model, 0.1f);
  scene.model.notice = "Saved a.csv";
  draw(scene.model, 0.1f);
  EXPECT_FALSE(state_.layout.of(Part::Notice).empty());
}

TEST_F(Panels, AnErrorStays) {
  Scene scene;
  scene.model.error = "assets/spells/firebolt.toml:3: no such shape";
  for (int i = 0; i < 100; ++i) draw(scene.model, 1.0f);
  EXPECT_FALSE(state_.layout.of(Part::Error).empty());
}

TEST_F(Panels, RejectedSpawnsAreShownAndHeldForASecond) {
  Scene scene;
  draw(scene.model);
  EXPECT_FALSE(state_.layout.of(Part::Badges).empty());
  scene.pool.rejected_this_second = 0;
  draw(scene.model, 0.5f);
  EXPECT_FALSE(state_.layout.of(Part::Badges).empty());
  draw(scene.model, 0.6f);
  EXPECT_TRUE(state_.layout.of(Part::Badges).empty());
}

TEST_F(Panels, ShowTheUsualStrategiesAndTheOthersWhenAsked) {
  Scene scene;
  while (scene.strategies.size() < 13) scene.strategies.push_back(scene.strategies[scene.strategies.size() % 2]);
  for (const std::size_t i : {0u, 1u, 7u, 9u}) scene.strategies[i].usual = true;
  scene.point();
  scene.model.pool_panel = true;
  const auto shown = [&] {
    std::vector<std::size_t> rows;
    for (std::size_t i = 0; i < 13; ++i) {
      if (state_.layout.find(ControlKind::Strategy, i) != nullptr) rows.push_back(i);
    }
    return rows;
  };
  draw(scene.model);
  EXPECT_THAT(shown(), testing::ElementsAre(0, 1, 7, 9));
  EXPECT_EQ(click(scene.model, ControlKind::Strategy, 9).commands[0].choice, 9);
  click(scene.model, ControlKind::MoreStrategies, 0);
  draw(scene.model);
  EXPECT_EQ(shown().size(), 13u);
  click(scene.model, ControlKind::MoreStrategies, 0);
  draw(scene.model);
  EXPECT_EQ(shown().size(), 4u);
  scene.pool.strategy = 5;  // one of the others is in use
  draw(scene.model);
  EXPECT_EQ(shown().size(), 13u);
}

TEST_F(Panels, ShowManyStrategiesAndPools) {
  Scene scene;
  while (scene.strategies.size() < 13) scene.strategies.push_back(scene.strategies[scene.strategies.size() % 2]);
  scene.point();
  scene.model.pool_panel = true;
  for (const bool graph : {false, true}) {
    scene.model.graph = graph;
    draw(scene.model);
    expect_in_order(state_.layout, "many strategies");
    for (std::size_t i = 0; i < 13; ++i) EXPECT_NE(state_.layout.find(ControlKind::Strategy, i), nullptr);
    EXPECT_NE(state_.layout.find(ControlKind::Pool, 1), nullptr);
  }
  click(scene.model, ControlKind::Pool, 1);
  EXPECT_EQ(state_.pool, 1u);
}

TEST_F(Panels, SaveNothingToImGuisSettings) {
  Scene scene;
  scene.model.pool_panel = scene.model.graph = true;
  for (int i = 0; i < 5; ++i) draw(scene.model);
  const std::string_view settings = ImGui::SaveIniSettingsToMemory();
  EXPECT_EQ(settings.find("##pool"), std::string_view::npos);
  EXPECT_EQ(settings.find("##graph"), std::string_view::npos);
}

TEST_F(Panels, InterHasDigitsOfOneWidth) {
  if (!load_fonts(1.0f)) GTEST_SKIP() << "Inter is not installed";
  for (ImFont* font : ImGui::GetIO().Fonts->Fonts) {
    if (font == ImGui::GetIO().Fonts->Fonts[static_cast<int>(Cut::Title)]) continue;  // Has few signs.
    for (ImWchar digit = '1'; digit <= '9'; ++digit)
      EXPECT_FLOAT_EQ(font->GetCharAdvance(digit), font->GetCharAdvance('0'));
    if (font == ImGui::GetIO().Fonts->Fonts[static_cast<int>(Cut::Mono)]) {
      for (const char digit : std::string_view("abcdef"))
        EXPECT_FLOAT_EQ(font->GetCharAdvance(static_cast<ImWchar>(digit)), font->GetCharAdvance('0'))
            << digit;
      continue;  // has no other signs
    }
    for (const ImWchar sign : std::array<ImWchar, 8>{0xD7, 0xB7, 0x2026, 0xB5, 0x2013, 0x2264, 0x2192, 0x2713}) {
      EXPECT_NE(font->FindGlyphNoFallback(sign), nullptr) << sign;
    }
  }
}

TEST_F(Panels, LettersOfNamesAreInEveryFontAtItsSizeAndOnItsBaseline) {
  for (const float scale : {1.0f, 1.37f, 2.0f}) {
    if (!load_fonts(scale)) GTEST_SKIP() << "Inter is not installed";
    const ImVector<ImFont*>& fonts = ImGui::GetIO().Fonts->Fonts;
    for (int i = 0; i < fonts.Size; ++i) {
      if (i == static_cast<int>(Cut::Title) || i == static_cast<int>(Cut::Mono)) continue;
      ImFont& font = *fonts[i];
      // A Polish, a Greek and a Russian letter, each with a Latin letter of its height.
      for (const auto& [letter, latin] : {std::pair<ImWchar, ImWchar>{0x0142, 'l'}, {0x03BF, 'o'}, {0x0420, 'P'}}) {
        const ImFontGlyph* glyph = font.FindGlyphNoFallback(letter);
        const ImFontGlyph* same = font.FindGlyphNoFallback(latin);
        ASSERT_NE(glyph, nullptr) << letter;
        EXPECT_NEAR(glyph->Y1, same->Y1, 1.0f) << letter << " in font " << i << " at " << scale;
        EXPECT_NEAR(glyph->Y0, same->Y0, 1.3f) << letter << " in font " << i << " at " << scale;
      }
      EXPECT_NEAR(font.GetCharAdvance(0x0420), font.GetCharAdvance('P'), 1.0f) << "the same letter, as wide";
    }
  }
}

TEST_F(Panels, EveryActionHasAKeyAndAPadInWords) {
  for (const frame::Hotkey& hotkey : frame::kHotkeys) {
    Scene scene;
    for (const frame::Settings* settings : std::array<const frame::Settings*, 2>{nullptr, &scene.settings}) {
      scene.model.settings = settings;
      EXPECT_FALSE(key_label(scene.model, hotkey.id).empty());
      const Line<32> pad = pad_label(scene.model, hotkey.id);
      EXPECT_EQ(std::string_view(pad).empty(), hotkey.pad.empty());
      EXPECT_TRUE(hotkey.pad.empty() || (pad.c_str()[0] >= 'A' && pad.c_str()[0] <= 'Z')) << hotkey.pad;
    }
  }
}

TEST(PanelAllocations, AreNoneOnceWarm) {
  count_imgui_allocations();
  ImGui::CreateContext();
  ImGui::GetIO().IniFilename = nullptr;
  ImGui::GetIO().BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;
  ImGui::GetIO().DisplaySize = ImVec2(1280, 720);
  apply_theme(1);
  load_fonts(1);
  {
    Scene scene;
    scene.model.pool_panel = scene.model.graph = scene.model.recording = true;
    scene.model.notice = "Saved a.csv";
    scene.model.error = "assets/spells/firebolt.toml:3: no such shape";
    Scene past;
    show_past(past, true);
    UiState state;
    u32 banners = 0;
    const auto frame = [&](int i) {
      scene.model.help = i % 50 > 40;
      scene.model.pool_panel = scene.model.graph = i % 80 < 60;
      scene.model.title.shown = i % 40 == 39;
      scene.model.hint = i % 30 < 10;
      scene.pool.strategy = static_cast<u8>(i / 25 % 2);  // the banner of a switch
      scene.model.steps = static_cast<u64>(i);
      scene.pool.new_calls += static_cast<u64>(i) * 97;
      scene.model.load = {i % 50 < 25 ? 1u : 10u, i % 60 < 30 ? 0u : 20u, i % 20 < 10};
      scene.model.rewind = i % 90 > 70 ? past.model.rewind : frame::RewindView{};
      scene.model.selected_spell = static_cast<u8>(i % 8);
      scene.model.charge = static_cast<float>(i % 20) / 20.0f;
      scene.model.challenge.phase = static_cast<frame::ChallengeView::Phase>(i % 4);
      scene.model.challenge.left_s = static_cast<float>(i % 60);
      scene.model.challenge.result.score = static_cast<u64>(i) * 997;
      scene.model.challenge.runes = static_cast<u32>(i % 13);
      scene.model.challenge.finale = i % 7 == 0 ? 1.0f : 0.0f;
      scene.model.cooldowns[static_cast<std::size_t>(i) % 8] = static_cast<float>(i % 30) / 30.0f;
      scene.model.scores_open = i % 61 > 55;
      scene.view.state = static_cast<frame::ShooterState>(i / 5 % 5);
      scene.view.score += 997;
      scene.view.phase_title = i % 9 < 5 ? "Wings of ash" : "The heart";
      scene.view.stage_s += 0.5f;
      scene.model.shooter = i % 70 > 35 ? &scene.view : nullptr;
      state.graph.frozen = state.graph.frozen && i % 80 < 60;
      scene.model.graph_scale = i % 20 < 10 ? frame::GraphScale::Automatic : frame::GraphScale::SquareRoot;
      scene.model.recorded_frames += 997;
      scene.model.cooldown = static_cast<float>(i % 30) / 30.0f;
      scene.model.history.first = static_cast<std::size_t>(i) % scene.frames.size();
      ImGui::GetIO().DeltaTime = 1.0f / 60.0f;
      ImGui::GetIO().MousePos = ImVec2(static_cast<float>(100 + i * 5 % 900), 620);
      PanelRequests requests;
      ImGui::NewFrame();
      draw_panels(scene.model, state, requests);
      ImGui::Render();
      banners += state.layout.of(Part::SwitchBanner).empty() ? 0 : 1;
    };
    // Long enough for the largest mesh that these periods make together.
    for (int i = 0; i < 400; ++i) frame(i);
    const AllocationCount before = allocation_count();
    for (int i = 400; i < 800; ++i) frame(i);
    EXPECT_EQ(allocation_count().new_calls - before.new_calls, 0u);
    EXPECT_EQ(allocation_count().imgui_calls - before.imgui_calls, 0u);
    EXPECT_GT(banners, 50u);
    EXPECT_GT(before.new_calls, 0u);
    EXPECT_GT(before.imgui_calls, 0u);
  }
  ImGui::DestroyContext();
}

}  // namespace
}  // namespace spellpool::ui
