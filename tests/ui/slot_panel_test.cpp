#include "ui/panels/slot_panel.hpp"

#include "panel_fixture.hpp"

namespace spellpool::ui {
namespace {

using frame::SlotMapView;

TEST(SlotGrid, AllPlacesFitAndNoLargerCellWould) {
  for (const u32 places : {1u, 16u, 64u, 999u, 24'000u, 100'000u, 2'097'152u}) {
    for (const auto& [width, height] : {std::pair{896.0f, 250.0f}, {600.0f, 60.0f}, {2'000.0f, 900.0f}, {40.5f, 24.2f}}) {
      const SlotGrid grid = slot_grid(places, width, height, 40);
      ASSERT_GE(u64{grid.columns} * grid.rows * grid.per_texel, places);
      EXPECT_LE(grid.cell_px * static_cast<float>(grid.columns), std::max(width, 1.0f));
      EXPECT_LE(grid.cell_px * static_cast<float>(grid.rows), std::max(height, 1.0f));
      EXPECT_GE(grid.cell_px, 1.0f);
      EXPECT_TRUE(grid.per_texel == 1 || grid.cell_px == 1.0f) << "places share a dot only where a place has no pixel of its own";
      const float larger = grid.cell_px + 1;
      if (larger <= 40 && grid.per_texel == 1) {
        EXPECT_LT(std::floor(width / larger) * std::floor(height / larger), static_cast<float>(places));
      }
    }
  }
  EXPECT_EQ(slot_grid(0, 100, 100, 40).per_texel, 1u);
  EXPECT_EQ(slot_grid(5, -3, 0, 40).columns, 1u);
}

/// A pool of 200 slots as the app would give it, for what the panel wished in its last frame.
class SlotPanel : public Panels {
 protected:
  SlotPanel() {
    cells.assign(200, kSlotFree);
    for (std::size_t i = 0; i < 120; ++i) cells[i] = static_cast<u8>(kSlotLive + i % kSlotAges);
    cells[7] = kSlotLive | kSlotStolen;
    cells[150] = kSlotFilled;
    cells[199] = kSlotRetired;
    scene.model.slot_map_open = true;
  }
  frame::PanelRequests follow() {
    SlotMapView& view = scene.model.slot_map;
    view = {};
    if (request.shown) {
      view.ready = true;
      view.cells = cells;
      view.next = next;
      view.live = 120;
      view.free = 79;
      view.columns = request.columns;
      view.per_texel = request.per_texel;
      view.texture = 1;
      view.place = request.place < cells.size() ? request.place : next.front();
      view.slot = view.place;
      view.cell = cells[view.place];
      view.bytes = bytes;
      window.clear();
      for (u32 place = request.window;
           place < std::min<std::size_t>(cells.size(), request.window + frame::kSlotWindow); ++place) {
        const bool live = (cells[place] & 0x7f) >= kSlotLive;
        window.push_back({place, place, generations[place], cells[place], live,
                          300.0f + static_cast<float>(place), 100.0f});
      }
      view.window = window;
    }
    const frame::PanelRequests requests = draw(scene.model);
    request = requests.slot_map;
    return requests;
  }

  Scene scene;
  std::vector<u8> cells;
  std::vector<u32> next = {121, 140, 130};
  std::vector<u8> bytes = std::vector<u8>(48, 0xDD);
  std::vector<u64> generations = std::vector<u64>(200'000, 2);
  std::vector<frame::SlotCell> window;
  frame::SlotMapRequest request;
};

TEST_F(SlotPanel, WishesForAPictureThatFitsAndAsksForNothingWhileClosed) {
  follow();
  EXPECT_TRUE(request.shown);
  EXPECT_EQ(request.pool, frame::PoolId::Particles);
  follow();
  const Control* map = state_.layout.find(ControlKind::SlotMap);
  ASSERT_NE(map, nullptr);
  EXPECT_LE(static_cast<float>(request.columns), map->rect.width());
  EXPECT_GE(u64{request.columns} * request.per_texel * 60, cells.size());
  scene.model.slot_map_open = false;
  follow();
  EXPECT_FALSE(request.shown);
  scene.model.slot_map_open = true;
  scene.model.help = true;  // stands alone
  follow();
  EXPECT_FALSE(request.shown);
}

TEST_F(SlotPanel, TheMouseAsksForThePlaceUnderItAndAClickHoldsIt) {
  follow();
  follow();
  const Control* map = state_.layout.find(ControlKind::SlotMap);
  ASSERT_NE(map, nullptr);
  const SlotGrid grid = slot_grid(200, map->rect.width(), map->rect.height(), 40);
  const float x = map->rect.x0 + grid.cell_px * 5.5f, y = map->rect.y0 + grid.cell_px * 1.5f;
  const u32 expected = grid.columns + 5;
  mouse(x, y, false);
  follow();
  follow();
  EXPECT_EQ(request.place, expected);
  for (const bool down : {true, false, false}) {
    mouse(x, y, down);
    follow();
  }
  mouse(5, 5, false);
  follow();
  follow();
  EXPECT_EQ(request.place, expected) << "it is held";
  click_at(x, y, [&] { follow(); });
  mouse(5, 5, false);
  follow();
  follow();
  EXPECT_EQ(request.place, SlotMapView::kNoPlace) << "a second click lets go";
}

TEST_F(SlotPanel, ASinglePlaceIsPointedAtAndTheWindowFollowsTheOneThatIsHeld) {
  follow();
  follow();
  const Control* singles = state_.layout.find(ControlKind::SlotCell);
  ASSERT_NE(singles, nullptr);
  const float wide = singles->rect.width() / 16, high = singles->rect.height() / 4;
  mouse(singles->rect.x0 + wide * 2.5f, singles->rect.y0 + high * 1.5f, false);
  follow();
  follow();
  EXPECT_EQ(request.place, 18u);
  EXPECT_EQ(request.window, 0u);
  EXPECT_FALSE(request.points) << "the mouse is over the panel";
  mouse(5, 5, false);
  follow();
  follow();
  EXPECT_TRUE(request.points);
  EXPECT_EQ(request.point_x_px, 5.0f);
  state_.slots.pinned = 130;
  follow();
  follow();
  EXPECT_EQ(request.window, 128u);
  ASSERT_EQ(scene.model.slot_map.window.size(), 64u);
  follow();
  EXPECT_EQ(scene.model.slot_map.window[0].place, 128u);
}

TEST_F(SlotPanel, TheKeyHoldsThePlaceThatIsLookedAtAndLetsGoOfIt) {
  follow();
  follow();
  state_.slots.follow = true;
  follow();
  EXPECT_EQ(state_.slots.pinned, next.front());
  EXPECT_FALSE(state_.slots.follow);
  follow();
  EXPECT_EQ(request.place, next.front());
  state_.slots.follow = true;
  follow();
  EXPECT_EQ(state_.slots.pinned, SlotMapView::kNoPlace);
}

TEST_F(SlotPanel, WhatIsReleasedAndWhatIsBornFliesAndNothingElse) {
  cells[9] = kSlotLive;
  follow();
  follow();
  follow();
  EXPECT_EQ(state_.slots.flight_count, 0u);
  cells[9] = kSlotFree;  // released
  ++generations[9];
  follow();
  ASSERT_EQ(state_.slots.flight_count, 1u);
  EXPECT_EQ(state_.slots.flights[0].place, 9u);
  EXPECT_FALSE(state_.slots.flights[0].born);
  EXPECT_EQ(state_.slots.flights[0].from_x, 309.0f) << "from where its spark was";
  cells[9] = kSlotLive;  // and taken again
  ++generations[9];
  follow();
  ASSERT_EQ(state_.slots.flight_count, 2u);
  EXPECT_TRUE(state_.slots.flights[1].born);
  for (int i = 0; i < 120; ++i) follow();
  EXPECT_EQ(state_.slots.flight_count, 0u) << "they arrive";
  // Another window is not a release of 64 slots, and rows change their places without a release.
  state_.slots.pinned = 70;
  follow();
  follow();
  follow();
  EXPECT_EQ(state_.slots.flight_count, 0u);
}

TEST_F(SlotPanel, ItsButtonsAskForTheirActions) {
  follow();
  for (const frame::Action action : {frame::Action::FillBytes, frame::Action::Trim, frame::Action::FollowSlot,
                                     frame::Action::SlowMotion}) {
    const frame::PanelRequests asked = click(scene.model, ControlKind::SlotButton, static_cast<std::size_t>(action));
    ASSERT_EQ(asked.action_count, 1u);
    EXPECT_EQ(asked.actions[0], action);
  }
  scene.model.pool_panel = true;
  const frame::PanelRequests asked = click(scene.model, ControlKind::SlotButton, static_cast<std::size_t>(frame::Action::SlotMap));
  ASSERT_EQ(asked.action_count, 1u);
  EXPECT_EQ(asked.actions[0], frame::Action::SlotMap);
}

TEST_F(SlotPanel, OverlapsNothingAtAnySize) {
  scene.model.pool_panel = scene.model.graph = true;
  for (const u32 slots : {16u, 200u, 24'000u, 100'000u}) {
    cells.assign(slots, kSlotFree);
    next = {1, 2, 3};
    for (const auto& [width, height] : {std::pair{640.0f, 360.0f}, {800.0f, 600.0f}, {1280.0f, 720.0f}, {2560.0f, 1080.0f}, {300.0f, 200.0f}}) {
      show(width, height);
      for (int i = 0; i < 3; ++i) follow();
      const Rect map = state_.layout.of(Part::SlotMap);
      for (std::size_t part = 0; part < kPartCount; ++part) {
        if (part == static_cast<std::size_t>(Part::SlotMap) || map.empty()) continue;
        EXPECT_FALSE(map.overlaps(state_.layout.parts[part])) << "part " << part << " at " << width << "×" << height;
      }
      EXPECT_LE(map.x1, width);
      EXPECT_LE(map.y1, height);
    }
  }
}

using MemoryPanel = Panels;

TEST_F(MemoryPanel, StandsAloneAndItsSwitchAsksForTheOtherSource) {
  Scene scene;
  scene.model.memory_open = scene.model.pool_panel = true;
  frame::MemoryView& memory = scene.model.memory;
  memory.rows[0] = {"step", 900'000, 40'000, 90'000, 4, 0, 0};
  memory.rows[1] = {"picture", 1'400'000, 80'000, 80'000, 3, 0, 2};
  const std::array<frame::HeapBlockView, 3> blocks = {{{0, 20, true}, {20, 30, false}, {50, 974, true}}};
  memory.lab_units = 1024;
  memory.lab_blocks = blocks;
  memory.trays[0] = {"small", 32, 240, 36, 10'000, 288};
  draw(scene.model);
  EXPECT_FALSE(state_.layout.of(Part::Memory).empty());
  EXPECT_TRUE(state_.layout.of(Part::PoolPanel).empty());
  frame::PanelRequests asked = click(scene.model, ControlKind::MemorySource, 1);
  ASSERT_EQ(asked.action_count, 1u);
  EXPECT_EQ(asked.actions[0], frame::Action::FrameMemory);
  asked = click(scene.model, ControlKind::MemorySource, 0);
  EXPECT_EQ(asked.action_count, 0u) << "it is that already";
  for (const auto& [width, height] : {std::pair{640.0f, 360.0f}, {1280.0f, 720.0f}, {2560.0f, 1080.0f}}) {
    show(width, height);
    draw(scene.model);
    const Rect box = state_.layout.of(Part::Memory);
    EXPECT_GE(box.x0, 0);
    EXPECT_LE(box.y1, height);
  }
}

TEST_F(MemoryPanel, TheSmallConsoleIsChosenThereAndTheStoryBegunAnew) {
  Scene scene;
  scene.model.memory_open = true;
  const std::array<frame::HeapBlockView, 3> blocks = {{{0, 20, true}, {20, 30, false}, {50, 718, true}}};
  frame::SmallConsoleView& console = scene.model.memory.console;
  console.mode = frame::ConsoleMode::Heap;
  console.total_bytes = 12'288;
  console.units = 768;
  console.blocks = blocks;
  console.fizzled = 3;
  for (frame::HeapStoryView& story : scene.model.memory.stories) story = {"book", "All is free.", 19, 18, 18, 12, false, blocks};
  show(1280, 1200);
  draw(scene.model);
  for (const frame::ConsoleMode mode : {frame::ConsoleMode::Off, frame::ConsoleMode::Pools}) {
    const frame::PanelRequests asked = click(scene.model, ControlKind::ConsoleMode, static_cast<std::size_t>(mode));
    ASSERT_EQ(asked.command_count, 1u);
    EXPECT_EQ(asked.commands[0].kind, frame::SimCommandKind::SetConsole);
    EXPECT_EQ(asked.commands[0].choice, static_cast<u8>(mode));
  }
  EXPECT_EQ(click(scene.model, ControlKind::ConsoleMode, 1).command_count, 0u) << "it is that already";
  EXPECT_TRUE(click(scene.model, ControlKind::ReplayStory, 0).replay_story);
  frame::ShooterView shooter;
  scene.model.shooter = &shooter;
  draw(scene.model);
  EXPECT_EQ(state_.layout.find(ControlKind::ConsoleMode), nullptr) << "the shooter has none";
}

}  // namespace
}  // namespace spellpool::ui
