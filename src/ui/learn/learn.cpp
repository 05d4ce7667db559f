#include "ui/learn/learn.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "core/rng.hpp"
#include "ui/kit/controls.hpp"
#include "ui/kit/headline.hpp"
#include "ui/kit/sheet.hpp"

namespace spellpool::ui {
namespace {

using frame::LessonTarget;
using frame::LessonView;
using Kind = LessonTarget::Kind;

/// The list may be drawn this much smaller where that saves its scroll bar, which has so many units at the
/// right.
constexpr float kLeastListFit = 0.8f, kBarRoom = 14;
constexpr ImU32 kDeep = IM_COL32(7, 8, 18, 255), kHorizon = IM_COL32(20, 18, 44, 255);

bool mouse_moved() {
  const ImVec2 by = ImGui::GetIO().MouseDelta;
  return by.x != 0 || by.y != 0;
}

/// Deep night; behind the list with a few stars, and the ring of the arena as a faint line. A lesson has
/// neither: they would shine through its text.
void draw_night(const Rect& screen, const Pen& pen, bool stars_and_ring) {
  if (pen.dry()) return;
  ImDrawList& list = *pen.list();
  const ImVec2 from(screen.x0, screen.y0), to(screen.x1, screen.y1);
  list.AddRectFilledMultiColor(from, to, kDeep, kDeep, kHorizon, kHorizon);
  if (!stars_and_ring) return;
  Rng stars(11);
  for (int i = 0; i < 90; ++i) {
    const float x = stars.unit(), y = stars.unit(), light = stars.unit();
    list.AddCircleFilled(ImVec2(screen.x0 + x * screen.width(), screen.y0 + y * y * screen.height()),
                         pen.px(0.6f + light), faded(kMoon, 0.06f + 0.18f * light * light), 6);
  }
  const ImVec2 middle(screen.x0 + screen.width() * 0.66f, screen.y0 + screen.height() * 0.52f);
  const float radius = std::min(screen.width(), screen.height()) * 0.46f;
  for (const float share : {1.0f, 0.965f, 0.62f}) {
    list.AddCircle(middle, radius * share, faded(kAccent, 0.07f), 96, std::max(1.0f, pen.px(1.5f)));
  }
}

/// A sign of LessonScreen's small buttons.
enum class Sign : u8 { PartBack, Part, Hold, GoOn };

void draw_sign(const Pen& pen, const Rect& box, Sign sign, ImU32 colour) {
  if (pen.dry()) return;
  ImDrawList& list = *pen.list();
  const float x = std::floor(box.middle_x()), y = std::floor(box.middle_y()), half = pen.px(6);
  const auto bar = [&](float at) { pen.fill({at, y - half, at + pen.px(3), y + half}, colour); };
  switch (sign) {
    case Sign::PartBack:
      list.AddTriangleFilled(ImVec2(x + pen.px(2), y - half), ImVec2(x - half, y),
                             ImVec2(x + pen.px(2), y + half), colour);
      bar(x + pen.px(5));
      break;
    case Sign::Part:
      bar(x - pen.px(8));
      list.AddTriangleFilled(ImVec2(x - pen.px(2), y - half), ImVec2(x - pen.px(2), y + half),
                             ImVec2(x + half, y), colour);
      break;
    case Sign::Hold:
      bar(x - pen.px(5));
      bar(x + pen.px(2));
      break;
    case Sign::GoOn:
      list.AddTriangleFilled(ImVec2(x - pen.px(4), y - half), ImVec2(x - pen.px(4), y + half),
                             ImVec2(x + half, y), colour);
      break;
  }
}

/// A label with the mark of the focus, and its key, if any. True if it has the focus.
bool target_button(const Pen& pen, const Rect& box, const LessonTarget& target, const LessonView& view,
                   std::string_view label, std::string_view key, frame::LessonRequests& requests) {
  pen.fill(box, kControl, pen.px(6));
  pen.frame(box, kControlEdge, pen.px(6));
  const bool focus = lesson_target(pen, box, target, view, requests);
  const float cap = key.empty() ? 0 : pen.key_cap_width(key) + pen.px(8), side = pen.px(22);
  if (!key.empty() && !pen.dry()) pen.key_cap(box.x1 - cap, box.y0, box.y1, key);
  pen.text_within(focus ? Cut::Strong : Cut::Body, box.x0 + side, pen.centre_y(Cut::Body, box.y0, box.y1),
                  box.width() - side - cap - pen.px(6), kText, label);
  return focus;
}

/// Scrolls the part that is drawn so that y0 … y1 is seen, or its top where it is higher than the part: once
/// for each `key`, so that a wheel may turn it afterwards.
void show_once(const Pen& pen, int key, float y0, float y1) {
  if (pen.dry()) return;
  int& shown = *ImGui::GetStateStorage()->GetIntRef(ImGui::GetID("shown"), -1);
  if (std::exchange(shown, key) == key) return;
  const Rect& room = pen.clip();
  float by = std::max(0.0f, y1 + pen.px(8) - room.y1);
  by = std::min(by, y0 - room.y0 - pen.px(8));
  if (y0 >= room.y0 && y1 <= room.y1) by = 0;
  if (by != 0) ImGui::SetScrollY(std::max(0.0f, ImGui::GetScrollY() + by));
}

class Words {
 public:
  Words(const LessonView& view, frame::LessonRequests& requests) : view_(view), requests_(requests) {}

  float operator()(const Pen& pen, const Rect& column) const {
    seen_y0_ = seen_y1_ = column.y0;
    const float end = draw(pen, column);
    const u32 focus = on_focus_ ? view_.focus + 1 : 0;
    const u32 state = view_.answered ? 3u : view_.waits ? 2u : view_.runs ? 1u : 0u;
    const auto lesson = static_cast<u32>(view_.lesson);
    show_once(pen, static_cast<int>(((lesson * 64 + view_.step) * 4 + state) * 256 + focus), seen_y0_,
              seen_y1_);
    return end;
  }

 private:
  /// What is to be seen: the top of a new step, an answer with the focus, a verdict.
  void see(float y0, float y1, bool on_focus = false) const {
    seen_y0_ = y0;
    seen_y1_ = y1;
    on_focus_ = on_focus;
  }

  float draw(const Pen& pen, const Rect& column) const {
    on_focus_ = false;
    float y = column.y0;
    const auto paragraph = [&](Cut cut, ImU32 colour, std::string_view words, float indent = 0) {
      if (words.empty()) return;
      const float room = column.width() - indent;
      pen.text_wrapped(cut, column.x0 + indent, y, room, colour, words);
      y += pen.wrapped_height(cut, words, room);
    };
    paragraph(Cut::Body, kText, view_.text);
    y += pen.px(14);
    if (view_.asks) {
      if (!pen.dry())
        pen.fill({column.x0, y, column.x0 + pen.px(3), y + question_height(pen, column)}, kAccent);
      paragraph(Cut::Strong, kText, view_.question, pen.px(12));
      y += pen.px(10);
      for (u16 i = 0; i < view_.answers.size(); ++i) y = answer(pen, column, y, i) + pen.px(6);
      if (view_.answers.empty() && !view_.answered && view_.picks_wanted > 1) {
        paragraph(Cut::Small, kMuted, Line<48>("%u of %u picked", view_.picks_made, view_.picks_wanted));
      }
      if (view_.waits) {
        const float top = y + pen.px(4);
        y = waiting(pen, column, top);
        see(top, y);
      }
      if (view_.answered) {
        const float top = y + pen.px(4);
        y = verdict(pen, column, top);
        see(top, y);
      }
    }
    if (!view_.choices.empty() && !view_.runs) {
      y += pen.px(8);
      paragraph(Cut::Small, kMuted, view_.choices_title);
      y += pen.px(4);
      for (u16 i = 0; i < view_.choices.size(); ++i) {
        const Rect box{column.x0, y, column.x1, y + pen.px(30)};
        if (target_button(pen, box, {Kind::Choice, i}, view_, view_.choices[i], "", requests_))
          see(box.y0, box.y1, true);
        if (view_.chosen == i) {
          pen.frame(box, faded(kAccent, 0.8f), pen.px(6));
          if (!pen.dry()) draw_check(pen, box.x1 - pen.px(26), box.middle_y() - pen.px(8), pen.px(16), true);
        }
        y = box.y1 + pen.px(5);
      }
    }
    paragraph(Cut::Small, kMuted, view_.note);
    return y;
  }

  float question_height(const Pen& pen, const Rect& column) const {
    return pen.wrapped_height(Cut::Strong, view_.question, column.width() - pen.px(12));
  }

  /// Returns where it ends.
  float answer(const Pen& pen, const Rect& column, float y, u16 i) const {
    const std::string_view words = view_.answers[i];
    const float side = pen.px(22), key = pen.key_cap_width("1") + pen.px(10);
    const float room = column.width() - side - key - pen.px(6);
    const float high = std::max(pen.px(32), pen.wrapped_height(Cut::Body, words, room) + pen.px(12));
    const Rect box{column.x0, y, column.x1, y + high};
    const bool right = view_.answered && view_.right == i,
               void_bet = view_.answered && view_.given == i && !view_.undecided.empty(),
               wrong = view_.answered && view_.given == i && !right && !void_bet;
    const ImU32 edge = right ? kGreen : wrong ? kRed : void_bet ? kYellow : kControlEdge;
    pen.fill(box, right ? faded(kGreen, 0.22f) : wrong ? faded(kRed, 0.18f) : kControl, pen.px(6));
    pen.frame(box, edge, pen.px(6), right || wrong ? pen.px(2) : 1.0f);
    const bool open = !view_.answered && !view_.runs && !view_.waits;
    const bool focus = open && lesson_target(pen, box, {Kind::Answer, i}, view_, requests_);
    if (focus) see(i == 0 ? column.y0 : box.y0, box.y1, true);  // with the question, where that has room
    if ((view_.runs || view_.waits) && view_.given == i) pen.frame(box, kAccent, pen.px(6), pen.px(2));
    const float top = y + std::floor((high - pen.wrapped_height(Cut::Body, words, room)) * 0.5f);
    const ImU32 ink = !open && !right && !wrong && view_.given != i ? kMuted : kText;
    pen.text_wrapped(Cut::Body, box.x0 + side, top, room, ink, words);
    if (right || wrong) {
      draw_check(pen, box.x1 - pen.px(26), box.middle_y() - pen.px(9), pen.px(18), right);
    } else if (open) {
      if (!pen.dry()) pen.key_cap(box.x1 - key + pen.px(2), box.y0, box.y1, Line<4>("%u", i + 1u));
    }
    return box.y1;
  }

  /// A bar while what decides the answer is being measured.
  float waiting(const Pen& pen, const Rect& column, float y) const {
    pen.text_within(Cut::Small, column.x0, y, column.width(), kMuted, view_.wait_text);
    y += pen.line_px(Cut::Small) + pen.px(4);
    const Rect bar{column.x0, y, column.x1, y + pen.px(8)};
    pen.fill(bar, kControl, pen.px(4));
    const float share = std::clamp(view_.wait_progress, 0.02f, 1.0f);
    pen.fill({bar.x0, bar.y0, bar.x0 + bar.width() * share, bar.y1}, kAccent, pen.px(4));
    return bar.y1 + pen.px(6);
  }

  float verdict(const Pen& pen, const Rect& column, float y) const {
    const float side = pen.px(20);
    if (!view_.undecided.empty()) {
      pen.text_wrapped(Cut::Strong, column.x0, y, column.width(), kYellow, view_.undecided);
      y += pen.wrapped_height(Cut::Strong, view_.undecided, column.width()) + pen.px(6);
      pen.text_wrapped(Cut::Body, column.x0, y, column.width(), kText, view_.explanation);
      return y + pen.wrapped_height(Cut::Body, view_.explanation, column.width());
    }
    draw_check(pen, column.x0, y, side, view_.was_right);
    Line<96> words("%s", view_.was_right ? "Right." : "Not this time.");
    if (!view_.was_right && !view_.truth.empty()) {
      words = Line<96>("Not this time. Right: %s.", view_.truth.c_str());
    }
    pen.text_within(Cut::Strong, column.x0 + side + pen.px(8), y, column.width() - side - pen.px(8),
                    view_.was_right ? kGreen : kYellow, words);
    y += side + pen.px(6);
    pen.text_wrapped(Cut::Body, column.x0, y, column.width(), kText, view_.explanation);
    return y + pen.wrapped_height(Cut::Body, view_.explanation, column.width());
  }

  const LessonView& view_;
  frame::LessonRequests& requests_;
  mutable float seen_y0_ = 0, seen_y1_ = 0;
  mutable bool on_focus_ = false;
};

/// A dot for each step: those that were seen are filled.
void step_dots(const Pen& pen, float right, float middle, const LessonView& view) {
  if (pen.dry()) return;
  const float pitch = pen.px(16);
  const u32 furthest = view.progress[static_cast<std::size_t>(view.lesson)].furthest;
  for (u32 i = 0; i < view.steps; ++i) {
    const float x = right - pitch * (static_cast<float>(view.steps - i) - 0.5f);
    if (i == view.step)
      pen.list()->AddCircleFilled(ImVec2(x, middle), pen.px(5), kAccent, 20);
    else if (i < furthest)
      pen.list()->AddCircleFilled(ImVec2(x, middle), pen.px(3.5f), faded(kAccent, 0.7f), 16);
    else
      pen.list()->AddCircle(ImVec2(x, middle), pen.px(3.5f), faded(kAccent, 0.6f), 16, 1.0f);
  }
}

class LessonScreen {
 public:
  LessonScreen(const Rect& screen, const frame::PanelModel& model, const Pen& pen,
               frame::LessonRequests& requests)
      : model_(model), view_(*model.learn), pen_(pen), requests_(requests), free_(screen.inset(pen.px(16))) {}

  Rect run() {
    const float head = pen_.px(38), foot = pen_.px(40), gap = pen_.px(14);
    header({free_.x0, free_.y0, free_.x1, free_.y0 + head});
    const Rect body{free_.x0, free_.y0 + head + pen_.px(8), free_.x1, free_.y1 - foot - pen_.px(10)};
    const float wide = std::floor(std::clamp(body.width() * 0.37f, pen_.px(236), pen_.px(440)));
    const Words words(view_, requests_);
    const Rect card{body.x0, body.y0, body.x0 + wide, body.y1};
    draw_panel("##lesson_words", card, pen_, pen_.scale(), words);
    const Rect stage{card.x1 + gap, body.y0, body.x1, body.y1};
    begin_window("##lesson_stage", stage);
    const Pen inside(ImGui::GetWindowDrawList(), pen_.scale(), pen_.layout());
    draw_lesson_figures(stage, view_, model_.learn_shown.seconds, inside, requests_);
    end_window();
    footer({free_.x0, free_.y1 - foot, free_.x1, free_.y1});
    return free_;
  }

 private:
  void header(const Rect& row) {
    const frame::LessonRow& lesson = frame::kLessons[static_cast<std::size_t>(view_.lesson)];
    begin_window("##lesson_head", row);
    const Pen pen(ImGui::GetWindowDrawList(), pen_.scale(), pen_.layout());
    const std::string_view key = key_label(model_, frame::Action::Quit);
    const float cap = pen.key_cap_width(key) + pen.px(12);
    const Rect leave{row.x1 - cap, row.y0 + pen.px(4), row.x1, row.y1 - pen.px(4)};
    pen.key_cap(leave.x0 + pen.px(6), leave.y0, leave.y1, key);
    lesson_target(pen, leave, {Kind::Leave, 0}, view_, requests_);
    step_dots(pen, leave.x0 - pen.px(14), row.middle_y(), view_);
    const float room = leave.x0 - row.x0 - pen.px(30) - pen.px(16) * static_cast<float>(view_.steps);
    const Line<96> title("%u  %.*s", static_cast<u32>(view_.lesson) + 1,
                         static_cast<int>(lesson.title.size()), lesson.title.data());
    pen.text_within(Cut::Large, row.x0, pen.centre_y(Cut::Large, row.y0, row.y1), room, kMoon, title);
    end_window();
  }

  void footer(const Rect& row) {
    begin_window("##lesson_foot", row);
    const Pen pen(ImGui::GetWindowDrawList(), pen_.scale(), pen_.layout());
    const float wide = pen.px(104), gap = pen.px(8);
    const bool last = view_.step + 1 == view_.steps;
    target_button(pen, {row.x0, row.y0, row.x0 + wide, row.y1}, {Kind::Back, 0}, view_, "Back", "",
                  requests_);
    if (!waits_for_answer()) {
      const std::string_view label = view_.runs ? "Skip" : last ? "Done" : "Next";
      target_button(pen, {row.x1 - wide, row.y0, row.x1, row.y1}, {Kind::Next, 0}, view_, label, "",
                    requests_);
    }
    Rect room{row.x0 + wide + gap, row.y0, row.x1 - wide - gap, row.y1};
    room.x1 = speed(pen, room) - gap;
    const Line<160> how = hint(pen, room.width());
    pen.text_centred(Cut::Small, room, kMuted, how);
    end_window();
  }

  bool waits_for_answer() const { return view_.asks && !view_.answered && !view_.runs; }

  /// One operation back, one on, hold, and slow: from the right end of `room`. Returns where they begin.
  float speed(const Pen& pen, const Rect& room) const {
    const frame::LessonShown& shown = model_.learn_shown;
    const float side = pen.px(34), gap = pen.px(4), slow = pen.px(58);
    float x = room.x1 - slow;
    small_button(pen, {x, room.y0, room.x1, room.y1}, Kind::Slow, shown.slow);
    const Rect label{x, room.y0, room.x1, room.y1};
    if (!pen.dry()) pen.text_centred(shown.slow ? Cut::Strong : Cut::Small, label, kText, "Slow");
    const auto sign = [&](Kind kind, Sign which, bool on) {
      x -= side + gap;
      const Rect box{x, room.y0, x + side, room.y1};
      small_button(pen, box, kind, on);
      draw_sign(pen, box, which, kText);
    };
    sign(Kind::Part, Sign::Part, false);
    sign(Kind::Hold, shown.held ? Sign::GoOn : Sign::Hold, shown.held);
    sign(Kind::PartBack, Sign::PartBack, false);
    return x;
  }

  void small_button(const Pen& pen, const Rect& box, Kind kind, bool on) const {
    pen.fill(box, on ? faded(kAccent, 0.42f) : kControl, pen.px(6));
    pen.frame(box, on ? kAccent : kControlEdge, pen.px(6), on ? std::max(1.0f, pen.px(2)) : 1.0f);
    lesson_target(pen, box, {kind, 0}, view_, requests_);
  }

  /// What can be done now, with the keys or buttons of the device that was used last; as much as has room.
  Line<160> hint(const Pen& pen, float room) const {
    using frame::Action;
    const frame::LessonShown& shown = model_.learn_shown;
    const bool pad = shown.device == frame::InputDevice::Gamepad,
               mouse = shown.device == frame::InputDevice::Mouse;
    const auto words = [](const Line<160>& text) { return std::string_view(text); };
    if (view_.runs) {
      const Line<48> count(view_.parts < kCountedParts ? "%u of %u" : "%u", view_.part, view_.parts);
      return shown.held ? Line<160>("%s · %s: one more", count.c_str(),
                                    name(Action::SingleStep, Action::NextPolicy, "|>").c_str())
                        : Line<160>("%s", count.c_str());
    }
    const std::string_view move = mouse ? "" : pad ? "D-pad, A" : "arrow keys, Enter";
    const int move_size = static_cast<int>(move.size());
    if (view_.waits) return Line<160>("It goes on when it is measured");
    if (view_.plays && !mouse)
      return Line<160>(pad ? "stick: move · right trigger: fire" : "A, D: move · Space: fire");
    if (waits_for_answer()) {
      const std::string_view what = view_.picks_wanted > 0 ? "Pick in the picture" : "Answer to go on";
      const int size = static_cast<int>(what.size());
      const Line<160> both = move.empty()
                                 ? Line<160>("%.*s", size, what.data())
                                 : Line<160>("%.*s: %.*s", size, what.data(), move_size, move.data());
      if (pen.width(Cut::Small, words(both)) <= room) return both;
      return Line<160>("%.*s", size, what.data());
    }
    if (mouse) return Line<160>("%s", "");
    const Line<160> all("%.*s · %s one operation, %s back · %s slow", move_size, move.data(),
                        name(Action::SingleStep, Action::NextPolicy, "").c_str(),
                        name(Action::Rewind, Action::Rewind, "").c_str(),
                        name(Action::SlowMotion, Action::ToggleStrategy, "").c_str());
    if (pen.width(Cut::Small, words(all)) <= room) return all;
    const Line<160> few("%.*s", move_size, move.data());
    return pen.width(Cut::Small, words(few)) <= room ? few : Line<160>("%s", "");
  }

  /// The key of one action or, on a gamepad, the button of the other.
  Line<32> name(frame::Action key, frame::Action button, const char* mouse) const {
    const frame::InputDevice device = model_.learn_shown.device;
    if (device == frame::InputDevice::Gamepad) return pad_label(model_, button);
    if (device == frame::InputDevice::Mouse) return Line<32>("%s", mouse);
    const std::string_view label = key_label(model_, key);
    return Line<32>("%.*s", static_cast<int>(label.size()), label.data());
  }

  static constexpr u32 kCountedParts = 500;  ///< More is a limit, and may end before it.

  const frame::PanelModel& model_;
  const LessonView& view_;
  const Pen& pen_;
  frame::LessonRequests& requests_;
  Rect free_;
};

class ListScreen {
 public:
  ListScreen(const frame::PanelModel& model, std::size_t columns, frame::LessonRequests& requests)
      : model_(model), view_(*model.learn), requests_(requests), columns_(columns) {}

  float run(const Pen& pen, const Rect& column) const {
    float y = column.y0;
    y += headline(pen, 46, 0.3f, column.middle_x(), y, column.width(), 1, kMoon, "LEARN") + pen.px(4);
    constexpr std::string_view kWhat =
        "Object pools in short lessons. Each one asks before it shows; every picture is the state of a "
        "real pool.";
    const float what = std::min(column.width(), pen.width(Cut::Body, kWhat));
    pen.text_wrapped(Cut::Body, std::floor(column.middle_x() - what * 0.5f), y, what + 1, kMuted, kWhat);
    y += pen.wrapped_height(Cut::Body, kWhat, what + 1) + pen.px(16);
    y = lessons(pen, column, y);
    const Rect leave{column.x0, y + pen.px(4), column.x1, y + pen.px(38)};
    if (target_button(pen, leave, {Kind::Leave, 0}, view_, "Back to the title",
                      key_label(model_, frame::Action::Quit), requests_))
      show_once(pen, static_cast<int>(frame::kLessonCount), leave.y0, leave.y1);
    return leave.y1;
  }

 private:
  /// In columns from top to bottom, so that the focus moves along them.
  float lessons(const Pen& pen, const Rect& column, float y) const {
    const std::size_t rows = (frame::kLessonCount + columns_ - 1) / columns_;
    const float gap = pen.px(7), pitch = (column.width() + gap) / static_cast<float>(columns_);
    float end = y, at = y;
    for (std::size_t i = 0; i < frame::kLessonCount; ++i) {
      if (i % rows == 0) at = y;
      const float x = column.x0 + pitch * static_cast<float>(i / rows);
      at = lesson(pen, {x, 0, x + pitch - gap, 0}, at, frame::kLessons[i]) + gap;
      end = std::max(end, at);
    }
    return end;
  }
  float lesson(const Pen& pen, const Rect& column, float y, const frame::LessonRow& row) const {
    const auto i = static_cast<std::size_t>(row.id);
    const frame::LessonProgress& progress = view_.progress[i];
    const Rect box{column.x0, y, column.x1, y + pen.px(54)};
    pen.fill(box, IM_COL32(16, 18, 36, 235), pen.px(8));
    pen.frame(box, kControlEdge, pen.px(8));
    const bool focus = lesson_target(pen, box, {Kind::Lesson, static_cast<u16>(i)}, view_, requests_);
    if (focus) show_once(pen, static_cast<int>(i), i == 0 ? column.y0 : box.y0, box.y1);
    const float x = box.x0 + pen.px(56), right = box.x1 - pen.px(120);
    pen.text_centred(Cut::Large, {box.x0 + pen.px(20), box.y0, x, box.y1}, focus ? kAccent : kMuted,
                     Line<4>("%zu", i + 1));
    pen.text_within(Cut::Strong, x, box.y0 + pen.px(8), right - x, kText, row.title);
    pen.text_within(Cut::Small, x, box.y0 + pen.px(30), right - x, kMuted, row.description);
    const Line<48> right_answers("%d of %u right", std::popcount(progress.right), view_.questions[i]);
    const std::string_view words =
        progress.furthest == 0 ? std::string_view("new") : std::string_view(right_answers);
    const float middle = pen.centre_y(Cut::Small, box.y0, box.y1);
    pen.text_right(Cut::Small, box.x1 - pen.px(progress.done ? 38 : 14), middle,
                   progress.done ? kGreen : kMuted, words);
    if (progress.done) draw_check(pen, box.x1 - pen.px(32), box.middle_y() - pen.px(9), pen.px(18), true);
    return box.y1;
  }

  const frame::PanelModel& model_;
  const LessonView& view_;
  frame::LessonRequests& requests_;
  std::size_t columns_;
};

/// The list as wide and as large as it is drawn in this many columns; where it does not fit, it scrolls.
struct ListShape {
  Rect box, column;
  float scale = 1;
  bool fits = true;
};
ListShape shape_of(const ListScreen& list, const Rect& free, const Pen& pen, float wide_units) {
  ListShape shape;
  const float wide = std::min(free.width(), pen.px(wide_units));
  const float x0 = std::floor(free.middle_x() - wide * 0.5f);
  shape.box = {x0, free.y0, x0 + wide, free.y1};
  const auto height = [&](const Pen& dry) {
    return list.run(dry, {shape.box.x0, 0, shape.box.x1 - kBarRoom * dry.scale(), 0});
  };
  const float least = std::max(pen.scale() * kLeastListFit, kLeastTextPx / kCutUnits[1]);
  shape.scale = std::max(fitting_scale(pen, shape.box.height(), height), least);
  const float free_px = shape.box.height() - height(Pen(nullptr, shape.scale, pen.layout()));
  shape.fits = free_px >= 0;
  shape.column = shape.box;
  shape.column.x1 -= kBarRoom * shape.scale;
  shape.column.y0 += std::floor(std::max(0.0f, free_px * 0.42f));
  return shape;
}

}  // namespace

bool lesson_target(const Pen& pen, const Rect& box, const LessonTarget& target, const LessonView& view,
                   frame::LessonRequests& requests) {
  const bool focus = view.focus < view.targets.size() && view.targets[view.focus] == target;
  const std::size_t index = static_cast<std::size_t>(target.kind) * 64 + target.index;
  const Press press = press_area(pen, ControlKind::Lesson, index, box);
  if (press.pressed) requests.choose = target;
  if (press.hovered && !focus && mouse_moved()) requests.point = target;
  if (pen.dry()) return focus;
  if (press.hovered) pen.fill(box, kControlHot, pen.px(6));
  if (!focus) return false;
  pen.frame(box, kAccent, pen.px(6), std::max(1.5f, pen.px(2)));
  const float x = box.x0 + pen.px(7), y = box.middle_y(), half = pen.px(4.5f);
  if (target.kind != Kind::Cell && target.kind != Kind::Leave) {
    pen.list()->AddTriangleFilled(ImVec2(x, y - half), ImVec2(x, y + half), ImVec2(x + half * 1.6f, y),
                                  kAccent);
  }
  return true;
}

Rect draw_learn(const Rect& screen, const frame::PanelModel& model, const Pen& pen,
                frame::LessonRequests& requests) {
  draw_night(screen, pen, model.learn->list);
  if (!model.learn->list) return LessonScreen(screen, model, pen, requests).run();
  const Rect free = screen.inset(pen.px(16));
  constexpr float kOneColumnUnits = 680, kTwoColumnsUnits = 1'100, kSmall = 0.9f;
  const ListScreen one(model, 1, requests), two(model, 2, requests);
  ListShape shape = shape_of(one, free, pen, kOneColumnUnits);
  const bool fits = shape.fits && shape.scale > pen.scale() * kSmall;
  const bool in_two = !fits && free.width() >= pen.px(kTwoColumnsUnits);
  if (in_two) shape = shape_of(two, free, pen, kTwoColumnsUnits);
  Rect column = shape.column;
  begin_window("##lesson_list", shape.box);
  column.y0 -= begin_scroll("##lessons", shape.box);
  const Pen inside = Pen(ImGui::GetWindowDrawList(), shape.scale, pen.layout()).within(shape.box);
  end_scroll(shape.box, (in_two ? two : one).run(inside, column));
  end_window();
  return shape.box;
}

}  // namespace spellpool::ui
