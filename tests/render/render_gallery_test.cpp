// Draws staged scenes without a window and checks what must be true of the pictures.
// SPELLPOOL_GALLERY=DIR writes them there as PNG, to be looked at.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <memory>

#include "offscreen_context.hpp"
#include "picture.hpp"
#include "render/gl.hpp"
#include "render/render_target.hpp"
#include "render/renderer.hpp"
#include "staged_scene.hpp"

namespace spellpool::render::test {
namespace {

class RenderGallery : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    context_ = std::make_unique<OffscreenContext>();
    if (!context_->made()) return;
    RendererOptions options;
    options.shader_dir = std::string(SPELLPOOL_SOURCE_DIR) + "/shaders";
    std::string error;
    renderer_ = Renderer::create(options, error);
    ASSERT_NE(renderer_, nullptr) << error;
    EXPECT_EQ(renderer_->warning(), "");
  }
  static void TearDownTestSuite() {
    renderer_.reset();
    context_.reset();
  }
  void SetUp() override {
    if (renderer_ == nullptr) GTEST_SKIP() << "skipped: no GL";
  }

  static Picture draw(const frame::RenderSnapshot& snapshot, int width, int height, float alpha = 1.0f) {
    renderer_->resize(width, height);
    bool complete = true;
    const RenderTarget target = make_target(PixelFormat::Rgba8, width, height, Filter::Nearest, complete);
    EXPECT_TRUE(complete);
    renderer_->draw(snapshot, alpha, target.framebuffer.get());
    Picture picture;
    picture.width = width;
    picture.height = height;
    glBindFramebuffer(GL_FRAMEBUFFER, target.framebuffer.get());
    EXPECT_TRUE(read_rgb(width, height, picture.rgb));
    EXPECT_EQ(glGetError(), static_cast<GLenum>(GL_NO_ERROR));
    return picture;
  }

  static void show(const char* name, const Picture& picture) {
    const char* folder = std::getenv("SPELLPOOL_GALLERY");
    if (folder == nullptr) return;
    std::filesystem::create_directories(folder);
    EXPECT_TRUE(write_png(std::string(folder) + "/" + name + ".png", picture));
  }

  static inline std::unique_ptr<OffscreenContext> context_;
  static inline std::unique_ptr<Renderer> renderer_;
};

// Everyone in the arena, nobody casting.
StagedScene quiet_scene() {
  StagedScene scene;
  scene.base.time_s = 12.0f;
  scene.crystal(-150.0f, -120.0f, 0.35f, 0.65f, 1.0f);
  scene.crystal(165.0f, -95.0f, 0.75f, 0.35f, 1.0f, 1.0f, 0.7f);
  scene.dummy(-205.0f, 25.0f);
  scene.dummy(210.0f, 40.0f, 0.0f, 0.7f);
  scene.dummy(60.0f, -190.0f);
  scene.mage(-40.0f, 70.0f, 0.95f, 1.0f, 0.36f, 0.08f);
  scene.reticle(120.0f, 0.0f, 0.0f, 1.0f, 0.36f, 0.08f);
  return scene;
}

TEST_F(RenderGallery, Pictures) {
  show("quiet", draw(quiet_scene().snapshot(), 1280, 720));
  show("quiet_2560", draw(quiet_scene().snapshot(), 2560, 1440));
  {
    StagedScene scene = quiet_scene();
    scene.base.runes_lit = 5.4f;
    scene.fire_flight(-22.0f, 40.0f, 150.0f, -40.0f, 420);
    scene.fire_burst(195.0f, -60.0f, 1100);
    show("fire", draw(scene.snapshot(), 1280, 720));
  }
  {
    StagedScene scene = quiet_scene();
    scene.base.runes_lit = 3.0f;
    scene.frost_nova(-40.0f, 70.0f, 190.0f, 1500);
    show("frost", draw(scene.snapshot(), 1280, 720));
  }
  {
    StagedScene scene = quiet_scene();
    scene.base.runes_lit = 8.0f;
    scene.vortex(110.0f, -20.0f, 210.0f, 1600);
    show("vortex", draw(scene.snapshot(), 1280, 720));
  }
  {
    StagedScene scene = quiet_scene();
    scene.base.runes_lit = 12.0f;
    scene.vortex(120.0f, 40.0f, 210.0f, 4000);
    scene.fire_burst(-190.0f, -60.0f, 6000);
    scene.fire_burst(60.0f, -190.0f, 4000);
    scene.frost_nova(-60.0f, 110.0f, 170.0f, 6000);
    show("finale", draw(scene.snapshot(), 2560, 1440));
  }
  // Figures close up: a window that shows them four times as large is what 4K does.
  {
    StagedScene scene;
    for (int i = 0; i < 8; ++i) scene.mage(-210.0f + 60.0f * static_cast<float>(i), -60.0f, static_cast<float>(i) / 8.0f, 1.0f, 0.4f, 0.1f, i % 2 == 1 ? 1.0f : 0.0f);
    scene.dummy(-200, 20);
    scene.dummy(-130, 20, 0.8f, 1.0f);
    scene.dummy(-60, 20, 0.0f, -1.0f, 0.5f);
    scene.dummy(10, 20, 0.0f, 0.0f, 1.0f);
    scene.crystal(-200, 110, 0.35f, 0.65f, 1.0f);
    scene.crystal(-130, 110, 1.0f, 0.35f, 0.55f, 1.0f, 0.5f);
    scene.crystal(-60, 110, 0.4f, 1.0f, 0.6f, 0.5f, 1.0f);
    scene.crystal(10, 110, 0.75f, 0.4f, 1.0f, 0.0f);
    scene.crystal(80, 110, 0.35f, 0.65f, 1.0f, 1.0f, 0.8f, 1.0f);
    scene.light(40.0f, 60.0f, 330.0f, 0.55f, 0.36f, 0.20f);
    scene.reticle(100, 20, 0.35f, 0.45f, 0.82f, 1.0f);
    scene.reticle(150, 20, 0.0f, 1.0f, 0.4f, 0.1f);
    scene.sprite(frame::SpriteKind::Bolt, 130, -110, 31.0f).g = 0.36f;
    scene.sprites.back().b = 0.08f;
    show("figures", draw(scene.snapshot(), 2560, 2160));
  }
}

}  // namespace
}  // namespace spellpool::render::test
