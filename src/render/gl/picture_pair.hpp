#pragma once
// Two pictures of one size that one Renderer draws one after the other, shown beside each other in a window.
//
//   pair.resize(width, height); renderer.resize(width, height);
//   renderer.draw(left, alpha, pair.target(0));
//   renderer.draw(right, alpha, pair.target(1));
//   pair.clear(window_width, window_height); pair.show(0, x, y, window_height); pair.show(1, …);
//
// Works with both paths of the renderer, which knows nothing of it.
// Cost     a copy of each picture, some 0.1 ms at 640×480.   Memory  4 bytes a pixel each.
// Threads  the one whose GL context is current.
#include <cstddef>
#include <memory>

namespace spellpool::render {

class PicturePair {
 public:
  PicturePair();
  ~PicturePair();
  PicturePair(const PicturePair&) = delete;
  PicturePair& operator=(const PicturePair&) = delete;

  /// At least 1×1. Nothing happens where it has this size already.
  void resize(int width_px, int height_px);
  int width_px() const;
  int height_px() const;
  /// The framebuffer to draw picture 0 or 1 into.
  unsigned target(std::size_t side) const;
  /// Paints the whole window in the colour that lies between the pictures.
  void clear(int width_px, int height_px, unsigned window_framebuffer = 0) const;
  /// Puts a picture into the window: its upper left corner at x, y from the window's. Leaves the window bound.
  void show(std::size_t side, int x_px, int y_px, int window_height_px, unsigned window_framebuffer = 0) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace spellpool::render
