#pragma once
#include <string>

#include "frame/views/lesson_measurement.hpp"

namespace spellpool::measure {

inline constexpr int kLearnCardWidth = 1200, kLearnCardHeight = 760;

/// Draws what a pupil measured in the lessons: the curves of the walks, the three ratios, and the machine,
/// build and method beside them. What was not measured is said. Returns "" or the error. Never writes over a
/// file.
std::string draw_learn_card(const frame::LessonResults& results, const std::string& path);

}  // namespace spellpool::measure
