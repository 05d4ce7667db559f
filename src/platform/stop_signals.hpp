#pragma once
#include "core/types.hpp"

namespace spellpool::platform {

/// From now on SIGINT, SIGTERM and SIGHUP set a flag that the loop reads, so that the program ends as if its window had
/// been closed and saves what it recorded. A second SIGINT, half a second or more later, ends it at once with code 130.
/// (Sooner ones are the same request: `timeout -s INT` and some terminals send it twice.)
/// SIGHUP stays ignored where it was (nohup). SIGINT is taken even where it was ignored: shells ignore it for what they
/// run in the background. SIGPIPE is ignored, so that a closed pipe is a write error and not the end.
/// It also disables SDL's own signal handlers: call it before any SDL start-up.
void install_stop_signals();

/// True once a stop signal came. One relaxed atomic load.
bool stop_requested();

}  // namespace spellpool::platform
