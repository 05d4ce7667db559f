#pragma once
#include <array>

#include "core/state_hash.hpp"
#include "frame/sim_command.hpp"
#include "frame/views/slot_sharing.hpp"

namespace spellpool::sim {

/// Who gets a slot while few are left (frame::SlotSharing): decides before the pools themselves do. `Shared` is what
/// one pool for all kinds would decide: its slots are counted together. `Separate` is what a pool for each kind would
/// decide with the same number of slots. Plain data, part of the rules: saved with the world, in its hash while it is
/// on.
class SlotBudget {
 public:
  struct Share {
    frame::PoolId pool;
    u32 slots;
  };
  /// Of the separate pools. The garden's chunks are no part of it: the scenery is there first.
  static constexpr std::array kShares = {Share{frame::PoolId::Particles, 500}, Share{frame::PoolId::Bullets, 250},
                                         Share{frame::PoolId::Shots, 100},     Share{frame::PoolId::Enemies, 60},
                                         Share{frame::PoolId::Pickups, 50},    Share{frame::PoolId::Texts, 40}};

  /// An enemy that got no slot.
  struct Loss {
    u64 step = 0;
    u32 taken = 0, sparks = 0;  ///< Slots in use, and how many of them by sparks.
  };

  /// Begins to count anew. The same again changes nothing.
  void choose(frame::SlotSharing sharing);
  frame::SlotSharing sharing() const { return sharing_; }
  bool on() const { return sharing_ != frame::SlotSharing::Off; }

  /// `applies` false: in this step everything gets a slot.
  void begin_step(u64 step, bool applies) {
    step_ = step;
    applies_ = applies;
  }
  void note(frame::PoolId pool, u32 live) { live_[static_cast<std::size_t>(pool)] = live; }
  /// How many more of this kind get a slot.
  u32 room(frame::PoolId pool) const;
  /// A slot for one more. False: it gets none, which is counted.
  bool take(frame::PoolId pool);
  /// For one without which the game cannot go on.
  void take_anyway(frame::PoolId pool) { ++live_[static_cast<std::size_t>(pool)]; }
  /// So many got none, of those that were not asked for one by one.
  void refuse(frame::PoolId pool, u64 count) { refused_[static_cast<std::size_t>(pool)] += count; }

  u32 taken() const;
  u64 refused(frame::PoolId pool) const { return refused_[static_cast<std::size_t>(pool)]; }
  /// The last one. Of step 0: none yet.
  const Loss& last_loss() const { return last_; }
  /// Nothing while off.
  void add_to(StateHash& hash) const;

 private:
  frame::SlotSharing sharing_ = frame::SlotSharing::Off;
  bool applies_ = true;
  u64 step_ = 0;
  std::array<u32, frame::kPoolCount> live_{};
  std::array<u64, frame::kPoolCount> refused_{};
  Loss last_;
};

}  // namespace spellpool::sim
