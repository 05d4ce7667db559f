#include "app/learn/run_learn.hpp"

#include <bit>
#include <filesystem>
#include <fstream>
#include <optional>

#include <fmt/format.h>

#include "app/fail.hpp"
#include "app/learn/learn_window.hpp"
#include "app/shell/remembered.hpp"
#include "content/png.hpp"
#include "content/text_file.hpp"
#include "core/log.hpp"
#include "core/one_line.hpp"
#include "platform/display_loss.hpp"
#include "platform/stop_signals.hpp"
#include "render/renderer.hpp"

namespace spellpool::app {
namespace {

namespace fs = std::filesystem;

/// Beside the scores.
constexpr const char* kLessonsFile = "lessons.toml";

/// The course with pictures, or without where no folder is given.
class Walk {
 public:
  Walk(LearnWindow* window, platform::Window* shown, sim::LessonCourse& course, fs::path folder)
      : window_(window), shown_(shown), course_(course), folder_(std::move(folder)) {}

  /// Every step of a lesson: what it asks, and what it says once it was answered rightly. "" or an error
  /// line.
  std::string all_of(frame::LessonId id) {
    course_.open(id);
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
    return course_.run(line);
  }

  std::string shoot(const std::string& name) {
    if (folder_.empty() || window_ == nullptr) return {};
    for (int pass = 0; pass < 2; ++pass) {  // Dear ImGui shows a window in its second frame
      frame::PanelRequests unheard;
      window_->draw(unheard);
    }
    const platform::Size px = shown_->drawable_px();
    std::vector<u8> rgb;
    if (!render::read_rgb(px.width, px.height, rgb))
      return "--screenshot-dir: a picture could not be read back from OpenGL";
    return content::write_png((folder_ / (name + ".png")).string(), static_cast<u32>(px.width),
                              static_cast<u32>(px.height), rgb, "Spellpool", content::Overwrite::Yes);
  }

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
      const std::string answer = view.right < view.answers.size() ? view.answers[view.right] : view.truth;
      text_ += fmt::format("> **{}**{}{}\n>\n> {}\n\n", view.question, answer.empty() ? "" : " ", answer,
                           view.explanation);
    }
    text_ += fmt::format("![{}, step {}]({}.png)\n\n", row.title, view.step + 1, picture);
  }

  LearnWindow* window_;
  platform::Window* shown_;
  sim::LessonCourse& course_;
  fs::path folder_;
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
  frame::Settings settings;
  std::string progress_path;
  if (!options.headless) {
    Remembered remembered = read_remembered();
    for (const std::string& message : remembered.messages) log(LogLevel::Warning, message);
    settings = std::move(remembered.settings);
    if (!remembered.scores_path.empty())
      progress_path = (fs::path(remembered.scores_path).parent_path() / kLessonsFile).string();
  }
  settings = with_options(std::move(settings), options);
  if (!learn.screenshot_dir.empty()) {
    std::error_code ec;
    fs::create_directories(learn.screenshot_dir, ec);
    if (ec)
      return fail("--screenshot-dir: " + one_line(learn.screenshot_dir) +
                  " cannot be made: " + ec.message());
  }
  if (options.headless && learn.screenshot_dir.empty()) {
    sim::LessonCourse course;
    Walk blind(nullptr, nullptr, course, {});
    if (std::string error = take_lessons(blind, learn); !error.empty()) return fail(error);
    tell(course);
    return 0;
  }

  platform::WindowOptions wanted;
  wanted.title = "Spellpool: Learn";
  wanted.headless = options.headless;
  wanted.width = static_cast<int>(options.headless ? options.width : settings.window_width);
  wanted.height = static_cast<int>(options.headless ? options.height : settings.window_height);
  wanted.fullscreen = settings.fullscreen && !options.headless;
  wanted.vsync = settings.vsync && !options.headless;
  platform::WindowResult opened = platform::Window::open(wanted);
  if (!opened.window) return fail(opened.error);
  if (!opened.warning.empty()) log(LogLevel::Warning, opened.warning);
  ImGuiHost panels(*opened.window, !options.headless);
  platform::Events events;
  LearnWindow window({*opened.window, events, panels}, settings, std::move(progress_path));
  std::string error;
  if (options.headless) {
    Walk seen(&window, opened.window.get(), window.course(), learn.screenshot_dir);
    error = take_lessons(seen, learn);
    if (error.empty()) tell(window.course());
  } else {
    if (learn.lesson) window.course().open(*learn.lesson);
    while (window.frame()) {
    }
    window.close();
  }
  if (!error.empty()) return fail(error);
  return platform::stop_requested() ? 130 : 0;
}

}  // namespace spellpool::app
