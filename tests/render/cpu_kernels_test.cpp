// The kernels of each instruction set against each other, byte by byte, and against what they promise.
#include "render/cpu/cpu_kernels.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <vector>

#include "core/rng.hpp"

namespace spellpool::render::test {
namespace {

using frame::ParticleInstance;
using frame::ParticleShape;

constexpr std::array kSizes_px = {0.0f, 0.5f, 1.0f, 2.0f, 3.0f, 4.0f, 7.5f, 12.0f, 24.0f, 64.0f, 256.0f, 1023.9f};
constexpr u16 kGuard = 0xA5C3;

/// A tile between guards: nothing may be written beyond its pixels.
class GuardedTile {
 public:
  static constexpr std::size_t kNumbers = kTilePixels * 4, kAside = 1024;
  explicit GuardedTile(int left_px = 0, int top_px = 0) : left_px_(left_px), top_px_(top_px), memory_(kNumbers + 2 * kAside + 32, kGuard) {
    void* at = memory_.data() + kAside;
    std::size_t room = (kNumbers + 32) * sizeof(u16);
    pixels_ = static_cast<u16*>(std::align(64, kNumbers * sizeof(u16), at, room));
    std::fill_n(pixels_, kNumbers, u16{0});
  }
  GuardedTile(const GuardedTile& other) : GuardedTile(other.left_px_, other.top_px_) { std::copy_n(other.pixels_, kNumbers, pixels_); }
  GuardedTile& operator=(const GuardedTile&) = delete;

  TileCanvas canvas() { return {pixels_, left_px_, top_px_}; }
  u16* data() { return pixels_; }
  u16 at(int x, int y, int channel) const { return pixels_[(y * kTile_px + x) * 4 + channel]; }
  bool guards_hold() const {
    const u16* begin = memory_.data();
    const u16* end = begin + memory_.size();
    const auto plain = [](u16 x) { return x == kGuard; };
    return std::all_of(begin, static_cast<const u16*>(pixels_), plain) && std::all_of(static_cast<const u16*>(pixels_) + kNumbers, end, plain);
  }
  /// "" or where the first difference is.
  std::string differs(const GuardedTile& other) const {
    for (std::size_t i = 0; i < kNumbers; ++i) {
      if (pixels_[i] != other.pixels_[i]) {
        return "at " + std::to_string(i / 4 % kTile_px) + "," + std::to_string(i / 4 / kTile_px) + " channel " + std::to_string(i % 4) +
               ": " + std::to_string(pixels_[i]) + " and " + std::to_string(other.pixels_[i]);
      }
    }
    return "";
  }
  void fill(Rng& rng, u32 most_light, u32 most_cover) {
    for (std::size_t i = 0; i < kNumbers; ++i) pixels_[i] = static_cast<u16>(rng.below((i % 4 == 3 ? most_cover : most_light) + 1));
  }

 private:
  int left_px_, top_px_;
  std::vector<u16> memory_;
  u16* pixels_ = nullptr;
};

/// Small planes of a picture, with the border that tiles need.
struct Planes {
  std::vector<float> numbers;
  SmallPlanes planes;
  Planes(Rng& rng, int divisor, int width_px, int height_px, float most, float least = 0.0f) {
    planes.divisor = divisor;
    planes.width = std::max(1, width_px / divisor);
    planes.height = std::max(1, height_px / divisor);
    planes.stride = (width_px + kTile_px) / divisor + 32;
    const std::size_t one = static_cast<std::size_t>(planes.stride) * static_cast<std::size_t>((height_px + kTile_px) / divisor + 32);
    numbers.resize(one * SmallPlanes::kChannels);
    for (float& number : numbers) number = rng.range(least, most);
    for (std::size_t c = 0; c < SmallPlanes::kChannels; ++c) planes.plane[c] = numbers.data() + c * one + 4 * planes.stride + 8;
  }
};

struct Lists {
  std::vector<u32> noise = std::vector<u32>(kNoiseSide * kNoiseSide);
  std::array<float, kGlowReachSteps> reach{};
  explicit Lists(Rng& rng) {
    for (u32& texel : noise) texel = rng.next_u32();
    make_glow_reach(reach);
  }
};

ParticleView plain_view(const Lists& lists, const SmallPlanes& light) {
  ParticleView view;
  view.px_per_place = 1.0f / frame::kPositionScale;
  view.px_per_size = 1.0f / frame::kSizeScale;
  view.light = &light;
  view.noise = lists.noise.data();
  view.glow_reach = lists.reach.data();
  return view;
}

ParticleInstance any_particle(Rng& rng, float middle_x_px, float middle_y_px) {
  ParticleInstance p{};
  const auto place = [&](float middle) {
    constexpr std::array kPlaces = {0.0f, 1.0f, 31.5f, 63.0f, 64.0f};  // Edges of a tile.
    float at = middle + rng.range(-90, 90);
    if (rng.below(3) == 0) at = middle - 32.0f + kPlaces[rng.below(5)] + rng.range(-1, 1);
    if (rng.below(40) == 0) return static_cast<i16>(rng.next_u32());
    if (rng.below(200) == 0) return rng.below(2) == 0 ? i16{-32768} : i16{32767};
    return static_cast<i16>(std::clamp(at * frame::kPositionScale, -32768.0f, 32767.0f));
  };
  p.x = place(middle_x_px);
  p.y = place(middle_y_px);
  const u32 motion = rng.below(8);
  const auto way = [&] {
    if (motion == 0) return static_cast<i16>(rng.next_u32());
    if (motion == 1) return rng.below(2) == 0 ? i16{-32768} : i16{32767};
    if (motion == 2) return static_cast<i16>(rng.below(5));
    return motion == 3 ? i16{0} : static_cast<i16>(rng.range(-1200, 1200));
  };
  p.dx = way();
  p.dy = way();
  const bool full = rng.below(4) == 0;
  for (u8* channel : {&p.r, &p.g, &p.b, &p.a}) *channel = static_cast<u8>(full ? 255 : rng.below(256));
  p.size = static_cast<u16>(kSizes_px[rng.below(kSizes_px.size())] * frame::kSizeScale);
  if (rng.below(10) == 0) p.size = static_cast<u16>(rng.next_u32());
  p.glow_shape = static_cast<u8>(rng.next_u32());  // Unknown shapes too.
  p.angle = static_cast<u8>(rng.next_u32());
  return p;
}

const CpuKernels& definition() { return *cpu_kernels().back(); }

/// A view of a picture whose size is given, the world's (0, 0) in its middle.
ParticleView any_view(Rng& rng, const Lists& lists, const SmallPlanes& light, int width_px, int height_px) {
  ParticleView view = plain_view(lists, light);
  constexpr std::array kScales = {1.0f, 1.0f, 1.5f, 3.0f, 0.25f, 6.0f};
  const float scale = kScales[rng.below(kScales.size())];
  view.px_per_place *= scale;
  view.px_per_size *= scale;
  view.left_px = 0.5f * static_cast<float>(width_px) + rng.range(-3, 3);
  view.top_px = 0.5f * static_cast<float>(height_px) + rng.range(-3, 3);
  view.past = rng.below(3) == 0 ? 0.0f : rng.unit();
  return view;
}

/// One whose middle lies on a picture of that size or beside it, in about the places of a view's world.
ParticleInstance any_particle_on(Rng& rng, const ParticleView& view, int width_px, int height_px) {
  const float scale = view.px_per_place * frame::kPositionScale;
  return any_particle(rng, rng.range(-0.5f, 0.5f) * static_cast<float>(width_px) / scale, rng.range(-0.5f, 0.5f) * static_cast<float>(height_px) / scale);
}

struct TileRange {
  int left, top, right, bottom;
  explicit TileRange(u32 range)
      : left(static_cast<int>(range & 255u)), top(static_cast<int>(range >> 8 & 255u)), right(static_cast<int>(range >> 16 & 255u)),
        bottom(static_cast<int>(range >> 24)) {}
  bool holds(int column, int row) const { return column >= left && column <= right && row >= top && row <= bottom; }
};

TEST(CpuKernelRows, ThePortableOneIsLastAndEachHasItsName) {
  ASSERT_FALSE(cpu_kernels().empty());
  EXPECT_STREQ(definition().name, "portable");
  for (const CpuKernels* row : cpu_kernels()) EXPECT_EQ(std::count_if(cpu_kernels().begin(), cpu_kernels().end(), [&](const CpuKernels* other) {
    return std::strcmp(row->name, other->name) == 0;
  }), 1) << row->name;
}

TEST(CpuKernelRows, GiveTheSameBytesOfAnyParticle) {
  Rng rng(101);
  const Lists lists(rng);
  for (int round = 0; round < 60; ++round) {
    const int left = static_cast<int>(rng.below(20)) * kTile_px, top = static_cast<int>(rng.below(12)) * kTile_px;
    const Planes light(rng, round % 2 == 0 ? 4 : 8, 1300, 800, round % 5 == 0 ? 60'000.0f : 3.0f);
    ParticleView view = plain_view(lists, light.planes);
    constexpr std::array kScales = {1.0f, 1.0f, 1.5f, 3.0f, 0.25f, 6.0f};
    const float scale = kScales[rng.below(kScales.size())];
    view.px_per_place *= scale;
    view.px_per_size *= scale;
    view.left_px = rng.range(-3, 3);
    view.top_px = rng.range(-3, 3);
    view.past = round % 3 == 0 ? 0.0f : rng.unit();
    std::vector<ParticleInstance> all;
    for (int i = 0; i < 150; ++i) {
      const float x = (static_cast<float>(left) + 32.0f - view.left_px) / scale, y = (static_cast<float>(top) + 32.0f - view.top_px) / scale;
      all.push_back(any_particle(rng, x, y));
    }
    GuardedTile start(left, top);
    start.fill(rng, round % 4 == 0 ? 65535 : 4000, round % 4 == 1 ? 65535 : 16383);
    for (const bool matter : {false, true}) {
      const auto draw = [&](const CpuKernels& row, GuardedTile& tile, std::span<const ParticleInstance> some) {
        (matter ? row.lay_matter : row.add_light)(tile.canvas(), some.data(), some.size(), view);
      };
      GuardedTile expected(start);
      draw(definition(), expected, all);
      ASSERT_TRUE(expected.guards_hold());
      for (const CpuKernels* row : cpu_kernels()) {
        GuardedTile made(start);
        draw(*row, made, all);
        ASSERT_TRUE(made.guards_hold()) << row->name;
        ASSERT_EQ(made.differs(expected), "") << row->name << (matter ? " matter, round " : " light, round ") << round;
        GuardedTile one_by_one(start);
        for (const ParticleInstance& p : all) draw(*row, one_by_one, {&p, 1});
        ASSERT_EQ(one_by_one.differs(expected), "") << row->name << ": a list is its particles, one after the other";
      }
    }
  }
}

TEST(CpuKernelRows, EachShapeAndSizeOverEachEdgeAndCorner) {
  Rng rng(7);
  const Lists lists(rng);
  const Planes light(rng, 4, 64, 64, 2.0f);
  const ParticleView view = plain_view(lists, light.planes);
  for (const auto& shape : frame::kParticleShapes) {
    for (const float size : kSizes_px) {
      const GuardedTile empty;
      bool seen = false;
      for (const float across : {0.0f, 0.5f, 1.0f}) {
        for (const float down : {0.0f, 0.5f, 1.0f}) {
          ParticleInstance p{};
          p.x = static_cast<i16>((64.0f * across + rng.range(-0.4f, 0.4f) * std::min(size, 200.0f)) * frame::kPositionScale);
          p.y = static_cast<i16>((64.0f * down + rng.range(-0.4f, 0.4f) * std::min(size, 200.0f)) * frame::kPositionScale);
          p.dx = static_cast<i16>(rng.range(-700, 700));
          p.dy = static_cast<i16>(rng.range(-700, 700));
          p.r = 255;
          p.g = 130;
          p.b = 60;
          p.a = 200;
          p.size = static_cast<u16>(size * frame::kSizeScale);
          p.glow_shape = static_cast<u8>(static_cast<u32>(shape.id) | 6u << 3);
          p.angle = static_cast<u8>(rng.next_u32());
          GuardedTile light_expected, matter_expected;
          definition().add_light(light_expected.canvas(), &p, 1, view);
          definition().lay_matter(matter_expected.canvas(), &p, 1, view);
          seen = seen || !light_expected.differs(empty).empty();
          for (const CpuKernels* row : cpu_kernels()) {
            GuardedTile lit, covered;
            row->add_light(lit.canvas(), &p, 1, view);
            row->lay_matter(covered.canvas(), &p, 1, view);
            EXPECT_EQ(lit.differs(light_expected), "") << row->name << " " << shape.name << " " << size;
            EXPECT_EQ(covered.differs(matter_expected), "") << row->name << " " << shape.name << " " << size;
            EXPECT_TRUE(lit.guards_hold() && covered.guards_hold()) << row->name << " " << shape.name << " " << size;
          }
        }
      }
      EXPECT_EQ(seen, size > 0.0f) << shape.name << " " << size;
    }
  }
}

// Nine tiles as one picture: what lies over their edges is what lies in the middle of one, shifted. Places are whole
// 1/32 pixels, which floats hold exactly, so there is nothing to round.
TEST(CpuKernelRows, OverEveryEdgeAShapeIsTheMiddleOneShifted) {
  Rng rng(3);
  const Lists lists(rng);
  Planes light(rng, 4, 320, 320, 0.5f, 0.5f);  // The same everywhere.
  const ParticleView view = plain_view(lists, light.planes);
  const auto picture = [&](const CpuKernels& row, const ParticleInstance& p, bool matter) {
    std::vector<u16> all(192 * 192 * 4);
    for (int tile = 0; tile < 9; ++tile) {
      GuardedTile one(tile % 3 * kTile_px + kTile_px, tile / 3 * kTile_px + kTile_px);
      (matter ? row.lay_matter : row.add_light)(one.canvas(), &p, 1, view);
      for (int y = 0; y < kTile_px; ++y)
        std::copy_n(one.data() + y * kTile_px * 4, kTile_px * 4, all.data() + ((tile / 3 * kTile_px + y) * 192 + tile % 3 * kTile_px) * 4);
    }
    return all;
  };
  const CpuKernels& row = *cpu_kernels().front();
  for (const auto& shape : frame::kParticleShapes) {
    for (const bool matter : {false, true}) {
      for (const float size : {0.5f, 2.0f, 4.0f, 12.0f, 33.0f, 60.0f}) {
        ParticleInstance p{};
        p.x = static_cast<i16>(160 * 32 + 8);
        p.y = static_cast<i16>(160 * 32 + 19);
        p.dx = shape.id == ParticleShape::Spark ? i16{200} : i16{0};
        p.dy = shape.id == ParticleShape::Spark ? i16{-90} : i16{0};
        p.r = 255;
        p.g = 170;
        p.b = 80;
        p.a = 180;
        p.size = static_cast<u16>(size * frame::kSizeScale);
        p.glow_shape = static_cast<u8>(static_cast<u32>(shape.id) | 4u << 3);
        p.angle = 23;
        const std::vector<u16> middle = picture(row, p, matter);
        ASSERT_TRUE(std::any_of(middle.begin(), middle.end(), [](u16 x) { return x > 0; })) << shape.name << " " << size;
        for (const int across : {-37, -32, 0, 31, 33}) {
          for (const int down : {-33, -32, 0, 29, 32}) {
            // Soft smoke has a mask for each two pixels both ways.
            const bool soft = matter && shape.id == ParticleShape::Smoke && size >= 36.0f;
            if (soft && (across % 2 != 0 || down % 2 != 0)) continue;
            ParticleInstance moved = p;
            moved.x = static_cast<i16>(p.x + across * 32);
            moved.y = static_cast<i16>(p.y + down * 32);
            const std::vector<u16> shifted = picture(row, moved, matter);
            int worst = 0;
            for (int y = std::max(0, down); y < std::min(192, 192 + down); ++y) {
              for (int x = std::max(0, across); x < std::min(192, 192 + across); ++x) {
                for (int c = 0; c < 4; ++c) {
                  const int a = shifted[static_cast<std::size_t>((y * 192 + x) * 4 + c)];
                  const int b = middle[static_cast<std::size_t>(((y - down) * 192 + x - across) * 4 + c)];
                  worst = std::max(worst, std::abs(a - b));
                }
              }
            }
            // A glow ends where it rounds to nothing, to the next four pixels: one step of light may be there or not.
            EXPECT_LE(worst, 1) << shape.name << (matter ? " matter " : " light ") << size << " by " << across << "," << down;
          }
        }
      }
    }
  }
}

// Eight particles a word: whatever is left over must come out the same, and nothing be read or written beyond it (the
// list of particles ends where its memory does, which AddressSanitizer sees).
TEST(CpuKernelRows, TileRangesGiveTheSameForAnyParticle) {
  constexpr u32 kUntouched = 0xA5C3A5C3u;
  constexpr std::size_t kAside = 9;  // Nowhere in particular.
  Rng rng(202);
  const Lists lists(rng);
  const Planes light(rng, 4, 64, 64, 1.0f);
  std::size_t seen = 0, unseen = 0;
  for (std::size_t round = 0; round < 300; ++round) {
    const std::size_t count = round <= 40 ? round : rng.below(200);
    const int columns = static_cast<int>(rng.below(120)) + 1, rows = static_cast<int>(rng.below(68)) + 1;
    const ParticleView view = any_view(rng, lists, light.planes, columns * kTile_px, rows * kTile_px);
    std::vector<ParticleInstance> particles;
    particles.reserve(count);
    for (std::size_t i = 0; i < count; ++i) particles.push_back(any_particle_on(rng, view, columns * kTile_px, rows * kTile_px));
    const auto ranges_of = [&](const CpuKernels& row) {
      std::vector<u32> ranges(count + 2 * kAside, kUntouched);
      row.tile_ranges(particles.data(), count, view, columns, rows, ranges.data() + kAside);
      return ranges;
    };
    const std::vector<u32> expected = ranges_of(definition());
    for (std::size_t i = 0; i < expected.size(); ++i) {
      if (i < kAside || i >= kAside + count) {
        ASSERT_EQ(expected[i], kUntouched) << count << " particles, " << static_cast<int>(i) - static_cast<int>(kAside);
        continue;
      }
      u32 alone;
      definition().tile_ranges(&particles[i - kAside], 1, view, columns, rows, &alone);
      ASSERT_EQ(expected[i], alone) << i - kAside << " of " << count;
      ++(alone == kUnseen ? unseen : seen);
    }
    for (const CpuKernels* row : cpu_kernels()) ASSERT_EQ(ranges_of(*row), expected) << row->name << " " << count;
  }
  EXPECT_GT(seen, 10'000u);
  EXPECT_GT(unseen, 1'000u);
}

// What the two painting kernels leave in each tile of a picture, painted without asking for ranges.
TEST(CpuKernelRows, TileRangesHoldWhatIsPainted) {
  constexpr int kColumns = 3, kRows = 2;
  Rng rng(203);
  const Lists lists(rng);
  const Planes light(rng, 4, kColumns * kTile_px, kRows * kTile_px, 2.0f, 1.0f);
  const CpuKernels& row = *cpu_kernels().front();
  int unseen = 0, painted = 0, in_many = 0;
  for (int i = 0; i < 3000; ++i) {
    const ParticleView view = any_view(rng, lists, light.planes, kColumns * kTile_px, kRows * kTile_px);
    const ParticleInstance p = any_particle_on(rng, view, kColumns * kTile_px, kRows * kTile_px);
    u32 range;
    row.tile_ranges(&p, 1, view, kColumns, kRows, &range);
    unseen += range == kUnseen;
    if (range != kUnseen) {
      const TileRange in(range);
      ASSERT_TRUE(in.left <= in.right && in.right < kColumns && in.top <= in.bottom && in.bottom < kRows) << std::hex << range;
    }
    int tiles = 0;
    for (int tile = 0; tile < kColumns * kRows; ++tile) {
      const int column = tile % kColumns, line = tile / kColumns;
      GuardedTile made(column * kTile_px, line * kTile_px);
      row.add_light(made.canvas(), &p, 1, view);
      row.lay_matter(made.canvas(), &p, 1, view);
      if (std::all_of(made.data(), made.data() + GuardedTile::kNumbers, [](u16 x) { return x == 0; })) continue;
      ++tiles;
      ASSERT_TRUE(range != kUnseen && TileRange(range).holds(column, line))
          << "shape " << (p.glow_shape & 7) << ", size " << p.size << " at " << p.x << "," << p.y << " by " << p.dx << "," << p.dy << " paints tile "
          << column << "," << line << ", not in " << std::hex << range;
    }
    painted += tiles > 0;
    in_many += tiles > 1;
  }
  EXPECT_GT(unseen, 100);
  EXPECT_GT(painted, 500);
  EXPECT_GT(in_many, 200);
}

// A tile too many is no fault in a picture, but work. In doubles; at a tile's border either may be said.
TEST(CpuKernelRows, TileRangesHoldNoMoreThanAParticlesBox) {
  constexpr int kColumns = 20, kRows = 12;
  constexpr double kOnBorder_px = 0.05;  // Floats at some thousand pixels.
  Rng rng(204);
  const Lists lists(rng);
  const Planes light(rng, 4, 64, 64, 1.0f);
  int checked = 0;
  for (int i = 0; i < 20'000; ++i) {
    const ParticleView view = any_view(rng, lists, light.planes, kColumns * kTile_px, kRows * kTile_px);
    const ParticleInstance p = any_particle_on(rng, view, kColumns * kTile_px, kRows * kTile_px);
    u32 range;
    cpu_kernels().front()->tile_ranges(&p, 1, view, kColumns, kRows, &range);
    if (p.size == 0) {
      ASSERT_EQ(range, kUnseen);
      continue;
    }
    const double scale = double{view.px_per_place}, reach = 0.5 * std::max(2.0, p.size * double{view.px_per_size});
    const bool spark = (p.glow_shape & 7) == static_cast<int>(ParticleShape::Spark);
    double low[2], high[2];
    for (const int way : {0, 1}) {
      const double moved = way == 0 ? p.dx : p.dy;
      const double middle = ((way == 0 ? p.x : p.y) - view.past * moved) * scale + double{way == 0 ? view.left_px : view.top_px};
      const double tail = spark ? moved * kStreakSteps * scale : 0.0;
      low[way] = middle - reach - std::max(tail, 0.0);
      high[way] = middle + reach - std::min(tail, 0.0);
    }
    const int tiles[2] = {kColumns, kRows};
    bool on_border = false, seen = true;
    for (const int way : {0, 1}) {
      for (const double edge : {low[way], high[way]}) on_border = on_border || std::abs(edge - kTile_px * std::round(edge / kTile_px)) < kOnBorder_px;
      seen = seen && high[way] > 0 && low[way] < kTile_px * tiles[way];
    }
    if (on_border) continue;
    ++checked;
    ASSERT_EQ(range != kUnseen, seen) << low[0] << "," << low[1] << " … " << high[0] << "," << high[1];
    if (!seen) continue;
    const auto tile = [&](double edge, int way) { return std::clamp(static_cast<int>(std::floor(edge / kTile_px)), 0, tiles[way] - 1); };
    const TileRange made(range);
    ASSERT_EQ(made.left, tile(low[0], 0));
    ASSERT_EQ(made.top, tile(low[1], 1));
    ASSERT_EQ(made.right, tile(high[0], 0));
    ASSERT_EQ(made.bottom, tile(high[1], 1));
  }
  EXPECT_GT(checked, 10'000);
}

// docs/DRAWING.md, "One glow", in doubles. Up to 4×4 pixels are drawn in a way of their own, and those that lie over an edge
// likewise, from the last four pixels of the tile; larger ones by rows. All must be the same disc.
TEST(CpuKernelRows, GlowsOfEverySizeAndPlaceAreTheFormula) {
  Rng rng(205);
  const Lists lists(rng);
  constexpr float kLight = 0.5f;
  Planes light(rng, 4, 64, 64, kLight, kLight);  // The same everywhere.
  const ParticleView view = plain_view(lists, light.planes);
  std::vector<std::pair<float, float>> places;
  for (const float x : {-1.3f, 0.2f, 1.6f, 31.4f, 32.0f, 59.7f, 60.2f, 61.5f, 62.9f, 64.0f, 65.4f}) {
    for (const float y : {-1.3f, 0.2f, 1.6f, 31.4f, 32.0f, 59.7f, 60.2f, 61.5f, 62.9f, 64.0f, 65.4f}) places.emplace_back(x, y);
  }
  for (int i = 0; i < 100; ++i) places.emplace_back(rng.range(-3, 67), rng.range(-3, 67));
  for (const CpuKernels* row : cpu_kernels()) {
    for (const float size : {0.5f, 1.0f, 2.0f, 2.5f, 3.0f, 4.0f, 4.5f, 6.0f, 12.0f}) {
      for (const auto& [x, y] : places) {
        ParticleInstance p{};
        p.x = static_cast<i16>(x * frame::kPositionScale);
        p.y = static_cast<i16>(y * frame::kPositionScale);
        p.r = 255;
        p.g = 140;
        p.b = 20;
        p.a = 200;
        p.size = static_cast<u16>(size * frame::kSizeScale);
        p.glow_shape = static_cast<u8>(4u << 3);  // Brightness 1.
        GuardedTile lit, covered;
        row->add_light(lit.canvas(), &p, 1, view);
        row->lay_matter(covered.canvas(), &p, 1, view);
        const double radius = std::max(1.0, 0.5 * size), dim = size < 2.0f ? 0.25 * size * size : 1.0, alpha = p.a / 255.0 * dim;
        const double matter_light = alpha * (0.09 + 1.1 * kLight / (1.0 + 1.6 * kLight));
        const double most_light = 0.62 * double{kLightOne} * dim, most_matter = double{kLightOne} * matter_light;
        for (int pixel = 0; pixel < kTilePixels; ++pixel) {
          const int px = pixel % kTile_px, py = pixel / kTile_px;
          const double from_x = px + 0.5 - p.x / double{frame::kPositionScale}, from_y = py + 0.5 - p.y / double{frame::kPositionScale};
          const double d2 = std::min(1.0, (from_x * from_x + from_y * from_y) / (radius * radius)), c = std::min(1.0, 9.0 * d2);
          const double mask = 0.22 * std::pow(1.0 - d2, 3) + 1.0 - c * c;
          const auto holds = [&](const GuardedTile& tile, int channel, double full) {
            // d² is the sum of two numbers cut to 1/65536, and the core changes with it up to 18 times as fast: 5.5e-4 of all.
            // Its mask is cut to 1/16384: 0.6e-4. One step for rounding and for where a halo ends. Light: 1.8 of 65535.
            ASSERT_NEAR(tile.at(px, py, channel), mask * full, 1.0 + 6.5e-4 * full)
                << row->name << (&tile == &lit ? " light " : " matter ") << size << " px at " << x << "," << y << ", pixel " << px << "," << py;
          };
          holds(lit, 0, most_light);
          holds(lit, 1, most_light * p.g / 255.0);
          holds(lit, 2, most_light * p.b / 255.0);
          holds(covered, 0, most_matter);
          holds(covered, 3, double{kCoverOne} * alpha);
          if (HasFatalFailure()) return;
        }
        ASSERT_TRUE(lit.guards_hold() && covered.guards_hold()) << row->name;
      }
    }
  }
}

TEST(CpuKernelRows, ThousandsOnOneSpotSaturate) {
  Rng rng(1);
  const Lists lists(rng);
  const Planes light(rng, 4, 64, 64, 40.0f, 40.0f);
  const ParticleView view = plain_view(lists, light.planes);
  for (const auto& shape : frame::kParticleShapes) {
    ParticleInstance p{};
    p.x = p.y = 32 * 32 + 16;
    p.r = p.g = p.b = p.a = 255;
    p.size = static_cast<u16>(40.0f * frame::kSizeScale);
    p.glow_shape = static_cast<u8>(static_cast<u32>(shape.id) | 31u << 3);
    const std::vector<ParticleInstance> many(3000, p);
    for (const CpuKernels* row : cpu_kernels()) {
      GuardedTile few, lit, covered;
      row->add_light(few.canvas(), many.data(), 20, view);
      row->add_light(lit.canvas(), many.data(), many.size(), view);
      row->lay_matter(covered.canvas(), many.data(), many.size(), view);
      for (int y = 0; y < kTile_px; ++y) {
        for (int x = 0; x < kTile_px; ++x) {
          for (int c = 0; c < 3; ++c) ASSERT_GE(lit.at(x, y, c), few.at(x, y, c)) << row->name << " " << shape.name << ": more light is never less";
          ASSERT_EQ(lit.at(x, y, 3), 0) << "light covers nothing";
        }
      }
      EXPECT_EQ(lit.at(32, 32, 0), 65535) << row->name << " " << shape.name;
      EXPECT_GE(covered.at(32, 32, 3), 16380) << row->name << " " << shape.name;
      EXPECT_TRUE(lit.guards_hold() && covered.guards_hold());
    }
  }
}

TEST(CpuKernelRows, LayFiguresGivesTheSameBytesOfAnyHalves) {
  Rng rng(12);
  for (int round = 0; round < 24; ++round) {
    const int rows = round % 3 == 0 ? kTile_px : static_cast<int>(rng.below(kTile_px)) + 1;
    alignas(64) static u16 halves[kTilePixels * 4];
    for (u16& half : halves) half = static_cast<u16>(rng.next_u32());
    if (round % 2 == 0) {
      // As they are: 0 … 4, cover 0 … 1.
      for (std::size_t i = 0; i < std::size(halves); ++i) halves[i] = static_cast<u16>(rng.below(i % 4 == 3 ? 0x3C01 : 0x4401));
    }
    GuardedTile start;
    start.fill(rng, 65535, 16383);
    GuardedTile expected(start);
    definition().lay_figures(expected.data(), halves, rows);
    for (const CpuKernels* row : cpu_kernels()) {
      GuardedTile made(start);
      row->lay_figures(made.data(), halves, rows);
      EXPECT_TRUE(made.guards_hold()) << row->name;
      EXPECT_EQ(made.differs(expected), "") << row->name << " round " << round << ", " << rows << " rows";
      for (int y = rows; y < kTile_px; ++y) {
        for (int x = 0; x < kTile_px; ++x) ASSERT_EQ(made.at(x, y, 0), start.at(x, y, 0)) << "beyond its rows";
      }
    }
  }
}

TEST(CpuKernelRows, LayFiguresTurnsThemOverAndLaysThemOnTop) {
  alignas(64) static u16 halves[kTilePixels * 4] = {};
  constexpr int kRows = 10;
  constexpr u16 kOne = 0x3C00, kHalf = 0x3800;
  // The lowest of ten rows, third pixel: covers all. The next row up: half.
  for (int c = 0; c < 4; ++c) {
    halves[2 * 4 + c] = kOne;
    halves[kTile_px * 4 + 2 * 4 + c] = kHalf;
  }
  for (const CpuKernels* row : cpu_kernels()) {
    GuardedTile tile;
    for (std::size_t i = 0; i < GuardedTile::kNumbers; ++i) tile.data()[i] = i % 4 == 3 ? 0 : 10'000;
    row->lay_figures(tile.data(), halves, kRows);
    EXPECT_NEAR(tile.at(2, kRows - 1, 0), 2048, 2) << row->name;
    EXPECT_NEAR(tile.at(2, kRows - 1, 3), 16383, 1) << row->name;
    EXPECT_NEAR(tile.at(2, kRows - 2, 1), 1024 + 5000, 2) << row->name;
    EXPECT_EQ(tile.at(3, kRows - 1, 0), 10'000) << row->name;
    EXPECT_EQ(tile.at(2, 0, 2), 10'000) << row->name;
  }
}

TEST(CpuKernelRows, AFigureIsReadAndLaidTheSameByAll) {
  Rng rng(14);
  for (int round = 0; round < 60; ++round) {
    // An image of 48 pixels a row, with what other images have around it.
    constexpr int kStride = 96, kRows = 64;
    static u16 halves[kStride * kRows * 4];
    for (std::size_t i = 0; i < std::size(halves); ++i) {
      halves[i] = rng.below(4) == 0 ? u16{0} : static_cast<u16>(rng.below(i % 4 == 3 ? 0x3C01 : 0x4401));
    }
    std::vector<u16> image(std::size(halves)), made(std::size(halves));
    EXPECT_TRUE(definition().read_figure(image.data(), halves, kStride * kRows));
    GuardedTile start;
    start.fill(rng, 65535, 16383);
    FigureJob job;
    job.left = static_cast<int>(rng.below(60));
    job.right = job.left + 1 + static_cast<int>(rng.below(static_cast<u32>(kTile_px - job.left)));
    job.top = static_cast<int>(rng.below(60));
    job.bottom = job.top + 1 + static_cast<int>(rng.below(static_cast<u32>(kTile_px - job.top)));
    job.stride_px = kStride;
    job.from_x = static_cast<int>(rng.below(20)) - std::min(job.left, 10);
    job.from_y = static_cast<int>(rng.below(2)) - job.top;
    if (round % 2 == 0) {
      job.halved_width = (job.right + job.from_x + 1) / 2 + static_cast<int>(rng.below(2));
      job.halved_height = (job.bottom + job.from_y + 1) / 2 + static_cast<int>(rng.below(2));
    }
    GuardedTile expected(start);
    job.pixels = image.data();
    job.tile = expected.data();
    definition().lay_figure(job);
    for (const CpuKernels* row : cpu_kernels()) {
      EXPECT_TRUE(row->read_figure(made.data(), halves, kStride * kRows)) << row->name;
      EXPECT_EQ(made, image) << row->name;
      GuardedTile tile(start);
      job.tile = tile.data();
      row->lay_figure(job);
      EXPECT_TRUE(tile.guards_hold()) << row->name;
      EXPECT_EQ(tile.differs(expected), "") << row->name << " round " << round;
      for (int y = 0; y < kTile_px; ++y) {
        for (int x = 0; x < kTile_px; ++x) {
          const bool inside = x >= job.left && x < job.right && y >= job.top && y < job.bottom;
          if (inside) continue;
          ASSERT_EQ(tile.at(x, y, 1), start.at(x, y, 1)) << row->name << ": beside the figure";
        }
      }
    }
  }
  static u16 nothing[64 * 4] = {};
  u16 out[64 * 4];
  for (const CpuKernels* row : cpu_kernels()) EXPECT_FALSE(row->read_figure(out, nothing, 64)) << row->name;
}

TEST(CpuKernelRows, AHalvedFigureOfOneColourIsThatColour) {
  std::vector<u16> image(40 * 40 * 4);
  for (std::size_t i = 0; i < image.size(); ++i) image[i] = i % 4 == 3 ? u16{0} : u16{1000};
  for (const CpuKernels* row : cpu_kernels()) {
    GuardedTile tile;
    FigureJob job{tile.data(), 3, 5, 63, 61, image.data(), 40, -3, -5, 32, 30};
    row->lay_figure(job);
    for (int y = 5; y < 61; ++y) {
      for (int x = 3; x < 63; ++x) ASSERT_EQ(tile.at(x, y, 2), 1000) << row->name << " " << x << "," << y;
    }
  }
}

TEST(CpuKernelRows, GatherBrightGivesTheSameBytesAndTheMeanOfASquare) {
  Rng rng(31);
  for (const int divisor : {4, 8}) {
    const int texels = kTile_px / divisor, stride = texels + 6;
    for (int round = 0; round < 8; ++round) {
      GuardedTile tile;
      tile.fill(rng, round % 2 == 0 ? 65535 : 2000, 16383);
      const std::size_t numbers = static_cast<std::size_t>(stride * texels * 4);
      std::vector<float> expected(numbers, -7.0f);
      definition().gather_bright(tile.data(), divisor, expected.data(), stride);
      for (const CpuKernels* row : cpu_kernels()) {
        std::vector<float> made(numbers, -7.0f);
        row->gather_bright(tile.data(), divisor, made.data(), stride);
        EXPECT_EQ(std::memcmp(made.data(), expected.data(), numbers * sizeof(float)), 0) << row->name << " " << divisor;
        for (int y = 0; y < texels; ++y) EXPECT_EQ(made[static_cast<std::size_t>((y * stride + texels) * 4)], -7.0f) << "beside the tile";
      }
    }
    // One texel's pixels of the same light, all else dark: as shaders/bloom_gather.frag has it.
    for (const CpuKernels* row : cpu_kernels()) {
      GuardedTile tile;
      const int x = 3, y = 5;
      for (int j = 0; j < divisor; ++j) {
        for (int i = 0; i < divisor; ++i) {
          u16* pixel = tile.data() + ((y * divisor + j) * kTile_px + x * divisor + i) * 4;
          pixel[0] = 4096;
          pixel[1] = 2048;
        }
      }
      std::vector<float> made(static_cast<std::size_t>(texels * texels * 4));
      row->gather_bright(tile.data(), divisor, made.data(), texels);
      for (int t = 0; t < texels * texels; ++t) {
        const float part = t == y * texels + x ? (2.0f - 0.12f) / (2.0f + 0.45f) : 0.0f;
        EXPECT_NEAR(made[static_cast<std::size_t>(4 * t)], 2.0f * part, 1e-5f) << row->name << " " << divisor << " " << t;
        EXPECT_NEAR(made[static_cast<std::size_t>(4 * t + 1)], part, 1e-5f) << row->name << " " << divisor << " " << t;
        EXPECT_EQ(made[static_cast<std::size_t>(4 * t + 2)], 0.0f);
      }
    }
  }
}

// OpenGL reads between four pixels, a quarter of the texel from its middle on the diagonals.
TEST(CpuKernelRows, GatherBrightReadsWhereOpenGlDoes) {
  for (const CpuKernels* row : cpu_kernels()) {
    for (const int divisor : {4, 8}) {
      const int texels = kTile_px / divisor;
      for (int pixel = 0; pixel < divisor * divisor; ++pixel) {
        const int x = pixel % divisor, y = pixel / divisor;
        GuardedTile tile;
        tile.data()[((divisor + y) * kTile_px + 2 * divisor + x) * 4 + 1] = 40'000;
        std::vector<float> made(static_cast<std::size_t>(texels * texels * 4));
        row->gather_bright(tile.data(), divisor, made.data(), texels);
        const auto read = [&](int at) { return divisor == 4 || at == 1 || at == 2 || at == 5 || at == 6; };
        for (int texel = 0; texel < texels * texels; ++texel) {
          const float green = made[static_cast<std::size_t>(4 * texel + 1)];
          EXPECT_EQ(green > 0.5f, texel == texels + 2 && read(x) && read(y)) << row->name << " " << divisor << " pixel " << x << "," << y << " texel " << texel;
        }
      }
    }
  }
}

// Small planes that rise evenly are seen at each pixel as its own place has them: as planes that are so all over.
TEST(CpuKernelRows, ToneSpreadsTexelsEvenly) {
  alignas(64) static u32 pixels[2][kTilePixels];
  alignas(32) static float grain[kTilePixels];  // None.
  const std::vector<u32> stone(kTilePixels, 0xFF9050C0u);
  Rng rng(2);
  for (const CpuKernels* row : cpu_kernels()) {
    for (const int divisor : {4, 8}) {
      for (const bool across : {true, false}) {
        for (const int first_px : {0, kTile_px}) {
          Planes rising(rng, divisor, 192, 192, 0.0f);
          Planes even(rng, divisor, 192, 192, 0.0f);
          const auto fill = [&](Planes& planes, auto value) {
            for (int y = -2; y < 192 / divisor + 2; ++y) {
              for (int x = -2; x < 192 / divisor + 2; ++x) {
                for (std::size_t c = 0; c < SmallPlanes::kChannels; ++c)
                  planes.numbers[static_cast<std::size_t>(planes.planes.plane[c] - planes.numbers.data() + y * planes.planes.stride + x)] =
                      value(across ? x : y) * (0.5f + 0.1f * static_cast<float>(c));
              }
            }
          };
          ToneJob job;
          job.stone = stone.data();
          job.stone_stride = kTile_px;
          job.out_stride = kTile_px;
          job.left_px = job.top_px = first_px;
          job.grain = grain;
          const auto toned = [&](const Planes& planes, u32* out) {
            job.small = &planes.planes;
            job.out = out;
            row->tone(job);
          };
          const float step = 0.1f;
          fill(rising, [&](int texel) { return 0.25f + step * static_cast<float>(texel); });
          toned(rising, pixels[0]);
          for (int i = 0; i < kTile_px; ++i) {
            const float place = (static_cast<float>(first_px + i) + 0.5f) / static_cast<float>(divisor) - 0.5f;
            fill(even, [&](int) { return 0.25f + step * place; });
            toned(even, pixels[1]);
            const int at = across ? 20 * kTile_px + i : i * kTile_px + 20;
            for (int shift = 0; shift < 24; shift += 8) {
              const int a = static_cast<int>(pixels[0][at] >> shift & 255u), b = static_cast<int>(pixels[1][at] >> shift & 255u);
              EXPECT_NEAR(a, b, 1) << row->name << " " << divisor << (across ? " across " : " down ") << first_px + i;
            }
          }
        }
      }
    }
  }
}

TEST(CpuKernelRows, ToneGivesTheSameBytes) {
  Rng rng(55);
  constexpr int kOutStride = 128;
  alignas(32) static float grain[kTilePixels];
  for (float& one : grain) one = rng.range(-0.5f, 0.5f);
  constexpr float kVision[9] = {1.3f, -0.3f, 0.0f, -0.2f, 1.0f, 0.2f, 0.7f, -1.4f, 1.7f};
  for (int round = 0; round < 96; ++round) {
    const int divisor = round % 2 == 0 ? 4 : 8;
    constexpr std::array kMost = {0.05f, 1.0f, 40.0f, 65'504.0f};
    const Planes small(rng, divisor, 256, 192, kMost[rng.below(4)], round % 8 == 7 ? -1.0f : 0.0f);
    GuardedTile scene;
    scene.fill(rng, round % 5 == 0 ? 65535 : 3000, round % 7 == 0 ? 65535 : 16383);
    std::vector<u32> stone(static_cast<std::size_t>(kTile_px * 100));
    for (u32& texel : stone) texel = rng.next_u32();
    ToneJob job;
    const int kind = round % 3;
    job.stone = kind == 0 ? nullptr : stone.data() + 5;  // Nowhere in particular.
    job.stone_stride = 97;
    job.scene = kind == 2 ? scene.data() : nullptr;
    job.out_stride = kOutStride;
    constexpr std::array kRows = {64, 1, 3, 17, 63};
    job.rows = kRows[rng.below(kRows.size())];
    job.left_px = static_cast<int>(rng.below(3)) * kTile_px;
    job.top_px = static_cast<int>(rng.below(2)) * kTile_px;
    job.small = &small.planes;
    job.grain = grain;
    for (float& corner : job.vignette) corner = rng.range(0.4f, 1.0f);
    job.vision = round / 3 % 2 == 0 ? nullptr : kVision;
    job.red_first = round / 6 % 2 == 0;
    job.tinted = round / 12 % 2 == 0;
    struct Out {
      alignas(64) u32 pixels[(kTile_px + 2) * kOutStride];
    };
    const auto toned = [&](const CpuKernels& row, bool red_first) {
      auto out = std::make_unique<Out>();
      std::fill(std::begin(out->pixels), std::end(out->pixels), 0x5A5A5A5Au);
      job.out = out->pixels + kOutStride;
      job.red_first = red_first;
      row.tone(job);
      return out;
    };
    const auto expected = toned(definition(), job.red_first);
    for (const CpuKernels* row : cpu_kernels()) {
      const auto made = toned(*row, job.red_first);
      ASSERT_EQ(std::memcmp(made->pixels, expected->pixels, sizeof made->pixels), 0) << row->name << " round " << round;
    }
    const auto swapped = toned(definition(), !job.red_first);
    for (int y = -1; y <= kTile_px; ++y) {
      for (int x = 0; x < kOutStride; ++x) {
        const u32 a = expected->pixels[(y + 1) * kOutStride + x], b = swapped->pixels[(y + 1) * kOutStride + x];
        if (y < 0 || y >= job.rows || x >= kTile_px) {
          ASSERT_EQ(a, 0x5A5A5A5Au) << "beyond its rows and columns: " << x << "," << y;
        } else {
          ASSERT_EQ(b, (a & 0xFF00FF00u) | (a >> 16 & 0xFFu) | (a & 0xFFu) << 16) << "red and blue change places";
          ASSERT_EQ(a >> 24, 0xFFu);
        }
      }
    }
  }
}

TEST(CpuKernelRows, ToneTintsTheStoneOfAGarden) {
  Rng rng(8);
  alignas(64) static u32 pixels[kTilePixels];
  alignas(32) static float grain[kTilePixels];  // None.
  Planes lit(rng, 4, 64, 64, 0.3f, 0.3f);
  for (std::size_t c = SmallPlanes::AddRed; c <= SmallPlanes::AddBlue; ++c)  // Nothing but the ground.
    std::fill_n(lit.numbers.data() + c * lit.numbers.size() / SmallPlanes::kChannels, lit.numbers.size() / SmallPlanes::kChannels, 0.0f);
  for (const CpuKernels* row : cpu_kernels()) {
    const auto shown = [&](u32 tint, bool tinted) {
      const std::vector<u32> stone(kTilePixels, 0x008080A0u | tint << 24);
      ToneJob job;
      job.stone = stone.data();
      job.stone_stride = job.out_stride = kTile_px;
      job.out = pixels;
      job.small = &lit.planes;
      job.grain = grain;
      job.red_first = true;
      job.tinted = tinted;
      row->tone(job);
      return std::array{static_cast<int>(pixels[100] & 255u), static_cast<int>(pixels[100] >> 8 & 255u)};
    };
    EXPECT_EQ(shown(0, false), shown(255, false)) << row->name << ": the arena's stone has none";
    EXPECT_NEAR(shown(127, true)[0], shown(0, false)[0], 1) << row->name;
    EXPECT_GT(shown(255, true)[0], shown(128, true)[0] + 20) << row->name << ": rose";
    EXPECT_LT(shown(255, true)[1], shown(128, true)[1] - 5) << row->name;
    EXPECT_LT(shown(0, true)[0], shown(128, true)[0] - 20) << row->name << ": moss";
    EXPECT_GT(shown(0, true)[1], shown(128, true)[1] + 5) << row->name;
  }
}

// ---------------------------------------------------------------------------------------------------- bullets

/// A tile's part of a finished picture, with pixels around it that must stay.
struct BulletTile {
  static constexpr int kStride = 128;
  alignas(64) std::array<u32, (kTile_px + 2) * kStride> pixels{};
  PixelTile tile;
  BulletTile(int left_px, int top_px, int rows = kTile_px, bool red_first = false) {
    Rng rng(9);
    for (u32& pixel : pixels) pixel = rng.next_u32() | 0xFF000000u;
    tile = {pixels.data() + kStride + 32, kStride, rows, left_px, top_px, red_first};
  }
  BulletTile(const BulletTile&) = delete;
  u32 at(int x, int y) const { return pixels[static_cast<std::size_t>((y + 1) * kStride + 32 + x)]; }
  bool aside_is_as(const BulletTile& start) const {
    for (int y = -1; y <= kTile_px; ++y) {
      for (int x = -32; x < kStride - 32; ++x) {
        const bool within = x >= 0 && x < kTile_px && y >= 0 && y < tile.rows;
        if (!within && at(x, y) != start.at(x, y)) return false;
      }
    }
    return true;
  }
};

TEST(CpuBullets, AreTheSameBytesFromEachRow) {
  Rng rng(19);
  const Lists lists(rng);
  const Planes light(rng, 4, 64, 64, 1.0f);
  constexpr float kVision[9] = {1.3f, -0.3f, 0.0f, -0.2f, 1.0f, 0.2f, 0.7f, -1.4f, 1.7f};
  for (int round = 0; round < 60; ++round) {
    const int left = static_cast<int>(rng.below(8)) * kTile_px, top = static_cast<int>(rng.below(8)) * kTile_px;
    const int rows = round % 4 == 0 ? static_cast<int>(rng.below(kTile_px)) + 1 : kTile_px;
    ParticleView view = plain_view(lists, light.planes);
    constexpr std::array kScales = {1.0f, 1.5f, 3.0f, 0.25f};
    const float scale = kScales[rng.below(kScales.size())];
    view.px_per_place *= scale;
    view.px_per_size *= scale;
    view.left_px = rng.range(-3, 3);
    view.past = rng.unit();
    view.vision = round % 3 == 0 ? kVision : nullptr;
    std::vector<ParticleInstance> all;
    for (int i = 0; i < 60; ++i) {
      all.push_back(any_particle(rng, (static_cast<float>(left) + 32.0f) / scale, (static_cast<float>(top) + 32.0f) / scale));
      ParticleInstance& p = all.back();
      if (i % 2 == 0) p.size = static_cast<u16>(rng.range(4, 96) * frame::kSizeScale);
      if (i % 3 == 0) p.a = 255;
      if (i % 4 != 0) p.glow_shape = static_cast<u8>(rng.below(3));
    }
    const bool red_first = round % 2 == 0;
    BulletTile start(left, top, rows, red_first), expected(left, top, rows, red_first);
    definition().lay_bullets(expected.tile, all.data(), all.size(), view);
    ASSERT_TRUE(expected.aside_is_as(start));
    ASSERT_NE(expected.pixels, start.pixels);
    for (const CpuKernels* row : cpu_kernels()) {
      BulletTile made(left, top, rows, red_first), one_by_one(left, top, rows, red_first);
      row->lay_bullets(made.tile, all.data(), all.size(), view);
      ASSERT_EQ(made.pixels, expected.pixels) << row->name << " round " << round;
      for (const ParticleInstance& p : all) row->lay_bullets(one_by_one.tile, &p, 1, view);
      ASSERT_EQ(one_by_one.pixels, expected.pixels) << row->name << ": a list is its bullets, one after the other";
      std::vector<u32> ranges(all.size()), wanted(all.size());
      row->bullet_ranges(all.data(), all.size(), view, 9, 7, ranges.data());
      definition().bullet_ranges(all.data(), all.size(), view, 9, 7, wanted.data());
      ASSERT_EQ(ranges, wanted) << row->name << " round " << round;
    }
  }
}

TEST(CpuBullets, ChangeNoTileThatTheirRangeDoesNotName) {
  Rng rng(23);
  const Lists lists(rng);
  const Planes light(rng, 4, 64, 64, 1.0f);
  ParticleView view = plain_view(lists, light.planes);
  constexpr int kColumns = 4, kRows = 3;
  std::vector<std::unique_ptr<BulletTile>> before, made;
  for (int tile = 0; tile < kColumns * kRows; ++tile) {
    for (auto* list : {&before, &made}) list->push_back(std::make_unique<BulletTile>(tile % kColumns * kTile_px, tile / kColumns * kTile_px));
  }
  int named = 0, unseen = 0;
  for (int round = 0; round < 1500; ++round) {
    ParticleInstance p{};
    const float size = rng.range(4, 96);
    p.x = static_cast<i16>(rng.range(-90, kColumns * kTile_px + 90) * frame::kPositionScale);
    p.y = static_cast<i16>(rng.range(-90, kRows * kTile_px + 90) * frame::kPositionScale);
    p.r = 255;
    p.a = static_cast<u8>(round % 3 == 0 ? 255u : rng.below(256));
    p.size = static_cast<u16>(size * frame::kSizeScale);
    p.glow_shape = static_cast<u8>(round % 5);
    p.angle = static_cast<u8>(rng.next_u32());
    u32 range = 0;
    cpu_kernels().front()->bullet_ranges(&p, 1, view, kColumns, kRows, &range);
    unseen += range == kUnseen ? 1 : 0;
    for (int tile = 0; tile < kColumns * kRows; ++tile) {
      const u32 column = static_cast<u32>(tile % kColumns), row = static_cast<u32>(tile / kColumns);
      const bool in = range != kUnseen && column >= (range & 255u) && row >= (range >> 8 & 255u) && column <= (range >> 16 & 255u) && row <= range >> 24;
      named += in ? 1 : 0;
      if (in) continue;
      BulletTile& one = *made[static_cast<std::size_t>(tile)];
      cpu_kernels().front()->lay_bullets(one.tile, &p, 1, view);
      ASSERT_EQ(one.pixels, before[static_cast<std::size_t>(tile)]->pixels) << "size " << size << " shape " << round % 5 << " a " << int{p.a};
    }
  }
  EXPECT_GT(unseen, 100);
  EXPECT_LT(named, 1500 * 4) << "and few more than they touch";
}

// Nine tiles as one picture: what lies over their edges and corners is what lies in the middle of one, shifted.
TEST(CpuBullets, OverEveryEdgeABulletIsTheMiddleOneShifted) {
  Rng rng(3);
  const Lists lists(rng);
  const Planes light(rng, 4, 64, 64, 1.0f);
  const ParticleView view = plain_view(lists, light.planes);
  const auto picture = [&](const ParticleInstance& p) {
    std::vector<u32> all(192 * 192);
    alignas(64) std::array<u32, kTilePixels> pixels;
    for (int tile = 0; tile < 9; ++tile) {
      pixels.fill(0xFF406080u);
      const PixelTile one{pixels.data(), kTile_px, kTile_px, tile % 3 * kTile_px + kTile_px, tile / 3 * kTile_px + kTile_px, false};
      cpu_kernels().front()->lay_bullets(one, &p, 1, view);
      for (int y = 0; y < kTile_px; ++y)
        std::copy_n(pixels.data() + y * kTile_px, kTile_px, all.data() + (tile / 3 * kTile_px + y) * 192 + tile % 3 * kTile_px);
    }
    return all;
  };
  for (const auto& shape : frame::kBulletShapes) {
    for (const float size : {4.0f, 9.0f, 14.0f, 20.0f, 40.0f, 96.0f}) {
      for (const u8 there : {u8{255}, u8{120}}) {
        ParticleInstance p{};
        p.x = static_cast<i16>(160 * 32 + 8);
        p.y = static_cast<i16>(160 * 32 + 19);
        p.r = 255;
        p.g = 60;
        p.b = 140;
        p.a = there;
        p.size = static_cast<u16>(size * frame::kSizeScale);
        p.glow_shape = static_cast<u8>(shape.id);
        p.angle = 23;
        const std::vector<u32> middle = picture(p);
        ASSERT_TRUE(std::any_of(middle.begin(), middle.end(), [](u32 x) { return x != 0xFF406080u; })) << shape.name << " " << size;
        for (const int across : {-37, -32, 0, 31, 33}) {
          for (const int down : {-33, -32, 0, 29, 32}) {
            ParticleInstance moved = p;
            moved.x = static_cast<i16>(p.x + across * 32);
            moved.y = static_cast<i16>(p.y + down * 32);
            const std::vector<u32> shifted = picture(moved);
            int worst = 0;
            for (int y = std::max(0, down); y < std::min(192, 192 + down); ++y) {
              for (int x = std::max(0, across); x < std::min(192, 192 + across); ++x) {
                const u32 a = shifted[static_cast<std::size_t>(y * 192 + x)], b = middle[static_cast<std::size_t>((y - down) * 192 + x - across)];
                for (int shift = 0; shift < 32; shift += 8)
                  worst = std::max(worst, std::abs(static_cast<int>(a >> shift & 255u) - static_cast<int>(b >> shift & 255u)));
              }
            }
            EXPECT_EQ(worst, 0) << shape.name << " " << size << " by " << across << "," << down;
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace spellpool::render::test
