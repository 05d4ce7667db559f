// The timeline of one frame: blocks of memory and slots of the particles' pool, from when they were given out to when they came back.
#include <algorithm>

#include "ui/kit/parts.hpp"
#include "ui/kit/sheet.hpp"

namespace spellpool::ui {
namespace {

using frame::Action;
using frame::TimelineBlock;
using frame::TimelineRow;

/// Rectangles of a lane, at most: an ImGui list of 16-bit indexes ends at 65,536 vertices, and there may be four lanes.
constexpr std::size_t kMostDrawn = 3'000;
constexpr ImU32 kAllocated = IM_COL32(230, 159, 0, 255), kAcquired = IM_COL32(86, 180, 233, 255), kBefore = IM_COL32(120, 128, 156, 255);

class FrameTimeline {
 public:
  FrameTimeline(const frame::PanelModel& model, frame::PanelRequests& requests) : model_(model), view_(model.timeline), requests_(requests) {}

  float head(const Pen& pen, const Rect& column) const {
    const float y = column.y0;
    const std::string_view key = key_label(model_, Action::FrameTimeline);
    if (panel_header(pen, {column.x0, y, column.x1, y + pen.px(24)}, view_.count > 1 ? "Timeline of one step, in both worlds" : "Timeline of one frame",
                     key, ClosePanel::FrameTimeline)) {
      requests_.ask(Action::FrameTimeline);
    }
    return y + pen.px(24) + pen.px(6);
  }

  float run(const Pen& pen, const Rect& column) const {
    float y = column.y0;
    const std::string_view words =
        view_.waits ? "Waits for the next step. While the game is paused, one step will do."
                    : "A box is a block of memory, or a slot: from left to right the time, from top to bottom its address or number. Grey ones were "
                      "there before; what reaches the right edge is still there.";
    pen.text_wrapped(Cut::Small, column.x0, y, column.width(), kMuted, words);
    y += pen.wrapped_height(Cut::Small, words, column.width()) + pen.px(8);
    for (std::size_t i = 0; i < view_.count; ++i) y = row(pen, column, y, view_.rows[i]);
    return y;
  }

 private:
  float row(const Pen& pen, const Rect& column, float y, const TimelineRow& row) const {
    const float box = pen.px(18), high = pen.px(view_.count > 1 ? 62 : 96);
    pen.letter_box({column.x0, y, column.x0 + box, y + box}, IM_COL32(row.r, row.g, row.b, 255), row.letter);
    pen.text(Cut::Strong, column.x0 + box + pen.px(6), y, kText, row.title);
    const Line<120> cost("%s ms; recording %s events took about %s ms of it", ms_text(row.length_ns / 1000.0).c_str(), count_text(row.events).c_str(),
                         ms_text(row.recorder_ns / 1000.0).c_str());
    pen.text_right(Cut::Small, column.x1, y, kMuted, cost);
    y += box + pen.px(4);
    y = phases(pen, column, y, row);
    y = lane(pen, column, y, high, row, row.memory, row.memory_rows, kAllocated,
             Line<120>("%s new, %s delete", count_text(row.new_calls).c_str(), count_text(row.delete_calls).c_str()));
    y = lane(pen, column, y, high, row, row.slots, row.slot_rows, kAcquired,
             Line<120>("%s acquire, %s release, in %s slots", count_text(row.acquired).c_str(), count_text(row.released).c_str(),
                       count_text(row.slot_rows).c_str()));
    if (row.left_out > 0) {
      pen.text(Cut::Small, column.x0, y, kYellow, Line<80>("%s later events had no room", count_text(row.left_out).c_str()));
      y += pen.line_px(Cut::Small);
    }
    return y + pen.px(8);
  }

  static float at(const Rect& column, const TimelineRow& row, u32 ns) {
    return column.x0 + column.width() * std::min(1.0f, static_cast<float>(ns) / std::max(1.0f, static_cast<float>(row.length_ns)));
  }

  /// Coloured from each phase's begin to the next one's.
  static float phases(const Pen& pen, const Rect& column, float y, const TimelineRow& row) {
    const float high = pen.px(6);
    pen.fill({column.x0, y, column.x1, y + high}, kControl);
    for (std::size_t i = 0; i < row.phases.size(); ++i) {
      const u32 end = i + 1 < row.phases.size() ? row.phases[i + 1].at_ns : row.length_ns;
      const float x0 = at(column, row, row.phases[i].at_ns), x1 = std::max(x0 + 1, at(column, row, end));
      pen.fill({x0, y, x1, y + high}, kPhaseColours[static_cast<std::size_t>(row.phases[i].phase)]);
    }
    return y + high + pen.px(2);
  }

  static float lane(const Pen& pen, const Rect& column, float y, float high, const TimelineRow& row, std::span<const TimelineBlock> blocks, u32 rows,
                    ImU32 ink, std::string_view words) {
    const Rect room{column.x0, y, column.x1, y + high};
    pen.fill(room, IM_COL32(0, 0, 0, 110));
    const std::size_t every = (blocks.size() + kMostDrawn - 1) / kMostDrawn;
    if (!pen.dry() && every > 0) {
      const float one = high / static_cast<float>(std::max(1u, rows)), thick = std::max(1.0f, std::min(one, pen.px(7)));
      for (std::size_t i = 0; i < blocks.size(); i += every) {
        const TimelineBlock& block = blocks[i];
        const float top = std::min(room.y1 - thick, room.y0 + one * static_cast<float>(block.row));
        const float x0 = at(column, row, block.from_ns), x1 = std::max(x0 + 1.5f, at(column, row, block.to_ns));
        pen.fill({x0, top, std::min(x1, room.x1), top + thick}, block.born ? ink : kBefore);
      }
    }
    y += high + pen.px(2);
    const Line<200> told(every > 1 ? "%.*s; every %zuth is drawn" : "%.*s", static_cast<int>(words.size()), words.data(), every);
    pen.text(Cut::Small, column.x0, y, kText, told);
    return y + pen.line_px(Cut::Small) + pen.px(5);
  }

  const frame::PanelModel& model_;
  const frame::TimelineView& view_;
  frame::PanelRequests& requests_;
};

}  // namespace

Rect draw_frame_timeline(const Rect& free, const frame::PanelModel& model, const Pen& pen, frame::PanelRequests& requests) {
  const FrameTimeline timeline(model, requests);
  return draw_headed_sheet(
      "##frame_timeline", free, 860, pen, [&](const Pen& at, const Rect& column) { return timeline.head(at, column); },
      [&](const Pen& at, const Rect& column) { return timeline.run(at, column); });
}

}  // namespace spellpool::ui
