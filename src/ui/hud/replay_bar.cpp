#include <algorithm>
#include <array>
#include <cmath>

#include "core/fixed_step.hpp"
#include "ui/kit/controls.hpp"
#include "ui/kit/parts.hpp"
#include "ui/shooter/shooter_parts.hpp"

namespace spellpool::ui {
namespace {

using frame::Action;
using frame::ReplayMark;
using frame::ReplayView;

constexpr float kReplayBarUnits = 38, kButtonUnits = 26, kShortTimelineUnits = 170, kWideTimelineUnits = 300;

Line<16> time_text(u64 steps) { return clock_text(static_cast<float>(steps / kStepsPerSecond)); }

// A triangle of the size of a play sign, its tip to the right (1) or to the left (−1) of x.
void draw_tip(const Pen& pen, float x, float y, float half, float way, ImU32 colour) {
  const ImVec2 tip(x + half * way, y), low(x - half * way, y + half), high(x - half * way, y - half);
  // Clockwise, or the edge is drawn inside.
  if (way > 0) pen.list()->AddTriangleFilled(tip, low, high, colour);
  else pen.list()->AddTriangleFilled(tip, high, low, colour);
}

void draw_bar(const Pen& pen, float x, float y, float half, ImU32 colour) {
  const float thin = std::max(1.0f, pen.px(1));
  pen.fill({x - thin, y - half, x + thin, y + half}, colour);
}

void draw_sign(const Pen& pen, Action action, bool stands, const Rect& box, ImU32 colour) {
  const float x = std::floor(box.middle_x()), y = std::floor(box.middle_y()), half = pen.px(5),
              thin = std::max(1.0f, pen.px(1));
  switch (action) {
    case Action::ReplayStart:
      draw_bar(pen, x - half, y, half, colour);
      draw_tip(pen, x + thin, y, half, -1, colour);
      break;
    case Action::ReplayEnd:
      draw_tip(pen, x - thin, y, half, 1, colour);
      draw_bar(pen, x + half, y, half, colour);
      break;
    case Action::ReplayBack:
      draw_tip(pen, x - half * 0.8f, y, half * 0.8f, -1, colour);
      draw_tip(pen, x + half * 0.8f, y, half * 0.8f, -1, colour);
      break;
    case Action::ReplayForward:
      draw_tip(pen, x - half * 0.8f, y, half * 0.8f, 1, colour);
      draw_tip(pen, x + half * 0.8f, y, half * 0.8f, 1, colour);
      break;
    case Action::ReplayStepBack:
      draw_tip(pen, x - half * 0.3f, y, half * 0.7f, -1, colour);
      draw_bar(pen, x + half * 0.9f, y, half * 0.7f, colour);
      break;
    case Action::SingleStep:
      draw_bar(pen, x - half * 0.9f, y, half * 0.7f, colour);
      draw_tip(pen, x + half * 0.3f, y, half * 0.7f, 1, colour);
      break;
    case Action::ReplayFaster:
      pen.fill({x - half, y - thin, x + half, y + thin}, colour);
      pen.fill({x - thin, y - half, x + thin, y + half}, colour);
      break;
    case Action::ReplaySlower:
      pen.fill({x - half, y - thin, x + half, y + thin}, colour);
      break;
    default:
      if (stands) {
        draw_tip(pen, x + thin, y, half * 1.3f, 1, colour);
      } else {
        pen.fill({x - half, y - half * 1.2f, x - half * 0.3f, y + half * 1.2f}, colour);
        pen.fill({x + half * 0.3f, y - half * 1.2f, x + half, y + half * 1.2f}, colour);
      }
      break;
  }
}

void button(const Pen& pen, const frame::PanelModel& model, Action action, const Rect& box,
            frame::PanelRequests& requests) {
  const Press press = press_area(pen, ControlKind::ReplayButton, static_cast<std::size_t>(action), box);
  const bool idle = (action == Action::ReplaySlower && model.replay.slowest) ||
                    (action == Action::ReplayFaster && model.replay.fastest);
  if (action == Action::Pause) {
    pen.fill(box, press.hovered ? kControlHot : kControl, pen.px(6));
    pen.frame(box, kControlEdge, pen.px(6));
  } else if (press.hovered) {
    pen.fill(box, kControlHot, pen.px(6));
  }
  draw_sign(pen, action, model.paused, box, idle ? faded(kMuted, 0.4f) : kText);
  if (press.pressed) requests.ask(action);
}

// The sign of the verdict: a tick or a cross in a disc. The shape differs, not only the colour.
void draw_verdict(const Pen& pen, float x, float y, bool same) {
  const float radius = pen.px(7), thick = std::max(1.5f, pen.px(1.8f)), arm = radius * 0.42f;
  ImDrawList& list = *pen.list();
  list.AddCircleFilled(ImVec2(x, y), radius, same ? kGreen : kRed, 20);
  if (same) {
    list.AddLine(ImVec2(x - arm * 1.2f, y), ImVec2(x - arm * 0.2f, y + arm), kInk, thick);
    list.AddLine(ImVec2(x - arm * 0.2f, y + arm), ImVec2(x + arm * 1.3f, y - arm), kInk, thick);
  } else {
    list.AddLine(ImVec2(x - arm, y - arm), ImVec2(x + arm, y + arm), kInk, thick);
    list.AddLine(ImVec2(x - arm, y + arm), ImVec2(x + arm, y - arm), kInk, thick);
  }
}

void draw_mark(const Pen& pen, ReplayMark::Kind kind, ImVec2 at, float half) {
  const float thick = std::max(1.0f, pen.px(1.4f));
  switch (kind) {
    case ReplayMark::Kind::Boss:
      draw_diamond(pen, at, half, kYellow, true);
      break;
    case ReplayMark::Kind::Bomb:
      pen.list()->AddCircle(at, half * 0.75f, kBlue, 16, thick);
      break;
    case ReplayMark::Kind::Loss: {
      const float arm = half * 0.7f;
      pen.list()->AddLine(ImVec2(at.x - arm, at.y - arm), ImVec2(at.x + arm, at.y + arm), kRed, thick);
      pen.list()->AddLine(ImVec2(at.x - arm, at.y + arm), ImVec2(at.x + arm, at.y - arm), kRed, thick);
      break;
    }
  }
}

// The track, what is played of it, the marks and the head; takes presses in all of `box`.
void draw_timeline(const Pen& pen, const ReplayView& replay, const Rect& box, frame::PanelRequests& requests) {
  const Press press = press_area(pen, ControlKind::Timeline, 0, box);
  const float from = box.x0 + pen.px(7), to = box.x1 - pen.px(7), middle = std::floor(box.middle_y()) + pen.px(3);
  const auto steps = static_cast<double>(std::max<u64>(1, replay.steps));
  const auto place = [&](u64 step) {
    return from + (to - from) * static_cast<float>(static_cast<double>(std::min(step, replay.steps)) / steps);
  };
  const float share = std::clamp((ImGui::GetIO().MousePos.x - from) / std::max(1.0f, to - from), 0.0f, 1.0f);
  const u64 pointed = static_cast<u64>(static_cast<double>(share) * static_cast<double>(replay.steps) + 0.5);
  if (press.held) {
    requests.hold_replay = true;
    requests.replay_step = pointed;
  }
  const float half = pen.px(2), head = place(replay.seeking ? replay.target : replay.step);
  pen.fill({from, middle - half, to, middle + half}, IM_COL32(148, 160, 214, 90), half);
  if (replay.indexed > 0)
    pen.fill({from, middle - half, place(replay.indexed), middle + half}, IM_COL32(148, 160, 214, 120), half);
  pen.fill({from, middle - half, place(replay.step), middle + half}, replay.seeking ? faded(kAccent, 0.55f) : kAccent,
           half);
  for (const ReplayMark& mark : replay.marks)
    draw_mark(pen, mark.kind, ImVec2(std::floor(place(mark.step)), middle - pen.px(10)), pen.px(4.5f));
  const ImVec2 centre(head, middle);
  const float radius = pen.px(press.hovered || press.held ? 7.0f : 6.0f);
  pen.layout().add(ControlKind::ReplayHead, replay.seeking ? 1 : replay.step >= replay.steps ? 2 : 0,
                   Rect{head - radius, middle - radius, head + radius, middle + radius}.cut_to(box));
  if (replay.seeking) {
    pen.list()->AddCircleFilled(centre, radius, kInk, 24);
    pen.list()->AddCircle(centre, radius, kText, 24, std::max(1.5f, pen.px(1.5f)));
  } else {
    pen.list()->AddCircleFilled(centre, radius, kText, 24);
  }
  if (!press.hovered && !press.held) return;
  const Pen outer(ImGui::GetForegroundDrawList(), pen.scale(), pen.layout());  // the spell bar may stand there
  const Line<16> time = time_text(pointed);
  const float wide = outer.width(Cut::Small, time) + pen.px(12),
              x = std::clamp(from + (to - from) * share, from + wide * 0.5f, to - wide * 0.5f);
  const Rect pill{std::floor(x - wide * 0.5f), box.y0 - pen.px(25), std::floor(x + wide * 0.5f), box.y0 - pen.px(3)};
  outer.fill(pill, kPanelFill, pen.px(6));
  outer.frame(pill, kPanelEdge, pen.px(6));
  outer.text_centred(Cut::Small, pill, kText, time);
}

}  // namespace

void draw_replay_bar(Rect& free, const frame::PanelModel& model, const Pen& outer, frame::PanelRequests& requests) {
  const ReplayView& replay = model.replay;
  const float high = outer.px(kReplayBarUnits), gap = outer.px(8);
  // Below the other parts' margin, so that it hides as little of the game as it can.
  const float bottom = std::floor(ImGui::GetIO().DisplaySize.y - outer.px(4));
  if (free.y0 >= bottom - high - gap) return;
  const Rect box{free.x0, bottom - high, free.x1, bottom};
  free.y1 = std::min(free.y1, box.y0 - gap);
  outer.layout().of(Part::Replay) = box;
  outer.layout().replay_indexed = replay.indexed;
  outer.fill(box, faded(kPanelFill, 0.88f), outer.px(8));
  outer.frame(box, kPanelEdge, outer.px(8));

  const Line<48> step("step %s", count_text(replay.step).c_str());
  const Line<48> widest_step("step %s", count_text(replay.steps).c_str());
  const Line<48> time("%s / %s", time_text(replay.step).c_str(), time_text(replay.steps).c_str());
  const Line<48> widest_time("%s / %s", time_text(replay.steps).c_str(), time_text(replay.steps).c_str());
  const bool same = replay.differs_at == 0;
  const char* const dots = outer.has_glyph(0x2026) ? "…" : "...";
  const auto verdict = [&](bool worded) {
    if (replay.seeking) return Line<64>("seeking%s %u %%", dots, static_cast<unsigned>(replay.progress * 100));
    if (same && replay.indexing && worded)
      return Line<64>("indexing%s %u %%", dots,
                      static_cast<unsigned>(100 * replay.indexed / std::max<u64>(1, replay.steps)));
    if (same) return Line<64>(worded ? "same as recorded" : "same");
    return Line<64>(worded ? "differs at step %s" : "differs at %s", count_text(replay.differs_at).c_str());
  };
  const auto verdict_width = [&](bool worded) {
    const Line<64> seeking("seeking%s 100 %%", dots);
    const Line<64> indexing("indexing%s 100 %%", dots);
    const Line<64> differs(worded ? "differs at step %s" : "differs at %s", count_text(replay.steps).c_str());
    return std::max(
        {outer.width(Cut::Small, seeking), outer.width(Cut::Small, differs),
         worded ? std::max(outer.width(Cut::Small, indexing), outer.width(Cut::Small, "same as recorded")) : 0.0f});
  };
  constexpr std::array kAll = {Action::ReplayStart,  Action::ReplayBack, Action::ReplayStepBack, Action::Pause,
                               Action::SingleStep, Action::ReplayForward, Action::ReplayEnd};
  constexpr std::array kFew = {Action::ReplayStepBack, Action::Pause, Action::SingleStep};
  const float side = outer.px(kButtonUnits), between = outer.px(2), sign = outer.px(20), pad = outer.px(6);
  const float speed_wide =
      std::max({outer.width(Cut::Small, "1/8×"), outer.width(Cut::Small, "max"), outer.width(Cut::Small, "16×")}) +
      outer.px(4);
  const float time_wide = outer.width(Cut::Small, widest_time), step_wide = outer.width(Cut::Small, widest_step);
  const auto timeline_room = [&](std::size_t buttons, bool worded, bool with_step) {
    const float fixed = (side + between) * static_cast<float>(buttons + 2) + speed_wide + time_wide + sign +
                        verdict_width(worded) + (with_step ? step_wide + gap * 2 : 0);
    return box.width() - pad * 2 - fixed - gap * 5;
  };
  // Where it is narrow, what the timeline does too is left out first.
  const bool wide = timeline_room(kAll.size(), true, true) >= outer.px(kWideTimelineUnits);
  const bool stepped = wide || timeline_room(kFew.size(), false, true) >= outer.px(kShortTimelineUnits);
  const std::span<const Action> actions = wide ? std::span<const Action>(kAll) : std::span<const Action>(kFew);
  const float room = timeline_room(actions.size(), wide, stepped);

  reserve_geometry(*ImGui::GetForegroundDrawList());
  begin_window("##replay", box);
  const Pen pen(ImGui::GetWindowDrawList(), outer.scale(), outer.layout());
  const float top = std::floor(box.middle_y() - side * 0.5f), text_y = pen.centre_y(Cut::Small, box.y0, box.y1);
  float x = box.x0 + pad;
  for (const Action action : actions) {
    button(pen, model, action, {x, top, x + side, top + side}, requests);
    x += side + between;
  }
  x += gap;
  button(pen, model, Action::ReplaySlower, {x, top, x + side, top + side}, requests);
  x += side;
  pen.text_centred(Cut::Small, {x, box.y0, x + speed_wide, box.y1}, kText, replay.speed);
  x += speed_wide;
  button(pen, model, Action::ReplayFaster, {x, top, x + side, top + side}, requests);
  x += side + gap;
  if (room > outer.px(40)) draw_timeline(pen, replay, {x, box.y0, x + room, box.y1}, requests);
  x += std::max(0.0f, room) + gap;
  pen.text_right(Cut::Small, x + time_wide, text_y, kText, time);
  x += time_wide + gap * 2;
  if (stepped) {
    pen.text_right(Cut::Small, x + step_wide, text_y, kMuted, step);
    x += step_wide + gap * 2;
  }
  draw_verdict(pen, x + pen.px(7), std::floor(box.middle_y()), same);
  pen.text_within(Cut::Small, x + sign, text_y, box.x1 - pad - x - sign, kText, verdict(wide));
  end_window();
}

}  // namespace spellpool::ui
