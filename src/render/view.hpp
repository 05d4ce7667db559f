#pragma once
// Where the world lies on the screen. Every window shows 720 units of its shorter side; the longer one
// follows the window's shape. So the arena, which is 692 units wide, is never cut off. World: x right, y
// down, the arena's centre at (0, 0). Screen: pixels from the upper left corner. Pure functions of plain
// values, so the app can aim with the mouse without asking the renderer.
#include <algorithm>
#include <cmath>

#include "frame/render_snapshot.hpp"

namespace spellpool::render {

struct Point {
  float x = 0, y = 0;
};

/// What of the world a picture shows.
struct View {
  float centre_x = 0, centre_y = 0;        ///< World point in the middle of the picture, units.
  float width_px = 1280, height_px = 720;  ///< At least 1.
  constexpr float shorter_px() const { return std::min(width_px, height_px); }
  constexpr float px_per_unit() const { return shorter_px() / frame::kViewHeight; }
  /// Units from the middle to the side, and to the upper edge.
  constexpr float half_width() const { return 0.5f * width_px / px_per_unit(); }
  constexpr float half_height() const {
    return height_px <= width_px ? 0.5f * frame::kViewHeight : 0.5f * height_px / px_per_unit();
  }
};

/// Around a place, in units, y down.
struct Box {
  float left = 0, top = 0, right = 0, bottom = 0;
};

constexpr Point world_to_screen(const View& view, Point world) {
  const float scale = view.px_per_unit();
  return {(world.x - view.centre_x) * scale + 0.5f * view.width_px,
          (world.y - view.centre_y) * scale + 0.5f * view.height_px};
}

constexpr Point screen_to_world(const View& view, Point screen) {
  const float units = frame::kViewHeight / view.shorter_px();
  return {(screen.x - 0.5f * view.width_px) * units + view.centre_x,
          (screen.y - 0.5f * view.height_px) * units + view.centre_y};
}

/// The view of a snapshot at time alpha (0 the step before, 1 the last step) in a window of this many pixels, without
/// shake: what the mouse should aim through.
inline View view_of(const frame::RenderSnapshot& snapshot, float alpha, int width_px, int height_px) {
  View view;
  view.centre_x = snapshot.previous_camera_x + (snapshot.camera_x - snapshot.previous_camera_x) * alpha;
  view.centre_y = snapshot.previous_camera_y + (snapshot.camera_y - snapshot.previous_camera_y) * alpha;
  view.width_px = static_cast<float>(width_px > 0 ? width_px : 1);
  view.height_px = static_cast<float>(height_px > 0 ? height_px : 1);
  return view;
}

/// The same view with its middle moved by at most half a pixel, so that the baked ground is copied texel by texel:
/// half the cost of filtering it on a software renderer, and always sharp. The world's middle comes to lie between
/// pixels; where their number is odd, the picture's middle is within one.
inline View snapped_to_pixels(View view) {
  const float scale = view.px_per_unit();
  const auto snapped = [scale](float centre, float size_px) {
    const float within = 0.5f * std::fmod(size_px, 2.0f);
    return (std::floor(centre * scale + 0.5f - within) + within) / scale;
  };
  view.centre_x = snapped(view.centre_x, view.width_px);
  view.centre_y = snapped(view.centre_y, view.height_px);
  return view;
}

}  // namespace spellpool::render
