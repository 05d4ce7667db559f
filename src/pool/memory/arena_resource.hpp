#pragma once
#include <cstddef>
#include <memory_resource>
#include <type_traits>

#include "pool/memory/arena.hpp"

namespace spellpool::pool {

/// An arena for std::pmr containers, and for code that must not know arenas: a memory_resource* is all it sees.
/// Cost     A virtual call on top of Arena::allocate. deallocate gives nothing back before the arena is rewound or
///          reset: a vector that grows leaves its old buffers behind, so reserve first.
/// Equal    Only to itself: telling that another resource has the same arena would take RTTI.
/// Threads  One owner. The arena has to outlive the resource, and the resource the containers.
class ArenaResource final : public std::pmr::memory_resource {
 public:
  explicit ArenaResource(Arena& arena) : arena_(&arena) {}
  Arena& arena() const { return *arena_; }

 private:
  void* do_allocate(std::size_t bytes, std::size_t align) override { return arena_->allocate(bytes, align); }
  void do_deallocate(void* memory, std::size_t bytes, std::size_t) override { arena_->deallocate(memory, bytes); }
  bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override { return this == &other; }

  Arena* arena_;
};

/// An arena as the allocator of a standard container, without the virtual call:
///
///   std::vector<Hit, ArenaAllocator<Hit>> hits(frame_arena);
///
/// Equal    Two are, if they have the same arena.
/// Moves    The arena goes with the content: copying, moving or swapping containers takes the other's arena along, so
///          moving is a swap of pointers. A container must be gone, or never touched again, when its arena is reset.
template <class T>
class ArenaAllocator {
 public:
  using value_type = T;
  using propagate_on_container_copy_assignment = std::true_type;
  using propagate_on_container_move_assignment = std::true_type;
  using propagate_on_container_swap = std::true_type;
  using is_always_equal = std::false_type;

  ArenaAllocator(Arena& arena) noexcept : arena_(&arena) {}  // implicit: a container takes the arena itself
  template <class U>
  ArenaAllocator(const ArenaAllocator<U>& other) noexcept : arena_(&other.arena()) {}

  [[nodiscard]] T* allocate(std::size_t count) {
    if (count > Arena::kMostBytes / sizeof(T)) refuse_size();
    return static_cast<T*>(arena_->allocate(count * sizeof(T), alignof(T)));
  }
  void deallocate(T* memory, std::size_t count) noexcept { arena_->deallocate(memory, count * sizeof(T)); }

  Arena& arena() const noexcept { return *arena_; }
  template <class U>
  bool operator==(const ArenaAllocator<U>& other) const noexcept {
    return arena_ == &other.arena();
  }

 private:
  Arena* arena_;
};

}  // namespace spellpool::pool
