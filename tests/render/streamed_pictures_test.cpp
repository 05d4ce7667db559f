// Whole pictures from streamed particles: the way that they take to the GPU must not be seen.
#include <array>

#include "counted_news.hpp"
#include "drawn_test.hpp"

namespace spellpool::render::test {
namespace {

constexpr int kStreamWidth = 320, kStreamHeight = 180;

class StreamedPictures : public DrawnTest {
 protected:
  static std::unique_ptr<Renderer> made(bool mapped) {
    RendererOptions options;
    options.map_particles = mapped;
    std::string error;
    auto renderer = Renderer::create(options, error);
    EXPECT_NE(renderer, nullptr) << error;
    return renderer;
  }
  /// Another crowd for each number, in both layers.
  static StagedScene crowd(int number, int count) {
    StagedScene scene(static_cast<u64>(number) + 1);
    scene.scattered(count, 9.0f, frame::kParticleShapes[static_cast<std::size_t>(number) % 5].id);
    scene.fog(-200.0f + 40.0f * static_cast<float>(number), 0.0f, 90.0f, 60);
    return scene;
  }
};

TEST_F(StreamedPictures, BothWaysDrawTheSame) {
  const auto mapped = made(true), orphaned = made(false);
  const StagedScene scene = crowd(3, 2000);
  const Picture picture = draw_with(*mapped, scene.snapshot(), kStreamWidth, kStreamHeight, 0.5f);
  EXPECT_TRUE(picture == draw_with(*orphaned, scene.snapshot(), kStreamWidth, kStreamHeight, 0.5f));
  EXPECT_FALSE(picture == draw(StagedScene().snapshot(), kStreamWidth, kStreamHeight));
}

TEST_F(StreamedPictures, TenInARowShowTheirOwnParticles) {
  for (const bool way : {true, false}) {
    const auto renderer = made(way);
    renderer->resize(kStreamWidth, kStreamHeight);
    std::array<RenderTarget, 10> targets;
    bool complete = true;
    for (RenderTarget& target : targets)
      target = make_target(PixelFormat::Rgba8, kStreamWidth, kStreamHeight, Filter::Nearest, complete);
    // Nothing is read, so nothing is waited for, before all are drawn; and each scene is gone by then.
    for (std::size_t i = 0; i < targets.size(); ++i) {
      const StagedScene scene = crowd(static_cast<int>(i), 500 + 300 * static_cast<int>(i));
      renderer->draw(scene.snapshot(), 1.0f, targets[i].framebuffer.get());
    }
    for (std::size_t i = 0; i < targets.size(); ++i) {
      Picture picture{kStreamWidth, kStreamHeight, {}};
      glBindFramebuffer(GL_FRAMEBUFFER, targets[i].framebuffer.get());
      ASSERT_TRUE(read_rgb(kStreamWidth, kStreamHeight, picture.rgb));
      const StagedScene scene = crowd(static_cast<int>(i), 500 + 300 * static_cast<int>(i));
      EXPECT_TRUE(picture == draw(scene.snapshot(), kStreamWidth, kStreamHeight)) << i << (way ? " mapped" : " orphaned");
    }
  }
}

TEST_F(StreamedPictures, ACrowdBeyondTheRoomIsDrawnWhole) {
  const auto roomy = made(true);
  roomy->reserve(200'000);
  for (const bool way : {true, false}) {
    const auto renderer = made(way);
    for (const int count : {100, 40'000, 200, 90'000, 300}) {
      const StagedScene scene = crowd(count % 7, count);
      EXPECT_TRUE(draw_with(*renderer, scene.snapshot(), kStreamWidth, kStreamHeight) ==
                  draw_with(*roomy, scene.snapshot(), kStreamWidth, kStreamHeight))
          << count << (way ? " mapped" : " orphaned");
    }
  }
}

TEST_F(StreamedPictures, NeitherWayCallsNewInASteadyPicture) {
  if (!kNewsAreCounted) GTEST_SKIP() << "skipped: a sanitizer owns operator new";
  const StagedScene scene = crowd(2, 3000);
  const frame::RenderSnapshot snapshot = scene.snapshot();
  bool complete = true;
  const RenderTarget target = make_target(PixelFormat::Rgba8, kStreamWidth, kStreamHeight, Filter::Nearest, complete);
  for (const bool way : {true, false}) {
    const auto renderer = made(way);
    renderer->resize(kStreamWidth, kStreamHeight);
    for (int i = 0; i < 5; ++i) renderer->draw(snapshot, 0.2f * static_cast<float>(i), target.framebuffer.get());
    glFinish();
    const unsigned long before = counted_news();
    for (int i = 0; i < 20; ++i) renderer->draw(snapshot, 0.05f * static_cast<float>(i), target.framebuffer.get());
    glFinish();
    EXPECT_EQ(counted_news() - before, 0u) << (way ? "mapped" : "orphaned");
  }
}

}  // namespace
}  // namespace spellpool::render::test
