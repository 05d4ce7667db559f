#pragma once
// One lesson as it is taken: commands go in, the model follows, a view comes out.
//
//   Lesson lesson(frame::LessonId::AcquireRelease);
//   lesson.apply({LessonCommand::Kind::Pick, 5});     // a prediction; what it asked about happens now
//   lesson.apply({LessonCommand::Kind::Advance});
//   lesson.back();                                    // the last command never happened
//
// Back   All commands but the last are applied again to a model that is made anew: a few hundred operations
// on a few
//        slots. So every detail comes back, the order of the free slots too, and the same commands give the
//        same hash.
// Asked  A question's answer is computed after what it asks about has happened, from the model's state. The
// wrong numbers
//        beside a right one are the script's.
#include <string>
#include <vector>

#include "sim/lessons/lesson_script.hpp"

namespace spellpool::sim {

struct LessonCommand {
  enum class Kind : u8 { Advance, Answer, Pick, Choose };
  Kind kind{};
  u32 index = 0;  ///< An answer, a cell, a choice.
};

class Lesson {
 public:
  explicit Lesson(frame::LessonId id);

  /// False if it means nothing now: nothing has changed.
  bool apply(const LessonCommand& command);
  /// False at the start.
  bool back();

  frame::LessonId id() const { return script_->id; }
  u32 step() const { return step_; }
  u32 steps() const { return static_cast<u32>(script_->steps.size()); }
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

  u64 hash() const;
  const LessonModel& model() const { return *model_; }
  /// Everything but what the course adds: list, progress, targets.
  void show(frame::LessonView& view) const;

 private:
  const LessonStep& now() const { return script_->steps[step_]; }
  void restart();
  void enter(u32 step);
  void ask();
  void do_ops(std::span<const LessonOp> ops);
  bool perform(const LessonCommand& command);
  bool answer(u32 index);
  bool pick(u32 cell);
  void reveal();
  /// The model as it is, and after this step's reveal.
  std::unique_ptr<LessonModel> ahead(u32 picked) const;
  std::unique_ptr<LessonModel> copy() const;

  const LessonScript* script_;
  std::vector<LessonCommand> commands_;
  std::unique_ptr<LessonModel> model_;
  std::vector<LessonOp> ops_;  ///< All that the model has done.
  u32 step_ = 0;
  bool answered_ = false, right_ = false;
  u32 given_ = frame::LessonView::kNone, truth_ = frame::LessonView::kNone,
      chosen_ = frame::LessonView::kNone;
  std::vector<i64> numbers_;         ///< The answers of a Number.
  std::vector<u32> picks_, truths_;  ///< Cells: picked, and right.
};

}  // namespace spellpool::sim
