#include "app/pools/slot_map_feed.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>

namespace spellpool::app {
namespace {

constexpr float kStep_s = 1.0f / 60.0f;
constexpr float kReach_px = 22.0f;  // how near the pointer must be to an object
constexpr float kHold_px = 40.0f;   // and how far one that it points at may go before another takes over

bool is_live(const pool::SlotDetail& detail) { return (detail.cell & 0x7f) >= kSlotLive; }

/// A float member of the object whose bytes these are.
std::optional<float> member(const pool::SlotDetail& detail, std::span<const frame::SlotField> fields,
                            std::string_view name) {
  for (const frame::SlotField& field : fields) {
    if (field.name != name || field.kind != frame::SlotFieldKind::Float) continue;
    const std::size_t at = std::size_t{detail.object_at} + field.offset;
    if (at + sizeof(float) > detail.byte_count) return std::nullopt;
    float value = 0;
    std::memcpy(&value, &detail.bytes[at], sizeof value);
    return value;
  }
  return std::nullopt;
}

}  // namespace

/// Where the object of a place is on the screen: between its last two positions, as it is drawn.
SlotMapFeed::Spot SlotMapFeed::spot_of(const pool::SlotDetail& detail, const Eye& eye) const {
  if (!is_live(detail)) return {};
  const std::optional<float> x = member(detail, fields_, "x"), y = member(detail, fields_, "y");
  if (!x || !y) return {};
  const float back_s = (1.0f - eye.alpha) * kStep_s;
  const render::Point at =
      render::world_to_screen(eye.view, {*x - member(detail, fields_, "vx").value_or(0.0f) * back_s,
                                         *y - member(detail, fields_, "vy").value_or(0.0f) * back_s});
  if (!std::isfinite(at.x) || !std::isfinite(at.y)) return {};
  const bool inside = at.x >= 0 && at.y >= 0 && at.x < eye.view.width_px && at.y < eye.view.height_px;
  return {inside, at.x, at.y};
}

/// The place of the object under the pointer. It stays the same object for as long as that is near.
u32 SlotMapFeed::find_pointed(const sim::PoolPort& pool, const frame::SlotMapRequest& request,
                              const Eye& eye) {
  if (!request.points) {
    followed_ = pool::kNoSlot;
    return frame::SlotMapView::kNoPlace;
  }
  if (followed_ <
      map_.cells.size()) {  // the place of that number: where objects move, the nearest is searched anew
    const pool::SlotDetail detail = pool.look_at_place(followed_);
    const Spot spot = spot_of(detail, eye);
    const bool same = spot.seen && detail.slot == followed_ && detail.generation == followed_generation_;
    if (same && std::hypot(spot.x_px - request.point_x_px, spot.y_px - request.point_y_px) <= kHold_px)
      return followed_;
  }
  const render::Point at = render::screen_to_world(eye.view, {request.point_x_px, request.point_y_px});
  const std::optional<u32> place = pool.place_near(at.x, at.y, kReach_px / eye.view.px_per_unit());
  followed_ = pool::kNoSlot;
  if (!place) return frame::SlotMapView::kNoPlace;
  const pool::SlotDetail detail = pool.look_at_place(*place);
  followed_ = detail.slot;
  followed_generation_ = detail.generation;
  return *place;
}

void SlotMapFeed::fill_window(const sim::PoolPort& pool, u32 first, const Eye& eye) {
  const u32 places = static_cast<u32>(map_.cells.size());
  const u32 count = first < places ? std::min(frame::kSlotWindow, places - first) : 0;
  for (u32 i = 0; i < count; ++i) {
    const pool::SlotDetail detail = pool.look_at_place(first + i);
    const Spot spot = spot_of(detail, eye);
    frame::SlotCell& cell = window_[i];
    cell = {detail.place, detail.slot, detail.generation, detail.cell,
            spot.seen,    spot.x_px,   spot.y_px,         frame::SlotMapView::kNoPlace};
    const bool links = !is_live(detail) && map_.chained && detail.link_bytes == sizeof cell.link;
    if (links && detail.link_at + sizeof cell.link <= detail.byte_count)
      std::memcpy(&cell.link, &detail.bytes[detail.link_at], sizeof cell.link);
  }
  view_.window = std::span(window_).first(count);
}

const frame::SlotMapView& SlotMapFeed::view(sim::GameWorld& world, const frame::SlotMapRequest& request,
                                            const Eye& eye) {
  const std::optional<frame::PoolId> looked_at = request.shown ? std::optional(request.pool) : std::nullopt;
  if (world.watched() != looked_at) world.watch_slots(looked_at);
  view_ = {};
  view_.pool = request.pool;
  if (!request.shown) return view_;
  const sim::PoolPort& pool = world.pool(request.pool);
  pool.map_slots(kNextShown, map_);
  fields_ = pool.fields();
  view_.ready = true;
  view_.places = map_.places;
  view_.cells = map_.cells;
  view_.next = map_.next;
  view_.live = map_.live;
  view_.free = map_.free;
  view_.filled = map_.filled;
  view_.retired = map_.retired;
  view_.stolen = map_.stolen;
  view_.columns = request.columns;
  view_.per_texel = request.per_texel;
  picture_.update(map_.cells, request.columns, request.per_texel);
  view_.texture = picture_.texture();
  view_.pointed = find_pointed(pool, request, eye);
  if (view_.pointed < map_.cells.size()) {
    const Spot spot = spot_of(pool.look_at_place(view_.pointed), eye);
    view_.pointed_x_px = spot.x_px;
    view_.pointed_y_px = spot.y_px;
  }
  const u32 usual = view_.pointed < map_.cells.size() ? view_.pointed
                    : map_.next.empty()               ? 0
                                                      : map_.next.front();
  detail_ = pool.look_at_place(request.place < map_.cells.size() ? request.place : usual);
  view_.place = detail_.place;
  view_.slot = detail_.slot;
  view_.generation = detail_.generation;
  view_.cell = detail_.cell;
  view_.bytes = {reinterpret_cast<const u8*>(detail_.bytes.data()), detail_.byte_count};
  view_.object_at = detail_.object_at;
  view_.link_at = detail_.link_at;
  view_.link_bytes = detail_.link_bytes;
  view_.chained = map_.chained;
  view_.fields = fields_;
  const Spot spot = spot_of(detail_, eye);
  view_.seen = spot.seen;
  view_.x_px = spot.x_px;
  view_.y_px = spot.y_px;
  fill_window(pool, request.window, eye);
  return view_;
}

}  // namespace spellpool::app
