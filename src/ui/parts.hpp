#pragma once
// The larger parts that draw_panels() puts together.
#include "ui/panels.hpp"
#include "ui/pen.hpp"

namespace spellpool::ui {

inline constexpr float kPoolPanelWidth = 324.0f;  ///< Design units.

/// Height in px that the pool panel takes at the pen's scale and `width` px, with or without descriptions.
float pool_panel_height(const frame::PanelModel& model, UiState& state, const Pen& pen, float width, bool compact);
/// Draws it into `box`; when that is too low, smaller, and with a scroll bar as a last resort.
void draw_pool_panel(const Rect& box, const frame::PanelModel& model, UiState& state, const Pen& pen, bool compact,
                     frame::PanelRequests& requests);

/// Draws the help in the middle of `free`, as large as fits. Returns its box.
Rect draw_help(const Rect& free, const frame::PanelModel& model, const Pen& pen, frame::PanelRequests& requests);

/// Width in px of the spell bar with titles.
float spell_bar_width(const frame::PanelModel& model, const Pen& pen);
/// Spells, centred at the bottom of `rest`; without titles where it is narrow. Returns the box, empty if there is no
/// room.
Rect draw_spell_bar(Rect& rest, const frame::PanelModel& model, const Pen& pen);
/// The newcomer's line, centred in `row`; broken in two where it must be, height 0 where even that is too wide.
float hint_height(const Pen& pen, float width);
Rect draw_hint(const Rect& row, const Pen& pen);

/// The spell's own colour, as bright as a sign on a dark panel must be.
ImU32 spell_colour(const frame::PanelModel& model, std::size_t spell);

}  // namespace spellpool::ui
