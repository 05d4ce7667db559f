#pragma once
#include "frame/sim_command.hpp"
#include "pool/strategy.hpp"

namespace spellpool::sim {

/// What a command asks of a pool, done to whatever has a pool's switches: the pool itself, or a system around it.
/// Commands of other kinds do nothing.
template <class Switched>
void turn_switch(Switched& switched, const frame::SimCommand& command) {
  switch (command.kind) {
    case frame::SimCommandKind::SetStrategy:
      (void)switched.set_strategy(static_cast<pool::StrategyId>(command.choice));
      break;
    case frame::SimCommandKind::SetPolicy:
      (void)switched.set_policy(static_cast<pool::PolicyId>(command.choice));
      break;
    case frame::SimCommandKind::SetCapacity:
      (void)switched.set_capacity(command.capacity);
      break;
    case frame::SimCommandKind::Trim:
      switched.trim(command.capacity);
      break;
    case frame::SimCommandKind::SetFill:
      (void)switched.set_fill(command.choice != 0);
      break;
    case frame::SimCommandKind::SetSpell:
    case frame::SimCommandKind::SetMemory:
    case frame::SimCommandKind::SetStage:
    case frame::SimCommandKind::SetStress:
    case frame::SimCommandKind::SetLoad:
    case frame::SimCommandKind::SetChurn:
    case frame::SimCommandKind::SetHeapAge:
    case frame::SimCommandKind::SetConsole:
    case frame::SimCommandKind::SetSharing:
    case frame::SimCommandKind::SetCranes:
    case frame::SimCommandKind::SetForgetful:
    case frame::SimCommandKind::SetArena:
      break;
  }
}

}  // namespace spellpool::sim
