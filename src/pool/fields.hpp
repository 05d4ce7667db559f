#pragma once
#include <concepts>
#include <cstddef>
#include <cstring>
#include <iterator>
#include <new>
#include <tuple>
#include <type_traits>
#include <utility>

#include "core/types.hpp"
#include "pool/inlining.hpp"

namespace spellpool::pool {

template <auto... Members>
struct FieldList {};

/// Says which members a type has, so that field-wise storages (soa, dense) can keep each in an array of its own:
///
///   template <>
///   struct spellpool::pool::FieldsOf<Spark> {
///     using Hot = FieldList<&Spark::x, &Spark::y, &Spark::vx, &Spark::vy, &Spark::life>;   // walks read and change these
///     using Cold = FieldList<&Spark::colour, &Spark::spawn_id>;                             // walks may read these
///   };
///
/// Every member stands in one of the lists, or it is lost. The type is trivially copyable and default-constructible.
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
/// Members may be arrays, which have no assignment.
template <class Field>
void assign(Field& to, const Field& from) {
  if constexpr (std::is_array_v<Field>) {
    std::memcpy(&to, &from, sizeof(Field));
  } else {
    to = from;
  }
}
}  // namespace detail

/// The arrays of all fields of T, in one block.
/// Layout   hot fields in their order, then cold ones: `rows` × sizeof(field) each, every array on a cache line of its own,
///          shifted by a line more than the one before: arrays a power of two apart would fight for the same cache sets.
/// Cost     load, store O(fields). A loop over few fields reads those arrays alone; the compiler drops loads that nobody
///          uses, so a walk may load whole objects and pay for what it reads.
/// Throws   std::bad_alloc. The block is written once (prefaulted), so no page fault is left for later.
template <FieldWise T>
class Columns {
  template <class Hot, class Cold>
  struct Make;
  template <auto... Hot, auto... Cold>
  struct Make<FieldList<Hot...>, FieldList<Cold...>> {
    using Pointers = std::tuple<typename detail::MemberType<decltype(Hot)>::Type*..., typename detail::MemberType<decltype(Cold)>::Type*...>;
    static constexpr std::size_t kHot = sizeof...(Hot);
    static constexpr std::size_t kBytesPerRow =
        (sizeof(typename detail::MemberType<decltype(Hot)>::Type) + ... + 0) + (sizeof(typename detail::MemberType<decltype(Cold)>::Type) + ... + 0);

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
    template <auto Member>
    static constexpr std::size_t place() {
      constexpr bool match[] = {detail::same_member<Member, Hot>()..., detail::same_member<Member, Cold>()...};
      for (std::size_t i = 0; i < std::size(match); ++i) {
        if (match[i]) return i;
      }
      return std::size(match);
    }
  };
  using Fields = Make<typename FieldsOf<T>::Hot, typename FieldsOf<T>::Cold>;
  static_assert(Fields::kBytesPerRow <= sizeof(T) && Fields::kBytesPerRow + alignof(T) * 2 > sizeof(T),
                "FieldsOf must list every member once");

 public:
  static constexpr std::size_t kBytesPerRow = Fields::kBytesPerRow;

  explicit Columns(u32 rows) : rows_(rows) {
    Fields::for_all([&](auto member, auto) {
      bytes_ = round_up(bytes_ + sizeof(typename detail::MemberType<decltype(member.value)>::Type) * rows_) + kLine;
    });
    block_ = static_cast<std::byte*>(::operator new(bytes_, std::align_val_t{kLine}));
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
    if (block_) ::operator delete(block_, std::align_val_t{kLine});
  }

  /// The object of a row, put together.
  SPELLPOOL_FLAT T load(u32 row) const {
    T value;
    Fields::for_all([&](auto member, auto index) SPELLPOOL_FLAT { detail::assign(value.*(member.value), std::get<index.value>(arrays_)[row]); });
    return value;
  }
  SPELLPOOL_FLAT void store(u32 row, const T& value) {
    Fields::for_all([&](auto member, auto index) SPELLPOOL_FLAT { detail::assign(std::get<index.value>(arrays_)[row], value.*(member.value)); });
  }
  /// The hot fields alone: what a walk may have changed.
  SPELLPOOL_FLAT void store_hot(u32 row, const T& value) {
    Fields::for_hot([&](auto member, auto index) SPELLPOOL_FLAT { detail::assign(std::get<index.value>(arrays_)[row], value.*(member.value)); });
  }
  void copy(u32 to, u32 from) {
    Fields::for_all([&](auto, auto index) { detail::assign(std::get<index.value>(arrays_)[to], std::get<index.value>(arrays_)[from]); });
  }
  /// f(first byte, last byte) of each hot field of a row, of each cold one: what to prefetch.
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
  typename Fields::Pointers arrays_{};
};

/// Access to one object of a pool whose storage may be field-wise: like a T*, but there the object is put together when it is
/// made and written back when it ends. So hold it by name (auto spark = pool.get(handle);), one for an object at a time,
/// and let it end before the pool acquires or releases.
template <FieldWise T>
class FieldRef {
 public:
  explicit FieldRef(T* direct) : at_(direct) {}
  FieldRef(Columns<T>* columns, u32 row) : columns_(columns), row_(row) {
    if (!columns_) return;
    copy_ = columns_->load(row);
    at_ = &copy_;
  }
  FieldRef(const FieldRef&) = delete;
  FieldRef& operator=(const FieldRef&) = delete;
  ~FieldRef() {
    if (columns_) columns_->store(row_, copy_);
  }

  T* operator->() const { return at_; }
  T& operator*() const { return *at_; }
  explicit operator bool() const { return at_ != nullptr; }
  friend bool operator==(const FieldRef& ref, std::nullptr_t) { return ref.at_ == nullptr; }

 private:
  Columns<T>* columns_ = nullptr;
  u32 row_ = 0;
  T* at_ = nullptr;
  T copy_;
};

/// The same for reading: nothing is written back.
template <FieldWise T>
class ConstFieldRef {
 public:
  explicit ConstFieldRef(const T* direct) : at_(direct) {}
  ConstFieldRef(const Columns<T>* columns, u32 row) {
    if (!columns) return;
    copy_ = columns->load(row);
    at_ = &copy_;
  }
  ConstFieldRef(const ConstFieldRef&) = delete;
  ConstFieldRef& operator=(const ConstFieldRef&) = delete;

  const T* operator->() const { return at_; }
  const T& operator*() const { return *at_; }
  explicit operator bool() const { return at_ != nullptr; }
  friend bool operator==(const ConstFieldRef& ref, std::nullptr_t) { return ref.at_ == nullptr; }

 private:
  const T* at_ = nullptr;
  T copy_;
};

}  // namespace spellpool::pool
