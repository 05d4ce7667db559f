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
  if (sizes.editor) {
    places.editor = {std::max(rest.x0, rest.x1 - sizes.editor_width), rest.y0, rest.x1, rest.y1};
    rest.x1 = places.editor.x0 - sizes.gap;
    if (sizes.graph && rest.width() >= sizes.graph_least_width) {
      places.graph = take_bottom(rest, std::min(sizes.graph_height, rest.height() * 0.5f), sizes.gap);
    }
    places.rest = rest;
    return places;
  }
  const float graph_room = sizes.graph ? sizes.graph_height + sizes.gap : 0.0f;
  const float above_graph = free.height() - graph_room;
  places.compact = sizes.pool_panel && sizes.pool_height > above_graph;
  const bool stacked =
      !sizes.pool_panel || (places.compact ? sizes.pool_compact_height : sizes.pool_height) <= above_graph;
  if (sizes.graph && stacked) places.graph = take_bottom(rest, sizes.graph_height, sizes.gap);
  if (sizes.pool_panel) {
    if (!stacked) places.compact = sizes.pool_height > rest.height();
    const float wanted = places.compact ? sizes.pool_compact_height : sizes.pool_height;
    places.pool_panel = {rest.x1 - sizes.pool_width, rest.y0, rest.x1, rest.y0 + std::min(wanted, rest.height())};
    rest.x1 = places.pool_panel.x0 - sizes.gap;
  }
  if (sizes.graph && !stacked) {
    const float height = std::clamp(rest.height() * 0.5f, sizes.graph_least_height, sizes.graph_height);
    places.graph = take_bottom(rest, height, sizes.gap);
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
