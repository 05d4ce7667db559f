#include "counted_news.hpp"

#include <atomic>
#include <cstdlib>
#include <new>

namespace spellpool::render::test {
namespace {
std::atomic<unsigned long> news{0};
}  // namespace

unsigned long counted_news() { return news.load(); }

#ifndef SPELLPOOL_SANITIZED
static void count_one_new() { news.fetch_add(1, std::memory_order_relaxed); }
#endif

}  // namespace spellpool::render::test

#ifndef SPELLPOOL_SANITIZED
void* operator new(std::size_t bytes) {
  spellpool::render::test::count_one_new();
  if (void* memory = std::malloc(bytes == 0 ? 1 : bytes)) return memory;
  throw std::bad_alloc();
}
// The canvas of the CPU path asks for lines of the cache.
void* operator new(std::size_t bytes, std::align_val_t align) {
  spellpool::render::test::count_one_new();
  const std::size_t side = static_cast<std::size_t>(align);
  if (void* memory = std::aligned_alloc(side, (bytes + side - 1) / side * side)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
#endif
