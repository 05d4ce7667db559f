// What must be true of each kind of figure: it is drawn where it should be, nowhere else, and not at all when it is
// gone.
#include <array>
#include <cmath>
#include <limits>

#include "drawn_test.hpp"
#include "render/builtin_shaders.hpp"
#include "render/figures.hpp"

namespace spellpool::render::test {
namespace {

using frame::SpriteInstance;
using frame::SpriteKind;

/// The shooter's that are there as far as p1 says.
constexpr auto kUnfolding = [] {
  std::array<SpriteKind, frame::kEnemyKindCount + 3> kinds{SpriteKind::MothWing, SpriteKind::Pickup,
                                                           SpriteKind::Boulder};
  for (std::size_t i = 0; i < frame::kEnemyKindCount; ++i) kinds[i + 3] = figure_of(frame::kEnemyKinds[i].id);
  return kinds;
}();

class RenderFigures : public DrawnTest {
 protected:
  static constexpr int kWidth = 640, kHeight = 360;

  /// A figure in the middle of its life, at (0, 0).
  static SpriteInstance alive(SpriteKind kind) {
    SpriteInstance s;
    s.kind = static_cast<u32>(kind);
    s.size = 40.0f;
    s.r = 1.0f;
    s.g = 0.7f;
    s.b = 0.5f;
    s.p0 = 0.5f;
    s.p1 = 0.9f;
    s.p2 = 0.5f;
    if (kind == SpriteKind::Arc) {
      s.size = 6.0f;
      s.p0 = 200.0f;
      s.p1 = 0.0f;
      s.p2 = 0.05f;
    }
    if (kind == SpriteKind::NovaRing || kind == SpriteKind::ShockRing || kind == SpriteKind::VortexCore ||
        kind == SpriteKind::Mark || kind == SpriteKind::Aura || kind == SpriteKind::Pillar)
      s.p0 = 90.0f;
    if (kind == SpriteKind::Beam) {
      s.size = 16.0f;
      s.p0 = 170.0f;
      s.p1 = 90.0f;
      s.p2 = 1.5f;
    }
    if (kind == SpriteKind::Crystal || kind == SpriteKind::Reticle) s.p2 = 0.0f;
    return s;
  }

  static Picture picture_of(const SpriteInstance& sprite) {
    StagedScene scene;
    scene.sprites.push_back(sprite);
    scene.light(0, 0, 300, 0.5f, 0.5f, 0.5f);
    return draw(scene.snapshot(), kWidth, kHeight);
  }
  static Picture nothing() {
    StagedScene scene;
    scene.light(0, 0, 300, 0.5f, 0.5f, 0.5f);
    return draw(scene.snapshot(), kWidth, kHeight);
  }
};

TEST_F(RenderFigures, EveryKindIsDrawn) {
  const Picture bare = nothing();
  for (const FigureRow& row : kFigures) {
    EXPECT_GT(differing(picture_of(alive(row.id)), bare, 8), 20) << static_cast<int>(row.id);
  }
}

TEST_F(RenderFigures, VertexShadersTakeTheLightAsTheTableSays) {
  for (const ProgramRow& row : kPrograms) {
    const bool takes = text_named(builtin_shaders(), row.vertex).find("\"figure_light.glsl\"") != std::string_view::npos;
    EXPECT_EQ(takes_figure_light(row), takes) << row.vertex;
  }
}

TEST_F(RenderFigures, WithTheLightInAttributesOnlyTheShockRingReadsTextures) {
  ShaderLibrary library("");
  const auto reading = [&library] {
    std::vector<SpriteKind> kinds;
    for (const FigureRow& row : kFigures)
      if (library.reads_light(row.program)) kinds.push_back(row.id);
    return kinds;
  };
  EXPECT_EQ(reading().size(), kFigures.size()) << "nothing is linked yet";
  for (const MadeFor group : {MadeFor::Arena, MadeFor::Spells, MadeFor::Shooter}) ASSERT_TRUE(library.ready({group}));
  EXPECT_GT(reading().size(), 1u);
  library.set_figure_light(FigureLightFrom::Attributes);
  for (const FigureRow& row : kFigures) library.use(row.program);
  EXPECT_EQ(reading(), std::vector{SpriteKind::ShockRing});
  EXPECT_EQ(library.warning(), "");
}

TEST_F(RenderFigures, WhatHasFadedDrawsNothing) {
  const Picture bare = nothing();
  const auto gone = [&](SpriteKind kind, float SpriteInstance::*field, float value) {
    SpriteInstance s = alive(kind);
    s.*field = value;
    EXPECT_EQ(differing(picture_of(s), bare), 0) << static_cast<int>(kind);
  };
  gone(SpriteKind::NovaRing, &SpriteInstance::p1, 0.0f);
  gone(SpriteKind::VortexCore, &SpriteInstance::p2, 0.0f);
  gone(SpriteKind::Wisp, &SpriteInstance::p1, 0.0f);
  gone(SpriteKind::Arc, &SpriteInstance::p2, 1.0f);
  gone(SpriteKind::Mark, &SpriteInstance::p2, 0.0f);
  gone(SpriteKind::ShockRing, &SpriteInstance::p1, 0.0f);
  gone(SpriteKind::Aura, &SpriteInstance::p1, 0.0f);
  gone(SpriteKind::Pillar, &SpriteInstance::p1, 0.0f);
  gone(SpriteKind::Hitbox, &SpriteInstance::p0, 0.0f);
  for (const SpriteKind kind : kUnfolding) gone(kind, &SpriteInstance::p1, 0.0f);
  for (const float stage : {-1.0f, 0.0f, 3.0f, 9.0f}) gone(SpriteKind::Beam, &SpriteInstance::p2, stage);
  for (const float none : {0.0f, 6.0f}) gone(SpriteKind::Pickup, &SpriteInstance::p0, none);
}

TEST_F(RenderFigures, NothingPopsIn) {
  // The first hundredth of a fade shows hardly anything.
  const Picture bare = nothing();
  const auto faint = [&](SpriteKind kind, float SpriteInstance::*field, float value) {
    SpriteInstance s = alive(kind);
    s.*field = value;
    EXPECT_EQ(differing(picture_of(s), bare, 5), 0) << static_cast<int>(kind);
  };
  faint(SpriteKind::Wisp, &SpriteInstance::p1, 0.02f);
  faint(SpriteKind::Arc, &SpriteInstance::p2, 0.97f);
  faint(SpriteKind::Mark, &SpriteInstance::p2, 0.02f);
  faint(SpriteKind::ShockRing, &SpriteInstance::p1, 0.02f);
  faint(SpriteKind::Aura, &SpriteInstance::p1, 0.02f);
  faint(SpriteKind::Pillar, &SpriteInstance::p1, 0.02f);
  faint(SpriteKind::Hitbox, &SpriteInstance::p0, 0.02f);
  for (const SpriteKind kind : kUnfolding) faint(kind, &SpriteInstance::p1, 0.02f);
  for (const float stage : {0.02f, 2.995f}) faint(SpriteKind::Beam, &SpriteInstance::p2, stage);
}

TEST_F(RenderFigures, NothingIsDrawnBeyondAFiguresReach) {
  // Who composes by cells cuts off what lies outside it.
  const RendererOptions options{kShaderFolder, 0.0f, {}};  // Without bloom, which may reach farther.
  std::string error;
  const auto renderer = Renderer::create(options, error);
  ASSERT_NE(renderer, nullptr) << error;
  const Picture bare = draw_with(*renderer, StagedScene().snapshot(), kWidth, kHeight);
  for (const FigureRow& row : kFigures) {
    StagedScene scene;
    const SpriteInstance sprite = alive(row.id);
    scene.sprites.push_back(sprite);
    const Picture seen = draw_with(*renderer, scene.snapshot(), kWidth, kHeight);
    const Point end = figure_far_end(sprite, {0, 0});
    const Box box = figure_box(sprite);
    const float kNear = 4.0f;
    int outside = 0;
    for (int y = 0; y < kHeight; ++y) {
      for (int x = 0; x < kWidth; ++x) {
        const float wx = static_cast<float>(2 * x - kWidth) + 1.0f;
        const float wy = static_cast<float>(2 * y - kHeight) + 1.0f;
        const float dx = end.x, dy = end.y;
        const float t = std::clamp((wx * dx + wy * dy) / std::max(dx * dx + dy * dy, 0.001f), 0.0f, 1.0f);
        const float x_off = wx - t * dx, y_off = wy - t * dy;
        const bool away = x_off < box.left - kNear || x_off > box.right + kNear || y_off < box.top - kNear || y_off > box.bottom + kNear;
        const std::size_t at = (static_cast<std::size_t>(y) * kWidth + static_cast<std::size_t>(x)) * 3;
        if (away && std::abs(int{seen.rgb[at]} - int{bare.rgb[at]}) > 1) ++outside;
      }
    }
    EXPECT_EQ(outside, 0) << static_cast<int>(row.id);
  }
}

TEST_F(RenderFigures, AnArcLightsItsWholeLineAndNothingFarFromIt) {
  SpriteInstance s = alive(SpriteKind::Arc);
  s.x = s.previous_x = -150.0f;
  s.y = s.previous_y = 40.0f;
  s.p0 = 150.0f;
  s.p1 = 40.0f;
  const Picture with = picture_of(s);
  const Picture bare = nothing();
  for (float x = -140.0f; x <= 140.0f; x += 20.0f) {
    const int px = static_cast<int>(0.5f * x) + kWidth / 2;
    const int py = 20 + kHeight / 2;
    float brightest = 0.0f;
    for (int y = py - 22; y <= py + 22; ++y) brightest = std::max(brightest, with.luma(px, y));
    EXPECT_GT(brightest, 0.75f) << x;
    for (const int away : {-80, 80})
      EXPECT_NEAR(with.mean_luma(px, py + away, 4), bare.mean_luma(px, py + away, 4), 0.03f) << x;
  }
  EXPECT_NEAR(with.mean_luma(kWidth / 2 + 75 + 60, kHeight / 2 + 20, 4),
              bare.mean_luma(kWidth / 2 + 135, kHeight / 2 + 20, 4), 0.03f)
      << "60 px beyond its end";
}

TEST_F(RenderFigures, AnArcLeavesABlueImage) {
  SpriteInstance s = alive(SpriteKind::Arc);
  s.x = s.previous_x = -100.0f;
  s.p0 = 100.0f;
  s.r = 0.62f;
  s.g = 0.50f;
  s.b = 1.0f;
  const StagedScene dark;
  const auto sums = [&](float age) {
    StagedScene scene;
    s.p2 = age;
    scene.sprites.push_back(s);
    const Picture seen = draw(scene.snapshot(), kWidth, kHeight);
    const Picture bare = draw(dark.snapshot(), kWidth, kHeight);
    std::array<double, 3> sum{};
    for (std::size_t i = 0; i < seen.rgb.size(); ++i) sum[i % 3] += int{seen.rgb[i]} - int{bare.rgb[i]};
    return sum;
  };
  const auto strike = sums(0.0f);
  const auto image = sums(0.5f);
  EXPECT_GT(image[2], 2.0 * image[0]) << "blue";
  EXPECT_LT(strike[2], 2.0 * strike[0]) << "violet-white";
  EXPECT_GT(strike[2], 2.0 * image[2]) << "and dimmer";
}

TEST_F(RenderFigures, AnArcIsTheSameForTheSameSeed) {
  SpriteInstance s = alive(SpriteKind::Arc);
  s.angle_turns = 0.3f;
  const Picture first = picture_of(s);
  EXPECT_TRUE(first == picture_of(s));
  s.angle_turns = 0.6f;
  EXPECT_GT(differing(first, picture_of(s), 30), 100) << "and another for another";
}

TEST_F(RenderFigures, TheMarksInnerRingClosesAsItsTimeComes) {
  SpriteInstance s = alive(SpriteKind::Mark);
  s.p0 = 120.0f;
  s.p2 = 1.0f;
  const auto brightest_radius = [&](float time) {
    s.p1 = time;
    const Picture seen = picture_of(s);
    int best = 0;
    // Inside the outer ring, straight up, where no wedge rides at this moment.
    for (int r = 4; r < 52; ++r) {
      if (seen.luma(kWidth / 2 + r, kHeight / 2 + r / 8) > seen.luma(kWidth / 2 + best, kHeight / 2 + best / 8))
        best = r;
    }
    return 2.0f * static_cast<float>(best);
  };
  EXPECT_NEAR(brightest_radius(0.3f), 84.0f, 8.0f);
  EXPECT_NEAR(brightest_radius(0.6f), 48.0f, 8.0f);
}

TEST_F(RenderFigures, AShockRingBendsWhatLiesUnderIt) {
  SpriteInstance s = alive(SpriteKind::ShockRing);
  s.p0 = 120.0f;
  s.p1 = 1.0f;
  const Picture with = picture_of(s);
  const Picture bare = nothing();
  // Light alone would only brighten: where seams come to lie on stone it is darker than before.
  int darker = 0;
  for (int y = 0; y < kHeight; ++y) {
    for (int x = 0; x < kWidth; ++x) darker += with.luma(x, y) < bare.luma(x, y) - 0.03f ? 1 : 0;
  }
  EXPECT_GT(darker, 300);
  EXPECT_NEAR(with.mean_luma(kWidth / 2, kHeight / 2, 20), bare.mean_luma(kWidth / 2, kHeight / 2, 20), 0.01f)
      << "not its middle";
}

TEST_F(RenderFigures, TheReticlesChargeArcFills) {
  SpriteInstance s = alive(SpriteKind::Reticle);
  s.p0 = 0.0f;
  s.size = 120.0f;
  const auto light_of = [&](float charge, float full) {
    s.p1 = charge;
    s.p2 = full;
    return static_cast<double>(picture_of(s).mean_luma(kWidth / 2, kHeight / 2, 60));
  };
  const double none = light_of(0.0f, 0.0f);
  const double half = light_of(0.5f, 0.0f);
  const double all = light_of(1.0f, 0.0f);
  EXPECT_GT(half, none);
  EXPECT_GT(all, half);
  EXPECT_GT(light_of(1.0f, 1.0f), all) << "full shines more";
}

TEST_F(RenderFigures, FlyingHeadsPointAlongTheirFlight) {
  for (const SpriteKind kind : {SpriteKind::Meteor, SpriteKind::Star, SpriteKind::Seeker}) {
    SpriteInstance s = alive(kind);
    s.p0 = 1.0f;
    s.angle_turns = 0.25f;  // Down: its tail is above.
    const Picture seen = picture_of(s);
    const Picture bare = nothing();
    const int away = 30;  // 60 units; 1.5 sizes.
    const float above =
        seen.mean_luma(kWidth / 2, kHeight / 2 - away, 4) - bare.mean_luma(kWidth / 2, kHeight / 2 - away, 4);
    const float below =
        seen.mean_luma(kWidth / 2, kHeight / 2 + away, 4) - bare.mean_luma(kWidth / 2, kHeight / 2 + away, 4);
    EXPECT_GT(above, below + 0.004f) << static_cast<int>(kind);
  }
}

TEST_F(RenderFigures, BrokenNumbersInAFigureHarmNothing) {
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  const Picture bare = nothing();
  for (const FigureRow& row : kFigures) {
    SpriteInstance s = alive(row.id);
    s.x = kNan;
    EXPECT_EQ(differing(picture_of(s), bare), 0) << static_cast<int>(row.id);
    for (const float broken : {kNan, kInfinity, -1.0e9f}) {
      s = alive(row.id);
      s.p0 = s.p1 = s.p2 = broken;
      picture_of(s);
      s = alive(row.id);
      s.size = s.angle_turns = broken;
      picture_of(s);
    }
  }
  EXPECT_TRUE(bare == nothing());
}

TEST_F(RenderFigures, TheFinaleLightsTheRingAndLeavesTheNightDark) {
  StagedScene scene;
  scene.base.time_s = 40.0f;
  scene.base.runes_lit = 12.0f;
  const Picture before = draw(scene.snapshot(), kWidth, kHeight);
  scene.base.finale = 1.0f;
  const Picture after = draw(scene.snapshot(), kWidth, kHeight);
  // Between two runes, 15 degrees round.
  const int x = kWidth / 2 + static_cast<int>(0.5f * 300.0f * 0.2588f);
  const int y = kHeight / 2 - static_cast<int>(0.5f * 300.0f * 0.9659f);
  EXPECT_GT(after.mean_luma(x, y, 6), before.mean_luma(x, y, 6) + 0.08f);
  EXPECT_LT(after.mean_luma(kWidth / 2, kHeight / 2, 25), 0.25f) << "the middle stays dark";
  for (const int left : {0, kWidth - 120}) {
    double sum = 0;
    for (int j = 0; j < kHeight; ++j) {
      for (int i = left; i < left + 120; ++i) sum += static_cast<double>(after.luma(i, j));
    }
    EXPECT_LT(sum / (120.0 * kHeight), 0.12);
  }
  scene.base.finale = 0.001f;
  EXPECT_LT(differing(before, draw(scene.snapshot(), kWidth, kHeight), 6), 30) << "it comes slowly";
}

TEST_F(RenderFigures, TwentyThousandSparksKeepTheirColours) {
  StagedScene scene;
  scene.finale(20'000);
  const Picture seen = draw(scene.snapshot(), 1280, 720);
  int white = 0;
  int coloured = 0;
  for (std::size_t i = 0; i < seen.rgb.size(); i += 3) {
    const int most = std::max({seen.rgb[i], seen.rgb[i + 1], seen.rgb[i + 2]});
    const int least = std::min({seen.rgb[i], seen.rgb[i + 1], seen.rgb[i + 2]});
    white += least > 225 ? 1 : 0;
    coloured += most > 140 && least < most / 2 ? 1 : 0;
  }
  EXPECT_LT(white, 1280 * 720 / 200);
  EXPECT_GT(coloured, 1280 * 720 / 20);
  EXPECT_LT(seen.mean_luma(640, 360, 30), 0.3f) << "the middle stays dark";
}

TEST_F(RenderFigures, ManySparksInOnePlaceKeepTheirHue) {
  struct Hue {
    float r, g, b;
  };
  for (const Hue hue :
       {Hue{1.0f, 0.08f, 0.5f}, Hue{0.10f, 1.0f, 0.15f}, Hue{0.25f, 0.15f, 1.0f}, Hue{1.0f, 0.24f, 0.04f}}) {
    StagedScene scene;
    for (int i = 0; i < 30; ++i)
      scene.additive(0, 0, 0, 0, {hue.r, hue.g, hue.b, 1.0f, 24.0f, 1.0f, frame::ParticleShape::Glow, 0});
    const Picture seen = draw(scene.snapshot(), kWidth, kHeight);
    const std::size_t at = (static_cast<std::size_t>(kHeight / 2) * kWidth + kWidth / 2) * 3;
    const int most = std::max({seen.rgb[at], seen.rgb[at + 1], seen.rgb[at + 2]});
    const int least = std::min({seen.rgb[at], seen.rgb[at + 1], seen.rgb[at + 2]});
    EXPECT_GT(most, 240);
    EXPECT_LT(least, 200) << hue.r << " " << hue.g << " " << hue.b;
  }
}

}  // namespace
}  // namespace spellpool::render::test
