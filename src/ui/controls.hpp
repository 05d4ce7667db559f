#pragma once
// The few controls that the panels share. Each is an invisible ImGui button with our own drawing on top.
#include <string_view>

#include "frame/action.hpp"
#include "ui/pen.hpp"

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
/// Takes clicks in `box` and remembers it in the layout. Nothing at all with a dry pen.
Press press_area(const Pen& pen, ControlKind kind, std::size_t index, const Rect& box);

/// A button with a label, and its key at the right end, if any. `on` marks a state that is active.
bool labelled_button(const Pen& pen, ControlKind kind, std::size_t index, const Rect& box, std::string_view label,
                     std::string_view key, bool on, ImU32 on_colour = kAccent);

/// Header line of a panel: title at the left, the key that closes it at the right, which can be clicked.
bool panel_header(const Pen& pen, const Rect& row, std::string_view title, std::string_view key, std::size_t index);

/// The key of an action as it is written on the keyboard: "Esc", "Tab", "F2".
std::string_view key_label(frame::Action action);
/// The gamepad button in words, "" if there is none.
std::string_view pad_label(frame::Action action);

}  // namespace spellpool::ui
