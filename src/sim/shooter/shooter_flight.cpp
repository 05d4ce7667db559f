#include "sim/shooter/shooter_flight.hpp"

#include <algorithm>

#include "core/fixed_step.hpp"

namespace spellpool::sim {
namespace {

u32 steps_of(float seconds) { return static_cast<u32>(std::max(0.0f, seconds) * 60.0f + 0.5f); }
u8 byte_of(float share) { return static_cast<u8>(std::clamp(share, 0.0f, 1.0f) * 255.0f + 0.5f); }

Flight flight_of(const frame::ShotDef& shot) {
  Flight f;
  f.accelerate = shot.accelerate * kStep_s * kStep_s;
  f.least_speed = std::min(shot.least_speed, shot.speed) * kStep_s;
  f.most_speed = std::max(shot.most_speed, shot.speed) * kStep_s;
  f.curve = shot.curve_turns_s * kStep_s;
  f.homing = shot.homing_turns_s * kStep_s;
  f.curve_steps = shot.curve_s > 0.0f ? steps_of(shot.curve_s) : ~0u;
  f.homing_steps = steps_of(shot.homing_s);
  f.split_steps = shot.split_into >= 0 ? std::max(1u, steps_of(shot.split_s)) : 0;
  f.split_into = shot.split_into;
  f.hit_radius = 0.5f * shot.hit_size;
  if (shot.form == frame::ShotForm::Laser) {
    f.curve = shot.sweep_turns_s * kStep_s;
    f.curve_steps = ~0u;
    f.warn_steps = std::max(1u, steps_of(shot.warn_s));
    f.life_steps = f.warn_steps + std::max(1u, steps_of(shot.on_s));
    f.half_width = 0.35f * shot.size;  // the glow at its sides does not burn
  }
  f.straight = f.accelerate == 0.0f && f.curve == 0.0f && f.homing == 0.0f;
  f.looks.r = byte_of(shot.r);
  f.looks.g = byte_of(shot.g);
  f.looks.b = byte_of(shot.b);
  f.looks.size = static_cast<u16>(shot.size * frame::kSizeScale);
  f.looks.glow_shape = static_cast<u8>(static_cast<u32>(shot.shape) | 4u << 3);
  return f;
}

}  // namespace

FlightTable::FlightTable(const frame::PatternBook& book, frame::Difficulty difficulty) {
  const std::size_t level = static_cast<std::size_t>(difficulty);
  for (const frame::PatternDef& pattern : book) {
    parts_.push_back({static_cast<u32>(volleys_.size()), static_cast<u32>(pattern.shots[level].size())});
    for (const frame::ShotDef& shot : pattern.shots[level]) {
      shots_.push_back(shot);
      Volley v;
      v.shot = &shots_.back();
      v.row = static_cast<u32>(flights_.size());
      v.start_steps = steps_of(shot.start_s);
      v.every_steps = std::max(1u, steps_of(shot.every_s));
      v.cycle_steps = shot.volleys > 0 && shot.rest_s > 0.0f ? shot.volleys * v.every_steps + steps_of(shot.rest_s) : 0;
      volleys_.push_back(v);
      flights_.push_back(flight_of(shot));
    }
  }
  rank();
}

void FlightTable::rank() {
  std::vector<u16> sizes;
  for (const Flight& f : flights_) sizes.push_back(f.looks.size);
  std::sort(sizes.begin(), sizes.end(), std::greater<>{});
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  for (Flight& f : flights_)
    f.rank = static_cast<u32>(std::find(sizes.begin(), sizes.end(), f.looks.size) - sizes.begin());
}

std::vector<u32> FlightTable::keep(const FlightTable& old, const std::vector<bool>& flown) {
  std::vector<u32> rows(old.flights_.size(), kNoRow);
  if (flights_.size() + old.flights_.size() > kMostRows) return rows;
  for (u32 row = 0; row < rows.size(); ++row) {
    if (flown[row]) keep_row(old, row, rows);
  }
  rank();
  return rows;
}

/// What it splits into comes first; the reader has seen to it that this has an end.
u32 FlightTable::keep_row(const FlightTable& old, u32 row, std::vector<u32>& rows) {
  if (rows[row] != kNoRow) return rows[row];
  Flight flight = old.flights_[row];
  if (flight.split_into >= 0) {
    std::vector<Volley> volleys;
    for (Volley volley : old.volleys(flight.split_into)) {
      volley.row = keep_row(old, volley.row, rows);
      volley.shot = &shots_.emplace_back(*volley.shot);
      volleys.push_back(volley);
    }
    flight.split_into = static_cast<i32>(parts_.size());
    parts_.push_back({static_cast<u32>(volleys_.size()), static_cast<u32>(volleys.size())});
    volleys_.insert(volleys_.end(), volleys.begin(), volleys.end());
  }
  rows[row] = static_cast<u32>(flights_.size());
  flights_.push_back(flight);
  return rows[row];
}

std::span<const Volley> FlightTable::volleys(i32 pattern) const {
  if (pattern < 0 || static_cast<std::size_t>(pattern) >= parts_.size()) return {};
  const Part part = parts_[static_cast<std::size_t>(pattern)];
  return {volleys_.data() + part.first, part.count};
}

i64 FlightTable::volley_at(const Volley& volley, u32 age) {
  if (age < volley.start_steps) return -1;
  u32 since = age - volley.start_steps;
  u32 before = 0;
  if (volley.cycle_steps > 0) {
    before = since / volley.cycle_steps * volley.shot->volleys;
    since %= volley.cycle_steps;
  }
  if (since % volley.every_steps != 0) return -1;
  const u32 which = since / volley.every_steps;
  if (volley.shot->volleys > 0 && which >= volley.shot->volleys) return -1;
  return i64{before} + which;
}

}  // namespace spellpool::sim
