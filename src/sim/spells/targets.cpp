#include "sim/spells/targets.hpp"

#include <algorithm>

#include "core/det_math.hpp"
#include "core/fixed_step.hpp"
#include "sim/core/shared_walk.hpp"

namespace spellpool::sim {
namespace {

using frame::SoundId;

constexpr u32 kDummyPoints = 10, kCrystalPoints = 15, kShatterPoints = 100, kWispPoints = 60;
constexpr float kCrystalHealth = 5.0f;
constexpr float kRegrow_s = 3.0f, kMend_s = 0.33f;
constexpr float kSolidGrowth = 0.6f;     // a crystal can be hit from here on
constexpr float kStandingRadius = 20.0f, kWispRadius = 16.0f;
constexpr float kBodyHeight = 14.0f;     // middle of the body above the feet
constexpr float kWispAway_s = 4.0f, kWispGather_s = 0.8f;
constexpr float kWispReach = 262.0f;     // they turn back before the runes
constexpr float kStartleRadius = 120.0f;

struct Place {
  Standing::Kind kind;
  float x, y;
};
// Dummies in front, crystals at the rim; the mage starts a little below the middle.
constexpr Place kPlaces[] = {
    {Standing::Kind::Dummy, -172.0f, -78.0f},    {Standing::Kind::Dummy, 0.0f, -190.0f},    {Standing::Kind::Dummy, 172.0f, -78.0f},
    {Standing::Kind::Dummy, -150.0f, 148.0f},    {Standing::Kind::Dummy, 150.0f, 148.0f},   {Standing::Kind::Crystal, -240.0f, 32.0f},
    {Standing::Kind::Crystal, -108.0f, -206.0f}, {Standing::Kind::Crystal, 108.0f, -206.0f}, {Standing::Kind::Crystal, 240.0f, 32.0f},
};

float fade(float value, float per_s) { return std::max(0.0f, value - per_s * kStep_s); }
bool solid(const Standing& s) { return s.kind == Standing::Kind::Dummy || s.growth >= kSolidGrowth; }
bool solid(const Wisp& w) { return w.away_s <= 0.0f && w.there >= 0.5f; }

/// A stream of its own for each wisp and occasion.
Rng wisp_rng(u64 seed, u64 spawn_id, u64 occasion) {
  return Rng(mix64(seed ^ mix64(spawn_id * 0x9e3779b97f4a7c15ull + occasion)));
}

/// Where a wisp would like to be: two slow circles of different length, so that the path closes only after minutes.
void choose_goal(const Wisp& wisp, u64 seed, float& x, float& y) {
  Rng rng = wisp_rng(seed, wisp.spawn_id, 0);
  const float start = rng.unit();
  const float wide = rng.range(105.0f, 215.0f);
  const float small = rng.range(30.0f, 62.0f);
  const float sense = rng.unit() < 0.5f ? -1.0f : 1.0f;
  const float slow = start + sense * wisp.phase, quick = start * 3.0f - sense * wisp.phase * 2.6f;
  x = cos_turns(slow) * wide + cos_turns(quick) * small;
  y = sin_turns(slow) * wide * 0.86f + sin_turns(quick) * small;
}

}  // namespace

Targets::Targets(u64 seed, const PoolChoice& wisps, std::pmr::memory_resource* memory)
    : seed_(seed), wisps_(wisps.strategy, wisps.size()), memory_(memory ? memory : std::pmr::new_delete_resource()) {
  (void)wisps_.set_policy(wisps.policy);
  for (const Place& place : kPlaces) {
    Standing s;
    s.kind = place.kind;
    s.x = place.x;
    s.y = place.y;
    standing_.push_back(s);
  }
  keep_wisps(0);
  put_in_order();
}

// Whatever goes through all storages is compiled here, and not in each file that knows a target.
Targets::Targets(Targets&&) noexcept = default;
Targets::~Targets() = default;
void Targets::trim(u32 keep_free) { wisps_.trim(keep_free); }
void Targets::set_fill(bool on) { wisps_.set_fill(on); }
pool::ConstFieldRef<Wisp> Targets::wisp(WispHandle handle) const { return wisps_.peek(handle); }
void Targets::set_strategy(pool::StrategyId strategy) { wisps_.set_strategy(strategy); }
void Targets::set_policy(pool::PolicyId policy) { (void)wisps_.set_policy(policy); }
void Targets::set_capacity(u32 capacity) { (void)wisps_.set_capacity(capacity); }

void Targets::step(u64 step, Effects& effects) {
  step_standing(effects);
  step_wisps(step, effects);
  views_.take(*memory_, standing_.size() + kWisps);
  view_count_ = 0;
  for (u32 i = 0; i < standing_.size(); ++i) {
    const Standing& s = standing_[i];
    if (solid(s)) views_[view_count_++] = {{i, {}}, s.x, s.y - kBodyHeight, kStandingRadius};
  }
  for (u32 i = 0; i < order_count_; ++i) {
    const auto held = wisps_.peek(order_[i].handle);
    const Wisp& w = *held;
    if (solid(w)) views_[view_count_++] = {{TargetRef::kWisp, order_[i].handle}, w.x, w.y, kWispRadius};
  }
}

void Targets::step_standing(Effects& effects) {
  for (Standing& s : standing_) {
    s.flash = fade(s.flash, 3.5f);
    s.frost = fade(s.frost, 0.4f);
    s.poison = fade(s.poison, 0.7f);
    s.sway_speed += (-s.sway * 60.0f - s.sway_speed * 3.2f) * kStep_s;
    s.sway = std::clamp(s.sway + s.sway_speed * kStep_s, -1.0f, 1.0f);
    if (s.kind == Standing::Kind::Dummy) continue;
    s.growth = std::min(1.0f, s.growth + kStep_s / (s.mending ? kMend_s : kRegrow_s));
    if (s.growth < 1.0f) continue;
    s.mending = false;
    effects.run(ArenaEmitter::Twinkle, s.carry, EmitPlace::at(s.x, s.y - 20.0f));
  }
}

// ---------------------------------------------------------------------------------------------------- wisps

void Targets::keep_wisps(u64 step) {
  // The capacity is asked, not the policy: a full pool that steals would end a wisp for each new one.
  while (wisps_.live() < std::min(kWisps, wisps_.capacity())) {
    Wisp wisp;
    wisp.spawn_id = next_spawn_id_++;
    Rng rng = wisp_rng(seed_, wisp.spawn_id, 1);
    wisp.phase = rng.unit();
    choose_goal(wisp, seed_, wisp.x, wisp.y);
    wisp.previous_x = wisp.x;
    wisp.previous_y = wisp.y;
    wisp.there = step == 0 ? 1.0f : 0.0f;
    if (!wisps_.acquire(wisp)) return;
  }
}

void Targets::put_in_order() {
  order_count_ = 0;
  wisps_.visit([&](auto& pool) {
    pool.for_each_handle([&](WispHandle handle, const Wisp& wisp) {
      if (order_count_ < kWisps) order_[order_count_++] = {wisp.spawn_id, handle};
    });
  });
  std::sort(order_.begin(), order_.begin() + order_count_,
            [](const Ordered& a, const Ordered& b) { return a.spawn_id < b.spawn_id; });
}

void Targets::step_wisps(u64 step, Effects& effects) {
  constexpr float kPace_per_s = 0.021f;  // turns of the wide circle
  keep_wisps(step);
  put_in_order();
  for (u32 i = 0; i < order_count_; ++i) {
    const auto held = wisps_.get(order_[i].handle);
    Wisp& w = *held;
    w.previous_x = w.x;
    w.previous_y = w.y;
    w.flash = fade(w.flash, 2.5f);
    w.phase += kPace_per_s * kStep_s;
    if (w.phase >= 1000.0f) w.phase -= 1000.0f;
    if (w.away_s > 0.0f) {
      w.there = fade(w.there, 6.0f);
      w.away_s -= kStep_s;
      if (w.away_s <= 0.0f) gather(w, step, effects);
      continue;
    }
    w.there = std::min(1.0f, w.there + kStep_s / kWispGather_s);

    float goal_x, goal_y;
    choose_goal(w, seed_, goal_x, goal_y);
    w.vx += ((goal_x - w.x) * 2.2f - w.vx * 2.4f) * kStep_s;
    w.vy += ((goal_y - w.y) * 2.2f - w.vy * 2.4f) * kStep_s;
    const float pace = length(w.vx, w.vy);
    if (pace > 340.0f) {
      w.vx *= 340.0f / pace;
      w.vy *= 340.0f / pace;
    }
    w.x += w.vx * kStep_s;
    w.y += w.vy * kStep_s;
    const float out = length(w.x, w.y);
    if (out > kWispReach) {
      w.x *= kWispReach / out;
      w.y *= kWispReach / out;
    }
    effects.run(ArenaEmitter::WispTail, w.carry,
                {w.previous_x, w.previous_y, w.x, w.y, atan2_turns(w.vy, w.vx) + 0.5f, w.vx, w.vy}, w.there);
  }
}

void Targets::gather(Wisp& w, u64 step, Effects& effects) {
  // Elsewhere: far along its own path, which leads through the whole arena.
  Rng rng = wisp_rng(seed_, w.spawn_id, step + 2);
  w.away_s = 0.0f;
  w.there = 0.0f;
  w.flash = 0.0f;
  w.vx = w.vy = 0.0f;
  w.phase += rng.range(0.22f, 0.78f);
  choose_goal(w, seed_, w.x, w.y);
  w.previous_x = w.x;
  w.previous_y = w.y;
  effects.burst(ArenaEmitter::WispGather, EmitPlace::at(w.x, w.y));
  effects.sound(SoundId::WispReturn, 0.35f, w.x, w.y, 0.0f, 1.0f);
}

void Targets::startle(float x, float y) {
  for (u32 i = 0; i < order_count_; ++i) {
    const auto held = wisps_.get(order_[i].handle);
    Wisp& w = *held;
    const float dx = w.x - x, dy = w.y - y;
    const float d = length(dx, dy);
    if (d >= kStartleRadius || d <= 0.0f || w.away_s > 0.0f) continue;
    const float push = 190.0f * (1.0f - d / kStartleRadius) / d;
    w.vx += dx * push;
    w.vy += dy * push;
    w.flash = std::max(w.flash, 0.35f);
  }
}

// ---------------------------------------------------------------------------------------------------- blows

bool Targets::hit(const TargetRef& ref, const Blow& blow, Effects& effects, Challenge& challenge) {
  if (ref.standing != TargetRef::kWisp) return hit_standing(ref.standing, blow, effects, challenge);
  return hit_wisp(ref.wisp, blow, effects, challenge);
}

bool Targets::hit_standing(u32 index, const Blow& blow, Effects& effects, Challenge& challenge) {
  if (index >= standing_.size() || !solid(standing_[index])) return false;
  Standing& s = standing_[index];
  const float away = atan2_turns(s.y - blow.from_y, s.x - blow.from_x);
  s.flash = 1.0f;
  startle(s.x, s.y - kBodyHeight);
  effects.number(s.x, s.y - kBodyHeight, blow.power, blow.r, blow.g, blow.b);
  if (s.kind == Standing::Kind::Dummy) {
    s.sway_speed =
        std::clamp(s.sway_speed + cos_turns(away) * (2.0f + 3.0f * std::min(blow.power, 3.0f)), -12.0f, 12.0f);
    if (blow.freezes) s.frost = 1.0f;
    if (blow.poisons) s.poison = 1.0f;
    const float share = std::clamp(blow.power, 0.3f, 2.0f);
    effects.burst(ArenaEmitter::Straw, EmitPlace::at(s.x, s.y - 18.0f, away), share);
    effects.burst(ArenaEmitter::Chaff, EmitPlace::at(s.x, s.y - 10.0f, away), share);
    effects.sound(SoundId::DummyHit, 0.6f, s.x, s.y, 0.0f, 0.5f);
    challenge.on_hit(blow.spell, kDummyPoints, s.x, s.y, effects);
    return true;
  }
  s.health -= blow.power;
  const EmitPlace place = EmitPlace::at(s.x, s.y - 18.0f, away);
  effects.burst(ArenaEmitter::CrystalSpark, place);
  if (s.health > 0.0f) {
    effects.sound(SoundId::CrystalChime, 0.7f, s.x, s.y, 5.0f - static_cast<float>(static_cast<i32>(s.health)));
    challenge.on_hit(blow.spell, kCrystalPoints, s.x, s.y, effects);
    return true;
  }
  s.health = kCrystalHealth;
  s.growth = 0.0f;
  s.mending = false;
  effects.burst(ArenaEmitter::CrystalShard, place);
  effects.sound(SoundId::CrystalShatter, 1.0f, s.x, s.y, 0.0f, 0.5f);
  effects.flash(s.x, s.y, 280.0f, blow.r * 1.2f, blow.g * 1.2f, blow.b * 1.2f, 0.6f);
  effects.shake(0.35f);
  challenge.on_hit(blow.spell, kShatterPoints, s.x, s.y, effects);
  return true;
}

bool Targets::hit_wisp(WispHandle handle, const Blow& blow, Effects& effects, Challenge& challenge) {
  float x, y, vx, vy;
  {
    const auto held = wisps_.get(handle);
    if (!held || !solid(*held)) return false;
    Wisp& w = *held;
    w.flash = 1.0f;
    w.there = 0.0f;  // the burst stands in its place
    Rng rng = wisp_rng(seed_, w.spawn_id, static_cast<u64>(static_cast<i64>(w.phase * 65536.0f)) + 2);
    w.away_s = kWispAway_s + 0.6f * rng.signed_unit();
    x = w.x;
    y = w.y;
    vx = w.vx;
    vy = w.vy;
  }
  const float away = atan2_turns(y - blow.from_y, x - blow.from_x);
  startle(x, y);
  effects.burst(ArenaEmitter::WispScatter, EmitPlace::at(x, y, away, vx, vy));
  effects.flash(x, y, 170.0f, 0.5f, 0.85f, 0.75f, 0.5f);
  effects.sound(SoundId::WispScatter, 0.7f, x, y, 0.0f, 1.0f);
  challenge.on_hit(blow.spell, kWispPoints, x, y, effects);
  return true;
}

bool Targets::place_of(const TargetRef& ref, float& x, float& y) const {
  if (ref.standing != TargetRef::kWisp) {
    if (ref.standing >= standing_.size() || !solid(standing_[ref.standing])) return false;
    x = standing_[ref.standing].x;
    y = standing_[ref.standing].y - kBodyHeight;
    return true;
  }
  const auto w = wisps_.peek(ref.wisp);
  if (!w || !solid(*w)) return false;
  x = w->x;
  y = w->y;
  return true;
}

void Targets::draw_toward(const TargetRef& ref, float x, float y, float strength) {
  if (ref.standing != TargetRef::kWisp) {
    if (ref.standing >= standing_.size()) return;
    Standing& s = standing_[ref.standing];
    s.sway_speed += (x > s.x ? 24.0f : -24.0f) * strength * kStep_s;
    return;
  }
  const auto w = wisps_.get(ref.wisp);
  if (!w || !solid(*w)) return;
  const float dx = x - w->x, dy = y - w->y;
  const float k = 420.0f * strength * kStep_s / (length(dx, dy) + 12.0f);
  w->vx += dx * k;
  w->vy += dy * k;
}

u32 Targets::heal(float x, float y, float radius, Effects& effects) {
  u32 healed = 0;
  for (Standing& s : standing_) {
    if (s.kind != Standing::Kind::Crystal || s.growth >= 1.0f || s.mending) continue;
    if (length(s.x - x, s.y - y) > radius) continue;
    s.mending = true;
    ++healed;
    effects.burst(ArenaEmitter::CrystalMend, EmitPlace::at(s.x, s.y - 18.0f));
    effects.sound(SoundId::CrystalChime, 0.5f, s.x, s.y, 7.0f);
  }
  return healed;
}

void Targets::make_whole(Effects& effects) {
  heal(0.0f, 0.0f, 1000.0f, effects);
  for (Standing& s : standing_) {
    s.health = kCrystalHealth;
    s.frost = s.poison = 0.0f;
  }
  for (u32 i = 0; i < order_count_; ++i) {
    const auto held = wisps_.get(order_[i].handle);
    Wisp& w = *held;
    w.away_s = std::min(w.away_s, kStep_s);
  }
}

void Targets::save(State& state) const {
  state.standing = standing_;
  wisps_.save(state.wisps);
  state.order = order_;
  state.order_count = order_count_;
  state.next_spawn_id = next_spawn_id_;
}

void Targets::restore(const State& state) {
  forget_views();
  standing_ = state.standing;
  wisps_.restore(state.wisps);
  order_ = state.order;
  order_count_ = state.order_count;
  next_spawn_id_ = state.next_spawn_id;
}

void Targets::add_to(StateHash& hash) const {
  for (const Standing& s : standing_) {
    hash.add(static_cast<u8>(s.kind), s.x, s.y, s.flash, s.sway, s.sway_speed, s.frost, s.poison);
    hash.add(s.health, s.growth, static_cast<u8>(s.mending), s.carry);
  }
  add_objects(hash, wisps_, [](StateHash& h, const Wisp& w) {
    h.add(w.spawn_id, w.x, w.y, w.vx, w.vy, w.flash, w.there, w.away_s, w.phase, w.carry);
  });
  hash.add(next_spawn_id_);
}

}  // namespace spellpool::sim
