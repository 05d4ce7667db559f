// The drawn things of a lesson: cells with their chain, bytes, heap maps, tables, calls.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "ui/kit/headline.hpp"
#include "ui/kit/page_map.hpp"
#include "ui/learn/learn.hpp"

namespace spellpool::ui {
namespace {

using frame::LessonCell;
using frame::LessonFigure;
using frame::LessonMark;
using frame::LessonTarget;

constexpr ImU32 kCellFill = IM_COL32(24, 27, 46, 255), kCellEdge = IM_COL32(96, 106, 150, 255);
constexpr ImU32 kTagFill = IM_COL32(52, 58, 84, 255), kRetiredFill = IM_COL32(92, 96, 106, 255);
constexpr float kLargestCellUnits = 80, kTitleGapUnits = 7, kFigureGapUnits = 14;
/// So many pools or more have their titles beside them, with less between them.
constexpr auto kPoolsInRows = 4;
constexpr std::size_t kMostInRow = 12;
constexpr float kTwoLines =
    2.1f;  ///< A cell's height in lines of text, for a number at its top and one below.
constexpr float kLeastCellPx = 14, kRowTitleUnits = 170, kRowGapUnits = 8;

ImU32 hue_colour(u8 hue, u8 alpha = 255) {
  const frame::LessonHue& h = frame::kLessonHues[hue % frame::kLessonHues.size()];
  return IM_COL32(h.r, h.g, h.b, alpha);
}
bool is_live(const LessonCell& cell) { return (cell.cell & 0x7f) >= kSlotLive; }
bool is_stolen(const LessonCell& cell) { return (cell.cell & kSlotStolen) != 0; }
float light_of(const LessonCell& cell) {
  return 1.0f - static_cast<float>((cell.cell & 0x7f) - kSlotLive) / static_cast<float>(kSlotAges);
}
ImU32 mark_colour(LessonMark mark) {
  return mark == LessonMark::Right ? kGreen : mark == LessonMark::Wrong ? kRed : kAccent;
}

class Figures {
 public:
  Figures(const frame::LessonView& view, float seconds, frame::LessonRequests& requests)
      : view_(view), seconds_(seconds), requests_(requests) {}

  /// Draws all of them from column.y0 on, with cells of at most `cell` px; returns where they end.
  float run(const Pen& pen, const Rect& column, float cell) const {
    float y = column.y0, gap = 0;
    const bool in_rows = shows_rows();
    for (const LessonFigure& figure : view_.figures) {
      if (in_rows && is_pool(figure)) {
        gap = pen.px(kRowGapUnits);
        y = pool_row(pen, {column.x0, y, column.x1, y}, figure, cell) + gap;
        continue;
      }
      pen.text_wrapped(Cut::Small, column.x0, y + pen.px(2), column.width(), kMuted, figure.title);
      y += pen.wrapped_height(Cut::Small, figure.title, column.width()) + pen.px(kTitleGapUnits);
      const Rect room{column.x0, y, column.x1, y};
      switch (figure.kind) {
        case LessonFigure::Kind::Cells:
          y = cells(pen, room, figure, cell);
          break;
        case LessonFigure::Kind::Bytes:
          y = bytes(pen, room, figure);
          break;
        case LessonFigure::Kind::Blocks:
          y = blocks(pen, room, figure, cell);
          break;
        case LessonFigure::Kind::Pages:
          y = pages(pen, room, figure, cell);
          break;
        case LessonFigure::Kind::Table:
          y = table(pen, room, figure);
          break;
        case LessonFigure::Kind::Calls:
          y = calls(pen, room, figure);
          break;
        case LessonFigure::Kind::Curve:
        case LessonFigure::Kind::Ratio:
        case LessonFigure::Kind::Card:
          y = draw_lesson_measured(pen, room, figure, cell);
          break;
        case LessonFigure::Kind::Console:
          y = draw_lesson_console(pen, room, figure, cell);
          break;
      }
      gap = pen.px(kFigureGapUnits);
      y += gap;
    }
    return y - gap;
  }

  /// The least side of a cell at which the numbers that a step asks about can be read in it.
  float least_cell(const Pen& pen) const {
    const bool serials = std::any_of(
        view_.figures.begin(), view_.figures.end(),
        [](const LessonFigure& figure) { return figure.serials || figure.lights || figure.generations; });
    const bool bytes = std::any_of(view_.figures.begin(), view_.figures.end(),
                                   [](const LessonFigure& figure) { return figure.first_bytes; });
    return std::max(serials ? pen.line_px(Cut::Small) * kTwoLines : 0.0f,
                    bytes ? pen.width(Cut::Mono, "00 00") + 1 : 0.0f);
  }
  /// The largest side at which the cells of such a pool stand in one row of `width` px.
  float widest_cell(const Pen& pen, float width) const {
    float widest = 1e9f;
    if (shows_rows()) width -= row_title(pen, width) + pen.px(10);
    for (const LessonFigure& figure : view_.figures) {
      const bool must = figure.serials || figure.lights || figure.first_bytes;
      if (!must || figure.cells.size() > kMostInRow) continue;
      widest = std::min(widest, (width + pen.px(5)) / static_cast<float>(figure.cells.size()) - pen.px(5));
    }
    return widest;
  }

 private:
  bool shows_rows() const {
    return std::count_if(view_.figures.begin(), view_.figures.end(), is_pool) >= kPoolsInRows;
  }
  static float row_title(const Pen& pen, float width) {
    return std::floor(std::min(width * 0.26f, pen.px(kRowTitleUnits)));
  }
  static bool is_pool(const LessonFigure& figure) { return figure.kind == LessonFigure::Kind::Cells; }

  // ---- cells
  float pool_row(const Pen& pen, const Rect& room, const LessonFigure& figure, float largest) const {
    const float title = row_title(pen, room.width());
    const float high = pen.wrapped_height(Cut::Small, figure.title, title);
    pen.text_wrapped(Cut::Small, room.x0, room.y0, title, kMuted, figure.title);
    const float end = cells(pen, {room.x0 + title + pen.px(10), room.y0, room.x1, room.y0}, figure, largest);
    return std::max(end, room.y0 + high);
  }
  float cells(const Pen& pen, const Rect& room, const LessonFigure& figure, float largest) const {
    const std::size_t count = std::max<std::size_t>(1, figure.cells.size());
    const float gap = pen.px(5);
    // Sparks that are in no slot yet are as large as those of a full row.
    const bool coming = !figure.cells.empty() && figure.cells.front().slot == frame::kNoCell;
    const std::size_t abreast = coming ? kMostInRow : std::min<std::size_t>(count, 18);
    const float fits = std::floor((room.width() + gap) / static_cast<float>(abreast)) - gap;
    const float side = std::max(pen.px(14), std::min(largest, fits));
    const auto columns =
        std::max<std::size_t>(1, static_cast<std::size_t>((room.width() + gap) / (side + gap)));
    const std::size_t rows = (count + columns - 1) / columns;
    const bool chained = std::any_of(figure.cells.begin(), figure.cells.end(),
                                     [](const LessonCell& cell) { return cell.link != frame::kNoCell; });
    const bool arrows = rows == 1 && chained;
    const auto box_of = [&](std::size_t i) {
      const float x = room.x0 + static_cast<float>(i % columns) * (side + gap);
      const float y = room.y0 + static_cast<float>(i / columns) * (side + gap);
      return Rect{x, y, x + side, y + side};
    };
    for (std::size_t i = 0; i < figure.cells.size(); ++i) cell(pen, box_of(i), figure, i);
    float y = room.y0 + static_cast<float>(rows) * (side + gap) - gap;
    if (figure.bits && rows == 1) y = bits(pen, figure, box_of, y + pen.px(3));
    if (figure.first_bytes && rows == 1) y = first_bytes(pen, figure, box_of, y + pen.px(3));
    if (arrows) {
      links(pen, figure, box_of, side);
      y += link_height(pen, figure, side);
    }
    if (!figure.chain.empty()) y = order(pen, {room.x0, y + pen.px(4), room.x1, y}, figure);
    return y;
  }

  void cell(const Pen& pen, const Rect& box, const LessonFigure& figure, std::size_t i) const {
    const LessonCell& cell = figure.cells[i];
    const bool live = is_live(cell);
    const float round = pen.px(6);
    if (!pen.dry()) {
      pen.fill(box, cell.cell == kSlotRetired ? kRetiredFill : kCellFill, round);
      pen.frame(box, faded(kCellEdge, live ? 0.9f : 0.45f), round);
      if (live) spark(pen, box, cell);
      // Within the cell, so that the frame of the focus does not hide it.
      if (is_stolen(cell)) pen.frame(box.inset(pen.px(3)), kRed, pen.px(4), std::max(1.5f, pen.px(2)));
    }
    if (figure.picks) {
      lesson_target(pen, box, {LessonTarget::Kind::Cell, static_cast<u16>(i)}, view_, requests_);
    }
    if (pen.dry()) return;
    const float small = pen.line_px(Cut::Small);
    const bool retired = cell.cell == kSlotRetired;
    // In a small cell the number would lie on its spark; it stands there only where a slot is to be found.
    const bool covers =
        live && small > box.height() * 0.38f && !figure.picks && !figure.generations && figure.chain.empty();
    const bool badge = is_stolen(cell) && cell.times_stolen > 1 && cell.mark == LessonMark::None;
    if (badge) {
      const Line<12> times("%u×", cell.times_stolen);
      pen.text_right(Cut::Small, box.x1 - pen.px(6), box.y0 + pen.px(3), kRed, times);
    }
    const float least = std::max(small * 1.5f, pen.width(Cut::Small, "00") + pen.px(6));
    if (!covers && cell.slot != frame::kNoCell && box.width() >= least) {
      pen.text(Cut::Small, box.x0 + pen.px(4), box.y0 + pen.px(1), live || retired ? kText : kMuted,
               Line<12>("%u", cell.slot));
    }
    const bool two_lines = box.height() >= small * kTwoLines;
    if (figure.serials && live && two_lines) {
      pen.text_right(Cut::Small, box.x1 - pen.px(4), box.y1 - small, kText,
                     Line<24>("#%llu", static_cast<unsigned long long>(cell.serial)));
    } else if (figure.lights && live && two_lines) {
      pen.text_right(Cut::Small, box.x1 - pen.px(4), box.y1 - small, kText, Line<8>("%u%%", cell.light));
    } else if (retired && two_lines && box.width() > pen.width(Cut::Small, "retired") + pen.px(8)) {
      pen.text_right(Cut::Small, box.x1 - pen.px(4), box.y1 - small, kText, "retired");
    } else if (figure.generations && !retired && two_lines) {
      pen.text_right(Cut::Small, box.x1 - pen.px(4), box.y1 - small, live ? kText : kMuted,
                     Line<24>("g%llu", static_cast<unsigned long long>(cell.generation)));
    }
    if (cell.mark == LessonMark::None) return;
    const ImU32 colour = mark_colour(cell.mark);
    pen.frame(box.inset(-pen.px(2)), colour, round + pen.px(2), std::max(2.0f, pen.px(2.5f)));
    // One pick needs no number, only a wrong one a cross. The badge lies in its cell, not between two.
    if (cell.mark != LessonMark::Wrong && view_.picks_wanted <= 1) return;
    const float radius = std::min(pen.px(9), box.width() * 0.2f);
    const ImVec2 at(box.x1 - radius - pen.px(3), box.y0 + radius + pen.px(3));
    pen.list()->AddCircleFilled(at, radius, colour, 20);
    const Line<12> sign("%s", cell.mark == LessonMark::Wrong ? "×" : "");
    const Line<12> number("%u", cell.order);
    pen.text_centred(Cut::Small, {at.x - radius, at.y - radius, at.x + radius, at.y + radius}, kInk,
                     cell.mark == LessonMark::Wrong ? std::string_view(sign) : std::string_view(number));
  }

  /// A sharp core and a soft halo, as all sparks have; dim near the end of its life.
  void spark(const Pen& pen, const Rect& box, const LessonCell& cell) const {
    const float light = light_of(cell), side = box.width();
    const float breath = 1.0f + 0.05f * std::sin(seconds_ * 2.1f + static_cast<float>(cell.slot) * 1.7f);
    const ImVec2 middle(box.middle_x(), box.middle_y());
    const u8 hue = cell.hue;
    constexpr int kRings = 9;
    for (int ring = 0; ring < kRings; ++ring) {
      const float share = 0.46f - 0.30f * static_cast<float>(ring) / static_cast<float>(kRings - 1);
      pen.list()->AddCircleFilled(middle, side * share * breath,
                                  hue_colour(hue, static_cast<u8>(5 + 11 * light)), 28);
    }
    pen.list()->AddCircleFilled(middle, side * 0.17f, hue_colour(hue, static_cast<u8>(90 + 165 * light)), 24);
    pen.list()->AddCircleFilled(middle, side * 0.08f, faded(kMoon, 0.35f + 0.65f * light), 16);
  }

  float link_height(const Pen& pen, const LessonFigure&, float side) const {
    return pen.px(16) + side * 0.55f;
  }

  /// From each free slot to the one that its bytes name: an arc below the cells, deeper the farther it
  /// leads.
  template <class BoxOf>
  void links(const Pen& pen, const LessonFigure& figure, const BoxOf& box_of, float side) const {
    if (pen.dry()) return;
    const float room = link_height(pen, figure, side) - pen.px(8);
    for (const LessonCell& cell : figure.cells) {
      if (cell.link == frame::kNoCell || cell.link >= figure.cells.size()) continue;
      const Rect from = box_of(cell.slot), to = box_of(cell.link);
      const float far = std::abs(static_cast<float>(cell.link) - static_cast<float>(cell.slot)) /
                        static_cast<float>(figure.cells.size());
      const float deep = from.y1 + std::max(pen.px(14), room * (0.35f + 0.65f * far)) * 1.25f;
      // An arrow leaves at the side to which it leads and arrives in the middle.
      const float shift = cell.link > cell.slot ? side * 0.26f : -side * 0.26f;
      const ImVec2 a(from.middle_x() + shift, from.y1 + pen.px(1)), b(to.middle_x(), to.y1 + pen.px(3));
      pen.list()->AddBezierCubic(a, ImVec2(a.x, deep), ImVec2(b.x, deep), b, kGreen,
                                 std::max(1.5f, pen.px(1.8f)), 24);
      const float tip = pen.px(4.5f);
      pen.list()->AddTriangleFilled(ImVec2(b.x - tip, b.y + tip * 1.4f), ImVec2(b.x + tip, b.y + tip * 1.4f),
                                    ImVec2(b.x, b.y - 1), kGreen);
    }
  }

  /// The bitmap's bit of each slot, read from whether it is free.
  template <class BoxOf>
  static float bits(const Pen& pen, const LessonFigure& figure, const BoxOf& box_of, float y) {
    const float high = pen.line_px(Cut::Mono);
    for (std::size_t i = 0; i < figure.cells.size(); ++i) {
      const Rect box = box_of(i);
      const bool free = figure.cells[i].cell == kSlotFree;
      pen.text_centred(Cut::Mono, {box.x0, y, box.x1, y + high}, free ? kGreen : kMuted, free ? "1" : "0");
    }
    return y + high + pen.px(2);
  }

  /// The first four bytes of each slot, in two lines; those of a free slot are bright.
  template <class BoxOf>
  static float first_bytes(const Pen& pen, const LessonFigure& figure, const BoxOf& box_of, float y) {
    const float high = pen.line_px(Cut::Mono);
    for (std::size_t i = 0; i < figure.cells.size(); ++i) {
      const Rect box = box_of(i);
      const std::array<u8, 4>& bytes = figure.cells[i].first_bytes;
      const ImU32 colour = is_live(figure.cells[i]) ? kMuted : kGreen;
      for (std::size_t half = 0; half < 2; ++half) {
        const float top = y + high * static_cast<float>(half);
        pen.text_centred(Cut::Mono, {box.x0, top, box.x1, top + high}, colour,
                         Line<8>("%02x %02x", bytes[2 * half], bytes[2 * half + 1]));
      }
    }
    return y + 2 * high + pen.px(2);
  }

  /// "Free, in order of use: 5, 2, 7". Lines between them only where a slot names the next one.
  float order(const Pen& pen, const Rect& room, const LessonFigure& figure) const {
    const float high = pen.line_px(Cut::Small) + pen.px(6);
    const bool linked = std::any_of(figure.cells.begin(), figure.cells.end(),
                                    [](const LessonCell& cell) { return cell.link != frame::kNoCell; });
    const std::string_view words = figure.bits ? "free, lowest first" : "free, in the order of use";
    pen.text(Cut::Small, room.x0, room.y0 + pen.px(3), kMuted, words);
    float x = room.x0 + pen.width(Cut::Small, words) + pen.px(10);
    for (std::size_t i = 0; i < figure.chain.size(); ++i) {
      const Line<12> number("%u", figure.chain[i]);
      const Rect box{x, room.y0, x + pen.width(Cut::Small, number) + pen.px(12), room.y0 + high};
      if (box.x1 > room.x1) break;
      if (!pen.dry()) {
        pen.fill(box, faded(kGreen, i == 0 ? 0.3f : 0.12f), pen.px(4));
        pen.frame(box, faded(kGreen, i == 0 ? 1.0f : 0.5f), pen.px(4));
        if (i > 0 && linked)
          pen.fill({x - pen.px(6), box.middle_y() - 1, x, box.middle_y() + 1}, faded(kGreen, 0.5f));
      }
      pen.text(Cut::Small, x + pen.px(6), room.y0 + pen.px(3), kText, number);
      x = box.x1 + pen.px(6);
    }
    return room.y0 + high;
  }

  // ---- bytes
  float bytes(const Pen& pen, const Rect& room, const LessonFigure& figure) const {
    const std::size_t count = figure.bytes.size();
    const float line = pen.line_px(Cut::Small);
    // Two rows where one would be too narrow to read; a member lies in one of them.
    const float wanted = pen.width(Cut::Mono, "00") + pen.px(3);
    const std::size_t per_row = room.width() / static_cast<float>(count) >= wanted ? count : count / 2;
    const float pitch = std::min(pen.px(30), room.width() / static_cast<float>(per_row));
    const float row_high = line * 3 + pen.px(16);
    const auto at = [&](std::size_t i) {
      return ImVec2(room.x0 + static_cast<float>(i % per_row) * pitch,
                    room.y0 + static_cast<float>(i / per_row) * row_high);
    };
    const bool live = figure.fields.size() > 1;
    const auto field_of = [&](std::size_t i) -> const frame::SlotField* {
      for (const frame::SlotField& field : figure.fields) {
        if (i >= field.offset && i < field.offset + field.bytes) return &field;
      }
      return nullptr;
    };
    for (std::size_t i = 0; i < count; ++i) {
      const ImVec2 p = at(i);
      const bool known = figure.fields.empty() || field_of(i) != nullptr;
      const Rect box{p.x, p.y, p.x + pitch - pen.px(2), p.y + line + pen.px(6)};
      pen.fill(box, known ? faded(live ? kAccent : kGreen, 0.2f) : kCellFill, pen.px(3));
      if (pen.dry()) continue;
      const Line<4> hex("%02x", figure.bytes[i]);
      pen.text(Cut::Mono, box.middle_x() - pen.width(Cut::Mono, hex) * 0.5f,
               pen.centre_y(Cut::Mono, box.y0, box.y1), known ? kText : faded(kMuted, 0.5f), hex);
    }
    for (const frame::SlotField& field : figure.fields) {
      const ImVec2 p = at(field.offset);
      const float wide = static_cast<float>(field.bytes) * pitch - pen.px(4), y = p.y + line + pen.px(8);
      pen.fill({p.x, y, p.x + wide, y + pen.px(2)}, live ? kAccent : kGreen);
      const float room_for = live ? wide : pitch * static_cast<float>(per_row) - (p.x - room.x0);
      pen.text_within(Cut::Small, p.x, y + pen.px(3), room_for, kMuted, field.name);
      pen.text_within(Cut::Small, p.x, y + pen.px(3) + line, room_for, kText, value(field, figure));
    }
    return room.y0 + static_cast<float>((count + per_row - 1) / per_row) * row_high;
  }

  static Line<32> value(const frame::SlotField& field, const LessonFigure& figure) {
    if (field.kind == frame::SlotFieldKind::Float) {
      float number = 0;
      std::memcpy(&number, figure.bytes.data() + field.offset, sizeof number);
      return Line<32>("%.4g", static_cast<double>(number));
    }
    u64 number = 0;
    std::memcpy(&number, figure.bytes.data() + field.offset,
                std::min<std::size_t>(field.bytes, sizeof number));
    if (field.bytes == 4 && number == 0xffffffffu) return Line<32>("none");
    return Line<32>("%llu", static_cast<unsigned long long>(number));
  }

  // ---- blocks
  /// The heap's bytes from left to right, in rows; a block that reaches over a row's end goes on in the
  /// next.
  float blocks(const Pen& pen, const Rect& room, const LessonFigure& figure, float largest) const {
    const u64 rows = figure.total_bytes > 1'024 ? 2 : 1, per_row = (figure.total_bytes + rows - 1) / rows;
    const float high = std::min(largest, pen.px(60)), gap = pen.px(8);
    const float per_byte = room.width() / static_cast<float>(per_row);
    const auto span = [&](u64 from, u64 to, const auto& draw) {
      while (from < to) {
        const u64 row = from / per_row, end = std::min(to, (row + 1) * per_row);
        const float y = room.y0 + static_cast<float>(row) * (high + gap);
        draw(Rect{room.x0 + static_cast<float>(from - row * per_row) * per_byte, y,
                  room.x0 + static_cast<float>(end - row * per_row) * per_byte, y + high},
             end - from);
        from = end;
      }
    };
    constexpr u64 kTag = 16;
    if (!pen.dry()) {
      span(0, figure.total_bytes, [&](const Rect& box, u64) { pen.fill(box, kTagFill, pen.px(3)); });
    }
    for (std::size_t i = 0; i < figure.blocks.size(); ++i) {
      const frame::LessonBlock& block = figure.blocks[i];
      bool first = true;
      span(block.offset + kTag, block.offset + block.bytes, [&](const Rect& whole, u64) {
        const Rect box{whole.x0 + 1, whole.y0, std::max(whole.x0 + 2, whole.x1 - 1), whole.y1};
        if (!pen.dry()) {
          pen.fill(box, block.free ? IM_COL32(12, 13, 26, 255) : hue_colour(block.hue, 205), pen.px(3));
          if (block.free) hatch(pen, box);
          pen.frame(box, block.free ? faded(kGreen, 0.7f) : faded(kMoon, 0.5f), pen.px(3));
        }
        // One target a block: its first part.
        if (figure.picks && first)
          lesson_target(pen, box, {LessonTarget::Kind::Cell, static_cast<u16>(i)}, view_, requests_);
        // A block over two rows has its size in the wider part, and dots in the other.
        const float all = static_cast<float>(block.bytes - kTag) * per_byte;
        const Line<32> bytes("%llu", static_cast<unsigned long long>(block.bytes - kTag));
        const std::string_view words =
            2 * whole.width() >= all ? std::string_view(bytes) : std::string_view("…");
        // A narrow hole's size may lie over the tags beside it.
        const float fits = block.free ? box.width() + 1.2f * kTag * per_byte : box.width() - pen.px(2);
        const float wide = pen.width(Cut::Small, words);
        if (wide < fits)
          pen.text(Cut::Small, box.middle_x() - wide * 0.5f, pen.centre_y(Cut::Small, box.y0, box.y1),
                   block.free ? kGreen : kInk, words);
        if (block.mark != LessonMark::None)
          pen.frame(box.inset(-pen.px(1)), mark_colour(block.mark), pen.px(4), pen.px(3));
        first = false;
      });
    }
    return room.y0 + static_cast<float>(rows) * (high + gap) - gap;
  }

  /// Free bytes are hatched, so that colour is not all.
  static void hatch(const Pen& pen, const Rect& box) {
    const float step = pen.px(9);
    pen.list()->PushClipRect(ImVec2(box.x0, box.y0), ImVec2(box.x1, box.y1), true);
    for (float x = std::floor(box.x0 / step) * step - box.height(); x < box.x1; x += step) {
      pen.list()->AddLine(ImVec2(x, box.y1), ImVec2(x + box.height(), box.y0), faded(kGreen, 0.16f), 1.0f);
    }
    pen.list()->PopClipRect();
  }

  // ---- pages
  float pages(const Pen& pen, const Rect& room, const LessonFigure& figure, float largest) const {
    const float high = std::clamp(largest * 0.36f, pen.px(5), pen.px(18));
    return draw_memory_pages(pen, room, figure.pages, high);
  }

  // ---- tables and calls
  float table(const Pen& pen, const Rect& room, const LessonFigure& figure) const {
    const float line = pen.line_px(Cut::Body) + pen.px(4);
    const std::size_t columns = std::max<std::size_t>(1, figure.header.size());
    const float first = std::min(room.width() * 0.3f, pen.px(150));
    const float wide = std::min(
        pen.px(130), (room.width() - first) / static_cast<float>(std::max<std::size_t>(1, columns - 1)));
    float y = room.y0;
    for (std::size_t i = 1; i < columns; ++i) {
      pen.text_right(Cut::Small, room.x0 + first + wide * static_cast<float>(i), y, kMuted, figure.header[i]);
    }
    y += pen.line_px(Cut::Small) + pen.px(4);
    pen.fill(
        {room.x0, y - pen.px(2), room.x0 + first + wide * static_cast<float>(columns - 1), y - pen.px(1)},
        kRule);
    for (const frame::LessonTableRow& row : figure.rows) {
      if (row.lit) pen.fill({room.x0, y, room.x1, y + line}, faded(kAccent, 0.2f), pen.px(3));
      pen.text_within(Cut::Body, room.x0, y, first, kText, row.label);
      for (std::size_t i = 0; i < row.values.size(); ++i) {
        pen.text_right(Cut::Body, room.x0 + first + wide * static_cast<float>(i + 1), y, kText,
                       row.values[i]);
      }
      y += line;
    }
    return y;
  }

  /// Call, result, and where it stands in the source; without the last where there is no room for all
  /// three.
  float calls(const Pen& pen, const Rect& room, const LessonFigure& figure) const {
    float y = room.y0;
    float site = 0;
    for (const frame::LessonTableRow& row : figure.rows)
      site = std::max(site, pen.width(Cut::Small, row.values[1]));
    if (site > room.width() * 0.25f) site = 0;
    const float call = std::floor((room.width() - site) * 0.56f);
    const float call_room = call - pen.px(12), result_room = room.width() - call - site - pen.px(12);
    for (std::size_t i = 0; i < figure.rows.size(); ++i) {
      const frame::LessonTableRow& row = figure.rows[i];
      const std::string_view result = row.values[0];
      const float high =
          std::max({pen.line_px(Cut::Small), pen.wrapped_height(Cut::Small, row.label, call_room),
                    pen.wrapped_height(Cut::Small, result, result_room)}) +
          pen.px(6);
      const bool last = i + 1 == figure.rows.size();
      if (last) pen.fill({room.x0, y, room.x1, y + high}, faded(kAccent, 0.2f), pen.px(4));
      const bool caught = result == "DoubleRelease" || result == "StaleHandle" || result == "ForeignHandle" ||
                          result.starts_with("null");
      const float top = y + pen.px(3);
      pen.text_wrapped(Cut::Small, room.x0 + pen.px(6), top, call_room, last ? kText : kMuted, row.label);
      pen.text_wrapped(Cut::Small, room.x0 + call, top, result_room,
                       caught ? kYellow
                       : last ? kText
                              : kMuted,
                       result);
      if (site > 0) pen.text_right(Cut::Small, room.x1 - pen.px(4), top, faded(kMuted, 0.7f), row.values[1]);
      y += high;
    }
    return y;
  }

  const frame::LessonView& view_;
  float seconds_;
  frame::LessonRequests& requests_;
};

}  // namespace

void draw_lesson_figures(const Rect& box, const frame::LessonView& view, float seconds, const Pen& pen,
                         frame::LessonRequests& requests) {
  const Figures figures(view, seconds, requests);
  const Rect column = box.inset(pen.px(6));
  float cell = pen.px(kLargestCellUnits), scale = pen.scale();
  const auto fits = [&] {
    const Pen dry(nullptr, scale, pen.layout());
    return figures.run(dry, {column.x0, 0, column.x1, 0}, cell) <= column.height();
  };
  const auto least_cell = [&] { return figures.least_cell(Pen(nullptr, scale, pen.layout())); };
  const auto shrink_cells = [&](float least) {
    while (cell > std::max(least, least_cell()) && !fits()) cell = std::floor(cell * 0.94f);
  };
  const auto shrink_text = [&](float least_px) {
    const float least = least_px / kCutUnits[1];
    while (scale > least && !fits()) scale = std::max(least, scale * 0.97f);
  };
  constexpr float kLeastScale = kLeastTextPx / kCutUnits[1];
  while (scale > kLeastScale &&
         least_cell() > figures.widest_cell(Pen(nullptr, scale, pen.layout()), column.width()))
    scale = std::max(kLeastScale, scale * 0.97f);
  // Cells and text take turns, so that neither becomes tiny while the other is large.
  const float text_px = pen.scale() * kCutUnits[1];
  shrink_cells(pen.px(30));
  shrink_text(std::max(kLeastTextPx, text_px * 0.8f));
  shrink_cells(std::max(kLeastCellPx, pen.px(14)));
  shrink_text(std::max(kLeastTextPx, text_px * 0.6f));
  shrink_cells(kLeastCellPx);
  shrink_text(kLeastTextPx);
  const float high = figures.run(Pen(nullptr, scale, pen.layout()), {column.x0, 0, column.x1, 0}, cell);
  Rect place = column;
  place.y0 += std::floor(std::max(0.0f, (column.height() - high) * 0.3f));
  figures.run(Pen(pen.list(), scale, pen.layout()), place, cell);
}

}  // namespace spellpool::ui
