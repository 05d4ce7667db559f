#include "ui/panels.hpp"

#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "ui/hud/duet.hpp"
#include "ui/kit/controls.hpp"
#include "ui/kit/parts.hpp"
#include "ui/learn/learn.hpp"
#include "ui/panels/slot_panel.hpp"
#include "ui/panels/voice_panel.hpp"

namespace spellpool::ui {
namespace {

using frame::PanelModel;
using frame::PanelRequests;
using frame::QuickAbView;

/// The arena's ring reaches this share of the window's shorter side to each side of its middle.
constexpr float kArenaShare = 0.47f;

bool measures(const PanelModel& model) { return model.ab.state == QuickAbView::State::Running; }
bool shows_voices(const PanelModel& model) { return model.voices_open && !model.hidden; }
constexpr u64 kMeanFrames = 120;  // of the pools' allocations: the older half counts half

/// Objects of a frame in which nothing is cast: motes and dust.
constexpr u64 kFewCreated = 10;

void follow_switch(const PanelModel& model, float dt_s, SwitchBannerState& state) {
  if (model.pools.empty()) return;
  const u8 now = model.pools[0].strategy;
  const bool switched = state.known && state.strategy != now;
  if (switched || !state.known) {
    state.calls_before =
        state.frames > 0 ? static_cast<double>(state.calls) / static_cast<double>(state.frames) : 0.0;
    state.calls = state.frames = 0;
  }
  u64 new_calls = 0, spawned = 0;
  for (const frame::PoolRow& pool : model.pools) {
    new_calls += pool.new_calls;
    spawned += pool.spawned;
  }
  const u64 calls = new_calls - std::min(new_calls, std::exchange(state.new_calls, new_calls));
  const bool stepped = std::exchange(state.steps, model.steps) != model.steps;
  // The frame of the switch itself moves all objects: it belongs to neither side. Where a display is faster than the
  // steps, the frames between do not count.
  if (stepped && !switched && state.known) {
    state.calls += calls;
    if (++state.frames == kMeanFrames) {
      state.calls /= 2;
      state.frames /= 2;
    }
  }
  const u64 created = spawned - std::min(spawned, std::exchange(state.spawned, spawned));
  const bool busy = created >= kFewCreated;
  const bool again = state.quiet && busy && !switched;
  if (switched)
    state.quiet = !busy && state.calls_before < kFewCreated;
  else if (busy)
    state.quiet = false;
  state.age_s = switched || again ? 0.0f : state.age_s + dt_s;
  state.known = !model.title.shown;  // the title's demo has pools of its own
  state.strategy = now;
}

void follow_alert(const PanelModel& model, float dt_s, AlertState& state) {
  state.age_s += dt_s;
  if (model.alert.serial == state.serial) return;
  state.serial = model.alert.serial;
  state.age_s = 0;
  state.tone = model.alert.tone;
  state.title_size = std::min(model.alert.title.size(), state.title_bytes.size());
  state.text_size = std::min(model.alert.text.size(), state.text_bytes.size());
  std::memcpy(state.title_bytes.data(), model.alert.title.data(), state.title_size);
  std::memcpy(state.text_bytes.data(), model.alert.text.data(), state.text_size);
}

void advance_clocks(const PanelModel& model, UiState& state) {
  const float delta = ImGui::GetIO().DeltaTime;
  const float dt_s = std::isfinite(delta) ? std::max(0.0f, delta) : 0.0f;
  state.recording_s = model.recording ? state.recording_s + dt_s : 0.0f;
  const std::size_t size = std::min(model.notice.size(), state.notice.size());
  const std::string_view known(state.notice.data(), state.notice_size);
  state.notice_age_s += dt_s;
  if (size == 0) {
    // Taken back: it may fade, and the same words may come again.
    state.notice_age_s = std::max(state.notice_age_s, kNoticeShown_s);
    if (state.notice_age_s > kNoticeShown_s + kNoticeFade_s) state.notice_size = 0;
  } else if (model.notice.substr(0, size) != known) {
    std::memcpy(state.notice.data(), model.notice.data(), size);
    state.notice_size = size;
    state.notice_age_s = 0;
  }
  if (shows_voices(model)) follow_voices(model.voices, dt_s, state.voices);
  state.title_s = model.title.shown ? state.title_s + dt_s : 0.0f;
  follow_switch(model, dt_s, state.switched);
  follow_alert(model, dt_s, state.alert);
  if (model.shooter != nullptr) follow_shooter(*model.shooter, state.shooter);
  u32 rejected = 0;
  for (const frame::PoolRow& pool : model.pools) rejected += pool.rejected_this_second;
  state.rejected_age_s = rejected > 0 ? 0.0f : state.rejected_age_s + dt_s;
  if (rejected > 0) state.rejected_per_s = rejected;
}

/// Where the alert stands: in the middle of `free`, beside what is at the left; where that is too narrow, in `rest`.
Rect alert_room(const Layout& layout, const Rect& free, const Rect& rest, const Pen& pen) {
  const float gap = pen.px(8), least = pen.px(300), middle = free.middle_x();
  float left = free.x0;
  for (const Part part : {Part::Chip, Part::LoadBoard, Part::Badges, Part::Notice}) {
    const Rect& box = layout.of(part);
    if (!box.empty()) left = std::max(left, box.x1 + gap);
  }
  const float side = std::min(middle - left, free.x1 - middle);
  if (side * 2 >= least) return {middle - side, free.y0, middle + side, free.y1};
  if (free.x1 - left >= least) return {left, free.y0, free.x1, free.y1};
  return {free.x0, std::max(free.y0, rest.y0), free.x1, free.y1};
}

/// In the shooter below the supplies, beside the field; where that is too narrow, in the field.
Rect shooter_alert_room(const Layout& layout, const Rect& whole, const Rect& rest, const Pen& pen) {
  const Rect field = shooter_field(), &supplies = layout.of(Part::ShooterSupplies);
  const Rect& hint = layout.of(Part::Hint);
  const float gap = pen.px(12), bottom = hint.empty() ? whole.y1 : std::min(whole.y1, hint.y0 - gap);
  const Rect beside{field.x1 + gap, supplies.y1 + gap, whole.x1, bottom};
  const bool free = !supplies.empty() && supplies.x0 >= field.x1;
  if (free && beside.width() >= pen.px(240) && beside.height() >= pen.px(150)) return beside;
  Rect room = alert_room(layout, field.cut_to(whole), rest, pen);
  room.y1 = std::min(room.y1, bottom);
  for (const Part part : {Part::ShooterBoss, Part::ShooterPhase, Part::ShooterLine}) {
    const Rect& box = layout.of(part);
    if (!box.empty() && box.overlaps(room)) room.y0 = std::max(room.y0, box.y1 + gap);
  }
  return room;
}

/// In the shooter's title below its words, so that these stay in sight; where that is too low, over them.
Rect shooter_banner_room(const Layout& layout, const Rect& whole, const Pen& pen) {
  const Rect &title = layout.of(Part::ShooterTitle), &keys = layout.of(Part::ShooterKeys);
  if (title.empty()) return whole;
  const float gap = pen.px(8);
  const Rect below{whole.x0, title.y1 + gap, whole.x1, keys.empty() ? whole.y1 : keys.y0 - gap};
  return below.height() >= pen.px(90) ? below : whole;
}

// A control that vanishes asks for nothing when it comes back.
void drop_unseen(const PanelSet& seen, UiState& state) {
  if (!seen.has(ClosePanel::Voices)) state.voices.slider_slots = 0;
  if (!seen.has(ClosePanel::Pool)) state.slider_capacity = 0;
  if (!seen.has(ClosePanel::Graph)) state.graph.frozen = false;
  const bool lists = seen.has(ClosePanel::Lab) || seen.has(ClosePanel::Editor) ||
                     seen.has(ClosePanel::SoundEditor) || seen.has(ClosePanel::Voices);
  if (!lists) state.fields.open_drop = 0;
  if (!seen.has(ClosePanel::Settings)) {
    state.settings.listening = false;
    state.settings.text_scale = 0;
    state.settings.note[0] = 0;
  }
}

/// "pool panel (F2), slot map (F9)"
Line<300> names_of(const PanelSet& panels, const PanelModel& model) {
  Line<300> names("%s", "");
  for (const PanelRow& row : kPanels) {
    if (!panels.has(row.id)) continue;
    const std::string_view key = key_label(model, row.action), before = names;
    const Line<300> longer("%.*s%s%.*s", static_cast<int>(before.size()), before.data(),
                           before.empty() ? "" : ", ", static_cast<int>(row.name.size()), row.name.data());
    names = key.empty() ? longer
                        : Line<300>("%s (%.*s)", longer.c_str(),
                                    static_cast<int>(std::min<std::size_t>(24, key.size())), key.data());
  }
  return names;
}

// The panel that covers the game in `free`, and below it the name of what was opened behind it.
void draw_covering(Rect free, const PanelRow& panel, const PanelModel& model, UiState& state, const Pen& pen,
                   PanelRequests& requests) {
  PanelSet behind;
  for (const PanelRow* row : state.order) {
    if (row == &panel) break;
    behind.add(row->id);
  }
  if (!behind.empty())
    draw_waiting(free, Line<360>("Open behind this panel: %s.", names_of(behind, model).c_str()), pen);
  Layout& layout = state.layout;
  switch (panel.id) {
    case ClosePanel::Help:
      layout.of(Part::Help) = draw_help(free, model, state, pen, requests);
      break;
    case ClosePanel::Settings:
      layout.of(Part::Settings) = draw_settings(free, model, state, pen, requests);
      break;
    case ClosePanel::Lab:
      layout.of(Part::Lab) = draw_lab(free, model, state, pen, requests);
      break;
    case ClosePanel::Memory:
      layout.of(Part::Memory) = draw_memory(free, model, pen, requests);
      break;
    case ClosePanel::FrameTimeline:
      layout.of(Part::FrameTimeline) = draw_frame_timeline(free, model, pen, requests);
      break;
    case ClosePanel::AbCard:
      layout.of(Part::AbCard) = draw_ab_card(free, model, pen, requests);
      break;
    case ClosePanel::Scores:
      layout.of(Part::Scores) = draw_scores(free, model, pen, requests);
      break;
    case ClosePanel::Pool:
    case ClosePanel::Graph:
    case ClosePanel::Editor:
    case ClosePanel::SlotMap:
    case ClosePanel::Voices:
    case ClosePanel::SoundEditor:
      break;  // beside the game
  }
}

/// The panels beside the game: which have room, and where.
struct Arranged {
  PanelPlaces places;
  PanelSet seen, waiting;
};

/// As many as have room, beginning with the last one that was asked for.
Arranged arrange(const Rect& free, const PanelOrder& order, const PanelSizes& sizes) {
  const auto place = [&](const PanelSet& panels) {
    PanelSizes asked = sizes;
    asked.pool_panel = panels.has(ClosePanel::Pool);
    asked.graph = panels.has(ClosePanel::Graph);
    asked.slot_map = panels.has(ClosePanel::SlotMap);
    asked.voices = panels.has(ClosePanel::Voices);
    asked.editor = panels.has(ClosePanel::Editor) || panels.has(ClosePanel::SoundEditor);
    PanelPlaces places = place_panels(free, asked);
    if (panels.has(ClosePanel::Editor) && panels.has(ClosePanel::SoundEditor)) places.all = false;
    return places;
  };
  Arranged arranged;
  arranged.places = place({});
  for (const PanelRow* row : order) {
    if (row->alone) continue;
    PanelSet more = arranged.seen;
    more.add(row->id);
    const PanelPlaces places = place(more);
    if (places.all || arranged.seen.empty()) {
      arranged.seen = more;
      arranged.places = places;
    } else {
      arranged.waiting.add(row->id);
    }
  }
  return arranged;
}

/// The same, with a line for those that have no room, which takes its own from `free`.
Arranged arrange_with_line(Rect& free, const PanelModel& model, const PanelOrder& order,
                           const PanelSizes& sizes, const Pen& pen) {
  Arranged arranged = arrange(free, order, sizes);
  const auto words = [&] {
    const std::string_view key = key_label(model, frame::Action::Settings);
    return Line<460>("No room for: %s. Close another panel, or choose a smaller text in the settings (%.*s).",
                     names_of(arranged.waiting, model).c_str(),
                     static_cast<int>(std::min<std::size_t>(24, key.size())), key.data());
  };
  // Less room may leave another panel out, and that make the line longer.
  float high = 0;
  while (!arranged.waiting.empty() && waiting_height(words(), pen, free.width()) > high) {
    high = waiting_height(words(), pen, free.width());
    Rect above = free;
    (void)take_bottom(above, high, pen.px(8));
    arranged = arrange(above, order, sizes);
  }
  if (!arranged.waiting.empty()) draw_waiting(free, words(), pen);
  return arranged;
}

PanelSizes sizes_of(const Rect& free, const PanelModel& model, UiState& state, const Pen& pen) {
  PanelSizes sizes;
  sizes.gap = pen.px(8);
  sizes.editor_width = std::min(pen.px(kEditorWidth), free.width() * 0.62f);
  sizes.pool_width = pen.px(kPoolPanelWidth);
  sizes.voices_width = pen.px(kVoicePanelWidth);
  sizes.least_between = pen.px(200);
  sizes.voices_between = pen.px(kVoiceLeastBetween);
  sizes.least_width = pen.px(230);
  sizes.graph_height = pen.px(kGraphHeight);
  sizes.graph_least_height = pen.px(kGraphLeastHeight);
  sizes.slot_map_least_height = pen.px(120);
  if (model.pool_panel) {
    sizes.pool_height = pool_panel_height(model, state, pen, sizes.pool_width, false);
    sizes.pool_compact_height = pool_panel_height(model, state, pen, sizes.pool_width, true);
  }
  return sizes;
}

// One box, or the controls at the left and the voices at the right; as high as they need.
void draw_voices(const PanelPlaces& places, const PanelModel& model, UiState& state, const Pen& pen,
                 PanelRequests& requests) {
  Layout& layout = pen.layout();
  const bool both = !places.voice_rows.empty();
  Rect box = places.voices, rows = places.voice_rows;
  box.y1 = box.y0 +
           std::min(box.height(), voice_controls_height(model, state, pen, box.width(), box.height(), !both));
  draw_voice_controls(box, model, state, pen, !both, requests);
  layout.of(Part::Voices) = box;
  if (!both) return;
  rows.y1 =
      rows.y0 + std::min(rows.height(), voice_rows_height(model, state, pen, rows.width(), rows.height()));
  draw_voice_rows(rows, model, state, pen, requests);
  layout.of(Part::VoiceRows) = rows;
}

/// What the click of this frame sounds like.
frame::PanelSound sound_of(ControlKind pressed) {
  using frame::PanelSound;
  switch (pressed) {
    case ControlKind::Close: return PanelSound::Back;
    case ControlKind::Strategy:
    case ControlKind::Policy:
    case ControlKind::Pool:
    case ControlKind::Choice:
    case ControlKind::SettingsTab:
    case ControlKind::EditorPart:
    case ControlKind::EditorPage:
    case ControlKind::SoundPart:
    case ControlKind::FigureStore:
    case ControlKind::FigurePolicy:
    case ControlKind::FigureRoom:
    case ControlKind::VoicePolicy:
    case ControlKind::VoiceStorage:
    case ControlKind::SoundAloud:
    case ControlKind::LabTab:
    case ControlKind::LabDrawn:
    case ControlKind::LabRow:
    case ControlKind::HelpTab:
    case ControlKind::ConsoleMode:
    case ControlKind::CraneSearch:
    case ControlKind::ReplayStory:
    case ControlKind::MemorySource: return PanelSound::Toggle;
    case ControlKind::CapacitySlider:
    case ControlKind::SettingSlider:
    case ControlKind::FieldSlider:
    case ControlKind::VoiceSlider:
    case ControlKind::GraphPlot:
    case ControlKind::Timeline:
    case ControlKind::FilmPicture:
    case ControlKind::SlotMap: return PanelSound::Move;
    case ControlKind::SoundButton:  // plays what it is about
    case ControlKind::VoiceBurst: return PanelSound::None;
    default: return PanelSound::Accept;
  }
}

// Spell bar, hint and the challenge's control, from the bottom of `rest` upwards; then the combo above them.
void draw_bottom(Rect& rest, const PanelModel& model, const Pen& pen, PanelRequests& requests) {
  Layout& layout = pen.layout();
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  const float gap = pen.px(8), middle = std::floor(display.x * 0.5f),
              shorter = std::min(display.x, display.y);
  const bool free_play = model.challenge.phase == frame::ChallengeView::Phase::Free;
  const bool offers = free_play && !model.replay.shown;
  // Bar and hint share the display's middle, or that of the room beside a panel if that is too narrow.
  const float side = std::min(middle - rest.x0, rest.x1 - middle);
  if (!layout.of(Part::Graph).empty() || !layout.of(Part::SlotMap).empty()) {
    // The bar would rise over the arena: it goes to the margin at the left, small.
    const float margin = std::min(middle - shorter * kArenaShare, rest.x1) - rest.x0;
    layout.of(Part::SpellBar) = draw_small_spell_bar(rest, std::max(1.0f, margin), model, pen, requests);
    if (offers) {
      const float from = middle + shorter * kArenaShare;
      if (from < rest.x1) draw_challenge_start({from, rest.y0, rest.x1, rest.y1}, model, pen, requests);
      if (!layout.of(Part::ChallengeStart).empty()) rest.y1 = layout.of(Part::ChallengeStart).y0 - gap;
    }
  } else {
    Rect stage = rest;
    if (side * 2 >= spell_bar_width(model, pen)) stage = {middle - side, rest.y0, middle + side, rest.y1};
    const float hint = model.hint || (model.key_row && offers) ? hint_height(model, pen, stage.width()) : 0.0f;
    if (hint > 0 && stage.height() >= pen.px(46) + gap + hint + gap + pen.px(60)) {
      layout.of(model.hint ? Part::Hint : Part::KeyRow) =
          draw_hint(take_bottom(stage, hint, gap), model, pen, requests);
    }
    const float bottom = stage.y1;
    const Rect bar = draw_spell_bar(stage, model, pen, requests);
    layout.of(Part::SpellBar) = bar;
    if (offers && layout.of(Part::Hint).empty() && layout.of(Part::KeyRow).empty()) {
      const float from = bar.empty() ? rest.x0 : bar.x1 + gap * 2;
      if (from < rest.x1) draw_challenge_start({from, rest.y0, rest.x1, bottom}, model, pen, requests);
    }
    rest.y1 = stage.y1;
  }
  if (free_play) {
    const Rect& bar = layout.of(Part::SpellBar);
    const bool free = layout.of(Part::Graph).empty() && layout.of(Part::SlotMap).empty() && !bar.empty();
    draw_combo(rest, free ? bar.middle_x() : middle, model.combo, model.challenge.wants_spell, pen);
  }
}

/// The duet, in the whole window.
void draw_duet_window(Rect free, const PanelModel& model, UiState& state, const Pen& pen,
                      PanelRequests& requests) {
  Layout& layout = state.layout;
  draw_duet(model, pen, requests);
  if (model.timeline.open && !model.help)
    layout.of(Part::FrameTimeline) = draw_frame_timeline(free, model, pen, requests);
  Rect rest = layout.of(Part::DuetB).inset(pen.px(12));
  rest.y0 += pen.px(62);  // below the title and its allocations
  draw_notice(rest, state, pen);
}

/// Draws the open panels beside and below the game; returns the room that is left for the HUD.
Rect draw_open_panels(const Arranged& arranged, const PanelModel& model, UiState& state, const Pen& pen,
                      PanelRequests& requests) {
  Layout& layout = state.layout;
  const PanelPlaces& places = arranged.places;
  const PanelSet& seen = arranged.seen;
  if (seen.has(ClosePanel::Voices)) draw_voices(places, model, state, pen, requests);
  if (seen.has(ClosePanel::Editor)) {
    draw_editor(places.editor, model, state, pen, requests);
    layout.of(Part::Editor) = places.editor;
  }
  if (seen.has(ClosePanel::SoundEditor)) {
    draw_sound_editor(places.editor, model, state, pen, requests);
    layout.of(Part::SoundEditor) = places.editor;
  }
  if (seen.has(ClosePanel::Pool)) draw_pool_panel(places.pool_panel, model, state, pen, places.compact, requests);
  if (seen.has(ClosePanel::Graph)) draw_graph(places.graph, places.rest, model, state.graph, pen, requests);
  layout.of(Part::PoolPanel) = places.pool_panel;
  layout.of(Part::Graph) = places.graph;
  Rect rest = places.rest;
  if (model.hidden || !seen.has(ClosePanel::SlotMap)) return rest;
  const float high = slot_panel_height(model, state, pen, rest.width(), rest.height());
  layout.of(Part::SlotMap) = take_bottom(rest, high, pen.px(8));
  if (!layout.of(Part::SlotMap).empty()) draw_slot_panel(layout.of(Part::SlotMap), model, state, pen, requests);
  requests.slot_map = state.slots.wanted;
  return rest;
}

/// HUD, notices and alerts over the shooter.
void draw_over_shooter(const Rect& whole, const PanelModel& model, UiState& state, const Pen& pen,
                       PanelRequests& requests) {
  draw_shooter_veil(*model.shooter, state.shooter.shown_s, pen);
  Rect rest = whole;
  draw_chip(rest, model, pen);
  draw_field_marks(*model.shooter, pen);
  draw_shooter(rest, whole, model, state, pen, requests);
  draw_load_board(rest, model, pen);
  draw_badges(rest, model, state, pen);
  draw_notice(rest, state, pen);
  draw_switch_banner(shooter_banner_room(state.layout, whole, pen), model, state.switched, pen);
  if (model.shooter->state == frame::ShooterState::Playing)
    draw_alert(shooter_alert_room(state.layout, whole, rest, pen), state, pen);
  draw_shooter_keys(whole, model, pen);
}

/// HUD, challenge, notices and alerts over the arena.
void draw_over_spells(const Rect& whole, const PanelModel& model, UiState& state, const Pen& pen,
                      PanelRequests& requests) {
  Layout& layout = state.layout;
  const float gap = pen.px(8);
  Rect rest = whole;
  draw_chip(rest, model, pen);
  draw_bottom(rest, model, pen, requests);
  // The challenge has the upper middle; badges and notices stay left of it, or come below.
  const float middle = std::floor(ImGui::GetIO().DisplaySize.x * 0.5f);
  const float side = std::min(middle - whole.x0, whole.x1 - middle);
  Rect stage{whole.x0, whole.y0, whole.x1, rest.y1};
  if (side >= pen.px(180)) stage = {middle - side, whole.y0, middle + side, rest.y1};
  draw_challenge(stage, model, pen);
  for (const Part part : {Part::Challenge, Part::Banner}) {
    const Rect& box = layout.of(part);
    if (box.empty()) continue;
    if (box.x0 - gap - rest.x0 >= pen.px(230)) {
      rest.x1 = std::min(rest.x1, box.x0 - gap);
    } else {
      rest.y0 = std::max(rest.y0, box.y1 + gap);
    }
  }
  if (!layout.of(Part::Countdown).empty()) rest.x1 = std::min(rest.x1, layout.of(Part::Countdown).x0 - gap);
  const Rect beside = rest;
  draw_load_board(rest, model, pen);
  draw_badges(rest, model, state, pen);
  draw_notice(rest, state, pen);
  draw_switch_banner(rest, model, state.switched, pen);
  draw_alert(alert_room(layout, beside, rest, pen), state, pen);
}

/// A game with its panels and its HUD.
void draw_game_and_panels(Rect free, const PanelModel& model, UiState& state, const Pen& pen,
                          PanelRequests& requests) {
  if (model.replay.shown && !model.hidden) draw_replay_bar(free, model, pen, requests);
  if (model.rewind.shown && !model.hidden) draw_rewind_bar(free, model, pen, requests);
  const Arranged arranged =
      arrange_with_line(free, model, state.order, sizes_of(free, model, state, pen), pen);
  drop_unseen(arranged.seen, state);
  if (!model.hidden) {  // in the game, below every panel
    draw_hit_numbers(model, pen);
    if (arranged.seen.has(ClosePanel::SlotMap)) draw_slot_marks(model, state, pen);
  }
  const Rect rest = draw_open_panels(arranged, model, state, pen, requests);
  if (model.hidden) return;
  if (model.shooter != nullptr)
    draw_over_shooter(rest, model, state, pen, requests);
  else
    draw_over_spells(rest, model, state, pen, requests);
}

/// A measurement's progress, a panel that covers the game, or the title. False: there is none of them.
bool draw_full_window(Rect free, const PanelModel& model, const PanelRow* covering, UiState& state,
                      const Pen& pen, PanelRequests& requests) {
  if (measures(model)) {
    state.layout.of(Part::AbProgress) = draw_ab_progress(free, model, pen);
  } else if (covering != nullptr) {
    draw_covering(free, *covering, model, state, pen, requests);
  } else if (model.title.shown) {
    state.layout.of(Part::Title) = draw_title(free, model, state.title_s, pen, requests);
    draw_notice(free, state, pen);
  } else {
    return false;
  }
  return true;
}

/// Neither a duet nor a lesson.
void draw_one_game(Rect free, const PanelModel& model, UiState& state, const Pen& pen, PanelRequests& requests) {
  const PanelRow* covering = measures(model) ? nullptr : state.order.covering();
  const bool covered = measures(model) || covering != nullptr;
  const bool hidden = model.hidden && !(model.editor_open || model.sound_editor.open);
  if (!model.error.empty() && (covered || !hidden)) draw_error(free, model.error, pen);
  PanelSet seen;
  if (covering != nullptr) seen.add(covering->id);
  if (covered || model.title.shown || hidden) drop_unseen(seen, state);
  if (draw_full_window(free, model, covering, state, pen, requests) || hidden) return;
  draw_game_and_panels(free, model, state, pen, requests);
}

}  // namespace

void draw_panels(const PanelModel& model, UiState& state, PanelRequests& requests) {
  struct AtTheEnd {  // runs at every return of this function
    UiState& state;
    PanelRequests& requests;
    ~AtTheEnd() {
      state.editor.shortcut_count = 0;
      if (state.layout.any_pressed) requests.sound = sound_of(state.layout.pressed);
    }
  } const at_the_end{state, requests};
  Layout& layout = state.layout;
  layout.clear();
  state.fields.any_held = false;
  state.slots.wanted.shown = false;
  advance_clocks(model, state);
  state.order.follow(model);
  follow_spells(model, state.editor);
  follow_sound(model.sound_editor, state.sound);
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  const float scale = design_scale(display.x, display.y, model.text_scale);
  if (!(scale > 0)) return;
  layout.scale = scale;
  reserve_geometry(*ImGui::GetBackgroundDrawList());
  const Pen pen(ImGui::GetBackgroundDrawList(), scale, layout);
  Rect free = Rect{0, 0, std::floor(display.x), std::floor(display.y)}.inset(pen.px(12));
  if (model.duet != nullptr) {
    drop_unseen({}, state);
    draw_duet_window(free, model, state, pen, requests);
  } else if (model.learn != nullptr) {
    drop_unseen({}, state);
    layout.of(Part::Learn) = draw_learn({0, 0, display.x, display.y}, model, pen, requests.learn);
    draw_notice(free, state, pen);
  } else {
    draw_one_game(free, model, state, pen, requests);
  }
}

bool release_frozen_graph(UiState& state) {
  const bool was = state.graph.frozen;
  state.graph.frozen = false;
  return was;
}

bool release_held(UiState& state) {
  if (state.settings.listening) {
    state.settings.listening = false;
    return true;
  }
  if (state.fields.open_drop != 0) {
    state.fields.close_drop = true;
    return true;
  }
  return release_frozen_graph(state);
}

std::optional<ClosePanel> covering_panel(const UiState& state) {
  const PanelRow* row = state.order.covering();
  return row != nullptr ? std::optional(row->id) : std::nullopt;
}

bool wants_text() { return ImGui::GetIO().WantTextInput; }
bool wants_mouse() { return ImGui::GetIO().WantCaptureMouse; }

bool wants_press(float x, float y, bool held) {
  if (held) return wants_mouse();
  const ImGuiContext& context = *ImGui::GetCurrentContext();
  if (!context.OpenPopupStack.empty()) return true;  // It closes the list.
  // As Dear ImGui finds the window below the mouse.
  return std::any_of(context.Windows.begin(), context.Windows.end(), [&](const ImGuiWindow* window) {
    return window->Active && !window->Hidden && (window->Flags & ImGuiWindowFlags_NoMouseInputs) == 0 &&
           window->OuterRectClipped.Contains({x, y});
  });
}

}  // namespace spellpool::ui
