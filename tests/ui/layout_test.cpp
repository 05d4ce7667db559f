#include "ui/kit/layout.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace spellpool::ui {
namespace {

TEST(DesignScale, LeavesACanvasOf640By360) {
  for (const float request : {0.75f, 1.0f, 1.5f, 2.0f, 4.0f}) {
    for (const auto& [width, height] :
         {std::pair{640.0f, 360.0f}, {1280.0f, 720.0f}, {2560.0f, 1440.0f}, {1920.0f, 800.0f}, {300.0f, 900.0f}}) {
      const float scale = design_scale(width, height, request);
      EXPECT_LE(scale, request);
      EXPECT_GE(width / scale, kLeastWidth - 0.01f);
      EXPECT_GE(height / scale, kLeastHeight - 0.01f);
    }
  }
}

TEST(DesignScale, IsThePlayersWishWhereItFits) {
  EXPECT_FLOAT_EQ(design_scale(2560, 1440, 2.0f), 2.0f);
  EXPECT_FLOAT_EQ(design_scale(1280, 720, 0.75f), 0.75f);
}

TEST(DesignScale, KeepsTextReadableAndSurvivesNonsense) {
  EXPECT_FLOAT_EQ(design_scale(640, 480, 0.1f), 0.75f);
  EXPECT_FLOAT_EQ(design_scale(1280, 720, std::numeric_limits<float>::quiet_NaN()), 1.0f);
  EXPECT_FLOAT_EQ(design_scale(0, 0, 1.0f), 0.0f);
  EXPECT_FLOAT_EQ(design_scale(-5, 720, 1.0f), 0.0f);
  EXPECT_FLOAT_EQ(design_scale(std::numeric_limits<float>::quiet_NaN(), 720, 1.0f), 0.0f);
}

PanelSizes sizes() {
  PanelSizes all;
  all.pool_panel = all.graph = true;
  all.gap = 8;
  all.pool_width = 320;
  all.pool_height = 560;
  all.pool_compact_height = 440;
  all.graph_height = 220;
  all.graph_least_height = 168;
  return all;
}

TEST(PlacePanels, StackInATallWindow) {
  const PanelPlaces places = place_panels({12, 12, 1'268, 900}, sizes());
  EXPECT_FALSE(places.compact);
  EXPECT_FLOAT_EQ(places.graph.width(), 1'256);
  EXPECT_FLOAT_EQ(places.pool_panel.height(), 560);
}

TEST(PlacePanels, DropDescriptionsBeforeTheGraphGetsNarrow) {
  const PanelPlaces places = place_panels({12, 12, 1'268, 708}, sizes());
  EXPECT_TRUE(places.compact);
  EXPECT_FLOAT_EQ(places.graph.width(), 1'256);
}

TEST(PlacePanels, StandBesideEachOtherInALowWindow) {
  const PanelPlaces places = place_panels({12, 12, 628, 348}, sizes());
  EXPECT_LT(places.graph.x1, places.pool_panel.x0);
  EXPECT_FLOAT_EQ(places.pool_panel.height(), 336);
}

TEST(PlacePanels, NeverOverlapNorLeaveTheWindow) {
  PanelSizes all = sizes();
  for (float width = 616; width < 2'600; width += 97) {
    for (float height = 336; height < 1'500; height += 41) {
      for (const bool graph : {false, true}) {
        for (const bool pool : {false, true}) {
          all.graph = graph;
          all.pool_panel = pool;
          const Rect free{12, 12, 12 + width, 12 + height};
          const PanelPlaces places = place_panels(free, all);
          const Rect parts[] = {places.pool_panel, places.graph, places.rest};
          for (const Rect& part : parts) {
            if (part.empty()) continue;
            EXPECT_TRUE(part.x0 >= free.x0 && part.y0 >= free.y0 && part.x1 <= free.x1 && part.y1 <= free.y1);
            for (const Rect& other : parts) EXPECT_TRUE(&part == &other || other.empty() || !part.overlaps(other));
          }
        }
      }
    }
  }
}

TEST(Take, GivesNothingWhenThereIsNoRoom) {
  Rect free{0, 0, 100, 50};
  EXPECT_TRUE(take_top(free, 60, 4).empty());
  EXPECT_FLOAT_EQ(free.height(), 50);
  EXPECT_FLOAT_EQ(take_bottom(free, 20, 4).y0, 30);
  EXPECT_FLOAT_EQ(free.y1, 26);
  EXPECT_FLOAT_EQ(take_top(free, 26, 4).y1, 26);
  EXPECT_TRUE(free.empty());
  EXPECT_TRUE(take_top(free, 1, 0).empty());
}

}  // namespace
}  // namespace spellpool::ui
