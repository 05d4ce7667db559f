#include "sim/replay/replay.hpp"

#include "../pool/allocation_probe.hpp"
#include "sim/core/command_text.hpp"
#include "small_spells.hpp"

namespace spellpool::sim {
namespace {

using pool::PolicyId;
using pool::StrategyId;

frame::SimCommand arena_command() {
  frame::ArenaDef arena = *test::shipped_arena();
  arena[static_cast<std::size_t>(ArenaEmitter::Dust)].rate_per_s = 90.0f;
  frame::SimCommand command;
  command.kind = frame::SimCommandKind::SetArena;
  command.arena = std::make_shared<const frame::ArenaDef>(std::move(arena));
  return command;
}

std::vector<frame::SimCommand> script(u64 step) {
  switch (step) {
    case 40: return {strategy_command(StrategyId::Heap)};
    case 60: return {policy_command(PolicyId::StealOldest), capacity_command(300)};
    case 70:
      return {strategy_command(StrategyId::Heap, frame::PoolId::Seekers), capacity_command(3, frame::PoolId::Wisps),
              policy_command(PolicyId::StealOldest, frame::PoolId::Wisps)};
    case 80: return {spell_command(0, *small_spells()[1])};
    case 90: return {arena_command()};
    default: return {};
  }
}

Replay start() {
  Replay replay;
  replay.seed = 12345678901234567890ull;
  replay.pools = {PoolChoice{StrategyId::FreeList, PolicyId::Reject, 5000}, PoolChoice{StrategyId::Heap, PolicyId::StealOldest, 7},
                  PoolChoice{StrategyId::FreeList, PolicyId::Reject, frame::kMaxCapacity}};
  replay.pools[static_cast<std::size_t>(frame::PoolId::Decals)] = default_choices(replay.scene)[static_cast<std::size_t>(frame::PoolId::Decals)];
  replay.spell_texts = {"title = \"bolt\"\n+ 1 2 3\nend 0\n", "nova without an end of line", std::string("\n\n\xff\x00\x01 binary\n", 13),
                        "\n", "! strategy particles heap\n", "steps\n", "x", "spell meteor 3\nabc\n"};
  replay.arena_text = "the arena's\nsteps 3\n";
  return replay;
}

/// A world as the replay says, whatever its spells' texts are.
WorldConfig config_of(const Replay& replay) {
  WorldConfig made = config(replay.seed, StrategyId::FreeList);
  made.pools = replay.pools;
  return made;
}

/// A recorded game: its text, and what it should say.
struct Recorded {
  std::string text;
  std::vector<frame::InputFrame> inputs;
  std::vector<u64> hashes;
};
Recorded record(u64 steps) {
  const Replay head = start();
  World world(config_of(head));
  ReplayWriter writer(head);
  Autoplayer player(head.seed);
  Recorded recorded;
  for (u64 i = 0; i < steps; ++i) {
    const auto commands = script(i);
    for (const auto& command : commands) {
      const bool spell = command.kind == frame::SimCommandKind::SetSpell,
                 arena = command.kind == frame::SimCommandKind::SetArena;
      writer.command(command, spell ? "new text\nof a spell" : arena ? "! arena\n" : "");
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
  EXPECT_EQ(replay.pools, head.pools);
  EXPECT_EQ(replay.spell_texts, head.spell_texts);
  EXPECT_EQ(replay.arena_text, head.arena_text);
  EXPECT_EQ(replay.inputs, recorded.inputs);
  ASSERT_EQ(replay.hashes.size(), recorded.hashes.size());
  for (u64 i = 0; i < recorded.hashes.size(); ++i) EXPECT_TRUE(replay.agrees(i, recorded.hashes[i])) << i;
  ASSERT_EQ(replay.commands.size(), 8u);
  EXPECT_EQ(replay.commands[0].step, 40u);
  EXPECT_EQ(replay.commands[1].step, 60u);
  EXPECT_EQ(replay.commands[1].command.kind, frame::SimCommandKind::SetPolicy);
  EXPECT_EQ(replay.commands[2].command.capacity, 300u);
  EXPECT_EQ(replay.commands[3].command.pool, frame::PoolId::Seekers);
  EXPECT_EQ(replay.commands[4].command.pool, frame::PoolId::Wisps);
  EXPECT_EQ(replay.commands[4].command.capacity, 3u);
  EXPECT_EQ(replay.commands[5].command.kind, frame::SimCommandKind::SetPolicy);
  EXPECT_EQ(replay.commands[6].step, 80u);
  EXPECT_EQ(replay.commands[6].text, "new text\nof a spell");
  EXPECT_EQ(replay.commands[7].step, 90u);
  EXPECT_EQ(replay.commands[7].command.kind, frame::SimCommandKind::SetArena);
  EXPECT_EQ(replay.commands[7].text, "! arena\n");
}

TEST(Replay, PlayingItGivesTheRecordedHashes) {
  const Recorded recorded = record(200);
  const ReplayResult result = parse_replay(recorded.text);
  ASSERT_TRUE(result.replay) << result.error;
  const Replay& replay = *result.replay;
  for (const auto& row : pool::kStrategies) {  // the strategy to begin with is free
    WorldConfig made = config_of(replay);
    for (PoolChoice& choice : made.pools) choice.strategy = row.id;
    World world(made);
    std::size_t next = 0;
    for (u64 i = 0; i < replay.inputs.size(); ++i) {
      std::vector<frame::SimCommand> commands;
      for (; next < replay.commands.size() && replay.commands[next].step == i; ++next) {
        commands.push_back(replay.commands[next].command);
        if (commands.back().kind == frame::SimCommandKind::SetSpell) commands.back() = spell_command(0, *small_spells()[1]);
        if (commands.back().kind == frame::SimCommandKind::SetArena) commands.back() = arena_command();
      }
      world.step(replay.inputs[i], commands);
      ASSERT_TRUE(replay.agrees(i, world.hash())) << "step " << i;
    }
  }
}

TEST(Replay, EveryStepHasEightBitsAndEverySixtiethAndTheLastAll) {
  const Recorded recorded = record(130);
  const Replay replay = *parse_replay(recorded.text).replay;
  for (const u64 step : {0u, 58u, 60u, 128u}) {
    EXPECT_EQ(replay.hash_bits(step), 0xffu) << step;
    EXPECT_EQ(replay.hashes[step], recorded.hashes[step] & 0xff) << step;
    EXPECT_TRUE(replay.agrees(step, recorded.hashes[step] ^ 0x100)) << step;
    EXPECT_FALSE(replay.agrees(step, recorded.hashes[step] ^ 0x80)) << step;
  }
  for (const u64 step : {59u, 119u, 129u}) {
    EXPECT_EQ(replay.hashes[step], recorded.hashes[step]) << step;
    EXPECT_FALSE(replay.agrees(step, recorded.hashes[step] ^ (u64{1} << 63))) << step;
  }
}

/// As a program that wrote version 2 recorded it.
std::string version_2(const Recorded& recorded, std::string_view scene = "spells") {
  const Replay head = start();
  std::string text = "spellpool-replay 2\nscene " + std::string(scene) + "\npreset default\nseed " + std::to_string(head.seed) + "\n";
  for (const frame::PoolName& pool : frame::pools_of(frame::SceneId::Spells)) {
    const PoolChoice& choice = head.pools[static_cast<std::size_t>(pool.id)];
    text.append("pool ").append(pool.name).append(" ").append(row(choice.strategy).name).append(" ").append(row(choice.policy).name);
    text.append(" ").append(std::to_string(choice.capacity)).append("\n");
  }
  for (std::size_t i = 0; i < frame::kSpellCount; ++i) {
    text.append("spell ").append(frame::kSpellFiles[i]).append(" ").append(std::to_string(head.spell_texts[i].size())).append("\n");
    text.append(head.spell_texts[i]).append("\n");
  }
  text += "steps\n! strategy seekers heap\n";
  for (std::size_t i = 0; i < recorded.inputs.size(); ++i) {
    const frame::InputFrame& input = recorded.inputs[i];
    if (i > 0 && input == recorded.inputs[i - 1]) {
      text += "= ";
    } else {
      text += "+ ";
      for (const int value : {int{input.aim_x16}, int{input.aim_y16}, int{input.move_x}, int{input.move_y}, int{input.buttons}, int{input.select_spell}}) {
        text.append(std::to_string(value)).append(" ");
      }
    }
    append_hex16(text, recorded.hashes[i]);
    text += '\n';
  }
  const u64 check = replay_checksum(text);
  text.append("end ").append(std::to_string(recorded.inputs.size())).append(" ");
  append_hex16(text, check);
  return text.append("\n");
}

TEST(Replay, VersionTwoIsStillRead) {
  const Recorded recorded = record(70);
  const ReplayResult result = parse_replay(version_2(recorded));
  ASSERT_TRUE(result.replay) << result.error;
  EXPECT_EQ(result.replay->inputs, recorded.inputs);
  EXPECT_EQ(result.replay->hashes, recorded.hashes) << "all of each";
  EXPECT_FALSE(result.replay->agrees(3, recorded.hashes[3] ^ (u64{1} << 63)));
  EXPECT_EQ(result.replay->pools, start().pools);
  EXPECT_EQ(result.replay->spell_texts, start().spell_texts);
  EXPECT_EQ(result.replay->arena_text, "") << "it came later";
  EXPECT_EQ(result.replay->difficulty, frame::Difficulty::Normal);
  ASSERT_EQ(result.replay->commands.size(), 1u);
  EXPECT_FALSE(parse_replay(version_2(recorded, "shooter")).replay) << "the shooter came later";
}

Replay shooter_start() {
  Replay replay;
  replay.scene = frame::SceneId::Shooter;
  replay.difficulty = frame::Difficulty::Lunatic;
  replay.pools = default_choices(frame::SceneId::Shooter);
  for (u32 i = 0; i < 40; ++i) {
    const std::string number = std::to_string(i);
    replay.files.push_back({std::string("assets/patterns/a pattern of the stage ").append(number).append(".toml"), mix64(i)});
  }
  return replay;
}

/// A hand that changes on every third step.
frame::InputFrame shooter_input(u64 step) {
  const u64 bits = mix64(step / 3);
  const float turns = static_cast<float>(bits % 16) / 16.0f;
  frame::InputFrame input;
  input.move_x = static_cast<i8>(127.0f * cos_turns(turns));
  input.move_y = static_cast<i8>(127.0f * sin_turns(turns));
  input.buttons = static_cast<u8>(frame::kButtonFire | (bits >> 8 & 3u ? 0 : frame::kButtonFocus) | (bits >> 16 & 255u ? 0 : frame::kButtonBomb));
  return input;
}

TEST(Replay, OfTheShooterNamesItsFilesAndTheDifficulty) {
  ReplayWriter writer(shooter_start());
  frame::SimCommand command = strategy_command(StrategyId::Heap, frame::PoolId::Bullets);
  writer.command(command);
  for (u64 i = 0; i < 5; ++i) writer.step(shooter_input(i), mix64(i));
  const ReplayResult result = parse_replay(writer.text());
  ASSERT_TRUE(result.replay) << result.error;
  EXPECT_EQ(result.replay->scene, frame::SceneId::Shooter);
  EXPECT_EQ(result.replay->difficulty, frame::Difficulty::Lunatic);
  EXPECT_EQ(result.replay->files, shooter_start().files);
  EXPECT_EQ(result.replay->pools, shooter_start().pools);
  EXPECT_EQ(result.replay->commands.at(0).command.pool, frame::PoolId::Bullets);
}

TEST(Replay, HasTheTextsThatWereSavedWhileTheShooterWasPlayed) {
  const std::vector<ReplayText> texts = {{"assets/patterns/a.toml", "one\n\ntwo"}, {"assets/patterns/b c.toml", std::nullopt}, {"assets/stages/s.toml", ""}};
  frame::SimCommand command;
  command.kind = frame::SimCommandKind::SetStage;
  ReplayWriter writer(shooter_start());
  writer.step(shooter_input(0), 7);
  writer.command(command, format_texts(texts));
  writer.step(shooter_input(1), 8);
  const ReplayResult result = parse_replay(writer.text());
  ASSERT_TRUE(result.replay) << result.error;
  ASSERT_EQ(result.replay->commands.size(), 1u);
  EXPECT_EQ(result.replay->commands[0].command.kind, frame::SimCommandKind::SetStage);
  EXPECT_EQ(result.replay->commands[0].step, 1u);
  std::vector<ReplayText> read;
  ASSERT_EQ(parse_texts(result.replay->commands[0].text, read), "");
  EXPECT_EQ(read, texts);
  const auto error = [&](const std::string& block) {
    std::vector<ReplayText> unused;
    return parse_texts(block, unused);
  };
  EXPECT_NE(error(""), "");
  EXPECT_NE(error("gone assets/patterns/a.toml"), "") << "no line end";
  EXPECT_NE(error("gone ../a.toml\n"), "");
  EXPECT_NE(error("file assets/patterns/a.toml 9\nshort\n"), "");
  EXPECT_NE(error("file assets/patterns/a.toml\n"), "");
  EXPECT_NE(error("rings\n"), "");
  ReplayWriter spoilt(shooter_start());
  spoilt.command(command, "rings\n");
  EXPECT_NE(parse_replay(spoilt.text()).error.find("the texts before this line: neither a file nor one that is gone"), std::string::npos);
}

TEST(Replay, OfAWholeStageStaysBelow64KiB) {
  constexpr u64 kFiveMinutes = 18'000;
  ReplayWriter writer(shooter_start());
  for (u64 i = 0; i < kFiveMinutes; ++i) writer.step(shooter_input(i), mix64(i));
  const std::string text = writer.text();
  EXPECT_LT(text.size(), 64u * 1024u);
  const ReplayResult result = parse_replay(text);
  ASSERT_TRUE(result.replay) << result.error;
  for (u64 i = 0; i < kFiveMinutes; ++i) {
    ASSERT_EQ(result.replay->inputs[i], shooter_input(i)) << i;
    ASSERT_TRUE(result.replay->agrees(i, mix64(i))) << i;
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

TEST(Replay, ACutReplayIsOneThatEndedThere) {
  const auto play = [](ReplayWriter& writer, u64 from, u64 to) {
    for (u64 step = from; step < to; ++step) {
      if (step % 7 == 0) writer.command(load_command(frame::SimCommandKind::SetLoad, static_cast<u32>(step % 40) + 1));
      frame::InputFrame input;
      input.aim_x16 = static_cast<i16>(step / 3);
      writer.step(input, mix64(step));
    }
  };
  for (const u64 end : {u64{0}, u64{1}, u64{59}, u64{60}, u64{61}, u64{137}, u64{200}}) {
    ReplayWriter cut(start()), straight(start());
    play(cut, 0, 200);
    cut.cut(end, end > 0 ? mix64(end - 1) : 0);
    play(straight, 0, end);
    EXPECT_EQ(cut.steps(), end);
    if (end > 0) {
      EXPECT_EQ(cut.text(), straight.text()) << end;
    }
    play(cut, end, 150);
    play(straight, end, 150);
    EXPECT_EQ(cut.text(), straight.text()) << "it goes on after " << end;
  }
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
  const std::string text = record(90).text;
  const std::size_t first = text.find("\n! ") + 1;
  const std::size_t second = text.find('\n', first) + 1;
  expect_error(text.substr(0, first) + text.substr(second), "a command lost");
  expect_error(text.substr(0, second) + text.substr(first), "a command doubled");
  expect_error(std::string(text).append("\n"), "an empty line after the end");
  expect_error(text + text, "two replays");
}

TEST(Replay, RandomBytesAreAnError) {
  Rng rng(4);
  for (u32 i = 0; i < 2000; ++i) {
    std::string bytes;
    const bool older = i % 8 < 4;
    if (i % 2 != 0) bytes.append(older ? "spellpool-replay 2\n" : "spellpool-replay 3\n");
    if (i % 4 == 3) {
      bytes += "scene spells\npreset default\nseed 1\n";
      if (!older) bytes += "difficulty easy\n";
      for (const auto& pool : frame::pools_of(frame::SceneId::Spells)) bytes.append("pool ").append(pool.name).append(" heap reject 5\n");
      for (const auto& spell : frame::kSpellFiles) bytes.append("spell ").append(spell).append(" 1\na\n");
      bytes += older ? "steps\n" : i % 16 < 8 ? "steps 9\n" : "steps 9\ninputs 9\n";
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
  EXPECT_NE(error("spellpool-replay 1\nscene spells\n").find("version 1, but this program reads versions 2 and 3"), std::string::npos);
  EXPECT_NE(error("spellpool-replay 3\n").find("cut short in the header"), std::string::npos);
  EXPECT_NE(error("spellpool-replay 4\n").find("version 4"), std::string::npos);
  EXPECT_EQ(error("spellpool-replay \x1b[31m\n").find('\x1b'), std::string::npos) << "nothing that a terminal obeys";
  EXPECT_NE(error("spellpool-replay x\n").find("version"), std::string::npos);
  const std::string text = record(30).text;
  EXPECT_NE(error(text.substr(0, text.size() / 2)).find("line "), std::string::npos);
  EXPECT_NE(error(text.substr(0, text.rfind("end "))).find("cut short: the end line is missing"), std::string::npos);
  std::string other_version = text;
  other_version.at(17) = '9';
  EXPECT_NE(error(other_version).find("version 9"), std::string::npos);
  const std::string head = "spellpool-replay 2\n";
  EXPECT_NE(error(head + "scene moon\n").find("spells"), std::string::npos) << "names what there is";
  EXPECT_NE(error(head + "seed -4\n").find("line 2"), std::string::npos);
  EXPECT_FALSE(error(head + "pool particles heap reject 0\n").empty());
  EXPECT_FALSE(error(head + "pool particles heap reject 1000000000000\n").empty());
  EXPECT_FALSE(error(head + "pool particles nonsense reject 5\n").empty());
  EXPECT_NE(error(head + "pool voices heap reject 5\n").find("particles, seekers, wisps"), std::string::npos);
  std::string other_scene = text;
  other_scene.insert(other_scene.find("pool particles"), "pool bullets heap reject 5\n");
  EXPECT_NE(error(other_scene).find("the scene spells has no pool bullets"), std::string::npos);
  EXPECT_NE(error(head + "pool wisps heap reject 5\npool wisps heap reject 5\n").find("line 3: this pool has a line already"), std::string::npos);
  EXPECT_NE(error(head + "seed 1\nseed 1\n").find("already"), std::string::npos);
  EXPECT_NE(error(head + "spell meteor 0\n\n").find("empty"), std::string::npos);
  EXPECT_FALSE(error(head + "spell firebolt 18446744073709551615\nx\n").empty()) << "a byte count that would wrap";
  EXPECT_FALSE(error(head + "spell firebolt 99999999\nx\n").empty());
  EXPECT_FALSE(error(head + "spell fireball 1\nx\n").empty());
  EXPECT_FALSE(error(head + "steps\n").empty()) << "no seed, no pool, no spells";
  EXPECT_NE(error(head + "difficulty easy\n").find("unknown word"), std::string::npos) << "version 2 had none";
  const std::string head_3 = "spellpool-replay 3\n";
  EXPECT_NE(error(head_3 + "difficulty dire\n").find("there are: easy, normal, hard, lunatic"), std::string::npos);
  EXPECT_NE(error(head_3 + "difficulty easy\ndifficulty easy\n").find("already"), std::string::npos);
  const std::string file = "file assets/patterns/ring.toml 0123456789abcdef\n";
  EXPECT_NE(error(head_3 + file + file).find("line 3: this file has a line already"), std::string::npos);
  for (const char* name : {"/etc/passwd", "assets/../x", "settings.toml", "", "assets/\x1b[1m"}) {
    EXPECT_NE(error(head_3 + "file " + name + " 0123456789abcdef\n").find("assets/"), std::string::npos) << name;
  }
  EXPECT_NE(error(head_3 + "file assets/a.toml 0123\n").find("checksum"), std::string::npos);
  const auto changed = [&](const std::string& from, const std::string& to) {
    std::string other = text;
    other.replace(other.find(from), from.size(), to);
    return error(other);
  };
  EXPECT_NE(changed("difficulty normal\n", "").find("lacks the difficulty"), std::string::npos);
  EXPECT_NE(changed("difficulty normal\n", "difficulty normal\n" + file).find("texts instead of files"), std::string::npos);
  EXPECT_NE(changed("\nsteps 30\n", "\nsteps 31\n").find("inputs are not of 31 steps"), std::string::npos);
  EXPECT_NE(changed("\nsteps 30\n", "\nsteps 18446744073709551615\n").find("fewer bytes than steps"), std::string::npos);
  EXPECT_NE(changed("\nsteps 30\n", "\nsteps 30\n! 31 strategy seekers heap\n").find("not the number of a step"), std::string::npos);
  EXPECT_NE(changed("\nsteps 30\n", "\nsteps 30\n! 4 strategy seekers heap\n! 3 strategy seekers heap\n").find("do not rise"), std::string::npos);
  EXPECT_NE(changed("\nsteps 30\n", "\nsteps 30\n! 3 strategy bullets heap\n").find("the scene spells has no pool bullets"), std::string::npos);
  std::string no_files = ReplayWriter(shooter_start()).text();
  no_files.erase(no_files.find("file "), no_files.find("steps 0") - no_files.find("file "));
  EXPECT_NE(error(no_files).find("lacks the files"), std::string::npos);
}

TEST(Replay, APoolThatIsYoungerThanTheReplayStartsAsByDefault) {
  const Recorded recorded = record(200);
  std::string old = recorded.text;
  const std::size_t at = old.find("\npool decals");
  ASSERT_NE(at, std::string::npos);
  old.erase(at, old.find('\n', at + 1) - at);
  old.erase(old.rfind("end "));
  const u64 check = replay_checksum(old);
  append_hex16(old += "end ", check);
  old += '\n';
  const ReplayResult result = parse_replay(old);
  ASSERT_TRUE(result.replay) << result.error;
  const PoolChoice& decals = result.replay->pools[static_cast<std::size_t>(frame::PoolId::Decals)];
  EXPECT_EQ(decals, default_choices(frame::SceneId::Spells)[static_cast<std::size_t>(frame::PoolId::Decals)]);
  EXPECT_EQ(result.replay->hashes, parse_replay(recorded.text).replay->hashes);
}

TEST(Replay, AMissingPoolOrSpellIsNamed) {
  const std::string text = record(3).text;
  for (const auto& pool : frame::pools_of(frame::SceneId::Spells)) {
    const std::size_t at = text.find("\npool " + std::string(pool.name));
    std::string without = text;
    without.erase(at, text.find('\n', at + 1) - at);
    if (pool.id == frame::PoolId::Decals) continue;  // see APoolThatIsYoungerThanTheReplayStartsAsByDefault
    EXPECT_NE(parse_replay(without).error.find("lacks the pool " + std::string(pool.name)), std::string::npos);
  }
  std::string without = text;
  const std::size_t at = text.find("spell healing_motes 1\nx\n");
  without.erase(at, text.find("spell starfall") - at);
  EXPECT_NE(parse_replay(without).error.find("lacks the spell healing_motes"), std::string::npos);
}

TEST(Replay, AStepAllocatesNothing) {
  ReplayWriter writer(start());
  const u64 before = test::new_calls();
  frame::InputFrame input;
  for (u32 i = 0; i < 30 * 3600; ++i) {
    input.aim_x16 = static_cast<i16>(-20000 + static_cast<i32>(i % 2));
    input.aim_y16 = -20000;
    writer.step(input, ~u64{0});
  }
  EXPECT_EQ(test::new_calls() - before, 0u);
}

// ---------------------------------------------------------------------------------------------------- command text

TEST(CommandText, EveryCommandSurvivesTheRoundTrip) {
  std::vector<frame::SimCommand> commands;
  for (const auto& pool : frame::pools_of(frame::SceneId::Spells)) {
    for (const auto& row : pool::kStrategies) commands.push_back(strategy_command(row.id, pool.id));
    for (const auto& row : pool::kPolicies) commands.push_back(policy_command(row.id, pool.id));
    for (const u32 capacity : {frame::kMinCapacity, 500u, frame::kMaxCapacity}) commands.push_back(capacity_command(capacity, pool.id));
  }
  for (const auto kind : {frame::SimCommandKind::SetFill, frame::SimCommandKind::SetMemory, frame::SimCommandKind::Trim}) {
    for (const u8 choice : {u8{0}, u8{1}}) {
      frame::SimCommand command;
      command.kind = kind;
      if (kind == frame::SimCommandKind::Trim) command.capacity = choice * 100u;
      else command.choice = choice;
      commands.push_back(command);
    }
  }
  for (const u32 times : {1u, frame::kMostSparks}) commands.push_back(load_command(frame::SimCommandKind::SetLoad, times));
  for (const u32 times : {0u, frame::kMostChurn}) commands.push_back(load_command(frame::SimCommandKind::SetChurn, times));
  for (const u8 aged : {u8{0}, u8{1}}) commands.push_back(load_command(frame::SimCommandKind::SetHeapAge, 0, aged));
  frame::SimCommand stress;
  stress.kind = frame::SimCommandKind::SetStress;
  stress.capacity = 23'500;
  frame::SimCommand read_stress;
  EXPECT_EQ(parse_command(format_command(stress), frame::SceneId::Shooter, read_stress), "");
  EXPECT_EQ(read_stress.kind, stress.kind);
  EXPECT_EQ(read_stress.capacity, stress.capacity);
  EXPECT_NE(parse_command(format_command(stress), frame::SceneId::Spells, read_stress), "") << "it has no bullets";
  for (const auto& command : commands) {
    frame::SimCommand read;
    EXPECT_EQ(parse_command(format_command(command), frame::SceneId::Spells, read), "") << format_command(command);
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
      {"strategy bullets heap", "the scene spells has no pool bullets; there are: particles, seekers, wisps, decals"},
      {"strategy \x1b[1m heap", "'?[1m'"},
      {"capacity wisps 0", "'0'"},
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
      {"memory", "arena"},
      {"memory stack", "'stack'"},
      {"memory heap now", "too many"},
      {"fill particles maybe", "'maybe'"},
      {"trim particles -1", "'-1'"},
      {"load", "from 1 to 50"},
      {"load 0", "'0'"},
      {"load 51", "'51'"},
      {"load 5 5", "too many"},
      {"churn -1", "from 0 to 50"},
      {"churn 51", "'51'"},
      {"heap old", "fresh nor aged"},
      {"loa", "heap"},
      {"load, churn", "'load,'"},
  };
  for (const auto& row : kRows) {
    frame::SimCommand command;
    const std::string error = parse_command(row.text, frame::SceneId::Spells, command);
    EXPECT_NE(error.find(row.part), std::string::npos) << '"' << row.text << "\" gave: " << error;
    EXPECT_EQ(error.find('\n'), std::string::npos);
  }
  frame::SimCommand command;
  EXPECT_LT(parse_command(std::string(100'000, 'x'), frame::SceneId::Spells, command).size(), 200u);
}

TEST(CommandText, PoolsAreThoseOfTheScene) {
  frame::SimCommand command;
  EXPECT_EQ(parse_command("capacity enemies 7", frame::SceneId::Shooter, command), "");
  EXPECT_EQ(command.pool, frame::PoolId::Enemies);
  EXPECT_NE(parse_command("capacity wisps 7", frame::SceneId::Shooter, command).find("the scene shooter has no pool wisps"), std::string::npos);
}

TEST(CommandText, BlanksBetweenWordsAreFree) {
  frame::SimCommand command;
  EXPECT_EQ(parse_command("  capacity\tparticles   77 ", frame::SceneId::Spells, command), "");
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
