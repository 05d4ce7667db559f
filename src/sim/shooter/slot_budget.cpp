#include "sim/shooter/slot_budget.hpp"

#include <algorithm>

namespace spellpool::sim {

using frame::PoolId;
using frame::SlotSharing;

static_assert(
    [] {
      u32 slots = 0;
      for (const SlotBudget::Share& share : SlotBudget::kShares) slots += share.slots;
      return slots == frame::kSharedSlots;
    }(),
    "both ways have the same slots");

void SlotBudget::choose(SlotSharing sharing) {
  if (sharing == sharing_) return;
  sharing_ = sharing;
  refused_ = {};
  last_ = {};
}

u32 SlotBudget::taken() const {
  u32 taken = 0;
  for (const Share& share : kShares) taken += live_[static_cast<std::size_t>(share.pool)];
  return taken;
}

u32 SlotBudget::room(PoolId pool) const {
  if (!on() || !applies_) return ~u32{0};
  u32 slots = frame::kSharedSlots, used = taken();
  if (sharing_ == SlotSharing::Separate) {
    const auto share = std::find_if(kShares.begin(), kShares.end(), [&](const Share& one) { return one.pool == pool; });
    if (share == kShares.end()) return ~u32{0};
    slots = share->slots;
    used = live_[static_cast<std::size_t>(pool)];
  }
  return slots - std::min(slots, used);
}

bool SlotBudget::take(PoolId pool) {
  if (room(pool) == 0) {
    refuse(pool, 1);
    if (pool == PoolId::Enemies) last_ = {step_ + 1, taken(), live_[static_cast<std::size_t>(PoolId::Particles)]};
    return false;
  }
  take_anyway(pool);
  return true;
}

void SlotBudget::add_to(StateHash& hash) const {
  if (!on()) return;
  hash.add(sharing_);
  for (const u64 refused : refused_) hash.add(refused);
}

}  // namespace spellpool::sim
