#pragma once
// Counts every operator new of the test program (allocation_probe.cpp replaces it). Single thread.
#include "core/types.hpp"

namespace spellpool::test {

u64 new_calls();
u64 delete_calls();

/// How many operator new calls f made.
template <class F>
u64 new_calls_in(F&& f) {
  const u64 before = new_calls();
  f();
  return new_calls() - before;
}

}  // namespace spellpool::test
