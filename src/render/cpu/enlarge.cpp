#include "render/cpu/enlarge.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

namespace spellpool::render {
namespace {

constexpr int kBands = 32;

/// Between two pixels: which lies before, and 256ths of the one after.
std::pair<int, u32> between(int at, int from, int to) {
  const double place = (at + 0.5) * from / to - 0.5;
  const double first = std::clamp(std::floor(place), 0.0, std::max(0.0, from - 2.0));
  const double part = std::clamp(place - first, 0.0, 1.0);
  return {static_cast<int>(first), static_cast<u32>(std::lround(part * 256.0))};
}

/// `part` 256ths of the second, byte by byte; the compiler makes vectors of it.
void mix_bytes(const u8* a, const u8* b, u32 part, u8* out, int bytes) {
  const u16 high = static_cast<u16>(256u - part), low = static_cast<u16>(part);
  for (int i = 0; i < bytes; ++i) {
    const u16 first = static_cast<u16>(a[i] * high), second = static_cast<u16>(b[i] * low);
    out[i] = static_cast<u8>(static_cast<u16>(first + second + 128) >> 8);
  }
}

typedef u8 Bytes __attribute__((vector_size(4)));
typedef u16 Words __attribute__((vector_size(8)));
u32 mixed(u32 p, u32 q, u32 part) {
  const auto words = [](u32 pixel) { return __builtin_convertvector(__builtin_bit_cast(Bytes, pixel), Words); };
  const u16 high = static_cast<u16>(256u - part), low = static_cast<u16>(part);
  const Words sum = (words(p) * high + words(q) * low + u16{128}) >> 8;
  return __builtin_bit_cast(u32, __builtin_convertvector(sum, Bytes));
}

typedef u8 FourPixels __attribute__((vector_size(16)));
typedef u16 FourWide __attribute__((vector_size(32)));
FourWide wide(const u32* four) {
  FourPixels pixels;
  std::memcpy(&pixels, four, sizeof pixels);
  return __builtin_convertvector(pixels, FourWide);
}

}  // namespace

void Enlarger::widen(const u32* row, u32* out) const {
  if (from_width_ == 1) {
    std::fill_n(out, columns_.size(), row[0]);
    return;
  }
  if (to_width_ == 2 * from_width_) return widen_twice(row, out);
  const auto one = [&](std::size_t x) {
    const Column& column = columns_[x];
    out[x] = mixed(row[column.left], row[column.left + 1], column.right_part);
  };
  const std::size_t count = columns_.size();
  std::size_t x = 0;
  if (3 * to_width_ == 4 * from_width_) {
    for (; x < 4; ++x) one(x);
    for (; x + 8 <= count; x += 4) widen_thirds(row + x / 4 * 3, out + x);
  }
  for (; x < count; ++x) one(x);
}

/// Four pixels from three, their left neighbour and their right one: what lies between two of them, in eighths.
void Enlarger::widen_thirds(const u32* row, u32* out) {
  constexpr FourWide kLeft = {32, 32, 32, 32, 96, 96, 96, 96, 160, 160, 160, 160, 224, 224, 224, 224};
  const FourWide sum = wide(row - 1) * kLeft + wide(row) * (u16{256} - kLeft) + u16{128};
  const FourPixels made = __builtin_convertvector(sum >> 8, FourPixels);
  std::memcpy(out, &made, sizeof made);
}

/// Each pixel twice: three quarters of it, and a quarter of its neighbour on that side.
void Enlarger::widen_twice(const u32* row, u32* out) const {
  constexpr int kPiece = 64;
  u32 left[kPiece], right[kPiece];
  out[0] = row[0];
  for (int first = 0; first < from_width_ - 1; first += kPiece) {
    const int count = std::min(kPiece, from_width_ - 1 - first);
    const u8* here = reinterpret_cast<const u8*>(row + first);
    const u8* next = reinterpret_cast<const u8*>(row + first + 1);
    mix_bytes(here, next, 64, reinterpret_cast<u8*>(left), count * 4);
    mix_bytes(here, next, 192, reinterpret_cast<u8*>(right), count * 4);
    u32* to = out + 2 * first + 1;
    for (int i = 0; i < count; ++i) {
      to[2 * i] = left[i];
      to[2 * i + 1] = right[i];
    }
  }
  out[2 * from_width_ - 1] = row[from_width_ - 1];
}

void Enlarger::enlarge(const PixelPlane& from, const PixelPlane& to, ThreadPool& threads) {
  if (from.width != from_width_ || to.width != to_width_) {
    from_width_ = from.width;
    to_width_ = to.width;
    columns_.resize(static_cast<std::size_t>(to.width));
    for (int x = 0; x < to.width; ++x) {
      const auto [left, part] = between(x, from.width, to.width);
      columns_[static_cast<std::size_t>(x)] = {static_cast<u32>(left), part};
    }
    rows_.resize(static_cast<std::size_t>(to.width) * 2 * kBands);
  }
  threads.run(kBands, [&](int band) {
    const int first = to.height * band / kBands, end = to.height * (band + 1) / kBands;
    u32* upper = rows_.data() + static_cast<std::ptrdiff_t>(band) * 2 * to.width;
    u32* lower = upper + to.width;
    const auto row_of = [&](int row) { return from.pixels + static_cast<std::ptrdiff_t>(row) * from.stride; };
    int held = -2;  // The row that `upper` has.
    for (int y = first; y < end; ++y) {
      const auto [row, part] = between(y, from.height, to.height);
      if (row == held + 1) {
        std::swap(upper, lower);
        if (row + 1 < from.height) widen(row_of(row + 1), lower);
      } else if (row != held) {
        widen(row_of(row), upper);
        if (row + 1 < from.height) widen(row_of(row + 1), lower);
      }
      held = row;
      u32* out = to.pixels + static_cast<std::ptrdiff_t>(y) * to.stride;
      if (part == 0 || from.height == 1) {
        std::memcpy(out, upper, static_cast<std::size_t>(to.width) * sizeof(u32));
        continue;
      }
      mix_bytes(reinterpret_cast<const u8*>(upper), reinterpret_cast<const u8*>(lower), part,
                reinterpret_cast<u8*>(out), to.width * 4);
    }
  });
}

}  // namespace spellpool::render
