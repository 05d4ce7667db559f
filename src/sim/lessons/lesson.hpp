#pragma once
// One lesson as it is taken: commands go in, the model follows, a view comes out.
//
//   Lesson lesson(frame::LessonId::AcquireRelease);
//   lesson.apply({LessonCommand::Kind::Pick, 5});     // a prediction; what it asked about happens now
//   lesson.apply({LessonCommand::Kind::Advance});
//   lesson.back();                                    // the last command never happened
//
// Parts  begin() leaves what a command does on many objects to next_part(), one object a call; what follows
//        from it (the next question, the verdict) comes after the last one. apply() does all of it at once,
//        with the same state at the end.
// Back   All commands but the last are applied again to a model that is made anew: a few hundred operations
// on a few
//        slots. So every detail comes back, the order of the free slots too, and the same commands give the
//        same hash.
// Asked  A question's answer is computed after what it asks about has happened, from the model's state. The
// wrong numbers
//        beside a right one are the script's.
// Measured  A question that only a measurement answers waits for it: the caller takes it and hands it in by
// know(). Times
//        differ from run to run, so no hash has them, nor whether such an answer was right.
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/lessons/lesson_script.hpp"

namespace spellpool::sim {

struct LessonCommand {
  enum class Kind : u8 { Advance, Answer, Pick, Choose, Play };
  Kind kind{};
  u32 index = 0;  ///< An answer, a cell, a choice; of Play the keys held for a frame.
};

class Lesson {
 public:
  explicit Lesson(frame::LessonId id, frame::LessonResults results = {});

  /// False if it means nothing now: nothing has changed.
  bool apply(const LessonCommand& command);
  /// The same, but parts wait for next_part(). Those of an earlier command are done first.
  bool begin(const LessonCommand& command);
  /// Parts of the last command wait.
  bool runs() const { return part_ < parts_.size(); }
  /// Does one of them. False if none waits.
  bool next_part();
  /// Does all of them.
  void settle();
  /// The last command's parts, and how many of them are done.
  u32 parts() const { return static_cast<u32>(parts_.size()); }
  u32 part() const { return part_; }
  /// The last command has done so many of its parts, and the others wait again. False at the start.
  bool go_to_part(u32 part);
  /// The last command never happened, nor the frames of play that end with it. False at the start.
  bool back();
  /// This step is a game: Play means something.
  bool plays() const { return now().plays; }

  frame::LessonId id() const { return script_->id; }
  u32 step() const { return step_; }
  u32 steps() const { return static_cast<u32>(script_->steps.size()); }
  /// Also while parts wait that come before the question.
  bool asks() const { return now().question.kind != QuestionKind::None; }
  bool answered() const { return answered_; }
  bool was_right() const { return right_; }
  bool can_advance() const { return step_ + 1 < steps() && (!asks() || answered_); }
  bool at_end() const { return step_ + 1 == steps() && (!asks() || answered_); }
  /// Which of the lesson's questions this step asks.
  u32 question_number() const;
  /// A pick means something now: cells of this figure; else no figure.
  std::optional<u32> figure_to_pick() const;
  /// What answers the question rightly: an answer, or cells in order. From a model of its own, which is
  /// ahead.
  std::vector<LessonCommand> right_commands() const;

  /// The measurement that is to be taken now, if any: the lesson's own, or that of an answer that waits.
  std::optional<frame::LessonMeasure> wants() const;
  /// What decides this step's question and is not known yet, though nothing may wait for it now.
  std::optional<frame::LessonMeasure> undecided_by() const;
  /// A measurement is there. What waits for it is answered.
  void know(frame::LessonMeasure what, std::shared_ptr<const frame::LessonMeasurement> found);
  const frame::LessonResults& results() const { return results_; }
  /// An answer was given, and a measurement decides it that is not there yet.
  bool waits() const { return waits_; }

  /// This choice is no command: it asks the program around the lessons for something.
  std::optional<LessonOp> outside(u32 choice) const;

  u64 hash() const;
  const LessonModel& model() const { return *model_; }
  /// Everything but what the course adds: list, progress, targets.
  void show(frame::LessonView& view) const;

 private:
  const LessonStep& now() const { return script_->steps[step_]; }
  /// What follows the last part.
  enum class Then : u8 { Nothing, Ask, Judge };
  void restart();
  void replay(std::size_t commands);
  void enter(u32 step);
  void forget_answer();
  void ask();
  void run(std::span<const LessonOp> ops, Then then, u32 picked = 0);
  void finish();
  bool perform(const LessonCommand& command);
  bool answer(u32 index);
  bool pick(u32 cell);
  void reveal();
  void judge();
  bool known(frame::LessonMeasure what) const { return results_[static_cast<std::size_t>(what)] != nullptr; }
  /// The model as it is, and after this step's reveal.
  std::unique_ptr<LessonModel> ahead(u32 picked) const;
  std::unique_ptr<LessonModel> copy() const;

  const LessonScript* script_;
  std::vector<LessonCommand> commands_;
  std::unique_ptr<LessonModel> model_;
  std::vector<LessonOp> ops_;    ///< All that the model has done.
  std::vector<LessonOp> parts_;  ///< Of the last command: done up to part_.
  u32 part_ = 0;
  Then then_ = Then::Nothing;
  u32 step_ = 0;
  frame::LessonResults results_;
  bool answered_ = false, right_ = false, waits_ = false;
  u32 given_ = frame::LessonView::kNone, truth_ = frame::LessonView::kNone,
      chosen_ = frame::LessonView::kNone;
  std::vector<i64> numbers_;         ///< The answers of a Number.
  std::vector<u32> picks_, truths_;  ///< Cells: picked, and right.
};

}  // namespace spellpool::sim
