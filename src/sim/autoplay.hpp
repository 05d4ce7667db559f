#pragma once
#include "sim/world.hpp"

namespace spellpool::sim {

/// The scripted player of --autoplay, comparisons and attract mode: walks a slow round, turns from target to target and
/// casts all spells in turn. Reads the world's steps and targets only, so the same seed plays the same game.
class Autoplayer {
 public:
  explicit Autoplayer(u64 seed) : rng_(mix64(seed ^ 0x6175746full)) {}
  frame::InputFrame next(const World& world);

 private:
  Rng rng_;
  float aim_x_ = 200, aim_y_ = 0;
  u32 target_ = 0;
};

}  // namespace spellpool::sim
