#include "ui/panels.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "ui/hud/duet.hpp"
#include "ui/kit/controls.hpp"
#include "ui/kit/parts.hpp"
#include "ui/panels/slot_panel.hpp"
#include "ui/panels/voice_panel.hpp"

namespace spellpool::ui {
namespace {

using frame::PanelModel;
using frame::PanelRequests;
using frame::QuickAbView;

/// The arena's ring reaches this share of the window's height to each side of its middle.
constexpr float kArenaShare = 0.47f;

bool shows_voices(const PanelModel& model) { return model.voices_open && !model.hidden; }
/// The spell editor comes first.
bool shows_sound_editor(const PanelModel& model) { return model.sound_editor.open && !model.editor_open; }

/// Below help and settings, as draw_alone() has it.
bool shows_lab(const PanelModel& model) {
  return model.lab.open && model.ab.state != QuickAbView::State::Running && !model.help && !(model.settings_open && model.settings != nullptr);
}

void follow_switch(const PanelModel& model, float dt_s, SwitchBannerState& state) {
  if (model.pools.empty()) return;
  const u8 now = model.pools[0].strategy;
  state.age_s = state.known && state.strategy != now ? 0.0f : state.age_s + dt_s;
  state.known = !model.title.shown;  // the title's demo has pools of its own
  state.strategy = now;
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
  if (model.shooter != nullptr) follow_shooter(*model.shooter, state.shooter);
  u32 rejected = 0;
  for (const frame::PoolRow& pool : model.pools) rejected += pool.rejected_this_second;
  state.rejected_age_s = rejected > 0 ? 0.0f : state.rejected_age_s + dt_s;
  if (rejected > 0) state.rejected_per_s = rejected;
}

// A control that vanishes asks for nothing when it comes back.
void drop_unseen(const PanelModel& model, UiState& state, bool alone) {
  if (!shows_voices(model) || alone) state.voices.slider_slots = 0;
  if (!model.pool_panel || alone || model.hidden) state.slider_capacity = 0;
  if (!model.graph || alone || model.hidden) state.graph.frozen = false;
  const bool fields = alone ? shows_lab(model) : model.editor_open || model.sound_editor.open || shows_voices(model);
  if (!fields) state.fields.open_drop = 0;
  if (!model.settings_open) {
    state.settings.listening = false;
    state.settings.text_scale = 0;
    state.settings.note[0] = 0;
  }
}

// What stands alone in the middle. True if there was something.
bool draw_alone(Rect free, const PanelModel& model, UiState& state, const Pen& pen, PanelRequests& requests) {
  Layout& layout = state.layout;
  if (model.ab.state == QuickAbView::State::Running) {
    layout.of(Part::AbProgress) = draw_ab_progress(free, model, pen);
  } else if (model.help) {
    layout.of(Part::Help) = draw_help(free, model, state, pen, requests);
  } else if (model.settings_open && model.settings != nullptr) {
    layout.of(Part::Settings) = draw_settings(free, model, state, pen, requests);
  } else if (model.lab.open) {
    layout.of(Part::Lab) = draw_lab(free, model, state, pen, requests);
  } else if (model.memory_open && !model.hidden) {
    layout.of(Part::Memory) = draw_memory(free, model, pen, requests);
  } else if (model.ab_card_open && model.ab.state == QuickAbView::State::Done) {
    layout.of(Part::AbCard) = draw_ab_card(free, model, pen, requests);
  } else if (model.scores_open && !model.hidden) {
    layout.of(Part::Scores) = draw_scores(free, model, pen, requests);
  } else {
    return false;
  }
  return true;
}

bool stands_alone(const PanelModel& model) {
  return model.ab.state == QuickAbView::State::Running || model.help ||
         (model.settings_open && model.settings != nullptr) || model.lab.open || (model.memory_open && !model.hidden) ||
         (model.ab_card_open && model.ab.state == QuickAbView::State::Done) || (model.scores_open && !model.hidden);
}

// The voices at both sides of `free`, or in one box at the right; beside an editor at the left, if there is room. Cuts them off `free`.
void draw_voices(Rect& free, float editor_wide, const PanelModel& model, UiState& state, const Pen& pen, PanelRequests& requests) {
  Layout& layout = pen.layout();
  const float gap = pen.px(8), wide = pen.px(kVoicePanelWidth);
  const bool beside = editor_wide > 0, split = !beside && free.width() >= wide * 2 + gap * 2 + pen.px(kVoiceLeastBetween);
  if (beside && free.width() < editor_wide + wide + gap * 2 + pen.px(200)) return;
  Rect box{free.x0, free.y0, free.x0 + wide, free.y1};
  if (!split && !beside) box.x0 = free.x1 - std::min(wide, free.width() * 0.62f), box.x1 = free.x1;
  box.y1 = box.y0 + std::min(free.height(), voice_controls_height(model, state, pen, box.width(), free.height(), !split));
  draw_voice_controls(box, model, state, pen, !split, requests);
  layout.of(Part::Voices) = box;
  if (split || beside) free.x0 = box.x1 + gap;
  else free.x1 = box.x0 - gap;
  if (!split) return;
  Rect rows{free.x1 - wide, free.y0, free.x1, free.y1};
  rows.y1 = rows.y0 + std::min(free.height(), voice_rows_height(model, state, pen, wide, free.height()));
  draw_voice_rows(rows, model, state, pen, requests);
  layout.of(Part::VoiceRows) = rows;
  free.x1 = rows.x0 - gap;
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
    case ControlKind::VoicePolicy:
    case ControlKind::VoiceStorage:
    case ControlKind::SoundAloud:
    case ControlKind::LabTab:
    case ControlKind::LabDrawn:
    case ControlKind::LabRow:
    case ControlKind::HelpTab:
    case ControlKind::MemorySource: return PanelSound::Toggle;
    case ControlKind::CapacitySlider:
    case ControlKind::SettingSlider:
    case ControlKind::FieldSlider:
    case ControlKind::VoiceSlider:
    case ControlKind::GraphPlot:
    case ControlKind::Timeline:
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
  const float gap = pen.px(8), middle = std::floor(display.x * 0.5f);
  const bool free_play = model.challenge.phase == frame::ChallengeView::Phase::Free;
  const bool offers = free_play && !model.replay.shown;
  // Bar and hint share the display's middle, or that of the room beside a panel if that is too narrow.
  const float side = std::min(middle - rest.x0, rest.x1 - middle);
  if (!layout.of(Part::Graph).empty() || !layout.of(Part::SlotMap).empty()) {
    // The bar would rise over the arena: it goes to the margin at the left, small.
    const float margin = std::min(middle - display.y * kArenaShare, rest.x1) - rest.x0;
    layout.of(Part::SpellBar) = draw_small_spell_bar(rest, std::max(1.0f, margin), model, pen, requests);
    if (offers) {
      const float from = middle + display.y * kArenaShare;
      if (from < rest.x1) draw_challenge_start({from, rest.y0, rest.x1, rest.y1}, model, pen, requests);
      if (!layout.of(Part::ChallengeStart).empty()) rest.y1 = layout.of(Part::ChallengeStart).y0 - gap;
    }
  } else {
    Rect stage = rest;
    if (side * 2 >= spell_bar_width(model, pen)) stage = {middle - side, rest.y0, middle + side, rest.y1};
    const float hint = model.hint ? hint_height(model, pen, stage.width()) : 0.0f;
    if (hint > 0 && stage.height() >= pen.px(46) + gap + hint + gap + pen.px(60)) {
      layout.of(Part::Hint) = draw_hint(take_bottom(stage, hint, gap), model, pen);
    }
    const float bottom = stage.y1;
    const Rect bar = draw_spell_bar(stage, model, pen, requests);
    layout.of(Part::SpellBar) = bar;
    if (offers && layout.of(Part::Hint).empty()) {
      const float from = bar.empty() ? rest.x0 : bar.x1 + gap * 2;
      if (from < rest.x1) draw_challenge_start({from, rest.y0, rest.x1, bottom}, model, pen, requests);
    }
    rest.y1 = stage.y1;
  }
  if (free_play) {
    const Rect& bar = layout.of(Part::SpellBar);
    draw_combo(rest, layout.of(Part::Graph).empty() && layout.of(Part::SlotMap).empty() && !bar.empty() ? bar.middle_x() : middle, model.combo, pen);
  }
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
  const bool alone = stands_alone(model);
  drop_unseen(model, state, alone);
  follow_spells(model, state.editor);
  follow_sound(model.sound_editor, state.sound);
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  const float scale = design_scale(display.x, display.y, model.text_scale);
  if (!(scale > 0)) return;
  layout.scale = scale;
  reserve_geometry(*ImGui::GetBackgroundDrawList());
  const Pen pen(ImGui::GetBackgroundDrawList(), scale, layout);
  const float margin = pen.px(12), gap = pen.px(8);
  Rect free = Rect{0, 0, std::floor(display.x), std::floor(display.y)}.inset(margin);
  if (model.duet != nullptr) {
    draw_duet(model, pen, requests);
    Rect rest = layout.of(Part::DuetB).inset(margin);
    rest.y0 += pen.px(44);  // below the title
    draw_notice(rest, state, pen);
    return;
  }
  if (!model.error.empty() && (!model.hidden || alone || model.editor_open || model.sound_editor.open)) draw_error(free, model.error, pen);
  if (draw_alone(free, model, state, pen, requests)) return;
  if (model.title.shown) {
    layout.of(Part::Title) = draw_title(free, model, state.title_s, pen, requests);
    draw_notice(free, state, pen);
    return;
  }
  const bool edits = model.editor_open || shows_sound_editor(model);
  if (model.hidden && !edits) return;
  if (model.replay.shown && !model.hidden) draw_replay_bar(free, model, pen, requests);

  PanelSizes sizes;
  sizes.editor = edits;
  sizes.pool_panel = model.pool_panel && !edits && !model.hidden && !shows_voices(model);
  sizes.graph = model.graph && !model.hidden;
  sizes.gap = gap;
  sizes.editor_width = std::min(pen.px(kEditorWidth), free.width() * 0.62f);
  sizes.pool_width = pen.px(kPoolPanelWidth);
  sizes.graph_height = pen.px(kGraphHeight);
  sizes.graph_least_height = pen.px(kGraphLeastHeight);
  sizes.graph_least_width = pen.px(480);
  if (sizes.pool_panel) {
    sizes.pool_height = pool_panel_height(model, state, pen, sizes.pool_width, false);
    sizes.pool_compact_height = pool_panel_height(model, state, pen, sizes.pool_width, true);
  }
  if (shows_voices(model)) {
    draw_voices(free, edits ? sizes.editor_width : 0.0f, model, state, pen, requests);
    sizes.graph = sizes.graph && free.width() >= sizes.graph_least_width;
  }
  const PanelPlaces places = place_panels(free, sizes);
  if (!places.editor.empty()) {
    if (model.editor_open) draw_editor(places.editor, model, state, pen, requests);
    else draw_sound_editor(places.editor, model, state, pen, requests);
  }
  if (!places.pool_panel.empty()) draw_pool_panel(places.pool_panel, model, state, pen, places.compact, requests);
  if (!places.graph.empty()) draw_graph(places.graph, places.rest, model, state.graph, pen, requests);
  layout.of(model.editor_open ? Part::Editor : Part::SoundEditor) = places.editor;
  layout.of(Part::PoolPanel) = places.pool_panel;
  layout.of(Part::Graph) = places.graph;
  if (model.hidden) return;

  Rect rest = places.rest;
  if (model.slot_map_open && !edits) {
    const float high = slot_panel_height(model, state, pen, rest.width(), rest.height());
    layout.of(Part::SlotMap) = take_bottom(rest, high, gap);
    if (!layout.of(Part::SlotMap).empty()) draw_slot_panel(layout.of(Part::SlotMap), model, state, pen, requests);
    requests.slot_map = state.slots.wanted;
  }
  const Rect whole = rest;
  if (model.shooter != nullptr) draw_shooter_veil(*model.shooter, state.shooter.shown_s, pen);
  draw_chip(rest, model, pen);
  if (model.shooter != nullptr) {
    draw_shooter(rest, whole, model, state, pen, requests);
    draw_badges(rest, model, state, pen);
    draw_notice(rest, state, pen);
    draw_switch_banner(rest, model, state.switched, pen);
    return;
  }
  draw_bottom(rest, model, pen, requests);
  // The challenge has the upper middle; badges and notices stay left of it, or come below.
  const float middle = std::floor(display.x * 0.5f), side = std::min(middle - whole.x0, whole.x1 - middle);
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
  draw_badges(rest, model, state, pen);
  draw_notice(rest, state, pen);
  draw_switch_banner(rest, model, state.switched, pen);
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

bool wants_text() { return ImGui::GetIO().WantTextInput; }
bool wants_mouse() { return ImGui::GetIO().WantCaptureMouse; }

}  // namespace spellpool::ui
