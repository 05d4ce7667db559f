#pragma once
// A texture that can be drawn into, with its framebuffer. Move-only; freed with its GL context current.
#include "render/gl/gl.hpp"

#include <utility>

namespace spellpool::render {

/// Owns one GL name; Free is the call that gives it back.
template <void (*Free)(GLuint)>
class GlName {
 public:
  GlName() = default;
  explicit GlName(GLuint id) : id_(id) {}
  GlName(GlName&& other) noexcept : id_(std::exchange(other.id_, 0)) {}
  GlName& operator=(GlName&& other) noexcept {
    std::swap(id_, other.id_);
    return *this;
  }
  ~GlName() {
    if (id_ != 0) Free(id_);
  }
  GLuint get() const { return id_; }
  explicit operator bool() const { return id_ != 0; }

 private:
  GLuint id_ = 0;
};

void free_texture(GLuint id);
void free_framebuffer(GLuint id);
void free_buffer(GLuint id);
void free_vertex_array(GLuint id);
using Texture = GlName<free_texture>;
using Framebuffer = GlName<free_framebuffer>;
using Buffer = GlName<free_buffer>;
using VertexArray = GlName<free_vertex_array>;

Buffer make_buffer();
VertexArray make_vertex_array();

enum class PixelFormat : unsigned char { Rgba8, Rgba16f };
enum class Filter : unsigned char { Nearest, Linear };

/// Texture of at least 1×1 pixels, clamped at its edges, undefined content.
Texture make_texture(PixelFormat format, int width_px, int height_px, Filter filter);

struct RenderTarget {
  Texture colour;
  Framebuffer framebuffer;
  int width_px = 0, height_px = 0;
  /// Binds it and sets the viewport.
  void begin() const;
};

/// A target of its own, or with `second` a framebuffer that writes both (same size).
/// False in `complete` if the driver cannot draw into it.
RenderTarget make_target(PixelFormat format, int width_px, int height_px, Filter filter, bool& complete);
Framebuffer make_pair(const RenderTarget& first, const RenderTarget& second, bool& complete);

}  // namespace spellpool::render
