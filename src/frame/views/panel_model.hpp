#pragma once
// What the panels show and what they ask for. ui/ draws a const PanelModel& and fills a PanelRequests&; it holds no
// pool, no recorder and no window.
#include <optional>
#include <span>
#include <string_view>

#include "frame/action.hpp"
#include "frame/frame_record.hpp"
#include "frame/high_scores.hpp"
#include "frame/load.hpp"
#include "frame/settings.hpp"
#include "frame/sim_command.hpp"
#include "frame/views/challenge_view.hpp"
#include "frame/views/lab_view.hpp"
#include "frame/views/lesson_view.hpp"
#include "frame/views/memory_view.hpp"
#include "frame/views/shooter_view.hpp"
#include "frame/views/slot_map_view.hpp"
#include "frame/views/sound_editor_view.hpp"
#include "frame/views/stress_view.hpp"
#include "frame/views/timeline_view.hpp"
#include "frame/views/title_view.hpp"
#include "frame/views/voices_view.hpp"

namespace spellpool::frame {

struct DuetView;

/// A choice that a panel offers: a strategy or a policy, from the table that defines it.
struct ChoiceRow {
  std::string_view name;         ///< "free_list"
  std::string_view title;        ///< "Union free list"
  std::string_view description;  ///< One line.
  char letter = '?';             ///< Stands beside the colour, which never means anything alone.
  u8 r = 255, g = 255, b = 255;
  std::string_view cost{};       ///< One line; may be empty.
  bool slow = false;             ///< Each object costs a search: worth a warning in a large pool.
  bool usual = false;            ///< Offered at once; the others behind "more".
  std::string_view kind{};       ///< "an object pool", "no pool"; may be empty.
};

struct PoolRow {
  PoolId pool{};
  u8 strategy = 0, policy = 0;
  u32 capacity = 0, live = 0, peak = 0;
  u32 slots = 0;                        ///< In memory, free ones included.
  u64 spawned = 0, released = 0, rejected = 0, stolen = 0, grown = 0, trimmed = 0, accelerated = 0, new_calls = 0,
      bytes = 0;
  u32 new_calls_this_frame = 0;
  u32 advised_capacity = 0;             ///< 0: nothing to advise.
  u32 average_live = 0;
  i64 advised_less_bytes = 0;           ///< What the advised capacity would hold less; below 0: more.
  u32 rejected_this_second = 0;
  bool fills = false;                   ///< Slots that are given out or come back are filled.
  u32 acts_this_second = 0;             ///< Times that the policy had to act: objects refused or stolen, blocks added.
};

/// The ring of recent frames, oldest first: frame i of `count` is frames[(first + i) % frames.size()].
struct FrameHistory {
  std::span<const FrameRecord> frames;
  std::size_t first = 0;
  std::size_t count = 0;
  const FrameRecord& at(std::size_t i) const { return frames[(first + i) % frames.size()]; }
};

enum class GraphScale : u8 { Automatic, SquareRoot };

/// The quick A/B while it runs, and its outcome.
struct QuickAbView {
  enum class State : u8 { None, Running, Done };
  enum class Verdict : u8 { Unknown, TooNoisy, None, Faster, Slower };  ///< Of B against A.
  /// What was found about one of the times that are judged. All of it comes from the same blocks.
  struct Line {
    bool shown = false;
    Verdict verdict = Verdict::Unknown;
    double median_a_us = 0, median_b_us = 0;
    double ratio = 0, low = 0, high = 0;  ///< B's time over A's, with its 95 % interval; NaN: not known.
    std::string_view sentence;            ///< "Simulation: the pool takes 0.41× the time of new/delete (0.38 to 0.45)."
    bool differs() const { return verdict == Verdict::Faster || verdict == Verdict::Slower; }
  };
  State state = State::None;
  float progress = 0;                   ///< 0 … 1.
  bool waiting = false;                 ///< For a quiet machine; the key of the quick A/B starts it anyway.
  std::string_view text;                ///< "block 7 of 24, new/delete, 6 s left"
  // When done:
  u8 strategy_a = 0, strategy_b = 0;    ///< pool::StrategyId.
  Line simulation, whole_frame;
  double p99_a_us = 0, p99_b_us = 0;    ///< Of the whole frame.
  u64 frames = 0;                       ///< Measured, of both.
  u64 steps = 0;                        ///< Played by both with equal hashes.
  bool equal_work = false;
  std::string_view verdict;             ///< All of it in words: a warning, that nothing differs, or the sentences of both lines.
  std::string_view advice;              ///< What to do where no line differs, or "".
  std::string_view conditions;          ///< Build, machine and method, a few lines.
  std::string_view folder;              ///< Where run.json, frames.csv and card.png are.
};

/// What happened at a step of a replay, as far as it has been played.
struct ReplayMark {
  enum class Kind : u8 { Boss, Bomb, Loss };
  u64 step = 0;
  Kind kind{};
};

/// A replay that is watched in the window.
struct ReplayView {
  bool shown = false;                   ///< There is one.
  u64 step = 0, steps = 0;              ///< Played, of how many.
  bool seeking = false;
  u64 target = 0;                       ///< While it seeks: the step to come to,
  float progress = 0;                   ///< and how much of the way is done, 0 … 1.
  std::string_view speed;               ///< "1×", "max".
  bool slowest = false, fastest = false;
  u64 differs_at = 0;                   ///< The first step, from 1 on, whose hash is not as recorded; 0: none so far.
  std::span<const ReplayMark> marks;
  bool indexing = false;                ///< Keyframes are being made in the background,
  u64 indexed = 0;                      ///< and any of so many first steps can be shown soon. 0 too where that is not done.
};

/// The last steps, played again with two strategies while the game is paused: the first is new/delete.
struct FairPairView {
  enum class State : u8 { None, Running, Done, Unequal };
  State state = State::None;
  float progress = 0;
  std::array<std::string_view, 2> strategies;
  u32 steps = 0, rounds = 0;
  std::array<double, 2> step_us{}, update_us{}, spawn_us{};  ///< Of a step: medians over the rounds, …
  std::array<double, 2> least_us{}, most_us{};               ///< … and the extremes of whole steps.
  std::array<double, 2> save_us{}, restore_us{};             ///< Of the whole world: medians over the rounds.
  double ratio = 1, low = 1, high = 1;                        ///< Second ÷ first, with its interval.
  bool differs = false;
};

/// A small picture of a frame of the past: where it lies in RewindView::film_texture, 0 … 1, y down.
struct FilmPicture {
  u64 step = 0;
  float u0 = 0, v0 = 0, u1 = 0, v1 = 0;
};

/// The recent past of the game that is played, to which it can be turned back.
struct RewindView {
  bool shown = false;                   ///< It is paused, or time runs backward.
  bool running = false;                 ///< Time runs backward.
  bool possible = true;                 ///< False: the world is too large to be kept; only `pair` is shown.
  u64 first = 0, step = 0, last = 0;    ///< The earliest step that is known, the one shown, the latest.
  u64 bytes = 0, state_bytes = 0;       ///< Of all keyframes, of the last one.
  double save_us = 0;                   ///< What the last keyframe took.
  FairPairView pair;
  std::span<const FilmPicture> film;    ///< By rising step, first … last.
  u64 film_texture = 0;                 ///< OpenGL's name; 0: there is none.
  bool rewound = false;                 ///< Time was turned back in this challenge or stage: its score does not count.
  float retry_s = 0;                    ///< A game was lost, and Rewind returns to so many seconds before that; 0: no.
};

/// What a demonstration of memory has just shown: in the middle, for a few seconds.
struct AlertView {
  enum class Tone : u8 { Bad, Good };
  u64 serial = 0;  ///< A new one has another number; 0: none yet.
  Tone tone = Tone::Bad;
  std::string_view title, text;
};

/// What is open and what has to be said: the part of the model that is not the game's. The app keeps it.
struct PanelState {
  bool help = false, pool_panel = false, graph = false, slot_map_open = false, memory_open = false, hidden = false;
  bool settings_open = false, editor_open = false, voices_open = false;
  bool scores_open = false;             ///< The result of the last challenge, or the table.
  bool ab_card_open = false;
  bool hint = true;                     ///< The newcomer's lines.
  bool paused = false, slow_motion = false;
  bool autoplay = false;
  TitleView title;
  const LessonView* learn = nullptr;    ///< Learn: then nothing of a game is shown. Null: not open.
  LessonShown learn_shown;
  MemoryView memory;
  VoicesView voices;                    ///< Filled while voices_open.
  SoundEditorView sound_editor;         ///< Filled while it is open.
  SlotMapView slot_map;                 ///< As SlotMapRequest asked for it in the frame before.
  GraphScale graph_scale = GraphScale::Automatic;
  std::size_t new_score = kMostHighScores;  ///< The last challenge's, or shooter's, place in its table.
  StressView stress;                    ///< Of the shooter's "how many bullets?".
  Quality quality_now = Quality::High;  ///< Of the picture: what Auto came to.
  std::string_view drawn_by;            ///< A constant, "OpenGL" or "processor": what Settings' choice came to.
  FigurePoolView figure_pool;           ///< Of the CPU renderer; without capacity: it draws nothing.
  QuickAbView ab;
  LabView lab;
  RewindView rewind;
  ReplayView replay;
  AlertView alert;
};

struct PanelModel : PanelState {
  bool key_row = false;                 ///< The row of keys that remains of them, where there is room.
  // The pools.
  std::span<const PoolRow> pools;
  std::span<const ChoiceRow> strategies;
  std::span<const ChoiceRow> policies;
  Load load;                            ///< As the dial set it.
  // Frame times.
  FrameHistory history;
  TimelineView timeline;                ///< Of one frame, while it is open.
  FrameFigures figures;                 ///< Over the visible range.
  double fps = 0;                       ///< n/T over the last half second.
  // The game.
  std::array<std::string_view, kSpellCount> spell_titles{};
  std::array<std::array<float, 3>, kSpellCount> spell_colours{};
  std::array<const SpellDef*, kSpellCount> spells{};  ///< As they are played now; for the editor.
  std::array<const SpellDef*, kSpellCount> filed{};   ///< As their files have them; null: as they were first seen.
  u8 selected_spell = 0;
  std::array<float, kSpellCount> cooldowns{};         ///< 0 ready … 1 just cast.
  float cooldown = 0;                   ///< Of the selected spell.
  float charge = 0;                     ///< 0 … 1 of the running charge.
  u32 combo = 0;
  ChallengeView challenge;
  std::span<const HitNumber> hit_numbers;
  const HighScores* high_scores = nullptr;
  const ShooterView* shooter = nullptr;     ///< Null in the spells scene.
  // Settings.
  const Settings* settings = nullptr;
  std::string_view settings_path;       ///< Where they are kept, "" if nowhere.
  std::string_view settings_unkept;     ///< The reason, if nowhere.
  const DuetView* duet = nullptr;       ///< Two worlds side by side: then of all this only help, states and notices are shown.
  u64 steps = 0;                            ///< Of the world that is shown.
  bool muted = false, fullscreen = false;
  // Recording.
  bool recording = false;
  u64 recorded_frames = 0;
  std::string_view recording_path;
  bool forgetful = false;  ///< The constructor of sparks forgets some members.
  // One line each, "" for none.
  std::string_view notice;              ///< Recent event: "Saved recordings/….csv".
  std::string_view error;               ///< A file that is broken: stays until it is mended.
  std::string_view build_note;          ///< "debug build: times are not comparable", or "".
  float text_scale = 1.0f;              ///< 1 at 720 px of height.
};

/// The soft sound that an answer of the panels makes.
enum class PanelSound : u8 { None, Move, Accept, Back, Toggle, Refuse, Pause, Resume };

/// What the player asked for through panels in this frame. Bounded, so that a frame allocates nothing.
struct PanelRequests {
  std::array<SimCommand, 8> commands;
  std::size_t command_count = 0;
  std::array<Action, 8> actions{};
  std::size_t action_count = 0;

  /// The editor's spell changed: play it at once. It stays the panel's until the next frame.
  const SpellDef* edited = nullptr;
  u8 edited_spell = 0;
  bool save_spell = false;              ///< Write the edited spell into its file.
  /// The settings panel changed something: apply and save it. Valid until the next frame.
  const Settings* settings = nullptr;
  bool listening = false;               ///< The settings panel waits for a key or button to bind: no action from it.
  SlotMapRequest slot_map;
  bool close_scores = false, close_ab_card = false;
  bool choose_difficulty = false;       ///< On the shooter's title: `difficulty` was clicked.
  Difficulty difficulty{};
  std::optional<TitleItem> select_title, choose_title;  ///< On the title screen: pointed at, clicked.
  VoiceRequests voices;
  SoundEditorRequests sound_editor;
  LabRequests lab;
  LessonRequests learn;
  bool replay_story = false;            ///< The memory panel's stories begin anew.
  PanelSound sound = PanelSound::None;  ///< What a click of this frame sounds like.
  bool hold_rewind = false;             ///< The past's timeline is held at `rewind_step`.
  u64 rewind_step = 0;
  bool hold_replay = false;             ///< The timeline is held at `replay_step`: the replay comes there, and waits while it is held.
  u64 replay_step = 0;

  void ask(const SimCommand& command) {
    if (command_count < commands.size()) commands[command_count++] = command;
  }
  void ask(Action action) {
    if (action_count < actions.size()) actions[action_count++] = action;
  }
};

}  // namespace spellpool::frame
