#pragma once
// Draws a frame on the CPU, for machines where OpenGL has no graphics card: light, particles, bloom and tone
// mapping. OpenGL still draws figures, which are small. The canvas lays them between matter and light.
//
//   light     the light on the ground and the night beyond it → the small planes (cpu_light.hpp)
//   sort      particles → the tiles that they touch, in their order
//   paint     one tile at a time, in the cache: marks on the floor, runes, matter, figures, light; then its bright part for the
//             bloom
//   finish    bloom levels; then one tile at a time: baked stone × light under the scene, filmic curve,
//             vignette → 8 bits
//   bullets   over the finished frame, so that nothing outshines them
// All cores share the tiles. One thread computes each pixel, in a fixed order. The frame therefore depends
// neither on the number of threads nor on the instruction set (cpu_kernels.hpp).
//
// Memory 8 bytes a pixel for the light, 4 for the frame, about 55 a texel of the small planes, 16 for each
//        pair of a particle and a tile that it touches. Buffers grow when a frame needs more; only resize()
//        shrinks them, to less than a fifth. A steady frame allocates nothing.
// Threads one caller; the threads of the thread pool work only inside the calls.
#include <chrono>
#include <memory>
#include <span>
#include <vector>

#include "frame/render_snapshot.hpp"
#include "render/cpu/cpu_kernels.hpp"
#include "render/cpu/cpu_light.hpp"
#include "render/cpu/decal_painter.hpp"
#include "render/cpu/raw_buffer.hpp"
#include "render/cpu/rune_masks.hpp"
#include "render/cpu/thread_pool.hpp"
#include "render/figure_images.hpp"
#include "render/garden.hpp"
#include "render/ground.hpp"
#include "render/view.hpp"

namespace spellpool::render {

/// Tiles of the picture that hold figures.
class TileMarks {
 public:
  void begin(const View& view);
  /// Something is drawn within `reach` units of a place in the world. A place that is no number marks nothing.
  void mark(float x, float y, float reach) { mark(x, y, {-reach, -reach, reach, reach}); }
  /// Marks the tiles within a box around the place.
  void mark(float x, float y, const Box& box);
  bool at(int tile) const { return marks_[static_cast<std::size_t>(tile)] != 0; }
  int count() const { return count_; }
  /// Both are of frames of the same size.
  bool same_size(const TileMarks& other) const {
    return view_.width_px == other.view_.width_px && view_.height_px == other.view_.height_px;
  }

 private:
  View view_;
  int columns_ = 0, rows_ = 0, count_ = 0;
  std::vector<u8> marks_;
};

/// A soft dot on the finished picture: its middle in pixels from the upper left, display colours.
struct ScreenDot {
  float x = 0, y = 0, diameter_px = 0;
  float rgb[3] = {};
};

struct CpuPicture {
  View view;
  float alpha = 1;
  int divisor = 4;             ///< Pixels of a texel of the small planes, both ways: 4 or 8.
  int bloom_levels = 0;        ///< 0: no bloom.
  float bloom_strength = 1;
  Point bend{};                ///< Where a vortex bends the floor …
  float bend_strength = 0;     ///< … and how much, 0 … 1.
  const float* vision = nullptr;  ///< 3×3; null: as painted.
  std::span<const GardenBand> garden;  ///< Empty: the arena. Read until finish().
  const RuneMasks* runes = nullptr;    ///< Burning runes, beneath the matter; null: none.
  const DecalPainter* decals = nullptr;  ///< Marks on the floor, beneath the runes; null: none.
};

class CpuCanvas {
 public:
  using Clock = std::chrono::steady_clock;
  static constexpr int kMostBloomLevels = 7;
  /// Beyond this many units from the arena's centre there is only sky.
  static constexpr float kNightRadius = 350.0f;

  explicit CpuCanvas(const CpuKernels& kernels, int hands = 0);
  ~CpuCanvas() { thread_pool_.finish(); }

  void resize(int width_px, int height_px);
  void reserve(std::size_t particles, std::size_t bullets);
  /// The baked floor, RGBA8 as render/ground.hpp says, top row first.
  RawBuffer<u32>& stone() { return stone_; }
  void set_ground(const GroundArea& area) { ground_ = area; }
  /// The baked images of the garden, RGBA8 as render/garden.hpp says, top row first.
  RawBuffer<u32>& garden() { return garden_; }
  void set_garden(const GardenPlace& place) { garden_at_ = place; }

  int columns() const { return columns_; }
  int rows() const { return rows_; }
  int tiles() const { return columns_ * rows_; }
  const SmallPlanes& small() const { return small_; }

  // One picture, in this order:
  void begin(const CpuPicture& picture);
  /// Light on the ground, its direction, and the night, into the small planes.
  void lay_light(CpuLight& light, const LightScene& scene);
  void sort(std::span<const frame::ParticleInstance> matter, std::span<const frame::ParticleInstance> light,
            std::span<const frame::ParticleInstance> bullets);
  /// Images of figures, laid on the tiles in their order, between matter and what paint_figured() gets.
  void set_figures(std::span<const PlacedFigure> figures);
  /// What OpenGL drew, into the images that are to hold it.
  void read_images(FigureImages& images, std::span<const FigureImages::Read> reads, const u16* halves);
  /// The tiles in which OpenGL draws no figures, while it may still be drawing the others …
  void paint_plain(const TileMarks& figures);
  /// … and those; by tile what OpenGL drew: half floats, 64 pixels a row, the lowest row first. Null: nothing.
  void paint_figured(std::span<const u16* const> figures);
  /// The picture, top row first, `stride` pixels of 32 bits a row.
  void finish(bool red_first, std::span<const ScreenDot> dots = {}) {
    begin_finish(red_first, dots);
    end_finish();
  }
  /// The same in two steps: between them the workers go on, and the caller may do anything that does not concern this
  /// canvas.
  void begin_finish(bool red_first, std::span<const ScreenDot> dots = {});
  void end_finish();
  /// Lays the sorted bullets over the finished picture.
  void lay_bullets(bool red_first);
  /// Makes rows of the finished picture black.
  void blacken_rows(int from, int to);
  /// Light that falls on a place of the picture.
  void light_at(float x_px, float y_px, float (&rgb)[3]) const;
  /// The same with its direction, as figures get it.
  FigureLight figure_light_at(float x_px, float y_px) const;

  /// Where the frames that begin() begins are painted: memory for whole rows of the frame's width. Null: memory of the
  /// canvas' own.
  void set_output(u32* pixels, int stride);
  u32* pixels() { return output_; }
  int stride() const { return output_stride_; }
  ThreadPool& threads() { return thread_pool_; }
  /// Milliseconds of the last picture: putting particles into tiles, painting them, bloom and tone.
  struct Spent {
    float sort_ms = 0, paint_ms = 0, post_ms = 0;
  };
  const Spent& spent() const { return spent_; }
  /// Of the last paint_plain() or paint_figured().
  int painted_tiles() const { return painted_tiles_; }

 private:
  struct Layer {
    std::span<const frame::ParticleInstance> particles;
    RawBuffer<u32> ranges;                       // Of each particle: first and last column and row, a byte each.
    RawBuffer<u32> counts;                       // By slice and tile: how many; then where the next goes.
    std::vector<u32> first;                      // By tile, and the end.
    RawBuffer<frame::ParticleInstance> sorted;
  };
  struct BloomLevel {
    RawBuffer<float> texels;                     // Four floats each.
    int width = 0, height = 0;
    int stride = 0;                              // Texels; of the largest those of whole tiles.
  };

  using RangesKernel = decltype(CpuKernels::tile_ranges);
  void sort_layer(Layer& layer, RangesKernel ranges_of);
  void mark_decals();
  void mark_runes();
  void paint_tiles(int count, std::span<const u16* const> figures, Clock::time_point from);
  void paint_tile(int tile, const u16* figures);
  void repeat_edge(const TileCanvas& canvas) const;
  void make_small_planes();
  static void shrink_rows(const BloomLevel& from, BloomLevel& to, int first, int end);
  void spread(const BloomLevel& from, BloomLevel& to);
  void join_rows(int from, int to);
  void make_border(std::span<float* const> planes);
  void tone_tile(int tile, bool red_first);
  void lay_images(int tile, const TileCanvas& canvas) const;
  void sort_dots(std::span<const ScreenDot> dots);
  void add_dot(const ScreenDot& dot, int left, int top, bool red_first);
  const u32* stone_of(int tile, u32* local, int& stride) const;
  const u32* garden_of(int tile, u32* local, int& stride) const;
  int garden_column(int left_px) const;
  void copy_garden(int left_px, int row_px, const GardenBand& band, u32* out) const;
  void sample_garden(int left_px, int row_px, const GardenBand& band, u32* out) const;
  template <int kSquare>
  void sample_stone(int left_px, int top_px, u32* out) const;
  u32 stone_texel(int x, int y) const;
  bool bent_near(float left, float top, float right, float bottom) const;
  Point stone_place(float x_px, float y_px) const;
  void read_small(float x_px, float y_px, std::span<const int> channels, float* out) const;

  const CpuKernels& kernels_;
  ThreadPool thread_pool_;
  int width_px_ = 0, height_px_ = 0, columns_ = 0, rows_ = 0;
  CpuPicture picture_;
  ParticleView particle_view_;
  Layer matter_, light_, bullets_;
  RawBuffer<u16> scene_;
  RawBuffer<u32> image_;                         // Made when a frame has no other output.
  u32* output_ = nullptr;
  int output_stride_ = 0;
  std::vector<u8> painted_;                      // By tile: something is there.
  std::vector<u16> tile_runes_;                  // By tile: a bit for each rune that touches it.
  std::vector<u32> decal_first_;                 // By tile, and the end …
  std::vector<u16> decal_list_;                  // … of the marks that touch it.
  std::vector<int> to_paint_;
  std::span<const PlacedFigure> figures_;
  std::vector<u32> figure_first_;                // By tile, and the end …
  std::vector<u16> figure_list_;                 // … of those that touch it.
  struct ImageRead {
    u32 first = 0;                               // Pixel in what was read.
    int left = 0, top = 0, right = 0, bottom = 0;  // What is not empty.
  };
  std::vector<ImageRead> image_reads_;
  std::vector<u32> dot_first_;                   // By tile, and the end …
  std::vector<ScreenDot> dots_;                  // … of those that touch it.
  int painted_tiles_ = 0;
  RawBuffer<u32> stone_;
  GroundArea ground_;
  RawBuffer<u32> garden_;
  GardenPlace garden_at_;
  // Small planes.
  RawBuffer<float> planes_;
  SmallPlanes small_;
  float* plane_[SmallPlanes::kChannels] = {};
  BloomLevel bloom_[kMostBloomLevels];
  RawBuffer<float> tent_;
  int bloom_levels_ = 0;
  RawBuffer<float> grain_;
  std::vector<u32> noise_;
  float glow_reach_[kGlowReachSteps] = {};
  Spent spent_;
  struct ToneTiles {
    CpuCanvas* canvas = nullptr;
    bool red_first = false;
    void operator()(int tile) const { canvas->tone_tile(tile, red_first); }
  } tone_tiles_;
  std::atomic<i64> gather_ns_{0};
};

}  // namespace spellpool::render
