#pragma once
// Draws panels on the CPU into an image of 32-bit pixels. On a software renderer OpenGL takes ten times as
// long for the same triangles.
//
//   places   1/256 pixel. A pixel belongs to the triangle that contains its middle. A middle on an edge
//            belongs to the triangle to the right of the edge, or above it. Edges are walked in whole
//            numbers, so two triangles that share an edge leave no gap and paint no pixel twice.
//   colour   blended in the screen's own 8 bits, as OpenGL does with SRC_ALPHA, ONE_MINUS_SRC_ALPHA; within
//            1/255 of exact.
//   images   opaque, bilinear, tinted by a triangle's first corner.
//   atlas    bilinear. Most triangles read one texel of it, the white one, which is looked up once.
// Cost    with Dear ImGui's layout 0.9 ms for the 5,600 triangles of the game's own view (ui_us of a
//         recording). No allocation.
// Limits  a triangle is skipped if a corner is not a number or lies more than 32,000 px outside, or if an
//         index is too large.
#include "frame/panel_mesh.hpp"

namespace spellpool::render {

struct PanelTarget {
  u32* pixels = nullptr;   ///< Top row first.
  int stride = 0;          ///< Pixels.
  int width = 0, height = 0;
  bool red_first = false;  ///< Bytes of a pixel: red, green, blue; else blue, green, red.
  int first_row = 0;       ///< Rows above it stay as they are: several threads can share a picture.
};

void paint_panels(const frame::PanelMesh& mesh, const PanelTarget& target);

}  // namespace spellpool::render
