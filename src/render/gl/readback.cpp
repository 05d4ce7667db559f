#include <algorithm>
#include <cstring>

#include "render/gl/render_target.hpp"
#include "render/renderer.hpp"

namespace spellpool::render {
namespace {

void forget_errors() {
  while (glGetError() != GL_NO_ERROR) {
  }
}

// The bound read framebuffer's lower left as RGB, rows in GL's order. RGBA is the one format that every driver and
// WebGL must give, so the fourth byte is closed up in place.
bool read_rows(int width_px, int height_px, std::vector<u8>& rgb) {
  const std::size_t count = static_cast<std::size_t>(width_px) * static_cast<std::size_t>(height_px);
  rgb.resize(count * 4);
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glReadPixels(0, 0, width_px, height_px, GL_RGBA, GL_UNSIGNED_BYTE, rgb.data());
  if (glGetError() != GL_NO_ERROR) {
    rgb.clear();
    return false;
  }
  for (std::size_t i = 1; i < count; ++i) std::memmove(rgb.data() + 3 * i, rgb.data() + 4 * i, 3);
  rgb.resize(count * 3);
  return true;
}

}  // namespace

bool read_rgb(int width_px, int height_px, std::vector<u8>& rgb) {
  rgb.clear();
  if (width_px <= 0 || height_px <= 0) return false;
  forget_errors();
  if (!read_rows(width_px, height_px, rgb)) return false;
  const std::ptrdiff_t row = static_cast<std::ptrdiff_t>(width_px) * 3;
  for (std::ptrdiff_t y = 0; y < height_px / 2; ++y) {
    std::swap_ranges(rgb.begin() + y * row, rgb.begin() + (y + 1) * row, rgb.begin() + (height_px - 1 - y) * row);
  }
  return true;
}

bool read_rgb_scaled(int from_width_px, int from_height_px, int to_width_px, int to_height_px, std::vector<u8>& rgb) {
  rgb.clear();
  if (from_width_px <= 0 || from_height_px <= 0 || to_width_px <= 0 || to_height_px <= 0) return false;
  forget_errors();
  GLint read_before = 0;
  GLint draw_before = 0;
  glGetIntegerv(GL_READ_FRAMEBUFFER_BINDING, &read_before);
  glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &draw_before);
  const GLboolean scissor = glIsEnabled(GL_SCISSOR_TEST);
  glDisable(GL_SCISSOR_TEST);

  GLuint source = static_cast<GLuint>(read_before);
  RenderTarget previous;
  int width = from_width_px;
  int height = from_height_px;
  bool good = true;
  bool last = false;
  while (!last && good) {
    const int next_width = std::max(to_width_px, (width + 1) / 2);
    const int next_height = std::max(to_height_px, (height + 1) / 2);
    last = next_width == to_width_px && next_height == to_height_px;
    RenderTarget next = make_target(PixelFormat::Rgba8, next_width, next_height, Filter::Linear, good);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, source);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, next.framebuffer.get());
    // The last copy turns it over: GL's rows begin below.
    glBlitFramebuffer(0, 0, width, height, 0, last ? next_height : 0, next_width, last ? 0 : next_height,
                      GL_COLOR_BUFFER_BIT, GL_LINEAR);
    previous = std::move(next);
    source = previous.framebuffer.get();
    width = next_width;
    height = next_height;
  }
  good = good && glGetError() == GL_NO_ERROR;
  glBindFramebuffer(GL_READ_FRAMEBUFFER, source);
  good = good && read_rows(to_width_px, to_height_px, rgb);

  glBindFramebuffer(GL_READ_FRAMEBUFFER, static_cast<GLuint>(read_before));
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, static_cast<GLuint>(draw_before));
  if (scissor == GL_TRUE) glEnable(GL_SCISSOR_TEST);
  return good;
}

void read_rgb(const frame::PixelFrame& frame, std::vector<u8>& rgb) {
  rgb.resize(static_cast<std::size_t>(frame.width) * static_cast<std::size_t>(frame.height) * 3);
  u8* to = rgb.data();
  for (int y = 0; y < frame.height; ++y) {
    const u32* row = frame.pixels + static_cast<std::ptrdiff_t>(y) * frame.stride;
    for (int x = 0; x < frame.width; ++x) {
      *to++ = static_cast<u8>(row[x] >> 16);
      *to++ = static_cast<u8>(row[x] >> 8);
      *to++ = static_cast<u8>(row[x]);
    }
  }
}

}  // namespace spellpool::render
