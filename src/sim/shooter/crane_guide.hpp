#pragma once
#include <array>
#include <memory>
#include <span>

#include "core/state_hash.hpp"
#include "frame/defs/stage_def.hpp"
#include "frame/views/crane_search.hpp"
#include "pool/memory/arena.hpp"

namespace spellpool::sim {

/// A stone that floats down the field. Only cranes fly low enough to meet it.
struct Stone {
  float x = 0, y = 0, radius = 0;
};

/// What a crane knows of its way.
enum class CraneWay : u8 { Path, Straight, Found, Unknown };

/// Rules and counters of the load "stones" (frame::CraneSearch). Plain data: saved with the world, in its hash while
/// it is on.
struct CraneRules {
  frame::CraneSearch mode = frame::CraneSearch::Off;
  u64 searches = 0;     ///< Since it was chosen.
  u64 overflowed = 0;   ///< Searches that the heap served in part.
  u64 ended = 0;        ///< Searches that ended for lack of memory.
  /// The last search that the arena had no room for. Of step 0: none yet.
  u64 last_step = 0;
  u32 last_wanted_bytes = 0, last_free_bytes = 0;

  bool on() const { return mode != frame::CraneSearch::Off; }
  /// Begins to count anew. The same again changes nothing.
  void choose(frame::CraneSearch chosen) {
    if (chosen != mode) *this = {.mode = chosen};
  }
  /// Nothing while off.
  void add_to(StateHash& hash) const;
};

/// Leads cranes round stones: in a straight line where it is clear, else by A* over a grid of kCell units.
///
/// Memory   Open and closed set are std::vectors with an ArenaAllocator. Their arena of kArena_bytes is reset in each
///          step, so all searches of a step share it. A set grows by doubling; what it needs for that is asked of the
///          arena beforehand, so the outcome depends on bytes and not on the library's containers. The arena is made
///          when the load is first on.
/// Full     CraneSearch::Heap: the arena takes more from the heap, and counts it. CraneSearch::Null: the search ends,
///          and the crane flies on blindly: a stone stops it.
/// Source   Hart, Nilsson, Raphael, "A Formal Basis for the Heuristic Determination of Minimum Cost Paths", 1968.
class CraneGuide {
 public:
  static constexpr std::size_t kArena_bytes = 8 * 1024;
  static constexpr float kCell = 20.0f, kReach = 16.0f;  ///< A crane keeps so far from a stone.
  static constexpr float kSpeed = 4.5f;                  ///< Units a step.
  static constexpr float kDrift = 0.5f;                  ///< Of a stone, down, units a step.
  static constexpr i32 kColumns = 30, kRows = 36;
  static constexpr std::size_t kStones = 24;

  /// Where the stones are in this step; `clock` in steps of the stage. Resets the arena.
  void begin_step(const CraneRules& rules, u64 step, u32 clock);
  /// Moves a crane from (x, y) towards its goal by a step.
  CraneWay lead(CraneRules& rules, float& x, float& y, float goal_x, float goal_y);

  std::span<const Stone> stones() const { return stones_; }
  /// Null before the load was first on.
  const pool::FrameArena* arena() const { return arena_.get(); }

 private:
  enum class Outcome : u8 { Found, NoWay, NoMemory };

  bool clear(float x, float y, float to_x, float to_y) const;
  bool inside(float x, float y, float margin) const;
  /// Which cells a stone blocks in this step; computed by its first search.
  void find_blocked();
  bool blocked(i32 cell) const { return blocked_[static_cast<std::size_t>(cell)]; }
  /// The centre of the last cell of the way that can be reached in a straight line.
  Outcome search(CraneRules& rules, float x, float y, float& to_x, float& to_y);
  /// Whether so many more bytes may be taken.
  bool may_take(CraneRules& rules, std::size_t bytes);

  std::unique_ptr<pool::FrameArena> arena_;
  std::array<Stone, kStones> stones_{};
  std::array<bool, static_cast<std::size_t>(kColumns * kRows)> blocked_{};
  bool blocked_known_ = false;  ///< blocked_ is of this step.
  u64 step_ = 0;
};

}  // namespace spellpool::sim
