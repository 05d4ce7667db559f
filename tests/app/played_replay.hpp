#pragma once
// A replay, played to its end.
#include <memory>
#include <utility>
#include <vector>

#include "app/play/session.hpp"

namespace spellpool::app {

/// `library` as read_replay() has prepared it; `script` are the replay's commands, then.
inline std::unique_ptr<Session> played(const sim::Replay& replay, std::vector<sim::ReplayCommand> script, const SpellLibrary& library) {
  SessionPlan plan;
  plan.world.scene = replay.scene;
  plan.world.difficulty = replay.difficulty;
  plan.world.pools = replay.pools;
  plan.world.seed = replay.seed;
  plan.script = std::move(script);
  plan.replay = replay;
  auto session = std::make_unique<Session>(std::move(plan), library);
  while (!session->finished()) session->step({});
  session->settle();
  return session;
}

}  // namespace spellpool::app
