#pragma once
#include "core/rng.hpp"
#include "sim/core/game_world.hpp"
#include "sim/core/world_config.hpp"

namespace spellpool::app {

/// A pool that holds nothing.
class TinyPool final : public sim::PoolPort {
 public:
  TinyPool(frame::PoolId id, const sim::PoolChoice& choice) : PoolPort(id), choice_(choice) {}

  pool::PoolStats stats() const override {
    pool::PoolStats stats;
    stats.capacity = choice_.capacity;
    return stats;
  }
  pool::StrategyId strategy() const override { return choice_.strategy; }
  pool::PolicyId policy() const override { return choice_.policy; }
  bool fills() const override { return false; }
  std::optional<pool::ConsoleHeapStats> console_heap() const override { return {}; }
  void map_slots(u32, pool::SlotMap&) const override {}
  pool::SlotDetail look_at_place(u32) const override { return {}; }
  void map_lines(pool::LineMap&) const override {}
  u32 object_bytes() const override { return 0; }
  std::optional<u32> place_near(float, float, float) const override { return {}; }
  std::span<const frame::SlotField> fields() const override { return {}; }
  void watch_steals(bool) override {}
  void fade_steals() override {}
  void for_each_object(const std::function<bool(u32, std::byte*)>&) override {}
  bool prewarm(double) override { return true; }

 private:
  const sim::PoolChoice& choice_;
};

/// A world of the shooter's scene that does next to nothing: what the program does with any scene can be seen on it.
class TinyWorld final : public sim::GameWorld {
 public:
  explicit TinyWorld(const sim::WorldConfig& start) : config(start), state_(start.seed) {
    for (const frame::PoolName& pool : frame::pools_of(scene())) add_pool(std::make_unique<TinyPool>(pool.id, choice(pool.id)));
  }
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
  std::string_view part_that_differs(const GameWorld& other) const override { return hash() == other.hash() ? "" : "state"; }
  u64 steps() const override { return steps_; }
  std::unique_ptr<sim::WorldState> new_state() const override { return std::make_unique<State>(); }
  void save(sim::WorldState& into) const override {
    State& state = static_cast<State&>(into);
    state.hash = state_;
    state.at = steps_;
  }
  std::span<const std::string_view> parts() const override { return {}; }
  void restore_without(const sim::WorldState& from, std::string_view) override { restore(from); }
  void restore(const sim::WorldState& from) override {
    const State& state = static_cast<const State&>(from);
    state_ = state.hash;
    steps_ = state.at;
  }
  const frame::Load& load() const override { return config.load; }
  std::unique_ptr<sim::ScriptedPlayer> scripted_player(u64 seed) const override {
    return std::make_unique<sim::PlayerOf<Walker, TinyWorld>>(Walker{seed}, *this);
  }
  const sim::FrameMemory& frame_memory() const override { return memory_; }

  sim::WorldConfig config;

 private:
  struct State final : sim::WorldState {
    u64 steps() const override { return at; }
    std::size_t bytes() const override { return 16; }
    u64 hash = 0, at = 0;
  };
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
  sim::FrameMemory memory_{16};
  frame::RenderSnapshot snapshot_;
};

}  // namespace spellpool::app
