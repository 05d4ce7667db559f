#include "app/play/slot_map_feed.hpp"

#include <optional>

namespace spellpool::app {

const frame::SlotMapView& SlotMapFeed::view(sim::GameWorld& world, const frame::SlotMapRequest& request) {
  const std::optional<frame::PoolId> looked_at = request.shown ? std::optional(request.pool) : std::nullopt;
  if (world.watched() != looked_at) world.watch_slots(looked_at);
  view_ = {};
  view_.pool = request.pool;
  if (!request.shown) return view_;
  world.pool(request.pool).map_slots(kNextShown, map_);
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
  const u32 place = request.place < map_.cells.size() ? request.place : map_.next.empty() ? 0 : map_.next.front();
  detail_ = world.pool(request.pool).look_at_place(place);
  view_.place = detail_.place;
  view_.slot = detail_.slot;
  view_.generation = detail_.generation;
  view_.cell = detail_.cell;
  view_.bytes = {reinterpret_cast<const u8*>(detail_.bytes.data()), detail_.byte_count};
  view_.object_at = detail_.object_at;
  view_.link_at = detail_.link_at;
  view_.link_bytes = detail_.link_bytes;
  view_.chained = map_.chained;
  view_.fields = world.pool(request.pool).fields();
  return view_;
}

}  // namespace spellpool::app
