#pragma once
#include <string>

#include "core/types.hpp"
#include "ui/panels.hpp"

namespace spellpool::app {

/// Where the parts and controls of the last drawn frame lie, in pixels of the picture, for scripts that
/// click. `frame` counts frames: after a script has seen it change three times, what it pressed before is
/// handled and shown. `step` counts the world's steps: a script that holds a key for some game time waits for
/// it. `notice` is the text of the part with that name, while it is shown. `painter`: what drew the panels,
/// in a window. `timeline`, while that panel is open: calls of new and acquired slots, of each world that it
/// shows. `stories`, while the memory panel is open: free bytes of each, the largest piece, 1 once it refuses.
///   {"frame": 120, "step": 118, "scale": 1, "parts": {"editor": [x0, y0, x1, y1], …}, "notice": "Saved …",
///    "panels_by": "processor", "controls": [{"kind": "curve_point", "index": 1, "rect": […]}, …]}
std::string layout_json(const ui::UiState& state, u64 frame, u64 step, std::string_view painter = {});

}  // namespace spellpool::app
