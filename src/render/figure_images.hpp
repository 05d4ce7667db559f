#pragma once
// Images of figures for the CPU renderer in a window, where OpenGL runs on the processor. Waiting for OpenGL and
// reading back what it drew takes longer than the drawing. So a figure is drawn into a sheet, read when the next
// picture begins, and from then on laid on the tiles by the CPU: at its present place, with the look it had when
// it was drawn. Figures that have changed are drawn again within a budget of pixels a picture, those that have
// waited longest first. No picture waits for OpenGL.
//
// The sheet is OpenGL's; `pixels` is its copy here, in the numbers of a tile (cpu_kernels.hpp), each image top
// row first. Rectangles of the sheet are whole blocks of 32×32 pixels.
//
// Memory 1.25 pictures of 8 bytes a pixel, twice (OpenGL's and the copy). Allocates when the size changes, never
// while drawing.
#include <array>
#include <span>
#include <vector>

#include "frame/enemy_kinds.hpp"
#include "frame/render_snapshot.hpp"
#include "render/cpu/raw_buffer.hpp"
#include "render/gl/render_target.hpp"
#include "render/view.hpp"

namespace spellpool::render {

/// Light that falls on a figure, and where it comes from (shaders/sprite.vert).
struct FigureLight {
  float r = 0, g = 0, b = 0, towards_x = 0, towards_y = 0;
};

/// A figure as the present picture has it.
struct SeenFigure {
  frame::SpriteInstance sprite;
  Point place;   ///< World, at this moment.
  Point screen;  ///< The same in pixels.
  Box box;       ///< Pixels, around `screen`.
  FigureLight light;
};

/// An image's place on the picture.
struct PlacedFigure {
  const u16* pixels = nullptr;  ///< Of its pixel (left, top); of a halved one of its first pixel.
  int stride_px = 0;
  int left = 0, top = 0, right = 0, bottom = 0;  ///< Pixels of the picture that it covers, the last ones outside.
  /// It has half the pixels each way, `width`×`height`, and `pixels` begins at (from_x, from_y) of the picture.
  bool halved = false;
  int from_x = 0, from_y = 0, width = 0, height = 0;
};

class FigureImages {
 public:
  static constexpr int kMostImages = 192, kBlock_px = 32;
  /// Long figures are thin and lie across the picture: OpenGL draws them into the picture itself.
  static bool keeps(u32 kind) {
    using frame::SpriteKind;
    return kind < frame::kSpriteKindCount && kind != static_cast<u32>(SpriteKind::Beam) && kind != static_cast<u32>(SpriteKind::Arc);
  }

  /// No image is good any more: the ground behind, a shader or the size has changed.
  void forget();

  /// An image that OpenGL has drawn in the last picture, and that is to be read now.
  struct Read {
    int x = 0, y = 0, width = 0, height = 0;  ///< Pixels of the sheet, y up; the width is a multiple of four.
    u16* pixels = nullptr;                    ///< Where its top row goes …
    int stride_px = 0;                        ///< … and the step to the next.
    int image = 0;
    u64 made = 0;                             ///< Picture.
    std::size_t halves() const { return static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * 4; }
  };
  std::span<const Read> to_read();
  /// Those of to_read() are read in a later picture, and not drawn again until then.
  void set_requested();
  /// Such an image is still wanted as it was drawn.
  bool awaits(const Read& read) const;
  /// After it was read: what of it is not empty, in its pixels.
  void set_read(const Read& read, int left, int top, int right, int bottom);

  /// Of the picture to come: another size forgets all images.
  void fit(const View& view);
  /// After fit(). Finds the images of the picture's figures, in their order. What can have none, or found no room, is direct().
  /// `may_draw` false: draws() stays empty, and figures without an image are not seen.
  void plan(std::span<const SeenFigure> figures, bool may_draw = true);
  /// The first picture of its size: it waits for OpenGL, so that no figure is missing.
  bool is_fresh() const { return fresh_; }
  /// In such a picture, after what plan() asked for was drawn and read.
  void place_fresh(std::span<const SeenFigure> figures);

  /// A figure that is to be drawn into the sheet.
  struct Draw {
    std::size_t figure = 0;
    int x = 0, y = 0, width = 0, height = 0;  ///< Its rectangle, y up.
    int viewport_x = 0, viewport_y = 0, viewport_width = 0, viewport_height = 0;
  };
  std::span<const PlacedFigure> placed() const { return placed_; }
  std::span<const Draw> draws() const { return draws_; }
  std::span<const std::size_t> direct() const { return direct_; }
  /// The sheet that draws() are for.
  const RenderTarget& sheet() const { return sheet_; }

 private:
  struct Blocks {
    int x = 0, y = 0, width = 0, height = 0;
    bool same_size(const Blocks& other) const { return width == other.width && height == other.height; }
  };
  /// A figure's box in the pixels of a picture, and how it was drawn.
  struct Shot {
    SeenFigure figure;
    Blocks blocks;
    int left = 0, top = 0, width = 0, height = 0;  // Width and height in the sheet's pixels.
    bool halved = false;
    u64 made = 0;  // Picture.
  };
  struct Image {
    bool taken = false, ready = false, pending = false, requested = false;
    Point seen;    // World, in the last picture.
    u64 used = 0;  // Picture.
    Shot now, next;
    int kept_left = 0, kept_top = 0, kept_right = 0, kept_bottom = 0;  // Of `now`, what is not empty.
  };

  void resize(const View& view);
  Shot shot_of(const SeenFigure& figure) const;
  bool allocate(Blocks& blocks);
  void release(const Blocks& blocks);
  void set_free(const Blocks& blocks, bool free);
  void release(Image& image);
  int find(const SeenFigure& figure) const;
  int take();
  bool comes_in(const SeenFigure& now, const Shot& shot) const;
  void place(const Image& image, const SeenFigure& figure);
  void extend(const PlacedFigure& placed, const Image& image, int moved_y);

  RenderTarget sheet_;
  RawBuffer<u16> pixels_;
  View view_;
  int width_ = 0, height_ = 0;  // Blocks.
  std::vector<u64> free_;       // By row of blocks, a bit each.
  u64 picture_ = 0;
  bool fresh_ = true;
  std::array<Image, kMostImages> images_{};
  std::vector<Read> reads_;
  std::vector<PlacedFigure> placed_;
  std::vector<Draw> draws_;
  std::vector<std::size_t> direct_;
  struct Wanted {
    u64 rank = 0;
    std::size_t figure = 0;
    int image = 0;
  };
  std::vector<Wanted> wanted_;
  std::vector<int> image_of_;
};

}  // namespace spellpool::render
