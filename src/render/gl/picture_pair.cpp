#include "render/gl/picture_pair.hpp"

#include <algorithm>
#include <array>

#include "render/gl/render_target.hpp"

namespace spellpool::render {
namespace {

/// A target whose pixels have a window's byte order on Mesa's software renderer, so that a copy between them moves
/// bytes and converts nothing (see Renderer::Impl::make_finished).
RenderTarget make_plain(int width_px, int height_px) {
  bool complete = true;
  RenderTarget made = make_target(PixelFormat::Rgba8, width_px, height_px, Filter::Nearest, complete);
  if (!epoxy_is_desktop_gl()) return made;
  glBindTexture(GL_TEXTURE_2D, made.colour.get());
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, width_px, height_px, 0, GL_BGRA, GL_UNSIGNED_INT_8_8_8_8_REV, nullptr);
  return made;
}

}  // namespace

struct PicturePair::Impl {
  std::array<RenderTarget, 2> pictures;
};

PicturePair::PicturePair() : impl_(std::make_unique<Impl>()) {}
PicturePair::~PicturePair() = default;

void PicturePair::resize(int width_px, int height_px) {
  width_px = std::max(1, width_px);
  height_px = std::max(1, height_px);
  if (width_px == this->width_px() && height_px == this->height_px()) return;
  glActiveTexture(GL_TEXTURE0);
  for (RenderTarget& picture : impl_->pictures) picture = make_plain(width_px, height_px);
}

int PicturePair::width_px() const { return impl_->pictures[0].width_px; }
int PicturePair::height_px() const { return impl_->pictures[0].height_px; }
unsigned PicturePair::target(std::size_t side) const { return impl_->pictures[side].framebuffer.get(); }

void PicturePair::clear(int width_px, int height_px, unsigned window_framebuffer) const {
  glBindFramebuffer(GL_FRAMEBUFFER, window_framebuffer);
  glViewport(0, 0, width_px, height_px);
  glDisable(GL_SCISSOR_TEST);
  glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
  glClearColor(7.0f / 255, 8.0f / 255, 15.0f / 255, 1);
  glClear(GL_COLOR_BUFFER_BIT);
}

void PicturePair::show(std::size_t side, int x_px, int y_px, int window_height_px, unsigned window_framebuffer) const {
  const RenderTarget& from = impl_->pictures[side];
  const int bottom = window_height_px - y_px - from.height_px;  // OpenGL counts rows from below
  glDisable(GL_SCISSOR_TEST);
  glBindFramebuffer(GL_READ_FRAMEBUFFER, from.framebuffer.get());
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, window_framebuffer);
  glBlitFramebuffer(0, 0, from.width_px, from.height_px, x_px, bottom, x_px + from.width_px, bottom + from.height_px,
                    GL_COLOR_BUFFER_BIT, GL_NEAREST);
  glBindFramebuffer(GL_FRAMEBUFFER, window_framebuffer);
}

}  // namespace spellpool::render
