#pragma once
#include "core/rng.hpp"
#include "sim/core/game_world.hpp"
#include "sim/core/world_config.hpp"

namespace spellpool::app {

/// A world of the shooter's scene that does next to nothing: what the program does with any scene can be seen on it.
class TinyWorld final : public sim::GameWorld {
 public:
  explicit TinyWorld(const sim::WorldConfig& start) : config(start), state_(start.seed) {}
  static std::unique_ptr<GameWorld> make(const sim::WorldConfig& start) { return std::make_unique<TinyWorld>(start); }

  frame::SceneId scene() const override { return frame::SceneId::Shooter; }
  void step(const frame::InputFrame& input, std::span<const frame::SimCommand> commands, frame::PhaseSink*, std::optional<frame::Amount>) override {
    for (const frame::SimCommand& command : commands) {
      if (command.kind == frame::SimCommandKind::SetStrategy) choice(command.pool).strategy = static_cast<pool::StrategyId>(command.choice);
    }
    state_ = mix64(state_ + static_cast<u8>(input.move_x) + 256u * input.buttons);
    ++steps_;
  }
  const frame::RenderSnapshot& build_snapshot(const frame::LookSettings&) override { return snapshot_; }
  std::span<const frame::AudioEvent> audio_events() const override { return {}; }
  u64 hash() const override { return state_; }
  u64 steps() const override { return steps_; }
  std::unique_ptr<sim::ScriptedPlayer> scripted_player(u64 seed) const override {
    return std::make_unique<sim::PlayerOf<Walker, TinyWorld>>(Walker{seed}, *this);
  }
  pool::PoolStats pool_stats(frame::PoolId id) const override {
    pool::PoolStats stats;
    stats.capacity = config.pools[static_cast<std::size_t>(id)].capacity;
    return stats;
  }
  pool::StrategyId strategy(frame::PoolId id) const override { return config.pools[static_cast<std::size_t>(id)].strategy; }
  pool::PolicyId policy(frame::PoolId id) const override { return config.pools[static_cast<std::size_t>(id)].policy; }
  void map_slots(frame::PoolId, u32, pool::SlotMap&) const override {}
  pool::SlotDetail look_at_place(frame::PoolId, u32) const override { return {}; }
  std::span<const frame::SlotField> slot_fields(frame::PoolId) const override { return {}; }
  void watch_slots(std::optional<frame::PoolId> id) override { watched_ = id; }
  std::optional<frame::PoolId> watched() const override { return watched_; }
  bool fills(frame::PoolId) const override { return false; }
  bool prewarm(double) override { return true; }
  const sim::FrameMemory& frame_memory() const override { return memory_; }
  std::optional<pool::ConsoleHeapStats> console_heap() const override { return {}; }

  sim::WorldConfig config;

 private:
  struct Walker {
    u64 seed;
    frame::InputFrame next(const TinyWorld& world) {
      frame::InputFrame input;
      input.move_x = static_cast<i8>(mix64(seed ^ world.steps() / 3) & 127u);
      return input;
    }
  };
  sim::PoolChoice& choice(frame::PoolId id) { return config.pools[static_cast<std::size_t>(id)]; }

  u64 state_, steps_ = 0;
  std::optional<frame::PoolId> watched_;
  sim::FrameMemory memory_{16};
  frame::RenderSnapshot snapshot_;
};

}  // namespace spellpool::app
