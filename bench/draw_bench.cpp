// Drawing soft round particles at 1280×720: our two paths beside LÖVE, SDL_RenderGeometry, and OpenGL with nothing around it.
//
//   bench_draw [--rounds N] [--quick] [--goals FILE] [--frames PRESET=FILE.csv]… [-- LOVE COMMAND…]
//
// Per particle = (frame with N − frame with none) / N, of medians. A frame ends when it is rendered
// completely, as a swap on a software renderer waits for it; the swap itself is not measured. The rounds of
// all sides alternate. Half of the frames with none come before those with N, the other half after them.
// The sides do not do equal work. Ours draws into HDR, with bloom, tone mapping, vignette and the arena
// beneath. These are part of "none"; what particles add to bloom and tone mapping is part of "per particle".
// LÖVE, SDL and plain OpenGL draw a halo on black, 8 bits a channel.
// --frames reads what the game itself recorded in a real window (--record): the goals D1 and D2.
// Exit codes: 0 done, 2 bad usage or no OpenGL, 3 a side did not draw what it should.
#include <SDL.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <numeric>
#include <optional>

#include "built.hpp"
#include "draw_sides.hpp"
#include "goals.hpp"
#include "measure/record/environment.hpp"
#include "measure/record/frames_csv.hpp"

namespace spellpool::bench {
namespace {

constexpr u32 kCounts[] = {5'000, 50'000, 200'000};
constexpr float kDiameters_px[] = {4.0f, 12.0f, 24.0f};
constexpr u32 kGrowthCount = 500'000;
constexpr float kGrowthDiameter_px = 12.0f;
constexpr u32 kGoalCount = 50'000;
constexpr double kTurn_ns = 25e6;  ///< A side's turn in a round lasts about this long, if its frames are shorter.
constexpr u32 kTurnFrames = 8;     ///< At most.
constexpr double kEnough_ns = 8e9; ///< A side that has drawn one cloud for so long sits out what rounds are left …
constexpr u32 kEnoughFrames = 5;   ///< … but not before so many frames.

/// The game itself, in a window: as its preset starts, at high quality and at medium, to which it steps down by itself where it is
/// not measured; and played by the script, which casts every spell on top of it.
struct GameGoal {
  const char* id;
  const char* preset;      ///< As --frames names it.
  u32 live;
  double fps;
};
constexpr GameGoal kGameGoals[] = {{"draw.D1", "stress", 100'000, 60},
                                   {"draw.D1.medium", "stress_medium", 100'000, 60},
                                   {"draw.D1.cast", "stress_cast", 100'000, 60},
                                   {"draw.D2", "stress_250k", 250'000, 30},
                                   {"draw.D2.cast", "stress_250k_cast", 250'000, 30}};
constexpr u32 kSettleFrames = 30;  ///< Left out after the preset's particles are alive.
constexpr u32 kLeastFrames = 60;

struct Options {
  u32 rounds = 15;
  bool quick = false;
  std::string goals_path;
  std::map<std::string, std::string> frames;  ///< Preset to file.
  std::vector<std::string> love;
};

Options read_options(int argc, char** argv) {
  const char* usage = "bench_draw [--rounds N] [--quick] [--goals FILE] [--frames PRESET=FILE.csv]… [-- LOVE COMMAND…]";
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--") {
      options.love.assign(argv + i + 1, argv + argc);
      break;
    }
    if (word == "--quick") {
      options.quick = true;
      continue;
    }
    if ((word != "--rounds" && word != "--goals" && word != "--frames") || i + 1 == argc) stop(2, "cannot use '" + word + "': " + usage);
    const std::string value = argv[++i];
    if (word == "--goals") options.goals_path = value;
    if (word == "--frames") {
      const std::size_t equals = value.find('=');
      if (equals == std::string::npos) stop(2, "--frames wants PRESET=FILE.csv, not '" + value + "'");
      options.frames[value.substr(0, equals)] = value.substr(equals + 1);
    }
    if (word == "--rounds") {
      const int rounds = std::atoi(value.c_str());
      if (rounds < 1 || rounds > 10'000) stop(2, "--rounds wants 1 … 10000, not '" + value + "'");
      options.rounds = static_cast<u32>(rounds);
    }
  }
  return options;
}

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// -------------------------------------------------------------------------------------------------------- one cloud

/// What one side took for one cloud.
struct Figure {
  double none_ns = 0, frame_ns = 0;
  double per_particle_ns = 0;
  double lit = 0;
  double post_ms = 0;  ///< 0: not known.
};

/// One side's turn: a frame that brings its memory back into the caches, then some that count. A frame longer than a turn
/// outlasts what the caches did, so it counts itself.
void take_turn(DrawSide& side, std::vector<double>& frames) {
  side.enter();
  const double first = side.frame_ns();
  if (first >= kTurn_ns) {
    frames.push_back(first);
    return;
  }
  double spent = 0;
  for (u32 i = 0; i < kTurnFrames && spent < kTurn_ns; ++i) {
    frames.push_back(side.frame_ns());
    spent += frames.back();
  }
}

using Sides = std::vector<DrawSide*>;

std::vector<Figure> measure(const Sides& sides, u32 count, float diameter_px, u32 rounds) {
  const Cloud none{diameter_px, {}};
  const Cloud cloud = make_cloud(count, diameter_px);
  std::vector<std::vector<double>> none_frames(sides.size()), frames(sides.size());
  std::vector<Figure> figures(sides.size());
  // What each should light at least: half of each disc's width is brighter than kLitFrom. They overlap at random.
  const double covers = count * 0.25 * 3.14159 * diameter_px * diameter_px * 0.25;
  const double least = 0.8 * (1.0 - std::exp(-covers / (kWidth_px * kHeight_px)));
  const auto take = [&](const Cloud& drawn, u32 n, std::vector<std::vector<double>>& into) {
    for (std::size_t s = 0; s < sides.size(); ++s) {
      sides[s]->enter();
      sides[s]->make(drawn);
      const double lit = sides[s]->lit();
      if (drawn.count() > 0 ? lit < least : lit > 0) {
        stop(3, sides[s]->name() + text(" lit %.1f %% of the pixels with %u particles of %.0f px, where %.1f %% is the least", 100 * lit, drawn.count(),
                                        static_cast<double>(diameter_px), drawn.count() > 0 ? 100 * least : 0.0));
      }
      if (drawn.count() > 0) figures[s].lit = lit;
    }
    for (u32 round = 0; round < n; ++round) {
      for (std::size_t s = 0; s < sides.size(); ++s) {
        const double spent_ns = std::accumulate(into[s].begin(), into[s].end(), 0.0);
        if (spent_ns < kEnough_ns || into[s].size() < kEnoughFrames) take_turn(*sides[s], into[s]);
      }
    }
  };
  const u32 half = (rounds + 1) / 2;
  take(none, half, none_frames);
  take(cloud, rounds, frames);
  for (std::size_t s = 0; s < sides.size(); ++s) {
    if (const auto* ours = dynamic_cast<const OurSide*>(sides[s])) figures[s].post_ms = median(ours->post_ms());
  }
  take(none, half, none_frames);
  for (std::size_t s = 0; s < sides.size(); ++s) {
    figures[s].none_ns = median(none_frames[s]);
    figures[s].frame_ns = median(frames[s]);
    figures[s].per_particle_ns = (figures[s].frame_ns - figures[s].none_ns) / count;
  }
  return figures;
}

// ------------------------------------------------------------------------------------------------------- the tables

/// "50,000".
std::string grouped(u32 number) {
  return number < 1000 ? std::to_string(number) : grouped(number / 1000) + text(",%03u", number % 1000);
}

/// Pads by what is seen: "Ö" and "×" are two bytes each.
std::string padded(const std::string& name, std::size_t width) {
  const auto seen = static_cast<std::size_t>(std::count_if(name.begin(), name.end(), [](char c) { return (c & 0xC0) != 0x80; }));
  return name + std::string(width > seen ? width - seen : 0, ' ');
}

/// figures[count][side].
void print_table(float diameter_px, const std::vector<u32>& counts, const Sides& sides, const std::vector<std::vector<Figure>>& figures) {
  std::printf("\n%.0f px\n  %s", static_cast<double>(diameter_px), std::string(30, ' ').c_str());
  for (const u32 count : counts) std::printf("  | %29s", (grouped(count) + " particles").c_str());
  std::printf("\n  %s", std::string(30, ' ').c_str());
  for (std::size_t i = 0; i < counts.size(); ++i) std::printf("  |  none ms  all ms      ns  lit");
  std::printf("\n");
  for (std::size_t s = 0; s < sides.size(); ++s) {
    std::printf("  %s", padded(sides[s]->name(), 30).c_str());
    for (std::size_t i = 0; i < counts.size(); ++i) {
      const Figure& f = figures[i][s];
      std::printf("  | %8.2f %7.2f %7.1f %3.0f%%", f.none_ns * 1e-6, f.frame_ns * 1e-6, f.per_particle_ns, 100 * f.lit);
    }
    std::printf("\n");
  }
  std::fflush(stdout);
}

// -------------------------------------------------------------------------------------------------------- the goals

void add_game_goal(const GameGoal& goal, const std::string& path, std::vector<Goal>& goals) {
  const measure::FramesCsv csv = measure::read_frames_csv(path);
  const auto alive = std::find_if(csv.frames.begin(), csv.frames.end(), [&](const frame::FrameRecord& r) { return r.live >= goal.live * 0.99; });
  std::vector<double> times_ns, live, phase_ms[frame::kPhaseCount];
  for (std::size_t i = static_cast<std::size_t>(alive - csv.frames.begin()) + kSettleFrames; i < csv.frames.size(); ++i) {
    // From one frame's end to the next one's: whatever the game does is in it.
    times_ns.push_back(static_cast<double>(csv.frames[i].t_ns - csv.frames[i - 1].t_ns));
    live.push_back(csv.frames[i].live);
    for (std::size_t p = 0; p < frame::kPhaseCount; ++p) phase_ms[p].push_back(static_cast<double>(csv.frames[i].phase_us[p]) * 1e-3);
  }
  if (times_ns.size() < kLeastFrames) {
    std::printf("%s is left out: %zu frames with %s particles alive came in time, not %u %s\n", goal.id, times_ns.size(),
                grouped(goal.live).c_str(), kLeastFrames, csv.error.c_str());
    return;
  }
  const double frame_ms = median(times_ns) * 1e-6;
  std::string phases;
  for (std::size_t p = 0; p < frame::kPhaseCount; ++p) {
    phases += text("%s%s %.2f", p ? ", " : "", std::string(frame::kPhaseNames[p]).c_str(), median(phase_ms[p]));
  }
  std::sort(times_ns.begin(), times_ns.end());
  const double late_ms = times_ns[static_cast<std::size_t>(static_cast<double>(times_ns.size() - 1) * 0.999)] * 1e-6;
  std::printf("the game at preset %s: %zu frames, %.0f alive, median %.2f ms (%s), p99.9 %.2f ms (%.2f of the median)\n", goal.preset,
              times_ns.size(), median(live), frame_ms, phases.c_str(), late_ms, late_ms / frame_ms);
  goals.push_back({goal.id, text("the game at preset %s in a window, %.0f alive: median frame %.2f ms, swap included", goal.preset, median(live), frame_ms),
                   goal.fps, 1000.0 / frame_ms, "FPS"});
}

void print_goals(const std::vector<Goal>& goals) {
  if (!goals.empty()) std::printf("\n");
  for (const Goal& g : goals) {
    std::printf("  %-12s goal %s %5.1f %-4s measured %8.2f %-4s %s   %s\n", g.id.c_str(), g.better == Goal::Better::Higher ? "≥" : "≤", g.goal,
                g.unit.c_str(), g.value, g.unit.c_str(), g.ok() ? "reached" : "MISSED ", g.what.c_str());
  }
}

// ----------------------------------------------------------------------------------------------------------- a run

/// SDL's offscreen driver where SDL has it, else a window's.
void start_video() {
  SDL_SetHint(SDL_HINT_NO_SIGNAL_HANDLERS, "1");  // Ctrl+C ends a run of minutes
  if (SDL_VideoInit("offscreen") == 0 || SDL_VideoInit(nullptr) == 0) return;
  stop(2, std::string("no window and no offscreen picture: ") + SDL_GetError() + " (xvfb-run, of the package xvfb, makes a window)");
}

int run(const Options& options) {
  const u32 rounds = options.quick ? std::min(options.rounds, 3u) : options.rounds;
  const measure::Environment machine = measure::capture_environment();
  std::printf("drawing at %d×%d, %u rounds, medians; %s; %s, %u cores\n", kWidth_px, kHeight_px, rounds, built_by().c_str(), machine.cpu.c_str(),
              machine.cpus);
  std::vector<Goal> goals;
  for (const GameGoal& goal : kGameGoals) {
    const auto given = options.frames.find(goal.preset);
    if (given != options.frames.end()) {
      add_game_goal(goal, given->second, goals);
    } else {
      std::printf("%s is left out: there is no recording of the game at preset %s\n", goal.id, goal.preset);
    }
  }

  start_video();
  std::vector<std::unique_ptr<DrawSide>> all;
  const auto ours = [&](const char* name, frame::DrawPath path) {
    auto side = std::make_unique<OurSide>(name, path, kGrowthCount);
    if (!side->error().empty()) stop(2, "our renderer cannot draw here: " + side->error());
    OurSide* raw = side.get();
    all.push_back(std::move(side));
    return raw;
  };
  OurSide* cpu = ours("ours, processor", frame::DrawPath::Cpu);
  OurSide* gpu = ours("ours, OpenGL", frame::DrawPath::Gpu);
  const bool software = cpu->renderer().software();
  DrawSide* counted = software ? cpu : gpu;
  std::printf("renderer: %s; ours counts as the %s path\n", std::string(cpu->renderer().name()).c_str(), software ? "processor's" : "OpenGL");
  std::printf("ours: HDR with bloom, tone-map, vignette and the arena beneath; all others: one halo in 8 bits a channel on black\n");

  std::optional<Love> love;
  DrawSide* love_sides[2] = {};
  if (!options.love.empty()) love.emplace(options.love);
  if (love && love->alive()) {
    std::printf("LÖVE's renderer: %s\n", love->renderer().c_str());
    const char* kinds[] = {"system", "batch"};
    for (std::size_t i = 0; i < 2; ++i) {
      all.push_back(make_love(*love, kinds[i]));
      love_sides[i] = all.back().get();
    }
  } else {
    std::printf("LÖVE did not start, so draw.D3 and draw.D4 are left out; it comes with: apt-get install love xvfb xauth\n");
  }
  const auto add = [&](const char* what, const std::function<std::unique_ptr<DrawSide>(std::string&)>& make) {
    std::string error;
    if (auto side = make(error)) {
      all.push_back(std::move(side));
    } else {
      std::printf("%s is left out: %s\n", what, error.c_str());
    }
  };
  add("SDL's opengl renderer", [](std::string& error) { return make_sdl("opengl", error); });
  add("SDL's software renderer", [](std::string& error) { return make_sdl("software", error); });
  add("plain GL with quads", [](std::string& error) { return make_plain(PlainShape::Quads, error); });
  add("plain GL with points", [](std::string& error) { return make_plain(PlainShape::Points, error); });
  std::fflush(stdout);

  Sides sides;
  for (const auto& side : all) sides.push_back(side.get());
  const auto index = [&](const DrawSide* side) { return static_cast<std::size_t>(std::find(sides.begin(), sides.end(), side) - sides.begin()); };

  double growth_from_ns = 0, post_ms = 0;
  std::vector<Goal> ratios;
  const std::vector<u32> counts(std::begin(kCounts), std::end(kCounts));
  for (const float diameter_px : kDiameters_px) {
    std::vector<std::vector<Figure>> figures;
    for (const u32 count : counts) figures.push_back(measure(sides, count, diameter_px, rounds));
    print_table(diameter_px, counts, sides, figures);

    const auto& row = figures[static_cast<std::size_t>(std::find(counts.begin(), counts.end(), kGoalCount) - counts.begin())];
    const double our_ns = row[index(counted)].per_particle_ns;
    if (diameter_px == kGrowthDiameter_px) {
      growth_from_ns = our_ns;
      post_ms = row[index(cpu)].post_ms;
    }
    const bool is_goal = diameter_px == 12.0f || diameter_px == 4.0f;
    if (!love_sides[0] || !is_goal) continue;
    const double system_ns = row[index(love_sides[0])].per_particle_ns, batch_ns = row[index(love_sides[1])].per_particle_ns;
    const double least_ns = std::min(system_ns, batch_ns);
    const bool large = diameter_px == 12.0f;
    ratios.push_back({large ? "draw.D3" : "draw.D4",
                      text("%s particles of %.0f px: LÖVE's ParticleSystem %.1f ns each, its SpriteBatch %.1f, %s %.1f", grouped(kGoalCount).c_str(),
                           static_cast<double>(diameter_px), system_ns, batch_ns, counted->name().c_str(), our_ns),
                      large ? 10.0 : 20.0, least_ns / our_ns, "x"});
  }
  std::sort(ratios.begin(), ratios.end(), [](const Goal& a, const Goal& b) { return a.id < b.id; });
  goals.insert(goals.end(), ratios.begin(), ratios.end());

  if (!options.quick) {
    const Sides both = {cpu, gpu};
    const std::vector<Figure> figures = measure(both, kGrowthCount, kGrowthDiameter_px, rounds);
    print_table(kGrowthDiameter_px, {kGrowthCount}, both, {figures});
    const double ns = figures[counted == cpu ? 0 : 1].per_particle_ns;
    goals.push_back({"draw.D5", text("%s, %.0f px: %.1f ns each at %s, %.1f at %s", counted->name().c_str(), static_cast<double>(kGrowthDiameter_px), ns,
                                     grouped(kGrowthCount).c_str(), growth_from_ns, grouped(kGoalCount).c_str()),
                     1.3, ns / growth_from_ns, "x", Goal::Better::Lower});
  } else {
    std::printf("draw.D5 is left out of a quick run\n");
  }
  if (post_ms > 0) {
    goals.push_back({"draw.D6", text("bloom, tone-map and vignette of the processor's path, with %s particles of %.0f px", grouped(kGoalCount).c_str(),
                                     static_cast<double>(kGrowthDiameter_px)),
                     3.0, post_ms, "ms", Goal::Better::Lower});
  } else {
    std::printf("draw.D6 is left out: this renderer does not tell what its post passes cost\n");
  }
  print_goals(goals);
  if (!options.goals_path.empty() && !append_goals(options.goals_path, goals)) stop(2, "cannot write " + options.goals_path);
  return 0;
}

}  // namespace
}  // namespace spellpool::bench

int main(int argc, char** argv) { return spellpool::bench::run(spellpool::bench::read_options(argc, argv)); }
