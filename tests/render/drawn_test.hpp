#pragma once
// What tests that draw have in common.
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "offscreen_context.hpp"
#include "picture.hpp"
#include "render/gl/gl.hpp"
#include "render/gl/render_target.hpp"
#include "render/renderer.hpp"
#include "staged_scene.hpp"

namespace spellpool::render::test {

inline const std::string kShaderFolder = std::string(SPELLPOOL_SOURCE_DIR) + "/shaders";

/// One renderer for all tests of a suite; skipped where there is no GL.
class DrawnTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    context_ = std::make_unique<OffscreenContext>();
    if (!context_->made()) return;
    RendererOptions options;
    options.shader_dir = kShaderFolder;
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
    return draw_with(*renderer_, snapshot, width, height, alpha);
  }

  static Picture draw_with(Renderer& renderer, const frame::RenderSnapshot& snapshot, int width, int height,
                           float alpha = 1.0f) {
    renderer.resize(width, height);
    bool complete = true;
    const RenderTarget target = make_target(PixelFormat::Rgba8, width, height, Filter::Nearest, complete);
    EXPECT_TRUE(complete);
    renderer.draw(snapshot, alpha, target.framebuffer.get());
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

/// Everyone in the arena, nobody casting.
inline StagedScene quiet_scene() {
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

}  // namespace spellpool::render::test
