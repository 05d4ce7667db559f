// SPELLPOOL_GALLERY=DIR writes staged pictures there as PNG, to be looked at: each spell at its best moment.
#include <array>
#include <tuple>

#include "drawn_test.hpp"

namespace spellpool::render::test {
namespace {

class RenderPictures : public DrawnTest {};

TEST_F(RenderPictures, Pictures) {
  if (std::getenv("SPELLPOOL_GALLERY") == nullptr) GTEST_SKIP() << "skipped: SPELLPOOL_GALLERY=DIR writes them";
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
    for (int i = 0; i < 8; ++i)
      scene.mage(-210.0f + 60.0f * static_cast<float>(i), -60.0f, static_cast<float>(i) / 8.0f, 1.0f, 0.4f, 0.1f,
                 i % 2 == 1 ? 1.0f : 0.0f);
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
  const auto both = [&](const char* name, const StagedScene& scene) {
    show(name, draw(scene.snapshot(), 1280, 720));
    show((std::string(name) + "_2560").c_str(), draw(scene.snapshot(), 2560, 1440));
  };
  {
    StagedScene scene = quiet_scene();
    scene.base.runes_lit = 4.0f;
    scene.wisp(120.0f, 150.0f, 0.55f, 0.85f, 1.0f, 1.0f, 0.0f, 0.4f);
    constexpr std::array<std::array<float, 2>, 4> kPlaces = {
        {{-22.0f, 40.0f}, {165.0f, -95.0f}, {60.0f, -190.0f}, {-150.0f, -120.0f}}};
    scene.chain(kPlaces, 0.06f);
    both("lightning", scene);
  }
  {
    StagedScene scene = quiet_scene();
    scene.base.runes_lit = 4.0f;
    constexpr std::array<std::array<float, 2>, 4> kPlaces = {
        {{-22.0f, 40.0f}, {165.0f, -95.0f}, {60.0f, -190.0f}, {-150.0f, -120.0f}}};
    scene.chain(kPlaces, 0.45f);
    both("lightning_after", scene);
  }
  {
    StagedScene scene = quiet_scene();
    scene.base.runes_lit = 7.0f;
    scene.meteor(110.0f, 60.0f, 90.0f, 0.62f);
    both("meteor", scene);
  }
  {
    StagedScene scene = quiet_scene();
    scene.base.runes_lit = 7.0f;
    scene.impact(110.0f, 60.0f, 150.0f, 0.8f);
    both("impact", scene);
  }
  {
    StagedScene scene = quiet_scene();
    scene.base.runes_lit = 6.0f;
    scene.sprite(frame::SpriteKind::ShockRing, 60.0f, 20.0f, 10.0f).p0 = 150.0f;
    scene.sprites.back().p1 = 0.8f;
    scene.light(60.0f, 20.0f, 280.0f, 0.6f, 0.5f, 0.4f);
    both("shock_ring", scene);
  }
  {
    StagedScene scene = quiet_scene();
    scene.base.runes_lit = 2.0f;
    scene.healing(-40.0f, 80.0f, 95.0f);
    both("healing", scene);
  }
  {
    StagedScene scene = quiet_scene();
    scene.base.runes_lit = 9.0f;
    scene.starfall(70.0f, 10.0f, 170.0f);
    both("starfall", scene);
  }
  {
    StagedScene scene = quiet_scene();
    scene.base.runes_lit = 5.0f;
    scene.fog(90.0f, 20.0f, 110.0f, 260);
    both("fog", scene);
  }
  {
    StagedScene scene;
    scene.base.time_s = 40.0f;
    scene.finale(20'000);
    scene.mage(0.0f, 10.0f, 0.30f, 1.0f, 0.74f, 0.34f, 1.0f);
    both("finale_wheel", scene);
    frame::LookSettings looks;
    looks.quality = frame::Quality::Low;
    renderer_->set_looks(looks);
    show("finale_low", draw(scene.snapshot(), 1280, 720));
    looks.quality = frame::Quality::Medium;
    renderer_->set_looks(looks);
    show("finale_medium", draw(scene.snapshot(), 1280, 720));
    looks = {};
    looks.colour_vision = frame::ColourVision::Deutan;
    renderer_->set_looks(looks);
    show("finale_deutan", draw(scene.snapshot(), 1280, 720));
    renderer_->set_looks({});
    scene.base.finale = 0.45f;
    show("finale_coming", draw(scene.snapshot(), 1280, 720));
    scene.base.finale = 1.0f;
    scene.additive_particles.clear();
    both("finale_bare", scene);
  }
  // Figures close up: a window that shows them four times as large is what 4K does.
  {
    StagedScene scene;
    scene.base.time_s = 3.3f;
    scene.light(0.0f, 0.0f, 340.0f, 0.16f, 0.14f, 0.13f);
    for (int i = 0; i < 5; ++i)
      scene.wisp(-220.0f + 50.0f * static_cast<float>(i), -200.0f, i % 2 == 0 ? 0.5f : 1.0f, 0.85f,
                 i % 2 == 0 ? 1.0f : 0.5f, i == 3 ? 0.4f : 1.0f, i == 2 ? 1.0f : 0.0f, 0.21f * static_cast<float>(i));
    for (int i = 0; i < 4; ++i) {
      frame::SpriteInstance& s =
          scene.sprite(frame::SpriteKind::Reticle, 40.0f + 55.0f * static_cast<float>(i), -200.0f, 30.0f);
      s.p1 = static_cast<float>(i) / 3.0f;
      s.p2 = i == 3 ? 1.0f : 0.0f;
      s.g = 0.5f;
      s.b = 0.2f;
    }
    for (int i = 0; i < 4; ++i)
      scene.arc(-230.0f, -130.0f + 30.0f * static_cast<float>(i), -40.0f, -140.0f + 34.0f * static_cast<float>(i),
                0.02f + 0.22f * static_cast<float>(i), 0.17f * static_cast<float>(i));
    for (int i = 0; i < 4; ++i) {
      frame::SpriteInstance& s =
          scene.sprite(frame::SpriteKind::Meteor, 30.0f + 60.0f * static_cast<float>(i), -110.0f, 40.0f);
      s.angle_turns = 0.05f + 0.14f * static_cast<float>(i);
      s.p0 = 1.0f - 0.33f * static_cast<float>(i);
      s.g = 0.36f;
      s.b = 0.08f;
    }
    for (int i = 0; i < 4; ++i) {
      frame::SpriteInstance& s =
          scene.sprite(frame::SpriteKind::Star, -210.0f + 55.0f * static_cast<float>(i), 20.0f, 26.0f);
      s.angle_turns = 0.20f + 0.06f * static_cast<float>(i);
      s.p0 = 0.25f * static_cast<float>(i);
      s.r = 0.7f;
      s.g = 0.8f;
    }
    for (int i = 0; i < 4; ++i) {
      frame::SpriteInstance& s = scene.sprite(frame::SpriteKind::Seeker, 40.0f + 45.0f * static_cast<float>(i), -20.0f,
                                              14.0f + 2.0f * static_cast<float>(i));
      s.angle_turns = 0.11f * static_cast<float>(i);
      s.g = 0.76f;
      s.b = 0.3f;
    }
    for (int i = 0; i < 3; ++i) {
      frame::SpriteInstance& s =
          scene.sprite(frame::SpriteKind::Mark, -190.0f + 130.0f * static_cast<float>(i), 110.0f, 10.0f);
      s.p0 = 55.0f;
      s.p1 = 0.08f + 0.42f * static_cast<float>(i);
      s.p2 = 1.0f;
      s.g = 0.28f;
      s.b = 0.07f;
    }
    frame::SpriteInstance& aura = scene.sprite(frame::SpriteKind::Aura, 190.0f, 110.0f, 10.0f);
    aura.p0 = 62.0f;
    aura.p1 = 1.0f;
    aura.g = 0.74f;
    aura.b = 0.26f;
    for (int i = 0; i < 4; ++i) {
      frame::SpriteInstance& s =
          scene.sprite(frame::SpriteKind::Pillar, -120.0f + 60.0f * static_cast<float>(i), 300.0f, 22.0f);
      s.p0 = 130.0f;
      s.p1 = 0.25f + 0.25f * static_cast<float>(i);
      s.g = 0.66f;
      s.b = 0.26f;
    }
    show("spell_figures", draw(scene.snapshot(), 2560, 2160));
  }
}

TEST_F(RenderPictures, Bullets) {
  if (std::getenv("SPELLPOOL_GALLERY") == nullptr) GTEST_SKIP() << "skipped: SPELLPOOL_GALLERY=DIR writes them";
  StagedScene scene;
  scene.curtain();
  for (const auto& [name, width, height] : {std::tuple{"", 1280, 720}, {"_1080", 1920, 1080}}) {
    scene.chunks.clear();
    show((std::string("bullets") + name).c_str(), draw(scene.snapshot(), width, height));
    scene.garden(100.0f);
    show((std::string("bullets_garden") + name).c_str(), draw(scene.snapshot(), width, height));
    StagedScene bare;
    for (u8 first : {u8{0}, u8{1}, u8{2}}) {
      bare.garden(0.0f, first);
      bare.lights.clear();
      if (first == 2) bare.light(-80.0f, 60.0f, 300.0f, 0.8f, 0.6f, 0.4f);
      show((std::string("garden") + static_cast<char>('0' + first) + name).c_str(), draw(bare.snapshot(), width, height));
    }
  }
}

}  // namespace
}  // namespace spellpool::render::test
