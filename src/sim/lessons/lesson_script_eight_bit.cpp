// The extra lesson: the patterns of an 8-bit console.
#include "sim/lessons/lesson_script.hpp"

namespace spellpool::sim {
namespace {

using enum LessonOpKind;
using frame::EightBitPattern;

constexpr LessonOp with_pattern(LessonOpKind kind, EightBitPattern pattern) {
  return {kind, static_cast<i32>(pattern)};
}

constexpr std::array kEightBitSteps = {
    LessonStep{
        .text = "Shots, bombs and sparks share sixteen slots, each with a flag: in use or free.",
        .begin = {with_pattern(Console, EightBitPattern::Flag), {Frames, 21, frame::kKeyFire}},
        .question = {.kind = QuestionKind::Number,
                     .ask = LessonAsk::SpawnVisits,
                     .words = "The ship fires. How many slots does the search for a free one look at?",
                     .others = {1, 3, 16},
                     .explanation = "0, 1, 2, and 3, which is free."},
        .shows_after = kShowFind,
        .reveal = {LessonOp{Frames, 10, frame::kKeyFire}},
    },
    LessonStep{
        .text = "Each frame, the program moves everything that flies.",
        .shows = kShowFind,
        .question = {.kind = QuestionKind::Number,
                     .ask = LessonAsk::UpdateVisits,
                     .words = "How many slots does it look at?",
                     .others = {4, 5, 8},
                     .explanation = "All sixteen: only the flag says which are in use."},
        .shows_after = kShowTable,
        .reveal = {LessonOp{Frames, 1}},
    },
    LessonStep{
        .text = "Another pattern: the numbers of the free slots lie on a stack.",
        .begin = {with_pattern(Pattern, EightBitPattern::IndexStack)},
        .question = {.kind = QuestionKind::Number,
                     .ask = LessonAsk::SpawnVisits,
                     .words = "The ship fires. How many slots does the search look at?",
                     .others = {4, 5, 16},
                     .explanation = "The top of the stack names it."},
        .shows_after = kShowTable,
        .reveal = {LessonOp{Frames, 9, frame::kKeyFire}},
    },
    LessonStep{
        .text = "Compaction: objects lie in front; one object moves into each gap. Slot 1's shot ends.",
        .begin = {with_pattern(Pattern, EightBitPattern::Compaction)},
        .question = {.kind = QuestionKind::Number,
                     .ask = LessonAsk::MovedFrom,
                     .words = "Which slot's shot fills slot 1?",
                     .others = {0, 2, 15},
                     .explanation = "The last one's. A slot number cannot be kept."},
        .shows_after = kShowTable,
        .reveal = {LessonOp{EndSlot, 1}, LessonOp{Frames, 1}},
    },
    LessonStep{
        .text = "Play, and switch the pattern meanwhile.",
        .begin = {with_pattern(Pattern, EightBitPattern::Flag)},
        .shows = kShowTable,
        .choices_title = "Pattern",
        .choices = {LessonChoice{"Active flag", {with_pattern(Pattern, EightBitPattern::Flag)}},
                    LessonChoice{"Index stack", {with_pattern(Pattern, EightBitPattern::IndexStack)}},
                    LessonChoice{"Compaction", {with_pattern(Pattern, EightBitPattern::Compaction)}}},
        .plays = true,
    },
};

}  // namespace

std::span<const LessonStep> eight_bit_steps() { return kEightBitSteps; }

}  // namespace spellpool::sim
