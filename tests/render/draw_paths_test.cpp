// The two ways to draw a picture, OpenGL's and the processor's, side by side: equal to the eye. And the processor's own
// promise: the same bytes from each instruction set and from any number of threads.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <limits>
#include <vector>

#include "../support/apart.hpp"
#include "counted_news.hpp"
#include "drawn_test.hpp"
#include "frame/defs/enemy_kinds.hpp"
#include "render/cpu/cpu_kernels.hpp"
#include "staged_shooter.hpp"

namespace spellpool::render::test {
namespace {

using frame::ColourVision;
using frame::DrawPath;
using frame::LookSettings;
using frame::ParticleShape;
using frame::Quality;
using frame::SpriteKind;

using spellpool::test::Apart;
Apart apart(const Picture& a, const Picture& b) { return spellpool::test::apart(a.rgb, b.rgb, a.width); }

LookSettings looks(DrawPath path, Quality quality = Quality::High, ColourVision vision = ColourVision::Common) {
  LookSettings made;
  made.draw = path;
  made.quality = quality;
  made.colour_vision = vision;
  return made;
}

struct Staged {
  const char* name;
  StagedScene scene;
};

constexpr std::array<std::array<float, 2>, 4> kChain = {
    {{-22.0f, 40.0f}, {165.0f, -95.0f}, {60.0f, -190.0f}, {-150.0f, -120.0f}}};

StagedScene with_runes(float lit) {
  StagedScene scene = quiet_scene();
  scene.base.runes_lit = lit;
  return scene;
}

/// One figure of each kind, and two more arcs and marks.
StagedScene every_figure() {
  StagedScene scene;
  scene.base.time_s = 3.3f;
  scene.light(0.0f, 0.0f, 340.0f, 0.3f, 0.26f, 0.24f);
  for (u32 kind = 0; kind <= static_cast<u32>(SpriteKind::Pillar); ++kind) {
    const float x = -420.0f + 120.0f * static_cast<float>(kind % 8), y = kind < 8 ? -150.0f : 130.0f;
    const SpriteKind id = static_cast<SpriteKind>(kind);
    if (id == SpriteKind::Arc) {
      scene.arc(x, y, x + 130.0f, y - 60.0f, 0.1f, 0.4f);
      continue;
    }
    frame::SpriteInstance& s = scene.sprite(id, x, y, 40.0f);
    s.previous_x = x - 5.0f;
    const bool has_radius = id == SpriteKind::NovaRing || id == SpriteKind::VortexCore || id == SpriteKind::Mark ||
                            id == SpriteKind::ShockRing || id == SpriteKind::Aura || id == SpriteKind::Pillar;
    s.p0 = has_radius ? 45.0f : 0.3f;
    s.p1 = s.p2 = 0.6f;
    s.g = 0.6f;
    s.b = 0.3f;
    s.angle_turns = 0.07f * static_cast<float>(kind);
  }
  return scene;
}

/// The shooter's figures at places between the pixels, some over the picture's edges.
StagedScene every_shooter_figure() {
  StagedScene scene;
  scene.base.time_s = 3.3f;
  scene.light(0.0f, 0.0f, 340.0f, 0.3f, 0.26f, 0.24f);
  std::vector<SpriteKind> kinds = {SpriteKind::Ship, SpriteKind::Hitbox};
  for (const frame::EnemyKindRow& row : frame::kEnemyKinds) kinds.push_back(figure_of(row.id));
  kinds.insert(kinds.end(), {SpriteKind::MothWing, SpriteKind::Pickup});
  for (int i = 0; i < 44; ++i) {
    const float x = -650.3f + 129.7f * static_cast<float>(i % 11), y = -355.0f + 235.4f * static_cast<float>(i / 11);
    frame::SpriteInstance s = shooter_figure(kinds[static_cast<std::size_t>(i) % kinds.size()], x, y);
    s.previous_x -= 7.0f;
    s.previous_y += 3.0f;
    s.angle_turns += 0.023f * static_cast<float>(i);
    if (s.kind == static_cast<u32>(SpriteKind::Pickup)) s.p0 = static_cast<float>(1 + i % 5);
    scene.sprites.push_back(s);
  }
  return scene;
}

/// Beams of each width at many angles, most of them through the picture from far outside it.
StagedScene beams(float far) {
  StagedScene scene;
  scene.base.time_s = 1.7f;
  for (int i = 0; i < 12; ++i) {
    const float turn = 6.2831853f * static_cast<float>(i) / 24.0f + 0.05f;
    const float aside = 55.0f * static_cast<float>(i - 6);
    const float x = std::cos(turn) * far, y = std::sin(turn) * far;
    const float width = i % 3 == 0 ? 2.0f : 9.0f * static_cast<float>(i % 4 + 1);
    add_beam(scene, aside - x, 0.5f * aside - y, aside + x, 0.5f * aside + y, width, 0.8f + 0.15f * static_cast<float>(i));
  }
  return scene;
}

StagedScene smoke_over_and_under() {
  StagedScene scene = with_runes(12.0f);
  for (int i = 0; i < 12; ++i) {
    const float turn = static_cast<float>(i) * 6.2831853f / 12.0f;
    // Over every rune, and under the figures that stand in it.
    scene.matter(300.0f * std::sin(turn), -300.0f * std::cos(turn), 2.0f, 1.0f,
                 {0.5f, 0.4f, 0.6f, 0.15f + 0.07f * static_cast<float>(i), 90.0f, 1.5f, ParticleShape::Smoke, 0.1f * static_cast<float>(i)});
  }
  scene.fog(-40.0f, 70.0f, 60.0f, 40);
  scene.fog(210.0f, 40.0f, 60.0f, 40);
  return scene;
}

std::vector<Staged> staged_scenes() {
  std::vector<Staged> all;
  const auto add = [&](const char* name, float runes, const std::function<void(StagedScene&)>& cast) {
    all.push_back({name, with_runes(runes)});
    cast(all.back().scene);
  };
  all.push_back({"nothing", StagedScene()});
  add("quiet", 0.0f, [](StagedScene&) {});
  add("fire", 5.4f, [](StagedScene& s) {
    s.fire_flight(-22.0f, 40.0f, 150.0f, -40.0f, 420);
    s.fire_burst(195.0f, -60.0f, 1100);
  });
  add("frost", 3.0f, [](StagedScene& s) { s.frost_nova(-40.0f, 70.0f, 190.0f, 1500); });
  add("vortex", 8.0f, [](StagedScene& s) { s.vortex(110.0f, -20.0f, 210.0f, 1600); });
  add("vortex at the edge", 8.0f, [](StagedScene& s) { s.vortex(-260.0f, 140.0f, 160.0f, 300); });
  add("lightning", 4.0f, [](StagedScene& s) {
    s.wisp(120.0f, 150.0f, 0.55f, 0.85f, 1.0f, 1.0f, 0.0f, 0.4f);
    s.chain(kChain, 0.06f);
  });
  add("lightning after", 4.0f, [](StagedScene& s) { s.chain(kChain, 0.45f); });
  add("meteor", 7.0f, [](StagedScene& s) { s.meteor(110.0f, 60.0f, 90.0f, 0.62f); });
  add("impact", 7.0f, [](StagedScene& s) { s.impact(110.0f, 60.0f, 150.0f, 0.8f); });
  add("shock ring", 6.0f, [](StagedScene& s) {
    s.sprite(SpriteKind::ShockRing, 60.0f, 20.0f, 10.0f).p0 = 150.0f;
    s.sprites.back().p1 = 0.8f;
    s.light(60.0f, 20.0f, 280.0f, 0.6f, 0.5f, 0.4f);
  });
  add("healing", 2.0f, [](StagedScene& s) { s.healing(-40.0f, 80.0f, 95.0f); });
  add("starfall", 9.0f, [](StagedScene& s) { s.starfall(70.0f, 10.0f, 170.0f); });
  add("fog", 5.0f, [](StagedScene& s) { s.fog(90.0f, 20.0f, 110.0f, 260); });
  all.push_back({"smoke over runes and under figures", smoke_over_and_under()});
  all.push_back({"every figure", every_figure()});
  all.push_back({"every figure of the shooter", every_shooter_figure()});
  all.push_back({"beams", beams(170.0f)});
  all.push_back({"beams from outside", beams(2'000.0f)});
  all.push_back({"beams from far outside", beams(60'000.0f)});
  for (const float far : {0.45f, 1.0f}) {
    StagedScene scene;
    scene.base.time_s = 40.0f;
    scene.finale(6'000, far);
    scene.mage(0.0f, 10.0f, 0.30f, 1.0f, 0.74f, 0.34f, 1.0f);
    all.push_back({far < 1.0f ? "finale coming" : "finale", std::move(scene)});
  }
  return all;
}

/// Few particles of one shape, each size at places that lie anywhere between the pixels.
StagedScene shapes(ParticleShape shape, bool additive, u64 seed) {
  constexpr std::array kSizes = {0.5f, 1.0f, 2.0f, 3.0f, 4.0f, 7.5f, 12.0f, 24.0f, 64.0f, 256.0f};
  StagedScene scene(seed);
  scene.light(80.0f, -40.0f, 400.0f, 0.6f, 0.5f, 0.7f);
  Rng rng(seed);
  for (std::size_t i = 0; i < kSizes.size(); ++i) {
    const int count = kSizes[i] > 100.0f ? 3 : kSizes[i] > 30.0f ? 8 : 24;
    for (int k = 0; k < count; ++k) {
      const float x = rng.range(-640, 640), y = rng.range(-360, 360);
      const float dx = rng.range(-14, 14), dy = rng.range(-14, 14);
      const float r = rng.unit(), g = rng.unit(), b = rng.unit(), a = rng.range(0.2f, 1.0f);
      const float glow = rng.range(0.5f, 3.0f), angle = rng.unit();
      const StagedScene::Look look{r, g, b, a, kSizes[i], glow, shape, angle};
      if (additive) scene.additive(x, y, dx, dy, look);
      else scene.matter(x, y, dx, dy, look);
    }
  }
  return scene;
}

/// Particles of each size on all edges and corners of a picture of 1280×720.
StagedScene edges() {
  StagedScene scene(5);
  scene.light(0.0f, 0.0f, 700.0f, 0.5f, 0.5f, 0.5f);
  int number = 0;
  for (const float size : {0.5f, 3.0f, 12.0f, 64.0f, 256.0f}) {
    for (const float across : {-1.0f, 0.0f, 1.0f}) {
      for (const float down : {-1.0f, 0.0f, 1.0f}) {
        if (across == 0.0f && down == 0.0f) continue;
        const ParticleShape shape = frame::kParticleShapes[static_cast<std::size_t>(number++) % 5].id;
        const float aside = 0.4f * size * static_cast<float>(number % 3 - 1);
        const StagedScene::Look look{0.8f, 0.6f, 0.9f, 0.7f, size, 1.25f, shape, 0.1f * static_cast<float>(number)};
        const float x = across * (640.0f + aside) + size, y = down * (360.0f + aside);
        if (number % 2 == 0) scene.matter(x, y, 6.0f, -9.0f, look);
        else scene.additive(x, y, 6.0f, -9.0f, look);
      }
    }
  }
  return scene;
}

/// Shards that lie along rows and columns, and along diagonals, with their middles on those of pixels: the line between a
/// shard's two sides goes through the pixels' middles.
StagedScene shards_on_pixels() {
  StagedScene scene;
  for (int i = 0; i < 16; ++i) {
    const float x = -500.5f + 66.0f * static_cast<float>(i);
    const StagedScene::Look look{0.5f, 0.7f, 0.9f, 0.9f, 50.0f, 1.0f, ParticleShape::Shard, static_cast<float>(i) / 16.0f};
    scene.additive(x, -100.5f, 0, 0, look);
    scene.matter(x, 100.5f, 0, 0, look);
  }
  return scene;
}

/// Marks of every look, many of them over each other, over the picture's edges and between the pixels.
std::vector<frame::DecalInstance> marks(float shown, float glow) {
  std::vector<frame::DecalInstance> all;
  Rng rng(7);
  for (u32 i = 0; i < 64; ++i) {
    const float x = rng.range(-640.0f, 640.0f), y = rng.range(-360.0f, 360.0f);
    const float radius = rng.range(8.0f, 90.0f), turn = rng.unit();
    all.push_back({x, y, radius, shown, glow, 0.4f * glow, 0.1f * glow,
                   static_cast<float>(i % (frame::kDecalKinds * frame::kDecalVariants)), turn});
  }
  return all;
}

class DrawPaths : public DrawnTest {
 protected:
  void TearDown() override {
    if (renderer_ != nullptr) renderer_->set_looks({});
  }
  struct Both {
    Picture gpu, cpu;
  };
  static Both both(Renderer& renderer, const frame::RenderSnapshot& snapshot, int width, int height, float alpha = 1.0f,
                   LookSettings with = {}) {
    Both made;
    with.draw = DrawPath::Gpu;
    renderer.set_looks(with);
    EXPECT_EQ(renderer.path(), "OpenGL");
    made.gpu = draw_with(renderer, snapshot, width, height, alpha);
    with.draw = DrawPath::Cpu;
    renderer.set_looks(with);
    EXPECT_EQ(renderer.path(), "processor");
    made.cpu = draw_with(renderer, snapshot, width, height, alpha);
    return made;
  }
  /// The limits, unless a case says why it has others.
  static void expect_alike(const std::string& name, const Both& pictures, double mean = 2.0, int worst = 16) {
    const Apart d = apart(pictures.gpu, pictures.cpu);
    if (std::getenv("SPELLPOOL_GALLERY") != nullptr) std::cout << name << ": " << d << "\n";
    EXPECT_LE(d.mean, mean) << name << ": " << d;
    EXPECT_LE(d.worst, worst) << name << ": " << d;
    if (d.mean > mean || d.worst > worst) {
      show((name + " gpu").c_str(), pictures.gpu);
      show((name + " cpu").c_str(), pictures.cpu);
    }
  }
};

TEST_F(DrawPaths, EveryStagedSceneIsTheSameToTheEye) {
  int number = 0;
  for (const Staged& one : staged_scenes()) {
    const float alpha = 0.5f * static_cast<float>(number++ % 3);
    expect_alike(one.name, both(*renderer_, one.scene.snapshot(), 1280, 720, alpha));
  }
}

TEST_F(DrawPaths, AtAnyTimeBetweenTwoSteps) {
  StagedScene scene = with_runes(6.0f);
  scene.fire_burst(120.0f, -40.0f, 800);
  scene.base.previous_camera_x = -13.3f;
  scene.base.camera_y = 7.7f;
  scene.base.shake_x = 3.1f;
  for (frame::SpriteInstance& sprite : scene.sprites) sprite.previous_x -= 9.0f;
  for (const float alpha : {0.0f, 0.5f, 1.0f}) {
    expect_alike("alpha " + std::to_string(alpha), both(*renderer_, scene.snapshot(), 1280, 720, alpha));
  }
}

TEST_F(DrawPaths, EachQualityAndColourVision) {
  for (const Staged& one : staged_scenes()) {
    const std::string name = one.name;
    if (name != "fire" && name != "vortex" && name != "finale") continue;
    for (const Quality quality : {Quality::Low, Quality::Medium}) {
      expect_alike(name + " quality " + std::to_string(static_cast<int>(quality)),
                   both(*renderer_, one.scene.snapshot(), 1280, 720, 1.0f, looks({}, quality)));
    }
    for (const ColourVision vision : {ColourVision::Protan, ColourVision::Deutan, ColourVision::Tritan}) {
      expect_alike(name + " vision " + std::to_string(static_cast<int>(vision)),
                   both(*renderer_, one.scene.snapshot(), 1280, 720, 1.0f, looks({}, Quality::High, vision)));
    }
  }
}

TEST_F(DrawPaths, EachShapeInBothLayersAtEachSize) {
  for (const auto& shape : frame::kParticleShapes) {
    for (const bool additive : {false, true}) {
      const StagedScene scene = shapes(shape.id, additive, 11 + static_cast<u64>(shape.id));
      // Without bloom, which would blur what differs.
      expect_alike(std::string(shape.name) + (additive ? " of light" : " of matter"),
                   both(*renderer_, scene.snapshot(), 1280, 720, 1.0f, looks({}, Quality::Low)));
    }
  }
}

/// Each shape and size, anywhere between the pixels, over the edges too, some of them not all there.
StagedScene bullets_of_every_size() {
  StagedScene scene;
  scene.light(80.0f, -40.0f, 400.0f, 0.6f, 0.5f, 0.7f);
  Rng rng(41);
  for (const float size : {4.0f, 7.0f, 14.0f, 20.0f, 48.0f, 96.0f}) {
    for (const auto& shape : frame::kBulletShapes) {
      for (int i = 0; i < (size > 40.0f ? 4 : 20); ++i) {
        const float x = rng.range(-650, 650), y = rng.range(-370, 370), turn = rng.unit();
        const std::array<float, 3> rim = {rng.unit(), rng.unit(), rng.unit()};
        scene.bullet(shape.id, x, y, size, turn, rim, i % 3 == 0 ? rng.unit() : 1.0f);
      }
    }
  }
  return scene;
}

TEST_F(DrawPaths, EachBulletAtEachSize) {
  const StagedScene scene = bullets_of_every_size();
  for (const auto& [width, height] : {std::pair{1280, 720}, {320, 180}, {1920, 1080}, {1366, 768}, {2560, 1440}}) {
    expect_alike("bullets " + std::to_string(width), both(*renderer_, scene.snapshot(), width, height, 0.7f));
  }
  expect_alike("bullets, deutan", both(*renderer_, scene.snapshot(), 1280, 720, 1.0f, looks({}, Quality::Low, ColourVision::Deutan)));
}

TEST_F(DrawPaths, ACurtainOfBulletsOverSparks) {
  StagedScene scene;
  scene.curtain();
  expect_alike("curtain", both(*renderer_, scene.snapshot(), 1280, 720, 0.4f));
}

StagedScene garden_at(float scrolled, u8 first) {
  StagedScene scene;
  scene.curtain();
  scene.fire_burst(-420.0f, 200.0f, 200);
  scene.garden(scrolled, first);
  scene.base.garden_step = 5.0f;
  scene.base.shake_x = 2.3f;
  return scene;
}

TEST_F(DrawPaths, TheGardenWhereverItScrolls) {
  u8 first = 0;
  for (const float scrolled : {0.0f, 0.5f, 119.7f, 239.9f, 200.3f}) {
    expect_alike("garden " + std::to_string(scrolled), both(*renderer_, garden_at(scrolled, first).snapshot(), 1280, 720, 0.3f));
    first += 3;
  }
}

TEST_F(DrawPaths, TheGardenInWindowsOfOtherShapes) {
  for (const auto& [width, height] : {std::pair{320, 180}, {1024, 768}, {1280, 800}, {1920, 1080}, {720, 1280}, {1281, 719}, {1366, 768}}) {
    expect_alike("garden " + std::to_string(width) + "x" + std::to_string(height), both(*renderer_, garden_at(77.0f, 2).snapshot(), width, height));
  }
}

TEST_F(DrawPaths, TheGardenInEachQualityAndColourVision) {
  const StagedScene scene = garden_at(50.0f, 1);
  for (const Quality quality : {Quality::Low, Quality::Medium}) {
    expect_alike("garden quality " + std::to_string(static_cast<int>(quality)), both(*renderer_, scene.snapshot(), 1280, 720, 1.0f, looks({}, quality)));
  }
  for (const ColourVision vision : {ColourVision::Protan, ColourVision::Deutan, ColourVision::Tritan}) {
    expect_alike("garden vision " + std::to_string(static_cast<int>(vision)),
                 both(*renderer_, scene.snapshot(), 1280, 720, 1.0f, looks({}, Quality::High, vision)));
  }
}

// While a window is dragged the old garden is stretched.
TEST_F(DrawPaths, AGardenThatWaitsForItsSize) {
  const StagedScene scene = garden_at(77.0f, 3);
  for (const DrawPath path : {DrawPath::Gpu, DrawPath::Cpu}) {
    renderer_->set_looks(looks(path));
    draw(scene.snapshot(), 900, 500);
  }
  const auto waiting = [&](DrawPath path) {
    draw(scene.snapshot(), 900, 500);
    renderer_->set_looks(looks(path));
    renderer_->resize(1200, 676, Settle::Later);
    bool complete = true;
    const RenderTarget target = make_target(PixelFormat::Rgba8, 1200, 676, Filter::Nearest, complete);
    renderer_->draw(scene.snapshot(), 1.0f, target.framebuffer.get());
    Picture picture{1200, 676, {}};
    glBindFramebuffer(GL_FRAMEBUFFER, target.framebuffer.get());
    EXPECT_TRUE(read_rgb(1200, 676, picture.rgb));
    return picture;
  };
  Both stretched;
  stretched.gpu = waiting(DrawPath::Gpu);
  stretched.cpu = waiting(DrawPath::Cpu);
  expect_alike("garden stretched", stretched);
  EXPECT_FALSE(stretched.cpu == draw(scene.snapshot(), 1200, 676)) << "it was not yet baked";
}

// Whatever burns beneath: nothing outshines the line, nothing dims the core.
TEST_F(DrawPaths, ABulletOverAWhiteHotGlowHasItsDarkLineAndWhiteCore) {
  for (const DrawPath path : {DrawPath::Gpu, DrawPath::Cpu}) {
    renderer_->set_looks(looks(path));
    StagedScene scene;
    for (int i = 0; i < 60; ++i) scene.additive(0.5f, 0.5f, 0, 0, {1, 1, 1, 1, 400.0f, 7.75f, ParticleShape::Glow, 0});
    for (const auto& shape : frame::kBulletShapes) {
      scene.bullets.clear();
      const Picture bare = draw(scene.snapshot(), 1280, 720);
      EXPECT_GT(bare.luma(640, 360), 0.9f) << "white-hot";
      scene.bullet(shape.id, 0.5f, 0.5f, 20.0f, 0.25f, {1.0f, 0.1f, 0.3f});
      const Picture picture = draw(scene.snapshot(), 1280, 720);
      const int radius = shape.id == frame::BulletShape::Needle ? 7 : 10;  // Across its axis.
      const bool hollow = shape.id == frame::BulletShape::Bubble;
      float darkest = 1.0f, brightest = 0.0f, reddest = 0.0f;
      for (int x = 640; x <= 640 + radius; ++x) {
        const float luma = picture.luma(x, 360);
        darkest = std::min(darkest, luma);
        brightest = std::max(brightest, luma);
        const std::size_t at = static_cast<std::size_t>(360 * 1280 + x) * 3;
        reddest = std::max(reddest, static_cast<float>(picture.rgb[at] - picture.rgb[at + 1]) / 255.0f);
      }
      EXPECT_LT(darkest, 0.25f) << shape.name << ": the line";
      EXPECT_GT(brightest, hollow ? 0.85f : 0.99f) << shape.name << ": the core";
      EXPECT_GT(reddest, 0.4f) << shape.name << ": the rim";
      if (hollow) {
        EXPECT_LT(picture.luma(640, 360), 0.7f) << "dimmed within";
        EXPECT_GT(picture.luma(640, 360), 0.3f) << "but seen";
      }
    }
  }
}

TEST_F(DrawPaths, ALaterBulletCoversAnEarlierOne) {
  for (const DrawPath path : {DrawPath::Gpu, DrawPath::Cpu}) {
    renderer_->set_looks(looks(path));
    StagedScene scene;
    const auto red_minus_blue = [&](float first, float second) {
      scene.bullets.clear();
      scene.bullet(frame::BulletShape::Orb, 0.0f, 0.0f, 40.0f, 0, {first, 0.0f, 1.0f - first});
      scene.bullet(frame::BulletShape::Orb, 4.0f, 0.0f, 40.0f, 0, {second, 0.0f, 1.0f - second});
      const Picture picture = draw(scene.snapshot(), 1280, 720);
      const std::size_t at = static_cast<std::size_t>(360 * 1280 + 640 + 18) * 3;  // Where both have their rim.
      return int{picture.rgb[at]} - int{picture.rgb[at + 2]};
    };
    EXPECT_GT(red_minus_blue(0.0f, 1.0f), 100);
    EXPECT_LT(red_minus_blue(1.0f, 0.0f), -100);
  }
}

// It comes with a flash that shrinks, out of nothing.
TEST_F(DrawPaths, ABulletFadesInWithAFlare) {
  for (const DrawPath path : {DrawPath::Gpu, DrawPath::Cpu}) {
    renderer_->set_looks(looks(path));
    StagedScene scene;
    const Picture empty = draw(scene.snapshot(), 1280, 720);
    const auto lit_at = [&](float there, int aside) {
      scene.bullets.clear();
      scene.bullet(frame::BulletShape::Orb, 0.0f, 0.0f, 20.0f, 0, {0.2f, 1.0f, 0.2f}, there);
      return draw(scene.snapshot(), 1280, 720).luma(640 + aside, 360) - empty.luma(640 + aside, 360);
    };
    EXPECT_EQ(lit_at(0.0f, 0), 0.0f) << "nothing is there yet";
    EXPECT_GT(lit_at(0.3f, 13), 0.03f) << "beyond its own size";
    EXPECT_EQ(lit_at(1.0f, 13), 0.0f) << "all there";
    EXPECT_GT(lit_at(0.3f, 18), lit_at(0.7f, 18)) << "it shrinks";
    EXPECT_GT(lit_at(1.0f, 0), lit_at(0.3f, 0));
  }
}

// A ring is born in one place, and must not be a white disc there.
TEST_F(DrawPaths, ThirtyFlaresInOnePlaceKeepTheirColour) {
  for (const DrawPath path : {DrawPath::Gpu, DrawPath::Cpu}) {
    renderer_->set_looks(looks(path));
    StagedScene scene;
    for (int i = 0; i < 30; ++i) scene.bullet(frame::BulletShape::Orb, 0.0f, 0.0f, 20.0f, 0, {0.1f, 1.0f, 0.1f}, 0.3f);
    const Picture picture = draw(scene.snapshot(), 1280, 720);
    for (const int aside : {12, 15}) {
      const std::size_t at = 3 * (360 * 1280 + 640 + static_cast<std::size_t>(aside));
      EXPECT_GT(picture.rgb[at + 1], picture.rgb[at] + 60) << aside;
      EXPECT_GT(picture.rgb[at + 1], picture.rgb[at + 2] + 60) << aside;
    }
  }
}

TEST_F(DrawPaths, MarksOnTheFloorWhereverTheyLie) {
  StagedScene scene = with_runes(9.0f);
  scene.light(80.0f, -40.0f, 500.0f, 0.9f, 0.8f, 0.7f);
  for (const float glow : {0.0f, 1.5f}) {
    const std::vector<frame::DecalInstance> all = marks(glow > 0.0f ? 0.6f : 1.0f, glow);
    frame::RenderSnapshot snapshot = scene.snapshot();
    snapshot.decals = all;
    for (const Quality quality : {Quality::High, Quality::Low}) {
      expect_alike("marks", both(*renderer_, snapshot, 1280, 720, 0.5f, looks(DrawPath::Auto, quality)));
    }
    expect_alike("marks in an odd window", both(*renderer_, snapshot, 957, 541));
    snapshot.vortex_strength = 1.0f;
    expect_alike("marks and a vortex", both(*renderer_, snapshot, 960, 540));
  }
}

TEST_F(DrawPaths, MarksOnTheFloorLieBeneathAllElse) {
  StagedScene scene = quiet_scene();
  scene.light(0.0f, 0.0f, 500.0f, 0.9f, 0.8f, 0.7f);
  const frame::RenderSnapshot plain = scene.snapshot();
  frame::RenderSnapshot marked = plain;
  const std::array under_all = {frame::DecalInstance{-205.0f, 25.0f, 60.0f, 1.0f, 0, 0, 0, 0, 0.2f},
                                frame::DecalInstance{100.0f, 150.0f, 60.0f, 1.0f, 0, 0, 0, 0, 0.2f}};
  marked.decals = under_all;
  const Both without = both(*renderer_, plain, 1280, 720), with = both(*renderer_, marked, 1280, 720);
  const auto grey = [](const Picture& picture, int x, int y) {
    const std::size_t at = static_cast<std::size_t>(y * picture.width + x) * 3;
    return picture.rgb[at] + picture.rgb[at + 1] + picture.rgb[at + 2];
  };
  for (const auto& [before, after] : {std::pair{&without.gpu, &with.gpu}, std::pair{&without.cpu, &with.cpu}}) {
    EXPECT_LT(grey(*after, 640 + 100, 360 + 150), grey(*before, 640 + 100, 360 + 150) / 2) << "bare stone is dark";
    EXPECT_NEAR(grey(*after, 640 - 205, 360 + 25 - 22), grey(*before, 640 - 205, 360 + 25 - 22), 6)
        << "the dummy that stands on one is not";
    EXPECT_EQ(grey(*after, 640 + 300, 360 - 200), grey(*before, 640 + 300, 360 - 200)) << "elsewhere all is as it was";
  }
}

TEST_F(DrawPaths, MarksThatCannotBeDrawnAreLeftOut) {
  const float bad = std::numeric_limits<float>::quiet_NaN();
  const std::array wrong = {frame::DecalInstance{bad, 0, 40, 1, 1, 1, 1, 0, 0}, frame::DecalInstance{0, 0, -1, 1, 1, 1, 1, 0, 0},
                            frame::DecalInstance{0, 0, 40, 1, 1, 1, 1, 8, 0},   frame::DecalInstance{0, 0, 40, 1, bad, 1, 1, 0, 0},
                            frame::DecalInstance{1e9f, 0, 40, 1, 1, 1, 1, 0, 0}, frame::DecalInstance{0, 0, 40, 0, 1, 1, 1, 0, 0}};
  StagedScene scene = quiet_scene();
  frame::RenderSnapshot snapshot = scene.snapshot();
  const Both plain = both(*renderer_, snapshot, 640, 360);
  snapshot.decals = wrong;
  const Both same = both(*renderer_, snapshot, 640, 360);
  EXPECT_EQ(apart(plain.gpu, same.gpu).worst, 0);
  EXPECT_EQ(apart(plain.cpu, same.cpu).worst, 0);
}

TEST_F(DrawPaths, OnEdgesAndCorners) { expect_alike("edges", both(*renderer_, edges().snapshot(), 1280, 720)); }

TEST_F(DrawPaths, TheEdgeOfAShardThroughPixelMiddles) {
  expect_alike("shards on pixels", both(*renderer_, shards_on_pixels().snapshot(), 1280, 720));
}

TEST_F(DrawPaths, APictureDoesNotDependOnTheLastOne) {
  const StagedScene flat = with_runes(8.0f);
  StagedScene bent = flat;
  bent.vortex(110.0f, -20.0f, 210.0f, 100);
  for (const DrawPath path : {DrawPath::Gpu, DrawPath::Cpu}) {
    renderer_->set_looks(looks(path));
    const auto picture = [&](const StagedScene& scene) { return draw(scene.snapshot(), 640, 360); };
    const Picture first_flat = picture(flat), first_bent = picture(bent);
    for (const DrawPath between : {DrawPath::Gpu, DrawPath::Cpu}) {
      for (const StagedScene* last : std::array<const StagedScene*, 2>{&flat, &bent}) {
        for (const StagedScene* now : std::array<const StagedScene*, 2>{&flat, &bent}) {
          renderer_->set_looks(looks(between));
          picture(*last);
          renderer_->set_looks(looks(path));
          EXPECT_TRUE(picture(*now) == (now == &flat ? first_flat : first_bent))
              << (now == &flat ? "flat" : "bent") << " after " << (last == &flat ? "flat" : "bent");
        }
      }
    }
  }
}

TEST_F(DrawPaths, AHundredThousandGlows) {
  StagedScene scene(9);
  Rng rng(77);
  for (int i = 0; i < 100'000; ++i) {
    const float x = rng.range(-640, 640), y = rng.range(-360, 360), size = rng.range(2, 12);
    const float r = rng.unit(), g = rng.unit(), b = rng.unit(), a = rng.range(0.05f, 0.4f);
    scene.additive(x, y, 0, 0, {r, g, b, a, size, 1.0f, ParticleShape::Glow, 0});
  }
  expect_alike("100,000 glows", both(*renderer_, scene.snapshot(), 1280, 720));
}

StagedScene fire_and_fog() {
  StagedScene scene = with_runes(7.0f);
  scene.fire_burst(120.0f, -40.0f, 500);
  scene.fog(-90.0f, 60.0f, 90.0f, 60);
  return scene;
}

TEST_F(DrawPaths, WindowsOfOtherShapes) {
  const StagedScene scene = fire_and_fog();
  for (const auto& [width, height] : {std::pair{320, 180}, {1024, 768}, {1680, 720}, {1920, 1080}}) {
    expect_alike(std::to_string(width) + "x" + std::to_string(height), both(*renderer_, scene.snapshot(), width, height));
  }
}

TEST_F(DrawPaths, AVortexInWindowsOfOtherShapes) {
  StagedScene scene = quiet_scene();
  scene.vortex(-200.0f, -100.0f, 120.0f, 200);
  for (const auto& [width, height] : {std::pair{320, 180}, {1024, 768}, {1680, 720}, {1920, 1080}}) {
    expect_alike("vortex " + std::to_string(width) + "x" + std::to_string(height), both(*renderer_, scene.snapshot(), width, height));
  }
}

StagedScene fire_in_every_corner() {
  StagedScene scene = fire_and_fog();
  for (const float x : {-630.0f, 630.0f}) {
    for (const float y : {-352.0f, 352.0f}) scene.fire_burst(x, y, 200);
  }
  return scene;
}

// Where a side is no multiple of a small texel's 4 or 8 pixels, or of a texel of the bloom's wider levels, the last one
// reaches over the edge.
TEST_F(DrawPaths, WindowsWithPixelsLeftOver) {
  const StagedScene scene = fire_in_every_corner();
  for (const Quality quality : {Quality::High, Quality::Medium, Quality::Low}) {
    for (const auto& [width, height] : {std::pair{1281, 719}, {1366, 768}, {1366, 767}, {641, 359}, {1023, 577}}) {
      expect_alike(std::to_string(width) + "x" + std::to_string(height) + " quality " + std::to_string(static_cast<int>(quality)),
                   both(*renderer_, scene.snapshot(), width, height, 1.0f, looks({}, quality)));
    }
  }
}

// Nor does what lies within such a texel, but outside the picture, shine into it.
TEST_F(DrawPaths, NothingOutsideShinesIn) {
  constexpr int kWidth = 641, kHeight = 361;
  constexpr float kUnit = 720.0f / kHeight;
  StagedScene scene;
  for (int i = 0; i < 1'440; ++i) {
    const float along = 0.25f * static_cast<float>(i) * kUnit;
    const StagedScene::Look look{1.0f, 0.8f, 0.3f, 1.0f, 2.0f * kUnit, 7.75f, ParticleShape::Glow, 0};
    // Their middles are 1.5 pixels beyond the edge, so that the picture has nothing of them.
    scene.additive((0.5f * kWidth + 1.5f) * kUnit, along - 360.0f, 0, 0, look);
    scene.additive(along, (0.5f * kHeight + 1.5f) * kUnit, 0, 0, look);
  }
  for (const Quality quality : {Quality::High, Quality::Medium}) {
    expect_alike("outside, quality " + std::to_string(static_cast<int>(quality)), both(*renderer_, scene.snapshot(), kWidth, kHeight, 1.0f, looks({}, quality)), 2.0, 6);
  }
}

// The processor's vignette is straight within a tile: in a picture of a tile or two that is a few steps too dark.
TEST_F(DrawPaths, PicturesSmallerThanAnyWindow) {
  const StagedScene scene = fire_and_fog();
  for (const Quality quality : {Quality::High, Quality::Medium, Quality::Low}) {
    for (const auto& [width, height] : {std::pair{63, 65}, {130, 66}, {31, 7}, {7, 31}, {3, 200}, {1, 1}}) {
      expect_alike(std::to_string(width) + "x" + std::to_string(height) + " quality " + std::to_string(static_cast<int>(quality)),
                   both(*renderer_, scene.snapshot(), width, height, 1.0f, looks({}, quality)), 16.0, 48);
    }
  }
}

// Stars and motes alone: far from the arena there is nothing else.
TEST_F(DrawPaths, AgreeOnEveryStar) {
  for (const float time_s : {0.0f, 17.0f, 3000.0f}) {
    StagedScene scene;
    scene.base.time_s = time_s;
    scene.base.camera_x = scene.base.previous_camera_x = 1500.0f;
    const Both sky = both(*renderer_, scene.snapshot(), 1280, 720);
    int stars = 0;
    for (std::size_t i = 0; i < sky.cpu.rgb.size(); i += 3) stars += sky.cpu.rgb[i] > 60 ? 1 : 0;
    EXPECT_GT(stars, 40) << "there are stars to agree on";
    expect_alike("stars at " + std::to_string(time_s), sky, 0.5, 3);
  }
}

// There OpenGL's finest small textures have texels of 2 pixels, the processor's of 4: bloom and light are a little softer.
TEST_F(DrawPaths, OnARendererThatTakesItselfForHardware) {
  RendererOptions options;
  options.software = false;
  std::string error;
  const auto renderer = Renderer::create(options, error);
  ASSERT_NE(renderer, nullptr) << error;
  EXPECT_EQ(renderer->path(), "OpenGL") << "which Auto leaves to OpenGL";
  StagedScene scene = with_runes(6.0f);
  scene.fire_burst(120.0f, -40.0f, 500);
  for (const Quality quality : {Quality::High, Quality::Medium, Quality::Low}) {
    expect_alike("hardware, quality " + std::to_string(static_cast<int>(quality)),
                 both(*renderer, scene.snapshot(), 1280, 720, 1.0f, looks({}, quality)), 2.0, quality == Quality::High ? 24 : 16);
  }
}

/// All that a picture can hold, some of it absurd.
StagedScene everything() {
  StagedScene scene = smoke_over_and_under();
  scene.vortex(-150.0f, 60.0f, 120.0f, 300);
  scene.finale(1500, 0.7f);
  scene.fire_burst(120.0f, -40.0f, 500);
  scene.light(0.0f, 100.0f, 60.0f, 3e5f, 1e4f, 2e3f);  // More than a half float can tell.
  scene.curtain();
  scene.decals = marks(0.8f, 0.7f);
  return scene;
}

TEST_F(DrawPaths, BytesDependNeitherOnThreadsNorOnTheInstructionSet) {
  const StagedScene scene = everything(), garden = garden_at(33.0f, 4);
  const std::array looks_of = {looks(DrawPath::Cpu), looks(DrawPath::Cpu, Quality::Low, ColourVision::Tritan), looks(DrawPath::Cpu, Quality::Medium)};
  std::array<Picture, 2 * looks_of.size()> expected;
  for (const CpuKernels* row : cpu_kernels()) {
    for (const int threads : {1, 2, 3, 8}) {
      RendererOptions options;
      options.kernels = row;
      options.threads = threads;
      std::string error;
      const auto renderer = Renderer::create(options, error);
      ASSERT_NE(renderer, nullptr) << error;
      EXPECT_EQ(renderer->kernels(), row->name);
      for (std::size_t i = 0; i < expected.size(); ++i) {
        renderer->set_looks(looks_of[i % looks_of.size()]);
        const Picture made = draw_with(*renderer, (i < looks_of.size() ? scene : garden).snapshot(), 427, 240, 0.7f);
        if (expected[i].rgb.empty()) expected[i] = made;
        ASSERT_TRUE(made == expected[i]) << row->name << ", " << threads << " threads, look " << i << ": " << apart(expected[i], made);
      }
    }
  }
}

TEST_F(DrawPaths, BackAndForthIsTheSamePictureAgain) {
  const StagedScene scene = with_runes(6.0f), other = everything();
  const std::array steps = {looks(DrawPath::Cpu), looks(DrawPath::Gpu), looks(DrawPath::Cpu, Quality::Low), looks(DrawPath::Gpu, Quality::Medium),
                            looks(DrawPath::Cpu, Quality::Medium, ColourVision::Deutan)};
  std::array<Picture, steps.size()> first;
  for (const std::size_t i : {0, 1, 2, 3, 4, 0, 2, 4, 1, 3, 4, 0}) {
    renderer_->set_looks(steps[i]);
    const Picture made = draw(scene.snapshot(), 480, 270);
    if (first[i].rgb.empty()) first[i] = made;
    EXPECT_TRUE(made == first[i]) << "step " << i << ": " << apart(first[i], made);
    draw(other.snapshot(), i % 2 == 0 ? 200 : 480, i % 2 == 0 ? 333 : 270, 0.4f);
  }
}

TEST_F(DrawPaths, AutoIsTheProcessorOnASoftwareRenderer) {
  renderer_->set_looks(looks(DrawPath::Auto));
  EXPECT_EQ(renderer_->path(), renderer_->software() ? "processor" : "OpenGL");
  const StagedScene scene = with_runes(3.0f);
  draw(scene.snapshot(), 320, 180);
  renderer_->set_looks(looks(DrawPath::Cpu));
  draw(scene.snapshot(), 320, 180);
  EXPECT_GT(renderer_->times().paint_ms, 0.0f);
  EXPECT_EQ(renderer_->post_ms(), renderer_->times().post_ms);
  renderer_->set_looks(looks(DrawPath::Gpu));
  draw(scene.snapshot(), 320, 180);
  EXPECT_EQ(renderer_->times().paint_ms, 0.0f);
}

TEST_F(DrawPaths, TheProcessorCallsNoNewInASteadyPicture) {
  if (!kNewsAreCounted) GTEST_SKIP() << "skipped: a sanitizer owns operator new";
  const StagedScene scene = everything(), garden = garden_at(33.0f, 4);
  const std::array snapshots = {scene.snapshot(), garden.snapshot()};
  bool complete = true;
  const RenderTarget target = make_target(PixelFormat::Rgba8, 427, 240, Filter::Nearest, complete);
  RendererOptions options;
  options.threads = 3;
  std::string error;
  const auto renderer = Renderer::create(options, error);
  ASSERT_NE(renderer, nullptr) << error;
  renderer->resize(427, 240);
  renderer->reserve(20'000, 1'000);
  renderer->set_looks(looks(DrawPath::Cpu));
  for (int i = 0; i < 10; ++i) renderer->draw(snapshots[static_cast<std::size_t>(i) % 2], 0.1f * static_cast<float>(i), target.framebuffer.get());
  glFinish();
  const unsigned long before = counted_news();
  for (int i = 0; i < 20; ++i) renderer->draw(snapshots[static_cast<std::size_t>(i) % 2], 0.05f * static_cast<float>(i), target.framebuffer.get());
  glFinish();
  EXPECT_EQ(counted_news() - before, 0u);
}

TEST_F(DrawPaths, TheProcessorCallsNoNewWhenLooksChangeAfterWarmUp) {
  if (!kNewsAreCounted) GTEST_SKIP() << "skipped: a sanitizer owns operator new";
  const StagedScene scene = with_runes(5.0f);
  const frame::RenderSnapshot snapshot = scene.snapshot();
  bool complete = true;
  const RenderTarget target = make_target(PixelFormat::Rgba8, 427, 240, Filter::Nearest, complete);
  renderer_->resize(427, 240);
  renderer_->set_looks(looks(DrawPath::Cpu));
  renderer_->warm_up(target.framebuffer.get());
  const unsigned long before = counted_news();
  for (const Quality quality : {Quality::Low, Quality::High, Quality::Medium, Quality::Low, Quality::High}) {
    for (const ColourVision vision : {ColourVision::Common, ColourVision::Protan}) {
      renderer_->set_looks(looks(DrawPath::Cpu, quality, vision));
      renderer_->draw(snapshot, 1.0f, target.framebuffer.get());
    }
  }
  glFinish();
  EXPECT_EQ(counted_news() - before, 0u);
}

TEST_F(DrawPaths, AResolutionThatWasUsedBeforeMakesOnlyWhatTheGroundIsFittedThrough) {
  if (!kNewsAreCounted) GTEST_SKIP() << "skipped: a sanitizer owns operator new";
  const StagedScene arena = with_runes(5.0f), garden = garden_at(33.0f, 4);
  bool complete = true;
  const RenderTarget target = make_target(PixelFormat::Rgba8, 854, 480, Filter::Nearest, complete);
  const auto news_at = [&](frame::Resolution resolution) {
    LookSettings wanted = looks(DrawPath::Cpu);
    wanted.resolution = resolution;
    const unsigned long before = counted_news();
    renderer_->set_looks(wanted);
    renderer_->draw(arena.snapshot(), 1.0f, target.framebuffer.get());
    renderer_->draw(garden.snapshot(), 1.0f, target.framebuffer.get());
    glFinish();
    return counted_news() - before;
  };
  renderer_->resize(854, 480);
  renderer_->set_looks(looks(DrawPath::Cpu));
  renderer_->warm_up(target.framebuffer.get());
  using enum frame::Resolution;
  for (const frame::Resolution resolution : {Full, ThreeQuarters, Half, Full}) (void)news_at(resolution);
  for (int i = 0; i < 2 * frame::kGardenVariants; ++i) (void)news_at(Full);  // until all of the garden is baked
  for (const frame::Resolution resolution : {Half, ThreeQuarters, Half}) {
    EXPECT_LE(news_at(resolution), 4u) << "columns of two fits, memory to fit the floor to and to read the garden through";
    EXPECT_EQ(news_at(Full), 0u);
  }
}

// A driver compiles at a figure's first use. Without the warm-up the frame in which an enemy first appears is long, and has some
// 200 allocations.
TEST_F(DrawPaths, TheProcessorCallsNoNewForTheFirstFigureOfAKindAfterWarmUp) {
  if (!kNewsAreCounted) GTEST_SKIP() << "skipped: a sanitizer owns operator new";
  RendererOptions options;
  options.figures_may_be_late = true;  // as in a window
  std::string error;
  const auto renderer = Renderer::create(options, error);
  ASSERT_NE(renderer, nullptr) << error;
  bool complete = true;
  const RenderTarget target = make_target(PixelFormat::Rgba8, 854, 480, Filter::Nearest, complete);
  renderer->resize(854, 480);
  renderer->set_looks(looks(DrawPath::Cpu));
  renderer->draw({}, 1.0f, target.framebuffer.get());  // a game shows one before it warms up
  EXPECT_TRUE(renderer->ready_shooter());
  EXPECT_FALSE(renderer->ready_shooter()) << "they are there";
  renderer->warm_up(target.framebuffer.get());
  for (u32 kind = 0; kind < frame::kSpriteKindCount; ++kind) {
    frame::SpriteInstance sprite{};
    sprite.kind = kind;
    sprite.size = sprite.p0 = 40.0f;
    sprite.p1 = sprite.p2 = 0.5f;
    frame::RenderSnapshot snapshot;
    snapshot.sprites = std::span(&sprite, 1);
    const unsigned long before = counted_news();
    for (int picture = 0; picture < 3; ++picture) {
      renderer->draw(snapshot, 1.0f, target.framebuffer.get());
      sprite.x = sprite.previous_x += 1.5f;
    }
    glFinish();
    EXPECT_EQ(counted_news() - before, 0u) << "kind " << kind;
  }
}

}  // namespace
}  // namespace spellpool::render::test
