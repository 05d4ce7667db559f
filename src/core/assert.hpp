#pragma once
// SPELLPOOL_ASSERT catches programming errors: on in debug and sanitizer builds (or with SPELLPOOL_ASSERTS defined),
// absent otherwise. Expected limits (a full pool, a stale handle) are values, never assertions.
#if !defined(NDEBUG) || defined(SPELLPOOL_ASSERTS)
#include <cstdio>
#include <cstdlib>
#define SPELLPOOL_ASSERT(condition)                                                                  \
  ((condition) ? static_cast<void>(0)                                                                \
               : (std::fprintf(stderr, "spellpool: assertion failed: %s (%s:%d)\n", #condition,      \
                               __FILE__, __LINE__),                                                  \
                  std::abort()))
#else
#define SPELLPOOL_ASSERT(condition) static_cast<void>(0)
#endif
