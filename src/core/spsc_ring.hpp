#pragma once
#include <atomic>
#include <bit>
#include <memory>
#include <type_traits>

#include "core/types.hpp"

namespace spellpool {

/// Bounded queue from one producer thread to one consumer thread. Never blocks, never allocates after construction.
/// Layout  T slots[capacity rounded up to a power of two] | head and tail on cache lines of their own.
/// Cost    push and pop O(1): a copy (in place, by room and publish or front and drop: none), one acquire load (only
///         when the cached index runs out) and one release store.
/// Full    push returns false and changes nothing: the producer counts the drop.
/// Source  Lamport 1977; the cached opposite index is folklore of the FastForward and rigtorp queues.
template <class T>
class SpscRing {
  static_assert(std::is_trivially_copyable_v<T>, "ring elements are copied between threads as bytes");

 public:
  explicit SpscRing(std::size_t capacity)
      : mask_(std::bit_ceil(capacity < 2 ? std::size_t{2} : capacity) - 1), slots_(new T[mask_ + 1]()) {}

  bool push(const T& value) {
    T* const place = room();
    if (place == nullptr) return false;
    *place = value;
    publish();
    return true;
  }
  /// Where the next element goes, with what some earlier one left there; nullptr if the ring is full.
  T* room() {
    const std::size_t head = head_.load(std::memory_order_relaxed);
    if (head - cached_tail_ > mask_) {
      cached_tail_ = tail_.load(std::memory_order_acquire);
      if (head - cached_tail_ > mask_) return nullptr;
    }
    return &slots_[head & mask_];
  }
  /// Sends what was written to room(), which gave a place.
  void publish() { head_.store(head_.load(std::memory_order_relaxed) + 1, std::memory_order_release); }

  bool pop(T& value) {
    const T* const next = front();
    if (next == nullptr) return false;
    value = *next;
    drop();
    return true;
  }

  /// What pop would give, where it lies; nullptr if there is nothing. Good until drop().
  const T* front() {
    const std::size_t tail = tail_.load(std::memory_order_relaxed);
    if (tail == cached_head_) {
      cached_head_ = head_.load(std::memory_order_acquire);
      if (tail == cached_head_) return nullptr;
    }
    return &slots_[tail & mask_];
  }
  /// Takes it out. There is one.
  void drop() { tail_.store(tail_.load(std::memory_order_relaxed) + 1, std::memory_order_release); }

  std::size_t capacity() const { return mask_ + 1; }
  /// For the two threads that use the ring: what the other one has done since is not in it yet.
  std::size_t size() const { return head_.load(std::memory_order_acquire) - tail_.load(std::memory_order_acquire); }

 private:
  const std::size_t mask_;
  const std::unique_ptr<T[]> slots_;
  alignas(64) std::atomic<std::size_t> head_{0};
  std::size_t cached_tail_ = 0;
  alignas(64) std::atomic<std::size_t> tail_{0};
  std::size_t cached_head_ = 0;
};

}  // namespace spellpool
