#include <cstring>

#include "render/gl.hpp"
#include "render/renderer.hpp"

namespace spellpool::render {

bool read_rgb(int width_px, int height_px, std::vector<u8>& rgb) {
  rgb.clear();
  if (width_px <= 0 || height_px <= 0) return false;
  while (glGetError() != GL_NO_ERROR) {
  }
  const std::size_t width = static_cast<std::size_t>(width_px);
  const std::size_t height = static_cast<std::size_t>(height_px);
  // RGBA is the one format that every driver and WebGL must give.
  std::vector<u8> rgba(width * height * 4);
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glReadPixels(0, 0, width_px, height_px, GL_RGBA, GL_UNSIGNED_BYTE, rgba.data());
  if (glGetError() != GL_NO_ERROR) return false;
  rgb.resize(width * height * 3);
  for (std::size_t y = 0; y < height; ++y) {
    const u8* from = rgba.data() + (height - 1 - y) * width * 4;
    u8* to = rgb.data() + y * width * 3;
    for (std::size_t x = 0; x < width; ++x) std::memcpy(to + 3 * x, from + 4 * x, 3);
  }
  return true;
}

}  // namespace spellpool::render
