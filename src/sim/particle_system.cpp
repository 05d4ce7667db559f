#include "sim/particle_system.hpp"

#include <algorithm>

#include "core/det_math.hpp"
#include "core/state_hash.hpp"

namespace spellpool::sim {
namespace {

/// x, y, vx, vy of a particle as one register; plain lane-wise IEEE arithmetic, so any compiler gives the same bits.
typedef float Lanes __attribute__((vector_size(16)));

u64 serial_of(const Particle& p) { return p.spawn_id; }

struct Unit2 {
  float a, b;
};
/// Two uniform numbers in [0, 1) from one draw.
Unit2 two_units(Rng& rng) {
  const u64 bits = rng.next_u64();
  return {static_cast<float>(bits >> 40) * (1.0f / 16777216.0f),
          static_cast<float>((bits >> 8) & 0xffffffu) * (1.0f / 16777216.0f)};
}

}  // namespace

ParticleSystem::ParticleSystem(u64 seed, pool::StrategyId strategy, pool::PolicyId policy, u32 capacity)
    : seed_(seed), particles_(strategy, capacity), styles_(kStyleRows) {
  particles_.set_policy(policy, serial_of);
  reserve_buffers();
}

void ParticleSystem::set_strategy(pool::StrategyId strategy) { particles_.set_strategy(strategy); }
void ParticleSystem::set_policy(pool::PolicyId policy) { particles_.set_policy(policy, serial_of); }
void ParticleSystem::set_capacity(u32 capacity) {
  particles_.set_capacity(capacity);
  reserve_buffers();
}

void ParticleSystem::reserve_buffers() {
  const std::size_t most = std::max(particles_.capacity(), particles_.live());
  dead_.resize(most + 1);
  deaths_.reserve(most);
  additive_.resize(most);
  alpha_.resize(most);
  alpha_order_.resize(most);
}

void ParticleSystem::update(u64 step, std::span<const Attractor> attractors) {
  const u32 drift = static_cast<u32>(step / 6);
  const ParticleStyle* styles = styles_.data();
  ParticleHandle* dead = dead_.data();
  u32 dead_count = 0;
  particles_.visit([&](auto& pool) {
    pool.for_each_handle([&](ParticleHandle handle, Particle& p) {
      const ParticleStyle& style = styles[p.style];
      Lanes lanes;
      __builtin_memcpy(&lanes, &p.x, 16);
      Lanes push = {0.0f, 0.0f, style.add_vx, style.add_vy};
      if (style.curl != 0.0f) {
        const CurlField::Wind& wind = curl_.at(lanes[0], lanes[1], drift);
        push[2] += wind.x * style.curl;
        push[3] += wind.y * style.curl;
      }
      for (const Attractor& attractor : attractors) {
        const float dx = attractor.x - lanes[0];
        const float dy = attractor.y - lanes[1];
        const float d2 = dx * dx + dy * dy;
        if (d2 >= attractor.radius * attractor.radius) continue;
        const float d = std::sqrt(d2) + 8.0f;
        const float out = d2 / (attractor.radius * attractor.radius);
        const float near = 1.0f - out * out;  // holds on almost to the rim, so that what is there is drawn in
        const float k = kStep_s * near / d;
        push[2] += (dx * attractor.pull - dy * attractor.turn) * k;
        push[3] += (dy * attractor.pull + dx * attractor.turn) * k;
      }
      const Lanes keep = {1.0f, 1.0f, style.keep, style.keep};
      lanes = (lanes + push) * keep;
      const Lanes way = {lanes[2] * kStep_s, lanes[3] * kStep_s, 0.0f, 0.0f};
      lanes = lanes + way;
      __builtin_memcpy(&p.x, &lanes, 16);
      p.angle = static_cast<u8>(p.angle + p.spin);
      p.age += p.age_rate;
      dead[dead_count] = handle;
      dead_count += p.age >= 1.0f ? 1u : 0u;
    });
  });
  dead_count_ = dead_count;
}

void ParticleSystem::despawn() {
  deaths_.clear();
  particles_.visit([&](auto& pool) {
    for (u32 i = 0; i < dead_count_; ++i) {
      const Particle& p = *pool.get(dead_[i]);
      const ParticleStyle& style = styles_[p.style];
      if (style.on_death >= 0) deaths_.push_back({p.spawn_id, static_cast<u32>(style.on_death), p.x, p.y, p.vx, p.vy});
      pool.release(dead_[i]);
    }
  });
  dead_count_ = 0;
  std::sort(deaths_.begin(), deaths_.end(), [](const Death& a, const Death& b) { return a.spawn_id < b.spawn_id; });
}

void ParticleSystem::spawn(std::span<const EmitRequest> requests) {
  births_left_ = kMostBirthsPerStep;
  particles_.visit([&](auto& pool) {
    for (const Death& death : deaths_) {
      EmitRequest request;
      request.style = death.style;
      request.count = styles_[death.style].def.burst;
      request.from_x = request.to_x = death.x;
      request.from_y = request.to_y = death.y;
      request.direction_turns = atan2_turns(death.vy, death.vx);
      request.vx = death.vx;
      request.vy = death.vy;
      emit(pool, request);
    }
    for (const EmitRequest& request : requests) emit(pool, request);
  });
  deaths_.clear();
}

template <class P>
void ParticleSystem::emit(P& pool, const EmitRequest& request) {
  const frame::EmitterDef& def = styles_[request.style].def;
  const float per = request.count > 0 ? 1.0f / static_cast<float>(request.count) : 0.0f;
  for (u32 k = 0; k < request.count; ++k) {
    if (pool.refuses() || births_left_ == 0) {  // the rest in one go; each uses up its spawn id all the same
      next_spawn_id_ += request.count - k;
      pool.count_rejected(request.count - k);
      return;
    }
    --births_left_;
    const u64 id = next_spawn_id_++;
    Rng rng(mix64(seed_ ^ (id * 0x9e3779b97f4a7c15ull)));

    float direction = request.direction_turns;
    const Unit2 turn_and_speed = two_units(rng);
    if (def.rays > 0) {
      direction += static_cast<float>(k % def.rays) / static_cast<float>(def.rays);
      direction += (turn_and_speed.a - 0.5f) * def.spread_turns / static_cast<float>(def.rays);
    } else {
      direction += (turn_and_speed.a - 0.5f) * def.spread_turns;
    }
    const float cosine = cos_turns(direction);
    const float sine = sin_turns(direction);
    const float speed = lerp(def.speed.low, def.speed.high, turn_and_speed.b);
    const Unit2 life_and_size = two_units(rng);
    const float life_s = lerp(def.life_s.low, def.life_s.high, life_and_size.a);
    const Unit2 swirl_and_place = two_units(rng);
    const float swirl = lerp(def.swirl.low, def.swirl.high, swirl_and_place.a);

    float offset_x = 0.0f, offset_y = 0.0f;
    switch (def.shape) {
      case frame::EmitShape::Point: break;
      case frame::EmitShape::Ring:
        offset_x = cosine * def.radius;
        offset_y = sine * def.radius;
        break;
      case frame::EmitShape::Disc: {
        const float r = def.radius * std::sqrt(swirl_and_place.b);
        offset_x = cosine * r;
        offset_y = sine * r;
        break;
      }
      case frame::EmitShape::Cone:
        offset_x = cosine * def.radius * swirl_and_place.b;
        offset_y = sine * def.radius * swirl_and_place.b;
        break;
    }

    Particle p;
    p.vx = cosine * speed - sine * swirl + request.vx * def.inherit;
    p.vy = sine * speed + cosine * swirl + request.vy * def.inherit;
    const float along = request.spread_in_time ? (static_cast<float>(k) + 0.5f) * per : 1.0f;
    const float lived_s = (1.0f - along) * kStep_s;  // it was born inside this step and has moved since
    p.x = lerp(request.from_x, request.to_x, along) + offset_x + p.vx * lived_s;
    p.y = lerp(request.from_y, request.to_y, along) + offset_y + p.vy * lived_s;
    p.age_rate = kStep_s / life_s;
    p.age = p.age_rate * (1.0f - along) * 0.999f;
    p.size = lerp(def.size.low, def.size.high, life_and_size.b);
    p.style = static_cast<u16>(request.style);
    const u32 look = rng.next_u32();
    p.angle = static_cast<u8>(look);
    p.spin = static_cast<i8>(static_cast<i32>((look >> 8) % 9u) - 4);
    if (def.rays > 0 || def.particle == frame::ParticleShape::Shard) {  // shards point where they fly
      p.angle = static_cast<u8>(static_cast<i32>(direction * 256.0f));
      p.spin = static_cast<i8>(p.spin / 4);
    }
    p.spawn_id = id;
    p.reserved = 0;
    pool.acquire(p);
  }
}

void ParticleSystem::build_snapshot(frame::RenderSnapshot& snapshot) {
  using frame::ParticleInstance;
  constexpr float kReach = 1020.0f;
  u32 additive_count = 0;
  u32 alpha_count = 0;
  const ParticleStyle* styles = styles_.data();
  ParticleInstance* additive = additive_.data();
  AlphaEntry* alpha = alpha_order_.data();
  particles_.visit([&](auto& pool) {
    pool.for_each([&](const Particle& p) {
      if (!(p.x > -kReach && p.x < kReach && p.y > -kReach && p.y < kReach)) return;
      const ParticleStyle& style = styles[p.style];
      const float at = p.age * static_cast<float>(ParticleStyle::kSamples - 1);
      const ParticleStyle::Look& look = style.looks[at < 0.0f ? 0u : std::min(static_cast<u32>(at), ParticleStyle::kSamples - 1)];
      const bool newborn = p.age < p.age_rate;
      const float per_step = newborn ? 0.0f : frame::kPositionScale * kStep_s;
      auto narrow = [](float v) { return static_cast<i16>(static_cast<i32>(v < -32767.0f ? -32767.0f : (v > 32767.0f ? 32767.0f : v))); };
      const float size = p.size * look.size_factor * frame::kSizeScale;
      ParticleInstance instance;
      instance.x = static_cast<i16>(static_cast<i32>(p.x * frame::kPositionScale));
      instance.y = static_cast<i16>(static_cast<i32>(p.y * frame::kPositionScale));
      instance.dx = narrow(p.vx * per_step);
      instance.dy = narrow(p.vy * per_step);
      instance.r = look.r;
      instance.g = look.g;
      instance.b = look.b;
      instance.a = look.a;
      instance.size = static_cast<u16>(size < 0.0f ? 0.0f : (size > 65535.0f ? 65535.0f : size));
      instance.glow_shape = style.glow_shape;
      instance.angle = p.angle;
      if (style.alpha_layer) {
        alpha[alpha_count++] = {p.spawn_id, instance};
      } else {
        additive[additive_count++] = instance;
      }
    });
  });
  std::sort(alpha, alpha + alpha_count, [](const AlphaEntry& a, const AlphaEntry& b) { return a.spawn_id < b.spawn_id; });
  for (u32 i = 0; i < alpha_count; ++i) alpha_[i] = alpha[i].instance;
  snapshot.additive_layer = {additive_.data(), additive_count};
  snapshot.alpha_layer = {alpha_.data(), alpha_count};
}

u64 ParticleSystem::hash() const {
  SetHash set;
  particles_.visit([&](const auto& pool) {
    pool.for_each([&](const Particle& p) {
      StateHash h;
      h.add(p.spawn_id).add(p.x).add(p.y).add(p.vx).add(p.vy).add(p.age).add(p.age_rate).add(p.size);
      h.add((static_cast<u32>(p.style) << 16) | (static_cast<u32>(p.angle) << 8) | static_cast<u8>(p.spin));
      set.add(h.value());
    });
  });
  return StateHash{}.add(set.value()).add(next_spawn_id_).value();
}

}  // namespace spellpool::sim
