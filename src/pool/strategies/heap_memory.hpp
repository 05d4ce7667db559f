#pragma once
#include <cstddef>
#include <memory>
#include <memory_resource>
#include <new>
#include <utility>

#include "core/assert.hpp"
#include "core/types.hpp"
#include "pool/memory/console_heap.hpp"
#include "pool/storage.hpp"

namespace spellpool::pool {

/// A heap of fixed size as small consoles had it (console_heap.hpp), large enough that objects of one size always
/// find room.
class ConsoleMemory {
 public:
  static constexpr StrategyId kStrategy = StrategyId::ConsoleHeap;
  static constexpr bool kExtendable = false;

  ConsoleMemory() = default;
  ConsoleMemory(u32 objects, std::size_t bytes, std::size_t align)
      : heap_(ConsoleHeap::bytes_for(objects, bytes, align)), left_(objects) {}
  bool has_block() const { return left_ > 0; }
  void* allocate(std::size_t bytes, std::size_t align) {
    void* memory = heap_.allocate(bytes, align);
    SPELLPOOL_ASSERT(memory && "bytes_for() promises room");
    if (!memory) out_of_memory();
    --left_;
    return memory;
  }
  void deallocate(void* memory, std::size_t, std::size_t) noexcept {
    heap_.deallocate(memory);
    ++left_;
  }
  u64 new_calls() const { return 1; }
  u64 bytes() const { return heap_.stats().total_bytes; }
  const ConsoleHeap& heap() const { return heap_; }

 private:
  ConsoleHeap heap_;
  u32 left_ = 0;  // blocks that can still be had
};

/// A std::pmr::unsynchronized_pool_resource: the standard's own pool, behind the same per-object interface as new.
class PmrMemory {
 public:
  static constexpr StrategyId kStrategy = StrategyId::Pmr;
  static constexpr bool kExtendable = true;

  PmrMemory() = default;
  PmrMemory(u32, std::size_t bytes, std::size_t) : state_(std::make_unique<State>(bytes)) {}
  void* allocate(std::size_t bytes, std::size_t align) {
    if (!state_) state_ = std::make_unique<State>(bytes);
    return state_->pool.allocate(bytes, align);
  }
  void deallocate(void* memory, std::size_t bytes, std::size_t align) noexcept {
    state_->pool.deallocate(memory, bytes, align);
  }
  u64 new_calls() const { return state_ ? 1 + state_->upstream.calls : 0; }
  u64 bytes() const { return state_ ? state_->upstream.held : 0; }

 private:
  struct Counting : std::pmr::memory_resource {
    u64 calls = 0, held = 0;

   private:
    void* do_allocate(std::size_t bytes, std::size_t align) override {
      void* memory = std::pmr::new_delete_resource()->allocate(bytes, align);
      ++calls;
      held += bytes;
      return memory;
    }
    void do_deallocate(void* memory, std::size_t bytes, std::size_t align) override {
      held -= bytes;
      std::pmr::new_delete_resource()->deallocate(memory, bytes, align);
    }
    bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override { return this == &other; }
  };
  struct State {
    explicit State(std::size_t bytes) : pool(std::pmr::pool_options{0, bytes}, &upstream) {}
    Counting upstream;
    std::pmr::unsynchronized_pool_resource pool;
  };
  std::unique_ptr<State> state_;  // on the heap, so that a storage can move
};

}  // namespace spellpool::pool
