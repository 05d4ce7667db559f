#pragma once

namespace spellpool::platform {

/// Calls `write` once when the program is about to end by abort(): of a failed assertion, of an exception that is not
/// caught. Null: nothing is called any more.
///
/// The call comes from a signal handler on the thread that failed, and may find that thread in the middle of
/// anything. So it has ten seconds; then the program ends in any case.
void watch_abort(void (*write)(void* self), void* self);

}  // namespace spellpool::platform
