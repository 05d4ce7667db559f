// The timeline of one frame: blocks of memory from new to delete, and slots of the particles' pool from acquire to
// release.
#include <algorithm>
#include <array>
#include <cmath>

#include "ui/kit/parts.hpp"
#include "ui/kit/sheet.hpp"

namespace spellpool::ui {
namespace {

using frame::Action;
using frame::TimelineBlock;
using frame::TimelineRow;

/// Rectangles of a lane, at most: an ImGui list of 16-bit indexes ends at 65,536 vertices, and there may be four lanes.
constexpr std::size_t kMostDrawn = 3'000;
constexpr ImU32 kAllocated = IM_COL32(230, 159, 0, 255), kAcquired = IM_COL32(86, 180, 233, 255),
                kBefore = IM_COL32(120, 128, 156, 255);

class FrameTimeline {
 public:
  FrameTimeline(const frame::PanelModel& model, frame::PanelRequests& requests)
      : model_(model), view_(model.timeline), requests_(requests) {}

  float head(const Pen& pen, const Rect& column) const {
    const float y = column.y0;
    const std::string_view key = key_label(model_, Action::FrameTimeline);
    if (panel_header(pen, {column.x0, y, column.x1, y + pen.px(24)},
                     view_.count > 1 ? "Timeline of one step, in both worlds" : "Timeline of one frame", key,
                     ClosePanel::FrameTimeline)) {
      requests_.ask(Action::FrameTimeline);
    }
    return y + pen.px(24) + pen.px(6);
  }

  float run(const Pen& pen, const Rect& column) const {
    float y = column.y0;
    const std::string_view words =
        view_.waits ? "Waits for the next step. While the game is paused, one step will do."
                    : "A box is a block of memory, or a slot: from left to right its time, from top to bottom its "
                      "address or number. Grey "
                      "boxes were there before; what reaches the right edge is still there at the end.";
    pen.text_wrapped(Cut::Small, column.x0, y, column.width(), kMuted, words);
    y += pen.wrapped_height(Cut::Small, words, column.width()) + pen.px(10);
    u32 shown_ns = 1;
    for (std::size_t i = 0; i < view_.count; ++i) shown_ns = std::max(shown_ns, simulation_ns(view_.rows[i]));
    pen.layout().timeline_count = view_.count;
    for (std::size_t i = 0; i < view_.count; ++i) {
      pen.layout().timelines[i] = {view_.rows[i].new_calls, view_.rows[i].acquired};
      y = row(pen, column, y, view_.rows[i], shown_ns);
    }
    return y;
  }

 private:
  /// From the frame's begin to where drawing begins, or to the last event if that is later.
  static u32 simulation_ns(const TimelineRow& row) {
    u32 end = row.length_ns;
    for (const frame::TimelineMark& mark : row.phases) {
      if (mark.phase >= frame::Phase::Render) end = std::min(end, mark.at_ns);
    }
    for (const TimelineBlock& block : row.memory)
      end = std::max(end, std::max(block.born ? block.from_ns : 0, block.ended ? block.to_ns : 0));
    for (const TimelineBlock& block : row.slots)
      end = std::max(end, std::max(block.born ? block.from_ns : 0, block.ended ? block.to_ns : 0));
    return std::max(1u, end);
  }
  static Line<32> time_text(double ns) {
    return ns < 1e6 ? Line<32>("%.*f µs", ns < 1e4 ? 1 : 0, ns * 1e-3) : Line<32>("%s ms", ms_text(ns * 1e-3).c_str());
  }

  float row(const Pen& pen, const Rect& column, float y, const TimelineRow& row, u32 shown_ns) const {
    const float box = pen.px(18), high = pen.px(view_.count > 1 ? 66 : 104);
    pen.letter_box({column.x0, y, column.x0 + box, y + box}, IM_COL32(row.r, row.g, row.b, 255), row.letter);
    const float title = pen.text(Cut::Strong, column.x0 + box + pen.px(6), y, kText, row.title);
    const u32 simulation = simulation_ns(row);
    const Line<32> part = time_text(simulation), whole = time_text(row.length_ns),
                   recorder = time_text(row.recorder_ns);
    const Line<200> cost =
        view_.count > 1 ? Line<200>("a step of %s; recording %s events took about %s of it", whole.c_str(),
                                    count_text(row.events).c_str(), recorder.c_str())
                        : Line<200>("simulation: %s of a frame of %s; recording %s events took about %s", part.c_str(),
                                    whole.c_str(), count_text(row.events).c_str(), recorder.c_str());
    const float beside = box + pen.px(6) + title + pen.px(16);
    if (beside + pen.width(Cut::Small, cost) > column.width()) {
      y += box + pen.px(2);
      pen.text_wrapped(Cut::Small, column.x0, y, column.width(), kMuted, cost);
      y += pen.wrapped_height(Cut::Small, cost, column.width()) + pen.px(4);
    } else {
      pen.text_right(Cut::Small, column.x1, y + pen.px(2), kMuted, cost);
      y += box + pen.px(5);
    }
    y = phases(pen, column, y, row, simulation, shown_ns);
    y = lane(
        pen, column, y, high, row.memory, row.memory_rows, kAllocated, shown_ns, simulation,
        Line<120>("memory: %s new, %s delete", count_text(row.new_calls).c_str(), count_text(row.delete_calls).c_str()),
        "no call of new or delete");
    y = lane(pen, column, y, high, row.slots, row.slot_rows, kAcquired, shown_ns, simulation,
             Line<120>("slots of the particles: %s acquired, %s released", count_text(row.acquired).c_str(),
                       count_text(row.released).c_str()),
             "no slot was acquired or released");
    y = axis(pen, column, y, shown_ns);
    if (row.left_out > 0) {
      pen.text(Cut::Small, column.x0, y, kYellow,
               Line<80>("%s later events had no room", count_text(row.left_out).c_str()));
      y += pen.line_px(Cut::Small);
    }
    return y + pen.px(8);
  }

  static float at(const Rect& column, u32 shown_ns, u32 ns) {
    return column.x0 +
           std::floor(column.width() * std::min(1.0f, static_cast<float>(ns) / static_cast<float>(shown_ns)));
  }

  /// Each phase from its begin to the next one's, with its name where there is room.
  static float phases(const Pen& pen, const Rect& column, float y, const TimelineRow& row, u32 end_ns, u32 shown_ns) {
    const float high = pen.line_px(Cut::Small) + pen.px(1);
    pen.fill({column.x0, y, column.x1, y + high}, kControl);
    const float begin = row.phases.empty() ? column.x0 : at(column, shown_ns, row.phases.front().at_ns);
    const std::string_view before = "before the step";
    if (pen.width(Cut::Small, before) + pen.px(8) <= begin - column.x0)
      pen.text(Cut::Small, column.x0 + pen.px(4), y, kMuted, before);
    for (std::size_t i = 0; i < row.phases.size(); ++i) {
      const u32 end = std::min(end_ns, i + 1 < row.phases.size() ? row.phases[i + 1].at_ns : row.length_ns);
      if (row.phases[i].at_ns >= end) continue;
      const float x0 = at(column, shown_ns, row.phases[i].at_ns), x1 = std::max(x0 + 1, at(column, shown_ns, end));
      const auto phase = static_cast<std::size_t>(row.phases[i].phase);
      pen.fill({x0, y, x1, y + high}, kPhaseColours[phase]);
      const std::string_view name = frame::kPhaseNames[phase];
      if (pen.width(Cut::Small, name) + pen.px(8) <= x1 - x0) pen.text(Cut::Small, x0 + pen.px(4), y, kInk, name);
    }
    return y + high + pen.px(5);
  }

  static float lane(const Pen& pen, const Rect& column, float y, float high, std::span<const TimelineBlock> blocks,
                    u32 rows, ImU32 ink, u32 shown_ns, u32 end_ns, std::string_view words, std::string_view nothing) {
    const std::size_t every = (blocks.size() + kMostDrawn - 1) / kMostDrawn;
    const float mark = pen.px(9), line = pen.line_px(Cut::Small);
    pen.fill({column.x0, y + pen.px(3), column.x0 + mark, y + pen.px(3) + mark}, ink);
    const Line<200> told(every > 1 ? "%.*s; one of %zu is drawn" : "%.*s", static_cast<int>(words.size()), words.data(),
                         every);
    pen.text(Cut::Small, column.x0 + mark + pen.px(6), y, kText, told);
    y += line + pen.px(3);
    // Beyond its own end nothing was measured.
    const Rect room{column.x0, y, std::max(column.x0 + 1, at(column, shown_ns, end_ns)), y + high};
    pen.fill(room, IM_COL32(0, 0, 0, 150));
    if (blocks.empty()) {
      const float wide = pen.width(Cut::Body, nothing) + pen.px(16);
      pen.text_centred(Cut::Body, {room.x0, y, std::max(room.x1, room.x0 + wide), y + high}, kMuted, nothing);
    }
    if (!pen.dry() && every > 0) {
      const float one = high / static_cast<float>(std::max(1u, rows)),
                  thick = std::max(1.0f, std::min(one - (one > 3 ? 1.0f : 0.0f), pen.px(9)));
      for (std::size_t i = 0; i < blocks.size(); i += every) {
        const TimelineBlock& block = blocks[i];
        const float top = std::floor(std::min(room.y1 - thick, room.y0 + one * static_cast<float>(block.row)));
        const float x0 = at(column, shown_ns, block.from_ns);
        const float x1 = std::max(x0 + 2.0f, block.ended ? at(column, shown_ns, block.to_ns) : room.x1);
        pen.fill({x0, top, std::min(x1, column.x1), top + std::max(1.0f, std::floor(thick))},
                 block.born ? ink : kBefore);
      }
    }
    return y + high + pen.px(7);
  }

  static float axis(const Pen& pen, const Rect& column, float y, u32 shown_ns) {
    y -= pen.px(5);
    double step = 1e3;  // a microsecond; then 2, 5, 10 … times that
    constexpr std::array<double, 3> kFactors = {2.0, 2.5, 2.0};
    for (std::size_t i = 0; step * 5 < shown_ns; ++i) step *= kFactors[i % kFactors.size()];
    const float high = pen.px(5);
    for (double ns = 0; ns <= shown_ns; ns += step) {
      const float x = at(column, shown_ns, static_cast<u32>(ns));
      pen.fill({x, y, x + std::max(1.0f, pen.px(1)), y + high}, kMuted);
      const Line<32> words = time_text(ns);
      const float wide = pen.width(Cut::Small, words);
      if (ns == 0)
        pen.text(Cut::Small, x, y + high, kMuted, "0");
      else if (x + wide * 0.5f <= column.x1)
        pen.text(Cut::Small, std::floor(x - wide * 0.5f), y + high, kMuted, words);
    }
    return y + high + pen.line_px(Cut::Small) + pen.px(6);
  }

  const frame::PanelModel& model_;
  const frame::TimelineView& view_;
  frame::PanelRequests& requests_;
};

}  // namespace

Rect draw_frame_timeline(const Rect& free, const frame::PanelModel& model, const Pen& pen,
                         frame::PanelRequests& requests) {
  const FrameTimeline timeline(model, requests);
  return draw_headed_sheet(
      "##frame_timeline", free, 860, pen, [&](const Pen& at, const Rect& column) { return timeline.head(at, column); },
      [&](const Pen& at, const Rect& column) { return timeline.run(at, column); });
}

}  // namespace spellpool::ui
