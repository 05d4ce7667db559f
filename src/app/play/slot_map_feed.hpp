#pragma once
#include "frame/slot_map_view.hpp"
#include "pool/inspect/slot_map.hpp"
#include "render/gl/slot_picture.hpp"
#include "sim/core/game_world.hpp"

namespace spellpool::app {

/// Between a world and the panel that shows one of its pools place by place: makes what the panel wished for in its last frame.
/// Cost  nothing while the panel is closed; else a walk of the pool and a texture a frame. Needs a GL context.
class SlotMapFeed {
 public:
  /// The view's spans point into the feed until the next call.
  const frame::SlotMapView& view(sim::GameWorld& world, const frame::SlotMapRequest& request);

 private:
  static constexpr u32 kNextShown = 48;

  pool::SlotMap map_;
  pool::SlotDetail detail_;
  render::SlotPicture picture_;
  frame::SlotMapView view_;
};

}  // namespace spellpool::app
