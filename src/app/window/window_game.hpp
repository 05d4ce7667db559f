#pragma once
// The game in a window. frame() does one round: events in, steps, picture, panels, swap. Seven parts share the class:
//   window_game.cpp     opening, the frame, input, the quick A/B's frames, closing
//   window_title.cpp    the title screen, and which game is played behind it
//   window_actions.cpp  what keys, buttons and panel controls do
//   window_stress.cpp   "how many bullets?"
//   window_lab.cpp      a comparison that runs beside the game
//   window_rewind.cpp   time that runs backward
//   window_replay.cpp   how a replay is watched: speed, seeking, its bar
//   window_files.cpp    what is read and written while the game runs: spells, shaders, settings, scores, pictures
#include <memory>

#include "app/paired/fair_pair.hpp"
#include "app/paired/quick_ab.hpp"
#include "app/paired/side_by_side.hpp"
#include "app/play/background_task.hpp"
#include "app/play/film_index.hpp"
#include "app/play/game.hpp"
#include "app/play/hud.hpp"
#include "app/play/memory_lab.hpp"
#include "app/play/quality_governor.hpp"
#include "app/play/rewind_sound.hpp"
#include "app/play/slot_map_feed.hpp"
#include "app/play/sound_controller.hpp"
#include "app/play/sound_library.hpp"
#include "app/play/stress_run.hpp"
#include "app/play/voice_controller.hpp"
#include "app/window/imgui_host.hpp"
#include "app/window/lab_controller.hpp"
#include "app/window/mode_id.hpp"
#include "app/window/move_input_latch.hpp"
#include "app/window/quit_question.hpp"
#include "app/window/remembered.hpp"
#include "app/window/replay_transport.hpp"
#include "audio/mixer.hpp"
#include "core/fixed_step.hpp"
#include "platform/audio_device.hpp"
#include "platform/events.hpp"
#include "platform/file_watch.hpp"
#include "platform/window.hpp"
#include "render/renderer.hpp"

namespace spellpool::app {

class WindowGame {
 public:
  /// The watch was made before the library read its files, so that no change in between is lost. `program`: how the
  /// comparison lab starts spellpool.
  WindowGame(const PlayOptions& options, SpellLibrary& library, SoundLibrary& sounds, std::string data_dir,
             std::unique_ptr<platform::FileWatch> watch, Remembered remembered,
             std::vector<std::string> program = {"/proc/self/exe"});

  /// "" or an error line.
  std::string open();
  /// False when the game is over.
  bool frame();
  /// Saves what there is to save. "" or an error line.
  std::string close();
  /// Null in another scene.
  const frame::ShooterView* shooter() const;
  const Game& game() const { return game_; }
  /// What the next frame() does.
  ModeId mode() const;
  /// Does what panels ask for, as if one had asked.
  void apply(const frame::PanelRequests& requests);
  /// Sounds of the interface that were asked for since the last frame() began, heard or not.
  std::span<const frame::PanelSound> clicks() const { return {clicks_.data(), click_count_}; }
  /// What the last frame showed, and where.
  const ui::UiState& panels() const { return imgui_->state(); }

 private:
  // window_game.cpp
  static void fill_audio(void* self, float* samples, int frames);
  static platform::UiWants on_raw_event(void* self, const SDL_Event& event);
  static std::string on_display_lost(void* self);
  bool plays_by_itself() const;
  bool takes_start(const platform::FrameEvents& events);
  void take_wheel(const platform::FrameEvents& events);
  frame::InputFrame read_input(const platform::FrameEvents& events);
  /// The frame is visible: the window is neither minimised nor hidden.
  bool visible() const;
  void play_steps(const platform::FrameEvents& events, double passed_s);
  void draw(const frame::RenderSnapshot& snapshot, float alpha, frame::PhaseSink& phases);
  void pace();
  bool governs_quality();
  void govern_quality(const frame::FrameRecord& record, double passed_s);
  void show_looks();
  void show_title_at_once();
  void warm_up_panels();
  void begin_by_hand();
  void watch_challenge();
  void watch_shooter();
  void watch_console();
  void watch_slots();
  void choose_console(frame::ConsoleMode mode);
  void hear_changes();
  void show_sounds();
  void keep_score(const frame::ChallengeResult& result);
  void remember_size();
  void start_quick_ab();
  bool quick_ab_frame();
  void end_quick_ab();
  void start_side_by_side();
  bool side_by_side_frame();
  void end_side_by_side();
  /// The player's world as it is.
  std::unique_ptr<sim::WorldState> this_moment() const;
  /// Whose keys count.
  frame::Scenes key_scene() const;
  /// The world that a measuring mode starts from: the player's, with the choices that wait for the next step.
  sim::WorldConfig world_as_chosen();
  sim::GameWorld& world() { return game_.world(); }
  /// Null in another scene.
  sim::World* spells() { return game_.world().spells_world(); }
  /// A stage of the shooter is being played by hand.
  bool in_flight() const;
  u32 shooter_buttons(const platform::FrameEvents& events, const frame::ShooterView& view, frame::InputFrame& input, u32 buttons);
  frame::ChallengeView challenge();

  // window_title.cpp
  bool may_open_title() const;
  void open_title();
  void show_title();
  std::unique_ptr<Session> new_session(frame::SceneId scene, bool demo);
  std::unique_ptr<Session> enter(std::unique_ptr<Session> session);
  void choose(frame::TitleItem item);
  void listen_on_title(const platform::FrameEvents& events);
  void ask_to_quit();
  void watch_for_players(const platform::FrameEvents& events, double passed_s);

  // window_stress.cpp
  bool measures_bullets() const { return stress_ && !stress_->done(); }
  void begin_stress();
  void leave_stress();
  void follow_stress(const frame::FrameRecord& record, bool whole);
  void show_stress();

  // window_lab.cpp
  void apply_lab(const frame::LabRequests& requests);
  void follow_lab();
  bool lab_frame();

  // window_actions.cpp
  void perform(frame::Action action);
  void listen(const platform::FrameEvents& events);
  void close_topmost();
  void select(u8 spell);
  void queue(const frame::SimCommand& command);
  void queue_choice(frame::SimCommandKind kind, frame::PoolId pool, u8 choice);
  void queue_capacity(u32 capacity);
  void turn_load(const frame::Load& load);
  void apply(const frame::Settings& settings);
  void set_volumes(const frame::Settings& settings);
  void click(frame::PanelSound sound);
  void answer_key(frame::Action action, bool closes);
  bool anything_open() const;
  std::string_view drawn_by() const;

  // window_rewind.cpp
  bool keeps_history() const;
  bool turns_back(const platform::FrameEvents& events, u32 steps);
  void turn_back(u64 step);
  frame::RewindView rewind_view();
  void compare_while_paused(double passed_s);
  void keep_picture();
  void show_rewind();
  std::optional<u64> retry_step();
  bool retry();

  // window_replay.cpp
  void play_replay(double passed_s);
  void seek_on(i64 begin_ns);
  void note_marks();
  void seek(u64 step);
  bool perform_replay(frame::Action action);
  frame::ReplayView replay_view();

  // window_files.cpp
  void reload_changed_files();
  bool note_stage_text(const platform::FileChange& change);
  void reload_stage();
  void collect_outcomes();
  bool edit_spell(u8 spell, const frame::SpellDef& edited);
  void save_spell(u8 spell);
  void play_spell(u8 spell);
  void save_scores();
  void save_what_is_dirty();
  std::array<BackgroundTask*, 6> tasks() { return {&picture_task_, &settings_task_, &scores_task_, &spell_task_, &ab_task_, &layout_task_}; }
  void save_settings_soon() { settings_dirty_ = true; }
  void save_settings();
  void write_layout();
  void toggle_recording();
  void take_screenshot();
  void notice(std::string text) { hud_.state.notice = std::move(text); }

  SpellLibrary& library_;
  SoundLibrary& sounds_;
  std::string data_dir_;
  Game game_;
  Remembered remembered_;
  frame::Settings settings_at_start_;
  Hud hud_;
  std::unique_ptr<platform::Window> window_;
  std::unique_ptr<platform::Events> events_;
  std::unique_ptr<render::Renderer> renderer_;
  std::unique_ptr<ImGuiHost> imgui_;
  std::unique_ptr<render::Film> film_;  // after window_: it owns textures
  FilmIndex film_index_;
  std::unique_ptr<SlotMapFeed> slots_;  // after window_: it owns a texture
  frame::SlotMapRequest slot_request_;
  MemoryLab lab_;
  std::unique_ptr<LabController> lab_controller_;
  i64 lab_drawn_ns_ = 0;               // when a picture was made last, while a comparison runs
  bool prewarmed_ = false;
  std::unique_ptr<audio::Mixer> mixer_;
  std::unique_ptr<VoiceController> controller_;
  SoundController sound_controller_;
  std::string device_text_;
  platform::AudioDevice device_;       // after mixer_: closed first
  std::unique_ptr<platform::FileWatch> watch_;
  BackgroundTask picture_task_, settings_task_, scores_task_, spell_task_, ab_task_, layout_task_;
  std::array<std::string, frame::kSpellCount> spell_errors_;   // of the files as they are now
  std::array<std::string, frame::kSpellCount> spell_written_;  // what save_spell() wrote last, until the file says something else
  std::string edit_error_;                                     // why the editor's spell cannot be played
  u8 spell_saving_ = 0;                                        // what spell_task_ is about
  std::shared_ptr<const frame::SpellDef> spell_saving_def_;
  std::string shader_error_, stage_error_, sound_error_;
  std::optional<QuickAb> quick_ab_;
  std::unique_ptr<SideBySide> side_by_side_;
  pool::StrategyId last_pooled_ = pool::StrategyId::FreeList;  // what Tab comes back to
  std::unique_ptr<measure::FrameRecorder> ab_recorder_;
  std::unique_ptr<QuickAbTexts> ab_texts_;  // what hud_.state.ab points to, once the A/B is over

  // The title screen.
  WorldOptions world_at_start_;          // what a new game begins from
  std::unique_ptr<Session> kept_;        // the player's game, while the title's demo plays
  bool by_hand_kept_ = false;            // by_hand_ of that game
  int menu_push_ = 0;                    // the stick's or key's direction in the last frame: −1, 0, 1
  QuitQuestion question_;

  FixedStep clock_;
  std::optional<ReplayTransport> transport_;  // while a replay is watched
  std::vector<frame::ReplayMark> index_marks_;  // what was found in the background
  bool timeline_held_ = false;
  std::optional<u64> rewind_to_;              // the past's timeline is held there
  i64 rewind_held_ns_ = 0;                    // since when the key is held; 0: it is not
  bool turning_back_ = false;                 // in this frame
  bool runs_back_ = false;                    // in this frame, by the key and not by the mouse
  float trails_ = 0;                          // Renderer::set_trails()
  RewindSound rewind_sound_;
  std::unique_ptr<FairPair> pair_;            // while paused
  u64 loss_seen_ = 0;                         // the step in which an enemy got no slot
  u64 fizzle_seen_ = 0;                       // the step in which the last spell without memory fizzled
  u64 pair_at_ = 0;                           // the step it was begun at
  double paused_s_ = 0;
  i64 last_ns_ = 0;
  i64 next_frame_ns_ = 0;              // pacing: a frame cap, or vsync that does not work
  bool vsync_works_ = true;
  int display_hz_ = 0;                 // 0: not known
  QualityGovernor governor_;
  frame::LookSettings looks_shown_;    // with what Auto came to
  bool quit_ = false;
  bool single_step_ = false;
  bool was_paused_ = false;
  std::array<frame::PanelSound, 16> clicks_{};  // a key and a click are two; what a frame has no room for is heard all the same
  std::size_t click_count_ = 0;
  bool idle_ = false;                  // paused because the window lost the focus
  bool title_by_itself_ = false;       // the title came for lack of input
  double quiet_s_ = 0;                 // since the last sign of a player
  bool want_screenshot_ = false;
  bool settings_dirty_ = false, scores_dirty_ = false;    // differ from what a task is writing or wrote
  bool settings_failed_ = false, scores_failed_ = false;  // the last write: tried again with the next one, and at the end
  double settings_wait_s_ = 0;
  bool cast_latched_ = false, rapid_latched_ = false;
  MoveInputLatch move_;
  bool muffled_ = false;               // what woke the game is still held: it does nothing else
  bool challenge_latched_ = false;
  bool challenge_pending_ = false;     // begin one as soon as the last is over
  bool want_quick_ab_ = false, want_side_by_side_ = false;
  std::optional<StressRun> stress_;    // measures, or shows what it found
  bool want_stress_ = false, stress_begun_ = false, stepped_ = false;
  bool rewound_ = false;               // it would be by_hand_, but time was turned back in it
  u64 begun_at_ = 0;                   // the step in which the player began the present challenge or stage
  std::optional<u64> lost_at_;         // the step in which the last such challenge or stage ended
  bool by_hand_ = false;               // the player began this challenge, or stage, and neither demo mode nor a replay has played in it
  // The shooter.
  bool bomb_latched_ = false, follows_mouse_ = false, press_aside_ = false;
  std::optional<frame::Difficulty> want_difficulty_;
  frame::ShooterState shooter_state_{};
  frame::Difficulty difficulty_heard_{};
  frame::ChallengeView::Phase challenge_phase_ = frame::ChallengeView::Phase::Free;
  u32 challenges_ = 0;                 // finished ones that have been looked at
  u8 select_latched_ = frame::InputFrame::kKeepSpell;
  u8 wanted_spell_ = 0;
  float aim_x_ = 200, aim_y_ = 0;      // world
  bool stick_aims_ = false;
  u64 frames_ = 0;
  float wheel_ = 0;                    // notches not yet used up
  float alpha_ = 1;
  bool snapshot_stale_ = false;
  const frame::RenderSnapshot* snapshot_ = nullptr;
};

/// "2026-11-21_10-36-00", for the names of recordings.
std::string time_stamp();
/// Writes a window's pixels into the recordings as "PREFIX_STAMP.png": for a background task. Tells where it lies, or why there is none.
TaskOutcome save_picture(const std::string& prefix, const std::string& stamp, platform::Size size, const std::vector<u8>& rgb);

}  // namespace spellpool::app
