#pragma once
#include <optional>
#include <string>
#include <vector>

#include "app/library/spell_library.hpp"
#include "app/options.hpp"
#include "app/pools/auto_trim.hpp"
#include "app/replay/history.hpp"
#include "app/replay/replay_index.hpp"
#include "frame/views/console_load.hpp"
#include "frame/views/slot_sharing.hpp"
#include "measure/record/heap_age.hpp"
#include "sim/core/game_world.hpp"
#include "sim/core/world_config.hpp"
#include "sim/replay/replay.hpp"

namespace spellpool::app {

/// What starts the world that the options ask for.
sim::WorldConfig world_config(const WorldOptions& options, const SpellLibrary& library);
/// Who plays it: the scripted player, or one who casts this spell alone.
std::unique_ptr<sim::ScriptedPlayer> make_player(const sim::GameWorld& world, u64 seed, std::optional<u8> showcase);

/// Where a session's steps come from and what is kept of them.
struct SessionPlan {
  WorldOptions world;
  bool autoplay = false;
  std::optional<u8> showcase;                 ///< With autoplay, in the spells' scene: this spell alone.
  u64 switch_every = 0;
  std::vector<sim::ReplayCommand> script;     ///< By rising step: of a --commands file or a replay.
  std::optional<sim::Replay> replay;          ///< Inputs come from here; its hashes are compared.
  bool record_replay = false;
  bool keep_hashes = false;
  u64 expected_steps = 108'000;               ///< Room to reserve, so that no step allocates.
};

/// A world being played: chooses each step's input (hand, script, replay), applies commands in time, keeps hashes and
/// the replay. No clock, no window: the same session runs in a window, headless, in a comparison and in
/// verify-replay.
class Session {
 public:
  /// The library outlives the session.
  Session(SessionPlan plan, const SpellLibrary& library);
  /// As above, but `make_world` makes the world.
  using MakeWorld = std::unique_ptr<sim::GameWorld> (*)(const sim::WorldConfig&);
  Session(SessionPlan plan, const SpellLibrary& library, MakeWorld make_world);

  /// A command for the next step, from a panel, a key or a file; `text` as a replay has it.
  void queue(const frame::SimCommand& command, const std::string& text = {});
  /// What will hold when the queued commands are applied: keys pressed twice before a step count twice.
  sim::PoolChoice coming(frame::PoolId pool) const;
  bool coming_fill(frame::PoolId pool) const;
  pool::MemorySource coming_memory() const;
  frame::ConsoleMode coming_console() const;
  frame::SlotSharing coming_sharing() const;
  frame::CraneSearch coming_cranes() const;
  bool coming_forgetful() const;
  frame::Load coming_load() const;
  /// The scripted player takes over, or hands over.
  void set_autoplay(bool on);
  bool autoplay() const { return plan_.autoplay; }
  /// One step. `live` counts if neither the scripted player nor a replay plays. `shown`: as GameWorld::step has it.
  void step(const frame::InputFrame& live, frame::PhaseSink* phases = nullptr, std::optional<frame::Amount> shown = {});
  /// Back to before the first step, with a world made anew: what was scripted or recorded happens again, hashes and
  /// the replay begin again. Of what was queued by hand, the last choice of each pool's strategy, of fill bytes and
  /// of memory holds from the start: no hash goes by them. The rest is as it was at first.
  void rewind();
  /// From now on the recent past is kept, so that turn_back() can return to it; or no longer.
  void keep_history(bool on);
  /// Outside the timed part of a frame: takes what turn_back() and jump() need, if it is time.
  void keep_keyframe() {
    if (history_) history_->keep_if_due(*world_);
    if (indexes_ && !indexer_) index_.keep_if_due(*world_);
  }
  /// Null: not kept.
  const History* history() const { return history_ ? &*history_ : nullptr; }
  /// To after a step that history() can return to, or has returned from. The recorded replay and the hashes go on
  /// from there.
  void turn_back(u64 step);
  /// The game ends where it was turned back to: so do its replay and its hashes.
  void end_turned() {
    if (turned_) follow_turn();
  }
  /// From now on a replay has keyframes, for jump(): of the steps that are played, or, in the background, of all of
  /// them.
  void index_replay(bool in_background = false);
  /// Null: nothing is indexed in the background.
  ReplayIndexer* indexer() { return indexer_.get(); }
  const ReplayIndex& replay_index() const { return index_; }
  /// To the last keyframe at or before `step`, if that is nearer than the world is. False: it stays where it is.
  bool jump(u64 step);

  /// Hashes the last step if a recording, a replay or keep_hashes needs it. With one step a frame, call it
  /// outside the timed part of the frame. The next step() and every function that reads hashes call it, too.
  void settle();
  /// True when a replay has no more steps.
  bool finished() const { return plan_.replay && world_->steps() >= plan_.replay->inputs.size(); }

  /// Of the replay that is played; 0 without one.
  u64 replay_steps() const { return plan_.replay ? plan_.replay->inputs.size() : 0; }

  const WorldOptions& options() const { return plan_.world; }
  /// What its world started from.
  const sim::WorldConfig& config() const { return config_; }
  sim::GameWorld& world() { return *world_; }
  const sim::GameWorld& world() const { return *world_; }
  u64 hash() const { return world_->hash(); }
  /// The hash after the last step that settle() hashed.
  u64 settled_hash() const { return settled_hash_; }
  /// First step whose hash differs from what the replay has of it, if any.
  std::optional<u64> first_difference() const { return first_difference_; }
  const std::string& hash_lines() const { return hash_lines_; }
  const sim::ReplayWriter* replay_writer() const { return writer_ ? &*writer_ : nullptr; }
  /// The recorded replay with all that was pressed up to now: from inside a step too, whose input is the last one
  /// then. "" if none is recorded. The world is only read where no step is under way.
  std::string inputs_so_far() const;

 private:
  void begin();
  void keep(const frame::SimCommand& command);
  void take(const frame::SimCommand& command, const std::string& text);
  void follow_heap_age();
  void follow_turn();
  void recall_strategies();

  SessionPlan plan_;
  MakeWorld make_world_;
  sim::WorldConfig config_;
  std::unique_ptr<sim::GameWorld> world_;
  std::unique_ptr<sim::ScriptedPlayer> player_;
  sim::Replay writer_start_;
  std::optional<sim::ReplayWriter> writer_;
  std::vector<frame::SimCommand> kept_;       // by hand, and without a trace in any hash: rewind() queues them anew
  std::vector<frame::SimCommand> commands_;   // of the coming step
  std::vector<std::string> texts_;            // parallel to commands_
  std::size_t next_scripted_ = 0;
  std::string hash_lines_;
  std::optional<u64> first_difference_;
  bool unsettled_ = false;
  bool stepping_ = false;                     // inside the world's step
  u64 settled_hash_ = 0;
  frame::InputFrame last_input_;
  AutoTrim auto_trim_;
  std::optional<History> history_;
  ReplayIndex index_;
  bool indexes_ = false;
  std::unique_ptr<ReplayIndexer> indexer_;    // after what it reads: plan_, index_
  bool turned_ = false;                       // the world went back since the last step
  std::optional<measure::AgedHeap> aged_heap_;  // while the world's load has one
};

/// What starts a copy of the session's world: with the choices that wait for the next step.
sim::WorldConfig config_as_chosen(const Session& session);
/// The world as it is.
std::unique_ptr<sim::WorldState> state_of(const sim::GameWorld& world);

/// Reads a --commands file: lines "STEP COMMAND…", '#' comments, rising steps. "" or an error line.
std::string read_commands(const std::string& path, frame::SceneId scene, std::vector<sim::ReplayCommand>& out);
/// Reads a replay and prepares its spells, patterns, stage and commands; one that names files must find them in
/// data_dir as they were. "" or an error line that names the file.
std::string read_replay(const std::string& path, const std::string& data_dir, sim::Replay& replay,
                        SpellLibrary& library, std::vector<sim::ReplayCommand>& script);

}  // namespace spellpool::app
