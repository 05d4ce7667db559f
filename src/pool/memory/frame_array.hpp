#pragma once
#include <memory_resource>
#include <type_traits>
#include <utility>

#include "core/assert.hpp"
#include "core/types.hpp"

namespace spellpool::pool {

/// An array for a frame: `count` objects of a plain type from a memory resource, not initialised. What
/// std::pmr::vector would be if it did not write zeros over memory that is about to be filled.
/// Threads  One owner.
template <class T>
class FrameArray {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>,
                "these objects are never constructed or destroyed");

 public:
  FrameArray() = default;
  FrameArray(FrameArray&& other) noexcept { swap(other); }
  FrameArray& operator=(FrameArray&& other) noexcept {
    swap(other);
    return *this;
  }
  ~FrameArray() { give_back(); }

  /// Room for `count` objects instead of what was there. Nothing is asked for where count is 0.
  void take(std::pmr::memory_resource& memory, std::size_t count) {
    give_back();
    if (count == 0) return;
    first_ = static_cast<T*>(memory.allocate(count * sizeof(T), alignof(T)));
    memory_ = &memory;
    count_ = count;
  }
  void give_back() {
    if (first_) memory_->deallocate(first_, count_ * sizeof(T), alignof(T));
    first_ = nullptr;
    count_ = 0;
  }

  T* data() const { return first_; }
  std::size_t size() const { return count_; }
  T& operator[](std::size_t i) const {
    SPELLPOOL_ASSERT(i < count_);
    return first_[i];
  }

 private:
  void swap(FrameArray& other) noexcept {
    std::swap(first_, other.first_);
    std::swap(memory_, other.memory_);
    std::swap(count_, other.count_);
  }

  T* first_ = nullptr;
  std::pmr::memory_resource* memory_ = nullptr;
  std::size_t count_ = 0;
};

}  // namespace spellpool::pool
