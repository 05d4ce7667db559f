#include "sim/lessons/lesson.hpp"

#include <algorithm>
#include <utility>

#include "core/assert.hpp"

namespace spellpool::sim {
namespace {

void apply_ops(LessonModel& model, std::span<const LessonOp> ops, u32 picked, std::vector<LessonOp>* log) {
  for (LessonOp op : ops) {
    if (op.kind == LessonOpKind::None) continue;
    if (op.a == kPickedCell) op.a = static_cast<i32>(picked);
    const bool known = model.apply(op);
    SPELLPOOL_ASSERT(known);
    (void)known;
    if (log != nullptr) log->push_back(op);
  }
}

std::string why_undecided(const frame::LessonMeasurement& found) {
  const bool walks = found.id == frame::LessonMeasure::Walks,
             voices = found.id == frame::LessonMeasure::Voices;
  if (voices ? found.voices.empty() : walks ? !found.has_walks() : !found.has_ratio())
    return "There is no measurement" + (found.error.empty() ? std::string() : ": " + found.error) + ".";
  if (!found.noise.empty()) return "Too noisy to decide: " + found.noise + ".";
  return "The spread of the measurement reaches into two of the answers.";
}

/// The explanation with the values of what it names.
std::string explain(const LessonQuestion& question, const LessonModel& model) {
  std::string words(question.explanation);
  std::size_t at = 0;
  for (const LessonAsk ask : question.says) {
    at = ask == LessonAsk::None ? std::string::npos : words.find("{}", at);
    if (at == std::string::npos) break;
    words.replace(at, 2, std::to_string(model.value(ask).value_or(0)));
  }
  return words;
}

std::string list_of(const std::vector<u32>& cells) {
  std::string text;
  for (const u32 cell : cells) text += (text.empty() ? "" : ", ") + std::to_string(cell);
  return text;
}

}  // namespace

Lesson::Lesson(frame::LessonId id, frame::LessonResults results)
    : script_(&lesson_script(id)), results_(std::move(results)) {
  restart();
}

void Lesson::restart() {
  model_.reset();  // first: what it gives back to the heap must not be what the new one begins with
  model_ = make_lesson_model(script_->model);
  ops_.clear();
  enter(0);
  settle();
}

void Lesson::replay(std::size_t commands) {
  restart();
  for (std::size_t i = 0; i < commands; ++i) {
    perform(commands_[i]);
    settle();
  }
}

void Lesson::enter(u32 step) {
  step_ = step;
  model_->know(results_, now().question.measure);
  chosen_ = frame::LessonView::kNone;
  forget_answer();
  run(now().begin, Then::Ask);
}

void Lesson::forget_answer() {
  answered_ = right_ = waits_ = false;
  given_ = truth_ = frame::LessonView::kNone;
  picks_.clear();
  truths_.clear();
  numbers_.clear();
}

void Lesson::ask() {
  if (now().question.kind != QuestionKind::Number) return;
  numbers_.push_back(ahead(0)->value(now().question.ask).value_or(0));
  for (const i64 other : now().question.others) numbers_.push_back(other);
  std::sort(numbers_.begin(), numbers_.end());
  numbers_.erase(std::unique(numbers_.begin(), numbers_.end()), numbers_.end());
}

void Lesson::run(std::span<const LessonOp> ops, Then then, u32 picked) {
  parts_.clear();
  part_ = 0;
  then_ = then;
  for (LessonOp op : ops) {
    if (op.kind == LessonOpKind::None) continue;
    if (op.a == kPickedCell) op.a = static_cast<i32>(picked);
    const i32 count = has_parts(op.kind) ? op.a : 1;
    if (has_parts(op.kind)) op.a = 1;
    for (i32 i = 0; i < count; ++i) {
      op.goes_on = i > 0;
      parts_.push_back(op);
    }
  }
  if (parts_.empty()) finish();
}

bool Lesson::next_part() {
  if (!runs()) return false;
  const auto from = parts_.begin() + part_;
  apply_ops(*model_, {&*from, 1}, 0, &ops_);
  ++part_;
  if (model_->ended()) {  // the rest of this operation would do nothing
    const auto other = std::find_if(from + 1, parts_.end(), [](const LessonOp& op) { return !op.goes_on; });
    parts_.erase(from + 1, other);
  }
  if (!runs()) finish();
  return true;
}

void Lesson::settle() {
  while (next_part()) {
  }
}

void Lesson::finish() {
  const Then then = std::exchange(then_, Then::Nothing);
  if (then == Then::Ask) ask();
  if (then == Then::Judge) judge();
}

std::unique_ptr<LessonModel> Lesson::copy() const {
  std::unique_ptr<LessonModel> model = make_lesson_model(script_->model);
  model->know(results_, now().question.measure);
  apply_ops(*model, ops_, 0, nullptr);
  return model;
}

std::unique_ptr<LessonModel> Lesson::ahead(u32 picked) const {
  std::unique_ptr<LessonModel> model = copy();
  apply_ops(*model, now().reveal, picked, nullptr);
  return model;
}

bool Lesson::apply(const LessonCommand& command) {
  const bool done = begin(command);
  settle();
  return done;
}

bool Lesson::begin(const LessonCommand& command) {
  settle();
  if (!perform(command)) return false;
  commands_.push_back(command);
  return true;
}

bool Lesson::go_to_part(u32 part) {
  if (commands_.empty()) return false;
  replay(commands_.size() - 1);
  perform(commands_.back());
  while (part_ < part && next_part()) {
  }
  return true;
}

bool Lesson::back() {
  if (commands_.empty()) return false;
  const bool played = commands_.back().kind == LessonCommand::Kind::Play;
  do {
    commands_.pop_back();
  } while (played && !commands_.empty() && commands_.back().kind == LessonCommand::Kind::Play);
  replay(commands_.size());
  return true;
}

bool Lesson::perform(const LessonCommand& command) {
  switch (command.kind) {
    case LessonCommand::Kind::Advance:
      if (!can_advance()) return false;
      enter(step_ + 1);
      return true;
    case LessonCommand::Kind::Answer:
      return answer(command.index);
    case LessonCommand::Kind::Pick:
      return pick(command.index);
    case LessonCommand::Kind::Choose: {
      if (command.index >= now().choices.size() || now().choices[command.index].label.empty()) return false;
      chosen_ = command.index;
      forget_answer();
      run(now().choices[command.index].ops, Then::Ask);
      return true;
    }
    case LessonCommand::Kind::Play: {
      if (!plays()) return false;
      const LessonOp op{LessonOpKind::Frames, 1, static_cast<i32>(command.index)};
      run({&op, 1}, Then::Nothing);
      return true;
    }
  }
  return false;
}

std::optional<frame::LessonMeasure> Lesson::wants() const {
  if (script_->at_once && !known(*script_->at_once)) return script_->at_once;
  return waits_ ? now().question.measure : std::nullopt;
}

std::optional<frame::LessonMeasure> Lesson::undecided_by() const {
  const std::optional<frame::LessonMeasure> measure = now().question.measure;
  return measure && !known(*measure) ? measure : std::nullopt;
}

void Lesson::know(frame::LessonMeasure what, std::shared_ptr<const frame::LessonMeasurement> found) {
  results_[static_cast<std::size_t>(what)] = std::move(found);
  model_->know(results_, now().question.measure);
  if (waits_ && now().question.measure == what) reveal();
}

bool Lesson::answer(u32 index) {
  const LessonQuestion& question = now().question;
  if (answered_ || waits_) return false;
  if (question.kind == QuestionKind::Words) {
    if (index >= question.answers.size() || question.answers[index].empty()) return false;
  } else if (question.kind != QuestionKind::Number || index >= numbers_.size()) {
    return false;
  }
  given_ = index;
  if (question.measure && !known(*question.measure))
    waits_ = true;
  else
    reveal();
  return true;
}

bool Lesson::pick(u32 cell) {
  if (!figure_to_pick()) return false;
  std::vector<frame::LessonFigure> figures;
  model_->show(now().shows, figures);
  const frame::LessonFigure& figure = figures[*figure_to_pick()];
  if (cell >= std::max(figure.cells.size(), figure.blocks.size())) return false;
  if (!asks() || answered_) {
    LessonOp op = now().touch;
    op.a = static_cast<i32>(cell);
    run({&op, 1}, Then::Nothing);
    return true;
  }
  if (std::find(picks_.begin(), picks_.end(), cell) != picks_.end()) return false;
  if (now().question.kind == QuestionKind::Try) {
    for (const LessonCommand& right : right_commands()) truths_.push_back(right.index);
  }
  picks_.push_back(cell);
  if (picks_.size() == now().question.picks) reveal();
  return true;
}

void Lesson::reveal() { run(now().reveal, Then::Judge, picks_.empty() ? 0 : picks_.front()); }

void Lesson::judge() {
  const LessonQuestion& question = now().question;
  answered_ = true;
  waits_ = false;
  const i64 value = model_->value(question.ask).value_or(-1);
  switch (question.kind) {
    case QuestionKind::None:
      break;
    case QuestionKind::Words:
      truth_ = value < 0 ? frame::LessonView::kNone : static_cast<u32>(value);
      right_ = given_ == truth_;
      break;
    case QuestionKind::Number:
      truth_ = static_cast<u32>(std::find(numbers_.begin(), numbers_.end(), value) - numbers_.begin());
      right_ = given_ == truth_;
      break;
    case QuestionKind::Cells:
      truths_ = model_->took();
      if (truths_.size() > question.picks) truths_.resize(question.picks);
      right_ = picks_ == truths_;
      break;
    case QuestionKind::Try:
      right_ = value == 1;
      break;
  }
}

u32 Lesson::question_number() const {
  u32 number = 0;
  for (u32 i = 0; i < step_; ++i) number += script_->steps[i].question.kind != QuestionKind::None ? 1 : 0;
  return number;
}

std::optional<u32> Lesson::figure_to_pick() const {
  if (runs()) return std::nullopt;
  const QuestionKind kind = now().question.kind;
  if (!answered_ && (kind == QuestionKind::Cells || kind == QuestionKind::Try)) return now().question.figure;
  if ((kind == QuestionKind::None || answered_) && now().touch.kind != LessonOpKind::None) return 0;
  return std::nullopt;
}

std::vector<LessonCommand> Lesson::right_commands() const {
  using Kind = LessonCommand::Kind;
  const LessonQuestion& question = now().question;
  if (!asks() || answered_) return {};
  switch (question.kind) {
    case QuestionKind::None:
      return {};
    case QuestionKind::Words:  // a measurement may not be there, or decide nothing: then any answer will do
      return {{Kind::Answer, static_cast<u32>(ahead(0)->value(question.ask).value_or(0))}};
    case QuestionKind::Number: {
      const i64 value = *ahead(0)->value(question.ask);
      return {{Kind::Answer,
               static_cast<u32>(std::find(numbers_.begin(), numbers_.end(), value) - numbers_.begin())}};
    }
    case QuestionKind::Cells: {
      std::vector<LessonCommand> commands;
      const std::unique_ptr<LessonModel> model = ahead(0);
      for (const u32 cell : model->took()) {
        if (commands.size() < question.picks) commands.push_back({Kind::Pick, cell});
      }
      return commands;
    }
    case QuestionKind::Try:
      for (u32 cell = 0; cell < 64; ++cell) {
        if (ahead(cell)->value(question.ask) == 1) return {{Kind::Pick, cell}};
      }
      return {};
  }
  return {};
}

std::optional<LessonOp> Lesson::outside(u32 choice) const {
  if (choice >= now().choices.size()) return std::nullopt;
  const LessonOp& op = now().choices[choice].ops[0];
  return op.kind == LessonOpKind::SaveCard || op.kind == LessonOpKind::Hear ? std::optional(op)
                                                                            : std::nullopt;
}

u64 Lesson::hash() const {
  StateHash hash;
  model_->add_to(hash);
  hash.add(script_->id, step_, given_, chosen_);
  if (!now().question.measure) hash.add(answered_, right_, truth_);
  for (const u32 cell : picks_) hash.add(cell);
  for (const u32 cell : truths_) hash.add(cell);
  for (const i64 number : numbers_) hash.add(number);
  return hash.value();
}

void Lesson::show(frame::LessonView& view) const {
  const LessonStep& step = now();
  const LessonQuestion& question = step.question;
  view.lesson = id();
  view.step = step_;
  view.steps = steps();
  view.text = step.text;
  view.figures.clear();
  model_->show(static_cast<u8>(step.shows | (answered_ ? step.shows_after : 0)), view.figures);

  const bool before_question = runs() && then_ == Then::Ask;
  view.runs = runs();
  view.part = part();
  view.parts = parts();
  view.plays = plays();
  view.asks = asks() && !before_question;
  view.question = question.words;
  view.answers.clear();
  if (question.kind == QuestionKind::Words) {
    for (const std::string_view answer : question.answers) {
      if (!before_question && !answer.empty()) view.answers.emplace_back(answer);
    }
  }
  for (const i64 number : numbers_) view.answers.push_back(std::to_string(number));
  view.picks_wanted =
      question.kind == QuestionKind::Cells || question.kind == QuestionKind::Try ? question.picks : 0;
  view.picks_made = static_cast<u32>(picks_.size());
  view.answered = answered_;
  view.was_right = right_;
  view.given = given_;
  view.right = answered_ ? truth_ : frame::LessonView::kNone;
  view.waits = waits_;
  view.undecided.clear();
  if (answered_ && question.measure && truth_ == frame::LessonView::kNone)
    view.undecided = why_undecided(*results_[static_cast<std::size_t>(*question.measure)]);
  view.truth.clear();
  view.explanation = answered_ ? explain(question, *model_) : std::string();

  view.choices_title = step.choices_title;
  view.choices.clear();
  const bool answers_by_ear = asks() && !answered_ && outside(0);  // a prediction comes first
  for (const LessonChoice& choice : step.choices) {
    if (!choice.label.empty() && !answers_by_ear) view.choices.emplace_back(choice.label);
  }
  view.chosen = chosen_;

  if (const std::optional<u32> picks = figure_to_pick()) view.figures[*picks].picks = true;
  if (view.picks_wanted == 0 || before_question) return;
  if (runs() && question.kind == QuestionKind::Try) return;  // what was picked is changing
  frame::LessonFigure& figure = view.figures[question.figure];
  const auto mark = [&](u32 cell, frame::LessonMark with, u32 order) {
    if (cell < figure.cells.size()) figure.cells[cell].mark = with, figure.cells[cell].order = order;
    if (cell < figure.blocks.size()) figure.blocks[cell].mark = with;
  };
  if (!answered_) {
    for (u32 i = 0; i < picks_.size(); ++i) mark(picks_[i], frame::LessonMark::Picked, i + 1);
    return;
  }
  if (question.kind == QuestionKind::Try && figure.cells.empty()) return;  // the block is gone
  view.truth = list_of(truths_);
  for (const u32 cell : picks_) mark(cell, frame::LessonMark::Wrong, 0);
  for (u32 i = 0; i < truths_.size(); ++i) mark(truths_[i], frame::LessonMark::Right, i + 1);
}

}  // namespace spellpool::sim
