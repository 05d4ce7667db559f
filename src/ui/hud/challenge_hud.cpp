#include <algorithm>
#include <cmath>

#include "ui/kit/controls.hpp"
#include "ui/kit/parts.hpp"

namespace spellpool::ui {
namespace {

using frame::ChallengeView;

constexpr std::size_t kRunes = 12;
constexpr float kRound_s = 60.0f, kAcceleration_s = 10.0f;
constexpr ImU32 kGold = IM_COL32(255, 206, 112, 255);

float sane(float value, float low, float high) { return std::isfinite(value) ? std::clamp(value, low, high) : low; }

void draw_runes(const Pen& pen, float x0, float x1, float middle, u32 lit, bool wants_spell) {
  const float step = (x1 - x0) / static_cast<float>(kRunes), half = std::min(step * 0.32f, pen.px(4));
  for (std::size_t i = 0; i < kRunes; ++i) {
    const ImVec2 centre(std::floor(x0 + step * (static_cast<float>(i) + 0.5f)), middle);
    const ImVec2 top(centre.x, centre.y - half * 1.3f), right(centre.x + half, centre.y);
    const ImVec2 bottom(centre.x, centre.y + half * 1.3f), left(centre.x - half, centre.y);
    if (i < lit) {
      pen.list()->AddQuadFilled(top, right, bottom, left, kGold);
    } else {
      const bool next = wants_spell && i == lit;
      pen.list()->AddQuad(top, right, bottom, left, next ? kGold : faded(kMuted, 0.55f), next ? 2.0f : 1.0f);
    }
  }
}

// Score and multiplier over the time's bar, combo and runes below.
Rect draw_score(const Rect& stage, const frame::PanelModel& model, const Pen& pen) {
  const ChallengeView& view = model.challenge;
  const Line<32> score = count_text(view.result.score);
  const float wide = std::min(pen.px(348), stage.width());
  const float score_wide = pen.title_width(34, 0, score), factor_room = pen.px(86);
  if (wide < score_wide + pen.px(20) || wide < pen.px(200)) return {};
  const Rect& chip = pen.layout().of(Part::Chip);
  const float x0 = std::floor(stage.middle_x() - wide * 0.5f), high = pen.px(84);
  const float y0 = !chip.empty() && chip.x1 + pen.px(8) > x0 ? chip.y1 + pen.px(6) : stage.y0;
  const Rect box{x0, y0, x0 + wide, y0 + high};
  if (box.y1 > stage.y1) return {};
  pen.panel(box);
  const float pad = pen.px(12), left = box.x0 + pad, right = box.x1 - pad;

  // First line: time, score, multiplier.
  const float line = box.y0 + pen.px(7);
  pen.title(34, 0, box.middle_x(), line - pen.px(2), kText, score);
  const float small_y = line + pen.px(9);
  const float whole = view.phase == ChallengeView::Phase::Countdown ? kRound_s : sane(view.left_s, 0, 3600);
  const bool over = view.phase == ChallengeView::Phase::Over;
  const bool accelerate = view.phase == ChallengeView::Phase::Running && whole <= kAcceleration_s;
  const Line<16> seconds(accelerate ? "%.1f s" : "%.0f s", static_cast<double>(accelerate ? whole : std::ceil(whole)));
  const bool roomy = score_wide + factor_room * 2 < right - left;
  if (roomy || score_wide + pen.px(100) < right - left) {
    pen.text(Cut::Strong, left, small_y, accelerate ? kRed : kText,
             over ? std::string_view("time is up") : std::string_view(seconds));
    const Line<16> factor("×%u", view.multiplier);
    pen.text_right(Cut::Large, right, small_y - pen.px(3), view.multiplier > 1 ? kGold : kMuted, factor);
  }

  const float bar_y = box.y0 + pen.px(45);
  const Rect bar{left, bar_y, right, bar_y + pen.px(6)};
  const float share = over ? 0.0f : sane(whole / kRound_s, 0, 1);
  pen.fill(bar, kControl, pen.px(3));
  if (share > 0)
    pen.fill({bar.x0, bar.y0, bar.x0 + std::max(pen.px(3), bar.width() * share), bar.y1}, accelerate ? kRed : kAccent,
             pen.px(3));

  // Last line: the combo with the arc of its time, and the runes.
  const float y0_last = bar.y1 + pen.px(4), y1_last = box.y1 - pen.px(4),
              middle = std::floor((y0_last + y1_last) * 0.5f);
  const float radius = pen.px(7);
  const ImVec2 centre(left + radius, middle);
  const float left_share = sane(view.combo_left, 0, 1);
  pen.list()->AddCircle(centre, radius, faded(kMuted, 0.4f), 24, std::max(1.5f, pen.scale() * 2));
  pen.arc(centre, radius, -0.25f, -0.25f + left_share, kGold, std::max(1.5f, pen.scale() * 2.5f));
  const Line<48> combo(view.wants_spell ? "%s: another spell!" : "combo %s", count_text(model.combo).c_str());
  pen.text(Cut::Small, left + radius * 2 + pen.px(7), pen.centre_y(Cut::Small, y0_last, y1_last),
           model.combo > 1 ? kText : kMuted, combo);
  const float runes_from = std::max(right - pen.px(172), left + radius * 2 + pen.px(17) + pen.width(Cut::Small, combo));
  draw_runes(pen, runes_from, right, middle, view.runes, view.wants_spell);
  return box;
}

void draw_banner(const Rect& stage, const frame::PanelModel& model, const Pen& pen) {
  const float shown = sane(model.challenge.finale, 0, 1);
  if (shown < 0.02f) return;
  constexpr std::string_view kWords = "ALL RUNES BURN";
  float units = 30;
  while (units > 14 && pen.title_width(units, units * 0.22f, kWords) > stage.width()) units -= 2;
  const float wide = pen.title_width(units, units * 0.22f, kWords);
  const Rect& score = pen.layout().of(Part::Challenge);
  const Rect& chip = pen.layout().of(Part::Chip);
  float y = stage.y0;
  if (!score.empty()) {
    y = score.y1 + pen.px(12);
  } else if (!chip.empty()) {
    y = chip.y1 + pen.px(12);
  }
  const float x0 = std::floor(stage.middle_x() - wide * 0.5f);
  const Rect box{x0, y, x0 + std::ceil(wide), y + pen.px(units * 1.15f)};
  if (wide > stage.width() || box.y1 > stage.y1) return;
  const float seen = 1.0f - (1.0f - shown) * (1.0f - shown);
  // A dark breath behind the letters: the finale is the brightest moment of the game.
  const float out = pen.px(26);
  const ImU32 dark = faded(IM_COL32(4, 5, 12, 200), seen), none = IM_COL32(4, 5, 12, 0);
  const ImVec2 top(box.x0 - out * 2, box.y0), middle(stage.middle_x(), box.y1);
  pen.list()->AddRectFilledMultiColor(top, middle, none, dark, dark, none);
  pen.list()->AddRectFilledMultiColor(ImVec2(middle.x, box.y0), ImVec2(box.x1 + out * 2, box.y1), dark, none, none,
                                      dark);
  pen.title(units, units * 0.22f, stage.middle_x(), box.y0, faded(IM_COL32(255, 240, 208, 255), seen), kWords);
  pen.layout().of(Part::Banner) = box;
}

// 3, 2, 1: each large, and shrinking as its second goes.
void draw_countdown(const Rect& stage, const frame::PanelModel& model, const Pen& pen) {
  const float left = sane(model.challenge.left_s, 0, 9);
  const float number = std::max(1.0f, std::ceil(left));
  const float gone = number - left;
  const Line<8> words("%.0f", static_cast<double>(number));
  const float units = 150.0f - 24.0f * (1.0f - (1.0f - gone) * (1.0f - gone));
  const float half = pen.px(60), high = pen.px(170);
  const float middle = stage.middle_y();
  const Rect box{stage.middle_x() - half, std::floor(middle - high * 0.5f), stage.middle_x() + half,
                 std::floor(middle + high * 0.5f)};
  const Rect& score = pen.layout().of(Part::Challenge);
  if (box.y0 < std::max(stage.y0, score.y1) || box.y1 > stage.y1 || box.x0 < stage.x0) return;
  const float fade = std::min(1.0f, (1.0f - gone) * 3.0f);
  for (int ring = 6; ring > 0; --ring) {
    pen.list()->AddCircleFilled(ImVec2(stage.middle_x(), middle), pen.px(20.0f * static_cast<float>(ring)),
                                IM_COL32(4, 5, 12, 22), 48);
  }
  pen.title(units, 0, stage.middle_x(), middle - pen.px(units) * 0.52f, faded(kText, 0.35f + 0.65f * fade), words);
  pen.layout().of(Part::Countdown) = box;
}

}  // namespace

void draw_challenge(const Rect& stage, const frame::PanelModel& model, const Pen& pen) {
  if (model.challenge.phase != ChallengeView::Phase::Free) {
    pen.layout().of(Part::Challenge) = draw_score(stage, model, pen);
  }
  draw_banner(stage, model, pen);
  if (model.challenge.phase == ChallengeView::Phase::Countdown) draw_countdown(stage, model, pen);
}

void draw_challenge_start(const Rect& room, const frame::PanelModel& model, const Pen& outer,
                          frame::PanelRequests& requests) {
  const std::string_view key = key_label(model, frame::Action::Challenge);
  constexpr std::string_view kWords = "60-second challenge";
  const float pad = outer.px(8), cap = outer.key_cap_width(key);
  const float wide = pad + cap + outer.px(7) + outer.width(Cut::Small, kWords) + pad, high = outer.px(28);
  if (wide > room.width() || high > room.height()) return;
  const Rect box{room.x1 - wide, room.y1 - high, room.x1, room.y1};
  begin_window("##challenge", box);
  const Pen pen(ImGui::GetWindowDrawList(), outer.scale(), outer.layout());
  const Press press = press_area(pen, ControlKind::Ask, static_cast<std::size_t>(frame::Action::Challenge), box);
  pen.fill(box, faded(kPanelFill, press.hovered ? 1.0f : 0.6f), pen.px(8));
  if (press.hovered) pen.frame(box, kControlEdge, pen.px(8));
  pen.key_cap(box.x0 + pad, box.y0, box.y1, key);
  pen.text(Cut::Small, box.x0 + pad + cap + pen.px(7), pen.centre_y(Cut::Small, box.y0, box.y1),
           press.hovered ? kText : kMuted, kWords);
  end_window();
  pen.layout().of(Part::ChallengeStart) = box;
  if (press.pressed) requests.ask(frame::Action::Challenge);
}

}  // namespace spellpool::ui
