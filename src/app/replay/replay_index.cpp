#include "app/replay/replay_index.hpp"

#include <algorithm>
#include <chrono>
#include <thread>

#include "app/scene_hooks.hpp"
#include "core/log.hpp"
#include "platform/thread_priority.hpp"
#include "platform/window.hpp"

namespace spellpool::app {

void ReplayIndex::keep_if_due(const sim::GameWorld& world) {
  {
    const std::lock_guard lock(mutex_);
    if (!keyframes_.empty() && world.steps() < keyframes_.back()->steps() + every_) return;
  }
  std::unique_ptr<sim::WorldState> state = world.new_state();
  world.save(*state);
  std::vector<Keyframe> gone;  // freed without the lock
  const std::lock_guard lock(mutex_);
  bytes_ += state->bytes();
  keyframes_.push_back(std::move(state));
  if (bytes_ > kMost_bytes && keyframes_.size() > 1) gone = thin();
}

/// Every other one goes. Returns them.
std::vector<ReplayIndex::Keyframe> ReplayIndex::thin() {
  every_ *= 2;
  std::vector<Keyframe> gone;
  std::size_t kept = 0;
  bytes_ = 0;
  for (std::size_t i = 0; i < keyframes_.size(); ++i) {
    if (i % 2 == 1) {
      gone.push_back(std::move(keyframes_[i]));
      continue;
    }
    bytes_ += keyframes_[i]->bytes();
    if (kept != i) keyframes_[kept] = std::move(keyframes_[i]);
    ++kept;
  }
  keyframes_.resize(kept);
  return gone;
}

ReplayIndex::Keyframe ReplayIndex::before(u64 step) const {
  const std::lock_guard lock(mutex_);
  const auto after =
      std::ranges::upper_bound(keyframes_, step, {}, [](const Keyframe& keyframe) { return keyframe->steps(); });
  return after == keyframes_.begin() ? nullptr : *std::prev(after);
}

u64 ReplayIndex::every_steps() const {
  const std::lock_guard lock(mutex_);
  return every_;
}

std::size_t ReplayIndex::bytes() const {
  const std::lock_guard lock(mutex_);
  return bytes_;
}

ReplayIndexer::ReplayIndexer(std::unique_ptr<sim::GameWorld> world, const sim::Replay& replay,
                             const std::vector<sim::ReplayCommand>& script, ReplayIndex& index)
    : world_(std::move(world)), steps_(replay.inputs.size()) {
  const std::string error = task_.try_start([this, &replay, &script, &index]() -> TaskOutcome {
    platform::lower_thread_priority();
    play(replay, script, index);
    return {};
  });
  runs_ = error.empty();
  // No browser has a thread for it: not worth a warning there.
  if (!runs_)
    log(platform::kInBrowser ? LogLevel::Info : LogLevel::Warning,
        "the replay is not indexed in the background: " + error);
}

ReplayIndexer::~ReplayIndexer() { stop_ = true; }  // task_ waits

void ReplayIndexer::play(const sim::Replay& replay, const std::vector<sim::ReplayCommand>& script, ReplayIndex& index) {
  using Kind = frame::SimCommandKind;
  std::vector<frame::SimCommand> commands;
  std::size_t next = 0;
  const SceneHooks& hooks = scene_hooks(*world_);
  for (u64 step = 0; step < steps_ && !stop_; ++step) {
    while (held_ && !stop_) {
      rests_ = true;
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    rests_ = false;
    index.keep_if_due(*world_);
    commands.clear();
    for (; next < script.size() && script[next].step <= step; ++next) {
      const frame::SimCommand& command = script[next].command;
      if (command.kind != Kind::SetStrategy && command.kind != Kind::SetFill && command.kind != Kind::SetMemory)
        commands.push_back(command);
    }
    world_->step(replay.inputs[step], commands);
    {
      const std::lock_guard lock(marks_mutex_);
      hooks.note_marks(*world_, marks_);
    }
    reached_.store(step + 1, std::memory_order_release);
  }
}

void ReplayIndexer::copy_marks(std::vector<frame::ReplayMark>& into) const {
  const std::lock_guard lock(marks_mutex_);
  into = marks_.all();
}

}  // namespace spellpool::app
