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
        .text = "32 sparks of 24 bytes, each made by new. Every row is a page of 4,096 bytes, every field "
                "in it a cache line of 64. Lit lines hold sparks; the pages lie where the heap has put "
                "them.",
        .begin = {LessonOp{New, 32}},
        .question = {.kind = QuestionKind::Number,
                     .ask = LessonAsk::Spacing,
                     .words = "A spark has 24 bytes. How far apart are two sparks at least, in bytes?",
                     .others = {24, 48, 64},
                     .explanation = "Beside each block the heap keeps its size, and rounds up. The distance "
                                    "is read from the addresses that new returned."},
        .reveal = {LessonOp{Touch}},
    },
    LessonStep{
        .text = "One update reads every spark once. The processor fetches whole lines. Now the game runs "
                "for a while: 200 times a spark ends, something else takes its place, and a new spark is "
                "made.",
        .question = {.kind = QuestionKind::Words,
                     .ask = LessonAsk::MoreLines,
                     .words = "Still 32 sparks. How many lines will an update touch now?",
                     .answers = {"Fewer than before", "As many", "More"},
                     .explanation = "Sparks that shared a line have been separated. The update computes the "
                                    "same and waits for more memory."},
        .shows_after = kShowTable,
        .reveal = {LessonOp{Age, 200}, LessonOp{Touch}},
    },
    LessonStep{
        .text = "The same 32 sparks in a pool: one block, taken once, and the live sparks side by side at "
                "its front.",
        .shows = kShowTable,
        .question = {.kind = QuestionKind::Number,
                     .ask = LessonAsk::PoolLines,
                     .words = "How many lines of 64 bytes does an update of the pool touch?",
                     .others = {16, 24, 32},
                     .explanation = "32 sparks of 24 bytes are 768 bytes, 12 lines, whatever has happened "
                                    "before. The second map shows them."},
        .shows_after = kShowArray,
    },
    LessonStep{
        .text = "Now 100 sparks end, and 100 new ones are made, in both.",
        .shows = kShowTable | kShowArray,
        .question = {.kind = QuestionKind::Number,
                     .ask = LessonAsk::NewCalls,
                     .words = "How often was new called for the sparks that are not in the pool?",
                     .others = {1, 32, 50},
                     .explanation = "Once a spark, and delete as often. The pool called new when it was "
                                    "made, and never again."},
        .reveal = {LessonOp{Age, 100}},
    },
    LessonStep{
        .text = "Play on: age the heap, and compare both maps. How much time it costs depends on the "
                "machine, the number of sparks and its caches; the game's quick A/B measures it.",
        .begin = {LessonOp{Touch}},
        .shows = kShowTable | kShowArray,
        .choices_title = "Do",
        .choices = {LessonChoice{"Age by 50", {LessonOp{Age, 50}, LessonOp{Touch}}},
                    LessonChoice{"8 more sparks", {LessonOp{New, 8}, LessonOp{Touch}}}},
    },
};

// ---- a slot and its union
constexpr std::array kUnionSteps = {
    LessonStep{
        .text = "A pool owns eight slots, taken from the system once. Six hold a spark, two are free. Below "
                "are the 24 bytes of slot 2: where its spark is, its colour, its light, its number.",
        .begin = {LessonOp{Acquire, 8}, {Release, 6}, {Release, 3}, {Focus, 2}},
        .shows = kShowBytes,
        .question = {.kind = QuestionKind::Words,
                     .ask = LessonAsk::LinkPlace,
                     .words = "Slots 3 and 6 are free. How does this pool find them?",
                     .answers = {"It looks at every slot", "A free slot names the next free one",
                                 "A separate list names them"},
                     .explanation = "A free slot has 24 bytes that hold no spark. The pool writes the "
                                    "number of the next free slot there."},
        .shows_after = kShowChain,
    },
    LessonStep{
        .text = "Slot 2 is going to be released. Its spark ends, and the same bytes will hold a link: the "
                "first four of them name the slot that is free next. A union: spark or link, never both.",
        .shows = kShowBytes,
        .question =
            {.kind = QuestionKind::Number,
             .ask = LessonAsk::LinkOfFocus,
             .words =
                 "The last slots released were 6 and then 3. Which slot will the bytes of slot 2 name?",
             .others = {2, 6, 7},
             .explanation = "The pool knows the first free slot, 3. Slot 2 links to it and becomes the "
                            "first itself: two writes."},
        .shows_after = kShowChain,
        .reveal = {LessonOp{Release, 2}},
    },
    LessonStep{
        .text = "Now slots 0 and 5 are released, in this order. The pool remembers the first free slot "
                "alone; each free slot leads to the next. Together they are the free list.",
        .begin = {LessonOp{Release, 0}, {Release, 5}},
        .question = {.kind = QuestionKind::Cells,
                     .words = "Draw the chain: pick the first three free slots, in the order in which the "
                              "pool will use them.",
                     .picks = 3,
                     .explanation = "The slot released last comes first. The arrows are read from the bytes "
                                    "of the free slots."},
        .shows_after = kShowChain,
        .reveal = {LessonOp{Chain, 3}},
    },
    LessonStep{
        .text = "A separate list of free slots would need memory of its own. Here the links lie where no "
                "spark is.",
        .shows = kShowChain | kShowBytes,
        .question =
            {.kind = QuestionKind::Number,
             .ask = LessonAsk::LinkBytes,
             .words = "A pool of 1,000 slots is empty. How many bytes do its links take besides the slots?",
             .others = {4'000, 8'000, 1'000},
             .explanation = "None: the list lies inside the slots. (To know which slots are live, the pool "
                            "keeps a bit and a generation for each.)"},
    },
    LessonStep{
        .text = "Try it: pick a spark to release it, and watch the chain. The button acquires a slot: "
                "always the first of the chain, with no search and no call of new.",
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
        .text = "Ten slots were full. Then three sparks ended: first the one in slot 7, then slot 2, then "
                "slot 5. This pool keeps its free slots in a linked list, and adds and takes at its front.",
        .begin =
            {begin_with(StrategyId::FreeList, 10), {Acquire, 10}, {Release, 7}, {Release, 2}, {Release, 5}},
        .question = {.kind = QuestionKind::Cells,
                     .words = kPredict,
                     .explanation = "Last in, first out: the slot released last is used first. Its bytes "
                                    "may still be in the cache."},
        .shows_after = kShowChain,
        .reveal = {LessonOp{Acquire, 1}},
    },
    LessonStep{
        .text = "The same story in another pool: slots 7, 2 and 5 came back, in this order. A bitmap has "
                "one bit for each slot. The processor finds the first free bit of 64 with one instruction.",
        .begin =
            {begin_with(StrategyId::Bitmap, 10), {Acquire, 10}, {Release, 7}, {Release, 2}, {Release, 5}},
        .question =
            {.kind = QuestionKind::Cells,
             .words = kPredict,
             .explanation =
                 "The lowest free slot. Live sparks stay close together at the front, which a walk likes."},
        .shows_after = kShowChain,
        .reveal = {LessonOp{Acquire, 1}},
    },
    LessonStep{
        .text = "Once more: 7, 2, 5. In this pool the free slots stand in a queue.",
        .begin =
            {begin_with(StrategyId::Queue, 10), {Acquire, 10}, {Release, 7}, {Release, 2}, {Release, 5}},
        .question = {.kind = QuestionKind::Cells,
                     .words = kPredict,
                     .explanation = "First in, first out: the slot that has been free longest. A stale "
                                    "pointer to a slot stays harmless for longer, but its bytes have left "
                                    "the cache."},
        .shows_after = kShowChain,
        .reveal = {LessonOp{Acquire, 1}},
    },
    LessonStep{
        .text = "Three orders: last in first out, lowest first, first in first out. None of them searches, "
                "and none of them calls new.",
        .shows = kShowChain,
        .question = {.kind = QuestionKind::Words,
                     .ask = LessonAsk::ReusesLast,
                     .words =
                         "Which pool uses a slot again while its bytes are most likely still in the cache?",
                     .answers = {"The linked list", "The bitmap", "The queue"},
                     .explanation = "The linked list: it takes the slot that was touched last. A trial with "
                                    "all three pools has just shown it."},
    },
    LessonStep{
        .text = "The pool is full again. Now two sparks end, and in the same step a spell spawns five.",
        .begin = {begin_with(StrategyId::FreeList, 10), {Acquire, 10}},
        .question = {.kind = QuestionKind::Number,
                     .ask = LessonAsk::TookCount,
                     .words = "How many of the five sparks get a slot?",
                     .others = {0, 3, 5},
                     .explanation = "As many as there are free slots. For the others acquire() returns a "
                                    "null handle, and the pool counts them."},
        .shows_after = kShowChain,
        .reveal = {LessonOp{ReleaseAny, 2}, LessonOp{Acquire, 5}},
    },
    LessonStep{
        .text = "Choose a pool: it starts full, and releases three slots. Predict again, as often as you "
                "like. Random takes any free slot; it shows what a scattered order costs.",
        .begin = {begin_with(StrategyId::FreeList, 10), {Acquire, 10}, {ReleaseAny, 3}},
        .question = {.kind = QuestionKind::Cells,
                     .words = kPredict,
                     .explanation = "Choose a pool below to play on."},
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
        .text = "Five pools of twelve slots, all full. Soon the same six sparks come to each of them. The "
                "pools differ in one thing: their overflow policy, the answer to a spark that finds no "
                "slot.",
        .begin = {LessonOp{Flood, 12}},
        .question = {.kind = QuestionKind::Number,
                     .ask = LessonAsk::RejectTook,
                     .words = "Reject: how many of the six new sparks will be seen?",
                     .others = {2, 3, 6},
                     .explanation = "None. The pool refuses, counts, and never stops the game. Players "
                                    "notice, though: their spell fizzles."},
        .shows_after = kShowTable,
        .reveal = {LessonOp{Flood, 6}},
    },
    LessonStep{
        .text = "Steal oldest ends the oldest spark and gives its slot to the new one. The numbers show in "
                "which order the sparks were made; 1 was the first.",
        .shows = kShowAge,
        .question = {.kind = QuestionKind::Cells,
                     .words = "In the pool Steal oldest: pick the slot that the next spark will take.",
                     .figure = 1,
                     .explanation = "The lowest number is the oldest spark. New sparks are always seen, and "
                                    "an old one ends early."},
        .reveal = {LessonOp{Flood, 1}},
    },
    LessonStep{
        .text = "Sparks have light: a new one is bright, one near its end is dim. Steal least ends the "
                "spark whose light is missed least. Twelve sparks more arrive, bright and dim.",
        .shows = kShowAge,
        .question = {.kind = QuestionKind::Words,
                     .ask = LessonAsk::LeastLightLost,
                     .words = "Which of these policies loses the least light?",
                     .answers = {"Reject", "Steal oldest", "Steal least"},
                     .explanation =
                         "Look at the table: all three lose as many sparks, but not as much light."},
        .shows_after = kShowTable,
        .reveal = {LessonOp{Flood, 12}},
    },
    LessonStep{
        .text = "Grow adds slots and loses nothing for a while, up to 36 slots here. Every block is a call "
                "of new in the middle of a frame, and the memory stays.",
        .question = {.kind = QuestionKind::Words,
                     .ask = LessonAsk::MostBytes,
                     .words = "Which pool holds the most memory now?",
                     .answers = {"Reject", "Steal oldest", "Steal least", "Grow"},
                     .explanation = "The bytes are counted: slots, links, generations, and for stealing a "
                                    "list in order of age."},
        .shows_after = kShowTable,
    },
    LessonStep{
        .text = "Pressure never steals. From three quarters full on it makes sparks fade faster, so that "
                "slots come free sooner. Now fifteen steps pass without new sparks.",
        .question = {.kind = QuestionKind::Words,
                     .ask = LessonAsk::FewestLive,
                     .words = "Which pool will have the fewest live sparks?",
                     .answers = {"Reject", "Steal oldest", "Steal least", "Pressure"},
                     .explanation = "Its sparks fade up to four times as fast while it is full, and at "
                                    "their usual rate below three quarters."},
        .shows_after = kShowTable,
        .reveal = {LessonOp{Steps, 15}},
    },
    LessonStep{
        .text = "Sounds need slots, too. Here six voices may sound at once. In half a second fourteen "
                "sounds begin: a crystal breaks, four soft swells and a glow, seven bells, and last a meteor "
                "strikes, the loudest.",
        .shows = kShowVoices,
        .question = {.kind = QuestionKind::Words,
                     .ask = LessonAsk::LoudestRejected,
                     .words = "Under the policy Reject: is the meteor heard?",
                     .answers = {"No", "Yes"},
                     .measure = frame::LessonMeasure::Voices,
                     .explanation = "The first six took the slots, and nothing is ever stolen. The player sees "
                                    "a meteor strike in silence."},
        .shows_after = kShowTable,
        .choices_title = "Listen",
        .choices = kHear,
    },
    LessonStep{
        .text = "The other policies steal: the voice that began first, or the one that is missed least. "
                "Virtual voices are stolen the same way, but go on in silence and come back when a slot is "
                "free.",
        .shows = kShowVoices,
        .question = {.kind = QuestionKind::Words,
                     .ask = LessonAsk::LeastSoundLost,
                     .words = "Which of them loses the least of the sound?",
                     .answers = {"Reject", "Steal the oldest", "Steal the quietest", "Virtual voices"},
                     .measure = frame::LessonMeasure::Voices,
                     .explanation = "Steal the oldest ends swells that have hardly begun. Virtual ones come "
                                    "back after the bells. The table counts the energy that is not heard."},
        .shows_after = kShowTable,
        .choices_title = "Listen",
        .choices = kHear,
    },
    LessonStep{
        .text = "Play on: send floods, let time pass, and compare what is lost. No policy is right "
                "everywhere: a bullet must not vanish, a spark may.",
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
        .text = "A missile remembers its target: a spark in slot 2. The spark ended, and a new, cyan spark "
                "lives in slot 2. A handle stores the slot and its generation, which counts up at every "
                "acquire and release.",
        .begin = {LessonOp{Spawn, kOrange},
                  {Spawn, kOrange},
                  {Spawn, kOrange},
                  {Keep, 2},
                  {ReleaseKept},
                  {Spawn, kCyan}},
        .question = {.kind = QuestionKind::Words,
                     .ask = LessonAsk::PaintedKept,
                     .words = "The missile paints its target violet, through its old handle. What happens?",
                     .answers = {"Nothing: the pool returns null", "The cyan spark turns violet",
                                 "The old spark turns violet"},
                     .explanation = "The slot's generation is no longer the handle's. get() returns null, "
                                    "and the missile can see that its target is gone."},
        .reveal = {LessonOp{PaintKept, kViolet}},
    },
    LessonStep{
        .text = "The same story without handles: an array of sparks, and a plain index. The orange spark in "
                "slot 2 ended, and a cyan one took its place. The index is still 2.",
        .begin = {LessonOp{Spawn, kOrange, 1},
                  {Spawn, kOrange, 1},
                  {Spawn, kOrange, 1},
                  {Keep, 2, 1},
                  {ReleaseKept, 0, 1},
                  {Spawn, kCyan, 1}},
        .shows = kShowArray,
        .question = {.kind = QuestionKind::Words,
                     .ask = LessonAsk::PaintedKept,
                     .words = "The missile paints its target violet, through its old index. What happens?",
                     .answers = {"Nothing", "The cyan spark turns violet", "The orange spark turns violet"},
                     .explanation = "The wrong spark is painted, and no tool complains: the memory is "
                                    "valid. Such bugs are found by players."},
        .reveal = {LessonOp{PaintKept, kViolet, 1}},
    },
    LessonStep{
        .text = "A spark hits two targets in one step, and both release it. The spark in slot 1 was kept by "
                "a handle and has just been released once.",
        .begin = {LessonOp{Keep, 1}, {ReleaseKept}},
        .question = {.kind = QuestionKind::Words,
                     .ask = LessonAsk::KeptResult,
                     .words = "What does the second release return?",
                     .answers = {"Released", "DoubleRelease", "StaleHandle", "ForeignHandle"},
                     .explanation = "The pool knows, changes nothing and counts it. The last line names the "
                                    "place in the source that asked."},
        .reveal = {LessonOp{ReleaseKept}},
    },
    LessonStep{
        .text = "The array checks nothing: the second release puts slot 1 into its stack of free slots once "
                "more. Now two sparks are spawned, a green and an orange one.",
        .begin = {LessonOp{Keep, 1, 1}, {ReleaseKept, 0, 1}, {ReleaseKept, 0, 1}},
        .shows = kShowArray,
        .question = {.kind = QuestionKind::Words,
                     .ask = LessonAsk::SpawnedApart,
                     .words = "Where will the two sparks live?",
                     .answers = {"Both in one slot", "Each in a slot of its own"},
                     .explanation = "One slot was handed out twice. The second spark overwrote the first, "
                                    "and both owners will move it."},
        .shows_after = kShowChain,
        .reveal = {LessonOp{Spawn, kGreen, 1}, LessonOp{Spawn, kOrange, 1}},
    },
    LessonStep{
        .text = "Objects that are made once and used again must be set anew by hand. A frost spell spawns a "
                "cyan spark in the array, where a green one has just ended, and its reset forgets one "
                "member: the colour.",
        .begin = {LessonOp{Spawn, kGreen, 1}, {Keep, 3, 1}, {ReleaseKept, 0, 1}, {NoReset}},
        .shows = kShowArray,
        .question = {.kind = QuestionKind::Words,
                     .ask = LessonAsk::LastHueIsOld,
                     .words = "Which colour will the new spark have?",
                     .answers = {"Cyan, as the spell says", "Green, as the last spark"},
                     .explanation = "Stale state shines through. A pool that runs constructors, as "
                                    "acquire() does, cannot forget a member."},
        .reveal = {LessonOp{Spawn, kCyan, 1}},
    },
    LessonStep{
        .text = "Here a generation has 8 bits. Odd ones mean live, even ones free, and a slot's first spark "
                "gets 3. When they are used up, the slot is retired, so that no old handle becomes valid "
                "again.",
        .begin = {LessonOp{Spawn, kCyan}, {Keep, 1}},
        .question = {.kind = QuestionKind::Number,
                     .ask = LessonAsk::HeldByWorn,
                     .words = "How many sparks can one slot hold before that?",
                     .others = {64, 128, 256},
                     .explanation = "3, 5, … 255. The grey slot is retired, and a new one replaces it. With "
                                    "32 bits it would take two billion."},
        .reveal = {LessonOp{Wear}},
    },
    LessonStep{
        .text = "The last mistake: a handle that is given to the wrong pool. This other pool has two slots; "
                "the kept handle names a slot that it does not have, or a generation that it has not "
                "reached.",
        .begin = {LessonOp{Spawn, kGreen}, {Keep, 3}},
        .question = {.kind = QuestionKind::Words,
                     .ask = LessonAsk::KeptResult,
                     .words = "What does the other pool's release return?",
                     .answers = {"Released", "DoubleRelease", "StaleHandle", "ForeignHandle"},
                     .explanation = "It cannot have issued this handle. Debug builds also store the pool's "
                                    "number in each handle."},
        .reveal = {LessonOp{ForeignKept}},
    },
};

// ---- fragmentation
constexpr i32 kUnit = 16;
constexpr std::array kHeapSteps = {
    LessonStep{
        .text = "A console with 320 bytes of heap. Two large spells took 112 bytes each, a small one 32 "
                "between them. Each block has 16 bytes of tags, shown dark. Now both large spells end.",
        .begin = {LessonOp{HeapOf, 20},
                  {Allocate, 7 * kUnit, 0},
                  {Allocate, 2 * kUnit, 1},
                  {Allocate, 7 * kUnit, 2},
                  {FreeBlock, 0},
                  {FreeBlock, 2}},
        .question = {.kind = QuestionKind::Words,
                     .ask = LessonAsk::Fitted,
                     .words = "224 bytes are free. A spell asks for 192. Does the heap have room for it?",
                     .answers = {"No", "Yes"},
                     .explanation = "The free bytes lie in two holes of 112. An object needs one piece. "
                                    "This is fragmentation."},
        .reveal = {LessonOp{Allocate, 12 * kUnit, 3}},
    },
    LessonStep{
        .text = "Adding up the holes does not help. What counts is the largest one.",
        .question = {.kind = QuestionKind::Number,
                     .ask = LessonAsk::LargestHole,
                     .words = "What is the most that one object can get now, in bytes?",
                     .others = {32, 192, 224},
                     .explanation = "112 bytes: the largest hole. The heap cannot move the small spell, "
                                    "since pointers lead to it."},
        .shows_after = kShowTable,
    },
    LessonStep{
        .text = "The spell of 192 bytes still waits.",
        .question = {.kind = QuestionKind::Try,
                     .ask = LessonAsk::Fitted,
                     .words = "Pick the block that must be freed so that it fits.",
                     .explanation = "With the small spell gone the two holes and its own bytes become one, "
                                    "and the large spell fits."},
        .shows_after = kShowTable,
        .reveal = {LessonOp{FreeBlock, kPickedCell}, LessonOp{Allocate, 12 * kUnit, 3}},
    },
    LessonStep{
        .text = "A game with sparks of 32 bytes, bolts of 96 and meteors of 192. Above: one heap of 2,048 "
                "bytes. Below: a pool for each size, also 2,048 bytes together. Both get the same requests, "
                "until one refuses.",
        .begin = {LessonOp{HeapOf, 128}, {Play, 24}},
        .shows = kShowArray,
        .question =
            {.kind = QuestionKind::Number,
             .ask = LessonAsk::SizePoolRefusals,
             .words =
                 "The heap has just refused one. How many requests will the pools have refused by then?",
             .others = {1, 2, 5},
             .explanation = "None. A slot that comes back fits the next object of its size exactly; no hole "
                            "is ever too small."},
        .shows_after = kShowTable,
        .reveal = {LessonOp{Play, 2'000}},
    },
    LessonStep{
        .text = "Pools have a price: free slots for meteors cannot hold sparks. Here the game knew its "
                "maximum of each size. Play on: watch the holes, and where the heap refuses next.",
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
