// Particles by columns: DensePool keeps each field in an array of its own. The same step in three ways:
//   1. for_each() and release_if(), as in any pool
//   2. release_if() with a predicate that also updates: one pass instead of two
//   3. update_rows(): plain loops over the arrays of the fields, which compilers turn into vector code
#include <cstdio>

#include "pool/pool.hpp"

using namespace spellpool::pool;
using spellpool::u32;

struct Particle {
  float x, y;
  float speed_x, speed_y;
  float life;
  u32 colour;
};

// Which members there are: what walks change (Hot), and what they only read (Cold).
template <>
struct spellpool::pool::FieldsOf<Particle> {
  using Hot = FieldList<&Particle::x, &Particle::y, &Particle::speed_x, &Particle::speed_y, &Particle::life>;
  using Cold = FieldList<&Particle::colour>;
};

namespace {

constexpr float kStep = 1.0f / 64.0f, kGravity = 32.0f;

bool age(Particle& p) {
  p.speed_y += kGravity * kStep;
  p.x += p.speed_x * kStep;
  p.y += p.speed_y * kStep;
  p.life -= kStep;
  return p.life <= 0.0f;
}

u32 step_in_two_passes(DensePool<Particle>& particles) {
  particles.for_each([](Particle& p) { age(p); });
  return particles.release_if([](const Particle& p) { return p.life <= 0.0f; });
}

u32 step_in_one_pass(DensePool<Particle>& particles) {
  return particles.release_if([](Particle& p) { return age(p); });
}

u32 step_by_columns(DensePool<Particle>& particles) {
  using P = Particle;
  return particles.update_rows<&P::x, &P::y, &P::speed_x, &P::speed_y, &P::life>(
      [](u32 count, float* x, float* y, const float* speed_x, float* speed_y, float* life) {
        for (u32 i = 0; i < count; ++i) {
          speed_y[i] += kGravity * kStep;
          x[i] += speed_x[i] * kStep;
          y[i] += speed_y[i] * kStep;
          life[i] -= kStep;
        }
        return lane_mask(count, [=](u32 i) { return life[i] <= 0.0f; });
      });
}

void run(const char* name, u32 (*step)(DensePool<Particle>&)) {
  DensePool<Particle> particles(1000);
  u32 died = 0;
  for (u32 frame = 0; frame < 64; ++frame) {
    particles.acquire_n(20, [&](u32 i) {
      const float speed = static_cast<float>(i), life = 0.25f + static_cast<float>(i) / 64.0f;
      return Particle{0.0f, 0.0f, speed, -16.0f, life, 0xff8800ffu + frame};
    });
    died += step(particles);
  }
  double height = 0;
  particles.for_each([&](const Particle& p) { height += static_cast<double>(p.y); });
  std::printf("%-11s %u live, %u died, sum of y %.3f\n", name, particles.size(), died, height);
}

}  // namespace

int main() {
  run("two passes:", step_in_two_passes);
  run("one pass:", step_in_one_pass);
  run("columns:", step_by_columns);
}
