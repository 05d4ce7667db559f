// The strategies as the game runs them: its own ParticleSystem, particle and motion, compiled as the game is (no AVX2).
// A step in steady state: all move, 1.5 % die, as many are born. ns per live particle.
#include "core/det_math.hpp"
#include "pools_measure.hpp"
#include "sim/particles/particle_system.hpp"

namespace spellpool::bench {
namespace {

/// An emitter of which 1.5 % die in a step, at any age: so slots are given back in an order that has nothing to do with
/// births.
frame::EmitterDef fountain(u32 live) {
  constexpr float kShortest_s = 0.1f, kLongest_s = 2.122f;
  frame::EmitterDef def;
  def.name = "fountain";
  def.shape = frame::EmitShape::Disc;
  def.radius = 8.0f;
  def.life_s = {kShortest_s, kLongest_s};
  def.rate_per_s = static_cast<float>(live) * 2 / (kShortest_s + kLongest_s);
  def.speed = {60.0f, 180.0f};
  def.gravity_y = 120.0f;
  def.drag_per_s = 1.5f;
  def.size = {8.0f, 8.0f};
  return def;
}

class StrategySide : public Side {
 public:
  StrategySide(const pool::StrategyRow& row, u32 live)
      : Side(std::string(row.name), Kind::Strategy),
        live_(live),
        system_(1, row.id, pool::PolicyId::Reject, live + live / 8) {
    system_.set_style(0, sim::bake_style(fountain(live)));
    // Emits at the emitter's rate for longer than a particle lives. The particles then have all ages, and do
    // not all die in one step.
    const double births_per_step = static_cast<double>(system_.style(0).def.rate_per_s * kStep_s);
    u64 born = 0;
    for (u32 i = 1; i <= 2 * kLongestLife_steps; ++i) {
      const u64 until_now = static_cast<u64>(births_per_step * i);
      step(static_cast<u32>(until_now - born));
      born = until_now;
    }
  }
  void work(u32 steps) override {
    for (u32 i = 0; i < steps; ++i) step(kRefill);
  }
  u64 checksum() override { return system_.hash(); }
  u32 live() const { return system_.stats().live; }

 private:
  static constexpr u32 kLongestLife_steps = 128;
  static constexpr u32 kRefill = ~0u;  ///< As many as died.

  void step(u32 births) {
    const FloatControlScope float_control;
    system_.update(step_++, {});
    system_.despawn();
    sim::EmitRequest request;
    request.spread_in_time = true;
    request.count = births != kRefill ? births : live_ > live() ? live_ - live() : 0;
    system_.spawn({&request, 1});
  }

  u32 live_;
  sim::ParticleSystem system_;
  u64 step_ = 0;
};

void table(Report& report, u32 live) {
  Sides sides;
  for (const pool::StrategyRow& row : pool::kStrategies) {
    if (!row.slow || live <= 5'000) sides.push_back(std::make_unique<StrategySide>(row, live));
  }
  Shape shape;
  shape.warm = 132;
  shape.lead_in = 66;
  shape.timed = live <= 20'000 ? 60'000 / live : 4;
  shape.rounds = std::max(15u, live <= 20'000 ? pools_options.rounds : pools_options.rounds / 2);
  measure(sides, shape);
  const std::string title =
      "The game's step with each strategy: all move, 1.5 % die, as many are born. ns per live particle";
  check_equal(title, sides);
  const u32 lives = static_cast<const StrategySide&>(*sides.front()).live();
  if (lives != live) stop(3, text("%s: %u live instead of %u", title.c_str(), lives, live));
  const std::string size = text("%u", live);
  report.add(title, size, sides, live);
  const double heap_ns = find(sides, "heap")->least_ns;
  for (const auto& side : sides)
    report.add("The game's step with each strategy: heap's time ÷ its own", size, *side, heap_ns / side->least_ns);
}

}  // namespace

void strategy_tables(Report& report) {
  for (const u32 live : {1'000u, 5'000u, 50'000u}) in_child(report, [live](Report& r) { table(r, live); });
}

}  // namespace spellpool::bench
