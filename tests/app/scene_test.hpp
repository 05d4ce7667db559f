#pragma once
// Tests that play a session in each scene, with the project's own spells and stages.
#include <gtest/gtest.h>

#include <string>

#include "app/play/session.hpp"

namespace spellpool::app {

class SceneTest : public ::testing::TestWithParam<frame::SceneId> {
 protected:
  void SetUp() override {
    ASSERT_EQ(library_.load(SPELLPOOL_SOURCE_DIR), "");
    ASSERT_EQ(library_.stages().load(SPELLPOOL_SOURCE_DIR), "");
    plan_.world.scene = GetParam();
    plan_.world.sizes = frame::default_sizes(GetParam());
  }
  /// What plays the replay that a session has recorded so far.
  static SessionPlan replay_of(Session& recorded) {
    recorded.settle();
    SessionPlan plan;
    plan.world = recorded.options();
    sim::ReplayResult parsed = sim::parse_replay(recorded.replay_writer()->text());
    EXPECT_TRUE(parsed.replay) << parsed.error;
    if (!parsed.replay) return plan;
    plan.script = parsed.replay->commands;
    plan.replay = std::move(parsed.replay);
    return plan;
  }

  SpellLibrary library_;
  SessionPlan plan_;
};

inline auto both_scenes() { return ::testing::Values(frame::SceneId::Spells, frame::SceneId::Shooter); }
inline std::string scene_name(const ::testing::TestParamInfo<frame::SceneId>& scene) {
  return std::string(frame::kScenes[static_cast<std::size_t>(scene.param)].name);
}

}  // namespace spellpool::app
