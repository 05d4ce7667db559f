// The processor's canvas without OpenGL: whole pictures from any number of threads and each instruction set, and the
// tiles that figures mark.
#include "render/cpu/cpu_canvas.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/rng.hpp"
#include "render/cpu/cpu_light.hpp"

namespace spellpool::render::test {
namespace {

using frame::ParticleInstance;

struct Crowd {
  std::vector<ParticleInstance> matter, light, bullets;
};
/// In all layers, of all shapes and sizes, on the picture, over its edges and beyond.
Crowd crowd(u64 seed, int count) {
  Rng rng(seed);
  Crowd made;
  for (int i = 0; i < count; ++i) {
    ParticleInstance p{};
    p.x = static_cast<i16>(rng.range(-700, 700) * frame::kPositionScale);
    p.y = static_cast<i16>(rng.range(-420, 420) * frame::kPositionScale);
    p.dx = static_cast<i16>(rng.range(-900, 900));
    p.dy = static_cast<i16>(rng.range(-900, 900));
    if (rng.below(60) == 0) p.dx = 32767;
    if (rng.below(60) == 0) p.y = -32768;
    p.r = static_cast<u8>(rng.below(256));
    p.g = static_cast<u8>(rng.below(256));
    p.b = static_cast<u8>(rng.below(256));
    p.a = static_cast<u8>(rng.below(256));
    constexpr std::array kSizes = {0.0f, 0.5f, 1.0f, 3.0f, 8.0f, 12.0f, 30.0f, 256.0f};
    p.size = static_cast<u16>(kSizes[rng.below(i % 50 == 0 ? 8u : 7u)] * frame::kSizeScale);
    p.glow_shape = static_cast<u8>(rng.next_u32());
    p.angle = static_cast<u8>(rng.next_u32());
    (rng.below(3) == 0 ? made.matter : rng.below(8) == 0 ? made.bullets : made.light).push_back(p);
  }
  return made;
}

struct Size {
  int width, height;
};

std::vector<u32> painted(CpuCanvas& canvas, Size size, const Crowd& crowd, float alpha, int divisor, float bend, const float* vision) {
  const auto [width, height] = size;
  canvas.resize(width, height);
  Rng rng(77);
  const GroundArea area = ground_area(width, height, 16384);
  canvas.stone().resize(static_cast<std::size_t>(area.width_px) * static_cast<std::size_t>(area.height_px));
  for (std::size_t i = 0; i < canvas.stone().size(); ++i) canvas.stone().data()[i] = rng.next_u32();
  canvas.set_ground(area);
  CpuPicture picture;
  picture.view.width_px = static_cast<float>(width);
  picture.view.height_px = static_cast<float>(height);
  picture.alpha = alpha;
  picture.divisor = divisor;
  picture.bloom_levels = bend > 0.0f ? 0 : 4;
  picture.bend = {100.0f, -50.0f};
  picture.bend_strength = bend;
  picture.vision = vision;
  canvas.begin(picture);
  canvas.sort(crowd.matter, crowd.light, crowd.bullets);
  // A sky of coloured specks, and lights over all of it.
  CpuLight lamps(64);
  std::vector<float> sky(32 * 32 * 4);
  for (float& number : sky) number = 0.3f * rng.unit();
  lamps.set_sky(area, 32, 32, sky);
  std::vector<frame::LightInstance> lights(40);
  for (frame::LightInstance& light : lights) {
    light.x = light.previous_x = rng.range(-700, 700);
    light.y = light.previous_y = rng.range(-400, 400);
    light.radius = rng.range(20, 300);
    light.r = rng.unit();
    light.g = rng.unit();
    light.b = rng.unit();
  }
  canvas.lay_light(lamps, {picture.view, alpha, lights, 3.0f, bend});
  TileMarks nothing;
  nothing.begin(picture.view);
  canvas.paint_plain(nothing);
  // One in a tile, one over four of them, one over the picture's corner.
  const ScreenDot dots[] = {{5.3f, 6.1f, 4.0f, {0.5f, 0.4f, 0.3f}},
                            {64.2f, 63.8f, 9.0f, {0.2f, 0.9f, 0.3f}},
                            {0.1f, 0.2f, 6.0f, {0.9f, 0.1f, 0.3f}}};
  canvas.finish(false, dots);
  canvas.lay_bullets(false);
  std::vector<u32> pixels;
  for (int y = 0; y < height; ++y) pixels.insert(pixels.end(), canvas.pixels() + y * canvas.stride(), canvas.pixels() + y * canvas.stride() + width);
  return pixels;
}

TEST(CpuCanvasPicture, DependsNeitherOnThreadsNorOnTheInstructionSet) {
  constexpr float kVision[9] = {0.8f, 0.2f, 0, 0.1f, 0.9f, 0, 0, 0.3f, 0.7f};
  const Crowd all = crowd(4, 3000);
  for (const Size size : {Size{640, 360}, Size{333, 205}, Size{63, 65}, Size{1, 1}, Size{129, 64}}) {
    std::vector<u32> expected[4];
    for (const CpuKernels* row : cpu_kernels()) {
      for (const int hands : {1, 2, 3, 8}) {
        CpuCanvas canvas(*row, hands);
        for (int way = 0; way < 4; ++way) {
          const std::vector<u32> made =
              painted(canvas, size, all, 0.3f * static_cast<float>(way), way % 2 == 0 ? 4 : 8, way == 3 ? 0.9f : 0.0f, way == 2 ? kVision : nullptr);
          if (expected[way].empty()) expected[way] = made;
          ASSERT_TRUE(made == expected[way]) << row->name << ", " << hands << " hands, " << size.width << "x" << size.height << " way " << way;
        }
      }
    }
    if (size.width > 1) {
      EXPECT_FALSE(expected[0] == expected[2]);
    }
  }
}

TEST(CpuCanvasPicture, TheSameAgainAfterOtherSizesAndCrowds) {
  CpuCanvas canvas(*cpu_kernels().front(), 2);
  const Crowd few = crowd(1, 50), many = crowd(2, 4000), none;
  const auto picture = [&](Size size, const Crowd& some) { return painted(canvas, size, some, 0.5f, 4, 0.0f, nullptr); };
  const std::vector<u32> first = picture({300, 200}, few), empty = picture({300, 200}, none);
  EXPECT_FALSE(first == empty);
  picture({640, 360}, many);
  EXPECT_TRUE(picture({300, 200}, few) == first);
  picture({70, 500}, none);
  picture({300, 200}, many);
  EXPECT_TRUE(picture({300, 200}, none) == empty);
}

/// Green ones, many a place, and a red one after them all.
std::vector<ParticleInstance> red_last(u8 glow_shape) {
  std::vector<ParticleInstance> made;
  for (int i = 0; i < 500; ++i) {
    ParticleInstance p{};
    p.x = static_cast<i16>((i % 25 - 12) * 10 * 32);
    p.y = static_cast<i16>((i / 25 % 20 - 10) * 10 * 32);
    p.size = 60 * 64;
    p.a = p.g = 255;
    p.glow_shape = glow_shape;
    made.push_back(p);
  }
  made.push_back(made[260]);
  made.back().g = 0;
  made.back().r = 255;
  return made;
}

/// So many pixels right of the last one's middle.
void expect_red(const Crowd& all, const ParticleInstance& last, int aside, u32 least_red, u32 most_green) {
  for (const int hands : {1, 2, 3, 8}) {
    CpuCanvas canvas(*cpu_kernels().front(), hands);
    const std::vector<u32> pixels = painted(canvas, {1280, 720}, all, 1.0f, 4, 0.0f, nullptr);
    const u32 at = pixels[static_cast<std::size_t>((360 + last.y / 32) * 1280 + 640 + last.x / 32 + aside)];
    EXPECT_GT(at >> 16 & 255u, least_red) << hands;
    EXPECT_LT(at >> 8 & 255u, most_green) << hands;
  }
}

TEST(CpuCanvasPicture, LaterMatterLiesOverEarlier) {
  Crowd all;
  all.matter = red_last(31u << 3);
  expect_red(all, all.matter.back(), 0, 100, 100);
}

TEST(CpuCanvasPicture, LaterBulletsLieOverEarlier) {
  Crowd all;
  all.bullets = red_last(0);
  expect_red(all, all.bullets.back(), 24, 150, 60);  // Its rim.
}

TEST(TileMarks, MarkWhatIsTouchedAndLittleMore) {
  Rng rng(6);
  for (const Size size : {Size{1280, 720}, Size{100, 70}, Size{64, 64}, Size{65, 128}, Size{1, 1}, Size{333, 2000}}) {
    View view;
    view.width_px = static_cast<float>(size.width);
    view.height_px = static_cast<float>(size.height);
    view.centre_x = 13.0f;
    const int columns = (size.width + kTile_px - 1) / kTile_px, rows = (size.height + kTile_px - 1) / kTile_px;
    TileMarks marks;
    for (int round = 0; round < 200; ++round) {
      marks.begin(view);
      ASSERT_EQ(marks.count(), 0);
      const float half = view.half_width() + 100.0f;
      const float x = view.centre_x + rng.range(-half, half), y = rng.range(-450, 450), reach = round % 4 == 0 ? 0.0f : rng.range(0, 120);
      marks.mark(x, y, reach);
      const Point at = world_to_screen(view, {x, y});
      const float reach_px = reach * view.px_per_unit();
      int count = 0;
      for (int tile = 0; tile < columns * rows; ++tile) {
        const float left = static_cast<float>(tile % columns * kTile_px), top = static_cast<float>(tile / columns * kTile_px);
        const auto touched = [&](float far) {
          return at.x + far >= left && at.x - far < left + kTile_px && at.y + far >= top && at.y - far < top + kTile_px;
        };
        EXPECT_TRUE(marks.at(tile) || !touched(reach_px)) << size.width << " " << x << "," << y << " " << reach << " tile " << tile;
        EXPECT_TRUE(!marks.at(tile) || touched(reach_px + 1.5f)) << size.width << " " << x << "," << y << " " << reach << " tile " << tile;
        count += marks.at(tile) ? 1 : 0;
      }
      EXPECT_EQ(marks.count(), count);
      marks.mark(x, y, reach);
      EXPECT_EQ(marks.count(), count) << "a mark counts once";
    }
    marks.begin(view);
    constexpr float kNan = std::numeric_limits<float>::quiet_NaN(), kInf = std::numeric_limits<float>::infinity();
    for (const float bad : {kNan, kInf, -kInf}) {
      marks.mark(bad, 0, 10);
      marks.mark(0, bad, 10);
      marks.mark(0, 0, bad);
    }
    marks.mark(kInf, -kInf, 5);
    marks.mark(1e30f, 0, 10);
    marks.mark(0, -1e30f, 10);
    EXPECT_EQ(marks.count(), 0);
    marks.mark(0, 0, 1e20f);
    EXPECT_EQ(marks.count(), columns * rows);
  }
}

}  // namespace
}  // namespace spellpool::render::test
