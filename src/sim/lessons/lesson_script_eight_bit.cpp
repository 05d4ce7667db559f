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
        .text =
            "A game of the 1980s: no heap. Shots, bombs and sparks share sixteen slots, each with a flag: in "
            "use or not. Three shots fly, in slots 0, 1 and 2.",
        .begin = {with_pattern(Console, EightBitPattern::Flag), {Frames, 21, frame::kKeyFire}},
        .question = {.kind = QuestionKind::Number,
                     .ask = LessonAsk::SpawnVisits,
                     .words = "The ship fires. How many slots does the search for a free one look at?",
                     .others = {1, 3, 16},
                     .explanation = "Flags 0, 1, 2, and then 3, which is free. With all in use it would look "
                                    "at sixteen and find none."},
        .shows_after = kShowFind,
        .reveal = {LessonOp{Frames, 10, frame::kKeyFire}},
    },
    LessonStep{
        .text = "Four shots fly. In each frame, the program moves everything that flies.",
        .shows = kShowFind,
        .question = {.kind = QuestionKind::Number,
                     .ask = LessonAsk::UpdateVisits,
                     .words = "How many slots does it look at to move the four?",
                     .others = {4, 5, 8},
                     .explanation =
                         "All sixteen: only the flag says which are in use. The cost is the same in "
                         "every frame."},
        .shows_after = kShowTable,
        .reveal = {LessonOp{Frames, 1}},
    },
    LessonStep{
        .text =
            "Another pattern, the same moment: the numbers of the free slots lie on a stack. A release puts "
            "its number on top.",
        .begin = {with_pattern(Pattern, EightBitPattern::IndexStack)},
        .question = {.kind = QuestionKind::Number,
                     .ask = LessonAsk::SpawnVisits,
                     .words = "The ship fires again. How many slots does it look at to find a free one?",
                     .others = {4, 5, 16},
                     .explanation =
                         "One: the top of the stack names it. The walk still looks at all sixteen."},
        .shows_after = kShowTable,
        .reveal = {LessonOp{Frames, 9, frame::kKeyFire}},
    },
    LessonStep{
        .text =
            "Compaction: what lives lies in front, without gaps. Five shots fly, in slots 0 to 4. Now the "
            "one in slot 1 ends.",
        .begin = {with_pattern(Pattern, EightBitPattern::Compaction)},
        .question = {.kind = QuestionKind::Number,
                     .ask = LessonAsk::MovedFrom,
                     .words = "From which slot does the shot in slot 1 come afterwards?",
                     .others = {0, 2, 15},
                     .explanation =
                         "The last one moves into the gap, so the walk looks at live slots only. The "
                         "price: a slot number cannot be kept."},
        .shows_after = kShowTable,
        .reveal = {LessonOp{EndSlot, 1}, LessonOp{Frames, 1}},
    },
    LessonStep{
        .text =
            "Play: move and fire, and switch the pattern while the game runs. Compare the slots looked at "
            "when little flies and when sparks fill the slots.",
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
