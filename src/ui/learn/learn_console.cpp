// The picture of the 8-bit game, 256×240 in whole pixels, drawn from its sprite table; beside it the sixteen
// slots and what was looked at.
#include <algorithm>
#include <cmath>

#include "core/rng.hpp"
#include "ui/kit/headline.hpp"
#include "ui/learn/learn.hpp"

namespace spellpool::ui {
namespace {

using frame::EightBitTile;

/// Eight rows of eight pixels: '.' nothing, 1 … 3 the tile's colours.
using TilePixels = std::array<std::string_view, 8>;
struct TileRow {
  EightBitTile id;
  TilePixels pixels;
  std::array<ImU32, 3> colours;
};
constexpr ImU32 kWhite = IM_COL32(240, 240, 252, 255), kIce = IM_COL32(124, 214, 252, 255),
                kSteel = IM_COL32(104, 116, 172, 255), kAmber = IM_COL32(252, 188, 80, 255),
                kEmber = IM_COL32(236, 92, 60, 255), kWine = IM_COL32(140, 44, 84, 255),
                kPlum = IM_COL32(176, 112, 232, 255), kNightPlum = IM_COL32(92, 60, 148, 255),
                kLeaf = IM_COL32(124, 228, 132, 255);
constexpr std::array kTiles = {
    TileRow{EightBitTile::Ship,
            {"...33...", "...11...", "..2112..", "..2112..", ".221122.", "22211222", "2.2..2.2", "3......3"},
            {kWhite, kSteel, kIce}},
    TileRow{EightBitTile::LanternUp,
            {"...33...", "..2222..", ".211112.", "21133112", "21133112", ".211112.", "..2222..", "...2.2.."},
            {kAmber, kEmber, kWhite}},
    TileRow{EightBitTile::LanternDown,
            {"...33...", "..2222..", ".211112.", "21111112", "21133112", ".213312.", "..2222..", "..2.2..."},
            {kAmber, kWine, kWhite}},
    TileRow{EightBitTile::Owl,
            {"2......2", "22.22.22", "21111112", "23311332", "23311332", ".211112.", "..2112..", ".2....2."},
            {kPlum, kNightPlum, kWhite}},
    TileRow{EightBitTile::OwlBlink,
            {"2......2", "22.22.22", "21111112", "21111112", "23311332", "2211112.", "2.2112.2", "..2..2.."},
            {kPlum, kNightPlum, kWhite}},
    TileRow{EightBitTile::Shot,
            {"........", "...33...", "...11...", "...11...", "...11...", "...22...", "...22...", "........"},
            {kIce, kSteel, kWhite}},
    TileRow{EightBitTile::Bomb,
            {"........", "...2....", "....1...", "...11...", "..1331..", "..1331..", "...11...", "........"},
            {kLeaf, kSteel, kWhite}},
    TileRow{EightBitTile::Spark,
            {"........", "...2....", "...1....", ".21321..", "...1....", "...2....", "........", "........"},
            {kAmber, kEmber, kWhite}},
    TileRow{EightBitTile::SparkFading,
            {"........", "........", "...2....", "..2.2...", "...2....", "........", "........", "........"},
            {kEmber, kWine, kWhite}},
};
static_assert(rows_in_order(kTiles) && kTiles.size() == frame::kEightBitTileCount);

/// Runs of equal pixels as one rectangle.
void draw_tile(const Pen& pen, float x, float y, float pixel, EightBitTile tile) {
  const TileRow& row = kTiles[static_cast<std::size_t>(tile)];
  for (std::size_t line = 0; line < 8; ++line) {
    const std::string_view pixels = row.pixels[line];
    for (std::size_t from = 0; from < 8;) {
      std::size_t to = from + 1;
      while (to < 8 && pixels[to] == pixels[from]) ++to;
      if (pixels[from] != '.') {
        pen.fill({x + static_cast<float>(from) * pixel, y + static_cast<float>(line) * pixel,
                  x + static_cast<float>(to) * pixel, y + static_cast<float>(line + 1) * pixel},
                 row.colours[static_cast<std::size_t>(pixels[from] - '1')]);
      }
      from = to;
    }
  }
}

/// Night over a garden: bands of sky, stars in whole pixels, hills and grass.
void draw_garden(const Pen& pen, const Rect& screen, float pixel, u32 frame) {
  constexpr std::array kSky = {IM_COL32(8, 8, 24, 255), IM_COL32(12, 12, 36, 255), IM_COL32(18, 16, 48, 255),
                               IM_COL32(26, 20, 60, 255), IM_COL32(36, 26, 68, 255)};
  constexpr float kGround = 216;
  const auto at = [&](float x0, float y0, float x1, float y1) {
    return Rect{screen.x0 + x0 * pixel, screen.y0 + y0 * pixel, screen.x0 + x1 * pixel,
                screen.y0 + y1 * pixel};
  };
  for (std::size_t band = 0; band < kSky.size(); ++band) {
    const float y0 = kGround * static_cast<float>(band) / 5, y1 = kGround * static_cast<float>(band + 1) / 5;
    pen.fill(at(0, std::floor(y0), 256, std::floor(y1)), kSky[band]);
  }
  Rng stars(8);
  for (int i = 0; i < 56; ++i) {
    const auto x = static_cast<float>(stars.below(256)), y = static_cast<float>(stars.below(180));
    const u32 light = stars.below(3), beat = stars.below(64);
    const bool dim = (frame / 8 + beat) % 64 < 6;
    pen.fill(at(x, y, x + 1, y + 1), light == 2 && !dim ? kWhite : light == 1 && !dim ? kSteel : kNightPlum);
  }
  // The moon: left and right end of each row.
  constexpr std::array<std::array<float, 2>, 14> kMoonRows = {{{7, 11},
                                                               {9, 13},
                                                               {10, 14},
                                                               {10, 15},
                                                               {11, 15},
                                                               {11, 16},
                                                               {11, 16},
                                                               {11, 16},
                                                               {10, 16},
                                                               {9, 15},
                                                               {7, 15},
                                                               {2, 14},
                                                               {3, 13},
                                                               {5, 11}}};
  for (std::size_t i = 0; i < kMoonRows.size(); ++i) {
    const float y = 18 + static_cast<float>(i);
    pen.fill(at(206 + kMoonRows[i][0], y, 206 + kMoonRows[i][1], y + 1), kAmber);
  }
  for (int x = 0; x < 256; x += 4) {
    const float high = std::floor(9 + 6 * std::sin(static_cast<float>(x) * 0.035f) +
                                  4 * std::sin(static_cast<float>(x) * 0.11f));
    pen.fill(at(static_cast<float>(x), kGround - high, static_cast<float>(x) + 4, kGround),
             IM_COL32(20, 30, 52, 255));
  }
  pen.fill(at(0, kGround, 256, 240), IM_COL32(16, 44, 44, 255));
  pen.fill(at(0, kGround, 256, kGround + 1), kLeaf);
  for (int x = 3; x < 256; x += 11)
    pen.fill(at(static_cast<float>(x), kGround + 4 + static_cast<float>(x % 3) * 5, static_cast<float>(x) + 3,
                kGround + 5 + static_cast<float>(x % 3) * 5),
             IM_COL32(40, 96, 76, 255));
}

/// Sixteen fields: what is in use with its tile, and the slot's number.
float draw_slots(const Pen& pen, const Rect& room, const frame::EightBitView& view) {
  constexpr std::size_t kPerRow = 8;
  const float gap = pen.px(4), small = pen.line_px(Cut::Small);
  const float side = std::min(pen.px(44), (room.width() + gap) / static_cast<float>(kPerRow) - gap);
  for (std::size_t slot = 0; slot < frame::kEightBitSlots && !pen.dry(); ++slot) {
    const float x = room.x0 + static_cast<float>(slot % kPerRow) * (side + gap);
    const float y = room.y0 + static_cast<float>(slot / kPerRow) * (side + gap);
    const Rect box{x, y, x + side, y + side};
    pen.fill(box, IM_COL32(24, 27, 46, 255), pen.px(3));
    pen.frame(box, view.active[slot] ? kAccent : kControlEdge, pen.px(3));
    if (side > small * 1.2f)
      pen.text(Cut::Small, box.x0 + pen.px(3), box.y0, view.active[slot] ? kText : kMuted,
               Line<4>("%zu", slot));
    const float pixel = std::max(1.0f, std::floor(side * 0.6f / 8));
    if (view.active[slot])
      draw_tile(pen, std::floor(box.middle_x() - 2 * pixel), std::floor(box.y1 - 8.5f * pixel), pixel,
                view.tiles[slot]);
  }
  return room.y0 + 2 * (side + gap) - gap;
}

/// Visits of the last frame and the peak of both together in a frame, by pattern; the one in use is lit.
float draw_visits(const Pen& pen, const Rect& room, const frame::EightBitView& view) {
  const float line = pen.line_px(Cut::Small) + pen.px(3), first = room.width() * 0.37f;
  const float wide = (room.width() - first) / 3;
  float y = room.y0;
  constexpr std::array<std::string_view, 3> kHead = {"to find", "to move", "most"};
  for (std::size_t i = 0; i < kHead.size(); ++i)
    pen.text_right(Cut::Small, room.x0 + first + wide * static_cast<float>(i + 1), y, kMuted, kHead[i]);
  pen.text_within(Cut::Small, room.x0, y, first, kMuted, "slots looked at");
  y += line;
  for (const frame::EightBitPatternRow& row : frame::kEightBitPatterns) {
    const auto i = static_cast<std::size_t>(row.id);
    const bool lit = view.pattern == row.id;
    if (lit)
      pen.fill({room.x0 - pen.px(3), y, room.x1 + pen.px(3), y + line}, faded(kAccent, 0.2f), pen.px(3));
    pen.text_within(Cut::Small, room.x0, y, first, lit ? kText : kMuted, row.title);
    const frame::EightBitVisits &last = view.last[i], &most = view.most[i];
    const std::array<u32, 3> values = {last.spawn, last.update, most.spawn + most.update};
    const std::array<bool, 3> shown = {view.shows_find, view.shows_move, view.shows_move};
    for (std::size_t k = 0; k < values.size(); ++k) {
      const bool known = shown[k] && (k == 2 ? values[k] > 0 : lit);
      pen.text_right(Cut::Small, room.x0 + first + wide * static_cast<float>(k + 1), y, lit ? kText : kMuted,
                     known ? std::string_view(Line<12>("%u", values[k])) : std::string_view("-"));
    }
    y += line;
  }
  constexpr std::string_view kMeaning =
      "In the last frame: to find a free slot, to move what flies. Most: both, in one frame so far.";
  pen.text_wrapped(Cut::Small, room.x0, y, room.width(), kMuted, kMeaning);
  y += pen.wrapped_height(Cut::Small, kMeaning, room.width()) + pen.px(4);
  if (view.pattern == frame::EightBitPattern::IndexStack) {
    Line<96> words("stack, top first:");
    for (auto slot = view.free_stack.rbegin(); slot != view.free_stack.rend(); ++slot)
      words = Line<96>("%s %u", words.c_str(), *slot);
    pen.text_wrapped(Cut::Small, room.x0, y, room.width(), kMuted, words);
    y += pen.wrapped_height(Cut::Small, words, room.width());
  }
  return y;
}

}  // namespace

float draw_lesson_console(const Pen& pen, const Rect& room, const frame::LessonFigure& figure,
                          float cell_px) {
  const frame::EightBitView& view = figure.console;
  // Whole pixels of the old picture: one, two, three of the screen's. Slots and visits stand beside it, or
  // below where it is narrow.
  const float beside = pen.px(236), gap = pen.px(14);
  const bool wide = room.width() > beside + gap + static_cast<float>(frame::kEightBitWidth);
  const float free_width = wide ? room.width() - beside - gap : room.width();
  const float most = std::min(free_width / frame::kEightBitWidth, cell_px * 6.2f / frame::kEightBitHeight);
  const float pixel = most < 1 ? most : std::floor(most);
  const Rect screen{room.x0, room.y0, room.x0 + pixel * frame::kEightBitWidth,
                    room.y0 + pixel * frame::kEightBitHeight};
  if (!pen.dry()) {
    pen.list()->PushClipRect(ImVec2(screen.x0, screen.y0), ImVec2(screen.x1, screen.y1), true);
    draw_garden(pen, screen, pixel, view.frame);
    for (const frame::EightBitSprite& sprite : view.sprites)
      draw_tile(pen, screen.x0 + pixel * sprite.x, screen.y0 + pixel * sprite.y, pixel, sprite.tile);
    pen.list()->PopClipRect();
    pen.text(Cut::Small, screen.x0 + pen.px(8), screen.y0 + pen.px(4), kWhite, Line<24>("%05u", view.score));
    pen.frame(screen.inset(-pen.px(1)), kControlEdge, pen.px(2), pen.px(2));
  }
  Rect side = wide ? Rect{screen.x1 + gap, room.y0, room.x1, room.y0}
                   : Rect{room.x0, screen.y1 + gap, room.x1, screen.y1 + gap};
  float y = draw_slots(pen, side, view) + pen.px(12);
  y = draw_visits(pen, {side.x0 + pen.px(3), y, side.x1 - pen.px(3), y}, view);
  if (view.refused > 0) {
    pen.text_within(Cut::Small, side.x0, y + pen.px(4), side.width(), kYellow,
                    Line<64>("refused, all slots in use: %u", view.refused));
    y += pen.line_px(Cut::Small) + pen.px(4);
  }
  return std::max(y, screen.y1);
}

}  // namespace spellpool::ui
