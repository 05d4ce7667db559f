#pragma once
#include <string>

#include "core/types.hpp"
#include "ui/kit/layout.hpp"

namespace spellpool::app {

/// Where the parts and controls of the last frame lie, in pixels of the picture, for scripts that click. `frame` counts pictures:
/// a script that waits until it has risen twice knows that what it pressed before was seen.
///   {"frame": 120, "scale": 1, "parts": {"editor": [x0, y0, x1, y1], …}, "controls": [{"kind": "curve_point", "index": 1, "rect": […]}, …]}
std::string layout_json(const ui::Layout& layout, u64 frame);

}  // namespace spellpool::app
