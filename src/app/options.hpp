#pragma once
#include <optional>
#include <string>
#include <vector>

#include "frame/sim_command.hpp"
#include "pool/strategy.hpp"
#include "sim/preset.hpp"

namespace spellpool::app {

enum class CommandId : u8 { Play, Compare, VerifyReplay, List, Block };

/// What starts a world; shared by play, compare and its blocks.
struct WorldOptions {
  sim::SceneId scene = sim::SceneId::Spells;
  sim::PresetId preset = sim::PresetId::Default;
  u64 seed = 1;
  pool::StrategyId strategy = pool::StrategyId::FreeList;
  pool::PolicyId policy = pool::PolicyId::Reject;
  u32 capacity = 0;                   ///< 0: the preset's.
  std::string data_dir;

  u32 effective_capacity() const { return capacity ? capacity : sim::kPresets[static_cast<std::size_t>(preset)].capacity; }
};

struct PlayOptions {
  WorldOptions world;
  std::optional<u64> steps;
  bool autoplay = false, headless = false, sim_only = false, fullscreen = false, no_ui = false, mute = false;
  bool vsync = true;
  bool strategy_given = false;        ///< --strategy stands over what a replay says.
  bool pool_panel = false, graph = false, help = false;  ///< Open at the start.
  u32 width = 1280, height = 720;
  float text_scale = 1.0f;
  u64 switch_every = 0;               ///< 0: never.
  std::string input, record_input, hash_out, json, commands, screenshot, audio_out;  ///< "" none; json "-": stdout.
  std::string record_csv;             ///< Record every frame from the start into this file.
};

struct CompareOptions {
  WorldOptions world;
  pool::StrategyId a = pool::StrategyId::Heap, b = pool::StrategyId::FreeList;
  u32 quads = 6;
  u64 steps = 600;                    ///< Measured in each block, after the warm-up.
  bool sim_only = false;
  u32 width = 1280, height = 720;
  std::string commands_a, commands_b;
  std::string out;
};

/// Hidden: one measured block, or the hash pass, of a comparison; run by the program itself.
struct BlockOptions {
  PlayOptions play;
  u64 warmup = 240;
  std::vector<int> place = {-1, -1, -1};  ///< Block, quad, position in it.
  std::string frames, report;         ///< Files of a measured block; none in a hash pass.
};

struct Options {
  CommandId command = CommandId::Play;
  PlayOptions play;
  CompareOptions compare;
  BlockOptions block;
  std::string replay;                 ///< verify-replay FILE.
  std::string list_topic;             ///< "" all.
  bool list_json = false;
};

/// Either options, or the program is to end at once with this exit code (0 for --help, 2 for bad usage) after this text.
struct ParseResult {
  std::optional<Options> options;
  int exit_code = 0;
  std::string text;
};
ParseResult parse_options(int argc, const char* const* argv);

}  // namespace spellpool::app
