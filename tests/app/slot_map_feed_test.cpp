// What the slot map shows of a pool, one place after another, against the pool itself; and that looking at it
// costs a game nothing.
#include "app/pools/slot_map_feed.hpp"

#include <cmath>

#include "../support/scratch_folder.hpp"
#include "platform/window.hpp"
#include "scene_test.hpp"
#include "sim/spells/world.hpp"

namespace spellpool::app {
namespace {

using frame::SlotMapView;
using pool::StrategyId;

class SlotMapFeedTest : public ::testing::Test {
 protected:
  static constexpr float kWidth_px = 1280, kHeight_px = 720;

  void SetUp() override {
    platform::WindowOptions options;
    options.headless = true;
    platform::WindowResult opened = platform::Window::open(options);
    if (!opened.window) GTEST_SKIP() << "skipped: " << opened.error;
    window_ = std::move(opened.window);
    ASSERT_EQ(library_.load(SPELLPOOL_SOURCE_DIR), "");
    feed_ = std::make_unique<SlotMapFeed>();
    request_.shown = true;
    request_.columns = 256;
  }
  /// A game that the scripted player plays.
  std::unique_ptr<Session> begin(StrategyId strategy, u32 steps) {
    SessionPlan plan;
    plan.autoplay = true;
    plan.world.pools[static_cast<std::size_t>(frame::PoolId::Particles)].strategy = strategy;
    auto session = std::make_unique<Session>(plan, library_);
    for (u32 i = 0; i < steps; ++i) session->step({});
    return session;
  }
  const SlotMapView& look(Session& session, float alpha = 1.0f) {
    const SlotMapFeed::Eye eye{render::view_of(session.world().build_snapshot(), alpha,
                                               static_cast<int>(kWidth_px), static_cast<int>(kHeight_px)),
                               alpha};
    return feed_->view(session.world(), request_, eye);
  }

  test::ScopedVariable video_{"SDL_VIDEODRIVER", "offscreen"};
  std::unique_ptr<platform::Window> window_;
  SpellLibrary library_;
  std::unique_ptr<SlotMapFeed> feed_;
  frame::SlotMapRequest request_;
};

TEST_F(SlotMapFeedTest, EachCellOfTheWindowIsThePoolsStateUnderEveryStrategy) {
  for (const pool::StrategyRow& row : pool::kStrategies) {
    const auto session = begin(row.id, 150);
    u32 live = 0, free = 0;
    const u32 places = static_cast<u32>(look(*session).cells.size());
    for (request_.window = 0; request_.window < places; request_.window += frame::kSlotWindow) {
      const SlotMapView& view = look(*session);
      ASSERT_EQ(view.window.size(), std::min(frame::kSlotWindow, places - request_.window)) << row.name;
      const auto& particles = session->world().spells_world()->particles().pool();
      particles.visit([&](const auto& pool) {
        for (std::size_t i = 0; i < view.window.size(); ++i) {
          const frame::SlotCell& cell = view.window[i];
          ASSERT_EQ(cell.place, request_.window + i);
          ASSERT_EQ(cell.slot, pool.storage().slot_at(cell.place)) << row.name;
          ASSERT_EQ(cell.generation, pool.storage().generations()[cell.slot]) << row.name;
          const bool lives = pool.storage().generations().is_live(cell.slot);
          ASSERT_EQ((cell.cell & 0x7f) >= kSlotLive, lives) << row.name << " place " << cell.place;
          ASSERT_EQ(view.cells[cell.place], cell.cell);
          (lives ? live : free) += 1;
          if (!lives) {
            ASSERT_FALSE(cell.seen);
            continue;
          }
          const auto particle = pool.peek(pool.handle_at(cell.slot));
          const float x = 0.5f * kWidth_px + particle->x,
                      y = 0.5f * kHeight_px + particle->y;  // 720 units high, the camera is near the middle
          if (!cell.seen) {
            ASSERT_FALSE(std::abs(particle->x) < 500 && std::abs(particle->y) < 220)
                << row.name << ": a spark in the middle is seen";
            continue;
          }
          ASSERT_NEAR(cell.x_px, x, 80) << row.name;
          ASSERT_NEAR(cell.y_px, y, 80) << row.name;
        }
      });
    }
    EXPECT_EQ(live, session->world().pool(frame::PoolId::Particles).stats().live) << row.name;
    EXPECT_EQ(live + free, places) << row.name;
    EXPECT_GT(live, 200u) << row.name;
  }
}

TEST_F(SlotMapFeedTest, TheLinksInTheCellsAreTheFreeList) {
  const auto session = begin(StrategyId::FreeList, 150);
  std::vector<u32> chain;
  session->world().spells_world()->particles().pool().visit([&](const auto& pool) {
    if constexpr (requires { pool.storage().for_each_next(1u, [](u32) {}); }) {
      pool.storage().for_each_next(~0u, [&](u32 place) { chain.push_back(place); });
    }
  });
  ASSERT_GT(chain.size(), 100u);
  std::vector<u32> links;  // by place, as the windows show them
  for (request_.window = 0; links.size() < look(*session).cells.size();
       request_.window += frame::kSlotWindow) {
    for (const frame::SlotCell& cell : look(*session).window) links.push_back(cell.link);
  }
  const SlotMapView& view = look(*session);
  ASSERT_FALSE(view.next.empty());
  for (std::size_t i = 0; i < view.next.size(); ++i) EXPECT_EQ(view.next[i], chain[i]);
  u32 place = view.next.front();
  for (const u32 expected : chain) {
    ASSERT_EQ(place, expected);
    place = links[place];
  }
  EXPECT_EQ(place, SlotMapView::kNoPlace) << "the last one ends the list";
}

TEST_F(SlotMapFeedTest, ASlotThatWasReleasedLastIsTheChainsHeadAndTheNextSparkLivesThere) {
  const auto session = begin(StrategyId::FreeList, 150);
  auto& particles = session->world().spells_world()->particles().pool();
  const u32 head = look(*session).next.front();
  u32 released = SlotMapView::kNoPlace;
  particles.visit([&](auto& pool) {
    using Handle = decltype(pool.handle_at(0));
    std::optional<Handle> some;
    pool.for_each_handle([&](Handle handle, const auto&) {
      if (!some) some = handle;
    });
    ASSERT_TRUE(some);
    released = some->index;
    pool.release(*some);
  });
  EXPECT_EQ(look(*session).next.front(), released);
  request_.window = released / frame::kSlotWindow * frame::kSlotWindow;
  EXPECT_EQ(look(*session).window[released - request_.window].link, head) << "its bytes link to the old head";
  particles.visit([&](auto& pool) { EXPECT_EQ(pool.acquire(sim::Particle{}).index, released); });
  EXPECT_EQ(look(*session).next.front(), head);
}

TEST_F(SlotMapFeedTest, ThePointerFindsTheNearestSparkAndStaysWithIt) {
  for (const StrategyId strategy :
       {StrategyId::FreeList, StrategyId::Heap, StrategyId::Dense, StrategyId::Bitmap}) {
    const auto session = begin(strategy, 150);
    request_.window = 0;
    frame::SlotCell there;
    for (const frame::SlotCell& cell : look(*session).window) {
      if (cell.seen) there = cell;
    }
    ASSERT_TRUE(there.seen);
    request_.points = true;
    request_.point_x_px = there.x_px;
    request_.point_y_px = there.y_px;
    const SlotMapView view = look(*session);
    ASSERT_LT(view.pointed, view.cells.size());
    EXPECT_LT(std::hypot(view.pointed_x_px - there.x_px, view.pointed_y_px - there.y_px), 0.5f)
        << "this one, or one as near";
    EXPECT_EQ(view.place, view.pointed) << "its bytes are shown";
    EXPECT_TRUE(view.seen);
    // A place that the panel asks for is shown instead, and marked where its spark is.
    request_.place = there.place;
    const SlotMapView asked = look(*session);
    EXPECT_EQ(asked.place, there.place);
    EXPECT_NEAR(asked.x_px, there.x_px, 0.01f);
    request_.place = SlotMapView::kNoPlace;
    request_.point_x_px = request_.point_y_px = -4'000;
    EXPECT_EQ(look(*session).pointed, SlotMapView::kNoPlace);
    request_.points = false;
  }
}

TEST_F(SlotMapFeedTest, LookingNeverChangesTheGame) {
  const auto seen = begin(StrategyId::FreeList, 0), unseen = begin(StrategyId::FreeList, 0);
  request_.points = true;
  u32 pointed = 0;
  for (u32 step = 0; step < 240; ++step) {
    seen->step({});
    unseen->step({});
    request_.window = step % 40 * frame::kSlotWindow;
    request_.point_x_px = 400.0f + static_cast<float>(step * 2);
    request_.point_y_px = 360;
    pointed += look(*seen, 0.5f).pointed != SlotMapView::kNoPlace ? 1u : 0u;
    ASSERT_EQ(seen->hash(), unseen->hash()) << "step " << step;
  }
  EXPECT_GT(pointed, 20u) << "or nothing was looked at";
}

TEST_F(SlotMapFeedTest, ClosedItAsksThePoolNothing) {
  const auto session = begin(StrategyId::FreeList, 30);
  look(*session);
  EXPECT_TRUE(session->world().watched());
  request_.shown = false;
  request_.points = true;
  const SlotMapView& view = look(*session);
  EXPECT_FALSE(view.ready);
  EXPECT_TRUE(view.window.empty() && view.cells.empty());
  EXPECT_EQ(view.pointed, SlotMapView::kNoPlace);
  EXPECT_FALSE(session->world().watched());
}

}  // namespace
}  // namespace spellpool::app
