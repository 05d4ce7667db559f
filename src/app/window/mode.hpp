#pragma once
// A mode decides what a frame of the window is. One of four plays the game's own session. An interruption
// suspends that one and returns to it when it is done.
#include <array>
#include <memory>
#include <optional>

#include "app/window/mode_id.hpp"
#include "frame/action.hpp"
#include "frame/frame_record.hpp"
#include "frame/views/panel_model.hpp"
#include "platform/events.hpp"

namespace spellpool::app {

struct WindowParts;

class Mode {
 public:
  explicit Mode(WindowParts& parts) : w_(parts) {}
  virtual ~Mode() = default;
  Mode(const Mode&) = delete;
  Mode& operator=(const Mode&) = delete;

  virtual ModeId id() const = 0;
  /// One round: events in, what the mode does, one frame out.
  virtual void frame() = 0;
  /// A key or button that went down.
  virtual void perform(frame::Action action) = 0;
  /// It was requested, and its transition exists: Later asks again before the next frame.
  enum class Begin : u8 { Yes, No, Later };
  virtual Begin may_begin() { return Begin::Yes; }
  /// Becomes the current mode, or begins anew.
  virtual void begin() {}
  /// Its frames are timed: they are drawn with fixed quality, and nothing else may be measured beside them.
  virtual bool is_timed() const { return false; }

 protected:
  WindowParts& w_;
};

/// Plays the game's own session: game_mode.cpp has the order of its frame.
class GameMode : public Mode {
 public:
  using Mode::Mode;
  void frame() final;
  void perform(frame::Action action) override;

  // --- the parts of its frame, in order; an earlier one may have made another mode the current one
  /// Before the input.
  virtual void watch(const platform::FrameEvents&, double) {}
  /// Actions and presses of the frame.
  virtual void take_input(const platform::FrameEvents& events);
  /// The fire button went down.
  virtual void press_cast();
  /// The steps that are due.
  virtual void play_steps(const platform::FrameEvents& events, double passed_s);
  /// What panels ask of this mode alone.
  virtual void take(const frame::PanelRequests&) {}
  /// `drawn`: the frame was visible.
  virtual void end_frame(const frame::FrameRecord&, bool) {}

  // --- what it allows
  /// Escape, with nothing open but panels beside the game. False: there is nothing of this mode to leave.
  virtual bool leave() { return false; }
  /// Escape with nothing open.
  virtual void go_back();
  virtual bool keeps_history() const { return false; }
  /// False: a frame has more or fewer steps than time passed, so its time does not judge the quality.
  virtual bool runs_plainly() const { return true; }
  virtual bool ends_with_game() const { return true; }
  virtual frame::ReplayView replay_view() { return {}; }

 private:
  void take_frame_input(const platform::FrameEvents& events);
  void update_parts(const platform::FrameEvents& events, i64 now_ns, double passed_s);
  void play_step(const platform::FrameEvents& events, bool last);
  void watch_world();
  bool draw_frame();
  void govern_quality(const frame::FrameRecord& record, double passed_s);
};

/// Over a mode that plays.
class Interruption : public Mode {
 public:
  using Mode::Mode;
  /// It goes on: the next frame is its own too.
  virtual bool goes_on() const = 0;
  /// The mode that it interrupted is current again. Also called when the window closes.
  virtual void end() = 0;
};

/// Which mode is current. Transitions are those of kModeTransitions: between modes that play at once, into an
/// interruption or a stress test before the next frame.
class Modes {
 public:
  void add(std::unique_ptr<GameMode> mode) { games_[static_cast<std::size_t>(mode->id())] = std::move(mode); }
  void add(std::unique_ptr<Interruption> mode) {
    interruptions_[static_cast<std::size_t>(mode->id())] = std::move(mode);
  }
  void start_with(ModeId id) { playing_ = id; }

  ModeId id() const { return interruption_.value_or(playing_); }
  bool is(ModeId mode) const { return id() == mode; }
  bool interrupted() const { return interruption_.has_value(); }
  Mode& current() { return at(id()); }
  const Mode& current() const { return const_cast<Modes*>(this)->current(); }
  /// The current mode, or the one that is interrupted.
  GameMode& playing() { return *games_[static_cast<std::size_t>(playing_)]; }
  const GameMode& playing() const { return *games_[static_cast<std::size_t>(playing_)]; }
  ModeId playing_id() const { return playing_; }

  /// It begins before the next frame, or as soon as it may.
  void request(ModeId id) { requested_ = id; }
  std::optional<ModeId> requested() const { return requested_; }
  /// Before each frame.
  void begin_requested();
  /// At once, if it may begin.
  bool play(ModeId id);
  void interrupt(ModeId id);
  /// After each frame: an interruption that is done ends.
  void settle(bool quits);
  void end_interruption();

 private:
  Mode& at(ModeId id);

  std::array<std::unique_ptr<GameMode>, kModeCount> games_;
  std::array<std::unique_ptr<Interruption>, kModeCount> interruptions_;
  ModeId playing_ = ModeId::Play;
  std::optional<ModeId> interruption_, requested_;
};

}  // namespace spellpool::app
