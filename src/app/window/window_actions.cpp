#include <fmt/format.h>

#include <algorithm>

#include "app/window/window_game.hpp"
#include "measure/record/number_text.hpp"
#include "platform/paths.hpp"
#include "sim/shooter/crane_guide.hpp"
#include "sim/shooter/slot_budget.hpp"
#include "sim/spells/world.hpp"

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

/// The next step above, or the last; the next below, or the first.
template <std::size_t kCount>
u32 step_up(const std::array<u32, kCount>& steps, u32 now) {
  const auto next = std::ranges::upper_bound(steps, now);
  return next == steps.end() ? steps.back() : *next;
}
template <std::size_t kCount>
u32 step_down(const std::array<u32, kCount>& steps, u32 now) {
  const auto here = std::ranges::lower_bound(steps, now);
  return here == steps.begin() ? steps.front() : *std::prev(here);
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

void WindowGame::queue(const SimCommand& command) {
  const std::string why = world().refusal(command);
  if (why.empty()) return game_.queue(command);
  notice("Not done: " + why);
  click(frame::PanelSound::Refuse);
}

/// For all pools at once: one that the world does not take is left as it is.
void WindowGame::queue_choice(SimCommandKind kind, frame::PoolId pool, u8 choice) {
  SimCommand command;
  command.kind = kind;
  command.pool = pool;
  command.choice = choice;
  if (world().refusal(command).empty()) game_.queue(command);
}

void WindowGame::queue_capacity(u32 capacity) {
  SimCommand command;
  command.kind = SimCommandKind::SetCapacity;
  command.capacity = std::clamp(capacity, frame::kMinCapacity, frame::kMaxCapacity);
  game_.queue(command);
}

/// The dial: sparks and churn, and room for them. All of it are commands, which a replay keeps.
void WindowGame::turn_load(const frame::Load& load) {
  const frame::Load before = game_.session().coming_load();
  if (load == before) return;
  const auto ask = [&](SimCommandKind kind, u32 times) {
    SimCommand command;
    command.kind = kind;
    command.capacity = times;
    game_.queue(command);
  };
  if (load.sparks != before.sparks) ask(SimCommandKind::SetLoad, load.sparks);
  if (load.churn != before.churn) ask(SimCommandKind::SetChurn, load.churn);
  const sim::PoolChoice usual = game_.options().world.effective_pools()[static_cast<std::size_t>(frame::PoolId::Particles)];
  const bool eased = load.sparks == 1 && load.churn == 0;
  const u32 capacity = frame::loaded_capacity(usual.capacity, load);
  const pool::PolicyId policy = eased ? usual.policy : pool::PolicyId::Reject;
  queue_capacity(capacity);
  queue_choice(SimCommandKind::SetPolicy, frame::PoolId::Particles, static_cast<u8>(policy));
  renderer_->reserve(capacity, game_.options().world.bullet_capacity());
  prewarmed_ = false;
  const auto count = [](u64 number) { return measure::grouped_text(static_cast<double>(number), 0); };
  const u64 wanted = frame::wanted_particles(usual.capacity, load);
  std::string words = fmt::format("Load: sparks ×{}, churn ×{}. {} slots", load.sparks, load.churn, count(capacity));
  if (wanted > capacity) words += fmt::format(", the most that the dial takes ({} could come)", count(wanted));
  notice(words + (eased ? "" : "; a full pool rejects"));
}

void WindowGame::choose_console(frame::ConsoleMode mode) {
  SimCommand command;
  command.kind = SimCommandKind::SetConsole;
  command.choice = static_cast<u8>(mode);
  game_.queue(command);
  constexpr std::array<std::string_view, frame::kConsoleModes.size()> kWords = {
      "No small console: the spells have all the memory that they want", "Small console: all spells live in one heap of 12 KiB",
      "Small console: the same 12 KiB, as a pool for each size"};
  notice(std::string(kWords[command.choice]));
}

/// Says it when a spell got no memory.
void WindowGame::watch_console() {
  const sim::World* world = spells();
  if (world == nullptr || !world->console().on()) return;
  const sim::ConsoleRefusal& last = world->console().last_fizzle();
  if (std::exchange(fizzle_seen_, last.step) == last.step || last.step == 0) return;
  const auto bytes = [](u32 count) { return count < 1024 ? fmt::format("{} B", count) : fmt::format("{:.1f} KiB", count / 1024.0); };
  notice(fmt::format("The spell fizzled: {} free, largest hole {}, {} wanted. {}: to the pools", bytes(last.free_bytes),
                     bytes(last.largest_bytes), bytes(last.wanted_bytes),
                     hud_.state.settings.bindings[static_cast<std::size_t>(Action::ToggleStrategy)].key));
}

/// Says it when a wave loses an enemy.
void WindowGame::watch_slots() {
  const sim::SlotBudget* budget = world().slot_budget();
  if (budget == nullptr || !budget->on()) return;
  const sim::SlotBudget::Loss& last = budget->last_loss();
  if (std::exchange(loss_seen_, last.step) == last.step || last.step == 0) return;
  notice(fmt::format("Enemies that got no slot: {}. {} of {} slots are taken, {} by sparks",
                     budget->refused(frame::PoolId::Enemies), last.taken, frame::kSharedSlots, last.sparks));
}

/// Says it when a crane got no memory to search its way.
void WindowGame::watch_cranes() {
  const sim::CraneRules* cranes = world().crane_rules();
  if (cranes == nullptr || cranes->mode != frame::CraneSearch::Null) return;
  if (std::exchange(search_seen_, cranes->last_step) == cranes->last_step || cranes->last_step == 0) return;
  notice(fmt::format("A crane does not know its way: {} B wanted, {} of {} B free. Searches that ended so: {}", cranes->last_wanted_bytes,
                     cranes->last_free_bytes, sim::CraneGuide::kArena_bytes, cranes->ended));
}

void WindowGame::select(u8 spell) {
  wanted_spell_ = spell;
  select_latched_ = spell;
}

/// A soft sound of the interface.
void WindowGame::click(frame::PanelSound sound) {
  if (sound == frame::PanelSound::None) return;
  if (click_count_ < clicks_.size()) clicks_[click_count_++] = sound;
  if (device_.is_open()) mixer_->play(panel_sound(sound));
}

bool WindowGame::anything_open() const {
  const HudState& hud = hud_.state;
  return hud.help || hud.settings_open || hud.editor_open || hud.memory_open || hud.timeline_open || hud.slot_map_open || hud.voices_open || hud.sound_editor.open || hud.lab_open || hud.pool_panel ||
         hud.graph || hud.scores_open || hud.ab_card_open;
}

/// What a key has opened or closed. A click has its sound from the panel itself.
void WindowGame::answer_key(Action action, bool closes) {
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
    case Action::Settings: click(frame::PanelSound::Toggle); break;
    case Action::Quit:
      if (closes) click(frame::PanelSound::Back);
      break;
    default: break;
  }
}

void WindowGame::close_topmost() {
  HudState& hud = hud_.state;
  if (ui::release_held(imgui_->state())) return;
  // The panel that was seen last; it may be closed already, by a key of the same frame.
  const std::optional<ui::ClosePanel> seen = ui::covering_panel(imgui_->state());
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
  else if (stress_) leave_stress();
  else if (hud.pool_panel || hud.graph) hud.pool_panel = hud.graph = false;
  else if (in_flight() && !hud.paused) hud.paused = true;  // a hand that only wants to rest loses no game
  else if (may_open_title()) open_title();
  else ask_to_quit();
}

void WindowGame::perform(Action action) {
  if (transport_ && perform_replay(action)) return;
  HudState& hud = hud_.state;
  const sim::PoolChoice particles = game_.session().coming(frame::PoolId::Particles);
  constexpr int kSpells = static_cast<int>(frame::kSpellCount);
  // A panel that was opened by its key is seen, also where the level of detail was nothing.
  const auto toggle = [&hud](bool& open) {
    open = hud.hidden || !open;
    if (open) hud.hidden = false;
  };
  switch (action) {
    case Action::ToggleStrategy: {
      const frame::ConsoleMode console = game_.session().coming_console();
      const bool on_heap = console == frame::ConsoleMode::Heap;
      const bool to_pool = console == frame::ConsoleMode::Off ? particles.strategy == pool::StrategyId::Heap : on_heap;
      const pool::StrategyId other = to_pool ? last_pooled_ : pool::StrategyId::Heap;
      if (particles.strategy != pool::StrategyId::Heap) last_pooled_ = particles.strategy;
      for (const frame::PoolName& pool : frame::pools_of(world().scene())) queue_choice(SimCommandKind::SetStrategy, pool.id, static_cast<u8>(other));
      if (console != frame::ConsoleMode::Off) choose_console(to_pool ? frame::ConsoleMode::Pools : frame::ConsoleMode::Heap);
      break;
    }
    case Action::NextStrategy: {
      const u8 next = static_cast<u8>(next_of(particles.strategy, pool::kStrategyCount));
      for (const frame::PoolName& pool : frame::pools_of(world().scene())) queue_choice(SimCommandKind::SetStrategy, pool.id, next);
      break;
    }
    case Action::NextPolicy: {
      const u8 next = static_cast<u8>(next_of(particles.policy, pool::kPolicyCount));
      for (const frame::PoolName& pool : frame::pools_of(world().scene())) queue_choice(SimCommandKind::SetPolicy, pool.id, next);
      break;
    }
    case Action::CapacityDown: queue_capacity(std::max(particles.capacity / 2, std::min(particles.capacity, kLeastPanelCapacity))); break;
    case Action::CapacityUp: queue_capacity(std::min(particles.capacity * 2, std::max(particles.capacity, kMostPanelCapacity))); break;
    case Action::Trim:
      for (const frame::PoolName& pool : frame::pools_of(world().scene())) {
        SimCommand command;
        command.kind = SimCommandKind::Trim;
        command.pool = pool.id;
        const u32 live = world().pool(pool.id).stats().live;
        const sim::PoolChoice usual = game_.options().world.effective_pools()[static_cast<std::size_t>(pool.id)];
        command.capacity = std::max(usual.keep_free, usual.capacity - std::min(usual.capacity, live));
        game_.queue(command);
      }
      notice("Trimmed: no pool keeps more than what lives in it, or its usual size");
      break;
    case Action::FillBytes: {
      const u8 on = game_.session().coming_fill(frame::PoolId::Particles) ? 0 : 1;
      for (const frame::PoolName& pool : frame::pools_of(world().scene())) queue_choice(SimCommandKind::SetFill, pool.id, on);
      notice(on != 0 ? "Slots are filled: 0xCD when given out, 0xDD when they come back" : "Slots are no longer filled");
      break;
    }
    case Action::FrameMemory: {
      SimCommand command;
      command.kind = SimCommandKind::SetMemory;
      command.choice = static_cast<u8>(next_of(game_.session().coming_memory(), pool::kMemorySources.size()));
      game_.queue(command);
      break;
    }
    case Action::LoadDown:
    case Action::LoadUp: {
      frame::Load load = game_.session().coming_load();
      load.sparks = action == Action::LoadUp ? step_up(frame::kSparkSteps, load.sparks) : step_down(frame::kSparkSteps, load.sparks);
      turn_load(load);
      break;
    }
    case Action::Churn: {
      frame::Load load = game_.session().coming_load();
      const u32 more = step_up(frame::kChurnSteps, load.churn);
      load.churn = more == load.churn ? frame::kChurnSteps.front() : more;
      turn_load(load);
      break;
    }
    case Action::HeapAge: {
      SimCommand command;
      command.kind = SimCommandKind::SetHeapAge;
      command.choice = game_.session().coming_load().aged_heap ? 0 : 1;
      game_.queue(command);
      notice(command.choice != 0 ? "Aged heap: 200,000 blocks, every second one freed" : "Fresh heap: the blocks of the aged one are freed");
      break;
    }
    case Action::Console:
      choose_console(game_.session().coming_console() == frame::ConsoleMode::Off ? frame::ConsoleMode::Heap : frame::ConsoleMode::Off);
      break;
    case Action::FewSlots: {
      SimCommand command;
      command.kind = SimCommandKind::SetSharing;
      command.choice = static_cast<u8>(next_of(game_.session().coming_sharing(), frame::kSlotSharings.size()));
      game_.queue(command);
      constexpr std::array<std::string_view, frame::kSlotSharings.size()> kWords = {
          "Each pool has its usual size again", "One shared pool: 1,000 slots for whatever asks first",
          "Separate pools: the same 1,000 slots, 60 of them for enemies"};
      notice(std::string(kWords[command.choice]));
      break;
    }
    case Action::Forgetful: {
      SimCommand command;
      command.kind = SimCommandKind::SetForgetful;
      command.choice = game_.session().coming_forgetful() ? 0 : 1;
      game_.queue(command);
      notice(command.choice != 0 ? "Planted: sparks of bursts keep colour and speed of their slot's last tenant"
                                 : "Mended: the constructor sets every member again");
      break;
    }
    case Action::Cranes: {
      SimCommand command;
      command.kind = SimCommandKind::SetCranes;
      command.choice = static_cast<u8>(next_of(game_.session().coming_cranes(), frame::kCraneSearches.size()));
      game_.queue(command);
      constexpr std::array<std::string_view, frame::kCraneSearches.size()> kWords = {
          "No stones: cranes fly as the stage says", "Stones: cranes search a way round them; a full arena takes more from the heap",
          "Stones: a full arena gives nullptr, and a crane without memory does not know its way"};
      notice(std::string(kWords[command.choice]));
      break;
    }
    case Action::Record: toggle_recording(); break;
    case Action::QuickAb: want_quick_ab_ = true; break;
    case Action::SideBySide:
      if (game_.csv().recording() || measures_bullets() || lab_controller_->busy()) {
        notice("Not begun: end what is being measured first");
        click(frame::PanelSound::Refuse);
      } else {
        want_side_by_side_ = true;
      }
      break;
    case Action::Pause:
      hud.paused = !(hud.paused || idle_);
      idle_ = false;
      break;
    case Action::SingleStep:
      hud.paused = true;
      single_step_ = true;
      break;
    case Action::SlowMotion: hud.slow_motion = !hud.slow_motion; break;
    case Action::Help: hud.help = !hud.help; break;
    case Action::HudLevel:
      // From nothing up to full and round again; what F2 and F3 opened counts as the level that it is nearest to.
      hud.show(next_of(hud.level(), frame::kHudLevels.size()));
      break;
    case Action::PoolPanel: toggle(hud.pool_panel); break;
    case Action::Graph: toggle(hud.graph); break;
    case Action::Memory: toggle(hud.memory_open); break;
    case Action::FrameTimeline:
      toggle(hud.timeline_open);
      if (hud.timeline_open) game_.record_timeline();
      break;
    case Action::SlotMap: toggle(hud.slot_map_open); break;
    case Action::FollowSlot:
      if (!hud.slot_map_open || hud.hidden) toggle(hud.slot_map_open);
      else imgui_->state().slots.follow = true;
      break;
    case Action::GraphScale:
      hud.graph_scale = hud.graph_scale == frame::GraphScale::Automatic ? frame::GraphScale::SquareRoot : frame::GraphScale::Automatic;
      break;
    case Action::Voices: toggle(hud.voices_open); break;
    case Action::SoundEditor:
      hud.sound_editor.open = !hud.sound_editor.open || hud.editor_open;
      hud.editor_open = false;
      break;
    case Action::Lab: hud.lab_open = !hud.lab_open; break;
    case Action::Editor: hud.editor_open = !hud.editor_open && spells() != nullptr; break;
    case Action::Settings: hud.settings_open = !hud.settings_open; break;
    case Action::Challenge:
      if (shooter()) {  // back to its title
        challenge_latched_ = true;
        break;
      }
      hud.scores_open = false;
      // While the last round's sparks settle the next one waits for its turn.
      if (challenge_phase_ == frame::ChallengeView::Phase::Over) challenge_pending_ = !challenge_pending_;
      else challenge_latched_ = true;
      break;
    case Action::Cast:
    case Action::RapidCast:
    case Action::Focus:
    case Action::MoveUp:
    case Action::MoveLeft:
    case Action::MoveDown:
    case Action::MoveRight: break;  // held: they come as FrameEvents' own members
    case Action::Rewind: retry(); break;  // a board's button; the key comes as FrameEvents' own member
    case Action::Stress:
      if (stress_) leave_stress();
      else want_stress_ = shooter() != nullptr;
      break;
    case Action::Bomb: bomb_latched_ = true; break;
    case Action::ReplayBack:
    case Action::ReplayForward:
    case Action::ReplayStepBack:
    case Action::ReplayStart:
    case Action::ReplayEnd:
    case Action::ReplaySlower:
    case Action::ReplayFaster: break;  // no replay is watched
    case Action::Spell1:
    case Action::Spell2:
    case Action::Spell3:
    case Action::Spell4:
    case Action::Spell5:
    case Action::Spell6:
    case Action::Spell7:
    case Action::Spell8: select(static_cast<u8>(static_cast<u8>(action) - static_cast<u8>(Action::Spell1))); break;
    case Action::NextSpell: select(static_cast<u8>((wanted_spell_ + 1) % kSpells)); break;
    case Action::PreviousSpell: select(static_cast<u8>((wanted_spell_ + kSpells - 1) % kSpells)); break;
    case Action::Mute: {
      frame::Settings changed = hud.settings;
      changed.muted = !changed.muted;
      apply(changed);
      break;
    }
    case Action::Fullscreen: {
      frame::Settings changed = hud.settings;
      changed.fullscreen = !changed.fullscreen;
      apply(changed);
      break;
    }
    case Action::DrawPath: {
      frame::Settings changed = hud.settings;
      changed.looks.draw = drawn_by() == kProcessor ? frame::DrawPath::Gpu : frame::DrawPath::Cpu;
      apply(changed);
      notice(drawn_by() == kProcessor ? "Drawn on the CPU" : "Drawn by OpenGL");
      break;
    }
    case Action::Screenshot: want_screenshot_ = true; break;
    case Action::ReloadSpells: watch_->reread(); break;
    case Action::Quit: close_topmost(); break;
  }
  if (action == Action::HudLevel || action == Action::PoolPanel || action == Action::Graph) {
    hud.settings.hud = hud.level();
    save_settings_soon();
  }
}

/// Who paints: "OpenGL" or "processor".
std::string_view WindowGame::drawn_by() const { return renderer_->path(); }

/// Makes the settings true, as far as they differ from those that are.
void WindowGame::apply(const frame::Settings& settings) {
  frame::Settings& now = hud_.state.settings;
  const frame::Settings before = now;
  now = settings;
  if (now.looks != before.looks) {
    governor_.forget();
    show_looks();
    snapshot_stale_ = true;
  }
  if (now.hud != before.hud) hud_.state.show(now.hud);
  set_volumes(now);
  if (now.fullscreen != before.fullscreen) window_->set_fullscreen(now.fullscreen);
  if (now.vsync != before.vsync) vsync_works_ = window_->set_vsync(now.vsync) || !now.vsync;
  if (now.bindings != before.bindings) {
    events_->set_bindings(now.bindings);
    if (!events_->binding_warning().empty()) notice(events_->binding_warning());
  }
  if (!(now == before)) save_settings_soon();
}

void WindowGame::set_volumes(const frame::Settings& settings) {
  mixer_->set_volume(settings.volume);
  mixer_->set_muted(settings.muted);
  for (const frame::SoundGroupRow& row : frame::kSoundGroups) mixer_->set_group_volume(row.id, frame::group_volume(settings, row.id));
}

void WindowGame::listen(const platform::FrameEvents& events) {
  if (events.heard_cancel) ui::bind_heard(imgui_->state(), {}, {});
  if (!events.heard_key.empty() || !events.heard_pad.empty()) ui::bind_heard(imgui_->state(), events.heard_key, events.heard_pad);
}

void WindowGame::apply(const frame::PanelRequests& requests) {
  for (std::size_t i = 0; i < requests.command_count; ++i) queue(requests.commands[i]);
  slot_request_ = requests.slot_map;
  if (requests.settings) apply(*requests.settings);
  if (requests.edited && edit_spell(requests.edited_spell, *requests.edited) && requests.save_spell) save_spell(requests.edited_spell);
  if (requests.voices != frame::VoiceRequests{}) {
    const platform::PathResult recordings = platform::recordings_folder();
    const bool writes = requests.voices.record && recordings.error.empty();
    controller_->take(requests.voices, recordings.path.string(), writes ? platform::make_folder(recordings.path) : recordings.error);
  }
  if (sound_controller_.take(requests.sound_editor)) {
    hud_.state.sound_editor.open = true;
    hud_.state.editor_open = false;
  }
  apply_lab(requests.lab);
  click(requests.sound);
  rewind_to_ = requests.hold_rewind ? std::optional(requests.rewind_step) : std::nullopt;
  timeline_held_ = transport_ && requests.hold_replay;
  if (timeline_held_) seek(requests.replay_step);
  if (requests.choose_difficulty) want_difficulty_ = requests.difficulty;
  if (requests.select_title) hud_.state.title.selected = *requests.select_title;
  if (requests.choose_title) choose(*requests.choose_title);
  if (requests.replay_story) lab_.replay_stories();
  if (requests.close_scores) hud_.state.scores_open = false;
  if (requests.close_ab_card) hud_.state.ab_card_open = false;
  if (requests.listening != events_->listening()) events_->listen(requests.listening);
  for (std::size_t i = 0; i < requests.action_count; ++i) perform(requests.actions[i]);
}

}  // namespace spellpool::app
