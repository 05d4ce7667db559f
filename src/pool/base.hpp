#pragma once
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <type_traits>
#include <utility>

#include "core/assert.hpp"
#include "core/types.hpp"

// The base of every pool: compiler attributes, AddressSanitizer poisoning, the report of misuse, and tables whose
// memory source the user can choose.

#define SPELLPOOL_VERSION_MAJOR 1
#define SPELLPOOL_VERSION_MINOR 0
#define SPELLPOOL_VERSION_PATCH 0
/// One number to compare: 10000 is 1.0.0.
#define SPELLPOOL_VERSION_NUMBER (SPELLPOOL_VERSION_MAJOR * 10000 + SPELLPOOL_VERSION_MINOR * 100 + SPELLPOOL_VERSION_PATCH)

// Inlining where the compiler's own guess is wrong; each use was measured (bench/instructions, ./bench/run pools).
#if defined(__GNUC__) || defined(__clang__)
#define SPELLPOOL_FLAT __attribute__((always_inline))       ///< Inlined into every caller, even if a lambda has many.
#define SPELLPOOL_FLATTEN __attribute__((flatten))          ///< Inlines the functions that it calls, a user's lambda too.
#define SPELLPOOL_APART __attribute__((noinline))           ///< Never inlined: the usual path of the caller stays short.
#define SPELLPOOL_RARE __attribute__((noinline, cold))      ///< A rare call. Not for unconditional calls: g++ would treat the caller as cold too.
#elif defined(_MSC_VER)
#define SPELLPOOL_FLAT
#define SPELLPOOL_FLATTEN
#define SPELLPOOL_APART __declspec(noinline)
#define SPELLPOOL_RARE __declspec(noinline)
#else
#define SPELLPOOL_FLAT
#define SPELLPOOL_FLATTEN
#define SPELLPOOL_APART
#define SPELLPOOL_RARE
#endif

// Under AddressSanitizer free slots are poisoned: touching a released object is reported at the line that does it.
// ASan tracks granules of 8 bytes, so objects are aligned to 8.
#if defined(__SANITIZE_ADDRESS__)
#define SPELLPOOL_POISON 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SPELLPOOL_POISON 1
#endif
#endif
#if defined(SPELLPOOL_POISON)
#include <sanitizer/asan_interface.h>
#endif

#if defined(__cpp_exceptions) || defined(_CPPUNWIND)
#define SPELLPOOL_EXCEPTIONS 1
#endif

namespace spellpool::pool {

inline void poison([[maybe_unused]] const void* address, [[maybe_unused]] std::size_t bytes) {
#if defined(SPELLPOOL_POISON)
  __asan_poison_memory_region(address, bytes);
#endif
}
inline void unpoison([[maybe_unused]] const void* address, [[maybe_unused]] std::size_t bytes) {
#if defined(SPELLPOOL_POISON)
  __asan_unpoison_memory_region(address, bytes);
#endif
}

/// Prefetches the cache line of `address` for writing. Any address is allowed.
inline void prefetch_line([[maybe_unused]] const void* address) {
#if defined(__GNUC__)
  __builtin_prefetch(address, 1);
#endif
}

/// The address of an object, even if its type overloads &. (std::addressof would need `<memory>`, four times as
/// much text as this library.)
template <class T>
T* address_of(T& object) {
  if constexpr (std::is_object_v<T>) {
    return reinterpret_cast<T*>(&const_cast<char&>(reinterpret_cast<const volatile char&>(object)));
  } else {
    return &object;
  }
}

/// Debug builds (without NDEBUG, or with SPELLPOOL_ASSERTS) report more mistakes by misuse() than release builds.
#if !defined(NDEBUG) || defined(SPELLPOOL_ASSERTS)
inline constexpr bool kDebugChecks = true;
#else
inline constexpr bool kDebugChecks = false;
#endif

/// Called when a program uses a pool in a way that could damage it (docs/POOLS.md, "Re-entrancy"), in every build.
using MisuseHandler = void (*)(const char* message);

namespace detail {
inline MisuseHandler& misuse_handler() {
  static MisuseHandler handler = nullptr;
  return handler;
}
}  // namespace detail

/// Replaces the handler; nullptr is the default, which prints the message and aborts. If a handler returns, the call
/// is refused and the pool is unchanged. Set it before other threads use pools. Returns the previous handler.
inline MisuseHandler set_misuse_handler(MisuseHandler handler) {
  return std::exchange(detail::misuse_handler(), handler);
}

SPELLPOOL_RARE inline void misuse(const char* message) {
  if (const MisuseHandler handler = detail::misuse_handler()) return handler(message);
  std::fprintf(stderr, "spellpool: %s\n", message);
  std::abort();
}

/// at() of a handle without an object. There is nothing to return, so it aborts even if a handler returns.
[[noreturn]] SPELLPOOL_RARE inline void no_object() {
  misuse("at(): the handle is null, stale, or of another pool. Use get(), which returns null, or contains().");
  std::abort();
}

[[noreturn]] SPELLPOOL_RARE inline void out_of_memory() {
#if defined(SPELLPOOL_EXCEPTIONS)
  throw std::bad_alloc();
#else
  std::fprintf(stderr, "spellpool: out of memory\n");
  std::abort();
#endif
}

/// The source of a pool's memory. pmr.hpp adapts a std::pmr::memory_resource to it. It must outlive the pools that
/// use it.
class PoolMemory {
 public:
  virtual void* allocate(std::size_t bytes, std::size_t align) = 0;  ///< Throws std::bad_alloc; never null.
  virtual void deallocate(void* memory, std::size_t bytes, std::size_t align) noexcept = 0;

 protected:
  ~PoolMemory() = default;
};

/// Memory from `source`, or from operator new if it is null.
SPELLPOOL_APART inline void* take_memory(PoolMemory* source, std::size_t bytes, std::size_t align) {
  if (source) return source->allocate(bytes, align);
  if (align > __STDCPP_DEFAULT_NEW_ALIGNMENT__) return ::operator new(bytes, std::align_val_t{align});
  return ::operator new(bytes);
}
SPELLPOOL_APART inline void return_memory(PoolMemory* source, void* memory, std::size_t bytes,
                                          std::size_t align) noexcept {
  if (source) return source->deallocate(memory, bytes, align);
  if (align > __STDCPP_DEFAULT_NEW_ALIGNMENT__) return ::operator delete(memory, std::align_val_t{align});
  ::operator delete(memory);
}

namespace detail {
/// Moves a table of `used` bytes into a block of `bytes`. Shared by all tables, whatever their rows are.
SPELLPOOL_APART inline void* regrow(PoolMemory* source, void* rows, std::size_t used, std::size_t had,
                                    std::size_t bytes, std::size_t align) {
  void* const anew = take_memory(source, bytes, align);
  if (used > 0) std::memcpy(anew, rows, used);
  if (rows) return_memory(source, rows, had, align);
  return anew;
}
}  // namespace detail

/// An array of plain values that allocates exactly the requested number of rows and reports its allocations, so that
/// a pool's bytes() and new_calls() are exact.
/// Throws  std::bad_alloc from reserve, resize and copies; then nothing has changed.
template <class T>
class Table {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  explicit Table(PoolMemory* source = nullptr) : source_(source) {}
  Table(const Table& other) : source_(other.source_) { copy(other); }
  Table(Table&& other) noexcept { swap(other); }
  Table& operator=(const Table& other) {
    if (this != &other) copy(other);
    return *this;
  }
  Table& operator=(Table&& other) noexcept {
    swap(other);
    return *this;
  }
  SPELLPOOL_APART ~Table() {
    if (rows_) return_memory(source_, rows_, capacity_ * sizeof(T), alignof(T));
  }

  /// Makes room for `rows` rows. Returns the number of allocations: 0 or 1.
  u32 reserve(std::size_t rows) {
    return rows <= capacity_ ? 0 : grow(rows);
  }
  /// Changes the number of rows; new ones hold `value`. Returns the number of allocations.
  SPELLPOOL_APART u32 resize(std::size_t rows, T value = T{}) {
    const u32 calls = reserve(rows);
    for (std::size_t i = size_; i < rows; ++i) ::new (static_cast<void*>(rows_ + i)) T(value);
    size_ = rows;
    return calls;
  }
  /// Needs room: reserve() first.
  void push_back(const T& value) {
    SPELLPOOL_ASSERT(size_ < capacity_);
    ::new (static_cast<void*>(rows_ + size_)) T(value);
    ++size_;
  }
  void pop_back() { --size_; }
  void clear() { size_ = 0; }

  T& operator[](std::size_t row) { return rows_[row]; }
  const T& operator[](std::size_t row) const { return rows_[row]; }
  T& back() { return rows_[size_ - 1]; }
  T* data() { return rows_; }
  const T* data() const { return rows_; }
  T* begin() { return rows_; }
  T* end() { return rows_ + size_; }
  const T* begin() const { return rows_; }
  const T* end() const { return rows_ + size_; }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  u64 bytes() const { return capacity_ * sizeof(T); }
  PoolMemory* source() const { return source_; }
  SPELLPOOL_APART void swap(Table& other) noexcept {
    std::swap(rows_, other.rows_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
    std::swap(source_, other.source_);
  }

 private:
  SPELLPOOL_APART u32 grow(std::size_t rows) {
    rows_ = static_cast<T*>(
        detail::regrow(source_, rows_, size_ * sizeof(T), capacity_ * sizeof(T), rows * sizeof(T), alignof(T)));
    capacity_ = rows;
    return 1;
  }
  SPELLPOOL_APART void copy(const Table& other) {
    size_ = size_ < other.size_ ? size_ : other.size_;  // what reserve() has to carry over
    reserve(other.size_);
    if (other.size_ > 0) std::memcpy(static_cast<void*>(rows_), other.rows_, other.size_ * sizeof(T));
    size_ = other.size_;
  }

  T* rows_ = nullptr;
  std::size_t size_ = 0, capacity_ = 0;
  PoolMemory* source_ = nullptr;
};

/// A binary heap of plain entries, without `<algorithm>`: the first entry by `before` is at [0]; sift_down() repairs
/// the heap in O(log n). If `before` is a total order, entries leave in the same order however they were inserted.
template <class Entry, class Before>
void sift_down(Entry* entries, std::size_t count, std::size_t at, Before before) {
  const Entry moved = entries[at];
  for (;;) {
    std::size_t child = 2 * at + 1;
    if (child >= count) break;
    if (child + 1 < count && before(entries[child + 1], entries[child])) ++child;
    if (!before(entries[child], moved)) break;
    entries[at] = entries[child];
    at = child;
  }
  entries[at] = moved;
}
template <class Entry, class Before>
void make_heap_of(Entry* entries, std::size_t count, Before before) {
  for (std::size_t at = count / 2; at-- > 0;) sift_down(entries, count, at, before);
}

}  // namespace spellpool::pool
