#include "render/cpu/raw_buffer.hpp"

#include <new>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace spellpool::render {
namespace {
#if defined(__linux__)
constexpr std::size_t kLargePage = std::size_t{2} << 20;
std::align_val_t alignment_of(std::size_t bytes) { return std::align_val_t{bytes < kLargePage ? 64 : kLargePage}; }
#else
std::align_val_t alignment_of(std::size_t) { return std::align_val_t{64}; }
#endif
}  // namespace

void* new_raw(std::size_t bytes) {
  void* memory = ::operator new(bytes, alignment_of(bytes));
#if defined(__linux__)
  if (bytes >= kLargePage) madvise(memory, bytes / kLargePage * kLargePage, MADV_HUGEPAGE);
#endif
  return memory;
}

void delete_raw(void* memory, std::size_t bytes) { ::operator delete(memory, alignment_of(bytes)); }

}  // namespace spellpool::render
