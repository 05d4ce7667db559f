#include "render/view.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "render/ground.hpp"

namespace spellpool::render {
namespace {

TEST(View, EveryWindowShows720UnitsOfItsShorterSide) {
  for (const auto& [width, height] : {std::pair{1280, 720}, {2560, 1440}, {100, 1000}, {1, 1}, {7680, 4320}}) {
    const View view = view_of({}, 1.0f, width, height);
    const Point top = screen_to_world(view, {0, 0});
    const Point bottom = screen_to_world(view, {static_cast<float>(width), static_cast<float>(height)});
    const float shorter = static_cast<float>(std::min(width, height));
    EXPECT_NEAR(bottom.y - top.y, 720.0f * static_cast<float>(height) / shorter, 0.01f);
    EXPECT_NEAR(bottom.x - top.x, 720.0f * static_cast<float>(width) / shorter, 0.01f);
    EXPECT_NEAR(bottom.x - top.x, 2.0f * view.half_width(), 0.01f);
    EXPECT_NEAR(bottom.y - top.y, 2.0f * view.half_height(), 0.01f);
  }
}

TEST(View, ShowsBothSidesOfTheArenaInATallWindowAndAimsWhereTheMouseIs) {
  constexpr float kRing = 346.0f;
  for (const auto& [width, height] : {std::pair{400, 700}, {1080, 1920}, {300, 2000}, {719, 720}}) {
    const View view = view_of({}, 1.0f, width, height);
    for (const Point edge : {Point{-kRing, 0}, {kRing, 0}, {0, -kRing}, {0, kRing}}) {
      const Point px = world_to_screen(view, edge);
      EXPECT_TRUE(px.x >= 0 && px.x <= static_cast<float>(width) && px.y >= 0 &&
                  px.y <= static_cast<float>(height))
          << width << "x" << height << ": " << px.x << ", " << px.y;
      const Point back = screen_to_world(view, px);
      EXPECT_NEAR(back.x, edge.x, 0.01f);
      EXPECT_NEAR(back.y, edge.y, 0.01f);
    }
    EXPECT_FLOAT_EQ(
        screen_to_world(view, {0.5f * static_cast<float>(width), 0.5f * static_cast<float>(height)}).y, 0.0f);
  }
}

TEST(View, ScreenAndWorldAreEachOthersInverse) {
  frame::RenderSnapshot snapshot;
  snapshot.camera_x = 30.0f;
  snapshot.previous_camera_y = -12.0f;
  const View view = view_of(snapshot, 0.5f, 1920, 1080);
  for (const Point p : {Point{0, 0}, {1919, 3}, {700, 1079}}) {
    const Point back = world_to_screen(view, screen_to_world(view, p));
    EXPECT_NEAR(back.x, p.x, 0.01f);
    EXPECT_NEAR(back.y, p.y, 0.01f);
  }
  EXPECT_FLOAT_EQ(screen_to_world(view, {960, 540}).x, 15.0f);
  EXPECT_FLOAT_EQ(screen_to_world(view, {960, 540}).y, -6.0f);
}

TEST(View, SnappingMovesLessThanAPixelAndLaysTheWorldsMiddleBetweenPixels) {
  for (const auto& [width, height] : {std::pair{1920.0f, 1080.0f}, {1279.0f, 1080.0f}, {1280.0f, 717.0f}, {333.0f, 187.0f}}) {
    View view;
    view.width_px = width;
    view.height_px = height;
    for (float x = -3.0f; x < 3.0f; x += 0.137f) {
      view.centre_x = x;
      view.centre_y = -2.0f * x;
      const View snapped = snapped_to_pixels(view);
      EXPECT_LE(std::fabs(snapped.centre_x - view.centre_x) * view.px_per_unit(), 0.501f);
      EXPECT_LE(std::fabs(snapped.centre_y - view.centre_y) * view.px_per_unit(), 0.501f);
      const Point middle = world_to_screen(snapped, {0, 0});
      EXPECT_NEAR(middle.x, std::round(middle.x), 1e-3f);
      EXPECT_NEAR(middle.y, std::round(middle.y), 1e-3f);
    }
  }
}

TEST(View, ASizeOfNothingCountsAsOnePixel) {
  const View view = view_of({}, 1.0f, 0, -5);
  EXPECT_EQ(view.width_px, 1.0f);
  EXPECT_EQ(view.height_px, 1.0f);
}

TEST(GroundArea, HasATexelForEachPixelAndCoversTheCamerasLead) {
  for (const auto& [width, height] : {std::pair{1280, 720}, {2560, 1440}, {640, 360}, {333, 777}}) {
    const GroundArea area = ground_area(width, height, 16384);
    const float scale = static_cast<float>(std::min(width, height)) / 720.0f;
    EXPECT_TRUE(area.pixel_exact);
    EXPECT_NEAR(static_cast<float>(area.width_px) / area.width, scale, 1e-3f);
    EXPECT_NEAR(static_cast<float>(area.height_px) / area.height, scale, 1e-3f);
    EXPECT_LE(area.top, -360.0f - kGroundMargin);
    EXPECT_GE(area.left + area.width, 0.5f * static_cast<float>(width) / scale + kGroundMargin);
  }
}

TEST(GroundArea, CoversEveryWindowAndTheCoarseOneMoreShapes) {
  for (const auto& [width, height] :
       {std::pair{1280, 720}, {900, 300}, {400, 700}, {3840, 600}, {300, 2000}}) {
    const GroundArea area = ground_area(width, height, 16384),
                     coarse = coarse_ground_area(width, height, 16384);
    EXPECT_TRUE(covers(area, width, height)) << width << "x" << height;
    EXPECT_TRUE(covers(coarse, width * 4 / 3, height) && covers(coarse, width, height * 4 / 3))
        << width << "x" << height;
    EXPECT_LT(i64{coarse.width_px} * coarse.height_px, i64{area.width_px} * area.height_px / 6);
    EXPECT_FALSE(coarse.pixel_exact);
  }
  EXPECT_FALSE(covers(ground_area(400, 700, 16384), 1500, 800));
  EXPECT_FALSE(covers(ground_area(1500, 800, 16384), 400, 700));
}

TEST(GroundArea, StaysWithinItsLimits) {
  for (const auto& [width, height] : {std::pair{7680, 4320}, {7680, 1}, {1, 4320}, {7680, 100}, {1, 1}}) {
    for (const int largest : {2048, 4096, 16384}) {
      const GroundArea area = ground_area(width, height, largest);
      EXPECT_GE(area.width_px, 1);
      EXPECT_GE(area.height_px, 1);
      EXPECT_LE(area.width_px, largest);
      EXPECT_LE(area.height_px, largest);
      EXPECT_LE(static_cast<double>(area.width_px) * area.height_px, 33554432.0);
    }
  }
}

}  // namespace
}  // namespace spellpool::render
