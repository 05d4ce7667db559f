#include "app/learn/learn_window.hpp"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include "content/lessons_file.hpp"
#include "core/log.hpp"
#include "platform/clock.hpp"
#include "platform/display_loss.hpp"
#include "ui/panels.hpp"

namespace spellpool::app {
namespace {

constexpr float kPush = 0.5f;  ///< How far a stick is pushed for a step of the focus.
constexpr std::size_t kAnswerKeys = 4;  ///< The keys of the first spells.
constexpr i64 kFrame_ns = 1'000'000'000 / 60;

int direction(float push) { return push > kPush ? 1 : push < -kPush ? -1 : 0; }

frame::LessonProgresses progress_in(const std::string& path, std::string& message) {
  if (path.empty()) return {};
  content::LoadedLessons loaded = content::load_lessons(path);
  message = std::move(loaded.message);
  return loaded.progress;
}

}  // namespace

bool LearnInput::listen(const platform::FrameEvents& events, sim::LessonCourse& course) {
  using frame::Action;
  using Kind = frame::LessonTarget::Kind;
  const int x = direction(events.move_x), y = events.menu_y != 0 ? 0 : direction(events.move_y);
  int by = events.menu_y;
  if (std::exchange(push_x_, x) != x) by += x;
  if (std::exchange(push_y_, direction(events.move_y)) != y && events.menu_y == 0) by += y;
  bool any = false;
  const auto activate = [&](Kind kind) {
    course.activate({kind, 0});
    any = true;
  };
  for (std::size_t i = 0; i < events.action_count; ++i) {
    switch (const Action action = events.actions[i]) {
      case Action::LoadUp:  // the D-pad
      case Action::PoolPanel:
        --by;
        break;
      case Action::LoadDown:
      case Action::Graph:
        ++by;
        break;
      case Action::NextSpell:
        activate(Kind::Next);
        break;
      case Action::PreviousSpell:
        activate(Kind::Back);
        break;
      case Action::Quit:
        course.leave();
        any = true;
        break;
      default:
        if (const auto spell = frame::spell_of(action); spell && *spell < kAnswerKeys) {
          course.answer(static_cast<u32>(*spell));
          any = true;
        }
        break;
    }
  }
  if (events.rewind_pressed || events.rapid_pressed) activate(Kind::Back);
  if (by != 0) course.move(by), any = true;
  if (events.start_pressed || (events.cast_pressed && !events.mouse_pressed)) course.accept(), any = true;
  return any;
}

LearnWindow::LearnWindow(const Screen& screen, const frame::Settings& settings, std::string progress_path)
    : screen_(screen),
      settings_(settings),
      progress_path_(std::move(progress_path)),
      course_(progress_in(progress_path_, notice_)),
      saved_(course_.progress()),
      opened_ns_(platform::now_ns()) {
  screen_.events.set_scene(frame::Scenes::Spells);
  screen_.events.set_bindings(settings_.bindings);
  vsync_works_ = settings_.vsync && !screen_.window.headless() && screen_.window.set_vsync(true);
  backdrop_.resize(1, 1);
}

platform::UiWants LearnWindow::on_raw_event(void* self, const SDL_Event& event) {
  static_cast<LearnWindow*>(self)->screen_.panels.process(event);
  return {ui::wants_mouse(), ui::wants_text()};
}

float LearnWindow::text_scale() const {
  // As Hud has it: text grows with the window, but on a dense display a small one must be readable too.
  constexpr float kLeast = 0.75f;
  const float height = static_cast<float>(screen_.window.drawable_px().height);
  const float dense = screen_.window.headless() ? 1.0f : screen_.window.dpi_scale();
  return settings_.text_scale * std::max(height / frame::kViewHeight, kLeast * dense);
}

void LearnWindow::perform(const platform::FrameEvents& events) {
  using frame::Action;
  for (std::size_t i = 0; i < events.action_count; ++i) {
    if (events.actions[i] != Action::Fullscreen) continue;
    settings_.fullscreen = !screen_.window.fullscreen();
    screen_.window.set_fullscreen(settings_.fullscreen);
  }
  input_.listen(events, course_);
}

void LearnWindow::draw(frame::PanelRequests& requests) {
  const platform::Size px = screen_.window.drawable_px();
  backdrop_.clear(px.width, px.height);
  model_.learn = &course_.view();
  model_.learn_s = static_cast<float>(static_cast<double>(platform::now_ns() - opened_ns_) * 1e-9);
  model_.settings = &settings_;
  model_.notice = notice_;
  model_.text_scale = text_scale();
  screen_.panels.draw(model_, requests, px.width, px.height);
}

bool LearnWindow::frame() {
  const platform::FrameEvents& events = screen_.events.poll(screen_.window, on_raw_event, this);
  if (events.quit || platform::window_lost()) closed_ = true;
  if (closed_) return false;
  perform(events);
  const platform::Size px = screen_.window.drawable_px();
  const bool visible = !screen_.window.minimised() && px.width > 0 && px.height > 0;
  if (visible && !platform::window_lost_now()) {
    frame::PanelRequests requests;
    draw(requests);
    const frame::LessonRequests& asked = requests.learn;
    const auto& targets = course_.view().targets;
    if (asked.point) {
      const auto found = std::find(targets.begin(), targets.end(), *asked.point);
      if (found != targets.end())
        course_.move(static_cast<int>(found - targets.begin()) - static_cast<int>(course_.view().focus));
    }
    if (asked.choose) course_.activate(*asked.choose);
    if (!platform::window_lost()) screen_.window.swap();
  }
  save();
  if (!visible || !vsync_works_) {
    const i64 now = platform::now_ns();
    next_frame_ns_ = std::max(next_frame_ns_ + kFrame_ns, now);
    std::this_thread::sleep_for(std::chrono::nanoseconds(next_frame_ns_ - now));
  }
  return !course_.left();
}

/// When something was answered or reached: a small file, seldom written.
void LearnWindow::save() {
  if (progress_path_.empty() || saved_ == course_.progress()) return;
  saved_ = course_.progress();
  if (std::string error = content::save_lessons(progress_path_, saved_); !error.empty()) {
    if (notice_ != error) log(LogLevel::Warning, error);
    notice_ = std::move(error);
  }
}

}  // namespace spellpool::app
