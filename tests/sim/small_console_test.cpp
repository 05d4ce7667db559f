// The load "small console": spells that live in a few kilobytes, of one heap or of pools.
#include "sim/particles/small_console.hpp"

#include "../pool/allocation_probe.hpp"
#include "sim/core/command_text.hpp"
#include "small_spells.hpp"

namespace spellpool::sim {
namespace {

using frame::ConsoleMode;
using frame::PoolId;
using pool::StrategyId;

frame::SimCommand console_mode_command(ConsoleMode mode) {
  frame::SimCommand command;
  command.kind = frame::SimCommandKind::SetConsole;
  command.choice = static_cast<u8>(mode);
  return command;
}

/// From step 10 on in this form.
Script from_the_start(ConsoleMode mode) {
  return [mode](u64 step) -> std::vector<frame::SimCommand> {
    if (step != 10) return {};
    return {console_mode_command(mode)};
  };
}

/// A player in a hurry: firebolts, stars and lightning without a rest.
frame::InputFrame rapid_input(u64 step) {
  frame::InputFrame input = juggle(step, 5);
  constexpr std::array<u8, 4> kSpells = {0, 7, 2, 0};
  input.select_spell = kSpells[step / 120 % kSpells.size()];
  input.buttons = frame::kButtonRapid;
  return input;
}

struct RapidGame {
  u64 fizzled = 0, casts = 0, first_fizzle = 0;
  ConsoleRefusal first;
  std::vector<u64> hashes;
};
RapidGame play_rapidly(ConsoleMode mode, u64 steps, StrategyId strategy = StrategyId::FreeList) {
  World world(config(9, strategy));
  const Script script = from_the_start(mode);
  RapidGame seen;
  for (u64 i = 0; i < steps; ++i) {
    world.step(rapid_input(i), script(i));
    seen.hashes.push_back(world.hash());
    if (seen.first_fizzle == 0 && world.console().fizzled() > 0) {
      seen.first_fizzle = i;
      seen.first = world.console().last_fizzle();
    }
  }
  seen.fizzled = world.console().fizzled();
  for (u8 spell = 0; spell < frame::kSpellCount; ++spell) seen.casts += world.casts(spell).casts;
  return seen;
}

TEST(SmallConsole, InOneHeapSpellsFizzleAfterAWhileAlthoughEnoughIsFree) {
  const RapidGame heap = play_rapidly(ConsoleMode::Heap, 3'600);
  EXPECT_GT(heap.fizzled, 10u);
  EXPECT_GT(heap.first_fizzle, 120u) << "a fresh heap serves them all";
  EXPECT_EQ(heap.first.wanted_bytes, 320u);
  EXPECT_GE(heap.first.free_bytes, heap.first.wanted_bytes) << "it is not full: it is in pieces";
  EXPECT_LT(heap.first.largest_bytes, heap.first.wanted_bytes);
  RecordProperty("casts", static_cast<int>(heap.casts));
  RecordProperty("fizzled", static_cast<int>(heap.fizzled));
  RecordProperty("first_step", static_cast<int>(heap.first_fizzle));
  RecordProperty("free_bytes", static_cast<int>(heap.first.free_bytes));
  RecordProperty("largest_bytes", static_cast<int>(heap.first.largest_bytes));
}

TEST(SmallConsole, InPoolsOfTheSameBytesNoneDoes) {
  const RapidGame pools = play_rapidly(ConsoleMode::Pools, 3'600);
  EXPECT_EQ(pools.fizzled, 0u);
  EXPECT_GT(pools.casts, 60u);
}

TEST(SmallConsole, OffItChangesNothing) {
  const RapidGame never = play_rapidly(ConsoleMode::Off, 400);
  World world(config(9, StrategyId::FreeList));
  std::vector<u64> without;
  for (u64 i = 0; i < 400; ++i) {
    world.step(rapid_input(i), {});
    without.push_back(world.hash());
  }
  EXPECT_EQ(first_difference(never.hashes, without), -1);
  EXPECT_EQ(never.fizzled, 0u);
}

TEST(SmallConsole, IsTheSameWithEveryStrategyAndWhenSwitched) {
  for (const ConsoleMode mode : {ConsoleMode::Heap, ConsoleMode::Pools}) {
    const Script script = from_the_start(mode);
    const std::vector<u64> first = juggled(config(4, StrategyId::Heap), 900, script);
    EXPECT_NE(first_difference(first, juggled(config(4, StrategyId::Heap), 900)), -1) << "it is part of the rules";
    for (const auto& row : pool::kStrategies) {
      EXPECT_EQ(first_difference(first, juggled(config(4, row.id), 900, script)), -1) << row.name;
    }
    const Script switching = [&](u64 step) {
      std::vector<frame::SimCommand> commands = script(step);
      for (const frame::PoolName& pool : frame::pools_of(frame::SceneId::Spells)) {
        commands.push_back(strategy_command(
            static_cast<StrategyId>((step + static_cast<u64>(pool.id)) % pool::kStrategyCount), pool.id));
      }
      return commands;
    };
    EXPECT_EQ(first_difference(first, juggled(config(4, StrategyId::Heap), 900, switching)), -1);
  }
}

TEST(SmallConsole, ComesBackWithASavedWorld) {
  for (const ConsoleMode mode : {ConsoleMode::Heap, ConsoleMode::Pools}) {
    World world(config(4, StrategyId::FreeList));
    juggle(world, 500, from_the_start(mode), {});
    const std::unique_ptr<WorldState> state = world.new_state();
    world.save(*state);
    const u64 saved = world.hash();
    std::vector<u64> first, second;
    juggle(world, 200, {}, [&](World& w) { first.push_back(w.hash()); });
    const std::array<frame::SimCommand, 1> off = {console_mode_command(ConsoleMode::Off)};
    world.step({}, off);
    world.restore(*state);
    EXPECT_EQ(world.hash(), saved);
    EXPECT_EQ(world.console().mode(), mode);
    juggle(world, 200, {}, [&](World& w) { second.push_back(w.hash()); });
    EXPECT_EQ(first_difference(first, second), -1);
  }
}

TEST(SmallConsole, NothingIsLostOrGivenBackTwice) {
  for (const ConsoleMode mode : {ConsoleMode::Heap, ConsoleMode::Pools}) {
    SmallConsole console;
    console.choose(mode);
    const u32 all = console.free_bytes();
    Rng rng(3);
    u64 step = 0;
    for (; step < 5'000; ++step) {
      console.begin_step(step);
      for (u32 i = rng.below(4); i > 0; --i) {
        const ConsolePart part = kConsoleParts[rng.below(static_cast<u32>(kConsoleParts.size()))].id;
        const u32 sparks = rng.below(100);
        console.take(part, sparks);
      }
      u64 live = 0, free = 0;
      console.for_each_block([&](std::size_t, std::size_t bytes, bool is_free) { (is_free ? free : live) += bytes; });
      ASSERT_LE(live + free, SmallConsole::kBytes) << "step " << step;
    }
    for (u32 mark = 0; mark < 2 * SmallConsole::kMarks; ++mark) {  // marks end by later ones
      console.begin_step(step += 200);
      console.take(ConsolePart::Mark);
    }
    console.begin_step(step + 200);
    EXPECT_LT(console.blocks(), SmallConsole::kMarks + 1);
    EXPECT_GE(console.free_bytes() + SmallConsole::kMarks * 48, all - SmallConsole::kMarks * 16)
        << "marks alone are left";
    console.choose(ConsoleMode::Off);
    console.choose(mode);
    EXPECT_EQ(console.free_bytes(), all);
    EXPECT_EQ(console.blocks(), 0u);
  }
}

TEST(SmallConsole, NoStepAllocatesForIt) {
  for (const ConsoleMode mode : {ConsoleMode::Heap, ConsoleMode::Pools}) {
    World world(config(9, StrategyId::FreeList));
    const std::array<frame::SimCommand, 1> on = {console_mode_command(mode)};
    world.step({}, on);
    for (u64 i = 0; i < 200; ++i) world.step(rapid_input(i), {});
    const u64 before = test::new_calls();
    for (u64 i = 200; i < 800; ++i) world.step(rapid_input(i), {});
    EXPECT_EQ(test::new_calls() - before, 0u);
  }
}

TEST(SmallConsole, TheCommandIsWrittenAndRead) {
  for (const frame::ConsoleModeRow& row : frame::kConsoleModes) {
    const std::string text = format_command(console_mode_command(row.id));
    EXPECT_EQ(text, "console " + std::string(row.name));
    frame::SimCommand read;
    EXPECT_EQ(parse_command(text, frame::SceneId::Spells, read), "");
    EXPECT_EQ(read.kind, frame::SimCommandKind::SetConsole);
    EXPECT_EQ(read.choice, static_cast<u8>(row.id));
    EXPECT_NE(parse_command(text, frame::SceneId::Shooter, read), "");
  }
  frame::SimCommand read;
  EXPECT_NE(parse_command("console on", frame::SceneId::Spells, read).find("off, heap, pools"), std::string::npos);
  EXPECT_NE(parse_command("console heap 3", frame::SceneId::Spells, read), "");
}

}  // namespace
}  // namespace spellpool::sim
