#pragma once
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "frame/audio_event.hpp"
#include "frame/input_frame.hpp"
#include "frame/load.hpp"
#include "frame/phase.hpp"
#include "frame/render_snapshot.hpp"
#include "frame/scene.hpp"
#include "frame/settings.hpp"
#include "frame/sim_command.hpp"
#include "sim/core/frame_memory.hpp"
#include "sim/core/pool_port.hpp"
#include "sim/core/world_state.hpp"

namespace spellpool::frame {
struct ShooterView;
}

namespace spellpool::sim {

class CraneGuide;
class SlotBudget;
struct CraneRules;
class World;

/// Plays one world by a script. It reads only what the world shows to everybody, so the same seed plays the
/// same game.
class ScriptedPlayer {
 public:
  virtual ~ScriptedPlayer() = default;
  /// Input for the next step of its world: to be called once a step.
  virtual frame::InputFrame next() = 0;
};

/// Makes a scripted player of what has `InputFrame next(const W& world)`.
template <class Player, class W>
class PlayerOf final : public ScriptedPlayer {
 public:
  PlayerOf(Player player, const W& world) : player_(std::move(player)), world_(world) {}
  frame::InputFrame next() override { return player_.next(world_); }

 private:
  Player player_;
  const W& world_;
};

/// A scene as the program plays it, whichever it is: the one place where a call is virtual, a handful of times a
/// frame. No clock, no file, no screen: the same start, commands and inputs give the same hash() after every step,
/// with every pool strategy, compiler and optimisation level, whatever the settings. sim/make_world.hpp makes one.
///
/// Pools   a PoolPort each; a command for a pool that the scene does not have does nothing.
/// Memory  a step allocates for commands alone, and for new objects of pools in `heap`.
/// Threads one owner.
class GameWorld {
 public:
  GameWorld() = default;
  GameWorld(const GameWorld&) = delete;
  GameWorld& operator=(const GameWorld&) = delete;
  virtual ~GameWorld() = default;

  virtual frame::SceneId scene() const = 0;

  /// Advances by 1/60 s. If a frame of this step will be drawn, pass its density as `shown`: then the update
  /// of the particles also writes their instances, and build_snapshot() need not read them again. Without
  /// it, or with another density, build_snapshot() gives the same result and takes longer.
  virtual void step(const frame::InputFrame& input, std::span<const frame::SimCommand> commands,
                    frame::PhaseSink* phases = nullptr, std::optional<frame::Amount> shown = {}) = 0;
  /// What the renderer draws, valid until the next step or build_snapshot() begins. Settings change looks alone: no
  /// step reads anything that is done here.
  virtual const frame::RenderSnapshot& build_snapshot(const frame::LookSettings& looks = {}) = 0;
  /// Sounds of the last step.
  virtual std::span<const frame::AudioEvent> audio_events() const = 0;
  /// Of all that later steps read. Not of what is set from outside (definitions, strategies, policies, capacities),
  /// nor of looks.
  virtual u64 hash() const = 0;
  /// Where this world differs from one of the same scene, by what a saved world consists of: "garden", "rules: mage",
  /// or "".
  virtual std::string_view part_that_differs(const GameWorld& other) const = 0;
  /// How many there have been.
  virtual u64 steps() const = 0;
  /// As commands set it.
  virtual const frame::Load& load() const = 0;
  /// An empty state for save(), of this scene.
  virtual std::unique_ptr<WorldState> new_state() const = 0;
  /// Between two steps. Cost: a copy of what lives.
  virtual void save(WorldState& state) const = 0;
  /// Returns to a state that a world with the same scene and seed saved. Each later step has the hash that it had
  /// after the save, given the same inputs and commands. Sounds of the last step are gone.
  virtual void restore(const WorldState& state) = 0;
  /// What a saved world consists of, in the order of restoration.
  virtual std::span<const std::string_view> parts() const = 0;
  /// Restores all but one of parts(), which stays as it is: for tests, which must notice it.
  virtual void restore_without(const WorldState& state, std::string_view part) = 0;
  /// Plays this world, which outlives it; may take over one that is already running.
  virtual std::unique_ptr<ScriptedPlayer> scripted_player(u64 seed) const = 0;

  /// "" or a line that says why this world does not take a command: step() leaves it out.
  virtual std::string refusal(const frame::SimCommand&) const { return {}; }

  /// The scene's pools, in the order of frame::kPools.
  std::span<const std::unique_ptr<PoolPort>> pools() const { return pools_; }
  /// Null: the scene has no such pool.
  PoolPort* find_pool(frame::PoolId id) const;
  /// One that the scene has.
  PoolPort& pool(frame::PoolId id) const;
  /// That pool remembers where its policy stole, for a slot map; none: no pool does.
  void watch_slots(std::optional<frame::PoolId> id);
  std::optional<frame::PoolId> watched() const { return watched_; }
  /// PoolPort::prewarm() of each pool. No step computes anything else for it.
  bool prewarm(double budget_us);
  virtual const FrameMemory& frame_memory() const = 0;

  // What only one scene has; null in another.
  virtual World* spells_world() { return nullptr; }
  const World* spells_world() const { return const_cast<GameWorld*>(this)->spells_world(); }
  virtual const SlotBudget* slot_budget() const { return nullptr; }
  virtual const CraneRules* crane_rules() const { return nullptr; }
  virtual const CraneGuide* crane_guide() const { return nullptr; }
  /// For the shooter's HUD and screens; valid until the next step.
  virtual const frame::ShooterView* shooter_view() const { return nullptr; }

 protected:
  void add_pool(std::unique_ptr<PoolPort> pool) { pools_.push_back(std::move(pool)); }
  /// At the begin of each step.
  void fade_steals();

 private:
  std::vector<std::unique_ptr<PoolPort>> pools_;
  std::optional<frame::PoolId> watched_;
};

}  // namespace spellpool::sim
