#include "ui/panels/graph.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "ui/kit/controls.hpp"
#include "ui/panels/graph_parts.hpp"

namespace spellpool::ui {
namespace {

using frame::FrameFigures;
using frame::FrameHistory;
using frame::FrameRecord;

constexpr std::array<ImU32, 4> kBudgetColours = {kBlue, kGreen, kYellow, kRed};
constexpr float kGraphNarrow = 420.0f;
constexpr std::array<float, 4> kBudgetCapUnits = {2.0f, 2.0f, 4.0f, 7.0f};

std::size_t usable(const FrameHistory& history) { return std::min(history.count, history.frames.size()); }

std::size_t newest_group(u64 newest_frame, std::size_t group) {
  return static_cast<std::size_t>(newest_frame % group) + 1;
}

// One figure of the readout: a muted word and a number in a cell of fixed width, so that it does not jitter.
struct Figure {
  std::string_view label;
  std::string_view widest;
  Line<32> value;
  bool few = false;  // Too few frames for this figure to mean much: drawn muted.
};

std::array<Figure, 6> figures_of(const FrameFigures& figures) {
  const auto time = [&figures](double us, u64 least) {
    return figures.frames >= least ? Line<32>("%s ms", ms_text(us).c_str()) : Line<32>("-");
  };
  const Line<32> low = figures.frames >= 100 && std::isfinite(figures.low_1_percent_fps)
                           ? Line<32>("%.0f fps", std::min(figures.low_1_percent_fps, 99'999.0))
                           : Line<32>("-");
  return {{{"median", "00.00 ms", time(figures.median_us, 1), false},
           {"p95", "00.00 ms", time(figures.p95_us, 20), figures.frames < 200},
           {"p99", "00.00 ms", time(figures.p99_us, 100), figures.frames < 1'000},
           {"p99.9", "00.00 ms", time(figures.p999_us, 1'000), figures.frames < 10'000},
           {"1 % low", "000 fps", low, figures.frames < 1'000},
           {"spikes", "00", Line<32>("%llu", static_cast<unsigned long long>(figures.spikes)), false}}};
}

float figure_width(const Pen& pen, const Figure& figure) {
  return pen.width(Cut::Small, figure.label) + pen.px(6) +
         std::fmax(pen.width(Cut::Small, figure.widest), pen.width(Cut::Small, figure.value));
}

void draw_figure(const Pen& pen, const Figure& figure, float x, float y) {
  pen.text(Cut::Small, x, y, kMuted, figure.label);
  pen.text_right(Cut::Small, x + figure_width(pen, figure), y, figure.few ? kMuted : kText, figure.value);
}

// The readout in one line that ends at `right` when it fits, else broken into lines between left and right.
// Returns the number of lines.
int draw_readout(const Pen& pen, const FrameFigures& values, float left, float right, float y, bool draw) {
  const std::array<Figure, 6> figures = figures_of(values);
  const float gap = pen.px(18);
  float total = -gap;
  for (const Figure& figure : figures) total += figure_width(pen, figure) + gap;
  const bool single = total <= right - left;
  float x = single ? right - total : left;
  int lines = 1;
  for (const Figure& figure : figures) {
    const float wide = figure_width(pen, figure);
    if (x > left && x + wide > right + 0.5f) {
      x = left;
      y += pen.line_px(Cut::Small) + pen.px(2);
      ++lines;
    }
    if (draw) {
      draw_figure(pen, figure, x, y);
      if (single && &figure != &figures.front()) {
        pen.fill({x - gap * 0.5f, y + pen.px(2), x - gap * 0.5f + 1, y + pen.line_px(Cut::Small) - pen.px(1)}, kRule);
      }
    }
    x += wide + gap;
  }
  return lines;
}

// Where the bars stand.
struct Plot {
  Rect bars, band, lane;
  float left_of(const Graph& graph, std::size_t column) const {
    const std::size_t slot = graph.slots - graph.column_count + column;
    return std::floor(bars.x0 + bars.width() * static_cast<float>(slot) / static_cast<float>(graph.slots));
  }
};

void draw_bars(const Pen& pen, const Plot& plot, const frame::PanelModel& model, const Graph& graph) {
  const float base = plot.bars.y1, high = plot.bars.height();
  u32 most_new = 1;
  for (std::size_t i = 0; i < graph.column_count; ++i) most_new = std::max(most_new, graph.columns[i].new_calls);
  for (std::size_t i = 0; i < graph.column_count; ++i) {
    const GraphColumn& column = graph.columns[i];
    const FrameRecord& record = graph.frozen ? graph.kept[i] : model.history.at(column.worst);
    const float x0 = plot.left_of(graph, i), x1 = plot.left_of(graph, i + 1);
    if (x1 <= x0) continue;
    const float share = axis_share(column.frame_us, graph.top_us, model.graph_scale);
    const float top = std::floor(base - share * high);
    // Phases share the bar in proportion to their time, on either axis; what no phase claims stays dark grey.
    float below = base;
    float sum_us = 0;
    for (std::size_t phase = 0; phase < frame::kPhaseCount; ++phase) {
      sum_us += finite_us(record.phase_us[phase]);
      const float part = axis_share(std::min(sum_us, column.frame_us), graph.top_us, model.graph_scale);
      const float above = std::floor(base - part * high);
      if (above < below) pen.fill({x0, above, x1, below}, kPhaseColours[phase]);
      below = std::min(below, above);
    }
    if (top < below) pen.fill({x0, top, x1, below}, IM_COL32(58, 60, 76, 255));
    const auto budget = static_cast<std::size_t>(budget_of(column.frame_us));
    const float cap = std::min(pen.px(kBudgetCapUnits[budget]), std::max(1.0f, base - top));
    pen.fill({x0, top, x1, top + cap}, kBudgetColours[budget]);
    if (column.frame_us > graph.top_us && !pen.dry()) {
      const float x = (x0 + x1) * 0.5f, half = pen.px(4);
      pen.list()->AddTriangleFilled(ImVec2(x, top - half * 0.5f), ImVec2(x + half, top + half),
                                    ImVec2(x - half, top + half), kRed);
    }
    if (column.new_calls > 0) {
      const float part = static_cast<float>(column.new_calls) / static_cast<float>(most_new);
      const float tall = std::max(1.0f, std::floor(part * (plot.lane.height() - 1)));
      pen.fill({x0, plot.lane.y1 - tall, x1, plot.lane.y1},
               faded(row_colour(strategy_row(model, column.strategy)), 0.85f));
    }
  }
}

void draw_axis(const Pen& pen, const Plot& plot, const frame::PanelModel& model, const Graph& graph) {
  struct Mark {
    float us;
    std::string_view text;
  };
  constexpr std::array<Mark, 2> kMarks = {{{static_cast<float>(kBudgetUs), "16.67 ms"}, {33'333.3f, "33.3 ms"}}};
  const float line = pen.line_px(Cut::Small);
  float lowest_free = plot.bars.y1 + line;
  for (const Mark& mark : kMarks) {
    if (mark.us >= graph.top_us) continue;
    const float y =
        std::floor(plot.bars.y1 - axis_share(mark.us, graph.top_us, model.graph_scale) * plot.bars.height());
    pen.fill({plot.bars.x0, y, plot.bars.x1, y + 1}, IM_COL32(226, 232, 255, 120));
    const float label_y = std::min(y - std::floor(line * 0.5f), lowest_free - line);
    pen.text_right(Cut::Small, plot.bars.x0 - pen.px(6), label_y, kMuted, mark.text);
    lowest_free = label_y;
  }
  // The end of the axis, where it does not touch the highest line's label.
  if (plot.bars.y0 + line <= lowest_free + pen.px(2)) {
    const Line<32> top("%.0f ms", static_cast<double>(graph.top_us) / 1000.0);
    pen.text_right(Cut::Small, plot.bars.x0 - pen.px(6), plot.bars.y0 - pen.px(2), faded(kMuted, 0.75f), top);
  }
  pen.fill({plot.bars.x0, plot.bars.y1, plot.bars.x1, plot.bars.y1 + 1}, kRule);
  pen.fill({plot.lane.x0, plot.lane.y1, plot.lane.x1, plot.lane.y1 + 1}, kRule);
}

void draw_band(const Pen& pen, const Plot& plot, const frame::PanelModel& model, const Graph& graph) {
  float last_flag = -1e9f;
  std::size_t start = 0;
  const float letter = pen.px(16);
  for (std::size_t i = 0; i <= graph.column_count; ++i) {
    const bool ends =
        i == graph.column_count ||
        (i > 0 && (graph.columns[i].strategy != graph.columns[i - 1].strategy || graph.columns[i].toggled));
    if (!ends || i == start) continue;
    const frame::ChoiceRow row = strategy_row(model, graph.columns[i - 1].strategy);
    const Rect run{plot.left_of(graph, start), plot.band.y0, plot.left_of(graph, i), plot.band.y1};
    pen.fill(run, faded(row_colour(row), 0.85f));
    if (run.width() >= letter) {
      pen.text_centred(Cut::Small, {run.x0, run.y0, run.x0 + letter, run.y1}, kInk, std::string_view(&row.letter, 1));
    }
    start = i;
  }
  for (std::size_t i = 0; i < graph.column_count; ++i) {
    const GraphColumn& column = graph.columns[i];
    if (!column.toggled && !column.switched) continue;
    const float x = plot.left_of(graph, i);
    if (!column.toggled) {  // A policy or a capacity: a small notch above the band.
      pen.fill({x, plot.bars.y1 - pen.px(8), x + pen.px(1), plot.bars.y1}, kText);
      continue;
    }
    pen.fill({x, plot.bars.y0, x + std::max(1.0f, pen.px(1)), plot.lane.y1}, IM_COL32(238, 241, 250, 170));
    const float side = pen.px(16);
    if (x - last_flag < side + pen.px(2)) continue;
    const float left = std::min(x, plot.bars.x1 - side);
    const frame::ChoiceRow row = strategy_row(model, column.strategy);
    const Rect flag{left, plot.bars.y0, left + side, plot.bars.y0 + side};
    pen.fill(flag, row_colour(row), pen.px(3));
    pen.text_centred(Cut::Small, flag, kInk, std::string_view(&row.letter, 1));
    last_flag = left;
  }
}

// A small pointer above each spike. The one under the mouse, or the number of columns.
std::size_t draw_spike_marks(const Pen& pen, const Plot& plot, const frame::PanelModel& model, const Graph& graph,
                             bool hovered) {
  constexpr std::size_t kMostListed = 24;
  std::size_t under = graph.column_count, listed = 0;
  const float half = pen.px(4), tall = pen.px(6);
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  for (std::size_t i = 0; i < graph.column_count; ++i) {
    const GraphColumn& column = graph.columns[i];
    if (!column.spike) continue;
    const float x = std::floor((plot.left_of(graph, i) + plot.left_of(graph, i + 1)) * 0.5f);
    const float share = axis_share(column.frame_us, graph.top_us, model.graph_scale);
    const float top = std::floor(plot.bars.y1 - share * plot.bars.height());
    const float tip = top - pen.px(2);
    const Rect mark{x - half, tip - tall, x + half, tip};
    const bool hot = hovered && Rect{mark.x0 - 2, mark.y0 - 3, mark.x1 + 2, mark.y1 + 3}.contains(mouse.x, mouse.y);
    if (hot) under = i;
    const ImU32 colour = hot ? kText : IM_COL32(255, 146, 120, 255);
    pen.list()->AddTriangleFilled(ImVec2(mark.x0, mark.y0), ImVec2(mark.x1, mark.y0), ImVec2(x, tip), colour);
    if (listed < kMostListed) pen.layout().add(ControlKind::SpikeMark, listed++, mark);
  }
  return under;
}

// The next spike before or after column `from`; the number of columns if there is none.
std::size_t next_spike(const Graph& graph, std::size_t from, bool forward) {
  if (forward) {
    for (std::size_t i = from + 1; i < graph.column_count; ++i) {
      if (graph.columns[i].spike) return i;
    }
  } else {
    for (std::size_t i = std::min(from, graph.column_count); i-- > 0;) {
      if (graph.columns[i].spike) return i;
    }
  }
  return graph.column_count;
}

// The two arrows with the word between. −1 before, +1 after, 0 nothing asked.
int draw_walk(const Pen& pen, const Rect& box, bool words) {
  const float side = pen.px(22);
  const Rect left{box.x0, box.y0, box.x0 + side, box.y1}, right{box.x1 - side, box.y0, box.x1, box.y1};
  int way = 0;
  for (const bool forward : {false, true}) {
    const Rect& part = forward ? right : left;
    const Press press = press_area(pen, forward ? ControlKind::SpikeNext : ControlKind::SpikePrevious, 0, part);
    pen.fill(part, press.hovered ? kControlHot : kControl, pen.px(6));
    pen.frame(part, kControlEdge, pen.px(6));
    const float half = pen.px(4), tip = forward ? half : -half;
    const ImVec2 middle(std::floor(part.middle_x()), std::floor(part.middle_y()));
    const ImVec2 point(middle.x + tip, middle.y), up(middle.x - tip, middle.y - half),
        down(middle.x - tip, middle.y + half);
    if (forward)
      pen.list()->AddTriangleFilled(point, down, up, kText);
    else
      pen.list()->AddTriangleFilled(point, up, down, kText);
    if (press.pressed) way = forward ? 1 : -1;
  }
  if (words) pen.text_centred(Cut::Small, {left.x1, box.y0, right.x0, box.y1}, kMuted, "spike");
  if (!ImGui::GetIO().WantTextInput) {
    if (ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_PageUp), false)) way = -1;
    if (ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_PageDown), false)) way = 1;
  }
  return way;
}

void draw_legend(const Pen& pen, const Rect& row, std::size_t group) {
  const float swatch = pen.px(9), gap = pen.px(14), y = pen.centre_y(Cut::Small, row.y0, row.y1);
  float x = row.x0;
  for (std::size_t phase = 0; phase < frame::kPhaseCount; ++phase) {
    const float middle = std::floor(row.middle_y());
    pen.fill({x, middle - std::floor(swatch * 0.5f), x + swatch, middle - std::floor(swatch * 0.5f) + swatch},
             kPhaseColours[phase], pen.px(2));
    x += swatch + pen.px(5);
    x += pen.text(Cut::Small, x, y, kMuted, frame::kPhaseNames[phase]) + gap;
  }
  // From the right: what a bar is, then what its cap says, as far as there is room.
  float right = row.x1;
  const Line<64> bars(group > 1 ? "a bar: slowest of %zu frames" : "a bar: one frame", group);
  const float bars_wide = pen.width(Cut::Small, bars);
  if (right - bars_wide < x) return;
  pen.text_right(Cut::Small, right, y, kMuted, bars);
  right -= bars_wide + gap * 2;
  constexpr std::array<std::string_view, 4> kCaps = {"to 8.3 ms", "to 16.7", "to 33.3", "above"};
  float wide = 0;
  for (std::string_view cap : kCaps) wide += swatch + pen.px(5) + pen.width(Cut::Small, cap) + gap;
  if (right - wide + gap < x) return;
  x = right - wide + gap;
  for (std::size_t i = 0; i < kCaps.size(); ++i) {
    const float tall = pen.px(kBudgetCapUnits[i]), middle = std::floor(row.middle_y());
    const float top = middle - std::floor(tall * 0.5f);
    pen.fill({x, top, x + swatch, top + tall}, kBudgetColours[i]);
    x += swatch + pen.px(5);
    x += pen.text(Cut::Small, x, y, kMuted, kCaps[i]) + gap;
  }
}

void refresh(const FrameHistory& history, std::size_t room, float dt_s, Graph& graph) {
  const std::size_t count = usable(history), width = std::clamp<std::size_t>(room, 1, kMaxColumns);
  graph.column_count = columns_of(history, width, graph.columns);
  const std::size_t ring = history.frames.size();
  const std::size_t group = frames_per_column(count, width), full_group = frames_per_column(ring, width);
  // A full ring fills the plot; before that the bars grow from the right.
  graph.slots = group == full_group && ring > 0 ? std::min(width, (ring - 1) / group + 2) : width;
  if (group == 1 && ring > 0) graph.slots = std::min(width, ring);
  graph.slots = std::max({graph.slots, graph.column_count, std::size_t{1}});
  graph.spikes.run(history);
  for (std::size_t i = 0; i < graph.column_count; ++i) {
    GraphColumn& column = graph.columns[i];
    column.spike = column.worst < graph.spikes.spike.size() && graph.spikes.spike[column.worst] != 0;
  }
  const float target = axis_top_us(std::span(graph.columns).first(graph.column_count));
  const float ease = std::isfinite(dt_s) && dt_s > 0 ? 1.0f - std::exp(-dt_s * 10.0f) : 1.0f;
  graph.top_us = graph.top_us > 0 ? graph.top_us + (target - graph.top_us) * ease : target;
  if (std::fabs(graph.top_us - target) < 50.0f) graph.top_us = target;
}

void freeze(const frame::PanelModel& model, Graph& graph, std::size_t column) {
  for (std::size_t i = 0; i < graph.column_count; ++i) graph.kept[i] = model.history.at(graph.columns[i].worst);
  graph.kept_figures = model.figures;
  graph.kept_median_us = graph.spikes.median_us;
  graph.pinned = column;
  graph.frozen = true;
}

void walk(const frame::PanelModel& model, Graph& graph, int way) {
  const std::size_t from = graph.frozen ? graph.pinned : graph.column_count;
  const std::size_t to = next_spike(graph, from, way > 0);
  if (to >= graph.column_count) return;
  if (!graph.frozen) freeze(model, graph, to);
  graph.pinned = to;
}

}  // namespace

ImU32 budget_colour(float us) { return kBudgetColours[static_cast<std::size_t>(budget_of(us))]; }

float finite_us(float us) {
  if (!(us > 0)) return 0;
  return std::min(us, 1e9f);
}

std::size_t frames_per_column(std::size_t count, std::size_t width) {
  if (count <= width || count < 2) return 1;
  if (width < 2) return count;
  return (count - 1 + width - 2) / (width - 1);  // The newest group may hold a single frame.
}

std::size_t columns_of(const FrameHistory& history, std::size_t width, std::span<GraphColumn> out) {
  const std::size_t count = usable(history);
  width = std::min(width, out.size());
  if (count == 0 || width == 0) return 0;
  const u64 newest = history.at(count - 1).frame;
  const std::size_t group = frames_per_column(count, width);
  // Frames before the newest group; with one column everything is in it.
  const std::size_t older = width < 2 ? 0 : count - std::min(newest_group(newest, group), count);
  std::size_t left = older % group;  // Frames that still belong to the current column.
  if (left == 0) left = older > 0 ? group : count;
  std::size_t columns = 0;
  GraphColumn column;
  for (std::size_t i = 0; i < count; ++i) {
    const FrameRecord& record = history.at(i);
    const float us = finite_us(record.frame_us);
    if (column.frames == 0 || us > column.frame_us) {
      column.worst = static_cast<u32>(i);
      column.frame_us = us;
    }
    column.new_calls = std::max(column.new_calls, record.new_calls);
    column.strategy = record.strategy;
    column.switched = column.switched || record.switched;
    column.toggled = column.toggled || (i > 0 && history.at(i - 1).strategy != record.strategy);
    ++column.frames;
    if (--left > 0 && i + 1 < count) continue;
    out[columns++] = column;
    column = {};
    left = group;
  }
  return columns;
}

float axis_top_us(std::span<const GraphColumn> columns) {
  for (const float top : {36'000.0f, 60'000.0f, 100'000.0f}) {
    const auto higher = std::count_if(columns.begin(), columns.end(),
                                      [top](const GraphColumn& column) { return column.frame_us > top; });
    if (static_cast<std::size_t>(higher) * 50 <= columns.size()) return top;
  }
  return 200'000.0f;
}

float axis_share(float us, float top_us, frame::GraphScale scale) {
  if (!(top_us > 0)) return 0;
  const float share = std::clamp(finite_us(us) / top_us, 0.0f, 1.0f);
  return scale == frame::GraphScale::SquareRoot ? std::sqrt(share) : share;
}

Budget budget_of(float us) {
  const double time = static_cast<double>(us);
  if (time <= kBudgetUs * 0.5) return Budget::Half;
  if (time <= kBudgetUs) return Budget::Within;
  return time <= kBudgetUs * 2 ? Budget::Twice : Budget::Over;
}

void draw_graph(const Rect& box, const Rect& room_above, const frame::PanelModel& model, Graph& graph, Pen outer,
                frame::PanelRequests& requests) {
  begin_window("##graph", box);
  // Beside the pool panel in a small window, smaller text leaves room for the bars.
  const float scale = box.width() < outer.px(kGraphNarrow) ? outer.scale() * 0.8f : outer.scale();
  const Pen pen(ImGui::GetWindowDrawList(), scale, outer.layout());
  outer.panel(box);
  const Rect inside{box.x0 + pen.px(12), box.y0 + pen.px(8), box.x1 - pen.px(12), box.y1 - pen.px(8)};

  // Header: title, readout if it fits beside, the scale switch, the closing key.
  const Rect header{inside.x0, inside.y0, inside.x1, inside.y0 + pen.px(24)};
  const std::string_view close_key = key_label(model, frame::Action::Graph);
  const std::string_view title = graph.frozen ? "Frame time, frozen" : "Frame time";
  if (panel_header(pen, header, title, close_key, ClosePanel::Graph)) requests.ask(frame::Action::Graph);
  const bool root = model.graph_scale == frame::GraphScale::SquareRoot;
  const std::string_view scale_key = key_label(model, frame::Action::GraphScale);
  const std::string_view scale_word = root ? "square root" : "auto";
  const float scale_wide = pen.width(Cut::Small, "square root") + pen.key_cap_width(scale_key) + pen.px(20);
  const float scale_end = header.x1 - pen.key_cap_width(close_key) - pen.px(8);
  const Rect scale_box{scale_end - scale_wide, header.y0, scale_end, header.y1};
  if (labelled_button(pen, ControlKind::GraphScale, 0, scale_box, scale_word, scale_key, root)) {
    requests.ask(frame::Action::GraphScale);
  }
  const float walk_end = scale_box.x0 - pen.px(8);
  const bool walk_words = header.width() > pen.px(560);
  const float walk_wide = pen.px(walk_words ? 88 : 48);
  const Rect walk_box{walk_end - walk_wide, header.y0, walk_end, header.y1};
  int way = 0;
  const bool walks = walk_box.x0 > header.x0 + pen.width(Cut::Strong, "Frame time, frozen") + pen.px(8);
  if (walks) way = draw_walk(pen, walk_box, walk_words);
  const FrameFigures& figures = graph.frozen ? graph.kept_figures : model.figures;
  const float title_end = header.x0 + pen.width(Cut::Strong, title) + pen.px(24);
  const float readout_end = (walks ? walk_box.x0 : scale_box.x0) - pen.px(20);
  float y = header.y1 + pen.px(5);
  if (draw_readout(pen, figures, title_end, readout_end, 0, false) == 1) {
    draw_readout(pen, figures, title_end, readout_end, pen.centre_y(Cut::Small, header.y0, header.y1), true);
  } else {
    const int lines = draw_readout(pen, figures, inside.x0, inside.x1, y, true);
    y += static_cast<float>(lines) * (pen.line_px(Cut::Small) + pen.px(2)) + pen.px(2);
  }

  float legend_wide = 0;
  for (std::string_view name : frame::kPhaseNames) legend_wide += pen.width(Cut::Small, name) + pen.px(28);
  float bottom = inside.y1;
  const bool legend = legend_wide <= inside.width() && bottom - y > pen.px(120);
  if (legend) bottom -= pen.px(20);
  const float gutter = pen.px(66);
  Plot plot;
  plot.lane = {inside.x0 + gutter, bottom - pen.px(24), inside.x1, bottom - 1};
  plot.band = {plot.lane.x0, plot.lane.y0 - pen.px(3) - pen.px(14), plot.lane.x1, plot.lane.y0 - pen.px(3)};
  plot.bars = {plot.lane.x0, y + pen.px(10), plot.lane.x1, plot.band.y0 - 1};

  if (!graph.frozen) {
    const float room = plot.bars.width() / std::max(1.0f, outer.scale());
    refresh(model.history, static_cast<std::size_t>(std::max(1.0f, room)), ImGui::GetIO().DeltaTime, graph);
  }
  if (way != 0) walk(model, graph, way);
  const bool has_room = plot.bars.height() > pen.px(12) && plot.bars.width() > pen.px(40);
  const Rect area{plot.bars.x0, plot.bars.y0, plot.lane.x1, plot.lane.y1};
  const Press press = press_area(pen, ControlKind::GraphPlot, 0, area);
  std::size_t marked_spike = graph.column_count;
  if (has_room) {
    pen.fill(plot.bars, IM_COL32(0, 0, 0, 70));
    pen.fill(plot.lane, IM_COL32(0, 0, 0, 70));
    draw_bars(pen, plot, model, graph);
    draw_axis(pen, plot, model, graph);
    draw_band(pen, plot, model, graph);
    marked_spike = draw_spike_marks(pen, plot, model, graph, press.hovered);
    u32 most_new = 0;
    for (std::size_t i = 0; i < graph.column_count; ++i) most_new = std::max(most_new, graph.columns[i].new_calls);
    const Line<32> most(most_new < 10'000 ? "%u" : "%uk", most_new < 10'000 ? most_new : most_new / 1000);
    const float lane_y = pen.centre_y(Cut::Small, plot.lane.y0, plot.lane.y1);
    pen.text_right(Cut::Small, plot.lane.x0 - pen.px(6), lane_y, kText, most);
    pen.text(Cut::Small, inside.x0, lane_y, kMuted, "new");
    if (graph.column_count == 0) pen.text_centred(Cut::Small, plot.bars, kMuted, "no frames yet");
  }
  if (legend) {
    const std::size_t count = usable(model.history);
    const std::size_t group =
        graph.column_count > 1 ? std::max(graph.columns[1].frames, graph.columns[0].frames) : count;
    draw_legend(pen, {inside.x0, bottom + pen.px(4), inside.x1, inside.y1}, std::max<std::size_t>(group, 1));
  }

  // The column under the mouse, else the one that is held.
  std::size_t shown = graph.column_count;
  if (press.hovered) {
    const float mouse_x = ImGui::GetIO().MousePos.x;
    for (std::size_t i = 0; i < graph.column_count; ++i) {
      if (mouse_x >= plot.left_of(graph, i) && mouse_x < plot.left_of(graph, i + 1)) shown = i;
    }
    if (marked_spike < graph.column_count) shown = marked_spike;
  }
  if (press.pressed && plot.lane.contains(ImGui::GetIO().MousePos.x, ImGui::GetIO().MousePos.y)) {
    requests.ask(frame::Action::FrameTimeline);  // the lane of `new` opens into one frame
  } else if (press.pressed) {
    if (graph.frozen && (shown == graph.pinned || shown == graph.column_count)) {
      graph.frozen = false;
    } else if (graph.frozen) {
      graph.pinned = shown;
    } else if (shown < graph.column_count) {
      freeze(model, graph, shown);
    }
  }
  if (graph.frozen && graph.pinned < graph.column_count && shown == graph.column_count) shown = graph.pinned;
  for (const std::size_t marked : {shown, graph.frozen ? graph.pinned : shown}) {
    if (marked >= graph.column_count || !has_room) continue;
    const float x0 = plot.left_of(graph, marked), x1 = std::max(plot.left_of(graph, marked + 1), x0 + 1);
    pen.frame({x0 - 1, plot.bars.y0, x1 + 1, plot.lane.y1}, kText);
  }
  end_window();
  if (shown < graph.column_count && has_room) {
    const GraphColumn& column = graph.columns[shown];
    const FrameRecord& record = graph.frozen ? graph.kept[shown] : model.history.at(column.worst);
    const Pen above(ImGui::GetForegroundDrawList(), outer.scale(), outer.layout());
    draw_frame_details(
        above, box, room_above, plot.left_of(graph, shown), record, column, strategy_row(model, record.strategy),
        graph.frozen ? graph.kept_median_us : graph.spikes.median_us, graph.frozen && shown == graph.pinned);
  }
}

}  // namespace spellpool::ui
