#pragma once
#include <deque>
#include <vector>

#include "frame/defs/pattern_def.hpp"
#include "frame/render_snapshot.hpp"

namespace spellpool::sim {

/// What every bullet of one shot shares, in steps and in units a step: a row of the flight table.
struct Flight {
  float accelerate = 0, least_speed = 0, most_speed = 0;  ///< Units a step, a step².
  float curve = 0, homing = 0;                            ///< Turns a step.
  u32 curve_steps = 0, homing_steps = 0;                  ///< Up to this age. No end: ~0u.
  u32 split_steps = 0;                                    ///< At this age it splits; 0: never.
  i32 split_into = -1;
  float hit_radius = 2.5f;
  u32 warn_steps = 0, life_steps = 0;                     ///< Of a laser: harmless until, gone after. life_steps 0: no laser.
  float half_width = 0;                                   ///< Of a laser.
  bool straight = true;                                   ///< Nothing of the above changes its way.
  u32 rank = 0;                                           ///< Drawing order: large ones first.
  frame::ParticleInstance looks{};                        ///< Colour, size and shape; place and fading are the bullet's.
};

/// One shot as the simulation plays it.
struct Volley {
  const frame::ShotDef* shot = nullptr;
  u32 row = 0;                                            ///< Of the flight table.
  u32 start_steps = 0, every_steps = 1, cycle_steps = 0;  ///< cycle: volleys and rest; 0: no rest.
};

/// All patterns of a book for one difficulty, in steps. Where a book took another's place, there may be rows behind
/// its own: of what flew then.
class FlightTable {
 public:
  static constexpr u32 kMostRows = 1u << 16;  ///< A bullet has 16 bits for its row.
  static constexpr u32 kNoRow = ~u32{0};

  FlightTable() = default;
  FlightTable(const frame::PatternBook& book, frame::Difficulty difficulty);

  const Flight& flight(u32 row) const { return flights_[row]; }
  std::span<const Flight> flights() const { return flights_; }
  /// The shots of a pattern; none of −1 and of one that the book does not have.
  std::span<const Volley> volleys(i32 pattern) const;
  /// Which volley, counted from 0, a shot fires `age` steps after its pattern began; −1 if none.
  static i64 volley_at(const Volley& volley, u32 age);

  /// Takes over those rows of `old` for which `flown` is true, and what they split into. Gives the new row of each
  /// old one; kNoRow for the others, and for all if they are too many.
  std::vector<u32> keep(const FlightTable& old, const std::vector<bool>& flown);

 private:
  struct Part {
    u32 first = 0, count = 0;
  };
  u32 keep_row(const FlightTable& old, u32 row, std::vector<u32>& rows);
  void rank();

  std::deque<frame::ShotDef> shots_;  // the volleys point into it
  std::vector<Flight> flights_;
  std::vector<Volley> volleys_;
  std::vector<Part> parts_;  // by pattern of the book; then what kept rows split into
};

}  // namespace spellpool::sim
