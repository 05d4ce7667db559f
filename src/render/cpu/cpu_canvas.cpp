#include "render/cpu/cpu_canvas.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "render/cpu/cpu_lanes.hpp"
#include "render/cpu/smoke_noise.hpp"

namespace spellpool::render {
namespace {

using frame::ParticleInstance;

constexpr int kTexelRowsAPiece = 6;
/// Dots and the tiles that they touch: more must be made room for.
constexpr std::size_t kMostDotPlaces = 2048;
/// While a tile's list fills, the memory so many places on is asked for: the next particle goes to another tile, and
/// when its turn is here again, the rest of a picture has been through the cache. Up to a third off sorting 50,000
/// particles.
constexpr std::size_t kPlacesAhead = 8;
/// How far the bend of a vortex can be seen, in its own reaches.
constexpr float kBendEnds = 2.6f;

i64 ns_since(CpuCanvas::Clock::time_point from) {
  return std::chrono::nanoseconds(CpuCanvas::Clock::now() - from).count();
}
float ms_since(CpuCanvas::Clock::time_point from) { return static_cast<float>(ns_since(from)) * 1e-6f; }

int ceil_divide(int a, int b) { return (a + b - 1) / b; }

/// Four floats that the compiler keeps in one register: a texel.
typedef float Texel __attribute__((vector_size(16)));
Texel load(const float* p) {
  Texel t;
  std::memcpy(&t, p, sizeof t);
  return t;
}
void store(float* p, Texel t) { std::memcpy(p, &t, sizeof t); }

/// Things by the tiles that they touch, in their order: `first` gets each tile's first place in the list, and the end.
/// tiles_of(i, f) calls f(tile) for each tile that thing i touches.
template <class Entry, class Tiles, class Make>
void list_by_tile(std::size_t count, std::vector<u32>& first, std::vector<Entry>& list, const Tiles& tiles_of,
                  const Make& entry_of) {
  std::fill(first.begin(), first.end(), 0u);
  for (std::size_t i = 0; i < count; ++i) tiles_of(i, [&](std::size_t tile) { ++first[tile]; });
  u32 place = 0;
  for (u32& one : first) place += std::exchange(one, place);
  list.resize(place);
  for (std::size_t i = 0; i < count; ++i) {
    tiles_of(i, [&](std::size_t tile) { list[first[tile]++] = entry_of(i); });
  }
  // Each first is where its tile's end is now, which is the next one's first.
  std::move_backward(first.begin(), first.end() - 1, first.end());
  first[0] = 0;
}

void copy_rows(const u32* from, int from_stride, u32* to, int to_stride, int columns, int rows) {
  for (int y = 0; y < rows; ++y, from += from_stride, to += to_stride) {
    std::memcpy(to, from, static_cast<std::size_t>(columns) * sizeof(u32));
  }
}

/// Where a tile's pixels of the frame are written. Kernels write whole tiles: one that the frame's right edge cuts is
/// written into a copy, of which put() takes the columns that are in the frame.
class OutputTile {
 public:
  OutputTile(u32* frame, int frame_stride, int columns, int rows)
      : frame_(frame), frame_stride_(frame_stride), columns_(columns), rows_(rows) {}

  bool is_cut() const { return columns_ < kTile_px; }
  u32* pixels() { return is_cut() ? copy_ : frame_; }
  int stride() const { return is_cut() ? kTile_px : frame_stride_; }
  /// Before something is laid over what the frame shows.
  void take() {
    if (is_cut()) copy_rows(frame_, frame_stride_, copy_, kTile_px, columns_, rows_);
  }
  void put() {
    if (is_cut()) copy_rows(copy_, kTile_px, frame_, frame_stride_, columns_, rows_);
  }

 private:
  u32* frame_;
  int frame_stride_, columns_, rows_;
  alignas(64) u32 copy_[kTilePixels];  // not initialised: most tiles are whole
};

float bend_reach(Point bend) { return std::clamp((285.0f - std::hypot(bend.x, bend.y)) * 0.60f, 28.0f, 96.0f); }

}  // namespace

// ---------------------------------------------------------------------------------------------------- marks

void TileMarks::begin(const View& view) {
  view_ = view;
  columns_ = ceil_divide(static_cast<int>(view.width_px), kTile_px);
  rows_ = ceil_divide(static_cast<int>(view.height_px), kTile_px);
  marks_.assign(static_cast<std::size_t>(columns_) * static_cast<std::size_t>(rows_), 0);
  count_ = 0;
}

void TileMarks::mark(float x, float y, const Box& box) {
  if (!std::isfinite(x + y + box.left + box.top + box.right + box.bottom)) return;
  const Point low = world_to_screen(view_, {x + box.left, y + box.top}),
              high = world_to_screen(view_, {x + box.right, y + box.bottom});
  const auto tile = [](float px, int count) {
    return static_cast<int>(std::clamp(std::floor(px / kTile_px), -1.0f, static_cast<float>(count)));
  };
  const int left = std::max(0, tile(low.x - 1.0f, columns_)),
            right = std::min(columns_ - 1, tile(high.x + 1.0f, columns_));
  const int top = std::max(0, tile(low.y - 1.0f, rows_)), bottom = std::min(rows_ - 1, tile(high.y + 1.0f, rows_));
  for (int row = top; row <= bottom; ++row) {
    for (int column = left; column <= right; ++column) {
      u8& mark = marks_[static_cast<std::size_t>(row * columns_ + column)];
      count_ += mark == 0;
      mark = 1;
    }
  }
}

// ---------------------------------------------------------------------------------------------------- sizes

CpuCanvas::CpuCanvas(const CpuKernels& kernels, int hands) : kernels_(kernels), thread_pool_(hands) {
  make_glow_reach(glow_reach_);
  const auto texels = smoke_noise_texels();
  noise_.resize(texels.size());
  for (u32 y = 0; y < kNoiseSide; ++y) {
    for (u32 x = 0; x < kNoiseSide; ++x) {
      const u32 right = (x + 1) % kNoiseSide, below = (y + 1) % kNoiseSide;
      noise_[y * kNoiseSide + x] = texels[y * kNoiseSide + x] | u32{texels[y * kNoiseSide + right]} << 8 |
                                   u32{texels[below * kNoiseSide + x]} << 16 |
                                   u32{texels[below * kNoiseSide + right]} << 24;
    }
  }
  grain_.resize(kTilePixels);
  for (int y = 0; y < kTile_px; ++y) {
    for (int x = 0; x < kTile_px; ++x) {
      const auto fraction = [](float v) { return v - std::floor(v); };
      const int pixel = (x & ~7) + kLanePixel[x & 7];
      const float inner = fraction(static_cast<float>(pixel) * 0.06711056f + static_cast<float>(y) * 0.00583715f);
      grain_.data()[y * kTile_px + x] = fraction(52.9829189f * inner);
    }
  }
}

void CpuCanvas::resize(int width_px, int height_px) {
  if (width_px == width_px_ && height_px == height_px_) return;
  width_px_ = width_px;
  height_px_ = height_px;
  columns_ = ceil_divide(width_px, kTile_px);
  rows_ = ceil_divide(height_px, kTile_px);
  const std::size_t count = static_cast<std::size_t>(tiles());
  scene_.resize(count * kTilePixels * 4);
  output_ = nullptr;
  painted_.assign(count, 0);
  to_paint_.assign(count, 0);
  tile_runes_.assign(count, 0);
  decal_first_.assign(count + 1, 0);
  decal_list_.reserve(std::size_t{frame::kMostDecals} * 16);
  dot_first_.assign(count + 1, 0);
  figure_first_.assign(count + 1, 0);
  figure_list_.reserve(std::max<std::size_t>(figure_list_.capacity(), 4 * count));
  image_reads_.reserve(FigureImages::kMostImages);
  dots_.reserve(kMostDotPlaces);
  for (Layer* layer : {&matter_, &light_, &bullets_}) {
    layer->first.assign(count + 1, 0);
    layer->counts.resize(count * static_cast<std::size_t>(thread_pool_.hands()));
  }
}

void CpuCanvas::reserve(std::size_t particles, std::size_t bullets) {
  const auto make_room = [](Layer& layer, std::size_t count) {
    layer.ranges.make_room(count);
    layer.sorted.make_room(2 * count);
  };
  make_room(matter_, particles);
  make_room(light_, particles);
  make_room(bullets_, bullets);
}

void CpuCanvas::set_output(u32* pixels, int stride) {
  if (pixels == nullptr) {
    image_.resize(static_cast<std::size_t>(tiles()) * kTilePixels);
    pixels = image_.data();
    stride = columns_ * kTile_px;
  }
  output_ = pixels;
  output_stride_ = stride;
}

void CpuCanvas::begin(const CpuPicture& picture) {
  if (output_ == nullptr) set_output(nullptr, 0);
  picture_ = picture;
  const View& view = picture.view;
  const float scale = view.px_per_unit();
  particle_view_ = {};
  particle_view_.px_per_place = scale / frame::kPositionScale;
  particle_view_.px_per_size = scale / frame::kSizeScale;
  particle_view_.left_px = 0.5f * view.width_px - view.centre_x * scale;
  particle_view_.top_px = 0.5f * view.height_px - view.centre_y * scale;
  particle_view_.past = 1.0f - picture.alpha;
  particle_view_.light = &small_;
  particle_view_.noise = noise_.data();
  particle_view_.glow_reach = glow_reach_;
  particle_view_.vision = picture.vision;
  spent_ = {};
}

// ---------------------------------------------------------------------------------------------------- particles to tiles

namespace {

/// f(tile) for each tile of a range; most particles lie in one.
template <class F>
void for_tiles(u32 range, u32 columns, F&& f) {
  const u32 left = range & 255u, top = range >> 8 & 255u, right = range >> 16 & 255u, bottom = range >> 24;
  f(top * columns + left);
  if ((range & 0xFFFFu) == range >> 16) return;
  for (u32 column = left + 1; column <= right; ++column) f(top * columns + column);
  for (u32 row = top + 1; row <= bottom; ++row) {
    for (u32 column = left; column <= right; ++column) f(row * columns + column);
  }
}

}  // namespace

// A counting sort in slices, a slice to a hand: each slice counts what it has for every tile; the sums say where its
// part of each tile's list begins; then it copies. Within a tile the order is that of the snapshot, however many
// slices.
void CpuCanvas::sort_layer(Layer& layer, RangesKernel ranges_of) {
  const std::size_t count = layer.particles.size();
  const std::size_t tile_count = static_cast<std::size_t>(tiles());
  layer.ranges.make_room(count);
  const std::size_t slices = static_cast<std::size_t>(thread_pool_.hands());
  const auto slice_begin = [&](std::size_t slice) { return count * slice / slices; };
  const u32 columns = static_cast<u32>(columns_);
  thread_pool_.run(count == 0 ? 0 : static_cast<int>(slices), [&](int slice) {
    const std::size_t s = static_cast<std::size_t>(slice);
    u32* counts = layer.counts.data() + s * tile_count;
    std::fill_n(counts, tile_count, 0u);
    u32* ranges = layer.ranges.data();
    const std::size_t begin = slice_begin(s), end = slice_begin(s + 1);
    ranges_of(layer.particles.data() + begin, end - begin, particle_view_, columns_, rows_, ranges + begin);
    for (std::size_t i = begin; i < end; ++i) {
      if (ranges[i] != kUnseen) for_tiles(ranges[i], columns, [counts](u32 tile) { ++counts[tile]; });
    }
  });
  u32 place = 0;
  for (std::size_t tile = 0; tile < tile_count; ++tile) {
    layer.first[tile] = place;
    if (count == 0) continue;
    for (std::size_t s = 0; s < slices; ++s) place += std::exchange(layer.counts.data()[s * tile_count + tile], place);
  }
  layer.first[tile_count] = place;
  layer.sorted.make_room(place + kPlacesAhead);
  thread_pool_.run(place == 0 ? 0 : static_cast<int>(slices), [&](int slice) {
    const std::size_t s = static_cast<std::size_t>(slice);
    u32* next = layer.counts.data() + s * tile_count;
    const u32* ranges = layer.ranges.data();
    const ParticleInstance* particles = layer.particles.data();
    ParticleInstance* sorted = layer.sorted.data();
    const std::size_t end = slice_begin(s + 1);
    for (std::size_t i = slice_begin(s); i < end; ++i) {
      if (ranges[i] == kUnseen) continue;
      const ParticleInstance p = particles[i];
      for_tiles(ranges[i], columns, [&](u32 tile) {
        const u32 to = next[tile]++;
        sorted[to] = p;
        __builtin_prefetch(sorted + to + kPlacesAhead, 1);
      });
    }
  });
}

void CpuCanvas::sort(std::span<const ParticleInstance> matter, std::span<const ParticleInstance> light,
                     std::span<const ParticleInstance> bullets) {
  const auto from = Clock::now();
  matter_.particles = matter;
  light_.particles = light;
  bullets_.particles = bullets;
  sort_layer(matter_, kernels_.tile_ranges);
  sort_layer(light_, kernels_.tile_ranges);
  sort_layer(bullets_, kernels_.bullet_ranges);
  spent_.sort_ms = ms_since(from);
}

// ---------------------------------------------------------------------------------------------------- paint

/// The picture's marks on the floor, by the tiles that they touch.
void CpuCanvas::mark_decals() {
  const auto for_each_tile = [&](std::size_t i, auto&& f) {
    const DecalPainter::Box box = picture_.decals->box(i);
    const int left = std::max(box.left, 0), right = std::min(box.right, width_px_);
    const int top = std::max(box.top, 0), bottom = std::min(box.bottom, height_px_);
    if (left >= right || top >= bottom) return;
    for (int row = top / kTile_px; row <= (bottom - 1) / kTile_px; ++row) {
      for (int column = left / kTile_px; column <= (right - 1) / kTile_px; ++column) {
        f(static_cast<std::size_t>(row * columns_ + column));
      }
    }
  };
  const std::size_t count = picture_.decals != nullptr ? picture_.decals->count() : 0;
  list_by_tile(count, decal_first_, decal_list_, for_each_tile, [](std::size_t i) { return static_cast<u16>(i); });
}

/// Which runes of the picture touch which tiles.
void CpuCanvas::mark_runes() {
  std::fill(tile_runes_.begin(), tile_runes_.end(), u16{0});
  for (int rune = 0; picture_.runes != nullptr && rune < RuneMasks::kPartCount; ++rune) {
    const RuneMasks::Box box = picture_.runes->box(rune);
    const int left = std::max(box.left, 0), right = std::min(box.right, width_px_);
    const int top = std::max(box.top, 0), bottom = std::min(box.bottom, height_px_);
    if (left >= right || top >= bottom) continue;
    for (int row = top / kTile_px; row <= (bottom - 1) / kTile_px; ++row) {
      for (int column = left / kTile_px; column <= (right - 1) / kTile_px; ++column) {
        if (!picture_.runes->touches(rune, column * kTile_px, row * kTile_px)) continue;
        u16& runes = tile_runes_[static_cast<std::size_t>(row * columns_ + column)];
        runes = static_cast<u16>(runes | 1u << rune);
      }
    }
  }
}

void CpuCanvas::set_figures(std::span<const PlacedFigure> figures) {
  figures_ = figures;
  const auto for_each_tile = [&](const PlacedFigure& figure, auto&& f) {
    const int left = std::max(figure.left, 0), right = std::min(figure.right, width_px_);
    const int top = std::max(figure.top, 0), bottom = std::min(figure.bottom, height_px_);
    if (left >= right || top >= bottom) return;
    for (int row = top / kTile_px; row <= (bottom - 1) / kTile_px; ++row) {
      for (int column = left / kTile_px; column <= (right - 1) / kTile_px; ++column) {
        f(static_cast<std::size_t>(row * columns_ + column));
      }
    }
  };
  list_by_tile(figures.size(), figure_first_, figure_list_,
               [&](std::size_t i, auto&& f) { for_each_tile(figures[i], f); },
               [](std::size_t i) { return static_cast<u16>(i); });
}

void CpuCanvas::read_images(FigureImages& images, std::span<const FigureImages::Read> reads, const u16* halves) {
  image_reads_.resize(reads.size());
  u32 place = 0;
  for (std::size_t i = 0; i < reads.size(); ++i) {
    image_reads_[i].first = place;
    place += static_cast<u32>(reads[i].width * reads[i].height);
  }
  thread_pool_.run(static_cast<int>(reads.size()), [&](int i) {
    const FigureImages::Read& read = reads[static_cast<std::size_t>(i)];
    ImageRead& image = image_reads_[static_cast<std::size_t>(i)];
    const u16* from = halves + std::size_t{image.first} * 4;
    image.left = read.width;
    image.top = read.height;
    image.right = image.bottom = 0;
    for (int row = 0; row < read.height; ++row) {
      u16* to = read.pixels + static_cast<std::ptrdiff_t>(row) * read.stride_px * 4;
      if (!kernels_.read_figure(to, from + static_cast<std::ptrdiff_t>(read.height - 1 - row) * read.width * 4,
                                read.width)) {
        continue;
      }
      image.top = std::min(image.top, row);
      image.bottom = row + 1;
      const auto empty = [to](int pixel) {
        u64 numbers;
        std::memcpy(&numbers, to + pixel * 4, sizeof numbers);
        return numbers == 0;
      };
      for (int x = 0; x < image.left; ++x) {
        if (!empty(x)) image.left = x;
      }
      for (int x = read.width; x > image.right; --x) {
        if (!empty(x - 1)) image.right = x;
      }
    }
  });
  for (std::size_t i = 0; i < reads.size(); ++i) {
    const ImageRead& image = image_reads_[i];
    images.set_read(reads[i], image.left, image.top, image.right, image.bottom);
  }
}

void CpuCanvas::lay_images(int tile, const TileCanvas& canvas) const {
  const std::size_t t = static_cast<std::size_t>(tile);
  for (u32 i = figure_first_[t]; i < figure_first_[t + 1]; ++i) {
    const PlacedFigure& figure = figures_[figure_list_[i]];
    FigureJob job;
    job.tile = canvas.pixels;
    job.left = std::max(figure.left, canvas.left_px) - canvas.left_px;
    job.top = std::max(figure.top, canvas.top_px) - canvas.top_px;
    job.right = std::min(figure.right - canvas.left_px, kTile_px);
    job.bottom = std::min(figure.bottom - canvas.top_px, kTile_px);
    job.pixels = figure.pixels;
    job.stride_px = figure.stride_px;
    const int from_x = figure.halved ? figure.from_x : figure.left, from_y = figure.halved ? figure.from_y : figure.top;
    job.from_x = canvas.left_px - from_x;
    job.from_y = canvas.top_px - from_y;
    if (figure.halved) {
      job.halved_width = figure.width;
      job.halved_height = figure.height;
    }
    kernels_.lay_figure(job);
  }
}

void CpuCanvas::paint_plain(const TileMarks& figures) {
  const auto from = Clock::now();
  if (bloom_levels_ > 0) {
    BloomLevel& sharp = bloom_[0];
    std::fill_n(sharp.texels.data(), sharp.stride * sharp.height * 4, 0.0f);
  }
  mark_decals();
  mark_runes();
  int count = 0;
  for (int tile = 0; tile < tiles(); ++tile) {
    const std::size_t t = static_cast<std::size_t>(tile);
    const bool drawn = figures.at(tile);
    painted_[t] = drawn || tile_runes_[t] != 0 || decal_first_[t] != decal_first_[t + 1] ||
                  figure_first_[t] != figure_first_[t + 1] || matter_.first[t] != matter_.first[t + 1] ||
                  light_.first[t] != light_.first[t + 1];
    if (painted_[t] != 0 && !drawn) to_paint_[static_cast<std::size_t>(count++)] = tile;
  }
  paint_tiles(count, {}, from);
}

void CpuCanvas::paint_figured(std::span<const u16* const> figures) {
  const auto from = Clock::now();
  int count = 0;
  for (int tile = 0; tile < tiles(); ++tile) {
    if (figures[static_cast<std::size_t>(tile)] != nullptr) to_paint_[static_cast<std::size_t>(count++)] = tile;
  }
  paint_tiles(count, figures, from);
}

void CpuCanvas::paint_tiles(int count, std::span<const u16* const> figures, Clock::time_point from) {
  painted_tiles_ = count;
  gather_ns_ = 0;
  thread_pool_.run(count, [&](int i) {
    const int tile = to_paint_[static_cast<std::size_t>(i)];
    paint_tile(tile, figures.empty() ? nullptr : figures[static_cast<std::size_t>(tile)]);
  });
  const float gather_ms = static_cast<float>(gather_ns_.load()) * 1e-6f / static_cast<float>(thread_pool_.hands());
  spent_.post_ms += gather_ms;
  spent_.paint_ms += ms_since(from) - gather_ms;
}

void CpuCanvas::paint_tile(int tile, const u16* figures) {
  const std::size_t t = static_cast<std::size_t>(tile);
  const int column = tile % columns_, row = tile / columns_;
  const TileCanvas canvas{scene_.data() + t * kTilePixels * 4, column * kTile_px, row * kTile_px};
  const int lines = std::min(kTile_px, height_px_ - canvas.top_px);
  std::memset(canvas.pixels, 0, kTilePixels * 4 * sizeof(u16));
  for (u32 i = decal_first_[t]; i < decal_first_[t + 1]; ++i) picture_.decals->lay(decal_list_[i], canvas, kernels_);
  for (u32 runes = tile_runes_[t]; runes != 0; runes &= runes - 1) picture_.runes->add(std::countr_zero(runes), canvas);
  const auto part = [t](const Layer& layer) {
    return std::pair{layer.sorted.data() + layer.first[t], layer.first[t + 1] - layer.first[t]};
  };
  if (const auto [first, count] = part(matter_); count > 0) kernels_.lay_matter(canvas, first, count, particle_view_);
  lay_images(tile, canvas);
  if (figures != nullptr) kernels_.lay_figures(canvas.pixels, figures, lines);
  if (const auto [first, count] = part(light_); count > 0) kernels_.add_light(canvas, first, count, particle_view_);
  if (bloom_levels_ == 0) return;
  const auto from = Clock::now();
  repeat_edge(canvas);
  const int texels = kTile_px / small_.divisor;
  BloomLevel& level = bloom_[0];
  kernels_.gather_bright(canvas.pixels, small_.divisor,
                         level.texels.data() + (row * texels * level.stride + column * texels) * 4, level.stride);
  gather_ns_.fetch_add(ns_since(from), std::memory_order_relaxed);
}

/// Where the picture's edge cuts a texel, its last pixels go on as far as the texel does: what OpenGL reads there.
void CpuCanvas::repeat_edge(const TileCanvas& canvas) const {
  constexpr int kPixel = 4;  // Numbers.
  const auto cut = [this](int pixels) { return pixels < kTile_px && pixels % small_.divisor != 0; };
  const int columns = width_px_ - canvas.left_px, rows = height_px_ - canvas.top_px;
  if (cut(columns)) {
    for (int y = 0; y < std::min(rows, kTile_px); ++y) {
      u16* end = canvas.pixels + (y * kTile_px + columns) * kPixel;
      for (int i = columns; i % small_.divisor != 0; ++i, end += kPixel)
        std::memcpy(end, end - kPixel, kPixel * sizeof(u16));
    }
  }
  if (cut(rows)) {
    constexpr int kRow = kTile_px * kPixel;
    for (int y = rows; y % small_.divisor != 0; ++y)
      std::memcpy(canvas.pixels + y * kRow, canvas.pixels + (y - 1) * kRow, kRow * sizeof(u16));
  }
}

// ---------------------------------------------------------------------------------------------------- small planes and bloom

/// Room for the planes and the bloom's levels of this picture.
void CpuCanvas::make_small_planes() {
  small_.divisor = picture_.divisor;
  small_.width = ceil_divide(width_px_, small_.divisor);
  small_.height = ceil_divide(height_px_, small_.divisor);
  // Tiles at the right and lower edge read beyond the picture.
  const int stride = columns_ * (kTile_px / small_.divisor) + 16;
  const int lines = rows_ * (kTile_px / small_.divisor) + 4;
  small_.stride = stride;
  const std::size_t plane = static_cast<std::size_t>(stride) * static_cast<std::size_t>(lines);
  planes_.make_room(plane * SmallPlanes::kChannels);  // Room for the finest stays: a change of quality makes nothing.
  for (std::size_t c = 0; c < SmallPlanes::kChannels; ++c) {
    plane_[c] = planes_.data() + c * plane + stride + 8;
    small_.plane[c] = plane_[c];
  }
  bloom_levels_ = std::min(picture_.bloom_levels, kMostBloomLevels);
  int w = small_.width, h = small_.height;
  for (int i = 0; i < bloom_levels_; ++i) {
    BloomLevel& level = bloom_[i];
    level.width = w;
    level.height = h;
    // Whole tiles are gathered.
    level.stride = i == 0 ? columns_ * (kTile_px / small_.divisor) : w;
    const int height = i == 0 ? rows_ * (kTile_px / small_.divisor) : h;
    level.texels.make_room(static_cast<std::size_t>(level.stride) * static_cast<std::size_t>(height) * 4);
    w = ceil_divide(w, 2);
    h = ceil_divide(h, 2);
  }
}

void CpuCanvas::lay_light(CpuLight& light, const LightScene& scene) {
  make_small_planes();
  light.fill(scene, small_, plane_, thread_pool_);
  make_border(plane_);
}

/// The outermost texels go on beyond the picture, as far as tiles reach.
void CpuCanvas::make_border(std::span<float* const> planes) {
  const int w = small_.width, h = small_.height, stride = small_.stride;
  const int last_column = stride - 9, last_row = rows_ * (kTile_px / small_.divisor) + 2;
  for (float* plane : planes) {
    for (int y = 0; y < h; ++y) {
      float* row = plane + static_cast<std::ptrdiff_t>(y) * stride;
      row[-1] = row[0];
      std::fill(row + w, row + last_column, row[w - 1]);
    }
    const float* upper = plane;
    const float* lower = plane + static_cast<std::ptrdiff_t>(h - 1) * stride;
    std::copy(upper - 1, upper + last_column, plane - stride - 1);
    for (int y = h; y < last_row; ++y)
      std::copy(lower - 1, lower + last_column, plane + static_cast<std::ptrdiff_t>(y) * stride - 1);
  }
}

/// Rows of a level of half the size: each texel from 4×4 of the level above, as shaders/bloom_shrink.frag reads it.
void CpuCanvas::shrink_rows(const BloomLevel& from, BloomLevel& to, int first, int end) {
  // The middle 2×2 four times and four 2×2 one texel out on the diagonals, over 8·4: the outer columns whole, the
  // inner ones with their middle five times. Each column is summed once, and is an outer one on one side, an inner
  // one on the other.
  for (int y = first; y < end; ++y) {
    const float* rows[4];
    for (int j = 0; j < 4; ++j)
      rows[j] = from.texels.data() + std::clamp(2 * y - 1 + j, 0, from.height - 1) * from.stride * 4;
    struct Column {
      Texel outer, inner;
    };
    const auto column = [&](int x) {
      const int at = std::clamp(x, 0, from.width - 1) * 4;
      const Texel ends = load(rows[0] + at) + load(rows[3] + at), middle = load(rows[1] + at) + load(rows[2] + at);
      return Column{ends + middle, ends + middle * 5.0f};
    };
    Column before = column(-1), left = column(0);
    float* texel = to.texels.data() + y * to.stride * 4;
    for (int x = 0; x < to.width; ++x, texel += 4) {
      const Column right = column(2 * x + 1), after = column(2 * x + 2);
      store(texel, (before.outer + left.inner + right.inner + after.outer) * (1.0f / 32.0f));
      before = right;
      left = after;
    }
  }
}

/// Adds a level to the next larger one, with a soft tent, as shaders/bloom_spread.frag does: the tent on the small
/// level first, since filters may change places.
void CpuCanvas::spread(const BloomLevel& from, BloomLevel& to) {
  constexpr float kWeight = 0.85f;
  const int w = from.width, h = from.height, stride = w + 2;
  tent_.make_room(static_cast<std::size_t>(stride) * static_cast<std::size_t>(h + 2) * 4);
  const auto tent_at = [&](int x, int y) { return tent_.data() + ((y + 1) * stride + x + 1) * 4; };
  for (int y = -1; y <= h; ++y) {
    const float* rows[3];
    for (int j = 0; j < 3; ++j) rows[j] = from.texels.data() + std::clamp(y - 1 + j, 0, h - 1) * from.stride * 4;
    struct Column {
      Texel ends, side;  ///< Above and below: of the middle's own column, twice. As a neighbour's: once, and its middle twice.
    };
    const auto column = [&](int x) {
      const int at = std::clamp(x, 0, w - 1) * 4;
      const Texel ends = load(rows[0] + at) + load(rows[2] + at);
      return Column{ends, ends + load(rows[1] + at) * 2.0f};
    };
    Column left = column(-2), own = column(-1);
    for (int x = -1; x <= w; ++x) {
      const Column right = column(x + 1);
      store(tent_at(x, y), (left.side + own.ends * 2.0f + right.side) * (kWeight / 12.0f));
      left = own;
      own = right;
    }
  }
  for (int y = 0; y < to.height; ++y) {
    const int j = (y + 1) / 2 - 1;
    const float t = (y & 1) == 0 ? 0.75f : 0.25f;
    const auto column = [&](int x) { return load(tent_at(x, j)) * (1.0f - t) + load(tent_at(x, j + 1)) * t; };
    float* texel = to.texels.data() + y * to.stride * 4;
    Texel left = column(-1), right = column(0);
    for (int x = 0; x < to.width; ++x, texel += 4) {
      if ((x & 1) != 0) {  // from a texel's middle on, its right neighbour
        left = right;
        right = column((x + 1) / 2);
      }
      const float s = (x & 1) == 0 ? 0.75f : 0.25f;
      store(texel, load(texel) + left * (1.0f - s) + right * s);
    }
  }
}

/// Adds the bloom to rows of the planes: its sharp level, and the wide ones read at four points around each texel, as
/// shaders/night.frag does.
void CpuCanvas::join_rows(int from, int to) {
  const BloomLevel& sharp = bloom_[0];
  const BloomLevel& wide = bloom_[std::min(1, bloom_levels_ - 1)];
  const float weight = 0.16f * picture_.bloom_strength;
  // ±0.7 texels of the wide level around a texel that lies a quarter left or right of its middle: three columns.
  static constexpr float kParts[2][3] = {{0.95f, 0.60f, 0.45f}, {0.45f, 0.60f, 0.95f}};
  for (int y = from; y < to; ++y) {
    const float* down = kParts[y & 1];
    const std::ptrdiff_t row = static_cast<std::ptrdiff_t>(y) * small_.stride;
    const float* lines[3];
    for (int j = 0; j < 3; ++j) {
      lines[j] = wide.texels.data() + std::clamp(y / 2 - 1 + j, 0, wide.height - 1) * wide.stride * 4;
    }
    const auto column = [&](int x) {
      const int at = std::clamp(x, 0, wide.width - 1) * 4;
      return (load(lines[0] + at) * down[0] + load(lines[1] + at) * down[1] + load(lines[2] + at) * down[2]) *
             (0.25f * weight);
    };
    Texel left = column(-1), middle = column(0);
    for (int pair = 0; 2 * pair < small_.width; ++pair) {  // two texels have the same three columns
      const Texel right = column(pair + 1);
      for (int x = 2 * pair; x < std::min(2 * pair + 2, small_.width); ++x) {
        const float* across = kParts[x & 1];
        const Texel all = load(sharp.texels.data() + (y * sharp.stride + x) * 4) * weight + left * across[0] +
                          middle * across[1] + right * across[2];
        plane_[SmallPlanes::AddRed][row + x] += all[0];
        plane_[SmallPlanes::AddGreen][row + x] += all[1];
        plane_[SmallPlanes::AddBlue][row + x] += all[2];
      }
      left = middle;
      middle = right;
    }
  }
}

// ---------------------------------------------------------------------------------------------------- tone

void CpuCanvas::begin_finish(bool red_first, std::span<const ScreenDot> dots) {
  const auto from = Clock::now();
  sort_dots(dots);
  if (bloom_levels_ > 0) {
    for (int i = 1; i < bloom_levels_; ++i) {
      BloomLevel& level = bloom_[i];
      thread_pool_.run(ceil_divide(level.height, kTexelRowsAPiece), [&](int piece) {
        shrink_rows(bloom_[i - 1], level, piece * kTexelRowsAPiece,
                    std::min(level.height, (piece + 1) * kTexelRowsAPiece));
      });
    }
    for (int i = bloom_levels_ - 1; i > 1; --i) spread(bloom_[i], bloom_[i - 1]);
    thread_pool_.run(ceil_divide(small_.height, kTexelRowsAPiece), [this](int piece) {
      join_rows(piece * kTexelRowsAPiece, std::min(small_.height, (piece + 1) * kTexelRowsAPiece));
    });
    make_border(std::span(plane_).subspan(SmallPlanes::AddRed, 3));
  }
  tone_tiles_ = {this, red_first};
  thread_pool_.start(tiles(), tone_tiles_);
  spent_.post_ms += ms_since(from);
}

void CpuCanvas::end_finish() {
  const auto from = Clock::now();
  thread_pool_.finish();
  spent_.post_ms += ms_since(from);
}

void CpuCanvas::tone_tile(int tile, bool red_first) {
  const std::size_t t = static_cast<std::size_t>(tile);
  ToneJob job;
  job.left_px = tile % columns_ * kTile_px;
  job.top_px = tile / columns_ * kTile_px;
  job.rows = std::min(kTile_px, height_px_ - job.top_px);
  job.scene = painted_[t] != 0 ? scene_.data() + t * kTilePixels * 4 : nullptr;
  OutputTile out(output_ + static_cast<std::ptrdiff_t>(job.top_px) * output_stride_ + job.left_px, output_stride_,
                 std::min(kTile_px, width_px_ - job.left_px), job.rows);
  job.out = out.pixels();
  job.out_stride = out.stride();
  job.small = &small_;
  job.grain = grain_.data();
  job.vision = picture_.vision;
  job.red_first = red_first;
  for (int corner = 0; corner < 4; ++corner) {
    const float x = static_cast<float>(job.left_px + (corner & 1) * kTile_px) / picture_.view.width_px * 2.0f - 1.0f;
    const float y = static_cast<float>(job.top_px + (corner >> 1) * kTile_px) / picture_.view.height_px * 2.0f - 1.0f;
    const float qx = 0.80f * x, qy = 0.92f * y, far = qx * qx + qy * qy;
    job.vignette[corner] = 1.0f / (1.0f + 0.20f * far + 0.16f * far * far);
  }
  alignas(64) u32 local[kTilePixels];
  job.tinted = !picture_.garden.empty();
  job.stone = job.tinted ? garden_of(tile, local, job.stone_stride) : stone_of(tile, local, job.stone_stride);
  kernels_.tone(job);
  out.put();
  for (u32 i = dot_first_[t]; i < dot_first_[t + 1]; ++i) add_dot(dots_[i], job.left_px, job.top_px, red_first);
}

// ---------------------------------------------------------------------------------------------------- bullets

void CpuCanvas::lay_bullets(bool red_first) {
  if (bullets_.first.back() == 0) return;
  const auto from = Clock::now();
  thread_pool_.run(tiles(), [&](int tile) {
    const std::size_t t = static_cast<std::size_t>(tile);
    const u32 first = bullets_.first[t], count = bullets_.first[t + 1] - first;
    if (count == 0) return;
    PixelTile to;
    to.left_px = tile % columns_ * kTile_px;
    to.top_px = tile / columns_ * kTile_px;
    to.rows = std::min(kTile_px, height_px_ - to.top_px);
    to.red_first = red_first;
    OutputTile out(output_ + static_cast<std::ptrdiff_t>(to.top_px) * output_stride_ + to.left_px, output_stride_,
                   std::min(kTile_px, width_px_ - to.left_px), to.rows);
    to.pixels = out.pixels();
    to.stride = out.stride();
    out.take();
    kernels_.lay_bullets(to, bullets_.sorted.data() + first, count, particle_view_);
    out.put();
  });
  spent_.paint_ms += ms_since(from);
}

void CpuCanvas::blacken_rows(int from, int to) {
  for (int y = from; y < to; ++y)
    std::fill_n(output_ + static_cast<std::ptrdiff_t>(y) * output_stride_, width_px_, 0xFF000000u);
}

// ---------------------------------------------------------------------------------------------------- the floor

bool CpuCanvas::bent_near(float left, float top, float right, float bottom) const {
  if (picture_.bend_strength <= 0.0f) return false;
  const Point bend = picture_.bend;
  const float x = std::clamp(bend.x, left, right) - bend.x, y = std::clamp(bend.y, top, bottom) - bend.y;
  const float reach = kBendEnds * bend_reach(bend);
  return x * x + y * y < reach * reach;
}

/// Where the floor that is seen at a pixel lies in the stone, in its texels (the first one's middle at 0.5).
Point CpuCanvas::stone_place(float x_px, float y_px) const {
  Point world = screen_to_world(picture_.view, {x_px, y_px});
  if (picture_.bend_strength > 0.0f) {  // As shaders/composite.vert.
    const Point bend = picture_.bend;
    const float dx = world.x - bend.x, dy = world.y - bend.y;
    const float reach = bend_reach(bend);
    const float pull = picture_.bend_strength * std::exp(-(dx * dx + dy * dy) / (reach * reach));
    const float turn = 1.25f * pull, grow = 1.0f + 0.55f * pull;
    const float c = std::cos(turn), s = std::sin(turn);
    world.x = bend.x + (c * dx - s * dy) * grow;
    world.y = bend.y + (s * dx + c * dy) * grow;
  }
  return {(world.x - ground_.left) / ground_.width * static_cast<float>(ground_.width_px),
          (world.y - ground_.top) / ground_.height * static_cast<float>(ground_.height_px)};
}

u32 CpuCanvas::stone_texel(int x, int y) const {
  x = std::clamp(x, 0, ground_.width_px - 1);
  y = std::clamp(y, 0, ground_.height_px - 1);
  return stone_
      .data()[static_cast<std::size_t>(y) * static_cast<std::size_t>(ground_.width_px) + static_cast<std::size_t>(x)];
}

/// The tile's stone: as it lies in memory, or sampled into `local`. Null where only night is seen.
const u32* CpuCanvas::stone_of(int tile, u32* local, int& stride) const {
  const View& view = picture_.view;
  const int left_px = tile % columns_ * kTile_px, top_px = tile / columns_ * kTile_px;
  const Point corner = screen_to_world(view, {static_cast<float>(left_px), static_cast<float>(top_px)});
  const float side = kTile_px / view.px_per_unit();
  const float right = corner.x + side, bottom = corner.y + side;
  const bool bent = bent_near(corner.x, corner.y, right, bottom);
  const float near = std::hypot(std::clamp(0.0f, corner.x, right), std::clamp(0.0f, corner.y, bottom));
  if (near >= kNightRadius && !bent) return nullptr;

  const bool exact =
      ground_.pixel_exact && static_cast<float>(ground_.width_px) == std::round(ground_.width * view.px_per_unit());
  if (exact && !bent) {
    const Point first = stone_place(static_cast<float>(left_px), static_cast<float>(top_px));
    const int x = static_cast<int>(std::lround(first.x)), y = static_cast<int>(std::lround(first.y));
    if (x >= 0 && y >= 0 && x + kTile_px <= ground_.width_px && y + kTile_px <= ground_.height_px) {
      stride = ground_.width_px;
      return stone_.data() + static_cast<std::size_t>(y) * static_cast<std::size_t>(stride) +
             static_cast<std::size_t>(x);
    }
    stride = kTile_px;
    for (int j = 0; j < kTile_px; ++j) {
      for (int i = 0; i < kTile_px; ++i) local[j * kTile_px + i] = stone_texel(x + i, y + j);
    }
    return local;
  }
  stride = kTile_px;
  // Between the corners of such squares a bend is straight enough; without one any square is.
  if (!bent) sample_stone<kTile_px>(left_px, top_px, local);
  else if (view.px_per_unit() < 0.75f) sample_stone<2>(left_px, top_px, local);
  else sample_stone<4>(left_px, top_px, local);
  return local;
}

/// The tile's part of the garden: as it lies in memory where one picture holds all of it, else row by row into `local`.
const u32* CpuCanvas::garden_of(int tile, u32* local, int& stride) const {
  const int left_px = tile % columns_ * kTile_px, top_px = tile / columns_ * kTile_px,
            bottom_px = std::min(top_px + kTile_px, height_px_);
  const float per_unit = picture_.view.px_per_unit();
  const bool exact =
      garden_at_.pixel_exact && static_cast<float>(garden_at_.width_px) == std::round(garden_at_.area.width * per_unit);
  stride = kTile_px;
  for (const GardenBand& band : picture_.garden) {
    if (exact && band.from_px <= top_px && band.to_px >= bottom_px && top_px >= band.top_px &&
        bottom_px <= band.top_px + garden_at_.rows) {
      const int x = garden_column(left_px);
      if (x >= 0 && x + kTile_px <= garden_at_.width_px) {
        stride = garden_at_.width_px;
        return garden_.data() +
               static_cast<std::size_t>(band.variant * garden_at_.rows + top_px - band.top_px) *
                   static_cast<std::size_t>(stride) +
               x;
      }
    }
    for (int row = std::max(top_px, band.from_px); row < std::min(bottom_px, band.to_px); ++row) {
      u32* out = local + (row - top_px) * kTile_px;
      if (exact) copy_garden(left_px, row, band, out);
      else sample_garden(left_px, row, band, out);
    }
  }
  return local;
}

/// The texel at a column of the picture, where texels are pixels.
int CpuCanvas::garden_column(int left_px) const {
  const Point first = screen_to_world(picture_.view, {static_cast<float>(left_px), 0.0f});
  return static_cast<int>(std::lround((first.x - garden_at_.area.left) * garden_at_.texels_per_unit));
}

void CpuCanvas::copy_garden(int left_px, int row_px, const GardenBand& band, u32* out) const {
  const int x = garden_column(left_px),
            row = band.variant * garden_at_.rows + std::clamp(row_px - band.top_px, 0, garden_at_.rows - 1);
  const u32* line = garden_.data() + static_cast<std::size_t>(row) * static_cast<std::size_t>(garden_at_.width_px);
  for (int i = 0; i < kTile_px; ++i) out[i] = line[std::clamp(x + i, 0, garden_at_.width_px - 1)];
}

/// Filtered, as OpenGL does it: where the garden was baked for another size, or coarser.
void CpuCanvas::sample_garden(int left_px, int row_px, const GardenBand& band, u32* out) const {
  const float texels_per_px = garden_at_.texels_per_unit / picture_.view.px_per_unit();
  const LinearSample down =
      linear_sample((static_cast<float>(row_px - band.top_px) + 0.5f) * texels_per_px - 0.5f, garden_at_.rows);
  const auto line = [&](int row) {
    return garden_.data() + static_cast<std::ptrdiff_t>(band.variant * garden_at_.rows + row) * garden_at_.width_px;
  };
  const u32 *upper = line(down.first), *lower = line(down.next);
  const Point first = screen_to_world(picture_.view, {static_cast<float>(left_px) + 0.5f, 0.0f});
  const float from = (first.x - garden_at_.area.left) * garden_at_.texels_per_unit;
  for (int i = 0; i < kTile_px; ++i) {
    const LinearSample x = linear_sample(from + static_cast<float>(i) * texels_per_px - 0.5f, garden_at_.width_px);
    out[i] = mix_texels(mix_texels(upper[x.first], upper[x.next], x.part),
                        mix_texels(lower[x.first], lower[x.next], x.part), down.part);
  }
}

/// A tile's stone, filtered, its places worked out at the corners of squares of kSquare pixels.
template <int kSquare>
void CpuCanvas::sample_stone(int left_px, int top_px, u32* out) const {
  constexpr int kSquares = kTile_px / kSquare;
  Point corners[kSquares + 1][kSquares + 1];
  for (int v = 0; v <= kSquares; ++v) {
    for (int u = 0; u <= kSquares; ++u) {
      corners[v][u] = stone_place(static_cast<float>(left_px + u * kSquare), static_cast<float>(top_px + v * kSquare));
    }
  }
  for (int y = 0; y < kTile_px; ++y) {
    const int v = y / kSquare;
    const float down = (static_cast<float>(y % kSquare) + 0.5f) * (1.0f / kSquare);
    for (int u = 0; u < kSquares; ++u) {
      const auto between = [down](Point upper, Point lower) {
        return Point{upper.x + (lower.x - upper.x) * down, upper.y + (lower.y - upper.y) * down};
      };
      const Point a = between(corners[v][u], corners[v + 1][u]), b = between(corners[v][u + 1], corners[v + 1][u + 1]);
      // In 256ths of a texel, from the middle of the first.
      const float step_x = (b.x - a.x) * (256.0f / kSquare), step_y = (b.y - a.y) * (256.0f / kSquare);
      const float from_x = (a.x - 0.5f) * 256.0f + 0.5f * step_x, from_y = (a.y - 0.5f) * 256.0f + 0.5f * step_y;
      for (int i = 0; i < kSquare; ++i) {
        constexpr float kMost = 1e8f;
        const int at_x = static_cast<int>(std::clamp(from_x + static_cast<float>(i) * step_x, -kMost, kMost));
        const int at_y = static_cast<int>(std::clamp(from_y + static_cast<float>(i) * step_y, -kMost, kMost));
        const int tx = at_x >> 8, ty = at_y >> 8;
        const u32 s = static_cast<u32>(at_x & 255), t = static_cast<u32>(at_y & 255);
        u32 texel[4];
        if (tx >= 0 && ty >= 0 && tx + 1 < ground_.width_px && ty + 1 < ground_.height_px) {
          const u32* first = stone_.data() + static_cast<std::size_t>(ty) * static_cast<std::size_t>(ground_.width_px) +
                             static_cast<std::size_t>(tx);
          texel[0] = first[0];
          texel[1] = first[1];
          texel[2] = first[ground_.width_px];
          texel[3] = first[ground_.width_px + 1];
        } else {
          for (int c = 0; c < 4; ++c) texel[c] = stone_texel(tx + (c & 1), ty + (c >> 1));
        }
        out[y * kTile_px + u * kSquare + i] =
            mix_texels(mix_texels(texel[0], texel[1], s), mix_texels(texel[2], texel[3], s), t);
      }
    }
  }
}

// ---------------------------------------------------------------------------------------------------- dust

void CpuCanvas::read_small(float x_px, float y_px, std::span<const int> channels, float* out) const {
  const float per_texel = 1.0f / static_cast<float>(small_.divisor);
  const float u = std::clamp(x_px * per_texel - 0.5f, -0.999f, static_cast<float>(small_.width) - 0.001f);
  const float v = std::clamp(y_px * per_texel - 0.5f, -0.999f, static_cast<float>(small_.height) - 0.001f);
  const int i = static_cast<int>(std::floor(u)), j = static_cast<int>(std::floor(v));
  const float s = u - static_cast<float>(i), t = v - static_cast<float>(j);
  for (const int c : channels) {
    const float* at = small_.plane[c] + static_cast<std::ptrdiff_t>(j) * small_.stride + i;
    const float upper = at[0] + (at[1] - at[0]) * s,
                lower = at[small_.stride] + (at[small_.stride + 1] - at[small_.stride]) * s;
    *out++ = upper + (lower - upper) * t;
  }
}

void CpuCanvas::light_at(float x_px, float y_px, float (&rgb)[3]) const {
  static constexpr int kChannels[] = {SmallPlanes::LightRed, SmallPlanes::LightGreen, SmallPlanes::LightBlue};
  read_small(x_px, y_px, kChannels, rgb);
}

FigureLight CpuCanvas::figure_light_at(float x_px, float y_px) const {
  static constexpr int kChannels[] = {SmallPlanes::LightRed, SmallPlanes::LightGreen, SmallPlanes::LightBlue,
                                      SmallPlanes::TowardsX, SmallPlanes::TowardsY};
  float read[5];
  read_small(x_px, y_px, kChannels, read);
  const float bright = read[0] * 0.30f + read[1] * 0.55f + read[2] * 0.15f + 0.0005f;
  return {read[0], read[1], read[2], read[3] / bright, -read[4] / bright};
}

namespace {

/// Pixels of a dot, the last ones outside.
struct DotBox {
  int left, top, right, bottom;
};
DotBox box_of(const ScreenDot& dot) {
  const float radius = 0.5f * dot.diameter_px;
  const auto pixel = [](float px) { return static_cast<int>(std::floor(px + 0.5f)); };
  return {pixel(dot.x - radius), pixel(dot.y - radius), pixel(dot.x + radius), pixel(dot.y + radius)};
}

}  // namespace

/// Dots to the tiles that they touch, in their order.
void CpuCanvas::sort_dots(std::span<const ScreenDot> dots) {
  const auto for_each_tile = [&](const ScreenDot& dot, auto&& f) {
    if (!(dot.x >= 0.0f && dot.y >= 0.0f && dot.x < picture_.view.width_px && dot.y < picture_.view.height_px)) return;
    const DotBox box = box_of(dot);
    const int right = std::min(columns_ - 1, (box.right - 1) / kTile_px),
              bottom = std::min(rows_ - 1, (box.bottom - 1) / kTile_px);
    for (int row = std::max(0, box.top) / kTile_px; row <= bottom; ++row) {
      for (int column = std::max(0, box.left) / kTile_px; column <= right; ++column)
        f(static_cast<std::size_t>(row * columns_ + column));
    }
  };
  list_by_tile(dots.size(), dot_first_, dots_, [&](std::size_t i, auto&& f) { for_each_tile(dots[i], f); },
               [&](std::size_t i) { return dots[i]; });
}

/// The part of a dot that lies in the tile with this corner.
void CpuCanvas::add_dot(const ScreenDot& dot, int left, int top, bool red_first) {
  const float radius = 0.5f * dot.diameter_px;
  const DotBox box = box_of(dot);
  const int right = std::min({width_px_, left + kTile_px, box.right}),
            bottom = std::min({height_px_, top + kTile_px, box.bottom});
  for (int row = std::max(top, box.top); row < bottom; ++row) {
    for (int column = std::max(left, box.left); column < right; ++column) {
      const float dx = (static_cast<float>(column) + 0.5f - dot.x) / radius,
                  dy = (static_cast<float>(row) + 0.5f - dot.y) / radius;
      const float soft = std::max(0.0f, 1.0f - (dx * dx + dy * dy));
      u32& pixel = output_[static_cast<std::ptrdiff_t>(row) * output_stride_ + column];
      u32 made = pixel & 0xFF000000u;
      for (int c = 0; c < 3; ++c) {
        const u32 shift = static_cast<u32>(8 * (red_first ? c : 2 - c));
        const float sum = static_cast<float>(pixel >> shift & 255u) + dot.rgb[c] * (soft * soft * 255.0f) + 0.5f;
        made |= static_cast<u32>(std::min(sum, 255.0f)) << shift;
      }
      pixel = made;
    }
  }
}

}  // namespace spellpool::render
