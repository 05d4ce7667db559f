#pragma once
// Learn on a screen, whichever window shows it: the player's input to the course, the course's view to the
// panels, and how fast what was chosen is done.
#include "app/learn/lesson_bench.hpp"
#include "frame/views/panel_model.hpp"
#include "platform/events.hpp"
#include "sim/lessons/lesson_course.hpp"

namespace spellpool::app {

class LearnStage {
 public:
  /// `data_dir`: as the option, for what the lessons measure.
  LearnStage(const frame::LessonProgresses& progress, const std::string& data_dir)
      : course_(progress), bench_(data_dir) {}

  /// Keys, buttons and sticks of a frame. The mouse comes by take(). What it did, as a sound.
  frame::PanelSound listen(const platform::FrameEvents& events);
  /// What the panels asked for.
  void take(const frame::LessonRequests& requests);
  /// So much time passed: parts of what was chosen are done, the 8-bit game plays on, measurements come in.
  void pass(double passed_s);

  const LessonBench& bench() const { return bench_; }
  sim::LessonCourse& course() { return course_; }
  const sim::LessonCourse& course() const { return course_; }
  const frame::LessonView& view() const { return course_.view(); }
  frame::LessonShown shown() const { return {static_cast<float>(seconds_), slow_, held_, device_}; }
  /// The player left the list.
  bool left() const { return course_.left(); }

 private:
  frame::PanelSound perform(frame::Action action, int& by);
  frame::PanelSound choose(const frame::LessonTarget& target);
  void do_part();
  void undo_part();

  void play_on(double passed_s);

  sim::LessonCourse course_;
  LessonBench bench_;
  double seconds_ = 0, due_s_ = 0;  ///< due_s_: of the next part.
  double frames_s_ = 0;             ///< Of the 8-bit game, not played yet.
  u32 keys_ = 0;                    ///< Of that game, held: frame::EightBitKeys.
  bool slow_ = false, held_ = false;
  frame::InputDevice device_{};
  int push_x_ = 0, push_y_ = 0;  ///< The stick's, or key's, direction in the last frame.
};

}  // namespace spellpool::app
