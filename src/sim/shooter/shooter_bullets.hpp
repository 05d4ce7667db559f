#pragma once
#include "core/radix_sort.hpp"
#include "core/state_hash.hpp"
#include "sim/shooter/shooter_flight.hpp"
#include "sim/shooter/pooled_objects.hpp"

namespace spellpool::sim {

/// What enemies fire. 48 bytes. A laser is one too: it stands where it was fired, and its beam goes along `heading`.
struct Bullet {
  float x = 0, y = 0;
  float vx = 0, vy = 0;         ///< Units a step.
  float speed = 0;              ///< Units a step.
  float heading = 0;            ///< Turns.
  u32 age = 0;                  ///< Steps.
  u16 row = 0;                  ///< Of the flight table.
  u8 grazed = 0;                ///< Times that the ship grazed it.
  bool gone = false;            ///< Released in this step's despawn phase.
  u64 owner = 0;                ///< Spawn id of the shooter: key of the bullet's random numbers.
  u64 spawn_id = 0;

  float importance() const { return -static_cast<float>(age); }  ///< The oldest has been dodged.
};

}  // namespace spellpool::sim

template <>
struct spellpool::pool::FieldsOf<spellpool::sim::Bullet> {
  using B = spellpool::sim::Bullet;
  using Hot = FieldList<&B::x, &B::y, &B::vx, &B::vy, &B::speed, &B::heading, &B::age, &B::grazed, &B::gone>;
  using Cold = FieldList<&B::row, &B::owner, &B::spawn_id>;
};

namespace spellpool::sim {

extern template class PooledObjects<Bullet>;  // bullet_pool.cpp

/// A place from which a shot is fired in this step's spawn phase.
struct FireRequest {
  const Volley* volley = nullptr;
  i64 which = 0;                ///< Which of its volleys.
  float x = 0, y = 0;
  float angle_turns = 0;        ///< Added to the shot's own: a split's bullet's way. Without one 0.
  u64 owner = 0;                ///< Spawn id of the shooter, and …
  u32 line = 0;                 ///< … which of its shots: keys of the random numbers.
};

/// Where the ship is and how large: what bullets look at as they fly.
struct ShipPlace {
  float x = 0, y = 0, previous_x = 0, previous_y = 0;
  bool there = false;           ///< False: there is no ship to hit or to aim at.
};

/// A bullet met the ship. Meetings are sorted by spawn id before any of them takes effect.
struct BulletMeeting {
  u64 spawn_id;
  Handle<Bullet> bullet;
  bool hit;                     ///< Else grazed.
};

/// Lasers of one volley begin to warn or to burn: for the ear, so no step reads it.
struct LaserCue {
  float x, y;
  bool burns;
};

/// All bullets. One walk moves each and tells whether it met the ship on the way: swept, so that no speed is too
/// high. Cost: bench/ shooter. Allocates only in the pool's switches.
class Bullets {
 public:
  static constexpr u32 kArming_steps = 6;      ///< Harmless while it appears.
  static constexpr u32 kFadeIn_steps = 16;
  static constexpr u32 kMostFires = 1024;      ///< Requests a step; more are left out.
  static constexpr float kShipRadius = 2.0f;   ///< What can be hit of the ship.
  static constexpr float kMargin = 16.0f;      ///< So far beyond the field's edge a bullet is gone; …
  static constexpr float kAbove = 70.0f;       ///< … above it, where rain begins, later.
  static constexpr u8 kMostGrazes = 3;
  static constexpr float kGrazeRadii[kMostGrazes] = {26.0f, 18.0f, 11.0f};  ///< For the first, second and third time.
  static constexpr float kBeam = 1000.0f;      ///< A laser's length.

  Bullets(u64 seed, const PoolChoice& choice);

  /// For the difficulty that is played. Bullets in flight keep flying by the rows of their numbers.
  void use(const FlightTable& table) { table_ = &table; }

  /// `next` takes this table's place in use(): it gets the rows by which bullets fly, so that they go on as they were
  /// fired.
  void fly_on_by(FlightTable& next);

  void fire(const FireRequest& request) {
    if (fire_count_ < kMostFires) fires_[fire_count_++] = request;
  }
  /// The shots of a pattern that fire now, `age` steps after it began.
  void play(i32 pattern, u32 age, float x, float y, u64 owner);

  /// Moves all; notes which met the ship, which split and which leave. `runs` false: time stands still (hit-stop).
  void move(const ShipPlace& ship, bool runs);
  /// Who met the ship in the last move(), by spawn id.
  std::span<const BulletMeeting> meetings() const { return meetings_; }
  void graze(Handle<Bullet> bullet);
  void end(Handle<Bullet> bullet);
  /// Ends all within a radius. `ended(x, y, spawn_id)` hears of each, by spawn id.
  template <class F>
  u32 clear_within(float x, float y, float radius, F&& ended);
  void despawn();
  void spawn(const ShipPlace& ship);
  /// Of the last move() and spawn(), the same with every strategy.
  std::span<const LaserCue> laser_cues() const { return cues_; }
  /// One more, at once: in the spawn phase. `row` of the table in use; speed in units a step.
  void put(u32 row, float x, float y, float heading, float speed, u64 owner);

  /// Instances for the snapshot: large bullets first, then in spawn order, without lasers. Valid until the
  /// next call.
  std::span<const frame::ParticleInstance> draw();
  /// f(const Bullet&, const Flight&) for each laser, by spawn id.
  template <class F>
  void for_each_laser(F&& f);

  void add_to(StateHash& hash) const;
  struct State {
    PooledObjects<Bullet>::State bullets;
    bool moved = false;
  };
  void save(State& state) const;
  /// Then use() the table of that moment.
  void restore(const State& state);
  void apply(const frame::SimCommand& command);
  PooledObjects<Bullet>& objects() { return objects_; }
  const PooledObjects<Bullet>& objects() const { return objects_; }
  const FlightTable& table() const { return *table_; }

 private:
  struct Drawn {
    u64 key;
    frame::ParticleInstance instance;
  };
  struct Place {
    u64 spawn_id;
    float x, y;
  };
  struct Split {
    u64 spawn_id;
    float x, y, heading;
    u16 row;
  };
  struct Burning {
    u64 spawn_id, owner;
    float x, y;
    u16 row;
  };

  void reserve();
  static void steer(Bullet& bullet, const Flight& flight, const ShipPlace& ship);
  void meet(const Bullet& bullet, const Flight& flight, const ShipPlace& ship, float from_x, float from_y,
            Handle<Bullet> handle);
  void expand(const FireRequest& request, const ShipPlace& ship);
  void cue_burning();

  u64 seed_;
  const FlightTable* table_ = nullptr;
  PooledObjects<Bullet> objects_;
  std::vector<FireRequest> fires_;
  u32 fire_count_ = 0;
  std::vector<BulletMeeting> meetings_;
  std::vector<Split> splits_;
  std::vector<Place> cleared_;
  std::vector<Burning> burning_;
  std::vector<LaserCue> cues_;
  std::vector<Handle<Bullet>> lasers_;
  bool moved_ = false;
  // Of the picture.
  std::vector<Drawn> drawn_;
  std::vector<frame::ParticleInstance> instances_;
  std::vector<RadixEntry> scratch_, more_scratch_;
};

template <class F>
u32 Bullets::clear_within(float x, float y, float radius, F&& ended) {
  cleared_.clear();
  u32 count = 0;
  objects_.for_each([&](Bullet& b) {
    const float dx = b.x - x, dy = b.y - y;
    if (b.gone || dx * dx + dy * dy > radius * radius) return;
    b.gone = true;
    ++count;
    cleared_.push_back({b.spawn_id, b.x, b.y});
  });
  std::sort(cleared_.begin(), cleared_.end(), [](const Place& a, const Place& b) { return a.spawn_id < b.spawn_id; });
  for (const Place& place : cleared_) ended(place.x, place.y, place.spawn_id);
  return count;
}

template <class F>
void Bullets::for_each_laser(F&& f) {
  lasers_.clear();
  objects_.pool().visit([&](auto& pool) {
    pool.for_each_handle([&](Handle<Bullet> handle, const Bullet& b) {
      if (table_->flight(b.row).life_steps > 0) lasers_.push_back(handle);
    });
  });
  std::sort(lasers_.begin(), lasers_.end(), [&](Handle<Bullet> a, Handle<Bullet> b) {
    return objects_.peek(a)->spawn_id < objects_.peek(b)->spawn_id;
  });
  for (const Handle<Bullet> handle : lasers_) {
    const auto held = objects_.peek(handle);
    const Bullet& bullet = *held;
    f(bullet, table_->flight(bullet.row));
  }
}

}  // namespace spellpool::sim
