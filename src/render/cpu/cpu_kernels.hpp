#pragma once
// The loops of the CPU path over pixels, once for each kind of processor, all with the same bits as result.
//
// The picture is cut into tiles of 64×64 pixels that fit the first-level cache. A tile's pixels are four u16 each,
// linear light in 1/2048 (so 32 is the brightest), saturating; the fourth channel is cover, 16383 for all. The rows
// of a tile lie one after the other, without gaps.
#include <cstddef>
#include <span>

#include "frame/defs/pattern_def.hpp"
#include "frame/render_snapshot.hpp"

namespace spellpool::render {

inline constexpr int kTile_px = 64;
inline constexpr int kTilePixels = kTile_px * kTile_px;
inline constexpr float kLightOne = 2048.0f;
inline constexpr float kCoverOne = 16383.0f;
/// A spark's streak, in steps of its motion; as shaders/particle.vert.
inline constexpr float kStreakSteps = 1.25f;
/// Side of the smoke's noise, texels.
inline constexpr int kNoiseSide = 128;

/// The range of tiles of a particle that touches none.
inline constexpr u32 kUnseen = 0xFFFFFFFFu;

/// Where a tile lies in the picture, and its pixels (32-byte aligned, kTilePixels × 4 u16).
struct TileCanvas {
  u16* pixels = nullptr;
  int left_px = 0, top_px = 0;
};

/// Light that falls on the ground, and what is added to the picture, a texel for divisor×divisor pixels: one plane per
/// channel, each with a border of one texel around it (so at[-1] is good). Top row first.
struct SmallPlanes {
  enum Channel { LightRed, LightGreen, LightBlue, TowardsX, AddRed, AddGreen, AddBlue, TowardsY, kChannels };
  const float* plane[kChannels] = {};
  int stride = 0;
  int width = 0, height = 0;  ///< Without the border.
  int divisor = 4;            ///< 4 or 8.
};

/// How particles come to lie on the picture.
struct ParticleView {
  float px_per_place = 1;    ///< Pixels per 1/32 unit.
  float px_per_size = 1;     ///< Pixels per 1/64 unit.
  float left_px = 0, top_px = 0;  ///< Where the world's (0, 0) lies.
  float past = 0;            ///< 1 − alpha.
  const SmallPlanes* light = nullptr;  ///< For the alpha layer.
  const u32* noise = nullptr;          ///< kNoiseSide² texels, each with its right, lower and lower right neighbour's bytes.
  const float* glow_reach = nullptr;   ///< See make_glow_reach().
  const float* vision = nullptr;       ///< For bullets: as ToneJob's.
};

/// A tile of the finished picture, 32 bits a pixel.
struct PixelTile {
  u32* pixels = nullptr;     ///< The first one.
  int stride = 0;            ///< Pixels.
  int rows = kTile_px;
  int left_px = 0, top_px = 0;
  bool red_first = false;    ///< As ToneJob's.
};

/// One tile's way from light to the screen's 8 bits.
struct ToneJob {
  const u16* scene = nullptr;    ///< The tile's pixels; null: nothing is there.
  const u32* stone = nullptr;    ///< Baked ground, RGBA8, the tile's first pixel; null: nothing but night sky.
  int stone_stride = 0;          ///< Pixels.
  u32* out = nullptr;
  int out_stride = 0;            ///< Pixels.
  int rows = kTile_px;
  int left_px = 0, top_px = 0;
  const SmallPlanes* small = nullptr;
  const float* grain = nullptr;  ///< kTilePixels numbers 0 … 1, in the lanes' order (cpu_lanes.hpp): what rounds to bytes.
  float vignette[4] = {1, 1, 1, 1};  ///< At the tile's corners: upper left and right, lower left and right.
  const float* vision = nullptr;     ///< 3×3, row by row; null: as painted.
  bool tinted = false;               ///< The stone's fourth channel is a tint (render/garden.hpp).
  bool red_first = false;            ///< Bytes of a pixel: red, green, blue; else blue, green, red.
};

/// A part of an image of a figure that lies on a tile: pixels of the tile, the last ones outside.
struct FigureJob {
  u16* tile = nullptr;
  int left = 0, top = 0, right = 0, bottom = 0;
  const u16* pixels = nullptr;  ///< As a tile's, premultiplied; its first row.
  int stride_px = 0;
  /// Where the tile's pixel (0, 0) lies in the image, in pixels of the picture.
  int from_x = 0, from_y = 0;
  /// It has half the pixels each way, this many; what is between them is filtered. 0: one for each.
  int halved_width = 0, halved_height = 0;
};

/// A part of a mark on the floor that lies on a tile: pixels of the tile, the last ones outside.
struct MarkJob {
  u16* tile = nullptr;
  int left = 0, top = 0, right = 0, bottom = 0;
  /// Bytes of the mark's mask: how much of the ground it hides, and how hot it is (null: nowhere). Before each row
  /// there are 3 zeros or more, after it 19.
  const u8* cover = nullptr;
  const u8* hot = nullptr;
  int stride = 0;
  int from_x = 0, from_y = 0;  ///< Where the tile's pixel (0, 0) lies in the mask.
  float shown = 0;             ///< 0 … 1
  float glow[3] = {};          ///< Light of what is hot, 0 … 15.
};

struct CpuKernels {
  const char* name;
  /// Which of a picture's columns × rows tiles each particle may touch: first column and row, last column and row, a
  /// byte each (8K has 120 × 68 tiles), or kUnseen.
  void (*tile_ranges)(const frame::ParticleInstance* particles, std::size_t count, const ParticleView& view,
                      int columns, int rows, u32* ranges);
  /// Adds particles of the additive layer to a tile.
  void (*add_light)(const TileCanvas& tile, const frame::ParticleInstance* particles, std::size_t count,
                    const ParticleView& view);
  /// Lays particles of the alpha layer over a tile, in their order.
  void (*lay_matter)(const TileCanvas& tile, const frame::ParticleInstance* particles, std::size_t count,
                     const ParticleView& view);
  /// Lays premultiplied half-float pixels (64 a row, `rows` of them, the lowest first) over the tile's first rows.
  void (*lay_figures)(u16* tile, const u16* halves, int rows);
  /// Half floats as a tile's numbers; `pixels` is a multiple of four. False: all of them are empty.
  bool (*read_figure)(u16* out, const u16* halves, int pixels);
  /// Lays an image of a figure over a tile.
  void (*lay_figure)(const FigureJob& job);
  /// Lays a mark on the floor over a tile.
  void (*lay_mark)(const MarkJob& job);
  /// What is bright of a tile, to (64 / divisor)² texels of four floats; `stride` in texels.
  void (*gather_bright)(const u16* tile, int divisor, float* out, int stride);
  void (*tone)(const ToneJob& job);
  /// As tile_ranges, of bullets: those that are not there at all touch none.
  void (*bullet_ranges)(const frame::ParticleInstance* bullets, std::size_t count, const ParticleView& view,
                        int columns, int rows, u32* ranges);
  /// Lays bullets (RenderSnapshot::bullet_layer) over a tile of the finished picture, in their order.
  void (*lay_bullets)(const PixelTile& tile, const frame::ParticleInstance* bullets, std::size_t count,
                      const ParticleView& view);
};

/// Those that this processor can run, the fastest first. The portable one is always there.
std::span<const CpuKernels* const> cpu_kernels();

/// How far, in radii, a glow of a given brightness reaches before it rounds to nothing: 128 entries by the strongest
/// channel's multiplier / 256.
inline constexpr int kGlowReachSteps = 128;
void make_glow_reach(std::span<float, kGlowReachSteps> reach);

}  // namespace spellpool::render
