#include "render/gl/slot_picture.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "frame/views/slot_map_view.hpp"
#include "offscreen_context.hpp"
#include "render/gl/gl.hpp"

namespace spellpool::render {
namespace {

struct Texel {
  u8 r, g, b, a;
};

std::vector<Texel> texels_of(const SlotPicture& picture, std::size_t count) {
  std::vector<Texel> texels(count);
  GLuint framebuffer = 0;
  glGenFramebuffers(1, &framebuffer);
  glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer);
  glFramebufferTexture2D(GL_READ_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, static_cast<GLuint>(picture.texture()), 0);
  glReadPixels(0, 0, static_cast<GLsizei>(count), 1, GL_RGBA, GL_UNSIGNED_BYTE, texels.data());
  glDeleteFramebuffers(1, &framebuffer);
  return texels;
}

bool is(const Texel& texel, u8 cell) {
  const frame::SlotColour colour = frame::slot_colour(cell);
  return texel.r == colour.r && texel.g == colour.g && texel.b == colour.b && texel.a == 255;
}

TEST(SlotPicture, EveryPlaceIsATexelInItsColour) {
  const test::OffscreenContext context;
  if (!context.made()) GTEST_SKIP() << "no OpenGL here";
  SlotPicture picture;
  EXPECT_EQ(picture.texture(), 0u);
  const std::vector<u8> cells = {kSlotFree, kSlotLive, kSlotLive + 15, kSlotFilled, kSlotRetired, kSlotLive | kSlotStolen};
  picture.update(cells, 8, 1);
  const std::vector<Texel> texels = texels_of(picture, 8);
  for (std::size_t i = 0; i < cells.size(); ++i) EXPECT_TRUE(is(texels[i], cells[i])) << i;
  EXPECT_EQ(texels[6].a, 0) << "behind the last place nothing is drawn";
}

TEST(SlotPicture, OfPlacesThatShareATexelTheMostTellingIsSeen) {
  const test::OffscreenContext context;
  if (!context.made()) GTEST_SKIP() << "no OpenGL here";
  SlotPicture picture;
  const std::vector<u8> cells = {kSlotFree, kSlotLive + 9, kSlotLive + 3,           // the youngest
                                 kSlotFree, kSlotFree | kSlotStolen, kSlotLive,     // the stolen one
                                 kSlotFree, kSlotFilled, kSlotFree,                 // the filled one
                                 kSlotFree};
  picture.update(cells, 4, 3);
  const std::vector<Texel> texels = texels_of(picture, 4);
  EXPECT_TRUE(is(texels[0], kSlotLive + 3));
  EXPECT_TRUE(is(texels[1], kSlotFree | kSlotStolen));
  EXPECT_TRUE(is(texels[2], kSlotFilled));
  EXPECT_TRUE(is(texels[3], kSlotFree));
}

TEST(SlotPicture, NeighbouringStatesDifferInBrightnessToo) {
  const auto brightness = [](u8 cell) {
    const frame::SlotColour c = frame::slot_colour(cell);
    return 0.2126 * c.r + 0.7152 * c.g + 0.0722 * c.b;
  };
  EXPECT_GT(brightness(kSlotLive), brightness(kSlotLive + 8) + 30);
  EXPECT_GT(brightness(kSlotLive + 8), brightness(kSlotLive + 15) + 30);
  EXPECT_GT(brightness(kSlotLive + 15), brightness(kSlotFree) + 30);
}

}  // namespace
}  // namespace spellpool::render
