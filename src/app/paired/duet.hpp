#pragma once
// The two worlds of a duet and their clock. The worlds differ only in the strategy of their pools. They are
// stepped in turns with the same inputs.
//
//   while (!duet.differs_at()) {
//     duet.step(by_hand or nothing, density);                    // both worlds, each timed
//     for (std::size_t side : duet.order())                      // the world stepped first is drawn first
//       duet.drew(side, time of drawing duet.world(side));       // omitted when headless
//     duet.end_step();                                           // records; compares hashes once a second
//   }
//   duet.check();                                                // compares the final hashes
//
// Only world().step() is timed. Choosing the input, hashing, recording and drawing are not.
// Memory   both worlds, and 104 bytes a step.   Threads  one.
#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "measure/experiment/duet_record.hpp"
#include "measure/record/phase_clock.hpp"
#include "measure/record/timeline.hpp"
#include "sim/core/game_world.hpp"
#include "sim/core/world_config.hpp"

namespace spellpool::app {

struct DuetPlan {
  std::array<pool::StrategyId, 2> strategies{pool::StrategyId::Heap, pool::StrategyId::FreeList};
  std::optional<u8> showcase;    ///< The script casts this spell alone.
  u64 plant_difference = 0;      ///< In this step B loses a particle, which has to be found out. 0: never.
  u64 expected_steps = 36'000;   ///< Room to take beforehand.
  const sim::WorldState* from = nullptr;  ///< Of a world with the same scene and seed, to begin there; read by the constructor. Null: the first step.
};

/// This load, with room for it. With more than the usual one a full pool rejects, as the load dial has it.
void apply_load(sim::WorldConfig& config, const frame::Load& load);

class Duet {
 public:
  /// Between two looks at both hashes.
  static constexpr u64 kHashEvery_steps = 60;

  /// Worlds like `like`, but with their own strategy in every pool. Some 10 ms. `now`: the clock that times the steps.
  Duet(const sim::WorldConfig& like, const DuetPlan& plan, measure::ClockNs now = measure::steady_now_ns);

  /// One step of both. The script plays where `by_hand` is null; it plays on from wherever a hand has left the world.
  /// `shown`: as GameWorld::step has it.
  void step(const frame::InputFrame* by_hand, std::optional<frame::Amount> shown = {});
  /// The load of both from the next step on, with room for it; room that is there already stays.
  void set_load(const frame::Load& load);
  const frame::Load& load() const { return config_.load; }
  /// Adds to the load; stays as it is.
  sim::PresetId preset() const { return config_.preset; }
  u32 particle_capacity() const { return config_.pools[static_cast<std::size_t>(frame::PoolId::Particles)].capacity; }
  /// The next step is recorded event by event, in both worlds. What that takes is in that step's times.
  void record_timelines();
  frame::TimelineView timelines() const;
  /// Of the last step: who came first.
  std::array<std::size_t, 2> order() const { return {first_, 1 - first_}; }
  void drew(std::size_t side, float us) { now_playing_.draw_us[side] = us; }
  /// False: the worlds differ, and no further step may come.
  bool end_step();
  /// Compares both hashes now. False: the worlds differ, and no further step may come.
  bool check();

  sim::GameWorld& world(std::size_t side) { return *worlds_[side]; }
  pool::StrategyId strategy(std::size_t side) const { return plan_.strategies[side]; }
  u64 steps() const { return worlds_[0]->steps(); }
  /// Steps after which the hashes were last seen to be equal, and that hash.
  u64 equal_steps() const { return equal_steps_; }
  u64 equal_hash() const { return equal_hash_; }
  /// The step after which they were seen to differ; 0: they were not.
  u64 differs_at() const { return differs_at_; }
  const measure::DuetRecord& record() const { return record_; }

 private:
  sim::WorldConfig config_;
  DuetPlan plan_;
  measure::ClockNs now_;
  std::array<std::unique_ptr<sim::GameWorld>, 2> worlds_;
  std::unique_ptr<sim::ScriptedPlayer> script_;   // looks at A; B gets the same inputs, whatever becomes of it
  std::array<std::vector<frame::SimCommand>, 2> commands_;  // for the next step
  bool hand_played_ = false;
  bool planted_ = false;
  std::size_t first_ = 0;
  std::array<std::unique_ptr<measure::Timeline>, 2> timelines_;  // made when they are first asked for
  bool timelines_wait_ = false;
  frame::DuetStep now_playing_;
  measure::DuetRecord record_;
  u64 equal_steps_ = 0, equal_hash_ = 0, differs_at_ = 0;
};

}  // namespace spellpool::app
