#pragma once
// Small pictures of the game's frames, all in one texture, for the past's bar.
//
// Memory  one texture of kPlaces pictures, 2.3 MB, the same here for those that came from memory, and two small
//         targets; all made at the start.
// Cost    of a picture: from memory (the CPU path) eight reads a pixel and an upload of 36 KB; from a framebuffer two
//         copies of 256×144 and 128×72 pixels that stay on the GPU: nothing is read back.
// Threads the one whose GL context is current. Leaves no framebuffer of its own bound.
#include <vector>

#include "core/types.hpp"
#include "frame/panel_mesh.hpp"
#include "render/gl/render_target.hpp"

namespace spellpool::render {

class Film {
 public:
  static constexpr int kWidth_px = 128, kHeight_px = 72, kColumns = 8, kRows = 8;
  static constexpr u32 kPlaces = kColumns * kRows;

  Film();
  /// From pixels of a window's byte order (window_image.hpp), top row first.
  void take(u32 place, const u32* pixels, int stride, int width_px, int height_px);
  /// From the lower left of a framebuffer, which stays bound.
  void take(u32 place, GLuint framebuffer, int width_px, int height_px);
  /// OpenGL's name. Linear filter, each picture's top row first.
  u64 texture() const { return all_.colour.get(); }
  /// The same for panels that are painted on the CPU. No texels while a picture that came from a framebuffer is among
  /// them.
  frame::PanelImage image() const;
  /// The pictures taken so far are no longer shown.
  void forget() { only_in_texture_ = 0; }

  /// Where a picture lies in the texture, 0 … 1: half a texel inside its edges, so that no neighbour shines in.
  struct Part {
    float u0, v0, u1, v1;
  };
  static Part part(u32 place);

 private:
  RenderTarget all_, twice_;
  std::vector<u32> texels_;  // of the whole texture, in the window's byte order
  u64 only_in_texture_ = 0;  // a bit of each place
};

/// Each pixel of the result is the mean of eight of those that it covers, and opaque. No side may be 0. Few rows are
/// read: where a frame does not lie in the cache, they are the cost.
inline constexpr int kSamplesAcross = 4, kSamplesDown = 2;
void shrink(const u32* pixels, int stride, int width_px, int height_px, u32* small, int small_stride,
            int small_width_px, int small_height_px);

}  // namespace spellpool::render
