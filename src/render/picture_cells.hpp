#pragma once
// The picture as a grid of cells, each with what must be read to compose it: most of a picture is night sky or bare
// floor. For pictures that the processor composes; a GPU reads everything everywhere. Marking costs about 2 ns a mark.
#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "render/view.hpp"

namespace spellpool::render {

/// How much the composite reads: the same picture comes out of all three where the cheaper ones apply.
enum class CellKind : u8 { Night, Floor, Scene };

/// Where a cell stands in the grid.
struct CellPlace {
  u8 column = 0, row = 0;
};

class PictureCells {
 public:
  static constexpr int kMostColumns = 64;
  static constexpr int kMostRows = 36;
  /// Beyond this many units from the arena's centre there is only sky.
  static constexpr float kNightRadius = 350.0f;

  /// Starts a picture with nothing in it.
  void begin(const View& view, int columns, int rows) {
    view_ = view;
    columns_ = std::clamp(columns, 1, kMostColumns);
    rows_ = std::clamp(rows, 1, kMostRows);
    per_unit_x_ = static_cast<float>(columns_) / (2.0f * view.half_width());
    per_unit_y_ = static_cast<float>(rows_) / (2.0f * view.half_height());
    margin_ = 6.0f / view.px_per_unit();  // The first bloom level reads up to 4 pixels away.
    std::fill(seen_.begin(), seen_.end(), u8{0});
  }

  /// Something is drawn within `reach` units of (x, y), both measured from the middle of the picture.
  void mark_from_middle(float x, float y, float reach) {
    reach += margin_;
    const int left = index((x - reach + view_.half_width()) * per_unit_x_, columns_);
    const int right = index((x + reach + view_.half_width()) * per_unit_x_, columns_);
    const int top = index((y - reach + view_.half_height()) * per_unit_y_, rows_);
    const int bottom = index((y + reach + view_.half_height()) * per_unit_y_, rows_);
    for (int row = top; row <= bottom; ++row) {
      u8* cells = seen_.data() + row * kMostColumns;
      for (int column = left; column <= right; ++column) cells[column] = 1;
    }
  }
  /// The same in world units. A place that is no number is drawn nowhere and marks nothing.
  void mark(float x, float y, float reach) {
    if (std::isfinite(x + y + reach)) mark_from_middle(x - view_.centre_x, y - view_.centre_y, reach);
  }

  /// Sorts the cells by kind. A cell within `bend_reach` units of the bend counts as floor even in the night.
  void sort(Point bend, float bend_reach);
  /// The cells of one kind, after sort().
  std::span<const CellPlace> of(CellKind kind) const {
    const std::size_t k = static_cast<std::size_t>(kind);
    return {places_.data() + first_[k], first_[k + 1] - first_[k]};
  }
  std::span<const CellPlace> all() const { return {places_.data(), first_[3]}; }
  int columns() const { return columns_; }
  int rows() const { return rows_; }

 private:
  static int index(float place, int count) {
    return static_cast<int>(std::clamp(place, 0.0f, static_cast<float>(count - 1)));
  }
  CellKind kind_of(int column, int row, Point bend, float bend_reach) const;

  View view_;
  int columns_ = 1, rows_ = 1;
  float per_unit_x_ = 1, per_unit_y_ = 1, margin_ = 0;
  std::array<u8, kMostColumns * kMostRows> seen_{};
  std::array<CellPlace, kMostColumns * kMostRows> places_{};
  std::array<std::size_t, 4> first_{};
};

}  // namespace spellpool::render
