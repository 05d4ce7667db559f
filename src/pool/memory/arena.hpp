#pragma once
#include <algorithm>
#include <bit>
#include <memory>
#include <new>
#include <span>
#include <type_traits>
#include <utility>

#include "core/assert.hpp"
#include "core/types.hpp"
#include "pool/base.hpp"

#if !defined(__cpp_exceptions) && !defined(_CPPUNWIND)
#include <cstdlib>
#endif

namespace spellpool::pool {

/// An arena's figures. Bytes of the block count what alignment and rounding to 8 cost as well.
struct ArenaStats {
  std::size_t capacity_bytes = 0;
  std::size_t used_bytes = 0;              ///< Of the block, now.
  std::size_t overflow_bytes = 0;          ///< Out on the heap now, as asked for.
  std::size_t peak_bytes = 0;              ///< Most of used + overflow so far: a block of about this size never overflows.
  std::size_t peak_since_reset_bytes = 0;  ///< The same since the last reset().
  u64 overflow_calls = 0;                  ///< Allocations that the block had no room for, since the arena was made.
  u64 overflow_total_bytes = 0;            ///< Bytes of those.
  u64 new_calls = 0;                       ///< operator new: one for the block, one for each overflow.
  u64 resets = 0;
};

/// Where a number of bytes is too large for any machine: std::bad_alloc, or the end of a program without exceptions.
[[noreturn]] SPELLPOOL_APART inline void refuse_size() {
#if defined(__cpp_exceptions) || defined(_CPPUNWIND)
  throw std::bad_alloc();
#else
  std::abort();
#endif
}

/// Linear allocator: one block, from which memory is cut off end to end and given back all at once. For what lives as
/// long as a frame, a level, a function: lists of hits, sort keys, text.
///
/// Layout   block_    capacity bytes, on a 4096 boundary; every page is touched when the arena is made
///          left_     bytes not yet given out. The block is used from its end down:
///
///            block_                          block_ + left_
///            │  free (poisoned under ASan)  │ newest │ … │ oldest │
///
///          Going down, one subtraction and one `and` do both jobs, rounding the size up and aligning the address; going up
///          they come one after the other. What is given out starts on a multiple of 8, ASan's granule, in every build.
/// Cost     allocate: compare, subtract, and, store, add (bench/pools_arena.cpp: 0.7–0.9 ns a block where glibc takes
///          17). No counter is kept on the way; the peak is taken when memory comes back. mark, rewind, reset O(1),
///          plus one operator delete for each overflow given back. No destructors: make() takes only types that need
///          none.
/// Full     A request that does not fit, or wants more than 4096 alignment, gets a heap block of its own, counted in
///          overflow_calls and given back with the rest by rewind() and reset(). Smaller ones may still fit in the
///          block afterwards. More than the machine can address is std::bad_alloc; then nothing has changed.
/// Moves    Nothing. rewind(marker) ends what was allocated after mark(), reset() everything; under ASan touching it
///          then is reported. The arena itself neither moves nor copies, for allocators point to it.
/// Threads  One owner.
/// Source   David Hanson, "Fast allocation and deallocation of memory based on object lifetimes", 1990 (arenas);
///          Jason Gregory, Game Engine Architecture, "Stack-Based Allocators" (markers); Nick Fitzgerald, "Always Bump
///          Downwards", 2019.
class Arena {
 public:
  static constexpr std::size_t kBlockAlign = 4096;

  /// A point in time to which rewind() goes back. Good until the arena is rewound to before it.
  struct Marker {
    std::size_t left;
    std::size_t overflows;
  };

  /// The capacity is rounded up to whole cache lines. 0: everything overflows.
  explicit Arena(std::size_t capacity_bytes) : left_(rounded(capacity_bytes)), capacity_(left_) {
    block_ = new_block(capacity_);
    poison(block_, capacity_);
  }
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;
  ~Arena() {
    free_overflows_above(0);
    unpoison(block_, capacity_);
    ::operator delete(block_, std::align_val_t{kBlockAlign});
  }

  /// Never null. align is a power of two. Zero bytes have an address, aligned, that must not be touched and may be
  /// another's.
  [[nodiscard]] void* allocate(std::size_t bytes, std::size_t align = alignof(std::max_align_t)) {
    SPELLPOOL_ASSERT(std::has_single_bit(align));
    if (bytes <= left_ && align <= kBlockAlign) [[likely]] {
      left_ = (left_ - bytes) & (0 - align) & ~(kGranule - 1);
      std::byte* const memory = block_ + left_;
      unpoison(memory, bytes);
      return memory;
    }
    return overflow(bytes, align);
  }

  /// Poisons the bytes, so that ASan reports a later access. Only rewind() or reset() reclaims the memory.
  void deallocate(void* memory, std::size_t bytes) { poison(memory, bytes); }

  template <class T, class... Args>
  T* make(Args&&... args) {
    static_assert(std::is_trivially_destructible_v<T>, "an arena runs no destructors");
    return ::new (allocate(sizeof(T), alignof(T))) T{std::forward<Args>(args)...};
  }
  /// count objects, value-initialised: numbers are 0.
  template <class T>
  std::span<T> make_array(std::size_t count) {
    static_assert(std::is_trivially_destructible_v<T>, "an arena runs no destructors");
    if (count > kMostBytes / sizeof(T)) refuse_size();
    T* const first = static_cast<T*>(allocate(count * sizeof(T), alignof(T)));
    std::uninitialized_value_construct_n(first, count);
    return {first, count};
  }

  Marker mark() const { return {left_, overflow_count_}; }
  /// Gives back what was allocated since marker = mark(). A marker that rewinding has passed asserts, and does
  /// nothing where assertions are off.
  void rewind(Marker marker) {
    SPELLPOOL_ASSERT(marker.left >= left_ && marker.left <= capacity_ && marker.overflows <= overflow_count_);
    note_peak();
    if (marker.overflows < overflow_count_) free_overflows_above(marker.overflows);
    if (marker.left <= left_ || marker.left > capacity_) return;
    poison(block_ + left_, marker.left - left_);
    left_ = marker.left;
  }
  void reset() {
    rewind({capacity_, 0});
    peak_since_reset_ = 0;
    ++resets_;
  }

  /// A larger block instead of this one, which must be empty. Counters stay.
  void enlarge(std::size_t capacity_bytes) {
    SPELLPOOL_ASSERT(used_bytes() == 0 && overflow_count_ == 0);
    if (rounded(capacity_bytes) <= capacity_ || used_bytes() > 0) return;
    const std::size_t more = rounded(capacity_bytes);
    std::byte* const larger = new_block(more);  // if there is no memory, the old one stays
    unpoison(block_, capacity_);
    ::operator delete(block_, std::align_val_t{kBlockAlign});
    block_ = larger;
    left_ = capacity_ = more;
    poison(block_, capacity_);
    ++blocks_taken_;
  }

  std::size_t used_bytes() const { return capacity_ - left_; }
  std::size_t capacity_bytes() const { return capacity_; }
  u64 overflow_calls() const { return overflow_calls_; }
  ArenaStats stats() const {
    const std::size_t now = used_bytes() + overflow_bytes_;
    return {.capacity_bytes = capacity_,
            .used_bytes = used_bytes(),
            .overflow_bytes = overflow_bytes_,
            .peak_bytes = std::max<std::size_t>(peak_, now),
            .peak_since_reset_bytes = std::max<std::size_t>(peak_since_reset_, now),
            .overflow_calls = overflow_calls_,
            .overflow_total_bytes = overflow_total_bytes_,
            .new_calls = blocks_taken_ + overflow_calls_,
            .resets = resets_};
  }

  /// Larger requests are refused at once, so that adding a header and rounding up cannot wrap round.
  static constexpr std::size_t kMostBytes = ~std::size_t{0} / 4;

 private:
  static constexpr std::size_t kGranule = 8;
  static constexpr std::size_t kLine = 64;
  /// In front of a heap block; the latest is first in the list.
  struct Overflow {
    Overflow* older;
    std::size_t bytes;   // as asked for
    std::size_t offset;  // of the bytes handed out
    std::size_t align;   // of the heap block
  };

  static std::size_t rounded(std::size_t bytes) {
    if (bytes > kMostBytes) refuse_size();
    return (bytes + kLine - 1) / kLine * kLine;
  }
  static std::byte* new_block(std::size_t bytes) {
    auto* const block =
        static_cast<std::byte*>(::operator new (std::max<std::size_t>(bytes, kLine), std::align_val_t{kBlockAlign}));
    volatile std::byte* page = block;
    for (std::size_t at = 0; at < bytes; at += kBlockAlign) page[at] = std::byte{0};  // page faults now, not in a frame
    return block;
  }
  SPELLPOOL_APART void* overflow(std::size_t bytes, std::size_t align) {
    if (bytes > kMostBytes || align > kMostBytes) refuse_size();
    const std::size_t block_align = std::max<std::size_t>({align, alignof(Overflow), kGranule});
    const std::size_t offset = (sizeof(Overflow) + block_align - 1) & ~(block_align - 1);
    auto* const block = static_cast<std::byte*>(::operator new(offset + bytes, std::align_val_t{block_align}));
    newest_ = ::new (static_cast<void*>(block)) Overflow{newest_, bytes, offset, block_align};
    ++overflow_count_;
    ++overflow_calls_;
    overflow_bytes_ += bytes;
    overflow_total_bytes_ += bytes;
    return block + offset;
  }
  SPELLPOOL_APART void free_overflows_above(std::size_t count) {
    while (overflow_count_ > count) {
      Overflow* const gone = newest_;
      const std::size_t align = gone->align;
      newest_ = gone->older;
      --overflow_count_;
      overflow_bytes_ -= gone->bytes;
      unpoison(gone, gone->offset + gone->bytes);
      ::operator delete(static_cast<void*>(gone), std::align_val_t{align});
    }
  }
  /// Use only grows between two rewinds, so looking then is enough.
  void note_peak() {
    peak_since_reset_ = std::max<std::size_t>(peak_since_reset_, used_bytes() + overflow_bytes_);
    peak_ = std::max<std::size_t>(peak_, peak_since_reset_);
  }

  std::byte* block_ = nullptr;
  std::size_t left_;
  std::size_t capacity_;
  Overflow* newest_ = nullptr;
  std::size_t overflow_count_ = 0;  // heap blocks out now
  std::size_t overflow_bytes_ = 0;
  std::size_t peak_ = 0;
  std::size_t peak_since_reset_ = 0;
  u64 overflow_calls_ = 0;
  u64 overflow_total_bytes_ = 0;
  u64 resets_ = 0;
  u64 blocks_taken_ = 1;
};

/// Gives back, at the end of a block of code, what was allocated in it. Scopes nest.
class ArenaScope {
 public:
  explicit ArenaScope(Arena& arena) : arena_(arena), start_(arena.mark()) {}
  ArenaScope(const ArenaScope&) = delete;
  ArenaScope& operator=(const ArenaScope&) = delete;
  ~ArenaScope() { arena_.rewind(start_); }

 private:
  Arena& arena_;
  const Arena::Marker start_;
};

/// What a frame took from its arena.
struct ArenaFrame {
  std::size_t peak_bytes = 0;
  u64 overflow_calls = 0;  ///< Above 0: the block is too small for such a frame.
};

/// An arena whose content lives for one frame. begin_frame() ends the last one's.
class FrameArena : public Arena {
 public:
  using Arena::Arena;

  void begin_frame() {
    const ArenaStats now = stats();
    last_frame_ = {now.peak_since_reset_bytes, now.overflow_calls - overflow_calls_before_};
    overflow_calls_before_ = now.overflow_calls;
    reset();
  }
  const ArenaFrame& last_frame() const { return last_frame_; }

 private:
  ArenaFrame last_frame_;
  u64 overflow_calls_before_ = 0;
};

/// Two frame arenas in turn: what a frame allocated stays good all through the next one, so that the next can read it.
/// Layout   Two blocks of bytes_a_frame.
/// Source   Jason Gregory, Game Engine Architecture, "Double-Buffered Allocators".
class DoubleFrameArena {
 public:
  explicit DoubleFrameArena(std::size_t bytes_a_frame)
      : arenas_{FrameArena(bytes_a_frame), FrameArena(bytes_a_frame)} {}

  /// This frame becomes the previous one; what the previous one allocated ends.
  void begin_frame() {
    current_ = 1 - current_;
    arenas_[current_].begin_frame();
  }
  FrameArena& current() { return arenas_[current_]; }
  const FrameArena& previous() const { return arenas_[1 - current_]; }

 private:
  FrameArena arenas_[2];
  u32 current_ = 0;
};

}  // namespace spellpool::pool
