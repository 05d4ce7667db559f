#pragma once
// The few controls that the panels share. Each is an invisible ImGui button with our own drawing on top.
#include <span>
#include <string_view>

#include "frame/views/panel_model.hpp"
#include "ui/kit/pen.hpp"

namespace spellpool::ui {

/// Room for all that a window may ever draw (1.7 MB), taken in its first frame: a graph that fills up, or a number that
/// gets longer, then allocates nothing.
void reserve_geometry(ImDrawList& list);
/// Opens a window that is exactly `box`, keeps no settings and never takes the focus. `scrolls`: a wheel may move it.
void begin_window(const char* name, const Rect& box, bool scrolls = false);
void end_window();

struct Press {
  bool pressed = false, hovered = false, held = false;
};
/// Takes clicks in `box`, as far as the pen's clip shows it, and remembers it in the layout. Nothing at all with a dry
/// pen.
Press press_area(const Pen& pen, ControlKind kind, std::size_t index, const Rect& box);

/// A button with a label, and its key at the right end, if any. `on` marks a state that is active.
bool labelled_button(const Pen& pen, ControlKind kind, std::size_t index, const Rect& box, std::string_view label,
                     std::string_view key, bool on, ImU32 on_colour = kAccent);

/// One of several, side by side in `box`; the chosen one if it was clicked, else -1. `index` counts from `first_index`.
int segments(const Pen& pen, ControlKind kind, std::size_t first_index, const Rect& box,
             std::span<const std::string_view> labels, std::size_t chosen);

/// A round sign, `side` wide and high: a green check, or a red cross.
void draw_check(const Pen& pen, float x, float y, float side, bool good);

/// Header line of a panel: title at the left, the key that closes it at the right, which can be clicked.
bool panel_header(const Pen& pen, const Rect& row, std::string_view title, std::string_view key, ClosePanel which);

/// A part of a window that scrolls. Returns how far it is scrolled, px; between it and end_scroll() draw with a pen
/// within() the box, moved up by that.
float begin_scroll(const char* name, const Rect& box);
/// `bottom`: screen y where the content ended.
void end_scroll(const Rect& box, float bottom);

/// The model's row of a strategy, or one that says that it is unknown.
frame::ChoiceRow strategy_row(const frame::PanelModel& model, u8 strategy);
inline ImU32 row_colour(const frame::ChoiceRow& row) { return IM_COL32(row.r, row.g, row.b, 255); }

/// The key as it is written on the keyboard: "Esc", "Tab", "F2".
std::string_view key_words(std::string_view sdl_name);
/// The gamepad button in words, "LT + A"; "" if there is none.
Line<32> pad_words(std::string_view sdl_name);
/// Those that the player chose for an action.
std::string_view key_label(const frame::PanelModel& model, frame::Action action);
Line<32> pad_label(const frame::PanelModel& model, frame::Action action);

}  // namespace spellpool::ui
