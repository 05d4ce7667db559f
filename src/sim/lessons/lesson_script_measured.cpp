// The lessons whose questions a measurement answers.
#include "sim/lessons/lesson_script.hpp"

namespace spellpool::sim {
namespace {

using enum LessonOpKind;

constexpr std::array<std::string_view, 4> kTimes = {"Less than 4 times as long", "4 to 12 times",
                                                    "12 to 40 times", "More than 40 times"};
/// The ranges of frame::kLessonMeasures: each bet has its own, and none of them says who wins.
constexpr std::string_view kBet = "Your bet: the pool's time ÷ that of new and delete?";
constexpr std::array<std::string_view, 4> kChurnBets = {"Under 0.25×", "0.25× to 0.5×", "0.5× to 0.8×",
                                                        "Over 0.8×"};
constexpr std::array<std::string_view, 4> kPlayBets = {"Under 0.5×", "0.5× to 0.8×", "0.8× to 1.1×",
                                                       "Over 1.1×"};
constexpr std::array<std::string_view, 4> kFlagBets = {"Under 0.5×", "0.5× to 0.8×", "0.8× to 1.25×",
                                                       "Over 1.25×"};

// ---- where it lives
constexpr std::array kWalkSteps = {
    LessonStep{
        .text = "32 sparks, now of 64 bytes, stored in three ways. An update reads five numbers of 4 bytes "
                "each. In columns, each number has its own array.",
        .begin = {LessonOp{Lay, 32}},
        .question = {.kind = QuestionKind::Number,
                     .ask = LessonAsk::ColumnLines,
                     .words = "How many lines of 64 bytes does an update of the columns touch?",
                     .others = {5, 20, 32},
                     .explanation =
                         "Five arrays of 128 bytes. Of a packed spark, 44 bytes are fetched for nothing."},
        .shows_after = kShowArray,
        .reveal = {LessonOp{Touch}},
    },
    LessonStep{
        .text = "Now the clock, from few sparks to many. L1, L2 and L3 are the processor's caches, from "
                "small to large. A scattered spark is found by a pointer; the next may lie anywhere.",
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
        .text = "Two copies of the game take turns: new and delete, and a pool. In addition, 40,000 sparks "
                "live a fifth of a second each.",
        .question = {.kind = QuestionKind::Words,
                     .ask = LessonAsk::Bet,
                     .words = kBet,
                     .answers = kChurnBets,
                     .measure = frame::LessonMeasure::PoolWins,
                     .explanation = "200,000 sparks a second come and go."},
        .shows_after = kShowTable,
    },
    LessonStep{
        .text = "The same without the extra sparks: the game as it is played.",
        .question = {.kind = QuestionKind::Words,
                     .ask = LessonAsk::Bet,
                     .words = kBet,
                     .answers = kPlayBets,
                     .measure = frame::LessonMeasure::NoDifference,
                     .explanation = "Moving and hitting are most of a step."},
        .shows_after = kShowTable,
    },
    LessonStep{
        .text = "Flag pool: 48,000 slots, a flag for each, and no list.",
        .question = {.kind = QuestionKind::Words,
                     .ask = LessonAsk::Bet,
                     .words = kBet,
                     .answers = kFlagBets,
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
