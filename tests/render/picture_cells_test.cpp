#include "render/picture_cells.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace spellpool::render {
namespace {

std::size_t count(const PictureCells& cells, CellKind kind) { return cells.of(kind).size(); }

bool holds(const PictureCells& cells, CellKind kind, int column, int row) {
  for (const CellPlace place : cells.of(kind)) {
    if (place.column == column && place.row == row) return true;
  }
  return false;
}

TEST(PictureCells, EveryCellIsOfOneKind) {
  PictureCells cells;
  cells.begin(View{}, 40, 22);
  cells.mark(10.0f, 20.0f, 30.0f);
  cells.sort({}, 0.0f);
  EXPECT_EQ(count(cells, CellKind::Night) + count(cells, CellKind::Floor) + count(cells, CellKind::Scene), 40u * 22u);
  EXPECT_EQ(cells.all().size(), 40u * 22u);
}

TEST(PictureCells, TheCornersOfAnEmptyPictureAreNightAndItsMiddleIsFloor) {
  PictureCells cells;
  cells.begin(View{}, 40, 22);
  cells.sort({}, 0.0f);
  EXPECT_TRUE(holds(cells, CellKind::Night, 0, 0));
  EXPECT_TRUE(holds(cells, CellKind::Night, 39, 21));
  EXPECT_TRUE(holds(cells, CellKind::Floor, 20, 11));
  EXPECT_EQ(count(cells, CellKind::Scene), 0u);
  EXPECT_GT(count(cells, CellKind::Night), 40u * 22u * 4 / 10);
}

TEST(PictureCells, WhatIsDrawnMarksAllCellsThatItTouches) {
  PictureCells cells;
  cells.begin(View{}, 40, 20);                         // 32 × 36 units a cell.
  cells.mark(-640.0f + 64.0f, -360.0f + 54.0f, 1.0f);  // On the border of two columns.
  cells.sort({}, 0.0f);
  EXPECT_EQ(count(cells, CellKind::Scene), 2u);
  EXPECT_TRUE(holds(cells, CellKind::Scene, 1, 1));
  EXPECT_TRUE(holds(cells, CellKind::Scene, 2, 1));
}

TEST(PictureCells, TheCameraMovesTheWorldUnderTheCells) {
  View view;
  view.centre_x = 500.0f;
  PictureCells cells;
  cells.begin(view, 40, 20);
  cells.mark(500.0f, 10.0f, 1.0f);
  cells.sort({}, 0.0f);
  EXPECT_TRUE(holds(cells, CellKind::Scene, 20, 10));
  EXPECT_TRUE(holds(cells, CellKind::Night, 39, 10));
}

TEST(PictureCells, ABendKeepsTheNightAroundItReadingTheFloor) {
  PictureCells plain, bent;
  for (PictureCells* cells : {&plain, &bent}) cells->begin(View{}, 64, 36);
  plain.sort({300.0f, 0.0f}, 0.0f);
  bent.sort({300.0f, 0.0f}, 200.0f);
  EXPECT_LT(count(bent, CellKind::Night), count(plain, CellKind::Night));
}

TEST(PictureCells, NoNumbersMarkNothingAndHugeOnesStayInside) {
  PictureCells cells;
  cells.begin(View{}, 64, 36);
  cells.mark(std::numeric_limits<float>::quiet_NaN(), 0, 1);
  cells.mark(0, 0, std::numeric_limits<float>::infinity());
  cells.sort({}, 0.0f);
  EXPECT_EQ(count(cells, CellKind::Scene), 0u);
  cells.mark(1e9f, -1e9f, 1e12f);
  cells.sort({}, 0.0f);
  EXPECT_EQ(count(cells, CellKind::Scene), 64u * 36u);
}

}  // namespace
}  // namespace spellpool::render
