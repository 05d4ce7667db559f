#include <algorithm>
#include <span>
#include <tuple>

#include "ui/kit/page_map.hpp"
#include "ui/kit/parts.hpp"
#include "ui/kit/sheet.hpp"

namespace spellpool::ui {
namespace {

using frame::Action;
using frame::MemoryView;

class Memory {
 public:
  Memory(const frame::PanelModel& model, frame::PanelRequests& requests)
      : model_(model), memory_(model.memory), requests_(requests) {}

  float head(const Pen& pen, const Rect& column) const {
    const float y = column.y0;
    if (panel_header(pen, {column.x0, y, column.x1, y + pen.px(24)}, "Memory", key_label(model_, Action::Memory),
                     ClosePanel::Memory)) {
      requests_.ask(Action::Memory);
    }
    return y + pen.px(24) + pen.px(6);
  }

  float run(const Pen& pen, const Rect& column) const {
    float y = object_lines(pen, column, column.y0);
    y = frame_memory(pen, column, y);
    y = small_console(pen, column, y);
    y = crane_search(pen, column, y);
    y = console_heap(pen, column, y);
    y = stories(pen, column, y);
    return cell_sizes(pen, column, y);
  }

 private:
  static float heading(const Pen& pen, const Rect& column, float y, std::string_view words) {
    pen.fill({column.x0, y, column.x1, y + 1}, kRule);
    y += pen.px(9);
    pen.text(Cut::Strong, column.x0, y, kText, words);
    return y + pen.line_px(Cut::Strong) + pen.px(4);
  }
  static float wrapped(const Pen& pen, const Rect& column, float y, std::string_view words, ImU32 ink = kMuted) {
    pen.text_wrapped(Cut::Small, column.x0, y, column.x1 - column.x0, ink, words);
    return y + pen.wrapped_height(Cut::Small, words, column.x1 - column.x0);
  }

  struct Choice {
    ControlKind kind{};
    Action key{};
    float wide = 0;               ///< Of the segments, in design px.
    std::span<const std::string_view> titles;
    std::size_t chosen = 0;
    std::string_view words;
  };
  /// Segments at the right, their key beside them, words at the left; y moves below. Returns another segment that was
  /// clicked, or −1.
  int choice(const Pen& pen, const Rect& column, float& y, const Choice& what) const {
    const std::string_view label = key_label(model_, what.key);
    const float high = pen.px(26), key = pen.key_cap_width(label) + pen.px(8);
    const Rect box{column.x1 - pen.px(what.wide), y, column.x1, y + high};
    const int clicked = segments(pen, what.kind, 0, box, what.titles, what.chosen);
    pen.key_cap(box.x0 - key, y, y + high, label);
    const float room = box.x0 - key - pen.px(14) - column.x0;
    pen.text_wrapped(Cut::Small, column.x0, y, room, kMuted, what.words);
    y += std::max(high, pen.wrapped_height(Cut::Small, what.words, room)) + pen.px(8);
    return clicked != static_cast<int>(what.chosen) ? clicked : -1;
  }
  /// The same for the modes of a load, which a command chooses.
  template <class Table>
  void choose_mode(const Pen& pen, const Rect& column, float& y, const Table& table, Choice what,
                   frame::SimCommandKind kind) const {
    std::array<std::string_view, std::tuple_size_v<Table>> titles;
    for (std::size_t i = 0; i < titles.size(); ++i) titles[i] = table[i].title;
    what.titles = titles;
    const int chosen = choice(pen, column, y, what);
    if (chosen < 0) return;
    frame::SimCommand command;
    command.kind = kind;
    command.choice = static_cast<u8>(chosen);
    requests_.ask(command);
  }

  /// Heap map and cache lines of the particles, whatever their strategy.
  float object_lines(const Pen& pen, const Rect& column, float y) const {
    const frame::ObjectLinesView& lines = memory_.particles;
    y = heading(pen, column, y, "Where the sparks lie");
    y = wrapped(
        pen, column, y,
        Line<240>("%.*s: %s sparks of %s. A walk over them touches %s cache lines; side by side they would fill %s.",
                  static_cast<int>(lines.strategy.size()), lines.strategy.data(), count_text(lines.objects).c_str(),
                  bytes_text(lines.object_bytes).c_str(), count_text(lines.touched_lines).c_str(),
                  count_text(lines.least_lines).c_str()),
        kText);
    y = wrapped(
        pen, column, y,
        Line<240>("They lie on %s pages, with %s lines between them that hold none. Rows are pages, fields lines of 64 "
                  "bytes; the first %zu.",
                  count_text(lines.page_count).c_str(), count_text(lines.hole_lines).c_str(), lines.pages.size()));
    y = draw_memory_pages(pen, {column.x0, y + pen.px(5), column.x1, y}, lines.pages, pen.px(7));
    return y + pen.px(10);
  }

  float frame_memory(const Pen& pen, const Rect& column, float y) const {
    y = heading(pen, column, y, "What lives for a frame");
    constexpr std::array<std::string_view, 2> kSources = {"Arena", "new and delete"};
    const int chosen =
        choice(pen, column, y,
               {.kind = ControlKind::MemorySource,
                .key = Action::FrameMemory,
                .wide = 250,
                .titles = kSources,
                .chosen = static_cast<std::size_t>(memory_.source),
                .words = "Deaths, hits, sort keys, the frame's particles: all are released at once at the end."});
    if (chosen >= 0) requests_.ask(Action::FrameMemory);
    for (const frame::FrameMemoryRow& row : memory_.rows) {
      const Line<160> words(
          "%.*s: %s in %s allocations, %s of them new%s", static_cast<int>(row.name.size()), row.name.data(),
          bytes_text(row.last_bytes).c_str(), count_text(row.allocations).c_str(), count_text(row.new_calls).c_str(),
          row.overflows > 0 ? Line<48>("; overflowed %s times", count_text(row.overflows).c_str()).c_str() : "");
      y = arena_row(pen, column, y, words, row, memory_.source == 0);
    }
    return y + pen.px(2);
  }

  /// What an arena allocated in its last frame, and its bar with a mark at the peak.
  static float arena_row(const Pen& pen, const Rect& column, float y, std::string_view words,
                         const frame::FrameMemoryRow& row, bool arena) {
    const Line<64> peak_words("peak %s of %s", bytes_text(row.peak_bytes).c_str(),
                              bytes_text(row.capacity_bytes).c_str());
    y = wrapped(pen, column, y, words, kText);
    const bool beside =
        pen.width(Cut::Small, words) + pen.px(12) + pen.width(Cut::Small, peak_words) <= column.width();
    if (!beside) y += pen.line_px(Cut::Small);
    pen.text_right(Cut::Small, column.x1, y - pen.line_px(Cut::Small), kMuted, peak_words);
    y += pen.px(2);
    const Rect bar{column.x0, y, column.x1, y + pen.px(9)};
    const auto share = [&](u64 bytes) {
      return std::min(1.0f, static_cast<float>(bytes) / std::max(1.0f, static_cast<float>(row.capacity_bytes)));
    };
    pen.fill(bar, kControl, pen.px(3));
    pen.fill({bar.x0, bar.y0, bar.x0 + std::floor(bar.width() * share(row.last_bytes)), bar.y1},
             arena ? kGreen : kYellow, pen.px(3));
    const float peak = bar.x0 + std::floor((bar.width() - pen.px(2)) * share(row.peak_bytes));
    pen.fill({peak, bar.y0 - pen.px(2), peak + pen.px(2), bar.y1 + pen.px(2)}, kText);
    return bar.y1 + pen.px(8);
  }

  float crane_search(const Pen& pen, const Rect& column, float y) const {
    if (model_.shooter == nullptr) return y;
    const frame::CraneSearchView& cranes = memory_.cranes;
    y = heading(pen, column, y, "Memory for thinking");
    choose_mode(
        pen, column, y, frame::kCraneSearches,
        {.kind = ControlKind::CraneSearch,
         .key = Action::Cranes,
         .wide = 290,
         .titles = {},
         .chosen = static_cast<std::size_t>(cranes.mode),
         .words =
             "Cranes search a way round stones by A*. Open and closed sets come from an arena of their own, reset in "
             "each step."},
        frame::SimCommandKind::SetCranes);
    if (cranes.mode == frame::CraneSearch::Off) return y;
    const Line<96> words("Searches of the last step: %s", bytes_text(cranes.arena.last_bytes).c_str());
    y = arena_row(pen, column, y, words, cranes.arena, true);
    y = wrapped(pen, column, y,
                Line<200>("Searches: %s. Served by the heap in part: %s. Ended without memory: %s.",
                          count_text(cranes.searches).c_str(), count_text(cranes.overflowed).c_str(),
                          count_text(cranes.ended).c_str()),
                kText);
    if (cranes.last_wanted_bytes > 0) {
      y = wrapped(pen, column, y,
                  Line<160>("The last one without room wanted %s more; %s were free.",
                            bytes_text(cranes.last_wanted_bytes).c_str(), bytes_text(cranes.last_free_bytes).c_str()),
                  kYellow);
    }
    return y + pen.px(10);
  }

  /// Every block where it lies, in rows; what is live has an edge, so that colour is not all.
  static float blocks(const Pen& pen, const Rect& column, float y, u32 units, u32 rows,
                      std::span<const frame::HeapBlockView> all) {
    const u32 in_row = std::max(1u, (units + rows - 1) / rows);
    const float wide = column.x1 - column.x0, unit = wide / static_cast<float>(in_row), high = pen.px(15);
    if (!pen.dry()) {
      for (u32 row = 0; row < rows; ++row) {
        const float top = y + static_cast<float>(row) * (high + pen.px(3));
        pen.fill({column.x0, top, column.x1, top + high}, IM_COL32(33, 38, 58, 255));
      }
      for (const frame::HeapBlockView& block : all) {
        if (!block.live) continue;
        for (u32 first = block.first, end = block.first + block.units; first < end;) {
          const u32 row = first / in_row, stop = std::min(end, (row + 1) * in_row);
          const float top = y + static_cast<float>(row) * (high + pen.px(3));
          const Rect box{column.x0 + unit * static_cast<float>(first - row * in_row), top,
                         column.x0 + unit * static_cast<float>(stop - row * in_row), top + high};
          pen.fill(box, IM_COL32(242, 136, 72, 255));
          pen.frame(box, kInk);
          first = stop;
        }
      }
    }
    return y + static_cast<float>(rows) * (high + pen.px(3)) + pen.px(3);
  }

  float small_console(const Pen& pen, const Rect& column, float y) const {
    if (model_.shooter != nullptr) return y;
    const frame::SmallConsoleView& console = memory_.console;
    y = heading(pen, column, y, "A small console");
    choose_mode(
        pen, column, y, frame::kConsoleModes,
        {.kind = ControlKind::ConsoleMode,
         .key = Action::Console,
         .wide = 250,
         .titles = {},
         .chosen = static_cast<std::size_t>(console.mode),
         .words =
             "Bolts, rings, sparks and marks of the spells live in 12 KiB: in one heap, or in a pool for each size."},
        frame::SimCommandKind::SetConsole);
    if (console.mode == frame::ConsoleMode::Off) return y;
    y = blocks(pen, column, y, console.units, 3, console.blocks);
    const Line<64> pieces(" in %u holes; the largest has %s", console.holes, bytes_text(console.largest_bytes).c_str());
    const bool one_heap = console.mode == frame::ConsoleMode::Heap;
    y = wrapped(pen, column, y,
                Line<200>("%s of %s are free%s. Spells that fizzled: %s.", bytes_text(console.free_bytes).c_str(),
                          bytes_text(console.total_bytes).c_str(), one_heap ? pieces.c_str() : "",
                          count_text(console.fizzled).c_str()),
                kText);
    if (console.fizzled > 0) {
      y = wrapped(pen, column, y,
                  Line<200>("The last one wanted %s: %s were free, the largest hole %s.",
                            bytes_text(console.last_wanted_bytes).c_str(), bytes_text(console.last_free_bytes).c_str(),
                            bytes_text(console.last_largest_bytes).c_str()),
                  kYellow);
    }
    return y + pen.px(10);
  }

  float stories(const Pen& pen, const Rect& column, float y) const {
    y = heading(pen, column, y, "Fourteen free, and no room for twelve");
    const float high = pen.px(26), wide = pen.px(150);
    const Rect button{column.x1 - wide, y, column.x1, y + high};
    if (labelled_button(pen, ControlKind::ReplayStory, 0, button, "Replay the story", {}, false))
      requests_.replay_story = true;
    constexpr std::string_view kWords =
        "The examples of two of the texts about pools, on this heap. A box is a byte of theirs, with one more for its "
        "tags "
        "before each object.";
    const float room = button.x0 - pen.px(14) - column.x0;
    pen.text_wrapped(Cut::Small, column.x0, y, room, kMuted, kWords);
    y += std::max(high, pen.wrapped_height(Cut::Small, kWords, room)) + pen.px(8);
    std::transform(memory_.stories.begin(), memory_.stories.end(), pen.layout().stories.begin(),
                   [](const frame::HeapStoryView& story) {
                     return Layout::StoryCounts{story.free, story.largest, story.refused};
                   });
    for (const frame::HeapStoryView& story : memory_.stories) {
      y = blocks(pen, column, y, story.units, 1, story.blocks);
      y = wrapped(pen, column, y,
                  Line<200>("The %.*s: %.*s %u are free, the largest piece has %u.",
                            static_cast<int>(story.source.size()), story.source.data(),
                            static_cast<int>(story.words.size()), story.words.data(), story.free, story.largest),
                  story.refused ? kYellow : kText);
      y += pen.px(6);
    }
    return y + pen.px(4);
  }

  float console_heap(const Pen& pen, const Rect& column, float y) const {
    y = heading(pen, column, y, "A heap that fragments");
    const frame::ConsoleHeapView& heap = memory_.lab;
    y = wrapped(pen, column, y,
                Line<200>("First fit over %s, as a small console had it; blocks of 16 to 335 bytes come and go.",
                          bytes_text(heap.total_bytes).c_str()));
    y += pen.px(6);
    y = blocks(pen, column, y, memory_.lab_units, 4, memory_.lab_blocks);
    y = wrapped(pen, column, y,
                Line<240>("%s are free in %u holes; the largest has %s. An object of %s was refused %s times although "
                          "so much was free.",
                          bytes_text(heap.free_bytes).c_str(), heap.holes, bytes_text(heap.largest_bytes).c_str(),
                          bytes_text(memory_.lab_asks_bytes).c_str(), count_text(heap.refused).c_str()),
                kText);
    if (memory_.particles_on_heap) {
      const frame::ConsoleHeapView& own = memory_.particles_heap;
      y += pen.px(3);
      y = wrapped(pen, column, y,
                  Line<240>("The particles live on such a heap now: %s, %s free in %s holes, the largest %s; most "
                            "holes in one search: %s. Blocks of one size "
                            "leave holes of that size: it cannot fail.",
                            bytes_text(own.total_bytes).c_str(), bytes_text(own.free_bytes).c_str(),
                            count_text(own.holes).c_str(), bytes_text(own.largest_bytes).c_str(),
                            count_text(own.longest_search).c_str()),
                  kText);
    }
    return y + pen.px(10);
  }

  float cell_sizes(const Pen& pen, const Rect& column, float y) const {
    y = heading(pen, column, y, "Objects of three sizes");
    const float line = pen.line_px(Cut::Small) + pen.px(5), wide = column.x1 - column.x0;
    const std::array<float, 5> right = {0.34f, 0.48f, 0.62f, 0.77f, 1.0f};
    const std::array<std::string_view, 5> heads = {"cell", "slots", "live", "held", "wasted in live cells"};
    for (std::size_t i = 0; i < heads.size(); ++i)
      pen.text_right(Cut::Small, column.x0 + wide * right[i], y, kMuted, heads[i]);
    y += line;
    u64 held = 0, wasted = 0;
    const auto row = [&](std::string_view name, const frame::TrayRow& cells, ImU32 ink) {
      pen.text(Cut::Small, column.x0, y, ink, name);
      pen.text_right(Cut::Small, column.x0 + wide * right[0], y, ink, bytes_text(cells.cell_bytes));
      pen.text_right(Cut::Small, column.x0 + wide * right[1], y, ink, count_text(cells.slots));
      pen.text_right(Cut::Small, column.x0 + wide * right[2], y, ink, count_text(cells.live));
      pen.text_right(Cut::Small, column.x0 + wide * right[3], y, ink, bytes_text(cells.bytes));
      pen.text_right(Cut::Small, column.x0 + wide * right[4], y, ink, bytes_text(cells.wasted_bytes));
      y += line;
    };
    for (const frame::TrayRow& cells : memory_.trays) {
      row(Line<32>("%.*s cells", static_cast<int>(cells.name.size()), cells.name.data()), cells, kText);
      held += cells.bytes;
      wasted += cells.wasted_bytes;
    }
    row("one size for all", memory_.one_size, kYellow);
    return wrapped(
        pen, column, y + pen.px(2),
        Line<240>("The same objects, in cells of their size: %s held and %s wasted; in slots as large as the largest: "
                  "%s and %s.",
                  bytes_text(held).c_str(), bytes_text(wasted).c_str(), bytes_text(memory_.one_size.bytes).c_str(),
                  bytes_text(memory_.one_size.wasted_bytes).c_str()));
  }

  const frame::PanelModel& model_;
  const MemoryView& memory_;
  frame::PanelRequests& requests_;
};

}  // namespace

Rect draw_memory(const Rect& free, const frame::PanelModel& model, const Pen& pen, frame::PanelRequests& requests) {
  const Memory memory(model, requests);
  return draw_headed_sheet(
      "##memory", free, 720, pen, [&](const Pen& at, const Rect& column) { return memory.head(at, column); },
      [&](const Pen& at, const Rect& column) { return memory.run(at, column); });
}

}  // namespace spellpool::ui
