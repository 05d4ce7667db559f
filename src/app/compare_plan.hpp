#pragma once
#include <array>
#include <string_view>

#include "core/enum_table.hpp"

namespace spellpool::app {

/// How long and how careful a comparison is: --plan, and --preset takes these names too.
enum class PlanId : u8 { Quick, Standard, Thorough, Rendered, RenderedThorough, Matrix };
struct PlanRow {
  PlanId id;
  std::string_view name, description;
  u32 quads;          ///< And as many of control.
  double fill_s;      ///< Steps of a block are chosen, before the first one, so that all takes about so long. 0: --steps.
  bool sim_only;
};
inline constexpr std::array kPlans = {
    PlanRow{PlanId::Quick, "quick", "a minute, simulation only, 20 quads", 20, 55, true},
    PlanRow{PlanId::Standard, "standard", "ten minutes, simulation only, 40 quads", 40, 570, true},
    PlanRow{PlanId::Thorough, "thorough", "an hour, simulation only, 80 quads", 80, 3'500, true},
    PlanRow{PlanId::Rendered, "rendered", "with drawing, 20 quads of 120 steps; how long depends on the machine and is told first", 20, 0, false},
    PlanRow{PlanId::RenderedThorough, "rendered_thorough", "with drawing, 40 quads of 600 steps; as long", 40, 0, false},
    PlanRow{PlanId::Matrix, "matrix", "where does B win, where does it lose? Objects × churn × size × age of the heap, 6 quads each", 6, 0, true},
};
static_assert(rows_in_order(kPlans));

}  // namespace spellpool::app
