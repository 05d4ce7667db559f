#include "render/gl/film.hpp"

#include <array>

#include "render/gl/window_image.hpp"

namespace spellpool::render {

void shrink(const u32* pixels, int stride, int width_px, int height_px, u32* small, int small_stride,
            int small_width_px, int small_height_px) {
  constexpr u32 kEven = 0x00FF00FFu;  // Two channels at a time: 8 values of 8 bits are one of 11.
  const u32 across = (static_cast<u32>(width_px) << 16) / static_cast<u32>(small_width_px * kSamplesAcross);  // of 65,536ths of a pixel
  for (int y = 0; y < small_height_px; ++y) {
    std::array<const u32*, kSamplesDown> rows{};
    for (int j = 0; j < kSamplesDown; ++j) {
      const int row = (y * kSamplesDown + j) * height_px / (small_height_px * kSamplesDown);
      rows[static_cast<std::size_t>(j)] = pixels + static_cast<std::ptrdiff_t>(row) * stride;
    }
    u32 at = across / 2;
    for (int x = 0; x < small_width_px; ++x) {
      u32 even = 0, odd = 0;
      for (int i = 0; i < kSamplesAcross; ++i, at += across) {
        const u32 column = at >> 16;
        for (const u32* row : rows) {
          even += row[column] & kEven;
          odd += row[column] >> 8 & kEven;
        }
      }
      small[y * small_stride + x] = (even >> 3 & kEven) | (odd << 5 & ~kEven) | 0xFF000000u;
    }
  }
}
static_assert(kSamplesAcross * kSamplesDown == 8);

Film::Film() : texels_(static_cast<std::size_t>(kColumns) * kWidth_px * kRows * kHeight_px) {
  bool complete = true;
  all_ = make_target(PixelFormat::Rgba8, kColumns * kWidth_px, kRows * kHeight_px, Filter::Linear, complete);
  twice_ = make_target(PixelFormat::Rgba8, 2 * kWidth_px, 2 * kHeight_px, Filter::Linear, complete);
  glBindFramebuffer(GL_FRAMEBUFFER, 0);
}

Film::Part Film::part(u32 place) {
  constexpr float kWide = kColumns * kWidth_px, kHigh = kRows * kHeight_px;
  const auto x = static_cast<float>(place % kColumns * kWidth_px),
             y = static_cast<float>(place / kColumns * kHeight_px);
  return {(x + 0.5f) / kWide, (y + 0.5f) / kHigh, (x + kWidth_px - 0.5f) / kWide, (y + kHeight_px - 0.5f) / kHigh};
}

void Film::take(u32 place, const u32* pixels, int stride, int width_px, int height_px) {
  constexpr int kStride = kColumns * kWidth_px;
  const auto x = static_cast<GLint>(place % kColumns) * kWidth_px,
             y = static_cast<GLint>(place / kColumns) * kHeight_px;
  u32* const small = texels_.data() + static_cast<std::ptrdiff_t>(y) * kStride + x;
  shrink(pixels, stride, width_px, height_px, small, kStride, kWidth_px, kHeight_px);
  only_in_texture_ &= ~(u64{1} << place);
  glActiveTexture(GL_TEXTURE0);
  glBindTexture(GL_TEXTURE_2D, all_.colour.get());
  plain_packing();
  const GLenum format = red_first() ? GL_RGBA : GL_BGRA,
               type = red_first() ? GL_UNSIGNED_BYTE : GL_UNSIGNED_INT_8_8_8_8_REV;
  glPixelStorei(GL_UNPACK_ROW_LENGTH, kStride);
  glTexSubImage2D(GL_TEXTURE_2D, 0, x, y, kWidth_px, kHeight_px, format, type, small);
  glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
  glBindTexture(GL_TEXTURE_2D, 0);
}

frame::PanelImage Film::image() const {
  constexpr int kWide = kColumns * kWidth_px, kHigh = kRows * kHeight_px;
  return {only_in_texture_ == 0 ? texels_.data() : nullptr, kWide, kHigh, kWide};
}

void Film::take(u32 place, GLuint framebuffer, int width_px, int height_px) {
  const auto x = static_cast<GLint>(place % kColumns) * kWidth_px,
             y = static_cast<GLint>(place / kColumns) * kHeight_px;
  const GLboolean scissor = glIsEnabled(GL_SCISSOR_TEST);
  glDisable(GL_SCISSOR_TEST);
  glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer);
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, twice_.framebuffer.get());
  glBlitFramebuffer(0, 0, width_px, height_px, 0, 0, 2 * kWidth_px, 2 * kHeight_px, GL_COLOR_BUFFER_BIT, GL_LINEAR);
  glBindFramebuffer(GL_READ_FRAMEBUFFER, twice_.framebuffer.get());
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, all_.framebuffer.get());
  // Turned over: OpenGL's lowest row is our last.
  glBlitFramebuffer(0, 0, 2 * kWidth_px, 2 * kHeight_px, x, y + kHeight_px, x + kWidth_px, y, GL_COLOR_BUFFER_BIT,
                    GL_LINEAR);
  // A window's alpha means nothing, but a panel's image is blended by it.
  only_in_texture_ |= u64{1} << place;
  glEnable(GL_SCISSOR_TEST);
  glScissor(x, y, kWidth_px, kHeight_px);
  glColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_TRUE);
  constexpr std::array<GLfloat, 4> kOpaque = {0, 0, 0, 1};
  glClearBufferfv(GL_COLOR, 0, kOpaque.data());
  glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
  if (scissor == GL_FALSE) glDisable(GL_SCISSOR_TEST);
}

}  // namespace spellpool::render
