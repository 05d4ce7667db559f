#include "app/report_command.hpp"

namespace spellpool::app {

int report_command(const ReportOptions&) { return 2; }

}  // namespace spellpool::app
