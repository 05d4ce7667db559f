#pragma once
// For comparing and inspecting pools, not for shipping: the other ten strategies, and the diagnostics of pool/inspect.
#include "pool/inspect/capacity_adviser.hpp"
#include "pool/inspect/line_map.hpp"
#include "pool/inspect/slot_map.hpp"
#include "pool/inspect/spawn_sites.hpp"
#include "pool/inspect/steal_marks.hpp"
#include "pool/strategies/pool_kinds.hpp"
#include "pool/strategy.hpp"
