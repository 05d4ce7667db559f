#pragma once
#include "core/types.hpp"

namespace spellpool::audio {

/// Calls of any operator new in this test program so far, on every thread.
u64 allocation_count();

}  // namespace spellpool::audio
