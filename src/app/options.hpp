#pragma once
#include <optional>
#include <string>
#include <vector>

#include "app/compare_arm.hpp"
#include "app/compare_plan.hpp"
#include "app/pools/storage_load.hpp"
#include "frame/defs/pattern_def.hpp"
#include "frame/defs/stage_def.hpp"
#include "frame/pool_sizes.hpp"
#include "frame/scene.hpp"
#include "frame/settings.hpp"
#include "frame/sim_command.hpp"
#include "frame/views/lesson_view.hpp"
#include "measure/record/heap_age.hpp"
#include "sim/core/pool_choice.hpp"
#include "sim/core/preset.hpp"

namespace spellpool::app {

enum class CommandId : u8 { Play, Compare, Report, VerifyReplay, SyncTest, List, Block };

/// What starts a world; shared by play, compare and its blocks.
struct WorldOptions {
  static constexpr u32 kAsInFile = ~u32{0};
  frame::SceneId scene = frame::kScenes.front().id;
  sim::PresetId preset = sim::PresetId::Default;
  frame::Difficulty difficulty = frame::Difficulty::Normal;
  u64 seed = 1;
  sim::PoolChoices pools;             ///< Capacity 0: the preset's, or that of `sizes`.
  frame::PoolSizes sizes = frame::default_sizes(frame::kScenes.front().id);   ///< Of the scene: assets/pools.toml.
  std::optional<u32> voice_slots;     ///< Of the scene: assets/pools.toml, if it says so.
  std::array<std::string_view, frame::kPoolCount> named_by{};              ///< The option that names this pool, or none.
  bool gradual = false;               ///< Slots are made ready while the game runs: only in a window.
  std::string data_dir;

  WorldOptions() {
    for (const frame::PoolName& row : frame::kPools) {
      sim::PoolChoice& pool = pools[static_cast<std::size_t>(row.id)];
      pool.strategy = sim::default_strategy(row.id);
      pool.policy = sim::default_policy(row.id);
      pool.grow_by = kAsInFile;
    }
  }
  /// "" or a line about an option that names a pool which the scene has not.
  std::string wrong_pool() const;
  /// "" or a line about a pool of enemies that cannot hold all whom the stage sends; null: none is played.
  std::string wrong_enemies(const frame::StageDef* stage) const;
  /// Of the scene's pools.
  sim::PoolChoices effective_pools() const {
    sim::PoolChoices whole{};
    for (const frame::PoolName& row : frame::pools_of(scene)) {
      const frame::PoolSize& size = sizes[static_cast<std::size_t>(row.id)];
      sim::PoolChoice& choice = whole[static_cast<std::size_t>(row.id)];
      choice = pool(row.id);
      if (gradual) choice.prewarm = size.prewarm;
      if (choice.grow_by == kAsInFile) choice.grow_by = size.grow_by;  // a replay brings its own
      choice.keep_free = size.keep_free;
      if (choice.capacity > 0) continue;
      const bool by_preset = row.id == frame::PoolId::Particles && preset != sim::PresetId::Default;
      choice.capacity = by_preset ? sim::kPresets[static_cast<std::size_t>(preset)].capacity : size.capacity;
    }
    return whole;
  }
  const sim::PoolChoice& pool(frame::PoolId id) const { return pools[static_cast<std::size_t>(id)]; }
  u32 particle_capacity() const {
    return effective_pools()[static_cast<std::size_t>(frame::PoolId::Particles)].capacity;
  }
  /// What the bullet layer may hold; 0 in a scene without.
  u32 bullet_capacity() const {
    const sim::PoolChoices all = effective_pools();
    return all[static_cast<std::size_t>(frame::PoolId::Bullets)].capacity +
           all[static_cast<std::size_t>(frame::PoolId::Shots)].capacity;
  }
};

/// Two worlds side by side.
struct DuetOptions {
  pool::StrategyId a{}, b{};
  std::string film;                   ///< A film of it, .mp4, .gif or .webp.
  measure::HeapAge heap = measure::HeapAge::Fresh;
  u64 plant_difference = 0;           ///< In this step B loses a particle: it has to be found out. 0: never.
};

/// The lessons instead of a game.
struct LearnOptions {
  std::optional<frame::LessonId> lesson;  ///< None: the list, or all of them headless.
  std::string screenshot_dir, script;     ///< "" none.
};

struct PlayOptions {
  WorldOptions world;
  VoiceChoice voices;
  bool voices_given = false;          ///< --voices stands over what the file says.
  i64 started_ns = 0;                 ///< When main() began, as platform::now_ns() counts.
  std::optional<u64> steps;
  bool autoplay = false, headless = false, sim_only = false, fullscreen = false, no_ui = false, mute = false;
  bool title = false;                 ///< In a window: begins with the title screen.
  bool stress = false;                ///< "How many bullets?" at once.
  std::optional<double> budget_ms;    ///< Of a frame in it; none: the display's.
  std::optional<u8> showcase;         ///< The scripted player casts this spell alone.
  bool strategy_given = false;        ///< --strategy stands over what a replay says.
  bool pool_panel = false, graph = false, slot_map = false, memory = false, help = false, settings = false,
       editor = false, scores = false, voice_panel = false, sounds = false, lab = false;  ///< Open at the start.
  u32 width = 1280, height = 720;
  // What the command line says instead of the remembered settings.
  bool width_given = false, height_given = false;
  std::array<std::optional<double>, frame::kSettings.size()> given;  ///< By row of frame::kSettings.
  u64 switch_every = 0;               ///< 0: never.
  std::string input, record_input, hash_out, json, commands, screenshot, audio_out;  ///< "" none; json "-": stdout.
  std::string record_csv;             ///< Record every frame from the start into this file.
  std::string layout_out;             ///< Where each control lies, for scripts that click.
  std::string clip;                   ///< A moving picture of the run, .webp, .gif or .mp4.
  std::optional<u64> clip_from;       ///< Its first step; none: the finale's.
  u32 clip_seconds = 10;
  std::optional<DuetOptions> duet;
  std::optional<LearnOptions> learn;

  /// What the scene's file says, unless the option does.
  void take_scene_voices() {
    if (world.voice_slots && !voices_given) voices.slots = *world.voice_slots;
  }
  /// Its frames become figures or pictures: Quality::Auto is High throughout, so that conditions never change on the
  /// way.
  bool is_measured() const {
    return headless || steps || !record_csv.empty() || !json.empty() || !screenshot.empty() || !clip.empty();
  }
  /// Played by a script or a replay, or for a number of steps: neither a player nor a title.
  bool is_scripted() const { return autoplay || steps || !input.empty(); }
  /// A title would spoil nothing: nothing is recorded that another world must not be part of.
  bool allows_title() const {
    return !is_scripted() && record_input.empty() && hash_out.empty() && json.empty() && audio_out.empty() &&
           commands.empty() && screenshot.empty() && record_csv.empty();
  }
  /// Runs in demo mode or is measured: what the player chose before does not count.
  bool ignores_remembered() const { return !ignores_remembered_by().empty(); }
  /// The option that says so; "" if none does.
  std::string_view ignores_remembered_by() const {
    return headless ? "--headless" : autoplay ? "--autoplay" : !input.empty() ? "--input" : "";
  }
};

/// `settings` with what the command line says in place of it.
frame::Settings with_options(frame::Settings settings, const PlayOptions& options);
/// What to remember after a run: `now`, but where it is still what the command line put over `before`, that of before.
frame::Settings to_remember(const frame::Settings& now, const frame::Settings& at_start, const frame::Settings& before);

struct CompareOptions {
  WorldOptions world;
  CompareArm a, b;
  std::optional<PlanId> plan;
  std::string all;                    ///< --a against all of one of kAllTopics; "" against --b.
  std::optional<StorageLoad> storage; ///< --scene storage: this instead of a game.
  measure::HeapAge heap = measure::HeapAge::Fresh;
  u32 quads = 6;
  u64 steps = 600;                    ///< Measured in each block, after the warm-up.
  bool steps_given = false;
  bool sim_only = false;
  bool estimate = false;              ///< Tell how long it would take, and end.
  bool progress = false;              ///< Tell how far it is in lines that a program can read.
  u32 width = 1280, height = 720;
  std::string commands_a, commands_b;
  u32 voices = VoiceChoice{}.slots;   ///< Slots for sounds, where an arm names voices.
  u64 plant_difference = 0;           ///< In this step arm B loses a particle: the comparison has to notice. 0: never.
  std::string out, resume;
  std::vector<std::string> words;     ///< The command line without --progress, to be parsed again by --resume.

  /// True if an arm names a voice setting. Both arms then mix audio, and the mixing counts as their work.
  bool mixes() const { return a.has_voices() || b.has_voices(); }
};

/// Hidden: one measured block, or the hash pass, of a comparison; run by the program itself.
struct BlockOptions {
  PlayOptions play;
  u64 warmup = 240;
  std::vector<int> place = {-1, -1, -1};  ///< Block, quad, position in it.
  std::string frames, report;         ///< Files of a measured block; none in a hash pass.
  std::optional<StorageLoad> storage;
  measure::HeapAge heap = measure::HeapAge::Fresh;
  std::optional<pool::MemorySource> memory;
  bool mixes = false;                 ///< Each step's sounds are mixed within its frame.
  u64 plant_difference = 0;
};

struct ReportOptions {
  std::vector<std::string> files;     ///< A comparison's folder, or recordings of any game.
  std::string process;                ///< The one to read where a file names several; "" that with the most frames.
  std::string out;
};

/// Of `spellpool synctest`, which proves that a saved world has everything that later steps read.
struct SyncTest {
  WorldOptions world;
  bool every_strategy = false, every_policy = false;  ///< Else those of the world's particles.
  u64 distance = 8;      ///< Steps from a save to its restoration.
  u64 steps = 1'000;
  std::string forget;    ///< "POOL.FIELD", or a part of the world: each restoration leaves that as it was, which has to be found. For tests.
};

struct Options {
  CommandId command = CommandId::Play;
  PlayOptions play;
  CompareOptions compare;
  BlockOptions block;
  ReportOptions report;
  SyncTest synctest;
  std::string replay;                 ///< verify-replay FILE.
  std::string replay_data_dir;        ///< Of verify-replay, for what a replay of the shooter names; "" the usual place.
  std::string list_topic;             ///< "" all.
  bool list_json = false;
};

/// Either options, or the program is to end at once with this exit code (0 for --help, 2 for bad usage) after this
/// text.
struct ParseResult {
  std::optional<Options> options;
  int exit_code = 0;
  std::string text;
};
ParseResult parse_options(int argc, const char* const* argv);

}  // namespace spellpool::app
