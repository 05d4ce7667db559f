#pragma once
// Images of figures that stand still, for the CPU path, where OpenGL runs on the processor: their shaders are
// long, a copy is a tenth of the work. A figure is drawn into a cell once and copied into each picture after
// that, for as long as it looks the same: the same state, at the same part of a pixel, lit the same. Pictures
// that follow each other in a window may take an image that differs by what cannot be seen.
//
// Memory 24 cells of 128×128 units, 8 bytes a pixel: 3 MiB at 1280×720. Allocates nothing while drawing.
#include <array>
#include <span>
#include <vector>

#include "frame/render_snapshot.hpp"
#include "render/gl/render_target.hpp"
#include "render/view.hpp"

namespace spellpool::render {

/// Light that falls on a figure, and where it comes from (shaders/sprite.vert).
struct FigureLight {
  float r = 0, g = 0, b = 0, towards_x = 0, towards_y = 0;
  bool operator==(const FigureLight&) const = default;
};

class KeptFigures {
 public:
  static constexpr int kColumns = 4, kCells = 24;
  static constexpr float kCell_units = 128.0f;

  /// The kinds whose look depends on their state, place and light alone, and which stand or drift slowly:
  /// others would never be found again.
  static bool keeps(u32 kind) {
    using frame::SpriteKind;
    const auto is = [kind](SpriteKind one) { return kind == static_cast<u32>(one); };
    return is(SpriteKind::Mage) || is(SpriteKind::Dummy) || is(SpriteKind::Crystal) || is(SpriteKind::Wisp);
  }

  /// Nothing is kept any more: the ground behind, a shader or the size has changed.
  void forget();
  /// `late`: a figure may look as it did in the last picture while it differs by little. Without it an image
  /// is copied only where it would be drawn again bit for bit, so that a picture does not depend on the last
  /// one.
  void begin_picture(const View& view, bool late);

  struct Place {
    int cell = -1;       ///< −1: there is none for it; it is drawn as usual.
    bool drawn = false;  ///< The cell holds it already.
    int from_x = 0,
        from_y = 0;  ///< Added to a pixel of the picture (OpenGL's, y up) it is a pixel of the cells.
  };
  /// Where a figure's image is or is to be drawn. `place` in the world at this moment.
  Place find(const frame::SpriteInstance& sprite, Point place, const Box& box, const FigureLight& light);

  const RenderTarget& target() const { return target_; }
  int side_px() const { return side_px_; }
  static Point corner(int cell, int side_px) {
    return {static_cast<float>(cell % kColumns * side_px), static_cast<float>(cell / kColumns * side_px)};
  }
  int drawn() const { return drawn_; }  ///< Of this picture.
  int copied() const { return copied_; }

 private:
  struct Cell {
    bool holds = false;
    u32 kind = 0, ordinal = 0;
    u64 used = 0, made = 0;  // Pictures.
    frame::SpriteInstance sprite;
    Point place;  // World.
    float screen_x = 0, screen_y = 0;
    int from_x = 0, from_y = 0;
    FigureLight light;
  };
  bool same(const Cell& cell, const frame::SpriteInstance& sprite, Point place,
            const FigureLight& light) const;

  RenderTarget target_;
  int side_px_ = 0;
  View view_;
  u64 picture_ = 0;
  bool late_ = false;
  std::array<Cell, kCells> cells_{};
  std::array<u32, static_cast<std::size_t>(frame::SpriteKind::Beam) + 1>
      seen_{};  // By kind, in this picture.
  int drawn_ = 0, copied_ = 0;
};

}  // namespace spellpool::render
