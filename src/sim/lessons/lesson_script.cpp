#include "sim/lessons/lesson_script.hpp"

#include "pool/policy.hpp"

namespace spellpool::sim {
namespace {

using pool::StrategyId;
using enum LessonOpKind;

constexpr LessonOp begin_with(StrategyId strategy, i32 capacity) {
  return {Begin, static_cast<i32>(strategy), capacity};
}
/// A full pool that has released five slots of its choice and acquired two of them again.
constexpr LessonChoice story(std::string_view label, StrategyId strategy) {
  return {label,
          {begin_with(strategy, 10), LessonOp{Acquire, 10}, LessonOp{ReleaseAny, 5}, LessonOp{Acquire, 2}}};
}

// ---- what new and delete do
constexpr std::array kMemorySteps = {
    LessonStep{
        .text = "32 sparks of 24 bytes, each made by new. A box is a cache line: 64 bytes, fetched at once. "
                "A row is a page of 64 lines.",
        .begin = {LessonOp{New, 32}},
        .question = {.kind = QuestionKind::Number,
                     .ask = LessonAsk::Spacing,
                     .words = "How many bytes does the heap use for each spark? Count the lit lines.",
                     .others = {24, 48, 64},
                     .explanation = "{} lines × 64 bytes ÷ 32 sparks: about {}. Beside each block the heap keeps "
                                    "its size, and rounds up.",
                     .says = {LessonAsk::HeapLines, LessonAsk::Spacing}},
        .reveal = {LessonOp{Touch}},
    },
    LessonStep{
        .text = "200 times a spark ends, something else takes its memory, and a new spark is made.",
        .question = {.kind = QuestionKind::Words,
                     .ask = LessonAsk::LinesRatio,
                     .words = "How many lines must an update of the 32 fetch now?",
                     .answers = {"About as many", "Up to three times", "More than three times"},
                     .explanation = "Neighbours were separated, and some sparks lie across two lines."},
        .shows_after = kShowTable,
        .reveal = {LessonOp{Age, 200}, LessonOp{Touch}},
    },
    LessonStep{
        .text = "The same 32 sparks in a pool: one block, live sparks at its front.",
        .shows = kShowTable,
        .question = {.kind = QuestionKind::Number,
                     .ask = LessonAsk::PoolLines,
                     .words = "How many lines does an update of the pool fetch?",
                     .others = {8, 16, 32},
                     .explanation =
                         "32 × 24 bytes, side by side. The pool called new once."},
        .shows_after = kShowArray,
    },
    LessonStep{
        .text = "Go on, and compare.",
        .shows = kShowTable | kShowArray,
        .choices_title = "Do",
        .choices = {LessonChoice{"50 times more", {LessonOp{Age, 50}, LessonOp{Touch}}},
                    LessonChoice{"8 more sparks", {LessonOp{New, 8}, LessonOp{Touch}}}},
    },
};

// ---- a slot and its union
constexpr std::array kUnionSteps = {
    LessonStep{
        .text = "Ten slots, six with a spark. In the others the pool writes the next free slot. Below: "
                "each slot's first four bytes.",
        .begin = {begin_with(StrategyId::FreeList, 10),
                  {Acquire, 10},
                  {Release, 3},
                  {Release, 6},
                  {Release, 1},
                  {Release, 5}},
        .shows = kShowFirstBytes,
        .question = {.kind = QuestionKind::Number,
                     .ask = LessonAsk::ThirdFree,
                     .words = "The first free slot is 5. Which slot is the third?",
                     .others = {1, 3, 5},
                     .explanation = "5 names 1, and 1 names 6. The chain costs no memory."},
        .shows_after = kShowChain,
    },
    LessonStep{
        .text = "Slot 2 will be released: its bytes, now a spark's x, become a link. That is a union. "
                "The pool remembers only the first free slot.",
        .begin = {LessonOp{Focus, 2}},
        .shows = kShowBytes,
        .question = {.kind = QuestionKind::Number,
                     .ask = LessonAsk::LinkOfFocus,
                     .words = "Which slot will the bytes of slot 2 name?",
                     .others = {1, 3, 6},
                     .explanation =
                         "Slot 5 was the first free one. Slot 2 links to it and becomes the first."},
        .shows_after = kShowChain,
        .reveal = {LessonOp{Release, 2}},
    },
    LessonStep{
        .text = "Now a spark is made; then 0 and 7 are released.",
        .begin = {LessonOp{Acquire, 1}, {Release, 0}, {Release, 7}},
        .question = {.kind = QuestionKind::Cells,
                     .words = "Draw the chain: pick the first three free slots in the order of use.",
                     .picks = 3,
                     .explanation = "Released last, used first. The arrows are read from the slots' bytes."},
        .shows_after = kShowChain,
        .reveal = {LessonOp{Chain, 3}},
    },
    LessonStep{
        .text = "Choose a spark to release it. Acquire takes the first of the chain: no search, no new.",
        .shows = kShowChain | kShowBytes,
        .choices_title = "Do",
        .choices = {LessonChoice{"Acquire", {LessonOp{Acquire, 1}}},
                    LessonChoice{"Acquire three times", {LessonOp{Acquire, 3}}}},
        .touch = {Release, kPickedCell},
    },
};

// ---- acquire and release
/// The same past and the same future for each kind of pool: they end in different slots.
constexpr std::array<LessonOp, kMostStepOps> past_of(StrategyId strategy) {
  return {begin_with(strategy, 10), {Acquire, 10}, {Release, 7}, {Release, 2}, {Release, 5}, {Release, 9}};
}
constexpr std::array<LessonOp, kMostRevealOps> kFuture = {
    LessonOp{Acquire, 1}, {Release, 4}, {Acquire, 2}, {Acquire, 1}};
constexpr std::string_view kPredict =
    "A spark is made; 4 is released; two sparks are made. Pick the next one's slot.";
constexpr std::array kAcquireSteps = {
    LessonStep{
        .text = "This pool links its free slots, as in lesson 2.",
        .begin = past_of(StrategyId::FreeList),
        .question = {.kind = QuestionKind::Cells,
                     .words = kPredict,
                     .explanation = "Last in, first out."},
        .shows_after = kShowChain,
        .reveal = kFuture,
    },
    LessonStep{
        .text = "A pool with a bitmap: a bit for each slot, 1 if it is free. It takes the lowest.",
        .begin = past_of(StrategyId::Bitmap),
        .question = {.kind = QuestionKind::Cells,
                     .words = kPredict,
                     .explanation = "Live sparks stay close together."},
        .shows_after = kShowChain,
        .reveal = kFuture,
    },
    LessonStep{
        .text = "Here the free slots wait in a queue.",
        .begin = past_of(StrategyId::Queue),
        .question = {.kind = QuestionKind::Cells,
                     .words = kPredict,
                     .explanation = "First in, first out."},
        .shows_after = kShowChain,
        .reveal = kFuture,
    },
    LessonStep{
        .text = "Of which kind is this pool? Its past tells. A random pool takes any free slot.",
        .begin = {begin_with(StrategyId::Queue, 10), {Acquire, 10}, {ReleaseAny, 5}, {Acquire, 2}},
        .shows = kHideKind,
        .question = {.kind = QuestionKind::Cells,
                     .words = "Pick the slot that the next spark takes.",
                     .explanation = "Choose another pool to go on."},
        .shows_after = kShowChain,
        .reveal = {LessonOp{Acquire, 1}},
        .choices_title = "Pool",
        .choices = {story("Pool A", StrategyId::FreeList), story("Pool B", StrategyId::Bitmap),
                    story("Pool C", StrategyId::Queue), story("Random", StrategyId::Random)},
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
        .text = "# numbers the sparks as they were made. Reject refuses new sparks; Steal oldest ends the "
                "oldest and takes its slot.",
        .begin = {LessonOp{Flood, 12}},
        .shows = kShowTwo | kShowAge,
        .question = {.kind = QuestionKind::Number,
                     .ask = LessonAsk::InBoth,
                     .words = "Nine more come. How many numbers (#) are then in both rows?",
                     .others = {0, 9, 12},
                     .explanation = "Reject keeps #1 to #12, Steal oldest #10 to #21."},
        .shows_after = kShowTable,
        .reveal = {LessonOp{Flood, 9}},
    },
    LessonStep{
        .text = "Percent: each spark's light. Steal least ends the dimmest. Two sparks come, drawn below.",
        .shows = kShowThree | kShowLight | kShowComing,
        .question = {.kind = QuestionKind::Cells,
                     .words = "Steal least: pick the slot that the second one takes.",
                     .figure = 2,
                     .explanation = "The first one was then the dimmest itself: its slot is stolen twice."},
        .shows_after = kShowTable,
        .reveal = {LessonOp{Flood, 1}, LessonOp{Flood, 1, 1}},
    },
    LessonStep{
        .text = "Sounds need slots, too: here six. Fourteen begin within half a second: a crystal, four "
                "chimes, a glow, seven bells, a meteor.",
        .shows = kShowVoices,
        .question = {.kind = QuestionKind::Words,
                     .ask = LessonAsk::FirstRefused,
                     .words = "Under Reject, which sound is the first not heard?",
                     .answers = {"The glow", "The first bell", "The last bell", "The meteor"},
                     .measure = frame::LessonMeasure::Voices,
                     .explanation = "All after the sixth are refused. Virtual voices go on silently until a "
                                    "slot is free."},
        .shows_after = kShowTable,
        .choices_title = "Listen",
        .choices = kHear,
    },
    LessonStep{
        .text = "Send floods. Grow adds six slots by new; Pressure makes sparks fade faster when nearly "
                "full.",
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
        .text = "A missile keeps its target: handle {slot 2, generation 3}, or in the array index 2. The "
                "target ended; a cyan spark took its slot. Each acquire and each release adds 1 to a slot's "
                "generation.",
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
                     .words = "Which generation does slot 2 have now?",
                     .others = {3, 4, 6},
                     .explanation = "get(handle) returns null. Through the index the missile paints the "
                                    "wrong spark; nothing reports it."},
        .shows_after = kShowGenerations,
        .reveal = {LessonOp{PaintKept, kViolet}, LessonOp{PaintKept, kViolet, 1}},
    },
    LessonStep{
        .text = "Slot 1 is released twice, in pool and array. Each stacks free numbers.",
        .begin = {LessonOp{Keep, 1},
                  {ReleaseKept},
                  {ReleaseKept},
                  {Keep, 1, 1},
                  {ReleaseKept, 0, 1},
                  {ReleaseKept, 0, 1}},
        .shows = kShowArray,
        .question = {.kind = QuestionKind::Number,
                     .ask = LessonAsk::ArrayLive,
                     .words = "Then each makes three sparks. How many slots of the array are used?",
                     .others = {3, 5, 6},
                     .explanation = "Two share slot 1. The pool answers DoubleRelease and has five."},
        .reveal = {LessonOp{Spawn, kGreen}, LessonOp{Spawn, kOrange}, LessonOp{Spawn, kViolet},
                   LessonOp{Spawn, kGreen, 1}, LessonOp{Spawn, kOrange, 1}, LessonOp{Spawn, kViolet, 1}},
    },
    LessonStep{
        .text = "The other pool, below, has generations (g) of its own. A handle of the first pool is "
                "released there by mistake.",
        .shows = kShowGenerations | kShowOther,
        .question = {.kind = QuestionKind::Try,
                     .ask = LessonAsk::ForeignMatch,
                     .words = "Pick a slot of the first pool whose handle the other accepts.",
                     .explanation = "Slot and generation match by chance. A handle can carry its pool's "
                                    "number, too."},
        .reveal = {LessonOp{Keep, kPickedCell}, LessonOp{ForeignKept}},
    },
    LessonStep{
        .text = "Two more errors: press, and watch slots and calls.",
        .begin = {LessonOp{Spawn, kGreen, 1}, {Keep, 4, 1}, {ReleaseKept, 0, 1}},
        .shows = kShowArray | kShowGenerations,
        .choices_title = "Do",
        .choices = {LessonChoice{"Write all but the hue", {LessonOp{NoReset}, LessonOp{Spawn, kCyan, 1}}},
                    LessonChoice{"Use up 8 bits", {LessonOp{Wear}}}},
    },
};

// ---- fragmentation
constexpr i32 kUnit = 16;
constexpr std::array kHeapSteps = {
    LessonStep{
        .text = "A heap of 320 bytes. Grey: tags of 16 bytes, where it notes sizes. It just refused 192 "
                "bytes, with 224 free.",
        .begin = {LessonOp{HeapOf, 20},
                  {Allocate, 7 * kUnit, 0},
                  {Allocate, 2 * kUnit, 1},
                  {Allocate, 7 * kUnit, 2},
                  {FreeBlock, 0},
                  {FreeBlock, 2},
                  {Allocate, 12 * kUnit, 3}},
        .question = {.kind = QuestionKind::Number,
                     .ask = LessonAsk::LargestHole,
                     .words = "Now the small block ends, too. How many bytes can the next object get at "
                              "most?",
                     .others = {112, 224, 256},
                     .explanation = "Holes that meet become one, with the tags between. Before, no hole was "
                                    "large enough: fragmentation."},
        .reveal = {LessonOp{FreeBlock, 1}},
    },
    LessonStep{
        .text = "Four holes, three small blocks. A spell asks for 192 bytes.",
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
        .text = "Sparks take 32 bytes, bolts 96, meteors 192. The same requests go to a heap and to three "
                "pools of equal total size.",
        .begin = {LessonOp{HeapOf, 128}, {Play, 2'000}},
        .shows = kShowArray,
        .question = {.kind = QuestionKind::Number,
                     .ask = LessonAsk::SparksThatFit,
                     .words = "How many sparks still fit into the heap?",
                     .others = {4, 6, 13},
                     .explanation = "Holes are cut up, and each spark needs a tag. In a pool a slot always "
                                    "fits."},
        .shows_after = kShowTable,
    },
    LessonStep{
        .text = "The pools' price: a free slot of one size helps no other.",
        .shows = kShowArray | kShowTable,
        .choices_title = "Do",
        .choices = {LessonChoice{"1 request", {LessonOp{Play, 1}}},
                    LessonChoice{"20 requests", {LessonOp{Play, 20}}},
                    LessonChoice{"Until the heap refuses", {LessonOp{Play, 2'000}}}},
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
