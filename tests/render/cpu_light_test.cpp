// The light on the ground as the processor works it out: texel by texel what the shaders say, and in whole pictures what
// OpenGL draws.
#include "render/cpu/cpu_light.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>

#include "core/rng.hpp"
#include "counted_news.hpp"
#include "drawn_test.hpp"

namespace spellpool::render::test {
namespace {

using frame::LightInstance;
using Texel = std::array<double, SmallPlanes::kChannels>;

/// Planes of a small picture, with room for a border, and a sky in which each texel is another.
class LitPlanes {
 public:
  LitPlanes(int width_px, int height_px, int divisor, int hands) : thread_pool_(hands) {
    scene.view.width_px = static_cast<float>(width_px);
    scene.view.height_px = static_cast<float>(height_px);
    small_.divisor = divisor;
    small_.width = (width_px + divisor - 1) / divisor;
    small_.height = (height_px + divisor - 1) / divisor;
    small_.stride = small_.width + 16;
    const std::size_t plane = static_cast<std::size_t>(small_.stride) * static_cast<std::size_t>(small_.height + 4);
    floats_.assign(plane * SmallPlanes::kChannels, -7.0f);
    for (std::size_t c = 0; c < SmallPlanes::kChannels; ++c) {
      plane_[c] = floats_.data() + c * plane + small_.stride + 8;
      small_.plane[c] = plane_[c];
    }
    area_ = ground_area(width_px, height_px, 16384);
    sky_width_ = area_.width_px / 4;
    sky_height_ = area_.height_px / 4;
    sky_.resize(static_cast<std::size_t>(sky_width_) * static_cast<std::size_t>(sky_height_) * 4);
    Rng rng(5);
    for (float& one : sky_) one = 0.05f * rng.unit();
    light.set_sky(area_, sky_width_, sky_height_, sky_);
  }

  void fill() { light.fill(scene, small_, plane_, thread_pool_); }
  const std::vector<float>& floats() const { return floats_; }
  const SmallPlanes& small() const { return small_; }
  float at(int channel, int x, int y) const { return plane_[channel][static_cast<std::ptrdiff_t>(y) * small_.stride + x]; }

  /// The same by the shaders' words: surround.frag, light.vert and .frag, night.frag.
  Texel expected(int x, int y) const {
    const Point world = screen_to_world(scene.view, {(static_cast<float>(x) + 0.5f) * static_cast<float>(small_.divisor),
                                                     (static_cast<float>(y) + 0.5f) * static_cast<float>(small_.divisor)});
    const double radius = std::hypot(static_cast<double>(world.x), static_cast<double>(world.y));
    const auto smooth = [radius](double from, double to) {
      const double t = std::clamp((radius - from) / (to - from), 0.0, 1.0);
      return t * t * (3.0 - 2.0 * t);
    };
    const auto luma = [](const auto& c) { return 0.30 * c[0] + 0.55 * c[1] + 0.15 * c[2]; };
    const std::array<double, 3> sky = sky_at(world);
    Texel texel = {sky[0], sky[1], sky[2], -0.62 * 0.85 * luma(sky), 0, 0, 0, -0.70 * 0.85 * luma(sky)};
    for (const LightInstance& one : scene.lights) {
      const double dx = (world.x - (one.previous_x + (one.x - one.previous_x) * scene.alpha)) / one.radius;
      const double dy = (world.y - (one.previous_y + (one.y - one.previous_y) * scene.alpha)) / one.radius;
      const double d2 = dx * dx + dy * dy, fade = std::max(0.0, 1.0 - d2);
      const double strength = fade * fade / (1.0 + 9.0 * d2) * (1.0 + (0.10 - 1.0) * smooth(318.0, 372.0));
      const std::array<double, 3> own = {one.r, one.g, one.b};
      std::array<double, 3> lit{};
      for (std::size_t c = 0; c < 3; ++c) lit[c] = std::max(0.0, own[c] + 0.24 * (own[c] - luma(own))) * strength;
      for (std::size_t c = 0; c < 3; ++c) texel[c] += lit[c];
      texel[SmallPlanes::TowardsX] -= dx / std::sqrt(d2 + 0.035) * luma(lit);
      texel[SmallPlanes::TowardsY] -= dy / std::sqrt(d2 + 0.035) * luma(lit);
    }
    const double mist = smooth(334.0, 341.0) * (0.16 + (0.95 - 0.16) * smooth(338.0, 400.0));
    for (std::size_t c = 0; c < 3; ++c) texel[SmallPlanes::AddRed + c] = texel[c] * mist;
    return texel;
  }

  void expect_as_the_shaders_say() const {
    double worst = 0.0;
    for (int y = 0; y < small_.height; ++y) {
      for (int x = 0; x < small_.width; ++x) {
        const Texel wanted = expected(x, y);
        for (int c = 0; c < SmallPlanes::kChannels; ++c) {
          // A NaN must not pass.
          const double off = std::abs(at(c, x, y) - wanted[static_cast<std::size_t>(c)]);
          worst = off <= worst ? worst : off;
          ASSERT_TRUE(off < 2e-4) << "channel " << c << " at " << x << ", " << y << ": " << at(c, x, y) << " for "
                                  << wanted[static_cast<std::size_t>(c)];
        }
      }
    }
    EXPECT_GT(worst, 0.0);
  }

  LightScene scene;
  CpuLight light{512};

 private:
  std::array<double, 3> sky_at(Point world) const {
    const double u = std::clamp((static_cast<double>(world.x) - area_.left) / area_.width * sky_width_ - 0.5, 0.0, sky_width_ - 1.0);
    const double v = std::clamp((static_cast<double>(world.y) - area_.top) / area_.height * sky_height_ - 0.5, 0.0, sky_height_ - 1.0);
    const int i = static_cast<int>(u), j = static_cast<int>(v);
    std::array<double, 3> sum{};
    for (int corner = 0; corner < 4; ++corner) {
      const int x = std::min(i + (corner & 1), sky_width_ - 1), y = std::min(j + (corner >> 1), sky_height_ - 1);
      const double across = (corner & 1) != 0 ? u - i : 1.0 - (u - i), down = (corner >> 1) != 0 ? v - j : 1.0 - (v - j);
      for (std::size_t c = 0; c < 3; ++c) {
        sum[c] += sky_[static_cast<std::size_t>(y * sky_width_ + x) * 4 + c] * across * down;
      }
    }
    return sum;
  }

  ThreadPool thread_pool_;
  GroundArea area_;
  SmallPlanes small_;
  std::vector<float> floats_, sky_;
  float* plane_[SmallPlanes::kChannels] = {};
  int sky_width_ = 0, sky_height_ = 0;
};

/// Some within the ring, some beyond, some over the picture's edges, one large, one of no size.
std::vector<LightInstance> many_lights(int count) {
  std::vector<LightInstance> lights;
  for (int i = 0; i < count; ++i) {
    const float turn = static_cast<float>(i) * 2.39996f, out = 12.0f * static_cast<float>(i);
    const float x = out * std::cos(turn), y = out * std::sin(turn);
    lights.push_back({x, y, x - 9.0f, y + 4.0f, 20.0f + 7.0f * static_cast<float>(i % 23), 0.9f, 0.2f * static_cast<float>(i % 5),
                      0.1f * static_cast<float>(i % 7)});
  }
  if (count > 10) {
    lights[5].radius = 900.0f;
    lights[6].radius = 1e-9f;
  }
  return lights;
}

TEST(CpuLightTest, IsTexelByTexelWhatTheShadersSay) {
  struct View {
    int width, height;
  };
  for (const View size : {View{320, 180}, View{1279, 717}, View{64, 700}, View{5, 3}}) {
    for (const int divisor : {4, 8}) {
      for (const int count : {0, 1, 60}) {
        LitPlanes planes(size.width, size.height, divisor, 2);
        const std::vector<LightInstance> lights = many_lights(count);
        planes.scene.lights = lights;
        planes.scene.alpha = 0.25f;
        for (const Point camera : {Point{0, 0}, Point{37.5f, -21.0f}, Point{-400.0f, 300.0f}, Point{2048.0f, 2048.0f}}) {
          planes.scene.view.centre_x = camera.x;
          planes.scene.view.centre_y = camera.y;
          planes.fill();
          SCOPED_TRACE(testing::Message() << size.width << "×" << size.height << " / " << divisor << ", " << count
                                          << " lights, camera " << camera.x);
          ASSERT_NO_FATAL_FAILURE(planes.expect_as_the_shaders_say());
        }
      }
    }
  }
}

TEST(CpuLightTest, DoesNotDependOnTheNumberOfThreads) {
  LitPlanes alone(640, 350, 4, 1), five(640, 350, 4, 5);
  const std::vector<LightInstance> lights = many_lights(60);
  for (LitPlanes* planes : {&alone, &five}) {
    planes->scene.lights = lights;
    planes->scene.finale = 0.8f;
    planes->scene.time_s = 31.0f;
    planes->fill();
  }
  EXPECT_TRUE(std::ranges::equal(alone.floats(), five.floats()));
  const std::size_t halves = static_cast<std::size_t>(alone.small().width) * static_cast<std::size_t>(alone.small().height) * 4;
  EXPECT_EQ(std::memcmp(alone.light.light_halves(), five.light.light_halves(), halves * 2), 0);
  EXPECT_EQ(std::memcmp(alone.light.direction_halves(), five.light.direction_halves(), halves * 2), 0);
}

double of_half(u16 half) {
  const int exponent = half >> 10 & 31;
  const double size = exponent == 0 ? std::ldexp(half & 1023, -24) : std::ldexp(1024 + (half & 1023), exponent - 25);
  return (half & 0x8000) != 0 ? -size : size;
}

TEST(CpuLightTest, HalfFloatsAreTheSameLightTurnedOver) {
  LitPlanes planes(331, 182, 4, 2);
  std::vector<LightInstance> lights = many_lights(40);
  lights[3].r = 3e9f;  // More than a half float holds.
  planes.scene.lights = lights;
  planes.fill();
  const SmallPlanes& small = planes.small();
  for (int y = 0; y < small.height; ++y) {
    for (int x = 0; x < small.width; ++x) {
      const std::size_t texel = static_cast<std::size_t>((small.height - 1 - y) * small.width + x) * 4;
      for (int c = 0; c < 4; ++c) {
        const double value = planes.at(c, x, y);
        ASSERT_NEAR(of_half(planes.light.light_halves()[texel + static_cast<std::size_t>(c)]), value, std::abs(value) / 2048.0 + 4e-5);
        ASSERT_LE(std::abs(value), 65504.0);
      }
      const double value = planes.at(SmallPlanes::TowardsY, x, y);
      ASSERT_NEAR(of_half(planes.light.direction_halves()[texel + 3]), value, std::abs(value) / 2048.0 + 4e-5);
    }
  }
}

TEST(CpuLightTest, LightsThatAreNoUseLeaveNoTrace) {
  LitPlanes planes(320, 180, 4, 1);
  planes.fill();
  const std::vector<float> dark = planes.floats();
  constexpr float kHuge = std::numeric_limits<float>::max();
  planes.scene.alpha = 0.0f;
  const std::array lights = {LightInstance{kHuge, 0, -kHuge, 0, 50, 1, 1, 1}, LightInstance{1e30f, 0, 1e30f, 0, 50, 1, 1, 1},
                             LightInstance{0, 0, 0, 0, 1e-30f, 1, 1, 1}, LightInstance{0, -900, 0, -900, 100, 1, 1, 1}};
  planes.scene.lights = lights;
  planes.fill();
  EXPECT_TRUE(planes.floats() == dark);
}

class CpuLightPictures : public DrawnTest {
 protected:
  static Picture drawn(frame::DrawPath path, frame::Quality quality, const frame::RenderSnapshot& snapshot, int width, int height) {
    frame::LookSettings looks;
    looks.draw = path;
    looks.quality = quality;
    renderer_->set_looks(looks);
    Picture picture = draw(snapshot, width, height, 0.5f);
    renderer_->set_looks({});
    return picture;
  }

  /// The golden pictures' bounds, of 255.
  static void expect_equal_to_the_eye(const frame::RenderSnapshot& snapshot, int width, int height, frame::Quality quality,
                                      int bound = 16) {
    const Picture gpu = drawn(frame::DrawPath::Gpu, quality, snapshot, width, height);
    const Picture cpu = drawn(frame::DrawPath::Cpu, quality, snapshot, width, height);
    ASSERT_EQ(gpu.rgb.size(), cpu.rgb.size());
    int most = 0;
    double sum = 0.0;
    for (std::size_t i = 0; i < gpu.rgb.size(); ++i) {
      const int off = std::abs(gpu.rgb[i] - cpu.rgb[i]);
      most = std::max(most, off);
      sum += off;
    }
    EXPECT_LE(most, bound);
    EXPECT_LE(sum / static_cast<double>(gpu.rgb.size()), 2.0);
  }
};

TEST_F(CpuLightPictures, AreEqualToTheEyeHoweverTheyAreLit) {
  for (const frame::Quality quality : {frame::Quality::Low, frame::Quality::Medium, frame::Quality::High}) {
    for (const int count : {0, 1, 60}) {
      for (const float finale : {0.0f, 0.5f, 1.0f}) {
        SCOPED_TRACE(testing::Message() << "quality " << static_cast<int>(quality) << ", " << count << " lights, finale " << finale);
        StagedScene scene = quiet_scene();
        scene.lights = many_lights(count);
        scene.base.finale = finale;
        scene.base.runes_lit = 12.0f * finale;
        scene.base.camera_x = scene.base.previous_camera_x = 30.0f;
        scene.base.camera_y = scene.base.previous_camera_y = -14.0f;
        expect_equal_to_the_eye(scene.snapshot(), 640, 360, quality);
      }
    }
  }
}

// OpenGL stretches its texels over a picture that holds no whole number of them, the processor cuts the last: each grid
// shows the middle of a lamp, a few texels wide, in its own way. Ground a pixel off would be told by far more.
TEST_F(CpuLightPictures, AreNearlyEqualAtOddSizes) {
  StagedScene scene = quiet_scene();
  scene.lights = many_lights(60);
  scene.base.finale = 0.7f;
  for (const std::array<int, 2> size : {std::array{641, 361}, std::array{1279, 717}, std::array{359, 803}}) {
    for (const frame::Quality quality : {frame::Quality::Low, frame::Quality::High}) {
      SCOPED_TRACE(testing::Message() << size[0] << "×" << size[1] << ", quality " << static_cast<int>(quality));
      expect_equal_to_the_eye(scene.snapshot(), size[0], size[1], quality, 40);
    }
  }
}

TEST_F(CpuLightPictures, CallNoNewInASteadyFrame) {
  if (!kNewsAreCounted) GTEST_SKIP() << "skipped: a sanitizer owns operator new";
  frame::LookSettings looks;
  looks.draw = frame::DrawPath::Cpu;
  renderer_->set_looks(looks);
  renderer_->resize(320, 180);
  bool complete = true;
  const RenderTarget target = make_target(PixelFormat::Rgba8, 320, 180, Filter::Nearest, complete);
  StagedScene scene = quiet_scene();
  renderer_->warm_up(target.framebuffer.get());
  for (int i = 0; i < 5; ++i) renderer_->draw(scene.snapshot(), 0.5f, target.framebuffer.get());
  glFinish();
  // The first lights, and the first of the finale, are no reason either.
  scene.lights = many_lights(60);
  scene.base.finale = 1.0f;
  const frame::RenderSnapshot lit = scene.snapshot();
  const unsigned long before = counted_news();
  for (int i = 0; i < 10; ++i) renderer_->draw(lit, 0.1f * static_cast<float>(i), target.framebuffer.get());
  EXPECT_EQ(counted_news() - before, 0u);
  renderer_->set_looks({});
}

}  // namespace
}  // namespace spellpool::render::test
