#include "app/window/game_actions.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "app/window/window_parts.hpp"
#include "core/log.hpp"
#include "measure/record/number_text.hpp"
#include "platform/desktop.hpp"
#include "platform/paths.hpp"

namespace spellpool::app {
namespace {

using frame::Action;
using frame::SimCommand;
using frame::SimCommandKind;

constexpr u32 kLeastPanelCapacity = 100;
constexpr u32 kMostPanelCapacity = 500'000;
constexpr std::string_view kProcessor = "processor";

template <class Enum>
Enum next_of(Enum value, std::size_t count) {
  return static_cast<Enum>((static_cast<std::size_t>(value) + 1) % count);
}

SimCommand command_of(SimCommandKind kind, u8 choice) {
  SimCommand command;
  command.kind = kind;
  command.choice = choice;
  return command;
}

/// Where the HUD keeps that a panel that covers the game is open; null for one beside the game.
bool* open_flag(HudState& hud, ui::ClosePanel panel) {
  switch (panel) {
    case ui::ClosePanel::Help: return &hud.help;
    case ui::ClosePanel::Settings: return &hud.settings_open;
    case ui::ClosePanel::Lab: return &hud.lab_open;
    case ui::ClosePanel::Memory: return &hud.memory_open;
    case ui::ClosePanel::FrameTimeline: return &hud.timeline_open;
    case ui::ClosePanel::AbCard: return &hud.ab_card_open;
    case ui::ClosePanel::Scores: return &hud.scores_open;
    default: return nullptr;
  }
}

}  // namespace

// -------------------------------------------------------------------------------------------- pools and load

void GameActions::queue(const SimCommand& command) {
  const std::string why = w_.world().refusal(command);
  if (why.empty()) return w_.game.queue(command);
  w_.notice("Not done: " + why);
  w_.audio.click(frame::PanelSound::Refuse);
}

/// For all pools at once: one that the world does not take is left as it is.
void GameActions::queue_choice(SimCommandKind kind, frame::PoolId pool, u8 choice) {
  SimCommand command = command_of(kind, choice);
  command.pool = pool;
  if (w_.world().refusal(command).empty()) w_.game.queue(command);
}

void GameActions::queue_for_all(SimCommandKind kind, u8 choice) {
  for (const frame::PoolName& pool : frame::pools_of(w_.world().scene())) queue_choice(kind, pool.id, choice);
}

void GameActions::queue_capacity(u32 capacity) {
  SimCommand command;
  command.kind = SimCommandKind::SetCapacity;
  command.capacity = std::clamp(capacity, frame::kMinCapacity, frame::kMaxCapacity);
  w_.game.queue(command);
}

void GameActions::toggle_strategy() {
  w_.hud.state.has_compared = true;
  const sim::PoolChoice particles = w_.game.session().coming(frame::PoolId::Particles);
  const frame::ConsoleMode console = w_.game.session().coming_console();
  const bool on_heap = console == frame::ConsoleMode::Heap;
  const bool to_pool =
      console == frame::ConsoleMode::Off ? particles.strategy == pool::StrategyId::Heap : on_heap;
  const pool::StrategyId other = to_pool ? last_pooled_ : pool::StrategyId::Heap;
  if (particles.strategy != pool::StrategyId::Heap) last_pooled_ = particles.strategy;
  queue_for_all(SimCommandKind::SetStrategy, static_cast<u8>(other));
  if (console == frame::ConsoleMode::Off) return;
  choose_console(to_pool ? frame::ConsoleMode::Pools : frame::ConsoleMode::Heap);
  if (to_pool)
    w_.hud.state.show_alert(frame::AlertView::Tone::Good, "Pools: one for each size",
                            "The same 12 KiB. A slot that is free fits, so no spell fizzles");
}

void GameActions::toggle_fill() {
  const u8 on = w_.game.session().coming_fill(frame::PoolId::Particles) ? 0 : 1;
  queue_for_all(SimCommandKind::SetFill, on);
  w_.notice(on != 0 ? "Slots are filled: 0xCD when acquired, 0xDD when released"
                    : "Slots are no longer filled");
}

void GameActions::trim() {
  for (const frame::PoolName& pool : frame::pools_of(w_.world().scene())) {
    SimCommand command;
    command.kind = SimCommandKind::Trim;
    command.pool = pool.id;
    const u32 live = w_.world().pool(pool.id).stats().live;
    const sim::PoolChoice usual =
        w_.game.options().world.effective_pools()[static_cast<std::size_t>(pool.id)];
    command.capacity = std::max(usual.keep_free, usual.capacity - std::min(usual.capacity, live));
    w_.game.queue(command);
  }
  w_.notice("Trimmed to what lives in each pool, or its usual size; empty blocks are freed");
}

bool GameActions::perform_on_pools(Action action) {
  const Session& session = w_.game.session();
  const sim::PoolChoice particles = session.coming(frame::PoolId::Particles);
  const u32 capacity = particles.capacity;
  switch (action) {
    case Action::ToggleStrategy: toggle_strategy(); return true;
    case Action::NextStrategy:
      queue_for_all(SimCommandKind::SetStrategy,
                    static_cast<u8>(next_of(particles.strategy, pool::kStrategyCount)));
      return true;
    case Action::NextPolicy:
      queue_for_all(SimCommandKind::SetPolicy,
                    static_cast<u8>(next_of(particles.policy, pool::kPolicyCount)));
      return true;
    case Action::CapacityDown:
      queue_capacity(std::max(capacity / 2, std::min(capacity, kLeastPanelCapacity)));
      return true;
    case Action::CapacityUp:
      queue_capacity(std::min(capacity * 2, std::max(capacity, kMostPanelCapacity)));
      return true;
    case Action::Trim: trim(); return true;
    case Action::FillBytes: toggle_fill(); return true;
    case Action::FrameMemory: {
      const u8 next = static_cast<u8>(next_of(session.coming_memory(), pool::kMemorySources.size()));
      w_.game.queue(command_of(SimCommandKind::SetMemory, next));
      return true;
    }
    case Action::Console:
      choose_console(session.coming_console() == frame::ConsoleMode::Off ? frame::ConsoleMode::Heap
                                                                         : frame::ConsoleMode::Off);
      return true;
    case Action::FewSlots: share_slots(); return true;
    case Action::Forgetful: toggle_forgetful(); return true;
    case Action::Cranes: turn_cranes(); return true;
    default: return false;
  }
}

void GameActions::choose_console(frame::ConsoleMode mode) {
  w_.game.queue(command_of(SimCommandKind::SetConsole, static_cast<u8>(mode)));
  constexpr std::array<std::string_view, frame::kConsoleModes.size()> kWords = {
      "No small console: the spells have all the memory that they want",
      "Small console: all spells live in one heap of 12 KiB",
      "Small console: the same 12 KiB, as a pool for each size"};
  w_.notice(kWords[static_cast<std::size_t>(mode)]);
}

void GameActions::share_slots() {
  const auto next = next_of(w_.game.session().coming_sharing(), frame::kSlotSharings.size());
  w_.game.queue(command_of(SimCommandKind::SetSharing, static_cast<u8>(next)));
  constexpr std::array<std::string_view, frame::kSlotSharings.size()> kWords = {
      "Each pool has its usual size again", "One shared pool: 1,000 slots for whatever asks first",
      "Separate pools: the same 1,000 slots, 60 of them for enemies"};
  w_.notice(kWords[static_cast<std::size_t>(next)]);
}

void GameActions::toggle_forgetful() {
  const u8 on = w_.game.session().coming_forgetful() ? 0 : 1;
  w_.game.queue(command_of(SimCommandKind::SetForgetful, on));
  w_.notice(on != 0 ? "Planted: sparks of bursts keep colour and speed of their slot's last object"
                    : "Mended: the constructor sets every member again");
}

void GameActions::turn_cranes() {
  const auto next = next_of(w_.game.session().coming_cranes(), frame::kCraneSearches.size());
  w_.game.queue(command_of(SimCommandKind::SetCranes, static_cast<u8>(next)));
  constexpr std::array<std::string_view, frame::kCraneSearches.size()> kWords = {
      "No stones: cranes fly as the stage says",
      "Stones: cranes search a way round them; a full arena takes more from the heap",
      "Stones: a full arena gives nullptr, and a crane without memory does not know its way"};
  w_.notice(kWords[static_cast<std::size_t>(next)]);
}

bool GameActions::perform_on_load(Action action) {
  const frame::Load load = w_.game.session().coming_load();
  switch (action) {
    case Action::LoadDown: turn_load(fewer_sparks(load)); return true;
    case Action::LoadUp: turn_load(more_sparks(load)); return true;
    case Action::Churn: turn_load(next_churn(load)); return true;
    case Action::HeapAge: age_heap(); return true;
    default: return false;
  }
}

/// The dial: sparks and churn, and room for them. All of it are commands, which a replay keeps.
void GameActions::turn_load(const frame::Load& load) {
  const frame::Load before = w_.game.session().coming_load();
  if (load == before) return;
  const auto ask = [&](SimCommandKind kind, u32 times) {
    SimCommand command;
    command.kind = kind;
    command.capacity = times;
    w_.game.queue(command);
  };
  if (load.sparks != before.sparks) ask(SimCommandKind::SetLoad, load.sparks);
  if (load.churn != before.churn) ask(SimCommandKind::SetChurn, load.churn);
  const WorldOptions& world = w_.game.options().world;
  const sim::PoolChoice usual = world.effective_pools()[static_cast<std::size_t>(frame::PoolId::Particles)];
  const bool eased = is_usual(load);
  const u32 capacity = frame::loaded_capacity(usual.capacity, load);
  const pool::PolicyId policy = eased ? usual.policy : pool::PolicyId::Reject;
  queue_capacity(capacity);
  queue_choice(SimCommandKind::SetPolicy, frame::PoolId::Particles, static_cast<u8>(policy));
  w_.shell.renderer().reserve(capacity, world.bullet_capacity());
  w_.playback.prewarmed = false;
  const auto count = [](u64 number) { return measure::grouped_text(static_cast<double>(number), 0); };
  const u64 wanted = frame::wanted_particles(usual.capacity, load);
  std::string words = fmt::format("Load: sparks ×{}", load.sparks);
  if (load.churn > 0) words += fmt::format(", churn ×{}", load.churn);
  words += fmt::format(". {} slots", count(capacity));
  if (wanted > capacity) words += fmt::format(", the dial's maximum ({} could come)", count(wanted));
  w_.notice(words + (eased ? "" : "; while all are taken, new sparks are rejected"));
}

void GameActions::age_heap() {
  const u8 aged = w_.game.session().coming_load().aged_heap ? 0 : 1;
  w_.game.queue(command_of(SimCommandKind::SetHeapAge, aged));
  w_.notice(aged != 0 ? "Aged heap: 200,000 blocks, every second one freed"
                      : "Fresh heap: the blocks of the aged one are freed");
}

// ---------------------------------------------------------------------------------------------------- panels

bool GameActions::anything_open() const {
  const HudState& hud = w_.hud.state;
  return hud.help || hud.settings_open || hud.editor_open || hud.memory_open || hud.timeline_open ||
         hud.slot_map_open || hud.voices_open || hud.sound_editor.open || hud.lab_open || hud.pool_panel || hud.graph ||
         hud.scores_open || hud.ab_card_open;
}

/// A click of the mouse has its sound from the panel itself.
void GameActions::answer_key(Action action, bool closes) {
  switch (action) {
    case Action::ToggleStrategy:
    case Action::NextStrategy:
    case Action::LoadDown:
    case Action::LoadUp:
    case Action::Churn:
    case Action::HeapAge:
    case Action::Console:
    case Action::FewSlots:
    case Action::Forgetful:
    case Action::Cranes:
    case Action::FrameTimeline:
    case Action::Help:
    case Action::HudLevel:
    case Action::PoolPanel:
    case Action::Graph:
    case Action::GraphScale:
    case Action::SlotMap:
    case Action::Memory:
    case Action::Voices:
    case Action::SoundEditor:
    case Action::Lab:
    case Action::Editor:
    case Action::Settings: w_.audio.click(frame::PanelSound::Toggle); break;
    case Action::Quit:
      if (closes) w_.audio.click(frame::PanelSound::Back);
      break;
    default: break;
  }
}

void GameActions::close_topmost() {
  HudState& hud = w_.hud.state;
  if (ui::release_held(w_.shell.panels().state())) return;
  // The panel that was seen last; it may be closed already, by a key of the same frame.
  const std::optional<ui::ClosePanel> seen = ui::covering_panel(w_.shell.panels().state());
  bool* const covering = seen ? open_flag(hud, *seen) : nullptr;
  if (covering != nullptr && *covering) *covering = false;
  else if (hud.help) hud.help = false;
  else if (hud.lab_open && !hud.settings_open) hud.lab_open = false;
  else if (hud.ab_card_open) hud.ab_card_open = false;
  else if (hud.scores_open) hud.scores_open = false;
  else if (hud.settings_open) hud.settings_open = false;
  else if (hud.memory_open && !hud.hidden) hud.memory_open = false;
  else if (hud.timeline_open && !hud.hidden) hud.timeline_open = false;
  else if (hud.editor_open) hud.editor_open = false;
  else if (hud.sound_editor.open) hud.sound_editor.open = false;
  else if (hud.voices_open && !hud.hidden) hud.voices_open = false;
  else if (hud.slot_map_open && !hud.hidden) hud.slot_map_open = false;
  else if (w_.modes.playing().leave()) return;
  else if (hud.pool_panel || hud.graph) close_details();
  else w_.modes.playing().go_back();
}

void GameActions::close_details() {
  HudState& hud = w_.hud.state;
  hud.pool_panel = hud.graph = false;
  hud.settings.hud = hud.level();
  w_.files.settings_changed();
}

void GameActions::ask_to_quit() {
  if (question_.press()) w_.shell.quit();
  else if (!w_.hud.state.title.shown) w_.notice(QuitQuestion::words(w_.hud.state.settings));
}

bool GameActions::perform_on_panels(Action action) {
  HudState& hud = w_.hud.state;
  // A panel that was opened by its key is seen, also where the level of detail was nothing.
  const auto toggle = [&hud](bool& open) {
    open = hud.hidden || !open;
    if (open) hud.hidden = false;
  };
  switch (action) {
    case Action::Help: hud.help = !hud.help; return true;
    case Action::HudLevel:
      // From nothing up to full and round again; what F2 and F3 opened counts as the level that it is nearest
      // to.
      hud.show(next_of(hud.level(), frame::kHudLevels.size()));
      break;
    case Action::PoolPanel: toggle(hud.pool_panel); break;
    case Action::Graph: toggle(hud.graph); break;
    case Action::Memory: toggle(hud.memory_open); return true;
    case Action::FrameTimeline:
      toggle(hud.timeline_open);
      if (hud.timeline_open) w_.game.record_timeline();
      return true;
    case Action::SlotMap: toggle(hud.slot_map_open); return true;
    case Action::FollowSlot:
      if (!hud.slot_map_open || hud.hidden) toggle(hud.slot_map_open);
      else w_.shell.panels().state().slots.follow = true;
      return true;
    case Action::GraphScale: {
      const bool automatic = hud.graph_scale == frame::GraphScale::Automatic;
      hud.graph_scale = automatic ? frame::GraphScale::SquareRoot : frame::GraphScale::Automatic;
      return true;
    }
    case Action::Voices: toggle(hud.voices_open); return true;
    case Action::SoundEditor:
      hud.sound_editor.open = !hud.sound_editor.open || hud.editor_open;
      hud.editor_open = false;
      return true;
    case Action::Lab: hud.lab_open = !hud.lab_open; return true;
    case Action::Editor: hud.editor_open = !hud.editor_open && w_.hooks().has_spells(); return true;
    case Action::Settings: hud.settings_open = !hud.settings_open; return true;
    default: return false;
  }
  hud.settings.hud = hud.level();
  w_.files.settings_changed();
  return true;
}

// ------------------------------------------------------------------------------------------- game and window

void GameActions::perform(Action action) {
  if (perform_on_pools(action) || perform_on_load(action) || perform_on_panels(action) ||
      perform_on_window(action))
    return;
  perform_on_game(action);
}

void GameActions::begin_side_by_side() {
  if (w_.game.csv().recording() || w_.modes.playing().is_timed() || w_.lab.busy()) {
    refuse("Not begun: end what is being measured first");
  } else if (!leads_to(w_.modes.playing_id(), ModeId::SideBySide)) {
    refuse("Not begun: side by side needs a game that is being played");
  } else {
    w_.hud.state.has_compared = true;
    w_.modes.request(ModeId::SideBySide);
  }
}

void GameActions::begin_quick_ab() {
  if (leads_to(w_.modes.playing_id(), ModeId::QuickAb)) w_.modes.request(ModeId::QuickAb);
  else refuse("Not begun: the quick A/B needs a game that is being played");
}

void GameActions::refuse(std::string_view why) {
  w_.notice(std::string(why));
  w_.audio.click(frame::PanelSound::Refuse);
}

/// Held actions (Cast, Focus, moves) come as FrameEvents' own members.
void GameActions::perform_on_game(Action action) {
  HudState& hud = w_.hud.state;
  constexpr int kSpells = static_cast<int>(frame::kSpellCount);
  const auto select = [this](int spell) { w_.latch.select(static_cast<u8>(spell % kSpells)); };
  if (const auto spell = frame::spell_of(action)) return select(static_cast<int>(*spell));
  SceneContext context = w_.scene_context();
  if (w_.scene().perform(action, context)) {
    return w_.settle(context);
  }
  switch (action) {
    case Action::Record: toggle_recording(); break;
    case Action::QuickAb: begin_quick_ab(); break;
    case Action::SideBySide: begin_side_by_side(); break;
    case Action::Stress:
      if (w_.hooks().has_stages()) w_.modes.request(ModeId::Stress);
      break;
    case Action::Pause:
      hud.paused = !(hud.paused || w_.playback.idle);
      w_.playback.idle = false;
      break;
    case Action::SingleStep: hud.paused = w_.playback.single_step = true; break;
    case Action::SlowMotion: hud.slow_motion = !hud.slow_motion; break;
    case Action::Rewind: w_.rewind.retry(); break;  // a board's button; the key is one that is held
    case Action::NextSpell: select(w_.latch.wanted_spell() + 1); break;
    case Action::PreviousSpell: select(w_.latch.wanted_spell() + kSpells - 1); break;
    default: break;
  }
}

bool GameActions::perform_on_window(Action action) {
  const render::Renderer& renderer = w_.shell.renderer();
  // A copy of the settings allocates, and most keys change none.
  const auto change = [this](auto&& f) {
    frame::Settings changed = w_.hud.state.settings;
    f(changed);
    apply(changed);
  };
  switch (action) {
    case Action::Mute:
      change([](frame::Settings& settings) { settings.muted = !settings.muted; });
      return true;
    case Action::Fullscreen:
      change([](frame::Settings& settings) { settings.fullscreen = !settings.fullscreen; });
      return true;
    case Action::DrawPath:
      change([&](frame::Settings& settings) {
        settings.looks.draw = renderer.path() == kProcessor ? frame::DrawPath::Gpu : frame::DrawPath::Cpu;
      });
      w_.notice(renderer.path() == kProcessor ? "Drawn on the CPU" : "Drawn by OpenGL");
      return true;
    case Action::Screenshot: w_.files.want_screenshot(); return true;
    case Action::ReloadSpells: w_.content.reread(); return true;
    case Action::Quit: close_topmost(); return true;
    default: return false;
  }
}

void GameActions::toggle_recording() {
  measure::CsvRecording& csv = w_.game.csv();
  if (csv.recording()) {
    const std::string outcome = w_.game.stop_recording();
    w_.notice(outcome);
    log(LogLevel::Info, outcome);
    return;
  }
  w_.playback.prewarmed =
      w_.playback.prewarmed || w_.world().prewarm(1e9);  // what is measured has everything ready
  const platform::PathResult folder = platform::recordings_folder();
  std::string error = folder.error;
  std::string path;
  if (error.empty()) {
    path = platform::free_name(folder.path, "spellpool_" + time_stamp(), ".csv").string();
    error = csv.start(path);
  }
  w_.notice(error.empty() ? "Recording to " + path : error);
  log(error.empty() ? LogLevel::Info : LogLevel::Warning, error.empty() ? "recording to " + path : error);
}

// ------------------------------------------------------------------------------------- settings and requests

void GameActions::apply(const frame::Settings& settings) {
  frame::Settings& now = w_.hud.state.settings;
  const frame::Settings before = now;
  now = settings;
  if (now.looks != before.looks) {
    w_.shell.governor().forget();
    w_.drawing.show_looks();
    w_.playback.stale = true;
  }
  if (now.hud != before.hud) w_.hud.state.show(now.hud);
  w_.audio.set_volumes(now);
  if (now.fullscreen != before.fullscreen) w_.shell.set_fullscreen(now.fullscreen);
  if (now.vsync != before.vsync) w_.shell.set_vsync(now.vsync);
  if (now.bindings != before.bindings) {
    platform::Events& events = w_.shell.events();
    events.set_bindings(now.bindings);
    if (!events.binding_warning().empty()) w_.notice(events.binding_warning());
  }
  if (!(now == before)) w_.files.settings_changed();
}

void GameActions::listen(const platform::FrameEvents& events) {
  ui::UiState& panels = w_.shell.panels().state();
  if (events.heard_cancel) ui::bind_heard(panels, {}, {});
  if (!events.heard_key.empty() || !events.heard_pad.empty())
    ui::bind_heard(panels, events.heard_key, events.heard_pad);
}

void GameActions::apply(const frame::PanelRequests& requests) {
  HudState& hud = w_.hud.state;
  for (std::size_t i = 0; i < requests.command_count; ++i) queue(requests.commands[i]);
  w_.drawing.watch_slots(requests.slot_map);
  if (requests.settings) apply(*requests.settings);
  if (requests.edited) {
    const bool plays = w_.content.edit_spell(requests.edited_spell, *requests.edited);
    if (plays && requests.save_spell) w_.content.save_spell(requests.edited_spell);
  }
  w_.audio.take(requests, hud);
  apply_lab(requests.lab);
  w_.audio.click(requests.sound);
  w_.rewind.hold(requests.hold_rewind ? std::optional(requests.rewind_step) : std::nullopt);
  if (requests.choose_difficulty) w_.scene().choose_difficulty(requests.difficulty);
  w_.modes.playing().take(requests);
  if (requests.replay_story) w_.memory.replay_stories();
  if (requests.close_scores) hud.scores_open = false;
  if (requests.close_ab_card) hud.ab_card_open = false;
  platform::Events& events = w_.shell.events();
  if (requests.listening != events.listening()) events.listen(requests.listening);
  for (std::size_t i = 0; i < requests.action_count; ++i) w_.modes.playing().perform(requests.actions[i]);
}

void GameActions::apply_lab(const frame::LabRequests& requests) {
  frame::LabRequests asked = requests;
  const bool begins = asked.start || asked.resume_result || asked.act == frame::LabAct::Resume;
  const bool recording = w_.game.csv().recording();
  std::string line;
  if (begins && (recording || w_.modes.playing().is_timed())) {
    line = recording ? "Not begun: end the recording first, the comparison would disturb it"
                     : "Not begun: the bullets are being counted";
    w_.audio.click(frame::PanelSound::Refuse);
    asked.start = asked.resume_result = false;
    if (asked.act == frame::LabAct::Resume) asked.act = frame::LabAct::None;
  }
  const LabController::Request request = w_.lab.take(asked);
  switch (request.what) {
    case LabController::Request::What::None: break;
    case LabController::Request::What::Open: line = platform::open_with_desktop(request.path); break;
    case LabController::Request::What::Copy:
      line = platform::copy_text(request.path);
      if (line.empty()) line = "Copied " + request.path;
      break;
  }
  if (!line.empty()) w_.lab.say(line);
}

}  // namespace spellpool::app
