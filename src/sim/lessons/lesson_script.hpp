#pragma once
// The lessons as data: what is done in each step, what it says, and what it asks. lesson.hpp runs them.
#include <array>
#include <optional>
#include <span>
#include <string_view>

#include "sim/lessons/lesson_model.hpp"

namespace spellpool::sim {

/// What a person is asked.
enum class QuestionKind : u8 {
  None,
  Words,   ///< One of `answers`; value(ask) is the right one's place.
  Number,  ///< value(ask) and `others`, in rising order.
  Cells,   ///< `picks` cells of figure `figure`, in order; the right ones are took().
  Try,     ///< One cell of figure `figure`, for which value(ask) becomes 1.
};

struct LessonQuestion {
  QuestionKind kind{};
  LessonAsk ask{};
  std::string_view words{};
  std::array<std::string_view, 4> answers{};
  std::array<i64, 3> others{};
  u8 picks = 1, figure = 0;
  /// Words: what decides it. The answer waits for it.
  std::optional<frame::LessonMeasure> measure{};
  /// Each "{}" in it is the value of the next one of `says`.
  std::string_view explanation{};
  std::array<LessonAsk, 2> says{};
};

/// Something to do besides going on: a button, and what it does.
struct LessonChoice {
  std::string_view label{};
  std::array<LessonOp, 4> ops{};
};

inline constexpr std::size_t kMostStepOps = 12, kMostRevealOps = 6, kMostChoices = 4;

struct LessonStep {
  std::string_view text;                       ///< At most 40 words, as all texts.
  std::array<LessonOp, kMostStepOps> begin{};  ///< Done when the step is reached.
  u8 shows = 0;                                ///< LessonShows.
  LessonQuestion question{};
  u8 shows_after = 0;                ///< More of them, once it is answered.
  /// Done when it is answered: the answer comes from what follows.
  std::array<LessonOp, kMostRevealOps> reveal{};
  std::string_view choices_title{};
  std::array<LessonChoice, kMostChoices> choices{};  ///< Each choice asks the question again.
  bool plays = false;                                ///< EightBit: keys move the ship, frame by frame.
  LessonOp touch{};                                  ///< A click on a cell, where no question waits for one.
};

struct LessonScript {
  frame::LessonId id;
  LessonModelKind model;
  std::span<const LessonStep> steps;
  /// Measured from the lesson's beginning, so that nothing waits for it later.
  std::optional<frame::LessonMeasure> at_once{};
};
/// The steps of the lessons that measure: lesson_script_measured.cpp.
std::span<const LessonStep> walk_steps();
std::span<const LessonStep> pay_steps();
/// lesson_script_eight_bit.cpp.
std::span<const LessonStep> eight_bit_steps();
const LessonScript& lesson_script(frame::LessonId id);
/// Questions of a lesson.
u32 question_count(frame::LessonId id);

}  // namespace spellpool::sim
