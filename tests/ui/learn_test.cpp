// The lessons on the screen: at usual sizes of window and text each step can be read, and hints name the keys
// or buttons of the device that is used.
#include "drawn_text.hpp"
#include "panel_fixture.hpp"
#include "sim/lessons/lesson_course.hpp"

namespace spellpool::ui {
namespace {

struct Size {
  float width, height, text;
};
constexpr std::array kSizes = {Size{1280, 720, 1}, Size{1280, 720, 2}, Size{640, 400, 1}, Size{640, 400, 2},
                               Size{1920, 1080, 1.5f}};

class Learn : public Panels {
 protected:
  void open(const Size& size) {
    show(size.width, size.height);
    scene_.model.text_scale = size.text * std::max(size.height / frame::kViewHeight, 0.75f);
    use_fonts(true, design_scale(size.width, size.height, scene_.model.text_scale));
    scene_.model.learn = &course_.view();
  }
  /// As it is after what was scrolled has come to rest.
  std::vector<DrawnLine> lines() {
    for (int pass = 0; pass < 3; ++pass) draw(scene_.model);
    return drawn_lines(*ImGui::GetDrawData());
  }
  void expect_readable(const std::string& what) {
    const std::vector<DrawnLine> drawn = lines();
    EXPECT_EQ(state_.layout.shortened_texts, 0u) << what;
    const ImVec2 display = ImGui::GetIO().DisplaySize;
    bool verdict = false;
    for (const DrawnLine& line : drawn) {
      EXPECT_GE(line.size, kLeastTextPx * 0.99f) << what << ": " << line.text;
      EXPECT_TRUE(line.x0 >= 0 && line.x1 <= display.x) << what << ": " << line.text;
      const bool scrolls = line.window.find("body") != std::string_view::npos ||
                           line.window.find("##lessons") != std::string_view::npos;
      EXPECT_TRUE(scrolls || !line.clipped) << what << ": " << line.text;
      verdict = verdict || (!line.clipped && line.text == "Right.");
    }
    EXPECT_EQ(verdict, course_.view().answered) << what << ": the verdict";
    for (std::size_t i = 0; i < state_.layout.control_count; ++i) {
      const Rect& box = state_.layout.controls[i].rect;
      EXPECT_TRUE(box.x0 >= 0 && box.y0 >= 0 && box.x1 <= display.x && box.y1 <= display.y) << what;
    }
  }
  bool says(std::string_view words) {
    for (const DrawnLine& line : lines()) {
      if (line.text.find(words) != std::string::npos) return true;
    }
    return false;
  }

  Scene scene_;
  sim::LessonCourse course_;
};

TEST_F(Learn, EveryStepCanBeReadAtEachSize) {
  for (const Size& size : kSizes) {
    open(size);
    const std::string at =
        std::to_string(static_cast<int>(size.width)) + ", text " + std::to_string(size.text);
    expect_readable("the list at " + at);
    for (const frame::LessonRow& row : frame::kLessons) {
      course_.open(row.id);
      for (;;) {
        const std::string what =
            std::string(row.title) + ", step " + std::to_string(course_.view().step + 1) + ", " + at;
        expect_readable(what);
        if (course_.view().asks) {
          ASSERT_EQ(course_.run("solve"), "");
          if (course_.view().answered && course_.view().was_right) expect_readable(what + ", answered");
        }
        if (!course_.lesson()->can_advance()) break;
        ASSERT_EQ(course_.run("next"), "");
      }
      course_.leave();
    }
  }
}

TEST_F(Learn, TheFocusIsScrolledIntoView) {
  open({640, 400, 2});
  for (std::size_t i = 0; i <= frame::kLessonCount; ++i) {
    lines();
    const u32 focus = course_.view().focus;
    const frame::LessonTarget target = course_.view().targets[focus];
    const Control* control =
        state_.layout.find(ControlKind::Lesson, static_cast<std::size_t>(target.kind) * 64 + target.index);
    ASSERT_NE(control, nullptr) << focus << " is not in the list's window";
    EXPECT_GT(control->rect.height(), 20) << focus << " is cut off";
    course_.move(1);
  }
}

TEST_F(Learn, HintsNameTheKeysOrButtonsOfTheDeviceInUse) {
  open({1280, 720, 1});
  course_.open(frame::kLessons.front().id);
  ASSERT_EQ(course_.run("solve"), "");
  using frame::InputDevice;
  scene_.model.learn_shown.device = InputDevice::Keyboard;
  EXPECT_TRUE(says("arrow keys") && says("M slow"));
  EXPECT_FALSE(says("D-pad"));
  scene_.settings.bindings[static_cast<std::size_t>(frame::Action::SlowMotion)].key = "K";
  EXPECT_TRUE(says("K slow")) << "as the player chose it";
  scene_.model.learn_shown.device = InputDevice::Gamepad;
  EXPECT_TRUE(says("D-pad") && says("Y slow"));
  EXPECT_FALSE(says("arrow keys"));
  scene_.model.learn_shown.device = InputDevice::Mouse;
  EXPECT_FALSE(says("arrow keys") || says("D-pad"));
}

TEST_F(Learn, WhatIsBeingDoneIsCountedAndCanBeSkipped) {
  open({1280, 720, 1});
  course_.play_in_parts();
  for (const frame::LessonRow& row : frame::kLessons) {
    course_.open(row.id);
    const auto& targets = course_.view().targets;
    const auto found = std::find_if(targets.begin(), targets.end(), [](const frame::LessonTarget& target) {
      return target.kind == frame::LessonTarget::Kind::Answer;
    });
    if (found == targets.end()) continue;
    course_.activate(frame::LessonTarget(*found));
    if (!course_.view().runs) continue;
    course_.next_part();
    EXPECT_TRUE(says("of " + std::to_string(course_.view().parts)));
    EXPECT_TRUE(says("Skip"));
    EXPECT_FALSE(says("Right.") || says("Not this time."));
    return;
  }
  FAIL() << "no lesson does several things after its first answer";
}

}  // namespace
}  // namespace spellpool::ui
