#pragma once
// What the typed tests run over. A new storage gets a kind here and nothing else.
#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <type_traits>

#include "core/rng.hpp"
#include "pool/pools.hpp"

namespace spellpool::pool {

inline void PrintTo(ReleaseResult result, std::ostream* out) {
  constexpr const char* kNames[] = {"Released", "NullHandle", "DoubleRelease", "StaleHandle"};
  *out << kNames[static_cast<int>(result)];
}

struct HeapKind {
  static constexpr StrategyId kId = StrategyId::Heap;
  template <class T, std::unsigned_integral Generation = u32>
  using PoolOf = HeapPool<T, Generation>;
};
struct FreeListKind {
  static constexpr StrategyId kId = StrategyId::FreeList;
  template <class T, std::unsigned_integral Generation = u32>
  using PoolOf = FreeListPool<T, Generation>;
};
using StorageKinds = ::testing::Types<HeapKind, FreeListKind>;

struct KindNames {
  template <class Kind>
  static std::string GetName(int) {
    return std::string(row(Kind::kId).name);
  }
};

/// A value with a heap block of its own that counts how many of it exist and notices when it is used after its end.
struct Tracked {
  static inline i64 alive = 0;
  static constexpr u32 kMark = 0x5eed5eedu;

  explicit Tracked(u64 s) : serial(s), text("a name too long for the small buffer, " + std::to_string(s)) { ++alive; }
  Tracked(Tracked&& other) noexcept : serial(other.serial), text(std::move(other.text)) { ++alive; }
  Tracked& operator=(Tracked&&) = delete;
  ~Tracked() {
    EXPECT_EQ(mark, kMark);
    mark = 0;
    --alive;
  }
  bool sound() const { return mark == kMark && text == "a name too long for the small buffer, " + std::to_string(serial); }

  u64 serial;
  std::string text;
  u32 mark = kMark;
};
inline u64 serial_of(const Tracked& value) { return value.serial; }

}  // namespace spellpool::pool
