#include "app/learn/learn_stage.hpp"

#include <algorithm>
#include <utility>

namespace spellpool::app {
namespace {

using frame::PanelSound;
using Kind = frame::LessonTarget::Kind;

constexpr float kPush = 0.5f;           ///< How far a stick is pushed for a step of the focus.
constexpr std::size_t kAnswerKeys = 4;  ///< The keys of the first spells.
/// All parts of a command together, and the least and the most that one of them takes.
constexpr double kParts_s = 1.2, kLeastPart_s = 1.0 / 120.0, kMostPart_s = 0.16;
constexpr double kSlowDown = 4.0;
constexpr double kMostPassed_s = 0.1;  ///< A halt of the program is no time of the lesson's.

int direction(float push) { return push > kPush ? 1 : push < -kPush ? -1 : 0; }

}  // namespace

PanelSound LearnStage::choose(const frame::LessonTarget& target) {
  switch (target.kind) {
    case Kind::Slow:
      slow_ = !slow_;
      return PanelSound::Toggle;
    case Kind::Hold:
      held_ = view().runs && !held_;
      return PanelSound::Toggle;
    case Kind::Part:
      do_part();
      return PanelSound::Move;
    case Kind::PartBack:
      undo_part();
      return PanelSound::Move;
    case Kind::Back:
    case Kind::Leave:
      course_.activate(target);
      return PanelSound::Back;
    default:
      course_.activate(target);
      return PanelSound::Accept;
  }
}

/// One operation, and then it waits; where nothing goes on, what comes next begins.
void LearnStage::do_part() {
  if (!view().runs) course_.activate({Kind::Next, 0});
  held_ = view().runs;
  course_.next_part();
}

void LearnStage::undo_part() {
  course_.back_part();
  held_ = view().runs;
}

PanelSound LearnStage::perform(frame::Action action, int& by) {
  using frame::Action;
  const bool pad = device_ == frame::InputDevice::Gamepad;
  switch (action) {
    case Action::LoadUp:  // the D-pad
    case Action::PoolPanel:
      --by;
      return PanelSound::None;
    case Action::LoadDown:
    case Action::Graph:
      ++by;
      return PanelSound::None;
    case Action::NextSpell:
      return choose({Kind::Next, 0});
    case Action::PreviousSpell:
      return choose({Kind::Back, 0});
    case Action::SlowMotion:
      return choose({Kind::Slow, 0});
    case Action::SingleStep:
      return choose({Kind::Part, 0});
    case Action::Pause:
      return choose({Kind::Hold, 0});
    case Action::ToggleStrategy:  // Tab, and the upper button of a gamepad
      if (pad) return choose({Kind::Slow, 0});
      ++by;
      return PanelSound::None;
    case Action::NextPolicy:  // the left button of a gamepad
      return pad ? choose({Kind::Part, 0}) : PanelSound::None;
    case Action::Quit:
      course_.leave();
      return PanelSound::Back;
    default:
      break;
  }
  const std::optional<std::size_t> spell = frame::spell_of(action);
  if (!spell || *spell >= kAnswerKeys || pad) return PanelSound::None;
  course_.answer(static_cast<u32>(*spell));
  return PanelSound::Accept;
}

PanelSound LearnStage::listen(const platform::FrameEvents& events) {
  using frame::Action;
  if (events.device != frame::InputDevice::None) device_ = events.device;
  // In the 8-bit game walking sideways is the game's, and casting unless the focus has left its choices.
  const bool plays = course_.plays();
  const bool fires = plays && view().focus < view().targets.size() &&
                     view().targets[view().focus].kind == Kind::Choice;
  const int way = direction(events.move_x), x = plays ? 0 : way;
  const int y = events.menu_y != 0 ? 0 : direction(events.move_y);
  keys_ = way < 0 ? frame::kKeyLeft : way > 0 ? frame::kKeyRight : 0;
  if (fires && (events.cast_held || (events.cast_pressed && !events.mouse_pressed))) keys_ |= frame::kKeyFire;
  int by = events.menu_y;
  if (std::exchange(push_x_, x) != x) by += x;
  if (std::exchange(push_y_, direction(events.move_y)) != y && events.menu_y == 0) by += y;
  PanelSound sound = PanelSound::None;
  const auto hear = [&sound](PanelSound next) { sound = next == PanelSound::None ? sound : next; };
  for (std::size_t i = 0; i < events.action_count; ++i) {
    // A gamepad's Start accepts, as in all menus; only the key of that row holds.
    if (events.start_pressed && events.actions[i] == Action::Pause) continue;
    hear(perform(events.actions[i], by));
  }
  if (events.rewind_pressed) hear(choose({Kind::PartBack, 0}));
  if (events.rapid_pressed) hear(choose({Kind::Back, 0}));
  if (by != 0) {
    course_.move(by);
    hear(PanelSound::Move);
  }
  const bool accepts = events.start_pressed || (events.cast_pressed && !events.mouse_pressed && !fires);
  const auto& targets = view().targets;
  if (accepts && view().focus < targets.size()) hear(choose(frame::LessonTarget(targets[view().focus])));
  return sound;
}

void LearnStage::take(const frame::LessonRequests& requests) {
  const auto& targets = view().targets;
  if (requests.point) {
    const auto found = std::find(targets.begin(), targets.end(), *requests.point);
    if (found != targets.end())
      course_.move(static_cast<int>(found - targets.begin()) - static_cast<int>(view().focus));
  }
  if (requests.choose) choose(*requests.choose);
}

/// Sixty frames a second of the 8-bit game, a quarter of them in slow motion.
void LearnStage::play_on(double passed_s) {
  constexpr double kFrame_s = 1.0 / 60;
  frames_s_ = course_.plays() ? frames_s_ + std::min(passed_s, kMostPassed_s) : 0;
  const double frame_s = kFrame_s * (slow_ ? kSlowDown : 1.0);
  for (; frames_s_ >= frame_s; frames_s_ -= frame_s) course_.play(keys_);
}

void LearnStage::pass(double passed_s) {
  seconds_ += passed_s;
  bench_.frame(course_);
  play_on(passed_s);
  if (!view().runs) held_ = false;
  if (!view().runs || held_) {
    due_s_ = 0;
    return;
  }
  const double part_s =
      std::clamp(kParts_s / view().parts, kLeastPart_s, kMostPart_s) * (slow_ ? kSlowDown : 1.0);
  due_s_ += std::min(passed_s, kMostPassed_s);
  while (due_s_ >= part_s && course_.next_part()) due_s_ -= part_s;
}

}  // namespace spellpool::app
