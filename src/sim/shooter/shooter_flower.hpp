#pragma once
#include "sim/shooter/shooter_bullets.hpp"

namespace spellpool::sim {

/// The bullets of "how many bullets?": three endless flowers with as many bullets as a command asks for.
/// Each bullet flies straight, at its petal's speed, until it leaves the field; then another one spawns in a
/// flower's middle. So their number is constant. If the command asks for more, the missing ones appear all
/// over the flowers within a second. If it asks for fewer, some bullets of every part are killed. What
/// happens to a bullet depends only on its spawn id and the step.
/// Cost  O(spawns), and one walk over the bullets in steps that kill some. Allocates nothing.
class BulletFlower {
 public:
  static constexpr u32 kFill_steps = 45;       ///< From none to all, at the fastest.

  BulletFlower();

  const FlightTable& table() const { return table_; }
  void want(u32 count) { wanted_ = count; }
  /// Before the despawn phase: ends those that are too many.
  void thin(Bullets& bullets, u64 step) const;
  /// In the spawn phase: begins as many as are lacking. `left` went in this step.
  void open(Bullets& bullets, u32 left, u64 step);
  void add_to(StateHash& hash) const { hash.add(wanted_, next_); }
  struct State {
    u32 wanted = 0;
    u64 next = 0;
  };
  State state() const { return {wanted_, next_}; }
  void restore(const State& state) {
    wanted_ = state.wanted;
    next_ = state.next;
  }

 private:
  void begin(Bullets& bullets, u64 step, bool anywhere);

  FlightTable table_;
  u32 wanted_ = 0;
  u64 next_ = 0;                ///< Number of the next bullet: says which flower's it is, and where to.
};

}  // namespace spellpool::sim
