#pragma once
#include <memory>
#include <vector>

#include "app/play/session.hpp"
#include "audio/mixer.hpp"
#include "frame/audio_event.hpp"
#include "measure/record/csv_recording.hpp"
#include "measure/record/frame_recorder.hpp"
#include "measure/record/timeline.hpp"
#include "render/renderer.hpp"

namespace spellpool::app {

class SoundLibrary;
class StressRun;

/// Title, letter and colour: of a pool::StrategyRow or a frame::DuetSide.
template <class Shown>
void title_timeline(const Shown& shown, frame::TimelineRow& row) {
  row.title = shown.title;
  row.letter = shown.letter;
  row.r = shown.r;
  row.g = shown.g;
  row.b = shown.b;
}

/// What a frame record says of the world; counters are those since `last`, which is updated.
frame::FrameRecord record_of(const sim::GameWorld& world, u64 seed, pool::PoolStats& last);

/// What every way of running shares: a session, the frame recorder, the sound log and the files written at the end.
/// A frame is  begin_frame() · step() any number of times · drawing, if any · end_frame().
class Game {
 public:
  /// The library outlives the game. Prepares everything that --input, --commands and the other options ask for.
  /// error() is a line if something could not be read or an output cannot be written.
  Game(const PlayOptions& options, SpellLibrary& library);

  const std::string& error() const { return error_; }

  /// Starts what --record asks for: once the window or picture is open, so that no start-up failure leaves a file
  /// behind. "" or an error line.
  std::string start();

  void begin_frame();
  /// The next frame with a step is recorded event by event.
  void record_timeline();
  /// One row, that frame's. No row before record_timeline(), nor while it waits for a frame with a step: then `waits`
  /// is set.
  frame::TimelineView timeline() const;
  /// One step; its sounds go to the log. `shown`: the density with which it will be drawn, if it will.
  void step(const frame::InputFrame& live, std::optional<frame::Amount> shown = {});
  /// The audio events of the last step, music included.
  std::span<const frame::AudioEvent> step_sounds() const { return step_sounds_; }
  const frame::FrameRecord& end_frame();
  /// Session::turn_back(), and the log of sounds ends there.
  void turn_back(u64 step);
  /// Session::jump().
  bool jump(u64 step);
  /// Session::rewind(), and the log of sounds begins again.
  void rewind();

  /// Steps asked for, or the replay, are through.
  bool finished() const;
  /// Of a run of known length; 0 else.
  u64 steps_left() const;
  /// Panel and hotkey commands.
  void queue(const frame::SimCommand& command, const std::string& text = {}) { session_->queue(command, text); }

  /// Plays this session from now on; returns the one before. Only between frames, and while nothing is recorded.
  std::unique_ptr<Session> exchange(std::unique_ptr<Session> session);

  Session& session() { return *session_; }
  const Session& session() const { return *session_; }
  sim::GameWorld& world() { return session_->world(); }
  measure::FrameRecorder& recorder() { return recorder_; }
  const measure::FrameRecorder& recorder() const { return recorder_; }
  frame::PhaseSink& phases() { return recorder_.phases(); }
  measure::CsvRecording& csv() { return csv_; }
  /// Ends the recording and tells its outcome in a line; an error is kept for save(), so that the exit code tells it
  /// too.
  std::string stop_recording();
  const PlayOptions& options() const { return options_; }
  std::string renderer = "none (simulation only)";
  std::string_view drawn_by;        ///< "OpenGL" or "processor"; "" nothing is drawn.
  frame::FigurePoolView figure_pool;     ///< Of the renderer, too.
  render::PassMeans passes;              ///< Of the renderer: --json tells them.
  const StressRun* stress = nullptr;     ///< Measured in this game: --json tells it.
  SoundLibrary* sounds = nullptr;        ///< From which save() renders --audio-out.
  std::optional<double> first_frame_ms;  ///< From the start of main() to the first picture in the window.
  void note_first_frame(i64 now_ns) { first_frame_ms = static_cast<double>(now_ns - options_.started_ns) * 1e-6; }

  /// Writes the recording, replay, hashes, sound and JSON, in that order, each on its own: an error in one does not
  /// lose the others. "" or the first error line. Safe to call once, at the end, after a signal or a lost display
  /// too.
  std::string save(const audio::MixerStats* heard = nullptr);

 private:
  /// The recorder's differences begin anew.
  void begin_counting();

  PlayOptions options_;
  std::string error_;
  std::unique_ptr<Session> session_;
  measure::FrameRecorder recorder_;
  measure::CsvRecording csv_;
  std::vector<frame::AudioEvent> step_sounds_, sound_log_;
  pool::PoolStats last_stats_;
  pool::StrategyId last_strategy_{};
  pool::PolicyId last_policy_{};
  std::unique_ptr<measure::Timeline> timeline_;  // made when it is first asked for
  bool timeline_waits_ = false, timeline_runs_ = false;
  u64 timeline_step_ = 0;
  pool::StrategyId timeline_strategy_{};
  std::string recording_error_;
  bool saved_ = false;
};

/// "" or a line if two outputs, or an output and an input, are one file, however it is spelled.
std::string output_clash(const PlayOptions& options);
/// "" or a line if a file at this path could not be written. Leaves nothing behind.
std::string probe_output(const std::string& path);

}  // namespace spellpool::app
