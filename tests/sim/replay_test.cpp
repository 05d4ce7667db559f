#include "sim/replay.hpp"

#include "sim/command_text.hpp"
#include "small_spells.hpp"

namespace spellpool::sim {
namespace {

using pool::PolicyId;
using pool::StrategyId;

std::vector<frame::SimCommand> script(u64 step) {
  switch (step) {
    case 40: return {strategy_command(StrategyId::Heap)};
    case 60: return {policy_command(PolicyId::StealOldest), capacity_command(300)};
    case 80: return {spell_command(0, *small_spells()[1])};
    default: return {};
  }
}

Replay start() {
  Replay replay;
  replay.seed = 12345678901234567890ull;
  replay.strategy = StrategyId::FreeList;
  replay.policy = PolicyId::Reject;
  replay.capacity = 5000;
  replay.spell_texts = {"title = \"bolt\"\n+ 1 2 3\nend 0\n", "nova without an end of line", std::string("\n\n\xff\x00\x01 binary\n", 13)};
  return replay;
}

/// A recorded game: its text, and what it should say.
struct Recorded {
  std::string text;
  std::vector<frame::InputFrame> inputs;
  std::vector<u64> hashes;
};
Recorded record(u64 steps) {
  const Replay head = start();
  World world(config(head.seed, head.strategy, head.policy, head.capacity));
  ReplayWriter writer(head);
  Autoplayer player(head.seed);
  Recorded recorded;
  for (u64 i = 0; i < steps; ++i) {
    const auto commands = script(i);
    for (const auto& command : commands) {
      writer.command(command, command.kind == frame::SimCommandKind::SetSpell ? "new text\nof a spell" : "");
    }
    frame::InputFrame input = player.next(world);
    if (i % 3 != 0 && !recorded.inputs.empty()) input = recorded.inputs.back();  // repeats too
    world.step(input, commands);
    writer.step(input, world.hash());
    recorded.inputs.push_back(input);
    recorded.hashes.push_back(world.hash());
  }
  EXPECT_EQ(writer.steps(), steps);
  recorded.text = writer.text();
  EXPECT_EQ(writer.text(), recorded.text) << "asking for the text changes nothing";
  return recorded;
}

TEST(Replay, WhatIsWrittenIsRead) {
  const Recorded recorded = record(120);
  const ReplayResult result = parse_replay(recorded.text);
  ASSERT_TRUE(result.replay) << result.error;
  const Replay& replay = *result.replay;
  const Replay head = start();
  EXPECT_EQ(replay.seed, head.seed);
  EXPECT_EQ(replay.scene, head.scene);
  EXPECT_EQ(replay.preset, head.preset);
  EXPECT_EQ(replay.strategy, head.strategy);
  EXPECT_EQ(replay.policy, head.policy);
  EXPECT_EQ(replay.capacity, head.capacity);
  EXPECT_EQ(replay.spell_texts, head.spell_texts);
  EXPECT_EQ(replay.inputs, recorded.inputs);
  EXPECT_EQ(replay.hashes, recorded.hashes);
  ASSERT_EQ(replay.commands.size(), 4u);
  EXPECT_EQ(replay.commands[0].step, 40u);
  EXPECT_EQ(replay.commands[1].step, 60u);
  EXPECT_EQ(replay.commands[1].command.kind, frame::SimCommandKind::SetPolicy);
  EXPECT_EQ(replay.commands[2].command.capacity, 300u);
  EXPECT_EQ(replay.commands[3].step, 80u);
  EXPECT_EQ(replay.commands[3].spell_text, "new text\nof a spell");
}

TEST(Replay, PlayingItGivesTheRecordedHashes) {
  const Recorded recorded = record(200);
  const ReplayResult result = parse_replay(recorded.text);
  ASSERT_TRUE(result.replay) << result.error;
  const Replay& replay = *result.replay;
  for (const auto& row : pool::kStrategies) {  // the strategy to begin with is free
    World world(config(replay.seed, row.id, replay.policy, replay.capacity));
    std::size_t next = 0;
    for (u64 i = 0; i < replay.inputs.size(); ++i) {
      std::vector<frame::SimCommand> commands;
      for (; next < replay.commands.size() && replay.commands[next].step == i; ++next) {
        commands.push_back(replay.commands[next].command);
        if (commands.back().kind == frame::SimCommandKind::SetSpell) commands.back() = spell_command(0, *small_spells()[1]);
      }
      world.step(replay.inputs[i], commands);
      ASSERT_EQ(world.hash(), replay.hashes[i]) << "step " << i;
    }
  }
}

TEST(Replay, TheWriterGoesOnAfterItsTextWasTaken) {
  ReplayWriter writer(start());
  frame::InputFrame input;
  writer.step(input, 1);
  const std::string short_text = writer.text();
  writer.step(input, 2);
  EXPECT_EQ(parse_replay(short_text).replay->hashes, (std::vector<u64>{1}));
  EXPECT_EQ(parse_replay(writer.text()).replay->hashes, (std::vector<u64>{1, 2}));
}

TEST(Replay, ExtremeInputsSurvive) {
  ReplayWriter writer(start());
  const frame::InputFrame inputs[] = {{-32768, 32767, -128, 127, 255, 255}, {32767, -32768, 127, -128, 0, 0}, {0, 0, 0, 0, 0, 255}};
  for (const auto& input : inputs) writer.step(input, ~u64{0});
  const ReplayResult result = parse_replay(writer.text());
  ASSERT_TRUE(result.replay) << result.error;
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(result.replay->inputs[i], inputs[i]);
}

void expect_error(std::string_view text, std::string_view what) {
  const ReplayResult result = parse_replay(text);
  ASSERT_FALSE(result.replay) << what;
  ASSERT_FALSE(result.error.empty()) << what;
  ASSERT_EQ(result.error.find('\n'), std::string::npos) << what << ": one line";
  ASSERT_LT(result.error.size(), 250u) << what;
}

TEST(Replay, CutShortAnywhereIsAnError) {
  const std::string text = record(90).text;
  ASSERT_TRUE(parse_replay(text).replay);
  for (std::size_t length = 0; length < text.size(); ++length) {
    expect_error(std::string_view(text).substr(0, length), std::to_string(length).append(" bytes of it"));
    if (HasFatalFailure()) return;
  }
}

TEST(Replay, AnyFlippedBitIsAnError) {
  const std::string text = record(90).text;
  Rng rng(8);
  auto flip = [&](std::size_t at, u32 bit) {
    std::string damaged = text;
    damaged[at] = static_cast<char>(damaged[at] ^ (1u << bit));
    expect_error(damaged, std::to_string(at).append(": bit ").append(std::to_string(bit)));
  };
  for (u32 i = 0; i < 3000; ++i) flip(rng.below(static_cast<u32>(text.size())), rng.below(8));
  for (std::size_t at = text.size() - 30; at < text.size(); ++at) {  // the end line is not under the checksum
    for (u32 bit = 0; bit < 8; ++bit) flip(at, bit);
  }
}

TEST(Replay, LinesLostDoubledOrExchangedAreErrors) {
  const std::string text = record(30).text;
  const std::size_t first = text.find("\nsteps\n") + 7;
  const std::size_t second = text.find('\n', first) + 1;
  expect_error(text.substr(0, first) + text.substr(second), "a step lost");
  expect_error(text.substr(0, second) + text.substr(first), "a step doubled");
  expect_error(std::string(text).append("\n"), "an empty line after the end");
  expect_error(text + text, "two replays");
}

TEST(Replay, RandomBytesAreAnError) {
  Rng rng(4);
  for (u32 i = 0; i < 2000; ++i) {
    std::string bytes;
    if (i % 2 != 0) bytes.append("spellpool-replay 1\n");
    if (i % 4 == 3) {
      bytes += "scene spells\npreset default\nseed 1\npool particles heap reject 5\n"
               "spell firebolt 2\nab\nspell frost_nova 1\na\nspell arcane_vortex 1\na\nsteps\n";
    }
    for (u32 n = rng.below(300); n > 0; --n) bytes += static_cast<char>(rng.below(i % 3 == 0 ? 256 : 96) + (i % 3 == 0 ? 0 : 32));
    expect_error(bytes, std::to_string(i));
    if (HasFatalFailure()) return;
  }
}

TEST(Replay, ErrorsSayWhatIsWrong) {
  auto error = [](std::string_view text) { return parse_replay(text).error; };
  EXPECT_EQ(error(""), "the file is empty");
  EXPECT_NE(error("GIF89a").find("not a Spellpool replay"), std::string::npos);
  EXPECT_NE(error("spellpool-replay 2\n").find("version 2"), std::string::npos);
  EXPECT_NE(error("spellpool-replay x\n").find("version"), std::string::npos);
  const std::string text = record(30).text;
  EXPECT_NE(error(text.substr(0, text.size() / 2)).find("line "), std::string::npos);
  EXPECT_NE(error(text.substr(0, text.rfind("end "))).find("cut short after step 30"), std::string::npos);
  std::string other_version = text;
  other_version.at(17) = '9';
  EXPECT_NE(error(other_version).find("version 9"), std::string::npos);
  const std::string head = "spellpool-replay 1\n";
  EXPECT_NE(error(head + "scene moon\n").find("spells"), std::string::npos) << "names what there is";
  EXPECT_NE(error(head + "seed -4\n").find("line 2"), std::string::npos);
  EXPECT_FALSE(error(head + "pool particles heap reject 0\n").empty());
  EXPECT_FALSE(error(head + "pool particles heap reject 1000000000000\n").empty());
  EXPECT_FALSE(error(head + "pool particles nonsense reject 5\n").empty());
  EXPECT_FALSE(error(head + "spell firebolt 18446744073709551615\nx\n").empty()) << "a byte count that would wrap";
  EXPECT_FALSE(error(head + "spell firebolt 99999999\nx\n").empty());
  EXPECT_FALSE(error(head + "spell fireball 1\nx\n").empty());
  EXPECT_FALSE(error(head + "steps\n").empty()) << "no seed, no pool, no spells";
}

// ---------------------------------------------------------------------------------------------------- command text

TEST(CommandText, EveryCommandSurvivesTheRoundTrip) {
  std::vector<frame::SimCommand> commands;
  for (const auto& row : pool::kStrategies) commands.push_back(strategy_command(row.id));
  for (const auto& row : pool::kPolicies) commands.push_back(policy_command(row.id));
  for (const u32 capacity : {frame::kMinCapacity, 500u, frame::kMaxCapacity}) commands.push_back(capacity_command(capacity));
  for (const auto& command : commands) {
    frame::SimCommand read;
    EXPECT_EQ(parse_command(format_command(command), read), "") << format_command(command);
    EXPECT_EQ(read.kind, command.kind);
    EXPECT_EQ(read.choice, command.choice);
    EXPECT_EQ(read.capacity, command.capacity);
    EXPECT_EQ(read.pool, command.pool);
  }
}

TEST(CommandText, ErrorsNameTheWordAndTheChoices) {
  const struct {
    const char *text, *part;
  } kRows[] = {
      {"", "strategy"},
      {"   ", "strategy"},
      {"stratgy particles heap", "'stratgy'"},
      {"Strategy particles heap", "'Strategy'"},
      {"strategy", "particles"},
      {"strategy voices heap", "'voices'"},
      {"strategy particles", "free_list"},
      {"strategy particles freelist", "'freelist'"},
      {"strategy particles heap heap", "too many"},
      {"overflow particles rejct", "reject"},
      {"overflow particles", "steal_oldest"},
      {"capacity particles", "whole number"},
      {"capacity particles 0", "'0'"},
      {"capacity particles -1", "'-1'"},
      {"capacity particles 2097153", "2097152"},
      {"capacity particles 1000000000000", "whole number"},
      {"capacity particles 99999999999999999999999", "whole number"},
      {"capacity particles 5x", "'5x'"},
      {"capacity particles 1e3", "'1e3'"},
      {"capacity particles +5", "'+5'"},
      {"capacity particles 5.5", "'5.5'"},
  };
  for (const auto& row : kRows) {
    frame::SimCommand command;
    const std::string error = parse_command(row.text, command);
    EXPECT_NE(error.find(row.part), std::string::npos) << '"' << row.text << "\" gave: " << error;
    EXPECT_EQ(error.find('\n'), std::string::npos);
  }
  frame::SimCommand command;
  EXPECT_LT(parse_command(std::string(100'000, 'x'), command).size(), 200u);
}

TEST(CommandText, BlanksBetweenWordsAreFree) {
  frame::SimCommand command;
  EXPECT_EQ(parse_command("  capacity\tparticles   77 ", command), "");
  EXPECT_EQ(command.capacity, 77u);
}

TEST(CommandText, NumbersAreWholeAndInRange) {
  u64 value = 0;
  EXPECT_TRUE(parse_number("18446744073709551615", 0, ~u64{0}, value));
  EXPECT_EQ(value, ~u64{0});
  EXPECT_FALSE(parse_number("18446744073709551616", 0, ~u64{0}, value));
  EXPECT_FALSE(parse_number("", 0, 9, value));
  EXPECT_FALSE(parse_number(" 1", 0, 9, value));
  EXPECT_FALSE(parse_number("10", 0, 9, value));
  EXPECT_FALSE(parse_number("0", 1, 9, value));
}

TEST(HexDigits, AreSixteenAndLowerCase) {
  std::string text;
  append_hex16(text, 0xabcdef0123456789ull);
  append_hex16(text, 0);
  EXPECT_EQ(text, "abcdef01234567890000000000000000");
}

}  // namespace
}  // namespace spellpool::sim
