#include "render/particle_router.hpp"

#include <gtest/gtest.h>

#include "core/rng.hpp"

namespace spellpool::render {
namespace {

using frame::ParticleInstance;
using frame::ParticleShape;

ParticleInstance particle(float x, float y, float size, ParticleShape shape = ParticleShape::Glow, float dx = 0,
                          float dy = 0) {
  ParticleInstance p{};
  p.x = static_cast<i16>(x * frame::kPositionScale);
  p.y = static_cast<i16>(y * frame::kPositionScale);
  p.dx = static_cast<i16>(dx * frame::kPositionScale);
  p.dy = static_cast<i16>(dy * frame::kPositionScale);
  p.size = static_cast<u16>(size * frame::kSizeScale);
  p.glow_shape = static_cast<u8>(static_cast<u32>(shape) | (4u << 3));
  return p;
}

struct Routed {
  std::vector<ParticleInstance> sorted;
  ParticleBatches batches;
};

Routed route(const std::vector<ParticleInstance>& particles, float alpha = 1.0f) {
  Routed routed;
  std::vector<u8> classes;
  PictureCells cells;
  cells.begin(View{}, 40, 22);
  routed.batches = route_particles(particles, View{}, alpha, routed.sorted, 0, classes, cells);
  return routed;
}

constexpr std::size_t kGlow = static_cast<std::size_t>(ParticleShape::Glow);
constexpr std::size_t kSpark = static_cast<std::size_t>(ParticleShape::Spark);

TEST(ParticleRouter, SmallOnesArePointsAndLargeOnesQuads) {
  const Routed routed = route({particle(0, 0, 12), particle(0, 0, 64), particle(0, 0, 65), particle(10, 10, 400)});
  EXPECT_EQ(routed.batches.points[kGlow].count, 2u);
  EXPECT_EQ(routed.batches.quads[kGlow].count, 2u);
}

TEST(ParticleRouter, WhatTouchesTheEdgeIsAQuad) {
  const Routed routed =
      route({particle(633, 0, 10), particle(636, 0, 10), particle(644, 0, 10), particle(0, -362, 10)});
  EXPECT_EQ(routed.batches.points[kGlow].count, 1u);
  EXPECT_EQ(routed.batches.quads[kGlow].count, 3u);
}

TEST(ParticleRouter, WhatCannotBeSeenIsDropped) {
  const Routed routed = route({particle(646, 0, 10), particle(0, 900, 30), particle(-1000, 0, 500), particle(0, 0, 0)});
  EXPECT_EQ(routed.batches.total, 0u);
}

TEST(ParticleRouter, ThePlaceAtTheDrawnTimeCounts) {
  const std::vector<ParticleInstance> leaving = {particle(700, 0, 10, ParticleShape::Glow, 200, 0)};
  EXPECT_EQ(route(leaving, 1.0f).batches.total, 0u);
  EXPECT_EQ(route(leaving, 0.0f).batches.points[kGlow].count, 1u);
}

TEST(ParticleRouter, AFastSparkIsAQuadAlongItsMotion) {
  const Routed routed =
      route({particle(0, 0, 8, ParticleShape::Spark, 2, 0), particle(0, 0, 8, ParticleShape::Spark, 0, 30)});
  EXPECT_EQ(routed.batches.points[kSpark].count, 1u);
  EXPECT_EQ(routed.batches.quads[kSpark].count, 1u);
}

TEST(ParticleRouter, NothingIsLostAndEachBatchHoldsItsOwnShape) {
  Rng rng(7);
  std::vector<ParticleInstance> particles;
  for (int i = 0; i < 5000; ++i) {
    const float x = rng.range(-700, 700);
    const float y = rng.range(-400, 400);
    const float size = rng.range(1, 100);
    particles.push_back(particle(x, y, size, static_cast<ParticleShape>(rng.below(kShapeCount))));
    particles.back().angle = static_cast<u8>(i);
  }
  const Routed routed = route(particles);
  u32 next = 0;
  for (const auto* kind : {&routed.batches.points, &routed.batches.quads}) {
    for (std::size_t shape = 0; shape < kShapeCount; ++shape) {
      const ParticleBatch batch = (*kind)[shape];
      EXPECT_EQ(batch.first, next);
      next += batch.count;
      for (u32 i = batch.first; i < batch.first + batch.count; ++i) EXPECT_EQ(routed.sorted[i].glow_shape & 7u, shape);
    }
  }
  EXPECT_EQ(next, routed.batches.total);
  u32 visible = 0;
  for (const ParticleInstance& p : particles) {
    const float radius = static_cast<float>(p.size) / frame::kSizeScale / 2;
    visible += std::fabs(static_cast<float>(p.x)) / 32.0f <= 640 + radius &&
               std::fabs(static_cast<float>(p.y)) / 32.0f <= 360 + radius;
  }
  EXPECT_EQ(routed.batches.total, visible);
}

TEST(ParticleRouter, AnUnknownShapeIsDrawnAsTheLastOne) {
  ParticleInstance odd = particle(0, 0, 10);
  odd.glow_shape = 7;
  const Routed routed = route({odd});
  EXPECT_EQ(routed.batches.points[kShapeCount - 1].count, 1u);
}

TEST(ParticleRouter, TheSecondLayerGoesBehindTheFirst) {
  std::vector<ParticleInstance> sorted;
  std::vector<u8> classes;
  const std::vector<ParticleInstance> one(3, particle(0, 0, 10));
  PictureCells cells;
  const ParticleBatches first = route_particles(one, View{}, 1.0f, sorted, 0, classes, cells);
  const ParticleBatches second = route_particles(one, View{}, 1.0f, sorted, first.total, classes, cells);
  EXPECT_EQ(second.points[kGlow].first, 3u);
  EXPECT_EQ(second.total, 3u);
}

}  // namespace
}  // namespace spellpool::render
