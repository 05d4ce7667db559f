#include <algorithm>
#include <cmath>

#include "ui/kit/controls.hpp"
#include "ui/kit/parts.hpp"

namespace spellpool::ui {
namespace {

constexpr float kFullTurn = 6.2831853f;
constexpr auto kSpells = static_cast<float>(frame::kSpellCount);
constexpr float kSlotUnits = 62, kSlotHeightUnits = 46, kIconUnits = 30, kGapUnits = 6;
constexpr float kSmallUnits = 34, kSmallLeastUnits = 20, kSmallGapUnits = 3;

enum class Look : u8 { Titled, Keyed, Small };

frame::Action action_of(std::size_t spell) {
  return frame::spell_action(spell);
}

// A dark slice that ends at twelve o'clock, as large as the time that is left; it shrinks clockwise.
void draw_sweep(const Pen& pen, ImVec2 centre, float radius, float left) {
  const float from = -kFullTurn * 0.25f, share = std::clamp(std::isfinite(left) ? left : 0.0f, 0.0f, 1.0f);
  if (!(share > 0.01f)) return;
  // A slice of more than half a turn is not convex: it is drawn as two.
  ImDrawList& list = *pen.list();
  const float middle = std::min(share, 0.5f);
  const auto slice = [&](float a, float b) {
    if (b - a < 0.002f) return;
    list.PathLineTo(centre);
    list.PathArcTo(centre, radius, from - kFullTurn * a, from - kFullTurn * b, 24);
    list.PathFillConvex(IM_COL32(6, 7, 14, 205));
  };
  slice(0.0f, middle);
  slice(middle, share);
}

void draw_slot(const Pen& pen, const frame::PanelModel& model, std::size_t spell, const Rect& box, Look look,
               bool hovered) {
  const ImU32 colour = spell_colour(model, spell);
  const bool selected = spell == model.selected_spell;
  const float round = pen.px(look == Look::Small ? 6 : 8);
  pen.fill(box, faded(kPanelFill, 0.9f), round);
  if (selected || hovered) pen.fill(box, faded(colour, selected ? 0.15f : 0.08f), round);
  const float thick = selected ? std::max(1.5f, pen.scale() * 1.5f) : 1.0f;
  const float half = 0.5f * thick;  // the line stays inside: at its edges the window ends
  pen.frame({box.x0 + half, box.y0 + half, box.x1 - half, box.y1 - half},
            selected  ? colour
            : hovered ? kControlEdge
                      : kPanelEdge,
            round, thick);
  const std::string_view key = key_label(model, action_of(spell));
  const float high = box.height();
  float icon = pen.px(kIconUnits);
  ImVec2 centre(box.middle_x(), box.middle_y());
  if (look == Look::Small) {
    icon = high * 0.74f;
    centre = ImVec2(centre.x + high * 0.07f, centre.y + high * 0.06f);
  } else {
    const float cap = pen.key_cap_width(key), pad = pen.px(6);
    pen.key_cap(box.x0 + pad, box.y0, box.y1, key);
    centre.x = box.x0 + pad + cap + pen.px(4) + icon * 0.5f;
  }
  draw_spell_icon(pen, spell, centre, icon * 0.36f, selected ? colour : faded(colour, 0.78f));
  draw_sweep(pen, centre, icon * 0.53f, model.cooldowns[spell]);
  if (selected && std::isfinite(model.charge) && model.charge > 0.01f) {
    const float radius = icon * 0.60f, stroke = std::max(2.0f, pen.scale() * 2.5f);
    pen.list()->AddCircle(centre, radius, faded(colour, 0.3f), 40, stroke);
    const bool full = model.charge >= 0.995f;
    pen.arc(centre, radius, -0.25f, -0.25f + std::min(1.0f, model.charge), full ? kText : colour, stroke);
  }
  if (look == Look::Small && high >= pen.px(28) && key.size() == 1) {
    pen.text(Cut::Small, box.x0 + pen.px(3), box.y0 + pen.px(1), selected ? kText : kMuted, key);
  }
  if (look == Look::Titled && selected) {
    const float x = centre.x + icon * 0.5f + pen.px(9);
    pen.text_within(Cut::Strong, x, pen.centre_y(Cut::Strong, box.y0, box.y1), box.x1 - pen.px(8) - x, kText,
                    model.spell_titles[spell]);
  }
}

// Width of a slot with key and icon, wide enough for the longest key.
float slot_width(const frame::PanelModel& model, const Pen& pen) {
  float cap = 0;
  for (std::size_t spell = 0; spell < frame::kSpellCount; ++spell) {
    cap = std::max(cap, pen.key_cap_width(key_label(model, action_of(spell))));
  }
  return std::max(pen.px(kSlotUnits), pen.px(6) + cap + pen.px(4) + pen.px(kIconUnits) + pen.px(6));
}

float title_room(const frame::PanelModel& model, const Pen& pen) {
  float title = 0;
  for (std::string_view words : model.spell_titles) title = std::max(title, pen.width(Cut::Strong, words));
  return title + pen.px(14);
}

// Slots in a row or, if the box is higher than wide, in a column.
Rect draw_slots(const Rect& place, const frame::PanelModel& model, const Pen& outer, Look look, float slot, float gap,
                frame::PanelRequests& requests) {
  // Dear ImGui cuts a window's place to whole pixels, and what is drawn in it at its edges.
  const float x0 = std::floor(place.x0), y0 = std::floor(place.y0);
  const Rect bar{x0, y0, x0 + std::floor(place.width()), y0 + std::floor(place.height())};
  begin_window("##spells", bar);
  const Pen pen(ImGui::GetWindowDrawList(), outer.scale(), outer.layout());
  const bool column = bar.height() > bar.width();
  float at = column ? bar.y0 : bar.x0;
  for (std::size_t spell = 0; spell < frame::kSpellCount; ++spell) {
    const bool wider = look == Look::Titled && spell == model.selected_spell;
    const float size = slot + (wider ? title_room(model, pen) : 0.0f);
    const Rect box = column ? Rect{bar.x0, at, bar.x1, at + size} : Rect{at, bar.y0, at + size, bar.y1};
    const Press press = press_area(pen, ControlKind::Spell, spell, box);
    draw_slot(pen, model, spell, box, look, press.hovered);
    if (press.pressed) requests.ask(action_of(spell));
    at += size + gap;
  }
  end_window();
  return bar;
}

}  // namespace

float spell_bar_width(const frame::PanelModel& model, const Pen& pen) {
  return slot_width(model, pen) * kSpells + title_room(model, pen) + pen.px(kGapUnits) * (kSpells - 1);
}

Rect draw_spell_bar(Rect& rest, const frame::PanelModel& model, const Pen& pen, frame::PanelRequests& requests) {
  const float gap = pen.px(kGapUnits), slot = slot_width(model, pen);
  const float keyed = slot * kSpells + gap * (kSpells - 1);
  const float titled = keyed + title_room(model, pen);
  if (keyed > rest.width()) return draw_small_spell_bar(rest, 0, model, pen, requests);
  const bool has_selected = model.selected_spell < frame::kSpellCount;
  const Look look = titled <= rest.width() && has_selected ? Look::Titled : Look::Keyed;
  const float wide = look == Look::Titled ? titled : keyed;
  const Rect row = take_bottom(rest, pen.px(kSlotHeightUnits), pen.px(8));
  if (row.empty()) return {};
  const float x0 = std::floor(row.middle_x() - wide * 0.5f);
  return draw_slots({x0, row.y0, x0 + wide, row.y1}, model, pen, look, slot, gap, requests);
}

Rect draw_small_spell_bar(Rect& rest, float side, const frame::PanelModel& model, const Pen& pen,
                          frame::PanelRequests& requests) {
  const float gap = pen.px(kSmallGapUnits);
  const auto fit = [&](float room) {
    return std::min(pen.px(kSmallUnits), std::floor((room - gap * (kSpells - 1)) / kSpells));
  };
  const auto length = [&](float slot) { return slot * kSpells + gap * (kSpells - 1); };
  const float least = pen.px(kSmallLeastUnits), usual = pen.px(kSmallUnits);
  // In the margin beside the arena: a row if it is wide, a column if it is high; else a row below everything.
  if (side > 0) {
    if (const float slot = fit(side); slot >= pen.px(28)) {
      const Rect row = take_bottom(rest, slot, pen.px(8));
      if (!row.empty())
        return draw_slots({row.x0, row.y0, row.x0 + length(slot), row.y1}, model, pen, Look::Small, slot, gap,
                          requests);
    }
    if (const float slot = fit(rest.height()); slot >= least && side >= std::min(slot, usual)) {
      const Rect bar{rest.x0, rest.y1 - length(slot), rest.x0 + slot, rest.y1};
      rest.x0 = bar.x1 + pen.px(8);
      return draw_slots(bar, model, pen, Look::Small, slot, gap, requests);
    }
  }
  const float slot = fit(rest.width());
  if (slot < least) return {};
  const Rect row = take_bottom(rest, slot, pen.px(8));
  if (row.empty()) return {};
  const float x0 = side > 0 ? row.x0 : std::floor(row.middle_x() - length(slot) * 0.5f);
  return draw_slots({x0, row.y0, x0 + length(slot), row.y1}, model, pen, Look::Small, slot, gap, requests);
}

}  // namespace spellpool::ui
