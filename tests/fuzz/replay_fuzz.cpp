// The replay reader under any bytes: it never crashes, its errors are one short line, and what it reads is read again
// equal when it is written again.
//
// A checksum guards a replay, so that changed bytes seldom get past it. Each input is therefore also tried with a right end
// line in place of its own.
#include <cstdio>
#include <cstdlib>

#include "sim/replay/replay.hpp"

namespace {

using namespace spellpool;

void expect(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "replay_fuzz: %s\n", what);
  std::abort();
}

std::string written(const sim::Replay& replay) {
  sim::ReplayWriter writer(replay, 4096);
  std::size_t next = 0;
  auto commands_of = [&](u64 step) {
    for (; next < replay.commands.size() && replay.commands[next].step == step; ++next) {
      writer.command(replay.commands[next].command, replay.commands[next].text);
    }
  };
  for (std::size_t i = 0; i < replay.inputs.size(); ++i) {
    commands_of(i);
    writer.step(replay.inputs[i], replay.hashes[i]);
  }
  commands_of(replay.inputs.size());
  expect(next == replay.commands.size(), "a command has no step");
  return writer.text();
}

bool equal(const sim::ReplayCommand& a, const sim::ReplayCommand& b) {
  const frame::SimCommand &x = a.command, &y = b.command;
  return a.step == b.step && a.text == b.text && x.kind == y.kind && x.pool == y.pool && x.choice == y.choice &&
         x.capacity == y.capacity && x.spell == y.spell;
}

bool equal(const sim::Replay& a, const sim::Replay& b) {
  if (a.commands.size() != b.commands.size()) return false;
  for (std::size_t i = 0; i < a.commands.size(); ++i) {
    if (!equal(a.commands[i], b.commands[i])) return false;
  }
  if (a.hashes.size() != b.hashes.size()) return false;
  for (std::size_t i = 0; i < a.hashes.size(); ++i) {
    if (!b.agrees(i, a.hashes[i])) return false;  // of an older version a has more bits than b
  }
  return a.scene == b.scene && a.difficulty == b.difficulty && a.preset == b.preset && a.seed == b.seed &&
         a.pools == b.pools && a.spell_texts == b.spell_texts && a.arena_text == b.arena_text &&
         a.files == b.files && a.inputs == b.inputs;
}

/// The error, or "".
std::string try_text(std::string_view text) {
  const sim::ReplayResult result = sim::parse_replay(text);
  if (!result.replay) {
    expect(!result.error.empty(), "neither a replay nor an error");
    expect(result.error.size() < 300 && result.error.find_first_of("\n\r") == std::string::npos, "the error is no short line");
    return result.error;
  }
  expect(result.error.empty(), "a replay and an error");
  const std::string again = written(*result.replay);
  const sim::ReplayResult second = sim::parse_replay(again);
  expect(second.replay.has_value(), "what was written is not read");
  expect(equal(*result.replay, *second.replay), "what was written is read as something else");
  expect(written(*second.replay) == again, "written twice, it differs");
  return {};
}

/// The bytes as inputs of a few steps, of which the first byte says how many.
void try_inputs(std::string_view bytes) {
  if (bytes.empty()) return;
  const u64 steps = static_cast<u8>(bytes.front());
  std::vector<frame::InputFrame> inputs, again;
  if (!sim::read_input_runs(bytes.substr(1), steps, inputs)) return;
  expect(inputs.size() == steps, "more or fewer inputs than steps");
  sim::InputRuns runs;
  std::string written_runs;
  for (const frame::InputFrame& input : inputs) runs.add(input, written_runs);
  runs.end(written_runs);
  expect(sim::read_input_runs(written_runs, steps, again) && again == inputs, "inputs are read as something else");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try_text(text);
  try_inputs(text);

  // Version 2: without its last line the reader says how many steps there were; with them the end line can be made.
  const std::size_t last = text.rfind("\nend ");
  std::string body(text.substr(0, last == std::string_view::npos ? size : last + 1));
  constexpr std::string_view kAfter = "cut short after step ";
  const std::string error = try_text(body);
  const std::size_t at = error.find(kAfter);
  const u64 check = sim::replay_checksum(body);
  body += "end ";
  if (at != std::string::npos) body += std::to_string(std::strtoull(error.c_str() + at + kAfter.size(), nullptr, 10)) + " ";
  sim::append_hex16(body, check);
  body += "\n";
  try_text(body);
  return 0;
}
