// The shooter's ground: how its pieces lie, that they fit each other, and that both ways to draw show the same.
#include "render/garden.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "drawn_test.hpp"

namespace spellpool::render::test {
namespace {

using frame::DrawPath;
using frame::GardenChunk;
using frame::kGardenChunk;

View view_of_size(int width, int height) {
  View view;
  view.width_px = static_cast<float>(width);
  view.height_px = static_cast<float>(height);
  return view;
}

TEST(GardenBands, CoverThePictureWithoutGaps) {
  GardenBands room;
  for (const auto& [width, height] : {std::pair{1280, 720}, {1920, 1080}, {1280, 800}, {320, 180}, {7, 3}, {1, 1}, {2560, 1440}}) {
    for (float scrolled = 0.0f; scrolled < 2.0f * kGardenChunk; scrolled += 7.3f) {
      StagedScene scene;
      scene.garden(scrolled, static_cast<u8>(scrolled));
      scene.base.garden_step = 3.7f;
      for (const float alpha : {0.0f, 0.6f, 1.0f}) {
        const View view = view_of_size(width, height);
        const auto bands = garden_bands(scene.snapshot(), view, alpha, room);
        ASSERT_FALSE(bands.empty());
        EXPECT_EQ(bands.front().from_px, 0);
        EXPECT_EQ(bands.back().to_px, height);
        for (std::size_t i = 0; i < bands.size(); ++i) {
          ASSERT_LT(bands[i].from_px, bands[i].to_px);
          ASSERT_LE(bands[i].top_px, bands[i].from_px) << "each begins at or above where it is first seen";
          if (i > 0) {
            ASSERT_EQ(bands[i].from_px, bands[i - 1].to_px);
            ASSERT_EQ(bands[i].top_px, bands[i].from_px) << "and the next where the last one ends";
            ASSERT_NEAR(static_cast<float>(bands[i].top_px - bands[i - 1].top_px), kGardenChunk * view.px_per_unit(), 1.0f);
          }
        }
      }
    }
  }
}

TEST(GardenBands, MoveByWholePixelsBetweenTwoSteps) {
  GardenBands room;
  const std::array chunks = {GardenChunk{-400.0f, 5}, GardenChunk{-160.0f, 2}, GardenChunk{80.0f, 7}, GardenChunk{320.0f, 1}};
  frame::RenderSnapshot snapshot;
  snapshot.garden = chunks;
  snapshot.garden_step = 4.0f;
  const View view = view_of_size(1280, 720);
  const auto second_top = [&](float alpha) {
    const auto bands = garden_bands(snapshot, view, alpha, room);
    EXPECT_EQ(bands[1].variant, 2);
    return bands[1].top_px;
  };
  EXPECT_EQ(second_top(1.0f), 200);
  EXPECT_EQ(second_top(0.5f), 198);
  EXPECT_EQ(second_top(0.0f), 196);
  EXPECT_EQ(second_top(0.55f), 198) << "a fifth of a pixel is none";
}

TEST(GardenBands, AbsurdChunksStillCoverThePicture) {
  GardenBands room;
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN(), kInf = std::numeric_limits<float>::infinity();
  const View view = view_of_size(640, 360);
  std::vector<std::vector<GardenChunk>> absurd = {
      {{kNan, 1}}, {{kInf, 1}, {-kInf, 2}}, {{5000.0f, 3}}, {{-5000.0f, 4}}, {{100.0f, 200}, {-100.0f, 3}}, {{1e30f, 0}, {0.0f, 255}}};
  absurd.emplace_back();
  for (int i = 0; i < 60; ++i) absurd.back().push_back({-350.0f + 5.0f * static_cast<float>(i), static_cast<u8>(i)});
  for (const auto& chunks : absurd) {
    frame::RenderSnapshot snapshot;
    snapshot.garden = chunks;
    snapshot.garden_step = kNan;
    const auto bands = garden_bands(snapshot, view, 0.5f, room);
    ASSERT_FALSE(bands.empty());
    EXPECT_EQ(bands.front().from_px, 0);
    EXPECT_EQ(bands.back().to_px, 360);
    for (std::size_t i = 0; i < bands.size(); ++i) {
      EXPECT_LT(bands[i].variant, frame::kGardenVariants);
      EXPECT_LE(bands[i].from_px, bands[i].to_px);
      if (i > 0) {
        EXPECT_EQ(bands[i].from_px, bands[i - 1].to_px);
      }
    }
  }
}

TEST(GardenPlace, IsATexelAPixelUntilTheTextureWouldBeTooLarge) {
  for (const auto& [width, height] : {std::pair{320, 180}, {1280, 720}, {1920, 1080}, {1280, 800}, {3840, 2160}}) {
    const GroundArea area = ground_area(width, height, 16384);
    const GardenPlace place = garden_place(area, 16384);
    EXPECT_TRUE(place.pixel_exact) << width;
    EXPECT_EQ(place.width_px, area.width_px) << width;
    EXPECT_EQ(place.rows, static_cast<int>(std::ceil(static_cast<double>(height) / 3.0 - 1e-3))) << width;
  }
  for (const auto& [width, largest] : {std::pair{7680, 16384}, {1920, 2048}, {1280, 300}}) {
    const GardenPlace place = garden_place(ground_area(width, width * 9 / 16, largest), largest);
    EXPECT_FALSE(place.pixel_exact);
    EXPECT_LE(place.width_px, largest);
    EXPECT_LE(place.rows * frame::kGardenVariants, largest + frame::kGardenVariants);
    EXPECT_LE(static_cast<double>(place.width_px) * place.rows * frame::kGardenVariants, 1.05 * (1 << 25));
  }
}

// What of an image is there already is fitted; the rows that follow complete it to the same.
TEST(GardenFit, RowsInPiecesAreEqualToAllAtOnceAndEachTexelIsTheMiddleOfItsOwn) {
  for (const auto& [from_px, to_px] : {std::pair{1280, 640}, {1280, 960}, {901, 676}, {700, 700}, {640, 1280}}) {
    const GardenPlace from = garden_place(ground_area(from_px, from_px * 9 / 16, 16384), 16384);
    const GardenPlace to = garden_place(ground_area(to_px, to_px * 9 / 16, 16384), 16384);
    const GardenFit fit(from, to);
    const auto width = static_cast<std::size_t>(from.width_px), fitted_width = static_cast<std::size_t>(to.width_px);
    // Red rises by 16 a row, green by 16 a column, over the first 15.
    std::vector<u32> image(width * static_cast<std::size_t>(from.rows));
    for (std::size_t i = 0; i < image.size(); ++i)
      image[i] = static_cast<u32>(16 * std::min<std::size_t>(i / width, 15) + 4096 * std::min<std::size_t>(i % width, 15));
    const auto fit_rows = [&](RowRange rows, std::vector<u32>& fitted) {
      const RowRange source = fit.source_of(rows);
      ASSERT_LE(source.end, from.rows);
      // A copy of no more than that: a sanitizer sees a row beyond.
      const std::vector<u32> texels(image.data() + static_cast<std::size_t>(source.first) * width, image.data() + static_cast<std::size_t>(source.end) * width);
      fit.fit(texels.data(), rows, fitted.data() + static_cast<std::size_t>(rows.first) * fitted_width);
    };
    std::vector<u32> whole(fitted_width * static_cast<std::size_t>(to.rows)), pieces(whole.size());
    fit_rows({0, to.rows}, whole);
    int done = 0;
    for (const int there : {0, 1, 2, 31, 32, 90, from.rows - 1, from.rows}) {
      const int fitted = fit.rows_of(there);
      EXPECT_GE(fitted, done);
      EXPECT_LE(fit.source_of({0, fitted}).end, there) << fitted;
      for (; done < fitted; ++done) fit_rows({done, done + 1}, pieces);
    }
    EXPECT_EQ(done, to.rows);
    EXPECT_TRUE(pieces == whole) << from_px;
    const double ratio = static_cast<double>(from.texels_per_unit / to.texels_per_unit);
    const double left = static_cast<double>((to.area.left - from.area.left) * from.texels_per_unit);
    for (std::size_t i = 0; i < 20; ++i) {
      const double row = std::clamp((static_cast<double>(i) + 0.5) * ratio - 0.5, 0.0, 15.0);
      const double column = std::clamp(left + (static_cast<double>(i) + 0.5) * ratio - 0.5, 0.0, 15.0);
      EXPECT_NEAR(whole[i * fitted_width] & 255u, 16.0 * row, 2.0) << from_px << " row " << i;
      EXPECT_NEAR(whole[i] >> 8 & 255u, 16.0 * column, 2.0) << from_px << " column " << i;
    }
  }
}

class Garden : public DrawnTest {
 protected:
  void SetUp() override {
    DrawnTest::SetUp();
    if (renderer_ != nullptr) use(DrawPath::Cpu);
  }
  void TearDown() override {
    if (renderer_ != nullptr) renderer_->set_looks({});
  }
  static void use(DrawPath path, frame::Resolution resolution = frame::Resolution::Full) {
    frame::LookSettings looks;
    looks.draw = path;
    looks.resolution = resolution;
    renderer_->set_looks(looks);
  }
  /// Mean difference of two rows of pixels, in 1/255.
  static double apart(const Picture& a, int row_a, const Picture& b, int row_b) {
    double sum = 0;
    const std::size_t line = static_cast<std::size_t>(a.width) * 3;
    for (std::size_t i = 0; i < line; ++i)
      sum += std::abs(int{a.rgb[static_cast<std::size_t>(row_a) * line + i]} - int{b.rgb[static_cast<std::size_t>(row_b) * line + i]});
    return sum / static_cast<double>(line);
  }
};

TEST_F(Garden, AnyPieceFitsUnderAnyOther) {
  constexpr int kWidth = 960, kHeight = 540, kTall = 180;
  for (u8 above = 0; above < frame::kGardenVariants; ++above) {
    for (u8 below = 0; below < frame::kGardenVariants; ++below) {
      const std::array chunks = {GardenChunk{-480.0f, above}, GardenChunk{-240.0f, above}, GardenChunk{0.0f, below}, GardenChunk{240.0f, below}};
      frame::RenderSnapshot snapshot;
      snapshot.garden = chunks;
      const Picture picture = draw(snapshot, kWidth, kHeight);
      const int seam = kHeight / 2;
      double most = 0.0, sum = 0.0;
      for (int row = seam - kTall / 2; row < seam + kTall / 2; ++row) {
        if (row == seam - 1) continue;
        const double step = apart(picture, row, picture, row + 1);
        most = std::max(most, step);
        sum += step;
      }
      EXPECT_LE(apart(picture, seam - 1, picture, seam), most) << int{above} << " over " << int{below};
      EXPECT_LE(apart(picture, seam - 1, picture, seam), 1.5 * sum / (kTall - 1)) << int{above} << " over " << int{below};
    }
  }
}

TEST_F(Garden, ScrollsByWholePixels) {
  for (const DrawPath path : {DrawPath::Cpu, DrawPath::Gpu}) {
    use(path);
    const auto scrolled = [](float units) {
      StagedScene scene;
      scene.garden(units, 1);
      return draw(scene.snapshot(), 640, 360);  // Half a pixel a unit.
    };
    const Picture first = scrolled(100.0f);
    EXPECT_TRUE(first == scrolled(100.6f)) << "less than half a pixel";
    const Picture lower = scrolled(114.0f);
    const auto match = [&](int rows) {
      double sum = 0;
      for (int row = 100; row < 250; ++row) sum += apart(first, row, lower, row + rows);
      return sum / 150;
    };
    EXPECT_LT(match(7), 0.5 * match(6)) << "what is left is the light that stays";
    EXPECT_LT(match(7), 0.5 * match(8));
  }
}

TEST_F(Garden, IsDarkAndDarkerBesideTheField) {
  for (u8 first = 0; first < frame::kGardenVariants; ++first) {
    StagedScene scene;
    scene.garden(0.0f, first);
    const Picture picture = draw(scene.snapshot(), 1280, 720);
    EXPECT_LT(picture.mean_luma(), 0.12f);
    EXPECT_GT(picture.mean_luma(640, 360, 250), 0.05f);
    EXPECT_LT(picture.mean_luma(640, 360, 250), 0.16f);
    EXPECT_LT(picture.mean_luma(170, 360, 150), 0.7f * picture.mean_luma(640, 360, 250));
    EXPECT_LT(picture.mean_luma(1110, 360, 150), 0.7f * picture.mean_luma(640, 360, 250));
    // The rail along the border is brighter than what lies on both sides of it.
    double rail = 0, aside = 0;
    for (int y = 100; y < 620; ++y) {
      rail += static_cast<double>(picture.luma(339, y));
      aside += 0.5 * static_cast<double>(picture.luma(331, y) + picture.luma(347, y));
    }
    EXPECT_GT(rail, 1.1 * aside);
  }
}

TEST_F(Garden, LeavesNothingOfTheArenaAndNothingInIt) {
  for (const DrawPath path : {DrawPath::Cpu, DrawPath::Gpu}) {
    use(path);
    StagedScene garden;
    garden.garden(30.0f);
    StagedScene burning = garden;
    burning.base.runes_lit = 12.0f;
    burning.base.finale = burning.base.vortex_strength = 1.0f;
    const Picture arena = draw(quiet_scene().snapshot(), 640, 360), plain = draw(garden.snapshot(), 640, 360);
    EXPECT_FALSE(arena == plain);
    EXPECT_TRUE(plain == draw(burning.snapshot(), 640, 360)) << "no runes, no aurora, no bend";
    EXPECT_TRUE(arena == draw(quiet_scene().snapshot(), 640, 360));
    draw(garden.snapshot(), 333, 222);
    EXPECT_TRUE(plain == draw(garden.snapshot(), 640, 360)) << "after another size";
    EXPECT_TRUE(renderer_->reload_shaders());
    EXPECT_TRUE(plain == draw(garden.snapshot(), 640, 360)) << "after a reload";
    renderer_->prepare_garden();
    EXPECT_TRUE(plain == draw(garden.snapshot(), 640, 360));
  }
}

// What a picture shows is whole; the rest follows in strips, one in each picture.
TEST_F(Garden, BakedInStripsIsEqualToOneBakedAtOnce) {
  const auto showing = [](u8 variant) {
    std::array<GardenChunk, 3> chunks;
    for (std::size_t i = 0; i < chunks.size(); ++i) chunks[i] = {kGardenChunk * (static_cast<float>(i) - 1.5f), static_cast<u8>((variant + i) % frame::kGardenVariants)};
    frame::RenderSnapshot snapshot;
    snapshot.garden = chunks;
    return draw(snapshot, 640, 361);  // its images have 121 rows: seven strips of 16, and one of 9
  };
  for (const auto& [path, resolution] :
       {std::pair{DrawPath::Cpu, frame::Resolution::Full}, {DrawPath::Cpu, frame::Resolution::ThreeQuarters}, {DrawPath::Gpu, frame::Resolution::Full}}) {
    use(path, resolution);
    renderer_->resize(640, 361);
    renderer_->prepare_garden();
    const Picture first = showing(0), middle = showing(3), last = showing(6);
    EXPECT_FALSE(first == middle);
    for (const int pictures : {1, 2, 7, 50}) {
      renderer_->resize(700, 400);  // another garden, where nothing of this one is left
      renderer_->prepare_garden();
      for (int i = 0; i < pictures; ++i) ASSERT_TRUE(showing(0) == first) << pictures;
      EXPECT_TRUE(showing(3) == middle) << pictures;
      EXPECT_TRUE(showing(6) == last) << pictures;
    }
  }
}

// Not a pit: water is as bright as the gravel round it, bluer, and has streaks of moonlight.
TEST_F(Garden, PondsAreWaterUnderTheSky) {
  struct Place {
    u8 variant;
    int x, y, gravel_x, gravel_y;  ///< Pixels of a picture with the pond's chunk in its middle.
  };
  for (const DrawPath path : {DrawPath::Cpu, DrawPath::Gpu}) {
    use(path);
    for (const Place& at : {Place{2, 640 - 96, 240 + 118, 640 + 80, 240 + 60},
                            Place{5, 640 + 150, 240 + 124, 640 + 10, 240 + 200}}) {
      const std::array chunks = {GardenChunk{-360.0f, 7}, GardenChunk{-120.0f, at.variant},
                                 GardenChunk{120.0f, 7}};
      frame::RenderSnapshot snapshot;
      snapshot.garden = chunks;
      const Picture picture = draw(snapshot, 1280, 720);
      const auto colours = [&](int x, int y) {
        std::array<double, 3> sum{};
        for (int row = y - 30; row <= y + 30; ++row) {
          for (int column = x - 30; column <= x + 30; ++column) {
            for (std::size_t i = 0; i < 3; ++i) {
              sum[i] +=
                  picture
                      .rgb[(static_cast<std::size_t>(row) * 1280 + static_cast<std::size_t>(column)) * 3 + i];
            }
          }
        }
        return sum;
      };
      const auto water = colours(at.x, at.y), gravel = colours(at.gravel_x, at.gravel_y);
      EXPECT_GT(picture.mean_luma(at.x, at.y, 30), 0.8f * picture.mean_luma(at.gravel_x, at.gravel_y, 30))
          << int{at.variant};
      EXPECT_LT(picture.mean_luma(at.x, at.y, 30), 1.8f * picture.mean_luma(at.gravel_x, at.gravel_y, 30))
          << int{at.variant};
      EXPECT_GT(water[2] / water[0], 1.2 * gravel[2] / gravel[0]) << int{at.variant};
      float brightest = 0;
      for (int row = at.y - 40; row <= at.y + 40; ++row) {
        for (int column = at.x - 40; column <= at.x + 40; ++column)
          brightest = std::max(brightest, picture.luma(column, row));
      }
      EXPECT_GT(brightest, 1.6f * picture.mean_luma(at.x, at.y, 30)) << int{at.variant};
    }
  }
}

// Above and below there are no pieces; what lies there would be the last row, as bands.
TEST_F(Garden, EndsWithTheFieldInATallWindow) {
  for (const DrawPath path : {DrawPath::Cpu, DrawPath::Gpu}) {
    use(path);
    StagedScene scene;
    scene.garden(30.0f);
    scene.light(0.0f, -400.0f, 150.0f, 1.0f, 0.8f, 0.5f);
    const Picture tall = draw(scene.snapshot(), 400, 700);
    for (int y = 0; y < 700; ++y) {
      const bool field = y >= 150 && y < 550;
      float row = 0;
      for (int x = 0; x < 400; ++x) row += tall.luma(x, y);
      EXPECT_EQ(row > 0, field) << "row " << y;
    }
  }
}

TEST_F(Garden, LightFallsOnItAsFarAsItReaches) {
  for (const DrawPath path : {DrawPath::Cpu, DrawPath::Gpu}) {
    use(path);
    StagedScene dark;
    dark.garden(0.0f, 7);
    for (const float x : {0.0f, -450.0f}) {  // In the arena what lies so far out takes no light.
      StagedScene lit = dark;
      lit.light(x, 0.0f, 150.0f, 1.0f, 0.8f, 0.5f);
      const Picture before = draw(dark.snapshot(), 1280, 720), after = draw(lit.snapshot(), 1280, 720);
      const int at = 640 + static_cast<int>(x);
      EXPECT_GT(after.mean_luma(at, 360, 40), before.mean_luma(at, 360, 40) + 0.1f) << x;
    }
  }
}

}  // namespace
}  // namespace spellpool::render::test
