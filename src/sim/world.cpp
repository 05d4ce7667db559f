#include "sim/world.hpp"

#include <algorithm>

#include "core/det_math.hpp"
#include "core/state_hash.hpp"

namespace spellpool::sim {
namespace {

using frame::EmitterDef;
using frame::Phase;
using frame::SoundId;
using frame::SpellBehaviour;
using frame::SpellDef;

constexpr float kArenaRadius = 300.0f;   ///< The engraved ring; bolts fly a little farther.
constexpr float kMageReach = 262.0f;
constexpr float kMageSpeed = 230.0f;
constexpr float kComboWindow_s = 3.5f;
constexpr std::size_t kMostRequests = 1024;
constexpr std::size_t kMostSounds = 64;
constexpr float kTargetRadius = 20.0f;

struct Place {
  Target::Kind kind;
  float x, y;
};
// Dummies in front, crystals at the rim; the mage starts a little below the middle.
constexpr Place kPlaces[] = {
    {Target::Kind::Dummy, -172.0f, -78.0f}, {Target::Kind::Dummy, 0.0f, -190.0f},  {Target::Kind::Dummy, 172.0f, -78.0f},
    {Target::Kind::Dummy, -150.0f, 148.0f}, {Target::Kind::Dummy, 150.0f, 148.0f}, {Target::Kind::Crystal, -240.0f, 32.0f},
    {Target::Kind::Crystal, -108.0f, -206.0f}, {Target::Kind::Crystal, 108.0f, -206.0f}, {Target::Kind::Crystal, 240.0f, 32.0f},
};

float approach(float value, float goal, float share) { return value + (goal - value) * share; }
float fade(float value, float per_s) { return std::max(0.0f, value - per_s * kStep_s); }

/// Squared distance from (px, py) to the segment a–b.
float segment_distance2(float px, float py, float ax, float ay, float bx, float by) {
  const float dx = bx - ax, dy = by - ay;
  const float length2 = dx * dx + dy * dy;
  const float t = length2 > 0.0f ? clamp01(((px - ax) * dx + (py - ay) * dy) / length2) : 0.0f;
  const float ex = px - (ax + dx * t), ey = py - (ay + dy * t);
  return ex * ex + ey * ey;
}

}  // namespace

World::World(const WorldConfig& config)
    : config_(config), looks_(mix64(config.seed ^ 0x6c6f6f6b73ull)),
      particles_(config.seed, config.strategy, config.policy, config.capacity) {
  for (u32 i = 0; i < frame::kSpellCount; ++i) bake_spell(i);
  const PresetRow& preset = kPresets[static_cast<std::size_t>(config.preset)];
  for (u32 i = 0; i < kArenaEmitterCount; ++i) {
    particles_.set_style(kArenaStyles + i, bake_style(arena_emitter(static_cast<ArenaEmitter>(i), preset)));
  }
  for (const Place& place : kPlaces) {
    Target target;
    target.kind = place.kind;
    target.x = place.x;
    target.y = place.y;
    targets_.push_back(target);
  }
  twinkle_carry_.resize(targets_.size());
  requests_.reserve(kMostRequests);
  attractors_.reserve(vortices_.size());
  audio_events_.reserve(kMostSounds);
  sprites_.reserve(160);
  lights_.reserve(128);
}

void World::bake_spell(u32 index) {
  const SpellDef& def = spell(static_cast<u8>(index));
  const u32 first = index * kStylesPerSpell;
  const u32 count = std::min(static_cast<u32>(def.emitters.size()), kStylesPerSpell);
  auto row_of = [&](std::string_view name) -> i32 {
    for (u32 i = 0; i < count; ++i) {
      if (def.emitters[i].name == name) return static_cast<i32>(first + i);
    }
    return -1;
  };
  for (u32 i = 0; i < count; ++i) {
    ParticleStyle style = bake_style(def.emitters[i]);
    if (!def.emitters[i].on_death.empty()) style.on_death = row_of(def.emitters[i].on_death);
    particles_.set_style(first + i, style);
  }
  for (std::size_t role = 0; role < kEmitterRoleNames.size(); ++role) roles_[index][role] = row_of(kEmitterRoleNames[role]);
}

void World::apply(const frame::SimCommand& command) {
  switch (command.kind) {
    case frame::SimCommandKind::SetStrategy: particles_.set_strategy(static_cast<pool::StrategyId>(command.choice)); break;
    case frame::SimCommandKind::SetPolicy: particles_.set_policy(static_cast<pool::PolicyId>(command.choice)); break;
    case frame::SimCommandKind::SetCapacity: particles_.set_capacity(command.capacity); break;
    case frame::SimCommandKind::SetSpell:
      config_.spells[command.spell] = command.definition;
      bake_spell(command.spell);
      break;
  }
}

void World::step(const frame::InputFrame& input, std::span<const frame::SimCommand> commands, frame::PhaseSink* phases) {
  const FloatControlScope float_control;
  auto enter = [&](Phase phase) {
    if (phases) phases->enter(phase);
  };
  enter(Phase::Update);
  requests_.clear();
  attractors_.clear();
  audio_events_.clear();
  for (const frame::SimCommand& command : commands) apply(command);
  move_mage(input);
  move_spells();
  settle_targets();
  particles_.update(step_, attractors_);
  enter(Phase::Collide);
  collide();
  enter(Phase::Despawn);
  particles_.despawn();
  enter(Phase::Spawn);
  particles_.spawn(requests_);
  look_after();
  ++step_;
  if (phases) phases->leave();
}

// ---------------------------------------------------------------------------------------------------- the player

void World::staff_tip(float& x, float& y) const {
  x = mage_.x + cos_turns(mage_.facing) * 20.0f;
  y = mage_.y + sin_turns(mage_.facing) * 12.0f - 26.0f;
}

float World::cooldown() const {
  const float whole = spell(mage_.spell).cooldown_s;
  return whole > 0.0f ? clamp01(mage_.cooldown_s / whole) : 0.0f;
}

void World::move_mage(const frame::InputFrame& input) {
  Mage& m = mage_;
  m.previous_x = m.x;
  m.previous_y = m.y;
  m.aim_x = static_cast<float>(input.aim_x16) / frame::kAimScale;
  m.aim_y = static_cast<float>(input.aim_y16) / frame::kAimScale;

  float move_x = static_cast<float>(input.move_x) / 127.0f;
  float move_y = static_cast<float>(input.move_y) / 127.0f;
  const float pace = length(move_x, move_y);
  if (pace > 1.0f) {
    move_x /= pace;
    move_y /= pace;
  }
  m.x += move_x * kMageSpeed * kStep_s;
  m.y += move_y * kMageSpeed * kStep_s;
  const float out = length(m.x, m.y);
  if (out > kMageReach) {
    m.x *= kMageReach / out;
    m.y *= kMageReach / out;
  }
  if (pace > 0.1f) m.walk += 1.9f * kStep_s;
  if (m.walk >= 1.0f) m.walk -= 1.0f;
  m.facing = atan2_turns(m.aim_y - m.y, m.aim_x - m.x);

  if (input.select_spell < frame::kSpellCount && input.select_spell != m.spell) {
    m.spell = input.select_spell;
    sound(SoundId::SpellSelect, 0.4f, m.x, m.y, 0.0f);
  }
  m.cooldown_s = fade(m.cooldown_s, 1.0f);
  m.follow = fade(m.follow, 2.2f);
  if ((input.buttons & frame::kButtonCast) != 0 && m.windup_s < 0.0f && m.cooldown_s <= 0.0f) {
    m.casting = m.spell;
    m.windup_s = spell(m.casting).windup_s;
    m.cooldown_s = spell(m.casting).cooldown_s;
    float x, y;
    staff_tip(x, y);
    burst(m.casting, EmitterRole::Gather, x, y, m.facing);
  }
  if (m.windup_s >= 0.0f) {
    float x, y;
    staff_tip(x, y);
    run(m.casting, EmitterRole::Gather, m.gather_carry, x, y, x, y, m.facing);
    m.windup_s -= kStep_s;
    if (m.windup_s < 0.0f) release_spell();
  }
}

void World::release_spell() {
  Mage& m = mage_;
  m.windup_s = -1.0f;
  m.follow = 1.0f;
  const SpellDef& def = spell(m.casting);
  float x, y;
  staff_tip(x, y);
  const float direction = atan2_turns(m.aim_y - y, m.aim_x - x);
  burst(m.casting, EmitterRole::Cast, x, y, direction);
  flash(x, y, 130.0f, def, 0.5f * def.light, 0.25f);
  sound(def.sound_cast, 0.8f, x, y, looks_.signed_unit() * 0.5f);

  switch (def.behaviour) {
    case SpellBehaviour::Bolt:
      for (Bolt& bolt : bolts_) {
        if (bolt.alive) continue;
        bolt = Bolt{};
        bolt.alive = true;
        bolt.spell = m.casting;
        bolt.x = bolt.previous_x = x;
        bolt.y = bolt.previous_y = y;
        bolt.vx = cos_turns(direction) * def.speed;
        bolt.vy = sin_turns(direction) * def.speed;
        break;
      }
      break;
    case SpellBehaviour::Nova:
      for (Nova& nova : novas_) {
        if (nova.alive) continue;
        nova = Nova{};
        nova.alive = true;
        nova.spell = m.casting;
        nova.x = m.x;
        nova.y = m.y;
        for (const EmitterRole role : {EmitterRole::Burst, EmitterRole::Mist, EmitterRole::Shards}) {
          burst(m.casting, role, m.x, m.y, 0.0f);  // six-fold like the ring, corner on corner
        }
        camera_.trauma = std::min(1.0f, camera_.trauma + def.shake);
        flash(m.x, m.y, def.radius * 1.5f, def, def.light, def.duration_s * 1.4f);
        break;
      }
      break;
    case SpellBehaviour::Vortex: {
      Vortex* place = &vortices_[0];
      for (Vortex& vortex : vortices_) {
        if (!vortex.alive) {
          place = &vortex;
          break;
        }
        if (vortex.age_s > place->age_s) place = &vortex;  // all four spin: the oldest gives way
      }
      *place = Vortex{};
      place->alive = true;
      place->spell = m.casting;
      float tx = m.aim_x, ty = m.aim_y;
      const float out = length(tx, ty);
      if (out > kArenaRadius) {
        tx *= kArenaRadius / out;
        ty *= kArenaRadius / out;
      }
      place->x = tx;
      place->y = ty;
      burst(m.casting, EmitterRole::Burst, tx, ty, 0.0f);
      break;
    }
  }
}

// ---------------------------------------------------------------------------------------------------- the spells

void World::move_spells() {
  for (Bolt& bolt : bolts_) {
    if (!bolt.alive) continue;
    const SpellDef& def = spell(bolt.spell);
    bolt.previous_x = bolt.x;
    bolt.previous_y = bolt.y;
    bolt.x += bolt.vx * kStep_s;
    bolt.y += bolt.vy * kStep_s;
    bolt.age_s += kStep_s;
    const float direction = atan2_turns(bolt.vy, bolt.vx);
    run(bolt.spell, EmitterRole::Trail, bolt.carry, bolt.previous_x, bolt.previous_y, bolt.x, bolt.y, direction + 0.5f, bolt.vx, bolt.vy);
    run(bolt.spell, EmitterRole::Smoke, bolt.smoke_carry, bolt.previous_x, bolt.previous_y, bolt.x, bolt.y, direction + 0.5f, bolt.vx,
        bolt.vy);
    if (bolt.age_s >= def.duration_s || length(bolt.x, bolt.y) > kArenaRadius * 1.35f) burst_bolt(bolt);
  }
  for (Nova& nova : novas_) {
    if (!nova.alive) continue;
    nova.age_s += kStep_s;
    if (nova.age_s > spell(nova.spell).duration_s * 1.6f) nova.alive = false;
  }
  for (Vortex& vortex : vortices_) {
    if (!vortex.alive) continue;
    const SpellDef& def = spell(vortex.spell);
    vortex.age_s += kStep_s;
    const float open = clamp01(vortex.age_s * 3.0f) * clamp01((def.duration_s - vortex.age_s) * 4.0f);
    vortex.spin += (0.35f + 0.5f * open) * kStep_s;
    if (vortex.spin >= 1.0f) vortex.spin -= 1.0f;
    run(vortex.spell, EmitterRole::Spiral, vortex.carry, vortex.x, vortex.y, vortex.x, vortex.y, vortex.spin);
    run(vortex.spell, EmitterRole::Core, vortex.core_carry, vortex.x, vortex.y, vortex.x, vortex.y, vortex.spin);
    attractors_.push_back({vortex.x, vortex.y, def.radius, def.pull * open, def.pull * 0.45f * open});
    if (vortex.age_s >= def.duration_s) {
      vortex.alive = false;
      burst(vortex.spell, EmitterRole::Close, vortex.x, vortex.y, vortex.spin);
      flash(vortex.x, vortex.y, def.radius * 1.3f, def, def.light * 1.4f, 0.5f);
      sound(def.sound_hit, 0.9f, vortex.x, vortex.y, 0.0f);
      camera_.trauma = std::min(1.0f, camera_.trauma + def.shake);
    }
  }
}

void World::burst_bolt(Bolt& bolt) {
  const SpellDef& def = spell(bolt.spell);
  const float direction = atan2_turns(bolt.vy, bolt.vx);
  bolt.alive = false;
  burst(bolt.spell, EmitterRole::Burst, bolt.x, bolt.y, direction, bolt.vx, bolt.vy);
  burst(bolt.spell, EmitterRole::Embers, bolt.x, bolt.y, direction, bolt.vx, bolt.vy);
  burst(bolt.spell, EmitterRole::Smoke, bolt.x, bolt.y, direction, bolt.vx, bolt.vy);
  flash(bolt.x, bolt.y, 240.0f, def, def.light, 0.45f);
  sound(def.sound_hit, 0.9f, bolt.x, bolt.y, looks_.signed_unit());
  camera_.trauma = std::min(1.0f, camera_.trauma + def.shake);
}

void World::collide() {
  for (Bolt& bolt : bolts_) {
    if (!bolt.alive) continue;
    const SpellDef& def = spell(bolt.spell);
    const float reach = def.radius + kTargetRadius;
    for (u32 i = 0; i < targets_.size(); ++i) {
      const Target& target = targets_[i];
      if (target.growth < 0.6f) continue;
      if (segment_distance2(target.x, target.y - 14.0f, bolt.previous_x, bolt.previous_y, bolt.x, bolt.y) > reach * reach) continue;
      hit(i, def, bolt.previous_x, bolt.previous_y, def.power);
      burst_bolt(bolt);
      break;
    }
  }
  for (Nova& nova : novas_) {
    if (!nova.alive) continue;
    const SpellDef& def = spell(nova.spell);
    const float t = clamp01(nova.age_s / def.duration_s);
    const float ring = def.radius * (1.0f - (1.0f - t) * (1.0f - t));
    for (u32 i = 0; i < targets_.size(); ++i) {
      if ((nova.hit_mask >> i & 1u) != 0 || targets_[i].growth < 0.6f) continue;
      if (length(targets_[i].x - nova.x, targets_[i].y - nova.y) > ring) continue;
      nova.hit_mask |= 1u << i;
      hit(i, def, nova.x, nova.y, def.power);
      targets_[i].frost = 1.0f;
      sound(def.sound_hit, 0.5f, targets_[i].x, targets_[i].y, looks_.signed_unit() * 2.0f);
    }
  }
  for (Vortex& vortex : vortices_) {
    if (!vortex.alive) continue;
    const SpellDef& def = spell(vortex.spell);
    const bool beat = vortex.age_s >= vortex.next_hit_s;
    if (beat) vortex.next_hit_s += 0.4f;
    for (u32 i = 0; i < targets_.size(); ++i) {
      Target& target = targets_[i];
      const float dx = vortex.x - target.x;
      const float d = length(dx, vortex.y - target.y);
      if (d > def.radius || target.growth < 0.6f) continue;
      target.sway_speed += (dx > 0.0f ? 4.0f : -4.0f) * (1.0f - d / def.radius) * kStep_s * 6.0f;
      if (beat) hit(i, def, target.x - dx, target.y, def.power * 0.4f);
    }
  }
}

void World::hit(u32 index, const SpellDef& def, float from_x, float from_y, float power) {
  Target& target = targets_[index];
  const float away = atan2_turns(target.y - from_y, target.x - from_x);
  target.flash = 1.0f;
  ++combo_;
  combo_left_s_ = kComboWindow_s;
  const float knock = cos_turns(away);
  if (target.kind == Target::Kind::Dummy) {
    target.sway_speed += knock * (2.0f + 3.0f * power);
    burst_row(arena_row(ArenaEmitter::Straw), target.x, target.y - 18.0f, away, 0, 0);
    burst_row(arena_row(ArenaEmitter::Chaff), target.x, target.y - 10.0f, away, 0, 0);
    sound(SoundId::DummyHit, 0.6f, target.x, target.y, looks_.signed_unit() * 0.5f);
    return;
  }
  target.health -= power;
  burst_row(arena_row(ArenaEmitter::CrystalSpark), target.x, target.y - 18.0f, away, 0, 0);
  if (target.health > 0.0f) {
    sound(SoundId::CrystalChime, 0.7f, target.x, target.y, static_cast<float>(5 - static_cast<i32>(target.health)));
    return;
  }
  target.health = 5.0f;
  target.growth = 0.0f;
  burst_row(arena_row(ArenaEmitter::CrystalShard), target.x, target.y - 18.0f, away, 0, 0);
  sound(SoundId::CrystalShatter, 1.0f, target.x, target.y, looks_.signed_unit() * 0.5f);
  flash(target.x, target.y, 280.0f, def, 1.2f, 0.6f);
  camera_.trauma = std::min(1.0f, camera_.trauma + 0.35f);
}

void World::settle_targets() {
  for (u32 i = 0; i < targets_.size(); ++i) {
    Target& target = targets_[i];
    target.flash = fade(target.flash, 3.5f);
    target.frost = fade(target.frost, 0.4f);
    target.sway_speed += (-target.sway * 60.0f - target.sway_speed * 3.2f) * kStep_s;
    target.sway = std::clamp(target.sway + target.sway_speed * kStep_s, -1.0f, 1.0f);
    if (target.kind == Target::Kind::Crystal) {
      target.growth = std::min(1.0f, target.growth + kStep_s / 3.0f);
      if (target.growth >= 1.0f) {
        run_row(arena_row(ArenaEmitter::Twinkle), twinkle_carry_[i], target.x, target.y - 20.0f, target.x, target.y - 20.0f, 0, 0, 0);
      }
    }
  }
  run_row(arena_row(ArenaEmitter::Dust), dust_carry_, 0, 0, 0, 0, 0, 0, 0);
  const PresetRow& preset = kPresets[static_cast<std::size_t>(config_.preset)];
  if (preset.ambient > 0) run_row(arena_row(ArenaEmitter::Ambient), ambient_carry_, 0, 0, 0, 0, 0, 0, 0);
  combo_left_s_ = fade(combo_left_s_, 1.0f);
  if (combo_left_s_ <= 0.0f) combo_ = 0;
}

// ---------------------------------------------------------------------------------------------------- emitters

void World::burst_row(u32 row, float x, float y, float direction, float vx, float vy) {
  const EmitterDef& def = particles_.style(row).def;
  if (def.burst == 0 || requests_.size() >= kMostRequests) return;
  requests_.push_back({row, def.burst, x, y, x, y, direction, vx, vy, false});
}

void World::run_row(u32 row, float& carry, float from_x, float from_y, float to_x, float to_y, float direction, float vx, float vy) {
  const EmitterDef& def = particles_.style(row).def;
  carry += def.rate_per_s * kStep_s + def.per_unit * length(to_x - from_x, to_y - from_y);
  const u32 due = static_cast<u32>(carry);
  if (due == 0) return;
  carry -= static_cast<float>(due);
  if (requests_.size() >= kMostRequests) return;
  requests_.push_back({row, due, from_x, from_y, to_x, to_y, direction, vx, vy, true});
}

void World::burst(u8 index, EmitterRole role, float x, float y, float direction, float vx, float vy) {
  const i32 row = roles_[index][static_cast<std::size_t>(role)];
  if (row >= 0) burst_row(static_cast<u32>(row), x, y, direction, vx, vy);
}

void World::run(u8 index, EmitterRole role, float& carry, float from_x, float from_y, float to_x, float to_y, float direction, float vx,
                float vy) {
  const i32 row = roles_[index][static_cast<std::size_t>(role)];
  if (row >= 0) run_row(static_cast<u32>(row), carry, from_x, from_y, to_x, to_y, direction, vx, vy);
}

// ---------------------------------------------------------------------------------------------------- looks and sound

void World::sound(SoundId id, float gain, float x, float y, float pitch_steps) {
  if (audio_events_.size() >= kMostSounds) return;
  // ±1.5 dB, so that repeats do not sound stamped.
  const float level = 1.0f + looks_.signed_unit() * 0.17f;
  audio_events_.push_back({step_, id, gain * level, x, y, pitch_steps});
}

void World::flash(float x, float y, float radius, const SpellDef& def, float intensity, float life_s) {
  flashes_[next_flash_] = {x, y, radius, def.colour_r * intensity, def.colour_g * intensity, def.colour_b * intensity, life_s, 0.0f};
  next_flash_ = (next_flash_ + 1) % static_cast<u32>(flashes_.size());
}

void World::look_after() {
  for (Flash& flash : flashes_) flash.age_s += kStep_s;
  runes_lit_ = approach(runes_lit_, std::min(12.0f, static_cast<float>(combo_) / 2.0f), combo_ > 0 ? 0.12f : 0.02f);
  camera_.previous_x = camera_.x;
  camera_.previous_y = camera_.y;
  camera_.x = approach(camera_.x, std::clamp(mage_.x * 0.10f + mage_.aim_x * 0.05f, -40.0f, 40.0f), 0.05f);
  camera_.y = approach(camera_.y, std::clamp(mage_.y * 0.10f + mage_.aim_y * 0.05f, -30.0f, 30.0f), 0.05f);
  camera_.trauma = fade(camera_.trauma, 2.5f);
  const float power = camera_.trauma * camera_.trauma * 6.0f;
  Rng rng(mix64(step_ ^ 0x7368616b65ull));
  camera_.shake_x = rng.signed_unit() * power;
  camera_.shake_y = rng.signed_unit() * power;
}

const frame::RenderSnapshot& World::build_snapshot() {
  using frame::SpriteKind;
  const FloatControlScope float_control;
  sprites_.clear();
  lights_.clear();
  auto sprite = [&](SpriteKind kind, float x, float y, float size) -> frame::SpriteInstance& {
    frame::SpriteInstance s;
    s.x = s.previous_x = x;
    s.y = s.previous_y = y;
    s.size = size;
    s.kind = static_cast<u32>(kind);
    sprites_.push_back(s);
    return sprites_.back();
  };
  auto light = [&](float x, float y, float px, float py, float radius, float r, float g, float b) {
    lights_.push_back({x, y, px, py, radius, r, g, b});
  };

  for (const Vortex& vortex : vortices_) {
    if (!vortex.alive) continue;
    const SpellDef& def = spell(vortex.spell);
    const float open = clamp01(vortex.age_s * 3.0f) * clamp01((def.duration_s - vortex.age_s) * 4.0f);
    frame::SpriteInstance& s = sprite(SpriteKind::VortexCore, vortex.x, vortex.y, def.radius * 2.0f);
    s.p0 = def.radius;
    s.p1 = vortex.spin;
    s.p2 = open;
    s.r = def.colour_r;
    s.g = def.colour_g;
    s.b = def.colour_b;
    light(vortex.x, vortex.y, vortex.x, vortex.y, def.radius * 1.6f, def.colour_r * open * def.light, def.colour_g * open * def.light,
          def.colour_b * open * def.light);
  }
  for (const Nova& nova : novas_) {
    if (!nova.alive) continue;
    const SpellDef& def = spell(nova.spell);
    const float t = clamp01(nova.age_s / def.duration_s);
    frame::SpriteInstance& s = sprite(SpriteKind::NovaRing, nova.x, nova.y, def.radius * 2.0f);
    s.p0 = def.radius * (1.0f - (1.0f - t) * (1.0f - t));
    s.p1 = clamp01(1.0f - nova.age_s / (def.duration_s * 1.6f));
    s.r = def.colour_r;
    s.g = def.colour_g;
    s.b = def.colour_b;
  }
  // Standing things from back to front; the mage among them.
  std::array<u8, 32> order{};
  u32 count = 0;
  for (u32 i = 0; i < targets_.size(); ++i) order[count++] = static_cast<u8>(i);
  const u8 mage = static_cast<u8>(targets_.size());
  order[count++] = mage;
  auto foot = [&](u8 i) { return i == mage ? mage_.y : targets_[i].y; };
  std::sort(order.begin(), order.begin() + count, [&](u8 a, u8 b) { return foot(a) != foot(b) ? foot(a) < foot(b) : a < b; });
  for (u32 k = 0; k < count; ++k) {
    if (order[k] == mage) {
      const SpellDef& def = spell(mage_.spell);
      frame::SpriteInstance& s = sprite(SpriteKind::Mage, mage_.x, mage_.y, 56.0f);
      s.previous_x = mage_.previous_x;
      s.previous_y = mage_.previous_y;
      s.angle_turns = mage_.facing;
      const float windup = mage_.windup_s >= 0.0f ? 1.0f - clamp01(mage_.windup_s / std::max(0.01f, spell(mage_.casting).windup_s)) : 0.0f;
      s.p0 = std::max(windup, mage_.follow);
      s.p1 = mage_.walk;
      s.r = def.colour_r;
      s.g = def.colour_g;
      s.b = def.colour_b;
      float tx, ty;
      staff_tip(tx, ty);
      const float glow = 0.22f + 0.5f * s.p0;
      light(tx, ty, tx - (mage_.x - mage_.previous_x), ty - (mage_.y - mage_.previous_y), 120.0f + 60.0f * s.p0, def.colour_r * glow,
            def.colour_g * glow, def.colour_b * glow);
      continue;
    }
    const Target& target = targets_[order[k]];
    if (target.kind == Target::Kind::Dummy) {
      frame::SpriteInstance& s = sprite(SpriteKind::Dummy, target.x, target.y, 64.0f);
      s.p0 = target.flash;
      s.p1 = target.sway;
      s.p2 = target.frost;
    } else {
      frame::SpriteInstance& s = sprite(SpriteKind::Crystal, target.x, target.y, 56.0f);
      s.p0 = target.flash;
      s.p1 = target.growth;
      s.p2 = 1.0f - target.health / 5.0f;
      s.r = 0.35f;
      s.g = 0.65f;
      s.b = 1.0f;
      const float glow = (0.10f + 0.5f * target.flash) * target.growth;
      light(target.x, target.y, target.x, target.y, 95.0f, 0.35f * glow, 0.6f * glow, 1.0f * glow);
    }
  }
  for (const Bolt& bolt : bolts_) {
    if (!bolt.alive) continue;
    const SpellDef& def = spell(bolt.spell);
    frame::SpriteInstance& s = sprite(SpriteKind::Bolt, bolt.x, bolt.y, def.radius * 2.6f);
    s.previous_x = bolt.previous_x;
    s.previous_y = bolt.previous_y;
    s.angle_turns = atan2_turns(bolt.vy, bolt.vx);
    s.p0 = bolt.age_s;
    s.r = def.colour_r;
    s.g = def.colour_g;
    s.b = def.colour_b;
    light(bolt.x, bolt.y + 24.0f, bolt.previous_x, bolt.previous_y + 24.0f, 170.0f, def.colour_r * def.light * 0.7f,
          def.colour_g * def.light * 0.7f, def.colour_b * def.light * 0.7f);
  }
  for (const Flash& flash : flashes_) {
    if (flash.life_s <= 0.0f || flash.age_s >= flash.life_s) continue;
    const float left = 1.0f - flash.age_s / flash.life_s;
    const float k = left * left;
    light(flash.x, flash.y, flash.x, flash.y, flash.radius, flash.r * k, flash.g * k, flash.b * k);
  }
  frame::SpriteInstance& reticle = sprite(SpriteKind::Reticle, mage_.aim_x, mage_.aim_y, 30.0f);
  reticle.p0 = cooldown();
  const SpellDef& chosen = spell(mage_.spell);
  reticle.r = chosen.colour_r;
  reticle.g = chosen.colour_g;
  reticle.b = chosen.colour_b;

  frame::RenderSnapshot& s = snapshot_;
  particles_.build_snapshot(s);
  s.step = step_;
  s.time_s = static_cast<float>(step_ % 216'000u) * kStep_s;
  s.sprites = sprites_;
  s.lights = lights_;
  s.camera_x = camera_.x;
  s.camera_y = camera_.y;
  s.previous_camera_x = camera_.previous_x;
  s.previous_camera_y = camera_.previous_y;
  s.shake_x = camera_.shake_x;
  s.shake_y = camera_.shake_y;
  s.runes_lit = runes_lit_;
  s.vortex_strength = 0.0f;
  for (const Vortex& vortex : vortices_) {
    if (!vortex.alive) continue;
    const SpellDef& def = spell(vortex.spell);
    const float open = clamp01(vortex.age_s * 3.0f) * clamp01((def.duration_s - vortex.age_s) * 4.0f);
    if (open > s.vortex_strength) {
      s.vortex_strength = open;
      s.vortex_x = vortex.x;
      s.vortex_y = vortex.y;
    }
  }
  return s;
}

// ---------------------------------------------------------------------------------------------------- hash

u64 World::hash() const {
  StateHash h;
  h.add(step_).add(config_.seed);
  h.add(mage_.x).add(mage_.y).add(mage_.aim_x).add(mage_.aim_y).add(mage_.facing).add(mage_.walk);
  h.add(mage_.windup_s).add(mage_.cooldown_s).add(mage_.gather_carry).add(mage_.spell).add(mage_.casting);
  for (const Bolt& b : bolts_) {
    h.add(static_cast<u8>(b.alive));
    if (b.alive) h.add(b.spell).add(b.x).add(b.y).add(b.vx).add(b.vy).add(b.age_s).add(b.carry).add(b.smoke_carry);
  }
  for (const Nova& n : novas_) {
    h.add(static_cast<u8>(n.alive));
    if (n.alive) h.add(n.spell).add(n.x).add(n.y).add(n.age_s).add(n.hit_mask);
  }
  for (const Vortex& v : vortices_) {
    h.add(static_cast<u8>(v.alive));
    if (v.alive) h.add(v.spell).add(v.x).add(v.y).add(v.age_s).add(v.spin).add(v.carry).add(v.core_carry).add(v.next_hit_s);
  }
  for (const Target& t : targets_) {
    h.add(static_cast<u8>(t.kind)).add(t.x).add(t.y).add(t.flash).add(t.sway).add(t.sway_speed).add(t.frost).add(t.health).add(t.growth);
  }
  for (float carry : twinkle_carry_) h.add(carry);
  h.add(dust_carry_).add(ambient_carry_).add(combo_).add(combo_left_s_);
  h.add(particles_.hash());
  return h.value();
}

}  // namespace spellpool::sim
