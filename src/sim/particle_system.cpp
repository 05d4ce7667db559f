#include "sim/particle_system.hpp"

#include <algorithm>

#include "core/det_math.hpp"
#include "core/state_hash.hpp"

namespace spellpool::sim {
namespace {

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
    : seed_(seed), particles_(strategy, capacity), styles_(kStyleRows), looks_(kStyleRows * ParticleStyle::kSamples) {
  particles_.set_policy(policy, serial_of);
  reserve_buffers();
}

void ParticleSystem::set_style(u32 row, const ParticleStyle& style) {
  styles_[row] = style;
  Row& r = rows_[row];
  r.push = Lanes{0.0f, 0.0f, style.add_vx, style.add_vy};
  r.keep = Lanes{1.0f, 1.0f, style.keep, style.keep};
  r.curl = style.curl;
  r.alpha_layer = style.alpha_layer;
  r.glow_shape = style.glow_shape;
  std::copy(style.looks.begin(), style.looks.end(), looks_.begin() + row * ParticleStyle::kSamples);
}

void ParticleSystem::set_strategy(pool::StrategyId strategy) { particles_.set_strategy(strategy); }
void ParticleSystem::set_policy(pool::PolicyId policy) { particles_.set_policy(policy, serial_of); }
void ParticleSystem::set_capacity(u32 capacity) {
  particles_.set_capacity(capacity);
  reserve_buffers();
}

void ParticleSystem::reserve_buffers() {
  const std::size_t most = std::max(particles_.capacity(), particles_.live());
  dead_.resize(most);
  deaths_.reserve(most);
  additive_.resize(most);
  alpha_.resize(most);
  alpha_order_.resize(most);
}

void ParticleSystem::update(u64 step, std::span<const Attractor> attractors) {
  const u32 drift = static_cast<u32>(step / 6);
  for (Row& row : rows_) row.forces = row.curl != 0.0f || !attractors.empty();
  const Row* rows = rows_.data();
  u32* dead = dead_.data();
  particles_.visit([&](auto& pool) {
    pool.for_each_slot([&](u32 slot, Particle& p) {
      const Row& row = rows[p.style];
      Lanes lanes = load_lanes(p);
      Lanes push = row.push;
      if (row.forces) {
        if (row.curl != 0.0f) {
          const CurlField::Wind& wind = curl_.at(lanes[0], lanes[1], drift);
          push[2] += wind.x * row.curl;
          push[3] += wind.y * row.curl;
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
      }
      lanes = (lanes + push) * row.keep;
      store_lanes(p, lanes + velocity_of(lanes) * kStep_s);
      p.clock += p.clock_rate;
      if (p.clock < p.clock_rate) [[unlikely]] *dead++ = slot;  // it ran over
    });
  });
  dead_count_ = static_cast<u32>(dead - dead_.data());
}

void ParticleSystem::despawn() {
  deaths_.clear();
  particles_.visit([&](auto& pool) {
    for (u32 i = 0; i < dead_count_; ++i) {
      const ParticleHandle handle = pool.handle_at(dead_[i]);
      const Particle& p = *pool.get(handle);
      const ParticleStyle& style = styles_[p.style];
      if (style.on_death >= 0) deaths_.push_back({p.spawn_id, static_cast<u32>(style.on_death), p.x, p.y, p.vx, p.vy});
      pool.release(handle);
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
  const bool ahead = def.rays > 0 || def.particle == frame::ParticleShape::Shard;  // shards point where they fly
  const float per = request.count > 0 ? 1.0f / static_cast<float>(request.count) : 0.0f;
  const float ray = def.rays > 0 ? 1.0f / static_cast<float>(def.rays) : 0.0f;
  const float spread = def.rays > 0 ? def.spread_turns * ray : def.spread_turns;

  // Blocks of births, one array a figure: plain loops that the compiler does in all lanes.
  constexpr u32 kBlock = 32;
  float turn[kBlock], speed[kBlock], life_s[kBlock], size[kBlock], swirl[kBlock], place[kBlock], along[kBlock];
  float cosine[kBlock], sine[kBlock], x[kBlock], y[kBlock], vx[kBlock], vy[kBlock];
  u32 look[kBlock];
  for (u32 first = 0; first < request.count;) {
    const u32 count = std::min({kBlock, request.count - first, births_left_});
    if (count == 0 || pool.refuses()) {  // the rest in one go; each uses up its spawn id all the same
      next_spawn_id_ += request.count - first;
      pool.count_rejected(request.count - first);
      return;
    }
    births_left_ -= count;
    for (u32 i = 0; i < count; ++i) {
      Rng rng(mix64(seed_ ^ ((next_spawn_id_ + i) * 0x9e3779b97f4a7c15ull)));
      const Unit2 turn_and_speed = two_units(rng);
      const Unit2 life_and_size = two_units(rng);
      const Unit2 swirl_and_place = two_units(rng);
      look[i] = rng.next_u32();
      turn[i] = turn_and_speed.a;
      speed[i] = turn_and_speed.b;
      life_s[i] = life_and_size.a;
      size[i] = life_and_size.b;
      swirl[i] = swirl_and_place.a;
      place[i] = swirl_and_place.b;
    }
    for (u32 i = 0; i < count; ++i) turn[i] = request.direction_turns + (turn[i] - 0.5f) * spread;
    if (def.rays > 0) {
      for (u32 i = 0; i < count; ++i) turn[i] += static_cast<float>((first + i) % def.rays) * ray;
    }
    for (u32 i = 0; i < count; ++i) {
      cosine[i] = cos_turns(turn[i]);
      sine[i] = sin_turns(turn[i]);
    }
    switch (def.shape) {
      case frame::EmitShape::Point:
        for (u32 i = 0; i < count; ++i) place[i] = 0.0f;
        break;
      case frame::EmitShape::Ring:
        for (u32 i = 0; i < count; ++i) place[i] = def.radius;
        break;
      case frame::EmitShape::Disc:
        for (u32 i = 0; i < count; ++i) place[i] = def.radius * std::sqrt(place[i]);
        break;
      case frame::EmitShape::Cone:
        for (u32 i = 0; i < count; ++i) place[i] = def.radius * place[i];
        break;
    }
    for (u32 i = 0; i < count; ++i) {
      speed[i] = lerp(def.speed.low, def.speed.high, speed[i]);
      swirl[i] = lerp(def.swirl.low, def.swirl.high, swirl[i]);
      vx[i] = cosine[i] * speed[i] - sine[i] * swirl[i] + request.vx * def.inherit;
      vy[i] = sine[i] * speed[i] + cosine[i] * swirl[i] + request.vy * def.inherit;
      along[i] = request.spread_in_time ? (static_cast<float>(static_cast<i32>(first + i)) + 0.5f) * per : 1.0f;
      const float lived_s = (1.0f - along[i]) * kStep_s;  // it was born inside this step and has moved since
      x[i] = lerp(request.from_x, request.to_x, along[i]) + cosine[i] * place[i] + vx[i] * lived_s;
      y[i] = lerp(request.from_y, request.to_y, along[i]) + sine[i] * place[i] + vy[i] * lived_s;
      size[i] = std::max(0.0f, lerp(def.size.low, def.size.high, size[i]));
      life_s[i] = lerp(def.life_s.low, def.life_s.high, life_s[i]);
    }
    for (u32 i = 0; i < count; ++i) {
      const bool brief = !(life_s[i] > kStep_s);  // a step or less: it runs over at the next update
      const float rate = brief ? 4294967040.0f : kStep_s / life_s[i] * 4294967296.0f;
      const float age = brief ? 1024.0f : rate * (1.0f - along[i]) * 0.999f;
      u32 angle = look[i] << 24;
      i32 spin = static_cast<i32>((look[i] >> 8) % 9u) - 4;
      if (ahead) {
        angle = static_cast<u32>(static_cast<i32>(turn[i] * 256.0f)) << 24;
        spin /= 4;
      }
      Particle p;
      p.x = x[i];
      p.y = y[i];
      p.vx = vx[i];
      p.vy = vy[i];
      p.clock = static_cast<u64>(static_cast<i64>(age)) << 32 | angle;
      p.clock_rate = static_cast<u64>(static_cast<i64>(rate)) << 32 | static_cast<u32>(spin * (1 << 24));
      p.spawn_id = next_spawn_id_ + i;
      p.size = size[i];
      p.style = static_cast<u16>(request.style);
      p.reserved = 0;
      pool.acquire(p);
    }
    next_spawn_id_ += count;
    first += count;
  }
}

void ParticleSystem::build_snapshot(frame::RenderSnapshot& snapshot) {
  using frame::ParticleInstance;
  constexpr float kReach = 1020.0f;
  constexpr float kPerStep = frame::kPositionScale * kStep_s;
  constexpr Lanes kMoved = {frame::kPositionScale, frame::kPositionScale, kPerStep, kPerStep};
  constexpr Lanes kBorn = {frame::kPositionScale, frame::kPositionScale, 0.0f, 0.0f};
  const Row* rows = rows_.data();
  const ParticleStyle::Look* looks = looks_.data();
  ParticleInstance* additive = additive_.data();
  AlphaEntry* alpha = alpha_order_.data();
  particles_.visit([&](auto& pool) {
    pool.for_each([&](const Particle& p) {
      const Lanes lanes = load_lanes(p);
      if (!within(lanes, kReach)) return;
      const std::size_t style = p.style;
      const u64 clock = p.clock;
      const ParticleStyle::Look& look = looks[style * ParticleStyle::kSamples + (clock >> 58)];
      const float size = p.size * look.size_factor;
      ParticleInstance instance;
      store_narrow(&instance.x, lanes * (p.newborn() ? kBorn : kMoved));
      instance.r = look.r;
      instance.g = look.g;
      instance.b = look.b;
      instance.a = look.a;
      instance.size = static_cast<u16>(size < 65535.0f ? size : 65535.0f);
      instance.glow_shape = rows[style].glow_shape;
      instance.angle = p.angle();
      if (rows[style].alpha_layer) {
        *alpha++ = {p.spawn_id, instance};
      } else {
        *additive++ = instance;
      }
    });
  });
  const std::size_t additive_count = static_cast<std::size_t>(additive - additive_.data());
  const std::size_t alpha_count = static_cast<std::size_t>(alpha - alpha_order_.data());
  std::sort(alpha_order_.data(), alpha, [](const AlphaEntry& a, const AlphaEntry& b) { return a.spawn_id < b.spawn_id; });
  for (std::size_t i = 0; i < alpha_count; ++i) alpha_[i] = alpha_order_[i].instance;
  snapshot.additive_layer = {additive_.data(), additive_count};
  snapshot.alpha_layer = {alpha_.data(), alpha_count};
}

u64 ParticleSystem::hash() const {
  SetHash set;
  particles_.visit([&](const auto& pool) {
    pool.for_each([&](const Particle& p) {
      StateHash h;
      h.add(p.spawn_id).add(p.x).add(p.y).add(p.vx).add(p.vy).add(p.clock).add(p.clock_rate).add(p.size).add(u32{p.style});
      set.add(h.value());
    });
  });
  return StateHash{}.add(set.value()).add(next_spawn_id_).value();
}

}  // namespace spellpool::sim
