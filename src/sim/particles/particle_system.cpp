#include "sim/particles/particle_system.hpp"

#include <algorithm>

#include "core/det_math.hpp"
#include "core/state_hash.hpp"
#include "pool/base.hpp"
#include "sim/core/shared_walk.hpp"

namespace spellpool::sim {
namespace {

// An entry of dead_: a slot, and what it hit in its last step.
constexpr u32 kDeadHitShift = 29, kDeadSlot = (1u << 30) - 1;
static_assert(Happened::kHits << kDeadHitShift == ~kDeadSlot && frame::kMaxCapacity <= kDeadSlot);

}  // namespace

ParticleSystem::ParticleSystem(u64 seed, const PoolChoice& choice, FrameMemory* memory)
    : seed_(seed),
      particles_(choice.strategy, choice.size()),
      styles_(kStyleRows),
      looks_(kStyleRows * ParticleStyle::kSamples),
      paces_(kStyleRows * ParticleStyle::kSamples, 1.0f),
      own_memory_(memory ? nullptr : std::make_unique<FrameMemory>(choice.capacity)),
      memory_(memory ? memory : own_memory_.get()) {
  (void)particles_.set_policy(choice.policy);
  reserve_buffers();
}

void ParticleSystem::set_style(u32 row, const ParticleStyle& style) {
  styles_[row] = style;
  std::copy(style.looks.begin(), style.looks.end(), looks_.begin() + row * ParticleStyle::kSamples);
  std::copy(style.paces.begin(), style.paces.end(), paces_.begin() + row * ParticleStyle::kSamples);
  make_row(row);
  for (u32 other = 0; other < kStyleRows; ++other) {
    if (styles_[other].trail == static_cast<i32>(row)) make_row(other);
  }
  drawn_ = Drawn::Nothing;
}

void ParticleSystem::make_row(u32 row) {
  const ParticleStyle& style = styles_[row];
  const frame::EmitterDef& def = style.def;
  MotionRow r;
  r.push = Lanes{0.0f, 0.0f, style.add_vx, style.add_vy};
  r.keep = Lanes{1.0f, 1.0f, style.keep, style.keep};
  r.curl = style.curl;
  r.pull = def.pull * kStep_s;
  r.turn = def.turn * kStep_s;
  r.bounce = def.bounce;
  r.slide = 1.0f - def.friction;
  if (style.trail >= 0) {
    const frame::EmitterDef& trail = styles_[static_cast<u32>(style.trail)].def;
    r.trail_per_step = trail.rate_per_s * kStep_s;
    r.trail_per_unit = trail.per_unit;
  }
  using frame::BounceOn;
  auto when = [](bool holds, u32 bit) { return holds ? bit : 0u; };
  const u32 surfaces = when(def.bounce_on == BounceOn::Floor || def.bounce_on == BounceOn::Both, MotionRow::kFloor) |
                       when(def.bounce_on == BounceOn::Walls || def.bounce_on == BounceOn::Both, MotionRow::kWalls);
  r.ways = surfaces | when(r.curl != 0.0f, MotionRow::kCurl) |
           when(r.pull != 0.0f || r.turn != 0.0f, MotionRow::kPull) | when(attractors_about_, MotionRow::kAttracted) |
           when(style.paced, MotionRow::kPaced) |
           when(r.trail_per_step > 0.0f || r.trail_per_unit > 0.0f, MotionRow::kTrailed) |
           when(surfaces != 0 && style.on_hit >= 0, MotionRow::kTellsHits);
  rows_[row] = r;
  if ((r.ways & MotionRow::kPull) == 0) origins_[row] = {};  // an unread origin must not affect the hash
  draw_rows_[row].bits = when(style.alpha_layer, DrawRow::kAlpha) | when(style.paced, DrawRow::kPaced);
  draw_rows_[row].glow_shape = style.glow_shape;
}

void ParticleSystem::attractors_came_or_went() {
  attractors_about_ = !attractors_about_;
  for (MotionRow& row : rows_) row.ways ^= MotionRow::kAttracted;
}

// Whatever goes through all storages is compiled here, and not in each file that knows a particle.
ParticleSystem::ParticleSystem(ParticleSystem&&) noexcept = default;
ParticleSystem::~ParticleSystem() = default;
void ParticleSystem::set_fill(bool on) { particles_.set_fill(on); }
pool::PoolStats ParticleSystem::stats() const { return particles_.stats(); }
pool::StrategyId ParticleSystem::strategy() const { return particles_.strategy(); }
pool::PolicyId ParticleSystem::policy() const { return particles_.policy(); }
pool::ConstFieldRef<Particle> ParticleSystem::get(ParticleHandle handle) const { return particles_.peek(handle); }
void ParticleSystem::set_strategy(pool::StrategyId strategy) { particles_.set_strategy(strategy); }
void ParticleSystem::set_policy(pool::PolicyId policy) { (void)particles_.set_policy(policy); }
void ParticleSystem::set_capacity(u32 capacity) {
  (void)particles_.set_capacity(capacity);
  reserve_buffers();
}

void ParticleSystem::trim(u32 keep_free) {
  particles_.trim(keep_free);
  reserve_buffers();
}

/// The policy has enlarged the pool while particles spawn.
void ParticleSystem::follow_growth() {
  std::rotate(newborn_.begin(), newborn_.begin() + newborn_first_, newborn_.end());
  newborn_first_ = 0;
  reserve_buffers();
}

void ParticleSystem::reserve_buffers() {
  const u32 most = std::max(particles_.capacity(), particles_.live());
  drop_picture();  // it ends with this step anyway
  memory_->reserve(most);
  memory_->picture.begin_frame();
  newborn_.resize(most + kBirthBlock);  // a block may be born before the ring follows a pool that grows
  if (!slot_looks_.empty()) slot_looks_.resize(std::max<std::size_t>(slot_looks_.size(), most));
}

void ParticleSystem::save(State& state) const {
  particles_.save(state.particles);
  state.step = step_;
  state.next_spawn_id = next_spawn_id_;
  state.origins = origins_;
}

void ParticleSystem::restore(const State& state) {
  particles_.restore(state.particles);
  step_ = state.step;
  next_spawn_id_ = state.next_spawn_id;
  origins_ = state.origins;
  stole_ = false;
  slot_looks_.clear();  // of the objects that were in the slots before
  reserve_buffers();
  if (forgetful_) remember_looks();
}

Motion ParticleSystem::motion(u64 step, std::span<const Attractor> attractors) const {
  return {rows_.data(), origins_.data(), paces_.data(), &curl_, attractors, Motion::drift_at(step)};
}

namespace {

/// Particles are shown whose mixed spawn id has none of these bits.
u64 mask_of(frame::Amount density) {
  switch (density) {
    case frame::Amount::Full: return 0;
    case frame::Amount::Reduced: return 1;
    case frame::Amount::Off: return 7;
  }
  return 0;
}

}  // namespace

/// The picture's ends and what is read of the styles' looks: a hot loop's own, which no call can see.
struct ParticleSystem::Brush {
  static constexpr float kReach = 1020.0f;
  static constexpr float kPerStep = frame::kPositionScale * kStep_s;
  static constexpr Lanes kMoved = {frame::kPositionScale, frame::kPositionScale, kPerStep, kPerStep};
  static constexpr Lanes kBorn = {frame::kPositionScale, frame::kPositionScale, 0.0f, 0.0f};

  const DrawRow* rows;
  const float* paces;
  const ParticleStyle::Look* looks;
  frame::ParticleInstance* additive;
  AlphaEntry* alpha;
  u64 mask;

  /// Draws p. kCoasted: it has lived a step and has no speed curve (Motion::coast).
  template <bool kThinned, bool kCoasted = false>
  SPELLPOOL_FLAT void draw(const Particle& p) {
    if constexpr (kThinned) {
      if ((mix64(p.spawn_id) & mask) != 0) return;
    }
    const Lanes lanes = load_lanes(p);
    if (!within(lanes, kReach)) return;
    const std::size_t style = p.style;
    const u64 clock = p.clock;
    const ParticleStyle::Look& look = looks[style * ParticleStyle::kSamples + (clock >> 58)];
    const float size = p.size * look.size_factor;
    frame::ParticleInstance instance;
    const DrawRow row = rows[style];
    Lanes shown = lanes * (!kCoasted && p.newborn() ? kBorn : kMoved);
    if constexpr (!kCoasted) {
      if ((row.bits & DrawRow::kPaced) != 0) [[unlikely]] {
        const float pace = paces[style * ParticleStyle::kSamples + (clock >> 58)];
        shown *= Lanes{1.0f, 1.0f, pace, pace};
      }
    }
    store_narrow(&instance.x, shown);
    instance.r = look.r;
    instance.g = look.g;
    instance.b = look.b;
    instance.a = look.a;
    instance.size = static_cast<u16>(size < 65535.0f ? size : 65535.0f);
    instance.glow_shape = static_cast<u8>(row.glow_shape);
    instance.angle = p.angle();
    if ((row.bits & DrawRow::kAlpha) != 0) {
      *alpha++ = {p.spawn_id, instance};
    } else {
      *additive++ = instance;
    }
  }
};

void ParticleSystem::update(u64 step, std::span<const Attractor> attractors, std::optional<frame::Amount> shown) {
  step_ = step;
  if (attractors_about_ == attractors.empty()) attractors_came_or_went();
  if (own_memory_) memory_->step.begin_frame();
  dead_.take(memory_->step, particles_.live());
  events_.take(memory_->step, particles_.live());
  if (const float pressure = particles_.pressure(); pressure > 0.0f) accelerate(pressure);
  drawn_ = Drawn::Nothing;
  if (!shown || stole_ || !slot_looks_.empty()) {
    advance<false, false>(attractors);
  } else {
    begin_picture(*shown);
    if (mask_of(*shown) == 0) {
      advance<true, false>(attractors);
    } else {
      advance<true, true>(attractors);
    }
    drawn_ = Drawn::TheLiving;
  }
  expected_live_ = particles_.live() - dead_count_;
}

template <bool kDraws, bool kThinned>
void ParticleSystem::advance(std::span<const Attractor> attractors) {
  const Motion air = motion(step_, attractors);
  particles_.visit([&](auto& pool) {
    const Motion here = air;  // the hot loop's own, which no call can see: its members stay in registers
    Brush picture{};
    if constexpr (kDraws) picture = brush();
    u32* dead = dead_.data();
    Event* rare = events_.data();
    pool.for_each_slot([&](u32 slot, Particle& p) {
      const MotionRow& row = here.rows[p.style];
      const Lanes lanes = load_lanes(p);
      Lanes push = row.push;
      if (row.ways != 0) {
        if ((row.ways & MotionRow::kRare) != 0) {  // put off, for a loop without calls
          rare++->place = slot;
          return;
        }
        push = here.pushed(row, lanes, push);
      }
      if (Motion::coast(p, row, lanes, push)) [[unlikely]] {
        *dead++ = slot;
      } else if constexpr (kDraws) {
        picture.template draw<kThinned, true>(p);
      }
    });
    Event* event = events_.data();
    for (const Event* put_off = events_.data(); put_off != rare; ++put_off) {
      const u32 slot = put_off->place;
      const auto held = pool.get(pool.handle_at(slot));
      Particle& p = *held;
      const u32 happened = air.step(p);
      if ((happened & Happened::kDied) != 0) {
        *dead++ = slot | (happened & Happened::kHits) << kDeadHitShift;
        continue;
      }
      if constexpr (kDraws) picture.template draw<kThinned>(p);
      if (happened != 0) *event++ = {p.spawn_id, slot, happened};
    }
    event_count_ = static_cast<u32>(event - events_.data());
    dead_count_ = static_cast<u32>(dead - dead_.data());
    if constexpr (kDraws) put_down(picture);
  });
}

/// PolicyId::Pressure: up to kMaxAcceleration times as fast through its life, in whole 1/256.
void ParticleSystem::accelerate(float pressure) {
  const u64 share = static_cast<u64>(pressure * (kMaxAcceleration - 1.0f) * 256.0f);
  particles_.visit([&](auto& pool) {
    pool.for_each([&](Particle& p) {
      const u64 age = (p.clock >> 32) + ((p.clock_rate >> 32) * share >> 8);
      p.clock = age <= 0xffffffffu ? age << 32 | (p.clock & 0xffffffffu) : ~u64{0};  // it runs over in this step
    });
    pool.count_accelerated(pool.live());
  });
}

void ParticleSystem::despawn() {
  departed_count_ = 0;
  departed_.take(memory_->step, dead_count_);
  particles_.visit([&](auto& pool) {
    for (u32 i = 0; i < dead_count_; ++i) {
      const u32 hits = dead_[i] >> kDeadHitShift & Happened::kHits;
      const ParticleHandle handle = pool.handle_at(dead_[i] & kDeadSlot);
      if (const auto held = pool.peek(handle); hits != 0 || styles_[held->style].on_death >= 0) {
        const Particle& p = *held;
        events_[event_count_++] = {p.spawn_id, departed_count_,
                                   Happened::kDied | hits | u32{p.style} << Happened::kTrailShift};
        departed_[departed_count_++] = {p.x, p.y, p.vx, p.vy};
      }
      if (slot_sink_ != nullptr) slot_sink_->slot(false, handle.index);
      pool.release(handle);
    }
  });
  dead_count_ = 0;
  std::sort(events_.data(), events_.data() + event_count_,
            [](const Event& a, const Event& b) { return a.spawn_id < b.spawn_id; });
}

// ---------------------------------------------------------------------------------------------------- spawns

void ParticleSystem::spawn(std::span<const EmitRequest> requests, u32 most) {
  births_left_ = std::min(most, kMostBirthsPerStep);
  prewarms_left_ = kMostPrewarmed;
  if (drawn_ != Drawn::TheLiving) drawn_ = Drawn::Nothing;
  newborn_first_ = newborn_count_ = 0;
  particles_.visit([](auto& pool) { pool.begin_batch(); });
  for (u32 i = 0; i < event_count_; ++i) react(events_[i]);
  for (const EmitRequest& wanted : requests) request(wanted);
  while (newborn_count_ > 0) {
    const Newborn parent = newborn_[newborn_first_];
    newborn_first_ = newborn_first_ + 1 == newborn_.size() ? 0 : newborn_first_ + 1;
    --newborn_count_;
    i32 children;
    Departed at;
    {
      const auto p = particle_in(parent.slot, parent.spawn_id);
      if (!p) continue;
      children = styles_[p->style].on_birth;
      at = {p->x, p->y, p->vx, p->vy};
    }
    burst_at(children, at, parent.generation + 1);
  }
  particles_.visit([](auto& pool) { pool.end_batch(); });
  stole_ = particles_.live() != expected_live_;
  if (drawn_ == Drawn::TheLiving) drawn_ = Drawn::All;
  event_count_ = departed_count_ = 0;
  departed_.give_back();
  events_.give_back();
  dead_.give_back();
}

/// The particle in the slot, if it is still the one that was noted: another may have stolen its place in this very
/// phase.
pool::ConstFieldRef<Particle> ParticleSystem::particle_in(u32 slot, u64 spawn_id) const {
  using Found = pool::ConstFieldRef<Particle>;
  return particles_.visit([&](const auto& pool) -> Found {
    if (!pool.storage().generations().is_live(slot)) return Found(nullptr);
    const ParticleHandle handle = pool.handle_at(slot);
    if (pool.peek(handle)->spawn_id != spawn_id) return Found(nullptr);
    return Found(pool.peek(handle));
  });
}

void ParticleSystem::react(const Event& event) {
  const bool died = (event.happened & Happened::kDied) != 0;
  const u32 rest = event.happened >> Happened::kTrailShift;
  Departed at;
  u32 row;
  float pace = 1.0f;
  if (died) {
    at = departed_[event.place];
    row = rest;
  } else {
    const auto p = particle_in(event.place, event.spawn_id);
    if (!p) return;
    at = {p->x, p->y, p->vx, p->vy};
    row = p->style;
    pace = paces_[row * ParticleStyle::kSamples + (p->clock >> 58)];
  }
  const ParticleStyle& style = styles_[row];
  if ((event.happened & Happened::kHitFloor) != 0) burst_at(style.on_hit, at);
  if ((event.happened & Happened::kHitWall) != 0) burst_at(style.on_hit, at);
  if (died) {
    burst_at(style.on_death, at);
  } else if (rest != 0) {
    const float back_s = (event.happened & Happened::kBent) != 0 ? 0.0f : kStep_s * pace;
    EmitRequest trail;
    trail.style = static_cast<u32>(style.trail);
    trail.count = rest;
    trail.from_x = at.x - at.vx * back_s;
    trail.from_y = at.y - at.vy * back_s;
    trail.to_x = at.x;
    trail.to_y = at.y;
    trail.direction_turns = atan2_turns(-at.vy, -at.vx);
    trail.vx = at.vx;
    trail.vy = at.vy;
    trail.spread_in_time = true;
    emit({trail});
  }
}

void ParticleSystem::burst_at(i32 style, const Departed& at, u32 generation) {
  if (style < 0) return;
  EmitRequest burst;
  burst.style = static_cast<u32>(style);
  burst.count = styles_[burst.style].def.burst;
  burst.from_x = burst.to_x = at.x;
  burst.from_y = burst.to_y = at.y;
  burst.direction_turns = atan2_turns(at.vy, at.vx);
  burst.vx = at.vx;
  burst.vy = at.vy;
  emit({burst, generation});
}

void ParticleSystem::request(const EmitRequest& wanted) {
  if (wanted.prewarm_s > 0.0f) {
    const frame::EmitterDef& def = styles_[wanted.style].def;
    const float rate_per_s = def.rate_per_s * wanted.share;
    const float longest_s = std::min({wanted.prewarm_s, kMostPrewarm_s, std::max(def.life_s.low, def.life_s.high)});
    const float births = rate_per_s * longest_s;
    const float most = static_cast<float>(prewarms_left_);
    Emission past{wanted};
    past.request.count = births >= 1.0f ? static_cast<u32>(births < most ? births : most) : 0;
    past.request.to_x = wanted.from_x;
    past.request.to_y = wanted.from_y;
    past.steps_apart = static_cast<float>(kStepsPerSecond) / rate_per_s;
    prewarms_left_ -= past.request.count;
    if (past.request.count > 0) emit(past);
  }
  emit({wanted});
}

/// Newborns wait here for their on_birth. When the ring is full, its first entry is older than all that can live.
void ParticleSystem::await_on_birth(u64 spawn_id, u32 slot, u32 generation) {
  const std::size_t size = newborn_.size();
  if (newborn_count_ == size) {
    newborn_first_ = newborn_first_ + 1 == size ? 0 : newborn_first_ + 1;
    --newborn_count_;
  }
  const std::size_t end = std::size_t{newborn_first_} + newborn_count_;
  newborn_[end < size ? end : end - size] = {spawn_id, slot, generation};
  ++newborn_count_;
}

BirthPlan ParticleSystem::plan_of(const Emission& emission) const {
  const EmitRequest& request = emission.request;
  const frame::EmitterDef& def = styles_[request.style].def;
  BirthPlan plan{def, request};
  plan.steps_apart = emission.steps_apart;
  plan.lived_scale_s = kStep_s * paces_[request.style * ParticleStyle::kSamples];
  plan.meets_floor = (rows_[request.style].ways & MotionRow::kFloor) != 0;
  plan.points_ahead = def.rays > 0 || def.particle == frame::ParticleShape::Shard;
  plan.keyed_by_index = def.seed != 0 && (plan.past() || !request.spread_in_time);
  plan.seed = plan.keyed_by_index ? mix64(def.seed) : seed_;
  return plan;
}

void ParticleSystem::emit(const Emission& emission) {
  const EmitRequest& request = emission.request;
  if ((rows_[request.style].ways & MotionRow::kPull) != 0) origins_[request.style] = {request.to_x, request.to_y};
  if (request.count == 0) return;
  const ParticleStyle& style = styles_[request.style];
  const BirthPlan plan = plan_of(emission);
  const bool bears = style.on_birth >= 0 && !plan.past() && emission.generation < kMostGenerations;
  const bool keeps_looks = !slot_looks_.empty();
  const bool forgets = forgetful_ && !request.spread_in_time;
  const bool listens = bears || keeps_looks || slot_sink_ != nullptr;
  for (u32 first = 0; first < request.count;) {
    const u32 count = std::min({kBirthBlock, request.count - first, births_left_});
    const bool refused = particles_.visit([&](auto& pool) {  // the rest in one go; each uses up its spawn id all the same
      if (count > 0 && !pool.refuses()) return false;
      pool.count_rejected(request.count - first);
      return true;
    });
    if (refused) {
      next_spawn_id_ += request.count - first;
      return;
    }
    births_left_ -= count;
    Particle born[kBirthBlock];
    u32 steps[kBirthBlock];
    make_births(plan, first, count, next_spawn_id_, born, steps);
    const u32 born_count = plan.past() ? advance_prewarmed(born, steps, count) : count;
    const u32 living = particles_.visit([&](auto& pool) {
      return pool.acquire_n(born_count, [&](u32 i) { return born[i]; }, [&](u32 i, ParticleHandle handle) {
        if (!listens || !handle) return;
        if (slot_sink_ != nullptr) slot_sink_->slot(true, handle.index);
        if (keeps_looks) construct_look(handle.index, born[i], forgets);
        if (bears) await_on_birth(born[i].spawn_id, handle.index, emission.generation);
      });
    });
    expected_live_ += living;
    if (drawn_ == Drawn::TheLiving) draw_births({born, living});  // once one is refused, so are all after it
    if (particles_.capacity() + kBirthBlock > newborn_.size()) follow_growth();
    next_spawn_id_ += count;
    first += count;
  }
}

/// Advances each particle by steps[i] steps. Survivors move to the front; returns how many.
u32 ParticleSystem::advance_prewarmed(Particle* born, const u32* steps, u32 count) const {
  u32 alive = 0;
  for (u32 i = 0; i < count; ++i) {
    Particle p = born[i];
    Motion air = motion(step_, {});
    bool died = false;
    for (u32 left = steps[i]; left-- > 0 && !died;) {
      air.drift = Motion::drift_at(step_ > left ? step_ - left : 0);
      died = (air.step(p) & Happened::kDied) != 0;
    }
    if (!died) born[alive++] = p;
  }
  return alive;
}

// ---------------------------------------------------------------------------------------------------- the picture

bool ParticleSystem::build_snapshot(frame::RenderSnapshot& snapshot, frame::Amount density) {
  const bool drawn = drawn_ == Drawn::All || drawn_ == Drawn::Sorted;
  const bool good = drawn && density == density_ && particles_.live() == expected_live_;
  const bool shown_before = good && drawn_ == Drawn::Sorted;
  if (!good) {
    begin_picture(density);
    if (!slot_looks_.empty()) {
      draw_with_slot_looks();
    } else if (mask_of(density) == 0) {
      draw_all<false>();
    } else {
      draw_all<true>();
    }
    sort_alpha();
    ++pictures_walked_;
    drawn_ = Drawn::Nothing;  // nothing would mark it stale after a later change
  } else if (drawn_ == Drawn::All) {
    sort_alpha();
    drawn_ = Drawn::Sorted;
  }
  snapshot.additive_layer = {additive_.data(), additive_count_};
  snapshot.alpha_layer = {alpha_.data(), alpha_count_};
  return !shown_before;
}

void ParticleSystem::begin_picture(frame::Amount density) {
  drop_picture();
  memory_->picture.begin_frame();
  const u32 most = std::max(particles_.capacity(), particles_.live());  // particles are still to spawn
  additive_.take(memory_->picture, most);
  alpha_drawn_.take(memory_->picture, most);
  density_ = density;
}

void ParticleSystem::drop_picture() {
  alpha_.give_back();
  alpha_drawn_.give_back();
  additive_.give_back();
  additive_count_ = alpha_count_ = 0;
  drawn_ = Drawn::Nothing;
}

ParticleSystem::Brush ParticleSystem::brush() const {
  return {draw_rows_.data(),
          paces_.data(),
          looks_.data(),
          additive_.data() + additive_count_,
          alpha_drawn_.data() + alpha_count_,
          mask_of(density_)};
}

void ParticleSystem::put_down(const Brush& brush) {
  additive_count_ = static_cast<std::size_t>(brush.additive - additive_.data());
  alpha_count_ = static_cast<std::size_t>(brush.alpha - alpha_drawn_.data());
}

template <bool kThinned>
void ParticleSystem::draw_all() {
  particles_.visit([&](auto& pool) {
    Brush picture = brush();
    pool.for_each([&](const Particle& p) { picture.template draw<kThinned>(p); });
    put_down(picture);
  });
}

// ---------------------------------------------------------------------------------------- a constructor that forgets

void ParticleSystem::set_forgetful(bool on) {
  if (on == forgetful_) return;
  forgetful_ = on;
  if (on && slot_looks_.empty()) remember_looks();
}

void ParticleSystem::remember_looks() {
  slot_looks_.assign(std::max({particles_.capacity(), particles_.live(), 1u}), {});
  look_at_each([this](ParticleHandle handle, const Particle& p) { construct_look(handle.index, p, false); });
}

ParticleSystem::SlotLook ParticleSystem::look_of(const Particle& p) const {
  const ParticleStyle::Look& look = looks_[p.style * ParticleStyle::kSamples + ParticleStyle::kSamples / 8];
  const float r = look.r, g = look.g, b = look.b, most = std::max({r, g, b}), least = std::min({r, g, b}),
              range = most - least;
  float sixth = 0.0f;
  if (range > 0.0f) sixth = most == r ? (g - b) / range : most == g ? 2.0f + (b - r) / range : 4.0f + (r - g) / range;
  const auto speed = [](float units_per_s) {
    return static_cast<i8>(std::clamp(units_per_s * kStep_s * 16.0f, -127.0f, 127.0f));
  };
  return {static_cast<u8>(static_cast<i32>(sixth * (256.0f / 6.0f) + 256.0f)),
          most > 0.0f ? static_cast<u8>(255.0f * range / most) : u8{0}, speed(p.vx), speed(p.vy), false};
}

void ParticleSystem::construct_look(u32 slot, const Particle& p, bool forgets) {
  if (slot >= slot_looks_.size()) return;
  SlotLook& look = slot_looks_[slot];
  if (particles_.visit([](const auto& pool) { return pool.fill(); }))
    look = {0xCD, 0xCD, static_cast<i8>(0xCD), static_cast<i8>(0xCD), false};
  if (forgets) look.stale = true;
  else look = look_of(p);
}

void ParticleSystem::draw_with_slot_looks() {
  u32 stale = 0;
  Brush picture = brush();
  look_at_each([&](ParticleHandle handle, const Particle& p) {
    frame::ParticleInstance* const additive = picture.additive;
    AlphaEntry* const alpha = picture.alpha;
    picture.draw<true>(p);
    if (handle.index >= slot_looks_.size() || !slot_looks_[handle.index].stale) return;
    ++stale;
    if (picture.additive == additive && picture.alpha == alpha) return;  // not in the picture
    frame::ParticleInstance& drawn = picture.additive != additive ? *additive : alpha->instance;
    const SlotLook look = slot_looks_[handle.index];
    const float most = std::max({drawn.r, drawn.g, drawn.b}),
                pale = most * (1.0f - static_cast<float>(look.saturation) / 255.0f);
    const float sixth = static_cast<float>(look.hue) * (6.0f / 256.0f);
    const auto channel = [&](float at) {
      float away = std::fabs(sixth - at);
      away = std::min(away, 6.0f - away);
      return static_cast<u8>(lerp(pale, most, clamp01(2.0f - away)));
    };
    drawn.r = channel(0.0f);
    drawn.g = channel(2.0f);
    drawn.b = channel(4.0f);
    const u64 rate = p.clock_rate >> 32;
    const float steps = rate > 0 ? static_cast<float>(p.clock >> 32) / static_cast<float>(rate) : 0.0f;
    const auto moved = [&](i16 word, i8 speed) {
      return static_cast<i16>(
          std::clamp(static_cast<float>(word) + steps * static_cast<float>(speed) * (frame::kPositionScale / 16.0f),
                     -32'000.0f, 32'000.0f));
    };
    drawn.x = moved(drawn.x, look.dx);
    drawn.y = moved(drawn.y, look.dy);
    drawn.dx = static_cast<i16>(drawn.dx + look.dx * 2);
    drawn.dy = static_cast<i16>(drawn.dy + look.dy * 2);
  });
  put_down(picture);
  if (!forgetful_ && stale == 0) slot_looks_.clear();
}

void ParticleSystem::draw_births(std::span<const Particle> born) {
  const u32 live = particles_.live();
  // A stolen particle is already in the frame, or the pool grew.
  if (live != expected_live_ || live > additive_.size()) {
    drawn_ = Drawn::Nothing;
    return;
  }
  Brush picture = brush();
  for (const Particle& p : born) picture.draw<true>(p);
  put_down(picture);
}

void ParticleSystem::sort_alpha() {
  alpha_.take(memory_->picture, alpha_count_);
  {
    pool::FrameArray<RadixEntry> scratch, more_scratch;
    scratch.take(memory_->picture, alpha_count_);
    more_scratch.take(memory_->picture, alpha_count_);
    const auto id_of = [this](u32 i) { return alpha_drawn_[i].spawn_id; };
    frame::ParticleInstance* next = alpha_.data();
    for (const RadixEntry& entry : radix_order(static_cast<u32>(alpha_count_), id_of, {scratch.data(), alpha_count_},
                                               {more_scratch.data(), alpha_count_})) {
      *next++ = alpha_drawn_[entry.index].instance;
    }
  }
  alpha_drawn_.give_back();
}

void ParticleSystem::call_for_each(void* its, void (*f)(void*, ParticleHandle, const Particle&)) const {
  sim::call_for_each<Particle>(particles_, its, f);
}

u64 ParticleSystem::hash() const {
  StateHash h;
  add_objects(h, particles_, [](StateHash& one, const Particle& p) {
    one.add(p.spawn_id, p.x, p.y, p.vx, p.vy, p.clock, p.clock_rate, p.size, u32{p.style});
    if (p.floor_y != Particle::kNoFloor) one.add(i32{p.floor_y});
  });
  h.add(next_spawn_id_);
  for (u32 row = 0; row < kStyleRows; ++row) {
    if ((rows_[row].ways & MotionRow::kPull) != 0) h.add(row, origins_[row].x, origins_[row].y);
  }
  return h.value();
}

double particle_bytes_per_slot(pool::StrategyId strategy) {
  constexpr u32 kSlots = 20'000;
  pool::ExhibitPool<Particle> pool(strategy, kSlots);
  if (!pool::row(strategy).slow) {  // those that search have all their memory while they are empty, and would take long to fill
    pool.visit([](auto& storage) { storage.acquire_n(kSlots, [](u32) { return Particle{}; }); });
  }
  return static_cast<double>(pool.stats().bytes) / kSlots;
}

}  // namespace spellpool::sim
