// Images of figures: what stands still is what OpenGL draws, what moves is where it is, what changes is drawn again
// within a budget, and the sheet's rectangles never overlap.
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <ranges>

#include "core/rng.hpp"
#include "counted_news.hpp"
#include "drawn_test.hpp"
#include "render/figure_images.hpp"

namespace spellpool::render::test {
namespace {

class ImagesOfFigures : public DrawnTest {
 protected:
  static std::unique_ptr<Renderer> make(bool may_be_late, bool late_reads = false, bool late_programs = false) {
    RendererOptions options;
    options.shader_dir = kShaderFolder;
    options.figures_may_be_late = may_be_late;
    options.reads_may_be_late = late_reads;
    options.programs_may_be_late = late_programs;
    std::string error;
    std::unique_ptr<Renderer> made = Renderer::create(options, error);
    EXPECT_NE(made, nullptr) << error;
    frame::LookSettings looks;
    looks.draw = frame::DrawPath::Cpu;
    looks.quality = frame::Quality::High;
    made->set_looks(looks);
    return made;
  }
  static StagedScene standing(float sway, float light, float dummy_x = -80.0f) {
    StagedScene scene;
    scene.light(20.0f, 10.0f, 300.0f, light, light, 0.8f * light);
    scene.dummy(dummy_x, 30.0f, 0.0f, sway);
    scene.crystal(70.0f, 40.0f, 0.35f, 0.65f, 1.0f);
    scene.mage(0.0f, 0.0f, 0.25f, 0.8f, 0.4f, 1.0f);
    return scene;
  }
  /// The largest difference of a channel, and the sum of all.
  struct Difference {
    int most = 0;
    double sum = 0;
  };
  static Difference difference(const Picture& a, const Picture& b) {
    Difference made;
    EXPECT_EQ(a.rgb.size(), b.rgb.size());
    for (std::size_t i = 0; i < std::min(a.rgb.size(), b.rgb.size()); ++i) {
      const int apart = std::abs(int{a.rgb[i]} - int{b.rgb[i]});
      made.most = std::max(made.most, apart);
      made.sum += apart;
    }
    return made;
  }
  /// OpenGL interpolates a little differently at another place of a target.
  static constexpr int kSame = 2;
  static Picture picture(Renderer& renderer, const StagedScene& scene) {
    return draw_with(renderer, scene.snapshot(), 640, 360);
  }
};

TEST_F(ImagesOfFigures, AStandingFigureIsWhatOpenGlDraws) {
  const StagedScene scene = standing(0.2f, 1.0f);
  const Picture exact = picture(*make(false), scene);
  const std::unique_ptr<Renderer> renderer = make(true);
  for (int i = 0; i < 4; ++i) EXPECT_LE(difference(picture(*renderer, scene), exact).most, kSame) << "picture " << i;
}

TEST_F(ImagesOfFigures, WithoutLatenessEachChangeIsSeenAtOnce) {
  const std::unique_ptr<Renderer> renderer = make(false);
  picture(*renderer, standing(0.2f, 1.0f));
  const StagedScene swayed = standing(0.24f, 1.02f);
  EXPECT_TRUE(picture(*renderer, swayed) == picture(*make(false), swayed));
}

TEST_F(ImagesOfFigures, AChangeIsSeenAFewPicturesLater) {
  const std::unique_ptr<Renderer> renderer = make(true);
  const StagedScene before = standing(0.20f, 1.0f), after = standing(0.90f, 1.0f);
  const Picture exact = picture(*make(false), after);
  for (int i = 0; i < 3; ++i) picture(*renderer, before);
  EXPECT_GT(difference(picture(*renderer, after), exact).most, 20);  // Drawn now, read by the next.
  EXPECT_LE(difference(picture(*renderer, after), exact).most, kSame);
}

TEST_F(ImagesOfFigures, AFigureThatMovesIsWhereItIs) {
  const std::unique_ptr<Renderer> renderer = make(true);
  picture(*renderer, standing(0.2f, 1.0f));
  picture(*renderer, standing(0.2f, 1.0f));
  const StagedScene moved = standing(0.2f, 1.0f, -80.0f + 8.0f);  // Four pixels at 360 lines.
  const Picture seen = picture(*renderer, moved), exact = picture(*make(false), moved);
  // Light falls a little differently there.
  EXPECT_LT(difference(seen, exact).sum, 0.1 * difference(picture(*make(false), standing(0.2f, 1.0f)), exact).sum);
}

TEST_F(ImagesOfFigures, AFigureThatComesInIsNotCutWhereTheEdgeWas) {
  for (const float edge : {-360.0f, 360.0f}) {  // Units: half of it is inside.
    const auto at = [&](float inwards) {
      StagedScene scene;
      scene.mage(0.0f, edge < 0 ? edge + inwards : edge - inwards, 0.25f, 0.8f, 0.4f, 1.0f);
      return scene;
    };
    const std::unique_ptr<Renderer> renderer = make(true);
    for (int i = 0; i < 2; ++i) picture(*renderer, at(0));
    constexpr int kRows = 6;  // At 360 lines.
    const Picture seen = picture(*renderer, at(2 * kRows)), exact = picture(*make(false), at(2 * kRows)), none = picture(*make(false), StagedScene());
    const auto apart = [&](const Picture& a, const Picture& b) {
      double sum = 0;
      const std::size_t row = 640 * 3, from = edge < 0 ? 0 : (360 - kRows) * row;
      for (std::size_t i = from; i < from + kRows * row; ++i) sum += std::abs(int{a.rgb[i]} - int{b.rgb[i]});
      return sum;
    };
    EXPECT_GT(apart(none, exact), 1'000) << "the figure is in those rows";
    EXPECT_LT(apart(seen, exact), 0.6 * apart(none, exact)) << edge;
  }
}

TEST_F(ImagesOfFigures, AnotherSizeShowsAllFiguresAtOnce) {
  const std::unique_ptr<Renderer> renderer = make(true);
  const StagedScene scene = standing(0.2f, 1.0f);
  picture(*renderer, scene);
  const Picture exact = draw_with(*make(false), scene.snapshot(), 800, 600);
  EXPECT_LE(difference(draw_with(*renderer, scene.snapshot(), 800, 600), exact).most, kSame);
  EXPECT_LE(difference(draw_with(*renderer, scene.snapshot(), 800, 600), exact).most, kSame);
}

// As in a browser.
TEST_F(ImagesOfFigures, CopiesThatArriveLaterShowTheSame) {
  const StagedScene before = standing(0.2f, 1.0f), after = standing(0.9f, 1.0f);
  const std::unique_ptr<Renderer> renderer = make(true, true);
  const Picture first = picture(*make(false), before), last = picture(*make(false), after);
  EXPECT_LE(difference(picture(*renderer, before), first).most, kSame) << "the first picture waits";
  int pictures = 0;
  while (difference(picture(*renderer, after), last).most > kSame && pictures < 30) ++pictures;
  EXPECT_LT(pictures, 30) << "the change is never seen";
  EXPECT_GT(pictures, 0) << "it was waited for";
  const Picture exact = draw_with(*make(false), after.snapshot(), 800, 600);
  EXPECT_LE(difference(draw_with(*renderer, after.snapshot(), 800, 600), exact).most, kSame) << "the first of its size";
}

// Lightning is long and thin: OpenGL draws it into the picture itself.
TEST_F(ImagesOfFigures, LightningComesAndGoesLaterWhereCopiesDo) {
  StagedScene scene;
  for (const float end_x : {-240.0f, 240.0f}) scene.arc(0.0f, 0.0f, end_x, 120.0f, 0.2f, 0.4f);
  // The light that they cast on the floor is there in all of these.
  frame::RenderSnapshot none = scene.snapshot(), left = none, right = none;
  left.sprites = none.sprites.first(1);
  right.sprites = none.sprites.last(1);
  none.sprites = {};
  const auto picture = [](Renderer& renderer, const frame::RenderSnapshot& shown) { return draw_with(renderer, shown, 640, 360); };
  const auto exact = [&](const frame::RenderSnapshot& shown) { return picture(*make(false), shown); };
  const Picture dark = exact(none);
  const std::unique_ptr<Renderer> renderer = make(true, true);
  ASSERT_GT(difference(exact(left), dark).most, 60) << "it is seen";
  EXPECT_LE(difference(picture(*renderer, left), dark).most, kSame) << "its first picture waited for OpenGL";
  const auto pictures_until = [&](const frame::RenderSnapshot& shown, const Picture& wanted) {
    int pictures = 0;
    while (difference(picture(*renderer, shown), wanted).most > kSame && pictures < 30) ++pictures;
    return pictures;
  };
  EXPECT_LT(pictures_until(left, exact(left)), 30) << "it never comes";
  EXPECT_LT(pictures_until(right, exact(right)), 30) << "it does not move";
  EXPECT_LT(pictures_until(none, dark), 30) << "it stays";

  // One of a single picture is seen, too.
  picture(*renderer, left);
  EXPECT_LT(pictures_until(none, exact(left)), 30);
  EXPECT_LT(pictures_until(none, dark), 30);

  picture(*renderer, left);  // What was asked for in another size is not shown.
  EXPECT_LE(difference(draw_with(*renderer, none, 638, 360), draw_with(*make(false), none, 638, 360)).most, kSame);
}

TEST_F(ImagesOfFigures, FiguresAppearOneKindAfterAnotherWhileTheirProgramsAreMade) {
  const StagedScene scene = standing(0.2f, 1.0f);
  frame::RenderSnapshot bare = scene.snapshot();
  bare.sprites = {};
  const Picture empty = draw_with(*make(false), bare, 640, 360), whole = picture(*make(false), scene);
  const std::unique_ptr<Renderer> renderer = make(true, true, true);
  EXPECT_TRUE(renderer->ready_arena());
  std::vector<double> left_out;
  for (int i = 0; i < 30; ++i) {
    const Picture now = picture(*renderer, scene);
    if (i == 0) {
      EXPECT_LE(difference(now, empty).most, kSame) << "no program is there yet";
    }
    const double missing = difference(now, whole).sum;
    if (left_out.empty() || std::fabs(missing - left_out.back()) > 1'000) left_out.push_back(missing);
    if (difference(now, whole).most <= kSame) break;
    renderer->advance_programs();
  }
  EXPECT_LE(difference(picture(*renderer, scene), whole).most, kSame) << "a figure is never seen";
  EXPECT_GE(left_out.size(), 4u) << "dummy, crystal and mage come with pictures of their own";
  EXPECT_TRUE(std::ranges::is_sorted(left_out, std::greater())) << testing::PrintToString(left_out);
  EXPECT_FALSE(renderer->ready_arena()) << "they were asked for";
}

TEST_F(ImagesOfFigures, CopiesOfTwoViewsStayApart) {
  StagedScene one = standing(0.2f, 1.0f), other = standing(0.9f, 1.0f, -120.0f);
  one.arc(0.0f, 0.0f, -240.0f, 120.0f, 0.2f, 0.4f);
  other.arc(0.0f, 0.0f, 240.0f, 120.0f, 0.2f, 0.4f);
  const std::unique_ptr<Renderer> renderer = make(true, true);
  for (int i = 0; i < 12; ++i) {
    for (std::size_t view = 0; view < Renderer::kViews; ++view) {
      renderer->show_view(view);
      picture(*renderer, view == 0 ? one : other);
    }
  }
  renderer->show_view(0);
  EXPECT_LE(difference(picture(*renderer, one), picture(*make(false), one)).most, kSame);
  renderer->show_view(1);
  EXPECT_LE(difference(picture(*renderer, other), picture(*make(false), other)).most, kSame);
}

TEST_F(ImagesOfFigures, WithoutRoomForCopiesOnlyAFirstPictureDraws) {
  View view;
  view.width_px = 640;
  view.height_px = 360;
  FigureImages images;
  SeenFigure figure;
  figure.sprite.kind = static_cast<u32>(frame::SpriteKind::Mage);
  figure.sprite.size = 40.0f;
  figure.screen = world_to_screen(view, figure.place);
  figure.box = {-20.0f, -20.0f, 20.0f, 20.0f};
  const auto draws = [&] {
    images.fit(view);
    images.plan(std::span(&figure, 1), false);
    const std::size_t count = images.draws().size();
    for (const FigureImages::Read& read : images.to_read()) images.set_read(read, 0, 0, read.width, read.height);
    if (images.is_fresh()) images.place_fresh(std::span(&figure, 1));
    figure.sprite.p0 += 0.5f;
    return count;
  };
  EXPECT_EQ(draws(), 1u);
  for (int i = 0; i < 4; ++i) EXPECT_EQ(draws(), 0u);
  view.width_px = 800;
  EXPECT_EQ(draws(), 1u) << "another size";
}

/// Figures that stand still in the middle of 640×360, each a square of so many pixels, without OpenGL drawing them.
class Sheet {
 public:
  Sheet(float pictures, frame::FigurePolicy policy, frame::FigureStore store = frame::FigureStore::Pool) {
    view_.width_px = 640;
    view_.height_px = 360;
    images_.set(store, policy);
    images_.set_capacity(pictures);
    show();
  }
  void add(float side_px, float x) {
    SeenFigure& figure = figures_.emplace_back();
    figure.sprite.kind = static_cast<u32>(frame::SpriteKind::Dummy);
    figure.sprite.size = side_px;
    figure.place = {x, 0};
    figure.screen = world_to_screen(view_, figure.place);
    figure.box = {-side_px / 2, -side_px / 2, side_px / 2, side_px / 2};
  }
  void show() {
    read();
    images_.fit(view_);
    images_.plan(figures_);
    if (!images_.is_fresh()) return;
    read();
    images_.place_fresh(figures_);
  }
  bool is_direct(std::size_t figure) const { return std::ranges::count(images_.direct(), figure) == 1; }
  /// Each figure is shown by its image or drawn with the picture, and not both.
  void expect_all_shown(const char* when) const {
    EXPECT_EQ(images_.placed().size() + images_.direct().size(), figures_.size()) << when;
  }
  frame::FigurePoolView stats() const { return images_.stats(); }
  std::vector<SeenFigure>& figures() { return figures_; }

 private:
  void read() {
    for (const FigureImages::Read& read : images_.to_read()) images_.set_read(read, 0, 0, read.width, read.height);
  }
  View view_;
  FigureImages images_;
  std::vector<SeenFigure> figures_;
};

constexpr std::array kStores = {frame::FigureStore::Pool, frame::FigureStore::MakeDestroy};
/// 640 × 64 pixels: 20 × 2 blocks.
constexpr float kTwoRows = 0.17f;

TEST_F(ImagesOfFigures, StealLeastTakesTheCheapOnesAndNeverACostlierOne) {
  for (const frame::FigureStore store : kStores) {
    Sheet sheet(kTwoRows, frame::FigurePolicy::StealLeast, store);
    ASSERT_EQ(sheet.stats().capacity_px, 640u * 64u);
    for (int i = 0; i < 8; ++i) sheet.add(50, -280.0f + 80.0f * static_cast<float>(i));  // 2 × 2 blocks, 32 of 40
    sheet.show();
    sheet.show();
    for (int i = 0; i < 8; ++i) sheet.add(20, -270.0f + 80.0f * static_cast<float>(i));  // a block each: all are taken
    for (int i = 0; i < 8; ++i) sheet.show();
    EXPECT_EQ(sheet.stats().live, 16u);
    EXPECT_EQ(sheet.stats().stolen, 0u);
    sheet.add(20, 0.0f);
    sheet.show();
    EXPECT_TRUE(sheet.is_direct(16)) << "none is cheaper";
    EXPECT_EQ(sheet.stats().stolen, 0u);
    EXPECT_EQ(sheet.stats().rejected, 1u);
    sheet.figures().pop_back();
    sheet.show();
    sheet.add(50, 5.0f);
    for (int i = 0; i < 4; ++i) {
      sheet.show();
      if (i > 0) sheet.expect_all_shown("after the new one came");
    }
    EXPECT_EQ(sheet.stats().stolen, 4u);
    for (std::size_t i = 0; i < 8; ++i) EXPECT_FALSE(sheet.is_direct(i)) << "a costly one, " << i;
    EXPECT_EQ(std::ranges::count_if(std::views::iota(8, 16), [&](int i) { return sheet.is_direct(static_cast<std::size_t>(i)); }), 4);
  }
}

TEST_F(ImagesOfFigures, StealOldestTakesTheCostlyOneThatCameFirst) {
  for (const frame::FigureStore store : kStores) {
    Sheet sheet(kTwoRows, frame::FigurePolicy::StealOldest, store);
    sheet.add(50, -280.0f);
    sheet.show();
    sheet.show();
    for (int i = 1; i < 10; ++i) sheet.add(50, -280.0f + 60.0f * static_cast<float>(i));  // the sheet is full
    for (int i = 0; i < 4; ++i) sheet.show();
    ASSERT_EQ(sheet.stats().live, 10u);
    ASSERT_EQ(sheet.stats().stolen, 0u);
    sheet.add(20, 0.0f);
    sheet.show();
    EXPECT_EQ(sheet.stats().stolen, 1u);
    sheet.show();
    sheet.expect_all_shown("after the steal");
    EXPECT_FALSE(sheet.is_direct(10));
    EXPECT_TRUE(sheet.is_direct(0)) << "the oldest";
    for (int i = 0; i < 30; ++i) {
      sheet.show();
      sheet.expect_all_shown("later");
    }
  }
}

TEST_F(ImagesOfFigures, RejectKeepsTheImagesAndShowsTheNewFigure) {
  for (const frame::FigureStore store : kStores) {
    Sheet sheet(kTwoRows, frame::FigurePolicy::Reject, store);
    for (int i = 0; i < 11; ++i) sheet.add(50, -290.0f + 58.0f * static_cast<float>(i));
    for (int i = 0; i < 6; ++i) {
      sheet.show();
      if (i > 2) sheet.expect_all_shown("full");
    }
    EXPECT_EQ(sheet.stats().stolen, 0u);
    EXPECT_GT(sheet.stats().rejected, 0u);
    EXPECT_TRUE(sheet.is_direct(10));
    sheet.figures().erase(sheet.figures().begin());
    for (int i = 0; i < 3; ++i) {
      sheet.show();
      sheet.expect_all_shown("room again: it never vanishes while its image is made");
    }
    EXPECT_FALSE(sheet.is_direct(9));
  }
}

TEST_F(ImagesOfFigures, AGrowingFigureTakesItsOwnRoomFirst) {
  for (const frame::FigureStore store : kStores) {
    Sheet sheet(kTwoRows * 2, frame::FigurePolicy::Reject, store);
    sheet.add(20, 0.0f);
    for (float side = 30; side < 110; side += 10) {
      SeenFigure& figure = sheet.figures()[0];
      figure.box = {-2 * side, -side / 2, 2 * side, side / 2};
      figure.sprite.p0 += 0.1f;
      for (int i = 0; i < 2; ++i) sheet.show();
      sheet.expect_all_shown("while it grows");
      EXPECT_FALSE(sheet.is_direct(0)) << side;
    }
    EXPECT_EQ(sheet.stats().stolen, 0u);
    EXPECT_LE(sheet.stats().peak_px, sheet.stats().capacity_px);
  }
}

TEST_F(ImagesOfFigures, StealingCallsNoNew) {
  if (!kNewsAreCounted) GTEST_SKIP() << "skipped: a sanitizer owns operator new";
  for (const frame::FigurePolicy policy : {frame::FigurePolicy::StealOldest, frame::FigurePolicy::StealLeast}) {
    Sheet sheet(kTwoRows, policy);
    for (int i = 0; i < 14; ++i) sheet.add(static_cast<float>(20 + 5 * i), -290.0f + 40.0f * static_cast<float>(i));
    for (int i = 0; i < 4; ++i) sheet.show();
    const u64 stolen = sheet.stats().stolen;
    const unsigned long before = counted_news();
    for (int i = 0; i < 40; ++i) {
      SeenFigure& figure = sheet.figures()[static_cast<std::size_t>(i) % 14];
      figure.box.left = -figure.box.left < 60 ? figure.box.left - 15 : -10;
      figure.sprite.p0 += 0.1f;
      sheet.show();
    }
    EXPECT_EQ(counted_news() - before, 0u);
    EXPECT_GT(sheet.stats().stolen, stolen);
  }
}

frame::LookSettings of(frame::FigureStore store) {
  frame::LookSettings looks;
  looks.draw = frame::DrawPath::Cpu;
  looks.quality = frame::Quality::High;
  looks.figure_store = store;
  return looks;
}

int textures() {
  int count = 0;
  for (GLuint name = 1; name < 4'000; ++name) count += glIsTexture(name) == GL_TRUE ? 1 : 0;
  return count;
}

TEST_F(ImagesOfFigures, MakeAndDestroyShowsThePoolsPicturesAndLeavesNoTexture) {
  const std::unique_ptr<Renderer> pool = make(true), each = make(true);
  each->set_looks(of(frame::FigureStore::MakeDestroy));
  for (int i = 0; i < 8; ++i) {
    const StagedScene scene = standing(0.1f * static_cast<float>(i), 1.0f, -80.0f + 4.0f * static_cast<float>(i));
    EXPECT_TRUE(picture(*each, scene) == picture(*pool, scene)) << "picture " << i;
  }
  EXPECT_EQ(pool->figure_pool().made, 1u);
  EXPECT_GT(pool->figure_pool().reused(), 1u);
  EXPECT_GE(each->figure_pool().made, 3u);
  EXPECT_EQ(each->figure_pool().reused(), 0u);
  const StagedScene empty;
  picture(*each, empty);
  picture(*each, empty);
  const int without = textures();
  picture(*each, standing(0.2f, 1.0f));
  EXPECT_GT(textures(), without) << "a texture for each image";
  for (int i = 0; i < 3; ++i) picture(*each, empty);
  EXPECT_EQ(textures(), without);
  EXPECT_EQ(each->figure_pool().live, 0u);
  for (int i = 0; i < 3; ++i) {
    each->set_looks(of(frame::FigureStore::Pool));
    picture(*each, standing(0.2f, 1.0f));
    EXPECT_EQ(textures(), without + 1) << "the sheet";
    each->set_looks(of(frame::FigureStore::MakeDestroy));
    picture(*each, standing(0.2f, 1.0f));
    picture(*each, empty);
    picture(*each, empty);
    EXPECT_EQ(textures(), without);
  }
}

TEST_F(ImagesOfFigures, ASwitchShowsAllFiguresAtOnce) {
  const std::unique_ptr<Renderer> renderer = make(true);
  const StagedScene scene = standing(0.2f, 1.0f);
  const Picture exact = picture(*make(false), scene);
  for (int i = 0; i < 6; ++i) {
    renderer->set_looks(of(kStores[static_cast<std::size_t>(i % 2)]));
    EXPECT_LE(difference(picture(*renderer, scene), exact).most, kSame) << "switch " << i;
  }
}

/// Random figures that come, go, grow and move, without OpenGL drawing them.
void rectangles_never_overlap(frame::FigurePolicy policy, float pictures) {
  View view;
  view.width_px = 1280;
  view.height_px = 720;
  FigureImages images;
  images.set(frame::FigureStore::Pool, policy);
  images.set_capacity(pictures);
  Rng rng(5);
  std::vector<SeenFigure> figures;
  struct Rect {
    int x = 0, y = 0, width = 0, height = 0;
    bool meets(const Rect& o) const {
      return x < o.x + o.width && o.x < x + width && y < o.y + o.height && o.y < y + height;
    }
  };
  std::size_t most_draws = 0;
  for (int step = 0; step < 600; ++step) {
    while (figures.size() < 60 || rng.below(4) == 0) {
      SeenFigure figure;
      const u32 kind = rng.below(static_cast<u32>(frame::SpriteKind::Beam) + 1);
      figure.sprite.kind = kind;
      figure.sprite.size = rng.range(10.0f, 90.0f);
      figure.place = {rng.range(-700.0f, 700.0f), rng.range(-400.0f, 400.0f)};
      figures.push_back(figure);
    }
    for (std::size_t i = 0; i < figures.size();) {
      SeenFigure& figure = figures[i];
      if (rng.below(40) == 0) {
        figure = figures.back();
        figures.pop_back();
        continue;
      }
      figure.place.x += rng.range(-4.0f, 4.0f);
      figure.sprite.p0 = rng.range(0.0f, 1.0f);
      figure.screen = world_to_screen(view, figure.place);
      const float reach = rng.range(5.0f, rng.below(30) == 0 ? 400.0f : 90.0f);
      figure.box = {-reach, -reach, reach, reach};
      ++i;
    }
    for (const FigureImages::Read& read : images.to_read()) images.set_read(read, 0, 0, read.width, read.height);
    images.fit(view);
    images.plan(figures);
    if (images.is_fresh()) {
      for (const FigureImages::Read& read : images.to_read()) images.set_read(read, 0, 0, read.width, read.height);
      images.place_fresh(figures);
      const auto seen = std::count_if(figures.begin(), figures.end(), [](const SeenFigure& figure) {
        const Box& box = figure.box;
        return figure.screen.x + box.right > 0 && figure.screen.x + box.left < 1280 &&
               figure.screen.y + box.bottom > 0 && figure.screen.y + box.top < 720;
      });
      EXPECT_GE(images.placed().size() + images.direct().size(), static_cast<std::size_t>(seen));
      continue;
    }
    // What was drawn, and what is shown, each in blocks of its own.
    std::vector<Rect> drawn;
    float px = 0;
    for (const FigureImages::Draw& draw : images.draws()) {
      const Rect own{draw.x, draw.y, draw.width, draw.height};
      ASSERT_GE(own.x, 0);
      ASSERT_LE(own.x + own.width, images.sheet().width_px);
      ASSERT_LE(own.y + own.height, images.sheet().height_px);
      for (const Rect& other : drawn) ASSERT_FALSE(own.meets(other)) << "step " << step;
      drawn.push_back(own);
      px += static_cast<float>(own.width * own.height);
    }
    most_draws = std::max(most_draws, drawn.size());
    if (step > 0 && drawn.size() > 1) {
      // Whole blocks are counted here, so there is some more than the budget of 15 %.
      EXPECT_LT(px, 0.15f * 1280 * 720 * 2.0f);
    }
    for (const PlacedFigure& placed : images.placed()) {
      ASSERT_LT(placed.left, placed.right);
      ASSERT_LT(placed.top, placed.bottom);
    }
    EXPECT_LE(images.placed().size(), figures.size());
  }
  EXPECT_GT(most_draws, 5u);
  EXPECT_EQ(images.stats().stolen > 0, policy != frame::FigurePolicy::Reject && pictures < 1);
  EXPECT_EQ(images.stats().rejected > 0, pictures < 1);
  figures.clear();
  images.plan(figures);
  EXPECT_EQ(images.stats().live, 0u);
  EXPECT_EQ(images.stats().live_px, 0u) << "no block is lost";
}

TEST_F(ImagesOfFigures, RectanglesOfTheSheetNeverOverlapAndTheBudgetHolds) {
  for (const frame::SettingName& policy : frame::kFigurePolicies) {
    for (const float pictures : {0.25f, 3.0f}) {
      SCOPED_TRACE(std::string(policy.name) + " " + std::to_string(pictures));
      rectangles_never_overlap(static_cast<frame::FigurePolicy>(policy.id), pictures);
    }
  }
}

}  // namespace
}  // namespace spellpool::render::test
