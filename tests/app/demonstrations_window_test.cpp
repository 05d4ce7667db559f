// What the texts about pools tell, as a player sees it: each demonstration in a window, with the keys and buttons of
// the game alone, and what it must come to. With SPELLPOOL_PICTURES=FOLDER each leaves pictures of the moments that
// matter there; docs/images has some of them (tools/pictures.sh --all).
#include <cstdio>

#include "core/types.hpp"
#include "window_program.hpp"

namespace spellpool::app {
namespace {

class Demonstrations : public WindowProgram {
 protected:
  Outcome show(const std::string& arguments, const std::string& actions) {
    return play(arguments, actions + "\nkill -INT $PID", "--width 1280 --height 720");
  }
  /// The arena, with the mouse where a dummy stands.
  Outcome show_arena(const std::string& actions, const std::string& arguments = "") {
    return show("--scene spells --seed 5 --record-input r.replay " + arguments,
                "xdotool mousemove --window $W 900 250; drawn\n" + actions);
  }
  /// The shooter; the script flies the ship.
  Outcome show_shooter(const std::string& actions, const std::string& arguments = "") {
    return show("--scene shooter --autoplay --seed 3 --record-input r.replay " + arguments, actions);
  }
  nlohmann::json result() { return read_json("a.json"); }
  /// The last second of a pooled strategy, drawing and panels included. What was opened is kept in the settings' file
  /// 0.7 s later, which allocates: that has to be longer ago.
  void expect_no_allocations() { EXPECT_EQ(result()["allocations_last_60_steps"], 0); }
  /// The replay gives the same game with every strategy.
  void expect_same_again() {
    const Outcome verified = run("verify-replay r.replay");
    EXPECT_EQ(verified.exit_code, 0) << verified.out << verified.err;
  }
};

TEST_F(Demonstrations, SpellsFizzleInOneSmallHeapAndTabBringsThemBack) {
  const Outcome outcome = show_arena(
      "xdotool key Insert; told 'one heap'; shown load_board; xdotool key 1 keydown f; alerted 'fizzled'\n"
      "picture small_console; xdotool key F10; shown memory; picture small_console_memory; xdotool key F10; gone "
      "memory\n"
      "xdotool key Tab; alerted 'one for each size'; steps 400; has_alert fizzled && echo fizzled; picture "
      "small_console_pools\n"
      "xdotool keyup f");
  ASSERT_EQ(outcome.exit_code, 130) << outcome.err;
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(result()["console"]["mode"], "pools");
  EXPECT_EQ(result()["console"]["fizzled"], 0);
  expect_no_allocations();
  expect_same_again();
}

TEST_F(Demonstrations, TheFizzlingSpellIsToldWithTheNumbersOfTheSummary) {
  const Outcome outcome = show_arena(
      "xdotool key Insert; shown load_board; xdotool key 1 keydown f; alerted 'fizzled'; xdotool keyup f; steps 90\n"
      "look; [[ $layout =~ \\\"alert\\\":\\\"([^\\\"]*) ]] && echo \"${BASH_REMATCH[1]}\"");
  ASSERT_EQ(outcome.exit_code, 130) << outcome.err;
  const auto last = result()["console"]["last"];
  const auto bytes = [](u64 count) {
    char text[32];
    if (count < 1024)
      std::snprintf(text, sizeof text, "%u B", static_cast<unsigned>(count));
    else
      std::snprintf(text, sizeof text, "%.1f KiB", static_cast<double>(count) / 1024.0);
    return std::string(text);
  };
  EXPECT_EQ(outcome.out, "The spell fizzled: " + bytes(last["free_bytes"]) + " free, largest hole " +
                             bytes(last["largest_bytes"]) + ", " + bytes(last["wanted_bytes"]) +
                             " wanted. Tab: to the pools\n");
  EXPECT_GT(last["free_bytes"], last["wanted_bytes"]);
}

TEST_F(Demonstrations, FourteenBytesAreFreeAndTwelveDoNotFit) {
  // The wheel moves the panel until the story's button can be pressed.
  const Outcome outcome = show_arena(
      "xdotool key F10; shown memory; xdotool mousemove --window $W 640 400\n"
      "for i in {1..40}; do has_control replay_story 0 && ((rect[3] < 600)) && break; xdotool click 5; drawn; done\n"
      "press replay_story 0; steps 420; has_control replay_story 0 && echo seen; picture story");
  ASSERT_EQ(outcome.exit_code, 130) << outcome.err;
  EXPECT_EQ(outcome.out, "seen\n");
  expect_no_allocations();
}

TEST_F(Demonstrations, OneSharedPoolLosesEnemiesAndSeparatePoolsNone) {
  const Outcome outcome = show_shooter(
      "xdotool key Insert; told 'One shared pool'; shown load_board\n"
      "for i in 1 2 3 4; do xdotool key period; steps 2; done; alerted 'missing'; picture shared_pool; steps 60\n"
      "xdotool key Insert; told 'Separate pools'; steps 900; picture separate_pools");
  ASSERT_EQ(outcome.exit_code, 130) << outcome.err;
  EXPECT_EQ(result()["slots"]["sharing"], "separate");
  EXPECT_EQ(result()["slots"]["refused"]["enemies"], 0);
  EXPECT_GT(result()["slots"]["refused"]["particles"], 0) << "the sparks are what runs out";
  expect_no_allocations();
  expect_same_again();
}

TEST_F(Demonstrations, OneFrameOpensIntoItsAllocationsAndBothWorldsIntoTheirs) {
  const Outcome outcome = show_arena(
      "xdotool key 2 keydown f; steps 60; xdotool key End; shown frame_timeline; steps 10; picture timeline_pool\n"
      "xdotool key End; gone frame_timeline; xdotool key Tab; steps 60; xdotool key End; shown frame_timeline; steps "
      "10\n"
      "picture timeline_heap; xdotool key End; gone frame_timeline; xdotool keyup f key Tab; steps 30\n"
      "xdotool key z; shown duet_strip; steps 120; xdotool key End; shown frame_timeline; steps 5; picture "
      "timeline_both\n"
      "xdotool key End; gone frame_timeline; xdotool key z; gone duet_strip");
  ASSERT_EQ(outcome.exit_code, 130) << outcome.err;
  expect_same_again();
}

TEST_F(Demonstrations, AGardenBySlotRepeatsOrNotByTheStrategyOfItsChunks) {
  // The looks as F7 sets them with "Garden: by slot"; then the chunks' strategy in the pool panel.
  const Outcome outcome = show_shooter(
      "steps 300; picture garden_random; xdotool key F2; shown pool_panel; press pool 6\n"
      "press strategy 5; xdotool key F2; gone pool_panel; steps 900; picture garden_queue",
      "--scenery slot");
  ASSERT_EQ(outcome.exit_code, 130) << outcome.err;
  EXPECT_EQ(result()["pools"]["chunks"]["strategy"], "queue");
  expect_no_allocations();
  expect_same_again();
}

TEST_F(Demonstrations, AConstructorThatForgetsShowsItsSlotsLastTenant) {
  const Outcome outcome = show_arena(
      "xdotool keydown f; for i in 2 1 3 1; do xdotool key $i; steps 40; done; xdotool key Delete; told Planted\n"
      "for i in 2 1 2 1; do xdotool key $i; steps 40; done; picture forgetful; xdotool key b; told filled\n"
      "for i in 1 2 1; do xdotool key $i; steps 40; done; picture forgetful_fill; xdotool key Delete; told Mended; "
      "steps 60\n"
      "picture forgetful_mended; xdotool keyup f");
  ASSERT_EQ(outcome.exit_code, 130) << outcome.err;
  expect_no_allocations();
  expect_same_again();
}

TEST_F(Demonstrations, TheNewestMarkTakesTheSlotOfTheOldest) {
  const Outcome outcome = show_arena(
      "spells=(1 8 5 3); xdotool keydown f; for i in {1..24}; do\n"
      "  xdotool mousemove --window $W $((430 + i * 97 % 420)) $((170 + i * 61 % 380)) key ${spells[i % 4]}; steps 40\n"
      "done; xdotool keyup f; xdotool key F2; shown pool_panel; press pool 3; steps 120; picture decals");
  ASSERT_EQ(outcome.exit_code, 130) << outcome.err;
  const auto decals = result()["pools"]["decals"];
  EXPECT_EQ(decals["live"], 64);
  EXPECT_EQ(decals["policy"], "steal_oldest");
  EXPECT_GT(decals["stolen"], 0);
  expect_no_allocations();
  expect_same_again();
}

TEST_F(Demonstrations, WithTwelveVoicesStealingIsSeenAndHeard) {
  const Outcome outcome = show_arena(
      "xdotool key i; shown voices; press voice_few 0; xdotool mousemove --window $W 640 330\n"
      "xdotool keydown f; for i in 2 3 1 8 2 3; do xdotool key $i; steps 40; done; picture voices_12; xdotool keyup f");
  ASSERT_EQ(outcome.exit_code, 130) << outcome.err;
  expect_no_allocations();
  expect_same_again();
}

TEST_F(Demonstrations, APoolThatGrewIsTrimmed) {
  const Outcome outcome = show_arena(
      "xdotool key F2; shown pool_panel; for i in 1 2 3; do xdotool key o; steps 2; done\n"
      "xdotool mousemove --window $W 500 250; xdotool key 2 keydown f; steps 200; xdotool keyup f\n"
      "picture grown; steps 240; xdotool key j; told Trimmed; picture trimmed; steps 80",
      "--capacity particles=1000");
  ASSERT_EQ(outcome.exit_code, 130) << outcome.err;
  const auto particles = result()["pools"]["particles"];
  EXPECT_EQ(particles["policy"], "grow");
  EXPECT_GT(particles["grown"], 0);
  EXPECT_GT(particles["trimmed"], 0);
  EXPECT_LT(particles["capacity"], 9000) << "what it had grown to";
  expect_no_allocations();  // the trim itself, which takes smaller memory, is longer ago
  expect_same_again();
}

TEST_F(Demonstrations, CranesSearchTheirWayUntilTheirArenaIsFull) {
  const Outcome outcome = show_shooter(
      "xdotool key Delete; told 'from the heap'; await step_reached 2460; shown load_board; picture cranes_heap\n"
      "xdotool key F10; shown memory; picture cranes_memory; xdotool key F10; gone memory; xdotool key Delete; told "
      "nullptr\n"
      "await step_reached 3860; xdotool key m; alerted 'finds no way'; picture cranes_null");
  ASSERT_EQ(outcome.exit_code, 130) << outcome.err;
  EXPECT_EQ(result()["cranes"]["search"], "null");
  EXPECT_GT(result()["cranes"]["ended"], 0);
  expect_no_allocations();
  expect_same_again();
}

TEST_F(Demonstrations, ASmallPoolWithFlagsIsSeenSlotBySlot) {
  const Outcome outcome = show_arena(
      "xdotool key F2; shown pool_panel; press pool 2; press more_strategies 0; press strategy 2; xdotool key F9\n"
      "shown slot_map; steps 120; picture small_pool");
  ASSERT_EQ(outcome.exit_code, 130) << outcome.err;
  EXPECT_EQ(result()["pools"]["wisps"]["strategy"], "active_flag");
  EXPECT_EQ(result()["pools"]["wisps"]["capacity"], 16);
  expect_no_allocations();
  expect_same_again();
}

}  // namespace
}  // namespace spellpool::app
