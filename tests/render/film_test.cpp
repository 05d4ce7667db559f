// Small pictures of the game's frames, by both drawing paths, and light that leaves trails.
#include "render/gl/film.hpp"

#include "drawn_test.hpp"
#include "render/gl/window_image.hpp"

namespace spellpool::render::test {
namespace {

using frame::DrawPath;

constexpr int kWide = 1280, kHigh = 720;

class FilmTest : public DrawnTest {
 protected:
  void TearDown() override {
    if (renderer_ == nullptr) return;
    renderer_->set_trails(0);
    renderer_->set_looks({});
  }
  static void draw_by(DrawPath path) {
    frame::LookSettings looks;
    looks.draw = path;
    renderer_->set_looks(looks);
  }
  static Picture of(const Film& film, u32 place) {
    Picture whole;
    whole.width = Film::kWidth_px;
    whole.height = Film::kHeight_px;
    std::vector<u32> texels(static_cast<std::size_t>(Film::kColumns * Film::kWidth_px * Film::kRows * Film::kHeight_px));
    glBindTexture(GL_TEXTURE_2D, static_cast<GLuint>(film.texture()));
    glGetTexImage(GL_TEXTURE_2D, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels.data());
    glBindTexture(GL_TEXTURE_2D, 0);
    const u32 left = place % Film::kColumns * Film::kWidth_px, top = place / Film::kColumns * Film::kHeight_px;
    for (u32 y = 0; y < Film::kHeight_px; ++y) {
      for (u32 x = 0; x < Film::kWidth_px; ++x) {
        const u32 texel = texels[(top + y) * Film::kColumns * Film::kWidth_px + left + x];
        EXPECT_EQ(texel >> 24, 255u) << "a panel blends by it: " << x << " " << y;
        for (const int shift : {0, 8, 16}) whole.rgb.push_back(static_cast<u8>(texel >> shift));
        if (::testing::Test::HasFailure()) return whole;
      }
    }
    return whole;
  }
  /// The mean of what a pixel of a small picture covers.
  static Picture shrunk(const Picture& picture) {
    Picture small;
    small.width = Film::kWidth_px;
    small.height = Film::kHeight_px;
    const int across = picture.width / small.width, down = picture.height / small.height;
    for (int y = 0; y < small.height; ++y) {
      for (int x = 0; x < small.width; ++x) {
        for (int c = 0; c < 3; ++c) {
          int sum = 0;
          for (int j = 0; j < down; ++j) {
            for (int i = 0; i < across; ++i) sum += picture.rgb[static_cast<std::size_t>(((y * down + j) * picture.width + x * across + i) * 3 + c)];
          }
          small.rgb.push_back(static_cast<u8>(sum / (across * down)));
        }
      }
    }
    return small;
  }
  static double mean_apart(const Picture& a, const Picture& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.rgb.size(); ++i) sum += std::abs(a.rgb[i] - b.rgb[i]);
    return sum / static_cast<double>(a.rgb.size());
  }
};

TEST(Shrink, EachPixelIsTheMeanOfWhatItCovers) {
  constexpr int kSide = 8, kStride = 11;
  std::vector<u32> pixels(kStride * kSide, 0xFFFFFFFFu);
  for (int y = 0; y < kSide; ++y) {
    for (int x = 0; x < kSide; ++x) pixels[static_cast<std::size_t>(y * kStride + x)] = x < 4 ? (y < 4 ? 0x00102030u : 0x00FFFFFFu) : x % 2 == 0 ? 0x000000FFu : 0x0000FF01u;
  }
  std::vector<u32> small(4);
  shrink(pixels.data(), kStride, kSide, kSide, small.data(), 2, 2, 2);
  EXPECT_EQ(small[0], 0xFF102030u) << "all alike, and opaque";
  EXPECT_EQ(small[1], 0xFF007F80u) << "half of them each";
  EXPECT_EQ(small[2], 0xFFFFFFFFu) << "no channel runs over into the next";
}

TEST_F(FilmTest, BothPathsPutTheSamePictureTheRightWayUpIntoItsPlace) {
  StagedScene scene = quiet_scene();
  scene.light(-300.0f, -150.0f, 260.0f, 1.0f, 0.2f, 0.1f);
  const frame::RenderSnapshot snapshot = scene.snapshot();
  Film film;
  for (const DrawPath path : {DrawPath::Cpu, DrawPath::Gpu}) {
    draw_by(path);
    renderer_->resize(kWide, kHigh);
    bool complete = true;
    const RenderTarget target = make_target(PixelFormat::Rgba8, kWide, kHigh, Filter::Nearest, complete);
    const u32 place = path == DrawPath::Cpu ? 3 : 60;
    for (const u32 other : {place - 1, place + 1}) {  // its neighbours keep what they have
      renderer_->draw_held(snapshot, 1.0f, target.framebuffer.get());
      renderer_->add_to(film, other);
      renderer_->present();
    }
    const Picture before = of(film, place - 1);
    renderer_->draw_held(snapshot, 1.0f, target.framebuffer.get());
    renderer_->add_to(film, place);
    renderer_->present();
    EXPECT_EQ(glGetError(), static_cast<GLenum>(GL_NO_ERROR));
    Picture whole;
    whole.width = kWide;
    whole.height = kHigh;
    glBindFramebuffer(GL_FRAMEBUFFER, target.framebuffer.get());
    ASSERT_TRUE(read_rgb(kWide, kHigh, whole.rgb));
    const Picture small = of(film, place);
    EXPECT_LT(mean_apart(small, shrunk(whole)), 3.0) << renderer_->path();
    Picture turned = small;
    for (int y = 0; y < small.height; ++y) {
      std::copy_n(small.rgb.begin() + static_cast<std::ptrdiff_t>(y) * small.width * 3, small.width * 3,
                  turned.rgb.begin() + static_cast<std::ptrdiff_t>(small.height - 1 - y) * small.width * 3);
    }
    EXPECT_GT(mean_apart(turned, shrunk(whole)), 3.0) << "else this test could not tell a picture that is upside down";
    EXPECT_EQ(of(film, place - 1).rgb, before.rgb);
    const frame::PanelImage image = film.image();
    ASSERT_EQ(image.texels != nullptr, path == DrawPath::Cpu) << "what OpenGL drew is not in memory";
    if (image.texels) {
      const std::size_t left = place % Film::kColumns * Film::kWidth_px, top = place / Film::kColumns * Film::kHeight_px;
      for (std::size_t y = 0; y < Film::kHeight_px; y += 7) {
        for (std::size_t x = 0; x < Film::kWidth_px; x += 5) {
          const u32 texel = image.texels[(top + y) * static_cast<std::size_t>(image.stride) + left + x];
          for (std::size_t c = 0; c < 3; ++c) {
            const u32 byte = texel >> 8 * (red_first() ? c : 2 - c) & 255u;
            ASSERT_EQ(byte, small.rgb[(y * Film::kWidth_px + x) * 3 + c]) << "the texture's, in the window's byte order";
          }
        }
      }
    }
    show(path == DrawPath::Cpu ? "film_cpu" : "film_gpu", small);
  }
  // The one that OpenGL drew is replaced, or forgotten.
  draw_by(DrawPath::Cpu);
  for (const u32 place : {u32{60}, u32{59}, u32{61}}) {
    EXPECT_EQ(film.image().texels, nullptr);
    renderer_->draw_held(snapshot, 1.0f);
    renderer_->add_to(film, place);
    renderer_->present();
  }
  EXPECT_NE(film.image().texels, nullptr);
  draw_by(DrawPath::Gpu);
  renderer_->draw_held(snapshot, 1.0f);
  renderer_->add_to(film, 9);
  EXPECT_EQ(film.image().texels, nullptr);
  film.forget();
  EXPECT_NE(film.image().texels, nullptr);
}

TEST_F(FilmTest, LightLeavesATrailThatFades) {
  StagedScene dark = quiet_scene(), lit = quiet_scene();
  lit.light(-250.0f, 0.0f, 200.0f, 3.0f, 1.0f, 0.3f);
  const frame::RenderSnapshot without = dark.snapshot(), with = lit.snapshot();
  for (const DrawPath path : {DrawPath::Cpu, DrawPath::Gpu}) {
    draw_by(path);
    renderer_->set_trails(0);
    const Picture plain = draw(without, kWide, kHigh), bright = draw(with, kWide, kHigh);
    ASSERT_GT(mean_apart(plain, bright), 1.0);
    EXPECT_EQ(draw(without, kWide, kHigh).rgb, plain.rgb) << "none was asked for";
    renderer_->set_trails(0.5f);
    EXPECT_EQ(draw(with, kWide, kHigh).rgb, bright.rgb) << "the first picture has nothing before it";
    const Picture trail = draw(without, kWide, kHigh);
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < trail.rgb.size(); ++i) {
      const int expected = std::max<int>(plain.rgb[i], bright.rgb[i] / 2);
      wrong += std::abs(trail.rgb[i] - expected) > 1;
    }
    EXPECT_EQ(wrong, 0u) << renderer_->path() << ": the larger of this picture and half of the one before";
    EXPECT_GT(mean_apart(trail, plain), 0.05);
    for (int i = 0; i < 10; ++i) (void)draw(without, kWide, kHigh);
    EXPECT_EQ(draw(without, kWide, kHigh).rgb, plain.rgb) << "it is gone";
    (void)draw(with, kWide, kHigh);
    renderer_->set_trails(0);
    EXPECT_EQ(draw(without, kWide, kHigh).rgb, plain.rgb);
    renderer_->set_trails(0.5f);
    EXPECT_EQ(draw(without, kWide, kHigh).rgb, plain.rgb) << "what was before it was turned off is forgotten";
  }
}

}  // namespace
}  // namespace spellpool::render::test
