#pragma once
// The slot map: every place of one pool as a cell. The picture itself comes as a texture (frame::SlotMapView); here
// are its size, its grid, the chain of free places, 64 places one by one, the legend, and the bytes of the place
// under the mouse.
#include "ui/kit/pen.hpp"
#include "ui/panels.hpp"

namespace spellpool::ui {

/// How many places lie in a row, and how large each is drawn.
struct SlotGrid {
  u32 columns = 1, rows = 1;
  u32 per_texel = 1;  ///< Places that share a cell of one pixel, where there are more places than pixels.
  float cell_px = 1;
};
/// The largest whole-pixel cells, up to largest_px, with which all places fit into width × height.
SlotGrid slot_grid(u32 places, float width, float height, float largest_px);

/// The height that suits the pool, of at most `most`: so much less that the game is seen above.
float slot_panel_height(const frame::PanelModel& model, UiState& state, const Pen& pen, float width, float most);
void draw_slot_panel(const Rect& box, const frame::PanelModel& model, UiState& state, const Pen& pen,
                     frame::PanelRequests& requests);
/// In the game: rings around the objects whose places are shown one by one, and a larger one, with the number of its
/// place, around the one that is pointed at or followed.
void draw_slot_marks(const frame::PanelModel& model, const UiState& state, const Pen& pen);

}  // namespace spellpool::ui
