#pragma once

namespace spellpool::app {

/// The whole program: reads the command line, runs what it asks for, returns the exit code. Lets no exception out.
int run_program(int argc, const char* const* argv);

}  // namespace spellpool::app
