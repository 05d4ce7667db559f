#include "app/options.hpp"

#include <algorithm>
#include <array>

#include "app/option_words.hpp"
#include "app/scene_hooks.hpp"
#include "core/one_line.hpp"
#include "frame/defs/stage_needs.hpp"

namespace spellpool::app {

using sim::names_of;

void add_world(CLI::App& app, OptionWords& words, WorldOptions& world) {
  app.add_option("--scene", words.scene, "scene: " + names_of(frame::kScenes))->type_name("NAME");
  app.add_option("--preset", words.preset, "load: " + names_of(sim::kPresets))->type_name("NAME");
  app.add_option("--difficulty", words.difficulty, "of the scene shooter: " + names_of(frame::kDifficulties))
      ->type_name("NAME");
  app.add_option("--seed", words.seed, "seed of the game, 0 … 2^64-1")->type_name("N");
  app.add_option("--overflow", words.overflows, "what a full pool does: " + names_of(pool::kPolicies))
      ->type_name("[POOL=]POLICY")
      ->allow_extra_args(false);
  app.add_option("--capacity", words.capacities, "most objects alive, 1 … 2097152")
      ->type_name("[POOL=]N")
      ->allow_extra_args(false);
  app.add_option("--data-dir", world.data_dir, "folder that holds assets/ and shaders/")->type_name("DIR");
}

void check_world(OptionChecker& check, const OptionWords& words, WorldOptions& world) {
  world.scene = check.choice<frame::SceneId>("--scene", frame::kScenes, words.scene);
  world.sizes = frame::default_sizes(world.scene);
  world.preset = check.choice<sim::PresetId>("--preset", sim::kPresets, words.preset);
  if (!scene_hooks(world.scene).has_spells() && world.preset != sim::PresetId::Default)
    check.fail("--preset: presets are loads of the scene spells");
  world.difficulty = check.choice<frame::Difficulty>("--difficulty", frame::kDifficulties, words.difficulty);
  if (!scene_hooks(world.scene).has_stages() && world.difficulty != frame::Difficulty::Normal)
    check.fail("--difficulty: the scene spells is the same for everybody");
  world.seed = check.number("--seed", words.seed, 0, ~u64{0});
  for (const std::string& word : words.strategies) {
    check.for_pools("--strategy", word, world, [&](sim::PoolChoice& pool, const std::string& value) {
      pool.strategy = check.choice<pool::StrategyId>("--strategy", pool::kStrategies, value);
    });
  }
  for (const std::string& word : words.overflows) {
    check.for_pools("--overflow", word, world, [&](sim::PoolChoice& pool, const std::string& value) {
      const auto policy = check.choice<pool::PolicyId>("--overflow", pool::kPolicies, value);
      const bool enemies = &pool == &world.pools[static_cast<std::size_t>(frame::PoolId::Enemies)];
      if (!enemies || policy == pool::PolicyId::Assert)
        pool.policy = policy;
      else if (word != value)
        check.fail(std::string("--overflow: ") + frame::kEnemiesNeverFail);
    });
  }
  for (const std::string& word : words.capacities) {
    check.for_pools("--capacity", word, world, [&](sim::PoolChoice& pool, const std::string& value) {
      pool.capacity = static_cast<u32>(check.number("--capacity", value, frame::kMinCapacity, frame::kMaxCapacity));
    });
  }
}

namespace {

/// Of compare and its blocks.
void add_load(CLI::App& app, OptionWords& words) {
  app.add_option("--heap", words.heap, "what new and delete find: " + names_of(measure::kHeapAges))->type_name("AGE");
  app.add_option("--objects", words.objects, "scene storage: objects alive, 1 … 1000000")->type_name("N");
  app.add_option("--size", words.size, "scene storage: bytes of an object, 32, 64 or 256")->type_name("BYTES");
  app.add_option("--churn", words.churn, "scene storage: how many come and go: " + names_of(kChurns))
      ->type_name("NAME");
  app.add_option("--order", words.order, "scene storage: who goes first: " + names_of(kDeathOrders))->type_name("NAME");
  app.add_flag("--pool-full", words.full, "scene storage: a tenth of the objects finds the pool full in every step");
  app.add_option("--rollback", words.rollback,
                 "scene storage: each step first goes back so many steps and plays them again, 1 … 60")
      ->type_name("STEPS");
  app.add_option("--plant-difference", words.plant,
                 "for tests: arm B loses a particle in this step, and has to be found out")
      ->type_name("STEP");
}

/// --scene storage is no scene that can be played, so the world's own is left as it is.
void check_load(OptionChecker& check, OptionWords& words, std::optional<StorageLoad>& storage, measure::HeapAge& heap,
                u64& plant, const std::string& seed) {
  heap = check.choice<measure::HeapAge>("--heap", measure::kHeapAges, words.heap);
  if (!words.plant.empty()) plant = check.number("--plant-difference", words.plant, 1, 1'000'000'000);
  const bool given = !words.objects.empty() || !words.size.empty() || !words.churn.empty() || !words.order.empty() ||
                     !words.rollback.empty() || words.full;
  if (words.scene != "storage") {
    if (given) check.fail("--objects, --size, --churn, --order, --rollback and --pool-full are of --scene storage");
    return;
  }
  words.scene = "spells";
  if (words.preset != "default") check.fail("--preset: presets are loads of the scene spells");
  StorageLoad load;
  if (!words.objects.empty())
    load.objects = static_cast<u32>(check.number("--objects", words.objects, 1, kMostStorageObjects));
  if (!words.size.empty()) {
    load.size_bytes = static_cast<u32>(check.number("--size", words.size, 32, 256));
    if (std::find(kObjectSizes.begin(), kObjectSizes.end(), load.size_bytes) == kObjectSizes.end())
      check.fail("--size: objects have 32, 64 or 256 bytes");
  }
  if (!words.churn.empty()) load.churn = check.choice<Churn>("--churn", kChurns, words.churn);
  if (!words.order.empty()) load.order = check.choice<DeathOrder>("--order", kDeathOrders, words.order);
  if (!words.rollback.empty())
    load.rollback_steps = static_cast<u32>(check.number("--rollback", words.rollback, 1, kMostRollback_steps));
  load.full = words.full;
  load.seed = check.number("--seed", seed, 0, ~u64{0});
  storage = load;
}

ParseResult bad_usage(const std::string& problem) {
  return {std::nullopt, 2, "spellpool: error: " + one_line(problem) + " (see spellpool --help)\n"};
}

}  // namespace

std::string WorldOptions::wrong_pool() const {
  for (const frame::PoolName& pool : frame::kPools) {
    const std::string_view option = named_by[static_cast<std::size_t>(pool.id)];
    if (!option.empty() && !pool.in(scene)) return std::string(option) + ": " + sim::no_such_pool(pool.id, scene);
  }
  return {};
}

std::string WorldOptions::wrong_enemies(const frame::StageDef* stage) const {
  if (!scene_hooks(scene).has_stages() || stage == nullptr) return {};
  const u32 needs = frame::stage_needs(*stage).enemies;
  const u32 capacity = effective_pools()[static_cast<std::size_t>(frame::PoolId::Enemies)].capacity;
  if (capacity >= needs) return {};
  return "--capacity: " + std::to_string(capacity) + " enemies are too few: " + frame::needs_text(*stage, needs) +
         "; add --capacity enemies=" + std::to_string(needs);
}

frame::Settings with_options(frame::Settings settings, const PlayOptions& options) {
  for (std::size_t i = 0; i < frame::kSettings.size(); ++i) {
    if (options.given[i]) frame::kSettings[i].value.set(settings, *options.given[i]);
  }
  if (options.mute) settings.muted = true;
  if (options.fullscreen) settings.fullscreen = true;
  if (options.no_ui) settings.hud = frame::HudLevel::Off;
  if (options.width_given) settings.window_width = options.width;
  if (options.height_given) settings.window_height = options.height;
  if (options.width_given || options.height_given) settings.fullscreen = options.fullscreen;
  return settings;
}

frame::Settings to_remember(const frame::Settings& now, const frame::Settings& at_start,
                            const frame::Settings& before) {
  frame::Settings kept = now;
  for (const frame::SettingRow& row : frame::kSettings) {
    if (row.value.get(now) == row.value.get(at_start)) row.value.set(kept, row.value.get(before));
  }
  return kept;
}

namespace {
/// Options about the window rather than a game, beside those of settings: with these alone the program begins with the
/// title screen.
constexpr std::array<std::string_view, 7> kWindowOptions = {"--data-dir", "--width",  "--height",    "--fullscreen",
                                                            "--mute",     "--voices", "--layout-out"};

bool begins_with_title(const CLI::App& app) {
  const auto is_setting = [](const std::string& name) {
    return std::ranges::any_of(frame::kSettings, [&](const frame::SettingRow& row) {
      return row.option.name != nullptr && name == row.option.name;
    });
  };
  return std::ranges::all_of(app.get_options(), [&](const CLI::Option* option) {
    const std::string name = option->get_name();
    return option->count() == 0 || is_setting(name) || std::ranges::find(kWindowOptions, name) != kWindowOptions.end();
  });
}

/// "" lists every topic.
constexpr std::array<std::string_view, 12> kListTopics = {"",         "scenes",         "difficulties",   "strategies",
                                                          "policies", "pools",          "presets",        "spells",
                                                          "sounds",   "voice-policies", "voice-storages", "hotkeys"};
std::string list_topics() {
  std::string topics;
  for (const std::string_view topic : kListTopics) (topics += topics.empty() ? "" : ", ") += topic;
  return topics;
}

CLI::App* add_compare(CLI::App& app, OptionWords& words, CompareOptions& c) {
  CLI::App* compare =
      app.add_subcommand("compare", "run two strategies as ABBA blocks, a process per block, and write the figures");
  add_world(*compare, words, c.world);
  add_load(*compare, words);
  compare
      ->add_option("--a", words.a,
                   "first arm: a strategy; with + also a policy, an allocator (" + names_of(kAllocators) +
                       "), frame_arena, frame_heap, voices_heap, voices_pool, or voices_ and a steal policy")
      ->type_name("ARM");
  compare->add_option("--b", words.b, "second arm")->type_name("ARM");
  compare->add_option("--all", c.all, "A against all: " + names_of(kAllTopics))->type_name("TOPIC");
  compare
      ->add_option("--plan", words.plan, "how long and how careful: " + names_of(kPlans) + "; --preset takes these too")
      ->type_name("NAME");
  compare->add_flag("--estimate", c.estimate, "tell how long it will take, and end");
  compare->add_flag("--progress", c.progress,
                    "tell how far it is in lines of stderr that a program can read: progress FRACTION TEXT");
  compare->add_option("--resume", c.resume, "go on with the comparison that was begun in this folder")
      ->type_name("DIR");
  compare->add_option("--quads", words.quads, "quads of blocks, ABBA and BAAB in turn; 1 … 500")->type_name("N");
  compare->add_option("--steps", words.steps, "measured steps in a block; 60 … 1000000")->type_name("N");
  compare->add_flag("--sim-only", c.sim_only, "time the simulation alone, without drawing");
  compare->add_option("--width", words.width, "width of a drawn frame")->type_name("W");
  compare->add_option("--height", words.height, "height of a drawn frame")->type_name("H");
  compare->add_option("--commands-a", c.commands_a, "panel commands for A alone")->type_name("FILE");
  compare->add_option("--commands-b", c.commands_b, "the same for arm B")->type_name("FILE");
  compare->add_option("--voices", words.voices, "where an arm names voices: slots that all sounds share, 1 … 4096")
      ->type_name("N");
  compare->add_option("--out", c.out, "folder for run.json, frames.csv, card.png")->type_name("DIR");
  return compare;
}

/// The storage load has no frame memory, sound or panel commands, and not every strategy.
void check_storage(OptionChecker& check, const CompareOptions& c) {
  for (const CompareArm* arm : {&c.a, &c.b}) {
    if (!storage_load_has(arm->strategy))
      check.fail(std::string("--scene storage: ") + std::string(pool::row(arm->strategy).name) +
                 " takes objects apart, which this load's cannot be; compare it in the scene spells");
    if (arm->memory) check.fail("--scene storage: there is no frame memory in it");
    if (arm->has_voices()) check.fail("--scene storage: there is no sound in it");
  }
  if (!c.commands_a.empty() || !c.commands_b.empty()) check.fail("--scene storage: there are no panel commands in it");
}

void take_plan(OptionChecker& check, CompareOptions& c) {
  const PlanRow& row = kPlans[static_cast<std::size_t>(*c.plan)];
  c.quads = row.quads;
  c.sim_only = c.sim_only || row.sim_only;
  if (*c.plan == PlanId::Rendered || *c.plan == PlanId::Matrix) c.steps = 120;
  if (!row.sim_only && c.storage) check.fail("--plan " + std::string(row.name) + ": --scene storage draws nothing");
}

void check_compare(OptionChecker& check, OptionWords& words, CompareOptions& c) {
  if (words.plan.empty() && find_by_name<PlanId>(kPlans, words.preset)) std::swap(words.plan, words.preset);
  if (words.preset.empty()) words.preset = "default";
  if (!words.plan.empty()) c.plan = check.choice<PlanId>("--plan", kPlans, words.plan);
  check_load(check, words, c.storage, c.heap, c.plant_difference, words.seed);
  check_world(check, words, c.world);
  check.fail_if(c.world.wrong_pool());
  check.fail_if(parse_arm("--a", words.a, c.a));
  check.fail_if(parse_arm("--b", words.b, c.b));
  if (c.plant_difference > 0 && !c.storage && !scene_hooks(c.world.scene).has_spells())
    check.fail("--plant-difference: only in the scenes spells and storage");
  std::vector<std::string> others;
  if (!c.all.empty()) check.fail_if(arms_of(c.all, c.a, others));
  if (c.storage) {
    check_storage(check, c);
    c.sim_only = true;
  }
  if (c.plan) take_plan(check, c);
  if (!words.voices.empty()) c.voices = static_cast<u32>(check.number("--voices", words.voices, 1, 4'096));
  if (!words.quads.empty()) c.quads = static_cast<u32>(check.number("--quads", words.quads, 1, 500));
  c.steps_given = !words.steps.empty();
  if (c.steps_given) c.steps = check.number("--steps", words.steps, 60, 1'000'000);
  if (!words.width.empty()) c.width = static_cast<u32>(check.number("--width", words.width, 1, 8192));
  if (!words.height.empty()) c.height = static_cast<u32>(check.number("--height", words.height, 1, 8192));
}

CLI::App* add_report(CLI::App& app, ReportOptions& options) {
  CLI::App* report = app.add_subcommand(
      "report", "make a page, images and texts from recordings: a comparison's folder, or CSV files of any game");
  report
      ->add_option("FILE", options.files,
                   "folder of compare; or CSVs of MangoHud, PresentMon 1 and 2, CapFrameX, or frames.csv; two of them "
                   "are A and B")
      ->required();
  report
      ->add_option("--process", options.process,
                   "the process to read from a CSV that names several; else the one with the most frames")
      ->type_name("NAME");
  report
      ->add_option(
          "--out", options.out,
          "folder for report.html, report.md, summary.svg, card; else the comparison's own, or for CSV files a "
          "new one in the recordings folder")
      ->type_name("DIR");
  return report;
}

CLI::App* add_verify(CLI::App& app, Options& options) {
  CLI::App* verify =
      app.add_subcommand("verify-replay", "replay under every strategy and check the hash of every step");
  verify->add_option("FILE", options.replay, "the replay")->required();
  verify
      ->add_option("--data-dir", options.replay_data_dir,
                   "folder that holds assets/, for the files that a replay names")
      ->type_name("DIR");
  return verify;
}

CLI::App* add_synctest(CLI::App& app, OptionWords& words, SyncTest& test) {
  CLI::App* sync = app.add_subcommand("synctest", "save, restore and go on, and check that no step differs");
  add_world(*sync, words, test.world);
  sync->add_option("--strategy", words.strategies, "how pools store, or all: " + names_of(pool::kStrategies))
      ->type_name("NAME")
      ->allow_extra_args(false);
  sync->add_option("--steps", words.steps, "steps of each game, 1 … 1000000; else 1000")->type_name("N");
  sync->add_option("--distance", words.distance, "steps from a save to its restoration, 1 … 1000; else 8")
      ->type_name("N");
  sync->add_option("--forget", test.forget,
                   "what is not restored, so that a difference has to be found: POOL.FIELD, or a whole part of the "
                   "world")
      ->type_name("WHAT");
  return sync;
}

void check_synctest(OptionChecker& check, OptionWords& words, SyncTest& test) {
  test.every_strategy = std::erase(words.strategies, "all") > 0;
  test.every_policy = std::erase(words.overflows, "all") > 0;
  check_world(check, words, test.world);
  if (!words.steps.empty()) test.steps = check.number("--steps", words.steps, 1, 1'000'000);
  if (!words.distance.empty()) test.distance = check.number("--distance", words.distance, 1, 1'000);
}

/// What `compare` starts as a process of its own; not for people.
CLI::App* add_block(CLI::App& app, OptionWords& words, BlockOptions& options) {
  CLI::App* block = app.add_subcommand("block", "")->group("");
  add_play(*block, words, options.play);
  block->add_option("--warmup", words.warmup, "");
  block->add_option("--place", options.place, "")->expected(3);
  block->add_option("--frames", options.frames, "");
  block->add_option("--report", options.report, "");
  block->add_option("--memory", words.memory, "");
  block->add_flag("--mix", options.mixes, "");
  add_load(*block, words);
  return block;
}

void check_block(OptionChecker& check, OptionWords& words, BlockOptions& options) {
  check_load(check, words, options.storage, options.heap, options.plant_difference, words.seed);
  check_play(check, words, options.play);
  if (!words.memory.empty())
    options.memory = check.choice<pool::MemorySource>("--memory", pool::kMemorySources, words.memory);
  options.warmup = check.number("--warmup", words.warmup, 0, 1'000'000);
}

/// Refuses empty values; of an option that is given twice the last value counts.
void set_value_rules(CLI::App& part) {
  for (CLI::Option* option : part.get_options()) {
    if (option->get_type_size() == 0) continue;  // flags
    const bool may_be_bare = option->get_expected_min() == 0;
    if (!may_be_bare)
      option->check([](const std::string& word) { return word.empty() ? std::string("it is empty") : std::string(); });
    if (option->get_expected_max() <= 1) option->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  }
}

/// Nothing if the words could be read; else what to print, and the exit code.
std::optional<ParseResult> read_words(CLI::App& app, int argc, const char* const* argv) {
  try {
    app.parse(argc, argv);
    return std::nullopt;
  } catch (const CLI::CallForHelp&) {
    const std::vector<CLI::App*> command = app.get_subcommands();
    const bool hidden = command.empty() || command.front()->get_group().empty();
    return ParseResult{std::nullopt, 0, hidden ? app.help() : command.front()->help("spellpool")};
  } catch (const CLI::CallForVersion& e) {
    return ParseResult{std::nullopt, 0, std::string(e.what()) + "\n"};
  } catch (const CLI::ParseError& e) {
    std::string problem = e.what();
    if (dynamic_cast<const CLI::ExtrasError*>(&e) != nullptr) {
      problem = "unknown option or argument:";
      for (const std::string& word : app.remaining(true)) (problem += " ") += word.empty() ? "''" : word.substr(0, 200);
    }
    return bad_usage(problem);
  }
}

}  // namespace

ParseResult parse_options(int argc, const char* const* argv) {
  Options options;
  OptionWords words;  // of play
  OptionWords compare_words, sync_words, block_words;

  CLI::App app("Spellpool: cast spells, switch the object pool live, watch the frame times, record a comparison.",
               "spellpool");
  app.set_version_flag("--version", std::string("spellpool ") + SPELLPOOL_VERSION);
  app.footer(
      "Files: recordings and pictures go to $XDG_DATA_HOME/spellpool/recordings, with a number rather than over an "
      "older file;\n"
      "a FILE named here is written over, but for --record. Exit codes: 0 done, 1 verification failed, 2 bad usage or "
      "file,\n"
      "3 comparison or duet refused because the work was not equal, 130 interrupted.");
  add_play(app, words, options.play);
  add_duet(app, words);
  add_learn(app, words);
  const CLI::Option* list = app.add_option("--list", options.list_topic, "what there is: " + list_topics())
                                ->type_name("[TOPIC]")
                                ->expected(0, 1);
  CLI::App* compare = add_compare(app, compare_words, options.compare);
  CLI::App* report = add_report(app, options.report);
  CLI::App* verify = add_verify(app, options);
  CLI::App* sync = add_synctest(app, sync_words, options.synctest);
  CLI::App* block = add_block(app, block_words, options.block);
  app.require_subcommand(0, 1);
  for (CLI::App* part : {&app, compare, report, verify, sync, block}) set_value_rules(*part);
  if (std::optional<ParseResult> ended = read_words(app, argc, argv)) return std::move(*ended);

  OptionChecker check;
  if (!app.get_subcommands().empty()) {
    for (const CLI::Option* option : app.get_options()) {
      if (option->count() > 0)
        check.fail(option->get_name() + " stands before " + app.get_subcommands().front()->get_name() +
                   "; options of a command go after it");
    }
  }
  options.list_json = !options.play.json.empty() || app.get_option("--json")->count() > 0;
  if (app.get_option("--json")->count() > 0 && options.play.json.empty()) options.play.json = "-";
  if (list->count() > 0) {
    options.command = CommandId::List;
    options.play.world.scene = check.choice<frame::SceneId>("--scene", frame::kScenes, words.scene);
    if (std::ranges::find(kListTopics, options.list_topic) == kListTopics.end())
      check.fail("--list: there is no '" + options.list_topic.substr(0, 60) + "'; there are: " + list_topics());
  } else if (compare->parsed()) {
    options.command = CommandId::Compare;
    for (int i = 1; i < argc; ++i) {
      if (std::string_view(argv[i]) != "--progress") options.compare.words.emplace_back(argv[i]);
    }
    check_compare(check, compare_words, options.compare);
  } else if (report->parsed()) {
    options.command = CommandId::Report;
  } else if (verify->parsed()) {
    options.command = CommandId::VerifyReplay;
  } else if (sync->parsed()) {
    options.command = CommandId::SyncTest;
    check_synctest(check, sync_words, options.synctest);
  } else if (block->parsed()) {
    options.command = CommandId::Block;
    check_block(check, block_words, options.block);
  } else {
    check_play(check, words, options.play);
    check_duet(check, words, options.play);
    check_learn(check, words, options.play);
    options.play.title = begins_with_title(app) || (options.play.learn && !options.play.headless);
  }
  if (!check.problem.empty()) return bad_usage(check.problem);
  return {std::move(options), 0, {}};
}

}  // namespace spellpool::app
