// Panels on the processor: against a slow exact reference, each pixel once, nothing outside, and as part of a picture.
#include "render/cpu/panel_painter.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/rng.hpp"
#include "drawn_test.hpp"

namespace spellpool::render::test {
namespace {

using frame::PanelCommand;
using frame::PanelMesh;
using frame::PanelVertex;

constexpr int kPanelWidth = 61, kPanelHeight = 47, kStride = 64, kGuardPixels = 256;
constexpr int kAtlasWidth = 24, kAtlasHeight = 17;
constexpr float kWhite_u = 2.0f / kAtlasWidth, kWhite_v = 2.0f / kAtlasHeight;

/// Noise, but for a white square at its upper left, as ImGui has it.
std::vector<u8> make_atlas() {
  Rng rng(5);
  std::vector<u8> atlas(kAtlasWidth * kAtlasHeight);
  for (std::size_t i = 0; i < atlas.size(); ++i) {
    const bool white = i % kAtlasWidth < 4 && i / kAtlasWidth < 4;
    atlas[i] = white ? 255 : static_cast<u8>(rng.below(256));
  }
  return atlas;
}
const std::vector<u8> kAtlas = make_atlas();

/// A picture with guards before, after and at the end of each row.
struct Canvas {
  std::vector<u32> memory = std::vector<u32>(kStride * kPanelHeight + 2 * kGuardPixels, 0xFFABCDEFu);
  u32& at(int x, int y) { return memory[static_cast<std::size_t>(kGuardPixels + y * kStride + x)]; }
  void fill(u64 seed) {
    Rng rng(seed);
    for (int y = 0; y < kPanelHeight; ++y) {
      for (int x = 0; x < kPanelWidth; ++x) at(x, y) = rng.next_u32() | 0xFF000000u;
    }
  }
  bool guarded() {
    for (int y = 0; y < kPanelHeight; ++y) {
      for (int x = kPanelWidth; x < kStride; ++x) {
        if (at(x, y) != 0xFFABCDEFu) return false;
      }
    }
    const auto same = [](u32 pixel) { return pixel == 0xFFABCDEFu; };
    return std::all_of(memory.begin(), memory.begin() + kGuardPixels, same) && std::all_of(memory.end() - kGuardPixels, memory.end(), same);
  }
};

const PanelCommand kEverywhere = {0, 0, kPanelWidth, kPanelHeight, 0, ~0u};

void paint(Canvas& canvas, std::span<const PanelVertex> vertices, std::span<const u32> indices, PanelCommand command = kEverywhere,
           bool red_first = true) {
  const PanelMesh mesh = {vertices, indices, std::span(&command, 1), kAtlas.data(), kAtlasWidth, kAtlasHeight};
  paint_panels(mesh, {canvas.memory.data() + kGuardPixels, kStride, kPanelWidth, kPanelHeight, red_first});
}

PanelVertex white(float x, float y, u32 rgba) { return {x, y, kWhite_u, kWhite_v, rgba}; }

// ---------------------------------------------------------------------------------------------------- reference

struct Place {
  i64 x, y;
};
Place place_of(const PanelVertex& v) {
  return {static_cast<i64>(std::floor(v.x * 256.0f + 0.5f)), static_cast<i64>(std::floor(v.y * 256.0f + 0.5f))};
}

/// Which side of an edge a pixel's middle lies on: moved right by next to nothing, and up by next to nothing of that.
int side(Place a, Place b, Place p) {
  const i64 across = (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x);
  const i64 right = -(b.y - a.y), up = -(b.x - a.x);
  const i64 told = across != 0 ? across : right != 0 ? right : up;
  return told > 0 ? 1 : told < 0 ? -1 : 0;
}
bool inside(const std::array<PanelVertex, 3>& t, int x, int y) {
  const Place p{x * 256 + 128, y * 256 + 128}, a = place_of(t[0]), b = place_of(t[1]), c = place_of(t[2]);
  const int first = side(a, b, p);
  return first != 0 && first == side(b, c, p) && first == side(c, a, p);
}

double texture(double u, double v) {
  const auto texel = [](int x, int y) {
    return kAtlas[static_cast<std::size_t>(std::clamp(y, 0, kAtlasHeight - 1) * kAtlasWidth + std::clamp(x, 0, kAtlasWidth - 1))] / 255.0;
  };
  const double x = u * kAtlasWidth - 0.5, y = v * kAtlasHeight - 0.5, s = x - std::floor(x), t = y - std::floor(y);
  const int i = static_cast<int>(std::floor(x)), j = static_cast<int>(std::floor(y));
  return (texel(i, j) * (1 - s) + texel(i + 1, j) * s) * (1 - t) + (texel(i, j + 1) * (1 - s) + texel(i + 1, j + 1) * s) * t;
}

/// A triangle's pixel as OpenGL would have it, by double numbers.
u32 reference_pixel(const std::array<PanelVertex, 3>& t, int x, int y, u32 under) {
  struct Point {
    double x, y;
  };
  const auto from_first = [&](double px, double py) {
    return Point{px - static_cast<double>(place_of(t[0]).x), py - static_cast<double>(place_of(t[0]).y)};
  };
  const auto corner = [&](const PanelVertex& v) { return from_first(static_cast<double>(place_of(v).x), static_cast<double>(place_of(v).y)); };
  const Point p = from_first(x * 256.0 + 128, y * 256.0 + 128), b = corner(t[1]), c = corner(t[2]);
  const double area = b.x * c.y - b.y * c.x;
  const double of_b = (p.x * c.y - p.y * c.x) / area, of_c = (b.x * p.y - b.y * p.x) / area;
  const auto mixed = [&](double wa, double wb, double wc) { return wa + (wb - wa) * of_b + (wc - wa) * of_c; };
  const auto byte = [&](int n) { return mixed(t[0].rgba >> 8 * n & 255u, t[1].rgba >> 8 * n & 255u, t[2].rgba >> 8 * n & 255u); };
  const double alpha = byte(3) / 255.0 * texture(mixed(t[0].u, t[1].u, t[2].u), mixed(t[0].v, t[1].v, t[2].v));
  u32 made = 0xFF000000u;
  for (int n = 0; n < 3; ++n) {
    const double value = (under >> 8 * n & 255u) * (1 - alpha) + byte(n) * alpha;
    made |= static_cast<u32>(std::lround(std::clamp(value, 0.0, 255.0))) << 8 * n;
  }
  return made;
}

int apart(u32 p, u32 q) {
  int most = 0;
  for (int n = 0; n < 4; ++n) most = std::max(most, std::abs(static_cast<int>(p >> 8 * n & 255u) - static_cast<int>(q >> 8 * n & 255u)));
  return most;
}

/// Paints triangles both ways and compares them: which pixels exactly, their colours within `most`.
void expect_as_reference(const std::vector<std::array<PanelVertex, 3>>& triangles, int most, u64 seed) {
  for (const auto& triangle : triangles) {
    Canvas canvas;
    canvas.fill(seed);
    Canvas before = canvas;
    constexpr std::array<u32, 3> kIndices = {0, 1, 2};
    paint(canvas, triangle, kIndices);
    ASSERT_TRUE(canvas.guarded());
    for (int y = 0; y < kPanelHeight; ++y) {
      for (int x = 0; x < kPanelWidth; ++x) {
        const bool in = inside(triangle, x, y);
        const u32 wanted = in ? reference_pixel(triangle, x, y, before.at(x, y)) : before.at(x, y);
        ASSERT_LE(apart(canvas.at(x, y), wanted), in ? most : 0)
            << "pixel " << x << ", " << y << (in ? " inside" : " outside") << " of " << triangle[0].x << ", " << triangle[0].y << "  "
            << triangle[1].x << ", " << triangle[1].y << "  " << triangle[2].x << ", " << triangle[2].y;
      }
    }
  }
}

/// A place on a lattice of 1, 1/2 or 1/256 pixel, so that middles on edges and corners are common.
float lattice(Rng& rng, int size) {
  constexpr std::array kSteps = {1.0f, 2.0f, 2.0f, 256.0f};
  const float step = kSteps[rng.below(4)];
  return std::round(rng.range(-12.0f, static_cast<float>(size) + 12.0f) * step) / step;
}

// ---------------------------------------------------------------------------------------------------- tests

TEST(PanelPainter, TrianglesOfOneColourAreExactlyTheirPixels) {
  Rng rng(1);
  std::vector<std::array<PanelVertex, 3>> triangles;
  for (int i = 0; i < 400; ++i) {
    const u32 colour = rng.next_u32() | (i % 2 == 0 ? 0xFF000000u : 0u);
    std::array<PanelVertex, 3> t;
    for (PanelVertex& v : t) v = white(lattice(rng, kPanelWidth), lattice(rng, kPanelHeight), colour);
    if (i % 5 == 0) t[2] = white(t[0].x + 1.0f, t[0].y + 0.5f, colour);  // A sliver.
    triangles.push_back(t);
  }
  // An edge that comes to lie 1/66048 pixel right of a middle, one row down: the least that there is.
  const float first = 0.5f, second = 385.0f / 256.0f;
  triangles.push_back({white(first, 127.0f / 256.0f, ~0u), white(second, second, ~0u), white(20, 1, ~0u)});
  triangles.push_back({white(first, 127.0f / 256.0f, ~0u), white(second, second, ~0u), white(-20, 1, ~0u)});
  expect_as_reference(triangles, 1, 11);
}

TEST(PanelPainter, ColoursAndTextureRunEvenlyOverATriangle) {
  Rng rng(2);
  std::vector<std::array<PanelVertex, 3>> triangles;
  for (int i = 0; i < 400; ++i) {
    const u32 colour = rng.next_u32();
    std::array<PanelVertex, 3> t;
    for (PanelVertex& v : t) {
      v = white(lattice(rng, kPanelWidth), lattice(rng, kPanelHeight), (i & 1) != 0 ? rng.next_u32() : (colour & 0xFFFFFFu) | rng.next_u32() << 24);
      if ((i & 2) != 0) {
        v.u = rng.range(0.0f, 1.0f);
        v.v = rng.range(0.0f, 1.0f);
      }
    }
    triangles.push_back(t);
  }
  expect_as_reference(triangles, 3, 12);
}

// ---------------------------------------------------------------------------------------------------- images

constexpr int kImageWidth = 13, kImageHeight = 9, kImageStride = 16;

/// Noise, with a guard at the end of each row.
const std::vector<u32> kImage = [] {
  Rng rng(8);
  std::vector<u32> texels(kImageStride * kImageHeight, 0xFFABCDEFu);
  for (int y = 0; y < kImageHeight; ++y) {
    for (int x = 0; x < kImageWidth; ++x) texels[static_cast<std::size_t>(y * kImageStride + x)] = rng.next_u32() | 0xFF000000u;
  }
  return texels;
}();

double image_byte(double u, double v, int n) {
  const auto texel = [n](int x, int y) {
    const int column = std::clamp(x, 0, kImageWidth - 1), row = std::clamp(y, 0, kImageHeight - 1);
    return static_cast<double>(kImage[static_cast<std::size_t>(row * kImageStride + column)] >> 8 * n & 255u);
  };
  const double x = u * kImageWidth - 0.5, y = v * kImageHeight - 0.5, s = x - std::floor(x), t = y - std::floor(y);
  const int i = static_cast<int>(std::floor(x)), j = static_cast<int>(std::floor(y));
  return (texel(i, j) * (1 - s) + texel(i + 1, j) * s) * (1 - t) + (texel(i, j + 1) * (1 - s) + texel(i + 1, j + 1) * s) * t;
}

void paint_image(Canvas& canvas, std::span<const PanelVertex> vertices, std::span<const u32> indices, int image, bool red_first) {
  PanelCommand command = kEverywhere;
  command.image = image;
  const frame::PanelImage known = {kImage.data(), kImageWidth, kImageHeight, kImageStride};
  const PanelMesh mesh = {vertices, indices, std::span(&command, 1), kAtlas.data(), kAtlasWidth, kAtlasHeight, std::span(&known, 1)};
  paint_panels(mesh, {canvas.memory.data() + kGuardPixels, kStride, kPanelWidth, kPanelHeight, red_first});
}

TEST(PanelPainter, ImagesAreReadAsOpenGLDoesAndTinted) {
  Rng rng(4);
  for (int i = 0; i < 300; ++i) {
    const bool red_first = i % 3 != 0;
    const u32 tint = i % 2 == 0 ? 0x00FFFFFFu : rng.next_u32() & 0x00FFFFFFu;
    std::array<PanelVertex, 3> t;
    for (PanelVertex& v : t) {
      v = {lattice(rng, kPanelWidth), lattice(rng, kPanelHeight), rng.range(-0.1f, 1.1f), rng.range(-0.1f, 1.1f), tint | (i % 5 == 0 ? rng.next_u32() << 24 : 0xFF000000u)};
    }
    Canvas canvas;
    canvas.fill(13);
    Canvas before = canvas;
    constexpr std::array<u32, 3> kIndices = {0, 1, 2};
    paint_image(canvas, t, kIndices, 0, red_first);
    ASSERT_TRUE(canvas.guarded());
    const auto at = [](const PanelVertex& v) { return std::array{static_cast<double>(place_of(v).x), static_cast<double>(place_of(v).y)}; };
    const auto a = at(t[0]), b = at(t[1]), c = at(t[2]);
    const double area = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
    for (int y = 0; y < kPanelHeight; ++y) {
      for (int x = 0; x < kPanelWidth; ++x) {
        if (!inside(t, x, y)) {
          ASSERT_EQ(canvas.at(x, y), before.at(x, y)) << x << ", " << y;
          continue;
        }
        const double px = x * 256.0 + 128 - a[0], py = y * 256.0 + 128 - a[1];
        const double of_b = (px * (c[1] - a[1]) - py * (c[0] - a[0])) / area, of_c = ((b[0] - a[0]) * py - (b[1] - a[1]) * px) / area;
        const auto mixed = [&](double wa, double wb, double wc) { return wa + (wb - wa) * of_b + (wc - wa) * of_c; };
        const double alpha = mixed(t[0].rgba >> 24, t[1].rgba >> 24, t[2].rgba >> 24) / 255.0;
        u32 wanted = 0xFF000000u;
        for (int n = 0; n < 3; ++n) {
          const double ink = image_byte(mixed(t[0].u, t[1].u, t[2].u), mixed(t[0].v, t[1].v, t[2].v), n) * (tint >> 8 * (red_first ? n : 2 - n) & 255u) / 255.0;
          wanted |= static_cast<u32>(std::lround((before.at(x, y) >> 8 * n & 255u) * (1 - alpha) + ink * alpha)) << 8 * n;
        }
        ASSERT_LE(apart(canvas.at(x, y), wanted), 4) << "pixel " << x << ", " << y << " of triangle " << i;
      }
    }
  }
}

TEST(PanelPainter, AnImageThatIsNotThereIsNotPainted) {
  Canvas canvas;
  canvas.fill(5);
  const std::vector<u32> before = canvas.memory;
  const std::array<PanelVertex, 3> v = {{{0, 0, 0, 0, ~0u}, {60, 0, 1, 0, ~0u}, {60, 40, 1, 1, ~0u}}};
  constexpr std::array<u32, 3> kIndices = {0, 1, 2};
  paint_image(canvas, v, kIndices, 1, true);
  EXPECT_EQ(canvas.memory, before);
  PanelCommand command = kEverywhere;
  command.image = 0;
  const std::array<frame::PanelImage, 3> wrong = {{{}, {kImage.data(), 0, 4, 4}, {kImage.data(), 8, 4, 7}}};
  for (const frame::PanelImage& bad : wrong) {
    const PanelMesh mesh = {v, kIndices, std::span(&command, 1), kAtlas.data(), kAtlasWidth, kAtlasHeight, std::span(&bad, 1)};
    paint_panels(mesh, {canvas.memory.data() + kGuardPixels, kStride, kPanelWidth, kPanelHeight, true});
  }
  EXPECT_EQ(canvas.memory, before);
}

TEST(PanelPainter, TrianglesThatShareEdgesPaintEachPixelOnce) {
  Rng rng(3);
  for (int round = 0; round < 60; ++round) {
    // A net over all of the picture, its knots moved about, on middles of pixels now and then.
    constexpr int kColumns = 9, kRows = 8;
    std::vector<PanelVertex> vertices;
    for (int j = 0; j <= kRows; ++j) {
      for (int i = 0; i <= kColumns; ++i) {
        const float steps = round % 3 == 0 ? 2.0f : 256.0f;
        const float x = (static_cast<float>(i) * 8.0f - 4.0f) + std::round(rng.range(-2.5f, 2.5f) * steps) / steps;
        const float y = (static_cast<float>(j) * 7.0f - 4.0f) + std::round(rng.range(-2.5f, 2.5f) * steps) / steps;
        vertices.push_back(white(x, y, 0x80FFFFFFu));
      }
    }
    std::vector<u32> indices;
    for (u32 j = 0; j < kRows; ++j) {
      for (u32 i = 0; i < kColumns; ++i) {
        const u32 a = j * (kColumns + 1) + i, b = a + 1, c = a + kColumns + 1, d = c + 1;
        if (rng.below(2) == 0) indices.insert(indices.end(), {a, b, d, c, d, a});
        else indices.insert(indices.end(), {b, a, c, d, b, c});
      }
    }
    Canvas canvas;
    for (int y = 0; y < kPanelHeight; ++y) std::fill_n(&canvas.at(0, y), kPanelWidth, 0xFF000000u);
    paint(canvas, vertices, indices);
    for (int y = 0; y < kPanelHeight; ++y) {
      for (int x = 0; x < kPanelWidth; ++x) ASSERT_EQ(canvas.at(x, y) & 255u, 128u) << x << ", " << y << " in round " << round;
    }
  }
}

TEST(PanelPainter, RectanglesAndLettersAreTheirTwoTriangles) {
  Rng rng(4);
  for (int i = 0; i < 600; ++i) {
    const u32 colour = rng.next_u32();
    const float x = lattice(rng, kPanelWidth), y = lattice(rng, kPanelHeight);
    const float right = x + (rng.below(4) == 0 ? 0.25f : rng.range(0.0f, 30.0f)), bottom = y + rng.range(0.0f, 20.0f);
    std::array<PanelVertex, 4> v = {white(x, y, colour), white(right, y, colour), white(right, bottom, colour), white(x, bottom, colour)};
    if (i % 3 != 0) {  // A letter, at its own size every other time.
      const float from_u = rng.range(0.0f, 0.4f), from_v = rng.range(0.0f, 0.4f);
      const float to_u = i % 3 == 1 ? from_u + (right - x) / kAtlasWidth * 0.5f : rng.range(0.5f, 1.0f), to_v = rng.range(0.5f, 1.0f);
      v[0].u = v[3].u = from_u;
      v[1].u = v[2].u = std::min(to_u, 1.0f);
      v[0].v = v[1].v = from_v;
      v[2].v = v[3].v = to_v;
    }
    Canvas canvas;
    canvas.fill(21);
    Canvas before = canvas;
    constexpr std::array<u32, 6> kQuad = {0, 1, 2, 0, 2, 3};
    paint(canvas, v, kQuad);
    ASSERT_TRUE(canvas.guarded());
    for (int py = 0; py < kPanelHeight; ++py) {
      for (int px = 0; px < kPanelWidth; ++px) {
        u32 wanted = before.at(px, py);
        for (const std::array<PanelVertex, 3>& t : {std::array{v[0], v[1], v[2]}, std::array{v[0], v[2], v[3]}}) {
          if (inside(t, px, py)) wanted = reference_pixel(t, px, py, wanted);
        }
        ASSERT_LE(apart(canvas.at(px, py), wanted), wanted == before.at(px, py) ? 1 : 3) << px << ", " << py << " of rectangle " << i;
      }
    }
  }
}

TEST(PanelPainter, EveryMixOfTwoBytesIsWithinOneOfExact) {
  for (u32 alpha = 0; alpha < 256; ++alpha) {
    for (const u32 colour : {0u, 1u, 77u, 128u, 254u, 255u}) {
      // All the bytes that may lie under it, in runs of all the lengths that four at a time do not divide.
      for (int width = 1; width <= kPanelWidth; width += 6) {
        Canvas canvas;
        for (int y = 0; y < kPanelHeight; ++y) {
          for (int x = 0; x < kPanelWidth; ++x) canvas.at(x, y) = 0xFF000000u | static_cast<u32>((y * kPanelWidth + x) * 7 & 255) * 0x010101u;
        }
        Canvas before = canvas;
        const u32 rgba = alpha << 24 | colour * 0x010101u;
        const float right = static_cast<float>(width);
        const std::array v = {white(0, 0, rgba), white(right, 0, rgba), white(right, 6, rgba), white(0, 6, rgba)};
        constexpr std::array<u32, 6> kQuad = {0, 1, 2, 0, 2, 3};
        paint(canvas, v, kQuad);
        for (int y = 0; y < 6; ++y) {
          for (int x = 0; x < width; ++x) {
            const u32 under = before.at(x, y) & 255u;
            const long exact = std::lround((under * (255.0 - alpha) + colour * static_cast<double>(alpha)) / 255.0);
            const long most = alpha == 0 || alpha == 255 ? 0 : 1;
            ASSERT_LE(std::abs(static_cast<long>(canvas.at(x, y) & 255u) - exact), most) << alpha << " of " << colour << " over " << under;
            ASSERT_EQ(canvas.at(x, y) >> 24, 255u) << "an opaque picture stays it";
            ASSERT_EQ(canvas.at(x, y) & 255u, canvas.at(x, y) >> 8 & 255u) << "all channels alike";
          }
        }
      }
    }
  }
}

TEST(PanelPainter, NothingIsPaintedBeyondTheClipRectangle) {
  Rng rng(6);
  for (int i = 0; i < 300; ++i) {
    const auto edge = [&](int size) { return static_cast<int>(rng.below(static_cast<u32>(size) + 40)) - 20; };
    const PanelCommand clip = {edge(kPanelWidth), edge(kPanelHeight), edge(kPanelWidth), edge(kPanelHeight), 0, 6};
    // A rectangle, two triangles, and two with a soft edge; all larger than the picture.
    std::array v = {white(-30, -30, 0xFF203040u), white(99, -30, 0xFF203040u), white(99, 99, 0xFF203040u), white(-30, 99, 0xFF203040u)};
    std::array<u32, 6> indices = {0, 1, 2, 0, 2, 3};
    if (i % 3 > 0) indices = {1, 2, 0, 2, 3, 0};
    if (i % 3 == 2) v[0].rgba = v[1].rgba = v[2].rgba = 0xFE203040u;
    Canvas canvas;
    canvas.fill(31);
    Canvas before = canvas;
    paint(canvas, v, indices, clip);
    ASSERT_TRUE(canvas.guarded());
    for (int y = 0; y < kPanelHeight; ++y) {
      for (int x = 0; x < kPanelWidth; ++x) {
        const bool in = x >= clip.left && x < clip.right && y >= clip.top && y < clip.bottom;
        ASSERT_LE(apart(canvas.at(x, y), in ? 0xFF203040u : before.at(x, y)), in ? 1 : 0) << x << ", " << y << " of round " << i;
      }
    }
  }
}

TEST(PanelPainter, CornersThatAreNoNumbersOrFarAwayPaintNothing) {
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN(), kInfinite = std::numeric_limits<float>::infinity();
  Canvas canvas;
  canvas.fill(41);
  const std::vector<u32> before = canvas.memory;
  for (const float odd : {kNan, kInfinite, -kInfinite, 1e30f, -1e30f, 3e9f, 40000.0f}) {
    for (int which = 0; which < 16; ++which) {
      std::array v = {white(3, 3, 0xFFFFFFFFu), white(40, 3, 0xFFFFFFFFu), white(40, 30, 0xFFFFFFFFu), white(3, 30, 0xFFFFFFFFu)};
      PanelVertex& changed = v[static_cast<std::size_t>(which / 4)];
      std::array{&changed.x, &changed.y, &changed.u, &changed.v}[static_cast<std::size_t>(which % 4)][0] = odd;
      const auto corner = static_cast<u32>(which / 4);
      const std::array<u32, 3> with_it = {corner, (corner + 1) % 4, (corner + 2) % 4};
      paint(canvas, v, with_it);
      ASSERT_EQ(canvas.memory, before) << odd << " at " << which;
    }
    // All of an upright rectangle.
    const std::array v = {white(3, -odd, ~0u), white(40, -odd, ~0u), white(40, odd, ~0u), white(3, odd, ~0u)};
    constexpr std::array<u32, 6> kQuad = {0, 1, 2, 0, 2, 3};
    paint(canvas, v, kQuad);
    ASSERT_EQ(canvas.memory, before) << odd;
  }
  const std::array v = {white(-31000, -31000, ~0u), white(31000, -31000, ~0u), white(31000, 31000, ~0u)};
  constexpr std::array<u32, 3> kAll = {0, 1, 2};
  paint(canvas, v, kAll);
  EXPECT_TRUE(canvas.guarded());
  EXPECT_EQ(canvas.at(30, 20), ~0u);
  EXPECT_NE(canvas.at(20, 30), ~0u);
}

TEST(PanelPainter, WrongIndicesAndEmptyMeshesPaintNothing) {
  Canvas canvas;
  canvas.fill(51);
  const std::vector<u32> before = canvas.memory;
  const std::array v = {white(3, 3, ~0u), white(40, 3, ~0u), white(40, 30, ~0u), white(3, 30, ~0u)};
  for (u32 place = 0; place < 6; ++place) {
    std::array<u32, 6> indices = {0, 1, 2, 0, 2, 3};
    indices[place] = 4;
    paint(canvas, v, std::span(indices).subspan(place < 3 ? 0 : 3, 3));
    ASSERT_EQ(canvas.memory, before);
  }
  constexpr std::array<u32, 6> kQuad = {0, 1, 2, 0, 2, 3};
  paint(canvas, v, kQuad, {0, 0, kPanelWidth, kPanelHeight, 7, 3});
  paint(canvas, v, kQuad, {0, 0, kPanelWidth, kPanelHeight, 4, 300});
  paint(canvas, v, kQuad, {0, 0, kPanelWidth, kPanelHeight, 0, 2});
  paint(canvas, {}, {});
  const PanelMesh no_atlas = {v, kQuad, std::span(&kEverywhere, 1)};
  paint_panels(no_atlas, {canvas.memory.data() + kGuardPixels, kStride, kPanelWidth, kPanelHeight, true});
  EXPECT_EQ(canvas.memory, before);
}

TEST(PanelPainter, BytesComeInThePicturesOrder) {
  constexpr std::array<u32, 6> kQuad = {0, 1, 2, 0, 2, 3};
  constexpr std::array<u32, 6> kTriangles = {1, 2, 0, 2, 3, 0};
  for (const auto& indices : {kQuad, kTriangles}) {
    for (const bool soft : {false, true}) {
      std::array v = {white(0, 0, 0xFF302010u), white(60, 0, 0xFF302010u), white(60, 40, 0xFF302010u), white(0, 40, 0xFF302010u)};
      if (soft) v[0].rgba = 0xFF302011u;
      Canvas red_first, blue_first;
      paint(red_first, v, indices, kEverywhere, true);
      paint(blue_first, v, indices, kEverywhere, false);
      EXPECT_EQ(red_first.at(40, 30), 0xFF302010u);
      EXPECT_EQ(blue_first.at(40, 30), 0xFF102030u);
    }
  }
}

using PanelsInAPicture = DrawnTest;

TEST_F(PanelsInAPicture, LieOverThePictureThatIsHeldAndComeWithIt) {
  constexpr int kPictureWidth = 320, kPictureHeight = 180;
  bool complete = true;
  const RenderTarget target = make_target(PixelFormat::Rgba8, kPictureWidth, kPictureHeight, Filter::Nearest, complete);
  ASSERT_TRUE(complete);
  const auto read = [&] {
    std::vector<u8> rgb;
    glBindFramebuffer(GL_FRAMEBUFFER, target.framebuffer.get());
    EXPECT_TRUE(read_rgb(kPictureWidth, kPictureHeight, rgb));
    return rgb;
  };
  frame::LookSettings looks;
  looks.draw = frame::DrawPath::Cpu;
  renderer_->resize(kPictureWidth, kPictureHeight);
  renderer_->set_looks(looks);
  renderer_->draw({}, 1.0f, target.framebuffer.get());
  const std::vector<u8> plain = read();

  const std::array v = {white(20, 10, 0xFF3020E0u), white(60, 10, 0xFF3020E0u), white(60, 30, 0xFF3020E0u), white(20, 30, 0xFF3020E0u)};
  constexpr std::array<u32, 6> kQuad = {0, 1, 2, 0, 2, 3};
  const PanelCommand all = {0, 0, kPictureWidth, kPictureHeight, 0, 6};
  const PanelMesh mesh = {v, kQuad, std::span(&all, 1), kAtlas.data(), kAtlasWidth, kAtlasHeight};
  EXPECT_FALSE(renderer_->paint_panels(mesh)) << "OpenGL has the picture already";
  glBindFramebuffer(GL_FRAMEBUFFER, target.framebuffer.get());
  glClearColor(0, 0, 0, 1);
  glClear(GL_COLOR_BUFFER_BIT);
  renderer_->draw_held({}, 1.0f, target.framebuffer.get());
  EXPECT_EQ(read(), std::vector<u8>(plain.size(), 0)) << "nothing is there before present()";
  EXPECT_TRUE(renderer_->paint_panels(mesh));
  renderer_->present();
  const std::vector<u8> with_panel = read();
  for (int y = 0; y < kPictureHeight; ++y) {
    for (int x = 0; x < kPictureWidth; ++x) {
      const std::size_t at = static_cast<std::size_t>(y * kPictureWidth + x) * 3;
      const bool in = x >= 20 && x < 60 && y >= 10 && y < 30;
      const std::array<u8, 3> wanted = in ? std::array<u8, 3>{0xE0, 0x20, 0x30} : std::array<u8, 3>{plain[at], plain[at + 1], plain[at + 2]};
      ASSERT_EQ((std::array<u8, 3>{with_panel[at], with_panel[at + 1], with_panel[at + 2]}), wanted) << x << ", " << y;
    }
  }
  // A picture of another size than was held is not shown.
  renderer_->draw_held({}, 1.0f, target.framebuffer.get());
  renderer_->resize(kPictureWidth + 40, kPictureHeight);
  EXPECT_FALSE(renderer_->paint_panels(mesh));
  renderer_->present();
  renderer_->resize(kPictureWidth, kPictureHeight);

  looks.draw = frame::DrawPath::Gpu;
  renderer_->set_looks(looks);
  renderer_->draw_held({}, 1.0f, target.framebuffer.get());
  EXPECT_FALSE(renderer_->paint_panels(mesh)) << "OpenGL draws the panels where it draws the picture";
}

}  // namespace
}  // namespace spellpool::render::test
