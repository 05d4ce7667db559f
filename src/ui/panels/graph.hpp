#pragma once
// The frame-time graph: one bar per frame (the slowest frame of a group when there are more frames than columns),
// stacked by phase, with a cap that tells the budget by colour and height; below it a band that tells the strategy, and
// a lane of `new` calls per frame. A click on a bar freezes the graph, shows that frame and says why it took so long;
// spikes have a mark above their bar.
//
// Cost    one pass over the history and up to ten rectangles per column, about 0.2 ms for 1,200 columns.
// Source  Tracy's frame view, MangoHud.
#include <span>
#include <vector>

#include "frame/views/panel_model.hpp"
#include "ui/panels/spikes.hpp"

namespace spellpool::ui {

/// 9 rectangles a column and the texts stay below the 65,536 vertices that a 16-bit index can name.
inline constexpr std::size_t kMaxColumns = 1400;
inline constexpr double kBudgetUs = 1e6 / 60.0;

/// One bar: a run of neighbouring frames.
struct GraphColumn {
  u32 worst = 0;  ///< Place in the history (0 = oldest) of its slowest frame, whose phases are drawn.
  u32 frames = 0;
  float frame_us = 0;     ///< Of the slowest frame; never NaN, infinite or negative.
  u32 new_calls = 0;      ///< Most in one frame of the run.
  u8 strategy = 0;        ///< Of its newest frame.
  bool toggled = false;   ///< The strategy differs from the frame before, somewhere in the run.
  bool spike = false;     ///< Its slowest frame is a spike; set by draw_graph().
  bool switched = false;  ///< FrameRecord::switched somewhere in the run: a policy or a capacity, if not toggled.
};

/// A frame time fit for drawing: NaN and negative ones are 0, others at most 1,000 s.
float finite_us(float us);

/// Frames per column so that `count` frames need at most `width` columns wherever the groups are cut; at least 1.
std::size_t frames_per_column(std::size_t count, std::size_t width);

/// Groups the history into at most min(width, out.size()) columns, oldest first, each taking the maximum of its frames.
/// Groups are cut at multiples of their size in frame numbers, so that a column keeps its frames while the graph
/// scrolls. Returns the number of columns written.
std::size_t columns_of(const frame::FrameHistory& history, std::size_t width, std::span<GraphColumn> out);

/// The end of the y axis in µs: the lowest of a few round figures that at most one column in fifty passes. Never below
/// 36 ms, so that both budget lines are in sight. What is higher is cut off there with an arrow.
float axis_top_us(std::span<const GraphColumn> columns);
/// Height of a time on an axis that ends at `top_us`: 0 … 1, longer times give 1.
float axis_share(float us, float top_us, frame::GraphScale scale);

/// Which part of the 60 Hz budget a frame used. Drawn as a colour and as a height, since colour alone means nothing.
enum class Budget : u8 { Half, Within, Twice, Over };
Budget budget_of(float us);

/// What the graph remembers from frame to frame. All memory is reserved by the constructor.
struct Graph {
  Graph() : columns(kMaxColumns), kept(kMaxColumns) {}

  std::vector<GraphColumn> columns;
  std::size_t column_count = 0;
  std::size_t slots = 1;  ///< Columns that the plot has room for; the newest is at the right.
  float top_us = 0;       ///< Eased end of the y axis; 0 before the first frame.

  SpikeSearch spikes;

  bool frozen = false;
  std::size_t pinned = 0;                ///< The column whose frame is shown while frozen.
  std::vector<frame::FrameRecord> kept;  ///< While frozen: the slowest frame of each column.
  frame::FrameFigures kept_figures;
  float kept_median_us = 0;
};

/// Least and usual height in design units.
inline constexpr float kGraphHeight = 222.0f;
inline constexpr float kGraphLeastHeight = 168.0f;

/// Draws the graph into `box` as a window of its own. A text above it describes the frame under the mouse,
/// in `room_above` if that is wide enough. Page up and Page down move from spike to spike. Call it between
/// NewFrame() and Render().
void draw_graph(const Rect& box, const Rect& room_above, const frame::PanelModel& model, Graph& graph, Pen pen,
                frame::PanelRequests& requests);

}  // namespace spellpool::ui
