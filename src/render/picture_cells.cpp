#include "render/picture_cells.hpp"

namespace spellpool::render {

CellKind PictureCells::kind_of(int column, int row, Point bend, float bend_reach) const {
  if (seen_[static_cast<std::size_t>(row * kMostColumns + column)] != 0) return CellKind::Scene;
  // The point of the cell that is nearest to some place, and how far that is.
  const float left = view_.centre_x - view_.half_width() + static_cast<float>(column) / per_unit_x_;
  const float top = view_.centre_y - view_.half_height() + static_cast<float>(row) / per_unit_y_;
  const float right = left + 1.0f / per_unit_x_;
  const float bottom = top + 1.0f / per_unit_y_;
  const auto distance_to = [&](float x, float y) {
    return std::hypot(std::clamp(x, left, right) - x, std::clamp(y, top, bottom) - y);
  };
  if (distance_to(0.0f, 0.0f) < kNightRadius) return CellKind::Floor;
  if (bend_reach > 0.0f && distance_to(bend.x, bend.y) < bend_reach) return CellKind::Floor;
  return CellKind::Night;
}

void PictureCells::sort(Point bend, float bend_reach) {
  std::array<u8, kMostColumns * kMostRows> kinds{};
  std::array<std::size_t, 3> count{};
  for (int row = 0; row < rows_; ++row) {
    for (int column = 0; column < columns_; ++column) {
      const CellKind kind = kind_of(column, row, bend, bend_reach);
      kinds[static_cast<std::size_t>(row * kMostColumns + column)] = static_cast<u8>(kind);
      ++count[static_cast<std::size_t>(kind)];
    }
  }
  first_ = {0, count[0], count[0] + count[1], count[0] + count[1] + count[2]};
  std::array<std::size_t, 3> next = {first_[0], first_[1], first_[2]};
  for (int row = 0; row < rows_; ++row) {
    for (int column = 0; column < columns_; ++column) {
      const u8 kind = kinds[static_cast<std::size_t>(row * kMostColumns + column)];
      places_[next[kind]++] = {static_cast<u8>(column), static_cast<u8>(row)};
    }
  }
}

}  // namespace spellpool::render
