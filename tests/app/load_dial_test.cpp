// The load dial in the game: its keys, what they change, and that a replay carries it.
#include "frame/load.hpp"
#include "played_game.hpp"

namespace spellpool::app {
namespace {

using frame::Load;

class LoadDial : public PlayedGame {
 protected:
  const sim::GameWorld& world() const { return game_->game().session().world(); }
  pool::PoolStats particles() const { return world().pool(frame::PoolId::Particles).stats(); }
  void until_load(const Load& load) {
    for (int i = 0; i < 200 && world().load() != load; ++i) game_->frame();
    EXPECT_EQ(world().load(), load);
  }
};

TEST_F(LoadDial, ItsKeysTurnTheLoadUpAndBackAndSetTheCapacity) {
  open(frame::SceneId::Spells);
  if (IsSkipped()) return;
  const u32 usual = particles().capacity;
  EXPECT_EQ(world().load(), Load{});
  key(SDL_SCANCODE_PERIOD);
  until_load({2, 0, false});
  EXPECT_EQ(particles().capacity, 2 * usual);
  EXPECT_EQ(world().pool(frame::PoolId::Particles).policy(), pool::PolicyId::Reject);
  key(SDL_SCANCODE_PERIOD);
  key(SDL_SCANCODE_MINUS);
  key(SDL_SCANCODE_EQUALS);
  until_load({5, 10, true});
  EXPECT_EQ(particles().capacity, frame::loaded_capacity(usual, {5, 10, true}));
  EXPECT_GT(particles().live, 5'000u) << "the motes have come";
  for (int i = 0; i < 3; ++i) key(SDL_SCANCODE_MINUS);  // 20, 50, none
  key(SDL_SCANCODE_EQUALS);
  key(SDL_SCANCODE_COMMA);
  key(SDL_SCANCODE_COMMA);
  until_load({});
  EXPECT_EQ(particles().capacity, usual);
}

TEST_F(LoadDial, BeyondItsMostItSaysHowManyCouldCome) {
  open(frame::SceneId::Spells);
  if (IsSkipped()) return;
  for (int i = 0; i < 5; ++i) key(SDL_SCANCODE_PERIOD);
  until_load({50, 0, false});
  EXPECT_EQ(particles().capacity, frame::kMostLoadedParticles);
  frames(3);
  const std::string notice = layout()["notice"];
  EXPECT_NE(notice.find("600,000 slots, the dial's maximum (1,200,000 could come)"), std::string::npos)
      << notice;
  key(SDL_SCANCODE_PERIOD);
  EXPECT_EQ(world().load().sparks, 50u) << "there is no more";
}

TEST_F(LoadDial, TheShooterHasItToo) {
  open(frame::SceneId::Shooter);
  if (IsSkipped()) return;
  key(SDL_SCANCODE_MINUS);
  until_load({1, 10, false});
  frames(30);
  EXPECT_GT(particles().live, 5'000u);
}

}  // namespace
}  // namespace spellpool::app
