#pragma once
// The lessons about object pools: their table, what one of them shows, and what was done of them. A
// lesson's figures are copies of true state, made by sim/lessons when something changes, not in every
// frame.
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/enum_table.hpp"
#include "core/memory_page.hpp"
#include "core/slot_cell.hpp"
#include "frame/input_device.hpp"
#include "frame/views/lesson_game.hpp"
#include "frame/views/lesson_measurement.hpp"
#include "frame/views/slot_map_view.hpp"

namespace spellpool::frame {

enum class LessonId : u8 { Heap, Union, AcquireRelease, Full, Handles, Lives, Fragmentation, Pays, EightBit };
struct LessonRow {
  LessonId id;
  std::string_view name, title, description;
};
inline constexpr std::array kLessons = {
    LessonRow{LessonId::Heap, "heap", "What new and delete do",
              "Where the heap puts sparks, and what a walk over them touches."},
    LessonRow{LessonId::Union, "slot", "A slot and its union",
              "The same bytes hold a spark, or the number of the next free slot."},
    LessonRow{LessonId::AcquireRelease, "acquire", "Acquire and release",
              "Predict the slot that the next spark takes."},
    LessonRow{LessonId::Full, "full", "A full pool",
              "One flood, five answers to it, and what each of them loses."},
    LessonRow{LessonId::Handles, "handles", "Handles",
              "Use a spark after its release, release it twice, and see it caught."},
    LessonRow{LessonId::Lives, "lives", "Where it lives",
              "Scattered, packed, in columns: what a walk costs on this machine."},
    LessonRow{LessonId::Fragmentation, "holes", "Fragmentation",
              "Enough bytes are free, and the heap refuses."},
    LessonRow{LessonId::Pays, "pays", "Does it pay?",
              "Bet, then measure: a pool against new and delete, three times."},
    LessonRow{LessonId::EightBit, "8bit", "Sixteen slots",
              "Extra: a game without a heap, and three ways to find a free slot."},
};
static_assert(rows_in_order(kLessons));
inline constexpr std::size_t kLessonCount = kLessons.size();

inline constexpr u32 kNoCell = 0xffffffffu;

enum class LessonMark : u8 { None, Picked, Right, Wrong };

/// A slot of a drawn pool.
struct LessonCell {
  u32 slot = 0;         ///< kNoCell: it is in no slot.
  u8 cell = kSlotFree;  ///< core/slot_cell.hpp.
  u8 hue = 0;           ///< Of its spark: an index of kLessonHues.
  u64 generation = 0;
  u64 serial = 0;      ///< Of its spark: the number in the order of making; shown where that matters.
  u8 light = 0;        ///< Of its spark, in percent; shown where that matters.
  u32 link = kNoCell;  ///< Of a free slot that links: the slot that its bytes name.
  std::array<u8, 4> first_bytes{};  ///< Shown where the figure says so.
  u32 times_stolen = 0;             ///< By the last flood; of a cell with kSlotStolen.
  LessonMark mark{};
  u32 order = 0;  ///< Of a pick: 1, 2, …; 0: it is not picked.
};
struct LessonHue {
  std::string_view name;
  u8 r, g, b;
};
/// The colours of a lesson's sparks: those of the spells.
inline constexpr std::array kLessonHues = {
    LessonHue{"orange", 255, 132, 44},  LessonHue{"cyan", 96, 214, 255}, LessonHue{"violet", 160, 130, 255},
    LessonHue{"magenta", 236, 92, 230}, LessonHue{"green", 96, 214, 96}, LessonHue{"gold", 255, 206, 92},
};

/// A block of a drawn heap, its tags included.
struct LessonBlock {
  u64 offset = 0, bytes = 0;
  bool free = false;
  u8 hue = 0;
  LessonMark mark{};
};

/// What a row of a table says.
struct LessonTableRow {
  std::string label;
  std::vector<std::string> values;
  bool lit = false;
};

/// One drawn thing.
struct LessonFigure {
  enum class Kind : u8 { Cells, Bytes, Blocks, Pages, Table, Calls, Curve, Ratio, Card, Console };
  Kind kind{};
  std::string title;
  // Cells
  std::vector<LessonCell> cells;
  std::vector<u32>
      chain;  ///< Free slots in the order in which they will be used; empty: not known, or not shown.
  bool picks = false;        ///< A click on a cell or block counts.
  bool serials = false;      ///< Cells show their sparks' numbers.
  bool lights = false;       ///< Cells show their sparks' light.
  bool bits = false;         ///< Below each cell stands its bit: 1 is free.
  bool first_bytes = false;  ///< Below each cell stand its first four bytes.
  bool generations = false;  ///< Cells show their generations.
  // Bytes: of one slot
  std::vector<u8> bytes;
  std::vector<SlotField> fields;
  // Blocks
  std::vector<LessonBlock> blocks;
  u64 total_bytes = 0;
  // Pages: by address; between two of them others may lie
  std::vector<MemoryPage> pages;
  // Table: `header` names the columns. Calls: each row is a call, its result, and where it stands in the
  // source.
  std::vector<std::string> header;
  std::vector<LessonTableRow> rows;
  // Curve: times of the first of `measured` over its number of objects; null: the axes alone. Ratio: that of
  // the first. Card: all that there are.
  LessonResults measured{};
  LessonMeasure bet{};                                ///< Ratio: what it is about.
  EightBitView console;                               ///< Console.
  std::array<std::size_t, kLessonWalkCount> reach{};  ///< Curve: so many points of each walk are shown.
};

/// What can be chosen on the screen: by a click, or by moving the focus there.
struct LessonTarget {
  /// The last four need no focus: each has a key and a button of its own.
  enum class Kind : u8 { Lesson, Leave, Back, Next, Answer, Choice, Cell, PartBack, Part, Hold, Slow };
  Kind kind{};
  u16 index = 0;
  friend bool operator==(const LessonTarget&, const LessonTarget&) = default;
};

/// What the screen asks for.
struct LessonRequests {
  std::optional<LessonTarget> point, choose;  ///< The mouse has moved there; it was clicked.
};

/// How lessons are shown, beside what they show.
struct LessonShown {
  float seconds = 0;     ///< Since they were opened.
  bool slow = false;     ///< What was chosen is done at a quarter of the speed.
  bool held = false;     ///< It waits to be done one operation at a time.
  InputDevice device{};  ///< Used last: hints are about it.
};

/// What was done of a lesson. Kept in a file.
struct LessonProgress {
  u32 furthest = 0;             ///< The last step that was seen, from 1 on; 0: not begun.
  u32 answered = 0, right = 0;  ///< Bits of the questions: answered; right at the first answer.
  bool done = false;            ///< The last step was reached with all questions answered.
  friend bool operator==(const LessonProgress&, const LessonProgress&) = default;
};
using LessonProgresses = std::array<LessonProgress, kLessonCount>;

struct LessonView {
  static constexpr u32 kNone = 0xffffffffu;

  bool list = true;  ///< The list of lessons, or else one of them.
  LessonProgresses progress{};
  std::array<u32, kLessonCount> questions{};  ///< Of each lesson.

  LessonId lesson{};
  u32 step = 0, steps = 0;  ///< From 0.
  std::string_view text;
  std::vector<LessonFigure> figures;

  bool runs = false;        ///< What was chosen is being done: `part` of `parts` operations.
  u32 part = 0, parts = 0;  ///< Also when it is done.
  bool plays = false;       ///< The game on the screen takes the keys of LessonCourse::play().

  bool asks = false;  ///< This step has a question.
  std::string_view question;
  std::vector<std::string> answers;  ///< Empty: a cell is to be picked.
  u32 picks_wanted = 0, picks_made = 0;
  bool answered = false, was_right = false;
  u32 given = kNone, right = kNone;  ///< Of the answers, once it was answered.
  std::string truth;                 ///< The right answer in words, where none of the answers says it.
  /// The answer was given, and what decides it is being measured.
  bool waits = false;
  float wait_progress = 0;
  std::string wait_text;
  std::string undecided;  ///< Answered, but the measurement decides nothing: why.
  std::string explanation;

  std::string note;  ///< What became of the last thing that was asked for.

  std::string_view choices_title;
  std::vector<std::string> choices;
  u32 chosen = kNone;

  std::vector<LessonTarget> targets;  ///< In the order of the keys.
  u32 focus = 0;                      ///< One of them.
};

}  // namespace spellpool::frame
