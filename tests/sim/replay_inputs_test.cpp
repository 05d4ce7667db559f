#include "sim/replay/replay_inputs.hpp"

#include <gtest/gtest.h>

#include "core/rng.hpp"

namespace spellpool::sim {
namespace {

using frame::InputFrame;

std::string written(const std::vector<InputFrame>& inputs) {
  InputRuns runs;
  std::string bytes;
  for (const InputFrame& input : inputs) runs.add(input, bytes);
  runs.end(bytes);
  return bytes;
}

std::vector<InputFrame> read(std::string_view bytes, u64 steps) {
  std::vector<InputFrame> inputs;
  return read_input_runs(bytes, steps, inputs) ? inputs : std::vector<InputFrame>{};
}

/// Anything that an input can be, often again and again.
std::vector<InputFrame> any_inputs(u64 seed, u32 count) {
  Rng rng(seed);
  std::vector<InputFrame> inputs;
  InputFrame input;
  while (inputs.size() < count) {
    if (rng.below(3) == 0) input.aim_x16 = static_cast<i16>(rng.below(65536) - 32768);
    if (rng.below(3) == 0) input.aim_y16 = static_cast<i16>(rng.below(65536) - 32768);
    if (rng.below(3) == 0) input.move_x = static_cast<i8>(rng.below(256) - 128);
    if (rng.below(3) == 0) input.buttons = static_cast<u8>(rng.below(256));
    if (rng.below(9) == 0) input.select_spell = static_cast<u8>(rng.below(256));
    for (u32 steps = 1 + rng.below(rng.below(4) == 0 ? 300 : 3); steps > 0; --steps) inputs.push_back(input);
  }
  return inputs;
}

TEST(ReplayInputs, WhatIsWrittenIsRead) {
  for (u64 seed = 0; seed < 40; ++seed) {
    const std::vector<InputFrame> inputs = any_inputs(seed, 2'000);  // more than 255 different moves
    EXPECT_EQ(read(written(inputs), inputs.size()), inputs) << seed;
  }
}

TEST(ReplayInputs, ExtremesAreRead) {
  const std::vector<InputFrame> inputs = {{-32768, 32767, -128, 127, 255, 255}, {32767, -32768, 127, -128, 0, 0}, {-32768, 32767, -128, 127, 255, 255}};
  EXPECT_EQ(read(written(inputs), 3), inputs);
  EXPECT_EQ(read("", 0), std::vector<InputFrame>{});
}

TEST(ReplayInputs, AHandAtRestCostsNothing) {
  EXPECT_LE(written(std::vector<InputFrame>(100'000)).size(), 5u);
  EXPECT_EQ(written(std::vector<InputFrame>(7)).size(), 1u);
}

TEST(ReplayInputs, AMoveThatWasMadeBeforeCostsTwoBytes) {
  std::vector<InputFrame> inputs;
  for (u32 i = 0; i < 300; ++i) inputs.push_back({0, 0, static_cast<i8>(i % 16 * 8), static_cast<i8>(64), 0});
  EXPECT_LE(written(inputs).size(), 300u * 2 + 16 * 2);
}

TEST(ReplayInputs, OtherNumbersOfStepsAndTornBytesAreRefused) {
  const std::vector<InputFrame> inputs = any_inputs(7, 200);
  const std::string bytes = written(inputs);
  std::vector<InputFrame> out;
  EXPECT_FALSE(read_input_runs(bytes, inputs.size() + 1, out));
  EXPECT_FALSE(read_input_runs(bytes, inputs.size() - 1, out));
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    out.clear();
    EXPECT_FALSE(read_input_runs(std::string_view(bytes).substr(0, length), inputs.size(), out)) << length;
  }
}

TEST(ReplayInputs, NumbersThatWrapAreRefused) {
  std::vector<InputFrame> out;
  EXPECT_FALSE(read_input_runs(std::string("\x00\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 11), 7, out)) << "a number of more than 63 bits";
  EXPECT_FALSE(read_input_runs(std::string("\x00\x80\x80\x80\x80\x80\x20", 7), 7, out)) << "a run of 2^40 steps, of 7 in all";
  EXPECT_FALSE(read_input_runs(std::string("\x21\xff\xff\xff\x7f", 5), 1, out)) << "an aim outside of the world";
  EXPECT_FALSE(read_input_runs(std::string("\x21\x80\x80\x04", 4), 1, out)) << "one past its end: 32768";
  EXPECT_TRUE(read_input_runs(std::string("\x21\xfe\xff\x03", 4), 1, out)) << "32767";
  out.clear();
  EXPECT_FALSE(read_input_runs(std::string("\x24\x01\x00\x00", 4), 1, out)) << "a move that is not in the list";
  EXPECT_TRUE(out.empty());
}

}  // namespace
}  // namespace spellpool::sim
