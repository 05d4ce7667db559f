#pragma once
// A headless ImGui context with a font atlas and no backend, and a model with plausible figures to draw.
#include <gtest/gtest.h>
#include <imgui.h>
#include <imgui_internal.h>

#include <array>
#include <string>
#include <vector>

#include "ui/kit/theme.hpp"
#include "ui/panels.hpp"

namespace spellpool::ui {

struct Scene {
  std::vector<frame::FrameRecord> frames;
  std::vector<frame::ChoiceRow> strategies = {
      {"heap", "new/delete", "Every particle its own new and delete, held in a vector of pointers.", 'N', 230, 159, 0,
       {}, false, false, "no pool"},
      {"free_list", "Union free list", "One block at the start; a free slot holds the link to the next.", 'F', 77, 179,
       255, {}, false, false, "an object pool"}};
  std::vector<frame::ChoiceRow> policies = {
      {"reject", "Reject", "A spawn into a full pool fails; it is counted.", 'R', 255, 255, 255},
      {"steal_oldest", "Steal oldest", "The oldest gives its slot to the new one.", 'S', 255, 255, 255}};
  std::array<frame::PoolRow, frame::kPoolCount> pools;
  frame::PoolRow& pool = pools[0];
  std::array<frame::SpellDef, frame::kSpellCount> spells;
  frame::Settings settings;
  frame::HighScores scores;
  std::array<frame::ScoreText, 3> texts = {{{-120, -200, 320, 0.1f}, {60, -160, 1'200, 0.3f}, {140, 40, 24'000, 0.5f}}};
  frame::ShooterView view;              ///< Shown once model.shooter points here.
  frame::PanelModel model;

  explicit Scene(std::size_t frame_count = 1'000) : frames(1'200) {
    for (std::size_t i = 0; i < frame_count; ++i) {
      frame::FrameRecord& record = frames[i];
      record.frame = 5'000 + i;
      record.strategy = i / 400 % 2 == 0 ? 1 : 0;
      record.switched = i == 400 || i == 800;
      record.phase_us = {500, 1'500, 400, 200, 3'000, 500, 600};
      record.frame_us = 6'900.0f + static_cast<float>(i % 37) * 40.0f + (i % 211 == 0 ? 30'000.0f : 0.0f);
      record.new_calls = record.strategy == 0 ? 300 : 0;
      record.live = 15'000;
      record.has_usage = true;
    }
    for (frame::PoolRow& row : pools) {
      row.strategy = 1;
      row.capacity = 64;
    }
    pool.capacity = 20'000;
    pool.live = pool.peak = 20'000;
    pool.spawned = 12'345'678;
    pool.released = 12'325'678;
    pool.rejected = 5'512;
    pool.bytes = 1'523'712;
    pool.rejected_this_second = 132;
    model.history = {frames, 0, frame_count};
    model.figures.frames = frame_count;
    model.figures.median_us = 6'940;
    model.figures.p95_us = 9'120;
    model.figures.p99_us = 14'870;
    model.figures.p999_us = 31'200;
    model.figures.low_1_percent_fps = 51;
    model.figures.spikes = 12;
    model.fps = 143.6;
    constexpr std::array<const char*, 8> kTitles = {"Firebolt",      "Frost nova", "Chain lightning",
                                                                     "Arcane vortex", "Meteor",     "Poison fog",
                                                                     "Healing motes", "Starfall"};
    constexpr std::array<std::array<float, 3>, 8> kHues = {{{1.0f, 0.19f, 0.02f},
                                                                             {0.2f, 0.75f, 1.0f},
                                                                             {0.45f, 0.35f, 1.0f},
                                                                             {0.85f, 0.08f, 1.0f},
                                                                             {1.0f, 0.30f, 0.10f},
                                                                             {0.20f, 0.9f, 0.15f},
                                                                             {1.0f, 0.66f, 0.15f},
                                                                             {0.6f, 0.75f, 1.0f}}};
    for (std::size_t i = 0; i < frame::kSpellCount; ++i) {
      frame::SpellDef& spell = spells[i];
      spell.id = std::string(frame::kSpellFiles[i]);
      spell.title = i < kTitles.size() ? kTitles[i] : std::string(frame::kSpells[i].description);
      spell.behaviour = static_cast<frame::SpellBehaviour>(i % frame::kSpellBehaviours.size());
      spell.colour_r = kHues[i % kHues.size()][0];
      spell.colour_g = kHues[i % kHues.size()][1];
      spell.colour_b = kHues[i % kHues.size()][2];
      for (const char* role : {"gather", "cast", "trail", "burst", "embers", "smoke"}) {
        frame::EmitterDef emitter;
        emitter.name = role;
        emitter.burst = 260;
        emitter.speed = {-40, 430};
        emitter.gravity_y = -110;
        emitter.size_curve = {{0.0f, 0.5f}, {0.1f, 1.0f}, {0.5f, 0.6f}, {1.0f, 0.0f}};
        emitter.colour_curve = {{0.0f, 1.0f, 0.94f, 0.69f, 1.0f},
                                {0.12f, 1.0f, 0.53f, 0.08f, 1.0f},
                                {0.4f, 1.0f, 0.14f, 0.01f, 1.0f},
                                {1.0f, 0.04f, 0.0f, 0.0f, 0.0f}};
        spell.emitters.push_back(emitter);
      }
      spell.emitters[3].on_death = "smoke";
      model.spells[i] = &spell;
      model.spell_titles[i] = spell.title;
      model.spell_colours[i] = kHues[i % kHues.size()];
      model.cooldowns[i] = i % 3 == 0 ? 0.65f : 0.0f;
    }
    for (u64 i = 0; i < 7; ++i) {
      frame::HighScore row;
      row.result = {48'200 - i * 5'170, static_cast<u32>(310 - i * 21), static_cast<u32>(88 - i * 7), i < 3 ? 2u : 1u};
      row.date = "2026-11-21";
      scores.rows.push_back(row);
    }
    for (u32 i = 0; i < 10; ++i) {
      scores.shooter[1].push_back({2'450'120 - i * 210'000, 900 - i * 70, 300 - i * 3, i / 3, "2026-11-21"});
    }
    view.stage_title = "The lantern pond";
    view.stage_s = 134;
    view.score = 1'284'560;
    view.lives = 3;
    view.bombs = 2;
    view.graze = 417;
    view.chain = 37;
    view.chain_left = 0.62f;
    view.power = 3;
    view.magnet_left = 0.4f;
    view.shield = true;
    view.bullets = 512;
    view.continue_s = 6.4f;
    view.texts = texts;
    model.high_scores = &scores;
    model.settings = &settings;
    model.settings_path = "/home/player/.config/spellpool/settings.toml";
    model.ab.text = "block 7 of 24, new/delete, 6 s left";
    model.ab.strategy_b = 1;
    using Verdict = frame::QuickAbView::Verdict;
    model.ab.simulation = {true, Verdict::Faster, 2'420, 1'010, 0.412, 0.382, 0.447,
                           "Simulation: the pool takes 0.41× the time of new/delete (0.38 to 0.45)."};
    model.ab.whole_frame = {true, Verdict::None, 17'420, 16'310, 0.978, 0.941, 1.012,
                            "Whole frame: no difference found: 0.978× (0.941 to 1.012); drawing takes 93 % of it."};
    model.ab.p99_a_us = 34'210;
    model.ab.p99_b_us = 29'870;
    model.ab.frames = 5'213;
    model.ab.steps = 600;
    model.ab.equal_work = true;
    model.ab.verdict = "The sentences of both lines.";
    model.ab.conditions = "release build, g++ 12.2, 2 cores, llvmpipe; 24 blocks in the order ABBA BAAB, uncapped";
    model.ab.folder = "recordings/quick_ab_2026-11-21_11-42-10";
    model.cooldown = 0.65f;
    model.combo = 12;
    point();
  }
  // The spans point into this object.
  void point() {
    show_pools(frame::SceneId::Spells);
    model.strategies = strategies;
    model.policies = policies;
  }
  void show_pools(frame::SceneId scene) {
    const frame::PoolsOf names(scene);
    for (std::size_t i = 0; i < names.size(); ++i) pools[i].pool = names.begin()[i].id;
    model.pools = std::span(pools).first(names.size());
  }
  void show_replay() {
    model.replay = {};
    model.replay.shown = true;
    model.replay.step = model.replay.target = 98'765;
    model.replay.steps = 123'456;
    model.replay.speed = "1/8×";
    model.replay.marks = marks;
  }
  static constexpr std::array<frame::ReplayMark, 3> marks = {
      {{40'000, frame::ReplayMark::Kind::Bomb}, {60'000, frame::ReplayMark::Kind::Loss}, {90'000, frame::ReplayMark::Kind::Boss}}};
  Scene(const Scene&) = delete;
  Scene& operator=(const Scene&) = delete;
};

inline void expect_in_order(const Layout& layout, const std::string& what) {
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  for (std::size_t i = 0; i < kPartCount; ++i) {
    const Rect& part = layout.parts[i];
    if (part.empty()) continue;
    EXPECT_TRUE(part.x0 >= 0 && part.y0 >= 0 && part.x1 <= display.x && part.y1 <= display.y)
        << what << ": part " << i << " lies outside: " << part.x0 << " " << part.y0 << " " << part.x1 << " " << part.y1;
    for (std::size_t j = i + 1; j < kPartCount; ++j) {
      EXPECT_FALSE(!layout.parts[j].empty() && part.overlaps(layout.parts[j]))
          << what << ": parts " << i << " and " << j << " overlap";
    }
  }
  for (const ImGuiWindow* window : ImGui::GetCurrentContext()->Windows) {
    if (!window->Active || std::string_view(window->Name).find("Debug") != std::string_view::npos) continue;
    EXPECT_TRUE(window->Pos.x >= 0 && window->Pos.y >= 0 && window->Pos.x + window->Size.x <= display.x &&
                window->Pos.y + window->Size.y <= display.y)
        << what << ": window " << window->Name << " lies outside";
  }
  // No two controls share a spot, apart from the marks that lie within a larger one.
  const auto mark = [](ControlKind kind) {
    return kind == ControlKind::SpikeMark || kind == ControlKind::CurvePoint || kind == ControlKind::ColourStop ||
           kind == ControlKind::ReplayHead;
  };
  for (std::size_t i = 0; i < layout.control_count; ++i) {
    for (std::size_t j = i + 1; j < layout.control_count; ++j) {
      if (mark(layout.controls[i].kind) || mark(layout.controls[j].kind)) continue;
      EXPECT_FALSE(layout.controls[i].rect.overlaps(layout.controls[j].rect))
          << what << ": controls " << i << " and " << j << ", of kinds " << static_cast<int>(layout.controls[i].kind) << " and "
          << static_cast<int>(layout.controls[j].kind);
    }
  }
}

class Panels : public testing::Test {
 protected:
  void SetUp() override {
    ImGui::CreateContext();
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;
    show(1280, 720);
    use_fonts(true);
  }
  void TearDown() override { ImGui::DestroyContext(); }

  static void show(float width, float height) { ImGui::GetIO().DisplaySize = ImVec2(width, height); }

  static void use_fonts(bool inter, float scale = 1.0f) {
    apply_theme(scale);
    ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
    if (inter) {
      load_fonts(scale);
    } else {
      atlas.Clear();
      atlas.AddFontDefault();
      ImGui::GetIO().FontDefault = nullptr;
    }
    unsigned char* pixels = nullptr;
    int width = 0, height = 0;
    atlas.GetTexDataAsRGBA32(&pixels, &width, &height);
  }

  frame::PanelRequests draw(const frame::PanelModel& model, float dt_s = 1.0f / 60.0f) {
    frame::PanelRequests requests;
    ImGui::GetIO().DeltaTime = dt_s;
    ImGui::NewFrame();
    draw_panels(model, state_, requests);
    ImGui::Render();
    return requests;
  }

  static void mouse(float x, float y, bool down) {
    ImGuiIO& io = ImGui::GetIO();
#if IMGUI_VERSION_NUM >= 18700
    io.AddMousePosEvent(x, y);
    io.AddMouseButtonEvent(0, down);
#else
    io.MousePos = ImVec2(x, y);
    io.MouseDown[0] = down;
#endif
  }

  // Moves there, presses, and lets go: a frame each.
  template <class Frame>
  static void click_at(float x, float y, Frame&& frame) {
    for (const bool down : {false, false, true, false, false}) {
      mouse(x, y, down);
      frame();
    }
  }
  // The same in the middle of a control, as the last frame showed it.
  template <class Frame>
  void click_with(ControlKind kind, std::size_t index, Frame&& frame) {
    const Control* control = state_.layout.find(kind, index);
    ASSERT_NE(control, nullptr) << "control " << static_cast<int>(kind) << " " << index << " is not shown";
    click_at(control->rect.middle_x(), control->rect.middle_y(), frame);
  }
  // The same. Returns what was asked for on the way.
  frame::PanelRequests click(const frame::PanelModel& model, ControlKind kind, std::size_t index = 0) {
    draw(model);
    frame::PanelRequests all;
    click_with(kind, index, [&] {
      const frame::PanelRequests some = draw(model);
      for (std::size_t i = 0; i < some.command_count; ++i) all.ask(some.commands[i]);
      for (std::size_t i = 0; i < some.action_count; ++i) all.ask(some.actions[i]);
      all.replay_story = all.replay_story || some.replay_story;
      if (some.settings != nullptr) all.settings = some.settings;
    });
    return all;
  }

  UiState state_;
};

}  // namespace spellpool::ui
