// The shooter's figures: its ship, the paper creatures, what they leave behind, and beams.
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "drawn_test.hpp"
#include "render/figures.hpp"
#include "staged_shooter.hpp"

namespace spellpool::render::test {
namespace {

using frame::SpriteInstance;
using frame::SpriteKind;

/// Every kind of enemy, and a part of one.
constexpr auto kCreatures = [] {
  std::array<SpriteKind, frame::kEnemyKindCount + 1> kinds{};
  for (std::size_t i = 0; i < frame::kEnemyKindCount; ++i) kinds[i] = figure_of(frame::kEnemyKinds[i].id);
  kinds.back() = SpriteKind::MothWing;
  return kinds;
}();

class ShooterFigures : public DrawnTest {
 protected:
  static constexpr int kWidth = 640, kHeight = 360;

  static Picture picture_of(const SpriteInstance& sprite, float alpha = 1.0f) {
    StagedScene scene;
    scene.sprites.push_back(sprite);
    return draw(scene.snapshot(), kWidth, kHeight, alpha);
  }
  /// Where the figure's light is in the middle, pixels from the picture's.
  static double middle_x(const Picture& with, const Picture& bare) {
    double sum = 0, weight = 0;
    for (int y = 0; y < with.height; ++y) {
      for (int x = 0; x < with.width; ++x) {
        const double more = std::max(0.0f, with.luma(x, y) - bare.luma(x, y) - 0.05f);
        sum += more * (x + 0.5 - 0.5 * with.width);
        weight += more;
      }
    }
    return weight > 0 ? sum / weight : 1e9;
  }
};

TEST_F(ShooterFigures, AHitMakesThemFlare) {
  for (const SpriteKind kind : kCreatures) {
    SpriteInstance s = shooter_figure(kind, 0, 0);
    const float calm = picture_of(s).mean_luma(kWidth / 2, kHeight / 2, 30);
    s.p0 = 1.0f;
    EXPECT_GT(picture_of(s).mean_luma(kWidth / 2, kHeight / 2, 30), calm * 1.1f) << static_cast<int>(kind);
  }
}

TEST_F(ShooterFigures, TheyMoveInPlaceAndComeBackAfterAWholeTurn) {
  std::vector<SpriteKind> kinds(kCreatures.begin(), kCreatures.end());
  kinds.push_back(SpriteKind::Pickup);
  for (const SpriteKind kind : kinds) {
    // After half a turn an umbrella looks the same, and a drum rests between its beats.
    if (kind == figure_of(frame::EnemyKind::Umbrella) || kind == figure_of(frame::EnemyKind::Drum)) continue;
    SpriteInstance s = shooter_figure(kind, 0, 0);
    s.p2 = 0.1f;
    const Picture first = picture_of(s);
    s.p2 = 0.6f;
    EXPECT_GT(differing(first, picture_of(s), 8), 10) << static_cast<int>(kind);
    s.p2 = 1.1f;
    EXPECT_LT(differing(first, picture_of(s), 8), 5) << static_cast<int>(kind);
  }
}

TEST_F(ShooterFigures, TheLeftWingIsTheRightOneInAMirror) {
  SpriteInstance s = shooter_figure(SpriteKind::MothWing, 0, 0);
  const Picture right = picture_of(s);
  s.angle_turns = 0.5f;
  const Picture left = picture_of(s);
  const Picture bare = draw(StagedScene().snapshot(), kWidth, kHeight);
  int unlike = 0, unlike_unturned = 0;
  for (int y = 0; y < kHeight; ++y) {
    for (int x = 0; x < kWidth; ++x) {
      if (right.luma(x, y) < bare.luma(x, y) + 0.15f) continue;
      unlike += std::fabs(right.luma(x, y) - left.luma(kWidth - 1 - x, y)) > 0.08f ? 1 : 0;
      unlike_unturned += std::fabs(right.luma(x, y) - left.luma(x, y)) > 0.08f ? 1 : 0;
    }
  }
  EXPECT_LT(unlike, 60);
  EXPECT_GT(unlike_unturned, 400) << "its two sides are not alike";
}

TEST_F(ShooterFigures, PickupsAreKnownByShapeAlone) {
  std::array<Picture, 5> seen;
  for (std::size_t i = 0; i < seen.size(); ++i) {
    SpriteInstance s = shooter_figure(SpriteKind::Pickup, 0, 0, 4.0f);
    s.p0 = static_cast<float>(i + 1);
    s.p2 = 0.0f;
    seen[i] = picture_of(s);
  }
  const Picture bare = draw(StagedScene().snapshot(), kWidth, kHeight);
  const auto solid = [&](const Picture& picture, int x, int y) { return picture.luma(x, y) > bare.luma(x, y) + 0.18f; };
  for (std::size_t a = 0; a < seen.size(); ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      int either = 0, one = 0;
      for (int y = 140; y < 220; ++y) {
        for (int x = 280; x < 360; ++x) {
          const bool in_a = solid(seen[a], x, y), in_b = solid(seen[b], x, y);
          either += in_a || in_b ? 1 : 0;
          one += in_a != in_b ? 1 : 0;
        }
      }
      EXPECT_GT(one, either / 4) << a + 1 << " and " << b + 1;
    }
  }
}

TEST_F(ShooterFigures, FiguresArePlacedBetweenTheirLastTwoSteps) {
  const Picture bare = draw(StagedScene().snapshot(), kWidth, kHeight);
  for (const FigureRow& row : kFigures) {
    if (row.id < SpriteKind::Ship) continue;
    SpriteInstance s = shooter_figure(row.id, 0, 0);
    const double here = middle_x(picture_of(s), bare);
    s.previous_x = -80.0f;
    const double moved = row.id == SpriteKind::Beam ? 10.0 : 20.0;  // A beam's other end is where p0 and p1 say.
    EXPECT_NEAR(middle_x(picture_of(s, 0.5f), bare), here - moved, 1.5) << static_cast<int>(row.id);
  }
}

TEST_F(ShooterFigures, ABlinkingShipIsHardlyThere) {
  SpriteInstance s = shooter_figure(SpriteKind::Ship, 0, 0, 2.0f);
  const Picture bare = draw(StagedScene().snapshot(), kWidth, kHeight);
  const auto light = [&] { return picture_of(s).mean_luma(kWidth / 2, kHeight / 2, 10) - bare.mean_luma(kWidth / 2, kHeight / 2, 10); };
  const float whole = light();
  s.p2 = 1.0f;
  EXPECT_LT(light(), 0.5f * whole);
  EXPECT_GT(light(), 0.0f);
}

TEST_F(ShooterFigures, ABankingShipLeansTheWayItFlies) {
  SpriteInstance s = shooter_figure(SpriteKind::Ship, 0, 0, 4.0f);
  const Picture bare = draw(StagedScene().snapshot(), kWidth, kHeight);
  const double level = middle_x(picture_of(s), bare);
  s.p0 = 1.0f;
  const double right = middle_x(picture_of(s), bare);
  s.p0 = -1.0f;
  const double left = middle_x(picture_of(s), bare);
  EXPECT_GT(std::fabs(right - level), 0.3);
  EXPECT_LT((right - level) * (left - level), 0.0);
}

TEST_F(ShooterFigures, TheDotThatHitsStandsOutOverWhiteAndOverDark) {
  for (const bool over_light : {false, true}) {
    StagedScene scene;
    if (over_light) add_beam(scene, -100, 0, 100, 0, 20.0f, 1.6f);
    scene.sprites.push_back(shooter_figure(SpriteKind::Hitbox, 0, 0));
    const Picture seen = draw(scene.snapshot(), 1280, 720);
    EXPECT_GT(seen.mean_luma(640, 360, 1), 0.85f);
    float darkest = 1.0f;
    for (int x = 641; x < 646; ++x) darkest = std::min(darkest, seen.luma(x, 360));
    EXPECT_LT(darkest, seen.luma(640, 360) - 0.2f) << over_light << "its outline";
  }
}

TEST_F(ShooterFigures, ABeamWarnsThenBurnsAsWideAsItHitsThenFades) {
  const auto across = [](float stage) {
    StagedScene scene;
    add_beam(scene, -200, 0, 200, 0, 40.0f, stage);
    const Picture seen = draw(scene.snapshot(), 1280, 720);
    int wide = 0;
    for (int y = 320; y < 400; ++y) wide += seen.luma(640, y) > 0.6f ? 1 : 0;
    return wide;
  };
  EXPECT_LE(across(0.9f), 3);
  const int burning = across(1.5f);
  EXPECT_GT(burning, 14);
  EXPECT_LE(burning, 40);
  EXPECT_LT(across(2.7f), burning);
  // The line grows clear, dash by dash.
  const auto light = [](float stage) {
    StagedScene scene;
    add_beam(scene, -200, 0, 200, 0, 40.0f, stage);
    return draw(scene.snapshot(), 1280, 720).mean_luma(640, 360, 60);
  };
  EXPECT_GT(light(0.5f), light(0.1f) + 0.001f);
  EXPECT_GT(light(0.95f), light(0.5f) + 0.001f);
}

TEST_F(ShooterFigures, TheirProgramsAreMadeWhenSomebodyNeedsThem) {
  ShaderLibrary library(kShaderFolder);
  ASSERT_TRUE(library.ready({MadeFor::Ground, MadeFor::Arena})) << library.warning();
  const auto made = [&] {
    return std::count_if(kPrograms.begin(), kPrograms.end(), [&](const ProgramRow& row) { return library.has(row.id); });
  };
  EXPECT_TRUE(library.has(ProgramId::Mage));
  for (const ProgramId later : {ProgramId::Pillar, ProgramId::Composite, ProgramId::Ship}) EXPECT_FALSE(library.has(later));
  EXPECT_TRUE(library.ready({MadeFor::Spells})) << library.warning();
  EXPECT_TRUE(library.has(ProgramId::Pillar));
  EXPECT_FALSE(library.has(ProgramId::Composite));
  EXPECT_TRUE(library.reload());
  EXPECT_TRUE(library.has(ProgramId::Composite)) << "a file that is wrong is told of, with either renderer";
  EXPECT_FALSE(library.has(ProgramId::Ship)) << "nor by a reload";
  EXPECT_TRUE(library.ready({MadeFor::Garden, MadeFor::Shooter})) << library.warning();
  EXPECT_EQ(made(), static_cast<long>(kPrograms.size()));
}

TEST_F(ShooterFigures, QueuedProgramsAreMadeOneByOneTheWantedOnesFirst) {
  ShaderLibrary library(kShaderFolder);
  const auto made = [&] {
    std::vector<ProgramId> ids;
    for (const ProgramRow& row : kPrograms)
      if (library.has(row.id)) ids.push_back(row.id);
    return ids;
  };
  library.queue(MadeFor::Arena);
  EXPECT_TRUE(library.is_begun(MadeFor::Arena));
  EXPECT_TRUE(made().empty());
  EXPECT_FALSE(library.is_usable(ProgramId::Reticle));
  EXPECT_FALSE(library.is_usable(ProgramId::Mage)) << "it was asked for after the other one";
  const auto advance = [&] {
    library.advance();
    glFinish();
    EXPECT_TRUE(library.is_idle());
  };
  advance();
  EXPECT_EQ(made(), std::vector{ProgramId::Reticle});
  EXPECT_TRUE(library.is_usable(ProgramId::Reticle));
  library.set_figure_light(FigureLightFrom::Attributes);
  EXPECT_EQ(made(), std::vector{ProgramId::Reticle}) << "the others go on waiting for their turn";
  library.use(ProgramId::Crystal);
  EXPECT_EQ(made(), (std::vector{ProgramId::Crystal, ProgramId::Reticle})) << "a use does not wait for its turn";
  library.queue(MadeFor::Spells);
  const std::size_t spells = static_cast<std::size_t>(
      std::ranges::count_if(kPrograms, [](const ProgramRow& row) { return row.made_for == MadeFor::Spells; }));
  for (std::size_t before = made().size(); before < 5 + spells; before = made().size()) {
    advance();
    ASSERT_EQ(made().size(), before + 1);
  }
  advance();
  EXPECT_EQ(made().size(), 5 + spells) << "the shooter's were not asked for";
  for (const ProgramId id : made()) EXPECT_TRUE(library.is_usable(id));
  EXPECT_TRUE(library.ready({MadeFor::Arena, MadeFor::Spells})) << library.warning();
}

// A call that asks about a program would wait for what is compiled.
TEST_F(ShooterFigures, AProgramIsAskedAboutOnlyBehindAFence) {
  static bool passed;
  const auto client_wait_sync = glClientWaitSync;
  glClientWaitSync = [](GLsync, GLbitfield, GLuint64) -> GLenum {
    return passed ? GL_CONDITION_SATISFIED : GL_TIMEOUT_EXPIRED;
  };
  ShaderLibrary library("");
  library.queue(MadeFor::Arena);
  passed = true;
  EXPECT_TRUE(library.is_idle());
  passed = false;
  library.end_frame();
  EXPECT_FALSE(library.is_idle()) << "the panels' program draws in the first frame";
  EXPECT_FALSE(library.is_usable(ProgramId::Reticle));
  library.advance();
  ASSERT_TRUE(library.has(ProgramId::Reticle));
  EXPECT_FALSE(library.is_usable(ProgramId::Reticle));
  library.advance();
  EXPECT_FALSE(library.has(ProgramId::Mage)) << "one at a time";
  passed = true;
  EXPECT_TRUE(library.is_usable(ProgramId::Reticle));
  library.use(ProgramId::Reticle);
  EXPECT_TRUE(library.is_idle()) << "it is asked between frames";
  passed = false;
  library.end_frame();
  EXPECT_FALSE(library.is_idle()) << "it was drawn with for the first time";
  EXPECT_TRUE(library.is_usable(ProgramId::Reticle)) << "nothing is asked about it any more";
  library.advance();
  EXPECT_TRUE(library.has(ProgramId::Mage));
  EXPECT_FALSE(library.is_usable(ProgramId::Mage));
  passed = true;
  EXPECT_TRUE(library.is_idle());
  library.use(ProgramId::Reticle);
  passed = false;
  library.end_frame();
  EXPECT_TRUE(library.is_idle()) << "it was drawn with before";
  library.set_figure_light(FigureLightFrom::Attributes);
  EXPECT_FALSE(library.is_usable(ProgramId::Mage)) << "it is compiled again";
  glClientWaitSync = client_wait_sync;
}

TEST_F(ShooterFigures, Pictures) {
  if (std::getenv("SPELLPOOL_GALLERY") == nullptr) GTEST_SKIP() << "skipped: SPELLPOOL_GALLERY=DIR writes them";
  std::vector<SpriteKind> enemies;
  for (const frame::EnemyKindRow& row : frame::kEnemyKinds) {
    if (comes_in_waves(row)) enemies.push_back(figure_of(row.id));
  }
  const auto lit = [] {
    StagedScene scene;
    scene.base.time_s = 3.3f;
    scene.light(0.0f, 0.0f, 600.0f, 0.05f, 0.05f, 0.08f);
    return scene;
  };
  {
    StagedScene scene = lit();
    for (std::size_t i = 0; i < enemies.size(); ++i) {
      for (int state = 0; state < 6; ++state) {
        SpriteInstance s = shooter_figure(enemies[i], -560.0f + 80.0f * static_cast<float>(state), -280.0f + 85.0f * static_cast<float>(i));
        s.p2 = 0.19f * static_cast<float>(state);
        if (state == 4) s.p0 = 1.0f;
        if (state == 5) s.p1 = 0.5f;
        s.angle_turns += 0.06f * static_cast<float>(state);
        scene.sprites.push_back(s);
      }
    }
    for (int state = 0; state < 6; ++state) {
      SpriteInstance ship = shooter_figure(SpriteKind::Ship, -560.0f + 80.0f * static_cast<float>(state), 160.0f);
      ship.p0 = state == 1 ? -1.0f : state == 2 ? 1.0f : 0.0f;
      ship.p1 = state >= 3 ? 1.0f : 0.0f;
      ship.p2 = state == 5 ? 0.6f : 0.0f;
      scene.sprites.push_back(ship);
      if (state == 4) scene.sprites.push_back(shooter_figure(SpriteKind::Hitbox, ship.x, ship.y));
      SpriteInstance pickup = shooter_figure(SpriteKind::Pickup, -560.0f + 50.0f * static_cast<float>(state), 225.0f);
      pickup.p0 = static_cast<float>(state + 1);
      scene.sprites.push_back(pickup);
    }
    for (int i = 0; i < 3; ++i) {
      SpriteInstance carp = shooter_figure(figure_of(frame::EnemyKind::Carp), 20.0f + 150.0f * static_cast<float>(i), -220.0f);
      carp.p2 = 0.3f * static_cast<float>(i);
      carp.angle_turns = 0.25f * static_cast<float>(i);
      carp.p0 = i == 2 ? 0.8f : 0.0f;
      scene.sprites.push_back(carp);
    }
    add_moth(scene, 30.0f, 30.0f, 0.1f);
    add_moth(scene, 330.0f, 30.0f, 0.5f);
    add_moth(scene, 30.0f, 250.0f, 0.25f, 0.6f);
    for (int i = 0; i < 6; ++i) {
      constexpr std::array kStages = {0.5f, 0.95f, 1.05f, 1.6f, 2.4f, 2.8f};
      add_beam(scene, 190.0f, 170.0f + 30.0f * static_cast<float>(i), 560.0f, 200.0f + 30.0f * static_cast<float>(i),
               i == 3 ? 26.0f : 16.0f, kStages[static_cast<std::size_t>(i)]);
    }
    show("shooter_figures", draw(scene.snapshot(), 1280, 720));
  }
  {
    StagedScene scene = lit();
    for (std::size_t i = 0; i < enemies.size(); ++i) {
      scene.sprites.push_back(shooter_figure(enemies[i], -500.0f + 250.0f * static_cast<float>(i), -220.0f, 4.0f));
      if (enemies[i] == figure_of(frame::EnemyKind::Drum)) scene.sprites.back().p2 = 0.8f;
    }
    scene.sprites.push_back(shooter_figure(SpriteKind::Ship, -540.0f, 30.0f, 4.0f));
    scene.sprites.push_back(shooter_figure(SpriteKind::Ship, -390.0f, 30.0f, 4.0f));
    scene.sprites.back().p1 = 1.0f;
    scene.sprites.push_back(shooter_figure(SpriteKind::Hitbox, -390.0f, 30.0f, 4.0f));
    for (int kind = 1; kind <= 5; ++kind) {
      scene.sprites.push_back(shooter_figure(SpriteKind::Pickup, -270.0f + 110.0f * static_cast<float>(kind), 30.0f, 4.0f));
      scene.sprites.back().p0 = static_cast<float>(kind);
    }
    SpriteInstance carp = shooter_figure(figure_of(frame::EnemyKind::Carp), -300.0f, 220.0f, 3.4f);
    carp.angle_turns = 0.0f;
    scene.sprites.push_back(carp);
    add_beam(scene, 40.0f, 150.0f, 600.0f, 150.0f, 64.0f, 1.6f);
    add_beam(scene, 40.0f, 250.0f, 600.0f, 250.0f, 64.0f, 0.9f);
    add_beam(scene, 40.0f, 320.0f, 600.0f, 320.0f, 64.0f, 2.6f);
    show("shooter_figures_4x", draw(scene.snapshot(), 1280, 720));
  }
  {
    StagedScene scene = lit();
    SpriteInstance wing = shooter_figure(SpriteKind::MothWing, 0.0f, 0.0f, 4.0f);
    wing.x = wing.previous_x = -200.0f + 0.54f * wing.size;
    scene.sprites.push_back(wing);
    scene.sprites.push_back(shooter_figure(figure_of(frame::EnemyKind::Moth), -200.0f, 0.0f, 4.0f));
    show("moth_4x", draw(scene.snapshot(), 1280, 720));
  }
  {
    StagedScene scene = lit();
    scene.light(0.0f, -170.0f, 330.0f, 0.30f, 0.14f, 0.05f);
    add_moth(scene, 0.0f, -170.0f, 0.05f);
    for (int i = 0; i < 4; ++i) {
      const float side = i % 2 == 0 ? -1.0f : 1.0f;
      scene.sprites.push_back(shooter_figure(figure_of(frame::EnemyKind::Firefly), side * (210.0f + 12.0f * static_cast<float>(i)), -40.0f + 45.0f * static_cast<float>(i)));
      scene.sprites.push_back(shooter_figure(figure_of(frame::EnemyKind::Lantern), side * (250.0f - 20.0f * static_cast<float>(i)), -290.0f + 20.0f * static_cast<float>(i)));
    }
    add_beam(scene, -67.0f, -150.0f, -190.0f, 400.0f, 18.0f, 1.5f);
    add_beam(scene, 67.0f, -150.0f, 190.0f, 400.0f, 18.0f, 1.5f);
    add_beam(scene, 0.0f, -150.0f, 40.0f, 400.0f, 18.0f, 0.8f);
    for (int kind = 1; kind <= 5; ++kind) {
      scene.sprites.push_back(shooter_figure(SpriteKind::Pickup, -120.0f + 45.0f * static_cast<float>(kind), 90.0f + 31.0f * static_cast<float>(kind * kind % 4)));
      scene.sprites.back().p0 = static_cast<float>(kind);
    }
    SpriteInstance ship = shooter_figure(SpriteKind::Ship, -20.0f, 270.0f);
    ship.p1 = 1.0f;
    scene.sprites.push_back(ship);
    scene.sprites.push_back(shooter_figure(SpriteKind::Hitbox, -20.0f, 270.0f));
    for (int i = 0; i < 160; ++i) {
      const float turn = 0.39f * static_cast<float>(i), out = 120.0f + 2.4f * static_cast<float>(i);
      scene.additive(out * std::cos(turn), -170.0f + out * std::sin(turn), 0.0f, 0.0f,
                     {1.0f, 0.25f, 0.5f, 0.9f, 16.0f, 2.0f, frame::ParticleShape::Glow, 0.0f});
    }
    show("shooter_boss", draw(scene.snapshot(), 1280, 720));
  }
}

}  // namespace
}  // namespace spellpool::render::test
