#pragma once
#include "app/options.hpp"

namespace spellpool::app {

/// `spellpool report`: the page, picture and texts of a comparison made again, or made from recordings of any game.
int report_command(const ReportOptions& options);

}  // namespace spellpool::app
