#include "measure/report/report_card.hpp"

namespace spellpool::measure {

std::string draw_share_card(const Report&, const std::string&) { return "the browser build draws no share card: it has no cairo"; }

}  // namespace spellpool::measure
