#include "sim/lessons/lesson_course.hpp"

#include <algorithm>
#include <charconv>

namespace spellpool::sim {

using frame::LessonTarget;
using Kind = LessonTarget::Kind;

LessonCourse::LessonCourse(const frame::LessonProgresses& progress) {
  view_.progress = progress;
  for (const frame::LessonRow& row : frame::kLessons) {
    view_.questions[static_cast<std::size_t>(row.id)] = question_count(row.id);
  }
  for (std::size_t i = 0; i < frame::kLessonCount; ++i) {
    if (!progress[i].done) {
      last_ = static_cast<frame::LessonId>(i);
      break;
    }
  }
  show(false);
}

void LessonCourse::open(frame::LessonId id) {
  lesson_.emplace(id, results_);
  last_ = id;
  note_progress();
  show(false);
}

void LessonCourse::leave() {
  if (!lesson_) {
    left_ = true;
    return;
  }
  lesson_.reset();
  show(false);
}

void LessonCourse::move(int by) {
  const auto count = static_cast<int>(view_.targets.size());
  if (count == 0) return;
  view_.focus = static_cast<u32>(((static_cast<int>(view_.focus) + by) % count + count) % count);
}

void LessonCourse::accept() {
  if (view_.focus < view_.targets.size()) activate(view_.targets[view_.focus]);
}

void LessonCourse::activate(const LessonTarget& target) {
  const auto found = std::find(view_.targets.begin(), view_.targets.end(), target);
  if (found == view_.targets.end()) return;
  view_.focus = static_cast<u32>(found - view_.targets.begin());
  switch (target.kind) {
    case Kind::Lesson:
      open(static_cast<frame::LessonId>(target.index));
      return;
    case Kind::Leave:
      leave();
      return;
    case Kind::Back:
      settle();
      if (lesson_->back())
        show(false);
      else
        leave();
      return;
    case Kind::Next:
      if (lesson_->runs())
        settle();
      else if (lesson_->at_end())
        leave();
      else
        apply({LessonCommand::Kind::Advance});
      return;
    case Kind::Answer:
      apply({LessonCommand::Kind::Answer, target.index});
      return;
    case Kind::Choice:
      if (const std::optional<LessonOp> op = lesson_->outside(target.index))
        outside_ = op;
      else
        apply({LessonCommand::Kind::Choose, target.index});
      return;
    case Kind::Cell:
      apply({LessonCommand::Kind::Pick, target.index});
      return;
    case Kind::PartBack:
    case Kind::Part:
    case Kind::Hold:
    case Kind::Slow:  // never targets: they are about the parts' pace
      return;
  }
}

/// Does it, and notes what came of it.
template <class F>
void LessonCourse::follow(F&& change) {
  const bool was_answered = lesson_->answered(), ran = lesson_->runs();
  const u32 step = lesson_->step();
  change();
  if (!was_answered && lesson_->answered()) note_answer();
  note_progress();
  // Cells and choices are picked one after the other; another step, or an answer, begins where its first
  // action is.
  show(lesson_->step() == step && lesson_->answered() == was_answered && lesson_->runs() == ran);
}

bool LessonCourse::apply(const LessonCommand& command) {
  settle();  // an answer counts before it is forgotten
  bool done = false;
  follow([&] {
    done = lesson_->begin(command);
    if (!in_parts_ || lesson_->parts() <= 1) lesson_->settle();
  });
  return done;
}

bool LessonCourse::next_part() {
  if (!lesson_ || !lesson_->runs()) return false;
  follow([this] { lesson_->next_part(); });
  return true;
}

void LessonCourse::settle() {
  if (lesson_ && lesson_->runs()) follow([this] { lesson_->settle(); });
}

void LessonCourse::back_part() {
  if (!lesson_) return;
  const u32 part = lesson_->part();
  settle();  // an answer counts, though its parts are watched again
  if (part > 0 ? lesson_->go_to_part(part - 1) : lesson_->back())
    show(false);
  else
    leave();
}

void LessonCourse::note_answer() {
  frame::LessonProgress& progress = view_.progress[static_cast<std::size_t>(lesson_->id())];
  const u32 bit = u32{1} << lesson_->question_number();
  // The first answer counts: going back and choosing again teaches, but proves nothing.
  if ((progress.answered & bit) == 0) progress.right |= lesson_->was_right() ? bit : 0;
  progress.answered |= bit;
}

void LessonCourse::know(frame::LessonMeasure what, std::shared_ptr<const frame::LessonMeasurement> found) {
  results_[static_cast<std::size_t>(what)] = found;
  if (!lesson_) return;
  const bool was_answered = lesson_->answered();
  lesson_->know(what, std::move(found));
  const bool reveals = !was_answered && lesson_->answered();
  if (reveals) {
    note_answer();
    note_progress();
  }
  show(!reveals);
}

void LessonCourse::play(u32 keys) {
  if (plays()) apply({LessonCommand::Kind::Play, keys});
}

void LessonCourse::show_wait(float progress, std::string_view text) {
  view_.wait_progress = progress;
  view_.wait_text = text;
}

void LessonCourse::note_progress() {
  frame::LessonProgress& progress = view_.progress[static_cast<std::size_t>(lesson_->id())];
  progress.furthest = std::max(progress.furthest, lesson_->step() + 1);
  const u32 all = (u32{1} << question_count(lesson_->id())) - 1;
  if (lesson_->at_end() && (progress.answered & all) == all) progress.done = true;
}

void LessonCourse::show(bool keep_focus) {
  const u32 focus = view_.focus;
  view_.list = !lesson_;
  view_.note.clear();
  view_.targets.clear();
  const auto add = [&](Kind kind, std::size_t index) {
    view_.targets.push_back({kind, static_cast<u16>(index)});
  };
  if (!lesson_) {
    for (std::size_t i = 0; i < frame::kLessonCount; ++i) add(Kind::Lesson, i);
    add(Kind::Leave, 0);
    view_.focus = static_cast<u32>(last_);
    return;
  }
  lesson_->show(view_);
  for (const frame::LessonFigure& figure : view_.figures) {
    for (std::size_t i = 0; figure.picks && i < std::max(figure.cells.size(), figure.blocks.size()); ++i) {
      add(Kind::Cell, i);
    }
  }
  const bool runs = view_.runs, may_answer = !runs && !view_.answered && !view_.waits;
  for (std::size_t i = 0; may_answer && i < view_.answers.size(); ++i) add(Kind::Answer, i);
  for (std::size_t i = 0; !runs && i < view_.choices.size(); ++i) add(Kind::Choice, i);
  add(Kind::Back, 0);
  if (runs || lesson_->can_advance() || lesson_->at_end()) add(Kind::Next, 0);
  add(Kind::Leave, 0);
  view_.focus = keep_focus && focus < view_.targets.size() ? focus : best_focus();
}

/// What one does next: answer, else go on, else play.
u32 LessonCourse::best_focus() const {
  const bool open = view_.asks && !view_.answered && !view_.runs;
  for (u32 i = 0; i < view_.targets.size(); ++i) {
    const Kind kind = view_.targets[i].kind;
    // In a game the fire key must not end it: the focus is on what changes the game.
    const Kind wanted = view_.plays ? Kind::Choice : Kind::Next;
    if (open ? kind == Kind::Cell || kind == Kind::Answer : kind == wanted) return i;
  }
  return 0;
}

std::string LessonCourse::run(std::string_view line) {
  const std::size_t space = line.find(' ');
  const std::string_view verb = line.substr(0, space);
  const std::string_view rest = space == std::string_view::npos ? std::string_view() : line.substr(space + 1);
  u32 number = 0;
  const bool has_number =
      std::from_chars(rest.data(), rest.data() + rest.size(), number).ptr == rest.data() + rest.size() &&
      !rest.empty();
  const auto target = [&](Kind kind, u32 index) -> std::string {
    const LessonTarget wanted{kind, static_cast<u16>(index)};
    if (std::find(view_.targets.begin(), view_.targets.end(), wanted) == view_.targets.end()) {
      return std::string(line) + ": not possible now";
    }
    activate(wanted);
    settle();
    return {};
  };
  if (verb == "open") {
    const auto id = find_by_name<frame::LessonId>(frame::kLessons, rest);
    if (!id) return std::string(line) + ": no such lesson";
    open(*id);
    return {};
  }
  if (verb == "left" || verb == "right") return move(verb == "left" ? -1 : 1), std::string();
  if (verb == "enter") return accept(), settle(), std::string();
  if (verb == "leave") return leave(), std::string();
  if (verb == "next") return target(Kind::Next, 0);
  if (verb == "back") return target(Kind::Back, 0);
  if (verb == "solve") {
    if (!lesson_) return "solve: no lesson is open";
    settle();
    for (const LessonCommand& command : lesson_->right_commands()) apply(command);
    settle();
    return {};
  }
  if (has_number && verb == "play") {
    if (!plays()) return std::string(line) + ": not possible now";
    return play(number), std::string();
  }
  if (has_number && verb == "pick") return target(Kind::Cell, number);
  if (has_number && number > 0 && verb == "answer") return target(Kind::Answer, number - 1);
  if (has_number && number > 0 && verb == "choose") return target(Kind::Choice, number - 1);
  return std::string(line) +
         ": not a command of a lesson; try open, next, back, answer, pick, choose, solve, leave";
}

}  // namespace spellpool::sim
