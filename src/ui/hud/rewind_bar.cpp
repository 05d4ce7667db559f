#include <algorithm>
#include <cmath>
#include <string>

#include "core/fixed_step.hpp"
#include "ui/kit/controls.hpp"
#include "ui/kit/parts.hpp"

namespace spellpool::ui {
namespace {

using frame::RewindView;

constexpr float kHeightUnits = 38, kPairUnits = 24, kLeastTimelineUnits = 80, kFilmUnits = 54, kFilmGapUnits = 6;
constexpr float kLeastFree = 3;  ///< Film heights that stay free above it.

float seconds(u64 steps) { return static_cast<float>(steps) / static_cast<float>(kStepsPerSecond); }

// Two tips to the left: time runs backward.
void draw_sign(const Pen& pen, float x, float y, ImU32 colour) {
  const float half = pen.px(6);
  for (const float at : {x, x + half}) {
    pen.list()->AddTriangleFilled(ImVec2(at - half, y), ImVec2(at, y - half), ImVec2(at, y + half), colour);
  }
}

void draw_timeline(const Pen& pen, const RewindView& rewind, const Rect& box, frame::PanelRequests& requests) {
  const Press press = press_area(pen, ControlKind::Timeline, 0, box);
  const float from = box.x0 + pen.px(7), to = box.x1 - pen.px(7), middle = std::floor(box.middle_y());
  const auto steps = static_cast<float>(std::max<u64>(1, rewind.last - rewind.first));
  const float head = from + (to - from) * (static_cast<float>(rewind.step - rewind.first) / steps);
  if (press.held) {
    const float share = std::clamp((ImGui::GetIO().MousePos.x - from) / std::max(1.0f, to - from), 0.0f, 1.0f);
    requests.hold_rewind = true;
    requests.rewind_step = rewind.first + static_cast<u64>(share * steps + 0.5f);
  }
  const float half = pen.px(2);
  pen.fill({from, middle - half, to, middle + half}, IM_COL32(148, 160, 214, 90), half);
  pen.fill({from, middle - half, head, middle + half}, kAccent, half);
  // Seconds, longer ones every ten.
  for (u64 step = (rewind.first + kStepsPerSecond - 1) / kStepsPerSecond * kStepsPerSecond; step <= rewind.last;
       step += kStepsPerSecond) {
    const float x = std::floor(from + (to - from) * (static_cast<float>(step - rewind.first) / steps));
    const float high = pen.px(step % (10 * kStepsPerSecond) == 0 ? 7.0f : 4.0f);
    pen.fill({x, middle + pen.px(4), x + std::max(1.0f, pen.px(1)), middle + pen.px(4) + high},
             IM_COL32(148, 160, 214, 140));
  }
  const float radius = pen.px(press.hovered || press.held ? 7.0f : 6.0f);
  pen.list()->AddCircleFilled(ImVec2(head, middle), radius, kText, 24);
  pen.layout().add(ControlKind::ReplayHead, rewind.step >= rewind.last ? 2 : 0,
                   Rect{head - radius, middle - radius, head + radius, middle + radius}.cut_to(box));
}

/// Pictures of the past from the left to the right; as many as have room, evenly chosen. Those after the moment shown
/// are dim.
void draw_film(const Pen& pen, const RewindView& rewind, const Rect& box, frame::PanelRequests& requests) {
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  const float space = pen.px(3),
              wide = std::floor(box.height() * std::clamp(display.x / std::max(1.0f, display.y), 1.0f, 2.4f));
  const std::size_t known = rewind.film.size(),
                    room = static_cast<std::size_t>(std::max(1.0f, (box.width() + space) / (wide + space)));
  const std::size_t shown = std::min(known, room);
  const auto chosen = [&](std::size_t i) {
    return shown == known ? i : i * (known - 1) / std::max<std::size_t>(1, shown - 1);
  };
  float x = box.x0;
  for (std::size_t i = 0; i < shown; ++i, x += wide + space) {
    const frame::FilmPicture& picture = rewind.film[chosen(i)];
    const bool past = picture.step <= rewind.step;
    const bool here = (past || i == 0) && (i + 1 == shown || rewind.film[chosen(i + 1)].step > rewind.step);
    const Rect part = Rect{x, box.y0, x + wide, box.y1}.cut_to(box);
    const Press press = press_area(pen, ControlKind::FilmPicture, i, part);
    if (press.pressed || press.held) {
      requests.hold_rewind = true;
      requests.rewind_step = picture.step;
    }
    const bool lit = past || press.hovered;
    pen.list()->AddImageRounded((ImTextureID)(std::intptr_t)rewind.film_texture, ImVec2(part.x0, part.y0),
                                ImVec2(part.x1, part.y1), ImVec2(picture.u0, picture.v0),
                                ImVec2(picture.u1, picture.v1), lit ? IM_COL32_WHITE : IM_COL32(255, 255, 255, 90),
                                pen.px(3));
    pen.frame(part, here || press.hovered ? kAccent : kPanelEdge, pen.px(3),
              here ? std::max(2.0f, pen.px(2)) : std::max(1.0f, pen.px(1)));
    if (!here && !press.hovered) continue;
    const Line<32> ago("%.0f s ago", static_cast<double>(seconds(rewind.last - picture.step)));
    const float line = pen.line_px(Cut::Small), text_wide = pen.width(Cut::Small, ago), pad = pen.px(3);
    if (text_wide + pad * 2 > part.width()) continue;
    pen.fill({part.x0, part.y1 - line, part.x0 + text_wide + pad * 2, part.y1}, faded(kPanelFill, 0.8f), pen.px(3));
    pen.text(Cut::Small, part.x0 + pad, part.y1 - line, kText, ago);
  }
}

constexpr double kLeastShown_us = 16.7;  ///< A thousandth of a frame: less is nothing that a game would notice.

/// What the last steps took in both strategies; shorter where it is narrow.
void draw_pair(const Pen& pen, const frame::PanelModel& model, const Rect& box) {
  using State = frame::FairPairView::State;
  const frame::FairPairView& pair = model.rewind.pair;
  const float text_y = pen.centre_y(Cut::Small, box.y0, box.y1);
  const std::string a(pair.strategies[0]), b(pair.strategies[1]);
  const auto alone = [&](ImU32 colour, std::initializer_list<std::string_view> words) {
    pen.text_within(Cut::Small, box.x0, text_y, box.width(), colour, fitting(pen, Cut::Small, box.width(), words));
  };
  const auto span_s = static_cast<double>(seconds(pair.steps));
  if (pair.state == State::Unequal) return alone(kRed, {"the worlds differ: no time is shown", "the worlds differ"});
  if (pair.state == State::Running) {
    const int percent = static_cast<int>(pair.progress * 100);
    const Line<160> whole("your last %.1f s again in %s and %s, in turns: %d %%", span_s, a.c_str(), b.c_str(),
                          percent);
    const Line<64> brief("comparing both: %d %%", percent), number("%d %%", percent);
    return alone(kMuted, {whole, brief, number});
  }
  const auto &us = pair.step_us, &update = pair.update_us, &spawn = pair.spawn_us, &least = pair.least_us,
             &most = pair.most_us;
  const double apart_us = std::abs(us[1] - us[0]);
  const bool shows = pair.differs && apart_us >= kLeastShown_us;
  const std::string key(key_label(model, frame::Action::LoadUp));
  const Line<64> ratio("%.2f× (%.2f to %.2f)", pair.ratio, pair.low, pair.high),
      small("%.2f×, %.1f µs of a frame", pair.ratio, apart_us);
  const std::string_view found = shows          ? std::string_view(ratio)
                                 : pair.differs ? std::string_view(small)
                                                : std::string_view("no difference");
  const Line<128> advised("%.*s: turn up the load (%s)", static_cast<int>(found.size()), found.data(), key.c_str());
  const std::string_view verdict = shows ? found : fitting(pen, Cut::Small, box.width() * 0.5f, {advised, found});
  const Line<256> whole(
      "your last %.1f s again, %u times with each: %s %.0f µs a step (update %.0f, spawn %.0f; %.0f to %.0f), %s %.0f "
      "µs (update %.0f, spawn %.0f; %.0f to %.0f)",
      span_s, pair.rounds, a.c_str(), us[0], update[0], spawn[0], least[0], most[0], b.c_str(), us[1], update[1],
      spawn[1], least[1], most[1]);
  const Line<256> parts(
      "your last %.1f s again: %s %.0f µs a step (update %.0f, spawn %.0f), %s %.0f µs (update %.0f, spawn %.0f)",
      span_s, a.c_str(), us[0], update[0], spawn[0], b.c_str(), us[1], update[1], spawn[1]);
  const Line<96> steps("%s %.0f µs a step, %s %.0f µs", a.c_str(), us[0], b.c_str(), us[1]),
      times("%.0f, %.0f µs", us[0], us[1]);
  const float room = box.width() - pen.width(Cut::Small, verdict) - pen.px(16);
  pen.text_within(Cut::Small, box.x0, text_y, room, kText,
                  fitting(pen, Cut::Small, room, {whole, parts, steps, times}));
  pen.text_right(Cut::Small, box.x1, text_y, shows ? kAccent : kMuted, verdict);
}

/// How far back it reaches, and what that takes; what a save and a restoration of this world take in both strategies,
/// if that has been measured. Shorter where there is less room.
Line<192> kept_text(const Pen& pen, const RewindView& rewind, float room) {
  const frame::FairPairView& pair = rewind.pair;
  const Line<64> reach("%.0f s in %s", static_cast<double>(seconds(rewind.last - rewind.first)),
                       bytes_text(rewind.bytes).c_str());
  const Line<96> memory("%s, %s a state", reach.c_str(), bytes_text(rewind.state_bytes).c_str());
  const auto &a = pair.strategies[0], &b = pair.strategies[1];
  const Line<192> both("%s; save + restore: %.*s %.0f + %.0f µs, %.*s %.0f + %.0f µs", memory.c_str(),
                       static_cast<int>(a.size()), a.data(), pair.save_us[0], pair.restore_us[0],
                       static_cast<int>(b.size()), b.data(), pair.save_us[1], pair.restore_us[1]);
  if (pair.state == frame::FairPairView::State::Done && pen.width(Cut::Small, both) <= room) return both;
  const Line<192> save("%s, %.0f µs to save", memory.c_str(), rewind.save_us);
  return pen.width(Cut::Small, save) <= room ? save : Line<192>("%s", reach.c_str());
}

}  // namespace

void draw_rewind_bar(Rect& free, const frame::PanelModel& model, const Pen& outer, frame::PanelRequests& requests) {
  const RewindView& rewind = model.rewind;
  const bool paired = rewind.pair.state != frame::FairPairView::State::None;
  const float line = outer.px(kHeightUnits), bars = line + (paired ? outer.px(kPairUnits) : 0), gap = outer.px(8),
              pad = outer.px(10);
  const float bottom = std::floor(ImGui::GetIO().DisplaySize.y - outer.px(4));
  if (free.y0 >= bottom - bars - gap) return;
  const float strip = outer.px(kFilmUnits + kFilmGapUnits);
  const bool filmed = rewind.possible && rewind.film_texture != 0 && !rewind.film.empty() &&
                      bottom - bars - gap - free.y0 >= strip * (1 + kLeastFree);
  const float high = bars + (filmed ? strip : 0);
  const Rect whole{free.x0, bottom - high, free.x1, bottom}, box{free.x0, bottom - line, free.x1, bottom};
  free.y1 = std::min(free.y1, whole.y0 - gap);
  outer.layout().of(Part::Replay) = whole;
  outer.fill(whole, faded(kPanelFill, 0.88f), outer.px(8));
  outer.frame(whole, rewind.running ? kAccent : kPanelEdge, outer.px(8));

  const std::string_view key = key_label(model, frame::Action::Rewind);
  const Line<64> held("hold %.*s to rewind", static_cast<int>(key.size()), key.data());
  const Line<96> no_way("no way back at this load: a saved world takes %s", bytes_text(rewind.state_bytes).c_str());
  const std::string_view said =
      rewind.running    ? std::string_view("rewinding")
      : rewind.possible ? std::string_view(held)
                        : fitting(outer, Cut::Small, box.width() - pad * 2 - outer.px(22), {no_way, "no way back"});
  const u64 ago = rewind.last - rewind.step;
  const Line<32> where = ago == 0 ? Line<32>("now") : Line<32>("%.1f s ago", static_cast<double>(seconds(ago)));
  const float said_wide = std::max(outer.width(Cut::Small, said), outer.width(Cut::Small, "rewinding"));
  const float where_wide = outer.width(Cut::Small, "00.0 s ago");
  float room = box.width() - pad * 2 - outer.px(22) - said_wide - gap * 2 - where_wide - gap;
  const float kept_room = room - gap - outer.px(kLeastTimelineUnits * 2);
  const Line<192> kept = kept_text(outer, rewind, kept_room);
  const float kept_wide = outer.width(Cut::Small, kept);
  const bool with_kept = rewind.possible && kept_wide <= kept_room;
  if (with_kept) room -= kept_wide + gap * 2;

  reserve_geometry(*ImGui::GetForegroundDrawList());
  begin_window("##rewind", whole);
  const Pen pen(ImGui::GetWindowDrawList(), outer.scale(), outer.layout());
  const float text_y = pen.centre_y(Cut::Small, box.y0, box.y1);
  float x = box.x0 + pad;
  draw_sign(pen, x + pen.px(6), std::floor(box.middle_y()), rewind.running ? kAccent : kMuted);
  x += pen.px(22);
  pen.text(Cut::Small, x, text_y, rewind.running ? kText : kMuted, said);
  x += said_wide + gap;
  if (rewind.possible && room >= outer.px(kLeastTimelineUnits)) {
    draw_timeline(pen, rewind, {x, box.y0, x + room, box.y1}, requests);
    x += room + gap;
  }
  if (rewind.possible) pen.text_right(Cut::Small, x + where_wide, text_y, kText, where);
  if (with_kept) pen.text_right(Cut::Small, box.x1 - pad, text_y, kMuted, kept);
  if (paired) draw_pair(pen, model, {box.x0 + pad, box.y0 + pen.px(4 - kPairUnits), box.x1 - pad, box.y0 + pen.px(4)});
  if (filmed)
    draw_film(pen, rewind, {box.x0 + pad, whole.y0 + pen.px(kFilmGapUnits), box.x1 - pad, whole.y0 + strip}, requests);
  end_window();
}

}  // namespace spellpool::ui
