#include "app/learn/run_learn.hpp"

#include <algorithm>
#include <bit>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "app/fail.hpp"
#include "app/learn/learn_card.hpp"
#include "app/learn/learn_stage.hpp"
#include "app/learn/lesson_bench.hpp"
#include "app/shell/imgui_host.hpp"
#include "content/media/png.hpp"
#include "content/text_file.hpp"
#include "core/log.hpp"
#include "core/one_line.hpp"
#include "platform/stop_signals.hpp"
#include "platform/window.hpp"
#include "render/gl/picture_pair.hpp"
#include "render/renderer.hpp"

namespace spellpool::app {
namespace {

namespace fs = std::filesystem;

/// The lessons in a picture of their own.
class Stills {
 public:
  Stills(platform::Window& window, const frame::Settings& settings)
      : window_(window), panels_(window, false), settings_(settings) {
    night_.resize(1, 1);
  }
  /// "" or an error line.
  std::string shoot(const LearnStage& stage, const fs::path& path) {
    const platform::Size px = window_.drawable_px();
    frame::PanelModel model;
    model.learn = &stage.view();
    model.learn_shown = stage.shown();
    model.settings = &settings_;
    model.text_scale =
        settings_.text_scale * std::max(static_cast<float>(px.height) / frame::kViewHeight, 0.75f);
    for (int pass = 0; pass < 2; ++pass) {  // Dear ImGui shows a window in its second frame
      frame::PanelRequests unheard;
      night_.clear(px.width, px.height);
      panels_.draw(model, unheard, px.width, px.height);
    }
    std::vector<u8> rgb;
    if (!render::read_rgb(px.width, px.height, rgb))
      return "--screenshot-dir: a picture could not be read back from OpenGL";
    return content::write_png(path.string(), static_cast<u32>(px.width), static_cast<u32>(px.height), rgb,
                              "Spellpool", content::Overwrite::Yes);
  }

 private:
  platform::Window& window_;
  ImGuiHost panels_;
  frame::Settings settings_;
  render::PicturePair night_;
};

/// The course with pictures, or without where no folder is given.
class Walk {
 public:
  Walk(Stills* stills, fs::path folder, const std::string& data_dir)
      : stills_(stills), folder_(std::move(folder)), stage_({}, data_dir) {}

  /// Every step of a lesson: what it asks, and what it says once it was answered rightly. "" or an error
  /// line.
  std::string all_of(frame::LessonId id) {
    course_.open(id);
    if (const auto what = course_.wants()) course_.know(*what, stage_.bench().measure(*what));
    const std::string name =
        fmt::format("{}_{}", static_cast<u32>(id) + 1, frame::kLessons[static_cast<std::size_t>(id)].name);
    for (;;) {
      const u32 step = course_.view().step + 1;
      const bool asks = course_.view().asks;
      if (std::string error = shoot(fmt::format("{}_{}{}", name, step, asks ? "_question" : ""));
          !error.empty())
        return error;
      std::string picture = fmt::format("{}_{}", name, step);
      if (asks) {
        measure();
        if (std::string error = course_.run("solve"); !error.empty()) return error;
        picture += "_answer";
        if (std::string error = shoot(picture); !error.empty()) return error;
      }
      describe(picture);
      if (course_.lesson()->at_end()) break;
      if (std::string error = course_.run("next"); !error.empty()) return error;
    }
    course_.leave();
    return {};
  }

  /// Writes what the steps said beside their pictures: steps.md. "" or an error line.
  std::string write_text() const {
    if (folder_.empty()) return {};
    return content::write_text((folder_ / "steps.md").string(), text_, content::Overwrite::Yes);
  }

  /// A line of a script: a command of the course, or "screenshot NAME". "" or an error line.
  std::string run(const std::string& line) {
    constexpr std::string_view kShoot = "screenshot ";
    if (line.rfind(kShoot, 0) == 0) return shoot(line.substr(kShoot.size()));
    if (std::string error = course_.run(line); !error.empty()) return error;
    measure();
    return {};
  }
  /// Takes what decides the question that is shown, so that the lesson need not wait for it.
  void measure() {
    if (course_.lesson() == nullptr) return;
    if (const auto what = course_.lesson()->undecided_by()) course_.know(*what, stage_.bench().measure(*what));
  }
  /// "" or an error line. Nothing to save where nothing was measured.
  std::string save_card() const {
    const frame::LessonResults& results = course_.results();
    const bool any =
        std::any_of(results.begin(), results.end(), [](const auto& found) { return found != nullptr; });
    return folder_.empty() || !any ? std::string()
                                   : draw_learn_card(results, (folder_ / "card.png").string());
  }

  std::string shoot(const std::string& name) {
    return stills_ == nullptr ? std::string() : stills_->shoot(stage_, folder_ / (name + ".png"));
  }
  const sim::LessonCourse& course() const { return course_; }

 private:
  /// The step that is shown, as Markdown.
  void describe(const std::string& picture) {
    const frame::LessonView& view = course_.view();
    const frame::LessonRow& row = frame::kLessons[static_cast<std::size_t>(view.lesson)];
    if (view.step == 0)
      text_ +=
          fmt::format("## {}. {}\n\n{}\n\n", static_cast<u32>(view.lesson) + 1, row.title, row.description);
    text_ += fmt::format("{}\n\n", view.text);
    if (view.asks) {
      const std::string answer = !view.undecided.empty()                ? view.undecided
                                 : view.right < view.answers.size() ? view.answers[view.right]
                                                                    : view.truth;
      text_ += fmt::format("> **{}**{}{}\n>\n> {}\n\n", view.question, answer.empty() ? "" : " ", answer,
                           view.explanation);
    }
    text_ += fmt::format("![{}, step {}]({}.png)\n\n", row.title, view.step + 1, picture);
  }

  Stills* stills_;
  fs::path folder_;
  LearnStage stage_;
  sim::LessonCourse& course_ = stage_.course();
  std::string text_;
};

/// "" or an error line.
std::string take_lessons(Walk& walk, const LearnOptions& learn) {
  if (!learn.script.empty()) {
    std::ifstream file(learn.script);
    if (!file) return "--learn-script: " + one_line(learn.script) + " cannot be read";
    u32 number = 0;
    for (std::string line; std::getline(file, line);) {
      ++number;
      if (line.empty() || line[0] == '#') continue;
      if (std::string error = walk.run(line); !error.empty()) {
        return one_line(fmt::format("{}:{}: {}", learn.script, number, error));
      }
    }
    return {};
  }
  for (const frame::LessonRow& row : frame::kLessons) {
    if (learn.lesson && *learn.lesson != row.id) continue;
    if (std::string error = walk.all_of(row.id); !error.empty()) return error;
  }
  if (std::string error = walk.save_card(); !error.empty()) return error;
  return walk.write_text();
}

/// What was done, as one line: "slot 4 of 4 right, …".
void tell(const sim::LessonCourse& course) {
  std::string line = "learn:";
  for (const frame::LessonRow& row : frame::kLessons) {
    const frame::LessonProgress& progress = course.progress()[static_cast<std::size_t>(row.id)];
    if (progress.furthest == 0) continue;
    line += fmt::format("{} {} {} of {} right{}", line.back() == ':' ? "" : ",", row.name,
                        std::popcount(progress.right), sim::question_count(row.id),
                        progress.done ? "" : " (not done)");
  }
  print_line(line);
}

}  // namespace

int run_learn(const PlayOptions& options) {
  const LearnOptions& learn = *options.learn;
  std::unique_ptr<platform::Window> window;
  std::optional<Stills> stills;
  if (!learn.screenshot_dir.empty()) {
    std::error_code ec;
    fs::create_directories(learn.screenshot_dir, ec);
    if (ec)
      return fail("--screenshot-dir: " + one_line(learn.screenshot_dir) + " cannot be made: " + ec.message());
    platform::WindowOptions wanted;
    wanted.headless = true;
    wanted.width = static_cast<int>(options.width);
    wanted.height = static_cast<int>(options.height);
    platform::WindowResult opened = platform::Window::open(wanted);
    if (!opened.window) return fail(opened.error);
    if (!opened.warning.empty()) log(LogLevel::Warning, opened.warning);
    window = std::move(opened.window);
    stills.emplace(*window, with_options({}, options));
  }
  Walk walk(stills ? &*stills : nullptr, learn.screenshot_dir, options.world.data_dir);
  if (std::string error = take_lessons(walk, learn); !error.empty()) return fail(error);
  tell(walk.course());
  return platform::stop_requested() ? 130 : 0;
}

}  // namespace spellpool::app
