#pragma once
#include <bit>
#include <tuple>

#include "pool/packed.hpp"

namespace spellpool::pool {

template <auto... Members>
struct FieldList {};

/// Lists the members of a type, so that field-wise storages (soa, dense) can keep each in its own array:
///
///   template <>
///   struct spellpool::pool::FieldsOf<Spark> {
///     using Hot = FieldList<&Spark::x, &Spark::y, &Spark::vx, &Spark::vy, &Spark::life>;  // read, written
///     using Cold = FieldList<&Spark::colour, &Spark::spawn_id>;                           // read only
///   };
///
/// Every member must be in exactly one list: an unlisted member would not be stored. The type must be
/// trivially copyable and default-constructible.
template <class T>
struct FieldsOf;

template <class T>
concept FieldWise = std::is_trivially_copyable_v<T> && std::is_default_constructible_v<T> && requires {
  typename FieldsOf<T>::Hot;
  typename FieldsOf<T>::Cold;
};

namespace detail {
template <class>
struct MemberType;
template <class Class, class Field>
struct MemberType<Field Class::*> {
  using Type = Field;
};
template <class Class, class Field>
struct MemberType<Field Class::*const> {
  using Type = Field;
};
template <auto A, auto B>
constexpr bool same_member() {
  if constexpr (std::is_same_v<decltype(A), decltype(B)>) {
    return A == B;
  } else {
    return false;
  }
}
/// Assigns a member, which may be an array.
template <class Field>
void assign(Field& to, const Field& from) {
  if constexpr (std::is_array_v<Field> || kDebugChecks) {  // memcpy keeps padding, which same_bytes() compares
    std::memcpy(&to, &from, sizeof(Field));
  } else {
    to = from;
  }
}
/// True in release builds, which do not compare.
template <class Field>
bool same_bytes([[maybe_unused]] const Field& a, [[maybe_unused]] const Field& b) {
  if constexpr (kDebugChecks) {
    return std::memcmp(&a, &b, sizeof(Field)) == 0;
  } else {
    return true;
  }
}
inline void check_cold(bool unchanged) {
  if (!unchanged) [[unlikely]] {
    misuse(
        "a walk of a field-wise pool changed a member that FieldsOf lists as Cold, and the change is lost. List it in "
        "Hot, or change it "
        "through get() outside of the walk.");
  }
}
}  // namespace detail

/// Walks go in groups of this many rows: the lanes of a group.
inline constexpr u32 kLanes = 64;

/// The arrays of all fields of T, in one block.
///
/// Layout   Hot fields in their order, then cold ones: rows × sizeof(field) each. Every array starts on its
///          own cache line, and there is one spare line between arrays, because arrays a power of two apart
///          would compete for the same cache sets.
/// Cost     load and store O(fields). A loop that uses few fields reads only those arrays: the compiler
///          removes unused loads, so a walk may load whole objects and pay only for what it reads.
/// Throws   std::bad_alloc. The constructor writes the whole block once, so that no page fault happens
///          later.
template <FieldWise T>
class Columns {
  template <class Hot, class Cold>
  struct Make;
  template <auto... Hot, auto... Cold>
  struct Make<FieldList<Hot...>, FieldList<Cold...>> {
    using Pointers = std::tuple<typename detail::MemberType<decltype(Hot)>::Type*...,
                                typename detail::MemberType<decltype(Cold)>::Type*...>;
    static constexpr std::size_t kHot = sizeof...(Hot);
    static constexpr std::size_t kBytesPerRow = (sizeof(typename detail::MemberType<decltype(Hot)>::Type) + ... + 0) +
                                                (sizeof(typename detail::MemberType<decltype(Cold)>::Type) + ... + 0);
    static constexpr bool kAlignedTo64 = ((alignof(typename detail::MemberType<decltype(Hot)>::Type) <= 64) && ... && true) &&
                                      ((alignof(typename detail::MemberType<decltype(Cold)>::Type) <= 64) && ... && true);
    // An upper bound of sizeof(T): each member padded to alignof(T). (A missing member that would fit into
    // the padding of the others goes unnoticed.)
    template <class Field>
    static constexpr std::size_t kPadded = (sizeof(Field) + alignof(T) - 1) / alignof(T) * alignof(T);
    static constexpr std::size_t kPaddedBytes = (kPadded<typename detail::MemberType<decltype(Hot)>::Type> + ... + 0) +
                                                (kPadded<typename detail::MemberType<decltype(Cold)>::Type> + ... + 0);

    template <class F>  // f(member pointer, index as a constant)
    SPELLPOOL_FLAT static constexpr void for_hot([[maybe_unused]] F&& f) {
      if constexpr (kHot > 0) each<0, Hot...>(f);
    }
    template <class F>
    SPELLPOOL_FLAT static constexpr void for_all(F&& f) {
      each<0, Hot..., Cold...>(f);
    }
    template <std::size_t I, auto First, auto... Rest, class F>
    SPELLPOOL_FLAT static constexpr void each(F& f) {
      f(std::integral_constant<decltype(First), First>{}, std::integral_constant<std::size_t, I>{});
      if constexpr (sizeof...(Rest) > 0) each<I + 1, Rest...>(f);
    }
    /// Calls f(row, object) for the rows first ... first + count - 1. The arrays are parameters because g++ 12 honours
    /// __restrict only on parameters, not on local variables or on captures of a lambda.
    template <bool kWrites, class F>
    SPELLPOOL_FLATTEN static void lanes(std::size_t first, u32 count, F& f,
                                        typename detail::MemberType<decltype(Hot)>::Type* __restrict... hot,
                                        const typename detail::MemberType<decltype(Cold)>::Type* __restrict... cold) {
      for (u32 i = 0; i < count; ++i) {
        T value;
        (detail::assign(value.*Hot, hot[first + i]), ...);
        (detail::assign(value.*Cold, cold[first + i]), ...);
        if constexpr (kWrites) {
          f(static_cast<u32>(first) + i, value);
          detail::check_cold((detail::same_bytes(value.*Cold, cold[first + i]) && ... && true));
          (detail::assign(hot[first + i], value.*Hot), ...);
        } else {
          f(static_cast<u32>(first) + i, std::as_const(value));
        }
      }
    }
    /// The same in groups of kLanes rows.
    template <bool kWrites, class F>
    SPELLPOOL_FLATTEN static void walk(std::size_t first, std::size_t end, F& f,
                                       typename detail::MemberType<decltype(Hot)>::Type* __restrict... hot,
                                       const typename detail::MemberType<decltype(Cold)>::Type* __restrict... cold) {
      for (; first + kLanes <= end; first += kLanes) lanes<kWrites>(first, kLanes, f, hot..., cold...);
      lanes<kWrites>(first, static_cast<u32>(end - first), f, hot..., cold...);
    }
    template <auto Member>
    static constexpr std::size_t place() {
      constexpr bool match[] = {detail::same_member<Member, Hot>()..., detail::same_member<Member, Cold>()...};
      for (std::size_t i = 0; i < sizeof match; ++i) {
        if (match[i]) return i;
      }
      return sizeof match;
    }
  };
  using Fields = Make<typename FieldsOf<T>::Hot, typename FieldsOf<T>::Cold>;
  static_assert(
      Fields::kBytesPerRow <= sizeof(T) && (Fields::kPaddedBytes >= sizeof(T) || std::is_empty_v<T>),
      "FieldsOf<T> must list every member of T once: one listed twice, or one that is not listed, would be lost.");

 public:
  static constexpr std::size_t kBytesPerRow = Fields::kBytesPerRow;
  static_assert(Fields::kAlignedTo64,
                "DensePool<T> and SoaPool<T> align the array of each member to 64 bytes, and a member of T needs more. "
                "Use BitmapPool<T> or PackedPool<T>.");

  SPELLPOOL_APART explicit Columns(u32 rows, PoolMemory* memory = nullptr) : rows_(rows), memory_(memory) {
    Fields::for_all([&](auto member, auto) {
      bytes_ = round_up(bytes_ + sizeof(typename detail::MemberType<decltype(member.value)>::Type) * rows_) + kLine;
    });
    block_ = static_cast<std::byte*>(take_memory(memory_, bytes_, kLine));
    for (std::size_t i = 0; i < bytes_; ++i) block_[i] = std::byte{0};
    std::size_t offset = 0;
    Fields::for_all([&](auto member, auto index) {
      using Field = typename detail::MemberType<decltype(member.value)>::Type;
      std::get<index.value>(arrays_) = reinterpret_cast<Field*>(block_ + offset);
      offset = round_up(offset + sizeof(Field) * rows_) + kLine;
    });
  }
  Columns() = default;
  Columns(Columns&& other) noexcept { swap(other); }
  Columns& operator=(Columns&& other) noexcept {
    swap(other);
    return *this;
  }
  ~Columns() {
    if (block_) return_memory(memory_, block_, bytes_, kLine);
  }

  /// Assembles the object of a row from its fields.
  SPELLPOOL_FLAT T load(u32 row) const {
    T value;
    Fields::for_all([&](auto member, auto index)
                        SPELLPOOL_FLAT { detail::assign(value.*(member.value), std::get<index.value>(arrays_)[row]); });
    return value;
  }
  SPELLPOOL_FLAT void store(u32 row, const T& value) {
    Fields::for_all([&](auto member, auto index)
                        SPELLPOOL_FLAT { detail::assign(std::get<index.value>(arrays_)[row], value.*(member.value)); });
  }
  /// Stores only the hot fields: those a walk may change. A debug build reports a changed cold field.
  SPELLPOOL_FLAT void store_hot(u32 row, const T& value) {
    Fields::for_all([&](auto member, auto index) SPELLPOOL_FLAT {
      if constexpr (index.value >= Fields::kHot) {
        detail::check_cold(detail::same_bytes(value.*(member.value), std::get<index.value>(arrays_)[row]));
      }
    });
    Fields::for_hot([&](auto member, auto index)
                        SPELLPOOL_FLAT { detail::assign(std::get<index.value>(arrays_)[row], value.*(member.value)); });
  }
  SPELLPOOL_FLAT void load_into(u32 row, T& value) const {
    Fields::for_all([&](auto member, auto index)
                        SPELLPOOL_FLAT { detail::assign(value.*(member.value), std::get<index.value>(arrays_)[row]); });
  }
  /// Stores only the fields whose bytes differ between the two objects.
  SPELLPOOL_FLAT void store_changed(u32 row, const T& before, const T& value) {
    Fields::for_all([&](auto member, auto index) SPELLPOOL_FLAT {
      if (std::memcmp(&(before.*(member.value)), &(value.*(member.value)), sizeof(before.*(member.value))) == 0) return;
      detail::assign(std::get<index.value>(arrays_)[row], value.*(member.value));
    });
  }
  /// Calls f(row, object) for the rows first ... first + count - 1, in order. With kWrites f takes T&, and
  /// the hot fields are stored back; without, const T&. Fields that f does not use are neither loaded nor
  /// stored. A simple f is vectorised (g++ and clang -O2). With kWrites, f must access these columns only
  /// through its object: the loop assumes no aliasing.
  template <bool kWrites, class F>
  void walk(u32 first, u32 count, F&& f) const {
    std::apply([&](auto*... arrays)
                   SPELLPOOL_FLAT { Fields::template walk<kWrites>(first, first + count, f, arrays...); },
               arrays_);
  }
  /// The same by one loop: that of a constant count is vectorised without a part for what is left over.
  template <bool kWrites, class F>
  SPELLPOOL_FLAT void lanes(u32 first, u32 count, F&& f) const {
    std::apply([&](auto*... arrays) SPELLPOOL_FLAT { Fields::template lanes<kWrites>(first, count, f, arrays...); },
               arrays_);
  }
  void copy(u32 to, u32 from) {
    Fields::for_all([&](auto, auto index) {
      detail::assign(std::get<index.value>(arrays_)[to], std::get<index.value>(arrays_)[from]);
    });
  }
  /// Calls f(first byte, last byte) for each hot field of a row, to prefetch it.
  template <class F>
  void for_hot_bytes(u32 row, F&& f) const {
    Fields::for_hot([&](auto, auto index) { bytes_of(std::get<index.value>(arrays_) + row, f); });
  }
  template <class F>
  void for_cold_bytes(u32 row, F&& f) const {
    Fields::for_all([&](auto, auto index) {
      if constexpr (index.value >= Fields::kHot) bytes_of(std::get<index.value>(arrays_) + row, f);
    });
  }
  /// The array of one field: column<&Spark::x>()[row].
  template <auto Member>
  auto* column() const {
    constexpr std::size_t kPlace = Fields::template place<Member>();
    static_assert(kPlace < std::tuple_size_v<typename Fields::Pointers>, "FieldsOf does not list this member");
    return std::get<kPlace>(arrays_);
  }

  u32 rows() const { return rows_; }
  u64 bytes() const { return bytes_; }
  void swap(Columns& other) noexcept {
    std::swap(block_, other.block_);
    std::swap(bytes_, other.bytes_);
    std::swap(rows_, other.rows_);
    std::swap(memory_, other.memory_);
    std::swap(arrays_, other.arrays_);
  }

 private:
  static constexpr std::size_t kLine = 64;
  template <class Field, class F>
  static void bytes_of(const Field* field, F& f) {
    const auto* byte = reinterpret_cast<const std::byte*>(field);
    f(byte, byte + sizeof(Field) - 1);
  }
  static constexpr std::size_t round_up(std::size_t bytes) { return (bytes + kLine - 1) / kLine * kLine; }

  std::byte* block_ = nullptr;
  std::size_t bytes_ = 0;
  u32 rows_ = 0;
  PoolMemory* memory_ = nullptr;
  typename Fields::Pointers arrays_{};
};

/// Pointer-like access to one object of a field-wise pool. The constructor assembles a copy from the
/// columns; the destructor writes back the fields that changed, if the object is still live. Keep it in a
/// variable (auto spark = pool.get(handle);), which must end before the pool does, and before swap, a move,
/// set_strategy or restore of the pool. Two RowRefs of one object may coexist: each writes back only
/// what it changed.
///
/// Cost     Once inlined, only the fields that are used are loaded, and only those that may have changed
///          are stored.
template <FieldWise T, std::unsigned_integral Generation = u32>
class RowRef {
 public:
  explicit RowRef(std::nullptr_t) {}
  /// The object of this slot; null if the generation does not match.
  SPELLPOOL_FLAT RowRef(Columns<T>& columns, const DenseIndex<Generation>& index, u32 slot, Generation generation) {
    if (!index.generations().resolves(slot, generation)) [[unlikely]] return;
    columns_ = &columns;
    index_ = &index;
    slot_ = slot;
    generation_ = generation;
    const u32 row = index.place_of(slot);
    columns.load_into(row, before_);
    columns.load_into(row, copy_);
  }
  RowRef(const RowRef&) = delete;
  RowRef& operator=(const RowRef&) = delete;
  SPELLPOOL_FLAT ~RowRef() {
    if (columns_ && index_->generations().resolves(slot_, generation_))
      columns_->store_changed(index_->place_of(slot_), before_, copy_);
  }

  SPELLPOOL_FLAT T* operator->() const {
    SPELLPOOL_ASSERT(columns_ && "this RowRef is null: the handle has no object");
    return &copy_;
  }
  SPELLPOOL_FLAT T& operator*() const {
    SPELLPOOL_ASSERT(columns_ && "this RowRef is null: the handle has no object");
    return copy_;
  }
  explicit operator bool() const { return columns_ != nullptr; }
  friend bool operator==(const RowRef& ref, std::nullptr_t) { return !ref; }

 private:
  template <FieldWise, std::unsigned_integral>
  friend class FieldRef;

  // No pointer to the copy is stored: it would escape, and the compiler could not keep the fields in
  // registers.
  Columns<T>* columns_ = nullptr;
  const DenseIndex<Generation>* index_ = nullptr;
  u32 slot_ = 0;
  Generation generation_ = 0;
  mutable T copy_;
  T before_;
};

/// A T* or a RowRef: for a pool that may or may not be field-wise (SwitchablePool).
template <FieldWise T, std::unsigned_integral Generation = u32>
class FieldRef {
 public:
  explicit FieldRef(T* direct) : direct_(direct), row_(nullptr) {}
  explicit FieldRef(RowRef<T, Generation>&& other)
      : row_(other.columns_ ? RowRef<T, Generation>(*other.columns_, *other.index_, other.slot_, other.generation_)
                            : RowRef<T, Generation>(nullptr)) {}

  T* operator->() const { return direct_ ? direct_ : row_.operator->(); }
  T& operator*() const { return direct_ ? *direct_ : *row_; }
  explicit operator bool() const { return direct_ || row_; }
  friend bool operator==(const FieldRef& ref, std::nullptr_t) { return !ref; }

 private:
  T* direct_ = nullptr;
  RowRef<T, Generation> row_;
};

/// Read-only counterpart of FieldRef: writes nothing back.
template <FieldWise T>
class ConstFieldRef {
 public:
  explicit ConstFieldRef(const T* direct) : direct_(direct) {}
  SPELLPOOL_FLAT ConstFieldRef(const Columns<T>& columns, u32 row) : copied_(true), copy_(columns.load(row)) {}
  ConstFieldRef(const ConstFieldRef&) = delete;
  ConstFieldRef& operator=(const ConstFieldRef&) = delete;

  SPELLPOOL_FLAT const T* operator->() const { return copied_ ? &copy_ : direct_; }
  SPELLPOOL_FLAT const T& operator*() const { return copied_ ? copy_ : *direct_; }
  explicit operator bool() const { return copied_ || direct_; }
  friend bool operator==(const ConstFieldRef& ref, std::nullptr_t) { return !ref; }

 private:
  const T* direct_ = nullptr;
  bool copied_ = false;
  T copy_;
};

// Bit i of a u64 mask holds a property of row first + i: live, or died in this step. The loop over the lanes
// is then branch-free, so the compiler vectorises it; only the mask is tested.

/// The lowest `count` <= 64 bits.
constexpr u64 low_lanes(u32 count) { return count >= kLanes ? ~u64{0} : (u64{1} << count) - 1; }

/// One result of a predicate: 0 or -1. 32 bits measured best for predicates of floats and of 32-bit integers:
/// a vector comparison yields it directly. Predicates of smaller integers take up to 1.5 times as long as with 16 bits.
using LaneAnswer = i32;

/// Bit i of the result is set if answers[i] is -1. Takes 64 answers, aligned to 16 bytes.
inline u64 lane_mask(const LaneAnswer* answers) {
  u64 mask = 0;
#if defined(__wasm_simd128__)
  // Test before SSE2: emscripten defines that macro, but only has its intrinsics.
  using Four = int __attribute__((vector_size(16), may_alias));
  for (u32 i = 0; i < kLanes; i += 16) {
    const auto* four = reinterpret_cast<const Four*>(answers + i);
    const auto low = __builtin_wasm_narrow_s_i16x8_i32x4(four[0], four[1]);
    const auto high = __builtin_wasm_narrow_s_i16x8_i32x4(four[2], four[3]);
    mask |= u64{static_cast<u32>(__builtin_wasm_bitmask_i8x16(__builtin_wasm_narrow_s_i8x16_i16x8(low, high)))} << i;
  }
#elif defined(__SSE2__) && defined(__GNUC__)
  // GCC vector extensions: <emmintrin.h> would be a fifth of this library's preprocessed text.
  using Four = int __attribute__((vector_size(16), may_alias));
  for (u32 i = 0; i < kLanes; i += 16) {
    const auto* four = reinterpret_cast<const Four*>(answers + i);
    const auto low = __builtin_ia32_packssdw128(four[0], four[1]);
    const auto high = __builtin_ia32_packssdw128(four[2], four[3]);
    mask |= u64{static_cast<u32>(__builtin_ia32_pmovmskb128(__builtin_ia32_packsswb128(low, high)))} << i;
  }
#else
  for (u32 i = 0; i < kLanes; ++i) mask |= static_cast<u64>(answers[i] & 1) << i;
#endif
  return mask;
}

/// The answers of the lanes 0 ... count - 1 of a group, in order. They go through memory because compilers
/// vectorise that loop.
struct LaneAnswers {
  u32 count = 0;
  alignas(64) LaneAnswer answers[kLanes];

  SPELLPOOL_FLAT LaneAnswers() {}
  SPELLPOOL_FLAT void add(u32 lane, bool answer) {
    answers[lane] = answer ? LaneAnswer{-1} : LaneAnswer{0};
    count = lane + 1;
  }
  /// Bit i is the answer of lane i; the bits from count on are 0. Free if count is 64;
  /// setting all answers beforehand took a fifth of a walk.
  SPELLPOOL_FLAT u64 mask() {
    for (u32 i = count; i < kLanes; ++i) answers[i] = 0;
    return lane_mask(answers);
  }
};

/// Bit i of the result is dead(i) for i < count <= 64; higher bits are 0.
template <class Dead>
u64 lane_mask(u32 count, Dead&& dead) {
  LaneAnswers answers;
  if (count == kLanes) {
    for (u32 i = 0; i < kLanes; ++i) answers.add(i, dead(i));
  } else {
    for (u32 i = 0; i < count; ++i) answers.add(i, dead(i));
  }
  return answers.mask();
}

/// True if the predicate takes its object by value or const reference, so it cannot change it. A generic
/// lambda counts as one that may.
template <class Dead, class T>
constexpr bool only_reads() {
  if constexpr (requires { &Dead::operator(); } || std::is_pointer_v<Dead>) {
    return std::is_invocable_v<Dead&, const T&>;
  } else {
    return false;
  }
}

/// std::popcount calls a function where the processor may lack the instruction, as x86-64 may. Compilers
/// recognise this form, and use the instruction if they are allowed to.
constexpr u32 count_bits(u64 mask) {
  mask -= mask >> 1 & 0x5555'5555'5555'5555;
  mask = (mask & 0x3333'3333'3333'3333) + (mask >> 2 & 0x3333'3333'3333'3333);
  mask = (mask + (mask >> 4)) & 0x0f0f'0f0f'0f0f'0f0f;
  return static_cast<u32>(mask * 0x0101'0101'0101'0101 >> 56);
}

/// write_lanes() may write this many elements past the end that it returns.
inline constexpr u32 kLaneSlack = 4;

/// Writes first + i to `out` for every set bit i, lowest first; returns the end. The first four elements
/// are always written. A loop "is another bit set?" mispredicts once per group, which was 40 % of an update
/// in which one object in 64 dies (bench/pools_frame.cpp). More than four set bits in a group are rare.
inline u32* write_lanes(u64 mask, u32 first, u32* out) {
  constexpr u64 kTop = u64{1} << 63;  // the mask is never 0, so countr_zero needs no branch
  u32* const end = out + count_bits(mask);
  for (u32 i = 0; i < kLaneSlack; ++i) {
    out[i] = first + static_cast<u32>(std::countr_zero(mask | kTop));
    mask &= mask - 1;
  }
  if (mask != 0) [[unlikely]] {
    for (out += kLaneSlack; mask != 0; mask &= mask - 1) *out++ = first + static_cast<u32>(std::countr_zero(mask));
  }
  return end;
}

/// How many rows ahead scatter() prefetches. Hot fields were read recently and come from L2 or L3; cold
/// fields were last touched when the row was filled, and may come from memory. Without prefetching a frame
/// of 50,000 takes 1.1 times as long, one of 500,000 1.25 times (bench/pools_frame.cpp). The exact
/// distances matter less.
inline constexpr u32 kHotAhead = 8;
inline constexpr u32 kColdAhead = 24;

/// Prefetches the hot fields of one row and the cold ones of another.
template <class T>
SPELLPOOL_FLAT inline void prefetch_row(const Columns<T>& columns, u32 hot, u32 cold) {
  auto prefetch = [](const std::byte* first, const std::byte* last) {
    prefetch_line(first);
    if (last - first >= 8) prefetch_line(last);  // may span two lines
  };
  columns.for_cold_bytes(cold, prefetch);
  columns.for_hot_bytes(hot, prefetch);
}

/// Stores make(0) ... make(n - 1) in the rows row_at(0) ... row_at(n - 1), in any order of rows. row_at is
/// called with up to n + 23 and may return any number beyond n - 1, which is only prefetched.
template <class T, class RowAt, class Make>
void scatter(Columns<T>& columns, u32 n, RowAt&& row_at, Make&& make) {
  for (u32 i = 0; i < n; ++i) {
    prefetch_row(columns, row_at(i + kHotAhead), row_at(i + kColdAhead));
    columns.store(row_at(i), make(i));
  }
}

/// Field-wise storages: each field of T in its own array, so that a walk loads only the fields it reads.
/// The two differ in the cost of a release:
///
///   soa     A release moves the last row into the gap at once: every field of one object.
///   dense   A release leaves a hole, the next acquire fills it, and the next walk closes the other holes
///           from the end. If a game spawns as fast as objects die, nothing moves. With hot and cold
///           fields apart, its walk reads and writes the fewest bytes of all the storages.
///
/// Layout   Columns<T>, rows packed except for holes; DenseIndex. dense adds a stack of holes, 4 bytes per
///          slot.
/// Cost     acquire O(fields). release O(fields) in soa, O(1) in dense. Handle lookup O(1), plus assembling
///          the object from its fields (RowRef). Walk O(live).
/// Walks    f takes a T assembled from the arrays. After a walk that may change objects, only the Hot
///          fields are written back. Once f is inlined, loads and stores of fields it does not touch cost
///          nothing.
/// Order    By row, which releases shuffle.
/// Moves    Rows move, so no T& exists. A RowRef finds its row again when it writes back, so the pool may
///          acquire and release while it exists, as in a range-for. It must be destroyed before the pool is
///          swapped, moved, restored or destroyed, or changes its strategy.
/// Threads  One owner.
template <class T, std::unsigned_integral Generation, bool kHoles>
class ColumnStorage;
template <FieldWise T, std::unsigned_integral Generation, bool kHoles>
class ColumnStorage<T, Generation, kHoles> {
 public:
  using Value = T;
  using GenerationType = Generation;
  using HandleType = Handle<T, u32, Generation>;
  using Pointer = RowRef<T, Generation>;
  using ConstPointer = ConstFieldRef<T>;
  using Reference = Pointer;
  using ConstReference = ConstPointer;
  static constexpr StrategyId kStrategy = kHoles ? StrategyId::Dense : StrategyId::Soa;
  static constexpr bool kStable = false;
  static constexpr bool kBuildsInSlot = false;
  struct Adopt {};

  ColumnStorage() = default;
  ColumnStorage(u32 slots, PoolMemory* memory)
      : ColumnStorage(Adopt{}, slots, GenerationTable<Generation>{}, 0, memory) {
    finish_adoption();
  }
  /// First step of a migration (see CellStorage).
  SPELLPOOL_APART ColumnStorage(Adopt, u32 slots, const GenerationTable<Generation>& known, u32, PoolMemory* memory)
      : columns_(slots, memory), index_(slots, known, memory), holes_(memory), calls_(kHoles ? 5 : 4) {
    if constexpr (kHoles) holes_.resize(std::size_t{slots} + kLaneSlack);
  }
  void adopt(u32 slot, T&& value) {
    columns_.store(rows_, value);
    index_.swap_places(index_.place_of(slot), rows_++);
    ++live_;
  }
  void finish_adoption() { index_.finish_adoption(rows_); }
  /// A whole restoration in place: see PackedStorage.
  void begin_again(const GenerationTable<Generation>& known, const u32* slots, const T* values, u32 count) {
    index_.begin_again(known, slots, count);
    rows_ = live_ = count;
    hole_count_ = worn_holes_ = 0;
    for (u32 row = 0; row < count; ++row) columns_.store(row, values[row]);
  }

  ColumnStorage(ColumnStorage&& other) noexcept { swap_with(other); }
  ColumnStorage& operator=(ColumnStorage&& other) noexcept {
    swap_with(other);
    return *this;
  }

  /// A new object outside the columns: its constructor may use the pool.
  struct Built {
    T value;
  };
  template <class... Args>
  Built build(Args&&... args) {
    return {make_value<T>(std::forward<Args>(args)...)};
  }
  HandleType place(Built& built) { return insert_plain(built.value); }
  template <class... Args>
  HandleType insert(Args&&... args) {
    return insert_plain(std::forward<Args>(args)...);
  }
  template <class... Args>
  HandleType insert_plain(Args&&... args) {
    SPELLPOOL_ASSERT(has_free());
    if constexpr (sizeof...(Args) == 1 && (std::is_same_v<std::remove_cv_t<std::remove_reference_t<Args>>, T> && ...)) {
      return store((args, ...));  // by reference: a copy is stored by field but loaded whole, which stalls
    } else {
      return store(make_value<T>(std::forward<Args>(args)...));
    }
  }
  bool plain() const { return true; }

  /// Inserts make(0) ... make(n - 1), filling holes first; calls made(i, handle) for each. Needs n free
  /// slots. A batch knows its rows in advance, so they are prefetched before they are written.
  template <class Make, class Made>
  void insert_n(u32 n, Make&& make, Made&& made)
    requires(kHoles)
  {
    const u32 holes = hole_count_ - worn_holes_, end = rows_;
    const u32* const last_hole = holes_.data() + hole_count_;
    const auto row_at = [=](u32 i) { return i < holes ? *(last_hole - 1 - i) : end + (i - holes); };
    const u32 refill = n < holes ? n : holes;
    scatter(columns_, refill, row_at, make);
    for (u32 i = refill; i < n; ++i) columns_.store(end + (i - refill), make(i));
    for (u32 i = 0; i < n; ++i) index_.enter(row_at(i));
    hole_count_ -= refill;
    rows_ = end + (n - refill);
    live_ += n;
    for (u32 i = 0; i < n; ++i) {  // the holes_ entries are still intact
      const u32 slot = index_.slot_at(row_at(i));
      made(i, HandleType{slot, index_.generations()[slot]});
    }
  }

  Pointer find(HandleType handle) { return Pointer(columns_, index_, handle.index, handle.generation); }
  ConstPointer find(HandleType handle) const {
    if (!index_.generations().resolves(handle.index, handle.generation)) [[unlikely]] return ConstPointer(nullptr);
    return ConstPointer(columns_, index_.place_of(handle.index));
  }
  Pointer at_slot(u32 slot) { return Pointer(columns_, index_, slot, index_.generations()[slot]); }
  ConstPointer at_slot(u32 slot) const { return ConstPointer(columns_, index_.place_of(slot)); }

  template <class OnErase>
  bool erase_slot(u32 slot, OnErase&& on_erase) {
    SPELLPOOL_ASSERT(index_.generations().is_live(slot));
    const u32 row = index_.place_of(slot);
    if constexpr (kEndRunsUserCode<T>) {
      T value = columns_.load(row);
      const bool usable = erase_row(slot, row);
      on_erase(value);
      return usable;
    } else {
      return erase_row(slot, row);
    }
  }
  template <class OnErase>
  void erase_plain(u32 slot, Generation, OnErase&& on_erase) {
    erase_slot(slot, on_erase);
  }

  /// Calls f(slot, object) for every live object, in row order. f must not use this storage: see
  /// Columns::walk(). If f throws, earlier rows keep their changes.
  template <class F>
  void for_each_slot(F&& f) {
    settle();
    columns_.template walk<true>(0, rows_, [&](u32 row, T& value) { f(index_.slot_at(row), value); });
  }
  template <class F>
  void for_each_slot(F&& f) const {
    const bool holes = kHoles && hole_count_ > 0;
    columns_.template walk<false>(0, rows_, [&](u32 row, const T& value) {
      if (holes && !index_.is_live_at(row)) return;
      f(index_.slot_at(row), value);
    });
  }
  template <class F>
  void for_each_part(u32 part, u32 parts, F&& f) {
    SPELLPOOL_ASSERT(hole_count_ == 0);
    const u32 first = first_of(part, parts);
    columns_.template walk<true>(first, first_of(part + 1, parts) - first,
                                 [&](u32 row, T& value) { f(index_.slot_at(row), value); });
  }
  u32 first_of(u32 part, u32 parts) const { return static_cast<u32>(u64{rows_} * part / parts); }
  u32 next_live(u32 slot) const { return index_.generations().next_live(slot); }
  u32 next_place(u32 place) const {
    if constexpr (kHoles) {
      while (place < rows_ && hole_count_ > 0 && !index_.is_live_at(place)) ++place;
    }
    return place < rows_ ? place : kNoSlot;
  }
  Pointer at_place(u32 place) { return at_slot(index_.slot_at(place)); }
  ConstPointer at_place(u32 place) const { return ConstPointer(columns_, place); }

  /// Calls dead(object) for every row, in order; the dead rows become holes after all rows were tested. If
  /// dead throws, earlier rows keep their changes, and the rows found dead are erased.
  template <class Dead, class OnErased>
  void erase_if(Dead&& dead, OnErased&& on_erased)
    requires(kHoles)
  {
    settle();
    constexpr bool kWrites = !only_reads<std::remove_reference_t<Dead>, T>();
    Erasing<OnErased> erasing{*this, on_erased, holes_.data()};
    const u32 whole = rows_ / kLanes * kLanes;
    SPELLPOOL_ASSERT(whole <= kGroupMask);
    const auto ask = [&](u32 first, u32 count) SPELLPOOL_FLAT {
      Asking asking{erasing.end, first};
      columns_.template lanes<kWrites>(first, count, [&](u32 row, auto& value) SPELLPOOL_FLAT {
        asking.answers.add(row - first, dead(value));
      });
    };
    for (u32 first = 0; first < whole; first += kLanes) ask(first & kGroupMask, kLanes);
    // holes_ has no room for an empty group if the pool was moved from.
    if (whole < rows_) ask(whole, rows_ - whole);
  }
  template <class Dead, class OnErased>
  void erase_if(Dead&& dead, OnErased&& on_erased) {
    for (u32 row = 0; row < rows_;) {
      T value = columns_.load(row);
      const bool ends = dead(value);
      columns_.store_hot(row, value);
      if (!ends) {
        ++row;
        continue;
      }
      const u32 slot = index_.slot_at(row);
      on_erased(slot);
      erase_row(slot, row);  // the last row moves here
    }
  }
  /// Exchanges two rows.
  void swap_places(u32 a, u32 b) {
    const T value = columns_.load(a);
    columns_.copy(a, b);
    columns_.store(b, value);
    index_.swap_places(a, b);
  }
  /// For loops over columns: block(first, count <= 64) processes that many rows and returns a mask of the
  /// dead ones. With Members, block(count, arrays...) gets each array at its first row. The dead become
  /// holes, so rows stay in place until the next walk. Returns how many died.
  template <auto... Members, class Block, class OnErased>
  u32 update_rows(Block&& block, OnErased&& on_erased)
    requires(kHoles)
  {
    settle();
    const u32 rest = rows_ % kLanes, whole = rows_ - rest;
    u32* end = whole_groups(whole, holes_.data(), block, columns_.template column<Members>()...);
    if (rest > 0) {
      const u64 dead = group(whole, rest, block, columns_.template column<Members>()...);
      end = write_lanes(dead & low_lanes(rest), whole, end);
    }
    return leave_holes(end, on_erased);
  }
  void set_fill(bool) {}  // no reference to a released row can exist

  // For inspect/slot_map.hpp.
  static constexpr Places kPlaces = Places::Rows;
  u32 place_of(u32 slot) const { return index_.place_of(slot); }
  u32 slot_at(u32 place) const { return index_.slot_at(place); }
  /// Copies bytes of the object assembled from its columns; it is never contiguous in memory.
  std::size_t copy_place(u32 place, std::byte* to, std::size_t limit, std::size_t from = 0) const {
    if (!index_.is_live_at(place)) return 0;
    const T value = columns_.load(place);
    const std::size_t count = sizeof(T) - from < limit ? sizeof(T) - from : limit;
    std::memcpy(to, reinterpret_cast<const std::byte*>(&value) + from, count);
    return count;
  }
  u32 object_at() const { return 0; }
  template <class F>
  void for_each_next(u32 limit, F&& f) const {
    for (u32 i = hole_count_; i > worn_holes_ && limit > 0; --i, --limit) f(holes_[i - 1]);
    for (u32 row = rows_; row < index_.usable_end() && limit > 0; ++row, --limit) f(row);
  }

  u32 slots() const { return index_.slots(); }
  u32 live() const { return live_; }
  bool has_free() const { return live_ + retired() < slots(); }
  u32 retired() const { return index_.generations().retired(); }
  u64 bytes() const { return columns_.bytes() + index_.bytes() + holes_.bytes(); }
  u64 new_calls() const { return calls_; }
  const GenerationTable<Generation>& generations() const { return index_.generations(); }

  /// For loops over rows: the columns and their row count. Call settle() first: until then rows() includes
  /// holes.
  const Columns<T>& columns() const { return columns_; }
  u32 rows() const { return rows_; }

  /// Closes the holes that no acquire has filled, with rows from the end.
  void settle() {
    if constexpr (kHoles) {
      if (hole_count_ == 0) [[likely]] return;
      for (u32 i = 0; i < hole_count_; ++i) {
        drop_dead_end();
        if (holes_[i] < rows_) close(holes_[i]);
      }
      drop_dead_end();
      hole_count_ = worn_holes_ = 0;
    }
  }

  SPELLPOOL_APART void swap_with(ColumnStorage& other) noexcept {
    columns_.swap(other.columns_);
    index_.swap(other.index_);
    holes_.swap(other.holes_);
    std::swap(calls_, other.calls_);
    std::swap(hole_count_, other.hole_count_);
    std::swap(worn_holes_, other.worn_holes_);
    std::swap(rows_, other.rows_);
    std::swap(live_, other.live_);
  }

 private:
  static constexpr u32 kGroupMask = 0x7fff'ffc0;

  /// The rows that erase_if() found dead so far, in holes_ up to `end`. The destructor erases them, even if the
  /// predicate threw.
  template <class OnErased>
  struct Erasing {
    ColumnStorage& storage;
    OnErased& on_erased;
    u32* end;

    Erasing(const Erasing&) = delete;
    Erasing& operator=(const Erasing&) = delete;
    Erasing(ColumnStorage& its, OnErased& on, u32* holes) : storage(its), on_erased(on), end(holes) {}
    ~Erasing() { storage.leave_holes(end, on_erased); }
  };
  /// The group that erase_if() asks. The destructor adds its dead rows, even if the predicate threw. An object
  /// for each group, so that the compiler keeps the answers in registers.
  struct Asking {
    u32*& end;
    u32 first;
    LaneAnswers answers;

    Asking(const Asking&) = delete;
    Asking& operator=(const Asking&) = delete;
    SPELLPOOL_FLAT Asking(u32*& its_end, u32 its_first) : end(its_end), first(its_first) {}
    SPELLPOOL_FLAT ~Asking() { end = write_lanes(answers.mask(), first, end); }
  };
  /// The groups of 64 rows: block is inlined, and so compiled for a constant count, which vectorises best.
  /// The mask changes no number: it tells g++ that first + 64 does not wrap, without which it vectorises no
  /// loop that starts at `first`.
  template <class Block, class... Fields>
  SPELLPOOL_FLATTEN static u32* whole_groups(u32 whole, u32* out, Block& block, Fields*... arrays) {
    SPELLPOOL_ASSERT(whole <= kGroupMask);
    for (u32 first = 0; first < whole; first += kLanes) {
      out = write_lanes(group(first & kGroupMask, kLanes, block, arrays...), first, out);
    }
    return out;
  }
  template <class Block, class... Fields>
  SPELLPOOL_FLAT static u64 group(u32 first, u32 count, Block& block, Fields*... arrays) {
    if constexpr (sizeof...(Fields) == 0) {
      return block(first, count);
    } else {
      return apart(count, block, (arrays + first)...);
    }
  }
  /// The arrays do not overlap (see Columns::walk()).
  template <class Block, class... Fields>
  SPELLPOOL_FLATTEN static u64 apart(u32 count, Block& block, Fields* __restrict... arrays) {
    return block(count, arrays...);
  }
  /// Erases the objects of the rows holes_[0] ... end[-1]. There must be no holes before the call.
  template <class OnErased>
  u32 leave_holes(const u32* end, OnErased&& on_erased) {
    const u32 count = static_cast<u32>(end - holes_.data());
    for (u32 i = 0; i < count; ++i) {
      const u32 slot = index_.slot_at(holes_[i]);
      on_erased(slot);
      const bool usable = index_.leave(slot);
      --live_;
      ++hole_count_;
      if (!usable) [[unlikely]] keep_below(i);
    }
    return count;
  }
  SPELLPOOL_FLAT HandleType store(const T& value) {
    u32 row;
    if (kHoles && hole_count_ > worn_holes_) {
      row = holes_[--hole_count_];
      prefetch_row(columns_, holes_[hole_count_ >= kHotAhead ? hole_count_ - kHotAhead : 0],
                   holes_[hole_count_ >= kColdAhead ? hole_count_ - kColdAhead : 0]);
    } else {
      row = rows_++;
    }
    columns_.store(row, value);
    ++live_;
    const u32 slot = index_.enter(row);
    return {slot, index_.generations()[slot]};
  }
  bool erase_row(u32 slot, u32 row) {
    --live_;
    const bool usable = index_.leave(slot);
    if constexpr (kHoles) {
      holes_[hole_count_++] = row;
      if (!usable) [[unlikely]] keep_below(hole_count_ - 1);
    } else {
      close(row);
    }
    return usable;
  }
  /// Moves the last row into a dead row.
  void close(u32 row) {
    const u32 last = --rows_;
    if (row != last) {
      columns_.copy(row, last);
      index_.swap_places(row, last);
    }
    retire_if_worn(last);
  }
  void drop_dead_end() {
    while (rows_ > 0 && !index_.is_live_at(rows_ - 1)) retire_if_worn(--rows_);
  }
  void retire_if_worn(u32 place) {
    if (!index_.generations().is_usable(index_.slot_at(place))) [[unlikely]] index_.retire_place(place);
  }
  /// The slot of this hole is retired, so no acquire may fill the hole: moves it to the bottom of the
  /// stack until settle().
  void keep_below(u32 nth) { std::swap(holes_[nth], holes_[worn_holes_++]); }


  Columns<T> columns_;
  DenseIndex<Generation> index_;
  Table<u32> holes_;  // stack of hole_count_ rows; the lowest worn_holes_ only wait for settle()
  u64 calls_ = 0;
  u32 hole_count_ = 0, worn_holes_ = 0;
  u32 rows_ = 0;  // in use, holes included
  u32 live_ = 0;
};

/// Chosen for a type that cannot be stored field by field. Its static_asserts explain why. It derives from
/// PackedStorage so that they are the only errors.
template <class T, std::unsigned_integral Generation, bool kHoles>
class ColumnStorage : public PackedStorage<T, Generation> {
  struct NoColumns {
    template <auto Member>
    typename detail::MemberType<decltype(Member)>::Type* column() const;
  };

 public:
  using PackedStorage<T, Generation>::PackedStorage;
  NoColumns columns() const;
  template <auto... Members, class Block, class OnErased>
  u32 update_rows(Block&& block, OnErased&& on_erased);

 private:
  static constexpr bool kIsPlain = std::is_trivially_copyable_v<T> && std::is_default_constructible_v<T>;
  static_assert(kIsPlain,
                "DensePool<T> and SoaPool<T> need a trivially copyable, default-constructible T. Use PackedPool<T>.");
  static constexpr bool kHasHot = requires { typename FieldsOf<T>::Hot; }
  , kHasCold = requires { typename FieldsOf<T>::Cold; };
  static_assert(!kIsPlain || kHasCold || !kHasHot, "FieldsOf<T> has no list Cold. Write: using Cold = FieldList<>;");
  static_assert(!kIsPlain || kHasHot || !kHasCold, "FieldsOf<T> has no list Hot. Write: using Hot = FieldList<>;");
  static_assert(
      !kIsPlain || kHasHot || kHasCold,
      "DensePool<T> and SoaPool<T> keep each member of T in its own array. Specialise spellpool::pool::FieldsOf<T> "
      "with the "
      "lists Hot and Cold of its members, before the first use of the pool (docs/POOLS.md, \"DensePool\"), or use "
      "PackedPool<T>.");
};

template <class T, std::unsigned_integral Generation = u32>
using SoaStorage = ColumnStorage<T, Generation, false>;
template <class T, std::unsigned_integral Generation = u32>
using DenseStorage = ColumnStorage<T, Generation, true>;

}  // namespace spellpool::pool
