#pragma once
// Under AddressSanitizer, memory of free slots is poisoned: touching a released object is reported at the line that does
// it. Elsewhere these compile to nothing. ASan tracks 8-byte granules, so payloads are aligned to 8.
#include <cstddef>

#if defined(__SANITIZE_ADDRESS__)
#define SPELLPOOL_POISON 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SPELLPOOL_POISON 1
#endif
#endif

#if defined(SPELLPOOL_POISON)
#include <sanitizer/asan_interface.h>
#endif

namespace spellpool::pool {

inline void poison([[maybe_unused]] const void* address, [[maybe_unused]] std::size_t bytes) {
#if defined(SPELLPOOL_POISON)
  __asan_poison_memory_region(address, bytes);
#endif
}
inline void unpoison([[maybe_unused]] const void* address, [[maybe_unused]] std::size_t bytes) {
#if defined(SPELLPOOL_POISON)
  __asan_unpoison_memory_region(address, bytes);
#endif
}

}  // namespace spellpool::pool
