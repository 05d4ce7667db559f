#pragma once
#include "core/types.hpp"
#include "frame/input_frame.hpp"

namespace spellpool::sim {

class ShooterWorld;

/// The scripted player of the shooter: --autoplay, comparisons, attract mode. It looks half a second ahead along the
/// bullets' ways, goes where nothing will come and beneath whom it can shoot, takes pickups, and bombs when there is
/// no way out. It reads only what everybody sees, and sums in whole numbers, so that no storage's order changes what
/// it does.
class ShooterAutoplayer {
 public:
  /// Input for the next step of `world`: to be called once a step.
  frame::InputFrame next(const ShooterWorld& world);

 private:
  struct Goal {
    float x = 0, y = 230;
  };
  Goal goal(const ShooterWorld& world) const;

  u32 wait_steps_ = 0;
  u32 choice_ = 0;              // the way that was taken last
  u32 hold_steps_ = 0;          // before another is thought of
};

}  // namespace spellpool::sim
