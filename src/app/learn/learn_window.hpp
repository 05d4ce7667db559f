#pragma once
// Learn in a window: events to the course, the course's view to the panels. No game runs meanwhile.
#include <string>

#include "app/shell/imgui_host.hpp"
#include "platform/events.hpp"
#include "platform/window.hpp"
#include "render/gl/picture_pair.hpp"
#include "sim/lessons/lesson_course.hpp"

namespace spellpool::app {

/// Keys, buttons and sticks of one frame, as the course takes them. The mouse comes by the panels'
/// requests.
class LearnInput {
 public:
  /// True if it did something.
  bool listen(const platform::FrameEvents& events, sim::LessonCourse& course);

 private:
  int push_x_ = 0, push_y_ = 0;  ///< The stick's, or key's, direction in the last frame.
};

class LearnWindow {
 public:
  struct Screen {
    platform::Window& window;
    platform::Events& events;
    ImGuiHost& panels;
  };
  /// All outlive it. Takes over the events' scene. `progress_path`: "" keeps nothing.
  LearnWindow(const Screen& screen, const frame::Settings& settings, std::string progress_path);

  /// One frame: reads events, draws, swaps. False: the player left, or the window was closed.
  bool frame();
  /// The window was closed or destroyed, or a signal asked for the end.
  bool closed() const { return closed_; }
  void close() { save(); }
  sim::LessonCourse& course() { return course_; }
  const frame::Settings& settings() const { return settings_; }
  /// One frame into the bound framebuffer, without reading events.
  void draw(frame::PanelRequests& requests);

 private:
  static platform::UiWants on_raw_event(void* self, const SDL_Event& event);
  void perform(const platform::FrameEvents& events);
  void save();
  float text_scale() const;

  Screen screen_;
  frame::Settings settings_;
  std::string progress_path_;
  std::string notice_;
  sim::LessonCourse course_;
  frame::LessonProgresses saved_;
  LearnInput input_;
  render::PicturePair backdrop_;
  frame::PanelModel model_;
  i64 opened_ns_, next_frame_ns_ = 0;
  bool closed_ = false, vsync_works_ = true;
};

}  // namespace spellpool::app
