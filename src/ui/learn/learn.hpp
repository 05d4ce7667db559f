#pragma once
// Learn on the screen: the list of lessons, or one lesson: at the left what it says and asks, at the right
// the figures that its model gives. Everything that can be chosen is a target; the one with the focus has a
// frame and a triangle, so keys and gamepad reach what the mouse reaches.
//
// Sizes   follow the pen. A figure shrinks until all have room, its text down to kLeastTextPx; the words
// scroll instead. Cost    about 0.3 ms; allocates nothing.
#include "frame/views/panel_model.hpp"
#include "ui/kit/pen.hpp"

namespace spellpool::ui {

/// Draws `model.learn` over `screen`, the whole window. Returns the box of what can be chosen.
Rect draw_learn(const Rect& screen, const frame::PanelModel& model, const Pen& pen,
                frame::LessonRequests& requests);

// Its parts, for draw_learn().
/// A control of the screen: takes clicks in `box`, and draws the focus. Returns true if it has the focus.
bool lesson_target(const Pen& pen, const Rect& box, const frame::LessonTarget& target,
                   const frame::LessonView& view, frame::LessonRequests& requests);
/// The figures in `box`, as large as fits.
void draw_lesson_figures(const Rect& box, const frame::LessonView& view, float seconds, const Pen& pen,
                         frame::LessonRequests& requests);

/// The 8-bit game with its slots. The same otherwise.
float draw_lesson_console(const Pen& pen, const Rect& room, const frame::LessonFigure& figure, float cell_px);
/// Curve, Ratio or Card, at the top of `room`; returns where it ends. `cell_px`: as large as a pool's cell may be.
float draw_lesson_measured(const Pen& pen, const Rect& room, const frame::LessonFigure& figure, float cell_px);

}  // namespace spellpool::ui
