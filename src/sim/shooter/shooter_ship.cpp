#include "sim/shooter/shooter_ship.hpp"

#include "core/fixed_step.hpp"
#include "sim/core/kept_handle.hpp"

namespace spellpool::sim {
namespace {

using frame::kFieldHalfHeight;
using frame::kFieldHalfWidth;

constexpr float kShotSpeed = 15.0f;    // units a step
constexpr u32 kFireEvery_steps = 5;
constexpr float kEdge = 14.0f;         // how near it comes to the field's edge

}  // namespace

// ------------------------------------------------------------------------------------------------------- shots

void Shots::move(Enemies& enemies, bool runs) {
  if (!runs) {
    objects_.for_each([](Shot& shot) {
      shot.previous_x = shot.x;
      shot.previous_y = shot.y;
    });
    return;
  }
  for (const auto& entry : objects_.list()) {
    const auto held = objects_.get(entry.handle);
    Shot& shot = *held;
    shot.previous_x = shot.x;
    shot.previous_y = shot.y;
    ++shot.age;
    if (shot.homing) {
      const auto target = enemies.objects().peek(shot.target);
      if (target && !(*target).gone) {
        const float heading = atan2_turns(shot.vy, shot.vx);
        const float off = turns_between(heading, atan2_turns((*target).y - shot.y, (*target).x - shot.x));
        const float next = heading + std::clamp(off, -0.012f, 0.012f);
        shot.vx = cos_turns(next) * kShotSpeed;
        shot.vy = sin_turns(next) * kShotSpeed;
      }
    }
    shot.x += shot.vx;
    shot.y += shot.vy;
    if (shot.y < -kFieldHalfHeight - 30.0f || shot.y > kFieldHalfHeight + 30.0f || shot.x < -kFieldHalfWidth - 30.0f ||
        shot.x > kFieldHalfWidth + 30.0f) {
      shot.gone = true;
    }
  }
}

void Shots::despawn() {
  objects_.release_if([](const Shot& shot) { return shot.gone; });
}

void Shots::spawn() {
  for (u32 i = 0; i < birth_count_; ++i) {
    objects_.add(births_[i]);
  }
  birth_count_ = 0;
}

u32 Shots::draw(std::span<frame::ParticleInstance> into) const {
  u32 count = 0;
  objects_.for_each([&](const Shot& shot) {
    if (count >= into.size()) return;
    frame::ParticleInstance p{};
    p.x = frame::position_word(shot.x);
    p.y = frame::position_word(shot.y);
    p.dx = frame::position_word(shot.x - shot.previous_x);
    p.dy = frame::position_word(shot.y - shot.previous_y);
    p.r = shot.homing ? 60 : 40;
    p.g = shot.homing ? 190 : 120;
    p.b = shot.homing ? 150 : 230;
    // What comes at the player is clearer than what flies away; and a volley does not begin to be seen on top of the
    // ship.
    p.a = static_cast<u8>(std::min(150u, shot.age * 75u));
    p.size = static_cast<u16>((shot.homing ? 11.0f : 14.0f) * frame::kSizeScale);
    p.glow_shape = static_cast<u8>(static_cast<u32>(frame::BulletShape::Needle) | 4u << 3);
    p.angle = static_cast<u8>(static_cast<i32>(atan2_turns(shot.vy, shot.vx) * 256.0f));
    into[count++] = p;
  });
  return count;
}

void Shots::add_to(StateHash& hash) const {
  objects_.add_to(hash, [](StateHash& h, const Shot& s) {
    h.add(s.spawn_id, s.x, s.y, s.vx, s.vy, s.damage, s.age, s.target_id, s.homing);
  });
}

// ------------------------------------------------------------------------------------------------------- ship

void Ship::reset() { *this = Ship{}; }

void Ship::revive() {
  lives_ = kLives;
  bombs_ = kBombs;
  away_steps_ = 1;
}

float Ship::bomb_radius() const {
  if (bomb_steps_ == 0) return 0.0f;
  const float t = static_cast<float>(kBomb_steps - bomb_steps_ + 1) / 40.0f;
  return 900.0f * smooth(clamp01(t));
}

void Ship::take(frame::PickupKind kind) {
  using frame::PickupKind;
  if (kind == PickupKind::Power && power_ < frame::kMostPower) ++power_;
  if (kind == PickupKind::Magnet) magnet_steps_ = kMagnet_steps;
  if (kind == PickupKind::Shield) shield_ = true;
  if (kind == PickupKind::Bomb && bombs_ < kMostBombs) ++bombs_;
}

bool Ship::strike(Effects& effects) {
  if (!there() || safe()) return false;
  if (shield_) {
    shield_ = false;
    safe_steps_ = 60;
    effects.sound(frame::SoundId::ShieldBreak, 0.9f, x_, y_);
    effects.flash(x_, y_, 160.0f, 0.4f, 0.8f, 1.0f, 0.4f);
    effects.shake(0.35f);
    return true;
  }
  struck_steps_ = kSave_steps;
  effects.flash(x_, y_, 120.0f, 1.0f, 0.9f, 0.8f, 0.15f);
  return true;
}

void Ship::lose(Effects& effects) {
  ++losses_;
  if (lives_ > 0) --lives_;
  power_ = power_ > 0 ? static_cast<u8>(power_ - 1) : u8{0};
  bombs_ = std::max(bombs_, kBombs);
  away_steps_ = kBack_steps;
  magnet_steps_ = 0;
  effects.burst(4, frame::EmitterRole::Burst, EmitPlace::at(x_, y_), 0.6f);
  effects.burst(7, frame::EmitterRole::Burst, EmitPlace::at(x_, y_));
  effects.flash(x_, y_, 300.0f, 1.0f, 0.6f, 0.4f, 0.6f);
  effects.shake(0.9f);
}

void Ship::move(const frame::InputFrame& input) {
  const float most = (focus_ ? kFocused : kSpeed) * kStep_s;
  float dx, dy;
  if ((input.buttons & frame::kButtonFollow) != 0) {
    dx = static_cast<float>(input.aim_x16) / frame::kAimScale - x_;
    dy = static_cast<float>(input.aim_y16) / frame::kAimScale - y_;
    const float way = length(dx, dy);
    if (way > most) {
      dx *= most / way;
      dy *= most / way;
    }
  } else {
    float x = static_cast<float>(input.move_x) / 127.0f, y = static_cast<float>(input.move_y) / 127.0f;
    const float way = length(x, y);
    if (way > 1.0f) {
      x /= way;
      y /= way;
    }
    dx = x * most;
    dy = y * most;
  }
  x_ = std::clamp(x_ + dx, -kFieldHalfWidth + kEdge, kFieldHalfWidth - kEdge);
  y_ = std::clamp(y_ + dy, -kFieldHalfHeight + kEdge, kFieldHalfHeight - kEdge);
  bank_ = lerp(bank_, std::clamp((x_ - previous_x_) / (kSpeed * kStep_s), -1.0f, 1.0f), 0.2f);
}

void Ship::fire(Shots& shots, const Enemies& enemies, Effects& effects) {
  if (fire_steps_ > 0) return;
  fire_steps_ = kFireEvery_steps;
  ++volley_;
  effects.sound(frame::SoundId::Shot, 0.7f, x_, y_, 0.0f, 0.5f);
  const auto shoot = [&](float aside, float turns, float damage) {
    Shot shot;
    const float heading = 0.75f + turns;
    shot.x = shot.previous_x = x_ + aside;
    shot.y = shot.previous_y = y_ - 14.0f;
    shot.vx = cos_turns(heading) * kShotSpeed;
    shot.vy = sin_turns(heading) * kShotSpeed;
    shot.damage = damage;
    shots.ask(shot);
  };
  // Focused they stand close together; else they spread.
  const float spread = focus_ ? 0.25f : 1.0f;
  shoot(-6.0f, 0.0f, 1.0f);
  shoot(6.0f, 0.0f, 1.0f);
  if (power_ >= 1) {
    shoot(-13.0f, -0.012f * spread, 0.7f);
    shoot(13.0f, 0.012f * spread, 0.7f);
  }
  if (power_ >= 3) {
    shoot(-19.0f, -0.03f * spread, 0.6f);
    shoot(19.0f, 0.03f * spread, 0.6f);
  }
  // Homing ones, every third volley, to the nearest enemy ahead.
  if (power_ >= 2 && volley_ % (power_ >= 4 ? 2 : 3) == 0) {
    Handle<Enemy> nearest{};
    u64 nearest_id = 0;
    float least = 1e18f;
    enemies.objects().pool().visit([&](const auto& pool) {
      pool.for_each_handle([&](Handle<Enemy> handle, const Enemy& enemy) {
        if (enemy.gone || enemy.age < 2 || enemy.y < -kFieldHalfHeight) return;
        const float d2 = (enemy.x - x_) * (enemy.x - x_) + (enemy.y - y_) * (enemy.y - y_);
        if (d2 < least || (d2 == least && enemy.spawn_id < nearest_id)) {
          least = d2;
          nearest = handle;
          nearest_id = enemy.spawn_id;
        }
      });
    });
    for (const float side : {-1.0f, 1.0f}) {
      Shot shot;
      const float heading = 0.75f + 0.09f * side;
      shot.x = shot.previous_x = x_ + 16.0f * side;
      shot.y = shot.previous_y = y_;
      shot.vx = cos_turns(heading) * kShotSpeed;
      shot.vy = sin_turns(heading) * kShotSpeed;
      shot.damage = 1.1f;
      shot.homing = true;
      shot.target = kept(nearest);
      shot.target_id = nearest_id;
      shots.ask(shot);
    }
  }
}

void Ship::step(const frame::InputFrame& input, bool plays, Shots& shots, const Enemies& enemies, Effects& effects) {
  previous_x_ = x_;
  previous_y_ = y_;
  const u8 pressed = static_cast<u8>(input.buttons & ~last_buttons_);
  last_buttons_ = input.buttons;
  const auto count_down = [](u32& steps) { steps -= steps > 0; };
  count_down(safe_steps_);
  count_down(bomb_steps_);
  count_down(magnet_steps_);
  count_down(fire_steps_);
  focus_ = (input.buttons & frame::kButtonFocus) != 0;
  focus_shown_ = lerp(focus_shown_, focus_ && there() ? 1.0f : 0.0f, 0.2f);
  if (!there()) {
    if (lives_ == 0) return;
    count_down(away_steps_);
    x_ = previous_x_ = 0.0f;
    y_ = previous_y_ = kFieldHalfHeight - 60.0f;
    if (away_steps_ == 0) safe_steps_ = kSafe_steps;
    return;
  }
  move(input);
  effects.run(6, frame::EmitterRole::Seek, exhaust_,
              {previous_x_, previous_y_ + 12.0f, x_, y_ + 12.0f, 0.25f, 0.0f, 60.0f}, 0.5f);
  if (!plays) return;
  const bool bombs = (pressed & frame::kButtonBomb) != 0 && bombs_ > 0 && bomb_steps_ == 0;
  if (bombs) {
    --bombs_;
    bomb_steps_ = kBomb_steps;
    struck_steps_ = 0;  // in time: it is saved
    safe_steps_ = std::max(safe_steps_, kBomb_steps + 30);
    bomb_x_ = x_;
    bomb_y_ = y_;
    effects.sound(frame::SoundId::Bomb, 1.0f, x_, y_);
    effects.burst(1, frame::EmitterRole::Burst, EmitPlace::at(x_, y_));
    effects.burst(7, frame::EmitterRole::Burst, EmitPlace::at(x_, y_), 2.0f);
    effects.flash(x_, y_, 600.0f, 0.5f, 0.8f, 1.0f, 0.9f);
    effects.shake(0.7f);
  }
  if (struck_steps_ > 0 && --struck_steps_ == 0) {
    lose(effects);
    return;
  }
  if ((input.buttons & frame::kButtonFire) != 0) fire(shots, enemies, effects);
}

void Ship::add_to(StateHash& hash) const {
  hash.add(x_, y_, previous_x_, previous_y_, lives_, bombs_, power_, last_buttons_, shield_, focus_);
  hash.add(safe_steps_, struck_steps_, away_steps_, bomb_steps_, magnet_steps_, fire_steps_, volley_);
  hash.add(bomb_x_, bomb_y_, exhaust_, losses_);
}

}  // namespace spellpool::sim
