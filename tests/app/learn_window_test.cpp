// The lessons in the game's own window: from the title and back, each of them by one device alone, and the
// player's game untouched.
#include <algorithm>
#include <chrono>
#include <functional>
#include <thread>

#include "../support/patience.hpp"
#include "content/player/lessons_file.hpp"
#include "played_game.hpp"
#include "sim/lessons/lesson.hpp"

namespace spellpool::app {
namespace {

using frame::LessonTarget;
using frame::LessonView;
using Kind = LessonTarget::Kind;

/// In the title's menu, where Arena is selected at first.
constexpr auto kItemsAbove =
    static_cast<std::size_t>(frame::TitleItem::Learn) - static_cast<std::size_t>(frame::TitleItem::Arena);

class LearnWindow : public PlayedGame {
 protected:
  using PlayedGame::change;
  void change(PlayOptions& options) override { options.learn = learn_; }
  void change(Remembered& remembered) override {
    remembered.lessons = content::load_lessons(remembered.lessons_path).progress;
    remembered.settings.vsync = false;
    remembered.settings.frame_cap = 120;
  }
  void TearDown() override {
    if (pad_index_ >= 0) SDL_JoystickDetachVirtual(pad_index_);
  }

  const LessonView& view() const { return *game_->lessons(); }
  const sim::GameWorld& world() const { return game_->game().session().world(); }
  bool in(ModeId mode) const { return game_->mode() == mode; }
  void frame() { ASSERT_TRUE(game_->frame()); }
  /// After some frames it draws less often: what is measured meanwhile has the processor for itself.
  void until(const char* what, const std::function<bool()>& condition) {
    int drawn = 0;
    for (const test::Patience patience; patience.left() && !condition();) {
      frame();
      if (++drawn > 60) std::this_thread::sleep_for(std::chrono::milliseconds(60));
    }
    ASSERT_TRUE(condition()) << what << " never came";
  }
  void choose(frame::TitleItem item) {
    frame::PanelRequests requests;
    requests.choose_title = item;
    game_->apply(requests);
  }
  void open_lessons() {
    open(frame::SceneId::Spells, 640, 360, true);
    if (IsSkipped()) return;
    if (!learn_) choose(frame::TitleItem::Learn);
    until("Learn", [this] { return in(ModeId::Learn); });
  }

  // ---- keyboard
  void tap(SDL_Scancode code) {
    push_key(code, SDL_KEYDOWN);
    push_key(code, SDL_KEYUP);
    frame();
    frame();
  }

  // ---- mouse
  /// One notch of the wheel over the middle of the window: down, or up again.
  void turn_wheel(bool down) {
    SDL_Event event{};
    event.type = SDL_MOUSEMOTION;
    event.motion.x = 320;
    event.motion.y = 180;
    SDL_PushEvent(&event);
    event = {};
    event.type = SDL_MOUSEWHEEL;
    event.wheel.y = down ? -1 : 1;
    event.wheel.preciseY = static_cast<float>(event.wheel.y);
    SDL_PushEvent(&event);
    frames(3);
  }
  /// Scrolls with the wheel until the control is visible, then clicks it.
  void click(ui::ControlKind kind, std::size_t index) {
    const auto shown = [&] { return game_->panels().layout.find(kind, index); };
    for (int notch = 0; notch < 40 && !shown(); ++notch) turn_wheel(notch < 20);
    const ui::Control* control = shown();
    ASSERT_NE(control, nullptr) << index;
    SDL_Event event{};
    event.type = SDL_MOUSEMOTION;
    event.motion.x = static_cast<int>(control->rect.middle_x());
    event.motion.y = static_cast<int>(control->rect.middle_y());
    SDL_PushEvent(&event);
    frame();
    frame();
    for (const bool down : {true, false}) {
      event = {};
      event.type = down ? SDL_MOUSEBUTTONDOWN : SDL_MOUSEBUTTONUP;
      event.button.button = SDL_BUTTON_LEFT;
      event.button.state = down ? SDL_PRESSED : SDL_RELEASED;
      event.button.x = static_cast<int>(control->rect.middle_x());
      event.button.y = static_cast<int>(control->rect.middle_y());
      SDL_PushEvent(&event);
      frame();
    }
    frame();
  }
  void click(const LessonTarget& target) {
    click(ui::ControlKind::Lesson, static_cast<std::size_t>(target.kind) * 64 + target.index);
  }

  // ---- gamepad
  void plug() {
    SDL_SetHint(SDL_HINT_JOYSTICK_ALLOW_BACKGROUND_EVENTS, "1");
    pad_index_ = SDL_JoystickAttachVirtual(SDL_JOYSTICK_TYPE_GAMECONTROLLER, SDL_CONTROLLER_AXIS_MAX,
                                           SDL_CONTROLLER_BUTTON_MAX, 0);
    if (pad_index_ < 0) GTEST_SKIP() << "skipped: no virtual gamepads: " << SDL_GetError();
    frames(2);
    pad_ = SDL_JoystickFromInstanceID(SDL_JoystickGetDeviceInstanceID(pad_index_));
    ASSERT_NE(pad_, nullptr);
  }
  void press(SDL_GameControllerButton button) {
    SDL_JoystickSetVirtualButton(pad_, button, 1);
    frame();
    frame();
    SDL_JoystickSetVirtualButton(pad_, button, 0);
    frame();
    frame();
  }

  // ---- a lesson by any of them
  using Pick = std::function<void(const LessonTarget&)>;
  Pick by_keys() {
    return [this](const LessonTarget& target) {
      focus(target, [this](bool on) { tap(on ? SDL_SCANCODE_DOWN : SDL_SCANCODE_UP); });
      tap(SDL_SCANCODE_RETURN);
    };
  }
  Pick by_mouse() {
    return [this](const LessonTarget& target) { click(target); };
  }
  Pick by_pad() {
    return [this](const LessonTarget& target) {
      focus(target, [this](bool on) {
        press(on ? SDL_CONTROLLER_BUTTON_DPAD_DOWN : SDL_CONTROLLER_BUTTON_DPAD_UP);
      });
      press(SDL_CONTROLLER_BUTTON_A);
    };
  }
  void focus(const LessonTarget& target, const std::function<void(bool)>& step) {
    for (int i = 0; i < 200 && !(view().targets[view().focus] == target); ++i) {
      const auto count = static_cast<int>(view().targets.size());
      const auto at = std::find(view().targets.begin(), view().targets.end(), target);
      ASSERT_NE(at, view().targets.end());
      const int ahead =
          (static_cast<int>(at - view().targets.begin()) - static_cast<int>(view().focus) + count) % count;
      step(ahead * 2 <= count);
    }
    ASSERT_EQ(view().targets[view().focus], target);
  }
  bool offers(const LessonTarget& target) const {
    return std::find(view().targets.begin(), view().targets.end(), target) != view().targets.end();
  }
  /// An answer, or a cell that is not picked yet, as long as the step asks; else on, past what is being done.
  std::optional<LessonTarget> next_target() const {
    if (view().asks && !view().answered && !view().runs) {
      for (const LessonTarget& target : view().targets) {
        if (target.kind == Kind::Answer) return target;
        if (target.kind != Kind::Cell) continue;
        bool picked = false;
        for (const frame::LessonFigure& figure : view().figures) {
          if (!figure.picks) continue;
          picked = target.index < figure.cells.size() &&
                   figure.cells[target.index].mark == frame::LessonMark::Picked;
        }
        if (!picked) return target;
      }
      return std::nullopt;
    }
    const LessonTarget next{Kind::Next, 0};
    return offers(next) ? std::optional(next) : std::nullopt;
  }
  void take_all_lessons(const Pick& pick) {
    for (const frame::LessonRow& row : frame::kLessons) {
      SCOPED_TRACE(row.title);
      const auto id = static_cast<std::size_t>(row.id);
      ASSERT_TRUE(view().list);
      pick({Kind::Lesson, static_cast<u16>(id)});
      ASSERT_FALSE(view().list);
      ASSERT_EQ(view().lesson, row.id);
      // Each round is an answer, a pick or a step on; what is being measured is waited for.
      for (int round = 0; round < 200 && !view().list; ++round) {
        until("something to choose", [this] { return view().list || next_target(); });
        if (HasFatalFailure()) return;
        pick(*next_target());
        if (HasFatalFailure()) return;
      }
      EXPECT_TRUE(view().list) << "it does not end";
      EXPECT_TRUE(view().progress[id].done);
    }
    EXPECT_EQ(game_->close(), "");
    const content::LoadedLessons kept = content::load_lessons(scratch_ / "lessons.toml");
    for (const frame::LessonProgress& progress : kept.progress) EXPECT_TRUE(progress.done);
  }

  std::optional<LearnOptions> learn_;
  int pad_index_ = -1;
  SDL_Joystick* pad_ = nullptr;
};

TEST_F(LearnWindow, EveryLessonIsCompletedByKeysAlone) {
  open(frame::SceneId::Spells, 640, 360, true);
  if (IsSkipped()) return;
  for (std::size_t i = 0; i < kItemsAbove; ++i) tap(SDL_SCANCODE_DOWN);
  tap(SDL_SCANCODE_RETURN);
  until("Learn", [this] { return in(ModeId::Learn); });
  frame();
  take_all_lessons(by_keys());
}

TEST_F(LearnWindow, EveryLessonIsCompletedByTheMouseAlone) {
  open(frame::SceneId::Spells, 640, 360, true);
  if (IsSkipped()) return;
  frames(3);
  click(ui::ControlKind::TitleItem, static_cast<std::size_t>(frame::TitleItem::Learn));
  until("Learn", [this] { return in(ModeId::Learn); });
  frame();
  take_all_lessons(by_mouse());
}

TEST_F(LearnWindow, EveryLessonIsCompletedByAGamepadAlone) {
  open(frame::SceneId::Spells, 640, 360, true);
  if (IsSkipped()) return;
  plug();
  if (IsSkipped()) return;
  for (std::size_t i = 0; i < kItemsAbove; ++i) press(SDL_CONTROLLER_BUTTON_DPAD_DOWN);
  press(SDL_CONTROLLER_BUTTON_A);
  until("Learn", [this] { return in(ModeId::Learn); });
  frame();
  press(SDL_CONTROLLER_BUTTON_DPAD_DOWN);
  press(SDL_CONTROLLER_BUTTON_DPAD_UP);
  EXPECT_EQ(game_->lessons_shown().device, frame::InputDevice::Gamepad);
  take_all_lessons(by_pad());
}

TEST_F(LearnWindow, LeavesThePlayersGameAsItWas) {
  open(frame::SceneId::Spells);
  if (IsSkipped()) return;
  frames(20);
  const u64 steps = world().steps(), hash = world().hash();
  tap(SDL_SCANCODE_P);
  const u64 paused_steps = world().steps(), paused_hash = world().hash();
  EXPECT_GE(paused_steps, steps);
  EXPECT_TRUE(paused_steps > steps || paused_hash == hash);
  tap(SDL_SCANCODE_ESCAPE);
  until("the title", [this] { return in(ModeId::Title); });
  choose(frame::TitleItem::Learn);
  until("Learn", [this] { return in(ModeId::Learn); });
  const u64 demo = world().steps();
  tap(SDL_SCANCODE_RETURN);
  ASSERT_FALSE(view().list);
  while (view().step == 0) {
    until("something to choose", [this] { return !view().runs && next_target(); });
    by_keys()(*next_target());
  }
  EXPECT_EQ(world().steps(), demo) << "the demo waits, too";
  tap(SDL_SCANCODE_ESCAPE);
  EXPECT_TRUE(view().list);
  tap(SDL_SCANCODE_ESCAPE);
  ASSERT_TRUE(in(ModeId::Title));
  choose(frame::TitleItem::Continue);
  EXPECT_EQ(world().steps(), paused_steps);
  EXPECT_EQ(world().hash(), paused_hash);
}

TEST_F(LearnWindow, AnOptionOpensALessonAndEscapeLeadsToListAndTitle) {
  learn_ = LearnOptions{frame::kLessons.back().id, "", ""};
  open(frame::SceneId::Spells, 640, 360, true);
  if (IsSkipped()) return;
  ASSERT_TRUE(in(ModeId::Learn));
  EXPECT_EQ(view().lesson, frame::kLessons.back().id);
  EXPECT_FALSE(view().list);
  tap(SDL_SCANCODE_ESCAPE);
  ASSERT_TRUE(in(ModeId::Learn));
  EXPECT_TRUE(view().list);
  tap(SDL_SCANCODE_ESCAPE);
  EXPECT_TRUE(in(ModeId::Title));
  until("the title's menu", [this] { return shows("title"); });
}

TEST_F(LearnWindow, ProgressIsThereAgainInTheNextRun) {
  open_lessons();
  if (IsSkipped()) return;
  tap(SDL_SCANCODE_RETURN);
  until("a question", [this] { return view().asks && !view().runs; });
  by_keys()(*next_target());
  until("its verdict", [this] { return view().answered; });
  frame();
  const frame::LessonProgresses before = view().progress;
  EXPECT_NE(before, frame::LessonProgresses{});
  EXPECT_EQ(game_->close(), "");
  close_window();
  open_lessons();
  EXPECT_EQ(view().progress, before);
}

/// A lesson whose first answer is followed by several operations.
class LearnParts : public LearnWindow {
 protected:
  void begin_parts() {
    for (const frame::LessonRow& row : frame::kLessons) {
      sim::Lesson lesson(row.id);
      if (!lesson.asks()) continue;
      const auto right = lesson.right_commands();
      for (const sim::LessonCommand& command : right) lesson.begin(command);
      if (lesson.parts() < 4 || lesson.parts() > 30) continue;
      learn_ = LearnOptions{row.id, "", ""};
      open(frame::SceneId::Spells, 640, 360, true);
      if (IsSkipped()) return;
      tap(SDL_SCANCODE_M);
      ASSERT_TRUE(game_->lessons_shown().slow);
      for (int i = 0; i < 8 && !view().runs; ++i) by_keys()(*next_target());
      ASSERT_TRUE(view().runs);
      return;
    }
    FAIL() << "no lesson begins like that";
  }
};

TEST_F(LearnParts, AreDoneOneByOneForwardAndBack) {
  begin_parts();
  if (IsSkipped()) return;
  tap(SDL_SCANCODE_N);
  EXPECT_TRUE(game_->lessons_shown().held);
  const u32 part = view().part;
  ASSERT_LT(part + 2, view().parts);
  tap(SDL_SCANCODE_N);
  EXPECT_EQ(view().part, part + 1);
  tap(SDL_SCANCODE_BACKSPACE);
  tap(SDL_SCANCODE_BACKSPACE);
  EXPECT_EQ(view().part, part - 1);
  frames(30);
  EXPECT_EQ(view().part, part - 1) << "it waits";
  EXPECT_FALSE(view().answered);
  tap(SDL_SCANCODE_P);
  until("the verdict", [this] { return view().answered; });
  EXPECT_EQ(view().part, view().parts);
}

TEST_F(LearnParts, WaitWhileTheWindowHasNoFocus) {
  begin_parts();
  if (IsSkipped()) return;
  SDL_Event event{};
  event.type = SDL_WINDOWEVENT;
  event.window.event = SDL_WINDOWEVENT_FOCUS_LOST;
  SDL_PushEvent(&event);
  frame();
  const u32 part = view().part;
  frames(90);
  EXPECT_EQ(view().part, part);
  event.window.event = SDL_WINDOWEVENT_FOCUS_GAINED;
  SDL_PushEvent(&event);
  until("the verdict", [this] { return view().answered; });
}

TEST_F(LearnParts, TheMouseHoldsThemAndGoesOn) {
  begin_parts();
  if (IsSkipped()) return;
  click({Kind::Hold, 0});
  EXPECT_TRUE(game_->lessons_shown().held);
  EXPECT_EQ(game_->lessons_shown().device, frame::InputDevice::Mouse);
  const u32 part = view().part;
  click({Kind::Part, 0});
  EXPECT_EQ(view().part, part + 1);
  click({Kind::PartBack, 0});
  EXPECT_EQ(view().part, part);
  click({Kind::Next, 0});
  EXPECT_TRUE(view().answered) << "the rest at once";
  click({Kind::Slow, 0});
  EXPECT_FALSE(game_->lessons_shown().slow);
}

}  // namespace
}  // namespace spellpool::app
