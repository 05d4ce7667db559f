#pragma once
// Learn on a screen, whichever window shows it: the player's input to the course, the course's view to the
// panels, and how fast what was chosen is done.
#include "frame/panel_model.hpp"
#include "platform/events.hpp"
#include "sim/lessons/lesson_course.hpp"

namespace spellpool::app {

class LearnStage {
 public:
  explicit LearnStage(const frame::LessonProgresses& progress) : course_(progress) {}

  /// Keys, buttons and sticks of a frame. The mouse comes by take(). What it did, as a sound.
  frame::PanelSound listen(const platform::FrameEvents& events);
  /// What the panels asked for.
  void take(const frame::LessonRequests& requests);
  /// So much time passed: parts of what was chosen are done.
  void pass(double passed_s);

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

  sim::LessonCourse course_;
  double seconds_ = 0, due_s_ = 0;  ///< due_s_: of the next part.
  bool slow_ = false, held_ = false;
  frame::InputDevice device_{};
  int push_x_ = 0, push_y_ = 0;  ///< The stick's, or key's, direction in the last frame.
};

}  // namespace spellpool::app
