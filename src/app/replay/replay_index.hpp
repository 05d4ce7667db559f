#pragma once
#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

#include "app/background_task.hpp"
#include "app/replay/replay_marks.hpp"
#include "sim/core/game_world.hpp"
#include "sim/replay/replay.hpp"

namespace spellpool::app {

/// Keyframes of a replay that is watched: a jump restores the one before its target and plays from there. With more
/// than kMost_bytes every other one goes, and from then on they are twice as far apart.
/// Threads  one keeps, any may ask. A keyframe stays valid for those that hold it, also when it goes.
class ReplayIndex {
 public:
  static constexpr std::size_t kMost_bytes = std::size_t{96} << 20;
  using Keyframe = std::shared_ptr<const sim::WorldState>;

  /// Between two steps: takes a keyframe if one is due.
  void keep_if_due(const sim::GameWorld& world);
  /// The last keyframe that is not after `step`; null if there is none.
  Keyframe before(u64 step) const;
  /// From keyframe to keyframe.
  u64 every_steps() const;
  std::size_t bytes() const;

 private:
  std::vector<Keyframe> thin();

  mutable std::mutex mutex_;
  std::vector<Keyframe> keyframes_;  // by rising step
  u64 every_ = 150;
  std::size_t bytes_ = 0;
};

/// Plays a replay in a world of its own on a thread of its own, and keeps keyframes and marks: then no jump plays
/// more than the steps between two keyframes.
/// Memory   the index, and one more world.   Cost  one processor at a low priority, once: a replay's steps at full
///          speed.
/// Threads  its owner's, and the one that it starts. Its destructor ends that one within a step.
class ReplayIndexer {
 public:
  /// Replay, script (by rising step) and index outlive it; nothing else changes them. `world` stands before the first
  /// step.
  ReplayIndexer(std::unique_ptr<sim::GameWorld> world, const sim::Replay& replay,
                const std::vector<sim::ReplayCommand>& script, ReplayIndex& index);
  ~ReplayIndexer();
  ReplayIndexer(const ReplayIndexer&) = delete;
  ReplayIndexer& operator=(const ReplayIndexer&) = delete;

  /// False: no thread could be started, so nothing is indexed.
  bool runs() const { return runs_; }
  /// While something is measured it waits.
  void hold(bool on) { held_ = on; }
  /// It waits because of hold(): no step is under way.
  bool rests() const { return rests_; }
  /// Steps that have been played.
  u64 reached() const { return reached_; }
  bool done() const { return reached_ == steps_; }
  /// Writes the marks found so far; allocates nothing where there is room for ReplayMarks::kMost.
  void copy_marks(std::vector<frame::ReplayMark>& into) const;

 private:
  void play(const sim::Replay& replay, const std::vector<sim::ReplayCommand>& script, ReplayIndex& index);

  std::unique_ptr<sim::GameWorld> world_;
  u64 steps_;
  bool runs_ = false;
  std::atomic<u64> reached_{0};
  std::atomic<bool> held_{false}, rests_{false}, stop_{false};
  mutable std::mutex marks_mutex_;
  ReplayMarks marks_;
  BackgroundTask task_;
};

}  // namespace spellpool::app
