#include <algorithm>
#include <cmath>

#include "ui/controls.hpp"
#include "ui/parts.hpp"

namespace spellpool::ui {
namespace {

constexpr float kTurn = 6.2831853f;
constexpr auto kSpells = static_cast<float>(frame::kSpellCount);

ImVec2 at(ImVec2 centre, float radius, float x, float y) { return {centre.x + x * radius, centre.y + y * radius}; }

// A closed outline around `centre` that is seen whole from there, as a fan of triangles; its edge is a thin line.
template <std::size_t N>
void fill_around(ImDrawList& list, ImVec2 centre, const std::array<ImVec2, N>& points, ImU32 colour) {
  for (std::size_t i = 0; i < N; ++i) list.AddTriangleFilled(centre, points[i], points[(i + 1) % N], colour);
  list.AddPolyline(points.data(), static_cast<int>(N), colour, ImDrawFlags_Closed, 1.0f);
}

void draw_flame(ImDrawList& list, ImVec2 centre, float radius, ImU32 colour) {
  // A drop with a tip that leans, and a smaller bright one within.
  constexpr std::array<std::array<float, 2>, 18> kShape = {{{0.10f, -1.00f},
                                                            {0.16f, -0.72f},
                                                            {0.36f, -0.46f},
                                                            {0.58f, -0.18f},
                                                            {0.70f, 0.14f},
                                                            {0.66f, 0.48f},
                                                            {0.46f, 0.76f},
                                                            {0.18f, 0.92f},
                                                            {-0.14f, 0.93f},
                                                            {-0.44f, 0.80f},
                                                            {-0.66f, 0.52f},
                                                            {-0.70f, 0.16f},
                                                            {-0.56f, -0.16f},
                                                            {-0.40f, -0.38f},
                                                            {-0.34f, -0.12f},
                                                            {-0.22f, -0.26f},
                                                            {-0.04f, -0.52f},
                                                            {0.08f, -0.78f}}};
  std::array<ImVec2, kShape.size()> points;
  for (std::size_t i = 0; i < points.size(); ++i) points[i] = at(centre, radius, kShape[i][0], kShape[i][1]);
  fill_around(list, at(centre, radius, 0, 0.35f), points, colour);
  for (std::size_t i = 0; i < points.size(); ++i) {
    points[i] = at(centre, radius, kShape[i][0] * 0.46f, 0.40f + kShape[i][1] * 0.46f);
  }
  fill_around(list, at(centre, radius, 0, 0.56f), points, IM_COL32(255, 240, 200, 235));
}

void draw_snowflake(ImDrawList& list, ImVec2 centre, float radius, ImU32 colour) {
  const float thick = std::max(1.2f, radius * 0.12f);
  for (int arm = 0; arm < 6; ++arm) {
    const float angle = kTurn * (static_cast<float>(arm) / 6.0f + 0.25f);
    const ImVec2 along(std::cos(angle), std::sin(angle));
    list.AddLine(centre, at(centre, radius, along.x, along.y), colour, thick);
    for (const float side : {-1.0f, 1.0f}) {
      const ImVec2 barb(std::cos(angle + side * kTurn / 7.0f), std::sin(angle + side * kTurn / 7.0f));
      const ImVec2 root = at(centre, radius, along.x * 0.52f, along.y * 0.52f);
      list.AddLine(root, at(root, radius, barb.x * 0.36f, barb.y * 0.36f), colour, thick);
    }
  }
}

void draw_spiral(ImDrawList& list, ImVec2 centre, float radius, ImU32 colour) {
  constexpr int kPieces = 22;
  for (int arm = 0; arm < 2; ++arm) {
    ImVec2 last = centre;
    for (int i = 0; i <= kPieces; ++i) {
      const float t = static_cast<float>(i) / kPieces;
      const float angle = kTurn * (0.5f * static_cast<float>(arm) + 1.15f * (1.0f - t));
      const float reach = 0.10f + 0.90f * t * t;
      const ImVec2 next = at(centre, radius, std::cos(angle) * reach, std::sin(angle) * reach);
      if (i > 0) list.AddLine(last, next, colour, std::max(1.0f, radius * (0.22f - 0.14f * t)));
      last = next;
    }
  }
  list.AddCircleFilled(centre, radius * 0.16f, IM_COL32(255, 240, 255, 235), 12);
}

void draw_icon(const Pen& pen, std::size_t spell, ImVec2 centre, float radius, ImU32 colour) {
  ImDrawList& list = *pen.list();
  list.AddCircleFilled(centre, radius * 1.42f, faded(colour, 0.16f), 32);
  if (spell == 0) draw_flame(list, centre, radius, colour);
  if (spell == 1) draw_snowflake(list, centre, radius, colour);
  if (spell == 2) draw_spiral(list, centre, radius, colour);
}

// A dark slice that ends at twelve o'clock, as large as the time that is left; it shrinks clockwise.
void draw_sweep(const Pen& pen, ImVec2 centre, float radius, float left) {
  const float from = -kTurn * 0.25f, share = std::clamp(left, 0.0f, 1.0f);
  if (!(share > 0.01f)) return;
  // A slice of more than half a turn is not convex: it is drawn as two.
  ImDrawList& list = *pen.list();
  const float middle = std::min(share, 0.5f);
  const auto slice = [&](float a, float b) {
    if (b - a < 0.002f) return;
    list.PathLineTo(centre);
    list.PathArcTo(centre, radius, from - kTurn * a, from - kTurn * b, 24);
    list.PathFillConvex(IM_COL32(6, 7, 14, 205));
  };
  slice(0.0f, middle);
  slice(middle, share);
}

struct HintWord {
  std::string_view text;
  bool key = false;
  bool ends = false;  ///< The last word of a segment: a dot or a new line may follow.
};

std::array<HintWord, 11> hint_words() {
  return {{{"Aim with the mouse", false, true},
           {"hold the left button to cast", false, true},
           {key_label(frame::Action::Spell1), true, false},
           {key_label(frame::Action::Spell2), true, false},
           {key_label(frame::Action::Spell3), true, false},
           {"spells", false, true},
           {key_label(frame::Action::NextStrategy), true, false},
           {"switches the pool", false, true},
           {key_label(frame::Action::Help), true, false},
           {"help", false, true},
           {"", false, true}}};
}

struct HintLines {
  std::array<float, 5> widths{};
  std::array<std::size_t, 6> first{};  // Index of each line's first word; one more for the end.
  std::size_t count = 0;
};

float word_width(const Pen& pen, const HintWord& word) {
  return word.key ? pen.key_cap_width(word.text) : pen.width(Cut::Small, word.text);
}

HintLines break_hint(const Pen& pen, float room) {
  const std::array<HintWord, 11> words = hint_words();
  HintLines lines;
  const float space = pen.px(6), dot = pen.px(20);
  float line = 0;
  std::size_t start = 0, segment = 0;
  for (std::size_t i = 0; i < words.size() && !words[i].text.empty(); ++i) {
    if (!words[i].ends) continue;
    float wide = -space;
    for (std::size_t word = segment; word <= i; ++word) wide += word_width(pen, words[word]) + space;
    if (line > 0 && line + dot + wide > room && lines.count < 4) {
      lines.first[lines.count] = start;
      lines.widths[lines.count++] = line;
      start = segment;
      line = wide;
    } else {
      line += (line > 0 ? dot : 0) + wide;
    }
    segment = i + 1;
  }
  lines.first[lines.count] = start;
  lines.widths[lines.count++] = line;
  lines.first[lines.count] = words.size() - 1;
  return lines;
}

}  // namespace

ImU32 spell_colour(const frame::PanelModel& model, std::size_t spell) {
  const std::array<float, 3>& wish = model.spell_colours[spell];
  float most = 0;
  for (const float part : wish) most = std::max(most, std::isfinite(part) ? part : 0.0f);
  std::array<int, 3> shown{};
  for (std::size_t i = 0; i < 3; ++i) {
    const float part = most > 0 && std::isfinite(wish[i]) ? std::max(0.0f, wish[i]) / most : 0.8f;
    shown[i] = static_cast<int>(255.0f * (0.16f + 0.84f * part));
  }
  return IM_COL32(shown[0], shown[1], shown[2], 255);
}

float spell_bar_width(const frame::PanelModel& model, const Pen& pen) {
  float title = 0;
  for (std::string_view words : model.spell_titles) title = std::max(title, pen.width(Cut::Strong, words));
  const float card =
      pen.px(10) * 2 + pen.key_cap_width(key_label(frame::Action::Spell1)) + pen.px(8) * 2 + pen.px(36) + title;
  return card * kSpells + pen.px(8) * (kSpells - 1);
}

Rect draw_spell_bar(Rect& rest, const frame::PanelModel& model, const Pen& pen) {
  const float pad = pen.px(10), gap = pen.px(8), icon = pen.px(36);
  const float cap = pen.key_cap_width(key_label(frame::Action::Spell1));
  float wide = spell_bar_width(model, pen);
  const bool compact = wide > rest.width();
  if (compact) wide = (pad + cap + pen.px(6) + icon + pad) * kSpells + gap * (kSpells - 1);
  if (wide > rest.width()) return {};
  const float card = (wide - gap * (kSpells - 1)) / kSpells;
  const Rect row = take_bottom(rest, pen.px(52), gap);
  if (row.empty()) return {};
  const float x0 = std::floor(row.middle_x() - wide * 0.5f);
  for (std::size_t spell = 0; spell < frame::kSpellCount; ++spell) {
    const float left = x0 + static_cast<float>(spell) * (card + gap);
    const Rect box{left, row.y0, left + card, row.y1};
    const ImU32 colour = spell_colour(model, spell);
    const bool selected = spell == model.selected_spell;
    pen.fill(box, faded(kPanelFill, 0.9f), pen.px(8));
    if (selected) pen.fill(box, faded(colour, 0.13f), pen.px(8));
    pen.frame(box, selected ? colour : kPanelEdge, pen.px(8), selected ? std::max(1.5f, pen.scale() * 1.5f) : 1.0f);
    const auto action = static_cast<frame::Action>(static_cast<std::size_t>(frame::Action::Spell1) + spell);
    pen.key_cap(box.x0 + pad, box.y0, box.y1, key_label(action));
    const ImVec2 centre(box.x0 + pad + cap + (compact ? pen.px(6) : gap) + icon * 0.5f, box.middle_y());
    draw_icon(pen, spell, centre, icon * 0.36f, selected ? colour : faded(colour, 0.8f));
    if (selected && std::isfinite(model.cooldown)) draw_sweep(pen, centre, icon * 0.52f, model.cooldown);
    if (compact) continue;
    const float words_x = box.x0 + pad + cap + gap + icon + gap;
    pen.text_within(Cut::Strong, words_x, pen.centre_y(Cut::Strong, box.y0, box.y1), box.x1 - pad * 0.5f - words_x,
                    selected ? kText : kMuted, model.spell_titles[spell]);
  }
  return {x0, row.y0, x0 + wide, row.y1};
}

float hint_height(const Pen& pen, float width) {
  const std::size_t lines = break_hint(pen, width - pen.px(24)).count;
  return lines <= 2 ? static_cast<float>(lines) * pen.px(24) + pen.px(6) : 0.0f;
}

Rect draw_hint(const Rect& row, const Pen& pen) {
  const std::array<HintWord, 11> words = hint_words();
  const HintLines lines = break_hint(pen, row.width() - pen.px(24));
  const float widest = *std::max_element(lines.widths.begin(), lines.widths.end()) + pen.px(24);
  const float x0 = std::floor(row.middle_x() - widest * 0.5f);
  const Rect box{x0, row.y0, x0 + widest, row.y1};
  pen.fill(box, faded(kPanelFill, 0.72f), pen.px(8));
  float y = box.y0 + pen.px(3);
  for (std::size_t line = 0; line < lines.count; ++line, y += pen.px(24)) {
    float x = std::floor(box.middle_x() - lines.widths[line] * 0.5f);
    const float text_y = pen.centre_y(Cut::Small, y, y + pen.px(24));
    for (std::size_t i = lines.first[line]; i < lines.first[line + 1]; ++i) {
      if (words[i].key) {
        x += pen.key_cap(x, y, y + pen.px(24), words[i].text);
      } else {
        x += pen.text(Cut::Small, x, text_y, kText, words[i].text);
      }
      if (!words[i].ends) {
        x += pen.px(6);
      } else if (i + 1 < lines.first[line + 1]) {
        pen.list()->AddCircleFilled(ImVec2(x + pen.px(10), y + pen.px(12)), std::max(1.0f, pen.scale() * 1.5f), kMuted,
                                    8);
        x += pen.px(20);
      }
    }
  }
  return box;
}

}  // namespace spellpool::ui
