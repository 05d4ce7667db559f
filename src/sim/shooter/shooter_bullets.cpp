#include "sim/shooter/shooter_bullets.hpp"

#include "core/det_math.hpp"
#include "core/fixed_step.hpp"
#include "core/rng.hpp"
#include "frame/defs/stage_def.hpp"

namespace spellpool::sim {
namespace {

using frame::kFieldHalfHeight;
using frame::kFieldHalfWidth;
using frame::ShotDef;
using frame::ShotForm;

bool outside(float x, float y) {
  constexpr float kFarX = kFieldHalfWidth + Bullets::kMargin, kFarY = kFieldHalfHeight + Bullets::kMargin;
  return (x < -kFarX) | (x > kFarX) | (y < -kFieldHalfHeight - Bullets::kAbove) | (y > kFarY);
}

}  // namespace

Bullets::Bullets(u64 seed, const PoolChoice& choice) : seed_(seed), objects_(choice) {
  fires_.resize(kMostFires);
  reserve();
}

void Bullets::reserve() {
  const std::size_t most = std::max(objects_.capacity(), objects_.live());
  meetings_.reserve(most);
  splits_.reserve(most);
  cleared_.reserve(most);
  burning_.reserve(most);
  cues_.reserve(most + kMostFires);
  lasers_.reserve(most);
  drawn_.resize(most);
  instances_.resize(most);
  scratch_.resize(most);
  more_scratch_.resize(most);
}

void Bullets::apply(const frame::SimCommand& command) {
  objects_.apply(command);
  reserve();
}

void Bullets::fly_on_by(FlightTable& next) {
  std::vector<bool> flown(table_->flights().size());
  for (const auto& entry : objects_.list()) flown[(*objects_.peek(entry.handle)).row] = true;
  const std::vector<u32> rows = next.keep(*table_, flown);
  for (const auto& entry : objects_.list()) {
    const auto held = objects_.get(entry.handle);  // a walk would not write this field back in every storage
    const u32 row = rows[(*held).row];
    if (row == FlightTable::kNoRow) (*held).gone = true;
    else (*held).row = static_cast<u16>(row);
  }
  despawn();
}

void Bullets::play(i32 pattern, u32 age, float x, float y, u64 owner) {
  u32 line = 0;
  for (const Volley& volley : table_->volleys(pattern)) {
    const i64 which = FlightTable::volley_at(volley, age);
    if (which >= 0) fire({&volley, which, x, y, 0.0f, owner, line});
    ++line;
  }
}

void Bullets::steer(Bullet& b, const Flight& flight, const ShipPlace& ship) {
  if (b.age <= flight.curve_steps) b.heading += flight.curve;
  if (b.age <= flight.homing_steps && ship.there) {
    const float off = turns_between(b.heading, atan2_turns(ship.y - b.y, ship.x - b.x));
    b.heading += std::clamp(off, -flight.homing, flight.homing);
  }
  b.heading -= static_cast<float>(static_cast<i32>(b.heading));
  b.speed = std::clamp(b.speed + flight.accelerate, flight.least_speed, flight.most_speed);
  b.vx = cos_turns(b.heading) * b.speed;
  b.vy = sin_turns(b.heading) * b.speed;
}

void Bullets::meet(const Bullet& b, const Flight& flight, const ShipPlace& ship, float from_x, float from_y,
                   Handle<Bullet> handle) {
  if (flight.life_steps > 0) {  // A laser: how far the ship is from its beam.
    if (b.age < flight.warn_steps) return;
    const float along_x = cos_turns(b.heading), along_y = sin_turns(b.heading);
    const float x = ship.x - b.x, y = ship.y - b.y;
    const float along = x * along_x + y * along_y, aside = x * along_y - y * along_x;
    const float far = (aside < 0.0f ? -aside : aside) - flight.half_width;
    if (along < 0.0f || along > kBeam) return;
    if (far < kShipRadius) meetings_.push_back({b.spawn_id, handle, true});
    else if (b.grazed < kMostGrazes && far < kGrazeRadii[b.grazed]) meetings_.push_back({b.spawn_id, handle, false});
    return;
  }
  if (b.age < kArming_steps) return;
  const float dx = (b.x - from_x) - (ship.x - ship.previous_x), dy = (b.y - from_y) - (ship.y - ship.previous_y);
  const float d2 = least_distance2(from_x - ship.previous_x, from_y - ship.previous_y, dx, dy);
  const float touch = flight.hit_radius + kShipRadius;
  if (d2 <= touch * touch) {
    meetings_.push_back({b.spawn_id, handle, true});
  } else if (b.grazed < kMostGrazes) {
    const float near = flight.hit_radius + kGrazeRadii[b.grazed];
    if (d2 <= near * near) meetings_.push_back({b.spawn_id, handle, false});
  }
}

void Bullets::move(const ShipPlace& ship, bool runs) {
  meetings_.clear();
  splits_.clear();
  burning_.clear();
  cues_.clear();
  moved_ = runs;
  if (!runs) return;
  const std::span<const Flight> flights = table_->flights();
  // Farther than any graze in one step's ways: most bullets.
  constexpr float kNear = 120.0f;
  objects_.pool().visit([&](auto& pool) {
    pool.for_each_slot([&](u32 slot, Bullet& b) {
      const Flight& flight = flights[b.row];
      if (!flight.straight) steer(b, flight, ship);
      const float from_x = b.x, from_y = b.y;
      b.x += b.vx;
      b.y += b.vy;
      ++b.age;
      if (outside(b.x, b.y) || (flight.life_steps > 0 && b.age >= flight.life_steps)) {
        b.gone = true;
        return;
      }
      if (flight.life_steps > 0 && b.age == flight.warn_steps)
        burning_.push_back({b.spawn_id, b.owner, b.x, b.y, b.row});
      if (flight.split_steps > 0 && b.age >= flight.split_steps) {
        b.gone = true;
        splits_.push_back({b.spawn_id, b.x, b.y, b.heading, b.row});
        return;
      }
      const float reach = kNear + b.speed + flight.hit_radius;
      const float away_x = b.x - ship.x, away_y = b.y - ship.y;
      if (ship.there && (flight.life_steps > 0 || away_x * away_x + away_y * away_y < reach * reach)) {
        meet(b, flight, ship, from_x, from_y, pool.handle_at(slot));
      }
    });
  });
  std::sort(meetings_.begin(), meetings_.end(),
            [](const BulletMeeting& a, const BulletMeeting& b) { return a.spawn_id < b.spawn_id; });
  std::sort(splits_.begin(), splits_.end(), [](const Split& a, const Split& b) { return a.spawn_id < b.spawn_id; });
  for (const Split& split : splits_) {
    u32 line = 0;
    for (const Volley& volley : table_->volleys(flights[split.row].split_into)) {
      fire({&volley, 0, split.x, split.y, split.heading, split.spawn_id, line++});
    }
  }
  cue_burning();
}

/// One for each volley, whose lasers have neighbouring ids.
void Bullets::cue_burning() {
  std::sort(burning_.begin(), burning_.end(),
            [](const Burning& a, const Burning& b) { return a.spawn_id < b.spawn_id; });
  for (std::size_t i = 0; i < burning_.size(); ++i) {
    const Burning& laser = burning_[i];
    if (i == 0 || burning_[i - 1].owner != laser.owner || burning_[i - 1].row != laser.row)
      cues_.push_back({laser.x, laser.y, true});
  }
}

void Bullets::graze(Handle<Bullet> bullet) {
  const auto held = objects_.get(bullet);
  if (held) ++(*held).grazed;
}
void Bullets::end(Handle<Bullet> bullet) {
  const auto held = objects_.get(bullet);
  if (held) (*held).gone = true;
}

void Bullets::despawn() {
  objects_.release_if([](const Bullet& b) { return b.gone; });
}

void Bullets::spawn(const ShipPlace& ship) {
  // Splits were asked for first; all requests are in the order in which the step made them.
  for (u32 i = 0; i < fire_count_; ++i) expand(fires_[i], ship);
  fire_count_ = 0;
}

void Bullets::expand(const FireRequest& request, const ShipPlace& ship) {
  const ShotDef& shot = *request.volley->shot;
  Rng rng(mix64(seed_ ^ mix64(request.owner * 64 + request.line) ^
                static_cast<u64>(request.which + 1) * 0x9e3779b97f4a7c15ull));
  const float x = request.x + shot.offset_x, y = request.y + shot.offset_y;
  float angle = shot.angle_turns + request.angle_turns;
  if (shot.aimed)
    angle += ship.there ? atan2_turns(ship.y - y, ship.x - x) - request.angle_turns : 0.25f - request.angle_turns;
  // After a rest a spiral begins again.
  const i64 turned = request.volley->cycle_steps > 0 ? request.which % shot.volleys : request.which % 4096;
  angle += shot.turn_turns * static_cast<float>(turned);
  angle += shot.angle_spread_turns * 0.5f * rng.signed_unit();
  if (shot.form == ShotForm::Laser) cues_.push_back({x, y, false});
  const float count = static_cast<float>(shot.count);
  u32 gap_from = ~0u;
  const u32 gap = static_cast<u32>(shot.gap);
  if (shot.form == ShotForm::Wall && gap > 0) {
    const u32 places = shot.count > gap ? shot.count - gap + 1 : 1;
    gap_from = shot.gap_from >= 0.0f ? static_cast<u32>(shot.gap_from) : rng.below(places);
  }
  for (u32 layer = 0; layer < shot.layers; ++layer) {
    const float layer_speed = shot.speed + shot.layer_speed * static_cast<float>(layer);
    for (u32 i = 0; i < shot.count; ++i) {
      const float k = static_cast<float>(i);
      float heading = angle, at_x = x, at_y = y;
      switch (shot.form) {
        case ShotForm::Ring:
          heading += shot.arc_turns * k / count;
          break;
        case ShotForm::Fan:
        case ShotForm::Laser:
          heading += shot.count > 1 ? shot.arc_turns * (k / (count - 1.0f) - 0.5f) : 0.0f;
          break;
        case ShotForm::Wall: {
          if (i >= gap_from && i - gap_from < gap) continue;
          const float aside = (k - 0.5f * (count - 1.0f)) * shot.spacing;
          at_x -= sin_turns(angle) * aside;
          at_y += cos_turns(angle) * aside;
          break;
        }
        case ShotForm::Rain:
          at_x = kFieldHalfWidth * rng.signed_unit();
          at_y = -kFieldHalfHeight - 12.0f;
          heading += 0.5f * shot.arc_turns * rng.signed_unit();
          break;
      }
      float speed = layer_speed;
      if (shot.speed_spread > 0.0f) speed += 0.5f * shot.speed_spread * rng.signed_unit();
      if (shot.radius > 0.0f) {
        at_x += cos_turns(heading) * shot.radius;
        at_y += sin_turns(heading) * shot.radius;
      }
      put(request.volley->row, at_x, at_y, heading, std::max(0.0f, speed) * kStep_s, request.owner);
    }
  }
}

void Bullets::put(u32 row, float x, float y, float heading, float speed, u64 owner) {
  Bullet b;
  b.x = x;
  b.y = y;
  b.heading = heading - static_cast<float>(static_cast<i32>(heading));
  b.row = static_cast<u16>(row);
  b.speed = table_->flight(b.row).life_steps > 0 ? 0.0f : speed;
  b.vx = cos_turns(b.heading) * b.speed;
  b.vy = sin_turns(b.heading) * b.speed;
  b.owner = owner;
  objects_.add(b);
}

std::span<const frame::ParticleInstance> Bullets::draw() {
  const std::span<const Flight> flights = table_->flights();
  if (objects_.live() > drawn_.size()) reserve();  // the pool grew
  u32 count = 0;
  objects_.for_each([&](const Bullet& b) {
    const Flight& flight = flights[b.row];
    if (flight.life_steps > 0) return;
    frame::ParticleInstance p = flight.looks;
    p.x = frame::position_word(b.x);
    p.y = frame::position_word(b.y);
    p.dx = moved_ && b.age > 0 ? frame::position_word(b.vx) : i16{0};
    p.dy = moved_ && b.age > 0 ? frame::position_word(b.vy) : i16{0};
    p.a = static_cast<u8>(std::min(255u, (b.age + 1) * 255u / kFadeIn_steps));
    p.angle = static_cast<u8>(static_cast<i32>(b.heading * 256.0f + 256.5f));
    drawn_[count++] = {u64{flight.rank} << 48 | (b.spawn_id & 0xFFFFFFFFFFFFull), p};
  });
  frame::ParticleInstance* next = instances_.data();
  for (const RadixEntry& entry : radix_order(count, [this](u32 i) { return drawn_[i].key; }, scratch_, more_scratch_)) {
    *next++ = drawn_[entry.index].instance;
  }
  return {instances_.data(), count};
}

void Bullets::save(State& state) const {
  objects_.save(state.bullets);
  state.moved = moved_;
}

void Bullets::restore(const State& state) {
  objects_.restore(state.bullets);
  reserve();
  fire_count_ = 0;
  meetings_.clear();
  cues_.clear();
  moved_ = state.moved;
}

void Bullets::add_to(StateHash& hash) const {
  objects_.add_to(hash, [](StateHash& h, const Bullet& b) {
    h.add(b.spawn_id, b.owner, b.x, b.y, b.vx, b.vy, b.speed, b.heading, b.age, b.row, b.grazed);
  });
}

}  // namespace spellpool::sim
