// The lessons whose questions a measurement answers.
#include "sim/lessons/lesson_script.hpp"

namespace spellpool::sim {
namespace {

using enum LessonOpKind;

constexpr std::array<std::string_view, 4> kTimes = {"Less than 1.5 times as long", "1.5 to 4 times",
                                                    "4 to 12 times", "More than 12 times"};
constexpr std::array<std::string_view, 4> kBets = {"At most 0.8 times as long: the pool pays",
                                                   "0.8 to 1.2 times: no difference that counts",
                                                   "More than 1.2 times: the pool costs"};

// ---- where it lives
constexpr std::array kWalkSteps = {
    LessonStep{
        .text = "32 sparks of 64 bytes lie in three ways. An update moves them: of each it reads and writes "
                "five numbers, 20 bytes. In columns, the 32 values of one number lie side by side.",
        .begin = {LessonOp{Lay, 32}},
        .question = {.kind = QuestionKind::Number,
                     .ask = LessonAsk::ColumnLines,
                     .words = "How many cache lines of 64 bytes does the update of the columns touch?",
                     .others = {5, 20, 32},
                     .explanation = "Five columns of 128 bytes are 10 lines. Packed it is 32: each spark "
                                    "fills a line, of which 44 bytes are fetched for nothing."},
        .reveal = {LessonOp{Touch}},
    },
    LessonStep{
        .text = "Now the clock: the same update on this machine, from a few sparks at the left to the most "
                "at the right. The upright lines mark where packed sparks fill each cache.",
        .shows = kShowCurve,
        .question = {.kind = QuestionKind::Words,
                     .ask = LessonAsk::NearScattered,
                     .words = "At the left end, 256 sparks fit into the first cache. There a scattered "
                              "spark takes, against a packed one …",
                     .answers = kTimes,
                     .measure = frame::LessonMeasure::Walks,
                     .explanation = "Compare the two lines at the left end. What lies in the first cache is "
                                    "close at hand, whatever its address."},
        .shows_after = kShowNear,
    },
    LessonStep{
        .text = "At the right end the sparks no longer fit into the caches, and every update brings them "
                "from memory again. Packed sparks come as whole lines, columns without the other 44 bytes.",
        .shows = kShowCurve | kShowNear,
        .question = {.kind = QuestionKind::Words,
                     .ask = LessonAsk::FarPacked,
                     .words = "With the most sparks, a packed one takes, against one in columns …",
                     .answers = kTimes,
                     .measure = frame::LessonMeasure::Walks,
                     .explanation = "64 bytes against 20 come from memory for each spark: about three times "
                                    "as many. The curve shows what this machine makes of it."},
        .shows_after = kShowFar,
    },
    LessonStep{
        .text = "A scattered spark is reached by its pointer, and the next one may lie anywhere. The "
                "processor cannot know the next line early.",
        .shows = kShowCurve | kShowNear | kShowFar,
        .question = {.kind = QuestionKind::Words,
                     .ask = LessonAsk::FarScattered,
                     .words = "With the most sparks, a scattered one takes, against one in columns …",
                     .answers = kTimes,
                     .measure = frame::LessonMeasure::Walks,
                     .explanation = "The more a walk waits for memory, the more the layout decides. With "
                                    "few sparks none of this matters: measure before you rebuild."},
        .shows_after = kShowScattered,
    },
};

// ---- does it pay?
constexpr std::array kPaySteps = {
    LessonStep{
        .text = "Two copies of the game, one with new and delete, one with a pool, play the same steps in "
                "turns. Beside the play, 40,000 sparks live a fifth of a second each, and the heap has "
                "holes.",
        .question = {.kind = QuestionKind::Words,
                     .ask = LessonAsk::Bet,
                     .words = "Your bet: a step with the pool takes, against new and delete …",
                     .answers = kBets,
                     .measure = frame::LessonMeasure::PoolWins,
                     .explanation = "Where objects come and go all the time, a pool saves the calls of new "
                                    "and keeps them close together. The bar is the measured ratio with its "
                                    "95 % interval."},
        .shows_after = kShowTable,
    },
    LessonStep{
        .text = "The same two copies without the extra sparks: the game as it is played, with a fresh heap. "
                "Most of a step is other work: moving, hitting, counting.",
        .question = {.kind = QuestionKind::Words,
                     .ask = LessonAsk::Bet,
                     .words = "Your bet: a step with the pool takes, against new and delete …",
                     .answers = kBets,
                     .measure = frame::LessonMeasure::NoDifference,
                     .explanation = "The difference, if there is one, is a few of the 16,667 microseconds "
                                    "of a frame. The shaded band shows how much identical work differed."},
        .shows_after = kShowTable,
    },
    LessonStep{
        .text = "Now the pool of a well-known book: a flag for each slot. A walk looks at all 48,000 "
                "slots. In play only a few of them are live; new and delete visit those alone.",
        .question = {.kind = QuestionKind::Words,
                     .ask = LessonAsk::Bet,
                     .words = "Your bet: a step with this pool takes, against new and delete …",
                     .answers = kBets,
                     .measure = frame::LessonMeasure::PoolLoses,
                     .explanation = "Free slots cost time in every walk. Nearly full, such a pool is fine; "
                                    "nearly empty, it loses to the heap that it was to replace."},
        .shows_after = kShowTable,
    },
    LessonStep{
        .text = "Your own numbers, with the machine and the build they hold for. A pool pays where objects "
                "come and go in crowds; elsewhere it may change nothing, or cost. Measure your own game.",
        .shows = kShowTable,
        .choices_title = "Keep it",
        .choices = {LessonChoice{"Save this card as a picture", {LessonOp{SaveCard}}}},
    },
};

}  // namespace

std::span<const LessonStep> walk_steps() { return kWalkSteps; }
std::span<const LessonStep> pay_steps() { return kPaySteps; }

}  // namespace spellpool::sim
