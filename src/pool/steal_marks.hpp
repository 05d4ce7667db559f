#pragma once
#include <vector>

#include "core/types.hpp"

namespace spellpool::pool {

/// Where a policy has ended somebody lately: one byte a place, kept only while somebody looks (Pool::watch_steals).
class StealMarks {
 public:
  static constexpr u8 kShown = 6;  ///< Calls of fade() until a mark is gone: a tenth of a second of the game.

  void resize(u32 places) { left_.resize(places); }
  void mark(u32 place) { left_[place] = longest_ = kShown; }
  void fade() {
    if (longest_ == 0) return;  // nothing is marked
    --longest_;
    for (u8& left : left_) left = static_cast<u8>(left - (left > 0 ? 1 : 0));
  }
  bool at(u32 place) const { return place < left_.size() && left_[place] > 0; }
  u64 bytes() const { return left_.capacity(); }

 private:
  std::vector<u8> left_;
  u8 longest_ = 0;
};

}  // namespace spellpool::pool
