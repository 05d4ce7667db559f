// What a frame of the OpenGL renderer asks of the driver, counted in whole games: few calls, few bytes, and nothing that waits
// or compiles once the renderer is warm. A graphics card's time follows from these; here there is none to time.
#include <gtest/gtest.h>

#include "app/play/session.hpp"
#include "gl_calls.hpp"
#include "platform/window.hpp"
#include "render/renderer.hpp"

namespace spellpool::app {
namespace {

// The limits, of a frame.
constexpr u32 kMostDraws = 60;
constexpr u64 kMostBytes = 2 << 20;

class GlCallsOfAGame : public testing::Test {
 protected:
  void SetUp() override {
    platform::WindowOptions options;
    options.width = 1280;
    options.height = 720;
    options.vsync = false;
    options.headless = true;
    window_ = platform::Window::open(options).window;
    if (window_ == nullptr) GTEST_SKIP() << "skipped: no GL";
    render::RendererOptions how{std::string(SPELLPOOL_SOURCE_DIR) + "/shaders", 1.0f, {}};
    how.software = false;      // as on a graphics card
    how.map_particles = false;  // their bytes are counted too
    std::string error;
    renderer_ = render::Renderer::create(how, error);
    ASSERT_NE(renderer_, nullptr) << error;
    finishes_ = renderer_->name().find("llvmpipe") != std::string_view::npos ? 1 : 0;
    frame::LookSettings looks;
    looks.draw = frame::DrawPath::Gpu;
    looks.quality = frame::Quality::High;
    renderer_->set_looks(looks);
    renderer_->resize(1280, 720);
    ASSERT_EQ(library_.load(SPELLPOOL_SOURCE_DIR), "");
    ASSERT_EQ(library_.stages().load(SPELLPOOL_SOURCE_DIR), "");
    plan_.autoplay = true;
  }

  /// Plays to step `last`, draws every 60th, counts each.
  void expect_little(u64 last) {
    renderer_->reserve(plan_.world.particle_capacity(), plan_.world.bullet_capacity());
    renderer_->ready_shooter();
    if (plan_.world.scene == frame::SceneId::Shooter) renderer_->prepare_garden();
    renderer_->warm_up();
    Session session(plan_, library_);
    test::GlCalls calls;
    test::GlCounts most;
    std::size_t most_particles = 0;
    while (session.world().steps() < last) {
      session.step({});
      if (session.world().steps() % 60 != 0) continue;
      const frame::RenderSnapshot snapshot = session.world().build_snapshot({});
      calls.counts() = {};
      renderer_->draw(snapshot, 1.0f);
      const test::GlCounts& now = calls.counts();
      const testing::Message where = testing::Message() << "step " << session.world().steps();
      ASSERT_GT(now.draws, 5u) << where << ": nothing is counted";
      EXPECT_LE(now.draws, kMostDraws) << where;
      EXPECT_LE(now.bytes, kMostBytes) << where;
      EXPECT_EQ(now.read_backs, 0u) << where;
      EXPECT_LE(now.finishes, finishes_) << where;
      EXPECT_EQ(now.compiled, 0u) << where;
      most.draws = std::max(most.draws, now.draws);
      most.targets = std::max(most.targets, now.targets);
      most.state_changes = std::max(most.state_changes, now.state_changes);
      most.bytes = std::max(most.bytes, now.bytes);
      most_particles = std::max(most_particles, snapshot.alpha_layer.size() + snapshot.additive_layer.size() + snapshot.bullet_layer.size());
    }
    EXPECT_GE(most.bytes, most_particles * sizeof(frame::ParticleInstance)) << "particles are uploaded, and counted";
    std::printf("up to %zu particles: %u draws, %u targets, %u state changes, %.0f KiB a frame at most\n", most_particles, most.draws,
                most.targets, most.state_changes, static_cast<double>(most.bytes) / 1024);
    most_particles_ = most_particles;
  }

  std::unique_ptr<platform::Window> window_;
  std::unique_ptr<render::Renderer> renderer_;
  SpellLibrary library_;
  SessionPlan plan_;
  std::size_t most_particles_ = 0;
  u32 finishes_ = 0;  // llvmpipe needs one; a graphics card none
};

TEST_F(GlCallsOfAGame, TheArenaWithItsFinale) {
  expect_little(4'200);
  EXPECT_GE(most_particles_, 20'000u) << "the finale was meant to be in it";
}

TEST_F(GlCallsOfAGame, FullPools) {
  plan_.world.preset = sim::PresetId::Stress;
  renderer_->reserve(120'000, 0);
  Session session(plan_, library_);
  while (session.world().steps() < 300) session.step({});
  const frame::RenderSnapshot snapshot = session.world().build_snapshot({});
  renderer_->warm_up();
  renderer_->draw(snapshot, 1.0f);
  test::GlCalls calls;
  renderer_->draw(snapshot, 1.0f);
  EXPECT_LE(calls.counts().draws, kMostDraws) << "however many particles there are";
  EXPECT_EQ(calls.counts().read_backs + calls.counts().compiled, 0u);
}

TEST_F(GlCallsOfAGame, AStageOnLunatic) {
  plan_.world.scene = frame::SceneId::Shooter;
  plan_.world.sizes = frame::default_sizes(frame::SceneId::Shooter);
  plan_.world.difficulty = frame::Difficulty::Lunatic;
  expect_little(10'200);
}

/// The count itself: what it must notice.
TEST_F(GlCallsOfAGame, AFirstDrawCompilesAndIsSeenToDoSo) {
  Session session(plan_, library_);
  frame::LookSettings looks;
  looks.draw = frame::DrawPath::Cpu;
  renderer_->set_looks(looks);
  const frame::RenderSnapshot snapshot = session.world().build_snapshot({});
  test::GlCalls calls;
  renderer_->ready_shooter();
  EXPECT_GE(calls.counts().compiled, 12u);
  calls.counts() = {};
  renderer_->draw(snapshot, 1.0f);
  EXPECT_GT(calls.counts().read_backs, 0u) << "the CPU renderer reads the ground";
}

}  // namespace
}  // namespace spellpool::app
