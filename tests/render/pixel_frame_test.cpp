// Pictures that are painted into memory instead of a framebuffer, and the masks of marks on the floor.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <vector>

#include "drawn_test.hpp"
#include "render/cpu/decal_painter.hpp"
#include "render/gl/window_image.hpp"

namespace spellpool::render::test {
namespace {

class PixelFrames : public DrawnTest {
 protected:
  static constexpr u32 kUntouched = 0x12345678u;
  static frame::LookSettings looks(frame::Quality quality) {
    frame::LookSettings made;
    made.draw = frame::DrawPath::Cpu;
    made.quality = quality;
    return made;
  }
};

TEST_F(PixelFrames, APictureInMemoryIsThatOfTheFramebufferAndNothingBesideItIsTouched) {
  if (red_first()) GTEST_SKIP() << "skipped: another order of bytes";
  const StagedScene scene = quiet_scene();
  for (const frame::Quality quality : {frame::Quality::High, frame::Quality::Medium, frame::Quality::Low}) {
    for (const auto [width, height] : {std::array{1280, 720}, std::array{637, 401}, std::array{700, 520}}) {
      renderer_->set_looks(looks(quality));
      renderer_->paint_into({});
      const Picture shown = draw(scene.snapshot(), width, height);
      const int left = 5, stride = width + 24;
      std::vector<u32> memory(static_cast<std::size_t>(stride) * static_cast<std::size_t>(height), kUntouched);
      renderer_->paint_into({memory.data() + left, stride, width, height});
      renderer_->draw(scene.snapshot(), 1.0f);
      std::vector<u8> rgb;
      EXPECT_TRUE(renderer_->read_rgb(rgb));
      EXPECT_TRUE(rgb == shown.rgb) << width << "x" << height;
      for (int y = 0; y < height; ++y) {
        const u32* row = memory.data() + static_cast<std::ptrdiff_t>(y) * stride;
        for (int x = 0; x < left; ++x) ASSERT_EQ(row[x], kUntouched) << "row " << y;
        for (int x = left + width; x < stride; ++x) ASSERT_EQ(row[x], kUntouched) << "row " << y;
      }
    }
  }
  renderer_->paint_into({});
  renderer_->set_looks({});
}

TEST_F(PixelFrames, WithoutItsPanelsAPictureGoesToTheFramebuffer) {
  if (red_first()) GTEST_SKIP() << "skipped: another order of bytes";
  const StagedScene scene = quiet_scene();
  renderer_->set_looks(looks(frame::Quality::High));
  renderer_->resize(640, 360);
  std::vector<u32> memory(640 * 360);
  renderer_->paint_into({memory.data(), 640, 640, 360});
  bool complete = true;
  const RenderTarget target = make_target(PixelFormat::Rgba8, 640, 360, Filter::Nearest, complete);
  renderer_->draw_held(scene.snapshot(), 1.0f, target.framebuffer.get());
  EXPECT_FALSE(renderer_->present());
  std::vector<u8> shown, painted;
  glBindFramebuffer(GL_FRAMEBUFFER, target.framebuffer.get());
  ASSERT_TRUE(read_rgb(640, 360, shown));
  read_rgb({memory.data(), 640, 640, 360}, painted);
  EXPECT_TRUE(shown == painted);
  renderer_->paint_into({});
  renderer_->set_looks({});
}

/// A tile with all marks that touch it.
std::vector<u16> laid(const DecalPainter& painter, const CpuKernels& kernels, int left, int top) {
  RawBuffer<u16> memory;
  memory.resize(kTilePixels * 4);
  std::fill_n(memory.data(), kTilePixels * 4, u16{0});
  const TileCanvas tile{memory.data(), left, top};
  for (std::size_t i = 0; i < painter.count(); ++i) {
    const DecalPainter::Box box = painter.box(i);
    if (box.left < left + kTile_px && box.right > left && box.top < top + kTile_px && box.bottom > top) painter.lay(i, tile, kernels);
  }
  return {memory.data(), memory.data() + kTilePixels * 4};
}

TEST(MarksOnTheFloor, AMaskIsWhatItsMarkLooksLikeAndMovesWithTheCamera) {
  View view;
  view.width_px = 1280;
  view.height_px = 720;
  std::vector<frame::DecalInstance> marks;
  for (int i = 0; i < 8; ++i) {
    const float n = static_cast<float>(i);
    marks.push_back({-300.0f + 77.3f * n, -90.0f + 31.7f * n, 12.0f + 11.0f * n, 1.0f - 0.08f * n, 1.5f - 0.2f * n, 0.6f, 0.2f, n, 0.13f * n});
  }
  DecalPainter exact, masked;
  exact.set_sheet(decal_sheet_texels());
  masked.set_sheet(decal_sheet_texels());
  for (int frame = 0; frame < 6; ++frame) masked.begin_picture(view, marks, true);  // a frame makes a few
  EXPECT_EQ(masked.masks(), marks.size());
  for (const Point camera : {Point{0, 0}, Point{37, -12}, Point{-160, 90}}) {
    view.centre_x = camera.x;
    view.centre_y = camera.y;
    exact.begin_picture(view, marks);
    masked.begin_picture(view, marks, true);
    EXPECT_EQ(masked.masks(), marks.size()) << "none is made again";
    bool any = false;
    for (int top = 0; top < 720; top += kTile_px) {
      for (int left = 0; left < 1280; left += kTile_px) {
        const std::vector<u16> wanted = laid(exact, *cpu_kernels().front(), left, top);
        for (const CpuKernels* kernels : cpu_kernels()) {
          const std::vector<u16> got = laid(masked, *kernels, left, top);
          for (std::size_t i = 0; i < wanted.size(); ++i) {
            any = any || wanted[i] != 0;
            // Half a level of 255 of each of the marks that lie over each other here; 32 of the cover, and of the brightest embers 6.
            const int most = i % 4 == 3 ? 128 : 24;
            ASSERT_LE(std::abs(int{wanted[i]} - int{got[i]}), most) << kernels->name << ", number " << i << " of tile " << left << ", " << top;
          }
        }
      }
    }
    EXPECT_TRUE(any);
  }
}

TEST(MarksOnTheFloor, ARingThatIsFullMakesRoomForNewMarks) {
  View view;
  view.width_px = 640;
  view.height_px = 360;
  DecalPainter painter;
  painter.set_sheet(decal_sheet_texels());
  for (int frame = 0; frame < 400; ++frame) {
    std::vector<frame::DecalInstance> marks;
    for (int i = 0; i < 8; ++i) {
      const float born = static_cast<float>(frame / 8 + i);
      marks.push_back({-300.0f + 50.0f * static_cast<float>(i), 0.37f * born, 100.0f + 3.0f * static_cast<float>(i), 1, 0, 0, 0, 0, 0.01f * born});
    }
    painter.begin_picture(view, marks, true);
    ASSERT_LE(painter.masks(), 1024u);
    if (frame % 8 != 7) continue;  // until then, not every mark has its mask
    DecalPainter fresh;
    fresh.set_sheet(decal_sheet_texels());
    for (int i = 0; i < 8; ++i) fresh.begin_picture(view, marks, true);
    for (const int left : {128, 256, 384}) {
      const std::vector<u16> wanted = laid(fresh, *cpu_kernels().front(), left, 128);
      ASSERT_TRUE(std::ranges::any_of(wanted, [](u16 level) { return level != 0; }));
      ASSERT_TRUE(laid(painter, *cpu_kernels().front(), left, 128) == wanted) << "frame " << frame << ", tile " << left;
    }
  }
}

}  // namespace
}  // namespace spellpool::render::test
