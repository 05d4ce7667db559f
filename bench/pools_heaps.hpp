#pragma once
#include <cstddef>
#include <vector>

#include "core/types.hpp"

namespace spellpool::bench {

/// An allocator of the malloc kind. All are called through pointers, glibc too.
struct Heap {
  const char* name;
  void* (*allocate)(std::size_t);
  void (*release)(void*);
};

/// glibc first, then the other allocators that are installed. dlopen opens each one separately, so none
/// replaces the program's malloc. One that is missing is reported on stderr once and left out. jemalloc
/// needs GLIBC_TUNABLES=glibc.rtld.optional_static_tls=16384 in the environment; main() sets it.
const std::vector<Heap>& heaps();

/// Makes glibc's heap look like that of a program that has run for long: 1.5 million blocks of 16 … 5000 bytes (small ones
/// more often than large ones), 3 million replaced at random, half of them freed at random. About 1.3 GB until the process ends.
void age_heap();

/// operator new calls of this program so far.
u64 new_calls();

}  // namespace spellpool::bench
