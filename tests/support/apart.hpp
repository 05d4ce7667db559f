#pragma once
// How far two pictures are apart.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <ostream>
#include <span>

#include "core/types.hpp"

namespace spellpool::test {

/// In 1/255 of a channel.
struct Apart {
  double mean = 0;
  int worst = 0;
  std::size_t x = 0, y = 0;  ///< Of the worst pixel …
  std::array<int, 3> a{}, b{};  ///< … and what it is in both.
};

/// Of two pictures of the same width, 3 bytes a pixel.
inline Apart apart(std::span<const u8> a, std::span<const u8> b, int width) {
  Apart made;
  if (a.size() != b.size()) return {255, 255};
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const int d = std::abs(int{a[i]} - int{b[i]});
    sum += d;
    if (d <= made.worst) continue;
    made.worst = d;
    const std::size_t pixel = i / 3;
    made.x = pixel % static_cast<std::size_t>(width);
    made.y = pixel / static_cast<std::size_t>(width);
    std::copy_n(a.begin() + static_cast<std::ptrdiff_t>(pixel * 3), 3, made.a.begin());
    std::copy_n(b.begin() + static_cast<std::ptrdiff_t>(pixel * 3), 3, made.b.begin());
  }
  made.mean = sum / static_cast<double>(std::max<std::size_t>(1, a.size()));
  return made;
}

inline std::ostream& operator<<(std::ostream& out, const Apart& d) {
  out << "mean " << d.mean << ", worst " << d.worst << " at " << d.x << "," << d.y << ":";
  for (const int c : d.a) out << ' ' << c;
  out << " and";
  for (const int c : d.b) out << ' ' << c;
  return out;
}

}  // namespace spellpool::test
