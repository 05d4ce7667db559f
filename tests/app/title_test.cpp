// The title screen, what it opens, and how every mode comes back to it.
#include <filesystem>
#include <fstream>

#include "../support/patience.hpp"
#include "app/options.hpp"
#include "played_game.hpp"
#include "sim/spells/world.hpp"
#include "window_program.hpp"

namespace spellpool::app {
namespace {

class TitleScreen : public PlayedGame {
 protected:
  void open_title() { open(frame::SceneId::Spells, 640, 360, true); }
  const sim::GameWorld& world() const { return game_->game().session().world(); }
  bool autoplays() const { return game_->game().session().autoplay(); }
  void choose(frame::TitleItem item) {
    frame::PanelRequests requests;
    requests.choose_title = item;
    game_->apply(requests);
  }
  void until(const char* part, bool there = true) {
    for (const test::Patience patience; patience.left() && shows(part) != there;) game_->frame();
    EXPECT_EQ(shows(part), there) << part;
  }
};

TEST_F(TitleScreen, PlaysADemoBehindItsMenu) {
  open_title();
  if (IsSkipped()) return;
  until("title");
  EXPECT_FALSE(shows("spell_bar") || shows("chip")) << "nothing of a game that is not the player's";
  EXPECT_TRUE(autoplays());
  const u64 steps = world().steps();
  while (world().steps() < steps + 5) ASSERT_TRUE(game_->frame());
}

TEST_F(TitleScreen, KeysBeginAGameOfThePlayersOwn) {
  open_title();
  if (IsSkipped()) return;
  until("title");
  key(SDL_SCANCODE_RETURN);
  until("title", false);
  EXPECT_FALSE(autoplays());
  EXPECT_EQ(world().scene(), frame::SceneId::Spells);
  EXPECT_EQ(world().pool(frame::PoolId::Particles).policy(), sim::default_policy(frame::PoolId::Particles));
}

TEST_F(TitleScreen, DownChoosesTheShooterAndArenaComesBack) {
  open_title();
  if (IsSkipped()) return;
  until("title");
  key(SDL_SCANCODE_DOWN);
  key(SDL_SCANCODE_RETURN);
  until("title", false);
  ASSERT_NE(shooter(), nullptr);
  EXPECT_EQ(shooter()->state, frame::ShooterState::Title);
  key(SDL_SCANCODE_ESCAPE);
  until("title");
  EXPECT_EQ(shooter(), nullptr) << "the demo plays in the arena";
  key(SDL_SCANCODE_DOWN);  // from Continue to Arena
  key(SDL_SCANCODE_RETURN);
  until("title", false);
  EXPECT_EQ(world().scene(), frame::SceneId::Spells);
}

TEST_F(TitleScreen, EscapeKeepsTheGameAsItIs) {
  open(frame::SceneId::Spells);
  if (IsSkipped()) return;
  frames(20);
  key(SDL_SCANCODE_TAB);
  key(SDL_SCANCODE_P);
  const u64 steps = world().steps(), hash = world().hash();
  ASSERT_EQ(world().pool(frame::PoolId::Particles).strategy(), pool::StrategyId::Heap);
  key(SDL_SCANCODE_ESCAPE);
  until("title");
  EXPECT_NE(world().hash(), hash);
  frames(10);
  choose(frame::TitleItem::Continue);
  EXPECT_EQ(world().steps(), steps);
  EXPECT_EQ(world().hash(), hash);
  EXPECT_EQ(world().pool(frame::PoolId::Particles).strategy(), pool::StrategyId::Heap);
  EXPECT_FALSE(autoplays());
}

TEST_F(TitleScreen, ASpellThatIsSavedMeanwhileReachesTheGameThatWaits) {
  watched_ = {scratch_ / "firebolt.toml"};
  const std::string text = test::read_file(std::filesystem::path(SPELLPOOL_SOURCE_DIR) / "assets/spells/firebolt.toml");
  std::ofstream(watched_.front()) << text;
  open(frame::SceneId::Spells);
  if (IsSkipped()) return;
  const auto cooldown_s = [this] { return world().spells_world()->spells()[0]->cooldown_s; };
  key(SDL_SCANCODE_P);
  key(SDL_SCANCODE_ESCAPE);
  until("title");
  const float before = cooldown_s();
  const std::size_t line = text.find("\ncooldown_s") + 1;
  std::ofstream(scratch_ / "saved") << text.substr(0, line) + "cooldown_s = 0.125" + text.substr(text.find('\n', line));
  std::filesystem::rename(scratch_ / "saved", watched_.front());
  for (const test::Patience patience; patience.left() && cooldown_s() == before;) game_->frame();
  EXPECT_EQ(cooldown_s(), 0.125f) << "of the demo";
  choose(frame::TitleItem::Continue);
  EXPECT_EQ(cooldown_s(), before);
  frames(5);  // a command takes effect with the next step
  EXPECT_EQ(cooldown_s(), 0.125f);
}

TEST_F(TitleScreen, EscapeEndsTheProgramOnlyAfterAQuestion) {
  open_title();
  if (IsSkipped()) return;
  until("title");
  key(SDL_SCANCODE_ESCAPE);
  EXPECT_TRUE(game_->frame()) << "it only asks";
  push_key(SDL_SCANCODE_ESCAPE, SDL_KEYDOWN);
  EXPECT_FALSE(game_->frame());
}

TEST_F(TitleScreen, QuitEndsAtOnce) {
  open_title();
  if (IsSkipped()) return;
  choose(frame::TitleItem::Quit);
  EXPECT_FALSE(game_->frame());
}

TEST_F(TitleScreen, SettingsOpenOverItAndEscapeGoesBack) {
  open_title();
  if (IsSkipped()) return;
  until("title");
  choose(frame::TitleItem::Settings);
  until("settings");
  key(SDL_SCANCODE_DOWN);  // not the menu's
  key(SDL_SCANCODE_RETURN);
  EXPECT_TRUE(shows("settings"));
  key(SDL_SCANCODE_ESCAPE);
  until("title");
}

TEST_F(TitleScreen, SideBySideFromAGameLeavesItAsItWas) {
  open(frame::SceneId::Spells);
  if (IsSkipped()) return;
  frames(20);
  key(SDL_SCANCODE_P);
  const u64 steps = world().steps(), hash = world().hash();
  key(SDL_SCANCODE_Z);
  until("duet_strip");
  frames(20);
  key(SDL_SCANCODE_Z);
  until("duet_strip", false);
  EXPECT_EQ(world().steps(), steps);
  EXPECT_EQ(world().hash(), hash);
  until("spell_bar");
}

TEST_F(TitleScreen, TabIsAnsweredByABannerForTwoSeconds) {
  open(frame::SceneId::Spells);
  if (IsSkipped()) return;
  frames(10);
  EXPECT_FALSE(shows("switch_banner"));
  key(SDL_SCANCODE_TAB);
  until("switch_banner");
  until("switch_banner", false);
  EXPECT_EQ(world().pool(frame::PoolId::Particles).strategy(), pool::StrategyId::Heap);
}

TEST_F(TitleScreen, TheBannersCountsAreThoseOfTheRecorder) {
  writes_layout_ = false;
  open(frame::SceneId::Spells);
  if (IsSkipped()) return;
  key(SDL_SCANCODE_MINUS);  // a churn, so that each step has something to allocate
  frames(60);
  const auto pool_calls = [&] {
    u64 calls = 0;
    for (const frame::PoolName& pool : frame::pools_of(frame::SceneId::Spells)) calls += world().pool(pool.id).stats().new_calls;
    return calls;
  };
  for (const bool off : {true, false}) {
    u64 shown = 0, same = 0, recorded = 0, stepped = 0, before = pool_calls();
    push_key(SDL_SCANCODE_TAB, SDL_KEYDOWN);
    for (int i = 0; i < 40; ++i) {
      const u64 step = world().steps();
      ASSERT_TRUE(game_->frame());
      const i64 banner = game_->panels().layout.banner_calls;
      if (banner < 0) {  // not yet, or the frame of the switch, which moves all objects and counts for neither
        if (stepped > 0) break;  // its two seconds are over
        before = pool_calls();
        continue;
      }
      if (world().steps() == step) continue;
      const frame::FrameHistory history = game_->game().recorder().history();
      recorded += history.at(history.count - 1).new_calls;
      ++stepped;
      const u64 calls = pool_calls() - before;
      ASSERT_EQ(static_cast<u64>(banner), (calls + stepped / 2) / stepped) << "frame " << i;
      ASSERT_LE(calls, recorded) << "frame " << i;
      ++shown;
      same += static_cast<u64>(banner) == (recorded + stepped / 2) / stepped ? 1 : 0;
    }
    EXPECT_GT(shown, 0u);
    EXPECT_GE(same * 2, shown) << "in the others the game itself allocated: keyframes of the past, a notice";
    if (off) {
      EXPECT_GT(pool_calls() - before, 100u * stepped);
    }
    push_key(SDL_SCANCODE_TAB, SDL_KEYUP);
    frames(3);
  }
}

TEST_F(TitleScreen, AKeyThatIsTappedWithinAFrameTurnsAPageOfTheHelp) {
  open(frame::SceneId::Spells);
  if (IsSkipped()) return;
  key(SDL_SCANCODE_F1);
  until("help");
  key(SDL_SCANCODE_PAGEDOWN, 0);
  EXPECT_EQ(game_->panels().help_page, ui::HelpPage::Pools);
  // This page is longer than its room: a tap reads on in it first.
  for (int tap = 0; tap < 4 && game_->panels().help_page == ui::HelpPage::Pools; ++tap) key(SDL_SCANCODE_PAGEDOWN, 0);
  EXPECT_EQ(game_->panels().help_page, ui::HelpPage::Measure);
}

TEST_F(TitleScreen, SideBySideFromTheTitleComesBackToIt) {
  open_title();
  if (IsSkipped()) return;
  until("title");
  choose(frame::TitleItem::SideBySide);
  until("duet_strip");
  EXPECT_FALSE(shows("title"));
  key(SDL_SCANCODE_ESCAPE);
  until("title");
}

TEST_F(TitleScreen, SideBySideIsRefusedWhileARecordingRuns) {
  open(frame::SceneId::Spells);
  if (IsSkipped()) return;
  test::ScopedVariable data("XDG_DATA_HOME", scratch_.path().string().c_str());
  key(SDL_SCANCODE_R);
  const std::vector<frame::PanelSound> heard = key(SDL_SCANCODE_Z);
  EXPECT_NE(std::ranges::find(heard, frame::PanelSound::Refuse), heard.end());
  EXPECT_FALSE(shows("duet_strip"));
  key(SDL_SCANCODE_R);
}

bool begins_with_title(std::vector<const char*> words) {
  words.insert(words.begin(), "spellpool");
  const ParseResult parsed = parse_options(static_cast<int>(words.size()), words.data());
  return parsed.options && parsed.options->play.title;
}

TEST(TitleOptions, OnlyOptionsAboutTheWindowLeaveIt) {
  EXPECT_TRUE(begins_with_title({}));
  EXPECT_TRUE(begins_with_title({"--fullscreen", "--mute", "--quality", "low", "--text-scale", "2"}));
  for (const std::vector<const char*>& words : std::vector<std::vector<const char*>>{
           {"--scene", "spells"}, {"--scene", "shooter"}, {"--duet", "heap", "free_list"}, {"--autoplay"}, {"--steps", "10"},
           {"--input", "a"}, {"--strategy", "heap"}, {"--seed", "2"}, {"--json", "a"}, {"--record", "a.csv"}, {"--headless"},
           {"--panels", "pool"}}) {
    EXPECT_FALSE(begins_with_title(words)) << words.front();
  }
}

/// As a visitor starts it: without an option about a game.
class FirstVisit : public WindowProgram {
 protected:
  FirstVisit() { json_ = ""; }
};

TEST_F(FirstVisit, SideBySideIsTwoClicksAwayByTheMouse) {
  const Outcome outcome = play("", "shown title; press title_item 3; shown duet_strip; xdotool key Escape; shown title\n"
                                   "xdotool key Escape; drawn; xdotool key Escape");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
}

TEST_F(FirstVisit, ByKeysTheArenaBeginsAndTabAnswers) {
  const Outcome outcome = play("", "shown title; xdotool key Return; shown spell_bar; xdotool key Tab; drawn\n"
                                   "xdotool key Escape; shown title; xdotool key Escape; drawn; xdotool key Escape");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
}

}  // namespace
}  // namespace spellpool::app
