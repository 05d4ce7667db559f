// From which mode of the window what leads to which, and back.
#include <algorithm>
#include <functional>

#include "../support/patience.hpp"
#include "played_game.hpp"

namespace spellpool::app {
namespace {

using frame::SceneId;

class ModeTransitions : public PlayedGame {
 public:
  struct Step {
    const char* name;
    std::function<void(ModeTransitions&)> act;
  };
  /// `there` leads from one mode to another, and `back` from that one to `home`.
  struct Row {
    ModeId from;
    SceneId scene;
    Step there;
    ModeId to;
    Step back;
    ModeId home;
  };

  ModeId mode() const { return game_->mode(); }
  sim::GameWorld& world() { return const_cast<Game&>(game_->game()).world(); }
  void press(SDL_Scancode code) {
    push_key(code, SDL_KEYDOWN);
    push_key(code, SDL_KEYUP);
  }
  void ask(const std::function<void(frame::PanelRequests&)>& fill) {
    frame::PanelRequests requests;
    fill(requests);
    game_->apply(requests);
  }
  /// Opens the game in this mode, which is one that the options of a start lead to.
  void begin(ModeId mode, SceneId scene) {
    replay_ = mode == ModeId::Replay ? record(scene) : "";
    open(scene, 640, 360, mode == ModeId::Title);
    if (IsSkipped()) return;
    if (mode == ModeId::Stress) press(SDL_SCANCODE_Y);
    until(mode);
  }
  void until(ModeId wanted) {
    for (const test::Patience patience; patience.left() && mode() != wanted;) ASSERT_TRUE(game_->frame());
    ASSERT_EQ(mode(), wanted) << row(mode()).name << " instead of " << row(wanted).name;
  }
  /// Draws some frames, in which the mode must not change.
  void stays(ModeId wanted, int count = 4) {
    for (int i = 0; i < count; ++i) {
      ASSERT_TRUE(game_->frame());
      ASSERT_EQ(mode(), wanted) << row(mode()).name << " instead of " << row(wanted).name;
    }
  }

 protected:
  using PlayedGame::change;
  void change(PlayOptions& options) override { options.input = replay_; }
  std::string record(SceneId scene) {
    SpellLibrary library;
    SessionPlan plan;
    plan.world.scene = scene;
    plan.world.sizes = frame::default_sizes(scene);
    EXPECT_EQ(load_texts(SPELLPOOL_SOURCE_DIR, library, plan.world), "");
    plan.autoplay = plan.record_replay = true;
    Session session(plan, library);
    for (int step = 0; step < 600; ++step) session.step({});
    session.settle();
    test::write_file(scratch_ / "a.replay", session.replay_writer()->text());
    return (scratch_ / "a.replay").string();
  }

  test::ScopedVariable data_{"XDG_DATA_HOME", scratch_.path().string().c_str()};
  std::string replay_;
};

using Step = ModeTransitions::Step;

Step key(const char* name, SDL_Scancode code) {
  return {name, [code](ModeTransitions& game) { game.press(code); }};
}
Step title_item(const char* name, frame::TitleItem item) {
  return {name, [item](ModeTransitions& game) {
            game.ask([item](frame::PanelRequests& r) { r.choose_title = item; });
          }};
}

const Step kEscape = key("Escape", SDL_SCANCODE_ESCAPE);
const Step kQuickAb = key("F8", SDL_SCANCODE_F8);
const Step kSideBySide = key("Z", SDL_SCANCODE_Z);
const Step kStress = key("Y", SDL_SCANCODE_Y);
const Step kContinue = title_item("Continue", frame::TitleItem::Continue);
const Step kArena = title_item("Arena", frame::TitleItem::Arena);
const Step kShooter = title_item("Shooter", frame::TitleItem::Shooter);
const Step kSideBySideItem = title_item("Side by side", frame::TitleItem::SideBySide);
const Step kLearnItem = title_item("Learn", frame::TitleItem::Learn);
const Step kCompare = {"a comparison", [](ModeTransitions& game) {
                         game.ask([](frame::PanelRequests& r) { r.lab.start = true; });
                       }};

const std::array kThereAndBack = {
    ModeTransitions::Row{ModeId::Play, SceneId::Spells, kEscape, ModeId::Title, kContinue, ModeId::Play},
    ModeTransitions::Row{ModeId::Play, SceneId::Spells, kQuickAb, ModeId::QuickAb, kEscape, ModeId::Play},
    ModeTransitions::Row{ModeId::Play, SceneId::Shooter, kQuickAb, ModeId::QuickAb, kEscape, ModeId::Play},
    ModeTransitions::Row{ModeId::Play, SceneId::Spells, kSideBySide, ModeId::SideBySide, kSideBySide,
                         ModeId::Play},
    ModeTransitions::Row{ModeId::Play, SceneId::Shooter, kSideBySide, ModeId::SideBySide, kEscape,
                         ModeId::Play},
    ModeTransitions::Row{ModeId::Play, SceneId::Spells, kCompare, ModeId::Lab, kEscape, ModeId::Play},
    ModeTransitions::Row{ModeId::Play, SceneId::Shooter, kStress, ModeId::Stress, kStress, ModeId::Play},
    ModeTransitions::Row{ModeId::Stress, SceneId::Shooter, kEscape, ModeId::Play, kStress, ModeId::Stress},
    ModeTransitions::Row{ModeId::Title, SceneId::Spells, kArena, ModeId::Play, kEscape, ModeId::Title},
    ModeTransitions::Row{ModeId::Title, SceneId::Spells, kShooter, ModeId::Play, kEscape, ModeId::Title},
    ModeTransitions::Row{ModeId::Title, SceneId::Spells, kSideBySideItem, ModeId::SideBySide, kEscape,
                         ModeId::Title},
    ModeTransitions::Row{ModeId::Title, SceneId::Spells, kLearnItem, ModeId::Learn, kEscape, ModeId::Title},
    ModeTransitions::Row{ModeId::Replay, SceneId::Spells, kQuickAb, ModeId::QuickAb, kEscape, ModeId::Replay},
    ModeTransitions::Row{ModeId::Replay, SceneId::Shooter, kCompare, ModeId::Lab, kEscape, ModeId::Replay},
};

struct Refused {
  ModeId from;
  SceneId scene;
  Step by;
  bool says_why = false;
};
const std::array kRefused = {
    Refused{ModeId::Play, SceneId::Spells, kStress},
    Refused{ModeId::Title, SceneId::Spells, kQuickAb},
    Refused{ModeId::Title, SceneId::Spells, kStress},
    Refused{ModeId::Title, SceneId::Spells, kEscape},     // asks whether to quit
    Refused{ModeId::Title, SceneId::Spells, kContinue},   // there is no game to go on with
    Refused{ModeId::Replay, SceneId::Spells, kSideBySide, true},
    Refused{ModeId::Replay, SceneId::Shooter, kStress},
    Refused{ModeId::Replay, SceneId::Spells, kEscape},
    Refused{ModeId::Stress, SceneId::Shooter, kQuickAb, true},
    Refused{ModeId::Stress, SceneId::Shooter, kSideBySide, true},
    Refused{ModeId::Stress, SceneId::Shooter, kCompare},
};

TEST(ModeTable, EveryModeLeadsSomewhereAndAnInterruptionInterruptsAModeThatPlays) {
  for (const ModeRow& mode : kModes) {
    bool leads = interrupts(mode.id);  // to what it interrupted
    for (const ModeTransition& row : kModeTransitions) {
      EXPECT_FALSE(interrupts(row.from)) << mode.name;
      leads = leads || row.from == mode.id;
    }
    EXPECT_TRUE(leads) << mode.name;
  }
}

TEST(ModeTable, EveryTransitionOfTheTableIsTestedThereAndBack) {
  for (const ModeTransition& row : kModeTransitions) {
    const bool stays = row.from == row.to;  // a stress test begins anew
    const bool at_result =
        row.from == ModeId::Stress && interrupts(row.to);  // takes as long as the machine needs
    bool tested = stays || at_result;
    for (const ModeTransitions::Row& tested_row : kThereAndBack) {
      tested = tested || (tested_row.from == row.from && tested_row.to == row.to) ||
               (tested_row.to == row.from && tested_row.home == row.to);
    }
    EXPECT_TRUE(tested) << app::row(row.from).name << " to " << app::row(row.to).name;
  }
}

class ThereAndBack : public ModeTransitions, public testing::WithParamInterface<ModeTransitions::Row> {};

TEST_P(ThereAndBack, LeadsToTheModeAndHome) {
  const Row& row = GetParam();
  begin(row.from, row.scene);
  if (IsSkipped()) return;
  row.there.act(*this);
  until(row.to);
  stays(row.to);
  row.back.act(*this);
  until(row.home);
  stays(row.home);
  // A second visit finds nothing of the first.
  if (row.home != row.from || row.from == ModeId::Title) return;
  row.there.act(*this);
  until(row.to);
  row.back.act(*this);
  until(row.home);
  EXPECT_EQ(game_->close(), "");
}

INSTANTIATE_TEST_SUITE_P(Table, ThereAndBack, testing::ValuesIn(kThereAndBack), [](const auto& test) {
  std::string name;
  for (const std::string_view part :
       {row(test.param.from).name, row(test.param.to).name, row(test.param.home).name}) {
    name += std::string(part) + "_";
  }
  return name + std::to_string(test.index);
});

class IsRefused : public ModeTransitions, public testing::WithParamInterface<Refused> {};

TEST_P(IsRefused, LeavesTheModeAsItIs) {
  const Refused& row = GetParam();
  begin(row.from, row.scene);
  if (IsSkipped()) return;
  row.by.act(*this);
  bool refuses = false;
  for (int i = 0; i < 6; ++i) {
    stays(row.from, 1);
    const auto clicks = game_->clicks();
    refuses = refuses || std::find(clicks.begin(), clicks.end(), frame::PanelSound::Refuse) != clicks.end();
  }
  EXPECT_TRUE(refuses || !row.says_why) << "it does nothing, and does not say why";
}

INSTANTIATE_TEST_SUITE_P(Table, IsRefused, testing::ValuesIn(kRefused), [](const auto& test) {
  return std::string(row(test.param.from).name) + "_" + std::to_string(test.index);
});

class Interruption : public ModeTransitions, public testing::WithParamInterface<std::size_t> {};

/// Quick A/B, side by side and lab play copies, or nothing: the game goes on where it was.
TEST_P(Interruption, LeavesTheGameAsItWas) {
  constexpr std::array kModesThatInterrupt = {ModeId::QuickAb, ModeId::SideBySide, ModeId::Lab};
  const std::array steps = {kQuickAb, kSideBySide, kCompare};
  begin(ModeId::Play, SceneId::Spells);
  if (IsSkipped()) return;
  key(SDL_SCANCODE_P);
  const u64 step = world().steps(), hash = world().hash();
  steps[GetParam()].act(*this);
  until(kModesThatInterrupt[GetParam()]);
  stays(kModesThatInterrupt[GetParam()], 10);
  kEscape.act(*this);
  until(ModeId::Play);
  stays(ModeId::Play);
  EXPECT_EQ(world().steps(), step);
  EXPECT_EQ(world().hash(), hash);
  key(SDL_SCANCODE_P);
  for (const test::Patience patience; patience.left() && world().steps() == step;) game_->frame();
  EXPECT_GT(world().steps(), step) << "and it goes on";
}

INSTANTIATE_TEST_SUITE_P(Each, Interruption, testing::Range(std::size_t{0}, std::size_t{3}));

/// As in a browser that has lost the graphics context: side by side draws with the renderer that is made anew then.
TEST_F(ModeTransitions, NewGraphicsEndSideBySide) {
  begin(ModeId::Play, SceneId::Spells);
  if (IsSkipped()) return;
  kSideBySide.act(*this);
  until(ModeId::SideBySide);
  stays(ModeId::SideBySide, 10);
  ASSERT_EQ(game_->restore_graphics(), "");
  stays(ModeId::Play, 10);
  kSideBySide.act(*this);
  until(ModeId::SideBySide);
  stays(ModeId::SideBySide, 10);
}

TEST_F(ModeTransitions, ARecordingRefusesSideBySideUntilItEnds) {
  begin(ModeId::Stress, SceneId::Shooter);
  if (IsSkipped()) return;
  // A recording refuses side by side in every mode, and its end allows it again.
  kEscape.act(*this);
  until(ModeId::Play);
  press(SDL_SCANCODE_R);
  frames(2);
  kSideBySide.act(*this);
  stays(ModeId::Play, 6);
  press(SDL_SCANCODE_R);
  frames(2);
  kSideBySide.act(*this);
  until(ModeId::SideBySide);
  kEscape.act(*this);
  until(ModeId::Play);
}

TEST_F(ModeTransitions, TheStressTestDoesNotSleepBetweenTheFramesThatItTimes) {
  begin(ModeId::Stress, SceneId::Shooter);
  if (IsSkipped()) return;
  stays(ModeId::Stress, 30);
  const frame::FrameHistory history = game_->game().recorder().history();
  double least_ms = 1e9;  // from the end of a frame to the next one's begin
  for (std::size_t i = history.count - 10; i < history.count; ++i) {
    const frame::FrameRecord &before = history.at(i - 1), &record = history.at(i);
    const double apart_us = static_cast<double>(record.t_ns - before.t_ns) * 1e-3;
    least_ms = std::min(least_ms, (apart_us - static_cast<double>(record.frame_us)) * 1e-3);  // t_ns is its end
  }
  EXPECT_LT(least_ms, 20.0);
}

TEST_F(ModeTransitions, AClosedWindowEndsEveryMode) {
  for (const Step& step : {kQuickAb, kSideBySide, kCompare}) {
    begin(ModeId::Play, SceneId::Spells);
    if (IsSkipped()) return;
    step.act(*this);
    for (const test::Patience patience; patience.left() && mode() == ModeId::Play;)
      ASSERT_TRUE(game_->frame());
    SDL_Event event{};
    event.type = SDL_QUIT;
    SDL_PushEvent(&event);
    EXPECT_FALSE(game_->frame()) << step.name;
    EXPECT_EQ(game_->close(), "") << step.name;
    close_window();
  }
}

}  // namespace
}  // namespace spellpool::app
