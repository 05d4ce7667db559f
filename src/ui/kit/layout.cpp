#include "ui/kit/layout.hpp"

#include <algorithm>
#include <cmath>

namespace spellpool::ui {

float design_scale(float width, float height, float text_scale) {
  if (!(width >= kLeastDisplayWidth && height >= kLeastDisplayHeight)) return 0.0f;
  if (!std::isfinite(text_scale)) text_scale = 1.0f;
  const float wanted = std::clamp(text_scale, 0.75f, 4.0f);
  return std::min({wanted, width / kLeastWidth, height / kLeastHeight});
}

PanelPlaces place_panels(const Rect& free, const PanelSizes& sizes) {
  PanelPlaces places;
  Rect rest = free;
  const auto at_right = [&](float width) {
    const Rect box{std::max(rest.x0, rest.x1 - width), rest.y0, rest.x1, rest.y1};
    rest.x1 = std::max(rest.x0, box.x0 - sizes.gap);
    return box;
  };
  const auto at_left = [&](float width) {
    const Rect box{rest.x0, rest.y0, std::min(rest.x1, rest.x0 + width), rest.y1};
    rest.x0 = std::min(rest.x1, box.x1 + sizes.gap);
    return box;
  };
  const int sides = int{sizes.editor} + int{sizes.voices} + int{sizes.pool_panel};
  bool graph_below = sizes.graph && sizes.pool_panel && sides == 1;
  if (sizes.pool_panel) {
    const float above_graph = free.height() - (graph_below ? sizes.graph_height + sizes.gap : 0.0f);
    places.compact = sizes.pool_height > above_graph;
    graph_below =
        graph_below && (places.compact ? sizes.pool_compact_height : sizes.pool_height) <= above_graph;
    if (!graph_below) places.compact = sizes.pool_height > free.height();
  }
  if (graph_below) places.graph = take_bottom(rest, sizes.graph_height, sizes.gap);

  // The left side first: the right one keeps what it was given while it stood alone.
  if (sides > 1) {
    const float right = sizes.editor ? sizes.editor_width : sizes.pool_width;
    const float left = sizes.voices ? sizes.voices_width : sizes.pool_width;
    places.all = sides == 2 && free.width() >= left + right + sizes.gap * 2 + sizes.least_between;
    if (sizes.voices)
      places.voices = at_left(left);
    else
      places.pool_panel = at_left(left);
  } else if (sizes.voices) {
    const bool both = free.width() >= (sizes.voices_width + sizes.gap) * 2 + sizes.voices_between;
    if (both) places.voice_rows = at_right(sizes.voices_width);
    places.voices =
        both ? at_left(sizes.voices_width) : at_right(std::min(sizes.voices_width, free.width() * 0.62f));
  }
  if (sizes.editor)
    places.editor = at_right(sizes.editor_width);
  else if (sizes.pool_panel)
    places.pool_panel = at_right(sizes.pool_width);
  if (sizes.pool_panel) {
    const float wanted = places.compact ? sizes.pool_compact_height : sizes.pool_height;
    places.pool_panel.y1 = std::min(places.pool_panel.y1, places.pool_panel.y0 + wanted);
  }

  if (sizes.graph && !graph_below) {
    const float height = std::clamp(rest.height() * 0.5f, sizes.graph_least_height, sizes.graph_height);
    places.all = places.all && rest.width() >= sizes.least_width && rest.height() >= sizes.graph_least_height;
    places.graph = take_bottom(rest, std::min(height, rest.height()), sizes.gap);
  }
  if (sizes.slot_map) {
    places.all =
        places.all && rest.width() >= sizes.least_width && rest.height() >= sizes.slot_map_least_height;
  }
  places.rest = rest;
  return places;
}

Rect take_top(Rect& free, float height, float gap) {
  if (free.empty() || height > free.height()) return {};
  const Rect taken{free.x0, free.y0, free.x1, free.y0 + height};
  free.y0 = std::min(taken.y1 + gap, free.y1);
  return taken;
}

Rect take_bottom(Rect& free, float height, float gap) {
  if (free.empty() || height > free.height()) return {};
  const Rect taken{free.x0, free.y1 - height, free.x1, free.y1};
  free.y1 = std::max(taken.y0 - gap, free.y0);
  return taken;
}

}  // namespace spellpool::ui
