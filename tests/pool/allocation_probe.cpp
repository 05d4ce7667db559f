#include "../pool/allocation_probe.hpp"

#include <atomic>
#include <cstdlib>
#include <new>

namespace spellpool::test {
namespace {
std::atomic<u64> news{0};
std::atomic<u64> deletes{0};
std::atomic<i64> until_failure{-1};

void* counted(std::size_t bytes, std::size_t alignment) {
  news.fetch_add(1, std::memory_order_relaxed);
  if (until_failure.load(std::memory_order_relaxed) >= 0 && until_failure.fetch_sub(1, std::memory_order_relaxed) == 0) throw std::bad_alloc();
  if (bytes == 0) bytes = 1;
  void* memory = alignment <= alignof(std::max_align_t) ? std::malloc(bytes)
                                                        : std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
  if (!memory) throw std::bad_alloc();
  return memory;
}
void* counted_or_null(std::size_t bytes, std::size_t alignment) noexcept {
  try {
    return counted(bytes, alignment);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}
void give_back(void* memory) {
  if (memory) deletes.fetch_add(1, std::memory_order_relaxed);
  std::free(memory);
}
}  // namespace

u64 new_calls() { return news.load(std::memory_order_relaxed); }
u64 delete_calls() { return deletes.load(std::memory_order_relaxed); }
i64 fail_new_after(i64 calls) { return until_failure.exchange(calls, std::memory_order_relaxed); }

}  // namespace spellpool::test

using spellpool::test::counted;
using spellpool::test::counted_or_null;
using spellpool::test::give_back;
// Each form by itself: AddressSanitizer replaces those that are missing, and would find memory of one freed by another.
void* operator new(std::size_t bytes) { return counted(bytes, 1); }
void* operator new[](std::size_t bytes) { return counted(bytes, 1); }
void* operator new(std::size_t bytes, std::align_val_t alignment) { return counted(bytes, static_cast<std::size_t>(alignment)); }
void* operator new[](std::size_t bytes, std::align_val_t alignment) { return counted(bytes, static_cast<std::size_t>(alignment)); }
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept { return counted_or_null(bytes, 1); }
void* operator new[](std::size_t bytes, const std::nothrow_t&) noexcept { return counted_or_null(bytes, 1); }
void* operator new(std::size_t bytes, std::align_val_t alignment, const std::nothrow_t&) noexcept {
  return counted_or_null(bytes, static_cast<std::size_t>(alignment));
}
void* operator new[](std::size_t bytes, std::align_val_t alignment, const std::nothrow_t&) noexcept {
  return counted_or_null(bytes, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept { give_back(memory); }
void operator delete[](void* memory) noexcept { give_back(memory); }
void operator delete(void* memory, std::size_t) noexcept { give_back(memory); }
void operator delete[](void* memory, std::size_t) noexcept { give_back(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { give_back(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { give_back(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { give_back(memory); }
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept { give_back(memory); }
void operator delete(void* memory, const std::nothrow_t&) noexcept { give_back(memory); }
void operator delete[](void* memory, const std::nothrow_t&) noexcept { give_back(memory); }
void operator delete(void* memory, std::align_val_t, const std::nothrow_t&) noexcept { give_back(memory); }
void operator delete[](void* memory, std::align_val_t, const std::nothrow_t&) noexcept { give_back(memory); }
