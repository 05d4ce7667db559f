#include "ui/kit/page_map.hpp"

#include <algorithm>

namespace spellpool::ui {
namespace {

constexpr u32 kPageLines = kMemoryPageBytes / kCacheLineBytes;
constexpr ImU32 kEmptyLine = IM_COL32(24, 27, 46, 255), kHeldLine = IM_COL32(255, 132, 44, 90),
                kTouchedLine = IM_COL32(255, 132, 44, 230), kLineDot = IM_COL32(236, 240, 255, 255);

void draw_page(const Pen& pen, const Rect& row, const MemoryPage& page) {
  const float pitch = row.width() / static_cast<float>(kPageLines), high = row.height();
  for (u32 line = 0; line < kPageLines; ++line) {
    const float x = row.x0 + pitch * static_cast<float>(line);
    const Rect box{x, row.y0, x + pitch - 1, row.y1 - 1};
    const bool touched = (page.touched >> line & 1) != 0, held = (page.held >> line & 1) != 0;
    pen.fill(box, touched ? kTouchedLine : held ? kHeldLine : kEmptyLine, pen.px(2));
    if (touched && high > pen.px(8)) {
      pen.list()->AddCircleFilled(ImVec2(box.middle_x(), box.middle_y()), std::min(pitch, high) * 0.18f, kLineDot, 8);
    }
  }
}

}  // namespace

float draw_memory_pages(const Pen& pen, const Rect& room, std::span<const MemoryPage> pages, float row_px) {
  // Where all text is as small as can be read, the monospaced one, a little smaller, would be below that.
  const Cut cut = pen.scale() * kCutUnits[static_cast<std::size_t>(Cut::Mono)] < kLeastTextPx ? Cut::Small : Cut::Mono;
  const float name = pen.width(cut, "0000000") + pen.px(10);
  float y = room.y0, free_from = -1e9f;
  u64 before = pages.empty() ? 0 : pages.front().number;
  for (const MemoryPage& page : pages) {
    if (page.number > before + 1) {
      if (!pen.dry()) pen.fill({room.x0, y + pen.px(1), room.x1, y + pen.px(2)}, faded(kRule, 0.8f));
      y += pen.px(kPageRuleUnits);
    }
    before = page.number;
    if (!pen.dry()) {
      // As many addresses as have room: those of low rows would lie over each other.
      const float line = pen.line_px(cut) * 0.8f, top = y + 0.5f * (row_px - line);
      if (top >= free_from) {
        pen.text(cut, room.x0, pen.centre_y(cut, y, y + row_px), faded(kMuted, 0.7f),
                 Line<16>("%07llx", static_cast<unsigned long long>(page.number & 0xfffffff)));
        free_from = top + line;
      }
      draw_page(pen, {room.x0 + name, y, room.x1, y + row_px}, page);
    }
    y += row_px;
  }
  return y;
}

}  // namespace spellpool::ui
