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
        .text = "A game as a console of the 1980s had it: no heap. Shots, bombs and sparks share sixteen "
                "slots, and each slot has a flag: in use or not. Three shots fly, in slots 0, 1 and 2.",
        .begin = {with_pattern(Console, EightBitPattern::Flag), {Frames, 21, frame::kKeyFire}},
        .question = {.kind = QuestionKind::Number,
                     .ask = LessonAsk::SpawnVisits,
                     .words = "The ship fires. At how many slots does the search for a free one look?",
                     .others = {1, 3, 16},
                     .explanation = "At the flags of slots 0, 1 and 2, and then of 3, which is free. With "
                                    "all slots in use it would look at sixteen, and find none."},
        .reveal = {LessonOp{Frames, 10, frame::kKeyFire}},
    },
    LessonStep{
        .text = "Four shots fly now. In each frame, the program moves everything that flies.",
        .question = {.kind = QuestionKind::Number,
                     .ask = LessonAsk::UpdateVisits,
                     .words = "At how many slots does it look to move the four?",
                     .others = {4, 5, 8},
                     .explanation = "At all sixteen: only the flag says which are in use. The cost is the "
                                    "same in every frame, which suits a machine with a fixed beat."},
        .reveal = {LessonOp{Frames, 1}},
    },
    LessonStep{
        .text = "Another pattern, the same moment of the game: the numbers of the free slots lie on a "
                "stack. A release puts its number on top.",
        .begin = {with_pattern(Pattern, EightBitPattern::IndexStack)},
        .question = {.kind = QuestionKind::Number,
                     .ask = LessonAsk::SpawnVisits,
                     .words = "The ship fires again. At how many slots does it look to find a free one?",
                     .others = {4, 5, 16},
                     .explanation = "At one: the top of the stack names it. The walk has not changed; it "
                                    "still looks at all sixteen."},
        .reveal = {LessonOp{Frames, 9, frame::kKeyFire}},
    },
    LessonStep{
        .text = "Compaction: what lives always lies in front, without gaps. When one ends, the last one "
                "moves into its slot. The table of sprites is made that way in each frame, too.",
        .begin = {with_pattern(Pattern, EightBitPattern::Compaction)},
        .question = {.kind = QuestionKind::Number,
                     .ask = LessonAsk::UpdateVisits,
                     .words = "Five shots fly. At how many slots does the walk look now?",
                     .others = {1, 6, 16},
                     .explanation = "At five, the live ones. The price: a release moves an object, so "
                                    "its slot number cannot be kept."},
        .reveal = {LessonOp{Frames, 1}},
    },
    LessonStep{
        .text = "Play: move and fire, and switch the pattern while the game runs. Compare the visits when "
                "little flies and when sparks fill the slots.",
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
