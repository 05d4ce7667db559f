#pragma once
// How long an update of objects takes that lie scattered, packed or in columns, from a few of them to more
// than the last cache holds. Done in small pieces, so that it can run in a thread or between frames.
//
//   WalkCurve curve({});
//   while (curve.advance()) show(curve.progress());
//   show(curve.points());
//
// Object    64 bytes: five floats that the update reads and writes (place, velocity, life), and eleven that
// it
//           does not.
// Scattered each by new, reached by a pointer, in random order: so objects lie after long play.
// Packed    one array of objects.   Columns  an array for each of the five floats.
// Sizes     from 256 objects on twice as many each time, as far as `most_bytes` of packed objects.
// Times     passes over all objects, as many as take `round_us`, are one round; nine rounds of each
//           arrangement and size. Median and quartiles. The first pass of each is not timed.
// Memory    one arrangement at a time: at most 1.4 × most_bytes.
// Threads   one.
#include <memory>
#include <vector>

#include "frame/views/lesson_measurement.hpp"
#include "measure/record/phase_clock.hpp"

namespace spellpool::measure {

inline constexpr u64 kWalkObjectBytes = 64, kWalkMovingBytes = 20, kLeastWalkObjects = 256;

struct WalkCurveOptions {
  u64 most_bytes = u64{64} << 20;
  double round_us = 400;
  ClockNs now = steady_now_ns;
};
/// Enough for a last cache of this size: four times as much, within 8 to 128 MiB. 0: not known.
u64 walk_bytes_for(u64 last_cache_bytes);

class WalkCurve {
 public:
  explicit WalkCurve(const WalkCurveOptions& options);
  ~WalkCurve();
  WalkCurve(const WalkCurve&) = delete;
  WalkCurve& operator=(const WalkCurve&) = delete;

  /// A piece of it: makes some objects, or times a round. False: it is done.
  bool advance();
  float progress() const;
  const std::vector<frame::LessonWalkPoint>& points() const { return points_; }

 private:
  class Field;
  void next_field();

  WalkCurveOptions options_;
  std::vector<frame::LessonWalkPoint> points_;  ///< Of all sizes, filled in the order of measuring.
  std::size_t point_ = 0, walk_ = 0;
  std::unique_ptr<Field> field_;
};

}  // namespace spellpool::measure
