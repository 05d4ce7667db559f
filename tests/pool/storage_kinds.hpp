#pragma once
// What the typed tests run over. A new storage gets a kind here and nothing else.
#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <type_traits>

#include "core/rng.hpp"
#include "pool/exhibits.hpp"

namespace spellpool::pool {

inline void PrintTo(ReleaseResult result, std::ostream* out) {
  constexpr const char* kNames[] = {"Released", "NullHandle", "DoubleRelease", "StaleHandle", "ForeignHandle", "Refused"};
  *out << kNames[static_cast<int>(result)];
}

template <StrategyId kStrategy, template <class, class> class PoolTemplate>
struct Kind {
  static constexpr StrategyId kId = kStrategy;
  template <class T, class Generation = u32>
  using PoolOf = PoolTemplate<T, Generation>;
};
// Alias templates with a constrained second parameter do not match a plain template template parameter.
template <class T, class G> using HeapOf = HeapPool<T, G>;
template <class T, class G> using FreeListOf = FreeListPool<T, G>;
template <class T, class G> using ActiveFlagOf = ActiveFlagPool<T, G>;
template <class T, class G> using IndexStackOf = IndexStackPool<T, G>;
template <class T, class G> using PackedOf = PackedPool<T, G>;
template <class T, class G> using QueueOf = QueuePool<T, G>;
template <class T, class G> using RandomOf = RandomPool<T, G>;
template <class T, class G> using SoaOf = SoaPool<T, G>;
template <class T, class G> using BookOf = BookPool<T, G>;
template <class T, class G> using StdFindOf = StdFindPool<T, G>;
template <class T, class G> using DenseOf = DensePool<T, G>;
template <class T, class G> using BitmapOf = BitmapPool<T, G>;
template <class T, class G> using PmrOf = PmrPool<T, G>;
template <class T, class G> using ConsoleHeapOf = ConsoleHeapPool<T, G>;

using HeapKind = Kind<StrategyId::Heap, HeapOf>;
using FreeListKind = Kind<StrategyId::FreeList, FreeListOf>;
using ActiveFlagKind = Kind<StrategyId::ActiveFlag, ActiveFlagOf>;
using IndexStackKind = Kind<StrategyId::IndexStack, IndexStackOf>;
using PackedKind = Kind<StrategyId::Packed, PackedOf>;
using QueueKind = Kind<StrategyId::Queue, QueueOf>;
using RandomKind = Kind<StrategyId::Random, RandomOf>;
using SoaKind = Kind<StrategyId::Soa, SoaOf>;
using BookKind = Kind<StrategyId::Book, BookOf>;
using StdFindKind = Kind<StrategyId::StdFind, StdFindOf>;
using DenseKind = Kind<StrategyId::Dense, DenseOf>;
using BitmapKind = Kind<StrategyId::Bitmap, BitmapOf>;
using PmrKind = Kind<StrategyId::Pmr, PmrOf>;
using ConsoleHeapKind = Kind<StrategyId::ConsoleHeap, ConsoleHeapOf>;

#if !defined(SPELLPOOL_ONLY_KIND)
/// All: for types whose fields are listed.
using StorageKinds = ::testing::Types<HeapKind, FreeListKind, ActiveFlagKind, IndexStackKind, PackedKind, QueueKind, RandomKind, SoaKind,
                                      BookKind, StdFindKind, DenseKind, BitmapKind, PmrKind, ConsoleHeapKind>;
/// Those that take any type.
using WholeObjectKinds = ::testing::Types<HeapKind, FreeListKind, ActiveFlagKind, IndexStackKind, PackedKind, QueueKind, RandomKind,
                                          BookKind, StdFindKind, BitmapKind, PmrKind, ConsoleHeapKind>;
#else
/// One of them, for tools/mutate, which compiles the same test many times.
using StorageKinds = ::testing::Types<SPELLPOOL_ONLY_KIND>;
using WholeObjectKinds = ::testing::Types<std::conditional_t<
    SPELLPOOL_ONLY_KIND::kId == StrategyId::Soa || SPELLPOOL_ONLY_KIND::kId == StrategyId::Dense, PackedKind, SPELLPOOL_ONLY_KIND>>;
#endif

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

/// A plain value that every storage can hold, of fields with different sizes, each a function of the serial.
struct Grain {
  Grain() = default;
  explicit Grain(u64 s)
      : serial(s), x(static_cast<float>(s % 1000)), tag(static_cast<u8>(s * 7)), twice(s * 2), low(static_cast<u16>(s)) {}
  bool sound() const { return x == static_cast<float>(serial % 1000) && tag == static_cast<u8>(serial * 7) && twice == serial * 2 && low == static_cast<u16>(serial); }

  u64 serial;
  float x;
  u8 tag;
  u64 twice;
  u16 low;
};

template <>
struct FieldsOf<Grain> {
  using Hot = FieldList<&Grain::x, &Grain::twice>;
  using Cold = FieldList<&Grain::serial, &Grain::tag, &Grain::low>;
};

/// Scores repeat, so that serials decide between equals.
inline float score_of_serial(u64 serial) { return static_cast<float>(mix64(serial) % 17); }
template <>
struct OrderOf<Tracked> {
  static u64 serial(const Tracked& value) { return value.serial; }
  static float score(const Tracked& value) { return score_of_serial(value.serial); }
};
template <>
struct OrderOf<Grain> {
  static u64 serial(const Grain& value) { return value.serial; }
  static float score(const Grain& value) { return score_of_serial(value.serial); }
};

}  // namespace spellpool::pool
