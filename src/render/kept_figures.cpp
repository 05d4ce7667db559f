#include "render/kept_figures.hpp"

#include <algorithm>
#include <cmath>

namespace spellpool::render {
namespace {

/// Of a figure's state, which runs from 0 to 1: a dummy sways by 0.06 pixels, a flash is 1 % brighter.
constexpr float kSameState = 0.01f;
/// Of a pixel.
constexpr float kSamePlace_px = 1.0f / 32.0f;
/// Parts of the light, and of its direction, that are not seen: less than a display level on a figure's
/// brightest spot.
constexpr float kSameLight = 0.02f, kLeastLight = 0.0005f, kSameDirection = 0.03f;
/// An image of the last picture is good for one more while it changes by no more than this: at 60 pictures a
/// second it cannot be seen that a figure is one of them late.
constexpr float kNextState = 0.10f, kNextLight = 0.20f, kNextDirection = 0.20f;

/// Soft all over, always in motion, and unlit: every other image of it is the last one, moved by whole
/// pixels.
bool drifts(u32 kind) { return kind == static_cast<u32>(frame::SpriteKind::Wisp); }

bool near(float a, float b, float most) { return std::fabs(a - b) <= most; }

}  // namespace

void KeptFigures::forget() {
  for (Cell& cell : cells_) cell.holds = false;
}

void KeptFigures::begin_picture(const View& view, bool late) {
  late_ = late;
  const int side_px = static_cast<int>(std::ceil(kCell_units * view.px_per_unit()));
  if (side_px != side_px_ || view.width_px != view_.width_px || view.height_px != view_.height_px) forget();
  if (side_px != side_px_) {
    bool complete = true;
    side_px_ = side_px;
    target_ = {};
    target_ = make_target(PixelFormat::Rgba16f, kColumns * side_px, kCells / kColumns * side_px,
                          Filter::Nearest, complete);
  }
  view_ = view;
  ++picture_;
  seen_.fill(0);
  drawn_ = copied_ = 0;
}

bool KeptFigures::same(const Cell& cell, const frame::SpriteInstance& sprite, Point place,
                       const FigureLight& light) const {
  const frame::SpriteInstance& was = cell.sprite;
  if (!late_) {
    const auto numbers = [](const frame::SpriteInstance& s) {
      return std::array{s.size, s.angle_turns, s.p0, s.p1, s.p2, s.r, s.g, s.b};
    };
    return numbers(sprite) == numbers(was) && place.x == cell.place.x && place.y == cell.place.y &&
           light == cell.light;
  }
  const bool late = cell.made + 1 == picture_;
  if (sprite.size != was.size) return false;
  if (drifts(sprite.kind)) {
    if (!late) return false;
  } else if (place.x != cell.place.x || place.y != cell.place.y || sprite.angle_turns != was.angle_turns) {
    return false;  // Its look may depend on where it stands.
  }
  const float state = late ? kNextState : kSameState;
  if (!near(sprite.p0, was.p0, state) || !near(sprite.p1, was.p1, state) || !near(sprite.p2, was.p2, state))
    return false;
  if (!near(sprite.r, was.r, kSameState) || !near(sprite.g, was.g, kSameState) ||
      !near(sprite.b, was.b, kSameState))
    return false;
  const auto like = [part = late ? kNextLight : kSameLight](float now, float then) {
    return near(now, then, part * std::max(now, then) + kLeastLight);
  };
  const float direction = late ? kNextDirection : kSameDirection;
  return like(light.r, cell.light.r) && like(light.g, cell.light.g) && like(light.b, cell.light.b) &&
         near(light.towards_x, cell.light.towards_x, direction) &&
         near(light.towards_y, cell.light.towards_y, direction);
}

KeptFigures::Place KeptFigures::find(const frame::SpriteInstance& sprite, Point place, const Box& box,
                                     const FigureLight& light) {
  const u32 ordinal = seen_[sprite.kind]++;
  const Point screen = world_to_screen(view_, place);
  const float scale = view_.px_per_unit();
  // A pixel more on each side, for the part of one at which it stands.
  const float width = (box.right - box.left) * scale + 2.0f, height = (box.bottom - box.top) * scale + 2.0f;
  const float sum =
      screen.x + screen.y + sprite.size + sprite.p0 + sprite.p1 + sprite.p2 + sprite.r + sprite.g + sprite.b;
  if (!std::isfinite(sum + light.r + light.g + light.b + light.towards_x + light.towards_y +
                     sprite.angle_turns))
    return {};
  if (!(width < static_cast<float>(side_px_)) || !(height < static_cast<float>(side_px_))) return {};
  const float left = screen.x + box.left * scale, bottom = screen.y + box.bottom * scale;
  if (left < 1.0f || screen.y + box.top * scale < 1.0f || left + width > view_.width_px ||
      bottom + 1.0f > view_.height_px)
    return {};

  Cell* own = nullptr;
  for (Cell& cell : cells_) {
    if (cell.holds && cell.kind == sprite.kind && cell.ordinal == ordinal) own = &cell;
  }
  if (own == nullptr) {
    for (Cell& cell : cells_) {
      if (cell.used != picture_ && (own == nullptr || !cell.holds || (own->holds && cell.used < own->used)))
        own = &cell;
    }
    if (own == nullptr) return {};
    own->holds = false;
  }
  const int at = static_cast<int>(own - cells_.data());
  own->used = picture_;
  if (own->holds && same(*own, sprite, place, light)) {
    const float moved_x = std::round(screen.x - own->screen_x),
                moved_y = std::round(screen.y - own->screen_y);
    const float part_px = !late_ ? 0.0f : drifts(sprite.kind) ? 0.5f : kSamePlace_px;
    if (near(screen.x - own->screen_x, moved_x, part_px) &&
        near(screen.y - own->screen_y, moved_y, part_px)) {
      ++copied_;
      return {at, true, own->from_x - static_cast<int>(moved_x), own->from_y + static_cast<int>(moved_y)};
    }
  }
  const Point corner_px = corner(at, side_px_);
  own->holds = true;
  own->kind = sprite.kind;
  own->ordinal = ordinal;
  own->made = picture_;
  own->sprite = sprite;
  own->place = place;
  own->screen_x = screen.x;
  own->screen_y = screen.y;
  own->from_x = static_cast<int>(corner_px.x) + 1 - static_cast<int>(std::floor(left));
  own->from_y = static_cast<int>(corner_px.y) + 1 - static_cast<int>(std::floor(view_.height_px - bottom));
  own->light = light;
  ++drawn_;
  return {at, false, own->from_x, own->from_y};
}

}  // namespace spellpool::render
