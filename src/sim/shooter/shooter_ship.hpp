#pragma once
#include "core/state_hash.hpp"
#include "frame/input_frame.hpp"
#include "frame/views/shooter_view.hpp"
#include "sim/particles/effects.hpp"
#include "sim/shooter/shooter_bullets.hpp"
#include "sim/shooter/shooter_enemies.hpp"

namespace spellpool::sim {

/// What the ship fires. A homing one holds its target by handle, so it keeps it through every switch of either pool.
struct Shot {
  float x = 0, y = 0, previous_x = 0, previous_y = 0, vx = 0, vy = 0;  ///< Units a step.
  float damage = 1;
  u32 age = 0;
  Handle<Enemy> target{};
  u64 target_id = 0;            ///< The target's spawn id: what the hash takes, since slots differ between strategies.
  u64 spawn_id = 0;
  bool homing = false;
  bool gone = false;

  float importance() const { return -static_cast<float>(age); }
};

}  // namespace spellpool::sim

template <>
struct spellpool::pool::FieldsOf<spellpool::sim::Shot> {
  using S = spellpool::sim::Shot;
  using Hot = FieldList<&S::x, &S::y, &S::previous_x, &S::previous_y, &S::vx, &S::vy, &S::age, &S::target,
                        &S::target_id, &S::gone>;
  using Cold = FieldList<&S::damage, &S::spawn_id, &S::homing>;
};

namespace spellpool::sim {

extern template class PooledObjects<Shot>;  // shot_pool.cpp

/// All shots of the ship, and what they meet: a grid of enemies in the step's memory, so that each looks only at what
/// is near.
class Shots {
 public:
  static constexpr u32 kMostBirthsPerStep = 16;

  explicit Shots(const PoolChoice& choice) : objects_(choice) {}
  void ask(const Shot& shot) {
    if (birth_count_ < kMostBirthsPerStep) births_[birth_count_++] = shot;
  }
  void move(Enemies& enemies, bool runs);
  /// hit(const Shot&, Handle<Enemy>) → damage done, by the shots' and then the enemies' spawn ids; each shot meets one.
  template <class F>
  void collide(Enemies& enemies, std::pmr::memory_resource& memory, F&& hit);
  void despawn();
  void spawn();
  /// Instances for the snapshot's bullet layer, as many as `into` has room for. In the storage's order: nothing shows
  /// it.
  u32 draw(std::span<frame::ParticleInstance> into) const;
  void add_to(StateHash& hash) const;
  PooledObjects<Shot>& objects() { return objects_; }
  const PooledObjects<Shot>& objects() const { return objects_; }

 private:
  PooledObjects<Shot> objects_;
  std::array<Shot, kMostBirthsPerStep> births_{};
  u32 birth_count_ = 0;
};

/// The player's ship.
class Ship {
 public:
  static constexpr float kSpeed = 270.0f, kFocused = 115.0f;  ///< Units/s.
  static constexpr u32 kLives = 3, kBombs = 3, kMostBombs = 6;
  static constexpr u32 kSafe_steps = 150;      ///< After it came back nothing hurts.
  static constexpr u32 kSave_steps = 9;        ///< After a hit a bomb still saves it.
  static constexpr u32 kBack_steps = 50;       ///< From its loss to its return.
  static constexpr u32 kBomb_steps = 90;
  static constexpr u32 kMagnet_steps = 480;
  static constexpr float kBodyRadius = 9.0f;   ///< Of what bumps into enemies.

  void reset();
  /// Moves, fires, bombs. `plays`: the stage runs; else it only flies.
  void step(const frame::InputFrame& input, bool plays, Shots& shots, const Enemies& enemies, Effects& effects);
  /// For a step in which time stands still or the game is not being played.
  void stand() {
    previous_x_ = x_;
    previous_y_ = y_;
  }
  /// It was hit, and a bomb would still save it.
  bool struck() const { return struck_steps_ > 0; }
  /// A bullet or a body met it. True if that counts (it was there and not safe); a shield takes it instead of the ship.
  bool strike(Effects& effects);

  bool there() const { return away_steps_ == 0; }
  bool safe() const { return safe_steps_ > 0 || bomb_steps_ > 0 || struck_steps_ > 0; }
  bool bombing() const { return bomb_steps_ > 0; }
  /// Of the wave that clears bullets.
  float bomb_radius() const;
  float bomb_x() const { return bomb_x_; }
  float bomb_y() const { return bomb_y_; }
  /// The last life went in this step.
  bool out_of_lives() const { return lives_ == 0 && !there(); }
  void revive();

  ShipPlace place() const { return {x_, y_, previous_x_, previous_y_, there()}; }
  float x() const { return x_; }
  float y() const { return y_; }
  u32 lives() const { return lives_; }
  u32 bombs() const { return bombs_; }
  u8 power() const { return power_; }
  bool shield() const { return shield_; }
  bool focus() const { return focus_; }
  float magnet_left() const { return static_cast<float>(magnet_steps_) / static_cast<float>(kMagnet_steps); }
  float focus_shown() const { return focus_shown_; }
  float bank() const { return bank_; }
  u32 safe_steps() const { return safe_steps_; }
  void take(frame::PickupKind kind);
  /// Lives lost since the last call.
  u32 take_losses() { return std::exchange(losses_, 0u); }
  void add_to(StateHash& hash) const;

 private:
  void move(const frame::InputFrame& input);
  void fire(Shots& shots, const Enemies& enemies, Effects& effects);
  void lose(Effects& effects);

  float x_ = 0, y_ = 260, previous_x_ = 0, previous_y_ = 260;
  float focus_shown_ = 0, bank_ = 0;
  u32 lives_ = kLives, bombs_ = kBombs, losses_ = 0;
  u8 power_ = 0, last_buttons_ = 0;
  bool shield_ = false, focus_ = false;
  u32 safe_steps_ = 0, struck_steps_ = 0, away_steps_ = 0, bomb_steps_ = 0, magnet_steps_ = 0, fire_steps_ = 0;
  u64 volley_ = 0;
  float bomb_x_ = 0, bomb_y_ = 0;
  float exhaust_ = 0;
};

// ------------------------------------------------------------------------------------------------------- the grid

/// Who of some circles is near a place: cells of kCell over the field, the circles' numbers in each, in rising order.
/// In a step's memory.
/// Cost  O(circles · cells they touch) to make, O(1) a question.
class CircleGrid {
 public:
  static constexpr float kCell = 64.0f;
  static constexpr int kColumns = 12, kRows = 14;
  static constexpr u32 kCells = static_cast<u32>(kColumns * kRows);

  /// circle(i, x, y, radius) for i of 0 … count − 1.
  template <class F>
  CircleGrid(std::pmr::memory_resource& memory, u32 count, F&& circle) {
    starts_.take(memory, kCells + 1);
    std::fill_n(starts_.data(), kCells + 1, 0u);
    u32 all = 0;
    for (u32 i = 0; i < count; ++i) for_cells(i, circle, [&](u32 cell) { ++starts_[cell]; ++all; });
    members_.take(memory, all);
    u32 place = 0;
    for (u32 cell = 0; cell < kCells; ++cell) place += std::exchange(starts_[cell], place);
    starts_[kCells] = place;
    pool::FrameArray<u32> next;
    next.take(memory, kCells);
    std::copy_n(starts_.data(), kCells, next.data());
    for (u32 i = 0; i < count; ++i) for_cells(i, circle, [&](u32 cell) { members_[next[cell]++] = i; });
  }
  /// Circles that touch the cell of a place, by rising number; others may be farther than kCell.
  std::span<const u32> at(float x, float y) const {
    const u32 cell = cell_of(column_of(x), row_of(y));
    return {members_.data() + starts_[cell], starts_[cell + 1] - starts_[cell]};
  }

 private:
  static int column_of(float x) {
    return std::clamp(static_cast<int>((x + 0.5f * kCell * kColumns) * (1.0f / kCell)), 0, kColumns - 1);
  }
  static int row_of(float y) {
    return std::clamp(static_cast<int>((y + 0.5f * kCell * kRows) * (1.0f / kCell)), 0, kRows - 1);
  }
  static u32 cell_of(int column, int row) { return static_cast<u32>(row * kColumns + column); }
  template <class Circle, class F>
  static void for_cells(u32 i, Circle&& circle, F&& f) {
    float x = 0, y = 0, radius = 0;
    circle(i, x, y, radius);
    for (int row = row_of(y - radius); row <= row_of(y + radius); ++row) {
      for (int column = column_of(x - radius); column <= column_of(x + radius); ++column) f(cell_of(column, row));
    }
  }
  pool::FrameArray<u32> starts_, members_;
};

template <class F>
void Shots::collide(Enemies& enemies, std::pmr::memory_resource& memory, F&& hit) {
  const auto those = enemies.objects().list();
  if (those.empty() || objects_.live() == 0) return;
  constexpr float kShotRadius = 7.0f;
  const CircleGrid grid(memory, static_cast<u32>(those.size()), [&](u32 i, float& x, float& y, float& radius) {
    const auto enemy = enemies.objects().peek(those[i].handle);
    x = (*enemy).x;
    y = (*enemy).y;
    radius = frame::row((*enemy).kind).radius + kShotRadius + 16.0f;  // a shot's way in a step
  });
  for (const auto& entry : objects_.list()) {
    const auto held = objects_.get(entry.handle);
    Shot& shot = *held;
    if (shot.gone) continue;
    for (const u32 i : grid.at(shot.x, shot.y)) {
      const auto target = enemies.objects().peek(those[i].handle);
      const Enemy& enemy = *target;
      if (enemy.gone || enemy.age < 2) continue;
      const float reach = frame::row(enemy.kind).radius + kShotRadius;
      // From the way of one seen by the other: swept.
      const float from_x = shot.previous_x - enemy.previous_x, from_y = shot.previous_y - enemy.previous_y;
      const float way_x = (shot.x - enemy.x) - from_x, way_y = (shot.y - enemy.y) - from_y;
      if (least_distance2(from_x, from_y, way_x, way_y) > reach * reach) continue;
      shot.gone = true;
      hit(static_cast<const Shot&>(shot), those[i].handle);
      break;
    }
  }
}

}  // namespace spellpool::sim
