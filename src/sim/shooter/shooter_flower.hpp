#pragma once
#include "sim/shooter/shooter_bullets.hpp"

namespace spellpool::sim {

/// The bullets of "how many bullets?": three flowers that open for ever, as full as a command asks for. Each bullet flies straight, at a
/// speed of its petal's, until it leaves the field; then the next one begins in a flower's middle. So their number stands still while
/// they come and go. Where more are wanted, those that are lacking appear all over the flowers, within a second; where fewer, some of all
/// end. Whatever happens to a bullet depends on its spawn id and the step alone.
/// Cost  O(births), and one walk of the bullets in steps that end some. Allocates nothing.
class BulletFlower {
 public:
  static constexpr u32 kFill_steps = 45;       ///< From none to all, at the fastest.

  BulletFlower();

  const FlightTable& table() const { return table_; }
  void want(u32 count) { wanted_ = count; }
  u32 wanted() const { return wanted_; }
  /// Before the despawn phase: ends those that are too many.
  void thin(Bullets& bullets, u64 step) const;
  /// In the spawn phase: begins as many as are lacking. `left` went in this step.
  void open(Bullets& bullets, u32 left, u64 step);
  void add_to(StateHash& hash) const { hash.add(wanted_).add(next_); }

 private:
  void begin(Bullets& bullets, u64 step, bool anywhere);

  FlightTable table_;
  u32 wanted_ = 0;
  u64 next_ = 0;                ///< Number of the next bullet: says which flower's it is, and where to.
};

}  // namespace spellpool::sim
