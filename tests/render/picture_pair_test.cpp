#include "render/gl/picture_pair.hpp"

#include "drawn_test.hpp"

namespace spellpool::render::test {
namespace {

class PicturePairTest : public DrawnTest {
 protected:
  static constexpr int kWindowWidth = 200, kWindowHeight = 120;
  void SetUp() override {
    DrawnTest::SetUp();
    if (IsSkipped()) return;
    bool complete = true;
    window_ = make_target(PixelFormat::Rgba8, kWindowWidth, kWindowHeight, Filter::Nearest, complete);
    ASSERT_TRUE(complete);
  }
  void TearDown() override { window_ = {}; }
  std::vector<u8> read() {
    glBindFramebuffer(GL_FRAMEBUFFER, window_.framebuffer.get());
    std::vector<u8> rgb;
    EXPECT_TRUE(read_rgb(kWindowWidth, kWindowHeight, rgb));
    return rgb;
  }
  static std::array<int, 3> at(const std::vector<u8>& rgb, int x, int y) {
    const std::size_t i = static_cast<std::size_t>(y * kWindowWidth + x) * 3;
    return {rgb[i], rgb[i + 1], rgb[i + 2]};
  }
  static void paint(unsigned framebuffer, float r, float g, float b) {
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glClearColor(r, g, b, 1);
    glClear(GL_COLOR_BUFFER_BIT);
  }
  RenderTarget window_;
};

TEST_F(PicturePairTest, EachPictureLiesWhereItIsShownAndNowhereElse) {
  PicturePair pair;
  pair.resize(90, 70);
  EXPECT_NE(pair.target(0), pair.target(1));
  paint(pair.target(0), 1, 0, 0);
  paint(pair.target(1), 0, 1, 0);
  pair.clear(kWindowWidth, kWindowHeight, window_.framebuffer.get());
  pair.show(0, 0, 0, kWindowHeight, window_.framebuffer.get());
  pair.show(1, 110, 10, kWindowHeight, window_.framebuffer.get());
  const std::vector<u8> rgb = read();
  const std::array<int, 3> red = {255, 0, 0}, green = {0, 255, 0}, ground = at(rgb, 100, 60);
  EXPECT_LT(ground[0] + ground[1] + ground[2], 60);
  for (const auto& [x, y] : {std::pair{0, 0}, {89, 0}, {0, 69}, {89, 69}}) EXPECT_EQ(at(rgb, x, y), red) << x << " " << y;
  for (const auto& [x, y] : {std::pair{110, 10}, {199, 10}, {110, 79}, {199, 79}}) EXPECT_EQ(at(rgb, x, y), green) << x << " " << y;
  for (const auto& [x, y] : {std::pair{90, 0}, {0, 70}, {109, 40}, {110, 9}, {110, 80}, {199, 119}}) EXPECT_EQ(at(rgb, x, y), ground) << x << " " << y;
}

TEST_F(PicturePairTest, AWorldLooksTheSameAsInAWindowOfItsOwn) {
  const StagedScene scene = quiet_scene();
  for (const frame::DrawPath path : {frame::DrawPath::Gpu, frame::DrawPath::Cpu}) {
    frame::LookSettings looks;
    looks.draw = path;
    renderer_->set_looks(looks);
    const Picture alone = draw(scene.snapshot(), 96, 80);
    PicturePair pair;
    pair.resize(96, 80);
    for (std::size_t side = 0; side < 2; ++side) renderer_->draw(scene.snapshot(), 1.0f, pair.target(side));
    pair.clear(kWindowWidth, kWindowHeight, window_.framebuffer.get());
    for (std::size_t side = 0; side < 2; ++side) pair.show(side, side == 0 ? 3 : 102, 5, kWindowHeight, window_.framebuffer.get());
    const std::vector<u8> rgb = read();
    for (const int left : {3, 102}) {
      std::vector<u8> half;
      for (int y = 0; y < 80; ++y) {
        const u8* row = rgb.data() + static_cast<std::size_t>((y + 5) * kWindowWidth + left) * 3;
        half.insert(half.end(), row, row + 96 * 3);
      }
      EXPECT_EQ(half, alone.rgb) << "path " << static_cast<int>(path) << ", left " << left;
    }
  }
  renderer_->set_looks({});
}

}  // namespace
}  // namespace spellpool::render::test
