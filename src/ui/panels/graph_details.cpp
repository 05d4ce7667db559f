#include <algorithm>
#include <cmath>

#include "ui/panels/graph_parts.hpp"
#include "ui/panels/spikes.hpp"

namespace spellpool::ui {

void draw_frame_details(const Pen& pen, const Rect& graph_box, const Rect& room, float x,
                        const frame::FrameRecord& record, const GraphColumn& column, const frame::ChoiceRow& strategy,
                        float median_us, bool frozen) {
  const float line = pen.line_px(Cut::Small) + pen.px(2), pad = pen.px(12);
  const float left_wide = pen.px(170), right_wide = pen.px(208), gap = pen.px(20);
  const float wide = pad * 2 + left_wide + gap + right_wide;
  const Line<640> why = why_words(record, median_us, column.spike, column.toggled);
  const float why_high = pen.wrapped_height(Cut::Small, why, wide - pad * 2);
  const float high = pad * 2 + pen.line_px(Cut::Strong) + pen.px(6) + why_high + pen.px(8) + line * 9 + pen.px(4);
  // Over the game rather than over the panel beside it, as long as that leaves room.
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  const bool beside = room.x1 - room.x0 >= wide;
  const float from = beside ? room.x0 : 0.0f, to = beside ? room.x1 : display.x;
  const float x0 = std::clamp(std::floor(x - wide * 0.5f), from, std::max(from, to - wide));
  const float y0 = std::max(0.0f, graph_box.y0 - pen.px(8) - high);
  const Rect box{x0, y0, x0 + wide, y0 + high};
  pen.fill(box, kInk, pen.px(8));
  pen.frame(box, kControlEdge, pen.px(8));

  float y = box.y0 + pad;
  const float left = box.x0 + pad, left_end = left + left_wide, right = left_end + gap, right_end = box.x1 - pad;
  const Line<64> title("Frame %s", count_text(record.frame).c_str());
  pen.text(Cut::Strong, left, y, kText, title);
  const Line<64> time("%s ms", ms_text(static_cast<double>(column.frame_us)).c_str());
  pen.text_right(Cut::Strong, left_end, y, budget_colour(column.frame_us), time);
  const float box_side = pen.px(17);
  pen.letter_box({right, y, right + box_side, y + box_side}, IM_COL32(strategy.r, strategy.g, strategy.b, 255),
                 strategy.letter);
  pen.text_within(Cut::Small, right + box_side + pen.px(6), y, right_end - right - box_side - pen.px(6), kText,
                  strategy.title);
  y += pen.line_px(Cut::Strong) + pen.px(6);
  pen.text_wrapped(Cut::Small, left, y, wide - pad * 2, column.spike ? kText : kMuted, why);
  y += why_high + pen.px(8);

  float row = y, sum_us = 0;
  const float swatch = pen.px(9);
  const auto phase_row = [&](ImU32 colour, std::string_view name, float us) {
    const float top = row + std::floor((line - swatch) * 0.5f);
    pen.fill({left, top, left + swatch, top + swatch}, colour, pen.px(2));
    pen.text(Cut::Small, left + swatch + pen.px(6), row, kMuted, name);
    pen.text_right(Cut::Small, left_end, row, kText, Line<64>("%s ms", ms_text(static_cast<double>(us)).c_str()));
    row += line;
  };
  for (std::size_t phase = 0; phase < frame::kPhaseCount; ++phase) {
    const float us = finite_us(record.phase_us[phase]);
    sum_us += us;
    phase_row(kPhaseColours[phase], frame::kPhaseNames[phase], us);
  }
  phase_row(IM_COL32(58, 60, 76, 255), "the rest", std::max(0.0f, column.frame_us - sum_us));

  pen.text(Cut::Small, left, row + pen.px(4), kAccent,
           frozen ? "click it again or press Esc to go on" : "click to hold this frame");
  if (column.frames > 1) {
    pen.text_right(Cut::Small, right_end, row + pen.px(4), kMuted, Line<64>("slowest of %u", column.frames));
  }

  row = y;
  const auto count_row = [&](std::string_view name, std::string_view value) {
    pen.text(Cut::Small, right, row, kMuted, name);
    pen.text_right(Cut::Small, right_end, row, kText, value);
    row += line;
  };
  count_row("live", count_text(record.live));
  count_row("spawned", count_text(record.spawned));
  count_row("despawned", count_text(record.despawned));
  count_row("rejected · stolen",
            Line<64>("%s · %s", count_text(record.rejected).c_str(), count_text(record.stolen).c_str()));
  count_row("new calls",
            Line<64>("%s · %s", count_text(record.new_calls).c_str(), bytes_text(record.new_bytes).c_str()));
  count_row("delete calls", count_text(record.delete_calls));
  if (record.has_usage) {
    count_row("page faults", Line<64>("%u minor · %u major", record.minflt, record.majflt));
    count_row("context switches", Line<64>("%s", count_text(u64{record.nvcsw} + record.nivcsw).c_str()));
  } else {
    count_row("page faults", "n/a");
    count_row("context switches", "n/a");
  }
}

}  // namespace spellpool::ui
