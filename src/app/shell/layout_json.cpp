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
template <class Enum>
Named(Enum, const char*) -> Named<Enum>;

constexpr std::array kParts = [] {
  using enum Part;
  return std::array{
      Named{Error, "error"}, Named{Chip, "chip"}, Named{Badges, "badges"}, Named{Notice, "notice"},
      Named{SpellBar, "spell_bar"}, Named{Combo, "combo"}, Named{Hint, "hint"}, Named{KeyRow, "key_row"},
      Named{ChallengeStart, "challenge_start"}, Named{Challenge, "challenge"}, Named{Countdown, "countdown"},
      Named{Banner, "banner"}, Named{PoolPanel, "pool_panel"}, Named{Graph, "graph"}, Named{Editor, "editor"},
      Named{Help, "help"}, Named{Settings, "settings"}, Named{Scores, "scores"},
      Named{AbProgress, "ab_progress"}, Named{AbCard, "ab_card"}, Named{Title, "title"},
      Named{SlotMap, "slot_map"}, Named{Memory, "memory"}, Named{FrameTimeline, "frame_timeline"},
      Named{ShooterScore, "shooter_score"}, Named{ShooterSupplies, "shooter_supplies"},
      Named{ShooterLine, "shooter_line"}, Named{ShooterBoss, "shooter_boss"},
      Named{ShooterPhase, "shooter_phase"}, Named{ShooterTitle, "shooter_title"},
      Named{ShooterKeys, "shooter_keys"}, Named{ShooterContinue, "shooter_continue"},
      Named{ShooterResult, "shooter_result"}, Named{Stress, "stress"}, Named{StressCard, "stress_card"},
      Named{Replay, "replay"}, Named{Voices, "voices"}, Named{VoiceRows, "voice_rows"},
      Named{SoundEditor, "sound_editor"}, Named{Lab, "lab"}, Named{DuetA, "duet_a"}, Named{DuetB, "duet_b"},
      Named{DuetStrip, "duet_strip"}, Named{SwitchBanner, "switch_banner"}, Named{Waiting, "waiting"},
      Named{Learn, "learn"}, Named{Alert, "alert"}, Named{LoadBoard, "load_board"}};
}();
static_assert(rows_in_order(kParts) && kParts.size() == ui::kPartCount);

constexpr std::array kControls = [] {
  using enum ControlKind;
  return std::array{
      Named{Strategy, "strategy"}, Named{Policy, "policy"}, Named{Pool, "pool"},
      Named{CapacityText, "capacity_text"}, Named{CapacitySlider, "capacity_slider"},
      Named{TakeAdvice, "take_advice"}, Named{MoreStrategies, "more_strategies"},
      Named{CapacityHalve, "capacity_halve"}, Named{CapacityDouble, "capacity_double"}, Named{Pause, "pause"},
      Named{SingleStep, "single_step"}, Named{SlowMotion, "slow_motion"}, Named{Record, "record"},
      Named{GraphPlot, "graph_plot"}, Named{GraphScale, "graph_scale"},
      Named{SpikePrevious, "spike_previous"}, Named{SpikeNext, "spike_next"}, Named{SpikeMark, "spike_mark"},
      Named{Close, "close"}, Named{Spell, "spell"}, Named{Ask, "ask"}, Named{SettingsTab, "settings_tab"},
      Named{Choice, "choice"}, Named{SettingSlider, "setting_slider"}, Named{BindKey, "bind_key"},
      Named{BindPad, "bind_pad"}, Named{BindDefault, "bind_default"}, Named{EditorSpell, "editor_spell"},
      Named{EditorPart, "editor_part"}, Named{EditorPage, "editor_page"}, Named{EditorAdd, "editor_add"},
      Named{EditorCopy, "editor_copy"}, Named{EditorRemove, "editor_remove"},
      Named{EditorUndo, "editor_undo"}, Named{EditorRedo, "editor_redo"}, Named{EditorSave, "editor_save"},
      Named{FieldSlider, "field_slider"}, Named{FieldText, "field_text"}, Named{FieldDrop, "field_drop"},
      Named{DropItem, "drop_item"}, Named{Curve, "curve"}, Named{CurvePoint, "curve_point"},
      Named{CurveText, "curve_text"}, Named{ColourBar, "colour_bar"}, Named{ColourStop, "colour_stop"},
      Named{ColourSquare, "colour_square"}, Named{ColourHue, "colour_hue"},
      Named{ColourAlpha, "colour_alpha"}, Named{ColourText, "colour_text"}, Named{SlotMap, "slot_map"},
      Named{SlotCell, "slot_cell"}, Named{SlotButton, "slot_button"}, Named{MemorySource, "memory_source"},
      Named{ConsoleMode, "console_mode"}, Named{CraneSearch, "crane_search"},
      Named{ReplayStory, "replay_story"}, Named{TitleItem, "title_item"}, Named{Difficulty, "difficulty"},
      Named{ReplayButton, "replay_button"}, Named{Timeline, "timeline"}, Named{ReplayHead, "replay_head"},
      Named{VoicePolicy, "voice_policy"}, Named{VoiceStorage, "voice_storage"}, Named{VoiceFew, "voice_few"},
      Named{VoiceHalve, "voice_halve"}, Named{VoiceDouble, "voice_double"}, Named{VoiceText, "voice_text"},
      Named{VoiceSlider, "voice_slider"}, Named{VoiceBurst, "voice_burst"}, Named{VoiceOther, "voice_other"},
      Named{VoiceRecord, "voice_record"}, Named{VoiceRow, "voice_row"}, Named{VoiceGrid, "voice_grid"},
      Named{SoundChoice, "sound_choice"}, Named{SoundPart, "sound_part"}, Named{SoundAdd, "sound_add"},
      Named{SoundCopy, "sound_copy"}, Named{SoundRemove, "sound_remove"}, Named{SoundButton, "sound_button"},
      Named{SoundAloud, "sound_aloud"}, Named{LabTab, "lab_tab"}, Named{LabDrop, "lab_drop"},
      Named{LabNumber, "lab_number"}, Named{LabDrawn, "lab_drawn"}, Named{LabButton, "lab_button"},
      Named{LabRow, "lab_row"}, Named{HelpTab, "help_tab"}, Named{FilmPicture, "film_picture"},
      Named{FigureStore, "figure_images"}, Named{FigurePolicy, "figure_policy"},
      Named{FigureRoom, "figure_room"}, Named{Lesson, "lesson"}};
}();
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
    text += ",\n\"banner_calls\":" + Json(layout.banner_calls).dump() +
            ",\"banner_calls_before\":" + Json(layout.banner_calls_before).dump();
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
    const Json row = {{"kind", kControls[static_cast<std::size_t>(control.kind)].name},
                      {"index", control.index},
                      {"rect", rect_of(control.rect)}};
    text += (i > 0 ? ",\n" : "\n") + row.dump();  // a line each, so that a shell can read it too
  }
  return text + "]}\n";
}

}  // namespace spellpool::app
