#include <algorithm>
#include <array>
#include <string_view>

#include "app/option_words.hpp"
#include "app/play/clip.hpp"
#include "app/scene_hooks.hpp"

namespace spellpool::app {

using sim::names_of;

namespace {

void add_settings(CLI::App& app, OptionWords& words) {
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

struct PanelOption {
  std::string_view name;
  bool PlayOptions::*opens;
};
constexpr std::array<PanelOption, 11> kPanelOptions = {{{"pool", &PlayOptions::pool_panel},
                                                        {"graph", &PlayOptions::graph},
                                                        {"slots", &PlayOptions::slot_map},
                                                        {"memory", &PlayOptions::memory},
                                                        {"voices", &PlayOptions::voice_panel},
                                                        {"sounds", &PlayOptions::sounds},
                                                        {"lab", &PlayOptions::lab},
                                                        {"help", &PlayOptions::help},
                                                        {"settings", &PlayOptions::settings},
                                                        {"editor", &PlayOptions::editor},
                                                        {"scores", &PlayOptions::scores}}};

void open_panel(OptionChecker& check, const std::string& name, PlayOptions& play) {
  const PanelOption& row = kPanelOptions[check.place("--panels", kPanelOptions, name)];
  if (row.opens == &PlayOptions::editor && !scene_hooks(play.world.scene).has_spells())
    check.fail("--panels: only the scene spells has spells to edit");
  play.*row.opens = true;
}

bool ends_in(const std::string& path, std::string_view ending) {
  return path.starts_with("/dev/") || (path.size() > ending.size() && path.ends_with(ending));
}

/// The files that a run writes.
void check_files(OptionChecker& check, const OptionWords& words, PlayOptions& play) {
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

}  // namespace

void add_play(CLI::App& app, OptionWords& words, PlayOptions& play) {
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
  app.add_option("--panels", words.panels, "open at the start: " + names_of(kPanelOptions))
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

void check_play(OptionChecker& check, const OptionWords& words, PlayOptions& play) {
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
  for (const std::string& panel : words.panels) open_panel(check, panel, play);
  if (play.sim_only) {
    play.headless = true;
    if (!play.screenshot.empty()) check.fail("--screenshot needs drawing; leave out --sim-only");
  }
  if (!play.input.empty() && play.autoplay)
    check.fail(std::string("--input and ") + (play.showcase ? "--cast" : "--autoplay") + " both play; leave one out");
  check_files(check, words, play);
}

void add_duet(CLI::App& app, OptionWords& words) {
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

void check_duet(OptionChecker& check, const OptionWords& words, PlayOptions& play) {
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
  const std::pair<bool, std::string_view> others[] = {{!words.strategies.empty(), "--strategy"},
                                                      {!play.input.empty(), "--input"},
                                                      {!play.record_input.empty(), "--record-input"},
                                                      {!play.commands.empty(), "--commands"},
                                                      {play.switch_every > 0, "--switch-every"},
                                                      {!play.hash_out.empty(), "--hash-out"},
                                                      {!play.audio_out.empty(), "--audio-out"},
                                                      {!play.record_csv.empty(), "--record"},
                                                      {!play.clip.empty(), "--clip"},
                                                      {play.stress, "--stress"},
                                                      {!words.panels.empty(), "--panels"}};
  for (const auto& [given, name] : others) {
    if (given) check.fail("--duet plays two worlds by itself; leave out " + std::string(name));
  }
  play.duet = duet;
}

void add_learn(CLI::App& app, OptionWords& words) {
  app.add_option("--learn", words.learn,
                 "lessons about object pools: all, or 1 to " + std::to_string(frame::kLessonCount) +
                     ", or a name: " + names_of(frame::kLessons))
      ->type_name("LESSON");
  app.add_option("--screenshot-dir", words.screenshot_dir,
                 "with --learn --headless: a screenshot of each step into this folder")
      ->type_name("DIR");
  app.add_option(
         "--learn-script", words.learn_script,
         "with --learn --headless: commands, a line each: open, next, back, answer, pick, choose, solve, screenshot")
      ->type_name("FILE");
}

void check_learn(OptionChecker& check, const OptionWords& words, PlayOptions& play) {
  if (words.learn.empty()) {
    if (!words.screenshot_dir.empty() || !words.learn_script.empty())
      check.fail("--screenshot-dir and --learn-script are about --learn; give --learn all");
    return;
  }
  LearnOptions learn;
  const bool digits = words.learn.find_first_not_of("0123456789") == std::string::npos;
  if (digits)
    learn.lesson = static_cast<frame::LessonId>(check.number("--learn", words.learn, 1, frame::kLessonCount) - 1);
  else if (words.learn != "all")
    learn.lesson = check.choice<frame::LessonId>("--learn", frame::kLessons, words.learn);
  learn.screenshot_dir = words.screenshot_dir;
  learn.script = words.learn_script;
  if (!play.headless && !(learn.screenshot_dir.empty() && learn.script.empty()))
    check.fail("--screenshot-dir and --learn-script need --headless");
  if (play.duet) check.fail("--learn takes the window; leave out --duet");
  if (!play.headless && !play.allows_title())
    check.fail("--learn takes the window; leave out what plays or records a game");
  play.learn = learn;
}

}  // namespace spellpool::app
