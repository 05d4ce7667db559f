#include "sim/shooter/shooter_autoplay.hpp"

#include "sim/shooter/shooter.hpp"

namespace spellpool::sim {
namespace {

constexpr u32 kWays = 17;               // stay, eight at full speed, eight focused
constexpr u32 kAhead_steps = 36;
constexpr u32 kLook_steps = 3;          // between two looks
constexpr float kSee = 190.0f;          // farther bullets are not looked at

struct Way {
  i8 x, y;
  bool focus;
};
Way way_of(u32 i) {
  if (i == 0) return {0, 0, true};
  static constexpr i8 kX[8] = {127, 90, 0, -90, -127, -90, 0, 90}, kY[8] = {0, 90, 127, 90, 0, -90, -127, -90};
  const u32 k = (i - 1) % 8;
  return {kX[k], kY[k], i > 8};
}

float square(float x) { return x * x; }

}  // namespace

ShooterAutoplayer::Goal ShooterAutoplayer::goal(const ShooterWorld& world) const {
  const Ship& ship = world.ship();
  Goal goal{0.0f, 235.0f};
  // Under the enemy that is nearest to the ship's column, or a pickup that is near.
  float least = 1e18f;
  u64 least_id = 0;
  world.enemies().objects().look_at_each([&](const Enemy& enemy) {
    if (enemy.gone || enemy.y < -frame::kFieldHalfHeight || enemy.y > 150.0f) return;
    if (enemy.part == EnemyPart::LeftWing || enemy.part == EnemyPart::RightWing) return;
    const float far = square(enemy.x - ship.x()) - 40.0f * enemy.y;
    if (far > least || (far == least && enemy.spawn_id > least_id)) return;
    least = far;
    least_id = enemy.spawn_id;
    goal.x = std::clamp(enemy.x, -240.0f, 240.0f);
  });
  least = 1e18f;
  world.pickups().objects().look_at_each([&](const Pickup& p) {
    if (p.gone || p.y < -80.0f) return;
    const float far = square(p.x - ship.x()) + square(p.y - ship.y());
    const float reach = p.kind == frame::PickupKind::Star ? 110.0f : 260.0f;
    if (far > reach * reach || far > least || (far == least && p.spawn_id > least_id)) return;
    least = far;
    least_id = p.spawn_id;
    goal.x = p.x;
    goal.y = std::max(p.y, 20.0f);
  });
  return goal;
}

frame::InputFrame ShooterAutoplayer::next(const ShooterWorld& world) {
  frame::InputFrame input;
  if (world.state() != frame::ShooterState::Playing) {
    // Wait long enough to read the screen, then press.
    if (++wait_steps_ % 90 == 60) input.buttons = frame::kButtonStart;
    return input;
  }
  wait_steps_ = 0;
  input.buttons = frame::kButtonFire;
  const Ship& ship = world.ship();
  if (!ship.there()) return input;
  bool bomb = false;
  if (hold_steps_ == 0) {
    hold_steps_ = kLook_steps;
    const Goal to = goal(world);
    i64 danger[kWays] = {};
    u32 first_hit[kWays];
    for (u32& hit : first_hit) hit = kAhead_steps + 1;
    const auto ship_at = [&](u32 w, float steps, float& x, float& y) {
      const Way way = way_of(w);
      const float pace = (way.focus ? Ship::kFocused : Ship::kSpeed) * kStep_s;
      const float most = std::min(steps, 14.0f);  // then it would choose again
      x = std::clamp(ship.x() + static_cast<float>(way.x) / 127.0f * pace * most, -286.0f, 286.0f);
      y = std::clamp(ship.y() + static_cast<float>(way.y) / 127.0f * pace * most, -346.0f, 346.0f);
    };
    world.bullets().objects().look_at_each([&](const Bullet& b) {
      const Flight& flight = world.bullets().table().flight(b.row);
      if (flight.life_steps > 0) {
        // A beam: keep out of its line, now and where it sweeps to.
        if (b.age + 30 < flight.warn_steps) return;
        for (u32 w = 0; w < kWays; ++w) {
          for (u32 t = 3; t <= kAhead_steps; t += 6) {
            float x, y;
            ship_at(w, static_cast<float>(t), x, y);
            const float heading = b.heading + flight.curve * static_cast<float>(t);
            const float ax = cos_turns(heading), ay = sin_turns(heading), px = x - b.x, py = y - b.y;
            if (px * ax + py * ay < -10.0f) continue;
            const float aside = px * ay - py * ax;
            const float far = (aside < 0.0f ? -aside : aside) - flight.half_width;
            if (far < 30.0f) danger[w] += static_cast<i64>((30.0f - far) * 60.0f);
            if (far < 5.0f && b.age + t >= flight.warn_steps && t < first_hit[w]) first_hit[w] = t;
          }
        }
        return;
      }
      const float reach = kSee + b.speed * 20.0f;
      if (square(b.x - ship.x()) + square(b.y - ship.y()) > reach * reach) return;
      for (u32 w = 0; w < kWays; ++w) {
        for (u32 t = 2; t <= kAhead_steps; t += 2) {
          float x, y;
          const float steps = static_cast<float>(t);
          ship_at(w, steps, x, y);
          const float d2 = square(b.x + b.vx * steps - x) + square(b.y + b.vy * steps - y);
          const float touch = flight.hit_radius + Bullets::kShipRadius + 2.5f, near = touch + 22.0f;
          if (d2 > near * near) continue;
          const float far = std::sqrt(d2);
          if (far < touch) {
            if (t < first_hit[w]) first_hit[w] = t;
            danger[w] += 4000 * (kAhead_steps + 4 - t);
          } else {
            danger[w] += static_cast<i64>((near - far) * 40.0f) * (kAhead_steps + 4 - t) / kAhead_steps;
          }
        }
      }
    });
    world.enemies().objects().look_at_each([&](const Enemy& enemy) {
      if (enemy.gone) return;
      const float keep = frame::row(enemy.kind).radius + 34.0f;
      const float vx = enemy.x - enemy.previous_x, vy = enemy.y - enemy.previous_y;
      for (u32 w = 0; w < kWays; ++w) {
        for (u32 t = 4; t <= kAhead_steps; t += 8) {
          float x, y;
          ship_at(w, static_cast<float>(t), x, y);
          const float d2 =
              square(enemy.x + vx * static_cast<float>(t) - x) + square(enemy.y + vy * static_cast<float>(t) - y);
          if (d2 < keep * keep) danger[w] += 30'000;
        }
      }
    });
    u32 best = 0;
    i64 least = 0;
    u32 longest = 0;
    for (u32 w = 0; w < kWays; ++w) {
      float x, y;
      ship_at(w, 14.0f, x, y);
      const i64 away = static_cast<i64>(std::sqrt(square(x - to.x) + square(y - to.y)) * 6.0f);
      const i64 edge = static_cast<i64>(std::max(0.0f, (x < 0.0f ? -x : x) - 230.0f) * 12.0f);
      const i64 cost = danger[w] + away + edge + (w == choice_ ? 0 : 40);
      longest = std::max(longest, first_hit[w]);
      if (w == 0 || cost < least) {
        least = cost;
        best = w;
      }
    }
    choice_ = best;
    bomb = longest <= 10 && !ship.safe() && ship.bombs() > 0;
  }
  --hold_steps_;
  const Way way = way_of(choice_);
  input.move_x = way.x;
  input.move_y = way.y;
  if (way.focus) input.buttons |= frame::kButtonFocus;
  if (bomb || (ship.struck() && ship.bombs() > 0)) input.buttons |= frame::kButtonBomb;
  return input;
}

}  // namespace spellpool::sim
