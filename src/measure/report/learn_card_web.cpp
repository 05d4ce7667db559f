#include "measure/report/learn_card.hpp"

namespace spellpool::measure {

std::string draw_learn_card(const frame::LessonResults&, const std::string&) {
  return "the browser build draws no card: it has no cairo";
}

}  // namespace spellpool::measure
