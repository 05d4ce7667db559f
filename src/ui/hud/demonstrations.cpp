// Demonstrations of memory beside the game: an alert in the middle, a board with the memory itself, and the slots of a
// garden that looks like them.
#include <algorithm>
#include <array>
#include <cmath>

#include "frame/render_snapshot.hpp"
#include "frame/views/shooter_view.hpp"
#include "ui/kit/parts.hpp"

namespace spellpool::ui {
namespace {

using frame::Action;
using frame::PanelModel;

constexpr float kAlert_s = 4.0f, kAlertFade_s = 0.4f, kBoardUnits = 306;
constexpr ImU32 kHeapBlock = IM_COL32(230, 159, 0, 255), kPoolBlock = IM_COL32(77, 179, 255, 255),
                kFreeBlock = IM_COL32(33, 38, 58, 255);
/// Of the rows of frame::SlotSharingView.
constexpr std::array<ImU32, 6> kKinds = {IM_COL32(240, 150, 60, 255),  IM_COL32(255, 99, 97, 255),
                                         IM_COL32(120, 200, 255, 255), IM_COL32(246, 226, 120, 255),
                                         IM_COL32(94, 212, 143, 255),  IM_COL32(174, 160, 255, 255)};

/// The inside of the board; the pen may be dry.
class Board {
 public:
  Board(const PanelModel& model, const Pen& pen, const Rect& box)
      : model_(model), pen_(pen), left_(box.x0 + pen.px(10)), right_(box.x1 - pen.px(10)), y_(box.y0 + pen.px(8)) {}

  /// Returns the height.
  float run(float top) {
    const frame::MemoryView& memory = model_.memory;
    if (memory.console.mode != frame::ConsoleMode::Off)
      console(memory.console);
    else if (memory.sharing.mode != frame::SlotSharing::Off)
      sharing(memory.sharing);
    else if (memory.cranes.mode != frame::CraneSearch::Off)
      cranes(memory.cranes);
    return y_ + pen_.px(4) - top;
  }

 private:
  void heading(std::string_view words, Action action) {
    const std::string_view key = key_label(model_, action);
    const float cap = pen_.key_cap_width(key), high = pen_.px(22);
    pen_.text_within(Cut::Strong, left_, pen_.centre_y(Cut::Strong, y_, y_ + high), right_ - left_ - cap - pen_.px(8),
                     kText, words);
    if (!pen_.dry()) pen_.key_cap(right_ - cap, y_, y_ + high, key);
    y_ += high + pen_.px(6);
  }
  void line(std::string_view words, ImU32 ink) {
    pen_.text_wrapped(Cut::Small, left_, y_, right_ - left_, ink, words);
    y_ += pen_.wrapped_height(Cut::Small, words, right_ - left_) + pen_.px(3);
  }
  float at(float share) const { return left_ + std::floor((right_ - left_) * std::clamp(share, 0.0f, 1.0f)); }

  void console(const frame::SmallConsoleView& view) {
    const bool heap = view.mode == frame::ConsoleMode::Heap;
    heading(heap ? "Small console: one heap" : "Small console: pools", Action::Console);
    constexpr u32 kRows = 3;
    const u32 in_row = std::max(1u, (view.units + kRows - 1) / kRows);
    const float unit = (right_ - left_) / static_cast<float>(in_row), high = pen_.px(12), gap = pen_.px(2);
    for (u32 row = 0; row < kRows; ++row) {
      const float top = y_ + static_cast<float>(row) * (high + gap);
      pen_.fill({left_, top, right_, top + high}, kFreeBlock);
    }
    if (!pen_.dry()) {
      for (const frame::HeapBlockView& block : view.blocks) {
        for (u32 first = block.first, end = block.first + block.units; first < end;) {
          const u32 row = first / in_row, stop = std::min(end, (row + 1) * in_row);
          const float top = y_ + static_cast<float>(row) * (high + gap);
          const Rect box{left_ + unit * static_cast<float>(first - row * in_row), top,
                         left_ + unit * static_cast<float>(stop - row * in_row), top + high};
          if (block.live) pen_.fill(box, heap ? kHeapBlock : kPoolBlock);
          if (block.live || !heap) pen_.frame(box, kInk);
          first = stop;
        }
      }
    }
    y_ += static_cast<float>(kRows) * (high + gap) + pen_.px(4);
    // What a spell needs, to the same scale.
    constexpr u32 kSpellBytes = 320, kUnitBytes = 16;
    const Rect spell{left_, y_ + pen_.px(3), left_ + unit * static_cast<float>(kSpellBytes / kUnitBytes),
                     y_ + pen_.px(3) + high};
    pen_.frame(spell, kText, 0, std::max(1.0f, pen_.px(1)));
    pen_.text(Cut::Small, spell.x1 + pen_.px(6), y_, kText,
              heap ? Line<32>("a spell: %u B", kSpellBytes) : Line<32>("a spell: a slot of %u B", kSpellBytes));
    y_ += pen_.line_px(Cut::Small) + pen_.px(4);
    const Line<32> free = bytes_text(view.free_bytes), whole = bytes_text(view.total_bytes);
    line(heap ? Line<96>("%s of %s are free, in %u holes", free.c_str(), whole.c_str(), view.holes)
              : Line<96>("%s of %s are free, in slots of six sizes", free.c_str(), whole.c_str()),
         kText);
    if (heap) line(Line<64>("largest hole now: %s", bytes_text(view.largest_bytes).c_str()), kText);
    line(Line<64>("spells that fizzled: %s", count_text(view.fizzled).c_str()), view.fizzled > 0 ? kYellow : kMuted);
  }

  void sharing(const frame::SlotSharingView& view) {
    const bool shared = view.mode == frame::SlotSharing::Shared;
    heading(shared ? "One shared pool: 1,000 slots" : "Separate pools: 1,000 slots", Action::FewSlots);
    const float high = pen_.px(12);
    if (shared) {
      pen_.fill({left_, y_, right_, y_ + high}, kFreeBlock);
      u32 before = 0;
      for (std::size_t i = 0; i < view.rows.size(); ++i) {
        const float x0 = at(static_cast<float>(before) / static_cast<float>(frame::kSharedSlots));
        before += view.rows[i].live;
        const float x1 = at(static_cast<float>(before) / static_cast<float>(frame::kSharedSlots));
        if (x1 > x0) pen_.fill({x0, y_, x1, y_ + high}, kKinds[i]);
      }
      y_ += high + pen_.px(5);
      legend(view);
      line(Line<64>("taken: %s of 1,000", count_text(view.taken).c_str()),
           view.taken + 10 >= frame::kSharedSlots ? kYellow : kText);
    } else {
      for (std::size_t i = 0; i < 4; ++i)
        pool_row(view.rows[i], kKinds[i]);  // what flies and what comes; the rest is little
    }
    const u64 missing = view.rows[view.enemies].refused;
    line(Line<64>("enemies that got no slot: %s", count_text(missing).c_str()), missing > 0 ? kRed : kMuted);
  }
  void legend(const frame::SlotSharingView& view) {
    const float wide = (right_ - left_) / 2, text = pen_.line_px(Cut::Small) + pen_.px(2), mark = pen_.px(9);
    for (std::size_t i = 0; i < 4; ++i) {
      const float x = left_ + wide * static_cast<float>(i % 2), y = y_ + text * static_cast<float>(i / 2);
      pen_.fill({x, y + pen_.px(3), x + mark, y + pen_.px(3) + mark}, kKinds[i]);
      const frame::SlotShareRow& row = view.rows[i];
      pen_.text_within(
          Cut::Small, x + mark + pen_.px(6), y, wide - mark - pen_.px(8), kText,
          Line<64>("%.*s %s", static_cast<int>(row.name.size()), row.name.data(), count_text(row.live).c_str()));
    }
    y_ += text * 2 + pen_.px(2);
  }
  void pool_row(const frame::SlotShareRow& row, ImU32 ink) {
    const float high = pen_.line_px(Cut::Small) + pen_.px(2), name = pen_.px(70), number = pen_.px(74);
    pen_.text_within(Cut::Small, left_, y_, name, kText, row.name);
    const Rect bar{left_ + name, y_ + pen_.px(3), right_ - number, y_ + high - pen_.px(4)};
    const float share = static_cast<float>(row.live) / static_cast<float>(std::max(1u, row.slots));
    pen_.fill(bar, kFreeBlock);
    pen_.fill({bar.x0, bar.y0, bar.x0 + std::floor(bar.width() * std::min(1.0f, share)), bar.y1}, ink);
    pen_.text_right(Cut::Small, right_, y_, row.live >= row.slots ? kYellow : kText,
                    Line<32>("%u of %u", row.live, row.slots));
    y_ += high + pen_.px(1);
  }

  void cranes(const frame::CraneSearchView& view) {
    const bool heap = view.mode == frame::CraneSearch::Heap;
    heading(heap ? "Search arena, then heap" : "Search arena, then nullptr", Action::Cranes);
    const float whole = static_cast<float>(std::max<u64>(1, view.arena.capacity_bytes)), high = pen_.px(12);
    const float last = static_cast<float>(view.arena.last_bytes) / whole;
    pen_.fill({left_, y_, right_, y_ + high}, kFreeBlock);
    pen_.fill({left_, y_, at(last), y_ + high}, last > 1.0f ? kYellow : kGreen);
    const float peak = std::min(right_ - pen_.px(2), at(static_cast<float>(view.arena.peak_bytes) / whole));
    pen_.fill({peak, y_ - pen_.px(2), peak + pen_.px(2), y_ + high + pen_.px(2)}, kText);
    y_ += high + pen_.px(5);
    line(Line<96>("this step took %s; the arena has %s", bytes_text(view.arena.last_bytes).c_str(),
                  bytes_text(view.arena.capacity_bytes).c_str()),
         kText);
    line(Line<96>("searches: %s", count_text(view.searches).c_str()), kText);
    if (heap)
      line(Line<96>("served by the heap in part: %s", count_text(view.overflowed).c_str()),
           view.overflowed > 0 ? kYellow : kMuted);
    else
      line(Line<96>("ended without memory: %s", count_text(view.ended).c_str()), view.ended > 0 ? kRed : kMuted);
  }

  const PanelModel& model_;
  const Pen& pen_;
  float left_, right_, y_;
};

}  // namespace

void draw_alert(const Rect& free, const UiState& state, const Pen& pen) {
  const AlertState& alert = state.alert;
  if (alert.serial == 0 || alert.age_s >= kAlert_s || !pen.layout().of(Part::SwitchBanner).empty()) return;
  const float pad = pen.px(16), sign = pen.px(26), gap = pen.px(12);
  const float most = std::min(free.width(), pen.px(560)), room = most - pad * 2 - sign - gap;
  if (room < pen.px(120)) return;
  const float text_wide = std::min(room, pen.width(Cut::Body, alert.text()));
  const float wide = pad * 2 + sign + gap + std::min(room, std::max(text_wide, pen.width(Cut::Large, alert.title())));
  const float title_high = pen.wrapped_height(Cut::Large, alert.title(), room);
  const float text_high = pen.wrapped_height(Cut::Body, alert.text(), room);
  const float high = pen.px(10) + title_high + pen.px(4) + text_high + pen.px(12);
  const float y = std::floor(free.y0 + std::max(0.0f, free.height() - high) * 0.15f);
  const Rect box{std::floor(free.middle_x() - wide * 0.5f), y, std::floor(free.middle_x() + wide * 0.5f), y + high};
  if (box.y1 > free.y1) return;
  const float seen = std::clamp((kAlert_s - alert.age_s) / kAlertFade_s, 0.0f, 1.0f);
  const bool bad = alert.tone == frame::AlertView::Tone::Bad;
  const ImU32 colour = bad ? kYellow : kBlue;
  pen.fill(box, faded(kPanelFill, seen), pen.px(10));
  pen.frame(box, faded(colour, seen), pen.px(10), std::max(1.0f, pen.px(2)));
  const ImVec2 centre(box.x0 + pad + sign * 0.5f, box.middle_y());
  pen.list()->AddCircleFilled(centre, sign * 0.5f, faded(colour, seen), 24);
  const Rect mark{centre.x - sign * 0.5f, centre.y - sign * 0.5f, centre.x + sign * 0.5f, centre.y + sign * 0.5f};
  if (bad) {
    pen.text_centred(Cut::Strong, mark, faded(kInk, seen), "!");
  } else {  // a tick
    const float s = sign * 0.22f, thick = std::max(2.0f, pen.px(3));
    pen.list()->AddLine(ImVec2(centre.x - s, centre.y), ImVec2(centre.x - s * 0.2f, centre.y + s * 0.8f),
                        faded(kInk, seen), thick);
    pen.list()->AddLine(ImVec2(centre.x - s * 0.2f, centre.y + s * 0.8f),
                        ImVec2(centre.x + s * 1.1f, centre.y - s * 0.8f), faded(kInk, seen), thick);
  }
  const float left = box.x0 + pad + sign + gap;
  pen.text_wrapped(Cut::Large, left, box.y0 + pen.px(8), room, faded(kText, seen), alert.title());
  pen.text_wrapped(Cut::Body, left, box.y0 + pen.px(12) + title_high, room, faded(kText, seen), alert.text());
  pen.layout().of(Part::Alert) = box;
}

bool has_load_board(const PanelModel& model) {
  const frame::MemoryView& memory = model.memory;
  return memory.console.mode != frame::ConsoleMode::Off || memory.sharing.mode != frame::SlotSharing::Off ||
         memory.cranes.mode != frame::CraneSearch::Off;
}

void draw_load_board(Rect& rest, const PanelModel& model, const Pen& pen) {
  if (!has_load_board(model)) return;
  const float wide = pen.px(kBoardUnits);
  if (wide > rest.width()) return;
  const Pen dry(nullptr, pen.scale(), pen.layout());
  const float high = Board(model, dry, {rest.x0, 0, rest.x0 + wide, 0}).run(0);
  const Rect place = take_top(rest, high, pen.px(6));
  if (place.empty()) return;
  const Rect box{place.x0, place.y0, place.x0 + wide, place.y1};
  pen.panel(box);
  Board(model, pen, box).run(box.y0);
  pen.layout().of(Part::LoadBoard) = box;
}

void draw_field_marks(const frame::ShooterView& view, const Pen& pen) {
  const Rect field = shooter_field();
  const float unit = field.height() / frame::kViewHeight;
  for (const frame::LostCrane& crane : view.lost_cranes) {
    const std::string_view words = "no memory, no way";
    const float wide = pen.width(Cut::Small, words) + pen.px(12), high = pen.line_px(Cut::Small) + pen.px(4);
    const float x = std::floor(std::clamp(field.middle_x() + crane.x * unit - wide * 0.5f, field.x0, field.x1 - wide));
    const float y = std::floor(field.middle_y() + (crane.y + 30.0f) * unit);
    if (y < field.y0 || y + high > field.y1) continue;
    pen.fill({x, y, x + wide, y + high}, faded(kPanelFill, 0.85f), pen.px(6));
    pen.frame({x, y, x + wide, y + high}, faded(kYellow, 0.8f), pen.px(6));
    pen.text(Cut::Small, x + pen.px(6), y + pen.px(2), kYellow, words);
  }
  for (const frame::GardenChunk& chunk : view.garden) {
    const Line<24> words("slot %u", chunk.slot);
    const float wide = pen.width(Cut::Small, words) + pen.px(12), high = pen.line_px(Cut::Small) + pen.px(4);
    const float x = field.x0 + pen.px(8), y = std::floor(field.middle_y() + chunk.y * unit) + pen.px(6);
    if (y < field.y0 || y + high > field.y1) continue;
    pen.fill({x, y, x + wide, y + high}, faded(kPanelFill, 0.7f), pen.px(6));
    pen.text(Cut::Small, x + pen.px(6), y + pen.px(2), kText, words);
  }
}

}  // namespace spellpool::ui
