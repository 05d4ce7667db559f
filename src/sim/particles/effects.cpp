#include "sim/particles/effects.hpp"

#include <algorithm>

#include "core/det_math.hpp"
#include "core/fixed_step.hpp"

namespace spellpool::sim {
namespace {

constexpr std::size_t kMostRequests = 1024, kMostAttractors = 16, kMostSounds = 64;
constexpr float kTraumaFade_per_s = 2.5f;  // all of it in 0.4 s
constexpr float kMostPerRequest = static_cast<float>(ParticleSystem::kMostBirthsPerStep);

constexpr bool multiplies(u32 row) {
  return row != arena_row(ArenaEmitter::Dust) && row != arena_row(ArenaEmitter::Ambient);
}

}  // namespace

Effects::Effects(u64 seed) : fading_{.vary = Rng(mix64(seed ^ 0x6c6f6f6b73ull))} {
  for (auto& roles : roles_) roles.fill(-1);
  requests_.reserve(kMostRequests);
  attractors_.reserve(kMostAttractors);
  sounds_.reserve(kMostSounds);
}

void Effects::begin_step(u64 step) {
  step_ = step;
  requests_.clear();
  attractors_.clear();
  sounds_.clear();
}

void Effects::set_roles(u32 spell, const frame::SpellDef& def) {
  const u32 count = std::min(static_cast<u32>(def.emitters.size()), kStylesPerSpell);
  for (std::size_t role = 0; role < frame::kEmitterRoleNames.size(); ++role) {
    roles_[spell][role] = -1;
    for (u32 i = 0; i < count; ++i) {
      if (def.emitters[i].name == frame::kEmitterRoleNames[role]) {
        roles_[spell][role] = static_cast<i32>(first_style_of(spell) + i);
        break;
      }
    }
  }
}

void Effects::burst(u8 spell, frame::EmitterRole role, const EmitPlace& place, float share) {
  const i32 row = roles_[spell][static_cast<std::size_t>(role)];
  if (row >= 0) burst_row(static_cast<u32>(row), place, share);
}
void Effects::burst(ArenaEmitter which, const EmitPlace& place, float share) {
  burst_row(arena_row(which), place, share);
}

void Effects::run(u8 spell, frame::EmitterRole role, float& carry, const EmitPlace& place, float share) {
  const i32 row = roles_[spell][static_cast<std::size_t>(role)];
  if (row >= 0) run_row(static_cast<u32>(row), carry, place, share);
}
void Effects::run(ArenaEmitter which, float& carry, const EmitPlace& place, float share) {
  run_row(arena_row(which), carry, place, share);
}

void Effects::burst_row(u32 row, const EmitPlace& place, float share) {
  const float due = static_cast<float>(particles_->style(row).def.burst) * share + 0.5f;
  const bool of_spell = !is_arena_style(row);
  if (due < 1.0f || (of_spell && console_ && !console_->take(ConsolePart::Sparks, static_cast<u32>(due)))) return;
  ask(row, due, place);
}

void Effects::run_row(u32 row, float& carry, const EmitPlace& place, float share) {
  const frame::EmitterDef& def = particles_->style(row).def;
  const bool starts = carry < 0.0f;
  if (starts) carry = 0.0f;
  carry +=
      (def.rate_per_s * kStep_s + def.per_unit * length(place.to_x - place.from_x, place.to_y - place.from_y)) * share;
  carry = std::min(carry, kMostPerRequest);
  const float due = static_cast<float>(static_cast<u32>(carry));
  carry -= due;
  const bool prewarms = starts && def.prewarm_s > 0.0f;
  const bool pulls = def.pull != 0.0f || def.turn != 0.0f;  // what lives is drawn to where the emitter is now
  if (due < 1.0f && !prewarms && !pulls) return;
  if (EmitRequest* request = ask(row, due, place)) {
    request->spread_in_time = true;
    if (prewarms) {
      request->prewarm_s = def.prewarm_s;
      request->share = multiplies(row) ? share * times_ : share;
    }
  }
}

EmitRequest* Effects::ask(u32 row, float count, const EmitPlace& place) {
  if (requests_.size() >= kMostRequests) return nullptr;
  if (multiplies(row)) count *= times_;
  EmitRequest request;
  request.style = row;
  request.count = static_cast<u32>(std::min(count, kMostPerRequest));
  request.from_x = place.from_x;
  request.from_y = place.from_y;
  request.to_x = place.to_x;
  request.to_y = place.to_y;
  request.direction_turns = place.direction_turns;
  request.vx = place.vx;
  request.vy = place.vy;
  requests_.push_back(request);
  return &requests_.back();
}

void Effects::attract(const Attractor& attractor) {
  if (attractors_.size() < kMostAttractors) attractors_.push_back(attractor);
}

void Effects::sound(frame::SoundId id, float gain, float x, float y, float pitch_steps, float vary_steps) {
  if (sounds_.size() >= kMostSounds) return;
  // ±1.5 dB, so that repeats do not sound stamped.
  const float level = 1.0f + fading_.vary.signed_unit() * 0.17f;
  const float pitch = pitch_steps + fading_.vary.signed_unit() * vary_steps;
  sounds_.push_back({step_, id, gain * level, x, y, pitch});
}

void Effects::flash(float x, float y, float radius, float r, float g, float b, float life_s) {
  fading_.flashes[fading_.next_flash] = {x, y, radius, r, g, b, life_s, 0.0f};
  fading_.next_flash = (fading_.next_flash + 1) % static_cast<u32>(fading_.flashes.size());
}

void Effects::flash(float x, float y, float radius, const frame::SpellDef& spell, float intensity, float life_s) {
  if (console_ && !console_->take(ConsolePart::Ring)) return;
  flash(x, y, radius, spell.colour_r * intensity, spell.colour_g * intensity, spell.colour_b * intensity, life_s);
}

void Effects::shake(float trauma) { fading_.trauma = std::min(1.0f, fading_.trauma + std::max(0.0f, trauma)); }

void Effects::number(float x, float y, float damage, float r, float g, float b) {
  constexpr float kMerge = 30.0f, kMerge_s = 0.15f;
  for (Number& number : fading_.numbers) {
    const float dx = number.x - x, dy = number.y - y;
    if (number.age_s >= kMerge_s || dx * dx + dy * dy > kMerge * kMerge) continue;
    number.damage += damage;
    return;
  }
  fading_.numbers[fading_.next_number] = {x, y, damage, r, g, b, 0.0f};
  fading_.next_number = (fading_.next_number + 1) % static_cast<u32>(kMostNumbers);
}

std::size_t Effects::show_numbers(std::span<frame::HitNumber> into) const {
  std::size_t count = 0;
  for (std::size_t i = 0; i < kMostNumbers && count < into.size(); ++i) {
    const Number& number = fading_.numbers[(fading_.next_number + i) % kMostNumbers];
    const u32 value = static_cast<u32>(std::clamp(number.damage * kNumberUnit + 0.5f, 0.0f, 1e6f));
    if (number.age_s >= kNumber_s || value == 0) continue;
    into[count++] = {number.x, number.y, value, number.age_s / kNumber_s, number.r, number.g, number.b};
  }
  return count;
}

void Effects::end_step() {
  for (Number& number : fading_.numbers) number.age_s += kStep_s;
  for (Flash& flash : fading_.flashes) flash.age_s += kStep_s;
  fading_.trauma = std::max(0.0f, fading_.trauma - kTraumaFade_per_s * kStep_s);
}

Shake Effects::shaken(u64 step) const {
  const float power = fading_.trauma * fading_.trauma * kMostShake;
  Rng rng(mix64(step ^ 0x7368616b65ull));
  Shake shake;
  shake.x = rng.signed_unit() * power;
  shake.y = rng.signed_unit() * power;
  return shake;
}

}  // namespace spellpool::sim
