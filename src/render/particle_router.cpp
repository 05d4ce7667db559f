#include "render/particle_router.hpp"

#include <algorithm>
#include <cmath>

namespace spellpool::render {
namespace {

constexpr std::size_t kClassCount = 2 * kShapeCount;
constexpr u8 kUnseen = static_cast<u8>(kClassCount);

// The view in the particles' own units, worked out once.
struct Sieve {
  float centre_x, centre_y, half_width, half_height;  // 1/32 unit.
  float alpha_left;
  float size_to_place;  // 1/64 unit diameter → 1/32 unit radius.
  float largest_point;  // As diameters in 1/32 unit.
  float longest_streak;
};

u8 class_of(const frame::ParticleInstance& particle, const Sieve& sieve, PictureCells& cells) {
  const u32 shape = std::min<u32>(particle.glow_shape & 7u, kShapeCount - 1);
  float radius = static_cast<float>(particle.size) * sieve.size_to_place;
  const float x = static_cast<float>(particle.x) - sieve.alpha_left * static_cast<float>(particle.dx) - sieve.centre_x;
  const float y = static_cast<float>(particle.y) - sieve.alpha_left * static_cast<float>(particle.dy) - sieve.centre_y;
  bool large = 2.0f * radius > sieve.largest_point;
  if (shape == static_cast<u32>(frame::ParticleShape::Spark)) {
    const float dx = particle.dx;
    const float dy = particle.dy;
    const float streak = kStreakSteps * std::sqrt(dx * dx + dy * dy);
    large = 2.0f * radius + streak > sieve.longest_streak;
    radius += streak;  // It lies behind its place.
  }
  const float out_x = std::fabs(x) - sieve.half_width;
  const float out_y = std::fabs(y) - sieve.half_height;
  if (particle.size == 0 || out_x > radius || out_y > radius) return kUnseen;
  const bool at_edge = out_x > -radius || out_y > -radius;
  constexpr float kUnits = 1.0f / frame::kPositionScale;
  cells.mark_from_middle(x * kUnits, y * kUnits, radius * kUnits);
  return static_cast<u8>(shape + (large || at_edge ? kShapeCount : 0));
}

}  // namespace

ParticleBatches route_particles(std::span<const frame::ParticleInstance> particles, const View& view, float alpha,
                                std::vector<frame::ParticleInstance>& sorted, std::size_t first,
                                std::vector<u8>& classes, PictureCells& cells) {
  constexpr float kScale = frame::kPositionScale;
  Sieve sieve{};
  sieve.centre_x = view.centre_x * kScale;
  sieve.centre_y = view.centre_y * kScale;
  sieve.half_width = view.half_width() * kScale;
  sieve.half_height = view.half_height() * kScale;
  sieve.alpha_left = 1.0f - alpha;
  sieve.size_to_place = 0.5f * kScale / frame::kSizeScale;
  sieve.largest_point = kLargestPointPx / view.px_per_unit() * kScale;
  sieve.longest_streak = kLongestStreakPx / view.px_per_unit() * kScale;

  if (classes.size() < particles.size()) classes.resize(particles.size());
  std::array<u32, kClassCount + 1> count{};
  for (std::size_t i = 0; i < particles.size(); ++i) {
    const u8 c = class_of(particles[i], sieve, cells);
    classes[i] = c;
    ++count[c];
  }

  ParticleBatches batches;
  std::array<u32, kClassCount + 1> next{};
  u32 place = static_cast<u32>(first);
  for (std::size_t c = 0; c < kClassCount; ++c) {
    next[c] = place;
    ParticleBatch& batch = c < kShapeCount ? batches.points[c] : batches.quads[c - kShapeCount];
    batch = {place, count[c]};
    place += count[c];
  }
  batches.total = place - static_cast<u32>(first);
  if (sorted.size() < place) sorted.resize(place);
  for (std::size_t i = 0; i < particles.size(); ++i) {
    if (classes[i] != kUnseen) sorted[next[classes[i]]++] = particles[i];
  }
  return batches;
}

}  // namespace spellpool::render
