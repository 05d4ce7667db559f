#pragma once
// What graph.cpp and graph_details.cpp share.
#include "ui/kit/pen.hpp"
#include "ui/panels/graph.hpp"

namespace spellpool::ui {

/// Blue, green, yellow or red by the part of the budget that a frame took.
ImU32 budget_colour(float us);

/// Everything about one frame, and why it took so long: above the graph near the column at x, within `room` if that is
/// wide enough.
void draw_frame_details(const Pen& pen, const Rect& graph_box, const Rect& room, float x,
                        const frame::FrameRecord& record, const GraphColumn& column, const frame::ChoiceRow& strategy,
                        float median_us, bool frozen);

}  // namespace spellpool::ui
