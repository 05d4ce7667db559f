#include "render/gl/window_image.hpp"

#include <algorithm>

#include "render/cpu/cpu_canvas.hpp"
#include "render/cpu/panel_painter.hpp"
#include "render/renderer.hpp"

namespace spellpool::render {

void plain_packing() {
  glPixelStorei(GL_PACK_ALIGNMENT, 4);
  glPixelStorei(GL_PACK_ROW_LENGTH, 0);
  glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
  glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
  glPixelStorei(GL_UNPACK_SKIP_PIXELS, 0);
  glPixelStorei(GL_UNPACK_SKIP_ROWS, 0);
}

WindowImage make_window_image(int width_px, int height_px) {
  WindowImage made;
  made.width_px = width_px;
  made.height_px = height_px;
  GLuint id = 0;
  glGenTextures(1, &id);
  made.texture = Texture(id);
  glActiveTexture(GL_TEXTURE0);
  glBindTexture(GL_TEXTURE_2D, id);
  if (epoxy_is_desktop_gl()) {
    // Unsized RGBA that is filled as BGRA gets the byte order of a window's pixels on Mesa's software
    // renderer, so that upload and copy are plain memory copies there: 0.2 ms at 1280×720, where sized RGBA8
    // takes 4.
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, width_px, height_px, 0, GL_BGRA, GL_UNSIGNED_INT_8_8_8_8_REV,
                 nullptr);
  } else {
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width_px, height_px, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
  }
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
  glGenFramebuffers(1, &id);
  made.framebuffer = Framebuffer(id);
  glBindFramebuffer(GL_FRAMEBUFFER, id);
  glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, made.texture.get(), 0);
  return made;
}

void show_pixels(const WindowImage& image, const u32* pixels, int stride, GLuint framebuffer) {
  const int width = image.width_px, height = image.height_px;
  glActiveTexture(GL_TEXTURE0);
  glBindTexture(GL_TEXTURE_2D, image.texture.get());
  plain_packing();
  glPixelStorei(GL_UNPACK_ROW_LENGTH, stride);
  if (red_first()) {
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
  } else {
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, width, height, GL_BGRA, GL_UNSIGNED_INT_8_8_8_8_REV, pixels);
  }
  glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
  glBindFramebuffer(GL_READ_FRAMEBUFFER, image.framebuffer.get());
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, framebuffer);
  // Our top row is OpenGL's lowest: the copy turns it over, which for a window is no turn at all.
  glBlitFramebuffer(0, 0, width, height, 0, height, width, 0, GL_COLOR_BUFFER_BIT, GL_NEAREST);
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
}

bool show_panels(const frame::PanelMesh& mesh, int width_px, int height_px) {
  if (width_px <= 0 || height_px <= 0) return false;
  while (glGetError() != GL_NO_ERROR) {
  }
  RawBuffer<u32> pixels;
  pixels.resize(static_cast<std::size_t>(width_px) * static_cast<std::size_t>(height_px));
  constexpr u32 kBlack = 0xFF000000u;
  std::fill_n(pixels.data(), pixels.size(), kBlack);
  paint_panels(mesh, {pixels.data(), width_px, width_px, height_px, red_first()});
  show_pixels(make_window_image(width_px, height_px), pixels.data(), width_px, 0);
  return glGetError() == GL_NO_ERROR;
}

}  // namespace spellpool::render
