#include "ui/panels/slot_panel.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "ui/kit/controls.hpp"
#include "ui/kit/parts.hpp"
#include "ui/kit/sheet.hpp"

namespace spellpool::ui {
namespace {

using frame::Action;
using frame::SlotMapView;

constexpr float kLargestCell = 40.0f;   // design units
constexpr float kNumberedCell = 24.0f;  // from here on a cell has room for words
constexpr float kLeastPicture = 60.0f;  // design units
constexpr float kSingleCell = 46.0f;    // as wide as a single place should be, design units
constexpr float kMostOfTheWindow = 0.64f;  // of the height: the game must be seen above
constexpr float kFlight_s = 0.45f;
constexpr float kChainCell_px = 2.0f;   // in smaller ones a line would hide more than it shows

ImU32 colour_of(u8 cell, u8 alpha = 255) {
  const frame::SlotColour colour = frame::slot_colour(cell);
  return IM_COL32(colour.r, colour.g, colour.b, alpha);
}

bool dark_ink(u8 cell) {
  const frame::SlotColour c = frame::slot_colour(cell);
  return c.r * 3 + c.g * 6 + c.b > 1300;
}

bool is_live(u8 cell) { return (cell & 0x7f) >= kSlotLive; }

/// A letter beside each colour.
char letter_of(u8 cell) {
  if ((cell & kSlotStolen) != 0) return 'S';
  if (cell == kSlotFilled) return 'D';
  if (cell == kSlotRetired) return 'R';
  return cell >= kSlotLive ? 'L' : 'F';
}

std::string_view place_word(PlaceKind places) {
  switch (places) {
    case PlaceKind::Rows: return "row";
    case PlaceKind::Pointers: return "pointer";
    case PlaceKind::Cells: break;
  }
  return "slot";
}

std::string_view places_words(PlaceKind places) {
  switch (places) {
    case PlaceKind::Rows: return "rows: the living lie packed at the front, and move when one before them dies";
    case PlaceKind::Pointers: return "pointers, packed; the objects themselves lie anywhere in the heap";
    case PlaceKind::Cells: break;
  }
  return "slots: each keeps its place in memory from birth to death";
}

/// A value of the object, as short as there is room; "" where there is none.
Line<24> value_text(const frame::SlotField& field, const u8* bytes, const Pen& pen, float room) {
  Line<24> text("%s", "");
  const auto fits = [&](const Line<24>& words) { return pen.width(Cut::Small, words) <= room; };
  if (field.kind == frame::SlotFieldKind::Float) {
    float value = 0;
    std::memcpy(&value, bytes, sizeof value);
    text = Line<24>("%.4g", static_cast<double>(value));
    if (!fits(text)) text = Line<24>("%.2g", static_cast<double>(value));
  } else if (field.kind != frame::SlotFieldKind::Bytes && field.bytes <= sizeof(u64)) {
    u64 value = 0;
    std::memcpy(&value, bytes, field.bytes);
    const u64 sign = u64{1} << (field.bytes * 8 - 1);
    const bool negative = field.kind == frame::SlotFieldKind::Signed && (value & sign) != 0;
    if (negative)
      text = Line<24>("-%llu", static_cast<unsigned long long>((~value & (sign - 1)) + 1));
    else
      text = Line<24>("%llu", static_cast<unsigned long long>(value));
    if (!fits(text) && !negative) text = Line<24>("%.3g", static_cast<double>(value));
  }
  return fits(text) ? text : Line<24>("%s", "");
}

class SlotBody {
 public:
  SlotBody(const Pen& pen, const frame::PanelModel& model, UiState& state, frame::PanelRequests& requests,
           const Rect& box)
      : pen_(pen), model_(model), map_(model.slot_map), state_(state), requests_(requests), box_(box), y_(box.y0) {}

  float head() {
    if (panel_header(pen_, {box_.x0, y_, box_.x1, y_ + pen_.px(24)}, "Slot map", key_label(model_, Action::SlotMap),
                     ClosePanel::SlotMap)) {
      requests_.ask(Action::SlotMap);
    }
    return y_ + pen_.px(24) + pen_.px(4);
  }

  /// As high as the box, or as it must be.
  float run() {
    controls();
    const float below =
        chain_strip_height() + pen_.px(12) + singles_height() + legend(true) + pen_.px(6) + detail(true);
    follow();
    state_.slots.wanted.place = state_.slots.pinned;
    if (!map_.ready || map_.cells.size() > frame::kSlotWindow) {
      const Rect area{box_.x0, y_, box_.x1,
                      std::max(y_ + pen_.px(kLeastPicture), box_.y1 - below - pen_.px(8))};
      picture(area);
      y_ = area.y1 + pen_.px(8);
    }
    y_ += chain_strip() + pen_.px(4);
    y_ += singles() + pen_.px(8);
    choose_window();
    fly();
    y_ += legend(false) + pen_.px(6);
    y_ += detail(false);
    return y_;
  }

 private:
  const frame::PoolRow* row() const { return state_.pool < model_.pools.size() ? &model_.pools[state_.pool] : nullptr; }

  /// What is shown, at the left; what can be done, at the right.
  void controls() {
    const float high = pen_.px(24), space = pen_.px(6);
    float right = box_.x1;
    bool one_line = true;
    const auto button = [&](Action action, std::string_view label, bool on) {
      const std::string_view key = key_label(model_, action);
      const float wide =
          std::min(box_.width(), pen_.width(Cut::Small, label) + pen_.key_cap_width(key) + pen_.px(26));
      if (right - wide < box_.x0) {
        right = box_.x1;
        y_ += high + pen_.px(4);
        one_line = false;
      }
      const Rect at{right - wide, y_, right, y_ + high};
      right = at.x0 - space;
      if (labelled_button(pen_, ControlKind::SlotButton, static_cast<std::size_t>(action), at, label, key, on))
        requests_.ask(action);
    };
    button(Action::SlowMotion, "Slow motion", model_.slow_motion);
    if (!key_label(model_, Action::FollowSlot).empty() && model_.shooter == nullptr) {
      button(Action::FollowSlot, "Follow", state_.slots.pinned != SlotMapView::kNoPlace);
    }
    button(Action::Trim, "Trim", false);
    button(Action::FillBytes, "Fill bytes", row() != nullptr && row()->fills);
    const frame::PoolRow* pool = row();
    if (pool == nullptr) {
      y_ += high + pen_.px(6);
      return;
    }
    const std::string_view name = frame::kPools[static_cast<std::size_t>(pool->pool)].name;
    const std::string_view title = pool->strategy < model_.strategies.size()
                                       ? model_.strategies[pool->strategy].title
                                       : std::string_view();
    const Line<192> words("%.*s, %.*s: %s %.*s", static_cast<int>(name.size()), name.data(),
                          static_cast<int>(title.size()), title.data(), count_text(map_.cells.size()).c_str(),
                          static_cast<int>(places_words(map_.places).size()),
                          places_words(map_.places).data());
    // Beside the buttons, or below them where that is too narrow.
    const bool beside = one_line && pen_.width(Cut::Small, words) <= right - box_.x0;
    if (beside) pen_.text(Cut::Small, box_.x0, pen_.centre_y(Cut::Small, y_, y_ + high), kMuted, words);
    y_ += high + pen_.px(6);
    if (!beside) y_ += wrapped(y_, kMuted, words) + pen_.px(4);
  }

  /// Returns the height.
  float wrapped(float y, ImU32 ink, std::string_view words) {
    pen_.text_wrapped(Cut::Small, box_.x0, y, box_.width(), ink, words);
    return pen_.wrapped_height(Cut::Small, words, box_.width());
  }

  void picture(const Rect& area) {
    SlotGrid grid = slot_grid(static_cast<u32>(map_.cells.size()), area.width(), area.height(), pen_.px(kLargestCell));
    state_.slots.wanted.columns = grid.columns;
    state_.slots.wanted.per_texel = grid.per_texel;
    const Press press = press_area(pen_, ControlKind::SlotMap, 0, area);
    if (pen_.dry() || map_.cells.empty()) return;
    if (map_.texture == 0 || map_.columns == 0) return;
    if (map_.columns != grid.columns || map_.per_texel != grid.per_texel) {  // made for another size: for one frame as it is
      grid.columns = map_.columns;
      grid.per_texel = map_.per_texel;
      const u32 texels = (static_cast<u32>(map_.cells.size()) + grid.per_texel - 1) / grid.per_texel;
      grid.rows = (texels + grid.columns - 1) / grid.columns;
      const float fits = std::min(area.width() / static_cast<float>(grid.columns),
                                  area.height() / static_cast<float>(std::max(1u, grid.rows)));
      grid.cell_px = std::max(1.0f, std::floor(fits));
      if (grid.cell_px * static_cast<float>(grid.rows) > area.height() + 0.5f) return;
    }
    const float x0 = area.x0, y0 = area.y0, cell = grid.cell_px;
    ImDrawList& list = *pen_.list();
    list.AddImage((ImTextureID)(std::intptr_t)map_.texture, ImVec2(x0, y0),
                  ImVec2(x0 + cell * static_cast<float>(grid.columns), y0 + cell * static_cast<float>(grid.rows)));
    if (cell >= 4) {  // gaps between cells
      const float right = x0 + cell * static_cast<float>(grid.columns),
                  bottom = y0 + cell * static_cast<float>(grid.rows);
      for (u32 column = 1; column < grid.columns; ++column) {
        const float x = x0 + cell * static_cast<float>(column);
        list.AddRectFilled(ImVec2(x - 1, y0), ImVec2(x, bottom), kPanelInk);
      }
      for (u32 line = 1; line <= grid.rows; ++line) {
        const float y = y0 + cell * static_cast<float>(line);
        list.AddRectFilled(ImVec2(x0, y - 1), ImVec2(right, y), kPanelInk);
      }
    }
    const auto cell_of = [&](u32 place) {
      const u32 texel = place / grid.per_texel;
      const float x = x0 + cell * static_cast<float>(texel % grid.columns),
                  y = y0 + cell * static_cast<float>(texel / grid.columns);
      return Rect{x, y, x + cell, y + cell};
    };
    if (cell >= pen_.px(kNumberedCell)) numbers(cell_of);
    chain(cell_of, cell);
    for (const u32 lit : {map_.pointed, map_.place}) {
      if (lit >= map_.cells.size()) continue;
      const Rect at = cell_of(lit).inset(-std::max(1.0f, pen_.px(1)));
      pen_.frame(at, kText, 0, std::max(1.0f, pen_.px(1)));
      // A cell of a few pixels is not found by its frame.
      if (cell < pen_.px(10))
        list.AddCircle(ImVec2(at.middle_x(), at.middle_y()), pen_.px(8), kText, 24,
                       std::max(1.0f, pen_.px(1.5f)));
    }
    if (map_.pointed < map_.cells.size()) lit_cell_ = cell_of(map_.pointed);
    if (!press.hovered) return;
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    const u32 column = static_cast<u32>(std::max(0.0f, mouse.x - x0) / cell),
              line = static_cast<u32>(std::max(0.0f, mouse.y - y0) / cell);
    const u32 place = (line * grid.columns + column) * grid.per_texel;
    if (column >= grid.columns || place >= map_.cells.size()) return;
    look_at(place, press.pressed);
  }

  /// The mouse is over this place.
  void look_at(u32 place, bool pressed) {
    hovered_ = state_.slots.wanted.place = place;
    if (pressed) state_.slots.pinned = state_.slots.pinned == place ? SlotMapView::kNoPlace : place;
  }

  /// Takes up what the key asked for, and lets go of another pool's place.
  void follow() {
    SlotMapState& slots = state_.slots;
    if (slots.pool != state_.pool) {
      slots.pinned = SlotMapView::kNoPlace;
      slots.wanted.window = 0;
      slots.before_count = slots.flight_count = 0;
    }
    slots.pool = state_.pool;
    if (!slots.follow || !map_.ready || pen_.dry()) return;
    slots.follow = false;
    slots.pinned = slots.pinned == SlotMapView::kNoPlace ? map_.place : SlotMapView::kNoPlace;
  }

  /// The places that are shown one by one: those around the one that is followed, or pointed at in the
  /// picture; while time stands still also in the game.
  void choose_window() {
    if (pen_.dry() || !map_.ready) return;
    u32& first = state_.slots.wanted.window;
    u32 middle = state_.slots.pinned;
    if (middle == SlotMapView::kNoPlace) middle = hovered_;
    if (middle == SlotMapView::kNoPlace && model_.paused) middle = map_.pointed;
    // Nothing is chosen, and nothing lives where the window is: to where the next object will.
    const bool lives =
        std::ranges::any_of(map_.window, [](const frame::SlotCell& cell) { return is_live(cell.cell); });
    if (middle == SlotMapView::kNoPlace && !lives && !map_.next.empty()) middle = map_.next.front();
    if (middle != SlotMapView::kNoPlace) first = middle / frame::kSlotWindow * frame::kSlotWindow;
    if (first >= map_.cells.size()) first = 0;
  }

  // ------------------------------------------------------------------------- the chain and the single places

  float chain_strip_height() const { return pen_.line_px(Cut::Small) + pen_.px(5); }
  /// The free slots in the order in which they will be used, as far as there is room. Returns the height.
  float chain_strip() {
    const float high = chain_strip_height(), side = pen_.px(4);
    const std::string_view words = map_.free == 0 && map_.ready ? "no slot is free"
                                   : !map_.next.empty()         ? (map_.chained ? "free chain" : "next")
                                   : map_.places == PlaceKind::Pointers
                                       ? "free: the heap decides which block is next"
                                       : "free: which one is next is not known";
    if (pen_.dry()) return high;
    pen_.text(Cut::Small, box_.x0, y_ + pen_.px(2), kMuted, words);
    float x = box_.x0 + pen_.width(Cut::Small, words) + pen_.px(10);
    chain_head_ = {x, y_, x + pen_.px(24), y_ + high};
    for (std::size_t i = 0; i < map_.next.size(); ++i) {
      const Line<32> number = count_text(map_.next[i]);
      const Rect box{x, y_, x + pen_.width(Cut::Small, number) + side * 2, y_ + high};
      if (box.x1 > box_.x1) break;
      const float share = i == 0 ? 1.0f : std::max(0.35f, 0.8f - 0.05f * static_cast<float>(i));
      pen_.fill(box, colour_of(kSlotFree), pen_.px(4));
      pen_.frame(box, faded(kGreen, share), pen_.px(4), i == 0 ? std::max(1.5f, pen_.px(2)) : 1.0f);
      pen_.text(Cut::Small, box.x0 + side, y_ + pen_.px(2), faded(kText, std::max(0.6f, share)), number);
      if (i == 0) chain_head_ = box;
      x = box.x1 + pen_.px(8);
      if (i + 1 < map_.next.size() && x < box_.x1) {
        const float middle = std::floor(box.middle_y());
        pen_.list()->AddLine(ImVec2(box.x1, middle), ImVec2(x, middle), faded(kGreen, share),
                             std::max(1.0f, pen_.px(1.4f)));
      }
    }
    return high;
  }

  std::size_t single_columns() const { return box_.width() / 16 >= pen_.px(kSingleCell) ? 16 : 8; }
  float single_high() const { return pen_.line_px(Cut::Small) + pen_.px(3); }
  float singles_height() const {
    const std::size_t count =
        map_.ready ? std::min<std::size_t>(frame::kSlotWindow, map_.cells.size()) : frame::kSlotWindow;
    return static_cast<float>((count + single_columns() - 1) / single_columns()) * single_high();
  }
  Rect single(std::size_t i) const {
    const float wide = box_.width() / static_cast<float>(single_columns()), high = single_high();
    const float x = std::floor(box_.x0 + static_cast<float>(i % single_columns()) * wide),
                y = singles_y_ + static_cast<float>(i / single_columns()) * high;
    return {x, y, std::floor(x + wide) - 1, y + high - 1};
  }
  /// 64 places, one by one, each with its number; a free one points to the next free one. Returns the height.
  float singles() {
    const float high = singles_height();
    singles_y_ = y_;
    const Press press = press_area(pen_, ControlKind::SlotCell, 0, {box_.x0, y_, box_.x1, y_ + high});
    if (pen_.dry()) return high;
    ImDrawList& list = *pen_.list();
    for (std::size_t i = 0; i < map_.window.size(); ++i) {
      const frame::SlotCell& cell = map_.window[i];
      const Rect at = single(i);
      pen_.fill(at, colour_of(cell.cell), pen_.px(3));
    }
    if (map_.window.empty()) return high;
    const u32 first = map_.window.front().place, end = first + static_cast<u32>(map_.window.size());
    for (std::size_t i = 0; i < map_.window.size(); ++i) {  // links that stay within the window
      const u32 link = map_.window[i].link;
      if (link < first || link >= end) continue;
      const Rect from = single(i), to = single(link - first);
      list.AddLine(ImVec2(from.middle_x(), from.middle_y()), ImVec2(to.middle_x(), to.middle_y()),
                   faded(kGreen, 0.4f), std::max(1.0f, pen_.px(1.4f)));
    }
    for (std::size_t i = 0; i < map_.window.size(); ++i) {
      const frame::SlotCell& cell = map_.window[i];
      const Rect at = single(i);
      const ImU32 ink = dark_ink(cell.cell) ? kInk : faded(kText, is_live(cell.cell) ? 0.95f : 0.7f);
      const float y = at.y0 + pen_.px(1);
      const float used =
          pen_.text(Cut::Small, at.x0 + pen_.px(4), y, ink, count_text(cell.place)) + pen_.px(10);
      Line<24> more("%c", letter_of(cell.cell));
      if (cell.link != SlotMapView::kNoPlace) more = Line<24>("→%s", count_text(cell.link).c_str());
      const bool linked = cell.link != SlotMapView::kNoPlace;
      if (pen_.width(Cut::Small, more) + used <= at.width())
        pen_.text_right(Cut::Small, at.x1 - pen_.px(4), y, linked ? kGreen : faded(ink, 0.7f), more);
    }
    const auto mark = [&](u32 place, ImU32 ink) {
      if (place >= first && place < end)
        pen_.frame(single(place - first), ink, pen_.px(3), std::max(1.5f, pen_.px(2)));
    };
    if (!map_.next.empty()) mark(map_.next.front(), kGreen);
    mark(state_.slots.pinned, kAccent);
    mark(map_.place, kText);
    mark(map_.pointed, kText);
    if (map_.pointed >= first && map_.pointed < end) lit_cell_ = single(map_.pointed - first);
    if (!press.hovered) return high;
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    for (std::size_t i = 0; i < map_.window.size(); ++i) {
      const Rect at = single(i);
      if (mouse.x < at.x0 || mouse.x > at.x1 || mouse.y < at.y0 || mouse.y > at.y1) continue;
      look_at(map_.window[i].place, press.pressed);
    }
    return high;
  }

  // ---------------------------------------------------------------------------- what moves

  void start_flight(const frame::SlotCell& cell, float x, float y, bool born) {
    SlotMapState& slots = state_.slots;
    if (slots.flight_count == slots.flights.size()) return;
    slots.flights[slots.flight_count++] = {x, y, 0, cell.place, born};
  }
  /// A released slot flies from where its object ended into the chain; a new object flies out of its slot.
  void fly() {
    if (pen_.dry()) return;
    SlotMapState& slots = state_.slots;
    const std::span<const frame::SlotCell> now = map_.window;
    // Rows and pointers change places when others die: only a slot that stays where it is can be followed so.
    const u8 strategy = row() != nullptr ? row()->strategy : u8{0};
    const bool same = map_.places == PlaceKind::Cells && slots.before_count == now.size() && !now.empty() &&
                      slots.before_strategy == strategy && slots.before[0].place == now[0].place;
    for (std::size_t i = 0; same && i < now.size(); ++i) {
      const frame::SlotCell &was = slots.before[i], &is = now[i];
      if (was.generation == is.generation) continue;
      const Rect at = single(i);
      if (is_live(was.cell))
        start_flight(is, was.seen ? was.x_px : at.middle_x(), was.seen ? was.y_px : at.middle_y(), false);
      if (is_live(is.cell) && is.seen) start_flight(is, is.x_px, is.y_px, true);
    }
    std::copy(now.begin(), now.end(), slots.before.begin());
    slots.before_count = now.size();
    slots.before_strategy = strategy;

    ImDrawList& list = *ImGui::GetForegroundDrawList();
    if (map_.pointed < map_.cells.size() && !lit_cell_.empty()) {
      list.AddLine(ImVec2(map_.pointed_x_px, map_.pointed_y_px),
                   ImVec2(lit_cell_.middle_x(), lit_cell_.middle_y()), faded(kText, 0.45f), 1.0f);
    }
    const float passed_s = ImGui::GetIO().DeltaTime;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < slots.flight_count; ++i) {
      SlotFlight flight = slots.flights[i];
      flight.age_s += passed_s;
      const u32 nth = now.empty() ? frame::kSlotWindow : flight.place - now[0].place;
      if (flight.age_s >= kFlight_s || nth >= now.size()) continue;
      slots.flights[kept++] = flight;
      const Rect cell = flight.born ? single(nth) : chain_head_;
      const float way = flight.age_s / kFlight_s, eased = way * way * (3 - 2 * way),
                  share = flight.born ? 1 - eased : eased;
      const float x = flight.from_x + (cell.middle_x() - flight.from_x) * share,
                  y = flight.from_y + (cell.middle_y() - flight.from_y) * share;
      const Line<32> number = count_text(flight.place);
      const float wide = pen_.width(Cut::Small, number) + pen_.px(8),
                  high = pen_.line_px(Cut::Small) + pen_.px(2);
      const Rect box{std::floor(x - wide * 0.5f), std::floor(y - high * 0.5f), std::floor(x + wide * 0.5f),
                     std::floor(y + high * 0.5f)};
      const ImU32 colour = flight.born ? colour_of(kSlotLive) : kGreen;
      list.AddRectFilled(ImVec2(box.x0, box.y0), ImVec2(box.x1, box.y1), kPanelInk, pen_.px(4));
      list.AddRect(ImVec2(box.x0, box.y0), ImVec2(box.x1, box.y1), colour, pen_.px(4));
      list.AddText(pen_.font(Cut::Small), pen_.font_px(Cut::Small),
                   ImVec2(box.x0 + pen_.px(4), box.y0 + pen_.px(1)), colour, number.c_str());
    }
    slots.flight_count = kept;
  }

  template <class CellOf>
  void numbers(const CellOf& cell_of) {
    for (u32 place = 0; place < map_.cells.size(); ++place) {
      const Rect at = cell_of(place);
      const u8 cell = map_.cells[place];
      const ImU32 ink = dark_ink(cell) ? kInk : faded(kText, 0.8f);
      const Line<4> letter("%c", letter_of(cell));
      pen_.text(Cut::Small, at.x0 + pen_.px(4), at.y0 + pen_.px(2), ink, letter);
      const Line<16> number("%u", place);
      const float room = at.width() - pen_.px(5);
      if (pen_.width(Cut::Small, number) <= room && at.height() >= pen_.line_px(Cut::Small) * 2) {
        pen_.text_right(Cut::Small, at.x1 - pen_.px(4), at.y1 - pen_.line_px(Cut::Small) - pen_.px(2),
                        faded(ink, 0.75f), number);
      }
    }
  }

  /// From the place that the next spawn gets to the one after it, and so on: drawn ever fainter.
  template <class CellOf>
  void chain(const CellOf& cell_of, float cell_px) {
    if (map_.next.empty()) return;
    ImDrawList& list = *pen_.list();
    const float thick = std::max(1.0f, pen_.px(1.4f));
    if (cell_px >= kChainCell_px) {
      const float whole = static_cast<float>(map_.next.size());
      for (std::size_t i = map_.next.size() - 1; i > 0; --i) {
        const Rect from = cell_of(map_.next[i - 1]), to = cell_of(map_.next[i]);
        const float share = 1.0f - static_cast<float>(i) / whole;
        list.AddLine(ImVec2(from.middle_x(), from.middle_y()), ImVec2(to.middle_x(), to.middle_y()),
                     faded(kGreen, 0.15f + 0.6f * share), thick);
      }
    }
    const Rect head = cell_of(map_.next.front());
    list.AddCircle(ImVec2(head.middle_x(), head.middle_y()), std::max(pen_.px(5), cell_px * 0.5f + pen_.px(2)), kGreen,
                   24, std::max(1.5f, pen_.px(2)));
  }

  /// Swatches with counts, as many lines as they need. Returns the height.
  float legend(bool measure) {
    const float line = pen_.line_px(Cut::Small) + pen_.px(4), side = pen_.px(12);
    float x = box_.x0, y = y_;
    const auto entry = [&](u8 from, u8 to, std::string_view words) {
      const float ramp = from == to ? side : side * 4;
      const float wide = ramp + pen_.px(6) + pen_.width(Cut::Small, words) + pen_.px(18);
      if (x > box_.x0 && x + wide > box_.x1) {
        x = box_.x0;
        y += line;
      }
      if (!measure && !pen_.dry()) {
        const float top = y + std::floor((line - side) * 0.5f);
        const u8 steps = static_cast<u8>(to - from + 1);
        for (u8 i = 0; i < steps; ++i) {
          const float x0 = x + ramp * static_cast<float>(i) / static_cast<float>(steps),
                      x1 = x + ramp * static_cast<float>(i + 1) / static_cast<float>(steps);
          pen_.fill({x0, top, x1, top + side}, colour_of(static_cast<u8>(from + i)));
        }
        pen_.text(Cut::Small, x + ramp + pen_.px(6), y + pen_.px(2), kText, words);
      }
      x += wide;
    };
    entry(kSlotLive, kSlotLive + kSlotAges - 1, Line<48>("live %s, young to old", count_text(map_.live).c_str()));
    entry(kSlotFree, kSlotFree, Line<48>("free %s", count_text(map_.free).c_str()));
    entry(kSlotStolen, kSlotStolen, Line<48>("just stolen %s", count_text(map_.stolen).c_str()));
    if (map_.filled > 0 || (row() != nullptr && row()->fills)) {
      entry(kSlotFilled, kSlotFilled, Line<48>("free, reads 0xDD %s", count_text(map_.filled).c_str()));
    }
    if (map_.retired > 0) entry(kSlotRetired, kSlotRetired, Line<48>("retired %s", count_text(map_.retired).c_str()));
    const std::string_view next =
        map_.free == 0 ? "no slot is free"
        : map_.next.empty()
            ? (map_.places == PlaceKind::Pointers ? "the heap decides which is next" : "the next slot is unknown")
        : map_.chained ? "the chain of free cells, from its head"
                       : "which is next";
    const float wide = side + pen_.px(6) + pen_.width(Cut::Small, next);
    if (x > box_.x0 && x + wide > box_.x1) {
      x = box_.x0;
      y += line;
    }
    if (!measure && !pen_.dry()) {
      const float middle = y + line * 0.5f;
      pen_.list()->AddCircle(ImVec2(x + side * 0.5f, middle), side * 0.42f, map_.next.empty() ? kMuted : kGreen, 20,
                             std::max(1.5f, pen_.px(2)));
      pen_.text(Cut::Small, x + side + pen_.px(6), y + pen_.px(2), kText, next);
    }
    if (map_.per_texel > 1) {
      const Line<48> shared("one dot is %u slots", map_.per_texel);
      if (x + wide + pen_.width(Cut::Small, shared) > box_.x1) y += line;
      if (!measure) pen_.text_right(Cut::Small, box_.x1, y + pen_.px(2), kMuted, shared);
    }
    return y + line - y_;
  }

  /// The place that is looked at: what it is, and its bytes. Always as high, so that nothing jumps. Returns the height.
  float detail(bool measure) {
    const float line = pen_.line_px(Cut::Small) + pen_.px(3), group = pen_.px(8);
    const float pitch = std::max(pen_.px(17), pen_.width(Cut::Mono, "00") + pen_.px(3));
    const float group_wide = pitch * 8 + group;
    const std::size_t groups = std::max<std::size_t>(1, static_cast<std::size_t>((box_.width() + group) / group_wide));
    constexpr std::size_t kShownBytes = 48;
    const std::size_t lines = (kShownBytes / 8 + groups - 1) / groups;
    // Room for the longest words about a place, and below the bytes for those about a free one.
    const float side = line - pen_.px(4), words_x = box_.x0 + side + pen_.px(6);
    const float first = y_ + pen_.wrapped_height(Cut::Small, kLongestWords, box_.x1 - words_x) + pen_.px(3);
    const float row_pitch = line * 3 - pen_.px(1), last = first + static_cast<float>(lines) * row_pitch;
    const float high =
        last + std::max(line, pen_.wrapped_height(Cut::Small, kLongestNote, box_.width())) + pen_.px(2) - y_;
    if (measure || pen_.dry() || !map_.ready || map_.place == SlotMapView::kNoPlace) return high;
    say_what_it_is(side, words_x);
    if (map_.bytes.empty()) {
      wrapped(first, kMuted,
              map_.places == PlaceKind::Pointers ? "No object, no memory: it has gone back to the heap."
                                                 : "No object here, and nothing that could be read.");
      return high;
    }
    const bool live = is_live(map_.cell);
    const std::size_t count = std::min(map_.bytes.size(), kShownBytes);
    const auto is_link = [&](std::size_t i) {
      return i >= map_.link_at && i < map_.link_at + map_.link_bytes;
    };
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t nth = i / 8;
      const float x = box_.x0 + static_cast<float>(nth % groups) * group_wide + static_cast<float>(i % 8) * pitch;
      const float y = first + static_cast<float>(nth / groups) * row_pitch;
      const bool link = !live && is_link(i);
      const ImU32 ink = link                    ? kGreen
                        : live                  ? kText
                        : map_.bytes[i] == 0xDD ? colour_of(kSlotFilled) + IM_COL32(60, 30, 60, 0)
                                                : faded(kMuted, 0.7f);
      pen_.text(Cut::Mono, x, y, ink, Line<4>("%02x", map_.bytes[i]));
      if (link) pen_.fill({x, y + line - pen_.px(3), x + pitch - pen_.px(2), y + line - pen_.px(2)}, kGreen);
      // The same bytes read as an object. Of one that is gone the link has written over the first.
      for (const frame::SlotField& field : map_.fields) {
        if (field.offset + map_.object_at != i || i + field.bytes > map_.bytes.size()) continue;
        const float room = static_cast<float>(std::min<std::size_t>(field.bytes, 8 - i % 8)) * pitch - pen_.px(4);
        const float wide = std::min(room, pen_.width(Cut::Small, field.name));
        if (!link)
          pen_.fill({x, y + line - pen_.px(2), x + room, y + line - pen_.px(1)},
                    faded(kAccent, live ? 0.6f : 0.25f));
        if (wide < room || room > pitch * 2)
          pen_.text_within(Cut::Small, x, y + line, room, faded(kMuted, live ? 1.0f : 0.6f), field.name);
        if (!link)
          pen_.text(Cut::Small, x, y + line * 2 - pen_.px(3), live ? kText : faded(kMuted, 0.6f),
                    value_text(field, &map_.bytes[i], pen_, room));
      }
    }
    const bool links = map_.link_bytes == sizeof(u32) && map_.link_at + sizeof(u32) <= map_.bytes.size();
    u32 next = 0;
    if (links) std::memcpy(&next, &map_.bytes[map_.link_at], sizeof next);
    if (live) {
      if (links) {
        const Line<128> words(
            "the first %u bytes as a link: %u, which means nothing while an object lives here",
            map_.link_bytes, next);
        wrapped(last, kMuted, words);
      }
    } else if (links) {
      const Line<96> words =
          next == SlotMapView::kNoPlace
              ? Line<96>("as a link: the end of the list")
              : Line<96>("as a link: the next free slot is %s; behind it, what the last object left",
                         count_text(next).c_str());
      wrapped(last, kGreen, words);
    } else if (map_.link_bytes > 0) {
      wrapped(last, kGreen, "as a link: a pointer to the next free slot");
    } else {
      wrapped(last, kMuted,
              map_.places == PlaceKind::Cells
                  ? "what the last object left: the list of free slots is kept elsewhere"
                  : kLeftBehind);
    }
    return high;
  }

  void say_what_it_is(float side, float words_x) {
    const u8 cell = map_.cell & 0x7f;
    const bool live = cell >= kSlotLive, head = !map_.next.empty() && map_.next.front() == map_.place;
    const std::string_view word = place_word(map_.places);
    Line<64> state("free%s", head ? ", the next spawn lives here" : "");
    if (cell == kSlotFilled) state = Line<64>("free, filled with 0xDD%s", head ? ", the next spawn lives here" : "");
    if (cell == kSlotRetired) state = Line<64>("retired: its generations are used up");
    if (live)
      state = Line<64>("live, %u %% of its life behind it", static_cast<u32>(cell - kSlotLive) * 100u / kSlotAges);
    if ((map_.cell & kSlotStolen) != 0) state = Line<64>("%s; just stolen", live ? "live" : "free");
    Line<96> handle("%s", "");
    if (map_.slot != SlotMapView::kNoPlace) {
      handle = Line<96>(" · handle {%u, %llu}", map_.slot, static_cast<unsigned long long>(map_.generation));
    }
    const Line<224> words("%.*s %s · %s%s%s", static_cast<int>(word.size()), word.data(),
                          count_text(map_.place).c_str(), state.c_str(), handle.c_str(),
                          state_.slots.pinned == map_.place ? " · held: click it again to let go" : "");
    pen_.letter_box({box_.x0, y_, box_.x0 + side, y_ + side}, dark_ink(map_.cell) ? colour_of(map_.cell) : kMuted,
                    letter_of(map_.cell));
    pen_.text_wrapped(Cut::Small, words_x, y_, box_.x1 - words_x, kText, words);
  }

  static constexpr std::string_view kLongestWords =
      "slot 1,000,000 · free, filled with 0xDD, the next spawn lives here · handle {1000000, 100000000} · "
      "held: click it again to let go";
  static constexpr std::string_view kLongestNote =
      "the first 4 bytes as a link: 4294967295, which means nothing while an object lives here";
  static constexpr std::string_view kLeftBehind =
      "what lay here when there were more: the live objects have moved to the front";
  static constexpr ImU32 kPanelInk = IM_COL32(11, 13, 24, 255);

  const Pen& pen_;
  const frame::PanelModel& model_;
  const SlotMapView& map_;
  UiState& state_;
  frame::PanelRequests& requests_;
  Rect box_;
  float y_;
  float singles_y_ = 0;
  Rect chain_head_{}, lit_cell_{};
  u32 hovered_ = SlotMapView::kNoPlace;  ///< The place under the mouse in this panel.
};

}  // namespace

SlotGrid slot_grid(u32 places, float width, float height, float largest_px) {
  SlotGrid grid;
  const u64 wide = static_cast<u64>(std::max(1.0f, std::floor(width))),
            high = static_cast<u64>(std::max(1.0f, std::floor(height)));
  u64 cell = static_cast<u64>(std::max(1.0f, std::floor(largest_px)));
  while (cell > 1 && (wide / cell) * (high / cell) < places) --cell;
  grid.cell_px = static_cast<float>(cell);
  grid.columns = static_cast<u32>(std::max<u64>(1, wide / cell));
  const u64 room = u64{grid.columns} * std::max<u64>(1, high / cell);
  grid.per_texel = static_cast<u32>(std::max<u64>(1, (places + room - 1) / room));
  const u32 texels = (places + grid.per_texel - 1) / grid.per_texel;
  grid.rows = std::max(1u, (texels + grid.columns - 1) / grid.columns);
  return grid;
}

float slot_panel_height(const frame::PanelModel& model, UiState& state, const Pen& pen, float width, float most) {
  frame::PanelRequests none;
  const float least = panel_height(pen, width, [&](const Pen& dry, Rect column) {
    column.y0 = column.y1 = SlotBody(dry, model, state, none, column).head();
    return SlotBody(dry, model, state, none, column).run();
  });
  const float inner = width - pen.px(kPanelSide) * 2, around = least - pen.px(kLeastPicture);
  const u32 places = static_cast<u32>(model.slot_map.cells.size());
  if (model.slot_map.ready && places <= frame::kSlotWindow) return std::min(most * kMostOfTheWindow, around);
  const float picture = std::max(pen.px(kLeastPicture), most * kMostOfTheWindow - around);
  const SlotGrid grid = slot_grid(places, inner, picture, pen.px(kLargestCell));
  return std::min(most * kMostOfTheWindow,
                  around + std::max(pen.px(kLeastPicture), grid.cell_px * static_cast<float>(grid.rows)));
}

void draw_slot_panel(const Rect& box, const frame::PanelModel& model, UiState& state, const Pen& outer,
                     frame::PanelRequests& requests) {
  float head_high = 0;
  draw_headed_panel(
      "##slots", box, outer, outer.scale(),
      [&](const Pen& pen, const Rect& column) {
        const float end = SlotBody(pen, model, state, requests, column).head();
        head_high = end - column.y0;
        return end;
      },
      [&](const Pen& pen, Rect column) {
        column.y1 = column.y0 + box.height() - head_high - pen.px(kPanelEnd) * 2;
        return SlotBody(pen, model, state, requests, column).run();
      });
  const ImGuiIO& io = ImGui::GetIO();
  frame::SlotMapRequest& wanted = state.slots.wanted;
  wanted.points = !io.WantCaptureMouse && ImGui::IsMousePosValid();
  wanted.point_x_px = io.MousePos.x;
  wanted.point_y_px = io.MousePos.y;
  wanted.shown = true;
  wanted.pool = state.pool < model.pools.size() ? model.pools[state.pool].pool : frame::PoolId{};
}

void draw_slot_marks(const frame::PanelModel& model, const UiState& state, const Pen& pen) {
  const SlotMapView& map = model.slot_map;
  if (!map.ready) return;
  ImDrawList& list = *pen.list();
  for (const frame::SlotCell& cell : map.window) {
    if (cell.seen)
      list.AddCircle(ImVec2(cell.x_px, cell.y_px), pen.px(6), colour_of(cell.cell, 190), 16,
                     std::max(1.0f, pen.px(1)));
  }
  const auto light = [&](u32 place, float x, float y, ImU32 ink) {
    const float radius = pen.px(11), thick = std::max(1.5f, pen.px(2));
    list.AddCircle(ImVec2(x, y), radius + thick, faded(kInk, 0.8f), 32, thick);
    list.AddCircle(ImVec2(x, y), radius, ink, 32, thick);
    const Line<48> words("%s %s", std::string(place_word(map.places)).c_str(), count_text(place).c_str());
    const float left = x + radius + pen.px(5), top = std::floor(y - pen.line_px(Cut::Small) * 0.5f);
    pen.fill({left - pen.px(3), top - 1, left + pen.width(Cut::Small, words) + pen.px(3),
              top + pen.line_px(Cut::Small) + 1},
             faded(kInk, 0.8f), pen.px(3));
    pen.text(Cut::Small, left, top, ink, words);
  };
  if (map.pointed < map.cells.size()) light(map.pointed, map.pointed_x_px, map.pointed_y_px, kText);
  if (map.seen && map.place != map.pointed)
    light(map.place, map.x_px, map.y_px, state.slots.pinned == map.place ? kAccent : kText);
}

}  // namespace spellpool::ui
