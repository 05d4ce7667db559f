#pragma once
// A duet on the screen: two worlds side by side, each in a frame of its strategy's colour with its title, and below
// them a strip: both time graphs in one plot, the running ratio with its spread, and the figures.
//
// Cost    with the strip about 0.3 ms.
// Colour  never alone: each side has its letter, in its title, at its line's end, beside its figures.
#include <initializer_list>

#include "frame/views/duet_view.hpp"
#include "frame/views/panel_model.hpp"
#include "ui/kit/pen.hpp"

namespace spellpool::ui {

/// Where the two worlds and the strip lie in a window of width × height px; both worlds have one size, whole pixels.
struct DuetPlaces {
  std::array<Rect, 2> worlds;
  Rect strip;                 ///< Empty where it is not shown.
};
/// `scale`: of design_scale().
DuetPlaces duet_places(float width, float height, float scale, bool strip);

/// The steps that the graphs show: ten seconds.
inline constexpr std::size_t kDuetGraphSteps = 600;

/// The end of a time axis in µs for what the graph shows: the lowest of a few round figures that hardly any step
/// passes.
float duet_axis_top_us(std::span<const frame::DuetStep> shown, frame::DuetClock clock);

/// "1,240 µs"; "12.40 ms" where the longest beside it takes 10 ms or more.
Line<32> duet_time_text(float us, float most_us);

/// All of it: model.duet is not null. `pen` draws behind all windows.
void draw_duet(const frame::PanelModel& model, const Pen& pen, frame::PanelRequests& requests);

// Its parts, for draw_duet().
ImU32 duet_colour(const frame::DuetSide& side);
/// Both plots, in `box`.
void draw_duet_graphs(const Rect& box, const frame::PanelModel& model, const Pen& pen);
/// Medians, ratio, what it is worth, and whether the work was equal.
void draw_duet_figures(const Rect& box, const frame::PanelModel& model, const Pen& pen);

}  // namespace spellpool::ui
