#pragma once
// What the program has allocated and not freed.
#include <cstddef>
#if defined(__GLIBC__)
#include <malloc.h>
#endif

namespace spellpool::app {

/// 0 where the C library does not say; a constant under a sanitizer, whose allocator is another.
inline std::size_t live_bytes() {
#if defined(__GLIBC__)
  const struct mallinfo2 now = mallinfo2();
  return now.uordblks + now.hblkhd;
#else
  return 0;
#endif
}

}  // namespace spellpool::app
