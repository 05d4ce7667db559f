#pragma once
// Panels, painted by the processor straight into a picture of 32-bit pixels: on a software renderer OpenGL takes ten times
// as long for the same triangles.
//
//   places   1/256 pixel. A pixel belongs to the triangle that its middle lies in; on an edge to the one right of or above
//            it. Edges are walked in whole numbers, so triangles that share one leave no gap and paint no pixel twice.
//   colour   blended in the screen's own 8 bits, as OpenGL does with SRC_ALPHA, ONE_MINUS_SRC_ALPHA; within 1/255 of exact.
//   atlas    bilinear. Most triangles read one texel of it, the white one: that is looked up once.
// Cost    with Dear ImGui's layout 0.9 ms for the 5,600 triangles of the game's own view (ui_us of a recording). No allocation.
// Limits  a triangle with a corner that is no number or further out than 32,000 px, or an index too large, is not painted.
#include "frame/panel_mesh.hpp"

namespace spellpool::render {

struct PanelTarget {
  u32* pixels = nullptr;   ///< Top row first.
  int stride = 0;          ///< Pixels.
  int width = 0, height = 0;
  bool red_first = false;  ///< Bytes of a pixel: red, green, blue; else blue, green, red.
};

void paint_panels(const frame::PanelMesh& mesh, const PanelTarget& target);

}  // namespace spellpool::render
