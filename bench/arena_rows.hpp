#pragma once
#include <vector>

#include "goals.hpp"

namespace spellpool::bench {

/// The arena against std::pmr::monotonic_buffer_resource, foonathan/memory, mimalloc and glibc: a frame's worth of blocks is
/// allocated, the first 8 bytes of each are written, all are given back. Prints a table and adds the goals pools.G11.*.
/// Ends the program with code 1 if a side's blocks do not hold what was written.
void arena_rows(int rounds, std::vector<Goal>& goals);

}  // namespace spellpool::bench
