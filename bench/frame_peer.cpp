// What the spells scene draws at chosen steps of the script, for a peer that draws the same frames (bench/frame_peer).
//   bench_frame_peer DATA_DIR FOLDER STEPS FROM COUNT
// Writes FOLDER/play.frames, the COUNT steps after step FROM, and FOLDER/finale.frames, the COUNT steps of 61 … STEPS
// with the most particles. For each file it prints a line: its name, then its steps. 1280×720, at the end of a step,
// default seed and settings. FOLDER/runes.floats: what render::rune_distances() gives.
//
// A file is a row of frames, in this machine's byte order: FrameHead, then matter, light (Quad each), figures
// (frame::SpriteInstance), lights (frame::LightInstance), those of burning runes included. Quads have the particle's
// place, length, width and brightness worked out, so that the peer uploads them as they are.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <numeric>
#include <string>
#include <vector>

#include "app/play/session.hpp"
#include "render/rune_strip.hpp"
#include "render/view.hpp"

namespace spellpool::bench {
namespace {

struct FrameHead {
  u32 step, matter, light, figures, lights;
  float left, top;  // World point in the frame's upper left corner.
  float runes_lit, finale;
};
static_assert(sizeof(FrameHead) == 36);

/// A particle as a rotated quad.
struct Quad {
  u16 x, y;           // 1/32 unit from −1024.
  u16 length, width;  // 1/64 unit.
  u8 r, g, b, a;
  u8 mask, brightness;  // Which of six masks; brightness in 1/32 of light.
  u8 angle;             // 1/256 turn.
  u8 unused = 0;
};
static_assert(sizeof(Quad) == 16);

constexpr u8 kSparkShape = 1;
/// A spark that hardly moves is as round as wide: a sixth mask.
constexpr u8 kRoundSparkMask = 5;

u16 word(float value) { return static_cast<u16>(std::clamp(value + 0.5f, 0.0f, 65535.0f)); }

/// As shaders/particle.vert has it.
Quad quad_of(const frame::ParticleInstance& p, bool matter) {
  const float size = static_cast<float>(p.size) / frame::kSizeScale;
  const float width = std::max(size, 2.0f);
  float x = static_cast<float>(p.x), y = static_cast<float>(p.y), length = width;
  Quad quad{};
  quad.mask = p.glow_shape & 7;
  quad.angle = p.angle;
  if (quad.mask == kSparkShape) {
    const float dx = p.dx, dy = p.dy, speed = std::sqrt(dx * dx + dy * dy);
    const float streak = 1.25f * speed;  // 1/32 unit
    length += streak / frame::kPositionScale;
    if (speed > 0) x -= 0.5f * streak * dx / speed, y -= 0.5f * streak * dy / speed;
    if (length < 1.5f * width) quad.mask = kRoundSparkMask;
    quad.angle = static_cast<u8>(static_cast<int>(std::lround(std::atan2(dy, dx) * (128.0f / 3.14159265f))) & 255);
  }
  quad.x = word(x + 32768.0f);
  quad.y = word(y + 32768.0f);
  quad.length = word(length * 64.0f);
  quad.width = word(width * 64.0f);
  const float dim = size * size / (width * width), factor = 0.25f * static_cast<float>(p.glow_shape >> 3);
  quad.r = p.r, quad.g = p.g, quad.b = p.b;
  quad.a = static_cast<u8>(std::lround(static_cast<float>(p.a) * (matter ? dim : 1.0f)));
  quad.brightness = static_cast<u8>(std::clamp(std::lround(32.0f * factor * (matter ? 1.0f : 0.62f * dim)), 0l, 255l));
  return quad;
}

/// Lights of burning runes, as the renderer adds them.
void add_rune_lights(const frame::RenderSnapshot& snapshot, std::vector<frame::LightInstance>& lights) {
  const float finale = snapshot.finale * snapshot.finale * (3.0f - 2.0f * snapshot.finale);
  const auto add = [&](float turn, float from_centre, float radius, float r, float g, float b) {
    const float x = from_centre * std::sin(turn), y = -from_centre * std::cos(turn);
    if (r > 0) lights.push_back({x, y, x, y, radius, r, g, b});
  };
  for (int i = 0; i < 12; ++i) {
    const float lit = std::clamp(snapshot.runes_lit - static_cast<float>(i), 0.0f, 1.0f),
                turn = static_cast<float>(i) * (6.2831853f / 12);
    add(turn, 300, 105 + 15 * finale, 0.32f * lit + 0.34f * finale, 0.145f * lit + 0.17f * finale,
        0.04f * lit + 0.055f * finale);
    add(turn + 3.14159265f / 12, 303, 90, 0.40f * finale, 0.19f * finale, 0.05f * finale);
  }
}

template <class T>
void put(std::ofstream& out, const std::vector<T>& values) {
  out.write(reinterpret_cast<const char*>(values.data()), static_cast<std::streamsize>(values.size() * sizeof(T)));
}

void put_frame(std::ofstream& out, const frame::RenderSnapshot& snapshot) {
  std::vector<Quad> matter, light;
  for (const frame::ParticleInstance& p : snapshot.alpha_layer) matter.push_back(quad_of(p, true));
  for (const frame::ParticleInstance& p : snapshot.additive_layer) light.push_back(quad_of(p, false));
  const std::vector<frame::SpriteInstance> figures(snapshot.sprites.begin(), snapshot.sprites.end());
  std::vector<frame::LightInstance> lights(snapshot.lights.begin(), snapshot.lights.end());
  add_rune_lights(snapshot, lights);
  render::View view = render::view_of(snapshot, 1.0f, 1280, 720);
  view.centre_x += snapshot.shake_x;
  view.centre_y += snapshot.shake_y;
  view = render::snapped_to_pixels(view);
  const auto count = [](const auto& list) { return static_cast<u32>(list.size()); };
  const FrameHead head{static_cast<u32>(snapshot.step),
                       count(matter),
                       count(light),
                       count(figures),
                       count(lights),
                       view.centre_x - view.half_width(),
                       view.centre_y - view.half_height(),
                       snapshot.runes_lit,
                       snapshot.finale};
  out.write(reinterpret_cast<const char*>(&head), sizeof(head));
  put(out, matter);
  put(out, light);
  put(out, figures);
  put(out, lights);
}

int run(int argc, char** argv) {
  if (argc != 6) return std::fprintf(stderr, "bench_frame_peer DATA_DIR FOLDER STEPS FROM COUNT\n"), 2;
  const std::string folder = argv[2];
  const auto number = [&](int i) { return static_cast<std::size_t>(std::max(1, std::atoi(argv[i]))); };
  const std::size_t steps = number(3), from = number(4), count = number(5);
  app::SpellLibrary library;
  if (const std::string error = library.load(argv[1]); !error.empty())
    return std::fprintf(stderr, "bench_frame_peer: %s\n", error.c_str()), 2;
  app::SessionPlan plan;
  plan.autoplay = true;
  plan.world.data_dir = argv[1];
  app::Session session(plan, library);
  std::vector<std::size_t> particles(steps + 1);
  for (std::size_t step = 1; step <= steps; ++step) {
    session.step({});
    const frame::RenderSnapshot& snapshot = session.world().build_snapshot();
    particles[step] = snapshot.alpha_layer.size() + snapshot.additive_layer.size();
  }
  std::vector<std::size_t> play, finale(steps);
  for (std::size_t step = from + 1; step <= std::min(from + count, steps); ++step) play.push_back(step);
  std::iota(finale.begin(), finale.end(), 1);
  finale.erase(finale.begin(), finale.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(60, steps)));
  std::stable_sort(finale.begin(), finale.end(),
                   [&](std::size_t a, std::size_t b) { return particles[a] > particles[b]; });
  finale.resize(std::min(count, finale.size()));
  std::sort(finale.begin(), finale.end());

  session.rewind();
  std::ofstream play_file(folder + "/play.frames", std::ios::binary),
      finale_file(folder + "/finale.frames", std::ios::binary);
  for (std::size_t step = 1; step <= steps; ++step) {
    session.step({});
    const bool plays = std::binary_search(play.begin(), play.end(), step),
               ends = std::binary_search(finale.begin(), finale.end(), step);
    if (!plays && !ends) continue;
    const frame::RenderSnapshot& snapshot = session.world().build_snapshot();
    if (plays) put_frame(play_file, snapshot);
    if (ends) put_frame(finale_file, snapshot);
  }
  std::ofstream runes_file(folder + "/runes.floats", std::ios::binary);
  put(runes_file, render::rune_distances());
  play_file.close();
  finale_file.close();
  runes_file.close();
  if (!play_file || !finale_file || !runes_file)
    return std::fprintf(stderr, "bench_frame_peer: cannot write to %s\n", folder.c_str()), 2;
  for (const auto& [name, list] : {std::pair{"play", &play}, std::pair{"finale", &finale}}) {
    std::printf("%s", name);
    for (const std::size_t step : *list) std::printf(" %zu", step);
    std::printf("\n");
  }
  return 0;
}

}  // namespace
}  // namespace spellpool::bench

int main(int argc, char** argv) { return spellpool::bench::run(argc, argv); }
