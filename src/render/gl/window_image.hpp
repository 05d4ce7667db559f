#pragma once
// An image that goes from the CPU into a window: one upload and one copy, both plain memory copies on Mesa's
// software renderer. One is kept for as long as the window has its size.
#include "core/types.hpp"
#include "render/gl/render_target.hpp"

namespace spellpool::render {

struct WindowImage {
  Texture texture;
  Framebuffer framebuffer;
  int width_px = 0, height_px = 0;
};

/// The bytes of a pixel: red, green, blue; else blue, green, red, as in a window of desktop OpenGL.
inline bool red_first() { return !epoxy_is_desktop_gl(); }

/// Sets our pixel packing. Other code (a panel's library, a clip) may have changed it.
void plain_packing();

WindowImage make_window_image(int width_px, int height_px);

/// Shows pixels, top row first, `stride` a row, in a framebuffer of the image's size; it stays bound.
void show_pixels(const WindowImage& image, const u32* pixels, int stride, GLuint framebuffer);

}  // namespace spellpool::render
