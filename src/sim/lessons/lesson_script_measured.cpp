// The lessons whose questions a measurement answers.
#include "sim/lessons/lesson_script.hpp"

namespace spellpool::sim {
namespace {

using enum LessonOpKind;

constexpr std::array<std::string_view, 4> kTimes = {"Less than 1.5 times as long", "1.5 to 4 times",
                                                    "4 to 12 times", "More than 12 times"};
constexpr std::array<std::string_view, 4> kBets = {"Less than 0.8 times as long", "0.8 to 1.2 times",
                                                   "More than 1.2 times"};

// ---- where it lives
constexpr std::array kWalkSteps = {
    LessonStep{
        .text = "32 sparks, now of 64 bytes, stored in three ways. An update reads five numbers of 4 bytes "
                "each. In "
                "columns, the 32 values of a number are neighbours.",
        .begin = {LessonOp{Lay, 32}},
        .question = {.kind = QuestionKind::Number,
                     .ask = LessonAsk::ColumnLines,
                     .words = "How many lines of 64 bytes does an update of the columns touch?",
                     .others = {5, 20, 32},
                     .explanation =
                         "Five columns of 128 bytes. Of a packed spark, 44 bytes are fetched for nothing."},
        .shows_after = kShowArray,
        .reveal = {LessonOp{Touch}},
    },
    LessonStep{
        .text = "Now the clock, from few sparks to many. A scattered spark is found by a pointer; the next "
                "may lie "
                "anywhere.",
        .shows = kShowCurve,
        .question =
            {.kind = QuestionKind::Words,
             .ask = LessonAsk::FarScattered,
             .words = "With the most sparks, a scattered one takes, against one in columns …",
             .answers = kTimes,
             .measure = frame::LessonMeasure::Walks,
             .explanation =
                 "Beyond the caches, an update waits for memory. How many sparks does your game have?"},
        .shows_after = kShowFar,
    },
};

// ---- does it pay?
constexpr std::array kPaySteps = {
    LessonStep{
        .text = "Two copies of the game take turns, one with new and delete, one with a pool. In addition, "
                "40,000 "
                "sparks live a fifth of a second each.",
        .question = {.kind = QuestionKind::Words,
                     .ask = LessonAsk::Bet,
                     .words = "Your bet: against new and delete, a step with the pool takes …",
                     .answers = kBets,
                     .measure = frame::LessonMeasure::PoolWins,
                     .explanation = "200,000 sparks a second come and go. The bar is the 95 % interval."},
        .shows_after = kShowTable,
    },
    LessonStep{
        .text = "The same copies without the extra sparks: the game as it is played.",
        .question =
            {.kind = QuestionKind::Words,
             .ask = LessonAsk::Bet,
             .words = "Your bet: against new and delete, a step with the pool takes …",
             .answers = kBets,
             .measure = frame::LessonMeasure::NoDifference,
             .explanation =
                 "Moving and hitting are most of a step, and a step is little of a frame's 16,667 µs."},
        .shows_after = kShowTable,
    },
    LessonStep{
        .text = "Another pool, of 48,000 slots. It has a flag for each slot and no list.",
        .question = {.kind = QuestionKind::Words,
                     .ask = LessonAsk::Bet,
                     .words = "Your bet: against new and delete, a step with this pool takes …",
                     .answers = kBets,
                     .measure = frame::LessonMeasure::PoolLoses,
                     .explanation = "Each update looks at all 48,000 flags, though few slots are live."},
        .shows_after = kShowTable,
    },
    LessonStep{
        .text = "Your numbers, for this machine and build. A pool pays where many objects come and go.",
        .shows = kShowTable,
        .choices_title = "Keep it",
        .choices = {LessonChoice{"Save this card as a picture", {LessonOp{SaveCard}}}},
    },
};

}  // namespace

std::span<const LessonStep> walk_steps() { return kWalkSteps; }
std::span<const LessonStep> pay_steps() { return kPaySteps; }

}  // namespace spellpool::sim
