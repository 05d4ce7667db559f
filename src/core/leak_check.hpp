#pragma once
// A scope whose allocations the leak checker does not count: drivers and fontconfig keep what they allocate until the
// process ends. Nothing at all without AddressSanitizer.
#if defined(__SANITIZE_ADDRESS__)
#define SPELLPOOL_LEAK_CHECK 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SPELLPOOL_LEAK_CHECK 1
#endif
#endif

#if defined(SPELLPOOL_LEAK_CHECK)
extern "C" {  // Of the compiler's leak checker.
void __lsan_disable();
void __lsan_enable();
}
#endif

namespace spellpool {

/// May be nested. Counts for the thread that made it.
class ForeignAllocations {
 public:
#if defined(SPELLPOOL_LEAK_CHECK)
  ForeignAllocations() { __lsan_disable(); }
  ~ForeignAllocations() { __lsan_enable(); }
#else
  ForeignAllocations() {}
  ~ForeignAllocations() {}
#endif
  ForeignAllocations(const ForeignAllocations&) = delete;
  ForeignAllocations& operator=(const ForeignAllocations&) = delete;
};

}  // namespace spellpool
