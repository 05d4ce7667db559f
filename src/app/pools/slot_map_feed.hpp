#pragma once
#include <array>

#include "frame/views/slot_map_view.hpp"
#include "pool/inspect/slot_map.hpp"
#include "render/gl/slot_picture.hpp"
#include "render/view.hpp"
#include "sim/core/game_world.hpp"

namespace spellpool::app {

/// Feeds the panel that shows every slot of a pool. Makes the view that the panel requested in its last
/// frame. It only reads the pool, so the world's hash never depends on it.
/// Cost  nothing while the panel is closed; else a frame costs one walk of the pool, a second one while the
/// pointer is in the game, and one texture upload. Needs a GL context.
class SlotMapFeed {
 public:
  /// What the frame shows of the world, and at which time between the last two steps.
  struct Eye {
    render::View view;
    float alpha = 1;
  };
  /// The view's spans point into the feed until the next call.
  const frame::SlotMapView& view(sim::GameWorld& world, const frame::SlotMapRequest& request, const Eye& eye);

 private:
  static constexpr u32 kNextShown = 48;

  struct Spot {
    bool seen = false;
    float x_px = 0, y_px = 0;
  };
  Spot spot_of(const pool::SlotDetail& detail, const Eye& eye) const;
  u32 find_pointed(const sim::PoolPort& pool, const frame::SlotMapRequest& request, const Eye& eye);
  void fill_window(const sim::PoolPort& pool, u32 first, const Eye& eye);

  pool::SlotMap map_;
  pool::SlotDetail detail_;
  std::array<frame::SlotCell, frame::kSlotWindow> window_{};
  std::span<const frame::SlotField> fields_;
  u32 followed_ = pool::kNoSlot;  ///< The slot that was pointed at last,
  u64 followed_generation_ = 0;   ///< and whose object it held.
  render::SlotPicture picture_;
  frame::SlotMapView view_;
};

}  // namespace spellpool::app
