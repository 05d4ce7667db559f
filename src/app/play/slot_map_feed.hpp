#pragma once
#include "frame/slot_map_view.hpp"
#include "pool/inspect/slot_map.hpp"
#include "render/gl/slot_picture.hpp"
#include "sim/core/game_world.hpp"

namespace spellpool::app {

/// Feeds the panel that shows every slot of a pool. Makes the view that the panel requested in its last
/// frame.
/// Cost  nothing while the panel is closed; else one walk of the pool and one texture upload a frame.
/// Needs a GL context.
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
