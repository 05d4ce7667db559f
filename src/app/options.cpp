#include "app/options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>

#include "app/play/clip.hpp"
#include "app/scene_hooks.hpp"
#include "core/one_line.hpp"
#include "frame/stage_needs.hpp"
#include "sim/core/command_text.hpp"

namespace spellpool::app {
namespace {

using sim::names_of;

/// All values as text, as they stood on the command line; checked one by one afterwards so that every error names its
/// option and what would be right.
struct Words {
  std::string scene = "spells", preset = "default", difficulty = "normal", seed = "1", steps, width, height;
  std::array<std::string, frame::kSettings.size()> settings;  // by row
  std::string switch_every, showcase, distance, clip_from, clip_seconds, budget;
  std::string voices, voice_policy, voice_storage;
  std::vector<std::string> strategies, overflows, capacities;
  std::vector<std::string> panels;
  std::string a = "heap", b = "free_list", quads, warmup = "240";
  std::vector<std::string> duet;
  std::string film;
  std::string learn, screenshot_dir, learn_script;
  std::string plan, heap = "fresh", objects, size, churn, order, rollback, plant, memory;
  bool full = false;
};

/// The first problem found, "" while all is well.
class Checker {
 public:
  std::string problem;

  void fail(std::string text) {
    if (problem.empty()) problem = std::move(text);
  }
  void fail_if(std::string text) {
    if (!text.empty()) fail(std::move(text));
  }
  /// The place in the table.
  template <class Table>
  std::size_t place(const std::string& option, const Table& table, const std::string& word) {
    for (std::size_t i = 0; i < table.size(); ++i) {
      if (table[i].name == word) return i;
    }
    fail(option + ": there is no '" + word.substr(0, 60) + "'; there are: " + names_of(table));
    return 0;
  }
  template <class Enum, class Table>
  Enum choice(const std::string& option, const Table& table, const std::string& word) {
    return static_cast<Enum>(place(option, table, word));
  }
  u64 number(const std::string& option, const std::string& word, u64 low, u64 high) {
    u64 value = low;
    if (!sim::parse_number(word, low, high, value)) {
      fail(option + ": '" + word.substr(0, 60) + "' is not a whole number from " + std::to_string(low) + " to " +
           std::to_string(high));
    }
    return value;
  }
  /// "POOL=VALUE", or "VALUE" for all pools: f(choice of the pool, VALUE) for each that is meant.
  template <class F>
  void for_pools(std::string_view option, const std::string& word, WorldOptions& world, F&& f) {
    const auto equals = word.find('=');
    if (equals == std::string::npos) {
      for (sim::PoolChoice& pool : world.pools) f(pool, word);
      return;
    }
    const std::string name = word.substr(0, equals);
    const auto id = find_by_name<frame::PoolId>(frame::kPools, name);
    if (!id)
      return fail(std::string(option) + ": there is no '" + name.substr(0, 60) +
                  "'; there are: " + names_of(frame::pools_of(world.scene)));
    world.named_by[static_cast<std::size_t>(*id)] = option;
    f(world.pools[static_cast<std::size_t>(*id)], word.substr(equals + 1));
  }
  /// The value of a setting, of which its option is `word`.
  double setting(const frame::SettingRow& row, const std::string& word) {
    const frame::SettingValue& value = row.value;
    const std::string option(row.option.name), said = option + ": '" + word.substr(0, 60) + "' is ";
    const bool own_range = row.option.high > 0;
    const double low = own_range ? row.option.low : value.low;
    const double high = own_range ? row.option.high : value.high;
    switch (value.kind) {
      case frame::SettingKind::Choice: return static_cast<double>(place(option, value.names, word));
      case frame::SettingKind::Flag:
        if (word != "on" && word != "off") fail(said + "neither on nor off");
        return word == "on" ? 1 : 0;
      case frame::SettingKind::Whole: {
        const u64 least = value.zero_too ? 0 : static_cast<u64>(low);
        const double given = static_cast<double>(number(option, word, least, static_cast<u64>(high)));
        if (given != 0 && given < low) fail(said + fmt::format("neither 0 nor from {} to {}", low, high));
        return given;
      }
      case frame::SettingKind::Real: {
        char* end = nullptr;
        const double given = static_cast<double>(std::strtof(word.c_str(), &end));
        if (*end != '\0' || !(given >= low && given <= high)) {
          fail(said + fmt::format("not a number from {} to {}", low, high));
        }
        return given;
      }
    }
    return 0;
  }
};

void add_world(CLI::App& app, Words& words, WorldOptions& world) {
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

void check_world(Checker& check, const Words& words, WorldOptions& world) {
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
      if (!enemies || policy == pool::PolicyId::Assert) pool.policy = policy;
      else if (word != value) check.fail(std::string("--overflow: ") + frame::kEnemiesNeverFail);
    });
  }
  for (const std::string& word : words.capacities) {
    check.for_pools("--capacity", word, world, [&](sim::PoolChoice& pool, const std::string& value) {
      pool.capacity = static_cast<u32>(check.number("--capacity", value, frame::kMinCapacity, frame::kMaxCapacity));
    });
  }
}

/// Of compare and its blocks.
void add_load(CLI::App& app, Words& words) {
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
void check_load(Checker& check, Words& words, std::optional<StorageLoad>& storage, measure::HeapAge& heap, u64& plant,
                const std::string& seed) {
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

void add_settings(CLI::App& app, Words& words) {
  std::vector<const frame::SettingRow*> rows;
  for (const frame::SettingRow& row : frame::kSettings) {
    if (row.option.name != nullptr) rows.push_back(&row);
  }
  std::stable_sort(rows.begin(), rows.end(),
                   [](const auto* a, const auto* b) { return a->option.place < b->option.place; });
  for (const frame::SettingRow* row : rows) {
    std::string help(row->option.help);
    if (row->value.kind == frame::SettingKind::Choice) help += names_of(row->value.names);
    std::string& word = words.settings[static_cast<std::size_t>(row - frame::kSettings.data())];
    app.add_option(row->option.name, word, help)->type_name(row->option.type_name);
  }
}

void add_play(CLI::App& app, Words& words, PlayOptions& play) {
  add_world(app, words, play.world);
  app.add_option("--strategy", words.strategies, "how pools store: " + names_of(pool::kStrategies))
      ->type_name("[POOL=]NAME")
      ->allow_extra_args(false);
  app.add_option("--steps", words.steps, "stop after N steps, one a frame")->type_name("N");
  app.add_flag("--autoplay", play.autoplay, "the scripted player plays");
  app.add_option("--cast", words.showcase,
                 "the scripted player casts this spell alone, charged: a name of --list spells")
      ->type_name("SPELL");
  app.add_flag("--stress", play.stress,
               "scene shooter: how many bullets hold the frame budget? Measures, and ends where there is no window");
  app.add_option("--budget-ms", words.budget,
                 "with --stress: what a frame may take, 0.1 … 1000; else the display's frame, or 16.67")
      ->type_name("MS");
  app.add_flag("--headless", play.headless, "no window: offscreen OpenGL if there is one, else simulation only");
  app.add_flag("--sim-only", play.sim_only, "no window and no drawing at all");
  app.add_option("--width", words.width, "width of the window or screenshot in pixels")->type_name("W");
  app.add_option("--height", words.height, "height of the window or screenshot in pixels")->type_name("H");
  app.add_flag("--fullscreen", play.fullscreen, "start in fullscreen");
  add_settings(app, words);
  app.add_option("--panels", words.panels,
                 "open at the start: pool, graph, slots, memory, voices, sounds, lab, help, settings, editor, scores")
      ->delimiter(',')
      ->type_name("LIST");
  app.add_flag("--no-ui", play.no_ui, "no panels, no spell bar");
  app.add_flag("--mute", play.mute, "no sound");
  app.add_option("--voices", words.voices, "voice slots that all sounds share, 1 … 4096")->type_name("N");
  app.add_option("--voice-policy", words.voice_policy,
                 "which voice is stolen when all slots are taken: " + names_of(frame::kVoicePolicies))
      ->type_name("NAME");
  app.add_option("--voice-storage", words.voice_storage,
                 "where a voice's record lives: " + names_of(frame::kVoiceStorages))
      ->type_name("NAME");
  app.add_option("--input", play.input, "play this replay; of the options above, --strategy alone still counts")
      ->type_name("FILE");
  app.add_option("--record-input", play.record_input, "write a replay of this game")->type_name("FILE");
  app.add_option("--commands", play.commands, "panel commands by step: lines such as '120 strategy particles heap'")
      ->type_name("FILE");
  app.add_option("--switch-every", words.switch_every, "every N steps the next strategy, round all of them")
      ->type_name("N");
  app.add_option("--hash-out", play.hash_out, "a line per step: STEP HASH16")->type_name("FILE");
  app.add_option("--json", play.json, "summary at the end; no FILE or -: standard output")
      ->type_name("[FILE]")
      ->expected(0, 1)
      ->default_str("-");
  app.add_option("--screenshot", play.screenshot, "save the last frame")->type_name("FILE.png");
  app.add_option("--audio-out", play.audio_out, "what was heard, rendered deterministically")->type_name("FILE.wav");
  app.add_option("--layout-out", play.layout_out,
                 "where parts and controls lie on the screen, kept up to date: for scripts that click")
      ->type_name("FILE");
  app.add_option("--clip", play.clip, "with --headless: a video clip of the run, by ffmpeg")
      ->type_name("FILE.webp|gif|mp4");
  app.add_option("--clip-from", words.clip_from, "the clip's first step, or 'finale'")->type_name("STEP");
  app.add_option("--clip-seconds", words.clip_seconds, "the clip's length, 1 … 60")->type_name("N");
  app.add_option("--record", play.record_csv, "record every frame from the start, into a new file")
      ->type_name("FILE.csv");
}

void check_play(Checker& check, const Words& words, PlayOptions& play) {
  check_world(check, words, play.world);
  play.strategy_given = !words.strategies.empty();
  if (play.input.empty()) check.fail_if(play.world.wrong_pool());  // else the replay says which scene
  if (!words.steps.empty()) play.steps = check.number("--steps", words.steps, 0, 1'000'000'000);
  play.width_given = !words.width.empty();
  play.height_given = !words.height.empty();
  if (play.width_given) play.width = static_cast<u32>(check.number("--width", words.width, 1, 8192));
  if (play.height_given) play.height = static_cast<u32>(check.number("--height", words.height, 1, 8192));
  for (std::size_t i = 0; i < frame::kSettings.size(); ++i) {
    if (!words.settings[i].empty()) play.given[i] = check.setting(frame::kSettings[i], words.settings[i]);
  }
  if (!words.showcase.empty()) {
    std::string names;
    for (std::size_t i = 0; i < frame::kSpellCount; ++i) {
      if (frame::kSpellFiles[i] == words.showcase) play.showcase = static_cast<u8>(i);
      names += (i ? ", " : "") + std::string(frame::kSpellFiles[i]);
    }
    if (!play.showcase) check.fail("--cast: there is no '" + words.showcase.substr(0, 60) + "'; there are: " + names);
    if (!scene_hooks(play.world.scene).has_spells()) check.fail("--cast: only the scene spells has spells to cast");
    play.autoplay = true;
  }
  if (!words.budget.empty()) {
    char* end = nullptr;
    const double budget = std::strtod(words.budget.c_str(), &end);
    if (*end != '\0' || !(budget >= 0.1 && budget <= 1000.0))
      check.fail("--budget-ms: '" + words.budget.substr(0, 60) + "' is not a number from 0.1 to 1000");
    play.budget_ms = budget;
  }
  if (play.stress) {
    if (!scene_hooks(play.world.scene).has_stages())
      check.fail("--stress: only the scene shooter has bullets; give --scene shooter");
    if (play.autoplay || play.steps || !play.input.empty() || !play.clip.empty() || !words.switch_every.empty()) {
      check.fail(
          "--stress plays in demo mode until it knows; leave out --autoplay, --steps, --input, --clip and "
          "--switch-every");
    }
  }
  play.voices_given = !words.voices.empty();
  if (play.voices_given) play.voices.slots = static_cast<u32>(check.number("--voices", words.voices, 1, 4'096));
  if (!words.voice_policy.empty())
    play.voices.policy = check.choice<frame::VoicePolicy>("--voice-policy", frame::kVoicePolicies, words.voice_policy);
  if (!words.voice_storage.empty())
    play.voices.storage =
        check.choice<frame::VoiceStorage>("--voice-storage", frame::kVoiceStorages, words.voice_storage);
  if (!words.switch_every.empty())
    play.switch_every = check.number("--switch-every", words.switch_every, 1, 1'000'000'000);
  for (const std::string& panel : words.panels) {
    if (panel == "pool") play.pool_panel = true;
    else if (panel == "graph") play.graph = true;
    else if (panel == "slots") play.slot_map = true;
    else if (panel == "memory") play.memory = true;
    else if (panel == "sounds") play.sounds = true;
    else if (panel == "lab") play.lab = true;
    else if (panel == "help") play.help = true;
    else if (panel == "settings") play.settings = true;
    else if (panel == "editor" && !scene_hooks(play.world.scene).has_spells())
      check.fail("--panels: only the scene spells has spells to edit");
    else if (panel == "editor") play.editor = true;
    else if (panel == "scores") play.scores = true;
    else if (panel == "voices") play.voice_panel = true;
    else
      check.fail("--panels: there is no '" + panel.substr(0, 60) +
                 "'; there are: pool, graph, slots, memory, voices, sounds, lab, help, settings, editor, scores");
  }
  if (play.sim_only) {
    play.headless = true;
    if (!play.screenshot.empty()) check.fail("--screenshot needs drawing; leave out --sim-only");
  }
  if (!play.input.empty() && play.autoplay)
    check.fail(std::string("--input and ") + (play.showcase ? "--cast" : "--autoplay") + " both play; leave one out");
  const auto ends_in = [](const std::string& path, const std::string& ending) {
    return path.rfind("/dev/", 0) == 0 ||
           (path.size() > ending.size() && path.substr(path.size() - ending.size()) == ending);
  };
  if (!play.screenshot.empty() && !ends_in(play.screenshot, ".png"))
    check.fail("--screenshot: '" + play.screenshot + "' must end in .png");
  if (!words.clip_from.empty() && words.clip_from != "finale") {
    if (words.clip_from.find_first_not_of("0123456789") != std::string::npos) {
      check.fail("--clip-from: '" + words.clip_from.substr(0, 60) + "' is neither a step nor 'finale'");
    }
    play.clip_from = check.number("--clip-from", words.clip_from, 0, 1'000'000'000);
  }
  if (!words.clip_seconds.empty())
    play.clip_seconds = static_cast<u32>(check.number("--clip-seconds", words.clip_seconds, 1, 60));
  if (play.clip.empty() && !(words.clip_from.empty() && words.clip_seconds.empty()))
    check.fail("--clip-from and --clip-seconds are about --clip; name its file");
  if (!play.layout_out.empty() && play.headless && play.screenshot.empty())
    check.fail(
        "--layout-out tells where a window's or screenshot's parts are; give --screenshot, or leave out --headless");
  if (!play.clip.empty()) {
    if (!ends_in(play.clip, ".webp") && !ends_in(play.clip, ".gif") && !ends_in(play.clip, ".mp4")) {
      check.fail("--clip: '" + play.clip + "' must end in .webp, .gif or .mp4");
    }
    if (!play.headless) check.fail("--clip needs --headless");
    if (!play.autoplay && play.input.empty()) check.fail("--clip needs a player: --autoplay, --cast or --input");
    if (play.sim_only) check.fail("--clip needs drawing; leave out --sim-only");
  }
  if (!play.audio_out.empty() && !ends_in(play.audio_out, ".wav"))
    check.fail("--audio-out: '" + play.audio_out + "' must end in .wav");
}

/// Of the game alone, not of compare's blocks.
void add_duet(CLI::App& app, Words& words) {
  app.add_option("--duet", words.duet, "one game under two strategies, side by side in one window, both timed")
      ->type_name("A B")
      ->expected(2);
  app.add_option(
         "--export", words.film,
         "with --duet: a film of it, by ffmpeg, of --steps steps; the times in it are measured first, without filming")
      ->type_name("FILE.mp4|gif|webp");
  app.add_option("--heap", words.heap, "with --duet: what new and delete find: " + names_of(measure::kHeapAges))
      ->type_name("AGE");
  app.add_option("--plant-difference", words.plant,
                 "with --duet, for tests: B loses a particle in this step, and has to be found out")
      ->type_name("STEP");
}

void check_duet(Checker& check, const Words& words, PlayOptions& play) {
  if (words.duet.empty()) {
    if (!words.film.empty()) check.fail("--export makes a film of a duet; give --duet A B (--clip films a game)");
    if (words.heap != "fresh") check.fail("--heap ages the heap of a duet or of compare; give --duet A B");
    if (!words.plant.empty()) check.fail("--plant-difference is for --duet and compare");
    return;
  }
  DuetOptions duet;
  duet.a = check.choice<pool::StrategyId>("--duet", pool::kStrategies, words.duet[0]);
  duet.b = check.choice<pool::StrategyId>("--duet", pool::kStrategies, words.duet[1]);
  duet.heap = check.choice<measure::HeapAge>("--heap", measure::kHeapAges, words.heap);
  duet.film = words.film;
  if (!words.plant.empty()) duet.plant_difference = check.number("--plant-difference", words.plant, 1, 1'000'000'000);
  if (duet.plant_difference > 0 && !scene_hooks(play.world.scene).has_spells())
    check.fail("--plant-difference: only in the scene spells");
  if (!duet.film.empty()) {
    if (clip_format(duet.film) == nullptr) check.fail("--export: '" + duet.film + "' must end in .mp4, .gif or .webp");
    if (play.sim_only) check.fail("--export needs drawing; leave out --sim-only");
    play.headless = true;
  }
  const std::pair<bool, std::string_view> others[] = {
      {!words.strategies.empty(), "--strategy"}, {!play.input.empty(), "--input"},         {!play.record_input.empty(), "--record-input"},
      {!play.commands.empty(), "--commands"},    {play.switch_every > 0, "--switch-every"}, {!play.hash_out.empty(), "--hash-out"},
      {!play.audio_out.empty(), "--audio-out"},  {!play.record_csv.empty(), "--record"},    {!play.clip.empty(), "--clip"},
      {play.stress, "--stress"},                 {!words.panels.empty(), "--panels"}};
  for (const auto& [given, name] : others) {
    if (given) check.fail("--duet plays two worlds by itself; leave out " + std::string(name));
  }
  play.duet = duet;
}

void add_learn(CLI::App& app, Words& words) {
  app.add_option("--learn", words.learn,
                 "lessons about object pools: all, or 1 to " + std::to_string(frame::kLessonCount) +
                     ", or a name: " + names_of(frame::kLessons))
      ->type_name("LESSON");
  app.add_option("--screenshot-dir", words.screenshot_dir, "with --learn --headless: a screenshot of each step into this folder")->type_name("DIR");
  app.add_option(
         "--learn-script", words.learn_script,
         "with --learn --headless: commands, a line each: open, next, back, answer, pick, choose, solve, screenshot")
      ->type_name("FILE");
}

void check_learn(Checker& check, const Words& words, PlayOptions& play) {
  if (words.learn.empty()) {
    if (!words.screenshot_dir.empty() || !words.learn_script.empty())
      check.fail("--screenshot-dir and --learn-script are about --learn; give --learn all");
    return;
  }
  LearnOptions learn;
  const bool digits = words.learn.find_first_not_of("0123456789") == std::string::npos;
  if (digits)
    learn.lesson = static_cast<frame::LessonId>(check.number("--learn", words.learn, 1, frame::kLessonCount) - 1);
  else if (words.learn != "all") learn.lesson = check.choice<frame::LessonId>("--learn", frame::kLessons, words.learn);
  learn.screenshot_dir = words.screenshot_dir;
  learn.script = words.learn_script;
  if (!play.headless && !(learn.screenshot_dir.empty() && learn.script.empty()))
    check.fail("--screenshot-dir and --learn-script need --headless");
  if (play.duet) check.fail("--learn takes the window; leave out --duet");
  if (!play.headless && !play.allows_title())
    check.fail("--learn takes the window; leave out what plays or records a game");
  play.learn = learn;
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
constexpr std::array<std::string_view, 7> kWindowOptions = {"--data-dir", "--width", "--height",    "--fullscreen",
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
}  // namespace

ParseResult parse_options(int argc, const char* const* argv) {
  Options options;
  Words words;          // of play
  Words compare_words;
  Words block_words;

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
  std::string list_topic;
  auto* list = app.add_option("--list", list_topic,
                              "what there is: scenes, difficulties, strategies, policies, pools, presets, spells, "
                              "sounds, voice-policies, voice-storages, hotkeys")
                   ->type_name("[TOPIC]")
                   ->expected(0, 1);

  CLI::App* compare =
      app.add_subcommand("compare", "run two strategies as ABBA blocks, a process per block, and write the figures");
  add_world(*compare, compare_words, options.compare.world);
  add_load(*compare, compare_words);
  compare
      ->add_option("--a", compare_words.a,
                   "first arm: a strategy; with + also a policy, an allocator (" + names_of(kAllocators) +
                       "), frame_arena, frame_heap, voices_heap, voices_pool, or voices_ and a steal policy")
      ->type_name("ARM");
  compare->add_option("--b", compare_words.b, "second arm")->type_name("ARM");
  compare->add_option("--all", options.compare.all, "A against all: " + names_of(kAllTopics))->type_name("TOPIC");
  compare
      ->add_option("--plan", compare_words.plan,
                   "how long and how careful: " + names_of(kPlans) + "; --preset takes these too")
      ->type_name("NAME");
  compare->add_flag("--estimate", options.compare.estimate, "tell how long it will take, and end");
  compare->add_flag("--progress", options.compare.progress,
                    "tell how far it is in lines of stderr that a program can read: progress FRACTION TEXT");
  compare->add_option("--resume", options.compare.resume, "go on with the comparison that was begun in this folder")->type_name("DIR");
  compare->add_option("--quads", compare_words.quads, "quads of blocks, ABBA and BAAB in turn; 1 … 500")
      ->type_name("N");
  compare->add_option("--steps", compare_words.steps, "measured steps in a block; 60 … 1000000")->type_name("N");
  compare->add_flag("--sim-only", options.compare.sim_only, "time the simulation alone, without drawing");
  compare->add_option("--width", compare_words.width, "width of a drawn frame")->type_name("W");
  compare->add_option("--height", compare_words.height, "height of a drawn frame")->type_name("H");
  compare->add_option("--commands-a", options.compare.commands_a, "panel commands for A alone")->type_name("FILE");
  compare->add_option("--commands-b", options.compare.commands_b, "the same for arm B")->type_name("FILE");
  compare
      ->add_option("--voices", compare_words.voices, "where an arm names voices: slots that all sounds share, 1 … 4096")
      ->type_name("N");
  compare->add_option("--out", options.compare.out, "folder for run.json, frames.csv, card.png")->type_name("DIR");

  CLI::App* report = app.add_subcommand(
      "report", "make a page, images and texts from recordings: a comparison's folder, or CSV files of any game");
  report
      ->add_option("FILE", options.report.files,
                   "folder of compare; or CSVs of MangoHud, PresentMon 1 and 2, CapFrameX, or frames.csv; two of them "
                   "are A and B")
      ->required();
  report
      ->add_option("--process", options.report.process,
                   "the process to read from a CSV that names several; else the one with the most frames")
      ->type_name("NAME");
  report
      ->add_option("--out", options.report.out,
                   "folder for report.html, report.md, summary.svg, card; else the comparison's own, or for CSV files a "
                   "new one in the recordings folder")
      ->type_name("DIR");

  CLI::App* verify =
      app.add_subcommand("verify-replay", "replay under every strategy and check the hash of every step");
  verify->add_option("FILE", options.replay, "the replay")->required();
  verify->add_option("--data-dir", options.replay_data_dir, "folder that holds assets/, for the files that a replay names")->type_name("DIR");

  Words sync_words;
  CLI::App* sync = app.add_subcommand("synctest", "save, restore and go on, and check that no step differs");
  add_world(*sync, sync_words, options.synctest.world);
  sync->add_option("--strategy", sync_words.strategies, "how pools store, or all: " + names_of(pool::kStrategies))
      ->type_name("NAME")
      ->allow_extra_args(false);
  sync->add_option("--steps", sync_words.steps, "steps of each game, 1 … 1000000; else 1000")->type_name("N");
  sync->add_option("--distance", sync_words.distance, "steps from a save to its restoration, 1 … 1000; else 8")
      ->type_name("N");
  sync->add_option(
          "--forget", options.synctest.forget,
          "what is not restored, so that a difference has to be found: POOL.FIELD, or a whole part of the world")
      ->type_name("WHAT");

  CLI::App* block = app.add_subcommand("block", "")->group("");
  add_play(*block, block_words, options.block.play);
  block->add_option("--warmup", block_words.warmup, "");
  block->add_option("--place", options.block.place, "")->expected(3);
  block->add_option("--frames", options.block.frames, "");
  block->add_option("--report", options.block.report, "");
  block->add_option("--memory", block_words.memory, "");
  block->add_flag("--mix", options.block.mixes, "");
  add_load(*block, block_words);
  app.require_subcommand(0, 1);
  for (CLI::App* part : {&app, compare, report, verify, sync, block}) {
    for (CLI::Option* option : part->get_options()) {
      if (option->get_type_size() == 0) continue;  // flags
      const bool may_be_bare = option->get_expected_min() == 0;
      if (!may_be_bare)
        option->check(
            [](const std::string& word) { return word.empty() ? std::string("it is empty") : std::string(); });
      if (option->get_expected_max() <= 1) option->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
    }
  }

  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    for (CLI::App* sub : {compare, report, verify, sync}) {
      if (sub->parsed()) return {std::nullopt, 0, sub->help("spellpool")};
    }
    return {std::nullopt, 0, app.help()};
  } catch (const CLI::CallForVersion& e) {
    return {std::nullopt, 0, std::string(e.what()) + "\n"};
  } catch (const CLI::ParseError& e) {
    std::string problem = e.what();
    if (dynamic_cast<const CLI::ExtrasError*>(&e) != nullptr) {
      problem = "unknown option or argument:";
      for (const std::string& word : app.remaining(true)) (problem += " ") += word.empty() ? "''" : word.substr(0, 200);
    }
    return bad_usage(problem);
  }

  Checker check;
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
    options.list_topic = list_topic;
    options.play.world.scene = check.choice<frame::SceneId>("--scene", frame::kScenes, words.scene);
    static constexpr std::string_view kTopics[] = {"",         "scenes",         "difficulties",   "strategies",
                                                   "policies", "pools",          "presets",        "spells",
                                                   "sounds",   "voice-policies", "voice-storages", "hotkeys"};
    bool known = false;
    for (std::string_view topic : kTopics) known = known || topic == list_topic;
    if (!known)
      check.fail("--list: there is no '" + list_topic.substr(0, 60) +
                 "'; there are: scenes, difficulties, strategies, policies, pools, presets, spells, sounds, "
                 "voice-policies, voice-storages, hotkeys");
  } else if (compare->parsed()) {
    options.command = CommandId::Compare;
    CompareOptions& c = options.compare;
    for (int i = 1; i < argc; ++i) {
      if (std::string_view(argv[i]) != "--progress") c.words.emplace_back(argv[i]);
    }
    if (compare_words.plan.empty() && find_by_name<PlanId>(kPlans, compare_words.preset))
      std::swap(compare_words.plan, compare_words.preset);
    if (compare_words.preset.empty()) compare_words.preset = "default";
    if (!compare_words.plan.empty()) c.plan = check.choice<PlanId>("--plan", kPlans, compare_words.plan);
    check_load(check, compare_words, c.storage, c.heap, c.plant_difference, compare_words.seed);
    check_world(check, compare_words, c.world);
    check.fail_if(c.world.wrong_pool());
    check.fail_if(parse_arm("--a", compare_words.a, c.a));
    check.fail_if(parse_arm("--b", compare_words.b, c.b));
    if (c.plant_difference > 0 && !c.storage && !scene_hooks(c.world.scene).has_spells())
      check.fail("--plant-difference: only in the scenes spells and storage");
    std::vector<std::string> others;
    if (!c.all.empty()) check.fail_if(arms_of(c.all, c.a, others));
    if (c.storage) {
      for (const CompareArm* arm : {&c.a, &c.b}) {
        if (!storage_load_has(arm->strategy))
          check.fail(std::string("--scene storage: ") + std::string(pool::row(arm->strategy).name) +
                     " takes objects apart, which this load's cannot be; compare it in the scene spells");
        if (arm->memory) check.fail("--scene storage: there is no frame memory in it");
        if (arm->has_voices()) check.fail("--scene storage: there is no sound in it");
      }
      if (!c.commands_a.empty() || !c.commands_b.empty())
        check.fail("--scene storage: there are no panel commands in it");
      c.sim_only = true;
    }
    if (c.plan) {
      const PlanRow& row = kPlans[static_cast<std::size_t>(*c.plan)];
      c.quads = row.quads;
      c.sim_only = c.sim_only || row.sim_only;
      if (*c.plan == PlanId::Rendered) c.steps = 120;
      if (*c.plan == PlanId::Matrix) c.steps = 120;
      if (!row.sim_only && c.storage) check.fail("--plan " + std::string(row.name) + ": --scene storage draws nothing");
    }
    if (!compare_words.voices.empty())
      c.voices = static_cast<u32>(check.number("--voices", compare_words.voices, 1, 4'096));
    if (!compare_words.quads.empty()) c.quads = static_cast<u32>(check.number("--quads", compare_words.quads, 1, 500));
    c.steps_given = !compare_words.steps.empty();
    if (c.steps_given) c.steps = check.number("--steps", compare_words.steps, 60, 1'000'000);
    if (!compare_words.width.empty()) c.width = static_cast<u32>(check.number("--width", compare_words.width, 1, 8192));
    if (!compare_words.height.empty())
      c.height = static_cast<u32>(check.number("--height", compare_words.height, 1, 8192));
  } else if (report->parsed()) {
    options.command = CommandId::Report;
  } else if (verify->parsed()) {
    options.command = CommandId::VerifyReplay;
  } else if (sync->parsed()) {
    options.command = CommandId::SyncTest;
    SyncTest& test = options.synctest;
    const auto takes_all = [](std::vector<std::string>& words_of) { return std::erase(words_of, "all") > 0; };
    test.every_strategy = takes_all(sync_words.strategies);
    test.every_policy = takes_all(sync_words.overflows);
    check_world(check, sync_words, test.world);
    if (!sync_words.steps.empty()) test.steps = check.number("--steps", sync_words.steps, 1, 1'000'000);
    if (!sync_words.distance.empty()) test.distance = check.number("--distance", sync_words.distance, 1, 1'000);
  } else if (block->parsed()) {
    options.command = CommandId::Block;
    check_load(check, block_words, options.block.storage, options.block.heap, options.block.plant_difference,
               block_words.seed);
    check_play(check, block_words, options.block.play);
    if (!block_words.memory.empty())
      options.block.memory = check.choice<pool::MemorySource>("--memory", pool::kMemorySources, block_words.memory);
    options.block.warmup = check.number("--warmup", block_words.warmup, 0, 1'000'000);
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
