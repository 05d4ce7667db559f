#pragma once

namespace spellpool::platform {

/// Gives memory that was freed, by this program and its libraries, back to the system: after a start, which takes far
/// more than what follows. Some milliseconds. Nothing where the C library cannot do it.
void return_free_memory();

}  // namespace spellpool::platform
