#include "sim/spells/spell_seekers.hpp"

#include "sim/core/kept_handle.hpp"
#include "sim/core/shared_walk.hpp"

namespace spellpool::sim {
namespace {

using frame::EmitterRole;
using frame::SpellDef;

constexpr float kContact = 18.0f;

/// The nearest wisp that is there, or the null handle.
WispHandle nearest_wisp(const Targets& targets, float x, float y) {
  WispHandle nearest{};
  float least = 1e18f;
  for (const TargetView& view : targets.views()) {
    if (view.ref.standing != TargetRef::kWisp) continue;
    const float d2 = (view.x - x) * (view.x - x) + (view.y - y) * (view.y - y);
    if (d2 >= least) continue;
    least = d2;
    nearest = view.ref.wisp;
  }
  return nearest;
}

}  // namespace

Seekers::Seekers(const PoolChoice& choice) : pool_(choice.strategy, choice.size()) {
  (void)pool_.set_policy(choice.policy);
  reserve();
}

// Whatever goes through all storages is compiled here, and not in each file that knows a seeker.
Seekers::Seekers(Seekers&&) noexcept = default;
Seekers::~Seekers() = default;
void Seekers::set_strategy(pool::StrategyId strategy) { pool_.set_strategy(strategy); }
void Seekers::trim(u32 keep_free) { pool_.trim(keep_free); }
void Seekers::set_fill(bool on) { pool_.set_fill(on); }
pool::ConstFieldRef<Seeker> Seekers::get(SeekerHandle handle) const { return pool_.peek(handle); }
void Seekers::set_policy(pool::PolicyId policy) { (void)pool_.set_policy(policy); }
void Seekers::set_capacity(u32 capacity) {
  (void)pool_.set_capacity(capacity);
  reserve();
}
void Seekers::reserve() { order_.reserve(std::max(pool_.capacity(), pool_.live())); }

void Seekers::ask(const Seeker& newborn) {
  if (birth_count_ < kMostBirthsPerStep) births_[birth_count_++] = newborn;
}

void Seekers::list() {
  order_.clear();
  pool_.visit([&](auto& pool) {
    pool.for_each_handle([&](SeekerHandle handle, const Seeker& seeker) {
      order_.push_back({seeker.spawn_id, handle});
    });
  });
  std::sort(order_.begin(), order_.end(), [](const Entry& a, const Entry& b) { return a.spawn_id < b.spawn_id; });
}

void Seekers::move(SpellScope& scope) {
  list();
  for (const Entry& entry : order_) {
    const auto held = pool_.get(entry.handle);
    Seeker& seeker = *held;
    steer(seeker, scope);
    seeker.previous_x = seeker.x;
    seeker.previous_y = seeker.y;
    seeker.x += seeker.vx * kStep_s;
    seeker.y += seeker.vy * kStep_s;
    seeker.age_s += kStep_s;
    const EmitPlace behind{
        seeker.previous_x, seeker.previous_y, seeker.x, seeker.y, atan2_turns(seeker.vy, seeker.vx) + 0.5f,
        seeker.vx,         seeker.vy};
    scope.effects.run(seeker.spell, EmitterRole::Seek, seeker.carry, behind);
    if (seeker.age_s >= kLife_s) {
      seeker.done = true;
      scope.effects.burst(seeker.spell, EmitterRole::Heal, EmitPlace::at(seeker.x, seeker.y), 0.3f);
    }
  }
}

void Seekers::steer(Seeker& seeker, SpellScope& scope) {
  TargetRef ref{TargetRef::kWisp, seeker.target};
  float goal_x = 0.0f, goal_y = 0.0f;
  bool there = scope.targets.place_of(ref, goal_x, goal_y);
  if (!there) {
    const WispHandle other = nearest_wisp(scope.targets, seeker.x, seeker.y);
    if (!other.is_null()) {
      seeker.target = ref.wisp = kept(other);
      seeker.target_id = scope.targets.wisp(other)->spawn_id;
      there = scope.targets.place_of(ref, goal_x, goal_y);
    }
  }
  const float heading = atan2_turns(seeker.vy, seeker.vx);
  float off;  // turns, −0.5 … 0.5
  if (there) {
    off = atan2_turns(goal_y - seeker.y, goal_x - seeker.x) - heading;
    if (off > 0.5f) off -= 1.0f;
    if (off < -0.5f) off += 1.0f;
  } else {
    off = 0.012f * sin_turns(seeker.age_s * 1.3f + static_cast<float>(seeker.spawn_id % 16) / 16.0f);  // it wanders
  }
  // It leaves in a wide curve and turns tighter with time, so that it cannot circle its target for ever.
  const float most = (0.35f + 1.5f * seeker.age_s) * kStep_s;
  const float next = heading + std::clamp(off, -most, most);
  const float pace = seeker.speed * (0.45f + 0.55f * smooth(clamp01(seeker.age_s / 0.6f)));
  seeker.vx = cos_turns(next) * pace;
  seeker.vy = sin_turns(next) * pace;
}

void Seekers::collide(SpellScope& scope) {
  for (const Entry& entry : order_) {
    const auto held = pool_.get(entry.handle);
    Seeker& seeker = *held;
    if (seeker.done) continue;
    const TargetRef ref{TargetRef::kWisp, seeker.target};
    float x = 0.0f, y = 0.0f;
    if (!scope.targets.place_of(ref, x, y)) continue;
    if (segment_distance2(x, y, seeker.previous_x, seeker.previous_y, seeker.x, seeker.y) > kContact * kContact)
      continue;
    seeker.done = true;
    const SpellDef& def = scope.def(seeker.spell);
    const Blow blow = blow_of(seeker.spell, def, seeker.previous_x, seeker.previous_y, seeker.power);
    scope.targets.hit(ref, blow, scope.effects, scope.challenge);
    scope.effects.burst(seeker.spell, EmitterRole::Heal, EmitPlace::at(x, y), seeker.factor);
    scope.effects.flash(x, y, 110.0f, def, 0.6f * def.light, 0.4f);
    scope.effects.sound(def.sound_hit, 0.5f, x, y, 0.0f, 2.0f);
  }
}

void Seekers::despawn() {
  pool_.visit([](auto& pool) { pool.release_if([](const Seeker& seeker) { return seeker.done; }); });
}

void Seekers::spawn() {
  for (u32 i = 0; i < birth_count_; ++i) {
    births_[i].spawn_id = next_spawn_id_++;  // one that a full pool refuses uses up its id all the same
    pool_.acquire(births_[i]);
  }
  birth_count_ = 0;
}

void Seekers::draw_air(Canvas& canvas) {
  for_each([&](SeekerHandle, const Seeker& seeker) {
    const SpellDef& def = canvas.def(seeker.spell);
    const float there = smooth(clamp01(seeker.age_s / 0.15f)) * clamp01((kLife_s - seeker.age_s) / 0.3f);
    frame::SpriteInstance& head =
        canvas.sprite(frame::SpriteKind::Seeker, seeker.x, seeker.y, 22.0f * std::sqrt(seeker.factor) * there, def);
    head.previous_x = seeker.previous_x;
    head.previous_y = seeker.previous_y;
    head.angle_turns = atan2_turns(seeker.vy, seeker.vx);
    canvas.light(seeker.x, seeker.y, seeker.previous_x, seeker.previous_y, 80.0f, def, 0.35f * def.light * there);
  });
}

void Seekers::save(State& state) const {
  pool_.save(state.seekers);
  state.next_spawn_id = next_spawn_id_;
}

void Seekers::restore(const State& state) {
  pool_.restore(state.seekers);
  reserve();
  birth_count_ = 0;
  next_spawn_id_ = state.next_spawn_id;
}

void Seekers::add_to(StateHash& hash) const {
  add_objects(hash, pool_, [](StateHash& h, const Seeker& s) {
    h.add(s.spawn_id, s.x, s.y, s.vx, s.vy, s.age_s, s.speed, s.power, s.factor, s.carry);
    h.add(s.target_id, s.spell);
  });
  hash.add(next_spawn_id_);
}

}  // namespace spellpool::sim
