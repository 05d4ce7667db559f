#pragma once
#include <string>

#include "frame/views/lesson_measurement.hpp"

namespace spellpool::app {

/// Writes the card of what was measured: measure/report/learn_card.hpp. "" or an error line.
std::string draw_learn_card(const frame::LessonResults& results, const std::string& path);

/// The same as a new file in the folder of recordings. Returns a line for the player: where it is, or what
/// went wrong.
std::string save_learn_card(const frame::LessonResults& results);

}  // namespace spellpool::app
