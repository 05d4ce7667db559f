// Draws staged scenes without a window and checks what must be true of the pictures.
#include <unistd.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>

#include "counted_news.hpp"
#include "drawn_test.hpp"

namespace spellpool::render::test {
namespace {

class RenderGallery : public DrawnTest {};

// Without any spell the stone is seen at a glance, in daylight too; the sky stays dark.
TEST_F(RenderGallery, TheNightIsDarkButNotBlack) {
  const StagedScene nothing;
  const Picture picture = draw(nothing.snapshot(), 640, 360);
  EXPECT_GT(picture.mean_luma(), 0.04f);
  EXPECT_LT(picture.mean_luma(), 0.12f);
  for (const auto& [x, y] : {std::pair{320, 180}, {230, 180}, {320, 90}, {410, 180}, {320, 270}}) {
    EXPECT_GT(picture.mean_luma(x, y, 25), 0.15f) << x << ", " << y;
    EXPECT_LT(picture.mean_luma(x, y, 25), 0.25f) << x << ", " << y;
  }
  for (const auto& [x, y] : {std::pair{60, 60}, {60, 300}, {580, 60}, {580, 300}})
    EXPECT_LT(picture.mean_luma(x, y, 50), 0.12f);
  int bright = 0;
  for (int y = 0; y < picture.height; ++y) {
    for (int x = 0; x < picture.width; ++x) bright += picture.luma(x, y) > 0.30f ? 1 : 0;
  }
  EXPECT_LT(bright, picture.width * picture.height / 200) << "only stars may be brighter";
}

TEST_F(RenderGallery, EverySpellIsSeenInItsOwnColour) {
  const auto mean_rgb = [](const Picture& picture) {
    std::array<double, 3> sum{};
    for (std::size_t i = 0; i < picture.rgb.size(); ++i) sum[i % 3] += picture.rgb[i];
    return sum;
  };
  StagedScene fire, frost, vortex;
  fire.fire_burst(0, 0, 800);
  frost.frost_nova(0, 0, 150, 800);
  vortex.vortex(0, 0, 210, 800);
  const auto night = mean_rgb(draw(StagedScene().snapshot(), 640, 360));
  const auto red = mean_rgb(draw(fire.snapshot(), 640, 360));
  const auto cyan = mean_rgb(draw(frost.snapshot(), 640, 360));
  const auto violet = mean_rgb(draw(vortex.snapshot(), 640, 360));
  EXPECT_GT(red[0] - night[0], 2.0 * (red[2] - night[2]));
  EXPECT_GT(cyan[2] - night[2], cyan[0] - night[0]);
  EXPECT_GT(cyan[1] - night[1], cyan[0] - night[0]);
  EXPECT_GT(violet[2] - night[2], 1.5 * (violet[1] - night[1]));
  EXPECT_GT(violet[0] - night[0], 1.2 * (violet[1] - night[1]));
}

TEST_F(RenderGallery, ASpellLightsTheGroundAroundIt) {
  const StagedScene dark;
  StagedScene lit;
  lit.light(-120.0f, 60.0f, 170.0f, 0.75f, 0.28f, 0.07f);
  const Picture before = draw(dark.snapshot(), 640, 360);
  const Picture after = draw(lit.snapshot(), 640, 360);
  const int x = 320 - 60;
  const int y = 180 + 30;
  EXPECT_GT(after.mean_luma(x, y, 20), before.mean_luma(x, y, 20) + 0.1f);
  EXPECT_NEAR(after.mean_luma(x + 200, y, 20), before.mean_luma(x + 200, y, 20), 0.01f) << "and not the far side";
}

TEST_F(RenderGallery, RunesBurnOneByOne) {
  StagedScene scene;
  float last = draw(scene.snapshot(), 640, 360).mean_luma();
  for (const float lit : {1.0f, 4.0f, 4.5f, 12.0f}) {
    scene.base.runes_lit = lit;
    const float now = draw(scene.snapshot(), 640, 360).mean_luma();
    EXPECT_GT(now, last) << lit;
    last = now;
  }
}

TEST_F(RenderGallery, TheSameSnapshotGivesTheSamePicture) {
  StagedScene scene = quiet_scene();
  scene.fire_burst(195.0f, -60.0f, 700);
  scene.vortex(-100.0f, 0.0f, 210.0f, 300);
  const Picture first = draw(scene.snapshot(), 640, 360, 0.5f);
  draw(quiet_scene().snapshot(), 320, 180);
  EXPECT_TRUE(first == draw(scene.snapshot(), 640, 360, 0.5f));
  EXPECT_TRUE(renderer_->reload_shaders());
  EXPECT_TRUE(first == draw(scene.snapshot(), 640, 360, 0.5f)) << "after a reload";
}

TEST_F(RenderGallery, AlphaMovesWhatMoved) {
  StagedScene scene;
  scene.additive(100.0f, 0.0f, 80.0f, 0.0f, {1, 1, 1, 1, 20.0f, 2.0f, frame::ParticleShape::Glow, 0});
  const Picture before = draw(scene.snapshot(), 1280, 720, 0.0f);
  const Picture after = draw(scene.snapshot(), 1280, 720, 1.0f);
  EXPECT_GT(before.luma(660, 360), 0.5f);
  EXPECT_LT(before.luma(740, 360), 0.3f);
  EXPECT_GT(after.luma(740, 360), 0.5f);
  EXPECT_LT(after.luma(660, 360), 0.3f);
}

TEST_F(RenderGallery, EveryShapeIsDrawnSmallAndLarge) {
  for (const auto& shape : frame::kParticleShapes) {
    for (const float size : {14.0f, 150.0f}) {
      for (const bool additive : {true, false}) {
        StagedScene scene;
        const StagedScene::Look look{1.0f, 0.9f, 0.8f, 1.0f, size, 4.0f, shape.id, 0.1f};
        for (int i = 0; i < 12; ++i) {
          if (additive)
            scene.additive(0, 0, 0, 0, look);
          else
            scene.matter(0, 0, 0, 0, look);
        }
        scene.light(0, 0, 200, 1, 1, 1);
        StagedScene bare;
        bare.light(0, 0, 200, 1, 1, 1);
        const float seen = draw(scene.snapshot(), 640, 360).mean_luma(320, 180, 3);
        EXPECT_GT(std::fabs(seen - draw(bare.snapshot(), 640, 360).mean_luma(320, 180, 3)), 0.03f)
            << shape.name << " " << size << (additive ? " additive" : " alpha");
      }
    }
  }
}

TEST_F(RenderGallery, AParticleAtTheEdgeStaysUntilAllOfItIsOut) {
  StagedScene scene;
  const StagedScene::Look look{1, 1, 1, 1, 60.0f, 4.0f, frame::ParticleShape::Glow, 0};
  for (int i = 0; i < 4; ++i) scene.additive(640.0f + 8.0f, 0, 0, 0, look);  // Its centre is 8 px outside.
  const Picture with = draw(scene.snapshot(), 1280, 720);
  const Picture without = draw(StagedScene().snapshot(), 1280, 720);
  EXPECT_GT(with.mean_luma(1276, 360, 3), without.mean_luma(1276, 360, 3) + 0.1f);
}

TEST_F(RenderGallery, EveryWindowSizeIsDrawn) {
  const StagedScene scene = quiet_scene();
  for (const auto& [width, height] :
       {std::pair{1, 1}, {2, 3}, {1, 700}, {700, 1}, {360, 640}, {2560, 1440}, {3440, 360}}) {
    const Picture picture = draw(scene.snapshot(), width, height);
    EXPECT_GT(picture.mean_luma(), 0.002f) << width << "x" << height;
  }
  renderer_->resize(0, 400);
  renderer_->resize(300, -1);
  EXPECT_EQ(renderer_->width_px(), 3440) << "a minimised window changes nothing";
}

TEST_F(RenderGallery, SizeOnlySharpensThePicture) {
  const Picture small = draw(quiet_scene().snapshot(), 640, 360);
  const Picture large = draw(quiet_scene().snapshot(), 1280, 720);
  for (int y = 40; y < 360; y += 40) {
    for (int x = 40; x < 640; x += 40) {
      EXPECT_NEAR(small.mean_luma(x, y, 8), large.mean_luma(2 * x, 2 * y, 16), 0.05f) << x << "," << y;
    }
  }
}

TEST_F(RenderGallery, BrokenNumbersInASnapshotHarmNothing) {
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  StagedScene scene;
  scene.light(kNan, 0, 100, 1, 1, 1);
  scene.light(0, 0, 100, std::numeric_limits<float>::infinity(), 1, 1);
  scene.sprite(frame::SpriteKind::Mage, kNan, 0, 56);
  scene.sprite(frame::SpriteKind::Bolt, 0, 0, kNan);
  scene.sprite(frame::SpriteKind::NovaRing, 0, 0, 50).p0 = kNan;
  scene.sprite(static_cast<frame::SpriteKind>(99), 0, 0, 56);
  scene.base.vortex_x = kNan;
  scene.base.camera_x = kNan;
  scene.base.shake_y = kNan;
  scene.base.runes_lit = kNan;
  const Picture picture = draw(scene.snapshot(), 640, 360, kNan);
  EXPECT_TRUE(picture == draw(StagedScene().snapshot(), 640, 360));
}

TEST_F(RenderGallery, ASteadyDrawCallsNoNew) {
  if (!kNewsAreCounted) GTEST_SKIP() << "skipped: a sanitizer owns operator new";
  StagedScene scene = quiet_scene();
  scene.fire_burst(0, 0, 3000);
  scene.frost_nova(-40.0f, 70.0f, 190.0f, 1500);
  scene.vortex(110.0f, -20.0f, 210.0f, 1600);
  scene.base.runes_lit = 12;
  renderer_->resize(640, 360);
  bool complete = true;
  const RenderTarget target = make_target(PixelFormat::Rgba8, 640, 360, Filter::Nearest, complete);
  const frame::RenderSnapshot snapshot = scene.snapshot();
  for (int i = 0; i < 5; ++i) renderer_->draw(snapshot, 0.2f * static_cast<float>(i), target.framebuffer.get());
  glFinish();
  const unsigned long before = counted_news();
  for (int i = 0; i < 30; ++i) renderer_->draw(snapshot, static_cast<float>(i) / 30.0f, target.framebuffer.get());
  glFinish();
  EXPECT_EQ(counted_news() - before, 0u);
}

// A folder of shaders that a test may break.
class ShaderFolder {
 public:
  ShaderFolder() : path_(std::filesystem::temp_directory_path() / ("spellpool_shaders_" + std::to_string(::getpid()))) {
    std::filesystem::copy(kShaderFolder, path_);
  }
  ~ShaderFolder() { std::filesystem::remove_all(path_); }
  std::string path() const { return path_.string(); }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(path_ / name, std::ios::binary) << text;
  }
  std::string read(const std::string& name) const {
    std::ifstream file(path_ / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  }

 private:
  std::filesystem::path path_;
};

TEST_F(RenderGallery, ABrokenShaderIsNamedAndTheLastGoodOneDraws) {
  const ShaderFolder folder;
  const Picture good = draw(quiet_scene().snapshot(), 320, 180);
  const std::string mage = folder.read("mage.frag");
  folder.write("mage.frag", "// one\n// two\nvoid main() { o_colour = nonsense; }\n");

  RendererOptions options;
  options.shader_dir = folder.path();
  std::string error;
  const auto renderer = Renderer::create(options, error);
  ASSERT_NE(renderer, nullptr) << error;
  EXPECT_NE(renderer->warning().find("mage.frag:3: "), std::string_view::npos) << renderer->warning();
  EXPECT_EQ(renderer->warning().find('\n'), std::string_view::npos);
  EXPECT_TRUE(good == draw_with(*renderer, quiet_scene().snapshot(), 320, 180)) << "the built-in one draws";

  folder.write("mage.frag", "out vec4 o; void main() { o = vec4(0.0); }\n");
  EXPECT_TRUE(renderer->reload_shaders()) << renderer->warning();
  EXPECT_EQ(renderer->warning(), "");
  const Picture bare = draw_with(*renderer, quiet_scene().snapshot(), 320, 180);
  EXPECT_FALSE(good == bare) << "the new one draws";

  for (const std::string& bad : {std::string(), std::string("\0\1\2", 3), std::string("#include \"nothing.glsl\"\n"),
                                 std::string("void main() {"), std::string(3000, '#')}) {
    folder.write("mage.frag", bad);
    EXPECT_FALSE(renderer->reload_shaders());
    EXPECT_NE(renderer->warning().find("mage.frag"), std::string_view::npos) << renderer->warning();
    EXPECT_TRUE(bare == draw_with(*renderer, quiet_scene().snapshot(), 320, 180)) << "the last good one draws";
  }
  folder.write("mage.frag", "// main\nout vec4 o; void domain() { o = vec4(0.0); }\n");
  EXPECT_FALSE(renderer->reload_shaders());
  EXPECT_NE(renderer->warning().find("mage.frag: has no main()"), std::string_view::npos) << renderer->warning();
  folder.write("mage.frag", mage);
  EXPECT_TRUE(renderer->reload_shaders()) << renderer->warning();
  EXPECT_TRUE(good == draw_with(*renderer, quiet_scene().snapshot(), 320, 180));
}

TEST_F(RenderGallery, AnErrorInAnIncludedFileNamesThatFile) {
  const ShaderFolder folder;
  folder.write("runes.glsl", folder.read("runes.glsl") + "float broken() { return vec2(1.0); }\n");
  RendererOptions options;
  options.shader_dir = folder.path();
  std::string error;
  const auto renderer = Renderer::create(options, error);
  ASSERT_NE(renderer, nullptr) << error;
  EXPECT_NE(renderer->warning().find("runes.glsl:"), std::string_view::npos) << renderer->warning();
}

TEST_F(RenderGallery, AMissingFolderIsAWarningAndDrawsTheSame) {
  RendererOptions options;
  options.shader_dir = "/nowhere/at/all";
  std::string error;
  const auto renderer = Renderer::create(options, error);
  ASSERT_NE(renderer, nullptr) << error;
  EXPECT_NE(renderer->warning().find("/nowhere/at/all/"), std::string_view::npos) << renderer->warning();
  EXPECT_TRUE(draw(quiet_scene().snapshot(), 320, 180) == draw_with(*renderer, quiet_scene().snapshot(), 320, 180));
}

TEST_F(RenderGallery, HardwareBloomLooksLikeSoftwareBloom) {
  RendererOptions options;
  options.software = false;
  std::string error;
  const auto renderer = Renderer::create(options, error);
  ASSERT_NE(renderer, nullptr) << error;
  StagedScene scene = quiet_scene();
  scene.fire_burst(195.0f, -60.0f, 700);
  const Picture soft = draw(scene.snapshot(), 640, 360);
  const Picture hard = draw_with(*renderer, scene.snapshot(), 640, 360);
  for (int y = 30; y < 360; y += 30) {
    for (int x = 30; x < 640; x += 30) {
      EXPECT_NEAR(soft.mean_luma(x, y, 10), hard.mean_luma(x, y, 10), 0.08f) << x << "," << y;
    }
  }
}

TEST(RenderWithoutContext, CreateSaysWhatIsMissing) {
  std::string error;
  EXPECT_EQ(Renderer::create({}, error), nullptr);
  EXPECT_NE(error.find("OpenGL"), std::string::npos);
}

TEST(RenderEmbedded, TheSameShadersDrawUnderEs30) {
  const OffscreenContext context(OffscreenContext::Api::Es30);
  if (!context.made()) GTEST_SKIP() << "skipped: no GL ES 3.0";
  RendererOptions options;
  options.shader_dir = kShaderFolder;
  std::string error;
  const auto renderer = Renderer::create(options, error);
  ASSERT_NE(renderer, nullptr) << error;
  renderer->ready_shooter();
  EXPECT_EQ(renderer->warning(), "");
  bool complete = true;
  const RenderTarget target = make_target(PixelFormat::Rgba8, 320, 180, Filter::Nearest, complete);
  renderer->resize(320, 180);
  StagedScene scene = quiet_scene();
  scene.fire_burst(0, 0, 500);
  renderer->draw(scene.snapshot(), 1.0f, target.framebuffer.get());
  Picture picture{320, 180, {}};
  glBindFramebuffer(GL_FRAMEBUFFER, target.framebuffer.get());
  ASSERT_TRUE(read_rgb(320, 180, picture.rgb));
  EXPECT_GT(picture.mean_luma(), 0.03f);
  EXPECT_EQ(glGetError(), static_cast<GLenum>(GL_NO_ERROR));
}

}  // namespace
}  // namespace spellpool::render::test
