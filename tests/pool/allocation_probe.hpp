#pragma once
// Counts every operator new of the test program, and makes one of them fail (allocation_probe.cpp replaces it). Single thread.
#include "core/types.hpp"

namespace spellpool::test {

u64 new_calls();
u64 delete_calls();

/// After so many calls that succeed, one operator new throws std::bad_alloc; -1: none does. Returns what was left of the setting before.
i64 fail_new_after(i64 calls);

/// How many operator new calls f made.
template <class F>
u64 new_calls_in(F&& f) {
  const u64 before = new_calls();
  f();
  return new_calls() - before;
}

}  // namespace spellpool::test
