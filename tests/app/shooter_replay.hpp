#pragma once
// Short stages for those who play a whole one, and what a recorded game was, step by step.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "app/play/session.hpp"
#include "sim/shooter/shooter.hpp"

namespace spellpool::app {

/// Lanterns all over the field, for whoever shoots; then a boss who harms nobody.
inline constexpr const char* kQuickStage = R"(title = "A short night"
[[wave]]
at_s = 0.2
kind = "lantern"
count = 19
every_s = 0
step_x = 30
path = [[-270, -400], [-270, -200, 0.5], [-270, -200, 5], [-270, -420, 0.5]]
[[boss]]
at_s = 2
kind = "moth"
title = "Moth"
[[boss.phase]]
title = "Sleep"
patterns = ["dust"]
path = [[0, -220]]
health = 1
time_s = 5
[[wave]]
at_s = 2.5
kind = "lantern"
path = [[200, -400], [200, -380, 0.1]]
)";
inline constexpr const char* kDust = R"([[shot]]
form = "fan"
angle_turns = 0.75
every_s = 2
)";
/// A drum whose bullets nobody survives; it leaves soon after the ships are gone.
inline constexpr const char* kDeadlyStage = R"(title = "A short night"
[[wave]]
at_s = 0.2
kind = "drum"
health = 100
path = [[0, -300], [0, -300, 17], [0, -420, 0.5]]
pattern = "flood"
fire_s = 0.3
)";
inline constexpr const char* kFlood = R"([[shot]]
form = "wall"
every_s = 0.3
count = 12
spacing = 60
size = 60
hit_size = 60
speed = 600
)";

/// After a step.
struct Moment {
  frame::InputFrame input;
  frame::ShooterView view;  ///< Its texts are gone.
  float x = 0, y = 0;       ///< The ship's.
};

inline std::vector<Moment> play_again(const std::string& replay_path, const std::string& data_dir) {
  SpellLibrary library;
  SessionPlan plan;
  plan.replay.emplace();
  if (const std::string error = read_replay(replay_path, data_dir, *plan.replay, library, plan.script); !error.empty()) {
    ADD_FAILURE() << error;
    return {};
  }
  plan.world.scene = plan.replay->scene;
  plan.world.difficulty = plan.replay->difficulty;
  plan.world.preset = plan.replay->preset;
  plan.world.seed = plan.replay->seed;
  plan.world.sizes = frame::default_sizes(plan.world.scene);
  const std::vector<frame::InputFrame> inputs = plan.replay->inputs;
  Session session(std::move(plan), library);
  const auto* world = dynamic_cast<const sim::ShooterWorld*>(&session.world());
  std::vector<Moment> moments;
  for (const frame::InputFrame& input : inputs) {
    session.step({});
    moments.push_back({input, *world->shooter_view(), world->ship().x(), world->ship().y()});
  }
  session.settle();
  EXPECT_FALSE(session.first_difference());
  return moments;
}

/// In the order in which they came.
inline std::vector<frame::ShooterState> states_of(const std::vector<Moment>& moments) {
  std::vector<frame::ShooterState> states;
  for (const Moment& moment : moments) {
    if (states.empty() || states.back() != moment.view.state) states.push_back(moment.view.state);
  }
  return states;
}

inline auto first_of(const std::vector<Moment>& moments, frame::ShooterState state) {
  return std::find_if(moments.begin(), moments.end(), [state](const Moment& moment) { return moment.view.state == state; });
}

}  // namespace spellpool::app
