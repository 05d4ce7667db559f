#include "sim/shooter/shooter_enemies.hpp"

#include <cmath>

#include "core/det_math.hpp"
#include "core/fixed_step.hpp"
#include "frame/defs/stage_needs.hpp"
#include "sim/core/kept_handle.hpp"

namespace spellpool::sim {
namespace {

using frame::BossDef;
using frame::BossPhase;
using frame::EnemyKind;
using frame::PathPoint;
using frame::WaveDef;

u64 steps_at(float seconds) { return static_cast<u64>(seconds * 60.0f + 0.5f); }

bool path_over(const Enemy& enemy, const WaveDef& wave) {
  return static_cast<float>(enemy.age) * kStep_s >= frame::path_s(wave.path);
}

void between(const PathPoint& from, const PathPoint& to, float part, float& x, float& y) {
  const float t = smooth(clamp01(part));
  x = lerp(from.x, to.x, t);
  y = lerp(from.y, to.y, t);
}

}  // namespace

bool place_on(std::span<const PathPoint> path, float time_s, float& x, float& y) {
  for (std::size_t i = 1; i < path.size(); ++i) {
    if (time_s < path[i].time_s) {
      between(path[i - 1], path[i], time_s / path[i].time_s, x, y);
      return true;
    }
    time_s -= path[i].time_s;
  }
  return false;
}

void place_round(std::span<const PathPoint> path, float time_s, float& x, float& y) {
  x = path[0].x;
  y = path[0].y;
  if (path.size() < 2) return;
  float round_s = 0.0f;
  for (std::size_t i = 1; i < path.size(); ++i) round_s += path[i].time_s;
  if (!(round_s > 0.0f)) return;
  // From the first point to the second, then on; from the last back to the second.
  std::size_t from = 0, to = 1;
  for (u32 hops = 0; hops < 4096; ++hops) {
    const float hop_s = std::max(path[to].time_s, kStep_s);
    if (time_s < hop_s) {
      between(path[from], path[to], time_s / hop_s, x, y);
      return;
    }
    time_s -= hop_s;
    from = to;
    to = to + 1 < path.size() ? to + 1 : 1;
    if (path.size() == 2) {
      x = path[1].x;
      y = path[1].y;
      return;
    }
  }
}

void Enemies::arrive(u64 clock) {
  for (std::size_t w = 0; w < stage_->waves.size(); ++w) {
    const WaveDef& wave = stage_->waves[w];
    const u64 from = steps_at(wave.at_s), every = steps_at(wave.every_s);
    if (clock < from) break;  // waves stand by time
    const u64 since = clock - from;
    const u64 first = every == 0 ? 0 : since / every;
    if (every == 0 ? since != 0 : (since % every != 0 || first >= wave.count)) continue;
    const u64 last = every == 0 ? wave.count : first + 1;
    for (u64 i = first; i < last; ++i) {
      Enemy enemy;
      enemy.kind = wave.kind;
      enemy.health = frame::row(wave.kind).health * wave.health;
      enemy.wave = static_cast<u16>(w);
      enemy.ordinal = static_cast<u16>(i);
      ask(enemy);
    }
  }
  if (boss_due(clock)) begin_boss();
}

bool Enemies::boss_due(u64 clock) const {
  return !boss_.there && next_boss_ < stage_->bosses.size() && clock >= steps_at(stage_->bosses[next_boss_].at_s);
}

void Enemies::begin_boss() {
  const BossDef& def = stage_->bosses[next_boss_];
  boss_ = {};
  boss_.there = true;
  boss_.boss = static_cast<u16>(next_boss_++);
  boss_.health = boss_.full = def.phases[0].health;
  boss_.from_x = 0.0f;
  boss_.from_y = -frame::kFieldHalfHeight - 120.0f;
  const bool winged = frame::row(def.kind).parts == 3;
  for (const EnemyPart part : {EnemyPart::Heart, EnemyPart::LeftWing, EnemyPart::RightWing}) {
    if (part != EnemyPart::Heart && !winged) break;
    Enemy enemy;
    enemy.kind = def.kind;
    enemy.part = part;
    enemy.wave = boss_.boss;
    enemy.x = enemy.previous_x = boss_.from_x;
    enemy.y = enemy.previous_y = boss_.from_y;
    ask(enemy);
  }
}

bool Enemies::phase_over() const {
  if (!boss_.there) return false;
  const BossPhase& phase = stage_->bosses[boss_.boss].phases[boss_.phase];
  return boss_.health <= 0.0f || boss_.phase_steps >= kBossRest_steps + steps_at(phase.time_s);
}

float Enemies::phase_left_s() const {
  if (!boss_.there) return 0.0f;
  const u64 whole = kBossRest_steps + steps_at(stage_->bosses[boss_.boss].phases[boss_.phase].time_s);
  return boss_.phase_steps < whole ? static_cast<float>(whole - boss_.phase_steps) * kStep_s : 0.0f;
}

bool Enemies::end_phase(Effects& effects) {
  float x = boss_.from_x, y = boss_.from_y;
  if (const auto heart = objects_.peek(boss_.heart)) {
    x = (*heart).x;
    y = (*heart).y;
  }
  effects.shake(0.8f);
  effects.flash(x, y, 360.0f, 1.0f, 0.8f, 0.6f, 0.7f);
  const std::vector<BossPhase>& phases = stage_->bosses[boss_.boss].phases;
  if (boss_.phase + 1u < phases.size()) {
    ++boss_.phase;
    boss_.health = boss_.full = phases[boss_.phase].health;
    boss_.phase_steps = 0;
    boss_.from_x = x;
    boss_.from_y = y;
    return false;
  }
  boss_.there = false;
  objects_.change_each([](Enemy& enemy) { enemy.gone = enemy.gone || enemy.part != EnemyPart::Whole; });
  return true;
}

void Enemies::move_boss(Enemy& enemy, Bullets& bullets) {
  const BossPhase& phase = stage_->bosses[boss_.boss].phases[boss_.phase];
  const u32 age = boss_.phase_steps;
  if (age < kBossRest_steps) {
    const float t = smooth(static_cast<float>(age) / static_cast<float>(kBossRest_steps));
    enemy.x = lerp(boss_.from_x, phase.path[0].x, t);
    enemy.y = lerp(boss_.from_y, phase.path[0].y, t);
  } else {
    place_round(phase.path, static_cast<float>(age - kBossRest_steps) * kStep_s, enemy.x, enemy.y);
    for (const i32 pattern : phase.patterns)
      bullets.play(pattern, age - kBossRest_steps, enemy.x, enemy.y, enemy.spawn_id);
  }
}

void Enemies::leave() {
  objects_.change_each([](Enemy& enemy) { enemy.gone = true; });
  boss_ = {};
  next_boss_ = 0;
  birth_count_ = 0;
}

bool Enemies::place(Enemy& enemy, CraneGuide& guide, CraneRules& rules) const {
  constexpr u32 kMostLate_steps = 600;  // then a crane that found no way gives up
  const WaveDef& wave = stage_->waves[enemy.wave];
  const bool led = rules.on() && enemy.kind == EnemyKind::Crane && enemy.age > 0;
  float x = 0.0f, y = 0.0f;
  if (!place_on(wave.path, static_cast<float>(enemy.age) * kStep_s, x, y)) {
    if (!led) return false;
    x = wave.path.back().x;
    y = wave.path.back().y;
  }
  const float k = static_cast<float>(enemy.ordinal);
  x += wave.step_x * k;
  y += wave.step_y * k;
  if (wave.mirror && enemy.ordinal % 2 == 1) x = -x;
  if (!led) {
    enemy.x = x;
    enemy.y = y;
    enemy.way = CraneWay::Path;
    return true;
  }
  enemy.way = guide.lead(rules, enemy.x, enemy.y, x, y);
  const bool arrived = std::fabs(enemy.x - x) + std::fabs(enemy.y - y) < 1.0f;
  return !path_over(enemy, wave) || (!arrived && enemy.age < steps_at(frame::path_s(wave.path)) + kMostLate_steps);
}

void Enemies::move(Bullets& bullets, bool runs, CraneGuide& guide, CraneRules& rules) {
  if (!runs) {
    objects_.for_each([](Enemy& enemy) {
      enemy.previous_x = enemy.x;
      enemy.previous_y = enemy.y;
    });
    return;
  }
  if (boss_.there) ++boss_.phase_steps;
  for (const auto& entry : objects_.list()) {
    const auto held = objects_.get(entry.handle);
    Enemy& enemy = *held;
    enemy.previous_x = enemy.x;
    enemy.previous_y = enemy.y;
    enemy.flash = std::max(0.0f, enemy.flash - 8.0f * kStep_s);
    enemy.there = std::min(1.0f, enemy.there + 3.0f * kStep_s);
    if (enemy.part == EnemyPart::Heart) {
      move_boss(enemy, bullets);
    } else if (enemy.part != EnemyPart::Whole) {
      const auto heart = objects_.peek(enemy.heart);  // older than its wings, so it has moved already
      if (!heart) {
        enemy.gone = true;
        continue;
      }
      const Enemy& h = *heart;
      enemy.x = h.x + (enemy.part == EnemyPart::LeftWing ? -72.0f : 72.0f);
      enemy.y = h.y - 6.0f + 4.0f * sin_turns(static_cast<float>(enemy.age % 90) / 90.0f);
    } else {
      const WaveDef& wave = stage_->waves[enemy.wave];
      if (!place(enemy, guide, rules)) {
        enemy.gone = true;
        continue;
      }
      const u32 fire = static_cast<u32>(steps_at(wave.fire_s));
      const bool inside = enemy.y > -frame::kFieldHalfHeight && enemy.y < frame::kFieldHalfHeight * 0.75f &&
                          enemy.x > -frame::kFieldHalfWidth && enemy.x < frame::kFieldHalfWidth;
      if (enemy.age >= fire && inside) bullets.play(wave.pattern, enemy.age - fire, enemy.x, enemy.y, enemy.spawn_id);
    }
    if (enemy.age == 0) {
      enemy.previous_x = enemy.x;
      enemy.previous_y = enemy.y;
    }
    ++enemy.age;
  }
}

bool Enemies::hurt(Handle<Enemy> handle, float damage) {
  const auto held = objects_.get(handle);
  if (!held) return false;
  Enemy& enemy = *held;
  if (enemy.gone) return false;
  enemy.flash = 1.0f;
  if (enemy.part != EnemyPart::Whole) {
    if (!boss_.there || boss_.phase_steps < kBossRest_steps || boss_.health <= 0.0f) return false;
    boss_.health -= enemy.part == EnemyPart::Heart ? damage : 0.6f * damage;  // a wing shields
    return boss_.health <= 0.0f;
  }
  enemy.health -= damage;
  if (enemy.health > 0.0f) return false;
  enemy.gone = true;
  return true;
}

void Enemies::despawn() {
  objects_.release_if([](const Enemy& enemy) { return enemy.gone; });
}

void Enemies::spawn() {
  for (u32 i = 0; i < birth_count_; ++i) {
    Enemy& newborn = births_[i];
    if (newborn.part == EnemyPart::LeftWing || newborn.part == EnemyPart::RightWing) newborn.heart = boss_.heart;
    if (objects_.live() == objects_.capacity()) end_late_crane();
    // A boss is needed to end the stage: it gets its slots whatever else is there.
    const Handle<Enemy> handle =
        newborn.part == EnemyPart::Whole ? objects_.add(newborn) : objects_.add_anyway(newborn);
    if (newborn.part == EnemyPart::Heart) boss_.heart = kept(handle);
  }
  birth_count_ = 0;
}

void Enemies::end_late_crane() {
  for (const auto& entry : objects_.list()) {
    const auto held = objects_.peek(entry.handle);
    const Enemy& enemy = *held;
    if (enemy.way == CraneWay::Path || !path_over(enemy, stage_->waves[enemy.wave])) continue;
    objects_.release_if([late = entry.spawn_id](const Enemy& other) { return other.spawn_id == late; });
    return;
  }
}

bool Enemies::done(u64 clock) const {
  if (boss_.there || next_boss_ < stage_->bosses.size() || objects_.live() > 0 || birth_count_ > 0) return false;
  for (const WaveDef& wave : stage_->waves) {
    if (clock <= steps_at(wave.at_s) + steps_at(wave.every_s) * (wave.count - 1)) return false;
  }
  return true;
}

void Enemies::save(State& state) const {
  objects_.save(state.enemies);
  state.next_boss = next_boss_;
  state.boss = boss_;
}

void Enemies::restore(const State& state) {
  objects_.restore(state.enemies);
  birth_count_ = 0;
  next_boss_ = state.next_boss;
  boss_ = state.boss;
}

void Enemies::add_to(StateHash& hash) const {
  objects_.add_to(hash, [](StateHash& h, const Enemy& e) {
    h.add(e.spawn_id, e.x, e.y, e.health, e.flash, e.there, e.age, e.wave, e.ordinal, e.kind, e.part);
    if (e.way != CraneWay::Path) h.add(e.way);
  });
  hash.add(next_boss_);
  hash.add(boss_.there, boss_.boss, boss_.phase, boss_.health, boss_.phase_steps, boss_.from_x, boss_.from_y);
}

}  // namespace spellpool::sim
