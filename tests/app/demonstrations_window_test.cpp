// What the texts about pools tell, as a player sees it: each demonstration in a window, with the keys and buttons of
// the game alone, and what it must come to. With SPELLPOOL_PICTURES=FOLDER each leaves pictures of the moments that
// matter there; docs/images has some of them (tools/pictures.sh --all).
#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <map>
#include <sstream>

#include "core/types.hpp"
#include "window_program.hpp"

namespace spellpool::app {
namespace {

class Demonstrations : public WindowProgram {
 protected:
  /// Plays the script and ends the game. Returns what the script printed.
  std::string show(const std::string& arguments, const std::string& actions) {
    // Pictures show the frame rate.
    const bool pictures = std::getenv("SPELLPOOL_PICTURES") != nullptr;
    const Outcome outcome = play(arguments, actions + "\nkill -INT $PID", "--width 1280 --height 720", pictures ? "" : kSharedPace);
    EXPECT_EQ(outcome.exit_code, 130) << outcome.err;
    return outcome.out;
  }
  /// The arena, with the mouse where a dummy stands.
  std::string show_arena(const std::string& actions, const std::string& arguments = "") {
    return show("--scene spells --seed 5 --record-input r.replay " + arguments,
                "xdotool mousemove --window $W 900 250; drawn\n" + actions);
  }
  /// The option for a copy of the data in which the particles of the arena have this size.
  std::string with_pools(const std::string& particles) {
    copy_data("d");
    write("d/assets/pools.toml", "[spells.particles]\n" + particles);
    return "--data-dir d ";
  }
  /// The shooter; the script flies the ship.
  std::string show_shooter(const std::string& actions, const std::string& arguments = "") {
    return show("--scene shooter --autoplay --seed 3 --record-input r.replay " + arguments, actions);
  }
  nlohmann::json result() { return read_json("a.json"); }
  /// The last second of a pooled strategy, drawing and panels included. What was opened is kept in the settings' file
  /// 0.7 s later, which allocates: that has to be longer ago.
  void expect_no_allocations() { EXPECT_EQ(result()["allocations_last_60_steps"], 0); }
  /// The replay has these commands, and gives the same game with every strategy.
  void expect_same_again(std::initializer_list<const char*> commands = {}) {
    const std::string replay = read("r.replay");
    for (const char* command : commands) {
      EXPECT_NE(replay.find(std::string(" ") + command), std::string::npos) << command;
    }
    const Outcome verified = run("verify-replay r.replay");
    EXPECT_EQ(verified.exit_code, 0) << verified.out << verified.err;
  }
};

TEST_F(Demonstrations, SpellsFizzleInOneSmallHeapAndTabBringsThemBack) {
  const std::string printed = show_arena(
      "xdotool key Insert; told 'one heap'; shown load_board; xdotool key 1 keydown f; alerted 'fizzled'\n"
      "picture small_console; xdotool key F10; shown memory; picture small_console_memory; xdotool key F10; gone "
      "memory\n"
      "xdotool key Tab; alerted 'one for each size'; steps 400; has_alert fizzled && echo fizzled; picture "
      "small_console_pools\n"
      "xdotool keyup f");
  EXPECT_EQ(printed, "");
  EXPECT_EQ(result()["console"]["mode"], "pools");
  EXPECT_EQ(result()["console"]["fizzled"], 0);
  expect_no_allocations();
  expect_same_again({"console heap\n", "console pools\n"});
}

TEST_F(Demonstrations, TheFizzlingSpellIsToldWithTheNumbersOfTheSummary) {
  const std::string printed = show_arena(
      "xdotool key Insert; shown load_board; xdotool key 1 keydown f; alerted 'fizzled'; xdotool keyup f; steps 90\n"
      "look; [[ $layout =~ \\\"alert\\\":\\\"([^\\\"]*) ]] && echo \"${BASH_REMATCH[1]}\"");
  const auto last = result()["console"]["last"];
  const auto bytes = [](u64 count) {
    char text[32];
    if (count < 1024)
      std::snprintf(text, sizeof text, "%u B", static_cast<unsigned>(count));
    else
      std::snprintf(text, sizeof text, "%.1f KiB", static_cast<double>(count) / 1024.0);
    return std::string(text);
  };
  EXPECT_EQ(printed, "The spell fizzled: " + bytes(last["free_bytes"]) + " free, largest hole " +
                             bytes(last["largest_bytes"]) + ", " + bytes(last["wanted_bytes"]) +
                             " wanted. Tab: to the pools\n");
  EXPECT_GT(last["free_bytes"], last["wanted_bytes"]);
}

TEST_F(Demonstrations, FourteenBytesAreFreeAndTwelveDoNotFit) {
  // The wheel moves the panel until the story's button can be pressed.
  const std::string printed = show_arena(
      "xdotool key F10; shown memory; xdotool mousemove --window $W 640 400\n"
      "for i in {1..40}; do has_control replay_story 0 && ((rect[3] < 600)) && break; xdotool click 5; drawn; done\n"
      "ended() { look; [[ $layout == *'\"stories\":[[14,7,1],[14,8,1]]'* ]]; }\n"
      "await ended; press replay_story 0; ended || echo begins anew; await ended; steps 10; picture story");
  EXPECT_EQ(printed, "begins anew\n");
  expect_no_allocations();
}

TEST_F(Demonstrations, OneSharedPoolLosesEnemiesAndSeparatePoolsNone) {
  show_shooter(
      "xdotool key Insert; told 'One shared pool'; shown load_board\n"
      "for i in 1 2 3 4; do xdotool key period; steps 2; done; alerted 'missing'; picture shared_pool; steps 60\n"
      "xdotool key Insert; told 'Separate pools'; steps 900; picture separate_pools");
  EXPECT_EQ(result()["slots"]["sharing"], "separate");
  EXPECT_EQ(result()["slots"]["refused"]["enemies"], 0);
  EXPECT_GT(result()["slots"]["refused"]["particles"], 0) << "the sparks are what runs out";
  expect_no_allocations();
  expect_same_again({"slots shared\n", "slots separate\n"});
}

TEST_F(Demonstrations, OneFrameOpensIntoItsAllocationsAndBothWorldsIntoTheirs) {
  // Churn: motes are created in every step.
  const std::string printed = show_arena(
      "counts() { look; grep -o '\"timeline\":[][0-9,]*' <<<\"$layout\" | sed \"s/.*:/$1 /; s/,$//\"; }\n"
      "open() { xdotool key End; shown frame_timeline; steps 10; counts $1; picture timeline_$1; }\n"
      "close() { xdotool key End; gone frame_timeline; }\n"
      "xdotool key minus; steps 60; open pool; close; xdotool key Tab; steps 60; open heap; close; xdotool key Tab\n"
      "steps 30; xdotool key z; shown duet_strip; steps 120; open both; close; xdotool key z; gone duet_strip");
  std::istringstream lines(printed);
  std::map<std::string, nlohmann::json> counts;
  for (std::string name, pairs; lines >> name >> pairs;) counts[name] = nlohmann::json::parse(pairs);
  ASSERT_EQ(counts.size(), 3u) << printed;
  const auto calls = [&](const char* name, int world) { return counts[name].at(world).at(0).get<u64>(); };
  const auto acquired = [&](const char* name, int world) { return counts[name].at(world).at(1).get<u64>(); };
  EXPECT_EQ(calls("pool", 0), 0u);
  EXPECT_GT(acquired("pool", 0), 100u);
  EXPECT_GE(calls("heap", 0), acquired("heap", 0)) << "an allocation for each mote";
  EXPECT_GT(acquired("heap", 0), 100u);
  EXPECT_GE(calls("both", 0), acquired("both", 0));
  EXPECT_EQ(calls("both", 1), 0u);
  EXPECT_EQ(acquired("both", 0), acquired("both", 1)) << "the same step";
  expect_same_again();
}

TEST_F(Demonstrations, AGardenBySlotRepeatsOrNotByTheStrategyOfItsChunks) {
  // The looks as F7 sets them with "Garden: by slot"; then the chunks' strategy in the pool panel.
  show_shooter(
      "steps 300; picture garden_random; xdotool key F2; shown pool_panel; press pool 6\n"
      "press strategy 5; xdotool key F2; gone pool_panel; steps 900; picture garden_queue",
      "--scenery slot");
  EXPECT_EQ(result()["pools"]["chunks"]["strategy"], "queue");
  expect_no_allocations();
  expect_same_again({"strategy chunks queue\n"});
}

TEST_F(Demonstrations, AConstructorThatForgetsShowsItsSlotsLastObject) {
  show_arena(
      "xdotool keydown f; for i in 2 1 3 1; do xdotool key $i; steps 40; done; xdotool key Delete; told Planted\n"
      "for i in 2 1 2 1; do xdotool key $i; steps 40; done; picture forgetful; xdotool key b; told filled\n"
      "for i in 1 2 1; do xdotool key $i; steps 40; done; picture forgetful_fill; xdotool key Delete; told Mended; "
      "steps 60\n"
      "picture forgetful_mended; xdotool keyup f");
  expect_no_allocations();
  expect_same_again({"forgetful on\n", "fill particles on\n", "forgetful off\n"});
}

TEST_F(Demonstrations, TheNewestMarkTakesTheSlotOfTheOldest) {
  show_arena(
      "spells=(1 8 5 3); xdotool keydown f; for i in {1..24}; do\n"
      "  xdotool mousemove --window $W $((430 + i * 97 % 420)) $((170 + i * 61 % 380)) key ${spells[i % 4]}; steps 40\n"
      "done; xdotool keyup f; xdotool key F2; shown pool_panel; press pool 3; steps 120; picture decals");
  const auto decals = result()["pools"]["decals"];
  EXPECT_EQ(decals["live"], 64);
  EXPECT_EQ(decals["policy"], "steal_oldest");
  EXPECT_GT(decals["stolen"], 0);
  expect_no_allocations();
  expect_same_again();
}

TEST_F(Demonstrations, WithTwelveVoicesStealingIsSeenAndHeard) {
  show_arena(
      "xdotool key i; shown voices; press voice_few 0; xdotool mousemove --window $W 640 330\n"
      "xdotool keydown f; for i in 2 3 1 8 2 3; do xdotool key $i; steps 40; done; picture voices_12; xdotool keyup f");
  EXPECT_EQ(result()["audio"]["peak"], 12);
  EXPECT_GT(result()["audio"]["stolen"], 0);
  expect_no_allocations();
  expect_same_again();
}

/// The policy "grow" by the mouse, and more particles at once than the pool has slots.
const std::string kGrow =
    "xdotool key F2; shown pool_panel; press policy 3; xdotool mousemove --window $W 500 250; xdotool key 2 keydown f\n"
    "steps 200; xdotool keyup f; ";

TEST_F(Demonstrations, APoolThatGrewIsTrimmed) {
  // The bitmap uses the lowest slots first: the blocks that were added are empty once their last particles have ended.
  show_arena(
      kGrow + "picture grown; steps 600; xdotool key j; told Trimmed; steps 10; picture trimmed; steps 80",
      with_pools("capacity = 1000\ngrow_by = 500\nkeep_free = 100\n") + "--strategy particles=bitmap");
  const auto particles = result()["pools"]["particles"];
  EXPECT_EQ(particles["policy"], "grow");
  EXPECT_GT(particles["grown"], 0);
  EXPECT_EQ(particles["trimmed"], 1);
  EXPECT_EQ(particles["capacity"], 1000) << "its usual size";
  EXPECT_EQ(particles["slots"], 1000) << "the blocks that were added are freed";
  expect_no_allocations();  // the trim itself, which takes smaller memory, is longer ago
  expect_same_again({"overflow particles grow\n", "trim particles "});
}

TEST_F(Demonstrations, ATrimThatLeavesTheMemorySaysWhy) {
  // The union free list reuses the slot that was released last: objects live in the added block, which then stays.
  show_arena(
      kGrow + "steps 240; xdotool key j; told Trimmed; picture trimmed_stays; steps 80",
      "--capacity particles=1000");
  const auto particles = result()["pools"]["particles"];
  EXPECT_EQ(particles["trimmed"], 1);
  EXPECT_LT(particles["capacity"], 9000) << "what it had grown to";
  EXPECT_EQ(particles["slots"], 9000);
  expect_no_allocations();
  expect_same_again();
}

TEST_F(Demonstrations, APoolThatIsQuietForAWhileTrimsItself) {
  show_arena(
      kGrow + "picture grown_again; steps 600; picture trimmed_itself",
      with_pools("capacity = 1000\ngrow_by = 500\nkeep_free = 100\ntrim_after_s = 3\n") +
          "--strategy particles=bitmap");
  const auto particles = result()["pools"]["particles"];
  EXPECT_GT(particles["grown"], 0);
  EXPECT_GT(particles["trimmed"], 0);
  EXPECT_LT(particles["capacity"], 1000) << "what the ambient particles need, and 100";
  expect_same_again({"overflow particles grow\n", "trim particles "});
}

TEST_F(Demonstrations, CranesSearchTheirWayUntilTheirArenaIsFull) {
  show_shooter(
      "xdotool key Delete; told 'from the heap'; await step_reached 2460; shown load_board; picture cranes_heap\n"
      "xdotool key F10; shown memory; picture cranes_memory; xdotool key F10; gone memory; xdotool key Delete; told "
      "nullptr\n"
      "await step_reached 3860; xdotool key m; alerted 'finds no way'; picture cranes_null");
  EXPECT_EQ(result()["cranes"]["search"], "null");
  EXPECT_GT(result()["cranes"]["ended"], 0);
  expect_no_allocations();
  expect_same_again({"cranes heap\n", "cranes null\n"});
}

TEST_F(Demonstrations, ASmallPoolWithFlagsIsSeenSlotBySlot) {
  show_arena(
      "xdotool key F2; shown pool_panel; press pool 2; press more_strategies 0; press strategy 2; xdotool key F9\n"
      "shown slot_map; steps 120; picture small_pool");
  EXPECT_EQ(result()["pools"]["wisps"]["strategy"], "active_flag");
  EXPECT_EQ(result()["pools"]["wisps"]["capacity"], 16);
  expect_no_allocations();
  expect_same_again({"strategy wisps active_flag\n"});
}

}  // namespace
}  // namespace spellpool::app
