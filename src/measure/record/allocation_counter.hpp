#pragma once
// Counts every operator new and delete of the program, thread by thread.
//
// allocation_counter.cpp replaces all global forms (plain, array, sized, aligned, nothrow) with ones on malloc and
// free. Who calls thread_allocations() pulls them in, even out of a static library. Cost     one thread_local add and a
// test per call on top of malloc; reading the counts is three loads. Threads  each thread has its own counts; nothing is shared.
// Not seen malloc called directly, as C libraries and the graphics driver do.
#include "core/types.hpp"

namespace spellpool::measure {

struct AllocationCounts {
  u64 new_calls = 0;
  u64 delete_calls = 0;  ///< Null pointers are not counted.
  u64 new_bytes = 0;     ///< As asked for, without malloc's own overhead.
};

/// Receives each new and delete of a thread. Must allocate nothing itself.
class AllocationSink {
 public:
  virtual ~AllocationSink() = default;
  virtual void allocated(u64 address, std::size_t size_bytes) = 0;
  virtual void freed(u64 address) = 0;
};
/// Those of the calling thread, until the next call; null: none. The sink outlives that.
void report_allocations_to(AllocationSink* sink);

/// Totals of the calling thread since it began.
AllocationCounts thread_allocations();

/// While it lives, the calling thread's calls are neither counted nor reported: for diagnostics that a player's frame
/// does not have, as --layout-out.
class UncountedAllocations {
 public:
  UncountedAllocations();
  ~UncountedAllocations();
  UncountedAllocations(const UncountedAllocations&) = delete;
  UncountedAllocations& operator=(const UncountedAllocations&) = delete;

 private:
  AllocationCounts counts_;
  AllocationSink* sink_;
};

/// malloc and free that count as new and delete do: ImGui::SetAllocatorFunctions(counted_malloc, counted_free).
void* counted_malloc(std::size_t size_bytes, void* user_data = nullptr);
void counted_free(void* memory, void* user_data = nullptr);

}  // namespace spellpool::measure
