#include "sim/lessons/lesson_script.hpp"

#include "pool/policy.hpp"

namespace spellpool::sim {
namespace {

using pool::StrategyId;
using enum LessonOpKind;

constexpr LessonOp begin_with(StrategyId strategy, i32 capacity) {
  return {Begin, static_cast<i32>(strategy), capacity};
}
/// A full pool that releases three slots of its choice.
constexpr LessonChoice story(std::string_view label, StrategyId strategy) {
  return {label, {begin_with(strategy, 10), LessonOp{Acquire, 10}, LessonOp{ReleaseAny, 3}}};
}

// ---- what new and delete do
constexpr std::array kMemorySteps = {
    LessonStep{
        .text = "32 sparks of 24 bytes, each made by new. A small box is a cache line of 64 bytes; lit ones "
                "hold sparks.",
        .begin = {LessonOp{New, 32}},
        .question = {.kind = QuestionKind::Number,
                     .ask = LessonAsk::Spacing,
                     .words = "How many bytes does the heap use for each spark? Count the lit lines.",
                     .others = {24, 48, 64},
                     .explanation =
                         "Lines × 64 ÷ 32. Beside each block the heap keeps its size, and it rounds up."},
        .reveal = {LessonOp{Touch}},
    },
    LessonStep{
        .text = "200 times a spark ends, something else takes its memory, and a new spark is made.",
        .question = {.kind = QuestionKind::Words,
                     .ask = LessonAsk::LinesRatio,
                     .words = "How many lines must an update of the 32 sparks fetch now?",
                     .answers = {"About as many", "About twice as many", "Over three times as many"},
                     .explanation = "Neighbours were separated, and some sparks lie across two lines."},
        .shows_after = kShowTable,
        .reveal = {LessonOp{Age, 200}, LessonOp{Touch}},
    },
    LessonStep{
        .text = "The same 32 sparks in a pool: one block, with the live sparks at its front.",
        .shows = kShowTable,
        .question = {.kind = QuestionKind::Number,
                     .ask = LessonAsk::PoolLines,
                     .words = "How many lines does an update of the pool fetch?",
                     .others = {16, 24, 32},
                     .explanation =
                         "32 × 24 bytes, side by side. The pool called new when it was made, never since."},
        .shows_after = kShowArray,
    },
    LessonStep{
        .text = "Age the heap further, and compare. In the game, F8 measures what it costs.",
        .shows = kShowTable | kShowArray,
        .choices_title = "Do",
        .choices = {LessonChoice{"Age by 50", {LessonOp{Age, 50}, LessonOp{Touch}}},
                    LessonChoice{"8 more sparks", {LessonOp{New, 8}, LessonOp{Touch}}}},
    },
};

// ---- a slot and its union
constexpr std::array kUnionSteps = {
    LessonStep{
        .text = "A pool of eight slots. Six hold a spark; 3 and 6 are free. Below: the 24 bytes of slot 3.",
        .begin = {LessonOp{Acquire, 8}, {Release, 6}, {Release, 3}, {Focus, 3}},
        .shows = kShowBytes,
        .question =
            {.kind = QuestionKind::Words,
             .ask = LessonAsk::FirstBytes,
             .words = "They begin with 06 00 00 00. What does that say?",
             .answers = {"6 sparks are live", "Slot 3 was used 6 times", "The next free slot is 6"},
             .explanation =
                 "A free slot holds no spark, so the pool writes the number of the next free slot there."},
        .shows_after = kShowChain,
    },
    LessonStep{
        .text = "Slot 2 is about to be released. Then its bytes hold a link instead of a spark: a union.",
        .begin = {LessonOp{Focus, 2}},
        .shows = kShowBytes,
        .question = {.kind = QuestionKind::Number,
                     .ask = LessonAsk::LinkOfFocus,
                     .words = "Released so far: 6, then 3. Which slot will the bytes of slot 2 name?",
                     .others = {2, 6, 7},
                     .explanation =
                         "Slot 3 was the first free one. Slot 2 links to it and becomes the first."},
        .shows_after = kShowChain,
        .reveal = {LessonOp{Release, 2}},
    },
    LessonStep{
        .text = "Now 0 and then 5 are released. The pool remembers only the first free slot.",
        .begin = {LessonOp{Release, 0}, {Release, 5}},
        .question = {.kind = QuestionKind::Cells,
                     .words = "Draw the chain: pick the first three free slots in the order of use.",
                     .picks = 3,
                     .explanation = "Released last, used first. The arrows are read from the slots' bytes."},
        .shows_after = kShowChain,
        .reveal = {LessonOp{Chain, 3}},
    },
    LessonStep{
        .text = "Choose a spark to release it. Acquire takes the first slot of the chain: no search, no call "
                "of new.",
        .shows = kShowChain | kShowBytes,
        .choices_title = "Do",
        .choices = {LessonChoice{"Acquire", {LessonOp{Acquire, 1}}},
                    LessonChoice{"Acquire 3", {LessonOp{Acquire, 3}}}},
        .touch = {Release, kPickedCell},
    },
};

// ---- acquire and release
constexpr std::string_view kPredict = "Pick the slot that the next spark takes.";
constexpr std::array kAcquireSteps = {
    LessonStep{
        .text = "Three of ten sparks ended: in slot 7, then 2, then 5. This pool links its free slots, as in "
                "lesson 2.",
        .begin =
            {begin_with(StrategyId::FreeList, 10), {Acquire, 10}, {Release, 7}, {Release, 2}, {Release, 5}},
        .question = {.kind = QuestionKind::Cells,
                     .words = kPredict,
                     .explanation = "Last in, first out. That slot may still be in the cache."},
        .shows_after = kShowChain,
        .reveal = {LessonOp{Acquire, 1}},
    },
    LessonStep{
        .text = "The same in a pool with a bitmap: a bit for each slot, 1 while it is free. One instruction "
                "finds the "
                "first 1.",
        .begin =
            {begin_with(StrategyId::Bitmap, 10), {Acquire, 10}, {Release, 7}, {Release, 2}, {Release, 5}},
        .question = {.kind = QuestionKind::Cells,
                     .words = kPredict,
                     .explanation =
                         "The lowest free slot. Live sparks stay close together; visiting them is fast."},
        .shows_after = kShowChain,
        .reveal = {LessonOp{Acquire, 1}},
    },
    LessonStep{
        .text = "Once more: 7, 2, 5. Here the free slots wait in a queue.",
        .begin = {begin_with(StrategyId::Queue, 10), {Acquire, 10}, {Release, 7}, {Release, 2}, {Release, 5}},
        .question = {.kind = QuestionKind::Cells,
                     .words = kPredict,
                     .explanation = "First in, first out: the slot that has rested longest."},
        .shows_after = kShowChain,
        .reveal = {LessonOp{Acquire, 1}},
    },
    LessonStep{
        .text = "Choose a pool; it releases three slots. Predict as often as you like. Random can only be "
                "guessed.",
        .begin = {begin_with(StrategyId::Queue, 10), {Acquire, 10}, {ReleaseAny, 3}},
        .question = {.kind = QuestionKind::Cells,
                     .words = kPredict,
                     .explanation = "Choose a pool to go on."},
        .shows_after = kShowChain,
        .reveal = {LessonOp{Acquire, 1}},
        .choices_title = "Pool",
        .choices = {story("Free list", StrategyId::FreeList), story("Bitmap", StrategyId::Bitmap),
                    story("Queue", StrategyId::Queue), story("Random", StrategyId::Random)},
    },
};

// ---- a full pool
constexpr LessonOp hear(frame::VoicePolicy policy) { return {Hear, static_cast<i32>(policy)}; }
constexpr std::array<LessonChoice, kMostChoices> kHear = {
    LessonChoice{"Reject", {hear(frame::VoicePolicy::Reject)}},
    LessonChoice{"Steal the oldest", {hear(frame::VoicePolicy::StealOldest)}},
    LessonChoice{"Steal the quietest", {hear(frame::VoicePolicy::StealQuietest)}},
    LessonChoice{"Virtual voices", {hear(frame::VoicePolicy::Virtual)}}};
constexpr std::array kFullSteps = {
    LessonStep{
        .text = "Six more sparks come to two full pools. Reject refuses them. Steal oldest ends the oldest "
                "spark and "
                "takes its slot.",
        .begin = {LessonOp{Flood, 12}},
        .shows = kShowTwo | kShowAge,
        .question = {.kind = QuestionKind::Number,
                     .ask = LessonAsk::OldestKept,
                     .words = "How many of the first twelve live on under Steal oldest?",
                     .others = {0, 11, 12},
                     .explanation =
                         "Each new spark ended one. Under Reject all twelve live on; six were never seen."},
        .shows_after = kShowTable,
        .reveal = {LessonOp{Flood, 6}},
    },
    LessonStep{
        .text = "Now the light of each spark, in percent. Steal least ends the spark that is missed least.",
        .shows = kShowThree | kShowLight,
        .question = {.kind = QuestionKind::Cells,
                     .words = "Steal least: pick the slot that the next spark takes.",
                     .figure = 2,
                     .explanation = "The dimmest one. The table adds up the light that ended early."},
        .shows_after = kShowTable,
        .reveal = {LessonOp{Flood, 1}},
    },
    LessonStep{
        .text =
            "Grow began with twelve slots and adds six when all are taken. Twelve more sparks come: 31 live.",
        .shows = kShowFour,
        .question = {.kind = QuestionKind::Number,
                     .ask = LessonAsk::TimesGrown,
                     .words = "How many times has Grow added slots by then?",
                     .others = {2, 3, 19},
                     .explanation = "12, 18, 24, 30, 36: each time a call of new in the middle of a frame."},
        .shows_after = kShowTable,
        .reveal = {LessonOp{Flood, 12}},
    },
    LessonStep{
        .text = "Sounds need slots, too: here six. In half a second fourteen sounds begin: a crystal, four "
                "chimes, a "
                "glow, seven bells, a meteor.",
        .shows = kShowVoices,
        .question = {.kind = QuestionKind::Words,
                     .ask = LessonAsk::FirstRefused,
                     .words = "Under Reject, which sound is the first that is not heard?",
                     .answers = {"The glow", "The first bell", "The last bell", "The meteor"},
                     .measure = frame::LessonMeasure::Voices,
                     .explanation = "The seventh is refused, and so is the meteor. Virtual voices go on "
                                    "silently until a slot is free."},
        .shows_after = kShowTable,
        .choices_title = "Listen",
        .choices = kHear,
    },
    LessonStep{
        .text =
            "Send floods. From three quarters full on, Pressure makes sparks fade faster. A bullet must not "
            "vanish; a spark may.",
        .shows = kShowTable | kShowAge,
        .choices_title = "Do",
        .choices = {LessonChoice{"6 sparks", {LessonOp{Flood, 6}}},
                    LessonChoice{"12 sparks", {LessonOp{Flood, 12}}},
                    LessonChoice{"10 steps", {LessonOp{Steps, 10}}}},
    },
};

// ---- handles
constexpr i32 kOrange = 0, kCyan = 1, kViolet = 2, kGreen = 4;
constexpr std::array kHandleSteps = {
    LessonStep{
        .text = "A missile keeps its target: slot 2, generation 3; in the array just index 2. The target "
                "ended; a cyan "
                "spark took its slot. Each acquire and each release adds 1 to a generation.",
        .begin = {LessonOp{Spawn, kOrange},
                  {Spawn, kOrange},
                  {Spawn, kOrange},
                  {Keep, 2},
                  {Spawn, kOrange, 1},
                  {Spawn, kOrange, 1},
                  {Spawn, kOrange, 1},
                  {Keep, 2, 1},
                  {ReleaseKept},
                  {Spawn, kCyan},
                  {ReleaseKept, 0, 1},
                  {Spawn, kCyan, 1}},
        .shows = kShowArray,
        .question = {.kind = QuestionKind::Number,
                     .ask = LessonAsk::GenerationAtKept,
                     .words = "Which generation does slot 2 of the pool have now?",
                     .others = {3, 4, 6},
                     .explanation =
                         "Released 4, acquired 5: the handle is stale, get() returns null. Through the "
                         "index the missile paints the wrong spark, and no tool complains."},
        .shows_after = kShowGenerations,
        .reveal = {LessonOp{PaintKept, kViolet}, LessonOp{PaintKept, kViolet, 1}},
    },
    LessonStep{
        .text =
            "A spark hits two targets in one step: slot 1 is released twice, in the pool and in the array.",
        .begin = {LessonOp{Keep, 1},
                  {ReleaseKept},
                  {ReleaseKept},
                  {Keep, 1, 1},
                  {ReleaseKept, 0, 1},
                  {ReleaseKept, 0, 1}},
        .shows = kShowArray,
        .question =
            {.kind = QuestionKind::Words,
             .ask = LessonAsk::ArraySlots,
             .words = "Two sparks are made in each. Which slots does the array give them?",
             .answers = {"1 and 1", "1 and 3", "3 and 4"},
             .explanation =
                 "The array hands out slot 1 twice. The pool answered DoubleRelease and hands out 1 and 3."},
        .reveal = {LessonOp{Spawn, kGreen}, LessonOp{Spawn, kOrange}, LessonOp{Spawn, kGreen, 1},
                   LessonOp{Spawn, kOrange, 1}},
    },
    LessonStep{
        .text = "reuse() writes only place, light and number. Slot 3 of the array last held a green spark.",
        .begin = {LessonOp{Spawn, kGreen, 1}, {Keep, 3, 1}, {ReleaseKept, 0, 1}, {NoReset}},
        .shows = kShowArray,
        .question =
            {.kind = QuestionKind::Words,
             .ask = LessonAsk::HueOfLast,
             .words = "reuse(cyan) takes slot 3. Which colour does the spark have?",
             .answers = {"Cyan", "Green", "Orange", "Violet"},
             .explanation =
                 "The colour was not written: the old one remains. A pool's acquire() builds a new spark."},
        .reveal = {LessonOp{Spawn, kCyan, 1}},
    },
    LessonStep{
        .text = "Here a generation has 8 bits: odd is live, even is free, the first spark gets 3. A used-up "
                "slot is "
                "retired.",
        .shows = kShowGenerations,
        .question = {.kind = QuestionKind::Number,
                     .ask = LessonAsk::HeldByWorn,
                     .words = "How many sparks can one slot hold?",
                     .others = {64, 128, 256},
                     .explanation = "3, 5, … 255. Otherwise an old handle would be valid again."},
        .reveal = {LessonOp{Wear}},
    },
    LessonStep{
        .text = "A handle can reach the wrong pool: below, one with generations of its own.",
        .begin = {LessonOp{Keep, 1}},
        .shows = kShowGenerations | kShowOther,
        .question = {.kind = QuestionKind::Words,
                     .ask = LessonAsk::ForeignMatch,
                     .words = "Which handle of the first pool would it accept by mistake?",
                     .answers = {"Slot 0, generation 3", "Slot 1, generation 5", "Slot 3, generation 3"},
                     .explanation = "Slot and generation match by chance. Debug builds store the pool's "
                                    "number in each handle, too."},
        .reveal = {LessonOp{ForeignKept}},
    },
};

// ---- fragmentation
constexpr i32 kUnit = 16;
constexpr std::array kHeapSteps = {
    LessonStep{
        .text = "A heap of 320 bytes; grey: tags of 16. Two large spells of 112 bytes ended beside a small "
                "one of 32.",
        .begin = {LessonOp{HeapOf, 20},
                  {Allocate, 7 * kUnit, 0},
                  {Allocate, 2 * kUnit, 1},
                  {Allocate, 7 * kUnit, 2},
                  {FreeBlock, 0},
                  {FreeBlock, 2}},
        .question = {.kind = QuestionKind::Number,
                     .ask = LessonAsk::LargestHole,
                     .words = "How many bytes can the next spell get at most?",
                     .others = {128, 224, 256},
                     .explanation =
                         "An object needs one piece: 192 bytes fail with 224 free. This is fragmentation."},
        .reveal = {LessonOp{Allocate, 12 * kUnit, 3}},
    },
    LessonStep{
        .text = "Four holes, three small blocks. A spell asks for 192 bytes. Holes that meet become one, "
                "with the tags "
                "between.",
        .begin = {LessonOp{HeapOf, 29},
                  {Allocate, 6 * kUnit, 0},
                  {Allocate, 2 * kUnit, 1},
                  {Allocate, 1 * kUnit, 0},
                  {Allocate, 2 * kUnit, 2},
                  {Allocate, 6 * kUnit, 0},
                  {Allocate, 2 * kUnit, 4},
                  {Allocate, 2 * kUnit, 0},
                  {FreeBlock, 0},
                  {FreeBlock, 2},
                  {FreeBlock, 4},
                  {FreeBlock, 6}},
        .question = {.kind = QuestionKind::Try,
                     .ask = LessonAsk::Fitted,
                     .words = "Pick the block that must end so that 192 bytes fit.",
                     .explanation =
                         "96 + 32 + 32 and two tags. The heap cannot move blocks: pointers lead to them."},
        .reveal = {LessonOp{FreeBlock, kPickedCell}, LessonOp{Allocate, 12 * kUnit, 3}},
    },
    LessonStep{
        .text = "Sparks take 32 bytes, bolts 96, meteors 192, from the heap and from pools. The heap has "
                "just refused "
                "a meteor.",
        .begin = {LessonOp{HeapOf, 128}, {Play, 2'000}},
        .shows = kShowArray,
        .question = {.kind = QuestionKind::Number,
                     .ask = LessonAsk::SparksThatFit,
                     .words = "How many sparks still fit into the heap?",
                     .others = {4, 6, 13},
                     .explanation = "Holes are cut up, and each spark needs a tag. The pools refused "
                                    "nothing: a slot always fits."},
        .shows_after = kShowTable,
    },
    LessonStep{
        .text = "A free meteor slot cannot hold sparks: that is the pools' price. Play on.",
        .shows = kShowArray | kShowTable,
        .choices_title = "Do",
        .choices = {LessonChoice{"1 request", {LessonOp{Play, 1}}},
                    LessonChoice{"20 requests", {LessonOp{Play, 20}}},
                    LessonChoice{"Until it refuses", {LessonOp{Play, 2'000}}}},
    },
};

const auto& scripts() {
  using frame::LessonId;
  static const std::array kScripts = {
      LessonScript{LessonId::Heap, LessonModelKind::Memory, kMemorySteps},
      LessonScript{LessonId::Union, LessonModelKind::Pool, kUnionSteps},
      LessonScript{LessonId::AcquireRelease, LessonModelKind::Pool, kAcquireSteps},
      LessonScript{LessonId::Full, LessonModelKind::Full, kFullSteps, frame::LessonMeasure::Voices},
      LessonScript{LessonId::Handles, LessonModelKind::Handle, kHandleSteps},
      LessonScript{LessonId::Lives, LessonModelKind::Walk, walk_steps(), frame::LessonMeasure::Walks},
      LessonScript{LessonId::Fragmentation, LessonModelKind::Heap, kHeapSteps},
      LessonScript{LessonId::Pays, LessonModelKind::Pay, pay_steps()},
      LessonScript{LessonId::EightBit, LessonModelKind::EightBit, eight_bit_steps()},
  };
  static_assert(std::tuple_size_v<decltype(kScripts)> == frame::kLessonCount);
  return kScripts;
}

}  // namespace

const LessonScript& lesson_script(frame::LessonId id) { return scripts()[static_cast<std::size_t>(id)]; }

u32 question_count(frame::LessonId id) {
  u32 count = 0;
  for (const LessonStep& step : lesson_script(id).steps)
    count += step.question.kind != QuestionKind::None ? 1 : 0;
  return count;
}

std::unique_ptr<LessonModel> make_lesson_model(LessonModelKind kind) {
  switch (kind) {
    case LessonModelKind::Pool:
      return make_pool_model();
    case LessonModelKind::Full:
      return make_full_model();
    case LessonModelKind::Handle:
      return make_handle_model();
    case LessonModelKind::Heap:
      return make_heap_model();
    case LessonModelKind::Memory:
      return make_memory_model();
    case LessonModelKind::Walk:
      return make_walk_model();
    case LessonModelKind::Pay:
      return make_pay_model();
    case LessonModelKind::EightBit:
      return make_eight_bit_model();
  }
  return nullptr;
}

}  // namespace spellpool::sim
