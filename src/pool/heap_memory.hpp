#pragma once
#include <cstddef>
#include <memory>
#include <memory_resource>
#include <new>
#include <utility>

#include "core/assert.hpp"
#include "core/types.hpp"
#include "pool/console_heap.hpp"
#include "pool/strategy.hpp"

namespace spellpool::pool {

// Where HeapStorage gets each object's block from. A memory has
//   kStrategy, Memory(objects, bytes, align)   for at most so many blocks at a time
//   allocate(bytes, align), deallocate(block, bytes, align)
//   new_calls(), bytes()                       of the system's operator new; held now, blocks that are out included

/// operator new and delete, one call an object.
class NewDelete {
 public:
  static constexpr StrategyId kStrategy = StrategyId::Heap;

  NewDelete(u32, std::size_t bytes, std::size_t) : block_bytes_(block(bytes)) {}
  void* allocate(std::size_t bytes, std::size_t align) {
    ++calls_;
    ++out_;
    if (align > __STDCPP_DEFAULT_NEW_ALIGNMENT__) return ::operator new(bytes, std::align_val_t{align});
    return ::operator new(bytes);
  }
  void deallocate(void* memory, std::size_t, std::size_t align) noexcept {
    --out_;
    if (align > __STDCPP_DEFAULT_NEW_ALIGNMENT__) return ::operator delete(memory, std::align_val_t{align});
    ::operator delete(memory);
  }
  u64 new_calls() const { return calls_; }
  u64 bytes() const { return out_ * block_bytes_; }

 private:
  /// What a block takes from common allocators: eight bytes of header, in steps of 16, 32 at least.
  static constexpr u64 block(std::size_t bytes) {
    const u64 rounded = (bytes + 8 + 15) / 16 * 16;
    return rounded < 32 ? 32 : rounded;
  }
  u64 block_bytes_;
  u64 calls_ = 0, out_ = 0;
};

/// A heap of fixed size as small consoles had it (console_heap.hpp), large enough that objects of one size always find room.
class ConsoleMemory {
 public:
  static constexpr StrategyId kStrategy = StrategyId::ConsoleHeap;

  ConsoleMemory(u32 objects, std::size_t bytes, std::size_t align) : heap_(ConsoleHeap::bytes_for(objects, bytes, align)) {}
  void* allocate(std::size_t bytes, std::size_t align) {
    void* memory = heap_.allocate(bytes, align);
    SPELLPOOL_ASSERT(memory && "bytes_for() promises room");
    return memory;
  }
  void deallocate(void* memory, std::size_t, std::size_t) noexcept { heap_.deallocate(memory); }
  u64 new_calls() const { return 1; }
  u64 bytes() const { return heap_.stats().total_bytes; }
  const ConsoleHeap& heap() const { return heap_; }

 private:
  ConsoleHeap heap_;
};

/// A std::pmr::unsynchronized_pool_resource: the standard's own pool, behind the same per-object interface as new.
class PmrMemory {
 public:
  static constexpr StrategyId kStrategy = StrategyId::Pmr;

  PmrMemory(u32, std::size_t bytes, std::size_t) : state_(std::make_unique<State>(bytes)) {}
  void* allocate(std::size_t bytes, std::size_t align) { return state_->pool.allocate(bytes, align); }
  void deallocate(void* memory, std::size_t bytes, std::size_t align) noexcept { state_->pool.deallocate(memory, bytes, align); }
  u64 new_calls() const { return 1 + state_->upstream.calls; }
  u64 bytes() const { return state_->upstream.held; }

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
