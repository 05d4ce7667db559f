#pragma once
// Measurements as a quiet machine gives them, for tests: no test of a lesson depends on a clock.
#include <memory>

#include "frame/views/lesson_measurement.hpp"

namespace spellpool::sim {

inline frame::LessonSpread spread_around(double median) { return {median, median * 0.98, median * 1.02}; }

/// 256 objects: 0.9, 0.8 and 0.2 ns; a million: 20, 3 and 1 ns.
inline frame::LessonMeasurement example_walks() {
  frame::LessonMeasurement found;
  found.id = frame::LessonMeasure::Walks;
  found.object_bytes = 64;
  found.caches = {{"L1", 32 << 10}, {"L2", 1 << 20}, {"L3", 32 << 20}};
  const auto add = [&](u64 objects, double scattered, double packed, double columns) {
    found.points.push_back(
        {objects, {spread_around(scattered), spread_around(packed), spread_around(columns)}});
  };
  add(256, 0.9, 0.8, 0.2);
  add(4'096, 1.0, 0.8, 0.2);
  add(65'536, 4.0, 0.9, 0.25);
  add(u64{1} << 20, 20.0, 3.0, 1.0);
  return found;
}

inline frame::LessonMeasurement example_bet(frame::LessonMeasure id, double low, double high) {
  frame::LessonMeasurement found;
  found.id = id;
  found.ratio = (low + high) / 2;
  found.low = low;
  found.high = high;
  found.control = 0.02;
  found.quads = 20;
  return found;
}

/// As the app's real pool has it: reject refuses the loudest, virtual loses the least.
inline frame::LessonMeasurement example_voices() {
  using frame::VoicePolicy;
  frame::LessonMeasurement found;
  found.id = frame::LessonMeasure::Voices;
  found.sounds = 3;
  found.loudest = 3;
  found.voices = {{VoicePolicy::Reject, 1, 0, 0, 0, 0.8, false, 7, {{1, 0.2f}, {2, 0.1f}}},
                  {VoicePolicy::StealOldest, 0, 1, 0, 0, 0.4, true, 0, {{3, 1.0f}, {2, 0.1f}}},
                  {VoicePolicy::StealQuietest, 0, 1, 0, 0, 0.1, true, 0, {{1, 0.2f}, {3, 1.0f}}},
                  {VoicePolicy::Virtual, 0, 0, 1, 1, 0.05, true, 0, {{1, 0.2f}, {3, 1.0f}}}};
  return found;
}

inline frame::LessonResults example_results() {
  using frame::LessonMeasure;
  return {std::make_shared<frame::LessonMeasurement>(example_walks()),
          std::make_shared<frame::LessonMeasurement>(example_bet(LessonMeasure::PoolWins, 0.3, 0.4)),
          std::make_shared<frame::LessonMeasurement>(example_bet(LessonMeasure::NoDifference, 0.98, 1.01)),
          std::make_shared<frame::LessonMeasurement>(example_bet(LessonMeasure::PoolLoses, 1.4, 1.6)),
          std::make_shared<frame::LessonMeasurement>(example_voices())};
}

}  // namespace spellpool::sim
