#pragma once
#include <span>
#include <string>

#include "app/options.hpp"
#include "app/paired/duet.hpp"
#include "frame/views/figure_pool_view.hpp"

namespace spellpool::app {

struct DuetShown {
  std::string renderer = "none (simulation only)";
  std::string_view drawn_by;   ///< "" nothing was drawn.
  std::span<const double> frames_us;  ///< Of a window, in order; with what it waits for.
  frame::FigurePoolView figure_pool{};
};
/// The summary of a duet, for --json.
std::string duet_json(Duet& duet, const WorldOptions& world, const DuetShown& shown);
/// The last line on standard output: ratio, spread, and what it is worth.
std::string duet_line(const Duet& duet);

}  // namespace spellpool::app
