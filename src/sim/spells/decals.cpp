#include "sim/spells/decals.hpp"

#include <algorithm>

#include "core/det_math.hpp"
#include "core/fixed_step.hpp"
#include "core/rng.hpp"
#include "sim/core/shared_walk.hpp"
#include "sim/particles/particle_motion.hpp"

namespace spellpool::sim {
namespace {

constexpr float kAppear_s = 0.08f, kFade_s = 0.6f;
constexpr float kLeastRadius = 6.0f, kMostRadius = 150.0f;

}  // namespace

Decals::Decals(u64 seed, const PoolChoice& choice) : seed_(seed), pool_(choice.strategy, choice.size()) {
  (void)pool_.set_policy(choice.policy);
}

// Whatever goes through all storages is compiled here, and not in each file that knows a decal.
Decals::Decals(Decals&&) noexcept = default;
Decals::~Decals() = default;
void Decals::set_strategy(pool::StrategyId strategy) { pool_.set_strategy(strategy); }
void Decals::set_policy(pool::PolicyId policy) { (void)pool_.set_policy(policy); }
void Decals::set_capacity(u32 capacity) { (void)pool_.set_capacity(capacity); }
void Decals::trim(u32 keep_free) { pool_.trim(keep_free); }
void Decals::set_fill(bool on) { pool_.set_fill(on); }

void Decals::leave(frame::DecalKind kind, u8 spell, float x, float y, float radius) {
  const bool on_floor = length(x, y) <= kArenaRadius;  // no number is not
  if (birth_count_ >= kMostBirthsPerStep || !on_floor) return;
  if (console_ && !console_->take(ConsolePart::Mark)) return;
  Decal& decal = births_[birth_count_++];
  decal = {};
  decal.x = x;
  decal.y = y;
  decal.radius = std::clamp(radius, kLeastRadius, kMostRadius);
  decal.heat = 1.0f;
  decal.kind = static_cast<u8>(kind);
  decal.spell = spell;
}

float Decals::target_of(u64 spawn_id) const {
  const float capacity = static_cast<float>(std::clamp(pool_.capacity(), 1u, frame::kMostDecals));
  const float later = static_cast<float>(next_spawn_id_ - 1 - spawn_id);
  return clamp01((capacity - later) / (capacity * kFadingPart));
}

void Decals::step() {
  pool_.visit([&](auto& pool) {
    pool.for_each([&](auto&& decal) {
      const float target = target_of(decal.spawn_id);
      decal.shown = decal.shown < target ? std::min(target, decal.shown + kStep_s / kAppear_s)
                                         : std::max(target, decal.shown - kStep_s / kFade_s);
      decal.heat = std::max(0.0f, decal.heat - kStep_s / kCool_s);
    });
  });
}

void Decals::despawn() {
  pool_.visit(
      [](auto& pool) { pool.release_if([](const Decal& decal) { return decal.shown <= 0.0f && decal.heat < 1.0f; }); });
}

void Decals::spawn() {
  for (u32 i = 0; i < birth_count_; ++i) {
    births_[i].spawn_id = next_spawn_id_;
    if (pool_.acquire(births_[i])) ++next_spawn_id_;
  }
  birth_count_ = 0;
}

std::span<const frame::DecalInstance> Decals::show(const SpellSet& spells) {
  std::size_t count = 0;
  look_at_each(pool_, [&](HandleOf<Decal>, const Decal& decal) {
    // Spawn ids follow each other, so no more than these fit.
    if (decal.shown <= 0.0f || next_spawn_id_ - decal.spawn_id > frame::kMostDecals) return;
    Rng rng(mix64(seed_ ^ mix64(decal.spawn_id * 0x646563616cull)));
    const frame::SpellDef& def = *spells[decal.spell];
    const float glow = 1.6f * decal.heat * decal.heat;
    Entry& entry = order_[count++];
    entry.spawn_id = decal.spawn_id;
    frame::DecalInstance& shown = entry.instance;
    shown.x = decal.x;
    shown.y = decal.y;
    shown.radius = decal.radius;
    shown.shown = decal.shown;
    shown.glow_r = def.colour_r * glow;
    shown.glow_g = def.colour_g * glow;
    shown.glow_b = def.colour_b * glow;
    shown.look = static_cast<float>(decal.kind * frame::kDecalVariants + rng.below(frame::kDecalVariants));
    shown.turn = rng.unit();
  });
  std::sort(order_.begin(), order_.begin() + static_cast<std::ptrdiff_t>(count),
            [](const Entry& a, const Entry& b) { return a.spawn_id < b.spawn_id; });
  for (std::size_t i = 0; i < count; ++i) instances_[i] = order_[i].instance;
  return {instances_.data(), count};
}

void Decals::save(State& state) const {
  pool_.save(state.decals);
  state.next_spawn_id = next_spawn_id_;
}

void Decals::restore(const State& state) {
  pool_.restore(state.decals);
  birth_count_ = 0;
  next_spawn_id_ = state.next_spawn_id;
}

void Decals::add_to(StateHash& hash) const {
  add_objects(hash, pool_, [](StateHash& h, const Decal& d) {
    h.add(d.spawn_id, d.x, d.y, d.radius, d.shown, d.heat, d.kind, d.spell);
  });
  hash.add(next_spawn_id_);
}

}  // namespace spellpool::sim
