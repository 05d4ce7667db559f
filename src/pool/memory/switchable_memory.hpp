#pragma once
#include <array>
#include <memory_resource>
#include <new>
#include <string_view>
#include <utility>

#include "core/assert.hpp"
#include "pool/memory/arena.hpp"

namespace spellpool::pool {

enum class MemorySource : u8 { Arena, Heap };
struct MemorySourceRow {
  MemorySource id;
  std::string_view name, description;
};
inline constexpr std::array kMemorySources = {
    MemorySourceRow{MemorySource::Arena, "arena", "one block, cut off end to end and given back whole"},
    MemorySourceRow{MemorySource::Heap, "heap", "new and delete for each array, in each frame"},
};

/// What was asked of a memory resource: in a frame, or since it was made.
struct MemoryCalls {
  u64 allocations = 0;
  u64 new_calls = 0;  ///< operator new made for them: with the heap one each, with the arena one for each overflow.
  u64 bytes = 0;      ///< As asked for.
};

/// Memory of a frame, from an arena or from new and delete, chosen while the program runs: the same containers, the
/// same calls, only the source differs.
///
///   SwitchableMemory memory(1 << 20);
///   memory.choose(MemorySource::Heap);          // what a panel asks for
///   memory.begin_frame();                       // from here on it is so
///   std::pmr::vector<Hit> hits(&memory);        // dies before the next begin_frame()
///
/// Frames   The choice is made at a frame's border, and only if every block has come back: a block goes back to where
///          it came from. Until then begin_frame() is false, the source stays, and an arena in use is not reset: it
///          fills up, then overflows, and the counters show it. So every block must be released here, as with the
///          heap.
/// Cost     A virtual call and the counters, the same for both sources, then Arena::allocate or operator new.
/// Threads  One owner.
class SwitchableMemory final : public std::pmr::memory_resource {
 public:
  explicit SwitchableMemory(std::size_t arena_bytes, MemorySource source = MemorySource::Arena)
      : arena_(arena_bytes), source_(source), chosen_(source) {}
  SwitchableMemory(const SwitchableMemory&) = delete;
  SwitchableMemory& operator=(const SwitchableMemory&) = delete;
  /// Heap blocks that are still out belong to their owners, but cannot be released here any more.
  ~SwitchableMemory() override { SPELLPOOL_ASSERT(blocks_out_ == 0); }

  /// For the next frame that begins with nothing out.
  void choose(MemorySource source) { chosen_ = source; }

  /// From the next frame that begins with nothing out the arena has at least so many bytes.
  void reserve(std::size_t arena_bytes) { wanted_bytes_ = arena_bytes; }

  /// Ends a frame and starts the next. False if blocks of the last are still out: then neither switch nor reset.
  bool begin_frame() {
    last_frame_ = this_frame_;
    last_source_ = source_;
    this_frame_ = {};
    if (blocks_out_ != 0) return false;
    if (source_ == MemorySource::Arena) arena_.begin_frame();
    source_ = chosen_;
    if (const std::size_t wanted = std::exchange(wanted_bytes_, 0); wanted > arena_.capacity_bytes())
      arena_.enlarge(wanted);
    return true;
  }

  MemorySource source() const { return source_; }
  MemorySource chosen() const { return chosen_; }
  u64 blocks_out() const { return blocks_out_; }
  const MemoryCalls& last_frame() const { return last_frame_; }
  const MemoryCalls& this_frame() const { return this_frame_; }  ///< So far.
  MemorySource last_source() const { return last_source_; }
  const MemoryCalls& total(MemorySource source) const {
    return source == MemorySource::Arena ? from_arena_ : from_heap_;
  }
  const FrameArena& arena() const { return arena_; }

 private:
  void* do_allocate(std::size_t bytes, std::size_t align) override {
    void* memory = nullptr;
    u64 new_calls = 1;
    if (source_ == MemorySource::Arena) {
      const u64 before = arena_.overflow_calls();
      memory = arena_.allocate(bytes, align);
      new_calls = arena_.overflow_calls() - before;
    } else {
      if (bytes > Arena::kMostBytes) refuse_size();
      memory = align > __STDCPP_DEFAULT_NEW_ALIGNMENT__ ? ::operator new (bytes, std::align_val_t{align})
                                                        : ::operator new(bytes);
    }
    ++blocks_out_;
    for (MemoryCalls* calls : {&this_frame_, source_ == MemorySource::Arena ? &from_arena_ : &from_heap_}) {
      ++calls->allocations;
      calls->new_calls += new_calls;
      calls->bytes += bytes;
    }
    return memory;
  }
  void do_deallocate(void* memory, std::size_t bytes, std::size_t align) override {
    SPELLPOOL_ASSERT(blocks_out_ > 0);
    --blocks_out_;
    if (source_ == MemorySource::Arena) {
      arena_.deallocate(memory, bytes);
    } else if (align > __STDCPP_DEFAULT_NEW_ALIGNMENT__) {
      ::operator delete(memory, std::align_val_t{align});
    } else {
      ::operator delete(memory);
    }
  }
  bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override { return this == &other; }

  FrameArena arena_;
  MemorySource source_;
  MemorySource chosen_;
  MemorySource last_source_ = MemorySource::Arena;
  std::size_t wanted_bytes_ = 0;
  u64 blocks_out_ = 0;
  MemoryCalls this_frame_;
  MemoryCalls last_frame_;
  MemoryCalls from_arena_;
  MemoryCalls from_heap_;
};

}  // namespace spellpool::pool
