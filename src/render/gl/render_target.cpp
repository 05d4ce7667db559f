#include "render/gl/render_target.hpp"

#include <algorithm>

namespace spellpool::render {

namespace {

/// Of the bound framebuffer. Not where the answer takes long: Renderer::Impl::probe_half_floats() has asked for each
/// format.
void check_complete(bool& complete) {
  if (!is_remote_gl() && glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE) complete = false;
}

}  // namespace

void free_texture(GLuint id) { glDeleteTextures(1, &id); }
void free_framebuffer(GLuint id) { glDeleteFramebuffers(1, &id); }
void free_buffer(GLuint id) { glDeleteBuffers(1, &id); }
void free_vertex_array(GLuint id) { glDeleteVertexArrays(1, &id); }

Buffer make_buffer() {
  GLuint id = 0;
  glGenBuffers(1, &id);
  return Buffer(id);
}

VertexArray make_vertex_array() {
  GLuint id = 0;
  glGenVertexArrays(1, &id);
  return VertexArray(id);
}

Texture make_texture(PixelFormat format, int width_px, int height_px, Filter filter) {
  GLuint id = 0;
  glGenTextures(1, &id);
  glBindTexture(GL_TEXTURE_2D, id);
  const bool half = format == PixelFormat::Rgba16f;
  glTexImage2D(GL_TEXTURE_2D, 0, half ? GL_RGBA16F : GL_RGBA8, std::max(1, width_px), std::max(1, height_px), 0,
               GL_RGBA, half ? GL_HALF_FLOAT : GL_UNSIGNED_BYTE, nullptr);
  const GLint mode = filter == Filter::Linear ? GL_LINEAR : GL_NEAREST;
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, mode);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, mode);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
  return Texture(id);
}

void RenderTarget::begin() const {
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer.get());
  glViewport(0, 0, width_px, height_px);
}

RenderTarget make_target(PixelFormat format, int width_px, int height_px, Filter filter, bool& complete) {
  RenderTarget target;
  target.width_px = std::max(1, width_px);
  target.height_px = std::max(1, height_px);
  target.colour = make_texture(format, target.width_px, target.height_px, filter);
  GLuint id = 0;
  glGenFramebuffers(1, &id);
  target.framebuffer = Framebuffer(id);
  glBindFramebuffer(GL_FRAMEBUFFER, id);
  glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, target.colour.get(), 0);
  check_complete(complete);
  return target;
}

Framebuffer make_pair(const RenderTarget& first, const RenderTarget& second, bool& complete) {
  GLuint id = 0;
  glGenFramebuffers(1, &id);
  glBindFramebuffer(GL_FRAMEBUFFER, id);
  glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, first.colour.get(), 0);
  glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT1, GL_TEXTURE_2D, second.colour.get(), 0);
  const GLenum both[] = {GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1};
  glDrawBuffers(2, both);
  check_complete(complete);
  return Framebuffer(id);
}

}  // namespace spellpool::render
