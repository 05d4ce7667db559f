#pragma once
// Where each part of the screen lies. Parts take their room from one free rectangle, edge by edge, so two of them
// cannot overlap; a part that finds no room is not drawn. Pure arithmetic, in pixels, y down.
#include <array>
#include <cstddef>

#include "core/types.hpp"

namespace spellpool::ui {

struct Rect {
  float x0 = 0, y0 = 0, x1 = 0, y1 = 0;
  float width() const { return x1 - x0; }
  float height() const { return y1 - y0; }
  float middle_x() const { return (x0 + x1) * 0.5f; }
  float middle_y() const { return (y0 + y1) * 0.5f; }
  bool empty() const { return !(x1 > x0 && y1 > y0); }
  bool contains(float x, float y) const { return x >= x0 && x < x1 && y >= y0 && y < y1; }
  bool overlaps(const Rect& other) const { return x0 < other.x1 && other.x0 < x1 && y0 < other.y1 && other.y0 < y1; }
  /// The part that both share; empty if none.
  Rect cut_to(const Rect& other) const {
    return {x0 > other.x0 ? x0 : other.x0, y0 > other.y0 ? y0 : other.y0, x1 < other.x1 ? x1 : other.x1,
            y1 < other.y1 ? y1 : other.y1};
  }
  Rect inset(float by) const { return {x0 + by, y0 + by, x1 - by, y1 - by}; }
};

/// The things that draw_panels() puts on the screen. No two of them overlap.
enum class Part : u8 {
  Error,
  Chip,
  Badges,
  Notice,
  SpellBar,
  Combo,
  Hint,
  KeyRow,          ///< What remains of the hint.
  ChallengeStart,  ///< The quiet control that starts the challenge.
  Challenge,       ///< Score, time, multiplier and runes of a running one.
  Countdown,
  Banner,  ///< "ALL RUNES BURN"
  PoolPanel,
  Graph,
  Editor,
  Help,
  Settings,
  Scores,
  AbProgress,
  AbCard,
  Title,  ///< The title screen.
  SlotMap,
  Memory,
  FrameTimeline,
  ShooterScore,     ///< Beside the field: stage, score, time.
  ShooterSupplies,  ///< Ships, bombs, power, chain.
  ShooterLine,      ///< Both in one line, where there is no room beside the field.
  ShooterBoss,
  ShooterPhase,  ///< The title of a boss's phase as it begins.
  ShooterTitle,
  ShooterKeys,  ///< How to play, below the title.
  ShooterContinue,
  ShooterResult,
  Stress,  ///< "How many bullets?" while it measures.
  StressCard,
  Replay,  ///< The bar below a replay that is watched.
  Voices,  ///< What can be done about voices; with their rows, where there is no room for two boxes.
  VoiceRows,
  SoundEditor,
  Lab,
  DuetA,  ///< The two worlds of a duet.
  DuetB,
  DuetStrip,     ///< The graphs and texts below the two worlds.
  SwitchBanner,  ///< What another strategy changed, for two seconds.
  Waiting,       ///< The line that names panels that have no room, or lie behind another one.
  Learn,         ///< The lessons.
  Alert,         ///< What a demonstration of memory has just shown.
  LoadBoard,     ///< The memory of a demonstration that is on.
};
inline constexpr std::size_t kPartCount = 48;

/// What can be clicked. `index` tells which strategy, policy, pool, row or button.
enum class ControlKind : u8 {
  Strategy,
  Policy,
  Pool,
  CapacityText,
  CapacitySlider,
  TakeAdvice,
  MoreStrategies,
  CapacityHalve,
  CapacityDouble,
  Pause,
  SingleStep,
  SlowMotion,
  Record,
  GraphPlot,
  GraphScale,
  SpikePrevious,
  SpikeNext,
  SpikeMark,      ///< The first few marks above spikes, oldest first; inside GraphPlot.
  Close,          ///< index: a ClosePanel.
  Spell,          ///< A slot of the spell bar.
  Ask,            ///< A button that asks for an action; index: the frame::Action.
  SettingsTab,    ///< index: a SettingsPage.
  Choice,         ///< One segment of a setting; index: 16 · row + segment.
  SettingSlider,  ///< 0 text scale, 1 volume, 2 + the frame::SoundGroup.
  BindKey,        ///< index: the frame::Action whose key is chosen anew.
  BindPad,
  BindDefault,  ///< index: an action, or kActionCount for all.
  EditorSpell,
  EditorPart,  ///< 0 the spell itself, then its emitters.
  EditorPage,
  EditorAdd,
  EditorCopy,
  EditorRemove,
  EditorUndo,
  EditorRedo,
  EditorSave,
  FieldSlider,  ///< index: row of the editor's page.
  FieldText,    ///< index: 2 · row, or + 1 for a range's upper end.
  FieldDrop,    ///< index: row.
  DropItem,     ///< A line of the list that hangs open.
  Curve,        ///< 0 size, 1 speed.
  CurvePoint,   ///< index: 16 · curve + point. A mark inside Curve.
  CurveText,    ///< index: 2 · curve for the chosen point's place, + 1 for its value.
  ColourBar,
  ColourStop,  ///< A mark below ColourBar.
  ColourSquare,
  ColourHue,
  ColourAlpha,
  ColourText,
  SlotMap,     ///< The picture: a click holds the place under the mouse.
  SlotCell,    ///< A place that is shown by itself; index: its place in the window of places.
  SlotButton,  ///< index: the frame::Action.
  MemorySource,
  ConsoleMode,
  CraneSearch,
  ReplayStory,
  TitleItem,   ///< index: the frame::TitleItem.
  Difficulty,  ///< On the shooter's title; index: the frame::Difficulty.
  ReplayButton,  ///< index: the frame::Action.
  Timeline,
  ReplayHead,  ///< The mark of where the replay is, inside Timeline. index: 0, 1 while it seeks, 2 at the end.
  VoicePolicy,
  VoiceStorage,
  VoiceFew,    ///< kFewVoiceSlots of them.
  VoiceHalve,
  VoiceDouble,
  VoiceText,
  VoiceSlider,
  VoiceBurst,
  VoiceOther,   ///< The policy to record beside.
  VoiceRecord,
  VoiceRow,     ///< index: the slot, or the virtual voice's place after them.
  VoiceGrid,    ///< All slots as cells, where there are too many for rows.
  SoundChoice,
  SoundPart,    ///< 0 the sound itself, then its tones, then its noises.
  SoundAdd,     ///< 0 a tone, 1 a noise.
  SoundCopy,
  SoundRemove,
  SoundButton,  ///< 0 play, 1 undo, 2 redo, 3 revert, 4 save.
  SoundAloud,   ///< Play after each change.
  LabTab,       ///< 0 compare, 1 results.
  LabDrop,      ///< 0 … 3 of arm A: strategy, policy, allocator, frame memory; 4 … 7 of B; 8 scene, 9 load, 10 heap, 11 plan; 12, 13 voices; 14 rollback.
  LabNumber,    ///< 0 quads, 1 steps.
  LabDrawn,     ///< 0 simulation only, 1 drawn.
  LabButton,    ///< index: a LabKey.
  LabRow,       ///< index: the row.
  HelpTab,      ///< index: the page.
  FilmPicture,  ///< A picture of the past, above the timeline; index: which of those shown, oldest first.
  FigureStore,   ///< index: the frame::FigureStore.
  FigurePolicy,  ///< index: the frame::FigurePolicy.
  FigureRoom,    ///< index: the frame::FigureRoom.
  Lesson,       ///< In Learn; index: 64 · LessonTarget::Kind + its index.
};
/// Indexes of ControlKind::LabButton.
enum class LabKey : u8 {
  Start,
  Stop,
  ResumeResult,
  ShowResult,
  ReadAgain,
  Report,
  OpenReport,
  OpenFolder,
  CopyPath,
  Resume
};
/// The panels: indexes of ControlKind::Close; + 16 for a second button at the panel's foot.
enum class ClosePanel : u8 {
  Pool,
  Graph,
  Help,
  Settings,
  Editor,
  Scores,
  AbCard,
  SlotMap,
  Memory,
  Voices,
  SoundEditor,
  Lab,
  FrameTimeline
};

struct Control {
  ControlKind kind{};
  u16 index = 0;
  Rect rect;
};

/// What the last frame drew and where; an empty rectangle is a part that is not shown. For tests and for scripts that
/// click. Lives in UiState, and is written anew by each draw_panels().
struct Layout {
  std::array<Rect, kPartCount> parts;
  std::array<Control, 256> controls;
  std::size_t control_count = 0;
  u32 shortened_texts = 0;  ///< Texts that did not fit and ended in "…".
  ControlKind pressed{};    ///< What was clicked in this frame,
  bool any_pressed = false; ///< if anything was.
  float scale = 0;          ///< Pixels per design unit in this frame.
  u64 best_score = 0;       ///< That the shooter's title shows; 0: none.
  i64 banner_calls = -1;    ///< Allocations a frame that the banner of a switch shows; -1: there is none.
  double banner_calls_before = 0;  ///< And those before the switch.
  u64 replay_indexed = 0;   ///< Steps of a replay that any jump reaches soon.
  float duet_ratio = 0;     ///< Side by side: the large number, if the two are apart; else 0.
  /// What the timeline of one frame shows of a world.
  struct TimelineCounts {
    u64 new_calls = 0, acquired = 0;
  };
  std::array<TimelineCounts, 2> timelines;
  std::size_t timeline_count = 0;  ///< 0: there is none, or it waits for a step.
  /// A story of the memory panel: bytes that are free, the largest piece, and whether the request was refused.
  struct StoryCounts {
    u32 free = 0, largest = 0;
    bool refused = false;
  };
  std::array<StoryCounts, 2> stories;

  void clear() {
    parts = {};
    control_count = 0;
    shortened_texts = 0;
    any_pressed = false;
    scale = 0;
    best_score = 0;
    banner_calls = -1;
    banner_calls_before = 0;
    replay_indexed = 0;
    duet_ratio = 0;
    timeline_count = 0;
    stories = {};
  }
  const Rect& of(Part part) const { return parts[static_cast<std::size_t>(part)]; }
  Rect& of(Part part) { return parts[static_cast<std::size_t>(part)]; }
  void add(ControlKind kind, std::size_t index, const Rect& rect) {
    if (control_count < controls.size()) controls[control_count++] = {kind, static_cast<u16>(index), rect};
  }
  const Control* find(ControlKind kind, std::size_t index = 0) const {
    for (std::size_t i = 0; i < control_count; ++i) {
      if (controls[i].kind == kind && controls[i].index == index) return &controls[i];
    }
    return nullptr;
  }
};

/// Minimum canvas size of the design, in units. In a small window a large text scale is reduced to keep it.
inline constexpr float kLeastWidth = 640.0f;
inline constexpr float kLeastHeight = 360.0f;
/// Below this many pixels no panel is readable, and none is drawn.
inline constexpr float kLeastDisplayWidth = 200.0f;
inline constexpr float kLeastDisplayHeight = 112.0f;

/// Pixels per design unit for a window of width × height px; 0 when nothing can be shown. `text_scale` is the player's
/// wanted, at least 0.75 so that text stays readable; a NaN counts as 1.
float design_scale(float width, float height, float text_scale);

/// What place_panels() has to place, and sizes in px.
struct PanelSizes {
  bool pool_panel = false, graph = false, editor = false, voices = false, slot_map = false;
  float gap = 0;
  float editor_width = 0, pool_width = 0, voices_width = 0;
  float least_between = 0;        ///< Width that two panels leave between them,
  float voices_between = 0;       ///< and that the two halves of the voice panel leave.
  float least_width = 0;          ///< Of graph and slot map.
  float pool_height = 0;          ///< With descriptions.
  float pool_compact_height = 0;  ///< Without.
  float graph_height = 0, graph_least_height = 0;
  float slot_map_least_height = 0;
};
struct PanelPlaces {
  Rect pool_panel, graph, editor;
  Rect voices, voice_rows;  ///< The second is empty where both are one box.
  Rect rest;                ///< What is left: for the slot map at its lower edge, for small parts upper left.
  bool compact = false;     ///< The pool panel leaves out the descriptions.
  bool all = true;          ///< Everything has its room. Else leave something out and place the others again.
};
/// The graph along the bottom over the full width with the pool panel above it at the right; where that is
/// too tight, the pool panel gets the whole right side and the graph the width that is left. The editor has a
/// whole side, and so have the voices: both sides where nothing else is at one. Of editor, pool panel and
/// voices two find room in a wide window, one at each side.
PanelPlaces place_panels(const Rect& free, const PanelSizes& sizes);

/// Cuts `height` px off an edge of `free`, and `gap` more. Empty, and `free` unchanged, when there is no room.
Rect take_top(Rect& free, float height, float gap);
Rect take_bottom(Rect& free, float height, float gap);

}  // namespace spellpool::ui
