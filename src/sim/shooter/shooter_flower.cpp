#include "sim/shooter/shooter_flower.hpp"

#include <algorithm>

#include "core/det_math.hpp"
#include "core/fixed_step.hpp"
#include "core/rng.hpp"
#include "frame/defs/stage_def.hpp"

namespace spellpool::sim {
namespace {

struct Flower {
  float x, y;
  float speed;                  ///< Units a step, of a petal's middle.
  float petals;
  float turn;                   ///< Turns a step: its petals go round.
  u32 row;                      ///< First of its two colours.
};
constexpr float kSpeed = 66.0f * kStep_s;
constexpr std::array kFlowers = {
    Flower{0.0f, 60.0f, 1.1f * kSpeed, 8.0f, 0.0009f, 0},
    Flower{-165.0f, -165.0f, kSpeed, 5.0f, -0.0013f, 2},
    Flower{165.0f, -165.0f, kSpeed, 5.0f, 0.0013f, 4},
};
constexpr float kPetalDepth = 0.24f;           ///< ± of the speed.
constexpr u64 kRing_steps = 40;                ///< A flower changes its colour so often.
constexpr float kUnit24 = 1.0f / 16'777'216.0f;

frame::PatternBook book() {
  struct Looks {
    float r, g, b, size;
  };
  constexpr Looks kLooks[] = {{1.0f, 0.16f, 0.34f, 12.0f}, {1.0f, 0.62f, 0.16f, 10.0f}, {0.10f, 0.62f, 1.0f, 10.0f},
                              {0.10f, 0.95f, 0.80f, 9.0f}, {0.55f, 0.20f, 1.0f, 10.0f}, {1.0f, 0.25f, 0.85f, 9.0f}};
  frame::PatternDef pattern;
  pattern.name = "flower";
  for (const Looks& looks : kLooks) {
    frame::ShotDef shot;
    shot.r = looks.r;
    shot.g = looks.g;
    shot.b = looks.b;
    shot.size = looks.size;
    shot.hit_size = 4.0f;
    for (auto& list : pattern.shots) list.push_back(shot);
  }
  return {pattern};
}

/// How far it is from `at` to the bullets' edge, along one axis.
float way_out(float at, float along, float half) {
  if (along > 0.0001f) return (half - at) / along;
  return along < -0.0001f ? (-half - at) / along : 1e6f;
}

}  // namespace

BulletFlower::BulletFlower() : table_(book(), frame::Difficulty::Normal) {}

void BulletFlower::thin(Bullets& bullets, u64 step) const {
  const u32 live = bullets.objects().live();
  if (live <= wanted_) return;
  constexpr u64 kWhole = 1u << 20, kMost = kWhole / (kFill_steps / 2);
  const u64 share = std::min<u64>(kMost, u64{live - wanted_} * kWhole / live + 1);
  bullets.objects().change_each([&](Bullet& b) {
    if ((mix64(b.spawn_id ^ step << 40) & (kWhole - 1)) < share) b.gone = true;
  });
}

void BulletFlower::open(Bullets& bullets, u32 left, u64 step) {
  const u32 live = bullets.objects().live();
  if (live >= wanted_) return;
  const u32 lacking = wanted_ - live, new_ones = std::min(lacking, left),
            more = std::min(lacking - new_ones, wanted_ / kFill_steps + 1);
  for (u32 i = 0; i < new_ones; ++i) begin(bullets, step, false);
  for (u32 i = 0; i < more; ++i) begin(bullets, step, true);
}

void BulletFlower::begin(Bullets& bullets, u64 step, bool anywhere) {
  const u64 number = next_++;
  const Flower& flower = kFlowers[number % kFlowers.size()];
  // By the golden angle no two of a flower lie on one another, however many there are.
  const float heading = static_cast<float>((number / kFlowers.size() * 0x9e3779b97f4a7c15ull) >> 40) * kUnit24;
  const float along_x = cos_turns(heading), along_y = sin_turns(heading);
  const auto speed_at = [&](u64 birth) {
    return flower.speed * (1.0f + kPetalDepth * sin_turns(flower.petals * heading +
                                                          flower.turn * static_cast<float>(birth % 1'000'000u)));
  };
  u64 birth = step;
  float x = flower.x, y = flower.y;
  if (anywhere) {
    constexpr float kHalfWidth = frame::kFieldHalfWidth + Bullets::kMargin,
                    kHalfHeight = frame::kFieldHalfHeight + Bullets::kMargin;
    const float way = std::min(way_out(x, along_x, kHalfWidth), way_out(y, along_y, kHalfHeight));
    const float age = way / flower.speed * (static_cast<float>(mix64(number) >> 40) * kUnit24);
    birth = step - std::min(step, static_cast<u64>(age));
    const float flown = age * speed_at(birth);
    x += along_x * flown;
    y += along_y * flown;
  }
  bullets.put(flower.row + static_cast<u32>(birth / kRing_steps % 2), x, y, heading, speed_at(birth),
              number % kFlowers.size());
}

}  // namespace spellpool::sim
