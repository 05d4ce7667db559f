#pragma once
// Time that runs backward in the game's own world, what its bar shows, and the comparison that runs while the
// game is paused.
#include <memory>
#include <optional>

#include "app/paired/fair_pair.hpp"
#include "app/replay/film_index.hpp"
#include "app/sound/rewind_sound.hpp"
#include "frame/views/panel_model.hpp"
#include "platform/events.hpp"
#include "render/gl/film.hpp"

namespace spellpool::app {

struct WindowParts;

class Rewind {
 public:
  explicit Rewind(WindowParts& parts) : w_(parts) {}
  /// Creates the film, or recreates it after the OpenGL context was lost.
  void open();

  // --- in a frame's order
  /// True: this frame shows the past instead of playing on. `steps`: what has passed.
  bool turns_back(const platform::FrameEvents& events, u32 steps);
  void turn_back(u64 step);
  /// Its sound, and the comparison of a paused game: a little in each frame.
  void follow(i64 now_ns, double passed_s);
  /// Trails of light while time runs backward; they fade within a few frames when it stops.
  void show_trails(bool measured);
  /// One a second, of the present: small, for the past's bar.
  void keep_thumbnail(bool measured);
  frame::RewindView view();
  const render::Film& film() const { return *film_; }

  /// The past's timeline is held there, or is let go.
  void hold(std::optional<u64> step) { held_at_ = step; }
  /// A lost game is tried again from some seconds before. False: there is nothing to try again.
  bool retry();
  /// Another game begins: it has no past.
  void forget_film();

 private:
  std::optional<u64> retry_step();
  void compare_while_paused(double passed_s);

  WindowParts& w_;
  std::unique_ptr<render::Film> film_;
  FilmIndex film_index_;
  std::optional<u64> held_at_;
  i64 key_held_ns_ = 0;              // since when the key is held; 0: it is not
  bool turning_back_ = false;        // in this frame
  bool runs_back_ = false;           // in this frame, by the key and not by the mouse
  float trails_ = 0;
  RewindSound sound_;
  std::unique_ptr<FairPair> pair_;   // while paused
  u64 pair_at_ = 0;                  // the step it was begun at
  double paused_s_ = 0;
};

}  // namespace spellpool::app
