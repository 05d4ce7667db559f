#pragma once

namespace spellpool::platform {

/// The calling thread runs where the others leave a processor free. A hint: where the system refuses, nothing changes.
void lower_thread_priority();

}  // namespace spellpool::platform
