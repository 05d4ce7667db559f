#pragma once
// All lessons as a player goes through them: the list, one lesson at a time, what the keys select, and what
// was answered. Keys, mouse, gamepad and scripts end in the same three calls: move(), accept() and
// activate().
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "sim/lessons/lesson.hpp"

namespace spellpool::sim {

class LessonCourse {
 public:
  explicit LessonCourse(const frame::LessonProgresses& progress = {});

  void open(frame::LessonId id);
  /// Moves the focus to the next target, or the one before; round.
  void move(int by);
  void accept();
  /// As a click there. Nothing happens if it is not among the targets.
  void activate(const frame::LessonTarget& target);
  /// Escape: from a lesson to the list, and out of the list.
  void leave();
  /// The k-th answer, from 0 on: a digit key.
  void answer(u32 index) { activate({frame::LessonTarget::Kind::Answer, static_cast<u16>(index)}); }

  /// A line of a script: "open acquire", "next", "back", "leave", "answer 2", "pick 5", "choose 1" (answers and
  /// choices from 1 on, cells by slot), "play K" (a frame with keys K), "solve", "right", "left", "enter". "" or what
  /// is wrong with it.
  std::string run(std::string_view line);

  /// From now on, what a command does on many objects waits for next_part() and goes on one object a call.
  /// Scripts by run() do it at once all the same.
  void play_in_parts() { in_parts_ = true; }
  /// False: nothing waits.
  bool next_part();
  /// All that waits is done.
  void settle();
  /// One part back; before the first part of a command, that command.
  void back_part();
  /// What is to be measured for the open lesson, and the result. Results are kept for all lessons.
  std::optional<frame::LessonMeasure> wants() const { return lesson_ ? lesson_->wants() : std::nullopt; }
  void know(frame::LessonMeasure what, std::shared_ptr<const frame::LessonMeasurement> found);
  const frame::LessonResults& results() const { return results_; }
  /// The step on the screen is a game; play() is one frame of it.
  bool plays() const { return lesson_ && lesson_->plays(); }
  void play(u32 keys);
  /// For the screen, while an answer waits: 0 … 1 and what is being done.
  void show_wait(float progress, std::string_view text);
  /// Once: what was asked of the program, SaveCard or Hear.
  std::optional<LessonOp> take_outside() { return std::exchange(outside_, std::nullopt); }
  /// For the screen, until something else is done: what became of it.
  void note(std::string text) { view_.note = std::move(text); }

  bool left() const { return left_; }
  const frame::LessonView& view() const { return view_; }
  const frame::LessonProgresses& progress() const { return view_.progress; }
  /// Null in the list.
  const Lesson* lesson() const { return lesson_ ? &*lesson_ : nullptr; }

 private:
  bool apply(const LessonCommand& command);
  template <class F>
  void follow(F&& change);
  void note_answer();
  void note_progress();
  void show(bool keep_focus);
  u32 best_focus() const;

  std::optional<Lesson> lesson_;
  frame::LessonResults results_;
  frame::LessonView view_;
  frame::LessonId last_{};
  std::optional<LessonOp> outside_;
  bool left_ = false, in_parts_ = false;
};

}  // namespace spellpool::sim
