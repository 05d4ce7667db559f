#include "measure/report/card.hpp"

namespace spellpool::measure {

std::string draw_card(const Comparison&, const std::string&, double) { return "the browser build draws no result card: it has no cairo"; }

}  // namespace spellpool::measure
