#pragma once
// What keys, buttons and panel controls do, whichever mode plays: pools, load, panels, settings, recording. A
// mode's perform() comes first and passes on what is not its own.
#include "app/play/hud.hpp"
#include "app/shell/quit_question.hpp"
#include "frame/action.hpp"
#include "frame/views/panel_model.hpp"
#include "platform/events.hpp"

namespace spellpool::app {

struct WindowParts;

class GameActions {
 public:
  explicit GameActions(WindowParts& parts) : w_(parts) {}

  void perform(frame::Action action);
  /// All that panels ask for in a frame.
  void apply(const frame::PanelRequests& requests);
  /// Makes these settings effective, as far as they differ from those in use.
  void apply(const frame::Settings& settings);
  /// The key or button that the settings panel listens for.
  void listen(const platform::FrameEvents& events);
  /// The click of a key that opened or closed something; `closes`: something was open before.
  void answer_key(frame::Action action, bool closes);
  bool anything_open() const;
  /// Escape: the panel on top, then what the mode has to leave.
  void close_topmost();
  /// The title asks in its own place, everything else by a notice.
  void ask_to_quit();
  QuitQuestion& question() { return question_; }
  void toggle_recording();
  /// `now`, or, where that is new/delete, the pooled strategy before it.
  pool::StrategyId pooled(pool::StrategyId now) const {
    return now == pool::StrategyId::Heap ? last_pooled_ : now;
  }

 private:
  void close_details();
  bool perform_on_pools(frame::Action action);
  bool perform_on_load(frame::Action action);
  bool perform_on_panels(frame::Action action);
  bool perform_on_window(frame::Action action);
  void perform_on_game(frame::Action action);
  void toggle_strategy();
  void toggle_fill();
  void trim();
  void begin_side_by_side();
  void begin_quick_ab();
  void refuse(std::string_view why);
  void queue(const frame::SimCommand& command);
  void queue_choice(frame::SimCommandKind kind, frame::PoolId pool, u8 choice);
  void queue_for_all(frame::SimCommandKind kind, u8 choice);
  void queue_capacity(u32 capacity);
  void turn_load(const frame::Load& load);
  void age_heap();
  void choose_console(frame::ConsoleMode mode);
  void share_slots();
  void toggle_forgetful();
  void turn_cranes();
  void apply_lab(const frame::LabRequests& requests);

  WindowParts& w_;
  QuitQuestion question_;
  pool::StrategyId last_pooled_ = pool::StrategyId::FreeList;  // what Tab returns to
};

}  // namespace spellpool::app
