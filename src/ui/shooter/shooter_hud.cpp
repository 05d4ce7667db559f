#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>

#include "ui/shooter/shooter_parts.hpp"

namespace spellpool::ui {
namespace {

using frame::ShooterState;
using frame::ShooterView;

constexpr float kColumnUnits = 208, kLeastColumnUnits = 136, kLabelUnits = 58;
constexpr float kBadgeUnits = 230, kBossUnits = 240;
constexpr float kPhaseShown_s = 2.6f, kPhaseIn_s = 0.45f, kPhaseOut_s = 0.5f;
constexpr float kAcceleration_s = 10.0f;
constexpr float kBossFree = 0.13f;  // Of the field's height: above it no boss stays.
constexpr u32 kMostSigns = 5;
constexpr float kTextRise_units = 30.0f;

u32 multiplier(const ShooterView& view) { return std::min(1u + view.chain / 10u, 16u); }

u64 best_score(const frame::PanelModel& model) {
  const auto* table = shooter_table(model);
  return table != nullptr && !table->empty() ? table->front().score : 0;
}

// A number in the title's cut, as large as `room` lets it be.
float fitted_units(const Pen& pen, float units, float room, std::string_view words) {
  while (units > 16 && pen.title_width(units, 0, words) > room) units -= 1;
  return units;
}

// Stage, difficulty, score, best, time; at the side of the field that it stands on. Returns where it ends.
float score_column(const Pen& pen, const frame::PanelModel& model, const Rect& at, bool to_right) {
  const ShooterView& view = *model.shooter;
  const float x0 = at.x0 + pen.px(12), x1 = at.x1 - pen.px(12), room = x1 - x0;
  float y = at.y0 + pen.px(10);
  const auto left_of = [&](float wide) { return to_right ? x1 - wide : x0; };
  const auto put = [&](Cut cut, ImU32 colour, std::string_view words) {
    const float wide = std::min(room, pen.width(cut, words));
    pen.text_within(cut, left_of(wide), y, room, colour, words);
    y += pen.line_px(cut);
  };
  put(Cut::Strong, kText, view.stage_title);
  y += pen.px(3);
  const std::string_view difficulty = row_of(view.difficulty).title;
  const float signs = difficulty_width(pen), line = pen.line_px(Cut::Small);
  const float left = left_of(signs + pen.px(6) + pen.width(Cut::Small, difficulty));
  draw_difficulty(pen, left, std::floor(y + line * 0.5f) + 1, view.difficulty, kAccent);
  pen.text(Cut::Small, left + signs + pen.px(6), y, kMuted, difficulty);
  y += line + pen.px(12);

  put(Cut::Small, kMuted, "score");
  const Line<32> score = count_text(view.score);
  const float units = fitted_units(pen, 36, room, score);
  const float wide = pen.title_width(units, 0, score);
  pen.title(units, 0, left_of(wide) + wide * 0.5f, y - pen.px(2), kText, score);
  y += pen.px(36);
  const u64 best = best_score(model);
  if (view.score > best && view.score > 0) {
    constexpr std::string_view kNew = "new best";
    const float half = pen.px(6), from = left_of(half * 2 + pen.px(6) + pen.width(Cut::Small, kNew));
    draw_star(pen, ImVec2(from + half, y + line * 0.5f), half, kGold);
    pen.text(Cut::Small, from + half * 2 + pen.px(6), y, kGold, kNew);
    y += line;
  } else {
    put(Cut::Small, kMuted, Line<48>("best %s", count_text(best).c_str()));
  }
  y += pen.px(12);
  put(Cut::Strong, kText, clock_text(view.stage_s));
  y += pen.px(3);
  put(Cut::Small, kMuted, Line<48>(view.bullets == 1 ? "%s bullet" : "%s bullets", count_text(view.bullets).c_str()));
  return y + pen.px(10);
}

// A row of signs; past `kMostSigns` one sign and a number.
template <class Sign>
void put_signs(const Pen& pen, float x, float middle, u32 count, float step, const Sign& sign, ImU32 colour) {
  const float half = pen.px(7);
  const u32 drawn = count > kMostSigns ? 1 : count;
  for (u32 i = 0; i < drawn; ++i) {
    sign(pen, ImVec2(std::floor(x + half + step * static_cast<float>(i)), middle), half, colour);
  }
  const float y = pen.centre_y(Cut::Strong, middle, middle);
  if (count > kMostSigns) pen.text(Cut::Strong, x + half * 2 + pen.px(5), y, kText, Line<16>("× %u", count));
  if (count == 0) pen.text(Cut::Small, x, pen.centre_y(Cut::Small, middle, middle), kMuted, "none");
}

// Four steps that rise. Returns the width.
float put_power(const Pen& pen, float x, float middle, u8 power) {
  const float wide = pen.px(9), gap = pen.px(3), low = middle + pen.px(7);
  for (u8 i = 0; i < frame::kMostPower; ++i) {
    const float left = x + static_cast<float>(i) * (wide + gap);
    const Rect bar{left, low - pen.px(5.0f + 3.0f * static_cast<float>(i)), left + wide, low};
    if (i < power) {
      pen.fill(bar, kGold, pen.px(2));
    } else {
      pen.frame(bar, faded(kMuted, 0.6f), pen.px(2));
    }
  }
  return static_cast<float>(frame::kMostPower) * (wide + gap);
}

void put_bar(const Pen& pen, const Rect& box, float share, ImU32 colour) {
  const float round = box.height() * 0.5f;
  pen.fill(box, kControl, round);
  if (share > 0.005f)
    pen.fill({box.x0, box.y0, box.x0 + std::max(box.height(), box.width() * share), box.y1}, colour, round);
}

// Ships, bombs, power, graze, chain, magnet and shield. Returns where it ends.
float supplies_column(const Pen& pen, const frame::PanelModel& model, const Rect& at) {
  const ShooterView& view = *model.shooter;
  const float x0 = at.x0 + pen.px(12), x1 = at.x1 - pen.px(12), x = x0 + pen.px(kLabelUnits), high = pen.px(25);
  float y = at.y0 + pen.px(8);
  const auto label = [&](std::string_view words) {
    pen.text(Cut::Small, x0, pen.centre_y(Cut::Small, y, y + high), kMuted, words);
    return std::floor(y + high * 0.5f);
  };
  const float step = std::min(pen.px(19), (x1 - x - pen.px(14)) / static_cast<float>(kMostSigns - 1));
  put_signs(pen, x, label("ships"), view.lives, step, draw_ship, kMoon);
  y += high;
  put_signs(pen, x, label("bombs"), view.bombs, step, draw_bomb, kAccent);
  y += high;
  const float power = put_power(pen, x, label("power"), std::min(view.power, frame::kMostPower));
  const bool full = view.power >= frame::kMostPower;
  pen.text(Cut::Small, x + power + pen.px(5), pen.centre_y(Cut::Small, y, y + high), full ? kGold : kMuted,
           full ? Line<8>("full") : Line<8>("%u", static_cast<unsigned>(view.power)));
  y += high;
  label("graze");
  pen.text(Cut::Strong, x, pen.centre_y(Cut::Strong, y, y + high), kText, count_text(view.graze));
  y += high + pen.px(6);

  // The chain: its factor large, the bar is the time until it breaks.
  label("chain");
  const u32 factor = multiplier(view);
  const ImU32 warm = factor > 1 ? kGold : kMuted;
  const float number = pen.text(Cut::Large, x, pen.centre_y(Cut::Large, y, y + high), warm, Line<16>("×%u", factor));
  const Line<32> count("%s", count_text(view.chain).c_str());
  const float count_x = x + std::max(number, pen.width(Cut::Large, "×16")) + pen.px(8);
  if (view.chain > 0 && count_x + pen.width(Cut::Small, count) <= x1) {
    pen.text(Cut::Small, count_x, pen.centre_y(Cut::Small, y, y + high) + pen.px(2), kMuted, count);
  }
  y += high + pen.px(2);
  put_bar(pen, {x, y, x1, y + pen.px(5)}, view.chain > 0 ? bounded(view.chain_left, 0, 1) : 0, kGold);
  y += pen.px(5) + pen.px(10);

  // What helps for a while; faint while it is not there, so that nothing jumps.
  const float magnet = bounded(view.magnet_left, 0, 1);
  pen.text(Cut::Small, x0, pen.centre_y(Cut::Small, y, y + high), magnet > 0 ? kText : faded(kMuted, 0.45f), "magnet");
  const float middle = std::floor(y + high * 0.5f);
  put_bar(pen, {x, middle - pen.px(2), x1, middle + pen.px(3)}, magnet, kBlue);
  y += pen.px(22);
  const float radius = pen.px(6);
  const ImVec2 centre(x + radius, std::floor(y + high * 0.5f));
  pen.text(Cut::Small, x0, pen.centre_y(Cut::Small, y, y + high), view.shield ? kText : faded(kMuted, 0.45f), "shield");
  if (!pen.dry()) {
    if (view.shield) pen.list()->AddCircleFilled(centre, radius * 0.5f, kBlue, 16);
    pen.list()->AddCircle(centre, radius, view.shield ? kBlue : faded(kMuted, 0.35f), 24,
                          std::max(1.0f, pen.scale() * 1.5f));
    if (view.shield)
      pen.text(Cut::Small, x + radius * 2 + pen.px(6), pen.centre_y(Cut::Small, y, y + high), kText, "on");
  }
  return y + high + pen.px(8);
}

// The same in one line, what matters least left out first. Returns its box.
Rect draw_line(const Rect& room, const frame::PanelModel& model, const Pen& pen) {
  const ShooterView& view = *model.shooter;
  const Line<32> score = count_text(view.score);
  const Line<16> factor("×%u", multiplier(view)), ships("%u", view.lives), bombs("%u", view.bombs);
  const Line<16> clock = clock_text(view.stage_s);
  const Line<32> graze("graze %s", count_text(view.graze).c_str());
  const float sign = pen.px(13), small = pen.px(4), gap = pen.px(14), pad = pen.px(12);
  struct Piece {
    float wide;
    bool shown = true;
  };
  const float units = 26;
  const float score_wide = std::max(pen.title_width(units, 0, "0,000,000"), pen.title_width(units, 0, score));
  std::array<Piece, 8> pieces = {{{score_wide},
                                  {pen.width(Cut::Strong, "×16")},
                                  {sign + small + pen.width(Cut::Strong, ships)},
                                  {sign + small + pen.width(Cut::Strong, bombs)},
                                  {pen.px(48)},
                                  {pen.width(Cut::Small, graze)},
                                  {pen.width(Cut::Small, clock)},
                                  {difficulty_width(pen)}}};
  float wide = -gap;
  for (const Piece& piece : pieces) wide += piece.wide + gap;
  for (std::size_t i = pieces.size(); i-- > 4 && wide + pad * 2 > room.width();) {
    pieces[i].shown = false;
    wide -= pieces[i].wide + gap;
  }
  const float high = pen.px(38);
  if (wide + pad * 2 > room.width() || high > room.height()) return {};
  const float x0 = std::floor(room.middle_x() - wide * 0.5f - pad);
  const Rect box{x0, room.y0, x0 + wide + pad * 2, room.y0 + high};
  pen.fill(box, faded(kPanelFill, 0.7f), pen.px(8));
  const float middle = std::floor(box.middle_y()), strong = pen.centre_y(Cut::Strong, box.y0, box.y1);
  const float words = pen.centre_y(Cut::Small, box.y0, box.y1);
  float x = box.x0 + pad;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    if (!pieces[i].shown) continue;
    switch (i) {
      case 0: {
        const float number = pen.title_width(units, 0, score);
        pen.title(units, 0, x + pieces[0].wide - number * 0.5f, middle - pen.px(units) * 0.52f, kText, score);
        break;
      }
      case 1: {
        pen.text(Cut::Strong, x, strong, multiplier(view) > 1 ? kGold : kMuted, factor);
        const float y = box.y1 - pen.px(6);
        put_bar(pen, {x, y, x + pieces[1].wide, y + pen.px(3)}, view.chain > 0 ? bounded(view.chain_left, 0, 1) : 0,
                kGold);
        break;
      }
      case 2:
      case 3:
        if (i == 2) draw_ship(pen, ImVec2(x + sign * 0.5f, middle), sign * 0.5f, kMoon);
        if (i == 3) draw_bomb(pen, ImVec2(x + sign * 0.5f, middle), sign * 0.5f, kAccent);
        pen.text(Cut::Strong, x + sign + small, strong, kText, i == 2 ? ships : bombs);
        break;
      case 4:
        put_power(pen, x, middle, std::min(view.power, frame::kMostPower));
        break;
      case 5:
        pen.text(Cut::Small, x, words, kMuted, graze);
        break;
      case 6:
        pen.text(Cut::Small, x, words, kMuted, clock);
        break;
      default:
        draw_difficulty(pen, x, middle, view.difficulty, kAccent);
        break;
    }
    x += pieces[i].wide + gap;
  }
  return box;
}

// Both columns beside the field; or in one of the strips; or else one line above. What badges may take stays in `rest`.
void draw_beside(Rect& rest, const Rect& field, const frame::PanelModel& model, const Pen& pen) {
  Layout& layout = pen.layout();
  const float gap = pen.px(10), least = pen.px(kLeastColumnUnits), usual = pen.px(kColumnUnits);
  const auto strip = [&](bool left) {
    const float room = left ? std::min(rest.x1, field.x0 - gap) - rest.x0 : rest.x1 - std::max(rest.x0, field.x1 + gap);
    const float wide = std::min(usual, room);
    if (wide < least) return Rect{};
    const float x0 = left ? std::min(rest.x1, field.x0 - gap) - wide : std::max(rest.x0, field.x1 + gap);
    return Rect{std::floor(x0), rest.y0, std::floor(x0 + wide), rest.y1};
  };
  const Pen dry(nullptr, pen.scale(), layout);
  const Rect left = strip(true), right = strip(false);
  const auto score_high = [&](const Rect& at) { return score_column(dry, model, at, true) - at.y0; };
  const auto supplies_high = [&](const Rect& at) { return supplies_column(dry, model, at) - at.y0; };
  Rect score, supplies;
  bool to_right = true;
  if (!left.empty() && !right.empty() && score_high(left) <= rest.height() && supplies_high(right) <= rest.height()) {
    score = {left.x0, left.y0, left.x1, left.y0 + score_high(left)};
    supplies = {right.x0, right.y0, right.x1, right.y0 + supplies_high(right)};
  } else if (const Rect only = left.empty() ? right : left;
             !only.empty() && score_high(only) + gap + supplies_high(only) <= rest.height()) {
    to_right = !left.empty();
    score = {only.x0, only.y0, only.x1, only.y0 + score_high(only)};
    supplies = {only.x0, score.y1 + gap, only.x1, score.y1 + gap + supplies_high(only)};
  }
  if (score.empty()) {
    layout.of(Part::ShooterLine) = draw_line(rest, model, pen);
    if (!layout.of(Part::ShooterLine).empty()) rest.y0 = layout.of(Part::ShooterLine).y1 + gap;
    return;
  }
  for (const Rect& box : {score, supplies}) pen.fill(box, faded(kPanelFill, 0.5f), pen.px(8));
  score_column(pen, model, score, to_right);
  supplies_column(pen, model, supplies);
  layout.of(Part::ShooterScore) = score;
  layout.of(Part::ShooterSupplies) = supplies;
  // Badges come below the left column; over the field's lower part where the strip is too narrow for them.
  if (to_right && field.x0 - gap - rest.x0 >= pen.px(kBadgeUnits)) {
    rest.x1 = std::min(rest.x1, field.x0 - gap);
    rest.y0 = std::max(score.y1, supplies.x0 < field.x0 ? supplies.y1 : 0.0f) + gap;
  } else {
    rest.y0 = std::max(score.y1, supplies.y1) + gap;
  }
}

float boss_high(const Pen& pen, bool in_column) {
  return pen.px(10) + pen.px(7) + pen.px(4) + (in_column ? pen.line_px(Cut::Strong) : 0.0f) + pen.line_px(Cut::Large) +
         pen.px(4);
}

// Marks of the phases to come, the bar of this one; below title, phase and seconds, in a column the seconds below the
// title.
void draw_boss(const Rect& room, const ShooterView& view, const Pen& pen, bool in_column) {
  const float pad = pen.px(10), line = pen.line_px(Cut::Large), bar_high = pen.px(7);
  const Rect box{room.x0, room.y0, room.x1, room.y0 + boss_high(pen, in_column)};
  if (box.y1 > room.y1 || (!in_column && box.width() < pen.px(200))) return;
  pen.fill(box, faded(kPanelFill, 1.0f), pen.px(8));  // Bullets pass beneath the words.
  float x = box.x0 + pad;
  const float middle = box.y0 + pad + std::floor(bar_high * 0.5f), step = pen.px(14);
  const u32 marks = std::min(view.phases_left, 8u);
  for (u32 i = 0; i < marks && x + step * 3 < box.x1; ++i, x += step)
    draw_diamond(pen, ImVec2(x + step * 0.4f, middle), pen.px(5), kGold, true);
  if (marks > 0) x += pen.px(4);
  const float health = bounded(view.boss_health, 0, 1);
  put_bar(pen, {x, box.y0 + pad, box.x1 - pad, box.y0 + pad + bar_high}, health, IM_COL32(255, 150, 170, 255));

  float y0 = box.y0 + pad + bar_high + pen.px(4);
  const float left_s = bounded(view.phase_left_s, 0, 999);
  const bool accelerate = left_s <= kAcceleration_s;
  const Line<16> seconds(accelerate ? "%.1f s" : "%.0f s",
                         static_cast<double>(accelerate ? left_s : std::ceil(left_s)));
  const float cell = std::max(pen.width(Cut::Large, accelerate ? "00.0 s" : "00 s"), pen.width(Cut::Large, seconds));
  const float from = box.x0 + pad, to = box.x1 - pad;
  if (in_column) {
    pen.text_within(Cut::Strong, from, y0, to - from, kText, view.boss_title);
    y0 += pen.line_px(Cut::Strong);
  }
  const float y1 = y0 + line, words_end = to - cell - pen.px(12);
  pen.text_right(Cut::Large, to, pen.centre_y(Cut::Large, y0, y1), accelerate ? kRed : kText, seconds);
  const float text_y = pen.centre_y(Cut::Strong, y0, y1);
  const float phase_x =
      in_column
          ? from
          : from + pen.text_within(Cut::Strong, from, text_y, words_end - from, kText, view.boss_title) + pen.px(12);
  if (phase_x + pen.width(Cut::Small, view.phase_title) <= words_end)
    pen.text(Cut::Small, phase_x, text_y + pen.px(2), kMuted, view.phase_title);
  pen.layout().of(Part::ShooterBoss) = box;
}

// Large text and a chip that reaches into the field push the bar down upon the boss: then it has the column of the
// score, below that.
Rect boss_column(const Rect& bar, const Rect& field, const Rect& whole, const ShooterView& view, const Pen& pen) {
  const Layout& layout = pen.layout();
  const Rect &score = layout.of(Part::ShooterScore), &supplies = layout.of(Part::ShooterSupplies);
  if (score.empty() || bar.y0 + boss_high(pen, false) <= field.y0 + field.height() * kBossFree) return {};
  const float below = supplies.x0 < score.x1 && score.x0 < supplies.x1 ? std::max(score.y1, supplies.y1) : score.y1;
  const Rect column{score.x0, below + pen.px(10), score.x1, whole.y1};
  const bool fits =
      column.height() >= boss_high(pen, true) && pen.width(Cut::Strong, view.boss_title) + pen.px(20) <= column.width();
  return fits ? column : Rect{};
}

// A phase's title glides in as it begins, between two lines that open.
void draw_phase(const Rect& room, const ShooterView& view, float age_s, const Pen& outer) {
  if (view.phase_title.empty() || age_s >= kPhaseShown_s) return;
  const Pen pen(outer.list(), outer.scale() * 1.25f, outer.layout());
  const float in = ease_out(age_s / kPhaseIn_s), out = std::clamp((kPhaseShown_s - age_s) / kPhaseOut_s, 0.0f, 1.0f);
  const float seen = std::min(in, out), wide = pen.width(Cut::Large, view.phase_title), high = pen.line_px(Cut::Large);
  const float half = std::ceil(wide * 0.5f) + pen.px(26), middle = std::floor(room.middle_x());
  const float y = std::floor(room.y0 + room.height() * 0.36f);  // Below the boss, above the ship.
  const Rect box{middle - half, y, middle + half, y + high + pen.px(14)};
  if (box.x0 < room.x0 || box.x1 > room.x1 || box.y1 > room.y1) return;
  const ImU32 dark = faded(kNight, 0.62f * seen), none = faded(kNight, 0);
  pen.list()->AddRectFilledMultiColor(ImVec2(box.x0, box.y0), ImVec2(middle, box.y1), none, dark, dark, none);
  pen.list()->AddRectFilledMultiColor(ImVec2(middle, box.y0), ImVec2(box.x1, box.y1), dark, none, none, dark);
  const float reach = half * in;
  for (const float line : {box.y0, box.y1 - 1})
    pen.fill({middle - reach, line, middle + reach, line + 1}, faded(kGold, 0.7f * seen));
  pen.text(Cut::Large, middle - wide * 0.5f + pen.px(24) * (1.0f - in), y + pen.px(7), faded(kText, seen),
           view.phase_title);
  pen.layout().of(Part::ShooterPhase) = box;
}

// Points where they were won: rise, and fade late.
void draw_texts(const Rect& field, const Rect& seen, const ShooterView& view, const Pen& pen) {
  const float unit = field.height() / (frame::kFieldHalfHeight * 2);
  for (const frame::ScoreText& text : view.texts) {
    if (!std::isfinite(text.x) || !std::isfinite(text.y)) continue;
    const float age = bounded(text.age, 0, 1), fade = std::min(1.0f, (1.0f - age) * 2.5f) * std::min(1.0f, age * 12.0f);
    const Line<32> words = count_text(text.points);
    const Cut cut = text.points >= 10'000 ? Cut::Large : text.points >= 1'000 ? Cut::Strong : Cut::Small;
    const float wide = pen.width(cut, words), high = pen.line_px(cut);
    const float x = field.middle_x() + text.x * unit - wide * 0.5f;
    const float y = field.middle_y() + (text.y - kTextRise_units * ease_out(age)) * unit - high * 0.5f;
    if (x < seen.x0 || y < seen.y0 || x + wide > seen.x1 || y + high > seen.y1) continue;
    pen.text(cut, x + 1, y + 1, faded(kNight, 0.8f * fade), words);
    pen.text(cut, x, y, faded(cut == Cut::Small ? IM_COL32(255, 236, 204, 255) : kGold, 0.9f * fade), words);
  }
}

// A line at the lower edge, or nothing if it is too wide.
Rect draw_lower_line(const Rect& room, const Pen& pen, std::span<const Bit> words) {
  const float wide = bits_width(pen, words) + pen.px(24), high = pen.px(28),
              x0 = std::floor(room.middle_x() - wide * 0.5f);
  const Rect box{x0, room.y1 - high, x0 + wide, room.y1};
  if (box.x0 < room.x0 || box.y0 < room.y0) return {};
  pen.fill(box, faded(kPanelFill, 0.7f), pen.px(8));
  draw_bits(pen, box.x0 + pen.px(12), box.y0, box.y1, kText, words);
  return box;
}

// How a pause ends; as many of the ways as there is room for.
Rect draw_pause_line(const Rect& room, const frame::PanelModel& model, const Pen& pen) {
  const auto key = [&](frame::Action action) { return Bit{key_label(model, action), Bit::Look::Key}; };
  const Line<32> start = pad_label(model, frame::Action::Pause);
  const Bit dot{"", Bit::Look::Dot};
  const std::array<Bit, 12> words = {key(frame::Action::Pause), Bit{start, Bit::Look::Pad}, Bit{"go on"},
                                     dot, key(frame::Action::Challenge), Bit{"title"},
                                     dot, key(frame::Action::Settings), Bit{"settings"},
                                     dot, key(frame::Action::Quit), Bit{"quit"}};
  for (std::size_t count = words.size(); count >= 3; count -= 3) {
    if (const Rect box = draw_lower_line(room, pen, std::span(words).first(count)); !box.empty()) return box;
  }
  return {};
}

void draw_playing(Rect& rest, const Rect& whole, const frame::PanelModel& model, const ShooterHudState& state,
                  const Pen& pen) {
  const ShooterView& view = *model.shooter;
  Layout& layout = pen.layout();
  const Rect field = shooter_field();
  draw_texts(field, field.cut_to(whole), view, pen);
  const Rect all = rest;
  draw_beside(rest, field, model, pen);
  // The boss has the field's upper edge, or what chip and line leave of it.
  const float gap = pen.px(8);
  Rect room = field.cut_to(whole);
  room.x0 += gap;
  room.x1 -= gap;
  const Rect& chip = layout.of(Part::Chip);
  const bool beside = !chip.empty() && chip.x1 > room.x0 && room.x1 - chip.x1 - gap >= pen.px(kBossUnits);
  for (const Part part : {Part::Chip, Part::ShooterLine}) {
    const Rect& box = layout.of(part);
    if (part == Part::Chip && beside) continue;
    if (!box.empty() && box.x0 < room.x1 && box.x1 > room.x0) room.y0 = std::max(room.y0, box.y1 + gap);
  }
  room.y1 = std::min(room.y1, all.y1);
  Rect bar = room;  // Beside a chip that only just reaches into the field, rather than below it on the boss.
  if (beside) bar.x0 = std::max(bar.x0, chip.x1 + gap);
  const Rect column = view.boss_title.empty() ? Rect{} : boss_column(bar, field, whole, view, pen);
  if (!column.empty()) {
    draw_boss(column, view, pen, true);
    if (!layout.of(Part::ShooterBoss).empty())
      rest.y0 = std::max(rest.y0, layout.of(Part::ShooterBoss).y1 + pen.px(10));
  } else if (!view.boss_title.empty() && !bar.empty()) {
    draw_boss(bar, view, pen, false);
  }
  if (column.empty() && !layout.of(Part::ShooterBoss).empty()) {
    room.y0 = layout.of(Part::ShooterBoss).y1 + gap;
    if (rest.x1 > room.x0 && rest.x0 < room.x1) rest.y0 = std::max(rest.y0, room.y0);
  }
  if (view.state != ShooterState::Playing || room.empty()) return;
  if (model.paused) layout.of(Part::Hint) = draw_pause_line(room, model, pen);
  if (!layout.of(Part::Hint).empty()) {
    room.y1 = layout.of(Part::Hint).y0 - gap;
    if (rest.x1 > room.x0 && rest.x0 < room.x1) rest.y1 = std::min(rest.y1, room.y1);
  }
  draw_phase(room, view, state.phase_s, pen);
  if (const Rect& phase = layout.of(Part::ShooterPhase); !phase.empty() && rest.x1 > phase.x0) {
    rest.y1 = std::min(rest.y1, phase.y0 - gap);
  }
}

}  // namespace

void follow_shooter(const ShooterView& view, ShooterHudState& state) {
  const float delta = ImGui::GetIO().DeltaTime;
  const float dt_s = std::isfinite(delta) ? std::max(0.0f, delta) : 0.0f;
  state.shown_s = view.state == state.shown ? state.shown_s + dt_s : 0.0f;
  state.shown = view.state;
  const std::string_view title = view.phase_title.substr(0, state.phase.size());
  const bool same = title == std::string_view(state.phase.data(), state.phase_size);
  state.phase_s = same ? state.phase_s + dt_s : 0.0f;
  if (same) return;
  std::copy(title.begin(), title.end(), state.phase.begin());
  state.phase_size = title.size();
}

Rect shooter_field() {
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  const float unit = std::min(display.x, display.y) / (frame::kFieldHalfHeight * 2);
  const float x = display.x * 0.5f, y = display.y * 0.5f, wide = frame::kFieldHalfWidth * unit,
              high = frame::kFieldHalfHeight * unit;
  return {x - wide, y - high, x + wide, y + high};
}

void draw_shooter(Rect& rest, const Rect& whole, const frame::PanelModel& model, UiState& state, const Pen& pen,
                  frame::PanelRequests& requests) {
  const ShooterView& view = *model.shooter;
  switch (view.state) {
    case ShooterState::Title:
      draw_shooter_title(rest, model, state.shooter.shown_s, pen, requests);
      break;
    case ShooterState::Playing:
    case ShooterState::Continue:
      draw_playing(rest, whole, model, state.shooter, pen);
      if (view.state == ShooterState::Continue) draw_shooter_continue(rest, whole, model, pen, requests);
      break;
    case ShooterState::Won:
    case ShooterState::Lost:
      draw_shooter_result(rest, model, state.shooter.shown_s, pen, requests);
      break;
    case ShooterState::Stress:
      draw_stress(rest, model, pen, requests);
      break;
  }
}

void draw_shooter_keys(const Rect& whole, const frame::PanelModel& model, const Pen& pen) {
  const Rect& supplies = pen.layout().of(Part::ShooterSupplies);
  if (!model.key_row || model.shooter->state != ShooterState::Playing || supplies.x0 <= shooter_field().x1) return;
  const Rect room{supplies.x0, supplies.y1, std::min(supplies.x0 + pen.px(kColumnUnits), whole.x1), whole.y1};
  using frame::Action;
  struct Row {
    Action key;
    std::optional<Action> other;
    std::string_view what;
  };
  static constexpr std::array kRows = {Row{Action::ToggleStrategy, {}, "pool off and on"},
                                       Row{Action::LoadDown, Action::LoadUp, "load"},
                                       Row{Action::SideBySide, {}, "side by side"},
                                       Row{Action::QuickAb, {}, "measure"},
                                       Row{Action::Help, {}, "help"}};
  const float line = pen.px(25), gap = pen.px(8), x1 = room.x1 - pen.px(12);
  const float high = line * static_cast<float>(kRows.size());
  if (room.height() < high + gap * 2) return;
  const auto key_wide = [&](const Row& row) {
    const float one = pen.key_cap_width(key_label(model, row.key));
    return row.other ? one + pen.px(4) + pen.key_cap_width(key_label(model, *row.other)) : one;
  };
  float keys = 0;
  for (const Row& row : kRows) keys = std::max(keys, key_wide(row));
  const float x = room.x0 + pen.px(12), words = x + keys + gap;
  for (const Row& row : kRows) {
    if (words + pen.width(Cut::Small, row.what) > x1) return;
  }
  float y = room.y1 - gap - high;
  const Rect box{room.x0, y, room.x1, room.y1 - gap};
  for (const Rect& part : pen.layout().parts) {
    if (!part.empty() && part.overlaps(box)) return;
  }
  pen.layout().of(Part::KeyRow) = box;
  for (const Row& row : kRows) {
    const float one = pen.key_cap(x, y, y + line, key_label(model, row.key));
    if (row.other) pen.key_cap(x + one + pen.px(4), y, y + line, key_label(model, *row.other));
    pen.text(Cut::Small, words, pen.centre_y(Cut::Small, y, y + line), kMuted, row.what);
    y += line;
  }
}

}  // namespace spellpool::ui
