// Whole games as they are played, drawn by OpenGL and by the processor: equal to the eye at any moment, at windows of any
// size and at each quality. Staged scenes: tests/render/draw_paths_test.cpp.
#include <gtest/gtest.h>

#include "../support/apart.hpp"
#include "app/play/session.hpp"
#include "platform/window.hpp"
#include "render/renderer.hpp"

namespace spellpool::app {
namespace {

using frame::DrawPath;
using frame::Quality;

// The limits.
constexpr double kMostMean = 2.0;
constexpr int kMostWorst = 16;

/// The game after so many steps, in pictures of this size.
struct DrawnMoment {
  u64 step;
  int width, height;
};

class DrawPathsOfAGame : public testing::Test {
 protected:
  void SetUp() override {
    platform::WindowOptions options;
    options.width = 1920;
    options.height = 1080;
    options.vsync = false;
    options.headless = true;
    window_ = platform::Window::open(options).window;
    if (window_ == nullptr) GTEST_SKIP() << "skipped: no GL";
    std::string error;
    renderer_ = render::Renderer::create({std::string(SPELLPOOL_SOURCE_DIR) + "/shaders", 1.0f, {}}, error);
    ASSERT_NE(renderer_, nullptr) << error;
    ASSERT_EQ(library_.load(SPELLPOOL_SOURCE_DIR), "");
    ASSERT_EQ(library_.stages().load(SPELLPOOL_SOURCE_DIR), "");
    plan_.autoplay = true;
  }

  std::vector<u8> picture(const frame::RenderSnapshot& snapshot, DrawPath path, Quality quality, DrawnMoment moment) {
    frame::LookSettings looks;
    looks.draw = path;
    looks.quality = quality;
    renderer_->set_looks(looks);
    renderer_->resize(moment.width, moment.height);
    renderer_->draw(snapshot, 1.0f);
    std::vector<u8> rgb;
    EXPECT_TRUE(render::read_rgb(moment.width, moment.height, rgb));
    return rgb;
  }

  void expect_alike(std::span<const DrawnMoment> moments) {
    Session session(plan_, library_);
    for (const DrawnMoment& moment : moments) {
      while (session.world().steps() < moment.step) session.step({});
      const frame::RenderSnapshot snapshot = session.world().build_snapshot({});
      for (const Quality quality : {Quality::High, Quality::Medium, Quality::Low}) {
        const test::Apart d = test::apart(picture(snapshot, DrawPath::Gpu, quality, moment), picture(snapshot, DrawPath::Cpu, quality, moment), moment.width);
        const testing::Message what = testing::Message() << "step " << moment.step << ", " << moment.width << "x" << moment.height << ", quality "
                                                         << static_cast<int>(quality) << ": OpenGL and the processor: " << d;
        EXPECT_LE(d.mean, kMostMean) << what;
        EXPECT_LE(d.worst, kMostWorst) << what;
      }
    }
  }

  std::unique_ptr<platform::Window> window_;
  std::unique_ptr<render::Renderer> renderer_;
  SpellLibrary library_;
  SessionPlan plan_;
};

TEST_F(DrawPathsOfAGame, AStageOnLunatic) {
  plan_.world.scene = frame::SceneId::Shooter;
  plan_.world.sizes = frame::default_sizes(frame::SceneId::Shooter);
  plan_.world.difficulty = frame::Difficulty::Lunatic;
  expect_alike(std::array{DrawnMoment{900, 641, 359}, DrawnMoment{2'400, 641, 359}, DrawnMoment{6'000, 1366, 768},
                          DrawnMoment{8'200, 1280, 720}, DrawnMoment{10'100, 1920, 1080}});
}

TEST_F(DrawPathsOfAGame, TheStressPreset) {
  plan_.world.preset = sim::PresetId::Stress;
  expect_alike(std::array{DrawnMoment{240, 1366, 767}, DrawnMoment{450, 1280, 720}, DrawnMoment{700, 641, 359}});
}

}  // namespace
}  // namespace spellpool::app
