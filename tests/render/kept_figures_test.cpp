// Images of figures that stand still: copied, drawn anew when they change, and late by one picture at most.
#include "drawn_test.hpp"

namespace spellpool::render::test {
namespace {

class KeptFiguresOfPictures : public DrawnTest {
 protected:
  static std::unique_ptr<Renderer> make(bool may_be_late) {
    RendererOptions options;
    options.shader_dir = kShaderFolder;
    options.figures_may_be_late = may_be_late;
    std::string error;
    std::unique_ptr<Renderer> made = Renderer::create(options, error);
    EXPECT_NE(made, nullptr) << error;
    frame::LookSettings looks;
    looks.draw = frame::DrawPath::Cpu;
    looks.quality = frame::Quality::High;
    made->set_looks(looks);
    return made;
  }
  static StagedScene standing(float sway, float light) {
    StagedScene scene;
    scene.light(20.0f, 10.0f, 300.0f, light, light, 0.8f * light);
    scene.dummy(-80.0f, 30.0f, 0.0f, sway);
    scene.crystal(70.0f, 40.0f, 0.35f, 0.65f, 1.0f);
    scene.mage(0.0f, 0.0f, 0.25f, 0.8f, 0.4f, 1.0f);
    return scene;
  }
  static Picture picture(Renderer& renderer, const StagedScene& scene) {
    return draw_with(renderer, scene.snapshot(), 640, 360);
  }
};

TEST_F(KeptFiguresOfPictures, ACopyIsTheFigureBitForBit) {
  const std::unique_ptr<Renderer> renderer = make(false);
  const StagedScene scene = standing(0.2f, 1.0f);
  const Picture drawn = picture(*renderer, scene);
  EXPECT_TRUE(picture(*renderer, scene) == drawn);  // Now all are copied.
  EXPECT_TRUE(picture(*make(false), scene) == drawn);
}

TEST_F(KeptFiguresOfPictures, WithoutLatenessEachChangeIsSeenAtOnce) {
  const std::unique_ptr<Renderer> renderer = make(false);
  picture(*renderer, standing(0.2f, 1.0f));
  const StagedScene swayed = standing(0.24f, 1.02f);
  EXPECT_TRUE(picture(*renderer, swayed) == picture(*make(false), swayed));
}

TEST_F(KeptFiguresOfPictures, AFigureIsLateByOnePictureAtMost) {
  const std::unique_ptr<Renderer> renderer = make(true);
  const StagedScene before = standing(0.20f, 1.0f), after = standing(0.24f, 1.0f);
  const Picture exact = picture(*make(false), after);
  picture(*renderer, before);
  EXPECT_FALSE(picture(*renderer, after) == exact);
  EXPECT_TRUE(picture(*renderer, after) == exact);
}

TEST_F(KeptFiguresOfPictures, WhatChangesMuchIsNeverLate) {
  const std::unique_ptr<Renderer> renderer = make(true);
  picture(*renderer, standing(0.2f, 1.0f));
  const StagedScene hit = standing(0.9f, 2.0f);
  EXPECT_TRUE(picture(*renderer, hit) == picture(*make(false), hit));
}

}  // namespace
}  // namespace spellpool::render::test
