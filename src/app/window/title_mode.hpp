#pragma once
#include <memory>

#include "app/attempt.hpp"
#include "app/play/session.hpp"
#include "app/window/mode.hpp"

namespace spellpool::app {

/// The title screen: a menu over a demo that plays a world of its own. The player's game waits meanwhile.
class TitleMode final : public GameMode {
 public:
  /// The library, and the folder that its files are read from, for games that begin here.
  TitleMode(WindowParts& parts, SpellLibrary& library, const std::string& data_dir);

  ModeId id() const override { return ModeId::Title; }
  /// The program starts with it, over the game's own session.
  void begin_at_start();
  /// No: the demo's files cannot be read.
  Begin may_begin() override;
  void begin() override;
  /// It came for lack of input, so a player's first sign only brings the game back.
  void end_with_any_input();
  /// Keys and gamepad. The mouse comes by the panel's requests.
  void take_input(const platform::FrameEvents& events) override;
  void take(const frame::PanelRequests& requests) override;

 private:
  void show();
  void choose(frame::TitleItem item);
  void begin_game(frame::SceneId scene);
  /// Leaves the title for the session that was entered.
  void play(const Attempt& attempt);
  int perform_in_menu(frame::Action action, bool covered);
  std::unique_ptr<Session> new_session(frame::SceneId scene, bool demo);
  std::unique_ptr<Session> enter(std::unique_ptr<Session> session);

  SpellLibrary& library_;
  const std::string& data_dir_;
  WorldOptions world_at_start_;         // what a new game begins from
  std::unique_ptr<Session> demo_;       // between may_begin() and begin()
  std::unique_ptr<Session> kept_;       // the player's game
  Attempt attempt_kept_;                // of that game
  int menu_push_ = 0;                   // the stick's or key's direction in the last frame: −1, 0, 1
  bool ends_with_any_input_ = false;
};

}  // namespace spellpool::app
