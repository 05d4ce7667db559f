#include "app/shell/layout_json.hpp"

#include <nlohmann/json.hpp>

#include "core/enum_table.hpp"
#include "measure/record/json_text.hpp"

namespace spellpool::app {
namespace {

using ui::ControlKind;
using ui::Part;

template <class Enum>
struct Named {
  Enum id;
  std::string_view name;
};
constexpr std::array kParts = {Named<Part>{Part::Error, "error"},
                               Named<Part>{Part::Chip, "chip"},
                               Named<Part>{Part::Badges, "badges"},
                               Named<Part>{Part::Notice, "notice"},
                               Named<Part>{Part::SpellBar, "spell_bar"},
                               Named<Part>{Part::Combo, "combo"},
                               Named<Part>{Part::Hint, "hint"},
                               Named<Part>{Part::KeyRow, "key_row"},
                               Named<Part>{Part::ChallengeStart, "challenge_start"},
                               Named<Part>{Part::Challenge, "challenge"},
                               Named<Part>{Part::Countdown, "countdown"},
                               Named<Part>{Part::Banner, "banner"},
                               Named<Part>{Part::PoolPanel, "pool_panel"},
                               Named<Part>{Part::Graph, "graph"},
                               Named<Part>{Part::Editor, "editor"},
                               Named<Part>{Part::Help, "help"},
                               Named<Part>{Part::Settings, "settings"},
                               Named<Part>{Part::Scores, "scores"},
                               Named<Part>{Part::AbProgress, "ab_progress"},
                               Named<Part>{Part::AbCard, "ab_card"},
                               Named<Part>{Part::Title, "title"},
                               Named<Part>{Part::SlotMap, "slot_map"},
                               Named<Part>{Part::Memory, "memory"},
                               Named<Part>{Part::FrameTimeline, "frame_timeline"},
                               Named<Part>{Part::ShooterScore, "shooter_score"},
                               Named<Part>{Part::ShooterSupplies, "shooter_supplies"},
                               Named<Part>{Part::ShooterLine, "shooter_line"},
                               Named<Part>{Part::ShooterBoss, "shooter_boss"},
                               Named<Part>{Part::ShooterPhase, "shooter_phase"},
                               Named<Part>{Part::ShooterTitle, "shooter_title"},
                               Named<Part>{Part::ShooterKeys, "shooter_keys"},
                               Named<Part>{Part::ShooterContinue, "shooter_continue"},
                               Named<Part>{Part::ShooterResult, "shooter_result"},
                               Named<Part>{Part::Stress, "stress"},
                               Named<Part>{Part::StressCard, "stress_card"},
                               Named<Part>{Part::Replay, "replay"},
                               Named<Part>{Part::Voices, "voices"},
                               Named<Part>{Part::VoiceRows, "voice_rows"},
                               Named<Part>{Part::SoundEditor, "sound_editor"},
                               Named<Part>{Part::Lab, "lab"},
                               Named<Part>{Part::DuetA, "duet_a"},
                               Named<Part>{Part::DuetB, "duet_b"},
                               Named<Part>{Part::DuetStrip, "duet_strip"},
                               Named<Part>{Part::SwitchBanner, "switch_banner"},
                               Named<Part>{Part::Waiting, "waiting"},
                               Named<Part>{Part::Learn, "learn"},
                               Named<Part>{Part::Alert, "alert"},
                               Named<Part>{Part::LoadBoard, "load_board"}};
static_assert(rows_in_order(kParts) && kParts.size() == ui::kPartCount);

constexpr std::array kControls = {
    Named<ControlKind>{ControlKind::Strategy, "strategy"}, Named<ControlKind>{ControlKind::Policy, "policy"},
    Named<ControlKind>{ControlKind::Pool, "pool"}, Named<ControlKind>{ControlKind::CapacityText, "capacity_text"},
    Named<ControlKind>{ControlKind::CapacitySlider, "capacity_slider"}, Named<ControlKind>{ControlKind::TakeAdvice, "take_advice"}, Named<ControlKind>{ControlKind::MoreStrategies, "more_strategies"}, Named<ControlKind>{ControlKind::CapacityHalve, "capacity_halve"},
    Named<ControlKind>{ControlKind::CapacityDouble, "capacity_double"}, Named<ControlKind>{ControlKind::Pause, "pause"},
    Named<ControlKind>{ControlKind::SingleStep, "single_step"}, Named<ControlKind>{ControlKind::SlowMotion, "slow_motion"},
    Named<ControlKind>{ControlKind::Record, "record"}, Named<ControlKind>{ControlKind::GraphPlot, "graph_plot"},
    Named<ControlKind>{ControlKind::GraphScale, "graph_scale"}, Named<ControlKind>{ControlKind::SpikePrevious, "spike_previous"},
    Named<ControlKind>{ControlKind::SpikeNext, "spike_next"}, Named<ControlKind>{ControlKind::SpikeMark, "spike_mark"},
    Named<ControlKind>{ControlKind::Close, "close"}, Named<ControlKind>{ControlKind::Spell, "spell"},
    Named<ControlKind>{ControlKind::Ask, "ask"}, Named<ControlKind>{ControlKind::SettingsTab, "settings_tab"},
    Named<ControlKind>{ControlKind::Choice, "choice"}, Named<ControlKind>{ControlKind::SettingSlider, "setting_slider"},
    Named<ControlKind>{ControlKind::BindKey, "bind_key"}, Named<ControlKind>{ControlKind::BindPad, "bind_pad"},
    Named<ControlKind>{ControlKind::BindDefault, "bind_default"}, Named<ControlKind>{ControlKind::EditorSpell, "editor_spell"},
    Named<ControlKind>{ControlKind::EditorPart, "editor_part"}, Named<ControlKind>{ControlKind::EditorPage, "editor_page"},
    Named<ControlKind>{ControlKind::EditorAdd, "editor_add"}, Named<ControlKind>{ControlKind::EditorCopy, "editor_copy"},
    Named<ControlKind>{ControlKind::EditorRemove, "editor_remove"}, Named<ControlKind>{ControlKind::EditorUndo, "editor_undo"},
    Named<ControlKind>{ControlKind::EditorRedo, "editor_redo"}, Named<ControlKind>{ControlKind::EditorSave, "editor_save"},
    Named<ControlKind>{ControlKind::FieldSlider, "field_slider"}, Named<ControlKind>{ControlKind::FieldText, "field_text"},
    Named<ControlKind>{ControlKind::FieldDrop, "field_drop"}, Named<ControlKind>{ControlKind::DropItem, "drop_item"},
    Named<ControlKind>{ControlKind::Curve, "curve"}, Named<ControlKind>{ControlKind::CurvePoint, "curve_point"},
    Named<ControlKind>{ControlKind::CurveText, "curve_text"}, Named<ControlKind>{ControlKind::ColourBar, "colour_bar"},
    Named<ControlKind>{ControlKind::ColourStop, "colour_stop"}, Named<ControlKind>{ControlKind::ColourSquare, "colour_square"},
    Named<ControlKind>{ControlKind::ColourHue, "colour_hue"}, Named<ControlKind>{ControlKind::ColourAlpha, "colour_alpha"},
    Named<ControlKind>{ControlKind::ColourText, "colour_text"}, Named<ControlKind>{ControlKind::SlotMap, "slot_map"},
    Named<ControlKind>{ControlKind::SlotCell, "slot_cell"},
    Named<ControlKind>{ControlKind::SlotButton, "slot_button"}, Named<ControlKind>{ControlKind::MemorySource, "memory_source"},
    Named<ControlKind>{ControlKind::ConsoleMode, "console_mode"}, Named<ControlKind>{ControlKind::CraneSearch, "crane_search"}, Named<ControlKind>{ControlKind::ReplayStory, "replay_story"},
    Named<ControlKind>{ControlKind::TitleItem, "title_item"},
    Named<ControlKind>{ControlKind::Difficulty, "difficulty"}, Named<ControlKind>{ControlKind::ReplayButton, "replay_button"},
    Named<ControlKind>{ControlKind::Timeline, "timeline"}, Named<ControlKind>{ControlKind::ReplayHead, "replay_head"},
    Named<ControlKind>{ControlKind::VoicePolicy, "voice_policy"}, Named<ControlKind>{ControlKind::VoiceStorage, "voice_storage"},
    Named<ControlKind>{ControlKind::VoiceFew, "voice_few"},
    Named<ControlKind>{ControlKind::VoiceHalve, "voice_halve"}, Named<ControlKind>{ControlKind::VoiceDouble, "voice_double"},
    Named<ControlKind>{ControlKind::VoiceText, "voice_text"}, Named<ControlKind>{ControlKind::VoiceSlider, "voice_slider"},
    Named<ControlKind>{ControlKind::VoiceBurst, "voice_burst"}, Named<ControlKind>{ControlKind::VoiceOther, "voice_other"},
    Named<ControlKind>{ControlKind::VoiceRecord, "voice_record"}, Named<ControlKind>{ControlKind::VoiceRow, "voice_row"},
    Named<ControlKind>{ControlKind::VoiceGrid, "voice_grid"}, Named<ControlKind>{ControlKind::SoundChoice, "sound_choice"},
    Named<ControlKind>{ControlKind::SoundPart, "sound_part"}, Named<ControlKind>{ControlKind::SoundAdd, "sound_add"},
    Named<ControlKind>{ControlKind::SoundCopy, "sound_copy"}, Named<ControlKind>{ControlKind::SoundRemove, "sound_remove"},
    Named<ControlKind>{ControlKind::SoundButton, "sound_button"}, Named<ControlKind>{ControlKind::SoundAloud, "sound_aloud"},
    Named<ControlKind>{ControlKind::LabTab, "lab_tab"}, Named<ControlKind>{ControlKind::LabDrop, "lab_drop"},
    Named<ControlKind>{ControlKind::LabNumber, "lab_number"}, Named<ControlKind>{ControlKind::LabDrawn, "lab_drawn"},
    Named<ControlKind>{ControlKind::LabButton, "lab_button"}, Named<ControlKind>{ControlKind::LabRow, "lab_row"},
    Named<ControlKind>{ControlKind::HelpTab, "help_tab"}, Named<ControlKind>{ControlKind::FilmPicture, "film_picture"}, Named<ControlKind>{ControlKind::Lesson, "lesson"}};
static_assert(rows_in_order(kControls) && kControls.size() == static_cast<std::size_t>(ControlKind::Lesson) + 1);

nlohmann::ordered_json rect_of(const ui::Rect& rect) { 
  const auto whole = [](float x) { return static_cast<int>(x + 0.5f); };
  return {whole(rect.x0), whole(rect.y0), whole(rect.x1), whole(rect.y1)};
}

}  // namespace

std::string layout_json(const ui::UiState& state, u64 frame, u64 step, std::string_view painter) {
  const ui::Layout& layout = state.layout;
  using Json = nlohmann::ordered_json;
  Json parts = Json::object();
  for (const Named<Part>& part : kParts) {
    if (!layout.of(part.id).empty()) parts[std::string(part.name)] = rect_of(layout.of(part.id));
  }
  std::string text = "{\"frame\":" + Json(frame).dump() + ",\n\"step\":" + Json(step).dump();
  text += ",\n\"scale\":" + Json(layout.scale).dump() + ",\n\"parts\":" + parts.dump();
  if (!painter.empty()) text += ",\n\"panels_by\":" + Json(painter).dump();
  if (layout.best_score > 0) text += ",\n\"best_score\":" + Json(layout.best_score).dump();
  if (layout.banner_calls >= 0) {
    text += ",\n\"banner_calls\":" + Json(layout.banner_calls).dump() + ",\"banner_calls_before\":" + Json(layout.banner_calls_before).dump();
  }
  if (layout.replay_indexed > 0) text += ",\n\"replay_indexed\":" + Json(layout.replay_indexed).dump();
  if (layout.duet_ratio > 0) text += ",\n\"duet_ratio\":" + Json(layout.duet_ratio).dump();
  if (!layout.of(Part::FrameTimeline).empty()) {
    Json timelines = Json::array();
    for (std::size_t i = 0; i < layout.timeline_count; ++i) {
      timelines.push_back({layout.timelines[i].new_calls, layout.timelines[i].acquired});
    }
    text += ",\n\"timeline\":" + timelines.dump();
  }
  if (!layout.of(Part::Memory).empty()) {
    Json stories = Json::array();
    for (const ui::Layout::StoryCounts& story : layout.stories) {
      stories.push_back({story.free, story.largest, story.refused ? 1 : 0});
    }
    text += ",\n\"stories\":" + stories.dump();
  }
  if (!layout.of(Part::Notice).empty()) {
    // A notice that was cut may end within a character.
    text += ",\n\"notice\":" + measure::json_text(std::string(state.notice.data(), state.notice_size), -1);
  }
  if (!layout.of(Part::Alert).empty()) {
    const ui::AlertState& alert = state.alert;
    text += ",\n\"alert\":" + measure::json_text(std::string(alert.title()) + ": " + std::string(alert.text()), -1);
  }
  text += ",\n\"controls\":[";
  for (std::size_t i = 0; i < layout.control_count; ++i) {
    const ui::Control& control = layout.controls[i];
    const Json row = {{"kind", kControls[static_cast<std::size_t>(control.kind)].name}, {"index", control.index}, {"rect", rect_of(control.rect)}};
    text += (i > 0 ? ",\n" : "\n") + row.dump();  // a line each, so that a shell can read it too
  }
  return text + "]}\n";
}

}  // namespace spellpool::app
