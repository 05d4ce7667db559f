#include <algorithm>
#include <cmath>

#include "ui/kit/parts.hpp"

namespace spellpool::ui {
namespace {

constexpr float kFact_s = 6.0f, kFade_s = 0.7f;
constexpr std::array<std::string_view, 3> kFacts = {
    "Every spark is an object that lives for a second. A busy fight makes thousands of them each second.",
    "A pool takes its memory once and hands out the same slots again and again: no spark waits for the system.",
    "Switch between new/delete and the pool while sparks fly, and watch the frame times. The game plays the same.",
};

}  // namespace

void draw_attract(Rect& free, const frame::PanelModel&, float age_s, const Pen& pen) {
  const float age = std::isfinite(age_s) ? std::max(0.0f, age_s) : 0.0f;
  const float in = 1.0f - std::pow(1.0f - std::min(1.0f, age / 1.2f), 3.0f);
  constexpr std::string_view kTitle = "SPELLPOOL";
  float units = 62;
  while (units > 16 && pen.title_width(units, units * 0.3f, kTitle) > free.width() - pen.px(20)) units -= 2;
  const float wide = pen.title_width(units, units * 0.3f, kTitle);
  const float high = pen.px(units * 1.1f), line = pen.line_px(Cut::Body) + pen.px(6);
  const float middle = std::floor(free.middle_x());
  const float top = std::floor(free.y0 + free.height() * 0.17f);
  const Rect title{std::floor(middle - wide * 0.5f), top, std::floor(middle + wide * 0.5f) + 1, top + high + line};
  if (wide <= free.width() && title.y1 < free.y1) {
    // Shade first, then light: readable over any spell.
    for (const float shift : {2.0f, 1.0f}) {
      pen.title(units, units * 0.3f, middle, top + pen.px(shift), faded(IM_COL32(3, 4, 10, 255), 0.5f * in), kTitle);
    }
    pen.title(units, units * 0.3f, middle, top, faded(IM_COL32(232, 230, 255, 255), 0.9f * in), kTitle);
    const float breath = 0.76f + 0.22f * std::sin(age * 2.2f);
    constexpr std::string_view kPress = "press any key";
    const float press = pen.width(Cut::Body, kPress), y = top + high;
    const Rect plate{middle - press * 0.5f - pen.px(12), y - pen.px(3), middle + press * 0.5f + pen.px(12), y + pen.line_px(Cut::Body) + pen.px(3)};
    pen.fill(plate, faded(IM_COL32(6, 7, 16, 255), 0.72f * in), pen.px(8));
    pen.text(Cut::Body, middle - press * 0.5f, y, faded(kText, breath * in), kPress);
    pen.layout().of(Part::Title) = title;
  }

  const auto which = static_cast<std::size_t>(std::fmod(age / kFact_s, static_cast<float>(kFacts.size())));
  const float within = std::fmod(age, kFact_s);
  const float seen = std::clamp(std::min(within, kFact_s - within) / kFade_s, 0.0f, 1.0f);
  const std::string_view fact = kFacts[std::min(which, kFacts.size() - 1)];
  const float pad = pen.px(12), room = std::min(free.width() - pad * 2, pen.px(760));
  const float fact_wide = std::min(room, pen.width(Cut::Body, fact));
  const float fact_high = pen.wrapped_height(Cut::Body, fact, room);
  const Rect row = take_bottom(free, fact_high + pen.px(12), pen.px(8));
  if (row.empty() || row.overlaps(title)) return;
  const Rect box{std::floor(middle - fact_wide * 0.5f) - pad, row.y0, std::floor(middle + fact_wide * 0.5f) + pad,
                 row.y1};
  pen.fill(box, faded(kPanelFill, 0.62f * seen), pen.px(8));
  pen.text_wrapped(Cut::Body, box.x0 + pad, box.y0 + pen.px(6), room, faded(kText, seen), fact);
  pen.layout().of(Part::Hint) = box;
}

}  // namespace spellpool::ui
