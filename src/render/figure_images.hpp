#pragma once
// Images of figures for the CPU renderer in a window, where OpenGL runs on the processor. Waiting for OpenGL and
// reading back what it drew takes longer than the drawing. So a figure is drawn into a sheet, read when the next
// picture begins, and from then on laid on the tiles by the CPU: at its present place, with the look it had when
// it was drawn. Figures that have changed are drawn again within a budget of pixels a picture, those that have
// waited longest first. No picture waits for OpenGL.
//
// The images' pixels are a pool: FigureStore::Pool takes rectangles out of one sheet, FigureStore::MakeDestroy makes
// a texture, a framebuffer and a copy for each image, and destroys them with it. Both have the same capacity. Where a
// figure finds no room, FigurePolicy decides:
//   reject        it is drawn with the picture, as it is in each picture until it finds room
//   steal_oldest  images that were drawn longest ago lose their pixels
//   steal_least   those that cost least to draw again (pixels) lose theirs, if they cost less together than the new one
// A figure whose image was stolen is drawn with the picture from the next one on. No image that OpenGL still draws is
// stolen.
//
// The sheet is OpenGL's; `pixels` is its copy here, in the numbers of a tile (cpu_kernels.hpp), each image top
// row first. Rectangles of the sheet are whole blocks of 32×32 pixels.
//
// Memory (FigureStore::Pool): set_capacity() pictures of 8 bytes a pixel, twice (OpenGL's and the copy).
// FigureStore::Pool allocates when the size changes, never while drawing.
#include <array>
#include <memory>
#include <span>
#include <vector>

#include "frame/defs/enemy_kinds.hpp"
#include "frame/render_snapshot.hpp"
#include "frame/views/figure_pool_view.hpp"
#include "render/cpu/raw_buffer.hpp"
#include "render/gl/render_target.hpp"
#include "render/view.hpp"

namespace spellpool::render {

/// Light that falls on a figure, and where it comes from (shaders/figure_light.glsl).
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
    return kind < frame::kSpriteKindCount && kind != static_cast<u32>(SpriteKind::Beam) &&
           kind != static_cast<u32>(SpriteKind::Arc);
  }

  /// How the pixels are stored, and what happens where they do not suffice. Another store forgets all images.
  void set(frame::FigureStore store, frame::FigurePolicy policy);
  /// Pictures of pixels that all images have together. Another number forgets all images.
  void set_capacity(float pictures);
  /// All but store, policy and room, which are the settings'.
  frame::FigurePoolView stats() const;
  void reset_counts();

  /// No image is good any more: the ground behind, a shader or the size has changed.
  void forget();

  /// An image that OpenGL has drawn in the last picture, and that is to be read now.
  struct Read {
    unsigned framebuffer = 0;
    int x = 0, y = 0, width = 0, height = 0;  ///< Pixels of the framebuffer, y up; the width is a multiple of four.
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
  /// After fit(). Finds the images of the picture's figures, in their order. What can have none, or found no room, is
  /// direct(). `may_draw` false: draws() stays empty, and figures without an image are not seen.
  void plan(std::span<const SeenFigure> figures, bool may_draw = true);
  /// The first picture of its size: it waits for OpenGL, so that none of these figures is missing.
  bool is_fresh() const { return fresh_; }
  /// In such a picture, after what plan() asked for was drawn and read.
  void place_fresh(std::span<const SeenFigure> figures);

  /// A figure that is to be drawn into its image.
  struct Draw {
    const RenderTarget* target = nullptr;
    std::size_t figure = 0;
    int x = 0, y = 0, width = 0, height = 0;  ///< Its rectangle, y up.
    int viewport_x = 0, viewport_y = 0, viewport_width = 0, viewport_height = 0;
  };
  std::span<const PlacedFigure> placed() const { return placed_; }
  std::span<const Draw> draws() const { return draws_; }
  std::span<const std::size_t> direct() const { return direct_; }
  /// Of FigureStore::Pool.
  const RenderTarget& sheet() const { return sheet_; }

 private:
  struct Blocks {
    int x = 0, y = 0, width = 0, height = 0;
    bool same_size(const Blocks& other) const { return width == other.width && height == other.height; }
    bool meets(const Blocks& other) const {
      return x < other.x + other.width && other.x < x + width && y < other.y + other.height && other.y < y + height;
    }
    int count() const { return width * height; }
  };
  /// An image's own pixels: FigureStore::MakeDestroy.
  struct Surface {
    RenderTarget target;
    RawBuffer<u16> pixels;
  };
  /// A figure's box in the pixels of a picture, and how it was drawn.
  struct Shot {
    SeenFigure figure;
    Blocks blocks;
    int left = 0, top = 0, width = 0, height = 0;  // Width and height in the sheet's pixels.
    bool halved = false;
    u64 made = 0;  // Picture.
    std::shared_ptr<Surface> surface;  // Null: in the sheet.
    u64 cost_px() const { return static_cast<u64>(width * height); }
    bool same_place(const Shot& other) const {
      return surface == other.surface && blocks.x == other.blocks.x && blocks.y == other.blocks.y;
    }
  };
  /// `now` has pixels if it is ready, `next` if it is pending. Without either the figure is drawn with the picture
  /// once it was shown.
  struct Image {
    bool taken = false, ready = false, pending = false, requested = false, shown = false;
    Point seen;    // World, in the last picture.
    u64 used = 0;  // Picture.
    Shot now, next;
    int kept_left = 0, kept_top = 0, kept_right = 0, kept_bottom = 0;  // Of `now`, what is not empty.
  };

  void resize(const View& view);
  Shot shot_of(const SeenFigure& figure) const;
  bool allocate(Shot& shot);
  bool allocate_in_sheet(Blocks& blocks);
  bool make_surface(Shot& shot);
  bool make_room(Shot& shot, Image& image);
  bool make_room_in_sheet(Shot& shot, Image& image);
  bool make_room_for_surface(Shot& shot, Image& image);
  bool may_steal(const Image& from, const Image& image) const;
  void give_up(Image& image);
  void steal(Image& from);
  void set_free(const Blocks& blocks, bool free);
  void release(Shot& shot);
  void release(Image& image);
  u32 live() const;
  const u16* pixels_of(const Shot& shot, int& stride_px) const;
  int find(const SeenFigure& figure) const;
  int take();
  bool comes_in(const SeenFigure& now, const Shot& shot) const;
  void place(const Image& image, const SeenFigure& figure);
  void extend(const PlacedFigure& placed, const Image& image, int moved_y);

  frame::FigureStore store_ = frame::FigureStore::Pool;
  frame::FigurePolicy policy_ = frame::FigurePolicy::StealLeast;
  float capacity_pictures_ = frame::pictures_of(frame::FigureRoom::FiveQuarters);
  bool is_sized_ = false;
  frame::FigurePoolView counters_;
  int used_blocks_ = 0, searches_ = 0;
  std::vector<std::shared_ptr<Surface>> retired_;  // The present picture may still show them.
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
