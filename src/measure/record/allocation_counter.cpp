#include "measure/record/allocation_counter.hpp"

#include <algorithm>
#include <cstdlib>
#include <new>

namespace spellpool::measure {
namespace {

constinit thread_local AllocationCounts counts;
constinit thread_local AllocationSink* sink = nullptr;

void count_new(u64 address, std::size_t size_bytes) {
  ++counts.new_calls;
  counts.new_bytes += size_bytes;
  if (sink != nullptr) sink->allocated(address, size_bytes);
}

void* allocate_or_null(std::size_t size_bytes) {
  void* memory = std::malloc(size_bytes == 0 ? 1 : size_bytes);
  if (memory) count_new(reinterpret_cast<u64>(memory), size_bytes);
  return memory;
}

void* allocate_or_null(std::size_t size_bytes, std::align_val_t alignment) {
  void* memory = nullptr;
  const std::size_t align_bytes = std::max(static_cast<std::size_t>(alignment), sizeof(void*));
  if (posix_memalign(&memory, align_bytes, size_bytes == 0 ? 1 : size_bytes) != 0) return nullptr;
  count_new(reinterpret_cast<u64>(memory), size_bytes);
  return memory;
}

/// What the standard asks of operator new: try, ask the new-handler for room, try again; throw without a handler.
template <class... Alignment>
void* allocate(std::size_t size_bytes, Alignment... alignment) {
  for (;;) {
    if (void* memory = allocate_or_null(size_bytes, alignment...)) return memory;
    const std::new_handler handler = std::get_new_handler();
    if (!handler) throw std::bad_alloc();
    handler();
  }
}

template <class... Alignment>
void* allocate_nothrow(std::size_t size_bytes, Alignment... alignment) noexcept {
  try {
    return allocate(size_bytes, alignment...);
  } catch (...) {
    return nullptr;
  }
}

void release(void* memory) noexcept {
  if (!memory) return;
  ++counts.delete_calls;
  if (sink != nullptr) sink->freed(reinterpret_cast<u64>(memory));
  std::free(memory);
}

}  // namespace

AllocationCounts thread_allocations() { return counts; }
void report_allocations_to(AllocationSink* hears) { sink = hears; }

UncountedAllocations::UncountedAllocations() : counts_(counts), sink_(sink) { sink = nullptr; }
UncountedAllocations::~UncountedAllocations() {
  counts = counts_;
  sink = sink_;
}

void* counted_malloc(std::size_t size_bytes, void*) { return allocate_or_null(size_bytes); }
void counted_free(void* memory, void*) { release(memory); }

}  // namespace spellpool::measure

namespace measure = spellpool::measure;
using Size = std::size_t;
using Align = std::align_val_t;
// emscripten's mimalloc defines four of these operators too; they do the same.
#if defined(__EMSCRIPTEN__)
#define SPELLPOOL_MAY_BE_REPLACED [[gnu::weak]]
#else
#define SPELLPOOL_MAY_BE_REPLACED
#endif

void* operator new(Size size) { return measure::allocate(size); }
void* operator new[](Size size) { return measure::allocate(size); }
void* operator new(Size size, Align align) { return measure::allocate(size, align); }
void* operator new[](Size size, Align align) { return measure::allocate(size, align); }
void* operator new(Size size, const std::nothrow_t&) noexcept { return measure::allocate_nothrow(size); }
void* operator new[](Size size, const std::nothrow_t&) noexcept { return measure::allocate_nothrow(size); }
void* operator new(Size size, Align align, const std::nothrow_t&) noexcept {
  return measure::allocate_nothrow(size, align);
}
void* operator new[](Size size, Align align, const std::nothrow_t&) noexcept {
  return measure::allocate_nothrow(size, align);
}

void operator delete(void* memory) noexcept { measure::release(memory); }
void operator delete[](void* memory) noexcept { measure::release(memory); }
void operator delete(void* memory, Size) noexcept { measure::release(memory); }
void operator delete[](void* memory, Size) noexcept { measure::release(memory); }
SPELLPOOL_MAY_BE_REPLACED void operator delete(void* memory, Align) noexcept { measure::release(memory); }
SPELLPOOL_MAY_BE_REPLACED void operator delete[](void* memory, Align) noexcept { measure::release(memory); }
SPELLPOOL_MAY_BE_REPLACED void operator delete(void* memory, Size, Align) noexcept { measure::release(memory); }
SPELLPOOL_MAY_BE_REPLACED void operator delete[](void* memory, Size, Align) noexcept { measure::release(memory); }
void operator delete(void* memory, const std::nothrow_t&) noexcept { measure::release(memory); }
void operator delete[](void* memory, const std::nothrow_t&) noexcept { measure::release(memory); }
void operator delete(void* memory, Align, const std::nothrow_t&) noexcept { measure::release(memory); }
void operator delete[](void* memory, Align, const std::nothrow_t&) noexcept { measure::release(memory); }
