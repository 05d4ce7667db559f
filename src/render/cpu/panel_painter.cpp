#include "render/cpu/panel_painter.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

namespace spellpool::render {
namespace {

using frame::PanelVertex;

constexpr int kPlaceBits = 8;
constexpr int kPlaces = 1 << kPlaceBits;   ///< A pixel, in the units of Corner.
constexpr int kMiddle = kPlaces / 2;
constexpr float kFurthest_px = 32000.0f;
constexpr float kFurthestTexture = 16.0f;
constexpr u32 kFullCover = 256;
constexpr u32 kEvenBytes = 0x00FF00FFu;
constexpr u32 kHalves = 0x00800080u;

struct Corner {
  int x = 0, y = 0;
};

struct Box {
  int left = 0, top = 0, right = 0, bottom = 0;
  bool empty() const { return left >= right || top >= bottom; }
};

/// 0 … 255 as 0 … 256.
u32 cover_of(u32 byte) { return byte + (byte >> 7); }

// ---------------------------------------------------------------------------------------------------- pixels

/// A colour, its bytes in the picture's order, opaque: so an opaque picture stays it.
struct Ink {
  u32 even = 0, odd = 0;
  explicit Ink(u32 colour) : even(colour & kEvenBytes), odd((colour >> 8 & 0xFFu) | 0x00FF0000u) {}
};

u32 blend(u32 under, Ink ink, u32 cover) {
  const u32 left = kFullCover - cover;
  const u32 even = ((under & kEvenBytes) * left + ink.even * cover + kHalves) >> 8 & kEvenBytes;
  const u32 odd = ((under >> 8 & kEvenBytes) * left + ink.odd * cover + kHalves) & ~kEvenBytes;
  return even | odd;
}

typedef u16 Lanes __attribute__((vector_size(16)));

Lanes in_all(u32 pair) {
  const u16 low = static_cast<u16>(pair), high = static_cast<u16>(pair >> 16);
  return Lanes{low, high, low, high, low, high, low, high};
}

/// blend() over a run of pixels.
void lay_even(u32* pixels, int count, Ink ink, u32 cover) {
  if (cover == kFullCover) {
    std::fill_n(pixels, count, ink.even | ink.odd << 8);
    return;
  }
  const Lanes even = in_all(ink.even * cover + kHalves), odd = in_all(ink.odd * cover + kHalves);
  const u16 left = static_cast<u16>(kFullCover - cover);
  int i = 0;
  for (; i + 4 <= count; i += 4) {
    Lanes under;
    std::memcpy(&under, pixels + i, sizeof under);
    const Lanes made = ((under & 0xFF) * left + even) >> 8 | (((under >> 8) * left + odd) & 0xFF00);
    std::memcpy(pixels + i, &made, sizeof made);
  }
  for (; i < count; ++i) pixels[i] = blend(pixels[i], ink, cover);
}

// ---------------------------------------------------------------------------------------------------- atlas

class Atlas {
 public:
  explicit Atlas(const frame::PanelMesh& mesh)
      : texels_(mesh.atlas), width_(mesh.atlas_width), height_(mesh.atlas_height),
        most_x_(static_cast<float>((width_ - 1) * kPlaces)), most_y_(static_cast<float>((height_ - 1) * kPlaces)) {}

  /// In 1/256 texel from the middle of the first, inside the atlas.
  int place_x(float u) const { return static_cast<int>(std::clamp(u * places_x() - kMiddle + 0.5f, 0.0f, most_x_)); }
  int place_y(float v) const { return static_cast<int>(std::clamp(v * places_y() - kMiddle + 0.5f, 0.0f, most_y_)); }
  float places_x() const { return static_cast<float>(width_ * kPlaces); }
  float places_y() const { return static_cast<float>(height_ * kPlaces); }

  /// 0 … 256.
  u32 cover(int x, int y) const {
    const u32 s = static_cast<u32>(x & (kPlaces - 1)), t = static_cast<u32>(y & (kPlaces - 1));
    const int right = s != 0, down = t != 0 ? width_ : 0;
    const u8* at = texels_ + static_cast<std::ptrdiff_t>(y >> kPlaceBits) * width_ + (x >> kPlaceBits);
    const u32 upper = at[0] * (256 - s) + at[right] * s;
    if (t == 0) return cover_of((upper + 128) >> 8);
    const u32 lower = at[down] * (256 - s) + at[down + right] * s;
    return cover_of((upper * (256 - t) + lower * t + 32768) >> 16);
  }

  /// The same for a triangle that reads one place only. Most read the white texel: it is remembered.
  u32 cover_at(float u, float v) {
    if (u != last_u_ || v != last_v_) {
      last_u_ = u;
      last_v_ = v;
      last_cover_ = cover(place_x(u), place_y(v));
    }
    return last_cover_;
  }

 private:
  const u8* texels_;
  int width_, height_;
  float most_x_, most_y_;
  float last_u_ = -1e9f, last_v_ = -1e9f;
  u32 last_cover_ = 0;
};

// ---------------------------------------------------------------------------------------------------- images

/// Reads an image as OpenGL does with a linear filter, clamped to its edges.
class Image {
 public:
  explicit Image(const frame::PanelImage& image)
      : image_(image),
        most_x_(static_cast<float>((image.width - 1) * kPlaces)),
        most_y_(static_cast<float>((image.height - 1) * kPlaces)) {}

  u32 at(float u, float v) const {
    const int x =
        static_cast<int>(std::clamp(u * static_cast<float>(image_.width * kPlaces) - kMiddle + 0.5f, 0.0f, most_x_));
    const int y =
        static_cast<int>(std::clamp(v * static_cast<float>(image_.height * kPlaces) - kMiddle + 0.5f, 0.0f, most_y_));
    const u32 s = static_cast<u32>(x & (kPlaces - 1)), t = static_cast<u32>(y & (kPlaces - 1));
    const int right = s != 0, down = t != 0 ? image_.stride : 0;
    const u32* texel = image_.texels + static_cast<std::ptrdiff_t>(y >> kPlaceBits) * image_.stride + (x >> kPlaceBits);
    return mix(mix(texel[0], texel[right], s), mix(texel[down], texel[down + right], s), t);
  }

 private:
  /// Two bytes at a time, rounded.
  static u32 mix(u32 a, u32 b, u32 part) {
    const u32 even = ((a & kEvenBytes) * (256 - part) + (b & kEvenBytes) * part + kHalves) >> 8 & kEvenBytes;
    const u32 odd = ((a >> 8 & kEvenBytes) * (256 - part) + (b >> 8 & kEvenBytes) * part + kHalves) & ~kEvenBytes;
    return even | odd;
  }

  const frame::PanelImage& image_;
  float most_x_, most_y_;
};

/// Byte by byte, of 255.
u32 tinted(u32 texel, u32 tint) {
  if ((tint & 0x00FFFFFFu) == 0x00FFFFFFu) return texel;
  u32 colour = 0;
  for (u32 byte = 0; byte < 3; ++byte) {
    const u32 product = (texel >> 8 * byte & 255u) * (tint >> 8 * byte & 255u) + 127;
    colour |= product / 255 << 8 * byte;
  }
  return colour;
}

// ---------------------------------------------------------------------------------------------------- edges

/// Rounded down; `below` > 0. Both are exact as doubles: a whole division of 64 bits takes several times as long.
i64 divide(i64 above, i64 below) {
  i64 quotient = static_cast<i64>(static_cast<double>(above) / static_cast<double>(below));
  const i64 rest = above - quotient * below;
  if (rest < 0) --quotient;
  else if (rest >= below) ++quotient;
  return quotient;
}

/// The first column whose middle is not left of a place.
int first_column(int place) { return (place + kMiddle - 1) >> kPlaceBits; }
/// The first row whose middle is below a place. A middle on the place itself belongs to what is above, as with OpenGL,
/// which counts rows upwards: words that lie between two rows show it.
int first_row(int place) { return (place + kMiddle) >> kPlaceBits; }

/// Walks an edge down the rows: at() is the first column whose middle is not left of it. The same two corners give the
/// same columns, whichever triangle asks.
class Edge {
 public:
  /// Needs upper.y < lower.y.
  Edge(Corner upper, Corner lower, int row) {
    const i64 dx = lower.x - upper.x, dy = lower.y - upper.y;
    whole_ = kPlaces * dy;
    const i64 place = (upper.x - kMiddle) * dy + (i64{row} * kPlaces + kMiddle - upper.y) * dx + whole_ - 1;
    at_ = divide(place, whole_);
    rest_ = place - at_ * whole_;
    step_ = divide(dx, dy);
    step_rest_ = kPlaces * (dx - step_ * dy);
  }
  int at() const { return static_cast<int>(at_); }
  void down() {
    at_ += step_;
    rest_ += step_rest_;
    if (rest_ >= whole_) {
      rest_ -= whole_;
      ++at_;
    }
  }

 private:
  i64 at_, rest_, step_, step_rest_, whole_;
};

/// Calls run(row, first column, count) for each row of a triangle.
template <class Run>
void for_each_run(std::array<Corner, 3> corners, const Box& box, Run&& run) {
  auto& [a, b, c] = corners;
  if (b.y < a.y) std::swap(a, b);
  if (c.y < b.y) std::swap(b, c);
  if (b.y < a.y) std::swap(a, b);
  const int top = std::max(first_row(a.y), box.top), bottom = std::min(first_row(c.y), box.bottom);
  if (top >= bottom) return;
  const bool bends_right = i64{b.x - a.x} * (c.y - a.y) > i64{c.x - a.x} * (b.y - a.y);
  const int bend = std::clamp(first_row(b.y), top, bottom);
  Edge through(a, c, top);
  const auto half = [&](Corner upper, Corner lower, int from, int to) {
    if (from >= to) return;
    Edge side(upper, lower, from);
    for (int row = from; row < to; ++row) {
      const int left = std::max(bends_right ? through.at() : side.at(), box.left);
      const int right = std::min(bends_right ? side.at() : through.at(), box.right);
      if (left < right) run(row, left, right - left);
      side.down();
      through.down();
    }
  };
  half(a, b, top, bend);
  half(b, c, bend, bottom);
}

/// A number that changes evenly over a triangle, by pixels from its first corner.
struct Slope {
  float first = 0, right = 0, down = 0;
  float at(float x, float y) const { return first + right * x + down * y; }
};

/// Makes slopes over a triangle.
struct Plane {
  explicit Plane(const std::array<Corner, 3>& corners) {
    constexpr float kPixel = 1.0f / kPlaces;
    x1 = static_cast<float>(corners[1].x - corners[0].x) * kPixel,
    y1 = static_cast<float>(corners[1].y - corners[0].y) * kPixel;
    x2 = static_cast<float>(corners[2].x - corners[0].x) * kPixel,
    y2 = static_cast<float>(corners[2].y - corners[0].y) * kPixel;
    const float area = x1 * y2 - x2 * y1;
    there = area != 0.0f;
    per_area = there ? 1.0f / area : 0.0f;
    from_x = 0.5f - static_cast<float>(corners[0].x) * kPixel,
    from_y = 0.5f - static_cast<float>(corners[0].y) * kPixel;
  }
  Slope slope(float w0, float w1, float w2) const {
    const float d1 = w1 - w0, d2 = w2 - w0;
    return {w0, (d1 * y2 - d2 * y1) * per_area, (d2 * x1 - d1 * x2) * per_area};
  }

  float x1, y1, x2, y2, per_area;
  float from_x, from_y;  ///< From a pixel's upper left to its middle, from the first corner.
  bool there;            ///< It has an area.
};

// ---------------------------------------------------------------------------------------------------- painter

class Painter {
 public:
  Painter(const frame::PanelMesh& mesh, const PanelTarget& target) : mesh_(mesh), target_(target), atlas_(mesh) {}

  void paint(const frame::PanelCommand& command) {
    box_ = {std::max(command.left, 0), std::max(command.top, target_.first_row), std::min(command.right, target_.width),
            std::min(command.bottom, target_.height)};
    if (box_.empty() || command.first_index > mesh_.indices.size()) return;
    if (command.image >= static_cast<int>(mesh_.images.size())) return;
    const frame::PanelImage* const image =
        command.image < 0 ? nullptr : &mesh_.images[static_cast<std::size_t>(command.image)];
    if (image != nullptr &&
        (image->texels == nullptr || image->width <= 0 || image->height <= 0 || image->stride < image->width))
      return;
    const u32* index = mesh_.indices.data() + command.first_index;
    u32 left = static_cast<u32>(std::min<std::size_t>(command.index_count, mesh_.indices.size() - command.first_index));
    for (; image != nullptr && left >= 3; index += 3, left -= 3) picture(index, Image(*image));
    while (left >= 3) {
      if (left >= 6 && rectangle(index)) {
        index += 6;
        left -= 6;
      } else {
        triangle(index);
        index += 3;
        left -= 3;
      }
    }
  }

 private:
  const PanelVertex* vertex(u32 index) const {
    return index < mesh_.vertices.size() ? &mesh_.vertices[index] : nullptr;
  }
  static bool sane(const PanelVertex& v) {
    return std::abs(v.x) <= kFurthest_px && std::abs(v.y) <= kFurthest_px && std::abs(v.u) <= kFurthestTexture &&
           std::abs(v.v) <= kFurthestTexture;
  }
  /// Rounded down by hand: std::floor() is a call where the processor is not known to have more than SSE2.
  static int place(float px) {
    const float places = px * kPlaces + 0.5f;
    const int cut = static_cast<int>(places);
    return cut - (static_cast<float>(cut) > places);
  }
  u32 ordered(u32 rgba) const {
    return target_.red_first ? rgba : (rgba & 0xFF00FF00u) | (rgba >> 16 & 0xFFu) | (rgba & 0xFFu) << 16;
  }
  u32* pixels(int row, int column) const {
    return target_.pixels + static_cast<std::ptrdiff_t>(row) * target_.stride + column;
  }

  /// An upright rectangle of one colour, as two triangles: nearly all fills and letters. False: it is none.
  bool rectangle(const u32* index) {
    if (index[0] != index[3] || index[2] != index[4]) return false;
    const PanelVertex *a = vertex(index[0]), *b = vertex(index[1]), *c = vertex(index[2]), *d = vertex(index[5]);
    if (a == nullptr || b == nullptr || c == nullptr || d == nullptr) return false;
    if (a->y != b->y || b->x != c->x || c->y != d->y || d->x != a->x || !(a->x < c->x && a->y < c->y)) return false;
    if (a->v != b->v || b->u != c->u || c->v != d->v || d->u != a->u) return false;
    if (a->rgba != b->rgba || a->rgba != c->rgba || a->rgba != d->rgba) return false;
    if (!sane(*a) || !sane(*c)) return false;
    const Box box = {std::max(first_column(place(a->x)), box_.left), std::max(first_row(place(a->y)), box_.top),
                     std::min(first_column(place(c->x)), box_.right), std::min(first_row(place(c->y)), box_.bottom)};
    const u32 alpha = cover_of(a->rgba >> 24);
    if (box.empty() || alpha == 0) return true;
    const Ink ink(ordered(a->rgba));
    if (a->u == c->u && a->v == c->v) {
      const u32 cover = (alpha * atlas_.cover_at(a->u, a->v) + 128) >> 8;
      if (cover == 0) return true;
      for (int row = box.top; row < box.bottom; ++row)
        lay_even(pixels(row, box.left), box.right - box.left, ink, cover);
      return true;
    }
    const float u_step = (c->u - a->u) / (c->x - a->x), v_step = (c->v - a->v) / (c->y - a->y);
    for (int row = box.top; row < box.bottom; ++row) {
      const int y = atlas_.place_y(a->v + (static_cast<float>(row) + 0.5f - a->y) * v_step);
      u32* out = pixels(row, 0);
      for (int column = box.left; column < box.right; ++column) {
        const int x = atlas_.place_x(a->u + (static_cast<float>(column) + 0.5f - a->x) * u_step);
        const u32 cover = (alpha * atlas_.cover(x, y) + 128) >> 8;
        if (cover != 0) out[column] = blend(out[column], ink, cover);
      }
    }
    return true;
  }

  void triangle(const u32* index) {
    const PanelVertex *a = vertex(index[0]), *b = vertex(index[1]), *c = vertex(index[2]);
    if (a == nullptr || b == nullptr || c == nullptr || !sane(*a) || !sane(*b) || !sane(*c)) return;
    const std::array<Corner, 3> corners = {
        Corner{place(a->x), place(a->y)}, {place(b->x), place(b->y)}, {place(c->x), place(c->y)}};
    const auto [left, right] = std::minmax({corners[0].x, corners[1].x, corners[2].x});
    if (first_column(left) >= box_.right || first_column(right) <= box_.left) return;
    const auto [top, bottom] = std::minmax({corners[0].y, corners[1].y, corners[2].y});
    if (first_row(top) >= box_.bottom || first_row(bottom) <= box_.top) return;
    const bool one_colour = (((a->rgba ^ b->rgba) | (a->rgba ^ c->rgba)) & 0x00FFFFFFu) == 0;
    const bool one_alpha = (((a->rgba ^ b->rgba) | (a->rgba ^ c->rgba)) >> 24) == 0;
    const bool one_texel = a->u == b->u && a->u == c->u && a->v == b->v && a->v == c->v;
    if (one_colour && one_alpha && one_texel) {
      const u32 cover = (cover_of(a->rgba >> 24) * atlas_.cover_at(a->u, a->v) + 128) >> 8;
      if (cover == 0) return;
      const Ink ink(ordered(a->rgba));
      for_each_run(corners, box_,
                   [&](int row, int column, int count) { lay_even(pixels(row, column), count, ink, cover); });
      return;
    }
    const std::array<const PanelVertex*, 3> vertices = {a, b, c};
    if (one_colour) one_texel ? sloped<false, false>(corners, vertices) : sloped<false, true>(corners, vertices);
    else one_texel ? sloped<true, false>(corners, vertices) : sloped<true, true>(corners, vertices);
  }

  /// A triangle of an image, in the colour of its first corner. Alpha may differ from corner to corner: soft edges do.
  void picture(const u32* index, const Image& image) {
    const PanelVertex *a = vertex(index[0]), *b = vertex(index[1]), *c = vertex(index[2]);
    if (a == nullptr || b == nullptr || c == nullptr || !sane(*a) || !sane(*b) || !sane(*c)) return;
    const std::array<Corner, 3> corners = {
        Corner{place(a->x), place(a->y)}, {place(b->x), place(b->y)}, {place(c->x), place(c->y)}};
    const Plane plane(corners);
    if (!plane.there) return;
    const auto alpha_of = [](const PanelVertex& v) { return static_cast<float>(cover_of(v.rgba >> 24)); };
    const Slope alpha = plane.slope(alpha_of(*a), alpha_of(*b), alpha_of(*c)), u = plane.slope(a->u, b->u, c->u),
                v = plane.slope(a->v, b->v, c->v);
    const u32 tint = ordered(a->rgba);
    for_each_run(corners, box_, [&](int row, int column, int count) {
      u32* out = pixels(row, column);
      const float y = static_cast<float>(row) + plane.from_y, from = static_cast<float>(column) + plane.from_x;
      for (int i = 0; i < count; ++i) {
        const float x = from + static_cast<float>(i);
        const u32 cover = static_cast<u32>(std::clamp(alpha.at(x, y) + 0.5f, 0.0f, 256.0f));
        if (cover != 0) out[i] = blend(out[i], Ink(tinted(image.at(u.at(x, y), v.at(x, y)), tint)), cover);
      }
    });
  }

  template <bool kColours, bool kTexture>
  void sloped(const std::array<Corner, 3>& corners, const std::array<const PanelVertex*, 3>& vertices) {
    const Plane plane(corners);
    if (!plane.there) return;
    const auto slope = [&](float w0, float w1, float w2) { return plane.slope(w0, w1, w2); };
    const auto byte_slope = [&](int byte) {
      const auto of = [&](int i) {
        return static_cast<float>(ordered(vertices[static_cast<std::size_t>(i)]->rgba) >> 8 * byte & 255u);
      };
      return slope(of(0), of(1), of(2));
    };
    const auto [a, b, c] = vertices;
    // In 1/256, of cover_at() too where one texel is all that is read.
    Slope alpha = byte_slope(3);
    const float whole = (kTexture ? 256.0f : static_cast<float>(atlas_.cover_at(a->u, a->v))) / 255.0f;
    alpha = {alpha.first * whole, alpha.right * whole, alpha.down * whole};
    Slope u, v;
    std::array<Slope, 3> colours;
    if constexpr (kTexture) {
      u = slope(a->u, b->u, c->u);
      v = slope(a->v, b->v, c->v);
    }
    if constexpr (kColours) {
      for (int byte = 0; byte < 3; ++byte) colours[static_cast<std::size_t>(byte)] = byte_slope(byte);
    }
    const Ink ink(ordered(a->rgba));
    const float from_x = plane.from_x, from_y = plane.from_y;
    for_each_run(corners, box_, [&](int row, int column, int count) {
      u32* out = pixels(row, column);
      const float y = static_cast<float>(row) + from_y, from = static_cast<float>(column) + from_x;
      for (int i = 0; i < count; ++i) {
        const float x = from + static_cast<float>(i);
        u32 cover = static_cast<u32>(std::clamp(alpha.at(x, y) + 0.5f, 0.0f, 256.0f));
        if constexpr (kTexture)
          cover = (cover * atlas_.cover(atlas_.place_x(u.at(x, y)), atlas_.place_y(v.at(x, y))) + 128) >> 8;
        if constexpr (kColours) {
          u32 colour = 0;
          for (u32 byte = 0; byte < 3; ++byte) {
            colour |= static_cast<u32>(std::clamp(colours[byte].at(x, y) + 0.5f, 0.0f, 255.0f)) << 8 * byte;
          }
          out[i] = blend(out[i], Ink(colour), cover);
        } else {
          out[i] = blend(out[i], ink, cover);
        }
      }
    });
  }

  const frame::PanelMesh& mesh_;
  const PanelTarget& target_;
  Atlas atlas_;
  Box box_;
};

}  // namespace

void paint_panels(const frame::PanelMesh& mesh, const PanelTarget& target) {
  if (mesh.atlas == nullptr || mesh.atlas_width <= 0 || mesh.atlas_height <= 0) return;
  Painter painter(mesh, target);
  for (const frame::PanelCommand& command : mesh.commands) painter.paint(command);
}

}  // namespace spellpool::render
