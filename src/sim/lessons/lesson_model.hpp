#pragma once
// A lesson's small world: real pools, to which a lesson's steps apply operations. It is deterministic: the
// same operations give the same state. There is no copy of a model; going back means to apply all
// operations but the last ones again (lesson.hpp), since a pool's snapshot does not keep the order of its
// free slots.
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/state_hash.hpp"
#include "frame/views/lesson_view.hpp"

namespace spellpool::sim {

enum class LessonModelKind : u8 { Pool, Full, Handle, Heap, Memory, Walk, Pay, EightBit };

/// What a step, a choice or a click does. `a` and `b` as the comment says.
enum class LessonOpKind : u8 {
  None,
  // Pool: one pool
  Begin,       ///< Anew, with strategy a and capacity b.
  Acquire,     ///< a sparks.
  Release,     ///< Slot a.
  ReleaseAny,  ///< a sparks, chosen by the model's random numbers.
  Focus,       ///< The bytes of slot a are shown.
  Chain,       ///< The next a slots count as taken, without taking them.
  // Full: five pools with one policy each
  Flood,  ///< a sparks into each of them; b = 1: they belong to the flood before.
  Steps,  ///< a steps of the simulation.
  // Handle: a pool with handles, and an array with plain indices
  Spawn,        ///< A spark of hue a in the pool, or with b = 1 in the array.
  Keep,         ///< Remember the handle, or index, of slot a. b as above.
  ReleaseKept,  ///< Release it; the object may be gone. b as above.
  PaintKept,    ///< Look it up and give it hue a. b as above.
  ForeignKept,  ///< Release it in another, smaller pool; it may be no handle.
  NoReset,      ///< The array's next spawn writes all members but the hue.
  Wear,         ///< Acquire and release until a slot of the pool is retired.
  // Heap: a console heap, and a pool for each size
  HeapOf,     ///< Anew, of a units of 16 bytes.
  Allocate,   ///< a bytes from the heap, of hue b.
  FreeBlock,  ///< The a-th block from the left, if it is live.
  Play,  ///< At most a random operations on both; ends where the heap refuses though enough bytes are free.
  // Memory: sparks by new, and the same ones in a pool
  New,    ///< a sparks, each by new, and into the pool.
  Age,    ///< a times: delete a spark, fill its place with something else, and make another spark.
  Touch,  ///< One update of all sparks; the lines that it reads count from their true addresses.
  // Walk: the same sparks scattered, packed and in columns. Touch as above.
  Lay,  ///< Anew, a sparks.
  // EightBit: a game with sixteen slots
  Console,  ///< Anew, with frame::EightBitPattern a.
  Pattern,  ///< From now on with pattern a.
  Frames,   ///< a frames with frame::EightBitKeys b.
  EndSlot,  ///< What flies in slot a ends.
  // For the program around the lessons; models ignore it.
  SaveCard,  ///< Write the card of measurements as a picture.
  Hear,      ///< Play the flood of sounds under voice policy a.
};

/// Stands for the cell that was picked first, as LessonOp::a.
inline constexpr i32 kPickedCell = -1;

struct LessonOp {
  LessonOpKind kind{};
  i32 a = 0, b = 0;
  bool goes_on = false;  ///< A further part of the operation before it: what that took counts too.
  friend bool operator==(const LessonOp&, const LessonOp&) = default;
};

/// It does the same for each of `a` objects, one after the other: so it can be done in parts of one object,
/// the first without and the others with `goes_on`, with the same state at the end.
constexpr bool has_parts(LessonOpKind kind) {
  using enum LessonOpKind;
  return kind == Acquire || kind == ReleaseAny || kind == Flood || kind == Steps || kind == Play ||
         kind == New || kind == Age;
}

/// What a question asks for. Every answer is computed from the state.
enum class LessonAsk : u8 {
  None,
  // Pool
  ThirdFree,    ///< The third of the free slots, in the order in which they will be used.
  LinkOfFocus,  ///< The slot that the shown bytes name.
  // Full
  InBoth,  ///< Sparks that live both under reject and under steal oldest.
  // Full, of the flood of sounds
  FirstRefused,  ///< Under reject the first sound that is refused: an index of frame::kAskedSounds.
  // Handle
  GenerationAtKept,  ///< The present generation of the kept handle's slot.
  ArrayLive,         ///< Slots of the array that hold a spark.
  ForeignMatch,  ///< 1: the handle of the last ForeignKept was valid in the other pool by chance, 0: not.
  // Heap
  Fitted,            ///< The last Allocate: 1 succeeded, 0 failed.
  LargestHole,       ///< Bytes in the largest hole.
  SparksThatFit,     ///< Sparks of 32 bytes for which the heap has room.
  // Memory
  Spacing,     ///< The least distance of two sparks by new, in bytes.
  HeapLines,   ///< Lines that an update of the sparks by new touches.
  LinesRatio,  ///< Lines of the last Touch over those of the first: 0 below 1.2 times as many, 1 below 3
               ///< times, 2 more.
  PoolLines,   ///< Lines that an update of the pool touches.
  // Walk
  ColumnLines,  ///< Lines that an update of the columns touches.
  // EightBit, in the last frame with the pattern in use
  SpawnVisits,   ///< Slots that searches for a free one looked at.
  UpdateVisits,  ///< Slots that the walk looked at.
  MovedFrom,     ///< The slot whose object moved when the last one was ended; -1: none did.
  // What was measured; no value where it decides nothing. Ranges of frame::kWalkLimits:
  FarScattered,  ///< With the most objects: scattered over columns.
  // Ranges of its row in frame::kLessonMeasures, pool over new and delete, of the question's measurement
  Bet,
};

// Which figures of a model are shown: bits.
enum LessonShows : u8 {
  kShowChain = 1,  ///< Links and the order of free slots.
  kShowBytes = 2,  ///< The bytes of the slot in focus.
  kShowTable = 4,  ///< Counters.
  kShowArray = 8,  ///< Handle: the array with plain indices. Heap, Memory: the pools. Walk: the columns.
  kShowAge = 16,   ///< In which order the sparks were made.
  // Pool, as long as the chain is not shown:
  kShowFirstBytes = 32,  ///< The first four bytes of each slot, and not what was released.
  kHideKind = 64,        ///< The pool's kind is not named.
  // Full: only the first pools; without these all of them.
  kShowTwo = 1,
  kShowThree = 2,
  kShowLight = 8,        ///< Full: the light of each spark.
  kShowVoices = 32,      ///< Full: the flood of sounds instead of the pools; with kShowTable what it lost.
  kShowComing = 64,      ///< Full: the next two sparks, until kShowTable.
  kShowGenerations = 4,  ///< Handle: of each slot.
  kShowOther = 16,       ///< Handle: the other, smaller pool.
  kShowCurve = 32,       ///< Walk: the axes and the caches.
  kShowFar = 128,        ///< Walk: the measured times.
  kShowFind = 1,         ///< EightBit: how many slots searches looked at; kShowTable: the walk, too.
};

class LessonModel {
 public:
  virtual ~LessonModel() = default;
  /// False if this model does not know the operation.
  virtual bool apply(const LessonOp& op) = 0;
  /// The operation that was done last ends here, whatever its count says: further parts would do nothing.
  virtual bool ended() const { return false; }
  /// Nothing if this model does not know it.
  virtual std::optional<i64> value(LessonAsk ask) const = 0;
  /// Cells that the last operation took, in order: what a picked cell is compared with.
  virtual const std::vector<u32>& took() const = 0;
  virtual void show(u8 shows, std::vector<frame::LessonFigure>& figures) const = 0;
  /// What has been measured by now, and which of it is asked about. No part of the state.
  virtual void know(const frame::LessonResults& results, std::optional<frame::LessonMeasure> asked) {
    (void)results;
    (void)asked;
  }
  virtual void add_to(StateHash& hash) const = 0;
};

std::unique_ptr<LessonModel> make_lesson_model(LessonModelKind kind);
std::unique_ptr<LessonModel> make_pool_model();
std::unique_ptr<LessonModel> make_full_model();
std::unique_ptr<LessonModel> make_handle_model();
std::unique_ptr<LessonModel> make_heap_model();
std::unique_ptr<LessonModel> make_memory_model();
std::unique_ptr<LessonModel> make_walk_model();
std::unique_ptr<LessonModel> make_pay_model();
std::unique_ptr<LessonModel> make_eight_bit_model();

}  // namespace spellpool::sim
