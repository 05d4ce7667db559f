#pragma once
// What a lesson measures on the machine it runs on. A lesson asks for a measurement by its name; the program
// takes it beside the lesson, since the simulation has no clock (app/learn/lesson_bench.hpp), and hands it
// in. It is no part of a lesson's state: the hashes leave it out.
#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/enum_table.hpp"
#include "core/types.hpp"
#include "frame/voice_choice.hpp"

namespace spellpool::frame {

enum class LessonMeasure : u8 { Walks, PoolWins, NoDifference, PoolLoses, Voices };
struct LessonMeasureRow {
  LessonMeasure id;
  std::string_view name, title;
  std::array<double, 3> limits{};  ///< Of a bet: they divide the ratio into the four answers.
};
inline constexpr std::array kLessonMeasures = {
    LessonMeasureRow{LessonMeasure::Walks, "walks", "Walks over scattered, packed and column objects"},
    LessonMeasureRow{
        LessonMeasure::PoolWins, "churn", "40,000 sparks that live 0.2 s, aged heap", {0.25, 0.5, 0.8}},
    LessonMeasureRow{LessonMeasure::NoDifference, "play", "The game as it is played", {0.5, 0.8, 1.1}},
    LessonMeasureRow{
        LessonMeasure::PoolLoses, "book", "A flag pool: it visits every slot", {0.5, 0.8, 1.25}},
    LessonMeasureRow{LessonMeasure::Voices, "voices", "A flood of sounds into few voices"},
};
static_assert(rows_in_order(kLessonMeasures));
inline constexpr std::size_t kLessonMeasureCount = kLessonMeasures.size();

/// How the objects of a walk lie in memory.
enum class LessonWalk : u8 { Scattered, Packed, Columns };
inline constexpr std::size_t kLessonWalkCount = 3;
inline constexpr std::array<std::string_view, kLessonWalkCount> kLessonWalkTitles = {"scattered", "packed",
                                                                                     "columns"};

/// A time with the spread of its rounds: quartiles around the median.
struct LessonSpread {
  double median = 0, low = 0, high = 0;
};

struct LessonWalkPoint {
  u64 objects = 0;
  std::array<LessonSpread, kLessonWalkCount> ns{};  ///< For each object, by LessonWalk.
};

/// A cache of data.
struct LessonCache {
  std::string name;  ///< "L1", "L2" …
  u64 bytes = 0;
};

/// A voice slot just after the loudest sound of the flood began.
struct LessonVoiceSlot {
  u32 sound = 0;       ///< Its number in the flood, from 1; 0: the slot is free.
  float loudness = 0;  ///< Of what is still to come, against the loudest sound of the flood: 0 … 1.
};
/// What became of the same flood of sounds under one policy.
struct LessonVoiceRow {
  VoicePolicy policy{};
  u64 rejected = 0, stolen = 0, resumed = 0;
  u64 silenced = 0;  ///< Made virtual.
  double lost = 0;   ///< Share of the flood's sound energy that is not heard, 0 … 1.
  bool loudest_heard = false;
  u32 first_refused = 0;  ///< The first sound that was rejected, by its number; 0: none was.
  std::vector<LessonVoiceSlot> slots;
};

struct LessonMeasurement {
  LessonMeasure id{};
  // Voices: of a real voice pool, and the same on every machine
  std::vector<LessonVoiceRow> voices;
  u32 sounds = 0, loudest = 0;  ///< Of the flood; the number of the loudest.
  // Walks: points in rising order of objects
  std::vector<LessonWalkPoint> points;
  u64 object_bytes = 0;
  std::vector<LessonCache> caches;  ///< In rising order; empty: not known.
  // The others: time of B over time of A, for steps of two worlds in turns
  double ratio = 0, low = 0, high = 0;      ///< With its 95 % interval.
  double control = 0;                       ///< Identical work differed by up to this part.
  u32 quads = 0;                            ///< Times four runs that the ratio comes from.
  std::string error;  ///< One line: why there are no figures; "" if there are.
  std::string noise;  ///< "other programs took 48 % of the processor time": too noisy to decide; "" if not.
  // All
  std::string build, machine, method, date;  ///< What stands beside the numbers.

  /// It ended with figures.
  bool has_walks() const { return points.size() >= 2; }
  bool has_ratio() const { return quads > 0 && std::isfinite(ratio) && ratio > 0; }
};

/// Those that there are, by LessonMeasure.
using LessonResults = std::array<std::shared_ptr<const LessonMeasurement>, kLessonMeasureCount>;

/// Into which of the ranges that `limits` divide a value falls. kNoRange if its spread reaches over a limit.
inline constexpr u32 kNoRange = 0xffffffffu;
template <std::size_t n>
constexpr u32 range_of(double low, double high, const std::array<double, n>& limits) {
  u32 range = 0;
  while (range < n && low >= limits[range]) ++range;
  const bool within = range == n || high < limits[range];
  return within && low <= high ? range : kNoRange;
}

/// Ranges of how many times as long one walk takes as another.
inline constexpr std::array<double, 3> kWalkLimits = {4, 12, 40};

/// The range of a bet's ratio. Where other programs ran, its interval is widened by as much as identical work
/// differed, so noise decides against a verdict only where it could change it.
inline u32 bet_range(const LessonMeasurement& found) {
  if (!found.has_ratio()) return kNoRange;
  const bool widen = !found.noise.empty() && std::isfinite(found.control);
  const double by = widen ? 1 + std::max(0.0, found.control) : 1.0;
  const auto& limits = kLessonMeasures[static_cast<std::size_t>(found.id)].limits;
  return range_of(found.low / by, found.high * by, limits);
}
/// The range of `above` over `below` at a point, by the medians and by the lower quartiles: other programs
/// only lengthen rounds, so the upper quartile tells about them. Where they ran, a quarter more either way.
inline u32 walk_range(const LessonMeasurement& found, const LessonSpread& above, const LessonSpread& below) {
  if (!(below.low > 0) || !(below.median > 0)) return kNoRange;
  const double by = found.noise.empty() ? 1.0 : 1.25;
  const auto [least, most] = std::minmax({above.low / below.low, above.median / below.median});
  return range_of(least / by, most * by, kWalkLimits);
}

/// What a bet's interval says beside what identical work differed by.
enum class BetVerdict : u8 { NotMeasured, NoDifference, Faster, Slower };
inline BetVerdict bet_verdict(const LessonMeasurement& found) {
  if (!found.has_ratio()) return BetVerdict::NotMeasured;
  const double band = 1 + (std::isfinite(found.control) ? std::max(0.0, found.control) : 0.0);
  return found.high < 1 / band ? BetVerdict::Faster : found.low > band ? BetVerdict::Slower
                                                                       : BetVerdict::NoDifference;
}
constexpr std::string_view bet_words(BetVerdict verdict) {
  switch (verdict) {
    case BetVerdict::NotMeasured:
      return "not measured";
    case BetVerdict::NoDifference:
      return "no difference found";
    case BetVerdict::Faster:
      return "the pool is faster";
    case BetVerdict::Slower:
      return "the pool is slower";
  }
  return "";
}
/// How far the axis of a ratio reaches to both sides, whatever was measured.
inline constexpr double kRatioReach = 10;
inline constexpr std::array kRatioMarks = {0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0};

/// Sounds of the flood that a question names, by their numbers: the glow, the first and the last bell, the
/// meteor.
inline constexpr std::array<u32, 4> kAskedSounds = {6, 7, 13, 14};

}  // namespace spellpool::frame
