// Frame times of the lessons: each of them is taken by keys in the game's own window of 1280×720, as fast as
// it can, while a game with 100,000 slots for particles waits behind it. On the display that SDL finds:
// without one, run it with xvfb-run.
//   bench_learn [--goals FILE]
#include <SDL.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "app/library/sound_library.hpp"
#include "app/play/pool_sizes.hpp"
#include "app/window/window_game.hpp"
#include "goals.hpp"

namespace spellpool::bench {
namespace {

using Kind = frame::LessonTarget::Kind;

constexpr u32 kSlots = 100'000;
constexpr int kRestFrames = 30;  ///< Of a step that is only looked at.
constexpr double kMedianGoal_ms = 1000.0 / 60.0, kMostGoal_ms = 1000.0 / 30.0;

double share(std::vector<double> ms, double of) {
  if (ms.empty()) return 0;
  std::sort(ms.begin(), ms.end());
  return ms[std::min(ms.size() - 1, static_cast<std::size_t>(static_cast<double>(ms.size()) * of))];
}

class Walk {
 public:
  explicit Walk(app::WindowGame& game) : game_(game) {}

  bool frame() {
    const auto from = std::chrono::steady_clock::now();
    const bool goes_on = game_.frame();
    ms_.push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - from).count());
    return goes_on;
  }
  void rest(int frames) {
    for (int i = 0; i < frames; ++i) frame();
  }
  void tap(SDL_Scancode code) {
    SDL_Event event{};
    event.key.keysym.scancode = code;
    event.key.keysym.sym = SDL_GetKeyFromScancode(code);
    event.type = SDL_KEYDOWN;
    event.key.state = SDL_PRESSED;
    SDL_PushEvent(&event);
    event.type = SDL_KEYUP;
    event.key.state = SDL_RELEASED;
    SDL_PushEvent(&event);
    rest(2);
  }
  /// The lesson with the focus, from the list back to it. False: it does not end.
  bool take_lesson() {
    ms_.clear();
    tap(SDL_SCANCODE_RETURN);
    for (int round = 0; round < 20'000 && !view().list; ++round) {
      const frame::LessonView& now = view();
      const bool may = now.focus < now.targets.size() && !now.runs;
      const Kind kind = may ? now.targets[now.focus].kind : Kind::Leave;
      const bool open = now.asks && !now.answered;
      if (may && (open ? kind == Kind::Answer || kind == Kind::Cell : kind == Kind::Next)) {
        rest(kRestFrames);
        tap(SDL_SCANCODE_RETURN);
        const bool picks_on = view().asks && !view().answered && !view().runs;
        if (kind == Kind::Cell && picks_on) tap(SDL_SCANCODE_RIGHT);
      } else {
        frame();  // it is being done, or measured
      }
    }
    return view().list;
  }
  const frame::LessonView& view() const { return *game_.lessons(); }
  const std::vector<double>& ms() const { return ms_; }

 private:
  app::WindowGame& game_;
  std::vector<double> ms_;
};

int run(const std::string& goals_path) {
  app::PlayOptions options;
  options.title = true;
  options.learn.emplace();
  options.world.pools[static_cast<std::size_t>(frame::PoolId::Particles)].capacity = kSlots;
  app::SpellLibrary library;
  if (std::string error = app::load_texts(SPELLPOOL_SOURCE_DIR, library, options.world); !error.empty()) {
    std::fprintf(stderr, "%s\n", error.c_str());
    return 2;
  }
  app::SoundLibrary sounds(app::sound_folders(SPELLPOOL_SOURCE_DIR, app::Own::No));
  app::Remembered remembered;
  remembered.settings.vsync = false;
  remembered.settings.frame_cap = 0;
  remembered.settings.window_width = 1280;
  remembered.settings.window_height = 720;
  app::WindowGame game(options, library, sounds, SPELLPOOL_SOURCE_DIR,
                       std::make_unique<platform::FileWatch>(std::vector<std::filesystem::path>{}, 1),
                       remembered);
  if (std::string error = game.open(); !error.empty()) {
    std::fprintf(stderr, "%s\n", error.c_str());
    return 2;
  }
  Walk walk(game);
  walk.rest(60);  // the window manager, and Dear ImGui's first frames
  std::vector<Goal> goals;
  std::vector<double> all;
  std::printf("%-28s %8s %10s %10s %10s\n", "lesson", "frames", "median ms", "p99 ms", "most ms");
  const auto row = [](const std::string& title, const std::vector<double>& ms) {
    std::printf("%-28s %8zu %10.2f %10.2f %10.2f\n", title.c_str(), ms.size(), share(ms, 0.5),
                share(ms, 0.99), share(ms, 1.0));
  };
  for (const frame::LessonRow& lesson : frame::kLessons) {
    while (walk.view().targets[walk.view().focus] !=
           frame::LessonTarget{Kind::Lesson, static_cast<u16>(lesson.id)})
      walk.tap(SDL_SCANCODE_DOWN);
    if (!walk.take_lesson()) {
      std::fprintf(stderr, "%.*s does not end\n", static_cast<int>(lesson.title.size()), lesson.title.data());
      return 1;
    }
    row(std::string(lesson.title), walk.ms());
    all.insert(all.end(), walk.ms().begin(), walk.ms().end());
  }
  row("all", all);
  std::printf("window system: %s\n", SDL_GetCurrentVideoDriver());
  goals.push_back({"learn.median", text("a frame of the lessons, median of %zu", all.size()), kMedianGoal_ms,
                   share(all, 0.5), "ms", Goal::Better::Lower});
  goals.push_back({"learn.most", text("a frame of the lessons, the longest of %zu", all.size()), kMostGoal_ms,
                   share(all, 1.0), "ms", Goal::Better::Lower});
  for (const Goal& goal : goals) {
    std::printf("%s %s: %.2f ms (goal %.2f)\n", goal.ok() ? "ok  " : "MISS", goal.what.c_str(), goal.value,
                goal.goal);
  }
  const std::string error = game.close();
  if (!error.empty()) std::fprintf(stderr, "%s\n", error.c_str());
  return goals_path.empty() || append_goals(goals_path, goals) ? 0 : 2;
}

}  // namespace
}  // namespace spellpool::bench

int main(int argc, char** argv) {
  std::string goals;
  for (int i = 1; i + 1 < argc; i += 2) {
    if (std::strcmp(argv[i], "--goals") == 0) goals = argv[i + 1];
  }
  return spellpool::bench::run(goals);
}
