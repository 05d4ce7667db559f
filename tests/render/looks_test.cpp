// Quality and colour vision, windows that change their size, and pictures read back smaller.
#include <array>
#include <cmath>

#include "counted_news.hpp"
#include "drawn_test.hpp"
#include "render/colour_vision.hpp"
#include "render/renderer.hpp"

namespace spellpool::render::test {
namespace {

using frame::ColourVision;
using frame::LookSettings;
using frame::Quality;

StagedScene busy_scene() {
  StagedScene scene = quiet_scene();
  scene.fire_burst(120.0f, -40.0f, 900);
  scene.base.runes_lit = 5.0f;
  return scene;
}

class RenderLooks : public DrawnTest {
 protected:
  void TearDown() override {
    if (renderer_ != nullptr) renderer_->set_looks({});
  }
  static Picture with(const LookSettings& looks, const StagedScene& scene, int width = 640, int height = 360) {
    renderer_->set_looks(looks);
    return draw(scene.snapshot(), width, height);
  }
  static LookSettings quality(Quality level, frame::DrawPath path = frame::DrawPath::Auto) {
    LookSettings looks;
    looks.quality = level;
    looks.draw = path;
    return looks;
  }
  static LookSettings vision(ColourVision kind) {
    LookSettings looks;
    looks.colour_vision = kind;
    return looks;
  }
};

TEST_F(RenderLooks, LowerQualityDrawsIntoFewerTargets) {
  const StagedScene scene = busy_scene();
  with(quality(Quality::High, frame::DrawPath::Gpu), scene);
  const int high = renderer_->passes();
  with(quality(Quality::Medium, frame::DrawPath::Gpu), scene);
  const int medium = renderer_->passes();
  with(quality(Quality::Low, frame::DrawPath::Gpu), scene);
  const int low = renderer_->passes();
  EXPECT_GT(high, medium);
  EXPECT_GT(medium, low);
  EXPECT_EQ(low, 4) << "light, scene, night, composite";
}

TEST_F(RenderLooks, EveryQualityShowsTheSameThings) {
  StagedScene scene = busy_scene();
  for (const float finale : {0.0f, 1.0f}) {
    scene.base.finale = finale;
    const Picture high = with(quality(Quality::High), scene);
    for (const Quality level : {Quality::Medium, Quality::Low}) {
      const Picture other = with(quality(level), scene);
      EXPECT_FALSE(high == other);
      for (int y = 30; y < 360; y += 30) {
        for (int x = 30; x < 640; x += 30) {
          EXPECT_NEAR(high.mean_luma(x, y, 10), other.mean_luma(x, y, 10), 0.16f) << x << "," << y;
        }
      }
    }
  }
}

TEST_F(RenderLooks, HighAndCommonAreTheDefault) {
  const StagedScene scene = busy_scene();
  const Picture plain = draw(scene.snapshot(), 640, 360);
  with(vision(ColourVision::Tritan), scene);
  with(quality(Quality::Low), scene);
  EXPECT_TRUE(plain == with({}, scene)) << "and come back as they were";
}

TEST_F(RenderLooks, MotionFlashAndDensityAreNotTheRenderers) {
  const StagedScene scene = busy_scene();
  LookSettings calm;
  calm.motion = calm.flash = calm.density = frame::Amount::Off;
  EXPECT_TRUE(with({}, scene) == with(calm, scene));
}

TEST_F(RenderLooks, EachColourVisionShiftsHuesButNoGreys) {
  StagedScene scene = busy_scene();
  const Picture plain = with({}, scene);
  for (const ColourVision kind : {ColourVision::Protan, ColourVision::Deutan, ColourVision::Tritan}) {
    EXPECT_FALSE(plain == with(vision(kind), scene)) << static_cast<int>(kind);
    for (const auto& row : vision_matrix(kind))
      EXPECT_NEAR(row[0] + row[1] + row[2], 1.0f, 1e-4f) << "white stays white";
  }
  EXPECT_EQ(vision_matrix(ColourVision::Common), vision::kSame);
}

// How far apart two linear colours are to an eye of this kind, lightness and both hues alike.
float apart(const VisionMatrix& shown, const VisionMatrix& seen, std::array<float, 3> a, std::array<float, 3> b) {
  const auto through = [](const VisionMatrix& m, const std::array<float, 3>& c) {
    std::array<float, 3> out{};
    for (std::size_t i = 0; i < 3; ++i) out[i] = std::max(0.0f, m[i][0] * c[0] + m[i][1] * c[1] + m[i][2] * c[2]);
    return out;
  };
  const auto p = through(seen, through(shown, a));
  const auto q = through(seen, through(shown, b));
  float sum = 0.0f;
  for (std::size_t i = 0; i < 3; ++i) {
    const float d = std::sqrt(p[i]) - std::sqrt(q[i]);
    sum += d * d;
  }
  return std::sqrt(sum);
}

TEST(ColourVisionMatrix, TakesHuesApartThatAnEyeMixesUp) {
  struct Pair {
    ColourVision kind;
    std::array<float, 3> a, b;
  };
  // Ember and poison for eyes weak in red or green; starlight blue and healing green for eyes weak in blue.
  const std::array pairs = {Pair{ColourVision::Protan, {0.55f, 0.06f, 0.02f}, {0.10f, 0.14f, 0.02f}},
                            Pair{ColourVision::Deutan, {0.60f, 0.22f, 0.03f}, {0.30f, 0.45f, 0.03f}},
                            Pair{ColourVision::Tritan, {0.10f, 0.45f, 0.55f}, {0.10f, 0.50f, 0.25f}}};
  for (const Pair& pair : pairs) {
    const VisionMatrix& seen = vision::kSeen[static_cast<std::size_t>(pair.kind)];
    EXPECT_GT(apart(vision_matrix(pair.kind), seen, pair.a, pair.b), 1.15f * apart(vision::kSame, seen, pair.a, pair.b))
        << static_cast<int>(pair.kind);
  }
}

TEST_F(RenderLooks, ChangingThemAfterWarmUpCallsNoNew) {
  if (!kNewsAreCounted) GTEST_SKIP() << "skipped: a sanitizer owns operator new";
  renderer_->resize(640, 360);
  bool complete = true;
  const RenderTarget target = make_target(PixelFormat::Rgba8, 640, 360, Filter::Nearest, complete);
  renderer_->warm_up(target.framebuffer.get());
  StagedScene scene = busy_scene();
  scene.base.finale = 0.5f;
  const frame::RenderSnapshot snapshot = scene.snapshot();
  for (int i = 0; i < 3; ++i) renderer_->draw(snapshot, 1.0f, target.framebuffer.get());
  glFinish();
  const unsigned long before = counted_news();
  for (const auto& quality_row : frame::kQualities) {
    for (const auto& vision_row : frame::kColourVisions) {
      LookSettings looks;
      looks.quality = static_cast<Quality>(quality_row.id);
      looks.colour_vision = static_cast<frame::ColourVision>(vision_row.id);
      renderer_->set_looks(looks);
      for (int i = 0; i < 2; ++i) renderer_->draw(snapshot, 1.0f, target.framebuffer.get());
    }
  }
  glFinish();
  EXPECT_EQ(counted_news() - before, 0u);
}

TEST_F(RenderLooks, AWindowThatIsDraggedGetsItsGroundOnceItRests) {
  const StagedScene scene = quiet_scene();
  const Picture exact = draw(scene.snapshot(), 700, 380);
  draw(scene.snapshot(), 640, 360);
  bool complete = true;
  const RenderTarget target = make_target(PixelFormat::Rgba8, 700, 380, Filter::Nearest, complete);
  const auto drawn = [&] {
    renderer_->draw(scene.snapshot(), 1.0f, target.framebuffer.get());
    glBindFramebuffer(GL_FRAMEBUFFER, target.framebuffer.get());
    Picture picture{700, 380, {}};
    EXPECT_TRUE(read_rgb(700, 380, picture.rgb));
    return picture;
  };
  for (int width = 650; width <= 700; width += 10) {
    renderer_->resize(width, 380, Settle::Later);
    drawn();
  }
  // The old ground, scaled: not the same, but close.
  const Picture soft = drawn();
  EXPECT_FALSE(soft == exact);
  for (int y = 40; y < 380; y += 40) {
    for (int x = 40; x < 700; x += 40)
      EXPECT_NEAR(soft.mean_luma(x, y, 8), exact.mean_luma(x, y, 8), 0.03f) << x << "," << y;
  }
  for (int i = 0; i < 12; ++i) {
    renderer_->resize(700, 380, Settle::Later);
    drawn();
  }
  EXPECT_TRUE(drawn() == exact);
}

// The old ground does not reach the new window's edges: nothing is drawn of its last texels, which were
// bands.
TEST_F(RenderLooks, AWindowOfAnotherShapeHasItsWholeSkyAtOnceAndTheExactOneOnceItRests) {
  constexpr std::array kShapes = {std::pair{900, 300}, std::pair{400, 700}, std::pair{1500, 800}};
  const StagedScene scene = quiet_scene();
  for (const frame::DrawPath path : {frame::DrawPath::Gpu, frame::DrawPath::Cpu}) {
    frame::LookSettings looks;
    looks.draw = path;
    renderer_->set_looks(looks);
    std::vector<Picture> opened;
    for (const auto& [width, height] : kShapes) opened.push_back(draw(scene.snapshot(), width, height));
    draw(scene.snapshot(), 1280, 720);
    for (std::size_t shape = 0; shape < kShapes.size(); ++shape) {
      const int width = kShapes[shape].first, height = kShapes[shape].second;
      bool complete = true;
      const RenderTarget target = make_target(PixelFormat::Rgba8, width, height, Filter::Nearest, complete);
      const auto drawn = [&] {
        renderer_->resize(width, height, Settle::Later);
        renderer_->draw(scene.snapshot(), 1.0f, target.framebuffer.get());
        glBindFramebuffer(GL_FRAMEBUFFER, target.framebuffer.get());
        Picture picture{width, height, {}};
        EXPECT_TRUE(read_rgb(width, height, picture.rgb));
        return picture;
      };
      const std::string where = std::to_string(width) + "x" + std::to_string(height) +
                                (path == frame::DrawPath::Cpu ? " on the CPU" : " by OpenGL");
      const Picture first = drawn();
      for (int y = 12; y < height - 12; y += 25) {
        for (int x = 12; x < width - 12; x += 25) {
          EXPECT_NEAR(first.mean_luma(x, y, 12), opened[shape].mean_luma(x, y, 12), 0.03f)
              << where << " at " << x << "," << y;
        }
      }
      for (int i = 0; i < 12; ++i) drawn();
      EXPECT_TRUE(drawn() == opened[shape]) << where << ": a window that was opened at this size";
      if (HasFailure()) return;
    }
  }
}

TEST_F(RenderLooks, AResizeForAPictureBakesAtOnce) {
  const StagedScene scene = quiet_scene();
  const Picture exact = draw(scene.snapshot(), 700, 380);
  draw(scene.snapshot(), 640, 360);
  renderer_->resize(700, 380, Settle::Later);
  EXPECT_TRUE(exact == draw(scene.snapshot(), 700, 380)) << "Now mends what Later left";
  const Picture small = draw(scene.snapshot(), 640, 360);
  renderer_->resize(900, 360, Settle::Later);
  renderer_->resize(640, 360, Settle::Later);
  bool complete = true;
  const RenderTarget target = make_target(PixelFormat::Rgba8, 640, 360, Filter::Nearest, complete);
  renderer_->draw(scene.snapshot(), 1.0f, target.framebuffer.get());
  glBindFramebuffer(GL_FRAMEBUFFER, target.framebuffer.get());
  Picture back{640, 360, {}};
  ASSERT_TRUE(read_rgb(640, 360, back.rgb));
  EXPECT_TRUE(back == small) << "back at the size it was baked for";
}

TEST_F(RenderLooks, ReadingSmallerIsThePictureSmaller) {
  const StagedScene scene = busy_scene();
  const Picture large = draw(scene.snapshot(), 640, 360);
  bool complete = true;
  const RenderTarget target = make_target(PixelFormat::Rgba8, 640, 360, Filter::Nearest, complete);
  renderer_->draw(scene.snapshot(), 1.0f, target.framebuffer.get());
  glBindFramebuffer(GL_FRAMEBUFFER, target.framebuffer.get());
  Picture small{160, 90, {}};
  ASSERT_TRUE(read_rgb_scaled(640, 360, 160, 90, small.rgb));
  ASSERT_EQ(small.rgb.size(), 160u * 90u * 3u);
  for (int y = 0; y < 90; y += 3) {
    for (int x = 0; x < 160; x += 3) {
      double sum = 0;
      for (int j = 0; j < 4; ++j) {
        for (int i = 0; i < 4; ++i) sum += static_cast<double>(large.luma(4 * x + i, 4 * y + j));
      }
      EXPECT_NEAR(small.luma(x, y), sum / 16.0, 0.02) << x << "," << y;
    }
  }
  // The same size is the same picture, and the binding stays.
  Picture same{640, 360, {}};
  ASSERT_TRUE(read_rgb_scaled(640, 360, 640, 360, same.rgb));
  EXPECT_TRUE(same == large);
  GLint bound = 0;
  glGetIntegerv(GL_READ_FRAMEBUFFER_BINDING, &bound);
  EXPECT_EQ(static_cast<GLuint>(bound), target.framebuffer.get());
  // Not a whole number of times smaller, and larger.
  for (const auto& [width, height] : {std::pair{333, 199}, {1, 1}, {1280, 720}, {640, 90}}) {
    EXPECT_TRUE(read_rgb_scaled(640, 360, width, height, same.rgb));
    EXPECT_EQ(same.rgb.size(), static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * 3u);
  }
  EXPECT_FALSE(read_rgb_scaled(0, 360, 10, 10, same.rgb));
  EXPECT_FALSE(read_rgb_scaled(640, 360, 10, -1, same.rgb));
  EXPECT_TRUE(same.rgb.empty());
  EXPECT_EQ(glGetError(), static_cast<GLenum>(GL_NO_ERROR));
}

TEST_F(RenderLooks, ReadingAgainCallsNoNew) {
  if (!kNewsAreCounted) GTEST_SKIP() << "skipped: a sanitizer owns operator new";
  bool complete = true;
  const RenderTarget target = make_target(PixelFormat::Rgba8, 640, 360, Filter::Nearest, complete);
  glBindFramebuffer(GL_FRAMEBUFFER, target.framebuffer.get());
  std::vector<u8> rgb;
  ASSERT_TRUE(read_rgb_scaled(640, 360, 320, 180, rgb));
  const unsigned long before = counted_news();
  for (int i = 0; i < 5; ++i) ASSERT_TRUE(read_rgb_scaled(640, 360, 320, 180, rgb));
  EXPECT_EQ(counted_news() - before, 0u);
}

}  // namespace
}  // namespace spellpool::render::test
