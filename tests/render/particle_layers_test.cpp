// Particles alone, in light as it is before it is composed: exact where a finished picture has bloom and a vignette.
#include "render/gl/particle_layers.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>

#include "offscreen_context.hpp"
#include "render/cpu/smoke_noise.hpp"
#include "render/renderer_impl.hpp"

namespace spellpool::render::test {
namespace {

using frame::ParticleInstance;
using frame::ParticleShape;
using Layer = ParticleLayers::Layer;

constexpr int kLayerWidth = 160, kLayerHeight = 96;
// A half float at 1.0 has steps of 1/1024, and a place rounds otherwise at another distance from the camera.
constexpr float kSame = 0.004f;

struct Light {
  std::vector<float> rgba;                     ///< Bottom row first.
  float at(int x, int y, int channel) const {  // y down
    return rgba[static_cast<std::size_t>(((kLayerHeight - 1 - y) * kLayerWidth + x) * 4 + channel)];
  }
  float brightness() const {
    float sum = 0.0f;
    for (std::size_t i = 0; i < rgba.size(); ++i) sum += rgba[i] * (i % 4 == 3 ? 0.0f : 1.0f);
    return sum;
  }
};

ParticleInstance particle(ParticleShape shape, float size, float x = 0, float y = 0, float dx = 0, float dy = 0) {
  ParticleInstance p{};
  p.x = static_cast<i16>(x * frame::kPositionScale);
  p.y = static_cast<i16>(y * frame::kPositionScale);
  p.dx = static_cast<i16>(dx * frame::kPositionScale);
  p.dy = static_cast<i16>(dy * frame::kPositionScale);
  p.r = 255;
  p.g = 160;
  p.b = 90;
  p.a = 255;
  p.size = static_cast<u16>(std::min(size * frame::kSizeScale, 65535.0f));
  p.glow_shape = static_cast<u8>(static_cast<u32>(shape) | (4u << 3));
  p.angle = 23;
  return p;
}

class ParticleLayersTest : public ::testing::Test {
 protected:
  void SetUp() override {
    context_ = std::make_unique<OffscreenContext>();
    if (!context_->made()) GTEST_SKIP() << "skipped: no GL";
    parts_ = std::make_unique<Parts>();
    ASSERT_TRUE(parts_->shaders.ready({MadeFor::OpenGl})) << parts_->shaders.warning();
    parts_->particles.start(true);
    parts_->target = make_target(PixelFormat::Rgba16f, kLayerWidth, kLayerHeight, Filter::Nearest, parts_->complete);
    ASSERT_TRUE(parts_->complete);
    parts_->light = make_texture(PixelFormat::Rgba8, 1, 1, Filter::Linear);
    constexpr std::array<u8, 4> kLit = {255, 255, 255, 255};
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, kLit.data());
    parts_->noise = make_smoke_noise();
    bind(TextureUnit::Light, parts_->light);
    bind(TextureUnit::Noise, parts_->noise);
    parts_->block = make_buffer();
  }
  void TearDown() override {
    EXPECT_TRUE(parts_ == nullptr || glGetError() == GL_NO_ERROR);
    parts_.reset();
    context_.reset();
  }

  /// Seen by a camera over (x, y), one pixel a unit.
  Light draw(std::span<const ParticleInstance> all, Layer layer, float x = 0, float y = 0, float alpha = 1.0f) {
    const std::span<const ParticleInstance> none;
    return layer == Layer::Alpha ? draw_both(all, none, x, y, alpha) : draw_both(none, all, x, y, alpha);
  }
  Light draw_one(const ParticleInstance& one, Layer layer, float x = 0, float y = 0, float alpha = 1.0f) {
    return draw({&one, 1}, layer, x, y, alpha);
  }
  Light draw_both(std::span<const ParticleInstance> matter, std::span<const ParticleInstance> light_particles,
                  float x = 0, float y = 0, float alpha = 1.0f) {
    FrameBlock block{};
    block.camera[0] = x;
    block.camera[1] = y;
    block.camera[2] = 1.0f;
    block.camera[3] = alpha;
    block.view[0] = 0.5f * kLayerWidth;
    block.view[1] = 0.5f * kLayerHeight;
    block.view[2] = kLayerWidth;
    block.view[3] = kLayerHeight;
    glBindBuffer(GL_UNIFORM_BUFFER, parts_->block.get());
    glBufferData(GL_UNIFORM_BUFFER, sizeof(block), &block, GL_STREAM_DRAW);
    glBindBufferBase(GL_UNIFORM_BUFFER, kFrameBlockBinding, parts_->block.get());
    parts_->target.begin();
    glClearColor(0, 0, 0, 0);
    glClear(GL_COLOR_BUFFER_BIT);
    glEnable(GL_BLEND);
    glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    parts_->particles.upload(matter, light_particles, {});
    parts_->particles.draw(parts_->shaders, Layer::Alpha);
    parts_->particles.draw(parts_->shaders, Layer::Additive);
    parts_->particles.end();
    Light light;
    light.rgba.resize(static_cast<std::size_t>(kLayerWidth) * kLayerHeight * 4);
    glReadPixels(0, 0, kLayerWidth, kLayerHeight, GL_RGBA, GL_FLOAT, light.rgba.data());
    return light;
  }

 private:
  struct Parts {
    ShaderLibrary shaders{""};
    ParticleLayers particles;
    RenderTarget target;
    Texture light, noise;
    Buffer block;
    bool complete = true;
  };
  std::unique_ptr<OffscreenContext> context_;
  std::unique_ptr<Parts> parts_;
};

TEST_F(ParticleLayersTest, AtEveryEdgeAShapeIsTheMiddleOneShifted) {
  for (const auto& shape : frame::kParticleShapes) {
    for (const Layer layer : {Layer::Alpha, Layer::Additive}) {
      for (const float size : {0.5f, 4.0f, 12.0f, 33.0f, 90.0f, 256.0f}) {
        const ParticleInstance one = particle(shape.id, size, 0.25f, 0.5f, 9.0f, -4.0f);
        const Light middle = draw_one(one, layer);
        ASSERT_GT(middle.brightness(), 0.0f) << shape.name << " " << size;
        const int aside = static_cast<int>(std::min(0.25f * size, 20.0f));  // So far out of the picture is its middle.
        for (const int across : {-1, 0, 1}) {
          for (const int down : {-1, 0, 1}) {
            const int sx = across * (kLayerWidth / 2 + aside);
            const int sy = down * (kLayerHeight / 2 + aside);
            const Light edge = draw_one(one, layer, static_cast<float>(-sx), static_cast<float>(-sy));
            float worst = 0.0f;
            for (int y = std::max(0, sy); y < std::min(kLayerHeight, kLayerHeight + sy); ++y) {
              for (int x = std::max(0, sx); x < std::min(kLayerWidth, kLayerWidth + sx); ++x) {
                for (int c = 0; c < 4; ++c)
                  worst = std::max(worst, std::fabs(edge.at(x, y, c) - middle.at(x - sx, y - sy, c)));
              }
            }
            EXPECT_LT(worst, kSame) << shape.name << " " << size << " at " << across << "," << down;
          }
        }
      }
    }
  }
}

TEST_F(ParticleLayersTest, WhatHasNoSizeOrLiesOutsideDrawsNothing) {
  for (const auto& shape : frame::kParticleShapes) {
    EXPECT_EQ(draw_one(particle(shape.id, 0.0f), Layer::Additive).brightness(), 0.0f) << shape.name;
    EXPECT_EQ(draw_one(particle(shape.id, 0.0f, 0, 0, 30, 0), Layer::Additive).brightness(), 0.0f) << shape.name;
    EXPECT_EQ(draw_one(particle(shape.id, 20.0f, 91.0f, 0), Layer::Additive).brightness(), 0.0f) << shape.name;
    EXPECT_EQ(draw_one(particle(shape.id, 1023.0f, 0, -1023.0f), Layer::Additive).brightness(), 0.0f) << shape.name;
  }
}

TEST_F(ParticleLayersTest, OneOfTheLargestFillsThePicture) {
  const Light light = draw_one(particle(ParticleShape::Glow, 1023.0f), Layer::Additive);
  for (const int x : {0, kLayerWidth - 1}) {
    for (const int y : {0, kLayerHeight - 1}) EXPECT_GT(light.at(x, y, 0), 0.1f) << x << "," << y;
  }
}

TEST_F(ParticleLayersTest, HalfAPixelsLightIsNotLost) {
  // Of one below 2 px the light, and not the width, tells the size.
  const float one = draw_one(particle(ParticleShape::Glow, 1.0f), Layer::Additive).brightness();
  const float half = draw_one(particle(ParticleShape::Glow, 0.5f), Layer::Additive).brightness();
  EXPECT_GT(half, 0.0f);
  EXPECT_NEAR(half / one, 0.25f, 0.01f);
}

TEST_F(ParticleLayersTest, ASparkLiesBehindItsPlaceAlongItsMotion) {
  const ParticleInstance one = particle(ParticleShape::Spark, 6.0f, 10.0f, 0, 0, 20.0f);
  const auto lit = [&](float alpha) {
    const Light light = draw_one(one, Layer::Additive, 0, 0, alpha);
    std::array<int, 4> box = {kLayerWidth, -1, kLayerHeight, -1};
    for (int y = 0; y < kLayerHeight; ++y) {
      for (int x = 0; x < kLayerWidth; ++x) {
        if (light.at(x, y, 0) > 0.001f)
          box = {std::min(box[0], x), std::max(box[1], x), std::min(box[2], y), std::max(box[3], y)};
      }
    }
    return box;
  };
  const auto after = lit(1.0f);
  EXPECT_NEAR(after[0], kLayerWidth / 2 + 10 - 3, 1) << "as wide as its diameter";
  EXPECT_NEAR(after[1], kLayerWidth / 2 + 10 + 2, 1);
  EXPECT_NEAR(after[2], kLayerHeight / 2 - 25 - 3, 4) << "a step and a quarter of motion behind";
  EXPECT_NEAR(after[3], kLayerHeight / 2 + 2, 1) << "with its head at its place";
  EXPECT_NEAR(lit(0.0f)[3], after[3] - 20, 1) << "and a step before where it was then";
}

TEST_F(ParticleLayersTest, LaterOnesLieOverEarlierOnesWhateverTheirShape) {
  for (const auto& below : frame::kParticleShapes) {
    for (const auto& above : frame::kParticleShapes) {
      ParticleInstance red = particle(below.id, 30.0f);
      red.g = red.b = 0;
      ParticleInstance green = particle(above.id, 30.0f);
      green.r = green.b = 0;
      const std::array both = {red, green};
      const Light light = draw(both, Layer::Alpha);
      const Light alone = draw_one(green, Layer::Alpha);
      float strongest = 0.0f, with = 0.0f;
      for (int y = 0; y < kLayerHeight; ++y) {
        for (int x = 0; x < kLayerWidth; ++x) {
          if (alone.at(x, y, 1) <= strongest) continue;
          strongest = alone.at(x, y, 1);
          with = light.at(x, y, 1);
        }
      }
      EXPECT_GT(strongest, 0.1f) << above.name;
      EXPECT_NEAR(with, strongest, kSame) << above.name << " over " << below.name;
    }
  }
}

TEST_F(ParticleLayersTest, EachShapeLooksLikeItself) {
  const auto at = [&](ParticleShape shape, float dx) {
    ParticleInstance one = particle(shape, 64.0f, 0, 0, dx, 0);
    one.angle = 0;
    const Light light = draw_one(one, Layer::Additive);
    const int x = kLayerWidth / 2, y = kLayerHeight / 2;
    struct {
      float middle, along, behind, across, aslant;
    } seen = {light.at(x, y, 0), light.at(x + 16, y, 0), light.at(x - 60, y, 0), light.at(x, y + 16, 0),
              light.at(x + 11, y + 11, 0)};
    return seen;
  };
  const auto glow = at(ParticleShape::Glow, 0);
  EXPECT_NEAR(glow.along, glow.across, kSame);
  EXPECT_NEAR(glow.along, glow.aslant, 0.02f) << "round";
  EXPECT_GT(glow.middle, 5.0f * glow.along) << "with a core";
  const auto spark = at(ParticleShape::Spark, 40.0f);
  EXPECT_GT(spark.middle, 0.3f);
  EXPECT_GT(spark.behind, 0.005f) << "a streak";
  EXPECT_EQ(glow.behind, 0.0f);
  const auto shard = at(ParticleShape::Shard, 0);
  EXPECT_GT(shard.along, 5.0f * shard.across) << "thin";
  const auto star = at(ParticleShape::Star, 0);
  EXPECT_NEAR(star.along, star.across, 0.02f);
  EXPECT_GT(star.along, 2.0f * star.aslant) << "four rays";
  const auto smoke = at(ParticleShape::Smoke, 0);
  EXPECT_LT(smoke.middle, 3.0f * smoke.along) << "no core";
  EXPECT_GT(smoke.middle, 0.1f);
}

TEST_F(ParticleLayersTest, EachLayerDrawsItsOwn) {
  const std::array left = {particle(ParticleShape::Glow, 20.0f, -40.0f), particle(ParticleShape::Smoke, 20.0f, -40.0f)};
  const std::array right = {particle(ParticleShape::Glow, 20.0f, 40.0f)};
  const Light light = draw_both(left, right);
  const int y = kLayerHeight / 2;
  EXPECT_GT(light.at(kLayerWidth / 2 - 40, y, 3), 0.5f) << "matter covers";
  EXPECT_GT(light.at(kLayerWidth / 2 + 40, y, 0), 0.3f);
  EXPECT_EQ(light.at(kLayerWidth / 2 + 40, y, 3), 0.0f) << "light does not";
  EXPECT_GT(draw_both({}, right).at(kLayerWidth / 2 + 40, y, 0), 0.3f) << "the other empty";
  EXPECT_EQ(draw_both(left, {}).at(kLayerWidth / 2 + 40, y, 0), 0.0f);
  EXPECT_EQ(draw_both({}, {}).brightness(), 0.0f);
}

TEST_F(ParticleLayersTest, AnUnknownShapeIsDrawnAsTheLastOne) {
  ParticleInstance odd = particle(ParticleShape::Smoke, 20.0f);
  const Light smoke = draw_one(odd, Layer::Additive);
  odd.glow_shape |= 7u;
  EXPECT_EQ(draw_one(odd, Layer::Additive).rgba, smoke.rgba);
}

}  // namespace
}  // namespace spellpool::render::test
