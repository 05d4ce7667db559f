#pragma once
// Counts every operator new of the test program (the driver's too), so that a test can say that something calls none.

namespace spellpool::render::test {

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SPELLPOOL_SANITIZED 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SPELLPOOL_SANITIZED 1
#endif

/// False under a sanitizer, which has an operator new of its own.
#ifdef SPELLPOOL_SANITIZED
inline constexpr bool kNewsAreCounted = false;
#else
inline constexpr bool kNewsAreCounted = true;
#endif
unsigned long counted_news();

}  // namespace spellpool::render::test
