// A picture shown with more pixels: the bilinear filter, at any ratio.
#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/rng.hpp"
#include "drawn_test.hpp"
#include "render/cpu/enlarge.hpp"

namespace spellpool::render {
namespace {

struct Plane {
  int width, height, stride;
  std::vector<u32> pixels;
  Plane(int w, int h, int spare)
      : width(w), height(h), stride(w + spare), pixels(static_cast<std::size_t>(stride * h), 0x11223344u) {}
  PixelPlane plane() { return {pixels.data(), stride, width, height}; }
  int channel(int x, int y, int c) const {
    const int column = std::clamp(x, 0, width - 1), row = std::clamp(y, 0, height - 1);
    return static_cast<int>(pixels[static_cast<std::size_t>(row * stride + column)] >> (8 * c) & 255u);
  }
};

TEST(Enlarge, IsTheLinearFilterAtAnyRatio) {
  Rng rng(9);
  ThreadPool threads(3);
  Enlarger enlarger;
  const int sizes[][4] = {{64, 36, 128, 72}, {65, 37, 129, 73}, {96, 54, 128, 72}, {40, 20, 40, 20},
                          {1, 1, 7, 5},      {2, 1, 4, 2},      {1, 9, 2, 18},     {130, 70, 260, 140}};
  for (const auto& size : sizes) {
    Plane from(size[0], size[1], 3), to(size[2], size[3], 5);
    for (u32& pixel : from.pixels) pixel = rng.next_u32();
    enlarger.enlarge(from.plane(), to.plane(), threads);
    for (int y = 0; y < to.height; ++y) {
      for (int x = 0; x < to.width; ++x) {
        const double u = (x + 0.5) * from.width / to.width - 0.5, v = (y + 0.5) * from.height / to.height - 0.5;
        const int i = static_cast<int>(std::floor(u)), j = static_cast<int>(std::floor(v));
        const double s = u - i, t = v - j;
        for (int c = 0; c < 4; ++c) {
          const double upper = from.channel(i, j, c) * (1 - s) + from.channel(i + 1, j, c) * s;
          const double lower = from.channel(i, j + 1, c) * (1 - s) + from.channel(i + 1, j + 1, c) * s;
          // 256ths of a pixel, rounded twice.
          ASSERT_NEAR(to.channel(x, y, c), upper * (1 - t) + lower * t, 2.5)
              << size[0] << " to " << size[2] << " at " << x << "," << y;
        }
      }
      for (int x = to.width; x < to.stride; ++x) {
        ASSERT_EQ(to.pixels[static_cast<std::size_t>(y * to.stride + x)], 0x11223344u) << "beside the picture";
      }
    }
  }
}

TEST(Enlarge, TheSameSizeIsACopy) {
  Rng rng(10);
  ThreadPool threads(2);
  Enlarger enlarger;
  Plane from(33, 21, 0), to(33, 21, 0);
  for (u32& pixel : from.pixels) pixel = rng.next_u32();
  enlarger.enlarge(from.plane(), to.plane(), threads);
  EXPECT_EQ(to.pixels, from.pixels);
}

class FewerPixels : public test::DrawnTest {
 protected:
  static test::Picture at(frame::Resolution resolution, const test::StagedScene& scene, int width, int height) {
    return at(*renderer_, resolution, scene, width, height);
  }
  static test::Picture at(Renderer& renderer, frame::Resolution resolution, const test::StagedScene& scene, int width,
                          int height) {
    frame::LookSettings looks;
    looks.draw = frame::DrawPath::Cpu;
    looks.quality = frame::Quality::High;
    looks.resolution = resolution;
    renderer.set_looks(looks);
    const test::Picture picture = draw_with(renderer, scene.snapshot(), width, height);
    EXPECT_EQ(renderer.width_px(), width);
    EXPECT_EQ(renderer.height_px(), height);
    return picture;
  }
  static double difference(const test::Picture& a, const test::Picture& b) {
    EXPECT_EQ(a.rgb.size(), b.rgb.size());
    double sum = 0;
    for (std::size_t i = 0; i < std::min(a.rgb.size(), b.rgb.size()); ++i)
      sum += std::abs(int{a.rgb[i]} - int{b.rgb[i]});
    return sum / static_cast<double>(a.rgb.size());
  }
};

TEST_F(FewerPixels, ShowTheSameWorldSofter) {
  const test::StagedScene scene = test::quiet_scene();
  for (const auto& [width, height] : {std::pair{1280, 720}, std::pair{901, 613}, std::pair{500, 800}}) {
    const test::Picture full = at(frame::Resolution::Full, scene, width, height);
    double last = 0;
    for (const frame::Resolution resolution : {frame::Resolution::ThreeQuarters, frame::Resolution::Half}) {
      const test::Picture fewer = at(resolution, scene, width, height);
      const double apart = difference(fewer, full);
      EXPECT_GT(apart, last) << width;  // Not the full picture, and less sharp with fewer pixels.
      EXPECT_LT(apart, 3.0) << width;
      EXPECT_NEAR(fewer.mean_luma(), full.mean_luma(), 0.02 * full.mean_luma() + 0.001) << width;
      last = apart;
    }
    EXPECT_TRUE(at(frame::Resolution::Full, scene, width, height) == full);
  }
}

TEST_F(FewerPixels, ShowTheSameGardenSofter) {
  test::StagedScene scene;
  scene.garden(77.0f, 2);
  const test::Picture full = at(frame::Resolution::Full, scene, 1280, 720);
  double last = 0;
  for (const frame::Resolution resolution : {frame::Resolution::ThreeQuarters, frame::Resolution::Half}) {
    const test::Picture fewer = at(resolution, scene, 1280, 720);
    EXPECT_GT(difference(fewer, full), last);
    last = difference(fewer, full);
    EXPECT_LT(last, 3.0);
    EXPECT_NEAR(fewer.mean_luma(), full.mean_luma(), 0.02 * full.mean_luma() + 0.001);
  }
  EXPECT_TRUE(at(frame::Resolution::Full, scene, 1280, 720) == full);
}

// The floor is read from OpenGL once, and moved to where the next resolution needs it.
TEST_F(FewerPixels, AnyOrderOfResolutionsAndScenesShowsTheSame) {
  const test::StagedScene arena = test::quiet_scene();
  test::StagedScene garden;
  garden.garden(77.0f, 2);
  using enum frame::Resolution;
  const std::array resolutions = {Half, ThreeQuarters, Full};
  std::array<test::Picture, resolutions.size()> expected;
  for (const frame::Resolution resolution : resolutions) {
    std::string error;
    const auto renderer = Renderer::create({}, error);
    ASSERT_NE(renderer, nullptr) << error;
    expected[static_cast<std::size_t>(resolution)] = at(*renderer, resolution, arena, 800, 500);
  }
  const auto shows_the_same = [&](frame::Resolution resolution) {
    EXPECT_TRUE(at(resolution, arena, 800, 500) == expected[static_cast<std::size_t>(resolution)])
        << static_cast<int>(resolution);
  };
  for (const frame::Resolution resolution : {Full, Half, ThreeQuarters, Half, Full, ThreeQuarters, Full})
    shows_the_same(resolution);
  for (const frame::Resolution between : resolutions) {
    for (const frame::Resolution resolution : {Half, Full, ThreeQuarters}) {
      at(between, garden, 800, 500);
      shows_the_same(resolution);
    }
  }
}

TEST_F(FewerPixels, ASmallWindowKeepsItsOwn) {
  const test::StagedScene scene = test::quiet_scene();
  EXPECT_TRUE(at(frame::Resolution::Half, scene, 640, 360) == at(frame::Resolution::Full, scene, 640, 360));
}

}  // namespace
}  // namespace spellpool::render
