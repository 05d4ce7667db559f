#pragma once
#include "pool/policy.hpp"

namespace spellpool::pool {

/// The places where a policy has stolen a slot lately: one byte a place, kept only while watch_steals() asks for it.
class StealMarks final : public SlotListener {
 public:
  static constexpr u8 kShown = 6;  ///< Calls of fade() until a mark is gone: a tenth of a second of the game.
  static const void* kind_id() {
    static const char id = 0;
    return &id;
  }

  SPELLPOOL_APART StealMarks() : SlotListener(kind_id(), false) {}
  void resized(u32 slots) override {
    if (slots > left_.size()) left_.resize(slots);
  }
  void stolen(u32 place) override { left_[place] = longest_ = kShown; }
  u64 bytes() const override { return left_.bytes(); }
  SPELLPOOL_APART void fade() {
    if (longest_ == 0) return;  // nothing is marked
    --longest_;
    for (u8& left : left_) left = static_cast<u8>(left - (left > 0 ? 1 : 0));
  }
  /// For a map of the pool: marks in cells[place], and returns how many.
  SPELLPOOL_APART u32 mark(u8* cells, u32 places, u8 with) const {
    u32 marked = 0;
    for (u32 place = 0; place < places; ++place) {
      if (!at(place)) continue;
      cells[place] |= with;
      ++marked;
    }
    return marked;
  }
  bool at(u32 place) const { return place < left_.size() && left_[place] > 0; }

 private:
  Table<u8> left_;
  u8 longest_ = 0;
};

/// Remembers, while a picture of the pool is shown, at which places the policy stole; fade_steals() once a step.
template <class P>
void watch_steals(P& pool, bool on) {
  if (on == (pool.template listener<StealMarks>() != nullptr)) return;
  if (on) {
    pool.attach(new StealMarks);
  } else {
    pool.template detach<StealMarks>();
  }
}
template <class P>
void fade_steals(P& pool) {
  if (StealMarks* marks = pool.template listener<StealMarks>()) marks->fade();
}
template <class P>
bool watches_steals(const P& pool) {
  return pool.template listener<StealMarks>() != nullptr;
}
template <class P>
bool stolen_lately(const P& pool, u32 place) {
  const StealMarks* marks = pool.template listener<StealMarks>();
  return marks && marks->at(place);
}

}  // namespace spellpool::pool
