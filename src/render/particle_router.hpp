#pragma once
// Sorts a snapshot's particles into the batches that one draw call each can draw: by shape, and by point or quad.
//
// Points (GL_POINTS) cost half of quads on a software renderer, but stop at 255 px there and vanish as soon as their
// centre leaves the picture. So everything wider than kLargestPointPx, or whose centre lies within its own radius of
// the edge, becomes a quad; what cannot be seen at all is dropped. A streak is longer than wide: beyond
// kLongestStreakPx a quad laid along it covers fewer pixels than the square of a point. Cost: two passes, about 8 ns a
// particle. Order inside a batch is that of the snapshot.
#include <array>
#include <span>
#include <vector>

#include "frame/render_snapshot.hpp"
#include "render/picture_cells.hpp"
#include "render/view.hpp"

namespace spellpool::render {

inline constexpr std::size_t kShapeCount = frame::kParticleShapes.size();
inline constexpr float kLargestPointPx = 64.0f;
inline constexpr float kLongestStreakPx = 20.0f;
/// Steps of motion that a spark's streak adds to its diameter. Matches shaders/particle.glsl.
inline constexpr float kStreakSteps = 1.25f;

struct ParticleBatch {
  u32 first = 0;
  u32 count = 0;
};

struct ParticleBatches {
  std::array<ParticleBatch, kShapeCount> points{};
  std::array<ParticleBatch, kShapeCount> quads{};
  u32 total = 0;  ///< All that is drawn; the batches fill [0, total) of the output.
};

/// Copies what `view` shows of `particles` into `sorted` from index `first` on, batch by batch, and says where each
/// lies. `classes` is scratch. Both grow when they are too small and never shrink, so a steady frame allocates nothing.
/// Marks in `cells` where they lie.
ParticleBatches route_particles(std::span<const frame::ParticleInstance> particles, const View& view, float alpha,
                                std::vector<frame::ParticleInstance>& sorted, std::size_t first,
                                std::vector<u8>& classes, PictureCells& cells);

}  // namespace spellpool::render
