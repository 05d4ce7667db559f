#pragma once
// The flood of lesson_voices.hpp by ear: it goes to the game's own mixer with as few voices, under one policy. Before
// and after it the mixer is as the lessons keep it, silent and with the player's voices.
#include "app/shell/game_audio.hpp"
#include "frame/voice_choice.hpp"

namespace spellpool::app {

class LessonListening {
 public:
  /// From its beginning, also while another one plays.
  void start(GameAudio& audio, frame::VoicePolicy policy, i64 now_ns);
  /// Once a frame: plays what is due, and ends a while after the last sound.
  void go_on(GameAudio& audio, i64 now_ns);
  void end(GameAudio& audio);
  bool plays() const { return plays_; }

 private:
  bool plays_ = false;
  i64 begun_ns_ = 0;
  std::size_t next_ = 0;  ///< Sound of the flood.
};

}  // namespace spellpool::app
